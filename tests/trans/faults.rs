// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes that die, stand still, come back or never were.

use mf_tests::deadline::wait_until;

use crate::member::{HOST_ROADS, Member, Place, ROADS, Refused, Road};

const OWNER: &str = "127.0.0.1:5001";
const OTHER: &str = "127.0.0.1:5002";

/// A process with memory under the name; the address.
fn owner(place: &Place, road: Road) -> (Member, String) {
    let mut owner = place.member(OWNER, road);
    let address = owner.ok("map 65536");
    owner.ok(&format!("register {address} 65536"));
    (owner, address)
}

#[test]
fn missing_name_is_not_connected_until_it_appears() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        other.refused(&format!("write {OWNER} 0x1000 8 1"), -2014, OWNER);
        let (_owner, address) = owner(&place, road);
        other.ok(&format!("write {OWNER} {address} 8 1"));
    }
}

#[test]
fn unmapped_remote_memory_is_refused_and_both_processes_live() {
    const PAGE: u64 = 4096;
    for road in [ROADS.as_slice(), &[Road::Encrypted]].concat() {
        let place = Place::open();
        let (mut owner, good) = owner(&place, road);
        let mut other = place.member(OTHER, road);
        let number = |address: &str| u64::from_str_radix(&address[2..], 16).unwrap();
        for bytes in [2 * PAGE, 8 * PAGE, 3 << 20] {
            let whole = owner.ok(&format!("map {bytes}"));
            owner.ok(&format!("register {whole} {bytes}"));
            let (start, middle) = (number(&whole), number(&whole) + bytes / 2);
            // Read-only in its second half, and then not there.
            owner.ok(&format!("protect {middle} {}", bytes / 2));
            other.refused(&format!("write {OWNER} {start} {bytes} 1"), -2000, "bytes");
            other.refused(&format!("write {OWNER} {middle} 8 1"), -2000, &format!("{middle:#x}"));
            other.ok(&format!("read {OWNER} {middle} 8 0"));
            owner.ok(&format!("unmap {middle} {}", bytes / 2));
            for (at, length) in [(start, bytes), (middle - 4, 8), (middle, 8), (middle, bytes / 2)] {
                other.refused(&format!("write {OWNER} {at} {length} 1"), -2000, "bytes");
                other.refused(&format!("read {OWNER} {at} {length} 1"), -2000, "bytes");
                other.ok(&format!("write {OWNER} {good} 65536 2"));
                other.ok(&format!("read {OWNER} {good} 65536 2"));
            }
            other.ok(&format!("write {OWNER} {start} {} 3", bytes / 2));
            owner.ok(&format!("find {start} {} 3", bytes / 2));
            owner.ok(&format!("unmap {start} {}", bytes / 2));
            other.refused(&format!("write {OWNER} {start} {bytes} 1"), -2000, &format!("{start:#x}"));
            owner.ok(&format!("deregister {whole}"));
        }
    }
}

#[test]
fn unmapped_local_memory_is_refused_and_the_caller_lives() {
    for road in [ROADS.as_slice(), &[Road::Encrypted]].concat() {
        let place = Place::open();
        let (_owner, good) = owner(&place, road);
        let mut other = place.member(OTHER, road);
        let whole = other.ok("map 0x10000");
        let middle = u64::from_str_radix(&whole[2..], 16).unwrap() + 0x8000;
        other.ok(&format!("unmap {middle} 0x8000"));
        for (at, bytes) in [(middle - 4, 8), (middle, 8), (middle - 0x8000, 0x10000)] {
            for direction in ["in", "out"] {
                let order = format!("copy {direction} {OWNER} {at} {good} {bytes}");
                other.refused(&order, -2000, "bytes");
                other.ok(&format!("write {OWNER} {good} 65536 2"));
            }
        }
        other.ok(&format!("protect {} 0x8000", middle - 0x8000));
        other.refused(&format!("copy in {OWNER} {} {good} 8", middle - 8), -2000, "writable here");
        other.ok(&format!("copy out {OWNER} {} {good} 8", middle - 8));
    }
}

#[test]
fn name_is_exclusive_until_its_owner_ends() {
    let place = Place::open();
    let road = ROADS[0];
    let (mut first, _) = owner(&place, road);
    let mut second = Member::start(OWNER, road);
    second.refused(&format!("create {} {OWNER}", place.url()), -2006, OWNER);
    second.refused(&format!("create {} localhost:5", place.url()), -2000, "address");
    first.ok("destroy");
    second.ok(&format!("create {} {OWNER}", place.url()));
}

#[test]
fn killed_owner_is_not_connected_and_its_successor_is_found() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        other.ok(&format!("note_downs {OWNER}"));
        for round in 1..4 {
            let (owner, address) = owner(&place, road);
            other.ok(&format!("write {OWNER} {address} 8 1"));
            if round == 2 {
                other.ok(&format!("hammer 2 {OWNER} {address} 65536"));
            }
            owner.kill();
            if round == 2 {
                other.ok("halt");
            }
            other.refused(&format!("write {OWNER} {address} 8 1"), -2014, OWNER);
            let expected = round.to_string();
            assert!(wait_until(|| other.ok("downs") == expected), "the end is not reported once");
            // The name is free as soon as the store has noticed the end, and the next round takes it.
            assert!(wait_until(|| is_free(&place)), "the name stays taken");
        }
    }
}

#[test]
fn killed_owner_fails_its_large_copies() {
    for road in HOST_ROADS {
        let place = Place::open();
        let mut owner = place.member(OWNER, road);
        let mut other = place.member(OTHER, road);
        let bytes = 16 << 20;
        let address = owner.ok(&format!("map {bytes}"));
        owner.ok(&format!("register {address} {bytes}"));
        other.ok(&format!("write {OWNER} {address} {bytes} 1"));
        other.ok(&format!("hammer 2 {OWNER} {address} {bytes}"));
        // The first byte is only written by the longest copies.
        assert!(wait_until(|| owner.order(&format!("find {address} 1 0xee")).is_ok()), "nothing is copied");
        owner.kill();
        // It answers when all have ended.
        other.ok("halt");
        other.refused(&format!("write {OWNER} {address} {bytes} 1"), -2014, OWNER);
    }
}

/// True if no endpoint has the name; tries by taking it for a moment.
fn is_free(place: &Place) -> bool {
    let mut probe = Member::start(OWNER, ROADS[0]);
    match probe.order(&format!("create {} {OTHER}_probe", place.url())) {
        Ok(_) => matches!(probe.order(&format!("write {OWNER} 0x1000 8 1")), Err(Refused(-2014, text))
            if text.contains("no endpoint of this name")),
        Err(_) => false,
    }
}

#[test]
fn restarted_process_is_found_under_its_name() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, address) = owner(&place, road);
        let mut other = place.member(OTHER, road);
        other.ok(&format!("note_downs {OWNER}"));
        for round in 1..4 {
            other.ok(&format!("write {OWNER} {address} 8 {round}"));
            owner.ok("destroy");
            other.refused(&format!("write {OWNER} {address} 8 1"), -2014, OWNER);
            owner.ok(&format!("create {} {OWNER}", place.url()));
            // Earlier registrations are gone.
            other.refused(&format!("write {OWNER} {address} 8 1"), -2000, "registered");
            owner.ok(&format!("register {address} 65536"));
            let expected = round.to_string();
            assert!(wait_until(|| other.ok("downs") == expected), "the end is not reported once");
        }
    }
}

#[test]
fn stopped_owner_times_out_and_is_reached_after_resuming() {
    for road in ROADS {
        let place = Place::open();
        let (owner, address) = owner(&place, road);
        let mut other = place.hasty_member(OTHER, road);
        owner.stop();
        other.refused(&format!("write {OWNER} {address} 8 1"), -2014, OWNER);
        owner.go_on();
        assert!(wait_until(|| other.order(&format!("write {OWNER} {address} 8 1")).is_ok()));
        if road == Road::Host {
            // Granted access needs nothing from it.
            owner.stop();
            other.ok(&format!("write {OWNER} {address} 8 2"));
            owner.go_on();
        }
    }
}

#[test]
fn dead_peer_blocks_no_other_and_threads_are_bounded() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        let mut owners: Vec<(Member, String)> = (0..8)
            .map(|number| {
                let mut owner = place.member(&format!("127.0.0.1:{}", 7000 + number), road);
                let address = owner.ok("allocate 65536");
                (owner, address)
            })
            .collect();
        let mut threads = Vec::new();
        for (owner, address) in &owners {
            other.ok(&format!("write {} {address} 65536 1", owner.name));
            threads.push(other.ok("threads"));
        }
        assert!(threads.iter().all(|count| *count == threads[0]), "{threads:?}");
        let (dead, gone) = owners.remove(3);
        let name = dead.name.clone();
        dead.kill();
        // Memory that is mapped is reached until the end of its owner is noticed.
        assert!(wait_until(|| other.order(&format!("write {name} {gone} 8 1")).is_err()));
        for _ in 0..20 {
            other.refused(&format!("write {name} {gone} 8 1"), -2014, &name);
            for (owner, address) in &owners {
                other.ok(&format!("write {} {address} 8 1", owner.name));
            }
        }
    }
}
