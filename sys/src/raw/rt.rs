// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

use super::types::*;

pub struct RtTable {
    __library: ::libloading::Library,
    pub rtDeviceGetBareTgid: Result<unsafe extern "C" fn(pid: *mut u32) -> rtError_t, ::libloading::Error>,
    pub rtGetDeviceInfo: Result<
        unsafe extern "C" fn(deviceId: u32, moduleType: i32, infoType: i32, value: *mut i64) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtGetLogicDevIdByUserDevId:
        Result<unsafe extern "C" fn(userDevId: i32, logicDevId: *mut i32) -> rtError_t, ::libloading::Error>,
    pub rtEnableP2P: Result<
        unsafe extern "C" fn(devIdDes: u32, phyIdSrc: u32, flag: u32) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtDisableP2P:
        Result<unsafe extern "C" fn(devIdDes: u32, phyIdSrc: u32) -> rtError_t, ::libloading::Error>,
    pub rtGetP2PStatus: Result<
        unsafe extern "C" fn(devIdDes: u32, phyIdSrc: u32, status: *mut u32) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtIpcSetMemoryName: Result<
        unsafe extern "C" fn(
            ptr: *const ::core::ffi::c_void,
            byteCount: u64,
            name: *mut ::core::ffi::c_char,
            len: u32,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtIpcDestroyMemoryName:
        Result<unsafe extern "C" fn(name: *const ::core::ffi::c_char) -> rtError_t, ::libloading::Error>,
    pub rtIpcOpenMemory: Result<
        unsafe extern "C" fn(
            ptr: *mut *mut ::core::ffi::c_void,
            name: *const ::core::ffi::c_char,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtIpcCloseMemory:
        Result<unsafe extern "C" fn(ptr: *const ::core::ffi::c_void) -> rtError_t, ::libloading::Error>,
    pub rtSetIpcMemorySuperPodPid: Result<
        unsafe extern "C" fn(
            name: *const ::core::ffi::c_char,
            sdid: u32,
            pid: *mut i32,
            num: i32,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtMemcpyAsyncWithoutCheckKind: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            destMax: u64,
            src: *const ::core::ffi::c_void,
            count: u64,
            kind: u32,
            stream: *mut ::core::ffi::c_void,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtStreamGetSqid: Result<
        unsafe extern "C" fn(stream: *mut ::core::ffi::c_void, sqId: *mut u32) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtStreamGetCqid: Result<
        unsafe extern "C" fn(
            stream: *mut ::core::ffi::c_void,
            cqId: *mut u32,
            logicCqId: *mut u32,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtGetC2cCtrlAddr:
        Result<unsafe extern "C" fn(addr: *mut u64, len: *mut u32) -> rtError_t, ::libloading::Error>,
    pub rtDevBinaryRegister: Result<
        unsafe extern "C" fn(
            bin: *const ::core::ffi::c_void,
            hdl: *mut *mut ::core::ffi::c_void,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtFunctionRegister: Result<
        unsafe extern "C" fn(
            binHandle: *mut ::core::ffi::c_void,
            stubFunc: *const ::core::ffi::c_void,
            stubName: *const ::core::ffi::c_char,
            kernelInfoExt: *const ::core::ffi::c_void,
            funcMode: u32,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtKernelLaunch: Result<
        unsafe extern "C" fn(
            stubFunc: *const ::core::ffi::c_void,
            numBlocks: u32,
            args: *mut ::core::ffi::c_void,
            argsSize: u32,
            smDesc: *mut ::core::ffi::c_void,
            stream: *mut ::core::ffi::c_void,
        ) -> rtError_t,
        ::libloading::Error,
    >,
    pub rtGetDevResAddress: Result<
        unsafe extern "C" fn(
            resInfo: *mut ::core::ffi::c_void,
            addrInfo: *mut ::core::ffi::c_void,
        ) -> rtError_t,
        ::libloading::Error,
    >,
}
impl RtTable {
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
        let rtDeviceGetBareTgid = unsafe { __library.get(b"rtDeviceGetBareTgid\0") }.map(|sym| *sym);
        let rtGetDeviceInfo = unsafe { __library.get(b"rtGetDeviceInfo\0") }.map(|sym| *sym);
        let rtGetLogicDevIdByUserDevId =
            unsafe { __library.get(b"rtGetLogicDevIdByUserDevId\0") }.map(|sym| *sym);
        let rtEnableP2P = unsafe { __library.get(b"rtEnableP2P\0") }.map(|sym| *sym);
        let rtDisableP2P = unsafe { __library.get(b"rtDisableP2P\0") }.map(|sym| *sym);
        let rtGetP2PStatus = unsafe { __library.get(b"rtGetP2PStatus\0") }.map(|sym| *sym);
        let rtIpcSetMemoryName = unsafe { __library.get(b"rtIpcSetMemoryName\0") }.map(|sym| *sym);
        let rtIpcDestroyMemoryName = unsafe { __library.get(b"rtIpcDestroyMemoryName\0") }.map(|sym| *sym);
        let rtIpcOpenMemory = unsafe { __library.get(b"rtIpcOpenMemory\0") }.map(|sym| *sym);
        let rtIpcCloseMemory = unsafe { __library.get(b"rtIpcCloseMemory\0") }.map(|sym| *sym);
        let rtSetIpcMemorySuperPodPid =
            unsafe { __library.get(b"rtSetIpcMemorySuperPodPid\0") }.map(|sym| *sym);
        let rtMemcpyAsyncWithoutCheckKind =
            unsafe { __library.get(b"rtMemcpyAsyncWithoutCheckKind\0") }.map(|sym| *sym);
        let rtStreamGetSqid = unsafe { __library.get(b"rtStreamGetSqid\0") }.map(|sym| *sym);
        let rtStreamGetCqid = unsafe { __library.get(b"rtStreamGetCqid\0") }.map(|sym| *sym);
        let rtGetC2cCtrlAddr = unsafe { __library.get(b"rtGetC2cCtrlAddr\0") }.map(|sym| *sym);
        let rtDevBinaryRegister = unsafe { __library.get(b"rtDevBinaryRegister\0") }.map(|sym| *sym);
        let rtFunctionRegister = unsafe { __library.get(b"rtFunctionRegister\0") }.map(|sym| *sym);
        let rtKernelLaunch = unsafe { __library.get(b"rtKernelLaunch\0") }.map(|sym| *sym);
        let rtGetDevResAddress = unsafe { __library.get(b"rtGetDevResAddress\0") }.map(|sym| *sym);
        Ok(RtTable {
            __library,
            rtDeviceGetBareTgid,
            rtGetDeviceInfo,
            rtGetLogicDevIdByUserDevId,
            rtEnableP2P,
            rtDisableP2P,
            rtGetP2PStatus,
            rtIpcSetMemoryName,
            rtIpcDestroyMemoryName,
            rtIpcOpenMemory,
            rtIpcCloseMemory,
            rtSetIpcMemorySuperPodPid,
            rtMemcpyAsyncWithoutCheckKind,
            rtStreamGetSqid,
            rtStreamGetCqid,
            rtGetC2cCtrlAddr,
            rtDevBinaryRegister,
            rtFunctionRegister,
            rtKernelLaunch,
            rtGetDevResAddress,
        })
    }
    #[doc = " Process id in the host's name space."]
    pub unsafe fn rtDeviceGetBareTgid(&self, pid: *mut u32) -> rtError_t {
        unsafe { (self.rtDeviceGetBareTgid.as_ref().expect("Expected function, got error."))(pid) }
    }
    #[doc = " A fact of a device."]
    pub unsafe fn rtGetDeviceInfo(
        &self,
        deviceId: u32,
        moduleType: i32,
        infoType: i32,
        value: *mut i64,
    ) -> rtError_t {
        unsafe {
            (self.rtGetDeviceInfo.as_ref().expect("Expected function, got error."))(
                deviceId, moduleType, infoType, value,
            )
        }
    }
    #[doc = " Translates a user device id to the logical one."]
    pub unsafe fn rtGetLogicDevIdByUserDevId(&self, userDevId: i32, logicDevId: *mut i32) -> rtError_t {
        unsafe {
            (self.rtGetLogicDevIdByUserDevId.as_ref().expect("Expected function, got error."))(
                userDevId, logicDevId,
            )
        }
    }
    #[doc = " Lets a device reach a peer; the first id is logical, the second physical."]
    pub unsafe fn rtEnableP2P(&self, devIdDes: u32, phyIdSrc: u32, flag: u32) -> rtError_t {
        unsafe {
            (self.rtEnableP2P.as_ref().expect("Expected function, got error."))(devIdDes, phyIdSrc, flag)
        }
    }
    #[doc = " Ends the access of a device to a peer."]
    pub unsafe fn rtDisableP2P(&self, devIdDes: u32, phyIdSrc: u32) -> rtError_t {
        unsafe { (self.rtDisableP2P.as_ref().expect("Expected function, got error."))(devIdDes, phyIdSrc) }
    }
    #[doc = " Reports if a device reaches a peer."]
    pub unsafe fn rtGetP2PStatus(&self, devIdDes: u32, phyIdSrc: u32, status: *mut u32) -> rtError_t {
        unsafe {
            (self.rtGetP2PStatus.as_ref().expect("Expected function, got error."))(devIdDes, phyIdSrc, status)
        }
    }
    #[doc = " Makes a name of device memory for other processes."]
    pub unsafe fn rtIpcSetMemoryName(
        &self,
        ptr: *const ::core::ffi::c_void,
        byteCount: u64,
        name: *mut ::core::ffi::c_char,
        len: u32,
    ) -> rtError_t {
        unsafe {
            (self.rtIpcSetMemoryName.as_ref().expect("Expected function, got error."))(
                ptr, byteCount, name, len,
            )
        }
    }
    #[doc = " Ends a name."]
    pub unsafe fn rtIpcDestroyMemoryName(&self, name: *const ::core::ffi::c_char) -> rtError_t {
        unsafe { (self.rtIpcDestroyMemoryName.as_ref().expect("Expected function, got error."))(name) }
    }
    #[doc = " Maps the memory of a name."]
    pub unsafe fn rtIpcOpenMemory(
        &self,
        ptr: *mut *mut ::core::ffi::c_void,
        name: *const ::core::ffi::c_char,
    ) -> rtError_t {
        unsafe { (self.rtIpcOpenMemory.as_ref().expect("Expected function, got error."))(ptr, name) }
    }
    #[doc = " Unmaps it."]
    pub unsafe fn rtIpcCloseMemory(&self, ptr: *const ::core::ffi::c_void) -> rtError_t {
        unsafe { (self.rtIpcCloseMemory.as_ref().expect("Expected function, got error."))(ptr) }
    }
    #[doc = " Names processes of a device of the super node that may open a name."]
    pub unsafe fn rtSetIpcMemorySuperPodPid(
        &self,
        name: *const ::core::ffi::c_char,
        sdid: u32,
        pid: *mut i32,
        num: i32,
    ) -> rtError_t {
        unsafe {
            (self.rtSetIpcMemorySuperPodPid.as_ref().expect("Expected function, got error."))(
                name, sdid, pid, num,
            )
        }
    }
    #[doc = " Copies as a task of a stream without a check of the kind."]
    pub unsafe fn rtMemcpyAsyncWithoutCheckKind(
        &self,
        dst: *mut ::core::ffi::c_void,
        destMax: u64,
        src: *const ::core::ffi::c_void,
        count: u64,
        kind: u32,
        stream: *mut ::core::ffi::c_void,
    ) -> rtError_t {
        unsafe {
            (self.rtMemcpyAsyncWithoutCheckKind.as_ref().expect("Expected function, got error."))(
                dst, destMax, src, count, kind, stream,
            )
        }
    }
    #[doc = " Number of the submission queue of a stream."]
    pub unsafe fn rtStreamGetSqid(&self, stream: *mut ::core::ffi::c_void, sqId: *mut u32) -> rtError_t {
        unsafe { (self.rtStreamGetSqid.as_ref().expect("Expected function, got error."))(stream, sqId) }
    }
    #[doc = " Numbers of the completion queues of a stream."]
    pub unsafe fn rtStreamGetCqid(
        &self,
        stream: *mut ::core::ffi::c_void,
        cqId: *mut u32,
        logicCqId: *mut u32,
    ) -> rtError_t {
        unsafe {
            (self.rtStreamGetCqid.as_ref().expect("Expected function, got error."))(stream, cqId, logicCqId)
        }
    }
    #[doc = " Address and length of the control words for collectives between chips."]
    pub unsafe fn rtGetC2cCtrlAddr(&self, addr: *mut u64, len: *mut u32) -> rtError_t {
        unsafe { (self.rtGetC2cCtrlAddr.as_ref().expect("Expected function, got error."))(addr, len) }
    }
    #[doc = " Registers a binary of kernels; its structure is not bound."]
    pub unsafe fn rtDevBinaryRegister(
        &self,
        bin: *const ::core::ffi::c_void,
        hdl: *mut *mut ::core::ffi::c_void,
    ) -> rtError_t {
        unsafe { (self.rtDevBinaryRegister.as_ref().expect("Expected function, got error."))(bin, hdl) }
    }
    #[doc = " Registers a kernel of a binary under the address of a function of the host."]
    pub unsafe fn rtFunctionRegister(
        &self,
        binHandle: *mut ::core::ffi::c_void,
        stubFunc: *const ::core::ffi::c_void,
        stubName: *const ::core::ffi::c_char,
        kernelInfoExt: *const ::core::ffi::c_void,
        funcMode: u32,
    ) -> rtError_t {
        unsafe {
            (self.rtFunctionRegister.as_ref().expect("Expected function, got error."))(
                binHandle,
                stubFunc,
                stubName,
                kernelInfoExt,
                funcMode,
            )
        }
    }
    #[doc = " Launches a registered kernel."]
    pub unsafe fn rtKernelLaunch(
        &self,
        stubFunc: *const ::core::ffi::c_void,
        numBlocks: u32,
        args: *mut ::core::ffi::c_void,
        argsSize: u32,
        smDesc: *mut ::core::ffi::c_void,
        stream: *mut ::core::ffi::c_void,
    ) -> rtError_t {
        unsafe {
            (self.rtKernelLaunch.as_ref().expect("Expected function, got error."))(
                stubFunc, numBlocks, args, argsSize, smDesc, stream,
            )
        }
    }
    #[doc = " Address of a resource of the device; the structures are not bound."]
    pub unsafe fn rtGetDevResAddress(
        &self,
        resInfo: *mut ::core::ffi::c_void,
        addrInfo: *mut ::core::ffi::c_void,
    ) -> rtError_t {
        unsafe {
            (self.rtGetDevResAddress.as_ref().expect("Expected function, got error."))(resInfo, addrInfo)
        }
    }
}
