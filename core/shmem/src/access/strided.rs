// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Strided copies of elements, and of blocks of elements.

use mf_base::{Error, Result};
use mf_device::engine;
use mf_fabric::transfer::{Blocks, Until};

use super::Access;
use super::rma::not_null;
use crate::context::Direction;
use crate::space::PeAddress;

const PUT: &str = "symmetric strided put";
const GET: &str = "symmetric strided get";

/// Blocks of equal length, at equal distances on each side.
#[derive(Clone, Copy, Debug)]
struct Elements {
    bytes: usize,
    count: usize,
    /// Bytes from block to block at the source.
    from: usize,
    /// The same at the destination.
    to: usize,
}

impl Access<'_> {
    /// Copies `count` elements of `element_bytes` from `source`, with a stride of `source_stride` elements,
    /// to the symmetric `dest` at PE `pe`, with a stride of `dest_stride` elements; both are at least 1. No
    /// element: nothing. **One-sided.** On return the source may be changed.
    ///
    /// # Errors
    /// As [`put`](Self::put); `InvalidParam` a stride is less than 1. Nothing was done then.
    ///
    /// # Safety
    /// Each element at the source is readable, until the call returns.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    pub unsafe fn iput(
        &self,
        dest: *mut u8,
        source: *const u8,
        dest_stride: isize,
        source_stride: isize,
        count: usize,
        element_bytes: usize,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.ibput(dest, source, dest_stride, source_stride, 1, count, element_bytes, pe) }
    }

    /// As [`iput`](Self::iput), for `count` blocks of `block` elements each; strides are from start to start,
    /// and at least a block.
    ///
    /// # Errors
    /// As there; `InvalidParam` a stride is less than a block.
    ///
    /// # Safety
    /// Each block at the source is readable, until the call returns.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    pub unsafe fn ibput(
        &self,
        dest: *mut u8,
        source: *const u8,
        dest_stride: isize,
        source_stride: isize,
        block: usize,
        count: usize,
        element_bytes: usize,
        pe: i32,
    ) -> Result<()> {
        let Some(elements) = elements(PUT, [dest_stride, source_stride], [block, count], element_bytes)?
        else {
            return self.space.pe().check(PUT);
        };
        let (source, reach) = (not_null(PUT, source.cast_mut())?, elements.reach(PUT, elements.to)?);
        elements.reach(PUT, elements.from)?;
        match self.resolve(PUT, dest, reach, pe)? {
            // SAFETY: from the first to the last element it is memory of a PE that is mapped until the world
            // ends; the caller vouches for the source.
            PeAddress::Mapped(there) => unsafe { elements.copy(source, there) },
            PeAddress::Remote(there) => {
                let (pool, blocks) = (self.space.pe().pool(), elements.blocks(source, there.as_ptr()));
                // SAFETY: passed on to the caller.
                unsafe { self.context.remote_copy_blocks(pool, Direction::Put, &blocks, Until::Reusable) }?;
            }
        }
        Ok(())
    }

    /// As [`iput`](Self::iput), from the symmetric `source` at PE `pe` to `dest`. Done on return.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// Each element at the destination is writable, until the call returns.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    pub unsafe fn iget(
        &self,
        dest: *mut u8,
        source: *const u8,
        dest_stride: isize,
        source_stride: isize,
        count: usize,
        element_bytes: usize,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.ibget(dest, source, dest_stride, source_stride, 1, count, element_bytes, pe) }
    }

    /// As [`ibput`](Self::ibput), from the symmetric `source` at PE `pe` to `dest`. Done on return.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// Each block at the destination is writable, until the call returns.
    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    pub unsafe fn ibget(
        &self,
        dest: *mut u8,
        source: *const u8,
        dest_stride: isize,
        source_stride: isize,
        block: usize,
        count: usize,
        element_bytes: usize,
        pe: i32,
    ) -> Result<()> {
        let Some(elements) = elements(GET, [dest_stride, source_stride], [block, count], element_bytes)?
        else {
            return self.space.pe().check(GET);
        };
        let (dest, reach) = (not_null(GET, dest)?, elements.reach(GET, elements.from)?);
        elements.reach(GET, elements.to)?;
        match self.resolve(GET, source, reach, pe)? {
            // SAFETY: as in `iput`.
            PeAddress::Mapped(there) => unsafe { elements.copy(there, dest) },
            PeAddress::Remote(there) => {
                let (pool, blocks) = (self.space.pe().pool(), elements.blocks(there.as_ptr(), dest));
                // SAFETY: passed on to the caller.
                unsafe { self.context.remote_copy_blocks(pool, Direction::Get, &blocks, Until::Done) }?;
            }
        }
        Ok(())
    }
}

/// Returns the blocks of a call; `None` if there is nothing to copy.
fn elements(
    operation: &'static str,
    [dest_stride, source_stride]: [isize; 2],
    [block, count]: [usize; 2],
    element_bytes: usize,
) -> Result<Option<Elements>> {
    let stride = |stride: isize| {
        let stride = usize::try_from(stride).ok().filter(|stride| *stride >= block.max(1));
        stride.map(|stride| stride.saturating_mul(element_bytes))
    };
    let (Some(from), Some(to)) = (stride(source_stride), stride(dest_stride)) else {
        let what = if block > 1 { "a stride is less than a block" } else { "a stride is less than 1" };
        return Err(Error::invalid(operation, what)
            .with("dest_stride", dest_stride)
            .with("source_stride", source_stride)
            .with("block", block)
            .hint("strides count elements, from start to start; nothing was done"));
    };
    // If this product overflows, so does the one with the stride, which is not less.
    let bytes = block.saturating_mul(element_bytes);
    Ok((count > 0 && bytes > 0).then_some(Elements { bytes, count, from, to }))
}

impl Elements {
    /// Returns the bytes from the first to the last element.
    ///
    /// # Errors
    /// `InvalidParam` overflow.
    fn reach(&self, operation: &'static str, stride: usize) -> Result<usize> {
        let reach = (self.count - 1).checked_mul(stride).and_then(|bytes| bytes.checked_add(self.bytes));
        reach.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(|| {
            Error::invalid(operation, "the elements run over the end of memory")
                .with("count", self.count)
                .with("stride_bytes", stride)
        })
    }

    fn blocks(&self, src: *const u8, dst: *mut u8) -> Blocks {
        Blocks {
            src,
            dst,
            block_bytes: self.bytes as u64,
            count: self.count as u64,
            src_stride: self.from as u64,
            dst_stride: self.to as u64,
        }
    }

    /// # Safety
    /// Each element is readable and writable.
    unsafe fn copy(&self, from: *const u8, to: *mut u8) {
        if (self.from, self.to) == (self.bytes, self.bytes) {
            // SAFETY: passed on to the caller.
            return unsafe { engine::copy(from, to, self.bytes * self.count) };
        }
        let is_aligned = |bytes: usize| {
            [from.addr(), to.addr(), self.from, self.to].iter().all(|number| number.is_multiple_of(bytes))
        };
        match self.bytes {
            // SAFETY: passed on to the caller; bytes are always aligned.
            1 => unsafe { self.copy_words::<u8>(from, to) },
            // SAFETY: passed on to the caller; all elements are aligned.
            2 if is_aligned(2) => unsafe { self.copy_words::<u16>(from, to) },
            // SAFETY: as above.
            4 if is_aligned(4) => unsafe { self.copy_words::<u32>(from, to) },
            // SAFETY: as above.
            8 if is_aligned(8) => unsafe { self.copy_words::<u64>(from, to) },
            bytes => {
                for index in 0..self.count {
                    let (from, to) = (from.wrapping_add(index * self.from), to.wrapping_add(index * self.to));
                    // SAFETY: passed on to the caller.
                    unsafe { engine::copy(from, to, bytes) };
                }
            }
        }
        // As after each copy of the engine.
        std::sync::atomic::fence(std::sync::atomic::Ordering::Release);
    }

    /// # Safety
    /// As [`copy`](Self::copy), and all elements are aligned to `T`.
    unsafe fn copy_words<T: Copy>(&self, from: *const u8, to: *mut u8) {
        for index in 0..self.count {
            // Volatile, as others may write either side meanwhile. SAFETY: passed on to the caller.
            let word = unsafe { from.wrapping_add(index * self.from).cast::<T>().read_volatile() };
            // SAFETY: passed on to the caller.
            unsafe { to.wrapping_add(index * self.to).cast::<T>().write_volatile(word) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strided_copy_handles_any_length_and_alignment() {
        for bytes in [1, 2, 3, 4, 8, 16, 24] {
            for (skew, from, to) in [(0usize, 2usize, 3usize), (1, 1, 1), (1, 4, 1), (0, 1, 5)] {
                let source: Vec<u8> = (0..2000u32).map(|n| n.to_le_bytes()[0] ^ 0x5a).collect();
                let mut found = vec![0u8; 2000];
                let count = 1900 / bytes / from.max(to);
                let strides = [to.cast_signed(), from.cast_signed()];
                let elements = elements("test", strides, [1, count], bytes).unwrap().unwrap();
                let (src, dst) = (source[skew..].as_ptr(), found[skew..].as_mut_ptr());
                // SAFETY: both buffers are longer than the elements reach.
                unsafe { elements.copy(src, dst) };
                let mut expected = vec![0u8; 2000];
                for index in 0..count {
                    let (at, there) = (skew + index * from * bytes, skew + index * to * bytes);
                    expected[there..there + bytes].copy_from_slice(&source[at..at + bytes]);
                }
                assert_eq!(found, expected, "{bytes} bytes, {from} to {to}");
            }
        }
    }

    #[test]
    fn invalid_strides_and_overflow_are_rejected() {
        for (to, from) in [(0, 1), (1, 0), (-1, 1), (1, isize::MIN)] {
            assert_eq!(elements("test", [to, from], [1, 1], 8).unwrap_err().code(), -2000);
        }
        assert!(elements("test", [1, 1], [1, 0], 8).unwrap().is_none());
        let far = elements("test", [isize::MAX, 1], [1, 3], 8).unwrap().unwrap();
        assert!(far.reach("test", far.to).is_err());
        assert_eq!(far.reach("test", far.from).unwrap(), 24);
        let many = elements("test", [1, 1], [1, usize::MAX / 8], 8).unwrap().unwrap();
        assert!(many.reach("test", many.to).is_err());
    }

    #[test]
    fn overlapping_blocks_are_rejected() {
        for strides in [[3, 4], [4, 3], [0, 4]] {
            assert_eq!(elements("test", strides, [4, 2], 8).unwrap_err().code(), -2000);
        }
        let blocks = elements("test", [4, 5], [4, 2], 8).unwrap().unwrap();
        assert_eq!((blocks.bytes, blocks.to, blocks.from, blocks.count), (32, 32, 40, 2));
        assert!(elements("test", [1, 1], [0, 2], 8).unwrap().is_none());
        let long = elements("test", [isize::MAX; 2], [usize::MAX / 2, 1], 8).unwrap().unwrap();
        assert!(long.reach("test", long.to).is_err());
    }
}
