// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two guests with two RDMA devices each (`tests/lab/rdma`): which of them carry data, a rail that is cut,
//! loss and reordering, and a guest that dies.

use std::time::{Duration, Instant};

use mf_tests::deadline::wait_until;
use mf_tests::order::Standing;
use mf_tests::{Order, guests, host, skip};

use super::cluster::{Cluster, MIB, all_reach_all, is_about};
use super::harness::{RAILS, queues};
use super::pools::SIZES;

/// A job with a rank in each guest.
fn cluster(test: &str, environment: &[(&str, &str)]) -> Option<Cluster> {
    if guests::are_used() {
        return Some(Cluster::new(test, &[0, 1], environment));
    }
    skip(test, "it needs guests with RDMA devices: scripts/test rdma");
    None
}

/// Packets that each RDMA device of this guest has sent.
fn sent() -> [u64; 2] {
    [0, 1].map(|rail| {
        let path = format!("/sys/class/infiniband/rxe{rail}/ports/1/hw_counters/sent_pkts");
        std::fs::read_to_string(path).unwrap().trim().parse().unwrap()
    })
}

#[test]
fn copies_between_guests_use_rdma_devices() {
    let Some(cluster) = cluster("copies_between_guests_use_rdma_devices", &[]) else { return };
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1]);
    let before = sent();
    members[0].ok(&Order::Put(0, host(1, 0), 8 * MIB, 5));
    let after = sent();
    members[1].ok(&Order::Check(0, host(1, 0), 8 * MIB, 5));
    let packets = [0, 1].map(|rail| after[rail] - before[rail]);
    eprintln!("rails: 8 MiB took {packets:?} packets of the two devices");
    // The largest unit of RoCE has 4096 bytes.
    assert!(packets.iter().sum::<u64>() >= 8 * MIB / 4096, "{packets:?}");
    cluster.job.finish(members);
}

#[test]
fn lost_and_reordered_packets_lose_no_data() {
    let Some(cluster) = cluster("lost_and_reordered_packets_lose_no_data", &[]) else { return };
    let hosts = cluster.hosts.as_ref().unwrap();
    let mut members = cluster.pool(SIZES);
    for how in ["loss 1%", "delay 5ms reorder 25% 50%"] {
        hosts.degrade(0, how).unwrap();
        hosts.degrade(1, how).unwrap();
        members[0].ok(&Order::Put(0, host(1, 0), 2 * MIB, 8));
        members[1].ok(&Order::Check(0, host(1, 0), 2 * MIB, 8));
        all_reach_all(&mut members, &[0, 1]);
    }
    cluster.job.finish(members);
}

#[test]
fn cut_rail_is_survived_by_copies() {
    for rail in RAILS {
        let environment = [("MF_STORE_LEASE", "60s"), ("MF_NET_TIMEOUT", "60s")];
        let Some(cluster) = cluster("cut_rail_is_survived_by_copies", &environment) else { return };
        let mut members = cluster.pool(SIZES);
        members[0].ok(&Order::KeepPutting(0, host(1, 4 * MIB), MIB, 5));
        members[0].ok(&Order::AwaitPuts(3));
        for guest in 0..guests::COUNT {
            queues(guest, &[rail], "add", "netem loss 100%").unwrap();
        }
        let cut = Instant::now();
        let outcome = members[0].order(&Order::AwaitPuts(10));
        let stall: Duration = cut.elapsed();
        eprintln!("rails: without {rail} the next puts are done after {stall:?}: {outcome:?}");
        for guest in 0..guests::COUNT {
            queues(guest, &[rail], "del", "").unwrap();
        }
        assert!(outcome.is_ok(), "{outcome:?}");
        members[0].ok(&Order::StopPutting);
        members[1].ok(&Order::Check(0, host(1, 4 * MIB), MIB, 5));
        all_reach_all(&mut members, &[0, 1]);
        cluster.job.finish(members);
    }
}

/// The last of its run: `tests/lab/rdma` starts the guest again.
#[test]
#[ignore = "ends a guest: scripts/test rdma"]
fn dead_guest_fails_only_operations_with_it() {
    let test = "dead_guest_fails_only_operations_with_it";
    let environment = [("MF_STORE_LEASE", "5s"), ("MF_NET_TIMEOUT", "20s")];
    let Some(cluster) = cluster(test, &environment) else { return };
    let mut members = cluster.pool(SIZES);
    members[0].ok(&Order::KeepPutting(0, host(1, 4 * MIB), MIB, 5));
    members[0].ok(&Order::AwaitPuts(3));
    // A reboot at once, without a word to anyone.
    let _ = guests::shell(1, "echo b >/proc/sysrq-trigger");
    is_about(&members[0].refused(&Order::AwaitPutError), 1);
    is_about(&members[0].refused(&Order::StopPutting), 1);
    assert!(wait_until(|| members[0].order(&Order::AwaitStanding(0, 1, Standing::Dead)).is_ok()));
    members[0].ok(&Order::Put(0, host(0, 0), MIB, 6));
    members[0].ok(&Order::Check(0, host(0, 0), MIB, 6));
    members.truncate(1);
    cluster.job.finish(members);
}
