// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The host's half of CANN SHMEM in a source with kernels.
//!
//! The host and kernels have functions of the same names (`aclshmem_my_pe`). CANN's compiler has a pass for
//! each. Here a text has both: the host's functions stand in the namespace `mf_shmem_host`, and their calls
//! are written with it. A call is the host's unless it stands in a function with a mark for cores.

use std::collections::HashSet;
use std::ops::Range;

use super::text::{Text, closing, is_word, words};

/// The headers add the host's half.
pub(super) const MACRO: &str = "-DMF_SHMEM_HOST_HALF=1";

const NAMESPACE: &str = "mf_shmem_host";
/// A function for cores.
const MARKS: [&str; 2] = ["__aicore__", "__global__"];

/// Returns true if the user's code names something of SHMEM that its headers for kernels lack.
pub(super) fn is_asked(text: &Text) -> bool {
    let (mut known, mut used) = (HashSet::new(), HashSet::new());
    for (at, word) in all_words(&text.code).filter(|(_, word)| is_shmem(word)) {
        if text.is_own(at) {
            used.insert(word)
        } else {
            known.insert(word)
        };
    }
    known.contains("aclshmem_my_pe") && used.iter().any(|word| !known.contains(word))
}

/// Returns the text with the calls of host functions by their namespace, and without the words `__aicore__`.
pub(super) fn separated(text: &Text) -> String {
    let code = text.code.as_str();
    let half = host_half(code);
    let names = functions_in(code.get(half.clone()).unwrap_or_default());
    let for_cores = bodies_for_cores(text);
    let mut edits: Vec<(Range<usize>, String)> =
        words(code, "__aicore__").map(|at| (at..at + "__aicore__".len(), String::new())).collect();
    for (at, word) in all_words(code) {
        let is_of_host = names.contains(word)
            && text.is_own(at)
            && !half.contains(&at)
            && !is_member(code.get(..at).unwrap_or_default())
            && !for_cores.iter().any(|body| body.contains(&at));
        if is_of_host {
            edits.push((at..at + word.len(), format!("{NAMESPACE}::{word}")));
        }
    }
    text.edited(edits)
}

fn is_shmem(word: &str) -> bool {
    ["aclshmem", "shmem_", "shmemx_", "util_get_ffts"].iter().any(|prefix| word.starts_with(prefix))
}

/// The words of a text with their places.
fn all_words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    code.split(|c: char| !(c.is_ascii() && is_word(c as u8))).filter_map(move |word| {
        let start = at;
        // The text has other characters than ASCII where a name has them.
        at += word.len() + code.get(at + word.len()..)?.chars().next().map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

/// The braces of the namespace; none where it is missing.
fn host_half(code: &str) -> Range<usize> {
    let is_declaration =
        |at: &usize| code.get(..*at).is_some_and(|before| before.trim_end().ends_with("namespace"));
    let braces = |at: usize| {
        let open = at + code.get(at..)?.find('{')?;
        Some(open..closing(code, open)?)
    };
    words(code, NAMESPACE).filter(is_declaration).find_map(braces).unwrap_or_default()
}

/// The functions that a block declares.
fn functions_in(block: &str) -> HashSet<&str> {
    let is_called =
        |(at, word): &(usize, &str)| block.get(at + word.len()..).is_some_and(|rest| rest.starts_with('('));
    all_words(block).filter(is_called).map(|(_, word)| word).filter(|word| is_shmem(word)).collect()
}

/// Returns true behind `.`, `->` or the name of a class or namespace.
fn is_member(before: &str) -> bool {
    let before = before.trim_end();
    // A blank before it parts: `return ::f()`.
    let outer = before.strip_suffix("::");
    before.ends_with('.')
        || before.ends_with("->")
        || outer.is_some_and(|outer| outer.bytes().last().is_some_and(|byte| is_word(byte) || byte == b'>'))
}

/// The bodies of the user's functions that are marked for cores.
fn bodies_for_cores(text: &Text) -> Vec<Range<usize>> {
    let code = text.code.as_str();
    let marks = MARKS.iter().flat_map(|mark| words(code, mark)).filter(|at| text.is_own(*at));
    marks.filter_map(|at| body_after(code, at)).collect()
}

/// Finds the braces of a function, including its list of initialisers, by a place in its declaration.
fn body_after(code: &str, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    let mut start = None;
    loop {
        match *code.as_bytes().get(at)? {
            b'(' | b'[' => at = closing(code, at)?,
            b';' | b'}' => return None,
            b'{' => {
                start.get_or_insert(at);
                at = closing(code, at)?;
                let next = code.get(at + 1..)?.trim_start();
                // `a{1}, b{2} {`: the body comes later.
                if !next.starts_with([',', '{']) {
                    return Some(start?..at);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The interfaces for the host may be at a place of the user's.
    const HEADERS: &str = "# 1 \"/home/host.h\"
namespace mf_shmem_host {
extern \"C\" { int aclshmem_my_pe(void); void *aclshmem_malloc(size_t bytes); }
}
# 1 \"/lib/shmem.h\"
__aicore__ inline int aclshmem_my_pe() { return 0; }
# 1 \"k.cpp\"
";

    fn text(source: &str) -> Text {
        Text::new(format!("{HEADERS}{source}"), &["/lib/".to_owned()])
    }

    #[test]
    fn calls_outside_of_marked_functions_are_the_hosts() {
        let source = "
struct K { __aicore__ inline K(int x) : a_{x}, b_(2) { aclshmem_my_pe(); } void f() { aclshmem_my_pe(); } };
__global__ __aicore__ void k(int *x) { x[0] = aclshmem_my_pe(); }
__aicore__ int declared(int);
int main() { k<<<1, aclshmem_my_pe(), s>>>(aclshmem_malloc(4)); other.aclshmem_my_pe(); n::aclshmem_my_pe(); return ::aclshmem_my_pe(); }
";
        let out = separated(&text(source));
        assert_eq!(out.matches("mf_shmem_host::").count(), 4, "{out}");
        for part in [
            " { aclshmem_my_pe(); } void f() { mf_shmem_host::aclshmem_my_pe(); }",
            "x[0] = aclshmem_my_pe();",
            "<<<1, mf_shmem_host::aclshmem_my_pe(), s>>>(mf_shmem_host::aclshmem_malloc(4));",
            "other.aclshmem_my_pe(); n::aclshmem_my_pe(); return ::mf_shmem_host::aclshmem_my_pe();",
        ] {
            assert!(out.contains(part), "{part}: {out}");
        }
        assert!(!out.contains("__aicore__"), "{out}");
        assert_eq!(out.lines().count(), text(source).source.lines().count());
    }

    #[test]
    fn names_that_kernels_lack_ask_for_the_half() {
        let with = |source: &str| {
            Text::new(
                format!("# 1 \"/lib/shmem.h\"\nint aclshmem_my_pe();\n# 1 \"k.cpp\"\n{source}"),
                &["/lib/".to_owned()],
            )
        };
        assert!(is_asked(&with("aclshmemx_init_attr_t attributes;")));
        assert!(!is_asked(&with("__global__ void k() { aclshmem_my_pe(); }")));
        assert!(!is_asked(&Text::new("# 1 \"k.cpp\"\nshmem_mine();".to_owned(), &[])));
    }
}
