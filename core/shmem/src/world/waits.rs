// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for, and tests of, words of this PE that others update.

use mf_base::Result;

use super::World;
use crate::wait::{Condition, Elements};

impl World {
    /// Waits until the own symmetric word satisfies the condition, compared with the bits of `value`. Returns
    /// its bits. **Local.** Blocks without a limit, unless `MF_SHMEM_TIMEOUT` is set.
    ///
    /// # Errors
    /// `InvalidParam` the word is not symmetric, or not aligned · `NotInit` after [`end`](Self::end), or in
    /// a forked child · `Timeout` names PEs that are gone · `Interrupted`.
    pub fn wait_until(&self, word: *const u8, condition: Condition, value: u64) -> Result<u64> {
        self.waits.wait_until(&self.space, word, condition, value)
    }

    /// Returns true if the own symmetric word satisfies the condition now. **Local.**
    ///
    /// # Errors
    /// `InvalidParam`, `NotInit` of [`wait_until`](Self::wait_until).
    pub fn test(&self, word: *const u8, condition: Condition, value: u64) -> Result<bool> {
        self.waits.test(&self.space, word, condition, value)
    }

    /// Waits until each element of the set has satisfied the condition once; returns at once for an empty
    /// set. **Local.** Like [`wait_until`](Self::wait_until).
    ///
    /// # Errors
    /// As there; `InvalidParam` the values are null.
    ///
    /// # Safety
    /// Status and values are null, or readable for all elements until the call returns.
    pub unsafe fn wait_until_all(&self, elements: &Elements) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.waits.wait_until_all(&self.space, elements) }
    }

    /// Waits until an element of the set satisfies the condition. Returns its index; `None` for an empty set.
    /// If several do, repeated calls find all. **Local.** Like [`wait_until`](Self::wait_until).
    ///
    /// # Errors
    /// As [`wait_until_all`](Self::wait_until_all).
    ///
    /// # Safety
    /// As there.
    pub unsafe fn wait_until_any(&self, elements: &Elements) -> Result<Option<usize>> {
        // SAFETY: passed on to the caller.
        unsafe { self.waits.wait_until_any(&self.space, elements) }
    }

    /// Waits until an element of the set satisfies the condition; writes the indices of all that do to
    /// `indices`, ascending. Returns their number; 0 for an empty set. **Local.** Like
    /// [`wait_until`](Self::wait_until).
    ///
    /// # Errors
    /// As [`wait_until_all`](Self::wait_until_all); `InvalidParam` the indices are null.
    ///
    /// # Safety
    /// As there; indices are writable for as many as there are elements.
    pub unsafe fn wait_until_some(&self, elements: &Elements, indices: *mut usize) -> Result<usize> {
        // SAFETY: passed on to the caller.
        unsafe { self.waits.wait_until_some(&self.space, elements, indices) }
    }

    /// Returns true if all elements of the set satisfy the condition now; also for an empty set. **Local.**
    ///
    /// # Errors
    /// Errors of [`test`](Self::test); `InvalidParam` the values are null.
    ///
    /// # Safety
    /// As [`wait_until_all`](Self::wait_until_all).
    pub unsafe fn test_all(&self, elements: &Elements) -> Result<bool> {
        // SAFETY: passed on to the caller.
        unsafe { self.waits.test_all(&self.space, elements) }
    }

    /// Returns the index of an element of the set that satisfies the condition now, if any; if several do,
    /// repeated calls find all. **Local.**
    ///
    /// # Errors
    /// As [`test_all`](Self::test_all).
    ///
    /// # Safety
    /// As there.
    pub unsafe fn test_any(&self, elements: &Elements) -> Result<Option<usize>> {
        // SAFETY: passed on to the caller.
        unsafe { self.waits.test_any(&self.space, elements) }
    }

    /// Writes the indices of all elements of the set that satisfy the condition now to `indices`, ascending.
    /// Returns their number. **Local.**
    ///
    /// # Errors
    /// As [`test_all`](Self::test_all); `InvalidParam` the indices are null.
    ///
    /// # Safety
    /// As [`wait_until_some`](Self::wait_until_some).
    pub unsafe fn test_some(&self, elements: &Elements, indices: *mut usize) -> Result<usize> {
        // SAFETY: passed on to the caller.
        unsafe { self.waits.test_some(&self.space, elements, indices) }
    }
}
