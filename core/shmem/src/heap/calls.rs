// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls on the heap, with equal arguments on all PEs: each PE sends the others its call, which is
//! a barrier as well, and nothing changes unless all calls are equal.

use mf_base::{ByteLen, Error, Result};

use super::HeapCall;
use super::call::{self, Call, FOREIGN, Operation};
use super::fit::UNIT_BYTES;

/// Request of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    operation: Operation,
    arguments: [u64; 2],
    bytes: u64,
    alignment: u64,
}

impl Request {
    pub(crate) fn malloc(bytes: usize) -> Self {
        let bytes = bytes as u64;
        Self { operation: Operation::Malloc, arguments: [bytes, 0], bytes, alignment: UNIT_BYTES }
    }

    pub(crate) fn align(alignment: usize, bytes: usize) -> Self {
        let (alignment, bytes) = (alignment as u64, bytes as u64);
        Self { operation: Operation::Align, arguments: [alignment, bytes], bytes, alignment }
    }

    pub(crate) fn calloc(count: usize, element_bytes: usize) -> Self {
        let arguments = [count as u64, element_bytes as u64];
        let bytes = arguments[0].saturating_mul(arguments[1]);
        Self { operation: Operation::Calloc, arguments, bytes, alignment: UNIT_BYTES }
    }

    /// Returns true if no block is requested.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }
}

impl HeapCall<'_> {
    /// Allocates a block.
    ///
    /// # Errors
    /// On all PEs alike: `OutOfMemory` · `InvalidParam` the PEs made different calls, or the alignment is
    /// not possible.
    pub(crate) fn take(mut self, request: Request) -> Result<*mut u8> {
        let Request { operation, arguments, bytes, alignment } = request;
        let call = Call::new(operation, arguments, self.blocks.history);
        self.agree(&call)?;
        self.check_alignment(alignment)?;
        let offset = self.allocate(bytes, alignment);
        self.show_usage();
        let offset = offset?;
        self.blocks.note(&call);
        // Another PE may have written to the new block already.
        let end = offset + bytes;
        let left = self.blocks.fit.take_released();
        let left = left.into_iter().filter(|left| left.end <= offset || end <= left.start);
        left.for_each(|range| self.check_left(&range));
        Ok(self.space().own_address(offset))
    }

    /// Resizes a block, moving it if necessary.
    ///
    /// # Errors
    /// As [`take`](Self::take) and [`free`](Self::free); the block is unchanged then.
    pub(crate) fn resize(mut self, block: *mut u8, bytes: usize) -> Result<*mut u8> {
        let offset = self.offset_of_block(block);
        let call = Call::new(Operation::Realloc, [offset, bytes as u64], self.blocks.history);
        self.agree(&call)?;
        let Some(old_bytes) = self.blocks.fit.bytes_at(offset) else { return Err(foreign(self.name, block)) };
        if self.blocks.fit.resize(offset, bytes as u64) {
            self.blocks.note(&call);
            self.show_usage();
            return Ok(block);
        }
        let moved = self.allocate(bytes as u64, UNIT_BYTES);
        let moved = moved.inspect_err(|_| self.show_usage())?;
        let kept = old_bytes.min(bytes as u64);
        let space = self.space();
        let (old, new) = (space.own_address(offset), space.own_address(moved));
        // SAFETY: two blocks of this PE of at least this length; all PEs have completed their access to the
        // old one, and none knows the new one before the barrier.
        let copied = unsafe { space.copy_local(old, new, usize::try_from(kept).unwrap_or(0)) };
        self.give_back(offset);
        self.blocks.note(&call);
        self.show_usage();
        space.pe().meet(self.name)?;
        copied.map(|()| new)
    }

    /// Frees a block, after all PEs have arrived.
    ///
    /// # Errors
    /// `InvalidParam` on all PEs: no block begins there, or the PEs made different calls.
    pub(crate) fn free(mut self, block: *mut u8) -> Result<()> {
        let offset = self.offset_of_block(block);
        let call = Call::new(Operation::Free, [offset, 0], self.blocks.history);
        self.agree(&call)?;
        if !self.give_back(offset) {
            return Err(foreign(self.name, block));
        }
        self.blocks.note(&call);
        self.show_usage();
        Ok(())
    }

    /// Completes this PE's puts, meets the others, and compares their calls with its own.
    fn agree(&mut self, call: &Call) -> Result<()> {
        // Errors stay for the next quiet: they must not make this heap differ from the others'.
        if !self.access.is_all_mapped() {
            self.access.context().drain();
        }
        let object = self.space().pe().object();
        if object.compare(self.name, call.digest())? {
            return Ok(());
        }
        // All know now that calls differ, and learn which PE's does.
        object.allgather(self.name, &call.encode(), &mut self.blocks.calls)?;
        call::compare(self.name, &self.blocks.calls)
    }

    /// Checks an alignment: a power of two that addresses at equal distances have on all PEs.
    fn check_alignment(&self, alignment: u64) -> Result<()> {
        let most = self.most_alignment;
        if alignment.is_power_of_two() && alignment >= size_of::<usize>() as u64 && alignment <= most {
            return Ok(());
        }
        let error = Error::invalid(self.name, "the alignment is not possible").with("alignment", alignment);
        Err(error.hint(format!("a power of two from {} to {}", size_of::<usize>(), ByteLen(most))))
    }

    fn offset_of_block(&self, block: *mut u8) -> u64 {
        let offset = self.space().heap_offset_of(block);
        offset.filter(|offset| self.blocks.fit.bytes_at(*offset).is_some()).unwrap_or(FOREIGN)
    }
}

#[cold]
fn foreign(name: &'static str, block: *mut u8) -> Error {
    Error::invalid(name, "no block of the symmetric heap begins at this address")
        .with("address", format!("{:#x}", block.addr()))
        .hint("pass an address that an allocating call returned, once; nothing has changed")
}
