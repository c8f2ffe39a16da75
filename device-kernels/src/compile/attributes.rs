// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words that no macro can stand for: the attributes of functions `[aicore]`, `[host, aicore]`,
//! `__attribute__((aiv))` and `__forceinline__`, and `__bf16`, which the headers of the system have, too.

use std::ops::Range;

use super::text::{Text, has_word, words};

/// Edits that blank the attributes of where a function runs, make `__forceinline__` the standard's `inline`,
/// once in a declaration, and `__bf16` of the user's files the type of kernels.
pub(super) fn edits_of(text: &Text) -> Vec<(Range<usize>, String)> {
    let code = text.code.as_str();
    let mut edits: Vec<(Range<usize>, String)> = words(code, "aicore")
        .filter_map(|at| brackets(code, at))
        .map(|range| (range, String::new()))
        .collect();
    let kinds = ["aic", "aiv"].into_iter().flat_map(|kind| words(code, kind).map(move |at| (at, kind)));
    let kinds = kinds.filter_map(|(at, kind)| kind_attribute(code, at..at + kind.len()));
    edits.extend(kinds.map(|range| (range, String::new())));
    const NUMBER: &str = "__bf16";
    let numbers = words(code, NUMBER).filter(|at| text.is_own(*at));
    edits.extend(numbers.map(|at| (at..at + NUMBER.len(), "bfloat16_t".to_owned())));
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

/// The range of `[aicore]` or `[host, aicore]` around the word. Returns None for a subscript.
fn brackets(code: &str, at: usize) -> Option<Range<usize>> {
    let start = code.get(..at)?.rfind('[')?;
    let end = at + code.get(at..)?.find(']')? + 1;
    let inside = code.get(start + 1..end - 1)?;
    let is_attribute = inside.split(',').all(|word| matches!(word.trim(), "host" | "aicore"));
    is_attribute.then_some(start..end)
}

/// The range of `__attribute__((…))` around the word. Returns None without one.
fn kind_attribute(code: &str, word: Range<usize>) -> Option<Range<usize>> {
    let mut before = code.get(..word.start)?;
    for part in ["(", "(", "__attribute__"] {
        before = before.trim_end().strip_suffix(part)?;
    }
    let mut after = code.get(word.end..)?;
    for _ in 0..2 {
        after = after.trim_start().strip_prefix(')')?;
    }
    Some(before.len()..code.len() - after.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_become_those_of_the_host() {
        for (source, expected) in [
            ("[aicore] void f();", " void f();"),
            ("__forceinline__ [ host, aicore ] int f() {}", "inline  int f() {}"),
            ("static __forceinline__ inline int f();", "static  inline int f();"),
            ("inline void g() {} __forceinline__ void f();", "inline void g() {} inline void f();"),
            ("x = table[aicore + 1];", "x = table[aicore + 1];"),
            ("__global__ __attribute__ ((aiv)) void f(int aiv);", "__global__  void f(int aiv);"),
            (
                "f<__bf16>();\n# 1 \"/lib/h.h\" 1 3\n__bf16 x;",
                "f<bfloat16_t>();\n# 1 \"/lib/h.h\" 1 3\n__bf16 x;",
            ),
        ] {
            const MARKER: &str = "# 1 \"k.cpp\"\n";
            let text = Text::new(format!("{MARKER}{source}"), &[]);
            assert_eq!(text.edited(edits_of(&text)), format!("{MARKER}{expected}"), "{source}");
        }
    }
}
