// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pace of a wait: the time to poll before a sleep, and the choice to yield between polls.
//!
//! **If each thread has a core**, a wait polls without yielding: a yield on a core where another process
//! computes costs a time slice, and the thread that is waited for runs meanwhile anyway.
//!
//! **If threads share cores**, a wait yields between polls. That passes the core on in 1 µs, to a thread of
//! the job if only those are runnable. A yield that took long went to a thread that computes: for some time
//! waits sleep at once then ([`Taken`]). A thread that sleeps gets the core back soon after its wake-up
//! ([`crate::os::scheduling`]); one that yields does not.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::time::ClockId;

/// Polls of a wait that is likely to be short, where each thread has a core: about 15 µs.
pub const SPINS: u32 = 1000;
/// Time that a wait polls before it sleeps: a sleep and a wake-up of a core take 20 to 50 µs.
pub const AWAKE: Duration = Duration::from_micros(150);
/// Yields of a wait at least: threads that share a core need several turns each to meet, and the more they
/// are the longer a turn of all takes.
const YIELDS_LEAST: u32 = 16;
/// Between two polls, a longer time went to a thread that computes. The threads of a job that share a core
/// take 1 to 2 µs each to poll and yield.
const AWAY: Duration = Duration::from_micros(300);
/// Most times in one wait that another thread had the core and the wait polls on.
const GAPS_MOST: u32 = 8;
/// Backoff: after a long yield waits sleep at once for this multiple of its duration, doubled each time that
/// the first yield afterwards takes long, too; at most so many doublings, and so many milliseconds: a thread
/// of the job that computes for a moment is soon forgotten, and foreign work costs little.
const AVOIDED_TIMES: u32 = 4;
const DOUBLED_MOST: u32 = 5;
const AVOIDED_MOST: u32 = 2000;
/// A long yield within so many milliseconds after such a time went to the same work.
const AGAIN: u32 = 50;

/// Returns true if so many threads that wait for each other can all run at once on the cores of this process.
pub fn have_a_core_each(threads: usize) -> bool {
    static CORES: OnceLock<usize> = OnceLock::new();
    threads <= *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Until when waits avoid yields, as other work had the core. Zeroes: they do not. Waits of several threads
/// and processes of a host may share one: where one of them loses a time slice, all that wait for it do.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Taken {
    /// Milliseconds of the host's clock, which wrap. Relaxed: a lost update costs a few yields.
    until: AtomicU32,
    /// Number of doublings.
    doubled: AtomicU32,
}

impl Taken {
    /// Never yet.
    pub const fn new() -> Self {
        Self { until: AtomicU32::new(0), doubled: AtomicU32::new(0) }
    }

    /// A yield took this long.
    fn note(&self, away: Duration) {
        let now = clock();
        let is_again = now.wrapping_sub(self.until.load(Ordering::Relaxed)) < AGAIN;
        let doubled = self.doubled.load(Ordering::Relaxed).min(DOUBLED_MOST - 1);
        let doubled = if is_again { doubled + 1 } else { 0 };
        let avoided = (away * (AVOIDED_TIMES << doubled)).as_millis();
        let avoided = u32::try_from(avoided).unwrap_or(AVOIDED_MOST).min(AVOIDED_MOST);
        self.doubled.store(doubled, Ordering::Relaxed);
        self.until.store(now.wrapping_add(avoided), Ordering::Relaxed);
    }

    /// Returns true while waits avoid yields.
    fn is_recent(&self) -> bool {
        let until = self.until.load(Ordering::Relaxed);
        // Another process may have written anything.
        until != 0 && (1..=AVOIDED_MOST).contains(&until.wrapping_sub(clock()))
    }
}

/// Milliseconds since the host started; they wrap.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they wrap")]
fn clock() -> u32 {
    let now = rustix::time::clock_gettime(ClockId::Monotonic);
    (now.tv_sec as u32).wrapping_mul(1000).wrapping_add((now.tv_nsec / 1_000_000) as u32)
}

/// The pace of waits.
#[derive(Clone, Copy, Debug)]
pub struct Pace<'a> {
    has_core: bool,
    awake: Duration,
    taken: &'a Taken,
}

impl<'a> Pace<'a> {
    /// Of waits that poll for so long before they sleep. `has_core`: all threads that wait for each other can
    /// run at once.
    #[inline]
    pub const fn new(has_core: bool, awake: Duration, taken: &'a Taken) -> Self {
        Self { has_core, awake, taken }
    }

    /// Of threads that may share a core.
    pub const fn shared(taken: &'a Taken) -> Self {
        Self::new(false, AWAKE, taken)
    }

    /// Polls before anything else.
    #[inline]
    pub fn spins(self) -> u32 {
        if self.has_core { SPINS } else { 0 }
    }

    /// A wait begins that has not found anything by [`spins`](Self::spins).
    pub(super) fn begin(self) -> Awake<'a> {
        let now = Instant::now();
        // The model has no clock, and explores sleeps.
        let stays = !cfg!(loom) && (self.has_core || !self.taken.is_recent());
        Awake { pace: self, began: now, last: now, polls: 0, gaps: 0, stays }
    }
}

/// The part of a wait before its first sleep.
pub(super) struct Awake<'a> {
    pace: Pace<'a>,
    began: Instant,
    last: Instant,
    polls: u32,
    gaps: u32,
    stays: bool,
}

impl Awake<'_> {
    /// Returns true to poll once more before the next sleep; passes some time, or the core.
    pub(super) fn keeps_polling(&mut self) -> bool {
        if !self.stays {
            return false;
        }
        let Pace { has_core, awake, taken } = self.pace;
        if has_core {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
        let now = Instant::now();
        let away = now.saturating_duration_since(self.last);
        self.last = now;
        self.polls += 1;
        if away > AWAY {
            if !has_core {
                taken.note(away);
                // One more poll, then sleep.
                self.stays = false;
                return true;
            }
            // Time during which another thread had the core does not count, a few times: the deadline waits.
            self.gaps += 1;
            if self.gaps <= GAPS_MOST {
                self.began += away;
            }
        }
        let yields_on = !has_core && self.polls < YIELDS_LEAST;
        self.stays = yields_on || now.saturating_duration_since(self.began) < awake;
        self.stays
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn waits_avoid_yields_after_a_long_yield() {
        let taken = Taken::new();
        let stays = |has_core| Pace::new(has_core, AWAKE, &taken).begin().stays;
        assert!(stays(false) && stays(true));
        taken.note(Duration::from_secs(1));
        assert!(!stays(false) && stays(true));
        // Twice as long when it happens again.
        let millis = |away: u64| {
            taken.note(Duration::from_millis(away));
            taken.until.load(Ordering::Relaxed).wrapping_sub(clock())
        };
        taken.until.store(clock().wrapping_sub(1), Ordering::Relaxed);
        assert!((70..=80).contains(&millis(10)), "{taken:?}");
        taken.until.store(clock().wrapping_sub(2 * AGAIN), Ordering::Relaxed);
        assert!((30..=40).contains(&millis(10)), "{taken:?}");
        // It has passed, and what another process wrote is no time.
        for until in [clock(), clock().wrapping_sub(5), clock().wrapping_add(1 << 30)] {
            taken.until.store(until, Ordering::Relaxed);
            assert!(stays(false));
        }
    }

    #[test]
    fn a_wait_polls_for_its_time_and_then_sleeps() {
        let taken = Taken::new();
        for has_core in [true, false] {
            let pace = Pace::new(has_core, Duration::ZERO, &taken);
            let mut awake = pace.begin();
            let polls = (0..).take_while(|_| awake.keeps_polling()).count();
            assert!(!awake.keeps_polling() && polls <= YIELDS_LEAST as usize, "{polls}");
            assert_eq!(pace.spins() > 0, has_core);
        }
    }
}
