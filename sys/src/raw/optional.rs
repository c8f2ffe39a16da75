// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

use super::types::*;
use crate::AclError;
use crate::loader::Since;
use crate::optional::{Function, Home, Optional};

/// Every optional function, in the order of `sys/abi/functions.txt`.
pub const FUNCTIONS: [Function; 524] = [
    Function { name: "aclFloat16ToFloat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclFloatToFloat16", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclCreateDataBuffer", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclDestroyDataBuffer", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclUpdateDataBuffer", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetDataBufferAddr", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetDataBufferSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetDataBufferSizeV2", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclDataTypeSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclAppLog", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetCannAttributeList", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetCannAttribute", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetDeviceCapability", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclCreateTensorDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclDestroyTensorDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorShapeRange", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorValueRange", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescType", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescElementCount", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescNumDims", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescDim", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescDimV2", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescDimRange", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorDescName", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescName", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclTransTensorDescFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorStorageFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorStorageShape", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorShape", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorOriginFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorOriginShape", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescByIndex", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclGetTensorDescAddress", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorDynamicInput", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorConst", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclSetTensorPlaceMent", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetArgsFromExceptionInfo", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtGetFuncHandleFromExceptionInfo", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtBinarySetExceptionCallback", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtCtxGetSysParamOpt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtCtxSetSysParamOpt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetSysParamOpt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtSetSysParamOpt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtSetTsDevice", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetDeviceUtilizationRate", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMallocCached", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMallocForTaskScheduler", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMemManagedGetAttr", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemManagedGetAttrs", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtGetThreadLastTaskId", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMemAllocManaged", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtMemsetD32", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemsetD32Async", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtGetSymbolAddress", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtGetSymbolSize", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemcpyFromSymbol", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemcpyFromSymbolAsync", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemcpyToSymbol", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemcpyToSymbolAsync", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemManagedAdvise", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtSetGroup", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetGroupCount", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtCreateGroupInfo", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtDestroyGroupInfo", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetAllGroupInfo", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetGroupInfoDetail", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetOpTimeOutInterval", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSetStreamOverflowSwitch", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetStreamOverflowSwitch", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtSetDeviceSatMode", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetDeviceSatMode", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetOverflowStatus", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtResetOverflowStatus", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtSubscribeHostFunc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtProcessHostFunc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtUnSubscribeHostFunc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMemUceRepair", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtBinaryGetDevAddress", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetFuncBySymbol", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtGetFunctionAddr", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtGetFunctionSize", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtGetMemcpyDescSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtSetMemcpyDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMemcpyAsyncWithOffset", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtMemcpyAsyncWithDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRITaskGetParams", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRITaskSetParams", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRIKernelTaskGetAttribute", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRIUpdate", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRITaskDisable", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtDeviceGetHostAtomicCapabilities", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtDeviceGetP2PAtomicCapabilities", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtResetDeviceResLimit", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtResetStreamResLimit", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtUseStreamResInCurrentThread", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtUnuseStreamResInCurrentThread", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetResInCurrentThread", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCreateLabel", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSetLabel", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtDestroyLabel", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCreateLabelList", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtDestroyLabelList", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSwitchLabelByIndex", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtActiveStream", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSwitchStream", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetBufFromChain", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetBufChainNum", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtAppendBufChain", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCopyBufRef", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetBufUserData", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSetBufUserData", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetBufData", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetBufDataLen", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSetBufDataLen", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtFreeBuf", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtAllocBuf", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtRegisterCpuFunc", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCmoAsyncWithBarrier", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCmoWaitBarrier", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtNotifySetImportPidInterServer", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRICaptureBegin", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRICaptureGetInfo", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRICaptureEnd", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRIDebugPrint", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRIDebugJsonPrint", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRICaptureThreadExchangeMode", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRIExecuteAsync", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRIExecute", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIDestroy", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRICaptureTaskGrpBegin", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRICaptureTaskGrpEnd", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRICaptureTaskUpdateBegin", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRICaptureTaskUpdateEnd", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRIBuildBegin", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIBindStream", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIEndTask", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIBuildEnd", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIUnbindStream", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRISetName", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIGetName", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIGetId", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRIDestroyRegisterCallback", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclmdlRIDestroyUnregisterCallback", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclmdlInitDump", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetDump", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlFinalizeDump", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlRIGetStreams", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRIGetTasksByStream", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRITaskGetType", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRITaskGetSeqId", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclInitCallbackRegister", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclInitCallbackUnRegister", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclFinalizeCallbackRegister", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclFinalizeCallbackUnRegister", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCheckMemType", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtProfTrace", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCtxGetFloatOverflowAddr", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtGetFloatOverflowStatus", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtResetFloatOverflowStatus", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtNpuGetFloatOverFlowStatus", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtNpuClearFloatOverFlowStatus", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtRandomNumAsync", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtRegStreamStateCallback", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSetDeviceTaskAbortCallback", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtTaskUpdateAsync", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCmoGetDescSize", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCmoSetDesc", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCmoAsyncWithDesc", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCheckArchCompatibility", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRIAbort", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlRICondHandleCreate", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRICondHandleGetCondPtr", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRIAddCondTask", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlRICaptureToModelRIBegin", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtPersistentTaskClean", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSnapShotProcessLock", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSnapShotProcessUnlock", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSnapShotProcessBackup", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSnapShotProcessRestore", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtSnapShotCallbackRegister", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtSnapShotCallbackUnregister", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtCacheLastTaskOpInfo", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtCacheLastTaskExtendInfo", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtFunctionGetBinary", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtFunctionGetParamCount", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtFunctionGetParamInfo", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtFunctionGetAvailDynUbufPerBlock", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemManagedPrefetchAsync", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemManagedPrefetchBatchAsync", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemMapSelectedLink", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtExceptionInfoCallbackRegister", since: Since::Unreleased, home: Home::Acl },
    Function { name: "aclrtExceptionInfoCallbackUnregister", since: Since::Unreleased, home: Home::Acl },
    Function { name: "aclrtRecordEventWithFlag", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtMemMapNoAccess", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtStreamWaitEventWithFlag", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtDeviceSetLimit", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtDeviceGetLimit", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtDeviceGetPCIBusId", since: Since::Unreleased, home: Home::Acl },
    Function { name: "aclrtDeviceGetByPCIBusId", since: Since::Unreleased, home: Home::Acl },
    Function { name: "aclrtGetUserDevIdByPhyDevId", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtGetPhyDevIdByUserDevId", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtLaunchSIMTKernelWithArgsArray", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtLaunchSIMTKernelWithHostArgs", since: Since::Cann92, home: Home::Acl },
    Function { name: "aclrtDeviceL2CacheFlush", since: Since::Unreleased, home: Home::Acl },
    Function { name: "aclrtMemMapSetLink", since: Since::Unreleased, home: Home::Acl },
    Function { name: "aclrtAllocatorCreateDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorDestroyDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorSetObjToDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorSetAllocFuncToDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorSetFreeFuncToDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorSetAllocAdviseFuncToDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorSetGetAddrFromBlockFuncToDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorRegister", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtAllocatorGetByStream", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclrtAllocatorUnregister", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclrtMemPoolCreate", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtMemPoolDestroy", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtMemPoolSetAttr", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtMemPoolGetAttr", since: Since::Cann90, home: Home::Acl },
    Function { name: "aclrtMemPoolMallocAsync", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemPoolFreeAsync", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclrtMemPoolTrimTo", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclplatformGetDeviceInfo", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclplatformGetInstructionInfo", since: Since::Cann91, home: Home::Acl },
    Function { name: "aclmdlCreateDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlDestroyDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDescFromFile", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDescFromMem", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetNumInputs", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetNumOutputs", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputSizeByIndex", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOutputSizeByIndex", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlCreateExecConfigHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlDestroyExecConfigHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlCreateDataset", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlDestroyDataset", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlAddDatasetBuffer", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetDatasetTensorDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDatasetTensorDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDatasetNumBuffers", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDatasetBuffer", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlLoadFromFile", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlBundleLoadFromFile", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlBundleLoadFromMem", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlBundleUnload", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlBundleGetModelNum", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlBundleGetModelId", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlBundleCreateQueryInfo", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleDestroyQueryInfo", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleQueryInfoFromFile", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleQueryInfoFromMem", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleGetQueryModelNum", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleGetVarWeightSize", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleGetSize", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleInitFromFile", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleInitFromMem", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleLoadModel", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleLoadModelWithMem", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleLoadModelWithConfig", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlBundleUnloadModel", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlLoadFromMem", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlLoadFromFileWithMem", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlLoadFromMemWithMem", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlLoadFromFileWithQ", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlLoadFromMemWithQ", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlExecute", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlExecuteV2", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlExecuteAsyncV2", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlExecuteAsync", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlUnload", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlQuerySize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlQueryExeOMDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlQuerySizeFromMem", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetDynamicBatchSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetDynamicHWSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetInputDynamicDims", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputDims", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputDimsV2", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputDimsRange", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOutputDims", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetCurOutputDims", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOpAttr", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputNameByIndex", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOutputNameByIndex", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOutputFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputDataType", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOutputDataType", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputIndexByName", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetOutputIndexByName", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDynamicBatch", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetDynamicHW", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputDynamicGearCount", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetInputDynamicDims", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlCreateAIPP", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlDestroyAIPP", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetAippDataSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPInputFormat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPCscParams", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPRbuvSwapSwitch", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPAxSwapSwitch", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPSrcImageSize", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPScfParams", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPCropParams", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPPaddingParams", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPDtcPixelMean", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPDtcPixelMin", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPPixelVarReci", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetInputAIPP", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetAIPPByInputIndex", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetAippType", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlGetFirstAippInfo", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlCreateAndGetOpDesc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlLoadWithConfig", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlCreateConfigHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlDestroyConfigHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetConfigOpt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetExecConfigOpt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclmdlSetExternalWeightAddress", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclmdlGetTensorRealName", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclRecoverAllHcclTasks", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclopSetModelDir", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopLoad", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopCreateAttr", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopDestroyAttr", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrBool", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrInt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrFloat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrString", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrDataType", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrListDataType", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrListBool", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrListInt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrListFloat", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrListString", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetAttrListListInt", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopExecute", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopExecuteV2", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopCreateHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopDestroyHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopExecWithHandle", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopCast", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopCreateHandleForCast", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopCreateKernel", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopRegisterCompileFunc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopUnregisterCompileFunc", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetKernelArgs", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetKernelWorkspaceSizes", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopUpdateParams", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopSetMaxOpQueueNum", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopInferShape", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopCompile", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclopCompileAndExecute", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclopCompileAndExecuteV2", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclSetCompileopt", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclGetCompileoptSize", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclGetCompileopt", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclopSetCompileFlag", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclGenGraphAndDumpForOp", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclCreateGraphDumpOpt", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclDestroyGraphDumpOpt", since: Since::Cann81, home: Home::OpCompiler },
    Function { name: "aclprofInit", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofFinalize", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofStart", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofCreateConfig", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofDestroyConfig", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofStop", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofSetConfig", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofModelSubscribe", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofModelUnSubscribe", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofCreateSubscribeConfig", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofDestroySubscribeConfig", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpDescSize", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpNum", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpTypeLen", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpType", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpNameLen", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpName", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpStart", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpEnd", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpDuration", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetModelId", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofGetOpFlag", since: Since::Cann85, home: Home::Profiler },
    Function { name: "aclprofGetOpAttriValue", since: Since::Cann85, home: Home::Profiler },
    Function { name: "aclprofGetStepTimestamp", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofCreateStepInfo", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofDestroyStepInfo", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofCreateStamp", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofDestroyStamp", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofPush", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofPop", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofRangeStart", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofRangeStop", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofSetStampTraceMessage", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofMark", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofMarkEx", since: Since::Cann81, home: Home::Profiler },
    Function { name: "aclprofStr2Id", since: Since::Cann90, home: Home::Profiler },
    Function { name: "aclprofRangePushEx", since: Since::Cann90, home: Home::Profiler },
    Function { name: "aclprofRangePop", since: Since::Cann90, home: Home::Profiler },
    Function { name: "acldumpRegCallback", since: Since::Cann81, home: Home::Dump },
    Function { name: "acldumpUnregCallback", since: Since::Cann81, home: Home::Dump },
    Function { name: "aclopStartDumpArgs", since: Since::Cann81, home: Home::Acl },
    Function { name: "aclopStopDumpArgs", since: Since::Cann81, home: Home::Acl },
    Function { name: "acldumpGetPath", since: Since::Cann90, home: Home::Dump },
    Function { name: "acldumpSaveExceptionInfo", since: Since::Unreleased, home: Home::Dump },
    Function { name: "acldumpGetExceptionInfoPath", since: Since::Unreleased, home: Home::Dump },
    Function { name: "acltdtGetTensorTypeFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDataTypeFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDataAddrFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDataSizeFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDimNumFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetSliceInfoFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDimsFromItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtCreateDataItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtDestroyDataItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtCreateDataset", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtDestroyDataset", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDataItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtAddDataItem", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDatasetSize", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtGetDatasetName", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtStopChannel", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtCreateChannel", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtCreateChannelWithCapacity", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtDestroyChannel", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtCleanChannel", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtSendTensor", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtReceiveTensor", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtQueryChannelSize", since: Since::Cann81, home: Home::Channels },
    Function { name: "acltdtCreateQueue", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDestroyQueue", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtEnqueue", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDequeue", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtEnqueueData", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDequeueData", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGrantQueue", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtAttachQueue", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtBindQueueRoutes", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtUnbindQueueRoutes", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtQueryQueueRoutes", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtAllocBuf", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtFreeBuf", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetBufData", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtSetBufDataLen", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetBufDataLen", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtAppendBufChain", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetBufChainNum", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetBufFromChain", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetBufUserData", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtSetBufUserData", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtCopyBufRef", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtCreateQueueAttr", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDestroyQueueAttr", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtSetQueueAttr", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetQueueAttr", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtCreateQueueRoute", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDestroyQueueRoute", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetQueueRouteParam", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtCreateQueueRouteList", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDestroyQueueRouteList", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtAddQueueRoute", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetQueueRoute", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtGetQueueRouteNum", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtCreateQueueRouteQueryInfo", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtDestroyQueueRouteQueryInfo", since: Since::Cann81, home: Home::Queues },
    Function { name: "acltdtSetQueueRouteQueryInfo", since: Since::Cann81, home: Home::Queues },
    Function { name: "aclskOptimize", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclskScopeBegin", since: Since::Cann85, home: Home::Acl },
    Function { name: "aclskScopeEnd", since: Since::Cann85, home: Home::Acl },
    Function { name: "HcclGetRootInfoScalable", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclCommInitRootInfoScalable", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclSetConfig", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclGetConfig", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclReduceScatterV", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclAllGatherV", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclAlltoAllVC", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclGetCommConfigCapability", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommSuspend", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommResume", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommSetMemoryRange", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommUnsetMemoryRange", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommActivateCommMemory", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommDeactivateCommMemory", since: Since::Cann81, home: Home::Hccl },
    Function { name: "HcclCommWorkingDevNicSet", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclGroupStart", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclGroupEnd", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclSetCommConfig", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclGetCommConfig", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclCommRegister", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclCommDeregister", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclCommExchangeMem", since: Since::Cann85, home: Home::Hccl },
    Function { name: "HcclCommSymWinRegister", since: Since::Cann92, home: Home::Hccl },
    Function { name: "HcclCommSymWinDeregister", since: Since::Cann92, home: Home::Hccl },
    Function { name: "HcclCommSymWinGet", since: Since::Cann92, home: Home::Hccl },
    Function { name: "HcommEndpointCreate", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommEndpointDestroy", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommEndpointGetListenPort", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommEndpointGetDescNum", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommEndpointGetDescs", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommEndpointCheckFeature", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommMemReg", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommMemUnreg", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommMemExport", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommMemImport", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommMemUnimport", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommMemAlloc", since: Since::Cann92, home: Home::Hcomm },
    Function { name: "HcommMemFree", since: Since::Cann92, home: Home::Hcomm },
    Function { name: "HcommChannelCreate", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommChannelDestroy", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommChannelGetStatus", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommThreadAlloc", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommThreadFree", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommReadOnThread", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommWriteOnThread", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommReadNbiOnThread", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommWriteNbiOnThread", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommChannelFenceOnThread", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommBatchModeStart", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommBatchModeEnd", since: Since::Cann90, home: Home::Hcomm },
    Function { name: "HcommBatchTransferOnThread", since: Since::Cann90, home: Home::Hcomm },
];

impl Optional {
    #[doc = " The value of a 16-bit float, exactly."]
    pub fn aclFloat16ToFloat(&self) -> Result<unsafe extern "C" fn(value: aclFloat16) -> f32, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(0) }
    }

    #[doc = " The nearest 16-bit float."]
    pub fn aclFloatToFloat16(&self) -> Result<unsafe extern "C" fn(value: f32) -> aclFloat16, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(1) }
    }

    #[doc = " ------------------------------------------------------------------------------------------ data buffers"]
    pub fn aclCreateDataBuffer(
        &self,
    ) -> Result<
        unsafe extern "C" fn(data: *mut ::core::ffi::c_void, size: usize) -> *mut aclDataBuffer,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(2) }
    }

    pub fn aclDestroyDataBuffer(
        &self,
    ) -> Result<unsafe extern "C" fn(dataBuffer: *const aclDataBuffer) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(3) }
    }

    pub fn aclUpdateDataBuffer(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dataBuffer: *mut aclDataBuffer,
            data: *mut ::core::ffi::c_void,
            size: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(4) }
    }

    pub fn aclGetDataBufferAddr(
        &self,
    ) -> Result<unsafe extern "C" fn(dataBuffer: *const aclDataBuffer) -> *mut ::core::ffi::c_void, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(5) }
    }

    #[doc = " The length in 32 bits; aclGetDataBufferSizeV2 gives all of it."]
    pub fn aclGetDataBufferSize(
        &self,
    ) -> Result<unsafe extern "C" fn(dataBuffer: *const aclDataBuffer) -> u32, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(6) }
    }

    pub fn aclGetDataBufferSizeV2(
        &self,
    ) -> Result<unsafe extern "C" fn(dataBuffer: *const aclDataBuffer) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(7) }
    }

    #[doc = " Bytes of an element; 0 for types without one."]
    pub fn aclDataTypeSize(&self) -> Result<unsafe extern "C" fn(dataType: aclDataType) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(8) }
    }

    #[doc = " Writes a line into the log, as printf does."]
    pub fn aclAppLog(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            logLevel: aclLogLevel,
            func: *const ::core::ffi::c_char,
            file: *const ::core::ffi::c_char,
            line: u32,
            fmt: *const ::core::ffi::c_char,
            ...
        ),
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(9) }
    }

    pub fn aclGetCannAttributeList(
        &self,
    ) -> Result<
        unsafe extern "C" fn(cannAttrList: *mut *const aclCannAttr, num: *mut usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(10) }
    }

    pub fn aclGetCannAttribute(
        &self,
    ) -> Result<unsafe extern "C" fn(cannAttr: aclCannAttr, value: *mut i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(11) }
    }

    pub fn aclGetDeviceCapability(
        &self,
    ) -> Result<
        unsafe extern "C" fn(deviceId: u32, deviceInfo: aclDeviceInfo, value: *mut i64) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(12) }
    }

    pub fn aclCreateTensorDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dataType: aclDataType,
            numDims: ::core::ffi::c_int,
            dims: *const i64,
            format: aclFormat,
        ) -> *mut aclTensorDesc,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(13) }
    }

    pub fn aclDestroyTensorDesc(&self) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc), AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(14) }
    }

    pub fn aclSetTensorShapeRange(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            dimsCount: usize,
            dimsRange: *mut [i64; 2usize],
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(15) }
    }

    pub fn aclSetTensorValueRange(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            valueCount: usize,
            valueRange: *mut [i64; 2usize],
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(16) }
    }

    pub fn aclGetTensorDescType(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc) -> aclDataType, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(17) }
    }

    pub fn aclGetTensorDescFormat(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc) -> aclFormat, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(18) }
    }

    pub fn aclGetTensorDescSize(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(19) }
    }

    pub fn aclGetTensorDescElementCount(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(20) }
    }

    pub fn aclGetTensorDescNumDims(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(21) }
    }

    pub fn aclGetTensorDescDim(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc, index: usize) -> i64, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(22) }
    }

    pub fn aclGetTensorDescDimV2(
        &self,
    ) -> Result<
        unsafe extern "C" fn(desc: *const aclTensorDesc, index: usize, dimSize: *mut i64) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(23) }
    }

    pub fn aclGetTensorDescDimRange(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *const aclTensorDesc,
            index: usize,
            dimRangeNum: usize,
            dimRange: *mut i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(24) }
    }

    pub fn aclSetTensorDescName(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc, name: *const ::core::ffi::c_char), AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(25) }
    }

    pub fn aclGetTensorDescName(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc) -> *const ::core::ffi::c_char, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(26) }
    }

    pub fn aclTransTensorDescFormat(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            srcDesc: *const aclTensorDesc,
            dstFormat: aclFormat,
            dstDesc: *mut *mut aclTensorDesc,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(27) }
    }

    pub fn aclSetTensorStorageFormat(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc, format: aclFormat) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(28) }
    }

    pub fn aclSetTensorStorageShape(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            numDims: ::core::ffi::c_int,
            dims: *const i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(29) }
    }

    pub fn aclSetTensorFormat(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc, format: aclFormat) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(30) }
    }

    pub fn aclSetTensorShape(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            numDims: ::core::ffi::c_int,
            dims: *const i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(31) }
    }

    pub fn aclSetTensorOriginFormat(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc, format: aclFormat) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(32) }
    }

    pub fn aclSetTensorOriginShape(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            numDims: ::core::ffi::c_int,
            dims: *const i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(33) }
    }

    pub fn aclGetTensorDescByIndex(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc, index: usize) -> *mut aclTensorDesc, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(34) }
    }

    pub fn aclGetTensorDescAddress(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *const aclTensorDesc) -> *mut ::core::ffi::c_void, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(35) }
    }

    pub fn aclSetTensorDynamicInput(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            dynamicInputName: *const ::core::ffi::c_char,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(36) }
    }

    pub fn aclSetTensorConst(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut aclTensorDesc,
            dataBuffer: *mut ::core::ffi::c_void,
            length: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(37) }
    }

    pub fn aclSetTensorPlaceMent(
        &self,
    ) -> Result<unsafe extern "C" fn(desc: *mut aclTensorDesc, memType: aclMemType) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(38) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtGetArgsFromExceptionInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            info: *const aclrtExceptionInfo,
            devArgsPtr: *mut *mut ::core::ffi::c_void,
            devArgsLen: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(39) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtGetFuncHandleFromExceptionInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(info: *const aclrtExceptionInfo, func: *mut aclrtFuncHandle) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(40) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtBinarySetExceptionCallback(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            binHandle: aclrtBinHandle,
            callback: aclrtOpExceptionCallback,
            userData: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(41) }
    }

    #[doc = " -------------------------------------------------------------------------------------------- parameters"]
    pub fn aclrtCtxGetSysParamOpt(
        &self,
    ) -> Result<unsafe extern "C" fn(opt: aclSysParamOpt, value: *mut i64) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(42) }
    }

    pub fn aclrtCtxSetSysParamOpt(
        &self,
    ) -> Result<unsafe extern "C" fn(opt: aclSysParamOpt, value: i64) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(43) }
    }

    pub fn aclrtGetSysParamOpt(
        &self,
    ) -> Result<unsafe extern "C" fn(opt: aclSysParamOpt, value: *mut i64) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(44) }
    }

    pub fn aclrtSetSysParamOpt(
        &self,
    ) -> Result<unsafe extern "C" fn(opt: aclSysParamOpt, value: i64) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(45) }
    }

    pub fn aclrtSetTsDevice(&self) -> Result<unsafe extern "C" fn(tsId: aclrtTsId) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(46) }
    }

    #[doc = " -------------------------------------------------------------------------------------- facts and limits"]
    pub fn aclrtGetDeviceUtilizationRate(
        &self,
    ) -> Result<
        unsafe extern "C" fn(deviceId: i32, utilizationInfo: *mut aclrtUtilizationInfo) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(47) }
    }

    #[doc = " -------------------------------------------------------------------------------- allocation and mapping"]
    pub fn aclrtMallocCached(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            devPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            policy: aclrtMemMallocPolicy,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(48) }
    }

    pub fn aclrtMallocForTaskScheduler(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            devPtr: *mut *mut ::core::ffi::c_void,
            size: usize,
            policy: aclrtMemMallocPolicy,
            cfg: *mut aclrtMallocConfig,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(49) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemManagedGetAttr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attribute: aclrtMemManagedRangeAttribute,
            ptr: *const ::core::ffi::c_void,
            size: usize,
            data: *mut ::core::ffi::c_void,
            dataSize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(50) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemManagedGetAttrs(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attributes: *mut aclrtMemManagedRangeAttribute,
            numAttributes: usize,
            ptr: *const ::core::ffi::c_void,
            size: usize,
            data: *mut *mut ::core::ffi::c_void,
            dataSizes: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(51) }
    }

    #[doc = " -------------------------------------------------------------------------------- streams, events, tasks"]
    pub fn aclrtGetThreadLastTaskId(
        &self,
    ) -> Result<unsafe extern "C" fn(taskId: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(52) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtMemAllocManaged(
        &self,
    ) -> Result<
        unsafe extern "C" fn(ptr: *mut *mut ::core::ffi::c_void, size: u64, flag: u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(53) }
    }

    #[doc = " Fills with `N` words of 32 bits. Since CANN 9.1."]
    pub fn aclrtMemsetD32(
        &self,
    ) -> Result<
        unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, memSize: usize, value: u32, N: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(54) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemsetD32Async(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            memSize: usize,
            value: u32,
            N: usize,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(55) }
    }

    #[doc = " The device address of a variable of device code. Since CANN 9.1."]
    pub fn aclrtGetSymbolAddress(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            symbol: *const ::core::ffi::c_void,
            devPtr: *mut *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(56) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtGetSymbolSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(symbol: *const ::core::ffi::c_void, size: *mut usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(57) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemcpyFromSymbol(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            dstMax: usize,
            symbol: *const ::core::ffi::c_void,
            count: usize,
            offset: usize,
            kind: aclrtMemcpyKind,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(58) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemcpyFromSymbolAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dst: *mut ::core::ffi::c_void,
            dstMax: usize,
            symbol: *const ::core::ffi::c_void,
            count: usize,
            offset: usize,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(59) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemcpyToSymbol(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            symbol: *const ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            count: usize,
            offset: usize,
            kind: aclrtMemcpyKind,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(60) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemcpyToSymbolAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            symbol: *const ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            count: usize,
            offset: usize,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(61) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemManagedAdvise(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            ptr: *const ::core::ffi::c_void,
            size: u64,
            advise: aclrtMemManagedAdviseType,
            location: aclrtMemManagedLocation,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(62) }
    }

    #[doc = " --------------------------------------------------------------------------------------- groups of cores"]
    pub fn aclrtSetGroup(&self) -> Result<unsafe extern "C" fn(groupId: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(63) }
    }

    pub fn aclrtGetGroupCount(&self) -> Result<unsafe extern "C" fn(count: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(64) }
    }

    pub fn aclrtCreateGroupInfo(&self) -> Result<unsafe extern "C" fn() -> *mut aclrtGroupInfo, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(65) }
    }

    pub fn aclrtDestroyGroupInfo(
        &self,
    ) -> Result<unsafe extern "C" fn(groupInfo: *mut aclrtGroupInfo) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(66) }
    }

    pub fn aclrtGetAllGroupInfo(
        &self,
    ) -> Result<unsafe extern "C" fn(groupInfo: *mut aclrtGroupInfo) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(67) }
    }

    pub fn aclrtGetGroupInfoDetail(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            groupInfo: *const aclrtGroupInfo,
            groupIndex: i32,
            attr: aclrtGroupAttr,
            attrValue: *mut ::core::ffi::c_void,
            valueLen: usize,
            paramRetSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(68) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetOpTimeOutInterval(
        &self,
    ) -> Result<unsafe extern "C" fn(interval: *mut u64) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(69) }
    }

    #[doc = " ---------------------------------------------------------------------------------------------- overflow"]
    pub fn aclrtSetStreamOverflowSwitch(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream, flag: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(70) }
    }

    pub fn aclrtGetStreamOverflowSwitch(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream, flag: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(71) }
    }

    pub fn aclrtSetDeviceSatMode(
        &self,
    ) -> Result<unsafe extern "C" fn(mode: aclrtFloatOverflowMode) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(72) }
    }

    pub fn aclrtGetDeviceSatMode(
        &self,
    ) -> Result<unsafe extern "C" fn(mode: *mut aclrtFloatOverflowMode) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(73) }
    }

    pub fn aclrtGetOverflowStatus(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            outputAddr: *mut ::core::ffi::c_void,
            outputSize: usize,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(74) }
    }

    pub fn aclrtResetOverflowStatus(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(75) }
    }

    pub fn aclrtSubscribeHostFunc(
        &self,
    ) -> Result<unsafe extern "C" fn(hostFuncThreadId: u64, exeStream: aclrtStream) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(76) }
    }

    #[doc = " Runs the next function of the host that a stream sent to this thread, waiting at most `timeout` ms."]
    pub fn aclrtProcessHostFunc(&self) -> Result<unsafe extern "C" fn(timeout: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(77) }
    }

    pub fn aclrtUnSubscribeHostFunc(
        &self,
    ) -> Result<unsafe extern "C" fn(hostFuncThreadId: u64, exeStream: aclrtStream) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(78) }
    }

    pub fn aclrtMemUceRepair(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            deviceId: i32,
            memUceInfoArray: *mut aclrtMemUceInfo,
            arraySize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(79) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtBinaryGetDevAddress(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            binHandle: aclrtBinHandle,
            binAddr: *mut *mut ::core::ffi::c_void,
            binSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(80) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtGetFuncBySymbol(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            symbol: *const ::core::ffi::c_void,
            funcHandle: *mut aclrtFuncHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(81) }
    }

    pub fn aclrtGetFunctionAddr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            aicAddr: *mut *mut ::core::ffi::c_void,
            aivAddr: *mut *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(82) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtGetFunctionSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            funcHandle: aclrtFuncHandle,
            aicSize: *mut usize,
            aivSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(83) }
    }

    pub fn aclrtGetMemcpyDescSize(
        &self,
    ) -> Result<unsafe extern "C" fn(kind: aclrtMemcpyKind, descSize: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(84) }
    }

    pub fn aclrtSetMemcpyDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut ::core::ffi::c_void,
            kind: aclrtMemcpyKind,
            srcAddr: *mut ::core::ffi::c_void,
            dstAddr: *mut ::core::ffi::c_void,
            count: usize,
            config: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(85) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtMemcpyAsyncWithOffset(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dst: *mut *mut ::core::ffi::c_void,
            destMax: usize,
            dstDataOffset: usize,
            src: *mut *const ::core::ffi::c_void,
            count: usize,
            srcDataOffset: usize,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(86) }
    }

    pub fn aclrtMemcpyAsyncWithDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            desc: *mut ::core::ffi::c_void,
            kind: aclrtMemcpyKind,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(87) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRITaskGetParams(
        &self,
    ) -> Result<unsafe extern "C" fn(task: aclmdlRITask, params: *mut aclmdlRITaskParams) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(88) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRITaskSetParams(
        &self,
    ) -> Result<unsafe extern "C" fn(task: aclmdlRITask, params: *mut aclmdlRITaskParams) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(89) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRIKernelTaskGetAttribute(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            task: aclmdlRITask,
            attrId: aclrtLaunchKernelAttrId,
            attrValue: *mut aclrtLaunchKernelAttrValue,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(90) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRIUpdate(&self) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(91) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRITaskDisable(
        &self,
    ) -> Result<unsafe extern "C" fn(task: aclmdlRITask) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(92) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtDeviceGetHostAtomicCapabilities(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            capabilities: *mut u32,
            operations: *const aclrtAtomicOperation,
            count: u32,
            deviceId: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(93) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtDeviceGetP2PAtomicCapabilities(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            capabilities: *mut u32,
            operations: *const aclrtAtomicOperation,
            count: u32,
            srcDeviceId: i32,
            dstDeviceId: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(94) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtResetDeviceResLimit(
        &self,
    ) -> Result<unsafe extern "C" fn(deviceId: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(95) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtResetStreamResLimit(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(96) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtUseStreamResInCurrentThread(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(97) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtUnuseStreamResInCurrentThread(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(98) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetResInCurrentThread(
        &self,
    ) -> Result<unsafe extern "C" fn(type_: aclrtDevResLimitType, value: *mut u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(99) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCreateLabel(
        &self,
    ) -> Result<unsafe extern "C" fn(label: *mut aclrtLabel) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(100) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSetLabel(
        &self,
    ) -> Result<unsafe extern "C" fn(label: aclrtLabel, stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(101) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtDestroyLabel(&self) -> Result<unsafe extern "C" fn(label: aclrtLabel) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(102) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCreateLabelList(
        &self,
    ) -> Result<
        unsafe extern "C" fn(labels: *mut aclrtLabel, num: usize, labelList: *mut aclrtLabelList) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(103) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtDestroyLabelList(
        &self,
    ) -> Result<unsafe extern "C" fn(labelList: aclrtLabelList) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(104) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSwitchLabelByIndex(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            ptr: *mut ::core::ffi::c_void,
            maxValue: u32,
            labelList: aclrtLabelList,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(105) }
    }

    #[doc = " Lets `activeStream` run from this point of `stream`. Since CANN 8.5."]
    pub fn aclrtActiveStream(
        &self,
    ) -> Result<unsafe extern "C" fn(activeStream: aclrtStream, stream: aclrtStream) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(106) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSwitchStream(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            leftValue: *mut ::core::ffi::c_void,
            cond: aclrtCondition,
            rightValue: *mut ::core::ffi::c_void,
            dataType: aclrtCompareDataType,
            trueStream: aclrtStream,
            falseStream: aclrtStream,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(107) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetBufFromChain(
        &self,
    ) -> Result<unsafe extern "C" fn(headBuf: aclrtMbuf, index: u32, buf: *mut aclrtMbuf) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(108) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetBufChainNum(
        &self,
    ) -> Result<unsafe extern "C" fn(headBuf: aclrtMbuf, num: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(109) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtAppendBufChain(
        &self,
    ) -> Result<unsafe extern "C" fn(headBuf: aclrtMbuf, buf: aclrtMbuf) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(110) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCopyBufRef(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: aclrtMbuf, newBuf: *mut aclrtMbuf) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(111) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetBufUserData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            buf: aclrtMbuf,
            dataPtr: *mut ::core::ffi::c_void,
            size: usize,
            offset: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(112) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSetBufUserData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            buf: aclrtMbuf,
            dataPtr: *const ::core::ffi::c_void,
            size: usize,
            offset: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(113) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetBufData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            buf: aclrtMbuf,
            dataPtr: *mut *mut ::core::ffi::c_void,
            size: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(114) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetBufDataLen(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: aclrtMbuf, len: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(115) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSetBufDataLen(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: aclrtMbuf, len: usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(116) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtFreeBuf(&self) -> Result<unsafe extern "C" fn(buf: aclrtMbuf) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(117) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtAllocBuf(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: *mut aclrtMbuf, size: usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(118) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtRegisterCpuFunc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: aclrtBinHandle,
            funcName: *const ::core::ffi::c_char,
            kernelName: *const ::core::ffi::c_char,
            funcHandle: *mut aclrtFuncHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(119) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCmoAsyncWithBarrier(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            src: *mut ::core::ffi::c_void,
            size: usize,
            cmoType: aclrtCmoType,
            barrierId: u32,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(120) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCmoWaitBarrier(
        &self,
    ) -> Result<
        unsafe extern "C" fn(taskInfo: *mut aclrtBarrierTaskInfo, stream: aclrtStream, flag: u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(121) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtNotifySetImportPidInterServer(
        &self,
    ) -> Result<
        unsafe extern "C" fn(notify: aclrtNotify, serverPids: *mut aclrtServerPid, num: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(122) }
    }

    #[doc = " Begins to capture: tasks of the stream are noted instead of run."]
    pub fn aclmdlRICaptureBegin(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream, mode: aclmdlRICaptureMode) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(123) }
    }

    #[doc = " Reports if the stream is being captured, and into which graph."]
    pub fn aclmdlRICaptureGetInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            stream: aclrtStream,
            status: *mut aclmdlRICaptureStatus,
            modelRI: *mut aclmdlRI,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(124) }
    }

    #[doc = " Ends the capture and gives the graph."]
    pub fn aclmdlRICaptureEnd(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream, modelRI: *mut aclmdlRI) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(125) }
    }

    #[doc = " --------------------------------------------------------------------------------------------- execution"]
    pub fn aclmdlRIDebugPrint(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(126) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIDebugJsonPrint(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelRI: aclmdlRI, path: *const ::core::ffi::c_char, flags: u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(127) }
    }

    #[doc = " Sets the capture mode of the calling thread and returns the previous one."]
    pub fn aclmdlRICaptureThreadExchangeMode(
        &self,
    ) -> Result<unsafe extern "C" fn(mode: *mut aclmdlRICaptureMode) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(128) }
    }

    #[doc = " Puts the graph into a stream."]
    pub fn aclmdlRIExecuteAsync(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(129) }
    }

    #[doc = " Executes the graph and waits, at most `timeout` ms (-1: forever). Since CANN 8.5."]
    pub fn aclmdlRIExecute(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, timeout: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(130) }
    }

    pub fn aclmdlRIDestroy(&self) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(131) }
    }

    #[doc = " Begins a group: later captured tasks of the stream belong to it."]
    pub fn aclmdlRICaptureTaskGrpBegin(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(132) }
    }

    pub fn aclmdlRICaptureTaskGrpEnd(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream, handle: *mut aclrtTaskGrp) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(133) }
    }

    #[doc = " Begins an update: later tasks replace those in the group."]
    pub fn aclmdlRICaptureTaskUpdateBegin(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream, handle: aclrtTaskGrp) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(134) }
    }

    pub fn aclmdlRICaptureTaskUpdateEnd(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(135) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIBuildBegin(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: *mut aclmdlRI, flag: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(136) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIBindStream(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, stream: aclrtStream, flag: u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(137) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIEndTask(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(138) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIBuildEnd(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelRI: aclmdlRI, reserve: *mut ::core::ffi::c_void) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(139) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIUnbindStream(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(140) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRISetName(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, name: *const ::core::ffi::c_char) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(141) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIGetName(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelRI: aclmdlRI, maxLen: u32, name: *mut ::core::ffi::c_char) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(142) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRIGetId(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, modelRIId: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(143) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclmdlRIDestroyRegisterCallback(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelRI: aclmdlRI,
            func: aclrtCallback,
            userData: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(144) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclmdlRIDestroyUnregisterCallback(
        &self,
    ) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI, func: aclrtCallback) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(145) }
    }

    pub fn aclmdlInitDump(&self) -> Result<unsafe extern "C" fn() -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(146) }
    }

    pub fn aclmdlSetDump(
        &self,
    ) -> Result<unsafe extern "C" fn(dumpCfgPath: *const ::core::ffi::c_char) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(147) }
    }

    pub fn aclmdlFinalizeDump(&self) -> Result<unsafe extern "C" fn() -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(148) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRIGetStreams(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelRI: aclmdlRI, streams: *mut aclrtStream, numStreams: *mut u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(149) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRIGetTasksByStream(
        &self,
    ) -> Result<
        unsafe extern "C" fn(stream: aclrtStream, tasks: *mut aclmdlRITask, numTasks: *mut u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(150) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRITaskGetType(
        &self,
    ) -> Result<unsafe extern "C" fn(task: aclmdlRITask, type_: *mut aclmdlRITaskType) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(151) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRITaskGetSeqId(
        &self,
    ) -> Result<unsafe extern "C" fn(task: aclmdlRITask, id: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(152) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclInitCallbackRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            type_: aclRegisterCallbackType,
            cbFunc: aclInitCallbackFunc,
            userData: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(153) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclInitCallbackUnRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(type_: aclRegisterCallbackType, cbFunc: aclInitCallbackFunc) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(154) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclFinalizeCallbackRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            type_: aclRegisterCallbackType,
            cbFunc: aclFinalizeCallbackFunc,
            userData: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(155) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclFinalizeCallbackUnRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(type_: aclRegisterCallbackType, cbFunc: aclFinalizeCallbackFunc) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(156) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCheckMemType(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            addrList: *mut *mut ::core::ffi::c_void,
            size: u32,
            memType: u32,
            checkResult: *mut u32,
            reserve: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(157) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtProfTrace(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            userdata: *mut ::core::ffi::c_void,
            length: i32,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(158) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCtxGetFloatOverflowAddr(
        &self,
    ) -> Result<unsafe extern "C" fn(overflowAddr: *mut *mut ::core::ffi::c_void) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(159) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtGetFloatOverflowStatus(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            outputAddr: *mut ::core::ffi::c_void,
            outputSize: u64,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(160) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtResetFloatOverflowStatus(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(161) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtNpuGetFloatOverFlowStatus(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            outputAddr: *mut ::core::ffi::c_void,
            outputSize: u64,
            checkMode: u32,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(162) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtNpuClearFloatOverFlowStatus(
        &self,
    ) -> Result<unsafe extern "C" fn(checkMode: u32, stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(163) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtRandomNumAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            taskInfo: *const aclrtRandomNumTaskInfo,
            stream: aclrtStream,
            reserve: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(164) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtRegStreamStateCallback(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            regName: *const ::core::ffi::c_char,
            callback: aclrtStreamStateCallback,
            args: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(165) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSetDeviceTaskAbortCallback(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            regName: *const ::core::ffi::c_char,
            callback: aclrtDeviceTaskAbortCallback,
            args: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(166) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtTaskUpdateAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            taskStream: aclrtStream,
            taskId: u32,
            info: *mut aclrtTaskUpdateInfo,
            execStream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(167) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCmoGetDescSize(
        &self,
    ) -> Result<unsafe extern "C" fn(size: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(168) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCmoSetDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            cmoDesc: *mut ::core::ffi::c_void,
            src: *mut ::core::ffi::c_void,
            size: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(169) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCmoAsyncWithDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            cmoDesc: *mut ::core::ffi::c_void,
            cmoType: aclrtCmoType,
            stream: aclrtStream,
            reserve: *const ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(170) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCheckArchCompatibility(
        &self,
    ) -> Result<
        unsafe extern "C" fn(socVersion: *const ::core::ffi::c_char, canCompatible: *mut i32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(171) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlRIAbort(&self) -> Result<unsafe extern "C" fn(modelRI: aclmdlRI) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(172) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRICondHandleCreate(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelRI: aclmdlRI,
            defaultLaunchValue: u32,
            flag: aclmdlRICondHandleFlag,
            handle: *mut aclmdlRICondHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(173) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRICondHandleGetCondPtr(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: aclmdlRICondHandle, ptr: *mut *mut u64) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(174) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRIAddCondTask(
        &self,
    ) -> Result<
        unsafe extern "C" fn(params: aclmdlRICondTaskParams, stream: aclrtStream, flags: u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(175) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclmdlRICaptureToModelRIBegin(
        &self,
    ) -> Result<
        unsafe extern "C" fn(stream: aclrtStream, modelRI: aclmdlRI, mode: aclmdlRICaptureMode) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(176) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtPersistentTaskClean(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(177) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSnapShotProcessLock(
        &self,
    ) -> Result<
        unsafe extern "C" fn(pid: ::core::ffi::c_int, reserve: *mut ::core::ffi::c_void) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(178) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSnapShotProcessUnlock(
        &self,
    ) -> Result<
        unsafe extern "C" fn(pid: ::core::ffi::c_int, reserve: *mut ::core::ffi::c_void) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(179) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSnapShotProcessBackup(
        &self,
    ) -> Result<
        unsafe extern "C" fn(pid: ::core::ffi::c_int, args: *mut aclrtSnapShotBackupArgs) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(180) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtSnapShotProcessRestore(
        &self,
    ) -> Result<
        unsafe extern "C" fn(pid: ::core::ffi::c_int, args: *mut aclrtSnapShotRestoreArgs) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(181) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtSnapShotCallbackRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            stage: aclrtSnapShotStage,
            callback: aclrtSnapShotCallBack,
            args: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(182) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtSnapShotCallbackUnregister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(stage: aclrtSnapShotStage, callback: aclrtSnapShotCallBack) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(183) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtCacheLastTaskOpInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(infoPtr: *const ::core::ffi::c_void, infoSize: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(184) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtCacheLastTaskExtendInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(extendInfoPtr: *const ::core::ffi::c_char, infoSize: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(185) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtFunctionGetBinary(
        &self,
    ) -> Result<
        unsafe extern "C" fn(funcHandle: aclrtFuncHandle, binHandle: *mut aclrtBinHandle) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(186) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtFunctionGetParamCount(
        &self,
    ) -> Result<
        unsafe extern "C" fn(func: *const ::core::ffi::c_void, paramCount: *mut usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(187) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtFunctionGetParamInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            func: *const ::core::ffi::c_void,
            paramIndex: usize,
            paramOffset: *mut usize,
            paramSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(188) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtFunctionGetAvailDynUbufPerBlock(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            func: *mut ::core::ffi::c_void,
            flags: u32,
            dynamicUbufSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(189) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemManagedPrefetchAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            ptr: *const ::core::ffi::c_void,
            size: usize,
            location: aclrtMemManagedLocation,
            flags: u32,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(190) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemManagedPrefetchBatchAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            ptrs: *mut *const ::core::ffi::c_void,
            sizes: *mut usize,
            count: usize,
            prefetchLocs: *mut aclrtMemManagedLocation,
            prefetchLocIdxs: *mut usize,
            numPrefetchLocs: usize,
            flags: u64,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(191) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtMemMapSelectedLink(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            virPtrDst: *mut ::core::ffi::c_void,
            size: usize,
            virPtrSrc: *mut ::core::ffi::c_void,
            linkIdx: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(192) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn aclrtExceptionInfoCallbackRegister(
        &self,
    ) -> Result<unsafe extern "C" fn(callback: aclrtExceptionInfoCallback) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(193) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn aclrtExceptionInfoCallbackUnregister(
        &self,
    ) -> Result<unsafe extern "C" fn(callback: aclrtExceptionInfoCallback) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(194) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtRecordEventWithFlag(
        &self,
    ) -> Result<unsafe extern "C" fn(event: aclrtEvent, stream: aclrtStream, flag: u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(195) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtMemMapNoAccess(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            virPtr: *mut ::core::ffi::c_void,
            size: usize,
            offset: usize,
            handle: aclrtDrvMemHandle,
            flags: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(196) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtStreamWaitEventWithFlag(
        &self,
    ) -> Result<
        unsafe extern "C" fn(stream: aclrtStream, event: aclrtEvent, timeout: u32, flag: u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(197) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtDeviceSetLimit(
        &self,
    ) -> Result<unsafe extern "C" fn(limit: aclrtDeviceLimit, value: usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(198) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtDeviceGetLimit(
        &self,
    ) -> Result<unsafe extern "C" fn(limit: aclrtDeviceLimit, value: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(199) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn aclrtDeviceGetPCIBusId(
        &self,
    ) -> Result<
        unsafe extern "C" fn(deviceId: i32, pciBusId: *mut ::core::ffi::c_char, len: i32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(200) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn aclrtDeviceGetByPCIBusId(
        &self,
    ) -> Result<
        unsafe extern "C" fn(pciBusId: *const ::core::ffi::c_char, deviceId: *mut i32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(201) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtGetUserDevIdByPhyDevId(
        &self,
    ) -> Result<unsafe extern "C" fn(phyDevId: i32, userDevId: *mut i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(202) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclrtGetPhyDevIdByUserDevId(
        &self,
    ) -> Result<unsafe extern "C" fn(userDevId: i32, phyDevId: *mut i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(203) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtLaunchSIMTKernelWithArgsArray(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            func: *mut ::core::ffi::c_void,
            gridDim: dim3,
            blockDim: dim3,
            dynUbufSize: usize,
            stream: aclrtStream,
            cfg: *mut aclrtLaunchKernelCfg,
            args: *mut *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(204) }
    }

    #[doc = " Since CANN 9.2."]
    pub fn aclrtLaunchSIMTKernelWithHostArgs(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            func: *mut ::core::ffi::c_void,
            gridDim: dim3,
            blockDim: dim3,
            dynUbufSize: usize,
            stream: aclrtStream,
            cfg: *mut aclrtLaunchKernelCfg,
            hostArgs: *mut ::core::ffi::c_void,
            argsSize: usize,
            placeHolderArray: *mut aclrtPlaceHolderInfo,
            placeHolderNum: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(205) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn aclrtDeviceL2CacheFlush(
        &self,
    ) -> Result<unsafe extern "C" fn(rsv: *mut ::core::ffi::c_void) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(206) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn aclrtMemMapSetLink(
        &self,
    ) -> Result<
        unsafe extern "C" fn(handle: aclrtDrvMemHandle, adviceLink: aclrtMemLinkType) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(207) }
    }

    pub fn aclrtAllocatorCreateDesc(&self) -> Result<unsafe extern "C" fn() -> aclrtAllocatorDesc, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(208) }
    }

    pub fn aclrtAllocatorDestroyDesc(
        &self,
    ) -> Result<unsafe extern "C" fn(allocatorDesc: aclrtAllocatorDesc) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(209) }
    }

    pub fn aclrtAllocatorSetObjToDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(allocatorDesc: aclrtAllocatorDesc, allocator: aclrtAllocator) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(210) }
    }

    pub fn aclrtAllocatorSetAllocFuncToDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(allocatorDesc: aclrtAllocatorDesc, func: aclrtAllocatorAllocFunc) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(211) }
    }

    pub fn aclrtAllocatorSetFreeFuncToDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(allocatorDesc: aclrtAllocatorDesc, func: aclrtAllocatorFreeFunc) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(212) }
    }

    pub fn aclrtAllocatorSetAllocAdviseFuncToDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            allocatorDesc: aclrtAllocatorDesc,
            func: aclrtAllocatorAllocAdviseFunc,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(213) }
    }

    pub fn aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            allocatorDesc: aclrtAllocatorDesc,
            func: aclrtAllocatorGetAddrFromBlockFunc,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(214) }
    }

    pub fn aclrtAllocatorRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(stream: aclrtStream, allocatorDesc: aclrtAllocatorDesc) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(215) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclrtAllocatorGetByStream(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            stream: aclrtStream,
            allocatorDesc: *mut aclrtAllocatorDesc,
            allocator: *mut aclrtAllocator,
            allocFunc: *mut aclrtAllocatorAllocFunc,
            freeFunc: *mut aclrtAllocatorFreeFunc,
            allocAdviseFunc: *mut aclrtAllocatorAllocAdviseFunc,
            getAddrFromBlockFunc: *mut aclrtAllocatorGetAddrFromBlockFunc,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(216) }
    }

    pub fn aclrtAllocatorUnregister(
        &self,
    ) -> Result<unsafe extern "C" fn(stream: aclrtStream) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(217) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtMemPoolCreate(
        &self,
    ) -> Result<
        unsafe extern "C" fn(memPool: *mut aclrtMemPool, poolProps: *const aclrtMemPoolProps) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(218) }
    }

    #[doc = " Destroys the pool once its memory is back. Since CANN 9.0."]
    pub fn aclrtMemPoolDestroy(
        &self,
    ) -> Result<unsafe extern "C" fn(memPool: aclrtMemPool) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(219) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtMemPoolSetAttr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            memPool: aclrtMemPool,
            attr: aclrtMemPoolAttr,
            value: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(220) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclrtMemPoolGetAttr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            memPool: aclrtMemPool,
            attr: aclrtMemPoolAttr,
            value: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(221) }
    }

    #[doc = " Memory that tasks behind this point of the stream may use; the address is known at once. Since CANN 9.1."]
    pub fn aclrtMemPoolMallocAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            ptr: *mut *mut ::core::ffi::c_void,
            size: usize,
            memPool: aclrtMemPool,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(222) }
    }

    #[doc = " Gives the memory back when the stream gets there. Since CANN 9.1."]
    pub fn aclrtMemPoolFreeAsync(
        &self,
    ) -> Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void, stream: aclrtStream) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(223) }
    }

    #[doc = " Releases unused memory until `minBytesToKeep` are left. Since CANN 9.1."]
    pub fn aclrtMemPoolTrimTo(
        &self,
    ) -> Result<unsafe extern "C" fn(memPool: aclrtMemPool, minBytesToKeep: usize) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(224) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclplatformGetDeviceInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            infoType: aclplatformDevInfo,
            value: *mut ::core::ffi::c_char,
            maxLen: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(225) }
    }

    #[doc = " Since CANN 9.1."]
    pub fn aclplatformGetInstructionInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            type_: aclplatformCoreType,
            instruction: *const ::core::ffi::c_char,
            value: *mut ::core::ffi::c_char,
            maxLen: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(226) }
    }

    #[doc = " ------------------------------------------------------------------------------------------ descriptions"]
    pub fn aclmdlCreateDesc(&self) -> Result<unsafe extern "C" fn() -> *mut aclmdlDesc, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(227) }
    }

    pub fn aclmdlDestroyDesc(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *mut aclmdlDesc) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(228) }
    }

    pub fn aclmdlGetDesc(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *mut aclmdlDesc, modelId: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(229) }
    }

    pub fn aclmdlGetDescFromFile(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *mut aclmdlDesc, modelPath: *const ::core::ffi::c_char) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(230) }
    }

    pub fn aclmdlGetDescFromMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *mut aclmdlDesc,
            model: *const ::core::ffi::c_void,
            modelSize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(231) }
    }

    pub fn aclmdlGetNumInputs(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *mut aclmdlDesc) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(232) }
    }

    pub fn aclmdlGetNumOutputs(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *mut aclmdlDesc) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(233) }
    }

    pub fn aclmdlGetInputSizeByIndex(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *mut aclmdlDesc, index: usize) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(234) }
    }

    pub fn aclmdlGetOutputSizeByIndex(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *mut aclmdlDesc, index: usize) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(235) }
    }

    #[doc = " ----------------------------------------------------------------------------------------- configuration"]
    pub fn aclmdlCreateExecConfigHandle(
        &self,
    ) -> Result<unsafe extern "C" fn() -> *mut aclmdlExecConfigHandle, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(236) }
    }

    pub fn aclmdlDestroyExecConfigHandle(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: *const aclmdlExecConfigHandle) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(237) }
    }

    #[doc = " ---------------------------------------------------------------------------------------------- datasets"]
    pub fn aclmdlCreateDataset(&self) -> Result<unsafe extern "C" fn() -> *mut aclmdlDataset, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(238) }
    }

    pub fn aclmdlDestroyDataset(
        &self,
    ) -> Result<unsafe extern "C" fn(dataset: *const aclmdlDataset) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(239) }
    }

    #[doc = " Appends a buffer; the caller keeps it."]
    pub fn aclmdlAddDatasetBuffer(
        &self,
    ) -> Result<
        unsafe extern "C" fn(dataset: *mut aclmdlDataset, dataBuffer: *mut aclDataBuffer) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(240) }
    }

    pub fn aclmdlSetDatasetTensorDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dataset: *mut aclmdlDataset,
            tensorDesc: *mut aclTensorDesc,
            index: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(241) }
    }

    pub fn aclmdlGetDatasetTensorDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(dataset: *const aclmdlDataset, index: usize) -> *mut aclTensorDesc,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(242) }
    }

    pub fn aclmdlGetDatasetNumBuffers(
        &self,
    ) -> Result<unsafe extern "C" fn(dataset: *const aclmdlDataset) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(243) }
    }

    pub fn aclmdlGetDatasetBuffer(
        &self,
    ) -> Result<
        unsafe extern "C" fn(dataset: *const aclmdlDataset, index: usize) -> *mut aclDataBuffer,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(244) }
    }

    #[doc = " --------------------------------------------------------------------------------- loading and execution"]
    pub fn aclmdlLoadFromFile(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelPath: *const ::core::ffi::c_char, modelId: *mut u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(245) }
    }

    #[doc = " ------------------------------------------------------------------------------- files of several models"]
    pub fn aclmdlBundleLoadFromFile(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelPath: *const ::core::ffi::c_char, bundleId: *mut u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(246) }
    }

    pub fn aclmdlBundleLoadFromMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            bundleId: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(247) }
    }

    pub fn aclmdlBundleUnload(&self) -> Result<unsafe extern "C" fn(bundleId: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(248) }
    }

    pub fn aclmdlBundleGetModelNum(
        &self,
    ) -> Result<unsafe extern "C" fn(bundleId: u32, modelNum: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(249) }
    }

    pub fn aclmdlBundleGetModelId(
        &self,
    ) -> Result<unsafe extern "C" fn(bundleId: u32, index: usize, modelId: *mut u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(250) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleCreateQueryInfo(
        &self,
    ) -> Result<unsafe extern "C" fn() -> *mut aclmdlBundleQueryInfo, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(251) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleDestroyQueryInfo(
        &self,
    ) -> Result<unsafe extern "C" fn(queryInfo: *mut aclmdlBundleQueryInfo) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(252) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleQueryInfoFromFile(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            fileName: *const ::core::ffi::c_char,
            queryInfo: *mut aclmdlBundleQueryInfo,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(253) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleQueryInfoFromMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            queryInfo: *mut aclmdlBundleQueryInfo,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(254) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleGetQueryModelNum(
        &self,
    ) -> Result<
        unsafe extern "C" fn(queryInfo: *const aclmdlBundleQueryInfo, modelNum: *mut usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(255) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleGetVarWeightSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            queryInfo: *const aclmdlBundleQueryInfo,
            variableWeightSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(256) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleGetSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            queryInfo: *const aclmdlBundleQueryInfo,
            index: usize,
            workSize: *mut usize,
            constWeightSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(257) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleInitFromFile(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelPath: *const ::core::ffi::c_char,
            varWeightPtr: *mut ::core::ffi::c_void,
            varWeightSize: usize,
            bundleId: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(258) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleInitFromMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            varWeightPtr: *mut ::core::ffi::c_void,
            varWeightSize: usize,
            bundleId: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(259) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleLoadModel(
        &self,
    ) -> Result<unsafe extern "C" fn(bundleId: u32, index: usize, modelId: *mut u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(260) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleLoadModelWithMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            bundleId: u32,
            index: usize,
            workPtr: *mut ::core::ffi::c_void,
            workSize: usize,
            weightPtr: *mut ::core::ffi::c_void,
            weightSize: usize,
            modelId: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(261) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleLoadModelWithConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            bundleId: u32,
            index: usize,
            handle: *mut aclmdlConfigHandle,
            modelId: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(262) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlBundleUnloadModel(
        &self,
    ) -> Result<unsafe extern "C" fn(bundleId: u32, modelId: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(263) }
    }

    pub fn aclmdlLoadFromMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            modelId: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(264) }
    }

    pub fn aclmdlLoadFromFileWithMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelPath: *const ::core::ffi::c_char,
            modelId: *mut u32,
            workPtr: *mut ::core::ffi::c_void,
            workSize: usize,
            weightPtr: *mut ::core::ffi::c_void,
            weightSize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(265) }
    }

    pub fn aclmdlLoadFromMemWithMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            modelId: *mut u32,
            workPtr: *mut ::core::ffi::c_void,
            workSize: usize,
            weightPtr: *mut ::core::ffi::c_void,
            weightSize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(266) }
    }

    pub fn aclmdlLoadFromFileWithQ(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelPath: *const ::core::ffi::c_char,
            modelId: *mut u32,
            inputQ: *const u32,
            inputQNum: usize,
            outputQ: *const u32,
            outputQNum: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(267) }
    }

    pub fn aclmdlLoadFromMemWithQ(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            modelId: *mut u32,
            inputQ: *const u32,
            inputQNum: usize,
            outputQ: *const u32,
            outputQNum: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(268) }
    }

    pub fn aclmdlExecute(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            input: *const aclmdlDataset,
            output: *mut aclmdlDataset,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(269) }
    }

    pub fn aclmdlExecuteV2(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            input: *const aclmdlDataset,
            output: *mut aclmdlDataset,
            stream: aclrtStream,
            handle: *const aclmdlExecConfigHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(270) }
    }

    pub fn aclmdlExecuteAsyncV2(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            input: *const aclmdlDataset,
            output: *mut aclmdlDataset,
            stream: aclrtStream,
            handle: *const aclmdlExecConfigHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(271) }
    }

    pub fn aclmdlExecuteAsync(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            input: *const aclmdlDataset,
            output: *mut aclmdlDataset,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(272) }
    }

    pub fn aclmdlUnload(&self) -> Result<unsafe extern "C" fn(modelId: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(273) }
    }

    pub fn aclmdlQuerySize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            fileName: *const ::core::ffi::c_char,
            workSize: *mut usize,
            weightSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(274) }
    }

    pub fn aclmdlQueryExeOMDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            fileName: *const ::core::ffi::c_char,
            mdlPartitionSize: *mut aclmdlExeOMDesc,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(275) }
    }

    pub fn aclmdlQuerySizeFromMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            model: *const ::core::ffi::c_void,
            modelSize: usize,
            workSize: *mut usize,
            weightSize: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(276) }
    }

    pub fn aclmdlSetDynamicBatchSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            dataset: *mut aclmdlDataset,
            index: usize,
            batchSize: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(277) }
    }

    pub fn aclmdlSetDynamicHWSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            dataset: *mut aclmdlDataset,
            index: usize,
            height: u64,
            width: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(278) }
    }

    pub fn aclmdlSetInputDynamicDims(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            dataset: *mut aclmdlDataset,
            index: usize,
            dims: *const aclmdlIODims,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(279) }
    }

    pub fn aclmdlGetInputDims(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(280) }
    }

    pub fn aclmdlGetInputDimsV2(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(281) }
    }

    pub fn aclmdlGetInputDimsRange(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *const aclmdlDesc,
            index: usize,
            dimsRange: *mut aclmdlIODimsRange,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(282) }
    }

    pub fn aclmdlGetOutputDims(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(283) }
    }

    pub fn aclmdlGetCurOutputDims(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize, dims: *mut aclmdlIODims) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(284) }
    }

    pub fn aclmdlGetOpAttr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *mut aclmdlDesc,
            opName: *const ::core::ffi::c_char,
            attr: *const ::core::ffi::c_char,
        ) -> *const ::core::ffi::c_char,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(285) }
    }

    pub fn aclmdlGetInputNameByIndex(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize) -> *const ::core::ffi::c_char,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(286) }
    }

    pub fn aclmdlGetOutputNameByIndex(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize) -> *const ::core::ffi::c_char,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(287) }
    }

    pub fn aclmdlGetInputFormat(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize) -> aclFormat, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(288) }
    }

    pub fn aclmdlGetOutputFormat(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize) -> aclFormat, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(289) }
    }

    pub fn aclmdlGetInputDataType(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize) -> aclDataType, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(290) }
    }

    pub fn aclmdlGetOutputDataType(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize) -> aclDataType, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(291) }
    }

    pub fn aclmdlGetInputIndexByName(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *const aclmdlDesc,
            name: *const ::core::ffi::c_char,
            index: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(292) }
    }

    pub fn aclmdlGetOutputIndexByName(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *const aclmdlDesc,
            name: *const ::core::ffi::c_char,
            index: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(293) }
    }

    pub fn aclmdlGetDynamicBatch(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, batch: *mut aclmdlBatch) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(294) }
    }

    pub fn aclmdlGetDynamicHW(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize, hw: *mut aclmdlHW) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(295) }
    }

    pub fn aclmdlGetInputDynamicGearCount(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelDesc: *const aclmdlDesc, index: usize, gearCount: *mut usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(296) }
    }

    pub fn aclmdlGetInputDynamicDims(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *const aclmdlDesc,
            index: usize,
            dims: *mut aclmdlIODims,
            gearCount: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(297) }
    }

    #[doc = " ------------------------------------------------------------------------------- preprocessing of images"]
    pub fn aclmdlCreateAIPP(
        &self,
    ) -> Result<unsafe extern "C" fn(batchSize: u64) -> *mut aclmdlAIPP, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(298) }
    }

    pub fn aclmdlDestroyAIPP(
        &self,
    ) -> Result<unsafe extern "C" fn(aippParmsSet: *const aclmdlAIPP) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(299) }
    }

    pub fn aclmdlGetAippDataSize(
        &self,
    ) -> Result<unsafe extern "C" fn(batchSize: u64, size: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(300) }
    }

    pub fn aclmdlSetAIPPInputFormat(
        &self,
    ) -> Result<
        unsafe extern "C" fn(aippParmsSet: *mut aclmdlAIPP, inputFormat: aclAippInputFormat) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(301) }
    }

    pub fn aclmdlSetAIPPCscParams(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            cscSwitch: i8,
            cscMatrixR0C0: i16,
            cscMatrixR0C1: i16,
            cscMatrixR0C2: i16,
            cscMatrixR1C0: i16,
            cscMatrixR1C1: i16,
            cscMatrixR1C2: i16,
            cscMatrixR2C0: i16,
            cscMatrixR2C1: i16,
            cscMatrixR2C2: i16,
            cscOutputBiasR0: u8,
            cscOutputBiasR1: u8,
            cscOutputBiasR2: u8,
            cscInputBiasR0: u8,
            cscInputBiasR1: u8,
            cscInputBiasR2: u8,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(302) }
    }

    pub fn aclmdlSetAIPPRbuvSwapSwitch(
        &self,
    ) -> Result<unsafe extern "C" fn(aippParmsSet: *mut aclmdlAIPP, rbuvSwapSwitch: i8) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(303) }
    }

    pub fn aclmdlSetAIPPAxSwapSwitch(
        &self,
    ) -> Result<unsafe extern "C" fn(aippParmsSet: *mut aclmdlAIPP, axSwapSwitch: i8) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(304) }
    }

    pub fn aclmdlSetAIPPSrcImageSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            srcImageSizeW: i32,
            srcImageSizeH: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(305) }
    }

    pub fn aclmdlSetAIPPScfParams(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            scfSwitch: i8,
            scfInputSizeW: i32,
            scfInputSizeH: i32,
            scfOutputSizeW: i32,
            scfOutputSizeH: i32,
            batchIndex: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(306) }
    }

    pub fn aclmdlSetAIPPCropParams(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            cropSwitch: i8,
            cropStartPosW: i32,
            cropStartPosH: i32,
            cropSizeW: i32,
            cropSizeH: i32,
            batchIndex: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(307) }
    }

    pub fn aclmdlSetAIPPPaddingParams(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            paddingSwitch: i8,
            paddingSizeTop: i32,
            paddingSizeBottom: i32,
            paddingSizeLeft: i32,
            paddingSizeRight: i32,
            batchIndex: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(308) }
    }

    pub fn aclmdlSetAIPPDtcPixelMean(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            dtcPixelMeanChn0: i16,
            dtcPixelMeanChn1: i16,
            dtcPixelMeanChn2: i16,
            dtcPixelMeanChn3: i16,
            batchIndex: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(309) }
    }

    pub fn aclmdlSetAIPPDtcPixelMin(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            dtcPixelMinChn0: f32,
            dtcPixelMinChn1: f32,
            dtcPixelMinChn2: f32,
            dtcPixelMinChn3: f32,
            batchIndex: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(310) }
    }

    pub fn aclmdlSetAIPPPixelVarReci(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            aippParmsSet: *mut aclmdlAIPP,
            dtcPixelVarReciChn0: f32,
            dtcPixelVarReciChn1: f32,
            dtcPixelVarReciChn2: f32,
            dtcPixelVarReciChn3: f32,
            batchIndex: u64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(311) }
    }

    pub fn aclmdlSetInputAIPP(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            dataset: *mut aclmdlDataset,
            index: usize,
            aippParmsSet: *const aclmdlAIPP,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(312) }
    }

    pub fn aclmdlSetAIPPByInputIndex(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            dataset: *mut aclmdlDataset,
            index: usize,
            aippParmsSet: *const aclmdlAIPP,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(313) }
    }

    pub fn aclmdlGetAippType(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelId: u32,
            index: usize,
            type_: *mut aclmdlInputAippType,
            dynamicAttachedDataIndex: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(314) }
    }

    pub fn aclmdlGetFirstAippInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelId: u32, index: usize, aippInfo: *mut aclAippInfo) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(315) }
    }

    pub fn aclmdlCreateAndGetOpDesc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            deviceId: u32,
            streamId: u32,
            taskId: u32,
            opName: *mut ::core::ffi::c_char,
            opNameLen: usize,
            inputDesc: *mut *mut aclTensorDesc,
            numInputs: *mut usize,
            outputDesc: *mut *mut aclTensorDesc,
            numOutputs: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(316) }
    }

    pub fn aclmdlLoadWithConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(handle: *const aclmdlConfigHandle, modelId: *mut u32) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(317) }
    }

    pub fn aclmdlCreateConfigHandle(
        &self,
    ) -> Result<unsafe extern "C" fn() -> *mut aclmdlConfigHandle, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(318) }
    }

    pub fn aclmdlDestroyConfigHandle(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: *mut aclmdlConfigHandle) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(319) }
    }

    pub fn aclmdlSetConfigOpt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: *mut aclmdlConfigHandle,
            attr: aclmdlConfigAttr,
            attrValue: *const ::core::ffi::c_void,
            valueSize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(320) }
    }

    pub fn aclmdlSetExecConfigOpt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: *mut aclmdlExecConfigHandle,
            attr: aclmdlExecConfigAttr,
            attrValue: *const ::core::ffi::c_void,
            valueSize: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(321) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclmdlSetExternalWeightAddress(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: *mut aclmdlConfigHandle,
            weightFileName: *const ::core::ffi::c_char,
            devPtr: *mut ::core::ffi::c_void,
            size: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(322) }
    }

    pub fn aclmdlGetTensorRealName(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            modelDesc: *const aclmdlDesc,
            name: *const ::core::ffi::c_char,
        ) -> *const ::core::ffi::c_char,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(323) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclRecoverAllHcclTasks(
        &self,
    ) -> Result<unsafe extern "C" fn(deviceId: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(324) }
    }

    #[doc = " --------------------------------------------------------------------------------- execution and kernels"]
    pub fn aclopSetModelDir(
        &self,
    ) -> Result<unsafe extern "C" fn(modelDir: *const ::core::ffi::c_char) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(325) }
    }

    pub fn aclopLoad(
        &self,
    ) -> Result<unsafe extern "C" fn(model: *const ::core::ffi::c_void, modelSize: usize) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(326) }
    }

    #[doc = " -------------------------------------------------------------------------------------------- attributes"]
    pub fn aclopCreateAttr(&self) -> Result<unsafe extern "C" fn() -> *mut aclopAttr, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(327) }
    }

    pub fn aclopDestroyAttr(&self) -> Result<unsafe extern "C" fn(attr: *const aclopAttr), AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(328) }
    }

    pub fn aclopSetAttrBool(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            attrValue: u8,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(329) }
    }

    pub fn aclopSetAttrInt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            attrValue: i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(330) }
    }

    pub fn aclopSetAttrFloat(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            attrValue: f32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(331) }
    }

    pub fn aclopSetAttrString(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            attrValue: *const ::core::ffi::c_char,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(332) }
    }

    pub fn aclopSetAttrDataType(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            attrValue: aclDataType,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(333) }
    }

    pub fn aclopSetAttrListDataType(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            numValues: ::core::ffi::c_int,
            values: *const aclDataType,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(334) }
    }

    pub fn aclopSetAttrListBool(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            numValues: ::core::ffi::c_int,
            values: *const u8,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(335) }
    }

    pub fn aclopSetAttrListInt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            numValues: ::core::ffi::c_int,
            values: *const i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(336) }
    }

    pub fn aclopSetAttrListFloat(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            numValues: ::core::ffi::c_int,
            values: *const f32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(337) }
    }

    pub fn aclopSetAttrListString(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            numValues: ::core::ffi::c_int,
            values: *mut *const ::core::ffi::c_char,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(338) }
    }

    pub fn aclopSetAttrListListInt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut aclopAttr,
            attrName: *const ::core::ffi::c_char,
            numLists: ::core::ffi::c_int,
            numValues: *const ::core::ffi::c_int,
            values: *const *const i64,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(339) }
    }

    pub fn aclopExecute(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *const *const aclTensorDesc,
            inputs: *const *const aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *const *const aclTensorDesc,
            outputs: *const *mut aclDataBuffer,
            attr: *const aclopAttr,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(340) }
    }

    pub fn aclopExecuteV2(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *mut *mut aclTensorDesc,
            inputs: *mut *mut aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *mut *mut aclTensorDesc,
            outputs: *mut *mut aclDataBuffer,
            attr: *mut aclopAttr,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(341) }
    }

    pub fn aclopCreateHandle(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *const *const aclTensorDesc,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *const *const aclTensorDesc,
            opAttr: *const aclopAttr,
            handle: *mut *mut aclopHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(342) }
    }

    pub fn aclopDestroyHandle(&self) -> Result<unsafe extern "C" fn(handle: *mut aclopHandle), AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(343) }
    }

    pub fn aclopExecWithHandle(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: *mut aclopHandle,
            numInputs: ::core::ffi::c_int,
            inputs: *const *const aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputs: *const *mut aclDataBuffer,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(344) }
    }

    pub fn aclopCast(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            srcDesc: *const aclTensorDesc,
            srcBuffer: *const aclDataBuffer,
            dstDesc: *const aclTensorDesc,
            dstBuffer: *mut aclDataBuffer,
            truncate: u8,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(345) }
    }

    pub fn aclopCreateHandleForCast(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            srcDesc: *mut aclTensorDesc,
            dstDesc: *mut aclTensorDesc,
            truncate: u8,
            handle: *mut *mut aclopHandle,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(346) }
    }

    pub fn aclopCreateKernel(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            kernelId: *const ::core::ffi::c_char,
            kernelName: *const ::core::ffi::c_char,
            binData: *mut ::core::ffi::c_void,
            binSize: ::core::ffi::c_int,
            enginetype: aclopEngineType,
            deallocator: aclDataDeallocator,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(347) }
    }

    pub fn aclopRegisterCompileFunc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opType: *const ::core::ffi::c_char, func: aclopCompileFunc) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(348) }
    }

    pub fn aclopUnregisterCompileFunc(
        &self,
    ) -> Result<unsafe extern "C" fn(opType: *const ::core::ffi::c_char) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(349) }
    }

    pub fn aclopSetKernelArgs(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            kernelDesc: *mut aclopKernelDesc,
            kernelId: *const ::core::ffi::c_char,
            blockDim: u32,
            args: *const ::core::ffi::c_void,
            argSize: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(350) }
    }

    pub fn aclopSetKernelWorkspaceSizes(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            kernelDesc: *mut aclopKernelDesc,
            numWorkspaces: ::core::ffi::c_int,
            workspaceSizes: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(351) }
    }

    pub fn aclopUpdateParams(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *const *const aclTensorDesc,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *const *const aclTensorDesc,
            attr: *const aclopAttr,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(352) }
    }

    pub fn aclopSetMaxOpQueueNum(&self) -> Result<unsafe extern "C" fn(maxOpNum: u64) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(353) }
    }

    pub fn aclopInferShape(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *mut *mut aclTensorDesc,
            inputs: *mut *mut aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *mut *mut aclTensorDesc,
            attr: *mut aclopAttr,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(354) }
    }

    pub fn aclopCompile(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *const *const aclTensorDesc,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *const *const aclTensorDesc,
            attr: *const aclopAttr,
            engineType: aclopEngineType,
            compileFlag: aclopCompileType,
            opPath: *const ::core::ffi::c_char,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(355) }
    }

    pub fn aclopCompileAndExecute(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *const *const aclTensorDesc,
            inputs: *const *const aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *const *const aclTensorDesc,
            outputs: *const *mut aclDataBuffer,
            attr: *const aclopAttr,
            engineType: aclopEngineType,
            compileFlag: aclopCompileType,
            opPath: *const ::core::ffi::c_char,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(356) }
    }

    pub fn aclopCompileAndExecuteV2(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *mut *mut aclTensorDesc,
            inputs: *mut *mut aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *mut *mut aclTensorDesc,
            outputs: *mut *mut aclDataBuffer,
            attr: *mut aclopAttr,
            engineType: aclopEngineType,
            compileFlag: aclopCompileType,
            opPath: *const ::core::ffi::c_char,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(357) }
    }

    pub fn aclSetCompileopt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opt: aclCompileOpt, value: *const ::core::ffi::c_char) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(358) }
    }

    pub fn aclGetCompileoptSize(
        &self,
    ) -> Result<unsafe extern "C" fn(opt: aclCompileOpt) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(359) }
    }

    pub fn aclGetCompileopt(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opt: aclCompileOpt, value: *mut ::core::ffi::c_char, length: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(360) }
    }

    pub fn aclopSetCompileFlag(
        &self,
    ) -> Result<unsafe extern "C" fn(flag: aclOpCompileFlag) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(361) }
    }

    pub fn aclGenGraphAndDumpForOp(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opType: *const ::core::ffi::c_char,
            numInputs: ::core::ffi::c_int,
            inputDesc: *const *const aclTensorDesc,
            inputs: *const *const aclDataBuffer,
            numOutputs: ::core::ffi::c_int,
            outputDesc: *const *const aclTensorDesc,
            outputs: *const *mut aclDataBuffer,
            attr: *const aclopAttr,
            engineType: aclopEngineType,
            graphDumpPath: *const ::core::ffi::c_char,
            graphDumpOpt: *const aclGraphDumpOption,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(362) }
    }

    pub fn aclCreateGraphDumpOpt(
        &self,
    ) -> Result<unsafe extern "C" fn() -> *mut aclGraphDumpOption, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(363) }
    }

    pub fn aclDestroyGraphDumpOpt(
        &self,
    ) -> Result<unsafe extern "C" fn(graphDumpOpt: *const aclGraphDumpOption) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(364) }
    }

    #[doc = " ---------------------------------------------------------------------------------------------- sessions"]
    pub fn aclprofInit(
        &self,
    ) -> Result<
        unsafe extern "C" fn(profilerResultPath: *const ::core::ffi::c_char, length: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(365) }
    }

    pub fn aclprofFinalize(&self) -> Result<unsafe extern "C" fn() -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(366) }
    }

    pub fn aclprofStart(
        &self,
    ) -> Result<unsafe extern "C" fn(profilerConfig: *const aclprofConfig) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(367) }
    }

    pub fn aclprofCreateConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            deviceIdList: *mut u32,
            deviceNums: u32,
            aicoreMetrics: aclprofAicoreMetrics,
            aicoreEvents: *const aclprofAicoreEvents,
            dataTypeConfig: u64,
        ) -> *mut aclprofConfig,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(368) }
    }

    pub fn aclprofDestroyConfig(
        &self,
    ) -> Result<unsafe extern "C" fn(profilerConfig: *const aclprofConfig) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(369) }
    }

    pub fn aclprofStop(
        &self,
    ) -> Result<unsafe extern "C" fn(profilerConfig: *const aclprofConfig) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(370) }
    }

    pub fn aclprofSetConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            configType: aclprofConfigType,
            config: *const ::core::ffi::c_char,
            configLength: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(371) }
    }

    #[doc = " ----------------------------------------------------------------------------------------------- results"]
    pub fn aclprofModelSubscribe(
        &self,
    ) -> Result<
        unsafe extern "C" fn(modelId: u32, profSubscribeConfig: *const aclprofSubscribeConfig) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(372) }
    }

    pub fn aclprofModelUnSubscribe(
        &self,
    ) -> Result<unsafe extern "C" fn(modelId: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(373) }
    }

    pub fn aclprofCreateSubscribeConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            timeInfoSwitch: i8,
            aicoreMetrics: aclprofAicoreMetrics,
            fd: *mut ::core::ffi::c_void,
        ) -> *mut aclprofSubscribeConfig,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(374) }
    }

    pub fn aclprofDestroySubscribeConfig(
        &self,
    ) -> Result<unsafe extern "C" fn(profSubscribeConfig: *const aclprofSubscribeConfig) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(375) }
    }

    pub fn aclprofGetOpDescSize(
        &self,
    ) -> Result<unsafe extern "C" fn(opDescSize: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(376) }
    }

    pub fn aclprofGetOpNum(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            opNumber: *mut u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(377) }
    }

    pub fn aclprofGetOpTypeLen(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            index: u32,
            opTypeLen: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(378) }
    }

    pub fn aclprofGetOpType(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            index: u32,
            opType: *mut ::core::ffi::c_char,
            opTypeLen: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(379) }
    }

    pub fn aclprofGetOpNameLen(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            index: u32,
            opNameLen: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(380) }
    }

    pub fn aclprofGetOpName(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            index: u32,
            opName: *mut ::core::ffi::c_char,
            opNameLen: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(381) }
    }

    pub fn aclprofGetOpStart(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opInfo: *const ::core::ffi::c_void, opInfoLen: usize, index: u32) -> u64,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(382) }
    }

    pub fn aclprofGetOpEnd(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opInfo: *const ::core::ffi::c_void, opInfoLen: usize, index: u32) -> u64,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(383) }
    }

    pub fn aclprofGetOpDuration(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opInfo: *const ::core::ffi::c_void, opInfoLen: usize, index: u32) -> u64,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(384) }
    }

    pub fn aclprofGetModelId(
        &self,
    ) -> Result<
        unsafe extern "C" fn(opInfo: *const ::core::ffi::c_void, opInfoLen: usize, index: u32) -> usize,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(385) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclprofGetOpFlag(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            index: u32,
        ) -> aclprofSubscribeOpFlag,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(386) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclprofGetOpAttriValue(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            opInfo: *const ::core::ffi::c_void,
            opInfoLen: usize,
            index: u32,
            attri: aclprofSubscribeOpAttri,
        ) -> *const ::core::ffi::c_char,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(387) }
    }

    #[doc = " ---------------------------------------------------------------------------------- marks of the program"]
    pub fn aclprofGetStepTimestamp(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            stepInfo: *mut aclprofStepInfo,
            tag: aclprofStepTag,
            stream: aclrtStream,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(388) }
    }

    pub fn aclprofCreateStepInfo(&self) -> Result<unsafe extern "C" fn() -> *mut aclprofStepInfo, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(389) }
    }

    pub fn aclprofDestroyStepInfo(
        &self,
    ) -> Result<unsafe extern "C" fn(stepinfo: *mut aclprofStepInfo), AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(390) }
    }

    pub fn aclprofCreateStamp(&self) -> Result<unsafe extern "C" fn() -> *mut ::core::ffi::c_void, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(391) }
    }

    pub fn aclprofDestroyStamp(
        &self,
    ) -> Result<unsafe extern "C" fn(stamp: *mut ::core::ffi::c_void), AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(392) }
    }

    pub fn aclprofPush(
        &self,
    ) -> Result<unsafe extern "C" fn(stamp: *mut ::core::ffi::c_void) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(393) }
    }

    pub fn aclprofPop(&self) -> Result<unsafe extern "C" fn() -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(394) }
    }

    pub fn aclprofRangeStart(
        &self,
    ) -> Result<unsafe extern "C" fn(stamp: *mut ::core::ffi::c_void, rangeId: *mut u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(395) }
    }

    pub fn aclprofRangeStop(&self) -> Result<unsafe extern "C" fn(rangeId: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(396) }
    }

    pub fn aclprofSetStampTraceMessage(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            stamp: *mut ::core::ffi::c_void,
            msg: *const ::core::ffi::c_char,
            msgLen: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(397) }
    }

    pub fn aclprofMark(
        &self,
    ) -> Result<unsafe extern "C" fn(stamp: *mut ::core::ffi::c_void) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(398) }
    }

    pub fn aclprofMarkEx(
        &self,
    ) -> Result<
        unsafe extern "C" fn(msg: *const ::core::ffi::c_char, msgLen: usize, stream: aclrtStream) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(399) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclprofStr2Id(
        &self,
    ) -> Result<unsafe extern "C" fn(message: *const ::core::ffi::c_char) -> u64, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(400) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclprofRangePushEx(
        &self,
    ) -> Result<unsafe extern "C" fn(attr: *mut aclprofEventAttributes) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(401) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn aclprofRangePop(&self) -> Result<unsafe extern "C" fn() -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(402) }
    }

    pub fn acldumpRegCallback(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            messageCallback: ::core::option::Option<
                unsafe extern "C" fn(arg1: *const acldumpChunk, arg2: i32) -> i32,
            >,
            flag: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(403) }
    }

    pub fn acldumpUnregCallback(&self) -> Result<unsafe extern "C" fn(), AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(404) }
    }

    pub fn aclopStartDumpArgs(
        &self,
    ) -> Result<unsafe extern "C" fn(dumpType: u32, path: *const ::core::ffi::c_char) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(405) }
    }

    pub fn aclopStopDumpArgs(&self) -> Result<unsafe extern "C" fn(dumpType: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(406) }
    }

    #[doc = " Since CANN 9.0."]
    pub fn acldumpGetPath(
        &self,
    ) -> Result<unsafe extern "C" fn(dumpType: acldumpType) -> *const ::core::ffi::c_char, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(407) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn acldumpSaveExceptionInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            fileName: *const ::core::ffi::c_char,
            userTag: *const ::core::ffi::c_char,
            tensors: *const acldumpTensorInfo,
            tensorCount: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(408) }
    }

    #[doc = " Since the runtime of August 2026."]
    pub fn acldumpGetExceptionInfoPath(
        &self,
    ) -> Result<unsafe extern "C" fn(path: *mut ::core::ffi::c_char, maxLen: usize) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(409) }
    }

    #[doc = " ----------------------------------------------------------------------------------------------- tensors"]
    pub fn acltdtGetTensorTypeFromItem(
        &self,
    ) -> Result<unsafe extern "C" fn(dataItem: *const acltdtDataItem) -> acltdtTensorType, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(410) }
    }

    pub fn acltdtGetDataTypeFromItem(
        &self,
    ) -> Result<unsafe extern "C" fn(dataItem: *const acltdtDataItem) -> aclDataType, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(411) }
    }

    pub fn acltdtGetDataAddrFromItem(
        &self,
    ) -> Result<unsafe extern "C" fn(dataItem: *const acltdtDataItem) -> *mut ::core::ffi::c_void, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(412) }
    }

    pub fn acltdtGetDataSizeFromItem(
        &self,
    ) -> Result<unsafe extern "C" fn(dataItem: *const acltdtDataItem) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(413) }
    }

    pub fn acltdtGetDimNumFromItem(
        &self,
    ) -> Result<unsafe extern "C" fn(dataItem: *const acltdtDataItem) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(414) }
    }

    pub fn acltdtGetSliceInfoFromItem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            dataItem: *const acltdtDataItem,
            sliceNum: *mut usize,
            sliceId: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(415) }
    }

    pub fn acltdtGetDimsFromItem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(dataItem: *const acltdtDataItem, dims: *mut i64, dimNum: usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(416) }
    }

    pub fn acltdtCreateDataItem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            tdtType: acltdtTensorType,
            dims: *const i64,
            dimNum: usize,
            dataType: aclDataType,
            data: *mut ::core::ffi::c_void,
            size: usize,
        ) -> *mut acltdtDataItem,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(417) }
    }

    pub fn acltdtDestroyDataItem(
        &self,
    ) -> Result<unsafe extern "C" fn(dataItem: *mut acltdtDataItem) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(418) }
    }

    pub fn acltdtCreateDataset(&self) -> Result<unsafe extern "C" fn() -> *mut acltdtDataset, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(419) }
    }

    pub fn acltdtDestroyDataset(
        &self,
    ) -> Result<unsafe extern "C" fn(dataset: *mut acltdtDataset) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(420) }
    }

    pub fn acltdtGetDataItem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(dataset: *const acltdtDataset, index: usize) -> *mut acltdtDataItem,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(421) }
    }

    pub fn acltdtAddDataItem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(dataset: *mut acltdtDataset, dataItem: *mut acltdtDataItem) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(422) }
    }

    pub fn acltdtGetDatasetSize(
        &self,
    ) -> Result<unsafe extern "C" fn(dataset: *const acltdtDataset) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(423) }
    }

    pub fn acltdtGetDatasetName(
        &self,
    ) -> Result<unsafe extern "C" fn(dataset: *const acltdtDataset) -> *const ::core::ffi::c_char, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(424) }
    }

    #[doc = " ---------------------------------------------------------------------------------------------- channels"]
    pub fn acltdtStopChannel(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: *mut acltdtChannelHandle) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(425) }
    }

    pub fn acltdtCreateChannel(
        &self,
    ) -> Result<
        unsafe extern "C" fn(deviceId: u32, name: *const ::core::ffi::c_char) -> *mut acltdtChannelHandle,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(426) }
    }

    pub fn acltdtCreateChannelWithCapacity(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            deviceId: u32,
            name: *const ::core::ffi::c_char,
            capacity: usize,
        ) -> *mut acltdtChannelHandle,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(427) }
    }

    pub fn acltdtDestroyChannel(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: *mut acltdtChannelHandle) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(428) }
    }

    pub fn acltdtCleanChannel(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: *mut acltdtChannelHandle) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(429) }
    }

    pub fn acltdtSendTensor(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: *const acltdtChannelHandle,
            dataset: *const acltdtDataset,
            timeout: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(430) }
    }

    pub fn acltdtReceiveTensor(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            handle: *const acltdtChannelHandle,
            dataset: *mut acltdtDataset,
            timeout: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(431) }
    }

    pub fn acltdtQueryChannelSize(
        &self,
    ) -> Result<
        unsafe extern "C" fn(handle: *const acltdtChannelHandle, size: *mut usize) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(432) }
    }

    #[doc = " ------------------------------------------------------------------------------------------------ queues"]
    pub fn acltdtCreateQueue(
        &self,
    ) -> Result<unsafe extern "C" fn(attr: *const acltdtQueueAttr, qid: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(433) }
    }

    pub fn acltdtDestroyQueue(&self) -> Result<unsafe extern "C" fn(qid: u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(434) }
    }

    pub fn acltdtEnqueue(
        &self,
    ) -> Result<unsafe extern "C" fn(qid: u32, buf: acltdtBuf, timeout: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(435) }
    }

    pub fn acltdtDequeue(
        &self,
    ) -> Result<unsafe extern "C" fn(qid: u32, buf: *mut acltdtBuf, timeout: i32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(436) }
    }

    pub fn acltdtEnqueueData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            qid: u32,
            data: *const ::core::ffi::c_void,
            dataSize: usize,
            userData: *const ::core::ffi::c_void,
            userDataSize: usize,
            timeout: i32,
            rsv: u32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(437) }
    }

    pub fn acltdtDequeueData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            qid: u32,
            data: *mut ::core::ffi::c_void,
            dataSize: usize,
            retDataSize: *mut usize,
            userData: *mut ::core::ffi::c_void,
            userDataSize: usize,
            timeout: i32,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(438) }
    }

    pub fn acltdtGrantQueue(
        &self,
    ) -> Result<unsafe extern "C" fn(qid: u32, pid: i32, permission: u32, timeout: i32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(439) }
    }

    pub fn acltdtAttachQueue(
        &self,
    ) -> Result<unsafe extern "C" fn(qid: u32, timeout: i32, permission: *mut u32) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(440) }
    }

    #[doc = " ------------------------------------------------------------------------------------------------ routes"]
    pub fn acltdtBindQueueRoutes(
        &self,
    ) -> Result<unsafe extern "C" fn(qRouteList: *mut acltdtQueueRouteList) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(441) }
    }

    pub fn acltdtUnbindQueueRoutes(
        &self,
    ) -> Result<unsafe extern "C" fn(qRouteList: *mut acltdtQueueRouteList) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(442) }
    }

    pub fn acltdtQueryQueueRoutes(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            queryInfo: *const acltdtQueueRouteQueryInfo,
            qRouteList: *mut acltdtQueueRouteList,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(443) }
    }

    #[doc = " ----------------------------------------------------------------------------------------------- buffers"]
    pub fn acltdtAllocBuf(
        &self,
    ) -> Result<unsafe extern "C" fn(size: usize, type_: u32, buf: *mut acltdtBuf) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(444) }
    }

    pub fn acltdtFreeBuf(&self) -> Result<unsafe extern "C" fn(buf: acltdtBuf) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(445) }
    }

    pub fn acltdtGetBufData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            buf: acltdtBuf,
            dataPtr: *mut *mut ::core::ffi::c_void,
            size: *mut usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(446) }
    }

    pub fn acltdtSetBufDataLen(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: acltdtBuf, len: usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(447) }
    }

    pub fn acltdtGetBufDataLen(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: acltdtBuf, len: *mut usize) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(448) }
    }

    pub fn acltdtAppendBufChain(
        &self,
    ) -> Result<unsafe extern "C" fn(headBuf: acltdtBuf, buf: acltdtBuf) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(449) }
    }

    pub fn acltdtGetBufChainNum(
        &self,
    ) -> Result<unsafe extern "C" fn(headBuf: acltdtBuf, num: *mut u32) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(450) }
    }

    pub fn acltdtGetBufFromChain(
        &self,
    ) -> Result<unsafe extern "C" fn(headBuf: acltdtBuf, index: u32, buf: *mut acltdtBuf) -> aclError, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(451) }
    }

    pub fn acltdtGetBufUserData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            buf: acltdtBuf,
            dataPtr: *mut ::core::ffi::c_void,
            size: usize,
            offset: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(452) }
    }

    pub fn acltdtSetBufUserData(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            buf: acltdtBuf,
            dataPtr: *const ::core::ffi::c_void,
            size: usize,
            offset: usize,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(453) }
    }

    pub fn acltdtCopyBufRef(
        &self,
    ) -> Result<unsafe extern "C" fn(buf: acltdtBuf, newBuf: *mut acltdtBuf) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(454) }
    }

    #[doc = " -------------------------------------------------------------------------------------------- attributes"]
    pub fn acltdtCreateQueueAttr(&self) -> Result<unsafe extern "C" fn() -> *mut acltdtQueueAttr, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(455) }
    }

    pub fn acltdtDestroyQueueAttr(
        &self,
    ) -> Result<unsafe extern "C" fn(attr: *const acltdtQueueAttr) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(456) }
    }

    pub fn acltdtSetQueueAttr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *mut acltdtQueueAttr,
            type_: acltdtQueueAttrType,
            len: usize,
            param: *const ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(457) }
    }

    pub fn acltdtGetQueueAttr(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            attr: *const acltdtQueueAttr,
            type_: acltdtQueueAttrType,
            len: usize,
            paramRetSize: *mut usize,
            param: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(458) }
    }

    pub fn acltdtCreateQueueRoute(
        &self,
    ) -> Result<unsafe extern "C" fn(srcId: u32, dstId: u32) -> *mut acltdtQueueRoute, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(459) }
    }

    pub fn acltdtDestroyQueueRoute(
        &self,
    ) -> Result<unsafe extern "C" fn(route: *const acltdtQueueRoute) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(460) }
    }

    pub fn acltdtGetQueueRouteParam(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            route: *const acltdtQueueRoute,
            type_: acltdtQueueRouteParamType,
            len: usize,
            paramRetSize: *mut usize,
            param: *mut ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(461) }
    }

    pub fn acltdtCreateQueueRouteList(
        &self,
    ) -> Result<unsafe extern "C" fn() -> *mut acltdtQueueRouteList, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(462) }
    }

    pub fn acltdtDestroyQueueRouteList(
        &self,
    ) -> Result<unsafe extern "C" fn(routeList: *const acltdtQueueRouteList) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(463) }
    }

    pub fn acltdtAddQueueRoute(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            routeList: *mut acltdtQueueRouteList,
            route: *const acltdtQueueRoute,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(464) }
    }

    pub fn acltdtGetQueueRoute(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            routeList: *const acltdtQueueRouteList,
            index: usize,
            route: *mut acltdtQueueRoute,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(465) }
    }

    pub fn acltdtGetQueueRouteNum(
        &self,
    ) -> Result<unsafe extern "C" fn(routeList: *const acltdtQueueRouteList) -> usize, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(466) }
    }

    pub fn acltdtCreateQueueRouteQueryInfo(
        &self,
    ) -> Result<unsafe extern "C" fn() -> *mut acltdtQueueRouteQueryInfo, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(467) }
    }

    pub fn acltdtDestroyQueueRouteQueryInfo(
        &self,
    ) -> Result<unsafe extern "C" fn(info: *const acltdtQueueRouteQueryInfo) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(468) }
    }

    pub fn acltdtSetQueueRouteQueryInfo(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            param: *mut acltdtQueueRouteQueryInfo,
            type_: acltdtQueueRouteQueryInfoParamType,
            len: usize,
            value: *const ::core::ffi::c_void,
        ) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(469) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclskOptimize(
        &self,
    ) -> Result<unsafe extern "C" fn(model: aclmdlRI, options: *mut aclskOptions) -> aclError, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(470) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclskScopeBegin(
        &self,
    ) -> Result<
        unsafe extern "C" fn(scopeName: *const ::core::ffi::c_char, stream: aclrtStream) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(471) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn aclskScopeEnd(
        &self,
    ) -> Result<
        unsafe extern "C" fn(scopeName: *const ::core::ffi::c_char, stream: aclrtStream) -> aclError,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(472) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclGetRootInfoScalable(
        &self,
    ) -> Result<unsafe extern "C" fn(rootInfo: *mut HcclRootInfo) -> HcclResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(473) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclCommInitRootInfoScalable(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            nRanks: u32,
            nRoot: u32,
            rootInfoList: *const HcclRootInfo,
            rank: u32,
            nExtRoot: u32,
            config: *const HcclCommConfig,
            comm: *mut HcclComm,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(474) }
    }

    pub fn HcclSetConfig(
        &self,
    ) -> Result<unsafe extern "C" fn(config: HcclConfig, configValue: HcclConfigValue) -> HcclResult, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(475) }
    }

    pub fn HcclGetConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(config: HcclConfig, configValue: *mut HcclConfigValue) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(476) }
    }

    #[doc = " Combines the buffers and scatters parts of unequal length. `sendCounts` and `sendDispls` are arrays of\n uint64_t, one per rank."]
    pub fn HcclReduceScatterV(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            sendCounts: *const ::core::ffi::c_void,
            sendDispls: *const ::core::ffi::c_void,
            recvBuf: *mut ::core::ffi::c_void,
            recvCount: u64,
            dataType: HcclDataType,
            op: HcclReduceOp,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(477) }
    }

    #[doc = " Gathers buffers of unequal length. `recvCounts` and `recvDispls` are arrays of uint64_t, one per rank."]
    pub fn HcclAllGatherV(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            sendCount: u64,
            recvBuf: *mut ::core::ffi::c_void,
            recvCounts: *const ::core::ffi::c_void,
            recvDispls: *const ::core::ffi::c_void,
            dataType: HcclDataType,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(478) }
    }

    #[doc = " As HcclAlltoAllV, with the counts of all ranks in one matrix of uint64_t: what row sends to column.\n Since CANN 8.5."]
    pub fn HcclAlltoAllVC(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            sendBuf: *const ::core::ffi::c_void,
            sendCountMatrix: *const ::core::ffi::c_void,
            sendType: HcclDataType,
            recvBuf: *const ::core::ffi::c_void,
            recvType: HcclDataType,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(479) }
    }

    #[doc = " Returns the number of members of HcclCommConfig that this release supports."]
    pub fn HcclGetCommConfigCapability(&self) -> Result<unsafe extern "C" fn() -> u32, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(480) }
    }

    pub fn HcclCommSuspend(&self) -> Result<unsafe extern "C" fn(comm: HcclComm) -> HcclResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(481) }
    }

    pub fn HcclCommResume(&self) -> Result<unsafe extern "C" fn(comm: HcclComm) -> HcclResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(482) }
    }

    pub fn HcclCommSetMemoryRange(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            baseVirPtr: *mut ::core::ffi::c_void,
            size: usize,
            alignment: usize,
            flags: u64,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(483) }
    }

    pub fn HcclCommUnsetMemoryRange(
        &self,
    ) -> Result<
        unsafe extern "C" fn(comm: HcclComm, baseVirPtr: *mut ::core::ffi::c_void) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(484) }
    }

    pub fn HcclCommActivateCommMemory(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            virPtr: *mut ::core::ffi::c_void,
            size: usize,
            offset: usize,
            handle: aclrtDrvMemHandle,
            flags: u64,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(485) }
    }

    pub fn HcclCommDeactivateCommMemory(
        &self,
    ) -> Result<unsafe extern "C" fn(comm: HcclComm, virPtr: *mut ::core::ffi::c_void) -> HcclResult, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(486) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclCommWorkingDevNicSet(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            ranks: *mut u32,
            useBackup: *mut bool,
            nRanks: u32,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(487) }
    }

    #[doc = " From here to HcclGroupEnd, collectives of this thread are only noted. Since CANN 8.5."]
    pub fn HcclGroupStart(&self) -> Result<unsafe extern "C" fn() -> HcclResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(488) }
    }

    #[doc = " Issues the calls deferred since HcclGroupStart. Since CANN 8.5."]
    pub fn HcclGroupEnd(&self) -> Result<unsafe extern "C" fn() -> HcclResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(489) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclSetCommConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(comm: HcclComm, config: HcclConfig, configValue: HcclConfigValue) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(490) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclGetCommConfig(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            config: HcclConfig,
            configValue: *mut HcclConfigValue,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(491) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclCommRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            addr: *mut ::core::ffi::c_void,
            size: u64,
            handle: *mut *mut ::core::ffi::c_void,
            flag: u32,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(492) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclCommDeregister(
        &self,
    ) -> Result<unsafe extern "C" fn(comm: HcclComm, handle: *mut ::core::ffi::c_void) -> HcclResult, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(493) }
    }

    #[doc = " Since CANN 8.5."]
    pub fn HcclCommExchangeMem(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            windowHandle: *mut ::core::ffi::c_void,
            peerRanks: *mut u32,
            peerRankNum: u32,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(494) }
    }

    #[doc = " Registers memory as a window that all ranks have at the same place. Since CANN 9.2."]
    pub fn HcclCommSymWinRegister(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            addr: *mut ::core::ffi::c_void,
            size: u64,
            win: *mut HcclCommSymWindow,
            flag: u32,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(495) }
    }

    #[doc = " Ends a window. Since CANN 9.2."]
    pub fn HcclCommSymWinDeregister(
        &self,
    ) -> Result<unsafe extern "C" fn(win: HcclCommSymWindow) -> HcclResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(496) }
    }

    #[doc = " Window that holds memory, and the offset of the memory in it. Since CANN 9.2."]
    pub fn HcclCommSymWinGet(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            comm: HcclComm,
            ptr: *mut ::core::ffi::c_void,
            size: usize,
            win: *mut HcclCommSymWindow,
            offset: *mut usize,
        ) -> HcclResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(497) }
    }

    #[doc = " Creates an endpoint. Since CANN 9.0."]
    pub fn HcommEndpointCreate(
        &self,
    ) -> Result<
        unsafe extern "C" fn(endpoint: *const EndpointDesc, handle: *mut EndpointHandle) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(498) }
    }

    #[doc = " Destroys an endpoint; its memory and channels must be gone. Since CANN 9.0."]
    pub fn HcommEndpointDestroy(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: EndpointHandle) -> HcommResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(499) }
    }

    #[doc = " Port that an endpoint listens at. Since CANN 9.0."]
    pub fn HcommEndpointGetListenPort(
        &self,
    ) -> Result<unsafe extern "C" fn(handle: EndpointHandle, port: *mut u32) -> HcommResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(500) }
    }

    #[doc = " Number of endpoints of a device. Since CANN 9.0."]
    pub fn HcommEndpointGetDescNum(
        &self,
    ) -> Result<unsafe extern "C" fn(logicDevice: i32, num: *mut u32) -> HcommResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(501) }
    }

    #[doc = " Endpoints of a device; num is the room, then their number. Since CANN 9.0."]
    pub fn HcommEndpointGetDescs(
        &self,
    ) -> Result<
        unsafe extern "C" fn(logicDevice: i32, num: *mut u32, endpoints: *mut EndpointDesc) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(502) }
    }

    #[doc = " Reports if an endpoint has a feature. Since CANN 9.0."]
    pub fn HcommEndpointCheckFeature(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            feature: i32,
            endpoint: *const EndpointDesc,
            supported: *mut bool,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(503) }
    }

    #[doc = " Registers memory with an endpoint. Since CANN 9.0."]
    pub fn HcommMemReg(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            endpoint: EndpointHandle,
            tag: *const ::core::ffi::c_char,
            mem: *const CommMem,
            handle: *mut HcommMemHandle,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(504) }
    }

    #[doc = " Ends a registration. Since CANN 9.0."]
    pub fn HcommMemUnreg(
        &self,
    ) -> Result<unsafe extern "C" fn(endpoint: EndpointHandle, handle: HcommMemHandle) -> HcommResult, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(505) }
    }

    #[doc = " Describes registered memory for other processes; the bytes live as long as the registration.\n Since CANN 9.0."]
    pub fn HcommMemExport(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            endpoint: EndpointHandle,
            handle: HcommMemHandle,
            desc: *mut *mut ::core::ffi::c_void,
            len: *mut u32,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(506) }
    }

    #[doc = " Makes exported memory usable on channels of an endpoint. Since CANN 9.0."]
    pub fn HcommMemImport(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            endpoint: EndpointHandle,
            desc: *const ::core::ffi::c_void,
            len: u32,
            mem: *mut CommMem,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(507) }
    }

    #[doc = " Ends an import. Since CANN 9.0."]
    pub fn HcommMemUnimport(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            endpoint: EndpointHandle,
            desc: *const ::core::ffi::c_void,
            len: u32,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(508) }
    }

    #[doc = " Allocates memory for communication. Since CANN 9.2."]
    pub fn HcommMemAlloc(
        &self,
    ) -> Result<unsafe extern "C" fn(ptr: *mut *mut ::core::ffi::c_void, size: usize) -> HcommResult, AclError>
    {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(509) }
    }

    #[doc = " Frees it. Since CANN 9.2."]
    pub fn HcommMemFree(
        &self,
    ) -> Result<unsafe extern "C" fn(ptr: *mut ::core::ffi::c_void) -> HcommResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(510) }
    }

    #[doc = " Creates channels and begins to connect them. Since CANN 9.0."]
    pub fn HcommChannelCreate(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            endpoint: EndpointHandle,
            engine: CommEngine,
            descs: *mut HcommChannelDesc,
            num: u32,
            channels: *mut ChannelHandle,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(511) }
    }

    #[doc = " Destroys channels. Since CANN 9.0."]
    pub fn HcommChannelDestroy(
        &self,
    ) -> Result<unsafe extern "C" fn(channels: *const ChannelHandle, num: u32) -> HcommResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(512) }
    }

    #[doc = " Status of channels: 0 connected. Since CANN 9.0."]
    pub fn HcommChannelGetStatus(
        &self,
    ) -> Result<
        unsafe extern "C" fn(channels: *const ChannelHandle, num: u32, status: *mut i32) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(513) }
    }

    #[doc = " Makes threads, each with so many notifies. Since CANN 9.0."]
    pub fn HcommThreadAlloc(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            engine: CommEngine,
            num: u32,
            notifyNumPerThread: *const u32,
            threads: *mut ThreadHandle,
        ) -> HcommResult,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(514) }
    }

    #[doc = " Ends threads. Since CANN 9.0."]
    pub fn HcommThreadFree(
        &self,
    ) -> Result<unsafe extern "C" fn(threads: *const ThreadHandle, num: u32) -> HcommResult, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(515) }
    }

    #[doc = " Copies from the peer. Since CANN 9.0."]
    pub fn HcommReadOnThread(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            thread: ThreadHandle,
            channel: ChannelHandle,
            dst: *mut ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            len: u64,
        ) -> i32,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(516) }
    }

    #[doc = " Copies to the peer. Since CANN 9.0."]
    pub fn HcommWriteOnThread(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            thread: ThreadHandle,
            channel: ChannelHandle,
            dst: *mut ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            len: u64,
        ) -> i32,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(517) }
    }

    #[doc = " Copies from the peer; complete behind a fence. Since CANN 9.0."]
    pub fn HcommReadNbiOnThread(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            thread: ThreadHandle,
            channel: ChannelHandle,
            dst: *mut ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            len: u64,
        ) -> i32,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(518) }
    }

    #[doc = " Copies to the peer; complete behind a fence. Since CANN 9.0."]
    pub fn HcommWriteNbiOnThread(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            thread: ThreadHandle,
            channel: ChannelHandle,
            dst: *mut ::core::ffi::c_void,
            src: *const ::core::ffi::c_void,
            len: u64,
        ) -> i32,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(519) }
    }

    #[doc = " Completes the copies of a channel. Since CANN 9.0."]
    pub fn HcommChannelFenceOnThread(
        &self,
    ) -> Result<unsafe extern "C" fn(thread: ThreadHandle, channel: ChannelHandle) -> i32, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(520) }
    }

    #[doc = " Begins a batch of calls. Since CANN 9.0."]
    pub fn HcommBatchModeStart(
        &self,
    ) -> Result<unsafe extern "C" fn(batchTag: *const ::core::ffi::c_char) -> i32, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(521) }
    }

    #[doc = " Ends it. Since CANN 9.0."]
    pub fn HcommBatchModeEnd(
        &self,
    ) -> Result<unsafe extern "C" fn(batchTag: *const ::core::ffi::c_char) -> i32, AclError> {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(522) }
    }

    #[doc = " Makes several transfers. Since CANN 9.0."]
    pub fn HcommBatchTransferOnThread(
        &self,
    ) -> Result<
        unsafe extern "C" fn(
            thread: ThreadHandle,
            channel: ChannelHandle,
            descs: *const HcommBatchTransferDesc,
            num: u32,
        ) -> i32,
        AclError,
    > {
        // SAFETY: the function at this index of the table has this type.
        unsafe { self.find(523) }
    }
}
