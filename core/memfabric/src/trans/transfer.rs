// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Started transfers, which own their buffers.

use std::fmt;
use std::time::Duration;

use mf_smem::trans::Span;

use super::Endpoint;
use crate::Result;
use crate::error::Wrap;

/// A transfer that goes on by itself and owns its buffer. Dropping it cancels it. `Send` and `Sync`.
pub struct Transfer {
    /// Dropped before the buffer: its drop returns when no byte of the buffer is accessed any more.
    inner: mf_smem::trans::Transfer,
    buffer: Vec<u8>,
}

impl Transfer {
    pub(super) fn start(
        endpoint: &Endpoint,
        mut buffer: Vec<u8>,
        peer: &str,
        address: u64,
        message: Option<&[u8]>,
        is_write: bool,
    ) -> Result<Self> {
        let spans = match buffer.len() as u64 {
            0 => Vec::new(),
            bytes => vec![Span { local: buffer.as_mut_ptr(), address, bytes }],
        };
        // SAFETY: the heap memory of the buffer stays in place with the transfer, which is dropped first.
        let inner = unsafe { endpoint.inner().start(peer, spans, is_write, message) }.wrap()?;
        Ok(Self { inner, buffer })
    }

    /// Returns the name of the other endpoint.
    pub fn peer(&self) -> &str {
        self.inner.peer()
    }

    /// Returns true if it is done; its writes are visible then. Does not wait.
    ///
    /// # Errors
    /// The reason of its failure, from then on: `InvalidParam`, `NotConnected`, `Cancelled` · `NoResources`
    /// all is written, and the receiver had no room for the notification.
    pub fn is_done(&self) -> Result<bool> {
        self.inner.poll().wrap()
    }

    /// Waits until it is done, at most for `limit`; it goes on after that.
    ///
    /// # Errors
    /// `Timeout` names the other endpoint · as for [`is_done`](Self::is_done).
    pub fn wait(&self, limit: Duration) -> Result<()> {
        self.inner.wait(limit).wrap()
    }

    /// Cancels it: parts that were not begun are not copied, its notification is not sent. Waits for the copy
    /// in progress. An ended transfer stays unchanged.
    pub fn cancel(&self) {
        self.inner.cancel();
    }

    /// Returns the buffer; of a transfer that goes on after cancelling it.
    pub fn into_buffer(self) -> Vec<u8> {
        self.inner.cancel();
        self.buffer
    }
}

impl fmt::Debug for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer")
            .field("peer", &self.peer())
            .field("bytes", &self.buffer.len())
            .finish_non_exhaustive()
    }
}
