// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The floors below the families serve all of them, and the symmetric heap two: neither their errors nor
//! their code name a function, a type or a constant of one.

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::path::{Path, PathBuf};

const FLOORS: [&str; 5] = ["base", "store", "fabric", "job", "shmem"];
/// Prefixes of the families' names.
const FAMILIES: [&str; 9] =
    ["smem_", "mfx_", "shmem_", "shmemx_", "aclshmem", "hmc_", "hybm_", "SMEMB_", "SMEMS_"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn lower_layers_name_no_family() {
    let mut files = Vec::new();
    for floor in FLOORS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(floor).join("src");
        sources(&folder, &mut files);
    }
    assert!(files.len() > 100, "{} files are not all floors", files.len());
    let mut named = Vec::new();
    for file in files {
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let mut words = line.split(|character: char| !character.is_alphanumeric() && character != '_');
            if words.any(|word| FAMILIES.iter().any(|family| word.starts_with(family))) {
                named.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(named.is_empty(), "the layer of the family adds such names:\n{}", named.join("\n"));
}
