// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program `mf-perf`: measurements, and upstream's benchmark. `mf perf` and `mfcli benchmark` become this
//! program, with the same arguments. With its feature `perf` the file `mf` has it, too, under the name
//! `mf-perf`.
//!
//! * `perf`: the measurements. `benchmark`: the benchmark.
//! * `task`: the work of members of a job, which are processes of this program (`mf_measure::members`).

#![expect(unsafe_code, reason = "measures raw copies and calls of C")]

mod acc;
mod benchmark;
mod capi;
mod compared;
mod copy;
mod cores;
mod device;
mod echo;
mod group;
mod hmc;
mod join;
mod kernel;
mod load;
mod measurement;
mod net;
mod perf;
mod plot;
mod pool_member;
mod shmem;
mod store;
mod task;
mod touch;
mod transfer;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use mf_measure::members;
use mf_measure::memory::{Buffer, plain_copy};
use mf_measure::sizes::{length, parse_size, segment_bytes};
use mf_measure::turns::in_turns;
use mf_program::child::MF_PERF;
use mf_program::pages;
use mf_program::store_option::with_store_option;

use task::Task;

/// Measure copies, first touches, the start of a job, groups, the config store, the network, kernels,
/// OpenSHMEM, transfers by names and between buffers, and message servers, beside plain baselines.
///
/// Exit codes: 0 done, 1 failed, 2 wrong arguments.
#[derive(Parser)]
#[command(name = MF_PERF, version, max_term_width = 100)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Perf(perf::Command),
    /// The program `mfcli` has it.
    #[command(hide = true)]
    Benchmark(benchmark::Args),
    #[command(
        about = "Print completions of mf-perf for a shell",
        after_help = "Example:\n  mf-perf completions bash > ~/.local/share/bash-completion/completions/mf-perf"
    )]
    Completions(pages::CompletionsArgs),
    #[command(
        about = "Write the man pages of mf-perf, one for each command, into a folder",
        after_help = "Examples:\n  mf-perf man ~/.local/share/man/man1\n  mf-perf man . && man ./mf-perf-copy.1"
    )]
    Man(pages::ManArgs),
    #[command(hide = true)]
    Member(members::Args),
}

/// Returns the name that a user types for this program before these arguments.
fn typed(arguments: &[OsString]) -> &'static str {
    match arguments.get(1).and_then(|command| command.to_str()) {
        Some("benchmark") => "mfcli",
        Some("completions" | "man") => MF_PERF,
        _ => "mf perf",
    }
}

/// Runs the program with its arguments, of which the first is its name, and returns its exit code. Wrong
/// arguments, and a call for help, end the process.
pub fn main(arguments: Vec<OsString>) -> u8 {
    mf_program::begin();
    let all = Program::command();
    let arguments = with_store_option(&all, arguments);
    let matches = all.clone().bin_name(typed(&arguments)).get_matches_from(&arguments);
    let command = Program::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command;
    // Errors name the program that a person has typed.
    let (name, done) = match command {
        Command::Perf(command) => ("mf", perf::main(&command)),
        Command::Benchmark(args) => ("mfcli", benchmark::main(&args).map(|()| 0)),
        Command::Completions(args) => (MF_PERF, pages::completions(&args, MF_PERF, &all)),
        Command::Man(args) => (MF_PERF, pages::man(&args, MF_PERF, &all)),
        // In a process that one of the others has started.
        Command::Member(args) => ("mf", args.task::<Task>().and_then(|task| task.run()).map(|()| 0)),
    };
    mf_program::end(name, done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Program::command().debug_assert();
    }

    #[test]
    fn every_visible_command_has_an_example() {
        for command in Program::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{} shows no example", command.get_name());
        }
    }

    #[test]
    fn net_takes_the_store_as_first_argument() {
        let words = "mf-perf net --tls off tcp://a:1 --rank 0".split(' ').map(OsString::from).collect();
        let words = with_store_option(&Program::command(), words).join(std::ffi::OsStr::new(" "));
        assert_eq!(words, "mf-perf net --tls off --store tcp://a:1 --rank 0");
    }
}
