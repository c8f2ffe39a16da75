// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs of the program of this package, sizes, and what is checked again and again.

use mf_tests::{Job, Member, Order, PoolSizes, host};

pub(crate) const MIB: u64 = 1 << 20;

/// A small contribution of each kind.
pub(crate) const SMALL: PoolSizes = PoolSizes { host: 4 * MIB, device: 2 * MIB, max_host: 0, max_device: 0 };

pub(crate) fn job(world: u32) -> Job {
    Job::new(env!("CARGO_BIN_EXE_mf-rank"), world)
}

pub(crate) fn host_only(bytes: u64) -> PoolSizes {
    PoolSizes { host: bytes, ..PoolSizes::default() }
}

/// Each of `members`, which have these ranks, puts to each, and its owner finds it.
#[track_caller]
pub(crate) fn all_reach_all(members: &mut [Member], ranks: &[u32]) {
    const BYTES: u64 = 1001;
    let seed = |from: u32, to: u32| u64::from(1000 + 100 * from + to);
    for (member, from) in members.iter_mut().zip(ranks) {
        for to in ranks {
            member.ok(&Order::Put(0, host(*to, u64::from(*from) * 2000 + 1), BYTES, seed(*from, *to)));
        }
    }
    for (member, to) in members.iter_mut().zip(ranks) {
        for from in ranks {
            member.ok(&Order::Check(0, host(*to, u64::from(*from) * 2000 + 1), BYTES, seed(*from, *to)));
        }
    }
}
