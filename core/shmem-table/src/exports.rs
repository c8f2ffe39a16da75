// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rows for the exported functions in Rust, in the grammar of typed tables of `mf_abi` (`describe_typed!`): a
//! macro for each list of element types, which hands all operations on these to a reader.
//!
//! The reader decides the shape of an exported function; the rows say its symbols, its body and its
//! arguments. A body is generic where there is an element type. Every table has a module of bodies, so that
//! names need only be different in one table.
//!
//! Rows that pass C's `long double` by value, which Rust does not have, are a table of their own, for a
//! reader that passes its address; and so are functions without elements that programs call often.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::elements::{self, Element};
use crate::{Argument, Function, Release, Row, cann, openshmem};

/// A table: its name, and the operations that exist for its element types.
struct ExportTable {
    name: String,
    elements: Vec<&'static Element>,
    is_frequent: bool,
    operations: Vec<Function>,
}

/// Groups operations by their element types, in the order of their first appearance. The name of a table is
/// the number of types, and its first operation.
fn tables(prefix: &str, rows: impl Iterator<Item = &'static Row>) -> Vec<ExportTable> {
    let mut tables: Vec<ExportTable> = Vec::new();
    for operation in rows.flat_map(Row::operations) {
        let by_value = operation.passes_element();
        let (apart, elements): (Vec<&Element>, Vec<&Element>) = elements::of(operation.row.elements)
            .partition(|element| by_value && element.rust == "LongDouble");
        for elements in [Some(elements), Some(apart).filter(|apart| !apart.is_empty())].into_iter().flatten()
        {
            add(&mut tables, prefix, elements, &operation);
        }
    }
    tables
}

fn add(tables: &mut Vec<ExportTable>, prefix: &str, elements: Vec<&'static Element>, operation: &Function) {
    let is_frequent = operation.row.is_frequent;
    let fits = |table: &&mut ExportTable| table.elements == elements && table.is_frequent == is_frequent;
    match tables.iter_mut().find(fits) {
        // Releases that differ in the arguments of a function have one symbol, and so one row: the longer
        // one, which has room for both.
        Some(table) => match table.operations.iter_mut().find(|known| known.pattern == operation.pattern) {
            Some(known) if known.arguments.len() >= operation.arguments.len() => {}
            Some(known) => *known = operation.clone(),
            None => table.operations.push(operation.clone()),
        },
        None => {
            let name = format!("{prefix}_{}_{}", elements.len(), body(operation));
            tables.push(ExportTable { name, elements, is_frequent, operations: vec![operation.clone()] });
        }
    }
}

/// Returns the rows of OpenSHMEM, as a file.
pub fn openshmem_rows() -> String {
    let mut text = TITLE.to_owned();
    for table in tables("openshmem", openshmem::rows()) {
        let symbols = |operation: &Function| vec![operation.symbol(), operation.twin_symbol()];
        text += &table.rows("openshmem/shmem.h", symbols);
    }
    text
}

const TITLE: &str = "// SPDX-License-Identifier: Apache-2.0 OR MIT\n\
    // Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit.\n";

/// Returns the rows of CANN SHMEM that the library has, as a file.
pub fn cann_rows() -> String {
    TITLE.to_owned() + &cann_tables(cann::in_library())
}

fn cann_tables(rows: impl Iterator<Item = &'static Row>) -> String {
    let tables = tables("cann", rows);
    let rows = tables.iter().map(|table| table.rows("shmem.h", |operation| vec![operation.pattern.clone()]));
    rows.collect()
}

impl ExportTable {
    fn rows(&self, header: &str, symbols: impl Fn(&Function) -> Vec<String>) -> String {
        let mut text = format!(
            "\nmacro_rules! {} {{ ($($reader:ident)::+ {{ $($which:tt)* }}) => {{ $($reader)::+! {{ {{ $($which)* }}\n\
             \"{header}\",\ntypes {{\n",
            self.name
        );
        for element in &self.elements {
            let _ = writeln!(text, "    {}: {} = \"{}\",", named(element), element.rust, element.c);
        }
        if self.elements.is_empty() {
            text += "    none \"\": () = \"\",\n";
        }
        text += "}\nrows {\n";
        for operation in &self.operations {
            let symbols: Vec<String> = symbols(operation).iter().map(|symbol| around(symbol)).collect();
            let (body, family) = (body(operation), self.name.split('_').next().unwrap_or_default());
            let generic = if self.elements.is_empty() { "" } else { "<T>" };
            let _ = writeln!(
                text,
                "    {} as {}\n        = {{ \"{family} {}\" fn {body}{generic}({}){} }};",
                around(&operation.pattern),
                symbols.join(" | "),
                plain(&body),
                arguments(operation).join(", "),
                result(operation),
            );
        }
        text + "}\n} } }\n"
    }
}

/// Returns the name of an element in a row.
fn named(element: &Element) -> String {
    let is_number = element.name.starts_with(|first: char| first.is_ascii_digit());
    if is_number { format!("bits{0} \"{0}\"", element.name) } else { element.name.to_owned() }
}

/// Splits a name into the parts around the element's.
fn around(pattern: &str) -> String {
    let (before, after) = pattern.split_once("NAME").unwrap_or((pattern, ""));
    format!("\"{before}\" T \"{after}\"")
}

/// Returns the name of the body: the function's, without the element, and without the family if it has one.
pub(crate) fn body(operation: &Function) -> String {
    let name = operation.pattern.replace("_NAME_", "_").replace("NAME", "");
    // In CANN SHMEM the families distinguish functions.
    if operation.row.last <= Release::Head || operation.row.group == "additions" {
        name
    } else {
        name.trim_start_matches("shmem_").to_owned()
    }
}

/// Returns the name of an operation in errors, without its family.
fn plain(body: &str) -> String {
    let families = ["aclshmemx_", "aclshmem_", "shmemx_", "shmem_"];
    let plain = families.iter().find_map(|family| body.strip_prefix(family)).unwrap_or(body);
    plain.trim_start_matches('_').replace('_', " ")
}

fn arguments(operation: &Function) -> Vec<String> {
    // Further arguments of a variadic function, after the named ones, are ignored by a body that does not
    // read them.
    let named = operation.arguments.iter().filter(|argument| !argument.name.is_empty());
    named.map(|argument| format!("{}: {}", argument.name, of_argument(argument))).collect()
}

fn of_argument(argument: &Argument) -> String {
    // Function pointers are named by their purpose.
    match argument.c.contains("(*{})") {
        true if argument.c.contains("record") => "Watcher".to_owned(),
        true => "Logger".to_owned(),
        false => rust(&argument.c),
    }
}

fn result(operation: &Function) -> String {
    let failed = operation.row.failed;
    match rust(&operation.result).as_str() {
        "c_void" => String::new(),
        "T" => " -> T, or Default::default()".to_owned(),
        result if failed.is_empty() => format!(" -> {result}"),
        result => format!(" -> {result}, or {failed}"),
    }
}

/// Returns a type of C in Rust: numbers by their names there, structs by theirs without family.
fn rust(c: &str) -> String {
    let stars = c.matches('*').count();
    let words: Vec<&str> = c.split([' ', '*']).filter(|word| !word.is_empty()).collect();
    let is_const = words.first() == Some(&"const");
    let name = words.iter().rev().find(|word| **word != "const").copied().unwrap_or_default();
    let mut text = match NUMBERS.iter().find(|(known, _)| *known == name) {
        Some((_, rust)) => (*rust).to_owned(),
        None => camel_case(name),
    };
    for star in 0..stars {
        let target = if star == 0 && is_const { "const" } else { "mut" };
        text = format!("*{target} {text}");
    }
    text
}

const NUMBERS: &[(&str, &str)] = &[
    ("T", "T"),
    ("void", "c_void"),
    ("bool", "bool"),
    ("char", "c_char"),
    ("int", "c_int"),
    ("long", "c_long"),
    ("size_t", "usize"),
    ("ptrdiff_t", "isize"),
    ("int32_t", "i32"),
    ("int64_t", "i64"),
    ("uint8_t", "u8"),
    ("uint32_t", "u32"),
    ("uint64_t", "u64"),
];

fn camel_case(name: &str) -> String {
    let families = ["aclshmemx_", "aclshmem_", "shmemx_", "shmem_", "aclrt"];
    let plain = families.iter().find_map(|family| name.strip_prefix(family)).unwrap_or(name);
    let words = plain.strip_suffix("_t").unwrap_or(plain).split('_');
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    words.map(capital).collect()
}

/// Returns the types that rows name, and that their readers must declare.
pub fn types() -> BTreeSet<String> {
    let operations = openshmem::rows().chain(cann::rows()).flat_map(Row::operations);
    let spelled = operations.flat_map(|operation| {
        let mut all: Vec<String> = operation.arguments.iter().map(of_argument).collect();
        all.push(rust(&operation.result));
        all
    });
    let plain = spelled.map(|text| text.replace("*mut ", "").replace("*const ", ""));
    plain.filter(|name| !NUMBERS.iter().any(|(_, rust)| rust == name) && !name.ends_with("...")).collect()
}
