// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The common deadline of everything that a test waits for.

use std::time::{Duration, Instant};

/// Environment variable with the deadline in seconds.
pub const VARIABLE: &str = "MF_TEST_DEADLINE";
const DEFAULT: Duration = Duration::from_secs(30);
/// Between two checks of a condition that nothing announces.
const PAUSE: Duration = Duration::from_micros(500);

/// Longest that a test waits for any one thing.
pub fn limit() -> Duration {
    match std::env::var(VARIABLE) {
        Ok(text) => Duration::from_secs(text.parse().expect("MF_TEST_DEADLINE is a number of seconds")),
        Err(_) => DEFAULT,
    }
}

/// Waits until `holds`; false when the common deadline passed before.
pub fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit();
    while !holds() {
        if Instant::now() >= end {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    true
}
