// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Preprocessed text of a source: its code without quoted text, the places of its lines, and edits.
//!
//! Line markers of the preprocessor (`# 12 "k.cpp" 2`) say where text comes from. Edits keep every line
//! break, so that the markers stay true.

use std::ops::Range;

/// Preprocessed text.
pub(super) struct Text {
    pub(super) source: String,
    /// The same with quoted text, comments and line markers blanked: every byte keeps its place.
    pub(super) code: String,
    markers: Vec<Marker>,
    files: Vec<File>,
}

struct Marker {
    /// Of the text behind the marker's line.
    start: usize,
    line: usize,
    file: usize,
}

struct File {
    name: String,
    /// Neither a header of this library nor of the system.
    is_own: bool,
}

/// Place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: usize,
}

impl Text {
    /// Reads the output of the preprocessor. Files below `foreign` folders are headers of this library.
    pub(super) fn new(source: String, foreign: &[String]) -> Self {
        let (mut markers, mut files) = (Vec::new(), Vec::<File>::new());
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            start += line.len();
            let Some((number, name, is_system)) = marker(line) else { continue };
            let file = files.iter().position(|known| known.name == name).unwrap_or_else(|| {
                let is_file = !name.starts_with('<');
                let is_own = is_file && !is_system && !foreign.iter().any(|folder| name.starts_with(folder));
                files.push(File { name, is_own });
                files.len() - 1
            });
            markers.push(Marker { start, line: number, file });
        }
        let code = code_of(&source);
        Self { source, code, markers, files }
    }

    /// The place of a byte.
    pub(super) fn place(&self, at: usize) -> Place {
        let Some(marker) = self.marker_before(at) else { return Place { file: String::new(), line: 0 } };
        let between = self.source.get(marker.start..at).unwrap_or_default();
        let file = self.files.get(marker.file).map(|file| file.name.clone()).unwrap_or_default();
        Place { file, line: marker.line + between.matches('\n').count() }
    }

    /// Returns true if a byte is from a file of the user's.
    pub(super) fn is_own(&self, at: usize) -> bool {
        self.marker_before(at).and_then(|marker| self.files.get(marker.file)).is_some_and(|file| file.is_own)
    }

    fn marker_before(&self, at: usize) -> Option<&Marker> {
        let behind = self.markers.partition_point(|marker| marker.start <= at);
        self.markers.get(behind.checked_sub(1)?)
    }

    /// The user's files.
    pub(super) fn own_files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|file| file.is_own).map(|file| file.name.as_str())
    }

    /// The lines of code that are from the user's files and not blank, without surrounding blanks.
    pub(super) fn own_lines(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.code.split_inclusive('\n').filter_map(move |line| {
            let at = start;
            start += line.len();
            let line = line.trim();
            (!line.is_empty() && self.is_own(at)).then_some(line)
        })
    }

    /// The text after edits, each a range and its replacement. Line breaks that a replacement lacks are put
    /// behind it.
    pub(super) fn edited(&self, mut edits: Vec<(Range<usize>, String)>) -> String {
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut out, mut copied) = (String::with_capacity(self.source.len() + 4096), 0);
        for (range, replacement) in edits.into_iter().filter(|(range, _)| !range.is_empty()) {
            if range.start < copied {
                continue;
            }
            out.push_str(self.source.get(copied..range.start).unwrap_or_default());
            let lines = |text: &str| text.matches('\n').count();
            let before = self.source.get(range.clone()).map(lines).unwrap_or_default();
            out.push_str(&replacement);
            out.extend(std::iter::repeat_n('\n', before.saturating_sub(lines(&replacement))));
            copied = range.end;
        }
        out.push_str(self.source.get(copied..).unwrap_or_default());
        out
    }
}

/// Line, file, and whether it is of the system, of a line marker.
fn marker(line: &str) -> Option<(usize, String, bool)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.strip_prefix('"')?;
    let end = rest.rfind('"')?;
    let name = rest.get(..end)?.replace("\\\"", "\"").replace("\\\\", "\\");
    let is_system = rest.get(end + 1..)?.split_whitespace().any(|flag| flag == "3");
    Some((number, name, is_system))
}

/// The text with quoted text, comments and lines of the preprocessor blanked.
fn code_of(source: &str) -> String {
    blanked(source, true)
}

/// The words of a source that is not preprocessed, of its directives too.
pub(super) fn code_words(source: &str) -> impl Iterator<Item = String> {
    let code = blanked(source, false);
    let words = code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>().into_iter()
}

fn blanked(source: &str, has_markers: bool) -> String {
    let bytes = source.as_bytes();
    let mut out = bytes.to_vec();
    let (mut at, mut line_begins) = (0, true);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let skipped = match byte {
            b'#' if line_begins && has_markers => directive(rest),
            b'/' if rest.starts_with(b"//") => {
                rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
            }
            b'/' if rest.starts_with(b"/*") => {
                rest.windows(2).skip(2).position(|end| end == b"*/").map_or(rest.len(), |end| end + 4)
            }
            b'"' if is_raw(bytes, at) => raw(rest),
            b'"' => quoted(rest, b'"'),
            b'\'' if !is_separator(bytes, at) => quoted(rest, b'\''),
            _ => 0,
        };
        if skipped == 0 {
            line_begins = byte == b'\n' || (line_begins && byte.is_ascii_whitespace());
            at += 1;
            continue;
        }
        let end = (at + skipped).min(bytes.len());
        for byte in out.get_mut(at..end).unwrap_or_default().iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
        line_begins = false;
        at = end;
    }
    // Whole characters are blanked, so this does not fail.
    String::from_utf8(out).unwrap_or_else(|_| " ".repeat(source.len()))
}

/// Length of a preprocessor line with its continuations, without the last end of line.
fn directive(text: &[u8]) -> usize {
    let mut before = b' ';
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'\n' && before != b'\\' {
            return at;
        }
        before = byte;
    }
    text.len()
}

/// Length of a quoted text, with its quotes; of the quote alone if it does not end on its line.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut escaped = false;
    for (at, &byte) in text.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' => return 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    1
}

/// Returns true if the quote at a place opens a raw text: `R"(`, `u8R"x(`.
fn is_raw(text: &[u8], at: usize) -> bool {
    let word = word_before(text, at);
    matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R")
}

/// Length of a raw text, `"x(…)x"`.
fn raw(text: &[u8]) -> usize {
    let Some(open) = text.iter().position(|byte| *byte == b'(') else { return 1 };
    let mut end = vec![b')'];
    end.extend_from_slice(text.get(1..open).unwrap_or_default());
    end.push(b'"');
    let found = text.windows(end.len()).skip(open).position(|found| found == end);
    found.map_or(text.len(), |at| open + at + end.len())
}

/// Returns true if the quote at a place separates digits: `1'000`.
fn is_separator(text: &[u8], at: usize) -> bool {
    word_before(text, at).first().is_some_and(u8::is_ascii_digit)
}

fn word_before(text: &[u8], at: usize) -> &[u8] {
    let before = text.get(..at).unwrap_or_default();
    let start = before.iter().rposition(|byte| !is_word(*byte)).map_or(0, |found| found + 1);
    before.get(start..).unwrap_or_default()
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The places of a word.
pub(super) fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = text.as_bytes();
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let after = bytes.get(at + word.len());
        !before.copied().is_some_and(is_word) && !after.copied().is_some_and(is_word)
    })
}

pub(super) fn has_word(text: &str, word: &str) -> bool {
    words(text, word).next().is_some()
}

/// The last word of a text, and nothing if it ends otherwise.
pub(super) fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    text.get(text.len() - word_before(text.as_bytes(), text.len()).len()..).unwrap_or_default()
}

/// Returns the place of the bracket that closes the one at `open`.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in text.as_bytes().get(open..)?.iter().enumerate() {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at);
        }
    }
    None
}

/// The parts between commas that stand in no brackets.
pub(super) fn split(list: &str) -> Vec<&str> {
    parts(list).into_iter().map(|part| list.get(part).unwrap_or_default().trim()).collect()
}

/// Returns the ranges of the parts.
pub(super) fn parts(list: &str) -> Vec<Range<usize>> {
    let (mut depth, mut start, mut at, mut parts) = (0_i32, 0, 0, Vec::new());
    while let Some(byte) = list.as_bytes().get(at) {
        match byte {
            // Inside of them `<` may compare.
            b'(' | b'{' | b'[' => at = closing(list, at).unwrap_or(at),
            b'-' if list.as_bytes().get(at + 1) == Some(&b'>') => at += 1,
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(start..list.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_blanked_and_every_byte_keeps_its_place() {
        for (source, expected) in [
            ("a \"{\\\"\" b", "a       b"),
            ("x = 1'000'000; c = '{';", "x = 1'000'000; c =    ;"),
            ("s = R\"x({\")x\" t", "s = R         t"),
            ("# 1 \"a.cpp\"\nf(); // {\n/* {\n*/ g", "           \nf();     \n    \n   g"),
            ("u8'{' \u{e9} \"\u{e9}\"", "u8    \u{e9}     "),
        ] {
            let code = code_of(source);
            assert_eq!(code.len(), source.len());
            assert_eq!(code.trim_end(), expected.trim_end(), "{source}");
        }
    }

    #[test]
    fn places_follow_the_markers_and_edits_keep_them() {
        let source = "# 1 \"/a/k.cpp\"\none\n# 1 \"/lib/h.h\" 1 3\ntwo\n# 7 \"/home/x.h\" 1\nthree\n\
                      # 2 \"/a/k.cpp\" 2\nfour(\n);\nfive\n";
        let text = Text::new(source.to_owned(), &["/home/".to_owned()]);
        let at = |word: &str| source.find(word).unwrap();
        let place = |word: &str| (text.place(at(word)).file, text.place(at(word)).line);
        assert_eq!(place("five"), ("/a/k.cpp".to_owned(), 4));
        assert_eq!(place("three"), ("/home/x.h".to_owned(), 7));
        assert!(text.is_own(at("one")) && !text.is_own(at("two")) && !text.is_own(at("three")));
        assert_eq!(text.own_files().collect::<Vec<_>>(), ["/a/k.cpp"]);
        assert_eq!(text.own_lines().collect::<Vec<_>>(), ["one", "four(", ");", "five"]);
        let edited = text.edited(vec![
            (at("four")..at("five") - 1, "4;".to_owned()),
            (at("one")..at("one") + 3, "1".to_owned()),
        ]);
        assert!(edited.ends_with("# 2 \"/a/k.cpp\" 2\n4;\n\nfive\n") && edited.contains("\n1\n"), "{edited}");
    }
}
