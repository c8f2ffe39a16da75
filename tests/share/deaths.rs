// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `kill -9` of a rank at any step, and a rank that goes in order: the others are notified, are not held up,
//! and go on.

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::order::share::Share;
use mf_tests::{Init, Member};

use super::ranks::{all_reach_all, create, each, job, object, processes, ranks, share, together};

/// The victim is each of three ranks of a separate job, including rank 0 (the store's host).
fn for_each_victim(test: impl Fn(u32) + Sync) {
    // In parallel, as survivors spend most of the time waiting for the dead rank.
    std::thread::scope(|scope| {
        for victim in 0..3 {
            let test = &test;
            let name = format!("rank {victim} dies");
            std::thread::Builder::new().name(name).spawn_scoped(scope, move || test(victim)).unwrap();
        }
    });
}

/// An object of the survivors, with the next id.
#[track_caller]
fn go_on(others: &mut [Member]) {
    each(others, &Share::Destroy(0));
    create(others, 0);
    all_reach_all(others, 0);
}

#[test]
fn rank_killed_in_a_barrier_fails_the_others_which_go_on() {
    for_each_victim(|victim| {
        let job = job(3);
        let mut members = ranks(&job, 3);
        create(&mut members, 0);
        members[victim as usize].send(&share(Share::SubBarrier(0, "k".to_owned(), 2, 0)));
        let mut doomed = members.remove(victim as usize);
        for member in &mut members {
            member.send(&share(Share::Barrier(0)));
        }
        assert!(wait_until(|| members.iter().all(Member::sleeps)));
        doomed.kill();
        for member in &mut members {
            member.answer().unwrap_err().expect(Kind::NotConnected, &[&format!("rank {victim}")]);
            // At once, every time.
            member.ok(&share(Share::AwaitGone(0, victim)));
            let failure = member.refused(&share(Share::Barrier(0)));
            failure.expect(Kind::NotConnected, &[&format!("rank {victim}"), "ended"]);
        }
        // Survivors may meet among themselves, and copy.
        let orders = (0..2).map(|rank| Share::SubAllgather(0, "left".to_owned(), 2, rank, 99, 1));
        for answer in together(&mut members, orders) {
            answer.unwrap();
        }
        go_on(&mut members);
        job.finish(members);
    });
}

#[test]
fn rank_killed_during_create_is_named_and_create_can_be_retried() {
    for_each_victim(|victim| {
        let job = job(3);
        let inits = (0..3).map(|rank| Init { create_ms: 6000, ..job.init(rank) });
        let mut members = processes(&job, inits);
        let mut doomed = members.remove(victim as usize);
        // It and one of the others wait for the third.
        doomed.send(&share(Share::Create(object(0, 3, victim))));
        assert!(wait_until(|| doomed.sleeps()));
        doomed.kill();
        let places: Vec<u32> = (0..3).filter(|rank| *rank != victim).collect();
        let orders = places.iter().map(|place| Share::Create(object(0, 3, *place)));
        for answer in together(&mut members, orders) {
            let failure = answer.unwrap_err();
            failure.expect(Kind::Timeout, &[]);
            // The store may have noticed the death before the others came, or not yet, or between the two:
            // then the first to come misses the other one, too, and reads which of them is dead.
            let texts = [
                format!("missing_ranks {victim}"),
                format!("missing: rank {victim}"),
                format!("not connected to the store: rank {victim}"),
            ];
            assert!(texts.iter().any(|text| failure.text.contains(text)), "{}", failure.text);
        }
        create(&mut members, 0);
        all_reach_all(&mut members, 0);
        job.finish(members);
    });
}

#[test]
fn destroyed_object_of_a_rank_is_not_waited_for() {
    let job = job(3);
    let mut members = ranks(&job, 3);
    create(&mut members, 0);
    for member in &mut members[..2] {
        member.send(&share(Share::Barrier(0)));
    }
    assert!(wait_until(|| members[..2].iter().all(Member::sleeps)));
    members[2].ok(&share(Share::Destroy(0)));
    for member in &mut members[..2] {
        member.answer().unwrap_err().expect(Kind::NotConnected, &["rank 2"]);
        let failure = member.refused(&share(Share::Barrier(0)));
        failure.expect(Kind::NotConnected, &["rank 2", "destroyed"]);
        member.ok(&share(Share::Put(0, 0, 0, 100, 1)));
    }
    each(&mut members[..2], &Share::Destroy(0));
    create(&mut members, 0);
    all_reach_all(&mut members, 0);
    job.finish(members);
}

#[test]
fn stopped_rank_blocks_others_only_until_the_timeout() {
    let job = job(2);
    let inits = (0..2).map(|rank| Init { control_ms: 1500, ..job.init(rank) });
    let mut members = processes(&job, inits);
    create(&mut members, 0);
    members[1].stop();
    members[0].refused(&share(Share::Barrier(0))).expect(Kind::Timeout, &["rank 1"]);
    members[1].resume();
    // On one host the late rank fails too; between hosts its call may pass, and then the next one fails.
    if let Ok(late) = members[1].order(&share(Share::Barrier(0))) {
        assert!(!mf_tests::shares_memory(), "{late:?}");
        members[1].refused(&share(Share::Barrier(0))).expect(Kind::Timeout, &[]);
    }
    each(&mut members, &Share::Barrier(0));
    job.finish(members);
}
