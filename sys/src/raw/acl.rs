// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

use super::types::*;

pub struct AclTable {
    __library: ::libloading::Library,
    pub aclGetRecentErrMsg: Result<unsafe extern "C" fn() -> *const ::core::ffi::c_char, ::libloading::Error>,
    pub aclrtGetLastError:
        Result<unsafe extern "C" fn(level: aclrtLastErrLevel) -> aclError, ::libloading::Error>,
    pub aclrtPeekAtLastError:
        Result<unsafe extern "C" fn(level: aclrtLastErrLevel) -> aclError, ::libloading::Error>,
    pub aclInit:
        Result<unsafe extern "C" fn(configPath: *const ::core::ffi::c_char) -> aclError, ::libloading::Error>,
    pub aclFinalize: Result<unsafe extern "C" fn() -> aclError, ::libloading::Error>,
    pub aclFinalizeReference:
        Result<unsafe extern "C" fn(refCount: *mut u64) -> aclError, ::libloading::Error>,
    pub aclrtGetVersion: Result<
        unsafe extern "C" fn(
            majorVersion: *mut i32,
            minorVersion: *mut i32,
            patchVersion: *mut i32,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclsysGetVersionStr: Result<
        unsafe extern "C" fn(
            pkgName: *mut ::core::ffi::c_char,
            versionStr: *mut ::core::ffi::c_char,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclsysGetVersionNum: Result<
        unsafe extern "C" fn(pkgName: *mut ::core::ffi::c_char, versionNum: *mut i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclsysGetCANNVersion: Result<
        unsafe extern "C" fn(name: aclCANNPackageName, version: *mut aclCANNPackageVersion) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetSocName: Result<unsafe extern "C" fn() -> *const ::core::ffi::c_char, ::libloading::Error>,
    pub aclrtGetDeviceCount: Result<unsafe extern "C" fn(count: *mut u32) -> aclError, ::libloading::Error>,
    pub aclrtSetDevice: Result<unsafe extern "C" fn(deviceId: i32) -> aclError, ::libloading::Error>,
    pub aclrtResetDevice: Result<unsafe extern "C" fn(deviceId: i32) -> aclError, ::libloading::Error>,
    pub aclrtResetDeviceForce: Result<unsafe extern "C" fn(deviceId: i32) -> aclError, ::libloading::Error>,
    pub aclrtGetDevice: Result<unsafe extern "C" fn(deviceId: *mut i32) -> aclError, ::libloading::Error>,
    pub aclrtGetRunMode:
        Result<unsafe extern "C" fn(runMode: *mut aclrtRunMode) -> aclError, ::libloading::Error>,
    pub aclrtSynchronizeDevice: Result<unsafe extern "C" fn() -> aclError, ::libloading::Error>,
    pub aclrtSynchronizeDeviceWithTimeout:
        Result<unsafe extern "C" fn(timeout: i32) -> aclError, ::libloading::Error>,
    pub aclrtGetDeviceInfo: Result<
        unsafe extern "C" fn(deviceId: u32, attr: aclrtDevAttr, value: *mut i64) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetDeviceCapability: Result<
        unsafe extern "C" fn(deviceId: i32, devFeatureType: aclrtDevFeatureType, value: *mut i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDeviceGetUuid:
        Result<unsafe extern "C" fn(deviceId: i32, uuid: *mut aclrtUuid) -> aclError, ::libloading::Error>,
    pub aclrtQueryDeviceStatus: Result<
        unsafe extern "C" fn(deviceId: i32, deviceStatus: *mut aclrtDeviceStatus) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDeviceGetStreamPriorityRange: Result<
        unsafe extern "C" fn(leastPriority: *mut i32, greatestPriority: *mut i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDeviceGetBareTgid: Result<unsafe extern "C" fn(pid: *mut i32) -> aclError, ::libloading::Error>,
    pub aclrtGetLogicDevIdByUserDevId:
        Result<unsafe extern "C" fn(userDevid: i32, logicDevId: *mut i32) -> aclError, ::libloading::Error>,
    pub aclrtGetUserDevIdByLogicDevId:
        Result<unsafe extern "C" fn(logicDevId: i32, userDevid: *mut i32) -> aclError, ::libloading::Error>,
    pub aclrtGetLogicDevIdByPhyDevId:
        Result<unsafe extern "C" fn(phyDevId: i32, logicDevId: *mut i32) -> aclError, ::libloading::Error>,
    pub aclrtGetPhyDevIdByLogicDevId:
        Result<unsafe extern "C" fn(logicDevId: i32, phyDevId: *mut i32) -> aclError, ::libloading::Error>,
    pub aclrtGetDevicesTopo: Result<
        unsafe extern "C" fn(deviceId: u32, otherDeviceId: u32, value: *mut u64) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCreateContext: Result<
        unsafe extern "C" fn(context: *mut aclrtContext, deviceId: i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDestroyContext:
        Result<unsafe extern "C" fn(context: aclrtContext) -> aclError, ::libloading::Error>,
    pub aclrtSetCurrentContext:
        Result<unsafe extern "C" fn(context: aclrtContext) -> aclError, ::libloading::Error>,
    pub aclrtGetCurrentContext:
        Result<unsafe extern "C" fn(context: *mut aclrtContext) -> aclError, ::libloading::Error>,
    pub aclrtCtxGetCurrentDefaultStream:
        Result<unsafe extern "C" fn(stream: *mut aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtGetPrimaryCtxState: Result<
        unsafe extern "C" fn(deviceId: i32, flags: *mut u32, active: *mut i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDeviceTaskAbort:
        Result<unsafe extern "C" fn(deviceId: i32, timeout: u32) -> aclError, ::libloading::Error>,
    pub aclrtSetExceptionInfoCallback:
        Result<unsafe extern "C" fn(callback: aclrtExceptionInfoCallback) -> aclError, ::libloading::Error>,
    pub aclrtGetTaskIdFromExceptionInfo:
        Result<unsafe extern "C" fn(info: *const aclrtExceptionInfo) -> u32, ::libloading::Error>,
    pub aclrtGetStreamIdFromExceptionInfo:
        Result<unsafe extern "C" fn(info: *const aclrtExceptionInfo) -> u32, ::libloading::Error>,
    pub aclrtGetThreadIdFromExceptionInfo:
        Result<unsafe extern "C" fn(info: *const aclrtExceptionInfo) -> u32, ::libloading::Error>,
    pub aclrtGetDeviceIdFromExceptionInfo:
        Result<unsafe extern "C" fn(info: *const aclrtExceptionInfo) -> u32, ::libloading::Error>,
    pub aclrtGetErrorCodeFromExceptionInfo:
        Result<unsafe extern "C" fn(info: *const aclrtExceptionInfo) -> u32, ::libloading::Error>,
    pub aclrtRegDeviceStateCallback: Result<
        unsafe extern "C" fn(
            regName: *const ::core::ffi::c_char,
            callback: aclrtDeviceStateCallback,
            args: *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetErrorVerbose: Result<
        unsafe extern "C" fn(deviceId: i32, errorInfo: *mut aclrtErrorInfo) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtRepairError: Result<
        unsafe extern "C" fn(deviceId: i32, errorInfo: *const aclrtErrorInfo) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetMemUceInfo: Result<
        unsafe extern "C" fn(
            deviceId: i32,
            memUceInfoArray: *mut aclrtMemUceInfo,
            arraySize: usize,
            retSize: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMalloc: Result<
        unsafe extern "C" fn(
            devPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            policy: aclrtMemMallocPolicy,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMallocAlign32: Result<
        unsafe extern "C" fn(
            devPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            policy: aclrtMemMallocPolicy,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMallocWithCfg: Result<
        unsafe extern "C" fn(
            devPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            policy: aclrtMemMallocPolicy,
            cfg: *mut aclrtMallocConfig,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtFree:
        Result<unsafe extern "C" fn(devPtr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtFreeWithDevSync:
        Result<unsafe extern "C" fn(devPtr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtMallocHost: Result<
        unsafe extern "C" fn(hostPtr: *mut *mut ::core::ffi::c_void, size: usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtFreeHost:
        Result<unsafe extern "C" fn(hostPtr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtMallocHostWithCfg: Result<
        unsafe extern "C" fn(
            ptr: *mut *mut ::core::ffi::c_void,
            size: u64,
            cfg: *mut aclrtMallocConfig,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtFreeHostWithDevSync:
        Result<unsafe extern "C" fn(hostPtr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtMemset: Result<
        unsafe extern "C" fn(
            devPtr: *mut ::core::ffi::c_void,
            maxCount: usize,
            value: i32,
            count: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemsetAsync: Result<
        unsafe extern "C" fn(
            devPtr: *mut ::core::ffi::c_void,
            maxCount: usize,
            value: i32,
            count: usize,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpy: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            destMax: usize,
            src: *const ::core::ffi::c_void,
            count: usize,
            kind: aclrtMemcpyKind,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpyAsync: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            destMax: usize,
            src: *const ::core::ffi::c_void,
            count: usize,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpyAsyncWithCondition: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            destMax: usize,
            src: *const ::core::ffi::c_void,
            count: usize,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpy2d: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            dpitch: usize,
            src: *const ::core::ffi::c_void,
            spitch: usize,
            width: usize,
            height: usize,
            kind: aclrtMemcpyKind,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpy2dAsync: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            dpitch: usize,
            src: *const ::core::ffi::c_void,
            spitch: usize,
            width: usize,
            height: usize,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpyBatch: Result<
        unsafe extern "C" fn(
            dsts: *mut *mut ::core::ffi::c_void,
            destMaxs: *mut usize,
            srcs: *mut *mut ::core::ffi::c_void,
            sizes: *mut usize,
            numBatches: usize,
            attrs: *mut aclrtMemcpyBatchAttr,
            attrsIndexes: *mut usize,
            numAttrs: usize,
            failIndex: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpyBatchAsync: Result<
        unsafe extern "C" fn(
            dsts: *mut *mut ::core::ffi::c_void,
            destMaxs: *mut usize,
            srcs: *mut *mut ::core::ffi::c_void,
            sizes: *mut usize,
            numBatches: usize,
            attrs: *mut aclrtMemcpyBatchAttr,
            attrsIndexes: *mut usize,
            numAttrs: usize,
            failIndex: *mut usize,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpyBatchV2: Result<
        unsafe extern "C" fn(
            dsts: *mut *mut ::core::ffi::c_void,
            destMaxs: *mut usize,
            srcs: *mut *mut ::core::ffi::c_void,
            sizes: *mut usize,
            numBatches: usize,
            attrs: *mut aclrtMemcpyBatchAttr,
            attrsIndexes: *mut usize,
            numAttrs: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemcpyBatchAsyncV2: Result<
        unsafe extern "C" fn(
            dsts: *mut *mut ::core::ffi::c_void,
            destMaxs: *mut usize,
            srcs: *mut *mut ::core::ffi::c_void,
            sizes: *mut usize,
            numBatches: usize,
            attrs: *mut aclrtMemcpyBatchAttr,
            attrsIndexes: *mut usize,
            numAttrs: usize,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtReduceAsync: Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            count: u64,
            kind: aclrtReduceKind,
            type_: aclDataType,
            stream: aclrtStream,
            reserve: *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetMemInfo: Result<
        unsafe extern "C" fn(attr: aclrtMemAttr, free: *mut usize, total: *mut usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetMemUsageInfo: Result<
        unsafe extern "C" fn(
            deviceId: i32,
            memUsageInfo: *mut aclrtMemUsageInfo,
            inputNum: usize,
            outputNum: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtPointerGetAttributes: Result<
        unsafe extern "C" fn(
            ptr: *const ::core::ffi::c_void,
            attributes: *mut aclrtPtrAttributes,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemGetAddressRange: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            pbase: *mut *mut ::core::ffi::c_void,
            psize: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemFlush: Result<
        unsafe extern "C" fn(devPtr: *mut ::core::ffi::c_void, size: usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemInvalidate: Result<
        unsafe extern "C" fn(devPtr: *mut ::core::ffi::c_void, size: usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCmoAsync: Result<
        unsafe extern "C" fn(
            src: *mut ::core::ffi::c_void,
            size: usize,
            cmoType: aclrtCmoType,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtReserveMemAddress: Result<
        unsafe extern "C" fn(
            virPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            alignment: usize,
            expectPtr: *mut ::core::ffi::c_void,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtReserveMemAddressNoUCMemory: Result<
        unsafe extern "C" fn(
            virPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            alignment: usize,
            expectPtr: *mut ::core::ffi::c_void,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtReleaseMemAddress:
        Result<unsafe extern "C" fn(virPtr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtMallocPhysical: Result<
        unsafe extern "C" fn(
            handle: *mut aclrtDrvMemHandle,
            size: usize,
            prop: *const aclrtPhysicalMemProp,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtFreePhysical:
        Result<unsafe extern "C" fn(handle: aclrtDrvMemHandle) -> aclError, ::libloading::Error>,
    pub aclrtMapMem: Result<
        unsafe extern "C" fn(
            virPtr: *mut ::core::ffi::c_void,
            size: usize,
            offset: usize,
            handle: aclrtDrvMemHandle,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtUnmapMem:
        Result<unsafe extern "C" fn(virPtr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtMemGetAllocationGranularity: Result<
        unsafe extern "C" fn(
            prop: *mut aclrtPhysicalMemProp,
            option: aclrtMemGranularityOptions,
            granularity: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemSetAccess: Result<
        unsafe extern "C" fn(
            virPtr: *mut ::core::ffi::c_void,
            size: usize,
            desc: *mut aclrtMemAccessDesc,
            count: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemGetAccess: Result<
        unsafe extern "C" fn(
            virPtr: *mut ::core::ffi::c_void,
            location: *mut aclrtMemLocation,
            flag: *mut u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemExportToShareableHandle: Result<
        unsafe extern "C" fn(
            handle: aclrtDrvMemHandle,
            handleType: aclrtMemHandleType,
            flags: u64,
            shareableHandle: *mut u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemExportToShareableHandleV2: Result<
        unsafe extern "C" fn(
            handle: aclrtDrvMemHandle,
            flags: u64,
            shareType: aclrtMemSharedHandleType,
            shareableHandle: *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemImportFromShareableHandle: Result<
        unsafe extern "C" fn(shareableHandle: u64, deviceId: i32, handle: *mut aclrtDrvMemHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemImportFromShareableHandleV2: Result<
        unsafe extern "C" fn(
            shareableHandle: *mut ::core::ffi::c_void,
            shareType: aclrtMemSharedHandleType,
            flags: u64,
            handle: *mut aclrtDrvMemHandle,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemSetPidToShareableHandle: Result<
        unsafe extern "C" fn(shareableHandle: u64, pid: *mut i32, pidNum: usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemSetPidToShareableHandleV2: Result<
        unsafe extern "C" fn(
            shareableHandle: *mut ::core::ffi::c_void,
            shareType: aclrtMemSharedHandleType,
            pid: *mut i32,
            pidNum: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemRetainAllocationHandle: Result<
        unsafe extern "C" fn(virPtr: *mut ::core::ffi::c_void, handle: *mut aclrtDrvMemHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemGetAllocationPropertiesFromHandle: Result<
        unsafe extern "C" fn(handle: aclrtDrvMemHandle, prop: *mut aclrtPhysicalMemProp) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtMemP2PMap: Result<
        unsafe extern "C" fn(
            devPtr: *mut ::core::ffi::c_void,
            size: usize,
            dstDevId: i32,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtIpcMemGetExportKey: Result<
        unsafe extern "C" fn(
            devPtr: *mut ::core::ffi::c_void,
            size: usize,
            key: *mut ::core::ffi::c_char,
            len: usize,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtIpcMemSetImportPid: Result<
        unsafe extern "C" fn(key: *const ::core::ffi::c_char, pid: *mut i32, num: usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtIpcMemImportByKey: Result<
        unsafe extern "C" fn(
            devPtr: *mut *mut ::core::ffi::c_void,
            key: *const ::core::ffi::c_char,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtIpcMemClose:
        Result<unsafe extern "C" fn(key: *const ::core::ffi::c_char) -> aclError, ::libloading::Error>,
    pub aclrtIpcMemSetAttr: Result<
        unsafe extern "C" fn(
            key: *const ::core::ffi::c_char,
            type_: aclrtIpcMemAttrType,
            attr: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtIpcMemImportPidInterServer: Result<
        unsafe extern "C" fn(
            key: *const ::core::ffi::c_char,
            serverPids: *mut aclrtServerPid,
            num: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDeviceCanAccessPeer: Result<
        unsafe extern "C" fn(canAccessPeer: *mut i32, deviceId: i32, peerDeviceId: i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDeviceEnablePeerAccess:
        Result<unsafe extern "C" fn(peerDeviceId: i32, flags: u32) -> aclError, ::libloading::Error>,
    pub aclrtDeviceDisablePeerAccess:
        Result<unsafe extern "C" fn(peerDeviceId: i32) -> aclError, ::libloading::Error>,
    pub aclrtDevicePeerAccessStatus: Result<
        unsafe extern "C" fn(deviceId: i32, peerDeviceId: i32, status: *mut i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtHostRegister: Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            size: u64,
            type_: aclrtHostRegisterType,
            devPtr: *mut *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtHostRegisterV2: Result<
        unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, size: u64, flag: u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtHostGetDevicePointer: Result<
        unsafe extern "C" fn(
            pHost: *mut ::core::ffi::c_void,
            pDevice: *mut *mut ::core::ffi::c_void,
            flag: u32,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtHostUnregister:
        Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtHostMemMapCapabilities: Result<
        unsafe extern "C" fn(
            deviceId: u32,
            hacType: aclrtHacType,
            capabilities: *mut aclrtHostMemMapCapability,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCreateStream:
        Result<unsafe extern "C" fn(stream: *mut aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtCreateStreamWithConfig: Result<
        unsafe extern "C" fn(stream: *mut aclrtStream, priority: u32, flag: u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCreateStreamConfigHandle:
        Result<unsafe extern "C" fn() -> *mut aclrtStreamConfigHandle, ::libloading::Error>,
    pub aclrtSetStreamConfigOpt: Result<
        unsafe extern "C" fn(
            handle: *mut aclrtStreamConfigHandle,
            attr: aclrtStreamConfigAttr,
            attrValue: *const ::core::ffi::c_void,
            valueSize: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCreateStreamV2: Result<
        unsafe extern "C" fn(stream: *mut aclrtStream, handle: *const aclrtStreamConfigHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtDestroyStreamConfigHandle:
        Result<unsafe extern "C" fn(handle: *mut aclrtStreamConfigHandle) -> aclError, ::libloading::Error>,
    pub aclrtDestroyStream:
        Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtDestroyStreamForce:
        Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtSynchronizeStream:
        Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtSynchronizeStreamWithTimeout:
        Result<unsafe extern "C" fn(stream: aclrtStream, timeout: i32) -> aclError, ::libloading::Error>,
    pub aclrtStreamQuery: Result<
        unsafe extern "C" fn(stream: aclrtStream, status: *mut aclrtStreamStatus) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtStreamGetId: Result<
        unsafe extern "C" fn(stream: aclrtStream, streamId: *mut i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtStreamGetPriority: Result<
        unsafe extern "C" fn(stream: aclrtStream, priority: *mut u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtStreamGetFlags:
        Result<unsafe extern "C" fn(stream: aclrtStream, flags: *mut u32) -> aclError, ::libloading::Error>,
    pub aclrtGetStreamAvailableNum:
        Result<unsafe extern "C" fn(streamCount: *mut u32) -> aclError, ::libloading::Error>,
    pub aclrtSetStreamFailureMode:
        Result<unsafe extern "C" fn(stream: aclrtStream, mode: u64) -> aclError, ::libloading::Error>,
    pub aclrtSetStreamAttribute: Result<
        unsafe extern "C" fn(
            stream: aclrtStream,
            stmAttrType: aclrtStreamAttr,
            value: *mut aclrtStreamAttrValue,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetStreamAttribute: Result<
        unsafe extern "C" fn(
            stream: aclrtStream,
            stmAttrType: aclrtStreamAttr,
            value: *mut aclrtStreamAttrValue,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtStreamAbort: Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtStreamStop: Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtCreateEvent:
        Result<unsafe extern "C" fn(event: *mut aclrtEvent) -> aclError, ::libloading::Error>,
    pub aclrtCreateEventWithFlag:
        Result<unsafe extern "C" fn(event: *mut aclrtEvent, flag: u32) -> aclError, ::libloading::Error>,
    pub aclrtCreateEventExWithFlag:
        Result<unsafe extern "C" fn(event: *mut aclrtEvent, flag: u32) -> aclError, ::libloading::Error>,
    pub aclrtDestroyEvent: Result<unsafe extern "C" fn(event: aclrtEvent) -> aclError, ::libloading::Error>,
    pub aclrtRecordEvent:
        Result<unsafe extern "C" fn(event: aclrtEvent, stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtResetEvent:
        Result<unsafe extern "C" fn(event: aclrtEvent, stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtStreamWaitEvent:
        Result<unsafe extern "C" fn(stream: aclrtStream, event: aclrtEvent) -> aclError, ::libloading::Error>,
    pub aclrtStreamWaitEventWithTimeout: Result<
        unsafe extern "C" fn(stream: aclrtStream, event: aclrtEvent, timeout: i32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtSynchronizeEvent:
        Result<unsafe extern "C" fn(event: aclrtEvent) -> aclError, ::libloading::Error>,
    pub aclrtSynchronizeEventWithTimeout:
        Result<unsafe extern "C" fn(event: aclrtEvent, timeout: i32) -> aclError, ::libloading::Error>,
    pub aclrtQueryEventStatus: Result<
        unsafe extern "C" fn(event: aclrtEvent, status: *mut aclrtEventRecordedStatus) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtQueryEvent: Result<
        unsafe extern "C" fn(event: aclrtEvent, status: *mut aclrtEventStatus) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtQueryEventWaitStatus: Result<
        unsafe extern "C" fn(event: aclrtEvent, status: *mut aclrtEventWaitStatus) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtEventElapsedTime: Result<
        unsafe extern "C" fn(ms: *mut f32, startEvent: aclrtEvent, endEvent: aclrtEvent) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtEventGetTimestamp:
        Result<unsafe extern "C" fn(event: aclrtEvent, timestamp: *mut u64) -> aclError, ::libloading::Error>,
    pub aclrtGetEventId:
        Result<unsafe extern "C" fn(event: aclrtEvent, eventId: *mut u32) -> aclError, ::libloading::Error>,
    pub aclrtGetEventAvailNum:
        Result<unsafe extern "C" fn(eventCount: *mut u32) -> aclError, ::libloading::Error>,
    pub aclrtIpcGetEventHandle: Result<
        unsafe extern "C" fn(event: aclrtEvent, handle: *mut aclrtIpcEventHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtIpcOpenEventHandle: Result<
        unsafe extern "C" fn(handle: aclrtIpcEventHandle, event: *mut aclrtEvent) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCreateNotify:
        Result<unsafe extern "C" fn(notify: *mut aclrtNotify, flag: u64) -> aclError, ::libloading::Error>,
    pub aclrtDestroyNotify:
        Result<unsafe extern "C" fn(notify: aclrtNotify) -> aclError, ::libloading::Error>,
    pub aclrtGetNotifyId: Result<
        unsafe extern "C" fn(notify: aclrtNotify, notifyId: *mut u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtRecordNotify: Result<
        unsafe extern "C" fn(notify: aclrtNotify, stream: aclrtStream) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtWaitAndResetNotify: Result<
        unsafe extern "C" fn(notify: aclrtNotify, stream: aclrtStream, timeout: u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtNotifyGetExportKey: Result<
        unsafe extern "C" fn(
            notify: aclrtNotify,
            key: *mut ::core::ffi::c_char,
            len: usize,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtNotifyImportByKey: Result<
        unsafe extern "C" fn(
            notify: *mut aclrtNotify,
            key: *const ::core::ffi::c_char,
            flags: u64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtNotifySetImportPid: Result<
        unsafe extern "C" fn(notify: aclrtNotify, pid: *mut i32, num: usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtNotifyBatchReset:
        Result<unsafe extern "C" fn(notifies: *mut aclrtNotify, num: usize) -> aclError, ::libloading::Error>,
    pub aclrtCntNotifyCreate: Result<
        unsafe extern "C" fn(cntNotify: *mut aclrtCntNotify, flag: u64) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCntNotifyDestroy:
        Result<unsafe extern "C" fn(cntNotify: aclrtCntNotify) -> aclError, ::libloading::Error>,
    pub aclrtCntNotifyRecord: Result<
        unsafe extern "C" fn(
            cntNotify: aclrtCntNotify,
            stream: aclrtStream,
            info: *mut aclrtCntNotifyRecordInfo,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCntNotifyWaitWithTimeout: Result<
        unsafe extern "C" fn(
            cntNotify: aclrtCntNotify,
            stream: aclrtStream,
            info: *mut aclrtCntNotifyWaitInfo,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCntNotifyReset: Result<
        unsafe extern "C" fn(cntNotify: aclrtCntNotify, stream: aclrtStream) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCntNotifyGetId: Result<
        unsafe extern "C" fn(cntNotify: aclrtCntNotify, notifyId: *mut u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtValueWrite: Result<
        unsafe extern "C" fn(
            devAddr: *mut ::core::ffi::c_void,
            value: u64,
            flag: u32,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtValueWait: Result<
        unsafe extern "C" fn(
            devAddr: *mut ::core::ffi::c_void,
            value: u64,
            flag: u32,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtSubscribeReport:
        Result<unsafe extern "C" fn(threadId: u64, stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtUnSubscribeReport:
        Result<unsafe extern "C" fn(threadId: u64, stream: aclrtStream) -> aclError, ::libloading::Error>,
    pub aclrtProcessReport: Result<unsafe extern "C" fn(timeout: i32) -> aclError, ::libloading::Error>,
    pub aclrtLaunchCallback: Result<
        unsafe extern "C" fn(
            fn_: aclrtCallback,
            userData: *mut ::core::ffi::c_void,
            blockType: aclrtCallbackBlockType,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtLaunchHostFunc: Result<
        unsafe extern "C" fn(
            stream: aclrtStream,
            fn_: aclrtHostFunc,
            args: *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtSetOpExecuteTimeOut: Result<unsafe extern "C" fn(timeout: u32) -> aclError, ::libloading::Error>,
    pub aclrtSetOpExecuteTimeOutWithMs:
        Result<unsafe extern "C" fn(timeout: u32) -> aclError, ::libloading::Error>,
    pub aclrtSetOpExecuteTimeOutV2:
        Result<unsafe extern "C" fn(timeout: u64, actualTimeout: *mut u64) -> aclError, ::libloading::Error>,
    pub aclrtSetOpWaitTimeout: Result<unsafe extern "C" fn(timeout: u32) -> aclError, ::libloading::Error>,
    pub aclrtGetOpExecuteTimeout:
        Result<unsafe extern "C" fn(timeoutMs: *mut u32) -> aclError, ::libloading::Error>,
    pub aclrtBinaryLoadFromFile: Result<
        unsafe extern "C" fn(
            binPath: *const ::core::ffi::c_char,
            options: *mut aclrtBinaryLoadOptions,
            binHandle: *mut aclrtBinHandle,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtBinaryLoadFromData: Result<
        unsafe extern "C" fn(
            data: *const ::core::ffi::c_void,
            length: usize,
            options: *const aclrtBinaryLoadOptions,
            binHandle: *mut aclrtBinHandle,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtCreateBinary: Result<
        unsafe extern "C" fn(data: *const ::core::ffi::c_void, dataLen: usize) -> aclrtBinary,
        ::libloading::Error,
    >,
    pub aclrtDestroyBinary:
        Result<unsafe extern "C" fn(binary: aclrtBinary) -> aclError, ::libloading::Error>,
    pub aclrtBinaryLoad: Result<
        unsafe extern "C" fn(binary: aclrtBinary, binHandle: *mut aclrtBinHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtBinaryUnLoad:
        Result<unsafe extern "C" fn(binHandle: aclrtBinHandle) -> aclError, ::libloading::Error>,
    pub aclrtBinaryGetFunction: Result<
        unsafe extern "C" fn(
            binHandle: aclrtBinHandle,
            kernelName: *const ::core::ffi::c_char,
            funcHandle: *mut aclrtFuncHandle,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtBinaryGetFunctionByEntry: Result<
        unsafe extern "C" fn(
            binHandle: aclrtBinHandle,
            funcEntry: u64,
            funcHandle: *mut aclrtFuncHandle,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtBinaryGetGlobal: Result<
        unsafe extern "C" fn(
            binHandle: aclrtBinHandle,
            name: *const ::core::ffi::c_char,
            dptr: *mut *mut ::core::ffi::c_void,
            size: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetFunctionName: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            maxLen: u32,
            name: *mut ::core::ffi::c_char,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetFunctionAttribute: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            attrType: aclrtFuncAttribute,
            attrValue: *mut i64,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsInit: Result<
        unsafe extern "C" fn(funcHandle: aclrtFuncHandle, argsHandle: *mut aclrtArgsHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsAppend: Result<
        unsafe extern "C" fn(
            argsHandle: aclrtArgsHandle,
            param: *mut ::core::ffi::c_void,
            paramSize: usize,
            paramHandle: *mut aclrtParamHandle,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsAppendPlaceHolder: Result<
        unsafe extern "C" fn(argsHandle: aclrtArgsHandle, paramHandle: *mut aclrtParamHandle) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsGetPlaceHolderBuffer: Result<
        unsafe extern "C" fn(
            argsHandle: aclrtArgsHandle,
            paramHandle: aclrtParamHandle,
            dataSize: usize,
            bufferAddr: *mut *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsParaUpdate: Result<
        unsafe extern "C" fn(
            argsHandle: aclrtArgsHandle,
            paramHandle: aclrtParamHandle,
            param: *mut ::core::ffi::c_void,
            paramSize: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsFinalize:
        Result<unsafe extern "C" fn(argsHandle: aclrtArgsHandle) -> aclError, ::libloading::Error>,
    pub aclrtKernelArgsGetHandleMemSize: Result<
        unsafe extern "C" fn(funcHandle: aclrtFuncHandle, memSize: *mut usize) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsGetMemSize: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            userArgsSize: usize,
            actualArgsSize: *mut usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtKernelArgsInitByUserMem: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            argsHandle: aclrtArgsHandle,
            userHostMem: *mut ::core::ffi::c_void,
            actualArgsSize: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtLaunchKernelWithConfig: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            numBlocks: u32,
            stream: aclrtStream,
            cfg: *mut aclrtLaunchKernelCfg,
            argsHandle: aclrtArgsHandle,
            reserve: *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtLaunchKernelWithHostArgs: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            numBlocks: u32,
            stream: aclrtStream,
            cfg: *mut aclrtLaunchKernelCfg,
            hostArgs: *mut ::core::ffi::c_void,
            argsSize: usize,
            placeHolderArray: *mut aclrtPlaceHolderInfo,
            placeHolderNum: usize,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtLaunchKernelV2: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            numBlocks: u32,
            argsData: *const ::core::ffi::c_void,
            argsSize: usize,
            cfg: *mut aclrtLaunchKernelCfg,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtLaunchKernel: Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            numBlocks: u32,
            argsData: *const ::core::ffi::c_void,
            argsSize: usize,
            stream: aclrtStream,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtLaunchKernelWithArgsArray: Result<
        unsafe extern "C" fn(
            func: *mut ::core::ffi::c_void,
            numBlocks: u32,
            stream: aclrtStream,
            cfg: *mut aclrtLaunchKernelCfg,
            args: *mut *mut ::core::ffi::c_void,
        ) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetHardwareSyncAddr:
        Result<unsafe extern "C" fn(addr: *mut *mut ::core::ffi::c_void) -> aclError, ::libloading::Error>,
    pub aclrtGetDeviceResLimit: Result<
        unsafe extern "C" fn(deviceId: i32, type_: aclrtDevResLimitType, value: *mut u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtSetDeviceResLimit: Result<
        unsafe extern "C" fn(deviceId: i32, type_: aclrtDevResLimitType, value: u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtGetStreamResLimit: Result<
        unsafe extern "C" fn(stream: aclrtStream, type_: aclrtDevResLimitType, value: *mut u32) -> aclError,
        ::libloading::Error,
    >,
    pub aclrtSetStreamResLimit: Result<
        unsafe extern "C" fn(stream: aclrtStream, type_: aclrtDevResLimitType, value: u32) -> aclError,
        ::libloading::Error,
    >,
}
impl AclTable {
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
        let aclGetRecentErrMsg = unsafe { __library.get(b"aclGetRecentErrMsg\0") }.map(|sym| *sym);
        let aclrtGetLastError = unsafe { __library.get(b"aclrtGetLastError\0") }.map(|sym| *sym);
        let aclrtPeekAtLastError = unsafe { __library.get(b"aclrtPeekAtLastError\0") }.map(|sym| *sym);
        let aclInit = unsafe { __library.get(b"aclInit\0") }.map(|sym| *sym);
        let aclFinalize = unsafe { __library.get(b"aclFinalize\0") }.map(|sym| *sym);
        let aclFinalizeReference = unsafe { __library.get(b"aclFinalizeReference\0") }.map(|sym| *sym);
        let aclrtGetVersion = unsafe { __library.get(b"aclrtGetVersion\0") }.map(|sym| *sym);
        let aclsysGetVersionStr = unsafe { __library.get(b"aclsysGetVersionStr\0") }.map(|sym| *sym);
        let aclsysGetVersionNum = unsafe { __library.get(b"aclsysGetVersionNum\0") }.map(|sym| *sym);
        let aclsysGetCANNVersion = unsafe { __library.get(b"aclsysGetCANNVersion\0") }.map(|sym| *sym);
        let aclrtGetSocName = unsafe { __library.get(b"aclrtGetSocName\0") }.map(|sym| *sym);
        let aclrtGetDeviceCount = unsafe { __library.get(b"aclrtGetDeviceCount\0") }.map(|sym| *sym);
        let aclrtSetDevice = unsafe { __library.get(b"aclrtSetDevice\0") }.map(|sym| *sym);
        let aclrtResetDevice = unsafe { __library.get(b"aclrtResetDevice\0") }.map(|sym| *sym);
        let aclrtResetDeviceForce = unsafe { __library.get(b"aclrtResetDeviceForce\0") }.map(|sym| *sym);
        let aclrtGetDevice = unsafe { __library.get(b"aclrtGetDevice\0") }.map(|sym| *sym);
        let aclrtGetRunMode = unsafe { __library.get(b"aclrtGetRunMode\0") }.map(|sym| *sym);
        let aclrtSynchronizeDevice = unsafe { __library.get(b"aclrtSynchronizeDevice\0") }.map(|sym| *sym);
        let aclrtSynchronizeDeviceWithTimeout =
            unsafe { __library.get(b"aclrtSynchronizeDeviceWithTimeout\0") }.map(|sym| *sym);
        let aclrtGetDeviceInfo = unsafe { __library.get(b"aclrtGetDeviceInfo\0") }.map(|sym| *sym);
        let aclrtGetDeviceCapability =
            unsafe { __library.get(b"aclrtGetDeviceCapability\0") }.map(|sym| *sym);
        let aclrtDeviceGetUuid = unsafe { __library.get(b"aclrtDeviceGetUuid\0") }.map(|sym| *sym);
        let aclrtQueryDeviceStatus = unsafe { __library.get(b"aclrtQueryDeviceStatus\0") }.map(|sym| *sym);
        let aclrtDeviceGetStreamPriorityRange =
            unsafe { __library.get(b"aclrtDeviceGetStreamPriorityRange\0") }.map(|sym| *sym);
        let aclrtDeviceGetBareTgid = unsafe { __library.get(b"aclrtDeviceGetBareTgid\0") }.map(|sym| *sym);
        let aclrtGetLogicDevIdByUserDevId =
            unsafe { __library.get(b"aclrtGetLogicDevIdByUserDevId\0") }.map(|sym| *sym);
        let aclrtGetUserDevIdByLogicDevId =
            unsafe { __library.get(b"aclrtGetUserDevIdByLogicDevId\0") }.map(|sym| *sym);
        let aclrtGetLogicDevIdByPhyDevId =
            unsafe { __library.get(b"aclrtGetLogicDevIdByPhyDevId\0") }.map(|sym| *sym);
        let aclrtGetPhyDevIdByLogicDevId =
            unsafe { __library.get(b"aclrtGetPhyDevIdByLogicDevId\0") }.map(|sym| *sym);
        let aclrtGetDevicesTopo = unsafe { __library.get(b"aclrtGetDevicesTopo\0") }.map(|sym| *sym);
        let aclrtCreateContext = unsafe { __library.get(b"aclrtCreateContext\0") }.map(|sym| *sym);
        let aclrtDestroyContext = unsafe { __library.get(b"aclrtDestroyContext\0") }.map(|sym| *sym);
        let aclrtSetCurrentContext = unsafe { __library.get(b"aclrtSetCurrentContext\0") }.map(|sym| *sym);
        let aclrtGetCurrentContext = unsafe { __library.get(b"aclrtGetCurrentContext\0") }.map(|sym| *sym);
        let aclrtCtxGetCurrentDefaultStream =
            unsafe { __library.get(b"aclrtCtxGetCurrentDefaultStream\0") }.map(|sym| *sym);
        let aclrtGetPrimaryCtxState = unsafe { __library.get(b"aclrtGetPrimaryCtxState\0") }.map(|sym| *sym);
        let aclrtDeviceTaskAbort = unsafe { __library.get(b"aclrtDeviceTaskAbort\0") }.map(|sym| *sym);
        let aclrtSetExceptionInfoCallback =
            unsafe { __library.get(b"aclrtSetExceptionInfoCallback\0") }.map(|sym| *sym);
        let aclrtGetTaskIdFromExceptionInfo =
            unsafe { __library.get(b"aclrtGetTaskIdFromExceptionInfo\0") }.map(|sym| *sym);
        let aclrtGetStreamIdFromExceptionInfo =
            unsafe { __library.get(b"aclrtGetStreamIdFromExceptionInfo\0") }.map(|sym| *sym);
        let aclrtGetThreadIdFromExceptionInfo =
            unsafe { __library.get(b"aclrtGetThreadIdFromExceptionInfo\0") }.map(|sym| *sym);
        let aclrtGetDeviceIdFromExceptionInfo =
            unsafe { __library.get(b"aclrtGetDeviceIdFromExceptionInfo\0") }.map(|sym| *sym);
        let aclrtGetErrorCodeFromExceptionInfo =
            unsafe { __library.get(b"aclrtGetErrorCodeFromExceptionInfo\0") }.map(|sym| *sym);
        let aclrtRegDeviceStateCallback =
            unsafe { __library.get(b"aclrtRegDeviceStateCallback\0") }.map(|sym| *sym);
        let aclrtGetErrorVerbose = unsafe { __library.get(b"aclrtGetErrorVerbose\0") }.map(|sym| *sym);
        let aclrtRepairError = unsafe { __library.get(b"aclrtRepairError\0") }.map(|sym| *sym);
        let aclrtGetMemUceInfo = unsafe { __library.get(b"aclrtGetMemUceInfo\0") }.map(|sym| *sym);
        let aclrtMalloc = unsafe { __library.get(b"aclrtMalloc\0") }.map(|sym| *sym);
        let aclrtMallocAlign32 = unsafe { __library.get(b"aclrtMallocAlign32\0") }.map(|sym| *sym);
        let aclrtMallocWithCfg = unsafe { __library.get(b"aclrtMallocWithCfg\0") }.map(|sym| *sym);
        let aclrtFree = unsafe { __library.get(b"aclrtFree\0") }.map(|sym| *sym);
        let aclrtFreeWithDevSync = unsafe { __library.get(b"aclrtFreeWithDevSync\0") }.map(|sym| *sym);
        let aclrtMallocHost = unsafe { __library.get(b"aclrtMallocHost\0") }.map(|sym| *sym);
        let aclrtFreeHost = unsafe { __library.get(b"aclrtFreeHost\0") }.map(|sym| *sym);
        let aclrtMallocHostWithCfg = unsafe { __library.get(b"aclrtMallocHostWithCfg\0") }.map(|sym| *sym);
        let aclrtFreeHostWithDevSync =
            unsafe { __library.get(b"aclrtFreeHostWithDevSync\0") }.map(|sym| *sym);
        let aclrtMemset = unsafe { __library.get(b"aclrtMemset\0") }.map(|sym| *sym);
        let aclrtMemsetAsync = unsafe { __library.get(b"aclrtMemsetAsync\0") }.map(|sym| *sym);
        let aclrtMemcpy = unsafe { __library.get(b"aclrtMemcpy\0") }.map(|sym| *sym);
        let aclrtMemcpyAsync = unsafe { __library.get(b"aclrtMemcpyAsync\0") }.map(|sym| *sym);
        let aclrtMemcpyAsyncWithCondition =
            unsafe { __library.get(b"aclrtMemcpyAsyncWithCondition\0") }.map(|sym| *sym);
        let aclrtMemcpy2d = unsafe { __library.get(b"aclrtMemcpy2d\0") }.map(|sym| *sym);
        let aclrtMemcpy2dAsync = unsafe { __library.get(b"aclrtMemcpy2dAsync\0") }.map(|sym| *sym);
        let aclrtMemcpyBatch = unsafe { __library.get(b"aclrtMemcpyBatch\0") }.map(|sym| *sym);
        let aclrtMemcpyBatchAsync = unsafe { __library.get(b"aclrtMemcpyBatchAsync\0") }.map(|sym| *sym);
        let aclrtMemcpyBatchV2 = unsafe { __library.get(b"aclrtMemcpyBatchV2\0") }.map(|sym| *sym);
        let aclrtMemcpyBatchAsyncV2 = unsafe { __library.get(b"aclrtMemcpyBatchAsyncV2\0") }.map(|sym| *sym);
        let aclrtReduceAsync = unsafe { __library.get(b"aclrtReduceAsync\0") }.map(|sym| *sym);
        let aclrtGetMemInfo = unsafe { __library.get(b"aclrtGetMemInfo\0") }.map(|sym| *sym);
        let aclrtGetMemUsageInfo = unsafe { __library.get(b"aclrtGetMemUsageInfo\0") }.map(|sym| *sym);
        let aclrtPointerGetAttributes =
            unsafe { __library.get(b"aclrtPointerGetAttributes\0") }.map(|sym| *sym);
        let aclrtMemGetAddressRange = unsafe { __library.get(b"aclrtMemGetAddressRange\0") }.map(|sym| *sym);
        let aclrtMemFlush = unsafe { __library.get(b"aclrtMemFlush\0") }.map(|sym| *sym);
        let aclrtMemInvalidate = unsafe { __library.get(b"aclrtMemInvalidate\0") }.map(|sym| *sym);
        let aclrtCmoAsync = unsafe { __library.get(b"aclrtCmoAsync\0") }.map(|sym| *sym);
        let aclrtReserveMemAddress = unsafe { __library.get(b"aclrtReserveMemAddress\0") }.map(|sym| *sym);
        let aclrtReserveMemAddressNoUCMemory =
            unsafe { __library.get(b"aclrtReserveMemAddressNoUCMemory\0") }.map(|sym| *sym);
        let aclrtReleaseMemAddress = unsafe { __library.get(b"aclrtReleaseMemAddress\0") }.map(|sym| *sym);
        let aclrtMallocPhysical = unsafe { __library.get(b"aclrtMallocPhysical\0") }.map(|sym| *sym);
        let aclrtFreePhysical = unsafe { __library.get(b"aclrtFreePhysical\0") }.map(|sym| *sym);
        let aclrtMapMem = unsafe { __library.get(b"aclrtMapMem\0") }.map(|sym| *sym);
        let aclrtUnmapMem = unsafe { __library.get(b"aclrtUnmapMem\0") }.map(|sym| *sym);
        let aclrtMemGetAllocationGranularity =
            unsafe { __library.get(b"aclrtMemGetAllocationGranularity\0") }.map(|sym| *sym);
        let aclrtMemSetAccess = unsafe { __library.get(b"aclrtMemSetAccess\0") }.map(|sym| *sym);
        let aclrtMemGetAccess = unsafe { __library.get(b"aclrtMemGetAccess\0") }.map(|sym| *sym);
        let aclrtMemExportToShareableHandle =
            unsafe { __library.get(b"aclrtMemExportToShareableHandle\0") }.map(|sym| *sym);
        let aclrtMemExportToShareableHandleV2 =
            unsafe { __library.get(b"aclrtMemExportToShareableHandleV2\0") }.map(|sym| *sym);
        let aclrtMemImportFromShareableHandle =
            unsafe { __library.get(b"aclrtMemImportFromShareableHandle\0") }.map(|sym| *sym);
        let aclrtMemImportFromShareableHandleV2 =
            unsafe { __library.get(b"aclrtMemImportFromShareableHandleV2\0") }.map(|sym| *sym);
        let aclrtMemSetPidToShareableHandle =
            unsafe { __library.get(b"aclrtMemSetPidToShareableHandle\0") }.map(|sym| *sym);
        let aclrtMemSetPidToShareableHandleV2 =
            unsafe { __library.get(b"aclrtMemSetPidToShareableHandleV2\0") }.map(|sym| *sym);
        let aclrtMemRetainAllocationHandle =
            unsafe { __library.get(b"aclrtMemRetainAllocationHandle\0") }.map(|sym| *sym);
        let aclrtMemGetAllocationPropertiesFromHandle =
            unsafe { __library.get(b"aclrtMemGetAllocationPropertiesFromHandle\0") }.map(|sym| *sym);
        let aclrtMemP2PMap = unsafe { __library.get(b"aclrtMemP2PMap\0") }.map(|sym| *sym);
        let aclrtIpcMemGetExportKey = unsafe { __library.get(b"aclrtIpcMemGetExportKey\0") }.map(|sym| *sym);
        let aclrtIpcMemSetImportPid = unsafe { __library.get(b"aclrtIpcMemSetImportPid\0") }.map(|sym| *sym);
        let aclrtIpcMemImportByKey = unsafe { __library.get(b"aclrtIpcMemImportByKey\0") }.map(|sym| *sym);
        let aclrtIpcMemClose = unsafe { __library.get(b"aclrtIpcMemClose\0") }.map(|sym| *sym);
        let aclrtIpcMemSetAttr = unsafe { __library.get(b"aclrtIpcMemSetAttr\0") }.map(|sym| *sym);
        let aclrtIpcMemImportPidInterServer =
            unsafe { __library.get(b"aclrtIpcMemImportPidInterServer\0") }.map(|sym| *sym);
        let aclrtDeviceCanAccessPeer =
            unsafe { __library.get(b"aclrtDeviceCanAccessPeer\0") }.map(|sym| *sym);
        let aclrtDeviceEnablePeerAccess =
            unsafe { __library.get(b"aclrtDeviceEnablePeerAccess\0") }.map(|sym| *sym);
        let aclrtDeviceDisablePeerAccess =
            unsafe { __library.get(b"aclrtDeviceDisablePeerAccess\0") }.map(|sym| *sym);
        let aclrtDevicePeerAccessStatus =
            unsafe { __library.get(b"aclrtDevicePeerAccessStatus\0") }.map(|sym| *sym);
        let aclrtHostRegister = unsafe { __library.get(b"aclrtHostRegister\0") }.map(|sym| *sym);
        let aclrtHostRegisterV2 = unsafe { __library.get(b"aclrtHostRegisterV2\0") }.map(|sym| *sym);
        let aclrtHostGetDevicePointer =
            unsafe { __library.get(b"aclrtHostGetDevicePointer\0") }.map(|sym| *sym);
        let aclrtHostUnregister = unsafe { __library.get(b"aclrtHostUnregister\0") }.map(|sym| *sym);
        let aclrtHostMemMapCapabilities =
            unsafe { __library.get(b"aclrtHostMemMapCapabilities\0") }.map(|sym| *sym);
        let aclrtCreateStream = unsafe { __library.get(b"aclrtCreateStream\0") }.map(|sym| *sym);
        let aclrtCreateStreamWithConfig =
            unsafe { __library.get(b"aclrtCreateStreamWithConfig\0") }.map(|sym| *sym);
        let aclrtCreateStreamConfigHandle =
            unsafe { __library.get(b"aclrtCreateStreamConfigHandle\0") }.map(|sym| *sym);
        let aclrtSetStreamConfigOpt = unsafe { __library.get(b"aclrtSetStreamConfigOpt\0") }.map(|sym| *sym);
        let aclrtCreateStreamV2 = unsafe { __library.get(b"aclrtCreateStreamV2\0") }.map(|sym| *sym);
        let aclrtDestroyStreamConfigHandle =
            unsafe { __library.get(b"aclrtDestroyStreamConfigHandle\0") }.map(|sym| *sym);
        let aclrtDestroyStream = unsafe { __library.get(b"aclrtDestroyStream\0") }.map(|sym| *sym);
        let aclrtDestroyStreamForce = unsafe { __library.get(b"aclrtDestroyStreamForce\0") }.map(|sym| *sym);
        let aclrtSynchronizeStream = unsafe { __library.get(b"aclrtSynchronizeStream\0") }.map(|sym| *sym);
        let aclrtSynchronizeStreamWithTimeout =
            unsafe { __library.get(b"aclrtSynchronizeStreamWithTimeout\0") }.map(|sym| *sym);
        let aclrtStreamQuery = unsafe { __library.get(b"aclrtStreamQuery\0") }.map(|sym| *sym);
        let aclrtStreamGetId = unsafe { __library.get(b"aclrtStreamGetId\0") }.map(|sym| *sym);
        let aclrtStreamGetPriority = unsafe { __library.get(b"aclrtStreamGetPriority\0") }.map(|sym| *sym);
        let aclrtStreamGetFlags = unsafe { __library.get(b"aclrtStreamGetFlags\0") }.map(|sym| *sym);
        let aclrtGetStreamAvailableNum =
            unsafe { __library.get(b"aclrtGetStreamAvailableNum\0") }.map(|sym| *sym);
        let aclrtSetStreamFailureMode =
            unsafe { __library.get(b"aclrtSetStreamFailureMode\0") }.map(|sym| *sym);
        let aclrtSetStreamAttribute = unsafe { __library.get(b"aclrtSetStreamAttribute\0") }.map(|sym| *sym);
        let aclrtGetStreamAttribute = unsafe { __library.get(b"aclrtGetStreamAttribute\0") }.map(|sym| *sym);
        let aclrtStreamAbort = unsafe { __library.get(b"aclrtStreamAbort\0") }.map(|sym| *sym);
        let aclrtStreamStop = unsafe { __library.get(b"aclrtStreamStop\0") }.map(|sym| *sym);
        let aclrtCreateEvent = unsafe { __library.get(b"aclrtCreateEvent\0") }.map(|sym| *sym);
        let aclrtCreateEventWithFlag =
            unsafe { __library.get(b"aclrtCreateEventWithFlag\0") }.map(|sym| *sym);
        let aclrtCreateEventExWithFlag =
            unsafe { __library.get(b"aclrtCreateEventExWithFlag\0") }.map(|sym| *sym);
        let aclrtDestroyEvent = unsafe { __library.get(b"aclrtDestroyEvent\0") }.map(|sym| *sym);
        let aclrtRecordEvent = unsafe { __library.get(b"aclrtRecordEvent\0") }.map(|sym| *sym);
        let aclrtResetEvent = unsafe { __library.get(b"aclrtResetEvent\0") }.map(|sym| *sym);
        let aclrtStreamWaitEvent = unsafe { __library.get(b"aclrtStreamWaitEvent\0") }.map(|sym| *sym);
        let aclrtStreamWaitEventWithTimeout =
            unsafe { __library.get(b"aclrtStreamWaitEventWithTimeout\0") }.map(|sym| *sym);
        let aclrtSynchronizeEvent = unsafe { __library.get(b"aclrtSynchronizeEvent\0") }.map(|sym| *sym);
        let aclrtSynchronizeEventWithTimeout =
            unsafe { __library.get(b"aclrtSynchronizeEventWithTimeout\0") }.map(|sym| *sym);
        let aclrtQueryEventStatus = unsafe { __library.get(b"aclrtQueryEventStatus\0") }.map(|sym| *sym);
        let aclrtQueryEvent = unsafe { __library.get(b"aclrtQueryEvent\0") }.map(|sym| *sym);
        let aclrtQueryEventWaitStatus =
            unsafe { __library.get(b"aclrtQueryEventWaitStatus\0") }.map(|sym| *sym);
        let aclrtEventElapsedTime = unsafe { __library.get(b"aclrtEventElapsedTime\0") }.map(|sym| *sym);
        let aclrtEventGetTimestamp = unsafe { __library.get(b"aclrtEventGetTimestamp\0") }.map(|sym| *sym);
        let aclrtGetEventId = unsafe { __library.get(b"aclrtGetEventId\0") }.map(|sym| *sym);
        let aclrtGetEventAvailNum = unsafe { __library.get(b"aclrtGetEventAvailNum\0") }.map(|sym| *sym);
        let aclrtIpcGetEventHandle = unsafe { __library.get(b"aclrtIpcGetEventHandle\0") }.map(|sym| *sym);
        let aclrtIpcOpenEventHandle = unsafe { __library.get(b"aclrtIpcOpenEventHandle\0") }.map(|sym| *sym);
        let aclrtCreateNotify = unsafe { __library.get(b"aclrtCreateNotify\0") }.map(|sym| *sym);
        let aclrtDestroyNotify = unsafe { __library.get(b"aclrtDestroyNotify\0") }.map(|sym| *sym);
        let aclrtGetNotifyId = unsafe { __library.get(b"aclrtGetNotifyId\0") }.map(|sym| *sym);
        let aclrtRecordNotify = unsafe { __library.get(b"aclrtRecordNotify\0") }.map(|sym| *sym);
        let aclrtWaitAndResetNotify = unsafe { __library.get(b"aclrtWaitAndResetNotify\0") }.map(|sym| *sym);
        let aclrtNotifyGetExportKey = unsafe { __library.get(b"aclrtNotifyGetExportKey\0") }.map(|sym| *sym);
        let aclrtNotifyImportByKey = unsafe { __library.get(b"aclrtNotifyImportByKey\0") }.map(|sym| *sym);
        let aclrtNotifySetImportPid = unsafe { __library.get(b"aclrtNotifySetImportPid\0") }.map(|sym| *sym);
        let aclrtNotifyBatchReset = unsafe { __library.get(b"aclrtNotifyBatchReset\0") }.map(|sym| *sym);
        let aclrtCntNotifyCreate = unsafe { __library.get(b"aclrtCntNotifyCreate\0") }.map(|sym| *sym);
        let aclrtCntNotifyDestroy = unsafe { __library.get(b"aclrtCntNotifyDestroy\0") }.map(|sym| *sym);
        let aclrtCntNotifyRecord = unsafe { __library.get(b"aclrtCntNotifyRecord\0") }.map(|sym| *sym);
        let aclrtCntNotifyWaitWithTimeout =
            unsafe { __library.get(b"aclrtCntNotifyWaitWithTimeout\0") }.map(|sym| *sym);
        let aclrtCntNotifyReset = unsafe { __library.get(b"aclrtCntNotifyReset\0") }.map(|sym| *sym);
        let aclrtCntNotifyGetId = unsafe { __library.get(b"aclrtCntNotifyGetId\0") }.map(|sym| *sym);
        let aclrtValueWrite = unsafe { __library.get(b"aclrtValueWrite\0") }.map(|sym| *sym);
        let aclrtValueWait = unsafe { __library.get(b"aclrtValueWait\0") }.map(|sym| *sym);
        let aclrtSubscribeReport = unsafe { __library.get(b"aclrtSubscribeReport\0") }.map(|sym| *sym);
        let aclrtUnSubscribeReport = unsafe { __library.get(b"aclrtUnSubscribeReport\0") }.map(|sym| *sym);
        let aclrtProcessReport = unsafe { __library.get(b"aclrtProcessReport\0") }.map(|sym| *sym);
        let aclrtLaunchCallback = unsafe { __library.get(b"aclrtLaunchCallback\0") }.map(|sym| *sym);
        let aclrtLaunchHostFunc = unsafe { __library.get(b"aclrtLaunchHostFunc\0") }.map(|sym| *sym);
        let aclrtSetOpExecuteTimeOut =
            unsafe { __library.get(b"aclrtSetOpExecuteTimeOut\0") }.map(|sym| *sym);
        let aclrtSetOpExecuteTimeOutWithMs =
            unsafe { __library.get(b"aclrtSetOpExecuteTimeOutWithMs\0") }.map(|sym| *sym);
        let aclrtSetOpExecuteTimeOutV2 =
            unsafe { __library.get(b"aclrtSetOpExecuteTimeOutV2\0") }.map(|sym| *sym);
        let aclrtSetOpWaitTimeout = unsafe { __library.get(b"aclrtSetOpWaitTimeout\0") }.map(|sym| *sym);
        let aclrtGetOpExecuteTimeout =
            unsafe { __library.get(b"aclrtGetOpExecuteTimeout\0") }.map(|sym| *sym);
        let aclrtBinaryLoadFromFile = unsafe { __library.get(b"aclrtBinaryLoadFromFile\0") }.map(|sym| *sym);
        let aclrtBinaryLoadFromData = unsafe { __library.get(b"aclrtBinaryLoadFromData\0") }.map(|sym| *sym);
        let aclrtCreateBinary = unsafe { __library.get(b"aclrtCreateBinary\0") }.map(|sym| *sym);
        let aclrtDestroyBinary = unsafe { __library.get(b"aclrtDestroyBinary\0") }.map(|sym| *sym);
        let aclrtBinaryLoad = unsafe { __library.get(b"aclrtBinaryLoad\0") }.map(|sym| *sym);
        let aclrtBinaryUnLoad = unsafe { __library.get(b"aclrtBinaryUnLoad\0") }.map(|sym| *sym);
        let aclrtBinaryGetFunction = unsafe { __library.get(b"aclrtBinaryGetFunction\0") }.map(|sym| *sym);
        let aclrtBinaryGetFunctionByEntry =
            unsafe { __library.get(b"aclrtBinaryGetFunctionByEntry\0") }.map(|sym| *sym);
        let aclrtBinaryGetGlobal = unsafe { __library.get(b"aclrtBinaryGetGlobal\0") }.map(|sym| *sym);
        let aclrtGetFunctionName = unsafe { __library.get(b"aclrtGetFunctionName\0") }.map(|sym| *sym);
        let aclrtGetFunctionAttribute =
            unsafe { __library.get(b"aclrtGetFunctionAttribute\0") }.map(|sym| *sym);
        let aclrtKernelArgsInit = unsafe { __library.get(b"aclrtKernelArgsInit\0") }.map(|sym| *sym);
        let aclrtKernelArgsAppend = unsafe { __library.get(b"aclrtKernelArgsAppend\0") }.map(|sym| *sym);
        let aclrtKernelArgsAppendPlaceHolder =
            unsafe { __library.get(b"aclrtKernelArgsAppendPlaceHolder\0") }.map(|sym| *sym);
        let aclrtKernelArgsGetPlaceHolderBuffer =
            unsafe { __library.get(b"aclrtKernelArgsGetPlaceHolderBuffer\0") }.map(|sym| *sym);
        let aclrtKernelArgsParaUpdate =
            unsafe { __library.get(b"aclrtKernelArgsParaUpdate\0") }.map(|sym| *sym);
        let aclrtKernelArgsFinalize = unsafe { __library.get(b"aclrtKernelArgsFinalize\0") }.map(|sym| *sym);
        let aclrtKernelArgsGetHandleMemSize =
            unsafe { __library.get(b"aclrtKernelArgsGetHandleMemSize\0") }.map(|sym| *sym);
        let aclrtKernelArgsGetMemSize =
            unsafe { __library.get(b"aclrtKernelArgsGetMemSize\0") }.map(|sym| *sym);
        let aclrtKernelArgsInitByUserMem =
            unsafe { __library.get(b"aclrtKernelArgsInitByUserMem\0") }.map(|sym| *sym);
        let aclrtLaunchKernelWithConfig =
            unsafe { __library.get(b"aclrtLaunchKernelWithConfig\0") }.map(|sym| *sym);
        let aclrtLaunchKernelWithHostArgs =
            unsafe { __library.get(b"aclrtLaunchKernelWithHostArgs\0") }.map(|sym| *sym);
        let aclrtLaunchKernelV2 = unsafe { __library.get(b"aclrtLaunchKernelV2\0") }.map(|sym| *sym);
        let aclrtLaunchKernel = unsafe { __library.get(b"aclrtLaunchKernel\0") }.map(|sym| *sym);
        let aclrtLaunchKernelWithArgsArray =
            unsafe { __library.get(b"aclrtLaunchKernelWithArgsArray\0") }.map(|sym| *sym);
        let aclrtGetHardwareSyncAddr =
            unsafe { __library.get(b"aclrtGetHardwareSyncAddr\0") }.map(|sym| *sym);
        let aclrtGetDeviceResLimit = unsafe { __library.get(b"aclrtGetDeviceResLimit\0") }.map(|sym| *sym);
        let aclrtSetDeviceResLimit = unsafe { __library.get(b"aclrtSetDeviceResLimit\0") }.map(|sym| *sym);
        let aclrtGetStreamResLimit = unsafe { __library.get(b"aclrtGetStreamResLimit\0") }.map(|sym| *sym);
        let aclrtSetStreamResLimit = unsafe { __library.get(b"aclrtSetStreamResLimit\0") }.map(|sym| *sym);
        Ok(AclTable {
            __library,
            aclGetRecentErrMsg,
            aclrtGetLastError,
            aclrtPeekAtLastError,
            aclInit,
            aclFinalize,
            aclFinalizeReference,
            aclrtGetVersion,
            aclsysGetVersionStr,
            aclsysGetVersionNum,
            aclsysGetCANNVersion,
            aclrtGetSocName,
            aclrtGetDeviceCount,
            aclrtSetDevice,
            aclrtResetDevice,
            aclrtResetDeviceForce,
            aclrtGetDevice,
            aclrtGetRunMode,
            aclrtSynchronizeDevice,
            aclrtSynchronizeDeviceWithTimeout,
            aclrtGetDeviceInfo,
            aclrtGetDeviceCapability,
            aclrtDeviceGetUuid,
            aclrtQueryDeviceStatus,
            aclrtDeviceGetStreamPriorityRange,
            aclrtDeviceGetBareTgid,
            aclrtGetLogicDevIdByUserDevId,
            aclrtGetUserDevIdByLogicDevId,
            aclrtGetLogicDevIdByPhyDevId,
            aclrtGetPhyDevIdByLogicDevId,
            aclrtGetDevicesTopo,
            aclrtCreateContext,
            aclrtDestroyContext,
            aclrtSetCurrentContext,
            aclrtGetCurrentContext,
            aclrtCtxGetCurrentDefaultStream,
            aclrtGetPrimaryCtxState,
            aclrtDeviceTaskAbort,
            aclrtSetExceptionInfoCallback,
            aclrtGetTaskIdFromExceptionInfo,
            aclrtGetStreamIdFromExceptionInfo,
            aclrtGetThreadIdFromExceptionInfo,
            aclrtGetDeviceIdFromExceptionInfo,
            aclrtGetErrorCodeFromExceptionInfo,
            aclrtRegDeviceStateCallback,
            aclrtGetErrorVerbose,
            aclrtRepairError,
            aclrtGetMemUceInfo,
            aclrtMalloc,
            aclrtMallocAlign32,
            aclrtMallocWithCfg,
            aclrtFree,
            aclrtFreeWithDevSync,
            aclrtMallocHost,
            aclrtFreeHost,
            aclrtMallocHostWithCfg,
            aclrtFreeHostWithDevSync,
            aclrtMemset,
            aclrtMemsetAsync,
            aclrtMemcpy,
            aclrtMemcpyAsync,
            aclrtMemcpyAsyncWithCondition,
            aclrtMemcpy2d,
            aclrtMemcpy2dAsync,
            aclrtMemcpyBatch,
            aclrtMemcpyBatchAsync,
            aclrtMemcpyBatchV2,
            aclrtMemcpyBatchAsyncV2,
            aclrtReduceAsync,
            aclrtGetMemInfo,
            aclrtGetMemUsageInfo,
            aclrtPointerGetAttributes,
            aclrtMemGetAddressRange,
            aclrtMemFlush,
            aclrtMemInvalidate,
            aclrtCmoAsync,
            aclrtReserveMemAddress,
            aclrtReserveMemAddressNoUCMemory,
            aclrtReleaseMemAddress,
            aclrtMallocPhysical,
            aclrtFreePhysical,
            aclrtMapMem,
            aclrtUnmapMem,
            aclrtMemGetAllocationGranularity,
            aclrtMemSetAccess,
            aclrtMemGetAccess,
            aclrtMemExportToShareableHandle,
            aclrtMemExportToShareableHandleV2,
            aclrtMemImportFromShareableHandle,
            aclrtMemImportFromShareableHandleV2,
            aclrtMemSetPidToShareableHandle,
            aclrtMemSetPidToShareableHandleV2,
            aclrtMemRetainAllocationHandle,
            aclrtMemGetAllocationPropertiesFromHandle,
            aclrtMemP2PMap,
            aclrtIpcMemGetExportKey,
            aclrtIpcMemSetImportPid,
            aclrtIpcMemImportByKey,
            aclrtIpcMemClose,
            aclrtIpcMemSetAttr,
            aclrtIpcMemImportPidInterServer,
            aclrtDeviceCanAccessPeer,
            aclrtDeviceEnablePeerAccess,
            aclrtDeviceDisablePeerAccess,
            aclrtDevicePeerAccessStatus,
            aclrtHostRegister,
            aclrtHostRegisterV2,
            aclrtHostGetDevicePointer,
            aclrtHostUnregister,
            aclrtHostMemMapCapabilities,
            aclrtCreateStream,
            aclrtCreateStreamWithConfig,
            aclrtCreateStreamConfigHandle,
            aclrtSetStreamConfigOpt,
            aclrtCreateStreamV2,
            aclrtDestroyStreamConfigHandle,
            aclrtDestroyStream,
            aclrtDestroyStreamForce,
            aclrtSynchronizeStream,
            aclrtSynchronizeStreamWithTimeout,
            aclrtStreamQuery,
            aclrtStreamGetId,
            aclrtStreamGetPriority,
            aclrtStreamGetFlags,
            aclrtGetStreamAvailableNum,
            aclrtSetStreamFailureMode,
            aclrtSetStreamAttribute,
            aclrtGetStreamAttribute,
            aclrtStreamAbort,
            aclrtStreamStop,
            aclrtCreateEvent,
            aclrtCreateEventWithFlag,
            aclrtCreateEventExWithFlag,
            aclrtDestroyEvent,
            aclrtRecordEvent,
            aclrtResetEvent,
            aclrtStreamWaitEvent,
            aclrtStreamWaitEventWithTimeout,
            aclrtSynchronizeEvent,
            aclrtSynchronizeEventWithTimeout,
            aclrtQueryEventStatus,
            aclrtQueryEvent,
            aclrtQueryEventWaitStatus,
            aclrtEventElapsedTime,
            aclrtEventGetTimestamp,
            aclrtGetEventId,
            aclrtGetEventAvailNum,
            aclrtIpcGetEventHandle,
            aclrtIpcOpenEventHandle,
            aclrtCreateNotify,
            aclrtDestroyNotify,
            aclrtGetNotifyId,
            aclrtRecordNotify,
            aclrtWaitAndResetNotify,
            aclrtNotifyGetExportKey,
            aclrtNotifyImportByKey,
            aclrtNotifySetImportPid,
            aclrtNotifyBatchReset,
            aclrtCntNotifyCreate,
            aclrtCntNotifyDestroy,
            aclrtCntNotifyRecord,
            aclrtCntNotifyWaitWithTimeout,
            aclrtCntNotifyReset,
            aclrtCntNotifyGetId,
            aclrtValueWrite,
            aclrtValueWait,
            aclrtSubscribeReport,
            aclrtUnSubscribeReport,
            aclrtProcessReport,
            aclrtLaunchCallback,
            aclrtLaunchHostFunc,
            aclrtSetOpExecuteTimeOut,
            aclrtSetOpExecuteTimeOutWithMs,
            aclrtSetOpExecuteTimeOutV2,
            aclrtSetOpWaitTimeout,
            aclrtGetOpExecuteTimeout,
            aclrtBinaryLoadFromFile,
            aclrtBinaryLoadFromData,
            aclrtCreateBinary,
            aclrtDestroyBinary,
            aclrtBinaryLoad,
            aclrtBinaryUnLoad,
            aclrtBinaryGetFunction,
            aclrtBinaryGetFunctionByEntry,
            aclrtBinaryGetGlobal,
            aclrtGetFunctionName,
            aclrtGetFunctionAttribute,
            aclrtKernelArgsInit,
            aclrtKernelArgsAppend,
            aclrtKernelArgsAppendPlaceHolder,
            aclrtKernelArgsGetPlaceHolderBuffer,
            aclrtKernelArgsParaUpdate,
            aclrtKernelArgsFinalize,
            aclrtKernelArgsGetHandleMemSize,
            aclrtKernelArgsGetMemSize,
            aclrtKernelArgsInitByUserMem,
            aclrtLaunchKernelWithConfig,
            aclrtLaunchKernelWithHostArgs,
            aclrtLaunchKernelV2,
            aclrtLaunchKernel,
            aclrtLaunchKernelWithArgsArray,
            aclrtGetHardwareSyncAddr,
            aclrtGetDeviceResLimit,
            aclrtSetDeviceResLimit,
            aclrtGetStreamResLimit,
            aclrtSetStreamResLimit,
        })
    }
    #[doc = " The last message of the calling thread, or NULL; reading consumes it, and it is valid until the next call."]
    pub unsafe fn aclGetRecentErrMsg(&self) -> *const ::core::ffi::c_char {
        unsafe { (self.aclGetRecentErrMsg.as_ref().expect("Expected function, got error."))() }
    }
    #[doc = " The last error of the level, also of asynchronous tasks; clears it."]
    pub unsafe fn aclrtGetLastError(&self, level: aclrtLastErrLevel) -> aclError {
        unsafe { (self.aclrtGetLastError.as_ref().expect("Expected function, got error."))(level) }
    }
    #[doc = " The last error of the level, also of asynchronous tasks; leaves it."]
    pub unsafe fn aclrtPeekAtLastError(&self, level: aclrtLastErrLevel) -> aclError {
        unsafe { (self.aclrtPeekAtLastError.as_ref().expect("Expected function, got error."))(level) }
    }
    #[doc = " Initialises ACL with a JSON file or NULL; a second call fails with 100002."]
    pub unsafe fn aclInit(&self, configPath: *const ::core::ffi::c_char) -> aclError {
        unsafe { (self.aclInit.as_ref().expect("Expected function, got error."))(configPath) }
    }
    #[doc = " Resets every device of the process."]
    pub unsafe fn aclFinalize(&self) -> aclError {
        unsafe { (self.aclFinalize.as_ref().expect("Expected function, got error."))() }
    }
    #[doc = " Drops one reference, says how many remain, and finalises at zero."]
    pub unsafe fn aclFinalizeReference(&self, refCount: *mut u64) -> aclError {
        unsafe { (self.aclFinalizeReference.as_ref().expect("Expected function, got error."))(refCount) }
    }
    #[doc = " Version of the interface, 1.x.y."]
    pub unsafe fn aclrtGetVersion(
        &self,
        majorVersion: *mut i32,
        minorVersion: *mut i32,
        patchVersion: *mut i32,
    ) -> aclError {
        unsafe {
            (self.aclrtGetVersion.as_ref().expect("Expected function, got error."))(
                majorVersion,
                minorVersion,
                patchVersion,
            )
        }
    }
    #[doc = " Version of a package as text; the buffer holds at least 128 bytes."]
    pub unsafe fn aclsysGetVersionStr(
        &self,
        pkgName: *mut ::core::ffi::c_char,
        versionStr: *mut ::core::ffi::c_char,
    ) -> aclError {
        unsafe {
            (self.aclsysGetVersionStr.as_ref().expect("Expected function, got error."))(pkgName, versionStr)
        }
    }
    #[doc = " Version of a package as a number."]
    pub unsafe fn aclsysGetVersionNum(
        &self,
        pkgName: *mut ::core::ffi::c_char,
        versionNum: *mut i32,
    ) -> aclError {
        unsafe {
            (self.aclsysGetVersionNum.as_ref().expect("Expected function, got error."))(pkgName, versionNum)
        }
    }
    #[doc = " Version of a package, older form."]
    pub unsafe fn aclsysGetCANNVersion(
        &self,
        name: aclCANNPackageName,
        version: *mut aclCANNPackageVersion,
    ) -> aclError {
        unsafe { (self.aclsysGetCANNVersion.as_ref().expect("Expected function, got error."))(name, version) }
    }
    #[doc = " Name of the chip; NULL when no device is usable."]
    pub unsafe fn aclrtGetSocName(&self) -> *const ::core::ffi::c_char {
        unsafe { (self.aclrtGetSocName.as_ref().expect("Expected function, got error."))() }
    }
    #[doc = " Returns the number of devices; none is 0 or error 207004."]
    pub unsafe fn aclrtGetDeviceCount(&self, count: *mut u32) -> aclError {
        unsafe { (self.aclrtGetDeviceCount.as_ref().expect("Expected function, got error."))(count) }
    }
    #[doc = " Selects a device for the calling thread, with its default context and stream; counts references."]
    pub unsafe fn aclrtSetDevice(&self, deviceId: i32) -> aclError {
        unsafe { (self.aclrtSetDevice.as_ref().expect("Expected function, got error."))(deviceId) }
    }
    #[doc = " Drops one reference of the device; the last one frees everything of this process on it."]
    pub unsafe fn aclrtResetDevice(&self, deviceId: i32) -> aclError {
        unsafe { (self.aclrtResetDevice.as_ref().expect("Expected function, got error."))(deviceId) }
    }
    #[doc = " Drops all references of the device."]
    pub unsafe fn aclrtResetDeviceForce(&self, deviceId: i32) -> aclError {
        unsafe { (self.aclrtResetDeviceForce.as_ref().expect("Expected function, got error."))(deviceId) }
    }
    #[doc = " The device of the calling thread."]
    pub unsafe fn aclrtGetDevice(&self, deviceId: *mut i32) -> aclError {
        unsafe { (self.aclrtGetDevice.as_ref().expect("Expected function, got error."))(deviceId) }
    }
    #[doc = " Which side the caller runs on."]
    pub unsafe fn aclrtGetRunMode(&self, runMode: *mut aclrtRunMode) -> aclError {
        unsafe { (self.aclrtGetRunMode.as_ref().expect("Expected function, got error."))(runMode) }
    }
    #[doc = " Waits for every stream of the current device."]
    pub unsafe fn aclrtSynchronizeDevice(&self) -> aclError {
        unsafe { (self.aclrtSynchronizeDevice.as_ref().expect("Expected function, got error."))() }
    }
    #[doc = " Waits for every stream of the current device, at most `timeout` milliseconds (-1: forever)."]
    pub unsafe fn aclrtSynchronizeDeviceWithTimeout(&self, timeout: i32) -> aclError {
        unsafe {
            (self.aclrtSynchronizeDeviceWithTimeout.as_ref().expect("Expected function, got error."))(timeout)
        }
    }
    #[doc = " An attribute of a device."]
    pub unsafe fn aclrtGetDeviceInfo(&self, deviceId: u32, attr: aclrtDevAttr, value: *mut i64) -> aclError {
        unsafe {
            (self.aclrtGetDeviceInfo.as_ref().expect("Expected function, got error."))(deviceId, attr, value)
        }
    }
    #[doc = " Reports if a device has a feature (1) or not (0)."]
    pub unsafe fn aclrtGetDeviceCapability(
        &self,
        deviceId: i32,
        devFeatureType: aclrtDevFeatureType,
        value: *mut i32,
    ) -> aclError {
        unsafe {
            (self.aclrtGetDeviceCapability.as_ref().expect("Expected function, got error."))(
                deviceId,
                devFeatureType,
                value,
            )
        }
    }
    #[doc = " The stable identity of a device."]
    pub unsafe fn aclrtDeviceGetUuid(&self, deviceId: i32, uuid: *mut aclrtUuid) -> aclError {
        unsafe { (self.aclrtDeviceGetUuid.as_ref().expect("Expected function, got error."))(deviceId, uuid) }
    }
    #[doc = " The health of a device."]
    pub unsafe fn aclrtQueryDeviceStatus(
        &self,
        deviceId: i32,
        deviceStatus: *mut aclrtDeviceStatus,
    ) -> aclError {
        unsafe {
            (self.aclrtQueryDeviceStatus.as_ref().expect("Expected function, got error."))(
                deviceId,
                deviceStatus,
            )
        }
    }
    #[doc = " Lowest and highest priority of streams."]
    pub unsafe fn aclrtDeviceGetStreamPriorityRange(
        &self,
        leastPriority: *mut i32,
        greatestPriority: *mut i32,
    ) -> aclError {
        unsafe {
            (self.aclrtDeviceGetStreamPriorityRange.as_ref().expect("Expected function, got error."))(
                leastPriority,
                greatestPriority,
            )
        }
    }
    #[doc = " Process id in the host's name space, as whitelists want it."]
    pub unsafe fn aclrtDeviceGetBareTgid(&self, pid: *mut i32) -> aclError {
        unsafe { (self.aclrtDeviceGetBareTgid.as_ref().expect("Expected function, got error."))(pid) }
    }
    #[doc = " Translates a user device id to the logical one."]
    pub unsafe fn aclrtGetLogicDevIdByUserDevId(&self, userDevid: i32, logicDevId: *mut i32) -> aclError {
        unsafe {
            (self.aclrtGetLogicDevIdByUserDevId.as_ref().expect("Expected function, got error."))(
                userDevid, logicDevId,
            )
        }
    }
    #[doc = " Translates a logical device id to the user's."]
    pub unsafe fn aclrtGetUserDevIdByLogicDevId(&self, logicDevId: i32, userDevid: *mut i32) -> aclError {
        unsafe {
            (self.aclrtGetUserDevIdByLogicDevId.as_ref().expect("Expected function, got error."))(
                logicDevId, userDevid,
            )
        }
    }
    #[doc = " Translates a physical device id to the logical one."]
    pub unsafe fn aclrtGetLogicDevIdByPhyDevId(&self, phyDevId: i32, logicDevId: *mut i32) -> aclError {
        unsafe {
            (self.aclrtGetLogicDevIdByPhyDevId.as_ref().expect("Expected function, got error."))(
                phyDevId, logicDevId,
            )
        }
    }
    #[doc = " Translates a logical device id to the physical one."]
    pub unsafe fn aclrtGetPhyDevIdByLogicDevId(&self, logicDevId: i32, phyDevId: *mut i32) -> aclError {
        unsafe {
            (self.aclrtGetPhyDevIdByLogicDevId.as_ref().expect("Expected function, got error."))(
                logicDevId, phyDevId,
            )
        }
    }
    #[doc = " Links between two devices as a bit mask."]
    pub unsafe fn aclrtGetDevicesTopo(&self, deviceId: u32, otherDeviceId: u32, value: *mut u64) -> aclError {
        unsafe {
            (self.aclrtGetDevicesTopo.as_ref().expect("Expected function, got error."))(
                deviceId,
                otherDeviceId,
                value,
            )
        }
    }
    #[doc = " Creates a context on a device and makes it current."]
    pub unsafe fn aclrtCreateContext(&self, context: *mut aclrtContext, deviceId: i32) -> aclError {
        unsafe {
            (self.aclrtCreateContext.as_ref().expect("Expected function, got error."))(context, deviceId)
        }
    }
    #[doc = " Destroys a context."]
    pub unsafe fn aclrtDestroyContext(&self, context: aclrtContext) -> aclError {
        unsafe { (self.aclrtDestroyContext.as_ref().expect("Expected function, got error."))(context) }
    }
    #[doc = " Makes a context current in the calling thread."]
    pub unsafe fn aclrtSetCurrentContext(&self, context: aclrtContext) -> aclError {
        unsafe { (self.aclrtSetCurrentContext.as_ref().expect("Expected function, got error."))(context) }
    }
    #[doc = " The context of the calling thread."]
    pub unsafe fn aclrtGetCurrentContext(&self, context: *mut aclrtContext) -> aclError {
        unsafe { (self.aclrtGetCurrentContext.as_ref().expect("Expected function, got error."))(context) }
    }
    #[doc = " The default stream of the current context."]
    pub unsafe fn aclrtCtxGetCurrentDefaultStream(&self, stream: *mut aclrtStream) -> aclError {
        unsafe {
            (self.aclrtCtxGetCurrentDefaultStream.as_ref().expect("Expected function, got error."))(stream)
        }
    }
    #[doc = " Reports if the default context of a device is active."]
    pub unsafe fn aclrtGetPrimaryCtxState(
        &self,
        deviceId: i32,
        flags: *mut u32,
        active: *mut i32,
    ) -> aclError {
        unsafe {
            (self.aclrtGetPrimaryCtxState.as_ref().expect("Expected function, got error."))(
                deviceId, flags, active,
            )
        }
    }
    #[doc = " Stops all tasks of a device, for recovery; timeout in milliseconds."]
    pub unsafe fn aclrtDeviceTaskAbort(&self, deviceId: i32, timeout: u32) -> aclError {
        unsafe {
            (self.aclrtDeviceTaskAbort.as_ref().expect("Expected function, got error."))(deviceId, timeout)
        }
    }
    #[doc = " Sets the function that is notified of failed tasks."]
    pub unsafe fn aclrtSetExceptionInfoCallback(&self, callback: aclrtExceptionInfoCallback) -> aclError {
        unsafe {
            (self.aclrtSetExceptionInfoCallback.as_ref().expect("Expected function, got error."))(callback)
        }
    }
    #[doc = " Task of a failure."]
    pub unsafe fn aclrtGetTaskIdFromExceptionInfo(&self, info: *const aclrtExceptionInfo) -> u32 {
        unsafe {
            (self.aclrtGetTaskIdFromExceptionInfo.as_ref().expect("Expected function, got error."))(info)
        }
    }
    #[doc = " Stream of a failure."]
    pub unsafe fn aclrtGetStreamIdFromExceptionInfo(&self, info: *const aclrtExceptionInfo) -> u32 {
        unsafe {
            (self.aclrtGetStreamIdFromExceptionInfo.as_ref().expect("Expected function, got error."))(info)
        }
    }
    #[doc = " Thread of a failure."]
    pub unsafe fn aclrtGetThreadIdFromExceptionInfo(&self, info: *const aclrtExceptionInfo) -> u32 {
        unsafe {
            (self.aclrtGetThreadIdFromExceptionInfo.as_ref().expect("Expected function, got error."))(info)
        }
    }
    #[doc = " Device of a failure."]
    pub unsafe fn aclrtGetDeviceIdFromExceptionInfo(&self, info: *const aclrtExceptionInfo) -> u32 {
        unsafe {
            (self.aclrtGetDeviceIdFromExceptionInfo.as_ref().expect("Expected function, got error."))(info)
        }
    }
    #[doc = " Code of a failure."]
    pub unsafe fn aclrtGetErrorCodeFromExceptionInfo(&self, info: *const aclrtExceptionInfo) -> u32 {
        unsafe {
            (self.aclrtGetErrorCodeFromExceptionInfo.as_ref().expect("Expected function, got error."))(info)
        }
    }
    #[doc = " Sets a named function that is notified of devices being set and reset."]
    pub unsafe fn aclrtRegDeviceStateCallback(
        &self,
        regName: *const ::core::ffi::c_char,
        callback: aclrtDeviceStateCallback,
        args: *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtRegDeviceStateCallback.as_ref().expect("Expected function, got error."))(
                regName, callback, args,
            )
        }
    }
    #[doc = " Details of the hardware error of a device."]
    pub unsafe fn aclrtGetErrorVerbose(&self, deviceId: i32, errorInfo: *mut aclrtErrorInfo) -> aclError {
        unsafe {
            (self.aclrtGetErrorVerbose.as_ref().expect("Expected function, got error."))(deviceId, errorInfo)
        }
    }
    #[doc = " Repairs what aclrtGetErrorVerbose described."]
    pub unsafe fn aclrtRepairError(&self, deviceId: i32, errorInfo: *const aclrtErrorInfo) -> aclError {
        unsafe {
            (self.aclrtRepairError.as_ref().expect("Expected function, got error."))(deviceId, errorInfo)
        }
    }
    #[doc = " Ranges of memory with uncorrectable errors."]
    pub unsafe fn aclrtGetMemUceInfo(
        &self,
        deviceId: i32,
        memUceInfoArray: *mut aclrtMemUceInfo,
        arraySize: usize,
        retSize: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtGetMemUceInfo.as_ref().expect("Expected function, got error."))(
                deviceId,
                memUceInfoArray,
                arraySize,
                retSize,
            )
        }
    }
    #[doc = " Allocates device memory; not zeroed, aligned to 64 bytes only."]
    pub unsafe fn aclrtMalloc(
        &self,
        devPtr: *mut *mut ::core::ffi::c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError {
        unsafe { (self.aclrtMalloc.as_ref().expect("Expected function, got error."))(devPtr, size, policy) }
    }
    #[doc = " Allocates device memory without the 32 bytes of padding behind it."]
    pub unsafe fn aclrtMallocAlign32(
        &self,
        devPtr: *mut *mut ::core::ffi::c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError {
        unsafe {
            (self.aclrtMallocAlign32.as_ref().expect("Expected function, got error."))(devPtr, size, policy)
        }
    }
    #[doc = " Allocates device memory with wishes."]
    pub unsafe fn aclrtMallocWithCfg(
        &self,
        devPtr: *mut *mut ::core::ffi::c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError {
        unsafe {
            (self.aclrtMallocWithCfg.as_ref().expect("Expected function, got error."))(
                devPtr, size, policy, cfg,
            )
        }
    }
    #[doc = " Frees device memory without waiting for streams."]
    pub unsafe fn aclrtFree(&self, devPtr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtFree.as_ref().expect("Expected function, got error."))(devPtr) }
    }
    #[doc = " Waits for the device, then frees device memory."]
    pub unsafe fn aclrtFreeWithDevSync(&self, devPtr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtFreeWithDevSync.as_ref().expect("Expected function, got error."))(devPtr) }
    }
    #[doc = " Allocates pinned host memory, page aligned."]
    pub unsafe fn aclrtMallocHost(&self, hostPtr: *mut *mut ::core::ffi::c_void, size: usize) -> aclError {
        unsafe { (self.aclrtMallocHost.as_ref().expect("Expected function, got error."))(hostPtr, size) }
    }
    #[doc = " Frees pinned host memory."]
    pub unsafe fn aclrtFreeHost(&self, hostPtr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtFreeHost.as_ref().expect("Expected function, got error."))(hostPtr) }
    }
    #[doc = " Allocates pinned host memory with wishes."]
    pub unsafe fn aclrtMallocHostWithCfg(
        &self,
        ptr: *mut *mut ::core::ffi::c_void,
        size: u64,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError {
        unsafe {
            (self.aclrtMallocHostWithCfg.as_ref().expect("Expected function, got error."))(ptr, size, cfg)
        }
    }
    #[doc = " Waits for the device, then frees pinned host memory."]
    pub unsafe fn aclrtFreeHostWithDevSync(&self, hostPtr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtFreeHostWithDevSync.as_ref().expect("Expected function, got error."))(hostPtr) }
    }
    #[doc = " Fills memory."]
    pub unsafe fn aclrtMemset(
        &self,
        devPtr: *mut ::core::ffi::c_void,
        maxCount: usize,
        value: i32,
        count: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemset.as_ref().expect("Expected function, got error."))(
                devPtr, maxCount, value, count,
            )
        }
    }
    #[doc = " Fills memory as a task of a stream."]
    pub unsafe fn aclrtMemsetAsync(
        &self,
        devPtr: *mut ::core::ffi::c_void,
        maxCount: usize,
        value: i32,
        count: usize,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtMemsetAsync.as_ref().expect("Expected function, got error."))(
                devPtr, maxCount, value, count, stream,
            )
        }
    }
    #[doc = " Copies; does not wait for streams."]
    pub unsafe fn aclrtMemcpy(
        &self,
        dst: *mut ::core::ffi::c_void,
        destMax: usize,
        src: *const ::core::ffi::c_void,
        count: usize,
        kind: aclrtMemcpyKind,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpy.as_ref().expect("Expected function, got error."))(
                dst, destMax, src, count, kind,
            )
        }
    }
    #[doc = " Copies as a task of a stream; pinned host memory must stay untouched until the task is done."]
    pub unsafe fn aclrtMemcpyAsync(
        &self,
        dst: *mut ::core::ffi::c_void,
        destMax: usize,
        src: *const ::core::ffi::c_void,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpyAsync.as_ref().expect("Expected function, got error."))(
                dst, destMax, src, count, kind, stream,
            )
        }
    }
    #[doc = " Copies as a task of a stream, when the condition of the interface holds."]
    pub unsafe fn aclrtMemcpyAsyncWithCondition(
        &self,
        dst: *mut ::core::ffi::c_void,
        destMax: usize,
        src: *const ::core::ffi::c_void,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpyAsyncWithCondition.as_ref().expect("Expected function, got error."))(
                dst, destMax, src, count, kind, stream,
            )
        }
    }
    #[doc = " Copies a matrix."]
    pub unsafe fn aclrtMemcpy2d(
        &self,
        dst: *mut ::core::ffi::c_void,
        dpitch: usize,
        src: *const ::core::ffi::c_void,
        spitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpy2d.as_ref().expect("Expected function, got error."))(
                dst, dpitch, src, spitch, width, height, kind,
            )
        }
    }
    #[doc = " Copies a matrix as a task of a stream."]
    pub unsafe fn aclrtMemcpy2dAsync(
        &self,
        dst: *mut ::core::ffi::c_void,
        dpitch: usize,
        src: *const ::core::ffi::c_void,
        spitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpy2dAsync.as_ref().expect("Expected function, got error."))(
                dst, dpitch, src, spitch, width, height, kind, stream,
            )
        }
    }
    #[doc = " Copies many pieces, in any order; attribute i holds from entry `attrsIndexes[i]` on."]
    pub unsafe fn aclrtMemcpyBatch(
        &self,
        dsts: *mut *mut ::core::ffi::c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut ::core::ffi::c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
        failIndex: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpyBatch.as_ref().expect("Expected function, got error."))(
                dsts,
                destMaxs,
                srcs,
                sizes,
                numBatches,
                attrs,
                attrsIndexes,
                numAttrs,
                failIndex,
            )
        }
    }
    #[doc = " Copies many pieces as a task of a stream."]
    pub unsafe fn aclrtMemcpyBatchAsync(
        &self,
        dsts: *mut *mut ::core::ffi::c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut ::core::ffi::c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
        failIndex: *mut usize,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpyBatchAsync.as_ref().expect("Expected function, got error."))(
                dsts,
                destMaxs,
                srcs,
                sizes,
                numBatches,
                attrs,
                attrsIndexes,
                numAttrs,
                failIndex,
                stream,
            )
        }
    }
    #[doc = " Copies many pieces; does not say which one failed."]
    pub unsafe fn aclrtMemcpyBatchV2(
        &self,
        dsts: *mut *mut ::core::ffi::c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut ::core::ffi::c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpyBatchV2.as_ref().expect("Expected function, got error."))(
                dsts,
                destMaxs,
                srcs,
                sizes,
                numBatches,
                attrs,
                attrsIndexes,
                numAttrs,
            )
        }
    }
    #[doc = " Copies many pieces as a task of a stream; does not say which one failed."]
    pub unsafe fn aclrtMemcpyBatchAsyncV2(
        &self,
        dsts: *mut *mut ::core::ffi::c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut ::core::ffi::c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtMemcpyBatchAsyncV2.as_ref().expect("Expected function, got error."))(
                dsts,
                destMaxs,
                srcs,
                sizes,
                numBatches,
                attrs,
                attrsIndexes,
                numAttrs,
                stream,
            )
        }
    }
    #[doc = " Combines `src` into `dst` as a task of a stream."]
    pub unsafe fn aclrtReduceAsync(
        &self,
        dst: *mut ::core::ffi::c_void,
        src: *const ::core::ffi::c_void,
        count: u64,
        kind: aclrtReduceKind,
        type_: aclDataType,
        stream: aclrtStream,
        reserve: *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtReduceAsync.as_ref().expect("Expected function, got error."))(
                dst, src, count, kind, type_, stream, reserve,
            )
        }
    }
    #[doc = " Free and total bytes of a kind of memory of the current device."]
    pub unsafe fn aclrtGetMemInfo(
        &self,
        attr: aclrtMemAttr,
        free: *mut usize,
        total: *mut usize,
    ) -> aclError {
        unsafe { (self.aclrtGetMemInfo.as_ref().expect("Expected function, got error."))(attr, free, total) }
    }
    #[doc = " Memory use of a device by component."]
    pub unsafe fn aclrtGetMemUsageInfo(
        &self,
        deviceId: i32,
        memUsageInfo: *mut aclrtMemUsageInfo,
        inputNum: usize,
        outputNum: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtGetMemUsageInfo.as_ref().expect("Expected function, got error."))(
                deviceId,
                memUsageInfo,
                inputNum,
                outputNum,
            )
        }
    }
    #[doc = " Returns the location of the memory at an address."]
    pub unsafe fn aclrtPointerGetAttributes(
        &self,
        ptr: *const ::core::ffi::c_void,
        attributes: *mut aclrtPtrAttributes,
    ) -> aclError {
        unsafe {
            (self.aclrtPointerGetAttributes.as_ref().expect("Expected function, got error."))(ptr, attributes)
        }
    }
    #[doc = " Start and length of the allocation that holds an address."]
    pub unsafe fn aclrtMemGetAddressRange(
        &self,
        ptr: *mut ::core::ffi::c_void,
        pbase: *mut *mut ::core::ffi::c_void,
        psize: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemGetAddressRange.as_ref().expect("Expected function, got error."))(ptr, pbase, psize)
        }
    }
    #[doc = " Writes back cached data."]
    pub unsafe fn aclrtMemFlush(&self, devPtr: *mut ::core::ffi::c_void, size: usize) -> aclError {
        unsafe { (self.aclrtMemFlush.as_ref().expect("Expected function, got error."))(devPtr, size) }
    }
    #[doc = " Drops cached data."]
    pub unsafe fn aclrtMemInvalidate(&self, devPtr: *mut ::core::ffi::c_void, size: usize) -> aclError {
        unsafe { (self.aclrtMemInvalidate.as_ref().expect("Expected function, got error."))(devPtr, size) }
    }
    #[doc = " Cache operation as a task of a stream."]
    pub unsafe fn aclrtCmoAsync(
        &self,
        src: *mut ::core::ffi::c_void,
        size: usize,
        cmoType: aclrtCmoType,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtCmoAsync.as_ref().expect("Expected function, got error."))(src, size, cmoType, stream)
        }
    }
    #[doc = " Reserves addresses; `expectPtr` NULL lets the runtime choose."]
    pub unsafe fn aclrtReserveMemAddress(
        &self,
        virPtr: *mut *mut ::core::ffi::c_void,
        size: usize,
        alignment: usize,
        expectPtr: *mut ::core::ffi::c_void,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtReserveMemAddress.as_ref().expect("Expected function, got error."))(
                virPtr, size, alignment, expectPtr, flags,
            )
        }
    }
    #[doc = " Reserves addresses outside the range of the memory that is unified with the host (A3 only)."]
    pub unsafe fn aclrtReserveMemAddressNoUCMemory(
        &self,
        virPtr: *mut *mut ::core::ffi::c_void,
        size: usize,
        alignment: usize,
        expectPtr: *mut ::core::ffi::c_void,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtReserveMemAddressNoUCMemory.as_ref().expect("Expected function, got error."))(
                virPtr, size, alignment, expectPtr, flags,
            )
        }
    }
    #[doc = " Gives reserved addresses back; nothing may be mapped there."]
    pub unsafe fn aclrtReleaseMemAddress(&self, virPtr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtReleaseMemAddress.as_ref().expect("Expected function, got error."))(virPtr) }
    }
    #[doc = " Allocates physical memory."]
    pub unsafe fn aclrtMallocPhysical(
        &self,
        handle: *mut aclrtDrvMemHandle,
        size: usize,
        prop: *const aclrtPhysicalMemProp,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtMallocPhysical.as_ref().expect("Expected function, got error."))(
                handle, size, prop, flags,
            )
        }
    }
    #[doc = " Drops a reference to physical memory."]
    pub unsafe fn aclrtFreePhysical(&self, handle: aclrtDrvMemHandle) -> aclError {
        unsafe { (self.aclrtFreePhysical.as_ref().expect("Expected function, got error."))(handle) }
    }
    #[doc = " Maps physical memory into a reservation."]
    pub unsafe fn aclrtMapMem(
        &self,
        virPtr: *mut ::core::ffi::c_void,
        size: usize,
        offset: usize,
        handle: aclrtDrvMemHandle,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtMapMem.as_ref().expect("Expected function, got error."))(
                virPtr, size, offset, handle, flags,
            )
        }
    }
    #[doc = " Unmaps the mapping at a start address; does not wait for streams."]
    pub unsafe fn aclrtUnmapMem(&self, virPtr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtUnmapMem.as_ref().expect("Expected function, got error."))(virPtr) }
    }
    #[doc = " Granularity of physical memory of a kind."]
    pub unsafe fn aclrtMemGetAllocationGranularity(
        &self,
        prop: *mut aclrtPhysicalMemProp,
        option: aclrtMemGranularityOptions,
        granularity: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemGetAllocationGranularity.as_ref().expect("Expected function, got error."))(
                prop,
                option,
                granularity,
            )
        }
    }
    #[doc = " Gives locations rights to a mapping."]
    pub unsafe fn aclrtMemSetAccess(
        &self,
        virPtr: *mut ::core::ffi::c_void,
        size: usize,
        desc: *mut aclrtMemAccessDesc,
        count: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemSetAccess.as_ref().expect("Expected function, got error."))(
                virPtr, size, desc, count,
            )
        }
    }
    #[doc = " The rights of a location to a mapping."]
    pub unsafe fn aclrtMemGetAccess(
        &self,
        virPtr: *mut ::core::ffi::c_void,
        location: *mut aclrtMemLocation,
        flag: *mut u64,
    ) -> aclError {
        unsafe {
            (self.aclrtMemGetAccess.as_ref().expect("Expected function, got error."))(virPtr, location, flag)
        }
    }
    #[doc = " Makes an 8-byte handle that other processes of the host import."]
    pub unsafe fn aclrtMemExportToShareableHandle(
        &self,
        handle: aclrtDrvMemHandle,
        handleType: aclrtMemHandleType,
        flags: u64,
        shareableHandle: *mut u64,
    ) -> aclError {
        unsafe {
            (self.aclrtMemExportToShareableHandle.as_ref().expect("Expected function, got error."))(
                handle,
                handleType,
                flags,
                shareableHandle,
            )
        }
    }
    #[doc = " Makes a handle of the type that other processes import: 8 bytes, or 128 across hosts."]
    pub unsafe fn aclrtMemExportToShareableHandleV2(
        &self,
        handle: aclrtDrvMemHandle,
        flags: u64,
        shareType: aclrtMemSharedHandleType,
        shareableHandle: *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtMemExportToShareableHandleV2.as_ref().expect("Expected function, got error."))(
                handle,
                flags,
                shareType,
                shareableHandle,
            )
        }
    }
    #[doc = " Imports an 8-byte handle for a device."]
    pub unsafe fn aclrtMemImportFromShareableHandle(
        &self,
        shareableHandle: u64,
        deviceId: i32,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtMemImportFromShareableHandle.as_ref().expect("Expected function, got error."))(
                shareableHandle,
                deviceId,
                handle,
            )
        }
    }
    #[doc = " Imports a handle of the type for the current device."]
    pub unsafe fn aclrtMemImportFromShareableHandleV2(
        &self,
        shareableHandle: *mut ::core::ffi::c_void,
        shareType: aclrtMemSharedHandleType,
        flags: u64,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtMemImportFromShareableHandleV2.as_ref().expect("Expected function, got error."))(
                shareableHandle,
                shareType,
                flags,
                handle,
            )
        }
    }
    #[doc = " Adds processes that may import an 8-byte handle."]
    pub unsafe fn aclrtMemSetPidToShareableHandle(
        &self,
        shareableHandle: u64,
        pid: *mut i32,
        pidNum: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemSetPidToShareableHandle.as_ref().expect("Expected function, got error."))(
                shareableHandle,
                pid,
                pidNum,
            )
        }
    }
    #[doc = " Adds processes that may import a handle of the type."]
    pub unsafe fn aclrtMemSetPidToShareableHandleV2(
        &self,
        shareableHandle: *mut ::core::ffi::c_void,
        shareType: aclrtMemSharedHandleType,
        pid: *mut i32,
        pidNum: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtMemSetPidToShareableHandleV2.as_ref().expect("Expected function, got error."))(
                shareableHandle,
                shareType,
                pid,
                pidNum,
            )
        }
    }
    #[doc = " Returns the physical memory behind a mapped address, with a new reference."]
    pub unsafe fn aclrtMemRetainAllocationHandle(
        &self,
        virPtr: *mut ::core::ffi::c_void,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtMemRetainAllocationHandle.as_ref().expect("Expected function, got error."))(
                virPtr, handle,
            )
        }
    }
    #[doc = " Returns the properties requested for physical memory."]
    pub unsafe fn aclrtMemGetAllocationPropertiesFromHandle(
        &self,
        handle: aclrtDrvMemHandle,
        prop: *mut aclrtPhysicalMemProp,
    ) -> aclError {
        unsafe {
            (self.aclrtMemGetAllocationPropertiesFromHandle.as_ref().expect("Expected function, got error."))(
                handle, prop,
            )
        }
    }
    #[doc = " Maps device memory for another device."]
    pub unsafe fn aclrtMemP2PMap(
        &self,
        devPtr: *mut ::core::ffi::c_void,
        size: usize,
        dstDevId: i32,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtMemP2PMap.as_ref().expect("Expected function, got error."))(
                devPtr, size, dstDevId, flags,
            )
        }
    }
    #[doc = " Makes a printable key (at least 65 bytes) of device memory for other processes."]
    pub unsafe fn aclrtIpcMemGetExportKey(
        &self,
        devPtr: *mut ::core::ffi::c_void,
        size: usize,
        key: *mut ::core::ffi::c_char,
        len: usize,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcMemGetExportKey.as_ref().expect("Expected function, got error."))(
                devPtr, size, key, len, flags,
            )
        }
    }
    #[doc = " Names processes that may import a key."]
    pub unsafe fn aclrtIpcMemSetImportPid(
        &self,
        key: *const ::core::ffi::c_char,
        pid: *mut i32,
        num: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcMemSetImportPid.as_ref().expect("Expected function, got error."))(key, pid, num)
        }
    }
    #[doc = " Maps the memory of a key."]
    pub unsafe fn aclrtIpcMemImportByKey(
        &self,
        devPtr: *mut *mut ::core::ffi::c_void,
        key: *const ::core::ffi::c_char,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcMemImportByKey.as_ref().expect("Expected function, got error."))(devPtr, key, flags)
        }
    }
    #[doc = " Ends a key, or its import."]
    pub unsafe fn aclrtIpcMemClose(&self, key: *const ::core::ffi::c_char) -> aclError {
        unsafe { (self.aclrtIpcMemClose.as_ref().expect("Expected function, got error."))(key) }
    }
    #[doc = " Sets an attribute of a key."]
    pub unsafe fn aclrtIpcMemSetAttr(
        &self,
        key: *const ::core::ffi::c_char,
        type_: aclrtIpcMemAttrType,
        attr: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcMemSetAttr.as_ref().expect("Expected function, got error."))(key, type_, attr)
        }
    }
    #[doc = " Names processes of other servers that may import a key."]
    pub unsafe fn aclrtIpcMemImportPidInterServer(
        &self,
        key: *const ::core::ffi::c_char,
        serverPids: *mut aclrtServerPid,
        num: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcMemImportPidInterServer.as_ref().expect("Expected function, got error."))(
                key, serverPids, num,
            )
        }
    }
    #[doc = " Reports if a device can access the memory of a peer."]
    pub unsafe fn aclrtDeviceCanAccessPeer(
        &self,
        canAccessPeer: *mut i32,
        deviceId: i32,
        peerDeviceId: i32,
    ) -> aclError {
        unsafe {
            (self.aclrtDeviceCanAccessPeer.as_ref().expect("Expected function, got error."))(
                canAccessPeer,
                deviceId,
                peerDeviceId,
            )
        }
    }
    #[doc = " Lets the current device reach a peer."]
    pub unsafe fn aclrtDeviceEnablePeerAccess(&self, peerDeviceId: i32, flags: u32) -> aclError {
        unsafe {
            (self.aclrtDeviceEnablePeerAccess.as_ref().expect("Expected function, got error."))(
                peerDeviceId,
                flags,
            )
        }
    }
    #[doc = " Ends the access of the current device to a peer."]
    pub unsafe fn aclrtDeviceDisablePeerAccess(&self, peerDeviceId: i32) -> aclError {
        unsafe {
            (self.aclrtDeviceDisablePeerAccess.as_ref().expect("Expected function, got error."))(peerDeviceId)
        }
    }
    #[doc = " Reports if access to a peer is enabled (1)."]
    pub unsafe fn aclrtDevicePeerAccessStatus(
        &self,
        deviceId: i32,
        peerDeviceId: i32,
        status: *mut i32,
    ) -> aclError {
        unsafe {
            (self.aclrtDevicePeerAccessStatus.as_ref().expect("Expected function, got error."))(
                deviceId,
                peerDeviceId,
                status,
            )
        }
    }
    #[doc = " Makes host memory reachable for the device and says where."]
    pub unsafe fn aclrtHostRegister(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: u64,
        type_: aclrtHostRegisterType,
        devPtr: *mut *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtHostRegister.as_ref().expect("Expected function, got error."))(
                ptr, size, type_, devPtr,
            )
        }
    }
    #[doc = " Makes host memory reachable for the device."]
    pub unsafe fn aclrtHostRegisterV2(
        &self,
        ptr: *mut ::core::ffi::c_void,
        size: u64,
        flag: u32,
    ) -> aclError {
        unsafe {
            (self.aclrtHostRegisterV2.as_ref().expect("Expected function, got error."))(ptr, size, flag)
        }
    }
    #[doc = " The address of registered host memory for the device."]
    pub unsafe fn aclrtHostGetDevicePointer(
        &self,
        pHost: *mut ::core::ffi::c_void,
        pDevice: *mut *mut ::core::ffi::c_void,
        flag: u32,
    ) -> aclError {
        unsafe {
            (self.aclrtHostGetDevicePointer.as_ref().expect("Expected function, got error."))(
                pHost, pDevice, flag,
            )
        }
    }
    #[doc = " Ends a registration of host memory."]
    pub unsafe fn aclrtHostUnregister(&self, ptr: *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtHostUnregister.as_ref().expect("Expected function, got error."))(ptr) }
    }
    #[doc = " Reports if an engine of a device can access mapped host memory."]
    pub unsafe fn aclrtHostMemMapCapabilities(
        &self,
        deviceId: u32,
        hacType: aclrtHacType,
        capabilities: *mut aclrtHostMemMapCapability,
    ) -> aclError {
        unsafe {
            (self.aclrtHostMemMapCapabilities.as_ref().expect("Expected function, got error."))(
                deviceId,
                hacType,
                capabilities,
            )
        }
    }
    #[doc = " Creates a stream."]
    pub unsafe fn aclrtCreateStream(&self, stream: *mut aclrtStream) -> aclError {
        unsafe { (self.aclrtCreateStream.as_ref().expect("Expected function, got error."))(stream) }
    }
    #[doc = " Creates a stream of a priority (0 is the highest) with flags."]
    pub unsafe fn aclrtCreateStreamWithConfig(
        &self,
        stream: *mut aclrtStream,
        priority: u32,
        flag: u32,
    ) -> aclError {
        unsafe {
            (self.aclrtCreateStreamWithConfig.as_ref().expect("Expected function, got error."))(
                stream, priority, flag,
            )
        }
    }
    #[doc = " Makes a set of wishes for a stream."]
    pub unsafe fn aclrtCreateStreamConfigHandle(&self) -> *mut aclrtStreamConfigHandle {
        unsafe { (self.aclrtCreateStreamConfigHandle.as_ref().expect("Expected function, got error."))() }
    }
    #[doc = " Sets one wish."]
    pub unsafe fn aclrtSetStreamConfigOpt(
        &self,
        handle: *mut aclrtStreamConfigHandle,
        attr: aclrtStreamConfigAttr,
        attrValue: *const ::core::ffi::c_void,
        valueSize: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtSetStreamConfigOpt.as_ref().expect("Expected function, got error."))(
                handle, attr, attrValue, valueSize,
            )
        }
    }
    #[doc = " Creates a stream by wishes."]
    pub unsafe fn aclrtCreateStreamV2(
        &self,
        stream: *mut aclrtStream,
        handle: *const aclrtStreamConfigHandle,
    ) -> aclError {
        unsafe { (self.aclrtCreateStreamV2.as_ref().expect("Expected function, got error."))(stream, handle) }
    }
    #[doc = " Frees a set of wishes."]
    pub unsafe fn aclrtDestroyStreamConfigHandle(&self, handle: *mut aclrtStreamConfigHandle) -> aclError {
        unsafe {
            (self.aclrtDestroyStreamConfigHandle.as_ref().expect("Expected function, got error."))(handle)
        }
    }
    #[doc = " Waits for the tasks of a stream and destroys it."]
    pub unsafe fn aclrtDestroyStream(&self, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtDestroyStream.as_ref().expect("Expected function, got error."))(stream) }
    }
    #[doc = " Drops the tasks of a stream and destroys it."]
    pub unsafe fn aclrtDestroyStreamForce(&self, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtDestroyStreamForce.as_ref().expect("Expected function, got error."))(stream) }
    }
    #[doc = " Waits for the tasks of a stream."]
    pub unsafe fn aclrtSynchronizeStream(&self, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtSynchronizeStream.as_ref().expect("Expected function, got error."))(stream) }
    }
    #[doc = " Waits for the tasks of a stream, at most `timeout` milliseconds (-1: forever)."]
    pub unsafe fn aclrtSynchronizeStreamWithTimeout(&self, stream: aclrtStream, timeout: i32) -> aclError {
        unsafe {
            (self.aclrtSynchronizeStreamWithTimeout.as_ref().expect("Expected function, got error."))(
                stream, timeout,
            )
        }
    }
    #[doc = " Reports if the tasks of a stream have finished."]
    pub unsafe fn aclrtStreamQuery(&self, stream: aclrtStream, status: *mut aclrtStreamStatus) -> aclError {
        unsafe { (self.aclrtStreamQuery.as_ref().expect("Expected function, got error."))(stream, status) }
    }
    #[doc = " The number of a stream."]
    pub unsafe fn aclrtStreamGetId(&self, stream: aclrtStream, streamId: *mut i32) -> aclError {
        unsafe { (self.aclrtStreamGetId.as_ref().expect("Expected function, got error."))(stream, streamId) }
    }
    #[doc = " The priority of a stream."]
    pub unsafe fn aclrtStreamGetPriority(&self, stream: aclrtStream, priority: *mut u32) -> aclError {
        unsafe {
            (self.aclrtStreamGetPriority.as_ref().expect("Expected function, got error."))(stream, priority)
        }
    }
    #[doc = " The flags of a stream."]
    pub unsafe fn aclrtStreamGetFlags(&self, stream: aclrtStream, flags: *mut u32) -> aclError {
        unsafe { (self.aclrtStreamGetFlags.as_ref().expect("Expected function, got error."))(stream, flags) }
    }
    #[doc = " Returns the number of further streams available."]
    pub unsafe fn aclrtGetStreamAvailableNum(&self, streamCount: *mut u32) -> aclError {
        unsafe {
            (self.aclrtGetStreamAvailableNum.as_ref().expect("Expected function, got error."))(streamCount)
        }
    }
    #[doc = " Sets if a stream continues after a failed task (0) or stops (1)."]
    pub unsafe fn aclrtSetStreamFailureMode(&self, stream: aclrtStream, mode: u64) -> aclError {
        unsafe {
            (self.aclrtSetStreamFailureMode.as_ref().expect("Expected function, got error."))(stream, mode)
        }
    }
    #[doc = " Sets an attribute of a stream."]
    pub unsafe fn aclrtSetStreamAttribute(
        &self,
        stream: aclrtStream,
        stmAttrType: aclrtStreamAttr,
        value: *mut aclrtStreamAttrValue,
    ) -> aclError {
        unsafe {
            (self.aclrtSetStreamAttribute.as_ref().expect("Expected function, got error."))(
                stream,
                stmAttrType,
                value,
            )
        }
    }
    #[doc = " An attribute of a stream."]
    pub unsafe fn aclrtGetStreamAttribute(
        &self,
        stream: aclrtStream,
        stmAttrType: aclrtStreamAttr,
        value: *mut aclrtStreamAttrValue,
    ) -> aclError {
        unsafe {
            (self.aclrtGetStreamAttribute.as_ref().expect("Expected function, got error."))(
                stream,
                stmAttrType,
                value,
            )
        }
    }
    #[doc = " Drops the running and queued tasks of a stream."]
    pub unsafe fn aclrtStreamAbort(&self, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtStreamAbort.as_ref().expect("Expected function, got error."))(stream) }
    }
    #[doc = " Stops a stream."]
    pub unsafe fn aclrtStreamStop(&self, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtStreamStop.as_ref().expect("Expected function, got error."))(stream) }
    }
    #[doc = " Creates an event of single use."]
    pub unsafe fn aclrtCreateEvent(&self, event: *mut aclrtEvent) -> aclError {
        unsafe { (self.aclrtCreateEvent.as_ref().expect("Expected function, got error."))(event) }
    }
    #[doc = " Creates an event of single use with flags."]
    pub unsafe fn aclrtCreateEventWithFlag(&self, event: *mut aclrtEvent, flag: u32) -> aclError {
        unsafe {
            (self.aclrtCreateEventWithFlag.as_ref().expect("Expected function, got error."))(event, flag)
        }
    }
    #[doc = " Creates an event that may be recorded again and again."]
    pub unsafe fn aclrtCreateEventExWithFlag(&self, event: *mut aclrtEvent, flag: u32) -> aclError {
        unsafe {
            (self.aclrtCreateEventExWithFlag.as_ref().expect("Expected function, got error."))(event, flag)
        }
    }
    #[doc = " Destroys an event."]
    pub unsafe fn aclrtDestroyEvent(&self, event: aclrtEvent) -> aclError {
        unsafe { (self.aclrtDestroyEvent.as_ref().expect("Expected function, got error."))(event) }
    }
    #[doc = " Marks the tasks that a stream has so far."]
    pub unsafe fn aclrtRecordEvent(&self, event: aclrtEvent, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtRecordEvent.as_ref().expect("Expected function, got error."))(event, stream) }
    }
    #[doc = " Makes an event of single use fresh again."]
    pub unsafe fn aclrtResetEvent(&self, event: aclrtEvent, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtResetEvent.as_ref().expect("Expected function, got error."))(event, stream) }
    }
    #[doc = " Lets a stream wait for the latest record of an event."]
    pub unsafe fn aclrtStreamWaitEvent(&self, stream: aclrtStream, event: aclrtEvent) -> aclError {
        unsafe { (self.aclrtStreamWaitEvent.as_ref().expect("Expected function, got error."))(stream, event) }
    }
    #[doc = " Lets a stream wait for the latest record of an event, for a limited time."]
    pub unsafe fn aclrtStreamWaitEventWithTimeout(
        &self,
        stream: aclrtStream,
        event: aclrtEvent,
        timeout: i32,
    ) -> aclError {
        unsafe {
            (self.aclrtStreamWaitEventWithTimeout.as_ref().expect("Expected function, got error."))(
                stream, event, timeout,
            )
        }
    }
    #[doc = " Waits for an event on the host."]
    pub unsafe fn aclrtSynchronizeEvent(&self, event: aclrtEvent) -> aclError {
        unsafe { (self.aclrtSynchronizeEvent.as_ref().expect("Expected function, got error."))(event) }
    }
    #[doc = " Waits for an event on the host, at most `timeout` milliseconds (-1: forever)."]
    pub unsafe fn aclrtSynchronizeEventWithTimeout(&self, event: aclrtEvent, timeout: i32) -> aclError {
        unsafe {
            (self.aclrtSynchronizeEventWithTimeout.as_ref().expect("Expected function, got error."))(
                event, timeout,
            )
        }
    }
    #[doc = " Reports if the record of an event is complete."]
    pub unsafe fn aclrtQueryEventStatus(
        &self,
        event: aclrtEvent,
        status: *mut aclrtEventRecordedStatus,
    ) -> aclError {
        unsafe {
            (self.aclrtQueryEventStatus.as_ref().expect("Expected function, got error."))(event, status)
        }
    }
    #[doc = " Older form, with its numbers reversed."]
    pub unsafe fn aclrtQueryEvent(&self, event: aclrtEvent, status: *mut aclrtEventStatus) -> aclError {
        unsafe { (self.aclrtQueryEvent.as_ref().expect("Expected function, got error."))(event, status) }
    }
    #[doc = " Reports if the waits on an event are complete."]
    pub unsafe fn aclrtQueryEventWaitStatus(
        &self,
        event: aclrtEvent,
        status: *mut aclrtEventWaitStatus,
    ) -> aclError {
        unsafe {
            (self.aclrtQueryEventWaitStatus.as_ref().expect("Expected function, got error."))(event, status)
        }
    }
    #[doc = " Milliseconds between two events that keep time."]
    pub unsafe fn aclrtEventElapsedTime(
        &self,
        ms: *mut f32,
        startEvent: aclrtEvent,
        endEvent: aclrtEvent,
    ) -> aclError {
        unsafe {
            (self.aclrtEventElapsedTime.as_ref().expect("Expected function, got error."))(
                ms, startEvent, endEvent,
            )
        }
    }
    #[doc = " Time of an event in microseconds."]
    pub unsafe fn aclrtEventGetTimestamp(&self, event: aclrtEvent, timestamp: *mut u64) -> aclError {
        unsafe {
            (self.aclrtEventGetTimestamp.as_ref().expect("Expected function, got error."))(event, timestamp)
        }
    }
    #[doc = " The number of an event."]
    pub unsafe fn aclrtGetEventId(&self, event: aclrtEvent, eventId: *mut u32) -> aclError {
        unsafe { (self.aclrtGetEventId.as_ref().expect("Expected function, got error."))(event, eventId) }
    }
    #[doc = " Returns the number of further events available."]
    pub unsafe fn aclrtGetEventAvailNum(&self, eventCount: *mut u32) -> aclError {
        unsafe { (self.aclrtGetEventAvailNum.as_ref().expect("Expected function, got error."))(eventCount) }
    }
    #[doc = " Makes a handle of an event for another process."]
    pub unsafe fn aclrtIpcGetEventHandle(
        &self,
        event: aclrtEvent,
        handle: *mut aclrtIpcEventHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcGetEventHandle.as_ref().expect("Expected function, got error."))(event, handle)
        }
    }
    #[doc = " Opens an event of another process."]
    pub unsafe fn aclrtIpcOpenEventHandle(
        &self,
        handle: aclrtIpcEventHandle,
        event: *mut aclrtEvent,
    ) -> aclError {
        unsafe {
            (self.aclrtIpcOpenEventHandle.as_ref().expect("Expected function, got error."))(handle, event)
        }
    }
    #[doc = " Creates a notify."]
    pub unsafe fn aclrtCreateNotify(&self, notify: *mut aclrtNotify, flag: u64) -> aclError {
        unsafe { (self.aclrtCreateNotify.as_ref().expect("Expected function, got error."))(notify, flag) }
    }
    #[doc = " Destroys a notify."]
    pub unsafe fn aclrtDestroyNotify(&self, notify: aclrtNotify) -> aclError {
        unsafe { (self.aclrtDestroyNotify.as_ref().expect("Expected function, got error."))(notify) }
    }
    #[doc = " The number of a notify."]
    pub unsafe fn aclrtGetNotifyId(&self, notify: aclrtNotify, notifyId: *mut u32) -> aclError {
        unsafe { (self.aclrtGetNotifyId.as_ref().expect("Expected function, got error."))(notify, notifyId) }
    }
    #[doc = " Sets a notify as a task of a stream."]
    pub unsafe fn aclrtRecordNotify(&self, notify: aclrtNotify, stream: aclrtStream) -> aclError {
        unsafe { (self.aclrtRecordNotify.as_ref().expect("Expected function, got error."))(notify, stream) }
    }
    #[doc = " Lets a stream wait for a notify and clear it, at most `timeout` seconds (0: forever)."]
    pub unsafe fn aclrtWaitAndResetNotify(
        &self,
        notify: aclrtNotify,
        stream: aclrtStream,
        timeout: u32,
    ) -> aclError {
        unsafe {
            (self.aclrtWaitAndResetNotify.as_ref().expect("Expected function, got error."))(
                notify, stream, timeout,
            )
        }
    }
    #[doc = " Makes a printable key (at least 65 bytes) of a notify for other processes."]
    pub unsafe fn aclrtNotifyGetExportKey(
        &self,
        notify: aclrtNotify,
        key: *mut ::core::ffi::c_char,
        len: usize,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtNotifyGetExportKey.as_ref().expect("Expected function, got error."))(
                notify, key, len, flags,
            )
        }
    }
    #[doc = " Opens a notify of another process, to record it."]
    pub unsafe fn aclrtNotifyImportByKey(
        &self,
        notify: *mut aclrtNotify,
        key: *const ::core::ffi::c_char,
        flags: u64,
    ) -> aclError {
        unsafe {
            (self.aclrtNotifyImportByKey.as_ref().expect("Expected function, got error."))(notify, key, flags)
        }
    }
    #[doc = " Names processes that may import a notify."]
    pub unsafe fn aclrtNotifySetImportPid(&self, notify: aclrtNotify, pid: *mut i32, num: usize) -> aclError {
        unsafe {
            (self.aclrtNotifySetImportPid.as_ref().expect("Expected function, got error."))(notify, pid, num)
        }
    }
    #[doc = " Clears notifies."]
    pub unsafe fn aclrtNotifyBatchReset(&self, notifies: *mut aclrtNotify, num: usize) -> aclError {
        unsafe {
            (self.aclrtNotifyBatchReset.as_ref().expect("Expected function, got error."))(notifies, num)
        }
    }
    #[doc = " Creates a counting notify."]
    pub unsafe fn aclrtCntNotifyCreate(&self, cntNotify: *mut aclrtCntNotify, flag: u64) -> aclError {
        unsafe {
            (self.aclrtCntNotifyCreate.as_ref().expect("Expected function, got error."))(cntNotify, flag)
        }
    }
    #[doc = " Destroys a counting notify."]
    pub unsafe fn aclrtCntNotifyDestroy(&self, cntNotify: aclrtCntNotify) -> aclError {
        unsafe { (self.aclrtCntNotifyDestroy.as_ref().expect("Expected function, got error."))(cntNotify) }
    }
    #[doc = " Changes a counting notify as a task of a stream."]
    pub unsafe fn aclrtCntNotifyRecord(
        &self,
        cntNotify: aclrtCntNotify,
        stream: aclrtStream,
        info: *mut aclrtCntNotifyRecordInfo,
    ) -> aclError {
        unsafe {
            (self.aclrtCntNotifyRecord.as_ref().expect("Expected function, got error."))(
                cntNotify, stream, info,
            )
        }
    }
    #[doc = " Lets a stream wait for a counting notify."]
    pub unsafe fn aclrtCntNotifyWaitWithTimeout(
        &self,
        cntNotify: aclrtCntNotify,
        stream: aclrtStream,
        info: *mut aclrtCntNotifyWaitInfo,
    ) -> aclError {
        unsafe {
            (self.aclrtCntNotifyWaitWithTimeout.as_ref().expect("Expected function, got error."))(
                cntNotify, stream, info,
            )
        }
    }
    #[doc = " Clears a counting notify as a task of a stream."]
    pub unsafe fn aclrtCntNotifyReset(&self, cntNotify: aclrtCntNotify, stream: aclrtStream) -> aclError {
        unsafe {
            (self.aclrtCntNotifyReset.as_ref().expect("Expected function, got error."))(cntNotify, stream)
        }
    }
    #[doc = " The number of a counting notify."]
    pub unsafe fn aclrtCntNotifyGetId(&self, cntNotify: aclrtCntNotify, notifyId: *mut u32) -> aclError {
        unsafe {
            (self.aclrtCntNotifyGetId.as_ref().expect("Expected function, got error."))(cntNotify, notifyId)
        }
    }
    #[doc = " Writes 8 bytes to device memory as a task of a stream; flag is 0."]
    pub unsafe fn aclrtValueWrite(
        &self,
        devAddr: *mut ::core::ffi::c_void,
        value: u64,
        flag: u32,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtValueWrite.as_ref().expect("Expected function, got error."))(
                devAddr, value, flag, stream,
            )
        }
    }
    #[doc = " Lets a stream wait for 8 bytes of device memory."]
    pub unsafe fn aclrtValueWait(
        &self,
        devAddr: *mut ::core::ffi::c_void,
        value: u64,
        flag: u32,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtValueWait.as_ref().expect("Expected function, got error."))(
                devAddr, value, flag, stream,
            )
        }
    }
    #[doc = " Selects the thread for the callbacks of a stream."]
    pub unsafe fn aclrtSubscribeReport(&self, threadId: u64, stream: aclrtStream) -> aclError {
        unsafe {
            (self.aclrtSubscribeReport.as_ref().expect("Expected function, got error."))(threadId, stream)
        }
    }
    #[doc = " Ends a subscription."]
    pub unsafe fn aclrtUnSubscribeReport(&self, threadId: u64, stream: aclrtStream) -> aclError {
        unsafe {
            (self.aclrtUnSubscribeReport.as_ref().expect("Expected function, got error."))(threadId, stream)
        }
    }
    #[doc = " Runs a callback on the calling, subscribed thread; waits at most `timeout` milliseconds (-1: forever)."]
    pub unsafe fn aclrtProcessReport(&self, timeout: i32) -> aclError {
        unsafe { (self.aclrtProcessReport.as_ref().expect("Expected function, got error."))(timeout) }
    }
    #[doc = " Queues a callback for the subscribed thread."]
    pub unsafe fn aclrtLaunchCallback(
        &self,
        fn_: aclrtCallback,
        userData: *mut ::core::ffi::c_void,
        blockType: aclrtCallbackBlockType,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchCallback.as_ref().expect("Expected function, got error."))(
                fn_, userData, blockType, stream,
            )
        }
    }
    #[doc = " Queues a host function that a thread of the runtime calls; the stream waits for it."]
    pub unsafe fn aclrtLaunchHostFunc(
        &self,
        stream: aclrtStream,
        fn_: aclrtHostFunc,
        args: *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchHostFunc.as_ref().expect("Expected function, got error."))(stream, fn_, args)
        }
    }
    #[doc = " Longest time of a kernel in seconds."]
    pub unsafe fn aclrtSetOpExecuteTimeOut(&self, timeout: u32) -> aclError {
        unsafe { (self.aclrtSetOpExecuteTimeOut.as_ref().expect("Expected function, got error."))(timeout) }
    }
    #[doc = " Longest time of a kernel in milliseconds."]
    pub unsafe fn aclrtSetOpExecuteTimeOutWithMs(&self, timeout: u32) -> aclError {
        unsafe {
            (self.aclrtSetOpExecuteTimeOutWithMs.as_ref().expect("Expected function, got error."))(timeout)
        }
    }
    #[doc = " Longest time of a kernel in microseconds; says what took effect."]
    pub unsafe fn aclrtSetOpExecuteTimeOutV2(&self, timeout: u64, actualTimeout: *mut u64) -> aclError {
        unsafe {
            (self.aclrtSetOpExecuteTimeOutV2.as_ref().expect("Expected function, got error."))(
                timeout,
                actualTimeout,
            )
        }
    }
    #[doc = " Longest wait of a stream for an event in seconds."]
    pub unsafe fn aclrtSetOpWaitTimeout(&self, timeout: u32) -> aclError {
        unsafe { (self.aclrtSetOpWaitTimeout.as_ref().expect("Expected function, got error."))(timeout) }
    }
    #[doc = " Longest time of a kernel in milliseconds."]
    pub unsafe fn aclrtGetOpExecuteTimeout(&self, timeoutMs: *mut u32) -> aclError {
        unsafe { (self.aclrtGetOpExecuteTimeout.as_ref().expect("Expected function, got error."))(timeoutMs) }
    }
    #[doc = " Loads a kernel binary from a file, named by an absolute path."]
    pub unsafe fn aclrtBinaryLoadFromFile(
        &self,
        binPath: *const ::core::ffi::c_char,
        options: *mut aclrtBinaryLoadOptions,
        binHandle: *mut aclrtBinHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtBinaryLoadFromFile.as_ref().expect("Expected function, got error."))(
                binPath, options, binHandle,
            )
        }
    }
    #[doc = " Loads a kernel binary from memory."]
    pub unsafe fn aclrtBinaryLoadFromData(
        &self,
        data: *const ::core::ffi::c_void,
        length: usize,
        options: *const aclrtBinaryLoadOptions,
        binHandle: *mut aclrtBinHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtBinaryLoadFromData.as_ref().expect("Expected function, got error."))(
                data, length, options, binHandle,
            )
        }
    }
    #[doc = " Describes a binary in memory (older interface)."]
    pub unsafe fn aclrtCreateBinary(&self, data: *const ::core::ffi::c_void, dataLen: usize) -> aclrtBinary {
        unsafe { (self.aclrtCreateBinary.as_ref().expect("Expected function, got error."))(data, dataLen) }
    }
    #[doc = " Frees a description of a binary."]
    pub unsafe fn aclrtDestroyBinary(&self, binary: aclrtBinary) -> aclError {
        unsafe { (self.aclrtDestroyBinary.as_ref().expect("Expected function, got error."))(binary) }
    }
    #[doc = " Loads a described binary."]
    pub unsafe fn aclrtBinaryLoad(&self, binary: aclrtBinary, binHandle: *mut aclrtBinHandle) -> aclError {
        unsafe { (self.aclrtBinaryLoad.as_ref().expect("Expected function, got error."))(binary, binHandle) }
    }
    #[doc = " Unloads a binary."]
    pub unsafe fn aclrtBinaryUnLoad(&self, binHandle: aclrtBinHandle) -> aclError {
        unsafe { (self.aclrtBinaryUnLoad.as_ref().expect("Expected function, got error."))(binHandle) }
    }
    #[doc = " Finds a kernel by name."]
    pub unsafe fn aclrtBinaryGetFunction(
        &self,
        binHandle: aclrtBinHandle,
        kernelName: *const ::core::ffi::c_char,
        funcHandle: *mut aclrtFuncHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtBinaryGetFunction.as_ref().expect("Expected function, got error."))(
                binHandle, kernelName, funcHandle,
            )
        }
    }
    #[doc = " Finds a kernel by entry number."]
    pub unsafe fn aclrtBinaryGetFunctionByEntry(
        &self,
        binHandle: aclrtBinHandle,
        funcEntry: u64,
        funcHandle: *mut aclrtFuncHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtBinaryGetFunctionByEntry.as_ref().expect("Expected function, got error."))(
                binHandle, funcEntry, funcHandle,
            )
        }
    }
    #[doc = " Finds a global variable of a binary."]
    pub unsafe fn aclrtBinaryGetGlobal(
        &self,
        binHandle: aclrtBinHandle,
        name: *const ::core::ffi::c_char,
        dptr: *mut *mut ::core::ffi::c_void,
        size: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtBinaryGetGlobal.as_ref().expect("Expected function, got error."))(
                binHandle, name, dptr, size,
            )
        }
    }
    #[doc = " The name of a kernel."]
    pub unsafe fn aclrtGetFunctionName(
        &self,
        funcHandle: aclrtFuncHandle,
        maxLen: u32,
        name: *mut ::core::ffi::c_char,
    ) -> aclError {
        unsafe {
            (self.aclrtGetFunctionName.as_ref().expect("Expected function, got error."))(
                funcHandle, maxLen, name,
            )
        }
    }
    #[doc = " An attribute of a kernel."]
    pub unsafe fn aclrtGetFunctionAttribute(
        &self,
        funcHandle: aclrtFuncHandle,
        attrType: aclrtFuncAttribute,
        attrValue: *mut i64,
    ) -> aclError {
        unsafe {
            (self.aclrtGetFunctionAttribute.as_ref().expect("Expected function, got error."))(
                funcHandle, attrType, attrValue,
            )
        }
    }
    #[doc = " Starts an argument list."]
    pub unsafe fn aclrtKernelArgsInit(
        &self,
        funcHandle: aclrtFuncHandle,
        argsHandle: *mut aclrtArgsHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsInit.as_ref().expect("Expected function, got error."))(
                funcHandle, argsHandle,
            )
        }
    }
    #[doc = " Appends a value, copied at once."]
    pub unsafe fn aclrtKernelArgsAppend(
        &self,
        argsHandle: aclrtArgsHandle,
        param: *mut ::core::ffi::c_void,
        paramSize: usize,
        paramHandle: *mut aclrtParamHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsAppend.as_ref().expect("Expected function, got error."))(
                argsHandle,
                param,
                paramSize,
                paramHandle,
            )
        }
    }
    #[doc = " Appends a pointer to data that is placed behind the arguments."]
    pub unsafe fn aclrtKernelArgsAppendPlaceHolder(
        &self,
        argsHandle: aclrtArgsHandle,
        paramHandle: *mut aclrtParamHandle,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsAppendPlaceHolder.as_ref().expect("Expected function, got error."))(
                argsHandle,
                paramHandle,
            )
        }
    }
    #[doc = " The place of such data."]
    pub unsafe fn aclrtKernelArgsGetPlaceHolderBuffer(
        &self,
        argsHandle: aclrtArgsHandle,
        paramHandle: aclrtParamHandle,
        dataSize: usize,
        bufferAddr: *mut *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsGetPlaceHolderBuffer.as_ref().expect("Expected function, got error."))(
                argsHandle,
                paramHandle,
                dataSize,
                bufferAddr,
            )
        }
    }
    #[doc = " Changes a value."]
    pub unsafe fn aclrtKernelArgsParaUpdate(
        &self,
        argsHandle: aclrtArgsHandle,
        paramHandle: aclrtParamHandle,
        param: *mut ::core::ffi::c_void,
        paramSize: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsParaUpdate.as_ref().expect("Expected function, got error."))(
                argsHandle,
                paramHandle,
                param,
                paramSize,
            )
        }
    }
    #[doc = " Ends editing."]
    pub unsafe fn aclrtKernelArgsFinalize(&self, argsHandle: aclrtArgsHandle) -> aclError {
        unsafe { (self.aclrtKernelArgsFinalize.as_ref().expect("Expected function, got error."))(argsHandle) }
    }
    #[doc = " Bytes of an argument list handle."]
    pub unsafe fn aclrtKernelArgsGetHandleMemSize(
        &self,
        funcHandle: aclrtFuncHandle,
        memSize: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsGetHandleMemSize.as_ref().expect("Expected function, got error."))(
                funcHandle, memSize,
            )
        }
    }
    #[doc = " Bytes that arguments take."]
    pub unsafe fn aclrtKernelArgsGetMemSize(
        &self,
        funcHandle: aclrtFuncHandle,
        userArgsSize: usize,
        actualArgsSize: *mut usize,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsGetMemSize.as_ref().expect("Expected function, got error."))(
                funcHandle,
                userArgsSize,
                actualArgsSize,
            )
        }
    }
    #[doc = " Starts an argument list in memory of the caller."]
    pub unsafe fn aclrtKernelArgsInitByUserMem(
        &self,
        funcHandle: aclrtFuncHandle,
        argsHandle: aclrtArgsHandle,
        userHostMem: *mut ::core::ffi::c_void,
        actualArgsSize: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtKernelArgsInitByUserMem.as_ref().expect("Expected function, got error."))(
                funcHandle,
                argsHandle,
                userHostMem,
                actualArgsSize,
            )
        }
    }
    #[doc = " Launches a kernel with an argument list."]
    pub unsafe fn aclrtLaunchKernelWithConfig(
        &self,
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        argsHandle: aclrtArgsHandle,
        reserve: *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchKernelWithConfig.as_ref().expect("Expected function, got error."))(
                funcHandle, numBlocks, stream, cfg, argsHandle, reserve,
            )
        }
    }
    #[doc = " Launches a kernel with arguments in host memory, copied during the call."]
    pub unsafe fn aclrtLaunchKernelWithHostArgs(
        &self,
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        hostArgs: *mut ::core::ffi::c_void,
        argsSize: usize,
        placeHolderArray: *mut aclrtPlaceHolderInfo,
        placeHolderNum: usize,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchKernelWithHostArgs.as_ref().expect("Expected function, got error."))(
                funcHandle,
                numBlocks,
                stream,
                cfg,
                hostArgs,
                argsSize,
                placeHolderArray,
                placeHolderNum,
            )
        }
    }
    #[doc = " Launches a kernel with arguments in device memory."]
    pub unsafe fn aclrtLaunchKernelV2(
        &self,
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        argsData: *const ::core::ffi::c_void,
        argsSize: usize,
        cfg: *mut aclrtLaunchKernelCfg,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchKernelV2.as_ref().expect("Expected function, got error."))(
                funcHandle, numBlocks, argsData, argsSize, cfg, stream,
            )
        }
    }
    #[doc = " Launches a kernel with arguments in device memory (older form)."]
    pub unsafe fn aclrtLaunchKernel(
        &self,
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        argsData: *const ::core::ffi::c_void,
        argsSize: usize,
        stream: aclrtStream,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchKernel.as_ref().expect("Expected function, got error."))(
                funcHandle, numBlocks, argsData, argsSize, stream,
            )
        }
    }
    #[doc = " Launches a kernel with an array of pointers to its arguments."]
    pub unsafe fn aclrtLaunchKernelWithArgsArray(
        &self,
        func: *mut ::core::ffi::c_void,
        numBlocks: u32,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        args: *mut *mut ::core::ffi::c_void,
    ) -> aclError {
        unsafe {
            (self.aclrtLaunchKernelWithArgsArray.as_ref().expect("Expected function, got error."))(
                func, numBlocks, stream, cfg, args,
            )
        }
    }
    #[doc = " Address that mixed kernels use for their cross-core flags."]
    pub unsafe fn aclrtGetHardwareSyncAddr(&self, addr: *mut *mut ::core::ffi::c_void) -> aclError {
        unsafe { (self.aclrtGetHardwareSyncAddr.as_ref().expect("Expected function, got error."))(addr) }
    }
    #[doc = " Limit of cores of a device."]
    pub unsafe fn aclrtGetDeviceResLimit(
        &self,
        deviceId: i32,
        type_: aclrtDevResLimitType,
        value: *mut u32,
    ) -> aclError {
        unsafe {
            (self.aclrtGetDeviceResLimit.as_ref().expect("Expected function, got error."))(
                deviceId, type_, value,
            )
        }
    }
    #[doc = " Limits the cores of a device."]
    pub unsafe fn aclrtSetDeviceResLimit(
        &self,
        deviceId: i32,
        type_: aclrtDevResLimitType,
        value: u32,
    ) -> aclError {
        unsafe {
            (self.aclrtSetDeviceResLimit.as_ref().expect("Expected function, got error."))(
                deviceId, type_, value,
            )
        }
    }
    #[doc = " Limit of cores of a stream."]
    pub unsafe fn aclrtGetStreamResLimit(
        &self,
        stream: aclrtStream,
        type_: aclrtDevResLimitType,
        value: *mut u32,
    ) -> aclError {
        unsafe {
            (self.aclrtGetStreamResLimit.as_ref().expect("Expected function, got error."))(
                stream, type_, value,
            )
        }
    }
    #[doc = " Limits the cores of a stream."]
    pub unsafe fn aclrtSetStreamResLimit(
        &self,
        stream: aclrtStream,
        type_: aclrtDevResLimitType,
        value: u32,
    ) -> aclError {
        unsafe {
            (self.aclrtSetStreamResLimit.as_ref().expect("Expected function, got error."))(
                stream, type_, value,
            )
        }
    }
}
