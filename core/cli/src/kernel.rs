// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf kernel`: the kernels of this library and one's own: list, compile, look over, run.
//!
//! * [`build`]: by the compilers of [`mf_device_kernels::compile`]. [`cc`]: the same by the command line of
//!   CANN's compiler. [`run`]: one launch on the accelerator of this process.

mod build;
mod cc;
#[expect(unsafe_code, reason = "launches kernels, copies to devices")]
mod run;

use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};
use mf_device_kernels::{lint, made_by, table};
use mf_library::accelerator::Kernels;
use mf_library::c_text;
use mf_program::output::{note, print};
use mf_program::table::TextTable;
use serde_json::json;

const OPERATION: &str = "mf kernel";

/// List this library's kernels for the accelerator; compile, check and run your own.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: KernelCommand,
}

#[derive(clap::Subcommand)]
enum KernelCommand {
    List(ListArgs),
    Build(build::Args),
    Cc(cc::Args),
    Lint(LintArgs),
    Prepare(PrepareArgs),
    Run(run::Args),
}

/// List the kernels of this library with their arguments, and their targets.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf kernel list")]
struct ListArgs {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Find constructs in kernel sources that compile for the simulator and not for an NPU.
///
/// The rules search for words and do not parse the language: std headers, exceptions, heap, pointers without
/// __gm__, global memory read through pointers, recursion, names outside the common subset, MF_KERNEL lines
/// that disagree with their entries. The exit code is 1 when there are findings.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf kernel lint my_kernels.cpp")]
struct LintArgs {
    /// The sources.
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<PathBuf>,
}

/// Compile the emulation of Ascend C for all users of an installation.
///
/// Builds for the simulator then compile the kernels alone. Without it, each user's first build compiles the
/// emulation, too. scripts/install runs this; run it again, as the owner of the installation, behind a change
/// of the compiler (CXX, or else c++, g++, clang++). The objects are in lib/mf_kernels of the installation.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf kernel prepare
  mf kernel prepare --from target/release/build/mf-device-kernels-0123456789abcdef/out/emulation")]
struct PrepareArgs {
    /// Cache with compiled objects, taken if they match (default: memfabric/kernels in the cache folder of
    /// this user).
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Folder include/mf_kernels of the installation (default: beside this program).
    #[arg(long, value_name = "DIR")]
    headers: Option<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn main(args: &Args) -> Result<u8> {
    match &args.what {
        KernelCommand::List(args) => list(args).map(|()| 0),
        KernelCommand::Build(args) => build::main(args).map(|()| 0),
        KernelCommand::Cc(args) => cc::main(args),
        KernelCommand::Lint(args) => lint(args),
        KernelCommand::Prepare(args) => {
            build::prepare(args.headers.as_deref(), args.from.as_deref()).map(|()| 0)
        }
        KernelCommand::Run(args) => run::main(args),
    }
}

/// Chips by which the binaries for NPUs are asked for.
pub(crate) const CHIPS: [(&str, &str); 2] =
    [("Atlas A2, A3", "Ascend910_9382"), ("Ascend 950", "Ascend950PR_957c")];

/// Name of the simulator as a chip.
pub(crate) const SIMULATOR: &str = "sim";

/// Returns the library's kernels for a chip by its name in CANN, or the reason for their absence.
pub(crate) fn built_in(chip: &str) -> Result<&'static [u8], String> {
    let found = c_text(chip).and_then(|chip| Kernels::built_in_for(&chip));
    found.map_err(|error| error.to_string())
}

fn list(args: &ListArgs) -> Result<()> {
    let (host, npu) = made_by();
    let targets = || {
        let chips = CHIPS.into_iter().map(|(name, soc)| (name, built_in(soc), npu));
        [("simulator", built_in(SIMULATOR), host)].into_iter().chain(chips)
    };
    if args.json {
        let kernels = table().iter().map(|kernel| {
            json!({ "name": kernel.name, "cores": kernel.cores.to_string(), "arguments": kernel.arguments })
        });
        let binaries = targets().map(|(name, binary, by)| {
            let (bytes, reason) = (binary.as_ref().map(|binary| binary.len()).ok(), binary.err());
            json!({ "target": name, "bytes": bytes, "compiler": bytes.map(|_| by), "reason": reason })
        });
        let all = json!({
            "kernels": serde_json::Value::from_iter(kernels),
            "binaries": serde_json::Value::from_iter(binaries),
        });
        return print(&format!("{all:#}\n"));
    }
    let mut kernels = TextTable::new(3, &["kernel", "cores", "arguments"]);
    for kernel in table() {
        kernels.row(vec![kernel.name.clone(), kernel.cores.to_string(), kernel.arguments.join(", ")]);
    }
    let mut binaries = TextTable::new(2, &["compiled for", "by"]);
    for (name, binary, by) in targets() {
        binaries.row(vec![
            name.to_owned(),
            binary.map_or_else(|reason| format!("not: {reason}"), |_| by.to_owned()),
        ]);
    }
    print(&format!("{}\n{}", kernels.render(), binaries.render()))
}

fn lint(args: &LintArgs) -> Result<u8> {
    let mut count = 0;
    for path in &args.sources {
        for finding in lint::lint(&read(path)?) {
            print(&format!("{}:{}: {}: {}\n", path.display(), finding.line, finding.rule, finding.text))?;
            count += 1;
        }
    }
    if count > 0 {
        note(&format!("mf kernel lint: {count} findings"));
    }
    Ok(u8::from(count > 0))
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        Error::new(Kind::NotExist, OPERATION)
            .what("the source cannot be read")
            .with("file", path.display())
            .source(error)
    })
}
