// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cache of pages known as device memory.
//!
//! Asking the runtime for the owner of an address costs a fourth of putting a copy on a stream. Device memory
//! stays device memory as a rule: its addresses are the driver's, and host memory is not mapped there. If
//! that is wrong nevertheless, the runtime refuses the copy, and the page is forgotten.

use std::sync::atomic::{AtomicU64, Ordering};

const PAGE_BITS: u32 = 12;
const SLOTS: usize = 256;

/// The pages.
pub(super) struct PageKindCache([AtomicU64; SLOTS]);

impl Default for PageKindCache {
    fn default() -> Self {
        Self([const { AtomicU64::new(0) }; SLOTS])
    }
}

impl PageKindCache {
    fn slot(&self, page: u64) -> &AtomicU64 {
        // Neighbours have slots of their own.
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
        let slot = (page ^ (page >> 8) ^ (page >> 20)) as usize % SLOTS;
        &self.0[slot]
    }

    /// Returns true if the page of the address is in the cache.
    #[inline]
    pub(super) fn contains_page(&self, address: u64) -> bool {
        let page = address >> PAGE_BITS;
        page != 0 && self.slot(page).load(Ordering::Relaxed) == page
    }

    /// Adds the page of the address.
    pub(super) fn add(&self, address: u64) {
        let page = address >> PAGE_BITS;
        self.slot(page).store(page, Ordering::Relaxed);
    }

    /// Removes it; whether it was there.
    pub(super) fn forget(&self, address: u64) -> bool {
        let is_known = self.contains_page(address);
        if is_known {
            self.slot(address >> PAGE_BITS).store(0, Ordering::Relaxed);
        }
        is_known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_cached_until_forgotten_or_evicted() {
        let pages = PageKindCache::default();
        assert!(!pages.contains_page(0) && !pages.contains_page(0x1000));
        for page in 1..=8 {
            pages.add(page << 12);
        }
        assert!((1..=8).all(|page| pages.contains_page((page << 12) + 4095)));
        assert!(!pages.contains_page(9 << 12));
        assert!(pages.forget(3 << 12) && !pages.forget(3 << 12) && !pages.contains_page(3 << 12));
        assert!(pages.contains_page(4 << 12));
        (0..10_000).for_each(|page| pages.add(page << 12));
        assert!((1..=8).any(|page| !pages.contains_page(page << 12)));
        assert!(pages.contains_page(9999 << 12));
    }
}
