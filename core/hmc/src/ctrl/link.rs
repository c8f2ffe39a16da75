// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One link: a connected socket that callers themselves write and read.
//!
//! A message that is sent is one write under the turn of who sends; a message that is received is, if it is
//! short, one read: what came behind it waits in the inbox. Between hosts both pass through a TLS channel,
//! whose lock is held only while it computes.
//!
//! The socket blocks. Sleeps are cut into [`SLICE`]s by the socket's own timeouts where they have a deadline
//! or the program may interrupt them, so that this costs no call of the kernel while messages come
//! (`link/read.rs`). A link *ends* when its socket does, when a length is forged, or when it is ended here:
//! then the socket is shut down, and who sleeps in it wakes.

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

use super::crossing::{AT_ONCE, Origin};
use super::frame::{HEAD_BYTES, Head, Inbox, PAYLOAD_BYTES_MAX, RESERVED};
use super::table::Peer;
use crate::turn::{Turn, Wait};

mod read;

/// Operations, as errors name them.
pub(super) const SEND: &str = "hmc ctrl send";
pub(super) const RECV: &str = "hmc ctrl recv";

/// Messages of at most so many bytes are copied beside their heads, which is cheaper than a list of pieces.
const COPIED_BYTES: usize = 1 << 10;
/// Bytes that are encrypted at once: fits the buffer of a channel.
const SEALED_BYTES: usize = 16 << 10;

/// Why a socket is left alone: a link that was replaced must not break its successor's callers.
#[derive(Default)]
struct State {
    /// Why the link ended; none: it lives.
    ended: Option<&'static str>,
    /// The program has its descriptor, and may read it: nothing is received ahead.
    is_lent: bool,
    /// Another link has crossed it and stays: nothing more is sent on this one.
    is_passed: bool,
}

/// What became of the descriptor of a link whose end the kernel reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absorbed {
    /// A caller uses the link: it is to be asked again.
    Busy,
    /// It is open, or its callers close it.
    Open,
    /// Closed, with so many bytes for who receives.
    Closed(usize),
}

/// Why a link ends that nobody here has ended.
const CLOSED: &str = "the peer has closed it, or has died";

/// What a reader needs.
struct Reading {
    inbox: Inbox,
    /// Whether the socket wakes readers after every [`SLICE`].
    is_sliced: bool,
    /// Whether a link that crosses this one would be known.
    is_settled: bool,
}

/// A link to one peer.
pub(super) struct Link {
    /// None: the peer has closed it, and what it had sent is in the inbox. Only who has both turns takes it out.
    socket: RwLock<Option<OwnedFd>>,
    peer: Peer,
    origin: Origin,
    reading: Turn<Reading>,
    sending: Turn<()>,
    channel: Option<Mutex<Channel>>,
    state: Mutex<State>,
}

impl Link {
    /// A link over a connected socket that was accepted, with what was received behind its beginning.
    ///
    /// # Errors
    /// What the kernel refuses.
    pub(super) fn new(socket: OwnedFd, peer: Peer, inbox: Inbox, channel: Option<Channel>) -> Result<Self> {
        let refused = |errno| Error::os("hmc ctrl connect", errno).with(peer.word(), peer);
        rustix::io::ioctl_fionbio(&socket, false).map_err(refused)?;
        // Only a sender whose peer does not read sleeps.
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(SLICE)).map_err(refused)?;
        Ok(Self {
            socket: RwLock::new(Some(socket)),
            peer,
            origin: Origin::accepted(Instant::now(), None),
            reading: Turn::new(Reading { inbox, is_sliced: false, is_settled: false }),
            sending: Turn::new(()),
            channel: channel.map(Mutex::new),
            state: Mutex::default(),
        })
    }

    /// The same, made so.
    pub(super) fn made(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    pub(super) fn peer(&self) -> Peer {
        self.peer
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Calls `body` with the socket; none: it was closed.
    pub(super) fn with_socket<R>(&self, body: impl FnOnce(&OwnedFd) -> R) -> Option<R> {
        read(&self.socket).as_ref().map(body)
    }

    /// Whether it has ended, as far as callers have noticed.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.state).ended.is_some()
    }

    /// Whether the peer has closed it and nothing of it waits to be received, or it has ended here.
    pub(super) fn is_over(&self) -> bool {
        let mut now = Wait::new(RECV, Some(Duration::ZERO));
        // Who receives finds out.
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

    /// Takes in what the peer sent before it closed the link, and closes the descriptor.
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
        // A socket that is not connected any more has woken everyone already.
        self.shut(Shutdown::Both);
        self.origin.before().iter().for_each(|before| before.end(why));
    }

    /// Another link stays in its place: nothing more is sent, and the peer reads to the end.
    pub(super) fn pass_on(&self) {
        self.mark_passed();
        // Who has the turn now does it behind its message.
        let _ = self.sending.with(&mut Wait::new(SEND, AT_ONCE), |(), _| {
            self.shut(Shutdown::Write);
            Ok(())
        });
    }

    fn shut(&self, how: Shutdown) {
        let _ended_already = self.with_socket(|socket| shutdown(socket, how));
    }

    /// Has callers use the link that stays, from their next message on.
    pub(super) fn mark_passed(&self) {
        lock(&self.state).is_passed = true;
    }

    /// Whether another link has its place, and its messages.
    pub(super) fn is_passed(&self) -> bool {
        lock(&self.state).is_passed
    }

    /// Its descriptor, for a program that reads and writes it itself.
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
        self.named(sent)
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

    /// Writes one or two pieces. A message that was begun is finished, or the link ends.
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
                // It does not end: what the peer sent before stays for the receiver.
                Err(error) => return Err(self.broken(SEND).source(error)),
            }
        }
        Ok(())
    }

    /// Receives one message, and passes its head and inbox to `take`, which consumes it. What does not come
    /// in time stays where it is: the next call goes on. `settle` has all links known that the peer has made.
    pub(super) fn receive<R>(
        &self,
        limit: Option<Duration>,
        settle: &dyn Fn(),
        take: &mut dyn FnMut(Head, &mut Inbox) -> Result<R>,
    ) -> Result<R> {
        let mut wait = Wait::new(RECV, limit);
        self.named(self.reading.with(&mut wait, |reading, wait| {
            loop {
                if let Some(received) = self.receive_before(wait, take) {
                    return received;
                }
                if self.is_passed() {
                    // Those before it are before the one that stays.
                    return Err(self.broken(RECV));
                }
                let head = self.fill(reading, wait, settle)?;
                if !std::mem::replace(&mut reading.is_settled, true) && self.origin.may_be_crossed() {
                    // What the peer sent before on a link that crosses this one comes first.
                    settle();
                    continue;
                }
                return self.pass(head, &mut reading.inbox, take);
            }
        }))
    }

    /// The same, whatever other links there are.
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
    fn named<R>(&self, outcome: Result<R>) -> Result<R> {
        outcome.map_err(|error| match error.kind() {
            Kind::Timeout => error.what("no message came").set(self.peer.word(), self.peer),
            _ => error.set(self.peer.word(), self.peer),
        })
    }

    /// The error of a link that has ended.
    #[cold]
    pub(super) fn broken(&self, op: &'static str) -> Error {
        let why = lock(&self.state).ended.unwrap_or(CLOSED);
        Error::new(Kind::NotConnected, op)
            .what(format!("the link has ended: {why}"))
            .retry(Retry::AfterReconnect)
            .with(self.peer.word(), self.peer)
    }
}

/// Whether the same write can succeed later.
fn is_for_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests;
