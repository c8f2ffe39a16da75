// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Why a library cannot be used.

use std::fmt;
use std::path::PathBuf;

use super::{Function, Report, Version};

/// A library that cannot be used: its name, the reason, and the files tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError(Box<LoadErrorInner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct LoadErrorInner {
    library: &'static str,
    package: &'static str,
    interface: &'static str,
    reason: Reason,
    report: Report,
}

/// Reason why a library cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// None of the searched places has it.
    Absent {
        /// Remedy, for people.
        remedy: String,
    },
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
        /// Kind of the file found instead.
        what: String,
    },
    /// The library is there and something that it cannot do without is not.
    HalfInstalled {
        /// The library that is there.
        path: PathBuf,
        /// The missing library, or the missing symbol of another library.
        lacks: String,
        /// The text of the system's loader.
        text: String,
    },
    /// The loader of the system refuses the file for another reason.
    Refused {
        /// The file, or the name that was searched.
        path: PathBuf,
        /// The text of the system's loader.
        text: String,
    },
    /// Its version is not one that is understood.
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: Version,
        /// The oldest that is understood.
        oldest: Option<Version>,
        /// The first that is not understood any more.
        below: Option<Version>,
    },
    /// It lacks a function that is always needed.
    MissingSymbol {
        /// The file.
        path: PathBuf,
        /// Its version, if it reports one.
        version: Option<Version>,
        /// The first function that it lacks.
        function: Function,
        /// Number of further missing functions.
        others: usize,
    },
}

impl LoadError {
    /// Creates an error of this library. `package` installs it; its version numbers count `interface`.
    #[cold]
    pub fn new(
        library: &'static str,
        package: &'static str,
        interface: &'static str,
        reason: Reason,
    ) -> Self {
        Self(Box::new(LoadErrorInner { library, package, interface, reason, report: Report::default() }))
    }

    /// The same error with everything that was tried until now.
    #[must_use]
    pub fn with_report(mut self, report: &Report) -> Self {
        self.0.report = report.clone();
        self
    }

    /// The library.
    pub fn library(&self) -> &'static str {
        self.0.library
    }

    /// Returns the reason.
    pub fn reason(&self) -> &Reason {
        &self.0.reason
    }

    /// Everything that was tried, for all libraries up to this error.
    pub fn report(&self) -> &Report {
        &self.0.report
    }

    /// Returns true if the library is simply not installed, as opposed to damaged or of a wrong version.
    pub fn is_absent(&self) -> bool {
        matches!(self.0.reason, Reason::Absent { .. })
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoadErrorInner { library, package, interface, reason, .. } = &*self.0;
        match reason {
            Reason::Absent { remedy } => {
                write!(f, "{library} was not found in any of the searched places; {remedy}")
            }
            Reason::WrongArchitecture { path, found, wanted } => write!(
                f,
                "{} is for {found}, and this process is {wanted}; install {package} for this machine",
                path.display()
            ),
            Reason::NotALibrary { path, what } => {
                write!(f, "{} is not a shared library ({what}); install {package} again", path.display())
            }
            Reason::HalfInstalled { path, lacks, text } => write!(
                f,
                "{} is there, but {lacks}, which goes with it, is not; complete the installation, or put the folder of what \
                 is missing into LD_LIBRARY_PATH ({text})",
                path.display()
            ),
            Reason::Refused { path, text } => write!(f, "{} cannot be opened: {text}", path.display()),
            Reason::WrongVersion { path, version, oldest, below } => {
                write!(f, "{} is {interface} {version}, and ", path.display())?;
                match (oldest, below) {
                    (Some(oldest), _) if version < oldest => {
                        write!(f, "at least {interface} {oldest} is needed; update {package}")
                    }
                    (_, Some(below)) => write!(f, "a version before {interface} {below} is needed"),
                    _ => f.write_str("another one is needed"),
                }
            }
            Reason::MissingSymbol { path, version, function, others } => {
                write!(f, "{library} ({}", path.display())?;
                if let Some(version) = version {
                    write!(f, ", {interface} {version}")?;
                }
                write!(f, ") has no {}", function.name)?;
                if *others > 0 {
                    write!(f, " and lacks {others} more")?;
                }
                match function.since {
                    "" => write!(f, "; update {package}"),
                    since => write!(f, "; {since} has it: update {package}"),
                }
            }
        }
    }
}

impl std::error::Error for LoadError {}
