// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cards: the messages that the two ends of a connection exchange once at the listener's meeting point.

use std::net::IpAddr;

use mf_base::{Error, Result};
use mf_net::Card as NetworkCard;
use mf_transport::SegmentKey;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::numbers::Status;
use crate::status_errors::fault;

/// Version of the format of cards.
const VERSION: u8 = 2;
/// Prefix of dialers' names among the guests.
const DIALER: &str = "hmc/";

/// Card of a communicator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Card {
    version: u8,
    /// Network card of its process.
    pub(super) network: NetworkCard,
    /// Key of its memory.
    pub(super) key: SegmentKey,
    /// Address of its buffer.
    pub(super) base: u64,
    pub(super) bytes: u64,
    /// Number of its memory type.
    pub(super) memory: i32,
    /// PCI bus id of its GPU; empty if it is not on a GPU, or unknown.
    pub(super) bus: String,
    pub(super) channels: u64,
    /// Port at which it listens for connections of this kind; 0 if it does not.
    pub(super) port: u16,
}

impl Card {
    pub(super) fn new(network: NetworkCard, key: SegmentKey, (base, bytes): (u64, u64)) -> Self {
        Self {
            version: VERSION,
            network,
            key,
            base,
            bytes,
            memory: 0,
            bus: String::new(),
            channels: 1,
            port: 0,
        }
    }

    /// Rejects a card that cannot belong to a communicator.
    fn check(&self, op: &'static str) -> Result<()> {
        let fits = self.base != 0 && self.bytes != 0 && self.base.checked_add(self.bytes).is_some();
        if self.version == VERSION && fits && self.channels != 0 {
            return Ok(());
        }
        Err(fault(op, Status::Error, "the peer is of another version of the library")
            .with("version", self.version)
            .with("expected", VERSION))
    }
}

/// Card of a dialer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Dialer {
    pub(super) card: Card,
    /// Address by which it is known: the one at which it listens for connections of this kind, if that is one
    /// of its own that the other end can use, else the one from which it dials.
    pub(super) ip: IpAddr,
}

/// Answer to a dialer: the card of the listener, or the reason for a refusal.
pub(super) type Answer = std::result::Result<Card, String>;

/// Returns the name of a dialer among the guests.
pub(super) fn dialer_name(number: u128) -> String {
    format!("{DIALER}{number:032x}")
}

/// Returns true if a guest is a dialer.
pub(super) fn is_dialer(name: &str) -> bool {
    name.starts_with(DIALER)
}

/// Returns the store key of the answer to a dialer.
pub(super) fn answer_key(name: &str) -> String {
    format!("answer/{name}")
}

pub(super) fn encode<T: Serialize>(op: &'static str, value: &T) -> Result<Vec<u8>> {
    postcard::to_allocvec(value).map_err(|error| fault(op, Status::Error, "a card").source(error.to_string()))
}

fn decode<T: DeserializeOwned>(op: &'static str, bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|error: postcard::Error| {
        fault(op, Status::Error, "cannot decode the peer's description of itself").source(error.to_string())
    })
}

/// Parses the card of a dialer.
///
/// # Errors
/// `Error` malformed.
pub(super) fn dialer(op: &'static str, bytes: &[u8]) -> Result<Dialer> {
    let dialer: Dialer = decode(op, bytes)?;
    dialer.card.check(op)?;
    Ok(dialer)
}

/// Parses an answer.
///
/// # Errors
/// `Error` malformed, or a refusal.
pub(super) fn answer(op: &'static str, bytes: &[u8]) -> Result<Card> {
    let answer: Answer = decode(op, bytes)?;
    let card = answer.map_err(|reason| -> Error {
        fault(op, Status::Error, "the peer refuses the connection").with("reason", reason.escape_debug())
    })?;
    card.check(op)?;
    Ok(card)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> Card {
        let network = NetworkCard { session: 1, host: "h".to_owned(), pid: 2, addresses: Vec::new() };
        Card::new(network, SegmentKey(3), (4096, 8192))
    }

    #[test]
    fn cards_round_trip_and_malformed_ones_are_rejected() {
        let shown = Dialer { card: card(), ip: IpAddr::from([127, 0, 0, 1]) };
        assert_eq!(dialer("hmc test", &encode("hmc test", &shown).unwrap()).unwrap(), shown);
        let yes: Answer = Ok(card());
        assert_eq!(answer("hmc test", &encode("hmc test", &yes).unwrap()).unwrap(), card());
        let no: Answer = Err("full".to_owned());
        let refusal = answer("hmc test", &encode("hmc test", &no).unwrap()).unwrap_err();
        assert!(refusal.to_string().contains("full"), "{refusal}");
        for broken in [
            Card { version: 99, ..card() },
            Card { base: 0, ..card() },
            Card { bytes: 0, ..card() },
            Card { bytes: u64::MAX, ..card() },
            Card { channels: 0, ..card() },
        ] {
            let shown = Dialer { card: broken, ..shown.clone() };
            assert!(dialer("hmc test", &encode("hmc test", &shown).unwrap()).is_err());
        }
        assert!(dialer("hmc test", b"x").is_err() && answer("hmc test", &[]).is_err());
        assert!(is_dialer(&dialer_name(7)) && !is_dialer("other"));
    }
}
