// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Unauthenticated connections: their limit, and the choice of the connection to close beyond it.
//!
//! Any process that reaches the port may open them, so they must not cost the members anything: they are few,
//! each has a deadline, and a newcomer replaces another one, first from its own source, first one that has
//! sent nothing. A member that connects sends its hello at once and is authenticated before others could
//! replace it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::rc::Rc;

use tokio::sync::Notify;

use crate::protocol::limits::MAX_UNPROVED;
use crate::state::LinkId;

struct Connection {
    source: IpAddr,
    has_spoken: Cell<bool>,
    leave: Rc<Notify>,
}

/// All connections that have not proved themselves, oldest first.
#[derive(Default)]
pub(super) struct Unauthenticated(RefCell<BTreeMap<LinkId, Connection>>);

/// The slot of one of them until it has proved itself.
pub(super) struct PendingSlot<'a> {
    connections: &'a Unauthenticated,
    link: LinkId,
    leave: Rc<Notify>,
}

impl Unauthenticated {
    /// Admits one more, in a world of this many ranks; another may be closed for it.
    pub(super) fn enter(&self, link: LinkId, source: IpAddr, world: usize) -> PendingSlot<'_> {
        if self.0.borrow().len() >= MAX_UNPROVED.max(world) {
            self.displace(Some(source.to_canonical()));
        }
        let leave = Rc::new(Notify::new());
        let connection = Connection {
            source: source.to_canonical(),
            has_spoken: Cell::new(false),
            leave: Rc::clone(&leave),
        };
        self.0.borrow_mut().insert(link, connection);
        PendingSlot { connections: self, link, leave }
    }

    /// Sends one away, if there is one: first of this source, first one that is silent, first the oldest.
    pub(super) fn displace(&self, source: Option<IpAddr>) -> bool {
        let mut connections = self.0.borrow_mut();
        let rank = |connection: &Connection| (Some(connection.source) != source, connection.has_spoken.get());
        let Some(link) =
            connections.iter().min_by_key(|(link, it)| (rank(it), **link)).map(|(link, _)| *link)
        else {
            return false;
        };
        if let Some(evicted) = connections.remove(&link) {
            evicted.leave.notify_one();
            tracing::debug!(source = %evicted.source, "store connection without a proof made room for another one");
        }
        true
    }
}

impl PendingSlot<'_> {
    /// A hello of ours arrived.
    pub(super) fn spoke(&self) {
        if let Some(connection) = self.connections.0.borrow().get(&self.link) {
            connection.has_spoken.set(true);
        }
    }

    /// Ends when another one takes the place.
    pub(super) async fn displaced(&self) {
        self.leave.notified().await;
    }
}

impl Drop for PendingSlot<'_> {
    fn drop(&mut self) {
        self.connections.0.borrow_mut().remove(&self.link);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn source(host: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, host).into()
    }

    fn present(connections: &Unauthenticated) -> Vec<LinkId> {
        connections.0.borrow().keys().copied().collect()
    }

    #[test]
    fn silent_connections_of_the_same_source_are_displaced_first() {
        let connections = Unauthenticated::default();
        let places: Vec<_> =
            (0..4).map(|link| connections.enter(link, source(u8::from(link > 1)), 4)).collect();
        places[2].spoke();
        assert!(connections.displace(Some(source(1))));
        assert_eq!(present(&connections), [0, 1, 2]);
        assert!(connections.displace(Some(source(1))));
        assert_eq!(present(&connections), [0, 1]);
        assert!(connections.displace(Some(source(9))) && connections.displace(None));
        assert!(!connections.displace(None));
        drop(places);
    }

    #[test]
    fn unauthenticated_connections_are_bounded() {
        let connections = Unauthenticated::default();
        let places: Vec<_> = (0..5000).map(|link| connections.enter(link, source(1), 1024)).collect();
        assert_eq!(connections.0.borrow().len(), MAX_UNPROVED);
        assert!(present(&connections).contains(&4999));
        drop(places);
        assert!(present(&connections).is_empty());
        // All ranks of a large world may connect at once.
        let places: Vec<_> = (0..5000).map(|link| connections.enter(link, source(1), 4000)).collect();
        assert_eq!(connections.0.borrow().len(), 4000);
        drop(places);
    }
}
