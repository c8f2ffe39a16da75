// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sending side of one connection: its channel, and the data waiting to be sent.
//!
//! Frames of one event are collected and written with one call, right in the handler of the event: in the
//! normal case no other task runs for it. The connection's own task sends the rest that the socket does not
//! take at once.

use std::cell::{Cell, RefCell};
use std::io::{self, IoSlice, Write};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mf_base::os::stream::Stream;
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;

use super::connection::EndReason;
use crate::channel::{Channel, SendQueue};
use crate::protocol::auth::Binding;
use crate::protocol::frame::FrameBuffer;
use crate::protocol::limits::UNREAD_BYTES;

/// While more than this is queued, no further request of the same client is read.
pub(super) const PAUSE_BYTES: usize = 256 << 10;
/// The state machine is notified of room when it may count this much as unread, half of its limit,
const ROOM_BYTES: usize = UNREAD_BYTES / 2;
/// and when only this much is left to send.
const LOW_BYTES: usize = 64 << 10;

/// Why a connection ends on our side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// Everything was sent that should be.
    Sent,
    /// The client broke the rules, or another connection took the place of this one.
    Rules(&'static str),
    /// The socket failed.
    Broken,
}

/// The sending side of one connection.
pub(super) struct Outbound {
    socket: OwnedWriteHalf,
    /// None until the first byte shows the client's protocol.
    channel: RefCell<Option<Channel>>,
    queue: RefCell<SendQueue>,
    /// Wakes the connection's task when it has to send.
    waker: Cell<Option<Waker>>,
    closing: Cell<Option<Closing>>,
    /// The server's proof for this connection, for the welcome.
    pub(super) proof: Cell<[u8; 32]>,
    dirty: Cell<bool>,
    /// Bytes that the state machine counts as sent and unread.
    unreported: Cell<usize>,
    /// Actions that wait until something is written, and their bytes.
    backlog: Cell<(usize, usize)>,
}

/// The socket as something to write to without waiting.
struct NonBlocking<'a>(&'a OwnedWriteHalf);

impl Write for NonBlocking<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        let socket: &TcpStream = self.0.as_ref();
        socket.try_io(Interest::WRITABLE, || Stream(socket).write_vectored(slices))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Outbound {
    pub(super) fn new(socket: OwnedWriteHalf) -> Self {
        Self {
            socket,
            channel: RefCell::default(),
            queue: RefCell::default(),
            waker: Cell::default(),
            closing: Cell::new(None),
            proof: Cell::default(),
            dirty: Cell::new(false),
            unreported: Cell::new(0),
            backlog: Cell::default(),
        }
    }

    pub(super) fn socket(&self) -> &TcpStream {
        self.socket.as_ref()
    }

    /// Sets the client's protocol.
    pub(super) fn speak(&self, channel: Channel) {
        *self.channel.borrow_mut() = Some(channel);
    }

    pub(super) fn knows_speech(&self) -> bool {
        self.channel.borrow().is_some()
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(*self.channel.borrow(), Some(Channel::Plain))
    }

    pub(super) fn binding(&self) -> Result<Binding, EndReason> {
        match &*self.channel.borrow() {
            Some(channel) => channel.binding().map_err(EndReason::refused),
            None => Ok(None),
        }
    }

    /// Takes bytes that arrived.
    pub(super) fn receive(&self, bytes: &[u8], frames: &mut FrameBuffer) -> Result<(), EndReason> {
        let mut channel = self.channel.borrow_mut();
        let Some(channel) = channel.as_mut() else { return Ok(()) };
        let received = channel.receive(bytes, frames);
        let has_words = channel.wants_write();
        if has_words {
            // The handshake's answer, or the alert that ends it.
            let _ = self.queue.borrow_mut().write_to(channel, &mut NonBlocking(&self.socket));
            self.wake();
        }
        received.map_err(EndReason::Tls)
    }

    /// Lets `write` append frames; true when this connection was clean before, so that the caller notes it
    /// for [`flush`](Self::flush).
    pub(super) fn append(&self, write: impl FnOnce(&mut SendQueue)) -> bool {
        if self.closing.get().is_none() {
            write(&mut self.queue.borrow_mut());
        }
        !self.dirty.replace(true)
    }

    /// Closes the connection after the queued messages are sent; takes no more.
    pub(super) fn close(&self, why: Closing) {
        if self.closing.get().is_none() {
            self.closing.set(Some(why));
            self.wake();
        }
    }

    /// Counts bytes that the state machine sends to this client; see
    /// [`Event::Drained`](crate::state::Event::Drained).
    pub(super) fn count_queued(&self, bytes: usize) {
        self.unreported.set(self.unreported.get().saturating_add(bytes));
    }

    /// Counts an action that is sent later.
    pub(super) fn hold(&self, bytes: usize) {
        let (actions, held) = self.backlog.get();
        self.backlog.set((actions + 1, held.saturating_add(bytes)));
    }

    /// The inverse of [`hold`](Self::hold).
    pub(super) fn let_go(&self, bytes: usize) {
        let (actions, held) = self.backlog.get();
        self.backlog.set((actions.saturating_sub(1), held.saturating_sub(bytes)));
    }

    /// Returns true if anything is held.
    pub(super) fn holds(&self) -> bool {
        self.backlog.get().0 > 0
    }

    /// Bytes in flight to this client.
    pub(super) fn in_flight(&self) -> usize {
        self.queued().saturating_add(self.backlog.get().1)
    }

    /// Returns true if the state machine may have more to send, and its earlier messages have left.
    pub(super) fn has_room(&self) -> bool {
        self.unreported.get() >= ROOM_BYTES && self.in_flight() <= LOW_BYTES
    }

    /// The state machine is notified of room.
    pub(super) fn take_drained(&self) {
        self.unreported.set(0);
    }

    pub(super) fn is_behind(&self) -> bool {
        self.unreported.get() >= ROOM_BYTES
    }

    pub(super) fn queued(&self) -> usize {
        self.queue.borrow().bytes()
    }

    /// Writes as much as the socket takes now; never waits.
    pub(super) fn flush(&self) {
        self.dirty.set(false);
        if !self.write() || self.has_room() {
            self.wake();
        }
    }

    /// True when nothing is left.
    fn write(&self) -> bool {
        let mut queue = self.queue.borrow_mut();
        let written = match &mut *self.channel.borrow_mut() {
            Some(channel) => queue.write_to(channel, &mut NonBlocking(&self.socket)),
            None => Ok(true),
        };
        match written {
            Ok(done) => done,
            Err(_) => {
                self.closing.set(Some(Closing::Broken));
                false
            }
        }
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Runs in the connection's task: sends what [`flush`](Self::flush) left over; ready when the connection
    /// shall close.
    pub(super) fn poll(&self, context: &mut Context<'_>) -> Poll<Closing> {
        self.waker.set(Some(context.waker().clone()));
        loop {
            let empty = self.queued() == 0
                && self.channel.borrow().as_ref().is_none_or(|channel| !channel.wants_write());
            match self.closing.get() {
                Some(why) if empty || why != Closing::Sent => return Poll::Ready(why),
                _ if empty => return Poll::Pending,
                _ => {}
            }
            match self.socket().poll_write_ready(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(_)) => return Poll::Ready(Closing::Broken),
                // A full socket is no longer ready after it.
                Poll::Ready(Ok(())) => drop(self.write()),
            }
        }
    }

    /// Queues one last thing and sends it as far as the socket takes it at once.
    pub(super) fn last_words(&self, bytes: &[u8]) {
        if !self.knows_speech() {
            self.speak(Channel::Plain);
        }
        self.queue.borrow_mut().append(|own| own.extend_from_slice(bytes));
        self.write();
    }
}

/// Queues bytes for one connection after a header of its own.
pub(super) fn share(queue: &mut SendQueue, header: &[u8], body: &Arc<[u8]>) {
    /// Copying less than this is cheaper than a segment of its own.
    const SMALL_BYTES: usize = 1024;
    if body.len() < SMALL_BYTES {
        queue.append(|own| {
            own.extend_from_slice(header);
            own.extend_from_slice(body);
        });
    } else {
        queue.append(|own| own.extend_from_slice(header));
        queue.share(Arc::clone(body));
    }
}
