// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf group`: barriers and allgathers of the ranks of this host, beside the C library's barrier in
//! shared memory.
//!
//! The baseline is what a programmer would write: a process-shared `pthread_barrier_t`; for an allgather
//! every rank copies its bytes into shared memory, meets the others, copies all out, and meets them again.

mod baseline;
mod member;

use std::path::PathBuf;

use mf_base::{ByteLen, Result};
use serde_json::json;

use super::copy::parse;
use super::measure::median;
use super::plot;
use super::report::document;
use crate::members::{Job, Member};
use crate::output::{print, save};
use crate::table::{Table, figure};
use member::Turns;
pub(crate) use member::{Args as MemberArgs, main as member_main};

/// Measure barriers and allgathers of ranks on this host.
///
/// Starts that many processes, which meet through their pool's groups; in turns with that, the same processes
/// meet by the C library's barrier in shared memory. A ratio above 1 means faster than that.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf group
  mf perf group --ranks 2,16 --sizes 8,1MiB --json group.json --svg group.svg")]
pub(super) struct Args {
    /// Numbers of ranks.
    #[arg(long, default_value = "2,4,8", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=64))]
    ranks: Vec<u32>,
    /// Bytes that each rank gives in an allgather.
    #[arg(long, default_value = "64,64KiB", value_delimiter = ',', value_parser = super::parse_size, value_name = "SIZE,...")]
    sizes: Vec<u64>,
    /// Change the bytes before every allgather, as a program would: one byte of each cache line.
    #[arg(long)]
    fresh: bool,
    /// Fewer turns.
    #[arg(long)]
    quick: bool,
    /// Also write the figures as JSON; - is standard output, instead of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also draw them.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// What was measured of one call.
pub(super) struct Row {
    /// `barrier` or `allgather`.
    pub(super) operation: String,
    pub(super) ranks: u32,
    /// Of each rank.
    pub(super) bytes: u64,
    pub(super) seconds: f64,
    pub(super) plain_seconds: f64,
    /// How many times faster than the baseline.
    pub(super) ratio: f64,
    /// How the group met.
    pub(super) way: String,
}

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    let mut rows = Vec::new();
    for &ranks in &args.ranks {
        rows.extend(measure(args, ranks)?);
    }
    if args.json.as_deref() != Some(std::path::Path::new("-")) {
        print(&table(&rows))?;
    }
    if let Some(path) = &args.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| {
                json!({
                    "operation": row.operation, "ranks": row.ranks, "bytes": row.bytes, "seconds": row.seconds,
                    "plain_seconds": row.plain_seconds, "ratio": row.ratio, "way": row.way,
                })
            })
            .collect();
        save(path, &document("group", &json!(rows), &json!({ "fresh": args.fresh })))?;
    }
    args.svg.as_ref().map_or(Ok(()), |path| save(path, &plot::groups(&rows, "Groups on one host")))
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new(1, &["call", "ranks", "size", "us", "plain us", "ratio"]);
    for row in rows {
        table.row(vec![
            row.operation.clone(),
            row.ranks.to_string(),
            if row.bytes > 0 { ByteLen(row.bytes).to_string() } else { String::new() },
            figure(row.seconds * 1e6),
            figure(row.plain_seconds * 1e6),
            figure(row.ratio),
        ]);
    }
    let ways: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.way.as_str()).collect();
    let ways: Vec<&str> = ways.into_iter().collect();
    format!(
        "{}plain: the C library's barrier in shared memory, with copies around it. Groups met by {}.\n",
        table.render(),
        ways.join(", ")
    )
}

fn measure(args: &Args, ranks: u32) -> Result<Vec<Row>> {
    let job = Job::new()?;
    let mut members = Vec::new();
    for rank in 0..ranks {
        let sizes: Vec<String> = args.sizes.iter().map(ToString::to_string).collect();
        let mut arguments = vec![
            "perf-group-member".to_owned(),
            format!("--world={ranks}"),
            format!("--rank={rank}"),
            format!("--sizes={}", sizes.join(",")),
        ];
        arguments.extend(args.quick.then(|| "--quick".to_owned()));
        arguments.extend(args.fresh.then(|| "--fresh".to_owned()));
        members.push(job.start(&format!("rank {rank}"), &arguments, &[])?);
    }
    let mut rows = Vec::new();
    for number in 0..=args.sizes.len() {
        let turns = members.iter_mut().map(parse::<Turns>).collect::<Result<Vec<_>>>()?;
        rows.extend(merged(&turns, ranks, number.checked_sub(1).and_then(|at| args.sizes.get(at))));
    }
    // Rank 0 serves the store, so it ends last.
    while let Some(member) = members.pop() {
        Member::end(member)?;
    }
    Ok(rows)
}

/// All ranks measured the same calls: the middle of what they saw.
fn merged(turns: &[Turns], ranks: u32, bytes: Option<&u64>) -> Option<Row> {
    let first = turns.first()?;
    let middle = |of: fn(&Turns) -> &Vec<f64>| {
        median(&turns.iter().map(|turns| median(of(turns))).collect::<Vec<_>>())
    };
    let ratios: Vec<f64> =
        turns.iter().map(|turns| super::measure::speed_ratio(&turns.own, &turns.plain)).collect();
    Some(Row {
        operation: if bytes.is_some() { "allgather" } else { "barrier" }.to_owned(),
        ranks,
        bytes: bytes.copied().unwrap_or(0),
        seconds: middle(|turns| &turns.own),
        plain_seconds: middle(|turns| &turns.plain),
        ratio: median(&ratios),
        way: first.way.clone(),
    })
}
