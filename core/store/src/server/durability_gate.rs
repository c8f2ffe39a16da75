// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Durability gate (persist before acknowledge): messages of the state machine wait until its changes are
//! written.
//!
//! Changes are merged while an earlier batch is in progress, so that any number of clients costs one write at
//! a time. Actions are released in the order in which they were made. Only a read may pass the waiting
//! actions: a read of a key without an unwritten change, by a client that waits for nothing else.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::hub::Hub;
use crate::journal::{Journal, LeadershipEnd};
use crate::protocol::{Answer, Request};
use crate::state::{Action, Batch, Event, LinkId, Stored};

/// Longest time for a server's end to write the remaining changes.
const FINISH_LIMIT: Duration = Duration::from_millis(700);

/// Changes that are not being written yet; a key that was deleted has no value.
#[derive(Default)]
struct Waiting {
    term: u64,
    is_live: bool,
    clear: bool,
    keys: BTreeMap<Arc<str>, Option<Stored>>,
}

/// See the [module documentation](self).
pub(super) struct Gate {
    journal: Box<dyn Journal>,
    waiting: RefCell<Option<Waiting>>,
    /// The keys that are not written, with the number of the last batch that changes them.
    unwritten: RefCell<HashMap<Arc<str>, u64>>,
    /// The last batch that changes all keys.
    cleared: Cell<u64>,
    /// Actions, each group with the number of the batch that must be written first.
    staged: RefCell<VecDeque<(u64, Vec<Action>)>>,
    given: Cell<u64>,
    written: Cell<u64>,
    news: Notify,
    done: Notify,
    is_over: Cell<bool>,
}

impl Gate {
    pub(super) fn new(journal: Box<dyn Journal>) -> Self {
        Self {
            journal,
            waiting: RefCell::default(),
            unwritten: RefCell::default(),
            cleared: Cell::new(0),
            staged: RefCell::default(),
            given: Cell::new(0),
            written: Cell::new(0),
            news: Notify::new(),
            done: Notify::new(),
            is_over: Cell::new(false),
        }
    }

    /// Returns true while requests may be answered.
    pub(super) fn is_open(&self) -> bool {
        !self.is_over.get() && self.journal.is_valid()
    }

    /// Returns true if the actions of this event need not wait: it reads a key without an unwritten change.
    /// `waits`: returns true if the client waits for other answers.
    pub(super) fn may_pass(&self, event: &Event, waits: impl FnOnce(LinkId) -> bool) -> bool {
        let Event::Request { link, message, .. } = event else { return false };
        let Request::Get { key } = &message.request else { return false };
        let written = self.written.get();
        let is_unwritten = self.cleared.get() > written
            || self.unwritten.borrow().get(key.as_str()).is_some_and(|number| *number > written);
        !is_unwritten && !waits(*link)
    }

    /// The reply to a write that need not be tried, because etcd has no space.
    pub(super) fn refusal(&self, event: &Event) -> Option<Action> {
        let Event::Request { link, sequence, message } = event else { return None };
        let is_write = matches!(
            message.request,
            Request::Set { .. }
                | Request::Add { .. }
                | Request::Append { .. }
                | Request::CompareAndSwap { .. }
                | Request::Delete { .. }
        );
        let failure = self.journal.lacks_space().filter(|_| is_write)?;
        Some(Action::Reply { link: *link, sequence: *sequence, result: Err(failure) })
    }

    /// Turns the reply of a call on keys, and any refusal, into a failure while etcd has no space for the
    /// changes it waits for. Other replies stay: their grants would be lost.
    pub(super) fn fail(&self, action: &mut Action) -> bool {
        let Action::Reply { result, .. } = action else { return false };
        let is_of_keys = matches!(
            result,
            Ok(Answer::Revision(_)
                | Answer::Sum { .. }
                | Answer::Appended { .. }
                | Answer::Swap(_)
                | Answer::Deleted { .. }
                | Answer::Entry(_)
                | Answer::Listing(_)
                | Answer::Page(_))
                | Err(_)
        );
        let Some(failure) = self.journal.lacks_space().filter(|_| is_of_keys) else { return false };
        *result = Err(failure);
        true
    }

    /// Takes the waiting replies that [`fail`](Self::fail) accepts, with their failures.
    pub(super) fn take_failed(&self) -> Vec<(usize, Action)> {
        let mut failed = Vec::new();
        for (_, actions) in self.staged.borrow_mut().iter_mut() {
            for mut action in std::mem::take(actions) {
                let bytes = action.bytes();
                if self.fail(&mut action) {
                    failed.push((bytes, action));
                } else {
                    actions.push(action);
                }
            }
        }
        failed
    }

    /// Returns true if nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.written.get() == self.given.get() && self.staged.borrow().is_empty()
    }

    /// Takes the changes of an event.
    pub(super) fn give(&self, batch: Batch) {
        let number = self.given.get() + 1;
        self.given.set(number);
        let mut waiting = self.waiting.borrow_mut();
        let waiting = waiting.get_or_insert_default();
        (waiting.term, waiting.is_live) = (batch.term, batch.is_live);
        if batch.clear {
            waiting.clear = true;
            waiting.keys.clear();
            self.cleared.set(number);
        }
        let mut unwritten = self.unwritten.borrow_mut();
        for key in batch.delete {
            unwritten.insert(Arc::clone(&key), number);
            waiting.keys.insert(key, None);
        }
        for stored in batch.put {
            let key: Arc<str> = Arc::from(stored.entry.key.as_str());
            unwritten.insert(Arc::clone(&key), number);
            waiting.keys.insert(key, Some(stored));
        }
        self.news.notify_one();
    }

    /// Keeps actions until all changes so far are written.
    pub(super) fn stage(&self, actions: Vec<Action>) {
        if !actions.is_empty() {
            self.staged.borrow_mut().push_back((self.given.get(), actions));
        }
    }

    /// The next actions that need not wait any more.
    pub(super) fn release(&self) -> Option<Vec<Action>> {
        let mut staged = self.staged.borrow_mut();
        match staged.front() {
            Some((number, _)) if *number <= self.written.get() => {
                staged.pop_front().map(|(_, actions)| actions)
            }
            _ => None,
        }
    }

    /// Writes the given changes, until the leadership is over.
    async fn write(&self, hub: &Hub) -> LeadershipEnd {
        loop {
            let next = self.waiting.borrow_mut().take();
            let Some(next) = next else {
                self.news.notified().await;
                continue;
            };
            let number = self.given.get();
            if let Err(over) = self.journal.write(batch_of(next)).await {
                return over;
            }
            self.written.set(number);
            self.unwritten.borrow_mut().retain(|_, needs| *needs > number);
            hub.release();
            self.done.notify_one();
        }
    }

    /// Fails the calls that wait whenever etcd has run out of space.
    async fn watch_space(&self, hub: &Hub) -> LeadershipEnd {
        loop {
            self.journal.ran_out_of_space().await;
            hub.fail_unwritten(self);
        }
    }

    /// Waits until everything is written, for a moment, and ends the leadership.
    pub(super) async fn finish(&self) {
        let all = async {
            while self.written.get() < self.given.get() {
                self.done.notified().await;
            }
        };
        if self.is_open() {
            // Without an answer of etcd nothing can be done; the write was not acknowledged to any client.
            let _ = tokio::time::timeout(FINISH_LIMIT, all).await;
        }
        if !self.is_over.replace(true) {
            self.journal.resign().await;
        }
    }
}

fn batch_of(waiting: Waiting) -> Batch {
    let Waiting { term, is_live, clear, keys } = waiting;
    let (mut put, mut delete) = (Vec::new(), Vec::new());
    for (key, stored) in keys {
        match stored {
            Some(stored) => put.push(stored),
            None => delete.push(key),
        }
    }
    Batch { term, is_live, clear, put, delete }
}

/// Keeps the leadership of a hub that has one, until it is over.
pub(super) async fn run(hub: Rc<Hub>) {
    let Some(gate) = &hub.gate else { return };
    let over = tokio::select! {
        over = gate.journal.renew() => over,
        over = gate.write(&hub) => over,
        over = gate.watch_space(&hub) => over,
    };
    if !gate.is_over.replace(true) {
        tracing::warn!(%over, "this process leads the store no longer");
        gate.done.notify_one();
        hub.end();
    }
}
