// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generator of files for C: the list of symbols and the C tests are written here from the tables, and
//! compared; with `MF_TEST_REGENERATE=1` they are written anew (`scripts/regen_abi`). Headers are written by
//! hand; their prototypes are compared with the rows word for word.

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use mf_abi::Symbol;
use mf_abi::checks::check_of;
use mf_abi::header::{prototypes, symbols, tokens};
use mf_abi::smem::{CONSTANTS, DATA, STRUCTS, SYMBOLS, TYPES};

const LICENCE: &str = "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n";
const GENERATED: &str = "Generated from the tables of core/abi by scripts/regen_abi; do not edit.";
/// Its declarations replace the present headers', so it has C tests of its own.
const OLD_ERA: &str = "smem/compat2025/";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compare(name: &str, expected: &str) {
    let path = root().join(name);
    if std::env::var_os("MF_TEST_REGENERATE").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(present == expected, "{name} is out of date: run scripts/regen_abi");
}

fn header(name: &str) -> String {
    std::fs::read_to_string(root().join("core/capi/include").join(name)).unwrap()
}

#[test]
fn the_list_of_symbols_is_current() {
    let functions = symbols(SYMBOLS).unwrap();
    let names: BTreeSet<&str> = functions.lines().chain(DATA.iter().copied()).collect();
    let listed: String = names.into_iter().flat_map(|name| [name, "\n"]).collect();
    compare("core/capi/include/symbols.txt", &listed);
}

#[test]
fn headers_declare_what_the_rows_say() {
    let mut rows: BTreeMap<String, &Symbol> = BTreeMap::new();
    for symbol in SYMBOLS {
        rows.insert(symbol.name.to_string(), symbol);
    }
    let headers: BTreeSet<&str> = SYMBOLS.iter().map(|symbol| symbol.header).collect();
    let mut wrong = Vec::new();
    for name in headers {
        let declared = prototypes(&header(name));
        for (function, words) in &declared {
            match rows.get(function) {
                None => wrong.push(format!("{name} declares {function}, which has no row")),
                Some(row) if *words != tokens(row.prototype().trim_end_matches(';')) => {
                    wrong.push(format!("{name}: the row of {function} says:\n    {}", row.prototype()));
                }
                Some(_) => {}
            }
        }
        for symbol in SYMBOLS.iter().filter(|symbol| symbol.header == name) {
            let found = declared.iter().filter(|(function, _)| *function == symbol.name.to_string()).count();
            if found != 1 {
                wrong.push(format!("{name} declares {found} times:\n    {}", symbol.prototype()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Errors name the caller's own family: their first word is the symbol's.
#[test]
fn operations_begin_with_the_family_of_the_symbol() {
    let families = ["bm", "shm", "device", "kernel", "store", "acc", "trans"];
    for symbol in SYMBOLS {
        let name = symbol.name.to_string();
        let words: Vec<&str> = name.split('_').collect();
        let family = families.iter().find(|family| words.get(1) == Some(family));
        if let Some(family) = family {
            assert_eq!(symbol.family(), *family, "{name}: {}", symbol.operation);
        } else {
            assert!(!families[..2].contains(&symbol.family()), "{name}: {}", symbol.operation);
        }
    }
}

fn exports(title: &str, is_old: bool) -> String {
    let rows: Vec<&Symbol> =
        SYMBOLS.iter().filter(|symbol| symbol.header.starts_with(OLD_ERA) == is_old).collect();
    let mut headers: Vec<&str> = rows.iter().map(|symbol| symbol.header).collect();
    headers.dedup();
    let mut known = BTreeSet::new();
    headers.retain(|header| known.insert(*header));
    let includes: String = headers.iter().map(|header| format!("#include \"{header}\"\n")).collect();
    let mut functions = String::new();
    let mut calls = String::new();
    for (number, header) in headers.iter().enumerate() {
        let checks: String =
            rows.iter().filter(|symbol| symbol.header == *header).map(|symbol| check_of(symbol)).collect();
        write!(functions, "\n/* {header} */\nstatic void part_{number}(void)\n{{\n{checks}}}\n").unwrap();
        writeln!(calls, "    part_{number}();").unwrap();
    }
    format!(
        "{LICENCE}/* {GENERATED} */\n/* {title} */\n{includes}\n#include \"check.h\"\n#include \"check_exports.h\"\n{functions}\n\
         int main(void)\n{{\n{calls}    return check_result();\n}}\n"
    )
}

#[test]
fn the_c_tests_of_all_functions_are_current() {
    let title = "Every function has the type of its row, is found in the library, and takes nulls and a made-up handle.";
    compare("tests/c/exports.c", &exports(title, false));
    compare("tests/c/exports_2025.c", &exports(title, true));
}

#[test]
fn the_c_test_of_layouts_is_current() {
    let mut body = String::new();
    for layout in STRUCTS.iter().filter(|layout| !layout.rust.ends_with("V0")) {
        let name = layout.c[0];
        writeln!(body, "\nSIZE({name}, {}, {});", layout.size, layout.align).unwrap();
        for field in layout.fields {
            writeln!(body, "AT({name}, {}, {}, {});", field.c, field.offset, field.size).unwrap();
        }
        for other in &layout.c[1..] {
            writeln!(body, "BYTES({other}, {});", layout.size).unwrap();
        }
    }
    body.push('\n');
    for (_, names, bytes) in TYPES {
        for name in names.iter().filter(|name| !name.contains([' ', '('])) {
            writeln!(body, "BYTES({name}, {bytes});").unwrap();
        }
    }
    body.push('\n');
    for (name, value) in CONSTANTS {
        let suffix = if *value > i128::from(i32::MAX) { "LL" } else { "" };
        writeln!(body, "IS({name}, {value}{suffix});").unwrap();
    }
    let headers: BTreeSet<&str> = SYMBOLS.iter().map(|symbol| symbol.header).collect();
    let includes: String = headers
        .iter()
        .filter(|header| !header.starts_with(OLD_ERA))
        .map(|header| format!("#include \"{header}\"\n"))
        .collect();
    let page = format!(
        "{LICENCE}/* {GENERATED} */\n\
         /* Sizes, offsets and numbers of the headers, checked while compiling, as C and as C++. */\n\
         {includes}\n#include \"check.h\"\n#include \"check_layout.h\"\n{body}\n\
         int main(void)\n{{\n    CHECK(smem_get_abi_version() == SMEM_ABI_VERSION);\n    return check_result();\n}}\n"
    );
    compare("tests/c/layout.c", &page);
}
