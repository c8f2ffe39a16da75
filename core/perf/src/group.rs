// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf group`: barriers and allgathers of the ranks of this host, beside the C library's barrier in
//! shared memory.
//!
//! The baseline is plain code: a process-shared `pthread_barrier_t`; for an allgather every rank copies its
//! bytes into shared memory, meets the others, copies all out, and meets them again.

mod baseline;
mod member;

use std::collections::BTreeSet;

use mf_base::{ByteLen, Result};
use mf_program::table::{Table, figure};
use serde_json::{Value, json};

use super::measure::{Figures, Pair};
use super::plot;
use super::report::Drawing;
use crate::members::{Job, end_all, values};
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
    #[command(flatten)]
    output: Drawing,
}

/// Figures of one call.
pub(super) struct Row {
    /// `barrier` or `allgather`.
    pub(super) operation: String,
    pub(super) ranks: u32,
    /// Of each rank.
    pub(super) bytes: u64,
    pub(super) figures: Figures,
    /// Route of the group.
    pub(super) route: String,
}

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    let mut rows = Vec::new();
    for &ranks in &args.ranks {
        rows.extend(measure(args, ranks)?);
    }
    let values: Value = rows
        .iter()
        .map(|row| {
            json!({
                "operation": row.operation, "ranks": row.ranks, "bytes": row.bytes, "seconds": row.figures.seconds,
                "plain_seconds": row.figures.plain_seconds, "ratio": row.figures.ratio, "route": row.route,
            })
        })
        .collect();
    let more = json!({ "fresh": args.fresh });
    args.output.write("group", &table(&rows), &values, &more, || plot::groups(&rows, "Groups on one host"))
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new(1, &["call", "ranks", "size", "us", "plain us", "ratio"]);
    for row in rows {
        table.row(vec![
            row.operation.clone(),
            row.ranks.to_string(),
            if row.bytes > 0 { ByteLen(row.bytes).to_string() } else { String::new() },
            figure(row.figures.seconds * 1e6),
            figure(row.figures.plain_seconds * 1e6),
            figure(row.figures.ratio),
        ]);
    }
    let routes: BTreeSet<&str> = rows.iter().map(|row| row.route.as_str()).collect();
    let routes: Vec<&str> = routes.into_iter().collect();
    format!(
        "{}plain: the C library's barrier in shared memory, with copies around it. Groups met over {}.\n",
        table.render(),
        routes.join(", ")
    )
}

fn measure(args: &Args, ranks: u32) -> Result<Vec<Row>> {
    let job = Job::new()?;
    let sizes: Vec<String> = args.sizes.iter().map(ToString::to_string).collect();
    let arguments = |rank| {
        let mut arguments = vec![
            "perf-group-member".to_owned(),
            format!("--world={ranks}"),
            format!("--rank={rank}"),
            format!("--sizes={}", sizes.join(",")),
        ];
        arguments.extend(args.quick.then(|| "--quick".to_owned()));
        arguments.extend(args.fresh.then(|| "--fresh".to_owned()));
        arguments
    };
    let mut members = job.start_ranks(ranks, arguments, &[])?;
    let mut rows = Vec::new();
    for number in 0..=args.sizes.len() {
        let (of_each, routes): (Vec<Pair>, Vec<String>) = values(&mut members)?.into_iter().unzip();
        let bytes = number.checked_sub(1).and_then(|at| args.sizes.get(at));
        rows.push(Row {
            operation: if bytes.is_some() { "allgather" } else { "barrier" }.to_owned(),
            ranks,
            bytes: bytes.copied().unwrap_or(0),
            figures: Pair::figures(&of_each),
            route: routes.into_iter().next().unwrap_or_default(),
        });
    }
    end_all(members)?;
    Ok(rows)
}
