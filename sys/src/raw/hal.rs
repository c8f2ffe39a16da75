// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

use super::types::*;

pub struct HalTable {
    __library: ::libloading::Library,
    pub halMemAddressReserve: Result<
        unsafe extern "C" fn(
            ptr: *mut *mut ::core::ffi::c_void,
            size: usize,
            alignment: usize,
            addr: *mut ::core::ffi::c_void,
            flag: u64,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemAddressFree:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> drvError_t, ::libloading::Error>,
    pub halMemCreate: Result<
        unsafe extern "C" fn(
            handle: *mut *mut drv_mem_handle_t,
            size: usize,
            prop: *const drv_mem_prop,
            flag: u64,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemRelease:
        Result<unsafe extern "C" fn(handle: *mut drv_mem_handle_t) -> drvError_t, ::libloading::Error>,
    pub halMemMap: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            size: usize,
            offset: usize,
            handle: *mut drv_mem_handle_t,
            flag: u64,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemUnmap:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> drvError_t, ::libloading::Error>,
    pub halMemSetAccess: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            size: usize,
            desc: *mut drv_mem_access_desc,
            count: usize,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemGetAccess: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            location: *mut drv_mem_location,
            flags: *mut u64,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemExportToShareableHandleV2: Result<
        unsafe extern "C" fn(
            handle: *mut drv_mem_handle_t,
            handle_type: ::core::ffi::c_int,
            flags: u64,
            share_handle: *mut MemShareHandle,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemImportFromShareableHandleV2: Result<
        unsafe extern "C" fn(
            handle_type: ::core::ffi::c_int,
            share_handle: *mut MemShareHandle,
            devid: u32,
            handle: *mut *mut drv_mem_handle_t,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemExportToShareableHandle: Result<
        unsafe extern "C" fn(
            handle: *mut drv_mem_handle_t,
            handle_type: ::core::ffi::c_int,
            flags: u64,
            shareable_handle: *mut u64,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemImportFromShareableHandle: Result<
        unsafe extern "C" fn(
            shareable_handle: u64,
            devid: u32,
            handle: *mut *mut drv_mem_handle_t,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemTransShareableHandle: Result<
        unsafe extern "C" fn(
            handle_type: ::core::ffi::c_int,
            share_handle: *mut MemShareHandle,
            server_id: *mut u32,
            shareable_handle: *mut u64,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemShareHandleSetAttribute: Result<
        unsafe extern "C" fn(
            shareable_handle: u64,
            type_: ::core::ffi::c_int,
            attr: ShareHandleAttr,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemSetPidToShareableHandle: Result<
        unsafe extern "C" fn(shareable_handle: u64, pid: *mut ::core::ffi::c_int, pid_num: u32) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemGetAllocationGranularity: Result<
        unsafe extern "C" fn(
            prop: *const drv_mem_prop,
            option: ::core::ffi::c_int,
            granularity: *mut usize,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemRetainAllocationHandle: Result<
        unsafe extern "C" fn(handle: *mut *mut drv_mem_handle_t, ptr: *mut ::core::ffi::c_void) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemGetAllocationPropertiesFromHandle: Result<
        unsafe extern "C" fn(prop: *mut drv_mem_prop, handle: *mut drv_mem_handle_t) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemGetAddressRange: Result<
        unsafe extern "C" fn(ptr: DVdeviceptr, base: *mut DVdeviceptr, size: *mut usize) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemAlloc: Result<
        unsafe extern "C" fn(
            pp: *mut *mut ::core::ffi::c_void,
            size: ::core::ffi::c_ulonglong,
            flag: ::core::ffi::c_ulonglong,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halMemFree:
        Result<unsafe extern "C" fn(pp: *mut ::core::ffi::c_void) -> drvError_t, ::libloading::Error>,
    pub drvMemGetAttribute: Result<
        unsafe extern "C" fn(ptr: DVdeviceptr, attribute: *mut DVattribute) -> drvError_t,
        ::libloading::Error,
    >,
    pub halHostRegister: Result<
        unsafe extern "C" fn(
            src: *mut ::core::ffi::c_void,
            size: u64,
            flag: u32,
            devid: u32,
            dst: *mut *mut ::core::ffi::c_void,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halHostUnregister: Result<
        unsafe extern "C" fn(src: *mut ::core::ffi::c_void, devid: u32) -> drvError_t,
        ::libloading::Error,
    >,
    pub halHostUnregisterEx: Result<
        unsafe extern "C" fn(src: *mut ::core::ffi::c_void, devid: u32, flag: u32) -> drvError_t,
        ::libloading::Error,
    >,
    pub halShmemCreateHandle: Result<
        unsafe extern "C" fn(
            ptr: DVdeviceptr,
            size: usize,
            name: *mut ::core::ffi::c_char,
            name_len: u32,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub halShmemOpenHandle: Result<
        unsafe extern "C" fn(name: *const ::core::ffi::c_char, ptr: *mut DVdeviceptr) -> drvError_t,
        ::libloading::Error,
    >,
    pub halShmemCloseHandle:
        Result<unsafe extern "C" fn(ptr: DVdeviceptr) -> drvError_t, ::libloading::Error>,
    pub halShmemDestroyHandle:
        Result<unsafe extern "C" fn(name: *const ::core::ffi::c_char) -> drvError_t, ::libloading::Error>,
    pub halShmemSetPidHandle: Result<
        unsafe extern "C" fn(
            name: *const ::core::ffi::c_char,
            pid: *mut ::core::ffi::c_int,
            num: ::core::ffi::c_int,
        ) -> drvError_t,
        ::libloading::Error,
    >,
    pub drvGetDevNum: Result<unsafe extern "C" fn(num_dev: *mut u32) -> drvError_t, ::libloading::Error>,
    pub halGetDeviceInfo: Result<
        unsafe extern "C" fn(devid: u32, module_type: i32, info_type: i32, value: *mut i64) -> drvError_t,
        ::libloading::Error,
    >,
    pub halDeviceCanAccessPeer: Result<
        unsafe extern "C" fn(
            can_access_peer: *mut ::core::ffi::c_int,
            devid: u32,
            peer_devid: u32,
        ) -> drvError_t,
        ::libloading::Error,
    >,
}
impl HalTable {
    pub unsafe fn new<P>(path: P) -> Result<Self, ::libloading::Error>
    where
        P: AsRef<::std::ffi::OsStr>,
    {
        let path = path.as_ref();
        let library = unsafe { ::libloading::Library::new(path) }?;
        unsafe { Self::from_library(library) }
    }
    pub unsafe fn from_library<L>(library: L) -> Result<Self, ::libloading::Error>
    where
        L: Into<::libloading::Library>,
    {
        let __library = library.into();
        let halMemAddressReserve = unsafe { __library.get(b"halMemAddressReserve\0") }.map(|sym| *sym);
        let halMemAddressFree = unsafe { __library.get(b"halMemAddressFree\0") }.map(|sym| *sym);
        let halMemCreate = unsafe { __library.get(b"halMemCreate\0") }.map(|sym| *sym);
        let halMemRelease = unsafe { __library.get(b"halMemRelease\0") }.map(|sym| *sym);
        let halMemMap = unsafe { __library.get(b"halMemMap\0") }.map(|sym| *sym);
        let halMemUnmap = unsafe { __library.get(b"halMemUnmap\0") }.map(|sym| *sym);
        let halMemSetAccess = unsafe { __library.get(b"halMemSetAccess\0") }.map(|sym| *sym);
        let halMemGetAccess = unsafe { __library.get(b"halMemGetAccess\0") }.map(|sym| *sym);
        let halMemExportToShareableHandleV2 =
            unsafe { __library.get(b"halMemExportToShareableHandleV2\0") }.map(|sym| *sym);
        let halMemImportFromShareableHandleV2 =
            unsafe { __library.get(b"halMemImportFromShareableHandleV2\0") }.map(|sym| *sym);
        let halMemExportToShareableHandle =
            unsafe { __library.get(b"halMemExportToShareableHandle\0") }.map(|sym| *sym);
        let halMemImportFromShareableHandle =
            unsafe { __library.get(b"halMemImportFromShareableHandle\0") }.map(|sym| *sym);
        let halMemTransShareableHandle =
            unsafe { __library.get(b"halMemTransShareableHandle\0") }.map(|sym| *sym);
        let halMemShareHandleSetAttribute =
            unsafe { __library.get(b"halMemShareHandleSetAttribute\0") }.map(|sym| *sym);
        let halMemSetPidToShareableHandle =
            unsafe { __library.get(b"halMemSetPidToShareableHandle\0") }.map(|sym| *sym);
        let halMemGetAllocationGranularity =
            unsafe { __library.get(b"halMemGetAllocationGranularity\0") }.map(|sym| *sym);
        let halMemRetainAllocationHandle =
            unsafe { __library.get(b"halMemRetainAllocationHandle\0") }.map(|sym| *sym);
        let halMemGetAllocationPropertiesFromHandle =
            unsafe { __library.get(b"halMemGetAllocationPropertiesFromHandle\0") }.map(|sym| *sym);
        let halMemGetAddressRange = unsafe { __library.get(b"halMemGetAddressRange\0") }.map(|sym| *sym);
        let halMemAlloc = unsafe { __library.get(b"halMemAlloc\0") }.map(|sym| *sym);
        let halMemFree = unsafe { __library.get(b"halMemFree\0") }.map(|sym| *sym);
        let drvMemGetAttribute = unsafe { __library.get(b"drvMemGetAttribute\0") }.map(|sym| *sym);
        let halHostRegister = unsafe { __library.get(b"halHostRegister\0") }.map(|sym| *sym);
        let halHostUnregister = unsafe { __library.get(b"halHostUnregister\0") }.map(|sym| *sym);
        let halHostUnregisterEx = unsafe { __library.get(b"halHostUnregisterEx\0") }.map(|sym| *sym);
        let halShmemCreateHandle = unsafe { __library.get(b"halShmemCreateHandle\0") }.map(|sym| *sym);
        let halShmemOpenHandle = unsafe { __library.get(b"halShmemOpenHandle\0") }.map(|sym| *sym);
        let halShmemCloseHandle = unsafe { __library.get(b"halShmemCloseHandle\0") }.map(|sym| *sym);
        let halShmemDestroyHandle = unsafe { __library.get(b"halShmemDestroyHandle\0") }.map(|sym| *sym);
        let halShmemSetPidHandle = unsafe { __library.get(b"halShmemSetPidHandle\0") }.map(|sym| *sym);
        let drvGetDevNum = unsafe { __library.get(b"drvGetDevNum\0") }.map(|sym| *sym);
        let halGetDeviceInfo = unsafe { __library.get(b"halGetDeviceInfo\0") }.map(|sym| *sym);
        let halDeviceCanAccessPeer = unsafe { __library.get(b"halDeviceCanAccessPeer\0") }.map(|sym| *sym);
        Ok(HalTable {
            __library,
            halMemAddressReserve,
            halMemAddressFree,
            halMemCreate,
            halMemRelease,
            halMemMap,
            halMemUnmap,
            halMemSetAccess,
            halMemGetAccess,
            halMemExportToShareableHandleV2,
            halMemImportFromShareableHandleV2,
            halMemExportToShareableHandle,
            halMemImportFromShareableHandle,
            halMemTransShareableHandle,
            halMemShareHandleSetAttribute,
            halMemSetPidToShareableHandle,
            halMemGetAllocationGranularity,
            halMemRetainAllocationHandle,
            halMemGetAllocationPropertiesFromHandle,
            halMemGetAddressRange,
            halMemAlloc,
            halMemFree,
            drvMemGetAttribute,
            halHostRegister,
            halHostUnregister,
            halHostUnregisterEx,
            halShmemCreateHandle,
            halShmemOpenHandle,
            halShmemCloseHandle,
            halShmemDestroyHandle,
            halShmemSetPidHandle,
            drvGetDevNum,
            halGetDeviceInfo,
            halDeviceCanAccessPeer,
        })
    }
    #[doc = " Reserves addresses."]
    pub unsafe fn halMemAddressReserve(
        &self,
        ptr: *mut *mut ::core::ffi::c_void,
        size: usize,
        alignment: usize,
        addr: *mut ::core::ffi::c_void,
        flag: u64,
    ) -> drvError_t {
        unsafe {
            (self.halMemAddressReserve.as_ref().expect("Expected function, got error."))(
                ptr, size, alignment, addr, flag,
            )
        }
    }
    #[doc = " Gives reserved addresses back."]
    pub unsafe fn halMemAddressFree(&self, ptr: *mut ::core::ffi::c_void) -> drvError_t {
        unsafe { (self.halMemAddressFree.as_ref().expect("Expected function, got error."))(ptr) }
    }
    #[doc = " Allocates physical memory."]
    pub unsafe fn halMemCreate(
        &self,
        handle: *mut *mut drv_mem_handle_t,
        size: usize,
        prop: *const drv_mem_prop,
        flag: u64,
    ) -> drvError_t {
        unsafe {
            (self.halMemCreate.as_ref().expect("Expected function, got error."))(handle, size, prop, flag)
        }
    }
    #[doc = " Drops a reference to physical memory."]
    pub unsafe fn halMemRelease(&self, handle: *mut drv_mem_handle_t) -> drvError_t {
        unsafe { (self.halMemRelease.as_ref().expect("Expected function, got error."))(handle) }
    }
    #[doc = " Maps physical memory into a reservation."]
    pub unsafe fn halMemMap(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: usize,
        offset: usize,
        handle: *mut drv_mem_handle_t,
        flag: u64,
    ) -> drvError_t {
        unsafe {
            (self.halMemMap.as_ref().expect("Expected function, got error."))(ptr, size, offset, handle, flag)
        }
    }
    #[doc = " Unmaps the mapping at a start address."]
    pub unsafe fn halMemUnmap(&self, ptr: *mut ::core::ffi::c_void) -> drvError_t {
        unsafe { (self.halMemUnmap.as_ref().expect("Expected function, got error."))(ptr) }
    }
    #[doc = " Gives locations rights to a mapping."]
    pub unsafe fn halMemSetAccess(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: usize,
        desc: *mut drv_mem_access_desc,
        count: usize,
    ) -> drvError_t {
        unsafe {
            (self.halMemSetAccess.as_ref().expect("Expected function, got error."))(ptr, size, desc, count)
        }
    }
    #[doc = " The rights of a location to a mapping."]
    pub unsafe fn halMemGetAccess(
        &self,
        ptr: *mut ::core::ffi::c_void,
        location: *mut drv_mem_location,
        flags: *mut u64,
    ) -> drvError_t {
        unsafe {
            (self.halMemGetAccess.as_ref().expect("Expected function, got error."))(ptr, location, flags)
        }
    }
    #[doc = " Makes a handle of 128 bytes that others import."]
    pub unsafe fn halMemExportToShareableHandleV2(
        &self,
        handle: *mut drv_mem_handle_t,
        handle_type: ::core::ffi::c_int,
        flags: u64,
        share_handle: *mut MemShareHandle,
    ) -> drvError_t {
        unsafe {
            (self.halMemExportToShareableHandleV2.as_ref().expect("Expected function, got error."))(
                handle,
                handle_type,
                flags,
                share_handle,
            )
        }
    }
    #[doc = " Imports a handle of 128 bytes for a device."]
    pub unsafe fn halMemImportFromShareableHandleV2(
        &self,
        handle_type: ::core::ffi::c_int,
        share_handle: *mut MemShareHandle,
        devid: u32,
        handle: *mut *mut drv_mem_handle_t,
    ) -> drvError_t {
        unsafe {
            (self.halMemImportFromShareableHandleV2.as_ref().expect("Expected function, got error."))(
                handle_type,
                share_handle,
                devid,
                handle,
            )
        }
    }
    #[doc = " Makes an 8-byte handle that processes of this host import."]
    pub unsafe fn halMemExportToShareableHandle(
        &self,
        handle: *mut drv_mem_handle_t,
        handle_type: ::core::ffi::c_int,
        flags: u64,
        shareable_handle: *mut u64,
    ) -> drvError_t {
        unsafe {
            (self.halMemExportToShareableHandle.as_ref().expect("Expected function, got error."))(
                handle,
                handle_type,
                flags,
                shareable_handle,
            )
        }
    }
    #[doc = " Imports an 8-byte handle for a device."]
    pub unsafe fn halMemImportFromShareableHandle(
        &self,
        shareable_handle: u64,
        devid: u32,
        handle: *mut *mut drv_mem_handle_t,
    ) -> drvError_t {
        unsafe {
            (self.halMemImportFromShareableHandle.as_ref().expect("Expected function, got error."))(
                shareable_handle,
                devid,
                handle,
            )
        }
    }
    #[doc = " Server and 8-byte value of a handle of 128 bytes."]
    pub unsafe fn halMemTransShareableHandle(
        &self,
        handle_type: ::core::ffi::c_int,
        share_handle: *mut MemShareHandle,
        server_id: *mut u32,
        shareable_handle: *mut u64,
    ) -> drvError_t {
        unsafe {
            (self.halMemTransShareableHandle.as_ref().expect("Expected function, got error."))(
                handle_type,
                share_handle,
                server_id,
                shareable_handle,
            )
        }
    }
    #[doc = " Sets an attribute of a shareable handle; only by the exporter, before any process is named."]
    pub unsafe fn halMemShareHandleSetAttribute(
        &self,
        shareable_handle: u64,
        type_: ::core::ffi::c_int,
        attr: ShareHandleAttr,
    ) -> drvError_t {
        unsafe {
            (self.halMemShareHandleSetAttribute.as_ref().expect("Expected function, got error."))(
                shareable_handle,
                type_,
                attr,
            )
        }
    }
    #[doc = " Names processes that may import."]
    pub unsafe fn halMemSetPidToShareableHandle(
        &self,
        shareable_handle: u64,
        pid: *mut ::core::ffi::c_int,
        pid_num: u32,
    ) -> drvError_t {
        unsafe {
            (self.halMemSetPidToShareableHandle.as_ref().expect("Expected function, got error."))(
                shareable_handle,
                pid,
                pid_num,
            )
        }
    }
    #[doc = " Granularity of physical memory of a kind."]
    pub unsafe fn halMemGetAllocationGranularity(
        &self,
        prop: *const drv_mem_prop,
        option: ::core::ffi::c_int,
        granularity: *mut usize,
    ) -> drvError_t {
        unsafe {
            (self.halMemGetAllocationGranularity.as_ref().expect("Expected function, got error."))(
                prop,
                option,
                granularity,
            )
        }
    }
    #[doc = " Returns the physical memory behind an address, with a new reference."]
    pub unsafe fn halMemRetainAllocationHandle(
        &self,
        handle: *mut *mut drv_mem_handle_t,
        ptr: *mut ::core::ffi::c_void,
    ) -> drvError_t {
        unsafe {
            (self.halMemRetainAllocationHandle.as_ref().expect("Expected function, got error."))(handle, ptr)
        }
    }
    #[doc = " Returns the properties requested for physical memory."]
    pub unsafe fn halMemGetAllocationPropertiesFromHandle(
        &self,
        prop: *mut drv_mem_prop,
        handle: *mut drv_mem_handle_t,
    ) -> drvError_t {
        unsafe {
            (self.halMemGetAllocationPropertiesFromHandle.as_ref().expect("Expected function, got error."))(
                prop, handle,
            )
        }
    }
    #[doc = " Start and length of the allocation that holds an address."]
    pub unsafe fn halMemGetAddressRange(
        &self,
        ptr: DVdeviceptr,
        base: *mut DVdeviceptr,
        size: *mut usize,
    ) -> drvError_t {
        unsafe {
            (self.halMemGetAddressRange.as_ref().expect("Expected function, got error."))(ptr, base, size)
        }
    }
    #[doc = " Allocates memory of the kind that the flag says."]
    pub unsafe fn halMemAlloc(
        &self,
        pp: *mut *mut ::core::ffi::c_void,
        size: ::core::ffi::c_ulonglong,
        flag: ::core::ffi::c_ulonglong,
    ) -> drvError_t {
        unsafe { (self.halMemAlloc.as_ref().expect("Expected function, got error."))(pp, size, flag) }
    }
    #[doc = " Frees memory."]
    pub unsafe fn halMemFree(&self, pp: *mut ::core::ffi::c_void) -> drvError_t {
        unsafe { (self.halMemFree.as_ref().expect("Expected function, got error."))(pp) }
    }
    #[doc = " Returns the attributes of the memory at an address."]
    pub unsafe fn drvMemGetAttribute(&self, ptr: DVdeviceptr, attribute: *mut DVattribute) -> drvError_t {
        unsafe { (self.drvMemGetAttribute.as_ref().expect("Expected function, got error."))(ptr, attribute) }
    }
    #[doc = " Makes host memory reachable for a device, or in reverse."]
    pub unsafe fn halHostRegister(
        &self,
        src: *mut ::core::ffi::c_void,
        size: u64,
        flag: u32,
        devid: u32,
        dst: *mut *mut ::core::ffi::c_void,
    ) -> drvError_t {
        unsafe {
            (self.halHostRegister.as_ref().expect("Expected function, got error."))(
                src, size, flag, devid, dst,
            )
        }
    }
    #[doc = " Ends a registration."]
    pub unsafe fn halHostUnregister(&self, src: *mut ::core::ffi::c_void, devid: u32) -> drvError_t {
        unsafe { (self.halHostUnregister.as_ref().expect("Expected function, got error."))(src, devid) }
    }
    #[doc = " Ends a registration of a map type."]
    pub unsafe fn halHostUnregisterEx(
        &self,
        src: *mut ::core::ffi::c_void,
        devid: u32,
        flag: u32,
    ) -> drvError_t {
        unsafe {
            (self.halHostUnregisterEx.as_ref().expect("Expected function, got error."))(src, devid, flag)
        }
    }
    #[doc = " Makes a name of device memory for other processes."]
    pub unsafe fn halShmemCreateHandle(
        &self,
        ptr: DVdeviceptr,
        size: usize,
        name: *mut ::core::ffi::c_char,
        name_len: u32,
    ) -> drvError_t {
        unsafe {
            (self.halShmemCreateHandle.as_ref().expect("Expected function, got error."))(
                ptr, size, name, name_len,
            )
        }
    }
    #[doc = " Maps the memory of a name."]
    pub unsafe fn halShmemOpenHandle(
        &self,
        name: *const ::core::ffi::c_char,
        ptr: *mut DVdeviceptr,
    ) -> drvError_t {
        unsafe { (self.halShmemOpenHandle.as_ref().expect("Expected function, got error."))(name, ptr) }
    }
    #[doc = " Unmaps it."]
    pub unsafe fn halShmemCloseHandle(&self, ptr: DVdeviceptr) -> drvError_t {
        unsafe { (self.halShmemCloseHandle.as_ref().expect("Expected function, got error."))(ptr) }
    }
    #[doc = " Ends a name."]
    pub unsafe fn halShmemDestroyHandle(&self, name: *const ::core::ffi::c_char) -> drvError_t {
        unsafe { (self.halShmemDestroyHandle.as_ref().expect("Expected function, got error."))(name) }
    }
    #[doc = " Names processes that may open a name."]
    pub unsafe fn halShmemSetPidHandle(
        &self,
        name: *const ::core::ffi::c_char,
        pid: *mut ::core::ffi::c_int,
        num: ::core::ffi::c_int,
    ) -> drvError_t {
        unsafe {
            (self.halShmemSetPidHandle.as_ref().expect("Expected function, got error."))(name, pid, num)
        }
    }
    #[doc = " Number of devices."]
    pub unsafe fn drvGetDevNum(&self, num_dev: *mut u32) -> drvError_t {
        unsafe { (self.drvGetDevNum.as_ref().expect("Expected function, got error."))(num_dev) }
    }
    #[doc = " A fact of a device."]
    pub unsafe fn halGetDeviceInfo(
        &self,
        devid: u32,
        module_type: i32,
        info_type: i32,
        value: *mut i64,
    ) -> drvError_t {
        unsafe {
            (self.halGetDeviceInfo.as_ref().expect("Expected function, got error."))(
                devid,
                module_type,
                info_type,
                value,
            )
        }
    }
    #[doc = " Reports if a device can access the memory of a peer."]
    pub unsafe fn halDeviceCanAccessPeer(
        &self,
        can_access_peer: *mut ::core::ffi::c_int,
        devid: u32,
        peer_devid: u32,
    ) -> drvError_t {
        unsafe {
            (self.halDeviceCanAccessPeer.as_ref().expect("Expected function, got error."))(
                can_access_peer,
                devid,
                peer_devid,
            )
        }
    }
}
