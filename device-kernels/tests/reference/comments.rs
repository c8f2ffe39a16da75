// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Comments of the functions in the headers.

use std::path::Path;

/// A header, by lines.
pub(crate) struct Header {
    lines: Vec<String>,
}

impl Header {
    pub(crate) fn read(path: &Path) -> Self {
        Self { lines: std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect() }
    }

    /// The comment at the top, without the licence.
    pub(crate) fn essay(&self) -> String {
        let end = self.lines.iter().position(|line| line.starts_with("#ifndef")).unwrap_or(0);
        let paragraphs: Vec<String> = self.lines[1..end]
            .split(|line| line.trim() == "*")
            .map(joined)
            .filter(|text| !text.is_empty())
            .collect();
        paragraphs.join("\n\n")
    }

    /// Returns the comment above the item in that line (from 1), or above the macro that it calls.
    pub(crate) fn comment_over(&self, line: usize) -> String {
        let at = line - 1;
        let direct = self.ends_above(at);
        if !direct.is_empty() {
            return direct;
        }
        // A call may be the call of a list with the macro as argument, and a macro may call another.
        let mut names = vec![self.lines[at].clone()];
        while let Some(text) = names.pop() {
            let called = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            for name in called.filter(|name| name.starts_with("MF_SHMEM_")) {
                let defined = format!("#define {name}(");
                // The last one before the call: names are used again.
                let Some(place) = self.lines[..at].iter().rposition(|line| line.starts_with(&defined)) else {
                    continue;
                };
                let comment = self.ends_above(place);
                if !comment.is_empty() {
                    return comment;
                }
                let body = self.lines[place..].iter().take_while(|line| line.ends_with('\\')).count();
                let text = self.lines[place + 1..=place + body].join(" ");
                if !text.contains("ACLSHMEM_DEVICE") {
                    names.push(text);
                }
            }
        }
        String::new()
    }

    /// `NAME for FUNCTION`, of the lines that define one as the other.
    pub(crate) fn aliases(&self) -> Vec<String> {
        let of = |line: &String| {
            let (name, target) = line.strip_prefix("#define ")?.split_once(' ')?;
            let is_alias =
                name.contains("shmem") && target.trim().starts_with("aclshmem") && !name.contains('(');
            is_alias.then(|| format!("`{name}` for `{}`", target.trim()))
        };
        self.lines.iter().filter_map(of).collect()
    }

    /// The comment that ends in the line before.
    fn ends_above(&self, at: usize) -> String {
        let Some(last) = at.checked_sub(1).filter(|&last| self.lines[last].trim_end().ends_with("*/")) else {
            return String::new();
        };
        let first =
            self.lines[..=last].iter().rposition(|line| line.trim_start().starts_with("/*")).unwrap_or(last);
        joined(&self.lines[first..=last])
    }
}

/// The text of a comment in one line.
fn joined(lines: &[String]) -> String {
    let words = lines.iter().map(|line| {
        let line = line.trim().trim_start_matches("/*").trim_end_matches("*/").trim();
        line.strip_prefix("* ").or_else(|| line.strip_prefix('*')).unwrap_or(line).trim()
    });
    words.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}
