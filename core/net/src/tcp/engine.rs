// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Engine: state shared by all members in one process. The progress thread and its epoll, the listening
//! sockets, the admission of peers, and the threads of copies between others. A member ([`Shared`]) adds its
//! identity, its peers and its connections, so one more member costs neither a thread nor, unless it has a
//! listening address of its own, a socket.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::os::descriptor;
use mf_base::os::process::Owner;
use mf_base::os::service::{self, Health, Panicked};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_tls::channel::Channels;
use rustix::event::EventfdFlags;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::connection::Connection;
use super::progress::Progress;
use super::remote::Copiers;
use super::secure::{self, Handshake, Identity};
use super::shared::Shared;
use super::validity::Validities;
use super::{Options, Tcp, listen};
use crate::Peer;

const OP: &str = "tcp start";

/// Ids below belong to the listeners and the eventfd.
pub(super) const FIRST_ID: u64 = 1 << 16;

/// Command to the progress thread.
pub(super) enum Command {
    /// A connection that a member opened has ended; whether it was ready.
    Ended(u64, bool),
    /// The peer of this member has ended, and the connections that it opened.
    Forget(Peer, Peer),
    /// A copy that came in on this accepted connection has ended.
    Copied(u64, u64, Result<()>),
    /// A loan to the peer of this member, of this number (`loans.rs`).
    Lend(Peer, Peer, u64),
    /// A loan for the connection of this id, which waits for one.
    Borrow(u64),
    /// A member leaves: all work for it has ended once this is answered.
    Leave(Arc<Shared>, SyncSender<()>),
}

struct Listener {
    socket: Arc<OwnedFd>,
    bound: SocketAddr,
    /// Members that listen here.
    users: usize,
}

/// The parts that the progress thread, the members and their callers use.
pub(super) struct Core {
    pub(super) epoll: OwnedFd,
    wake: OwnedFd,
    channels: Arc<Channels>,
    listeners: Mutex<BTreeMap<u64, Listener>>,
    members: RwLock<HashMap<Peer, Arc<Shared>>>,
    commands: Mutex<Vec<Command>>,
    /// The progress thread checks the connections once a tick.
    attentive: AtomicBool,
    pub(super) closing: AtomicBool,
    pub(super) copiers: Copiers,
    /// Which connections of other processes are served.
    pub(super) validities: Validities,
    /// State of the progress thread.
    pub(super) health: Health,
}

impl Core {
    /// Issues an id greater than all earlier ones, also of earlier engines.
    pub(super) fn new_id(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(FIRST_ID);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    /// The members in this process.
    pub(super) fn members(&self) -> Vec<Arc<Shared>> {
        self.members.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The member of this name, unless it is leaving.
    pub(super) fn member(&self, me: Peer) -> Option<Arc<Shared>> {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner);
        members.get(&me).filter(|member| !member.closing.load(Ordering::Acquire)).cloned()
    }

    /// The connection of this id that a member opened.
    pub(super) fn connection(&self, id: u64) -> Option<(Arc<Shared>, Arc<Connection>)> {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner);
        members.values().find_map(|member| {
            let connection = lock(&member.connections).get(&id).cloned()?;
            Some((Arc::clone(member), connection))
        })
    }

    /// Returns the member that a connection at this listener is for: a member that listens there; if the
    /// wanted one has ended, another of its job, preferably of its rank.
    fn find(&self, wanted: Peer, listener: u64) -> Option<Arc<Identity>> {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner);
        let here = |member: &&Arc<Shared>| {
            member.listeners.contains(&listener) && !member.closing.load(Ordering::Acquire)
        };
        let exact = members.get(&wanted).filter(here);
        let any = || {
            let of_job = members.values().filter(|member| member.me.job == wanted.job).filter(here);
            of_job.max_by_key(|member| member.me.rank == wanted.rank)
        };
        exact.or_else(any).map(|member| Arc::clone(&member.identity))
    }

    /// Waits for the handshake of a peer that connected to this listener.
    ///
    /// # Errors
    /// `Failed` when the kernel gives no random numbers.
    pub(super) fn handshake(self: &Arc<Self>, from: SocketAddr, listener: u64) -> Result<Handshake> {
        let core = Arc::clone(self);
        secure::accept(move |wanted| core.find(wanted, listener), &self.channels, from)
    }

    pub(super) fn listener(&self, id: u64) -> Option<Arc<OwnedFd>> {
        lock(&self.listeners).get(&id).map(|listener| Arc::clone(&listener.socket))
    }

    /// Sets the events of all listeners, which enable or pause accepting.
    pub(super) fn listen_for(&self, flags: EventFlags) {
        for (id, listener) in &*lock(&self.listeners) {
            let _ = epoll::modify(&self.epoll, &listener.socket, EventData::new_u64(*id), flags);
        }
    }

    /// Listens at an address, or uses an existing listener; any port will do for port 0.
    fn listen(&self, address: SocketAddr) -> Result<(u64, SocketAddr)> {
        let mut listeners = lock(&self.listeners);
        let serves = |bound: &SocketAddr| match address.port() {
            0 => {
                SocketAddr::new(bound.ip(), 0) == SocketAddr::new(address.ip(), 0)
                    && same_scope(*bound, address)
            }
            _ => *bound == address,
        };
        if let Some((id, listener)) = listeners.iter_mut().find(|(_, listener)| serves(&listener.bound)) {
            listener.users += 1;
            return Ok((*id, listener.bound));
        }
        let id = (1..FIRST_ID).find(|id| !listeners.contains_key(id)).unwrap_or(FIRST_ID - 1);
        let (socket, bound) = listen::open(address)?;
        epoll::add(&self.epoll, &socket, EventData::new_u64(id), EventFlags::IN)
            .map_err(|errno| Error::os(OP, errno))?;
        listeners.insert(id, Listener { socket: Arc::new(socket), bound, users: 1 });
        Ok((id, bound))
    }

    /// One member less listens there.
    fn unlisten(&self, id: u64) {
        let mut listeners = lock(&self.listeners);
        let Some(listener) = listeners.get_mut(&id) else { return };
        listener.users -= 1;
        if listener.users == 0
            && let Some(listener) = listeners.remove(&id)
        {
            let _ = epoll::delete(&self.epoll, &listener.socket);
        }
    }

    /// Removes the member; called by the progress thread when no state of it is left.
    pub(super) fn remove(&self, member: &Shared) {
        self.members.write().unwrap_or_else(PoisonError::into_inner).remove(&member.me);
        member.listeners.iter().for_each(|id| self.unlisten(*id));
    }

    /// Handles a panic of the progress thread: operations in flight fail, and later ones are refused.
    fn fail(&self, panicked: &Panicked) {
        self.health.fail(panicked);
        // Peers that connect are refused, and do not wait for a hello.
        lock(&self.listeners).clear();
        for member in self.members() {
            for connection in member.all_connections() {
                connection.fail(&member, &panicked.to_string());
                *lock(&connection.connecting) = None;
            }
            lock(&member.connections).clear();
        }
        // Members that wait until they have left are not served any more.
        drop(self.commands());
    }

    /// Wakes the progress thread.
    fn wake(&self) {
        let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }

    /// The progress thread was woken: clears the notification.
    pub(super) fn woken(&self) {
        let _ = rustix::io::read(&self.wake, &mut [0; 8]);
    }

    pub(super) fn command(&self, command: Command) {
        lock(&self.commands).push(command);
        self.wake();
    }

    pub(super) fn commands(&self) -> Vec<Command> {
        std::mem::take(&mut *lock(&self.commands))
    }

    /// Makes sure that the progress thread checks the connections once a tick; operations are in flight.
    pub(super) fn attend(&self) {
        // In one order with `unattend`: either it sees the posted operation, or we see that it went to sleep.
        fence(Ordering::SeqCst);
        if !self.attentive.load(Ordering::Relaxed) && !self.attentive.swap(true, Ordering::SeqCst) {
            self.wake();
        }
    }

    pub(super) fn is_attentive(&self) -> bool {
        self.attentive.load(Ordering::SeqCst)
    }

    /// Lets the progress thread sleep unless operations are in flight.
    pub(super) fn unattend(&self) {
        self.attentive.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let is_busy = |connection: &Arc<Connection>| connection.is_busy() || connection.is_connecting();
        if self.members().iter().any(|member| member.all_connections().iter().any(is_busy)) {
            self.attentive.store(true, Ordering::SeqCst);
        }
    }
}

fn same_scope(one: SocketAddr, other: SocketAddr) -> bool {
    match (one, other) {
        (SocketAddr::V6(one), SocketAddr::V6(other)) => one.scope_id() == other.scope_id(),
        _ => true,
    }
}

/// The progress thread of a process and what belongs to it. Ends with the last member that holds it.
pub struct Engine {
    core: Arc<Core>,
    thread: Mutex<Option<JoinHandle<()>>>,
    owner: Owner,
}

impl Engine {
    /// Starts the progress thread; no peer is let in before a member [joins](Self::join).
    ///
    /// # Errors
    /// `NoResources` no descriptors or threads left.
    pub fn start() -> Result<Arc<Self>> {
        let failed = |errno| Error::os(OP, errno);
        let epoll = descriptor::epoll().map_err(failed)?;
        let wake = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(failed)?;
        epoll::add(&epoll, &wake, EventData::new_u64(0), EventFlags::IN).map_err(failed)?;
        let core = Arc::new(Core {
            epoll,
            wake,
            channels: Arc::new(secure::channels()?),
            listeners: Mutex::default(),
            members: RwLock::default(),
            commands: Mutex::default(),
            attentive: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            copiers: Copiers::default(),
            validities: Validities::default(),
            health: Health::new(),
        });
        let progress = Progress::new(Arc::clone(&core));
        let failing = Arc::clone(&core);
        let failed = move |panicked: &Panicked| failing.fail(panicked);
        let thread = service::spawn("mf-tcp", move || progress.run(), failed).map_err(|error| {
            Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
        })?;
        Ok(Arc::new(Self { core, thread: Mutex::new(Some(thread)), owner: Owner::current() }))
    }

    /// Adds a member of a job, and listens for it unless another member's listener serves.
    ///
    /// # Errors
    /// `InvalidParam` no address to listen on, or this process is that member already · `InUse` a port is
    /// taken · `NoResources` no descriptors left · `Failed` the progress thread has panicked.
    pub fn join(self: &Arc<Self>, options: Options) -> Result<Arc<Tcp>> {
        if options.listen.is_empty() {
            return Err(Error::invalid(OP, "there is no address to listen on")
                .hint("name an interface, a subnet or an address in MF_NIC"));
        }
        self.core.health.check(OP)?;
        let identity = Identity::new(options.me, options.token, options.tls, Arc::clone(&self.core.channels));
        let (mut listeners, mut listening) = (Vec::new(), Vec::new());
        let opened = options.listen.iter().try_for_each(|address| {
            let (id, bound) = self.core.listen(*address)?;
            listeners.push(id);
            listening.push(bound);
            Ok(())
        });
        let member = Arc::new(Shared::new(Arc::clone(&self.core), options, identity, listening, listeners));
        let joined = opened.and_then(|()| self.core.add(&member));
        if let Err(error) = joined {
            member.listeners.iter().for_each(|id| self.core.unlisten(*id));
            return Err(error);
        }
        Ok(Tcp::new(member, Arc::clone(self)))
    }

    /// Returns true if this process started it; a forked child's copy is not its own.
    pub(crate) fn is_own(&self) -> bool {
        self.owner.is_current()
    }

    /// Ends all work for this member before it returns, unless the progress thread itself calls.
    pub(super) fn leave(&self, member: &Arc<Shared>) {
        let (left, has_left) = sync_channel(1);
        self.core.command(Command::Leave(Arc::clone(member), left));
        let is_running = || {
            let thread = lock(&self.thread);
            let is_another = |thread: &JoinHandle<()>| thread.thread().id() != std::thread::current().id();
            thread.as_ref().is_some_and(|thread| is_another(thread) && !thread.is_finished())
        };
        while is_running() && has_left.recv_timeout(CHECK) == Err(RecvTimeoutError::Timeout) {}
        if self.core.health.failure().is_some() {
            self.core.remove(member);
        }
    }

    /// Threads that belong to it now.
    pub(super) fn threads(&self) -> usize {
        1 + self.core.copiers.threads()
    }
}

/// Interval at which a waiter for an answer checks that the progress thread still runs.
const CHECK: Duration = Duration::from_millis(100);

impl Core {
    fn add(&self, member: &Arc<Shared>) -> Result<()> {
        let mut members = self.members.write().unwrap_or_else(PoisonError::into_inner);
        if members.contains_key(&member.me) {
            return Err(Error::invalid(OP, "this process is that member already").with("member", member.me));
        }
        members.insert(member.me, Arc::clone(member));
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let thread = lock(&self.thread).take();
        if !self.is_own() {
            // The thread is the parent's.
            std::mem::forget(thread);
            return;
        }
        self.core.closing.store(true, Ordering::Release);
        self.core.wake();
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            // A panic of it was reported when it happened.
            let _ = thread.join();
        }
    }
}
