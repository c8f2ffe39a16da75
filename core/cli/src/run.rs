// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf run`: starts the ranks of a job on this machine and supervises them.
//!
//! * [`logs`]: a file for each rank.
//! * [`environment`]: a rank's environment.
//! * [`state`]: decides what to do when a rank ends, a signal arrives, the grace period is over; pure.
//! * [`line_prefix`]: turns streams of bytes into prefixed lines; pure.
//! * [`supervise`]: processes, pipes, signals and the clock, in one loop that never blocks but in `poll`.
//! * [`guard`]: a process that ends the ranks when this one was killed.
//! * [`oshrun`]: the same under the name and with the options by which programs of OpenSHMEM are started.

mod environment;
#[expect(unsafe_code, reason = "calls between fork and exec")]
pub(crate) mod guard;
pub(crate) mod hosts;
mod line_prefix;
mod logs;
pub(crate) mod oshrun;
mod output;
mod state;
mod supervise;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use mf_base::os::interface::loopback;
use mf_base::settings::settings;
use mf_base::{Error, Result};
use mf_bootstrap::StoreUrl;
use mf_program::output::note;
use mf_program::ports::{free_ports, random_secret, url_at};
use mf_program::signals;

use environment::{Job, Words};
use guard::Guard;
use hosts::{Hosts, without_others};
use logs::Logs;

const OPERATION: &str = "mf run";
/// As many ranks as a job can have.
const MAX_RANKS: u32 = mf_base::MAX_WORLD_SIZE;

/// Start a command as N ranks on this machine.
///
/// Each rank gets the environment that torchrun sets (RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, ...), the
/// address of the job's store (MF_CONFIG_STORE_URL) and a secret (MF_JOB_SECRET). Output is forwarded line by
/// line, each line with its rank in front. When a rank fails, the others are sent SIGTERM and, after the
/// grace period, SIGKILL. The exit code is the exit code of the first rank that failed: 128 + N for one ended
/// by signal N. However this command ends, also by SIGKILL, the ranks and their process groups end with it.
///
/// With --restarts the whole job starts anew after a failure, with a fresh store and secret; programs read
/// their number of the start in TORCHELASTIC_RESTART_COUNT. With --nodes this command runs once on each of
/// several hosts, each with its --node-rank, the same --store at an address of the first, and the same secret
/// in the environment; ranks are numbered through all of them. With both, a failure on one host starts the
/// job anew on all of them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf run -n 4 -- python3 train.py --epochs 3
  mf run -n 2 --no-prefix -- sh -c 'echo rank $RANK of $WORLD_SIZE'
  mf run -n 8 --restarts 3 --logs out -- python3 train.py
  mf run -n 8 --nodes 2 --node-rank 1 --store tcp://10.0.0.1:5570 -- python3 train.py")]
pub(crate) struct Args {
    /// Number of ranks, on each host, 1 to 16384 in all.
    #[arg(short = 'n', long = "ranks", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RANKS)))]
    ranks: u32,
    /// Store of the job, tcp://host:port, served by rank 0 [default: a free port of the loopback].
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Forward lines as they are, without the rank in front.
    #[arg(long)]
    no_prefix: bool,
    /// Forward the standard input to rank 0; without it no rank has standard input.
    #[arg(long)]
    stdin_to_first: bool,
    /// Start the job anew after a failure, at most N times; the same on all hosts. Not after a signal to
    /// this command.
    #[arg(long, value_name = "N", default_value = "0", conflicts_with = "stdin_to_first")]
    restarts: u32,
    /// Folder for a file of each rank, rank-N.log, with its lines of both streams; they are forwarded, too.
    /// The files of an earlier job are overwritten.
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Number of hosts on which this command runs, each with N ranks.
    #[arg(long, value_name = "HOSTS", requires_all = ["node_rank", "store"], value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// Number of this host, from 0; ranks of host 0 are the first ones.
    #[arg(long, value_name = "NUMBER", requires = "nodes")]
    node_rank: Option<u32>,
    /// Seconds between SIGTERM and SIGKILL.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    grace: Duration,
    /// The command and its arguments.
    #[arg(last = true, required = true, value_name = "CMD", num_args = 1..)]
    command: Vec<std::ffi::OsString>,
}

/// Runs the command; returns the exit code of the first failed rank.
pub(crate) fn main(args: &Args) -> Result<u8> {
    start(args, &[], Duration::ZERO, Words { command: OPERATION, rank: "rank" })
}

/// The same, with further variables in the environment of every rank; when one ends with a code that is not
/// 0, the others may settle before they are sent a signal.
fn start(args: &Args, further: &[(String, String)], settling: Duration, words: Words) -> Result<u8> {
    let own = settings()?;
    let secret_is_set = !own.job_secret.0.is_empty() || !own.job_secret_file.is_empty();
    let nodes = nodes(args, secret_is_set)?;
    let mut logs = args.logs.as_deref().map(|folder| Logs::create(folder, &nodes, args.ranks)).transpose()?;
    let signals = signals::install()?;
    let guard = Guard::start()?;
    let mut hosts = match &nodes.meeting {
        Some(url) => {
            let _progress = mf_program::progress::begin("mf run: waits for the first host");
            Some(Hosts::meet(nodes.number, nodes.count, url)?)
        }
        None => None,
    };
    let mut restart = 0;
    loop {
        if let Some(hosts) = &mut hosts {
            let _progress = mf_program::progress::begin("mf run: waits for the other hosts");
            hosts.begin(restart)?;
        }
        let [master_port, store_port] = free_ports()?;
        let job = Job {
            ranks: args.ranks,
            master: nodes.master.clone().unwrap_or_else(|| (loopback().to_string(), master_port)),
            store_url: match &args.store {
                // A typo is refused here, once, and not by every rank after its own start.
                Some(url) => StoreUrl::parse(url).map(|_| url.clone())?,
                None => url_at(store_port),
            },
            run_id: format!("mf-{}", &random_secret()?[..12]),
            secret: if secret_is_set { None } else { Some(random_secret()?) },
            stdin_to_first: args.stdin_to_first,
            settling,
            further: further.to_owned(),
            words,
            nodes: (nodes.number, nodes.count),
            restarts: (restart, args.restarts),
        };
        let mut ended = supervise::run(&job, args, &signals, &guard, logs.as_mut(), hosts.as_ref())?;
        if let Some(hosts) = &hosts {
            ended = hosts.end(&ended).unwrap_or_else(|error| without_others(&ended, &error));
        }
        if ended.code == 0 || !ended.may_restart || restart >= args.restarts {
            return Ok(ended.code);
        }
        restart += 1;
        note(&format!("{}: restart {restart} of {}", words.command, args.restarts));
    }
}

/// Position of this command's ranks among all hosts.
struct Nodes {
    number: u32,
    count: u32,
    /// Rendezvous address for programs' own use; `None`: a free port of this host.
    master: Option<(String, u16)>,
    /// Meeting point of the commands of all hosts; `None` for one host.
    meeting: Option<StoreUrl>,
}

fn nodes(args: &Args, secret_is_set: bool) -> Result<Nodes> {
    let (Some(count), Some(number), Some(url)) = (args.nodes, args.node_rank, &args.store) else {
        return Ok(Nodes { number: 0, count: 1, master: None, meeting: None });
    };
    let refuse = |what: &str| Error::invalid(OPERATION, what).with("nodes", count).with("node_rank", number);
    if number >= count {
        return Err(refuse("the number of this host is not below the number of hosts"));
    }
    if count.checked_mul(args.ranks).is_none_or(|ranks| ranks > MAX_RANKS) {
        return Err(refuse("a job has no more ranks than 16384").with("ranks", args.ranks));
    }
    if !secret_is_set && count > 1 {
        return Err(refuse("the hosts of a job need a common secret")
            .hint("set MF_JOB_SECRET or MF_JOB_SECRET_FILE, the same on all of them"));
    }
    let addresses = StoreUrl::parse(url)?.connect_addresses();
    let first = addresses.first().ok_or_else(|| {
        refuse("the store of several hosts is named by an address: tcp://host:port").with("store", url)
    })?;
    // Above the store's, so that it is the same on all hosts without another option.
    let above = |more| {
        let port = first.port().checked_add(more);
        port.ok_or_else(|| refuse("no two free ports above the store's port").with("store", url))
    };
    let master = Some((first.ip().to_string(), above(1)?));
    let mut meeting = None;
    if args.restarts > 0 && count > 1 {
        let place = SocketAddr::new(first.ip(), above(2)?);
        meeting = Some(StoreUrl::parse(&format!("tcp://{place}"))?);
    }
    Ok(Nodes { number, count, master, meeting })
}

/// A number of seconds, with a fraction if need be.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| *time <= Duration::from_secs(86_400))
        .ok_or_else(|| "expected 0 to 86400 seconds".to_owned())
}

/// An error of this command.
fn failed(what: &str, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(mf_base::Kind::Failed, OPERATION).what(what).source(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_have_a_fraction_and_a_bound() {
        assert_eq!(parse_seconds("0.5").unwrap(), Duration::from_millis(500));
        assert_eq!(parse_seconds("0").unwrap(), Duration::ZERO);
        for text in ["-1", "nan", "inf", "1e300", "5s", ""] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
