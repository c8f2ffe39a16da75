// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf sim`: a simulated CANN machine, as a folder that programs take for an installation, or around one
//! command.
//!
//! * [`layout`]: contents of such a folder, decided apart from writing them. [`installation`]: its version
//!   files and variables. [`unified_bus`]: files about its network. [`gpus`]: simulated GPUs in it.
//!   [`compiler`]: its compiler.
//! * [`guard`]: a process that ends the command's programs when this one was killed.
//! * [`namespace`]: a private view of the file system in which the fixed system paths exist.

mod compiler;
mod gpus;
pub(crate) mod guard;
mod installation;
mod layout;
#[expect(unsafe_code, reason = "a namespace of its own")]
mod namespace;
mod unified_bus;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use ascend_acl_sys::releases::Release;
use mf_base::{ByteLen, Error, Kind, Result};
use mf_program::output::{self, TemporaryFolder};
use mf_program::ports::random_secret;
use mf_program::signals;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Signal;

use gpus::Gpus;
use guard::Guard;
use layout::{Layout, Machine};

const OPERATION: &str = "mf sim";
/// File name of the simulator.
const LIBRARY: &str = "libascend_sim.so";

/// Make a simulated CANN machine: a folder that programs take for an installation, or one around a command.
///
/// `mf sim DIR` writes the folder; programs find it after `. DIR/set_env.sh`. Processes that use the same
/// folder share one machine while any of them lives. `mf sim -- CMD` runs CMD on a fresh machine of its own;
/// the system files that some programs read (/etc/ascend_install.info, /usr/local/Ascend) exist inside, also
/// without root where the kernel allows user namespaces. `mf sim DIR -- CMD` runs CMD on the machine of DIR.
/// Nothing measured on it says anything about an NPU.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf sim ~/cann && . ~/cann/set_env.sh && mf info
  mf sim -- python3 examples/01_pool.py
  mf sim --devices 0 --gpus 2:cuda,1:hip ~/gpus -- mf info
  mf sim --devices 2 --hbm 1G --soc Ascend910B3 -- mf run -n 2 -- ./program")]
pub(crate) struct Args {
    /// Folder to write; it is made, or refreshed when it is such a folder already.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Number of devices (default 8).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64))]
    devices: Option<u32>,
    /// SoC name: Ascend910B… (A2), Ascend910_93… (A3), Ascend950… (default Ascend910_9382).
    #[arg(long, value_name = "NAME")]
    soc: Option<String>,
    /// Release of CANN: 8.1, 8.3, 8.5, 9.0, 9.1, 9.2 or next (default 9.1).
    ///
    /// It decides versions, and which functions exist. `next` has functions that no release has yet.
    #[arg(long, value_name = "RELEASE", value_parser = Release::NAMES)]
    cann: Option<String>,
    /// HBM of each device, for example 16G (default 64G).
    #[arg(long, value_name = "SIZE")]
    hbm: Option<ByteLen>,
    /// Order of streams: fifo, random, random(SEED) or slow(MICROSECONDS) (default fifo).
    #[arg(long, value_name = "ORDER")]
    schedule: Option<String>,
    /// Simulated GPUs of other vendors, too, for example 2:cuda,1:hip (also musa, cndrv; default: none).
    #[arg(long, value_name = "GPUS")]
    gpus: Option<String>,
    /// Which devices reach which (see docs/simulator.md; default: all).
    #[arg(long, value_name = "TOPOLOGY")]
    topology: Option<String>,
    /// Faults to inject, for example aclrtMemcpy@3=507899 (see docs/simulator.md).
    #[arg(long, value_name = "FAULTS")]
    faults: Option<String>,
    /// Write every call with its arguments to this file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The simulator's library (default: libascend_sim.so beside this program or in ../lib).
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// The command to run and its arguments.
    #[arg(last = true, value_name = "CMD", num_args = 1..)]
    command: Vec<OsString>,
}

/// Makes the folder or runs the command.
pub(crate) fn main(args: &Args) -> Result<u8> {
    let library = find_library(args.library.as_deref())?;
    let gpus =
        args.gpus.as_deref().map(|text| Gpus::parse(text, gpu_simulator_path(&library, gpus::LIBRARY)?));
    let machine =
        Machine { knobs: args.knobs()?, release: args.release(), bus: args.bus(), gpus: gpus.transpose()? };
    match (&args.folder, args.command.as_slice()) {
        (None, []) => Err(Error::invalid(OPERATION, "neither a folder nor a command is given")
            .hint("mf sim DIR, or mf sim -- CMD; see mf sim --help")),
        (Some(folder), []) => make(folder, &machine, &library),
        (Some(folder), command) => {
            let home = write_layout(folder, &machine, &library)?;
            let session = home.display().to_string();
            run(&Layout::for_home(&home, &machine, &session), command, None)
        }
        (None, command) => {
            let session = format!("mf-sim-{}", &random_secret()?[..16]);
            let home = Path::new(namespace::HOME);
            run(&Layout::for_home(home, &machine, &session), command, Some(&library))
        }
    }
}

impl Args {
    /// Release of CANN: the option, else the simulator's variable, else the default.
    fn release(&self) -> &'static Release {
        let name = knob(self.cann.as_ref(), "ASCEND_SIM_CANN");
        let found = Release::ALL.iter().find(|release| name.as_deref() == Some(release.name));
        found.unwrap_or(&Release::ALL[0])
    }

    /// Devices on a unified bus, if the product has one.
    fn bus(&self) -> Option<u32> {
        let soc = knob(self.soc.as_ref(), "ASCEND_SIM_SOC")?;
        let devices = knob(self.devices.map(|devices| devices.to_string()).as_ref(), "ASCEND_SIM_DEVICES");
        let devices = devices.map_or(Some(8), |devices| devices.parse().ok());
        devices.filter(|_| unified_bus::is_in(&soc))
    }

    fn knobs(&self) -> Result<Vec<(&'static str, String)>> {
        let mut knobs = Vec::new();
        let mut set = |name, value: Option<String>| knobs.extend(value.map(|value| (name, value)));
        set("DEVICES", self.devices.map(|n| n.to_string()));
        set("SOC", self.soc.clone());
        set("CANN", self.cann.clone());
        set("HBM_BYTES", self.hbm.map(|bytes| bytes.0.to_string()));
        set("SCHEDULE", self.schedule.clone());
        set("TOPOLOGY", self.topology.clone());
        set("FAULTS", self.faults.clone());
        if let Some(file) = &self.trace {
            let file = std::path::absolute(file).map_err(|e| failed("the trace file has no path", e))?;
            set("TRACE", Some(file.display().to_string()));
        }
        if let Some((name, value)) = knobs.iter().find(|(_, value)| value.contains(['\n', '\0'])) {
            return Err(Error::invalid(OPERATION, "a value has a line break")
                .with("knob", name)
                .with("value", value));
        }
        Ok(knobs)
    }
}

/// A knob of the machine: the option, else the simulator's variable.
fn knob(option: Option<&String>, variable: &str) -> Option<String> {
    option.cloned().or_else(|| std::env::var(variable).ok())
}

/// Writes the folder and says how to use it.
fn make(folder: &Path, machine: &Machine, library: &Path) -> Result<u8> {
    let home = write_layout(folder, machine, library)?;
    let at = layout::quoted(&home.display().to_string());
    output::print(&format!(
        "A simulated CANN installation (simulated: its figures say nothing about an NPU) is in {at}.

  . {at}/set_env.sh      programs started from this shell find it
  mf info                shows its devices
  mf sim {at} -- CMD     runs CMD there, with the system files that some programs read

For programs that read /etc/ascend_install.info outside of `mf sim`, copy it there as root:

  cp {at}/etc/ascend_install.info /etc/

For those that look for CANN at its default place:

  mkdir -p /usr/local/Ascend && ln -s {at} /usr/local/Ascend/cann
"
    ))?;
    Ok(0)
}

fn write_layout(folder: &Path, machine: &Machine, library: &Path) -> Result<PathBuf> {
    layout::check_target(folder)?;
    let _progress = mf_program::progress::begin("mf sim: the folder is written");
    std::fs::create_dir_all(folder)
        .map_err(|e| failed("the folder cannot be made", e).with("folder", folder.display()))?;
    let home = folder.canonicalize().map_err(|e| failed("the folder cannot be entered", e))?;
    let layout = Layout::for_home(&home, machine, &home.display().to_string());
    layout.write(&home, layout::Library::Copy(library))?;
    Ok(home)
}

/// Runs the command on the machine of `layout`. `fresh`: the layout exists only for it.
fn run(layout: &Layout, command: &[OsString], fresh: Option<&Path>) -> Result<u8> {
    match namespace::enter(layout, fresh) {
        Ok(uncovered) => {
            if let Some(reason) = uncovered {
                output::note(&format!(
                    "mf sim: /usr/local/Ascend is not the simulated installation: {reason}. Programs that look there \
                     find what the machine has."
                ));
            }
            Err(replace_by(command, &layout.environment()))
        }
        Err(reason) => {
            output::note(&format!(
                "mf sim: the system files that some programs read are not provided: {reason}. Programs that need them \
                 fail; as root, copy etc/ascend_install.info of a folder made by `mf sim DIR` to /etc."
            ));
            match fresh {
                None => Err(replace_by(command, &layout.environment())),
                Some(library) => run_on_temporary_layout(layout, command, library),
            }
        }
    }
}

/// Becomes the command; comes back only when that fails.
fn replace_by(command: &[OsString], environment: &[(&'static str, String)]) -> Error {
    let Some((program, arguments)) = command.split_first() else {
        return Error::invalid(OPERATION, "the command is empty");
    };
    let error = Command::new(program).args(arguments).envs(environment.iter().cloned()).exec();
    failed("the command cannot be started", error).with("command", program.display())
}

/// Runs the command on a layout in a temporary folder, which goes when the command has ended.
fn run_on_temporary_layout(layout: &Layout, command: &[OsString], library: &Path) -> Result<u8> {
    let folder = TemporaryFolder::new("mf-sim")?;
    let layout = layout.moved_to(folder.path());
    layout.write(folder.path(), layout::Library::Link(library))?;
    let _guard = Guard::start(folder.path())?;
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::invalid(OPERATION, "the command is empty"));
    };
    let mut child = Command::new(program);
    child.args(arguments).envs(layout.environment());
    mf_program::child::end_with_this_process(&mut child);
    let pipe = signals::install()?;
    let mut child = child
        .spawn()
        .map_err(|e| failed("the command cannot be started", e).with("command", program.display()))?;
    loop {
        if let Some(status) = child.try_wait().map_err(|e| failed("the command cannot be waited for", e))? {
            return Ok(exit_code(status));
        }
        let _ = poll(&mut [PollFd::new(&pipe, PollFlags::IN)], None);
        // The command decides about them. Terminal signals have reached it already, as they have reached this
        // program.
        for signal in signals::take(&pipe).into_iter().filter(|signal| *signal != Signal::CHILD) {
            if !(is_of_the_terminal() && signal == Signal::INT)
                && let Some(pid) = mf_program::child::pid_of(&child)
            {
                // It may have ended.
                let _ = rustix::process::kill_process(pid, signal);
            }
        }
    }
}

/// True if terminal input, such as Ctrl-C, reaches the group of this process.
fn is_of_the_terminal() -> bool {
    rustix::termios::tcgetpgrp(std::io::stderr()).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn exit_code(status: std::process::ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// The simulator of GPUs, next to CANN's.
fn gpu_simulator_path(library: &Path, name: &str) -> Result<PathBuf> {
    let file = library.with_file_name(name);
    file.canonicalize().map_err(|error| {
        failed("the simulator of GPUs is not there", error)
            .with("file", file.display())
            .hint("build it with `cargo build --release -p gpu-sim`")
    })
}

/// The simulator's library beside this program, if it is there.
pub(crate) fn simulator_path() -> Option<PathBuf> {
    find_library(None).ok()
}

fn find_library(given: Option<&Path>) -> Result<PathBuf> {
    let candidates: Vec<PathBuf> = match given {
        Some(file) => vec![file.to_owned()],
        None => {
            let program = std::env::current_exe().map_err(|e| failed("this program has no path", e))?;
            let folder = program.parent().unwrap_or(Path::new("/"));
            ["", "../lib", "../lib64"].iter().map(|place| folder.join(place).join(LIBRARY)).collect()
        }
    };
    let found = candidates.iter().find_map(|file| file.canonicalize().ok());
    found.ok_or_else(|| {
        let searched: Vec<String> = candidates.iter().map(|file| file.display().to_string()).collect();
        Error::new(Kind::NotExist, OPERATION)
            .what("the simulator's library is not there")
            .with("searched", searched.join(", "))
            .hint("build it with `cargo build --release -p ascend-sim`, or name it with --library")
    })
}

fn failed(what: &str, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(source)
}
