// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks of CANN SHMEM's heaps that this package allocated, and freed ones: address arguments are checked
//! against them. Other addresses of a heap, which a part of the program in C may have allocated, are left to
//! the library.

use std::collections::BTreeMap;
use std::sync::Mutex;

use pyo3::prelude::*;

use crate::lock::lock;

/// Freed blocks that are remembered.
const FREED_MOST: usize = 1 << 16;

/// Bytes by their start.
type Ranges = BTreeMap<usize, usize>;

struct KnownBlocks {
    is_checked: bool,
    live: Ranges,
    freed: Ranges,
}

static KNOWN: Mutex<KnownBlocks> =
    Mutex::new(KnownBlocks { is_checked: true, live: Ranges::new(), freed: Ranges::new() });

/// Memory that a call is given as a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    /// Which argument it is.
    pub(super) at: usize,
    pub(super) address: usize,
    pub(super) bytes: usize,
}

/// Why a range is refused.
pub(super) enum Refusal {
    /// It ends behind its block, which has so many bytes, of which so many lie behind the address.
    TooLong {
        block: usize,
        left: usize,
    },
    Freed,
}

/// Enables or disables the check of addresses. Returns the former state.
#[pyfunction]
#[pyo3(signature = (is_checked))]
pub(crate) fn shmem_check_addresses(is_checked: bool) -> bool {
    std::mem::replace(&mut lock(&KNOWN).is_checked, is_checked)
}

/// The first range that is refused.
#[inline]
pub(super) fn refused(ranges: impl Iterator<Item = Range>) -> Option<(Range, Refusal)> {
    let known = lock(&KNOWN);
    if !known.is_checked {
        return None;
    }
    let mut ranges = ranges.filter(|range| range.address != 0 && range.bytes != 0);
    ranges.find_map(|range| {
        let refusal = match around(&known.live, range.address) {
            Some((start, bytes)) => {
                let left = bytes - (range.address - start);
                (left < range.bytes).then_some(Refusal::TooLong { block: bytes, left })
            }
            None => around(&known.freed, range.address).map(|_| Refusal::Freed),
        };
        refusal.map(|refusal| (range, refusal))
    })
}

pub(super) fn is_checked() -> bool {
    lock(&KNOWN).is_checked
}

fn around(ranges: &Ranges, address: usize) -> Option<(usize, usize)> {
    let (start, bytes) = ranges.range(..=address).next_back()?;
    (address - start < *bytes).then_some((*start, *bytes))
}

/// A block was allocated.
pub(super) fn note(start: usize, bytes: usize) {
    let mut known = lock(&KNOWN);
    let end = start.saturating_add(bytes);
    // Freed ranges there are in use again.
    while let Some(overlapping) = known
        .freed
        .range(..end)
        .next_back()
        .filter(|(freed, bytes)| *freed + **bytes > start)
        .map(|(freed, _)| *freed)
    {
        known.freed.remove(&overlapping);
    }
    known.live.insert(start, bytes);
}

/// A block was freed.
pub(super) fn forget(start: usize) {
    let mut known = lock(&KNOWN);
    let Some(bytes) = known.live.remove(&start) else { return };
    if known.freed.len() >= FREED_MOST {
        known.freed.clear();
    }
    known.freed.insert(start, bytes);
}

/// A heap has ended.
pub(super) fn forget_all() {
    let mut known = lock(&KNOWN);
    known.live.clear();
    known.freed.clear();
}
