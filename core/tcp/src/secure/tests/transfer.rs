// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bytes of the stream arrive, for any cutting into pieces.

use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd};

use proptest::prelude::*;

use super::*;

/// Two authenticated ends.
fn streams(one: impl AsFd, other: impl AsFd, tls: Switch) -> (Wire, Wire) {
    let client = identity(CLIENT, TOKEN, tls).client(SERVER, address()).unwrap();
    let server = server(&identity(SERVER, TOKEN, tls), address());
    let (client, server) = shake(client, one, server, other);
    (Wire::new(client.unwrap().2), Wire::new(server.unwrap().2))
}

fn send(stream: &mut Wire, socket: BorrowedFd<'_>, parts: &[&[u8]]) -> std::io::Result<usize> {
    stream.send(socket, parts)
}

fn receive(stream: &mut Wire, socket: BorrowedFd<'_>, to: &mut [u8]) -> std::io::Result<Received> {
    stream.receive(socket, to)
}

fn pattern(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| u8::try_from((at * 31 + at / 251) % 256).unwrap()).collect()
}

/// Drains available bytes, and returns the result of the last call.
fn drain(stream: &mut Wire, socket: BorrowedFd<'_>, piece: usize, into: &mut Vec<u8>) -> Received {
    let mut buffer = vec![0; piece];
    loop {
        match receive(stream, socket, &mut buffer).unwrap() {
            Received::Bytes(bytes) => into.extend_from_slice(&buffer[..bytes]),
            end => return end,
        }
    }
}

#[test]
fn full_socket_resumes_when_it_is_read() {
    for tls in MODES {
        let (one, other) = sockets();
        let (mut here, mut there) = streams(&one, &other, tls);
        let all = pattern(3 << 20);
        let (mut sent, mut got, mut was_full) = (0, Vec::new(), false);
        while sent < all.len() {
            match send(&mut here, one.as_fd(), &[&all[sent..]]).unwrap() {
                0 => {
                    was_full = true;
                    assert!(here.is_plain() || !here.flush(one.as_fd()).unwrap());
                    drain(&mut there, other.as_fd(), 10_000, &mut got);
                }
                bytes => sent += bytes,
            }
        }
        while !here.flush(one.as_fd()).unwrap() {
            drain(&mut there, other.as_fd(), 10_000, &mut got);
        }
        assert!(was_full);
        drain(&mut there, other.as_fd(), 10_000, &mut got);
        assert!(got == all);
    }
}

#[test]
fn the_end_is_seen_after_all_bytes() {
    for tls in MODES {
        let (one, other) = tcp();
        let (mut here, mut there) = streams(&one, &other, tls);
        assert_eq!(receive(&mut there, other.as_fd(), &mut [0; 8]).unwrap(), Received::Nothing);
        assert_eq!(send(&mut here, one.as_fd(), &[b"last", b"", b" words"]).unwrap(), 10);
        drop(one);
        let mut got = Vec::new();
        while drain(&mut there, other.as_fd(), 3, &mut got) != Received::Closed {}
        assert_eq!(got, b"last words");
    }
}

#[test]
fn data_directly_after_the_handshake_is_not_lost() {
    for tls in MODES {
        let (one, other) = sockets();
        let mut client = identity(CLIENT, TOKEN, tls).client(SERVER, address()).unwrap();
        let mut server = server(&identity(SERVER, TOKEN, tls), address());
        while server.advance(other.as_fd()).unwrap() != Step::Done {
            assert_ne!(client.advance(one.as_fd()).unwrap(), Step::Done);
        }
        // The client has not read the welcome yet.
        let mut there = Wire::new(server.finish().unwrap().2);
        send(&mut there, other.as_fd(), &[b"at once"]).unwrap();
        assert_eq!(client.advance(one.as_fd()).unwrap(), Step::Done);
        let mut here = Wire::new(client.finish().unwrap().2);
        let mut got = Vec::new();
        drain(&mut here, one.as_fd(), 100, &mut got);
        assert_eq!(got, b"at once");
    }
}

#[test]
fn opened_plaintext_is_counted_until_it_is_read() {
    let (one, other) = sockets();
    let (mut here, mut there) = streams(&one, &other, Switch::On);
    let buffered = |wire: &Wire| if let Wire::Sealed(_, receiving) = wire { receiving.buffered() } else { 0 };
    assert_eq!(buffered(&there), 0);
    send(&mut here, one.as_fd(), &[b"0123456789"]).unwrap();
    send(&mut here, one.as_fd(), &[b"abc"]).unwrap();
    assert_eq!(receive(&mut there, other.as_fd(), &mut [0; 4]).unwrap(), Received::Bytes(4));
    assert_eq!(buffered(&there), 6);
    assert_eq!(receive(&mut there, other.as_fd(), &mut [0; 6]).unwrap(), Received::Bytes(6));
    // The second record is here, still sealed.
    assert_eq!(buffered(&there), 3);
    let mut last = [0; 9];
    assert_eq!(receive(&mut there, other.as_fd(), &mut last).unwrap(), Received::Bytes(3));
    assert_eq!(&last[..3], b"abc");
    assert_eq!(buffered(&there), 0);
}

#[test]
fn idle_connections_hold_no_buffers() {
    let (one, other) = sockets();
    let (mut here, mut there) = streams(&one, &other, Switch::On);
    let sizes = |here: &Wire, there: &Wire| match (here, there) {
        (Wire::Sealed(sending, _), Wire::Sealed(_, receiving)) => (sending.bytes(), receiving.bytes()),
        _ => (0, 0),
    };
    let small = sizes(&here, &there);
    assert!(small.0 + small.1 < 4096);
    let (data, mut got) = (pattern(60_000), Vec::new());
    for _ in 0..2 {
        assert_eq!(send(&mut here, one.as_fd(), &[&data]).unwrap(), data.len());
        got.clear();
        drain(&mut there, other.as_fd(), 60_000, &mut got);
        let large = sizes(&here, &there);
        assert!(got == data && large.0 > 60_000 && large.1 > 16_000, "{large:?}");
        if let (Wire::Sealed(sending, _), Wire::Sealed(_, receiving)) = (&mut here, &mut there) {
            assert!(!sending.has_pending());
            sending.rest();
            receiving.rest();
        }
        assert_eq!(sizes(&here, &there), small);
    }
}

#[test]
fn tampered_bytes_are_not_delivered() {
    for at in [0, 3, 4, 5, 12, 25] {
        let (one, other) = sockets();
        let (mut here, mut there) = streams(&one, &other, Switch::On);
        send(&mut here, one.as_fd(), &[b"payload"]).unwrap();
        let mut record = [0; 100];
        let bytes = (&other).read(&mut record).unwrap();
        record[at] ^= 1;
        (&one).write_all(&record[..bytes]).unwrap();
        // The record may claim to be longer now: that shows when enough has come.
        (&one).write_all(&[0; 600]).unwrap();
        let error = receive(&mut there, other.as_fd(), &mut [0; 100]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData, "byte {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn both_directions_carry_data_at_once(
        sends in prop::collection::vec((1_usize..200_000, 0_usize..200_000), 1..12),
        pieces in prop::collection::vec(1_usize..100_000, 1..5),
        tls in prop::sample::select(&MODES[..]),
    ) {
        let (one, other) = tcp();
        let (mut here, mut there) = streams(&one, &other, tls);
        let total: usize = sends.iter().map(|(first, second)| first + second).sum();
        let all = pattern(total);
        let (mut at_here, mut at_there) = (Vec::new(), Vec::new());
        let (mut sent_here, mut sent_there, mut turn) = (0, 0, 0);
        while at_here.len() < total || at_there.len() < total {
            let (first, second) = sends[turn % sends.len()];
            let piece = pieces[turn % pieces.len()];
            turn += 1;
            let ends = [
                (&mut here, one.as_fd(), &mut sent_here, &mut at_here),
                (&mut there, other.as_fd(), &mut sent_there, &mut at_there),
            ];
            for (stream, socket, sent, got) in ends {
                let rest = &all[*sent..];
                let (first, rest) = rest.split_at(first.min(rest.len()));
                let second = &rest[..second.min(rest.len())];
                *sent += send(stream, socket, &[first, &[], second]).unwrap();
                stream.flush(socket).unwrap();
                drain(stream, socket, piece, got);
            }
        }
        prop_assert!(at_here == all && at_there == all);
    }
}
