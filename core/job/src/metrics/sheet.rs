// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values of metrics at one moment.

use std::collections::BTreeMap;
use std::time::Duration;

use mf_net::watch::Measured;

use super::table::{Metric, MetricKind, TABLE};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number of things or bytes.
    Number(u64),
    /// A time.
    Time(Duration),
    /// Many times.
    Times(Measured),
}

/// Names and values of labels, in the order of the metric's.
pub type Labels = Vec<(&'static str, String)>;

/// A value with its labels, in the order of the metric's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Names and values; a metric that is missing here has no such label.
    pub labels: Labels,
    /// The value.
    pub value: Value,
}

/// Values of all metrics; of each metric no two have the same labels.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    rows: BTreeMap<&'static str, BTreeMap<Labels, Value>>,
}

impl Sheet {
    /// Adds a value. It is added to an earlier one with the same labels, as of two jobs with the same ranks;
    /// of an informative metric the first one stays.
    pub fn add(&mut self, metric: Metric, labels: Labels, value: Value) {
        debug_assert!(labels.iter().all(|(name, _)| metric.labels.contains(name)), "{metric:?} {labels:?}");
        let rows = self.rows.entry(metric.name).or_default();
        match rows.get_mut(&labels) {
            None => {
                rows.insert(labels, value);
            }
            Some(_) if metric.kind == MetricKind::Info => {}
            Some(present) => present.add(&value),
        }
    }

    /// As [`add`](Self::add), of a number.
    pub fn number(&mut self, metric: Metric, labels: Labels, value: u64) {
        self.add(metric, labels, Value::Number(value));
    }

    /// The metrics that have values, in the order of the table, with these.
    pub fn metrics(&self) -> impl Iterator<Item = (Metric, Vec<Sample>)> {
        let of = |metric: &Metric| {
            let rows = self.rows.get(metric.name)?;
            let sample =
                |(labels, value): (&Labels, &Value)| Sample { labels: labels.clone(), value: value.clone() };
            Some((*metric, rows.iter().map(sample).collect()))
        };
        TABLE.iter().filter_map(of)
    }
}

impl Value {
    fn add(&mut self, other: &Self) {
        match (self, other) {
            (Self::Number(sum), Self::Number(more)) => *sum = sum.saturating_add(*more),
            (Self::Time(sum), Self::Time(more)) => *sum = sum.saturating_add(*more),
            (Self::Times(sum), Self::Times(more)) => {
                sum.nanoseconds = sum.nanoseconds.saturating_add(more.nanoseconds);
                for (sum, more) in sum.buckets.iter_mut().zip(more.buckets) {
                    *sum = sum.saturating_add(more);
                }
            }
            _ => debug_assert!(false, "a metric has values of one kind"),
        }
    }
}
