// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A client made by hand, which sends arbitrary frames and need not read.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::by_hand::{JOIN, REQUEST, WELCOME, begin, block, frame, number, receive};

/// Wishes for a rank.
const EXACTLY: u8 = 2;
const GUEST: u8 = 3;

/// A request, ready to be sent; all of them acknowledge no reply.
pub(crate) struct Requests {
    pub(crate) bytes: Vec<u8>,
    sequence: u64,
}

impl Requests {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), sequence: 0 }
    }

    fn push(&mut self, request: u8, fields: impl FnOnce(&mut Vec<u8>)) {
        self.sequence += 1;
        let mut body = vec![0, request];
        fields(&mut body);
        self.bytes.extend(frame(REQUEST, self.sequence, &body));
    }

    pub(crate) fn set(&mut self, key: &str, value: &[u8]) {
        self.push(0, |out| {
            block(key.as_bytes(), out);
            block(value, out);
            out.push(0);
        });
    }

    pub(crate) fn get(&mut self, key: &str) {
        self.push(1, |out| block(key.as_bytes(), out));
    }

    pub(crate) fn wait(&mut self, key: &str) {
        self.push(2, |out| {
            block(key.as_bytes(), out);
            number(60_000_000, out);
        });
    }

    pub(crate) fn swap(&mut self, key: &str, expected: &[u8], new: &[u8]) {
        self.push(5, |out| {
            block(key.as_bytes(), out);
            out.push(1);
            block(expected, out);
            block(new, out);
            out.push(0);
        });
    }

    pub(crate) fn list(&mut self, prefix: &str) {
        self.push(7, |out| block(prefix.as_bytes(), out));
    }

    pub(crate) fn watch(&mut self, watch: u64, prefix: &str, values: bool) {
        self.push(9, |out| {
            number(watch, out);
            block(prefix.as_bytes(), out);
            out.push(0);
            out.push(u8::from(values));
        });
    }

    pub(crate) fn gather(&mut self, name: &str, members: u64, value: &[u8]) {
        self.push(12, |out| {
            block(name.as_bytes(), out);
            number(members, out);
            out.push(1);
            block(value, out);
            number(60_000_000, out);
            out.push(0);
        });
    }

    pub(crate) fn lock(&mut self, name: &str) {
        self.push(13, |out| {
            block(name.as_bytes(), out);
            out.push(0);
        });
    }
}

/// Joins by hand; with a rank as a member of a world of so many.
pub(crate) fn join(address: SocketAddr, member: Option<(u32, u32)>) -> Option<TcpStream> {
    let mut socket = TcpStream::connect(address).ok()?;
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    socket.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
    let (_, mut join) = begin(&mut socket);
    match member {
        Some((rank, world)) => {
            number(u64::from(world), &mut join);
            join.push(EXACTLY);
            number(u64::from(rank), &mut join);
        }
        None => join.extend([0, GUEST]),
    }
    // Device, hosts the store.
    join.extend([0, 0]);
    number(10_000_000, &mut join);
    // Host, process, key of the session, neither resume nor token.
    join.extend([1, b'h', 7]);
    join.extend([5; 16]);
    join.extend([0, 0]);
    socket.write_all(&frame(JOIN, 0, &join)).unwrap();
    let (kind, _) = receive(&mut socket);
    (kind == WELCOME).then_some(socket)
}

/// Sends as much as the store takes; the unread rest is the point of the attack.
pub(crate) fn send(socket: &mut TcpStream, bytes: &[u8]) -> usize {
    let mut sent = 0;
    while sent < bytes.len() {
        match socket.write(&bytes[sent..]) {
            Ok(0) | Err(_) => break,
            Ok(taken) => sent += taken,
        }
    }
    sent
}
