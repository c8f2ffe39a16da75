// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocations of a short copy: one piece between here and one member allocates nothing on the thread that
//! copies, by a pool and by the transport over TCP itself; nor does a look-up of an address.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    reason = "what goes wrong here fails the test; a part of the bed is used"
)]

mod allocations;
#[path = "../growth/bed.rs"]
mod bed;
#[path = "../growth/counting.rs"]
mod counting;
mod tcp;

use mf_base::sync::rcu;
use mf_base::{MemKind, Rank};
use mf_device::Access;
use mf_device::engine::Piece;
use mf_fabric::pool::{Mode, Side};
use mf_fabric::space::PoolPlace;

use allocations::counted;
use bed::{Bed, MIB};
use mf_transport::{Atomic, AtomicKind, Width};

/// Number of warm-up calls of each kind, and of counted ones.
const CALLS: usize = 200;

/// Does something until all that it needs is there, then counts.
#[track_caller]
fn allocates_nothing(what: &str, mut call: impl FnMut()) {
    (0..CALLS).for_each(|_| call());
    let (allocations, bytes) = counted(|| (0..CALLS).for_each(|_| call()));
    assert_eq!((allocations, bytes), (0, 0), "{what}: {CALLS} calls allocate");
}

#[test]
fn pool_copy_of_a_single_piece_allocates_nothing() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    bed.other_joins(7);
    let there = bed.pool.address(MemKind::Host, Rank(1)).unwrap();
    let mut own = [0_u8; 64];
    let own = own.as_mut_ptr();
    let section = || rcu::read_lock();
    for mode in [Mode::Sync, Mode::Async] {
        allocates_nothing("a put of a pool", || {
            let piece = Piece { src: own, dst: there.as_ptr(), bytes: 64 };
            // SAFETY: the buffer outlives the test.
            unsafe { bed.pool.copy(&section(), piece, (Side::Local, Side::Global), mode) }.unwrap();
        });
        allocates_nothing("a get of a pool", || {
            let piece = Piece { src: there.as_ptr(), dst: own, bytes: 64 };
            // SAFETY: the buffer outlives the test.
            unsafe { bed.pool.copy(&section(), piece, (Side::Global, Side::Local), mode) }.unwrap();
        });
    }
    let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    allocates_nothing("an atomic of a pool", || {
        bed.pool.atomic(&section(), there, atomic).unwrap();
    });
    bed.pool.wait().unwrap();
}

#[test]
fn direct_address_is_given_only_while_usable() {
    let bed = Bed::new();
    let own = bed.pool.address(MemKind::Host, Rank(0)).unwrap();
    let place = |rank, offset| PoolPlace { kind: MemKind::Host, rank: Rank(rank), offset };
    let section = rcu::read_lock();
    let mapped = |place, bytes| bed.pool.mapped_address(section.section(), place, bytes, Access::Write);
    assert_eq!(mapped(place(0, 8), 8), None, "it has not joined");
    bed.pool.join().unwrap();
    bed.other_joins(7);
    assert_eq!(mapped(place(0, 8), 8), Some(own.add(8)));
    assert_eq!(mapped(place(0, 0), 2 * MIB), Some(own));
    for (place, bytes) in [
        (place(0, 0), 2 * MIB + 1),
        (place(0, 2 * MIB), 1),
        (place(0, 1), u64::MAX),
        // Elsewhere, nowhere, and of a kind that no member contributes.
        (place(1, 0), 8),
        (place(2, 0), 8),
        (PoolPlace { kind: MemKind::Device, ..place(0, 0) }, 8),
    ] {
        assert_eq!(mapped(place, bytes), None, "{bytes} bytes at {place:?}");
    }
    allocates_nothing("an address", || assert!(mapped(place(0, 8), 8).is_some()));
    bed.pool.leave().unwrap();
    assert_eq!(mapped(place(0, 8), 8), None, "it has left");
}
