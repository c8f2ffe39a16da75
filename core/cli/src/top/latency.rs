// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Durations of operations between two samples. Pure.
//!
//! Members publish histograms with buckets that grow by a factor of 4. A percentile is the end of its bucket:
//! an upper bound. The mean is exact, of the operations that were timed.

use std::collections::BTreeMap;

use mf_net::watch::{BOUNDS, Measured};
use serde::Serialize;

use super::snapshot::Flow;

/// Durations of one kind of operations.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Latency {
    pub(super) kind: String,
    /// Number of timed operations; not all are.
    pub(super) timed: u64,
    pub(super) mean_us: f64,
    /// Half of them took no longer; `None` beyond the last bound.
    pub(super) p50_at_most_us: Option<f64>,
    /// 99 % of them took no longer; `None` beyond the last bound.
    pub(super) p99_at_most_us: Option<f64>,
}

/// Returns the durations that were added between two readings of a histogram.
pub(super) fn between(before: Option<&Measured>, now: &Measured) -> Measured {
    let mut added = now.clone();
    if let Some(before) = before {
        added.nanoseconds = now.nanoseconds.saturating_sub(before.nanoseconds);
        for (count, before) in added.buckets.iter_mut().zip(&before.buckets) {
            *count = count.saturating_sub(*before);
        }
    }
    added
}

/// Returns the mean in microseconds, or `None` if no operation was timed.
pub(super) fn mean_us(took: &Measured) -> Option<f64> {
    let timed = took.count();
    (timed > 0).then(|| took.nanoseconds as f64 / 1e3 / timed as f64)
}

/// Returns the durations of all flows together by kind, without kinds that have none.
pub(super) fn by_kind<'a>(flows: impl IntoIterator<Item = &'a Flow>) -> Vec<Latency> {
    let mut kinds: BTreeMap<&str, Measured> = BTreeMap::new();
    for flow in flows {
        add(kinds.entry(&flow.kind).or_default(), &flow.took);
    }
    let latency = |(kind, took): (&str, Measured)| {
        Some(Latency {
            kind: kind.to_owned(),
            timed: took.count(),
            mean_us: mean_us(&took)?,
            p50_at_most_us: at_most_us(&took, 50),
            p99_at_most_us: at_most_us(&took, 99),
        })
    };
    kinds.into_iter().filter_map(latency).collect()
}

/// Adds durations to a histogram.
pub(super) fn add(sum: &mut Measured, more: &Measured) {
    sum.nanoseconds = sum.nanoseconds.saturating_add(more.nanoseconds);
    for (sum, more) in sum.buckets.iter_mut().zip(&more.buckets) {
        *sum = sum.saturating_add(*more);
    }
}

/// Returns the end of the bucket that the percentile falls into; `None` in the last one, which has no end.
fn at_most_us(took: &Measured, percent: u64) -> Option<f64> {
    let wanted = (took.count() * percent).div_ceil(100);
    let mut counted = 0;
    let bucket = took.buckets.iter().position(|count| {
        counted += count;
        counted >= wanted
    });
    bucket.and_then(|bucket| BOUNDS.get(bucket)).map(|bound| *bound as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(kind: &str, nanoseconds: u64, buckets: &[(usize, u64)]) -> Flow {
        let mut took = Measured { nanoseconds, ..Measured::default() };
        buckets.iter().for_each(|(bucket, count)| took.buckets[*bucket] = *count);
        Flow {
            from: 0,
            to: Some(1),
            route: "tcp".into(),
            kind: kind.into(),
            bytes_per_s: 0.0,
            operations_per_s: 1.0,
            errors: 0,
            mean_us: mean_us(&took),
            took,
        }
    }

    #[test]
    fn latencies_of_flows_are_joined_by_kind() {
        let flows = [
            flow("put", 98_000, &[(3, 98)]),
            flow("put", 202_000, &[(5, 2)]),
            flow("get", 0, &[]),
            flow("atomic", 90_000_000_000, &[(16, 1)]),
        ];
        let put = Latency {
            kind: "put".into(),
            timed: 100,
            mean_us: 3.0,
            p50_at_most_us: Some(4.0),
            p99_at_most_us: Some(64.0),
        };
        let atomic = Latency {
            kind: "atomic".into(),
            timed: 1,
            mean_us: 9e7,
            p50_at_most_us: None,
            p99_at_most_us: None,
        };
        assert_eq!(by_kind(&flows), [atomic, put]);
        assert_eq!(flows[2].mean_us, None);
    }

    #[test]
    fn durations_of_an_interval_exclude_earlier_ones() {
        let [before, now] = [flow("put", 1000, &[(3, 1)]).took, flow("put", 4000, &[(3, 2), (4, 1)]).took];
        let added = between(Some(&before), &now);
        assert_eq!((added.nanoseconds, added.buckets[3], added.buckets[4]), (3000, 1, 1));
        assert_eq!(between(None, &now), now);
    }
}
