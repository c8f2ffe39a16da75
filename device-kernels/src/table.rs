// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The kernels of a source file, read from the lines `MF_KERNEL(name, types…)` beside their entries.
//!
//! The emulation makes entries from the same lines, and for the NPU they expand to nothing. So this table
//! lists the kernels of every build.

use std::fmt;

/// Core types of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// `MF_KERNEL`: vector cores.
    Vector,
    /// `MF_KERNEL_CUBE`: cube cores.
    Cube,
    /// `MF_KERNEL_MIX`: cube cores with so many vector cores each.
    Mixed(u32),
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cores::Vector => f.write_str("vector"),
            Cores::Cube => f.write_str("cube"),
            Cores::Mixed(ratio) => write!(f, "mix 1:{ratio}"),
        }
    }
}

/// One kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// As programs launch it.
    pub name: String,
    /// On which cores it runs.
    pub cores: Cores,
    /// The types of its arguments, as the table has them.
    pub arguments: Vec<String>,
    /// The line of the table.
    pub line: usize,
}

/// Returns the bytes of an argument of this type, or `None` for a type that kernels do not take.
pub fn argument_bytes(of_type: &str) -> Option<u32> {
    let of_type = of_type.trim();
    if of_type == "GM_ADDR" || of_type.ends_with('*') {
        return Some(8);
    }
    Some(match of_type {
        "uint64_t" | "int64_t" => 8,
        "uint32_t" | "int32_t" | "float" => 4,
        "uint16_t" | "int16_t" | "half" | "bfloat16_t" => 2,
        "uint8_t" | "int8_t" | "bool" => 1,
        _ => return None,
    })
}

/// The kernels of a source text, in its order.
///
/// # Errors
/// Parses the kernel table. Fails with the number of an invalid line.
pub fn kernels_of(source: &str) -> Result<Vec<Kernel>, String> {
    let text = without_comments(source);
    let mut found = Vec::new();
    for (start, _) in text.match_indices("MF_KERNEL") {
        let line = text.get(..start).unwrap_or_default().matches('\n').count() + 1;
        let begins_line = text
            .get(..start)
            .is_some_and(|before| before.rsplit('\n').next().is_none_or(|before| before.trim().is_empty()));
        let rest = text.get(start + "MF_KERNEL".len()..).unwrap_or_default();
        let Some((suffix, rest)) = rest.split_once('(') else { continue };
        let wants_ratio = match suffix.trim_end() {
            "" | "_CUBE" => false,
            "_MIX" => true,
            // MF_KERNEL_VECTOR() and its like stand inside of kernels.
            _ => continue,
        };
        if !begins_line {
            continue;
        }
        let no_entry = |why: &str| format!("line {line}: MF_KERNEL{suffix}(…): {why}");
        let Some((list, _)) = rest.split_once(')') else { return Err(no_entry("it does not end")) };
        let mut parts = list.split(',').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
        let cores = match (suffix.trim_end(), wants_ratio) {
            (_, true) => {
                let ratio = parts.next().and_then(|ratio| ratio.parse().ok());
                Cores::Mixed(ratio.filter(|ratio| (1..=2).contains(ratio)).ok_or_else(|| {
                    no_entry("it begins with the number of vector cores for each cube core, 1 or 2")
                })?)
            }
            ("_CUBE", _) => Cores::Cube,
            _ => Cores::Vector,
        };
        let name = parts.next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(no_entry("the name of the kernel is missing"));
        }
        let arguments: Vec<String> = parts.collect();
        if let Some(unknown) = arguments.iter().find(|argument| argument_bytes(argument).is_none()) {
            return Err(no_entry(&format!("kernels take no argument of type `{unknown}`")));
        }
        found.push(Kernel { name, cores, arguments, line });
    }
    Ok(found)
}

/// Returns the text with comments, quoted text and preprocessor lines blanked, so that every byte keeps its
/// place.
pub fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut line_begins = true;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if next == '"' || next == '\'' {
            quoted(rest, next)
        } else if next == '#' && line_begins {
            directive(rest)
        } else {
            0
        };
        if skipped == 0 {
            out.push(next);
            line_begins = next == '\n' || (line_begins && next.is_whitespace());
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (gone, left) = rest.split_at(skipped);
        out.extend(gone.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = left;
    }
    // CANN SHMEM's words for an entry, spelled out in as many bytes.
    out.replace("ACLSHMEM_GLOBAL_VECTOR", "__global__ __vector__ ")
        .replace("ACLSHMEM_GLOBAL", "__global__     ")
}

/// Length of a quoted text, with its quotes. Digit separators (`1'000`) look like the beginning of one and
/// end at once.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return 1,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    1
}

/// Length of a preprocessor line with its continuations, without the last end of line.
fn directive(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == '\n' && before != '\\' {
            return at;
        }
        before = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_table_is_parsed_amid_other_code() {
        let source = r#"
// MF_KERNEL(commented, GM_ADDR)
/* MF_KERNEL(also, GM_ADDR)
*/
#define SOME(x) \
MF_KERNEL(macro, GM_ADDR)
const char *s = "MF_KERNEL(text)";
extern "C" __global__ __aicore__ void add(GM_ADDR dst, uint32_t count) { MF_KERNEL_VECTOR(); }
MF_KERNEL(add, GM_ADDR,
          uint32_t)
MF_KERNEL(none)
MF_KERNEL_CUBE(mul, __gm__ half *, uint64_t)
  MF_KERNEL_MIX(2, both, float)
"#;
        let table = kernels_of(source).unwrap();
        let short: Vec<(&str, Cores, usize, usize)> =
            table.iter().map(|k| (k.name.as_str(), k.cores, k.arguments.len(), k.line)).collect();
        assert_eq!(
            short,
            [
                ("add", Cores::Vector, 2, 9),
                ("none", Cores::Vector, 0, 11),
                ("mul", Cores::Cube, 2, 12),
                ("both", Cores::Mixed(2), 1, 13)
            ]
        );
        assert_eq!(table[0].arguments, ["GM_ADDR", "uint32_t"]);
    }

    #[test]
    fn malformed_table_lines_are_named() {
        for (source, expected) in [
            ("\nMF_KERNEL(", "line 2"),
            ("MF_KERNEL()", "name"),
            ("MF_KERNEL(k, double)", "`double`"),
            ("MF_KERNEL_MIX(3, k)", "1 or 2"),
        ] {
            let error = kernels_of(source).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn digit_separators_are_not_character_literals() {
        assert_eq!(without_comments("1'000 // x\nlet 'a'"), "1 000     \nlet    ");
    }
}
