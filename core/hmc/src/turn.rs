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
/// The value is behind a mutex of its own, which is never contended: the turns decide which thread locks it.
pub(crate) struct Turn<T> {
    value: Mutex<T>,
    line: Mutex<Line>,
    freed: Condvar,
}

impl<T: Default> Default for Turn<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

#[derive(Default)]
struct Line {
    is_taken: bool,
    waiting: u32,
}

impl<T> Turn<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), line: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits for its turn, and runs `body`.
    ///
    /// # Errors
    /// Errors of [`Wait::check`], and of `body`.
    pub(crate) fn with<R>(
        &self,
        wait: &mut Wait,
        body: impl FnOnce(&mut T, &mut Wait) -> Result<R>,
    ) -> Result<R> {
        let mut line = lock(&self.line);
        while line.is_taken {
            line.waiting += 1;
            line = wait_notified_for(&self.freed, line, wait.pause());
            line.waiting -= 1;
            if line.is_taken {
                // The program's check is called without a lock.
                drop(line);
                wait.check()?;
                line = lock(&self.line);
            }
        }
        line.is_taken = true;
        drop(line);
        // Declared first, so dropped last: after the lock of the value.
        let _turn = Back(self);
        body(&mut lock(&self.value), wait)
    }
}

impl<T> Turn<T> {
    /// Runs `body` at once, unless another thread has the turn. Never calls the program.
    pub(crate) fn try_with<R>(&self, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        if std::mem::replace(&mut lock(&self.line).is_taken, true) {
            return None;
        }
        let _turn = Back(self);
        Some(body(&mut lock(&self.value)))
    }
}

/// Passes the turn on, also when the body panics.
struct Back<'a, T>(&'a Turn<T>);

impl<T> Drop for Back<'_, T> {
    fn drop(&mut self) {
        let mut line = lock(&self.0.line);
        line.is_taken = false;
        if line.waiting > 0 {
            self.0.freed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_for_a_turn_ends_at_the_deadline() {
        let turn = Turn::new(0);
        let outcome = turn.with(&mut Wait::new("test", None), |value, _| {
            *value += 1;
            let second = std::thread::scope(|scope| {
                let waiting = scope.spawn(|| {
                    turn.with(&mut Wait::new("test", Some(Duration::from_millis(1))), |_, _| Ok(()))
                });
                waiting.join().unwrap()
            });
            assert_eq!(second.unwrap_err().kind(), Kind::Timeout);
            assert_eq!(turn.try_with(|value| *value), None);
            Ok(*value)
        });
        assert_eq!(outcome.unwrap(), 1);
        assert_eq!(
            turn.with(&mut Wait::new("test", Some(Duration::ZERO)), |value, _| Ok(*value)).unwrap(),
            1
        );
        assert_eq!(turn.try_with(|value| *value), Some(1));
    }

    #[test]
    fn every_thread_has_its_turn() {
        let turn = Turn::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let mut wait = Wait::new("test", None);
                        turn.with(&mut wait, |value, _| {
                            *value += 1;
                            Ok(())
                        })
                        .unwrap();
                    }
                });
            }
        });
        assert_eq!(turn.with(&mut Wait::new("test", None), |value, _| Ok(*value)).unwrap(), 4000);
    }
}
