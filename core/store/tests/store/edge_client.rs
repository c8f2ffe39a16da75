// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The client against servers that are none.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank};
use mf_store::{Client, ClientOptions, Server, ServerOptions, Store};

use super::members::{any_port, client_options, deadline, server, server_options};

/// Connects to a program that treats each connection as `serve` does, and returns the error.
fn meet(limit: Duration, serve: impl Fn(TcpStream) + Send + 'static) -> Error {
    let listener = TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || listener.incoming().for_each(|socket| serve(socket.unwrap())));
    let options =
        ClientOptions { connect_deadline: Instant::now() + limit, ..client_options(address, 2, None) };
    let error = Client::connect(options).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    assert!(error.to_string().contains(&address.to_string()), "{error}");
    error
}

fn says(words: &'static [u8]) -> impl Fn(TcpStream) + Send {
    move |mut socket| {
        let mut heard = [0; 16];
        let _ = socket.read(&mut heard);
        let _ = socket.write_all(words);
    }
}

/// A port that nobody listens on.
fn free_port() -> SocketAddr {
    TcpListener::bind(any_port()).unwrap().local_addr().unwrap()
}

#[test]
fn http_server_is_found_out() {
    let error = meet(deadline() - Instant::now(), says(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
    assert!(error.to_string().contains("not a memfabric store"), "{error}");
    assert!(error.to_string().contains("HTTP"), "{error}");
}

#[test]
fn store_of_another_version_is_found_out() {
    let error = meet(deadline() - Instant::now(), says(b"MFST\x07\x00\x02\x00"));
    assert!(error.to_string().contains("version 7"), "{error}");
}

#[test]
fn malformed_and_oversized_answers_are_found_out() {
    let error = meet(deadline() - Instant::now(), says(b"MFST\x01\x00\x02\x00\xff\xff\xff\xff12345678"));
    assert!(error.to_string().contains("4294967295 bytes"), "{error}");
    let error = meet(deadline() - Instant::now(), says(b"MFST\x01\x00\x02\x00\x01\x00\x00\x0012345678x"));
    assert!(error.to_string().contains("malformed Challenge"), "{error}");
}

#[test]
fn silent_program_is_found_out() {
    let held = std::sync::Mutex::new(Vec::new());
    let error = meet(Duration::from_millis(100), move |socket| held.lock().unwrap().push(socket));
    assert!(error.to_string().contains("said nothing"), "{error}");
}

#[test]
fn program_that_hangs_up_is_tried_until_the_deadline() {
    let error = meet(Duration::from_millis(100), drop);
    assert!(error.to_string().contains("closed the connection without an answer"), "{error}");
}

#[test]
fn missing_store_times_out_naming_url_and_time() {
    let address = free_port();
    let limit = Duration::from_millis(60);
    let started = Instant::now();
    let options = ClientOptions { connect_deadline: started + limit, ..client_options(address, 2, None) };
    let error = Client::connect(options).unwrap_err();
    assert!(started.elapsed() >= limit);
    assert_eq!(error.kind(), Kind::Timeout);
    for part in [format!("tcp://{address}"), "waited_ms".to_owned(), "is the store started?".to_owned()] {
        assert!(error.to_string().contains(&part), "{error}");
    }
}

#[test]
fn client_that_comes_first_waits_for_the_store() {
    let address = free_port();
    std::thread::scope(|scope| {
        let early = scope.spawn(|| Client::connect(client_options(address, 1, None)));
        let _server = Server::start(ServerOptions { listen: address, ..server_options(1) }).unwrap();
        assert_eq!(early.join().unwrap().unwrap().member().rank, Rank(0));
    });
}

#[test]
fn wrong_arguments_are_refused_without_connecting() {
    let address = free_port();
    for (world_size, rank) in [(0, None), (1025, None), (4, Some(4))] {
        let error = Client::connect(client_options(address, world_size, rank)).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    }
}

#[test]
fn stopped_process_of_the_store_times_requests_out() {
    // A server that gives a rank and then falls silent: a real one, behind a relay that stops relaying.
    let server = server(1);
    let relay = TcpListener::bind(any_port()).unwrap();
    let address = relay.local_addr().unwrap();
    let upstream = server.address();
    let relaying = std::thread::spawn(move || {
        let (near, _) = relay.accept().unwrap();
        let far = TcpStream::connect(upstream).unwrap();
        let (mut from_near, mut to_far) = (near.try_clone().unwrap(), far.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut from_near, &mut to_far));
        let (mut from_far, mut to_near) = (far, near);
        // Challenge and welcome, then nothing.
        for bytes in [20 + 32, 20 + 32 + 1 + 1 + 1 + 32] {
            let mut words = vec![0; bytes];
            from_far.read_exact(&mut words).unwrap();
            to_near.write_all(&words).unwrap();
        }
        (from_far, to_near)
    });
    let limit = Duration::from_millis(50);
    let options = ClientOptions { request_timeout: limit, ..client_options(address, 1, None) };
    let store = Client::connect(options).unwrap();
    let _held = relaying.join().unwrap();
    let error = store.get("k").unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("did not answer"), "{error}");
    store.sever();
}
