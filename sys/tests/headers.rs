// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The headers are valid C11 and C++17 and mean there what the bindings mean here: the very numbers of
//! `layout.rs` are asserted by both compilers.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod fake;

use std::fmt::Write as _;

const HEADERS: [&str; 6] = ["acl.h", "hal.h", "rt.h", "hccl.h", "queue.h", "rdma.h"];
const UNIONS: [&str; 5] = [
    "aclrtMallocAttrValue",
    "aclrtStreamAttrValue",
    "aclrtBinaryLoadOptionValue",
    "aclrtLaunchKernelAttrValue",
    "IpAddr",
];

/// What stands between `start` and `)` in the test of the layouts, for every time that `start` does.
fn invocations(start: &str) -> Vec<&'static str> {
    let text = include_str!("layout.rs").split_once("#[test]").unwrap().1;
    text.match_indices(start).map(|(at, _)| text[at + start.len()..].split_once(");").unwrap().0).collect()
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
        fake::check_syntax("gcc", "c", "c11", &format!("#include \"{header}\"\n"));
        fake::check_syntax("g++", "c++", "c++17", &format!("#include \"{header}\"\n"));
    }
}
