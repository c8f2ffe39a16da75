// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The second compiler: `clang++`, for sources that the host's first one does not take.
//!
//! CANN's compiler is a Clang. GCC before 14 refuses explicit specialisations inside of classes, on which
//! template libraries of kernels are built; calls of functions of templates by argument-dependent lookup,
//! which C++17 lacks and Clang takes; and some options that its Makefiles give. Where GCC refuses a template,
//! Clang is asked, too.

use std::ffi::OsString;
use std::path::Path;

use super::host::Compiler;

/// Words of GCC, and its lack.
const REFUSED: [(&str, &str); 4] = [
    ("explicit specialization in non-namespace scope", "no explicit specialisations inside of classes"),
    ("did you mean \u{2018}AscendC::", "no lookup of templates by their arguments in C++17"),
    (" changes meaning of ", "one meaning of a name in all of a class"),
    ("unrecognized command-line option", "not all options of Clang"),
];
/// Words of GCC about a mistake in a template. Clang deduces some template arguments that GCC does not.
const TEMPLATE: &str = "In instantiation of ";
/// Versions of Debian's packages that have no plain name.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// The compiler for a source that the first one refused.
pub(super) struct Second {
    pub(super) compiler: Compiler,
    /// For the user.
    pub(super) note: String,
    /// The error to report if this compiler refuses the source, too. None: its own.
    pub(super) error: Option<String>,
}

/// Returns the compiler for a source that `first` refused with `error`.
///
/// # Errors
/// `error`, with the remedy if the language may be why and there is no compiler for it.
pub(super) fn after(first: &Compiler, error: String, source: &Path) -> Result<Second, String> {
    let lack = REFUSED.iter().find(|(words, _)| error.contains(words)).map(|(_, lack)| *lack);
    let name = first.command.to_string_lossy();
    let why = match lack {
        Some(lack) => format!("{name} has {lack}"),
        None if error.contains(TEMPLATE) => format!("{name} refuses a template of it"),
        None => return Err(error),
    };
    if first.is_named {
        return match lack {
            Some(_) => Err(format!("{error}\n{why}: set CXX to clang++ (Debian: apt-get install clang)")),
            None => Err(error),
        };
    }
    let versions = VERSIONS.rev().map(|version| format!("clang++-{version}"));
    let mut names = std::iter::once("clang++".to_owned()).chain(versions).map(OsString::from);
    let Some(compiler) = names.find_map(|name| Compiler::named(name).ok()) else {
        let if_right = if lack.is_some() { "" } else { "; Clang, as CANN's compiler, takes more of them" };
        return Err(format!("{error}\n{why}{if_right}; Debian: apt-get install clang, which is used then"));
    };
    let by = compiler.command.to_string_lossy();
    let note = format!("{}: compiled by {by}, because {why}\n", source.display());
    Ok(Second { compiler, note, error: lack.is_none().then_some(error) })
}
