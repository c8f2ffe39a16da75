// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Structs of the drivers' C interfaces.

use std::ffi::{c_int, c_void};

/// Which memory is to be made: `CUmemAllocationProp`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AllocationProperties {
    /// 1: pinned, the only one.
    pub kind: c_int,
    /// In which forms it can be shared, a bit each; 1: as descriptors.
    pub shared: c_int,
    /// Location of the memory.
    pub place: MemoryPlace,
    /// Of another system.
    pub security: *mut c_void,
    /// Flags for compression, RDMA and usage; 0 for none.
    pub wishes: u64,
}

/// Location of memory or of its user: `CUmemLocation`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPlace {
    /// 1: a device.
    pub kind: c_int,
    /// Its number.
    pub number: c_int,
}

/// Access of one user to mapped memory: `CUmemAccessDesc`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// User of the memory.
    pub who: MemoryPlace,
    /// 3: read and write.
    pub rights: c_int,
}

/// A handle of memory that was made or imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationHandle(pub u64);

/// Length of a handle.
pub const IPC_HANDLE_BYTES: usize = 64;

/// The name of an allocation for other processes; passed by value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpcHandle(pub [u8; IPC_HANDLE_BYTES]);

const _: () = assert!(size_of::<AllocationProperties>() == 32 && size_of::<Access>() == 12);
