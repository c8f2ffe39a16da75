// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf run`: starts the ranks of a job on this machine and supervises them.
//!
//! * [`environment`]: what a rank finds in its environment.
//! * [`state`]: decides what to do when a rank ends, a signal arrives, the grace period is over; pure.
//! * [`lines`]: turns streams of bytes into prefixed lines; pure.
//! * [`supervise`]: processes, pipes, signals and the clock, in one loop that never blocks but in `poll`.
//! * [`signals`]: signals as bytes of a pipe.
//! * [`oshrun`]: the same under the name and with the options by which programs of OpenSHMEM are started.

mod environment;
mod lines;
pub(crate) mod oshrun;
mod outlet;
#[expect(unsafe_code, reason = "handlers of signals")]
mod signals;
mod state;
mod supervise;

use std::time::Duration;

use mf_base::settings::settings;
use mf_base::{Error, Result};

use crate::ports::{free_ports, random_secret};
use environment::{Job, Words};

const OPERATION: &str = "mf run";
/// As many ranks as a job can have.
const MAX_RANKS: u32 = mf_store::MAX_WORLD_SIZE;

/// Start a command as N ranks on this machine.
///
/// Each rank gets the environment that torchrun sets (RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, ...), the
/// address of the job's store (MF_CONFIG_STORE_URL) and a secret (MF_JOB_SECRET). Output is forwarded line by
/// line, each line with its rank in front. When a rank fails, the others are sent SIGTERM and, after the
/// grace period, SIGKILL. The exit code is that of the first rank that failed: 128 + N for one ended by
/// signal N.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf run -n 4 -- python3 train.py --epochs 3
  mf run -n 2 --no-prefix -- sh -c 'echo rank $RANK of $WORLD_SIZE'")]
pub(crate) struct Args {
    /// Number of ranks, 1 to 16384.
    #[arg(short = 'n', long = "ranks", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RANKS)))]
    ranks: u32,
    /// Store of the job, tcp://host:port; default: a free port of the loopback, served by rank 0.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Forward lines as they are, without the rank in front.
    #[arg(long)]
    no_prefix: bool,
    /// Forward the standard input to rank 0; without it no rank has an input.
    #[arg(long)]
    stdin_to_first: bool,
    /// Seconds between SIGTERM and SIGKILL.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    grace: Duration,
    /// The command and its arguments.
    #[arg(last = true, required = true, value_name = "CMD", num_args = 1..)]
    command: Vec<std::ffi::OsString>,
}

/// Runs the command; the exit code is that of the first rank that failed.
pub(crate) fn main(args: &Args) -> Result<u8> {
    start(args, Vec::new(), Duration::ZERO, Words { command: OPERATION, rank: "rank" })
}

/// The same, with further variables in the environment of every rank; when one ends with a code that is not
/// 0, the others may settle before they are sent a signal.
fn start(args: &Args, further: Vec<(String, String)>, settling: Duration, words: Words) -> Result<u8> {
    let [master_port, store_port] = free_ports()?;
    let own = settings()?;
    let secret_is_set = !own.job_secret.0.is_empty() || !own.job_secret_file.is_empty();
    let job = Job {
        ranks: args.ranks,
        master_port,
        store_url: match &args.store {
            // A typo is refused here, once, and not by every rank after its own start.
            Some(url) => mf_store::StoreUrl::parse(url).map(|_| url.clone())?,
            None => format!("tcp://127.0.0.1:{store_port}"),
        },
        run_id: format!("mf-{}", &random_secret()?[..12]),
        secret: if secret_is_set { None } else { Some(random_secret()?) },
        stdin_to_first: args.stdin_to_first,
        settling,
        further,
        words,
    };
    supervise::run(&job, &args.command, args.grace, !args.no_prefix)
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
