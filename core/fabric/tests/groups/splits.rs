// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups that are derived from a group, and many groups at a time.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use mf_base::{Kind, Rank};
use mf_fabric::group::{Group, SLOTS};

use crate::team::{Team, gather, ranks, soon};

/// Hosts of the members, whether there is a wire, how the group of all meets.
const TEAMS: [(&[u32], bool, &str); 4] = [
    (&[0, 0, 0, 0, 0, 0], false, "shared memory"),
    (&[0, 0, 0, 1, 1, 1], true, "wire"),
    (&[0, 1, 0, 1, 2, 2], true, "wire"),
    (&[0, 0, 1, 1, 2, 2], false, "store"),
];

fn meet(group: &Group) {
    for bytes in [0, 8, 70_000] {
        gather(group, 1, bytes);
        group.barrier(soon()).unwrap();
    }
}

#[test]
fn members_of_any_group_meet_in_groups_derived_from_it() {
    for (host_of, has_wire, route) in TEAMS {
        let team = Team::on_hosts(host_of, has_wire);
        team.each(|seat| {
            let all = seat.group(&ranks(0..6));
            assert_eq!(all.route(), route);
            // Two rows, each in an order of its own; three columns; one of some, and members in none.
            let rank = seat.rank.0;
            let row = if rank < 3 { ranks(0..3) } else { ranks((3..6).rev()) };
            let row = all.split(&row, soon()).unwrap().unwrap();
            let column = all.split(&ranks([rank % 3, rank % 3 + 3]), soon()).unwrap().unwrap();
            let both = [row.members(), if rank == 0 { &[] } else { column.members() }];
            // Member 3 names 0, which names no member.
            let refused = all.split_into(both, soon()).err().unwrap();
            assert_eq!(refused.fact("rank"), Some("3"));
            let both = all.split_into([row.members(), column.members()], soon()).unwrap();
            let both = both.map(|group| group.unwrap().members().to_vec());
            assert_eq!(both, [row.members(), column.members()]);
            let odd = all.split_strided(1, 2, 3, soon()).unwrap();
            assert_eq!(odd.is_some(), rank % 2 == 1);
            let is_alike = |_, label| label == u64::from(rank % 3);
            let [whole, alike] = all.split_alike(u64::from(rank % 3), is_alike, soon()).unwrap();
            assert_eq!(whole.members(), all.members());
            assert_eq!(alike.members(), column.members());
            // They outlive the group that they come from, and can be split again.
            meet(&all);
            drop(all);
            for group in [&row, &column, &whole, &alike] {
                assert_eq!(group.members()[group.place()], seat.rank);
                meet(group);
            }
            if let Some(odd) = odd {
                meet(&odd);
                let pair = odd.split_strided(0, 2, 2, soon()).unwrap();
                assert_eq!(
                    pair.as_ref().map(|pair| pair.members().to_vec()),
                    (rank != 3).then(|| ranks([1, 5]))
                );
                pair.iter().for_each(|pair| meet(pair));
            }
        });
    }
}

#[test]
fn conflicting_lists_fail_on_all_members_alike() {
    let team = Team::on_hosts(&[0, 0, 1], true);
    let texts = team.each(|seat| {
        let all = seat.group(&ranks(0..3));
        let mut texts = Vec::new();
        for lists in [
            [ranks([0, 1]), ranks([1, 0]), Vec::new()],
            [ranks([0, 1, 2]), ranks([0, 1]), ranks([0, 1, 2])],
            [Vec::new(), ranks([0]), Vec::new()],
            [ranks([0]), ranks([1, 9]), ranks([2])],
            [ranks([0]), ranks([1]), ranks([2, 2])],
        ] {
            let error = all.split(&lists[seat.rank.index()], soon()).err().unwrap();
            assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
            texts.push(error.to_string());
        }
        let split = || all.split(&ranks([0, 1]), soon()).map(|_| ());
        let refused = if seat.rank == Rank(2) { all.refuse_split::<1>(soon()) } else { split() };
        texts.push(refused.unwrap_err().to_string());
        assert_eq!(all.split_strided(0, 2, 3, soon()).err().unwrap().kind(), Kind::InvalidParam);
        // The group is whole.
        let alone = all.split(&[seat.rank], soon()).unwrap().unwrap();
        meet(&alone);
        meet(&all);
        texts
    });
    assert!(texts.iter().all(|own| *own == texts[0]), "{texts:#?}");
    for (text, rank) in texts[0].iter().zip(["rank 0", "rank 0", "rank 1", "rank 1", "rank 2", "rank 2"]) {
        assert!(text.contains(rank), "{text}");
    }
}

#[test]
fn members_may_split_again_after_a_conflicting_split() {
    let team = Team::on_hosts(&[0, 0, 0], true);
    team.each(|seat| {
        let (all, own) = (seat.group(&ranks(0..3)), [seat.rank]);
        let refused = match seat.rank {
            Rank(1) => all.split(&own, soon()).err(),
            _ => all.split_into([own.as_slice(), &own], soon()).err(),
        };
        let refused = refused.unwrap();
        assert_eq!(refused.kind(), Kind::InvalidParam, "{refused}");
        let [one, other] = all.split_into([own.as_slice(), all.members()], soon()).unwrap();
        meet(&one.unwrap());
        meet(&other.unwrap());
    });
}

#[test]
fn thousands_of_groups_are_recreated_and_all_slots_usable() {
    let team = Team::on_one_host(2);
    // Of the first member's page, since other tests open descriptors meanwhile.
    let page = File::from(team.seats[0].registry.share_page(Rank(0)).unwrap()).metadata().unwrap().ino();
    let descriptors = || {
        let open = std::fs::read_dir("/proc/self/fd").unwrap();
        let open = open.filter_map(|entry| std::fs::metadata(entry.ok()?.path()).ok());
        open.filter(|file| file.ino() == page).count()
    };
    let store = Arc::clone(&team.seats[0].store);
    let keys = || store.list(".mf").unwrap().entries.len();
    let before = (descriptors(), keys());
    let alive = team.each(|seat| {
        let all = seat.group(&ranks(0..2));
        for round in 0..2 * SLOTS {
            let pair = all.split_strided(0, 1, 2, soon()).unwrap().unwrap();
            assert_eq!(pair.route(), "shared memory", "round {round}");
            pair.barrier(soon()).unwrap();
        }
        let groups: Vec<_> =
            (1..SLOTS).map(|_| all.split_strided(0, 1, 2, soon()).unwrap().unwrap()).collect();
        assert!(groups.iter().all(|group| group.route() == "shared memory"));
        assert_eq!(
            all.split_strided(0, 1, 2, soon()).unwrap().unwrap().route(),
            "store",
            "all slots are taken"
        );
        groups.iter().step_by(97).for_each(|group| gather(group, 1, 300));
        (all, groups)
    });
    assert_eq!((descriptors(), keys()), before);
    drop(alive);
}

#[test]
fn a_death_ends_waits_in_derived_groups_too() {
    let team = Team::on_one_host(3);
    let groups = team.each(|seat| seat.group(&ranks(0..3)).split(&ranks(0..3), soon()).unwrap().unwrap());
    std::thread::scope(|scope| {
        for (seat, group) in team.seats.iter().zip(&groups).take(2) {
            scope.spawn(move || {
                let error = group.barrier(soon()).unwrap_err();
                assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("2")));
                assert_eq!(group.members()[group.place()], seat.rank);
            });
        }
        team.seats.iter().take(2).for_each(|seat| seat.registry.record_loss(Rank(2)));
    });
}
