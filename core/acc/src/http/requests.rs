// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Splits the bytes of a connection into requests.

use mf_base::http::{LINE_BYTES_MAX, find_end};

use super::head::{self, HEAD_BYTES_MAX, Head};

/// Largest buffer that is kept for the next request.
const KEPT_BYTES: usize = 4096;

/// A complete request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its head.
    pub head: Head,
    /// Its body.
    pub body: Vec<u8>,
}

/// Progress of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// More bytes are needed.
    More,
    /// The client waits for `100 Continue`.
    Continue,
    /// A complete request.
    Request(Request),
    /// The request cannot be served: answer with the status and close, as the rest of the stream cannot be
    /// interpreted.
    Refuse(u16),
}

/// See the [module documentation](self).
#[derive(Debug)]
pub struct Requests {
    body_bytes_max: u64,
    bytes: Vec<u8>,
    /// Bytes already searched for the end of a head.
    searched: usize,
    /// Head of the present request, while its body arrives.
    head: Option<Head>,
    is_over: bool,
}

impl Requests {
    /// Creates the parser of a server that accepts bodies of at most `body_bytes_max`.
    pub fn new(body_bytes_max: u64) -> Self {
        Self { body_bytes_max, bytes: Vec::new(), searched: 0, head: None, is_over: false }
    }

    /// Appends received bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        if !self.is_over {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Returns the bytes allocated for received data.
    pub fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Returns true if a request has begun and is not complete.
    pub fn is_amid(&self) -> bool {
        self.head.is_some() || !self.bytes.is_empty()
    }

    /// Returns true if the head of a request is complete and its body is not.
    pub fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// Returns the next step. Nothing follows [`Step::Refuse`].
    pub fn step(&mut self) -> Step {
        if self.is_over {
            return Step::More;
        }
        let Some(head) = self.head.take() else { return self.read_head() };
        // Within the limit, which bounds memory.
        let wanted = usize::try_from(head.body_bytes).unwrap_or(usize::MAX);
        if self.bytes.len() < wanted {
            self.head = Some(head);
            return Step::More;
        }
        if wanted == 0 {
            return Step::Request(Request { head, body: Vec::new() });
        }
        let rest = self.bytes.split_off(wanted);
        Step::Request(Request { head, body: std::mem::replace(&mut self.bytes, rest) })
    }

    fn read_head(&mut self) -> Step {
        // Empty lines before a request are skipped, as some clients end a body with one.
        let blank = self.bytes.chunks_exact(2).take_while(|two| two == b"\r\n").count() * 2;
        if blank > 0 {
            self.bytes.drain(..blank);
            self.searched = 0;
        }
        let Some(end) = find_end(&self.bytes, self.searched) else {
            self.searched = self.bytes.len();
            return match self.is_hopeless() {
                true => self.refuse(400),
                false => Step::More,
            };
        };
        self.searched = 0;
        if end > HEAD_BYTES_MAX {
            return self.refuse(400);
        }
        let read = head::read(self.bytes.get(..end).unwrap_or_default(), self.body_bytes_max);
        // The buffer is kept for the next request, unless it is too large for an idle client.
        self.bytes.drain(..end);
        if self.bytes.is_empty() && self.bytes.capacity() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
        match read {
            Err(status) => self.refuse(status),
            Ok(head) => {
                let waits = head.expects && (self.bytes.len() as u64) < head.body_bytes;
                self.head = Some(head);
                if waits { Step::Continue } else { self.step() }
            }
        }
    }

    /// Returns true if the received bytes can never become a request.
    fn is_hopeless(&self) -> bool {
        if self.bytes.len() > HEAD_BYTES_MAX {
            return true;
        }
        let first = self.bytes.get(..self.bytes.len().min(LINE_BYTES_MAX + 2)).unwrap_or_default();
        let line = first.iter().position(|byte| *byte == b'\n');
        // The line is too long, or these bytes belong to another protocol.
        (line.is_none() && self.bytes.len() > LINE_BYTES_MAX)
            || first.iter().take(line.unwrap_or(usize::MAX)).any(|byte| *byte == 0 || *byte >= 0x80)
    }

    fn refuse(&mut self, status: u16) -> Step {
        self.is_over = true;
        self.bytes = Vec::new();
        Step::Refuse(status)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Method;
    use super::*;

    const BODY_MAX: u64 = 100;

    const PARTS: &[&[u8]] = &[
        b"GET / HTTP/1.1\r\n",
        b"POST /a?b=%41 HTTP/1.0\r\n",
        b"\r\n",
        b"Content-Length: 3\r\n",
        b"Connection: close\r\n",
        b" folded\r\n",
        b"abc",
        b"\n",
        b"\0",
        b"Expect: 100-continue\r\n",
    ];

    /// Returns all steps of a stream that arrives in pieces.
    fn steps(stream: &[u8], piece: usize) -> Vec<Step> {
        let mut requests = Requests::new(BODY_MAX);
        let mut steps = Vec::new();
        for piece in stream.chunks(piece.max(1)) {
            requests.feed(piece);
            loop {
                match requests.step() {
                    Step::More => break,
                    step => steps.push(step),
                }
            }
        }
        steps
    }

    fn only(stream: &str) -> Step {
        for piece in [1, 3, 17] {
            assert_eq!(steps(stream.as_bytes(), piece), steps(stream.as_bytes(), usize::MAX), "{stream:?}");
        }
        let mut all = steps(stream.as_bytes(), usize::MAX);
        assert_eq!(all.len(), 1, "{stream:?}: {all:?}");
        all.remove(0)
    }

    fn request(stream: &str) -> Request {
        match only(stream) {
            Step::Request(request) => request,
            other => panic!("{stream:?}: {other:?}"),
        }
    }

    #[test]
    fn malformed_requests_get_their_status() {
        let long = "x".repeat(LINE_BYTES_MAX);
        let many = "a: b\r\n".repeat(100_000);
        let table: &[(&str, u16)] = &[
            ("GET /\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\n\r\n", 400),
            ("GET / HTTP/1.2\r\n\r\n", 400),
            ("GET / http/1.1\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1 \r\n\r\n", 400),
            ("get / HTTP/1.1\r\n\r\n", 400),
            ("BREW / HTTP/1.1\r\n\r\n", 400),
            ("GET x HTTP/1.1\r\n\r\n", 400),
            ("GET /\u{e4} HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n: value\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nbad name: value\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n folded: first\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\na: b\rc\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\na: b\0\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\n", 411),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: one\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1,1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
            (&format!("GET /{long} HTTP/1.1\r\n\r\n"), 400),
            (&format!("GET / HTTP/1.1\r\na: {long}\r\n\r\n"), 400),
            (&format!("GET / HTTP/1.1\r\n{many}\r\n"), 400),
        ];
        for (stream, status) in table {
            assert_eq!(only(stream), Step::Refuse(*status), "{:?}", stream.get(..60).unwrap_or(stream));
        }
        assert_eq!(steps(b"\x16\x03\x01\x02\x00", usize::MAX), [Step::Refuse(400)]);
    }

    #[test]
    fn heads_are_parsed() {
        let plain = request("GET /a/b?x=1&y HTTP/1.1\r\nHost: h\r\n\r\n");
        assert_eq!(
            plain.head,
            Head {
                method: Method::Get,
                path: "/a/b".to_owned(),
                query: "x=1&y".to_owned(),
                keeps: true,
                is_old: false,
                body_bytes: 0,
                expects: false,
            }
        );
        let keeps = |version, headers| request(&format!("GET / HTTP/{version}\r\n{headers}\r\n")).head.keeps;
        assert!(keeps("1.1", "") && keeps("1.1", "CONNECTION:  Keep-Alive\r\n"));
        assert!(!keeps("1.1", "connection: a, CLOSE\r\n") && !keeps("1.1", "Connection:\r\n close\r\n"));
        assert!(!keeps("1.0", "") && keeps("1.0", "Connection: keep-alive\r\n"));
        assert_eq!(request("GET http://host:1/p?q HTTP/1.1\r\n\r\n").head.path, "/p");
        assert_eq!(request("GET http://host HTTP/1.1\r\n\r\n").head.path, "/");
        assert_eq!(request("CONNECT host:1 HTTP/1.1\r\n\r\n").head.method, Method::Connect);
        assert_eq!(request("OPTIONS * HTTP/1.1\r\n\r\n").head.path, "*");
        assert_eq!(request("\r\n\r\nGET /a HTTP/1.1\r\n\r\n").head.path, "/a");
        for (number, method) in Method::ALL.iter().enumerate() {
            assert_eq!(Method::from_number(u8::try_from(number).unwrap()), Some(*method));
        }
        assert_eq!(Method::from_number(9), None);
    }

    #[test]
    fn bodies_and_pipelined_requests_are_cut() {
        let stream =
            "POST /a HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\n\r\n";
        for piece in [1, 2, 7, usize::MAX] {
            let found = steps(stream.as_bytes(), piece);
            let paths: Vec<_> = found
                .iter()
                .map(|step| match step {
                    Step::Request(request) => (request.head.path.as_str(), request.body.as_slice()),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(paths, [("/a", &b"hello"[..]), ("/b", b"")]);
        }
    }

    #[test]
    fn expect_header_gets_one_continue() {
        let head = "PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
        let mut requests = Requests::new(BODY_MAX);
        requests.feed(head.as_bytes());
        assert_eq!(requests.step(), Step::Continue);
        assert_eq!(requests.step(), Step::More);
        assert!(requests.is_amid());
        requests.feed(b"ok");
        assert!(matches!(requests.step(), Step::Request(request) if request.body == b"ok"));
        assert!(!requests.is_amid());
        // The body has arrived already, or is empty: the client does not wait.
        assert!(matches!(steps(format!("{head}ok").as_bytes(), usize::MAX)[..], [Step::Request(_)]));
        let empty = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n";
        assert!(matches!(only(empty), Step::Request(_)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed_or_refused_for_any_chunking(
            parts in prop::collection::vec(prop::sample::select(PARTS), 0..12),
            piece in 1..40_usize,
        ) {
            let stream: Vec<u8> = parts.concat();
            let is_continue = |step: &Step| *step == Step::Continue;
            let (mut one, mut other) = (steps(&stream, piece), steps(&stream, usize::MAX));
            // A body that has arrived already is not requested.
            one.retain(|step| !is_continue(step));
            other.retain(|step| !is_continue(step));
            prop_assert_eq!(one, other);
        }
    }
}
