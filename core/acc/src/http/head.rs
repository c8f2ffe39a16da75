// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parsing of a request head.

use mf_base::http;

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
    /// All methods, by number.
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

    /// Returns the method with a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    fn from_name(name: &str) -> Option<Self> {
        const NAMES: [&str; 9] =
            ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
        NAMES.iter().position(|known| *known == name).and_then(|at| Self::ALL.get(at).copied())
    }
}

/// Head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The method.
    pub method: Method,
    /// The path, as sent.
    pub path: String,
    /// The query string, after the question mark.
    pub query: String,
    /// True if the client wants the connection kept open.
    pub keeps: bool,
    /// True if the client speaks HTTP/1.0.
    pub is_old: bool,
    /// Bytes of the body.
    pub body_bytes: u64,
    /// True if the client waits for `100 Continue` before it sends the body.
    pub expects: bool,
}

/// Parses a complete head. Refuses a body longer than `body_bytes_max`.
///
/// # Errors
/// The status of the refusal.
pub(super) fn read(head: &[u8], body_bytes_max: u64) -> Result<Head, u16> {
    let head = http::read(head).ok_or(400_u16)?;
    let method = Method::from_name(head.method).ok_or(400_u16)?;
    let (target, is_old) = (target(method, head.target).ok_or(400_u16)?, head.is_old);
    let mut headers = Headers::default();
    for (name, value) in head.headers() {
        headers.take(name, value)?;
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

/// Returns the request target; `None` if malformed.
fn target(method: Method, target: &str) -> Option<&str> {
    if method == Method::Connect || target == "*" {
        return Some(target);
    }
    // Servers accept the absolute form as well: scheme and host are not compared.
    let target = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            rest.find('/').map_or("/", |at| rest.get(at..).unwrap_or("/"))
        }
        _ => target,
    };
    target.starts_with('/').then_some(target)
}

/// Values of the relevant headers.
#[derive(Default)]
struct Headers {
    body_bytes: Option<u64>,
    has_coding: bool,
    closes: bool,
    keeps: bool,
    expects: bool,
}

impl Headers {
    fn take(&mut self, name: &str, value: &[u8]) -> Result<(), u16> {
        if name.eq_ignore_ascii_case("content-length") {
            let length = length(value)?;
            if self.body_bytes.is_some_and(|before| before != length) {
                return Err(400);
            }
            self.body_bytes = Some(length);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            self.has_coding = true;
        } else if name.eq_ignore_ascii_case("connection") {
            for word in value.split(|byte| *byte == b',').map(http::trim) {
                self.closes |= word.eq_ignore_ascii_case(b"close");
                self.keeps |= word.eq_ignore_ascii_case(b"keep-alive");
            }
        } else if name.eq_ignore_ascii_case("expect") {
            self.expects |= value.eq_ignore_ascii_case(b"100-continue");
        }
        Ok(())
    }
}

/// Parses a length in decimal digits; an overflow counts as too long.
fn length(value: &[u8]) -> Result<u64, u16> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(400);
    }
    str::from_utf8(value).ok().and_then(|digits| digits.parse().ok()).ok_or(413)
}
