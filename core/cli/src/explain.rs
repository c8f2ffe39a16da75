// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf explain`: what this machine can reach others with, and which engine serves a pair of members, and why.
//!
//! * [`here`]: the machine; needs no job.
//! * [`route`]: how routes are written; pure.
//! * [`ask`]: asks the member that copies; where there is none, [`attempt`] tries from this machine.
//! * [`show`]: what came of it.

mod ask;
mod attempt;
mod here;
mod route;
mod show;

use std::time::Duration;

use mf_base::settings::settings;
use mf_base::{Error, Result};

pub(crate) use here::engines;
use route::Route;

use crate::run::parse_seconds;

const OPERATION: &str = "mf explain";

/// Show with what this machine reaches others, or which engine serves a route and why.
///
/// Without a ROUTE it needs no job: it lists the engines that this machine has, and of those that are lacking
/// the reason.
///
/// A ROUTE is FROM:TO: how rank FROM copies to and from the memory of rank TO. An end is RANK, RANK.host or
/// RANK.device; without a kind it is host memory. The answer is that of rank FROM itself, asked through the
/// store of the job, as a guest. With local for FROM, this machine tries by itself. The secret of the job
/// comes from MF_JOB_SECRET or MF_JOB_SECRET_FILE.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf explain
  mf explain 0:1 --store tcp://10.0.0.1:5570
  mf explain 0.host:1.device --store tcp://10.0.0.1:5570 --pool 2 --json
  mf explain local:1 --store tcp://10.0.0.1:5570")]
pub(crate) struct Args {
    /// From whose memory to whose: 0:1, 0.host:1.device, local:1.
    #[arg(value_parser = route::parse)]
    route: Option<Route>,
    /// Store of the job [default: MF_CONFIG_STORE_URL].
    #[arg(long, value_name = "URL", requires = "route")]
    store: Option<String>,
    /// Pool of the route [default: the only one].
    #[arg(long, value_name = "ID", requires = "route", value_parser = clap::value_parser!(u32).range(0..64))]
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
    let Some(route) = &args.route else { return here::main(args.json) };
    let url = match &args.store {
        Some(url) => url,
        None => &settings()?.store_url,
    };
    if url.is_empty() {
        return Err(Error::invalid(OPERATION, "no store of the job is named")
            .hint("--store tcp://ip:port, or MF_CONFIG_STORE_URL"));
    }
    let store = crate::store::visit(url, args.timeout)?;
    let answer = ask::ask(&*store, route, args.pool, args.timeout);
    store.close();
    answer.and_then(|answer| show::print(&answer, args.json))
}
