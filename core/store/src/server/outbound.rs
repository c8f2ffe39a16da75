// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What waits to be sent to one client.
//!
//! Frames of one event are collected and written with one call, right where the event is handled: in the normal case no
//! other task runs for it. What the socket does not take at once is left to the connection's own task.

use std::cell::{Cell, RefCell};
use std::io;

use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::Notify;

/// A client that lets more than this pile up is dropped: one slow reader must not eat the memory of rank 0.
const MAX_QUEUED_BYTES: usize = 64 << 20;
/// The buffer that is kept for an idle connection.
const KEPT_BYTES: usize = 64 << 10;

#[derive(Default)]
struct Queue {
    bytes: Vec<u8>,
    sent: usize,
}

impl Queue {
    fn pending(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    fn advance(&mut self, bytes: usize) {
        self.sent += bytes;
        if self.sent >= self.bytes.len() {
            self.sent = 0;
            self.bytes.clear();
            self.bytes.shrink_to(KEPT_BYTES);
        } else if self.sent > MAX_QUEUED_BYTES / 4 {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }
}

/// Why a connection ends on our side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// Everything was sent that should be.
    Sent,
    /// The client does not read.
    Slow,
    /// The client broke the rules.
    Rules(&'static str),
    /// The socket failed.
    Broken,
}

/// The sending side of one connection.
pub(super) struct Outbound {
    socket: OwnedWriteHalf,
    queue: RefCell<Queue>,
    /// Wakes the connection's task when it has to look after this.
    kick: Notify,
    closing: Cell<Option<Closing>>,
    /// The server's proof for this connection, for the welcome.
    pub(super) proof: [u8; 32],
    dirty: Cell<bool>,
}

impl Outbound {
    pub(super) fn new(socket: OwnedWriteHalf, proof: [u8; 32]) -> Self {
        Self {
            socket,
            queue: RefCell::default(),
            kick: Notify::new(),
            closing: Cell::new(None),
            proof,
            dirty: Cell::new(false),
        }
    }

    /// Lets `write` append frames; true when this connection was clean before, so that the caller notes it for
    /// [`flush`](Self::flush).
    pub(super) fn append(&self, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        if self.closing.get().is_none() {
            write(&mut self.queue.borrow_mut().bytes);
        }
        !self.dirty.replace(true)
    }

    /// Sends nothing more after what is queued, then closes.
    pub(super) fn close(&self, why: Closing) {
        if self.closing.get().is_none() {
            self.closing.set(Some(why));
            self.kick.notify_one();
        }
    }

    /// Writes what the socket takes now; never waits.
    pub(super) fn flush(&self) {
        self.dirty.set(false);
        let mut queue = self.queue.borrow_mut();
        if queue.pending().is_empty() {
            return;
        }
        match self.socket.try_write(queue.pending()) {
            Ok(bytes) => queue.advance(bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            // The connection's task sees the reason when it reads.
            Err(_) => self.closing.set(Some(Closing::Broken)),
        }
        if queue.pending().len() > MAX_QUEUED_BYTES {
            self.closing.set(Some(Closing::Slow));
        }
        if !queue.pending().is_empty() {
            self.kick.notify_one();
        }
    }

    /// Runs in the connection's task: sends what [`flush`](Self::flush) left over, ends when the connection shall close.
    /// May be dropped at any await.
    pub(super) async fn pump(&self) -> Closing {
        loop {
            let empty = self.queue.borrow().pending().is_empty();
            match self.closing.get() {
                Some(why) if empty || why != Closing::Sent => return why,
                _ if empty => self.kick.notified().await,
                _ => {
                    // While the socket is full the client may be declared slow: both wake us.
                    tokio::select! {
                        ready = self.socket.writable() => if ready.is_err() { return Closing::Broken },
                        () = self.kick.notified() => {}
                    }
                    self.flush_in_task();
                }
            }
        }
    }

    fn flush_in_task(&self) {
        let mut queue = self.queue.borrow_mut();
        match self.socket.try_write(queue.pending()) {
            Ok(bytes) => queue.advance(bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => self.closing.set(Some(Closing::Broken)),
        }
    }
}
