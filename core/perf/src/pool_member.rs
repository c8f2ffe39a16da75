// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of a pool that the measurements start.

use std::time::Duration;

use mf_base::Result;
use mf_library::big_memory::{Job, Pool};
use mf_library::c_text;
use mf_measure::members::{print_value, store_url, wait_for_end};
use serde::{Deserialize, Serialize};

use super::copy::{Row, Sweep};

/// Longest wait of members for each other while they measure; generous, because the machine is busy.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Work of a member of a pool.
#[derive(Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) what: What,
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
pub(super) enum What {
    /// Joins and waits.
    Idle,
    /// Joins and measures copies.
    Copy,
    /// Measures first touches.
    Touch,
    /// Measures the C library's latency.
    Capi,
}

impl Task {
    /// A task without sizes and batches.
    pub(super) fn new(what: What, world: u32, rank: Option<u32>, bytes: u64) -> Self {
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
    match args.what {
        What::Capi => super::capi::measure(args.world, args.rank.unwrap_or(0), args.bytes, args.quick)?,
        What::Touch => {
            super::touch::measure(&job(args)?, args.bytes, args.quick)?;
        }
        What::Idle | What::Copy => {
            let job = job(args)?;
            let pool = joined(args, &job)?;
            print_value(&Joined { rank: job.rank() })?;
            if matches!(args.what, What::Copy) {
                copy(args, &job, &pool)?;
            }
            wait_for_end();
        }
    }
    Ok(())
}

fn job(args: &Task) -> Result<Job> {
    Job::join_as(&store_url()?, args.world, args.rank)
}

fn joined(args: &Task, job: &Job) -> Result<Pool> {
    let pool = match args.window {
        0 => job.create(0, args.bytes, 0)?,
        window => job.create_with_room(0, args.bytes, window)?,
    };
    pool.join()?;
    Ok(pool)
}

fn copy(args: &Task, job: &Job, pool: &Pool) -> Result<()> {
    let wait_for_others =
        |name: &str, members: u32| job.barrier(&c_text(&format!("perf/{name}"))?, members, TIMEOUT);
    wait_for_others("start", args.world)?;
    let own = job.rank();
    if own >= args.busy {
        return Ok(());
    }
    let sweep = Sweep { pool, ranks: args.world, busy: args.busy, own, quick: args.quick };
    let mut begin = |name: &str| if args.busy > 1 { wait_for_others(name, args.busy) } else { Ok(()) };
    sweep.run(&args.sizes, args.batches, &mut begin, &mut |row: Row| print_value(&row))
}
