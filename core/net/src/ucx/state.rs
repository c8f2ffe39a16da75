// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of the worker, under the lock of the transport. Each table has a file of its own, which alone
//! changes its entries; the steps that change several tables are in `state/`.
//!
//! | step | file |
//! |---|---|
//! | a part starts: its message, or its one-sided copy | `sending.rs`, `one_sided.rs` |
//! | a part is over; an operation ends, well or early | `ending.rs` |
//! | endpoints come and go | `connecting.rs` |
//! | libucp reports | `events.rs` |
//! | a member leaves; the worker closes | `leaving.rs` |

mod connecting;
mod ending;
mod events;
mod leaving;
mod one_sided;
mod sending;

use mf_base::os::service::Health;
use mf_base::{Error, Kind, Result};
use mf_transport::Peer;

use super::buffers::BufferPool;
use super::callbacks::{Data, Event};
use super::inbox::Inbox;
use super::jobs::Jobs;
use super::links::{LinkId, Links};
use super::members::{MemberId, Members};
use super::operations::Operations;
use super::parts::Parts;
use super::rdma_memory::RdmaMemory;
use super::worker::{Closing, Endpoint, Worker};

/// Everything that the lock of the transport protects.
pub(super) struct WorkerState {
    /// `None` after `close`.
    pub(super) worker: Option<Worker>,
    /// State of the thread that drives it.
    pub(super) health: Health,
    pub(super) members: Members,
    pub(super) links: Links,
    pub(super) operations: Operations,
    pub(super) parts: Parts,
    pub(super) memory: RdmaMemory,
    pub(super) inbox: Inbox,
    pub(super) jobs: Jobs,
    pub(super) buffers: BufferPool,
    /// Connections that are being closed.
    closing: Vec<Closing>,
    /// Connections that are being drained, each with the endpoint that is closed then.
    draining: Vec<(Closing, Option<Endpoint>)>,
    /// Number of ended parts and operations.
    ended: u64,
    /// An empty list for the next events.
    events: Vec<Event>,
}

impl WorkerState {
    pub(super) fn new(worker: Worker, always_one_sided: bool) -> Self {
        Self {
            worker: Some(worker),
            health: Health::new(),
            members: Members::default(),
            links: Links::default(),
            operations: Operations::new(),
            parts: Parts::new(),
            memory: RdmaMemory::new(always_one_sided),
            inbox: Inbox::default(),
            jobs: Jobs::new(),
            buffers: BufferPool::default(),
            closing: Vec::new(),
            draining: Vec::new(),
            ended: 0,
            events: Vec::new(),
        }
    }

    /// The link of a peer that this side wants to reach.
    ///
    /// # Errors
    /// `NotConnected`.
    pub(super) fn introduced(&self, member: MemberId, peer: Peer) -> Result<LinkId> {
        let link = self.links.of_peer(member, peer).unwrap_or_default();
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
        } else if self.links.get(link).is_some_and(|link| link.introduced) {
            return Ok(());
        } else {
            "this peer is not introduced, or gone"
        };
        Err(Error::new(Kind::NotConnected, "ucx").what(what).with("peer", peer))
    }

    /// Peers of a member, or this one, with operations of callers up to `mark`.
    pub(super) fn peers_not_done(&self, member: MemberId, peer: Option<Peer>, mark: u64) -> Vec<Peer> {
        let links = self.operations.links_not_done(mark).filter_map(|link| self.links.get(link));
        let mut peers: Vec<Peer> = links
            .filter(|link| link.member.id == member && peer.is_none_or(|peer| peer == link.peer))
            .map(|link| link.peer)
            .collect();
        peers.sort_unstable();
        peers.dedup();
        peers
    }

    /// Returns true if a thread is needed that serves.
    pub(super) fn has_to_serve(&self) -> bool {
        !self.inbox.is_serving() && (!self.inbox.is_empty() || self.jobs.is_ready())
    }

    /// Returns true if nothing needs a check before an event of libucp.
    pub(super) fn is_idle(&self) -> bool {
        self.operations.is_empty() && self.closing.is_empty() && !self.links.is_any_resting()
    }

    /// Number of ended parts and operations.
    pub(super) fn ended(&self) -> u64 {
        self.ended
    }

    /// Releases the data of a message.
    pub(super) fn drop_data(&self, data: &Data) {
        if let Some(worker) = &self.worker {
            worker.release(data);
        }
    }

    /// Memory of tables and buffers.
    pub(super) fn bytes(&self) -> usize {
        self.buffers.bytes() + self.links.bytes() + self.operations.bytes() + self.parts.bytes()
    }
}
