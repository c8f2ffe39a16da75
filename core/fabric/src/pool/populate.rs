// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the pool that is made ready before it is used: its pages, and what leads this process to them.

use mf_base::os::process::page_bytes;
use mf_base::sync::pin;
use mf_base::{MemKind, Result};
use mf_device::{Access, engine};

use super::Pool;
use crate::space::Place;

/// Which pages a part of a segment gets that has none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Ordinary ones; right where another process has made the pages already.
    Ordinary,
    /// Those that this process takes for its own contribution (`MF_HUGE_PAGES`).
    AsOwn,
}

impl Pool {
    /// Lets later copies to and from a part of a segment meet no page faults in this process: makes the pages
    /// that are not there yet, and maps all of them. What the memory holds stays as it is. Whether it was
    /// done: false where the segment is not mapped here or has no pages of the host. **Local.** Blocks for
    /// about 1 ms for each MiB that has no pages; members that leave meanwhile wait for it, so ask for a few
    /// MiB at a time.
    ///
    /// # Errors
    /// `OutOfMemory` there is no memory for the pages.
    pub fn populate(&self, place: Place, bytes: u64, pages: Pages) -> Result<bool> {
        let (page, own) = (page_bytes(), self.own_page_bytes(place.kind));
        let page_bytes = match pages {
            Pages::Ordinary => page,
            Pages::AsOwn => own,
        };
        // Whole pages: segments begin and end at pages of any size.
        let skew = place.offset % page;
        let (place, bytes) =
            (Place { offset: place.offset - skew, ..place }, (bytes + skew).next_multiple_of(page));
        let section = pin::enter();
        let start = self.direct(section.inside(), place, bytes, Access::Write);
        let (Some(start), true) = (start, own > 0 && place.kind == MemKind::Host) else { return Ok(false) };
        let [bytes, page_bytes] = [bytes, page_bytes].map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        // SAFETY: the range is mapped for reading and writing as long as the section lasts.
        unsafe { engine::prefault(start.as_ptr(), bytes, page_bytes) }?;
        Ok(true)
    }

    /// Bytes of a page that this process takes for its contribution; 0: it has none, or the kernel does not
    /// make its pages.
    fn own_page_bytes(&self, kind: MemKind) -> u64 {
        self.own()[kind.index()].as_ref().map_or(0, |memory| memory.page_bytes())
    }
}
