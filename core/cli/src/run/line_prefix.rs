// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Turns a stream of bytes into prefixed lines.
//!
//! Bytes are passed on as they are: invalid UTF-8 is the business of the reader. Lines of different ranks
//! never mix. A last line without its newline is passed on with one, because another rank's line may follow.

/// Longest line that is held back until its end is known; longer ones are passed on in pieces.
pub(super) const LONGEST_HELD_BYTES: usize = 8 << 20;

/// Splits one stream of one rank.
pub(super) struct Lines {
    prefix: Vec<u8>,
    held: Vec<u8>,
}

impl Lines {
    /// A splitter that puts `prefix` before every line.
    pub(super) fn new(prefix: Vec<u8>) -> Self {
        Self { prefix, held: Vec::new() }
    }

    /// Takes bytes; whole lines are appended to `out`.
    pub(super) fn push(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end + 1);
            out.extend_from_slice(&self.prefix);
            out.append(&mut self.held);
            out.extend_from_slice(line);
            bytes = rest;
        }
        self.held.extend_from_slice(bytes);
        if self.held.len() > LONGEST_HELD_BYTES {
            self.finish(out);
        }
    }

    /// The stream has ended: appends the unfinished line, if there is one.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.held.is_empty() {
            out.extend_from_slice(&self.prefix);
            out.append(&mut self.held);
            out.push(b'\n');
        }
    }
}

/// The prefix of a rank; with colour for terminals.
pub(super) fn prefix(rank: u32, colour: bool) -> Vec<u8> {
    if colour {
        // The six colours that are readable on black and on white.
        format!("\x1b[{}m[{rank}]\x1b[0m ", 31 + rank % 6).into_bytes()
    } else {
        format!("[{rank}] ").into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&[u8]]) -> Vec<u8> {
        let (mut lines, mut out) = (Lines::new(prefix(3, false)), Vec::new());
        for chunk in chunks {
            lines.push(chunk, &mut out);
        }
        lines.finish(&mut out);
        out
    }

    #[test]
    fn lines_are_prefixed_for_any_chunking() {
        assert_eq!(split(&[b"a\nb", b"", b"c\n", b"\n"]), b"[3] a\n[3] bc\n[3] \n");
    }

    #[test]
    fn the_last_line_is_kept_without_its_newline() {
        assert_eq!(split(&[b"a\nlast"]), b"[3] a\n[3] last\n");
        assert_eq!(split(&[]), b"");
    }

    #[test]
    fn non_utf8_bytes_pass_unchanged() {
        assert_eq!(split(&[b"\xff\xfe\0\r\n"]), b"[3] \xff\xfe\0\r\n");
    }

    #[test]
    fn held_output_is_bounded() {
        let piece = vec![b'x'; 1 << 20];
        let (mut lines, mut out) = (Lines::new(Vec::new()), Vec::new());
        for _ in 0..20 {
            lines.push(&piece, &mut out);
            assert!(lines.held.len() <= LONGEST_HELD_BYTES);
        }
        lines.finish(&mut out);
        assert_eq!(out.iter().filter(|byte| **byte == b'x').count(), 20 << 20);
    }

    #[test]
    fn colour_only_on_request() {
        assert_eq!(prefix(1, true), b"\x1b[32m[1]\x1b[0m ");
        assert_eq!(prefix(1, false), b"[1] ");
    }
}
