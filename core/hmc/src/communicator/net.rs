// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Network of a communicator: one network and one endpoint for all peers. Its buffer is registered once.
//! Peers are introduced by the cards exchanged at meeting points.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::os::random;
use mf_base::settings::settings;
use mf_base::sync::{lock, rcu};
use mf_fabric::endpoint::{Endpoint, OpenAssistant, PeerAccess};
use mf_net::Network;
use mf_net::carrier::{self, Alone, JobOptions};
use mf_net::choice::{EngineName, EngineSet};
use mf_transport::{NO_RANK, Peer, SegmentKey};

use super::admission::Trust;
use super::card::Card;
use super::inbox::Inbox;
use crate::buffer::Buffer;
use crate::memory::gpu;
use crate::numbers::{ConnType, MemoryType};

/// The network of a communicator.
pub(super) struct Net {
    network: Arc<Network>,
    endpoint: Endpoint,
    /// Number of connections to each peer.
    users: Mutex<HashMap<Peer, usize>>,
    /// The endpoint's memory; it outlives the endpoint's registration.
    buffer: Arc<Buffer>,
}

impl Net {
    /// Opens it.
    ///
    /// # Errors
    /// Errors of [`carrier::open_alone`].
    pub(super) fn open(
        op: &'static str,
        buffer: &Arc<Buffer>,
        trust: &Trust,
        inbox: &Arc<Inbox>,
    ) -> Result<Self> {
        // Takes the kernel some milliseconds if there are several threads: done here, so that no transfer
        // waits for it.
        rcu::prepare();
        let settings = settings()?;
        let alone = Alone { session: u64::from_le_bytes(random(op)?), token: trust.token() };
        let options = JobOptions {
            is_loopback: trust.is_own_host_only(),
            nic: if trust.is_own_host_only() { "" } else { &settings.nic },
            tls: settings.net_tls,
            settings,
        };
        let network = carrier::open_alone(&alone, &options)?;
        let key = SegmentKey(u64::from_le_bytes(random(op)?));
        let receiver = Arc::clone(inbox);
        let devices = buffer.memory().devices();
        let endpoint = Endpoint::open(Arc::clone(&network), devices, key, receiver)?;
        match buffer.allocation() {
            Some(allocation) => drop(endpoint.share(Arc::clone(allocation))),
            None => endpoint.register(buffer.base().addr() as u64, buffer.bytes())?,
        }
        Ok(Self { network, endpoint, users: Mutex::default(), buffer: Arc::clone(buffer) })
    }

    /// Returns the card by which others reach it.
    pub(super) fn card(&self, buffer: &Buffer, channels: u64, port: u16) -> Card {
        let range = (buffer.base().addr() as u64, buffer.bytes());
        let mut card = Card::new(self.network.card().clone(), self.endpoint.key(), range);
        (card.memory, card.channels, card.port) = (buffer.memory().kind() as i32, channels, port);
        card.bus = buffer.memory().bus().unwrap_or_default().to_owned();
        card
    }

    /// Returns the session of its network.
    pub(super) fn session(&self) -> u64 {
        self.network.me().session
    }

    pub(super) fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    #[inline(always)]
    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Resolves the route to a peer. The listener may be unable to connect to the dialer: unless memory is
    /// mapped, the dialer opens the connections of both directions.
    ///
    /// # Errors
    /// `NotConnected` no transport reaches it, with the reasons · `NotExist` with `MF_STRICT_ENGINE=1`, no
    /// RDMA reaches it.
    pub(super) fn reach(&self, theirs: &Card, conn: ConnType, has_dialled: bool) -> Result<PeerAccess> {
        let peer = Peer { job: self.network.job(), rank: NO_RANK, session: theirs.network.session };
        // Held until the connection is counted: releasing the last connection to a peer forgets it.
        let mut users = lock(&self.users);
        self.network.introduce(peer, &theirs.network)?;
        let reached = self.endpoint.reach_asking(peer, theirs.key, engines(conn), false)?;
        if conn == ConnType::Rdma && settings()?.strict_engine {
            reached.insist()?;
        }
        let reached = match self.assistant(theirs) {
            Some((name, open)) => reached.assisted_by(&name, open),
            None => reached,
        };
        match (reached.is_near(), has_dialled) {
            (true, _) => {}
            (false, true) => self.network.lend(peer),
            (false, false) => self.network.borrow(peer),
        }
        *users.entry(peer).or_default() += 1;
        Ok(reached)
    }

    /// Returns an assistant for copies between a buffer in host memory and one on a GPU of this host.
    fn assistant(&self, theirs: &Card) -> Option<(String, OpenAssistant)> {
        if self.buffer.memory().kind() != MemoryType::Cpu {
            return None;
        }
        gpu::assistant(MemoryType::from_number(theirs.memory)?, &theirs.bus)
    }

    /// Releases a connection; the last one to a peer ends operations in flight to it.
    pub(super) fn release(&self, reached: &PeerAccess) {
        let peer = reached.peer();
        let mut users = lock(&self.users);
        let Some(count) = users.get_mut(&peer) else { return };
        *count -= 1;
        if *count == 0 {
            users.remove(&peer);
            // Under the lock, so that a new connection introduces the peer after this.
            self.network.forget(peer);
        }
    }

    /// Closes the network: operations in flight have ended and nothing is reachable any more when it returns.
    pub(super) fn close(&self) {
        self.endpoint.end();
        self.network.close();
    }
}

/// Returns the preferred engines of a kind of connection, for memory that is not mapped.
fn engines(conn: ConnType) -> EngineSet {
    match conn {
        ConnType::Rdma => EngineSet::one(EngineName::HostRdma),
        ConnType::Ucx => EngineSet::AUTO,
    }
}
