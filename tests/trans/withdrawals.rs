// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory that is withdrawn in the middle of transfers: from then on no byte of others.

use crate::member::{HOST_ROADS, Place, ROADS, Road};

const OWNER: &str = "127.0.0.1:5001";
const OTHERS: [&str; 2] = ["127.0.0.1:5002", "127.0.0.1:5003"];

/// Rounds of one case.
const ROUNDS: u32 = 1500;

#[test]
fn no_remote_byte_arrives_after_a_withdrawal() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, mut others) =
            (place.member(OWNER, road), OTHERS.map(|name| place.member(name, road)));
        for kind in ["map", "allocate"] {
            let address = owner.ok(&format!("{kind} 65536"));
            owner.ok(&format!("register {address} 65536"));
            for other in &mut others {
                other.ok(&format!("write {OWNER} {address} 8 1"));
                other.ok(&format!("hammer 2 {OWNER} {address} 65536"));
            }
            owner.ok(&format!("churn {address} 65536 {ROUNDS}"));
            for other in &mut others {
                let counts = other.ok("halt");
                let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
                assert!(counts[0] > 0 && counts[1] > 0 && counts[2] == 0, "{road:?}, {kind}: {counts:?}");
            }
            owner.ok(&format!("deregister {address}"));
        }
    }
}

#[test]
fn no_byte_of_large_copies_arrives_after_a_withdrawal() {
    for road in HOST_ROADS {
        let place = Place::open();
        let (mut owner, mut others) =
            (place.member(OWNER, road), OTHERS.map(|name| place.member(name, road)));
        let bytes = 4 << 20;
        let address = owner.ok(&format!("map {bytes}"));
        owner.ok(&format!("register {address} {bytes}"));
        for other in &mut others {
            other.ok(&format!("write {OWNER} {address} {bytes} 1"));
            other.ok(&format!("hammer 2 {OWNER} {address} {bytes}"));
        }
        owner.ok(&format!("churn {address} {bytes} 50"));
        for other in &mut others {
            let counts = other.ok("halt");
            assert!(counts.ends_with(" 0"), "{road:?}: {counts}");
        }
    }
}

#[test]
fn freed_and_reused_memory_gets_no_remote_byte() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, mut others) =
            (place.member(OWNER, road), OTHERS.map(|name| place.member(name, road)));
        // Most likely place of the next mapping.
        let address = owner.ok("map 65536");
        owner.ok(&format!("unmap {address} 65536"));
        for other in &mut others {
            other.refused(&format!("write {OWNER} {address} 8 1"), -2000, "registered");
            other.ok(&format!("hammer 2 {OWNER} {address} 65536"));
        }
        owner.ok(&format!("churn_fresh 65536 {ROUNDS}"));
        for other in &mut others {
            let counts = other.ok("halt");
            assert!(counts.ends_with(" 0"), "{road:?}: {counts}");
        }
    }
}

#[test]
fn killed_process_does_not_block_a_withdrawal() {
    let place = Place::open();
    let mut owner = place.member(OWNER, Road::Host);
    for (number, (kind, bytes, road)) in (0..).zip([
        ("map", 65536, Road::Host),
        ("allocate", 65536, Road::Host),
        ("map", 4 << 20, Road::HostTwice),
    ]) {
        let address = owner.ok(&format!("{kind} {bytes}"));
        owner.ok(&format!("register {address} {bytes}"));
        for round in 0..10 {
            let mut other = place.member(&format!("127.0.0.1:{}", 6000 + 10 * number + round), road);
            other.ok(&format!("write {OWNER} {address} {bytes} 1"));
            other.ok(&format!("hammer 2 {OWNER} {address} {bytes}"));
            owner.send(&format!("churn {address} {bytes} {}", if bytes > 65536 { 5 } else { 50 }));
            other.kill();
            owner.answer().unwrap();
        }
        owner.ok(&format!("deregister {address}"));
    }
}

#[test]
fn stopped_process_delays_a_withdrawal_until_the_deadline() {
    let place = Place::open();
    let (mut owner, mut other) = (place.hasty_member(OWNER, Road::Host), place.member(OTHERS[0], Road::Host));
    let address = owner.ok("map 65536");
    owner.ok(&format!("register {address} 65536"));
    other.ok(&format!("write {OWNER} {address} 65536 1"));
    other.ok(&format!("hammer 2 {OWNER} {address} 65536"));
    let mut was_held = false;
    for _ in 0..20 {
        other.stop();
        // It stands in the middle of a copy, or not.
        match owner.order(&format!("churn {address} 65536 1")) {
            Ok(_) => {}
            Err(refused) => {
                assert_eq!(refused.0, -2004, "{refused:?}");
                assert!(refused.1.contains("pid"), "{refused:?}");
                was_held = true;
            }
        }
        other.go_on();
        if was_held {
            break;
        }
    }
    // Withdrawn memory is out of reach, and memory registered again is not.
    if was_held {
        owner.ok(&format!("register {address} 65536"));
    }
    owner.ok(&format!("churn {address} 65536 20"));
    other.ok("halt");
    other.ok(&format!("write {OWNER} {address} 65536 1"));
}
