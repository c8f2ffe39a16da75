// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of another process, with the chosen route to it.

use std::sync::Arc;
use std::time::Instant;

use mf_base::os::guarded::Depth;
use mf_base::{Rank, Result};
use mf_transport::{Capabilities, Completion, Operation, Peer, PeerRoute, SegmentKey, Transport};

use crate::Route;
use crate::posted::Counter;

/// Memory that one process exposes under one key, with the chosen route to it. Cheap to keep, immutable.
pub struct Member {
    /// Its number, as the resolver counts.
    pub rank: Rank,
    /// Its process.
    pub peer: Peer,
    /// Key of the exposed memory.
    pub key: SegmentKey,
    /// The transport that carries operations.
    pub transport: Arc<dyn Transport>,
    route: Arc<dyn PeerRoute>,
    counter: Counter,
    /// Addresses of the process for others, by the name of the transport.
    addresses: Arc<[(String, Vec<u8>)]>,
    /// Puts and signals of at most so many bytes have left local memory when they are posted.
    pub eager_bytes: u64,
    /// Holes of long local ranges are found by the kernel, which copies; else all pages are probed.
    pub finds_holes: bool,
    /// Set if these, and atomics, become visible there in the order of their posts.
    is_ordered: bool,
}

impl Member {
    /// Makes a member that is reached by this route. Opens no connection.
    ///
    /// # Errors
    /// `NotConnected` its process has ended.
    pub fn new(rank: Rank, key: SegmentKey, route: &Route) -> Result<Self> {
        Ok(Self {
            rank,
            peer: route.peer,
            key,
            transport: Arc::clone(&route.transport),
            route: route.transport.route(route.peer)?,
            counter: Counter::of(&*route.transport),
            addresses: Arc::clone(&route.addresses),
            eager_bytes: route.transport.eager_bytes(),
            finds_holes: route.transport.finds_holes(&route.reach),
            is_ordered: route.transport.capabilities().contains(Capabilities::ORDERED),
        })
    }

    /// Starts an operation on its memory, and counts it.
    ///
    /// # Errors
    /// As [`PeerRoute::post`].
    ///
    /// # Safety
    /// As [`PeerRoute::post`].
    pub unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        let (kind, bytes) = (operation.kind(), operation.bytes());
        // SAFETY: passed on to the caller.
        let posted = unsafe { self.route.post(operation, completion, deadline) };
        self.counter.count(kind, bytes, posted.is_ok());
        posted
    }

    /// Flushes posted operations, without waiting for a reply of an earlier one.
    pub fn push(&self) {
        self.route.push();
    }

    /// Returns the address that this member's process needs to copy to another one by the transport over
    /// which this one is reached; `None` if it cannot. The other one may be reached from here by another
    /// transport.
    pub fn address_of<'a>(&self, to: &'a Self) -> Option<&'a [u8]> {
        let can_copy = self.transport.capabilities().contains(Capabilities::REMOTE_COPY);
        let address = to.addresses.iter().find(|(name, _)| name == self.transport.name());
        address.filter(|_| can_copy).map(|(_, address)| address.as_slice())
    }

    /// Pages of local memory that are probed before it is used.
    pub fn depth(&self) -> Depth {
        if self.finds_holes { Depth::Ends } else { Depth::All }
    }

    /// Returns true if an operation that writes so many bytes needs no wait to come before the next one.
    pub fn keeps_order(&self, bytes: u64) -> bool {
        self.is_ordered && bytes <= self.eager_bytes
    }
}
