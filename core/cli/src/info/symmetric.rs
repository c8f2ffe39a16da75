// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The symmetric heap of an OpenSHMEM PE on this machine.

use std::path::{Path, PathBuf};

use mf_base::ByteLen;
use mf_base::os::process;
use mf_base::settings::{loaded, settings};
use mf_shmem::{CONTEXTS_MAX, TEAMS_MAX, default_heap_bytes, heap_bytes_of, info};
use serde_json::json;

use super::report::Fact;

/// The section of the report.
pub(super) fn summary() -> Vec<Fact> {
    let (major, minor) = info::VERSION;
    let mut facts = vec![Fact::text("OpenSHMEM", format!("{major}.{minor}"))];
    facts.extend(["libmf_smem.so", "liboshmem.so"].map(library));
    facts.push(heap());
    if let Ok(loaded) = loaded() {
        let rows = ["MF_SHMEM_STATICS", "MF_SHMEM_ON_ERROR"]
            .map(|name| loaded.shown.iter().find(|setting| setting.key.name == name));
        facts.extend(rows.into_iter().flatten().map(|row| Fact::text(row.key.name, row.value.clone())));
    }
    // Without such pages a forked child and its parent could not be distinguished.
    let is_direct = process::emptied_in_children(1).is_some();
    let direct =
        if is_direct { "inlined" } else { "by a call: the kernel has no pages that are emptied in children" };
    facts.push(Fact::with_text("mapped memory", json!(is_direct), direct));
    facts.push(Fact::with_text("teams", json!(TEAMS_MAX), TEAMS_MAX.to_string()));
    facts.push(Fact::with_text("contexts", json!(CONTEXTS_MAX), CONTEXTS_MAX.to_string()));
    facts
}

/// Bytes of the heap, as it is set or for a PE that is alone on its host.
fn heap() -> Fact {
    let set = settings().map(|settings| settings.symmetric_size.as_str()).unwrap_or_default();
    if set.is_empty() {
        let bytes = default_heap_bytes(process::memory_bytes(), 1);
        let shown = format!("{}, divided by the PEs of this host; not set", ByteLen(bytes));
        return Fact::with_text("heap of a PE", json!(bytes), shown);
    }
    match heap_bytes_of(set) {
        Ok(bytes) => Fact::with_text("heap of a PE", json!(bytes), ByteLen(bytes).to_string()),
        Err(error) => Fact::text("heap of a PE", error.to_string()),
    }
}

/// Path of a library that belongs to this program.
fn library(name: &str) -> Fact {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places: [PathBuf; 2] = [folder.join(name), folder.join("../lib").join(name)];
    match places.iter().find_map(|file| file.canonicalize().ok()) {
        Some(file) => Fact::text(name, file.display().to_string()),
        None => Fact::with_text(name, json!(null), format!("not beside {} nor in ../lib", program.display())),
    }
}
