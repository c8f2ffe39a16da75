// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Signals: words of a PE, of 4 or 8 bytes, updated after data: a reader that sees the signal sees the data.
//!
//! If the PE is mapped here, the update is a store or an atomic addition after the copy. Else data and signal
//! are one operation, and a thread of the PE updates the word after it has all data.

use mf_base::sync::rcu;
use mf_base::{Error, Kind, Result};
use mf_device::engine::{self, Piece};
use mf_fabric::pool::Side;
use mf_fabric::transfer::{Signal, Until};
use mf_transport::{Atomic, AtomicKind, Width};

use super::Access;
use super::rma::not_null;
use crate::fast_path::signal::apply;
use crate::number::width_bytes;
use crate::space::PeAddress;

const PUT: &str = "symmetric put with signal";
const UPDATE: &str = "symmetric signal";
const FETCH: &str = "symmetric signal fetch";

impl Access<'_> {
    /// Copies like [`put`](Self::put), then updates a signal of the same PE, given by its own address. 0
    /// bytes: the signal alone. **One-sided.** On return the source may be changed; the signal is visible
    /// after [`quiet`](Self::quiet), at the latest.
    ///
    /// # Errors
    /// As [`put`](Self::put); `InvalidParam` the signal is not symmetric, or not aligned. Nothing was written
    /// then.
    ///
    /// # Safety
    /// As [`put`](Self::put).
    pub unsafe fn put_signal(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        signal: &Signal,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.put_signal_until(dest, source, bytes, signal, pe, Until::Reusable) }
    }

    /// As [`put_signal`](Self::put_signal), and may return before the source may be changed.
    ///
    /// # Errors
    /// As there; errors of the network come with [`quiet`](Self::quiet).
    ///
    /// # Safety
    /// As [`put_nbi`](Self::put_nbi).
    pub unsafe fn put_signal_nbi(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        signal: &Signal,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.put_signal_until(dest, source, bytes, signal, pe, Until::Started) }
    }

    /// Updates a signal of PE `pe`, given by its own address. **One-sided.** May return before it is visible.
    ///
    /// # Errors
    /// As [`atomic_update`](Self::atomic_update).
    pub fn signal(&self, signal: &Signal, pe: i32) -> Result<()> {
        let word = self.word(UPDATE, own_address(signal), signal.width, pe)?;
        self.update(word, signal)?;
        self.ring(pe);
        Ok(())
    }

    /// # Safety
    /// As [`put`](Self::put), for as long as `until` says.
    unsafe fn put_signal_until(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        signal: &Signal,
        pe: i32,
        until: Until,
    ) -> Result<()> {
        let word = self.word(PUT, own_address(signal), signal.width, pe)?;
        if bytes == 0 {
            self.update(word, signal)?;
            self.ring(pe);
            return Ok(());
        }
        let source = not_null(PUT, source.cast_mut())?;
        match (self.resolve(PUT, dest, bytes, pe)?, word) {
            (PeAddress::Mapped(there), PeAddress::Mapped(word)) => {
                // SAFETY: memory of a PE that is mapped until the world ends; the caller vouches for the
                // source.
                unsafe { engine::copy(source, there, bytes) };
                // SAFETY: as above; the word is aligned.
                unsafe { apply(signal.kind, signal.width, signal.value, word) };
                self.ring(pe);
                Ok(())
            }
            (PeAddress::Remote(there), PeAddress::Remote(word)) => {
                let piece = Piece { src: source, dst: there.as_ptr(), bytes: bytes as u64 };
                let (section, resolver) =
                    (rcu::read_lock(), self.space.pe().pool().resolver((Side::Local, Side::Global)));
                let signal = Signal { address: word.0, ..*signal };
                // SAFETY: passed on to the caller.
                unsafe { self.context.lane().put_signal(&resolver, &section, &piece, signal, until) }
            }
            _ => Err(partly_mapped(PUT)),
        }
    }

    fn update(&self, word: PeAddress, signal: &Signal) -> Result<()> {
        if let PeAddress::Mapped(word) = word {
            // SAFETY: an aligned word of a PE that is mapped until the world ends.
            unsafe { apply(signal.kind, signal.width, signal.value, word) };
            return Ok(());
        }
        let atomic = signal.kind.atomic(signal.width, signal.value);
        // SAFETY: no old value is wanted.
        unsafe {
            self.context.change(self.space.pe().pool(), word, atomic, std::ptr::null_mut(), Until::Started)
        }
    }

    /// Reads a signal of this PE, zero-extended.
    pub(crate) fn signal_fetch(&self, own: *const u8, width: Width) -> Result<u64> {
        self.space.check_own(FETCH, own, width_bytes(width), 1)?;
        let fetch = Atomic { kind: AtomicKind::Fetch, width, operand: 0, compare: 0 };
        if self.space.is_in_device_memory() {
            return self.atomic(own, fetch, self.space.pe().my_pe().cast_signed());
        }
        // SAFETY: an aligned word of this PE.
        Ok(unsafe { fetch.apply(own.cast_mut()) })
    }
}

/// Returns the own address of a signal.
fn own_address(signal: &Signal) -> *const u8 {
    mf_base::Gva(signal.address).as_ptr()
}

/// Creates the error for data and signal in differently mapped memory: a PE's memory is mapped as a whole, or
/// not at all.
#[cold]
fn partly_mapped(operation: &'static str) -> Error {
    Error::new(Kind::Failed, operation).what("a part of the PE's memory is mapped here, and another is not")
}
