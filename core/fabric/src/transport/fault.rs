// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Harms operations by rules: loses, delays, corrupts or fails them, severs peers. For tests; nothing but a call of
//! [`Faulty::new`] brings it about.
//!
//! What a rule does follows from the seed and from the order of the operations that it is about; whoever finds something
//! prints [`Faulty::seed`] and finds it again. The first rule that meets an operation counts.

mod held;
mod rule;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mf_base::{Error, Result};

use self::held::{Entry, Held, Kept, gone};
use self::rule::{Watching, mix};
use super::layer::{OperationKind, hand_through, post_watched};
use super::{Completion, Operation, Peer, Reach, SegmentKey, Span, Transport};

pub use rule::{Fault, Rule, When};

/// What was told of a peer, to tell it again when it is healed.
#[derive(Default)]
struct Known {
    address: Vec<u8>,
    attached: BTreeMap<SegmentKey, Vec<u8>>,
    is_severed: bool,
}

/// A transport that harms.
pub struct Faulty {
    inner: Arc<dyn Transport>,
    seed: u64,
    rules: Mutex<Vec<Watching>>,
    peers: Mutex<HashMap<Peer, Known>>,
    held: Arc<Held>,
}

impl Faulty {
    /// Around `inner`; harms nothing until it has rules.
    pub fn new(inner: Arc<dyn Transport>, seed: u64) -> Arc<Self> {
        tracing::info!(by = inner.name(), seed, "operations are harmed by rules");
        Arc::new(Self { inner, seed, rules: Mutex::default(), peers: Mutex::default(), held: Arc::default() })
    }

    /// What chance follows from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// One rule more, behind the others.
    pub fn add(&self, rule: Rule) {
        let mut rules = lock(&self.rules);
        let number = u64::try_from(rules.len()).unwrap_or(u64::MAX);
        rules.push(Watching::new(rule, mix(self.seed ^ mix(number + 1))));
    }

    /// No rule any more. What is severed stays so, and what is held back too.
    pub fn clear(&self) {
        lock(&self.rules).clear();
    }

    /// Ends what is under way to a peer, and refuses what follows, with `NotConnected`.
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

    /// Holds an operation back that the transport may take, until `at`.
    fn hold(
        &self,
        peer: Peer,
        operation: Option<Kept>,
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failure(kind: mf_base::Kind, peer: Peer) -> Error {
    Error::new(kind, "transport")
        .what(format!("a rule lets operations to {peer} fail"))
        .with("rank", peer.rank)
}

impl Transport for Faulty {
    hand_through!(name capabilities address expose conceal wait usage);

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

    unsafe fn post(
        &self,
        peer: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        let fault = self.fault(peer, OperationKind::of(operation));
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
                self.hold(peer, Some(Kept::of(operation)), completion, at, deadline)
            }
            Some((Fault::Fail(kind), _)) => {
                completion.begin(1);
                completion.end(Err(failure(kind, peer)));
                Ok(())
            }
            Some((Fault::Corrupt, dice)) => {
                // SAFETY: the caller's promise, handed on.
                unsafe { corrupt(&*self.inner, peer, operation, completion, deadline, dice) }
            }
        }
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
                flip(&mut message, dice);
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

/// Changes one bit.
fn flip(data: &mut [u8], dice: u64) {
    let bits = data.len().saturating_mul(8).max(1);
    let bit = usize::try_from(dice).unwrap_or(usize::MAX) % bits;
    if let Some(byte) = data.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
}

/// A copy of what lies behind the spans, with one bit changed, and spans of it.
///
/// # Safety
/// Every span is readable.
unsafe fn corrupted(spans: &[Span], dice: u64) -> (Vec<Vec<u8>>, Vec<Span>) {
    let copy = |span: &Span| {
        let mut data = vec![0; usize::try_from(span.bytes).unwrap_or(0)];
        // SAFETY: the caller's promise; `data` is as long as the span, or empty.
        unsafe { data.as_mut_ptr().copy_from_nonoverlapping(span.local, data.len()) };
        data
    };
    let mut copies: Vec<Vec<u8>> = spans.iter().map(copy).collect();
    let victim = usize::try_from(mix(dice)).unwrap_or(0) % copies.len().max(1);
    if let Some(data) = copies.get_mut(victim) {
        flip(data, dice);
    }
    let moved = spans.iter().zip(&mut copies).map(|(span, data)| Span { local: data.as_mut_ptr(), ..*span });
    let moved = moved.collect();
    (copies, moved)
}

/// A place that a get fills.
struct Filled(*mut u8, usize);

// SAFETY: whoever posted the get keeps the place writable until its completion has counted it.
unsafe impl Send for Filled {}

impl Filled {
    fn flip(&self, dice: u64) {
        let bit = usize::try_from(dice).unwrap_or(usize::MAX) % self.1.saturating_mul(8).max(1);
        let place = self.0.wrapping_add(bit / 8);
        // SAFETY: inside the span, whose get has ended and is not counted yet.
        let byte = unsafe { place.read_volatile() };
        // SAFETY: as above.
        unsafe { place.write_volatile(byte ^ (1 << (bit % 8))) };
    }
}

/// Posts the operation with one bit of its payload changed.
///
/// # Safety
/// As [`Transport::post`].
unsafe fn corrupt(
    inner: &dyn Transport,
    peer: Peer,
    operation: &Operation<'_>,
    completion: &Arc<Completion>,
    deadline: Instant,
    dice: u64,
) -> Result<()> {
    let post = |operation: &Operation<'_>, then: Box<dyn FnOnce() + Send>| {
        let then = move |result: Result<()>| {
            if result.is_ok() {
                then();
            }
            result
        };
        // SAFETY: the caller's promise; memory of ours lives in `then`, which is kept until the end is counted.
        unsafe { post_watched(inner, peer, operation, completion, deadline, then) }
    };
    match *operation {
        Operation::Put { key, spans } => {
            // SAFETY: the caller's promise.
            let (copies, spans) = unsafe { corrupted(spans, dice) };
            post(&Operation::Put { key, spans: &spans }, Box::new(move || drop(copies)))
        }
        Operation::Signal { key, spans, signal, kind, value } => {
            // SAFETY: the caller's promise.
            let (copies, copied) = unsafe { corrupted(spans, dice) };
            let value = if spans.is_empty() { value ^ (1 << (dice % 64)) } else { value };
            let operation = Operation::Signal { key, spans: &copied, signal, kind, value };
            post(&operation, Box::new(move || drop(copies)))
        }
        Operation::Atomic { at, mut atomic, old } => {
            atomic.operand ^= 1 << (dice % (8 * atomic.width.bytes()));
            post(&Operation::Atomic { at, atomic, old }, Box::new(|| {}))
        }
        Operation::Get { spans, .. } => {
            let victim = usize::try_from(mix(dice)).unwrap_or(0) % spans.len().max(1);
            let filled =
                spans.get(victim).map(|span| Filled(span.local, usize::try_from(span.bytes).unwrap_or(0)));
            post(
                operation,
                Box::new(move || {
                    if let Some(filled) = filled {
                        filled.flip(dice);
                    }
                }),
            )
        }
        Operation::Copy { .. } => post(operation, Box::new(|| {})),
    }
}
