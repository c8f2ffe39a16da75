// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One member of a job in this process: its identity, the addresses of its peers, and the connections that it
//! opened. State common to all members is in `process_core.rs`.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use mf_base::os::interface;
use mf_base::sync::lock;
use mf_base::sync::published::Published;
use mf_base::{Error, Kind, Result};
use mf_transport::{Completion, Peer, Target};

use crate::connection::{Connection, Connections};
use crate::local_end::LocalEnd;
use crate::nic;
use crate::options::Options;
use crate::process_core::Core;
use crate::secure::Identity;
use crate::validity::Numbers;

/// A peer's addresses, and the connections to it: the route that callers keep.
pub(crate) struct Peered {
    pub(crate) peer: Peer,
    /// A cycle, which ends when the peer is forgotten or the transport closed.
    pub(crate) shared: Arc<Shared>,
    /// The peer was forgotten, or the transport closed; set under the lock of `connections`.
    pub(crate) is_gone: AtomicBool,
    pub(crate) addresses: Mutex<Vec<SocketAddr>>,
    pub(crate) connections: Mutex<Connections>,
    /// Live connections to the peer's process, shared with other members here.
    pub(crate) numbers: Arc<Numbers>,
    /// The first of them, which posts read without a lock; changed under that lock.
    pub(crate) first: Published<Weak<Connection>>,
    /// A connection broke while a caller made the next one: if that fails the peer is lost.
    pub(crate) is_doubtful: AtomicBool,
    /// The peer lends connections: requests to it go by those.
    pub(crate) borrows: AtomicBool,
    /// A connection is lent to the peer, or will be again; how often that failed in a row.
    pub(crate) lends: AtomicBool,
    pub(crate) lend_failures: AtomicU32,
}

/// One member.
pub(crate) struct Shared {
    pub(crate) local: LocalEnd,
    pub(crate) me: Peer,
    pub(crate) identity: Arc<Identity>,
    pub(crate) listening: Vec<SocketAddr>,
    /// The listeners of this process that it uses, by id.
    pub(crate) listeners: Vec<u64>,
    pub(crate) connections_max: usize,
    pub(crate) target: Weak<dyn Target>,
    pub(crate) peers: RwLock<HashMap<Peer, Arc<Peered>>>,
    /// The connections that were opened, by id.
    pub(crate) connections: Mutex<HashMap<u64, Arc<Connection>>>,
    /// Accepted connections, and their memory; counted by the progress thread.
    pub(crate) guests: AtomicUsize,
    pub(crate) guest_bytes: AtomicUsize,
}

impl Shared {
    pub(crate) fn new(
        core: Arc<Core>,
        options: Options,
        identity: Arc<Identity>,
        listening: Vec<SocketAddr>,
        listeners: Vec<u64>,
    ) -> Self {
        Self {
            local: LocalEnd { core, summed: options.checksum, closing: AtomicBool::new(false) },
            me: options.me,
            identity,
            listening,
            listeners,
            connections_max: usize::try_from(options.connections.clamp(1, 16)).unwrap_or(1),
            target: options.target,
            peers: RwLock::default(),
            connections: Mutex::default(),
            guests: AtomicUsize::new(0),
            guest_bytes: AtomicUsize::new(0),
        }
    }

    /// Returns the state of a peer.
    pub(crate) fn peered(&self, peer: Peer) -> Result<Arc<Peered>> {
        let peers = self.peers.read().unwrap_or_else(PoisonError::into_inner);
        peers.get(&peer).cloned().ok_or_else(|| self.not_introduced(peer))
    }

    #[cold]
    pub(crate) fn not_introduced(&self, peer: Peer) -> Error {
        let what = if self.local.closing.load(Ordering::Acquire) {
            "the transport is closed".to_owned()
        } else {
            format!("{peer} is not introduced, or gone")
        };
        Error::new(Kind::NotConnected, "tcp").what(what).with("rank", peer.rank_fact())
    }

    /// All connections that were opened.
    pub(crate) fn all_connections(&self) -> Connections {
        lock(&self.connections).values().cloned().collect()
    }

    /// Returns true if a connection other than that one serves the completion.
    pub(crate) fn is_served_beside(&self, completion: &Completion, id: u64) -> bool {
        lock(&self.connections)
            .values()
            .any(|connection| connection.id != id && connection.serves(completion))
    }

    /// Learns how a peer is reached; again replaces.
    pub(crate) fn introduce(self: &Arc<Self>, peer: Peer, address: &[u8]) -> Result<()> {
        if peer.job != self.me.job {
            return Err(Error::invalid("tcp introduce", "the peer is a member of another job")
                .with("peer", peer)
                .with("job", peer.job)
                .with("ours", self.me.job));
        }
        let published = crate::address::decode(address)?;
        // When the own interfaces are unknown the order is the peer's.
        let addresses = interface::interfaces()
            .map_or_else(|_| published.clone(), |interfaces| nic::order(&published, &interfaces));
        if addresses.is_empty() {
            return Err(Error::new(Kind::NotConnected, "tcp introduce")
                .what("cannot reach any of the addresses at which the member listens")
                .with("rank", peer.rank_fact())
                .with("addresses", format!("{published:?}"))
                .hint("let it listen where this host reaches it: MF_NIC"));
        }
        let mut peers = self.peers.write().unwrap_or_else(PoisonError::into_inner);
        if self.local.closing.load(Ordering::Acquire) {
            drop(peers);
            return Err(self.not_introduced(peer));
        }
        match peers.get(&peer) {
            Some(known) => *lock(&known.addresses) = addresses,
            None => {
                let peered = Peered {
                    peer,
                    shared: Arc::clone(self),
                    is_gone: AtomicBool::new(false),
                    addresses: Mutex::new(addresses),
                    connections: Mutex::default(),
                    numbers: Numbers::towards(&published)?,
                    first: Published::new(1),
                    is_doubtful: AtomicBool::new(false),
                    borrows: AtomicBool::new(false),
                    lends: AtomicBool::new(false),
                    lend_failures: AtomicU32::new(0),
                };
                peers.insert(peer, Arc::new(peered));
            }
        }
        Ok(())
    }

    /// Removes the connections between it and an ended peer. Returns the remaining ones.
    pub(crate) fn retire(peered: &Peered) -> Connections {
        let mut connections = lock(&peered.connections);
        peered.is_gone.store(true, Ordering::Release);
        peered.first.set(0, None);
        std::mem::take(&mut *connections)
    }

    /// Introduces a peer by its address, unless it is known.
    pub(crate) fn introduce_if_new(self: &Arc<Self>, peer: Peer, address: &[u8]) -> Result<()> {
        if self.peered(peer).is_ok() { Ok(()) } else { self.introduce(peer, address) }
    }
}
