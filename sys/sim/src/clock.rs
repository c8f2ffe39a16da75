// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The time by which timeouts expire and events are stamped: monotonic, and a test may set it forward.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, MutexGuard};
use std::sync::{OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// By how much the time was set forward, in nanoseconds.
static AHEAD: AtomicU64 = AtomicU64::new(0);

/// Longest sleep of a wait that has other things to look at: the time, and whether it was cancelled.
pub const SLICE: Duration = Duration::from_millis(5);

/// Time since the simulator was first asked for it.
pub fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed() + Duration::from_nanos(AHEAD.load(Ordering::Relaxed))
}

/// Advances the time: waits expire at their timeout.
pub fn advance(by: Duration) {
    AHEAD.fetch_add(u64::try_from(by.as_nanos()).unwrap_or(u64::MAX / 2), Ordering::Relaxed);
}

/// The end of a wait.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Duration>);

impl Deadline {
    /// A wait without end.
    pub const NEVER: Self = Self(None);

    /// Returns a deadline after this time; never for `None`.
    pub fn after(time: Option<Duration>) -> Self {
        Self(time.map(|time| now() + time))
    }

    /// Returns true if the deadline has passed.
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| now() >= end)
    }

    /// Returns the time left; `None` for no deadline.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_sub(now()))
    }

    /// The earlier of both.
    #[must_use]
    pub fn or_earlier(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some(one), Some(two)) => Self(Some(one.min(two))),
            (one, two) => Self(one.or(two)),
        }
    }

    /// Returns the sleep time until the next check.
    pub fn slice(self) -> Duration {
        self.0.map_or(SLICE, |end| end.saturating_sub(now()).min(SLICE))
    }
}

/// Sleeps until woken or, with a deadline, for a slice at most.
pub(crate) fn wait<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Deadline,
) -> MutexGuard<'a, T> {
    if deadline.0.is_none() {
        return condvar.wait(guard).unwrap_or_else(PoisonError::into_inner);
    }
    wait_slice(condvar, guard, deadline)
}

/// Sleeps until woken, for a slice at most.
pub(crate) fn wait_slice<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Deadline,
) -> MutexGuard<'a, T> {
    condvar.wait_timeout(guard, deadline.slice()).unwrap_or_else(PoisonError::into_inner).0
}
