// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions in the preprocessor's output.

use std::path::{Path, PathBuf};

/// A function as a kernel calls it.
pub(crate) struct Function {
    /// Result, name and arguments, in one line.
    pub(crate) signature: String,
    /// The line of the header that it comes from.
    pub(crate) line: usize,
}

/// The file and the line that follows, of a line `# LINE "FILE" …`.
pub(crate) fn marker(line: &str) -> Option<(PathBuf, usize)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let file = rest.strip_prefix('"')?.split('"').next()?;
    Some((PathBuf::from(file), number.parse().ok()?))
}

/// Returns the public functions of one header. Functions of namespace `mf` belong to it.
pub(crate) fn of_header(text: &str, header: &Path) -> Vec<Function> {
    let mut found = Vec::new();
    let (mut is_inside, mut number) = (false, 0);
    // Text since the last end of a body or declaration, and the place of its first word.
    let (mut pending, mut began) = (String::new(), 0);
    // Open brackets, and those of enclosing namespaces.
    let mut depth = 0_usize;
    let mut namespaces: Vec<(usize, bool)> = Vec::new();
    for line in text.lines() {
        if let Some((file, next)) = marker(line) {
            is_inside = file == header;
            number = next;
            continue;
        }
        for c in line.chars() {
            let is_public = !namespaces.iter().any(|(_, is_own)| *is_own);
            match c {
                '{' => {
                    if pending.trim_start().starts_with("namespace") {
                        namespaces.push((depth, pending.contains("mf") || pending.contains("AscendC")));
                    } else if is_inside && is_public && depth == namespaces.len() {
                        found
                            .extend(signature(&pending).map(|signature| Function { signature, line: began }));
                    }
                    depth += 1;
                    pending.clear();
                }
                '}' => {
                    depth = depth.saturating_sub(1);
                    if namespaces.last().is_some_and(|(at, _)| *at == depth) {
                        namespaces.pop();
                    }
                    pending.clear();
                }
                ';' => pending.clear(),
                _ => {
                    if pending.trim().is_empty() {
                        began = number;
                    }
                    pending.push(c);
                }
            }
        }
        pending.push(' ');
        number += 1;
    }
    found
}

/// Returns the signature before a body, as a caller sees it; `None` if it is not a function of the headers.
fn signature(before: &str) -> Option<String> {
    let text = before.split_once("ACLSHMEM_DEVICE")?;
    let words = format!("{}{}", text.0, text.1);
    let mut words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if !words.contains("shmem") || !words.contains('(') || words.contains("operator") {
        return None;
    }
    for (long, short) in
        [("__gm__ ", "gm "), ("__ubuf__ ", "ub "), ("AscendC::", ""), (" )", ")"), ("( ", "(")]
    {
        words = words.replace(long, short);
    }
    Some(words)
}
