// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The second compiler: `clang++`, for sources that the host's first one does not take.
//!
//! CANN's compiler is a Clang. GCC before 14 refuses explicit specialisations inside of classes, on which
//! template libraries of kernels are built; calls of functions of templates by argument-dependent lookup,
//! which C++17 lacks and Clang takes; and some options that its Makefiles give.

use std::ffi::OsString;
use std::path::Path;

use super::host::Compiler;

/// Words of GCC, and its lack.
const REFUSED: [(&str, &str); 3] = [
    ("explicit specialization in non-namespace scope", "no explicit specialisations inside of classes"),
    ("did you mean \u{2018}AscendC::", "no lookup of templates by their arguments in C++17"),
    ("unrecognized command-line option", "not all options of Clang"),
];
/// Versions of Debian's packages that have no plain name.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// The compiler for a source that `first` refused with `error`, and a note about it.
///
/// # Errors
/// `error`, with the remedy if the language is why and there is no compiler for it.
pub(super) fn after(first: &Compiler, error: String, source: &Path) -> Result<(Compiler, String), String> {
    let Some((_, lack)) = REFUSED.iter().find(|(words, _)| error.contains(words)) else { return Err(error) };
    let name = first.command.to_string_lossy();
    let why = format!("{name} has {lack}");
    if first.is_named {
        return Err(format!("{error}\n{why}: set CXX to clang++ (Debian: apt-get install clang)"));
    }
    let versions = VERSIONS.rev().map(|version| format!("clang++-{version}"));
    let mut names = std::iter::once("clang++".to_owned()).chain(versions).map(OsString::from);
    match names.find_map(|name| Compiler::named(name).ok()) {
        Some(second) => {
            let by = second.command.to_string_lossy();
            let note = format!("{}: compiled by {by}, because {why}\n", source.display());
            Ok((second, note))
        }
        None => Err(format!("{error}\n{why}; Debian: apt-get install clang, which is used then")),
    }
}
