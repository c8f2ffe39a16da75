// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deadlines of operations: a timeout, and extra time for their bytes.

use std::time::{Duration, Instant};

/// Extra time of a transfer beyond the timeout: a second for every so many bytes.
const BYTES_PER_SECOND: u64 = 64 << 20;

/// Timeout of operations, without the extra time for their bytes.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines(pub Duration);

impl Deadlines {
    /// Returns the deadline of an operation of so many bytes that begins now.
    #[inline]
    pub fn after(self, bytes: u64) -> Instant {
        Instant::now() + self.0 + Duration::from_secs(bytes / BYTES_PER_SECOND)
    }
}
