// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The headers of CANN SHMEM: declarations that use the types of hand-written headers.

use std::fmt::Write as _;

use super::{TITLE, comment, in_c};
use crate::{Function, Release, Row, aliases, cann};

/// The present headers, and the groups that each declares.
const OF_TODAY: [(&str, &[&str]); 9] = [
    ("host/init/shmem_host_init.h", &["begin and end", "additions"]),
    ("host/mem/shmem_host_heap.h", &["heap"]),
    ("host/team/shmem_host_team.h", &["teams"]),
    ("host/data_plane/shmem_host_rma.h", &["RMA", "engines", "on streams"]),
    ("host/data_plane/shmem_host_so.h", &["signals"]),
    ("host/data_plane/shmem_host_cc.h", &["barriers", "barriers of teams"]),
    ("host/data_plane/shmem_host_p2p_sync.h", &["wait/test"]),
    ("host/utils/shmem_log.h", &["log and profile"]),
    ("host/utils/shmem_host_exception.h", &["exceptions"]),
];

/// Returns every generated header, by its path.
pub fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = OF_TODAY
        .iter()
        .map(|(path, groups)| {
            let rows = cann::in_header(Release::Head).filter(|row| groups.contains(&row.group));
            let up = "../".repeat(path.matches('/').count() - 1);
            (path.to_string(), page(path, &[format!("{up}shmem_host_def.h")], &declarations(rows)))
        })
        .collect();
    pages.push((
        "shmem_api.h".to_owned(),
        page(
            "shmem_api.h",
            &["host_device/shmem_types.h".to_owned()],
            &declarations(cann::in_header(Release::G0)),
        ),
    ));
    pages.push((
        "aclshmem.h".to_owned(),
        page("aclshmem.h", &["shmem.h".to_owned()], &declarations(of_december())),
    ));
    pages.push((
        "host/shmem_host_names.h".to_owned(),
        page("host/shmem_host_names.h", &["shmem_host_def.h".to_owned()], &aliases::macros_in_library()),
    ));
    pages
}

/// Returns the rows of the December 2025 headers that the present ones have under no name.
pub fn of_december() -> impl Iterator<Item = &'static Row> {
    let known = aliases::aliases();
    let is_gone = move |row: &&'static Row| {
        let of_g1 = row.first <= Release::G1 && row.last == Release::G1;
        let is_second = row.first > Release::G1 && row.last < Release::V1_0;
        is_second || of_g1 && row.functions().iter().all(|function| !known.contains_key(&function.name))
    };
    cann::in_library().filter(is_gone)
}

fn page(path: &str, includes: &[String], body: &str) -> String {
    let guard: String =
        path.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    let guard = format!("MF_CANN_{guard}");
    let includes: String = includes.iter().map(|name| format!("#include \"{name}\"\n")).collect();
    format!("{TITLE}#ifndef {guard}\n#define {guard}\n\n{includes}\n{body}\n#endif\n")
}

fn declarations(rows: impl Iterator<Item = &'static Row>) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = write!(text, "\n{}", comment(row));
        for function in row.functions() {
            let _ = writeln!(text, "{};", prototype(&function));
        }
    }
    if text.is_empty() { String::new() } else { in_c(&text) }
}

/// Returns the prototype, with default arguments in C++.
fn prototype(function: &Function) -> String {
    let text = function.prototype(&function.name);
    text.replace(
        "aclshmem_mem_type_t mem_type)",
        "aclshmem_mem_type_t mem_type MF_ACLSHMEM_DEFAULT(DEVICE_SIDE))",
    )
}
