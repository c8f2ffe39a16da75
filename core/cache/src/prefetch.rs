// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prefetch: a queue of keys. Threads of the member bring their values to the memory of this host
//! (`fetch.rs`).
//!
//! A key that waits or is being fetched is queued once: later calls for it wait for the same fetch. Each call
//! has a deadline, after which its keys are fetched for nobody. So the queue is bounded in keys and in time.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mf_base::sync::lock;

use crate::fetch::Fetched;
use crate::key::Print;

/// Keys that may wait; later ones are dropped.
const KEYS_MAX: usize = 1 << 16;
/// Calls that may wait for one key.
const CALLS_MAX: usize = 1 << 10;
/// Longest deadline of a call.
const DEADLINE_MAX: Duration = Duration::from_secs(3600);

/// Results of a prefetch, in keys. The rest of `keys` is not done yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrefetchCounts {
    /// Keys of the call.
    pub keys: u64,
    /// Values that were in memory of this host already.
    pub present: u64,
    /// Values that came from a disk or from another host.
    pub fetched: u64,
    /// Keys without a value.
    pub missing: u64,
    /// Values that did not come: no room in memory, a disk or a member that does not answer, a bad key.
    pub failed: u64,
    /// Keys that the queue had no room for, or that were not done at the deadline.
    pub dropped: u64,
}

impl PrefetchCounts {
    fn left(&self) -> u64 {
        self.keys - self.present - self.fetched - self.missing - self.failed - self.dropped
    }

    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Fetched(Fetched::Present) => &mut self.present,
            Outcome::Fetched(Fetched::Moved) => &mut self.fetched,
            Outcome::Fetched(Fetched::Missing) => &mut self.missing,
            Outcome::Fetched(Fetched::Failed) => &mut self.failed,
            Outcome::Dropped => &mut self.dropped,
        } += 1;
    }
}

/// Outcome of a queued key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fetched(Fetched),
    Dropped,
}

/// State of one call.
#[derive(Debug)]
struct Call {
    counts: Mutex<PrefetchCounts>,
    changed: Condvar,
    deadline: Instant,
}

impl Call {
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Counts a key. Does nothing after the deadline: the key counts as dropped.
    fn settle(&self, outcome: Outcome) {
        let mut counts = lock(&self.counts);
        if !self.is_over() {
            counts.add(outcome);
            if counts.left() == 0 {
                self.changed.notify_all();
            }
        }
    }
}

/// A prefetch that runs in the background. Dropped, it goes on.
#[derive(Clone, Debug)]
pub struct Prefetch(Arc<Call>);

impl Prefetch {
    /// Returns true if all keys are done or the deadline has passed. **Local.**
    pub fn is_done(&self) -> bool {
        self.counts().left() == 0
    }

    /// Waits until all keys are done, until the deadline of the prefetch, or for at most `timeout`. Returns
    /// true if it is done.
    pub fn wait(&self, timeout: Duration) -> bool {
        let left = self.0.deadline.saturating_duration_since(Instant::now());
        let waited = self
            .0
            .changed
            .wait_timeout_while(lock(&self.0.counts), timeout.min(left), |counts| counts.left() > 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.is_done()
    }

    /// Returns the results up to now. They do not change any more when it is done. **Local.**
    pub fn counts(&self) -> PrefetchCounts {
        let mut counts = *lock(&self.0.counts);
        if self.0.is_over() {
            counts.dropped += counts.left();
        }
        counts
    }
}

/// A key that waits or is being fetched, and the calls that wait for it.
struct Job {
    key: Vec<u8>,
    calls: Vec<Arc<Call>>,
}

impl Job {
    /// Adds a call that waits for the key.
    fn add(&mut self, call: &Arc<Call>) {
        if self.calls.len() >= CALLS_MAX {
            self.calls.retain(|call| !call.is_over());
        }
        match self.calls.len() < CALLS_MAX {
            true => self.calls.push(Arc::clone(call)),
            false => call.settle(Outcome::Dropped),
        }
    }
}

#[derive(Default)]
struct Jobs {
    by_print: HashMap<Print, Job>,
    /// Keys that wait, the oldest first.
    order: VecDeque<Print>,
    is_closed: bool,
}

impl Jobs {
    /// Removes the next key with a call before its deadline from the order.
    fn next(&mut self) -> Option<(Print, Vec<u8>)> {
        while let Some(print) = self.order.pop_front() {
            let Some(job) = self.by_print.get_mut(&print) else { continue };
            job.calls.retain(|call| !call.is_over());
            if !job.calls.is_empty() {
                return Some((print, job.key.clone()));
            }
            self.by_print.remove(&print);
        }
        None
    }
}

/// Keys to fetch.
#[derive(Default)]
pub(crate) struct Queue {
    jobs: Mutex<Jobs>,
    work: Condvar,
}

/// A key that a thread fetches. Dropped without an outcome, by a panic, it has failed.
pub(crate) struct Fetch<'a> {
    queue: &'a Queue,
    print: Print,
    pub(crate) key: Vec<u8>,
    outcome: Fetched,
}

impl Fetch<'_> {
    pub(crate) fn finish(mut self, outcome: Fetched) {
        self.outcome = outcome;
    }
}

impl Drop for Fetch<'_> {
    fn drop(&mut self) {
        let job = lock(&self.queue.jobs).by_print.remove(&self.print);
        for call in job.iter().flat_map(|job| &job.calls) {
            call.settle(Outcome::Fetched(self.outcome));
        }
    }
}

impl Queue {
    /// Queues the keys of a call, each with its fingerprint; a key without one is bad.
    pub(crate) fn add<'a>(
        &self,
        keys: impl ExactSizeIterator<Item = (Option<Print>, &'a [u8])>,
        deadline: Duration,
    ) -> Prefetch {
        let counts = PrefetchCounts { keys: keys.len() as u64, ..PrefetchCounts::default() };
        let deadline = Instant::now() + deadline.min(DEADLINE_MAX);
        let call = Arc::new(Call { counts: Mutex::new(counts), changed: Condvar::new(), deadline });
        let mut jobs = lock(&self.jobs);
        for (print, key) in keys {
            let Some(print) = print.filter(|_| !jobs.is_closed) else {
                call.settle(Outcome::Fetched(Fetched::Failed));
                continue;
            };
            if let Some(job) = jobs.by_print.get_mut(&print) {
                job.add(&call);
            } else if jobs.order.len() < KEYS_MAX {
                jobs.by_print.insert(print, Job { key: key.to_vec(), calls: vec![Arc::clone(&call)] });
                jobs.order.push_back(print);
            } else {
                call.settle(Outcome::Dropped);
            }
        }
        drop(jobs);
        self.work.notify_all();
        Prefetch(call)
    }

    /// Waits for a key, for at most `longest`. `None`: none has come, or the queue is closed.
    pub(crate) fn next(&self, longest: Duration) -> Option<Fetch<'_>> {
        let is_idle = |jobs: &mut Jobs| jobs.order.is_empty() && !jobs.is_closed;
        let waited = self.work.wait_timeout_while(lock(&self.jobs), longest, is_idle);
        let (mut jobs, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let (print, key) = jobs.next()?;
        Some(Fetch { queue: self, print, key, outcome: Fetched::Failed })
    }

    /// Fails the keys that wait, and all later ones.
    pub(crate) fn close(&self) {
        let mut jobs = lock(&self.jobs);
        jobs.is_closed = true;
        let waiting: Vec<Print> = jobs.order.drain(..).collect();
        let ended: Vec<Job> = waiting.iter().filter_map(|print| jobs.by_print.remove(print)).collect();
        drop(jobs);
        self.work.notify_all();
        for call in ended.iter().flat_map(|job| &job.calls) {
            call.settle(Outcome::Fetched(Fetched::Failed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn print(number: u64) -> Print {
        Print { low: number, high: number }
    }

    fn add(queue: &Queue, numbers: &[u64], deadline: Duration) -> Prefetch {
        let keys: Vec<_> = numbers.iter().map(|number| number.to_le_bytes()).collect();
        let keys = numbers.iter().zip(&keys).map(|(number, key)| (Some(print(*number)), &key[..]));
        queue.add(keys.collect::<Vec<_>>().into_iter(), deadline)
    }

    fn next(queue: &Queue) -> Option<Fetch<'_>> {
        queue.next(Duration::ZERO)
    }

    #[test]
    fn calls_for_one_key_share_a_fetch() {
        let queue = Queue::default();
        let (one, two) = (add(&queue, &[1, 1, 2], HOUR), add(&queue, &[2, 3], HOUR));
        let fetch = next(&queue).unwrap();
        assert_eq!(fetch.key, 1u64.to_le_bytes());
        // Queued again while it is being fetched.
        let three = add(&queue, &[1], HOUR);
        fetch.finish(Fetched::Moved);
        next(&queue).unwrap().finish(Fetched::Present);
        let expected = PrefetchCounts { keys: 3, fetched: 2, present: 1, ..PrefetchCounts::default() };
        assert!(one.is_done() && one.wait(Duration::ZERO) && one.counts() == expected);
        assert!(three.is_done() && !two.is_done() && !two.wait(Duration::ZERO));
        next(&queue).unwrap().finish(Fetched::Missing);
        assert_eq!(two.counts(), PrefetchCounts { keys: 2, present: 1, missing: 1, ..<_>::default() });
        assert!(next(&queue).is_none());
        // After its end a key is fetched again.
        add(&queue, &[1], HOUR);
        assert!(next(&queue).is_some());
    }

    #[test]
    fn keys_are_dropped_at_the_deadline() {
        let queue = Queue::default();
        let over = add(&queue, &[1, 2], Duration::ZERO);
        let dropped = PrefetchCounts { keys: 2, dropped: 2, ..PrefetchCounts::default() };
        assert!(over.is_done() && over.wait(HOUR) && over.counts() == dropped);
        // Another call still wants one of them.
        let later = add(&queue, &[2], HOUR);
        assert_eq!(next(&queue).unwrap().key, 2u64.to_le_bytes());
        assert!(next(&queue).is_none());
        assert!(later.is_done() && over.counts() == dropped);
        assert_eq!(later.counts().failed, 1);
    }

    #[test]
    fn full_queue_drops_keys() {
        let queue = Queue::default();
        let numbers: Vec<u64> = (0..KEYS_MAX as u64 + 2).collect();
        let prefetch = add(&queue, &numbers, HOUR);
        assert_eq!((prefetch.counts().dropped, prefetch.is_done()), (2, false));
    }

    #[test]
    fn closed_queue_fails_keys() {
        let queue = Queue::default();
        let waiting = add(&queue, &[1, 2], HOUR);
        let fetch = next(&queue).unwrap();
        queue.close();
        assert_eq!((waiting.counts().failed, waiting.is_done()), (1, false));
        fetch.finish(Fetched::Moved);
        let late = add(&queue, &[3], HOUR);
        assert!(waiting.is_done() && late.counts().failed == 1 && next(&queue).is_none());
        let bad = Queue::default().add([(None, &b""[..])].into_iter(), HOUR);
        assert_eq!((bad.counts().failed, bad.is_done()), (1, true));
    }
}
