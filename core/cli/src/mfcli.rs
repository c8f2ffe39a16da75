// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli`: the command line of upstream's release 1.3 over this program's functions; an alias of the
//! program.
//!
//! * [`kernel`]: the kernels of this library as files. [`mem`]: memory usage. [`logs`]: files for a fault
//!   report. Copies and transfers between ranks (`benchmark`) are the program `mf-perf`.

mod kernel;
mod logs;
mod mem;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Parser, Subcommand};
use mf_abi::smem::SMEM_ABI_VERSION;
use mf_base::Result;
use mf_program::output::print;

/// MemFabric's command line, over the program mf.
///
/// Exit codes: 0 done, 1 failed, 2 wrong arguments.
#[derive(Parser)]
#[command(name = "mfcli", version, max_term_width = 100, after_help = "Start here: mfcli version")]
struct Mfcli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Version(VersionArgs),
    Kernel(kernel::Args),
    Mem(mem::Args),
    Logs(logs::Args),
    Benchmark(crate::perf::BenchmarkArgs),
}

/// Show the versions of the interface and of this library.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mfcli version")]
struct VersionArgs {}

/// True if this program was called by that name.
pub(crate) fn is_called(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "mfcli")
}

/// Runs the program.
pub(crate) fn main(arguments: &[OsString]) -> Result<u8> {
    mf_program::begin();
    match Mfcli::parse_from(arguments).command {
        Command::Version(_) => version(),
        Command::Kernel(args) => kernel::main(&args),
        Command::Mem(args) => mem::main(&args),
        Command::Logs(args) => logs::main(&args),
        Command::Benchmark(args) => return crate::perf::benchmark(&args),
    }?;
    Ok(0)
}

fn version() -> Result<()> {
    let (major, minor) = (SMEM_ABI_VERSION >> 16, SMEM_ABI_VERSION & 0xffff);
    print(&format!("interface {major}.{minor}\nmemfabric-rs {}\n", env!("CARGO_PKG_VERSION")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn command_line_is_consistent_and_has_examples() {
        Mfcli::command().debug_assert();
        let mut open: Vec<clap::Command> = Mfcli::command().get_subcommands().cloned().collect();
        while let Some(command) = open.pop() {
            open.extend(command.get_subcommands().cloned());
            if !command.has_subcommands() {
                let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.contains("Example"), "{} shows no example", command.get_name());
            }
        }
        assert!(is_called(OsStr::new("/usr/bin/mfcli")) && !is_called(OsStr::new("mf")));
    }
}
