// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The headers are written by hand. Compares their prototypes with the rows word for word, and the rows with
//! each other.

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mf_abi::Symbol;
use mf_abi::header::{prototypes, symbols, tokens};
use mf_abi::smem::{DATA, SYMBOLS};

fn header(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/include").join(name)).unwrap()
}

#[test]
fn every_symbol_has_one_row() {
    let functions = symbols(SYMBOLS).unwrap();
    let names: BTreeSet<&str> = functions.lines().collect();
    assert_eq!(names.len(), SYMBOLS.iter().map(|symbol| symbol.symbols.len()).sum());
    assert!(DATA.iter().all(|name| !names.contains(name)));
}

#[test]
fn headers_match_the_rows() {
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
