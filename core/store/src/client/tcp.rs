// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A link over a socket, plaintext or TLS.

use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Weak};
use std::time::Instant;

use mf_base::os::stream::Stream;
use mf_base::{Error, Kind, Result};
use mf_tls::{Side, explain};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::link::{Incoming, Link, LinkError, ReadOutcome, Signal};
use super::reactor::Registration;
use super::shared::SessionCore;
use crate::channel::{Broken, Channel, SendQueue};
use crate::protocol::frame::{FrameBuffer, FrameError, FrameKind, encode};
use crate::protocol::{Failure, OneWay, RequestMessage};

/// A socket after its hello.
pub(super) struct TcpLink {
    /// Dropped first, while the socket is open.
    registration: Registration,
    socket: Arc<TcpStream>,
    signal: Arc<SocketSignal>,
    channel: Channel,
    frames: FrameBuffer,
    queue: SendQueue,
}

impl TcpLink {
    pub(super) fn new(
        socket: Arc<TcpStream>,
        channel: Channel,
        frames: FrameBuffer,
        core: Weak<SessionCore>,
    ) -> Result<Self> {
        socket.set_nonblocking(true).map_err(|error| {
            Error::new(Kind::Failed, "store connect").what("the socket could not be set up").source(error)
        })?;
        let registration = Registration::new(Arc::clone(&socket), core)?;
        let signal = Arc::new(SocketSignal(Arc::clone(&socket)));
        Ok(Self { registration, socket, signal, channel, frames, queue: SendQueue::default() })
    }

    fn send<T: serde::Serialize>(
        &mut self,
        kind: FrameKind,
        sequence: u64,
        message: &T,
    ) -> Result<(), LinkError> {
        self.queue
            .append(|own| encode(kind, sequence, message, own))
            .map_err(|error| format!("a message could not be encoded: {error}"))
    }
}

fn gone(error: &io::Error) -> LinkError {
    format!("the connection to the store broke: {error}")
}

fn rules(error: &FrameError) -> LinkError {
    format!("the store broke the protocol: {error}")
}

impl Link for TcpLink {
    fn request(&mut self, sequence: u64, message: RequestMessage) -> Result<(), LinkError> {
        self.send(FrameKind::Request, sequence, &message)
    }

    fn send_one_way(&mut self, message: OneWay) -> Result<(), LinkError> {
        self.send(FrameKind::OneWay, 0, &message)
    }

    fn leave(&mut self) -> Result<(), LinkError> {
        self.send(FrameKind::Leave, 0, &())
    }

    fn flush(&mut self) -> Result<bool, LinkError> {
        if self.queue.bytes() == 0 && !self.channel.wants_write() {
            return Ok(true);
        }
        self.queue.write_to(&mut self.channel, &mut Stream(&*self.socket)).map_err(|error| gone(&error))
    }

    fn read_arrived(&mut self) -> Result<ReadOutcome, LinkError> {
        match self.channel.pull(&mut &*self.socket, &mut self.frames) {
            Ok((0, _)) => Err("the store closed the connection".to_owned()),
            Ok((_, false)) => Ok(ReadOutcome::All),
            Ok((_, true)) => Ok(ReadOutcome::Some),
            Err(Broken::Socket(error)) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted => Ok(ReadOutcome::Nothing),
                _ => Err(gone(&error)),
            },
            Err(Broken::Tls(error)) => {
                Err(Failure::from(explain(&error, Side::Client)).into_error("store connection").to_string())
            }
        }
    }

    fn next(&mut self) -> Result<Option<Incoming>, LinkError> {
        let Some(frame) = self.frames.next_frame().map_err(|error| rules(&error))? else { return Ok(None) };
        let incoming = match frame.kind {
            FrameKind::Reply => {
                frame.message().map(|result| Incoming::Reply { sequence: frame.sequence, result })
            }
            FrameKind::Change => frame
                .message()
                .map(|change| Incoming::Change { watch: frame.sequence, change: Arc::new(change) }),
            FrameKind::Notice => frame.message().map(Incoming::Notice),
            other => Err(FrameError::Kind(other as u8, 0)),
        };
        incoming.map(Some).map_err(|error| rules(&error))
    }

    fn cut(&mut self) {
        // Fails only when it is cut already.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn signal(&self) -> Arc<dyn Signal> {
        Arc::clone(&self.signal) as Arc<dyn Signal>
    }

    fn token(&self) -> u64 {
        self.registration.token()
    }

    fn arm(&mut self, unsent: bool) {
        self.registration.arm(unsent);
    }

    fn disarm(&mut self) {
        self.registration.disarm();
    }
}

struct SocketSignal(Arc<TcpStream>);

impl Signal for SocketSignal {
    fn wait(&self, arrivals: bool, room: bool, until: Instant) {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, arrivals);
        flags.set(PollFlags::OUT, room);
        let left = until.saturating_duration_since(Instant::now());
        let limit = Timespec::try_from(left).ok();
        // The caller reads, for any reason of this return.
        let _ = poll(&mut [PollFd::new(&self.0, flags)], limit.as_ref());
    }
}
