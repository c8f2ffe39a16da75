// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Dispatcher of watch callbacks. It runs them in the order of the changes, on a thread that exists only
//! while there are watches. Callbacks of the library that only take a note run at once, on the receiving
//! thread.
//!
//! Each delivery has a number. A caller with a reply that follows changes waits until the last of them was
//! delivered; so a change has reached the caller's own watches when the changing call returns. No lock is
//! held while a callback runs. Slow callbacks receive the last change of each key, as members that read
//! slowly do.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::ThreadId;
use std::time::Instant;

use mf_base::interrupt;
use mf_base::ops::waiting::wait_until;
use mf_base::os::service;
use mf_base::sync::{lock, wait_notified};
use mf_base::{Error, Kind, Result};

use crate::api::{Change, Leader, LeaderFn, MembersFn, ViewChange, WatchFn};

const OP: &str = "store watch";
/// When callbacks let more than this pile up, what waits is reduced to the last change of each key.
const MAX_WAITING_BYTES: usize = 32 << 20;
/// Overhead of a queued change in memory.
const CHANGE_BYTES: usize = 128;

/// The callback of a watch.
#[derive(Clone)]
pub(super) enum Callback {
    Keys(WatchFn),
    /// Runs no code of the program, and at once: on the thread that reads, which holds the session's lock.
    InPlace(WatchFn),
    Members(MembersFn),
    Leader(LeaderFn),
}

impl Callback {
    fn is_in_place(&self) -> bool {
        matches!(self, Self::InPlace(_))
    }
}

/// Its argument.
pub(super) enum Notification {
    Change(Arc<Change>),
    View(Arc<ViewChange>),
    Leader(Leader),
}

impl Notification {
    fn bytes(&self) -> usize {
        match self {
            Notification::Change(change) => match &**change {
                Change::Put(entry) => CHANGE_BYTES + entry.key.len() + entry.value.len(),
                change => CHANGE_BYTES + change.key().map_or(0, str::len),
            },
            Notification::View(change) => {
                CHANGE_BYTES * (1 + change.joined.len() + change.left.len() + change.dead.len())
            }
            Notification::Leader(_) => CHANGE_BYTES,
        }
    }
}

/// A delivery that waits for the callbacks before it.
struct Waiting {
    number: u64,
    watch: u64,
    news: Notification,
}

#[derive(Default)]
struct Inner {
    callbacks: HashMap<u64, Callback>,
    /// By the number of the delivery.
    queue: VecDeque<Waiting>,
    /// Of keys and values in the queue.
    bytes: usize,
    /// Size of the queue after its last reduction.
    reduced: usize,
    /// The watch with the running callback.
    running: Option<u64>,
    /// Numbers of the last delivery that was queued, and that is over.
    queued: u64,
    done: u64,
    thread: Option<ThreadId>,
    /// A thread was started and has not stored its id.
    starting: bool,
    closed: bool,
}

impl Inner {
    /// Keeps the last undelivered change of each key for each watch.
    fn reduce(&mut self) {
        let mut last: HashSet<(u64, &str)> = HashSet::new();
        let mut stays: Vec<bool> = self
            .queue
            .iter()
            .rev()
            .map(|waiting| match &waiting.news {
                Notification::Change(change) => {
                    change.key().is_none_or(|key| last.insert((waiting.watch, key)))
                }
                Notification::View(_) | Notification::Leader(_) => true,
            })
            .collect();
        self.queue.retain(|_| stays.pop().unwrap_or(true));
        self.bytes = self.queue.iter().map(|waiting| waiting.news.bytes()).sum();
        self.reduced = self.bytes;
    }
}

/// The watches of one session.
#[derive(Default)]
pub(super) struct Dispatcher {
    inner: Mutex<Inner>,
    /// Something was queued, the last watch ended, or it was closed.
    work: Condvar,
    /// A delivery is over.
    delivered: Condvar,
}

impl Dispatcher {
    /// Adds a callback, and the thread if it is the first that needs it.
    pub(super) fn add(self: &Arc<Self>, watch: u64, callback: Callback) -> Result<()> {
        let mut inner = lock(&self.inner);
        if inner.closed {
            return Ok(());
        }
        if !callback.is_in_place() && inner.thread.is_none() && !inner.starting {
            let this = Arc::clone(self);
            std::thread::Builder::new().name("mf-store-watch".to_owned()).spawn(move || this.run()).map_err(
                |error| {
                    Error::new(Kind::NoResources, OP)
                        .what("the thread for watch callbacks could not be started")
                        .source(error)
                },
            )?;
            inner.starting = true;
        }
        inner.callbacks.insert(watch, callback);
        Ok(())
    }

    /// Removes a callback. Returns false if it did not exist.
    pub(super) fn remove(&self, watch: u64) -> bool {
        let removed = lock(&self.inner).callbacks.remove(&watch);
        self.work.notify_one();
        // Dropped without the lock: its captures may be anything.
        removed.is_some()
    }

    /// Queues a delivery, or calls where that is done in place; returns the number to wait for.
    pub(super) fn push(&self, watch: u64, news: Notification) -> u64 {
        let mut inner = lock(&self.inner);
        if let Some(callback) = inner.callbacks.get(&watch).filter(|callback| callback.is_in_place()) {
            let (callback, queued) = (callback.clone(), inner.queued);
            drop(inner);
            call(&callback, &news);
            return queued;
        }
        if !inner.closed && inner.callbacks.contains_key(&watch) {
            inner.bytes += news.bytes();
            inner.queued += 1;
            let number = inner.queued;
            inner.queue.push_back(Waiting { number, watch, news });
            // Twice the size after the last reduction, so that the work stays in proportion.
            if inner.bytes > MAX_WAITING_BYTES.max(inner.reduced.saturating_mul(2)) {
                inner.reduce();
            }
            self.work.notify_one();
        }
        inner.queued
    }

    /// Waits until the delivery of that number is over, at most until `deadline`, or until the caller is
    /// interrupted. Not on the thread itself.
    pub(super) fn wait_for(&self, number: u64, deadline: Instant) {
        let is_over = |inner: &mut Inner| (inner.done >= number || inner.closed).then_some(());
        let _interrupted = wait_until(OP, &self.inner, &self.delivered, Some(deadline), is_over);
    }

    /// Waits until the callback of a watch does not run, at most until `deadline`. Not on the thread itself.
    pub(super) fn wait_while_running(&self, watch: u64, deadline: Instant) {
        self.wait_until(deadline, |inner| inner.running != Some(watch));
    }

    /// Waits, without interruption. Returns false at the deadline.
    fn wait_until(&self, deadline: Instant, is_so: impl Fn(&Inner) -> bool) -> bool {
        let ready = |inner: &mut Inner| is_so(inner).then_some(());
        let wait = || wait_until(OP, &self.inner, &self.delivered, Some(deadline), ready);
        interrupt::without(wait).is_ok_and(|found| found.is_some())
    }

    pub(super) fn is_this_thread(&self) -> bool {
        lock(&self.inner).thread == Some(std::thread::current().id())
    }

    /// Drops all watches and their undelivered changes.
    pub(super) fn close(&self) {
        let dropped = {
            let mut inner = lock(&self.inner);
            inner.closed = true;
            (std::mem::take(&mut inner.callbacks), std::mem::take(&mut inner.queue))
        };
        self.work.notify_one();
        self.delivered.notify_all();
        drop(dropped);
    }

    /// After [`close`](Self::close): waits for the running callback to return. Returns false if it did not
    /// until `deadline`.
    pub(super) fn wait_for_end(&self, deadline: Instant) -> bool {
        self.wait_until(deadline, |inner| inner.thread.is_none() && !inner.starting)
    }

    /// Ends the thread after the queued deliveries; for the last notification, when no watches remain.
    pub(super) fn end_after_queue(&self) {
        let mut inner = lock(&self.inner);
        // A watch that will not be notified any more is dropped with its callback, which may own anything.
        let Inner { callbacks, queue, .. } = &mut *inner;
        let awaited: Vec<u64> = queue.iter().map(|waiting| waiting.watch).collect();
        let silent: Vec<u64> = callbacks.keys().copied().filter(|watch| !awaited.contains(watch)).collect();
        let dropped: Vec<_> = silent.iter().filter_map(|watch| callbacks.remove(watch)).collect();
        drop(inner);
        self.work.notify_one();
        drop(dropped);
    }

    fn run(&self) {
        let mut inner = lock(&self.inner);
        inner.thread = Some(std::thread::current().id());
        inner.starting = false;
        loop {
            if let Some(Waiting { number, watch, news }) = inner.queue.pop_front() {
                inner.bytes = inner.bytes.saturating_sub(news.bytes());
                let last =
                    matches!(&news, Notification::Change(change) if matches!(**change, Change::StoreLost));
                let callback =
                    if last { inner.callbacks.remove(&watch) } else { inner.callbacks.get(&watch).cloned() };
                inner.running = callback.is_some().then_some(watch);
                drop(inner);
                if let Some(callback) = callback {
                    call(&callback, &news);
                }
                inner = lock(&self.inner);
                inner.running = None;
                // Earlier deliveries that were left out are over, too.
                inner.done = number;
                self.delivered.notify_all();
            } else if inner.closed || inner.callbacks.values().all(Callback::is_in_place) {
                inner.thread = None;
                self.delivered.notify_all();
                return;
            } else {
                inner = wait_notified(&self.work, inner);
            }
        }
    }
}

fn call(callback: &Callback, news: &Notification) {
    // A panic must not end the thread that all other watches wait for. It was logged.
    let _logged = service::catch(|| match (callback, news) {
        (Callback::Keys(callback) | Callback::InPlace(callback), Notification::Change(change)) => {
            callback(change);
        }
        (Callback::Members(callback), Notification::View(change)) => callback(change),
        (Callback::Leader(callback), Notification::Leader(leader)) => callback(leader),
        _ => {}
    });
}
