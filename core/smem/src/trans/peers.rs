// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The other endpoints that one has transferred with, by name.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::sync::published::Published;
use mf_base::sync::rcu::{self, ReadSection};
use mf_base::{Error, Kind, Result};
use mf_bootstrap::meeting::Card as GuestCard;
use mf_fabric::endpoint::{Endpoint, PeerAccess};
use mf_transport::{JobId, NO_RANK, Peer};

use super::card::Card;
use super::peer_down::Down;

const OP: &str = "transfer";

/// Others, sorted by name.
#[derive(Default)]
struct ByName {
    entries: Vec<(Box<[u8]>, Arc<PeerAccess>)>,
    /// Which one was found last: most often it is asked for again.
    last: AtomicUsize,
}

impl ByName {
    #[inline(always)]
    fn find(&self, name: &[u8]) -> Option<&Arc<PeerAccess>> {
        // Nothing else is read on the strength of it.
        let last = self.entries.get(self.last.load(Ordering::Relaxed));
        match last.filter(|(known, _)| **known == *name) {
            Some((_, reached)) => Some(reached),
            None => self.search(name),
        }
    }

    fn search(&self, name: &[u8]) -> Option<&Arc<PeerAccess>> {
        let place = self.place(name).ok()?;
        self.last.store(place, Ordering::Relaxed);
        self.entries.get(place).map(|(_, reached)| reached)
    }

    /// Returns the index of the name, or its place for insertion.
    fn place(&self, name: &[u8]) -> std::result::Result<usize, usize> {
        self.entries.binary_search_by(|(known, _)| (**known).cmp(name))
    }
}

/// Others by name; empty until something is transferred. A change makes a new table, so that transfers take
/// no lock.
pub(super) struct Peers {
    table: Published<ByName>,
    changing: Mutex<()>,
}

impl Default for Peers {
    fn default() -> Self {
        Self { table: Published::new(1), changing: Mutex::default() }
    }
}

impl Peers {
    /// Returns the peer of this name, if it is known.
    #[inline]
    pub(super) fn lookup<'s>(&'s self, section: ReadSection<'s>, name: &[u8]) -> Option<&'s Arc<PeerAccess>> {
        self.table.get(section, 0)?.find(name)
    }

    /// The same, to keep.
    pub(super) fn get(&self, name: &str) -> Option<Arc<PeerAccess>> {
        self.lookup(rcu::read_lock().section(), name.as_bytes()).cloned()
    }

    /// Changes the table.
    fn change<T>(&self, change: impl FnOnce(&mut ByName) -> T) -> T {
        let _changing = lock(&self.changing);
        let section = rcu::read_lock();
        let entries = self.table.get(section.section(), 0).map(|table| table.entries.clone());
        let mut table = ByName { entries: entries.unwrap_or_default(), last: AtomicUsize::new(0) };
        let changed = change(&mut table);
        self.table.set(0, Some(Box::new(table)));
        changed
    }

    /// Resolves the endpoint of this name from its card at the store. A round trip.
    ///
    /// # Errors
    /// `NotConnected` unknown name, or no engine reaches it.
    #[cold]
    pub(super) fn find(
        &self,
        name: &str,
        card: Option<GuestCard>,
        endpoint: &Endpoint,
        job: JobId,
        down: &Arc<Down>,
    ) -> Result<Arc<PeerAccess>> {
        let missing = || {
            Error::new(Kind::NotConnected, OP)
                .what("no endpoint of this name is at the store")
                .with("endpoint", name.escape_debug())
        };
        let card = Card::decode(&card.ok_or_else(missing)?.bytes)?.ok_or_else(missing)?;
        if let Some(known) = self.get(name)
            && known.peer().session == card.session
        {
            return Ok(known);
        }
        let peer = Peer { job, rank: NO_RANK, session: card.session };
        let reached =
            endpoint.reach(peer, card.key).map_err(|error| error.with("endpoint", name.escape_debug()))?;
        let reached = Arc::new(reached);
        down.seen(name, card.session);
        Ok(self.change(|peers| match peers.place(name.as_bytes()) {
            Ok(place) => match peers.entries.get_mut(place) {
                // Another thread was faster.
                Some((_, known)) if known.peer() == peer => Arc::clone(known),
                Some((_, known)) => {
                    known.clone_from(&reached);
                    reached
                }
                None => reached,
            },
            Err(place) => {
                peers.entries.insert(place, (name.as_bytes().into(), Arc::clone(&reached)));
                reached
            }
        }))
    }

    /// The endpoint is not reached so any more; whether it was known so.
    pub(super) fn remove(&self, name: &str, reached: &Arc<PeerAccess>) -> bool {
        self.change(|peers| match peers.place(name.as_bytes()) {
            Ok(place) if peers.entries.get(place).is_some_and(|(_, known)| Arc::ptr_eq(known, reached)) => {
                peers.entries.remove(place);
                true
            }
            _ => false,
        })
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        self.change(|peers| peers.entries.clear());
    }
}
