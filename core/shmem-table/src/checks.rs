// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C test of all functions: takes the address of each with its type, and calls it and its twin by the
//! macro of its operation (`TRY_put`), which the test's own header has.

use std::fmt::Write as _;

use crate::openshmem::Part;
use crate::{Function, exports, header};

/// `tests/c/openshmem/functions.c`.
pub fn page(part: Part) -> String {
    let (mut parts, mut calls) = (String::new(), String::new());
    for (number, row) in part.rows().enumerate() {
        let statements: String = row.functions().iter().map(checks).collect();
        let _ = write!(parts, "\nstatic void part_{number}(void)\n{{\n{statements}}}\n");
        let _ = writeln!(calls, "    part_{number}();");
    }
    format!(
        "{}/* Every function has the type of the table, and does what it should, as does its twin. */\n\
         #include \"functions.h\"\n{parts}\nint main(void)\n{{\n    begin();\n{calls}    return end();\n}}\n",
        header::TITLE
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
    format!("{address}    TRY_{}({name}, {element});\n", exports::body(function))
}
