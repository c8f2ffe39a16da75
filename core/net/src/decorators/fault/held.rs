// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Held operations: delayed ones, and dropped ones until their deadline. One thread, started with the first
//! one, posts them in time.

use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};
use mf_transport::{Completion, OwnedOperation, Peer, Transport};

/// One operation that is held back; it counts as one part of its completion.
pub(super) struct Entry {
    pub(super) peer: Peer,
    /// When it is posted.
    pub(super) at: Instant,
    pub(super) deadline: Instant,
    pub(super) completion: Arc<Completion>,
    /// The operation to start then; `None`: it ends then.
    pub(super) operation: Option<OwnedOperation>,
}

impl Entry {
    fn release(self, inner: &dyn Transport) {
        let ended = match &self.operation {
            Some(_) if Instant::now() >= self.deadline => Err(timeout(self.peer)),
            None => Err(timeout(self.peer)),
            Some(owned) => {
                // SAFETY: the caller that posted it keeps its memory until the part that it counts as has
                // ended, below.
                unsafe { inner.post(self.peer, &owned.operation(), &self.completion, self.deadline) }
            }
        };
        self.completion.end(ended);
    }
}

fn timeout(peer: Peer) -> Error {
    Error::new(Kind::Timeout, "transport")
        .what(format!("{peer} did not answer"))
        .with("rank", peer.rank_fact())
}

#[derive(Default)]
struct Waiting {
    entries: Vec<Entry>,
    /// Peers with entries that are being posted at this moment.
    leaving: Vec<Peer>,
    has_thread: bool,
    is_closed: bool,
}

/// All that is held back.
#[derive(Default)]
pub(super) struct Held {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Held {
    /// Holds an operation back after its part has begun.
    pub(super) fn add(self: &Arc<Self>, entry: Entry, inner: &Arc<dyn Transport>) {
        let mut waiting = lock(&self.waiting);
        if waiting.is_closed {
            drop(waiting);
            entry.completion.end(Err(gone(entry.peer)));
            return;
        }
        waiting.entries.push(entry);
        if !waiting.has_thread {
            waiting.has_thread = true;
            let (held, inner) = (Arc::downgrade(self), Arc::downgrade(inner));
            let started = thread::spawn("mf-net-fault", move || while step(&held, &inner) {});
            waiting.has_thread = started.is_ok();
        }
        drop(waiting);
        self.changed.notify_all();
    }

    /// Ends held operations, of one peer or of all.
    pub(super) fn end(&self, peer: Option<Peer>, closes: bool) {
        let mut waiting = lock(&self.waiting);
        waiting.is_closed |= closes;
        let of_it = |entry: &mut Entry| peer.is_none_or(|peer| peer == entry.peer);
        let ended: Vec<Entry> = waiting.entries.extract_if(.., of_it).collect();
        drop(waiting);
        for entry in ended {
            entry.completion.end(Err(gone(entry.peer)));
        }
        self.changed.notify_all();
    }

    /// Waits until no operation is held, of one peer or of all.
    pub(super) fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()> {
        let mut waiting = lock(&self.waiting);
        loop {
            let all = waiting.entries.iter().map(|entry| entry.peer).chain(waiting.leaving.iter().copied());
            let Some(slow) = all.into_iter().find(|held| peer.is_none_or(|peer| peer == *held)) else {
                return Ok(());
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::new(Kind::Timeout, "transport flush")
                    .what(format!("{slow} is not done"))
                    .with("rank", slow.rank_fact()));
            }
            waiting = wait_notified_for(&self.changed, waiting, left);
        }
    }
}

pub(super) fn gone(peer: Peer) -> Error {
    Error::new(Kind::NotConnected, "transport")
        .what(format!("the connection to {peer} has ended"))
        .with("rank", peer.rank_fact())
}

/// Runs one turn of the thread. Returns false if it is not needed any more.
fn step(held: &Weak<Held>, inner: &Weak<dyn Transport>) -> bool {
    let (Some(held), Some(inner)) = (held.upgrade(), inner.upgrade()) else { return false };
    let mut waiting = lock(&held.waiting);
    if waiting.is_closed {
        return false;
    }
    let now = Instant::now();
    let due: Vec<Entry> = waiting.entries.extract_if(.., |entry| entry.at <= now).collect();
    if due.is_empty() {
        let next = waiting.entries.iter().map(|entry| entry.at).min();
        // Not for ever: the transport may be dropped without a word.
        let pause =
            next.map_or(Duration::from_millis(100), |next| next - now).min(Duration::from_millis(100));
        drop(held.changed.wait_timeout(waiting, pause));
        return true;
    }
    waiting.leaving = due.iter().map(|entry| entry.peer).collect();
    drop(waiting);
    for entry in due {
        entry.release(&*inner);
    }
    lock(&held.waiting).leaving.clear();
    held.changed.notify_all();
    true
}
