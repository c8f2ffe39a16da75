// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Why a library cannot be used.

use std::fmt;
use std::path::PathBuf;

use super::{Library, Report, Symbol, Version};

/// A library that cannot be used: which, why, and what was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    library: Library,
    kind: LoadErrorKind,
    report: Report,
}

/// What is wrong with a library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// No place that was looked at has it.
    Absent,
    /// The file is of another machine.
    WrongArchitecture {
        /// The file.
        path: PathBuf,
        /// Its machine.
        found: String,
        /// The machine of this process.
        wanted: String,
    },
    /// The file is no library: a text, an archive, a download that was cut short.
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        what: String,
    },
    /// The library is there and something that it cannot do without is not.
    HalfInstalled {
        /// The library that is there.
        path: PathBuf,
        /// What is not: a library, or a symbol of another library.
        lacks: String,
        /// What the loader of the system said.
        text: String,
    },
    /// The loader of the system refuses the file for another reason.
    Refused {
        /// The file, or the name that was looked for.
        path: PathBuf,
        /// What the loader of the system said.
        text: String,
    },
    /// It is older than [`Version::OLDEST`].
    TooOld {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
    /// It lacks a function that is always needed.
    MissingSymbol {
        /// The file.
        path: PathBuf,
        /// Its version, when it says one.
        version: Option<Version>,
        /// The first symbol that it lacks.
        symbol: &'static Symbol,
        /// How many more it lacks.
        others: usize,
    },
}

impl LoadError {
    #[cold]
    pub(super) fn new(library: Library, kind: LoadErrorKind) -> Self {
        Self(Box::new(Inner { library, kind, report: Report::default() }))
    }

    pub(super) fn report_is(mut self, report: &Report) -> Self {
        self.0.report = report.clone();
        self
    }

    /// The library.
    pub fn library(&self) -> Library {
        self.0.library
    }

    /// What is wrong with it.
    pub fn kind(&self) -> &LoadErrorKind {
        &self.0.kind
    }

    /// Everything that was tried, for all libraries up to this error.
    pub fn report(&self) -> &Report {
        &self.0.report
    }

    /// Whether the library is simply not installed, as opposed to damaged or too old.
    pub fn is_absent(&self) -> bool {
        self.0.kind == LoadErrorKind::Absent
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (library, package) = (self.0.library, self.0.library.package());
        match &self.0.kind {
            LoadErrorKind::Absent if library == Library::Hal => write!(
                f,
                "{library} is not on the loader path; install {package}, or put its lib64/driver folder into LD_LIBRARY_PATH"
            ),
            LoadErrorKind::Absent => write!(
                f,
                "{library} is in none of the places that were looked at; install {package} and source its set_env.sh, or \
                 set the path"
            ),
            LoadErrorKind::WrongArchitecture { path, found, wanted } => write!(
                f,
                "{} is for {found}, and this process is {wanted}; install {package} for this machine",
                path.display()
            ),
            LoadErrorKind::NotALibrary { path, what } => {
                write!(f, "{} is not a shared library ({what}); install {package} again", path.display())
            }
            LoadErrorKind::HalfInstalled { path, lacks, text } => write!(
                f,
                "{} is there, but {lacks}, which goes with it, is not; complete the installation, or put the folder of what \
                 is missing into LD_LIBRARY_PATH ({text})",
                path.display()
            ),
            LoadErrorKind::Refused { path, text } => write!(f, "{} cannot be opened: {text}", path.display()),
            LoadErrorKind::TooOld { path, version } => write!(
                f,
                "{} is ACL {version}, and at least ACL {} is needed; update {package}",
                path.display(),
                Version::OLDEST
            ),
            LoadErrorKind::MissingSymbol { path, version, symbol, others } => {
                write!(f, "{library} ({}", path.display())?;
                if let Some(version) = version {
                    write!(f, ", ACL {version}")?;
                }
                write!(f, ") has no {}", symbol.name)?;
                if *others > 0 {
                    write!(f, " and lacks {others} more")?;
                }
                write!(f, "; {} has it: update {package}", symbol.since)
            }
        }
    }
}

impl std::error::Error for LoadError {}
