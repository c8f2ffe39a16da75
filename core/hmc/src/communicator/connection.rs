// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connection: the buffer of another communicator, and the route to it. Symmetric: it is the same at both
//! ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{Error, Result, Retry};
use mf_bootstrap::meeting::Guest;
use mf_fabric::endpoint::PeerAccess;
use mf_transport::Span;

use super::card::Card;
use super::net::Net;
use crate::buffer::Buffer;
use crate::numbers::{ConnType, MemoryType};
use crate::status_errors::out_of_range;

/// A connection to the buffer of another communicator.
pub struct Connection {
    /// Id; never reused in this process.
    number: u64,
    pub(super) net: Arc<Net>,
    pub(super) reached: PeerAccess,
    theirs: Card,
    /// Kind under which the peer was found; its other end may have another.
    conn: ConnType,
    /// Number of channels of both ends.
    channels: u64,
    /// Dialled address, as the caller wrote it; `None` if the other end dialled.
    name: Option<Box<[u8]>>,
    /// Membership in the listener's meeting point, which notices its end; `None` if the other end dialled.
    stay: Mutex<Option<Guest>>,
    is_over: AtomicBool,
}

impl Connection {
    pub(super) fn new(
        net: Arc<Net>,
        theirs: Card,
        conn: ConnType,
        channels: u64,
        stay: Option<Guest>,
    ) -> Result<Self> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let reached = net.reach(&theirs, conn, stay.is_some())?;
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let channels = channels.min(theirs.channels);
        let (stay, is_over) = (Mutex::new(stay), AtomicBool::new(false));
        Ok(Self { number, net, reached, theirs, conn, channels, name: None, stay, is_over })
    }

    /// Adds the dialled text, by which callers also name it.
    pub(super) fn dialled(mut self, text: &str) -> Self {
        self.name = Some(text.as_bytes().into());
        self
    }

    /// Returns true if another connection to the same communicator keeps its place: if two ends dial each
    /// other at once, both keep the connection of the lower session. Else each would drop its own.
    pub(super) fn yields_to(&self, former: &Self) -> bool {
        let (own, theirs) = (self.net.session(), self.session());
        let is_other_end = self.name.is_some() != former.name.is_some();
        let is_same = own != theirs && former.session() == theirs && former.is_alive();
        is_same && is_other_end && former.name.is_some() == (own < theirs)
    }

    /// Returns true if both were dialled by others, and by different ones.
    pub(super) fn is_distinct_peer(&self, other: &Self) -> bool {
        self.name.is_none() && other.name.is_none() && self.session() != other.session()
    }

    /// Returns the dialled text; `None` if the other end dialled.
    #[inline(always)]
    pub(super) fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    /// Returns its id, which no other connection of this process has.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns its kind.
    pub fn conn(&self) -> ConnType {
        self.conn
    }

    /// Returns the remote address and the length of the other buffer.
    pub(super) fn range(&self) -> (u64, u64) {
        (self.theirs.base, self.theirs.bytes)
    }

    /// Returns the length of the other buffer.
    pub fn bytes(&self) -> u64 {
        self.theirs.bytes
    }

    /// Returns the memory type of the other buffer.
    pub fn memory(&self) -> MemoryType {
        MemoryType::from_number(self.theirs.memory).unwrap_or(MemoryType::Cpu)
    }

    /// Returns the number of channels of both ends, 1 to 16.
    pub fn channels(&self) -> u64 {
        self.channels
    }

    /// Describes the route to the other process, for people.
    pub fn path(&self) -> &str {
        self.reached.path()
    }

    /// Returns true if the memory of the other process is mapped here.
    pub(super) fn is_mapped(&self) -> bool {
        self.reached.is_near()
    }

    /// Returns true unless the connection is known to be broken: a dialled listener still has this process as
    /// its guest.
    pub(super) fn is_alive(&self) -> bool {
        let is_over = self.is_over.load(Ordering::Acquire);
        !is_over && lock(&self.stay).as_ref().is_none_or(Guest::is_connected)
    }

    /// Ends a connection that was removed from the table: operations in flight end, and the other end
    /// notices.
    pub(super) fn end(&self) {
        if self.is_over.swap(true, Ordering::AcqRel) {
            return;
        }
        self.net.release(&self.reached);
        let stay = lock(&self.stay).take();
        drop(stay);
    }

    /// Returns the session of the other communicator's network.
    pub(super) fn session(&self) -> u64 {
        self.theirs.network.session
    }

    /// Resolves a range of both buffers, with bounds checks.
    ///
    /// # Errors
    /// `Error` a range is not inside its buffer.
    #[inline(always)]
    pub(super) fn span(
        &self,
        op: &'static str,
        buffer: &Buffer,
        local: u64,
        remote: u64,
        bytes: u64,
    ) -> Result<Span> {
        self.span_from(op, buffer.at(op, local, bytes)?, remote, bytes)
    }

    /// Like `span`, for memory of the program.
    ///
    /// # Errors
    /// `Error` the range is not inside the other buffer.
    #[inline(always)]
    pub(super) fn span_from(
        &self,
        op: &'static str,
        local: *mut u8,
        remote: u64,
        bytes: u64,
    ) -> Result<Span> {
        if remote.checked_add(bytes).is_none_or(|end| end > self.theirs.bytes) {
            return Err(out_of_range(op, "remote", remote, bytes, self.theirs.bytes));
        }
        // Its card was checked: the buffer lies in the address space.
        Ok(Span { local, address: self.theirs.base + remote, bytes })
    }

    /// Copies a span; visible at its destination on return. 0 bytes: nothing.
    ///
    /// # Errors
    /// `NotConnected`, `Timeout` the other process is gone, or does not answer · errors of the transport.
    ///
    /// # Safety
    /// The local range is valid until this returns.
    pub(super) unsafe fn copy(&self, span: &Span, is_put: bool) -> Result<()> {
        if span.bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller keeps the local range valid until this returns.
        unsafe { self.net.endpoint().copy(&self.reached, std::slice::from_ref(span), is_put) }
    }

    /// Like `copy` for several spans, none of which has 0 bytes, in any order.
    ///
    /// # Errors
    /// As [`copy`](Self::copy); some may have been copied.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    pub(super) unsafe fn copy_all(&self, spans: &[Span], is_put: bool) -> Result<()> {
        if spans.is_empty() {
            return Ok(());
        }
        // SAFETY: the caller keeps every local range valid until this returns.
        unsafe { self.net.endpoint().copy(&self.reached, spans, is_put) }
    }

    /// Posts a short put without a completion. `None` if the transport cannot do so; nothing was done then.
    ///
    /// # Errors
    /// `NotConnected` the other process is gone.
    ///
    /// # Safety
    /// The local range is valid during the call.
    pub(super) unsafe fn put_unobserved(&self, span: &Span) -> Option<Result<()>> {
        // SAFETY: the caller keeps the local range valid during the call.
        unsafe { self.net.endpoint().put_unobserved(&self.reached, span) }
    }

    /// Delivers a message to a lane of the other communicator, ordered after earlier puts; it has the message
    /// on return.
    ///
    /// # Errors
    /// `InvalidParam` too long, or too many are waiting there · `NotConnected`, `Timeout` as
    /// [`copy`](Self::copy).
    pub(super) fn notify(&self, lane: u8, message: &[u8]) -> Result<()> {
        let mut framed = Vec::with_capacity(9 + message.len());
        framed.extend_from_slice(&self.net.session().to_le_bytes());
        framed.push(lane);
        framed.extend_from_slice(message);
        self.net.endpoint().notify(&self.reached, &framed)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns true if an error means that the other process is gone. A connection that was given up because of
/// another operation does not.
pub(super) fn is_gone(error: &Error) -> bool {
    use mf_base::Kind::{NotConnected, Timeout};
    matches!(error.kind(), NotConnected | Timeout) && error.retry_class() != Retry::AtOnce
}

#[cfg(test)]
mod tests {
    use mf_base::Kind;

    use super::*;

    #[test]
    fn connection_given_up_for_another_operation_keeps_the_peer() {
        for (kind, retry, expected) in [
            (Kind::NotConnected, Retry::AfterReconnect, true),
            (Kind::Timeout, Retry::Later, true),
            (Kind::Timeout, Retry::AtOnce, false),
            (Kind::InvalidParam, Retry::Never, false),
        ] {
            assert_eq!(is_gone(&Error::new(kind, "test").retry(retry)), expected, "{kind:?} {retry:?}");
        }
    }
}
