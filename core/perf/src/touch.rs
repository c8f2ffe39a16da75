// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf touch`: cost of the first touch of fresh memory.

use std::time::Instant;

use mf_base::{ByteLen, MemKind, Result};
use mf_library::big_memory::Job;
use mf_measure::members::{Job as Members, print_value};
use mf_measure::memory::{FreshPages, touch};
use mf_measure::turns::{median, speed_ratio};
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};

use super::pool_member::{self, What};
use super::task::Task;
use super::{length, parse_size, segment_bytes};
use crate::measurement::{Measurement, Report};

/// Measure the first touch of a fresh segment.
///
/// Compares a touch of every 4 KiB of a fresh segment, and a join that prepares the pages itself
/// (MF_PREFAULT=true), with the same touch of fresh private memory in pages of 4 KiB. They take turns; the
/// median counts.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf perf touch --bytes 1GiB")]
pub(super) struct Args {
    /// Bytes to touch.
    #[arg(long, default_value = "1GiB", value_parser = parse_size)]
    bytes: u64,
    /// Fewer turns.
    #[arg(long)]
    quick: bool,
}

/// Seconds of each turn.
#[derive(Debug, Serialize, Deserialize)]
struct Turns {
    /// Joining with a fresh segment.
    join: Vec<f64>,
    /// Touching every page of it.
    segment: Vec<f64>,
    /// Touching every page of fresh private memory.
    plain: Vec<f64>,
}

/// Figures of one way to touch.
#[derive(Serialize)]
struct Row {
    what: &'static str,
    bytes: u64,
    seconds: f64,
    plain_seconds: f64,
    /// Share of the plain time.
    share: f64,
}

const COLUMNS: [Column<'static, Row>; 5] = [
    ("first touch", |row| row.what.to_owned()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("ms", |row| figure(row.seconds * 1e3)),
    ("plain 4 KiB pages ms", |row| figure(row.plain_seconds * 1e3)),
    ("share of plain time", |row| figure(row.share)),
];

impl Measurement for Args {
    const NAME: &'static str = "touch";

    fn measure(&self) -> Result<Option<Report>> {
        let bytes = segment_bytes(self.bytes);
        let run = |prefault: &str| -> Result<Turns> {
            let task = pool_member::Task::new(What::Touch, 1, Some(0), bytes);
            let task = Task::Pool(pool_member::Task { quick: self.quick, ..task });
            let mut member = Members::new()?.start("rank 0", &task, &[("MF_PREFAULT", prefault)])?;
            let turns = member.value()?;
            member.end()?;
            Ok(turns)
        };
        let (lazy, eager) = (run("false")?, run("true")?);
        let whole: Vec<f64> =
            eager.join.iter().zip(&eager.segment).map(|(join, touch)| join + touch).collect();
        let row = |what, own: &[f64], plain: &[f64]| {
            let (seconds, plain_seconds) = (median(own), median(plain));
            Row { what, bytes, seconds, plain_seconds, share: 1.0 / speed_ratio(own, plain) }
        };
        let rows = [
            row("touch of a fresh segment", &lazy.segment, &lazy.plain),
            row("join with MF_PREFAULT=true", &eager.join, &eager.plain),
            row("that join and the touch", &whole, &eager.plain),
        ];
        Ok(Some(Report::of(&rows, 1, &COLUMNS)))
    }
}

/// In the member: turns of a fresh pool and of fresh private memory.
pub(super) fn measure(job: &Job, bytes: u64, quick: bool) -> Result<()> {
    let size = length(bytes)?;
    let mut turns = Turns { join: Vec::new(), segment: Vec::new(), plain: Vec::new() };
    for turn in 0..if quick { 3 } else { 7 } {
        let pool = job.create(turn % 2, bytes, 0)?;
        let start = Instant::now();
        pool.join()?;
        turns.join.push(start.elapsed().as_secs_f64());
        let segment = pool.address(MemKind::Host, job.rank())?;
        let start = Instant::now();
        // SAFETY: the segment is this rank's own, `bytes` long and mapped as long as the pool; there is no
        // other member.
        unsafe { touch(segment, size) };
        turns.segment.push(start.elapsed().as_secs_f64());
        drop(pool);
        let mut fresh = FreshPages::map(size)?;
        let start = Instant::now();
        fresh.touch();
        turns.plain.push(start.elapsed().as_secs_f64());
    }
    print_value(&turns)
}
