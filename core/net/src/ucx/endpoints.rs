// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The peers: how they are reached, and the endpoint to each, made on first use.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};
use mf_transport::{Peer, Reach};

use super::abi::{self, Status};
use super::members::{Member, MemberId};
use super::operations::Purpose;
use super::requests::State;
use super::text::copies_by_itself;
use super::wire::{Head, Secret, Verb};
use super::worker::Endpoint;

/// Index of a peer in the list of links; never reused.
pub(super) type LinkId = usize;

/// A peer, as long as any member knows it.
pub(super) struct Link {
    /// The member that it is a peer of.
    pub(super) member: Arc<Member>,
    pub(super) peer: Peer,
    /// True if our side wants to reach it; otherwise it is only answered.
    pub(super) introduced: bool,
    pub(super) secret: Secret,
    pub(super) address: Vec<u8>,
    pub(super) connection: Option<Connection>,
    /// Number of the peer's last connection to us; the ones before it are void.
    pub(super) served: u64,
    /// Parts in flight.
    pub(super) parts: u32,
    /// Their bytes.
    pub(super) bytes: u64,
    /// True while a probe checks that it is still there.
    pub(super) probing: bool,
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
    /// True if libucp notices the death of the peer, and releases memory when the connection is closed by
    /// force.
    pub(super) guarded: bool,
    /// True once a reply has come on it: then libucp's own greetings are through.
    pub(super) answered: bool,
}

impl State {
    /// The link of a peer that this side wants to reach.
    ///
    /// # Errors
    /// `NotConnected`.
    pub(super) fn introduced(&mut self, member: MemberId, peer: Peer) -> Result<LinkId> {
        let link = self.by_peer.get(&(member, peer)).copied().unwrap_or_default();
        self.still_introduced(link, peer).map(|()| link)
    }

    /// Checks that this side still wants to reach the peer by that link.
    ///
    /// # Errors
    /// `NotConnected` · `Failed` the thread has panicked.
    pub(super) fn still_introduced(&self, link: LinkId, peer: Peer) -> Result<()> {
        self.health.check("ucx")?;
        let what = if self.worker.is_none() {
            "the transport was closed"
        } else if self.links.get(&link).is_some_and(|link| link.introduced) {
            return Ok(());
        } else {
            "this peer is not introduced, or gone"
        };
        Err(Error::new(Kind::NotConnected, "ucx").what(what).with("peer", peer))
    }

    /// Learns how a peer is reached.
    pub(super) fn learn(
        &mut self,
        member: &Arc<Member>,
        peer: Peer,
        (secret, address): (Secret, &[u8]),
        introduced: bool,
    ) -> LinkId {
        let known = self.by_peer.get(&(member.id, peer));
        if let Some((id, link)) = known.and_then(|id| Some((*id, self.links.get_mut(id)?))) {
            link.introduced |= introduced;
            // An open connection stays: it leads there.
            if link.secret != secret || link.address != address {
                link.secret = secret;
                link.address = address.to_vec();
            }
            return id;
        }
        self.next_link += 1;
        let link = Link {
            member: Arc::clone(member),
            peer,
            introduced,
            secret,
            address: address.to_vec(),
            connection: None,
            served: 0,
            parts: 0,
            bytes: 0,
            probing: false,
            unanswered: None,
        };
        self.links.insert(self.next_link, link);
        self.by_peer.insert((member.id, peer), self.next_link);
        self.next_link
    }

    /// Returns the endpoint to a peer, creating it if absent.
    pub(super) fn connected(&mut self, id: LinkId) -> Result<Endpoint, Error> {
        let (Some(worker), Some(link)) = (&self.worker, self.links.get_mut(&id)) else {
            return Err(
                Error::new(Kind::NotConnected, "ucx").what("the transport or the connection was closed")
            );
        };
        if let Some(connection) = &link.connection {
            return Ok(connection.endpoint);
        }
        self.next_connection += 1;
        let number = self.next_connection;
        // Not all lanes support peer error handling: in UCX 1.13, shared memory does not.
        let made =
            worker.connect(&link.address, number, true).map(|endpoint| (endpoint, true)).or_else(|status| {
                let again = status == abi::UNREACHABLE;
                if again {
                    worker.connect(&link.address, number, false).map(|endpoint| (endpoint, false))
                } else {
                    Err(status)
                }
            });
        let (endpoint, guarded) = match made {
            Ok(made) => made,
            Err(status) => return Err(self.broken(id, status)),
        };
        let lanes = worker.lanes(endpoint);
        let mut for_memory = lanes.iter().filter(|(_, uses)| uses.contains("rma")).peekable();
        let by_itself =
            for_memory.peek().is_some() && for_memory.all(|(resource, _)| copies_by_itself(resource));
        tracing::debug!(peer = %link.peer, ?lanes, one_sided = by_itself, guarded, "connected by ucx");
        let copies_by_itself = by_itself && guarded || self.always_one_sided;
        link.connection = Some(Connection { endpoint, number, copies_by_itself, guarded, answered: false });
        self.by_connection.insert(number, id);
        let mut hello = Head::new(Verb::Hello);
        hello.operand = u64::from(link.member.me.rank);
        let address = link.member.address.clone();
        self.start_silent(id, hello, address);
        Ok(endpoint)
    }

    /// The error of operations to a peer that libucp cannot reach (any more).
    pub(super) fn broken(&self, id: LinkId, status: Status) -> Error {
        let reason = self.worker.as_ref().map_or_else(String::new, |worker| worker.text(status));
        let error = Error::new(Kind::NotConnected, "ucx").what(format!("the connection broke: {reason}"));
        match self.links.get(&id) {
            Some(link) => error.with("peer", link.peer),
            None => error,
        }
    }

    /// Handles a broken connection: ends operations in flight on it, and probes whether the peer is still
    /// there.
    pub(super) fn connection_failed(&mut self, number: usize, status: Status) {
        let Some(id) = self.by_connection.get(&number).copied() else { return };
        let error = self.broken(id, status);
        tracing::debug!(%error, "ucx reports");
        self.disconnect(id, &|| self_clone(&error));
        let Some(link) = self.links.get_mut(&id) else { return };
        if !link.introduced || link.probing {
            return;
        }
        link.probing = true;
        let deadline = std::time::Instant::now() + PROBE;
        let operation = self.begin(id, None, deadline, "probe of a peer", Purpose::Probe);
        let ping = Head::new(Verb::Ping);
        self.start_request(operation, ping);
        self.release(operation);
    }

    /// Closes the endpoint of a peer, by force where that is possible. Operations on it end as soon as libucp
    /// does not touch their memory any more.
    pub(super) fn disconnect(&mut self, id: LinkId, error: &dyn Fn() -> Error) {
        let Some(link) = self.links.get_mut(&id) else { return };
        if let Some(connection) = link.connection.take() {
            self.by_connection.remove(&connection.number);
            self.forget_keys(connection.number);
            // One that is not guarded would wait for the peer: it ends with the worker.
            if let Some(worker) = &self.worker
                && connection.guarded
            {
                self.closing.extend(worker.close(connection.endpoint));
            }
        }
        self.end_all_of(id, error);
    }

    /// Handles a peer's announcement that it has closed its transport.
    pub(super) fn peer_closed(&mut self, member: &Arc<Member>, peer: Peer) {
        let Some(id) = self.by_peer.get(&(member.id, peer)).copied() else { return };
        let gone = || {
            Error::new(Kind::NotConnected, "ucx").what("the peer has closed its transport").with("peer", peer)
        };
        self.disconnect(id, &gone);
        if let Some(link) = self.links.get_mut(&id)
            && link.introduced
        {
            link.introduced = false;
            self.lost.push((Arc::clone(member), peer, gone()));
        }
    }

    /// Notifies peers with a libucp that would not notice that their connection closes.
    pub(super) fn send_close(&mut self, links: &[LinkId]) {
        let is_unguarded = |link: &Link| link.connection.as_ref().is_some_and(|it| !it.guarded);
        for id in links {
            if self.links.get(id).is_some_and(is_unguarded) {
                self.start_silent(*id, Head::new(Verb::Close), Vec::new());
            }
        }
    }

    /// Asks for all that was handed over for these peers to be sent.
    pub(super) fn drain(&mut self, links: &[LinkId]) {
        let Some(worker) = &self.worker else { return };
        let connections = links.iter().filter_map(|id| self.links.get(id)?.connection.as_ref());
        let guarded = connections.filter(|connection| connection.guarded);
        self.closing.extend(guarded.filter_map(|connection| worker.drain(connection.endpoint)));
    }

    /// Forgets a peer that has ended.
    pub(super) fn forget(&mut self, member: MemberId, peer: Peer) {
        let Some(id) = self.by_peer.remove(&(member, peer)) else { return };
        let gone = || {
            Error::new(Kind::NotConnected, "ucx")
                .what("the peer is gone: it was forgotten")
                .with("peer", peer)
        };
        self.disconnect(id, &gone);
        self.attached.retain(|(of, owner, _), _| (*of, *owner) != (member, peer));
        self.links.remove(&id);
    }

    /// Returns the route to a peer.
    pub(super) fn reach(&mut self, member: MemberId, peer: Peer) -> Result<Reach> {
        let id = self.introduced(member, peer)?;
        let (Some(worker), Some(link)) = (&self.worker, self.links.get(&id)) else {
            return Err(Error::new(Kind::NotConnected, "ucx").what("the transport was closed"));
        };
        let (resources, by_itself) = match &link.connection {
            Some(connection) => {
                let lanes = worker.lanes(connection.endpoint).into_iter();
                let mut names: Vec<String> = lanes.map(|(resource, _)| resource).collect();
                names.dedup();
                (names.join(", "), connection.copies_by_itself)
            }
            None => (format!("one of {}", worker.resources.join(", ")), worker.has_rdma()),
        };
        let score = if by_itself { super::SCORE_RDMA } else { super::SCORE_SOFTWARE };
        Ok(Reach { path: format!("UCX {} over {resources}", worker.version()), encrypted: false, score })
    }
}

/// Longest probe of a peer after a broken connection.
const PROBE: std::time::Duration = std::time::Duration::from_secs(5);

/// The same once more: errors hold their causes and cannot be copied.
pub(super) fn self_clone(error: &Error) -> Error {
    let mut text = error.to_string();
    if let Some(end) = text.rfind(" [") {
        text.truncate(end);
    }
    let text = text.strip_prefix(error.operation()).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    Error::new(error.kind(), error.operation()).what(text)
}
