// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waiting for what another thread or process stores in memory: spin while a core is free for it, yield for a
//! while, sleep.
//!
//! On two cores of a virtual machine a spin that takes the core of the thread it waits for costs milliseconds
//! (a time slice), a yield about 1 µs, waking a core that sleeps 20 to 30 µs. But a yield to an unrelated
//! thread that computes costs a whole time slice as well, while a sleeper that is woken gets its core back at
//! once. So each place where a thread waits keeps a [`Backoff`]: after its core was taken it sleeps at once
//! the next times, the more of them the more often that happened.
//!
//! * [`wait_until`] is the whole of it; [`spin_until`] and [`sleep_until`] are its halves, for callers that
//!   spin for several things.
//! * The thread that stores the word wakes the sleeper by a [`Bell`] ([`Bell::ring_if_asleep`]). Words of
//!   which not all writers ring (a plain store, another host's put) are polled in naps that grow to
//!   [`NAP_MAX`], which a ring ends ([`nap_until`]).
//! * A wait ends at its [`Deadline`], or when the program interrupts it ([`crate::interrupt`]).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::bell::Bell;
use super::fences::Fences;
use crate::interrupt::InterruptPoll;

/// Polls without giving the core away, where that pays: about 15 µs.
pub const SPINS: u32 = 1000;
/// How long a wait yields before it sleeps, and how often at least: threads that share a core need several
/// turns each to meet, and the more they are the longer a turn of all takes.
const YIELDS_FOR: Duration = Duration::from_micros(150);
const YIELDS_LEAST: u32 = 16;
/// A yield that took longer went to a thread that computes, for its time slice: those that wait, too, do less
/// between two of theirs, all together.
const TAKEN: Duration = Duration::from_micros(1500);
/// Shortest and longest sleep of a wait without a bell.
const NAP_MIN: Duration = Duration::from_micros(10);
/// Longest sleep of a wait without a bell.
pub const NAP_MAX: Duration = Duration::from_millis(1);
/// What stands for "never", where an instant is needed.
const FAR: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// How often to poll before anything else, when this many threads that wait for each other share the cores of
/// this process.
pub fn spins_for(threads: usize) -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    if threads <= cores { SPINS } else { 0 }
}

/// When to give a wait up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadline {
    /// At this moment.
    At(Instant),
    /// This long after the end of the spinning: a wait that ends by spinning does not read the clock.
    Within(Duration),
}

impl Deadline {
    /// The moment, counted from now where it is not fixed yet.
    pub fn instant(self) -> Instant {
        match self {
            Self::At(instant) => instant,
            Self::Within(time) => {
                let now = Instant::now();
                now.checked_add(time).unwrap_or_else(|| now + FAR)
            }
        }
    }

    /// Fixes the moment: later waits with this deadline end at the same one.
    pub fn fix(&mut self) -> Instant {
        let instant = self.instant();
        *self = Self::At(instant);
        instant
    }
}

impl From<Instant> for Deadline {
    fn from(instant: Instant) -> Self {
        Self::At(instant)
    }
}

impl From<Duration> for Deadline {
    fn from(time: Duration) -> Self {
        Self::Within(time)
    }
}

/// Why a wait failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFailure {
    /// The deadline has passed.
    Late,
    /// The program interrupted it; the same wait may be made again.
    Interrupted,
}

/// How often waits here sleep at once, learned from earlier waits. Relaxed: a lost update costs one wait its
/// pace.
#[derive(Debug, Default)]
pub struct Backoff {
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
    pub const fn new() -> Self {
        Self { skip: AtomicU32::new(0), next: AtomicU32::new(0), until: AtomicU32::new(0) }
    }

    /// The wait failed, or other threads took the core meanwhile: the next ones sleep at once.
    pub fn back_off(&self) {
        let next = self.next.load(Ordering::Relaxed).clamp(1, Self::SKIP_MAX);
        self.skip.store(next, Ordering::Relaxed);
        self.next.store(next * 2 + 1, Ordering::Relaxed);
        self.until.store(clock().wrapping_add(Self::SKIP_MILLIS), Ordering::Relaxed);
    }

    /// Whether this wait sleeps at once.
    pub fn skips(&self) -> bool {
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

    /// No other thread took the core: the next time it backs off less.
    pub fn relax(&self) {
        let next = self.next.load(Ordering::Relaxed);
        if next > 0 {
            self.next.store(next / 2, Ordering::Relaxed);
        }
    }

    /// Resets what it has measured.
    pub fn reset(&self) {
        self.skip.store(0, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
    }
}

/// Polls at most `spins` times more, and counts them down; whether `is_ready` came true.
#[inline(always)]
pub fn spin_until(spins: &mut u32, mut is_ready: impl FnMut() -> bool) -> bool {
    loop {
        if is_ready() {
            return true;
        }
        if *spins == 0 {
            return false;
        }
        *spins -= 1;
        std::hint::spin_loop();
    }
}

/// Waits until `poll` returns a value: spins, yields, sleeps. `bell`: rung by the threads that change what
/// `poll` reads; without one the wait polls in naps. `spins`: [`SPINS`], or 0 where the thread that is waited
/// for may need this core ([`spins_for`]).
///
/// **Local.** Blocks at most until `deadline`. `poll` must be cheap, and change nothing that it could not do
/// again.
///
/// # Errors
/// [`WaitFailure`].
pub fn wait_until<T>(
    mut spins: u32,
    deadline: impl Into<Deadline>,
    backoff: &Backoff,
    bell: Option<(&Bell, Fences)>,
    mut poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    let mut found = None;
    let is_ready = || {
        found = poll();
        found.is_some()
    };
    if spin_until(&mut spins, is_ready)
        && let Some(found) = found
    {
        return Ok(found);
    }
    sleep_until(&mut deadline.into(), backoff, bell, poll)
}

/// [`wait_until`] without the spinning. Fixes the deadline.
///
/// # Errors
/// [`WaitFailure`].
#[cold]
pub fn sleep_until<T>(
    deadline: &mut Deadline,
    backoff: &Backoff,
    bell: Option<(&Bell, Fences)>,
    poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    sleep_by(
        deadline,
        backoff,
        bell.map_or(Sleep::Naps(None), |(bell, fences)| Sleep::Rung(bell, fences)),
        poll,
    )
}

/// As [`sleep_until`] without a bell; a ring of this one ends a nap. Who rings it takes no fence.
///
/// # Errors
/// [`WaitFailure`].
#[cold]
pub fn nap_until<T>(
    deadline: &mut Deadline,
    backoff: &Backoff,
    bell: Option<&Bell>,
    poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    sleep_by(deadline, backoff, Sleep::Naps(bell), poll)
}

/// Who ends a sleep.
#[derive(Clone, Copy)]
enum Sleep<'a> {
    /// All that change what is polled, by this bell.
    Rung(&'a Bell, Fences),
    /// The clock, and some of them.
    Naps(Option<&'a Bell>),
}

fn sleep_by<T>(
    deadline: &mut Deadline,
    backoff: &Backoff,
    sleep: Sleep<'_>,
    mut poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    let deadline = deadline.fix();
    let mut interrupt = InterruptPoll::new();
    let mut pause = Pause::new(backoff);
    let mut nap = NAP_MIN;
    loop {
        if let Some(found) = poll() {
            pause.end();
            return Ok(found);
        }
        if interrupt.is_left() {
            return Err(WaitFailure::Interrupted);
        }
        if pause.yields() {
            continue;
        }
        if Instant::now() >= deadline {
            return Err(WaitFailure::Late);
        }
        let mut found = None;
        let is_ready = || {
            found = poll();
            found.is_some()
        };
        let nap_ends = interrupt.until(deadline.min(Instant::now() + nap));
        match sleep {
            Sleep::Rung(bell, fences) => bell.sleep_unless(fences, interrupt.until(deadline), is_ready),
            Sleep::Naps(Some(bell)) => bell.nap_unless(nap_ends, is_ready),
            Sleep::Naps(None) => std::thread::sleep(nap_ends.saturating_duration_since(Instant::now())),
        }
        if let Some(found) = found {
            return Ok(found);
        }
        nap = (nap * 2).min(NAP_MAX);
    }
}

/// The yields of one wait.
struct Pause<'a> {
    backoff: &'a Backoff,
    began: Instant,
    last: Instant,
    yields: u32,
    may_yield: bool,
}

impl<'a> Pause<'a> {
    fn new(backoff: &'a Backoff) -> Self {
        let now = Instant::now();
        // The model has no clock, and explores sleeps.
        Self { backoff, began: now, last: now, yields: 0, may_yield: !cfg!(loom) && !backoff.skips() }
    }

    /// It has been found what was waited for.
    fn end(&self) {
        if self.may_yield && self.yields > 0 {
            self.backoff.relax();
        }
    }

    /// Gives the core to others for a moment; false: it is time to sleep.
    fn yields(&mut self) -> bool {
        if !self.may_yield {
            return false;
        }
        std::thread::yield_now();
        let now = Instant::now();
        if now.saturating_duration_since(self.last) > TAKEN {
            self.backoff.back_off();
            // One more poll, then sleep.
            self.may_yield = false;
            return true;
        }
        self.last = now;
        self.yields += 1;
        if self.yields < YIELDS_LEAST || now.saturating_duration_since(self.began) < YIELDS_FOR {
            return true;
        }
        self.backoff.relax();
        self.may_yield = false;
        false
    }
}

#[cfg(all(test, loom))]
mod model {
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// One stores the word and rings, the other waits: it sees the word, and what was stored before it.
    #[test]
    fn no_wake_is_lost_between_a_store_and_its_waiter() {
        loom::model(|| {
            let shared = Arc::new((Bell::new(), AtomicU64::new(0), AtomicU64::new(0)));
            let writer = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || {
                    let (bell, data, word) = &*shared;
                    data.store(7, Ordering::Relaxed);
                    word.store(1, Ordering::Release);
                    Fences::FULL.light();
                    bell.ring_if_asleep();
                })
            };
            let (bell, data, word) = &*shared;
            let far = Duration::from_secs(3600);
            let seen = wait_until(0, far, &Backoff::new(), Some((bell, Fences::FULL)), || {
                (word.load(Ordering::Acquire) == 1).then(|| data.load(Ordering::Relaxed))
            });
            assert_eq!(seen, Ok(7));
            writer.join().unwrap();
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn taken_cores_make_yields_rarer_and_free_ones_make_them_normal() {
        let backoff = Backoff::default();
        let mut skipped = Vec::new();
        for _ in 0..3 {
            backoff.back_off();
            skipped.push((0..).take_while(|_| backoff.skips()).count());
        }
        assert_eq!(skipped, [1, 3, 7]);
        (0..8).for_each(|_| backoff.relax());
        backoff.back_off();
        assert_eq!((0..).take_while(|_| backoff.skips()).count(), 1);
    }

    #[test]
    fn a_word_is_seen_with_a_bell_and_without_one() {
        let (bell, word) = (Bell::new(), AtomicU64::new(0));
        let far = Instant::now() + Duration::from_secs(60);
        std::thread::scope(|scope| {
            for has_bell in [true, false] {
                let (bell, word) = (&bell, &word);
                let poll = |round: u64| Some(word.load(Ordering::Acquire)).filter(|word| *word >= round);
                scope.spawn(move || {
                    let backoff = Backoff::new();
                    for round in 1..=200 {
                        let bell = has_bell.then_some((bell, Fences::FULL));
                        assert!(
                            wait_until(spins_for(3), far, &backoff, bell, || poll(round)).unwrap() >= round
                        );
                    }
                });
                scope.spawn(move || {
                    let (backoff, bell) = (Backoff::new(), has_bell.then_some(bell));
                    for round in 1..=200 {
                        assert!(nap_until(&mut far.into(), &backoff, bell, || poll(round)).unwrap() >= round);
                    }
                });
            }
            for _ in 0..200 {
                word.fetch_add(1, Ordering::Release);
                Fences::FULL.light();
                bell.ring_if_asleep();
                std::thread::yield_now();
            }
        });
    }

    #[test]
    fn waits_end_at_their_deadline_and_a_fixed_one_stays() {
        let (backoff, bell) = (Backoff::new(), Bell::new());
        for bell in [None, Some((&bell, Fences::FULL))] {
            let late = wait_until(SPINS, Duration::from_millis(2), &backoff, bell, || None::<()>);
            assert_eq!(late, Err(WaitFailure::Late));
            assert_eq!(wait_until(0, Instant::now(), &backoff, bell, || Some(3)), Ok(3));
        }
        let mut deadline = Deadline::from(Duration::MAX);
        let fixed = deadline.fix();
        assert_eq!((deadline, deadline.fix()), (Deadline::At(fixed), fixed));
    }
}
