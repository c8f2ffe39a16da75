// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf`: becomes the program `mf-perf`, which parses the arguments.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;

use mf_base::{Error, Kind, Result};
use mf_program::child::{self, MF_PERF};

/// Measure copies, the start of a job, groups, the store, the network, kernels and OpenSHMEM beside plain
/// baselines; mf perf --help lists the measurements.
#[derive(clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  mf perf --help
  mf perf copy --quick"
)]
pub(crate) struct Args {
    /// Measurement and its options, for the program mf-perf.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "MEASUREMENT")]
    arguments: Vec<OsString>,
}

/// Measure reads, writes or transfers between ranks, on this host or on several; mfcli benchmark --help lists
/// the options.
#[derive(clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "Example:
  mfcli benchmark write --protocol host_tcp --copysize 1MiB --copy-count 100"
)]
pub(crate) struct BenchmarkArgs {
    /// Operation and options, for the program mf-perf.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPERATION")]
    arguments: Vec<OsString>,
}

/// Becomes the measurement. Returns only an error.
pub(crate) fn main(args: &Args) -> Result<u8> {
    become_mf_perf("mf perf", &args.arguments)
}

/// Becomes the benchmark. Returns only an error.
pub(crate) fn benchmark(args: &BenchmarkArgs) -> Result<u8> {
    become_mf_perf("mfcli benchmark", &[&["benchmark".into()], &args.arguments[..]].concat())
}

/// Becomes the program `mf-perf`, in this file or beside it.
fn become_mf_perf(operation: &'static str, arguments: &[OsString]) -> Result<u8> {
    let program = if cfg!(feature = "perf") { child::own_program() } else { child::beside(MF_PERF) };
    let error = std::process::Command::new(&program).arg0(MF_PERF).args(arguments).exec();
    Err(Error::new(Kind::Failed, operation)
        .what("the program of measurements cannot be started")
        .with("program", program.display())
        .source(error)
        .hint("in a source tree build it: cargo build --release -p mf-perf; elsewhere reinstall mf"))
}
