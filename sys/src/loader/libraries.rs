// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The opened libraries.

use std::ffi::{CStr, c_char, c_int};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mf_base::loader::{Function, Handle, LibraryFacts, LibrarySpec, Loaded};

use super::{Capability, Library, LoadError, Mark, OLDEST, Reason, Report, Search, Symbol, Version};
use crate::optional::Optional;
use crate::raw::acl::AclTable;
use crate::raw::hal::HalTable;
use crate::raw::hccl::HcclTable;
use crate::raw::rt::RtTable;
use crate::{Acl, Hal, Hccl, Rt};

/// Name of the interface whose version is compared.
const INTERFACE: &str = "ACL";

/// The libraries of one installation: ACL, and what else of it is there.
#[derive(Debug)]
pub struct Libraries {
    acl: Acl,
    hal: Result<Hal, LoadError>,
    hccl: Result<Hccl, LoadError>,
    rt: Result<Rt, LoadError>,
    optional: Optional,
    report: Report,
}

/// Path, version and missing functions of an opened library.
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

    /// The version of the ACL interface; `None` when the library does not say it, and for libraries other
    /// than ACL.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// Returns the version text of the simulator; `None` for real libraries.
    pub fn simulator(&self) -> Option<&str> {
        self.simulator.as_deref()
    }

    /// Returns the bound functions that the library lacks. [`Mark::Core`] functions are never among them.
    pub fn missing(&self) -> &[&'static Symbol] {
        &self.missing
    }

    /// Returns true if the library exports the bound function `name`.
    pub fn has(&self, name: &str) -> bool {
        self.library.symbol(name).is_some() && !self.missing.iter().any(|symbol| symbol.name == name)
    }

    /// Returns the capabilities that this library lacks, each with its missing functions.
    pub fn lacks(&self) -> Vec<Lack> {
        let lack = |capability| {
            let part = Mark::Part(capability);
            let missing: Vec<_> = self.missing.iter().copied().filter(|symbol| symbol.mark == part).collect();
            let (library, version) = (self.library, self.version);
            (!missing.is_empty()).then_some(Lack { capability, missing, library, version })
        };
        Capability::ALL.into_iter().filter_map(lack).collect()
    }

    /// Returns true if every function of the capability is present. A capability belongs to one library; the
    /// others return `false`.
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
    /// Finds and opens ACL, and the other libraries present. Reads files and runs the initialisers of the
    /// libraries; calls none of their functions except version queries. Caches nothing.
    ///
    /// # Errors
    /// ACL, or a library that the search [needs](Search::need), cannot be used. The error carries the
    /// [`Report`].
    pub fn open(search: &Search) -> Result<Self, LoadError> {
        let mut report = Report::default();
        let opened = Self::open_all(search, &mut report).map_err(|error| error.with_report(&report));
        opened.map(|libraries| Self { report, ..libraries })
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
            Some(error) if search.needed.contains(&library) => {
                let (path, lacks, text) = (acl_file.clone(), error.library().to_owned(), error.to_string());
                Err(error_of(Library::Acl, Reason::HalfInstalled { path, lacks, text }))
            }
            _ => Ok(()),
        };
        needed(Library::Hal, hal.as_ref().err())?;
        needed(Library::Hccl, hccl.as_ref().err())?;
        needed(Library::Runtime, rt.as_ref().err())?;
        let optional = Optional::new(acl.origin(), hccl.as_ref().ok().map(Hccl::origin));
        Ok(Self { acl, hal, hccl, rt, optional, report: Report::default() })
    }

    /// The libraries of this process: opened once, by the first caller's `search`, and kept to its end. For
    /// programs in which several parts want CANN and one installation is meant; nothing in this crate
    /// calls it.
    ///
    /// # Errors
    /// Returns the libraries of the first [`open`](Self::open), which are cached with its error: an
    /// installation that appears later is not found.
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

    /// The functions that a release may lack, each searched when it is asked for.
    pub fn optional(&self) -> &Optional {
        &self.optional
    }

    /// Returns the report: files tried, with the outcome for each.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Opens a library and says where it came from.
fn take(
    library: Library,
    search: &Search,
    simulator: Option<&Path>,
    report: &mut Report,
) -> Result<(Loaded, Origin), LoadError> {
    let is_core = |symbol: &&Symbol| symbol.mark == Mark::Core;
    let required = library.symbols().iter().filter(is_core);
    let optional = library.symbols().iter().filter(|symbol| !is_core(symbol));
    let remedy = match library {
        Library::Hal => "install the Ascend driver, or put its lib64/driver folder into LD_LIBRARY_PATH",
        _ => "install the CANN toolkit and source its set_env.sh, or set the path",
    };
    let wanted = LibrarySpec {
        interface: INTERFACE,
        remedy: remedy.to_owned(),
        candidates: search.candidates(library, simulator),
        required: required.map(|symbol| Function { name: symbol.name, since: symbol.since.text() }).collect(),
        optional: optional.map(|symbol| symbol.name).collect(),
        oldest: Some(OLDEST),
        ask: if library == Library::Acl { query_acl } else { query_other },
        ..LibrarySpec::new(library.soname(), library.package())
    };
    let loaded = wanted.open(report)?;
    let missing = loaded.missing().iter().filter_map(|name| library.symbol(name)).collect();
    let (file, version) = (loaded.file().to_path_buf(), loaded.version());
    let simulator = simulator_of(loaded.handle());
    Ok((loaded, Origin { library, file, version, simulator, missing }))
}

fn query_acl(handle: &Handle) -> LibraryFacts {
    LibraryFacts { version: version_of(handle), ..query_other(handle) }
}

fn query_other(handle: &Handle) -> LibraryFacts {
    let note = simulator_of(handle).map(|version| format!("simulator {version}"));
    LibraryFacts { version: None, note }
}

/// Queries `aclrtGetVersion`, which needs neither initialization nor a device.
fn version_of(handle: &Handle) -> Option<Version> {
    type GetVersion = unsafe extern "C" fn(*mut i32, *mut i32, *mut i32) -> c_int;
    // SAFETY: the type matches the function of this name.
    let function = unsafe { handle.get::<GetVersion>(b"aclrtGetVersion\0") }.ok()?;
    let [mut major, mut minor, mut patch] = [0; 3];
    // SAFETY: the three pointers point to local integers.
    let code = unsafe { function(&raw mut major, &raw mut minor, &raw mut patch) };
    (code == 0).then(|| version(major, minor, patch))
}

/// A version as ACL counts: in signed numbers.
pub(crate) fn version(major: i32, minor: i32, patch: i32) -> Version {
    let [major, minor, patch] = [major, minor, patch].map(|number| u32::try_from(number).unwrap_or(0));
    Version { major, minor, patch }
}

/// Returns the version text of the simulator; real libraries lack the function.
fn simulator_of(handle: &Handle) -> Option<String> {
    type SimulatorVersion = unsafe extern "C" fn() -> *const c_char;
    // SAFETY: the type matches the function of this name.
    let function = unsafe { handle.get::<SimulatorVersion>(b"ascsim_version\0") }.ok()?;
    // SAFETY: the function takes nothing and may be called at any time.
    let text = unsafe { function() };
    if text.is_null() {
        return Some(String::new());
    }
    // SAFETY: the function gives a C string that lives as long as the library.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Makes the table of a library. `table` is the constructor that goes with it.
fn resolve<T>(
    (loaded, origin): (Loaded, Origin),
    table: unsafe fn(Handle) -> Result<T, libloading::Error>,
) -> Result<(T, Origin), LoadError> {
    // SAFETY: the constructor only resolves symbols; `open_all` pairs each library with the table of its
    // header.
    match unsafe { table(loaded.into_handle()) } {
        Ok(table) => Ok((table, origin)),
        Err(error) => {
            let reason = Reason::Refused { path: origin.file, text: error.to_string() };
            Err(error_of(origin.library, reason))
        }
    }
}

#[cold]
fn error_of(library: Library, reason: Reason) -> LoadError {
    LoadError::new(library.soname(), library.package(), INTERFACE, reason)
}
