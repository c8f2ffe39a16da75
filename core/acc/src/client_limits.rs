// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Limits of clients and memory: the number of a server's clients in all, per address, and without a hello. A
//! client beyond a limit is refused; a new client without a hello replaces another one without, preferably
//! the oldest of its own address, else the oldest. And the memory of partly received messages, in all and per
//! address.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};

use mf_base::sync::lock;

use crate::link::Link;
use crate::options::Bounds;

/// The limits of a server, and their use.
pub(crate) struct Places {
    bounds: Bounds,
    state: Mutex<PlaceCounts>,
}

#[derive(Default)]
struct PlaceCounts {
    taken: usize,
    by_address: HashMap<IpAddr, usize>,
    /// Links without a hello by their numbers, which only grow.
    silent: BTreeMap<u32, (IpAddr, Weak<Link>)>,
    partial_bytes: usize,
    partial_bytes_by_address: HashMap<IpAddr, usize>,
}

/// The place of one link, freed on drop.
pub(crate) struct ClientPlace {
    places: Arc<Places>,
    address: IpAddr,
}

impl Places {
    pub(crate) fn new(bounds: Bounds) -> Arc<Self> {
        Arc::new(Self { bounds, state: Mutex::default() })
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Takes a place for a client of this address. Returns `None` if all are taken.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr) -> Option<ClientPlace> {
        let address = address.to_canonical();
        let mut state = lock(&self.state);
        let of_address = state.by_address.get(&address).copied().unwrap_or(0);
        if state.taken >= self.bounds.links || of_address >= self.bounds.links_of_address {
            return None;
        }
        state.taken += 1;
        state.by_address.insert(address, of_address + 1);
        drop(state);
        Some(ClientPlace { places: Arc::clone(self), address })
    }

    /// Adds a link without a hello. Returns the link that it replaces, which the caller ends.
    pub(crate) fn add_silent(&self, number: u32, address: IpAddr, link: Weak<Link>) -> Option<Weak<Link>> {
        let address = address.to_canonical();
        let mut state = lock(&self.state);
        let displaced = if state.silent.len() >= self.bounds.silent {
            let of_address = state.silent.iter().find(|(_, (theirs, _))| *theirs == address);
            of_address.or_else(|| state.silent.first_key_value()).map(|(number, _)| *number)
        } else {
            None
        };
        let displaced = displaced.and_then(|number| state.silent.remove(&number));
        state.silent.insert(number, (address, link));
        displaced.map(|(_, link)| link)
    }

    /// Changes the partly received bytes of a link from `before` to `now`. Returns false, and changes
    /// nothing, if they exceed a bound.
    pub(crate) fn charge(&self, address: IpAddr, before: usize, now: usize) -> bool {
        let address = address.to_canonical();
        let mut state = lock(&self.state);
        let of_address = state.partial_bytes_by_address.get(&address).copied().unwrap_or(0);
        let changed = |bytes: usize| bytes.saturating_sub(before).saturating_add(now);
        let (all, of_address) = (changed(state.partial_bytes), changed(of_address));
        let is_more = now > before;
        if is_more && (all > self.bounds.partial_bytes || of_address > self.bounds.partial_bytes_of_address) {
            return false;
        }
        state.partial_bytes = all;
        match of_address {
            0 => state.partial_bytes_by_address.remove(&address),
            bytes => state.partial_bytes_by_address.insert(address, bytes),
        };
        true
    }

    /// Removes a link that has sent its hello, or has ended.
    pub(crate) fn remove_silent(&self, number: u32) {
        lock(&self.state).silent.remove(&number);
    }
}

impl Drop for ClientPlace {
    fn drop(&mut self) {
        let mut state = lock(&self.places.state);
        state.taken = state.taken.saturating_sub(1);
        let left = state.by_address.get(&self.address).copied().unwrap_or(0).saturating_sub(1);
        match left {
            0 => state.by_address.remove(&self.address),
            left => state.by_address.insert(self.address, left),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn link_places_are_bounded_in_total_and_per_address() {
        let places = Places::new(Bounds { links: 3, links_of_address: 2, ..Bounds::default() });
        let first = places.take(address(1)).unwrap();
        let second = places.take(address(1)).unwrap();
        assert!(places.take(address(1)).is_none(), "two of one address");
        let third = places.take(address(2)).unwrap();
        assert!(places.take(address(3)).is_none(), "three in all");
        drop(first);
        assert!(places.take(address(3)).is_some());
        drop((second, third));
        assert!(lock(&places.state).by_address.is_empty());
    }

    #[test]
    fn partial_bytes_are_bounded_in_total_and_per_address() {
        let bounds = Bounds { partial_bytes: 300, partial_bytes_of_address: 200, ..Bounds::default() };
        let places = Places::new(bounds);
        assert!(places.charge(address(1), 0, 150) && places.charge(address(1), 0, 50));
        assert!(!places.charge(address(1), 50, 51), "of one address");
        assert!(places.charge(address(2), 0, 100));
        assert!(!places.charge(address(3), 0, 1), "in all");
        assert!(places.charge(address(1), 150, 0) && places.charge(address(3), 0, 150));
        for (last, bytes) in [(1, 50), (2, 100), (3, 150)] {
            assert!(places.charge(address(last), bytes, 0));
        }
        let state = lock(&places.state);
        assert_eq!((state.partial_bytes, state.partial_bytes_by_address.len()), (0, 0));
    }

    #[test]
    fn newest_silent_link_replaces_the_oldest_of_its_address() {
        let places = Places::new(Bounds { silent: 3, ..Bounds::default() });
        let present = || lock(&places.state).silent.keys().copied().collect::<Vec<_>>();
        for (number, last) in [(1, 1), (2, 2), (3, 2)] {
            assert!(places.add_silent(number, address(last), Weak::new()).is_none());
        }
        assert!(places.add_silent(4, address(2), Weak::new()).is_some());
        assert_eq!(present(), [1, 3, 4]);
        assert!(places.add_silent(5, address(9), Weak::new()).is_some());
        assert_eq!(present(), [3, 4, 5]);
        places.remove_silent(3);
        assert!(places.add_silent(6, address(9), Weak::new()).is_none());
        assert_eq!(present(), [4, 5, 6]);
    }
}
