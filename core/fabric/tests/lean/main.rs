// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a short copy costs in memory: one piece between here and one member allocates nothing on the thread that copies.

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

use mf_base::sync::pin;
use mf_base::{MemKind, Rank};
use mf_fabric::engine::Piece;
use mf_fabric::pool::{Mode, Side};
use mf_fabric::transport::{Atomic, AtomicKind, Width};

use allocations::counted;
use bed::Bed;

/// Calls of each kind before any is counted, and those that are.
const CALLS: usize = 200;

/// Does something until all that it needs is there, then counts.
#[track_caller]
fn allocates_nothing(what: &str, mut call: impl FnMut()) {
    (0..CALLS).for_each(|_| call());
    let (allocations, bytes) = counted(|| (0..CALLS).for_each(|_| call()));
    assert_eq!((allocations, bytes), (0, 0), "{what}: {CALLS} calls allocate");
}

#[test]
fn a_pool_copies_one_piece_to_one_member_without_an_allocation() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    bed.other_joins(7);
    let there = bed.pool.address(MemKind::Host, Rank(1)).unwrap();
    let mut own = [0_u8; 64];
    let own = own.as_mut_ptr();
    let section = || pin::enter();
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
