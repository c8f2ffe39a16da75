// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Journal: the keys that a member changes, in a ring in its segment.
//!
//! Members with a tier on disk read the journals of all others (`follow.rs`) and remove older values of these
//! keys from their folders. An entry is written under the lock of the key, before the change can be seen: an
//! entry without a change costs at most a value, a change without an entry would let an old value return.
//!
//! A journal begins when its member sees another one with a tier on disk, and never ends. Behind the zones of
//! a segment there is a word for each rank, the *cursor*: how far the member of that rank has read this
//! journal. It is here, and not with the reader, so that it outlives the reader.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::{Error, Kind, Result};

use crate::atomic_fields::{Holder, RANKS, Spot};
use crate::key::KEY_BYTES_MAX;
use crate::layout::{Geometry, JOURNAL_AT};
use crate::memory::Memory;

/// Bytes of the cursors, before the ring.
pub(crate) const CURSORS_BYTES: u64 = RANKS as u64 * 8;
/// Bytes of an entry before its key.
const HEAD_BYTES: usize = 16;
/// Largest entry.
pub(crate) const ENTRY_BYTES_MAX: usize = HEAD_BYTES + KEY_BYTES_MAX;
/// Positions are multiples of 8, of which a cursor has these bits.
const POSITION_BITS: u32 = 40;
/// Flag of a journal that has all changes of its member.
const COMPLETE: u64 = 1;

/// A change of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change<'a> {
    /// Empty: all keys were removed.
    pub(crate) key: &'a [u8],
    /// Version of the value that the key has now; 0: none.
    pub(crate) version: u64,
}

impl Change<'_> {
    /// Last entry of a member that leaves.
    pub(crate) const END: Self = Self { key: &[], version: u64::MAX };

    fn bytes(key_bytes: usize) -> usize {
        HEAD_BYTES + key_bytes.next_multiple_of(8)
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::bytes(self.key.len()));
        bytes.extend((self.key.len() as u64).to_ne_bytes());
        bytes.extend(self.version.to_ne_bytes());
        bytes.extend(self.key);
        bytes.resize(Self::bytes(self.key.len()), 0);
        bytes
    }
}

/// Splits the first entry from `bytes`; `None` if it is not there as a whole.
pub(crate) fn split_first(bytes: &[u8]) -> Option<(Change<'_>, &[u8])> {
    let (key_bytes, rest) = bytes.split_first_chunk()?;
    let (version, _) = rest.split_first_chunk()?;
    let key_bytes = usize::try_from(u64::from_ne_bytes(*key_bytes)).ok().filter(|n| *n <= KEY_BYTES_MAX)?;
    let (entry, rest) = bytes.split_at_checked(Change::bytes(key_bytes))?;
    let key = entry.get(HEAD_BYTES..HEAD_BYTES + key_bytes)?;
    Some((Change { key, version: u64::from_ne_bytes(*version) }, rest))
}

/// State of a journal, in the first page of the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JournalState {
    /// Bytes that were begun and written since the member has joined.
    pub(crate) begun: u64,
    pub(crate) tail: u64,
    /// Number of the member among all that have joined the cache; 0 before it is counted.
    pub(crate) joins: u64,
    flags: u64,
}

impl JournalState {
    /// Reads the state of a member's journal.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn read<M: Memory>(memory: &M, rank: u16) -> Result<Self> {
        let [begun, tail, joins, flags] = memory.load_all(at(rank))?;
        Ok(Self { begun, tail, joins, flags })
    }

    /// Returns true if the journal has all changes of its member.
    pub(crate) fn is_complete(&self) -> bool {
        self.flags & COMPLETE != 0
    }
}

fn at(rank: u16) -> Spot {
    Spot { rank, offset: JOURNAL_AT }
}

/// Empties the journal of a member that is about to join.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn reset<M: Memory>(memory: &M, rank: u16) -> Result<()> {
    memory.store_all(at(rank), [0; 4])
}

/// Reads bytes of a ring, up to its end and on from its beginning.
///
/// # Errors
/// Errors of the pool.
pub(crate) fn read_ring<M: Memory>(
    memory: &M,
    (rank, geometry): (u16, &Geometry),
    from: u64,
    into: &mut [u8],
) -> Result<()> {
    let (ring, start) = (geometry.ring(rank), from % geometry.journal_bytes);
    let before_end = usize::try_from(geometry.journal_bytes - start).unwrap_or(usize::MAX).min(into.len());
    let (first, second) = into.split_at_mut(before_end);
    memory.read(ring.add(start), first)?;
    if second.is_empty() { Ok(()) } else { memory.read(ring, second) }
}

/// Cursor of a reader in the journal of a writer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    at: Spot,
    /// Names the two processes.
    pair: u64,
}

impl Cursor {
    /// `joins` is the reader's.
    pub(crate) fn new((writer, geometry): (Holder, &Geometry), (reader, joins): (u16, u64)) -> Self {
        let at = geometry.cursor(writer.rank, reader);
        Self { at, pair: (joins ^ u64::from(writer.incarnation)) & 0xff_ffff }
    }

    /// Reads the position; `None` if this reader has left none.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn load<M: Memory>(self, memory: &M) -> Result<Option<u64>> {
        let word = memory.load(self.at)?;
        let position = (word & ((1 << POSITION_BITS) - 1)).checked_sub(1);
        Ok(position.filter(|_| word >> POSITION_BITS == self.pair).map(|position| position * 8))
    }

    /// Writes the position; `None` erases it.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn store<M: Memory>(self, memory: &M, position: Option<u64>) -> Result<()> {
        let position = position.map(|position| position / 8 + 1).filter(|word| *word < 1 << POSITION_BITS);
        memory.store(self.at, position.map_or(0, |word| self.pair << POSITION_BITS | word))
    }
}

/// The journal of this member.
#[derive(Default)]
pub(crate) struct Journal {
    is_on: AtomicBool,
    ring: Mutex<Ring>,
}

#[derive(Default)]
struct Ring {
    tail: u64,
    is_closed: bool,
}

impl Journal {
    /// Lets all later changes be written. Operations with a view that is set afterwards see it.
    pub(crate) fn begin(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Appends a change that is about to be made. Does nothing while no other member has a disk.
    ///
    /// # Errors
    /// `NotExist` the cache is closed · errors of the pool.
    #[inline]
    pub(crate) fn append<M: Memory>(
        &self,
        memory: &M,
        own: (u16, &Geometry),
        change: Change<'_>,
    ) -> Result<()> {
        if self.is_on() { self.write(memory, own, change) } else { Ok(()) }
    }

    #[cold]
    fn write<M: Memory>(
        &self,
        memory: &M,
        (rank, geometry): (u16, &Geometry),
        change: Change<'_>,
    ) -> Result<()> {
        let bytes = change.encode();
        let mut ring = memory.lock(&self.ring);
        if ring.is_closed {
            return Err(Error::new(Kind::NotExist, "cache put").what("the cache is closed"));
        }
        let end = ring.tail + bytes.len() as u64;
        // Readers see by this that older bytes are being overwritten.
        memory.store(at(rank), end)?;
        let start = ring.tail % geometry.journal_bytes;
        let before_end = usize::try_from(geometry.journal_bytes - start).unwrap_or(usize::MAX);
        let (first, second) = bytes.split_at(before_end.min(bytes.len()));
        memory.write(geometry.ring(rank).add(start), first)?;
        if !second.is_empty() {
            memory.write(geometry.ring(rank), second)?;
        }
        ring.tail = end;
        memory.store(at(rank).add(8), end)
    }

    /// Publishes the number of this member among all that have joined, before its first change.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn set_joins<M: Memory>(&self, memory: &M, rank: u16, joins: u64) -> Result<()> {
        let flags = if self.is_on() { COMPLETE } else { 0 };
        memory.store_all(at(rank).add(16), [joins, flags])
    }

    /// Ends the journal: later changes fail. Returns its last position.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn close<M: Memory>(&self, memory: &M, own: (u16, &Geometry)) -> Result<u64> {
        self.append(memory, own, Change::END)?;
        let mut ring = memory.lock(&self.ring);
        ring.is_closed = true;
        Ok(ring.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_split_and_incomplete_ones_are_left() {
        let one = Change { key: b"a key of 21 bytes....", version: 7 };
        let two = Change { key: b"", version: 0 };
        let bytes = [one.encode(), two.encode()].concat();
        let (first, rest) = split_first(&bytes).unwrap();
        assert_eq!((first, split_first(rest)), (one, Some((two, &[][..]))));
        assert!((0..one.encode().len()).all(|end| split_first(&bytes[..end]).is_none()));
        assert_eq!(split_first(&u64::MAX.to_ne_bytes().repeat(2)), None);
        assert!(Change { key: &[1; KEY_BYTES_MAX], version: 1 }.encode().len() <= ENTRY_BYTES_MAX);
    }
}
