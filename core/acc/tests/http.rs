// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The HTTP server over real sockets. Malformed requests are covered by the parser's own tests.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test; helpers outside of test functions may fail it, too"
)]

mod servers;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use mf_acc::http::Method;
use mf_acc::{Bounds, HttpOptions, HttpRequest, Link, Protocol, Server, Times};
use servers::*;

const BODY_MAX: u64 = 1 << 20;

fn options(times: Times) -> HttpOptions {
    HttpOptions {
        listen: (address_here(), 0),
        workers: 2,
        body_bytes_max: BODY_MAX,
        times,
        bounds: Bounds::default(),
    }
}

/// Creates a server whose routes echo the request.
fn server_with(times: Times) -> Server {
    let server = Server::new(Protocol::Http);
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    let echo: mf_acc::RouteFn = Arc::new(|request: &Arc<HttpRequest>| {
        let text = [request.path().as_bytes(), b" ", request.body()].concat();
        request.reply(200, "text/plain", &text).unwrap();
        assert!(request.reply(200, "text/plain", &text).is_err());
        0
    });
    server.on_http(Method::Get, "/get", Arc::clone(&echo)).unwrap();
    server.on_http(Method::Post, "/post", Arc::clone(&echo)).unwrap();
    server.on_http(Method::Put, "*", echo).unwrap();
    server.on_http(Method::Get, "/silent", Arc::new(|_: &Arc<HttpRequest>| 0)).unwrap();
    server.start_http(&options(times), None).unwrap();
    server
}

fn server() -> Server {
    server_with(Times::default())
}

fn socket(server: &Server) -> TcpStream {
    let socket = TcpStream::connect(server.address().unwrap()).unwrap();
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    socket.set_nodelay(true).unwrap();
    socket
}

/// Reads until the server closes.
fn rest(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    socket.read_to_end(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Reads one response with its body.
fn answer(socket: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
    let head = String::from_utf8(text).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    let mut body = vec![0; length.map_or(0, |digits| digits.parse().unwrap())];
    socket.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

#[test]
fn routes_methods_and_paths() {
    let server = server();
    let mut client = socket(&server);
    for (request, status, body) in [
        ("GET /get?a=b", "200 OK", "/get "),
        ("GET /get/", "404 Not Found", ""),
        ("HEAD /get", "405 Method Not Allowed", ""),
        ("POST /get", "405 Method Not Allowed", ""),
        ("PUT /get", "200 OK", "/get "),
        ("PUT /anything/else", "200 OK", "/anything/else "),
        ("CONNECT host:1", "405 Method Not Allowed", ""),
        ("GET /silent", "500 Internal Server Error", ""),
        ("DELETE /nowhere", "404 Not Found", ""),
        ("OPTIONS *", "404 Not Found", ""),
    ] {
        client.write_all(format!("{request} HTTP/1.1\r\nHost: here\r\n\r\n").as_bytes()).unwrap();
        let answer = answer(&mut client);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{request}: {answer}");
        assert!(answer.ends_with(&format!("\r\n\r\n{body}")), "{request}: {answer}");
        for header in ["Content-Length: ", "Date: ", "Server: ", "Keep-Alive: timeout=60\r\n"] {
            assert!(answer.contains(header), "{answer}");
        }
    }
    server.stop().unwrap();
}

#[test]
fn connection_closes_after_malformed_or_final_requests() {
    let server = server();
    let many = "a: b\r\n".repeat(100_000);
    let long = "x".repeat(1 << 20);
    for (request, status) in [
        ("rubbish\r\n\r\n".to_owned(), 400),
        ("\x16\x03\x01\x00\x05".to_owned(), 400),
        (format!("GET /get HTTP/1.1\r\n{many}\r\n"), 400),
        (format!("GET /{long} HTTP/1.1\r\n\r\n"), 400),
        ("POST /post HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(), 411),
        (format!("POST /post HTTP/1.1\r\nContent-Length: {}\r\n\r\n{long}{long}", BODY_MAX + 1), 413),
        ("GET /get HTTP/1.1\r\nConnection: close\r\n\r\nGET /get HTTP/1.1\r\n\r\n".to_owned(), 200),
        ("GET /get HTTP/1.0\r\n\r\nGET /get HTTP/1.0\r\n\r\n".to_owned(), 200),
    ] {
        let mut client = socket(&server);
        // The server may have closed before all of it was sent.
        let _ = client.write_all(request.as_bytes());
        let answer = rest(&mut client);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{}: {answer}",
            &request[..20.min(request.len())]
        );
        assert!(answer.contains("Connection: close\r\n"), "{answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    }
    server.stop().unwrap();
}

#[test]
fn pipelined_requests_are_answered_in_order_at_any_read_rate() {
    const COUNT: usize = 400;
    let server = server();
    let mut client = socket(&server);
    let body = "b".repeat(30_000);
    let mut reader = client.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        for number in 0..COUNT {
            let length = body.len();
            let request = format!("PUT /{number} HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}");
            client.write_all(request.as_bytes()).unwrap();
        }
        client
    });
    for number in 0..COUNT {
        let answer = answer(&mut reader);
        assert!(answer.contains(&format!("\r\n\r\n/{number} bbb")), "{number}: {}", &answer[..200]);
    }
    drop(writer.join().unwrap());
    server.stop().unwrap();
}

#[test]
fn client_that_reads_no_replies_is_throttled() {
    let server = server();
    let mut client = socket(&server);
    client.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
    let body = "b".repeat(200_000);
    let request = format!("PUT /x HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let mut sent = 0;
    while client.write_all(request.as_bytes()).is_ok() {
        sent += 1;
        assert!(sent < 1000, "the server takes all and keeps it");
    }
    // Other clients are served.
    let mut other = socket(&server);
    other.write_all(b"GET /get HTTP/1.1\r\n\r\n").unwrap();
    assert!(answer(&mut other).ends_with("/get "));
    // Once the client reads again, the server goes on.
    let mut reader = client.try_clone().unwrap();
    for _ in 0..sent {
        assert!(answer(&mut reader).starts_with("HTTP/1.1 200"));
    }
    server.stop().unwrap();
}

#[test]
fn expect_header_gets_continue_before_the_body() {
    let server = server();
    let mut client = socket(&server);
    client.write_all(b"POST /post HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n").unwrap();
    assert_eq!(answer(&mut client), "HTTP/1.1 100 Continue\r\n\r\n");
    client.write_all(b"body").unwrap();
    assert!(answer(&mut client).ends_with("/post body"));
    server.stop().unwrap();
}

#[test]
fn bodies_in_small_pieces_and_half_requests() {
    let server = server();
    let mut client = socket(&server);
    for byte in b"POST /post HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody" {
        client.write_all(&[*byte]).unwrap();
    }
    assert!(answer(&mut client).ends_with("/post body"));
    client.write_all(b"POST /post HTTP/1.1\r\nContent-Length: 4\r\n\r\nbo").unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    assert_eq!(rest(&mut client), "");
    server.stop().unwrap();
}

#[test]
fn idle_and_slow_connections_are_closed_after_a_time() {
    let server = server_with(Times { idle: Duration::from_millis(50), ..Times::default() });
    let mut idle = socket(&server);
    assert_eq!(rest(&mut idle), "");
    let mut slow = socket(&server);
    slow.write_all(b"GET /get HTTP/1.1\r\nHos").unwrap();
    assert!(rest(&mut slow).starts_with("HTTP/1.1 408 "));
    server.stop().unwrap();
}

#[test]
fn ended_connections_are_reported_once_and_stop_waits_for_handlers() {
    let server = Server::new(Protocol::Http);
    let ended = Arc::new(AtomicUsize::new(0));
    let (broken, all) = mpsc::channel();
    let (entered, inside) = mpsc::channel();
    server.on_broken(Some(Arc::new(move |link: &Arc<Link>| {
        assert!(link.send((ECHO, 0, 0), b"", &[], false).is_err());
        broken.send(link.id()).unwrap();
    })));
    let seen = Arc::clone(&ended);
    server
        .on_http(
            Method::Get,
            "/",
            Arc::new(move |request: &Arc<HttpRequest>| {
                entered.send(()).unwrap();
                std::thread::yield_now();
                request.reply(200, "text/plain", b"").unwrap();
                seen.fetch_add(1, Ordering::SeqCst);
                0
            }),
        )
        .unwrap();
    server.start_http(&options(Times::default()), None).unwrap();
    let mut client = socket(&server);
    client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    answer(&mut client);
    drop(client);
    next(&inside);
    let first = next(&all);
    let mut client = socket(&server);
    client.write_all(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap();
    rest(&mut client);
    drop(client);
    next(&inside);
    assert_ne!(next(&all), first);
    let mut client = socket(&server);
    client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    next(&inside);
    server.stop().unwrap();
    assert_eq!(ended.load(Ordering::SeqCst), 3);
    assert!(all.try_recv().is_err());
}
