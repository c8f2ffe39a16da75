// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests: plaintext and TLS carry the same frames, however the socket splits the bytes.

use mf_base::settings::Switch;
use mf_tls::Security;
use std::net::{IpAddr, Ipv4Addr};

use super::*;
use crate::protocol::frame::{FrameKind, encode};

/// A socket that takes at most `room` bytes at a time and blocks after each.
struct Narrow {
    took: Vec<u8>,
    room: usize,
    open: bool,
}

impl Write for Narrow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open = !self.open;
        if !self.open {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let taken = bytes.len().min(self.room);
        self.took.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn narrow(room: usize) -> Narrow {
    Narrow { took: Vec::new(), room, open: false }
}

fn pair() -> (Channel, Channel) {
    let security = Security::new(Switch::Auto, b"a secret of the job".to_vec(), None).unwrap();
    let client = security.client_connection(IpAddr::V4(Ipv4Addr::LOCALHOST)).unwrap();
    (Channel::tls(client), Channel::tls(security.server_connection().unwrap()))
}

/// Moves everything from one end to the other.
fn carry(from: &mut Channel, queue: &mut SendQueue, to: &mut Channel, frames: &mut FrameBuffer, room: usize) {
    let mut socket = narrow(room);
    while !queue.write_to(from, &mut socket).unwrap() {
        if from.is_handshaking() && !from.wants_write() {
            break;
        }
    }
    to.receive(&socket.took, frames).unwrap();
}

fn numbers(frames: &mut FrameBuffer) -> Vec<(u64, usize)> {
    let mut found = Vec::new();
    while let Some(frame) = frames.next_frame().unwrap() {
        let bytes: Vec<u8> = frame.message().unwrap();
        found.push((frame.sequence, bytes.len()));
    }
    found
}

fn fill(queue: &mut SendQueue) -> Vec<(u64, usize)> {
    let mut sent = Vec::new();
    for (sequence, length) in [(1, 3), (2, 100_000), (3, 0), (4, 20)] {
        let mut frame = Vec::new();
        encode(FrameKind::Request, sequence, &vec![7u8; length], &mut frame).unwrap();
        if sequence % 2 == 0 {
            queue.append(|own| own.extend_from_slice(&frame[..20]));
            queue.share(Arc::from(&frame[20..]));
        } else {
            queue.append(|own| own.extend_from_slice(&frame));
        }
        sent.push((sequence, length));
    }
    sent
}

#[test]
fn plaintext_survives_any_pieces() {
    for room in [1, 7, 1000, usize::MAX] {
        let (mut queue, mut frames) = (SendQueue::default(), FrameBuffer::new());
        frames.trust();
        for _ in 0..2 {
            let sent = fill(&mut queue);
            carry(&mut Channel::Plain, &mut queue, &mut Channel::Plain, &mut frames, room);
            assert_eq!(queue.bytes(), 0);
            assert_eq!(numbers(&mut frames), sent);
        }
    }
}

#[test]
fn tls_carries_frames_and_sends_hello_with_the_last_flight() {
    for room in [97, usize::MAX] {
        let (mut client, mut server) = pair();
        let (mut up, mut down) = (SendQueue::default(), SendQueue::default());
        let (mut at_client, mut at_server) = (FrameBuffer::new(), FrameBuffer::new());
        at_client.trust();
        at_server.trust();
        up.append(|own| encode(FrameKind::Hello, 9, &vec![1u8; 5], own)).unwrap();
        carry(&mut client, &mut up, &mut server, &mut at_server, room);
        carry(&mut server, &mut down, &mut client, &mut at_client, room);
        carry(&mut client, &mut up, &mut server, &mut at_server, room);
        assert!(!client.is_handshaking() && !server.is_handshaking());
        assert_eq!(numbers(&mut at_server), [(9, 5)]);
        assert!(client.binding().unwrap().is_some());
        assert_eq!(client.binding().unwrap(), server.binding().unwrap());
        let sent = fill(&mut down);
        carry(&mut server, &mut down, &mut client, &mut at_client, room);
        assert_eq!(numbers(&mut at_client), sent);
    }
}

#[test]
fn tls_channel_rejects_plaintext() {
    let (mut client, _) = pair();
    let mut frames = FrameBuffer::new();
    assert!(client.receive(b"HTTP/1.1 400 Bad Request\r\n\r\n", &mut frames).is_err());
}
