// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Failures of every operation.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_transport::{Atomic, AtomicKind, Completion, JobId, Operation, Peer, Remote, Transport, Width};

use super::{BASE, KEY, end, end_with, introduce, pair, peer};
use crate::address;

const MIB: usize = 1 << 20;

#[test]
fn access_outside_memory_is_refused_and_the_connection_stays() {
    let (a, b) = pair(4 * MIB);
    b.memory.fill(1);
    for bytes in [8, 64 << 10, 3 * MIB] {
        let error = a.put(&b, 0, 4 * MIB - 4, bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        let error = a.get(&b, 0, 4 * MIB - 4, bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    }
    b.memory.check(1, 0..4 * MIB / 8);
    a.put(&b, 0, 0, 8).unwrap();
    b.memory.take_away();
    for bytes in [8, 64 << 10, 3 * MIB] {
        assert_eq!(a.put(&b, 0, 0, bytes).unwrap_err().kind(), Kind::NotConnected);
        assert_eq!(a.get(&b, 0, 0, bytes).unwrap_err().kind(), Kind::NotConnected);
    }
}

#[test]
fn memory_removed_during_a_put_is_not_touched() {
    for accesses in [1, 2, 3, 5, 9] {
        let a = end_with(peer(0), 32 * MIB, |options| options.connections = 1);
        let b = end(1, 32 * MIB);
        introduce(&[&a, &b]);
        a.put(&b, 0, 0, 8).unwrap();
        b.memory.take_away_after(accesses);
        let error = a.put(&b, 0, 0, 32 * MIB).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
        b.memory.take_away_after(accesses);
        let error = a.get(&b, 0, 0, 32 * MIB).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
        b.memory.take_away_after(u64::MAX);
        a.put(&b, 0, 0, 8).unwrap();
        a.get(&b, 0, 0, 2 * MIB).unwrap();
    }
}

#[test]
fn a_thousand_operations_in_flight_end_when_the_peer_closes() {
    for large in [false, true] {
        let (a, b) = pair(8 * MIB);
        let c = end(2, 4096);
        introduce(&[&a, &c]);
        a.put(&b, 0, 0, 8).unwrap();
        let completion = Arc::new(Completion::new());
        let mut refused = 0;
        for i in 0..1000 {
            let bytes = if large { 256 << 10 } else { 8 };
            let spans = [a.span(0, 0, bytes)];
            let operation = match i % 3 {
                0 => Operation::Put { key: KEY, spans: &spans },
                1 => Operation::Get { key: KEY, spans: &spans },
                _ => Operation::Atomic {
                    at: Remote { key: KEY, address: BASE },
                    atomic: Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 },
                    old: std::ptr::null_mut(),
                },
            };
            if i == 500 {
                b.tcp.close();
            }
            refused += usize::from(a.post(b.me, &operation, &completion).is_err());
        }
        let error = a.tcp.wait(&completion).err();
        assert!(error.is_some() || refused > 0);
        if let Some(error) = error {
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
            assert_eq!(error.fact("rank"), Some("1"), "{error}");
        }
        a.put(&c, 0, 0, 8).unwrap();
        a.memory.wait_for(|events| events.lost.contains(&b.me));
        let error = a.put(&b, 0, 0, 8).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    }
}

#[test]
fn silent_peer_fails_operations_at_their_deadline() {
    let a = end(0, 8 * MIB);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hole = Peer { job: JobId(1), rank: 9, session: 9 };
    a.tcp.introduce(hole, &address::encode(&[listener.local_addr().unwrap()])).unwrap();
    let completion = Arc::new(Completion::new());
    let deadline = Instant::now() + Duration::from_millis(100);
    for bytes in [8, 4 * MIB] {
        let spans = [a.span(0, 0, bytes)];
        // SAFETY: the tests' memory outlives their operations.
        unsafe { a.tcp.post(hole, &Operation::Put { key: KEY, spans: &spans }, &completion, deadline) }
            .unwrap();
        // SAFETY: as above.
        unsafe { a.tcp.post(hole, &Operation::Get { key: KEY, spans: &spans }, &completion, deadline) }
            .unwrap();
    }
    let error = a.tcp.wait(&completion).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout, "{error}");
    assert_eq!(error.fact("rank"), Some("9"), "{error}");
    assert!(Instant::now() >= deadline);
    let error = a.tcp.flush(Some(hole), Instant::now()).err();
    assert!(error.is_none(), "nothing is in flight");
}

#[test]
fn another_session_another_token_and_garbage_are_refused() {
    let (a, b) = pair(4096);
    let old = Peer { job: JobId(1), rank: 1, session: 5 };
    a.tcp.introduce(old, &b.tcp.address()).unwrap();
    let error = a.run(old, &Operation::Put { key: KEY, spans: &[a.span(0, 0, 8)] }).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    let unknown_peer = end_with(peer(4), 4096, |options| options.token = [8; 32]);
    unknown_peer.tcp.introduce(b.me, &b.tcp.address()).unwrap();
    let error = unknown_peer.put(&b, 0, 0, 8).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");

    let at = address::decode(&b.tcp.address()).unwrap()[0];
    for garbage in [&[0u8; 300][..], &[0xff; 300], b"GET / HTTP/1.1\r\n\r\n"] {
        let mut stream = TcpStream::connect(at).unwrap();
        let _ = stream.write_all(garbage);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut sink = Vec::new();
        let _ = stream.read_to_end(&mut sink);
    }
    a.put(&b, 0, 0, 8).unwrap();
    assert_eq!(b.tcp.usage().connections, 1);
}

#[test]
fn posts_to_unknown_peers_or_with_invalid_arguments_are_refused() {
    let (a, b) = pair(4096);
    let unknown_peer = Peer { job: JobId(1), rank: 8, session: 8 };
    let span = [a.span(0, 0, 8)];
    let error = a.run(unknown_peer, &Operation::Put { key: KEY, spans: &span }).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    let empty = Operation::Get { key: KEY, spans: &[] };
    assert_eq!(a.run(b.me, &empty).unwrap_err().kind(), Kind::InvalidParam);
    let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    let odd =
        Operation::Atomic { at: Remote { key: KEY, address: BASE + 4 }, atomic, old: std::ptr::null_mut() };
    assert_eq!(a.run(b.me, &odd).unwrap_err().kind(), Kind::InvalidParam);
    a.tcp.forget(b.me);
    assert_eq!(a.put(&b, 0, 0, 8).unwrap_err().kind(), Kind::NotConnected);
    a.tcp.introduce(b.me, &b.tcp.address()).unwrap();
    a.put(&b, 0, 0, 8).unwrap();
    a.tcp.close();
    a.tcp.close();
    assert_eq!(a.put(&b, 0, 0, 8).unwrap_err().kind(), Kind::NotConnected);
}

#[test]
fn refused_connection_fails_at_once_and_tries_the_next_address() {
    let a = end(0, 4096);
    let b = end(1, 4096);
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let unused = free.local_addr().unwrap();
    drop(free);
    a.tcp.introduce(b.me, &address::encode(&[unused])).unwrap();
    let error = a.put(&b, 0, 0, 8).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    let real = address::decode(&b.tcp.address()).unwrap()[0];
    a.tcp.introduce(b.me, &address::encode(&[unused, real])).unwrap();
    a.put(&b, 0, 0, 8).unwrap();
}

#[test]
fn unresponsive_peer_does_not_block_another() {
    let (a, b) = pair(MIB);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hole = Peer { job: JobId(1), rank: 9, session: 9 };
    a.tcp.introduce(hole, &address::encode(&[listener.local_addr().unwrap()])).unwrap();
    let stuck = Arc::new(Completion::new());
    a.post(hole, &Operation::Put { key: KEY, spans: &[a.span(0, 0, MIB)] }, &stuck).unwrap();
    for _ in 0..1000 {
        a.put(&b, 0, 0, 8).unwrap();
    }
    assert!(!stuck.is_done());
    a.tcp.forget(hole);
    assert_eq!(a.tcp.wait(&stuck).unwrap_err().kind(), Kind::NotConnected);
}
