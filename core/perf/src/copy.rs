// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf copy`: bandwidth and latency of copies by size.

mod row;
mod sweep;

use mf_base::{ByteLen, Error, Result};
use mf_measure::members::{Job, Member, end_all, values};
use mf_program::output::note;
use serde_json::json;

use super::pool_member::{self, Joined, What};
use super::task::Task;
use crate::measurement::{Measurement, Report};
use crate::plot::{Lines, Picture, Plain};
use crate::{capi, parse_size, segment_bytes};
pub(crate) use row::Row;
use row::merged;
use sweep::MIXED_BATCH_BYTES;
pub(crate) use sweep::Sweep;

const OPERATION: &str = "mf perf copy";
/// The sweep: 8 B to 1 GiB.
const SIZES: [u64; 12] =
    [8, 64, 512, 4 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20, 1 << 30];
const MAX_RANKS: u32 = 64;

/// Measure put, get, copies between ranks and batches, by size.
///
/// Every figure stands beside plain memcpy, measured in turns with it in the same process: once between the
/// very same addresses ("memcpy"), once between two private buffers ("private"). A ratio above 1 means faster
/// than memcpy. One rank copies to and from its neighbour while the others are idle, or all of them at once
/// with --all.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf copy
  mf perf copy --quick --sizes 64KiB,16MiB --ranks 1..4
  mf perf copy --json copy.json --svg copy.svg")]
pub(super) struct Args {
    /// Sizes of a copy [default: 8 B to 1 GiB, as far as memory allows].
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...")]
    sizes: Vec<u64>,
    /// Ranks in the pool: a number, a list (1,2,4) or a range (1..4).
    #[arg(long, default_value = "2", value_parser = parse_ranks, value_name = "RANKS")]
    ranks: RankCounts,
    /// Let all ranks copy at the same time; GB/s is then the sum of all ranks, waiting for a core included.
    #[arg(long)]
    all: bool,
    /// Fewer turns: a first impression within seconds.
    #[arg(long)]
    quick: bool,
    /// Leave the batches out.
    #[arg(long)]
    no_batches: bool,
}

/// Numbers of ranks to measure with.
#[derive(Clone, Debug, PartialEq)]
struct RankCounts(Vec<u32>);

impl Measurement for Args {
    const NAME: &'static str = "copy";

    fn measure(&self) -> Result<Option<Report>> {
        let most_ranks = self.ranks.0.iter().copied().max().unwrap_or(1);
        let sizes = sizes(self, most_ranks)?;
        let mut rows = Vec::new();
        for &ranks in &self.ranks.0 {
            let busy = if self.all { ranks } else { 1 };
            rows.extend(measure(self, &sizes, ranks, busy)?);
        }
        let latency = capi::latency(self.quick);
        let mut report = Report::of(&rows, 1, &row::COLUMNS);
        report.note(row::LEGEND);
        report.paragraph(&capi::text(&latency));
        report.more = json!({ "c_abi": capi::to_json(&latency) });
        report.picture = Some(picture(&rows));
        Ok(Some(report))
    }
}

/// The rows that copy one piece a call.
fn picture(rows: &[Row]) -> Picture {
    let several_pools = rows.iter().any(|row| Some(row.ranks) != rows.first().map(|row| row.ranks));
    Lines {
        title: "mf perf copy",
        labels: ["GB/s", "times memcpy between the same addresses"],
        name: &|row: &Row| {
            let name = if several_pools {
                format!("{}, {} ranks", row.operation, row.ranks)
            } else {
                row.operation.clone()
            };
            (row.pieces == 1).then_some(name)
        },
        bytes: |row| row.bytes,
        value: |row| row.gbps(row.seconds),
        ratio: |row| row.same_ratio,
        plain: Plain::First("memcpy", |row| row.gbps(row.private_seconds)),
    }
    .picture(rows)
}

/// The sizes to measure: the requested ones that fit, else the fitting ones of the sweep.
fn sizes(args: &Args, ranks: u32) -> Result<Vec<u64>> {
    let available = mf_program::procfs::meminfo("MemAvailable").unwrap_or(u64::MAX);
    let needed = |bytes: u64| memory_for(bytes, if args.all { ranks } else { 1 });
    if !args.sizes.is_empty() {
        return match args.sizes.iter().find(|bytes| needed(**bytes) > available) {
            None => Ok(args.sizes.clone()),
            Some(bytes) => Err(Error::invalid(OPERATION, "a size does not fit into memory")
                .with("size", ByteLen(*bytes))
                .with("ranks", ranks)
                .with("needed", ByteLen(needed(*bytes)))
                .with("available", ByteLen(available))
                .hint("choose smaller --sizes or fewer --ranks")),
        };
    }
    let (fitting, left): (Vec<u64>, Vec<u64>) =
        SIZES.into_iter().partition(|bytes| needed(*bytes) <= available / 10 * 8);
    for bytes in left {
        note(&format!(
            "mf perf copy: {} left out: it needs {} of memory and {} is available",
            ByteLen(bytes),
            ByteLen(needed(bytes)),
            ByteLen(available)
        ));
    }
    Ok(fitting)
}

/// Memory that a measurement with copies of `bytes` touches: for each rank that copies two places in segments
/// and two buffers.
fn memory_for(bytes: u64, busy: u32) -> u64 {
    bytes.saturating_mul(u64::from(busy) * 4).saturating_add(256 << 20)
}

fn measure(args: &Args, sizes: &[u64], ranks: u32, busy: u32) -> Result<Vec<Row>> {
    let job = Job::new()?;
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let largest = if args.no_batches { largest } else { largest.max(MIXED_BATCH_BYTES) };
    // A segment has a half that is read and one that is written.
    let segment = segment_bytes(largest * 2);
    let task = |rank| {
        Task::Pool(pool_member::Task {
            sizes: sizes.to_vec(),
            busy,
            quick: args.quick,
            batches: !args.no_batches,
            ..pool_member::Task::new(What::Copy, ranks, Some(rank), segment)
        })
    };
    let mut members = job.start_ranks(ranks, task, &[])?;
    values::<Joined>(&mut members)?;
    let batches = if args.no_batches { 0 } else { 8 };
    let mut rows = Vec::new();
    for _ in 0..sizes.len() * 3 + batches {
        let of_each =
            members.iter_mut().take(busy as usize).map(Member::value).collect::<Result<Vec<_>>>()?;
        rows.extend(merged(&of_each));
    }
    end_all(members)?;
    Ok(rows)
}

fn parse_ranks(text: &str) -> Result<RankCounts, String> {
    let expected =
        || format!("expected a number, a list or a range of 1 to {MAX_RANKS}, for example 2, 1,2,4 or 1..4");
    let number = |text: &str| {
        text.trim().parse::<u32>().ok().filter(|n| (1..=MAX_RANKS).contains(n)).ok_or_else(expected)
    };
    let counts = match text.split_once("..") {
        Some((from, to)) => (number(from)?..=number(to.trim_start_matches('='))?).collect(),
        None => text.split(',').map(number).collect::<Result<Vec<u32>, String>>()?,
    };
    if counts.is_empty() { Err(expected()) } else { Ok(RankCounts(counts)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_counts_are_numbers_lists_or_ranges() {
        assert_eq!(parse_ranks("2").unwrap().0, [2]);
        assert_eq!(parse_ranks("1,2,4").unwrap().0, [1, 2, 4]);
        assert_eq!(parse_ranks("1..4").unwrap().0, [1, 2, 3, 4]);
        assert_eq!(parse_ranks("3..3").unwrap().0, [3]);
        for text in ["", "0", "65", "4..1", "1..", "a", "1,,2", "-1"] {
            assert!(parse_ranks(text).is_err(), "{text}");
        }
    }

    #[test]
    fn memory_is_counted_without_overflow() {
        assert!(memory_for(1 << 30, 1) >= 4 << 30);
        assert_eq!(memory_for(u64::MAX, 4), u64::MAX);
    }
}
