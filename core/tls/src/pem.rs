// SPDX-License-Identifier: Apache-2.0 OR MIT
//! PEM text cut into its sections.
//!
//! Takes what OpenSSL writes and what people paste: text around the sections, any length of line, Windows
//! line ends, the headers of old encrypted keys. Contents are wiped when they are dropped, because any of
//! them may be a key.

use base64ct::{Base64, Encoding};
use zeroize::Zeroizing;

/// A `-----BEGIN label-----` … `-----END label-----`.
#[derive(Debug)]
pub(crate) struct PemSection {
    pub(crate) label: String,
    /// Number of its first line.
    pub(crate) line: usize,
    /// It has the headers of a key that was encrypted in the old format (`Proc-Type: 4,ENCRYPTED`).
    pub(crate) old_encryption: bool,
    pub(crate) der: Zeroizing<Vec<u8>>,
}

/// Fault of a text, and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) what: &'static str,
}

/// The sections of `text`, in order; none when there is no PEM in it.
pub(crate) fn sections(text: &[u8]) -> Result<Vec<PemSection>, Fault> {
    let mut found = Vec::new();
    let mut open: Option<OpenSection> = None;
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let line_number = index + 1;
        let line = line.trim_ascii();
        if let Some(label) = marker(line, b"-----BEGIN ") {
            if let Some(open) = open {
                return Err(Fault { line: open.line, what: "a section begins here and has no end" });
            }
            open = Some(OpenSection::new(label, line_number, text.len()));
        } else if let Some(label) = marker(line, b"-----END ") {
            match open.take() {
                Some(open) if open.label.as_bytes() == label => found.push(open.close()?),
                _ => return Err(Fault { line: line_number, what: "a section ends here that did not begin" }),
            }
        } else if let Some(open) = &mut open {
            open.line(line);
        }
    }
    match open {
        Some(open) => Err(Fault { line: open.line, what: "a section begins here and has no end" }),
        None => Ok(found),
    }
}

/// The label, when `line` is a marker that begins with `prefix`.
fn marker<'a>(line: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    line.strip_prefix(prefix)?.strip_suffix(b"-----")
}

struct OpenSection {
    label: String,
    line: usize,
    old_encryption: bool,
    base64: Zeroizing<Vec<u8>>,
}

impl OpenSection {
    fn new(label: &[u8], line: usize, at_most: usize) -> Self {
        // With room for everything from the start: growing would leave copies behind that are not wiped.
        let base64 = Zeroizing::new(Vec::with_capacity(at_most));
        Self { label: String::from_utf8_lossy(label).into_owned(), line, old_encryption: false, base64 }
    }

    fn line(&mut self, line: &[u8]) {
        if line.contains(&b':') {
            self.old_encryption |= line.starts_with(b"Proc-Type:") && line.ends_with(b"ENCRYPTED");
        } else {
            self.base64.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
        }
    }

    fn close(self) -> Result<PemSection, Fault> {
        let fault = Fault { line: self.line, what: "the section that begins here is not base64" };
        let mut der = Zeroizing::new(vec![0; self.base64.len() / 4 * 3]);
        let length = Base64::decode(&self.base64[..], &mut der[..]).map_err(|_| fault)?.len();
        der.truncate(length);
        Ok(PemSection { label: self.label, line: self.line, old_encryption: self.old_encryption, der })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(label: &str, contents: &[u8], width: usize, end: &str) -> String {
        let base64 = Base64::encode_string(contents);
        let mut text = format!("-----BEGIN {label}-----{end}");
        for line in base64.as_bytes().chunks(width) {
            text += &format!("{}{end}", String::from_utf8_lossy(line));
        }
        text + &format!("-----END {label}-----{end}")
    }

    #[test]
    fn text_around_sections_and_old_headers_are_skipped() {
        let text = "subject=x\n-----BEGIN A B-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nAAEC\n\
                    -----END A B-----\nrest";
        let found = sections(text.as_bytes()).unwrap();
        assert_eq!((found[0].label.as_str(), found[0].line, &found[0].der[..]), ("A B", 2, &[0u8, 1, 2][..]));
        assert!(found[0].old_encryption);
        assert!(sections(b"nothing here").unwrap().is_empty());
    }

    #[test]
    fn faults_name_their_line() {
        let no_end = "-----BEGIN A-----\nAAEC\n";
        let crossed = "\n-----BEGIN A-----\nAAEC\n-----END B-----\n";
        let garbage = "-----BEGIN A-----\nA*EC\n-----END A-----\n";
        let nested = "-----BEGIN A-----\n-----BEGIN A-----\n";
        for (text, line) in [(no_end, 1), (crossed, 4), (garbage, 1), (nested, 1)] {
            assert_eq!(sections(text.as_bytes()).unwrap_err().line, line, "{text}");
        }
    }

    proptest! {
        #[test]
        fn written_sections_read_back(contents: Vec<u8>, width in 1usize..100, windows: bool) {
            let end = if windows { "\r\n" } else { "\n" };
            let found = sections(written("X", &contents, width, end).as_bytes()).unwrap();
            prop_assert_eq!(&found[0].der[..], &contents[..]);
        }

        #[test]
        fn any_bytes_are_taken_or_refused(bytes: Vec<u8>) {
            let _ = sections(&bytes);
        }

        #[test]
        fn any_lines_are_taken_or_refused(
            lines in prop::collection::vec("(-----BEGIN A-----|-----END A-----|[A-Za-z0-9+/=:]{0,9})", 0..9)
        ) {
            let _ = sections(lines.join("\n").as_bytes());
        }
    }
}
