// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf explain`: this machine's engines, and the engine chosen for a pair of members, with reasons.
//!
//! * [`local_engines`]: the machine; needs no job.
//! * [`route`]: how routes are written; pure.
//! * [`query`]: queries the copying member; if it is absent, [`probe`] tries from this machine.
//! * [`show`]: what came of it.
//! * [`matrix`]: the same of all members, in short.

mod local_engines;
mod matrix;
mod probe;
mod query;
mod route;
mod show;

use std::time::Duration;

use mf_base::{Error, MemKind, Result};

pub(crate) use local_engines::engines;
use route::Route;

use crate::run::parse_seconds;
use crate::store::StoreArg;

const OPERATION: &str = "mf explain";

/// Show this machine's engines, or which engine serves a route and why.
///
/// Without a ROUTE it needs no job: it lists the engines that this machine has, and the reason for each
/// missing one.
///
/// A ROUTE is FROM:TO: how rank FROM copies to and from the memory of rank TO. An end is RANK, RANK.host or
/// RANK.device; without a kind it is host memory. Rank FROM itself answers, asked through the store of the
/// job, as a guest. With local for FROM, this machine tries by itself. The secret of the job comes from
/// MF_JOB_SECRET or MF_JOB_SECRET_FILE.
///
/// With --all every member reports how it reaches every other: a matrix of the ranks. Exit code 1 when
/// nothing serves a pair, or a member does not answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf explain
  mf explain 0:1 --store tcp://10.0.0.1:5570
  mf explain 0.host:1.device --store tcp://10.0.0.1:5570 --pool 2 --json
  mf explain local:1 --store tcp://10.0.0.1:5570
  mf explain --all --store tcp://10.0.0.1:5570")]
#[command(group(clap::ArgGroup::new("question").args(["route", "all"])))]
pub(crate) struct Args {
    /// Route as FROM:TO, for example 0:1, 0.host:1.device, local:1.
    #[arg(value_parser = route::parse)]
    route: Option<Route>,
    /// Show the matrix of all ranks.
    #[arg(long)]
    all: bool,
    /// Memory of the member that copies, with --all.
    #[arg(long, value_name = "KIND", default_value = "host", requires = "all", value_parser = route::kind)]
    from: MemKind,
    /// Memory of the other members, with --all.
    #[arg(long, value_name = "KIND", default_value = "host", requires = "all", value_parser = route::kind)]
    to: MemKind,
    #[command(flatten)]
    store: StoreArg,
    /// Pool to explain [default: the only one].
    #[arg(long, value_name = "ID", requires = "question", value_parser = clap::value_parser!(u32).range(0..64))]
    pool: Option<u32>,
    /// Longest time to reach the store, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Explains.
pub(crate) fn main(args: &Args) -> Result<u8> {
    if args.route.is_none() && !args.all {
        if args.store.is_typed() {
            return Err(Error::invalid(OPERATION, "nothing is asked of the store")
                .hint("name a route, FROM:TO, or --all"));
        }
        return local_engines::main(args.json);
    }
    let url = args.store.url(OPERATION)?;
    let _progress = mf_program::progress::begin("mf explain: waits for the store and its members");
    let store = crate::store::visit(&url, args.timeout)?;
    let done = match &args.route {
        Some(route) => query::query(&store, route, args.pool, args.timeout)
            .and_then(|answer| show::print(&answer, args.json)),
        None => matrix::query(&store, (args.from, args.to), args.pool, args.timeout)
            .and_then(|matrix| matrix::print(&matrix, args.json)),
    };
    store.close();
    done
}
