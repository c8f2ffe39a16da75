// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A block takes the place of another one, as the same version of the value: a stub replaces a block, or a
//! block replaces a stub.
//!
//! The steps are the same as in an eviction, under the lock of the key, with the new block's slot before the
//! old one's end. The member may die at any of them: the new block is live only while a slot names it, and
//! the eviction of the old one goes on if its manager is gone. A reader waits only for the few steps in which
//! the old block leaves.

use mf_base::{Error, Result};

use crate::atomic_fields::{Phase, Slot, Spot};
use crate::block::{self, Head, PINNED};
use crate::index::{Index, unless_gone};
use crate::memory::Memory;
use crate::publish::SlotEntry;

/// Outcome of a move.
pub(crate) enum Moved {
    /// The new block has the place of the old one.
    Done,
    /// The old block has gone without a successor.
    Gone,
    /// The block is leased, is not the value of its key any more, or finds no slot.
    Stays,
    /// A member did not answer: the old block is evicted later.
    Unfinished(Error),
}

/// Block that takes the place of another one, and a condition of the move.
pub(crate) struct Successor<'a> {
    pub(crate) block: Spot,
    pub(crate) admit: &'a dyn Fn() -> bool,
}

impl<M: Memory> Index<'_, M> {
    /// Moves the value of a block to its successor, a filled block that is not published. Without one, and if
    /// other replicas are left, the block goes alone. Leases that end after `spared`, in milliseconds since
    /// 1970, keep it where it is.
    ///
    /// # Errors
    /// Errors of the pool; nothing has changed then.
    pub(crate) fn move_value(
        &self,
        operation: &'static str,
        (from, head): (Spot, &Head),
        to: Option<&Successor<'_>>,
        spared: u64,
    ) -> Result<Moved> {
        if !self.view.is_settled() {
            return Ok(Moved::Stays);
        }
        let memory = self.memory;
        let home = self.home(operation, head.print)?;
        let mut lock = self.lock(operation, &home, head.print)?;
        let entries = self.entries(head.print)?;
        let version = head.state.version();
        let is_it = |entry: &&SlotEntry| {
            let same_block = entry.slot.block() == from && entry.head.stamp == head.stamp;
            entry.is_home && same_block && entry.head.state == head.state
        };
        let Some(entry) = entries.iter().find(is_it) else { return Ok(Moved::Stays) };
        if entries.iter().any(|entry| entry.head.state.version() != version) {
            return Ok(Moved::Stays);
        }
        let to = to.filter(|_| entries.len() == 1);
        if let Some(Successor { block, admit }) = to
            && (!admit() || !self.place_free(&mut lock, head.print, Slot::new(head.print.tag(), *block))?)
        {
            return Ok(Moved::Stays);
        }
        let to = to.map(|successor| successor.block);
        let leaving = head.state.to(Phase::Leaving);
        let has_left = block::change_state(memory, from, head.state, leaving)?;
        // A process that leases it now either sees the state `Leaving`, or its lease is seen here.
        let lease = block::lease(memory, from)?;
        if !has_left || lease > spared {
            if has_left {
                block::change_state(memory, from, leaving, head.state)?;
            }
            to.map_or(Ok(()), |to| self.forget(to, head.print))?;
            return Ok(Moved::Stays);
        }
        match self.finish_move(entry, to, lease) {
            Ok(()) => Ok(if to.is_some() { Moved::Done } else { Moved::Gone }),
            Err(error) => Ok(Moved::Unfinished(error)),
        }
    }

    fn finish_move(&self, entry: &SlotEntry, to: Option<Spot>, lease: u64) -> Result<()> {
        let (memory, from, head) = (self.memory, entry.slot.block(), &entry.head);
        self.retire_replaced(from, head, 0)?;
        if let Some(to) = to {
            let new = Head::read(memory, to)?;
            block::change_lease(memory, to, &new, |_| lease)?;
            block::set_state(memory, to, head.state)?;
        }
        self.clear(entry)?;
        if lease == PINNED {
            block::change_lease(memory, from, head, |end| if end == PINNED { 0 } else { end })?;
        }
        let (leaving, retired) = (head.state.to(Phase::Leaving), head.state.to(Phase::Retired));
        // Not if an evicted later block has retired it already.
        if block::change_state(memory, from, leaving, retired)? {
            unless_gone(self.count_retired(from, head.units))?;
        }
        Ok(())
    }
}
