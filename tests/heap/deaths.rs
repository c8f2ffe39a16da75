// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `kill -9` of a PE: the others are notified, and access to its memory never faults.

use std::time::Duration;

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::order::heap::{Collective, Heap, Part, Together};
use mf_tests::{Init, Job, Member, Order};

use super::pes::{
    MIB, all_do, begin, block, each, guest, heap, is_mapped, job, needs_mapped, pes, processes, together,
};

#[test]
fn pe_killed_in_a_collective_call_is_named_by_all_others() {
    for victim in 0..3usize {
        for call in [Heap::Malloc(64), Heap::Barrier, Heap::End] {
            // On two hosts a PE that left because of the death may be named, or the store died with PE 0.
            if !is_mapped() && matches!(call, Heap::End) {
                continue;
            }
            eprintln!("PE {victim} dies while the others are in {call:?}");
            let job = job(3);
            let mut members = pes(&job, 2 * MIB);
            let mut doomed = members.remove(victim);
            let has_ended = matches!(call, Heap::End);
            for member in &mut members {
                member.send(&heap(call.clone()));
                // At once, when other PEs may know more of the death than this one.
                member.send(&heap(Heap::Malloc(64)));
            }
            assert!(wait_until(|| members.iter().all(Member::sleeps)));
            doomed.kill();
            let named = format!("rank {victim}");
            for member in &mut members {
                member.answer().unwrap_err().expect(Kind::NotConnected, &[&named]);
            }
            for member in &mut members {
                let failure = member.answer().unwrap_err();
                if has_ended {
                    failure.expect(Kind::NotExist, &["no PE"]);
                } else {
                    failure.expect(Kind::NotConnected, &[&named]);
                }
            }
            job.finish(members);
        }
    }
}

#[test]
fn pe_killed_in_any_call_is_named_by_all_others() {
    let set = Part::Set(0, 0, 3);
    let only = |part, kind| Heap::Together(Together::Only(part, 0, kind));
    let calls = vec![
        Heap::Calloc(8, 8),
        Heap::Align(64, 64),
        Heap::Realloc(BLOCK, 64),
        Heap::Free(BLOCK),
        Heap::Sync,
        Heap::Split(0, 1, 3),
        only(Part::Team, Collective::Broadcast),
        only(Part::Team, Collective::LargeBroadcast),
        only(Part::Team, Collective::Collect),
        only(Part::Team, Collective::Fcollect),
        only(Part::Team, Collective::Alltoall),
        only(Part::Team, Collective::Alltoalls),
        only(Part::Team, Collective::Reduce),
        only(Part::Team, Collective::LargeReduce),
        only(Part::Team, Collective::Scan),
        only(set, Collective::Broadcast),
        only(set, Collective::Collect),
        only(set, Collective::Fcollect),
        only(set, Collective::Alltoall),
        only(set, Collective::Alltoalls),
        only(set, Collective::Reduce),
        only(set, Collective::Barrier),
    ];
    // Side by side: most of the time they wait.
    std::thread::scope(|scope| {
        for first in 0..4 {
            let calls = calls.iter().enumerate().skip(first).step_by(4);
            scope.spawn(move || calls.for_each(|(number, call)| killed_in(number, call)));
        }
    });
}

/// Start of the second block; the first is the areas of collective calls.
const BLOCK: u64 = 3 * MIB;

/// Kills the PE that broadcasts, or one of the three in turn; in the one family or the other.
fn killed_in(number: usize, call: &Heap) {
    let is_broadcast = matches!(
        call,
        Heap::Together(Together::Only(_, _, Collective::Broadcast | Collective::LargeBroadcast))
    );
    let victim = if is_broadcast { 0 } else { number % 3 };
    let job = job(3);
    let mut members = processes(&job, 3);
    if (number / 3).is_multiple_of(2) {
        begin(&job, &mut members, 4 * MIB);
    } else {
        let orders = (0..3).map(|rank| Heap::BeginInstance(job.init(rank), 3, 4 * MIB));
        all_do(&mut members, orders.collect::<Vec<_>>());
    }
    assert_eq!(
        (block(&mut members, &Heap::Calloc(1, BLOCK)), block(&mut members, &Heap::Malloc(8))),
        (0, BLOCK)
    );
    let mut doomed = members.remove(victim);
    for member in &mut members {
        member.send(&heap(call.clone()));
        member.send(&heap(Heap::Barrier));
    }
    assert!(wait_until(|| members.iter().all(Member::sleeps)));
    doomed.kill();
    for member in &mut members {
        for _ in 0..2 {
            let failure = member.answer().unwrap_err();
            assert!(failure.code == Kind::NotConnected.code(), "{call:?}: {}", failure.text);
            assert!(failure.text.contains(&format!("rank {victim}")), "{call:?}: {}", failure.text);
        }
    }
    job.finish(members);
}

#[test]
fn pe_killed_holding_a_lock_is_named_by_its_waiters() {
    for victim in 0..3usize {
        let job = job(3);
        let mut members = pes(&job, 2 * MIB);
        let lock = block(&mut members, &Heap::Calloc(1, 8));
        let mut doomed = members.remove(victim);
        doomed.ok(&heap(Heap::Together(Together::Lock(lock))));
        members[0].send(&heap(Heap::Together(Together::Lock(lock))));
        assert!(wait_until(|| members[0].sleeps()));
        doomed.kill();
        members[0].answer().unwrap_err().expect(Kind::NotConnected, &[&format!("rank {victim}")]);
        // It comes behind one that has given up, or behind a dead one.
        members[1].refused(&heap(Heap::Together(Together::Lock(lock)))).expect(Kind::NotConnected, &[]);
        job.finish(members);
    }
}

#[test]
fn pe_killed_during_init_is_named_at_once() {
    let job = job(3);
    let mut members = processes(&job, 3);
    for (rank, member) in (0..).zip(&mut members[..2]) {
        member.send(&heap(Heap::Begin(job.init(rank), Some(2 * MIB))));
    }
    let store = guest(&job);
    assert!(wait_until(|| store.view().unwrap().members.len() == 2), "both are in the store");
    store.close();
    members[1].kill();
    let failure = members[0].answer().unwrap_err();
    failure.expect(Kind::NotConnected, &["rank 1", "its process has ended"]);
    // Another one comes in its place.
    members[1] = job.process_of(1, "PE 1, again");
    begin(&job, &mut members, 2 * MIB);
    each(&mut members, &Heap::End);
    job.finish(members);
}

#[test]
fn memory_of_a_killed_pe_stays_mapped() {
    if !needs_mapped("memory_of_a_killed_pe_stays_mapped") {
        return;
    }
    let job = job(2);
    let mut members = pes(&job, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    members[1].ok(&heap(Heap::Put(place, 5000, 3, 1)));
    let mut doomed = members.pop().unwrap();
    members[0].send(&heap(Heap::KeepPutting(place + 5000, 50_000, 1, 20_000)));
    doomed.kill();
    members[0].answer().unwrap();
    members[0].ok(&heap(Heap::Check(place, 5000, 3, 1)));
    members[0].ok(&heap(Heap::Check(place + 5000, 50_000, 1, 1)));
    members[0].refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 1"]);
    job.finish(members);
}

#[test]
fn access_to_a_killed_remote_pe_fails() {
    let mut job = job(2);
    job.set("MF_SHM", "false");
    let mut members = pes(&job, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    each(&mut members, &Heap::Put(place, 5000, 3, 1));
    let mut doomed = members.pop().unwrap();
    members[0].send(&heap(Heap::KeepPutting(place, 50_000, 1, u32::MAX)));
    doomed.kill();
    members[0].answer().unwrap_err().expect(Kind::NotConnected, &[]);
    members[0].refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 1"]);
    job.finish(members);
}

#[test]
fn memory_of_a_departed_pe_stays_mapped() {
    if !needs_mapped("memory_of_a_departed_pe_stays_mapped") {
        return;
    }
    let job = job(3);
    let mut members = pes(&job, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    members[0].ok(&heap(Heap::Put(place, 5000, 3, 2)));
    members[2].ok(&heap(Heap::Abandon));
    members[1].refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 2"]);
    for member in &mut members[..2] {
        member.ok(&heap(Heap::Check(place, 5000, 3, 2)));
        member.ok(&heap(Heap::KeepPutting(place + 5000, 50_000, 2, 10)));
        member.ok(&heap(Heap::Pointer(place + 64_000, 2)));
    }
    job.finish(members);
}

#[test]
fn survivors_reinitialise_with_a_new_pe() {
    // A PE on another host that waits for messages of PE 0 learns of its death by its timeout: the store died
    // with it.
    let victims: &[usize] = if is_mapped() { &[1, 0] } else { &[1] };
    for victim in victims.iter().copied() {
        let job = job(3);
        let mut members = pes(&job, 2 * MIB);
        members[victim].kill();
        members[victim] = job.process_of(u32::try_from(victim).unwrap(), "PE again");
        for (pe, member) in members.iter_mut().enumerate() {
            if pe != victim {
                let failure = member.refused(&heap(Heap::End));
                failure.expect(Kind::NotConnected, &[]);
                // On another host, before the store has noticed the death: a PE that left because of it.
                let gone = if is_mapped() { vec![victim] } else { vec![victim, 0] };
                let is_named = gone.iter().any(|gone| failure.text.contains(&format!("rank {gone}")));
                assert!(is_named, "{}", failure.text);
            }
        }
        begin(&job, &mut members, 2 * MIB);
        let place = block(&mut members, &Heap::Malloc(64));
        each(&mut members, &Heap::Put(place, 64, 8, 0));
        each(&mut members, &Heap::Barrier);
        each(&mut members, &Heap::Check(place, 64, 8, 0));
        each(&mut members, &Heap::End);
        job.finish(members);
    }
}

/// Waits are short, so that a PE that dies before it has come to anything costs little.
fn hasty(job: &Job, rank: u32) -> Init {
    Init { create_ms: 4000, control_ms: 4000, ..job.init(rank) }
}

#[test]
fn pe_killed_at_any_moment_is_named_and_leaves_nothing_behind() {
    // Side by side: most of the time they wait.
    std::thread::scope(|scope| {
        for first in 0..4 {
            scope.spawn(move || (first..12).step_by(4).for_each(killed_at));
        }
    });
}

/// True if a text names a rank, by itself or among others: "rank 2", "ranks 0-1", "ranks 0, 2".
fn names(text: &str, rank: usize) -> bool {
    text.split("rank").skip(1).any(|rest| {
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let end = rest.find(|character: char| !"0123456789-, ".contains(character)).unwrap_or(rest.len());
        rest[..end].split(',').any(|part| {
            let (first, last) = part.trim().split_once('-').unwrap_or((part.trim(), part.trim()));
            let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse()) else { return false };
            (first..=last).contains(&rank)
        })
    })
}

/// Another moment of begin, of calls on the heap and of the end in each round.
fn killed_at(round: u32) {
    let work =
        [Heap::Malloc(64), Heap::Malloc(5000), Heap::Free(0), Heap::Barrier, Heap::Malloc(64), Heap::End];
    let (victim, moment) = (1 + round as usize % 2, Duration::from_micros(300 + 2000 * u64::from(round)));
    let job = job(3);
    let mut members = processes(&job, 3);
    for (rank, member) in (0..).zip(&mut members) {
        let init = hasty(&job, rank);
        // In the one family or the other.
        let begin = match round % 4 < 2 {
            true => Heap::Begin(init, Some(2 * MIB)),
            false => Heap::BeginInstance(init, 0, 2 * MIB),
        };
        member.send(&heap(begin));
        work.iter().for_each(|order| member.send(&heap(order.clone())));
    }
    std::thread::sleep(moment);
    let mut doomed = members.remove(victim);
    doomed.kill();
    for member in &mut members {
        let answers: Vec<_> = (0..=work.len()).map(|_| member.answer()).collect();
        if let Some(failure) = answers.into_iter().find_map(Result::err) {
            eprintln!("rank {victim} died after {moment:?}: {}", failure.text);
            let kinds = [Kind::NotConnected, Kind::Timeout];
            assert!(kinds.iter().any(|kind| kind.code() == failure.code), "{}", failure.text);
            // Or a survivor that had noticed before, and gave up; on another host it may come to be known
            // first.
            let gone = if is_mapped() { vec![victim] } else { vec![victim, 0, 3 - victim] };
            let named = gone.into_iter().any(|gone| names(&failure.text, gone));
            assert!(named || failure.text.contains("it has destroyed the object"), "{}", failure.text);
        }
    }
    job.finish(members);
}

#[test]
fn pe_without_addresses_or_descriptors_fails_init_on_all_pes() {
    if !needs_mapped("pe_without_addresses_or_descriptors_fails_init_on_all_pes") {
        return;
    }
    let job = job(3);
    let mut members = processes(&job, 3);
    let begin = |members: &mut [Member], bytes: u64| {
        let orders: Vec<Heap> = (0..3).map(|rank| Heap::Begin(hasty(&job, rank), Some(bytes))).collect();
        together(members, orders)
    };
    members[1].ok(&Order::LimitAddressSpace(Some(1 << 30)));
    let mut failures: Vec<_> = begin(&mut members, 4 << 30).into_iter().map(Result::unwrap_err).collect();
    failures.remove(1).expect(Kind::OutOfMemory, &["RLIMIT_AS"]);
    for failure in failures {
        assert!(failure.text.contains("rank 1"), "{}", failure.text);
    }
    members[1].ok(&Order::LimitAddressSpace(None));
    for spare in [2, 12, 20] {
        members[1].ok(&Order::LimitDescriptors(Some(spare)));
        let results = begin(&mut members, 2 * MIB);
        let failed: Vec<bool> = results.iter().map(Result::is_err).collect();
        assert!(failed == [false; 3] || failed == [true; 3], "with {spare}: {results:?}");
        members[1].ok(&Order::LimitDescriptors(None));
        if failed[0] {
            for (rank, failure) in results.into_iter().map(Result::unwrap_err).enumerate() {
                eprintln!("rank {rank}, {spare} descriptors left to rank 1: {}", failure.text);
                assert!(rank == 1 || failure.text.contains("rank 1"), "{}", failure.text);
            }
        } else {
            each(&mut members, &Heap::End);
        }
    }
    begin(&mut members, 2 * MIB).into_iter().for_each(|answer| drop(answer.unwrap()));
    each(&mut members, &Heap::Barrier);
    each(&mut members, &Heap::End);
    job.finish(members);
}
