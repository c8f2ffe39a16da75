// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects that cannot be: refused at once, or by all ranks alike.

use mf_base::Kind;
use mf_tests::order::share::{Object, Share};
use mf_tests::{Failure, Init, Member};

use super::ranks::{MIB, all_reach_all, create, job, object, processes, ranks, share, together};

#[test]
fn impossible_objects_are_refused_at_once() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    let good = object(0, 2, 0);
    for bad in [
        Object { id: 64, ..good },
        Object { rank_size: 3, ..good },
        Object { rank_size: 0, ..good },
        Object { rank: 2, ..good },
        Object { bytes: 0, ..good },
        Object { bytes: MIB, ..good },
        Object { bytes: (64 << 30) + 2 * MIB, ..good },
        Object { data_ops: 0, ..good },
        Object { data_ops: 8, ..good },
    ] {
        members[0].refused(&share(Share::Create(bad))).expect(Kind::InvalidParam, &[]);
    }
    create(&mut members, 0);
    members[0].refused(&share(Share::Create(good))).expect(Kind::Duplicated, &["id 0"]);
    for bytes in [0, 65537] {
        members[0].refused(&share(Share::SetContext(0, bytes, 1))).expect(Kind::InvalidParam, &["65536"]);
    }
    members[0].refused(&share(Share::Reach(0, 2))).expect(Kind::InvalidParam, &["rank 2"]);
    members[0].ok(&share(Share::DestroyOnly(0)));
    for gone in [Share::Barrier(0), Share::SetContext(0, 1, 1), Share::Alloc(0, 1), Share::Reach(0, 1)] {
        members[0].refused(&share(gone)).expect(Kind::NotExist, &["destroyed"]);
    }
    job.finish(members);
}

/// All want other things: each is refused, and says so.
#[track_caller]
fn all_refused(members: &mut [Member], wants: &[Object], kind: Kind, parts: &[&str]) -> Vec<Failure> {
    let answers = together(members, wants.iter().map(|want| Share::Create(*want)));
    let failures: Vec<Failure> = answers.into_iter().map(Result::unwrap_err).collect();
    failures.iter().for_each(|failure| failure.expect(kind, parts));
    failures
}

#[test]
fn mismatched_creates_fail_on_all_ranks_and_can_be_retried() {
    let job = job(3);
    let mut members = ranks(&job, 3);
    let good = [object(1, 3, 0), object(1, 3, 1), object(1, 3, 2)];
    let with = |odd: Object| [good[0], odd, good[2]];
    let larger = with(Object { bytes: 6 * MIB, ..good[1] });
    let fewer = with(Object { rank_size: 2, ..good[1] });
    let others = with(Object { data_ops: 3, ..good[1] });
    let same_place = with(Object { rank: 2, ..good[1] });
    for _ in 0..2 {
        all_refused(&mut members, &larger, Kind::InvalidParam, &["another size", "rank 1"]);
        all_refused(&mut members, &fewer, Kind::InvalidParam, &["another number of ranks", "rank 1"]);
        all_refused(&mut members, &others, Kind::InvalidParam, &["data operations", "rank 1"]);
        all_refused(&mut members, &same_place, Kind::Duplicated, &["same place", "rank 1", "rank 2"]);
    }
    create(&mut members, 1);
    all_reach_all(&mut members, 1);
    job.finish(members);
}

#[test]
fn id_used_by_other_ranks_is_refused() {
    let job = job(4);
    let mut members = ranks(&job, 4);
    create(&mut members[..2], 0);
    let wants = [object(0, 2, 0), object(0, 2, 1)];
    all_refused(&mut members[2..], &wants, Kind::Duplicated, &["other ranks"]);
    create(&mut members[2..], 1);
    all_reach_all(&mut members[..2], 0);
    all_reach_all(&mut members[2..], 1);
    job.finish(members);
}

#[test]
fn missing_ranks_are_named_and_may_join_later() {
    let job = job(3);
    let inits = (0..3).map(|rank| Init { create_ms: 400, ..job.init(rank) });
    let mut members = processes(&job, inits);
    let wants = [object(0, 3, 0), object(0, 3, 1)];
    all_refused(&mut members[..2], &wants, Kind::Timeout, &["missing_ranks 2", "2 of 3"]);
    let pair = [object(5, 2, 1)];
    all_refused(&mut members[..1], &pair, Kind::Timeout, &["missing_places 0"]);
    create(&mut members, 0);
    all_reach_all(&mut members, 0);
    job.finish(members);
}

#[test]
fn failed_allocation_fails_create_on_all_ranks() {
    if super::ranks::has_accelerator() {
        mf_tests::skip("a part that cannot be made", "descriptors are no limit of device memory");
        return;
    }
    let job = job(3);
    let mut members = ranks(&job, 3);
    members[2].ok(&mf_tests::Order::LimitDescriptors(Some(0)));
    let wants = [object(1, 3, 0), object(1, 3, 1), object(1, 3, 2)];
    all_refused(&mut members, &wants, Kind::NoResources, &[]);
    members[2].ok(&mf_tests::Order::LimitDescriptors(None));
    create(&mut members, 1);
    all_reach_all(&mut members, 1);
    job.finish(members);
}
