// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The operations, each with its type and its name at every vendor.
//!
//! Addresses of memory are numbers here. HIP declares some of them as pointers, which are passed alike on the
//! architectures that the loader supports. `CNdev` has 64 bits and the devices of the others have 32; so
//! functions with a device argument have separate rows for Cambricon.

use std::ffi::{c_char, c_int, c_uint, c_void};

use mf_base::loader::{LoadError, Loaded};

use crate::{Access, AllocationProperties, IpcHandle, Vendor};

/// A context, opaque.
pub type Context = *mut c_void;
/// A stream or queue, opaque; null is the default stream.
pub type RawStream = *mut c_void;
/// A function of the host that a stream calls.
pub type HostFunction = unsafe extern "C" fn(*mut c_void);

/// Declares the table. Rows of `all` exist at every vendor and are required of every driver; rows of `own`
/// are required of the vendors that name them; rows of `optional` are used when present, under the first of
/// the names between bars that the driver exports.
macro_rules! operations {
    (
        all { $($(#[$doc:meta])* $name:ident: fn($($arg:ty),*) => $names:expr;)* }
        own { $($(#[$own_doc:meta])* $own:ident: fn($($own_arg:ty),*) => $own_names:expr;)* }
        optional { $($(#[$other_doc:meta])* $other:ident: fn($($other_arg:ty),*) => $other_names:expr;)* }
    ) => {
        /// The functions of one driver.
        #[derive(Clone, Copy, Debug)]
        pub struct Operations {
            $($(#[$doc])* pub $name: unsafe extern "C" fn($($arg),*) -> c_int,)*
            $($(#[$own_doc])* pub $own: Option<unsafe extern "C" fn($($own_arg),*) -> c_int>,)*
            $($(#[$other_doc])* pub $other: Option<unsafe extern "C" fn($($other_arg),*) -> c_int>,)*
        }

        /// Names of operations, by vendor; empty where a vendor has none.
        #[derive(Debug)]
        pub struct Names { $(pub(crate) $name: [&'static str; 4],)* $(pub(crate) $own: [&'static str; 4],)*
            $(pub(crate) $other: [&'static str; 4],)* }

        /// All of them.
        pub const NAMES: Names = Names { $($name: $names,)* $($own: $own_names,)* $($other: $other_names,)* };

        /// Functions without which a driver of this vendor is not used.
        pub fn required(vendor: Vendor) -> Vec<&'static str> {
            let rows: &[[&'static str; 4]] = &[$($names,)* $($own_names,)*];
            rows.iter().map(|row| row[vendor.index()]).filter(|name| !name.is_empty()).collect()
        }

        /// Functions that are used when a driver of this vendor has them.
        pub fn optional(vendor: Vendor) -> Vec<&'static str> {
            let rows: &[[&'static str; 4]] = &[$($other_names,)*];
            rows.iter().flat_map(|row| row[vendor.index()].split('|')).filter(|name| !name.is_empty()).collect()
        }

        impl Operations {
            /// Takes the functions of this vendor from its library.
            ///
            /// # Errors
            /// `MissingSymbol` names the first required one that is not there.
            pub(crate) fn resolve(loaded: &Loaded, vendor: Vendor) -> Result<Self, LoadError> {
                let column = vendor.index();
                Ok(Self {
                    $($name: {
                        let name = NAMES.$name[column];
                        // SAFETY: the type matches the declaration in the public headers of each vendor.
                        let found = unsafe { loaded.function(name) };
                        found.ok_or_else(|| loaded.lacks(name))?
                    },)*
                    $($own: match NAMES.$own[column] {
                        "" => None,
                        name => {
                            // SAFETY: the type matches the declaration in the public headers.
                            let found = unsafe { loaded.function(name) };
                            Some(found.ok_or_else(|| loaded.lacks(name))?)
                        }
                    },)*
                    $($other: {
                        let mut names = NAMES.$other[column].split('|').filter(|name| !name.is_empty());
                        // SAFETY: the type matches the declaration in the public headers.
                        names.find_map(|name| unsafe { loaded.function(name) })
                    },)*
                })
            }
        }
    };
}

operations! {
    all {
        /// Initialises the driver; flags.
        init: fn(c_uint) => ["cuInit", "hipInit", "muInit", "cnInit"];
        /// Number of devices.
        device_count: fn(*mut c_int) => ["cuDeviceGetCount", "hipGetDeviceCount", "muDeviceGetCount", "cnDeviceGetCount"];
        /// Free and total bytes of the selected device.
        memory_info: fn(*mut usize, *mut usize) => ["cuMemGetInfo_v2", "hipMemGetInfo", "muMemGetInfo_v2", "cnMemGetInfo"];
        /// Allocates device memory: address, bytes.
        allocate: fn(*mut u64, usize) => ["cuMemAlloc_v2", "hipMalloc", "muMemAlloc_v2", "cnMalloc"];
        /// Frees device memory.
        free: fn(u64) => ["cuMemFree_v2", "hipFree", "muMemFree_v2", "cnFree"];
        /// Copies to a device: device, host, bytes.
        to_device: fn(u64, *const c_void, usize) => ["cuMemcpyHtoD_v2", "hipMemcpyHtoD", "muMemcpyHtoD_v2", "cnMemcpyHtoD"];
        /// Copies from a device: host, device, bytes.
        to_host: fn(*mut c_void, u64, usize) => ["cuMemcpyDtoH_v2", "hipMemcpyDtoH", "muMemcpyDtoH_v2", "cnMemcpyDtoH"];
        /// Copies between devices: to, from, bytes.
        between: fn(u64, u64, usize) => ["cuMemcpyDtoD_v2", "hipMemcpyDtoD", "muMemcpyDtoD_v2", "cnMemcpyDtoD"];
        /// As `to_device`, on a stream.
        to_device_on: fn(u64, *const c_void, usize, RawStream) =>
            ["cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync", "muMemcpyHtoDAsync_v2", "cnMemcpyHtoDAsync"];
        /// As `to_host`, on a stream.
        to_host_on: fn(*mut c_void, u64, usize, RawStream) =>
            ["cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", "muMemcpyDtoHAsync_v2", "cnMemcpyDtoHAsync"];
        /// As `between`, on a stream.
        between_on: fn(u64, u64, usize, RawStream) =>
            ["cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync", "muMemcpyDtoDAsync_v2", "cnMemcpyDtoDAsync"];
        /// Makes a stream; flags.
        stream_create: fn(*mut RawStream, c_uint) => ["cuStreamCreate", "hipStreamCreateWithFlags", "muStreamCreate", "cnCreateQueue"];
        /// Ends a stream when its work is done.
        stream_destroy: fn(RawStream) => ["cuStreamDestroy_v2", "hipStreamDestroy", "muStreamDestroy_v2", "cnDestroyQueue"];
        /// Waits for a stream.
        stream_wait: fn(RawStream) => ["cuStreamSynchronize", "hipStreamSynchronize", "muStreamSynchronize", "cnQueueSync"];
        /// Waits for everything on the selected device.
        device_wait: fn() => ["cuCtxSynchronize", "hipDeviceSynchronize", "muCtxSynchronize", "cnCtxSync"];
        /// Frees pinned host memory.
        free_host: fn(*mut c_void) => ["cuMemFreeHost", "hipHostFree", "muMemFreeHost", "cnFreeHost"];
    }
    own {
        /// The device of a number.
        device: fn(*mut c_int, c_int) => ["cuDeviceGet", "", "muDeviceGet", ""];
        /// The same, wide.
        wide_device: fn(*mut u64, c_int) => ["", "", "", "cnDeviceGet"];
        /// The context that everything in the process shares, which this starts.
        retain: fn(*mut Context, c_int) => ["cuDevicePrimaryCtxRetain", "", "muDevicePrimaryCtxRetain", ""];
        /// The same, wide.
        wide_retain: fn(*mut Context, u64) => ["", "", "", "cnSharedContextAcquire"];
        /// Selects a context in the calling thread.
        push: fn(Context) => ["cuCtxPushCurrent_v2", "", "muCtxPushCurrent_v2", ""];
        /// Ends the last `push`.
        pop: fn(*mut Context) => ["cuCtxPopCurrent_v2", "", "muCtxPopCurrent_v2", ""];
        /// The context of the calling thread.
        context: fn(*mut Context) => ["", "", "", "cnCtxGetCurrent"];
        /// Replaces the context of the calling thread.
        set_context: fn(Context) => ["", "", "", "cnCtxSetCurrent"];
        /// The device of the calling thread.
        current: fn(*mut c_int) => ["", "hipGetDevice", "", ""];
        /// Replaces the device of the calling thread.
        set_current: fn(c_int) => ["", "hipSetDevice", "", ""];
        /// Allocates memory that RDMA devices reach.
        allocate_peerable: fn(*mut u64, usize) => ["", "", "", "cnMallocPeerAble"];
        /// Allocates pinned host memory; flags.
        allocate_host: fn(*mut *mut c_void, usize, c_uint) => ["cuMemHostAlloc", "hipHostMalloc", "muMemHostAlloc", ""];
        /// The same, without flags.
        plain_allocate_host: fn(*mut *mut c_void, usize) => ["", "", "", "cnMallocHost"];
    }
    optional {
        /// The version of the interface, as one number.
        version: fn(*mut c_int) => ["cuDriverGetVersion", "hipRuntimeGetVersion", "muDriverGetVersion", ""];
        /// The name of a status.
        error_name: fn(c_int, *mut *const c_char) => ["cuGetErrorName", "hipDrvGetErrorName", "muGetErrorName", "cnGetErrorName"];
        /// The name of a device.
        device_name: fn(*mut c_char, c_int, c_int) => ["cuDeviceGetName", "hipDeviceGetName", "muDeviceGetName", ""];
        /// The same, wide.
        wide_device_name: fn(*mut c_char, c_uint, u64) => ["", "", "", "cnDeviceGetName"];
        /// Its address on the PCI bus.
        bus: fn(*mut c_char, c_int, c_int) => ["cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId", "muDeviceGetPCIBusId", ""];
        /// The same, wide.
        wide_bus: fn(*mut c_char, c_int, u64) => ["", "", "", "cnDeviceGetPCIBusId"];
        /// Replaces the context of the calling thread, where contexts are pushed as a rule.
        replace_context: fn(Context) => ["cuCtxSetCurrent", "", "muCtxSetCurrent", ""];
        /// The number of a context, which no other of the process has or had; where to write it.
        context_id: fn(Context, *mut u64) => ["cuCtxGetId", "", "", ""];
        /// Queries an attribute of an address: output, attribute, address.
        attribute: fn(*mut c_void, c_int, u64) => ["cuPointerGetAttribute", "hipPointerGetAttribute", "muPointerGetAttribute", ""];
        /// Several facts: how many, which, where to write them, address, which may be one that is not known.
        attributes: fn(c_uint, *mut c_int, *mut *mut c_void, u64) =>
            ["cuPointerGetAttributes", "", "muPointerGetAttributes", ""];
        /// The allocation around an address: base, bytes, address.
        range: fn(*mut u64, *mut usize, u64) =>
            ["cuMemGetAddressRange_v2", "hipMemGetAddressRange", "muMemGetAddressRange_v2", "cnMemGetAddressRange"];
        /// Pins memory of the program; flags.
        register: fn(*mut c_void, usize, c_uint) => ["cuMemHostRegister_v2", "hipHostRegister", "muMemHostRegister_v2", ""];
        /// Ends that.
        unregister: fn(*mut c_void) => ["cuMemHostUnregister", "hipHostUnregister", "muMemHostUnregister", ""];
        /// Puts a function of the host on a stream.
        host_function: fn(RawStream, HostFunction, *mut c_void) =>
            ["cuLaunchHostFunc", "hipLaunchHostFunc", "muLaunchHostFunc", "cnInvokeHostFunc"];
        /// Names an allocation for other processes.
        ipc_export: fn(*mut IpcHandle, u64) => ["cuIpcGetMemHandle", "hipIpcGetMemHandle", "muIpcGetMemHandle", ""];
        /// Maps what another process has named; flags.
        ipc_open: fn(*mut u64, IpcHandle, c_uint) =>
            ["cuIpcOpenMemHandle_v2", "hipIpcOpenMemHandle", "muIpcOpenMemHandle_v2|muIpcOpenMemHandle", ""];
        /// Ends that.
        ipc_close: fn(u64) => ["cuIpcCloseMemHandle", "hipIpcCloseMemHandle", "muIpcCloseMemHandle", ""];
        /// In multiples of how many bytes memory is made: where to write it, of which sort, least or best.
        granularity: fn(*mut usize, *const AllocationProperties, c_int) => ["cuMemGetAllocationGranularity", "", "", ""];
        /// Reserves addresses: where to write the first, bytes, alignment, the wished first, flags.
        reserve_addresses: fn(*mut u64, usize, usize, u64, u64) => ["cuMemAddressReserve", "", "", ""];
        /// Gives them back: first, bytes.
        free_addresses: fn(u64, usize) => ["cuMemAddressFree", "", "", ""];
        /// Makes memory without an address: where to write its handle, bytes, sort, flags.
        make_memory: fn(*mut u64, usize, *const AllocationProperties, u64) => ["cuMemCreate", "", "", ""];
        /// Gives a handle up.
        release_memory: fn(u64) => ["cuMemRelease", "", "", ""];
        /// Maps it: address, bytes, offset, handle, flags.
        map_memory: fn(u64, usize, usize, u64, u64) => ["cuMemMap", "", "", ""];
        /// Unmaps it: address, bytes.
        unmap_memory: fn(u64, usize) => ["cuMemUnmap", "", "", ""];
        /// Gives devices access to mapped memory: address, bytes, access descriptors, their number.
        set_access: fn(u64, usize, *const Access, usize) => ["cuMemSetAccess", "", "", ""];
        /// A descriptor of such memory: where to write it, handle, kind, flags.
        export_memory: fn(*mut c_void, u64, c_int, u64) => ["cuMemExportToShareableHandle", "", "", ""];
        /// Imports the memory named by a descriptor: output handle, descriptor, kind.
        import_memory: fn(*mut u64, *mut c_void, c_int) => ["cuMemImportFromShareableHandle", "", "", ""];
        /// Sets bytes to one value: address, value, bytes.
        fill: fn(u64, u8, usize) => ["cuMemsetD8_v2", "hipMemsetD8", "muMemsetD8_v2", ""];
        /// As `ipc_export`, for Cambricon, whose handle is one word.
        word_export: fn(*mut u64, u64) => ["", "", "", "cnIpcGetMemHandle"];
        /// As `ipc_open`, likewise.
        word_open: fn(*mut u64, u64, c_uint) => ["", "", "", "cnIpcOpenMemHandle"];
        /// As `ipc_close`, likewise.
        word_close: fn(u64) => ["", "", "", "cnIpcCloseMemHandle"];
    }
}

const _: () = {
    assert!(size_of::<IpcHandle>() == crate::IPC_HANDLE_BYTES && align_of::<IpcHandle>() <= 8);
    assert!(size_of::<usize>() == 8 && size_of::<Context>() == 8 && size_of::<c_int>() == 4);
    assert!(cfg!(target_endian = "little"));
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_vendor_can_select_a_device_and_allocate_pinned_memory() {
        for vendor in Vendor::ALL {
            let of = |names: [&str; 4]| !names[vendor.index()].is_empty();
            let selects = [of(NAMES.push) && of(NAMES.pop), of(NAMES.set_current), of(NAMES.set_context)];
            assert_eq!(selects.iter().filter(|has| **has).count(), 1, "{vendor}");
            assert!(of(NAMES.allocate_host) != of(NAMES.plain_allocate_host), "{vendor}");
            assert!(of(NAMES.ipc_open) != of(NAMES.word_open), "{vendor}");
        }
    }

    #[test]
    fn function_names_are_unique_per_vendor() {
        for vendor in Vendor::ALL {
            let names = [required(vendor), optional(vendor)].concat();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{vendor}");
        }
    }
}
