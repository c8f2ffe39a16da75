// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links: the peers of all members, how each is reached, and the parts in flight to it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use mf_transport::Peer;

use super::members::{Member, MemberId};
use super::wire::Secret;
use super::worker::Endpoint;

/// Index of a peer in the list of links; never reused.
pub(super) type LinkId = usize;

/// Most parts in flight to one peer, and most of their bytes: bounds the peer's memory for arrivals.
const PARTS_MAX: u32 = 1024;
const BYTES_MAX: u64 = 8 << 20;

/// A peer, as long as any member knows it.
pub(super) struct Link {
    /// The member that it is a peer of.
    pub(super) member: Arc<Member>,
    pub(super) peer: Peer,
    /// True if our side wants to reach it; otherwise it is only answered.
    pub(super) introduced: bool,
    pub(super) secret: Secret,
    pub(super) address: Vec<u8>,
    connection: Option<Connection>,
    /// Number of the peer's last connection to us; the ones before it are void.
    pub(super) served: u64,
    /// True until we have made a connection since.
    unpaired: bool,
    /// Parts in flight.
    parts: u32,
    /// Their bytes.
    bytes: u64,
    /// True while a probe checks that it is still there, or is to begin when it has rested.
    pub(super) probing: bool,
    /// True while it rests: no operation begins.
    rests: bool,
    /// A request got no answer, and its owner may do it yet: until an operation behind this number is
    /// answered, all are requests, which keep their order.
    pub(super) unanswered: Option<u64>,
}

/// An endpoint in use.
pub(super) struct Connection {
    pub(super) endpoint: Endpoint,
    /// Greater than those before it.
    pub(super) number: usize,
    /// True if a network card copies by itself to and from the memory of the peer.
    pub(super) copies_by_itself: bool,
    /// True if libucp notices the death of the peer.
    pub(super) guarded: bool,
    /// True if it may be closed by force at any time, which makes libucp release memory.
    pub(super) revocable: bool,
    /// True if the peer's connection is known that it forms a pair with.
    pub(super) paired: bool,
    /// True once a reply has come on it: then libucp's own greetings are through.
    pub(super) answered: bool,
}

/// The links, by their number, by member and peer, and by the number of their connection.
#[derive(Default)]
pub(super) struct Links {
    all: HashMap<LinkId, Link>,
    by_peer: HashMap<(MemberId, Peer), LinkId>,
    by_connection: HashMap<usize, LinkId>,
    last: LinkId,
    last_connection: usize,
    /// Links that rest, and until when.
    resting: Vec<(Instant, LinkId)>,
}

impl Link {
    /// Its open connection.
    pub(super) fn connection(&self) -> Option<&Connection> {
        self.connection.as_ref()
    }

    /// Notes that a reply has come on its connection.
    pub(super) fn answered(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.answered = true;
        }
    }

    /// Notes a connection that the peer has made to us, with the number of our last one that it knew then.
    /// Returns true if ours is dead: over cards a connection of each side form a pair with one queue pair,
    /// and the peer, which knew ours, has made another.
    pub(super) fn greeted(&mut self, number: u64, knew: u64) -> bool {
        if number <= self.served {
            return false;
        }
        self.served = number;
        let Some(own) = self.connection.as_mut().filter(|own| own.revocable) else {
            self.unpaired = true;
            return false;
        };
        let is_dead = own.number as u64 == knew && std::mem::replace(&mut own.paired, true);
        self.unpaired = is_dead;
        is_dead
    }

    /// Returns true if the next connection of ours forms a pair with one that the peer has made, once.
    pub(super) fn take_unpaired(&mut self) -> bool {
        std::mem::take(&mut self.unpaired)
    }

    /// Returns true if parts are in flight.
    pub(super) fn is_busy(&self) -> bool {
        self.parts > 0
    }
}

impl Links {
    pub(super) fn get(&self, id: LinkId) -> Option<&Link> {
        self.all.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: LinkId) -> Option<&mut Link> {
        self.all.get_mut(&id)
    }

    /// Returns the link of a member to a peer.
    pub(super) fn of_peer(&self, member: MemberId, peer: Peer) -> Option<LinkId> {
        self.by_peer.get(&(member, peer)).copied()
    }

    /// Returns the link with the open connection of this number.
    pub(super) fn of_connection(&self, number: usize) -> Option<LinkId> {
        self.by_connection.get(&number).copied()
    }

    /// Returns the links of a member.
    pub(super) fn of_member(&self, member: MemberId) -> impl Iterator<Item = (LinkId, &Link)> {
        self.all.iter().filter(move |(_, link)| link.member.id == member).map(|(id, link)| (*id, link))
    }

    /// Returns the open connection of a link.
    pub(super) fn connection(&self, id: LinkId) -> Option<&Connection> {
        self.get(id)?.connection()
    }

    /// Notes how a peer is reached.
    pub(super) fn learn(
        &mut self,
        member: &Arc<Member>,
        peer: Peer,
        (secret, address): (Secret, &[u8]),
        introduced: bool,
    ) -> LinkId {
        let known = self.by_peer.get(&(member.id, peer));
        if let Some((id, link)) = known.and_then(|id| Some((*id, self.all.get_mut(id)?))) {
            link.introduced |= introduced;
            // An open connection stays: it leads there.
            if link.secret != secret || link.address != address {
                link.secret = secret;
                link.address = address.to_vec();
            }
            return id;
        }
        self.last += 1;
        let link = Link {
            member: Arc::clone(member),
            peer,
            introduced,
            secret,
            address: address.to_vec(),
            connection: None,
            served: 0,
            unpaired: false,
            parts: 0,
            bytes: 0,
            probing: false,
            rests: false,
            unanswered: None,
        };
        self.all.insert(self.last, link);
        self.by_peer.insert((member.id, peer), self.last);
        self.last
    }

    /// Returns the number of the next connection.
    pub(super) fn number_connection(&mut self) -> usize {
        self.last_connection += 1;
        self.last_connection
    }

    /// Notes that a connection of this link is open.
    pub(super) fn opened(&mut self, id: LinkId, connection: Connection) {
        if let Some(link) = self.all.get_mut(&id) {
            self.by_connection.insert(connection.number, id);
            link.connection = Some(connection);
        }
    }

    /// Takes the open connection of a link.
    pub(super) fn take_connection(&mut self, id: LinkId) -> Option<Connection> {
        let connection = self.all.get_mut(&id)?.connection.take()?;
        self.by_connection.remove(&connection.number);
        Some(connection)
    }

    /// Counts a part in flight.
    pub(super) fn part_began(&mut self, id: LinkId, bytes: u64) {
        if let Some(link) = self.all.get_mut(&id) {
            link.parts += 1;
            link.bytes += bytes;
        }
    }

    /// Counts a part that is over.
    pub(super) fn part_ended(&mut self, id: LinkId, bytes: u64) {
        if let Some(link) = self.all.get_mut(&id) {
            link.parts = link.parts.saturating_sub(1);
            link.bytes = link.bytes.saturating_sub(bytes);
        }
    }

    /// Returns true if another part to this peer fits, and may begin.
    pub(super) fn has_room(&self, id: LinkId) -> bool {
        self.get(id).is_none_or(|link| !link.rests && link.parts < PARTS_MAX && link.bytes < BYTES_MAX)
    }

    /// Lets a link rest.
    pub(super) fn rest(&mut self, id: LinkId, until: Instant) {
        if let Some(link) = self.all.get_mut(&id) {
            link.rests = true;
            self.resting.push((until, id));
        }
    }

    /// Returns true if a link rests.
    pub(super) fn is_any_resting(&self) -> bool {
        !self.resting.is_empty()
    }

    /// Returns a link that has rested long enough, and rests no longer.
    pub(super) fn rested(&mut self, now: Instant) -> Option<LinkId> {
        let place = self.resting.iter().position(|(until, _)| *until <= now)?;
        let (_, id) = self.resting.swap_remove(place);
        if let Some(link) = self.all.get_mut(&id) {
            link.rests = false;
        }
        Some(id)
    }

    /// Ends the finding of a peer by its name; its link stays until it is [removed](Self::remove).
    pub(super) fn unlist(&mut self, member: MemberId, peer: Peer) -> Option<LinkId> {
        self.by_peer.remove(&(member, peer))
    }

    /// Ends the finding of all peers of a member.
    pub(super) fn unlist_all(&mut self, member: MemberId) {
        self.by_peer.retain(|(of, _), _| *of != member);
    }

    pub(super) fn remove(&mut self, id: LinkId) {
        self.all.remove(&id);
    }

    /// Memory of the table, without the keys.
    pub(super) fn bytes(&self) -> usize {
        self.all.values().map(|link| size_of::<Link>() + link.address.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_transport::JobId;

    use super::*;
    use crate::ucx::members::test_member;

    #[test]
    fn a_peer_keeps_its_link_and_gets_another_after_it_was_forgotten() {
        let me = Peer { job: JobId(1), rank: 0, session: 1 };
        let peer = Peer { rank: 1, session: 2, ..me };
        let member = test_member(me);
        let mut links = Links::default();
        let id = links.learn(&member, peer, ([1; 16], b"here"), false);
        assert!(!links.get(id).unwrap().introduced);
        assert_eq!(links.learn(&member, peer, ([2; 16], b"there"), true), id);
        let link = links.get(id).unwrap();
        assert!(link.introduced && link.secret == [2; 16] && link.address == b"there");
        links.learn(&member, peer, ([2; 16], b"there"), false);
        assert!(links.get(id).unwrap().introduced, "it stays introduced");
        assert_eq!(links.unlist(member.id, peer), Some(id));
        assert_eq!(links.of_peer(member.id, peer), None);
        links.remove(id);
        assert_ne!(links.learn(&member, peer, ([2; 16], b"there"), true), id);
    }

    #[test]
    fn parts_and_bytes_in_flight_are_bounded() {
        let me = Peer { job: JobId(1), rank: 0, session: 1 };
        let member = test_member(me);
        let mut links = Links::default();
        let id = links.learn(&member, me, ([1; 16], b"here"), true);
        (1..PARTS_MAX).for_each(|_| links.part_began(id, 1));
        assert!(links.has_room(id));
        links.part_began(id, 1);
        assert!(!links.has_room(id));
        links.part_ended(id, 1);
        assert!(links.has_room(id));
        links.part_began(id, BYTES_MAX);
        links.part_ended(id, 1);
        assert!(!links.has_room(id));
    }

    #[test]
    fn connection_that_the_peer_has_replaced_is_dead() {
        let me = Peer { job: JobId(1), rank: 0, session: 1 };
        let mut links = Links::default();
        let id = links.learn(&test_member(me), Peer { rank: 1, ..me }, ([1; 16], b"here"), true);
        let open = |links: &mut Links, revocable| {
            links.take_connection(id);
            let (number, endpoint) = (links.number_connection(), Endpoint(std::ptr::null_mut()));
            let (copies_by_itself, guarded, answered) = (true, true, false);
            let paired = links.get_mut(id).unwrap().take_unpaired();
            let made =
                Connection { endpoint, number, copies_by_itself, guarded, revocable, paired, answered };
            links.opened(id, made);
            number as u64
        };
        // The peer connects in return to ours, and again: it has given up the pair.
        let own = open(&mut links, true);
        assert!(!links.get_mut(id).unwrap().greeted(1, own));
        assert!(!links.get_mut(id).unwrap().greeted(1, own), "the same greeting again");
        assert!(links.get_mut(id).unwrap().greeted(2, own));
        // Ours is made in return to that one, which the peer gives up.
        let own = open(&mut links, true);
        assert!(links.get_mut(id).unwrap().greeted(3, own));
        // Both connect at the same time: neither knew the other's.
        let before = open(&mut links, true);
        let own = open(&mut links, true);
        assert!(!links.get_mut(id).unwrap().greeted(4, before));
        assert!(!links.get_mut(id).unwrap().greeted(5, own));
        // Over TCP each direction has a socket.
        let own = open(&mut links, false);
        assert!(!links.get_mut(id).unwrap().greeted(6, own));
        assert!(!links.get_mut(id).unwrap().greeted(7, own));
    }

    #[test]
    fn resting_link_has_no_room() {
        let me = Peer { job: JobId(1), rank: 0, session: 1 };
        let mut links = Links::default();
        let [id, other] =
            [1, 2].map(|rank| links.learn(&test_member(me), Peer { rank, ..me }, ([1; 16], b"here"), true));
        let now = Instant::now();
        links.rest(id, now + Duration::from_secs(1));
        assert!(links.is_any_resting() && !links.has_room(id) && links.has_room(other));
        assert_eq!(links.rested(now), None);
        assert_eq!(links.rested(now + Duration::from_secs(1)), Some(id));
        assert!(!links.is_any_resting() && links.has_room(id));
    }
}
