// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store and pools between hosts: network namespaces with a cable each, which the tests make and cut.
//!
//! * here: the store; [`harness`]: the hosts.
//! * [`rails`]: virtual machines with RDMA devices instead of these hosts.
//! * [`cluster`]: members of a pool on hosts; [`pools`], [`heap`], [`kills`], [`cables`], [`unknown_peers`],
//!   [`crowds`], [`ends`]: test topics.
//!
//! Needs the right to make namespaces; without it, each test prints a skip; pool tests then run over the
//! loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong here fails the test"
)]

mod cables;
mod cluster;
mod crowds;
mod ends;
mod harness;
mod heap;
mod kills;
mod pools;
mod rails;
mod unknown_peers;

use std::process::{Command, Stdio};

use harness::{Hosts, Member, address};
use mf_tests::{deadline, skip};

const SECRET: (&str, &str) = ("MF_JOB_SECRET", "a secret of sixteen bytes and more");
const SHORT_LEASE: (&str, &str) = ("MF_STORE_LEASE", "1s");

/// The hosts, or none where they cannot be made.
fn hosts(test: &str, count: u32) -> Option<Hosts> {
    Hosts::new(count).inspect_err(|reason| skip(test, reason)).ok()
}

fn url(hosts: &[u32]) -> String {
    let addresses: Vec<String> = hosts.iter().map(|host| format!("{}:5570", address(*host))).collect();
    format!("tcp://{}", addresses.join(","))
}

fn joined(hosts: &Hosts, places: &[u32], environment: &[(&str, &str)], url: &str) -> Vec<Member> {
    let mut members: Vec<Member> = places.iter().map(|host| hosts.member(*host, environment)).collect();
    for member in &mut members {
        member.ok(&format!("join {url} {}", places.len()));
    }
    members
}

#[test]
fn hosts_meet_over_tls_with_only_a_secret() {
    let Some(hosts) = hosts("hosts_meet_over_tls_with_only_a_secret", 3) else { return };
    let url = url(&[0]);
    let mut server = hosts.member(0, &[SECRET]);
    server.ok(&format!("serve {url}"));
    let mut members = joined(&hosts, &[1, 2, 2], &[SECRET], &url);
    for (number, member) in members.iter_mut().enumerate() {
        member.send(&format!("gather names 3 m{number} 10000"));
    }
    let texts: Vec<String> = members.iter_mut().map(|member| member.answer().unwrap()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]) && texts[0].matches('=').count() == 3, "{texts:?}");

    let wrong = hosts
        .member(1, &[("MF_JOB_SECRET", "another secret of sixteen bytes")])
        .refused(&format!("join {url} 3"));
    assert!(wrong.contains("the job secret differs"), "{wrong}");
    let none = hosts.member(1, &[]).refused(&format!("join {url} 3"));
    assert!(none.contains("MF_JOB_SECRET"), "{none}");
    let plain = hosts.member(1, &[("MF_STORE_TLS", "off")]).refused(&format!("join {url} 3"));
    assert!(plain.contains("encrypted connections only"), "{plain}");
    assert_eq!(members[0].ok("add n 1"), "1");
}

#[test]
fn openssl_client_is_refused() {
    let Some(hosts) = hosts("openssl_client_is_refused", 2) else { return };
    let url = url(&[0]);
    hosts_serving(&hosts, &url, |hosts| {
        let connect = format!("{}:5570", address(0));
        let mut openssl = hosts.command(1, "openssl");
        openssl.args(["s_client", "-connect", &connect, "-tls1_3"]);
        let ended = openssl.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let output = match ended {
            Ok(output) if output.status.code() != Some(127) => output,
            _ => {
                skip("openssl_client_is_refused", "openssl is not installed");
                return;
            }
        };
        let printed =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && printed.contains("alert"), "{printed}");
        assert!(printed.contains("no peer certificate available"), "{printed}");
    });
}

fn hosts_serving(hosts: &Hosts, url: &str, body: impl FnOnce(&Hosts)) {
    let mut server = hosts.member(0, &[SECRET]);
    server.ok(&format!("serve {url}"));
    body(hosts);
    // The store has stayed up.
    assert_eq!(hosts.member(1, &[SECRET]).ok(&format!("join {url} 1")), "0");
}

#[test]
fn disconnected_host_is_dead_within_the_lease() {
    let Some(hosts) = hosts("disconnected_host_is_dead_within_the_lease", 3) else {
        return;
    };
    let (url, environment) = (url(&[0]), [SECRET, SHORT_LEASE]);
    let mut server = hosts.member(0, &environment);
    server.ok(&format!("serve {url}"));
    let mut members = joined(&hosts, &[1, 2], &environment, &url);
    members[0].ok("watch-members");
    members[0].ok("watch mine");
    members[1].ok("set-mine mine here");
    members[1].ok("watch mine");
    members[0].await_event("put:mine=here");
    hosts.cable(2, false);
    members[0].await_event("Lost:mine");
    assert!(!members[0].ok("members").contains(','));
    hosts.cable(2, true);
    // It learns that it has been given up.
    members[1].await_event("store-lost");
    assert!(members[1].refused("add n 1").starts_with("NotConnected"));
}

#[test]
fn short_link_outage_is_survived() {
    let Some(hosts) = hosts("short_link_outage_is_survived", 2) else { return };
    let url = url(&[0]);
    let mut server = hosts.member(0, &[SECRET]);
    server.ok(&format!("serve {url}"));
    let mut members = joined(&hosts, &[1, 1], &[SECRET], &url);
    members[0].ok("add n 1");
    hosts.cable(1, false);
    members[0].send("add n 1");
    hosts.cable(1, true);
    assert_eq!(members[0].answer().unwrap(), "2");
    assert_eq!(members[1].ok("get n"), "2");
}

#[test]
fn store_killed_under_load_recovers_every_acknowledged_count() {
    let Some(hosts) = hosts("store_killed_under_load_recovers_every_acknowledged_count", 3) else {
        return;
    };
    let url = url(&[0]);
    let mut server = hosts.member(0, &[SECRET]);
    server.ok(&format!("serve {url}"));
    let mut members = joined(&hosts, &[1, 1, 2, 2], &[SECRET], &url);
    members[0].ok("watch-members");
    for member in &mut members {
        member.ok("count n");
    }
    for kill in 0..3 {
        assert!(deadline::wait_until(
            || members[0].ok("get n").parse::<i64>().unwrap_or(0) > 100 * (kill + 1)
        ));
        server.kill();
        server = hosts.member(0, &[SECRET]);
        server.ok(&format!("serve {url}"));
    }
    let (mut acknowledged, mut unknown) = (0, 0);
    for member in &mut members {
        let text = member.ok("count-end");
        let mut numbers = text.split(' ').map(|word| word.parse::<i64>().unwrap_or(0));
        acknowledged += numbers.next().unwrap();
        unknown += numbers.next().unwrap();
    }
    let count: i64 = members[0].ok("get n").parse().unwrap();
    assert!(
        count >= acknowledged && count <= acknowledged + unknown,
        "{count}: {acknowledged} and {unknown}"
    );
    assert_eq!(members[1].ok("members"), "0,1,2,3");
    let events = members[0].ok("events");
    assert!(!events.contains("dead"), "{events}");
}

#[test]
fn store_moves_to_the_standby_host() {
    let Some(hosts) = hosts("store_moves_to_the_standby_host", 3) else { return };
    let (url, environment) = (url(&[0, 1]), [SECRET, SHORT_LEASE]);
    let mut server = hosts.member(0, &environment);
    server.ok(&format!("serve {url}"));
    let mut members = joined(&hosts, &[1, 2, 2], &environment, &url);
    members[1].ok("set k v");
    assert_eq!(members[1].ok("add n 5"), "5");
    let before: u64 = members[1].ok("term").parse().unwrap();
    hosts.cable(0, false);
    // Operations in flight when the store died that must not happen twice report an unknown outcome.
    assert_eq!(members[0].ok("get k"), "v");
    assert_eq!(members[2].ok("get n"), "5");
    assert_eq!(members[2].ok("add n 1"), "6");
    assert!(members[1].ok("term").parse::<u64>().unwrap() > before);
    // The old one finds the new one and yields: a newcomer that asks in order meets the leader.
    hosts.cable(0, true);
    members[0].ok("leave");
    let mut newcomer = hosts.member(2, &environment);
    newcomer.ok(&format!("join-only {url} 3"));
    assert_eq!(newcomer.ok("get n"), "6");
}

#[test]
fn network_namespaces_are_removed() {
    let Some(hosts) = hosts("network_namespaces_are_removed", 1) else { return };
    let listed =
        || String::from_utf8(Command::new("ip").args(["netns", "list"]).output().unwrap().stdout).unwrap();
    let before = listed();
    drop(hosts);
    assert!(listed().len() < before.len());
}
