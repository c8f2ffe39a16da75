// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The baselines of `mf perf net`: what plain sockets, and plain rustls, make of the same bytes on the same
//! network.
//!
//! One side serves ([`Server`]), the other one measures ([`Client`]). Every connection ("lane") begins with a
//! hello that proves that both belong together, and then takes commands: a command says what will be sent,
//! how often, and whether to wait by spinning, so that both ends need nothing but `send` and `recv` while it
//! runs. Between commands the server's threads sleep in `recv`; no baseline costs anything while it is not
//! its turn.
//!
//! * [`Op::Put`]: the payload there, 8 bytes back. With 8 bytes of payload this is a ping-pong.
//! * [`Op::Get`]: 8 bytes there, the payload back.
//! * [`Op::PutStream`], [`Op::GetStream`]: payloads one after the other, one acknowledgement for all.
//!
//! Several lanes carry a part of each payload each, with a thread a lane on both sides. A put or get is over
//! when all its parts are; only then the next one begins.

mod client;
mod serve;
#[cfg(test)]
mod tests;
mod tls;
mod wire;

use std::io;
use std::net::ToSocketAddrs;

use serde::{Deserialize, Serialize};

pub(super) use client::{Client, Payload};
pub(super) use serve::Server;
pub(super) use tls::Suite;

/// Most lanes that carry one payload.
pub(super) const LANES_MAX: usize = 4;
/// Length of requests and acknowledgements.
const NOTE_BYTES: usize = 8;
/// Length of the secret that a lane begins with.
const TOKEN_BYTES: usize = 16;
/// Largest payload: no peer with the token means more.
const PAYLOAD_BYTES_MAX: u64 = 16 << 30;

/// Connection parameters for a client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Card {
    /// Listen address, as `host:port`.
    pub(super) address: String,
    token: [u8; TOKEN_BYTES],
    /// The server's own certificate, DER.
    certificate: Vec<u8>,
}

impl Card {
    /// True if the bytes stay on this host.
    pub(super) fn is_loopback(&self) -> bool {
        let mut addresses = self.address.to_socket_addrs().into_iter().flatten();
        addresses.next().is_some_and(|address| address.ip().is_loopback())
    }
}

/// Kind of payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Put,
    Get,
    PutStream,
    GetStream,
    /// The server says how much processor time its process has used.
    Cpu,
}

impl Op {
    const ALL: [Self; 5] = [Self::Put, Self::Get, Self::PutStream, Self::GetStream, Self::Cpu];

    /// True if each payload ends before the next one begins.
    fn is_acknowledged(self) -> bool {
        matches!(self, Self::Put | Self::Get)
    }
}

/// Method of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// It sleeps in the kernel.
    Block,
    /// It asks the socket again and again.
    Spin,
}

/// Next step of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Command {
    op: Op,
    waiting: Waiting,
    /// Payload of one call on this lane.
    bytes: u64,
    calls: u64,
}

const COMMAND_BYTES: usize = 24;

impl Command {
    fn encode(self) -> [u8; COMMAND_BYTES] {
        let mut out = [0; COMMAND_BYTES];
        let number = Op::ALL.iter().position(|op| *op == self.op).unwrap_or(0);
        out[0] = u8::try_from(number).unwrap_or(0);
        out[1] = u8::from(self.waiting == Waiting::Spin);
        out[8..16].copy_from_slice(&self.bytes.to_le_bytes());
        out[16..].copy_from_slice(&self.calls.to_le_bytes());
        out
    }

    fn decode(from: &[u8; COMMAND_BYTES]) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a command of mf perf net");
        let [op, spin, _, _, _, _, _, _, rest @ ..] = *from;
        let (bytes, calls) = rest.split_first_chunk::<8>().ok_or_else(wrong)?;
        let bytes = u64::from_le_bytes(*bytes);
        let calls = u64::from_le_bytes(*calls.first_chunk().ok_or_else(wrong)?);
        if bytes > PAYLOAD_BYTES_MAX {
            return Err(wrong());
        }
        Ok(Self {
            op: *Op::ALL.get(usize::from(op)).ok_or_else(wrong)?,
            waiting: if spin == 0 { Waiting::Block } else { Waiting::Spin },
            bytes,
            calls,
        })
    }
}
