// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reactor: one thread for all sessions of the process, which reads their sockets while no caller waits on
//! them.
//!
//! It starts with the first session over a socket and ends with the last one. A caller takes its socket away
//! from here before it waits itself and gives it back afterwards, which costs two short system calls and no
//! wake-up. A forked child has no reactor; its first session starts one.

use std::collections::HashMap;
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use mf_base::os::descriptor;
use mf_base::os::per_process::PerProcess;
use mf_base::os::process::Owner;
use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use rustix::event::{EventfdFlags, epoll};

use super::shared::SessionCore;

const OPERATION: &str = "store connect";
/// The token of the descriptor that ends the thread; sockets have higher ones.
const END: u64 = 0;
/// Pause after a failed wait, so that a lasting fault does not also use up a core.
const PAUSE: Duration = Duration::from_millis(10);

static REACTOR: PerProcess<Option<Arc<Reactor>>> = PerProcess::new(None);
static TOKENS: AtomicU64 = AtomicU64::new(END + 1);

struct Reactor {
    epoll: OwnedFd,
    end: OwnedFd,
    ended: AtomicBool,
    sessions: Mutex<HashMap<u64, Weak<SessionCore>>>,
    owner: Owner,
}

/// A socket that the reactor may read.
pub(super) struct Registration {
    reactor: Arc<Reactor>,
    socket: Arc<TcpStream>,
    token: u64,
    armed: bool,
}

impl Registration {
    /// Registers a socket; nothing is read until it is armed.
    pub(super) fn new(socket: Arc<TcpStream>, core: Weak<SessionCore>) -> Result<Self> {
        let mut current = REACTOR.lock();
        let reactor = match &*current {
            Some(reactor) => Arc::clone(reactor),
            None => {
                let reactor = Reactor::start()?;
                *current = Some(Arc::clone(&reactor));
                reactor
            }
        };
        let token = TOKENS.fetch_add(1, Ordering::Relaxed);
        lock(&reactor.sessions).insert(token, core);
        drop(current);
        let registration = Self { reactor, socket, token, armed: false };
        epoll::add(
            &registration.reactor.epoll,
            &registration.socket,
            epoll::EventData::new_u64(token),
            epoll::EventFlags::ONESHOT,
        )
        .map_err(|errno| Error::os(OPERATION, errno))?;
        Ok(registration)
    }

    pub(super) fn token(&self) -> u64 {
        self.token
    }

    pub(super) fn arm(&mut self, unsent: bool) {
        let mut events = epoll::EventFlags::IN | epoll::EventFlags::ONESHOT;
        if unsent {
            events |= epoll::EventFlags::OUT;
        }
        self.set(events);
        self.armed = true;
    }

    pub(super) fn disarm(&mut self) {
        if std::mem::take(&mut self.armed) {
            self.set(epoll::EventFlags::ONESHOT);
        }
    }

    fn set(&self, events: epoll::EventFlags) {
        let data = epoll::EventData::new_u64(self.token);
        if let Err(error) = epoll::modify(&self.reactor.epoll, &self.socket, data, events) {
            tracing::error!(%error, "the store client cannot watch its socket");
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // In a forked child the descriptors are copies: changes to the epoll set would hit the parent.
        if !self.reactor.owner.is_current() {
            return;
        }
        // Explicitly, because a child may hold the socket open, and then closing ours would not end the
        // registration.
        let _ = epoll::delete(&self.reactor.epoll, &self.socket);
        let mut current = REACTOR.lock();
        let mut sessions = lock(&self.reactor.sessions);
        sessions.remove(&self.token);
        if sessions.is_empty() {
            if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, &self.reactor)) {
                *current = None;
            }
            self.reactor.ended.store(true, Ordering::Release);
            // Fails only when it is full of such orders.
            let _ = rustix::io::write(&self.reactor.end, &1u64.to_ne_bytes());
        }
    }
}

impl Reactor {
    fn start() -> Result<Arc<Self>> {
        let os = |errno| Error::os(OPERATION, errno);
        let epoll = descriptor::epoll().map_err(os)?;
        let end = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(os)?;
        epoll::add(&epoll, &end, epoll::EventData::new_u64(END), epoll::EventFlags::IN).map_err(os)?;
        let reactor = Arc::new(Self {
            epoll,
            end,
            ended: AtomicBool::new(false),
            sessions: Mutex::default(),
            owner: Owner::current(),
        });
        let running = Arc::clone(&reactor);
        thread::spawn("mf-store-client", move || running.run()).map_err(|error| {
            Error::new(Kind::NoResources, OPERATION)
                .what("the thread that reads for store clients could not be started")
                .source(error)
        })?;
        Ok(reactor)
    }

    fn run(&self) {
        let mut events = Vec::with_capacity(64);
        while !self.ended.load(Ordering::Acquire) {
            events.clear();
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => {
                    tracing::error!(%error, "the thread of the store clients cannot wait");
                    std::thread::sleep(PAUSE);
                }
            }
            for event in &events {
                let token = event.data.u64();
                // The session may end here, on this thread, if its owner drops it at this moment.
                let core = lock(&self.sessions).get(&token).and_then(Weak::upgrade);
                if let Some(core) = core
                    && catch_unwind(AssertUnwindSafe(|| core.on_ready(token))).is_err()
                {
                    // The others go on; this one begins anew with another connection.
                    tracing::error!("reading for a store client panicked, its connection ends");
                    core.cut_link();
                }
            }
        }
    }
}
