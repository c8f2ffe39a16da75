// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Zones: claimed from segments, adopted from dead processes, joined to arenas.

use mf_base::Result;

use super::{Managed, Manager};
use crate::alloc_request::{AllocRequest, Purpose};
use crate::arena::Arena;
use crate::atomic_fields::{Claim, Spot, UNIT};
use crate::block::write_free;
use crate::index::{Index, unless_gone};
use crate::layout::Geometry;
use crate::memory::Memory;
use crate::view::Member;

/// Time for which nothing is written to blocks that a process taken for dead may still be writing.
const QUARANTINE_MS: u64 = 60_000;

impl Manager {
    /// Claims one more zone of a member. Returns the position of its arena; `None` if the member has no zone
    /// for this process.
    pub(super) fn claim<M: Memory>(
        &self,
        managed: &mut Managed,
        index: &Index<'_, M>,
        wanted: &AllocRequest<'_>,
        member: &Member,
    ) -> Result<Option<usize>> {
        let (memory, geometry, rank) = (index.memory, &member.geometry, member.holder.rank);
        let claims = read_claims(memory, rank, geometry)?;
        let is_own = rank == index.me.rank;
        let mine = claims.iter().filter(|claim| claim.holder() == Some(index.me)).count();
        let others = index.view.latest().members().len() > 1;
        let free = claims.iter().filter(|claim| **claim == Claim::NONE).count();
        // Reserved for the segment's own member, side by side, if it starts when all others are taken.
        let own_share = (claims.len() / 8).max(1);
        let kept = match wanted.purpose {
            _ if is_own && others && mine >= own_share => claims.len() / 8,
            _ if is_own => 0,
            Purpose::Replica | Purpose::Restored if mine == 0 => own_share,
            _ => (claims.len() / 4).max(1),
        };
        let is_stub = wanted.purpose.is_stub();
        let stub_zones = managed.arenas.iter().filter(|arena| arena.has_stubs);
        let stub_zones: u64 = stub_zones.map(|arena| (arena.end - arena.start) / geometry.zone_bytes).sum();
        if free <= kept || is_stub && stub_zones >= (geometry.zones / 8).max(1) {
            return Ok(None);
        }
        // In others' segments from the end, so that the rest stays in one piece.
        let mut numbers: Vec<u64> = (0..geometry.zones).collect();
        if !is_own || is_stub {
            numbers.reverse();
        }
        let is_adjacent = |number: &u64| {
            let (start, end) = (geometry.zone(*number), geometry.zone(number + 1));
            managed.arenas.iter().any(|arena| {
                let is_like = arena.rank == rank && arena.has_stubs == is_stub;
                is_like && (arena.end == start || arena.start == end)
            })
        };
        numbers.sort_by_key(|number| !is_adjacent(number));
        for number in numbers {
            let at = Geometry::claim(rank, number);
            let fresh = Claim::fresh(index.me);
            let is_free =
                usize::try_from(number).ok().and_then(|number| claims.get(number)) == Some(&Claim::NONE);
            if !is_free || memory.compare_swap(at, Claim::NONE.0, fresh.0)? != Claim::NONE.0 {
                continue;
            }
            let (start, end) = (geometry.zone(number), geometry.zone(number + 1));
            write_free(
                memory,
                Spot { rank, offset: start },
                (end - start) / UNIT,
                self.next_version(wanted.now),
            )?;
            memory.store(Geometry::retired(rank, number), 0)?;
            managed.is_full = false;
            return managed.add(index, geometry, (rank, number), is_stub).map(Some);
        }
        Ok(None)
    }

    /// Adopts zones of the own segment that lost their managers, and drops zones of lost segments.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn adopt<M: Memory>(&self, index: &Index<'_, M>, now: u64) -> Result<()> {
        let (memory, me) = (index.memory, index.me);
        let Some(geometry) = index.view.latest().member(me.rank).map(|member| member.geometry) else {
            return Ok(());
        };
        let is_orphan = |claim: &Claim| {
            claim.holder().is_some_and(|by| by != me && !index.view.latest().has(by) && !index.is_present(by))
        };
        let mut managed = index.memory.lock(&self.managed);
        // A member that has started again has a new segment under the rank of the former one.
        managed.drop_lost(index);
        let mut open: Option<Arena> = None;
        let mut adopted = Vec::new();
        for (number, claim) in (0..).zip(read_claims(memory, me.rank, &geometry)?) {
            let at = Geometry::claim(me.rank, number);
            let (start, end) = (geometry.zone(number), geometry.zone(number + 1));
            if !is_orphan(&claim) || memory.compare_swap(at, claim.0, claim.adopted(me).0)? != claim.0 {
                adopted.extend(open.take());
                continue;
            }
            if claim.is_fresh() {
                write_free(
                    memory,
                    Spot { rank: me.rank, offset: start },
                    (end - start) / UNIT,
                    self.next_version(now),
                )?;
                memory.store(at, claim.adopted(me).begun().0)?;
            }
            match &mut open {
                Some(arena) if claim.is_continued() => arena.end = end,
                _ => adopted.extend(open.replace(Arena::new(me.rank, start, end, 0))),
            }
        }
        adopted.extend(open);
        let rounds = managed.rounds();
        for mut arena in adopted {
            arena.adopt(memory, &geometry, self.next_version(now), now / 1000 + QUARANTINE_MS)?;
            arena.set_rounds(rounds);
            managed.arenas.push(arena);
        }
        Ok(())
    }
}

impl Managed {
    /// Adds a claimed, free zone. Returns the position of its arena.
    fn add<M: Memory>(
        &mut self,
        index: &Index<'_, M>,
        geometry: &Geometry,
        (rank, number): (u16, u64),
        has_stubs: bool,
    ) -> Result<usize> {
        let memory = index.memory;
        let (start, end) = (geometry.zone(number), geometry.zone(number + 1));
        let claim = Claim::fresh(index.me);
        let is_like = |arena: &Arena| arena.rank == rank && arena.has_stubs == has_stubs;
        let mut arenas = self.arenas.iter_mut().enumerate();
        if let Some((place, below)) = arenas.find(|(_, arena)| is_like(arena) && arena.end == start) {
            memory.store(Geometry::claim(rank, number), claim.continued().0)?;
            below.join(start, end);
            return Ok(place);
        }
        memory.store(Geometry::claim(rank, number), claim.begun().0)?;
        let mut arenas = self.arenas.iter_mut().enumerate();
        if let Some((place, above)) = arenas.find(|(_, arena)| is_like(arena) && arena.start == end) {
            memory.store(Geometry::claim(rank, number + 1), claim.continued().0)?;
            above.join(start, end);
            return Ok(place);
        }
        let mut arena = Arena::new(rank, start, end, (end - start) / UNIT);
        arena.set_rounds(self.rounds());
        arena.has_stubs = has_stubs;
        self.arenas.push(arena);
        Ok(self.arenas.len() - 1)
    }

    /// Drops arenas of segments that are gone, or that others have taken over because they took this process
    /// for dead. An arena stays if its claim cannot be read now.
    pub(super) fn drop_lost<M: Memory>(&mut self, index: &Index<'_, M>) {
        self.arenas.retain(|arena| {
            let geometry = index.view.latest().member(arena.rank).map(|member| member.geometry);
            let Some(zone) = geometry.and_then(|geometry| geometry.zone_of(arena.start)) else {
                return false;
            };
            match unless_gone(index.memory.load(Geometry::claim(arena.rank, zone))) {
                Ok(claim) => claim.is_some_and(|claim| Claim(claim).holder() == Some(index.me)),
                Err(_) => true,
            }
        });
    }
}

pub(super) fn read_claims<M: Memory>(memory: &M, rank: u16, geometry: &Geometry) -> Result<Vec<Claim>> {
    Ok(geometry.table(memory, Geometry::claim(rank, 0))?.into_iter().map(Claim).collect())
}
