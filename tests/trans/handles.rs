// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Started transfers: death, stop, withdrawal, cancellation and destruction under them; prepared lists.

use mf_tests::deadline::wait_until;

use crate::member::{Member, Place, ROADS, Road};

const OWNER: &str = "127.0.0.1:5001";
const OTHER: &str = "127.0.0.1:5002";
const BYTES: u64 = 1 << 20;

const CANCELLED: i32 = -2098;

/// A process with registered memory.
fn owner(place: &Place, name: &str, road: Road) -> (Member, String) {
    let mut owner = place.member(name, road);
    let address = owner.ok(&format!("map {BYTES}"));
    owner.ok(&format!("register {address} {BYTES}"));
    (owner, address)
}

/// An owner that stands still before anything was transferred to it, and a transfer to it that waits.
fn pending(place: &Place, road: Road, other: &mut Member) -> (Member, String, String, String) {
    let (owner, there) = owner(place, OWNER, road);
    let here = other.ok(&format!("map {BYTES}"));
    other.ok(&format!("fill {here} {BYTES} 1"));
    owner.stop();
    let transfer = other.ok(&format!("start {OWNER} {here} {there} {BYTES}"));
    assert_eq!(other.ok(&format!("poll {transfer}")), "pending");
    (owner, there, here, transfer)
}

#[test]
fn transfer_to_a_stopped_process_times_out_naming_it() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        let (mut owner, there, here, transfer) = pending(&place, road, &mut other);
        other.refused(&format!("await {transfer} 50"), -2004, OWNER);
        // One that was not begun is cancelled at once, and does nothing later.
        other.ok(&format!("fill {here} 8 2"));
        let second = other.ok(&format!("start {OWNER} {here} {there} 8 second"));
        let third = other.ok(&format!("start {OWNER} {here} {there} 8 third"));
        other.ok(&format!("cancel {second}"));
        other.refused(&format!("poll {second}"), CANCELLED, OWNER);
        other.ok(&format!("drop {third}"));
        other.ok(&format!("fill {here} 8 1"));
        owner.go_on();
        other.ok(&format!("await {transfer} 60000"));
        other.ok(&format!("cancel {transfer}"));
        assert_eq!(other.ok(&format!("poll {transfer}")), "done", "{road:?}");
        owner.ok(&format!("find {there} {BYTES} 1"));
        assert_eq!(owner.ok("take_all"), "");
    }
}

#[test]
fn stopped_process_fails_transfers_at_the_network_timeout() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.hasty_member(OTHER, road);
        let (_owner, there, here, transfer) = pending(&place, road, &mut other);
        let (mut third, elsewhere) = owner(&place, "127.0.0.1:5003", road);
        // Others are not held up.
        let beside = other.ok(&format!("start 127.0.0.1:5003 {here} {elsewhere} 8 beside"));
        other.ok(&format!("await {beside} 60000"));
        assert_eq!(third.ok("take_all"), format!("{OTHER}=beside"));
        other.refused(&format!("await {transfer} 60000"), -2014, OWNER);
        let again = other.ok(&format!("start {OWNER} {here} {there} 8"));
        // A running copy ends before the cancel returns.
        other.ok(&format!("cancel {again}"));
        let refused = other.order(&format!("poll {again}")).unwrap_err();
        assert!([CANCELLED, -2014].contains(&refused.0), "{road:?}: {refused:?}");
    }
}

#[test]
fn pending_transfers_fail_when_a_process_is_killed() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        let (owner, there, here, transfer) = pending(&place, road, &mut other);
        let behind = other.ok(&format!("start {OWNER} {here} {there} 8 behind"));
        owner.kill();
        other.refused(&format!("await {transfer} 60000"), -2014, OWNER);
        other.refused(&format!("await {behind} 60000"), -2014, OWNER);
        other.refused(&format!("notify {OWNER} x"), -2014, OWNER);
    }
}

#[test]
fn destroying_an_endpoint_cancels_pending_transfers() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        let (mut owner, there, here, first) = pending(&place, road, &mut other);
        let rest: Vec<String> =
            (0..5).map(|_| other.ok(&format!("start {OWNER} {here} {there} {BYTES} x"))).collect();
        let list = {
            other.ok(&format!("register {here} {BYTES}"));
            other.ok(&format!("prepare {OWNER} {here} {there} 8 4"))
        };
        other.ok("destroy");
        for transfer in rest.iter().chain([&first]) {
            other.refused(&format!("poll {transfer}"), CANCELLED, OWNER);
        }
        other.refused(&format!("start_prepared {list} x"), CANCELLED, OWNER);
        other.ok(&format!("unmap {here} {BYTES}"));
        owner.go_on();
        assert_eq!(owner.ok("take_all"), "", "{road:?}");
        assert!(wait_until(|| other.ok("threads_of mf-transfer") == "0"), "threads stay");
    }
}

#[test]
fn memory_withdrawn_during_transfers_gets_no_later_byte() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, there) = owner(&place, OWNER, road);
        let mut other = place.member(OTHER, road);
        let here = other.ok(&format!("map {BYTES}"));
        other.ok(&format!("fill {here} {BYTES} 238"));
        owner.send(&format!("churn {there} {BYTES} 60"));
        let (mut done, mut refused) = (0, 0);
        for _ in 0..60 {
            let transfers: Vec<String> =
                (0..4).map(|_| other.ok(&format!("start {OWNER} {here} {there} {BYTES}"))).collect();
            for transfer in transfers {
                match other.order(&format!("await {transfer} 60000")) {
                    Ok(_) => done += 1,
                    Err(error) if error.0 == -2000 => refused += 1,
                    Err(error) => panic!("{error:?}"),
                }
                other.ok(&format!("drop {transfer}"));
            }
        }
        owner.answer().unwrap();
        assert_eq!(done + refused, 240, "{road:?}: {done} {refused}");
        owner.ok(&format!("deregister {there}"));
        let transfer = other.ok(&format!("start {OWNER} {here} {there} 8"));
        other.refused(&format!("await {transfer} 60000"), -2000, "registered");
    }
}

#[test]
fn cancelled_transfer_touches_no_memory_after_its_end() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, there) = owner(&place, OWNER, road);
        owner.ok(&format!("fill {there} {BYTES} 3"));
        let mut other = place.member(OTHER, road);
        other.ok(&format!("race {OWNER} {there} {BYTES} 150"));
    }
}

#[test]
fn prepared_list_is_reusable_until_its_memory_is_withdrawn() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, there) = owner(&place, OWNER, road);
        let mut other = place.member(OTHER, road);
        let here = other.ok(&format!("map {BYTES}"));
        other.refused(&format!("prepare {OWNER} {here} {there} 4096 16"), -2000, "registered");
        other.refused(&format!("prepare 127.0.0.1:1 {here} {there} 4096 16"), -2014, "127.0.0.1:1");
        other.ok(&format!("register {here} 65536"));
        other.refused(&format!("prepare {OWNER} {here} {there} 4096 17"), -2000, "piece 16");
        let list = other.ok(&format!("prepare {OWNER} {here} {there} 4096 16"));
        for byte in 1..20 {
            other.ok(&format!("fill {here} 65536 {byte}"));
            let transfer = other.ok(&format!("start_prepared {list} all"));
            other.ok(&format!("await {transfer} 60000"));
            owner.ok(&format!("find {there} 65536 {byte}"));
        }
        // Some of them.
        other.ok(&format!("fill {here} 65536 77"));
        let transfer = other.ok(&format!("start_prepared {list} some 2 15"));
        other.ok(&format!("await {transfer} 60000"));
        let start = u64::from_str_radix(&there[2..], 16).unwrap();
        for (piece, byte) in [(1, 19), (2, 77), (3, 19), (14, 19), (15, 77)] {
            owner.ok(&format!("find {} 4096 {byte}", start + piece * 4096));
        }
        other.refused(&format!("start_prepared {list} some 2 16"), -2000, "piece 16");
        let mut expected = vec![format!("{OTHER}=all"); 19];
        expected.push(format!("{OTHER}=some"));
        assert_eq!(owner.ok("take_all"), expected.join(" "));
        // The owner decides at the moment of access.
        owner.ok(&format!("deregister {there}"));
        let transfer = other.ok(&format!("start_prepared {list} none"));
        other.refused(&format!("await {transfer} 60000"), -2000, "registered");
        owner.ok(&format!("register {there} {BYTES}"));
        // So does this side.
        other.ok(&format!("deregister {here}"));
        other.refused(&format!("start_prepared {list} none"), -2000, "piece 0");
        other.ok(&format!("register {here} {BYTES}"));
        let transfer = other.ok(&format!("start_prepared {list} again"));
        other.ok(&format!("await {transfer} 60000"));
        // Another process has other memory.
        owner.kill();
        let (mut owner, _) = loop_owner(&place, road);
        let transfer = other.ok(&format!("start_prepared {list} none"));
        other.refused(&format!("await {transfer} 60000"), -2014, OWNER);
        assert_eq!(owner.ok("take_all"), "");
    }
}

/// An owner under a name that becomes free.
fn loop_owner(place: &Place, road: Road) -> (Member, String) {
    let mut owner = Member::start(OWNER, road);
    assert!(wait_until(|| owner.order(&format!("create {} {OWNER}", place.url())).is_ok()));
    let address = owner.ok(&format!("map {BYTES}"));
    owner.ok(&format!("register {address} {BYTES}"));
    (owner, address)
}

#[test]
fn transfer_to_a_missing_name_fails() {
    for road in ROADS {
        let place = Place::open();
        let mut other = place.member(OTHER, road);
        let here = other.ok("map 4096");
        let transfer = other.ok(&format!("start {OWNER} {here} 0x1000 8"));
        other.refused(&format!("await {transfer} 60000"), -2014, OWNER);
        other.refused(&format!("start {OWNER} {here} 0x1000 0"), -2000, "0 bytes");
        let (_owner, there) = owner(&place, OWNER, road);
        let transfer = other.ok(&format!("start {OWNER} {here} {there} 8"));
        other.ok(&format!("await {transfer} 60000"));
    }
}
