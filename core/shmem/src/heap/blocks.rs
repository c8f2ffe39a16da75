// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Release of blocks, and detection of writes to freed ones.

use std::ops::Range;

use super::HeapCall;
use super::fit::UNIT_BYTES;

/// Fill byte of freed blocks.
const POISON: u8 = 0xfb;

impl HeapCall<'_> {
    /// Frees a block. Returns false if none begins there.
    pub(super) fn give_back(&mut self, offset: u64) -> bool {
        let bytes = self.blocks.fit.bytes_at(offset).and_then(|bytes| usize::try_from(bytes).ok());
        let Some(bytes) = bytes.filter(|_| self.blocks.fit.release(offset)) else { return false };
        if self.blocks.is_poisoned {
            let span = bytes.next_multiple_of(usize::try_from(UNIT_BYTES).unwrap_or(1));
            // SAFETY: a block of this PE that all PEs free, with its padding; they do not access it any more,
            // and no call allocates it before this PE takes part in it.
            let filled = unsafe { self.space().fill(self.space().own_address(offset), POISON, span) };
            if let Err(error) = filled {
                tracing::warn!("a block that was given back is not filled: {error}");
            }
        }
        for range in self.blocks.fit.take_released() {
            self.check_left(&range);
        }
        true
    }

    /// Detects writes to a block after it was freed.
    pub(super) fn check_left(&self, range: &Range<u64>) {
        let words = (range.end - range.start) / 8;
        let is_written = |index: &u64| {
            let mut found = [POISON; 8];
            let word = self.space().own_address(range.start + index * 8);
            // SAFETY: memory of the heap, and of this frame.
            let read = unsafe { self.space().copy_local(word, found.as_mut_ptr(), found.len()) };
            read.is_ok() && found != [POISON; 8]
        };
        if self.blocks.is_poisoned
            && let Some(index) = (0..words).find(is_written)
        {
            tracing::error!(
                "pe {}: something has written to a block of the symmetric heap after it was given back: block {:#x}, \
                 {} bytes behind its start",
                self.space().pe().my_pe(),
                self.space().own_address(range.start).addr(),
                index * 8
            );
        }
    }
}
