// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Peer table: connected peers by kind of connection, address and port. Pure: it opens nothing and never
//! waits.
//!
//! * Peers of the two kinds of connections are in separate tables, so the same address and port may be in
//!   each.
//! * A peer that this end dialled is keyed by the dialled address and port. A peer that dialled is keyed by
//!   its own listening address and port for that kind (if it listens at all addresses, by the address from
//!   which it dials), or, if it does not listen under that address, by that address and port 0.
//! * An address and port has one peer: a new one replaces the former. So dialers of one address that do not
//!   listen share a key: the last one is in the table, the others can only dial.

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::numbers::ConnType;

/// Key of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PeerKey {
    pub(crate) conn: ConnType,
    pub(crate) ip: IpAddr,
    pub(crate) port: u16,
}

/// Number of peers at an address, for callers that name no port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtAddress {
    None,
    One(u16),
    Several,
}

/// Peers by their keys.
#[derive(Clone, Debug)]
pub(crate) struct PeerTable<T> {
    peers: BTreeMap<PeerKey, T>,
}

impl<T> Default for PeerTable<T> {
    fn default() -> Self {
        Self { peers: BTreeMap::new() }
    }
}

impl<T> PeerTable<T> {
    /// Adds a peer. Returns the replaced peer.
    pub(crate) fn insert(&mut self, key: PeerKey, peer: T) -> Option<T> {
        self.peers.insert(canonical(key), peer)
    }

    /// Returns the peer with a key.
    pub(crate) fn get(&self, key: PeerKey) -> Option<&T> {
        self.peers.get(&canonical(key))
    }

    /// Removes a peer.
    pub(crate) fn remove(&mut self, key: PeerKey) -> Option<T> {
        self.peers.remove(&canonical(key))
    }

    /// Removes all peers that `is_meant` selects.
    pub(crate) fn remove_all(&mut self, is_meant: impl Fn(&T) -> bool) -> Vec<T> {
        let meant: Vec<PeerKey> =
            self.iter().filter(|(_, peer)| is_meant(peer)).map(|(key, _)| key).collect();
        meant.into_iter().filter_map(|key| self.remove(key)).collect()
    }

    /// Returns the peer at this address, with any port.
    pub(crate) fn at_address(&self, conn: ConnType, ip: IpAddr) -> AtAddress {
        let from = canonical(PeerKey { conn, ip, port: 0 });
        let mut found = self.peers.range(from..=PeerKey { port: u16::MAX, ..from });
        match (found.next(), found.next()) {
            (None, _) => AtAddress::None,
            (Some((key, _)), None) => AtAddress::One(key.port),
            _ => AtAddress::Several,
        }
    }

    /// Returns all peers, ordered by key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PeerKey, &T)> {
        self.peers.iter().map(|(key, peer)| (*key, peer))
    }
}

/// Returns the key with the address in canonical form.
fn canonical(key: PeerKey) -> PeerKey {
    PeerKey { ip: key.ip.to_canonical(), ..key }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::net::{Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::*;

    fn key(conn: ConnType, last: u8, port: u16) -> PeerKey {
        PeerKey { conn, ip: IpAddr::from([10, 0, 0, last]), port }
    }

    #[test]
    fn kinds_have_separate_tables_and_new_peers_replace_old_ones() {
        let mut table = PeerTable::default();
        assert_eq!(table.insert(key(ConnType::Rdma, 1, 7), "a"), None);
        assert_eq!(table.insert(key(ConnType::Ucx, 1, 7), "b"), None);
        assert_eq!(table.insert(key(ConnType::Ucx, 1, 7), "c"), Some("b"));
        assert_eq!(table.get(key(ConnType::Rdma, 1, 7)), Some(&"a"));
        assert_eq!(table.get(key(ConnType::Ucx, 1, 8)), None);
        assert_eq!(table.remove(key(ConnType::Rdma, 1, 7)), Some("a"));
        assert_eq!(table.get(key(ConnType::Ucx, 1, 7)), Some(&"c"));
        assert_eq!(table.remove_all(|peer| *peer == "c"), ["c"]);
        assert_eq!(table.iter().count(), 0);
    }

    #[test]
    fn address_without_port_finds_a_single_peer() {
        let mut table = PeerTable::default();
        let at =
            |table: &PeerTable<u8>, last| table.at_address(ConnType::Ucx, key(ConnType::Ucx, last, 0).ip);
        table.insert(key(ConnType::Ucx, 1, 0), 1);
        table.insert(key(ConnType::Rdma, 1, 9), 2);
        table.insert(key(ConnType::Ucx, 2, u16::MAX), 3);
        assert_eq!((at(&table, 1), at(&table, 2)), (AtAddress::One(0), AtAddress::One(u16::MAX)));
        table.insert(key(ConnType::Ucx, 2, 1), 4);
        assert_eq!((at(&table, 2), at(&table, 3)), (AtAddress::Several, AtAddress::None));
    }

    #[test]
    fn mapped_ipv4_addresses_are_canonical() {
        let mut table = PeerTable::default();
        let mapped = IpAddr::V6(Ipv6Addr::from([0, 0, 0, 0, 0, 0xffff, 0x0a00, 1]));
        table.insert(PeerKey { conn: ConnType::Ucx, ip: mapped, port: 1 }, 1);
        let plain = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
        assert_eq!(table.get(PeerKey { conn: ConnType::Ucx, ip: plain, port: 1 }), Some(&1));
        assert_eq!(table.at_address(ConnType::Ucx, mapped), AtAddress::One(1));
    }

    proptest! {
        #[test]
        fn table_agrees_with_a_list(steps in prop::collection::vec((0..4_u8, 0..2_u8, 0..3_u8, 0..3_u16), 1..60)) {
            let mut table = PeerTable::default();
            let mut list: HashMap<PeerKey, usize> = HashMap::new();
            for (number, (what, conn, last, port)) in steps.into_iter().enumerate() {
                let conn = if conn == 0 { ConnType::Rdma } else { ConnType::Ucx };
                let key = key(conn, last, port);
                match what {
                    0 => prop_assert_eq!(table.remove(key), list.remove(&key)),
                    1 => {
                        let gone = table.remove_all(|peer| peer % 3 == 0).len();
                        let before = list.len();
                        list.retain(|_, peer| *peer % 3 != 0);
                        prop_assert_eq!(gone, before - list.len());
                    }
                    _ => prop_assert_eq!(table.insert(key, number), list.insert(key, number)),
                }
                let there: Vec<u16> =
                    list.keys().filter(|known| known.conn == conn && known.ip == key.ip).map(|k| k.port).collect();
                let expected = match there.as_slice() {
                    [] => AtAddress::None,
                    [port] => AtAddress::One(*port),
                    _ => AtAddress::Several,
                };
                prop_assert_eq!(table.at_address(conn, key.ip), expected);
                prop_assert_eq!(table.get(key), list.get(&key));
            }
        }
    }
}
