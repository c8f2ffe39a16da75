// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of `mf perf copy`.

use mf_base::ByteLen;
use mf_measure::turns::median;
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};

/// One line of `mf perf copy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Operation: `put`, `get`, `g2g`, `put batch 64 x 4 KiB`, …
    pub(super) operation: String,
    /// Ranks in the pool.
    pub(super) ranks: u32,
    /// Ranks that copied at the same time.
    pub(super) busy: u32,
    /// Bytes of one call.
    pub(super) bytes: u64,
    /// Pieces of one call.
    pub(super) pieces: u32,
    /// Seconds of one call: the median of the turns, their mean when several ranks were busy.
    pub(super) seconds: f64,
    /// Seconds of plain copies between the same addresses.
    pub(super) same_seconds: f64,
    /// Seconds of plain copies between private buffers; the same as above where it makes no sense.
    pub(super) private_seconds: f64,
    /// Speed relative to plain copies between the same addresses.
    pub(super) same_ratio: f64,
    /// Speed relative to plain copies between private buffers.
    pub(super) private_ratio: f64,
}

impl Row {
    /// 10⁹ bytes a second, of all ranks that were busy.
    pub(super) fn gbps(&self, seconds: f64) -> f64 {
        self.bytes as f64 * f64::from(self.busy) / seconds / 1e9
    }
}

/// The figures of several ranks that did the same at the same time, as one row.
pub(super) fn merged(rows: &[Row]) -> Option<Row> {
    let first = rows.first()?;
    let middle = |value: fn(&Row) -> f64| median(&rows.iter().map(value).collect::<Vec<_>>());
    Some(Row {
        busy: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        seconds: middle(|row| row.seconds),
        same_seconds: middle(|row| row.same_seconds),
        private_seconds: middle(|row| row.private_seconds),
        same_ratio: middle(|row| row.same_ratio),
        private_ratio: middle(|row| row.private_ratio),
        ..first.clone()
    })
}

/// Columns of the table.
pub(super) const COLUMNS: [Column<'static, Row>; 10] = [
    ("operation", |row| row.operation.clone()),
    ("ranks", |row| row.ranks.to_string()),
    ("busy", |row| row.busy.to_string()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("ns/call", |row| figure(row.seconds * 1e9)),
    ("GB/s", |row| figure(row.gbps(row.seconds))),
    ("memcpy GB/s", |row| figure(row.gbps(row.same_seconds))),
    ("ratio", |row| figure(row.same_ratio)),
    ("private GB/s", |row| figure(row.gbps(row.private_seconds))),
    ("ratio", |row| figure(row.private_ratio)),
];

/// Line below the table.
pub(super) const LEGEND: &str = "memcpy: the C library's, between the same addresses; private: between two private \
buffers. Ratio: times as fast.\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(operation: &str, bytes: u64, seconds: f64) -> Row {
        Row {
            operation: operation.to_owned(),
            ranks: 2,
            busy: 1,
            bytes,
            pieces: 1,
            seconds,
            same_seconds: 2.0 * seconds,
            private_seconds: seconds,
            same_ratio: 2.0,
            private_ratio: 1.0,
        }
    }

    #[test]
    fn rows_survive_serialisation() {
        let row = row("put", 8, 14e-9);
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }

    #[test]
    fn rows_of_several_ranks_are_summed() {
        let merged = merged(&[row("put", 1_000_000_000, 1.0), row("put", 1_000_000_000, 1.0)]).unwrap();
        assert_eq!(merged.gbps(merged.seconds), 2.0);
        assert!(super::merged(&[]).is_none());
    }
}
