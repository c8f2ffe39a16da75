// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of a pool to its transports, also after failures: exposed memory, and the peers' introductions.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong here fails the test"
)]

mod bed;
mod counting;

use std::time::Instant;

use bed::{Bed, MIB, TIMEOUT};
use mf_base::{Kind, MemKind, Rank};
use mf_fabric::pool::member_record::MemberRecord;
use mf_fabric::space::Presence;
use mf_transport::SegmentKey;

#[test]
fn growth_refused_by_a_transport_changes_nothing() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    let before = bed.record();
    bed.transport.refuse(true);
    assert_eq!(bed.pool.extend(MemKind::Host, 2 * MIB).unwrap_err().kind(), Kind::NoResources);
    assert_eq!(bed.pool.local_bytes(MemKind::Host), 2 * MIB);
    assert_eq!(bed.record(), before);
    // It has not left: its peers still reach it.
    bed.reaches(before.key, 2 * MIB).unwrap();
    assert_eq!(bed.reaches(before.key, 4 * MIB).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(bed.transport.exposed(), [(before.key, 2 * MIB)]);

    bed.transport.refuse(false);
    bed.pool.extend(MemKind::Host, 2 * MIB).unwrap();
    bed.reaches(before.key, 4 * MIB).unwrap();
    assert_eq!((bed.record().key, bed.record().bytes), (before.key, [0, 4 * MIB]));
    bed.pool.destroy();
    assert_eq!(bed.transport.exposed(), []);
}

#[test]
fn unpublishable_growth_is_undone() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    let before = bed.record();
    bed.transport.describe(9 << 20);
    bed.pool.extend(MemKind::Host, 4 * MIB).unwrap_err();
    assert_eq!(bed.pool.local_bytes(MemKind::Host), 2 * MIB);
    assert_eq!(bed.record(), before);
    bed.reaches(before.key, 2 * MIB).unwrap();
    assert_eq!(bed.reaches(before.key, 4 * MIB).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(bed.transport.exposed(), [(before.key, 2 * MIB)]);
    let beyond = bed.pool.address(MemKind::Host, Rank(0)).unwrap().add(2 * MIB);
    assert!(bed.pool.local_address(beyond).is_err());

    bed.transport.describe(1);
    bed.pool.extend(MemKind::Host, 2 * MIB).unwrap();
    bed.pool.local_address(beyond).unwrap();
    bed.reaches(before.key, 4 * MIB).unwrap();
    assert_eq!(bed.reaches(before.key, 6 * MIB).unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn unpublishable_memory_is_not_exposed() {
    let bed = Bed::new();
    bed.transport.describe(9 << 20);
    bed.pool.join().unwrap_err();
    assert_eq!(bed.transport.exposed(), []);
    bed.transport.describe(1);
    bed.pool.join().unwrap();
    assert_eq!(bed.transport.exposed().len(), 1);
}

#[test]
fn memory_of_a_rejoined_member_is_attached_once() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    for key in 1..50 {
        bed.other_joins(key);
        // Until it knows of it.
        let limit = Instant::now() + TIMEOUT;
        while bed.transport.attached() != [SegmentKey(key)] {
            assert!(Instant::now() < limit, "{:?} at key {key}", bed.transport.attached());
            bed.put_to_other().unwrap();
        }
        if key % 2 == 0 {
            bed.other.delete(&MemberRecord::key(0, Rank(1))).unwrap();
            while bed.pool.presence(Rank(1)) != Presence::Left || !bed.transport.attached().is_empty() {
                assert!(Instant::now() < limit, "{:?} at key {key}", bed.transport.attached());
                std::thread::yield_now();
            }
            assert_eq!(bed.put_to_other().unwrap_err().kind(), Kind::NotConnected);
        }
    }
    bed.pool.leave().unwrap();
    assert_eq!(bed.transport.attached(), []);
}
