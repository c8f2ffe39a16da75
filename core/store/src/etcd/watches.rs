// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watches: one feed for each, one thread that runs all callbacks.
//!
//! etcd tells that a key went away, not why. The reason is found where it matters:
//! - a deletion by a caller sets the key `del` in the same transaction, so `del` has the revision of the removal;
//! - a session that says goodbye leaves a mark `b/SESSION` before its lease ends;
//! - otherwise the lease ran out: the session's (its owner is lost), or one that was granted.
//!
//! A call that changed a key waits until the watches of the same store that cover the key have run their
//! callbacks up to the revision of the change ([`Watches::settle`]).

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

use etcd_client::{GetOptions, Txn, TxnOp};
use mf_base::{Error, Kind, Rank, Result};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::cluster::Call;
use super::feed::{Feed, KeyChange, changes};
use super::names::{Life, Record, decode, end_of};
use super::ranks::gets;
use super::session::Session;
use super::values::found_in;
use crate::api::{Cause, Change, LeaderFn, MembersFn, ViewChange, WatchFn, WatchId};
use crate::client::locked;

const OPERATION: &str = "store watch";
/// Batches that may wait for the callbacks; behind them etcd keeps the changes.
const QUEUE: usize = 64;

/// What is called.
#[derive(Clone)]
pub(super) enum Callback {
    Keys(WatchFn),
    Members(MembersFn),
    /// etcd changes its leader without its users; so nothing is ever reported here.
    Leader(#[allow(dead_code)] LeaderFn),
}

/// Something for one watch.
pub(super) struct Batch {
    pub(super) watch: u64,
    pub(super) said: Said,
    /// The revision up to which the watch has seen everything afterwards.
    pub(super) upto: i64,
}

pub(super) enum Said {
    Changes(Vec<Change>),
    View(ViewChange),
    /// The watch cannot go on.
    Over,
}

struct Entry {
    callback: Callback,
    /// The keys that it covers; both empty for other watches. An empty end: one key.
    first: Vec<u8>,
    end: Vec<u8>,
    delivered: i64,
    follower: Option<AbortHandle>,
}

impl Entry {
    fn covers(&self, key: &[u8]) -> bool {
        let first = self.first.as_slice();
        if self.end.is_empty() {
            key == first && !first.is_empty()
        } else {
            first <= key && key < self.end.as_slice()
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(follower) = &self.follower {
            follower.abort();
        }
    }
}

#[derive(Default)]
struct State {
    entries: HashMap<u64, Entry>,
    /// The watch whose callback runs now.
    running: Option<u64>,
    over: bool,
}

/// All watches of a store.
pub(super) struct Watches {
    state: Mutex<State>,
    changed: Condvar,
    numbers: AtomicU64,
    thread: OnceLock<ThreadId>,
    /// Set before a goodbye: nothing is called any more.
    closing: AtomicBool,
    queue: Mutex<Option<mpsc::Sender<Option<Batch>>>>,
}

impl Watches {
    /// The watches, and what [`deliver`](Self::deliver) receives.
    pub(super) fn new() -> (Self, mpsc::Receiver<Option<Batch>>) {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let watches = Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            numbers: AtomicU64::new(1),
            thread: OnceLock::new(),
            closing: AtomicBool::new(false),
            queue: Mutex::new(Some(sender)),
        };
        (watches, receiver)
    }

    /// Whether this is the thread that runs callbacks.
    pub(super) fn on_callback_thread(&self) -> bool {
        self.thread.get() == Some(&std::thread::current().id())
    }

    /// Runs callbacks until the store ends.
    pub(super) fn deliver(&self, mut queue: mpsc::Receiver<Option<Batch>>) {
        // The first one stays; there is only one.
        let _ = self.thread.set(std::thread::current().id());
        while let Some(message) = queue.blocking_recv() {
            match message {
                Some(batch) => self.run_batch(batch),
                None => self.run_lost(),
            }
        }
    }

    /// Hands something to the thread that runs callbacks.
    pub(super) async fn send(&self, batch: Option<Batch>) {
        let queue = locked(&self.queue).clone();
        if let Some(queue) = queue {
            // A receiver that is gone belongs to a store that has ended.
            let _ = queue.send(batch).await;
        }
    }

    fn run_batch(&self, batch: Batch) {
        let Batch { watch, said, upto } = batch;
        match said {
            Said::Changes(changes) => {
                for change in &changes {
                    self.run_one(watch, |callback| {
                        if let Callback::Keys(callback) = callback {
                            callback(change);
                        }
                    });
                }
            }
            Said::View(change) => self.run_one(watch, |callback| {
                if let Callback::Members(callback) = callback {
                    callback(&change);
                }
            }),
            Said::Over => {
                self.run_one(watch, |callback| {
                    if let Callback::Keys(callback) = callback {
                        callback(&Change::StoreLost);
                    }
                });
                let gone = self.lock().entries.remove(&watch);
                drop(gone);
            }
        }
        if let Some(entry) = self.lock().entries.get_mut(&watch) {
            entry.delivered = entry.delivered.max(upto);
        }
        self.changed.notify_all();
    }

    fn run_one(&self, watch: u64, run: impl FnOnce(&Callback)) {
        let callback = {
            let mut state = self.lock();
            let callback = state.entries.get(&watch).map(|entry| entry.callback.clone());
            if callback.is_none() || self.closing.load(Ordering::Acquire) {
                return;
            }
            state.running = Some(watch);
            callback
        };
        if let Some(callback) = &callback
            && catch_unwind(AssertUnwindSafe(|| run(callback))).is_err()
        {
            tracing::error!(watch, "a store watch callback panicked");
        }
        self.lock().running = None;
        self.changed.notify_all();
    }

    fn run_lost(&self) {
        let numbers: Vec<u64> = self.lock().entries.keys().copied().collect();
        for watch in numbers {
            self.run_batch(Batch { watch, said: Said::Over, upto: 0 });
        }
    }

    /// Says that nothing will be delivered any more, or that it will not matter: nobody waits for it.
    pub(super) fn over(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    /// Ends all watches without a word.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Release);
        self.over();
        let entries = std::mem::take(&mut self.lock().entries);
        drop(entries);
        locked(&self.queue).take();
    }

    /// Adds a watch that is told of nothing up to the revision that `since` gives.
    pub(super) fn add(
        &self,
        callback: Callback,
        first: Vec<u8>,
        end: Vec<u8>,
        since: impl FnOnce() -> i64,
    ) -> WatchId {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut state = self.lock();
        let delivered = since();
        state.entries.insert(number, Entry { callback, first, end, delivered, follower: None });
        WatchId { number, revision: delivered.unsigned_abs() }
    }

    /// Names the task that feeds a watch, which ends with it.
    pub(super) fn fed_by(&self, watch: u64, follower: AbortHandle) {
        match self.lock().entries.get_mut(&watch) {
            Some(entry) => entry.follower = Some(follower),
            None => follower.abort(),
        }
    }

    /// Makes a change that watches of the membership must not miss; returns these watches.
    pub(super) fn members_watches(&self, change: impl FnOnce()) -> Vec<u64> {
        let state = self.lock();
        change();
        let wants = |entry: &Entry| matches!(entry.callback, Callback::Members(_));
        state.entries.iter().filter(|(_, entry)| wants(entry)).map(|(number, _)| *number).collect()
    }

    /// Ends a watch; see [`Store::unwatch`](crate::Store::unwatch).
    pub(super) fn remove(&self, operation: &'static str, id: WatchId) -> Result<()> {
        let mut state = self.lock();
        let Some(entry) = state.entries.remove(&id.number) else {
            return Err(Error::new(Kind::NotExist, operation)
                .what("there is no such watch")
                .with("watch", id.number));
        };
        if !self.on_callback_thread() {
            while state.running == Some(id.number) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        drop(state);
        self.changed.notify_all();
        // After the lock: the captures of the callback may be anything.
        drop(entry);
        Ok(())
    }

    /// Waits until the watches that cover one of `keys` have seen `revision`, at most until `deadline`.
    pub(super) fn settle(&self, keys: &[Vec<u8>], revision: i64, deadline: Instant) {
        let mut state = self.lock();
        loop {
            let behind =
                |entry: &Entry| entry.delivered < revision && keys.iter().any(|key| entry.covers(key));
            if state.over || !state.entries.values().any(behind) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

/// Sets up a watch of the key `name`, or of all that begin with it.
pub(super) async fn watch(
    session: &Arc<Session>,
    watches: &Arc<Watches>,
    call: &Call,
    name: &str,
    exact: bool,
    callback: WatchFn,
) -> Result<WatchId> {
    let first = session.names.data(name);
    let end = if exact { Vec::new() } else { end_of(&first) };
    // A read that everybody agrees on: whatever was acknowledged before has a revision up to this one.
    let now = session.cluster.get(call, first.clone(), GetOptions::new().with_count_only()).await?;
    let after = session.cluster.saw(now.header());
    let feed = Feed::new(&session.cluster, first.clone(), end.clone(), after);
    let id = watches.add(Callback::Keys(callback), first, end, || after);
    let following = tokio::spawn(follow(Arc::clone(session), Arc::clone(watches), id.number, feed));
    watches.fed_by(id.number, following.abort_handle());
    Ok(id)
}

async fn follow(session: Arc<Session>, watches: Arc<Watches>, watch: u64, mut feed: Feed) {
    loop {
        let Ok(events) = feed.batch().await else {
            tracing::error!(watch, "etcd has thrown away history that a watch needs, the watch ends");
            watches.send(Some(Batch { watch, said: Said::Over, upto: i64::MAX })).await;
            return;
        };
        let (mut said, mut upto, mut causes) = (Vec::new(), 0, Causes::default());
        for change in changes(&events) {
            upto = upto.max(change.now.mod_revision());
            if let Some(key) = session.names.data_key(change.now.key()) {
                match describe(&session, key, &change, &mut causes).await {
                    Ok(change) => said.push(change),
                    Err(error) => tracing::warn!(%error, key, "a change cannot be reported"),
                }
            }
        }
        watches.send(Some(Batch { watch, said: Said::Changes(said), upto })).await;
    }
}

async fn describe(
    session: &Session,
    key: &str,
    change: &KeyChange<'_>,
    causes: &mut Causes,
) -> Result<Change> {
    let at = change.now.mod_revision();
    if !change.deleted {
        loop {
            // The session's end is what ends this, when etcd stays away.
            let found = found_in(OPERATION, change.now)?;
            match session.entry(&session.call(OPERATION), key, found, at).await {
                Err(error) if error.kind() == Kind::Timeout => {}
                entry => return entry.map(Change::Put),
            }
        }
    }
    let before = change.before.map(|before| decode::<Record>(OPERATION, before.value())).transpose()?;
    let (owner, cause) = match before {
        // etcd has thrown away what was there.
        None => (None, Cause::Deleted),
        Some(record) => {
            let owner: Option<Rank> = record.owner;
            (owner, causes.of(session, at, record.session, record.life).await)
        }
    };
    Ok(Change::Removed { key: key.to_owned(), revision: at.unsigned_abs(), owner, cause })
}

/// Why keys went away; what lived with one lease went at one revision for one reason.
#[derive(Default)]
pub(super) struct Causes(HashMap<(i64, u64), (bool, bool)>);

impl Causes {
    /// Why a key that lived like this went away at revision `at`.
    pub(super) async fn of(&mut self, session: &Session, at: i64, owner: u64, life: Life) -> Cause {
        if life == Life::Permanent {
            return Cause::Deleted;
        }
        let (deleted, left) = match self.0.get(&(at, owner)) {
            Some(known) => *known,
            None => {
                let known = marks(session, at, owner).await;
                self.0.insert((at, owner), known);
                known
            }
        };
        match (deleted, life) {
            (true, _) => Cause::Deleted,
            (false, Life::Lease) => Cause::Expired,
            (false, _) if left => Cause::Left,
            (false, _) => Cause::Lost,
        }
    }
}

/// Whether there was a deletion by a caller at revision `at`, and whether the session had said goodbye by
/// then.
async fn marks(session: &Session, at: i64, owner: u64) -> (bool, bool) {
    let goodbye = session.names.numbered("b/", owner);
    let then = || Some(GetOptions::new().with_revision(at));
    let look = Txn::new()
        .and_then([TxnOp::get(session.names.fixed("del"), then()), TxnOp::get(goodbye.clone(), then())]);
    loop {
        let call = session.call(OPERATION);
        let answer = session.cluster.txn(&call, look.clone()).await;
        match answer.and_then(|answer| gets::<2>(&call, answer.op_responses())) {
            Ok([deletion, goodbye]) => {
                let deleted = deletion.kvs().iter().any(|mark| mark.mod_revision() == at);
                return (deleted, !goodbye.kvs().is_empty());
            }
            Err(error) if error.kind() == Kind::Timeout => {}
            Err(error) => {
                tracing::warn!(%error, "why a key went away cannot be found out any more");
                let now = session.cluster.get(&call, goodbye, GetOptions::new()).await;
                return (false, now.is_ok_and(|got| !got.kvs().is_empty()));
            }
        }
    }
}
