// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mapped range of another process, cached by a thread that copies there again and again.
//!
//! The full path goes through a dozen objects, one behind the other. A copy of the size of the first cache
//! evicts them all, and loading them again takes an eighth of the time of the next such copy.
//!
//! **Validity.** The cache holds no references, so three things are checked by each copy. The stamp of its
//! section: the page of visits and the mapping end only after a withdrawal, since grants are published that
//! way, and so do the objects on the path to the route, which has a share of the rest. The owner's epoch,
//! inside a visit: grants that it has revoked since are void. And the process, by the owner of the cache: a
//! forked child has the memory, but not the row.

use std::marker::PhantomData;

use mf_base::sync::rcu::ReadSection;
use mf_base::sync::shared_rcu::{ReaderSlot, SharedRcu, SharedRead};
use mf_device::engine;

/// Most bytes that the processor or the kernel copies in one visit.
pub const VISIT_BYTES: u64 = 8 << 20;

/// Copies of at least so many bytes leave little in the first cache but themselves.
const DRIVES_OUT: u64 = 16 << 10;

/// A mapped range of another process. Valid for sections with the same [stamp](mf_base::sync::rcu::stamp) as
/// the section that resolved it.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    visits: *const SharedRcu,
    /// The epoch of the grant that is mapped here.
    epoch: u64,
    /// The row of visits of the thread.
    row: ReaderSlot,
    first: *mut u8,
    bytes: u64,
}

impl InPlace {
    /// No mapping.
    pub const NONE: Self = Self {
        visits: std::ptr::null(),
        epoch: 0,
        row: ReaderSlot::SHARED,
        first: std::ptr::null_mut(),
        bytes: 0,
    };

    /// Caches a mapped range, by its first byte and length: under a grant of this epoch, for the thread with
    /// this row. The page and the mapping must stay while the stamp of the section is valid.
    pub fn new(visits: &SharedRcu, epoch: u64, row: ReaderSlot, (first, bytes): (*mut u8, u64)) -> Self {
        Self { visits, epoch, row, first, bytes }
    }

    /// Copies so many bytes from `local` to an offset in the range, or from there; visible on return.
    /// `behind` runs after a copy that evicts most of the first cache. Returns false if nothing was done: the
    /// cache is void, or the copy is too long.
    ///
    /// # Safety
    /// The section has the stamp that this is valid for. The local range is valid until this returns.
    #[inline(always)]
    pub unsafe fn copy(
        &self,
        _: ReadSection<'_>,
        local: *mut u8,
        (offset, bytes): (u64, u64),
        is_put: bool,
        behind: impl FnOnce(),
    ) -> bool {
        if bytes > VISIT_BYTES || offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return false;
        }
        // SAFETY: null, or the page of a link that is not withdrawn without outdating stamps, for which the
        // caller vouches; it consists of atomics.
        let Some(visits) = (unsafe { self.visits.as_ref() }) else { return false };
        let Some(visit) = Visit::begin(visits, self.row) else { return false };
        if visit.epoch() != self.epoch {
            return false;
        }
        let there = self.first.wrapping_add(length(offset));
        let (from, to) = if is_put { (local, there) } else { (there, local) };
        // SAFETY: the local range is valid, by the caller; the other lies in a grant of this epoch, and in a
        // mapping that ends after the section, by its stamp.
        unsafe { engine::copy(from, to, length(bytes)) };
        if bytes >= DRIVES_OUT {
            // While the stores of the copy end, which the end of the visit waits for.
            engine::prefetch(self.visits.cast());
            behind();
        }
        true
    }
}

/// A visit in flight: its owner waits for the end. Ends when it is dropped, also when a copy panics.
pub struct Visit<'a> {
    visits: &'a SharedRcu,
    read: SharedRead,
    /// It ends on the thread that began it.
    _thread: PhantomData<*const ()>,
}

impl<'a> Visit<'a> {
    /// Begins a visit in the row of the calling thread. Returns `None` if the owner has closed its page.
    #[inline(always)]
    pub fn begin(visits: &'a SharedRcu, row: ReaderSlot) -> Option<Self> {
        Some(Self { visits, read: visits.read_lock(row)?, _thread: PhantomData })
    }

    /// Returns the owner's epoch: grants of another one are void.
    #[inline(always)]
    pub fn epoch(&self) -> u64 {
        self.read.epoch
    }
}

impl Drop for Visit<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.visits.read_unlock(self.read);
    }
}

/// Converts a length of memory of this process, which fits its addresses.
#[inline(always)]
fn length(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
