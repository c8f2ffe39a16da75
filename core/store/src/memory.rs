// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The in-memory twin of server and client: the same two state machines and the same session, without
//! sockets.
//!
//! For tests of the layers above. Members are threads of one process. A thread of the store keeps its timer,
//! and reads for the sessions without a waiting caller, as the reactor does for real ones.

mod link;

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::sync::{lock, wait_notified, wait_notified_for};
use mf_base::{Error, Kind, Rank, Result};

use crate::api::RankWish;
use crate::client::connect::member;
use crate::client::link::Incoming;
use crate::client::shared::SessionCore;
use crate::client::{Session, after};
use crate::protocol::{Welcome, auth};
use crate::server::halves;
use crate::state::{Action, Event, Granted, Limits, LinkId, Machine, Micros};
use link::{Delivery, Inbox, MemoryConnector};

const OPERATION: &str = "memory store";
/// As the defaults of the settings that the real server uses.
const RANK_WINDOW_US: Micros = 100_000;
const RESUME_GRACE: Duration = Duration::from_millis(50);
const RECOVERY_US: Micros = 5_000_000;
const RECOVERY_QUIET_US: Micros = 250_000;
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Default text for the end of a link.
const CLOSED: &str = "the store closed the connection";

/// A store inside this process.
pub struct MemoryStore {
    owner: Arc<Owner>,
    world_size: u32,
    join_timeout: Duration,
}

/// A member of a [`MemoryStore`].
pub type MemoryClient = Session;

struct MemoryStoreState {
    machine: Machine,
    store: [u8; 16],
    links: HashMap<LinkId, Arc<Inbox>>,
    last_link: LinkId,
    /// Links with messages but no waiting caller.
    ready: Vec<LinkId>,
    dead: bool,
    stopped: bool,
}

struct Core {
    state: Mutex<MemoryStoreState>,
    /// Wakes the thread: a deadline may have changed, or a link is ready.
    changed: Condvar,
    started: Instant,
    world_size: u32,
    grace: Duration,
    job_token: [u8; 32],
}

/// Ends the thread with the last store or member.
struct Owner(Arc<Core>);

impl Drop for Owner {
    fn drop(&mut self) {
        lock(&self.0.state).stopped = true;
        self.0.changed.notify_all();
    }
}

impl MemoryStore {
    /// A store for a job of `world_size` ranks.
    ///
    /// # Errors
    /// `NoResources` no threads left.
    pub fn new(world_size: u32) -> Result<Self> {
        Self::with_resume_grace(world_size, RESUME_GRACE)
    }

    /// Like [`new`](Self::new), with the time in which a member may resume a broken connection.
    ///
    /// # Errors
    /// `NoResources` no threads left.
    pub fn with_resume_grace(world_size: u32, grace: Duration) -> Result<Self> {
        let [store, _] = halves(auth::random(OPERATION)?);
        let core = Arc::new(Core {
            state: Mutex::new(MemoryStoreState {
                machine: Machine::new(store, limits_of(world_size, grace)),
                store,
                links: HashMap::new(),
                last_link: 0,
                ready: Vec::new(),
                dead: false,
                stopped: false,
            }),
            changed: Condvar::new(),
            started: Instant::now(),
            world_size,
            grace,
            job_token: auth::random(OPERATION)?,
        });
        let running = Arc::clone(&core);
        thread::spawn("mf-store-twin", move || running.run()).map_err(|error| {
            Error::new(Kind::NoResources, OPERATION)
                .what("the thread of the store could not be started")
                .source(error)
        })?;
        Ok(Self { owner: Arc::new(Owner(core)), world_size, join_timeout: DEFAULT_TIMEOUT })
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
    /// As [`Session::connect`], for ranks and world size.
    pub fn join(&self, rank: Option<Rank>) -> Result<MemoryClient> {
        self.join_as(rank.map_or(RankWish::Any, RankWish::Exactly))
    }

    /// As [`join`](Self::join), with any wish for a rank.
    ///
    /// # Errors
    /// As [`Session::connect`], for ranks and world size.
    pub fn join_as(&self, wish: RankWish) -> Result<MemoryClient> {
        let [key, _] = halves(auth::random(OPERATION)?);
        let connector = MemoryConnector { owner: Arc::clone(&self.owner), wish, world_size: self.world_size };
        let shared = SessionCore::new(key, Box::new(connector));
        match shared.connector.attempt(&shared, after(self.join_timeout)) {
            Ok(arrived) => {
                let member = member(&arrived.welcome);
                shared.attach_link(arrived);
                Ok(Session::new(member, shared, DEFAULT_TIMEOUT))
            }
            Err(failed) => Err(failed.into_error()),
        }
    }

    /// Cuts every member off permanently, as if the process of the store had died and no other was started.
    pub fn stop(&self) {
        let core = &self.owner.0;
        lock(&core.state).dead = true;
        core.cut_all();
    }

    /// Ends the store and starts an empty one in its place, which recovers the keys from its members.
    ///
    /// # Errors
    /// `Failed` the kernel gives no random bytes.
    pub fn restart(&self) -> Result<()> {
        let core = &self.owner.0;
        let [store, _] = halves(auth::random(OPERATION)?);
        {
            let mut state = lock(&core.state);
            state.store = store;
            state.machine = Machine::new(store, limits_of(core.world_size, core.grace));
        }
        core.cut_all();
        Ok(())
    }
}

fn limits_of(world_size: u32, resume_grace: Duration) -> Limits {
    Limits {
        world_size,
        max_world: mf_base::MAX_WORLD_SIZE,
        rank_window_us: RANK_WINDOW_US,
        resume_grace_us: Micros::try_from(resume_grace.as_micros()).unwrap_or(Micros::MAX),
        recovery_us: RECOVERY_US,
        recovery_quiet_us: RECOVERY_QUIET_US,
        quorum: false,
        hold_us: 0,
        seems_first: true,
        lasting_token: false,
        guests_only: false,
        skip_recovery: false,
        // Messages inside a process are received as soon as they are sent.
        unread_bytes: usize::MAX,
    }
}

impl Core {
    fn now(&self) -> Micros {
        Micros::try_from(self.started.elapsed().as_micros()).unwrap_or(Micros::MAX)
    }

    fn apply(&self, event: Event) {
        let mut state = lock(&self.state);
        self.apply_to(&mut state, event);
        drop(state);
        self.changed.notify_all();
    }

    fn apply_to(&self, state: &mut MemoryStoreState, event: Event) {
        for action in state.machine.on_event(self.now(), event) {
            let (link, deliveries) = match action {
                Action::Welcome { link, granted } => (link, Delivery::Welcome(Box::new(granted))),
                Action::Refuse { link, refusal } => (link, Delivery::Refused(Box::new(refusal))),
                Action::Reply { link, sequence, result } => {
                    (link, Delivery::Message(Incoming::Reply { sequence, result }))
                }
                Action::Change { link, watch, change } => {
                    let change = Arc::new(change.to_change());
                    (link, Delivery::Message(Incoming::Change { watch, change }))
                }
                Action::Notice { link, notice } => {
                    (link, Delivery::Message(Incoming::Notice((*notice).clone())))
                }
                Action::Drop { link, reason } => {
                    tracing::debug!(link, reason, "memory store dropped a connection");
                    state.close(link, CLOSED);
                    continue;
                }
                Action::StepDown { term } => {
                    tracing::warn!(term, "memory store stepped down");
                    continue;
                }
            };
            if let Some(inbox) = state.links.get(&link)
                && inbox.put(|queue| queue.deliveries.push_back(deliveries))
            {
                state.ready.push(link);
            }
        }
    }

    fn cut_all(&self) {
        let mut state = lock(&self.state);
        let links: Vec<LinkId> = state.links.keys().copied().collect();
        for link in links {
            state.close(link, CLOSED);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Keeps the timer and reads for sessions without a waiting caller.
    fn run(&self) {
        let mut state = lock(&self.state);
        while !state.stopped {
            let ready = std::mem::take(&mut state.ready);
            if !ready.is_empty() {
                let sessions: Vec<(LinkId, Weak<SessionCore>)> = ready
                    .into_iter()
                    .filter_map(|link| Some((link, state.links.get(&link)?.session.clone())))
                    .collect();
                drop(state);
                for (link, session) in sessions {
                    if let Some(session) = session.upgrade() {
                        session.on_ready(link);
                    }
                }
                state = lock(&self.state);
                continue;
            }
            let now = self.now();
            state = match state.machine.next_deadline() {
                Some(deadline) if deadline <= now => {
                    self.apply_to(&mut state, Event::Tick);
                    state
                }
                Some(deadline) => {
                    let left = Duration::from_micros(deadline - now);
                    wait_notified_for(&self.changed, state, left)
                }
                None => wait_notified(&self.changed, state),
            };
        }
    }
}

impl MemoryStoreState {
    /// The store's end of a link closes; messages sent before are still received.
    fn close(&mut self, link: LinkId, why: &str) {
        if let Some(inbox) = self.links.get(&link)
            && inbox.put(|queue| queue.closed = Some(why.to_owned()))
        {
            self.ready.push(link);
        }
    }
}

impl Core {
    fn welcome(&self, store: [u8; 16], granted: &Granted) -> Welcome {
        Welcome {
            proof: [0; 32],
            rank: granted.rank.map(|rank| rank.0),
            world_size: granted.world_size,
            session: granted.session,
            job_token: self.job_token,
            store,
            term: granted.term,
            standing: granted.standing,
            revision: granted.revision,
        }
    }
}
