// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shared state of a running server, used by all its threads.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::{Duration, Instant};

use mf_base::sync::{lock, read, wait_notified_for, write};
use mf_base::{Error, Result};
use mf_tls::Peers;

use crate::client_limits::Places;
use crate::code;
use crate::disconnects::Disconnects;
use crate::handlers::Handlers;
use crate::link::Link;
use crate::options::{Bounds, Times};
use crate::poll::Poll;
use crate::timers::Timers;

/// Notifications about links, for layers that wrap them.
pub trait Hooks: Send + Sync {
    /// Called when a link begins, before any callback gets it; false refuses it.
    fn begun(&self, link: &Arc<Link>) -> bool {
        let _ = link;
        true
    }

    /// Called when a link has ended, and no callback will get it any more.
    fn ended(&self, link: &Arc<Link>) {
        let _ = link;
    }
}

/// Hooks that do nothing.
pub struct NoHooks;

impl Hooks for NoHooks {}

/// Protocol of its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speech {
    Messages { magic: i16, version: i16 },
    Http { body_bytes_max: u64 },
}

/// Work other than an event of a socket.
pub(crate) enum Task {
    /// Outcomes of messages must be delivered to their senders.
    Sent(Arc<Link>),
    /// Messages wait, and there is no writer.
    Write(Arc<Link>),
    /// A link must be visited.
    Visit(Arc<Link>),
}

pub(crate) struct ServerState {
    pub(crate) speech: Speech,
    pub(crate) queue: usize,
    pub(crate) times: Times,
    pub(crate) places: Arc<Places>,
    pub(crate) handlers: Arc<Handlers>,
    pub(crate) hooks: Arc<dyn Hooks>,
    pub(crate) tls: Option<Peers>,
    pub(crate) poll: Poll,
    pub(crate) listener: Option<TcpListener>,
    pub(crate) timers: Timers,
    pub(crate) disconnects: Disconnects,
    pub(crate) begun: Instant,
    links: RwLock<HashMap<u32, Arc<Link>>>,
    tasks: Mutex<VecDeque<Task>>,
    last_id: AtomicU32,
    is_stopping: AtomicBool,
    /// Sockets of threads that wait for an answer while connecting.
    connecting: Mutex<Vec<Arc<TcpStream>>>,
    stopped: (Mutex<()>, Condvar),
}

impl ServerState {
    pub(crate) fn new(
        speech: Speech,
        queue: usize,
        (times, bounds): (Times, Bounds),
        (handlers, hooks): (Arc<Handlers>, Arc<dyn Hooks>),
        tls: Option<Peers>,
        listener: Option<TcpListener>,
    ) -> Result<Arc<Self>> {
        let poll = Poll::new()?;
        if let Some(listener) = &listener {
            poll.add_listener(listener)?;
        }
        Ok(Arc::new(Self {
            speech,
            queue,
            times,
            places: Places::new(bounds),
            handlers,
            hooks,
            tls,
            poll,
            listener,
            timers: Timers::default(),
            disconnects: Disconnects::default(),
            begun: Instant::now(),
            links: RwLock::default(),
            tasks: Mutex::default(),
            last_id: AtomicU32::new(0),
            is_stopping: AtomicBool::new(false),
            connecting: Mutex::default(),
            stopped: Default::default(),
        }))
    }

    pub(crate) fn is_stopping(&self) -> bool {
        // Acquire pairs with the release in `stop`.
        self.is_stopping.load(Ordering::Acquire)
    }

    /// Returns milliseconds since the start.
    pub(crate) fn now_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns a number that no living link has; never 0 or the last, which are reserved.
    pub(crate) fn next_id(&self) -> u32 {
        loop {
            let id = self.last_id.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
            if id != 0 && id != u32::MAX && !read(&self.links).contains_key(&id) {
                return id;
            }
        }
    }

    /// Registers a link with the workers.
    pub(crate) fn add(&self, link: &Arc<Link>) -> Result<()> {
        write(&self.links).insert(link.id(), Arc::clone(link));
        self.poll.add(link.socket(), link.id()).inspect_err(|_| {
            write(&self.links).remove(&link.id());
        })
    }

    pub(crate) fn forget(&self, link: &Link) {
        self.poll.remove(link.socket());
        write(&self.links).remove(&link.id());
    }

    pub(crate) fn find(&self, id: u32) -> Option<Arc<Link>> {
        read(&self.links).get(&id).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Link>> {
        read(&self.links).values().cloned().collect()
    }

    pub(crate) fn post(&self, task: Task) {
        lock(&self.tasks).push_back(task);
        self.poll.ring();
    }

    pub(crate) fn task(&self) -> Option<Task> {
        lock(&self.tasks).pop_front()
    }

    /// Marks the end: attempts to connect are cancelled, and no callback begins any more.
    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Release);
        for socket in lock(&self.connecting).iter() {
            let _ = socket.shutdown(std::net::Shutdown::Both);
        }
        let _pausing = lock(&self.stopped.0);
        self.stopped.1.notify_all();
    }

    /// Sleeps, unless the server is stopped.
    pub(crate) fn pause(&self, duration: Duration) {
        let end = Instant::now() + duration;
        let mut held = lock(&self.stopped.0);
        while !self.is_stopping() {
            let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                return;
            };
            held = wait_notified_for(&self.stopped.1, held, left);
        }
    }

    /// Registers a socket on which a thread waits, so that a stop can shut it down.
    pub(crate) fn begin_connecting(self: &Arc<Self>, socket: &Arc<TcpStream>) -> Result<Connecting> {
        let mut connecting = lock(&self.connecting);
        if self.is_stopping() {
            return Err(not_started("acc connect"));
        }
        connecting.push(Arc::clone(socket));
        Ok(Connecting(Arc::clone(self), Arc::clone(socket)))
    }
}

/// Guard: removes the registration of a socket.
pub(crate) struct Connecting(Arc<ServerState>, Arc<TcpStream>);

impl Drop for Connecting {
    fn drop(&mut self) {
        lock(&self.0.connecting).retain(|socket| !Arc::ptr_eq(socket, &self.1));
    }
}

#[cold]
pub(crate) fn not_started(operation: &'static str) -> Error {
    Error::new(mf_base::Kind::NotStarted, operation)
        .what("the server is not started")
        .code_of_family(code::NOT_STARTED)
}

thread_local! {
    /// Servers whose callbacks are running on this thread, by the addresses of their handlers.
    static INSIDE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Guard: a callback of a server is running on this thread.
pub(crate) struct Inside;

impl Inside {
    pub(crate) fn enter(handlers: &Arc<Handlers>) -> Self {
        INSIDE.with_borrow_mut(|inside| inside.push(Arc::as_ptr(handlers).addr()));
        Self
    }

    pub(crate) fn is_of(handlers: &Arc<Handlers>) -> bool {
        INSIDE.with_borrow(|inside| inside.contains(&Arc::as_ptr(handlers).addr()))
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.with_borrow_mut(|inside| inside.pop());
    }
}
