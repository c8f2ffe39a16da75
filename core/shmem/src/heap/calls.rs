// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls on the heap, with equal arguments on all PEs: each PE sends the others its call, which is
//! a barrier as well, and nothing changes unless all calls are equal.

use std::ops::Range;

use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Result};

use super::call::{self, Call, FOREIGN, Operation};
use super::fit::UNIT_BYTES;
use super::{Heap, Usage};
use crate::World;

const MALLOC: &str = "symmetric malloc";
const CALLOC: &str = "symmetric calloc";
const ALIGN: &str = "symmetric align";
const REALLOC: &str = "symmetric realloc";
const FREE: &str = "symmetric free";

/// Fill byte of freed blocks.
const POISON: u8 = 0xfb;

impl World {
    /// Allocates a block of the heap, aligned for any type and to 64 bytes at least; returns null for 0
    /// bytes, at once. **Collective.** On return all PEs have it. Waits at most for the control timeout.
    ///
    /// # Errors
    /// On all PEs alike: `OutOfMemory`, also if the heap could grow and a PE has no memory for that: it is
    /// named · `InvalidParam` the PEs made different calls; one that differs is named, and nothing has
    /// changed · errors of [`barrier_all`](Self::barrier_all).
    pub fn malloc(&self, bytes: usize) -> Result<*mut u8> {
        self.take(MALLOC, Operation::Malloc, [bytes as u64, 0], bytes as u64, UNIT_BYTES)
    }

    /// As [`malloc`](Self::malloc), at a multiple of `alignment`: a power of two that is a multiple of the
    /// size of a pointer.
    ///
    /// # Errors
    /// As there; `InvalidParam` on all PEs for another alignment, or one that the addresses of PEs cannot
    /// share.
    pub fn align(&self, alignment: usize, bytes: usize) -> Result<*mut u8> {
        self.take(ALIGN, Operation::Align, [alignment as u64, bytes as u64], bytes as u64, alignment as u64)
    }

    /// As [`malloc`](Self::malloc), of `count` elements of `element_bytes`, filled with zeroes; null when
    /// either is 0.
    ///
    /// # Errors
    /// As there; `OutOfMemory` on all PEs if the product exceeds 64 bits.
    pub fn calloc(&self, count: usize, element_bytes: usize) -> Result<*mut u8> {
        let bytes = (count as u64).saturating_mul(element_bytes as u64);
        let arguments = [count as u64, element_bytes as u64];
        let block = self.take(CALLOC, Operation::Calloc, arguments, bytes, UNIT_BYTES)?;
        if !block.is_null() {
            // SAFETY: a block of this PE of so many bytes, which no other PE knows before the barrier.
            let filled = unsafe { self.fill(block, 0, count.saturating_mul(element_bytes)) };
            self.meet(CALLOC)?;
            filled?;
        }
        Ok(block)
    }

    /// Resizes a block, moving it if necessary, and keeps its contents up to the shorter length. Null: like
    /// [`malloc`](Self::malloc). 0 bytes: like [`free`](Self::free), and returns null. **Collective.**
    ///
    /// # Errors
    /// As [`malloc`](Self::malloc) and [`free`](Self::free); the block is unchanged then.
    pub fn realloc(&self, block: *mut u8, bytes: usize) -> Result<*mut u8> {
        if block.is_null() {
            return self.malloc(bytes);
        }
        if bytes == 0 {
            return self.free(block).map(|()| std::ptr::null_mut());
        }
        self.check(REALLOC)?;
        let mut heap = lock(self.heap());
        let offset = self.offset_of_block(&heap, block);
        let call = Call::new(Operation::Realloc, [offset, bytes as u64], heap.history);
        self.agree(REALLOC, &mut heap, &call)?;
        let Some(old_bytes) = heap.fit.bytes_at(offset) else { return Err(foreign(REALLOC, block)) };
        if heap.fit.resize(offset, bytes as u64) {
            heap.note(&call);
            self.show_usage(&heap);
            return Ok(block);
        }
        let moved = self.allocate(REALLOC, &mut heap, bytes as u64, UNIT_BYTES);
        let moved = moved.inspect_err(|_| self.show_usage(&heap))?;
        let kept = old_bytes.min(bytes as u64);
        let (old, new) = (self.own_address(offset), self.own_address(moved));
        // SAFETY: two blocks of this PE of at least this length; all PEs have completed their access to the
        // old one, and none knows the new one before the barrier.
        let copied = unsafe { self.copy_local(old, new, usize::try_from(kept).unwrap_or(0)) };
        self.give_back(&mut heap, offset);
        heap.note(&call);
        self.show_usage(&heap);
        self.meet(REALLOC)?;
        copied.map(|()| new)
    }

    /// Frees a block, after all PEs have arrived; does nothing for null, at once. **Collective.**
    ///
    /// # Errors
    /// `InvalidParam` on all PEs: no block begins there, or the PEs made different calls; nothing has changed
    /// · errors of [`barrier_all`](Self::barrier_all).
    pub fn free(&self, block: *mut u8) -> Result<()> {
        if block.is_null() {
            return Ok(());
        }
        self.check(FREE)?;
        let mut heap = lock(self.heap());
        let offset = self.offset_of_block(&heap, block);
        let call = Call::new(Operation::Free, [offset, 0], heap.history);
        self.agree(FREE, &mut heap, &call)?;
        if !self.give_back(&mut heap, offset) {
            return Err(foreign(FREE, block));
        }
        heap.note(&call);
        self.show_usage(&heap);
        Ok(())
    }

    /// Returns the use of each PE's heap, as this PE knows it. **Local.**
    pub fn heap_usage(&self) -> Usage {
        lock(self.heap()).fit.usage()
    }

    /// Frees a block. Returns false if none begins there.
    fn give_back(&self, heap: &mut Heap, offset: u64) -> bool {
        let bytes = heap.fit.bytes_at(offset).and_then(|bytes| usize::try_from(bytes).ok());
        let Some(bytes) = bytes.filter(|_| heap.fit.release(offset)) else { return false };
        if heap.is_poisoned {
            let span = bytes.next_multiple_of(usize::try_from(UNIT_BYTES).unwrap_or(1));
            // SAFETY: a block of this PE that all PEs free, with its padding; they do not access it any more,
            // and no call allocates it before this PE takes part in it.
            let filled = unsafe { self.fill(self.own_address(offset), POISON, span) };
            if let Err(error) = filled {
                tracing::warn!("a block that was given back is not filled: {error}");
            }
        }
        for range in heap.fit.take_left() {
            self.check_left(heap, &range);
        }
        true
    }

    /// Detects writes to a block after it was freed.
    fn check_left(&self, heap: &Heap, range: &Range<u64>) {
        let words = (range.end - range.start) / 8;
        let is_written = |index: &u64| {
            let mut found = [POISON; 8];
            let word = self.own_address(range.start + index * 8);
            // SAFETY: memory of the heap, and of this frame.
            let read = unsafe { self.copy_local(word, found.as_mut_ptr(), found.len()) };
            read.is_ok() && found != [POISON; 8]
        };
        if heap.is_poisoned
            && let Some(index) = (0..words).find(is_written)
        {
            tracing::error!(
                "pe {}: something has written to a block of the symmetric heap after it was given back: block {:#x}, \
                 {} bytes behind its start",
                self.my_pe(),
                self.own_address(range.start).addr(),
                index * 8
            );
        }
    }

    fn take(
        &self,
        name: &'static str,
        operation: Operation,
        arguments: [u64; 2],
        bytes: u64,
        alignment: u64,
    ) -> Result<*mut u8> {
        self.check(name)?;
        if bytes == 0 {
            return Ok(std::ptr::null_mut());
        }
        let mut heap = lock(self.heap());
        let call = Call::new(operation, arguments, heap.history);
        self.agree(name, &mut heap, &call)?;
        self.check_alignment(name, alignment)?;
        let offset = self.allocate(name, &mut heap, bytes, alignment);
        self.show_usage(&heap);
        let offset = offset?;
        heap.note(&call);
        // Another PE may have written to the new block already.
        let end = offset + bytes;
        let left = heap.fit.take_left().into_iter().filter(|left| left.end <= offset || end <= left.start);
        left.for_each(|range| self.check_left(&heap, &range));
        Ok(self.own_address(offset))
    }

    /// Completes this PE's puts, meets the others, and compares their calls with its own.
    fn agree(&self, name: &'static str, heap: &mut Heap, call: &Call) -> Result<()> {
        // Errors stay for the next quiet: they must not make this heap differ from the others'.
        if !self.is_all_mapped() {
            self.context().drain();
        }
        if self.object().compare(name, call.digest())? {
            return Ok(());
        }
        // All know now that calls differ, and learn which PE's does.
        self.object().allgather(name, &call.encode(), &mut heap.calls)?;
        call::compare(name, &heap.calls)
    }

    /// Checks an alignment: a power of two that addresses at equal distances have on all PEs.
    fn check_alignment(&self, name: &'static str, alignment: u64) -> Result<()> {
        let most = self.most_alignment();
        if alignment.is_power_of_two() && alignment >= size_of::<usize>() as u64 && alignment <= most {
            return Ok(());
        }
        Err(Error::invalid(name, "the alignment is not possible").with("alignment", alignment).hint(format!(
            "a power of two from {} to {}",
            size_of::<usize>(),
            ByteLen(most)
        )))
    }

    fn offset_of_block(&self, heap: &Heap, block: *mut u8) -> u64 {
        let offset = self.heap_offset_of(block);
        offset.filter(|offset| heap.fit.bytes_at(*offset).is_some()).unwrap_or(FOREIGN)
    }
}

#[cold]
fn foreign(name: &'static str, block: *mut u8) -> Error {
    Error::invalid(name, "no block of the symmetric heap begins at this address")
        .with("address", format!("{:#x}", block.addr()))
        .hint("pass what an allocating call of this PE gave, once; nothing has changed")
}
