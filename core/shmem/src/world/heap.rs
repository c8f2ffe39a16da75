// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls on the symmetric heap of a world.

use mf_base::Result;

use super::World;
use crate::heap::{self, HeapCall, Request, Usage};

const MALLOC: &str = "symmetric malloc";
const CALLOC: &str = "symmetric calloc";
const ALIGN: &str = "symmetric align";
const REALLOC: &str = "symmetric realloc";
const FREE: &str = "symmetric free";

impl World {
    /// Allocates a block of the heap, aligned for any type and to 64 bytes at least; returns null for 0
    /// bytes, at once. **Collective.** On return all PEs have it. Waits at most for the control timeout.
    ///
    /// # Errors
    /// On all PEs alike: `OutOfMemory`, also if the heap could grow and a PE has no memory for that: it is
    /// named · `InvalidParam` the PEs made different calls; one that differs is named, and nothing has
    /// changed · errors of [`barrier_all`](Self::barrier_all).
    pub fn malloc(&self, bytes: usize) -> Result<*mut u8> {
        self.take(MALLOC, Request::malloc(bytes))
    }

    /// As [`malloc`](Self::malloc), at a multiple of `alignment`: a power of two that is a multiple of the
    /// size of a pointer.
    ///
    /// # Errors
    /// As there; `InvalidParam` on all PEs for another alignment, or one that the addresses of PEs cannot
    /// share.
    pub fn align(&self, alignment: usize, bytes: usize) -> Result<*mut u8> {
        self.take(ALIGN, Request::align(alignment, bytes))
    }

    /// As [`malloc`](Self::malloc), of `count` elements of `element_bytes`, filled with zeroes; null when
    /// either is 0.
    ///
    /// # Errors
    /// As there; `OutOfMemory` on all PEs if the product exceeds 64 bits.
    pub fn calloc(&self, count: usize, element_bytes: usize) -> Result<*mut u8> {
        let block = self.take(CALLOC, Request::calloc(count, element_bytes))?;
        if !block.is_null() {
            // SAFETY: a block of this PE of so many bytes, which no other PE knows before the barrier.
            let filled = unsafe { self.space.fill(block, 0, count.saturating_mul(element_bytes)) };
            self.space.pe().meet(CALLOC)?;
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
        self.heap_call(REALLOC)?.resize(block, bytes)
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
        self.heap_call(FREE)?.free(block)
    }

    fn take(&self, name: &'static str, request: Request) -> Result<*mut u8> {
        self.check(name)?;
        if request.is_empty() {
            return Ok(std::ptr::null_mut());
        }
        self.heap_call(name)?.take(request)
    }

    fn heap_call(&self, name: &'static str) -> Result<HeapCall<'_>> {
        self.heap.call(name, self.access(), &self.kernels)
    }

    /// Returns the bytes of the heap in use; the same on all PEs between calls on it. **Local.**
    pub fn taken_bytes(&self) -> u64 {
        self.heap.taken_bytes()
    }

    /// Returns the use of each PE's heap, as this PE knows it. **Local.**
    pub fn heap_usage(&self) -> Usage {
        self.heap.usage()
    }

    /// Returns the use of a PE's heap after its last call on the heap. **One-sided.** Works for a PE that is
    /// gone, too, if its memory is mapped here.
    ///
    /// # Errors
    /// `InvalidParam` no such PE · `NotInit` · `NotConnected`, `Timeout` of the network, or a PE that has
    /// died while it wrote them.
    pub fn heap_usage_of(&self, pe: i32) -> Result<Usage> {
        heap::usage_of(self.access(), pe)
    }
}
