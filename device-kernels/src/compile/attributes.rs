// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attributes of functions that no macro can blank: `[aicore]`, `[host, aicore]`, and `__forceinline__`.

use std::ops::Range;

use super::text::{has_word, words};

/// Edits that blank the attributes of where a function runs, and make `__forceinline__` the standard's
/// `inline`, once in a declaration.
pub(super) fn edits_of(code: &str) -> Vec<(Range<usize>, String)> {
    let mut edits: Vec<(Range<usize>, String)> = words(code, "aicore")
        .filter_map(|at| brackets(code, at))
        .map(|range| (range, String::new()))
        .collect();
    const INLINE: &str = "__forceinline__";
    for at in words(code, INLINE) {
        let end = at + INLINE.len();
        let before = code.get(..at).unwrap_or_default();
        let before =
            before.rfind([';', '{', '}', '>', ')']).and_then(|start| before.get(start..)).unwrap_or(before);
        let after = code.get(end..).unwrap_or_default();
        let after = after.find(['(', ';', '{', '=']).and_then(|end| after.get(..end)).unwrap_or_default();
        let is_there =
            ["inline", "__inline__"].iter().any(|word| has_word(before, word) || has_word(after, word));
        edits.push((at..end, if is_there { "" } else { "inline" }.to_owned()));
    }
    edits
}

/// The range of `[aicore]` or `[host, aicore]` around the word. A subscript, which has a value before it, is
/// none.
fn brackets(code: &str, at: usize) -> Option<Range<usize>> {
    let start = code.get(..at)?.rfind('[')?;
    let end = at + code.get(at..)?.find(']')? + 1;
    let inside = code.get(start + 1..end - 1)?;
    let is_attribute = inside.split(',').all(|word| matches!(word.trim(), "host" | "aicore"));
    is_attribute.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::super::text::Text;
    use super::*;

    #[test]
    fn attributes_become_those_of_the_host() {
        for (source, expected) in [
            ("[aicore] void f();", " void f();"),
            ("__forceinline__ [ host, aicore ] int f() {}", "inline  int f() {}"),
            ("static __forceinline__ inline int f();", "static  inline int f();"),
            ("inline void g() {} __forceinline__ void f();", "inline void g() {} inline void f();"),
            ("x = table[aicore + 1];", "x = table[aicore + 1];"),
        ] {
            let text = Text::new(source.to_owned(), &[]);
            assert_eq!(text.edited(edits_of(&text.code)), expected, "{source}");
        }
    }
}
