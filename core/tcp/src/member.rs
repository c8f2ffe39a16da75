// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One member of a job, with its transport.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_transport::{
    Capabilities, Completion, Left, MESSAGE_BYTES_MAX, Peer, PeerRoute, Reach, Region, SegmentKey, Transport,
    Usage,
};

use crate::connection::Connections;
use crate::engine::Engine;
use crate::options::Options;
use crate::process_core::Command;
use crate::secure::Identity;
use crate::shared::Shared;
use crate::waiting::Driven;
use crate::{address, loans, parts, post, waiting};

/// The transport over TCP, as one member of a job uses it.
pub struct Tcp {
    pub(crate) shared: Arc<Shared>,
    /// `None` once it is closed.
    engine: Mutex<Option<Arc<Engine>>>,
}

const JOIN: &str = "tcp start";

impl Engine {
    /// Adds a member of a job, and listens for it unless another member's listener serves.
    ///
    /// # Errors
    /// `InvalidParam` no address to listen on, or this process is that member already · `InUse` a port is
    /// taken · `NoResources` no descriptors left · `Failed` the progress thread has panicked.
    pub fn join(self: &Arc<Self>, options: Options) -> Result<Arc<Tcp>> {
        if options.listen.is_empty() {
            return Err(Error::invalid(JOIN, "no address to listen on")
                .hint("name an interface, a subnet or an address in MF_NIC"));
        }
        self.roster.core.health.check(JOIN)?;
        let identity =
            Identity::new(options.me, options.token, options.tls, Arc::clone(&self.roster.channels));
        let (mut listeners, mut listening) = (Vec::new(), Vec::new());
        let opened = options.listen.iter().try_for_each(|address| {
            let (id, bound) = self.roster.listen(*address)?;
            listeners.push(id);
            listening.push(bound);
            Ok(())
        });
        let member =
            Arc::new(Shared::new(Arc::clone(&self.roster.core), options, identity, listening, listeners));
        let joined = opened.and_then(|()| self.roster.add(&member));
        if let Err(error) = joined {
            member.listeners.iter().for_each(|id| self.roster.unlisten(*id));
            return Err(error);
        }
        Ok(Tcp::new(member, Arc::clone(self)))
    }
}

impl Tcp {
    fn new(shared: Arc<Shared>, engine: Arc<Engine>) -> Arc<Self> {
        Arc::new(Self { shared, engine: Mutex::new(Some(engine)) })
    }

    /// Parses the listening addresses of a process from its [`address`](Transport::address); for people.
    ///
    /// # Errors
    /// `InvalidParam` it is not an address of this transport.
    pub fn listening(address: &[u8]) -> Result<Vec<SocketAddr>> {
        address::decode(address)
    }
}

impl Transport for Tcp {
    fn name(&self) -> &'static str {
        "tcp"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL.iter().fold(Capabilities::default(), |all, (one, _)| all.with(*one))
    }

    fn address(&self) -> Vec<u8> {
        address::encode(&self.shared.listening)
    }

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        self.shared.introduce(peer, address)
    }

    fn reach(&self, peer: Peer) -> Result<Reach> {
        let peered = self.shared.peered(peer)?;
        let addresses = lock(&peered.addresses).clone();
        let encrypted = addresses.iter().any(|address| self.shared.identity.encrypts(address.ip()));
        let path: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        let path = format!("{}{}", path.join(", "), if encrypted { ", TLS" } else { "" });
        Ok(Reach { path, encrypted, score: 100 })
    }

    fn forget(&self, peer: Peer) {
        let peered = self.shared.peers.write().unwrap_or_else(PoisonError::into_inner).remove(&peer);
        if let Some(peered) = peered {
            for connection in Shared::retire(&peered) {
                // Operations that it has acknowledged before it left are done.
                connection.receive_all(&self.shared.local, usize::MAX, || true);
                // No replacement is wanted, nor a probe of this process.
                connection.send_close(&self.shared.local);
                connection.fail(&self.shared.local, &format!("{} is gone", peer.name()));
            }
        }
        self.shared.local.core.command(Command::Forget(self.shared.me, peer));
    }

    fn lend(&self, peer: Peer) -> Result<()> {
        loans::lend(&self.shared, peer)
    }

    fn borrow(&self, peer: Peer) -> Result<()> {
        loans::borrow(&self.shared, peer)
    }

    unsafe fn expose(&self, _: SegmentKey, _: &[Region]) -> Result<Vec<u8>> {
        // The target is asked for every piece; no preparation is needed.
        Ok(Vec::new())
    }

    fn conceal(&self, _: SegmentKey) {}

    fn attach(&self, _: Peer, _: SegmentKey, description: &[u8]) -> Result<()> {
        if description.is_empty() {
            Ok(())
        } else {
            Err(Error::invalid("tcp attach", "no description of the tcp transport")
                .with("bytes", description.len()))
        }
    }

    fn detach(&self, _: Peer, _: SegmentKey) {}

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        Ok(self.shared.peered(peer)?)
    }

    fn finds_holes(&self, reach: &Reach) -> bool {
        !reach.encrypted && !self.shared.local.summed
    }

    fn eager_bytes(&self) -> u64 {
        parts::COPY_MOST
    }

    fn wait(&self, completion: &Completion) -> Result<()> {
        waiting::wait(&self.shared, completion)
    }

    fn wait_interruptible(&self, completion: &Completion, left: Left) -> Result<()> {
        waiting::wait_interruptible(&self.shared, completion, left)
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        if message.is_empty() || message.len() > MESSAGE_BYTES_MAX {
            return Err(Error::invalid("tcp send", "length of a message")
                .with("bytes", message.len())
                .with("most", MESSAGE_BYTES_MAX));
        }
        post::message(&self.shared, peer, message, deadline)
    }

    fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()> {
        let connections: Connections = match peer {
            // A peer that is not introduced has nothing in flight.
            Some(peer) => {
                self.shared.peered(peer).map(|peered| lock(&peered.connections).clone()).unwrap_or_default()
            }
            None => self.shared.all_connections(),
        };
        let mut connections: Vec<_> = connections
            .into_iter()
            .map(|connection| (connection.mark(&self.shared.local), connection))
            .collect();
        loop {
            connections.retain(|(mark, connection)| !connection.is_past(*mark));
            if connections.is_empty() {
                return Ok(());
            }
            let now = Instant::now();
            if now >= deadline {
                let mut ranks: Vec<String> =
                    connections.iter().map(|(_, connection)| connection.peer.name()).collect();
                ranks.sort();
                ranks.dedup();
                return Err(Error::new(Kind::Timeout, "tcp flush")
                    .what(format!("operations to {} are not done", ranks.join(", ")))
                    .with("peers", ranks.join(", ")));
            }
            let all: Connections = connections.iter().map(|(_, connection)| Arc::clone(connection)).collect();
            let done = || connections.iter().any(|(mark, connection)| connection.is_past(*mark));
            if waiting::drive(&self.shared, &all, &|| true, Some(deadline), &done) == Driven::Elsewhere {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
    }

    fn close(&self) {
        let Some(engine) = lock(&self.engine).take() else { return };
        if !engine.is_own() {
            return;
        }
        {
            // Under the lock, so that no peer is introduced afterwards.
            let mut peers = self.shared.peers.write().unwrap_or_else(PoisonError::into_inner);
            self.shared.local.closing.store(true, Ordering::Release);
            for (_, peered) in peers.drain() {
                Shared::retire(&peered);
            }
        }
        engine.leave(&self.shared);
    }

    fn usage(&self) -> Usage {
        let connections = self.shared.all_connections();
        let threads = lock(&self.engine).as_ref().map_or(0, |engine| engine.threads());
        Usage {
            connections: connections.iter().filter(|connection| connection.is_ready()).count()
                + self.shared.guests.load(Ordering::Relaxed),
            bytes: connections.iter().map(|connection| connection.bytes(&self.shared.local)).sum::<usize>()
                + self.shared.guest_bytes.load(Ordering::Relaxed),
            threads,
        }
    }
}

impl Drop for Tcp {
    fn drop(&mut self) {
        self.close();
    }
}
