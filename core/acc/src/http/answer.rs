// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Encoding of responses.

use std::time::Duration;

use super::date;
use super::head::{Head, Method};

/// Interim response to a client that waits for it.
pub const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// Approximate bytes of a head without its content type.
const HEAD_BYTES: usize = 256;
/// Name of the server.
const SERVER: &str = "memfabric-rs";

/// Circumstances of a response besides its content.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// True if the request was HEAD.
    pub is_head: bool,
    /// True if the client speaks HTTP/1.0.
    pub is_old: bool,
    /// True if the connection is kept open.
    pub keeps: bool,
    /// Time for which an idle connection is kept open.
    pub idle: Duration,
    /// Seconds since 1970.
    pub now_s: u64,
}

impl Situation {
    /// Returns the situation of a request.
    pub fn from_head(head: &Head, idle: Duration, now_s: u64) -> Self {
        Self { is_head: head.method == Method::Head, is_old: head.is_old, keeps: head.keeps, idle, now_s }
    }

    /// Returns the situation of a malformed request.
    pub fn unknown(idle: Duration, now_s: u64) -> Self {
        Self { is_head: false, is_old: false, keeps: false, idle, now_s }
    }
}

/// Encodes a response with a body of this type.
pub fn answer(status: u16, content_type: &str, body: &[u8], situation: &Situation) -> Vec<u8> {
    // These statuses have no body, and 1xx and 204 not even a length.
    let is_without = matches!(status, 100..=199 | 204 | 304);
    let has_body = !is_without && !situation.is_head;
    let body_bytes = if has_body { body.len() } else { 0 };
    let mut text = Text(Vec::with_capacity(HEAD_BYTES + content_type.len() + body_bytes));
    text.word("HTTP/1.1 ").number(status.into()).word(" ").word(reason(status)).word("\r\n");
    if !content_type.is_empty() {
        text.word("Content-Type: ").word(content_type).word("\r\n");
    }
    if !matches!(status, 100..=199 | 204) {
        text.word("Content-Length: ").number(if status == 304 { 0 } else { body.len() as u64 }).word("\r\n");
    }
    text.word("Date: ").word(&date::text(situation.now_s)).word("\r\nServer: ").word(SERVER).word("\r\n");
    if situation.keeps && situation.is_old {
        text.word("Connection: keep-alive\r\n");
    }
    if situation.keeps {
        text.word("Keep-Alive: timeout=").number(situation.idle.as_secs()).word("\r\n");
    } else {
        text.word("Connection: close\r\n");
    }
    text.word("\r\n");
    let mut bytes = text.0;
    if has_body {
        bytes.extend_from_slice(body);
    }
    bytes
}

/// A head, assembled without a string for each of its parts: a server of many small responses does little
/// else.
struct Text(Vec<u8>);

impl Text {
    fn word(&mut self, word: &str) -> &mut Self {
        self.0.extend_from_slice(word.as_bytes());
        self
    }

    fn number(&mut self, mut number: u64) -> &mut Self {
        let start = self.0.len();
        loop {
            // A digit.
            self.0.push(b'0' + u8::try_from(number % 10).unwrap_or(0));
            number /= 10;
            if number == 0 {
                break;
            }
        }
        if let Some(digits) = self.0.get_mut(start..) {
            digits.reverse();
        }
        self
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        100 => "Continue",
        101 => "Switching Protocols",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(status: u16, situation: Situation) -> String {
        String::from_utf8(answer(status, "text/plain", b"body", &situation)).unwrap()
    }

    const KEPT: Situation =
        Situation { is_head: false, is_old: false, keeps: true, idle: Duration::from_secs(60), now_s: 0 };

    #[test]
    fn a_whole_answer() {
        assert_eq!(
            text(200, KEPT),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\
             Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nServer: memfabric-rs\r\nKeep-Alive: timeout=60\r\n\r\nbody"
        );
    }

    #[test]
    fn lengths_are_written_completely() {
        for length in [0, 9, 10, 100, 4096, 65_535] {
            let body = vec![b'x'; length];
            let answer = String::from_utf8(answer(200, "", &body, &KEPT)).unwrap();
            assert!(answer.contains(&format!("\r\nContent-Length: {length}\r\nDate: ")), "{answer}");
        }
    }

    #[test]
    fn status_and_method_decide_body_and_length() {
        for (status, is_head, has_length, has_body) in [
            (200, false, true, true),
            (200, true, true, false),
            (204, false, false, false),
            (304, false, true, false),
            (101, false, false, false),
            (599, false, true, true),
        ] {
            let answer = text(status, Situation { is_head, ..KEPT });
            assert_eq!(answer.contains("Content-Length"), has_length, "{answer}");
            assert_eq!(answer.ends_with("\r\n\r\nbody"), has_body, "{answer}");
        }
    }

    #[test]
    fn connection_headers_follow_the_situation() {
        let old = Situation { is_old: true, ..KEPT };
        assert!(text(200, old).contains("Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n"));
        let closed = text(200, Situation { keeps: false, ..old });
        assert!(closed.contains("Connection: close\r\n") && !closed.contains("Keep-Alive"));
    }
}
