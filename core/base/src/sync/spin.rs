// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Polling for a short time before a sleep in the kernel, for waits for a reply or the next request, of a
//! caller or a store.
//!
//! Going to sleep and waking up costs more than a store on the same host needs for its answer, but a polling
//! thread takes the core from the thread that computes that answer. So: never with one core; a few polls are
//! followed by a yield, so that other threads get the core; and only as long as it pays.

use std::time::{Duration, Instant};

use super::pace::have_a_core_each;

/// Longest spin, unless the waiter names another: about the cost of a sleep and a wake-up.
const LIMIT: Duration = Duration::from_micros(60);
/// Polls between two yields: a yield takes as long as a poll of a socket, and delays the data found.
const POLLS: u32 = 4;
/// A pause between two yields above this means that another thread has work for the core: more than a thread
/// that wakes up, checks and sleeps again.
const TAKEN: Duration = Duration::from_micros(100);

/// History of one waiter.
#[derive(Debug)]
pub struct Spin {
    backoff: Backoff,
    limit: Duration,
}

impl Default for Spin {
    fn default() -> Self {
        Self::up_to(LIMIT)
    }
}

/// One spin.
pub struct Spinning {
    limit: Duration,
    end: Instant,
    last: Instant,
    polls: u32,
}

impl Spin {
    /// Of a waiter that spins for at most `limit`.
    pub const fn up_to(limit: Duration) -> Self {
        Self { backoff: Backoff::new(), limit }
    }

    /// Returns a spin if one is worthwhile now.
    pub fn begin(&mut self) -> Option<Spinning> {
        if !have_a_core_each(2) || self.backoff.skips() {
            return None;
        }
        let now = Instant::now();
        Some(Spinning { limit: self.limit, end: now + self.limit, last: now, polls: 0 })
    }

    /// The event arrived while it spun.
    pub fn found(&mut self) {
        self.backoff = Backoff::new();
    }

    /// It did not.
    pub fn missed(&mut self) {
        self.backoff.back_off();
    }
}

impl Spinning {
    /// An event arrived: the limit counts from here on.
    pub fn restart(&mut self) {
        self.last = Instant::now();
        self.end = self.last + self.limit;
    }

    /// Returns true to poll again; now and then gives others the core for a moment.
    #[inline]
    pub fn again(&mut self) -> bool {
        self.polls += 1;
        if !self.polls.is_multiple_of(POLLS) {
            return true;
        }
        std::thread::yield_now();
        let now = Instant::now();
        let taken = now.saturating_duration_since(self.last) > TAKEN;
        self.last = now;
        !taken && now < self.end
    }
}

/// Waits that sleep at once, learned from earlier ones.
#[derive(Debug)]
struct Backoff {
    /// Waits that still sleep at once.
    skip: u32,
    /// Their number after the next spin in vain.
    next: u32,
    /// Until when they do.
    until: Option<Instant>,
}

impl Backoff {
    /// Most waits in a row that sleep at once.
    const SKIP_MAX: u32 = 255;
    /// And longest time for which they do: where waits are long, few of them last very long.
    const SKIP_FOR: Duration = Duration::from_millis(50);

    const fn new() -> Self {
        Self { skip: 0, next: 1, until: None }
    }

    /// The spin was in vain: the next waits sleep at once.
    fn back_off(&mut self) {
        self.skip = self.next;
        self.next = (self.next * 2 + 1).min(Self::SKIP_MAX);
        self.until = Some(Instant::now() + Self::SKIP_FOR);
    }

    /// Returns true if this wait sleeps at once.
    fn skips(&mut self) -> bool {
        if self.skip > 0 && self.until.is_some_and(|until| Instant::now() >= until) {
            self.skip = 0;
        }
        let skips = self.skip > 0;
        self.skip = self.skip.saturating_sub(1);
        skips
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_spins_reduce_spinning_and_success_restores_it() {
        if !have_a_core_each(2) {
            return;
        }
        let mut spin = Spin::default();
        let mut sleeps = Vec::new();
        for _ in 0..3 {
            let mut count = 0;
            while spin.begin().is_none() {
                count += 1;
            }
            sleeps.push(count);
            spin.missed();
        }
        assert_eq!(sleeps, [0, 1, 3]);
        while spin.begin().is_none() {}
        spin.found();
        assert!(spin.begin().is_some());
    }
}
