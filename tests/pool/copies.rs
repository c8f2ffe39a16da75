// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies between members that are all well.

use mf_tests::job::each;
use mf_tests::{Order, PoolSizes};

use super::jobs::{MIB, SMALL, job};

fn all_pairs(world: u32) {
    let job = job(world);
    let sizes = PoolSizes { host: 24 * MIB, device: 6 * MIB, ..PoolSizes::default() };
    let mut members = job.pool(sizes);
    each(&mut members, &Order::Scenario("all pairs".to_owned(), vec![2]));
    job.finish(members);
}

/// Two ranks, which see each other's memory or reach it by the network.
fn words(maps: bool) {
    let mut job = job(2);
    if !maps {
        job.set("MF_SHM", "false");
        job.set("MF_NIC", "127.0.0.1");
    }
    let mut members = job.pool(SMALL);
    each(&mut members, &Order::Scenario("words".to_owned(), vec![300]));
    job.finish(members);
}

#[test]
fn two_ranks_use_atomics_and_signals_in_mapped_memory() {
    words(true);
}

#[test]
fn two_ranks_use_atomics_and_signals_over_the_network() {
    words(false);
}

#[test]
fn two_ranks_reach_each_other_in_every_size_and_direction() {
    all_pairs(2);
}

#[test]
fn four_ranks_reach_each_other_in_every_size_and_direction() {
    all_pairs(4);
}

#[test]
fn eight_ranks_reach_each_other_in_every_size_and_direction() {
    all_pairs(8);
}
