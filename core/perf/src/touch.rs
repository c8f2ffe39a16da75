// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf touch`: cost of the first touch of fresh memory.

use std::time::Instant;

use mf_base::{ByteLen, MemKind, Result};
use mf_program::table::{Column, figure};
use mf_smem::bm::PoolOptions;
use serde::{Deserialize, Serialize};

use super::measure::{median, speed_ratio};
use super::memory::{FreshPages, touch};
use super::pool_member::{self, MemberMode, context};
use super::task::Work;
use super::{length, parse_size, segment_bytes};
use crate::measurement::{Measurement, Report};
use crate::members::{Job, print_value};

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
            let task = pool_member::Task::new(MemberMode::Idle, 1, Some(0), bytes);
            let task = Work::Touch.with(&pool_member::Task { quick: self.quick, ..task })?;
            let mut member = Job::new()?.start("rank 0", &task, &[("MF_PREFAULT", prefault)])?;
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
        Ok(Some(Report::from_rows(&rows, 1, &COLUMNS)))
    }
}

/// In the member: turns of a fresh pool and of fresh private memory.
pub(super) fn measure(args: &pool_member::Task) -> Result<()> {
    let ctx = context(args)?;
    let bytes = args.bytes;
    let size = length(bytes)?;
    let mut turns = Turns { join: Vec::new(), segment: Vec::new(), plain: Vec::new() };
    for turn in 0..if args.quick { 3 } else { 7 } {
        let pool = ctx.create(PoolOptions::new(turn % 2).host(bytes))?;
        let start = Instant::now();
        pool.join()?;
        turns.join.push(start.elapsed().as_secs_f64());
        let segment = pool.address(MemKind::Host, ctx.rank())?.as_ptr();
        let start = Instant::now();
        // SAFETY: the segment is this rank's own, `bytes` long and mapped until `destroy`; there is no other
        // member.
        unsafe { touch(segment, size) };
        turns.segment.push(start.elapsed().as_secs_f64());
        pool.destroy();
        drop(pool);
        let mut fresh = FreshPages::map(size)?;
        let start = Instant::now();
        fresh.touch();
        turns.plain.push(start.elapsed().as_secs_f64());
    }
    print_value(&turns)
}
