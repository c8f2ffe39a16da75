// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The head of a request: request line and header lines.

use std::borrow::Cow;

/// Most bytes of a request line or of one header.
pub(super) const LINE_BYTES_MAX: usize = 16 << 10;
/// Most bytes of a head.
pub(super) const HEAD_BYTES_MAX: usize = 64 << 10;

/// A method, by its number in the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are those of the protocol")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Delete,
    Connect,
    Options,
    Trace,
    Patch,
}

impl Method {
    /// All of them, by number.
    pub const ALL: [Method; 9] = [
        Method::Get,
        Method::Head,
        Method::Post,
        Method::Put,
        Method::Delete,
        Method::Connect,
        Method::Options,
        Method::Trace,
        Method::Patch,
    ];

    /// The method of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    fn from_name(name: &[u8]) -> Option<Self> {
        const NAMES: [&[u8]; 9] =
            [b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"CONNECT", b"OPTIONS", b"TRACE", b"PATCH"];
        NAMES.iter().position(|known| *known == name).and_then(|at| Self::ALL.get(at).copied())
    }
}

/// What the head of a request says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The method.
    pub method: Method,
    /// The path, as it was sent.
    pub path: String,
    /// What stands behind the question mark.
    pub query: String,
    /// Whether the connection stays open afterwards, as far as the client says.
    pub keeps: bool,
    /// Whether the client speaks HTTP/1.0.
    pub is_old: bool,
    /// Bytes of the body.
    pub body_bytes: u64,
    /// Whether the client waits for a word before it sends the body.
    pub expects: bool,
}

/// The length of the head at the front of `bytes`, with the empty line at its end; none: it is not complete.
/// `searched` bytes were searched before.
pub(super) fn find_end(bytes: &[u8], searched: usize) -> Option<usize> {
    let from = searched.saturating_sub(3);
    let found = bytes.get(from..)?.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(from + found + 4)
}

/// Reads a complete head. `body_bytes_max`: more is refused.
///
/// # Errors
/// The status of the refusal.
pub(super) fn read(head: &[u8], body_bytes_max: u64) -> Result<Head, u16> {
    let lines = head.strip_suffix(b"\r\n\r\n").ok_or(400_u16)?;
    let mut lines = split_lines(lines);
    let first = lines.next().unwrap_or_default();
    let (method, target, is_old) = request_line(first)?;
    let mut headers = Headers::default();
    let mut pending: Option<Cow<'_, [u8]>> = None;
    for line in lines {
        if let Some(b' ' | b'\t') = line.first() {
            // A folded line continues the header before it.
            let before = pending.as_mut().ok_or(400_u16)?.to_mut();
            before.push(b' ');
            before.extend_from_slice(trim(line));
        } else if let Some(complete) = pending.replace(Cow::Borrowed(line)) {
            headers.take(&complete)?;
        }
    }
    if let Some(complete) = pending {
        headers.take(&complete)?;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let body_bytes = headers.body_bytes.unwrap_or(0);
    if headers.has_coding {
        return Err(411);
    }
    if body_bytes > body_bytes_max {
        return Err(413);
    }
    Ok(Head {
        method,
        path: path.to_owned(),
        query: query.split('#').next().unwrap_or_default().to_owned(),
        keeps: !headers.closes && (!is_old || headers.keeps),
        is_old,
        body_bytes,
        expects: headers.expects && body_bytes > 0 && !is_old,
    })
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

fn request_line(line: &[u8]) -> Result<(Method, &str, bool), u16> {
    if line.len() > LINE_BYTES_MAX {
        return Err(400);
    }
    let mut words = line.split(|byte| *byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(400);
    };
    let is_old = match version {
        b"HTTP/1.1" => false,
        b"HTTP/1.0" => true,
        _ => return Err(400),
    };
    let method = Method::from_name(method).ok_or(400_u16)?;
    if target.is_empty() || !target.iter().all(|byte| (0x21..=0x7e).contains(byte)) {
        return Err(400);
    }
    let target = str::from_utf8(target).map_err(|_| 400_u16)?;
    if method == Method::Connect || target == "*" {
        return Ok((method, target, is_old));
    }
    // Servers take the form for proxies as well: what stands in front of the path is not compared.
    let target = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            rest.find('/').map_or("/", |at| rest.get(at..).unwrap_or("/"))
        }
        _ => target,
    };
    if target.starts_with('/') { Ok((method, target, is_old)) } else { Err(400) }
}

/// What is read of the headers.
#[derive(Default)]
struct Headers {
    body_bytes: Option<u64>,
    has_coding: bool,
    closes: bool,
    keeps: bool,
    expects: bool,
}

impl Headers {
    fn take(&mut self, line: &[u8]) -> Result<(), u16> {
        if line.len() > LINE_BYTES_MAX {
            return Err(400);
        }
        let colon = line.iter().position(|byte| *byte == b':').ok_or(400_u16)?;
        let (name, value) = line.split_at(colon);
        let value = trim(value.get(1..).unwrap_or_default());
        if name.is_empty() || !name.iter().all(|byte| is_token(*byte)) {
            return Err(400);
        }
        if value.iter().any(|byte| matches!(byte, b'\0' | b'\r' | b'\n')) {
            return Err(400);
        }
        if name.eq_ignore_ascii_case(b"content-length") {
            let length = length(value)?;
            if self.body_bytes.is_some_and(|before| before != length) {
                return Err(400);
            }
            self.body_bytes = Some(length);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.has_coding = true;
        } else if name.eq_ignore_ascii_case(b"connection") {
            for word in value.split(|byte| *byte == b',').map(trim) {
                self.closes |= word.eq_ignore_ascii_case(b"close");
                self.keeps |= word.eq_ignore_ascii_case(b"keep-alive");
            }
        } else if name.eq_ignore_ascii_case(b"expect") {
            self.expects |= value.eq_ignore_ascii_case(b"100-continue");
        }
        Ok(())
    }
}

/// A length in decimal digits; one beyond all numbers is merely too long.
fn length(value: &[u8]) -> Result<u64, u16> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(400);
    }
    str::from_utf8(value).ok().and_then(|digits| digits.parse().ok()).ok_or(413)
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn trim(bytes: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let from = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
    let to = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(from, |last| last + 1);
    bytes.get(from..to).unwrap_or_default()
}
