// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Endpoints in one process, each with memory of its own, which get to know each other when one first needs
//! another.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_transport::{Atomic, Completion, JobId, Operation, Peer, Remote, SegmentKey, Span, Target};

use crate::memory::{Memory, Segment};
use crate::suite::Shared;

/// Memory of an endpoint in its first segment.
pub(crate) const BYTES: usize = 1 << 20;
/// And in its second one, a little behind the first.
pub(crate) const SECOND_BYTES: usize = 64 << 10;

/// Makes transports of one kind.
pub(crate) trait Make: Send + Sync {
    /// For people.
    fn name(&self) -> String;
    /// Why it cannot be had here.
    fn absent(&self) -> Option<String> {
        None
    }
    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared;
}

/// A deadline that should never pass.
pub(crate) fn late() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// Waits until something holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = late();
    while !holds() {
        assert!(Instant::now() < end, "{what}: not within a minute");
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Contents that say where a byte belongs.
pub(crate) fn pattern(seed: u64, bytes: usize) -> Vec<u8> {
    let mut content = Vec::with_capacity(bytes + 8);
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while content.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        content.extend_from_slice(&state.to_le_bytes());
    }
    content.truncate(bytes);
    content
}

/// Compares without printing megabytes.
#[track_caller]
pub(crate) fn same(what: &str, found: &[u8], expected: &[u8]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    // Quick without optimisation, too.
    if found == expected {
        return;
    }
    if let Some(at) = found.iter().zip(expected).position(|(found, expected)| found != expected) {
        let wrong = found.iter().zip(expected).filter(|(found, expected)| found != expected).count();
        panic!(
            "{what}: byte {at} of {} is {:#x} and not {:#x}; {wrong} differ",
            found.len(),
            found[at],
            expected[at]
        );
    }
}

/// One endpoint.
pub(crate) struct End {
    pub(crate) peer: Peer,
    pub(crate) transport: Shared,
    pub(crate) memory: Arc<Memory>,
    pub(crate) key: SegmentKey,
    pub(crate) segment: Arc<Segment>,
    pub(crate) second: Arc<Segment>,
    description: Mutex<Vec<u8>>,
    met: Mutex<HashSet<(Peer, SegmentKey)>>,
}

/// The endpoints of a case. Dropping it closes them.
pub(crate) struct Bed {
    make: Arc<dyn Make>,
    ends: Vec<Arc<End>>,
    bytes: usize,
}

static SESSION: AtomicU64 = AtomicU64::new(1);
static KEY: AtomicU64 = AtomicU64::new(0);

/// A key that was never used before.
pub(crate) fn fresh_key() -> SegmentKey {
    SegmentKey(KEY.fetch_add(1, Ordering::Relaxed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Bed {
    pub(crate) fn new(make: Arc<dyn Make>, count: u32, bytes: usize) -> Self {
        let ends = (0..count).map(|rank| End::start(&*make, rank, bytes)).collect();
        Self { make, ends, bytes }
    }

    pub(crate) fn end(&self, rank: usize) -> Arc<End> {
        Arc::clone(&self.ends[rank])
    }

    pub(crate) fn ends(&self) -> &[Arc<End>] {
        &self.ends
    }

    /// The first two.
    pub(crate) fn pair(&self) -> (Arc<End>, Arc<End>) {
        (self.end(0), self.end(1))
    }

    /// Ends one, and starts another under its rank.
    pub(crate) fn restart(&mut self, rank: usize) -> Arc<End> {
        self.ends[rank].transport.close();
        self.ends[rank] = End::start(&*self.make, rank as u32, self.bytes);
        self.end(rank)
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        for end in &self.ends {
            end.memory.open_gate();
            end.transport.close();
        }
    }
}

impl End {
    fn start(make: &dyn Make, rank: u32, bytes: usize) -> Arc<Self> {
        let peer = Peer { job: JobId(1), rank, session: SESSION.fetch_add(1, Ordering::Relaxed) };
        let memory = Memory::new();
        let target: Arc<dyn Target> = Arc::clone(&memory) as _;
        let transport = make.start(peer, Arc::downgrade(&target));
        let key = fresh_key();
        let [segment, second] = Segment::two([bytes, SECOND_BYTES]);
        let end = Self {
            peer,
            transport,
            memory,
            key,
            segment,
            second,
            description: Mutex::default(),
            met: Mutex::default(),
        };
        let description = end.expose(key);
        *end.description.lock().unwrap() = description;
        Arc::new(end)
    }

    /// Makes both segments reachable under `key`.
    pub(crate) fn expose(&self, key: SegmentKey) -> Vec<u8> {
        let regions = self.memory.offer(key, &[Arc::clone(&self.segment), Arc::clone(&self.second)]);
        // SAFETY: the segments live as long as the endpoint, which is closed before they go.
        unsafe { self.transport.expose(key, &regions) }.unwrap()
    }

    /// Takes the memory under `key` from the network, as a pool does that ends.
    pub(crate) fn withdraw(&self, key: SegmentKey) {
        self.memory.take_away(key);
        self.transport.conceal(key);
    }

    /// Gets to know another, once.
    pub(crate) fn meet(&self, other: &Self) {
        // Held until it is introduced: a thread that finds it here may use it.
        let mut met = self.met.lock().unwrap();
        if met.insert((other.peer, other.key)) {
            self.transport.introduce(other.peer, &other.transport.address()).unwrap();
            let description = other.description.lock().unwrap().clone();
            self.transport.attach(other.peer, other.key, &description).unwrap();
        }
    }

    /// Forgets whom it has met, so that the next use introduces again.
    pub(crate) fn forget(&self, other: &Self) {
        self.transport.forget(other.peer);
        self.met.lock().unwrap().remove(&(other.peer, other.key));
    }

    pub(crate) fn post_until(
        &self,
        peer: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        // SAFETY: each case keeps its buffers until it has waited.
        unsafe { self.transport.post(peer, operation, completion, deadline) }
    }

    #[track_caller]
    pub(crate) fn post(&self, peer: Peer, operation: &Operation<'_>, completion: &Arc<Completion>) {
        self.post_until(peer, operation, completion, late()).unwrap();
    }

    /// Runs one operation, with any result.
    pub(crate) fn run_until(&self, peer: Peer, operation: &Operation<'_>, deadline: Instant) -> Result<()> {
        let completion = Arc::new(Completion::new());
        let posted = self.post_until(peer, operation, &completion, deadline);
        let waited = self.transport.wait(&completion);
        assert_eq!(completion.pending(), 0, "a wait that returned leaves something in flight");
        if posted.is_err() {
            assert!(waited.is_ok(), "an error is both returned and counted: {waited:?}");
        }
        posted.and(waited)
    }

    pub(crate) fn run(&self, peer: Peer, operation: &Operation<'_>) -> Result<()> {
        self.run_until(peer, operation, late())
    }

    /// Puts into the first segment of another.
    pub(crate) fn put(&self, to: &Self, offset: usize, data: &[u8]) -> Result<()> {
        self.meet(to);
        let spans = [span(data.as_ptr().cast_mut(), to.segment.address() + offset as u64, data.len())];
        self.run(to.peer, &Operation::Put { key: to.key, spans: &spans })
    }

    /// Gets from the first segment of another.
    pub(crate) fn get(&self, from: &Self, offset: usize, bytes: usize) -> Result<Vec<u8>> {
        self.meet(from);
        let mut found = vec![0xa5; bytes];
        let spans = [span(found.as_mut_ptr(), from.segment.address() + offset as u64, bytes)];
        self.run(from.peer, &Operation::Get { key: from.key, spans: &spans }).map(|()| found)
    }

    /// Gets some bytes, and ignores them.
    pub(crate) fn get_until(&self, from: &Self, deadline: Instant) -> Result<()> {
        let mut found = [0; 64];
        let spans = [span(found.as_mut_ptr(), from.segment.address(), 64)];
        self.run_until(from.peer, &Operation::Get { key: from.key, spans: &spans }, deadline)
    }

    /// Changes a word of the first segment of another.
    pub(crate) fn atomic(&self, at: &Self, offset: usize, atomic: Atomic) -> Result<u64> {
        self.meet(at);
        // Not a result of any operation, so that a missing one is noticed.
        let mut old = 0xdead_beef_dead_beef_u64;
        let at_word = Remote { key: at.key, address: at.segment.address() + offset as u64 };
        let operation = Operation::Atomic { at: at_word, atomic, old: (&raw mut old).cast() };
        self.run(at.peer, &operation)?;
        let (old, behind) = (atomic.width.low(old), old ^ atomic.width.low(old));
        assert!(behind == 0 || behind == 0xdead_beef << 32, "{behind:#x} is behind the old value");
        Ok(old)
    }

    /// Both see that the other is reached, by a put and a get.
    #[track_caller]
    pub(crate) fn works_with(&self, other: &Self, seed: u64) {
        let data = pattern(seed, 777);
        self.put(other, 40, &data)
            .unwrap_or_else(|error| panic!("{} does not put to {}: {error}", self.peer, other.peer));
        same("what was put", &other.segment.read(40, 777), &data);
        let found = self
            .get(other, 40, 777)
            .unwrap_or_else(|error| panic!("{} does not get from {}: {error}", self.peer, other.peer));
        same("what was got", &found, &data);
    }
}

pub(crate) fn span(local: *mut u8, address: u64, bytes: usize) -> Span {
    Span { local, address, bytes: bytes as u64 }
}

/// The operation has failed with one of these kinds.
#[track_caller]
pub(crate) fn failed(what: &str, result: Result<()>, kinds: &[Kind]) -> Error {
    match result {
        Ok(()) => panic!("{what}: it was done, which must fail"),
        Err(error) => {
            assert!(kinds.contains(&error.kind()), "{what}: {:?} and not {kinds:?}: {error}", error.kind());
            error
        }
    }
}
