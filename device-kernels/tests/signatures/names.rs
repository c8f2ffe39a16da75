// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every name of Ascend C that ordinary kernels use (names.txt) is in a table, or documented as not covered.
//!
//! ```text
//!   names.txt ──┬─ the tables (*.cpp): compiled against the emulation
//!               └─ docs/kernels.md, "Not covered": the emulation declares none of them
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{compiler, here};

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(here().join(path)).unwrap()
}

fn names(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).flat_map(|(_, names)| names.split(' ')).collect()
}

/// Returns the names between backticks in the section of the documentation.
fn documented(text: &str) -> BTreeSet<&str> {
    let section = text.split("\n### Not covered\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    section.split('`').skip(1).step_by(2).flat_map(words).collect()
}

#[test]
fn every_name_is_in_a_table_or_documented_as_not_covered() {
    let (list, docs) = (read("tests/signatures/names.txt"), read("../docs/kernels.md"));
    let files = fs::read_dir(here().join("tests/signatures")).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|kind| kind == "cpp"));
    let tables: String = tables.map(|path| fs::read_to_string(path).unwrap()).collect();
    let (held, missing) = (words(&tables), documented(&docs));
    let names = names(&list);
    assert!(names.len() > 400, "{}", names.len());
    let neither: Vec<_> =
        names.iter().filter(|name| !held.contains(*name) && !missing.contains(*name)).collect();
    assert!(neither.is_empty(), "in no table, and not documented as not covered: {neither:?}");
    let both: Vec<_> = names.iter().filter(|name| held.contains(*name) && missing.contains(*name)).collect();
    assert!(both.is_empty(), "in a table, and documented as not covered: {both:?}");
    let unknown: Vec<_> = missing.difference(&names).collect();
    assert!(unknown.is_empty(), "documented as not covered, and not in names.txt: {unknown:?}");
}

/// Names documented as not covered must not compile.
#[test]
fn uncovered_names_are_not_declared() {
    let (list, docs) = (read("tests/signatures/names.txt"), read("../docs/kernels.md"));
    let known = names(&list);
    let missing: Vec<_> = documented(&docs).into_iter().filter(|name| known.contains(name)).collect();
    assert!(!missing.is_empty());
    let uses =
        |name: &&str| format!("using AscendC::{name};\nusing AscendC::Reg::{name};\nusing ::{name};\n");
    let macros = |name: &&str| format!("#ifdef {name}\n#error {name} is a macro\n#endif\n");
    let lines: String = missing.iter().map(uses).chain(missing.iter().map(macros)).collect();
    let text = format!("#include \"kernel_operator.h\"\n#include \"lib/matmul_intf.h\"\n#line 1\n{lines}");
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signatures-missing.cpp");
    fs::write(&source, text).unwrap();
    for product in ["2201", "3510"] {
        let Some(mut command) = compiler(&["emulation/include", "../sys/sim/include"]) else { return };
        let version = command.get_program().to_owned();
        let version = Command::new(version).arg("--version").output().unwrap();
        if String::from_utf8_lossy(&version.stdout).contains("clang") {
            command.arg("-ferror-limit=0");
        }
        command.arg(format!("-D__NPU_ARCH__={product}")).arg("-fsyntax-only").arg(&source);
        let output = command.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        for (number, name) in missing.iter().enumerate() {
            for line in 3 * number + 1..=3 * number + 3 {
                let place = format!("signatures-missing.cpp:{line}:");
                let refused = printed.lines().any(|text| text.contains(&place) && text.contains("error"));
                assert!(refused, "{product} has {name}, which is documented as not covered");
            }
            assert!(!printed.contains(&format!("{name} is a macro")), "{product}: {name} is a macro");
        }
    }
}
