// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Room for the tier on disk: zones of stubs, and values that leave memory.

use mf_base::Result;

use super::zones::read_claims;
use super::{Managed, Manager};
use crate::alloc_request::{AllocRequest, Purpose};
use crate::arena::{Around, Take, Walk};
use crate::atomic_fields::{Claim, Spot};
use crate::block::Head;
use crate::index::{Index, unless_gone};
use crate::memory::Memory;

impl Manager {
    /// Allocates a stub: in the zones of stubs, of which there are an eighth of all at most. Old stubs are
    /// evicted for it.
    pub(super) fn allocate_stub<M: Memory>(
        &self,
        managed: &mut Managed,
        index: &Index<'_, M>,
        wanted: &AllocRequest<'_>,
    ) -> Result<Option<Spot>> {
        let Some(own) = index.view.latest().member(index.me.rank).copied() else { return Ok(None) };
        if let Some(block) = self.free_at(managed, index, wanted, &own)? {
            return Ok(Some(block));
        }
        let may_evict = wanted.purpose == Purpose::Stub;
        let around = self.surroundings(index, &own.geometry, wanted);
        for arena in managed.arenas.iter_mut().filter(|arena| arena.has_stubs && may_evict) {
            if let Some(block) = arena.allocate(&around, wanted.units, Take::Values)? {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    /// Claims a zone for stubs, before values take all.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn reserve_stubs<M: Memory>(&self, index: &Index<'_, M>, now: u64) -> Result<()> {
        let mut managed = index.memory.lock(&self.managed);
        let Some(own) = index.view.latest().member(index.me.rank).copied() else { return Ok(()) };
        let wanted = AllocRequest {
            units: 1,
            purpose: Purpose::Stub,
            preferred: None,
            elsewhere: &[],
            now,
            evicted: &|| {},
        };
        self.claim(&mut managed, index, &wanted, &own).map(drop)
    }

    /// Returns values that should leave memory for the disk, at most about `most` blocks further on. None
    /// while zones are free.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn next_to_demote<M: Memory>(
        &self,
        index: &Index<'_, M>,
        now: u64,
        most: u32,
    ) -> Result<Vec<(Spot, Head)>> {
        let mut managed = index.memory.lock(&self.managed);
        let latest = index.view.latest();
        let Some(own) = latest.member(index.me.rank) else { return Ok(Vec::new()) };
        // A member that is alone knows that before a put finds it.
        let has_others = latest.members().len() > 1;
        let may_claim = || {
            Ok(has_others
                || read_claims(index.memory, own.holder.rank, &own.geometry)?.contains(&Claim::NONE))
        };
        if !managed.is_full && may_claim()? {
            return Ok(Vec::new());
        }
        managed.drop_lost(index);
        let mut values = Vec::new();
        for arena in managed.arenas.iter_mut().filter(|arena| !arena.has_stubs) {
            let Some(member) = latest.member(arena.rank) else { continue };
            let version = self.next_version(now);
            let around =
                Around { index, geometry: &member.geometry, now: now / 1000, version, evicted: &|| {} };
            values.extend(unless_gone(arena.next_to_demote(&around, most))?.unwrap_or_default());
        }
        Ok(values)
    }

    /// Returns the next stubs of a walk, at most `most`; empty at its end.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn next_stubs<M: Memory>(&self, memory: &M, most: usize) -> Result<Vec<(Spot, Head)>> {
        let mut stubs = Vec::new();
        let mut managed = memory.lock(&self.managed);
        for arena in managed.arenas.iter_mut().filter(|arena| arena.has_stubs) {
            while stubs.len() < most
                && let Some(stub) = arena.walk(memory, Walk::Scrub)?
            {
                stubs.push(stub);
            }
        }
        Ok(stubs)
    }

    /// Makes the next put search for free room: values have left memory.
    pub(crate) fn note_room<M: Memory>(&self, memory: &M) {
        memory.lock(&self.managed).full_for = None;
    }

    /// Leaves a block with an unfinished eviction to [`finish_leaving`](Self::finish_leaving).
    pub(crate) fn note_leaving<M: Memory>(&self, memory: &M, block: Spot) {
        memory.lock(&self.managed).arenas.iter_mut().any(|arena| arena.note_leaving(block));
    }
}
