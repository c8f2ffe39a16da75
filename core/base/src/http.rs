// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Heads of HTTP/1 requests as bytes, for the servers of this workspace. Pure.
//!
//! Read by hand: the kept parsers of Rust accept line ends without CR in requests and refuse folded header
//! lines, which the interface of message servers takes.

use std::borrow::Cow;

/// Most bytes of a request line or of one header.
pub const LINE_BYTES_MAX: usize = 16 << 10;

/// Parsed head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    /// The method, as it was sent.
    pub method: &'a str,
    /// The target, as it was sent: printable, and not empty.
    pub target: &'a str,
    /// True if the client speaks HTTP/1.0.
    pub is_old: bool,
    /// Complete lines, and where their colons are.
    headers: Vec<(Cow<'a, [u8]>, usize)>,
}

impl Head<'_> {
    /// Names and values in the order of their lines, the values without blanks around them.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.headers.iter().filter_map(|(line, colon)| {
            let (name, value) = line.split_at_checked(*colon)?;
            Some((str::from_utf8(name).ok()?, trim(value.get(1..)?)))
        })
    }

    /// Values of the headers with this name.
    pub fn values<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.headers().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
    }
}

/// Returns the length of the request head at the front of `bytes`, with the empty line at its end. `None` if
/// it is incomplete. `searched` bytes were searched before.
pub fn find_end(bytes: &[u8], searched: usize) -> Option<usize> {
    let from = searched.saturating_sub(3);
    let found = bytes.get(from..)?.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(from + found + 4)
}

/// Parses a complete request head. Returns `None` if it is malformed.
pub fn read(head: &[u8]) -> Option<Head<'_>> {
    let mut lines = split_lines(head.strip_suffix(b"\r\n\r\n")?);
    let (method, target, is_old) = request_line(lines.next()?)?;
    let mut headers: Vec<Cow<'_, [u8]>> = Vec::new();
    for line in lines {
        if let Some(b' ' | b'\t') = line.first() {
            // A folded line continues the header before it.
            let before = headers.last_mut()?.to_mut();
            before.push(b' ');
            before.extend_from_slice(trim(line));
        } else {
            headers.push(Cow::Borrowed(line));
        }
    }
    let headers = headers.into_iter().map(header).collect::<Option<_>>()?;
    Some(Head { method, target, is_old, headers })
}

/// Bytes without the blanks around them.
pub fn trim(bytes: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let from = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
    let to = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(from, |last| last + 1);
    bytes.get(from..to).unwrap_or_default()
}

/// Lines between CRLFs.
fn split_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let line = rest?;
        match line.windows(2).position(|two| two == b"\r\n") {
            Some(at) => {
                rest = line.get(at + 2..);
                line.get(..at)
            }
            None => rest.take(),
        }
    })
}

fn request_line(line: &[u8]) -> Option<(&str, &str, bool)> {
    if line.len() > LINE_BYTES_MAX {
        return None;
    }
    let mut words = line.split(|byte| *byte == b' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let is_old = match (version, words.next()) {
        (b"HTTP/1.1", None) => false,
        (b"HTTP/1.0", None) => true,
        _ => return None,
    };
    let is_printable = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_graphic);
    if !is_printable(method) || !is_printable(target) {
        return None;
    }
    Some((str::from_utf8(method).ok()?, str::from_utf8(target).ok()?, is_old))
}

/// A header line, and where its colon is.
fn header(line: Cow<'_, [u8]>) -> Option<(Cow<'_, [u8]>, usize)> {
    let colon = line.iter().position(|byte| *byte == b':').filter(|_| line.len() <= LINE_BYTES_MAX)?;
    let (name, value) = line.split_at_checked(colon)?;
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let is_good = !name.is_empty()
        && name.iter().all(is_token)
        && !value.iter().any(|byte| matches!(byte, b'\0' | b'\r' | b'\n'));
    is_good.then_some((line, colon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_with_folded_lines() {
        let bytes = b"GET /a?b HTTP/1.1\r\nHost: \t here \r\nx-Long: one\r\n  two\r\n\r\nbody";
        let end = find_end(bytes, 0).unwrap();
        assert_eq!(find_end(bytes, end - 1), Some(end));
        assert_eq!(find_end(&bytes[..end - 1], 0), None);
        let head = read(&bytes[..end]).unwrap();
        assert_eq!((head.method, head.target, head.is_old), ("GET", "/a?b", false));
        let headers: Vec<_> = head.headers().collect();
        assert_eq!(headers, [("Host", &b"here"[..]), ("x-Long", b"one two")]);
        assert_eq!(head.values("HOST").collect::<Vec<_>>(), [b"here"]);
    }

    #[test]
    fn malformed_heads_are_rejected() {
        for text in [
            "",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET  HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1 more\r\n\r\n",
            "GET /\x7f HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n folded: first\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nbad name: 1\r\n\r\n",
            "GET / HTTP/1.1\r\nname: a\nb\r\n\r\n",
        ] {
            assert_eq!(read(text.as_bytes()), None, "{text:?}");
        }
        let good = b"GET /a?b HTTP/1.1\r\nHost: here\r\nLong: one\r\n two\r\n\r\n";
        // Miri takes minutes for all of them.
        let step = if cfg!(miri) { 51 } else { 1 };
        for (at, byte) in
            (0..good.len()).flat_map(|at| (0..=u8::MAX).step_by(step).map(move |byte| (at, byte)))
        {
            let mut bytes = good.to_vec();
            bytes[at] = byte;
            if let Some(head) = find_end(&bytes, 0).and_then(|end| read(&bytes[..end])) {
                assert!(!head.method.is_empty() && !head.target.contains(['\r', '\n', ' ']), "{head:?}");
                assert!(head.headers().all(|(name, _)| !name.contains([' ', ':', '\r', '\n'])), "{head:?}");
            }
        }
        let long = format!("GET / HTTP/1.1\r\nname: {}\r\n\r\n", "x".repeat(LINE_BYTES_MAX));
        assert_eq!(read(long.as_bytes()), None);
    }
}
