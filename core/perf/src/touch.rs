// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf touch`: cost of the first touch of fresh memory.

use std::time::Instant;

use mf_base::{ByteLen, MemKind, Result};
use mf_program::table::{Table, figure};
use mf_smem::bm::{Context, PoolOptions};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::copy::member_arguments;
use super::measure::{median, speed_ratio};
use super::member::print_value;
use super::memory::{FreshPages, touch};
use super::report::Output;
use super::{length, parse_size, segment_bytes};
use crate::members::Job;

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
    #[command(flatten)]
    output: Output,
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

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    let bytes = segment_bytes(args.bytes);
    let run = |prefault: &str| -> Result<Turns> {
        let mut arguments = member_arguments("touch", 1, Some(0), bytes);
        if args.quick {
            arguments.push("--quick".to_owned());
        }
        let mut member = Job::new()?.start("rank 0", &arguments, &[("MF_PREFAULT", prefault)])?;
        let turns = member.value()?;
        member.end()?;
        Ok(turns)
    };
    let (lazy, eager) = (run("false")?, run("true")?);
    let whole: Vec<f64> = eager.join.iter().zip(&eager.segment).map(|(join, touch)| join + touch).collect();
    let lines = [
        ("touch of a fresh segment", &lazy.segment, &lazy.plain),
        ("join with MF_PREFAULT=true", &eager.join, &eager.plain),
        ("that join and the touch", &whole, &eager.plain),
    ];
    let mut table =
        Table::new(1, &["first touch", "size", "ms", "plain 4 KiB pages ms", "share of plain time"]);
    let mut rows = Vec::new();
    for (name, own, plain) in lines {
        let share = 1.0 / speed_ratio(own, plain);
        table.row(vec![
            name.to_owned(),
            ByteLen(bytes).to_string(),
            figure(median(own) * 1e3),
            figure(median(plain) * 1e3),
            figure(share),
        ]);
        rows.push(json!({
            "what": name, "bytes": bytes, "seconds": median(own), "plain_seconds": median(plain), "share": share,
        }));
    }
    args.output.write("touch", &table.render(), &json!(rows), &json!({}))
}

/// In the member: turns of a fresh pool and of fresh private memory.
pub(super) fn measure(ctx: &Context, bytes: u64, quick: bool) -> Result<()> {
    let size = length(bytes)?;
    let mut turns = Turns { join: Vec::new(), segment: Vec::new(), plain: Vec::new() };
    for turn in 0..if quick { 3 } else { 7 } {
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
