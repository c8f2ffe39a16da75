// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Demotion: values leave memory for the disk before the hand of their arena evicts them.

use std::sync::atomic::Ordering;

use mf_base::Result;

use crate::alloc_request::{AllocRequest, Purpose};
use crate::arena::Walk;
use crate::atomic_fields::{BlockState, Mark, Phase, Spot};
use crate::block::{self, Head, Holds};
use crate::counts::Count;
use crate::disk::{Disk, Scrub};
use crate::events::{Change, read_key};
use crate::index::{Index, unless_gone};
use crate::key::Print;
use crate::member::Member;
use crate::memory::Memory;
use crate::move_value::{Moved, Successor};

pub(crate) const OP: &str = "cache disk";
/// Blocks of each arena, and stubs, that are examined at once.
const STRIDE: u32 = 256;

impl<M: Memory> Member<M> {
    /// Does one piece of the work of the tier on disk. Returns true if there may be more.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn disk_turn(&self) -> Result<bool> {
        let Some(disk) = &self.disk else { return Ok(false) };
        let is_asked = self.serve_requests(disk)?;
        self.follow(disk, false)?;
        self.write_note(disk)?;
        let has_demoted = self.demote(disk)?;
        let has_offered = self.offer_some(disk)?;
        let has_swept = self.sweep(disk)?;
        Ok(is_asked | has_demoted | has_offered | has_swept | self.scrub(disk)?)
    }

    /// Moves values that were not read lately to the disk. Returns whether it moved any.
    fn demote(&self, disk: &Disk) -> Result<bool> {
        let view = self.view();
        if !view.is_settled() || disk.engine().queue_bytes().is_none() {
            return Ok(false);
        }
        let index = self.index(&view);
        let mut has_moved = false;
        for (block, head) in self.manager.next_to_demote(&index, self.memory.now(), STRIDE)? {
            has_moved |= unless_gone(self.demote_value(&index, disk, block, &head))?.unwrap_or(false);
        }
        if has_moved {
            self.manager.note_room(&self.memory);
        }
        Ok(has_moved)
    }

    fn demote_value(&self, index: &Index<'_, M>, disk: &Disk, block: Spot, head: &Head) -> Result<bool> {
        if !disk.admits(head) {
            return self.drop_block(index, block, head, (Count::Evictions, self.memory.now() / 1000));
        }
        self.move_to_disk(index, disk, (block, head), self.memory.now() / 1000)
    }

    /// Moves a value to the disk, unless a lease ends after `spared`, in milliseconds since 1970. Returns
    /// whether the block is gone.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn move_to_disk(
        &self,
        index: &Index<'_, M>,
        disk: &Disk,
        (block, head): (Spot, &Head),
        spared: u64,
    ) -> Result<bool> {
        let Some(key) = read_key(&self.memory, block, head)? else { return Ok(false) };
        let version = head.state.version();
        let mut value = Vec::new();
        if !disk.holds(&key, version) {
            if !disk.has_room(head.holds) {
                return Ok(false);
            }
            value = vec![0; usize::try_from(head.holds.bytes).unwrap_or(0)];
            self.memory.read(head.value(block), &mut value)?;
            if !head.is_intact(&self.memory, block)? {
                return Ok(false);
            }
        }
        let Some(stub) = self.make_stub(index, head, &key)? else { return Ok(false) };
        let value = std::cell::Cell::new(value);
        let admit = || disk.keep((head.print, &key), version, value.take());
        let successor = Successor { block: stub, admit: &admit };
        let moved = index.move_value(OP, (block, head), Some(&successor), spared);
        self.finish_moved(moved, (block, stub), Count::Demotions)
    }

    /// Settles the blocks after a move. Returns true if the old one is gone.
    pub(crate) fn finish_moved(
        &self,
        moved: Result<Moved>,
        (from, to): (Spot, Spot),
        count: Count,
    ) -> Result<bool> {
        if matches!(moved, Ok(Moved::Done)) {
            self.counts.add(count);
            return Ok(true);
        }
        unless_gone(self.manager.give_back(&self.memory, to))?;
        match moved? {
            Moved::Unfinished(error) => {
                self.manager.note_leaving(&self.memory, from);
                Err(error)
            }
            Moved::Gone => Ok(true),
            Moved::Done | Moved::Stays => Ok(false),
        }
    }

    /// Fills a stub for a value with this head, not published. `None`: there is no room.
    pub(crate) fn make_stub(&self, index: &Index<'_, M>, head: &Head, key: &[u8]) -> Result<Option<Spot>> {
        let holds = Holds { is_on_disk: true, ..head.holds };
        self.make_block(index, holds, head, key, Purpose::Stub)
    }

    /// Fills the head and the key of a block for a value, not published. `None`: there is no room.
    pub(crate) fn make_block(
        &self,
        index: &Index<'_, M>,
        holds: Holds,
        head: &Head,
        key: &[u8],
        purpose: Purpose,
    ) -> Result<Option<Spot>> {
        let Some(units) = holds.units() else { return Ok(None) };
        let now = self.memory.now();
        let count = if purpose == Purpose::Stub { Count::DiskLost } else { Count::Evictions };
        let evicted = || self.counts.add(count);
        let wanted = AllocRequest { units, purpose, preferred: None, elsewhere: &[], now, evicted: &evicted };
        let Some(block) = self.manager.allocate(index, &wanted)? else { return Ok(None) };
        self.new_head((head.print, holds, units)).fill(&self.memory, block)?;
        self.memory.write(block::key(block, holds), key)?;
        Ok(Some(block))
    }

    /// Returns the head of a block that is being filled with a value that exists already.
    pub(crate) fn new_head(&self, (print, holds, units): (Print, Holds, u64)) -> Head {
        let version = self.manager.next_version(self.memory.now());
        // The block gets the version of the value, which this offset may have had before.
        let stamp = self.stamp(self.copies.fetch_add(1, Ordering::Relaxed));
        Head {
            state: BlockState::new(version, Phase::Writing),
            print,
            holds,
            units,
            lease: Mark::new(version, 0),
            // A value that has just come back is not demoted at once.
            used: Mark::new(version, u64::from(!holds.is_on_disk)),
            replaced: 0,
            stamp,
        }
    }

    /// Evicts a block, unless a lease ends after `spared`, in milliseconds since 1970. Returns whether it
    /// did.
    pub(crate) fn drop_block(
        &self,
        index: &Index<'_, M>,
        block: Spot,
        head: &Head,
        (count, spared): (Count, u64),
    ) -> Result<bool> {
        let ending = index.ending(block, head)?;
        match index.move_value(OP, (block, head), None, spared)? {
            Moved::Unfinished(error) => {
                self.manager.note_leaving(&self.memory, block);
                Err(error)
            }
            Moved::Done | Moved::Gone => {
                self.counts.add(count);
                index.ended(Change::Evicted, ending);
                Ok(true)
            }
            Moved::Stays => Ok(false),
        }
    }

    /// Removes stubs of values that the disk has lost. Returns true if there are more to examine.
    fn scrub(&self, disk: &Disk) -> Result<bool> {
        let mut scrub = self.memory.lock(&disk.scrub);
        let losses = disk.engine().losses();
        if losses != scrub.losses {
            self.manager.begin_walk(&self.memory, Walk::Scrub);
            *scrub = Scrub { losses, is_walking: true };
        }
        if !scrub.is_walking {
            return Ok(false);
        }
        let view = self.view();
        let index = self.index(&view);
        let stubs = self.manager.next_stubs(&self.memory, usize::try_from(STRIDE).unwrap_or(1))?;
        scrub.is_walking = !stubs.is_empty();
        for (stub, head) in &stubs {
            if head.state.phase() == Phase::Live
                && let Some(key) = read_key(&self.memory, *stub, head)?
            {
                self.drop_lost(&index, disk, &key, *stub, head)?;
            }
        }
        Ok(!stubs.is_empty())
    }

    /// Removes a stub if the disk has lost its value. Returns whether it was lost.
    pub(crate) fn drop_lost(
        &self,
        index: &Index<'_, M>,
        disk: &Disk,
        key: &[u8],
        stub: Spot,
        head: &Head,
    ) -> Result<bool> {
        if disk.holds(key, head.state.version()) {
            return Ok(false);
        }
        unless_gone(self.drop_block(index, stub, head, (Count::DiskLost, u64::MAX)))?;
        Ok(true)
    }
}
