// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies and other work when a stream of the accelerator gets there.

use std::sync::Arc;

use mf_base::sync::rcu;
use mf_base::{Error, Kind, Result, error_limited};
use mf_device::{Locality, RawStream};
use mf_transport::Span;

use super::copies::merged;
use super::{Endpoint, OP, PeerAccess};
use crate::transfer::{self, Mode};

impl Endpoint {
    /// Like [`copy`](Self::copy), when a stream of the accelerator gets there; later work on the stream waits
    /// for it. Without an accelerator at once.
    ///
    /// # Errors
    /// As [`copy`](Self::copy), if it is done at once · `InvalidParam` not a stream. Later failures are
    /// logged.
    ///
    /// # Safety
    /// As [`copy`](Self::copy), until the stream has done it; the stream is one of the accelerator's runtime.
    pub unsafe fn copy_on(
        self: &Arc<Self>,
        to: &Arc<PeerAccess>,
        spans: Vec<Span>,
        is_put: bool,
        stream: RawStream,
    ) -> Result<()> {
        let Some(mover) = self.devices.mover() else {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy(to, &spans, is_put) };
        };
        if to.near.is_none()
            && let local = self.locality_of(&spans)
            && local != Some(Locality::Host)
        {
            let (resolver, pieces) = (self.resolver(to, is_put, local)?, merged(&spans, is_put));
            // SAFETY: passed on to the caller.
            return unsafe {
                transfer::copy(&resolver, &self.lane, &rcu::read_lock(), &pieces, Mode::Stream(stream))
            };
        }
        let (endpoint, to, spans) = (Arc::clone(self), Arc::clone(to), Later(spans));
        let work = move || {
            let spans = spans;
            // SAFETY: the caller vouches for the local ends until the stream has done the copy.
            if let Err(error) = unsafe { endpoint.copy(&to, &{ spans }.0, is_put) } {
                error_limited!("a transfer on a stream failed: {error}");
            }
        };
        // SAFETY: passed on to the caller.
        unsafe { mover.run_waiting_on(stream, Box::new(work)) }
    }

    /// Returns true if there is an accelerator, with streams.
    pub fn has_streams(&self) -> bool {
        self.devices.mover().is_some()
    }

    /// Runs work that may wait when a stream of the accelerator gets there; later work on the stream waits
    /// for it.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator · `InvalidParam` not a stream.
    ///
    /// # Safety
    /// The stream is one of the accelerator's runtime.
    pub unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        let none = || Error::new(Kind::NotExist, OP).what("no accelerator, and therefore no stream");
        let mover = self.devices.mover().ok_or_else(none)?;
        // SAFETY: passed on to the caller.
        unsafe { mover.run_waiting_on(stream, work) }
    }
}

/// Spans that are copied later, on another thread.
struct Later(Vec<Span>);

// SAFETY: addresses only; the caller of the copy vouches for the memory.
unsafe impl Send for Later {}
