// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Block: a head of 128 bytes, the key in whole units, then the value.
//!
//! The head's first line has all that readers need. The second names the blocks that this one replaced:
//! before this block is removed, those are retired too, so that no older value comes back if the member died
//! that had replaced it. The key is stored so that it can be listed.
//!
//! A stub is a block without the value: that is on the disk of its segment's member (`disk.rs`). It takes the
//! place of a block of the same value, and replaces no other: its key stands in the second line.

use std::ops::Deref;

use mf_base::Result;

use crate::atomic_fields::{BlockState, Mark, Phase, REACH, Spot, UNIT};
use crate::key::{KEY_BYTES_MAX, Print};
use crate::memory::Memory;

/// Bytes of the head: the key begins behind it, in a stub behind the first line.
const HEAD_BYTES: u64 = 128;
const STUB_HEAD_BYTES: u64 = UNIT;
/// Most blocks that one value has, and that it replaces.
pub(crate) const REPLICAS_MAX: usize = 4;
/// Lease of a pinned value: never ends.
pub(crate) const PINNED: u64 = Mark::MOST;

const _: () = assert!(REACH <= ON_DISK && (KEY_BYTES_MAX as u64) < 1 << (REPLICAS_SHIFT - KEY_SHIFT));
/// Fields in the word of the value's length: the length of the key, and the number of replicas.
const KEY_SHIFT: u32 = 48;
const REPLICAS_SHIFT: u32 = 61;
/// Bit of the word of the value's length: the value is on disk.
const ON_DISK: u64 = 1 << (KEY_SHIFT - 1);

const UNITS_AT: u64 = 32;
const LEASE_AT: u64 = 40;
const USED_AT: u64 = 48;
const LAST_AT: u64 = 56;
const REPLACED_AT: u64 = 64;

/// The blocks of one value, each on another member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks {
    spots: [Spot; REPLICAS_MAX],
    count: usize,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { spots: [Spot { rank: 0, offset: 0 }; REPLICAS_MAX], count: 0 }
    }
}

impl Blocks {
    /// Adds one, of at most 4.
    pub(crate) fn push(&mut self, block: Spot) {
        if let Some(spot) = self.spots.get_mut(self.count) {
            *spot = block;
            self.count += 1;
        }
    }
}

impl Deref for Blocks {
    type Target = [Spot];

    fn deref(&self) -> &[Spot] {
        self.spots.get(..self.count).unwrap_or_default()
    }
}

/// The first line of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) state: BlockState,
    pub(crate) print: Print,
    /// Lengths of the key and the value.
    pub(crate) holds: Holds,
    /// Length of the block, with its head.
    pub(crate) units: u64,
    /// End of the lease, in milliseconds since 1970: not evicted nor overwritten before.
    pub(crate) lease: Mark,
    /// Bit 0: read since its manager examined it last; bit 1: read before that.
    pub(crate) used: Mark,
    /// Number of blocks that it replaced.
    pub(crate) replaced: u64,
    /// Stamp of the writing process, with a serial number if the block is a copy of another replica: no other
    /// block of this version at this offset has the same stamp.
    pub(crate) stamp: u64,
}

/// Contents of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holds {
    /// Length of the value.
    pub(crate) bytes: u64,
    /// Length of the key.
    pub(crate) key_bytes: u64,
    /// Number of blocks, on different members, that the value should have.
    pub(crate) replicas: u32,
    /// True for a stub: the value is on the disk of the segment's member.
    pub(crate) is_on_disk: bool,
}

impl Holds {
    /// Returns the units of a block for these contents; `None` if they are too large.
    pub(crate) fn units(self) -> Option<u64> {
        let value = if self.is_on_disk { 0 } else { self.bytes };
        let bytes = value.checked_add(self.value_at()).filter(|bytes| *bytes < REACH)?;
        Some(bytes.div_ceil(UNIT))
    }

    /// Returns the offset of the value in the block.
    fn value_at(self) -> u64 {
        self.key_at() + self.key_bytes.next_multiple_of(UNIT)
    }

    /// Returns the offset of the key in the block.
    fn key_at(self) -> u64 {
        if self.is_on_disk { STUB_HEAD_BYTES } else { HEAD_BYTES }
    }

    fn word(self) -> u64 {
        let place = if self.is_on_disk { ON_DISK } else { 0 };
        u64::from(self.replicas) << REPLICAS_SHIFT | self.key_bytes << KEY_SHIFT | place | self.bytes
    }

    fn from_word(word: u64) -> Self {
        let below = |shift: u32| (1 << shift) - 1;
        Self {
            bytes: word & (ON_DISK - 1),
            key_bytes: (word & below(REPLICAS_SHIFT)) >> KEY_SHIFT,
            replicas: u32::try_from(word >> REPLICAS_SHIFT).unwrap_or(0),
            is_on_disk: word & ON_DISK != 0,
        }
    }
}

/// A replaced block, and its state before.
pub(crate) type Replaced = (Spot, BlockState);

impl Head {
    /// Reads the head of a block.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn read<M: Memory>(memory: &M, at: Spot) -> Result<Self> {
        let [state, low, high, holds, units, lease, used, last] = memory.load_all(at)?;
        let (print, holds, replaced, stamp) =
            (Print { low, high }, Holds::from_word(holds), last & 0xff, last >> 8);
        let (lease, used) = (Mark(lease), Mark(used));
        Ok(Self { state: BlockState(state), print, holds, units, lease, used, replaced, stamp })
    }

    /// Writes the head with a state that no reader takes for a value.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn fill<M: Memory>(&self, memory: &M, at: Spot) -> Result<()> {
        let Self { state, print, holds, units, lease, used, replaced, stamp } = *self;
        let last = stamp << 8 | replaced;
        let words = [state.0, print.low, print.high, holds.word(), units, lease.0, used.0, last];
        memory.store_all(at, words)
    }
}

impl Head {
    /// Returns true if it was read since its manager examined it last.
    pub(crate) fn is_used(&self) -> bool {
        self.used.number() & 1 != 0
    }

    /// Returns true if the block still has this head, so that bytes that were read meanwhile belong to it.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn is_intact<M: Memory>(&self, memory: &M, block: Spot) -> Result<bool> {
        is_there(memory, block, self.state, self.stamp)
    }

    /// Returns the start of the value in the block at `block`.
    pub(crate) fn value(&self, block: Spot) -> Spot {
        block.add(self.holds.value_at())
    }
}

/// [`Head::is_intact`] for a head with this state and stamp.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn is_there<M: Memory>(memory: &M, block: Spot, state: BlockState, stamp: u64) -> Result<bool> {
    let now = Head::read(memory, block)?;
    let is_same = (now.state.version(), now.stamp) == (state.version(), stamp);
    Ok(is_same && matches!(now.state.phase(), Phase::Live | Phase::Leaving | Phase::Retired))
}

/// Returns the start of a block's key.
pub(crate) fn key(block: Spot, holds: Holds) -> Spot {
    block.add(holds.key_at())
}

/// Reads the state of a block.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn state<M: Memory>(memory: &M, at: Spot) -> Result<BlockState> {
    memory.load(at).map(BlockState)
}

/// Writes the state of a block.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn set_state<M: Memory>(memory: &M, at: Spot, state: BlockState) -> Result<()> {
    memory.store(at, state.0)
}

/// Changes the state if it is `old`. Returns whether it did.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn change_state<M: Memory>(
    memory: &M,
    at: Spot,
    old: BlockState,
    new: BlockState,
) -> Result<bool> {
    Ok(memory.compare_swap(at, old.0, new.0)? == old.0)
}

/// Writes the length of a block.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn set_units<M: Memory>(memory: &M, at: Spot, units: u64) -> Result<()> {
    memory.store(at.add(UNITS_AT), units)
}

/// Marks a block as read or, by its manager, as examined. Does nothing if another block has taken its place.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn set_used<M: Memory>(memory: &M, at: Spot, head: &Head, used: bool) -> Result<()> {
    let read_before = if head.used.number() == 0 { 0 } else { 2 };
    let new = head.used.with(read_before | u64::from(used));
    memory.compare_swap(at.add(USED_AT), head.used.0, new.0).map(drop)
}

/// Reads the end of a block's lease: it is not evicted nor overwritten before.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn lease<M: Memory>(memory: &M, at: Spot) -> Result<u64> {
    memory.load(at.add(LEASE_AT)).map(|word| Mark(word).number())
}

/// Changes the end of a lease: `end` maps the present end to the new one. Does nothing if another block has
/// taken its place.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn change_lease<M: Memory>(
    memory: &M,
    at: Spot,
    head: &Head,
    end: impl Fn(u64) -> u64,
) -> Result<()> {
    let mut old = head.lease;
    loop {
        let new = old.with(end(old.number()));
        if new == old {
            return Ok(());
        }
        let now = Mark(memory.compare_swap(at.add(LEASE_AT), old.0, new.0)?);
        if now == old || !now.is_like(old) {
            return Ok(());
        }
        old = now;
    }
}

/// Records the blocks that this one replaces, before it can be found.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn set_replaced<M: Memory>(memory: &M, at: Spot, stamp: u64, blocks: &[Replaced]) -> Result<()> {
    let mut words = [0; 2 * REPLICAS_MAX];
    for (pair, (block, state)) in words.as_chunks_mut::<2>().0.iter_mut().zip(blocks) {
        *pair = [u64::from(block.rank) << 48 | block.offset, state.0];
    }
    memory.store_all(at.add(REPLACED_AT), words)?;
    memory.store(at.add(LAST_AT), stamp << 8 | blocks.len().min(REPLICAS_MAX) as u64)
}

/// Reads the blocks that this one replaced.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn replaced<M: Memory>(memory: &M, at: Spot, head: &Head) -> Result<Vec<Replaced>> {
    if head.replaced == 0 {
        return Ok(Vec::new());
    }
    let words: [u64; 2 * REPLICAS_MAX] = memory.load_all(at.add(REPLACED_AT))?;
    // The block may have been reused since its head was read: these words are arbitrary then.
    if !head.is_intact(memory, at)? {
        return Ok(Vec::new());
    }
    let count = usize::try_from(head.replaced).unwrap_or(REPLICAS_MAX);
    let blocks = words
        .as_chunks::<2>()
        .0
        .iter()
        .take(count)
        .map(|[place, state]| (Spot::from_word(*place), BlockState(*state)));
    Ok(blocks.collect())
}

/// Writes the head of a free block.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn write_free<M: Memory>(memory: &M, at: Spot, units: u64, version: u64) -> Result<()> {
    let state = BlockState::new(version, Phase::Free);
    let head = Head {
        state,
        print: Print { low: 0, high: 0 },
        holds: Holds::default(),
        units,
        lease: Mark::NONE,
        used: Mark::NONE,
        replaced: 0,
        stamp: 0,
    };
    head.fill(memory, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stub_with_a_key_of_64_bytes_takes_two_lines() {
        let stub = |key_bytes| Holds { bytes: 1 << 30, key_bytes, replicas: 1, is_on_disk: true };
        let units = [1, 64, 65, KEY_BYTES_MAX as u64].map(|key_bytes| stub(key_bytes).units());
        assert_eq!(units, [Some(2), Some(2), Some(3), Some(65)]);
        let value = Holds { bytes: 8, is_on_disk: false, ..stub(64) };
        assert_eq!(value.units(), Some(4));
        assert_eq!(Holds::from_word(stub(64).word()), stub(64));
    }
}
