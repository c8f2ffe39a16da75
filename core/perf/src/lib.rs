// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Program `mf-perf`: measurements (`mf perf`), the demonstration (`mf demo`), and upstream's benchmark
//! (`mfcli benchmark`).
//!
//! `mf` parses the arguments with the structs that are public here, and starts this program with the same
//! arguments. This program starts itself again, by a hidden command, for the members of a measurement.
//!
//! * [`perf`]: the measurements. [`demo`], [`benchmark`]: the other two commands.
//! * [`members`]: processes of this program that take part in a job. [`task`]: their work.

#![expect(unsafe_code, reason = "measures raw copies and calls of C")]

mod acc;
mod benchmark;
mod capi;
mod compared;
mod copy;
mod cores;
mod demo;
mod device;
mod echo;
mod group;
mod hmc;
mod join;
mod kernel;
mod load;
mod measure;
mod measurement;
mod members;
mod memory;
mod net;
mod perf;
mod plot;
mod pool_member;
mod shmem;
mod sizes;
mod store;
mod task;
mod touch;
mod transfer;

use std::ffi::OsString;

use clap::{Parser, Subcommand};
use mf_base::Result;

pub use benchmark::Args as BenchmarkArgs;
pub use demo::Args as DemoArgs;
use measure::{Plan, in_turns, median};
use memory::{Buffer, plain_copy};
pub use perf::Args as PerfArgs;
use sizes::{length, parse_size, segment_bytes};

/// Measurements and the demonstration of mf; mf starts this program.
#[derive(Parser)]
#[command(name = "mf-perf", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Perf(PerfArgs),
    Demo(DemoArgs),
    #[command(hide = true)]
    Benchmark(BenchmarkArgs),
    #[command(hide = true)]
    Member(task::Args),
}

/// Runs the program and returns its exit code. The first argument is the name by which it was called. Wrong
/// arguments, and a call for help, end the process.
///
/// **Local.** Blocks until the command is done. Meant for a process that does nothing else.
pub fn main(arguments: Vec<OsString>) -> u8 {
    mf_program::begin();
    let command = Cli::parse_from(arguments).command;
    let name = if matches!(command, Command::Benchmark(_)) { "mfcli" } else { "mf" };
    mf_program::end(name, dispatch(&command))
}

fn dispatch(command: &Command) -> Result<u8> {
    match command {
        Command::Perf(args) => perf::main(args),
        Command::Demo(args) => demo::main(args),
        Command::Benchmark(args) => benchmark::main(args).map(|()| 0),
        Command::Member(args) => args.task()?.run().map(|()| 0),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
