// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prefaulting of pool memory: its pages, and this process's page table entries for them.

use mf_base::os::process::page_bytes;
use mf_base::sync::rcu::{self, ReadSection};
use mf_base::{Gva, MemKind, Result};
use mf_device::engine;

use super::segments::Segments;
use crate::space::PoolPlace;

/// Kind of pages allocated for parts of a segment that have none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Ordinary ones; also for a segment with pages from another process.
    Ordinary,
    /// The kind that this process uses for its own contribution (`MF_HUGE_PAGES`).
    AsOwn,
}

impl Segments {
    /// Prefaults a part of a segment at the address that `mapped` returns. Returns false if it returns
    /// `None`.
    ///
    /// # Errors
    /// `OutOfMemory` there is no memory for the pages.
    pub(super) fn populate(
        &self,
        place: PoolPlace,
        bytes: u64,
        pages: Pages,
        mapped: impl FnOnce(ReadSection<'_>, PoolPlace, u64) -> Option<Gva>,
    ) -> Result<bool> {
        let (page, own) = (page_bytes(), self.own_page_bytes(place.kind));
        let page_bytes = match pages {
            Pages::Ordinary => page,
            Pages::AsOwn => own,
        };
        // Whole pages: segments begin and end at pages of any size.
        let skew = place.offset % page;
        let (place, bytes) =
            (PoolPlace { offset: place.offset - skew, ..place }, (bytes + skew).next_multiple_of(page));
        let section = rcu::read_lock();
        let start = mapped(section.section(), place, bytes);
        let (Some(start), true) = (start, own > 0 && place.kind == MemKind::Host) else { return Ok(false) };
        let [bytes, page_bytes] = [bytes, page_bytes].map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        // SAFETY: the range is mapped for reading and writing as long as the section lasts.
        unsafe { engine::prefault(start.as_ptr(), bytes, page_bytes) }?;
        Ok(true)
    }

    /// Returns the page size of this process's contribution in bytes; 0 if it has none, or if the kernel does
    /// not allocate its pages.
    fn own_page_bytes(&self, kind: MemKind) -> u64 {
        self.own()[kind.index()].as_ref().map_or(0, |memory| memory.page_bytes())
    }
}
