// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The headers are valid C11 and C++17 and have the same layout as the bindings: both compilers assert the
//! numbers of `layout.rs`.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod fake;

use std::fmt::Write as _;

const HEADERS: [&str; 26] = [
    "acl.h",
    "hal.h",
    "rt.h",
    "hccl.h",
    "queue.h",
    "rdma.h",
    "acl_base.h",
    "acl_tensor.h",
    "acl_rt_types.h",
    "acl_rt_memory.h",
    "acl_rt_tasks.h",
    "acl_rt_device.h",
    "acl_graph.h",
    "acl_rt_allocator.h",
    "acl_mem_pool.h",
    "acl_platform.h",
    "acl_mdl.h",
    "acl_op.h",
    "acl_op_compiler.h",
    "acl_prof.h",
    "acl_dump.h",
    "acl_tdt.h",
    "acl_tdt_queue.h",
    "hccl_more.h",
    "hcomm.h",
    "super_kernel.h",
];
const UNIONS: [&str; 8] = [
    "aclrtMallocAttrValue",
    "aclrtStreamAttrValue",
    "aclrtBinaryLoadOptionValue",
    "aclrtLaunchKernelAttrValue",
    "IpAddr",
    "HcclConfigValue",
    "aclrtErrorInfoDetail",
    "aclrtUpdateTaskAttrVal",
];

/// Returns the texts between `start` and `)` in the layout tests, for each occurrence of `start`.
fn invocations(start: &str) -> Vec<&'static str> {
    let texts = [include_str!("layout.rs"), include_str!("layout/optional.rs")];
    let tests = texts.map(|text| text.split_once("#[test]").unwrap().1);
    let found = tests.into_iter().flat_map(|text| {
        text.match_indices(start).map(move |(at, _)| text[at + start.len()..].split_once(");").unwrap().0)
    });
    found.collect()
}

/// Assertions of every size and offset.
fn layouts() -> String {
    let mut source = String::new();
    for invocation in invocations("layout!(") {
        let (head, fields) = invocation.split_once('{').unwrap_or((invocation, ""));
        let mut head = head.split(',').map(str::trim);
        let (name, size) = (head.next().unwrap(), head.next().unwrap());
        let kind = if UNIONS.contains(&name) { "union" } else { "struct" };
        writeln!(source, "static_assert(sizeof({kind} {name}) == {size}, \"size of {name}\");").unwrap();
        for field in fields.split([',', '}']).filter_map(|field| field.split_once(':')) {
            let (field, offset) = (field.0.trim().trim_end_matches('_'), field.1.trim());
            writeln!(
                source,
                "static_assert(offsetof({kind} {name}, {field}) == {offset}, \"offset of {name}::{field}\");"
            )
            .unwrap();
        }
    }
    source
}

/// Assertions of every number; constants are constant expressions in C++ only.
fn numbers() -> String {
    let mut source = String::new();
    for invocation in invocations("numbers!(") {
        for number in invocation.split(',').filter(|number| !number.trim().is_empty()) {
            let (name, value) = number.split_once(" = ").unwrap();
            let (name, value) = (name.trim(), value.trim());
            writeln!(source, "static_assert((long long){name} == {value}ll, \"{name}\");").unwrap();
        }
    }
    source
}

fn includes() -> String {
    let headers: String = HEADERS.iter().map(|header| format!("#include \"{header}\"\n")).collect();
    format!("#include <assert.h>\n#include <stddef.h>\n{headers}")
}

#[test]
fn headers_are_valid_c11_with_the_same_layouts() {
    let asserted = layouts();
    assert!(asserted.lines().count() > 250, "the table of layouts was not understood:\n{asserted}");
    fake::check_syntax("gcc", "c", "c11", &(includes() + &asserted));
}

#[test]
fn headers_are_valid_cpp17_with_the_same_layouts_and_numbers() {
    let asserted = numbers();
    assert!(asserted.lines().count() > 300, "the table of numbers was not understood:\n{asserted}");
    fake::check_syntax("g++", "c++", "c++17", &(includes() + &layouts() + &asserted));
}

#[test]
fn a_wrong_layout_is_noticed() {
    let wrong = "static_assert(sizeof(struct aclrtMemLocation) == 12, \"size\");";
    let Some(printed) = fake::syntax_errors("gcc", "c", "c11", &(includes() + wrong)) else { return };
    assert!(printed.contains("static assertion failed"), "{printed}");
}

#[test]
fn each_header_stands_alone() {
    for header in HEADERS {
        let source = format!("#include \"{header}\"\n");
        fake::check_syntax("gcc", "c", "c11", &source);
        fake::check_syntax("g++", "c++", "c++14", &source);
        fake::check_syntax("g++", "c++", "c++17", &source);
    }
}

#[test]
fn installed_headers_bring_the_optional_functions_with_them() {
    let folder = fake::Folder::new("include");
    for (path, text) in ascend_acl_sys::headers::files() {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let at = |path: &str| format!("#include \"{}/{path}\"\n", folder.path().display());
    let used = "int use(aclrtStream stream, HcclComm comm) { aclmdlRI graph = 0; HcclCommConfig config; \
                HcclCommConfigInit(&config); aclDestroyDataBuffer(aclCreateDataBuffer(0, 0)); \
                return aclmdlRIExecuteAsync(graph, stream) + HcclGroupEnd() + HcclCommSuspend(comm); }\n";
    for others in [
        vec!["acl/acl.h", "hccl/hccl.h"],
        vec!["hccl/hccl_more.h", "acl/acl_rt.h", "hccl/hccl_types.h"],
        vec!["acl/acl_prof.h", "acl/acl_tdt_queue.h", "acl/acl_mdl.h", "acl/acl.h", "hccl/hccl.h"],
    ] {
        let source: String = others.iter().map(|path| at(path)).collect();
        fake::check_syntax("gcc", "c", "c11", &(source.clone() + used));
        fake::check_syntax("g++", "c++", "c++14", &(source + "extern \"C\" " + used));
    }
}
