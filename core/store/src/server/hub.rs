// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The middle of the server: feeds events to the state machine, turns its actions into frames, keeps its timer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::outbound::{Closing, Outbound};
use crate::protocol::Welcome;
use crate::protocol::frame::{FrameKind, encode};
use crate::state::{Action, Event, Machine, Micros, SessionId};

/// What makes this server the one of its job.
pub(super) struct Identity {
    pub(super) job_token: [u8; 32],
    pub(super) secret: Vec<u8>,
}

/// The middle of the server. Everything runs in one thread; no borrow lives across an await.
pub(super) struct Hub {
    pub(super) identity: Identity,
    machine: RefCell<Machine>,
    outbounds: RefCell<HashMap<SessionId, Rc<Outbound>>>,
    /// Connections that have something to send since the last flush.
    dirty: RefCell<Vec<Rc<Outbound>>>,
    started: Instant,
    /// The deadline that the timer sleeps towards, and its alarm when an earlier one came up.
    armed: Cell<Micros>,
    rearm: Notify,
    connections: Cell<usize>,
    sessions: Cell<SessionId>,
    gone: Notify,
}

/// Counts a connection for as long as it lives.
pub(super) struct Entered {
    pub(super) hub: Rc<Hub>,
    pub(super) session: SessionId,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.hub.connections.set(self.hub.connections.get().saturating_sub(1));
        self.hub.gone.notify_one();
    }
}

impl Hub {
    pub(super) fn new(world_size: u32, rank_window_us: Micros, identity: Identity) -> Self {
        Self {
            identity,
            machine: RefCell::new(Machine::new(world_size, rank_window_us)),
            outbounds: RefCell::default(),
            dirty: RefCell::default(),
            started: Instant::now(),
            armed: Cell::new(Micros::MAX),
            rearm: Notify::new(),
            connections: Cell::new(0),
            sessions: Cell::new(0),
            gone: Notify::new(),
        }
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.get()
    }

    pub(super) async fn connection_gone(&self) {
        self.gone.notified().await;
    }

    pub(super) fn connection_entered(self: &Rc<Self>) -> Entered {
        self.connections.set(self.connections.get() + 1);
        self.sessions.set(self.sessions.get() + 1);
        Entered { hub: Rc::clone(self), session: self.sessions.get() }
    }

    /// Makes a session known, so that actions find its connection.
    pub(super) fn attach(&self, session: SessionId, outbound: Rc<Outbound>) {
        self.outbounds.borrow_mut().insert(session, outbound);
    }

    pub(super) fn detach(&self, session: SessionId) {
        self.outbounds.borrow_mut().remove(&session);
    }

    /// Hands an event to the state machine and queues what follows; [`flush`](Self::flush) sends it.
    pub(super) fn apply(&self, event: Event) {
        let actions = {
            let mut machine = self.machine.borrow_mut();
            let actions = machine.on_event(self.now(), event);
            if machine.next_deadline().is_some_and(|deadline| deadline < self.armed.get()) {
                self.rearm.notify_one();
            }
            actions
        };
        for action in actions {
            self.act(action);
        }
    }

    /// Sends what was queued, one write for each connection.
    pub(super) fn flush(&self) {
        for outbound in self.dirty.borrow_mut().drain(..) {
            outbound.flush();
        }
    }

    fn act(&self, action: Action) {
        match action {
            Action::Welcome { session, rank, world_size } => {
                let outbounds = self.outbounds.borrow();
                let Some(outbound) = outbounds.get(&session) else { return };
                let job_token = self.identity.job_token;
                let welcome = Welcome { proof: outbound.proof, rank: rank.0, world_size, session, job_token };
                self.queue(outbound, FrameKind::Welcome, 0, &welcome);
            }
            Action::Refuse { session, failure } => {
                self.send(session, FrameKind::Refused, 0, &failure);
                self.close(session, Closing::Sent);
            }
            Action::Reply { session, sequence, result } => {
                self.send(session, FrameKind::Reply, sequence, &result);
            }
            Action::Change { session, watch, change } => {
                self.send(session, FrameKind::Change, watch, &*change);
            }
            Action::Drop { session, reason } => self.close(session, Closing::Rules(reason)),
        }
    }

    fn send<T: Serialize>(&self, session: SessionId, kind: FrameKind, sequence: u64, body: &T) {
        // A session may be gone while actions of the same event still speak to it.
        if let Some(outbound) = self.outbounds.borrow().get(&session) {
            self.queue(outbound, kind, sequence, body);
        }
    }

    fn queue<T: Serialize>(&self, outbound: &Rc<Outbound>, kind: FrameKind, sequence: u64, body: &T) {
        let first = outbound.append(|bytes| {
            // Every message that the state machine makes fits into a frame; see `limits`.
            if let Err(error) = encode(kind, sequence, body, bytes) {
                tracing::error!(?kind, %error, "store message could not be encoded");
            }
        });
        if first {
            self.dirty.borrow_mut().push(Rc::clone(outbound));
        }
    }

    fn close(&self, session: SessionId, why: Closing) {
        if let Some(outbound) = self.outbounds.borrow().get(&session) {
            outbound.close(why);
        }
    }

    fn now(&self) -> Micros {
        Micros::try_from(self.started.elapsed().as_micros()).unwrap_or(Micros::MAX)
    }
}

/// Ticks the state machine when its next deadline is due; never ends.
pub(super) async fn run_timer(hub: Rc<Hub>) {
    loop {
        let deadline = hub.machine.borrow().next_deadline();
        hub.armed.set(deadline.unwrap_or(Micros::MAX));
        let at = deadline.and_then(|us| hub.started.checked_add(Duration::from_micros(us)));
        match at {
            None => hub.rearm.notified().await,
            Some(at) => tokio::select! {
                () = tokio::time::sleep_until(at) => {
                    hub.apply(Event::Tick);
                    hub.flush();
                }
                () = hub.rearm.notified() => {}
            },
        }
    }
}
