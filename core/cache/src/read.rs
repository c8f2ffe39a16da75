// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Read operations: get, lease and pin.

use std::time::Duration;

use mf_base::{ByteLen, Error, Result};

use crate::atomic_fields::{BlockState, Spot};
use crate::block::{self, Head, PINNED};
use crate::counts::Count;
use crate::index::{Found, unless_gone};
use crate::member::Member;
use crate::memory::{Memory, Target};

/// Attempts at copying a value that changes meanwhile.
const TRIES: u32 = 64;

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

impl<M: Memory> Member<M> {
    pub(crate) fn get(&self, key: &[u8], mut to: Target<'_>) -> Result<Option<u64>> {
        const OP: &str = "cache get";
        let print = self.prints.fingerprint(OP, key)?;
        let view = self.view();
        let index = self.index(&view);
        for turn in 0..TRIES {
            let Some(Found { block, head }) = index.find(print)? else { break };
            let Some(target) = to.first(head.holds.bytes) else {
                return Err(Error::invalid(OP, "the value is larger than the buffer")
                    .with("value", ByteLen(head.holds.bytes))
                    .with("buffer", ByteLen(to.bytes())));
            };
            let copied = self.memory.fetch(head.value(block), target);
            if unless_gone(copied)?.is_some()
                && unless_gone(head.is_intact(&self.memory, block))?.unwrap_or(false)
            {
                if head.used.number() == 0 {
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
        Ok(self.index(&self.view()).find(print)?.map(|found| found.head.holds.bytes))
    }

    pub(crate) fn pin(&self, key: &[u8], pinned: bool) -> Result<bool> {
        let print = self.prints.fingerprint("cache pin", key)?;
        self.index(&self.view()).pin(print, pinned)
    }

    pub(crate) fn lease(&self, key: &[u8], time: Duration) -> Result<Option<Lease>> {
        let print = self.prints.fingerprint("cache lease", key)?;
        let view = self.view();
        let index = self.index(&view);
        let until = (self.memory.now() / 1000)
            .saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
            .min(PINNED - 1);
        for turn in 0..TRIES {
            let Some(Found { block, head }) = index.find(print)? else { break };
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
