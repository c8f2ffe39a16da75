// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The server against clients that are none, and the ends of servers.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};
use mf_store::{Change, Client, Lifetime, Server, ServerOptions, Store};

use super::members::{PATIENCE, client, client_options, deadline, server, server_options};

/// A frame as `protocol/frame.rs` describes it.
fn frame(version: u16, kind: u8, length: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"MFST".to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend([kind, 0]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(0u64.to_le_bytes());
    bytes.extend(body);
    bytes
}

const HELLO: u8 = 1;
const REQUEST: u8 = 6;
const REFUSED: u8 = 5;

/// Sends `bytes` to the server and returns all it says until it closes.
fn provoke(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut socket = TcpStream::connect(server.address()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.write_all(bytes).unwrap();
    let mut said = Vec::new();
    // A reset after the answer is as good as an end.
    let _ = socket.read_to_end(&mut said);
    said
}

/// The text of the refusal that follows the server's challenge.
fn refusal(said: &[u8]) -> String {
    let challenge = 20 + 32;
    assert!(said.len() > challenge + 20, "the server said {} bytes", said.len());
    assert_eq!(&said[..4], b"MFST");
    assert_eq!(said[challenge + 6], REFUSED);
    String::from_utf8_lossy(&said[challenge + 20..]).into_owned()
}

#[test]
fn busy_port_is_in_use_at_once() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap();
    let error = Server::start(ServerOptions { listen, ..server_options(1) }).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse);
    assert!(error.to_string().contains(&listen.to_string()), "{error}");
    let ours = server(1);
    let error = Server::start(ServerOptions { listen: ours.address(), ..server_options(1) }).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse);
}

#[test]
fn foreign_address_and_wrong_world_are_refused() {
    let listen = "192.0.2.1:5570".parse().unwrap();
    let error = Server::start(ServerOptions { listen, ..server_options(1) }).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("not one of this machine"), "{error}");
    assert_eq!(Server::start(server_options(1025)).unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn strangers_are_told_and_harm_nobody() {
    let server = server(2);
    let member = client(&server, 2, Some(0)).unwrap();
    for (bytes, part) in [
        (b"\x00\x01\x02garbage".to_vec(), "does not speak the protocol"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(), "GET "),
        (frame(2, HELLO, 32, &[0; 32]), "version 2"),
        (frame(1, HELLO, u32::MAX, &[]), "4294967295 bytes"),
        (frame(1, HELLO, 5000, &[]), "5000 bytes"),
        (frame(1, HELLO, 3, &[1, 2, 3]), "malformed Hello"),
        (frame(1, REQUEST, 0, &[]), "unknown kind 6"),
        (frame(1, 77, 0, &[]), "unknown kind 77"),
    ] {
        let text = refusal(&provoke(&server, &bytes));
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(member.add("n", 1).unwrap(), 1);
}

#[test]
fn half_hello_then_close_harms_nobody() {
    let server = server(1);
    for bytes in [&frame(1, HELLO, 32, &[0; 32])[..30], b"MF", b""] {
        let mut socket = TcpStream::connect(server.address()).unwrap();
        socket.write_all(bytes).unwrap();
        socket.shutdown(Shutdown::Write).unwrap();
        let mut said = Vec::new();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket.read_to_end(&mut said).unwrap();
    }
    assert_eq!(client(&server, 1, None).unwrap().member().rank, Rank(0));
}

#[test]
fn wrong_secret_is_refused_on_both_sides() {
    let server = Server::start(ServerOptions { secret: b"right".to_vec(), ..server_options(1) }).unwrap();
    for secret in [&b"wrong"[..], b""] {
        let options = client_options(server.address(), 1, None);
        let error =
            Client::connect(mf_store::ClientOptions { secret: secret.to_vec(), ..options }).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains("the job secret differs"), "{error}");
    }
    let options = client_options(server.address(), 1, None);
    let member = Client::connect(mf_store::ClientOptions { secret: b"right".to_vec(), ..options }).unwrap();
    assert_eq!(member.member().rank, Rank(0));
    assert!(!format!("{:?} {member:?}", server_options(1)).contains("secret"));
}

#[test]
fn world_size_of_others_is_refused_with_both_numbers() {
    let server = server(0);
    let _first = client(&server, 4, None).unwrap();
    let error = client(&server, 5, None).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("5 here and 4 in the store"), "{error}");
}

#[test]
fn full_world_times_out_saying_so() {
    let server = server(1);
    let _first = client(&server, 1, None).unwrap();
    let mut options = client_options(server.address(), 1, None);
    options.connect_deadline = Instant::now() + Duration::from_millis(50);
    let error = Client::connect(options).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("all 1 ranks are taken"), "{error}");
}

#[test]
fn full_world_admits_when_a_rank_is_freed() {
    let server = server(1);
    let first = client(&server, 1, None).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client(&server, 1, None).unwrap().member().rank);
        first.sever();
        assert_eq!(waiting.join().unwrap(), Rank(0));
    });
}

#[test]
fn stopped_server_fails_pending_calls_and_tells_watches_once() {
    let mut server = server(1);
    let store = client(&server, 1, None).unwrap();
    let (sender, seen) = channel();
    let sender = Mutex::new(sender);
    store
        .watch("", Arc::new(move |change: &Change| sender.lock().unwrap().send(change.clone()).unwrap()))
        .unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| store.wait("k", deadline()));
        let inside = scope.spawn(|| store.barrier("b", 1, deadline()));
        inside.join().unwrap().unwrap();
        server.stop();
        let error = waiting.join().unwrap().unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected);
    });
    assert_eq!(seen.recv_timeout(PATIENCE).unwrap(), Change::StoreLost);
    // The callback is dropped after its last call, and with it the only sender.
    assert!(seen.recv_timeout(PATIENCE).is_err());
    assert!(!store.is_connected());
    assert_eq!(store.get("k").unwrap_err().kind(), Kind::NotConnected);
    server.stop();
    // The port is free for the next job.
    Server::start(ServerOptions { listen: server.address(), ..server_options(1) }).unwrap();
}

#[test]
fn lingering_server_serves_until_the_last_has_gone() {
    let server = server(2);
    let address = server.address();
    let (one, two) = (client(&server, 2, Some(0)).unwrap(), client(&server, 2, Some(1)).unwrap());
    server.linger();
    one.close();
    two.set("k", b"", Lifetime::Session).unwrap();
    two.close();
    // The port is free once the server has ended.
    let until = deadline();
    let mut again = Server::start(ServerOptions { listen: address, ..server_options(1) });
    while again.is_err() && Instant::now() < until {
        std::thread::yield_now();
        again = Server::start(ServerOptions { listen: address, ..server_options(1) });
    }
    again.unwrap();
}

#[test]
fn client_that_does_not_read_is_dropped_and_others_go_on() {
    let server = server(2);
    let (writer, reader) = (client(&server, 2, Some(0)).unwrap(), client(&server, 2, Some(1)).unwrap());
    let (sender, seen) = channel::<()>();
    let (blocked, block) = (Mutex::new(sender), Mutex::new(()));
    let gate = Arc::new(block);
    let guard = gate.lock().unwrap();
    let inner = Arc::clone(&gate);
    reader
        .watch(
            "k",
            Arc::new(move |_| {
                let _ = blocked.lock().unwrap().send(());
                drop(inner.lock());
            }),
        )
        .unwrap();
    reader.set("alive", b"", Lifetime::Session).unwrap();
    let value = vec![7; 8 << 20];
    let until = deadline();
    // Its callback holds the reader up until the queue overflows and the store lets go of it.
    while writer.get("alive").unwrap().is_some() {
        assert!(Instant::now() < until, "the slow client is still there");
        writer.set("k", &value, Lifetime::Permanent).unwrap();
    }
    seen.recv_timeout(PATIENCE).unwrap();
    drop(guard);
    assert_eq!(writer.add("n", 1).unwrap(), 1);
}
