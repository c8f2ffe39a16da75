// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Successful operations on one host.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mf_base::{Kind, Rank};

use crate::team::{Team, gather, ranks, soon};

#[test]
fn no_member_leaves_a_barrier_before_all_arrive() {
    for world in [1, 2, 4, 8] {
        let team = Team::on_one_host(world);
        let members = ranks(0..world);
        let came = AtomicUsize::new(0);
        let rounds = if world > 2 { 2_000 } else { 10_000 };
        team.each(|seat| {
            let group = seat.group(&members);
            assert_eq!(group.route(), "shared memory");
            for round in 1..=rounds {
                came.fetch_add(1, Ordering::Relaxed);
                group.barrier(soon()).unwrap();
                assert!(came.load(Ordering::Relaxed) >= round * world as usize, "round {round}");
            }
        });
    }
}

#[test]
fn allgather_returns_bytes_in_list_order() {
    let team = Team::on_one_host(4);
    let members = ranks([2, 0, 3, 1]);
    team.each(|seat| {
        let group = seat.group(&members);
        assert_eq!(group.members()[group.place()], seat.rank);
        for (round, bytes) in
            [0, 1, 7, 8, 64, 111, 112, 113, 4096, 65_535, 65_536, 65_537, 200_000, 64].into_iter().enumerate()
        {
            gather(&group, round, bytes);
            group.barrier(soon()).unwrap();
        }
        for round in 0..500 {
            gather(&group, round, 64 + round);
        }
    });
}

#[test]
fn overlapping_groups_work_at_the_same_time() {
    let team = Team::on_one_host(5);
    let lists = [ranks([0, 1, 2]), ranks([1, 2, 3, 4]), ranks([4, 0]), ranks([0, 1, 2, 3, 4]), ranks([3])];
    team.each(|seat| {
        std::thread::scope(|scope| {
            for list in lists.iter().filter(|list| list.contains(&seat.rank)) {
                scope.spawn(move || {
                    let group = seat.group(list);
                    for round in 0..300 {
                        group.barrier(soon()).unwrap();
                        gather(&group, round, 8 + list.len());
                    }
                });
            }
        });
    });
}

#[test]
fn successive_groups_of_the_same_members_do_not_mix() {
    let team = Team::on_one_host(3);
    team.each(|seat| {
        for round in 0..100 {
            let group = seat.group(&ranks(0..3));
            gather(&group, round, 100);
        }
    });
}

#[test]
fn bad_lists_are_refused() {
    let team = Team::on_one_host(2);
    let seat = &team.seats[0];
    for list in [vec![Rank(1)], vec![Rank(0), Rank(0)], Vec::new()] {
        assert_eq!(seat.try_group(&list, soon()).err().unwrap().kind(), Kind::InvalidParam);
    }
    let refused = team.each(|seat| {
        let list = if seat.rank == Rank(0) { ranks([0, 1]) } else { ranks([1, 0]) };
        seat.try_group(&list, soon()).err().unwrap()
    });
    assert!(refused.iter().all(|error| error.kind() == Kind::InvalidParam), "{refused:?}");
}

#[test]
fn a_second_thread_is_refused_and_a_bad_buffer_changes_nothing() {
    let team = Team::on_one_host(2);
    let groups = team.groups();
    let (sender, results) = std::sync::mpsc::channel();
    for _ in 0..2 {
        let (group, sender) = (Arc::clone(&groups[0]), sender.clone());
        std::thread::spawn(move || sender.send(group.barrier(soon())).unwrap());
    }
    // One waits for the other member, so the other one ends first.
    let refused = results.recv().unwrap().unwrap_err();
    assert_eq!(refused.kind(), Kind::RepeatInvoke, "{refused}");
    let bad = groups[1].allgather(&[1; 8], &mut [0; 15], soon()).unwrap_err();
    assert_eq!(bad.kind(), Kind::InvalidParam);
    groups[1].barrier(soon()).unwrap();
    results.recv().unwrap().unwrap();
}
