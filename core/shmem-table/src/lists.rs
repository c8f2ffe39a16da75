// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lists of names, and the table of functions in the documentation.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::openshmem::Part;
use crate::{Release, Row, cann, openshmem};

/// What the library exports for OpenSHMEM: the symbols of all functions and of their twins.
pub fn openshmem_symbols(part: Part) -> BTreeSet<String> {
    let functions = part.rows().flat_map(Row::functions);
    functions.flat_map(|function| [function.symbol(), function.twin_symbol()]).collect()
}

/// What the library exports for CANN SHMEM: the names of all releases.
pub fn cann_symbols() -> BTreeSet<String> {
    cann::rows().flat_map(Row::functions).map(|function| function.name).collect()
}

/// Every function of OpenSHMEM, a line each: the release, `-` or `deprecated`, the prototype.
pub fn openshmem_prototypes() -> String {
    let lines = openshmem::rows().flat_map(Row::functions).map(|function| {
        let deprecated = if function.row.is_deprecated { "deprecated" } else { "-" };
        let release = function.row.first.name();
        format!("{release} | {deprecated} | {}\n", function.prototype(&function.name))
    });
    lines.collect()
}

/// Every function of CANN SHMEM, a line each: the releases that declare it, the prototype.
pub fn cann_prototypes() -> String {
    let lines = cann::rows().flat_map(Row::functions).map(|function| {
        let releases = between(function.row.first, function.row.last);
        format!("{releases} | {}\n", function.prototype(&function.name))
    });
    lines.collect()
}

/// The table of functions in the documentation, row by row.
pub fn documentation() -> String {
    let mut page = String::new();
    for (title, rows) in [
        ("OpenSHMEM", openshmem::rows().collect::<Vec<_>>()),
        ("CANN SHMEM", cann::rows().collect::<Vec<_>>()),
    ] {
        let count: usize = rows.iter().map(|row| row.functions().len()).sum();
        let _ = write!(page, "## {title}: {count} functions\n\n");
        page += "| functions | | in | what |\n|---|---|---|---|\n";
        for row in rows {
            let count = row.functions().len();
            let releases = between(row.first, row.last);
            let deprecated = if row.is_deprecated { ", deprecated" } else { "" };
            let doc = row.doc.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(page, "| `{}` | {count} | {releases}{deprecated} | {doc} |", row.pattern);
        }
        page.push('\n');
    }
    page
}

fn between(first: Release, last: Release) -> String {
    match (first, last) {
        // What a release of the standard has, its successors keep.
        (Release::Standard1_5 | Release::Standard1_6, _) => first.name().to_owned(),
        _ if first == last => first.name().to_owned(),
        _ => format!("{}..{}", first.name(), last.name()),
    }
}
