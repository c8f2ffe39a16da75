// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests and replies of the server, without sockets: HTTP/1.1, one request a connection.

use base64ct::{Base64, Encoding};
use mf_base::http;

use super::site::{Asked, Page, Site, is_own_name};

/// Longest head of a request; bodies are not read.
pub(super) const HEAD_BYTES_MAX: usize = 8 << 10;

/// Next step for the bytes that a client has sent so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// More are needed.
    More,
    /// This is sent, and the connection closed.
    Reply(Vec<u8>),
    /// Send this, then events.
    Events(Vec<u8>),
}

/// Handles the received bytes. `secret`: the client must prove that it knows it; without a secret only the
/// loopback is served, by its own names. `site` has the requested pages.
pub(super) fn step(bytes: &[u8], secret: Option<&[u8]>, site: &dyn Site) -> Step {
    let Some(end) = http::find_end(bytes, 0) else {
        return match bytes.len() {
            ..=HEAD_BYTES_MAX => Step::More,
            _ => Step::Reply(error(431, "Request Header Fields Too Large", "")),
        };
    };
    let head = bytes.get(..end).filter(|_| end <= HEAD_BYTES_MAX).and_then(http::read);
    let Some(head) = head else { return Step::Reply(error(400, "Bad Request", "")) };
    let method = head.method;
    if let Some(secret) = secret
        && !head.values("authorization").any(|value| proves(value, secret))
    {
        let ask = "WWW-Authenticate: Basic realm=\"secret of the job\"\r\n";
        return Step::Reply(error(401, "Unauthorized", ask));
    }
    if !matches!(method, "GET" | "HEAD") {
        return Step::Reply(error(405, "Method Not Allowed", "Allow: GET, HEAD\r\n"));
    }
    let path = head.target.split('?').next().unwrap_or_default();
    let host = head.values("host").next().map(str::from_utf8);
    let Ok(host) = host.transpose() else { return Step::Reply(error(400, "Bad Request", "")) };
    if secret.is_none() && !host.is_none_or(is_own_name) {
        return Step::Reply(error(404, "Not Found", ""));
    }
    let accept: Vec<&str> = head.values("accept").filter_map(|value| str::from_utf8(value).ok()).collect();
    let (media_type, headers, body) = match site.page(Asked { path, accept: &accept.join(",") }) {
        Some(Page::Text { media_type, headers, body }) => (media_type, headers, body),
        Some(Page::Events) if method == "GET" => return Step::Events(EVENTS.to_vec()),
        Some(Page::Events) => return Step::Reply(error(405, "Method Not Allowed", "Allow: GET\r\n")),
        None => return Step::Reply(error(404, "Not Found", "")),
    };
    let mut reply = reply(200, "OK", &format!("Content-Type: {media_type}\r\n{headers}"), body.len());
    if method == "GET" {
        reply.extend_from_slice(body.as_bytes());
    }
    Step::Reply(reply)
}

/// The head of events; a client that was cut off comes again after a moment.
const EVENTS: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
    Connection: close\r\n\r\nretry: 2000\n\n";

fn reply(code: u16, text: &str, headers: &str, bytes: usize) -> Vec<u8> {
    format!(
        "HTTP/1.1 {code} {text}\r\n{headers}Content-Length: {bytes}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n"
    )
    .into_bytes()
}

fn error(code: u16, text: &str, headers: &str) -> Vec<u8> {
    let body = format!("{text}\n");
    let mut reply =
        reply(code, text, &format!("Content-Type: text/plain; charset=utf-8\r\n{headers}"), body.len());
    reply.extend_from_slice(body.as_bytes());
    reply
}

/// Returns true if a client has the secret: as bearer token, or as the password of any user.
fn proves(authorization: &[u8], secret: &[u8]) -> bool {
    let Some((scheme, given)) = str::from_utf8(authorization).ok().and_then(|text| text.split_once(' '))
    else {
        return false;
    };
    let given = given.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return are_equal(given.as_bytes(), secret);
    }
    let user = scheme.eq_ignore_ascii_case("basic").then(|| Base64::decode_vec(given).ok()).flatten();
    let password = user.as_deref().and_then(|user| user.splitn(2, |byte| *byte == b':').nth(1));
    password.is_some_and(|password| are_equal(password, secret))
}

/// Takes as long wherever they differ.
fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |sum, (one, other)| sum | (one ^ other));
    std::hint::black_box(differ) == 0 && one.len() == other.len()
}

#[cfg(test)]
mod tests {
    use super::super::site::MetricsSite;
    use super::super::text::Format;
    use super::*;

    fn site() -> MetricsSite {
        MetricsSite(Box::new(|format| match format {
            Format::OpenMetrics => "mf 1\n# EOF\n".to_owned(),
            Format::Prometheus => "mf 1\n".to_owned(),
        }))
    }

    fn replied(request: &str, secret: Option<&str>) -> String {
        match step(request.as_bytes(), secret.map(str::as_bytes), &site()) {
            Step::Reply(reply) | Step::Events(reply) => String::from_utf8(reply).unwrap(),
            Step::More => "more".to_owned(),
        }
    }

    #[test]
    fn metrics_requests_get_the_metrics() {
        let reply = replied("GET /metrics?x=1 HTTP/1.1\r\nHost: localhost:9464\r\n\r\n", None);
        assert!(
            reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.ends_with("\r\n\r\nmf 1\n# EOF\n"),
            "{reply}"
        );
        assert!(
            reply.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n")
        );
        assert!(reply.contains("Content-Length: 11\r\n"));
        let plain = replied("GET /metrics HTTP/1.1\r\nAccept: text/plain\r\nAccept: */*;q=0.1\r\n\r\n", None);
        assert!(plain.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{plain}");
        assert!(plain.ends_with("\r\n\r\nmf 1\n"), "{plain}");
        assert!(replied("HEAD /metrics HTTP/1.0\r\n\r\n", None).ends_with("close\r\n\r\n"));
        for (request, code) in [
            ("POST /metrics HTTP/1.1\r\n\r\n", " 405 "),
            ("GET /other HTTP/1.1\r\n\r\n", " 404 "),
            ("GET / HTTP/1.1\r\n\r\n", " 200 "),
            ("GET /metrics\r\n\r\n", " 400 "),
            ("GET /metrics HTTP/1.1 x\r\n\r\n", " 400 "),
            ("\r\n\r\n", " 400 "),
        ] {
            assert!(replied(request, None).contains(code), "{request:?}");
        }
        assert_eq!(replied("GET /metrics HTTP/1.1\r\n", None), "more");
        assert!(replied(&"x".repeat(HEAD_BYTES_MAX + 1), None).contains(" 431 "));
        let Step::Reply(bad) = step(b"\xff\xfe\r\n\r\n", None, &site()) else { panic!("more") };
        assert!(bad.starts_with(b"HTTP/1.1 400 "));
    }

    #[test]
    fn loopback_server_refuses_foreign_host_names() {
        for (host, is_served) in [
            ("127.0.0.1:9464", true),
            ("[::1]:9464", true),
            ("localhost", true),
            ("evil.example:9464", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            let get = format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\n");
            assert_eq!(replied(&format!("{get}\r\n"), None).contains(" 200 "), is_served, "{host}");
            // Off the loopback the secret decides.
            let proved = format!("{get}Authorization: Bearer s3cret\r\n\r\n");
            assert!(replied(&proved, Some("s3cret")).contains(" 200 "), "{host}");
        }
    }

    #[test]
    fn only_the_secret_authorises() {
        let get =
            |header: &str| replied(&format!("GET /metrics HTTP/1.1\r\n{header}\r\n\r\n"), Some("s3cret"));
        for good in [
            "Authorization: Bearer s3cret",
            "authorization:  bearer s3cret ",
            // any:s3cret
            "Authorization: Basic YW55OnMzY3JldA==",
        ] {
            assert!(get(good).contains(" 200 "), "{good}");
        }
        for bad in [
            "Host: a",
            "Authorization: Bearer s3cre",
            "Authorization: Bearer s3cretx",
            "Authorization: Bearer ",
            "Authorization: s3cret",
            "X: Bearer s3cret",
            "Authorization: Basic s3cret",
            "Authorization: Basic !!!!",
        ] {
            assert!(get(bad).contains(" 401 ") && get(bad).contains("WWW-Authenticate"), "{bad}");
        }
    }
}
