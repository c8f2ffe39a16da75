// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What was measured, in words and for programs.

use mf_base::ByteLen;
use serde::{Deserialize, Serialize};

use crate::perf::measure::Pair;
use crate::table::{Table, figure};

/// A transfer beside its baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    /// What was done: `write`, `read`, `61 x 128 KiB and 61 x 16 KiB`, …
    what: String,
    /// Where the other side's memory is from: `trans_malloc` or `registered`.
    memory: String,
    bytes: u64,
    /// Seconds of one: the median of the turns.
    seconds: f64,
    baseline: String,
    plain_seconds: f64,
    /// How many times faster than the baseline.
    times_as_fast: f64,
}

impl Row {
    pub(super) fn new(what: &str, memory: &str, bytes: u64, baseline: &str, pair: Pair) -> Self {
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

/// Something that has no baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Cost {
    pub(super) what: String,
    pub(super) value: f64,
    pub(super) unit: String,
}

/// Both as tables.
pub(super) fn text(rows: &[Row], costs: &[Cost]) -> String {
    let mut table =
        Table::new(3, &["what", "memory there", "beside", "size", "us", "its us", "GB/s", "times as fast"]);
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
    let mut text = table.render();
    if !costs.is_empty() {
        let mut table = Table::new(1, &["what", "value", "unit"]);
        for cost in costs {
            table.row(vec![cost.what.clone(), figure(cost.value), cost.unit.clone()]);
        }
        text += "\n";
        text += &table.render();
    }
    text
}
