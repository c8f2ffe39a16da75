// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Source translation: adapts sources written for CANN's compiler to the host's.
//!
//! Kernels need no `MF_KERNEL` line, and C++ beside them may launch by `name<<<blocks, ub, stream>>>(…)` or
//! by the stub `aclrtlaunch_name(blocks, stream, …)`. Additions follow the text, so that every line keeps
//! its number; the host's compiler reads this copy and names the original.

use std::fmt::Write as _;
use std::path::Path;

use crate::table::{Cores, kernels_of, without_comments};

/// A source that is made ready.
pub(super) struct Ready {
    /// Text for the compiler.
    pub(super) text: String,
    /// Other C++ calls into it.
    pub(super) has_host_code: bool,
}

/// A kernel's definition.
#[derive(Debug, PartialEq, Eq)]
struct KernelEntry {
    name: String,
    cores: Cores,
    /// It can be found by name: it is not a template, and in no namespace.
    has_name: bool,
    /// The types of its parameters.
    parameters: Vec<String>,
}

/// Translates a source for the host's compiler. Returns `None` if the source can be compiled unchanged.
///
/// # Errors
/// A launch that does not end, with its line.
pub(super) fn made_ready(source: &str, path: &Path) -> Result<Option<Ready>, String> {
    let (source, text) = with_arrays_of_cores(source, &without_comments(source));
    let (source, entries) = (source.as_str(), entries_of(&text));
    let listed = kernels_of(source).unwrap_or_default();
    let found: Vec<&KernelEntry> = entries
        .iter()
        .filter(|entry| entry.has_name && !listed.iter().any(|kernel| kernel.name == entry.name))
        .collect();
    let (launching, launches) = with_launches(source, &text, &entries)?;
    if found.is_empty() && launches == 0 {
        return Ok(None);
    }
    let shown = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut ready = format!("#include \"mf_kernel.h\"\n#line 1 \"{shown}\"\n{launching}\n");
    for entry in &found {
        let (kind, ratio) = kind_of(entry.cores);
        let (name, mut declared, mut passed) = (&entry.name, String::new(), String::new());
        for (number, of_type) in entry.parameters.iter().enumerate() {
            let _ = write!(declared, ", {of_type} mf_{number}");
            let _ = write!(passed, ", mf_{number}");
        }
        let _ = writeln!(
            ready,
            "MF_KERNEL_FOUND({name}, {kind}, {ratio})\n\
             extern \"C\" __attribute__((visibility(\"default\"))) uint32_t aclrtlaunch_{name}(uint32_t blocks, void *stream{declared})\n\
             {{ return MF_LAUNCH({kind}, {ratio}, \"{name}\", {name}) blocks, stream{passed}) ? 0 : 1; }}"
        );
    }
    if launching.contains("<>\", ") {
        ready.push_str("MF_LAUNCHED(mf_launched)\n");
    }
    Ok(Some(Ready { text: ready, has_host_code: true }))
}

fn kind_of(cores: Cores) -> (&'static str, u32) {
    match cores {
        Cores::Vector => ("Vector", 0),
        Cores::Cube => ("Cube", 0),
        Cores::Mixed(ratio) => ("Mixed", ratio),
    }
}

/// The kernels that a text without comments defines.
fn entries_of(text: &str) -> Vec<KernelEntry> {
    let mut found = Vec::new();
    for at in words(text, "__global__") {
        let head = text.get(at..).unwrap_or_default();
        let Some((open, name)) = parameter_list(head) else { continue };
        let Some(close) = closing(head, open) else { continue };
        let after = head.get(close + 1..).unwrap_or_default();
        if !after.trim_start().starts_with('{') {
            continue;
        }
        let start = close + 1 + after.find('{').unwrap_or_default();
        let body = closing(head, start).and_then(|end| head.get(start..end)).unwrap_or_default();
        found.push(KernelEntry {
            name: name.to_owned(),
            cores: cores_of(head.get(..open).unwrap_or_default(), body, text),
            has_name: !is_template(text, at) && !is_nested(text, at),
            parameters: types_of(head.get(open + 1..close).unwrap_or_default()),
        });
    }
    found
}

/// Finds the parameters of a function, and its name: the first word before a bracket that is not an
/// attribute.
fn parameter_list(head: &str) -> Option<(usize, &str)> {
    const ATTRIBUTES: [&str; 5] =
        ["__mix__", "__schedmode__", "__launch_bounds__", "__attribute__", "__aicore__"];
    let mut from = 0;
    loop {
        let open = from + head.get(from..)?.find('(')?;
        let before = head.get(from..open)?;
        if before.contains([';', '{', '}']) {
            return None;
        }
        let name = last_word(before);
        if !ATTRIBUTES.contains(&name) {
            return (!name.is_empty()).then_some((open, name));
        }
        from = closing(head, open)? + 1;
    }
}

/// Returns the cores of a kernel: as declared by its attributes or body, else by the calls that it uses.
fn cores_of(attributes: &str, body: &str, text: &str) -> Cores {
    let has = |text: &str, word: &str| words(text, word).next().is_some();
    let compact: String = attributes.split_whitespace().collect();
    if has(attributes, "__vector__") || compact.contains("__mix__(0,1)") {
        Cores::Vector
    } else if has(attributes, "__cube__") || compact.contains("__mix__(1,0)") {
        Cores::Cube
    } else if compact.contains("__mix__(1,1)") {
        Cores::Mixed(1)
    } else if compact.contains("__mix__(1,2)") {
        Cores::Mixed(2)
    } else if has(body, "KERNEL_TYPE_MIX_AIC_1_1") || has(body, "MF_KERNEL_MIX_1_1") {
        Cores::Mixed(1)
    } else if has(body, "KERNEL_TYPE_MIX_AIC_1_2") || has(body, "MF_KERNEL_MIX_1_2") {
        Cores::Mixed(2)
    } else if ["KERNEL_TYPE_AIC_ONLY", "KERNEL_TYPE_MIX_AIC_1_0", "MF_KERNEL_CUBE_ONLY"]
        .iter()
        .any(|word| has(body, word))
    {
        Cores::Cube
    } else if [
        "KERNEL_TYPE_AIV_ONLY",
        "KERNEL_TYPE_MIX_AIV_1_0",
        "MF_KERNEL_VECTOR",
        "MF_KERNEL_VECTOR_ALONE",
    ]
    .iter()
    .any(|word| has(body, word))
    {
        Cores::Vector
    } else if ["Mmad", "REGIST_MATMUL_OBJ", "ASCEND_IS_AIC", "__DAV_C220_CUBE__"]
        .iter()
        .any(|word| has(text, word))
    {
        Cores::Mixed(2)
    } else {
        Cores::Vector
    }
}

/// Returns the source, and its text without comments, with arrays in the unified buffer turned into arrays of
/// the core. A core is a thread of the host here, and all threads of the core share them.
fn with_arrays_of_cores(source: &str, text: &str) -> (String, String) {
    const WORD: &str = "__ubuf__";
    let mut places = Vec::new();
    for at in words(text, WORD) {
        let declared = text.get(at + WORD.len()..).unwrap_or_default();
        let end = declared.find(|c: char| "*&(),;={}[".contains(c)).unwrap_or_default();
        let is_array = declared.get(end..).is_some_and(|rest| rest.starts_with('['));
        if is_array && declared.get(..end).unwrap_or_default().split_whitespace().count() > 1 {
            let is_static = last_word(text.get(..at).unwrap_or_default()) == "static";
            places.push((at + WORD.len(), if is_static { " thread_local" } else { " static thread_local" }));
        }
    }
    let inserted = |into: &str| {
        let mut into = into.to_owned();
        for (at, words) in places.iter().rev() {
            into.insert_str(*at, words);
        }
        into
    };
    (inserted(source), inserted(text))
}

/// The source with its launches written as calls, and how many there are.
fn with_launches(source: &str, text: &str, entries: &[KernelEntry]) -> Result<(String, usize), String> {
    let (mut out, mut copied, mut count) = (String::with_capacity(source.len()), 0, 0);
    for (at, _) in text.match_indices("<<<") {
        let wrong = |what: &str| {
            let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            format!("line {line}: the launch {what}")
        };
        let start = callee_start(text, at).ok_or_else(|| wrong("names no kernel"))?;
        let callee = source.get(start..at).unwrap_or_default().trim_end();
        let rest = text.get(at + 3..).unwrap_or_default();
        let end = rest.find(">>>").ok_or_else(|| wrong("has no `>>>`"))?;
        let parts = split(rest.get(..end).unwrap_or_default());
        let (blocks, threads, stream) = match parts.as_slice() {
            [blocks, _, stream] => (blocks, None, stream),
            [blocks, threads, _, stream] => (blocks, Some(threads), stream),
            _ => {
                return Err(wrong(
                    "needs blocks, threads of them if there are any, bytes of the unified buffer, and a stream",
                ));
            }
        };
        let behind = at + 3 + end + 3;
        let arguments = text.get(behind..).unwrap_or_default();
        let open = arguments
            .find('(')
            .filter(|open| arguments.get(..*open).is_some_and(|blank| blank.trim().is_empty()));
        let open = open.ok_or_else(|| wrong("has no arguments"))?;
        let close = closing(arguments, open).ok_or_else(|| wrong("does not end"))?;
        let list = source.get(behind + open + 1..behind + close).unwrap_or_default();
        let name = callee.split('<').next().unwrap_or_default().trim();
        let name = name.rsplit("::").next().unwrap_or_default();
        let entry = entries.iter().find(|entry| entry.name == name);
        let cores = entry.map_or(Cores::Vector, |entry| entry.cores);
        let (kind, ratio) = kind_of(cores);
        // As many lines as before.
        let lines = "\n".repeat(text.get(start..behind + open).unwrap_or_default().matches('\n').count());
        out.push_str(source.get(copied..start).unwrap_or_default());
        let comma = if list.trim().is_empty() { "" } else { ", " };
        let shown = if entry.is_none_or(|entry| !entry.has_name) || threads.is_some() {
            format!("{name}<>")
        } else {
            name.to_owned()
        };
        let (launch, threads) = match threads {
            None => (format!("MF_LAUNCH({kind}, {ratio}, \"{shown}\", {callee})"), String::new()),
            Some(threads) => {
                (format!("MF_LAUNCH_THREADS(\"{shown}\", {callee})"), format!(", MF_THREADS({threads})"))
            }
        };
        let _ = write!(
            out,
            "(void){launch} static_cast<uint32_t>({blocks}), {stream}{threads}{lines}{comma}{list})"
        );
        copied = behind + close + 1;
        count += 1;
    }
    out.push_str(source.get(copied..).unwrap_or_default());
    Ok((out, count))
}

/// Returns the start of the name before a launch, including template arguments and namespaces.
fn callee_start(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?.trim_end();
    let mut end = before.len();
    if before.ends_with('>') {
        let mut depth = 0_i32;
        let opening = before.char_indices().rev().find(|(_, c)| {
            depth += i32::from(*c == '>') - i32::from(*c == '<');
            depth == 0
        })?;
        end = before.get(..opening.0)?.trim_end().len();
    }
    let name = before.get(..end)?;
    let start = name.rfind(|c: char| !is_word(c) && c != ':').map_or(0, |at| at + 1);
    (start < end).then_some(start)
}

/// Returns true if a place is inside of braces other than those of `extern "C"`.
fn is_nested(text: &str, at: usize) -> bool {
    let mut open = Vec::new();
    let before = text.get(..at).unwrap_or_default();
    for (place, c) in before.char_indices() {
        match c {
            // Text in quotes is blank here.
            '{' => open.push(last_word(before.get(..place).unwrap_or_default()) == "extern"),
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.contains(&false)
}

/// Returns true if the declaration around a place begins with `template`.
fn is_template(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind([';', '{', '}']).map_or(0, |end| end + 1);
    words(before.get(start..).unwrap_or_default(), "template").next().is_some()
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

/// The parts between commas that stand in no brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list.get(start..).unwrap_or_default().trim());
    parts
}

/// Returns the place of the bracket that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.get(open..)?.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at);
        }
    }
    None
}

fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    text.get(text.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..).unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(source: &str) -> Ready {
        made_ready(source, Path::new("/a/k.cpp")).unwrap().unwrap()
    }

    #[test]
    fn entries_are_found_with_their_cores_and_types() {
        let source = "
template <typename T> __global__ __vector__ void generic(__gm__ T *x) {}
extern \"C\" __global__ __aicore__ void plain(uint64_t config, GM_ADDR gva, __gm__ half* x, unsigned n) { f(); }
extern \"C\" { __global__ __mix__(1, 2) void both(const Tiling tiling) {} }
__global__ __cube__ void cube() {}
extern \"C\" __global__ __aicore__ void said(GM_ADDR) { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1); }
extern \"C\" __global__ __aicore__ void declared(GM_ADDR x);
namespace n { __global__ void hidden() {} }
// __global__ void comment() {}
ACLSHMEM_GLOBAL_VECTOR void shmem(GM_ADDR x) {}
template <typename T> ACLSHMEM_GLOBAL void shmem_of() {}
";
        let found = entries_of(&without_comments(source));
        let short: Vec<(&str, Cores, bool, String)> =
            found.iter().map(|e| (e.name.as_str(), e.cores, e.has_name, e.parameters.join("|"))).collect();
        let expected = [
            ("generic", Cores::Vector, false, "__gm__ T *"),
            ("plain", Cores::Vector, true, "uint64_t|GM_ADDR|__gm__ half*|unsigned"),
            ("both", Cores::Mixed(2), true, "const Tiling"),
            ("cube", Cores::Cube, true, ""),
            ("said", Cores::Mixed(1), true, "GM_ADDR"),
            ("hidden", Cores::Vector, false, ""),
            ("shmem", Cores::Vector, true, "GM_ADDR"),
            ("shmem_of", Cores::Vector, false, ""),
        ];
        let expected = expected.map(|(name, cores, is, types)| (name, cores, is, types.to_owned()));
        assert_eq!(short, expected);
    }

    #[test]
    fn launches_become_calls_on_their_lines() {
        let source = "__global__ __vector__ void k(GM_ADDR x, int n) {}\n\
            template <typename T, int N> __global__ __aicore__ void t(GM_ADDR x) {}\n\
            void run(int b, void *s, GM_ADDR x) {\n  k<<<b, nullptr, s>>>(x,\n    f(1, 2));\n  if (b) t<half, 3><<<2 * b, 0,\n s>>>(x);\n}\n";
        let ready = ready(source).text;
        assert!(
            ready.contains(
                "(void)MF_LAUNCH(Vector, 0, \"k\", k) static_cast<uint32_t>(b), s, x,\n    f(1, 2));"
            ),
            "{ready}"
        );
        assert!(
            ready.contains(
                "(void)MF_LAUNCH(Vector, 0, \"t<>\", t<half, 3>) static_cast<uint32_t>(2 * b), s\n, x);"
            ),
            "{ready}"
        );
        assert!(
            ready.contains("#line 1 \"/a/k.cpp\"\n__global__") && ready.contains("MF_LAUNCHED(mf_launched)"),
            "{ready}"
        );
        assert!(ready.contains("MF_KERNEL_FOUND(k, Vector, 0)") && !ready.contains("FOUND(t"), "{ready}");
        assert!(
            ready.contains("aclrtlaunch_k(uint32_t blocks, void *stream, GM_ADDR mf_0, int mf_1)"),
            "{ready}"
        );
    }

    #[test]
    fn thread_launches_and_ubuf_arrays_are_rewritten() {
        let source = "__global__ __launch_bounds__(256) void k(float *x) {\n\
            __ubuf__ float part[256];\n static __ubuf__ unsigned int two[2][3]; __ubuf__ float *p = (__ubuf__ float *)x;\n}\n\
            void run(void *s, float *x) { k<<<4, dim3(8, 2), 0, s>>>(x); k<<<1, 7, 0, s>>>(x); }\n";
        let ready = ready(source).text;
        for part in [
            "MF_LAUNCH_THREADS(\"k<>\", k) static_cast<uint32_t>(4), s, MF_THREADS(dim3(8, 2)), x)",
            "MF_LAUNCH_THREADS(\"k<>\", k) static_cast<uint32_t>(1), s, MF_THREADS(7), x)",
            "__ubuf__ static thread_local float part[256];",
            "static __ubuf__ thread_local unsigned int two[2][3];",
            "__ubuf__ float *p = (__ubuf__ float *)x;",
            "MF_LAUNCHED(mf_launched)",
        ] {
            assert!(ready.contains(part), "{part}: {ready}");
        }
    }

    #[test]
    fn plain_sources_are_unchanged_and_launch_errors_are_located() {
        let own = "__global__ void k(GM_ADDR x) {}\nMF_KERNEL(k, GM_ADDR)\n";
        assert!(made_ready(own, Path::new("k.cpp")).unwrap().is_none());
        for (source, expected) in [
            ("\nk<<<1, 0, s(x);", "line 2: the launch has no `>>>`"),
            ("k<<<1>>>(x);", "blocks"),
            ("k<<<1, 0, s>>>;", "arguments"),
            ("= <<<1, 0, s>>>(x);", "names no kernel"),
        ] {
            let error = made_ready(source, Path::new("k.cpp")).err().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }
}
