// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Search and validation of driver libraries.
//!
//! 1. the explicit folder of the [`Search`];
//! 2. the installation that the vendor's variable names (`ROCM_PATH`, `MUSA_HOME`, `NEUWARE_HOME`);
//! 3. the loader path (`LD_LIBRARY_PATH`, the loader's cache).
//!
//! In each place the names of a vendor are tried in their order, and the first that is there decides.

use std::ffi::{CStr, c_char, c_int};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use mf_base::loader::{Candidate, Handle, LibraryFacts, LibrarySpec, LoadError, Report, Version};

use crate::operations::{NAMES, Operations, optional, required};
use crate::{Driver, Vendor};

/// The place of candidates in the explicit folder of the search.
pub const EXPLICIT: &str = "explicit path";

/// Folders to search for drivers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// A folder that has the libraries. Searched first.
    pub explicit: Option<PathBuf>,
    /// Installations that variables name, by vendor.
    pub homes: [Option<PathBuf>; 4],
}

impl Search {
    /// The search that the environment asks for, without an explicit folder. Empty variables count as unset.
    pub fn from_environment() -> Self {
        let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = |vendor: Vendor| vendor.facts().home.and_then(|(name, _)| folder(name));
        Self { explicit: None, homes: Vendor::ALL.map(home) }
    }

    /// Searches `folder` first.
    #[must_use]
    pub fn explicit(mut self, folder: impl Into<PathBuf>) -> Self {
        self.explicit = Some(folder.into());
        self
    }

    fn candidates(&self, vendor: Vendor) -> Vec<Candidate> {
        let facts = vendor.facts();
        let mut folders = Vec::new();
        if let Some(folder) = &self.explicit {
            folders.push((EXPLICIT, folder.clone()));
        }
        if let (Some((name, inside)), Some(home)) = (facts.home, &self.homes[vendor.index()]) {
            folders.push((name, home.join(inside)));
        }
        let files = folders.iter().flat_map(|(place, folder)| {
            facts.files.iter().map(|file| Candidate::file(place, folder.join(file)))
        });
        files.chain(facts.files.iter().map(|file| Candidate::system(file))).collect()
    }
}

impl Vendor {
    /// Returns true if this process has already loaded the driver.
    pub fn is_loaded(self) -> bool {
        const LAZY_AND_NO_LOAD: c_int = 0x1 | 0x4;
        // SAFETY: nothing is loaded, so no initialiser runs.
        self.files().iter().any(|file| unsafe { Handle::open(Some(*file), LAZY_AND_NO_LOAD) }.is_ok())
    }
}

impl Driver {
    /// Finds and opens the driver of a vendor. Reads files and runs the initialisers of the library; calls
    /// none of its functions except version queries. Caches nothing.
    ///
    /// # Errors
    /// Why it cannot be used; the error carries the [`Report`].
    pub fn open(vendor: Vendor, search: &Search) -> Result<Self, LoadError> {
        let facts = vendor.facts();
        let wanted = LibrarySpec {
            interface: facts.name,
            candidates: search.candidates(vendor),
            required: required(vendor).into_iter().map(Into::into).collect(),
            optional: optional(vendor),
            oldest: facts.oldest,
            ask: match vendor {
                Vendor::Nvidia | Vendor::Moore => query_thousands,
                Vendor::Amd => query_hip,
                Vendor::Cambricon => query_note,
            },
            ..LibrarySpec::new(facts.files[0], facts.package)
        };
        let mut report = Report::default();
        let loaded = wanted.open(&mut report)?;
        let operations = Operations::resolve(&loaded, vendor).map_err(|error| error.with_report(&report))?;
        let simulator = simulator(loaded.handle());
        let (file, version) = (named(loaded.file(), facts.files), loaded.version());
        let missing = loaded.missing().to_vec();
        Ok(Self { vendor, operations, file, version, simulator, missing, report })
    }
}

/// Resolves the file by a name of its vendor: the loader identifies a library that several names link to by
/// the name it was first opened under.
fn named(file: &Path, names: &[&str]) -> PathBuf {
    let number = |file: &Path| std::fs::metadata(file).map(|facts| (facts.dev(), facts.ino())).ok();
    if names.iter().any(|name| file.ends_with(name)) {
        return file.to_path_buf();
    }
    let others = names.iter().map(|name| file.with_file_name(name));
    let own = number(file);
    others
        .into_iter()
        .find(|other| own.is_some() && number(other) == own)
        .unwrap_or_else(|| file.to_path_buf())
}

fn facts(version: Option<Version>, handle: &Handle) -> LibraryFacts {
    LibraryFacts { version, note: simulator(handle).map(|version| format!("simulator {version}")) }
}

/// CUDA and MUSA count 1000 × major + 10 × minor.
fn query_thousands(handle: &Handle) -> LibraryFacts {
    let names = [NAMES.version[Vendor::Nvidia.index()], NAMES.version[Vendor::Moore.index()]];
    let number = names.into_iter().find_map(|name| number(handle, name));
    facts(number.map(|number| Version::new(number / 1000, number % 1000 / 10)), handle)
}

/// HIP counts 10 000 000 × major + 100 000 × minor + patch.
fn query_hip(handle: &Handle) -> LibraryFacts {
    let number = number(handle, NAMES.version[Vendor::Amd.index()]);
    let version = number.map(|number| Version {
        major: number / 10_000_000,
        minor: number / 100_000 % 100,
        patch: number % 100_000,
    });
    facts(version, handle)
}

fn query_note(handle: &Handle) -> LibraryFacts {
    facts(None, handle)
}

/// The version that a library reports, as its number.
fn number(handle: &Handle, name: &str) -> Option<u32> {
    // SAFETY: the type matches the function's declaration in the public headers.
    let function =
        unsafe { handle.get::<unsafe extern "C" fn(*mut c_int) -> c_int>(name.as_bytes()) }.ok()?;
    let mut number: c_int = 0;
    // SAFETY: writes one number; may be called before the driver is initialised.
    let status = unsafe { function(&raw mut number) };
    u32::try_from(number).ok().filter(|number| status == 0 && *number > 0)
}

/// Returns the version text of the simulator, or `None` for a real library.
fn simulator(handle: &Handle) -> Option<String> {
    // SAFETY: the simulator's own function; no other library has one of this name.
    let function =
        unsafe { handle.get::<unsafe extern "C" fn() -> *const c_char>(b"gpusim_version") }.ok()?;
    // SAFETY: takes nothing and gives a string that is never freed.
    let text = unsafe { function() };
    // SAFETY: a C string of the simulator, which stays.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_search_prefers_folders_and_newer_names() {
        let mut search = Search::default().explicit("/explicit");
        search.homes[Vendor::Amd.index()] = Some("/rocm".into());
        let paths: Vec<String> =
            search.candidates(Vendor::Amd).iter().map(|c| c.path.display().to_string()).collect();
        assert_eq!(paths.len(), 12);
        assert_eq!(
            (paths[0].as_str(), paths[3].as_str()),
            ("/explicit/libamdhip64.so.7", "/explicit/libamdhip64.so")
        );
        assert_eq!(
            (paths[4].as_str(), paths[8].as_str()),
            ("/rocm/lib/libamdhip64.so.7", "libamdhip64.so.7")
        );
        let cuda: Vec<String> = Search::default()
            .candidates(Vendor::Nvidia)
            .iter()
            .map(|c| c.path.display().to_string())
            .collect();
        assert_eq!(cuda, ["libcuda.so.1"]);
    }
}
