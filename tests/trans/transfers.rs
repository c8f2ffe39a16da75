// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arrivals and refusals.

use crate::member::{HOST_ROADS, Place, ROADS, Road};

const MIB: u64 = 1 << 20;
const OWNER: &str = "127.0.0.1:5001";
const OTHER: &str = "[::1]:5002_b";

#[test]
fn every_memory_kind_is_accessible_from_another_process() {
    for road in [ROADS.as_slice(), &[Road::HostTwice]].concat() {
        let place = Place::open();
        let (mut owner, mut other) = (place.member(OWNER, road), place.member(OTHER, road));
        for kind in ["map", "allocate"] {
            let bytes = 20 * MIB;
            let address = owner.ok(&format!("{kind} {bytes}"));
            owner.ok(&format!("register {address} {bytes}"));
            for (length, byte) in [(1, 1), (8, 2), (4097, 3), (3 * MIB + 1, 4), (bytes, 5)] {
                other.ok(&format!("write {OWNER} {address} {length} {byte}"));
                owner.ok(&format!("find {address} {length} {byte}"));
                other.ok(&format!("read {OWNER} {address} {length} {byte}"));
            }
            // In both directions.
            let here = other.ok(&format!("{kind} {MIB}"));
            other.ok(&format!("register {here} {MIB}"));
            owner.ok(&format!("write {OTHER} {here} {MIB} 9"));
            other.ok(&format!("find {here} {MIB} 9"));
            // To itself.
            owner.ok(&format!("write {OWNER} {address} 5000 7"));
            owner.ok(&format!("find {address} 5000 7"));
        }
    }
}

#[test]
fn batch_is_scattered_and_its_invalid_piece_is_named() {
    for road in [ROADS.as_slice(), &[Road::HostTwice]].concat() {
        let place = Place::open();
        let (mut owner, mut other) = (place.member(OWNER, road), place.member(OTHER, road));
        let address = owner.ok("map 0x1000000");
        owner.ok(&format!("register {address} 0x1000000"));
        for (bytes, pieces) in [(8, 10_000), (1000, 600), (65536, 122)] {
            owner.ok(&format!("fill {address} 0x1000000 0"));
            other.ok(&format!("batch {OWNER} {address} {bytes} {pieces} 6"));
            let start = u64::from_str_radix(&address[2..], 16).unwrap();
            for piece in [0, 1, pieces / 2, pieces - 1] {
                owner.ok(&format!("find {} {bytes} 6", start + piece * 2 * bytes));
                owner.ok(&format!("find {} {bytes} 0", start + (piece * 2 + 1) * bytes));
            }
        }
        let pieces = 0x1000000 / 2 / 65536 + 1;
        other.refused(
            &format!("batch {OWNER} {address} 65536 {pieces} 6"),
            -2000,
            &format!("piece {}", pieces - 1),
        );
    }
}

#[test]
fn transfer_outside_a_registration_is_refused() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, mut other) = (place.member(OWNER, road), place.member(OTHER, road));
        let address = owner.ok("map 0x100000");
        let start = u64::from_str_radix(&address[2..], 16).unwrap();
        owner.ok(&format!("fill {address} 0x100000 3"));
        other.refused(&format!("write {OWNER} {address} 8 1"), -2000, "registered");
        owner.ok(&format!("register {} 0x1000", start + 0x1000));
        owner.ok(&format!("register {} 0x1000", start + 0x2000));
        for (at, bytes) in [(0xfff, 1), (0xfff, 2), (0x1000, 0x1001), (0x1fff, 2), (0x2fff, 2), (0x3000, 8)] {
            other.refused(&format!("write {OWNER} {} {bytes} 1", start + at), -2000, "registered");
            other.refused(&format!("read {OWNER} {} {bytes} 3", start + at), -2000, "registered");
        }
        owner.ok(&format!("find {address} 0x100000 3"));
        other.ok(&format!("write {OWNER} {} 0x1000 4", start + 0x1000));
        owner.ok(&format!("deregister {}", start + 0x1000));
        owner.refused(&format!("deregister {}", start + 0x1000), -2007, "registered");
        owner.refused(&format!("free {}", start + 0x1000), -2007, "allocated");
        other.refused(&format!("write {OWNER} {} 8 1", start + 0x1000), -2000, "registered");
        other.ok(&format!("write {OWNER} {} 8 1", start + 0x2000));
        // Registered again, it is there again.
        owner.ok(&format!("register {} 0x1000", start + 0x1000));
        other.ok(&format!("write {OWNER} {} 8 1", start + 0x1000));
        // Memory that is not there, in the middle of a registration.
        owner.ok(&format!("unmap {} 0x1000", start + 0x9000));
        owner.ok(&format!("register {} 0x4000", start + 0x8000));
        if road == Road::Host {
            other.refused(&format!("write {OWNER} {} 0x4000 1", start + 0x8000), -2000, "writable");
        }
        other.ok(&format!("write {OWNER} {} 8 1", start + 0x8000));
    }
}

#[test]
fn ten_thousand_registrations_are_reached() {
    for road in ROADS {
        let place = Place::open();
        let (mut owner, mut other) = (place.member(OWNER, road), place.member(OTHER, road));
        let address = owner.ok("map 0x5000000");
        let start = u64::from_str_radix(&address[2..], 16).unwrap();
        assert_eq!(owner.ok(&format!("register_parts {address} 8192 10000")), "10000");
        for part in [0, 1, 9999, 5000, 17, 4711] {
            other.ok(&format!("write {OWNER} {} 8192 1", start + part * 8192));
            other.refused(&format!("write {OWNER} {} 8192 1", start + part * 8192 + 1), -2000, "registered");
        }
        // One piece in each of a thousand.
        other.ok(&format!("batch {OWNER} {address} 4096 1000 2"));
        owner.ok(&format!("find {} 4096 2", start + 999 * 8192));
    }
}

#[test]
fn large_transfer_names_the_first_unmapped_address() {
    for road in HOST_ROADS {
        let place = Place::open();
        let (mut owner, mut other) = (place.member(OWNER, road), place.member(OTHER, road));
        let bytes = 8 * MIB;
        let address = owner.ok(&format!("map {bytes}"));
        let start = u64::from_str_radix(&address[2..], 16).unwrap();
        owner.ok(&format!("register {address} {bytes}"));
        // Connected before there are holes: nothing of the owner's own comes to lie in them.
        other.ok(&format!("write {OWNER} {address} {bytes} 0"));
        let holes = [start + 3 * MIB + 4096, start + 7 * MIB];
        for hole in holes {
            owner.ok(&format!("unmap {hole} 4096"));
        }
        // Several times, as either thread may come to a hole first.
        for _ in 0..20 {
            let first = format!("{:#x}", holes[0]);
            other.refused(&format!("write {OWNER} {address} {bytes} 1"), -2000, &first);
            other.refused(&format!("read {OWNER} {address} {bytes} 1"), -2000, &first);
        }
        // Data before it was copied, and pieces without a hole are copied.
        owner.ok(&format!("find {address} {} 1", holes[0] - start));
        let behind = holes[0] + 4096;
        other.ok(&format!("write {OWNER} {behind} {} 2", holes[1] - behind));
        owner.ok(&format!("find {behind} {} 2", holes[1] - behind));
        // The pieces of a batch, and which of them is not there.
        other.refused(&format!("batch {OWNER} {address} 65536 64 3"), -2000, "piece 24");
    }
}
