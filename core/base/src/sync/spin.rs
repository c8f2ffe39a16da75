// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Whether somebody who waits may look a few times before it sleeps: a caller for its reply, a store for the next
//! request.
//!
//! Going to sleep and waking up costs more than a store on the same host needs for its answer, but a core that looks is
//! taken from whoever could compute that answer. So: never with one core; each look is followed by a yield, so that
//! whoever wants the core gets it; and only as long as it pays: after a look in vain, or after the core was taken, the next
//! times it sleeps at once, the more of them the more often that happened.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Longest look.
const LIMIT: Duration = Duration::from_micros(60);
/// A pause between two looks above this means that somebody else had the core.
const TAKEN: Duration = Duration::from_micros(25);
/// At most 2^this times it sleeps at once before the next try.
const MOST_MISSES: u32 = 7;

/// The experience of one who waits.
#[derive(Debug, Default)]
pub struct Spin {
    /// Tries in vain in a row.
    misses: u32,
    /// How often it still sleeps at once.
    skip: u32,
}

/// One look, or several in a row.
pub struct Look {
    end: Instant,
    last: Instant,
}

impl Spin {
    /// Whether it may look now.
    pub fn begin(&mut self) -> Option<Look> {
        if !several_cores() {
            return None;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        let now = Instant::now();
        Some(Look { end: now + LIMIT, last: now })
    }

    /// What it waited for came while it looked.
    pub fn paid(&mut self) {
        self.misses = 0;
    }

    /// It did not.
    pub fn in_vain(&mut self) {
        self.misses = (self.misses + 1).min(MOST_MISSES);
        self.skip = (1 << self.misses) - 1;
    }
}

impl Look {
    /// It paid: from here on again.
    pub fn restart(&mut self) {
        self.last = Instant::now();
        self.end = self.last + LIMIT;
    }

    /// Gives others the core for a moment; whether to look again.
    pub fn again(&mut self) -> bool {
        std::thread::yield_now();
        let now = Instant::now();
        let taken = now.saturating_duration_since(self.last) > TAKEN;
        self.last = now;
        !taken && now < self.end
    }
}

fn several_cores() -> bool {
    static SEVERAL: OnceLock<bool> = OnceLock::new();
    *SEVERAL.get_or_init(|| std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_in_vain_makes_it_rarer_and_success_makes_it_normal() {
        if !several_cores() {
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
            spin.in_vain();
        }
        assert_eq!(sleeps, [0, 1, 3]);
        while spin.begin().is_none() {}
        spin.paid();
        assert!(spin.begin().is_some());
    }
}
