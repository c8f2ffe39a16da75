// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for writes of other processes into registered memory.

use std::time::Instant;

use mf_base::interrupt::InterruptPoll;
use mf_base::sync::fences::Fences;
use mf_base::sync::pace::Pace;
use mf_base::sync::wait::{Deadline, WaitFailure, nap_until};

use super::Endpoint;

impl Endpoint {
    /// Waits until `poll`, which reads registered memory, returns a value: polls at the given `pace`, then
    /// sleeps. A write of a transport ends the sleep at once; processes that map the memory wake no thread,
    /// so it sleeps 1 ms at most. **Local.** Blocks at most until `deadline`.
    ///
    /// # Errors
    /// [`WaitFailure`].
    pub fn wait_for_writes<T>(
        &self,
        deadline: Instant,
        pace: Pace<'_>,
        poll: impl FnMut() -> Option<T>,
    ) -> Result<T, WaitFailure> {
        nap_until(&mut Deadline::At(deadline), pace, Some(self.regions.written()), poll)
    }

    /// The same where only transports write: it sleeps until they do. The thread that writes is one of this
    /// process, so a yield would be for others.
    ///
    /// # Errors
    /// [`WaitFailure`].
    pub fn wait_for_carried<T>(
        &self,
        deadline: Instant,
        mut poll: impl FnMut() -> Option<T>,
    ) -> Result<T, WaitFailure> {
        let mut interrupt = InterruptPoll::new();
        loop {
            let mut found = poll();
            if let Some(found) = found {
                return Ok(found);
            }
            if interrupt.is_left() {
                return Err(WaitFailure::Interrupted);
            }
            if Instant::now() >= deadline {
                return Err(WaitFailure::Late);
            }
            let is_ready = || {
                found = poll();
                found.is_some()
            };
            self.regions.written().sleep_unless(Fences::FULL, interrupt.until(deadline), is_ready);
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }
}
