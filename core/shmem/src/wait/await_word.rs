// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits of the library for words through which PEs meet: they end when a PE is gone.

use std::time::{Duration, Instant};

use mf_base::sync::wait::{Deadline, nap_until};
use mf_base::{Error, Kind, Result, interrupt};

use super::Waits;
use crate::space::Space;

/// Pause between two liveness checks of the PEs that a wait depends on.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Pause between two reports of a wait without a limit.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// Limit of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The control timeout.
    Control,
    /// As long as the others live.
    None,
}

impl Waits {
    /// Waits until `poll` returns a value. `others`: the PEs that it waits for; `check`: called now and then,
    /// its error ends the wait.
    ///
    /// # Errors
    /// `NotConnected` names a PE of `others` that is gone · `Timeout`, with a limit · errors of `check`.
    #[inline]
    pub(crate) fn await_word<T>(
        &self,
        space: &Space,
        operation: &'static str,
        limit: Limit,
        mut poll: impl FnMut() -> Option<T>,
        others: impl Fn() -> Vec<u32>,
        check: impl Fn() -> Result<()>,
    ) -> Result<T> {
        if let Some(found) = self.poll_briefly(1, &mut poll) {
            return Ok(found);
        }
        self.await_long(space, operation, limit, poll, others, check)
    }

    #[cold]
    fn await_long<T>(
        &self,
        space: &Space,
        operation: &'static str,
        limit: Limit,
        mut poll: impl FnMut() -> Option<T>,
        others: impl Fn() -> Vec<u32>,
        check: impl Fn() -> Result<()>,
    ) -> Result<T> {
        let (pace, begun) = (self.pace(), Instant::now());
        self.group.leave_shared_core();
        let eventcount = self.eventcount(space);
        let mut reported = begun;
        loop {
            let mut deadline = Deadline::Within(LOOK_EVERY);
            // Not interruptible: a call that has changed words of others cannot be repeated.
            let waited = interrupt::without(|| nap_until(&mut deadline, pace, eventcount, &mut poll));
            if let Ok(found) = waited {
                return Ok(found);
            }
            let others = others();
            space.pe().check_alive(operation, &others)?;
            check()?;
            let waited = begun.elapsed();
            if limit == Limit::Control && waited >= self.limit {
                return Err(Error::new(Kind::Timeout, operation)
                    .what("PEs did not come in time")
                    .with("waits_for", format!("{others:?}"))
                    .with("waited_ms", waited.as_millis()));
            }
            if reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                tracing::warn!("{operation}: waits for PEs {others:?} since {} s", waited.as_secs());
            }
        }
    }
}
