// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Types of the table in C.

use crate::{Argument, Symbol, smem};

/// Numbers and texts of every family.
const BASIC: &[(&str, &str)] = &[
    ("()", "void"),
    ("Rest", "..."),
    ("bool", "bool"),
    ("c_char", "char"),
    ("c_int", "int"),
    ("c_long", "long"),
    ("c_void", "void"),
    ("i16", "int16_t"),
    ("i32", "int32_t"),
    ("i64", "int64_t"),
    ("isize", "ptrdiff_t"),
    ("u8", "uint8_t"),
    ("u16", "uint16_t"),
    ("u32", "uint32_t"),
    ("u64", "uint64_t"),
    ("usize", "size_t"),
];

/// The C spelling of a type without pointers; `T` is `element`.
fn name(rust: &str, element: &'static str) -> &'static str {
    if rust == "T" && !element.is_empty() {
        return element;
    }
    let basic = BASIC.iter().find(|(known, _)| *known == rust).map(|(_, c)| *c);
    let named =
        || smem::TYPES.iter().find(|(known, ..)| *known == rust).and_then(|(_, c, _)| c.first().copied());
    let of_struct = || {
        smem::STRUCTS.iter().find(|layout| layout.rust == rust).and_then(|layout| layout.c.first().copied())
    };
    // A table is right or its test fails: the text says which type lacks a name.
    basic.or_else(named).or_else(of_struct).unwrap_or("TYPE_WITHOUT_A_C_NAME")
}

/// `rust` in C, declaring `declared` (empty: the type alone).
fn declare(rust: &str, element: &'static str, declared: &str) -> String {
    let mut stars = Vec::new();
    let mut rest = rust.trim();
    // The compiler spells pointers with or without a space after the star.
    while let Some(behind) = rest.strip_prefix('*').map(str::trim_start) {
        let (is_const, inner) = match behind.strip_prefix("const ") {
            Some(inner) => (true, inner),
            None => (false, behind.strip_prefix("mut ").unwrap_or(behind)),
        };
        stars.push(is_const);
        rest = inner.trim();
    }
    let base = name(rest, element);
    if base.contains("{}") {
        return base.replace("{}", declared);
    }
    let mut text = String::new();
    // The innermost pointer says whether what all of them end at is constant.
    if stars.last() == Some(&true) {
        text += "const ";
    }
    text += base;
    if !(stars.is_empty() && declared.is_empty()) {
        text.push(' ');
    }
    for index in (0..stars.len()).rev() {
        text.push('*');
        if index > 0 && stars[index - 1] {
            text += "const ";
        }
    }
    if declared.is_empty() { text.trim_end().to_owned() } else { text + declared }
}

impl Argument {
    /// The argument in C, with its name.
    pub fn c(&self, element: &'static str) -> String {
        if self.is_rest() { self.c_type(element) } else { declare(self.rust, element, self.name) }
    }

    /// The type of the argument in C.
    pub fn c_type(&self, element: &'static str) -> String {
        declare(self.rust, element, "")
    }

    /// Returns true if it is a pointer or a function, which may be null.
    pub fn is_pointer(&self) -> bool {
        self.rust.starts_with('*') || self.rust.ends_with("Array") || self.is_handle() || self.is_function()
    }

    /// Returns true if it represents the arguments of a variadic function.
    pub fn is_rest(&self) -> bool {
        self.rust == "Rest"
    }

    /// Returns true if it is a handle.
    pub fn is_handle(&self) -> bool {
        self.rust.ends_with("Handle")
    }

    /// Returns true if it is a function.
    pub fn is_function(&self) -> bool {
        ["Callback", "Logger", "Alarm", "Resume", "Check", "Decrypter"]
            .iter()
            .any(|end| self.rust.ends_with(end))
    }
}

impl Symbol {
    /// The type of the result in C.
    pub fn c_result(&self) -> String {
        declare(if self.result.is_empty() { "()" } else { self.result }, self.element, "")
    }

    /// Its declaration in C, on one line. A name that is bound to a symbol of another name has an assembler
    /// label.
    pub fn prototype(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(|argument| argument.c(self.element)).collect();
        let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
        let declared = format!("{}({arguments})", self.name);
        let result = if self.result.is_empty() { "()" } else { self.result };
        let label = match self.symbols.first() {
            Some(symbol) if *symbol != self.name => format!(" MF_SYMBOL(\"{symbol}\")"),
            _ => String::new(),
        };
        format!("{}{label};", declare(result, self.element, &declared))
    }

    /// The family that its errors name: the first word of the operation.
    pub fn family(&self) -> &'static str {
        self.operation.split(' ').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_spelled_as_in_c() {
        for (rust, c) in [
            ("u32", "uint32_t x"),
            ("*const c_char", "const char *x"),
            ("*mut *mut c_void", "void **x"),
            ("*const *const c_char", "const char *const *x"),
            ("*mut CopyParams", "smem_copy_params_t *x"),
            ("ConstU32", "const uint32_t x"),
            ("Logger", "void (*x)(int level, const char *msg)"),
            ("*mut T", "float *x"),
            ("c_long", "long x"),
            ("*mut c_long", "long *x"),
        ] {
            assert_eq!(declare(rust, "float", "x"), c);
        }
        assert_eq!(declare("*mut *mut c_void", "", ""), "void **");
        assert_eq!(declare("u64", "", ""), "uint64_t");
    }
}
