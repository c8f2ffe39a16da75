// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The numbers of closed standard streams, held while something is opened.
//!
//! Each is held by a descriptor of the root folder that can neither be read nor written (`O_PATH`: the same
//! error `EBADF` as of a closed one). All threads that open something share the held numbers; the last one
//! lets go. Where all streams are open, that costs one system call.
#![allow(clippy::disallowed_methods, reason = "the owner of this call")]

use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};

use super::process::OwnFlag;

/// The lowest number of a descriptor of ours.
pub(super) const LOWEST: i32 = 3;

/// Runs `open` such that the descriptors that it opens, also inside foreign code, are at least 3. For other
/// crates and libraries that open descriptors; it should not wait long.
pub fn reserving<T>(open: impl FnOnce() -> T) -> T {
    let before = CHANGES.load(Ordering::Acquire);
    let is_needed = is_a_stream_closed();
    // Streams that look open may be held by another thread, which is about to let go of them.
    let is_held = before % 2 == 1 || CHANGES.load(Ordering::Acquire) != before;
    let _hold = (is_needed || is_held).then(Hold::begin);
    open()
}

/// Returns true if a standard stream is closed.
fn is_a_stream_closed() -> bool {
    let mut streams = [0, 1, 2].map(|fd| libc::pollfd { fd, events: 0, revents: 0 });
    // SAFETY: three valid records, and no wait.
    let ready = unsafe { libc::poll(streams.as_mut_ptr(), 3, 0) };
    ready > 0 && streams.iter().any(|stream| stream.revents & libc::POLLNVAL != 0)
}

/// Grows by one when the first thread holds the numbers, and when the last lets go: odd while they are held.
static CHANGES: AtomicU32 = AtomicU32::new(0);
/// The lock of [`HELD`], for a few system calls. Free in a forked child, also if the parent had locked it.
static IS_LOCKED: OwnFlag = OwnFlag::new();
static HELD: Mutex<HeldStreams> = Mutex::new(HeldStreams::new(0));
/// Yields to the thread that has the lock, before sleeps: it may have lost its core.
const YIELDS: u32 = 100;
const SLEEP: Duration = Duration::from_micros(50);
/// Sleeps until a thread goes without: one that a signal interrupted in a change waits for itself.
const SLEEPS: u32 = 20_000;

/// The held numbers, shared by all threads that open something now.
struct HeldStreams {
    process: u32,
    users: u32,
    streams: [Option<OwnedFd>; LOWEST as usize],
}

impl HeldStreams {
    const fn new(process: u32) -> Self {
        Self { process, users: 0, streams: [const { None }; LOWEST as usize] }
    }

    /// Reserves the numbers of closed standard streams.
    fn hold(&mut self) {
        CHANGES.fetch_add(1, Ordering::AcqRel);
        for place in &mut self.streams {
            let opened = rustix::fs::open(c"/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
            // If no descriptor is left for it, the caller's call will fail too, and that error is the answer.
            *place = opened.ok().filter(|fd| fd.as_raw_fd() < LOWEST);
            if place.is_none() {
                break;
            }
        }
    }

    fn let_go(&mut self) {
        self.streams = [const { None }; LOWEST as usize];
        CHANGES.fetch_add(1, Ordering::AcqRel);
    }

    /// Runs `change` on the held numbers under the lock. None if a change does not end, and in a forked child
    /// if a thread of the parent was changing them at the fork.
    fn with<T>(change: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let mut tries = 0;
        while !IS_LOCKED.raise() {
            match tries {
                0..YIELDS => std::thread::yield_now(),
                YIELDS..SLEEPS => std::thread::sleep(SLEEP),
                _ => return None,
            }
            tries += 1;
        }
        let done = HELD.try_lock().ok().map(|mut held| change(&mut held));
        IS_LOCKED.lower();
        done
    }
}

/// One thread's share in them; false: it has none.
struct Hold(bool);

impl Hold {
    #[cold]
    fn begin() -> Self {
        let shared = HeldStreams::with(|held| {
            let own = std::process::id();
            if held.process != own {
                // A forked child has copies of the parent's reservations, and none of its threads.
                *held = HeldStreams::new(own);
                CHANGES.store(CHANGES.load(Ordering::Relaxed) / 2 * 2, Ordering::Release);
            }
            if held.users == 0 {
                held.hold();
            }
            held.users += 1;
        });
        Self(shared.is_some())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if self.0 {
            HeldStreams::with(|held| {
                held.users -= 1;
                if held.users == 0 {
                    held.let_go();
                }
            });
        }
    }
}
