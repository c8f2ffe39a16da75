// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two or three transports in one process, with memory that can be taken away.

mod batches;
mod contention;
mod faults;
mod holes;
mod late;
mod loans;
mod members;
mod operations;
mod panics;
mod relay;
mod voided;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Error, Kind, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Lane, Locality, Mover, RawStream, Transfer, Word};
use mf_transport::{Completion, JobId, Operation, Peer, SegmentKey, Span, Spot, Target, Transport};

use crate::{Engine, Options, Tcp};

pub(crate) const KEY: SegmentKey = SegmentKey(77);
/// Start of the memory of every process, as addresses of the pool.
pub(crate) const BASE: u64 = 1 << 40;

/// Memory of one process, and its notifications.
pub(crate) struct Memory {
    words: Vec<AtomicU64>,
    gone: AtomicBool,
    /// Accesses left before the memory goes away.
    left: AtomicU64,
    /// Accesses wait while it is shut.
    gate_shut: AtomicBool,
    /// Accesses panic.
    pub(crate) panics: AtomicBool,
    /// True if it is memory of a device.
    pub(crate) device: AtomicBool,
    events: Mutex<Events>,
    changed: Condvar,
}

/// While it lives, accesses to a memory wait.
pub(crate) struct Gate(Arc<Memory>);

impl Drop for Gate {
    fn drop(&mut self) {
        self.0.gate_shut.store(false, Ordering::SeqCst);
    }
}

#[derive(Default)]
pub(crate) struct Events {
    pub(crate) messages: Vec<(Peer, Vec<u8>)>,
    pub(crate) lost: Vec<Peer>,
}

impl Memory {
    fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            words: (0..bytes / 8).map(|_| AtomicU64::new(0)).collect(),
            gone: AtomicBool::new(false),
            left: AtomicU64::new(u64::MAX),
            gate_shut: AtomicBool::new(false),
            panics: AtomicBool::new(false),
            device: AtomicBool::new(false),
            events: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    pub(crate) fn at(&self, offset: usize) -> *mut u8 {
        self.words.as_ptr().cast::<u8>().cast_mut().wrapping_add(offset)
    }

    pub(crate) fn word(&self, offset: usize) -> u64 {
        self.words[offset / 8].load(Ordering::SeqCst)
    }

    pub(crate) fn set(&self, offset: usize, value: u64) {
        self.words[offset / 8].store(value, Ordering::SeqCst);
    }

    pub(crate) fn take_away(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }

    pub(crate) fn take_away_after(&self, accesses: u64) {
        self.left.store(accesses, Ordering::SeqCst);
    }

    /// Blocks accesses to this memory until the result is dropped, also by a test that fails meanwhile.
    pub(crate) fn shut(self: &Arc<Self>) -> Gate {
        self.gate_shut.store(true, Ordering::SeqCst);
        Gate(Arc::clone(self))
    }

    pub(crate) fn fill(&self, seed: u64) {
        for (word, i) in self.words.iter().zip(0u64..) {
            word.store(pattern(seed, i), Ordering::Relaxed);
        }
    }

    pub(crate) fn check(&self, seed: u64, words: std::ops::Range<usize>) {
        for i in words {
            assert_eq!(self.words[i].load(Ordering::Relaxed), pattern(seed, i as u64), "word {i}");
        }
    }

    pub(crate) fn wait_for(&self, condition: impl Fn(&Events) -> bool) {
        let mut events = self.events.lock().unwrap();
        while !condition(&events) {
            let (next, timeout) = self.changed.wait_timeout(events, Duration::from_secs(30)).unwrap();
            assert!(!timeout.timed_out(), "what was waited for did not come");
            events = next;
        }
    }
}

pub(crate) fn pattern(seed: u64, i: u64) -> u64 {
    (seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Target for Memory {
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        _: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        while self.gate_shut.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        assert!(!self.panics.load(Ordering::SeqCst), "the memory panics");
        let left = self.left.load(Ordering::SeqCst);
        if left == 0 || key != KEY || self.gone.load(Ordering::SeqCst) {
            return Err(Error::new(Kind::NotConnected, "test").what("no contributor"));
        }
        if left != u64::MAX {
            self.left.store(left - 1, Ordering::SeqCst);
        }
        let size = self.words.len() as u64 * 8;
        match address.checked_sub(BASE) {
            Some(offset) if offset + bytes <= size => {
                let at = self.at(usize::try_from(offset).unwrap());
                if self.device.load(Ordering::SeqCst) {
                    touch(Spot::Device { address: at as u64, mover: &Copies::default() });
                } else {
                    touch(Spot::Host(at));
                }
                Ok(())
            }
            _ => Err(Error::invalid("test", "outside the segment")),
        }
    }

    fn message(&self, from: Peer, message: &[u8]) {
        self.events.lock().unwrap().messages.push((from, message.to_vec()));
        self.changed.notify_all();
    }

    fn lost(&self, peer: Peer, _: &Error) {
        self.events.lock().unwrap().lost.push(peer);
        self.changed.notify_all();
    }
}

/// The mover of a device with host memory as its memory.
#[derive(Default)]
struct Copies(Mutex<()>);

impl Mover for Copies {
    unsafe fn run_on(&self, _: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        work();
        Ok(())
    }

    fn locality(&self, _: u64) -> Locality {
        Locality::Host
    }

    unsafe fn copy(&self, transfers: &[Transfer]) -> Result<()> {
        for transfer in transfers {
            let Piece { src, dst, bytes } = transfer.piece;
            // SAFETY: by the caller.
            unsafe { mf_device::engine::copy(src, dst, usize::try_from(bytes).unwrap()) };
        }
        Ok(())
    }

    fn words(&self) -> &Mutex<()> {
        &self.0
    }

    fn lane(&self) -> Result<Box<dyn Lane>> {
        Err(Error::new(Kind::NoResources, "test"))
    }

    unsafe fn copy_on(&self, _: RawStream, _: &[Transfer]) -> Result<()> {
        Err(Error::new(Kind::NoResources, "test"))
    }

    unsafe fn write_word_on(&self, _: RawStream, _: u64, _: Word) -> Result<()> {
        Err(Error::new(Kind::NoResources, "test"))
    }

    fn quiesce(&self) -> Result<()> {
        Ok(())
    }

    fn register(&self, _: u64, _: u64) -> Result<bool> {
        Ok(true)
    }

    fn unregister(&self, _: u64, _: u64) {}
}

/// One process.
pub(crate) struct End {
    pub(crate) me: Peer,
    pub(crate) memory: Arc<Memory>,
    pub(crate) tcp: Arc<Tcp>,
}

pub(crate) fn peer(rank: u32) -> Peer {
    Peer { job: JobId(1), rank, session: 1000 + u64::from(rank) }
}

pub(crate) fn loopback() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

pub(crate) fn end_with(me: Peer, bytes: usize, change: impl FnOnce(&mut Options)) -> End {
    let memory = Memory::new(bytes);
    let target: Arc<dyn Target> = memory.clone();
    let target: Weak<dyn Target> = Arc::downgrade(&target);
    let mut options = Options {
        me,
        token: [7; 32],
        listen: vec![loopback()],
        tls: Switch::Auto,
        checksum: false,
        connections: 4,
        target,
    };
    change(&mut options);
    End { me, memory, tcp: Engine::start().unwrap().join(options).unwrap() }
}

pub(crate) fn end(rank: u32, bytes: usize) -> End {
    end_with(peer(rank), bytes, |_| {})
}

pub(crate) fn introduce(ends: &[&End]) {
    for one in ends {
        for other in ends {
            one.tcp.introduce(other.me, &other.tcp.address()).unwrap();
        }
    }
}

pub(crate) fn pair(bytes: usize) -> (End, End) {
    let (a, b) = (end(0, bytes), end(1, bytes));
    introduce(&[&a, &b]);
    (a, b)
}

pub(crate) fn soon() -> Instant {
    Instant::now() + Duration::from_secs(30)
}

#[track_caller]
pub(crate) fn until(what: &str, is_there: impl Fn() -> bool) {
    let deadline = soon();
    while !is_there() {
        assert!(Instant::now() < deadline, "{what} does not come");
        std::thread::yield_now();
    }
}

impl End {
    pub(crate) fn span(&self, offset: usize, there: usize, bytes: usize) -> Span {
        Span { local: self.memory.at(offset), address: BASE + there as u64, bytes: bytes as u64 }
    }

    pub(crate) fn post(
        &self,
        to: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
    ) -> Result<()> {
        // SAFETY: the tests' memory outlives their operations.
        unsafe { self.tcp.post(to, operation, completion, soon()) }
    }

    pub(crate) fn run(&self, to: Peer, operation: &Operation<'_>) -> Result<()> {
        let completion = Arc::new(Completion::new());
        self.post(to, operation, &completion)?;
        self.tcp.wait(&completion)
    }

    pub(crate) fn put(&self, to: &End, from: usize, there: usize, bytes: usize) -> Result<()> {
        self.run(to.me, &Operation::Put { key: KEY, spans: &[self.span(from, there, bytes)] })
    }

    pub(crate) fn get(&self, from: &End, to: usize, there: usize, bytes: usize) -> Result<()> {
        self.run(from.me, &Operation::Get { key: KEY, spans: &[self.span(to, there, bytes)] })
    }
}

#[test]
fn checksums_are_crc_32c() {
    // The value that members of other builds put on the wire.
    assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
}
