// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Slots of memory that share arenas: one memory file, one reservation, one mapping of [`ARENA`] bytes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::block::{self, Block, PageSize};
use super::native::native;
use super::space::{Area, Space};
use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::session::Location;

/// Bytes of an arena.
pub const ARENA: u64 = 32 << 20;

/// Layout of the slots in an arena.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Slots take a multiple of this.
    pub unit: u64,
    /// The first slot starts here.
    pub first: u64,
}

/// The arenas of one location.
#[derive(Default)]
pub(super) struct Pool {
    arenas: BTreeMap<u64, Arena>,
    /// Free ranges, by start: their ends. Neighbours are merged, but not across arenas.
    free: BTreeMap<u64, u64>,
    /// Position at which the next search continues.
    cursor: u64,
}

struct Arena {
    range: Range<u64>,
    file: Arc<OwnedFd>,
    view: usize,
}

/// A slot.
pub(super) struct Slot {
    pub(super) range: Range<u64>,
    /// Offset in the file.
    pub(super) offset: u64,
    pub(super) view: usize,
    pub(super) file: Arc<OwnedFd>,
}

impl Pool {
    fn arena_of(&self, address: u64) -> Option<&Arena> {
        let (_, arena) = self.arenas.range(..=address).next_back()?;
        (address < arena.range.end).then_some(arena)
    }

    /// Takes a slot for so many bytes, in a new arena where the others are full.
    ///
    /// # Errors
    /// 207001 if the host is out of memory.
    pub(super) fn take(
        &mut self,
        space: &Space,
        location: Location,
        bytes: u64,
        grid: Grid,
    ) -> Outcome<Slot> {
        let bytes = bytes.next_multiple_of(grid.unit);
        let start = match self.find(bytes) {
            Some(start) => start,
            None => {
                self.grow(space, location, grid.first)?;
                self.find(bytes)
                    .ok_or_else(|| Fault::new(acl::INTERNAL_ERROR, "a fresh arena is too small"))?
            }
        };
        let arena =
            self.arena_of(start).ok_or_else(|| Fault::new(acl::INTERNAL_ERROR, "a slot without arena"))?;
        let offset = start - arena.range.start;
        Ok(Slot {
            range: start..start + bytes,
            offset,
            view: arena.view + native(offset),
            file: Arc::clone(&arena.file),
        })
    }

    /// Finds the next free range that is large enough (next fit): behind the last one taken, else from the
    /// front.
    fn find(&mut self, bytes: u64) -> Option<u64> {
        let cursor = self.cursor;
        let around =
            self.free.range(..cursor).next_back().filter(|(_, end)| end.saturating_sub(cursor) >= bytes);
        let fits = |(start, end): &(&u64, &u64)| *end - *start >= bytes;
        let (&free, &end) = around
            .or_else(|| self.free.range(cursor..).find(fits))
            .or_else(|| self.free.range(..cursor).find(fits))?;
        let start = if around.is_some() { cursor } else { free };
        self.free.remove(&free);
        if free < start {
            self.free.insert(free, start);
        }
        if start + bytes < end {
            self.free.insert(start + bytes, end);
        }
        self.cursor = start + bytes;
        Some(start)
    }

    /// Returns true if an address is in one of the arenas.
    pub(super) fn holds(&self, address: u64) -> bool {
        self.arena_of(address).is_some()
    }

    /// Gives a slot back, and its arena when that is empty, but `keep` arenas.
    pub(super) fn give_back(&mut self, space: &Space, start: u64, bytes: u64, grid: Grid, keep: usize) {
        let Some(arena) = self.arena_of(start).map(|arena| arena.range.start) else { return };
        self.put(start, start + bytes.next_multiple_of(grid.unit));
        if self.arenas.len() > keep {
            self.drop_if_empty(space, arena);
        }
    }

    /// Gives back all arenas in which nothing lives.
    pub(super) fn release(&mut self, space: &Space) {
        let arenas: Vec<u64> = self.arenas.keys().copied().collect();
        arenas.into_iter().for_each(|arena| self.drop_if_empty(space, arena));
    }

    fn put(&mut self, mut start: u64, mut end: u64) {
        let bounds = self.arena_of(start).map(|arena| arena.range.clone()).unwrap_or(start..end);
        if let Some((&below, &below_end)) = self.free.range(..start).next_back()
            && below_end == start
            && below >= bounds.start
        {
            start = below;
        }
        if let Some(&above_end) = self.free.get(&end)
            && end < bounds.end
        {
            self.free.remove(&end);
            end = above_end;
        }
        self.free.insert(start, end);
    }

    fn grow(&mut self, space: &Space, location: Location, first: u64) -> Outcome {
        let block = Block {
            file: Arc::new(block::file(ARENA)?),
            bytes: ARENA,
            location,
            page: PageSize::Normal,
            imported: false,
            claim: None,
        };
        let area = if matches!(location, Location::Device(_)) { Area::Heap } else { Area::Host };
        let range = space.reserve(area, None, ARENA, PageSize::Huge.bytes())?;
        let view = space.map(range.start, &block, 0..ARENA).inspect_err(|_| space.release(&range))?;
        self.free.insert(range.start + first, range.end);
        self.arenas.insert(range.start, Arena { range, file: block.file, view });
        Ok(())
    }

    /// Returns true if an arena is empty: one free range that begins within the first step of the grid.
    fn is_empty(&self, range: &Range<u64>) -> bool {
        let first = self.free.range(range.clone()).next();
        first.is_some_and(|(start, end)| *end == range.end && *start <= range.start + 64)
    }

    fn drop_if_empty(&mut self, space: &Space, start: u64) {
        let Some(range) = self.arenas.get(&start).map(|arena| arena.range.clone()) else { return };
        if self.is_empty(&range)
            && let Some(arena) = self.arenas.remove(&start)
        {
            self.free.retain(|at, _| !range.contains(at));
            space.unmap(start, ARENA, arena.view);
            space.release(&range);
        }
    }
}
