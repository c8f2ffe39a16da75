// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selection of a process's devices.
//!
//! | choice | accelerator |
//! |---|---|
//! | none | none |
//! | auto | the installed CANN's, real or simulated; none if no usable one is installed |
//! | ascend | the real CANN's, or an error |
//! | cuda | an NVIDIA GPU by [`super::gpu`], real or simulated, or an error; never taken by auto |
//! | sim | the simulator's: the installed CANN if it is one, else `libascend_sim.so` beside this library or program, or an error |
//!
//! [`ascend_acl_sys::loader`] describes the search for the installed CANN.

use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ascend_acl_sys::{Libraries, LoadError, Search};
use mf_base::loader::file_of_address;
use mf_base::{Error, Kind, Result};

use super::gpu::{self, Vendor};
use super::{Device, Devices, ascend};

pub use mf_base::settings::DeviceChoice as Choice;

const OP: &str = "choose device";

/// The simulator under its own name.
const SIMULATOR: &str = "libascend_sim.so";

/// Report of the search: libraries, places, results; one readable line each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The lines, in the order in which they happened.
    pub lines: Vec<String>,
}

impl Report {
    fn add(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn add_all(&mut self, lines: impl Iterator<Item = String>) {
        self.lines.extend(lines);
    }
}

/// Opens the accelerator `index` of `choice`, beside `host`. Local. Opens libraries, which stay for the life
/// of the process, and initialises them; no thread's current device changes.
///
/// # Errors
/// `NotExist` the required accelerator does not exist, or has no such number: the text names the examined
/// places, or the number of devices · errors of opening an existing device.
pub fn choose(choice: Choice, index: u32, host: Arc<dyn Device>) -> Result<(Devices, Report)> {
    let mut report = Report::default();
    let accelerator = match choice {
        Choice::None => {
            report.add("MF_DEVICE=none: no accelerator is searched for");
            None
        }
        Choice::Auto => automatic(index, &mut report)?,
        Choice::Ascend => Some(open_accelerator(index, &mut report)?),
        Choice::Sim => Some(simulated(index, &mut report)?),
        Choice::Cuda => Some(gpu::open(Vendor::Nvidia, index)? as Arc<dyn Device>),
    };
    match &accelerator {
        Some(device) => {
            report.add(format!("device {index}: {}", device.describe()));
            tracing::info!(index, "device memory is that of {}", device.describe());
        }
        None => report.add("host memory stands in for device memory"),
    }
    let devices = Devices::new(host);
    Ok((accelerator.into_iter().fold(devices, Devices::with), report))
}

/// Returns the number of the accelerator that is current in the calling thread; `None` if no CANN is
/// installed, or no device was set in this thread. Local. Opens libraries as [`choose`] does, and initialises
/// nothing.
pub fn current() -> Option<u32> {
    let libraries = libraries()?;
    u32::try_from(libraries.acl().device().ok()?).ok()
}

/// Returns true if the installed CANN's devices are of the product with the unified bus (950). Local. Opens
/// libraries as [`choose`] does.
pub fn has_unified_bus() -> bool {
    libraries().and_then(|libraries| libraries.acl().soc_name()).is_some_and(|soc| ascend::is_950(&soc))
}

/// Returns the libraries of the installed CANN, or `None`. Opens them as [`choose`] does.
pub(crate) fn libraries() -> Option<Arc<Libraries>> {
    installed(&mut Report::default()).ok()
}

fn automatic(index: u32, report: &mut Report) -> Result<Option<Arc<dyn Device>>> {
    let libraries = match installed(report) {
        Ok(libraries) => libraries,
        Err(error) => {
            if !error.is_absent() {
                warn_once(&error);
            }
            report.add(error.to_string());
            return Ok(None);
        }
    };
    ascend::open_any(&libraries, index).inspect(|device| {
        if device.is_none() {
            report.add("CANN sees no device");
        }
    })
}

fn open_accelerator(index: u32, report: &mut Report) -> Result<Arc<dyn Device>> {
    let libraries = installed(report).map_err(|error| unusable(Choice::Ascend, report).source(error))?;
    if let Some(version) = libraries.acl().origin().simulator() {
        return Err(unusable(Choice::Ascend, report)
            .what("the CANN that is installed is the simulator")
            .with("simulator", version)
            .with("file", libraries.acl().origin().file().display())
            .hint("set MF_DEVICE=sim to use it, or let ASCEND_HOME_PATH name the real one"));
    }
    ascend::open(&libraries, index)
}

fn simulated(index: u32, report: &mut Report) -> Result<Arc<dyn Device>> {
    let found = match installed(report) {
        Ok(libraries) if libraries.acl().origin().simulator().is_some() => Some(libraries),
        Ok(_) => {
            report.add("the CANN that is installed is not the simulator");
            None
        }
        Err(error) => {
            report.add(error.to_string());
            None
        }
    };
    let libraries = found.or_else(|| {
        candidate_paths().into_iter().find_map(|file| {
            if !file.is_file() {
                report.add(format!("{SIMULATOR}: {}: not there", file.display()));
                return None;
            }
            match open(&Search::default().explicit(&file), report) {
                Ok(libraries) => libraries.acl().origin().simulator().is_some().then_some(libraries),
                Err(error) => {
                    report.add(error.to_string());
                    None
                }
            }
        })
    });
    let libraries = libraries.ok_or_else(|| {
        unusable(Choice::Sim, report)
            .what("the simulator is not installed")
            .hint("lay one out with `mf sim DIR` and set ASCEND_HOME_PATH=DIR")
    })?;
    ascend::open(&libraries, index)
}

fn installed(report: &mut Report) -> Result<Arc<Libraries>, LoadError> {
    open(&Search::from_environment(), report)
}

fn open(search: &Search, report: &mut Report) -> Result<Arc<Libraries>, LoadError> {
    let opened = Libraries::open(search);
    match &opened {
        Ok(libraries) => report.add_all(libraries.report().lines()),
        Err(error) => report.add_all(error.report().lines()),
    }
    opened.map(Arc::new)
}

/// Returns the possible places of the simulator under its own name: beside this code and beside the program,
/// in their `../lib`, and in their `deps`, where cargo puts the libraries of a program that it builds.
fn candidate_paths() -> Vec<PathBuf> {
    let own = file_of_address((candidate_paths as *const c_void).addr());
    let mut found: Vec<PathBuf> = Vec::new();
    for file in [own, std::env::current_exe().ok()].into_iter().flatten() {
        let Some(folder) = file.parent() else { continue };
        let lib = folder.parent().map(|parent| parent.join("lib"));
        for folder in [Some(folder.to_path_buf()), lib, Some(folder.join("deps"))].into_iter().flatten() {
            let place = folder.join(SIMULATOR);
            if !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

/// Returns the error for a required device that does not exist.
#[cold]
fn unusable(choice: Choice, report: &Report) -> Error {
    let name = match choice {
        Choice::Sim => "sim",
        _ => "ascend",
    };
    Error::new(Kind::NotExist, OP)
        .what("the device that was asked for cannot be used")
        .with("MF_DEVICE", name)
        .with("searched", report.lines.join("; "))
}

/// Warns about an installation that cannot be used: once, as every pool of the process would repeat it.
fn warn_once(error: &LoadError) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    if !WARNED.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            "CANN is installed and cannot be used, host memory stands in for device memory: {error}"
        );
    }
}
