// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Table of the functions of each library: how necessary each is, and which releases have it.
//!
//! The loader checks these names when it opens a library, and a test compares them with the tables of
//! [`crate::raw`], so that no bound function is missing here.

use std::fmt;

use super::Library;

/// One exported function.
#[derive(Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The library that exports it.
    pub library: Library,
    /// Its name.
    pub name: &'static str,
    /// Necessity of the function.
    pub mark: Mark,
    /// Releases known to have the function.
    pub since: Since,
}

/// Necessity of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Without it the library is not used.
    Core,
    /// Part of a capability, which is there when all its functions are.
    Part(Capability),
    /// Used when it is there.
    Optional,
}

/// Capability that older releases lack. [`Capability::without`] describes the fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Shareable handles of the second kind (V2), including handles that are valid across hosts.
    SharingV2,
    /// Setting and reading the rights to a mapping.
    MappingAccess,
    /// Address ranges of the driver that may hold remote memory: one address space over hosts.
    RemoteRanges,
    /// Translation between user, logical and physical numbers of devices.
    DeviceNumbers,
    /// Attributes of devices by number.
    DeviceAttributes,
    /// Freeing that waits for the device.
    SynchronizedFree,
    /// Many copies in one call.
    BatchedCopies,
    /// The physical memory behind a mapped address.
    RetainedHandles,
    /// Keys by which other processes open allocated memory.
    MemoryKeys,
    /// Registration of host memory by flags, among them pinned only.
    HostMapping,
    /// Waits of streams for events that end after a time.
    TimedEventWaits,
    /// Notifies between streams, devices and processes.
    Notifies,
    /// Streams that write and wait for words of device memory.
    StreamValues,
    /// Functions of the host as tasks, on a thread of CANN.
    HostFunctions,
    /// Kernel binaries loaded from memory in one call.
    BinariesFromMemory,
    /// Launches with arguments in one block of host memory.
    HostArguments,
}

/// The oldest release known to have a function. CANN 8.3 is not public, so that functions of 8.5 may be in
/// 8.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Since {
    /// CANN 8.1.
    Cann81,
    /// CANN 8.5; CANN 8.1 lacks it.
    Cann85,
    /// CANN 9.0.
    Cann90,
    /// CANN 9.1.
    Cann91,
    /// CANN 9.2.
    Cann92,
    /// The runtime of August 2026; no release of that time.
    Unreleased,
    /// The driver interface that the bindings were written from.
    Driver,
    /// The runtime interface that the bindings were written from.
    Runtime,
}

impl Since {
    /// The release, for people.
    pub const fn text(self) -> &'static str {
        match self {
            Since::Cann81 => "CANN 8.1 (ACL 1.13)",
            Since::Cann85 => "CANN 8.5 (ACL 1.16)",
            Since::Cann90 => "CANN 9.0 (ACL 1.17)",
            Since::Cann91 => "CANN 9.1 (ACL 1.17)",
            Since::Cann92 => "CANN 9.2 (ACL 1.17)",
            Since::Unreleased => "the runtime of August 2026",
            Since::Driver => "the driver of mid 2026",
            Since::Runtime => "the runtime of mid 2026",
        }
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Capability {
    /// Every capability.
    pub const ALL: [Capability; 16] = [
        Capability::SharingV2,
        Capability::MappingAccess,
        Capability::RemoteRanges,
        Capability::DeviceNumbers,
        Capability::DeviceAttributes,
        Capability::SynchronizedFree,
        Capability::BatchedCopies,
        Capability::RetainedHandles,
        Capability::MemoryKeys,
        Capability::HostMapping,
        Capability::TimedEventWaits,
        Capability::Notifies,
        Capability::StreamValues,
        Capability::HostFunctions,
        Capability::BinariesFromMemory,
        Capability::HostArguments,
    ];

    /// Its name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Capability::SharingV2 => "shareable handles V2",
            Capability::MappingAccess => "rights of mappings",
            Capability::RemoteRanges => "remote address ranges",
            Capability::DeviceNumbers => "device numbers",
            Capability::DeviceAttributes => "device attributes",
            Capability::SynchronizedFree => "synchronized free",
            Capability::BatchedCopies => "batched copies",
            Capability::RetainedHandles => "retained handles",
            Capability::MemoryKeys => "memory keys",
            Capability::HostMapping => "host memory by flags",
            Capability::TimedEventWaits => "timed event waits",
            Capability::Notifies => "notifies",
            Capability::StreamValues => "values on streams",
            Capability::HostFunctions => "host functions",
            Capability::BinariesFromMemory => "binaries from memory",
            Capability::HostArguments => "arguments in host memory",
        }
    }

    /// Describes the fallback without it: an alternative, or refusal of the calls that need it.
    pub const fn without(self) -> &'static str {
        match self {
            Capability::SharingV2 => "blocks are shared by handles of 8 bytes, on one host",
            Capability::MappingAccess => "imported memory has the rights that CANN gives it",
            Capability::RemoteRanges => "the driver makes no address ranges for remote memory",
            Capability::DeviceNumbers => {
                "numbers come from the runtime library, else from ASCEND_RT_VISIBLE_DEVICES, where logical and physical \
                 numbers are the same"
            }
            Capability::DeviceAttributes => {
                "numbers in a super node come from the runtime library, else are 0"
            }
            Capability::SynchronizedFree => "the device is waited for before memory is freed",
            Capability::BatchedCopies => "a stream copies piece by piece",
            Capability::RetainedHandles => "calls that need the memory behind an address are refused",
            Capability::MemoryKeys => "calls that need keys of memory are refused",
            Capability::HostMapping => "host memory is registered by aclrtHostRegister",
            Capability::TimedEventWaits => "streams wait for events without a timeout of their own",
            Capability::Notifies => "calls that need notifies are refused",
            Capability::StreamValues => "calls by which streams write and wait for words are refused",
            Capability::HostFunctions => {
                "functions of the host run by aclrtLaunchCallback, on a thread of ours"
            }
            Capability::BinariesFromMemory => "binaries are loaded by aclrtCreateBinary and aclrtBinaryLoad",
            Capability::HostArguments => {
                "kernels are launched with lists of arguments (aclrtKernelArgsAppend)"
            }
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    Mark::Core, Cann81:
        aclGetRecentErrMsg aclInit aclFinalize aclrtGetVersion aclrtGetSocName aclrtGetDeviceCount
        aclrtSetDevice aclrtResetDevice aclrtResetDeviceForce aclrtGetDevice aclrtGetRunMode
        aclrtSynchronizeDevice aclrtSynchronizeDeviceWithTimeout aclrtDeviceGetBareTgid aclrtCreateContext
        aclrtDestroyContext aclrtSetCurrentContext aclrtGetCurrentContext;
    Mark::Part(Capability::DeviceAttributes), Cann85: aclrtGetDeviceInfo;
    Mark::Part(Capability::DeviceNumbers), Cann85:
        aclrtGetLogicDevIdByUserDevId aclrtGetUserDevIdByLogicDevId aclrtGetLogicDevIdByPhyDevId
        aclrtGetPhyDevIdByLogicDevId;
    Mark::Optional, Cann81:
        aclrtGetLastError aclrtPeekAtLastError aclsysGetCANNVersion aclrtQueryDeviceStatus
        aclrtDeviceTaskAbort aclrtSetExceptionInfoCallback aclrtGetTaskIdFromExceptionInfo
        aclrtGetStreamIdFromExceptionInfo aclrtGetThreadIdFromExceptionInfo aclrtGetDeviceIdFromExceptionInfo
        aclrtGetErrorCodeFromExceptionInfo aclrtGetMemUceInfo;
    Mark::Optional, Cann85:
        aclFinalizeReference aclsysGetVersionStr aclsysGetVersionNum aclrtGetDeviceCapability
        aclrtDeviceGetUuid aclrtDeviceGetStreamPriorityRange aclrtGetDevicesTopo
        aclrtCtxGetCurrentDefaultStream aclrtGetPrimaryCtxState aclrtRegDeviceStateCallback
        aclrtGetErrorVerbose aclrtRepairError;

    // Memory and copies.
    Mark::Core, Cann81:
        aclrtMalloc aclrtFree aclrtMallocHost aclrtFreeHost aclrtMemset aclrtMemsetAsync aclrtMemcpy
        aclrtMemcpyAsync aclrtMemcpy2d aclrtMemcpy2dAsync aclrtGetMemInfo aclrtPointerGetAttributes;
    Mark::Part(Capability::SynchronizedFree), Cann85: aclrtFreeWithDevSync;
    Mark::Part(Capability::BatchedCopies), Cann85: aclrtMemcpyBatch;
    Mark::Optional, Cann81:
        aclrtMallocAlign32 aclrtMallocWithCfg aclrtMallocHostWithCfg aclrtMemcpyAsyncWithCondition
        aclrtMemFlush aclrtMemInvalidate aclrtCmoAsync;
    Mark::Optional, Cann85:
        aclrtFreeHostWithDevSync aclrtMemcpyBatchAsync aclrtReduceAsync aclrtGetMemUsageInfo;
    Mark::Optional, Cann90: aclrtMemGetAddressRange;
    Mark::Optional, Cann91: aclrtMemcpyBatchV2 aclrtMemcpyBatchAsyncV2;

    // Virtual memory and sharing.
    Mark::Core, Cann81:
        aclrtReserveMemAddress aclrtReleaseMemAddress aclrtMallocPhysical aclrtFreePhysical aclrtMapMem
        aclrtUnmapMem aclrtMemGetAllocationGranularity aclrtMemExportToShareableHandle
        aclrtMemImportFromShareableHandle aclrtMemSetPidToShareableHandle;
    Mark::Part(Capability::RetainedHandles), Cann85: aclrtMemRetainAllocationHandle;
    Mark::Part(Capability::MappingAccess), Cann85: aclrtMemSetAccess aclrtMemGetAccess;
    Mark::Part(Capability::SharingV2), Cann85:
        aclrtMemExportToShareableHandleV2 aclrtMemImportFromShareableHandleV2
        aclrtMemSetPidToShareableHandleV2;
    Mark::Optional, Cann85: aclrtMemGetAllocationPropertiesFromHandle;
    Mark::Optional, Cann90: aclrtReserveMemAddressNoUCMemory aclrtMemP2PMap;

    // Keys, peers, host memory.
    Mark::Part(Capability::MemoryKeys), Cann85:
        aclrtIpcMemGetExportKey aclrtIpcMemSetImportPid aclrtIpcMemImportByKey aclrtIpcMemClose;
    Mark::Core, Cann81:
        aclrtDeviceCanAccessPeer aclrtDeviceEnablePeerAccess aclrtDeviceDisablePeerAccess aclrtHostRegister
        aclrtHostUnregister;
    Mark::Part(Capability::HostMapping), Cann85: aclrtHostRegisterV2 aclrtHostGetDevicePointer;
    Mark::Optional, Cann85:
        aclrtIpcMemSetAttr aclrtIpcMemImportPidInterServer aclrtDevicePeerAccessStatus;
    Mark::Optional, Cann90: aclrtHostMemMapCapabilities;

    // Streams, events, notifies, values, host functions.
    Mark::Core, Cann81:
        aclrtCreateStream aclrtCreateStreamWithConfig aclrtDestroyStream aclrtDestroyStreamForce
        aclrtSynchronizeStream aclrtSynchronizeStreamWithTimeout aclrtStreamQuery aclrtStreamGetId
        aclrtCreateEvent aclrtCreateEventWithFlag aclrtCreateEventExWithFlag aclrtDestroyEvent
        aclrtRecordEvent aclrtResetEvent aclrtStreamWaitEvent aclrtSynchronizeEvent
        aclrtSynchronizeEventWithTimeout aclrtQueryEventStatus aclrtSubscribeReport aclrtUnSubscribeReport
        aclrtProcessReport aclrtLaunchCallback;
    Mark::Part(Capability::TimedEventWaits), Cann85: aclrtStreamWaitEventWithTimeout;
    Mark::Part(Capability::Notifies), Cann85:
        aclrtCreateNotify aclrtDestroyNotify aclrtGetNotifyId aclrtRecordNotify aclrtWaitAndResetNotify
        aclrtNotifyGetExportKey aclrtNotifyImportByKey aclrtNotifySetImportPid aclrtNotifyBatchReset;
    Mark::Part(Capability::StreamValues), Cann85: aclrtValueWrite aclrtValueWait;
    Mark::Part(Capability::HostFunctions), Cann85: aclrtLaunchHostFunc;
    Mark::Optional, Cann81:
        aclrtCreateStreamConfigHandle aclrtSetStreamConfigOpt aclrtCreateStreamV2
        aclrtDestroyStreamConfigHandle aclrtSetStreamFailureMode aclrtStreamAbort aclrtQueryEvent
        aclrtQueryEventWaitStatus aclrtEventElapsedTime aclrtEventGetTimestamp aclrtSetOpExecuteTimeOut
        aclrtSetOpExecuteTimeOutWithMs aclrtSetOpWaitTimeout;
    Mark::Optional, Cann85:
        aclrtStreamGetPriority aclrtStreamGetFlags aclrtGetStreamAvailableNum aclrtSetStreamAttribute
        aclrtGetStreamAttribute aclrtStreamStop aclrtGetEventId aclrtGetEventAvailNum aclrtIpcGetEventHandle
        aclrtIpcOpenEventHandle aclrtCntNotifyCreate aclrtCntNotifyDestroy aclrtCntNotifyRecord
        aclrtCntNotifyWaitWithTimeout aclrtCntNotifyReset aclrtCntNotifyGetId aclrtSetOpExecuteTimeOutV2
        aclrtGetOpExecuteTimeout;

    // Kernels.
    Mark::Core, Cann81:
        aclrtBinaryLoadFromFile aclrtBinaryUnLoad aclrtBinaryGetFunction aclrtKernelArgsInit
        aclrtKernelArgsAppend aclrtKernelArgsAppendPlaceHolder aclrtKernelArgsGetPlaceHolderBuffer
        aclrtKernelArgsParaUpdate aclrtKernelArgsFinalize aclrtLaunchKernelWithConfig;
    Mark::Part(Capability::BinariesFromMemory), Cann85: aclrtBinaryLoadFromData;
    Mark::Part(Capability::HostArguments), Cann85: aclrtLaunchKernelWithHostArgs;
    Mark::Optional, Cann81:
        aclrtCreateBinary aclrtDestroyBinary aclrtBinaryLoad aclrtBinaryGetFunctionByEntry
        aclrtKernelArgsGetHandleMemSize aclrtKernelArgsGetMemSize aclrtKernelArgsInitByUserMem
        aclrtLaunchKernel;
    Mark::Optional, Cann85:
        aclrtGetFunctionName aclrtGetFunctionAttribute aclrtLaunchKernelV2 aclrtGetHardwareSyncAddr
        aclrtGetDeviceResLimit aclrtSetDeviceResLimit aclrtGetStreamResLimit aclrtSetStreamResLimit;
    Mark::Optional, Cann91: aclrtBinaryGetGlobal aclrtLaunchKernelWithArgsArray;
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
    Mark::Core, Cann81:
        HcclGetRootInfo HcclCommInitRootInfo HcclAllReduce HcclBroadcast HcclAllGather HcclBarrier
        HcclCommDestroy;
    Mark::Optional, Cann81:
        HcclCommInitRootInfoConfig HcclCommInitAll HcclCommInitClusterInfo HcclCommInitClusterInfoConfig
        HcclCreateSubCommConfig HcclGetRankSize HcclGetRankId HcclGetCommName HcclReduceScatter HcclReduce
        HcclScatter HcclAlltoAll HcclAlltoAllV HcclSend HcclRecv HcclBatchSendRecv HcclGetCommAsyncError
        HcclGetErrorString;
    Mark::Optional, Cann85: HcclCommInitClusterInfoMemConfig;
});

const RUNTIME: &[Symbol] = symbols!(Runtime {
    Mark::Optional, Runtime:
        rtDeviceGetBareTgid rtGetDeviceInfo rtGetLogicDevIdByUserDevId rtEnableP2P rtDisableP2P rtGetP2PStatus
        rtIpcSetMemoryName rtIpcDestroyMemoryName rtIpcOpenMemory rtIpcCloseMemory rtSetIpcMemorySuperPodPid
        rtMemcpyAsyncWithoutCheckKind rtStreamGetSqid rtStreamGetCqid rtGetDevResAddress rtGetC2cCtrlAddr
        rtDevBinaryRegister rtFunctionRegister rtKernelLaunch;
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
