// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One link: a connected socket that callers themselves write and read.
//!
//! A message that is sent is one write under the turn of who sends; a message that is received is, if it is
//! short, one read: what came behind it waits in the inbox. Between hosts both pass through a TLS channel,
//! whose lock is held only while it computes.
//!
//! The socket blocks. Sleeps are cut into [`SLICE`]s by the socket's own timeouts where the program may
//! interrupt them, so that this costs no call of the kernel while messages come. A link *ends* when its
//! socket does, when a length is forged, or when it is ended here: then the socket is shut down, and who
//! sleeps in it wakes.

use std::io::{self, IoSlice, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::sync::Mutex;
use std::time::Duration;

use mf_base::interrupt::SLICE;
use mf_base::os::stream::Stream;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result, Retry};
use mf_store::tls::channel::Channel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, shutdown, sockopt};

use super::frame::{HEAD_BYTES, Head, Inbox, PAYLOAD_BYTES_MAX, RESERVED, TooLong};
use super::rules::decrypt;
use super::table::Peer;
use crate::turn::{Turn, Wait};

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
}

/// What a reader needs.
struct Reading {
    inbox: Inbox,
    /// Whether the socket wakes readers after every [`SLICE`].
    is_sliced: bool,
}

/// A link to one peer.
pub(super) struct Link {
    socket: OwnedFd,
    peer: Peer,
    reading: Turn<Reading>,
    sending: Turn<()>,
    channel: Option<Mutex<Channel>>,
    state: Mutex<State>,
}

impl Link {
    /// A link over a connected socket, with what was received behind its beginning.
    ///
    /// # Errors
    /// What the kernel refuses.
    pub(super) fn new(socket: OwnedFd, peer: Peer, inbox: Inbox, channel: Option<Channel>) -> Result<Self> {
        let refused = |errno| Error::os("hmc ctrl connect", errno).with(peer.word(), peer);
        rustix::io::ioctl_fionbio(&socket, false).map_err(refused)?;
        // Only a sender whose peer does not read sleeps.
        sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(SLICE)).map_err(refused)?;
        Ok(Self {
            socket,
            peer,
            reading: Turn::new(Reading { inbox, is_sliced: false }),
            sending: Turn::new(()),
            channel: channel.map(Mutex::new),
            state: Mutex::default(),
        })
    }

    pub(super) fn peer(&self) -> Peer {
        self.peer
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
        if !self.has_ended() && !is_read.unwrap_or(false) {
            return false;
        }
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        match rustix::net::recv(&self.socket, &mut [0_u8; 1], flags) {
            Ok((_, bytes)) => bytes == 0,
            Err(Errno::AGAIN | Errno::INTR) => false,
            Err(_) => true,
        }
    }

    /// Ends it, with the reason that its callers get.
    pub(super) fn end(&self, why: &'static str) {
        lock(&self.state).ended.get_or_insert(why);
        // A socket that is not connected any more has woken everyone already.
        let _ = shutdown(&self.socket, Shutdown::Both);
    }

    /// Its descriptor, for a program that reads and writes it itself.
    pub(super) fn lend(&self) -> RawFd {
        lock(&self.state).is_lent = true;
        self.socket.as_raw_fd()
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
        self.named(self.sending.with(&mut wait, |(), wait| match &self.channel {
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
        }))
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
            let written = match pieces {
                [one] => Stream(&self.socket).write(one.get(sent..).unwrap_or_default()),
                _ => Stream(&self.socket).write_vectored(&slices),
            };
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
                Err(error) => {
                    self.end("the peer has closed it, or has died");
                    return Err(self.broken(SEND).source(error));
                }
            }
        }
        Ok(())
    }

    /// Receives one message, and passes its head and inbox to `take`, which consumes it. What does not come
    /// in time stays where it is: the next call goes on.
    pub(super) fn receive<R>(
        &self,
        limit: Option<Duration>,
        take: impl FnOnce(Head, &mut Inbox) -> Result<R>,
    ) -> Result<R> {
        let mut wait = Wait::new(RECV, limit);
        self.named(self.reading.with(&mut wait, |reading, wait| {
            let head = self.fill(reading, wait)?;
            if head.flags & RESERVED != 0 && matches!(self.peer, Peer::Rank(_)) {
                reading.inbox.consume();
                return Err(Error::new(Kind::Failed, RECV).what("a hello came in the middle of the link"));
            }
            take(head, &mut reading.inbox)
        }))
    }

    /// Receives until a whole frame is there.
    fn fill(&self, reading: &mut Reading, wait: &mut Wait) -> Result<Head> {
        loop {
            match reading.inbox.ready() {
                Ok(Some(head)) => return Ok(head),
                Ok(None) => {}
                Err(TooLong(bytes)) => {
                    self.end("a message was too long");
                    return Err(self
                        .broken(RECV)
                        .with("bytes", bytes)
                        .with("limit_bytes", PAYLOAD_BYTES_MAX));
                }
            }
            if !reading.is_sliced && wait.may_be_left() {
                reading.is_sliced =
                    sockopt::set_socket_timeout(&self.socket, sockopt::Timeout::Recv, Some(SLICE)).is_ok();
            }
            match &self.channel {
                None => {
                    let is_lent = lock(&self.state).is_lent;
                    let got = self.read_some(reading.inbox.space(is_lent), wait)?;
                    reading.inbox.filled(got);
                }
                Some(channel) => {
                    let mut sealed = [0; SEALED_BYTES];
                    let got = self.read_some(&mut sealed, wait)?;
                    let mut plain = Vec::new();
                    let opened =
                        decrypt(&mut lock(channel), sealed.get(..got).unwrap_or_default(), &mut plain);
                    reading.inbox.push(&plain);
                    if let Err(error) = opened {
                        self.end("its encryption failed");
                        return Err(self.broken(RECV).source(error));
                    }
                }
            }
        }
    }

    /// Reads some bytes, at least one.
    fn read_some(&self, space: &mut [u8], wait: &mut Wait) -> Result<usize> {
        // With a deadline it is a poll that sleeps.
        let flags = if wait.is_limited() { RecvFlags::DONTWAIT } else { RecvFlags::empty() };
        loop {
            match rustix::net::recv(&self.socket, &mut *space, flags) {
                Ok((0, _)) => {
                    self.end("the peer has closed it, or has died");
                    return Err(self.broken(RECV));
                }
                Ok((bytes, _)) => return Ok(bytes),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(errno) => {
                    self.end("the peer has closed it, or has died");
                    return Err(self.broken(RECV).source(io::Error::from(errno)));
                }
            }
            wait.check()?;
            if wait.is_limited() {
                let pause = Timespec::try_from(wait.pause()).ok();
                // Readable or not: the read finds out.
                let _ = poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], pause.as_ref());
            }
        }
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
        let why = lock(&self.state).ended.unwrap_or("its socket failed");
        Error::new(Kind::NotConnected, op)
            .what(format!("the link has ended: {why}"))
            .retry(Retry::AfterReconnect)
            .with(self.peer.word(), self.peer)
    }
}

impl AsFd for Link {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Whether the same write can succeed later.
fn is_for_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "patterns of bytes, short lengths")]
mod tests {
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    use mf_base::settings::Users;
    use mf_store::JobSecret;

    use super::super::frame::{INTEGER, STRUCT};
    use super::super::rules::Rules;
    use super::*;

    /// Both ends of an encrypted connection.
    fn channels() -> (Channel, Channel) {
        let rules = Rules::new(JobSecret::new("s"), Users::default(), false);
        let (mut client, mut server) = (rules.channel(true).unwrap(), rules.channel(false).unwrap());
        while client.is_handshaking() || server.is_handshaking() {
            let (mut up, mut down) = (Vec::new(), Vec::new());
            client.take_output(&mut up);
            server.receive(&up).unwrap();
            server.take_output(&mut down);
            client.receive(&down).unwrap();
        }
        (client, server)
    }

    fn link(socket: UnixStream, channel: Channel) -> Link {
        Link::new(socket.into(), Peer::Rank(1), Inbox::default(), Some(channel)).unwrap()
    }

    fn payload(link: &Link) -> Vec<u8> {
        link.receive(Some(Duration::from_secs(30)), |_, inbox| Ok(inbox.take())).unwrap()
    }

    #[test]
    fn encrypted_messages_come_whole_in_both_directions() {
        let ((client, server), (here, there)) = (channels(), UnixStream::pair().unwrap());
        let (here, there) = (link(here, client), link(there, server));
        let long: Vec<u8> = (0..PAYLOAD_BYTES_MAX).map(|i| (i % 253) as u8).collect();
        std::thread::scope(|scope| {
            for (from, to) in [(&here, &there), (&there, &here)] {
                scope.spawn(|| {
                    for tag in 0..50_u64 {
                        from.send(INTEGER, 0, &tag.to_le_bytes()).unwrap();
                        from.send(STRUCT, 0, &long[..long.len() / (50 - tag as usize)]).unwrap();
                    }
                });
                scope.spawn(|| {
                    for tag in 0..50_u64 {
                        assert_eq!(payload(to), tag.to_le_bytes());
                        assert!(payload(to) == long[..long.len() / (50 - tag as usize)]);
                    }
                });
            }
        });
    }

    #[test]
    fn the_wire_shows_nothing_and_what_is_changed_on_it_ends_the_link() {
        let ((client, server), (here, mut wire)) = (channels(), UnixStream::pair().unwrap());
        let sender = link(here, client);
        sender.send(STRUCT, 0, b"a text that is private").unwrap();
        let mut sealed = [0; 256];
        let got = wire.read(&mut sealed).unwrap();
        assert!(!sealed[..got].windows(7).any(|window| window == b"private"));
        let (mut wire, there) = UnixStream::pair().unwrap();
        let receiver = link(there, server);
        sealed[got - 1] ^= 1;
        wire.write_all(&sealed[..got]).unwrap();
        let error = receiver.receive(None, |_, _| Ok(())).unwrap_err();
        assert!(error.to_string().contains("encryption"), "{error}");
        assert!(receiver.has_ended());
    }
}
