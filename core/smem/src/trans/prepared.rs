// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lists of pieces that are checked once and transferred many times.

use std::sync::{Arc, Mutex, Weak};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::PeerAccess;
use mf_transport::Span;

use super::endpoint::{Endpoint, EndpointInner, check_spans};
use super::inbox::checked_copy;
use super::started_transfer::Transfer;
use super::work::{DESTROYED, Spans, Work};

const OP: &str = "prepared transfer";

/// Pieces between memory that is registered here and the process that has a name now. Thread-safe.
///
/// Nothing is promised of the memory of the other process: its owner decides for each access.
pub struct Prepared {
    endpoint: Weak<EndpointInner>,
    peer: String,
    reached: Arc<PeerAccess>,
    spans: Arc<Spans>,
    is_write: bool,
    /// Number of withdrawals of memory when all pieces were last found registered.
    checked_at: Mutex<u64>,
}

impl Endpoint {
    /// Checks pieces between registered memory of this endpoint and memory of the endpoint `to`, which is
    /// found now. Waits for the store, at most 3 seconds, before the first transfer there.
    ///
    /// # Errors
    /// `InvalidParam` an invalid piece, or one with local memory that is not inside one registered range; the
    /// text names it · `NotConnected` unknown endpoint.
    ///
    /// # Safety
    /// Local memory is valid as long as transfers of the list go on.
    pub unsafe fn prepare(&self, to: &str, spans: Vec<Span>, is_write: bool) -> Result<Prepared> {
        self.check()?;
        check_spans(&spans)?;
        let inner = &self.0;
        let prepared = Prepared {
            endpoint: Arc::downgrade(inner),
            peer: to.to_owned(),
            reached: inner.found(to)?,
            spans: Arc::new(Spans(spans)),
            is_write,
            checked_at: Mutex::new(inner.memory.withdrawals()),
        };
        prepared.check_memory(inner)?;
        Ok(prepared)
    }
}

impl Prepared {
    /// Returns the number of pieces.
    #[expect(clippy::len_without_is_empty, reason = "it has at least one")]
    pub fn len(&self) -> usize {
        self.spans.0.len()
    }

    /// Whom it goes to.
    pub fn peer(&self) -> &str {
        &self.peer
    }

    /// Starts a transfer of all pieces, or of the given numbers, as [`Endpoint::start`] does. It goes to the
    /// process that was found when the list was made: a later process of that name has other memory.
    ///
    /// # Errors
    /// `InvalidParam` unknown piece; local memory of a piece was withdrawn since · `Cancelled` the endpoint
    /// was destroyed · as for [`Endpoint::start`].
    ///
    /// # Safety
    /// Local memory is valid until the transfer has ended.
    pub unsafe fn start(&self, pieces: Option<&[u32]>, message: Option<&[u8]>) -> Result<Transfer> {
        let gone = || Error::new(Kind::Cancelled, OP).what(DESTROYED).with("endpoint", &self.peer);
        let inner = self.endpoint.upgrade().ok_or_else(gone)?;
        inner.check()?;
        let now = inner.memory.withdrawals();
        if *lock(&self.checked_at) != now {
            self.check_memory(&inner)?;
            *lock(&self.checked_at) = now;
        }
        let spans = match pieces {
            None => Arc::clone(&self.spans),
            Some(pieces) => Arc::new(Spans(self.chosen(pieces)?)),
        };
        let (endpoint, reached) = (Weak::clone(&self.endpoint), Some(Arc::clone(&self.reached)));
        let message = checked_copy(message)?;
        inner.start(&self.peer, Work { endpoint, spans, is_write: self.is_write, message, reached })
    }

    fn chosen(&self, pieces: &[u32]) -> Result<Vec<Span>> {
        if pieces.is_empty() {
            return Err(Error::invalid(OP, "there is nothing to transfer"));
        }
        let all = &self.spans.0;
        let piece = |number: &u32| {
            let span = usize::try_from(*number).ok().and_then(|number| all.get(number)).copied();
            span.ok_or_else(|| {
                Error::invalid(OP, "the list has no such piece")
                    .with("piece", number)
                    .with("pieces", all.len())
            })
        };
        pieces.iter().map(piece).collect()
    }

    /// Refuses a piece with unregistered local memory.
    fn check_memory(&self, inner: &EndpointInner) -> Result<()> {
        let is_missing = |span: &Span| !inner.memory.covers(span.local.addr() as u64, span.bytes);
        let Some(piece) = self.spans.0.iter().position(is_missing) else { return Ok(()) };
        Err(Error::invalid(OP, "local memory of a piece is not inside one registered range of this endpoint")
            .with("piece", piece)
            .hint("register it first; withdrawn memory is not transferred"))
    }
}
