// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compares the committed texts with newly generated ones; with `MF_TEST_REGENERATE=1` writes them
//! (`scripts/regen_shmem`).

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::path::Path;

use mf_shmem_table::header::{self, Names};
use mf_shmem_table::{Release, cann, checks, entries, exports, lists};

/// Compares files below a folder with the expected texts.
fn compare(folder: &str, texts: &[(&str, String)]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for (name, expected) in texts {
        let path = folder.join(name);
        if std::env::var_os("MF_TEST_REGENERATE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, expected).unwrap();
        }
        let present = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(present == *expected, "{} is out of date: run scripts/regen_shmem", path.display());
    }
}

#[test]
fn lists_are_current() {
    compare(
        "lists",
        &[("openshmem.txt", lists::openshmem_prototypes()), ("cann.txt", lists::cann_prototypes())],
    );
}

#[test]
fn what_the_library_is_made_of_is_current() {
    let of_cann: String = lists::cann_library_symbols().into_iter().map(|name| name + "\n").collect();
    for (path, text) in header::cann::pages() {
        compare("../capi/include", &[(path.as_str(), text)]);
    }
    let symbols: String = lists::openshmem_symbols().into_iter().map(|name| name + "\n").collect();
    compare(
        "..",
        &[
            ("capi/include/openshmem/shmem.h", header::page(Names::Standard)),
            ("capi/include/openshmem/pshmem.h", header::page(Names::Twins)),
            ("capi/include/openshmem/shmemx.h", header::page(Names::Extensions)),
            ("capi/include/openshmem/symbols.txt", symbols),
            ("capi/src/shmem/openshmem/rows.rs", exports::openshmem_rows()),
            ("capi/include/host/symbols.txt", of_cann),
            ("../docs/cann-shmem-functions.md", lists::cann_documentation()),
            (
                "../tests/c/cann_shmem/functions_head.c",
                checks::cann_page("OF_TODAY", cann::in_header(Release::Head)),
            ),
            (
                "../tests/c/cann_shmem/functions_g0.c",
                checks::cann_page("OF_G0", cann::in_header(Release::G0)),
            ),
            (
                "../tests/c/cann_shmem/functions_g2.c",
                checks::cann_page("OF_DECEMBER", header::cann::of_december()),
            ),
            ("capi/src/shmem/cann/rows.rs", exports::cann_rows()),
            ("oshmem/entries.S", entries::assembly()),
            ("../tests/c/openshmem/functions.c", checks::page()),
            ("../docs/openshmem-functions.md", lists::openshmem_documentation()),
        ],
    );
}
