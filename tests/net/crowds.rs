// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many members on many hosts: members that exchange nothing have no connection.

use mf_tests::{Order, PoolSizes, host};

use super::cluster::{Cluster, MIB};

/// Ranks on eight hosts; each talks to the next one alone.
fn ring(test: &str, ranks: u32) {
    const HOSTS: u32 = 8;
    let places: Vec<u32> = (0..ranks).map(|rank| rank % HOSTS).collect();
    let cluster = Cluster::new(test, &places, &[("MF_STORE_LEASE", "60s"), ("MF_NET_CONNECTIONS", "1")]);
    let sizes = PoolSizes { host: 2 * MIB, ..PoolSizes::default() };
    let mut members = cluster.pool(sizes);
    let connections = |members: &[mf_tests::Member]| -> usize {
        let hosts = &members[..HOSTS.min(ranks) as usize];
        hosts.iter().map(|member| Cluster::connections(member).values().sum::<usize>()).sum()
    };
    let at_rest = connections(&members);
    for (member, rank) in members.iter_mut().zip(0..) {
        member.send(&Order::Put(0, host((rank + 1) % ranks, 0), 1000, 3));
    }
    mf_tests::job::answers(&mut members);
    for (member, rank) in members.iter_mut().zip(0..) {
        member.ok(&Order::Check(0, host(rank, 0), 1000, 3));
    }
    if cluster.hosts.is_some() {
        // Each connection is in the tables of both its hosts.
        let busy = connections(&members);
        let most = 2 * 2 * usize::try_from(ranks).unwrap();
        assert!(busy <= at_rest + most, "{busy} ends of connections for {ranks} that talk to one each");
        let quadratic = usize::try_from(ranks * (ranks - 1)).unwrap();
        assert!(at_rest < quadratic / 4, "{at_rest} ends of connections between {ranks} that do nothing");
    }
    cluster.job.finish(members);
}

#[test]
fn sixteen_members_on_eight_hosts_connect_only_to_used_peers() {
    ring("sixteen_members_on_eight_hosts_connect_only_to_used_peers", 16);
}
