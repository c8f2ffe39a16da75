// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Eventcount over a futex: threads of any process sleep until words are changed.
//!
//! **Problem.** Members wait for words of many others. A thread that changes a word must not pay for a system
//! call, or for a write to a line that others read, unless a member sleeps.
//!
//! **Protocol.** A thread that is about to sleep reads `epoch`, sets `asleep`, fences, sets it to *fenced*,
//! polls the words once more and sleeps on `epoch` unless it has changed. A thread that has changed a word
//! fences and reads `asleep`; when it is set it clears it, increments `epoch` and wakes all. A thread that
//! finds `asleep` fenced for the same `epoch` needs no fence of its own: it costs a system call that
//! interrupts the other processors, which dozens of sleepers would make for each notification.
//!
//! **Why it is right.** The two fences make at least one of them see the other's store ([`super::fences`]).
//! `epoch` was read before `asleep` was set, so the thread that clears it changes `epoch` afterwards, and the
//! kernel refuses to put the sleeper to sleep, or wakes it. A notification for another sleeper only makes
//! it poll again. A thread that changed a word and found no sleeper did so before the fence of the thread
//! that set `asleep`, and a thread that finds `asleep` fenced sees the change. It may be so for a sleeper
//! that set it again during a notification, and has not fenced: then `epoch` is about to change.
//!
//! A word that a faulty process has overwritten costs needless wakes, or at most [`SLICE`] of delay.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU32, Ordering, fence};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::time::{Duration, Instant};

use super::fences::Fences;

/// Longest sleep without a poll of the words.
pub const SLICE: Duration = Duration::from_millis(50);

/// In [`EventCount::asleep`], beside `epoch` as the sleeper has read it: a thread is about to sleep; and it
/// has fenced since.
const SET: u32 = 1;
const FENCED: u32 = 2;

/// Eventcount without sleepers when all its bytes are zero.
#[derive(Debug)]
#[repr(C)]
pub struct EventCount {
    asleep: AtomicU32,
    epoch: AtomicU32,
}

impl Default for EventCount {
    fn default() -> Self {
        Self::new()
    }
}

impl EventCount {
    /// Creates an eventcount without sleepers.
    pub fn new() -> Self {
        Self { asleep: AtomicU32::new(0), epoch: AtomicU32::new(0) }
    }

    /// Wakes sleepers. Call it after the change and [`Fences::light`].
    #[inline(always)]
    pub fn notify(&self) {
        if self.asleep.load(Ordering::Relaxed) != 0 {
            self.notify_sleepers();
        }
    }

    /// Wakes threads that sleep or are about to.
    #[cold]
    pub fn notify_sleepers(&self) {
        // Before `epoch` changes: a thread that sets it again has read the old count, or the new one and
        // polls again.
        self.asleep.swap(0, Ordering::SeqCst);
        self.epoch.fetch_add(1, Ordering::SeqCst);
        wake_all(&self.epoch);
    }

    /// Sleeps until a notification, unless `is_ready` returns true; at most [`SLICE`], at most until
    /// `deadline`. The caller polls its words again in any case.
    pub fn sleep_unless(&self, fences: Fences, deadline: Instant, mut is_ready: impl FnMut() -> bool) {
        let epoch = self.epoch.load(Ordering::SeqCst);
        let fenced = self.asleep.load(Ordering::SeqCst) == epoch << 2 | FENCED || self.set(epoch, fences);
        if is_ready() {
            return;
        }
        // Only a thread that sees a sleeper notifies.
        let longest = if fenced { SLICE } else { Duration::from_millis(1) };
        wait(&self.epoch, epoch, deadline.min(Instant::now() + longest));
    }

    /// Like [`sleep_unless`](Self::sleep_unless), for writers that issue no fence. A concurrent change can be
    /// missed, so it sleeps at most until `until`.
    pub fn nap_unless(&self, until: Instant, mut is_ready: impl FnMut() -> bool) {
        let epoch = self.epoch.load(Ordering::SeqCst);
        self.asleep.store(epoch << 2 | SET, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if !is_ready() {
            wait(&self.epoch, epoch, until);
        }
    }

    /// Announces a sleeper. Returns false if writers may fail to observe it (no membarrier).
    fn set(&self, epoch: u32, fences: Fences) -> bool {
        let set = epoch << 2 | SET;
        self.asleep.store(set, Ordering::SeqCst);
        let fenced = fences.heavy();
        if fenced {
            // Unless a notification came meanwhile: then `epoch` has changed, too.
            let fenced = epoch << 2 | FENCED;
            let _ = self.asleep.compare_exchange(set, fenced, Ordering::SeqCst, Ordering::SeqCst);
        }
        fenced
    }
}

#[cfg(not(loom))]
fn wait(word: &AtomicU32, expected: u32, deadline: Instant) {
    // The thread that epoch goes on, and waits for this one next: the wake-up must not take a slice of
    // another.
    let _slice = super::super::os::scheduling::ShortSlice::begin();
    super::super::os::futex::wait_until(word, expected, Some(deadline));
}

#[cfg(not(loom))]
fn wake_all(word: &AtomicU32) {
    super::super::os::futex::wake(word, u32::MAX >> 1);
}

/// The kernel's promise in the model: a sleeper is woken, or the word has changed. Without a limit in time,
/// so that a lost wake is a deadlock that the model reports.
#[cfg(loom)]
mod kernel {
    use super::{AtomicU32, Ordering};

    loom::lazy_static! {
        pub(super) static ref QUEUE: (loom::sync::Mutex<()>, loom::sync::Condvar) =
            (loom::sync::Mutex::new(()), loom::sync::Condvar::new());
    }

    pub(super) fn wait(word: &AtomicU32, expected: u32) {
        let queue = QUEUE.0.lock().unwrap();
        if word.load(Ordering::SeqCst) == expected {
            drop(QUEUE.1.wait(queue).unwrap());
        }
    }

    pub(super) fn wake_all() {
        let _queue = QUEUE.0.lock().unwrap();
        QUEUE.1.notify_all();
    }
}

#[cfg(loom)]
fn wait(word: &AtomicU32, expected: u32, _deadline: Instant) {
    kernel::wait(word, expected);
}

#[cfg(loom)]
fn wake_all(_word: &AtomicU32) {
    kernel::wake_all();
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64;

    /// Two members that arrive, complete the round when they see all, and sleep otherwise: neither sleeps for
    /// ever.
    #[test]
    fn simultaneous_arrivals_lose_no_wake() {
        loom::model(|| {
            let shared = Arc::new((EventCount::new(), [AtomicU64::new(0), AtomicU64::new(0)]));
            let meet = |shared: &(EventCount, [AtomicU64; 2]), own: usize| {
                let (eventcount, words) = shared;
                words[own].store(1, Ordering::Release);
                Fences::FULL.light();
                let arrived = || words[1 - own].load(Ordering::Acquire) == 1;
                while !arrived() {
                    eventcount.sleep_unless(Fences::FULL, Instant::now(), arrived);
                }
                eventcount.notify();
            };
            let other = Arc::clone(&shared);
            let thread = loom::thread::spawn(move || meet(&other, 1));
            meet(&shared, 0);
            thread.join().unwrap();
        });
    }

    /// Two threads sleep until a third one changes a word, and one relies on the fence of the other: none
    /// sleeps for ever.
    #[test]
    fn change_wakes_sleepers_that_rely_on_another_fence() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let shared = Arc::new((EventCount::new(), AtomicU64::new(0)));
            let sleep = |shared: Arc<(EventCount, AtomicU64)>| {
                let (eventcount, word) = &*shared;
                let has_changed = || word.load(Ordering::Acquire) == 1;
                while !has_changed() {
                    eventcount.sleep_unless(Fences::FULL, Instant::now(), has_changed);
                }
            };
            let threads = [Arc::clone(&shared), Arc::clone(&shared)]
                .map(|shared| loom::thread::spawn(move || sleep(shared)));
            let (eventcount, word) = &*shared;
            word.store(1, Ordering::Release);
            Fences::FULL.light();
            eventcount.notify();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn sleepers_wake_for_a_change_and_at_the_deadline() {
        let fences = if super::super::fences::register() { Fences::ASYMMETRIC } else { Fences::FULL };
        let shared = Arc::new((EventCount::new(), AtomicU64::new(0)));
        shared.0.sleep_unless(fences, Instant::now(), || false);
        let other = Arc::clone(&shared);
        let sleeper = std::thread::spawn(move || {
            let (eventcount, word) = &*other;
            for round in 1..=1000 {
                while word.load(Ordering::Acquire) < round {
                    let far = Instant::now() + Duration::from_secs(60);
                    eventcount.sleep_unless(fences, far, || word.load(Ordering::Acquire) >= round);
                }
            }
        });
        let (eventcount, word) = &*shared;
        for _ in 0..1000 {
            word.fetch_add(1, Ordering::Release);
            fences.light();
            eventcount.notify();
            std::thread::yield_now();
        }
        sleeper.join().unwrap();
    }
}
