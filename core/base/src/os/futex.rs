// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waiting on a 32-bit word, also one that lies in memory shared between processes.

use std::sync::atomic::AtomicU32;
use std::time::Instant;

use rustix::io::Errno;
use rustix::thread::futex::{self, Flags};
use rustix::time::Timespec;

/// Sleeps while `*word == expected`, at most until `deadline`; returns false when the deadline has passed.
///
/// Wakes without cause are possible: the caller checks its condition again. `word` may lie in shared memory.
pub fn wait_until(word: &AtomicU32, expected: u32, deadline: Option<Instant>) -> bool {
    let timeout = match deadline {
        None => None,
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            Some(Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: i64::from(left.subsec_nanos()),
            })
        }
    };
    // EAGAIN (the word has changed) and EINTR are both reasons to read the word again.
    !matches!(futex::wait(word, Flags::empty(), expected, timeout.as_ref()), Err(Errno::TIMEDOUT))
}

/// Wakes at most `count` sleepers on `word`, in any process.
pub fn wake(word: &AtomicU32, count: u32) {
    // The only errors concern the address, which a reference rules out.
    let _ = futex::wake(word, Flags::empty(), count);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    #[test]
    fn a_changed_word_does_not_wait_and_a_deadline_ends() {
        let word = AtomicU32::new(1);
        assert!(wait_until(&word, 0, None));
        assert!(!wait_until(&word, 1, Some(Instant::now() + Duration::from_millis(1))));
    }

    #[test]
    fn a_sleeper_is_woken() {
        let word = Arc::new(AtomicU32::new(0));
        let sleeper = {
            let word = Arc::clone(&word);
            std::thread::spawn(move || {
                while word.load(Ordering::Acquire) == 0 {
                    wait_until(&word, 0, None);
                }
            })
        };
        word.store(1, Ordering::Release);
        wake(&word, 1);
        sleeper.join().unwrap();
    }
}
