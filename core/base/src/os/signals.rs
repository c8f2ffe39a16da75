// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Signal taker: a thread that takes the signals of the process after its main thread has ended.
//!
//! **Problem.** Threads of the library block all signals ([`super::thread`]), so signals go to threads of the
//! program. A program may end its main thread alone (`pthread_exit`) while threads of the library keep the
//! process alive. Then no thread is left that takes `SIGTERM`: it stays pending for ever.
//!
//! **Rule.** When the main thread ends while threads of the library run, a thread takes its place: with its
//! signal mask, and without other work. It takes the signals that the main thread took; signals that the main
//! thread blocked (for a thread that calls `sigwait`) stay blocked. It ends when no thread of the library is
//! left that could keep the process alive, and is started again for later threads.
//!
//! The end of the main thread shows by a destructor of thread-specific data, which `pthread_exit` runs and
//! `exit` does not. It is set up when the main thread starts a thread of the library; a main thread that
//! never does is not noticed.
//!
//! Rejected: leaving signals with the default disposition unblocked in our threads (a program that blocks
//! them later, to wait for them in a thread of its own, would be killed instead); a thread that watches (one
//! more in every process, for the few that end their main thread).

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::futex;
use super::process::OwnFlag;

/// Threads of the library that run, in the low half; which process counts (see [`count`]) in the upper half.
static RUNNING: AtomicU64 = AtomicU64::new(0);
/// Counts ended threads, and wakes the thread in the main thread's place.
static ENDED: AtomicU32 = AtomicU32::new(0);
/// The main thread has ended, with the mask in [`MASK`].
static ORPHANED: OwnFlag = OwnFlag::new();
/// The signals that it blocked: bit n is signal n + 1.
static MASK: AtomicU64 = AtomicU64::new(0);
static STANDING_IN: OwnFlag = OwnFlag::new();
static WATCHED: OwnFlag = OwnFlag::new();

/// A thread of the library that runs, or is about to.
pub(super) struct Running(());

impl Running {
    /// Made by the thread that starts it, and dropped by the thread at its end.
    pub(super) fn begin() -> Self {
        watch_main_thread();
        count(|running| running + 1);
        if ORPHANED.is_raised() {
            start_substitute();
        }
        Self(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        count(|running| running.saturating_sub(1));
        if STANDING_IN.is_raised() {
            ENDED.fetch_add(1, Ordering::Release);
            futex::wake(&ENDED, u32::MAX);
        }
    }
}

/// Changes the number of running threads; a forked child has none of its parent's. Gives the new number.
fn count(change: impl Fn(u32) -> u32) -> u32 {
    static PROCESS: OwnFlag = OwnFlag::new();
    static PROCESSES: AtomicU32 = AtomicU32::new(0);
    if !PROCESS.is_raised() && PROCESS.raise() {
        PROCESSES.fetch_add(1, Ordering::AcqRel);
    }
    let process = u64::from(PROCESSES.load(Ordering::Acquire)) << 32;
    let running = |now: u64| if now >> 32 << 32 == process { low_half(now) } else { 0 };
    let step = |now: u64| Some(process | u64::from(change(running(now))));
    match RUNNING.fetch_update(Ordering::AcqRel, Ordering::Acquire, step) {
        Ok(before) | Err(before) => change(running(before)),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
fn low_half(word: u64) -> u32 {
    word as u32
}

/// From now on the end of the main thread is noticed, if this is it.
fn watch_main_thread() {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    let is_main = rustix::thread::gettid() == rustix::process::getpid();
    if !is_main || WATCHED.is_raised() {
        return;
    }
    let make = || {
        let mut key = 0;
        // SAFETY: the call writes the key; the destructor stays in memory, as the library does.
        let result = unsafe { libc::pthread_key_create(&raw mut key, Some(main_thread_ends)) };
        (result == 0).then_some(key)
    };
    if let Some(key) = *KEY.get_or_init(make) {
        // SAFETY: the key was made above; the value is never followed, and only must not be null.
        let result = unsafe { libc::pthread_setspecific(key, std::ptr::dangling::<c_void>()) };
        if result == 0 {
            WATCHED.raise();
        }
    }
}

extern "C" fn main_thread_ends(_: *mut c_void) {
    let mut mask = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: nothing is changed; the call writes the mask of this thread.
    let result = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), mask.as_mut_ptr()) };
    if result != 0 {
        return;
    }
    // SAFETY: the successful call has written it.
    let mask = unsafe { mask.assume_init() };
    let is_blocked = |signal: &i32| {
        // SAFETY: the set is a valid one, and the call only reads it.
        unsafe { libc::sigismember(&raw const mask, *signal) == 1 }
    };
    let bits = (1..=64).filter(is_blocked).fold(0, |bits, signal: i32| bits | 1 << (signal - 1));
    MASK.store(bits, Ordering::Release);
    ORPHANED.raise();
    start_substitute();
}

/// Starts the substitute of the main thread, unless it runs or no thread of the library runs.
fn start_substitute() {
    if count(|running| running) == 0 || !STANDING_IN.raise() {
        return;
    }
    let _mask = Masked::with(MASK.load(Ordering::Acquire));
    // Not by the standard library: its own data of this thread may be gone already.
    let mut thread = MaybeUninit::<libc::pthread_t>::uninit();
    let nothing = std::ptr::null_mut();
    // SAFETY: the function takes no argument, and the call writes the thread when it succeeds.
    let result =
        unsafe { libc::pthread_create(thread.as_mut_ptr(), std::ptr::null(), substitute_main, nothing) };
    if result != 0 {
        STANDING_IN.lower();
        return;
    }
    // SAFETY: the successful call has written it.
    let thread = unsafe { thread.assume_init() };
    // SAFETY: the thread was just made and is never joined.
    unsafe { libc::pthread_detach(thread) };
}

extern "C" fn substitute_main(_: *mut c_void) -> *mut c_void {
    let _ = rustix::thread::set_name(c"mf-signals");
    loop {
        let seen = ENDED.load(Ordering::Acquire);
        if count(|running| running) > 0 {
            futex::wait_until(&ENDED, seen, None);
            continue;
        }
        STANDING_IN.lower();
        // One may have been started since, which found a stand-in.
        if count(|running| running) == 0 || !STANDING_IN.raise() {
            return std::ptr::null_mut();
        }
    }
}

/// A signal mask of this thread, which has the one before again when this is dropped.
pub(super) struct Masked {
    before: Option<libc::sigset_t>,
}

impl Masked {
    /// All signals are blocked.
    pub(super) fn all() -> Self {
        Self::with(u64::MAX)
    }

    /// These are blocked and no others: bit n is signal n + 1.
    fn with(bits: u64) -> Self {
        let mut wanted = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: the set is ours; the call fills it.
        unsafe { libc::sigemptyset(wanted.as_mut_ptr()) };
        for signal in (1..=64).filter(|signal: &i32| bits >> (signal - 1) & 1 == 1) {
            // SAFETY: the set was made by the first call; signals that the C library keeps for itself are
            // refused.
            unsafe { libc::sigaddset(wanted.as_mut_ptr(), signal) };
        }
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: the first set was made above, the second is written by the call when it succeeds.
        let result =
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, wanted.as_ptr(), before.as_mut_ptr()) };
        // SAFETY: the successful call has written it.
        Self { before: (result == 0).then(|| unsafe { before.assume_init() }) }
    }
}

impl Drop for Masked {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // SAFETY: the mask is the earlier one of this thread.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut()) };
        }
    }
}
