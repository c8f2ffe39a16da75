// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The opened libraries.

use std::ffi::{CStr, c_char, c_int};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::os::unix::Library as Handle;

use super::open::{address_of, file_of, open};
use super::search::Candidate;
use super::{
    Attempt, Capability, Library, LoadError, LoadErrorKind, Mark, Outcome, Report, Search, Symbol, Version,
};
use crate::raw::acl::AclTable;
use crate::raw::hal::HalTable;
use crate::raw::hccl::HcclTable;
use crate::raw::rt::RtTable;
use crate::{Acl, Hal, Hccl, Rt};

/// The libraries of one installation: ACL, and what else of it is there.
#[derive(Debug)]
pub struct Libraries {
    acl: Acl,
    hal: Result<Hal, LoadError>,
    hccl: Result<Hccl, LoadError>,
    rt: Result<Rt, LoadError>,
    report: Report,
}

/// Where an opened library came from, and what it lacks.
#[derive(Clone, Debug)]
pub struct Origin {
    pub(crate) library: Library,
    pub(crate) file: PathBuf,
    pub(crate) version: Option<Version>,
    pub(crate) simulator: Option<String>,
    pub(crate) missing: Vec<&'static Symbol>,
}

impl Origin {
    /// The library.
    pub fn library(&self) -> Library {
        self.library
    }

    /// The file that the loader took.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The version of the ACL interface; `None` when the library does not say it, and for libraries other than ACL.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// What the simulator says of its version; `None` for real libraries.
    pub fn simulator(&self) -> Option<&str> {
        self.simulator.as_deref()
    }

    /// The bound functions that the library lacks; none of them is [`Mark::Core`].
    pub fn missing(&self) -> &[&'static Symbol] {
        &self.missing
    }

    /// Whether the library exports the bound function `name`.
    pub fn has(&self, name: &str) -> bool {
        self.library.symbol(name).is_some() && !self.missing.iter().any(|symbol| symbol.name == name)
    }

    /// The capabilities of this library that it lacks, each with what is not there.
    pub fn lacks(&self) -> Vec<Lack> {
        let lack = |capability| {
            let part = Mark::Part(capability);
            let missing: Vec<_> = self.missing.iter().copied().filter(|symbol| symbol.mark == part).collect();
            let (library, version) = (self.library, self.version);
            (!missing.is_empty()).then_some(Lack { capability, missing, library, version })
        };
        Capability::ALL.into_iter().filter_map(lack).collect()
    }

    /// Whether every function of the capability is there. A capability belongs to one library; others say `false`.
    pub fn can(&self, capability: Capability) -> bool {
        let part = Mark::Part(capability);
        self.library.symbols().iter().any(|symbol| symbol.mark == part)
            && !self.missing.iter().any(|symbol| symbol.mark == part)
    }
}

/// A capability that a library lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The capability.
    pub capability: Capability,
    /// The functions of it that are not there.
    pub missing: Vec<&'static Symbol>,
    /// The library.
    pub library: Library,
    /// Its version, when it says one.
    pub version: Option<Version>,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "ACL {version}")?,
            None => write!(f, "{}", self.library)?,
        }
        f.write_str(" has no")?;
        for symbol in &self.missing {
            write!(f, " {}", symbol.name)?;
        }
        if let Some(symbol) = self.missing.first() {
            write!(f, ", {} has", symbol.since)?;
        }
        write!(f, ": {}", self.capability.without())
    }
}

impl Libraries {
    /// Finds and opens ACL, and what else is there. Reads files and runs the initialisers of the libraries; calls none of
    /// their functions except those that say a version. Remembers nothing.
    ///
    /// # Errors
    /// ACL, or a library that the search [needs](Search::need), cannot be used. The error carries the [`Report`].
    pub fn open(search: &Search) -> Result<Self, LoadError> {
        let mut report = Report::default();
        Self::open_all(search, &mut report).map_err(|error| error.report_is(&report)).map(|mut libraries| {
            libraries.report = report;
            libraries
        })
    }

    fn open_all(search: &Search, report: &mut Report) -> Result<Self, LoadError> {
        let opened = take(Library::Acl, search, None, report)?;
        let simulator = opened.1.simulator.as_ref().map(|_| opened.1.file.clone());
        let acl_file = opened.1.file.clone();
        let (table, origin) = resolve(opened, AclTable::from_library)?;
        let acl = Acl::new(table, origin);

        let mut other = |library| take(library, search, simulator.as_deref(), report);
        let hal = other(Library::Hal).and_then(|opened| resolve(opened, HalTable::from_library));
        let hal = hal.map(|(table, origin)| Hal::new(table, origin));
        let hccl = other(Library::Hccl).and_then(|opened| resolve(opened, HcclTable::from_library));
        let hccl = hccl.map(|(table, origin)| Hccl::new(table, origin));
        let rt = other(Library::Runtime).and_then(|opened| resolve(opened, RtTable::from_library));
        let rt = rt.map(|(table, origin)| Rt::new(table, origin));

        let needed = |library, error: Option<&LoadError>| match error {
            Some(error) if search.needed.contains(&library) => Err(half_installed(error, &acl_file)),
            _ => Ok(()),
        };
        needed(Library::Hal, hal.as_ref().err())?;
        needed(Library::Hccl, hccl.as_ref().err())?;
        needed(Library::Runtime, rt.as_ref().err())?;
        Ok(Self { acl, hal, hccl, rt, report: Report::default() })
    }

    /// The libraries of this process: opened once, by the first caller's `search`, and kept to its end. For programs in
    /// which several parts want CANN and one installation is meant; nothing in this crate calls it.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), kept as well: an installation that appears later is not seen.
    pub fn shared(search: impl FnOnce() -> Search) -> Result<&'static Self, &'static LoadError> {
        static SHARED: OnceLock<Result<Libraries, LoadError>> = OnceLock::new();
        SHARED.get_or_init(|| Self::open(&search())).as_ref()
    }

    /// ACL.
    pub fn acl(&self) -> &Acl {
        &self.acl
    }

    /// The user library of the driver.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn hal(&self) -> Result<&Hal, &LoadError> {
        self.hal.as_ref()
    }

    /// The collectives.
    ///
    /// # Errors
    /// Why they cannot be used.
    pub fn hccl(&self) -> Result<&Hccl, &LoadError> {
        self.hccl.as_ref()
    }

    /// The runtime below ACL.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn rt(&self) -> Result<&Rt, &LoadError> {
        self.rt.as_ref()
    }

    /// What was tried, and what each file said.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Opens the first candidate that is there, and judges it.
fn take(
    library: Library,
    search: &Search,
    simulator: Option<&Path>,
    report: &mut Report,
) -> Result<(Handle, Origin), LoadError> {
    for candidate in search.candidates(library, simulator) {
        let taken = open(library, &candidate)
            .map(|opened| opened.and_then(|handle| judge(library, &candidate, handle)));
        let outcome = match &taken {
            None => Outcome::NotThere,
            Some(Err(error)) => Outcome::Unusable(error.to_string()),
            Some(Ok((_, origin))) => Outcome::Opened {
                file: origin.file.clone(),
                version: origin.version,
                simulator: origin.simulator.clone(),
                lacks: origin.missing.iter().map(|symbol| symbol.name).collect(),
            },
        };
        report.push(Attempt { library, place: candidate.place, path: candidate.path, outcome });
        if let Some(result) = taken {
            return result;
        }
    }
    Err(LoadError::new(library, LoadErrorKind::Absent))
}

/// Checks version and symbols of an opened library.
fn judge(library: Library, candidate: &Candidate, handle: Handle) -> Result<(Handle, Origin), LoadError> {
    let (handle, file) = file_of(handle);
    // The loader knows a library by the first name it was opened by; where we named the file, that name counts.
    let path = file.filter(|_| candidate.searched).unwrap_or_else(|| candidate.path.clone());
    let version = if library == Library::Acl { version_of(&handle) } else { None };
    if let Some(version) = version.filter(|version| *version < Version::OLDEST) {
        return Err(LoadError::new(library, LoadErrorKind::TooOld { path, version }));
    }
    let missing: Vec<&'static Symbol> =
        library.symbols().iter().filter(|symbol| address_of(&handle, symbol.name).is_none()).collect();
    let mut core = missing.iter().filter(|symbol| symbol.mark == Mark::Core);
    if let Some(symbol) = core.next() {
        let kind = LoadErrorKind::MissingSymbol { path, version, symbol, others: core.count() };
        return Err(LoadError::new(library, kind));
    }
    let simulator = simulator_of(&handle);
    Ok((handle, Origin { library, file: path, version, simulator, missing }))
}

/// What `aclrtGetVersion` says, which needs neither initialisation nor a device.
fn version_of(handle: &Handle) -> Option<Version> {
    type GetVersion = unsafe extern "C" fn(*mut i32, *mut i32, *mut i32) -> c_int;
    // SAFETY: the type is that of the function of this name.
    let function = unsafe { handle.get::<GetVersion>(b"aclrtGetVersion\0") }.ok()?;
    let mut version = Version { major: 0, minor: 0, patch: 0 };
    // SAFETY: the three pointers are those of our own integers.
    let code = unsafe { function(&raw mut version.major, &raw mut version.minor, &raw mut version.patch) };
    (code == 0).then_some(version)
}

/// What the simulator says of itself; real libraries lack the function.
fn simulator_of(handle: &Handle) -> Option<String> {
    type SimulatorVersion = unsafe extern "C" fn() -> *const c_char;
    // SAFETY: the type is that of the function of this name.
    let function = unsafe { handle.get::<SimulatorVersion>(b"ascsim_version\0") }.ok()?;
    // SAFETY: the function takes nothing and may be called at any time.
    let text = unsafe { function() };
    if text.is_null() {
        return Some(String::new());
    }
    // SAFETY: the function gives a C string that lives as long as the library.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A library that the search needs and that ACL's installation lacks.
fn half_installed(error: &LoadError, acl: &Path) -> LoadError {
    let kind = LoadErrorKind::HalfInstalled {
        path: acl.to_path_buf(),
        lacks: error.library().to_string(),
        text: error.to_string(),
    };
    LoadError::new(Library::Acl, kind)
}

/// Makes the table of a library. `table` is the constructor that goes with it.
fn resolve<T>(
    (handle, origin): (Handle, Origin),
    table: unsafe fn(Handle) -> Result<T, libloading::Error>,
) -> Result<(T, Origin), LoadError> {
    // SAFETY: the constructor only looks symbols up; `open_all` pairs each library with the table of its header.
    match unsafe { table(handle) } {
        Ok(table) => Ok((table, origin)),
        Err(error) => {
            let kind = LoadErrorKind::Refused { path: origin.file, text: error.to_string() };
            Err(LoadError::new(origin.library, kind))
        }
    }
}
