// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers, exit callbacks, contexts, reach.

use mf_base::Kind;
use mf_tests::Answer;
use mf_tests::order::share::Share;

use super::ranks::{create, each, has_accelerator, job, ranks, share};

#[test]
fn ids_are_unique_among_ranks_and_outlive_a_dead_rank() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    create(&mut members, 0);
    for expected in 0..4 {
        let member = &mut members[expected % 2];
        assert_eq!(member.number(&share(Share::Alloc(0, 4))), expected as u64);
    }
    members[0].refused(&share(Share::Alloc(0, 4))).expect(Kind::Failed, &["no number is free"]);
    members[0].ok(&share(Share::Release(0, 3)));
    members[1].refused(&share(Share::Release(0, 3))).expect(Kind::NotExist, &["value 3"]);
    assert_eq!(members[1].number(&share(Share::Alloc(0, 1024))), 3);
    for limit in [0, 1025] {
        members[0].refused(&share(Share::Alloc(0, limit))).expect(Kind::InvalidParam, &["1 to 1024"]);
    }
    members[1].kill();
    members[0].refused(&share(Share::Alloc(0, 4))).expect(Kind::Failed, &[]);
    members[0].ok(&share(Share::Release(0, 1)));
    assert_eq!(members[0].number(&share(Share::Alloc(0, 4))), 1);
    members.truncate(1);
    job.finish(members);
}

#[test]
fn recreated_object_starts_with_all_ids_free() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    for _ in 0..2 {
        create(&mut members, 3);
        assert_eq!(members[1].number(&share(Share::Alloc(3, 9))), 0);
        each(&mut members, &Share::Barrier(3));
        each(&mut members, &Share::Destroy(3));
    }
    job.finish(members);
}

#[test]
fn exit_callbacks_of_all_ranks_run_with_the_status() {
    let job = job(3);
    let mut members = ranks(&job, 3);
    create(&mut members, 0);
    each(&mut members[..2], &Share::OnExit(0));
    members[0].refused(&share(Share::OnExit(0))).expect(Kind::Duplicated, &[]);
    members[2].ok(&share(Share::ExitAll(0, -7)));
    // Also the callback that comes late.
    members[2].ok(&share(Share::OnExit(0)));
    let status = u64::from((-7i32).cast_unsigned());
    for answer in each(&mut members, &Share::AwaitExits(1)) {
        assert_eq!(answer, Answer::Numbers(vec![status]));
    }
    // Each time, and only here: another object is not notified.
    members[0].ok(&share(Share::ExitAll(0, 5)));
    for answer in each(&mut members, &Share::AwaitExits(2)) {
        assert_eq!(answer, Answer::Numbers(vec![status, 5]));
    }
    each(&mut members, &Share::Destroy(0));
    create(&mut members, 0);
    each(&mut members, &Share::OnExit(0));
    each(&mut members, &Share::Barrier(0));
    for answer in each(&mut members, &Share::AwaitExits(2)) {
        assert_eq!(answer, Answer::Numbers(vec![status, 5]));
    }
    job.finish(members);
}

#[test]
fn local_ranks_are_reached_by_loads_and_stores() {
    if !mf_tests::needs_shared_memory("reach by loads and stores") {
        return;
    }
    let job = job(2);
    let mut members = ranks(&job, 2);
    create(&mut members, 0);
    let expected = if has_accelerator() { 3 } else { 1 };
    for member in &mut members {
        for rank in 0..2 {
            assert_eq!(member.number(&share(Share::Reach(0, rank))), expected);
        }
        for bytes in [1, 65536, 17] {
            member.ok(&share(Share::SetContext(0, bytes, 4)));
        }
    }
    job.finish(members);
}
