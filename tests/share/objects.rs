// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects: their addresses, several of them, over all or some ranks of the job.

use mf_tests::order::share::{Object, Share};

use super::ranks::{MIB, all_do, all_reach_all, create, each, job, object, ranks, shape, share};

#[test]
fn all_ranks_reach_all_parts_at_equal_addresses() {
    for world in [1, 2, 4] {
        let job = job(world);
        let mut members = ranks(&job, world);
        create(&mut members, 0);
        let first = shape(&mut members[0], 0);
        for (member, rank) in members.iter_mut().zip(0..) {
            assert_eq!(shape(member, 0), [first[0], 4 * MIB, rank, u64::from(world)]);
        }
        all_reach_all(&mut members, 0);
        job.finish(members);
    }
}

#[test]
fn several_objects_do_not_disturb_each_other() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    for (id, bytes) in [(0, 2 * MIB), (63, 6 * MIB), (5, 4 * MIB)] {
        all_do(&mut members, (0..2).map(|rank| Share::Create(Object { bytes, ..object(id, 2, rank) })));
    }
    let ranges: Vec<[u64; 2]> =
        [0, 63, 5].map(|id| shape(&mut members[0], id)).map(|s| [s[0], s[0] + 2 * s[1]]).into();
    for (one, first) in ranges.iter().enumerate() {
        for second in &ranges[one + 1..] {
            assert!(first[1] <= second[0] || second[1] <= first[0], "{ranges:x?}");
        }
    }
    for id in [0, 63, 5] {
        members[0].ok(&share(Share::Put(id, 1, 0, 5000, u64::from(id) + 1)));
    }
    // One goes, the others stay; and its id can be had again.
    each(&mut members, &Share::Destroy(63));
    for id in [0, 5] {
        members[1].ok(&share(Share::Check(id, 1, 0, 5000, u64::from(id) + 1)));
    }
    create(&mut members, 63);
    all_reach_all(&mut members, 63);
    job.finish(members);
}

#[test]
fn an_object_of_some_ranks_in_another_order_works() {
    let job = job(4);
    let mut members = ranks(&job, 4);
    // Ranks 3, 0 and 2 of the job at places 0, 1 and 2.
    let outsider = members.remove(1);
    members.rotate_right(1);
    create(&mut members, 7);
    for (member, place) in members.iter_mut().zip(0..) {
        assert_eq!(shape(member, 7)[2..], [place, 3]);
    }
    all_reach_all(&mut members, 7);
    each(&mut members, &Share::Allgather(7, 333, 50));
    for (member, rank) in members.iter_mut().zip(0..) {
        member.send(&share(Share::SubBarrier(7, "all of them".to_owned(), 3, 2 - rank)));
    }
    mf_tests::job::answers(&mut members);
    // An object of two of them beside it, in reverse.
    let mut pair: Vec<_> = members.drain(1..).rev().collect();
    create(&mut pair, 8);
    all_reach_all(&mut pair, 8);
    members.append(&mut pair);
    members.push(outsider);
    job.finish(members);
}

#[test]
fn objects_are_created_and_destroyed_many_times() {
    let job = job(3);
    let mut members = ranks(&job, 3);
    for round in 0..8u32 {
        create(&mut members, round % 2);
        members[1].ok(&share(Share::Put(round % 2, 2, 4096, 100, u64::from(round))));
        each(&mut members, &Share::Barrier(round % 2));
        members[0].ok(&share(Share::Check(round % 2, 2, 4096, 100, u64::from(round))));
        each(&mut members, &Share::Destroy(round % 2));
    }
    job.finish(members);
}

#[test]
fn a_rank_may_destroy_and_create_before_the_others_are_ready() {
    let job = job(2);
    let mut members = ranks(&job, 2);
    create(&mut members, 0);
    members[0].ok(&share(Share::Destroy(0)));
    members[0].send(&share(Share::Create(object(0, 2, 0))));
    assert!(mf_tests::deadline::wait_until(|| members[0].sleeps()));
    members[1].ok(&share(Share::Destroy(0)));
    members[1].ok(&share(Share::Create(object(0, 2, 1))));
    members[0].answer().unwrap();
    all_reach_all(&mut members, 0);
    job.finish(members);
}
