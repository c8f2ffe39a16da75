// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Completion: counts operations in flight, keeps the first error, and wakes the waiting thread.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

use mf_base::os::futex;
use mf_base::sync::lock;
use mf_base::{Error, Result};

/// Counter of operations in flight and their first error. One may serve a single operation or all of a pool,
/// and is reusable as soon as nothing is in flight.
#[derive(Debug, Default)]
pub struct Completion {
    pending: AtomicU32,
    /// Number of threads that sleep on `pending`.
    sleepers: AtomicU32,
    has_failed: AtomicBool,
    failed: Mutex<Option<Error>>,
    relay: Option<Relay>,
    /// The address of the completion of which it is a part; 0 if it is not a part.
    stands_for: usize,
    /// Only the ends of local memory were probed: see [`guard`](Self::guard).
    is_guarded: AtomicBool,
}

type Then = Box<dyn FnOnce(Result<()>) + Send>;

/// The function that is notified of the end; `None` once that was done.
struct Relay(Mutex<Option<Then>>);

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Relay")
    }
}

impl Completion {
    /// Nothing is in flight.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes one that passes its outcome to `then` the first time that nothing is in flight. For decorators:
    /// they begin an extra part before they post and end that part afterwards, so that this happens once.
    pub fn relaying(then: impl FnOnce(Result<()>) + Send + 'static) -> Self {
        Self { relay: Some(Relay(Mutex::new(Some(Box::new(then))))), ..Self::default() }
    }

    /// The same for a part of `outer`, which stays as long as this one is pending.
    pub fn relaying_to(outer: &Self, then: impl FnOnce(Result<()>) + Send + 'static) -> Self {
        let stands_for =
            if outer.stands_for == 0 { std::ptr::from_ref(outer).addr() } else { outer.stands_for };
        let is_guarded = AtomicBool::new(outer.is_guarded());
        Self { stands_for, is_guarded, ..Self::relaying(then) }
    }

    /// Local memory of gets that are posted on it from now on may have holes behind its first pages: the
    /// processor does not touch it unprobed.
    pub fn guard(&self) {
        self.is_guarded.store(true, Ordering::Release);
    }

    /// Returns true after [`guard`](Self::guard).
    #[inline]
    pub fn is_guarded(&self) -> bool {
        self.is_guarded.load(Ordering::Acquire)
    }

    /// Ends the guarding: nothing is in flight.
    pub fn unguard(&self) {
        self.is_guarded.store(false, Ordering::Release);
    }

    /// Returns true if it is `other`, or a part of it.
    #[inline]
    pub fn serves(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.stands_for == std::ptr::from_ref(other).addr()
    }

    /// Drops the function to notify; the operation was not started.
    pub fn abandon(&self) {
        drop(self.take_relay());
    }

    fn take_relay(&self) -> Option<Then> {
        self.relay.as_ref().and_then(|relay| lock(&relay.0).take())
    }

    /// `parts` more are in flight.
    #[inline]
    pub fn begin(&self, parts: u32) {
        self.pending.fetch_add(parts, Ordering::Relaxed);
    }

    /// Ends one part: local memory is not touched for it any more, and its writes are visible.
    #[inline]
    pub fn end(&self, result: Result<()>) {
        if let Err(error) = result {
            lock(&self.failed).get_or_insert(error);
            self.has_failed.store(true, Ordering::Release);
        }
        // Pairs with the acquire in `is_done`; in one order with `sleepers`, so that a sleeper is seen or
        // sees this.
        if self.pending.fetch_sub(1, Ordering::SeqCst) == 1 {
            if self.sleepers.load(Ordering::SeqCst) > 0 {
                futex::wake(&self.pending, u32::MAX >> 1);
            }
            if let Some(then) = self.take_relay() {
                then(self.outcome());
            }
        }
    }

    /// Counts a part that could not begin, of an operation with other parts.
    pub fn fail(&self, error: Error) {
        self.begin(1);
        self.end(Err(error));
    }

    /// `parts` that were begun will not happen, because of an error that the caller returns.
    #[inline]
    pub fn withdraw(&self, parts: u32) {
        if self.pending.fetch_sub(parts, Ordering::SeqCst) == parts
            && self.sleepers.load(Ordering::SeqCst) > 0
        {
            futex::wake(&self.pending, u32::MAX >> 1);
        }
    }

    /// Returns true if nothing is in flight.
    #[inline]
    pub fn is_done(&self) -> bool {
        // Pairs with the release in `end`: a thread that reads 0 sees the operations' writes.
        self.pending.load(Ordering::Acquire) == 0
    }

    /// Returns the number of parts in flight.
    #[inline]
    pub fn pending(&self) -> u32 {
        self.pending.load(Ordering::Acquire)
    }

    /// Sleeps until nothing is in flight, at most until `deadline`. Returns true if nothing is. Other threads
    /// must drive the connections.
    pub fn sleep(&self, deadline: Option<Instant>) -> bool {
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let done = loop {
            let pending = self.pending.load(Ordering::SeqCst);
            if pending == 0 {
                break true;
            }
            if !futex::wait_until(&self.pending, pending, deadline) {
                break self.is_done();
            }
        };
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        done
    }

    /// The first error since the last call.
    ///
    /// # Errors
    /// That one.
    #[inline]
    pub fn outcome(&self) -> Result<()> {
        if !self.has_failed.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut failed = lock(&self.failed);
        self.has_failed.store(false, Ordering::Release);
        failed.take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn first_error_is_returned_once() {
        let completion = Completion::new();
        completion.begin(3);
        completion.end(Ok(()));
        completion.end(Err(Error::invalid("test", "first")));
        assert!(!completion.is_done());
        completion.end(Err(Error::invalid("test", "second")));
        assert!(completion.is_done());
        assert!(completion.outcome().unwrap_err().to_string().contains("first"));
        completion.outcome().unwrap();
    }

    #[test]
    fn the_outcome_is_relayed_once() {
        let (sender, outcomes) = std::sync::mpsc::channel();
        let completion = Completion::relaying(move |outcome| sender.send(outcome.is_err()).unwrap());
        completion.begin(2);
        completion.end(Err(Error::invalid("test", "bad")));
        assert!(outcomes.try_recv().is_err());
        completion.end(Ok(()));
        assert!(outcomes.recv().unwrap());
        completion.begin(1);
        completion.end(Ok(()));
        assert!(outcomes.recv().is_err());
    }

    #[test]
    fn waiters_wake_at_the_last_completion_and_at_the_deadline() {
        let completion = Arc::new(Completion::new());
        completion.begin(2);
        assert!(!completion.sleep(Some(Instant::now() + std::time::Duration::from_millis(1))));
        let other = Arc::clone(&completion);
        let thread = std::thread::spawn(move || {
            other.end(Ok(()));
            other.end(Ok(()));
        });
        assert!(completion.sleep(None));
        thread.join().unwrap();
    }
}
