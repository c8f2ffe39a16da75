// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies that must be refused, and that write nothing then.

use mf_base::Kind;
use mf_tests::job::each;
use mf_tests::{End, Job, Mem, Member, Order, PoolSizes, Spot, device, host};

use super::jobs::{MIB, SMALL, host_only, job};

const H2G: u32 = 3;
const G2G: u32 = 8;
const AUTO: u32 = 9;

/// Two members of a world of three, with 4 of at most 6 MiB each, filled with a pattern of their own.
fn two_of_three() -> (Job, Vec<Member>) {
    let job = job(3);
    let mut members = job.members(0..2);
    let sizes = PoolSizes { host: 4 * MIB, device: 2 * MIB, max_host: 6 * MIB, max_device: 2 * MIB };
    each(&mut members, &Order::Create(0, sizes));
    each(&mut members, &Order::Join(0));
    for (rank, member) in (0u32..).zip(&mut members) {
        for (spot, bytes) in [(host(rank, 0), 4 * MIB), (device(rank, 0), 2 * MIB)] {
            member.ok(&Order::Put(0, spot, bytes, u64::from(rank) + 1));
        }
    }
    (job, members)
}

/// All members' memory is unchanged.
#[track_caller]
fn untouched(members: &mut [Member]) {
    for (rank, member) in (0u32..).zip(members) {
        for (spot, bytes) in [(host(rank, 0), 4 * MIB), (device(rank, 0), 2 * MIB)] {
            member.ok(&Order::Check(0, spot, bytes, u64::from(rank) + 1));
        }
    }
}

#[test]
fn ranges_outside_one_segment_are_refused_without_writes() {
    let (job, mut members) = two_of_three();
    let start = members[0].number(&Order::Address(0, Mem::Device, 0));
    let end = members[0].number(&Order::Address(0, Mem::Host, 2)) + 6 * MIB;
    let me = &mut members[0];
    for (what, there, bytes) in [
        ("runs over the end of the contribution", host(1, 4 * MIB - 8), 16),
        ("begins behind the contribution", host(1, 4 * MIB), 8),
        ("begins in what may be added later", host(1, 5 * MIB), 8),
        ("runs from one rank's device memory into the next", device(0, 2 * MIB - 1), 2),
        ("begins before the pool", Spot::At(start - 4), 8),
        ("ends before the pool", Spot::At(start - 8), 8),
        ("begins behind the pool", Spot::At(end), 8),
        ("is at null", Spot::At(0), 8),
        ("is at the end of the address space", Spot::At(u64::MAX - 3), 8),
        ("is empty", host(1, 0), 0),
    ] {
        let place = what.to_owned();
        for (order, part) in [
            (Order::Put(0, there, bytes, 9), "put"),
            (Order::Check(0, there, bytes, 9), "get"),
            (Order::Copy(0, host(0, 0), there, bytes), "copy to"),
            (Order::Copy(0, there, host(0, 0), bytes), "copy from"),
        ] {
            let failure = me.refused(&order);
            assert_eq!(failure.code, Kind::InvalidParam.code(), "{part}, {place}: {}", failure.text);
        }
    }
    // So large that the end overflows; the local side would not exist.
    for bytes in [u64::MAX, u64::MAX - MIB, 1 << 63, 1 << 40] {
        for (from, to, kind) in [
            (End::Buffer(0), End::Pool(host(1, 1)), H2G),
            (End::Pool(host(0, 1)), End::Pool(host(1, 1)), G2G),
            (End::Pool(host(0, 1)), End::Buffer(0), AUTO),
        ] {
            me.refused(&Order::Raw(0, from, to, bytes, kind, false)).expect(Kind::InvalidParam, &["bytes"]);
        }
    }
    me.refused(&Order::Raw(0, End::Buffer(0), End::Buffer(64), 8, AUTO, false))
        .expect(Kind::InvalidParam, &["neither"]);
    me.refused(&Order::Raw(0, End::Buffer(0), End::Buffer(64), 8, G2G, false))
        .expect(Kind::InvalidParam, &["in the pool"]);
    me.refused(&Order::Raw(0, End::Buffer(0), End::Pool(host(1, 0)), 8, 10, false))
        .expect(Kind::InvalidParam, &["copy type"]);
    untouched(&mut members);
    job.finish(members);
}

#[test]
fn ranges_spanning_device_and_host_memory_are_refused() {
    let job = job(1);
    let mut members = job.pool(SMALL);
    for order in [
        Order::Put(0, device(0, 2 * MIB - 4), 8, 9),
        Order::Check(0, device(0, 2 * MIB - 4), 8, 9),
        Order::Copy(0, device(0, 2 * MIB - 4), host(0, 8), 8),
    ] {
        members[0].refused(&order).expect(Kind::InvalidParam, &["kind device"]);
    }
    members[0].ok(&Order::CheckZeroes(0, device(0, 0), 2 * MIB));
    members[0].ok(&Order::CheckZeroes(0, host(0, 0), 4 * MIB));
    job.finish(members);
}

#[test]
fn one_invalid_piece_refuses_the_whole_batch() {
    let (job, mut members) = two_of_three();
    let me = &mut members[0];
    me.ok(&Order::FillBuffer(9, 0, MIB));
    let good: Vec<_> = (0..50).map(|i| (End::Buffer(i * 100), End::Pool(host(1, i * 200)), 100)).collect();
    for bad in [
        (End::Buffer(0), End::Pool(host(1, 4 * MIB - 1)), 2),
        (End::Buffer(0), End::Pool(host(1, 0)), 0),
        (End::Buffer(0), End::Pool(Spot::At(0)), 8),
    ] {
        for at in [0, 25, 50] {
            for asynchronous in [false, true] {
                let mut pieces = good.clone();
                pieces.insert(at, bad);
                me.refused(&Order::Batch(0, pieces, H2G, asynchronous))
                    .expect(Kind::InvalidParam, &[&format!("element {at}")]);
                me.ok(&Order::Wait(0));
            }
        }
    }
    let mut pieces = good;
    pieces.push((End::Buffer(0), End::Pool(host(2, 0)), 8));
    me.refused(&Order::Batch(0, pieces, H2G, false)).expect(Kind::NotConnected, &["rank 2", "element 50"]);
    me.refused(&Order::Batch(0, Vec::new(), H2G, false)).expect(Kind::InvalidParam, &["empty"]);
    untouched(&mut members);
    job.finish(members);
}

#[test]
fn unjoined_members_are_not_connected() {
    let (job, mut members) = two_of_three();
    let me = &mut members[0];
    for order in [
        Order::Put(0, host(2, 0), 8, 9),
        Order::Check(0, host(2, 0), 8, 9),
        Order::Copy(0, host(0, 0), host(2, 0), 8),
        Order::Copy(0, device(2, 0), host(0, 0), 8),
    ] {
        me.refused(&order).expect(Kind::NotConnected, &["rank 2", "not joined"]);
    }
    // In, but not joined: its own copies fail, others' to it, too.
    let mut third = job.member(2);
    let sizes = PoolSizes { host: 4 * MIB, device: 2 * MIB, max_host: 6 * MIB, max_device: 2 * MIB };
    third.ok(&Order::Create(0, sizes));
    third.refused(&Order::Put(0, host(0, 0), 8, 9)).expect(Kind::NotStarted, &["join"]);
    third.refused(&Order::Put(0, host(2, 0), 8, 9)).expect(Kind::NotStarted, &["join"]);
    me.refused(&Order::Put(0, host(2, 0), 8, 9)).expect(Kind::NotConnected, &["rank 2", "not joined"]);
    untouched(&mut members);
    members.push(third);
    job.finish(members);
}

#[test]
fn destroyed_pools_refuse_all_calls() {
    let job = job(1);
    let mut members = job.pool(host_only(2 * MIB));
    let me = &mut members[0];
    me.refused(&Order::Create(0, host_only(2 * MIB))).expect(Kind::Duplicated, &["id 0"]);
    me.ok(&Order::Destroy(0));
    me.ok(&Order::Destroy(0));
    me.refused(&Order::Join(0)).expect(Kind::NotExist, &["destroyed"]);
    me.ok(&Order::Leave(0));
    me.refused(&Order::Put(0, host(0, 0), 8, 9)).expect(Kind::NotStarted, &[]);
    me.refused(&Order::Extend(0, Mem::Host, 2 * MIB)).expect(Kind::NotExist, &["destroyed"]);
    // The id is free again.
    me.ok(&Order::Create(0, host_only(4 * MIB)));
    me.ok(&Order::Join(0));
    me.ok(&Order::CheckZeroes(0, host(0, 0), 4 * MIB));
    job.finish(members);
}

#[test]
fn impossible_pools_are_refused() {
    let job = job(2);
    let mut members = job.members(0..2);
    let me = &mut members[0];
    let sizes = |host, max_host| PoolSizes { host, max_host, ..PoolSizes::default() };
    for (id, sizes, part) in [
        (0, sizes(0, 0), "empty"),
        (64, sizes(2 * MIB, 0), "id 64"),
        (0, sizes(MIB, 0), "2 MiB"),
        (0, sizes(2 * MIB, 3 * MIB), "2 MiB"),
        (0, sizes(4 * MIB, 2 * MIB), "larger than the maximum"),
        (0, sizes(4 << 40, 0), "at most 2 TiB"),
        (0, sizes(0, 32 << 40), "32 TiB"),
        (0, sizes(0, !(2 * MIB - 1)), "32 TiB"),
    ] {
        me.refused(&Order::Create(id, sizes)).expect(Kind::InvalidParam, &[part]);
    }
    job.finish(members);
}
