// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Promotion: a value on disk comes back into memory.
//!
//! A get reads the disk of its own member in its own thread, into a block from which it is copied as any
//! value is: to memory of the program, of the pool, or of an accelerator. If the value was read before, or a
//! quarter of the memory is free, the block then takes the place of the stub. Leases, pins, and requests of
//! other members bring a value back at once.

use std::ops::Range;
use std::sync::Arc;

use mf_base::{ByteLen, Error, Kind, Result};

use crate::alloc_request::Purpose;
use crate::atomic_fields::Spot;
use crate::block::{self, Head, Holds};
use crate::counts::Count;
use crate::demote::OP;
use crate::disk::Disk;
use crate::events::read_key;
use crate::index::{Found, Index, unless_gone};
use crate::key::Print;
use crate::member::Member;
use crate::memory::Memory;
use crate::move_value::Successor;
use crate::read::Place;
use crate::view::View;

/// Outcome of a read of a value on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stub {
    /// The part was copied.
    Copied,
    /// The value is in memory, or the stub has gone.
    LookAgain,
    /// There is no room, or the disk cannot be read now.
    Missing,
}

/// Outcome of the return of a value into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promoted {
    /// The value is in memory, or the stub has gone: look again.
    LookAgain,
    /// Members come or go: try again soon.
    Later,
    /// There is no room, or the disk cannot be read now.
    No,
}

/// A part of a value in a block that is not published.
struct Staged {
    /// View of the allocation, until the block is published or given back. Taken after the disk was read: a
    /// change of membership waits for views.
    view: Arc<View>,
    block: Spot,
    /// Start of the bytes.
    at: Spot,
}

impl<M: Memory> Member<M> {
    /// Finds a value; not one that the disk of this member has lost.
    ///
    /// # Errors
    /// Errors of the pool.
    #[inline]
    pub(crate) fn find_there(
        &self,
        index: &Index<'_, M>,
        (print, key): (Print, &[u8]),
    ) -> Result<Option<Found>> {
        let found = index.find(print)?;
        match (&self.disk, found) {
            (Some(disk), Some(Found { block, head }))
                if head.holds.is_on_disk && block.rank == self.me.rank =>
            {
                let is_lost = self.drop_lost(index, disk, key, block, &head)?;
                Ok(found.filter(|_| !is_lost))
            }
            _ => Ok(found),
        }
    }

    /// Reads a part of a value on the own disk into a block. `Some(None)`: there is no room. `None`: look
    /// again, or there is no value.
    fn read_disk(
        &self,
        disk: &Disk,
        key: &[u8],
        (stub, head): (Spot, &Head),
        part: Range<u64>,
    ) -> Result<Option<Option<Staged>>> {
        if disk.is_unconfirmed(key) {
            return Ok(None);
        }
        let staged = disk.read(key, head.state.version(), part, |bytes| self.stage(head, key, bytes));
        if staged.is_none() {
            let view = self.view();
            self.drop_lost(&self.index(&view), disk, key, stub, head)?;
        }
        staged.transpose()
    }

    /// Copies a part of a value on disk: from the own disk through a block that is not published, or after
    /// another member has brought the value back into memory.
    ///
    /// # Errors
    /// Errors of the pool and of `copy`.
    #[cold]
    pub(crate) fn read_stub(
        &self,
        key: &[u8],
        found: &Found,
        part: Range<u64>,
        until: u64,
        copy: &mut dyn FnMut(Place) -> Result<()>,
    ) -> Result<Stub> {
        let (stub, head) = (found.block, &found.head);
        let Some(disk) = self.disk.as_ref().filter(|_| stub.rank == self.me.rank) else {
            return Ok(if self.fetch_from_disk(found)? { Stub::LookAgain } else { Stub::Missing });
        };
        let (start, is_whole) = (part.start, part == (0..head.holds.bytes));
        let Some(staged) = self.read_disk(disk, key, (stub, head), part)? else {
            let is_held = disk.holds(key, head.state.version());
            return Ok(if is_held { Stub::Missing } else { Stub::LookAgain });
        };
        let Some(Staged { view, block, at }) = staged else { return Ok(Stub::Missing) };
        let copied = copy(Place { at, start }).and_then(|()| {
            if until == 0 {
                return Ok(());
            }
            // Before the value comes back: the lease goes with it.
            block::change_lease(&self.memory, stub, head, |end| end.max(until))
        });
        let (managed, free) = self.manager.bytes(&self.memory);
        if copied.is_ok() && is_whole && (head.is_used() || free > managed / 4) {
            let index = self.index(&view);
            let successor = Successor { block, admit: &|| true };
            let moved = index.move_value(OP, (stub, head), Some(&successor), u64::MAX);
            self.finish_moved(moved, (stub, block), Count::Promotions)?;
        } else {
            unless_gone(self.manager.give_back(&self.memory, block))?;
        }
        if unless_gone(copied)?.is_none() {
            return Ok(Stub::LookAgain);
        }
        self.counts.add(Count::DiskHits);
        Ok(Stub::Copied)
    }

    /// Fills a block with a part of a value from disk. Other values are evicted for it only if there is no
    /// free room.
    fn stage(&self, head: &Head, key: &[u8], bytes: &[u8]) -> Result<Option<Staged>> {
        let view = self.view();
        let index = self.index(&view);
        let holds = Holds { bytes: bytes.len() as u64, is_on_disk: false, ..head.holds };
        for purpose in [Purpose::Restored, Purpose::Value] {
            if let Some(block) = self.make_block(&index, holds, head, key, purpose)? {
                let at = Head { holds, ..*head }.value(block);
                let written = self.memory.write(at, bytes);
                if written.is_err() {
                    unless_gone(self.manager.give_back(&self.memory, block))?;
                }
                return unless_gone(written).map(|written| written.map(|()| Staged { view, block, at }));
            }
        }
        Ok(None)
    }

    /// Brings the value of a stub of this member back into memory.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn promote(&self, disk: &Disk, (stub, head): (Spot, &Head), key: &[u8]) -> Result<Promoted> {
        if !self.view().is_settled() {
            return Ok(Promoted::Later);
        }
        let Some(staged) = self.read_disk(disk, key, (stub, head), 0..head.holds.bytes)? else {
            let is_held = disk.holds(key, head.state.version());
            return Ok(if is_held { Promoted::No } else { Promoted::LookAgain });
        };
        let Some(Staged { view, block, .. }) = staged else { return Ok(Promoted::No) };
        let index = self.index(&view);
        let successor = Successor { block, admit: &|| true };
        let moved = index.move_value(OP, (stub, head), Some(&successor), u64::MAX);
        let is_moved = self.finish_moved(moved, (stub, block), Count::Promotions)?;
        Ok(if is_moved || view.is_settled() { Promoted::LookAgain } else { Promoted::Later })
    }

    /// Brings a value back into memory from the disk of its member. Returns false if that cannot be.
    ///
    /// **One-sided.** Blocks for a few seconds at most.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn fetch_from_disk(&self, found: &Found) -> Result<bool> {
        let Found { block, head } = found;
        if block.rank != self.me.rank {
            return self.ask(*block, head);
        }
        let Some(disk) = &self.disk else { return Ok(false) };
        let Some(key) = read_key(&self.memory, *block, head)? else { return Ok(true) };
        for turn in 0..self.turns_max {
            match self.promote(disk, (*block, head), &key)? {
                Promoted::LookAgain => return Ok(true),
                Promoted::No => return Ok(false),
                Promoted::Later => {
                    self.memory.pause(turn);
                    self.refresh()?;
                }
            }
        }
        Ok(false)
    }

    /// The error of a value on disk for which memory has no room.
    pub(crate) fn no_room_for(&self, operation: &'static str, found: &Found) -> Error {
        Error::new(Kind::NoResources, operation)
            .what("the value is on disk and does not come back into memory")
            .with("rank", found.block.rank)
            .with("value", ByteLen(found.head.holds.bytes))
            .hint("unpin values, or see the log of that member for a fault of its disk")
    }
}
