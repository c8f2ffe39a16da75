// SPDX-License-Identifier: Apache-2.0 OR MIT
//! C test of all functions: takes the address of each with its type, and calls it and its twin by the macro
//! of its operation (`TRY_put`), defined in the test's own header.

use std::fmt::Write as _;

use crate::header::TITLE;
use crate::{Function, Row, exports, openshmem};

/// Returns `openshmem/functions.c`.
pub fn page() -> String {
    of_rows("#include \"functions.h\"\n", openshmem::rows(), checks)
}

/// Returns `cann_shmem/functions_*.c`: the functions of rows by their own names. `generation` is a
/// macro that names to the test's own header the generation.
pub fn cann_page(generation: &str, rows: impl Iterator<Item = &'static Row>) -> String {
    let head = format!("#define {generation}\n#include \"functions.h\"\n");
    of_rows(&head, rows, |function| check(function, &function.name))
}

fn of_rows(
    head: &str,
    rows: impl Iterator<Item = &'static Row>,
    checks: impl Fn(&Function) -> String,
) -> String {
    let (mut parts, mut calls) = (String::new(), String::new());
    for (number, row) in rows.enumerate() {
        let statements: String = row.functions().iter().map(&checks).collect();
        let _ = write!(parts, "\nstatic void part_{number}(void)\n{{\n{statements}}}\n");
        let _ = writeln!(calls, "    part_{number}();");
    }
    format!(
        "{TITLE}/* Every function has the table's type, and works. */\n\
         {head}{parts}\nint main(void)\n{{\n    begin();\n{calls}    return end();\n}}\n"
    )
}

fn checks(function: &Function) -> String {
    let names = [Some(function.name.clone()), Some(function.twin()), function.extension()];
    names.iter().flatten().map(|name| check(function, name)).collect()
}

fn check(function: &Function, name: &str) -> String {
    let (result, parameters) = (&function.result, function.parameters());
    let address = format!("    {{ {result}(*volatile one)({parameters}) = {name}; CHECK(one != NULL); }}\n");
    let element = function.element.map_or("none", |element| match element.c {
        "void" => element.name,
        c => c,
    });
    let is_number = element.starts_with(|first: char| first.is_ascii_digit());
    let element = if is_number { format!("bits{element}") } else { element.to_owned() };
    // Teams and active sets have the same operations under the same names.
    let is_of_set = function.arguments.iter().any(|argument| argument.name == "pSync");
    let of_set = if is_of_set { "_of_set" } else { "" };
    format!("{address}    TRY_{}{of_set}({name}, {element});\n", exports::body(function))
}
