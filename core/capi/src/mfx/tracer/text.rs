// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The table of all that this process counts, one line a trace point.

use mf_base::log::escaped;
use mf_fabric::pool::{Direction, copied};
use mf_net::decorators::metrics::snapshots;
use mf_net::posted;

use super::points;
use crate::calls;

/// A line.
struct Row {
    name: String,
    begun: u64,
    good: u64,
    bad: u64,
    bytes: Option<u64>,
    /// Nanoseconds: all, shortest, longest.
    took: (Option<u64>, Option<u64>, Option<u64>),
}

impl Row {
    /// Creates a line without times.
    fn counted(name: String, good: u64, bad: u64, bytes: Option<u64>) -> Self {
        Self { name, begun: good + bad, good, bad, bytes, took: (None, None, None) }
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for point in points::all() {
        let counted = point.counted();
        let took = counted.took.map_or((None, None, None), |(all, shortest, longest)| {
            (Some(all), Some(shortest), Some(longest))
        });
        let (begun, good, bad) = (counted.begun, counted.good, counted.bad);
        rows.push(Row { name: format!("point {}", point.name), begun, good, bad, bytes: None, took });
    }
    for row in copied().filter(|row| row.copies > 0) {
        let direction = match row.direction {
            Direction::Put => "put",
            Direction::Get => "get",
            Direction::Between => "between",
        };
        let name = format!("copy {} {direction}", row.kind);
        rows.push(Row::counted(name, row.copies, 0, Some(row.bytes)));
    }
    for row in posted() {
        let name = format!("{} {}", row.transport, row.kind.name());
        rows.push(Row::counted(name, row.operations, row.refused, Some(row.bytes)));
    }
    for snapshot in snapshots() {
        for (kind, count) in &snapshot.total.0 {
            let name = format!("{} {}, timed", snapshot.transport, kind.name());
            let good = count.operations.saturating_sub(count.errors);
            let timed = Row::counted(name, good, count.errors, Some(count.bytes));
            rows.push(Row { took: (Some(count.nanoseconds), None, None), ..timed });
        }
    }
    rows.extend(calls::all().map(|(symbol, calls, errors)| {
        Row::counted(format!("call {}", symbol.name), calls.saturating_sub(errors), errors, None)
    }));
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    rows
}

const TITLES: [&str; 9] =
    ["trace point", "begun", "good", "bad", "bytes", "mean us", "shortest us", "longest us", "all us"];

/// The text.
pub(super) fn table() -> String {
    let mut lines: Vec<[String; 9]> = vec![TITLES.map(str::to_owned)];
    lines.extend(rows().iter().map(cells));
    let mut widths = [0; 9];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let [first, ..] = widths;
    let mut text = String::new();
    for line in &lines {
        let mut cells = line.iter().zip(widths);
        if let Some((name, _)) = cells.next() {
            text += &format!("{name:<first$}");
        }
        cells.for_each(|(cell, width)| text += &format!("  {cell:>width$}"));
        text.push('\n');
    }
    text
}

fn cells(row: &Row) -> [String; 9] {
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    let micros = |value: Option<u64>| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{}.{:03}", value / 1000, value % 1000))
    };
    let ended = row.good + row.bad;
    let (all, shortest, longest) = row.took;
    let mean = all.and_then(|all| all.checked_div(ended));
    [
        escaped(&row.name).into_owned(),
        row.begun.to_string(),
        row.good.to_string(),
        row.bad.to_string(),
        number(row.bytes),
        micros(mean),
        micros(shortest),
        micros(longest),
        micros(all),
    ]
}
