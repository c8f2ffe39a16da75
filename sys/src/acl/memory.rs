// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocation, filling, and questions about memory.
//!
//! Addresses of devices are pointers here because C has them so. The CPU must not be made to follow them.

use std::ffi::c_void;

use super::{Acl, Location, Stream, call};
use crate::Result;
use crate::loader::Capability;
use crate::raw::types::{aclrtMemAttr, aclrtMemMallocPolicy, aclrtPtrAttributes};

/// Amounts of memory of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Bytes that no process has taken.
    pub free_bytes: usize,
    /// All bytes.
    pub total_bytes: usize,
}

/// Attributes of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerInfo {
    /// Location of the memory.
    pub location: Location,
    /// The size of its pages.
    pub page_bytes: u32,
}

impl Acl {
    /// Allocates memory of the device of the calling thread: not zeroed, aligned to 64 bytes.
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Class::OutOfMemory) · [`InvalidArgument`](crate::Class::InvalidArgument) for
    /// zero bytes.
    pub fn malloc(&self, bytes: usize, policy: aclrtMemMallocPolicy) -> Result<*mut c_void> {
        let mut address = std::ptr::null_mut();
        call!(self, aclrtMalloc(&raw mut address, bytes, policy))?;
        Ok(address)
    }

    /// Frees device memory and waits for no stream.
    ///
    /// # Errors
    /// ACL's: not the start of an allocation.
    ///
    /// # Safety
    /// The memory is not used again, and no queued task does.
    pub unsafe fn free(&self, address: *mut c_void) -> Result<()> {
        call!(self, aclrtFree(address))
    }

    /// Waits for the device, then frees device memory.
    ///
    /// # Errors
    /// ACL's: not the start of an allocation.
    ///
    /// # Safety
    /// The memory is not used again.
    pub unsafe fn free_synchronized(&self, address: *mut c_void) -> Result<()> {
        if !self.origin.can(Capability::SynchronizedFree) {
            self.synchronize_device(None)?;
            // SAFETY: the memory is not used again by contract, and no task is left.
            return unsafe { self.free(address) };
        }
        call!(self, aclrtFreeWithDevSync(address))
    }

    /// Allocates pinned memory of the host: readable and writable by the CPU, page aligned.
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Class::OutOfMemory).
    pub fn malloc_host(&self, bytes: usize) -> Result<*mut c_void> {
        let mut address = std::ptr::null_mut();
        call!(self, aclrtMallocHost(&raw mut address, bytes))?;
        Ok(address)
    }

    /// Frees pinned memory of the host.
    ///
    /// # Errors
    /// ACL's: not the start of an allocation.
    ///
    /// # Safety
    /// The memory is not used again, and no queued task does.
    pub unsafe fn free_host(&self, address: *mut c_void) -> Result<()> {
        call!(self, aclrtFreeHost(address))
    }

    /// Fills `bytes` of the `capacity` bytes at `address` with `value`.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// `capacity` bytes at `address` are memory of the host or a device, and nothing else uses them now.
    pub unsafe fn memset(
        &self,
        address: *mut c_void,
        capacity: usize,
        value: u8,
        bytes: usize,
    ) -> Result<()> {
        call!(self, aclrtMemset(address, capacity, value.into(), bytes))
    }

    /// Fills memory as a task of a stream.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// As [`memset`](Self::memset), until the task is done.
    pub unsafe fn memset_async(
        &self,
        address: *mut c_void,
        capacity: usize,
        value: u8,
        bytes: usize,
        stream: Stream,
    ) -> Result<()> {
        call!(self, aclrtMemsetAsync(address, capacity, value.into(), bytes, stream.as_raw()))
    }

    /// Returns the amounts of memory of a kind (`ACL_HBM_MEM`, …) on the device of the calling thread.
    ///
    /// # Errors
    /// [`NoContext`](crate::Class::NoContext).
    pub fn memory_info(&self, kind: aclrtMemAttr) -> Result<MemoryInfo> {
        let mut info = MemoryInfo { free_bytes: 0, total_bytes: 0 };
        call!(self, aclrtGetMemInfo(kind, &raw mut info.free_bytes, &raw mut info.total_bytes))?;
        Ok(info)
    }

    /// Returns the location of the memory at an address. Does not touch the memory.
    ///
    /// # Errors
    /// ACL's.
    pub fn pointer_info(&self, address: *const c_void) -> Result<PointerInfo> {
        let mut attributes = aclrtPtrAttributes::default();
        call!(self, aclrtPointerGetAttributes(address, &raw mut attributes))?;
        Ok(PointerInfo { location: attributes.location.into(), page_bytes: attributes.pageSize })
    }
}
