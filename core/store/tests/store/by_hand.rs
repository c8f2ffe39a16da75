// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Frames of a client that is made by hand, as `protocol.rs` describes them.

use std::io::{Read, Write};
use std::net::TcpStream;

use hmac::{Hmac, Mac};
use sha2::Sha256;

const VERSION: u16 = 2;
const HELLO: u8 = 1;
const CHALLENGE: u8 = 2;
pub(crate) const JOIN: u8 = 3;
pub(crate) const WELCOME: u8 = 4;
#[allow(dead_code, reason = "only one of the two test programs needs it")]
pub(crate) const REFUSED: u8 = 5;
#[allow(dead_code, reason = "only one of the two test programs needs it")]
pub(crate) const REQUEST: u8 = 6;

/// A number in seven bits a byte.
pub(crate) fn number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap());
}

#[allow(dead_code, reason = "only one of the two test programs needs it")]
pub(crate) fn block(bytes: &[u8], out: &mut Vec<u8>) {
    number(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

pub(crate) fn frame(kind: u8, sequence: u64, body: &[u8]) -> Vec<u8> {
    let mut frame = b"MFST".to_vec();
    frame.extend(VERSION.to_le_bytes());
    frame.extend([kind, 0]);
    frame.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    frame.extend(sequence.to_le_bytes());
    frame.extend(body);
    frame
}

/// Kind and body of the next frame.
pub(crate) fn receive(socket: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut header = [0; 20];
    socket.read_exact(&mut header).unwrap();
    let mut body = vec![0; usize::try_from(u32::from_le_bytes(header[8..12].try_into().unwrap())).unwrap()];
    socket.read_exact(&mut body).unwrap();
    (header[6], body)
}

/// Says hello; the store's challenge, and the proof with which the request to join begins.
pub(crate) fn begin(socket: &mut TcpStream) -> (Vec<u8>, Vec<u8>) {
    let own = [3; 32];
    let mut hello = own.to_vec();
    hello.extend([2, 2, 0, 0, 0]);
    socket.write_all(&frame(HELLO, 0, &hello)).unwrap();
    let (kind, challenge) = receive(socket);
    assert_eq!(kind, CHALLENGE);
    let mut proof = Hmac::<Sha256>::new_from_slice(b"").unwrap();
    proof.update(b"memfabric store client");
    proof.update(&VERSION.to_le_bytes());
    proof.update(&own);
    proof.update(&challenge[..32]);
    (challenge, proof.finalize().into_bytes().to_vec())
}
