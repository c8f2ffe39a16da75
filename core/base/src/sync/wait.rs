// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waiting for what another thread or process stores in memory: poll while a core is free for it, then sleep.
//!
//! * [`wait_until`] is the whole of it; [`spin_until`] and [`sleep_until`] are its halves, for callers that
//!   spin for several things. How long a wait polls, and whether it yields between polls, is its [`Pace`].
//! * The thread that stores the word wakes the sleeper by a [`EventCount`] ([`EventCount::notify`]). Words of
//!   which not all writers ring (a plain store, another host's put) are polled in naps that grow to
//!   [`NAP_MAX`], which a ring ends ([`nap_until`]).
//! * A wait ends at its [`Deadline`], or when the program interrupts it ([`crate::interrupt`]).

use std::time::{Duration, Instant};

use super::eventcount::EventCount;
use super::fences::Fences;
use super::pace::Pace;
use crate::interrupt::InterruptPoll;

/// Shortest and longest sleep of a wait without an eventcount.
const NAP_MIN: Duration = Duration::from_micros(10);
/// Longest sleep of a wait without an eventcount.
pub const NAP_MAX: Duration = Duration::from_millis(1);
/// Represents "never", if an instant is needed.
const FAR: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

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

/// Waits until `poll` returns a value: polls as `pace` says, then sleeps. `eventcount`: notified by the
/// threads that change what `poll` reads; without one the wait polls in naps.
///
/// **Local.** Blocks at most until `deadline`. `poll` must be cheap, and change nothing that it could not do
/// again.
///
/// # Errors
/// [`WaitFailure`].
pub fn wait_until<T>(
    deadline: impl Into<Deadline>,
    pace: Pace<'_>,
    eventcount: Option<(&EventCount, Fences)>,
    mut poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    let mut found = None;
    let is_ready = || {
        found = poll();
        found.is_some()
    };
    if spin_until(&mut pace.spins(), is_ready)
        && let Some(found) = found
    {
        return Ok(found);
    }
    sleep_until(&mut deadline.into(), pace, eventcount, poll)
}

/// [`wait_until`] without the spinning. Fixes the deadline.
///
/// # Errors
/// [`WaitFailure`].
#[cold]
pub fn sleep_until<T>(
    deadline: &mut Deadline,
    pace: Pace<'_>,
    eventcount: Option<(&EventCount, Fences)>,
    poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    sleep_by(
        deadline,
        pace,
        eventcount.map_or(Sleep::Naps(None), |(eventcount, fences)| Sleep::Notified(eventcount, fences)),
        poll,
    )
}

/// Like [`sleep_until`] for writers of this eventcount that issue no fence; a notification ends a nap.
///
/// # Errors
/// [`WaitFailure`].
#[cold]
pub fn nap_until<T>(
    deadline: &mut Deadline,
    pace: Pace<'_>,
    eventcount: Option<&EventCount>,
    poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    sleep_by(deadline, pace, Sleep::Naps(eventcount), poll)
}

/// Cause that ends a sleep.
#[derive(Clone, Copy)]
enum Sleep<'a> {
    /// All writers of the polled words, by this eventcount.
    Notified(&'a EventCount, Fences),
    /// The clock, and some of them.
    Naps(Option<&'a EventCount>),
}

fn sleep_by<T>(
    deadline: &mut Deadline,
    pace: Pace<'_>,
    sleep: Sleep<'_>,
    mut poll: impl FnMut() -> Option<T>,
) -> Result<T, WaitFailure> {
    let deadline = deadline.fix();
    let mut interrupt = InterruptPoll::new();
    let mut awake = pace.begin();
    let mut nap = NAP_MIN;
    loop {
        if let Some(found) = poll() {
            return Ok(found);
        }
        if interrupt.is_left() {
            return Err(WaitFailure::Interrupted);
        }
        if awake.keeps_polling() {
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
            Sleep::Notified(eventcount, fences) => {
                eventcount.sleep_unless(fences, interrupt.until(deadline), is_ready);
            }
            Sleep::Naps(Some(eventcount)) => eventcount.nap_unless(nap_ends, is_ready),
            Sleep::Naps(None) => std::thread::sleep(nap_ends.saturating_duration_since(Instant::now())),
        }
        if let Some(found) = found {
            return Ok(found);
        }
        nap = (nap * 2).min(NAP_MAX);
    }
}

#[cfg(all(test, loom))]
mod model {
    use crate::sync::pace::Taken;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// One thread stores the word and rings, the other waits: it sees the word, and all stores before it.
    #[test]
    fn no_wake_is_lost_between_a_store_and_its_waiter() {
        loom::model(|| {
            let shared = Arc::new((EventCount::new(), AtomicU64::new(0), AtomicU64::new(0)));
            let writer = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || {
                    let (eventcount, data, word) = &*shared;
                    data.store(7, Ordering::Relaxed);
                    word.store(1, Ordering::Release);
                    Fences::FULL.light();
                    eventcount.notify();
                })
            };
            let (eventcount, data, word) = &*shared;
            let far = Duration::from_secs(3600);
            let seen = wait_until(far, Pace::shared(&Taken::new()), Some((eventcount, Fences::FULL)), || {
                (word.load(Ordering::Acquire) == 1).then(|| data.load(Ordering::Relaxed))
            });
            assert_eq!(seen, Ok(7));
            writer.join().unwrap();
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use crate::sync::pace::{AWAKE, Taken, have_a_core_each};
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn word_change_ends_waits_with_and_without_an_eventcount() {
        let (eventcount, word) = (EventCount::new(), AtomicU64::new(0));
        let far = Instant::now() + Duration::from_secs(60);
        std::thread::scope(|scope| {
            for has_eventcount in [true, false] {
                let (eventcount, word) = (&eventcount, &word);
                let poll = |round: u64| Some(word.load(Ordering::Acquire)).filter(|word| *word >= round);
                scope.spawn(move || {
                    let taken = Taken::new();
                    let pace = Pace::new(have_a_core_each(3), AWAKE, &taken);
                    for round in 1..=200 {
                        let eventcount = has_eventcount.then_some((eventcount, Fences::FULL));
                        assert!(wait_until(far, pace, eventcount, || poll(round)).unwrap() >= round);
                    }
                });
                scope.spawn(move || {
                    let (taken, eventcount) = (Taken::new(), has_eventcount.then_some(eventcount));
                    for round in 1..=200 {
                        assert!(
                            nap_until(&mut far.into(), Pace::shared(&taken), eventcount, || poll(round))
                                .unwrap()
                                >= round
                        );
                    }
                });
            }
            for _ in 0..200 {
                word.fetch_add(1, Ordering::Release);
                Fences::FULL.light();
                eventcount.notify();
                std::thread::yield_now();
            }
        });
    }

    #[test]
    fn waits_end_at_a_fixed_deadline() {
        let (taken, eventcount) = (Taken::new(), EventCount::new());
        let pace = Pace::new(true, AWAKE, &taken);
        for eventcount in [None, Some((&eventcount, Fences::FULL))] {
            let late = wait_until(Duration::from_millis(2), pace, eventcount, || None::<()>);
            assert_eq!(late, Err(WaitFailure::Late));
            assert_eq!(wait_until(Instant::now(), pace, eventcount, || Some(3)), Ok(3));
        }
        let mut deadline = Deadline::from(Duration::MAX);
        let fixed = deadline.fix();
        assert_eq!((deadline, deadline.fix()), (Deadline::At(fixed), fixed));
    }
}
