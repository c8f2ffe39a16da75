// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is said about a wait that lasts.

use std::time::{Duration, Instant};

/// From one line about a wait to the next.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// A wait that may last.
pub(super) struct Lasting {
    began: Instant,
    next: Instant,
}

impl Lasting {
    /// One that begins now.
    pub(super) fn new() -> Self {
        let began = Instant::now();
        Self { began, next: began + REPORT_EVERY }
    }

    /// When to look again.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Logs whom it is waited for, when it is time; a member is written as `@` and its place.
    pub(super) fn report(&mut self, missing: impl FnOnce() -> String) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + REPORT_EVERY;
            let missing = missing().replace('@', "member ");
            tracing::warn!("a call of a group has waited {} s for: {missing}", (now - self.began).as_secs());
        }
    }
}
