// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accept thread: the one thread of a process that accepts links, and notices when peers close them. It runs
//! while the process listens or has links.
//!
//! It polls new connections, connections without a hello yet, and links whose peers close them (`watch.rs`).
//! So a silent connection does not block others, and is closed after a while ([`Rules`]). In each *round* it
//! accepts all pending connections, reads from the newcomers, and closes the links whose ends were reported
//! before the round: a link that replaces a closed one is known by then. A caller that does not find a peer
//! waits for one round ([`Waiter::wait_for_pending`]): a peer may have connected and not be accepted yet.

use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use mf_base::os::service::{self, Health, Panicked};
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result, warn_limited};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, SocketFlags, shutdown};

use super::admission::{Ends, Rules};
use super::frame::Inbox;
use super::handshake::{Established, ServerHandshake};
use super::link::{Absorbed, Link};
use super::simultaneous_connect::Origin;
use super::table::Peer;
use super::unix::{self, SocketFile};
use super::watch::{Closed, Watch};
use super::{Control, START, dial};
use crate::Status;

/// Most newcomers at a time; the oldest makes room.
const NEWCOMERS_MAX: usize = 256;
/// Most connections accepted in one round from one listener.
const ACCEPTED_MAX: usize = 256;
/// Pause after accepting failed for want of descriptors.
const PAUSE: Duration = Duration::from_millis(50);
/// Pause before a link in use by a caller is examined again.
const BUSY_PAUSE: Duration = Duration::from_millis(10);
/// Longest wait for a round.
const ROUND_TIMEOUT: Duration = Duration::from_secs(2);

/// A listening socket.
pub(super) struct Listener {
    socket: OwnedFd,
    is_unix: bool,
    /// True if peers announce their ranks; else each is identified by its address.
    has_ranks: bool,
    rules: Arc<Rules>,
}

impl Listener {
    /// Listens at an address. Returns the port, too.
    pub(super) fn tcp(rules: &Arc<Rules>, address: &[SocketAddr], has_ranks: bool) -> Result<(Self, u16)> {
        let taken = |error: std::io::Error| {
            let kind = match error.kind() {
                std::io::ErrorKind::AddrInUse => Kind::InUse,
                std::io::ErrorKind::AddrNotAvailable => Kind::InvalidParam,
                _ => Kind::Failed,
            };
            let failed = Error::new(kind, START)
                .what("the address cannot be listened at")
                .with("address", address.first().map_or_else(String::new, ToString::to_string))
                .source(error);
            match kind {
                Kind::InvalidParam => failed.code_of_family(Status::InvalidConfig as i32),
                _ => failed,
            }
        };
        // Sets SO_REUSEADDR.
        let socket = descriptor::listen_tcp(address).map_err(taken)?;
        socket.set_nonblocking(true).map_err(taken)?;
        let port = socket.local_addr().map_err(taken)?.port();
        Ok((Self { socket: socket.into(), is_unix: false, has_ranks, rules: Arc::clone(rules) }, port))
    }

    /// Listens at a path.
    pub(super) fn unix(rules: &Arc<Rules>, path: &Path) -> Result<(Self, Option<SocketFile>)> {
        let (socket, file) = unix::listen(path)?;
        Ok((Self { socket, is_unix: true, has_ranks: true, rules: Arc::clone(rules) }, file))
    }
}

#[derive(Default)]
struct Rounds {
    asked: u64,
    done: u64,
    /// Listeners that the thread has not taken over yet.
    new: Vec<Listener>,
    /// The listeners are to be closed.
    is_deaf: bool,
    is_stopping: bool,
    has_stopped: bool,
}

struct AcceptorShared {
    rounds: Mutex<Rounds>,
    /// Signalled after each round.
    changed: Condvar,
    bell: OwnedFd,
    watch: Watch,
    /// Health of the thread.
    health: Health,
}

impl AcceptorShared {
    fn ring(&self) {
        let _full_is_awake = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    /// Handles a panic of the thread: later calls are refused, and threads that wait for a round are woken.
    fn fail(&self, panicked: &Panicked) {
        self.health.fail(panicked);
        self.stopped();
    }

    fn stopped(&self) {
        lock(&self.rounds).has_stopped = true;
        self.changed.notify_all();
    }
}

/// The listeners of a process, and their thread.
pub(super) struct Server {
    shared: Arc<AcceptorShared>,
    thread: JoinHandle<()>,
    files: Vec<SocketFile>,
}

impl Server {
    /// Starts the thread.
    pub(super) fn start(control: &'static Control) -> Result<Self> {
        let refused = |errno| Error::os(START, errno).what("the kernel gives no descriptor to wait with");
        let bell = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(refused)?;
        let (rounds, changed, watch) = (Mutex::default(), Condvar::new(), Watch::new()?);
        let shared = Arc::new(AcceptorShared { rounds, changed, bell, watch, health: Health::new() });
        let (of_thread, failing) = (Arc::clone(&shared), Arc::clone(&shared));
        let failed = move |panicked: &Panicked| failing.fail(panicked);
        let started = service::spawn("mf-hmc-ctrl", move || run(&of_thread, control), failed);
        let thread = started.map_err(|error| {
            Error::new(Kind::NoResources, START).what("the thread cannot be started").source(error)
        })?;
        Ok(Self { shared, thread, files: Vec::new() })
    }

    /// Fails if the thread has panicked.
    ///
    /// # Errors
    /// `Failed`.
    pub(super) fn check(&self, op: &'static str) -> Result<()> {
        self.shared.health.check(op)
    }

    /// Adds a listener; its file is removed with the server.
    pub(super) fn add(&mut self, listener: Listener, file: Option<SocketFile>) {
        lock(&self.shared.rounds).new.push(listener);
        self.files.extend(file);
        self.shared.ring();
    }

    /// Returns the handle for [`Waiter::wait_for_pending`], usable without the server.
    pub(super) fn waiter(&self) -> Waiter {
        Waiter(Arc::clone(&self.shared))
    }

    /// Removes the files; the listeners stay.
    pub(super) fn unlink(&mut self) {
        self.files.clear();
    }

    /// Watches for the end of a link.
    ///
    /// # Errors
    /// Errors of the kernel.
    pub(super) fn watch(&self, link: &Arc<Link>) -> Result<()> {
        self.shared.watch.add(link)
    }

    /// Makes the thread close its listeners, and removes their files; [`Waiter::closed`] waits for the
    /// thread.
    pub(super) fn closing(&mut self) -> Waiter {
        lock(&self.shared.rounds).is_deaf = true;
        self.files.clear();
        self.waiter()
    }

    /// Ends the thread and the listeners. Links stay.
    pub(super) fn stop(self) {
        lock(&self.shared.rounds).is_stopping = true;
        self.shared.ring();
        // It ends at the next turn of its loop; a panic of it was reported.
        let _ = self.thread.join();
    }
}

/// Waits for the thread of a server.
pub(super) struct Waiter(Arc<AcceptorShared>);

impl Waiter {
    /// Waits until all peers that connected before this call are known.
    pub(super) fn wait_for_pending(&self) {
        self.wait(Instant::now() + ROUND_TIMEOUT);
    }

    /// Waits until the thread has closed its listeners, as requested by [`Server::closing`].
    pub(super) fn closed(&self) {
        while !self.wait(Instant::now() + ROUND_TIMEOUT) {}
    }

    /// Waits for a round. Returns false if none came in time.
    fn wait(&self, end: Instant) -> bool {
        let mut rounds = lock(&self.0.rounds);
        rounds.asked += 1;
        let asked = rounds.asked;
        self.0.ring();
        while rounds.done < asked && !rounds.has_stopped {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            rounds = wait_notified_for(&self.0.changed, rounds, left);
        }
        true
    }
}

/// A connection that has not sent its hello.
struct Newcomer {
    socket: OwnedFd,
    accepting: ServerHandshake,
    /// The peer, if it is identified by its address.
    address: Option<Peer>,
    came: Instant,
    /// Deadline for its hello.
    until: Instant,
}

fn run(shared: &AcceptorShared, control: &'static Control) {
    let (mut listeners, mut newcomers): (Vec<Listener>, Vec<Newcomer>) = (Vec::new(), Vec::new());
    let (mut ended, mut closed, mut paused_until) = (Vec::new(), Closed::default(), None);
    loop {
        service::turn();
        // A link in use by a caller is examined again soon.
        let again = (!ended.is_empty()).then(|| Instant::now() + BUSY_PAUSE);
        let until = paused_until.into_iter().chain(again).min();
        sleep(shared, if paused_until.is_some() { &[] } else { &listeners[..] }, &newcomers, until);
        let asked = {
            let mut rounds = lock(&shared.rounds);
            if rounds.is_stopping {
                break;
            }
            if std::mem::take(&mut rounds.is_deaf) {
                close(&listeners);
                listeners.clear();
                newcomers.clear();
            }
            listeners.append(&mut rounds.new);
            rounds.asked
        };
        let mut count = [0; 8];
        let _ = rustix::io::read(&shared.bell, &mut count);
        paused_until = None;
        // Before the round: see the head of this file.
        ended.append(&mut shared.watch.ended());
        for listener in &listeners {
            if !accept_all(listener, &mut newcomers, control) {
                paused_until = Some(Instant::now() + PAUSE);
            }
        }
        let excess = newcomers.len().saturating_sub(NEWCOMERS_MAX);
        newcomers.drain(..excess);
        let now = Instant::now();
        newcomers.retain_mut(|newcomer| advance(newcomer, control) && now < newcomer.until);
        ended.retain(|link| absorb(link, &mut closed, control));
        let mut rounds = lock(&shared.rounds);
        rounds.done = asked;
        drop(rounds);
        shared.changed.notify_all();
    }
    close(&listeners);
    shared.stopped();
}

fn close(listeners: &[Listener]) {
    for listener in listeners {
        // A forked child may have it open as well: no peer can connect to it any more.
        let _ = shutdown(&listener.socket, Shutdown::Both);
    }
}

/// Closes a link after its peer has closed it. Returns true if a caller uses it: then it must be examined
/// again.
fn absorb(link: &Weak<Link>, closed: &mut Closed, control: &'static Control) -> bool {
    let Some(link) = link.upgrade() else { return false };
    match link.absorb() {
        Absorbed::Busy => true,
        Absorbed::Closed(bytes) => {
            closed.add(&link, bytes).iter().for_each(|dropped| control.forget(dropped));
            false
        }
        Absorbed::Open => false,
    }
}

/// Sleeps until there is something to do.
fn sleep(shared: &AcceptorShared, listeners: &[Listener], newcomers: &[Newcomer], until: Option<Instant>) {
    let end = newcomers.iter().map(|newcomer| newcomer.until).chain(until).min();
    let pause = end.and_then(|end| {
        // One more, because a sleep may end a little early.
        let left = end.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
        Timespec::try_from(left).ok()
    });
    let sockets = listeners.iter().map(|listener| &listener.socket);
    let sockets = sockets.chain(newcomers.iter().map(|newcomer| &newcomer.socket));
    let sockets = sockets.chain(std::iter::once(shared.watch.bell()));
    let mut fds: Vec<PollFd<'_>> =
        std::iter::once(&shared.bell).chain(sockets).map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
    // Events are found by trying: an error of the poll costs one round.
    let _ = poll(&mut fds, pause.as_ref());
}

/// Accepts all pending connections. Returns false if descriptors run out.
fn accept_all(listener: &Listener, newcomers: &mut Vec<Newcomer>, control: &'static Control) -> bool {
    for _ in 0..ACCEPTED_MAX {
        match descriptor::accept(&listener.socket, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
            Ok(socket) => match admit(listener, socket, control) {
                Ok(newcomer) => newcomers.extend(newcomer),
                Err(error) => warn_limited!("a link was refused: {error}"),
            },
            Err(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM) => return false,
            Err(Errno::INTR | Errno::CONNABORTED) => {}
            Err(_) => return true,
        }
    }
    true
}

/// Decides about a connection by its origin. Returns `None` if it is finished already.
fn admit(listener: &Listener, socket: OwnedFd, control: &'static Control) -> Result<Option<Newcomer>> {
    let ends = if listener.is_unix { Ends::Local } else { Ends::of_socket(START, &socket)? };
    if !listener.rules.admits(START, &socket, ends)? {
        return Ok(None);
    }
    let mut address = None;
    if let Ends::Tcp { theirs, .. } = ends {
        dial::tune(&socket);
        address = (!listener.has_ranks).then_some(Peer::from_address(theirs.ip()));
    }
    let must_prove = listener.rules.encrypts(ends);
    if let (Some(peer), false) = (address, must_prove) {
        control.take_over(Link::new(socket, peer, Inbox::default(), None)?, &mut || true);
        return Ok(None);
    }
    let accepting = ServerHandshake::new(&listener.rules, must_prove);
    let came = Instant::now();
    Ok(Some(Newcomer { socket, accepting, address, came, until: came + listener.rules.hello_limit() }))
}

/// Reads from a newcomer. Returns false when it is finished, or refused.
fn advance(newcomer: &mut Newcomer, control: &'static Control) -> bool {
    let mut bytes = [0; 4096];
    loop {
        let got = match rustix::net::recv(&newcomer.socket, &mut bytes[..], RecvFlags::DONTWAIT) {
            Ok((0, _)) => return false,
            Ok((got, _)) => got,
            Err(Errno::INTR) => continue,
            Err(Errno::AGAIN) => return true,
            Err(_) => return false,
        };
        let mut output = Vec::new();
        let outcome = newcomer.accepting.receive(bytes.get(..got).unwrap_or_default(), &mut output);
        let begun = match outcome {
            Ok(Some(begun)) => begun,
            Ok(None) if send(&newcomer.socket, &output) => continue,
            Ok(None) => return false,
            Err(error) => {
                send(&newcomer.socket, &output);
                warn_limited!("a link was refused: {error}");
                return false;
            }
        };
        let peer = newcomer.address.unwrap_or(Peer::Rank(begun.rank));
        if let Err(error) = hand_over(newcomer, peer, begun, &output, control) {
            warn_limited!("a link was lost: {error}");
        }
        return false;
    }
}

/// Publishes a link to its users: the last frames of the handshake are sent before any of theirs.
fn hand_over(
    newcomer: &Newcomer,
    peer: Peer,
    begun: Established,
    output: &[u8],
    control: &'static Control,
) -> Result<()> {
    let refused = |error: std::io::Error| Error::new(Kind::NoResources, START).source(error);
    // The newcomer's own descriptor is closed when it is dropped.
    let socket = newcomer.socket.try_clone().map_err(refused)?;
    let origin = Origin::accepted(newcomer.came, begun.process);
    let link = Link::new(socket, peer, begun.inbox, begun.channel)?.with_origin(origin);
    control.take_over(link, &mut || send(&newcomer.socket, output));
    Ok(())
}

/// Sends a few bytes, for which a new socket has room.
fn send(socket: &OwnedFd, bytes: &[u8]) -> bool {
    use std::io::Write;
    bytes.is_empty() || mf_base::os::stream::Stream(socket).write_all(bytes).is_ok()
}
