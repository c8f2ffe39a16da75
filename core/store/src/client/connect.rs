// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connecting to a server: retry until one is there, then handshake ([`super::hello`]).
//!
//! A store that is not there yet is normal while a job starts, so refused connections are tried again in
//! short growing pauses until the deadline. What answers but is not a store of this job is an error at once,
//! unless there are other addresses to try.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::interrupt::{self, InterruptPoll};
use mf_base::os::descriptor;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result, warn_limited};
use rustix::io::Errno;

use super::hello::Handshake;
use super::link::Link;
use super::resume::{Connector, Loss, NewLink};
use super::shared::SessionCore;
use super::tcp::TcpLink;
use super::{ClientOptions, Session};
use crate::api::{Member, RankWish};
use crate::protocol::{Failure, Welcome, auth};
use crate::server::{halves, runs_here};
use crate::sockets::{self, Unconnected, tune};

pub(super) const OPERATION: &str = "store connect";
/// Pauses between attempts grow from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// Socket timeouts of zero mean "for ever", so the last moment before a deadline is this long.
pub(super) const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);
/// After how long a store that does not answer is reported; also the longest wait for the answer to one
/// attempt to connect, so that the report does not wait for it.
const REPORT_AFTER: Duration = Duration::from_secs(3);
/// Longest silence of a program that has accepted the connection, in the first attempt. It doubles with each
/// further attempt, for a slow store or client, until the caller's deadline.
const SILENCE: Duration = Duration::from_secs(5);
/// The same while there are other addresses to try; at most this part of the lease, so that members that
/// search for a store that moved arrive while it waits for them.
const ONE_OF_SEVERAL: Duration = Duration::from_secs(2);
/// So often it is doubled at most, and only for a client that has had no store: another address may lead
/// meanwhile.
const DOUBLED_OF_SEVERAL: u32 = 3;
const PART_OF_LEASE: u32 = 4;
/// Most redirects followed in one attempt; stores that do not lead send them.
const MOST_HINTS: usize = 3;

/// Failure of an attempt.
pub(crate) enum Attempt {
    /// The store may still come up.
    Again(Error),
    /// Nothing that could become a store is there.
    Final(Error),
    /// A store refused this client; with its address.
    Refused(Failure, String),
}

impl Attempt {
    /// The error for the caller.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Attempt::Again(error) | Attempt::Final(error) => error,
            Attempt::Refused(failure, place) => failure.into_error(OPERATION).with("store", place),
        }
    }
}

/// Outcome of one address.
pub(super) enum Answered {
    Failed(Attempt),
    /// Another store leads; the text is for the case that it does not answer.
    Elsewhere(SocketAddr, Error),
}

impl From<Attempt> for Answered {
    fn from(attempt: Attempt) -> Self {
        Answered::Failed(attempt)
    }
}

impl Session {
    /// Connects to a store and becomes a member. Blocks until a rank was given, at most until the deadline.
    ///
    /// # Errors
    /// `Timeout` no store answered, or all ranks stayed taken · `NotConnected` the program that answers is
    /// not a store · `InvalidParam` world size, rank, job or secret differ from the store's, or plaintext
    /// would leave the host although it was not chosen · `Duplicated` the rank is taken.
    pub fn connect(options: ClientOptions) -> Result<Self> {
        options.check(OPERATION)?;
        let [key, _] = halves(auth::random(OPERATION)?);
        let (until, request_timeout) = (options.connect_deadline, options.request_timeout);
        let is_guest = options.wish == RankWish::Guest;
        let connector = TcpConnector::new(options);
        let shared = SessionCore::new(key, Box::new(connector));
        let started = Instant::now();
        let (mut pause, mut interrupt) = (FIRST_PAUSE, InterruptPoll::new());
        let mut is_reported = false;
        loop {
            let last = match shared.connector.attempt(&shared, until) {
                Ok(arrived) => {
                    let member = member(&arrived.welcome);
                    tracing::debug!(server = %arrived.place, rank = ?arrived.welcome.rank, waited = ?started.elapsed(), "store connected");
                    shared.attach_link(arrived);
                    return Ok(Session::new(member, shared, request_timeout));
                }
                Err(Attempt::Again(error)) => error,
                Err(other) => return Err(other.into_error()),
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let waited = started.elapsed().as_millis();
                return Err(timeout_names_holder(last).set("waited_ms", waited));
            }
            if !is_reported && started.elapsed() >= REPORT_AFTER {
                is_reported = true;
                report(is_guest, left, &last);
            }
            shared.connector.while_absent();
            shared.pause(pause.min(left));
            interrupt.check(OPERATION)?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Says that no store has answered yet. While a job starts that is nothing to look at: each of its members
/// waits for the slowest; a guest expects a store that runs.
fn report(is_guest: bool, left: Duration, last: &Error) {
    let seconds = left.as_secs();
    if is_guest {
        tracing::warn!("waiting for the store, for {seconds} s more at most: {last}");
    } else {
        tracing::info!("waiting for the store, for {seconds} s more at most: {last}");
    }
}

/// The member that a welcome makes. A guest has the rank that no member can have.
pub(crate) fn member(welcome: &Welcome) -> Member {
    Member {
        rank: Rank(welcome.rank.unwrap_or(u32::MAX)),
        world_size: welcome.world_size,
        session: welcome.session,
        job_token: welcome.job_token,
    }
}

/// The addresses of a store.
pub(super) struct TcpConnector {
    pub(super) options: ClientOptions,
    candidates: Mutex<Vec<SocketAddr>>,
    /// Values from the store that first welcomed this session.
    first: Mutex<Option<FirstStore>>,
    /// Attempts in a row in which a program was silent.
    silences: AtomicU32,
}

#[derive(Clone, Copy)]
pub(super) struct FirstStore {
    pub(super) store: [u8; 16],
    pub(super) job_token: [u8; 32],
}

impl TcpConnector {
    fn new(options: ClientOptions) -> Self {
        let candidates = Mutex::new(options.candidates.clone());
        Self { candidates, options, first: Mutex::default(), silences: AtomicU32::new(0) }
    }

    /// Returns the silence that an address is allowed now.
    fn silence(&self, alone: bool) -> Duration {
        let silences = self.silences.load(Ordering::Relaxed);
        match alone {
            true => SILENCE.saturating_mul(1 << silences.min(16)),
            false => {
                let first = ONE_OF_SEVERAL.min(self.options.timing.lease / PART_OF_LEASE);
                let doubled = if self.first().is_some() { 0 } else { silences.min(DOUBLED_OF_SEVERAL) };
                first.saturating_mul(1 << doubled)
            }
        }
    }

    /// A program was silent: the next attempt, if there is one, gives it more time.
    pub(super) fn note_silence(&self, error: &Error, is_last: bool) {
        self.silences.fetch_add(1, Ordering::Relaxed);
        if !is_last {
            warn_limited!("{error}; it is tried again until the deadline");
        }
    }

    pub(super) fn first(&self) -> Option<FirstStore> {
        *lock(&self.first)
    }

    fn try_one(
        &self,
        shared: &Arc<SessionCore>,
        address: SocketAddr,
        until: Instant,
        alone: bool,
    ) -> Result<NewLink, Answered> {
        let started = Instant::now();
        let left = until.saturating_duration_since(started);
        let silence = self.silence(alone);
        let limit = if alone { left.min(REPORT_AFTER) } else { left.min(silence) };
        let encrypt = self
            .options
            .security
            .must_encrypt(address.ip())
            .map_err(|error| Attempt::Final(error.with("store", url(address))))?;
        let socket = match sockets::connect(address, at_least(limit)) {
            Ok(socket) => socket,
            Err(Unconnected::Io(error)) => return Err(not_there(address, started, error).into()),
            Err(Unconnected::Left) => return Err(Attempt::Final(interrupt::error(OPERATION)).into()),
        };
        // While no socket listens on a port of the ephemeral range, the kernel may pick that very port for
        // our side and connect us to ourselves.
        if socket.local_addr().ok() == socket.peer_addr().ok() {
            return Err(not_there(address, started, io::ErrorKind::ConnectionRefused.into()).into());
        }
        tune(&socket, address.ip(), self.options.timing.lease);
        let socket = Arc::new(socket);
        let interrupted = Arc::clone(&socket);
        let wanted = shared.begin_attempt(Box::new(move || {
            // Fails only when it is closed already.
            let _ = interrupted.shutdown(std::net::Shutdown::Both);
        }));
        if !wanted {
            return Err(Attempt::Final(
                Error::new(Kind::NotConnected, OPERATION).what("this store client is closed"),
            )
            .into());
        }
        let hand = Handshake::new(&socket, self, address, (started, until), encrypt)?;
        let met = hand.shake(shared, silence)?;
        self.silences.store(0, Ordering::Relaxed);
        let link =
            TcpLink::new(socket, met.channel, met.frames, Arc::downgrade(shared)).map_err(Attempt::Final)?;
        let (store, job_token) = (met.welcome.store, met.welcome.job_token);
        lock(&self.first).get_or_insert(FirstStore { store, job_token });
        Ok(NewLink {
            link: Box::new(link) as Box<dyn Link>,
            here: runs_here(store),
            welcome: met.welcome,
            place: url(address),
        })
    }
}

impl Connector for TcpConnector {
    fn attempt(&self, shared: &Arc<SessionCore>, until: Instant) -> Result<NewLink, Attempt> {
        let mut to_try = lock(&self.candidates).clone();
        to_try.reverse();
        let (mut alone, mut hints) = (to_try.len() == 1, 0);
        let (mut again, mut last) = (None, None);
        while let Some(address) = to_try.pop() {
            match self.try_one(shared, address, until, alone) {
                Ok(arrived) => return Ok(arrived),
                Err(Answered::Elsewhere(leader, error)) => {
                    again = Some(error);
                    if hints < MOST_HINTS {
                        hints += 1;
                        alone = false;
                        to_try.push(leader);
                    }
                }
                Err(Answered::Failed(Attempt::Again(error))) => again = Some(error),
                Err(Answered::Failed(Attempt::Final(error))) => last = Some(error),
                Err(Answered::Failed(refused @ Attempt::Refused(..))) => return Err(refused),
            }
        }
        match (again, last) {
            (Some(error), _) => Err(Attempt::Again(error)),
            (None, Some(error)) => Err(Attempt::Final(error)),
            (None, None) => Err(Attempt::Final(Error::invalid(OPERATION, "no address of a store was given"))),
        }
    }

    fn resume_limit(&self, loss: Loss) -> Option<Duration> {
        Some(match loss {
            Loss::Sudden => self.options.timing.reconnect,
            Loss::OnPurpose => self.options.successor.min(self.options.timing.reconnect),
        })
    }

    fn while_absent(&self) {
        let moved = self.options.while_absent.as_ref().and_then(|callback| callback());
        if let Some(addresses) = moved {
            *lock(&self.candidates) = addresses;
        }
    }

    fn relocate(&self, addresses: Vec<SocketAddr>) -> bool {
        *lock(&self.candidates) = addresses;
        true
    }
}

/// Returns true if a program of this host has the port and does not listen on it: connections are refused,
/// and yet no other program can bind it.
fn is_held(address: SocketAddr) -> bool {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, sockopt};
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let Ok(socket) = descriptor::socket(family, SocketType::STREAM, SocketFlags::CLOEXEC, None) else {
        return false;
    };
    // Connections that ended a moment ago are no holders.
    let _ = sockopt::set_socket_reuseaddr(&socket, true);
    bind(&socket, &address).is_err_and(|errno| errno == Errno::ADDRINUSE)
}

/// The error of a wait that ends with a refused connection for another reason than a missing store.
fn timeout_names_holder(error: Error) -> Error {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
    let is_refused = source.is_some_and(|source| source.kind() == io::ErrorKind::ConnectionRefused);
    let address = error.fact("store").and_then(|url| url.strip_prefix("tcp://")?.parse().ok());
    let Some(address) = address.filter(|address| is_refused && is_held(*address)) else { return error };
    Error::new(Kind::InUse, OPERATION)
        .what("a program of this host holds the port of the store and does not listen on it")
        .with("store", url(address))
        .hint(format!(
            "end that program (ss -anp 'sport = :{}' may name it), or choose another port",
            address.port()
        ))
}

fn not_there(address: SocketAddr, started: Instant, error: io::Error) -> Attempt {
    use io::ErrorKind::{
        AddrNotAvailable, ConnectionAborted, ConnectionRefused, ConnectionReset, HostUnreachable,
        Interrupted, NetworkDown, NetworkUnreachable, TimedOut, WouldBlock,
    };
    let passing = matches!(
        error.kind(),
        AddrNotAvailable
            | ConnectionAborted
            | ConnectionRefused
            | ConnectionReset
            | HostUnreachable
            | Interrupted
            | NetworkDown
            | NetworkUnreachable
            | TimedOut
            | WouldBlock
    );
    if let Some(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)) =
        Errno::from_io_error(&error)
    {
        let error = Error::os(OPERATION, errno).what("no socket could be opened").with("store", url(address));
        return Attempt::Final(error);
    }
    let kind = if passing { Kind::Timeout } else { Kind::NotConnected };
    let error = Error::new(kind, OPERATION)
        .what("no store answered")
        .with("store", url(address))
        .with("waited_ms", started.elapsed().as_millis())
        .hint("is the store started? It runs in the process of rank 0, or where the job is configured to start it")
        .source(error);
    if passing { Attempt::Again(error) } else { Attempt::Final(error) }
}

pub(super) fn url(address: SocketAddr) -> String {
    format!("tcp://{address}")
}

/// A timeout that the socket does not take for "none".
pub(super) fn at_least(timeout: Duration) -> Duration {
    timeout.max(SHORTEST_TIMEOUT)
}
