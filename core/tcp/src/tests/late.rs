// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations that end before their bytes have arrived, and corrupted bytes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_transport::{Completion, Operation, Remote, Transport};

use super::{BASE, KEY, end, end_with, introduce, pair, peer};
use crate::address;

const MIB: usize = 1 << 20;

fn in_a_moment() -> Instant {
    Instant::now() + Duration::from_millis(50)
}

#[test]
fn late_bytes_of_a_get_go_nowhere() {
    let a = end_with(peer(0), 8 * MIB, |options| options.connections = 1);
    let b = end(1, 8 * MIB);
    introduce(&[&a, &b]);
    b.memory.fill(2);
    a.get(&b, 0, 0, 8).unwrap();
    for bytes in [8, 6 * MIB] {
        a.memory.fill(1);
        let gate = b.memory.shut();
        let completion = Arc::new(Completion::new());
        let spans = [a.span(0, 0, bytes)];
        let get = Operation::Get { key: KEY, spans: &spans };
        // SAFETY: the tests' memory outlives their operations.
        unsafe { a.tcp.post(b.me, &get, &completion, in_a_moment()) }.unwrap();
        let error = a.tcp.wait(&completion).unwrap_err();
        assert_eq!(error.kind(), Kind::Timeout, "{error}");
        drop(gate);
        // Served behind the late one, on the same connection.
        a.get(&b, 7 * MIB, 7 * MIB, 8).unwrap();
        a.memory.check(1, 0..6 * MIB / 8);
        assert_eq!(a.tcp.usage().connections, 1);
    }
}

#[test]
fn half_sent_put_ends_at_its_deadline() {
    let a = end_with(peer(0), 64 * MIB, |options| options.connections = 1);
    let b = end(1, 64 * MIB);
    introduce(&[&a, &b]);
    a.put(&b, 0, 0, 8).unwrap();
    let gate = b.memory.shut();
    let completion = Arc::new(Completion::new());
    for _ in 0..3 {
        let spans = [a.span(0, 0, 64 * MIB)];
        let put = Operation::Put { key: KEY, spans: &spans };
        // SAFETY: the tests' memory outlives their operations.
        unsafe { a.tcp.post(b.me, &put, &completion, in_a_moment()) }.unwrap();
    }
    let error = a.tcp.wait(&completion).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout, "{error}");
    assert_eq!(error.fact("rank"), Some("1"), "{error}");
    drop(gate);
    a.memory.set(8, 5);
    // It may meet the end of the old connection, and fails then.
    while a.put(&b, 8, 8, 8).is_err() {}
    assert_eq!(b.memory.word(8), 5);
}

#[test]
fn unfinished_copies_end_at_their_deadline() {
    let (a, b) = pair(MIB);
    let c = end(2, MIB);
    a.put(&b, 0, 0, 8).unwrap();
    let gate = c.memory.shut();
    let completion = Arc::new(Completion::new());
    let copy = Operation::Copy {
        from: Remote { key: KEY, address: BASE },
        to_peer: c.me,
        to_address: &c.tcp.address(),
        to: Remote { key: KEY, address: BASE },
        bytes: 4096,
    };
    // SAFETY: no memory of this process is read or written.
    unsafe { a.tcp.post(b.me, &copy, &completion, in_a_moment()) }.unwrap();
    // Others are served meanwhile.
    a.put(&b, 0, 0, 8).unwrap();
    assert_eq!(a.tcp.wait(&completion).unwrap_err().kind(), Kind::Timeout);
    drop(gate);
}

/// Carries bytes between two sockets; changes the first run of `mark` that goes by.
fn carry(mut from: TcpStream, mut to: TcpStream, mark: Option<u8>) {
    let mut mark = mark;
    let mut buffer = vec![0u8; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) | Err(_) => return drop(to.shutdown(std::net::Shutdown::Both)),
            Ok(count) => {
                if let Some(byte) = mark
                    && let Some(at) =
                        buffer[..count].windows(16).position(|run| run.iter().all(|b| *b == byte))
                {
                    buffer[at] ^= 1;
                    mark = None;
                }
                if to.write_all(&buffer[..count]).is_err() {
                    return;
                }
            }
        }
    }
}

#[test]
fn checksum_rejects_a_corrupted_byte() {
    for (outgoing, incoming) in [(Some(0xa5), None), (None, Some(0xa5))] {
        let a = end_with(peer(0), MIB, |options| options.checksum = true);
        let b = end_with(peer(1), MIB, |options| options.checksum = true);
        let real = address::decode(&b.tcp.address()).unwrap()[0];
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        a.tcp.introduce(b.me, &address::encode(&[listener.local_addr().unwrap()])).unwrap();
        let proxy = std::thread::spawn(move || {
            let (one, _) = listener.accept().unwrap();
            let other = TcpStream::connect(real).unwrap();
            let (one2, other2) = (one.try_clone().unwrap(), other.try_clone().unwrap());
            let back = std::thread::spawn(move || carry(other2, one2, incoming));
            carry(one, other, outgoing);
            back.join().unwrap();
        });
        for word in 0..1024 {
            let side = if outgoing.is_some() { &a } else { &b };
            side.memory.set(word * 8, 0xa5a5_a5a5_a5a5_a5a5);
        }
        let result = if outgoing.is_some() { a.put(&b, 0, 0, 8192) } else { a.get(&b, 0, 0, 8192) };
        let error = result.unwrap_err();
        assert!(error.to_string().contains("checksum"), "{error}");
        let side = if outgoing.is_some() { &b } else { &a };
        assert_eq!((0..1024).filter(|word| side.memory.word(word * 8) != 0).count(), 0);
        a.put(&b, 0, 0, 64).unwrap();
        a.tcp.close();
        proxy.join().unwrap();
    }
}
