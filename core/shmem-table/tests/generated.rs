// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compares the committed texts with newly generated ones; with `MF_TEST_REGENERATE=1` writes them
//! (`scripts/regen_shmem`).

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::path::Path;

use mf_shmem_table::header::{self, Names};
use mf_shmem_table::{exports, lists};

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

/// FNV-1a: the digest of a text, the same on every machine.
fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Prototypes of all releases, also of those that no header declares any more.
#[test]
fn prototypes_are_unchanged() {
    let found = [lists::openshmem_prototypes(), lists::cann_prototypes()]
        .map(|text| (text.lines().count(), digest(&text)));
    assert_eq!(
        found,
        [(1892, 0xde83_4578_8ac9_35a0), (553, 0x5c86_fab5_eb66_c34f)],
        "a row changed: write the new digest here if that is intended"
    );
}

#[test]
fn headers_rows_and_pages_are_current() {
    for (path, text) in header::cann::pages() {
        compare("../capi/include", &[(path.as_str(), text)]);
    }
    compare(
        "..",
        &[
            ("capi/include/openshmem/shmem.h", header::page(Names::Standard)),
            ("capi/include/openshmem/pshmem.h", header::page(Names::Twins)),
            ("capi/include/openshmem/shmemx.h", header::page(Names::Extensions)),
            ("capi/src/shmem/openshmem/rows.rs", exports::openshmem_rows()),
            ("../docs/cann-shmem-functions.md", lists::cann_documentation()),
            ("capi/src/shmem/cann/rows.rs", exports::cann_rows()),
            ("../docs/openshmem-functions.md", lists::openshmem_documentation()),
        ],
    );
}
