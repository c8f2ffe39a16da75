// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The client's side: a [`Session`] over a [`Wire`].
//!
//! The session is the same for the TCP client ([`tcp`]) and the in-memory twin ([`crate::memory`]): it numbers requests,
//! waits for replies and runs watch callbacks ([`inbox`]), and implements the [`Store`](crate::Store) trait ([`calls`]).
//! A wire only carries requests one way; its reader thread feeds the inbox. [`connect`] and [`hello`] are the way into a server.

mod calls;
mod connect;
mod hello;
pub(crate) mod inbox;
mod tcp;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::Result;

use crate::api::Member;
use crate::protocol::Request;
pub use connect::ClientOptions;
use inbox::Inbox;
pub use tcp::TcpWire;

/// How long a goodbye may take before the connection is cut.
const GOODBYE_LIMIT: Duration = Duration::from_secs(2);
/// How long a cut connection may take to be noticed; only a watch callback that does not return makes it longer.
const CUT_LIMIT: Duration = Duration::from_secs(1);

/// Carries the requests of one session to a store; see [`Client`](crate::Client) and
/// [`MemoryClient`](crate::MemoryClient).
pub trait Wire: Send + Sync + 'static {
    /// Sends a request; the reply comes to the session's inbox.
    ///
    /// # Errors
    /// The text of why it could not be sent; the connection is of no use then.
    fn send(&self, sequence: u64, request: &Request) -> Result<(), String>;

    /// Ends the session in order; the store closes.
    fn goodbye(&self);

    /// Cuts the connection, as if this process had died.
    fn cut(&self);

    /// The store's address, for texts.
    fn place(&self) -> String;
}

/// A member's connection to a store. Dropping it closes it.
pub struct Session<W: Wire> {
    member: Member,
    inbox: Arc<Inbox>,
    wire: W,
    reader: Mutex<Option<JoinHandle<()>>>,
    request_timeout: Duration,
    sequences: AtomicU64,
    closed: AtomicBool,
    process: u32,
}

impl<W: Wire> Session<W> {
    pub(crate) fn new(
        member: Member,
        inbox: Arc<Inbox>,
        wire: W,
        reader: JoinHandle<()>,
        request_timeout: Duration,
    ) -> Self {
        Self {
            member,
            inbox,
            wire,
            reader: Mutex::new(Some(reader)),
            request_timeout,
            sequences: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            process: std::process::id(),
        }
    }

    /// Cuts the connection without goodbye, as if this process had died: the store sees the session as lost.
    ///
    /// For tests of what happens to the others.
    pub fn sever(&self) {
        self.wire.cut();
    }

    fn end(&self) {
        // A forked child shares the connection but not the session: it must not say goodbye for its parent.
        if self.process != std::process::id() || self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        self.inbox.closing();
        self.wire.goodbye();
        if self.inbox.on_reader_thread() {
            // The reader ends after the callback that called us.
            return;
        }
        if !self.inbox.wait_until_ended(GOODBYE_LIMIT) {
            self.wire.cut();
            if !self.inbox.wait_until_ended(CUT_LIMIT) {
                tracing::warn!(store = %self.wire.place(), "a watch callback does not return, the store client is left to it");
                return;
            }
        }
        if let Some(reader) = locked(&self.reader).take() {
            // It has said that it ended; its callbacks' panics were caught and logged.
            let _ = reader.join();
        }
    }
}

impl<W: Wire> Drop for Session<W> {
    fn drop(&mut self) {
        self.end();
    }
}

impl<W: Wire> fmt::Debug for Session<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("store", &self.wire.place())
            .field("member", &self.member)
            .finish_non_exhaustive()
    }
}

/// The moment `limit` from now, or one that nobody lives to see.
pub(crate) fn after(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit).unwrap_or(now + Duration::from_secs(1 << 30))
}

/// Locks; what the locks of this crate guard is consistent between statements, so a panic elsewhere does not spoil it.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
