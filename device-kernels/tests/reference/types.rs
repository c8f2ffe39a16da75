// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One row for the functions of all types.

/// Names of element types in functions, with the types.
const TYPES: [(&str, &str); 15] = [
    ("half", "half"),
    ("float", "float"),
    ("double", "double"),
    ("int8", "int8_t"),
    ("int16", "int16_t"),
    ("int32", "int32_t"),
    ("int64", "int64_t"),
    ("uint8", "uint8_t"),
    ("uint16", "uint16_t"),
    ("uint32", "uint32_t"),
    ("uint64", "uint64_t"),
    ("char", "char"),
    ("bfloat16", "bfloat16_t"),
    // Of threads alone.
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
];
/// Number of types of a function that has all.
const ALL: usize = 13;
const WIDTHS: [&str; 5] = ["128", "16", "32", "64", "8"];

/// The types of a row, in few words.
pub(crate) fn listed(types: &[String]) -> String {
    if types.len() == ALL { format!("all {ALL}") } else { types.join(", ") }
}

/// The signature without its type, and the type's name; or as it is, where it has none.
pub(crate) fn generic(signature: &str) -> (String, Option<String>) {
    let name = name_of(signature);
    for (element, of) in TYPES {
        for family in ["aclshmem", "aclshmemx"] {
            if let Some(rest) = name.strip_prefix(&format!("{family}_{element}_")) {
                let text = signature.replacen(name, &format!("{family}_NAME_{rest}"), 1);
                return (replaced(&text, of, rest), Some(element.to_owned()));
            }
        }
    }
    for verb in ["put", "get"] {
        for width in WIDTHS {
            let Some((before, after)) = name.split_once(&format!("{verb}{width}")) else { continue };
            if after.is_empty() || after.starts_with('_') {
                let text = signature.replacen(name, &format!("{before}{verb}BITS{after}"), 1);
                return (text, Some(width.to_owned()));
            }
        }
    }
    (signature.to_owned(), None)
}

/// Replaces the element type by TYPE: in pointers, tensors, values and results, but not in the number of a
/// PE, or the type of signals.
fn replaced(text: &str, of: &str, rest: &str) -> String {
    let mut out = Vec::new();
    let open = text.find('(').unwrap_or(0);
    let (result, arguments) = text.split_at(open);
    out.push(result.replacen(&format!("{of} aclshmem"), "TYPE aclshmem", 1));
    let arguments = arguments.trim_start_matches('(').trim_end_matches(')');
    let fixed = ["pe", "sig_addr", "signal", "elem_size", "length", "status", "cmp", "sig_op", "nelems"];
    let arguments: Vec<String> = arguments
        .split(", ")
        .map(|argument| {
            let name = argument.rsplit([' ', '*', '&']).next().unwrap_or("");
            let is_fixed = fixed.contains(&name) && !(rest.starts_with("wait") && name == "signal");
            if is_fixed { argument.to_owned() } else { word_replaced(argument, of) }
        })
        .collect();
    out.push(format!("({})", arguments.join(", ")));
    out.concat()
}

/// `of` as a whole word becomes TYPE.
fn word_replaced(text: &str, of: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(of) {
        let (before, found) = rest.split_at(at);
        let after = &found[of.len()..];
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        out.push_str(before);
        out.push_str(if is_word { "TYPE" } else { of });
        rest = after;
    }
    out + rest
}

fn name_of(signature: &str) -> &str {
    let before = signature.split('(').next().unwrap_or(signature);
    before.rsplit([' ', '*', '&']).next().unwrap_or(before)
}
