// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf kernel build`: sources to one binary.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};
use mf_device_kernels::compile::{Home, cache, host, npu};
use mf_device_kernels::lint::lint;
use mf_program::output::{TemporaryFolder, note};

use super::{OPERATION, read};

/// Compile kernel sources to one binary, for the simulator or for an NPU.
///
/// Sources are taken as they are written for CANN's compiler: entries are found, and host code beside them
/// may launch by `name<<<blocks, nullptr, stream>>>(...)`. Programs are then linked with the output.
///
/// The compiler of the host is CXX, or else c++, g++, clang++; the one for NPUs is found in ASCEND_HOME_PATH.
/// Findings of `mf kernel lint` are printed, and do not stop it; nor do warnings, without --werror. The
/// emulation is taken from the installation (`mf kernel prepare`), or else compiled once and kept in
/// memfabric/kernels of the user's cache folder (XDG_CACHE_HOME, or ~/.cache).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf kernel build my_kernels.cpp -o my_kernels.o
  mf kernel build --arch dav-2201 my_kernels.cpp -o my_kernels.npu.o")]
pub(super) struct Args {
    /// The sources.
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<PathBuf>,
    /// The binary.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// For NPUs: dav-2201 (Atlas A2 and A3), dav-3510 (Ascend 950); without it, for the simulator.
    #[arg(long, value_name = "ARCH")]
    arch: Option<String>,
    /// With debug information.
    #[arg(short = 'g')]
    debug: bool,
    /// Warnings of the compiler are errors.
    #[arg(long)]
    werror: bool,
    /// Folders of headers.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Macros, NAME or NAME=VALUE.
    #[arg(short = 'D', value_name = "NAME")]
    define: Vec<OsString>,
    /// Folder of the headers for kernels and the emulation (default: beside this program).
    #[arg(long, value_name = "DIR")]
    headers: Option<PathBuf>,
}

/// Compiles.
pub(super) fn main(args: &Args) -> Result<()> {
    for source in &args.sources {
        for finding in lint(&read(source)?) {
            note(&format!("{}:{}: {}: {}", source.display(), finding.line, finding.rule, finding.text));
        }
    }
    let home = home(args.headers.as_deref())?;
    let scratch = TemporaryFolder::new("mf-kernel-build")?;
    scratch.goes_by_signals()?;
    let flags = args.flags();
    let progress = mf_program::progress::begin("mf kernel build: the compiler runs");
    let built = match &args.arch {
        Some(arch) => npu::Compiler::find(|name| std::env::var_os(name)).and_then(|compiler| {
            compiler.compile(&home, arch, &args.sources, &flags, scratch.path(), &args.output)
        }),
        None => host::Compiler::find(std::env::var_os("CXX")).and_then(|compiler| {
            let kept = cache::default_cache(|name| std::env::var_os(name));
            let job = host::Job {
                sources: &args.sources,
                flags: &flags,
                scratch: scratch.path(),
                cache: kept.as_deref(),
                output: &args.output,
            };
            host::compile(&compiler, &home, &job).map(|warnings| warnings.lines().for_each(note))
        }),
    };
    drop(progress);
    built.map_err(failed)
}

/// Compiles the emulation for all users of the installation.
pub(super) fn prepare(headers: Option<&Path>, from: Option<&Path>) -> Result<()> {
    let home = home(headers)?;
    let progress = mf_program::progress::begin("mf kernel prepare: the compiler runs");
    let kept = from.map(Path::to_owned).or_else(|| cache::default_cache(|name| std::env::var_os(name)));
    let made = host::Compiler::find(std::env::var_os("CXX"))
        .and_then(|compiler| cache::prepare(&compiler, &home, kept.as_deref()));
    drop(progress);
    let folder = made.map_err(failed)?;
    note(&format!("mf kernel prepare: {}", folder.display()));
    Ok(())
}

fn failed(why: impl AsRef<str>) -> Error {
    Error::new(Kind::Failed, OPERATION).what(why.as_ref().trim_end().to_owned())
}

impl Args {
    fn flags(&self) -> Vec<OsString> {
        let mut flags = Vec::new();
        if self.debug {
            flags.push("-g".into());
        }
        if self.werror {
            flags.push("-Werror".into());
        }
        for folder in &self.include {
            flags.extend(["-I".into(), folder.clone().into_os_string()]);
        }
        for name in &self.define {
            flags.extend(["-D".into(), name.clone()]);
        }
        flags
    }
}

/// In an installation the headers are beside this program; in a source tree, above the folder where it was
/// built.
pub(super) fn home(named: Option<&Path>) -> Result<Home> {
    let program = std::env::current_exe().unwrap_or_default();
    let above = program.ancestors().skip(1);
    let places: Vec<PathBuf> = match named {
        // Compilers run in other folders.
        Some(folder) => vec![std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())],
        None => above
            .flat_map(|folder| [folder.join("include/mf_kernels"), folder.join("device-kernels")])
            .chain([Path::new(env!("CARGO_MANIFEST_DIR")).join("../../device-kernels")])
            .collect(),
    };
    places.iter().find_map(|folder| Home::at(folder)).ok_or_else(|| {
        Error::new(Kind::NotExist, OPERATION)
            .what("the headers for kernels are not there")
            .with("looked_for", format!("include/mf_kernels beside {}", program.display()))
            .hint(
                "name their folder: --headers DIR; scripts/install puts them into PREFIX/include/mf_kernels",
            )
    })
}
