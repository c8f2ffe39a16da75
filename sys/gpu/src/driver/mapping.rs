// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory at chosen addresses, in several processes: addresses are reserved, memory is made without one, and
//! the two are brought together. Only CUDA's functions for it are known.

use std::ffi::c_int;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::{null_mut, without_provenance_mut};

use crate::operations::NAMES;
use crate::types::{Access, AllocationHandle, AllocationProperties, MemoryPlace};
use crate::{Driver, Primary, Result};

const DEVICE: c_int = 1;
const PINNED: c_int = 1;
const DESCRIPTOR: c_int = 1;
const LEAST: c_int = 0;
const READ_WRITE: c_int = 3;

fn place_of(device: &Primary) -> MemoryPlace {
    MemoryPlace { kind: DEVICE, number: device.device() }
}

impl AllocationProperties {
    /// Memory of a device that can be shared as a descriptor.
    fn from_device(device: &Primary) -> Self {
        Self { kind: PINNED, shared: DESCRIPTOR, place: place_of(device), security: null_mut(), wishes: 0 }
    }
}

impl Driver {
    /// Returns true if the driver has all functions for mapping memory at chosen addresses and sharing it.
    ///
    /// # Errors
    /// `NotSupported` names the first that it lacks.
    pub fn can_map(&self) -> Result<()> {
        let own = &self.operations;
        let there = [
            (own.granularity.is_some(), NAMES.granularity),
            (own.reserve_addresses.is_some(), NAMES.reserve_addresses),
            (own.free_addresses.is_some(), NAMES.free_addresses),
            (own.make_memory.is_some(), NAMES.make_memory),
            (own.release_memory.is_some(), NAMES.release_memory),
            (own.map_memory.is_some(), NAMES.map_memory),
            (own.unmap_memory.is_some(), NAMES.unmap_memory),
            (own.set_access.is_some(), NAMES.set_access),
            (own.export_memory.is_some(), NAMES.export_memory),
            (own.import_memory.is_some(), NAMES.import_memory),
            (own.fill.is_some(), NAMES.fill),
        ];
        match there.iter().find(|(is_there, _)| !is_there).map(|(_, names)| names[self.vendor.index()]) {
            None => Ok(()),
            Some("") => Err(self.lacks(MAPPING)),
            Some(name) => Err(self.lacks(name)),
        }
    }

    /// In multiples of how many bytes memory of a device is made. In any thread.
    ///
    /// # Errors
    /// The driver's: the device does not map memory at chosen addresses.
    pub fn granularity(&self, device: &Primary) -> Result<u64> {
        let ask = self.operations.granularity.ok_or_else(|| self.lacks(MAPPING))?;
        let (mut bytes, sort) = (0, AllocationProperties::from_device(device));
        // SAFETY: writes one number, reads one description.
        self.check(&NAMES.granularity, unsafe { ask(&raw mut bytes, &raw const sort, LEAST) })?;
        Ok(bytes as u64)
    }

    /// Reserves addresses, at `wished` where they are free and elsewhere where not; the first of them.
    ///
    /// # Errors
    /// The driver's: not in its multiples, or no such addresses.
    pub fn reserve_addresses(&self, wished: u64, bytes: usize) -> Result<u64> {
        let reserve = self.operations.reserve_addresses.ok_or_else(|| self.lacks(MAPPING))?;
        let mut first = 0;
        // SAFETY: writes one number; the reserved range is not mapped.
        let status = unsafe { reserve(&raw mut first, bytes, 0, wished, 0) };
        self.check(&NAMES.reserve_addresses, status)?;
        Ok(first)
    }

    /// Gives a whole reservation back.
    ///
    /// # Errors
    /// The driver's: something is mapped there.
    ///
    /// # Safety
    /// The addresses must no longer be in use.
    pub unsafe fn free_addresses(&self, first: u64, bytes: usize) -> Result<()> {
        let free = self.operations.free_addresses.ok_or_else(|| self.lacks(MAPPING))?;
        // SAFETY: the addresses are no longer in use, by contract.
        self.check(&NAMES.free_addresses, unsafe { free(first, bytes) })
    }

    /// Makes memory of a device, without an address and with any content.
    ///
    /// # Errors
    /// The driver's: out of memory, not in its multiples.
    pub fn make_memory(&self, device: &Primary, bytes: usize) -> Result<AllocationHandle> {
        let make = self.operations.make_memory.ok_or_else(|| self.lacks(MAPPING))?;
        let (mut made, sort) = (0, AllocationProperties::from_device(device));
        // SAFETY: writes one number, reads one description.
        self.check(&NAMES.make_memory, unsafe { make(&raw mut made, bytes, &raw const sort, 0) })?;
        Ok(AllocationHandle(made))
    }

    /// Releases a handle. The memory stays mapped, and importers keep it.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The handle is not used again.
    pub unsafe fn release_memory(&self, made: AllocationHandle) -> Result<()> {
        let release = self.operations.release_memory.ok_or_else(|| self.lacks(MAPPING))?;
        // SAFETY: the handle is not used again, by contract.
        self.check(&NAMES.release_memory, unsafe { release(made.0) })
    }

    /// Maps all of it into reserved addresses. The caller must not access it before
    /// [`give_access`](Self::give_access).
    ///
    /// # Errors
    /// The driver's: not reserved, or something is mapped there.
    ///
    /// # Safety
    /// The addresses are the caller's.
    pub unsafe fn map_memory(&self, address: u64, bytes: usize, made: AllocationHandle) -> Result<()> {
        let map = self.operations.map_memory.ok_or_else(|| self.lacks(MAPPING))?;
        // SAFETY: the addresses are the caller's, by contract.
        self.check(&NAMES.map_memory, unsafe { map(address, bytes, 0, made.0, 0) })
    }

    /// Gives a device read and write access to mapped memory.
    ///
    /// # Errors
    /// The driver's: the device cannot reach this memory.
    ///
    /// # Safety
    /// As for [`map_memory`](Self::map_memory), which mapped exactly this.
    pub unsafe fn give_access(&self, address: u64, bytes: usize, device: &Primary) -> Result<()> {
        let set = self.operations.set_access.ok_or_else(|| self.lacks(MAPPING))?;
        let access = Access { who: place_of(device), rights: READ_WRITE };
        // SAFETY: reads one description; the rest is passed on to the caller.
        self.check(&NAMES.set_access, unsafe { set(address, bytes, &raw const access, 1) })
    }

    /// Ends [`map_memory`](Self::map_memory) of exactly this.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The memory must no longer be in use at this address.
    pub unsafe fn unmap_memory(&self, address: u64, bytes: usize) -> Result<()> {
        let unmap = self.operations.unmap_memory.ok_or_else(|| self.lacks(MAPPING))?;
        // SAFETY: the addresses are the caller's, by contract.
        self.check(&NAMES.unmap_memory, unsafe { unmap(address, bytes) })
    }

    /// A descriptor of memory that was made here.
    ///
    /// # Errors
    /// The driver's: it cannot be shared, or no descriptor is left.
    pub fn export_memory(&self, made: AllocationHandle) -> Result<OwnedFd> {
        let export = self.operations.export_memory.ok_or_else(|| self.lacks(MAPPING))?;
        let mut descriptor: c_int = -1;
        // SAFETY: writes one descriptor.
        let status = unsafe { export((&raw mut descriptor).cast(), made.0, DESCRIPTOR, 0) };
        self.check(&NAMES.export_memory, status)?;
        if descriptor < 0 {
            return Err(self.refused(&NAMES.export_memory, status));
        }
        // SAFETY: the driver has just opened it for its caller.
        Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }

    /// A handle of the memory that a descriptor of another process names; the descriptor stays the caller's.
    ///
    /// # Errors
    /// The driver's: it names no memory, or memory that is out of reach.
    pub fn import_memory(&self, descriptor: BorrowedFd<'_>) -> Result<AllocationHandle> {
        let import = self.operations.import_memory.ok_or_else(|| self.lacks(MAPPING))?;
        let mut made = 0;
        let number = usize::try_from(descriptor.as_raw_fd()).unwrap_or(usize::MAX);
        // SAFETY: writes one number; the descriptor is passed as a number in the place of an address.
        let status = unsafe { import(&raw mut made, without_provenance_mut(number), DESCRIPTOR) };
        self.check(&NAMES.import_memory, status)?;
        Ok(AllocationHandle(made))
    }

    /// Sets bytes to zero. They are when the default stream is done.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The range is memory of the selected device that no other code uses.
    pub unsafe fn clear(&self, address: u64, bytes: usize) -> Result<()> {
        let fill = self.operations.fill.ok_or_else(|| self.lacks(MAPPING))?;
        // SAFETY: no other code uses the range, by contract.
        self.check(&NAMES.fill, unsafe { fill(address, 0, bytes) })
    }
}

const MAPPING: &str = "memory at chosen addresses";
