// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arena: adjacent zones that one process manages, filled with blocks without gaps.
//!
//! **Allocation** is a CLOCK hand: it merges the free and retired blocks that it passes into a run, and, if
//! space is short, evicts values that were not read since its last visit; a run that is long enough becomes
//! the block. A value that was read since then only loses its mark, and is evicted at the next visit. So
//! allocation needs no lists: all its state is in the heads of the blocks, and another process continues from
//! them if the manager dies.
//!
//! **Order of writes.** A run is split by writing the head of its remainder first, and is joined by one store
//! of its first block's length: at any moment the lengths lead from the first block to the last.

use std::ops::Range;

use mf_base::{Error, Kind, Result};

use crate::atomic_fields::{BlockState, Phase, Spot, UNIT};
use crate::block::{self, Head, write_free};
use crate::events::Change;
use crate::evict::{Evicted, evict};
use crate::index::Index;
use crate::layout::Geometry;
use crate::memory::Memory;

const OP: &str = "cache allocation";
/// Rounds of the hand while it evicts: the first clears marks, the second evicts unmarked values.
const ROUNDS: u64 = 2;
/// Units that are demoted at once: a change of membership waits for it.
const DEMOTED_AT_ONCE: u64 = (32 << 20) / UNIT;

/// Blocks that the hand may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Take {
    /// Free blocks.
    Free,
    /// Free blocks and values.
    Values,
}

/// Reason for a walk over all blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// Keys have moved to other homes.
    Settle = 0,
    /// Values may have too few replicas.
    Restore = 1,
    /// Values leave memory for the disk, before the hand gets to them.
    Demote = 2,
    /// Stubs may name values that the disk has lost.
    Scrub = 3,
    /// The member leaves.
    Save = 4,
}

#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) rank: u16,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Offset of the next block to examine.
    hand: u64,
    /// Free units, as far as this process knows.
    free: u64,
    /// Free units, fragmented, when the hand last found no room.
    scattered: u64,
    /// Next block of each walk over all blocks ([`walk`](Self::walk)).
    walkers: [Option<u64>; 5],
    /// Blocks with an unfinished eviction: their home did not answer, or their manager has died.
    leaving: Vec<u64>,
    /// Units that the hand has passed: of several arenas, values are evicted from the one with the fewest
    /// rounds.
    passed: u64,
    /// Another process managed it before: the index may not know its values.
    pub(crate) is_adopted: bool,
    /// Its blocks are stubs, which must not break up the room of values.
    pub(crate) has_stubs: bool,
}

/// Context of an arena's operations.
pub(crate) struct Around<'a, M> {
    pub(crate) index: &'a Index<'a, M>,
    pub(crate) geometry: &'a Geometry,
    /// Milliseconds since 1970.
    pub(crate) now: u64,
    /// Version for heads of free blocks; no block has had it.
    pub(crate) version: u64,
    pub(crate) evicted: &'a dyn Fn(),
}

impl Arena {
    /// Creates the arena of one zone after its first block was written.
    pub(crate) fn new(rank: u16, start: u64, end: u64, free: u64) -> Self {
        Self {
            rank,
            start,
            end,
            hand: start,
            free,
            scattered: 0,
            walkers: [None; 5],
            leaving: Vec::new(),
            passed: 0,
            is_adopted: false,
            has_stubs: false,
        }
    }

    pub(crate) fn units(&self) -> u64 {
        (self.end - self.start) / UNIT
    }

    pub(crate) fn free_units(&self) -> u64 {
        self.free
    }

    /// Returns the rounds of the hand, in 1024ths.
    pub(crate) fn rounds(&self) -> u64 {
        self.passed / (self.units() / 1024).max(1)
    }

    /// Returns the range from the start to the end of the part that the hand has used or uses next.
    pub(crate) fn next_used(&self, ahead: u64) -> Range<u64> {
        let is_all = self.passed >= self.units();
        self.start..if is_all { self.end } else { self.end.min(self.hand.saturating_add(ahead)) }
    }

    /// Sets the hand to the progress of other arenas' hands.
    pub(crate) fn set_rounds(&mut self, rounds: u64) {
        self.passed = rounds * (self.units() / 1024).max(1);
    }

    /// Adds a free zone that is adjacent to this arena, before or behind it.
    pub(crate) fn join(&mut self, start: u64, end: u64) {
        if self.end == start {
            self.end = end;
        } else {
            self.start = start;
        }
        // The added zone is free in one piece.
        self.hand = start;
        self.free += (end - start) / UNIT;
    }

    fn address(&self, offset: u64) -> Spot {
        Spot { rank: self.rank, offset }
    }

    /// Allocates a block of `units`, not yet written to. Returns `None` if there is no room.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn allocate<M: Memory>(
        &mut self,
        around: &Around<'_, M>,
        units: u64,
        take: Take,
    ) -> Result<Option<Spot>> {
        if units > self.units() {
            return Ok(None);
        }
        if take == Take::Free {
            // A round for little is not worth it, and space that is fragmented now stays fragmented.
            let least = units.max(self.units() / 16).max(self.scattered + 1);
            if self.free < least && self.free + self.retired(around)? < least {
                return Ok(None);
            }
        }
        let found = self.sweep(around, units, take)?;
        if found.is_none() && take == Take::Free {
            self.scattered = self.free;
        }
        if found.is_some() {
            self.scattered = 0;
        }
        Ok(found)
    }

    /// Returns values that should leave memory before the hand gets to them, so that it finds room: none
    /// while an eighth of the arena is free. Passes `most` blocks at most.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn next_to_demote<M: Memory>(
        &mut self,
        around: &Around<'_, M>,
        most: u32,
    ) -> Result<Vec<(Spot, Head)>> {
        let wanted = self.units() / 8;
        let (mut room, mut values, mut units) = (self.free, Vec::new(), 0);
        if room < wanted {
            room += self.retired(around)?;
        }
        let memory = around.index.memory;
        for _ in 0..most {
            if room >= wanted || units > DEMOTED_AT_ONCE {
                break;
            }
            let walker = &mut self.walkers[Walk::Demote as usize];
            if walker.is_none_or(|at| at >= self.end) {
                let is_first = walker.is_none() && self.hand < self.end;
                *walker = Some(if is_first { self.hand } else { self.start });
            }
            let Some((block, head)) = self.walk(memory, Walk::Demote)? else { continue };
            if head.state.phase() != Phase::Live || head.lease.number() > around.now {
                continue;
            }
            if head.is_used() {
                block::set_used(memory, block, &head, false)?;
                continue;
            }
            room += head.units;
            units += head.units;
            values.push((block, head));
        }
        Ok(values)
    }

    /// Leaves a block with an unfinished eviction to [`finish_leaving`](Self::finish_leaving). Returns false
    /// if it is not in this arena.
    pub(crate) fn note_leaving(&mut self, block: Spot) -> bool {
        let is_here = block.rank == self.rank && (self.start..self.end).contains(&block.offset);
        if is_here {
            self.leaving.push(block.offset);
        }
        is_here
    }

    fn retired<M: Memory>(&self, around: &Around<'_, M>) -> Result<u64> {
        let first = around.geometry.zone_of(self.start).unwrap_or(0);
        let last = around.geometry.zone_of(self.end - 1).unwrap_or(first);
        let mut sum = 0u64;
        for zone in first..=last {
            // Wraps below 0 for a moment, if the hand is faster than the process that counts.
            let units = around.index.memory.load(Geometry::retired(self.rank, zone))?;
            sum = sum.wrapping_add(units);
        }
        Ok(if sum > self.units() { 0 } else { sum })
    }

    fn sweep<M: Memory>(&mut self, around: &Around<'_, M>, units: u64, take: Take) -> Result<Option<Spot>> {
        let memory = around.index.memory;
        let most = self.units() * if take == Take::Values { ROUNDS } else { 1 };
        let (mut walked, mut run) = (0, None);
        loop {
            let is_over = walked > most;
            if self.hand >= self.end || is_over {
                self.close(around, run.take())?;
                if is_over {
                    return Ok(None);
                }
                self.hand = self.start;
            }
            let at = self.hand;
            let head = self.head(memory, at)?;
            self.hand = at + head.units * UNIT;
            walked += head.units;
            self.passed += head.units;
            if !self.frees(around, at, &head, take)? {
                self.close(around, run.take())?;
                continue;
            }
            let (start, length) =
                run.map_or((at, head.units), |(start, length)| (start, length + head.units));
            if length >= units {
                self.split(around, start, length, units)?;
                return Ok(Some(self.address(start)));
            }
            run = Some((start, length));
        }
    }

    /// Returns true if a block is free now; evicts it first where `take` allows that.
    fn frees<M: Memory>(&mut self, around: &Around<'_, M>, at: u64, head: &Head, take: Take) -> Result<bool> {
        let Around { index, now, version, .. } = around;
        let (memory, spot) = (index.memory, self.address(at));
        let free = BlockState::new(*version, Phase::Free);
        match head.state.phase() {
            Phase::Free => return Ok(true),
            Phase::Retired if block::lease(memory, spot)? <= *now => {}
            Phase::Live if take == Take::Values => {
                if head.is_used() {
                    block::set_used(memory, spot, head, false)?;
                    return Ok(false);
                }
                match evict(index, spot, head, *now)? {
                    Evicted::Stays => return Ok(false),
                    Evicted::Gone => {}
                    Evicted::Unfinished(error) => {
                        self.leaving.push(at);
                        return Err(error);
                    }
                }
                (around.evicted)();
                if block::change_state(memory, spot, head.state.to(Phase::Leaving), free)? {
                    self.free += head.units;
                    return Ok(true);
                }
                // A removal or a later put has retired it meanwhile.
            }
            _ => return Ok(false),
        }
        let zone = around.geometry.zone_of(at).unwrap_or(0);
        memory.add(Geometry::retired(self.rank, zone), head.units.wrapping_neg())?;
        block::set_state(memory, spot, free)?;
        self.free += head.units;
        Ok(true)
    }

    /// Splits a run: a block of `units` at its start, and a free block of the rest.
    fn split<M: Memory>(
        &mut self,
        around: &Around<'_, M>,
        start: u64,
        length: u64,
        units: u64,
    ) -> Result<()> {
        let memory = around.index.memory;
        let rest = start + units * UNIT;
        if length > units {
            write_free(memory, self.address(rest), length - units, around.version)?;
        }
        block::set_state(memory, self.address(start), BlockState::new(around.version, Phase::Writing))?;
        block::set_units(memory, self.address(start), units)?;
        self.hand = rest;
        self.exclude(start, rest);
        self.free = self.free.saturating_sub(units);
        if rest < self.end {
            // The next call begins there.
            memory.prefetch(self.address(rest));
        }
        Ok(())
    }

    /// Joins the blocks of a run that was too short into one.
    fn close<M: Memory>(&mut self, around: &Around<'_, M>, run: Option<(u64, u64)>) -> Result<()> {
        if let Some((start, length)) = run {
            block::set_units(around.index.memory, self.address(start), length)?;
            self.exclude(start, start + length * UNIT);
        }
        Ok(())
    }

    /// Moves all positions out of this range: no block begins inside of it any more.
    fn exclude(&mut self, start: u64, end: u64) {
        for walker in self.walkers.iter_mut().flatten().filter(|walker| **walker > start && **walker < end) {
            *walker = end;
        }
    }

    /// Removes blocks from the index that could not be removed when they were evicted.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn finish_leaving<M: Memory>(&mut self, index: &Index<'_, M>, version: u64) -> Result<()> {
        while let Some(at) = self.leaving.last().copied() {
            let spot = self.address(at);
            let head = self.head(index.memory, at)?;
            if head.state.phase() == Phase::Leaving {
                let ending = index.ending(spot, &head)?;
                index.retire_replaced(spot, &head, 0)?;
                index.forget(spot, head.print)?;
                index.ended(Change::Evicted, ending);
                // Retired meanwhile, it is reclaimed as such.
                let free = BlockState::new(version, Phase::Free);
                if block::change_state(index.memory, spot, head.state, free)? {
                    self.free += head.units;
                }
            }
            self.leaving.pop();
        }
        Ok(())
    }

    /// Frees a block that was allocated and not published. Returns false if it is not in this arena.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn give_back<M: Memory>(&mut self, memory: &M, block: Spot, version: u64) -> Result<bool> {
        if block.rank != self.rank || !(self.start..self.end).contains(&block.offset) {
            return Ok(false);
        }
        let head = self.head(memory, block.offset)?;
        block::set_state(memory, block, BlockState::new(version, Phase::Free))?;
        self.free += head.units;
        Ok(true)
    }

    /// Reads the head at an offset, and checks that its length leads to another head or to the end.
    fn head<M: Memory>(&self, memory: &M, at: u64) -> Result<Head> {
        let head = Head::read(memory, self.address(at))?;
        let is_sound = head.units > 0 && head.units <= (self.end - at) / UNIT;
        is_sound.then_some(head).ok_or_else(|| {
            Error::new(Kind::Failed, OP)
                .what("the memory of the cache was overwritten")
                .with("rank", self.rank)
                .with("offset", at)
                .hint("a program of this job writes to the cache's pool by its addresses")
        })
    }

    /// Begins a walk over all blocks.
    pub(crate) fn begin_walk(&mut self, walk: Walk) {
        self.walkers[walk as usize] = Some(self.start);
    }

    /// Returns the next block of the walk; `None` at its end.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn walk<M: Memory>(&mut self, memory: &M, walk: Walk) -> Result<Option<(Spot, Head)>> {
        let Some(at) = self.walkers[walk as usize] else { return Ok(None) };
        if at >= self.end {
            self.walkers[walk as usize] = None;
            return Ok(None);
        }
        let head = self.head(memory, at)?;
        self.walkers[walk as usize] = Some(at + head.units * UNIT);
        Ok(Some((self.address(at), head)))
    }

    /// Adopts the arena of a dead manager: blocks that it was writing are given up, evictions that it had
    /// begun go on. Everything behind an invalid length is free.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn adopt<M: Memory>(
        &mut self,
        memory: &M,
        geometry: &Geometry,
        version: u64,
        quarantine: u64,
    ) -> Result<()> {
        let mut at = self.start;
        (self.free, self.is_adopted) = (0, true);
        while at < self.end {
            let spot = self.address(at);
            let Ok(head) = self.head(memory, at) else {
                write_free(memory, spot, (self.end - at) / UNIT, version)?;
                break;
            };
            match head.state.phase() {
                Phase::Free => self.free += head.units,
                Phase::Live | Phase::Retired => {}
                // Its slot may be cleared, and the key removed since: the value must not come back.
                Phase::Leaving => self.leaving.push(at),
                // A process that only seemed dead may still be writing there.
                Phase::Writing | Phase::Unknown => {
                    block::change_lease(memory, spot, &head, |_| quarantine)?;
                    block::set_state(memory, spot, head.state.to(Phase::Retired))?;
                    if let Some(zone) = geometry.zone_of(at) {
                        memory.add(Geometry::retired(self.rank, zone), head.units)?;
                    }
                }
            }
            at += head.units * UNIT;
        }
        Ok(())
    }
}
