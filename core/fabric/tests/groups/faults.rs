// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Late, dead, leaving and confused members, and pages that are overwritten with garbage.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};
use rustix::mm::{MapFlags, ProtFlags};

use crate::team::{Team, gather, ranks, soon};

fn in_a_moment() -> Instant {
    Instant::now() + Duration::from_millis(50)
}

#[test]
fn late_member_is_named_with_its_last_position() {
    let team = Team::on_one_host(4);
    let members = ranks(0..4);
    let late = AtomicBool::new(false);
    let errors = team.each(|seat| {
        let group = seat.group(&members);
        for _ in 0..5 {
            group.barrier(soon()).unwrap();
        }
        if seat.rank == Rank(3) {
            while !late.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            return group.barrier(soon()).unwrap_err();
        }
        // One has a shorter timeout than the others: all fail with it.
        let deadline = if seat.rank == Rank(1) { in_a_moment() } else { soon() };
        let error = group.allgather(&[0; 8], &mut [0; 32], deadline).unwrap_err();
        late.store(true, Ordering::Release);
        let again = group.barrier(soon()).unwrap_err();
        assert_eq!(again.kind(), Kind::Timeout);
        assert!(again.to_string().contains("failed before"), "{again}");
        error
    });
    for error in &errors {
        assert_eq!(error.kind(), Kind::Timeout, "{error}");
        assert_eq!(error.fact("rank"), Some("3"), "{error}");
    }
    // The others may have checked after the late one had come.
    assert!(errors[1].to_string().contains("rank 3 last seen in round 5 (a barrier)"), "{}", errors[1]);
    for error in &errors[..3] {
        assert!(error.to_string().contains("rank 3 last seen in round"), "{error}");
    }
}

#[test]
fn unjoined_member_is_named() {
    let team = Team::on_one_host(3);
    let groups = team.groups();
    let error = groups[0].barrier(in_a_moment()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("rank 1 never seen") && text.contains("rank 2 never seen"), "{text}");
}

#[test]
fn rounds_succeed_or_fail_for_all_members() {
    let members = ranks(0..3);
    for attempt in 0..200u32 {
        let team = Team::on_one_host(3);
        let kinds = team.each(|seat| {
            let group = seat.group(&members);
            // The last one comes about when the timeout of the first passes.
            let deadline = match seat.rank {
                Rank(0) => Instant::now() + Duration::from_micros(u64::from(attempt)),
                Rank(1) => soon(),
                _ => {
                    (0..attempt % 40).for_each(|_| std::thread::yield_now());
                    soon()
                }
            };
            group.barrier(deadline).err().map(|error| error.kind())
        });
        assert!(kinds.iter().all(|kind| *kind == kinds[0]), "attempt {attempt}: {kinds:?}");
    }
}

#[test]
fn a_lost_member_ends_waits_at_once_and_for_all() {
    let team = Team::on_one_host(4);
    let groups = team.groups();
    let errors = std::thread::scope(|scope| {
        let waiting: Vec<_> = groups[..3].iter().map(|group| scope.spawn(|| group.barrier(soon()))).collect();
        // Only one process is notified; the others learn of it through the page.
        groups[1].mark_lost(Rank(3));
        waiting.into_iter().map(|thread| thread.join().unwrap().unwrap_err()).collect::<Vec<_>>()
    });
    for error in errors {
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
        assert_eq!(error.fact("rank"), Some("3"), "{error}");
    }
    let later = groups[0].barrier(soon()).unwrap_err();
    assert_eq!((later.kind(), later.fact("rank")), (Kind::NotConnected, Some("3")));
}

#[test]
fn waiters_are_notified_of_a_departed_member() {
    let team = Team::on_one_host(3);
    let mut groups = team.groups();
    let leaving = groups.pop().unwrap();
    std::thread::scope(|scope| {
        let waiting: Vec<_> = groups.iter().map(|group| scope.spawn(|| group.barrier(soon()))).collect();
        drop(leaving);
        for thread in waiting {
            let error = thread.join().unwrap().unwrap_err();
            assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("2")), "{error}");
        }
    });
}

#[test]
fn leaving_after_the_last_round_disturbs_no_member() {
    let team = Team::on_one_host(4);
    for round in 0..200 {
        let members = ranks(0..4);
        team.each(|seat| {
            let group = seat.group(&members);
            gather(&group, round, 64);
            group.barrier(soon()).unwrap();
        });
    }
}

#[test]
fn different_lengths_and_different_calls_fail_alike() {
    for world in [2, 3] {
        let team = Team::on_one_host(world);
        let groups = team.groups();
        let errors = team.each(|seat| {
            let bytes = if seat.rank == Rank(0) { 8 } else { 16 };
            let mut all = vec![0; bytes * world as usize];
            groups[seat.rank.index()].allgather(&vec![0; bytes], &mut all, soon()).unwrap_err()
        });
        assert!(errors.iter().all(|error| error.kind() == Kind::InvalidParam), "{errors:?}");
        let groups = team.groups();
        let errors = team.each(|seat| {
            let group = &groups[seat.rank.index()];
            if seat.rank == Rank(0) {
                group.barrier(soon()).unwrap_err()
            } else {
                group.allgather(&[], &mut [], soon()).unwrap_err()
            }
        });
        assert!(errors.iter().all(|error| error.kind() == Kind::InvalidParam), "{errors:?}");
    }
}

#[test]
fn corrupted_control_pages_break_only_their_group() {
    let team = Team::on_one_host(3);
    let groups = team.groups();
    let descriptor = team.seats[0].registry.share_page(Rank(0)).unwrap();
    const BYTES: usize = 64 << 10;
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a fresh mapping at an address of the kernel's choice.
    let page =
        unsafe { rustix::mm::mmap(std::ptr::null_mut(), BYTES, access, MapFlags::SHARED, descriptor, 0) };
    let page = page.unwrap().cast::<u64>();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (page, stop) = (page.expose_provenance(), &stop);
        let scribbler = scope.spawn(move || {
            let mut word = 0x9e37_79b9_7f4a_7c15u64;
            while !stop.load(Ordering::Relaxed) {
                for at in 0..BYTES / 8 {
                    word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let to = std::ptr::with_exposed_provenance_mut::<u64>(page + at * 8);
                    // SAFETY: inside the mapping, which outlives this thread.
                    unsafe { to.write_volatile(word) };
                }
            }
        });
        let threads: Vec<_> = groups
            .iter()
            .map(|group| {
                scope.spawn(move || {
                    let mut all = [0; 3 * 100];
                    while group.allgather(&[7; 100], &mut all, in_a_moment()).is_ok()
                        && group.barrier(in_a_moment()).is_ok()
                    {}
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        stop.store(true, Ordering::Relaxed);
        scribbler.join().unwrap();
    });
    assert!(groups.iter().all(|group| group.barrier(in_a_moment()).is_err()));
}
