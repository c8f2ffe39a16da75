// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A block of device memory: bytes at an address that only the mover knows, with a list of the members that
//! may map it. Another member gets the block by its number, as long as an owner keeps it.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::OP;

/// All blocks of this process, by number.
static BLOCKS: Mutex<BTreeMap<u64, Weak<Block>>> = Mutex::new(BTreeMap::new());

/// Memory of a device.
pub(super) struct Block {
    start: *mut u8,
    layout: Layout,
    number: u64,
    allowed: Mutex<Vec<i32>>,
}

// SAFETY: the memory belongs to the block; bytes in it are only moved by raw pointers, as memory of a device
// is.
unsafe impl Send for Block {}
// SAFETY: bytes of the block are moved by raw pointers only, as memory of a device.
unsafe impl Sync for Block {}

impl Block {
    /// New memory, zeroed.
    pub(super) fn new(bytes: u64) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let layout = Layout::from_size_align(usize::try_from(bytes).unwrap(), 4096).unwrap();
        assert!(bytes > 0, "a block without bytes");
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        assert!(!start.is_null(), "no memory for {bytes} bytes");
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let block = Arc::new(Self { start, layout, number, allowed: Mutex::default() });
        lock(&BLOCKS).insert(number, Arc::downgrade(&block));
        block
    }

    pub(super) fn bytes(&self) -> u64 {
        self.layout.size() as u64
    }

    /// Address of byte `offset` for the mover.
    pub(super) fn at(&self, offset: u64) -> *mut u8 {
        self.start.wrapping_add(usize::try_from(offset).unwrap())
    }

    /// Lets a member map it.
    pub(super) fn allow(&self, process: i32) {
        lock(&self.allowed).push(process);
    }

    /// Handle for mapping it in another member.
    pub(super) fn handle(&self) -> Vec<u8> {
        self.number.to_le_bytes().to_vec()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        lock(&BLOCKS).remove(&self.number);
        // SAFETY: allocated with this layout, and no longer referenced elsewhere.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// A piece of a segment.
#[derive(Clone)]
pub(super) enum Piece {
    /// Memory of this device.
    Own(Arc<Block>),
    /// Memory of another member; imported when it is mapped.
    Theirs { number: u64, bytes: u64 },
}

impl Piece {
    /// The piece of another member behind a handle.
    pub(super) fn theirs(handle: &[u8], bytes: u64) -> Result<Self> {
        let bad = |_| Error::invalid(OP, "this is no handle of the device").with("bytes", handle.len());
        Ok(Self::Theirs { number: u64::from_le_bytes(handle.try_into().map_err(bad)?), bytes })
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Piece::Own(block) => block.bytes(),
            Piece::Theirs { bytes, .. } => *bytes,
        }
    }

    /// The block, for this member to map.
    pub(super) fn block(&self, process: i32) -> Result<Arc<Block>> {
        let (number, bytes) = match self {
            Piece::Own(block) => return Ok(Arc::clone(block)),
            Piece::Theirs { number, bytes } => (number, *bytes),
        };
        let refused = |what| Err(Error::new(Kind::Failed, OP).what(what).with("process", process));
        let Some(block) = lock(&BLOCKS).get(number).and_then(Weak::upgrade) else {
            return refused("the owner of a handle is gone");
        };
        if block.bytes() != bytes {
            return refused("a block is not as long as was announced");
        }
        if !lock(&block.allowed).contains(&process) {
            return refused("a handle was not made for this process");
        }
        Ok(block)
    }
}
