// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which functions each library exports, as data: how much we need each, and who has it.
//!
//! The loader checks these names when it opens a library, and a test compares them with the tables of [`crate::raw`], so
//! that no bound function is missing here.

use std::fmt;

use super::Library;

/// One exported function.
#[derive(Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The library that exports it.
    pub library: Library,
    /// Its name.
    pub name: &'static str,
    /// How much it is needed.
    pub mark: Mark,
    /// Who is known to have it.
    pub since: Since,
}

/// How much a function is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Without it the library is not used.
    Core,
    /// Part of a capability, which is there when all its functions are.
    Part(Capability),
    /// Used when it is there.
    Optional,
}

/// An ability that older releases lack and that has a fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Shareable handles of the second kind, among them those that hold across hosts. Without: 8-byte handles, on one
    /// host.
    SharingV2,
    /// Setting and reading the rights to a mapping.
    MappingAccess,
    /// Address ranges of the driver that may hold remote memory: one address space over hosts.
    RemoteRanges,
}

/// The release whose interface is known to have a function; earlier ones may have it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Since {
    /// The interface that the bindings were written from.
    Reference,
    /// Known to have come after CANN 8.1.
    After81,
    /// The driver interface that the bindings were written from.
    Driver,
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Since::Reference => "CANN 8.5 (ACL 1.17.0)",
            Since::After81 => "CANN after 8.1",
            Since::Driver => "the driver of mid 2026",
        })
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Capability::SharingV2 => "shareable handles V2",
            Capability::MappingAccess => "rights of mappings",
            Capability::RemoteRanges => "remote address ranges",
        })
    }
}

impl Library {
    /// Every function of the library that is bound.
    pub const fn symbols(self) -> &'static [Symbol] {
        match self {
            Library::Acl => ACL,
            Library::Hal => HAL,
            Library::Hccl => HCCL,
            Library::Runtime => RUNTIME,
        }
    }

    /// The function of that name.
    pub fn symbol(self, name: &str) -> Option<&'static Symbol> {
        self.symbols().iter().find(|symbol| symbol.name == name)
    }
}

macro_rules! symbols {
    ($library:ident { $($mark:expr, $since:ident: $($name:ident)*;)* }) => {
        &[$($(Symbol {
            library: Library::$library,
            name: stringify!($name),
            mark: $mark,
            since: Since::$since,
        },)*)*]
    };
}

const ACL: &[Symbol] = symbols!(Acl {
    // Errors, process, device, context.
    Mark::Core, Reference:
        aclGetRecentErrMsg aclInit aclFinalize aclrtGetVersion aclrtGetSocName aclrtGetDeviceCount aclrtSetDevice
        aclrtResetDevice aclrtResetDeviceForce aclrtGetDevice aclrtGetRunMode aclrtSynchronizeDevice
        aclrtSynchronizeDeviceWithTimeout aclrtGetDeviceInfo aclrtDeviceGetBareTgid aclrtGetLogicDevIdByUserDevId
        aclrtGetUserDevIdByLogicDevId aclrtGetLogicDevIdByPhyDevId aclrtGetPhyDevIdByLogicDevId aclrtCreateContext
        aclrtDestroyContext aclrtSetCurrentContext aclrtGetCurrentContext;
    Mark::Optional, Reference:
        aclrtGetLastError aclrtPeekAtLastError aclFinalizeReference aclsysGetVersionStr aclsysGetVersionNum
        aclsysGetCANNVersion aclrtGetDeviceCapability aclrtDeviceGetUuid aclrtQueryDeviceStatus
        aclrtDeviceGetStreamPriorityRange aclrtGetDevicesTopo aclrtCtxGetCurrentDefaultStream aclrtGetPrimaryCtxState
        aclrtDeviceTaskAbort aclrtSetExceptionInfoCallback aclrtGetTaskIdFromExceptionInfo
        aclrtGetStreamIdFromExceptionInfo aclrtGetThreadIdFromExceptionInfo aclrtGetDeviceIdFromExceptionInfo
        aclrtGetErrorCodeFromExceptionInfo aclrtRegDeviceStateCallback aclrtGetErrorVerbose aclrtRepairError
        aclrtGetMemUceInfo;

    // Memory and copies.
    Mark::Core, Reference:
        aclrtMalloc aclrtFree aclrtFreeWithDevSync aclrtMallocHost aclrtFreeHost aclrtMemset aclrtMemsetAsync
        aclrtMemcpy aclrtMemcpyAsync aclrtMemcpy2d aclrtMemcpy2dAsync aclrtMemcpyBatch aclrtGetMemInfo
        aclrtPointerGetAttributes;
    Mark::Optional, Reference:
        aclrtMallocAlign32 aclrtMallocWithCfg aclrtMallocHostWithCfg aclrtFreeHostWithDevSync
        aclrtMemcpyAsyncWithCondition aclrtMemcpyBatchAsync aclrtMemcpyBatchV2 aclrtMemcpyBatchAsyncV2
        aclrtReduceAsync aclrtGetMemUsageInfo aclrtMemGetAddressRange aclrtMemFlush aclrtMemInvalidate aclrtCmoAsync;

    // Virtual memory and sharing.
    Mark::Core, Reference:
        aclrtReserveMemAddress aclrtReleaseMemAddress aclrtMallocPhysical aclrtFreePhysical aclrtMapMem aclrtUnmapMem
        aclrtMemGetAllocationGranularity aclrtMemExportToShareableHandle aclrtMemImportFromShareableHandle
        aclrtMemSetPidToShareableHandle aclrtMemRetainAllocationHandle;
    Mark::Part(Capability::MappingAccess), After81: aclrtMemSetAccess aclrtMemGetAccess;
    Mark::Part(Capability::SharingV2), After81:
        aclrtMemExportToShareableHandleV2 aclrtMemImportFromShareableHandleV2 aclrtMemSetPidToShareableHandleV2;
    Mark::Optional, Reference:
        aclrtReserveMemAddressNoUCMemory aclrtMemGetAllocationPropertiesFromHandle aclrtMemP2PMap;

    // Keys, peers, host memory.
    Mark::Core, Reference:
        aclrtIpcMemGetExportKey aclrtIpcMemSetImportPid aclrtIpcMemImportByKey aclrtIpcMemClose
        aclrtDeviceCanAccessPeer aclrtDeviceEnablePeerAccess aclrtDeviceDisablePeerAccess aclrtHostRegister
        aclrtHostRegisterV2 aclrtHostGetDevicePointer aclrtHostUnregister;
    Mark::Optional, Reference:
        aclrtIpcMemSetAttr aclrtIpcMemImportPidInterServer aclrtDevicePeerAccessStatus aclrtHostMemMapCapabilities;

    // Streams, events, notifies, values, host functions.
    Mark::Core, Reference:
        aclrtCreateStream aclrtCreateStreamWithConfig aclrtDestroyStream aclrtDestroyStreamForce
        aclrtSynchronizeStream aclrtSynchronizeStreamWithTimeout aclrtStreamQuery aclrtStreamGetId
        aclrtCreateEvent aclrtCreateEventWithFlag aclrtCreateEventExWithFlag aclrtDestroyEvent aclrtRecordEvent
        aclrtResetEvent aclrtStreamWaitEvent aclrtStreamWaitEventWithTimeout aclrtSynchronizeEvent
        aclrtSynchronizeEventWithTimeout aclrtQueryEventStatus aclrtCreateNotify aclrtDestroyNotify aclrtGetNotifyId
        aclrtRecordNotify aclrtWaitAndResetNotify aclrtNotifyGetExportKey aclrtNotifyImportByKey
        aclrtNotifySetImportPid aclrtNotifyBatchReset aclrtValueWrite aclrtValueWait aclrtSubscribeReport
        aclrtUnSubscribeReport aclrtProcessReport aclrtLaunchCallback aclrtLaunchHostFunc;
    Mark::Optional, Reference:
        aclrtCreateStreamConfigHandle aclrtSetStreamConfigOpt aclrtCreateStreamV2 aclrtDestroyStreamConfigHandle
        aclrtStreamGetPriority aclrtStreamGetFlags aclrtGetStreamAvailableNum aclrtSetStreamFailureMode
        aclrtSetStreamAttribute aclrtGetStreamAttribute aclrtStreamAbort aclrtStreamStop aclrtQueryEvent
        aclrtQueryEventWaitStatus aclrtEventElapsedTime aclrtEventGetTimestamp aclrtGetEventId aclrtGetEventAvailNum
        aclrtIpcGetEventHandle aclrtIpcOpenEventHandle aclrtCntNotifyCreate aclrtCntNotifyDestroy
        aclrtCntNotifyRecord aclrtCntNotifyWaitWithTimeout aclrtCntNotifyReset aclrtCntNotifyGetId
        aclrtSetOpExecuteTimeOut aclrtSetOpExecuteTimeOutWithMs aclrtSetOpExecuteTimeOutV2 aclrtSetOpWaitTimeout
        aclrtGetOpExecuteTimeout;

    // Kernels.
    Mark::Core, Reference:
        aclrtBinaryLoadFromFile aclrtBinaryLoadFromData aclrtBinaryUnLoad aclrtBinaryGetFunction aclrtKernelArgsInit
        aclrtKernelArgsAppend aclrtKernelArgsAppendPlaceHolder aclrtKernelArgsGetPlaceHolderBuffer
        aclrtKernelArgsParaUpdate aclrtKernelArgsFinalize aclrtLaunchKernelWithConfig aclrtLaunchKernelWithHostArgs;
    Mark::Optional, Reference:
        aclrtCreateBinary aclrtDestroyBinary aclrtBinaryLoad aclrtBinaryGetFunctionByEntry aclrtBinaryGetGlobal
        aclrtGetFunctionName aclrtGetFunctionAttribute aclrtKernelArgsGetHandleMemSize aclrtKernelArgsGetMemSize
        aclrtKernelArgsInitByUserMem aclrtLaunchKernelV2 aclrtLaunchKernel aclrtLaunchKernelWithArgsArray
        aclrtGetHardwareSyncAddr aclrtGetDeviceResLimit aclrtSetDeviceResLimit aclrtGetStreamResLimit
        aclrtSetStreamResLimit;
});

const HAL: &[Symbol] = symbols!(Hal {
    Mark::Part(Capability::RemoteRanges), Driver:
        halMemAddressReserve halMemAddressFree halMemCreate halMemRelease halMemMap halMemUnmap
        halMemExportToShareableHandleV2 halMemImportFromShareableHandleV2 halMemTransShareableHandle
        halMemShareHandleSetAttribute;
    Mark::Optional, Driver:
        halMemSetAccess halMemGetAccess halMemExportToShareableHandle halMemImportFromShareableHandle
        halMemSetPidToShareableHandle halMemGetAllocationGranularity halMemRetainAllocationHandle
        halMemGetAllocationPropertiesFromHandle halMemGetAddressRange halMemAlloc halMemFree drvMemGetAttribute
        halHostRegister halHostUnregister halHostUnregisterEx halShmemCreateHandle halShmemOpenHandle
        halShmemCloseHandle halShmemDestroyHandle halShmemSetPidHandle drvGetDevNum halGetDeviceInfo
        halDeviceCanAccessPeer;
});

const HCCL: &[Symbol] = symbols!(Hccl {
    Mark::Core, Reference:
        HcclGetRootInfo HcclCommInitRootInfo HcclAllReduce HcclBroadcast HcclAllGather HcclBarrier HcclCommDestroy;
    Mark::Optional, Reference:
        HcclCommInitRootInfoConfig HcclCommInitAll HcclCommInitClusterInfo HcclCommInitClusterInfoConfig
        HcclCommInitClusterInfoMemConfig HcclCreateSubCommConfig HcclGetRankSize HcclGetRankId HcclGetCommName
        HcclReduceScatter HcclReduce HcclScatter HcclAlltoAll HcclAlltoAllV HcclSend HcclRecv HcclBatchSendRecv
        HcclGetCommAsyncError HcclGetErrorString;
});

const RUNTIME: &[Symbol] = symbols!(Runtime {
    Mark::Optional, Reference:
        rtDeviceGetBareTgid rtGetDeviceInfo rtGetLogicDevIdByUserDevId rtEnableP2P rtDisableP2P rtGetP2PStatus
        rtIpcSetMemoryName rtIpcDestroyMemoryName rtIpcOpenMemory rtIpcCloseMemory rtSetIpcMemorySuperPodPid
        rtMemcpyAsyncWithoutCheckKind rtStreamGetSqid rtStreamGetCqid rtGetDevResAddress;
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names of the fields of a generated table.
    fn bound(table: &str) -> BTreeSet<&str> {
        let fields = table.split("pub struct").nth(1).unwrap().split("\n}").next().unwrap();
        fields.lines().filter_map(|line| line.strip_prefix("    pub ")?.split(':').next()).collect()
    }

    #[test]
    fn every_bound_function_is_listed_once_and_nothing_else() {
        let tables = [
            (Library::Acl, include_str!("../raw/acl.rs")),
            (Library::Hal, include_str!("../raw/hal.rs")),
            (Library::Hccl, include_str!("../raw/hccl.rs")),
            (Library::Runtime, include_str!("../raw/rt.rs")),
        ];
        for (library, table) in tables {
            let listed: BTreeSet<&str> = library.symbols().iter().map(|symbol| symbol.name).collect();
            assert_eq!(listed.len(), library.symbols().len(), "{library} lists a name twice");
            assert_eq!(listed, bound(table), "{library}");
            assert!(library.symbols().iter().all(|symbol| symbol.library == library));
        }
    }
}
