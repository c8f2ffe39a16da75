// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Link table: the link to each peer, by rank, or by the address of a peer without one. Pure; the caller ends
//! the links that it hands back.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

/// The peer of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Peer {
    /// The process that announced this rank.
    Rank(u32),
    /// The process that connected from this address, or was dialled there, and announced no rank.
    Address(IpAddr),
}

impl Peer {
    /// Creates the peer of an address, in any spelling.
    pub fn from_address(address: IpAddr) -> Self {
        Self::Address(address.to_canonical())
    }

    /// Returns the word for it in errors.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Rank(_) => "rank",
            Self::Address(_) => "address",
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rank(rank) => rank.fmt(f),
            Self::Address(address) => address.fmt(f),
        }
    }
}

/// The links of a process. `L` is compared to find out whether a link is still the current one of its peer.
pub(super) struct LinkTable<L>(BTreeMap<Peer, L>);

impl<L> Default for LinkTable<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L> LinkTable<L> {
    /// Creates an empty table.
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }
}

impl<L: PartialEq> LinkTable<L> {
    /// Binds `link` to `peer`: the last one wins. Returns the replaced link.
    #[must_use]
    pub(super) fn bind(&mut self, peer: Peer, link: L) -> Option<L> {
        self.0.insert(peer, link)
    }

    /// Returns true if there is no link.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the link to `peer`.
    pub(super) fn find(&self, peer: Peer) -> Option<&L> {
        self.0.get(&peer)
    }

    /// Removes the link to `peer`.
    pub(super) fn remove(&mut self, peer: Peer) -> Option<L> {
        self.0.remove(&peer)
    }

    /// Removes `link`, if it is still the link to `peer`; a later one stays.
    pub(super) fn remove_link(&mut self, peer: Peer, link: &L) {
        if self.find(peer) == Some(link) {
            self.0.remove(&peer);
        }
    }

    /// Removes all links.
    pub(super) fn clear(&mut self) -> Vec<L> {
        std::mem::take(&mut self.0).into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_claimant_of_a_rank_wins() {
        let mut table = LinkTable::default();
        assert_eq!(table.bind(Peer::Rank(1), "a"), None);
        assert_eq!(table.bind(Peer::Rank(1), "b"), Some("a"));
        table.remove_link(Peer::Rank(1), &"a");
        assert_eq!(table.find(Peer::Rank(1)), Some(&"b"), "the end of the old link leaves the new one");
        table.remove_link(Peer::Rank(1), &"b");
        assert_eq!(table.find(Peer::Rank(1)), None);
    }

    #[test]
    fn ranks_and_canonical_addresses_are_separate_keys() {
        let mut table = LinkTable::default();
        let mapped: IpAddr = "::ffff:127.0.0.1".parse().unwrap();
        assert_eq!(table.bind(Peer::from_address(mapped), "a"), None);
        assert_eq!(table.bind(Peer::Rank(0), "b"), None);
        assert_eq!(table.find(Peer::from_address("127.0.0.1".parse().unwrap())), Some(&"a"));
        assert_eq!(table.remove(Peer::Rank(0)), Some("b"));
        assert_eq!(table.clear(), ["a"]);
        assert_eq!(table.find(Peer::from_address(mapped)), None);
    }
}
