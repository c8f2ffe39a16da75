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
use mf_measure::members::{Job, end_all, values};
use mf_measure::turns::{Figures, Pair};
use mf_program::table::{Column, figure};
use serde::Serialize;
use serde_json::json;

use crate::measurement::{Measurement, Report};
use crate::plot::{Lines, Plain};
use crate::task::Task as Work;
pub(crate) use member::{Task, main as member};

/// Measure barriers and allgathers of ranks on this host.
///
/// Starts the processes, which meet through their pool's groups; in turns with that, the same processes
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
}

/// Figures of one call.
#[derive(Serialize)]
struct Row {
    /// `barrier` or `allgather`.
    operation: &'static str,
    ranks: u32,
    /// Of each rank.
    bytes: u64,
    #[serde(flatten)]
    figures: Figures,
    /// Route of the group.
    route: String,
}

const COLUMNS: [Column<'static, Row>; 6] = [
    ("call", |row| row.operation.to_owned()),
    ("ranks", |row| row.ranks.to_string()),
    ("size", |row| if row.bytes > 0 { ByteLen(row.bytes).to_string() } else { String::new() }),
    ("us", |row| figure(row.figures.seconds * 1e6)),
    ("plain us", |row| figure(row.figures.plain_seconds * 1e6)),
    ("ratio", |row| figure(row.figures.ratio)),
];

impl Measurement for Args {
    const NAME: &'static str = "group";

    fn measure(&self) -> Result<Option<Report>> {
        let mut rows = Vec::new();
        for &ranks in &self.ranks {
            rows.extend(measure(self, ranks, &route(ranks)?)?);
        }
        let routes: BTreeSet<&str> = rows.iter().map(|row| row.route.as_str()).collect();
        let routes: Vec<&str> = routes.into_iter().collect();
        let mut report = Report::of(&rows, 1, &COLUMNS);
        report.note(&format!(
            "plain: the C library's barrier in shared memory, with copies around it. Groups met over {}.\n",
            routes.join(", ")
        ));
        report.more = json!({ "fresh": self.fresh });
        // Barriers are at the left edge.
        let lines = Lines {
            title: "Groups on one host",
            labels: ["microseconds", "times as fast as the plain barrier"],
            name: &|row: &Row| Some(format!("{} ranks", row.ranks)),
            bytes: |row| row.bytes.max(1),
            value: |row| row.figures.seconds * 1e6,
            ratio: |row| row.figures.ratio,
            plain: Plain::Each(|row| row.figures.plain_seconds * 1e6),
        };
        report.picture = Some(lines.picture(&rows));
        Ok(Some(report))
    }
}

/// Returns the route of a group of so many ranks. Metrics of waits have it, which cost time; so other
/// processes ask than measure.
fn route(ranks: u32) -> Result<String> {
    let job = Job::new()?;
    let task = |rank| {
        Work::Group(Task { world: ranks, rank, sizes: Vec::new(), fresh: false, quick: true, route: true })
    };
    let mut members = job.start_ranks(ranks, task, &[("MF_METRICS", "127.0.0.1:0")])?;
    let routes: Vec<String> = values(&mut members)?;
    end_all(members)?;
    Ok(routes.into_iter().next().unwrap_or_default())
}

fn measure(args: &Args, ranks: u32, route: &str) -> Result<Vec<Row>> {
    let job = Job::new()?;
    let task = |rank| {
        let (sizes, fresh, quick) = (args.sizes.clone(), args.fresh, args.quick);
        Work::Group(Task { world: ranks, rank, sizes, fresh, quick, route: false })
    };
    let mut members = job.start_ranks(ranks, task, &[])?;
    let mut rows = Vec::new();
    for number in 0..=args.sizes.len() {
        let of_each: Vec<Pair> = values(&mut members)?;
        let bytes = number.checked_sub(1).and_then(|at| args.sizes.get(at));
        rows.push(Row {
            operation: if bytes.is_some() { "allgather" } else { "barrier" },
            ranks,
            bytes: bytes.copied().unwrap_or(0),
            figures: Pair::figures(&of_each),
            route: route.to_owned(),
        });
    }
    end_all(members)?;
    Ok(rows)
}
