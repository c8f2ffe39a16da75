// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a communicator is reached by: one network and one endpoint, however many peers it has. Its buffer is
//! registered once. Peers are introduced by the cards that meeting points show.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::os::random;
use mf_base::settings::settings;
use mf_base::sync::{lock, pin};
use mf_fabric::endpoint::{Endpoint, OpenAssistant, Reached};
use mf_fabric::transport::carrier::{self, Alone, JobOptions};
use mf_fabric::transport::choice::{EngineName, EngineSet};
use mf_fabric::transport::{NO_RANK, Network, Peer, SegmentKey};

use super::card::Card;
use super::inbox::Inbox;
use super::trust::Trust;
use crate::buffer::Buffer;
use crate::memory::gpu;
use crate::numbers::{ConnType, MemoryType};

/// The network of a communicator.
pub(super) struct Net {
    network: Arc<Network>,
    endpoint: Endpoint,
    /// How many connections go to each peer.
    users: Mutex<HashMap<Peer, usize>>,
    /// The memory of the endpoint, which it gives up before.
    buffer: Arc<Buffer>,
}

impl Net {
    /// Opens it.
    ///
    /// # Errors
    /// Those of [`carrier::open_alone`].
    pub(super) fn open(
        op: &'static str,
        buffer: &Arc<Buffer>,
        trust: &Trust,
        inbox: &Arc<Inbox>,
    ) -> Result<Self> {
        // It takes the kernel some milliseconds where there are several threads: no transfer is to wait for
        // it.
        pin::prepare();
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

    /// What others reach it by.
    pub(super) fn card(&self, buffer: &Buffer, channels: u64, port: u16) -> Card {
        let range = (buffer.base().addr() as u64, buffer.bytes());
        let mut card = Card::new(self.network.card().clone(), self.endpoint.key(), range);
        (card.memory, card.channels, card.port) = (buffer.memory().kind() as i32, channels, port);
        card.bus = buffer.memory().bus().unwrap_or_default().to_owned();
        card
    }

    /// The session of its network.
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

    /// Finds out how a peer is reached. Who dialled may be out of reach of who listens: where its memory is
    /// not copied in place it opens the connections of both directions.
    ///
    /// # Errors
    /// `NotConnected` nothing reaches it, and why · `NotExist` with `MF_STRICT_ENGINE=1`, no RDMA does.
    pub(super) fn reach(&self, theirs: &Card, conn: ConnType, has_dialled: bool) -> Result<Reached> {
        let peer = Peer { job: self.network.job(), rank: NO_RANK, session: theirs.network.session };
        // Held until it is counted: who gives up the last connection to the peer forgets it.
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

    /// What copies between a buffer in host memory and one on a GPU of this host.
    fn assistant(&self, theirs: &Card) -> Option<(String, OpenAssistant)> {
        if self.buffer.memory().kind() != MemoryType::Cpu {
            return None;
        }
        gpu::assistant(MemoryType::from_number(theirs.memory)?, &theirs.bus)
    }

    /// A connection is over; the last one to a peer ends what is in flight to it.
    pub(super) fn release(&self, reached: &Reached) {
        let peer = reached.peer();
        let mut users = lock(&self.users);
        let Some(count) = users.get_mut(&peer) else { return };
        *count -= 1;
        if *count == 0 {
            users.remove(&peer);
            // Under the lock: the next connection introduces it anew behind that.
            self.network.forget(peer);
        }
    }

    /// Nothing is reachable any more when it returns; what is in flight has ended.
    pub(super) fn close(&self) {
        self.endpoint.end();
        self.network.close();
    }
}

/// What a kind of connection prefers, where memory is not mapped.
fn engines(conn: ConnType) -> EngineSet {
    match conn {
        ConnType::Rdma => EngineSet::one(EngineName::HostRdma),
        ConnType::Ucx => EngineSet::AUTO,
    }
}
