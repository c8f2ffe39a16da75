// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The service of a process: the socket, the connections, the requests in flight, and its users.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::os::descriptor;
use mf_base::os::process::Owner;
use mf_base::os::service::{self, Health, Panicked};
use mf_base::os::{peer_credentials, random, socket};
use mf_base::settings::settings;
use mf_base::sync::single::Single;
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};
use rustix::event::epoll;

use super::outcome::{ConnectionId, Message, Outcome, RequestId};
use super::packet::{Name, Packet, encode};

pub(super) const OP: &str = "local link";
/// Numbers of events; the rest are connections.
pub(super) const LISTENER: u64 = 0;
pub(super) const WAKE: u64 = 1;
const FIRST_CONNECTION: u64 = 2;

/// A good reply.
#[derive(Default)]
pub struct Answer<'a> {
    /// The message to send.
    pub message: Message,
    /// Held until it is sent: its statements on the handler's state are true until then.
    pub order: Option<MutexGuard<'a, ()>>,
}

/// A user's handlers for arriving messages. Called on the thread of the service, which holds no lock; they
/// must not wait for another process.
pub trait Handler: Send + Sync {
    /// A request over this connection.
    ///
    /// # Errors
    /// The requester is refused with this error.
    fn request(&self, from: ConnectionId, request: Message) -> Result<Answer<'_>>;

    /// Handles the reply to an own request, before the waiting thread is woken; that thread gets the result
    /// as [`Outcome::Done`].
    ///
    /// # Errors
    /// The waiting thread is refused with this error.
    fn reply(&self, _from: ConnectionId, reply: Message) -> Result<Message> {
        Ok(reply)
    }

    /// The connection has ended.
    fn closed(&self, connection: ConnectionId);
}

/// An endpoint in the service's table.
pub(super) struct Registered {
    pub(super) name: Name,
    pub(super) token: [u8; 32],
    pub(super) handler: Weak<dyn Handler>,
}

#[derive(Clone)]
pub(super) struct Connection {
    /// Shared, so that the thread reads and replies without holding the table.
    pub(super) socket: Arc<OwnedFd>,
    /// Its endpoint on this side, once the token was shown.
    pub(super) endpoint: Option<Arc<Registered>>,
}

#[derive(Default)]
pub(super) struct Table {
    pub(super) endpoints: HashMap<Name, Arc<Registered>>,
    pub(super) connections: HashMap<ConnectionId, Connection>,
    /// Requests in flight: their connection, and the outcome once it is known.
    pub(super) requests: HashMap<RequestId, (ConnectionId, Option<Outcome>)>,
    /// The endpoint with a running handler.
    pub(super) running: Option<Arc<Registered>>,
    /// Of each thread that sleeps for replies, the request without which it goes on sleeping.
    pub(super) awaited: Vec<RequestId>,
    /// Threads that sleep until a connection or a handler has ended.
    pub(super) sleepers: usize,
    next_connection: ConnectionId,
    pub(super) next_request: RequestId,
}

pub(super) struct Shared {
    pub(super) epoll: OwnedFd,
    wake: OwnedFd,
    pub(super) listener: OwnedFd,
    table: Mutex<Table>,
    /// Signalled when a sleeping thread's last missing event has come; signalling each outcome would wake
    /// threads that wait for many again and again.
    pub(super) changed: Condvar,
    pub(super) stopping: AtomicBool,
    /// State of the thread.
    pub(super) health: Health,
}

/// The service of this process.
pub(super) struct Service {
    pub(super) shared: Arc<Shared>,
    /// Under which it listens.
    pub(super) socket: String,
    pub(super) owner: Owner,
    thread: Mutex<Option<JoinHandle<()>>>,
}

static CURRENT: Single<Service> = Single::new();

impl Service {
    /// Returns the service of this process, starting it if it does not run.
    ///
    /// # Errors
    /// `NoResources` out of descriptors or threads.
    pub(super) fn current() -> Result<Arc<Self>> {
        CURRENT.get(|| Self::start().map(Arc::new))
    }

    /// Listens under a fresh name and starts the thread.
    fn start() -> Result<Self> {
        let os = |errno| Error::os(OP, errno);
        let socket = format!("memfabric-{:032x}", u128::from_le_bytes(random(OP)?));
        let listener = socket::listen(&socket)?;
        let epoll = descriptor::epoll().map_err(os)?;
        let wake = descriptor::eventfd(rustix::event::EventfdFlags::CLOEXEC).map_err(os)?;
        for (fd, data) in [(&listener, LISTENER), (&wake, WAKE)] {
            epoll::add(&epoll, fd, epoll::EventData::new_u64(data), epoll::EventFlags::IN).map_err(os)?;
        }
        let table = Mutex::new(Table { next_connection: FIRST_CONNECTION, ..Table::default() });
        let (changed, stopping, health) = Default::default();
        let shared = Arc::new(Shared { epoll, wake, listener, table, changed, stopping, health });
        let (serving, failing) = (Arc::clone(&shared), Arc::clone(&shared));
        let failed = move |panicked: &Panicked| failing.fail(panicked);
        let thread = service::spawn("mf-links", move || serving.serve(), failed).map_err(|e| {
            Error::new(Kind::NoResources, OP).what("the service thread could not start").source(e)
        })?;
        Ok(Self { shared, socket, owner: Owner::current(), thread: Mutex::new(Some(thread)) })
    }

    /// Returns true if the caller is the thread of the service.
    pub(super) fn is_own_thread(&self) -> bool {
        let own = std::thread::current().id();
        lock(&self.thread).as_ref().is_some_and(|thread| thread.thread().id() == own)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if !self.owner.is_current() {
            return;
        }
        self.shared.stopping.store(true, Ordering::Release);
        // The counter cannot overflow from one addition.
        let _ = rustix::io::write(&self.shared.wake, &1u64.to_ne_bytes());
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            // A panic of the service thread was reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// Waits until a connection or a handler has ended, at most so long.
    pub(super) fn wait_end<'a>(
        &self,
        mut table: MutexGuard<'a, Table>,
        time: Duration,
    ) -> MutexGuard<'a, Table> {
        table.sleepers += 1;
        let mut table = wait_notified_for(&self.changed, table, time);
        table.sleepers -= 1;
        table
    }

    /// Waits until a request has its outcome or its connection has ended, at most so long.
    pub(super) fn wait_outcome<'a>(
        &self,
        mut table: MutexGuard<'a, Table>,
        request: RequestId,
        time: Duration,
    ) -> MutexGuard<'a, Table> {
        table.awaited.push(request);
        let mut table = wait_notified_for(&self.changed, table, time);
        if let Some(index) = table.awaited.iter().position(|awaited| *awaited == request) {
            table.awaited.swap_remove(index);
        }
        table
    }

    /// Takes a connection in.
    pub(super) fn add(
        &self,
        table: &mut Table,
        socket: OwnedFd,
        endpoint: Option<Arc<Registered>>,
    ) -> Result<ConnectionId> {
        let id = table.next_connection;
        table.next_connection += 1;
        let data = epoll::EventData::new_u64(id);
        epoll::add(&self.epoll, &socket, data, epoll::EventFlags::IN).map_err(|e| Error::os(OP, e))?;
        table.connections.insert(id, Connection { socket: Arc::new(socket), endpoint });
        Ok(id)
    }

    /// Ends a connection, also where a forked child holds a copy of it.
    pub(super) fn shut(&self, connection: &Connection) {
        // Both only fail for a connection that has ended.
        let _ = epoll::delete(&self.epoll, &connection.socket);
        let _ = rustix::net::shutdown(&connection.socket, rustix::net::Shutdown::Both);
    }
}

/// Sends a packet with its descriptors.
pub(super) fn send(socket: &OwnedFd, packet: &Packet<'_>, descriptors: &[OwnedFd]) -> Result<()> {
    let descriptors: Vec<BorrowedFd<'_>> = descriptors.iter().map(AsFd::as_fd).collect();
    socket::send(socket, &encode(packet)?, &descriptors)
}

/// Checks the user of the peer: only processes of our own user, and of users that the settings allow, share
/// memory with this one; root is treated like any other, at either end.
pub(super) fn check_user(socket: impl AsFd) -> Result<()> {
    let theirs = socket::credentials(socket)?;
    peer_credentials::check(OP, theirs.uid, &settings()?.allow_users)
        .map_err(|error| error.with("pid", theirs.pid))
}
