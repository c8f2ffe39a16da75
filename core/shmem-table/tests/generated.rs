// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The lists that are kept are those that the table makes; with `MF_TEST_REGENERATE=1` they are written anew
//! (`scripts/regen_shmem`).

use std::path::Path;

use mf_shmem_table::{exports, lists};

#[test]
fn lists_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lists");
    for (name, expected) in [
        ("openshmem.txt", lists::openshmem_prototypes()),
        ("cann.txt", lists::cann_prototypes()),
        ("functions.md", lists::documentation()),
        ("rows.rs", exports::rows()),
    ] {
        let path = folder.join(name);
        if std::env::var_os("MF_TEST_REGENERATE").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &expected).unwrap();
        }
        let present = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(present == expected, "{} is out of date: run scripts/regen_shmem", path.display());
    }
}
