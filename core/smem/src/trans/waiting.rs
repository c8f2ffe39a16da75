// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waiting for a state under a lock to change, with a deadline and for programs that interrupt.

use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::interrupt::{self, InterruptPoll};
use mf_base::sync::{lock, wait_notified_for};

/// Longest sleep without a deadline; then it sleeps again.
const NAP: Duration = Duration::from_secs(60);

/// Waits until `ready` gives something; `None`: the deadline has passed.
///
/// # Errors
/// `Interrupted`.
pub(super) fn wait_until<T, R>(
    operation: &'static str,
    state: &Mutex<T>,
    changed: &Condvar,
    deadline: Option<Instant>,
    mut ready: impl FnMut(&mut T) -> Option<R>,
) -> Result<Option<R>> {
    let mut interrupt = InterruptPoll::new();
    let mut guard = lock(state);
    loop {
        if let Some(found) = ready(&mut guard) {
            return Ok(Some(found));
        }
        let left = deadline.map_or(NAP, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Ok(None);
        }
        guard = wait_notified_for(changed, guard, interrupt.within(left));
        if interrupt.is_due() {
            drop(guard);
            interrupt.check(operation)?;
            guard = lock(state);
        }
    }
}

/// Uninterruptible variant, for callers that must not leave before the result.
pub(super) fn wait_for<T, R>(
    state: &Mutex<T>,
    changed: &Condvar,
    mut ready: impl FnMut(&mut T) -> Option<R>,
) -> R {
    interrupt::without(|| {
        loop {
            if let Ok(Some(found)) = wait_until("transfer", state, changed, None, &mut ready) {
                return found;
            }
        }
    })
}
