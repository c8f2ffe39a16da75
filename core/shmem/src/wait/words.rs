// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory that a wait reads: words that others update, and arrays of the caller.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use mf_base::os::guarded::is_readable;
use mf_base::sync::pace::SPINS;
use mf_base::{Error, Kind, Result};

use super::Condition;
use crate::number::check_aligned;
use crate::space::Space;

/// Adjacent, aligned words of this PE, mapped until the world ends.
pub(super) struct Words<'a> {
    first: *const u8,
    count: usize,
    bytes: usize,
    /// Their last copy, if they are in an accelerator's memory.
    copied: Option<(&'a Space, RefCell<Vec<u8>>)>,
}

impl<'a> Words<'a> {
    /// Creates `count` words of the type of a condition, at an own symmetric address, or `anywhere` in this
    /// process. With 0 nothing is read.
    ///
    /// # Errors
    /// `InvalidParam` they are not symmetric, or not aligned · `NotInit`.
    pub(super) fn new(
        space: &'a Space,
        operation: &'static str,
        (first, count): (*const u8, usize),
        condition: Condition,
        anywhere: bool,
    ) -> Result<Self> {
        let bytes = condition.number.bytes();
        match count {
            0 => space.pe().check(operation)?,
            _ if anywhere && !space.is_symmetric(first) => {
                space.pe().check(operation)?;
                check_aligned(operation, first, bytes)?;
                if !space.is_device_memory(first) {
                    check_readable(operation, first, bytes, count)?;
                }
            }
            _ => space.check_own(operation, first, bytes, count)?,
        }
        if count == 0 || !space.is_device_memory(first) {
            return Ok(Self { first, count, bytes, copied: None });
        }
        let mut copy = Vec::new();
        let length = count.saturating_mul(bytes);
        copy.try_reserve_exact(length).map_err(|_| {
            Error::new(Kind::OutOfMemory, operation)
                .what("no memory for a copy of words in device memory")
                .with("bytes", length)
        })?;
        copy.resize(length, 0);
        Ok(Self { first, count, bytes, copied: Some((space, RefCell::new(copy))) })
    }

    /// Returns the result of `poll` on the present words.
    #[inline(always)]
    pub(super) fn poll<R>(&self, poll: impl FnOnce() -> Option<R>) -> Option<Result<R>> {
        match self.read() {
            Ok(()) => poll().map(Ok),
            Err(error) => Some(Err(error)),
        }
    }

    /// Refreshes the copy of the words, if [`bits`](Self::bits) uses one.
    ///
    /// # Errors
    /// Errors of the accelerator.
    #[inline(always)]
    pub(super) fn read(&self) -> Result<()> {
        let Some((space, copy)) = &self.copied else { return Ok(()) };
        let mut copy = copy.borrow_mut();
        // SAFETY: words of this PE, and as many bytes of the copy.
        unsafe { space.copy_local(self.first, copy.as_mut_ptr(), copy.len()) }
    }

    /// Returns the cost of a poll, in words that the processor reads.
    pub(super) fn cost(&self) -> usize {
        // A poll calls the accelerator.
        if self.copied.is_some() { SPINS as usize } else { self.count }
    }

    /// Returns the bits of a word, zero-extended; 0 if out of range.
    #[inline(always)]
    pub(super) fn bits(&self, index: usize) -> u64 {
        // Acquire: pairs with the release of a fence after a put, of a signal, of an atomic.
        const ORDER: Ordering = Ordering::Acquire;
        if index >= self.count {
            return 0;
        }
        if let Some((_, copy)) = &self.copied {
            // SAFETY: it has so many elements.
            return unsafe { bits(copy.borrow().as_ptr(), index, self.bytes) };
        }
        let word = self.first.wrapping_add(index * self.bytes).cast_mut();
        // An aligned word of this PE, since `new`; writers update it atomically.
        match self.bytes {
            // SAFETY: as above.
            1 => u64::from(unsafe { AtomicU8::from_ptr(word) }.load(ORDER)),
            // SAFETY: as above.
            2 => u64::from(unsafe { AtomicU16::from_ptr(word.cast()) }.load(ORDER)),
            // SAFETY: as above.
            4 => u64::from(unsafe { AtomicU32::from_ptr(word.cast()) }.load(ORDER)),
            // SAFETY: as above.
            _ => unsafe { AtomicU64::from_ptr(word.cast()) }.load(ORDER),
        }
    }
}

/// Checks with the kernel that words are readable memory of this process.
///
/// # Errors
/// `InvalidParam` they are not.
fn check_readable(operation: &'static str, first: *const u8, bytes: usize, count: usize) -> Result<()> {
    let end = count.checked_mul(bytes).and_then(|length| first.addr().checked_add(length));
    let is_memory = end.is_some_and(|end| is_readable(first.addr(), 1) && is_readable(end - 1, 1));
    if is_memory {
        return Ok(());
    }
    Err(Error::invalid(operation, "the words are not readable memory of this process")
        .with("address", format!("{first:p}"))
        .with("words", count)
        .with("bytes_of_a_word", bytes))
}

/// Returns the bits of an element of the caller's array.
///
/// # Safety
/// It is readable.
pub(super) unsafe fn bits(array: *const u8, index: usize, bytes: usize) -> u64 {
    let element = array.wrapping_add(index * bytes);
    match bytes {
        // SAFETY: passed on to the caller.
        1 => u64::from(unsafe { element.read() }),
        // SAFETY: as above.
        2 => u64::from(unsafe { element.cast::<u16>().read_unaligned() }),
        // SAFETY: as above.
        4 => u64::from(unsafe { element.cast::<u32>().read_unaligned() }),
        // SAFETY: as above.
        _ => unsafe { element.cast::<u64>().read_unaligned() },
    }
}
