// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the server against programs that are not clients, and of the ends of servers.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Kind, Rank};
use mf_store::{Change, Client, ClientOptions, Lifetime, Server, ServerOptions, Store, WatchFn};
use mf_tls::Security;

use super::members::{
    SECRET, TIMEOUT, client, client_options, deadline, secret_client, secret_server, security, server,
    server_options,
};

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

/// Sends `bytes` to the server and returns all it sends until it closes.
fn provoke(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut socket = TcpStream::connect(server.address()).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    socket.write_all(bytes).unwrap();
    let mut sent = Vec::new();
    // A reset after the answer is as good as an end.
    let _ = socket.read_to_end(&mut sent);
    sent
}

/// Returns the text of the refusal in the bytes that the server sent.
fn refusal(sent: &[u8]) -> String {
    let mut rest = sent;
    while rest.len() >= 20 {
        assert_eq!(&rest[..4], b"MFST");
        let end = 20 + usize::try_from(u32::from_le_bytes(rest[8..12].try_into().unwrap())).unwrap();
        if rest[6] == REFUSED {
            return String::from_utf8_lossy(&rest[20..end]).into_owned();
        }
        rest = &rest[end..];
    }
    panic!("the server sent {} bytes and no refusal", sent.len());
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
    assert!(error.to_string().contains("MF_JOB_SECRET"), "{error}");
    let options = ServerOptions { security: security(), ..server_options(1) };
    let error = Server::start(ServerOptions { listen, ..options }).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("not one of this machine"), "{error}");
    assert_eq!(Server::start(server_options(16_385)).unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn unknown_peers_are_refused_and_do_no_harm() {
    let server = server(2);
    let member = client(&server, 2, Some(0)).unwrap();
    for (bytes, part) in [
        (b"\x00\x01\x02garbage".to_vec(), "does not use the protocol"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(), "GET "),
        (frame(9, HELLO, 32, &[0; 32]), "version 9"),
        (frame(2, HELLO, u32::MAX, &[]), "4294967295 bytes"),
        (frame(2, HELLO, 5000, &[]), "5000 bytes"),
        (frame(2, HELLO, 3, &[1, 2, 3]), "malformed Hello"),
        (frame(2, REQUEST, 0, &[]), "unknown kind 6"),
        (frame(2, 77, 0, &[]), "unknown kind 77"),
    ] {
        let text = refusal(&provoke(&server, &bytes));
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(member.add("n", 1).unwrap(), 1);
}

#[test]
fn half_hello_then_close_does_no_harm() {
    let server = server(1);
    for bytes in [&frame(2, HELLO, 32, &[0; 32])[..30], b"MF", b""] {
        let mut socket = TcpStream::connect(server.address()).unwrap();
        socket.write_all(bytes).unwrap();
        socket.shutdown(Shutdown::Write).unwrap();
        let mut sent = Vec::new();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        socket.read_to_end(&mut sent).unwrap();
    }
    assert_eq!(client(&server, 1, None).unwrap().member().rank, Rank(0));
}

#[test]
fn wrong_secret_is_refused_on_both_sides() {
    let wrong = b"not the secret of this job".to_vec();
    for mode in [Switch::Auto, Switch::Off] {
        let of = |secret: &[u8]| Security::new(mode, secret.to_vec(), None).unwrap();
        let server = Server::start(ServerOptions { security: of(SECRET), ..server_options(1) }).unwrap();
        let options = client_options(server.address(), 1, None);
        let error = Client::connect(ClientOptions { security: of(&wrong), ..options.clone() }).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains("the job secret differs"), "{error}");
        let security = of(SECRET);
        let member = Client::connect(ClientOptions { security, ..options }).unwrap();
        assert_eq!(member.member().rank, Rank(0));
        let shown = format!("{:?} {member:?}", server_options(1));
        assert!(!shown.contains("secret of"), "{shown}");
    }
}

#[test]
fn plaintext_and_encryption_mismatches_are_explained() {
    let encrypted = secret_server(1);
    let error = client(&encrypted, 1, None).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    for part in ["encrypted connections only", "MF_JOB_SECRET"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    let plain = server(1);
    let error = secret_client(&plain, 1, None).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    assert!(error.to_string().contains("the store speaks plaintext"), "{error}");
    assert!(secret_client(&encrypted, 1, None).is_ok() && client(&plain, 1, None).is_ok());
}

#[test]
fn other_job_is_refused_with_both_names() {
    let named = ServerOptions { job: "red".to_owned(), ..server_options(2) };
    let server = Server::start(named).unwrap();
    let options = client_options(server.address(), 2, None);
    let error = Client::connect(ClientOptions { job: "blue".to_owned(), ..options.clone() }).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    for part in ["\"red\"", "\"blue\"", "MF_JOB_ID"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    let any = std::thread::scope(|scope| {
        let any = scope.spawn(|| Client::connect(options.clone()).unwrap());
        let red = Client::connect(ClientOptions { job: "red".to_owned(), ..options.clone() }).unwrap();
        (any.join().unwrap(), red)
    });
    drop(any);
}

#[test]
fn other_versions_are_refused_with_both_ranges_and_builds() {
    let server = server(1);
    let mut hello = vec![1; 32];
    hello.extend([7, 9, 0, 7]);
    hello.extend(b"other 9");
    hello.push(0);
    let length = u32::try_from(hello.len()).unwrap();
    let text = refusal(&provoke(&server, &frame(2, HELLO, length, &hello)));
    for part in ["versions 7 to 9", "version 2", "other 9", "memfabric-rs"] {
        assert!(text.contains(part), "{text}");
    }
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
fn join_of_a_full_world_times_out_with_the_reason() {
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
fn lingering_server_serves_until_the_last_leaves() {
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

/// Sets `k` to large values, more than is kept for a client that does not read, the last one to `[9; 8
/// MiB]`.
fn overwhelm(writer: &Client) {
    for round in 0..10 {
        writer.set("k", &vec![round; 8 << 20], Lifetime::Permanent).unwrap();
    }
    assert_eq!(writer.add("n", 1).unwrap(), 1);
}

/// A watch callback that sends on the first byte of each value, and waits for the gate before.
fn behind(gate: &Arc<Mutex<()>>) -> (WatchFn, Receiver<u8>) {
    let (sender, seen) = channel();
    let (sender, gate) = (Mutex::new(sender), Arc::clone(gate));
    let callback = move |change: &Change| {
        drop(gate.lock());
        if let Change::Put(entry) = change {
            let _ = sender.lock().unwrap().send(entry.value[0]);
        }
    };
    (Arc::new(callback), seen)
}

/// The reader is a member as before, and in the end has the current state.
fn catches_up(reader: &Client, writer: &Client, seen: &Receiver<u8>) {
    let mut last = 0;
    while last != 9 {
        let next = seen.recv_timeout(TIMEOUT).unwrap();
        assert!(next > last || (last == 0 && next == 0), "{next} behind {last}");
        last = next;
    }
    assert!(writer.get("alive").unwrap().is_some());
    assert_eq!(reader.add("n", 1).unwrap(), 2);
}

#[test]
fn client_with_stuck_callbacks_stays_and_gets_the_last_state() {
    let server = server(2);
    let (writer, reader) = (client(&server, 2, Some(0)).unwrap(), client(&server, 2, Some(1)).unwrap());
    let gate = Arc::new(Mutex::new(()));
    let (callback, seen) = behind(&gate);
    reader.watch("k", callback).unwrap();
    reader.set("alive", b"", Lifetime::Session).unwrap();
    let guard = gate.lock().unwrap();
    overwhelm(&writer);
    drop(guard);
    catches_up(&reader, &writer, &seen);
}

#[test]
fn slow_reading_client_stays_and_gets_the_last_state() {
    let server = server(2);
    let writer = client(&server, 2, Some(0)).unwrap();
    // A cable that carries nothing to the client any more, once it is set to.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, upstream) = (listener.local_addr().unwrap(), server.address());
    let held = Arc::new(Mutex::new(()));
    let holding = Arc::clone(&held);
    std::thread::spawn(move || {
        let (near, _) = listener.accept().unwrap();
        let far = TcpStream::connect(upstream).unwrap();
        let (mut from_near, mut to_far) = (near.try_clone().unwrap(), far.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut from_near, &mut to_far));
        let (mut from_far, mut to_near, mut bytes) = (far, near, [0; 4096]);
        while let Ok(read @ 1..) = from_far.read(&mut bytes) {
            let _held = holding.lock();
            if to_near.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
    });
    let reader = Client::connect(client_options(address, 2, Some(1))).unwrap();
    let (callback, seen) = behind(&Arc::default());
    reader.watch("k", callback).unwrap();
    reader.set("alive", b"", Lifetime::Session).unwrap();
    let guard = held.lock().unwrap();
    overwhelm(&writer);
    drop(guard);
    catches_up(&reader, &writer, &seen);
}

#[test]
fn a_thousand_idle_connections_do_no_harm() {
    let hello_limit = Duration::from_secs(3);
    let server = Server::start(ServerOptions { hello_limit, ..server_options(1) }).unwrap();
    let idle: Vec<TcpStream> = (0..1000).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    let member = client(&server, 1, None).unwrap();
    assert_eq!(member.add("n", 1).unwrap(), 1);
    // None of them has proved itself in time, so each is closed.
    for mut socket in idle {
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        assert_eq!(socket.read(&mut [0; 64]).unwrap_or(0), 0);
    }
    assert_eq!(member.add("n", 1).unwrap(), 2);
}

#[test]
fn slowly_dripping_hello_is_cut_off() {
    let hello_limit = Duration::from_millis(500);
    let server = Server::start(ServerOptions { hello_limit, ..server_options(1) }).unwrap();
    let mut socket = TcpStream::connect(server.address()).unwrap();
    let mut reader = socket.try_clone().unwrap();
    let refused = std::thread::spawn(move || {
        let mut sent = Vec::new();
        let _ = reader.read_to_end(&mut sent);
        sent
    });
    let hello = frame(2, HELLO, 4000, &[0; 4000]);
    let until = deadline();
    for byte in hello.iter().cycle() {
        if refused.is_finished() {
            break;
        }
        assert!(Instant::now() < until, "the slow client is still there");
        let _ = socket.write_all(&[*byte]);
        // This is the fault that is tested: a byte now and then.
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(refusal(&refused.join().unwrap()).contains("took too long"));
    assert!(client(&server, 1, None).is_ok());
}

#[test]
fn replayed_hello_is_refused() {
    let server = Server::start(ServerOptions {
        security: Security::new(Switch::Off, SECRET.to_vec(), None).unwrap(),
        ..server_options(2)
    })
    .unwrap();
    // A man in the middle that carries one hello and keeps the bytes that the client sent.
    let relay = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = relay.local_addr().unwrap();
    let upstream = server.address();
    let listening = std::thread::spawn(move || {
        let (near, _) = relay.accept().unwrap();
        let far = TcpStream::connect(upstream).unwrap();
        let (mut from_far, mut to_near) = (far.try_clone().unwrap(), near.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut from_far, &mut to_near));
        let (mut from_near, mut to_far) = (near, far);
        let (mut kept, mut bytes) = (Vec::new(), [0; 4096]);
        while let Ok(read @ 1..) = from_near.read(&mut bytes) {
            kept.extend(&bytes[..read]);
            to_far.write_all(&bytes[..read]).unwrap();
        }
        let _ = to_far.shutdown(Shutdown::Both);
        kept
    });
    let options = ClientOptions {
        security: Security::new(Switch::Off, SECRET.to_vec(), None).unwrap(),
        ..client_options(address, 2, Some(0))
    };
    let member = Client::connect(options).unwrap();
    member.close();
    let kept = listening.join().unwrap();
    assert!(refusal(&provoke(&server, &kept)).contains("the job secret differs"));
}

#[test]
fn dead_member_is_noticed_by_all_others() {
    let server = server(3);
    let members: Vec<Client> = (0..3).map(|rank| client(&server, 3, Some(rank)).unwrap()).collect();
    let (sender, lost) = channel();
    let sender = Mutex::new(sender);
    server.on_member_lost(Arc::new(move |_, rank| sender.lock().unwrap().send(rank).unwrap())).unwrap();
    let (sender, seen) = channel();
    let sender = Arc::new(Mutex::new(sender));
    for (number, member) in members.iter().enumerate().take(2) {
        let sender = Arc::clone(&sender);
        member
            .watch_members(Arc::new(move |change| {
                for peer in &change.dead {
                    sender.lock().unwrap().send((number, peer.rank)).unwrap();
                }
            }))
            .unwrap();
    }
    members[2].sever();
    let mut reported: Vec<_> = (0..2).map(|_| seen.recv_timeout(TIMEOUT).unwrap()).collect();
    reported.sort_unstable_by_key(|(number, _)| *number);
    assert_eq!(reported, [(0, Rank(2)), (1, Rank(2))]);
    assert_eq!(lost.recv_timeout(TIMEOUT).unwrap(), 2);
    assert_eq!(server.term(), 1);
    server.status().unwrap();
}
