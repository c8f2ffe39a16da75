// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The other endpoints that one has transferred with, by name.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use mf_base::sync::{read, write};
use mf_base::{Error, Kind, Result};
use mf_fabric::endpoint::{Endpoint, Reached};
use mf_fabric::transport::{JobId, Peer};
use mf_store::meeting::Guest;

use super::card::{Card, guest_name};
use super::down::Down;

const OP: &str = "transfer";
/// The rank of a process without one.
const NO_RANK: u32 = u32::MAX;

/// Others by name; empty until something is transferred.
#[derive(Default)]
pub(super) struct Peers(RwLock<HashMap<Box<str>, Arc<Reached>>>);

impl Peers {
    /// How the endpoint of this name is reached, as far as it is known.
    #[inline]
    pub(super) fn known(&self, name: &str) -> Option<Arc<Reached>> {
        read(&self.0).get(name).cloned()
    }

    /// Asks the store for the endpoint of this name. Two round trips.
    ///
    /// # Errors
    /// `NotConnected` there is none, or nothing reaches it · those of the store.
    #[cold]
    pub(super) fn find(
        &self,
        name: &str,
        guest: &Guest,
        endpoint: &Endpoint,
        job: JobId,
        down: &Down,
    ) -> Result<Arc<Reached>> {
        let missing = || {
            Error::new(Kind::NotConnected, OP)
                .what("no endpoint of this name is at the store")
                .with("endpoint", name.escape_debug())
        };
        let card =
            guest.lookup(&guest_name(name)).map_err(|error| error.with("endpoint", name.escape_debug()))?;
        let card = Card::decode(&card.ok_or_else(missing)?.bytes)?.ok_or_else(missing)?;
        if let Some(known) = self.known(name)
            && known.peer().session == card.session
        {
            return Ok(known);
        }
        let peer = Peer { job, rank: NO_RANK, session: card.session };
        let reached =
            endpoint.reach(peer, card.key).map_err(|error| error.with("endpoint", name.escape_debug()))?;
        let reached = Arc::new(reached);
        down.seen(name, card.session);
        let mut peers = write(&self.0);
        match peers.get(name) {
            // Another thread was faster.
            Some(known) if known.peer() == peer => Ok(Arc::clone(known)),
            _ => {
                peers.insert(name.into(), Arc::clone(&reached));
                Ok(reached)
            }
        }
    }

    /// The endpoint is not reached so any more; whether it was known so.
    pub(super) fn remove(&self, name: &str, reached: &Arc<Reached>) -> bool {
        let mut peers = write(&self.0);
        let is_it = peers.get(name).is_some_and(|known| Arc::ptr_eq(known, reached));
        is_it && peers.remove(name).is_some()
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<(String, Arc<Reached>)> {
        read(&self.0).iter().map(|(name, reached)| (name.to_string(), Arc::clone(reached))).collect()
    }
}
