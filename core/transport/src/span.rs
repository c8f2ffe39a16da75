// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Span: a piece of memory here, and its counterpart at a peer.

use mf_base::{Error, Result};

/// One piece of a put or get: host memory of this process, and an address in the segments of the peer.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Host memory here; a put only reads it. Never null.
    pub local: *mut u8,
    /// Address there.
    pub address: u64,
    /// Length, at least 1.
    pub bytes: u64,
}

impl Span {
    /// Validates it.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        if self.bytes == 0 || self.local.is_null() || self.address.checked_add(self.bytes).is_none() {
            return Err(bad_range(self.address, self.bytes));
        }
        Ok(())
    }
}

/// Returns the error of an invalid range.
#[cold]
pub(crate) fn bad_range(address: u64, bytes: u64) -> Error {
    Error::invalid("transport post", "a range of 0 bytes, at null or beyond the last address")
        .with("address", format_args!("{address:#x}"))
        .with("bytes", bytes)
}
