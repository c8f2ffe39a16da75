// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Meter of durations: a histogram that several threads add to.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the buckets but the last, in nanoseconds: 62.5 ns times 1, 4, 16 and so on, up to 67 s.
pub const BOUNDS: [u64; 16] = bounds();
const BUCKETS: usize = BOUNDS.len() + 1;

/// The first end, in 16ths of a nanosecond.
const FIRST: u64 = 1000;

const fn bounds() -> [u64; 16] {
    let mut bounds = [0; 16];
    let mut index = 0;
    while index < 16 {
        // 62.5 ns is no whole number; the first bucket ends at 62.
        bounds[index] = (FIRST << (2 * index)) / 16;
        index += 1;
    }
    bounds
}

/// A histogram of durations.
pub(super) struct Meter {
    nanoseconds: AtomicU64,
    buckets: [AtomicU64; BUCKETS],
}

/// Readings of one meter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// All durations together, in nanoseconds.
    pub nanoseconds: u64,
    /// Number of durations not longer than each of [`BOUNDS`] and longer than the one before; the last bucket
    /// has all longer ones.
    pub buckets: [u64; BUCKETS],
}

impl Measured {
    /// Returns the number of measurements.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }
}

impl Meter {
    pub(super) const fn new() -> Self {
        Self { nanoseconds: AtomicU64::new(0), buckets: [const { AtomicU64::new(0) }; BUCKETS] }
    }

    pub(super) fn add(&self, took: Duration) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        let bucket = BOUNDS.partition_point(|bound| *bound < nanoseconds);
        if let Some(bucket) = self.buckets.get(bucket) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reads one by one: concurrent measurements may be missing in part.
    pub(super) fn read(&self) -> Measured {
        Measured {
            nanoseconds: self.nanoseconds.load(Ordering::Relaxed),
            buckets: std::array::from_fn(|index| self.buckets[index].load(Ordering::Relaxed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_fall_between_their_bounds() {
        assert_eq!((BOUNDS[0], BOUNDS[1], BOUNDS[15]), (62, 250, 67_108_864_000));
        let meter = Meter::new();
        for took in [0, 62, 63, 250, 251, 67_108_864_000, 67_108_864_001] {
            meter.add(Duration::from_nanos(took));
        }
        let measured = meter.read();
        assert_eq!(measured.count(), 7);
        assert_eq!(measured.buckets[..3], [2, 2, 1]);
        assert_eq!(measured.buckets[15..], [1, 1]);
        assert_eq!(measured.nanoseconds, 62 + 63 + 250 + 251 + 2 * 67_108_864_000 + 1);
    }
}
