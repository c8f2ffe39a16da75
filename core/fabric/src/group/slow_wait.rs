// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Slow-wait reports: to other members, soon ([`super::wait_report`]), and in the log.

use std::time::{Duration, Instant};

use super::wait_report::{PUBLISH_AFTER, Published, Reporter};

/// From one line of the log about a wait to the next.
const LOG_EVERY: Duration = Duration::from_secs(60);
/// Interval at which the list of missing members is compared with the reported one.
const UPDATE_EVERY: Duration = Duration::from_secs(5);

/// A wait that may last.
pub(super) struct SlowWait<'a> {
    reporter: &'a Reporter,
    began: Instant,
    next: Instant,
    next_line: Instant,
    published: Option<Published>,
}

impl<'a> SlowWait<'a> {
    /// One that begins now.
    pub(super) fn new(reporter: &'a Reporter) -> Self {
        let began = Instant::now();
        Self { reporter, began, next: began + PUBLISH_AFTER, next_line: began + LOG_EVERY, published: None }
    }

    /// Returns the time of the next report.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Reports the wait in `call`, if a report is due: `missing` members by their places, and a description
    /// of them, in which a member is written as `@` and its place.
    pub(super) fn report(
        &mut self,
        call: &str,
        missing: impl FnOnce() -> Vec<usize>,
        described: impl FnOnce() -> String,
    ) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + UPDATE_EVERY;
        let waited = now - self.began;
        match &mut self.published {
            Some(published) => published.update(self.reporter, &missing()),
            None => self.published = self.reporter.publish(call, waited, &missing()),
        }
        if now >= self.next_line {
            self.next_line = now + LOG_EVERY;
            let described = described().replace('@', "member ");
            tracing::warn!("a call of a group has waited {} s for: {described}", waited.as_secs());
        }
    }
}
