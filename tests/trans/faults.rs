// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes that die, stand still, come back or never were.

use mf_tests::deadline::wait_until;

use crate::member::{HOST_ROADS, Member, Place, ROADS, Refused};

const OWNER: &str = "127.0.0.1:5001";
const OTHER: &str = "127.0.0.1:5002";

/// A process with memory under the name; the address.
fn owner(place: &Place, road: crate::member::Road) -> (Member, String) {
    let mut owner = place.member(OWNER, road);
    let address = owner.ok("map 65536");
    owner.ok(&format!("register {address} 65536"));
    (owner, address)
}

#[test]
fn a_name_that_is_not_there_is_not_connected_and_is_found_later() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        other.refused(&format!("write {OWNER} 0x1000 8 1"), -2014, OWNER);
        let (_owner, address) = owner(&place, road);
        other.ok(&format!("write {OWNER} {address} 8 1"));
    }
}

#[test]
fn a_name_is_taken_once_and_free_again_behind_its_end() {
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
fn a_killed_owner_is_not_connected_and_its_successor_is_found() {
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
fn an_owner_that_is_killed_under_large_copies_ends_them_all() {
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

/// Whether no endpoint has the name; one that tries takes it for a moment.
fn is_free(place: &Place) -> bool {
    let mut probe = Member::start(OWNER, ROADS[0]);
    match probe.order(&format!("create {} {OTHER}_probe", place.url())) {
        Ok(_) => matches!(probe.order(&format!("write {OWNER} 0x1000 8 1")), Err(Refused(-2014, text))
            if text.contains("no endpoint of this name")),
        Err(_) => false,
    }
}

#[test]
fn a_process_that_ends_in_order_is_found_again_under_its_name() {
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
            // What was registered before is gone.
            other.refused(&format!("write {OWNER} {address} 8 1"), -2000, "registered");
            owner.ok(&format!("register {address} 65536"));
            let expected = round.to_string();
            assert!(wait_until(|| other.ok("downs") == expected), "the end is not reported once");
        }
    }
}

#[test]
fn a_stopped_owner_is_not_connected_at_the_deadline_and_reached_when_it_goes_on() {
    for road in ROADS {
        let place = Place::open();
        let (owner, address) = owner(&place, road);
        let mut other = place.hasty_member(OTHER, road);
        owner.stop();
        other.refused(&format!("write {OWNER} {address} 8 1"), -2014, OWNER);
        owner.go_on();
        assert!(wait_until(|| other.order(&format!("write {OWNER} {address} 8 1")).is_ok()));
        if road == crate::member::Road::Host {
            // What was granted needs nothing of it.
            owner.stop();
            other.ok(&format!("write {OWNER} {address} 8 2"));
            owner.go_on();
        }
    }
}

#[test]
fn one_dead_among_many_holds_up_none_and_threads_do_not_grow_with_peers() {
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
