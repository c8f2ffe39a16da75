// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Batches of an endpoint without a store: started by a call that does not wait, and polled by number.
//!
//! Nobody releases a batch: the last outcomes are kept. Batches to one destination are performed in
//! order, those to different destinations in parallel, by threads of [`WorkQueue`]; batches on a stream by
//! the stream.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use mf_base::ops::queue::{Job, Limits, Refusal};
use mf_base::ops::{Operation, WorkQueue};
use mf_base::os::service::Panicked;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_transport::Span;

use super::endpoint::EndpointInner;
use super::work::{DESTROYED, Spans};

const OP: &str = "trans batch";
/// Number of outcomes that are kept.
pub(super) const KEPT: usize = 65_536;
const LIMITS: Limits = Limits {
    name: "mf-batch",
    threads: 16,
    width: 1,
    waiting: usize::MAX,
    idle: Duration::from_secs(1),
    calls_program: false,
};

/// Pieces between memory here and memory of the endpoint at an address.
pub(super) struct Batch {
    endpoint: Weak<EndpointInner>,
    destination: Arc<str>,
    spans: Spans,
    is_write: bool,
}

impl Batch {
    /// # Safety
    /// Local memory of the pieces is valid until the batch has ended.
    pub(super) unsafe fn new(
        endpoint: Weak<EndpointInner>,
        destination: &str,
        spans: Vec<Span>,
        is_write: bool,
    ) -> Self {
        Self { endpoint, destination: destination.into(), spans: Spans(spans), is_write }
    }

    fn run(&self) -> Result<()> {
        let gone = || Error::new(Kind::Cancelled, OP).what(DESTROYED);
        let endpoint = self.endpoint.upgrade().filter(|endpoint| !endpoint.is_over()).ok_or_else(gone)?;
        // SAFETY: the maker of the batch vouches for local memory until it has ended.
        unsafe { endpoint.copy_directly(&self.destination, &self.spans.0, self.is_write) }
    }
}

/// A started batch, under its number.
pub(super) struct StartedBatch {
    number: u64,
    destination: Arc<str>,
    operation: Operation<Batch>,
    history: Arc<Mutex<History<Arc<Self>>>>,
}

impl StartedBatch {
    /// Returns its number.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Performs it, if nobody has begun it.
    pub(super) fn perform(&self) {
        let Some(batch) = self.operation.begin() else { return };
        let outcome = batch.run();
        drop(batch);
        self.end(outcome);
    }

    fn end(&self, outcome: Result<()>) {
        self.operation.end(outcome);
        lock(&self.history).ended(self.number);
    }
}

/// The queue's share of a batch.
struct Queued(Arc<StartedBatch>);

impl Job for Queued {
    type Key = Arc<str>;
    type Batch = Self;

    fn key(&self) -> Arc<str> {
        Arc::clone(&self.0.destination)
    }

    fn take(first: Self, _: &mut VecDeque<Self>, _: usize) -> Self {
        first
    }

    fn run(batch: &mut Self) {
        batch.0.perform();
    }

    fn panicked(batch: &mut Self, _: &Panicked) {
        batch.0.end(Err(Error::new(Kind::Failed, OP).what("the batch panicked")));
    }
}

/// All batches of an endpoint.
pub(super) struct Batches {
    queue: WorkQueue<Queued>,
    history: Arc<Mutex<History<Arc<StartedBatch>>>>,
}

impl Default for Batches {
    fn default() -> Self {
        Self { queue: WorkQueue::new(LIMITS), history: Arc::new(Mutex::new(History::new(KEPT))) }
    }
}

impl Batches {
    /// Gives a batch its number; it does not begin.
    pub(super) fn add(&self, batch: Batch) -> Arc<StartedBatch> {
        let destination = Arc::clone(&batch.destination);
        let history = Arc::clone(&self.history);
        lock(&self.history).add(|number| {
            Arc::new(StartedBatch { number, destination, operation: Operation::new(batch, None), history })
        })
    }

    /// Queues a batch behind earlier ones to its destination. Returns its number.
    ///
    /// # Errors
    /// `NoResources` no thread can be started · `Cancelled` the endpoint was destroyed.
    pub(super) fn start(&self, batch: Batch) -> Result<u64> {
        let started = self.add(batch);
        self.queue.submit(Queued(Arc::clone(&started))).map_err(|(refusal, _)| {
            self.remove(&started);
            match refusal {
                Refusal::NoThread(error) => {
                    Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
                }
                Refusal::Closed | Refusal::Full => Error::new(Kind::Cancelled, OP).what(DESTROYED),
            }
        })?;
        Ok(started.number)
    }

    /// Removes a batch that was refused, so that nobody waits for it.
    pub(super) fn remove(&self, batch: &StartedBatch) {
        lock(&self.history).remove(batch.number);
    }

    /// Returns true if the batch is done.
    ///
    /// # Errors
    /// The reason of its failure, each time · `InvalidParam` unknown number.
    pub(super) fn poll(&self, number: u64) -> Result<bool> {
        let found = lock(&self.history).get(number).cloned();
        let batch = found.ok_or_else(|| {
            Error::invalid(OP, "unknown batch")
                .with("batch", number)
                .hint(format!("the outcomes of the last {KEPT} ended batches are kept"))
        })?;
        batch.operation.poll().transpose().map(|ended| ended.is_some())
    }

    /// Refuses further batches, and ends the waiting ones.
    pub(super) fn close(&self) {
        for Queued(batch) in self.queue.close() {
            batch.end(Err(Error::new(Kind::Cancelled, OP)
                .what(DESTROYED)
                .with("endpoint", batch.destination.escape_debug())));
        }
    }

    /// Waits until none is performed, except on the calling thread.
    pub(super) fn wait(&self) {
        self.queue.wait();
    }
}

/// Entries under increasing numbers: all running ones, and the last ended ones.
struct History<T> {
    entries: HashMap<u64, T>,
    ended: VecDeque<u64>,
    last: u64,
    kept: usize,
}

impl<T> History<T> {
    fn new(kept: usize) -> Self {
        Self { entries: HashMap::new(), ended: VecDeque::new(), last: 0, kept }
    }

    /// Adds the entry that `make` returns for its number: 1, 2, 3 …
    fn add(&mut self, make: impl FnOnce(u64) -> T) -> T
    where
        T: Clone,
    {
        self.last += 1;
        let entry = make(self.last);
        self.entries.insert(self.last, entry.clone());
        entry
    }

    fn get(&self, number: u64) -> Option<&T> {
        self.entries.get(&number)
    }

    fn remove(&mut self, number: u64) {
        self.entries.remove(&number);
    }

    /// Marks an entry as ended, and removes the oldest ended one beyond the limit.
    fn ended(&mut self, number: u64) {
        if !self.entries.contains_key(&number) {
            return;
        }
        self.ended.push_back(number);
        if self.ended.len() > self.kept
            && let Some(oldest) = self.ended.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_ended_entries_are_kept_and_running_ones_all() {
        let mut history = History::new(2);
        let numbers: Vec<u64> = (0..5).map(|_| history.add(|number| number)).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        for number in [3, 1, 4, 9] {
            history.ended(number);
        }
        let known: Vec<u64> = (0..7).filter(|number| history.get(*number).is_some()).collect();
        assert_eq!(known, [1, 2, 4, 5]);
        history.remove(5);
        history.ended(5);
        assert!(history.get(5).is_none());
        assert_eq!(history.ended, [1, 4]);
    }
}
