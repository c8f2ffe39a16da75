// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A limit for warnings and errors that others can provoke: a peer that connects a thousand times must not
//! fill the log or slow down its writer.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::sync::lock;

/// Most messages of one kind that are logged in each [`PERIOD`].
const MOST: u32 = 10;
/// See [`MOST`].
const PERIOD: Duration = Duration::from_secs(10);

/// Counts the messages of one kind. Used through [`warn_limited!`](crate::warn_limited) and
/// [`error_limited!`](crate::error_limited).
#[derive(Debug)]
pub struct Limit(Mutex<Window>);

#[derive(Debug)]
struct Window {
    began: Option<Instant>,
    logged: u32,
    suppressed: u64,
}

impl Default for Limit {
    fn default() -> Self {
        Self::new()
    }
}

impl Limit {
    /// Nothing has been logged yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Window { began: None, logged: 0, suppressed: 0 }))
    }

    /// Asks to log one more event. Returns the number of events suppressed since the last one, or `None` to
    /// suppress this one.
    pub fn pass(&self) -> Option<u64> {
        self.pass_at(Instant::now())
    }

    fn pass_at(&self, now: Instant) -> Option<u64> {
        let mut window = lock(&self.0);
        let is_over = |began: Instant| now.saturating_duration_since(began) >= PERIOD;
        if window.began.is_none_or(is_over) {
            window.began = Some(now);
            window.logged = 0;
        }
        if window.logged >= MOST {
            window.suppressed += 1;
            return None;
        }
        window.logged += 1;
        Some(std::mem::take(&mut window.suppressed))
    }
}

/// Rate-limited `tracing::warn!` for events that other processes can provoke: at most ten from one place in
/// the code in ten seconds; the next logged event after that reports the number of suppressed ones.
#[macro_export]
macro_rules! warn_limited {
    ($($event:tt)+) => {
        $crate::log_limited!(warn, "further warnings like the next one were not logged", $($event)+)
    };
}

/// `tracing::error!` with the limit of [`warn_limited!`](crate::warn_limited).
#[macro_export]
macro_rules! error_limited {
    ($($event:tt)+) => {
        $crate::log_limited!(error, "further errors like the next one were not logged", $($event)+)
    };
}

/// For the two above.
#[doc(hidden)]
#[macro_export]
macro_rules! log_limited {
    ($level:ident, $further:literal, $($event:tt)+) => {{
        static LIMIT: $crate::log::Limit = $crate::log::Limit::new();
        if let Some(suppressed) = LIMIT.pass() {
            if suppressed > 0 {
                tracing::$level!(suppressed, $further);
            }
            tracing::$level!($($event)+);
        }
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut_and_counted() {
        let (limit, start) = (Limit::new(), Instant::now());
        let passed = (0..1000).filter(|_| limit.pass_at(start).is_some()).count();
        assert_eq!(passed, 10);
        assert_eq!(limit.pass_at(start + PERIOD / 2), None);
        assert_eq!(limit.pass_at(start + PERIOD), Some(991));
        assert_eq!(limit.pass_at(start + PERIOD), Some(0));
    }
}
