// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory part of the driver's user library, checked.
//!
//! It provides functions that ACL lacks: address ranges for remote memory, memory of NUMA nodes that devices
//! access, and handles that are valid across hosts for releases whose ACL has none. Errors carry the driver's
//! own codes; it has no texts.

use std::ffi::c_void;

use crate::acl::{call, handles, library};
use crate::loader::Library;
use crate::raw::hal::HalTable;
use crate::raw::types::*;
use crate::{AclError, Result};

library! {
    /// The functions of `libascend_hal.so`.
    Hal of HalTable
}

handles! {
    /// Physical memory of the driver; a plain value, as the handles of [`crate::acl`].
    HalPhysical(*mut drv_mem_handle_t);
}

/// Handle of 128 bytes that is valid across hosts, with its meaning on the exporting host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalShared {
    /// The server that exported it.
    pub server: u32,
    /// Its number there, by which whitelists are set.
    pub shareable: u64,
}

impl Hal {
    /// Turns the status of a raw function of [`table`](Self::table) into a result.
    ///
    /// # Errors
    /// `code` is not success.
    #[inline]
    pub fn check(&self, function: &'static str, code: i32) -> Result<()> {
        if code == DRV_ERROR_NONE {
            Ok(())
        } else {
            Err(AclError::new(Library::Hal, function, code, String::new()))
        }
    }

    /// Reserves addresses. `flags` is a page type, with `HAL_RESERVE_DEVICE_SHARE` or
    /// `HAL_RESERVE_REMOTE_MAP` for ranges that others reach or that hold remote memory; those need an
    /// `address`, which is taken exactly or refused.
    ///
    /// # Errors
    /// The driver's.
    pub fn reserve(&self, bytes: usize, address: *mut c_void, flags: u64) -> Result<*mut c_void> {
        let mut reserved = std::ptr::null_mut();
        call!(self, halMemAddressReserve(&raw mut reserved, bytes, 0, address, flags))?;
        Ok(reserved)
    }

    /// Gives reserved addresses back.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The addresses is not used again, and nothing is mapped there.
    pub unsafe fn release_range(&self, address: *mut c_void) -> Result<()> {
        call!(self, halMemAddressFree(address))
    }

    /// Makes physical memory; `bytes` is a multiple of its granularity.
    ///
    /// # Errors
    /// The driver's.
    pub fn create(&self, bytes: usize, wanted: &drv_mem_prop) -> Result<HalPhysical> {
        let mut handle = std::ptr::null_mut();
        call!(self, halMemCreate(&raw mut handle, bytes, &raw const *wanted, 0))?;
        Ok(HalPhysical::new(handle))
    }

    /// Drops a reference to physical memory.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The handle is not used again.
    pub unsafe fn release(&self, handle: HalPhysical) -> Result<()> {
        call!(self, halMemRelease(handle.0))
    }

    /// Maps all of `handle`, `bytes` long, at `address` in a reservation.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The caller owns the addresses and allows no conflicting use of them.
    pub unsafe fn map(&self, address: *mut c_void, bytes: usize, handle: HalPhysical) -> Result<()> {
        call!(self, halMemMap(address, bytes, 0, handle.0, 0))
    }

    /// Unmaps the memory at `address`.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The memory at these addresses is not used again, and no queued task does.
    pub unsafe fn unmap(&self, address: *mut c_void) -> Result<()> {
        call!(self, halMemUnmap(address))
    }

    /// Gives a location rights (`HAL_MEM_ACCESS_…`) to a mapping.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    ///
    /// # Safety
    /// When rights are taken away, no queued task of that location needs them.
    pub unsafe fn set_access(
        &self,
        address: *mut c_void,
        bytes: usize,
        location: drv_mem_location,
        access: u32,
    ) -> Result<()> {
        let mut wanted = drv_mem_access_desc { type_: access, location, rsv: [0; 2] };
        call!(self, halMemSetAccess(address, bytes, &raw mut wanted, 1))
    }

    /// Makes a handle of 128 bytes that holds across hosts.
    ///
    /// # Errors
    /// The driver's.
    pub fn export_fabric(&self, handle: HalPhysical) -> Result<[u8; 128]> {
        let mut shared = MemShareHandle { share_info: [0; 128] };
        call!(
            self,
            halMemExportToShareableHandleV2(handle.0, HAL_MEM_HANDLE_TYPE_FABRIC, 0, &raw mut shared)
        )?;
        Ok(shared.share_info)
    }

    /// Imports a handle of 128 bytes for a device. The exporter may import its own.
    ///
    /// # Errors
    /// The driver's.
    pub fn import_fabric(&self, shared: &[u8; 128], device: u32) -> Result<HalPhysical> {
        let mut shared = MemShareHandle { share_info: *shared };
        let mut handle = std::ptr::null_mut();
        let kind = HAL_MEM_HANDLE_TYPE_FABRIC;
        call!(self, halMemImportFromShareableHandleV2(kind, &raw mut shared, device, &raw mut handle))?;
        Ok(HalPhysical::new(handle))
    }

    /// Makes an 8-byte handle for processes of this host.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn export(&self, handle: HalPhysical) -> Result<u64> {
        let mut shareable = 0;
        call!(
            self,
            halMemExportToShareableHandle(handle.0, HAL_MEM_HANDLE_TYPE_NONE, 0, &raw mut shareable)
        )?;
        Ok(shareable)
    }

    /// Imports an 8-byte handle for a device.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn import(&self, shareable: u64, device: u32) -> Result<HalPhysical> {
        let mut handle = std::ptr::null_mut();
        call!(self, halMemImportFromShareableHandle(shareable, device, &raw mut handle))?;
        Ok(HalPhysical::new(handle))
    }

    /// Translates a handle of 128 bytes.
    ///
    /// # Errors
    /// The driver's.
    pub fn translate_fabric(&self, shared: &[u8; 128]) -> Result<HalShared> {
        let mut shared = MemShareHandle { share_info: *shared };
        let mut translated = HalShared { server: 0, shareable: 0 };
        let kind = HAL_MEM_HANDLE_TYPE_FABRIC;
        call!(
            self,
            halMemTransShareableHandle(
                kind,
                &raw mut shared,
                &raw mut translated.server,
                &raw mut translated.shareable
            )
        )?;
        Ok(translated)
    }

    /// Names processes that may import.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn allow(&self, shareable: u64, pids: &[i32]) -> Result<()> {
        // The driver's parameter is not const.
        let mut pids = pids.to_vec();
        let count = u32::try_from(pids.len()).unwrap_or(u32::MAX);
        call!(self, halMemSetPidToShareableHandle(shareable, pids.as_mut_ptr(), count))
    }

    /// The granularity of physical memory (`HAL_GRANULARITY_…`).
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn granularity(&self, wanted: &drv_mem_prop, which: i32) -> Result<usize> {
        let mut bytes = 0;
        call!(self, halMemGetAllocationGranularity(&raw const *wanted, which, &raw mut bytes))?;
        Ok(bytes)
    }

    /// Returns the physical memory behind an address and takes a reference. Does not touch the memory.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn retain(&self, address: *const c_void) -> Result<HalPhysical> {
        let mut handle = std::ptr::null_mut();
        call!(self, halMemRetainAllocationHandle(&raw mut handle, address.cast_mut()))?;
        Ok(HalPhysical::new(handle))
    }

    /// Returns the properties that physical memory was made with.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn properties(&self, handle: HalPhysical) -> Result<drv_mem_prop> {
        let mut found = drv_mem_prop { side: 0, devid: 0, module_id: 0, pg_type: 0, mem_type: 0, reserve: 0 };
        call!(self, halMemGetAllocationPropertiesFromHandle(&raw mut found, handle.as_raw()))?;
        Ok(found)
    }

    /// Returns start and length of the allocation that holds an address. Does not touch the memory.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn address_range(&self, address: u64) -> Result<(u64, u64)> {
        let (mut start, mut bytes) = (0, 0);
        call!(self, halMemGetAddressRange(address, &raw mut start, &raw mut bytes))?;
        Ok((start, bytes as u64))
    }

    /// Returns the kind of memory at an address (`HAL_MEM_KIND_…`). Does not touch the memory.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn attributes(&self, address: u64) -> Result<DVattribute> {
        let mut attributes = DVattribute::default();
        call!(self, drvMemGetAttribute(address, &raw mut attributes))?;
        Ok(attributes)
    }

    /// A fact (`HAL_MODULE_…`, `HAL_INFO_…`) of a device.
    ///
    /// # Errors
    /// The driver's; the function is optional.
    pub fn device_info(&self, device: u32, module: i32, info: i32) -> Result<i64> {
        let mut value = 0;
        call!(self, halGetDeviceInfo(device, module, info, &raw mut value))?;
        Ok(value)
    }
}
