// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Link: a connected socket that callers themselves write and read.
//!
//! A message is sent by one write under the sender's lock; a short message is received by one read: bytes
//! behind it are kept in the inbox. Between hosts both pass through a TLS channel, whose lock is held only
//! for the computation.
//!
//! The socket blocks. Sleeps are cut into [`SLICE`]s by the socket's own timeouts if they have a deadline or
//! the program may interrupt them, so that this costs no system call while messages come (`link/read.rs`). A
//! link *ends* when its socket does, when a length is forged, or when it is ended here: then the socket is
//! shut down, and sleeping callers wake.

use std::io::{self, IoSlice, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant};

use mf_base::interrupt::SLICE;
use mf_base::os::stream::Stream;
use mf_base::sync::{lock, read, write};
use mf_base::{Error, Kind, Result, Retry};
use mf_tls::channel::Channel;
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, shutdown, sockopt};

use super::frame::{HEAD_BYTES, Head, Inbox, PAYLOAD_BYTES_MAX, RESERVED};
use super::simultaneous_connect::{AT_ONCE, Origin};
use super::table::Peer;
use crate::fair_mutex::{FairMutex, Wait};

mod read;

/// Operations, as named in errors.
pub(super) const SEND: &str = "hmc ctrl send";
pub(super) const RECV: &str = "hmc ctrl recv";

/// Messages of at most this length are copied next to their heads, which is cheaper than a vectored write.
const COPIED_BYTES: usize = 1 << 10;
/// Bytes that are encrypted at once: fits the buffer of a channel.
const SEALED_BYTES: usize = 16 << 10;

/// Reasons for not using the socket: a link that was replaced must not break its successor's callers.
#[derive(Default)]
struct LinkStatus {
    /// Reason for which the link ended; `None` while it lives.
    ended: Option<&'static str>,
    /// The program has its descriptor, and may read it: nothing is read ahead.
    is_lent: bool,
    /// Another link has crossed it and stays: nothing more is sent on this one.
    is_passed: bool,
}

/// Outcome for a link's descriptor, after the kernel has reported its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absorbed {
    /// A caller uses the link: it must be examined again.
    Busy,
    /// It is open, or its callers close it.
    Open,
    /// Closed, with this number of bytes left to receive.
    Closed(usize),
}

/// Reason of a link that was not ended by this process.
const CLOSED: &str = "the peer has closed it, or has died";

/// Links of a peer that are not known yet.
pub(super) trait Others {
    /// Waits until all links that peers have made are known.
    fn wait_for_pending(&self);

    /// Waits for dials to `peer` that run now.
    ///
    /// # Errors
    /// `Timeout` · `Interrupted` of the call that waits.
    fn wait_for_dials(&self, peer: Peer, wait: &mut Wait) -> Result<()>;
}

/// State of a reader.
struct Reading {
    inbox: Inbox,
    /// True if the socket wakes readers after every [`SLICE`].
    is_sliced: bool,
    /// True if any link that crosses this one is known by now.
    is_settled: bool,
}

/// A link to one peer.
pub(super) struct Link {
    /// `None` if the peer has closed it, and its unread bytes are in the inbox. Taken out only under both
    /// locks (of senders and of readers).
    socket: RwLock<Option<OwnedFd>>,
    peer: Peer,
    origin: Origin,
    reading: FairMutex<Reading>,
    sending: FairMutex<()>,
    channel: Option<Mutex<Channel>>,
    state: Mutex<LinkStatus>,
}

impl Link {
    /// Creates a link over a connected socket that was accepted, with the bytes received after the handshake.
    ///
    /// # Errors
    /// Errors of the kernel.
    pub(super) fn new(socket: OwnedFd, peer: Peer, inbox: Inbox, channel: Option<Channel>) -> Result<Self> {
        let refused = |errno| Error::os("hmc ctrl connect", errno).with(peer.word(), peer);
        rustix::io::ioctl_fionbio(&socket, false).map_err(refused)?;
        // A sender sleeps only if its peer does not read.
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(SLICE)).map_err(refused)?;
        Ok(Self {
            socket: RwLock::new(Some(socket)),
            peer,
            origin: Origin::accepted(Instant::now(), None),
            reading: FairMutex::new(Reading { inbox, is_sliced: false, is_settled: false }),
            sending: FairMutex::new(()),
            channel: channel.map(Mutex::new),
            state: Mutex::default(),
        })
    }

    /// Sets the origin.
    pub(super) fn with_origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    pub(super) fn peer(&self) -> Peer {
        self.peer
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Calls `body` with the socket; returns `None` if it was closed.
    pub(super) fn with_socket<R>(&self, body: impl FnOnce(&OwnedFd) -> R) -> Option<R> {
        read(&self.socket).as_ref().map(body)
    }

    /// Returns true if it has ended, as far as callers have noticed.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.state).ended.is_some()
    }

    /// Returns true if the peer has closed it and no message is left to receive, or it has ended here.
    pub(super) fn is_over(&self) -> bool {
        let mut now = Wait::new(RECV, Some(Duration::ZERO));
        // A receiver finds out itself.
        let is_read = self.reading.with(&mut now, |reading, _| Ok(reading.inbox.is_empty()));
        let is_read = is_read.unwrap_or(false) && self.is_before_over();
        if !(self.has_ended() || is_read) {
            return false;
        }
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        match self.with_socket(|socket| rustix::net::recv(socket, &mut [0_u8; 1], flags)) {
            Some(Ok((_, bytes))) => bytes == 0,
            Some(Err(Errno::AGAIN | Errno::INTR)) => false,
            Some(Err(_)) | None => true,
        }
    }

    /// Reads the bytes that the peer sent before it closed the link, and closes the descriptor.
    pub(super) fn absorb(&self) -> Absorbed {
        // The program reads that descriptor itself.
        if lock(&self.state).is_lent {
            return Absorbed::Open;
        }
        let absorbed = self.reading.try_with(|reading| {
            if self.has_ended() {
                return Absorbed::Open;
            }
            if !self.drain(&mut reading.inbox) {
                return Absorbed::Open;
            }
            match self.sending.try_with(|()| write(&self.socket).take()) {
                Some(socket) => {
                    drop(socket);
                    Absorbed::Closed(reading.inbox.unread_bytes())
                }
                None => Absorbed::Busy,
            }
        });
        absorbed.unwrap_or(Absorbed::Busy)
    }

    /// Ends it, with the reason that its callers get.
    pub(super) fn end(&self, why: &'static str) {
        lock(&self.state).ended.get_or_insert(why);
        // Shutting down a socket that is not connected any more is fine: its waiters were woken.
        self.shut(Shutdown::Both);
        self.origin.predecessors().iter().for_each(|before| before.end(why));
    }

    /// Another link stays in its place: sends no more on this one; the peer reads it to the end.
    pub(super) fn pass_on(&self) {
        self.mark_passed();
        // A sender that holds the lock does it after its message.
        let _ = self.sending.with(&mut Wait::new(SEND, AT_ONCE), |(), _| {
            self.shut(Shutdown::Write);
            Ok(())
        });
    }

    fn shut(&self, how: Shutdown) {
        let _ended_already = self.with_socket(|socket| shutdown(socket, how));
    }

    /// Makes callers use the link that stays, from their next message on.
    pub(super) fn mark_passed(&self) {
        lock(&self.state).is_passed = true;
    }

    /// Returns true if another link has taken its place, and its messages.
    pub(super) fn is_passed(&self) -> bool {
        lock(&self.state).is_passed
    }

    /// Lends its descriptor to a program that reads and writes it itself.
    ///
    /// # Errors
    /// `NotConnected` the peer has closed it.
    pub(super) fn lend(&self) -> Result<RawFd> {
        lock(&self.state).is_lent = true;
        self.with_socket(OwnedFd::as_raw_fd).ok_or_else(|| self.broken("hmc ctrl descriptor"))
    }

    /// Sends one message.
    pub(super) fn send(&self, kind: u16, flags: u16, payload: &[u8]) -> Result<()> {
        let length = u32::try_from(payload.len()).ok().filter(|_| payload.len() <= PAYLOAD_BYTES_MAX);
        let length = length.ok_or_else(|| {
            Error::invalid(SEND, "the message is too long")
                .with("bytes", payload.len())
                .with("limit_bytes", PAYLOAD_BYTES_MAX)
        })?;
        if flags & RESERVED != 0 && matches!(self.peer, Peer::Rank(_)) {
            return Err(Error::invalid(SEND, "the flag 0x8000 is the library's").with("flags", flags));
        }
        let head = Head { kind, flags, length }.bytes();
        let mut wait = Wait::new(SEND, None);
        let sent = self.sending.with(&mut wait, |(), wait| match &self.channel {
            _ if self.is_passed() => Err(self.broken(SEND)),
            Some(channel) => self.send_sealed(channel, &head, payload, wait),
            None if payload.len() <= COPIED_BYTES => {
                let mut message = [0; HEAD_BYTES + COPIED_BYTES];
                let bytes = HEAD_BYTES + payload.len();
                for (to, from) in message.iter_mut().zip(head.iter().chain(payload)) {
                    *to = *from;
                }
                self.write_all(&[message.get(..bytes).unwrap_or_default()], wait)
            }
            None => self.write_all(&[&head, payload], wait),
        });
        if self.is_passed() {
            self.pass_on();
        }
        self.name_peer(sent)
    }

    fn send_sealed(
        &self,
        channel: &Mutex<Channel>,
        head: &[u8],
        payload: &[u8],
        wait: &mut Wait,
    ) -> Result<()> {
        let mut sealed = Vec::new();
        {
            let mut channel = lock(channel);
            // Records of the channel itself (an alert, new keys) go first.
            channel.take_output(&mut sealed);
            for piece in std::iter::once(head).chain(payload.chunks(SEALED_BYTES)) {
                channel.write(piece)?;
                channel.take_output(&mut sealed);
            }
        }
        self.write_all(&[&sealed], wait)
    }

    /// Writes one or two pieces. A message that was begun is completed, or the link ends.
    fn write_all(&self, pieces: &[&[u8]], wait: &mut Wait) -> Result<()> {
        let (all, mut sent) = (pieces.iter().map(|piece| piece.len()).sum::<usize>(), 0);
        while sent < all {
            let mut slices = [IoSlice::new(&[]), IoSlice::new(&[])];
            let mut skip = sent;
            for (slice, piece) in slices.iter_mut().zip(pieces) {
                *slice = IoSlice::new(piece.get(skip..).unwrap_or_default());
                skip = skip.saturating_sub(piece.len());
            }
            let written = self.with_socket(|socket| match pieces {
                [one] => Stream(socket).write(one.get(sent..).unwrap_or_default()),
                _ => Stream(socket).write_vectored(&slices),
            });
            let Some(written) = written else { return Err(self.broken(SEND)) };
            match written {
                Ok(bytes) => sent += bytes,
                Err(error) if is_for_now(&error) => match wait.check() {
                    Ok(()) => {}
                    Err(error) if sent == 0 => return Err(error),
                    Err(error) => {
                        self.end("a message was left in the middle");
                        return Err(self.broken(SEND).source(error));
                    }
                },
                // The link does not end: earlier messages of the peer stay for the receiver.
                Err(error) => return Err(self.broken(SEND).source(error)),
            }
        }
        Ok(())
    }

    /// Receives one message, and passes its head and inbox to `take`, which consumes it. On a timeout,
    /// received bytes stay: the next call goes on. The first message waits for `others`: links of the peer
    /// that may have earlier ones.
    pub(super) fn receive<R>(
        &self,
        limit: Option<Duration>,
        others: &dyn Others,
        take: &mut dyn FnMut(Head, &mut Inbox) -> Result<R>,
    ) -> Result<R> {
        let mut wait = Wait::new(RECV, limit);
        self.name_peer(self.reading.with(&mut wait, |reading, wait| {
            loop {
                if let Some(received) = self.receive_before(wait, take) {
                    return received;
                }
                if self.is_passed() {
                    // Links before this one are then before the one that stays.
                    return Err(self.broken(RECV));
                }
                let head = self.fill(reading, wait, &|| others.wait_for_pending())?;
                if !reading.is_settled && self.origin.is_recent() {
                    // Messages that the peer sent earlier on a link that crosses this one come first.
                    match self.origin.is_dialled() {
                        true => others.wait_for_pending(),
                        false => others.wait_for_dials(self.peer, wait)?,
                    }
                    reading.is_settled = true;
                    continue;
                }
                reading.is_settled = true;
                return self.pass(head, &mut reading.inbox, take);
            }
        }))
    }

    /// Like `receive`, ignoring other links.
    pub(super) fn receive_alone<R>(
        &self,
        wait: &mut Wait,
        take: &mut dyn FnMut(Head, &mut Inbox) -> Result<R>,
    ) -> Result<R> {
        self.reading.with(wait, |reading, wait| {
            let head = self.fill(reading, wait, &|| {})?;
            self.pass(head, &mut reading.inbox, take)
        })
    }

    fn pass<R>(
        &self,
        head: Head,
        inbox: &mut Inbox,
        take: &mut dyn FnMut(Head, &mut Inbox) -> Result<R>,
    ) -> Result<R> {
        if head.flags & RESERVED != 0 && matches!(self.peer, Peer::Rank(_)) {
            inbox.consume();
            return Err(Error::new(Kind::Failed, RECV).what("a hello came in the middle of the link"));
        }
        take(head, inbox)
    }

    /// Adds the peer to errors of waits.
    fn name_peer<R>(&self, outcome: Result<R>) -> Result<R> {
        outcome.map_err(|error| match error.kind() {
            Kind::Timeout => error.what("no message came").set(self.peer.word(), self.peer),
            _ => error.set(self.peer.word(), self.peer),
        })
    }

    /// Creates the error of a link that has ended.
    #[cold]
    pub(super) fn broken(&self, op: &'static str) -> Error {
        let why = lock(&self.state).ended.unwrap_or(CLOSED);
        Error::new(Kind::NotConnected, op)
            .what(format!("the link has ended: {why}"))
            .retry(Retry::AfterReconnect)
            .with(self.peer.word(), self.peer)
    }
}

/// Returns true if the same write may succeed later.
fn is_for_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests;
