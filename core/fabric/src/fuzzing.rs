// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Entry points of the fuzz targets in `fuzz/` to what members read of each other in the store and over local
//! links. Not part of the interface.
//!
//! Each takes bytes that any process of the job may have written, and panics when something that must hold
//! does not.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "a panic is how a fuzz target reports")]

use mf_device::Identity;
use mf_net::Card;
use mf_net::link::packet::{self, Name, Packet};
use mf_transport::{JobId, SegmentKey};

use crate::pool::explain::Question;
use crate::pool::explain::row::{Row, RowQuestion};
use crate::pool::member_record::MemberRecord;
use crate::pool::protocol::{self, Announcement, Part, Reply, Request};
use crate::{group, space};

/// Records of the store. The first byte chooses which.
pub fn records(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else { return };
    match choice % 6 {
        0 => space::agree::fuzzing::agree(rest),
        1 => {
            if let Ok(record) = MemberRecord::decode(rest) {
                assert_eq!(record.encode().and_then(|bytes| MemberRecord::decode(&bytes)).ok(), Some(record));
            }
        }
        2 => {
            if let Ok(card) = Card::decode(rest) {
                card.addresses.iter().for_each(|(_, address)| mf_net::fuzzing::address(address));
            }
        }
        3 => {
            let _ = protocol::decode::<Question>(rest);
            let _ = protocol::decode::<RowQuestion>(rest);
            let _ = protocol::decode::<Row>(rest);
        }
        4 => group::fuzzing::offers(rest),
        _ => mf_net::fuzzing::address(rest),
    }
}

/// Messages: packets between the members of a host, between leaders of groups, and heads of UCX messages. The
/// first byte chooses which.
pub fn messages(bytes: &[u8]) {
    let Some((choice, rest)) = bytes.split_first() else { return };
    match choice % 3 {
        0 => {
            let Ok(packet) = packet::decode(rest) else { return };
            let again = packet::encode(&packet);
            let again = again.as_deref().map(packet::decode);
            assert!(matches!(again, Ok(Ok(again)) if again == packet));
            let announcement = match packet {
                Packet::Request { body, .. } => match protocol::decode(body) {
                    Ok(Request::Announce(announcement)) => announcement,
                    _ => return,
                },
                Packet::Reply { body, .. } => match protocol::decode(body) {
                    Ok(Reply::Done(Some(announcement))) => announcement,
                    _ => return,
                },
                _ => return,
            };
            let _ = announcement.bytes();
            for parts in &announcement.parts {
                // No descriptor came with it.
                let shares = protocol::unpack(parts, &mut std::iter::empty());
                assert!(!matches!(shares, Ok(Some(shares)) if shares.len() != parts.len()));
            }
        }
        1 => group::fuzzing::packet(rest),
        _ => mf_net::fuzzing::head(rest),
    }
}

/// Inputs of [`records`] to start from, with their names.
pub fn record_seeds() -> Vec<(String, Vec<u8>)> {
    let record = MemberRecord {
        endpoint: "e".to_owned(),
        namespace: "n".to_owned(),
        host: "h".to_owned(),
        pid: 1,
        identity: identity(),
        session: 1 << 40,
        key: SegmentKey(7),
        bases: [0, 1 << 44],
        bytes: [0, 2 << 20],
        descriptions: vec![("ucx".to_owned(), vec![1; 8])],
        tag: "t".to_owned(),
    };
    let card = Card { session: 1, host: "h".to_owned(), pid: 1, addresses: mf_net::fuzzing::addresses() };
    let written = |choice: u8, bytes: Option<Vec<u8>>| [vec![choice], bytes.unwrap_or_default()].concat();
    let mut seeds = vec![
        ("agree".to_owned(), written(0, space::agree::fuzzing::seed())),
        ("record".to_owned(), written(1, record.encode().ok())),
        ("card".to_owned(), written(2, postcard::to_allocvec(&card).ok())),
        (
            "question".to_owned(),
            written(3, protocol::encode(&Question { to: 1, from_device: false, to_device: true }).ok()),
        ),
        ("offers".to_owned(), written(4, group::fuzzing::offers_seed())),
    ];
    seeds.extend(card.addresses.into_iter().map(|(name, address)| (name, written(5, Some(address)))));
    seeds
}

/// Inputs of [`messages`] to start from, with their names.
pub fn message_seeds() -> Vec<(String, Vec<u8>)> {
    let part = Part { bytes: 2 << 20, sealed: true, handle: Some(vec![1; 32]) };
    let announcement = Announcement {
        rank: 1,
        bases: [0, 1 << 44],
        identity: identity(),
        parts: [vec![part.clone()], vec![part]],
        page: true,
    };
    let announce = protocol::encode(&Request::Announce(announcement.clone())).unwrap_or_default();
    let leave = protocol::encode(&Request::Leave).unwrap_or_default();
    let done = protocol::encode(&Reply::Done(Some(announcement))).unwrap_or_default();
    let to = Name { job: JobId(5), session: 1 << 40, service: "pool/3".to_owned() };
    let packets = [
        Packet::Hello { token: [7; 32], to },
        Packet::Request { number: 1, body: &announce },
        Packet::Request { number: 1, body: &leave },
        Packet::Reply { number: 1, body: &done },
        Packet::Refused { number: 1, code: -1, text: "t".to_owned() },
    ];
    let packets = packets.iter().filter_map(|packet| packet::encode(packet).ok());
    let mut seeds: Vec<_> =
        packets.enumerate().map(|(at, bytes)| (format!("link-{at}"), [vec![0], bytes].concat())).collect();
    seeds.push(("group".to_owned(), [vec![1], group::fuzzing::packet_seed()].concat()));
    seeds.push(("ucx".to_owned(), [vec![2], mf_net::fuzzing::head_seed()].concat()));
    seeds
}

fn identity() -> Identity {
    Identity { device: "host".to_owned(), process: 7, unit: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_records_and_messages_do_no_harm() {
        for (seeds, door) in [(record_seeds(), records as fn(&[u8])), (message_seeds(), messages)] {
            for (name, bytes) in seeds {
                assert!(bytes.len() > 1, "{name} is empty");
                if let Some(folder) = std::env::var_os("MF_TEST_SEEDS") {
                    std::fs::write(std::path::Path::new(&folder).join(&name), &bytes).unwrap();
                }
                door(&bytes);
                for at in 0..bytes.len() {
                    door(&bytes[..at]);
                    for bit in 0..8 {
                        let mut changed = bytes.clone();
                        changed[at] ^= 1 << bit;
                        door(&changed);
                    }
                }
            }
        }
    }
}
