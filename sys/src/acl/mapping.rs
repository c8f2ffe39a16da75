// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Virtual memory: addresses are reserved, physical memory is made, and the one is mapped at the other.

use std::ffi::c_void;

use super::{Access, Acl, Granularity, Location, Physical, call};
use crate::loader::Library;
use crate::raw::types::*;
use crate::{AclError, Class, Result};

impl Acl {
    /// Reserves addresses for mappings; `hint` null lets CANN choose, anything else is taken exactly or
    /// refused.
    ///
    /// # Errors
    /// [`InvalidArgument`](Class::InvalidArgument) for a hint outside CANN's window or misaligned ·
    /// [`OutOfMemory`](Class::OutOfMemory) when the range is in use.
    pub fn reserve(&self, bytes: usize, hint: *mut c_void, flags: u64) -> Result<*mut c_void> {
        let mut address = std::ptr::null_mut();
        call!(self, aclrtReserveMemAddress(&raw mut address, bytes, 0, hint, flags))?;
        Ok(address)
    }

    /// Gives reserved addresses back.
    ///
    /// # Errors
    /// ACL's: not the start of a reservation, or something is mapped there.
    ///
    /// # Safety
    /// The addresses is not used again.
    pub unsafe fn release(&self, address: *mut c_void) -> Result<()> {
        call!(self, aclrtReleaseMemAddress(address))
    }

    /// The granularity of physical memory of a kind.
    ///
    /// # Errors
    /// ACL's.
    pub fn granularity(&self, wanted: &aclrtPhysicalMemProp, which: Granularity) -> Result<usize> {
        // CANN's parameter is not const.
        let mut wanted = *wanted;
        let mut bytes = 0;
        call!(self, aclrtMemGetAllocationGranularity(&raw mut wanted, which as u32, &raw mut bytes))?;
        Ok(bytes)
    }

    /// Makes physical memory; `bytes` is a multiple of its granularity.
    ///
    /// # Errors
    /// [`OutOfMemory`](Class::OutOfMemory) · ACL's.
    pub fn malloc_physical(&self, bytes: usize, wanted: &aclrtPhysicalMemProp) -> Result<Physical> {
        let mut handle = std::ptr::null_mut();
        call!(self, aclrtMallocPhysical(&raw mut handle, bytes, &raw const *wanted, 0))?;
        Ok(Physical::new(handle))
    }

    /// Drops a reference to physical memory. The memory stays as long as it is mapped, here or elsewhere.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The handle is not used again.
    pub unsafe fn free_physical(&self, handle: Physical) -> Result<()> {
        call!(self, aclrtFreePhysical(handle.as_raw()))
    }

    /// Maps all of `handle`, `bytes` long, at `address` in a reservation.
    ///
    /// # Errors
    /// ACL's: misaligned, occupied, outside a reservation, or mixed with memory of another device.
    ///
    /// # Safety
    /// The caller owns the addresses and allows no conflicting use of them.
    pub unsafe fn map(&self, address: *mut c_void, bytes: usize, handle: Physical) -> Result<()> {
        call!(self, aclrtMapMem(address, bytes, 0, handle.as_raw(), 0))
    }

    /// Unmaps the memory at `address`. Does not wait for streams.
    ///
    /// # Errors
    /// ACL's: not the start of a mapping.
    ///
    /// # Safety
    /// The memory at these addresses is not used again, and no queued task does.
    pub unsafe fn unmap(&self, address: *mut c_void) -> Result<()> {
        call!(self, aclrtUnmapMem(address))
    }

    /// Gives a location rights to a mapping, named by the start and length of the map call.
    ///
    /// # Errors
    /// ACL's; the function is part of [`MappingAccess`](crate::loader::Capability::MappingAccess).
    ///
    /// # Safety
    /// When rights are taken away, no queued task of that location needs them.
    pub unsafe fn set_access(
        &self,
        address: *mut c_void,
        bytes: usize,
        location: Location,
        access: Access,
    ) -> Result<()> {
        let mut wanted =
            aclrtMemAccessDesc { flags: access as u32, location: location.into(), rsv: Default::default() };
        call!(self, aclrtMemSetAccess(address, bytes, &raw mut wanted, 1))
    }

    /// The rights of a location to the mapping that holds an address. The memory is not touched.
    ///
    /// # Errors
    /// ACL's; the function is part of [`MappingAccess`](crate::loader::Capability::MappingAccess).
    pub fn access(&self, address: *const c_void, location: Location) -> Result<Access> {
        let mut location = location.into();
        let mut flags = 0;
        call!(self, aclrtMemGetAccess(address.cast_mut(), &raw mut location, &raw mut flags))?;
        match u32::try_from(flags) {
            Ok(ACL_RT_MEM_ACCESS_FLAGS_NONE) => Ok(Access::None),
            Ok(ACL_RT_MEM_ACCESS_FLAGS_READ) => Ok(Access::Read),
            Ok(ACL_RT_MEM_ACCESS_FLAGS_READWRITE) => Ok(Access::ReadWrite),
            _ => {
                let text = format!("CANN reported the unknown rights {flags:#x}");
                Err(AclError::refused(Library::Acl, "aclrtMemGetAccess", Class::Unknown, text))
            }
        }
    }

    /// Returns the physical memory behind a mapped address and takes a reference. Does not touch the memory.
    ///
    /// # Errors
    /// ACL's: nothing is mapped there.
    pub fn retain(&self, address: *const c_void) -> Result<Physical> {
        let mut handle = std::ptr::null_mut();
        call!(self, aclrtMemRetainAllocationHandle(address.cast_mut(), &raw mut handle))?;
        Ok(Physical::new(handle))
    }

    /// Returns start and length of the allocation that holds an address. Does not touch the memory.
    ///
    /// # Errors
    /// ACL's: nothing is there, or this CANN has no such function.
    pub fn address_range(&self, address: *const c_void) -> Result<(*mut c_void, usize)> {
        let (mut start, mut bytes) = (std::ptr::null_mut(), 0);
        call!(self, aclrtMemGetAddressRange(address.cast_mut(), &raw mut start, &raw mut bytes))?;
        Ok((start, bytes))
    }

    /// Returns the properties that physical memory was made with.
    ///
    /// # Errors
    /// ACL's: unknown handle, or this CANN has no such function.
    pub fn properties(&self, handle: Physical) -> Result<aclrtPhysicalMemProp> {
        let mut found = aclrtPhysicalMemProp {
            handleType: 0,
            allocationType: 0,
            memAttr: 0,
            location: Location::Host.into(),
            reserve: 0,
        };
        call!(self, aclrtMemGetAllocationPropertiesFromHandle(handle.as_raw(), &raw mut found))?;
        Ok(found)
    }
}
