// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The in-memory twin of server and client: the same state machine and the same session, without sockets.
//!
//! For tests of the floors above. Members are threads of one process; each has its reader thread, as with the real
//! client, so that callbacks run under the same rules.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result};

use crate::api::{Cause, Member};
use crate::client::inbox::{Inbox, Incoming};
use crate::client::{Session, Wire, locked};
use crate::protocol::{Failure, Request, auth};
use crate::state::{Action, Arrival, Event, Machine, Micros, SessionId};

const OPERATION: &str = "memory store";
/// As the default of the setting that the real server uses.
const RANK_WINDOW: Duration = Duration::from_millis(100);
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// How much longer than the store's own deadline a join waits for its answer.
const JOIN_MARGIN: Duration = Duration::from_secs(5);

/// A store inside this process.
pub struct MemoryStore {
    owner: Arc<Owner>,
    world_size: u32,
    join_timeout: Duration,
}

/// A member of a [`MemoryStore`].
pub type MemoryClient = Session<MemoryWire>;

/// The wire of a [`MemoryClient`].
pub struct MemoryWire {
    owner: Arc<Owner>,
    session: SessionId,
}

enum Told {
    Welcome { rank: Rank, world_size: u32 },
    Refused(Failure),
    Message(Incoming),
}

struct State {
    machine: Machine,
    boxes: HashMap<SessionId, Sender<Told>>,
    sessions: SessionId,
    stopped: bool,
}

struct Shared {
    state: Mutex<State>,
    /// Wakes the ticker: a deadline may have changed.
    changed: Condvar,
    started: Instant,
    job_token: [u8; 32],
}

/// Ends the ticker with the last store or member.
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        locked(&self.0.state).stopped = true;
        self.0.changed.notify_all();
    }
}

impl MemoryStore {
    /// A store for a job of `world_size` ranks.
    ///
    /// # Errors
    /// `NoResources` no threads left.
    pub fn new(world_size: u32) -> Result<Self> {
        let window_us = u64::try_from(RANK_WINDOW.as_micros()).unwrap_or(u64::MAX);
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                machine: Machine::new(world_size, window_us),
                boxes: HashMap::new(),
                sessions: 0,
                stopped: false,
            }),
            changed: Condvar::new(),
            started: Instant::now(),
            job_token: auth::random(OPERATION)?,
        });
        let ticking = Arc::clone(&shared);
        spawn("mf-store-twin", move || tick(&ticking))?;
        Ok(Self { owner: Arc::new(Owner(shared)), world_size, join_timeout: DEFAULT_TIMEOUT })
    }

    /// Sets how long [`join`](Self::join) waits for a rank; 30 s if not called.
    #[must_use]
    pub fn join_timeout(mut self, timeout: Duration) -> Self {
        self.join_timeout = timeout;
        self
    }

    /// Becomes a member; `None` lets the store pick the rank. Blocks until a rank was given.
    ///
    /// # Errors
    /// As [`Client::connect`](crate::Client::connect), for ranks and world size.
    pub fn join(&self, rank: Option<Rank>) -> Result<MemoryClient> {
        let shared = &self.owner.0;
        let (sender, receiver) = channel();
        let session = {
            let mut state = locked(&shared.state);
            state.sessions += 1;
            let session = state.sessions;
            state.boxes.insert(session, sender);
            session
        };
        let wire = MemoryWire { owner: Arc::clone(&self.owner), session };
        let arrival = Arrival {
            world_size: self.world_size,
            rank: rank.map(|rank| rank.0),
            device: 0,
            hosts_store: false,
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            timeout_us: u64::try_from(self.join_timeout.as_micros()).unwrap_or(u64::MAX),
        };
        shared.apply(Event::Join { session, arrival });
        let (rank, world_size) = match receiver.recv_timeout(self.join_timeout.saturating_add(JOIN_MARGIN)) {
            Ok(Told::Welcome { rank, world_size }) => (rank, world_size),
            Ok(Told::Refused(failure)) => {
                wire.end(Cause::Left);
                return Err(failure.into_error(OPERATION));
            }
            Ok(Told::Message(_)) | Err(_) => {
                wire.end(Cause::Lost);
                return Err(Error::new(Kind::Failed, OPERATION).what("the store did not answer"));
            }
        };
        let inbox = Arc::new(Inbox::default());
        let delivering = Arc::clone(&inbox);
        let reader = spawn("mf-store-client", move || deliver(&receiver, &delivering))?;
        let member = Member { rank, world_size, session, job_token: shared.job_token };
        Ok(Session::new(member, inbox, wire, reader, DEFAULT_TIMEOUT))
    }

    /// Cuts every member off, as if the process of the store had died.
    pub fn stop(&self) {
        let boxes = std::mem::take(&mut locked(&self.owner.0.state).boxes);
        drop(boxes);
    }
}

impl MemoryWire {
    fn end(&self, cause: Cause) {
        let shared = &self.owner.0;
        // The box goes first: nothing may follow the end. Its going ends the reader thread.
        let before = locked(&shared.state).boxes.remove(&self.session);
        if before.is_some() {
            shared.apply(Event::End { session: self.session, cause });
        }
    }
}

impl Wire for MemoryWire {
    fn send(&self, sequence: u64, request: &Request) -> Result<(), String> {
        let shared = &self.owner.0;
        if !locked(&shared.state).boxes.contains_key(&self.session) {
            return Err("the connection to the store is gone".to_owned());
        }
        shared.apply(Event::Request { session: self.session, sequence, request: request.clone() });
        Ok(())
    }

    fn goodbye(&self) {
        self.end(Cause::Left);
    }

    fn cut(&self) {
        self.end(Cause::Lost);
    }

    fn place(&self) -> String {
        "in memory".to_owned()
    }
}

impl Shared {
    fn apply(&self, event: Event) {
        let mut state = locked(&self.state);
        let actions = state.machine.on_event(self.now(), event);
        for action in actions {
            let (session, told) = match action {
                Action::Welcome { session, rank, world_size } => {
                    (session, Told::Welcome { rank, world_size })
                }
                Action::Refuse { session, failure } => (session, Told::Refused(failure)),
                Action::Reply { session, sequence, result } => {
                    (session, Told::Message(Incoming::Reply { sequence, result }))
                }
                Action::Change { session, watch, change } => {
                    (session, Told::Message(Incoming::Change { watch, change }))
                }
                Action::Drop { session, reason } => {
                    tracing::warn!(session, reason, "memory store dropped a member");
                    state.boxes.remove(&session);
                    continue;
                }
            };
            if let Some(sender) = state.boxes.get(&session) {
                // A receiver that is gone belongs to a member that ends at this moment.
                let _ = sender.send(told);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn now(&self) -> Micros {
        Micros::try_from(self.started.elapsed().as_micros()).unwrap_or(Micros::MAX)
    }
}

fn tick(shared: &Shared) {
    let mut state = locked(&shared.state);
    while !state.stopped {
        let now = shared.now();
        state = match state.machine.next_deadline() {
            Some(deadline) if deadline <= now => {
                drop(state);
                shared.apply(Event::Tick);
                locked(&shared.state)
            }
            Some(deadline) => {
                let left = Duration::from_micros(deadline - now);
                shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
            }
            None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

fn deliver(receiver: &Receiver<Told>, inbox: &Inbox) {
    inbox.reader_is_here();
    while let Ok(told) = receiver.recv() {
        if let Told::Message(incoming) = told {
            inbox.deliver(incoming);
        }
    }
    inbox.ended("the store closed the connection");
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<std::thread::JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body).map_err(|error| {
        Error::new(Kind::NoResources, OPERATION)
            .what("a thread could not be started")
            .with("thread", name)
            .source(error)
    })
}
