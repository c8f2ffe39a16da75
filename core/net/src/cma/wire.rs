// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between processes of a host over [`crate::link`] for access to each other's memory. A change of a
//! message requires a change of the version in [`crate::link::packet`].

use mf_base::{Error, Kind, Result};
use mf_transport::{Grant, SegmentKey};
use serde::{Deserialize, Serialize};

const OP: &str = "cma";
/// Magic at the start of a card.
const MAGIC: &[u8] = b"cma1";
/// Ranges in one question.
pub(super) const RANGES_MAX: usize = 512;

/// Card: the address of a process for others of its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Card {
    /// The running kernel.
    pub(super) machine: String,
    /// PID namespace in which its number is valid.
    pub(super) processes: String,
    /// Name of its socket.
    pub(super) socket: String,
    /// Its pid in its own PID namespace.
    pub(super) pid: u32,
    /// Address and value of a word of it: proof that its memory can be read.
    pub(super) probe: (u64, u64),
}

impl Card {
    /// For others.
    pub(super) fn encode(&self) -> Vec<u8> {
        postcard::to_extend(self, MAGIC.to_vec()).unwrap_or_default()
    }

    /// Decodes a card.
    ///
    /// # Errors
    /// `InvalidParam` if malformed.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let unreadable = || Error::invalid(OP, "not the address of a process of this host");
        let body = bytes.strip_prefix(MAGIC).ok_or_else(unreadable)?;
        let (card, rest) =
            postcard::take_from_bytes(body).map_err(|error| unreadable().source(error.to_string()))?;
        if rest.is_empty() { Ok(card) } else { Err(unreadable()) }
    }
}

/// A question to the process that owns memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Request {
    /// Create the page that the two processes share and send its descriptor.
    Meet,
    /// May I access these ranges (address and length)?
    Ask {
        /// Their key.
        key: SegmentKey,
        /// At most [`RANGES_MAX`].
        ranges: Vec<(u64, u64)>,
    },
    /// Hand me a file of a grant.
    File {
        /// The key of the grant.
        key: SegmentKey,
        /// Its number.
        id: u64,
    },
    /// Put these bytes there yourself.
    Put {
        /// The key of the place.
        key: SegmentKey,
        /// Its address.
        address: u64,
        /// Bytes to put there.
        bytes: Vec<u8>,
    },
    /// Give me the key of device memory of a grant.
    Device {
        /// The key of the grant.
        key: SegmentKey,
        /// Its number.
        id: u64,
    },
    /// A file or device memory of the sender was freed: unmap it. To the process that asked for it.
    Gone {
        /// Its number.
        id: u64,
    },
}

/// The reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Reply {
    /// To `Meet`: the page comes with it, and this is its length.
    Met(u64),
    /// To `Ask`.
    Granted {
        /// As long as which the grants hold.
        epoch: u64,
        /// Grants that cover ranges of the question, up to the refused one; and others.
        grants: Vec<Grant>,
        /// The number of the first range that is refused, with the error's code and text.
        refused: Option<(u32, i32, String)>,
    },
    /// To `File`: it comes with it, and this is its length.
    File(u64),
    /// To `Device`.
    Device(Vec<u8>),
    /// Reply to `Put` and `Gone`.
    Done,
}

/// Writes a message.
///
/// # Errors
/// Only when memory is short.
pub(super) fn encode(message: &impl Serialize) -> Result<Vec<u8>> {
    postcard::to_allocvec(message).map_err(|error| Error::new(Kind::Failed, OP).source(error.to_string()))
}

/// Decodes a message.
///
/// # Errors
/// `InvalidParam` if malformed.
pub(super) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
    postcard::from_bytes(bytes)
        .map_err(|error| Error::invalid(OP, "a message is not readable").source(error.to_string()))
}

#[cfg(test)]
mod tests {
    use mf_transport::{Backing, InFile};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn messages_and_cards_round_trip() {
        let ask = Request::Ask { key: SegmentKey(7), ranges: vec![(1, 2), (u64::MAX, 1)] };
        assert_eq!(decode::<Request>(&encode(&ask).unwrap()).unwrap(), ask);
        let put = Request::Put { key: SegmentKey(7), address: u64::MAX, bytes: vec![1, 2, 3] };
        assert_eq!(decode::<Request>(&encode(&put).unwrap()).unwrap(), put);
        let grant = Grant { start: 1, end: 9, backing: Backing::File(InFile { id: 3, offset: 4096 }) };
        let granted =
            Reply::Granted { epoch: 1, grants: vec![grant], refused: Some((1, -2000, "no".to_owned())) };
        assert_eq!(decode::<Reply>(&encode(&granted).unwrap()).unwrap(), granted);
        let card = Card {
            machine: "m".to_owned(),
            processes: "p".to_owned(),
            socket: "s".to_owned(),
            pid: 4,
            probe: (4096, 5),
        };
        assert_eq!(Card::decode(&card.encode()).unwrap(), card);
        let mut longer = card.encode();
        longer.push(0);
        assert!(Card::decode(&longer).is_err());
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode::<Request>(&bytes);
            let _ = decode::<Reply>(&bytes);
            let _ = Card::decode(&[MAGIC, &bytes].concat());
        }
    }
}
