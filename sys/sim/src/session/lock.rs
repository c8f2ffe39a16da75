// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The lock in the shared part. When its holder dies the next one is notified, and puts the books in order
//! first.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use crate::fault::{Fault, Outcome};

/// No holder works longer than this under the lock, unless it was stopped.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A robust mutex that several processes share.
#[repr(C)]
pub(super) struct Lock(UnsafeCell<libc::pthread_mutex_t>);

// SAFETY: it is touched only by the functions of the C library, which synchronise.
unsafe impl Sync for Lock {}

/// The lock is held while this lives.
pub(super) struct SessionGuard<'a>(&'a Lock);

impl Lock {
    /// Makes it ready; nothing else knows it yet.
    pub(super) fn init(&self) -> Outcome {
        let mut attributes = MaybeUninit::<libc::pthread_mutexattr_t>::uninit();
        let attributes = attributes.as_mut_ptr();
        // SAFETY: the pointer is to room for the attributes.
        let made = unsafe { libc::pthread_mutexattr_init(attributes) };
        // SAFETY: the attributes were just initialised.
        let shared = unsafe { libc::pthread_mutexattr_setpshared(attributes, libc::PTHREAD_PROCESS_SHARED) };
        // SAFETY: the attributes were initialised above.
        let robust = unsafe { libc::pthread_mutexattr_setrobust(attributes, libc::PTHREAD_MUTEX_ROBUST) };
        // SAFETY: the mutex is in writable memory that nothing else uses yet; the attributes are initialised.
        let ready = unsafe { libc::pthread_mutex_init(self.0.get(), attributes) };
        // SAFETY: the attributes are initialised and not used again.
        unsafe { libc::pthread_mutexattr_destroy(attributes) };
        if made != 0 || shared != 0 || robust != 0 || ready != 0 {
            return Err(Fault::internal("this system has no robust mutexes between processes"));
        }
        Ok(())
    }

    /// Takes it. `repair` runs first when the holder before died.
    pub(super) fn acquire(&self, repair: impl FnOnce()) -> Outcome<SessionGuard<'_>> {
        let start = Instant::now();
        loop {
            match self.try_for_a_second() {
                0 => return Ok(SessionGuard(self)),
                libc::EOWNERDEAD => {
                    let held = SessionGuard(self);
                    repair();
                    // SAFETY: this thread holds the mutex, after its last owner died.
                    unsafe { libc::pthread_mutex_consistent(self.0.get()) };
                    return Ok(held);
                }
                // The clock it waits by may have been set; time is counted by another.
                libc::ETIMEDOUT if start.elapsed() < TIMEOUT => {}
                libc::ETIMEDOUT => {
                    return Err(Fault::internal(format_args!(
                        "a process of the machine has held its lock for {TIMEOUT:?}; is it stopped?"
                    )));
                }
                other => return Err(Fault::internal(format_args!("the machine's lock fails with {other}"))),
            }
        }
    }

    fn try_for_a_second(&self) -> i32 {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
        let until = libc::timespec { tv_sec: now.tv_sec + 1, tv_nsec: now.tv_nsec };
        // SAFETY: the mutex was initialised by the maker of the machine and is never destroyed.
        unsafe { libc::pthread_mutex_timedlock(self.0.get(), &raw const until) }
    }
}

impl Drop for SessionGuard<'_> {
    fn drop(&mut self) {
        // SAFETY: this thread holds the mutex: a guard exists only while it does, and does not leave its
        // thread.
        unsafe { libc::pthread_mutex_unlock(self.0.0.get()) };
    }
}
