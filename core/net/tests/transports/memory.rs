// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory of an endpoint, as exposed to the network: segments under keys that are withdrawn at any
//! moment, a gate that makes the network wait, and received messages.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, MemKind, Result};
use mf_device::Access;
use mf_transport::{Peer, Region, SegmentKey, Spot, Target};

/// On both sides of each segment; must stay unwritten.
const GUARD_BYTES: usize = 4096;
const GUARD: u8 = 0x6d;
/// A closed gate opens by itself then, lest a failed case hangs.
const GATE_LIMIT: Duration = Duration::from_secs(60);

/// Some pieces of memory with a guard before, between and behind them. The guards are checked when it is
/// dropped.
struct Allocation {
    start: *mut u8,
    layout: Layout,
    guards: Vec<usize>,
}

// SAFETY: the memory is only touched through raw pointers; races are up to the cases.
unsafe impl Send for Allocation {}
// SAFETY: as for `Send`.
unsafe impl Sync for Allocation {}

/// A piece of memory between guards.
pub(crate) struct Segment {
    allocation: Arc<Allocation>,
    offset: usize,
    pub(crate) bytes: usize,
}

impl Segment {
    /// Two, separated by a guard.
    pub(crate) fn two(bytes: [usize; 2]) -> [Arc<Self>; 2] {
        let (mut offsets, mut guards, mut end) = (Vec::new(), Vec::new(), 0);
        for bytes in bytes {
            guards.push(end);
            offsets.push(end + GUARD_BYTES);
            end += GUARD_BYTES + bytes;
        }
        guards.push(end);
        let layout = Layout::from_size_align(end + GUARD_BYTES, 4096).unwrap();
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        assert!(!start.is_null(), "no memory");
        for guard in &guards {
            // SAFETY: each guard lies inside the allocation.
            unsafe { start.wrapping_add(*guard).write_bytes(GUARD, GUARD_BYTES) };
        }
        let allocation = Arc::new(Allocation { start, layout, guards });
        [0, 1].map(|at| {
            Arc::new(Self { allocation: Arc::clone(&allocation), offset: offsets[at], bytes: bytes[at] })
        })
    }

    /// Its first byte.
    pub(crate) fn start(&self) -> *mut u8 {
        self.allocation.start.wrapping_add(self.offset)
    }

    /// Its address, the same for all.
    pub(crate) fn address(&self) -> u64 {
        self.start() as u64
    }

    #[track_caller]
    fn range(&self, offset: usize, bytes: usize) -> *mut u8 {
        assert!(offset + bytes <= self.bytes, "the case itself leaves its segment");
        self.start().wrapping_add(offset)
    }

    #[track_caller]
    pub(crate) fn write(&self, offset: usize, data: &[u8]) {
        // SAFETY: `range` has checked that it lies inside; the source is another allocation.
        unsafe { self.range(offset, data.len()).copy_from_nonoverlapping(data.as_ptr(), data.len()) };
    }

    #[track_caller]
    pub(crate) fn fill(&self, byte: u8) {
        // SAFETY: all of the segment.
        unsafe { self.start().write_bytes(byte, self.bytes) };
    }

    #[track_caller]
    pub(crate) fn read(&self, offset: usize, bytes: usize) -> Vec<u8> {
        let mut found = vec![0; bytes];
        // SAFETY: `range` has checked that it lies inside; the destination is another allocation.
        unsafe { found.as_mut_ptr().copy_from_nonoverlapping(self.range(offset, bytes), bytes) };
        found
    }

    /// Returns the first place with another byte than `byte`; `None` if all are equal.
    pub(crate) fn first_other_than(&self, byte: u8) -> Option<usize> {
        self.read(0, self.bytes).iter().position(|found| *found != byte)
    }

    /// An aligned word, for looking at while others write.
    #[track_caller]
    pub(crate) fn word(&self, offset: usize) -> &AtomicU64 {
        assert_eq!(offset % 8, 0);
        // SAFETY: aligned, inside, and lives as long as `self`; concurrent accesses are atomic or copies by
        // whole words, which the cases test.
        unsafe { AtomicU64::from_ptr(self.range(offset, 8).cast()) }
    }

    /// One byte, for looking at while others write.
    #[track_caller]
    pub(crate) fn byte(&self, offset: usize) -> &AtomicU8 {
        // SAFETY: as in `word`.
        unsafe { AtomicU8::from_ptr(self.range(offset, 1)) }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let mut is_broken = false;
        for guard in &self.guards {
            for at in *guard..guard + GUARD_BYTES {
                // SAFETY: inside the allocation.
                is_broken |= unsafe { self.start.wrapping_add(at).read_volatile() } != GUARD;
            }
        }
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
        if !std::thread::panicking() {
            assert!(!is_broken, "something was written beside a segment");
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    Open,
    /// Opens for so many more.
    After(u64),
}

/// Memory of one endpoint, and its received messages.
pub(crate) struct Memory {
    segments: RwLock<HashMap<SegmentKey, Vec<Arc<Segment>>>>,
    gate: Mutex<Gate>,
    opened: Condvar,
    waiting: AtomicU64,
    touches: AtomicU64,
    messages: Mutex<Vec<(Peer, Vec<u8>)>>,
    lost: Mutex<Vec<(Peer, String)>>,
}

impl Memory {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            segments: RwLock::default(),
            gate: Mutex::new(Gate::Open),
            opened: Condvar::new(),
            waiting: AtomicU64::new(0),
            touches: AtomicU64::new(0),
            messages: Mutex::default(),
            lost: Mutex::default(),
        })
    }

    /// Makes segments reachable. Returns the regions for a transport.
    pub(crate) fn offer(&self, key: SegmentKey, segments: &[Arc<Segment>]) -> Vec<Region> {
        self.segments.write().unwrap().insert(key, segments.to_vec());
        let region = |segment: &Arc<Segment>| Region {
            kind: MemKind::Host,
            is_host_memory: true,
            address: segment.address(),
            bytes: segment.bytes as u64,
        };
        segments.iter().map(region).collect()
    }

    /// Takes them away; when this returns nothing accesses them.
    pub(crate) fn take_away(&self, key: SegmentKey) {
        self.segments.write().unwrap().remove(&key);
    }

    /// From now on every access to memory waits.
    pub(crate) fn close_gate(&self) {
        *self.gate.lock().unwrap() = Gate::After(0);
    }

    /// The gate closes behind so many.
    pub(crate) fn close_gate_after(&self, touches: u64) {
        *self.gate.lock().unwrap() = Gate::After(touches);
    }

    pub(crate) fn open_gate(&self) {
        *self.gate.lock().unwrap() = Gate::Open;
        self.opened.notify_all();
    }

    /// Returns the number of waiters at the gate.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Acquire)
    }

    /// Returns the number of the network's accesses.
    pub(crate) fn touches(&self) -> u64 {
        self.touches.load(Ordering::Acquire)
    }

    pub(crate) fn messages(&self) -> Vec<(Peer, Vec<u8>)> {
        self.messages.lock().unwrap().clone()
    }

    pub(crate) fn message_count(&self) -> usize {
        self.messages.lock().unwrap().len()
    }

    pub(crate) fn lost(&self) -> Vec<(Peer, String)> {
        self.lost.lock().unwrap().clone()
    }

    fn pass_gate(&self) {
        let mut gate = self.gate.lock().unwrap();
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let end = Instant::now() + GATE_LIMIT;
        loop {
            match &mut *gate {
                Gate::Open => break,
                Gate::After(0) => {
                    assert!(Instant::now() < end, "the gate of a case stays closed");
                    gate = self.opened.wait_timeout(gate, Duration::from_secs(1)).unwrap().0;
                }
                Gate::After(left) => {
                    *left -= 1;
                    break;
                }
            }
        }
        self.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Target for Memory {
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        _access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        self.touches.fetch_add(1, Ordering::AcqRel);
        self.pass_gate();
        let segments = self.segments.read().unwrap();
        let Some(own) = segments.get(&key) else {
            return Err(Error::new(Kind::NotConnected, "test access").what("no segment has this key"));
        };
        let inside = |segment: &&Arc<Segment>| {
            let start = segment.address();
            let end = start + segment.bytes as u64;
            address >= start && address.checked_add(bytes).is_some_and(|last| last <= end)
        };
        let Some(segment) = own.iter().find(inside) else {
            return Err(Error::invalid(
                "test access",
                format!("{bytes} bytes at {address:#x} are in no segment"),
            ));
        };
        touch(Spot::Host(segment.start().wrapping_add((address - segment.address()) as usize)));
        Ok(())
    }

    fn message(&self, from: Peer, message: &[u8]) {
        self.messages.lock().unwrap().push((from, message.to_vec()));
    }

    fn lost(&self, peer: Peer, reason: &Error) {
        self.lost.lock().unwrap().push((peer, reason.to_string()));
    }
}
