// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Places where a library may be.

use std::path::PathBuf;

/// The place of [`Candidate::system`].
pub const SYSTEM: &str = "loader path";
/// The place of [`Candidate::loaded`] and [`Candidate::program`].
pub const PROGRAM: &str = "this process";

/// One thing that may be the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Why it is tried, for people: the name of a setting, [`SYSTEM`], [`PROGRAM`].
    pub place: &'static str,
    /// The file, or the bare name.
    pub path: PathBuf,
    pub(super) sort: CandidateKind,
}

/// Search strategy of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CandidateKind {
    /// At its path.
    File,
    /// By the loader of the system.
    System,
    /// Among the libraries that this process has loaded.
    Loaded,
    /// In the program and everything that is linked to it.
    Program,
}

impl Candidate {
    /// A file. A relative path counts from the working directory; the loader of the system would search for a
    /// name without any slash.
    pub fn file(place: &'static str, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let path = std::path::absolute(&path).unwrap_or(path);
        Self { place, path, sort: CandidateKind::File }
    }

    /// A name that the loader path of the system may have.
    pub fn system(name: &str) -> Self {
        Self { place: SYSTEM, path: name.into(), sort: CandidateKind::System }
    }

    /// A library that is already loaded in this process, by the name that it gives itself (its soname).
    /// Nothing is loaded that was not.
    pub fn loaded(name: &str) -> Self {
        Self { place: PROGRAM, path: name.into(), sort: CandidateKind::Loaded }
    }

    /// The program itself and the libraries that are linked to it. Not there when a required function is not.
    pub fn program() -> Self {
        Self { place: PROGRAM, path: "program".into(), sort: CandidateKind::Program }
    }
}
