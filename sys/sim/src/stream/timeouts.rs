// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Time limits of tasks and waits: settings of the process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::Deadline;
use crate::machine::machine;

/// Microseconds; the largest number: as the knob says.
static EXECUTE: AtomicU64 = AtomicU64::new(u64::MAX);
/// Seconds; 0: for ever.
static WAIT: AtomicU64 = AtomicU64::new(0);

/// Returns the longest run of a kernel; `None` for no limit.
pub fn execute() -> Option<Duration> {
    match EXECUTE.load(Ordering::Relaxed) {
        0 => None,
        u64::MAX => machine().ok().map(|machine| machine.config.op_timeout),
        micros => Some(Duration::from_micros(micros)),
    }
}

/// Sets [`execute`]. Assumed: 0 removes the limit, and the value is not rounded.
pub fn set_execute(micros: u64) -> u64 {
    let micros = micros.min(u64::MAX - 1);
    EXECUTE.store(micros, Ordering::Relaxed);
    micros
}

/// Returns the deadline of a wait that starts now without its own timeout.
pub fn wait() -> Deadline {
    let seconds = WAIT.load(Ordering::Relaxed);
    Deadline::after((seconds > 0).then(|| Duration::from_secs(seconds)))
}

/// Sets [`wait`]; 0: for ever.
pub fn set_wait(seconds: u32) {
    WAIT.store(seconds.into(), Ordering::Relaxed);
}
