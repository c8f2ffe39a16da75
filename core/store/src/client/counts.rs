// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests of this process to stores, and sessions that were resumed, of all its clients.

use std::time::{Duration, Instant};

use mf_base::sync::counters::Counters;

/// Requests, failed ones, nanoseconds, sessions resumed, attempts that failed.
static COUNTERS: Counters<5> = Counters::new();

/// Counters of all store clients of this process, since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCounts {
    /// Requests that have their reply, or failed.
    pub requests: u64,
    /// Failed requests.
    pub failed: u64,
    /// Total duration of requests; a wait for a key or a lock is a request.
    pub took: Duration,
    /// Sessions that were resumed over a new connection, or at another store.
    pub resumed: u64,
    /// Attempts to resume that failed and were made again.
    pub retried: u64,
}

/// Counts since the process began. **Local.**
pub fn client_counts() -> ClientCounts {
    let [requests, failed, nanoseconds, resumed, retried] = [0, 1, 2, 3, 4].map(|index| COUNTERS.read(index));
    ClientCounts { requests, failed, took: Duration::from_nanos(nanoseconds), resumed, retried }
}

/// Counts a request that began then.
pub(super) fn request(since: Instant, is_good: bool) {
    let nanoseconds = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
    COUNTERS.add_each([(0, 1), (1, u64::from(!is_good)), (2, nanoseconds)]);
}

pub(super) fn resumed() {
    COUNTERS.add(3, 1);
}

pub(super) fn retried() {
    COUNTERS.add(4, 1);
}
