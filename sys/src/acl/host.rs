// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory of the caller, made reachable for devices.

use std::ffi::c_void;

use super::{Acl, call};
use crate::Result;
use crate::raw::types::{aclrtHacType, aclrtHostRegisterType};

impl Acl {
    /// Registers host memory, page aligned, and says its address for the device.
    ///
    /// # Errors
    /// [`AlreadyRegistered`](crate::Class::AlreadyRegistered) when it overlaps an earlier registration ·
    /// ACL's.
    ///
    /// # Safety
    /// The memory is mapped, and stays so until it is unregistered.
    pub unsafe fn register_host(
        &self,
        address: *mut c_void,
        bytes: u64,
        kind: aclrtHostRegisterType,
    ) -> Result<*mut c_void> {
        let mut for_device = std::ptr::null_mut();
        call!(self, aclrtHostRegister(address, bytes, kind, &raw mut for_device))?;
        Ok(for_device)
    }

    /// Registers host memory with flags (`ACL_HOST_REG_…`).
    ///
    /// # Errors
    /// As [`register_host`](Self::register_host).
    ///
    /// # Safety
    /// As [`register_host`](Self::register_host).
    pub unsafe fn register_host_v2(&self, address: *mut c_void, bytes: u64, flags: u32) -> Result<()> {
        call!(self, aclrtHostRegisterV2(address, bytes, flags))
    }

    /// Ends a registration, named by its start.
    ///
    /// # Errors
    /// [`NotRegistered`](crate::Class::NotRegistered).
    ///
    /// # Safety
    /// No device, and no queued task, uses the memory again.
    pub unsafe fn unregister_host(&self, address: *mut c_void) -> Result<()> {
        call!(self, aclrtHostUnregister(address))
    }

    /// Returns true if an engine (`ACL_RT_HAC_TYPE_…`) of a device reaches registered host memory.
    ///
    /// # Errors
    /// ACL's; the function is optional.
    pub fn engine_reaches_host(&self, device: i32, engine: aclrtHacType) -> Result<bool> {
        let mut can = 0;
        call!(self, aclrtHostMemMapCapabilities(device.cast_unsigned(), engine, &raw mut can))?;
        Ok(can != 0)
    }
}
