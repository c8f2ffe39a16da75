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
pub(crate) struct Key {
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
pub(crate) struct Book<T> {
    peers: BTreeMap<Key, T>,
}

impl<T> Default for Book<T> {
    fn default() -> Self {
        Self { peers: BTreeMap::new() }
    }
}

impl<T> Book<T> {
    /// Adds a peer. Returns the replaced peer.
    pub(crate) fn insert(&mut self, key: Key, peer: T) -> Option<T> {
        self.peers.insert(canonical(key), peer)
    }

    /// Returns the peer with a key.
    pub(crate) fn get(&self, key: Key) -> Option<&T> {
        self.peers.get(&canonical(key))
    }

    /// Removes a peer.
    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        self.peers.remove(&canonical(key))
    }

    /// Removes all peers that `is_meant` selects.
    pub(crate) fn remove_all(&mut self, is_meant: impl Fn(&T) -> bool) -> Vec<T> {
        let meant: Vec<Key> = self.iter().filter(|(_, peer)| is_meant(peer)).map(|(key, _)| key).collect();
        meant.into_iter().filter_map(|key| self.remove(key)).collect()
    }

    /// Returns the peer at this address, with any port.
    pub(crate) fn at_address(&self, conn: ConnType, ip: IpAddr) -> AtAddress {
        let from = canonical(Key { conn, ip, port: 0 });
        let mut found = self.peers.range(from..=Key { port: u16::MAX, ..from });
        match (found.next(), found.next()) {
            (None, _) => AtAddress::None,
            (Some((key, _)), None) => AtAddress::One(key.port),
            _ => AtAddress::Several,
        }
    }

    /// Returns all peers, ordered by key.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, &T)> {
        self.peers.iter().map(|(key, peer)| (*key, peer))
    }
}

/// Returns the key with the address in canonical form.
fn canonical(key: Key) -> Key {
    Key { ip: key.ip.to_canonical(), ..key }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::net::{Ipv4Addr, Ipv6Addr};

    use proptest::prelude::*;

    use super::*;

    fn key(conn: ConnType, last: u8, port: u16) -> Key {
        Key { conn, ip: IpAddr::from([10, 0, 0, last]), port }
    }

    #[test]
    fn kinds_have_tables_of_their_own_and_a_new_peer_replaces_the_former() {
        let mut book = Book::default();
        assert_eq!(book.insert(key(ConnType::Rdma, 1, 7), "a"), None);
        assert_eq!(book.insert(key(ConnType::Ucx, 1, 7), "b"), None);
        assert_eq!(book.insert(key(ConnType::Ucx, 1, 7), "c"), Some("b"));
        assert_eq!(book.get(key(ConnType::Rdma, 1, 7)), Some(&"a"));
        assert_eq!(book.get(key(ConnType::Ucx, 1, 8)), None);
        assert_eq!(book.remove(key(ConnType::Rdma, 1, 7)), Some("a"));
        assert_eq!(book.get(key(ConnType::Ucx, 1, 7)), Some(&"c"));
        assert_eq!(book.remove_all(|peer| *peer == "c"), ["c"]);
        assert_eq!(book.iter().count(), 0);
    }

    #[test]
    fn lookup_by_address_finds_one_none_or_several() {
        let mut book = Book::default();
        let at = |book: &Book<u8>, last| book.at_address(ConnType::Ucx, key(ConnType::Ucx, last, 0).ip);
        book.insert(key(ConnType::Ucx, 1, 0), 1);
        book.insert(key(ConnType::Rdma, 1, 9), 2);
        book.insert(key(ConnType::Ucx, 2, u16::MAX), 3);
        assert_eq!((at(&book, 1), at(&book, 2)), (AtAddress::One(0), AtAddress::One(u16::MAX)));
        book.insert(key(ConnType::Ucx, 2, 1), 4);
        assert_eq!((at(&book, 2), at(&book, 3)), (AtAddress::Several, AtAddress::None));
    }

    #[test]
    fn mapped_and_plain_addresses_are_equal() {
        let mut book = Book::default();
        let mapped = IpAddr::V6(Ipv6Addr::from([0, 0, 0, 0, 0, 0xffff, 0x0a00, 1]));
        book.insert(Key { conn: ConnType::Ucx, ip: mapped, port: 1 }, 1);
        let plain = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
        assert_eq!(book.get(Key { conn: ConnType::Ucx, ip: plain, port: 1 }), Some(&1));
        assert_eq!(book.at_address(ConnType::Ucx, mapped), AtAddress::One(1));
    }

    proptest! {
        #[test]
        fn book_agrees_with_a_plain_map(steps in prop::collection::vec((0..4_u8, 0..2_u8, 0..3_u8, 0..3_u16), 1..60)) {
            let mut book = Book::default();
            let mut list: HashMap<Key, usize> = HashMap::new();
            for (number, (what, conn, last, port)) in steps.into_iter().enumerate() {
                let conn = if conn == 0 { ConnType::Rdma } else { ConnType::Ucx };
                let key = key(conn, last, port);
                match what {
                    0 => prop_assert_eq!(book.remove(key), list.remove(&key)),
                    1 => {
                        let gone = book.remove_all(|peer| peer % 3 == 0).len();
                        let before = list.len();
                        list.retain(|_, peer| *peer % 3 != 0);
                        prop_assert_eq!(gone, before - list.len());
                    }
                    _ => prop_assert_eq!(book.insert(key, number), list.insert(key, number)),
                }
                let there: Vec<u16> =
                    list.keys().filter(|known| known.conn == conn && known.ip == key.ip).map(|k| k.port).collect();
                let expected = match there.as_slice() {
                    [] => AtAddress::None,
                    [port] => AtAddress::One(*port),
                    _ => AtAddress::Several,
                };
                prop_assert_eq!(book.at_address(conn, key.ip), expected);
                prop_assert_eq!(book.get(key), list.get(&key));
            }
        }
    }
}
