// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measurements (`mf perf`), the demonstration (`mf demo`), and upstream's benchmark (`mfcli benchmark`).
//!
//! [`main`] is the program `mf-perf`. The program `mf` checks its arguments by the structs that are public
//! here, and becomes `mf-perf`. A measurement starts the program again, by a hidden command, for the members
//! of a job.
//!
//! * `perf`: the measurements. `demo`, `benchmark`: the other two commands.
//! * `members`: processes of this program that take part in a job. `task`: their work.

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

pub use benchmark::Args as BenchmarkArgs;
pub use demo::Args as DemoArgs;
use measure::{Plan, in_turns, median};
use memory::{Buffer, plain_copy};
pub use perf::Args as PerfArgs;
use sizes::{length, parse_size, segment_bytes};
use task::Args as MemberArgs;

/// Measures the library beside plain baselines; started by mf perf, mf demo and mfcli benchmark.
///
/// Exit codes: 0 done, 1 failed, 2 wrong arguments.
#[derive(Parser)]
#[command(name = "mf-perf", version, max_term_width = 100)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Perf(PerfArgs),
    Demo(DemoArgs),
    Benchmark(BenchmarkArgs),
    #[command(hide = true)]
    Member(MemberArgs),
}

/// Runs the program with its arguments, of which the first is its name, and returns its exit code. Wrong
/// arguments, and a call for help, end the process.
///
/// **Local.** Blocks until the command is done. Meant for a process that does nothing else.
pub fn main(arguments: impl Iterator<Item = OsString>) -> u8 {
    mf_program::begin();
    // Errors name the command that a person has typed.
    let (name, done) = match Program::parse_from(arguments).command {
        Command::Perf(args) => ("mf", perf::main(&args)),
        Command::Demo(args) => ("mf", demo::main(&args)),
        Command::Benchmark(args) => ("mfcli", benchmark::main(&args).map(|()| 0)),
        // In a process that one of the others has started.
        Command::Member(args) => ("mf", args.task().and_then(|task| task.run()).map(|()| 0)),
    };
    mf_program::end(name, done)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Program::command().debug_assert();
    }
}
