// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels for AI CPUs. A JSON file lists them, each with the library that has it; the library lies beside
//! the file. It is built for the host, and its kernels run like kernels for other cores.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mf_base::os::descriptor;
use serde_json::Value;

use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// The library of the kernels that a file lists.
///
/// # Errors
/// 100003 without file or library · 100006 for another file, or kernels in several libraries.
pub(super) fn library_of(list: &Path) -> Outcome<PathBuf> {
    let shown = list.display();
    let text = descriptor::read(list).map_err(|e| {
        Fault::new(acl::INVALID_FILE, format_args!("cannot read the kernels of {shown}: {e}"))
    })?;
    let wrong = |why: &str| Fault::new(acl::PARSE_FILE, format_args!("{shown} {why}"));
    let Ok(Value::Object(kernels)) = serde_json::from_slice(&text) else {
        return Err(wrong("is not a JSON object of kernels"));
    };
    let libraries: Option<BTreeSet<&str>> =
        kernels.values().map(|kernel| kernel.pointer("/opInfo/kernelSo")?.as_str()).collect();
    let libraries = libraries.ok_or_else(|| wrong("has a kernel without opInfo.kernelSo"))?;
    let mut libraries = libraries.into_iter();
    let (Some(library), None) = (libraries.next(), libraries.next()) else {
        return Err(wrong("must name kernels of one library"));
    };
    let name = Path::new(library).file_name().ok_or_else(|| wrong("names a library without a file name"))?;
    let file = list.with_file_name(name);
    if !file.is_file() {
        let text = "is absent: on the simulator it must be built for the host";
        return Err(Fault::new(acl::INVALID_FILE, format_args!("{} {text}", file.display())));
    }
    Ok(file)
}
