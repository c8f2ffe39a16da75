// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fault injection by rules: drops, delays, corrupts or fails operations, severs peers. For tests; enabled
//! only by the setting `MF_NET_FAULTS` or a call of [`Faulty::new`].
//!
//! The effects of a rule follow from the seed and from the order of its operations; a test that fails prints
//! [`Faulty::seed`], and the same seed repeats the failure. The first rule that matches an operation counts.

mod corrupt;
mod held;
mod rule;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Result};

use self::held::{Entry, Held, gone};
use self::rule::{Watching, mix};
use super::layer::hand_through;

use mf_transport::{
    Completion, Operation, OperationKind, OwnedOperation, Peer, PeerRoute, Reach, SegmentKey, Transport,
};
pub use rule::{Fault, Rule, When};

/// State of a peer, to introduce it again when it is healed.
#[derive(Default)]
struct Known {
    address: Vec<u8>,
    attached: BTreeMap<SegmentKey, Vec<u8>>,
    is_severed: bool,
}

/// A transport with faults.
pub struct Faulty {
    me: Weak<Self>,
    inner: Arc<dyn Transport>,
    seed: u64,
    rules: Mutex<Vec<Watching>>,
    peers: Mutex<HashMap<Peer, Known>>,
    held: Arc<Held>,
}

impl Faulty {
    /// Around `inner`; changes nothing until it has rules.
    pub fn new(inner: Arc<dyn Transport>, seed: u64) -> Arc<Self> {
        tracing::info!(by = inner.name(), seed, "faults are injected by rules");
        Arc::new_cyclic(|me| Self {
            me: Weak::clone(me),
            inner,
            seed,
            rules: Mutex::default(),
            peers: Mutex::default(),
            held: Arc::default(),
        })
    }

    /// Returns the random seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// One rule more, behind the others.
    pub fn add(&self, rule: Rule) {
        let mut rules = lock(&self.rules);
        let number = u64::try_from(rules.len()).unwrap_or(u64::MAX);
        rules.push(Watching::new(rule, mix(self.seed ^ mix(number + 1))));
    }

    /// Removes all rules. Severed peers stay severed, and held operations held.
    pub fn clear(&self) {
        lock(&self.rules).clear();
    }

    /// Ends operations in flight to a peer, and refuses later ones, with `NotConnected`.
    pub fn sever(&self, peer: Peer) {
        if let Some(known) = lock(&self.peers).get_mut(&peer) {
            known.is_severed = true;
        }
        self.held.end(Some(peer), false);
        self.inner.forget(peer);
    }

    /// Ends [`sever`](Self::sever).
    ///
    /// # Errors
    /// As [`Transport::introduce`] and [`Transport::attach`].
    pub fn heal(&self, peer: Peer) -> Result<()> {
        let mut peers = lock(&self.peers);
        let Some(known) = peers.get_mut(&peer).filter(|known| known.is_severed) else { return Ok(()) };
        known.is_severed = false;
        self.inner.introduce(peer, &known.address)?;
        known.attached.iter().try_for_each(|(key, description)| self.inner.attach(peer, *key, description))
    }

    fn fault(&self, peer: Peer, kind: OperationKind) -> Option<(Fault, u64)> {
        lock(&self.rules).iter().find_map(|watching| watching.meets(peer, kind))
    }

    fn is_severed(&self, peer: Peer) -> bool {
        lock(&self.peers).get(&peer).is_some_and(|known| known.is_severed)
    }

    /// # Safety
    /// As [`PeerRoute::post`].
    unsafe fn post_with_faults(
        &self,
        peer: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        let fault = self.fault(peer, operation.kind());
        if let Some((Fault::Sever, _)) = fault {
            self.sever(peer);
        }
        if self.is_severed(peer) {
            return Err(gone(peer));
        }
        match fault {
            None | Some((Fault::Sever, _)) => {
                // SAFETY: the caller's promise, handed on.
                unsafe { self.inner.post(peer, operation, completion, deadline) }
            }
            Some((Fault::Drop, _)) => self.hold(peer, None, completion, deadline, deadline),
            Some((Fault::Delay(by), _)) => {
                let at = Instant::now() + by;
                // SAFETY: sources are readable, by the caller.
                let operation = unsafe { OwnedOperation::of(operation, self.inner.eager_bytes()) };
                self.hold(peer, Some(operation), completion, at, deadline)
            }
            Some((Fault::Fail(kind), _)) => {
                completion.begin(1);
                completion.end(Err(failure(kind, peer)));
                Ok(())
            }
            Some((Fault::Corrupt, dice)) => {
                // SAFETY: the caller's promise, handed on.
                unsafe { corrupt::post(&*self.inner.route(peer)?, operation, completion, deadline, dice) }
            }
        }
    }

    /// Holds an operation back that the transport may take, until `at`.
    fn hold(
        &self,
        peer: Peer,
        operation: Option<OwnedOperation>,
        completion: &Arc<Completion>,
        at: Instant,
        deadline: Instant,
    ) -> Result<()> {
        self.inner.reach(peer)?;
        completion.begin(1);
        let completion = Arc::clone(completion);
        self.held.add(Entry { peer, at: at.min(deadline), deadline, completion, operation }, &self.inner);
        Ok(())
    }
}

fn failure(kind: mf_base::Kind, peer: Peer) -> Error {
    Error::new(kind, "transport")
        .what(format!("a rule lets operations to {peer} fail"))
        .with("rank", peer.rank_fact())
}

impl Transport for Faulty {
    hand_through!(name capabilities address lend expose conceal revoke file_gone wait usage eager_bytes);

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        if self.is_severed(peer) {
            lock(&self.peers).entry(peer).or_default().address = address.to_vec();
            return Ok(());
        }
        self.inner.introduce(peer, address)?;
        lock(&self.peers).entry(peer).or_default().address = address.to_vec();
        Ok(())
    }

    fn reach(&self, peer: Peer) -> Result<Reach> {
        if self.is_severed(peer) { Err(gone(peer)) } else { self.inner.reach(peer) }
    }

    fn forget(&self, peer: Peer) {
        lock(&self.peers).remove(&peer);
        self.held.end(Some(peer), false);
        self.inner.forget(peer);
    }

    fn attach(&self, peer: Peer, key: SegmentKey, description: &[u8]) -> Result<()> {
        if !self.is_severed(peer) {
            self.inner.attach(peer, key, description)?;
        }
        if let Some(known) = lock(&self.peers).get_mut(&peer) {
            known.attached.insert(key, description.to_vec());
        }
        Ok(())
    }

    fn detach(&self, peer: Peer, key: SegmentKey) {
        if let Some(known) = lock(&self.peers).get_mut(&peer) {
            known.attached.remove(&key);
        }
        self.inner.detach(peer, key);
    }

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        self.reach(peer)?;
        Ok(Arc::new(FaultyRoute { faulty: Weak::clone(&self.me), peer }))
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        let fault = self.fault(peer, OperationKind::Message);
        if let Some((Fault::Sever, _)) = fault {
            self.sever(peer);
        }
        if self.is_severed(peer) {
            return Err(gone(peer));
        }
        match fault {
            None | Some((Fault::Sever, _)) => self.inner.send(peer, message, deadline),
            Some((Fault::Drop, _)) => self.inner.reach(peer).map(|_| ()),
            Some((Fault::Delay(by), _)) => {
                std::thread::sleep(by.min(deadline.saturating_duration_since(Instant::now())));
                self.inner.send(peer, message, deadline)
            }
            Some((Fault::Fail(kind), _)) => Err(failure(kind, peer)),
            Some((Fault::Corrupt, dice)) => {
                let mut message = message.to_vec();
                corrupt::flip(&mut message, dice);
                self.inner.send(peer, &message, deadline)
            }
        }
    }

    fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()> {
        self.held.flush(peer, deadline)?;
        self.inner.flush(peer, deadline)
    }

    fn close(&self) {
        self.held.end(None, true);
        self.inner.close();
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.held.end(None, true);
    }
}

/// A peer behind the rules. It resolves the transport's own route at each operation, which ends and begins
/// anew where the peer is severed and healed.
struct FaultyRoute {
    faulty: Weak<Faulty>,
    peer: Peer,
}

impl PeerRoute for FaultyRoute {
    fn peer(&self) -> Peer {
        self.peer
    }

    fn push(&self) {
        let faulty = self.faulty.upgrade();
        if let Some(route) = faulty.and_then(|faulty| faulty.inner.route(self.peer).ok()) {
            route.push();
        }
    }

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        let faulty = self.faulty.upgrade().ok_or_else(|| gone(self.peer))?;
        // SAFETY: the caller's promise, handed on.
        unsafe { faulty.post_with_faults(self.peer, operation, completion, deadline) }
    }
}
