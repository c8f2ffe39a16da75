// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocator over the zones that this process manages, for the values of its programs.
//!
//! A process claims zones one at a time: in its own segment first, then in those of other members, the
//! nearest first; it evicts values only when no member has a free zone. Some zones of each segment are
//! reserved for its own member, and some for the replicas of others, so that early members cannot take
//! everything.

mod stubs;
mod zones;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::Result;

use crate::alloc_request::{AllocRequest, Purpose};
use crate::arena::{Arena, Around, Take, Walk};
use crate::atomic_fields::{Spot, UNIT};
use crate::block::Head;
use crate::index::{Index, unless_gone};
use crate::layout::Geometry;
use crate::memory::Memory;
use crate::view::Member;

/// Microseconds before a segment without a free zone is asked again.
const RETRY_US: u64 = 50_000;
/// When no member has free room, one put of so many searches for some; the others evict at once.
const SEEK_EVERY: u32 = 8;

#[derive(Default)]
pub(crate) struct Manager {
    managed: Mutex<Managed>,
    /// The latest version that was issued.
    version: AtomicU64,
}

#[derive(Default)]
struct Managed {
    arenas: Vec<Arena>,
    /// Time at which a segment had no zone for this process, by rank and purpose.
    refused: HashMap<(u16, Purpose), u64>,
    /// Size, in units, for which no member had room at the last search.
    full_for: Option<u64>,
    /// Values put since then.
    since: u32,
    /// No room was found since a zone was claimed.
    is_full: bool,
}

impl Manager {
    /// Returns a version larger than all earlier ones of this process and close to the time in microseconds,
    /// so that the versions of several processes follow the order of events.
    pub(crate) fn next_version(&self, time: u64) -> u64 {
        let next = |last: u64| Some(last.max(time) + 1);
        self.version.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap_or(time).max(time) + 1
    }

    /// Makes all later versions larger than this one.
    pub(crate) fn advance_version(&self, version: u64) {
        self.version.fetch_max(version, Ordering::Relaxed);
    }

    /// Allocates a block. Returns `None` if no member has room and all values of this process are leased.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn allocate<M: Memory>(
        &self,
        index: &Index<'_, M>,
        wanted: &AllocRequest<'_>,
    ) -> Result<Option<Spot>> {
        let mut managed = index.memory.lock(&self.managed);
        managed.drop_lost(index);
        if wanted.purpose.is_stub() {
            return self.allocate_stub(&mut managed, index, wanted);
        }
        let is_sought = managed.may_have_free(wanted);
        if is_sought {
            let found = self.free_anywhere(&mut managed, index, wanted)?;
            managed.note_free(wanted, found.is_some());
            if found.is_some() || matches!(wanted.purpose, Purpose::Restored | Purpose::Copy) {
                return Ok(found);
            }
        }
        match self.evict_for(&mut managed, index, wanted)? {
            None if !is_sought => self.free_anywhere(&mut managed, index, wanted),
            found => Ok(found),
        }
    }

    /// Allocates without eviction: in the preferred or own segment first, then in the nearest one that has
    /// room.
    fn free_anywhere<M: Memory>(
        &self,
        managed: &mut Managed,
        index: &Index<'_, M>,
        wanted: &AllocRequest<'_>,
    ) -> Result<Option<Spot>> {
        let first = index.view.latest().member(wanted.preferred.unwrap_or(index.me.rank));
        let first = first.filter(|_| wanted.elsewhere.is_empty());
        if let Some(first) = first {
            let found = self.free_at(managed, index, wanted, first);
            let found = if first.holder == index.me { found? } else { unless_gone(found)?.flatten() };
            if found.is_some() {
                return Ok(found);
            }
        }
        if wanted.purpose == Purpose::Copy {
            return Ok(None);
        }
        let mut members: Vec<Member> = index.view.latest().members().to_vec();
        members.retain(|member| !wanted.has(member.holder.rank) && first != Some(member));
        // A replica belongs on another host, where it does not die with the original. A value is faster near.
        let distance = |member: &Member| match wanted.purpose {
            Purpose::Value => (member.holder.rank != index.me.rank, !member.is_near),
            _ => (member.is_near, member.holder.rank == index.me.rank),
        };
        // The members after this one by rank come first, so that members do not all choose the same one.
        let turn = |member: &Member| member.holder.rank.wrapping_sub(index.me.rank);
        members.sort_by_key(|member| (distance(member), turn(member)));
        for member in &members {
            if let Some(block) = unless_gone(self.free_at(managed, index, wanted, member))?.flatten() {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    fn free_at<M: Memory>(
        &self,
        managed: &mut Managed,
        index: &Index<'_, M>,
        wanted: &AllocRequest<'_>,
        member: &Member,
    ) -> Result<Option<Spot>> {
        let rank = member.holder.rank;
        let around = self.surroundings(index, &member.geometry, wanted);
        let has_stubs = wanted.purpose.is_stub();
        let is_fit = |arena: &&mut Arena| arena.rank == rank && arena.has_stubs == has_stubs;
        for arena in managed.arenas.iter_mut().filter(is_fit) {
            if let Some(block) = arena.allocate(&around, wanted.units, Take::Free)? {
                return Ok(Some(block));
            }
        }
        // Zones are not claimed if even all of them together are too small.
        if wanted.units > member.geometry.data_bytes() / UNIT {
            return Ok(None);
        }
        let asked = (rank, wanted.purpose);
        if managed.refused.get(&asked).is_some_and(|at| wanted.now.wrapping_sub(*at) < RETRY_US) {
            return Ok(None);
        }
        while let Some(place) = self.claim(managed, index, wanted, member)? {
            let Some(arena) = managed.arenas.get_mut(place) else { break };
            if let Some(block) = arena.allocate(&around, wanted.units, Take::Free)? {
                return Ok(Some(block));
            }
        }
        managed.refused.insert(asked, wanted.now);
        Ok(None)
    }

    /// Evicts values from the arena with the fewest rounds of its hand; arenas of the preferred member come
    /// first.
    fn evict_for<M: Memory>(
        &self,
        managed: &mut Managed,
        index: &Index<'_, M>,
        wanted: &AllocRequest<'_>,
    ) -> Result<Option<Spot>> {
        managed.arenas.sort_by_key(|arena| {
            (wanted.preferred.is_some_and(|preferred| preferred != arena.rank), arena.rounds())
        });
        let latest = index.view.latest();
        let is_fit = |arena: &&mut Arena| !wanted.has(arena.rank) && !arena.has_stubs;
        for arena in managed.arenas.iter_mut().filter(is_fit) {
            let Some(member) = latest.member(arena.rank) else { continue };
            let around = self.surroundings(index, &member.geometry, wanted);
            let found = unless_gone(arena.allocate(&around, wanted.units, Take::Values))?;
            if let Some(block) = found.flatten() {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    fn surroundings<'a, M>(
        &self,
        index: &'a Index<'a, M>,
        geometry: &'a Geometry,
        wanted: &'a AllocRequest<'_>,
    ) -> Around<'a, M> {
        let AllocRequest { now, evicted, .. } = *wanted;
        Around { index, geometry, now: now / 1000, version: self.next_version(now), evicted }
    }

    /// Frees a block that was allocated and is not published.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn give_back<M: Memory>(&self, memory: &M, block: Spot) -> Result<()> {
        let version = self.next_version(memory.now());
        for arena in &mut memory.lock(&self.managed).arenas {
            if arena.give_back(memory, block, version)? {
                break;
            }
        }
        Ok(())
    }

    /// Finishes evictions that lacked an answer of the home.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn finish_leaving<M: Memory>(&self, index: &Index<'_, M>) -> Result<()> {
        if index.view.has_lost {
            return Ok(());
        }
        let version = self.next_version(index.memory.now());
        let mut managed = index.memory.lock(&self.managed);
        let mut arenas = managed.arenas.iter_mut();
        arenas.try_for_each(|arena| unless_gone(arena.finish_leaving(index, version)).map(drop))
    }

    /// Begins a walk over all blocks of this process.
    pub(crate) fn begin_walk<M: Memory>(&self, memory: &M, walk: Walk) {
        memory.lock(&self.managed).arenas.iter_mut().for_each(|arena| arena.begin_walk(walk));
    }

    /// Returns the next blocks of the walk, at most `most`, and whether the index may lack them; empty at its
    /// end.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn walk<M: Memory>(
        &self,
        memory: &M,
        walk: Walk,
        most: usize,
    ) -> Result<Vec<(Spot, Head, bool)>> {
        let mut blocks = Vec::with_capacity(most);
        for arena in &mut memory.lock(&self.managed).arenas {
            while blocks.len() < most
                && let Some((block, head)) = unless_gone(arena.walk(memory, walk))?.flatten()
            {
                blocks.push((block, head, arena.is_adopted));
            }
        }
        Ok(blocks)
    }

    /// Ends the walk: the index knows all blocks.
    pub(crate) fn end_walk<M: Memory>(&self, memory: &M) {
        memory.lock(&self.managed).arenas.iter_mut().for_each(|arena| arena.is_adopted = false);
    }

    /// Returns the range of each arena that should have pages, if `ahead` bytes before the hand are to have
    /// them.
    pub(crate) fn next_used<M: Memory>(&self, memory: &M, ahead: u64) -> Vec<(u16, Range<u64>)> {
        let managed = memory.lock(&self.managed);
        managed.arenas.iter().map(|arena| (arena.rank, arena.next_used(ahead))).collect()
    }

    /// Returns the bytes for values that this process manages, and the free ones among them.
    pub(crate) fn bytes<M: Memory>(&self, memory: &M) -> (u64, u64) {
        let managed = memory.lock(&self.managed);
        let arenas = || managed.arenas.iter().filter(|arena| !arena.has_stubs);
        let sum = |units: fn(&Arena) -> u64| arenas().map(units).sum::<u64>() * UNIT;
        (sum(Arena::units), sum(Arena::free_units))
    }
}

impl Managed {
    /// Returns true if a search for free room is worthwhile.
    fn may_have_free(&mut self, wanted: &AllocRequest<'_>) -> bool {
        let is_known = self.full_for.is_some_and(|units| wanted.units >= units);
        if !is_known || wanted.purpose != Purpose::Value || !wanted.elsewhere.is_empty() {
            return true;
        }
        self.since += 1;
        self.since >= SEEK_EVERY
    }

    /// Records whether free room was found.
    fn note_free(&mut self, wanted: &AllocRequest<'_>, is_found: bool) {
        if wanted.purpose == Purpose::Value && wanted.elsewhere.is_empty() {
            let least = self.full_for.map_or(wanted.units, |units| units.min(wanted.units));
            (self.full_for, self.since) = ((!is_found).then_some(least), 0);
            self.is_full |= !is_found;
        }
    }

    fn rounds(&self) -> u64 {
        self.arenas.iter().map(Arena::rounds).max().unwrap_or(0)
    }
}
