// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address translation: from an own address to the same object at another PE. The only place for it, for all
//! operations.

use mf_base::{Error, Gva, MemKind, Rank, Result};

use crate::World;

/// Address of a PE's object in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Mapped here, for loads and stores until the world ends.
    Mapped(*mut u8),
    /// Not mapped here: its address in the pool, for operations of a lane.
    Distant(Gva),
}

impl Place {
    /// Returns the place `bytes` behind this one, in the same object.
    pub(crate) fn add(self, bytes: u64) -> Self {
        match self {
            Self::Mapped(start) => Self::Mapped(Gva(start.addr() as u64 + bytes).as_ptr()),
            Self::Distant(start) => Self::Distant(start.add(bytes)),
        }
    }
}

impl World {
    /// Translates a range to PE `pe`; `own` is its own address.
    ///
    /// # Errors
    /// `NotInit` · `InvalidParam` no such PE, or the range is not symmetric.
    #[inline]
    pub(crate) fn place(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: usize,
        pe: i32,
    ) -> Result<Place> {
        match self.table().place(own, bytes, pe) {
            Some(place) => Ok(Place::Mapped(place)),
            None => self.distant(operation, own, bytes as u64, pe).map(Place::Distant),
        }
    }

    /// Returns the address in the pool of a PE's range.
    ///
    /// # Errors
    /// As [`place`](Self::place).
    #[cold]
    pub(crate) fn distant(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: u64,
        pe: i32,
    ) -> Result<Gva> {
        self.check(operation)?;
        let rank = self.rank_of(operation, pe)?;
        let distance = self.distance_of(own, bytes, rank.0);
        let (kind, distance) = distance.ok_or_else(|| self.not_symmetric(operation, own, bytes, rank.0))?;
        Ok(self.pool().address(kind, rank)?.add(distance))
    }

    /// Returns the kind of memory that contains an own range at PE `pe`, and its offset there; `None` if the
    /// range is not symmetric.
    pub(crate) fn distance_of(&self, own: *const u8, bytes: u64, pe: u32) -> Option<(MemKind, u64)> {
        let in_heap = self.heap_offset_of(own).filter(|offset| bytes <= self.heap_bytes() - offset);
        match in_heap {
            Some(offset) => Some((self.segment().heap, self.segment().heap_offset() + offset)),
            None => self.statics().distance_of(own, bytes, pe).map(|distance| (MemKind::Host, distance)),
        }
    }

    /// Returns the address at which a PE's memory is mapped here, in a world with an accelerator, where
    /// operations of the world itself do not use it; `None` if it is not mapped.
    pub(crate) fn imported(&self, own: *const u8, pe: i32) -> Option<*mut u8> {
        let rank = u32::try_from(pe).ok().filter(|pe| *pe < self.n_pes()).map(Rank)?;
        if self.mover().is_none() || self.check("").is_err() {
            return None;
        }
        let (kind, distance) = self.distance_of(own, 1, rank.0)?;
        let (start, bytes) = self.pool().mapped(kind, rank)?;
        (distance < bytes).then(|| start.add(distance).as_ptr())
    }

    /// Like [`imported`](Self::imported), for a whole range, with its kind of memory.
    pub(crate) fn imported_range(&self, own: *const u8, bytes: usize, pe: i32) -> Option<(MemKind, *mut u8)> {
        let rank = u32::try_from(pe).ok().filter(|pe| *pe < self.n_pes()).map(Rank)?;
        let (kind, distance) = self.distance_of(own, bytes as u64, rank.0)?;
        let (start, mapped) = self.pool().mapped(kind, rank)?;
        let is_mapped = distance.checked_add(bytes as u64).is_some_and(|end| end <= mapped);
        is_mapped.then(|| (kind, start.add(distance).as_ptr()))
    }

    /// Returns the offset of an own address in the heap; `None` if it is not inside.
    pub(crate) fn heap_offset_of(&self, own: *const u8) -> Option<u64> {
        let offset = (own.addr() as u64).checked_sub(self.heap_start().addr() as u64)?;
        (offset < self.heap_bytes()).then_some(offset)
    }

    /// Returns the own address at an offset in the heap.
    pub(crate) fn own_address(&self, offset: u64) -> *mut u8 {
        Gva(self.heap_start().addr() as u64 + offset).as_ptr()
    }

    /// Returns the start of the own library area.
    pub(crate) fn own_library(&self) -> *mut u8 {
        Gva(self.own_start() + self.segment().library_offset()).as_ptr()
    }

    /// Returns the start of a PE's library area, of [`LIBRARY_BYTES`](crate::segment::LIBRARY_BYTES).
    ///
    /// # Errors
    /// `InvalidParam` no such PE.
    pub(crate) fn library(&self, pe: u32) -> Result<Place> {
        let library = self.segment().library_offset();
        match self.host_start(pe) {
            0 => Ok(Place::Distant(self.pool().address(MemKind::Host, Rank(pe))?.add(library))),
            start => Ok(Place::Mapped(Gva(start + library).as_ptr())),
        }
    }

    /// Returns the rank of a PE.
    ///
    /// # Errors
    /// `InvalidParam` no such PE.
    pub(crate) fn rank_of(&self, operation: &'static str, pe: i32) -> Result<Rank> {
        let rank = u32::try_from(pe).ok().filter(|pe| *pe < self.n_pes());
        rank.map(Rank).ok_or_else(|| {
            Error::invalid(operation, "there is no such PE")
                .with("pe", pe)
                .with("n_pes", self.n_pes())
                .hint("PEs count from 0; nothing was done")
        })
    }

    /// Creates the error for `bytes` at an own address that do not name memory of PE `pe`.
    #[cold]
    pub(crate) fn not_symmetric(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: u64,
        pe: u32,
    ) -> Error {
        let heap = self.heap_start().addr() as u64;
        let error = Error::invalid(operation, "the range is not in the symmetric memory of this PE")
            .with("address", format!("{:#x}", own.addr()))
            .with("bytes", bytes)
            .with("heap", format!("{heap:#x}..{:#x}", heap + self.heap_bytes()));
        self.statics().explain(error, own, pe).hint(
            "symmetric arguments are own addresses in blocks of the symmetric heap, or of static variables of the \
             main program; nothing was done",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::LIBRARY_BYTES;
    use crate::{Config, Options};

    #[test]
    fn an_own_address_is_resolved_in_the_heap_alone() {
        let options =
            Options::open_shmem(Config::from_launcher_or_alone().unwrap()).unwrap().heap_bytes(2 << 20);
        let world = World::begin(options).unwrap();
        let heap = world.heap_start();
        assert_eq!(world.place("test", heap, 2 << 20, 0).unwrap(), Place::Mapped(heap));
        for (own, bytes) in [(heap.wrapping_sub(1), 1), (heap, (2 << 20) + 1), (world.own_library(), 8)] {
            let error = world.place("test", own, bytes, 0).unwrap_err();
            assert_eq!((error.code(), error.fact("bytes")), (-2000, Some(bytes.to_string().as_str())));
        }
        let library = world.library(0).unwrap();
        assert_eq!(library, Place::Mapped(world.own_library()));
        assert!(world.library(1).is_err());
        let last = Place::Mapped(Gva(world.own_library().addr() as u64 + LIBRARY_BYTES - 8).as_ptr());
        assert_eq!(library.add(LIBRARY_BYTES - 8), last);
        world.end().unwrap();
    }
}
