// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mapped memory of another process, as a thread remembers it that copies there again and again.
//!
//! What leads to it is a dozen objects, one behind the other. A copy of the size of the first cache drives
//! them all out of it, and finding them again takes an eighth of the time of the next such copy.
//!
//! **What keeps it right.** Nothing is held, so three things are checked by each copy. The stamp of its
//! section: the page of visits and the mapping end only behind a withdrawal, as the grants are published, and
//! so is whatever leads to the route, which has a share of the rest. The owner's epoch, inside a visit: what
//! it has taken back since is void. And the process, by who keeps this: a forked child has the memory, but
//! not the row.

use mf_base::sync::pin::Inside;
use mf_base::sync::visits::{OwnRow, Visits};
use mf_device::engine;

use super::in_memory;
use super::visiting::{CHUNK_BYTES, Visiting};

/// Copies of at least so many bytes leave little in the first cache but themselves.
const DRIVES_OUT: u64 = 16 << 10;

/// A mapped range of another process. Good for sections with the [stamp](mf_base::sync::pin::stamp) of the
/// one that it was found in, behind that stamp.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    visits: *const Visits,
    /// In which what was granted is mapped here.
    epoch: u64,
    /// The row of visits of the thread.
    row: OwnRow,
    first: *mut u8,
    bytes: u64,
}

impl InPlace {
    /// Nowhere.
    pub const NONE: Self = Self {
        visits: std::ptr::null(),
        epoch: 0,
        row: OwnRow::SHARED,
        first: std::ptr::null_mut(),
        bytes: 0,
    };

    pub(super) fn new(visits: &Visits, epoch: u64, row: OwnRow, (first, bytes): (*mut u8, u64)) -> Self {
        Self { visits, epoch, row, first, bytes }
    }

    /// Copies so many bytes from `local` to an offset in the range, or from there; visible on return.
    /// `behind` runs behind a copy that leaves little in the first cache. False: something is to be found
    /// out, or they are many, and nothing was done.
    ///
    /// # Safety
    /// The section has the stamp that this is good for. The local range is valid until this returns.
    #[inline(always)]
    pub unsafe fn copy(
        &self,
        _: Inside<'_>,
        local: *mut u8,
        (offset, bytes): (u64, u64),
        is_put: bool,
        behind: impl FnOnce(),
    ) -> bool {
        if bytes > CHUNK_BYTES || offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return false;
        }
        // SAFETY: null, or the page of a link that nobody withdraws without making stamps old, for which the
        // caller vouches; what is in it are atomics.
        let Some(visits) = (unsafe { self.visits.as_ref() }) else { return false };
        let Some(visit) = visits.enter(self.row) else { return false };
        let _visiting = Visiting(visits, visit);
        if visit.epoch != self.epoch {
            return false;
        }
        let there = self.first.wrapping_add(in_memory(offset));
        let (from, to) = if is_put { (local, there) } else { (there, local) };
        // SAFETY: the local range is valid, by the caller; the other lies in what is granted in this epoch,
        // and in a mapping that ends behind the section, as its stamp says.
        unsafe { engine::copy(from, to, in_memory(bytes)) };
        if bytes >= DRIVES_OUT {
            // While the stores of the copy end, which the end of the visit waits for.
            engine::prefetch(self.visits.cast());
            behind();
        }
        true
    }
}
