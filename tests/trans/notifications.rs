// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages behind the data: visible data, their order, and messages that are not taken.

use mf_net::cma::Cma;

use crate::member::{Member, Place, Road};

const OWNER: &str = "127.0.0.1:5001";
const OTHER: &str = "127.0.0.1:5002";
/// Most that an endpoint keeps.
const MOST: usize = 8192;

/// All that a message takes here.
fn roads() -> Vec<Road> {
    let mut roads = vec![Road::Host, Road::Network, Road::Encrypted];
    match Cma::refusal() {
        None => roads.push(Road::HostOnly),
        Some(reason) => eprintln!("skip the road of the host alone: {reason}"),
    }
    roads
}

fn pair(place: &Place, road: Road) -> (Member, Member) {
    (place.member(OWNER, road), place.member(OTHER, road))
}

#[test]
fn message_arrives_after_the_data_written_before_it() {
    for road in roads() {
        let place = Place::open();
        let (mut owner, mut other) = pair(&place, road);
        for kind in ["map", "allocate"] {
            let there = owner.ok(&format!("{kind} 0x4000000"));
            owner.ok(&format!("register {there} 0x4000000"));
            let here = other.ok("map 0x4000000");
            for (bytes, byte) in [(1, 1), (5000, 2), (0x400_0000, 3)] {
                other.ok(&format!("fill {here} {bytes} {byte}"));
                let transfer = other.ok(&format!("start {OWNER} {here} {there} {bytes} written_{byte}"));
                assert_eq!(owner.ok("take 60000"), format!("{OTHER}=written_{byte}"), "{road:?}");
                owner.ok(&format!("find {there} {bytes} {byte}"));
                other.ok(&format!("await {transfer} 60000"));
            }
            owner.ok(&format!("fill {there} 5000 9"));
            let transfer = other.ok(&format!("start_read {OWNER} {here} {there} 5000 read"));
            assert_eq!(owner.ok("take 60000"), format!("{OTHER}=read"));
            other.ok(&format!("await {transfer} 60000"));
            other.ok(&format!("find {here} 5000 9"));
        }
        assert_eq!(owner.ok("take 0"), "");
        // To itself, too.
        owner.ok(&format!("notify {OWNER} mine"));
        assert_eq!(owner.ok("take_all"), format!("{OWNER}=mine"));
    }
}

#[test]
fn messages_of_one_endpoint_arrive_in_order() {
    for road in roads() {
        let place = Place::open();
        let (mut owner, mut other) = pair(&place, road);
        let (there, here) = (owner.ok("map 0x1000000"), other.ok("map 0x1000000"));
        owner.ok(&format!("register {there} 0x1000000"));
        let mut expected = Vec::new();
        for number in 0..30 {
            let bytes = if number % 3 == 0 { 0x100_0000 } else { 8 };
            let transfer = other.ok(&format!("start {OWNER} {here} {there} {bytes} {number}"));
            expected.push(format!("{OTHER}={number}"));
            if number % 5 == 4 {
                // It comes behind all that was started before.
                other.ok(&format!("notify {OWNER} alone_{number}"));
                expected.push(format!("{OTHER}=alone_{number}"));
                assert_eq!(other.ok(&format!("poll {transfer}")), "done");
            }
        }
        assert_eq!(owner.ok("take_all"), expected.join(" "), "{road:?}");
    }
}

#[test]
fn full_receiver_refuses_messages_and_loses_none() {
    for road in roads() {
        let place = Place::open();
        let (mut owner, mut other) = pair(&place, road);
        let (there, here) = (owner.ok("map 4096"), other.ok("map 4096"));
        owner.ok(&format!("register {there} 4096"));
        other.ok(&format!("notify_many {OWNER} {MOST}"));
        other.refused(&format!("notify {OWNER} more"), -2002, OWNER);
        // The data is there all the same.
        other.ok(&format!("fill {here} 8 5"));
        let transfer = other.ok(&format!("start {OWNER} {here} {there} 8 behind"));
        other.refused(&format!("await {transfer} 60000"), -2002, OWNER);
        owner.ok(&format!("find {there} 8 5"));
        assert_eq!(owner.ok("take 0"), format!("{OTHER}=0"));
        other.ok(&format!("notify {OWNER} more"));
        let all = owner.ok("take_all");
        let all: Vec<&str> = all.split(' ').collect();
        let expected = (1..MOST).map(|number| number.to_string()).chain(["more".to_owned()]);
        assert!(all.iter().copied().eq(expected.map(|message| format!("{OTHER}={message}"))), "{road:?}");
    }
}

#[test]
fn notify_rejects_unknown_endpoints_and_long_messages() {
    for road in roads() {
        let place = Place::open();
        let (mut owner, mut other) = pair(&place, road);
        other.refused("notify 127.0.0.1:1 x", -2014, "127.0.0.1:1");
        other.ok(&format!("notify {OWNER} {}", "m".repeat(4096)));
        other.refused(&format!("notify {OWNER} {}", "m".repeat(4097)), -2000, "4097");
        other.refused(&format!("notify {OWNER} {}", "m".repeat(10_000)), -2000, "10000");
        assert_eq!(owner.ok("take_all").len(), OTHER.len() + 1 + 4096);
        // Notification slots are not accessible memory.
        for order in ["write", "read"] {
            other.refused(&format!("{order} {OWNER} 0xfffff00000000000 64 1"), -2000, "");
        }
        other.refused(&format!("write {OWNER} 0xfffff00000000000 9000 1"), -2000, "");
        assert_eq!(owner.ok("take_all"), "");
        owner.ok("destroy");
        other.refused(&format!("notify {OWNER} x"), -2014, OWNER);
    }
}
