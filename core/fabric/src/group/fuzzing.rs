// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fuzz targets of groups: the offers of their members, and packets between their leaders.

use mf_base::Rank;

use super::failure::Cause;
use super::packet::{Body, Head};
use super::topology::{self, Offer, Seating, VERSION};

/// Decides about the offers of members; a decision holds each member once.
pub(crate) fn offers(bytes: &[u8]) {
    let Ok(offers) = postcard::from_bytes::<Vec<Offer>>(bytes) else { return };
    let count = u32::try_from(offers.len()).unwrap_or(0).min(64);
    let members: Vec<Rank> = (0..count).map(Rank).collect();
    let Some(offers) = offers.get(..members.len()) else { return };
    let Ok(topology) = topology::decide(&members, offers) else { return };
    let mut seated: Vec<usize> = topology.hosts.concat();
    seated.sort_unstable();
    assert!(seated.into_iter().eq(0..members.len()), "not each member once: {topology:?}");
}

/// Decodes a packet and checks that it encodes to the same bytes.
pub(crate) fn packet(bytes: &[u8]) {
    let Some((head, payload)) = Head::read(bytes) else { return };
    if let Body::Failed { cause } = head.body {
        let _ = Cause::unpack(cause);
    }
    let again = head.write(payload);
    assert_eq!(Head::read(&again), Some((head, payload)));
}

/// An input of [`offers`] to start from.
pub(crate) fn offers_seed() -> Option<Vec<u8>> {
    let seating = Seating { nonce: 2, slot: Some((0, 1)), is_registered: true, mailbox: 3 };
    let sees = vec![(0, 1), (1, 2)];
    let offer =
        |page| Offer { version: VERSION, order: 1, seating, page, sees: sees.clone(), cores: vec![0] };
    postcard::to_allocvec(&vec![offer(1), offer(2)]).ok()
}

/// An input of [`packet`] to start from.
pub(crate) fn packet_seed() -> Vec<u8> {
    let body = Body::Blocks { step: 1, tag: 2, length: 8, offset: 0 };
    Head { mailbox: 5, operation: 1, body }.write(b"payload!")
}
