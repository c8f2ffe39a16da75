// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C test of a symbol: statements for the macros of `tests/c/check_exports.h`.

use crate::{Argument, Symbol};

/// A null or 0 of the type of an argument.
fn nothing(argument: &Argument, element: &'static str) -> String {
    if argument.is_pointer() {
        return "NULL".to_owned();
    }
    format!("({})0", argument.c_type(element).trim_start_matches("const "))
}

/// Takes the address of the function with its type; calls it with nulls, and with a handle that was made up;
/// and compares its twins.
pub fn check_of(symbol: &Symbol) -> String {
    let types: Vec<String> =
        symbol.arguments.iter().map(|argument| argument.c_type(symbol.element).replace("{}", "")).collect();
    let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    let (name, operation, family) = (symbol.name, symbol.operation, symbol.family());
    let mut check = format!("    HAS({}, {name}, ({types}));\n", symbol.c_result());
    let named = symbol.arguments.iter().filter(|argument| !argument.is_rest());
    let mut arguments: Vec<String> = named.map(|argument| nothing(argument, symbol.element)).collect();
    let call = |arguments: &[String]| format!("{name}({})", arguments.join(", "));
    let refused = symbol.arguments.iter().find(|argument| !argument.required.is_empty());
    match refused {
        Some(argument) => {
            let text = format!("{operation}: {} is null", argument.required);
            let macro_name = match symbol.result {
                // A family with codes of its own.
                "i32" if family == "hmc" => "REFUSED_BY_HMC",
                "i32" => "REFUSED",
                pointer if pointer.starts_with('*') || pointer.ends_with("Handle") => "REFUSED_BY_NULL",
                _ => "REFUSED_BY_ERROR",
            };
            check += &format!("    {macro_name}({}, \"{text}\");\n", call(&arguments));
        }
        None => check += &format!("    CALL({}, \"{family}\");\n", call(&arguments)),
    }
    if let Some(place) = symbol.arguments.iter().position(Argument::is_handle) {
        arguments[place] = format!("({})(uintptr_t)1", symbol.arguments[place].c_type(symbol.element));
        check += &format!("    CALL({}, \"{family}\");\n", call(&arguments));
    }
    for twin in symbol.symbols.iter().skip(1) {
        check += &format!("    TWIN({twin});\n");
    }
    check
}
