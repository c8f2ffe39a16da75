// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver of pool addresses for transfers: mapped here, or in the memory of a remote member.

use std::ops::Deref;
use std::sync::Arc;

use mf_base::sync::rcu::{ReadGuard, ReadSection};
use mf_base::{Error, Gva, Rank, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality};
use mf_transport::{Atomic, SegmentKey};

use super::Pool;
use super::side::Side;
use crate::transfer::{End, Here, Memory, Mode, Resolver, Wanted};

/// A pool, and the required kinds of memory of both ends of a copy.
pub(super) struct Ends<P> {
    pub(super) pool: P,
    pub(super) sides: (Side, Side),
}

impl<P: Deref<Target = Pool>> Resolver for Ends<P> {
    type Share = Ends<Arc<Pool>>;

    #[inline]
    fn resolve<'s>(
        &'s self,
        section: ReadSection<'s>,
        address: u64,
        bytes: u64,
        access: Access,
    ) -> Result<Option<End<'s>>> {
        let (pool, segments) = (&*self.pool, &self.pool.segments);
        if !pool.is_joined() {
            return Ok(None);
        }
        let side = if access == Access::Read { self.sides.0 } else { self.sides.1 };
        let place = segments.layout.locate(address);
        let locality = match segments.devices.mover() {
            Some(mover) => segments.locality(mover, address, side, access)?,
            None => Locality::Host,
        };
        let Some(place) = place else {
            let is_private = side != Side::Global && segments.layout.clears(address, bytes);
            return Ok(is_private.then_some(End::Here(Here { locality, memory: Memory::Private })));
        };
        if segments.extents.covers(place, bytes, access) {
            let memory = if place.rank == segments.me.rank { Memory::Own } else { Memory::Lent };
            return Ok(Some(End::Here(Here { locality, memory })));
        }
        let reached = pool.reached(section, place, bytes)?;
        Ok(reached.map(|reached| End::There { member: &reached.member, locality }))
    }

    fn refusal(&self, wanted: Wanted<'_>) -> Error {
        match wanted {
            Wanted::Piece(piece) => self.pool.refusals().of_piece(piece, self.sides),
            Wanted::Word { address, width } => self.pool.refused_word(address, width),
        }
    }

    fn devices(&self) -> &Devices {
        &self.pool.segments.devices
    }

    fn share(&self) -> Option<Self::Share> {
        Some(Ends { pool: self.pool.share()?, sides: self.sides })
    }

    fn came_back(&self, (rank, key): (Rank, SegmentKey), error: &Error) -> bool {
        self.pool.came_back(rank, key, error)
    }

    unsafe fn copy_local(&self, section: &ReadGuard, pieces: &[Piece], mode: Mode) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.pool.copy_mapped(section, pieces, self.sides, mode) }
    }

    fn change_lent(&self, section: &ReadGuard, address: u64, atomic: Atomic) -> Result<u64> {
        self.pool.change_lent(section, Gva(address), atomic)
    }

    fn queue(&self, pieces: &[Piece]) -> Result<()> {
        self.pool.enqueue(pieces, self.sides)
    }
}
