// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A block: a head of 128 bytes, the key in whole units, then the value.
//!
//! The head's first line says what readers need. The second names the blocks that this one replaced: who
//! removes this one makes sure first that those are retired too, so that no older value comes back when the
//! member died that had replaced it. The key is there to be listed.

use mf_base::Result;

use crate::key::{KEY_BYTES_MAX, Print};
use crate::memory::Memory;
use crate::words::{Mark, Phase, REACH, Spot, State, UNIT};

/// Bytes of the head: the key begins behind it.
const HEAD_BYTES: u64 = 128;
/// Blocks that one value has, and that it replaces, at most.
pub(crate) const REPLICAS_MAX: usize = 4;
/// A lease that never ends: the value is pinned.
pub(crate) const PINNED: u64 = Mark::MOST;

const _: () = assert!(REACH < 1 << KEY_SHIFT && (KEY_BYTES_MAX as u64) < 1 << (REPLICAS_SHIFT - KEY_SHIFT));
/// In the word of the value's length: where that of the key begins, and the number of replicas.
const KEY_SHIFT: u32 = 48;
const REPLICAS_SHIFT: u32 = 61;

const UNITS_AT: u64 = 32;
const LEASE_AT: u64 = 40;
const USED_AT: u64 = 48;
const LAST_AT: u64 = 56;
const REPLACED_AT: u64 = 64;

/// The first line of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) state: State,
    pub(crate) print: Print,
    /// What it holds.
    pub(crate) holds: Holds,
    /// Of the block, with its head.
    pub(crate) units: u64,
    /// Until when it is not evicted nor overwritten, in milliseconds since 1970.
    pub(crate) lease: Mark,
    /// Not 0: read since its manager examined it last.
    pub(crate) used: Mark,
    /// How many blocks it replaced.
    pub(crate) replaced: u64,
    /// Of the process that wrote it, and a number of a replica that was made of another one: no other block
    /// of this version at this place has it.
    pub(crate) stamp: u64,
}

/// What a block holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holds {
    /// Of the value.
    pub(crate) bytes: u64,
    /// Of the key.
    pub(crate) key_bytes: u64,
    /// How many blocks, on different members, the value should have.
    pub(crate) replicas: u32,
}

impl Holds {
    /// Units of a block for that; none: there is no such block.
    pub(crate) fn units(self) -> Option<u64> {
        let bytes = self.bytes.checked_add(self.value_at()).filter(|bytes| *bytes < REACH)?;
        Some(bytes.div_ceil(UNIT))
    }

    /// Where the value begins.
    fn value_at(self) -> u64 {
        HEAD_BYTES + self.key_bytes.next_multiple_of(UNIT)
    }

    fn word(self) -> u64 {
        u64::from(self.replicas) << REPLICAS_SHIFT | self.key_bytes << KEY_SHIFT | self.bytes
    }

    fn of(word: u64) -> Self {
        let below = |shift: u32| (1 << shift) - 1;
        Self {
            bytes: word & below(KEY_SHIFT),
            key_bytes: (word & below(REPLICAS_SHIFT)) >> KEY_SHIFT,
            replicas: u32::try_from(word >> REPLICAS_SHIFT).unwrap_or(0),
        }
    }
}

/// A block that was replaced, and its state before.
pub(crate) type Replaced = (Spot, State);

impl Head {
    /// # Errors
    /// Those of the pool.
    pub(crate) fn read<M: Memory>(memory: &M, at: Spot) -> Result<Self> {
        let [state, low, high, holds, units, lease, used, last] = memory.load_all(at)?;
        let (print, holds, replaced, stamp) = (Print { low, high }, Holds::of(holds), last & 0xff, last >> 8);
        let (lease, used) = (Mark(lease), Mark(used));
        Ok(Self { state: State(state), print, holds, units, lease, used, replaced, stamp })
    }

    /// Writes it where no reader takes it for a value, before nor after.
    ///
    /// # Errors
    /// Those of the pool.
    pub(crate) fn fill<M: Memory>(&self, memory: &M, at: Spot) -> Result<()> {
        let Self { state, print, holds, units, lease, used, replaced, stamp } = *self;
        let last = stamp << 8 | replaced;
        let words = [state.0, print.low, print.high, holds.word(), units, lease.0, used.0, last];
        memory.store_all(at, words)
    }
}

impl Head {
    /// Whether a block is still what it was when this was its head, so that bytes that were read meanwhile
    /// are its own.
    ///
    /// # Errors
    /// Those of the pool.
    pub(crate) fn is_intact<M: Memory>(&self, memory: &M, block: Spot) -> Result<bool> {
        is_there(memory, block, self.state, self.stamp)
    }

    /// Where the value of the block at `block` begins.
    pub(crate) fn value(&self, block: Spot) -> Spot {
        block.add(self.holds.value_at())
    }
}

/// [`Head::is_intact`] for a head with this state and stamp.
///
/// # Errors
/// Those of the pool.
pub(crate) fn is_there<M: Memory>(memory: &M, block: Spot, state: State, stamp: u64) -> Result<bool> {
    let now = Head::read(memory, block)?;
    let is_same = (now.state.version(), now.stamp) == (state.version(), stamp);
    Ok(is_same && matches!(now.state.phase(), Phase::Live | Phase::Leaving | Phase::Retired))
}

/// Where the key of a block begins.
pub(crate) fn key(block: Spot) -> Spot {
    block.add(HEAD_BYTES)
}

/// # Errors
/// Those of the pool.
pub(crate) fn state<M: Memory>(memory: &M, at: Spot) -> Result<State> {
    memory.load(at).map(State)
}

/// # Errors
/// Those of the pool.
pub(crate) fn set_state<M: Memory>(memory: &M, at: Spot, state: State) -> Result<()> {
    memory.store(at, state.0)
}

/// Changes the state if it is `old`; whether it did.
///
/// # Errors
/// Those of the pool.
pub(crate) fn change_state<M: Memory>(memory: &M, at: Spot, old: State, new: State) -> Result<bool> {
    Ok(memory.compare_swap(at, old.0, new.0)? == old.0)
}

/// # Errors
/// Those of the pool.
pub(crate) fn set_units<M: Memory>(memory: &M, at: Spot, units: u64) -> Result<()> {
    memory.store(at.add(UNITS_AT), units)
}

/// Notes that a block was read, or, by its manager, that it was examined; nothing where another block is
/// there meanwhile.
///
/// # Errors
/// Those of the pool.
pub(crate) fn set_used<M: Memory>(memory: &M, at: Spot, head: &Head, used: bool) -> Result<()> {
    let new = head.used.with(used.into());
    memory.compare_swap(at.add(USED_AT), head.used.0, new.0).map(drop)
}

/// Until when a block is not evicted nor overwritten.
///
/// # Errors
/// Those of the pool.
pub(crate) fn lease<M: Memory>(memory: &M, at: Spot) -> Result<u64> {
    memory.load(at.add(LEASE_AT)).map(|word| Mark(word).number())
}

/// Lets a lease end when `end` says by when it ends now; nothing where another block is there meanwhile.
///
/// # Errors
/// Those of the pool.
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

/// Names the blocks that this one replaces, before it can be found.
///
/// # Errors
/// Those of the pool.
pub(crate) fn set_replaced<M: Memory>(memory: &M, at: Spot, stamp: u64, blocks: &[Replaced]) -> Result<()> {
    let mut words = [0; 2 * REPLICAS_MAX];
    for (pair, (block, state)) in words.as_chunks_mut::<2>().0.iter_mut().zip(blocks) {
        *pair = [u64::from(block.rank) << 48 | block.offset, state.0];
    }
    memory.store_all(at.add(REPLACED_AT), words)?;
    memory.store(at.add(LAST_AT), stamp << 8 | blocks.len().min(REPLICAS_MAX) as u64)
}

/// The blocks that this one replaced.
///
/// # Errors
/// Those of the pool.
pub(crate) fn replaced<M: Memory>(memory: &M, at: Spot, head: &Head) -> Result<Vec<Replaced>> {
    if head.replaced == 0 {
        return Ok(Vec::new());
    }
    let words: [u64; 2 * REPLICAS_MAX] = memory.load_all(at.add(REPLACED_AT))?;
    // The block may have been used again since its head was read: these words are anything then.
    if !head.is_intact(memory, at)? {
        return Ok(Vec::new());
    }
    let count = usize::try_from(head.replaced).unwrap_or(REPLICAS_MAX);
    let blocks =
        words.as_chunks::<2>().0.iter().take(count).map(|[place, state]| (Spot::of(*place), State(*state)));
    Ok(blocks.collect())
}

/// Writes the head of a free block.
///
/// # Errors
/// Those of the pool.
pub(crate) fn write_free<M: Memory>(memory: &M, at: Spot, units: u64, version: u64) -> Result<()> {
    let state = State::new(version, Phase::Free);
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
