// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The endpoints at a store, for people.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use mf_base::Result;
use mf_bootstrap::meeting;
use mf_net::Card as NetworkCard;
use mf_store::{Entry, network_card};
use mf_tcp::Tcp;

use super::card::{Card, endpoint_name};

/// Phase of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointState {
    /// It has its name, and is being made.
    Starting,
    /// Others may transfer.
    Ready,
    /// Its process has ended, or ends: its name is free as soon as the store knows.
    Ending,
    /// It was made by another version of the library, which says other things of itself.
    Unreadable,
}

impl EndpointState {
    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::Ending => "ending",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Location of an endpoint's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// Name of its host, as the host calls itself.
    pub host: String,
    /// Its process there.
    pub pid: u32,
    /// Addresses on which it listens for others. Empty: it does not use TCP.
    pub listens: Vec<SocketAddr>,
}

/// An endpoint at a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its phase.
    pub state: EndpointState,
    /// Its session with the store.
    pub session: Option<u64>,
    /// Since when others may transfer, by the clock of its host.
    pub since: Option<SystemTime>,
    /// Its location.
    pub at: Option<At>,
}

/// Returns the endpoints at a store, by name, from its entries under [`GUEST_CARDS`](mf_store::GUEST_CARDS);
/// `get` returns the entry of a key, and is called once for each endpoint.
///
/// # Errors
/// Errors of `get`.
pub fn list(cards: Vec<Entry>, get: impl Fn(&str) -> Result<Option<Entry>>) -> Result<Vec<Listed>> {
    let cards = meeting::cards_of(cards);
    let named = cards.iter().filter_map(|card| Some((endpoint_name(&card.name)?, card.bytes.as_slice())));
    named.map(|(name, bytes)| describe(&get, name, bytes)).collect()
}

fn describe(get: &impl Fn(&str) -> Result<Option<Entry>>, name: &str, bytes: &[u8]) -> Result<Listed> {
    let plain = |state| Listed { name: name.to_owned(), state, session: None, since: None, at: None };
    let card = match Card::decode(bytes) {
        Ok(Some(card)) => card,
        Ok(None) => return Ok(plain(EndpointState::Starting)),
        Err(_) => return Ok(plain(EndpointState::Unreadable)),
    };
    let network = get(&network_card(card.session))?;
    let at = network.map(|entry| NetworkCard::decode(&entry.value)).transpose();
    let state = match at {
        Ok(Some(_)) => EndpointState::Ready,
        Ok(None) => EndpointState::Ending,
        Err(_) => EndpointState::Unreadable,
    };
    let at = at.ok().flatten().map(|network| At {
        listens: listening(&network),
        host: network.host,
        pid: network.pid,
    });
    Ok(Listed {
        session: Some(card.session),
        since: SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(card.since_s)),
        at,
        ..plain(state)
    })
}

fn listening(network: &NetworkCard) -> Vec<SocketAddr> {
    let tcp = network.addresses.iter().find(|(transport, _)| transport == "tcp");
    tcp.and_then(|(_, address)| Tcp::listening(address).ok()).unwrap_or_default()
}
