// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `docs/shmem-device-functions.md` is written from the headers of CANN SHMEM for kernels. This test
//! compares it; with `MF_TEST_REGENERATE=1` it writes it (`scripts/regen_docs`).
//!
//! ```text
//!   header ── c++ -E ── functions, each with its line ──┬── rows
//!   header as it is ── comment over the line, or its macro ┘
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test ends where it fails")]

mod comments;
mod functions;
mod types;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use comments::Header;
use functions::Function;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Preprocesses the headers as CANN's compiler for A2 and A3 of 2026 does; returns `None` without a compiler.
fn preprocessed() -> Option<String> {
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let mut command = Command::new(&compiler);
    command.args([
        "-std=c++17",
        "-E",
        "-DCANN_GENERATION=26",
        "-D__NPU_ARCH__=2201",
        "-DMF_ONE_ADDRESS_SPACE",
        "-DUSE_SIMT",
    ]);
    for folder in ["tests/signatures/standin", "include", "include/shmem"] {
        command.arg("-I").arg(here().join(folder));
    }
    // Qualifiers stay words.
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference.cpp");
    std::fs::write(
        &source,
        "#include \"device/shmem_device_def.h\"\n#undef ACLSHMEM_DEVICE\n#undef ACLSHMEM_DEVICE_SIMT\n#define ACLSHMEM_DEVICE_SIMT ACLSHMEM_DEVICE\n#undef __gm__\n#undef __ubuf__\n#include \"shmem.h\"\n",
    )
    .unwrap();
    let output = match command.arg(&source).output() {
        Ok(output) => output,
        Err(error) => {
            println!(
                "skip the reference of shmem.h: no C++ compiler {}: {error}",
                Path::new(&compiler).display()
            );
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A row of the page: functions that differ in the type of their elements alone.
struct Row {
    signature: String,
    comment: String,
    types: Vec<String>,
}

/// The rows of a header, in the order of the first function of each.
fn rows(header: &Header, functions: &[Function]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for function in functions {
        let (signature, element) = types::generic(&function.signature);
        let comment = header.comment_over(function.line);
        if let Some(row) = rows.iter_mut().find(|row| row.signature == signature) {
            row.types.extend(element.filter(|element| !row.types.contains(element)));
        } else {
            rows.push(Row { signature, comment, types: element.into_iter().collect() });
        }
    }
    rows
}

fn page() -> Option<String> {
    let folder = here().join("include/shmem");
    let text = preprocessed()?;
    let mut page = String::from(
        "<!-- Generated from the headers in device-kernels/include/shmem by scripts/regen_docs; do not edit. -->\n\
         # CANN SHMEM in kernels: functions\n\n\
         What `#include \"shmem.h\"` declares for kernels, by header. `NAME` and `TYPE` stand for the types in the last column, `BITS`\n\
         for widths; `gm` is a pointer to global memory, `ub` one to the unified buffer. How they are used is in\n\
         [shmem-kernels.md](shmem-kernels.md).\n",
    );
    let mut count = 0;
    for path in headers(&text, &folder) {
        let header = Header::read(&path);
        let functions = functions::of_header(&text, &path);
        let rows = rows(&header, &functions);
        if rows.is_empty() {
            continue;
        }
        count += functions.len();
        let name = path.canonicalize().unwrap();
        let name = name.strip_prefix(folder.canonicalize().unwrap()).unwrap().display().to_string();
        write!(page, "\n## `{name}`\n\n{}\n\n| function | what | types |\n|---|---|---|\n", header.essay())
            .unwrap();
        for row in &rows {
            let (comment, types) = (row.comment.replace('|', "\\|"), types::listed(&row.types));
            writeln!(page, "| `{}` | {comment} | {types} |", row.signature).unwrap();
        }
        let aliases = header.aliases();
        if !aliases.is_empty() {
            writeln!(page, "\nOther names: {}.", aliases.join(", ")).unwrap();
        }
    }
    assert!(count > 500, "{count} functions were found in the headers");
    write!(page, "\n{count} functions.\n").unwrap();
    Some(page)
}

/// The headers below the folder, in the order in which they are read.
fn headers(text: &str, folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for (path, _) in text.lines().filter_map(functions::marker) {
        if path.starts_with(folder) && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_reference_of_shmem_for_kernels_is_current() {
    let Some(expected) = page() else { return };
    let path = here().join("../docs/shmem-device-functions.md");
    if std::env::var_os("MF_TEST_REGENERATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(present == expected, "docs/shmem-device-functions.md is out of date: run scripts/regen_docs");
}
