// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which link leads to whom: by rank, or by the address of a peer that gave none. A pure table; the caller
//! ends the links that it hands back.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

/// Whom a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Peer {
    /// The process that said this rank.
    Rank(u32),
    /// The process that connected from this address, or was connected to there, and gave no rank.
    Address(IpAddr),
}

impl Peer {
    /// That of an address, however it was written.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(address.to_canonical())
    }

    /// What errors call it.
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

/// The links of a process. `L` is compared to find out whether a link is still the one of its peer.
pub(super) struct Table<L>(BTreeMap<Peer, L>);

impl<L> Default for Table<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L> Table<L> {
    /// Without links.
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }
}

impl<L: PartialEq> Table<L> {
    /// Binds `link` to `peer`: the last one wins. Returns the link in whose place it comes.
    #[must_use]
    pub(super) fn bind(&mut self, peer: Peer, link: L) -> Option<L> {
        self.0.insert(peer, link)
    }

    /// Whether there is no link.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The link to `peer`.
    pub(super) fn find(&self, peer: Peer) -> Option<&L> {
        self.0.get(&peer)
    }

    /// Takes the link to `peer` out.
    pub(super) fn remove(&mut self, peer: Peer) -> Option<L> {
        self.0.remove(&peer)
    }

    /// Takes `link` out, if it still is the one to `peer`; a later one stays.
    pub(super) fn remove_link(&mut self, peer: Peer, link: &L) {
        if self.find(peer) == Some(link) {
            self.0.remove(&peer);
        }
    }

    /// Takes all out.
    pub(super) fn clear(&mut self) -> Vec<L> {
        std::mem::take(&mut self.0).into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_claimant_of_a_rank_has_it() {
        let mut table = Table::default();
        assert_eq!(table.bind(Peer::Rank(1), "a"), None);
        assert_eq!(table.bind(Peer::Rank(1), "b"), Some("a"));
        table.remove_link(Peer::Rank(1), &"a");
        assert_eq!(table.find(Peer::Rank(1)), Some(&"b"), "the end of the old link leaves the new one");
        table.remove_link(Peer::Rank(1), &"b");
        assert_eq!(table.find(Peer::Rank(1)), None);
    }

    #[test]
    fn ranks_and_addresses_are_apart_and_an_address_has_one_form() {
        let mut table = Table::default();
        let mapped: IpAddr = "::ffff:127.0.0.1".parse().unwrap();
        assert_eq!(table.bind(Peer::at(mapped), "a"), None);
        assert_eq!(table.bind(Peer::Rank(0), "b"), None);
        assert_eq!(table.find(Peer::at("127.0.0.1".parse().unwrap())), Some(&"a"));
        assert_eq!(table.remove(Peer::Rank(0)), Some("b"));
        assert_eq!(table.clear(), ["a"]);
        assert_eq!(table.find(Peer::at(mapped)), None);
    }
}
