// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Entries of kernels in preprocessed text: `__global__` functions, and the lines of `MF_KERNEL`.

use std::ops::Range;

use crate::table::Cores;

use super::text::{Place, Text, closing, has_word, last_word, split, words};

/// A `__global__` function.
#[derive(Debug)]
pub(super) struct KernelEntry {
    pub(super) name: String,
    /// Cores by its attributes, or by the declaration in its body.
    pub(super) cores: Option<Cores>,
    /// It can be found by name: it is not a template, and in no namespace.
    pub(super) has_name: bool,
    /// The types of its parameters.
    pub(super) parameters: Vec<String>,
    /// From the first word of the declaration to the bracket of the parameters.
    pub(super) head: Range<usize>,
    /// With its braces; none of a declaration.
    pub(super) body: Option<Range<usize>>,
    pub(super) place: Place,
}

/// A line `MF_KERNEL(name, types…)`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TableLine {
    pub(super) name: String,
    pub(super) cores: Cores,
    pub(super) types: Vec<String>,
    pub(super) range: Range<usize>,
}

/// All of a text.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) kernels: Vec<KernelEntry>,
    pub(super) lines: Vec<TableLine>,
    /// The word `namespace` of namespaces without a name.
    pub(super) unnamed: Vec<Range<usize>>,
}

impl Entries {
    pub(super) fn of(text: &Text) -> Self {
        let code = text.code.as_str();
        let mut found = Self { lines: lines_of(code), ..Self::default() };
        let mut globals = words(code, "__global__").peekable();
        let last = words(code, "__global__").last().unwrap_or_default();
        // Open braces of namespaces and others, without `extern "C"`.
        let (mut open, mut start) = (Vec::new(), 0);
        for (at, byte) in code.bytes().enumerate().take(last + 1) {
            match byte {
                b'{' => {
                    let before = code.get(start..at).unwrap_or_default().trim();
                    open.push(last_word(before) != "extern");
                    if before == "namespace" && text.is_own(at) {
                        let word =
                            start + code.get(start..at).and_then(|all| all.find("namespace")).unwrap_or(0);
                        found.unnamed.push(word..word + "namespace".len());
                    }
                    start = at + 1;
                }
                b'}' => {
                    open.pop();
                    start = at + 1;
                }
                b';' => start = at + 1,
                _ => {}
            }
            if globals.next_if_eq(&at).is_some() {
                found.kernels.extend(entry(text, start, at, open.contains(&true)));
            }
        }
        found
    }

    /// Kernels of this name, or of none.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a KernelEntry> {
        self.kernels.iter().filter(move |entry| entry.name == name)
    }

    pub(super) fn line(&self, name: &str) -> Option<&TableLine> {
        self.lines.iter().find(|line| line.name == name)
    }
}

/// Returns the function declared at `start`, with `__global__` at `at`.
fn entry(text: &Text, start: usize, at: usize, is_nested: bool) -> Option<KernelEntry> {
    let code = text.code.as_str();
    let (open, name) = parameter_list(code, at)?;
    let close = closing(code, open)?;
    let after = code.get(close + 1..)?;
    let begin = close + 1 + (after.len() - after.trim_start().len());
    let body = match after.trim_start().bytes().next() {
        Some(b'{') => Some(begin..closing(code, begin)? + 1),
        Some(b';') => None,
        _ => return None,
    };
    let head = code.get(start..open).unwrap_or_default();
    let inside = body.clone().and_then(|body| code.get(body)).unwrap_or_default();
    let blanks = head.len() - head.trim_start().len();
    Some(KernelEntry {
        name: name.to_owned(),
        cores: cores_of_attributes(head).or_else(|| cores_of_body(inside)),
        has_name: !has_word(head, "template") && !is_nested,
        parameters: types_of(code.get(open + 1..close).unwrap_or_default()),
        head: start + blanks..open,
        body,
        place: text.place(at),
    })
}

/// Finds the bracket before the parameters of a function, and its name: the first word before a bracket that
/// is not an attribute.
fn parameter_list(code: &str, from: usize) -> Option<(usize, &str)> {
    const ATTRIBUTES: [&str; 6] =
        ["__mix__", "core_ratio", "__schedmode__", "__launch_bounds__", "__attribute__", "__aicore__"];
    let mut at = from;
    loop {
        let open = at + code.get(at..)?.find('(')?;
        let before = code.get(at..open)?;
        if before.contains([';', '{', '}']) {
            return None;
        }
        let name = last_word(before);
        if !ATTRIBUTES.contains(&name) {
            return (!name.is_empty()).then_some((open, name));
        }
        at = closing(code, open)? + 1;
    }
}

fn cores_of_attributes(head: &str) -> Option<Cores> {
    let compact: String = head.split_whitespace().collect();
    let ratio = |cubes: u32, vectors: u32| {
        [format!("__mix__({cubes},{vectors})"), format!("core_ratio({cubes},{vectors})")]
            .iter()
            .any(|form| compact.contains(form.as_str()))
    };
    let attribute = |name: &str| compact.contains(&format!("__attribute__(({name}))"));
    if has_word(head, "__vector__") || ratio(0, 1) || attribute("aiv") {
        Some(Cores::Vector)
    } else if has_word(head, "__cube__") || ratio(1, 0) || attribute("aic") {
        Some(Cores::Cube)
    } else if ratio(1, 1) {
        Some(Cores::Mixed(1))
    } else {
        ratio(1, 2).then_some(Cores::Mixed(2))
    }
}

fn cores_of_body(body: &str) -> Option<Cores> {
    const TYPES: [(&str, Cores); 6] = [
        ("KERNEL_TYPE_MIX_AIC_1_1", Cores::Mixed(1)),
        ("KERNEL_TYPE_MIX_AIC_1_2", Cores::Mixed(2)),
        ("KERNEL_TYPE_AIC_ONLY", Cores::Cube),
        ("KERNEL_TYPE_MIX_AIC_1_0", Cores::Cube),
        ("KERNEL_TYPE_AIV_ONLY", Cores::Vector),
        ("KERNEL_TYPE_MIX_AIV_1_0", Cores::Vector),
    ];
    TYPES.iter().find(|(word, _)| has_word(body, word)).map(|(_, cores)| *cores)
}

/// Returns true if a body does nothing: it has no statement beside the declaration of its type.
pub(super) fn is_empty(body: &str) -> bool {
    let inside = body.trim().trim_start_matches('{').trim_end_matches('}');
    let is_declaration = |part: &str| {
        let part = part.trim().trim_start_matches(['{', '}']).trim();
        part.is_empty()
            || part.contains("declare_type")
            || part == "using namespace AscendC"
            || (part.starts_with("do") && part.ends_with("using namespace AscendC"))
            || part.starts_with("while (false)")
    };
    inside.split(';').all(is_declaration)
}

/// The types of a list of parameters.
fn types_of(list: &str) -> Vec<String> {
    let without_name = |part: &str| {
        let part = part.split('=').next().unwrap_or_default().trim();
        let name = last_word(part);
        let of_type = part.get(..part.len() - name.len()).unwrap_or_default().trim();
        let is_named = !of_type.is_empty() && !["__gm__", "const", "struct"].contains(&last_word(of_type));
        if is_named && !["", "int", "char", "short", "long", "unsigned", "float"].contains(&name) {
            of_type.to_owned()
        } else {
            part.to_owned()
        }
    };
    split(list).into_iter().map(without_name).filter(|part| !part.is_empty() && part != "void").collect()
}

fn lines_of(code: &str) -> Vec<TableLine> {
    const WORD: &str = "__mf_kernel__";
    let line = |at: usize| {
        let open = at + WORD.len() + code.get(at + WORD.len()..)?.find('(')?;
        let close = closing(code, open)?;
        let parts = split(code.get(open + 1..close)?);
        let [kind, name, types @ ..] = parts.as_slice() else { return None };
        let cores = match *kind {
            "vector" => Cores::Vector,
            "cube" => Cores::Cube,
            ratio => Cores::Mixed(ratio.parse().ok()?),
        };
        let types = types.iter().filter(|part| !part.is_empty()).map(|part| (*part).to_owned()).collect();
        Some(TableLine { name: (*name).to_owned(), cores, types, range: at..close + 1 })
    };
    words(code, WORD).filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(source: &str) -> Entries {
        Entries::of(&Text::new(format!("# 1 \"k.cpp\"\n{source}"), &[]))
    }

    #[test]
    fn entries_are_found_with_their_cores_and_types() {
        let source = "
template <typename T> __global__ __vector__ void generic( T *x) {}
extern \"C\" __global__ void plain(uint64_t config, uint8_t * gva, half* x, unsigned n) { f(); }
extern \"C\" { __global__ __mix__(1, 2) void both(const Tiling tiling) {} }
__cube__ __global__ void cube() {}
extern \"C\" __global__ void said(uint8_t *) { do { declare_type(KERNEL_TYPE_MIX_AIC_1_1, \"x\"); } while (false); }
extern \"C\" __global__ void declared(uint8_t * x);
namespace n { static __global__ void hidden() {} }
[[bisheng::core_ratio(0, 1)]] extern \"C\" __global__ void ratio(uint8_t *x) {}
extern \"C\" __global__ [[bisheng::core_ratio(1,2)]] void behind(uint8_t *x) {}
__global__ __aicore__ __attribute__((aic)) void attribute(uint8_t *x) {}
";
        let found = entries(source);
        let short: Vec<(&str, Option<Cores>, bool, bool, String)> = found
            .kernels
            .iter()
            .map(|e| (e.name.as_str(), e.cores, e.has_name, e.body.is_some(), e.parameters.join("|")))
            .collect();
        let expected = [
            ("generic", Some(Cores::Vector), false, true, "T *"),
            ("plain", None, true, true, "uint64_t|uint8_t *|half*|unsigned"),
            ("both", Some(Cores::Mixed(2)), true, true, "const Tiling"),
            ("cube", Some(Cores::Cube), true, true, ""),
            ("said", Some(Cores::Mixed(1)), true, true, "uint8_t *"),
            ("declared", None, true, false, "uint8_t *"),
            ("hidden", None, false, true, ""),
            ("ratio", Some(Cores::Vector), true, true, "uint8_t *"),
            ("behind", Some(Cores::Mixed(2)), true, true, "uint8_t *"),
            ("attribute", Some(Cores::Cube), true, true, "uint8_t *"),
        ];
        let expected = expected.map(|(name, cores, is, has, types)| (name, cores, is, has, types.to_owned()));
        assert_eq!(short, expected);
        assert_eq!(found.kernels[1].place, Place { file: "k.cpp".into(), line: 3 });
    }

    #[test]
    fn table_lines_and_unnamed_namespaces_are_found() {
        let source = "namespace {\nint a; }\nnamespace b { void f() { g(); } }\n__global__ void k() {}\n\
                      __mf_kernel__(2, k, uint8_t *, uint32_t)\n__mf_kernel__(vector, none, )\n";
        let found = entries(source);
        assert_eq!(found.unnamed.len(), 1);
        let short: Vec<(&str, Cores, usize)> =
            found.lines.iter().map(|line| (line.name.as_str(), line.cores, line.types.len())).collect();
        assert_eq!(short, [("k", Cores::Mixed(2), 2), ("none", Cores::Vector, 0)]);
    }

    #[test]
    fn bodies_with_a_type_alone_are_empty() {
        for body in [
            "{}",
            "{ \n ; }",
            "{ do { using namespace AscendC; ::mf::emulation::declare_type(K, \"K\"); } while (false); }",
        ] {
            assert!(is_empty(body), "{body}");
        }
        assert!(!is_empty("{ f(); }") && !is_empty("{ if (a) { } }"));
    }
}
