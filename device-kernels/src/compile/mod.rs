// SPDX-License-Identifier: Apache-2.0 OR MIT
//! From kernel sources to a binary: for the simulator by the host's C++ compiler ([`host`]), for NPUs by
//! CANN's ([`npu`]).
//!
//! The build script of this crate and `mf kernel build` use it alike. (The script includes this folder, which
//! is why the file has this name.)

mod arrays;
mod attributes;
pub mod cache;
mod entries;
mod front;
pub mod host;
mod host_half;
mod instances;
mod kernels;
mod launches;
pub mod npu;
mod object;
mod overloads;
mod passes;
mod rewrite;
mod second;
mod text;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folders of the headers and the emulation.
#[derive(Clone, Debug)]
pub struct Home {
    /// Headers for kernels: `mf_kernel.h` and its like.
    pub headers: PathBuf,
    /// Ascend C for the host: `include` and `src`; and CANN's headers for host code beside kernels: `host`.
    pub emulation: PathBuf,
    /// The folder of `ascend_sim_kernel.h`.
    pub simulator: PathBuf,
    /// Folder of the compiled emulation for all users of an installation.
    pub prepared: Option<PathBuf>,
}

impl Home {
    /// In a source tree, by its folder `device-kernels`; or in an installation, by its folder
    /// `include/mf_kernels`. None when it is neither.
    pub fn at(folder: &Path) -> Option<Self> {
        let simulators = [folder.join("simulator"), folder.join("../sys/sim/include")];
        let simulator = simulators.into_iter().find(|at| at.join("ascend_sim_kernel.h").is_file())?;
        let prefix = folder.ends_with("include/mf_kernels").then(|| folder.ancestors().nth(2)).flatten();
        let prepared = prefix.map(|prefix| prefix.join("lib/mf_kernels"));
        let (headers, emulation) = (folder.join("include"), folder.join("emulation"));
        let home = Self { headers, emulation, simulator, prepared };
        (home.headers.is_dir() && home.emulation.is_dir()).then_some(home)
    }

    /// Folders of headers, in the order of the search.
    fn header_folders(&self) -> [PathBuf; 5] {
        let shmem = self.headers.join("shmem");
        let (kernel, host) = (self.emulation.join("include"), self.emulation.join("host"));
        [self.headers.clone(), shmem, kernel, host, self.simulator.clone()]
    }

    /// The folder of the interfaces of this library for the host, beside the headers for kernels.
    fn interfaces(&self) -> Option<PathBuf> {
        let above = [self.headers.join("../../core/capi/include"), self.headers.join("../..")];
        above.into_iter().find(|folder| folder.join("host/shmem_host_def.h").is_file())
    }

    /// The sources of the emulation, in the order of their names.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn emulation_sources(&self) -> Result<Vec<PathBuf>, String> {
        sources_in(&self.emulation.join("src"))
    }
}

/// Lists the C++ sources of a folder, in the order of their names; empty if there is no folder.
///
/// # Errors
/// The folder cannot be read.
pub fn sources_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let unreadable = |error: std::io::Error| format!("cannot read the folder {}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "cpp") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Lists the headers below a folder: their paths from it, in the order of their names.
///
/// # Errors
/// A folder cannot be read.
pub fn headers_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error: std::io::Error| format!("cannot read the folder {}: {error}", folder.display());
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(folder.join(&inner)).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = inner.join(entry.file_name());
            if entry.file_type().map_err(unreadable)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "h") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Writes a source that includes others. An equal one keeps its time.
///
/// # Errors
/// The file cannot be written.
pub fn join_sources(joined: &Path, sources: &[impl AsRef<Path>]) -> Result<(), String> {
    let lines = sources.iter().map(|source| format!("#include \"{}\"\n", source.as_ref().display()));
    write_if_changed(joined, &lines.collect::<String>())
}

/// Writes a file. An equal one keeps its time, and the objects made of it stay fresh.
fn write_if_changed(file: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(file).is_ok_and(|known| known == text) {
        return Ok(());
    }
    std::fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Runs a command; its output is the text of the error.
///
/// # Errors
/// It cannot be started, or failed.
fn run(command: &mut Command) -> Result<String, String> {
    run_aloud(command).map(|(out, _)| out)
}

/// As [`run`], also returning the error output of the command.
fn run_aloud(command: &mut Command) -> Result<(String, String), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok((String::from_utf8_lossy(&output.stdout).into_owned(), printed));
    }
    let arguments: Vec<_> =
        command.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
    Err(format!("{name} {} failed ({}):\n{printed}", arguments.join(" "), output.status))
}

/// Runs jobs, at most so many at once, and stops to begin others after the first error.
fn run_all<T: Sync>(
    jobs: &[T],
    at_once: usize,
    job: impl Fn(&T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let failures = || failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            scope.spawn(|| {
                while let Some(own) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !failures().is_empty() {
                        return;
                    }
                    if let Err(error) = job(own) {
                        failures().push(error);
                    }
                }
            });
        }
    });
    let mut failed = failures();
    if failed.is_empty() { Ok(()) } else { Err(failed.swap_remove(0)) }
}
