// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writes the lists of symbols and the C tests of all functions of OpenSHMEM and CANN SHMEM into a folder:
//! `shmem_c_tests FOLDER`. `tests/c/run.sh` compiles them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use mf_shmem_table::header::cann::of_december;
use mf_shmem_table::{Release, cann, checks, entries, lists};

fn lines(names: BTreeSet<String>) -> String {
    names.into_iter().fold(String::new(), |text, name| text + &name + "\n")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: shmem_c_tests FOLDER")?);
    let plain = entries::entries().into_iter().map(|entry| entry.name).collect();
    for (name, text) in [
        ("openshmem/symbols.txt", lines(lists::openshmem_symbols())),
        ("openshmem/plain_names.txt", lines(plain)),
        ("openshmem/functions.c", checks::page()),
        ("cann_shmem/symbols.txt", lines(lists::cann_library_symbols())),
        ("cann_shmem/functions_head.c", checks::cann_page("OF_TODAY", cann::in_header(Release::Head))),
        ("cann_shmem/functions_g0.c", checks::cann_page("OF_G0", cann::in_header(Release::G0))),
        ("cann_shmem/functions_g2.c", checks::cann_page("OF_DECEMBER", of_december())),
    ] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}
