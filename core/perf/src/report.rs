// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Presentation of a measurement.

use std::path::{Path, PathBuf};

use mf_base::{ByteLen, Result};
use mf_program::output::{print, save};
use mf_program::table::{Table, figure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One line of `mf perf copy`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
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
    let middle = |value: fn(&Row) -> f64| super::measure::median(&rows.iter().map(value).collect::<Vec<_>>());
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

/// The table of a copy measurement.
pub(super) fn copy_table(rows: &[Row]) -> String {
    let mut table = Table::new(
        1,
        &[
            "operation",
            "ranks",
            "busy",
            "size",
            "ns/call",
            "GB/s",
            "memcpy GB/s",
            "ratio",
            "private GB/s",
            "ratio",
        ],
    );
    for row in rows {
        table.row(vec![
            row.operation.clone(),
            row.ranks.to_string(),
            row.busy.to_string(),
            ByteLen(row.bytes).to_string(),
            figure(row.seconds * 1e9),
            figure(row.gbps(row.seconds)),
            figure(row.gbps(row.same_seconds)),
            figure(row.same_ratio),
            figure(row.gbps(row.private_seconds)),
            figure(row.private_ratio),
        ]);
    }
    format!(
        "{}memcpy: the C library's, between the same addresses; private: between two private buffers. Ratio: times as fast.\n",
        table.render()
    )
}

/// Facts of the machine that belong to every set of figures.
pub(super) fn machine() -> Value {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "debug_build": cfg!(debug_assertions),
        "architecture": std::env::consts::ARCH,
        "processor": model.map(|(_, name)| name.trim()),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "memory_bytes": mf_program::procfs::meminfo("MemTotal"),
        "free_huge_page_bytes": mf_base::os::memfile::free_huge_bytes(),
        "busy": super::load::facts(),
    })
}

// Output options. A doc comment here would replace the command's.
#[derive(clap::Args)]
pub(super) struct Output {
    /// Also write the figures as JSON; - is standard output, instead of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Output {
    /// Prints the tables, and writes the JSON document with the machine's facts and the figures.
    pub(super) fn write(&self, what: &str, tables: &str, rows: &Value, more: &Value) -> Result<()> {
        if self.json.as_deref() != Some(Path::new("-")) {
            print(tables)?;
        }
        let Some(path) = &self.json else { return Ok(()) };
        let document = json!({ "measurement": what, "machine": machine(), "rows": rows, "more": more });
        save(path, &format!("{document:#}\n"))
    }
}

// The same, with a picture.
#[derive(clap::Args)]
pub(super) struct Drawing {
    #[command(flatten)]
    output: Output,
    /// Also draw them.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Drawing {
    /// As [`Output::write`]; `picture` is drawn when it is wanted.
    pub(super) fn write(
        &self,
        what: &str,
        tables: &str,
        rows: &Value,
        more: &Value,
        picture: impl FnOnce() -> String,
    ) -> Result<()> {
        self.output.write(what, tables, rows, more)?;
        self.svg.as_ref().map_or(Ok(()), |path| save(path, &picture()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn row(operation: &str, bytes: u64, seconds: f64) -> Row {
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
    fn several_ranks_add_up() {
        let merged = merged(&[row("put", 1_000_000_000, 1.0), row("put", 1_000_000_000, 1.0)]).unwrap();
        assert_eq!(merged.gbps(merged.seconds), 2.0);
        assert!(super::merged(&[]).is_none());
    }

    #[test]
    fn the_table_names_the_units() {
        let text = copy_table(&[row("get", 1 << 20, 1e-3)]);
        assert!(text.contains("1 MiB") && text.contains("GB/s") && text.contains("2.00"), "{text}");
    }
}
