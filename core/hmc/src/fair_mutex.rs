// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interruptible waits of calls, and a fair lock over them.

use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::interrupt::{InterruptPoll, SLICE};
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};

/// Longest sleep of a wait without limit.
const LONG: Duration = Duration::from_secs(3600);

/// Wait of one call: until its deadline, if it has one, and until the program interrupts it.
pub(crate) struct Wait {
    operation: &'static str,
    deadline: Option<Instant>,
    limit: Option<Duration>,
    interrupt: InterruptPoll,
}

impl Wait {
    /// Begins a wait; `None`: without limit.
    pub(crate) fn new(operation: &'static str, limit: Option<Duration>) -> Self {
        // A limit beyond the clock's range is no limit.
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        Self { operation, deadline, limit, interrupt: InterruptPoll::new() }
    }

    /// Returns true if the call has a deadline.
    pub(crate) fn is_limited(&self) -> bool {
        self.deadline.is_some()
    }

    /// Returns true if more than a [`SLICE`] is left.
    pub(crate) fn is_long(&self) -> bool {
        self.deadline.is_none_or(|end| end.saturating_duration_since(Instant::now()) > SLICE)
    }

    /// Returns true if the program may interrupt it.
    pub(crate) fn may_be_left(&self) -> bool {
        self.interrupt.within(LONG) < LONG
    }

    /// Returns the time to sleep now.
    pub(crate) fn pause(&self) -> Duration {
        let left = self.deadline.map_or(LONG, |end| end.saturating_duration_since(Instant::now()));
        self.interrupt.within(left)
    }

    /// Checks after a sleep that the wait may go on.
    ///
    /// # Errors
    /// `Interrupted` · `Timeout`, to which the caller adds the peer.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.interrupt.check(self.operation)?;
        match self.deadline {
            Some(end) if Instant::now() >= end => Err(Error::new(Kind::Timeout, self.operation)
                .with("waited_ms", self.limit.unwrap_or_default().as_millis())),
            _ => Ok(()),
        }
    }
}

/// Fair lock: threads get the value in the order in which they came, and wait for it as [`Wait`] allows.
///
/// The value is behind a mutex of its own, which is never contended: the state decides which thread locks it.
pub(crate) struct FairMutex<T> {
    value: Mutex<T>,
    state: Mutex<LockState>,
    freed: Condvar,
}

impl<T: Default> Default for FairMutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

#[derive(Default)]
struct LockState {
    is_taken: bool,
    waiting: u32,
}

impl<T> FairMutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), state: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits for the lock, and runs `body`.
    ///
    /// # Errors
    /// Errors of [`Wait::check`], and of `body`.
    pub(crate) fn with<R>(
        &self,
        wait: &mut Wait,
        body: impl FnOnce(&mut T, &mut Wait) -> Result<R>,
    ) -> Result<R> {
        let mut state = lock(&self.state);
        while state.is_taken {
            state.waiting += 1;
            state = wait_notified_for(&self.freed, state, wait.pause());
            state.waiting -= 1;
            if state.is_taken {
                // The program's check is called without a lock.
                drop(state);
                wait.check()?;
                state = lock(&self.state);
            }
        }
        state.is_taken = true;
        drop(state);
        // Declared first, so dropped last: after the lock of the value.
        let _release = Release(self);
        body(&mut lock(&self.value), wait)
    }
}

impl<T> FairMutex<T> {
    /// Runs `body` at once, unless another thread has the lock. Never calls the program.
    pub(crate) fn try_with<R>(&self, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        if std::mem::replace(&mut lock(&self.state).is_taken, true) {
            return None;
        }
        let _release = Release(self);
        Some(body(&mut lock(&self.value)))
    }
}

/// Guard: releases the lock, also when the body panics.
struct Release<'a, T>(&'a FairMutex<T>);

impl<T> Drop for Release<'_, T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.is_taken = false;
        if state.waiting > 0 {
            self.0.freed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_wait_ends_at_the_deadline() {
        let mutex = FairMutex::new(0);
        let outcome = mutex.with(&mut Wait::new("test", None), |value, _| {
            *value += 1;
            let second = std::thread::scope(|scope| {
                let waiting = scope.spawn(|| {
                    mutex.with(&mut Wait::new("test", Some(Duration::from_millis(1))), |_, _| Ok(()))
                });
                waiting.join().unwrap()
            });
            assert_eq!(second.unwrap_err().kind(), Kind::Timeout);
            assert_eq!(mutex.try_with(|value| *value), None);
            Ok(*value)
        });
        assert_eq!(outcome.unwrap(), 1);
        assert_eq!(
            mutex.with(&mut Wait::new("test", Some(Duration::ZERO)), |value, _| Ok(*value)).unwrap(),
            1
        );
        assert_eq!(mutex.try_with(|value| *value), Some(1));
    }

    #[test]
    fn every_thread_gets_the_lock() {
        let mutex = FairMutex::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let mut wait = Wait::new("test", None);
                        mutex
                            .with(&mut wait, |value, _| {
                                *value += 1;
                                Ok(())
                            })
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(mutex.with(&mut Wait::new("test", None), |value, _| Ok(*value)).unwrap(), 4000);
    }
}
