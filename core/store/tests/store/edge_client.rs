// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the client against programs that are not store servers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank};
use mf_store::{AbsentFn, Change, Client, ClientOptions, Lifetime, Server, ServerOptions, Store, Timing};

use super::members::{TIMEOUT, any_port, client_options, deadline, security, server, server_options};

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

fn sends(words: &'static [u8]) -> impl Fn(TcpStream) + Send {
    move |mut socket| {
        let mut received = [0; 16];
        let _ = socket.read(&mut received);
        let _ = socket.write_all(words);
    }
}

/// A port without a listener.
fn free_port() -> SocketAddr {
    TcpListener::bind(any_port()).unwrap().local_addr().unwrap()
}

#[test]
fn http_server_is_detected() {
    let error = meet(deadline() - Instant::now(), sends(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
    assert!(error.to_string().contains("not a memfabric store"), "{error}");
    assert!(error.to_string().contains("HTTP"), "{error}");
}

#[test]
fn store_of_another_version_is_detected() {
    let error = meet(deadline() - Instant::now(), sends(b"MFST\x07\x00\x02\x00"));
    assert!(error.to_string().contains("version 7"), "{error}");
}

#[test]
fn malformed_and_oversized_answers_are_detected() {
    let error = meet(deadline() - Instant::now(), sends(b"MFST\x02\x00\x02\x00\xff\xff\xff\xff12345678"));
    assert!(error.to_string().contains("4294967295 bytes"), "{error}");
    let error = meet(deadline() - Instant::now(), sends(b"MFST\x02\x00\x02\x00\x01\x00\x00\x0012345678x"));
    assert!(error.to_string().contains("malformed Challenge"), "{error}");
}

#[test]
fn silent_program_is_detected() {
    let held = std::sync::Mutex::new(Vec::new());
    let error = meet(Duration::from_millis(100), move |socket| held.lock().unwrap().push(socket));
    assert!(error.to_string().contains("sent nothing"), "{error}");
}

#[test]
fn program_closing_connections_is_retried_until_the_deadline() {
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
    // The whole wait, which began a little later than here, not only the last attempt.
    let waited: u128 = error.fact("waited_ms").unwrap().parse().unwrap();
    assert!(waited >= limit.as_millis() / 2, "{error}");
    assert_eq!(error.to_string().matches("waited_ms").count(), 1, "{error}");
}

#[test]
fn bound_port_without_listener_is_reported_as_in_use() {
    use rustix::net::{AddressFamily, SocketType, bind, getsockname, socket};
    let holder = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&holder, &any_port()).unwrap();
    let address = SocketAddr::try_from(getsockname(&holder).unwrap()).unwrap();
    let limit = Duration::from_millis(60);
    let options =
        ClientOptions { connect_deadline: Instant::now() + limit, ..client_options(address, 2, None) };
    let error = Client::connect(options).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse, "{error}");
    for part in ["holds the port", "does not listen", &format!("tcp://{address}"), "waited_ms", "ss -anp"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(!error.to_string().contains("is the store started?"), "{error}");
}

#[test]
fn early_client_waits_for_the_store() {
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
    for (world_size, rank) in [(0, None), (16_385, None), (4, Some(4))] {
        let error = Client::connect(client_options(address, world_size, rank)).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    }
}

/// A challenge as `protocol.rs` describes it, of a store that speaks other versions, or belongs to another
/// job.
fn challenge(oldest: u8, newest: u8, job: &str) -> Vec<u8> {
    let mut body = vec![7; 32];
    body.extend([oldest, newest, 0]);
    for text in ["other build", job] {
        body.push(u8::try_from(text.len()).unwrap());
        body.extend(text.as_bytes());
    }
    body.extend([9; 16]);
    let mut frame = b"MFST\x02\x00\x02\x00".to_vec();
    frame.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    frame.extend([0; 8]);
    frame.extend(body);
    frame
}

/// The error of a client of the job "red" that meets a store which sends `words`.
fn meet_as_red(words: Vec<u8>) -> Error {
    let listener = TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut socket = listener.accept().unwrap().0;
        let mut received = [0; 16];
        let _ = socket.read(&mut received);
        socket.write_all(&words).unwrap();
        let _ = socket.read_to_end(&mut Vec::new());
    });
    let options = ClientOptions { job: "red".to_owned(), ..client_options(address, 1, None) };
    Client::connect(options).unwrap_err()
}

#[test]
fn client_refuses_stores_of_other_versions_or_jobs() {
    let error = meet_as_red(challenge(3, 5, ""));
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    for part in ["versions 3 to 5", "version 2", "other build", "memfabric-rs"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    let error = meet_as_red(challenge(1, 9, "blue"));
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    for part in ["\"red\"", "\"blue\""] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn encrypting_client_understands_a_plaintext_program() {
    for (words, part) in [
        (&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], "TLS"),
        (&b"MFST\x07\x00\x02\x00"[..], "the store speaks plaintext"),
    ] {
        let listener = TcpListener::bind(any_port()).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || listener.incoming().for_each(|socket| sends(words)(socket.unwrap())));
        let options = ClientOptions { security: security(), ..client_options(address, 1, None) };
        let error = Client::connect(options).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn plaintext_beyond_this_host_is_refused_before_connecting() {
    let address = "192.0.2.1:5570".parse().unwrap();
    let error = Client::connect(client_options(address, 1, None)).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("MF_JOB_SECRET"), "{error}");
}

#[test]
fn first_responding_address_is_used() {
    let server = server(1);
    let options = client_options(server.address(), 1, None);
    let candidates = vec![free_port(), server.address()];
    let member = Client::connect(ClientOptions { candidates, ..options }).unwrap();
    assert_eq!(member.leader().place, format!("tcp://{}", server.address()));
}

/// A relay in front of `upstream` that carries everything until it is paused.
fn relay(upstream: SocketAddr) -> (SocketAddr, Arc<AtomicBool>) {
    let listener = TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    let silent = Arc::new(AtomicBool::new(false));
    let quiet = Arc::clone(&silent);
    std::thread::spawn(move || {
        for near in listener.incoming() {
            let (near, far) = (near.unwrap(), TcpStream::connect(upstream).unwrap());
            for (mut from, mut to) in [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)] {
                let quiet = Arc::clone(&quiet);
                std::thread::spawn(move || {
                    let mut bytes = [0; 4096];
                    while let Ok(read) = from.read(&mut bytes) {
                        if read == 0
                            || (!quiet.load(Ordering::Acquire) && to.write_all(&bytes[..read]).is_err())
                        {
                            break;
                        }
                    }
                    let _ = to.shutdown(std::net::Shutdown::Both);
                });
            }
        }
    });
    (address, silent)
}

#[test]
fn slow_stores_are_given_more_time_by_each_attempt() {
    let server = server(1);
    let (upstream, listener) = (server.address(), TcpListener::bind(any_port()).unwrap());
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        // The first connections get no answer, as where the store computes for longer than they wait.
        let mut incoming = listener.incoming();
        let _held: Vec<_> = incoming.by_ref().take(5).collect();
        for near in incoming {
            let (near, far) = (near.unwrap(), TcpStream::connect(upstream).unwrap());
            for (mut from, mut to) in [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)] {
                std::thread::spawn(move || std::io::copy(&mut from, &mut to));
            }
        }
    });
    let timing = Timing { lease: Duration::from_millis(80), ..Timing::default() };
    let options = ClientOptions { timing, ..client_options(address, 1, None) };
    let member = Client::connect(ClientOptions { candidates: vec![address; 2], ..options }).unwrap();
    member.set("k", b"v", Lifetime::Permanent).unwrap();
}

#[test]
fn stopped_process_of_the_store_times_requests_out() {
    // A server that gives a rank and then falls silent: a real server, with a relay in front that stops
    // relaying.
    let server = server(1);
    let (address, silent) = relay(server.address());
    let limit = Duration::from_millis(50);
    let options = ClientOptions { request_timeout: limit, ..client_options(address, 1, None) };
    let store = Client::connect(options).unwrap();
    silent.store(true, Ordering::Release);
    let error = store.get("k").unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("did not answer"), "{error}");
    store.sever();
}

#[test]
fn timeout_names_the_lost_store() {
    let mut server = server(1);
    let store = Client::connect(client_options(server.address(), 1, None)).unwrap();
    server.stop();
    let error = store.wait("k", Instant::now() + Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("away"), "{error}");
    assert!(!store.is_connected());
    // Neither does closing wait for it.
    store.close();
}

#[test]
fn session_ends_if_no_store_returns() {
    let mut server = server(1);
    let options = client_options(server.address(), 1, None);
    let timing = Timing { reconnect: Duration::from_millis(40), ..options.timing };
    let store = Client::connect(ClientOptions { timing, ..options }).unwrap();
    let (sender, seen) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    store.watch("", Arc::new(move |change| sender.lock().unwrap().send(change.clone()).unwrap())).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| store.wait("k", deadline()));
        server.stop();
        let error = waiting.join().unwrap().unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected);
        assert!(error.to_string().contains("no store was found again"), "{error}");
    });
    assert_eq!(seen.recv_timeout(TIMEOUT).unwrap(), Change::StoreLost);
    // The callback is dropped after its last call, and with it the only sender.
    assert!(seen.recv_timeout(TIMEOUT).is_err());
    assert_eq!(store.get("k").unwrap_err().kind(), Kind::NotConnected);
}

#[test]
fn absence_callback_can_start_another_store() {
    let address = free_port();
    let started = Arc::new(std::sync::Mutex::new(None));
    let starting = Arc::clone(&started);
    let while_absent: AbsentFn = Arc::new(move || {
        let mut server = starting.lock().unwrap();
        if server.is_none() {
            *server = Server::start(ServerOptions { listen: address, ..server_options(1) }).ok();
        }
        None
    });
    let options = client_options(address, 1, None);
    let store = Client::connect(ClientOptions { while_absent: Some(while_absent), ..options }).unwrap();
    store.set("k", b"v", Lifetime::Permanent).unwrap();
    // It dies, and the same member starts the next one.
    drop(started.lock().unwrap().take());
    assert_eq!(store.get("k").unwrap().unwrap().value, b"v");
    assert!(started.lock().unwrap().is_some());
    assert!(store.leader().here && store.leader().term == 2, "{:?}", store.leader());
}

#[test]
fn relocated_session_resumes_elsewhere() {
    let (mut old, new) = (server(1), server(1));
    let store = Client::connect(client_options(old.address(), 1, None)).unwrap();
    store.set("k", b"v", Lifetime::Permanent).unwrap();
    store.relocate(vec![new.address()]).unwrap();
    old.stop();
    assert_eq!(store.get("k").unwrap().unwrap().value, b"v");
    assert_eq!(store.leader().place, format!("tcp://{}", new.address()));
    assert_eq!(store.member().rank, Rank(0));
}
