// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interruptible wait for a state under a lock, with a deadline.

use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::Result;
use crate::interrupt::InterruptPoll;
use crate::sync::{lock, wait_notified_for};

/// Longest sleep without a deadline; then it sleeps again.
const NAP: Duration = Duration::from_secs(60);

/// Waits until `ready` returns a value. It is called under the lock, now and after each notification of
/// `changed`. Returns `None` if the deadline has passed.
///
/// # Errors
/// `Interrupted`.
pub fn wait_until<T, R>(
    operation: &'static str,
    state: &Mutex<T>,
    changed: &Condvar,
    deadline: Option<Instant>,
    mut ready: impl FnMut(&mut T) -> Option<R>,
) -> Result<Option<R>> {
    let mut guard = lock(state);
    let mut interrupt = None;
    loop {
        if let Some(found) = ready(&mut guard) {
            return Ok(Some(found));
        }
        let left = deadline.map_or(NAP, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Ok(None);
        }
        let interrupt = interrupt.get_or_insert_with(InterruptPoll::new);
        guard = wait_notified_for(changed, guard, interrupt.within(left));
        if interrupt.is_due() {
            // The program's check is called without a lock.
            drop(guard);
            interrupt.check(operation)?;
            guard = lock(state);
        }
    }
}
