// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers that are done when the call returns, or when a stream gets there.

use mf_base::sync::rcu::ReadSection;
use mf_base::{Error, Kind, Result};
use mf_device::RawStream;
use mf_fabric::endpoint::PeerAccess;
use mf_transport::Span;

use super::search::error_of;
use super::{Endpoint, OP};

impl Endpoint {
    /// Copies `source` to registered memory of the endpoint `to`. **One-sided.** It is there on return.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one registered range there · `NotConnected` no such endpoint,
    /// or it is gone or does not answer. Part of it may have been written.
    pub fn write(&self, source: &[u8], to: &str, address: u64) -> Result<()> {
        let span = Span { local: source.as_ptr().cast_mut(), address, bytes: source.len() as u64 };
        // SAFETY: the source is a slice that lives during the call, and is only read.
        unsafe { self.transfer(to, &[span], true) }
    }

    /// Fills `destination` from registered memory of the endpoint `from`. **One-sided.**
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn read(&self, destination: &mut [u8], from: &str, address: u64) -> Result<()> {
        let span = Span { local: destination.as_mut_ptr(), address, bytes: destination.len() as u64 };
        // SAFETY: the destination is a slice that lives during the call.
        unsafe { self.transfer(from, &[span], false) }
    }

    /// Fast path: copies one short span without a wait, if the other endpoint is known and its memory is
    /// mapped; visible on return. Returns `None` if nothing was done; [`transfer`](Self::transfer) is the
    /// slow path. The name is bytes.
    ///
    /// # Errors
    /// As [`transfer`](Self::transfer).
    ///
    /// # Safety
    /// As [`transfer`](Self::transfer).
    #[inline]
    pub unsafe fn fast_path(
        &self,
        section: ReadSection<'_>,
        to: &[u8],
        span: &Span,
        is_write: bool,
    ) -> Option<Result<()>> {
        let inner = &*self.0;
        if !inner.owner.is_current() || span.bytes == 0 || span.local.is_null() {
            return None;
        }
        let reached = inner.peers.lookup(section, to)?;
        // SAFETY: the caller keeps the local range valid until this returns.
        match unsafe { inner.memory.fast_path(section, reached, span, is_write) }? {
            Ok(()) => Some(Ok(())),
            // One that has come back in its place is found.
            Err(error) if error.kind() == Kind::NotConnected => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Copies spans between memory here and registered memory of another endpoint, in any order; all are
    /// visible on return. **One-sided.**
    ///
    /// # Errors
    /// As [`write`](Self::write); the text names the piece. Others may have been copied.
    ///
    /// # Safety
    /// Local ranges are valid, for reading or for writing, until this returns.
    pub unsafe fn transfer(&self, to: &str, spans: &[Span], is_write: bool) -> Result<()> {
        self.check()?;
        check_spans(spans)?;
        // SAFETY: the caller keeps local ranges valid until this returns.
        let copy = |reached: &PeerAccess| unsafe { self.0.memory.copy(reached, spans, is_write) };
        self.0.with_peer(to, None, copy).map(drop)
    }

    /// Like [`transfer`](Self::transfer), in the order of a stream of the accelerator: later work on the
    /// stream sees the data. Without an accelerator it is done on return.
    ///
    /// # Errors
    /// As [`transfer`](Self::transfer) for errors found at once; later failures are logged · `InvalidParam`
    /// not a stream.
    ///
    /// # Safety
    /// As [`transfer`](Self::transfer), until the stream has done it; the stream is the runtime's.
    pub unsafe fn submit(&self, to: &str, spans: Vec<Span>, is_write: bool, stream: RawStream) -> Result<()> {
        self.check()?;
        check_spans(&spans)?;
        if stream.0.is_null() {
            return Err(Error::invalid(OP, "the stream is null"));
        }
        let reached = self.0.found(to)?;
        // SAFETY: the caller keeps local ranges valid until the stream has done it, and vouches for the
        // stream.
        let done = unsafe { self.0.memory.copy_on(&reached, spans, is_write, stream) };
        done.map_err(|error| error_of(error, to))
    }
}

pub(in crate::trans) fn check_spans(spans: &[Span]) -> Result<()> {
    let is_bad = |span: &Span| {
        let local = (span.local.addr() as u64).checked_add(span.bytes);
        span.bytes == 0
            || span.local.is_null()
            || span.address == 0
            || local.is_none()
            || span.address.checked_add(span.bytes).is_none()
    };
    let Some(number) = spans.iter().position(is_bad) else {
        return match spans {
            [] => Err(Error::invalid(OP, "there is nothing to transfer")),
            _ => Ok(()),
        };
    };
    let bytes = spans.get(number).map_or(0, |span| span.bytes);
    let error =
        Error::invalid(OP, "a range of 0 bytes, at null or beyond the last address").with("bytes", bytes);
    Err(if spans.len() > 1 { error.with("piece", number) } else { error })
}
