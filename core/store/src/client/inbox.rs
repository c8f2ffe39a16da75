// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where what the store says arrives: replies wake their callers, changes run callbacks.
//!
//! One reader thread calls [`Inbox::deliver`] for each message in the order of arrival, and [`Inbox::ended`] once at
//! the end. No lock is held while a callback runs.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use mf_base::Kind;

use super::locked;
use crate::api::{Change, WatchFn};
use crate::protocol::{Answer, Failure};

/// A message of the store to a member.
pub(crate) enum Incoming {
    Reply { sequence: u64, result: Result<Answer, Failure> },
    Change { watch: u64, change: Arc<Change> },
}

/// The place where one caller waits for its reply.
#[derive(Default)]
pub(crate) struct Slot {
    result: Mutex<Option<Result<Answer, Failure>>>,
    filled: Condvar,
}

impl Slot {
    fn fill(&self, result: Result<Answer, Failure>) {
        *locked(&self.result) = Some(result);
        self.filled.notify_one();
    }

    /// The reply, or none when `deadline` passed.
    pub(crate) fn take(&self, deadline: Instant) -> Option<Result<Answer, Failure>> {
        let mut result = locked(&self.result);
        loop {
            if result.is_some() {
                return result.take();
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            result = self.filled.wait_timeout(result, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[derive(Default)]
struct Pending {
    slots: HashMap<u64, Arc<Slot>>,
    /// Set when nothing will arrive any more.
    ended: Option<Failure>,
}

/// The receiving side of a session.
#[derive(Default)]
pub(crate) struct Inbox {
    pending: Mutex<Pending>,
    watches: Mutex<HashMap<u64, WatchFn>>,
    reader: OnceLock<ThreadId>,
    /// Set before a goodbye: the end that follows is no loss.
    closing: AtomicBool,
    ended: Mutex<bool>,
    has_ended: Condvar,
}

impl Inbox {
    /// Opens the place for a reply.
    pub(crate) fn expect(&self, sequence: u64) -> Result<Arc<Slot>, Failure> {
        let mut pending = locked(&self.pending);
        if let Some(failure) = &pending.ended {
            return Err(failure.clone());
        }
        let slot = Arc::new(Slot::default());
        pending.slots.insert(sequence, Arc::clone(&slot));
        Ok(slot)
    }

    /// Gives up on a reply.
    pub(crate) fn forget(&self, sequence: u64) {
        locked(&self.pending).slots.remove(&sequence);
    }

    pub(crate) fn add_watch(&self, watch: u64, callback: WatchFn) {
        locked(&self.watches).insert(watch, callback);
    }

    /// Whether there was such a watch.
    pub(crate) fn remove_watch(&self, watch: u64) -> bool {
        // The callback is dropped after the lock: its captures may be anything.
        let removed = locked(&self.watches).remove(&watch);
        removed.is_some()
    }

    pub(crate) fn is_connected(&self) -> bool {
        locked(&self.pending).ended.is_none() && !self.closing.load(Ordering::Acquire)
    }

    /// Says that this thread is the one that delivers.
    pub(crate) fn reader_is_here(&self) {
        // The first one stays; there is only one.
        let _ = self.reader.set(std::thread::current().id());
    }

    pub(crate) fn on_reader_thread(&self) -> bool {
        self.reader.get() == Some(&std::thread::current().id())
    }

    /// Says that the end that comes is wanted.
    pub(crate) fn closing(&self) {
        self.closing.store(true, Ordering::Release);
    }

    pub(crate) fn deliver(&self, incoming: Incoming) {
        match incoming {
            Incoming::Reply { sequence, result } => {
                // A reply that nobody waits for came after its caller's deadline.
                let slot = locked(&self.pending).slots.remove(&sequence);
                if let Some(slot) = slot {
                    slot.fill(result);
                }
            }
            Incoming::Change { watch, change } => {
                let callback = locked(&self.watches).get(&watch).cloned();
                if let Some(callback) = callback
                    && !self.closing.load(Ordering::Acquire)
                {
                    run(&callback, &change);
                }
            }
        }
    }

    /// Says that nothing will arrive any more: all that wait fail, and watches hear of it unless it was wanted.
    pub(crate) fn ended(&self, why: &str) {
        let wanted = self.closing.load(Ordering::Acquire);
        let what = if wanted { "this store client is closed" } else { why };
        let failure = Failure::new(Kind::NotConnected, what);
        let slots = {
            let mut pending = locked(&self.pending);
            pending.ended = Some(failure.clone());
            std::mem::take(&mut pending.slots)
        };
        for slot in slots.into_values() {
            slot.fill(Err(failure.clone()));
        }
        let watches = std::mem::take(&mut *locked(&self.watches));
        if !wanted {
            for callback in watches.values() {
                run(callback, &Change::StoreLost);
            }
        }
        drop(watches);
        *locked(&self.ended) = true;
        self.has_ended.notify_all();
    }

    /// Whether the reader has ended within `limit`.
    pub(crate) fn wait_until_ended(&self, limit: Duration) -> bool {
        let ended = locked(&self.ended);
        let waited = self.has_ended.wait_timeout_while(ended, limit, |ended| !*ended);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

fn run(callback: &WatchFn, change: &Change) {
    // A panic must not end the thread that all other calls of this client wait for.
    if catch_unwind(AssertUnwindSafe(|| callback(change))).is_err() {
        tracing::error!(key = change.key().unwrap_or_default(), "a store watch callback panicked");
    }
}
