// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address translation: from an own address to the same object at another PE. The only place for it, for all
//! operations.

use mf_base::{Error, Gva, MemKind, Rank, Result};

use super::{PeAddress, Space};
use crate::number::check_aligned;

impl Space {
    /// Returns the address here of the symmetric `dest` at PE `pe`; null if it is not mapped here.
    pub(crate) fn ptr(&self, dest: *const u8, pe: i32) -> *mut u8 {
        let place = self.table.resolve(dest, 1, pe).or_else(|| self.imported(dest, pe));
        place.unwrap_or(std::ptr::null_mut())
    }

    /// Returns true if an own address is in the symmetric memory of this PE. Accepts any address.
    #[inline]
    pub(crate) fn is_symmetric(&self, own: *const u8) -> bool {
        self.distance_of(own, 1, self.pe.my_pe()).is_some()
    }

    /// Translates a range to PE `pe`; `own` is its own address.
    ///
    /// # Errors
    /// `NotInit` · `InvalidParam` no such PE, or the range is not symmetric.
    #[inline]
    pub(crate) fn resolve(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: usize,
        pe: i32,
    ) -> Result<PeAddress> {
        match self.table.resolve(own, bytes, pe) {
            Some(address) => Ok(PeAddress::Mapped(address)),
            None => self.resolve_remote(operation, own, bytes as u64, pe).map(PeAddress::Remote),
        }
    }

    /// Returns the address in the pool of a PE's range.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    #[cold]
    pub(crate) fn resolve_remote(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: u64,
        pe: i32,
    ) -> Result<Gva> {
        self.pe.check(operation)?;
        let rank = self.pe.rank_of(operation, pe)?;
        let distance = self.distance_of(own, bytes, rank.0);
        let (kind, distance) = distance.ok_or_else(|| self.not_symmetric(operation, own, bytes, rank.0))?;
        Ok(self.pe.pool().address(kind, rank)?.add(distance))
    }

    /// Returns the kind of memory that contains an own range at PE `pe`, and its offset there; `None` if the
    /// range is not symmetric.
    pub(crate) fn distance_of(&self, own: *const u8, bytes: u64, pe: u32) -> Option<(MemKind, u64)> {
        let in_heap = self.heap_offset_of(own).filter(|offset| bytes <= self.heap_bytes() - offset);
        match in_heap {
            Some(offset) => Some((self.layout.segment.heap, self.layout.segment.heap_offset() + offset)),
            None => self.layout.statics.distance_of(own, bytes, pe).map(|distance| (MemKind::Host, distance)),
        }
    }

    /// Returns the address at which a PE's memory is mapped here, in a world with an accelerator, where
    /// operations of the world itself do not use it; `None` if it is not mapped.
    pub(crate) fn imported(&self, own: *const u8, pe: i32) -> Option<*mut u8> {
        let rank = self.pe.rank(pe)?;
        if self.mover().is_none() || !self.pe.is_open() {
            return None;
        }
        let (kind, distance) = self.distance_of(own, 1, rank.0)?;
        let (start, bytes) = self.pe.pool().mapped(kind, rank)?;
        (distance < bytes).then(|| start.add(distance).as_ptr())
    }

    /// Like [`imported`](Self::imported), for a whole range, with its kind of memory.
    pub(crate) fn imported_range(&self, own: *const u8, bytes: usize, pe: i32) -> Option<(MemKind, *mut u8)> {
        let rank = self.pe.rank(pe)?;
        let (kind, distance) = self.distance_of(own, bytes as u64, rank.0)?;
        let (start, mapped) = self.pe.pool().mapped(kind, rank)?;
        let is_mapped = distance.checked_add(bytes as u64).is_some_and(|end| end <= mapped);
        is_mapped.then(|| (kind, start.add(distance).as_ptr()))
    }

    /// Returns the offset of an own address in the heap; `None` if it is not inside.
    pub(crate) fn heap_offset_of(&self, own: *const u8) -> Option<u64> {
        let offset = (own.addr() as u64).checked_sub(self.layout.own_heap)?;
        (offset < self.heap_bytes()).then_some(offset)
    }

    /// Returns the own address at an offset in the heap.
    pub(crate) fn own_address(&self, offset: u64) -> *mut u8 {
        Gva(self.layout.own_heap + offset).as_ptr()
    }

    /// Returns the start of the own library area.
    pub(crate) fn own_library(&self) -> *mut u8 {
        Gva(self.layout.own_start + self.layout.segment.library_offset()).as_ptr()
    }

    /// Returns the start of a PE's library area, of [`LIBRARY_BYTES`](crate::segment::LIBRARY_BYTES).
    ///
    /// # Errors
    /// `InvalidParam` no such PE.
    pub(crate) fn library(&self, pe: u32) -> Result<PeAddress> {
        let library = self.layout.segment.library_offset();
        match self.host_start(pe) {
            0 => Ok(PeAddress::Remote(self.pe.pool().address(MemKind::Host, Rank(pe))?.add(library))),
            start => Ok(PeAddress::Mapped(Gva(start + library).as_ptr())),
        }
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
        let heap = self.layout.own_heap;
        let error = Error::invalid(operation, "the range is not in the symmetric memory of this PE")
            .with("address", format!("{:#x}", own.addr()))
            .with("bytes", bytes)
            .with("heap", format!("{heap:#x}..{:#x}", heap + self.heap_bytes()));
        self.layout.statics.explain(error, own, pe).hint(
            "symmetric arguments are own addresses in blocks of the symmetric heap, or of static variables of the \
             main program; nothing was done",
        )
    }

    /// Checks that adjacent words of this PE are symmetric and may be read.
    ///
    /// # Errors
    /// `InvalidParam` they are not symmetric, or not aligned to their width · `NotInit`.
    pub(crate) fn check_own(
        &self,
        operation: &'static str,
        own: *const u8,
        width: usize,
        count: usize,
    ) -> Result<()> {
        check_aligned(operation, own, width)?;
        self.pe.check(operation)?;
        let bytes = (count as u64).saturating_mul(width as u64);
        match self.distance_of(own, bytes, self.pe.my_pe()) {
            Some(_) => Ok(()),
            None => Err(self.not_symmetric(operation, own, bytes, self.pe.my_pe())),
        }
    }
}
