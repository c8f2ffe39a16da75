// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads the functions that a C header declares, and writes headers of families that have too many for a
//! hand.

use std::collections::BTreeSet;

use crate::Symbol;

/// Binds a declaration to a symbol of another name: for calls, for pointers to the function, in C and in C++.
pub const SYMBOL_MACRO: &str = r"#ifndef MF_SYMBOL
#define MF_SYMBOL_TEXT(prefix) #prefix
#define MF_SYMBOL_PREFIX(prefix) MF_SYMBOL_TEXT(prefix)
#define MF_SYMBOL(symbol) __asm__(MF_SYMBOL_PREFIX(__USER_LABEL_PREFIX__) symbol)
#endif
";

/// Returns the declarations of a table, each row's after its documentation.
pub fn generated(symbols: &[Symbol]) -> String {
    let mut text = String::new();
    let mut before = "";
    for symbol in symbols {
        if symbol.doc != before {
            let lines: Vec<&str> = symbol.doc.lines().map(str::trim).collect();
            text += &format!("\n/* {} */\n", lines.join("\n * "));
            before = symbol.doc;
        }
        text += &symbol.prototype();
        text.push('\n');
    }
    text
}

/// Returns the names of all symbols of these tables, sorted, one a line: the list of the library's symbols.
///
/// # Errors
/// The name that is in the tables twice.
pub fn symbols<'a>(tables: impl IntoIterator<Item = &'a Symbol>) -> Result<String, String> {
    let mut names = BTreeSet::new();
    for name in tables.into_iter().flat_map(|symbol| symbol.symbols) {
        let name = name.to_string() + "\n";
        if let Some(twice) = names.replace(name) {
            return Err(twice.trim_end().to_owned());
        }
    }
    Ok(names.into_iter().collect())
}

/// Splits C text into tokens, without comments, preprocessor lines and spaces.
pub fn tokens(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        plain.push_str(&rest[..start]);
        plain.push(' ');
        rest = rest[start..].split_once("*/").map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    let mut tokens = Vec::new();
    let mut is_directive = false;
    for line in plain.lines() {
        let continues = is_directive && line.trim_end().ends_with('\\');
        if is_directive || line.trim_start().starts_with('#') {
            is_directive = continues || line.trim_end().ends_with('\\');
            continue;
        }
        let mut word = String::new();
        for character in line.chars().chain([' ']) {
            if character.is_alphanumeric() || character == '_' {
                word.push(character);
                continue;
            }
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if !character.is_whitespace() {
                tokens.push(character.to_string());
            }
        }
    }
    tokens
}

/// Returns the declarations of functions in a header, each as its name and its tokens up to the semicolon.
/// Types, variables, assertions and definitions with a body are left out.
pub fn prototypes(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut statement: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for token in tokens(text) {
        let is_linkage = token == "{" && statement.first().is_some_and(|word| word == "extern");
        match (token.as_str(), depth) {
            ("{", 0) if is_linkage => statement.clear(),
            ("{", _) => {
                depth += 1;
                statement.push(token);
            }
            ("}", 0) => statement.clear(),
            ("}", _) => {
                depth -= 1;
                let is_body = depth == 0 && !is_type(&statement);
                if is_body {
                    statement.clear();
                }
            }
            (";", 0) => {
                let statement = std::mem::take(&mut statement);
                if let Some(name) = function(&statement) {
                    found.push((name, statement));
                }
            }
            _ => statement.push(token),
        }
    }
    found
}

fn is_type(statement: &[String]) -> bool {
    statement.first().is_some_and(|word| ["typedef", "struct", "enum", "union"].contains(&word.as_str()))
}

/// The name of the function that a statement declares.
fn function(statement: &[String]) -> Option<String> {
    if is_type(statement) || statement.first().is_some_and(|word| word.ends_with("STATIC_ASSERT")) {
        return None;
    }
    let open = statement.iter().position(|token| token == "(")?;
    statement.get(open.checked_sub(1)?).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_declarations_are_found() {
        let text = r#"
            #define A(x) \
                f(x);
            typedef struct s { int (*f)(int); } s_t; /* g(); */
            typedef void (*callback)(int);
            STATIC_ASSERT(sizeof(s_t) == 8, "text");
            #ifdef __cplusplus
            extern "C" {
            #endif
            int32_t put(const char *key,
                        void (*done)(int status)); /* ; */
            static inline int twice(int x) { if (x) { return 2; } return 0; }
            void stop(void);
            #ifdef __cplusplus
            }
            template <typename T> inline int put(T *t) { return 1; }
            #endif
        "#;
        let found = prototypes(text);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["put", "stop"]);
        assert_eq!(found[0].1, tokens("int32_t put(const char*key, void(*done)(int status))"));
    }
}
