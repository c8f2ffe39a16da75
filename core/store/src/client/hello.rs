// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The hello of a client: proof of the job secret in both directions, then membership.
//!
//! Whatever answers on the port is found out here: a program that speaks something else, a store of another version,
//! one of another job, one that is stopped.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Retry};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::connect::{Attempt, ClientOptions, OPERATION, SHORTEST_TIMEOUT, at_least, url};
use super::{after, calls};
use crate::protocol::auth::{self, Nonces, Role};
use crate::protocol::frame::{FrameBuffer, FrameError, FrameKind, encode};
use crate::protocol::{Challenge, Failure, Hello, Join, Welcome, secret_differs};

/// A store answers a new connection at once; what is silent for so long is not one.
const SILENCE_LIMIT: Duration = Duration::from_secs(5);

/// The client's hand in one connection.
pub(super) struct Hand<'a> {
    socket: &'a TcpStream,
    frames: FrameBuffer,
    options: &'a ClientOptions,
    started: Instant,
}

impl<'a> Hand<'a> {
    pub(super) fn new(socket: &'a TcpStream, options: &'a ClientOptions, started: Instant) -> Self {
        Self { socket, frames: FrameBuffer::new(), options, started }
    }

    /// Proves both sides and asks for membership. Blocks until a rank was given, at most until the deadline.
    pub(super) fn shake(mut self) -> Result<(Welcome, FrameBuffer), Attempt> {
        let own = auth::random(OPERATION).map_err(Attempt::Final)?;
        self.say(FrameKind::Hello, &Hello { nonce: own })?;
        let now = Instant::now();
        let silence = (now + SILENCE_LIMIT).min(self.options.connect_deadline.max(now + SHORTEST_TIMEOUT));
        let challenge: Challenge = self.hear(FrameKind::Challenge, silence)?;
        let nonces = Nonces { client: own, server: challenge.nonce };
        let left = self.options.connect_deadline.saturating_duration_since(Instant::now());
        self.say(
            FrameKind::Join,
            &Join {
                proof: auth::prove(&self.options.secret, Role::Client, &nonces),
                world_size: self.options.world_size,
                rank: self.options.rank.map(|rank| rank.0),
                device: self.options.device,
                hosts_store: self.options.hosts_store,
                timeout_us: u64::try_from(left.as_micros()).unwrap_or(u64::MAX),
            },
        )?;
        // The store itself says when no rank became free in time.
        let welcome: Welcome = self.hear(FrameKind::Welcome, after(calls::with_margin(left)))?;
        if !auth::holds(&self.options.secret, Role::Server, &nonces, &welcome.proof) {
            return Err(Attempt::Final(self.refused(secret_differs())));
        }
        self.frames.trust();
        Ok((welcome, self.frames))
    }

    fn say<T: Serialize>(&mut self, kind: FrameKind, message: &T) -> Result<(), Attempt> {
        let mut bytes = Vec::new();
        encode(kind, 0, message, &mut bytes)
            .map_err(|error| Attempt::Final(self.stranger(&error.to_string())))?;
        match self.socket.write_all(&bytes) {
            // The other side may have refused and closed: what it said is still there to be read.
            Err(error) if kind == FrameKind::Hello => {
                Err(Attempt::Again(self.hung_up(FrameKind::Challenge, Some(error))))
            }
            _ => Ok(()),
        }
    }

    fn hear<T: DeserializeOwned>(&mut self, kind: FrameKind, until: Instant) -> Result<T, Attempt> {
        loop {
            match next(&mut self.frames, kind) {
                Ok(Heard::Message(message)) => return Ok(message),
                Ok(Heard::Refused(failure)) => return Err(Attempt::Final(self.refused(failure))),
                Ok(Heard::Nothing) => {}
                Err(error) => return Err(Attempt::Final(self.stranger(&error.to_string()))),
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Attempt::Final(self.silent(kind)));
            }
            let read = self.socket.set_read_timeout(Some(at_least(left))).and_then(|()| {
                let mut socket = self.socket;
                socket.read(self.frames.space())
            });
            match read {
                Ok(0) => return Err(Attempt::Again(self.hung_up(kind, None))),
                Ok(bytes) => self.frames.filled(bytes),
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
                    ) => {}
                Err(error) => return Err(Attempt::Again(self.hung_up(kind, Some(error)))),
            }
        }
    }

    fn refused(&self, failure: Failure) -> Error {
        failure.into_error(OPERATION).with("store", url(self.options))
    }

    /// What answers speaks something else.
    fn stranger(&self, what: &str) -> Error {
        Error::new(Kind::NotConnected, OPERATION)
            .what(format!("the program on that port is not a memfabric store of this version: {what}"))
            .with("store", url(self.options))
            .hint("choose a port that no other program uses")
    }

    fn silent(&self, awaited: FrameKind) -> Error {
        let what = if awaited == FrameKind::Challenge {
            "the program on that port is not a memfabric store, or is stopped: it accepted the connection and said nothing"
        } else {
            "the store stopped answering"
        };
        Error::new(Kind::NotConnected, OPERATION)
            .what(what)
            .with("store", url(self.options))
            .with("waited_ms", self.started.elapsed().as_millis())
            .hint("check which program listens on that port")
    }

    /// The other side closed without a word, as a store does that ends at this moment; another may follow it.
    fn hung_up(&self, awaited: FrameKind, error: Option<io::Error>) -> Error {
        let what = if awaited == FrameKind::Challenge {
            "the program on that port closed the connection without an answer; is it a memfabric store?"
        } else {
            "the store ended before it gave this member a rank"
        };
        let told = Error::new(Kind::NotConnected, OPERATION)
            .what(what)
            .with("store", url(self.options))
            .with("waited_ms", self.started.elapsed().as_millis())
            .retry(Retry::Later);
        match error {
            Some(error) => told.source(error),
            None => told,
        }
    }
}

enum Heard<T> {
    Message(T),
    Refused(Failure),
    Nothing,
}

/// What has arrived, where a message of `kind` is awaited.
fn next<T: DeserializeOwned>(frames: &mut FrameBuffer, kind: FrameKind) -> Result<Heard<T>, FrameError> {
    match frames.next_frame()? {
        None => Ok(Heard::Nothing),
        Some(frame) if frame.kind == kind => Ok(Heard::Message(frame.message()?)),
        Some(frame) if frame.kind == FrameKind::Refused => Ok(Heard::Refused(frame.message()?)),
        Some(frame) => Err(FrameError::Kind(frame.kind as u8, 0)),
    }
}
