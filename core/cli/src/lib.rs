// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Commands of the program `mf`: facts about the machine (`info`), checks (`doctor`), routes to others
//! (`explain`), start a job (`run`), its store (`store`), live figures (`top`), certificates (`certs`),
//! folders of a cache's disk tier (`cache`), a simulated CANN machine (`sim`), programs for the accelerator
//! (`kernel`), shell completions (`completions`) and manual pages (`man`). The demonstration (`demo`) is
//! `mf_demo`; measurements (`perf`) are the program `mf-perf`, which this one becomes. Under the names
//! `oshrun` and `mfcli` it is the launcher of OpenSHMEM programs, and upstream's command line.

mod cache;
mod certs;
mod doctor;
mod explain;
mod info;
mod job_store;
mod kernel;
mod mfcli;
mod perf;
mod run;
mod sim;
mod store;
mod top;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use mf_base::Result;
use mf_program::pages;
use mf_program::store_option::with_store_option;

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
    Demo(mf_demo::Args),
    Certs(certs::Args),
    Cache(cache::Args),
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
    Member(mf_measure::members::Args),
}

/// Runs the program with its arguments, of which the first is the name that it was called by, and returns its
/// exit code. Wrong arguments, and a call for help, end the process.
pub fn main(arguments: Vec<OsString>) -> u8 {
    let program = arguments.first().cloned().unwrap_or_default();
    if run::oshrun::is_called(&program) {
        mf_program::begin();
        return mf_program::end("mf", run::oshrun::main(arguments.into_iter()));
    }
    if mfcli::is_called(&program) {
        return mf_program::end("mfcli", mfcli::main(&arguments));
    }
    #[cfg(feature = "perf")]
    if mf_program::child::is_called(&program, mf_program::child::MF_PERF) {
        return mf_perf::main(arguments);
    }
    let arguments = with_store_option(&Cli::command(), arguments);
    mf_program::begin();
    mf_program::end("mf", dispatch(Cli::parse_from(arguments).command))
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
        Command::Demo(args) => mf_demo::main(&args),
        Command::Certs(args) => certs::main(&args),
        Command::Cache(args) => cache::main(&args),
        Command::Sim(args) => sim::main(&args),
        Command::Kernel(args) => kernel::main(&args),
        Command::Completions(args) => pages::completions(&args, "mf", &Cli::command()),
        Command::Man(args) => pages::man(&args, "mf", &Cli::command()),
        Command::Guard => Ok(run::guard::main()),
        Command::SimGuard(args) => Ok(sim::guard::main(&args)),
        Command::DoctorChild(args) => doctor::child(&args),
        Command::Member(args) => args.task::<mf_demo::Task>().and_then(|task| task.run()).map(|()| 0),
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
