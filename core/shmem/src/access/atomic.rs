// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on one word of a PE, of 4 or 8 bytes. All changes of a word are totally ordered: a PE that has it
//! mapped uses an instruction of its processor; for a remote PE, a thread of the word's owner uses the same
//! instruction.
//!
//! | | old value | done |
//! |---|---|---|
//! | [`Access::atomic`] | on return | on return |
//! | [`Access::atomic_nbi`] | after quiet | after quiet |
//! | [`Access::atomic_update`] | – | after quiet |

use mf_base::{Error, Result};
use mf_fabric::transfer::Until;
use mf_transport::{Atomic, Width};

use super::Access;
use crate::number::{check_aligned, width_bytes};
use crate::space::PeAddress;

const OP: &str = "symmetric atomic";

impl Access<'_> {
    /// Changes the word at the symmetric `dest` at PE `pe`. Returns its old value, zero-extended.
    /// **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` no such PE, the word is not symmetric, or not aligned · `NotInit` after
    /// [`World::end`](crate::World::end), or in a forked child · `NotConnected`, `Timeout` of the network;
    /// the word may be changed then.
    pub fn atomic(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<u64> {
        let (place, mut old) = (self.word(OP, dest, atomic.width, pe)?, [0; 8]);
        // SAFETY: the old value is here until the change is done.
        unsafe { self.context.change(self.space.pe().pool(), place, atomic, old.as_mut_ptr(), Until::Done) }?;
        self.ring(pe);
        Ok(u64::from_le_bytes(old))
    }

    /// As [`atomic`](Self::atomic) without the old value, and may return before the word is changed.
    ///
    /// # Errors
    /// As there; errors of the network come with [`quiet`](Self::quiet).
    pub fn atomic_update(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<()> {
        let place = self.word(OP, dest, atomic.width, pe)?;
        // SAFETY: no old value is requested.
        unsafe {
            self.context.change(self.space.pe().pool(), place, atomic, std::ptr::null_mut(), Until::Started)
        }?;
        self.ring(pe);
        Ok(())
    }

    /// Ends a nap of waits of PE `pe`, after a change of one of its words.
    pub(crate) fn ring(&self, pe: i32) {
        if let Ok(pe) = self.world_pe(OP, pe)
            && let Some(waits) = self.space.table().waits(pe.cast_unsigned())
        {
            waits.notify_sleepers();
        }
    }

    /// As [`atomic`](Self::atomic); the old value is at `fetch`, any memory of this process, after
    /// [`quiet`](Self::quiet).
    ///
    /// # Errors
    /// As there; errors of the network come with [`quiet`](Self::quiet). `InvalidParam` `fetch` is null.
    ///
    /// # Safety
    /// `fetch` is writable for the width, until [`quiet`](Self::quiet) returned.
    pub unsafe fn atomic_nbi(&self, fetch: *mut u8, dest: *const u8, atomic: Atomic, pe: i32) -> Result<()> {
        if fetch.is_null() {
            return Err(Error::invalid(OP, "the place of the old value is null"));
        }
        let place = self.word(OP, dest, atomic.width, pe)?;
        // SAFETY: passed on to the caller.
        unsafe { self.context.change(self.space.pe().pool(), place, atomic, fetch, Until::Started) }?;
        self.ring(pe);
        Ok(())
    }

    /// Resolves a word at a PE.
    ///
    /// # Errors
    /// `InvalidParam`, `NotInit` like [`atomic`](Self::atomic).
    pub(crate) fn word(
        &self,
        operation: &'static str,
        own: *const u8,
        of: Width,
        pe: i32,
    ) -> Result<PeAddress> {
        let bytes = width_bytes(of);
        check_aligned(operation, own, bytes)?;
        self.resolve(operation, own, bytes, pe)
    }
}
