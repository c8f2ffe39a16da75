// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between members of a pool that share a host, over [`mf_net::link`]; descriptors travel beside
//! them. A change of a message requires a change of the version in [`mf_net::link::packet`].

use std::os::fd::OwnedFd;

use mf_base::{Error, Kind, Result};
use mf_device::{HANDLE_BYTES_MAX, Identity, Share, Token};
use mf_transport::Atomic;
use serde::{Deserialize, Serialize};

const OP: &str = "pool message";

/// One piece of a segment's memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its length in bytes.
    pub bytes: u64,
    /// True if it is sealed against shrinking.
    pub sealed: bool,
    /// The handle of the device's driver; `None`: the next descriptor that came with the message.
    pub handle: Option<Vec<u8>>,
}

/// Contribution of a member, sent with the descriptors of the parts that have no handle, device memory first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Its rank.
    pub rank: u32,
    /// Bases of the pool's windows, to find a mix-up before anything is mapped.
    pub bases: [u64; 2],
    /// Identity of the member towards members that share device memory with it.
    pub identity: Identity,
    /// Its memory of each kind, indexed by kind.
    pub parts: [Vec<Part>; 2],
    /// True if the descriptor of its control page follows the descriptors of the parts.
    pub page: bool,
}

impl Announcement {
    /// Bytes of each kind.
    pub fn bytes(&self) -> [u64; 2] {
        let sum = |parts: &Vec<Part>| parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.bytes));
        [sum(&self.parts[0]), sum(&self.parts[1])]
    }
}

/// A request to another member; each gets one [`Reply`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Map my segments; reply with yours.
    Announce(Announcement),
    /// My segment of this kind (by index) has grown and is this now; descriptors come with it.
    Extend {
        /// Kind by index.
        kind: u8,
        /// All parts, including the earlier ones.
        parts: Vec<Part>,
    },
    /// I leave the pool; my memory is withdrawn.
    Leave,
    /// Hand me your control page, as a descriptor.
    Control,
    /// Change this word of your device memory, which only you change.
    Change {
        /// Its address.
        address: u64,
        /// The change to make.
        atomic: Atomic,
    },
}

/// The reply to a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Done; to `Announce` the replier's own contribution.
    Done(Option<Announcement>),
    /// To `Control`; the descriptor comes with it.
    Control,
    /// To `Change`: the old value.
    Changed(u64),
}

/// Splits shares into message parts and the descriptors that travel beside them.
pub fn pack(shares: Vec<Share>, descriptors: &mut Vec<OwnedFd>) -> Vec<Part> {
    let pack = |share: Share| {
        let handle = match share.token {
            Token::Handle(handle) => Some(handle),
            Token::Descriptor(descriptor) => {
                descriptors.push(descriptor);
                None
            }
        };
        Part { bytes: share.bytes, sealed: share.sealed, handle }
    };
    shares.into_iter().map(pack).collect()
}

/// Joins parts and descriptors again; `None` if a descriptor is missing.
///
/// # Errors
/// `InvalidParam` for a handle that is too long.
pub fn unpack(parts: &[Part], descriptors: &mut impl Iterator<Item = OwnedFd>) -> Result<Option<Vec<Share>>> {
    let mut shares = Vec::with_capacity(parts.len());
    for Part { bytes, sealed, handle } in parts {
        let token = match handle {
            Some(handle) if handle.len() > HANDLE_BYTES_MAX => {
                return Err(Error::invalid(OP, "a handle is too long").with("bytes", handle.len()));
            }
            Some(handle) => Token::Handle(handle.clone()),
            None => match descriptors.next() {
                Some(descriptor) => Token::Descriptor(descriptor),
                None => return Ok(None),
            },
        };
        shares.push(Share { bytes: *bytes, sealed: *sealed, token });
    }
    Ok(Some(shares))
}

/// Writes a message.
///
/// # Errors
/// Only when memory is short.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>> {
    postcard::to_allocvec(message).map_err(|error| Error::new(Kind::Failed, OP).source(error.to_string()))
}

/// Decodes a message.
///
/// # Errors
/// `InvalidParam` if malformed.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
    decode_first(bytes).map(|(message, _)| message)
}

/// Decodes a message. Returns it and the bytes that follow it.
///
/// # Errors
/// `InvalidParam` if malformed.
pub fn decode_first<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8])> {
    postcard::take_from_bytes(bytes)
        .map_err(|error| Error::invalid(OP, "cannot decode a member's message").source(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_transport::{AtomicKind, Width};
    use proptest::prelude::*;

    #[test]
    fn messages_round_trip() {
        let announcement = Announcement {
            rank: 3,
            bases: [1 << 44, 1 << 45],
            identity: Identity { device: "host".to_owned(), process: 7, unit: 0 },
            parts: [vec![Part { bytes: 2 << 20, sealed: true, handle: Some(vec![1; 128]) }], Vec::new()],
            page: true,
        };
        let request = Request::Announce(announcement.clone());
        assert_eq!(decode::<Request>(&encode(&request).unwrap()).unwrap(), request);
        let atomic = Atomic { kind: AtomicKind::CompareSwap, width: Width::W32, operand: 1, compare: 2 };
        let request = Request::Change { address: u64::MAX - 7, atomic };
        assert_eq!(decode::<Request>(&encode(&request).unwrap()).unwrap(), request);
        for reply in [Reply::Done(Some(announcement)), Reply::Changed(1 << 63)] {
            assert_eq!(decode::<Reply>(&encode(&reply).unwrap()).unwrap(), reply);
        }
    }

    #[test]
    fn shares_round_trip_and_missing_descriptors_are_detected() {
        let descriptor = || rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC).unwrap();
        let share = |token| Share { bytes: 4096, sealed: true, token };
        let mut descriptors = Vec::new();
        let shares =
            vec![share(Token::Handle(vec![9; HANDLE_BYTES_MAX])), share(Token::Descriptor(descriptor()))];
        let parts = pack(shares, &mut descriptors);
        assert_eq!(descriptors.len(), 1);
        assert_eq!(parts[0].handle.as_deref(), Some(&[9; HANDLE_BYTES_MAX][..]));
        assert!(unpack(&parts, &mut std::iter::empty()).unwrap().is_none());
        let shares = unpack(&parts, &mut descriptors.into_iter()).unwrap().unwrap();
        assert!(matches!(shares[1].token, Token::Descriptor(_)));
        let long = Part { bytes: 1, sealed: false, handle: Some(vec![0; HANDLE_BYTES_MAX + 1]) };
        assert!(unpack(&[long], &mut std::iter::empty()).is_err());
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode::<Request>(&bytes);
            let _ = decode::<Reply>(&bytes);
        }
    }
}
