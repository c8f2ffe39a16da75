// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handshake of a client: identities of both sides, proof of the job secret in both directions, then
//! membership.
//!
//! The peer on the port is identified here: a program of another protocol, a store of another version, one of
//! another job, one of another user, one that is stopped, or one with the opposite choice of encryption.
//!
//! The configuration decides about encryption before the first byte ([`mf_tls`]). A plaintext answer to a
//! client that encrypts is recognised for the text of the error, and not trusted otherwise: no refusal, no
//! redirect.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use mf_base::interrupt::InterruptPoll;
use mf_base::os::stream::Stream;
use mf_base::{Error, Kind, Retry};
use mf_tls::{Side, explain};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::connect::{Answered, Attempt, OPERATION, SHORTEST_TIMEOUT, TcpConnector, at_least, url};
use super::shared::SessionCore;
use crate::channel::{Broken, Channel, FIRST_OF_PLAIN, SendQueue};
use crate::protocol::auth::{self, Nonces, Role};
use crate::protocol::frame::{FrameBuffer, FrameError, FrameKind, encode};
use crate::protocol::{About, Challenge, Failure, Hello, Join, Proved, Refusal, Welcome, secret_differs};
use crate::server::runs_here;

/// Time beyond the request's timeout in which a store may report that it assigned no rank.
const MARGIN: Duration = Duration::from_secs(2);
/// Longest name of a host that is sent, in bytes.
const HOST_BYTES: usize = 64;

/// The client's side of one handshake.
pub(super) struct Handshake<'a> {
    socket: &'a TcpStream,
    channel: Channel,
    frames: FrameBuffer,
    queue: SendQueue,
    connector: &'a TcpConnector,
    address: SocketAddr,
    started: Instant,
    /// The caller's deadline.
    until: Instant,
    /// We encrypt, and have received nothing yet that shows whether the other side does.
    must_sniff: bool,
}

/// Result of a handshake.
pub(super) struct Accepted {
    pub(super) welcome: Welcome,
    pub(super) channel: Channel,
    pub(super) frames: FrameBuffer,
}

impl<'a> Handshake<'a> {
    pub(super) fn new(
        socket: &'a TcpStream,
        connector: &'a TcpConnector,
        address: SocketAddr,
        (started, until): (Instant, Instant),
        encrypt: bool,
    ) -> Result<Self, Attempt> {
        let channel = if encrypt {
            Channel::tls(connector.options.security.client_connection(address.ip()).map_err(Attempt::Final)?)
        } else {
            Channel::Plain
        };
        Ok(Self {
            socket,
            channel,
            frames: FrameBuffer::new(),
            queue: SendQueue::default(),
            connector,
            address,
            started,
            until,
            must_sniff: encrypt,
        })
    }

    /// Proves both sides and asks for membership. Blocks until a rank is assigned, at most until the caller's
    /// deadline; a program that sends nothing for `silence` is to be tried again.
    pub(super) fn shake(mut self, shared: &SessionCore, silence: Duration) -> Result<Accepted, Answered> {
        let until = self.until;
        let options = &self.connector.options;
        let about = About::this(&options.job);
        let own = auth::random(OPERATION).map_err(Attempt::Final)?;
        self.send(FrameKind::Hello, &Hello { nonce: own, about: about.clone() })?;
        let now = Instant::now();
        let silent_at = (now + silence).min(until.max(now + SHORTEST_TIMEOUT));
        let challenge: Challenge = self.receive(FrameKind::Challenge, silent_at)?;
        self.check_user(FrameKind::Challenge)?;
        about
            .fits(&challenge.about, "store")
            .map_err(|failure| Attempt::Refused(failure, url(self.address)))?;
        shared.set_features(challenge.about.features);
        let binding = self.channel.binding().map_err(|failure| Attempt::Final(self.refused(failure)))?;
        let binding = binding.as_ref().map_or(&[][..], |binding| &binding[..]);
        let nonces = Nonces { client: own, server: challenge.nonce };
        let secret = options.security.secret();
        let left = until.saturating_duration_since(Instant::now());
        let (key, resume) = shared.with_machine(|machine| (machine.key(), machine.join_resume()));
        let first = self.connector.first();
        let returns_elsewhere = resume.as_ref().is_some_and(|resume| resume.store != challenge.store);
        // Its store takes a member back at once; one that is silent for a lease leads no longer. Others wait
        // for a rank, or for members of a store that ended.
        let returns_home = resume.is_some() && !returns_elsewhere;
        self.send(
            FrameKind::Join,
            &Join {
                proof: auth::prove(secret, Role::Client, &nonces, binding),
                world_size: options.world_size,
                wish: options.wish.on_the_wire(),
                device: options.device,
                hosts_store: options.hosts_store && first.is_none_or(|first| first.store == challenge.store)
                    || options.while_absent.is_some() && runs_here(challenge.store),
                timeout_us: u64::try_from(left.as_micros()).unwrap_or(u64::MAX),
                host: host(),
                pid: std::process::id(),
                key,
                resume,
                job_token: first.filter(|_| secret.is_empty()).map(|first| first.job_token),
            },
        )?;
        let holds = |proof: &[u8; 32]| auth::holds(secret, Role::Server, &nonces, binding, proof);
        if returns_elsewhere {
            let proved: Proved = self.receive(FrameKind::Proved, super::after(silence.min(left)))?;
            if !holds(&proved.proof) {
                return Err(Attempt::Refused(secret_differs(), url(self.address)).into());
            }
            for message in shared.with_machine(|machine| machine.memories(challenge.store)) {
                self.send(FrameKind::OneWay, &message)?;
            }
            self.frames.trust();
        }
        // The store itself reports when no rank became free in time.
        let longest = match returns_home {
            true => silence.max(options.timing.lease).min(left),
            false => left.saturating_add(MARGIN),
        };
        let welcome: Welcome = self.receive(FrameKind::Welcome, super::after(longest))?;
        if !holds(&welcome.proof) {
            return Err(Attempt::Refused(secret_differs(), url(self.address)).into());
        }
        self.frames.trust();
        Ok(Accepted { welcome, channel: self.channel, frames: self.frames })
    }

    fn send<T: Serialize>(&mut self, kind: FrameKind, message: &T) -> Result<(), Answered> {
        self.queue
            .append(|own| encode(kind, 0, message, own))
            .map_err(|error| Attempt::Final(self.not_a_store(&error.to_string())))?;
        match self.flush() {
            // The other side may have refused and closed: its message can still be read.
            Err(error) if kind == FrameKind::Hello => {
                Err(Attempt::Again(self.hung_up(FrameKind::Challenge, Some(error))).into())
            }
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let limit = at_least(self.connector.options.request_timeout);
        self.socket.set_write_timeout(Some(limit))?;
        if !self.queue.write_to(&mut self.channel, &mut Stream(self.socket))?
            && !self.channel.is_handshaking()
        {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    fn receive<T: DeserializeOwned>(&mut self, kind: FrameKind, until: Instant) -> Result<T, Answered> {
        let mut interrupt = InterruptPoll::new();
        loop {
            match next(&mut self.frames, kind) {
                Ok(HelloReply::Message(message)) => return Ok(message),
                Ok(HelloReply::Refused(refusal)) => {
                    // A store may have closed after its last message; only a message of another user is not
                    // trusted.
                    return match self.check_user(kind) {
                        Err(another @ Answered::Failed(Attempt::Final(_))) => Err(another),
                        _ => Err(self.sent_away(refusal)),
                    };
                }
                Ok(HelloReply::Nothing) => {}
                Err(error) => return Err(Attempt::Final(self.not_a_store(&error.to_string())).into()),
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let silent = self.silent(kind);
                self.connector.note_silence(&silent, Instant::now() >= self.until);
                return Err(Attempt::Again(silent).into());
            }
            interrupt.check(OPERATION).map_err(Attempt::Final)?;
            match self.read(interrupt.within(left)) {
                Ok(0) => return Err(Attempt::Again(self.hung_up(kind, None)).into()),
                Ok(_) => {}
                Err(NoReply::Broken(Broken::Socket(error)))
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
                    ) => {}
                Err(NoReply::Broken(Broken::Socket(error))) => {
                    return Err(Attempt::Again(self.hung_up(kind, Some(error))).into());
                }
                Err(NoReply::Plaintext) => return Err(Attempt::Final(self.plaintext()).into()),
                Err(NoReply::Broken(Broken::Tls(error))) => {
                    // The alert reports the same to the other side.
                    let _ = self.flush();
                    return Err(Attempt::Final(self.refused(explain(&error, Side::Client).into())).into());
                }
            }
        }
    }

    /// Reads once, after the connection's own messages are sent.
    fn read(&mut self, limit: Duration) -> Result<usize, NoReply> {
        if self.channel.wants_write() {
            self.flush()?;
        }
        self.socket.set_read_timeout(Some(at_least(limit)))?;
        if std::mem::take(&mut self.must_sniff) {
            let mut first = [0];
            let seen = self.socket.peek(&mut first).inspect_err(|_| self.must_sniff = true)?;
            if seen == 1 && first == [FIRST_OF_PLAIN] {
                return Err(NoReply::Plaintext);
            }
        }
        Ok(self.channel.pull(&mut &*self.socket, &mut self.frames).map(|(bytes, _)| bytes)?)
    }

    /// Checks that the peer is a process of our user, where neither secret nor certificate proves its
    /// identity. Called when the other side has sent something, so that a process has the connection open.
    fn check_user(&self, awaited: FrameKind) -> Result<(), Answered> {
        let ends = self.socket.local_addr().and_then(|ours| Ok((ours, self.socket.peer_addr()?)));
        let gone = |error| Attempt::Again(self.hung_up(awaited, error));
        let (ours, theirs) = ends.map_err(|error| gone(Some(error)))?;
        match self.connector.options.security.check_user(ours, theirs) {
            Ok(true) => Ok(()),
            Ok(false) => Err(gone(None).into()),
            Err(error) => Err(Attempt::Final(error.with("store", url(self.address))).into()),
        }
    }

    /// We encrypt, and what answers does not.
    fn plaintext(&self) -> Error {
        Error::invalid(OPERATION, "the store speaks plaintext and this process encrypts, so nothing was sent to it")
            .with("store", url(self.address))
            .hint(
                "give the store the secret or the certificates of the job as well; MF_STORE_TLS=off on both sides chooses \
                 plaintext",
            )
    }

    fn refused(&self, failure: Failure) -> Error {
        failure.into_error(OPERATION).with("store", url(self.address))
    }

    fn sent_away(&self, refusal: Refusal) -> Answered {
        let Refusal { failure, later, leader } = refusal;
        match leader.and_then(|leader| leader.parse().ok()) {
            Some(leader) => Answered::Elsewhere(leader, self.refused(failure)),
            None if later => Attempt::Again(self.refused(failure)).into(),
            None => Attempt::Refused(failure, url(self.address)).into(),
        }
    }

    /// The peer has another protocol.
    fn not_a_store(&self, what: &str) -> Error {
        Error::new(Kind::NotConnected, OPERATION)
            .what(format!("the program on that port is not a memfabric store of this version: {what}"))
            .with("store", url(self.address))
            .hint("choose a port that no other program uses, and run the same release in all processes")
    }

    fn silent(&self, awaited: FrameKind) -> Error {
        let what = if awaited == FrameKind::Challenge {
            "the program on that port is not a memfabric store, or is stopped: it accepted the connection and sent nothing"
        } else {
            "the store stopped answering"
        };
        Error::new(Kind::NotConnected, OPERATION)
            .what(what)
            .with("store", url(self.address))
            .with("waited_ms", self.started.elapsed().as_millis())
            .retry(Retry::Later)
            .hint("check which program listens on that port")
    }

    /// The other side closed without a message, as a store that ends at this moment; another may follow it.
    fn hung_up(&self, awaited: FrameKind, error: Option<io::Error>) -> Error {
        let what = if awaited == FrameKind::Challenge {
            "the program on that port closed the connection without an answer; is it a memfabric store?"
        } else {
            "the store ended before it gave this member a rank"
        };
        let failure = Error::new(Kind::NotConnected, OPERATION)
            .what(what)
            .with("store", url(self.address))
            .with("waited_ms", self.started.elapsed().as_millis())
            .retry(Retry::Later);
        match error {
            Some(error) => failure.source(error),
            None => failure,
        }
    }
}

/// Why there is no reply.
enum NoReply {
    Broken(Broken),
    /// We encrypt, and the other side does not.
    Plaintext,
}

impl From<Broken> for NoReply {
    fn from(broken: Broken) -> Self {
        NoReply::Broken(broken)
    }
}

impl From<io::Error> for NoReply {
    fn from(error: io::Error) -> Self {
        NoReply::Broken(Broken::Socket(error))
    }
}

enum HelloReply<T> {
    Message(T),
    Refused(Refusal),
    Nothing,
}

/// Takes the next arrived message, which must be of `kind`.
fn next<T: DeserializeOwned>(frames: &mut FrameBuffer, kind: FrameKind) -> Result<HelloReply<T>, FrameError> {
    match frames.next_frame()? {
        None => Ok(HelloReply::Nothing),
        Some(frame) if frame.kind == kind => Ok(HelloReply::Message(frame.message()?)),
        Some(frame) if frame.kind == FrameKind::Refused => Ok(HelloReply::Refused(frame.message()?)),
        Some(frame) => Err(FrameError::Kind(frame.kind as u8, 0)),
    }
}

/// Name of this host, as it calls itself.
pub(crate) fn host() -> String {
    let name = rustix::system::uname();
    let name = name.nodename().to_string_lossy();
    let mut end = name.len().min(HOST_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.get(..end).unwrap_or_default().to_owned()
}
