// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A library as it is wanted, and as it is found.

use std::ffi::c_void;
use std::path::{Path, PathBuf};

use super::candidate::CandidateKind;
use super::open::{address_of, file_of, file_of_address, open};
use super::{Attempt, Candidate, Handle, LoadError, Outcome, Reason, Report, Version};

/// Description of a library to open.
#[derive(Clone, Debug)]
pub struct LibrarySpec {
    /// Its name, for people: the soname.
    pub library: &'static str,
    /// The package that installs it, for people: `the CANN toolkit`.
    pub package: &'static str,
    /// The interface that its version counts, for people: `ACL`.
    pub interface: &'static str,
    /// Remedy when it is not found, for people.
    pub remedy: String,
    /// Possible places, best first.
    pub candidates: Vec<Candidate>,
    /// Functions without which it is not used.
    pub required: Vec<Function>,
    /// Functions that are used when they are there.
    pub optional: Vec<&'static str>,
    /// The oldest version that is understood.
    pub oldest: Option<Version>,
    /// The first version that is not understood any more.
    pub below: Option<Version>,
    /// Queries an opened library. Calls only functions that may be called at any time.
    pub ask: fn(&Handle) -> LibraryFacts,
}

/// A required function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// A release that has it, for people; empty: every one has it.
    pub since: &'static str,
}

impl From<&'static str> for Function {
    fn from(name: &'static str) -> Self {
        Self { name, since: "" }
    }
}

/// Facts that a library reports about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryFacts {
    /// The version of its interface, if it reports one.
    pub version: Option<Version>,
    /// Other facts for the report.
    pub note: Option<String>,
}

/// An opened library. It is never unloaded.
#[derive(Debug)]
pub struct Loaded {
    handle: Handle,
    library: &'static str,
    package: &'static str,
    interface: &'static str,
    file: PathBuf,
    facts: LibraryFacts,
    missing: Vec<&'static str>,
}

impl LibrarySpec {
    /// A library without places, functions or versions yet.
    pub fn new(library: &'static str, package: &'static str) -> Self {
        Self {
            library,
            package,
            interface: library,
            remedy: format!("install {package}"),
            candidates: Vec::new(),
            required: Vec::new(),
            optional: Vec::new(),
            oldest: None,
            below: None,
            ask: |_| LibraryFacts::default(),
        }
    }

    /// Opens the first candidate that is there, and judges it. Reads files and runs the initialisers of the
    /// library. Blocks as long as those do.
    ///
    /// # Errors
    /// Why the library cannot be used; a copy of `report`, to which every attempt is added, is in the error.
    pub fn open(&self, report: &mut Report) -> Result<Loaded, LoadError> {
        for candidate in &self.candidates {
            let taken =
                open(candidate).map(|opened| opened.and_then(|handle| self.check_opened(candidate, handle)));
            // A program without the functions was never linked to the library.
            let taken = taken.filter(|taken| {
                let is_other = matches!(taken, Err(Reason::MissingSymbol { .. }));
                candidate.sort != CandidateKind::Program || !is_other
            });
            let taken = taken.map(|taken| taken.map_err(|reason| self.error(reason)));
            let outcome = match &taken {
                None => Outcome::NotThere,
                Some(Err(error)) => Outcome::Unusable(error.to_string()),
                Some(Ok(loaded)) => loaded.outcome(),
            };
            let (place, path) = (candidate.place, candidate.path.clone());
            report.push(Attempt { library: self.library, place, path, outcome });
            if let Some(taken) = taken {
                return taken.map_err(|error| error.with_report(report));
            }
        }
        Err(self.error(Reason::Absent { remedy: self.remedy.clone() }).with_report(report))
    }

    /// Checks version and functions of an opened library.
    fn check_opened(&self, candidate: &Candidate, handle: Handle) -> Result<Loaded, Reason> {
        let (handle, taken) = file_of(handle);
        let file = match candidate.sort {
            // The loader stores the first name by which a library was opened; where we named the file, that
            // name counts.
            CandidateKind::File => None,
            CandidateKind::System | CandidateKind::Loaded => taken,
            CandidateKind::Program => {
                let first = self.required.first().and_then(|function| address_of(&handle, function.name));
                first.and_then(|address| file_of_address(address.addr()))
            }
        };
        let path = file.unwrap_or_else(|| candidate.path.clone());
        let facts = (self.ask)(&handle);
        if let Some(version) = facts.version {
            let is_old = self.oldest.is_some_and(|oldest| version < oldest);
            if is_old || self.below.is_some_and(|below| version >= below) {
                let (oldest, below) = (self.oldest, self.below);
                return Err(Reason::WrongVersion { path, version, oldest, below });
            }
        }
        let is_missing = |name: &str| address_of(&handle, name).is_none();
        let mut required = self.required.iter().filter(|function| is_missing(function.name));
        if let Some(function) = required.next() {
            let (version, others) = (facts.version, required.count());
            return Err(Reason::MissingSymbol { path, version, function: *function, others });
        }
        let missing = self.optional.iter().copied().filter(|name| is_missing(name)).collect();
        let (library, package, interface) = (self.library, self.package, self.interface);
        Ok(Loaded { handle, library, package, interface, file: path, facts, missing })
    }

    #[cold]
    fn error(&self, reason: Reason) -> LoadError {
        LoadError::new(self.library, self.package, self.interface, reason)
    }
}

impl Loaded {
    /// The file that the loader of the system took.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The version of its interface, if it reports one.
    pub fn version(&self) -> Option<Version> {
        self.facts.version
    }

    /// The optional functions that it lacks.
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// A function, if the library exports it.
    ///
    /// # Safety
    /// `F` is the type of a pointer to the function of this name.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>(), "a pointer to a function") };
        let address = address_of(&self.handle, name)?;
        // SAFETY: of the size of a pointer by the line above, and of that type by the caller's contract.
        Some(unsafe { std::mem::transmute_copy::<*mut c_void, F>(&address) })
    }

    /// The error for a missing required function.
    #[cold]
    pub fn lacks(&self, name: &'static str) -> LoadError {
        let (path, version) = (self.file.clone(), self.facts.version);
        let reason = Reason::MissingSymbol { path, version, function: name.into(), others: 0 };
        LoadError::new(self.library, self.package, self.interface, reason)
    }

    /// The handle of the system's loader.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// The handle, for tables that other tools generate.
    pub fn into_handle(self) -> Handle {
        self.handle
    }

    fn outcome(&self) -> Outcome {
        let version = self.facts.version.map(|version| format!("{} {version}", self.interface));
        let (file, note) = (self.file.clone(), self.facts.note.clone());
        Outcome::Opened { file, version, note, lacks: self.missing.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(candidate: Candidate) -> LibrarySpec {
        LibrarySpec {
            candidates: vec![candidate],
            required: vec!["abs".into()],
            ..LibrarySpec::new("libx.so", "x")
        }
    }

    #[test]
    fn loaded_library_is_found_by_soname_without_loading_another() {
        let mut report = Report::default();
        let loaded = wanted(Candidate::loaded("libc.so.6")).open(&mut report).unwrap();
        assert!(loaded.file().ends_with("libc.so.6"), "{:?}", loaded.file());
        // On the loader path of every system with glibc, and linked to no Rust program.
        let error = wanted(Candidate::loaded("libBrokenLocale.so.1")).open(&mut report).unwrap_err();
        assert!(error.is_absent());
        let lines: Vec<String> = error.report().lines().collect();
        assert_eq!(lines[1], "libx.so: libBrokenLocale.so.1 (this process): not there");
    }

    #[test]
    fn the_program_is_a_candidate_only_when_it_has_the_functions() {
        let mut report = Report::default();
        let program = wanted(Candidate::program()).open(&mut report).unwrap();
        assert!(program.file().ends_with("libc.so.6"), "{:?}", program.file());
        let other = LibrarySpec { required: vec!["MPI_Init".into()], ..wanted(Candidate::program()) };
        let error = other.open(&mut report).unwrap_err();
        assert!(error.is_absent());
        assert!(error.to_string().contains("libx.so") && error.to_string().contains("install x"), "{error}");
    }

    #[test]
    fn versions_outside_the_range_are_refused_with_both_numbers() {
        fn seven(_: &Handle) -> LibraryFacts {
            LibraryFacts { version: Some(Version::new(7, 1)), note: None }
        }
        let asked = LibrarySpec { ask: seven, interface: "X", ..wanted(Candidate::system("libc.so.6")) };
        let mut report = Report::default();
        for (oldest, below, words) in [
            (Some(Version::new(8, 0)), None, "is X 7.1.0, and at least X 8.0.0 is needed; update x"),
            (None, Some(Version::new(7, 0)), "is X 7.1.0, and a version before X 7.0.0 is needed"),
        ] {
            let error = LibrarySpec { oldest, below, ..asked.clone() }.open(&mut report).unwrap_err();
            assert!(matches!(error.reason(), Reason::WrongVersion { .. }));
            assert!(error.to_string().contains(words), "{error}");
        }
        let (oldest, below) = (Some(Version::new(7, 1)), Some(Version::new(8, 0)));
        assert!(LibrarySpec { oldest, below, ..asked }.open(&mut report).is_ok());
    }

    #[test]
    fn missing_functions_are_counted_and_named() {
        let mut lacking = wanted(Candidate::system("libc.so.6"));
        lacking.optional = vec!["malloc", "no_such_function"];
        let mut report = Report::default();
        assert_eq!(lacking.open(&mut report).unwrap().missing(), ["no_such_function"]);
        lacking.required =
            vec!["abs".into(), Function { name: "no_such_function", since: "release 9" }, "nor_this".into()];
        let text = lacking.open(&mut report).unwrap_err().to_string();
        assert!(
            text.contains("has no no_such_function and lacks 1 more; release 9 has it: update x"),
            "{text}"
        );
    }
}
