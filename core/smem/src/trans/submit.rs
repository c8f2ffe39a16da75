// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Starting transfers, and notifications in both directions.

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Kind, Result, interrupt};
use mf_transport::Span;

use super::endpoint::{Endpoint, EndpointInner, check_spans};
use super::inbox::{Notification, checked_copy};
use super::started_transfer::Transfer;
use super::work::{Spans, Work};

/// As good as for ever.
const FAR: Duration = Duration::from_secs(1 << 30);

impl Endpoint {
    /// Starts a transfer of pieces to registered memory of the endpoint `to`, or from there, and returns;
    /// a thread of the library does it. Transfers to one endpoint are done in the order of their starts.
    /// With `message`, of at most [`MESSAGE_BYTES_MAX`](super::MESSAGE_BYTES_MAX) bytes, `to` gets a
    /// notification when all is copied; then there may be no pieces. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` an invalid piece, or a long message · `NoResources` no thread can be started.
    /// [`Transfer::poll`] reports later errors.
    ///
    /// # Safety
    /// Local memory is valid, for reading or for writing, until the transfer has ended.
    pub unsafe fn start(
        &self,
        to: &str,
        spans: Vec<Span>,
        is_write: bool,
        message: Option<&[u8]>,
    ) -> Result<Transfer> {
        self.check()?;
        if message.is_none() || !spans.is_empty() {
            check_spans(&spans)?;
        }
        let (endpoint, spans) = (Arc::downgrade(&self.0), Arc::new(Spans(spans)));
        let message = checked_copy(message)?;
        self.0.start(to, Work { endpoint, spans, is_write, message, reached: None })
    }

    /// Finds the endpoint `to`, as a first transfer there would. Waits for the store, at most 3 seconds.
    ///
    /// # Errors
    /// `NotConnected` unknown endpoint, or no engine reaches it.
    pub fn find(&self, to: &str) -> Result<()> {
        self.check()?;
        self.0.found(to).map(drop)
    }

    /// Sends a message to the endpoint `to`, which has it when this returns. It arrives after all transfers
    /// to `to` that were started before, and after all that have returned. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` too long · `NoResources` the receiver has no room: its program takes none ·
    /// `NotConnected` unknown endpoint, or it does not answer; the message may have arrived then.
    pub fn notify(&self, to: &str, message: &[u8]) -> Result<()> {
        // SAFETY: there are no pieces.
        let transfer = unsafe { self.start(to, Vec::new(), true, Some(message)) }?;
        let done = transfer.wait(Duration::MAX);
        let Err(error) = done else { return Ok(()) };
        if error.kind() != Kind::Interrupted {
            return Err(error);
        }
        // The caller makes the call again, unless it has been done.
        interrupt::without(|| transfer.cancel());
        match transfer.poll() {
            Err(cancelled) if cancelled.kind() == Kind::Cancelled => Err(error),
            ended => ended.map(drop),
        }
    }

    /// Takes all arrived notifications, in the order of their arrival: an endpoint's notifications in the
    /// order in which it sent them. Endpoints of this name in this process share them. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the endpoint was destroyed · `NotInit` in a forked child.
    pub fn notifications(&self) -> Result<Vec<Notification>> {
        self.check()?;
        Ok(self.0.inbox.take_all())
    }

    /// Takes the oldest notification; waits for one, at most for `timeout`. `None`: none came.
    ///
    /// # Errors
    /// As [`notifications`](Self::notifications).
    pub fn notification(&self, timeout: Duration) -> Result<Option<Notification>> {
        self.check()?;
        let now = Instant::now();
        let is_over = || self.check().is_err();
        let found = self.0.inbox.take(now.checked_add(timeout).unwrap_or(now + FAR), is_over)?;
        if found.is_none() {
            self.check()?;
        }
        Ok(found)
    }

    /// Returns a descriptor for event loops: readable when a transfer of an endpoint of this name has ended,
    /// or a notification has come, until 8 bytes were read from it. Events before the first call do not
    /// count, so the caller polls once after it. It is closed with the last endpoint of this name.
    ///
    /// # Errors
    /// As [`notifications`](Self::notifications) · `NoResources` out of descriptors.
    pub fn event_descriptor(&self) -> Result<BorrowedFd<'_>> {
        self.check()?;
        self.0.inbox.event.descriptor("transfer")
    }
}

impl EndpointInner {
    /// Starts work as a transfer.
    pub(super) fn start(&self, peer: &str, work: Work) -> Result<Transfer> {
        self.transfers.start(peer, work, &self.inbox.event)
    }
}
