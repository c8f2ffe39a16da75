// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A segment of device memory: blocks side by side.
//!
//! Own memory begins as a size alone. Its blocks depend on its place in the window (see [`super::pieces`]),
//! so they are made, and filled with zeroes, when the window asks for them. Memory of another member is a
//! list of its exports, each imported when its part is mapped.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Kind, Result};

use super::block::Block;
use super::driver::Mapper;
use crate::{GivenBlock, Identity, Memory, Share, Token};

const OP: &str = "device memory";

/// Blocks by their offset in the segment.
type Blocks = BTreeMap<u64, Arc<Block>>;

/// Memory of this process.
pub(super) struct OwnMemory {
    driver: Arc<dyn Mapper>,
    bytes: u64,
    blocks: Mutex<Blocks>,
}

/// Memory of another member of the pool.
pub(super) struct ForeignMemory {
    driver: Arc<dyn Mapper>,
    bytes: u64,
    /// Offset, length and export of each block, in order and without gaps.
    pieces: Vec<(Range<u64>, Token)>,
}

/// A block to map at this offset of the memory.
pub(super) struct Placed {
    pub(super) offset: u64,
    pub(super) block: Arc<Block>,
    /// True if it was made just now, so that its contents are undefined.
    pub(super) fresh: bool,
}

impl OwnMemory {
    /// Memory of `bytes` zeroes.
    ///
    /// # Errors
    /// `InvalidParam` not a multiple of the granule · `Failed` the device offers no memory.
    pub(super) fn new(driver: &Arc<dyn Mapper>, bytes: u64) -> Result<Self> {
        check_bytes(driver, bytes)?;
        Ok(Self { driver: Arc::clone(driver), bytes, blocks: Mutex::default() })
    }

    /// The same, with blocks that the program has mapped.
    ///
    /// # Errors
    /// As [`new`](Self::new); `InvalidParam` a block is not made of whole granules, or is not inside.
    pub(super) fn around(driver: &Arc<dyn Mapper>, bytes: u64, given: &[GivenBlock]) -> Result<Self> {
        let own = Self::new(driver, bytes)?;
        let granule = driver.physical()?.granule_bytes();
        for one in given {
            check_bytes(driver, one.bytes)?;
            let is_inside = one.offset.checked_add(one.bytes).is_some_and(|end| end <= bytes);
            if !is_inside || !one.offset.is_multiple_of(granule) || !one.address.is_multiple_of(granule) {
                return Err(Error::invalid(OP, "memory of the caller does not lie on whole granules")
                    .with("address", format!("{:#x}", one.address))
                    .with("bytes", one.bytes)
                    .with("granule", ByteLen(granule)));
            }
            let block = Block::adopt(driver, one)?;
            lock(&own.blocks).insert(one.offset, Arc::new(block));
        }
        Ok(own)
    }

    /// Returns the blocks of `range`; missing ones are made in pieces from `cut`. New blocks become part of
    /// the memory only by [`keep`](Self::keep).
    pub(super) fn blocks(
        &self,
        range: &Range<u64>,
        cut: impl Fn(Range<u64>) -> Vec<Range<u64>>,
    ) -> Result<Vec<Placed>> {
        let present = lock(&self.blocks).clone();
        let mut placed = Vec::new();
        let mut at = range.start;
        while at < range.end {
            if let Some(block) = present.get(&at) {
                placed.push(Placed { offset: at, block: Arc::clone(block), fresh: false });
                at += block.bytes();
                continue;
            }
            let next = present.range(at..range.end).next().map_or(range.end, |(offset, _)| *offset);
            for piece in cut(at..next) {
                let block = Arc::new(Block::create(&self.driver, piece.end - piece.start)?);
                placed.push(Placed { offset: piece.start, block, fresh: true });
            }
            at = next;
        }
        let inside = placed.iter().map(|one| one.block.bytes()).sum::<u64>() == range.end - range.start;
        if inside { Ok(placed) } else { Err(split(range)) }
    }

    /// Makes fresh blocks part of the memory.
    pub(super) fn keep(&self, placed: &[Placed]) {
        lock(&self.blocks).extend(placed.iter().map(|one| (one.offset, Arc::clone(&one.block))));
    }
}

impl Memory for OwnMemory {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn page_bytes(&self) -> u64 {
        0
    }

    fn grown(&self, bytes: u64) -> Result<Box<dyn Memory>> {
        if bytes < self.bytes {
            return Err(Error::invalid(OP, "device memory cannot shrink")
                .with("present", ByteLen(self.bytes))
                .with("asked", ByteLen(bytes)));
        }
        check_bytes(&self.driver, bytes)?;
        let blocks = Mutex::new(lock(&self.blocks).clone());
        Ok(Box::new(Self { driver: Arc::clone(&self.driver), bytes, blocks }))
    }

    fn share_count(&self) -> usize {
        lock(&self.blocks).len()
    }

    fn share(&self, peer: &Identity) -> Result<Vec<Share>> {
        let blocks = lock(&self.blocks).clone();
        let covered: u64 = blocks.values().map(|block| block.bytes()).sum();
        if covered != self.bytes {
            return Err(Error::new(Kind::NotStarted, OP)
                .what("memory is shared after it was mapped as a whole")
                .with("bytes", ByteLen(self.bytes))
                .with("mapped", ByteLen(covered)));
        }
        let share = |block: &Arc<Block>| {
            Ok(Share { bytes: block.bytes(), sealed: true, token: block.share(peer.process)? })
        };
        blocks.values().map(share).collect()
    }
}

impl ForeignMemory {
    /// Wraps the shares of another member.
    pub(super) fn new(driver: &Arc<dyn Mapper>, shares: Vec<Share>) -> Result<Self> {
        let physical = driver.physical()?;
        let granule = physical.granule_bytes();
        let mut pieces = Vec::with_capacity(shares.len());
        let mut bytes = 0u64;
        for share in shares {
            let start = bytes;
            bytes = match start.checked_add(share.bytes) {
                Some(end) if share.bytes > 0 && share.bytes.is_multiple_of(granule) => end,
                _ => {
                    return Err(Error::invalid(OP, "a member sent a block of an impossible size")
                        .with("bytes", share.bytes)
                        .with("granule", ByteLen(granule)));
                }
            };
            physical.check(&share.token)?;
            pieces.push((start..bytes, share.token));
        }
        Ok(Self { driver: Arc::clone(driver), bytes, pieces })
    }

    /// Imports the blocks of `range`, which begins and ends where blocks do.
    pub(super) fn blocks(&self, range: &Range<u64>) -> Result<Vec<Placed>> {
        let inside = |piece: &Range<u64>| piece.start >= range.start && piece.end <= range.end;
        let pieces: Vec<_> = self.pieces.iter().filter(|(piece, _)| inside(piece)).collect();
        if pieces.iter().map(|(piece, _)| piece.end - piece.start).sum::<u64>() != range.end - range.start {
            return Err(split(range));
        }
        let import = |(piece, shared): &&(Range<u64>, Token)| {
            let block = Block::import(&self.driver, piece.end - piece.start, shared)?;
            Ok(Placed { offset: piece.start, block: Arc::new(block), fresh: false })
        };
        pieces.iter().map(import).collect()
    }
}

impl Memory for ForeignMemory {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn page_bytes(&self) -> u64 {
        0
    }

    fn grown(&self, _: u64) -> Result<Box<dyn Memory>> {
        Err(Error::invalid(OP, "only the owner of device memory can make it longer"))
    }

    fn share_count(&self) -> usize {
        0
    }

    fn share(&self, _: &Identity) -> Result<Vec<Share>> {
        Err(Error::invalid(OP, "only the owner of device memory can hand it out"))
    }
}

/// Kind of our memory, for the window.
pub(super) enum SegmentMemory<'a> {
    Own(&'a OwnMemory),
    Foreign(&'a ForeignMemory),
}

/// `memory` as this device made it.
///
/// # Errors
/// `InvalidParam` for memory of another device.
pub(super) fn downcast(memory: &dyn Memory) -> Result<SegmentMemory<'_>> {
    let any: &dyn Any = memory;
    if let Some(own) = any.downcast_ref() {
        return Ok(SegmentMemory::Own(own));
    }
    let foreign = any.downcast_ref().map(SegmentMemory::Foreign);
    foreign.ok_or_else(|| Error::invalid(OP, "the memory belongs to another device"))
}

fn check_bytes(driver: &Arc<dyn Mapper>, bytes: u64) -> Result<()> {
    let granule = driver.physical()?.granule_bytes();
    if bytes > 0 && bytes.is_multiple_of(granule) {
        return Ok(());
    }
    Err(Error::invalid(OP, "device memory is not made of whole granules")
        .with("bytes", bytes)
        .with("granule", ByteLen(granule)))
}

fn split(range: &Range<u64>) -> Error {
    Error::invalid(OP, "a part of device memory does not begin and end where its blocks do")
        .with("offset", range.start)
        .with("bytes", range.end.saturating_sub(range.start))
}
