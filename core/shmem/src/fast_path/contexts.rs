// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contexts on the fast path: the number of a PE on a context to its number in the world.
//!
//! A few words for each context, which are never freed while the world is alive, so that reading them needs
//! no section. A thread that uses a context while another thread destroys it may get a wrong number; it is a
//! PE of this world or refused.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use crate::handles::place_of;

/// Most contexts at a time.
pub(crate) const CONTEXTS_MAX: usize = CHUNKS * CHUNK;
const CHUNKS: usize = 64;
const CHUNK: usize = 64;

/// PEs at equal distances: the first one's number in the world, the distance, and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progression {
    pub(crate) first: i32,
    pub(crate) stride: i32,
    pub(crate) count: i32,
}

/// A context, as inlined functions see it.
#[derive(Debug, Default)]
struct ContextRow {
    /// 0: unused.
    number: AtomicU64,
    first: AtomicI32,
    stride: AtomicI32,
    count: AtomicI32,
}

/// The contexts of a world, as inlined functions see them.
#[derive(Debug)]
pub(crate) struct ContextRows([OnceLock<Box<[ContextRow; CHUNK]>>; CHUNKS]);

impl Default for ContextRows {
    fn default() -> Self {
        Self([const { OnceLock::new() }; CHUNKS])
    }
}

impl ContextRows {
    /// Shows a context with these PEs; without PEs at equal distances it is hidden.
    pub(crate) fn show(&self, number: u64, pes: Option<Progression>) {
        let Some(place) = place_of(number) else { return };
        let chunk = self
            .0
            .get(place / CHUNK)
            .map(|chunk| chunk.get_or_init(|| Box::new(std::array::from_fn(|_| ContextRow::default()))));
        let Some(row) = chunk.and_then(|rows| rows.get(place % CHUNK)) else { return };
        let Progression { first, stride, count } = pes.unwrap_or_default();
        row.first.store(first, Ordering::Relaxed);
        row.stride.store(stride, Ordering::Relaxed);
        row.count.store(count, Ordering::Relaxed);
        // Release: pairs with the acquire in `row`. A reader that sees the number sees the other fields.
        row.number.store(number, Ordering::Release);
    }

    /// Hides a context.
    pub(crate) fn hide(&self, number: u64) {
        if let Some(row) = self.row(number) {
            row.number.store(0, Ordering::Release);
        }
    }

    #[inline(always)]
    fn row(&self, number: u64) -> Option<&ContextRow> {
        let place = place_of(number)?;
        let row = self.0.get(place / CHUNK)?.get()?.get(place % CHUNK)?;
        (row.number.load(Ordering::Acquire) == number).then_some(row)
    }

    #[inline(always)]
    pub(crate) fn has(&self, number: u64) -> bool {
        self.row(number).is_some()
    }

    /// Returns the number in the world of a PE of a context.
    #[inline(always)]
    pub(crate) fn world_pe(&self, number: u64, pe: i32) -> Option<i32> {
        let row = self.row(number)?;
        let is_one = (0..row.count.load(Ordering::Relaxed)).contains(&pe);
        let distance = pe.wrapping_mul(row.stride.load(Ordering::Relaxed));
        is_one.then(|| row.first.load(Ordering::Relaxed).wrapping_add(distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_contexts_are_found_by_number() {
        let shown = ContextRows::default();
        let last = 7 << 16 | CONTEXTS_MAX as u64;
        shown.show(5 << 16 | 9, Some(Progression { first: 6, stride: -2, count: 3 }));
        shown.show(last, None);
        shown.show(last + 1, Some(Progression { first: 0, stride: 1, count: 9 }));
        let pes: Vec<_> = (-1..4).map(|pe| shown.world_pe(5 << 16 | 9, pe)).collect();
        assert_eq!(pes, [None, Some(6), Some(4), Some(2), None]);
        assert!(shown.has(last) && shown.world_pe(last, 0).is_none());
        for number in [0, 9, 6 << 16 | 9, 5 << 16 | 8, last + 1, u64::MAX, 5 << 16 | 0xffff] {
            assert!(!shown.has(number) && shown.world_pe(number, 0).is_none(), "{number:#x}");
        }
        shown.hide(6 << 16 | 9);
        assert!(shown.has(5 << 16 | 9));
        shown.hide(5 << 16 | 9);
        assert!(!shown.has(5 << 16 | 9) && shown.world_pe(5 << 16 | 9, 0).is_none());
    }
}
