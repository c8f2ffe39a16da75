// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Gives the library its SONAME, so that programs that link to it and programs that load it by path
//! share one copy.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The number in the SONAME, which grows when programs that are linked to the library must be linked anew.
/// scripts/install reads it here.
const SOVERSION: u32 = 0;

fn main() {
    let soname = format!("libmf_smem.so.{SOVERSION}");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{soname}");
    // Helper threads outlive a dlclose, so the code must stay.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=build.rs");
    // Programs that are linked in cargo's folder load the library by its SONAME there.
    if let Some(folder) = built_into()
        && let Err(error) = link(&folder.join(&soname))
    {
        println!("cargo:warning=no link {soname} in {}: {error}", folder.display());
    }
}

/// Returns the folder of the libraries, from this script's folder FOLDER/build/PACKAGE/out.
fn built_into() -> Option<PathBuf> {
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    let build = out.ancestors().nth(2)?;
    if build.file_name()? == "build" { build.parent().map(Path::to_path_buf) } else { None }
}

/// Makes the link, also in the place of an older one.
fn link(name: &Path) -> io::Result<()> {
    match fs::remove_file(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    symlink("libmf_smem.so", name)
}
