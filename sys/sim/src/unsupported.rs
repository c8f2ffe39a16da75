// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that are there and are not simulated: models, operators, profiling, queues and more.
//!
//! Each returns its family's code for an unsupported function, and reports its name, once on the standard
//! error and always to `aclGetRecentErrMsg`. Functions without an error code return nothing, null or 0. A
//! lookup by name finds them, as in CANN, so that a program must call one to learn that it is unsupported.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::io::Write;
use std::sync::Mutex;

use mf_base::sync::lock;

use crate::boundary;
use crate::codes::{acl, hal};
use crate::fault::Fault;
use crate::hccl::code;

/// Defines functions that return a value of the type, a refusal with the number before. None reads its
/// arguments, so that it may be called with any.
macro_rules! refused {
    ($($number:expr => $value:expr, $result:ty: $($name:ident)*;)*) => {
        $($(
            /// Not simulated.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, reason = "the names are CANN's")]
            pub extern "C" fn $name() -> $result {
                refuse(stringify!($name), $number);
                $value
            }
        )*)*

        /// Their names.
        pub const NAMES: &[&str] = &[$($(stringify!($name),)*)*];
    };
}

refused! {
    // Nothing is returned.
    acl::API_NOT_SUPPORT => (), ():
        aclAppLog aclDestroyTensorDesc aclSetTensorDescName aclopDestroyAttr aclopDestroyHandle
        aclprofDestroyStepInfo aclprofDestroyStamp acldumpUnregCallback;
    // Models, operators, profiling, dumps, channels, queues and facts of the package.
    acl::API_NOT_SUPPORT => acl::API_NOT_SUPPORT, i32:
        aclGetCannAttributeList aclGetCannAttribute aclGetDeviceCapability aclSetTensorShapeRange
        aclSetTensorValueRange aclGetTensorDescDimV2 aclGetTensorDescDimRange aclTransTensorDescFormat
        aclSetTensorStorageFormat aclSetTensorStorageShape aclSetTensorFormat aclSetTensorShape
        aclSetTensorOriginFormat aclSetTensorOriginShape aclSetTensorDynamicInput aclSetTensorConst
        aclSetTensorPlaceMent aclplatformGetDeviceInfo aclplatformGetInstructionInfo aclmdlDestroyDesc
        aclmdlGetDesc aclmdlGetDescFromFile aclmdlGetDescFromMem aclmdlDestroyExecConfigHandle
        aclmdlSetDatasetTensorDesc aclmdlLoadFromFile aclmdlBundleLoadFromFile aclmdlBundleLoadFromMem
        aclmdlBundleUnload aclmdlBundleGetModelNum aclmdlBundleGetModelId aclmdlBundleDestroyQueryInfo
        aclmdlBundleQueryInfoFromFile aclmdlBundleQueryInfoFromMem aclmdlBundleGetQueryModelNum
        aclmdlBundleGetVarWeightSize aclmdlBundleGetSize aclmdlBundleInitFromFile
        aclmdlBundleInitFromMem aclmdlBundleLoadModel aclmdlBundleLoadModelWithMem
        aclmdlBundleLoadModelWithConfig aclmdlBundleUnloadModel aclmdlLoadFromMem
        aclmdlLoadFromFileWithMem aclmdlLoadFromMemWithMem aclmdlLoadFromFileWithQ
        aclmdlLoadFromMemWithQ aclmdlExecute aclmdlExecuteV2 aclmdlExecuteAsyncV2 aclmdlExecuteAsync
        aclmdlUnload aclmdlQuerySize aclmdlQueryExeOMDesc aclmdlQuerySizeFromMem
        aclmdlSetDynamicBatchSize aclmdlSetDynamicHWSize aclmdlSetInputDynamicDims aclmdlGetInputDims
        aclmdlGetInputDimsV2 aclmdlGetInputDimsRange aclmdlGetOutputDims aclmdlGetCurOutputDims
        aclmdlGetInputIndexByName aclmdlGetOutputIndexByName aclmdlGetDynamicBatch aclmdlGetDynamicHW
        aclmdlGetInputDynamicGearCount aclmdlGetInputDynamicDims aclmdlDestroyAIPP aclmdlGetAippDataSize
        aclmdlSetAIPPInputFormat aclmdlSetAIPPCscParams aclmdlSetAIPPRbuvSwapSwitch
        aclmdlSetAIPPAxSwapSwitch aclmdlSetAIPPSrcImageSize aclmdlSetAIPPScfParams
        aclmdlSetAIPPCropParams aclmdlSetAIPPPaddingParams aclmdlSetAIPPDtcPixelMean
        aclmdlSetAIPPDtcPixelMin aclmdlSetAIPPPixelVarReci aclmdlSetInputAIPP aclmdlSetAIPPByInputIndex
        aclmdlGetAippType aclmdlGetFirstAippInfo aclmdlCreateAndGetOpDesc aclmdlLoadWithConfig
        aclmdlDestroyConfigHandle aclmdlSetConfigOpt aclmdlSetExecConfigOpt
        aclmdlSetExternalWeightAddress aclRecoverAllHcclTasks aclopSetModelDir aclopLoad
        aclopSetAttrBool aclopSetAttrInt aclopSetAttrFloat aclopSetAttrString aclopSetAttrDataType
        aclopSetAttrListDataType aclopSetAttrListBool aclopSetAttrListInt aclopSetAttrListFloat
        aclopSetAttrListString aclopSetAttrListListInt aclopExecute aclopExecuteV2 aclopCreateHandle
        aclopExecWithHandle aclopCast aclopCreateHandleForCast aclopCreateKernel
        aclopRegisterCompileFunc aclopUnregisterCompileFunc aclopSetKernelArgs
        aclopSetKernelWorkspaceSizes aclopUpdateParams aclopSetMaxOpQueueNum aclopInferShape
        aclopCompile aclopCompileAndExecute aclopCompileAndExecuteV2 aclSetCompileopt aclGetCompileopt
        aclopSetCompileFlag aclGenGraphAndDumpForOp aclDestroyGraphDumpOpt aclprofInit aclprofFinalize
        aclprofStart aclprofDestroyConfig aclprofStop aclprofSetConfig aclprofModelSubscribe
        aclprofModelUnSubscribe aclprofDestroySubscribeConfig aclprofGetOpDescSize aclprofGetOpNum
        aclprofGetOpTypeLen aclprofGetOpType aclprofGetOpNameLen aclprofGetOpName
        aclprofGetStepTimestamp aclprofPush aclprofPop aclprofRangeStart aclprofRangeStop
        aclprofSetStampTraceMessage aclprofMark aclprofMarkEx aclprofRangePushEx aclprofRangePop
        aclprofGetSupportedFeatures aclprofGetSupportedFeaturesV2 aclprofRegisterDeviceCallback
        aclprofWarmup MsprofRegisterCallback MsprofReportApi MsprofReportCompactInfo
        MsprofReportAdditionalInfo
        acldumpRegCallback aclopStartDumpArgs aclopStopDumpArgs acldumpSaveExceptionInfo
        acldumpGetExceptionInfoPath acltdtGetSliceInfoFromItem acltdtGetDimsFromItem
        acltdtDestroyDataItem acltdtDestroyDataset acltdtAddDataItem acltdtStopChannel
        acltdtDestroyChannel acltdtCleanChannel acltdtSendTensor acltdtReceiveTensor
        acltdtQueryChannelSize acltdtCreateQueue acltdtDestroyQueue acltdtEnqueue acltdtDequeue
        acltdtEnqueueData acltdtDequeueData acltdtGrantQueue acltdtAttachQueue acltdtBindQueueRoutes
        acltdtUnbindQueueRoutes acltdtQueryQueueRoutes acltdtAllocBuf acltdtFreeBuf acltdtGetBufData
        acltdtSetBufDataLen acltdtGetBufDataLen acltdtAppendBufChain acltdtGetBufChainNum
        acltdtGetBufFromChain acltdtGetBufUserData acltdtSetBufUserData acltdtCopyBufRef
        acltdtDestroyQueueAttr acltdtSetQueueAttr acltdtGetQueueAttr acltdtDestroyQueueRoute
        acltdtGetQueueRouteParam acltdtDestroyQueueRouteList acltdtAddQueueRoute acltdtGetQueueRoute
        acltdtDestroyQueueRouteQueryInfo acltdtSetQueueRouteQueryInfo aclskOptimize aclskScopeBegin
        aclskScopeEnd;
    // No object, no text.
    acl::API_NOT_SUPPORT => std::ptr::null(), *const c_void:
        aclCreateTensorDesc aclGetTensorDescName aclGetTensorDescByIndex aclGetTensorDescAddress
        aclrtCreateGroupInfo aclrtAllocatorCreateDesc aclmdlCreateDesc aclmdlCreateExecConfigHandle
        aclmdlGetDatasetTensorDesc aclmdlBundleCreateQueryInfo aclmdlGetOpAttr aclmdlGetInputNameByIndex
        aclmdlGetOutputNameByIndex aclmdlCreateAIPP aclmdlCreateConfigHandle aclmdlGetTensorRealName
        aclopCreateAttr aclCreateGraphDumpOpt aclprofCreateConfig aclprofCreateSubscribeConfig
        aclprofGetOpAttriValue aclprofCreateStepInfo aclprofCreateStamp acldumpGetPath
        acltdtGetDataAddrFromItem acltdtCreateDataItem acltdtCreateDataset acltdtGetDataItem
        acltdtGetDatasetName acltdtCreateChannel acltdtCreateChannelWithCapacity acltdtCreateQueueAttr
        acltdtCreateQueueRoute acltdtCreateQueueRouteList acltdtCreateQueueRouteQueryInfo;
    // No type, no format.
    acl::API_NOT_SUPPORT => -1, i32:
        aclGetTensorDescType aclGetTensorDescFormat aclmdlGetInputFormat aclmdlGetOutputFormat
        aclmdlGetInputDataType aclmdlGetOutputDataType acltdtGetTensorTypeFromItem
        acltdtGetDataTypeFromItem;
    // Numbers and lengths.
    acl::API_NOT_SUPPORT => 0, u64:
        aclGetTensorDescSize aclGetTensorDescElementCount aclGetTensorDescNumDims aclmdlGetNumInputs
        aclmdlGetNumOutputs aclmdlGetInputSizeByIndex aclmdlGetOutputSizeByIndex aclGetCompileoptSize
        aclprofGetOpStart aclprofGetOpEnd aclprofGetOpDuration aclprofGetModelId aclprofStr2Id
        acltdtGetDataSizeFromItem acltdtGetDimNumFromItem acltdtGetDatasetSize acltdtGetQueueRouteNum
        HcclGetCommConfigCapability MsprofGetHashId MsprofSysCycleTime;
    // No dimension.
    acl::API_NOT_SUPPORT => -1, i64:
        aclGetTensorDescDim;
    // The runtime: labels, managed memory, symbols, snapshots, built graphs and what else it has.
    acl::FEATURE_NOT_SUPPORT => acl::FEATURE_NOT_SUPPORT, i32:
        aclrtGetArgsFromExceptionInfo aclrtGetFuncHandleFromExceptionInfo
        aclrtBinarySetExceptionCallback aclrtCtxGetSysParamOpt aclrtCtxSetSysParamOpt
        aclrtGetSysParamOpt aclrtSetSysParamOpt aclrtSetTsDevice aclrtGetDeviceUtilizationRate
        aclrtMallocCached aclrtMallocForTaskScheduler aclrtMemManagedGetAttr aclrtMemManagedGetAttrs
        aclrtGetThreadLastTaskId aclrtMemAllocManaged aclrtMemsetD32 aclrtMemsetD32Async
        aclrtGetSymbolAddress aclrtGetSymbolSize aclrtMemcpyFromSymbol aclrtMemcpyFromSymbolAsync
        aclrtMemcpyToSymbol aclrtMemcpyToSymbolAsync aclrtMemManagedAdvise aclrtSetGroup
        aclrtGetGroupCount aclrtDestroyGroupInfo aclrtGetAllGroupInfo aclrtGetGroupInfoDetail
        aclrtGetOpTimeOutInterval aclrtSetStreamOverflowSwitch aclrtGetStreamOverflowSwitch
        aclrtSetDeviceSatMode aclrtGetDeviceSatMode aclrtGetOverflowStatus aclrtResetOverflowStatus
        aclrtSubscribeHostFunc aclrtProcessHostFunc aclrtUnSubscribeHostFunc aclrtMemUceRepair
        aclrtBinaryGetDevAddress aclrtGetFuncBySymbol aclrtGetFunctionAddr aclrtGetFunctionSize
        aclrtGetMemcpyDescSize aclrtSetMemcpyDesc aclrtMemcpyAsyncWithOffset aclrtMemcpyAsyncWithDesc
        aclmdlRITaskGetParams aclmdlRITaskSetParams aclmdlRIKernelTaskGetAttribute aclmdlRIUpdate
        aclmdlRITaskDisable aclrtDeviceGetHostAtomicCapabilities aclrtDeviceGetP2PAtomicCapabilities
        aclrtResetDeviceResLimit aclrtResetStreamResLimit aclrtUseStreamResInCurrentThread
        aclrtUnuseStreamResInCurrentThread aclrtGetResInCurrentThread aclrtCreateLabel aclrtSetLabel
        aclrtDestroyLabel aclrtCreateLabelList aclrtDestroyLabelList aclrtSwitchLabelByIndex
        aclrtActiveStream aclrtSwitchStream aclrtGetBufFromChain aclrtGetBufChainNum aclrtAppendBufChain
        aclrtCopyBufRef aclrtGetBufUserData aclrtSetBufUserData aclrtGetBufData aclrtGetBufDataLen
        aclrtSetBufDataLen aclrtFreeBuf aclrtAllocBuf aclrtRegisterCpuFunc aclrtCmoAsyncWithBarrier
        aclrtCmoWaitBarrier aclrtNotifySetImportPidInterServer aclmdlRIDebugPrint aclmdlRIDebugJsonPrint
        aclmdlRICaptureTaskGrpBegin aclmdlRICaptureTaskGrpEnd aclmdlRICaptureTaskUpdateBegin
        aclmdlRICaptureTaskUpdateEnd aclmdlRIBuildBegin aclmdlRIBindStream aclmdlRIEndTask
        aclmdlRIBuildEnd aclmdlRIUnbindStream aclmdlRISetName aclmdlRIGetName aclmdlRIGetId
        aclmdlRIDestroyRegisterCallback aclmdlRIDestroyUnregisterCallback aclmdlInitDump aclmdlSetDump
        aclmdlFinalizeDump aclmdlRIGetStreams aclmdlRIGetTasksByStream aclmdlRITaskGetType
        aclmdlRITaskGetSeqId aclInitCallbackRegister aclInitCallbackUnRegister
        aclFinalizeCallbackRegister aclFinalizeCallbackUnRegister aclrtCheckMemType aclrtProfTrace
        aclrtCtxGetFloatOverflowAddr aclrtGetFloatOverflowStatus aclrtResetFloatOverflowStatus
        aclrtNpuGetFloatOverFlowStatus aclrtNpuClearFloatOverFlowStatus aclrtRandomNumAsync
        aclrtRegStreamStateCallback aclrtSetDeviceTaskAbortCallback aclrtTaskUpdateAsync
        aclrtCmoGetDescSize aclrtCmoSetDesc aclrtCmoAsyncWithDesc aclrtCheckArchCompatibility
        aclmdlRIAbort aclmdlRICondHandleCreate aclmdlRICondHandleGetCondPtr aclmdlRIAddCondTask
        aclmdlRICaptureToModelRIBegin aclrtPersistentTaskClean aclrtSnapShotProcessLock
        aclrtSnapShotProcessUnlock aclrtSnapShotProcessBackup aclrtSnapShotProcessRestore
        aclrtSnapShotCallbackRegister aclrtSnapShotCallbackUnregister aclrtCacheLastTaskOpInfo
        aclrtCacheLastTaskExtendInfo aclrtFunctionGetBinary aclrtFunctionGetParamCount
        aclrtFunctionGetParamInfo aclrtFunctionGetAvailDynUbufPerBlock aclrtMemManagedPrefetchAsync
        aclrtMemManagedPrefetchBatchAsync aclrtMemMapSelectedLink aclrtExceptionInfoCallbackRegister
        aclrtExceptionInfoCallbackUnregister aclrtRecordEventWithFlag aclrtMemMapNoAccess
        aclrtStreamWaitEventWithFlag aclrtDeviceSetLimit aclrtDeviceGetLimit aclrtDeviceGetPCIBusId
        aclrtDeviceGetByPCIBusId aclrtGetUserDevIdByPhyDevId aclrtGetPhyDevIdByUserDevId
        aclrtLaunchSIMTKernelWithArgsArray aclrtLaunchSIMTKernelWithHostArgs aclrtDeviceL2CacheFlush
        aclrtMemMapSetLink aclrtAllocatorDestroyDesc aclrtAllocatorSetObjToDesc
        aclrtAllocatorSetAllocFuncToDesc aclrtAllocatorSetFreeFuncToDesc
        aclrtAllocatorSetAllocAdviseFuncToDesc aclrtAllocatorSetGetAddrFromBlockFuncToDesc
        aclrtAllocatorRegister aclrtAllocatorGetByStream aclrtAllocatorUnregister
        rtDevBinaryRegister rtFunctionRegister rtKernelLaunch;
    // The driver.
    hal::NOT_SUPPORT => hal::NOT_SUPPORT, i32:
        halGetAPIVersion;
    // No flag.
    acl::API_NOT_SUPPORT => 255, u32:
        aclprofGetOpFlag;
    // HCCL.
    code::NOT_SUPPORT => code::NOT_SUPPORT, i32:
        HcclGetRootInfoScalable HcclCommInitRootInfoScalable HcclSetConfig HcclGetConfig
        HcclCommSuspend HcclCommResume
        HcclCommSetMemoryRange HcclCommUnsetMemoryRange HcclCommActivateCommMemory
        HcclCommDeactivateCommMemory HcclCommWorkingDevNicSet HcclSetCommConfig HcclGetCommConfig HcclCommRegister HcclCommDeregister HcclCommExchangeMem
        HcclCommSymWinRegister HcclCommSymWinDeregister HcclCommSymWinGet
        HcommEndpointGetDescNum HcommEndpointGetDescs HcommEndpointCheckFeature
        HcommChannelUpdateMemInfo HcommMemGetAllMemHandles;
}

#[cold]
fn refuse(name: &'static str, number: i32) {
    boundary::call(name, || [], || Err(Fault::new(number, "the simulator does not have this function")));
    static NOTED: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    if lock(&NOTED).insert(name) {
        // Without a standard error the message is lost.
        let _ =
            writeln!(std::io::stderr(), "ascend-sim: {name} is not simulated; it answers \"not supported\"");
    }
}
