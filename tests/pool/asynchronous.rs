// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies that are queued, and batches.

use mf_base::Kind;
use mf_tests::{End, Member, Order, device, host, shares_memory};

use super::jobs::{MIB, SMALL, host_only, job, only, spot};

const L2G: u32 = 0;
const G2H: u32 = 2;
const H2G: u32 = 3;
const G2G: u32 = 8;
const AUTO: u32 = 9;

#[test]
fn queued_copies_are_complete_after_the_wait() {
    let job = job(2);
    let mut members = job.pool(only(8 * MIB));
    members[0].ok(&Order::FillBuffer(7, 0, 8 * MIB));
    // Large ones that queue, small ones that queue behind them, and a chain that needs their order.
    for at in 0..8 {
        let to = End::Pool(spot(1, at * MIB));
        members[0].ok(&Order::Raw(0, End::Buffer(at * MIB), to, MIB, H2G, true));
    }
    // Over a network they have none, so what depends on another waits for it.
    let settle = |member: &mut Member| {
        if !shares_memory() {
            member.ok(&Order::Wait(0));
        }
    };
    settle(&mut members[0]);
    members[0].ok(&Order::Raw(0, End::Pool(spot(1, 0)), End::Pool(spot(0, 3)), 4 * MIB, G2G, true));
    settle(&mut members[0]);
    members[0].ok(&Order::Raw(0, End::Pool(spot(0, 3)), End::Buffer(16 * MIB), 4 * MIB, G2H, true));
    members[0].ok(&Order::Wait(0));
    members[1].ok(&Order::Check(0, spot(1, 0), 8 * MIB, 7));
    members[0].ok(&Order::Check(0, spot(0, 3), 4 * MIB, 7));
    members[0].ok(&Order::CheckBuffer(7, 16 * MIB, 4 * MIB));
    members[0].ok(&Order::Wait(0));
    job.finish(members);
}

#[test]
fn leave_waits_for_queued_copies() {
    let job = job(2);
    let mut members = job.pool(only(32 * MIB));
    members[0].ok(&Order::FillBuffer(7, 0, 32 * MIB));
    for at in 0..32 {
        let to = End::Pool(spot(1, at * MIB));
        members[0].ok(&Order::Raw(0, End::Buffer(at * MIB), to, MIB, H2G, true));
    }
    members[0].ok(&Order::Leave(0));
    members[1].ok(&Order::Check(0, spot(1, 0), 32 * MIB, 7));
    members[0].ok(&Order::Wait(0));
    job.finish(members);
}

#[test]
fn first_error_of_queued_copies_is_returned_once_by_the_wait() {
    let job = job(2);
    let mut members = job.pool(host_only(64 * MIB));
    members[0].ok(&Order::FillBuffer(7, 0, 64 * MIB));
    // The target leaves while copies are queued: late ones are refused when their turn comes.
    for _ in 0..20 {
        let to = End::Pool(host(1, 0));
        let ordered = members[0].order(&Order::Raw(0, End::Buffer(0), to, 64 * MIB, H2G, true));
        if let Err(failure) = ordered {
            failure.expect(Kind::NotConnected, &["rank 1"]);
            break;
        }
    }
    members[1].ok(&Order::Leave(0));
    members[0].refused(&Order::Wait(0)).expect(Kind::NotConnected, &["rank 1", "left"]);
    members[0].ok(&Order::Wait(0));
    members[0].ok(&Order::Put(0, host(0, 0), MIB, 1));
    job.finish(members);
}

#[test]
fn refused_copies_are_not_queued() {
    let job = job(2);
    let mut members = job.pool(host_only(2 * MIB));
    let bad = (End::Buffer(0), End::Pool(host(1, 2 * MIB - 1)), 2 * MIB);
    members[0].refused(&Order::Raw(0, bad.0, bad.1, bad.2, H2G, true)).expect(Kind::InvalidParam, &["2 MiB"]);
    members[0].ok(&Order::Wait(0));
    job.finish(members);
}

#[test]
fn mixed_batches_copy_every_piece() {
    let job = job(2);
    let mut members = job.pool(SMALL);
    members[0].ok(&Order::FillBuffer(7, 0, 4 * MIB));
    for (asynchronous, copy_type) in [(false, H2G), (true, L2G), (false, AUTO), (true, AUTO)] {
        for rank in 0..2 {
            members[0].ok(&Order::PutZeroes(0, host(rank, 0), 4 * MIB));
            members[0].ok(&Order::PutZeroes(0, device(rank, 0), 2 * MIB));
        }
        // One stream, cut into pieces of 1 to 8191 bytes: the first half to host, the second to device
        // memory.
        let (mut pieces, mut at, mut size) = (Vec::new(), 0, 1);
        while at < 4 * MIB {
            let bytes = size.min(2 * MIB - at % (2 * MIB));
            let to = if at < 2 * MIB { host(1, at) } else { device(1, at - 2 * MIB) };
            pieces.push((End::Buffer(at), End::Pool(to), bytes));
            (at, size) = (at + bytes, (size * 7 + 3) % 8192);
        }
        members[0].ok(&Order::Batch(0, pieces, copy_type, asynchronous));
        members[0].ok(&Order::Wait(0));
        // Together again, in the order of the stream.
        let halves = vec![
            (End::Pool(host(1, 0)), End::Buffer(32 * MIB), 2 * MIB),
            (End::Pool(device(1, 0)), End::Buffer(34 * MIB), 2 * MIB),
        ];
        members[0].ok(&Order::Batch(0, halves, AUTO, false));
        members[0].ok(&Order::CheckBuffer(7, 32 * MIB, 4 * MIB));
        members[1].ok(&Order::CheckZeroes(0, host(1, 2 * MIB), 2 * MIB));
    }
    job.finish(members);
}
