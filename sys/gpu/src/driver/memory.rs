// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of devices and pinned memory of the host.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

use crate::operations::NAMES;
use crate::{Driver, Primary, Result, Vendor};

/// Kinds of device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Any.
    Plain,
    /// Such that network devices reach it.
    Peerable,
}

/// Kind of memory at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressKind {
    /// Unknown to the driver: host memory of the program, or unmapped.
    Unknown,
    /// Host memory that the driver has pinned.
    Pinned,
    /// Memory of the device of this number.
    Device(i32),
}

const MEMORY_TYPE: c_int = 2;
const DEVICE_ORDINAL: c_int = 9;
/// Host memory is pinned for all contexts, and mapped.
const PORTABLE_MAPPED: c_uint = 3;

impl Driver {
    /// Allocates memory of the selected device.
    ///
    /// # Errors
    /// The driver's: out of memory.
    pub fn allocate(&self, bytes: usize, memory: Memory) -> Result<u64> {
        let mut address = 0;
        let (names, allocate) = match (memory, self.operations.allocate_peerable) {
            (Memory::Peerable, Some(allocate)) => (&NAMES.allocate_peerable, allocate),
            _ => (&NAMES.allocate, self.operations.allocate),
        };
        // SAFETY: writes one number.
        self.check(names, unsafe { allocate(&raw mut address, bytes) })?;
        Ok(address)
    }

    /// Gives back what [`allocate`](Self::allocate) gave.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The memory must no longer be in use.
    pub unsafe fn free(&self, address: u64) -> Result<()> {
        // SAFETY: the memory is no longer in use, by contract.
        self.check(&NAMES.free, unsafe { (self.operations.free)(address) })
    }

    /// Allocates pinned host memory that every device reaches.
    ///
    /// # Errors
    /// The driver's: out of memory.
    pub fn allocate_host(&self, bytes: usize) -> Result<*mut c_void> {
        let mut address = null_mut();
        let at = &raw mut address;
        let (names, status) = match (self.operations.allocate_host, self.operations.plain_allocate_host) {
            // SAFETY: writes one pointer.
            (Some(allocate), _) => (&NAMES.allocate_host, unsafe { allocate(at, bytes, PORTABLE_MAPPED) }),
            // SAFETY: writes one pointer.
            (_, Some(allocate)) => (&NAMES.plain_allocate_host, unsafe { allocate(at, bytes) }),
            _ => return Err(self.lacks("pinned host memory")),
        };
        self.check(names, status)?;
        Ok(address)
    }

    /// Gives back what [`allocate_host`](Self::allocate_host) gave.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The memory must no longer be in use.
    pub unsafe fn free_host(&self, address: *mut c_void) -> Result<()> {
        // SAFETY: the memory is no longer in use, by contract.
        self.check(&NAMES.free_host, unsafe { (self.operations.free_host)(address) })
    }

    /// Pins memory of the program.
    ///
    /// # Errors
    /// The driver's: it is pinned already, or cannot be.
    ///
    /// # Safety
    /// The range stays mapped until [`unregister`](Self::unregister).
    pub unsafe fn register(&self, address: *mut c_void, bytes: usize) -> Result<()> {
        let register = self.operations.register.ok_or_else(|| self.lacks("pinning of host memory"))?;
        // SAFETY: the range stays mapped until `unregister`, by contract.
        self.check(&NAMES.register, unsafe { register(address, bytes, PORTABLE_MAPPED) })
    }

    /// Ends [`register`](Self::register).
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// No copy uses the range.
    pub unsafe fn unregister(&self, address: *mut c_void) -> Result<()> {
        let unregister = self.operations.unregister.ok_or_else(|| self.lacks("pinning of host memory"))?;
        // SAFETY: no copy uses the range, by contract.
        self.check(&NAMES.unregister, unsafe { unregister(address) })
    }

    /// Returns the kind of memory at an address. Cambricon's driver only knows whether it is an allocation;
    /// then it counts as one of `selected`, the device that the caller has selected.
    pub fn kind_of(&self, selected: &Primary, address: u64) -> AddressKind {
        if self.operations.attribute.is_some() {
            return self.kind_of_any(address);
        }
        let known = self.range(address).is_ok();
        if known { AddressKind::Device(selected.device()) } else { AddressKind::Unknown }
    }

    /// Returns the kind of memory at an address without a selected device. Cambricon's driver cannot
    /// distinguish them.
    pub fn kind_of_any(&self, address: u64) -> AddressKind {
        let (mut kind, mut device): (c_int, c_int) = (0, 0);
        let mut to: [*mut c_void; 2] = [(&raw mut kind).cast(), (&raw mut device).cast()];
        let status = match (self.operations.attributes, self.operations.attribute) {
            (Some(attributes), _) => {
                let mut which = [MEMORY_TYPE, DEVICE_ORDINAL];
                // SAFETY: writes two numbers; the driver searches for the address.
                unsafe { attributes(2, which.as_mut_ptr(), to.as_mut_ptr(), address) }
            }
            // SAFETY: writes one number; the driver searches for the address.
            (_, Some(attribute)) => match unsafe { attribute(to[0], MEMORY_TYPE, address) } {
                // SAFETY: writes one number; the driver searches for the address.
                0 => unsafe { attribute(to[1], DEVICE_ORDINAL, address) },
                refused => refused,
            },
            _ => return AddressKind::Unknown,
        };
        match status {
            0 if !self.knows(kind) => AddressKind::Unknown,
            0 if self.is_device(kind) => AddressKind::Device(device),
            0 => AddressKind::Pinned,
            _ => AddressKind::Unknown,
        }
    }

    /// From version 6 on, HIP numbers memory kinds differently and has one for unknown addresses.
    fn hip_is_old(&self) -> bool {
        self.vendor == Vendor::Amd && self.version.is_some_and(|version| version.major < 6)
    }

    fn knows(&self, kind: c_int) -> bool {
        self.hip_is_old() || kind != 0
    }

    fn is_device(&self, kind: c_int) -> bool {
        kind == if self.hip_is_old() { 1 } else { 2 }
    }

    /// Base and length of the allocation around an address.
    ///
    /// # Errors
    /// The driver's: it does not know the address.
    pub fn range(&self, address: u64) -> Result<(u64, u64)> {
        let range = self.operations.range.ok_or_else(|| self.lacks("ranges of allocations"))?;
        let (mut base, mut bytes) = (0, 0);
        // SAFETY: writes two numbers; the driver searches for the address.
        self.check(&NAMES.range, unsafe { range(&raw mut base, &raw mut bytes, address) })?;
        Ok((base, bytes as u64))
    }
}
