// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups over several hosts: members that map only the pages of their own host, and a wire between the
//! leaders.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};

use crate::team::{Team, gather, ranks, soon};

const HOSTS: [&[u32]; 5] =
    [&[0, 1], &[0, 0, 1], &[0, 1, 0, 1, 2], &[0, 0, 0, 1, 1, 1, 2, 3], &[0, 1, 2, 3, 4, 5, 6]];

#[test]
fn barriers_wait_for_members_of_every_host() {
    for host_of in HOSTS {
        let team = Team::on_hosts(host_of, true);
        let members = ranks(0..u32::try_from(host_of.len()).unwrap());
        let came = AtomicUsize::new(0);
        team.each(|seat| {
            let group = seat.group(&members);
            assert_eq!(group.route(), "wire");
            for round in 1..=300 {
                came.fetch_add(1, Ordering::Relaxed);
                group.barrier(soon()).unwrap();
                assert!(came.load(Ordering::Relaxed) >= round * members.len(), "{host_of:?}");
            }
        });
    }
}

#[test]
fn allgathers_cross_hosts_whatever_their_size() {
    for host_of in HOSTS {
        let team = Team::on_hosts(host_of, true);
        let count = u32::try_from(host_of.len()).unwrap();
        let members = ranks((0..count).rev());
        team.each(|seat| {
            let group = seat.group(&members);
            for (round, bytes) in [0, 1, 64, 16_384, 65_536, 150_001, 8].into_iter().enumerate() {
                gather(&group, round, bytes);
                group.barrier(soon()).unwrap();
            }
        });
    }
}

#[test]
fn group_falls_back_to_the_store_without_a_wire() {
    let team = Team::on_hosts(&[0, 0, 1], false);
    let members = ranks(0..3);
    team.each(|seat| {
        let group = seat.group(&members);
        assert_eq!(group.route(), "store");
        for (round, bytes) in [0, 8, 70_000].into_iter().enumerate() {
            gather(&group, round, bytes);
            group.barrier(soon()).unwrap();
        }
    });
}

#[test]
fn compare_gives_all_members_the_same_result() {
    for (host_of, has_wire) in [([0, 0, 0], false), ([0, 0, 1], true), ([0, 0, 1], false)] {
        let team = Team::on_hosts(&host_of, has_wire);
        let members = ranks(0..3);
        team.each(|seat| {
            let group = seat.group(&members);
            for round in 0..40u32 {
                // In three rounds of four another member differs from the others.
                let is_odd = round % 4 == seat.rank.0;
                let number = u64::from(round) << 32 | u64::from(is_odd);
                assert_eq!(group.compare(number, soon()).unwrap(), round % 4 == 3, "{host_of:?} {round}");
            }
            if host_of == [0, 0, 0] {
                let met = match seat.rank {
                    Rank(1) => group.barrier(soon()),
                    _ => group.compare(0, soon()).map(drop),
                };
                assert_eq!(met.unwrap_err().kind(), Kind::InvalidParam);
            }
        });
    }
}

#[test]
fn late_member_fails_all_waiting_members() {
    let team = Team::on_hosts(&[0, 0, 1, 1, 2], true);
    let members = ranks(0..5);
    let errors = team.each(|seat| {
        let group = seat.group(&members);
        group.barrier(soon()).unwrap();
        if seat.rank == Rank(3) {
            return None;
        }
        let deadline = if seat.rank == Rank(0) { Instant::now() + Duration::from_millis(50) } else { soon() };
        Some((group.barrier(deadline).unwrap_err(), group))
    });
    for error in errors.iter().flatten().map(|(error, _)| error) {
        assert!(matches!(error.kind(), Kind::Timeout | Kind::NotConnected), "{error}");
    }
}

#[test]
fn early_deadline_names_the_missing_member_of_another_host() {
    let team = Team::on_hosts(&[0, 0, 1], true);
    let groups = team.groups();
    let errors = team.each(|seat| {
        let group = &groups[seat.rank.index()];
        group.barrier(soon()).unwrap();
        let wait = [150, 50, 0][seat.rank.index()];
        let deadline = Instant::now() + Duration::from_millis(wait);
        (seat.rank != Rank(2)).then(|| group.barrier(deadline).unwrap_err())
    });
    for error in errors.iter().flatten() {
        assert_eq!((error.kind(), error.fact("rank")), (Kind::Timeout, Some("2")), "{error}");
    }
}

#[test]
fn a_lost_host_ends_waits_at_once() {
    // Also of a leader, or of another member, with missing members on its own host.
    for come in [0..3, 0..1, 1..2] {
        let team = Team::on_hosts(&[0, 0, 1, 2], true);
        let groups = team.groups();
        std::thread::scope(|scope| {
            let waiting: Vec<_> =
                groups[come].iter().map(|group| scope.spawn(|| group.barrier(soon()))).collect();
            groups[..3].iter().for_each(|group| group.mark_lost(Rank(3)));
            for thread in waiting {
                let error = thread.join().unwrap().unwrap_err();
                assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("3")), "{error}");
            }
        });
    }
}

#[test]
fn a_cut_wire_fails_the_group() {
    let team = Team::on_hosts(&[0, 0, 1], true);
    let groups = team.groups();
    team.net.cut(Rank(2));
    let results = team.each(|seat| {
        let deadline = Instant::now() + Duration::from_millis(200);
        groups[seat.rank.index()].barrier(deadline).unwrap_err().kind()
    });
    assert!(results.iter().all(|kind| matches!(kind, Kind::NotConnected | Kind::Timeout)), "{results:?}");
}

#[test]
fn different_lengths_on_two_hosts_are_seen_on_both() {
    let team = Team::on_hosts(&[0, 0, 1, 1], true);
    let groups = team.groups();
    let errors = team.each(|seat| {
        let bytes = if seat.rank.0 < 2 { 8 } else { 16 };
        let mut all = vec![0; bytes * 4];
        groups[seat.rank.index()].allgather(&vec![0; bytes], &mut all, soon()).unwrap_err()
    });
    assert!(errors.iter().all(|error| error.kind() == Kind::InvalidParam), "{errors:?}");
}
