// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf doctor`: what of this machine and of the configuration of a job hinders it, each with its remedy.
//!
//! * [`checks`]: a module for each check; facts are gathered apart from the pure function that judges them.
//! * [`runner`]: all side by side, each with a deadline.
//! * [`finding`], [`report`]: findings, as text and as JSON.
//! * [`listen`]: the other end of `--reach`.

mod checks;
mod finding;
mod listen;
mod report;
mod runner;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mf_base::settings::{Origin, Settings, loaded};
use mf_base::{Error, Result};
use mf_program::output::{note, print};

use crate::run::parse_seconds;
pub(crate) use checks::cma::{ChildArgs, child};
use checks::reach::{Target, Targets};
use checks::{
    certificates, clock, cma, compiler, devices, etcd, limits, names, network, pages, python, reach, secret,
    settings, store, ucx,
};
use finding::{Finding, Severity};
use runner::Check;

const OPERATION: &str = "mf doctor";

/// Check this machine and the configuration of a job; report problems with remedies.
///
/// Reads the same settings as the programs of the job: run it where they run, with their environment (under
/// `mf run`, srun or in their container). Changes nothing. Checks run side by side, each with a deadline.
///
/// With --reach it finds out whether another host is reached, by which route and how long a round trip is:
/// the other end is a store, a member of a job, or `mf doctor --listen`.
///
/// Exit codes: 0 nothing hinders, 1 something does, 2 wrong arguments. The JSON is described in
/// docs/doctor.md.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf doctor
  mf doctor --quiet && ./start_job
  mf doctor --only limits,store --json
  mf doctor --listen                     (on one host)
  mf doctor --reach 10.0.0.1:40123       (on another)
  srun -N 4 --ntasks-per-node 1 mf doctor --quiet")]
pub(crate) struct Args {
    /// Only these checks, by commas.
    #[arg(long, value_name = "CHECK", value_delimiter = ',', value_parser = NAMES)]
    only: Vec<String>,
    /// Find out how this place is reached, HOST:PORT or the URL of a store; may be repeated. No other check
    /// is made.
    #[arg(long, value_name = "HOST:PORT|URL", value_parser = reach::parse, conflicts_with = "only")]
    reach: Vec<Targets>,
    /// Send back what --reach of another host sends, to any peer that connects.
    #[arg(long, value_name = "ADDRESS:PORT", num_args = 0..=1, default_missing_value = "0.0.0.0:0",
          conflicts_with_all = ["only", "reach", "json", "quiet", "python"])]
    listen: Option<SocketAddr>,
    /// Longest time for a check [default: 10], or to listen [default: 600].
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// The Python interpreter to ask [default: the virtual environment's, else python3].
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// Print only errors and warnings, and no progress.
    #[arg(long, short)]
    quiet: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const CHECK_TIMEOUT: Duration = Duration::from_secs(10);
const LISTEN_TIMEOUT: Duration = Duration::from_secs(600);

/// The checks in the order in which they are printed.
const NAMES: [&str; 15] = [
    "settings",
    "limits",
    "pages",
    "devices",
    "ucx",
    "cma",
    "compiler",
    "python",
    "network",
    "names",
    "store",
    "etcd",
    "secret",
    "certificates",
    "clock",
];

/// Runs the checks and prints their findings.
pub(crate) fn main(args: &Args) -> Result<u8> {
    silence_log();
    if let Some(address) = args.listen {
        return listen::main(address, args.timeout.unwrap_or(LISTEN_TIMEOUT));
    }
    let checks: Vec<Check> = if args.reach.is_empty() {
        let wanted =
            NAMES.into_iter().filter(|name| args.only.is_empty() || args.only.iter().any(|one| one == name));
        wanted.map(|name| check(name, args.python.clone())).collect()
    } else {
        args.reach.iter().flat_map(|targets| &targets.0).map(|target| reach_check(target.clone())).collect()
    };
    let progress = |waiting: &[&str], elapsed: Duration| {
        if !args.quiet {
            note(&format!("mf doctor: {} s, waiting for {}", elapsed.as_secs(), waiting.join(", ")));
        }
    };
    let outcomes = runner::run(checks, args.timeout.unwrap_or(CHECK_TIMEOUT), progress);
    print(&if args.json { report::json(&outcomes) } else { report::text(&outcomes, args.quiet) })?;
    Ok(u8::from(report::count(&outcomes, Severity::Hinders) > 0))
}

/// Silences the library's log, which would repeat the findings, unless a level is set.
fn silence_log() {
    const NOTHING: i32 = 5;
    let is_level_set = loaded().is_ok_and(|loaded| {
        loaded.shown.iter().any(|row| row.key.name == "MF_LOG_LEVEL" && row.origin != Origin::Default)
    });
    if !is_level_set {
        mf_base::log::set_level(NOTHING);
    }
}

fn check(name: &'static str, interpreter: Option<PathBuf>) -> Check {
    Check { name, work: Box::new(move || findings(name, interpreter.as_deref())) }
}

fn reach_check(target: Target) -> Check {
    let work = move || with_settings(|settings| reach::diagnose(&reach::gather(&target, settings)));
    Check { name: "reach", work: Box::new(work) }
}

fn findings(name: &str, interpreter: Option<&Path>) -> Vec<Finding> {
    match name {
        "settings" => settings::diagnose(&settings::gather()),
        "limits" => limits::diagnose(&limits::gather()),
        "pages" => with_settings(|settings| pages::diagnose(&pages::gather(settings))),
        "devices" => with_settings(|settings| devices::diagnose(&devices::gather(settings))),
        "ucx" => with_settings(|settings| match ucx::gather(settings) {
            Ok(facts) => ucx::diagnose(&facts),
            Err(reason) => vec![Finding::note(format!("not checked: {reason}"))],
        }),
        "cma" => cma::diagnose(&cma::gather()),
        "compiler" => compiler::diagnose(&compiler::gather()),
        "python" => python::diagnose(&python::gather(interpreter)),
        "network" => with_settings(|settings| network::diagnose(&network::gather(settings))),
        "names" => names::diagnose(&names::gather()),
        "store" => with_settings(|settings| store::diagnose(&store::gather(settings))),
        "etcd" => with_settings(|settings| etcd::diagnose(&etcd::gather(settings))),
        "secret" => with_settings(|settings| secret::diagnose(&secret::gather(settings))),
        "certificates" => with_settings(|settings| certificates::diagnose(&certificates::gather(settings))),
        _ => clock::diagnose(&clock::gather()),
    }
}

/// Runs a check that needs settings; if they are unusable, the check of settings reports the reason.
fn with_settings(check: impl FnOnce(&'static Settings) -> Vec<Finding>) -> Vec<Finding> {
    match loaded() {
        Ok(loaded) => check(&loaded.settings),
        Err(error) => vec![not_checked(&error)],
    }
}

fn not_checked(error: &Error) -> Finding {
    Finding::note(format!("not checked, because settings cannot be used: {error}"))
}
