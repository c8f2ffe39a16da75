// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Commands of the program `mf`: facts about the machine (`info`), checks (`doctor`), routes to others
//! (`explain`), start a job (`run`), its store (`store`), live figures (`top`), measure (`perf`),
//! demonstration (`demo`), certificates (`certs`), a simulated CANN machine (`sim`), programs for the
//! accelerator (`kernel`), shell completions (`completions`) and manual pages (`man`). Under the names
//! `oshrun` and `mfcli` it is the launcher of OpenSHMEM programs, and upstream's command line.
//!
//! All of it is part of `libmf_smem.so`, which exports [`main`] as `mfx_program_run`; the program itself
//! (`main.rs`) opens that library. So an installation has this code and all that it uses once.

mod certs;
#[expect(unsafe_code, reason = "a call between fork and exec")]
mod child;
mod demo;
mod doctor;
mod explain;
mod info;
mod kernel;
mod members;
mod mfcli;
mod output;
mod pages;
#[expect(unsafe_code, reason = "measures raw copies and calls of C")]
mod perf;
mod ports;
mod progress;
mod run;
mod sim;
mod store;
mod table;
mod top;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use mf_base::{Kind, Result};

/// One memory pool over all processes of a job.
///
/// Exit codes: 0 done, 1 failed, 2 wrong arguments; `mf run` passes on the code of the first rank that
/// failed.
#[derive(Parser)]
#[command(
    name = "mf",
    version,
    max_term_width = 100,
    after_help = "Start here: mf info; when something does not work: mf doctor"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Args),
    Doctor(doctor::Args),
    Explain(explain::Args),
    Run(run::Args),
    Store(store::Args),
    Top(top::Args),
    Perf(perf::Args),
    Demo(demo::Args),
    Certs(certs::Args),
    Sim(sim::Args),
    Kernel(kernel::Args),
    Completions(pages::CompletionsArgs),
    Man(pages::ManArgs),
    #[command(hide = true, name = run::guard::COMMAND)]
    Guard,
    #[command(hide = true, name = sim::guard::COMMAND)]
    SimGuard(sim::guard::Args),
    #[command(hide = true)]
    DoctorChild(doctor::ChildArgs),
    #[command(hide = true)]
    PerfMember(perf::member::Args),
    #[command(hide = true)]
    PerfStoreMember(perf::store::MemberArgs),
    #[command(hide = true)]
    PerfAccMember(perf::acc::MemberArgs),
    #[command(hide = true)]
    PerfTransferMember(perf::transfer::MemberArgs),
    #[command(hide = true)]
    PerfHmcMember(perf::hmc::MemberArgs),
    #[command(hide = true)]
    PerfGroupMember(perf::group::MemberArgs),
    #[command(hide = true)]
    PerfKernelMember(perf::kernel::MemberArgs),
    #[command(hide = true)]
    PerfShmemMember(perf::shmem::MemberArgs),
    #[command(hide = true)]
    DemoRank(demo::rank::Args),
    #[command(hide = true)]
    BenchmarkMember(mfcli::benchmark::member::Args),
}

/// Runs the program with its arguments, of which the first is the name that it was called by, and returns its
/// exit code. Wrong arguments, and a call for help, end the process.
///
/// **Local.** Blocks until the command is done. Meant for a process that does nothing else.
pub fn main(arguments: Vec<OsString>) -> u8 {
    run::signals::reset_inherited();
    log_to_standard_error();
    let program = arguments.first().cloned().unwrap_or_default();
    let (name, done) = if run::oshrun::is_called(&program) {
        ("mf", run::oshrun::main(arguments.into_iter()))
    } else if mfcli::is_called(&program) {
        ("mfcli", mfcli::main(arguments.into_iter()))
    } else {
        ("mf", dispatch(Cli::parse_from(store::spelled(&Cli::command(), arguments)).command))
    };
    done.unwrap_or_else(|error| {
        if let Some(code) = run::signals::asked().filter(|_| error.kind() == Kind::Interrupted) {
            return code;
        }
        output::note(&format!("{name}: {error}"));
        1
    })
}

/// Prints the library's log: the operator of a store sees refused peers there. `MF_LOG_LEVEL` is the lowest
/// level.
fn log_to_standard_error() {
    mf_base::log::install();
    // Settings that cannot be used are the error of the command that needs them.
    if let Ok(loaded) = mf_base::settings::loaded() {
        mf_base::log::set_level(i32::from(loaded.settings.log_level.0));
        for warning in &loaded.warnings {
            tracing::warn!("{warning}");
        }
    }
}

fn dispatch(command: Command) -> Result<u8> {
    match command {
        Command::Info(args) => info::main(&args),
        Command::Doctor(args) => doctor::main(&args),
        Command::Explain(args) => explain::main(&args),
        Command::Run(args) => run::main(&args),
        Command::Store(args) => store::main(&args),
        Command::Top(args) => top::main(&args),
        Command::Perf(args) => perf::main(&args),
        Command::Demo(args) => demo::main(&args),
        Command::Certs(args) => certs::main(&args),
        Command::Sim(args) => sim::main(&args),
        Command::Kernel(args) => kernel::main(&args),
        Command::Completions(args) => pages::completions(&args, &Cli::command()),
        Command::Man(args) => pages::man(&args, &Cli::command()),
        Command::Guard => Ok(run::guard::main()),
        Command::SimGuard(args) => Ok(sim::guard::main(&args)),
        Command::DoctorChild(args) => doctor::child(&args),
        Command::PerfMember(args) => perf::member::main(&args),
        Command::PerfStoreMember(args) => perf::store::member_main(&args),
        Command::PerfAccMember(args) => perf::acc::member_main(&args),
        Command::PerfTransferMember(args) => perf::transfer::member_main(&args),
        Command::PerfHmcMember(args) => perf::hmc::member_main(&args),
        Command::PerfGroupMember(args) => perf::group::member_main(&args),
        Command::PerfKernelMember(args) => perf::kernel::member_main(&args),
        Command::PerfShmemMember(args) => perf::shmem::member_main(&args),
        Command::DemoRank(args) => demo::rank::main(&args),
        Command::BenchmarkMember(args) => mfcli::benchmark::member::main(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_visible_command_has_an_example() {
        let mut open: Vec<clap::Command> = Cli::command().get_subcommands().cloned().collect();
        while let Some(command) = open.pop() {
            open.extend(command.get_subcommands().cloned());
            if !command.is_hide_set() && !command.has_subcommands() {
                let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.contains("Example"), "{} shows no example", command.get_name());
            }
        }
    }
}
