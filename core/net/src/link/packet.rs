// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wire format of connections. A message is one packet; descriptors travel beside it.

use mf_base::{Error, Result};
use mf_transport::JobId;
use serde::{Deserialize, Serialize};

const OP: &str = "local link";

/// Changes when packets change; processes with another version are refused.
const VERSION: u16 = 7;

/// Names an endpoint of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    /// The job of the token that opens it.
    pub job: JobId,
    /// The session of its owner there.
    pub session: u64,
    /// Purpose of the endpoint.
    pub service: String,
}

/// A packet.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Packet<'a> {
    /// The first packet of the process that has connected.
    Hello {
        /// Proof that it belongs to the job.
        token: [u8; 32],
        /// The endpoint that it wants.
        to: Name,
    },
    /// A request.
    Request {
        /// Chosen by the requester.
        number: u64,
        /// For the handler.
        body: &'a [u8],
    },
    /// Done.
    Reply {
        /// The request's number.
        number: u64,
        /// For the requester's handler.
        body: &'a [u8],
    },
    /// Not done.
    Refused {
        /// The request's number.
        number: u64,
        /// Code of the C interface.
        code: i32,
        /// The error's text.
        text: String,
    },
}

/// Writes a packet.
///
/// # Errors
/// Only when memory is short.
pub fn encode(packet: &Packet<'_>) -> Result<Vec<u8>> {
    let body = VERSION.to_le_bytes().to_vec();
    postcard::to_extend(packet, body)
        .map_err(|e| Error::invalid(OP, "a message could not be written").source(e.to_string()))
}

/// Decodes a packet.
///
/// # Errors
/// `InvalidParam` unless it is a packet of this version.
pub fn decode(bytes: &[u8]) -> Result<Packet<'_>> {
    let (version, body) =
        bytes.split_first_chunk::<2>().ok_or_else(|| Error::invalid(OP, "a message is too short"))?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(Error::invalid(OP, "the other process speaks another version")
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
    fn packets_round_trip() {
        let to = Name { job: JobId(5), session: 1 << 40, service: "pool/3".to_owned() };
        for packet in [
            Packet::Hello { token: [7; 32], to },
            Packet::Request { number: 9, body: &[1, 2, 3] },
            Packet::Reply { number: 9, body: &[] },
            Packet::Refused { number: 9, code: -4, text: "no".to_owned() },
        ] {
            assert_eq!(decode(&encode(&packet).unwrap()).unwrap(), packet);
        }
    }

    #[test]
    fn another_version_is_refused() {
        let mut bytes = encode(&Packet::Reply { number: 0, body: &[] }).unwrap();
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
