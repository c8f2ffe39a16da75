// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The server, asked over sockets.

use super::super::site::{Asked, MetricsSite, Page};
use super::*;

const SECRET: &[u8] = b"s3cret";

fn server(secret: Option<&[u8]>, text: &'static str) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = MetricsSite(Box::new(move |_| text.to_owned()));
    Server::start(listener, secret.map(<[u8]>::to_vec), Box::new(site)).unwrap()
}

/// A connection that is given up after a minute.
fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

fn get(server: &Server, headers: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(format!("GET /metrics HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

#[test]
fn request_gets_a_reply_and_the_connection_closes() {
    let server = server(None, "mf 1\n# EOF\n");
    for _ in 0..3 {
        let reply = get(&server, "");
        assert!(reply.starts_with("HTTP/1.1 200 ") && reply.ends_with("\r\n\r\nmf 1\n# EOF\n"), "{reply}");
    }
    // In pieces.
    let mut stream = connect(&server);
    for piece in ["GE", "T /metrics HT", "TP/1.1\r\n\r", "\n"] {
        stream.write_all(piece.as_bytes()).unwrap();
        stream.flush().unwrap();
    }
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.ends_with("# EOF\n"), "{reply}");
}

#[test]
fn dropping_the_server_frees_its_port() {
    let server = server(None, "");
    let (address, open) = (server.address(), connect(&server));
    drop(server);
    assert_eq!(TcpStream::connect(address).unwrap_err().kind(), ErrorKind::ConnectionRefused);
    drop(open);
}

#[test]
fn nothing_is_served_without_the_secret() {
    let server = server(Some(SECRET), "mf 1\n# EOF\n");
    assert!(get(&server, "Authorization: Bearer s3cret\r\n").contains(" 200 "));
    let refused = get(&server, "Authorization: Bearer other\r\n");
    assert!(refused.contains(" 401 ") && !refused.contains("mf 1"), "{refused}");
}

#[test]
fn garbage_is_refused_and_others_are_served() {
    let server = server(None, "mf 1\n# EOF\n");
    let mut garbage = vec![0x16, 3, 1, 0xff];
    garbage.extend((0..100_u32 << 10).map(|index| u8::try_from(index % 251).unwrap_or(0)));
    let mut stream = connect(&server);
    // The server may close before it has taken all.
    let _ = stream.write_all(&garbage);
    let _ = stream.read_to_end(&mut Vec::new());
    assert!(get(&server, "").contains(" 200 "));
}

#[test]
fn silent_connections_do_not_block_others() {
    let server = server(None, "mf 1\n# EOF\n");
    let silent: Vec<TcpStream> = (0..500).map(|_| connect(&server)).collect();
    assert!(get(&server, "").contains(" 200 "));
    drop(silent);
    let silent: Vec<TcpStream> = (0..500).map(|_| connect(&server)).collect();
    assert!(get(&server, "").contains(" 200 "));
    drop(silent);
}

#[test]
fn stalled_readers_are_replaced() {
    let large: &'static str = Box::leak("x".repeat(32 << 20).into_boxed_str());
    let server = server(None, large);
    let ask = || {
        let mut stream = connect(&server);
        stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
        stream
    };
    let slow: Vec<TcpStream> = (0..4).map(|_| ask()).collect();
    assert!(get(&server, "").len() > large.len());
    // The oldest is the first that further ones replace.
    let others: Vec<TcpStream> = (0..CONNECTIONS).map(|_| connect(&server)).collect();
    assert!(get(&server, "").len() > large.len());
    let mut first = slow.into_iter().next().unwrap();
    let mut rest = Vec::new();
    let ended = first.read_to_end(&mut rest);
    assert!(ended.is_err() || rest.len() < large.len(), "{}", rest.len());
    drop(others);
}

/// A site with one page, a stream of events.
struct Events;

impl Site for Events {
    fn page(&self, _: Asked<'_>) -> Option<Page> {
        Some(Page::Events)
    }
}

fn events() -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    Server::start(listener, None, Box::new(Events)).unwrap()
}

fn reader(server: &Server) -> TcpStream {
    let mut stream = connect(server);
    stream.write_all(b"GET /events HTTP/1.1\r\n\r\n").unwrap();
    stream
}

/// Reads until this was read.
fn read_until(stream: &mut TcpStream, wanted: &str) {
    let (mut read, mut room) = (String::new(), [0; 4096]);
    while !read.contains(wanted) {
        let count = stream.read(&mut room).unwrap();
        assert!(count > 0, "the end came before {wanted}");
        read.push_str(&String::from_utf8_lossy(&room[..count]));
    }
}

fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
}

#[test]
fn event_readers_get_the_newest_state_and_are_counted() {
    let server = events();
    let mut readers = [(); 3].map(|()| reader(&server));
    until(|| server.readers() == 3);
    server.publish(b"data: one\n\n".as_slice().into());
    readers.iter_mut().for_each(|reader| read_until(reader, "data: one\n\n"));
    server.publish(b"data: two\n\n".as_slice().into());
    readers.iter_mut().for_each(|reader| read_until(reader, "data: two\n\n"));
    // A later reader gets the newest event.
    read_until(&mut reader(&server), "data: two\n\n");
    drop(readers);
    until(|| server.readers() == 0);
    let mut last = reader(&server);
    until(|| server.readers() == 1);
    server.publish(b"data: three\n\n".as_slice().into());
    read_until(&mut last, "data: three\n\n");
}

#[test]
fn slow_event_readers_are_bounded_and_block_nobody() {
    let server = events();
    let event: Event = format!("data: {}\n\n", "x".repeat(256 << 10)).into_bytes().into();
    for _ in 0..10 {
        let slow: Vec<TcpStream> = (0..100).map(|_| reader(&server)).collect();
        server.publish(Arc::clone(&event));
        until(|| server.readers() > 0);
        assert!(server.readers() <= READERS);
        let mut quick = reader(&server);
        read_until(&mut quick, "retry: ");
        for number in 0..10 {
            let event = format!("data: {} {number}\n\n", "x".repeat(256 << 10));
            server.publish(event.into_bytes().into());
            read_until(&mut quick, &format!(" {number}\n\n"));
        }
        drop(slow);
    }
    // Events without readers are not kept.
    until(|| server.readers() == 0);
    until(|| Arc::strong_count(&event) == 1);
}

#[test]
fn last_event_reaches_all_readers_before_the_server_ends() {
    let server = events();
    let mut readers = [(); 3].map(|()| reader(&server));
    until(|| server.readers() == 3);
    // More than the kernel takes at once.
    let event = format!("data: {} last\n\n", "x".repeat(8 << 20));
    let have_it = std::thread::scope(|scope| {
        let last = |reader: &mut TcpStream| {
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            read.ends_with(b" last\n\n")
        };
        let threads = readers.each_mut().map(|reader| scope.spawn(move || last(reader)));
        server.publish_last(event.into_bytes().into(), Duration::from_secs(60));
        drop(server);
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(have_it, [true; 3]);
}

#[test]
fn last_event_does_not_wait_without_readers_or_for_a_stalled_one() {
    let server = events();
    server.publish_last(b"data: last\n\n".as_slice().into(), Duration::from_secs(60));
    let stalled = reader(&server);
    until(|| server.readers() == 1);
    let event = format!("data: {}\n\n", "x".repeat(32 << 20));
    server.publish_last(event.into_bytes().into(), Duration::from_millis(10));
    drop((server, stalled));
}
