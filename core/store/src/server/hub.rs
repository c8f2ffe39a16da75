// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hub of the server: feeds events to the state machine, and holds its actions back until the changes they
//! depend on are written, if that is required; [`sending`] performs them, [`tasks`] keeps the timer.

mod sending;
pub(super) mod tasks;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mf_tls::Security;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::StatusBoard;
use super::alarm::Alarm;
use super::durability_gate::Gate;
use super::guests::GuestBudget;
use super::outbound::Outbound;
use super::unauthenticated::Unauthenticated;
use crate::journal::Journal;
use crate::protocol::about::ENDING;
use crate::protocol::frame::FrameKind;
use crate::protocol::{About, Join, Notice, auth};
use crate::sockets::spare_the_stopped;
use crate::state::{Action, Batch, Event, LinkId, Machine, Micros, Status};
use sending::SharedMessage;

/// One read of a connection goes through a buffer of this size.
const SCRATCH_BYTES: usize = 64 << 10;

/// Identity of this server within its job.
pub(super) struct Identity {
    pub(super) store: [u8; 16],
    pub(super) about: About,
    pub(super) security: Arc<Security>,
}

/// The middle of the server. Everything runs in one thread; no borrow lives across an await.
pub(super) struct Hub {
    pub(super) identity: Identity,
    pub(super) lease: Duration,
    pub(super) hello_limit: Duration,
    pub(super) scratch: RefCell<Box<[u8]>>,
    job_token: Cell<[u8; 32]>,
    /// True if the token is final: a member has it, or it is derived from the secret.
    token_stands: Cell<bool>,
    machine: RefCell<Machine>,
    outbounds: RefCell<HashMap<LinkId, LinkEntry>>,
    /// Connections that have something to send since the last flush.
    dirty: RefCell<Vec<Rc<Outbound>>>,
    /// The last message encoded for several connections.
    last: RefCell<Option<(SharedMessage, Arc<[u8]>)>>,
    alarm: Alarm,
    started: Instant,
    /// The deadline that the timer sleeps towards, and its alarm when an earlier one came up.
    armed: Cell<Micros>,
    rearm: Notify,
    /// Number of requests handled, and the wake of the task that polls for more.
    handled: Cell<u64>,
    is_polling: Cell<bool>,
    poll: Notify,
    connections: Cell<usize>,
    pub(super) unauthenticated: Unauthenticated,
    pub(super) guests: Rc<GuestBudget>,
    /// Present when keys are also written to etcd.
    pub(super) gate: Option<Gate>,
    links: Cell<LinkId>,
    gone: Notify,
    /// Until when a lost client may resume.
    quiet: Cell<Instant>,
    resume_grace: Duration,
    /// The member that runs it has left.
    is_ending: Cell<bool>,
    shown: Arc<StatusBoard>,
}

struct LinkEntry {
    outbound: Rc<Outbound>,
    /// Set by the welcome.
    rank: Cell<Option<u32>>,
    /// The client's features.
    features: u64,
    is_welcome: Cell<bool>,
}

/// Counts a connection for as long as it lives.
pub(super) struct ConnectionCount {
    pub(super) hub: Rc<Hub>,
    pub(super) link: LinkId,
}

impl Drop for ConnectionCount {
    fn drop(&mut self) {
        self.hub.connections.set(self.hub.connections.get().saturating_sub(1));
        self.hub.gone.notify_one();
    }
}

/// Parts of a new server's hub.
pub(super) struct Parts {
    pub(super) machine: Machine,
    pub(super) identity: Identity,
    pub(super) job_token: [u8; 32],
    pub(super) alarm: Alarm,
    pub(super) lease: Duration,
    pub(super) hello_limit: Duration,
    pub(super) resume_grace: Duration,
    /// The leadership of a store that also writes its keys to etcd.
    pub(super) journal: Option<Box<dyn Journal>>,
}

impl Hub {
    pub(super) fn new(parts: Parts, shown: Arc<StatusBoard>) -> Self {
        let now = Instant::now();
        let secret = parts.identity.security.secret();
        let derived =
            if secret.is_empty() { None } else { auth::job_token(secret, &parts.identity.about.job) };
        Self {
            lease: parts.lease,
            hello_limit: parts.hello_limit,
            scratch: RefCell::new(vec![0; SCRATCH_BYTES].into_boxed_slice()),
            job_token: Cell::new(derived.unwrap_or(parts.job_token)),
            token_stands: Cell::new(derived.is_some()),
            identity: parts.identity,
            machine: RefCell::new(parts.machine),
            outbounds: RefCell::default(),
            dirty: RefCell::default(),
            last: RefCell::default(),
            alarm: parts.alarm,
            started: now,
            armed: Cell::new(Micros::MAX),
            rearm: Notify::new(),
            handled: Cell::new(0),
            is_polling: Cell::new(false),
            poll: Notify::new(),
            connections: Cell::new(0),
            unauthenticated: Unauthenticated::default(),
            guests: Rc::default(),
            gate: parts.journal.map(Gate::new),
            links: Cell::new(0),
            gone: Notify::new(),
            quiet: Cell::new(now),
            resume_grace: parts.resume_grace,
            is_ending: Cell::new(false),
            shown,
        }
    }

    /// Returns the number of authenticated connections.
    pub(super) fn proved(&self) -> usize {
        self.outbounds.borrow().len()
    }

    /// Ranks of the job; 0: not known yet.
    pub(super) fn world_size(&self) -> usize {
        self.machine.borrow().world_size() as usize
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.get()
    }

    /// Until when a lost client may resume.
    pub(super) fn quiet_from(&self) -> Instant {
        self.quiet.get()
    }

    pub(super) fn stepped_down(&self) -> bool {
        self.shown.stepped_down.load(Ordering::Acquire)
    }

    pub(super) async fn connection_gone(&self) {
        self.gone.notified().await;
    }

    pub(super) fn connection_entered(self: &Rc<Self>) -> ConnectionCount {
        self.connections.set(self.connections.get() + 1);
        self.links.set(self.links.get() + 1);
        ConnectionCount { hub: Rc::clone(self), link: self.links.get() }
    }

    pub(super) fn status(&self) -> Status {
        self.machine.borrow().status(self.now())
    }

    /// Registers a link, so that actions find its connection.
    pub(super) fn attach(&self, link: LinkId, outbound: &Rc<Outbound>, features: u64) {
        let attached = LinkEntry {
            outbound: Rc::clone(outbound),
            rank: Cell::new(None),
            features,
            is_welcome: Cell::new(false),
        };
        self.outbounds.borrow_mut().insert(link, attached);
    }

    /// Notifies the members, and all that are welcomed from now on, that the store ends on purpose.
    pub(super) fn announce_end(&self) {
        self.is_ending.set(true);
        for attached in self.outbounds.borrow().values().filter(|attached| attached.is_welcome.get()) {
            self.notify_end(attached);
        }
        self.flush();
    }

    fn notify_end(&self, attached: &LinkEntry) {
        if self.is_ending.get() && attached.features & ENDING != 0 {
            self.queue(&attached.outbound, FrameKind::Notice, 0, &Notice::Ending);
        }
    }

    pub(super) fn detach(&self, link: LinkId, in_order: bool) {
        let attached = self.outbounds.borrow_mut().remove(&link);
        if in_order {
            return;
        }
        self.quiet.set(Instant::now() + self.resume_grace);
        if let Some(rank) = attached.and_then(|attached| attached.rank.get()) {
            self.alarm.link_broke(link, rank);
        }
    }

    /// Takes over the token of a job after its store has died, if only early members have ours: they lose
    /// their sessions.
    pub(super) fn adopt_token(&self, join: &Join) {
        if let (Some(token), Some(resume), false) = (join.job_token, &join.resume, self.token_stands.get())
            && resume.store != self.identity.store
            && self.machine.borrow().is_fresh()
        {
            self.job_token.set(token);
            self.token_stands.set(true);
        }
    }

    /// Passes an event to the state machine and queues what follows; [`flush`](Self::flush) sends it.
    pub(super) fn apply(&self, event: Event) {
        if let Some(refusal) = self.gate.as_ref().and_then(|gate| gate.refusal(&event)) {
            self.act(refusal);
            return;
        }
        let passes = self.gate.as_ref().is_some_and(|gate| gate.may_pass(&event, |link| self.holds(link)));
        let (actions, batch) = {
            let mut machine = self.machine.borrow_mut();
            let actions = machine.on_event(self.now(), event);
            if machine.next_deadline().is_some_and(|deadline| deadline < self.armed.get()) {
                self.rearm.notify_one();
            }
            (actions, machine.changes())
        };
        match &self.gate {
            Some(gate) => self.act_when_written(gate, batch, actions, passes),
            None => actions.into_iter().for_each(|action| self.act(action)),
        }
        self.last.replace(None);
    }

    fn act_when_written(&self, gate: &Gate, batch: Option<Batch>, actions: Vec<Action>, passes: bool) {
        if !gate.is_open() {
            // Another store may lead by now. Clients get no answer here, and ask there.
            self.end();
            return;
        }
        if let Some(batch) = batch {
            gate.give(batch);
        }
        if passes || gate.is_idle() {
            actions.into_iter().for_each(|action| self.act(action));
            return;
        }
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for mut action in actions {
            // Counted as the state machine counts it, also when a short failure is sent instead of it: else
            // it would wait for room that it has.
            self.count(&action);
            if gate.fail(&mut action) || matches!(action, Action::StepDown { .. }) {
                now.push(action);
            } else {
                self.with_outbound(&action, |outbound| outbound.hold(action.bytes()));
                later.push(action);
            }
        }
        gate.stage(later);
        now.into_iter().for_each(|action| self.perform(action));
    }

    /// Sends what waited for a write that is finished.
    pub(super) fn release(&self) {
        let Some(gate) = &self.gate else { return };
        if !gate.is_open() {
            return;
        }
        while let Some(actions) = gate.release() {
            for action in actions {
                self.with_outbound(&action, |outbound| outbound.let_go(action.bytes()));
                self.perform(action);
            }
        }
        self.last.replace(None);
        self.flush();
    }

    /// Sends failures to calls on keys that wait for a write for which etcd has no space.
    pub(super) fn fail_unwritten(&self, gate: &Gate) {
        for (bytes, action) in gate.take_failed() {
            self.with_outbound(&action, |outbound| outbound.let_go(bytes));
            self.perform(action);
        }
        self.last.replace(None);
        self.flush();
    }

    /// Ends this store: another leads, or may.
    pub(super) fn end(&self) {
        if !self.shown.stepped_down.swap(true, Ordering::AcqRel) {
            self.gone.notify_one();
        }
    }

    fn holds(&self, link: LinkId) -> bool {
        self.outbounds.borrow().get(&link).is_none_or(|attached| attached.outbound.holds())
    }

    fn with_outbound(&self, action: &Action, body: impl FnOnce(&Outbound)) {
        let outbounds = self.outbounds.borrow();
        if let Some(attached) = action.link().and_then(|link| outbounds.get(&link)) {
            body(&attached.outbound);
        }
    }

    /// Sends queued messages, with one write for each connection.
    pub(super) fn flush(&self) {
        for outbound in self.dirty.borrow_mut().drain(..) {
            outbound.flush();
        }
        self.handled.set(self.handled.get().wrapping_add(1));
        if !self.is_polling.get() {
            self.poll.notify_one();
        }
    }

    /// See [`spare_the_stopped`].
    fn spare_the_stopped(&self) {
        for attached in self.outbounds.borrow().values() {
            let socket = attached.outbound.socket();
            if let Ok(peer) = socket.peer_addr() {
                spare_the_stopped(socket, peer.ip(), self.lease);
            }
        }
    }

    pub(super) fn is_member(&self, link: LinkId) -> bool {
        self.outbounds.borrow().get(&link).is_some_and(|attached| attached.rank.get().is_some())
    }

    /// See [`Machine::accepts_requests`].
    pub(super) fn accepts_requests(&self, link: LinkId) -> bool {
        self.machine.borrow().accepts_requests(link)
    }

    fn act(&self, action: Action) {
        self.count(&action);
        self.perform(action);
    }

    /// Counts an action among the bytes sent to a client.
    fn count(&self, action: &Action) {
        self.with_outbound(action, |outbound| outbound.count_queued(action.bytes()));
    }

    fn now(&self) -> Micros {
        Micros::try_from(self.started.elapsed().as_micros()).unwrap_or(Micros::MAX)
    }
}
