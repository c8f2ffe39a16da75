// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of a pool that the measurements start.

use std::time::{Duration, Instant};

use mf_base::{Rank, Result};
use mf_smem::bm::{Config, Context, Pool, PoolOptions};
use serde::{Deserialize, Serialize};

use super::copy::{Row, Sweep};
use crate::members::{print_value, store_url, wait_for_end};

/// Longest wait of members for each other while they measure; generous, because the machine is busy.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Work of a member of a pool.
#[derive(Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) what: MemberMode,
    /// Ranks of the job.
    pub(super) world: u32,
    /// This rank; without it an automatic one.
    pub(super) rank: Option<u32>,
    /// Contribution in bytes.
    pub(super) bytes: u64,
    /// Room in the address space for a contribution, in bytes; 0: as many as the contribution has.
    pub(super) window: u64,
    /// Sizes to measure.
    pub(super) sizes: Vec<u64>,
    /// Ranks that measure at the same time.
    pub(super) busy: u32,
    pub(super) quick: bool,
    pub(super) batches: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum MemberMode {
    /// Joins and waits.
    Idle,
    /// Joins and measures copies.
    Copy,
}

impl Task {
    /// A task without sizes and batches.
    pub(super) fn new(what: MemberMode, world: u32, rank: Option<u32>, bytes: u64) -> Self {
        Self { what, world, rank, bytes, window: 0, sizes: Vec::new(), busy: 1, quick: false, batches: false }
    }
}

/// Report of a member after joining.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Joined {
    /// Its rank.
    pub(super) rank: u32,
}

/// Does the task.
pub(super) fn main(args: &Task) -> Result<()> {
    let (ctx, pool) = joined(args)?;
    print_value(&Joined { rank: ctx.rank().0 })?;
    if matches!(args.what, MemberMode::Copy) {
        copy(args, &ctx, &pool)?;
    }
    wait_for_end();
    pool.destroy();
    ctx.shutdown();
    Ok(())
}

/// Takes the place of this member in its job.
pub(super) fn context(args: &Task) -> Result<Context> {
    let config = Config::new(store_url()?, args.world);
    Context::init(match args.rank {
        Some(rank) => config.auto_rank(false).rank(Rank(rank)),
        None => config.auto_rank(true),
    })
}

fn joined(args: &Task) -> Result<(Context, Pool)> {
    let ctx = context(args)?;
    let options = PoolOptions::new(0).host(args.bytes);
    let pool = ctx.create(if args.window > 0 { options.max_host(args.window) } else { options })?;
    pool.join()?;
    Ok((ctx, pool))
}

fn copy(args: &Task, ctx: &Context, pool: &Pool) -> Result<()> {
    let wait_for_others = |name: &str, members: u32| {
        ctx.store()?.barrier(&format!("perf/{name}"), members, Instant::now() + TIMEOUT)
    };
    wait_for_others("start", args.world)?;
    if ctx.rank().0 >= args.busy {
        return Ok(());
    }
    let sweep = Sweep { pool, ranks: args.world, busy: args.busy, own: ctx.rank(), quick: args.quick };
    let mut begin = |name: &str| if args.busy > 1 { wait_for_others(name, args.busy) } else { Ok(()) };
    sweep.run(&args.sizes, args.batches, &mut begin, &mut |row: Row| print_value(&row))
}
