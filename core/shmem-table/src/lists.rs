// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lists of names, and the table of functions in the documentation.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::{Release, Row, cann, openshmem};

/// Returns the symbols that the library exports for OpenSHMEM: all functions and their twins.
pub fn openshmem_symbols() -> BTreeSet<String> {
    let functions = openshmem::rows().flat_map(Row::functions);
    functions.flat_map(|function| [function.symbol(), function.twin_symbol()]).collect()
}

/// Returns the symbols of all CANN SHMEM releases.
pub fn cann_symbols() -> BTreeSet<String> {
    cann::rows().flat_map(Row::functions).map(|function| function.name).collect()
}

/// Returns the symbols that the library exports for CANN SHMEM.
pub fn cann_library_symbols() -> BTreeSet<String> {
    cann::in_library().flat_map(Row::functions).map(|function| function.name).collect()
}

/// Returns every function of OpenSHMEM, a line each: the release, `-` or `deprecated`, the prototype.
pub fn openshmem_prototypes() -> String {
    let lines = openshmem::rows().flat_map(Row::functions).map(|function| {
        let deprecated = if function.row.is_deprecated { "deprecated" } else { "-" };
        let release = function.row.first.name();
        format!("{release} | {deprecated} | {}\n", function.prototype(&function.name))
    });
    lines.collect()
}

/// Returns every function of CANN SHMEM, a line each: the releases that declare it, the prototype.
pub fn cann_prototypes() -> String {
    let lines = cann::rows().flat_map(Row::functions).map(|function| {
        let releases = between(function.row.first, function.row.last);
        format!("{releases} | {}\n", function.prototype(&function.name))
    });
    lines.collect()
}

/// Returns the page of the documentation about the functions of OpenSHMEM.
pub fn openshmem_documentation() -> String {
    let rows: Vec<&Row> = openshmem::rows().collect();
    let legend = "The functions that `shmem.h` of OpenSHMEM declares; [openshmem.md](openshmem.md) is the guide. `NAME` and `T` \
                  are the name and the type of an element (`long` and `long`, `uchar` and `unsigned char`, or a size in \
                  bits), `{a,b}` is a or b, `[a]` a or nothing; with `ctx_` the first argument is a `shmem_ctx_t`. `habit`: \
                  a name of programs from before the standard.";
    page("# OpenSHMEM", legend, &rows)
}

/// Returns the page of the documentation about the functions of CANN SHMEM that the library has.
pub fn cann_documentation() -> String {
    let rows: Vec<&Row> = cann::in_library().collect();
    let legend = "The functions of the host that the library has; [cann-shmem.md](cann-shmem.md) is the guide. `NAME` and `T` are \
                  the name and the type of an element, or a size in bits, `{a,b}` is a or b, `[a]` a or nothing. Generations: \
                  G0 to November 2025, G1 12 December 2025, G2a, G2b and G2c 18, 20 and 25 December 2025, then releases; \
                  HEAD is 1.7.0; `habit` are our own.";
    page("# CANN SHMEM", legend, &rows)
}

fn page(title: &str, legend: &str, rows: &[&'static Row]) -> String {
    let count: usize = rows.iter().map(|row| row.functions().len()).sum();
    let mut page = format!(
        "<!-- Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. -->\n\
         {title}: {count} functions\n\n{legend}\n\n| functions | number | in | effect |\n|---|---|---|---|\n"
    );
    for row in rows {
        let count = row.functions().len();
        let releases = between(row.first, row.last);
        let deprecated = if row.is_deprecated { ", deprecated" } else { "" };
        let doc = row.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "| `{}` | {count} | {releases}{deprecated} | {doc} |", row.pattern);
    }
    page
}

fn between(first: Release, last: Release) -> String {
    match (first, last) {
        // A function of one release of the standard is kept by its successors.
        (Release::Standard1_5 | Release::Standard1_6, _) => first.name().to_owned(),
        _ if first == last => first.name().to_owned(),
        _ => format!("{}..{}", first.name(), last.name()),
    }
}
