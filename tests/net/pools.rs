// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pools over hosts without failures of members and cables.

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::job::each;
use mf_tests::{End, Mem, Order, PoolSizes, device, host, skip};

use super::cluster::{Cluster, MIB, all_reach_all};

const G2H: u32 = 2;
const H2G: u32 = 3;
const G2G: u32 = 8;

pub(crate) const SIZES: PoolSizes =
    PoolSizes { host: 8 * MIB, device: 2 * MIB, max_host: 16 * MIB, max_device: 2 * MIB };

#[test]
fn members_on_two_hosts_support_every_operation() {
    let cluster = Cluster::new("members_on_two_hosts_support_every_operation", &[0, 1], &[]);
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1]);
    // Large and odd, and between two places of the pool.
    members[0].ok(&Order::Put(0, host(1, 3), 3 * MIB + 1, 5));
    members[1].ok(&Order::Check(0, host(1, 3), 3 * MIB + 1, 5));
    members[0].ok(&Order::Check(0, host(1, 3), 3 * MIB + 1, 5));
    members[0].ok(&Order::Copy(0, host(1, 3), host(0, 7), 2 * MIB));
    members[1].ok(&Order::Check(0, host(0, 7), 2 * MIB, 5));
    members[1].ok(&Order::Copy(0, host(0, 7), device(1, 1), MIB));
    members[0].ok(&Order::Check(0, device(1, 1), MIB, 5));
    members[0].ok(&Order::Copy(0, device(1, 1), host(1, 5 * MIB), MIB));
    members[1].ok(&Order::Check(0, host(1, 5 * MIB), MIB, 5));

    // Batches and queued copies; over a network they have no order, so what depends on another waits for it.
    members[0].ok(&Order::FillBuffer(7, 0, 8 * MIB));
    let piece = |at: u64| (End::Buffer(at * 40_000), End::Pool(host(1, at * 40_000)), 40_000);
    members[0].ok(&Order::Batch(0, (0..100).map(piece).collect(), H2G, false));
    members[1].ok(&Order::Check(0, host(1, 0), 4_000_000, 7));
    let piece = |at: u64| (End::Pool(host(1, at * 40_000)), End::Buffer(16 * MIB + at * 40_000), 40_000);
    members[0].ok(&Order::Batch(0, (0..100).map(piece).collect(), G2H, true));
    members[0].ok(&Order::Wait(0));
    members[0].ok(&Order::CheckBuffer(7, 16 * MIB, 4_000_000));
    for at in 0..8 {
        members[0].ok(&Order::Raw(0, End::Buffer(at * MIB), End::Pool(host(1, at * MIB)), MIB, H2G, true));
    }
    members[0].ok(&Order::Wait(0));
    members[0].ok(&Order::Raw(0, End::Pool(host(1, 0)), End::Pool(host(0, 3)), 4 * MIB, G2G, true));
    members[0].ok(&Order::Wait(0));
    members[0].ok(&Order::Raw(0, End::Pool(host(0, 3)), End::Buffer(32 * MIB), 4 * MIB, G2H, true));
    members[0].ok(&Order::Wait(0));
    members[1].ok(&Order::Check(0, host(1, 0), 8 * MIB, 7));
    members[0].ok(&Order::CheckBuffer(7, 32 * MIB, 4 * MIB));

    // Growing, leaving, coming back.
    members[0].refused(&Order::Put(0, host(1, 8 * MIB), 8, 1));
    members[1].ok(&Order::Extend(0, Mem::Host, 2 * MIB));
    assert!(wait_until(|| members[0].order(&Order::Put(0, host(1, 8 * MIB), 2 * MIB, 9)).is_ok()));
    members[1].ok(&Order::Check(0, host(1, 8 * MIB), 2 * MIB, 9));
    members[1].ok(&Order::Leave(0));
    members[0].refused(&Order::Put(0, host(1, 0), 8, 1)).expect(Kind::NotConnected, &["rank 1"]);
    members[0].refused(&Order::Digest(0, device(1, 0), 8)).expect(Kind::NotConnected, &["rank 1"]);
    members[1].ok(&Order::Join(0));
    all_reach_all(&mut members, &[0, 1]);
    cluster.job.finish(members);
}

#[test]
fn local_members_map_and_remote_members_connect() {
    let places = [0, 0, 1, 1];
    let cluster = Cluster::new("local_members_map_and_remote_members_connect", &places, &[]);
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1, 2, 3]);
    if cluster.hosts.is_some() {
        let mut between = 0;
        for member in &members {
            for ((from, to), count) in Cluster::connections(member) {
                assert_ne!(from, to, "members of one host connect to each other: {count}");
                between += count;
            }
        }
        assert!(between > 0);
    }
    // Third parties: here, there, and from one to the other host. A member that copies for another does not
    // check if it maps the third one.
    members[0].ok(&Order::Put(0, host(3, 0), MIB, 5));
    members[0].ok(&Order::Copy(0, host(3, 0), host(2, 1), MIB));
    members[0].ok(&Order::Copy(0, host(2, 1), host(1, 2), MIB));
    members[2].ok(&Order::Copy(0, host(1, 2), host(0, 3), MIB));
    members[3].ok(&Order::Check(0, host(0, 3), MIB, 5));
    members[1].ok(&Order::Leave(0));
    all_reach_all(&mut members[2..], &[2, 3]);
    members[1].ok(&Order::Join(0));
    all_reach_all(&mut members, &[0, 1, 2, 3]);
    cluster.job.finish(members);
}

#[test]
fn unmapped_local_memory_is_refused_and_both_members_go_on() {
    for environment in [&[][..], &[("MF_NET_TLS", "on")]] {
        let test = "unmapped_local_memory_is_refused_and_both_members_go_on";
        let cluster = Cluster::new(test, &[0, 1], environment);
        let mut members = cluster.pool(SIZES);
        members[0].ok(&Order::Put(0, host(1, 0), MIB, 5));
        members[0].ok(&Order::PassHoles(0, host(1, 0)));
        // The pieces of refused batches that are mapped were not copied either.
        members[1].ok(&Order::Check(0, host(1, 0), MIB, 5));
        all_reach_all(&mut members, &[0, 1]);
        cluster.job.finish(members);
    }
}

#[test]
fn six_hosts_reach_each_other() {
    let cluster = Cluster::new("six_hosts_reach_each_other", &[0, 1, 2, 3, 4, 5], &[]);
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1, 2, 3, 4, 5]);
    each(&mut members, &Order::Barrier("all".to_owned(), 6));
    cluster.job.finish(members);
}

#[test]
fn hosts_with_different_mtu_exchange_data() {
    let cluster = Cluster::new("hosts_with_different_mtu_exchange_data", &[0, 1, 2], &[]);
    if let Some(hosts) = &cluster.hosts {
        hosts.mtu(1, 1280);
        hosts.mtu(2, 600);
    }
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1, 2]);
    for to in [1, 2] {
        members[0].ok(&Order::Put(0, host(to, 0), 4 * MIB, 8));
        members[0].ok(&Order::Check(0, host(to, 0), 4 * MIB, 8));
    }
    cluster.job.finish(members);
}

#[test]
fn slow_and_lossy_link_loses_no_data() {
    let test = "slow_and_lossy_link_loses_no_data";
    let cluster = Cluster::new(test, &[0, 1], &[]);
    let Some(hosts) = &cluster.hosts else { return };
    if let Err(reason) = hosts.degrade(1, "delay 3ms loss 1%") {
        skip(test, format!("{reason}; the suite over transports loses and delays by rules"));
        return;
    }
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1]);
    members[0].ok(&Order::Put(0, host(1, 0), 2 * MIB, 8));
    members[0].ok(&Order::Check(0, host(1, 0), 2 * MIB, 8));
    cluster.job.finish(members);
}
