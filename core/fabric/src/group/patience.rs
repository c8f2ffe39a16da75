// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How a member waits: it spins while every member can have a core, gives its core to others for a while, and then sleeps.
//!
//! On two cores of a virtual machine a spin that takes the core of the member it waits for costs milliseconds (a time slice), a
//! yield about 1 µs, waking a core that sleeps 20 to 30 µs. But a yield to a stranger that computes costs a whole time slice as well,
//! while a sleeper that is woken gets its core back at once. So a member that was kept from its core for long sleeps at once
//! the next times, the more of them the more often that happened.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Looks without giving the core away: about 15 µs.
const SPINS: u32 = 1000;
/// Time of yields before sleep.
const YIELDS_FOR: Duration = Duration::from_micros(150);
/// A yield that took longer went to a stranger: other members do less between two of theirs.
const TAKEN: Duration = Duration::from_micros(700);
/// Most waits in a row without yields.
const SKIP_MAX: u32 = 255;

/// Looks to begin with, for so many members on this host.
pub(super) fn spins_for(members: usize) -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    if members <= cores { SPINS } else { 0 }
}

/// What a room has learned about strangers; changed by one thread at a time.
#[derive(Debug, Default)]
pub(super) struct Strangers {
    /// Waits that go without yields.
    skip: AtomicU32,
    /// How many it will be the next time.
    next: AtomicU32,
}

impl Strangers {
    fn were_here(&self) {
        let next = self.next.load(Ordering::Relaxed).clamp(1, SKIP_MAX);
        self.skip.store(next, Ordering::Relaxed);
        self.next.store(next * 2 + 1, Ordering::Relaxed);
    }

    /// Whether this wait goes without yields.
    fn may_be_here(&self) -> bool {
        let skip = self.skip.load(Ordering::Relaxed);
        if skip > 0 {
            self.skip.store(skip - 1, Ordering::Relaxed);
        }
        skip > 0
    }

    fn were_not_here(&self) {
        self.next.store(self.next.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
    }
}

/// One wait, behind the spinning.
pub(super) struct Patience<'a> {
    deadline: Instant,
    strangers: &'a Strangers,
    began: Instant,
    last: Instant,
    may_yield: bool,
}

/// What to do before the next look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// Nothing: the core was given away meanwhile.
    Done,
    /// Sleep.
    Sleep,
    /// Give up.
    Late,
}

impl<'a> Patience<'a> {
    pub(super) fn until(deadline: Instant, strangers: &'a Strangers) -> Self {
        let now = Instant::now();
        Self { deadline, strangers, began: now, last: now, may_yield: !strangers.may_be_here() }
    }

    pub(super) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Between two looks in vain.
    pub(super) fn pause(&mut self) -> Pause {
        if self.may_yield {
            std::thread::yield_now();
        }
        let now = Instant::now();
        if now >= self.deadline {
            return Pause::Late;
        }
        if !self.may_yield {
            return Pause::Sleep;
        }
        if now.saturating_duration_since(self.last) > TAKEN {
            self.strangers.were_here();
            // One more look, then sleep.
            self.may_yield = false;
            return Pause::Done;
        }
        self.last = now;
        if now.saturating_duration_since(self.began) < YIELDS_FOR {
            return Pause::Done;
        }
        self.strangers.were_not_here();
        Pause::Sleep
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_make_yields_rarer_and_their_absence_makes_them_normal() {
        let strangers = Strangers::default();
        let mut skipped = Vec::new();
        for _ in 0..3 {
            strangers.were_here();
            skipped.push((0..).take_while(|_| strangers.may_be_here()).count());
        }
        assert_eq!(skipped, [1, 3, 7]);
        (0..8).for_each(|_| strangers.were_not_here());
        strangers.were_here();
        assert_eq!((0..).take_while(|_| strangers.may_be_here()).count(), 1);
    }

    #[test]
    fn a_wait_ends_in_sleep_and_at_its_deadline() {
        let strangers = Strangers::default();
        let mut patience = Patience::until(Instant::now() + Duration::from_secs(60), &strangers);
        while patience.pause() != Pause::Sleep {}
        assert_eq!(Patience::until(Instant::now(), &strangers).pause(), Pause::Late);
    }
}
