// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of a transfer beside a baseline.

use mf_base::ByteLen;
use mf_measure::turns::Pair;
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};

/// A transfer beside its baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Operation: `put`, `read`, `64 putNB of 64 KiB, wait`, …
    what: String,
    /// Kinds of memory: `registered`, `cuda, cpu`.
    memory: String,
    bytes: u64,
    /// Seconds of one: the median of the turns.
    seconds: f64,
    baseline: String,
    plain_seconds: f64,
    /// Speed relative to the baseline.
    times_as_fast: f64,
}

impl Row {
    pub(crate) fn new(what: &str, memory: &str, bytes: u64, baseline: &str, pair: Pair) -> Self {
        let figures = Pair::figures(&[pair]);
        Self {
            what: what.to_owned(),
            memory: memory.to_owned(),
            bytes,
            seconds: figures.seconds,
            baseline: baseline.to_owned(),
            plain_seconds: figures.plain_seconds,
            times_as_fast: figures.ratio,
        }
    }
}

/// Columns of the table, of which the second, the kinds of memory, has this title.
pub(crate) fn columns(memory: &str) -> [Column<'_, Row>; 8] {
    [
        ("what", |row| row.what.clone()),
        (memory, |row| row.memory.clone()),
        ("beside", |row| row.baseline.clone()),
        ("size", |row| ByteLen(row.bytes).to_string()),
        ("us", |row| figure(row.seconds * 1e6)),
        ("its us", |row| figure(row.plain_seconds * 1e6)),
        ("GB/s", |row| figure(row.bytes as f64 / row.seconds / 1e9)),
        ("times as fast", |row| figure(row.times_as_fast)),
    ]
}
