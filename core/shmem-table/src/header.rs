// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Declarations in C.

pub mod cann;

use std::fmt::Write as _;

use crate::cann as table_of_cann;
use crate::{Function, Release, Row, generic, openshmem};

/// Prerequisites of the declarations of OpenSHMEM's functions, and the constants: types, labels, attributes.
///
/// Guarded, as several headers need it. Complex types have names, because C++ knows their spelling only as an
/// extension, and are left out if C has none.
const NEEDED: &str = include_str!("header/needed.h");

/// The names that a header declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Names of the standard: `shmem.h`.
    Standard,
    /// Their twins for profilers: `pshmem.h`.
    Twins,
    /// Names of additions as extensions, and our own extensions: `shmemx.h`.
    Extensions,
}

impl Names {
    /// Returns the name and the symbol of a function in this header; `None` if it is not declared there.
    fn of(self, function: &Function) -> Option<(String, String)> {
        match self {
            Self::Standard if function.is_own() => None,
            Self::Extensions if function.is_own() => Some((function.name.clone(), function.symbol())),
            Self::Standard => Some((function.name.clone(), function.symbol())),
            Self::Twins => Some((function.twin(), function.twin_symbol())),
            Self::Extensions => Some((function.extension()?, function.symbol())),
        }
    }
}

/// Error for programs that include both headers: these give different types and functions the same names.
const CLASH: &str = r#"#ifdef MF_CANN_SHMEM_H
#error "this file includes shmem.h of OpenSHMEM and shmem.h of CANN SHMEM: they have functions of the same names \
with different arguments. Move the calls of one of them into a file of its own; both may run in one process."
#endif
"#;

/// Returns a header of OpenSHMEM's functions.
pub fn page(names: Names) -> String {
    let guard = match names {
        Names::Standard => "MF_OPENSHMEM_SHMEM_H",
        Names::Twins => "MF_OPENSHMEM_PSHMEM_H",
        Names::Extensions => "MF_OPENSHMEM_SHMEMX_H",
    };
    let rows: String = openshmem::rows().map(|row| declared_row(row, names)).collect();
    let body = in_c(&rows);
    let generic = match names {
        Names::Standard => generic::page(),
        Names::Extensions => generic::extensions_page(),
        Names::Twins => String::new(),
    };
    let needed = NEEDED.replacen("/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n", "", 1);
    let needed = needed.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    format!("{TITLE}#ifndef {guard}\n#define {guard}\n\n{CLASH}\n{needed}\n{body}{generic}\n#endif\n")
}

/// The first lines of a generated file.
pub const TITLE: &str = "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n\
    /* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */\n";

/// Returns declarations of functions in C, also for C++.
fn in_c(declarations: &str) -> String {
    format!("#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{declarations}\n#ifdef __cplusplus\n}}\n#endif\n")
}

fn declared_row(row: &'static Row, names: Names) -> String {
    let (mut plain, mut complex) = (String::new(), String::new());
    for function in row.functions() {
        let Some((name, symbol)) = names.of(&function) else { continue };
        let before = if row.is_noreturn { "MF_SHMEM_NORETURN " } else { "" };
        let behind = if row.is_deprecated { " MF_SHMEM_DEPRECATED" } else { "" };
        let part = if function.is_complex() { &mut complex } else { &mut plain };
        *part += &format!("{before}{} MF_SHMEM_SYMBOL(\"{symbol}\"){behind};\n", function.prototype(&name));
    }
    if !complex.is_empty() {
        complex = format!("#ifdef MF_SHMEM_COMPLEX\n{complex}#endif\n");
    }
    if plain.is_empty() && complex.is_empty() {
        return plain;
    }
    format!("\n{}{plain}{complex}", comment(row))
}

/// Returns the declarations of one release of CANN SHMEM, where names are symbols.
pub fn of_release(release: Release) -> String {
    let mut text = String::new();
    for row in table_of_cann::rows().filter(|row| row.is_in(release)) {
        let _ = write!(text, "\n{}", comment(row));
        for function in row.functions() {
            let _ = writeln!(text, "{};", function.prototype(&function.name));
        }
    }
    in_c(&text)
}

/// Returns the documentation of a row.
fn comment(row: &Row) -> String {
    let lines: Vec<&str> = row.doc.lines().map(str::trim).collect();
    format!("/* {} */\n", lines.join("\n * "))
}
