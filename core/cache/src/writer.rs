// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Public interface of values that are written in pieces.

use std::sync::Arc;

use mf_base::Result;

use crate::memory::Source;
use crate::pending::Pending;
use crate::shared::CacheShared;

/// A value that is being written, from [`Cache::begin`]. Dropped, it gives its room up.
///
/// [`Cache::begin`]: crate::Cache::begin
pub struct Writer {
    shared: Arc<CacheShared>,
    /// `None` once it is visible.
    pending: Option<Pending>,
}

impl Writer {
    pub(crate) fn new(shared: Arc<CacheShared>, pending: Pending) -> Self {
        Self { shared, pending: Some(pending) }
    }

    /// Writes a piece to its offset in the value. Pieces may come in any order; bytes that are never written
    /// have any contents. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` the piece ends beyond the value; nothing is written · `NotConnected` the members that
    /// had the pieces are gone · `NotExist` the cache is closed · errors of the pool.
    pub fn write(&mut self, offset: u64, piece: &[u8]) -> Result<()> {
        // SAFETY: the source is a slice that lives during the call.
        unsafe { self.write_raw(offset, piece.as_ptr(), piece.len() as u64) }
    }

    /// Like [`write`](Self::write), from any memory, including an accelerator's.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// # Safety
    /// The source is readable for `bytes` until the call returns.
    pub unsafe fn write_raw(&mut self, offset: u64, source: *const u8, bytes: u64) -> Result<()> {
        let member = self.shared.open_member("cache write")?;
        // SAFETY: the caller keeps `bytes` readable bytes at `source` until the call returns.
        let source = unsafe { Source::new(source, bytes) };
        self.pending.as_mut().map_or(Ok(()), |pending| member.write_piece(pending, offset, source))
    }

    /// Makes the value visible to all members. Returns false if the key has one that is not to be replaced.
    /// **One-sided.**
    ///
    /// # Errors
    /// As [`Cache::put`](crate::Cache::put) and [`write`](Self::write). The former value stays then.
    pub fn publish(mut self) -> Result<bool> {
        let member = self.shared.open_member("cache write")?;
        let Some(pending) = &mut self.pending else { return Ok(false) };
        let is_stored = member.publish_pending(pending)?;
        if is_stored {
            self.pending = None;
        }
        Ok(is_stored)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(pending) = self.pending.take()
            && let Ok(member) = self.shared.open_member("cache write")
        {
            member.give_up(&pending);
        }
    }
}
