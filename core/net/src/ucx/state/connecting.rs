// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Endpoints: the one to each peer is made on first use, and closed when it breaks or its peer has ended.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_transport::{Peer, Reach};

use super::WorkerState;
use crate::ucx::abi::{self, Status};
use crate::ucx::links::{Connection, Link, LinkId};
use crate::ucx::members::{Member, MemberId};
use crate::ucx::operations::Purpose;
use crate::ucx::text::{copies_by_itself, is_tcp};
use crate::ucx::wire::{Head, Verb};
use crate::ucx::worker::Endpoint;
use crate::ucx::{SCORE_RDMA, SCORE_SOFTWARE};

/// Longest probe of a peer after a broken connection.
const PROBE: Duration = Duration::from_secs(5);
/// Time between a broken connection and the next one: a process that is being killed closes its sockets one
/// after another, and UCX 1.13 ends the process that connects to it meanwhile.
const REST: Duration = Duration::from_millis(100);

impl WorkerState {
    /// Returns the endpoint to a peer, creating it if absent.
    pub(in crate::ucx) fn connected(&mut self, id: LinkId) -> Result<Endpoint> {
        let (Some(_), Some(link)) = (&self.worker, self.links.get(id)) else { return Err(closed()) };
        match link.connection() {
            Some(connection) => Ok(connection.endpoint),
            None => self.connect(id),
        }
    }

    #[cold]
    fn connect(&mut self, id: LinkId) -> Result<Endpoint> {
        let number = self.links.number_connection();
        let (Some(worker), Some(link)) = (&self.worker, self.links.get(id)) else { return Err(closed()) };
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
        // When in doubt it sends over TCP. Peers that are known to behave do not stop.
        let over_tcp = lanes.is_empty() || lanes.iter().any(|(resource, _)| is_tcp(resource));
        let revocable = guarded && (!over_tcp || self.memory.is_always_used());
        let copies_by_itself = by_itself && revocable || self.memory.is_always_used();
        let mut hello = Head::new(Verb::Hello);
        hello.operand = u64::from(link.member.me.rank);
        hello.second = link.served;
        let address = link.member.address.clone();
        let paired = self.links.get_mut(id).is_some_and(Link::take_unpaired);
        self.links.opened(
            id,
            Connection { endpoint, number, copies_by_itself, guarded, revocable, paired, answered: false },
        );
        self.start_silent(id, hello, address);
        Ok(endpoint)
    }

    /// The error of operations to a peer that libucp cannot reach (any more).
    pub(super) fn broken(&self, id: LinkId, status: Status) -> Error {
        let reason = self.worker.as_ref().map_or_else(String::new, |worker| worker.text(status));
        let error = Error::new(Kind::NotConnected, "ucx").what(format!("the connection broke: {reason}"));
        match self.links.get(id) {
            Some(link) => error.with("peer", link.peer),
            None => error,
        }
    }

    /// Handles a broken connection: ends operations in flight on it, and lets the link rest before a probe of
    /// the peer.
    pub(super) fn connection_failed(&mut self, number: usize, status: Status) {
        let Some(id) = self.links.of_connection(number) else { return };
        let error = self.broken(id, status);
        tracing::debug!(%error, "ucx reports");
        if let Some(connection) = self.links.take_connection(id) {
            self.close_endpoint(&connection);
        }
        self.end_all_of(id, &|| self_clone(&error));
        let Some(link) = self.links.get_mut(id) else { return };
        if !link.introduced || link.probing {
            return;
        }
        link.probing = true;
        self.links.rest(id, Instant::now() + REST);
    }

    /// Probes peers whose links have rested, and lets operations to them begin.
    pub(super) fn probe_rested(&mut self) {
        if !self.links.is_any_resting() {
            return;
        }
        let now = Instant::now();
        while let Some(id) = self.links.rested(now) {
            self.ended += 1;
            let Some(link) = self.links.get_mut(id) else { continue };
            link.probing = link.introduced;
            if link.probing {
                self.probe(id, now + PROBE);
            }
        }
    }

    fn probe(&mut self, id: LinkId, deadline: Instant) {
        let operation = self.operations.begin(id, None, deadline, "probe of a peer", Purpose::Probe);
        let ping = Head::new(Verb::Ping);
        self.start_request(operation, ping);
        self.release(operation);
    }

    /// Ends the connection to a peer. Its endpoint is closed at once where that is safe, otherwise as soon as
    /// nothing is in flight on it. Operations on it end as soon as libucp does not touch their memory any
    /// more.
    pub(in crate::ucx) fn disconnect(&mut self, id: LinkId, error: &dyn Fn() -> Error) {
        if self.links.get(id).is_none() {
            return;
        }
        if let Some(connection) = self.links.take_connection(id) {
            let drain = self.worker.as_ref().filter(|_| connection.guarded && !connection.revocable);
            match drain.and_then(|worker| worker.drain(connection.endpoint)) {
                Some(drain) => self.draining.push((drain, Some(connection.endpoint))),
                None => self.close_endpoint(&connection),
            }
        }
        self.end_all_of(id, error);
    }

    /// Closes an endpoint by force: it is revocable, or broken, or nothing is in flight on it.
    fn close_endpoint(&mut self, connection: &Connection) {
        self.memory.forget_keys(connection.number);
        // One that is not guarded would wait for the peer: it ends with the worker.
        if let Some(worker) = &self.worker
            && connection.guarded
        {
            self.closing.extend(worker.close(connection.endpoint));
        }
    }

    /// Handles a peer's announcement that it has closed its transport.
    pub(in crate::ucx) fn peer_closed(&mut self, member: &Arc<Member>, peer: Peer) {
        let Some(id) = self.links.of_peer(member.id, peer) else { return };
        let gone = || {
            Error::new(Kind::NotConnected, "ucx").what("the peer has closed its transport").with("peer", peer)
        };
        self.disconnect(id, &gone);
        if let Some(link) = self.links.get_mut(id)
            && link.introduced
        {
            link.introduced = false;
            self.inbox.push_lost((Arc::clone(member), peer, gone()));
        }
    }

    /// Notifies peers with a libucp that would not notice that their connection closes.
    pub(super) fn send_close(&mut self, links: &[LinkId]) {
        for id in links {
            if self.links.connection(*id).is_some_and(|connection| !connection.guarded) {
                self.start_silent(*id, Head::new(Verb::Close), Vec::new());
            }
        }
    }

    /// Asks for all that was handed over for these peers to be sent.
    pub(super) fn drain(&mut self, links: &[LinkId]) {
        let Some(worker) = &self.worker else { return };
        let connections = links.iter().filter_map(|id| self.links.connection(*id));
        let guarded = connections.filter(|connection| connection.guarded);
        let drains = guarded.filter_map(|connection| worker.drain(connection.endpoint));
        self.draining.extend(drains.map(|drain| (drain, None)));
    }

    /// Forgets a peer that has ended.
    pub(in crate::ucx) fn forget(&mut self, member: MemberId, peer: Peer) {
        let Some(id) = self.links.unlist(member, peer) else { return };
        let gone = || {
            Error::new(Kind::NotConnected, "ucx")
                .what("the peer is gone: it was forgotten")
                .with("peer", peer)
        };
        self.disconnect(id, &gone);
        self.memory.detach_peer(member, peer);
        self.links.remove(id);
    }

    /// Returns the route to a peer.
    pub(in crate::ucx) fn reach(&self, member: MemberId, peer: Peer) -> Result<Reach> {
        let id = self.introduced(member, peer)?;
        let (Some(worker), Some(link)) = (&self.worker, self.links.get(id)) else {
            return Err(Error::new(Kind::NotConnected, "ucx").what("the transport was closed"));
        };
        let (resources, by_itself) = match link.connection() {
            Some(connection) => {
                let lanes = worker.lanes(connection.endpoint).into_iter();
                let mut names: Vec<String> = lanes.map(|(resource, _)| resource).collect();
                names.dedup();
                (names.join(", "), connection.copies_by_itself)
            }
            None => (format!("one of {}", worker.resources.join(", ")), worker.has_rdma()),
        };
        let score = if by_itself { SCORE_RDMA } else { SCORE_SOFTWARE };
        Ok(Reach { path: format!("UCX {} over {resources}", worker.version()), encrypted: false, score })
    }
}

#[cold]
fn closed() -> Error {
    Error::new(Kind::NotConnected, "ucx").what("the transport or the connection was closed")
}

/// The same once more: errors hold their causes and cannot be copied.
pub(super) fn self_clone(error: &Error) -> Error {
    let mut text = error.to_string();
    if let Some(end) = text.rfind(" [") {
        text.truncate(end);
    }
    let text = text.strip_prefix(error.operation()).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    Error::new(error.kind(), error.operation()).what(text)
}
