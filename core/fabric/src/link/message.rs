// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the members of a host say to each other. A message is one packet; descriptors travel beside it.

use mf_base::{Error, Result};
use serde::{Deserialize, Serialize};

const OP: &str = "member link";

/// Changes when messages change; members of another version are refused.
const VERSION: u16 = 1;

/// What a member contributes: sent with the descriptors of the kinds that are not empty, device memory first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Its rank.
    pub rank: u32,
    /// Base of the pool's addresses, to find a mix-up before anything is mapped.
    pub base: u64,
    /// Present bytes of each kind, indexed by kind.
    pub bytes: [u64; 2],
    /// Whether the memory of each kind is sealed against shrinking.
    pub sealed: [bool; 2],
}

/// A question to another member; each gets one [`Reply`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Map my segments; answer with yours.
    Announce(Announcement),
    /// My segment of this kind (by index) has grown; its descriptor comes with this.
    Extend {
        /// Kind by index.
        kind: u8,
        /// Bytes now.
        to: u64,
        /// Whether the memory is sealed.
        sealed: bool,
    },
    /// I leave the pool; my memory is withdrawn.
    Leave,
}

/// The answer to a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Done; to `Announce` the answerer's own contribution.
    Done(Option<Announcement>),
    /// Not done: code and text.
    Refused {
        /// Code of the C interface.
        code: i32,
        /// The error's text.
        text: String,
    },
}

/// A packet.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packet {
    /// Question number `number`.
    Request {
        /// Chosen by the asker.
        number: u64,
        /// Proof that the asker belongs to the job.
        token: [u8; 32],
        /// The question.
        request: Request,
    },
    /// Answer to question `number`.
    Reply {
        /// The question's number.
        number: u64,
        /// The answer.
        reply: Reply,
    },
}

/// Writes a packet.
///
/// # Errors
/// Only when memory is short.
pub fn encode(packet: &Packet) -> Result<Vec<u8>> {
    let body = VERSION.to_le_bytes().to_vec();
    postcard::to_extend(packet, body)
        .map_err(|e| Error::invalid(OP, "a message could not be written").source(e.to_string()))
}

/// Reads a packet.
///
/// # Errors
/// `InvalidParam` for anything but a packet of this version.
pub fn decode(bytes: &[u8]) -> Result<Packet> {
    let (version, body) =
        bytes.split_first_chunk::<2>().ok_or_else(|| Error::invalid(OP, "a message is too short"))?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(Error::invalid(OP, "a member speaks another version")
            .with("theirs", version)
            .with("ours", VERSION));
    }
    postcard::from_bytes(body)
        .map_err(|e| Error::invalid(OP, "a message is not readable").source(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn packets_survive_the_way() {
        let announcement =
            Announcement { rank: 3, base: 1 << 45, bytes: [0, 2 << 20], sealed: [true, false] };
        let packet =
            Packet::Request { number: 9, token: [7; 32], request: Request::Announce(announcement.clone()) };
        assert_eq!(decode(&encode(&packet).unwrap()).unwrap(), packet);
        let packet = Packet::Reply { number: 9, reply: Reply::Done(Some(announcement)) };
        assert_eq!(decode(&encode(&packet).unwrap()).unwrap(), packet);
    }

    #[test]
    fn another_version_is_refused() {
        let mut bytes = encode(&Packet::Reply { number: 0, reply: Reply::Done(None) }).unwrap();
        bytes[0] ^= 0xff;
        assert!(decode(&bytes).unwrap_err().to_string().contains("another version"));
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }
    }
}
