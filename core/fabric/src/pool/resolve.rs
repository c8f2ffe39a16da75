// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver of pool addresses for transfers: mapped here, or in the memory of a remote member.

use std::ops::Deref;
use std::sync::Arc;

use mf_base::sync::pin::{Inside, Pinned};
use mf_base::{Error, Gva, MemKind, Rank, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality};

use super::Pool;
use super::copies::Side;
use crate::space::Place;
use crate::transfer::{self, End, Here, Lane, Memory, Mode, Resolver, Until, Wanted};
use mf_net::{Atomic, SegmentKey};

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
        section: Inside<'s>,
        address: u64,
        bytes: u64,
        access: Access,
    ) -> Result<Option<End<'s>>> {
        let pool = &*self.pool;
        if !pool.is_joined() {
            return Ok(None);
        }
        let side = if access == Access::Read { self.sides.0 } else { self.sides.1 };
        let place = pool.layout.locate(address);
        let locality = match pool.devices.mover() {
            Some(mover) => pool.locality(mover, address, side, access)?,
            None => Locality::Host,
        };
        let Some(place) = place else {
            let is_private = side != Side::Global && pool.layout.clears(address, bytes);
            return Ok(is_private.then_some(End::Here(Here { locality, memory: Memory::Private })));
        };
        if pool.extents.covers(place, bytes, access) {
            let memory = if place.rank == pool.rank { Memory::Own } else { Memory::Lent };
            return Ok(Some(End::Here(Here { locality, memory })));
        }
        let reached = pool.reached(section, place, bytes)?;
        Ok(reached.map(|reached| End::There { member: &reached.member, locality }))
    }

    fn refusal(&self, wanted: Wanted<'_>) -> Error {
        match wanted {
            Wanted::Piece(piece) => self.pool.explain(piece, self.sides),
            Wanted::Word { address, width } => self.pool.refused_word(address, width),
        }
    }

    fn devices(&self) -> &Devices {
        &self.pool.devices
    }

    fn share(&self) -> Option<Self::Share> {
        Some(Ends { pool: self.pool.share()?, sides: self.sides })
    }

    fn came_back(&self, (rank, key): (Rank, SegmentKey), error: &Error) -> bool {
        self.pool.came_back(rank, key, error)
    }

    unsafe fn copy_here(&self, section: &Pinned, pieces: &[Piece], mode: Mode) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.pool.copy_accepted(section, pieces, self.sides, mode) }
    }

    fn change_lent(&self, section: &Pinned, address: u64, atomic: Atomic) -> Result<u64> {
        self.pool.change_lent(section, Gva(address), atomic)
    }

    fn queue(&self, pieces: &[Piece]) -> Result<()> {
        self.pool.enqueue(pieces, self.sides)
    }
}

impl Pool {
    /// Returns a resolver for transfers with the given `sides` as source and destination. **Local.**
    pub fn ends(&self, sides: (Side, Side)) -> impl Resolver + '_ {
        Ends { pool: self, sides }
    }

    /// Returns a new lane over the transports of this pool, on which nothing is in flight. **Local.**
    pub fn lane(&self) -> Lane {
        self.carried.sibling()
    }

    /// Copies pieces of which at least one is not acceptable as a copy between mapped memory; `refused` is
    /// its index in a batch.
    ///
    /// # Errors
    /// As [`Pool::copy_batch`], and errors of the transport.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    #[cold]
    pub(super) unsafe fn carry(
        &self,
        section: &Pinned,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
        refused: Option<usize>,
    ) -> Result<()> {
        if self.remote.network().is_none() || !self.is_joined() {
            return Err(self.refusal(pieces, sides, refused));
        }
        self.check_process("copy")?;
        let ends = self.ends(sides);
        let until = match mode {
            Mode::Sync => Some(Until::Done),
            Mode::Async => Some(Until::Started),
            Mode::Stream(_) => self.devices.mover().is_none().then_some(Until::Done),
        };
        if let ([piece], Some(until)) = (pieces, until)
            // SAFETY: passed on to the caller.
            && let Some(result) = unsafe { self.carried.carry(&ends, section, piece, until) }
        {
            return result;
        }
        // SAFETY: passed on to the caller.
        unsafe { transfer::copy(&ends, &self.carried, section, pieces, mode) }
    }

    /// Returns address and length of the mapping of a rank's segment; `None` if it is not mapped here.
    /// **Local.** With [`keep_mappings`](super::Options::keep_mappings) it stays mapped as long as the pool
    /// lives.
    pub fn mapped(&self, kind: MemKind, rank: Rank) -> Option<(Gva, u64)> {
        let bytes = match rank == self.rank {
            true => self.local_bytes(kind),
            false => self.extents.readable_bytes(kind, rank),
        };
        let address = self.layout.address(kind, rank)?;
        (bytes > 0).then_some((address, bytes))
    }

    /// Returns the address of a range if it is mapped here and permits this access now; `None`
    /// otherwise. For host memory, and, as a device's address, for an accelerator's. Costs as much as a
    /// bounds check. **Local.**
    ///
    /// Memory of another member stays mapped as long as the section lasts; the own memory as long as the pool
    /// lives.
    #[inline(always)]
    pub fn direct(&self, _: Inside<'_>, place: Place, bytes: u64, access: Access) -> Option<Gva> {
        let is_usable =
            self.is_joined() && self.owner.is_current() && self.extents.covers(place, bytes, access);
        let start = if is_usable { self.layout.address(place.kind, place.rank) } else { None };
        start.map(|start| start.add(place.offset))
    }
}
