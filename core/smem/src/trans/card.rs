// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Card of an endpoint, published at the store: everything that others need, and nothing about its memory.

use std::time::SystemTime;

use mf_base::{Error, Result};
use mf_transport::SegmentKey;
use serde::{Deserialize, Serialize};

/// Prefix of endpoints' names among the guests of a store.
const PREFIX: &str = "trans/";
/// Changes when cards change.
const VERSION: u8 = 2;

/// The card of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Card {
    version: u8,
    /// Its session with the store, under which its network is found.
    pub(super) session: u64,
    /// The key of its memory.
    pub(super) key: SegmentKey,
    /// Seconds from 1970 to when it was made, by the clock of its host.
    pub(super) since_s: u64,
}

impl Card {
    /// Of an endpoint that is made now.
    pub(super) fn new(session: u64, key: SegmentKey) -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self { version: VERSION, session, key, since_s: since.map_or(0, |since| since.as_secs()) }
    }

    pub(super) fn encode(self) -> Vec<u8> {
        postcard::to_allocvec(&self).unwrap_or_default()
    }

    /// Decodes a card. `None`: the endpoint is being made.
    ///
    /// # Errors
    /// `InvalidParam` it is not of this version.
    pub(super) fn decode(bytes: &[u8]) -> Result<Option<Self>> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let unreadable = || Error::invalid("transfer", "the card of an endpoint is of another version");
        let card: Self =
            postcard::from_bytes(bytes).map_err(|error| unreadable().source(error.to_string()))?;
        if card.version == VERSION { Ok(Some(card)) } else { Err(unreadable()) }
    }
}

/// The name of an endpoint among the guests of a store.
pub(super) fn guest_name(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Returns the name of a guest's endpoint. `None` if the guest is not an endpoint.
pub(super) fn endpoint_name(guest: &str) -> Option<&str> {
    guest.strip_prefix(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_and_names_round_trip() {
        let card = Card::new(7, SegmentKey(u64::MAX));
        assert_eq!(Card::decode(&card.encode()).unwrap(), Some(card));
        assert_eq!(Card::decode(b"").unwrap(), None);
        assert!(Card::decode(&[9, 1, 1, 1]).is_err() && Card::decode(&[1]).is_err());
        assert_eq!(endpoint_name(&guest_name("1.2.3.4:5")), Some("1.2.3.4:5"));
        assert_eq!(endpoint_name("other"), None);
    }
}
