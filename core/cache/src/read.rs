// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Read operations: get, lease and pin.

use std::ops::Range;
use std::time::Duration;

use mf_base::{ByteLen, Error, Result};

use crate::atomic_fields::{BlockState, Spot};
use crate::block::{self, Head, PINNED};
use crate::counts::Count;
use crate::index::{Found, unless_gone};
use crate::member::Member;
use crate::memory::{Memory, Part, Target};
use crate::promote::Stub;

const OP: &str = "cache get";
/// Attempts at copying a value that changes meanwhile.
const TRIES: u32 = 64;

/// Place of a part of a value that is being read.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) at: Spot,
    /// Offset of the part in the value.
    pub(crate) start: u64,
}

impl Place {
    /// Returns the place of an offset in the value.
    fn of(self, offset: u64) -> Spot {
        self.at.add(offset.saturating_sub(self.start))
    }
}

/// A value that stays in place for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) value: Spot,
    pub(crate) bytes: u64,
    pub(crate) held: HeldLease,
}

/// Identity of a leased block, which no later block at its offset has, and the end of the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLease {
    /// Milliseconds since 1970, by the clock of the machine.
    pub until_ms: u64,
    /// Member and offset of the block.
    pub place: u64,
    /// State of the block.
    pub state: u64,
    /// Stamp of the block.
    pub stamp: u64,
}

#[cold]
fn too_large(bytes: u64, room: u64) -> Error {
    Error::invalid(OP, "the value is larger than the buffer")
        .with("value", ByteLen(bytes))
        .with("buffer", ByteLen(room))
}

impl<M: Memory> Member<M> {
    /// Copies a value to the start of `to`. A lease of `lease` begins, unless that is zero.
    pub(crate) fn get(&self, key: &[u8], mut to: Target<'_>, lease: Duration) -> Result<Option<u64>> {
        let room = to.bytes();
        let check = |bytes| if bytes > room { Err(too_large(bytes, room)) } else { Ok(0..bytes) };
        self.read(key, lease, check, |from, bytes| {
            let target = to.first(bytes).ok_or_else(|| too_large(bytes, room))?;
            self.memory.fetch(from.of(0), target)
        })
    }

    /// Copies a value to several targets, one behind the other.
    pub(crate) fn get_scattered(
        &self,
        key: &[u8],
        targets: &mut [Target<'_>],
        lease: Duration,
    ) -> Result<Option<u64>> {
        let room = targets.iter().map(Target::bytes).fold(0, u64::saturating_add);
        let check = |bytes| if bytes > room { Err(too_large(bytes, room)) } else { Ok(0..bytes) };
        self.read(key, lease, check, |from, bytes| {
            let mut done = 0;
            for target in &mut *targets {
                let length = target.bytes().min(bytes - done);
                if let Some(target) = target.first(length) {
                    self.memory.fetch(from.of(done), target)?;
                }
                done += length;
            }
            Ok(())
        })
    }

    /// Copies parts of a value, all of the same value.
    pub(crate) fn get_parts(
        &self,
        key: &[u8],
        parts: &mut [Part<'_>],
        lease: Duration,
    ) -> Result<Option<u64>> {
        let end = |part: &Part<'_>| part.offset.saturating_add(part.target.bytes());
        let start = parts.iter().map(|part| part.offset).min().unwrap_or(0);
        let last = parts.iter().max_by_key(|part| end(part)).map(|part| (part.offset, part.target.bytes()));
        let (offset, length) = last.unwrap_or_default();
        let end = offset.saturating_add(length);
        let check = |bytes| match end > bytes {
            true => Err(Error::invalid(OP, "a part is not in the value")
                .with("offset", offset)
                .with("part", ByteLen(length))
                .with("value", ByteLen(bytes))),
            false => Ok(start..end),
        };
        self.read(key, lease, check, |from, _| {
            for Part { offset, target } in &mut *parts {
                let length = target.bytes();
                if let Some(target) = target.first(length) {
                    self.memory.fetch(from.of(*offset), target)?;
                }
            }
            Ok(())
        })
    }

    /// Finds a value, and calls `copy` with its place and its length until the value did not change
    /// meanwhile. `check` accepts a length before, and returns the part that is copied.
    #[inline]
    fn read(
        &self,
        key: &[u8],
        lease: Duration,
        check: impl Fn(u64) -> Result<Range<u64>>,
        mut copy: impl FnMut(Place, u64) -> Result<()>,
    ) -> Result<Option<u64>> {
        let print = self.prints.fingerprint(OP, key)?;
        let mut view = self.view();
        let until = if lease.is_zero() { 0 } else { self.end_of(lease) };
        for turn in 0..TRIES {
            let Some(found) = self.index(&view).find(print)? else { break };
            let Found { block, head } = found;
            let part = check(head.holds.bytes)?;
            let mut copied = if head.holds.is_on_disk {
                // Members that come or go do not wait for a disk.
                drop(view);
                let read = self.read_stub(key, &found, part, until, &mut |from| copy(from, head.holds.bytes));
                view = self.view();
                match read? {
                    Stub::Copied => true,
                    Stub::LookAgain => false,
                    Stub::Missing => break,
                }
            } else {
                let from = Place { at: head.value(block), start: 0 };
                unless_gone(copy(from, head.holds.bytes))?.is_some()
            };
            if copied && until != 0 {
                let change = block::change_lease(&self.memory, block, &head, |end| end.max(until));
                copied = unless_gone(change)?.is_some();
            }
            if copied && unless_gone(head.is_intact(&self.memory, block))?.unwrap_or(false) {
                if !head.is_used() {
                    // If its member has gone meanwhile, the mark does not matter.
                    unless_gone(block::set_used(&self.memory, block, &head, true))?;
                }
                self.counts.add(Count::Hits);
                return Ok(Some(head.holds.bytes));
            }
            self.memory.pause(turn);
        }
        self.counts.add(Count::Misses);
        Ok(None)
    }

    pub(crate) fn size(&self, key: &[u8]) -> Result<Option<u64>> {
        let print = self.prints.fingerprint("cache size", key)?;
        let found = self.find_there(&self.index(&self.view()), (print, key))?;
        Ok(found.map(|found| found.head.holds.bytes))
    }

    pub(crate) fn pin(&self, key: &[u8], pinned: bool) -> Result<bool> {
        let print = self.prints.fingerprint("cache pin", key)?;
        let is_there = self.index(&self.view()).pin(print, pinned)?;
        // The pin goes with the value when that comes back into memory.
        while pinned && let Some(found) = self.index(&self.view()).find(print)? {
            if !found.head.holds.is_on_disk {
                break;
            }
            if !self.fetch_from_disk(&found)? {
                self.index(&self.view()).pin(print, false)?;
                return Err(self.no_room_for("cache pin", &found));
            }
        }
        Ok(is_there)
    }

    pub(crate) fn lease(&self, key: &[u8], time: Duration) -> Result<Option<Lease>> {
        let print = self.prints.fingerprint("cache lease", key)?;
        let mut view = self.view();
        let until = self.end_of(time);
        for turn in 0..TRIES {
            let Some(found) = self.index(&view).find(print)? else { break };
            let Found { block, head } = found;
            if head.holds.is_on_disk {
                drop(view);
                let is_back = self.fetch_from_disk(&found)?;
                view = self.view();
                if !is_back {
                    break;
                }
                continue;
            }
            let leased =
                unless_gone(block::change_lease(&self.memory, block, &head, |end| end.max(until)))?.is_some();
            // Read after the lease was written: an evicting manager reads the lease after it has changed the
            // state.
            let now = unless_gone(Head::read(&self.memory, block))?;
            let is_same = now.is_some_and(|now| (now.state, now.stamp) == (head.state, head.stamp));
            if leased && is_same {
                unless_gone(block::set_used(&self.memory, block, &head, true))?;
                self.counts.add(Count::Hits);
                let value = head.value(block);
                let (state, stamp) = (head.state.0, head.stamp);
                let held = HeldLease { until_ms: until, place: block.word(), state, stamp };
                return Ok(Some(Lease { value, bytes: head.holds.bytes, held }));
            }
            self.memory.pause(turn);
        }
        self.counts.add(Count::Misses);
        Ok(None)
    }

    /// Returns the end of a lease that begins now, in milliseconds since 1970.
    fn end_of(&self, lease: Duration) -> u64 {
        let lease = u64::try_from(lease.as_millis()).unwrap_or(u64::MAX);
        (self.memory.now() / 1000).saturating_add(lease).min(PINNED - 1)
    }

    /// Returns true if the lease has not ended, by the clock that all members use, and the bytes still belong
    /// to its value: the clock may have been set back after the lease had ended.
    pub(crate) fn is_held(&self, held: &HeldLease) -> Result<bool> {
        if self.memory.now() / 1000 >= held.until_ms {
            return Ok(false);
        }
        let is_there =
            block::is_there(&self.memory, Spot::from_word(held.place), BlockState(held.state), held.stamp);
        Ok(unless_gone(is_there)?.unwrap_or(false))
    }
}
