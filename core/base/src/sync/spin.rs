// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Polling for a short time before a sleep in the kernel, for waits for a reply or the next request, of a
//! caller or a store.
//!
//! Going to sleep and waking up costs more than a store on the same host needs for its answer, but a polling
//! thread takes the core from the thread that computes that answer. So: never with one core; a few polls are
//! followed by a yield, so that other threads get the core; and only as long as it pays.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::pace::have_a_core_each;

/// Longest spin, unless the waiter names another: about what a sleep and a wake-up cost.
const LIMIT: Duration = Duration::from_micros(60);
/// Polls between two yields: a yield takes as long as a poll of a socket, and delays what it finds.
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

    /// Whether it may spin now.
    pub fn begin(&mut self) -> Option<Spinning> {
        if !have_a_core_each(2) || self.backoff.skips() {
            return None;
        }
        let now = Instant::now();
        Some(Spinning { limit: self.limit, end: now + self.limit, last: now, polls: 0 })
    }

    /// The event arrived while it spun.
    pub fn found(&mut self) {
        self.backoff.reset();
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

    /// Whether to poll again; now and then gives others the core for a moment.
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

/// How often waits here sleep at once, learned from earlier waits. Relaxed: a lost update costs one wait its
/// pace.
#[derive(Debug, Default)]
struct Backoff {
    /// Waits that go without yields.
    skip: AtomicU32,
    /// How many it will be the next time.
    next: AtomicU32,
    /// Until when they do, in milliseconds of [`clock`].
    until: AtomicU32,
}

/// Milliseconds since the first call; wraps.
#[expect(clippy::cast_possible_truncation, reason = "it wraps")]
fn clock() -> u32 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_millis() as u32
}

impl Backoff {
    /// Most waits in a row that sleep at once.
    const SKIP_MAX: u32 = 255;
    /// And longest time for which they do, in milliseconds: where waits are long, few of them last very long.
    const SKIP_MILLIS: u32 = 50;

    /// As new.
    const fn new() -> Self {
        Self { skip: AtomicU32::new(0), next: AtomicU32::new(0), until: AtomicU32::new(0) }
    }

    /// The spin was in vain: the next waits sleep at once.
    fn back_off(&self) {
        let next = self.next.load(Ordering::Relaxed).clamp(1, Self::SKIP_MAX);
        self.skip.store(next, Ordering::Relaxed);
        self.next.store(next * 2 + 1, Ordering::Relaxed);
        self.until.store(clock().wrapping_add(Self::SKIP_MILLIS), Ordering::Relaxed);
    }

    /// Whether this wait sleeps at once.
    fn skips(&self) -> bool {
        let skip = self.skip.load(Ordering::Relaxed);
        if skip == 0 {
            return false;
        }
        if self.until.load(Ordering::Relaxed).wrapping_sub(clock()).cast_signed() <= 0 {
            self.skip.store(0, Ordering::Relaxed);
            return false;
        }
        self.skip.store(skip - 1, Ordering::Relaxed);
        true
    }

    /// Resets what it has measured.
    fn reset(&self) {
        self.skip.store(0, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spinning_without_an_event_makes_it_rarer_and_success_makes_it_normal() {
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
