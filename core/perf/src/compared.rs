// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of a measurement with a baseline, as text and as JSON.

use mf_base::ByteLen;
use mf_program::table::{Table, figure};
use serde::{Deserialize, Serialize};

use super::measure::Pair;
use super::report::Output;

/// Common options: effort and output.
#[derive(clap::Args)]
pub(super) struct How {
    /// Fewer and shorter turns.
    #[arg(long)]
    pub(super) quick: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

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

/// The rows as a table, with this title of the column of memories.
pub(crate) fn table(memory: &str, rows: &[Row]) -> String {
    let mut table =
        Table::new(3, &["what", memory, "beside", "size", "us", "its us", "GB/s", "times as fast"]);
    for row in rows {
        table.row(vec![
            row.what.clone(),
            row.memory.clone(),
            row.baseline.clone(),
            ByteLen(row.bytes).to_string(),
            figure(row.seconds * 1e6),
            figure(row.plain_seconds * 1e6),
            figure(row.bytes as f64 / row.seconds / 1e9),
            figure(row.times_as_fast),
        ]);
    }
    table.render()
}
