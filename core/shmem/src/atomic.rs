// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on one word of a PE, of 4 or 8 bytes. All changes of a word are totally ordered: a PE that has it
//! mapped uses an instruction of its processor; for a remote PE, a thread of the word's owner uses the same
//! instruction.
//!
//! | | old value | done |
//! |---|---|---|
//! | [`World::atomic`] | on return | on return |
//! | [`World::atomic_nbi`] | after quiet | after quiet |
//! | [`World::atomic_update`] | – | after quiet |

use mf_base::sync::pin;
use mf_base::{Error, Result};
use mf_fabric::pool::{Pool, Side};
use mf_fabric::transfer::Until;
use mf_net::{Atomic, Width};

use crate::context::Context;
use crate::place::Place;
use crate::{Access, World};

const OP: &str = "symmetric atomic";

impl Access<'_> {
    /// Changes the word at the symmetric `dest` at PE `pe`. Returns its old value, zero-extended.
    /// **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` no such PE, the word is not symmetric, or not aligned · `NotInit` after
    /// [`World::end`], or in a forked child · `NotConnected`, `Timeout` of the network; the word may be
    /// changed then.
    pub fn atomic(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<u64> {
        let (place, mut old) = (self.word(OP, dest, atomic.width, pe)?, [0; 8]);
        // SAFETY: the old value is here until the change is done.
        unsafe { self.context().change(self.world().pool(), place, atomic, old.as_mut_ptr(), Until::Done) }?;
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
            self.context().change(self.world().pool(), place, atomic, std::ptr::null_mut(), Until::Started)
        }?;
        self.ring(pe);
        Ok(())
    }

    /// Ends a nap of waits of PE `pe`, after a change of one of its words.
    pub(crate) fn ring(&self, pe: i32) {
        if let Ok(pe) = self.world_pe(OP, pe)
            && let Some(waits) = self.world().table().waits(pe.cast_unsigned())
        {
            waits.ring();
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
        unsafe { self.context().change(self.world().pool(), place, atomic, fetch, Until::Started) }?;
        self.ring(pe);
        Ok(())
    }

    /// Resolves a word at a PE.
    ///
    /// # Errors
    /// `InvalidParam`, `NotInit` like [`atomic`](Self::atomic).
    pub(crate) fn word(&self, operation: &'static str, own: *const u8, of: Width, pe: i32) -> Result<Place> {
        let bytes = width(of);
        check_aligned(operation, own, bytes)?;
        self.place(operation, own, bytes, pe)
    }
}

impl World {
    /// Checks that adjacent words of this PE are symmetric and may be read.
    ///
    /// # Errors
    /// `InvalidParam` they are not symmetric, or not aligned to their width · `NotInit`.
    pub(crate) fn check_own(
        &self,
        operation: &'static str,
        own: *const u8,
        width: usize,
        count: usize,
    ) -> Result<()> {
        check_aligned(operation, own, width)?;
        self.check(operation)?;
        let bytes = (count as u64).saturating_mul(width as u64);
        match self.distance_of(own, bytes, self.my_pe()) {
            Some(_) => Ok(()),
            None => Err(self.not_symmetric(operation, own, bytes, self.my_pe())),
        }
    }

    /// [`Access::atomic`] on the default context.
    ///
    /// # Errors
    /// As there.
    pub fn atomic(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<u64> {
        self.access().atomic(dest, atomic, pe)
    }

    /// [`Access::atomic_update`] on the default context.
    ///
    /// # Errors
    /// As there.
    pub fn atomic_update(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<()> {
        self.access().atomic_update(dest, atomic, pe)
    }

    /// [`Access::atomic_nbi`] on the default context.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn atomic_nbi(&self, fetch: *mut u8, dest: *const u8, atomic: Atomic, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.access().atomic_nbi(fetch, dest, atomic, pe) }
    }
}

impl Context {
    /// Changes a word. Its old value, with the width of the word, is written to `old`.
    ///
    /// # Errors
    /// Errors of the network; none for an operation that was only started.
    ///
    /// # Safety
    /// The place is aligned to the width. `old` is null, or writable until the change is done (see `until`).
    pub(crate) unsafe fn change(
        &self,
        pool: &Pool,
        place: Place,
        atomic: Atomic,
        old: *mut u8,
        until: Until,
    ) -> Result<()> {
        let there = match place {
            Place::Mapped(there) => there,
            Place::Distant(there) => {
                let section = pin::enter();
                let ends = pool.ends((Side::Global, Side::Global));
                // SAFETY: passed on to the caller.
                return unsafe { self.lane().change(&ends, &section, there.0, atomic, old, until) };
            }
        };
        // SAFETY: aligned memory of a PE that is mapped until the world ends.
        let before = unsafe { atomic.apply(there) };
        if !old.is_null() {
            // SAFETY: passed on to the caller.
            unsafe { atomic.width.write(before, old) };
        }
        Ok(())
    }
}

/// Returns the bytes of a word.
pub(crate) const fn width(width: Width) -> usize {
    match width {
        Width::W32 => 4,
        Width::W64 => 8,
    }
}

/// Checks that a word is aligned to its length.
pub(crate) fn check_aligned(operation: &'static str, word: *const u8, bytes: usize) -> Result<()> {
    if word.addr().is_multiple_of(bytes) {
        return Ok(());
    }
    Err(Error::invalid(operation, "the word is not aligned")
        .with("address", format!("{:#x}", word.addr()))
        .with("bytes", bytes)
        .hint("its address is a multiple of its size; nothing was done"))
}
