// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver of pool addresses for transfers: mapped here, or in the memory of a remote member.

use std::ops::Deref;
use std::sync::Arc;

use mf_base::sync::rcu::{ReadGuard, ReadSection};
use mf_base::{Error, Gva, MemKind, Rank, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality};
use mf_transport::{Atomic, SegmentKey};

use super::Pool;
use super::segments::Segments;
use super::side::Side;
use crate::space::PoolPlace;
use crate::transfer::{End, Here, LocalPiece, Memory, Mode, Resolver, Wanted};

const OP: &str = "copy";

/// A pool, and the required kinds of memory of both ends of a copy.
pub(super) struct PoolResolver<P> {
    pub(super) pool: P,
    pub(super) sides: (Side, Side),
}

impl<P: Deref<Target = Pool>> Resolver for PoolResolver<P> {
    type Share = PoolResolver<Arc<Pool>>;

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
        let memory = match place {
            None if side == Side::Global || !segments.layout.clears(address, bytes) => return Ok(None),
            None => Memory::Private,
            Some(place) if segments.extents.covers(place, bytes, access) => match place.rank {
                rank if rank == segments.me.rank => Memory::Own(place),
                _ => Memory::Lent(place),
            },
            Some(place) => {
                let Some(reached) = pool.reached(section, place, bytes)? else { return Ok(None) };
                segments.locality(Some(place), address, side, access)?;
                return Ok(Some(End::There(&reached.member)));
            }
        };
        let locality = segments.locality(place, address, side, access)?;
        Ok(Some(End::Here(Here { locality, memory })))
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
        Some(PoolResolver { pool: self.pool.share()?, sides: self.sides })
    }

    fn came_back(&self, (rank, key): (Rank, SegmentKey), error: &Error) -> bool {
        self.pool.came_back(rank, key, error)
    }

    unsafe fn local_copy(&self, section: &ReadGuard, pieces: &[LocalPiece], mode: Mode) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.pool.local_copy(section, pieces, self.sides, mode) }
    }

    fn change_lent(&self, section: &ReadGuard, address: u64, atomic: Atomic) -> Result<u64> {
        self.pool.change_lent(section, Gva(address), atomic)
    }

    fn queue(&self, pieces: &[Piece]) -> Result<()> {
        self.pool.enqueue(pieces.iter().copied(), self.sides)
    }
}

impl Segments {
    /// Determines the kind of memory at an end: a source is read, a destination written. `place`: where it
    /// lies in the pool.
    ///
    /// # Errors
    /// `InvalidParam` it is not the kind that the copy type promises.
    fn locality(
        &self,
        place: Option<PoolPlace>,
        address: u64,
        side: Side,
        access: Access,
    ) -> Result<Locality> {
        let Some(mover) = self.devices.mover() else { return Ok(Locality::Host) };
        let found = match place.map(|place| place.kind) {
            Some(MemKind::Device) => Locality::Device,
            Some(MemKind::Host) => Locality::Host,
            None => mover.locality(address),
        };
        match (side, found) {
            (Side::LocalHost, Locality::Device) => Err(self.wrong_kind(address, access, "host", "device")),
            (Side::LocalDevice, Locality::Host) => Err(self.wrong_kind(address, access, "device", "host")),
            _ => Ok(found),
        }
    }

    #[cold]
    fn wrong_kind(&self, address: u64, access: Access, promised: &str, found: &str) -> Error {
        let name = if access == Access::Read { "source" } else { "destination" };
        Error::invalid(
            OP,
            format!("the copy type promises {promised} memory at the {name}, where {found} memory is"),
        )
        .with("address", format!("{address:#x}"))
        .with("pool", self.me.id)
        .hint("use the copy type that fits the addresses, or AUTO")
    }
}
