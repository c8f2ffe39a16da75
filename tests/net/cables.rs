// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cables that are cut in the middle of operations, and put in again.

use mf_tests::deadline::wait_until;
use mf_tests::{Member, Order, host, skip};

use super::cluster::{Cluster, MIB, all_reach_all, is_about};
use super::kills::Work;
use super::pools::SIZES;

#[test]
fn operations_over_a_cut_link_time_out_and_later_recover() {
    let test = "operations_over_a_cut_link_time_out_and_later_recover";
    // The cable is back before the store gives the host up.
    let environment = [("MF_STORE_LEASE", "60s"), ("MF_NET_TIMEOUT", "1s")];
    let cluster = Cluster::new(test, &[0, 1, 2], &environment);
    let Some(hosts) = &cluster.hosts else {
        skip(test, "the loopback has no cable");
        return;
    };
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1, 2]);
    let all = |members: &mut Vec<Member>| {
        for member in members.iter_mut() {
            member.ok(&Order::PutZeroes(0, host(0, 0), 8));
        }
    };
    all(&mut members);
    members[0].ok(&Order::KeepPutting(0, host(1, 4 * MIB), MIB, 5));
    members[0].ok(&Order::AwaitPuts(3));
    hosts.cable(1, false);
    is_about(&members[0].refused(&Order::AwaitPutError), 1);
    is_about(&members[0].refused(&Order::StopPutting), 1);
    // The other two do not notice.
    members[0].ok(&Order::Put(0, host(2, 0), 3 * MIB, 6));
    members[2].ok(&Order::Check(0, host(2, 0), 3 * MIB, 6));
    members[2].ok(&Order::Put(0, host(0, 0), 3 * MIB, 6));
    for (number, work) in Work::ALL.into_iter().enumerate() {
        // Some of one member and some of the other; both at the same time.
        let orders = work.orders(1, 2);
        for order in &orders {
            members[0].send(order);
        }
        if number % 2 == 0 {
            members[2].send(&Order::Digest(0, host(1, 0), 8));
            is_about(&members[2].answer().unwrap_err(), 1);
        }
        let answers: Vec<_> = orders.iter().map(|_| members[0].answer()).collect();
        let failures: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
        assert!(!failures.is_empty(), "{work:?} over a cut cable is done");
        for failure in failures {
            is_about(&failure, 1);
        }
    }
    hosts.cable(1, true);
    for from in [0, 2] {
        assert!(
            wait_until(|| members[from].order(&Order::Put(0, host(1, 0), MIB, 7)).is_ok()),
            "it does not work again"
        );
    }
    assert!(wait_until(|| members[1].order(&Order::Check(0, host(0, 0), 3 * MIB, 6)).is_ok()));
    all_reach_all(&mut members, &[0, 1, 2]);
    cluster.job.finish(members);
}

#[test]
fn short_link_outage_during_puts_is_survived() {
    let test = "short_link_outage_during_puts_is_survived";
    let cluster = Cluster::new(test, &[0, 1], &[("MF_STORE_LEASE", "60s")]);
    let Some(hosts) = &cluster.hosts else {
        skip(test, "the loopback has no cable");
        return;
    };
    let mut members = cluster.pool(SIZES);
    members[0].ok(&Order::KeepPutting(0, host(1, 4 * MIB), MIB, 5));
    members[0].ok(&Order::AwaitPuts(3));
    for puts in [10, 20] {
        hosts.cable(1, false);
        hosts.cable(1, true);
        members[0].ok(&Order::AwaitPuts(puts));
    }
    members[0].ok(&Order::StopPutting);
    members[1].ok(&Order::Check(0, host(1, 4 * MIB), MIB, 5));
    all_reach_all(&mut members, &[0, 1]);
    cluster.job.finish(members);
}

#[test]
fn unreachable_host_is_given_up_by_the_pool() {
    let test = "unreachable_host_is_given_up_by_the_pool";
    let environment = [("MF_STORE_LEASE", "1s"), ("MF_NET_TIMEOUT", "20s")];
    let cluster = Cluster::new(test, &[0, 1, 2], &environment);
    let Some(hosts) = &cluster.hosts else {
        skip(test, "the loopback has no cable");
        return;
    };
    let mut members = cluster.pool(SIZES);
    all_reach_all(&mut members, &[0, 1, 2]);
    members[0].ok(&Order::KeepPutting(0, host(2, 4 * MIB), MIB, 5));
    members[0].ok(&Order::AwaitPuts(3));
    hosts.cable(2, false);
    // The store gives it up before the operation does.
    is_about(&members[0].refused(&Order::AwaitPutError), 2);
    is_about(&members[0].refused(&Order::StopPutting), 2);
    is_about(&members[1].refused(&Order::Put(0, host(2, 0), 8, 1)), 2);
    all_reach_all(&mut members[..2], &[0, 1]);
    let mut away = members.pop().unwrap();
    away.kill();
    cluster.job.finish(members);
}
