// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes started by the measurements. They print lines for their starter, and end when their input ends.

use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Rank, Result};
use mf_program::output::print;
use mf_smem::bm::{Config, Context, Pool, PoolOptions};
use serde::{Deserialize, Serialize};

use super::report::Row;
use super::sweep::Sweep;
use crate::members::wait_for_end;

/// Longest wait of members for each other while they measure; generous, because the machine is busy.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Part of a measurement; started by `mf perf`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Task.
    #[arg(long, value_enum)]
    task: Task,
    /// Ranks of the job.
    #[arg(long)]
    world: u32,
    /// This rank; without it an automatic one.
    #[arg(long)]
    rank: Option<u32>,
    /// Contribution in bytes.
    #[arg(long)]
    bytes: u64,
    /// Room in the address space for a contribution, in bytes.
    #[arg(long, default_value_t = 0)]
    window: u64,
    /// Sizes to measure.
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<u64>,
    /// Ranks that measure at the same time.
    #[arg(long, default_value_t = 1)]
    busy: u32,
    #[arg(long)]
    quick: bool,
    #[arg(long)]
    batches: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Task {
    /// Joins and waits.
    Idle,
    /// Joins and measures copies.
    Copy,
    /// Measures first touches.
    Touch,
    /// Measures the C library's latency.
    Capi,
}

/// Report of a member after joining.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Joined {
    /// Its rank.
    pub(super) rank: u32,
}

/// Does the task.
pub(crate) fn main(args: &Args) -> Result<u8> {
    match args.task {
        Task::Capi => super::capi::measure(args.world, args.rank.unwrap_or(0), args.bytes, args.quick)?,
        Task::Touch => {
            let ctx = context(args)?;
            super::touch::measure(&ctx, args.bytes, args.quick)?;
        }
        Task::Idle => {
            let (ctx, pool) = joined(args)?;
            report_joined(&ctx)?;
            wait_for_end();
            end(&pool, &ctx);
        }
        Task::Copy => {
            let (ctx, pool) = joined(args)?;
            report_joined(&ctx)?;
            copy(args, &ctx, &pool)?;
            wait_for_end();
            end(&pool, &ctx);
        }
    }
    Ok(0)
}

/// The URL of the job's store, which the starter sets.
///
/// # Errors
/// `InvalidParam` when this process was started otherwise.
pub(super) fn store_url() -> Result<String> {
    let url = settings()?.store_url.clone();
    if url.is_empty() {
        return Err(Error::invalid("mf perf", "MF_CONFIG_STORE_URL is not set")
            .hint("this command is started by mf perf"));
    }
    Ok(url)
}

fn context(args: &Args) -> Result<Context> {
    let config = Config::new(store_url()?, args.world);
    Context::init(match args.rank {
        Some(rank) => config.auto_rank(false).rank(Rank(rank)),
        None => config.auto_rank(true),
    })
}

fn joined(args: &Args) -> Result<(Context, Pool)> {
    let ctx = context(args)?;
    let options = PoolOptions::new(0).host(args.bytes);
    let pool = ctx.create(if args.window > 0 { options.max_host(args.window) } else { options })?;
    pool.join()?;
    Ok((ctx, pool))
}

fn end(pool: &Pool, ctx: &Context) {
    pool.destroy();
    ctx.shutdown();
}

fn report_joined(ctx: &Context) -> Result<()> {
    print_value(&Joined { rank: ctx.rank().0 })
}

/// Prints a value as a line for the starter.
pub(crate) fn print_value(what: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(what)
        .map_err(|error| Error::new(mf_base::Kind::Failed, "mf perf-member").source(error))?;
    print(&format!("{line}\n"))
}

fn copy(args: &Args, ctx: &Context, pool: &Pool) -> Result<()> {
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
