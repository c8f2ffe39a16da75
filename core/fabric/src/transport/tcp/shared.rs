// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the callers, the progress thread and the workers of one transport have in common.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use mf_base::{Error, Kind, Result};

use super::link::{Link, Links, lock};
use super::nic;
use super::remote::Copiers;
use super::secure::Identity;
use crate::transport::{Peer, Target};

/// What the progress thread is asked to do.
pub(super) enum Command {
    /// A connection of ours has ended; whether it was ready.
    Ended(u64, bool),
    /// The peer is gone: so are the connections that it opened.
    Forget(Peer),
    /// A copy that came in on this accepted connection has ended.
    Copied(u64, u64, Result<()>),
}

/// How a peer is reached, and the connections to it: the route that callers keep.
pub(super) struct Peered {
    pub(super) peer: Peer,
    /// A cycle, which ends when the peer is forgotten or the transport closed.
    pub(super) shared: Arc<Shared>,
    /// The peer was forgotten, or the transport closed; set under the lock of `links`.
    pub(super) is_gone: AtomicBool,
    pub(super) addresses: Mutex<Vec<SocketAddr>>,
    pub(super) links: Mutex<Links>,
    /// A connection broke while a caller made the next one: if that fails the peer is lost.
    pub(super) is_doubtful: AtomicBool,
}

pub(super) struct Shared {
    pub(super) me: Peer,
    pub(super) identity: Arc<Identity>,
    pub(super) listening: Vec<SocketAddr>,
    pub(super) summed: bool,
    pub(super) connections: usize,
    pub(super) target: Weak<dyn Target>,
    pub(super) epoll: OwnedFd,
    pub(super) wake: OwnedFd,
    pub(super) peers: RwLock<HashMap<Peer, Arc<Peered>>>,
    /// The connections that were opened, by id.
    pub(super) links: Mutex<HashMap<u64, Arc<Link>>>,
    commands: Mutex<Vec<Command>>,
    /// The progress thread looks at the connections once a tick.
    attentive: AtomicBool,
    pub(super) closing: AtomicBool,
    next_id: AtomicU64,
    pub(super) copiers: Copiers,
    /// Connections that were accepted, and what they hold; counted by the progress thread.
    pub(super) guests: AtomicUsize,
    pub(super) guest_bytes: AtomicUsize,
}

/// Ids below belong to the listeners and the eventfd.
pub(super) const FIRST_ID: u64 = 1 << 16;

impl Shared {
    #[allow(clippy::too_many_arguments, reason = "one caller")]
    pub(super) fn new(
        me: Peer,
        identity: Arc<Identity>,
        listening: Vec<SocketAddr>,
        summed: bool,
        connections: usize,
        target: Weak<dyn Target>,
        epoll: OwnedFd,
        wake: OwnedFd,
    ) -> Self {
        Self {
            me,
            identity,
            listening,
            summed,
            connections,
            target,
            epoll,
            wake,
            peers: RwLock::default(),
            links: Mutex::default(),
            commands: Mutex::default(),
            attentive: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            next_id: AtomicU64::new(FIRST_ID),
            copiers: Copiers::default(),
            guests: AtomicUsize::new(0),
            guest_bytes: AtomicUsize::new(0),
        }
    }

    pub(super) fn new_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// How a peer is reached.
    pub(super) fn peered(&self, peer: Peer) -> Result<Arc<Peered>> {
        let peers = self.peers.read().unwrap_or_else(PoisonError::into_inner);
        peers.get(&peer).cloned().ok_or_else(|| self.not_introduced(peer))
    }

    #[cold]
    pub(super) fn not_introduced(&self, peer: Peer) -> Error {
        let what = if self.closing.load(Ordering::Acquire) {
            "the transport is closed".to_owned()
        } else {
            format!("{peer} is not introduced, or gone")
        };
        Error::new(Kind::NotConnected, "tcp").what(what).with("rank", peer.rank)
    }

    /// All connections that were opened.
    pub(super) fn all_links(&self) -> Links {
        lock(&self.links).values().cloned().collect()
    }

    /// Wakes the progress thread.
    pub(super) fn wake(&self) {
        let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }

    pub(super) fn command(&self, command: Command) {
        lock(&self.commands).push(command);
        self.wake();
    }

    pub(super) fn commands(&self) -> Vec<Command> {
        std::mem::take(&mut *lock(&self.commands))
    }

    /// Makes sure that the progress thread looks once a tick; something is in flight.
    pub(super) fn attend(&self) {
        // In one order with `unattend`: either it sees what was just posted, or we see that it went to sleep.
        fence(Ordering::SeqCst);
        if !self.attentive.load(Ordering::Relaxed) && !self.attentive.swap(true, Ordering::SeqCst) {
            self.wake();
        }
    }

    pub(super) fn is_attentive(&self) -> bool {
        self.attentive.load(Ordering::SeqCst)
    }

    /// The progress thread goes to sleep unless something is in flight.
    pub(super) fn unattend(&self) {
        self.attentive.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if self.all_links().iter().any(|link| link.is_busy() || link.is_connecting()) {
            self.attentive.store(true, Ordering::SeqCst);
        }
    }

    /// Learns how a peer is reached; again replaces.
    pub(super) fn introduce(self: &Arc<Self>, peer: Peer, address: &[u8]) -> Result<()> {
        let published = super::address::decode(address)?;
        // Without a look at the own interfaces the order is that of the peer.
        let addresses = nic::interfaces()
            .map_or_else(|_| published.clone(), |interfaces| nic::order(&published, &interfaces));
        if addresses.is_empty() {
            return Err(Error::new(Kind::NotConnected, "tcp introduce")
                .what("none of the addresses where the member listens can be reached from here")
                .with("rank", peer.rank)
                .with("addresses", format!("{published:?}"))
                .hint("let it listen where this host reaches it: MF_NIC"));
        }
        let mut peers = self.peers.write().unwrap_or_else(PoisonError::into_inner);
        if self.closing.load(Ordering::Acquire) {
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
                    links: Mutex::default(),
                    is_doubtful: AtomicBool::new(false),
                };
                peers.insert(peer, Arc::new(peered));
            }
        }
        Ok(())
    }

    /// Takes what stands between it and a peer that is gone; gives the connections that are left.
    pub(super) fn retire(peered: &Peered) -> Links {
        let mut links = lock(&peered.links);
        peered.is_gone.store(true, Ordering::Release);
        std::mem::take(&mut *links)
    }

    /// Learns how a peer is reached, unless it knows.
    pub(super) fn introduce_if_new(self: &Arc<Self>, peer: Peer, address: &[u8]) -> Result<()> {
        if self.peered(peer).is_ok() { Ok(()) } else { self.introduce(peer, address) }
    }
}
