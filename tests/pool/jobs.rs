// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs of this package's program, sizes, and repeated checks.

use mf_tests::deadline::wait_until;
use mf_tests::job::each;
use mf_tests::{Answer, Job, Mem, Member, Order, PoolSizes, Spot, accelerator, shares_memory};

pub(crate) const MIB: u64 = 1 << 20;

/// A small contribution of each kind.
pub(crate) const SMALL: PoolSizes = PoolSizes { host: 4 * MIB, device: 2 * MIB, max_host: 0, max_device: 0 };

pub(crate) fn job(world: u32) -> Job {
    let mut job = Job::new(env!("CARGO_BIN_EXE_mf-rank"), world);
    accelerator::give(&mut job, &accelerator::chosen(crate::ACCELERATOR));
    job
}

/// True if device memory is an accelerator's.
pub(crate) fn has_accelerator() -> bool {
    accelerator::chosen(crate::ACCELERATOR) != accelerator::NONE
}

/// True if it is shared by handles that end with their owner, and not by descriptors.
pub(crate) fn shares_by_handle() -> bool {
    has_accelerator() && accelerator::chosen(crate::ACCELERATOR) != accelerator::CUDA
}

/// The kind of memory that a test with one kind is about: an accelerator's, where there is one.
pub(crate) fn subject() -> Mem {
    if has_accelerator() { Mem::Device } else { Mem::Host }
}

/// A place in that memory of `rank`.
pub(crate) fn spot(rank: u32, offset: u64) -> Spot {
    Spot::In(subject(), rank, offset)
}

/// A pool of that memory alone.
pub(crate) fn only(bytes: u64) -> PoolSizes {
    PoolSizes::only(subject(), bytes, 0)
}

pub(crate) fn host_only(bytes: u64) -> PoolSizes {
    PoolSizes { host: bytes, ..PoolSizes::default() }
}

/// Checks that each of these members of pool 0 knows all of them. Over a network, notice of a newcomer
/// arrives a moment after its join.
pub(crate) fn assert_all_known(members: &mut [Member]) {
    let everybody = Answer::Numbers((0..members.len() as u64).collect());
    let mut known = Vec::new();
    let mut all_are_known = || {
        known = each(members, &Order::Members(0));
        known.iter().all(|known| *known == everybody)
    };
    let is_in_time = if shares_memory() { all_are_known() } else { wait_until(all_are_known) };
    assert!(is_in_time, "members do not know each other: {known:?}");
}

/// Each of `members`, which have these ranks, puts to each, and its owner finds it.
#[track_caller]
pub(crate) fn all_reach_all(members: &mut [Member], ranks: &[u32]) {
    all_reach_all_in(subject(), members, ranks);
}

/// As [`all_reach_all`], in memory of this kind.
#[track_caller]
pub(crate) fn all_reach_all_in(mem: Mem, members: &mut [Member], ranks: &[u32]) {
    const BYTES: u64 = 1001;
    let seed = |from: u32, to: u32| u64::from(1000 + 100 * from + to);
    let place = |from: u32, to: u32| Spot::In(mem, to, u64::from(from) * 2000 + 1);
    for (member, from) in members.iter_mut().zip(ranks) {
        for to in ranks {
            member.ok(&Order::Put(0, place(*from, *to), BYTES, seed(*from, *to)));
        }
    }
    for (member, to) in members.iter_mut().zip(ranks) {
        for from in ranks {
            member.ok(&Order::Check(0, place(*from, *to), BYTES, seed(*from, *to)));
        }
    }
}
