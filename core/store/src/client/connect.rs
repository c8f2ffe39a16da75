// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The way into a server: connect until one is there, then say hello ([`super::hello`]).
//!
//! A store that is not there yet is normal while a job starts, so refused connections are tried again in short growing
//! pauses until the deadline. What answers but is not a store of this job is an error at once.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result, Retry};
use rustix::io::Errno;

use super::Session;
use super::hello::Hand;
use super::inbox::Inbox;
use super::tcp::{TcpWire, start_reader};
use crate::api::Member;
use crate::protocol::limits;

pub(super) const OPERATION: &str = "store connect";
/// Pauses between attempts grow from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// Socket timeouts of zero mean "for ever", so the last moment before a deadline is this long.
pub(super) const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);

/// How to become a member.
#[derive(Clone)]
pub struct ClientOptions {
    /// Address of the server.
    pub server: SocketAddr,
    /// Ranks of the job; must be the same for all members.
    pub world_size: u32,
    /// The rank of this member; none: the store picks.
    pub rank: Option<Rank>,
    /// Number of the device this member uses; orders automatic ranks on one machine.
    pub device: u16,
    /// Whether the server runs in this process; as a rule such a member gets rank 0.
    pub hosts_store: bool,
    /// When to give up waiting for the server and for a rank.
    pub connect_deadline: Instant,
    /// Longest wait for the reply to a request.
    pub request_timeout: Duration,
    /// Secret of the job, empty for none.
    pub secret: Vec<u8>,
}

impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientOptions")
            .field("server", &self.server)
            .field("world_size", &self.world_size)
            .field("rank", &self.rank)
            .field("device", &self.device)
            .field("request_timeout", &self.request_timeout)
            .finish_non_exhaustive()
    }
}

/// How an attempt failed.
pub(super) enum Attempt {
    /// The store may still come up.
    Again(Error),
    /// Trying again would give the same.
    Final(Error),
}

impl Session<TcpWire> {
    /// Connects to a server and becomes a member. Blocks until a rank was given, at most until the deadline.
    ///
    /// # Errors
    /// `Timeout` no store answered, or all ranks stayed taken · `NotConnected` what answers is not a store ·
    /// `InvalidParam` world size, rank or secret do not fit those of the store · `Duplicated` the rank is taken.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "options hold the secret; the caller needs no second copy"
    )]
    pub fn connect(options: ClientOptions) -> Result<Self> {
        Self::connect_or(&options, || {})
    }

    /// As [`connect`](Self::connect); `while_absent` runs after each attempt that found no store.
    pub(crate) fn connect_or(options: &ClientOptions, mut while_absent: impl FnMut()) -> Result<Self> {
        check(options)?;
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let last = match attempt(options, started) {
                Ok(session) => return Ok(session),
                Err(Attempt::Final(error)) => return Err(error),
                Err(Attempt::Again(error)) => error,
            };
            let left = options.connect_deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(last);
            }
            while_absent();
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

fn check(options: &ClientOptions) -> Result<()> {
    limits::check_world_size(options.world_size).map_err(|failure| failure.into_error(OPERATION))?;
    match options.rank {
        Some(rank) if rank.0 >= options.world_size => Err(Error::invalid(
            OPERATION,
            format!("rank {rank} is outside the world of {} ranks", options.world_size),
        )),
        _ => Ok(()),
    }
}

fn attempt(options: &ClientOptions, started: Instant) -> Result<Session<TcpWire>, Attempt> {
    let left = options.connect_deadline.saturating_duration_since(Instant::now());
    let socket = TcpStream::connect_timeout(&options.server, at_least(left))
        .map_err(|error| not_there(options, started, error))?;
    // While nobody listens on a port of the ephemeral range, the kernel may pick that very port for our side and
    // connect us to ourselves.
    if socket.local_addr().ok() == socket.peer_addr().ok() {
        return Err(not_there(options, started, io::Error::from(io::ErrorKind::ConnectionRefused)));
    }
    let broken = |error: io::Error| {
        Attempt::Final(
            Error::new(Kind::Failed, OPERATION).what("the socket could not be set up").source(error),
        )
    };
    socket.set_nodelay(true).map_err(broken)?;
    socket.set_write_timeout(Some(at_least(options.request_timeout))).map_err(broken)?;

    let (welcome, frames) = Hand::new(&socket, options, started).shake()?;
    socket.set_read_timeout(None).map_err(broken)?;

    let socket = Arc::new(socket);
    let inbox = Arc::new(Inbox::default());
    let reader = start_reader(Arc::clone(&socket), frames, Arc::clone(&inbox)).map_err(|error| {
        Attempt::Final(
            Error::new(Kind::NoResources, OPERATION)
                .what("the reader thread could not be started")
                .source(error),
        )
    })?;
    let member = Member {
        rank: Rank(welcome.rank),
        world_size: welcome.world_size,
        session: welcome.session,
        job_token: welcome.job_token,
    };
    tracing::debug!(server = %options.server, rank = welcome.rank, waited = ?started.elapsed(), "store connected");
    let wire = TcpWire::new(socket, options.server);
    Ok(Session::new(member, inbox, wire, reader, options.request_timeout))
}

fn not_there(options: &ClientOptions, started: Instant, error: io::Error) -> Attempt {
    use io::ErrorKind::{
        AddrNotAvailable, ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable,
        Interrupted, NetworkUnreachable, TimedOut, WouldBlock,
    };
    let passing = matches!(
        error.kind(),
        AddrNotAvailable
            | ConnectionAborted
            | ConnectionRefused
            | ConnectionReset
            | HostUnreachable
            | Interrupted
            | NetworkUnreachable
            | TimedOut
            | WouldBlock
    );
    if let Some(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)) =
        Errno::from_io_error(&error)
    {
        let told = Error::os(OPERATION, errno).what("no socket could be opened").with("store", url(options));
        return Attempt::Final(told);
    }
    let kind = if passing { Kind::Timeout } else { Kind::NotConnected };
    let told = Error::new(kind, OPERATION)
        .what("no store answered")
        .with("store", url(options))
        .with("waited_ms", started.elapsed().as_millis())
        .hint("is the store started? It runs in the process of rank 0, or where the job was told to start it")
        .source(error);
    if passing { Attempt::Again(told.retry(Retry::Later)) } else { Attempt::Final(told) }
}

pub(super) fn url(options: &ClientOptions) -> String {
    format!("tcp://{}", options.server)
}

/// A timeout that the socket does not take for "none".
pub(super) fn at_least(timeout: Duration) -> Duration {
    timeout.max(SHORTEST_TIMEOUT)
}
