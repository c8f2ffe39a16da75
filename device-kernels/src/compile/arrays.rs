// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arrays that a function declares in a local memory: `__ubuf__ float x[64];`, `__cbuf__ half a[M][K];`.
//!
//! They lie in the memory of the core, so that calls know them by their addresses; all threads of a core
//! share them. On the device the compiler gives them their places, here the core does at the first use.
//!
//! ```text
//!   __ubuf__ float x[64], y[8];    float (&x)[64] = LocalArray(…), (&y)[8] = LocalArray(…);
//!   extern __ubuf__ char all[];    char *all = DynamicArray(…);    // as long as the launch says
//! ```

use std::ops::Range;

use super::text::{closing, is_word, last_word, words};

/// Words of the local memories, and the engine's names of the supported ones.
const MEMORIES: [(&str, Option<&str>); 7] = [
    ("__ubuf__", Some("Ub")),
    ("__cbuf__", Some("L1")),
    ("__ca__", Some("L0a")),
    ("__cb__", Some("L0b")),
    ("__cc__", Some("L0c")),
    ("__biasbuf__", None),
    ("__fbuf__", None),
];

type Edit = (Range<usize>, String);

/// Edits that blank the words, and make declarations of arrays references to memory of the core.
pub(super) fn edits_of(code: &str) -> Vec<Edit> {
    let mut found: Vec<(usize, &str, Option<&str>)> = MEMORIES
        .iter()
        .flat_map(|(word, memory)| words(code, word).map(move |at| (at, *word, *memory)))
        .collect();
    found.sort_unstable();
    let scopes = scopes_at(code, found.iter().map(|(at, ..)| *at));
    let mut edits = Vec::new();
    for ((at, word, memory), scope) in found.into_iter().zip(scopes) {
        let declared = declared(code, at + word.len());
        let replacement = match (memory, scope, declared) {
            (Some(memory), Scope::Function, Some(arrays)) => {
                edits.extend(array_edits(code, at, memory, arrays));
                ""
            }
            // Shared by the threads of the core, and no memory of it.
            (Some("Ub"), Scope::File, Some(_)) => match last_word(code.get(..at).unwrap_or_default()) {
                "static" => "thread_local",
                "extern" => "",
                _ => "static thread_local",
            },
            _ => "",
        };
        edits.push((at..at + word.len(), replacement.to_owned()));
    }
    edits
}

/// A declared array: its name, and its brackets with their contents.
struct Array {
    name: Range<usize>,
    brackets: Range<usize>,
}

fn array_edits(code: &str, at: usize, memory: &str, arrays: Vec<Array>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let before = code.get(..at).unwrap_or_default().trim_end();
    let word = last_word(before);
    if word == "static" || word == "extern" {
        edits.push((before.len() - word.len()..before.len(), String::new()));
    }
    for Array { name, brackets } in arrays {
        let text = code.get(name.clone()).unwrap_or_default();
        let sizes = code.get(brackets.clone()).unwrap_or_default();
        let is_dynamic = word == "extern" && sizes.trim_start_matches('[').trim_start().starts_with(']');
        if is_dynamic {
            edits.push((name, format!("*{text}")));
            edits.push((
                brackets,
                format!(" = ::mf::emulation::DynamicArray(::mf::emulation::Space::{memory})"),
            ));
        } else {
            edits.push((name, format!("(&{text})")));
            let made = format!(
                "] = ::mf::emulation::LocalArray([] {{ static char mf_key; return &mf_key; }}(), \
                 ::mf::emulation::Space::{memory}, \"{text}\")"
            );
            edits.push((brackets.end - 1..brackets.end, made));
        }
    }
    edits
}

/// The arrays of a declaration, from behind its word of a memory on. `None`: it declares none.
fn declared(code: &str, from: usize) -> Option<Vec<Array>> {
    let mut arrays = Vec::new();
    let mut start = from;
    loop {
        let array = array(code, start, arrays.is_empty())?;
        let end = array.brackets.end;
        arrays.push(array);
        let rest = code.get(end..)?.trim_start();
        match rest.bytes().next()? {
            b';' => return Some(arrays),
            b',' => start = code.len() - rest.len() + 1,
            _ => return None,
        }
    }
}

/// Parses the declaration of an array that begins here, with its type if `has_type`.
fn array(code: &str, from: usize, has_type: bool) -> Option<Array> {
    let bytes = code.as_bytes();
    let (mut at, mut parts) = (from, 0);
    let mut name = from..from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'[' if parts > usize::from(has_type) => break,
            b'(' | b'<' if parts > 0 => {
                at = if byte == b'(' { closing(code, at)? } else { closing_angle(code, at)? }
            }
            byte if is_word(byte) => {
                let word = code.get(at..)?.bytes().take_while(|byte| is_word(*byte)).count();
                name = at..at + word;
                parts += 1;
                at += word - 1;
            }
            b':' => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => return None,
        }
        at += 1;
    }
    let open = at;
    let mut end = closing(code, open)? + 1;
    while let Some(rest) = code.get(end..).map(str::trim_start).filter(|rest| rest.starts_with('[')) {
        end = closing(code, code.len() - rest.len())? + 1;
    }
    Some(Array { name, brackets: open..end })
}

/// The place of the `>` of template arguments that begin here.
fn closing_angle(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in code.as_bytes().get(open..)?.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.checked_sub(1)?,
            b';' | b'{' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at);
        }
    }
    None
}

/// Scope of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    File,
    Function,
    /// In round brackets: a parameter, or a part of an expression.
    Brackets,
}

/// The scopes of places, which are in order.
fn scopes_at(code: &str, places: impl Iterator<Item = usize>) -> Vec<Scope> {
    let bytes = code.as_bytes();
    // Open brackets; of braces, if they are a function's or in one.
    let mut open: Vec<Option<bool>> = Vec::new();
    let (mut at, mut has_parameters) = (0, false);
    let mut scopes = Vec::new();
    for place in places {
        for byte in bytes.get(at..place).unwrap_or_default() {
            let is_inside = open.iter().rev().find_map(|brace| *brace).unwrap_or_default();
            match byte {
                b'{' => {
                    open.push(Some(is_inside || has_parameters));
                    has_parameters = false;
                }
                b'(' => open.push(None),
                b')' => {
                    open.pop();
                    has_parameters = true;
                }
                b'}' => {
                    open.pop();
                    has_parameters = false;
                }
                b';' => has_parameters = false,
                _ => {}
            }
        }
        at = place;
        scopes.push(match open.last() {
            Some(None) => Scope::Brackets,
            Some(Some(true)) => Scope::Function,
            _ => Scope::File,
        });
    }
    scopes
}

#[cfg(test)]
mod tests {
    use super::super::text::Text;
    use super::*;

    /// The code after the edits, with what makes an array as `MADE(memory)`.
    fn rewritten(code: &str) -> String {
        let text = Text::new(code.to_owned(), &[]);
        let mut out = text.edited(edits_of(&text.code));
        for class in ["::mf::emulation::LocalArray", "::mf::emulation::DynamicArray"] {
            while let Some(start) = out.find(class) {
                let end = closing(&out, start + class.len()).unwrap() + 1;
                let made = out.get(start..end).unwrap();
                let memory = made.split("Space::").nth(1).unwrap();
                let memory = memory.split([',', ')']).next().unwrap();
                out = out.replace(made, &format!("MADE({memory})"));
            }
        }
        out
    }

    #[test]
    fn arrays_of_functions_become_references() {
        for (code, expected) in [
            ("void f() { __ubuf__ float x[8]; }", "void f() {  float (&x)[8] = MADE(Ub); }"),
            (
                "void f() { static __cbuf__ S<int, 2> a[2][g(3)], b[4]; }",
                "void f() {   S<int, 2> (&a)[2][g(3)] = MADE(L1), (&b)[4] = MADE(L1); }",
            ),
            (
                "void f() { __cc__ alignas(64) float x [8] ; }",
                "void f() {  alignas(64) float (&x) [8] = MADE(L0c) ; }",
            ),
            (
                "namespace a { void f() { extern __ubuf__ char x[]; } }",
                "namespace a { void f() {   char *x = MADE(Ub); } }",
            ),
            (
                "void f() { if (a) { __ca__ a::half x[8]; } }",
                "void f() { if (a) {  a::half (&x)[8] = MADE(L0a); } }",
            ),
        ] {
            assert_eq!(rewritten(code), expected);
        }
    }

    #[test]
    fn pointers_parameters_and_casts_lose_the_word_alone() {
        for (code, expected) in [
            ("void f(__ubuf__ float x[8], int n);", "void f( float x[8], int n);"),
            (
                "void f() { g((__cb__ float *)x, a[1]); __cbuf__ int *p = &q[3]; }",
                "void f() { g(( float *)x, a[1]);  int *p = &q[3]; }",
            ),
            (
                "void f() { for (__ubuf__ T *p = x; p < y; p += n[2]) ; }",
                "void f() { for ( T *p = x; p < y; p += n[2]) ; }",
            ),
            ("using P = __ubuf__ half; int a[3];", "using P =  half; int a[3];"),
            (
                "__ubuf__ int x[3]; struct S { __ubuf__ int *y; };",
                "static thread_local int x[3]; struct S {  int *y; };",
            ),
        ] {
            assert_eq!(rewritten(code), expected);
        }
    }
}
