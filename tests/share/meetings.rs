// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers and allgathers, of all ranks and of subgroups, and how they go on after a failure.

use mf_base::Kind;
use mf_tests::order::share::Share;
use mf_tests::{Answer, Failure, Init, Member};

use super::ranks::{all_do, create, each, job, processes, ranks, share, together};

#[test]
fn allgathers_of_any_size_are_in_rank_order() {
    let job = job(4);
    let mut members = ranks(&job, 4);
    create(&mut members, 0);
    for bytes in [1, 7, 64, 4096, 65536] {
        each(&mut members, &Share::Allgather(0, bytes, 9));
        each(&mut members, &Share::Barrier(0));
    }
    for bytes in [0, 65537] {
        for answer in together(&mut members, std::iter::repeat_n(Share::Allgather(0, bytes, 9), 4)) {
            answer.unwrap_err().expect(Kind::InvalidParam, &["1 to 65536"]);
        }
    }
    each(&mut members, &Share::Barrier(0));
    job.finish(members);
}

#[test]
fn subgroups_synchronise_without_other_ranks() {
    let job = job(4);
    let mut members = ranks(&job, 4);
    create(&mut members, 0);
    // Even and odd ranks, each in an order of their own; then three of them under the longest key.
    for _ in 0..3 {
        let orders = (0..4u32).map(|rank| {
            let (key, place) = (["even", "odd"][rank as usize % 2], 1 - rank / 2);
            Share::SubAllgather(0, key.to_owned(), 2, place, 1000, 70)
        });
        all_do(&mut members, orders);
        let key = "k".repeat(63);
        let orders = (0..3).map(|rank| Share::SubBarrier(0, key.clone(), 3, (rank + 1) % 3));
        all_do(&mut members[..3], orders);
    }
    let long = Share::SubBarrier(0, "k".repeat(64), 3, 0);
    let used = Share::SubBarrier(0, "even".to_owned(), 3, 0);
    let outside = Share::SubBarrier(0, "new".to_owned(), 2, 2);
    let too_many = Share::SubBarrier(0, "new".to_owned(), 5, 0);
    for bad in [long, Share::SubBarrier(0, String::new(), 1, 0), used, outside, too_many] {
        members[0].refused(&share(bad)).expect(Kind::InvalidParam, &[]);
    }
    job.finish(members);
}

#[test]
fn duplicate_position_in_a_subgroup_is_refused_for_both_ranks() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    create(&mut members, 0);
    for _ in 0..2 {
        let same = Share::SubBarrier(0, "both".to_owned(), 2, 0);
        for answer in together(&mut members, [same.clone(), same]) {
            answer.unwrap_err().expect(Kind::InvalidParam, &["same place"]);
        }
    }
    let orders = (0..2).map(|rank| Share::SubBarrier(0, "other".to_owned(), 2, rank));
    all_do(&mut members, orders);
    job.finish(members);
}

/// Members with a short timeout in barriers.
fn with_short_timeouts(job: &mf_tests::Job, world: u32) -> Vec<Member> {
    processes(job, (0..world).map(|rank| Init { control_ms: 1500, ..job.init(rank) }))
}

fn expect_missing(answer: Result<Answer, Failure>, rank: u32) {
    answer.unwrap_err().expect(Kind::Timeout, &[&format!("rank {rank}"), "may call it again"]);
}

#[test]
fn barrier_names_the_missing_rank_and_works_again() {
    let job = job(3);
    let mut members = with_short_timeouts(&job, 3);
    create(&mut members, 0);
    // Twice: also the group that is made after the failure may fail.
    for _ in 0..2 {
        let answers = together(&mut members[..2], [Share::Barrier(0), Share::Barrier(0)]);
        answers.into_iter().for_each(|answer| expect_missing(answer, 2));
        // The late one gets the error in this group.
        let late = members[2].order(&share(Share::Barrier(0)));
        assert!(late.is_err(), "{late:?}");
        each(&mut members, &Share::Barrier(0));
        each(&mut members, &Share::Allgather(0, 100, 3));
    }
    let late = Share::SubBarrier(0, "pair".to_owned(), 2, 0);
    members[0].refused(&share(late)).expect(Kind::Timeout, &["pair"]);
    all_do(&mut members[..2], (0..2).map(|rank| Share::SubBarrier(0, "pair".to_owned(), 2, rank)));
    job.finish(members);
}

#[test]
fn mismatched_calls_are_refused_and_later_ones_succeed() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    create(&mut members, 0);
    for answer in together(&mut members, [Share::Barrier(0), Share::Allgather(0, 8, 1)]) {
        answer.unwrap_err().expect(Kind::InvalidParam, &["they may call again"]);
    }
    each(&mut members, &Share::Barrier(0));
    for answer in together(&mut members, [Share::Allgather(0, 8, 1), Share::Allgather(0, 9, 1)]) {
        answer.unwrap_err().expect(Kind::InvalidParam, &[]);
    }
    each(&mut members, &Share::Allgather(0, 9, 1));
    job.finish(members);
}
