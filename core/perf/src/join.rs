// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf join`: time from process start to a pool of N ranks, and memory of a rank's bookkeeping.

use std::time::Instant;

use mf_base::{ByteLen, Result};
use mf_measure::members::{Job, values};
use mf_measure::sizes::mib;
use mf_measure::turns::median;
use mf_program::procfs::process_bytes;
use mf_program::table::{Column, figure};
use serde::Serialize;

use super::pool_member::{self, Joined, What};
use super::task::Task;
use super::{parse_size, segment_bytes};
use crate::measurement::{Measurement, Report};

/// Measure the start of a job: from the first exec to the last rank joined.
///
/// Starts the processes, each of which initialises with an automatic rank, creates a pool and joins.
/// Also shows what memory a rank needs for itself once all have joined its pool (largest of all ranks;
/// segments are untouched).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf join
  mf perf join -n 64 --bytes 64MiB --window 16GiB")]
pub(super) struct Args {
    /// Numbers of ranks.
    #[arg(short = 'n', long = "ranks", default_value = "2,8,32,64", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(mf_base::MAX_WORLD_SIZE)))]
    ranks: Vec<u32>,
    /// Contribution of each rank.
    #[arg(long, default_value = "64MiB", value_parser = parse_size)]
    bytes: u64,
    /// Room in the address space for each contribution [default: as --bytes].
    #[arg(long, value_parser = parse_size)]
    window: Option<u64>,
    /// Times each number is measured; the median counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
}

/// Figures of one number of ranks.
#[derive(Serialize)]
struct Row {
    ranks: u32,
    bytes: u64,
    window_bytes: u64,
    seconds: f64,
    all_seconds: Vec<f64>,
    own_bytes: u64,
    resident_bytes: u64,
}

const COLUMNS: [Column<'static, Row>; 7] = [
    ("ranks", |row| row.ranks.to_string()),
    ("each", |row| ByteLen(row.bytes).to_string()),
    ("window each", |row| ByteLen(row.window_bytes).to_string()),
    ("s to last joined", |row| figure(row.seconds)),
    ("best s", |row| figure(row.all_seconds.iter().copied().fold(f64::INFINITY, f64::min))),
    ("own MiB a rank", |row| mib(row.own_bytes)),
    ("with code MiB", |row| mib(row.resident_bytes)),
];

impl Measurement for Args {
    const NAME: &'static str = "join";

    fn measure(&self) -> Result<Option<Report>> {
        let bytes = segment_bytes(self.bytes);
        let window_bytes = self.window.map_or(bytes, segment_bytes).max(bytes);
        let mut rows = Vec::new();
        for &ranks in &self.ranks {
            let (mut all_seconds, mut own_bytes, mut resident_bytes) = (Vec::new(), 0u64, 0u64);
            for _ in 0..self.repeat {
                let (took, weights) = start(ranks, bytes, window_bytes)?;
                all_seconds.push(took);
                own_bytes = weights.iter().map(|weight| weight.own_bytes).fold(own_bytes, u64::max);
                resident_bytes =
                    weights.iter().map(|weight| weight.resident_bytes).fold(resident_bytes, u64::max);
            }
            let seconds = median(&all_seconds);
            rows.push(Row { ranks, bytes, window_bytes, seconds, all_seconds, own_bytes, resident_bytes });
        }
        Ok(Some(Report::of(&rows, 0, &COLUMNS)))
    }
}

/// Memory use of a rank.
struct Weight {
    /// Private memory that is not part of a file: heap, stacks, tables.
    own_bytes: u64,
    /// Resident memory without shared memory: the above and the program's code.
    resident_bytes: u64,
}

/// Starts `ranks` members; returns the seconds from the first exec to the last join, and their memory use at
/// that moment.
fn start(ranks: u32, bytes: u64, window: u64) -> Result<(f64, Vec<Weight>)> {
    let job = Job::new()?;
    let task = pool_member::Task { window, ..pool_member::Task::new(What::Idle, ranks, None, bytes) };
    let task = Task::Pool(task);
    let begin = Instant::now();
    let mut members = Vec::new();
    for number in 0..ranks {
        members.push(job.start(&format!("member {number}"), &task, &[])?);
    }
    let joined = values::<Joined>(&mut members)?;
    let seconds = begin.elapsed().as_secs_f64();
    let weights = members.iter().map(|member| weigh(member.process_id())).collect();
    // The member with rank 0 serves the store, so it ends last.
    let mut ended: Vec<_> = members.into_iter().zip(&joined).collect();
    ended.sort_by_key(|(_, joined)| std::cmp::Reverse(joined.rank));
    for (member, _) in ended {
        member.end()?;
    }
    Ok((seconds, weights))
}

fn weigh(process: u32) -> Weight {
    let row = |name| process_bytes(process, name);
    Weight { own_bytes: row("RssAnon"), resident_bytes: row("RssAnon") + row("RssFile") }
}
