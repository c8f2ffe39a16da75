// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of teams and active sets, and locks.

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::order::heap::{Heap, Part, Together};
use mf_tests::{Answer, Member};

use super::pes::{MIB, all_do, block, each, everywhere, heap, job, numbers, pes, refused};

/// Room for the calls: source, destination, two arrays.
fn room(pes: &mut [Member]) -> u64 {
    block(pes, &Heap::Calloc(2 * MIB + 4096, 1))
}

fn calls(part: Part, at: u64, seed: u64, steps: u32) -> Heap {
    Heap::Together(Together::Calls(part, at, seed, steps))
}

#[test]
fn collectives_distribute_and_reduce_elements_of_all_pes() {
    everywhere(|_, pes, _| {
        let at = room(pes);
        let n_pes = numbers(pes).end;
        each(pes, &calls(Part::Team, at, 1, 60));
        each(pes, &calls(Part::Set(0, 0, n_pes), at, 2, 60));
    });
}

#[test]
fn overlapping_active_sets_share_one_sync_array() {
    let job = job(4);
    let mut pes = pes(&job, 4 * MIB);
    let at = room(&mut pes);
    let mut some = |members: &[usize], part: Part, seed: u64| {
        for member in members {
            pes[*member].send(&heap(calls(part, at, seed, 10)));
        }
        members.iter().for_each(|member| drop(pes[*member].answer().unwrap()));
    };
    for round in 0..3 {
        some(&[1, 3], Part::Set(1, 1, 2), 10 + round);
        some(&[0, 1, 2], Part::Set(0, 0, 3), 20 + round);
        some(&[0, 2], Part::Set(0, 1, 2), 30 + round);
        some(&[3], Part::Set(3, 5, 1), 40 + round);
    }
    each(&mut pes, &Heap::End);
    job.finish(pes);
}

#[test]
fn wrong_arguments_of_collective_calls_are_refused() {
    let job = job(2);
    let mut pes = pes(&job, 4 * MIB);
    let at = room(&mut pes);
    let broadcast = |part, at, bytes, root| heap(Heap::Together(Together::Broadcast(part, at, bytes, root)));
    for (order, text) in [
        (broadcast(Part::Set(0, 0, 3), at, 8, 0), "do not exist"),
        (broadcast(Part::Set(0, 32, 1), at, 8, 0), "invalid active set"),
        (broadcast(Part::Set(0, 31, 2), at, 8, 0), "do not exist"),
        (broadcast(Part::Set(0, 0, 2), at + 4, 8, 0), "not aligned"),
        // It is alone with this one, which the others learn in their next call and go on.
        (heap(Heap::Together(Together::Overlap(at))), "overlap"),
    ] {
        pes[0].refused(&order).expect(Kind::InvalidParam, &[text]);
    }
    each(&mut pes, &Heap::Together(Together::Sum(Part::Team, at, 3)));
    for (order, text) in [
        (Together::Broadcast(Part::Team, at, 8, 2), "no such PE"),
        (Together::Broadcast(Part::Team, at, 8, -1), "no such PE"),
        (Together::Broadcast(Part::Team, 4 * MIB, 8, 0), "not in the symmetric memory"),
        (Together::Broadcast(Part::Team, at, 5 << 20, 0), "not in the symmetric memory"),
        (Together::Overlap(at), "overlap"),
    ] {
        for failure in refused(&mut pes, [Heap::Together(order), Heap::Together(order)]) {
            failure.expect(Kind::InvalidParam, &[text]);
        }
    }
    each(&mut pes, &calls(Part::Team, at, 3, 2));
    job.finish(pes);
    let alone = super::pes::job(1);
    let mut one = super::pes::pes(&alone, 4 * MIB);
    let at = room(&mut one);
    for _ in 0..20 {
        let Answer::Number(done) = one[0].ok(&heap(Heap::Together(Together::Twice(at)))) else { panic!() };
        assert!((1..=2).contains(&done));
    }
    alone.finish(one);
}

/// Three PEs, of which PE 1 makes another call than the others, or refuses its arguments.
#[test]
fn mismatched_or_refused_calls_are_named_and_the_team_goes_on() {
    let broadcast = |at, bytes, root| Together::Broadcast(Part::Team, at, bytes, root);
    let sum = |part, at, count| Together::Sum(part, at, count);
    for is_mapped in [true, false] {
        let mut job = job(3);
        if !is_mapped {
            job.set("MF_SHM", "false");
        }
        let is_mapped = is_mapped && super::pes::is_mapped();
        let mut pes = pes(&job, 4 * MIB);
        let at = room(&mut pes);
        let bad = 4 * MIB;
        each(&mut pes, &Heap::Together(broadcast(at, 8, 2)));
        // Call of the others, call of PE 1, PEs that notice it with mapped memory, and the reason.
        let (other, refusal) = ("different calls", "has refused");
        for (call, of_1, named, text) in [
            (broadcast(at, 8, 1), broadcast(bad, 8, 1), [true, true], refusal),
            (broadcast(at, 8, 1), broadcast(at, 8, 7), [true, true], refusal),
            (broadcast(at, 8, 0), broadcast(bad, 8, 0), [false, false], refusal),
            (broadcast(at, 100_000, 0), broadcast(bad, 100_000, 0), [true, false], refusal),
            (broadcast(at, 8, 0), broadcast(at, 16, 0), [false, false], other),
            (broadcast(at, 8, 1), broadcast(at, 5000, 1), [true, true], other),
            (broadcast(at, 5000, 1), broadcast(at, 5000, 0), [true, true], other),
            (broadcast(at, 5000, 0), broadcast(at, 6000, 0), [true, false], other),
            (broadcast(at, 70_000, 0), broadcast(at, 8, 2), [true, false], other),
            (sum(Part::Team, at, 3), sum(Part::Team, bad, 3), [true, true], refusal),
            (sum(Part::Team, at, 3), sum(Part::Team, at, usize::MAX / 2), [true, true], refusal),
            (sum(Part::Team, at, 3), sum(Part::Team, at, 4), [true, true], other),
            (sum(Part::Team, at, 4), sum(Part::Team, at, 9000), [true, true], other),
            (sum(Part::Team, at, 20_000), sum(Part::Team, at, 9000), [true, true], other),
        ] {
            eprintln!("mapped: {is_mapped}, {call:?} and {of_1:?}");
            let orders = [call, of_1, call].map(Heap::Together);
            let answers = super::pes::together(&mut pes, orders);
            answers[1].as_ref().unwrap_err();
            for (answer, is_named) in [&answers[0], &answers[2]].into_iter().zip(named) {
                match answer {
                    Ok(_) => assert!(is_mapped && !is_named, "{answer:?}"),
                    Err(failure) => failure.expect(Kind::InvalidParam, &[text, "pe 1"]),
                }
            }
            each(&mut pes, &Heap::Together(broadcast(at, 8, 1)));
            each(&mut pes, &Heap::Together(broadcast(at, 9000, 2)));
            each(&mut pes, &Heap::Together(sum(Part::Team, at, 3)));
        }
        each(&mut pes, &calls(Part::Team, at, 9, 10));
        let set = Part::Set(0, 0, 3);
        let orders = [sum(set, at, 3), sum(set, at, usize::MAX / 2), sum(set, at, 3)].map(Heap::Together);
        for (pe, failure) in refused(&mut pes, orders).into_iter().enumerate() {
            let parts: &[&str] = if pe == 1 { &["too large"] } else { &[refusal, "pe 1"] };
            failure.expect(Kind::InvalidParam, parts);
        }
        each(&mut pes, &Heap::End);
        job.finish(pes);
    }
}

#[test]
fn pe_killed_in_a_collective_is_named_by_all_others() {
    let at = 0;
    for call in [
        calls(Part::Team, at, 5, 1),
        calls(Part::Set(0, 0, 3), at, 5, 1),
        Heap::Together(Together::Broadcast(Part::Team, at, 100_000, 1)),
        Heap::Together(Together::Broadcast(Part::Set(0, 0, 3), at, 8, 1)),
    ] {
        eprintln!("PE 1 dies while the others are in {call:?}");
        let job = job(3);
        let mut members = pes(&job, 4 * MIB);
        assert_eq!(room(&mut members), at);
        let mut doomed = members.remove(1);
        for member in &mut members {
            member.send(&heap(call.clone()));
        }
        assert!(wait_until(|| members.iter().all(Member::sleeps)));
        doomed.kill();
        for member in &mut members {
            member.answer().unwrap_err().expect(Kind::NotConnected, &["rank 1"]);
        }
        job.finish(members);
    }
}

#[test]
fn one_pe_at_a_time_holds_a_lock() {
    everywhere(|_, pes, _| {
        let at = block(pes, &Heap::Calloc(5, 8));
        let count = pes.len() as u64;
        // The homes of locks behind each other are different PEs.
        for lock in 0..4 {
            each(pes, &Heap::Together(Together::LockedAdds(at + 8 * lock, at + 32, 25)));
            each(pes, &Heap::Barrier);
            let found = pes[0].ok(&heap(Heap::CheckOwnWord(at + 32)));
            assert_eq!(found, Answer::Number(25 * count * (lock + 1)));
        }
    });
}

#[test]
fn invalid_lock_calls_are_refused() {
    let job = job(2);
    let mut pes = pes(&job, 4 * MIB);
    let at = block(&mut pes, &Heap::Calloc(2, 8));
    let order = |order| heap(Heap::Together(order));
    pes[0].refused(&order(Together::Unlock(at))).expect(Kind::InvalidParam, &["does not hold"]);
    pes[0].ok(&order(Together::Lock(at)));
    pes[0].refused(&order(Together::Lock(at))).expect(Kind::InvalidParam, &["holds the lock already"]);
    pes[1].refused(&order(Together::Unlock(at))).expect(Kind::InvalidParam, &["does not hold"]);
    assert_eq!(pes[1].ok(&order(Together::TryLock(at))), Answer::Number(0));
    pes[0].ok(&order(Together::Unlock(at)));
    assert_eq!(pes[1].ok(&order(Together::TryLock(at))), Answer::Number(1));
    pes[0].refused(&order(Together::Lock(at + 4))).expect(Kind::InvalidParam, &["not aligned"]);
    pes[0].refused(&order(Together::Lock(4 * MIB))).expect(Kind::InvalidParam, &["symmetric"]);
    pes[1].ok(&order(Together::Unlock(at)));
    all_do(&mut pes, [Heap::End, Heap::End]);
    job.finish(pes);
}

#[test]
fn collective_fails_when_a_pe_is_killed() {
    let job = job(3);
    let mut members = pes(&job, 4 * MIB);
    let at = block(&mut members, &Heap::Calloc(8, 8));
    let lock = heap(Heap::Together(Together::Lock(at)));
    members[1].ok(&lock);
    let mut doomed = members.remove(1);
    for member in &mut members {
        member.send(&lock);
        assert!(wait_until(|| member.sleeps()));
    }
    doomed.kill();
    members[0].answer().unwrap_err().expect(Kind::NotConnected, &["rank 1"]);
    // It finds the lock broken, or cannot reach the PE before it, which is on another host.
    let failure = members[1].answer().unwrap_err();
    failure.expect(Kind::NotConnected, &[]);
    assert!(["lock is lost", "rank 1"].iter().any(|part| failure.text.contains(part)), "{}", failure.text);
    job.finish(members);
}
