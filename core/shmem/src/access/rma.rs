// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get. Addresses in the memory of a PE are given as the own address of the same object.
//!
//! | | source may be changed, or destination read | visible there |
//! |---|---|---|
//! | put | on return | after quiet; where it is mapped, on return |
//! | get | on return | – |
//! | put_nbi, get_nbi | after quiet | after quiet |

use mf_base::{Error, Result};
use mf_device::engine::{self, Piece};
use mf_fabric::transfer::Until;

use super::Access;
use crate::context::Direction;
use crate::space::PeAddress;

const PUT: &str = "symmetric put";
const GET: &str = "symmetric get";

impl Access<'_> {
    /// Copies `bytes` from `source`, any memory of this process, to the symmetric `dest` at PE `pe`. 0 bytes:
    /// nothing. **One-sided.** On return the source may be changed; see [`quiet`](Self::quiet).
    ///
    /// # Errors
    /// `InvalidParam` no such PE, the destination is not symmetric, or a null pointer · `NotInit` after
    /// [`World::end`](crate::World::end), or in a forked child · `NotConnected`, `Timeout` of the network.
    /// Nothing was written if an argument was refused.
    ///
    /// # Safety
    /// `source` is readable for `bytes`, until the call returns.
    #[inline]
    pub unsafe fn put(&self, dest: *mut u8, source: *const u8, bytes: usize, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.put_until(dest, source, bytes, pe, Until::Reusable) }
    }

    /// As [`put`](Self::put), and may return before the source may be changed.
    ///
    /// # Errors
    /// As there; errors of the network come with [`quiet`](Self::quiet).
    ///
    /// # Safety
    /// As there, until [`quiet`](Self::quiet) returned.
    #[inline]
    pub unsafe fn put_nbi(&self, dest: *mut u8, source: *const u8, bytes: usize, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.put_until(dest, source, bytes, pe, Until::Started) }
    }

    /// As [`put`](Self::put), and on return it is visible at the PE.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    #[inline]
    pub unsafe fn put_done(&self, dest: *mut u8, source: *const u8, bytes: usize, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.put_until(dest, source, bytes, pe, Until::Done) }
    }

    /// Copies `bytes` from the symmetric `source` at PE `pe` to `dest`, any memory of this process. 0 bytes:
    /// nothing. **One-sided.** Done on return.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    ///
    /// # Safety
    /// `dest` is writable for `bytes`, until the call returns.
    #[inline]
    pub unsafe fn get(&self, dest: *mut u8, source: *const u8, bytes: usize, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.get_until(dest, source, bytes, pe, Until::Done) }
    }

    /// As [`get`](Self::get), done after [`quiet`](Self::quiet).
    ///
    /// # Errors
    /// As [`put_nbi`](Self::put_nbi).
    ///
    /// # Safety
    /// As [`get`](Self::get), until [`quiet`](Self::quiet) returned.
    #[inline]
    pub unsafe fn get_nbi(&self, dest: *mut u8, source: *const u8, bytes: usize, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.get_until(dest, source, bytes, pe, Until::Started) }
    }

    /// # Safety
    /// As [`put`](Self::put), for as long as `until` says.
    #[inline]
    unsafe fn put_until(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        pe: i32,
        until: Until,
    ) -> Result<()> {
        if bytes == 0 {
            return self.space.pe().check(PUT);
        }
        let source = not_null(PUT, source.cast_mut())?;
        match self.resolve(PUT, dest, bytes, pe)? {
            PeAddress::Mapped(there) => {
                // SAFETY: memory of a PE that is mapped until the world ends; the caller vouches for the
                // source.
                unsafe { engine::copy(source, there, bytes) };
                self.ring(pe);
            }
            PeAddress::Remote(there) => {
                let piece = Piece { src: source, dst: there.as_ptr(), bytes: bytes as u64 };
                // SAFETY: passed on to the caller.
                unsafe { self.context.remote_copy(self.space.pe().pool(), Direction::Put, &piece, until) }?;
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`get`](Self::get), for as long as `until` says.
    #[inline]
    unsafe fn get_until(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        pe: i32,
        until: Until,
    ) -> Result<()> {
        if bytes == 0 {
            return self.space.pe().check(GET);
        }
        let dest = not_null(GET, dest)?;
        match self.resolve(GET, source, bytes, pe)? {
            // SAFETY: as in `put_until`.
            PeAddress::Mapped(there) => unsafe { engine::copy(there, dest, bytes) },
            PeAddress::Remote(there) => {
                let piece = Piece { src: there.as_ptr(), dst: dest, bytes: bytes as u64 };
                // SAFETY: passed on to the caller.
                unsafe { self.context.remote_copy(self.space.pe().pool(), Direction::Get, &piece, until) }?;
            }
        }
        Ok(())
    }
}

/// Refuses a null pointer.
pub(crate) fn not_null(operation: &'static str, pointer: *mut u8) -> Result<*mut u8> {
    if pointer.is_null() {
        return Err(Error::invalid(operation, "source or destination is null"));
    }
    Ok(pointer)
}
