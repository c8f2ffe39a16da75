// SPDX-License-Identifier: Apache-2.0 OR MIT
// Fusion of the kernels of a graph into one.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_SUPER_KERNEL_H
#define ASCEND_ABI_SUPER_KERNEL_H

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aclskEarlyStartValue {
    ACLSK_EARLY_START_DISABLED = 0,
    ACLSK_EARLY_START_ENABLED = 1,
} aclskEarlyStartValue;

typedef enum aclskOptionType {
    PRELOAD_CODE = 0,
    SPLIT_MODE = 1,
    STREAM_FUSION = 2,
    DCCI_DISABLE_ON_KERNEL = 3,
    DEBUG_SYNC_ALL = 4,
    KERNEL_MAP = 5,
    CONSTANT_CODEGEN = 6,
    AUTO_OP_PARALLEL = 7,
    DCCI_BEFORE_KERNEL_START = 8,
    DEBUG_OP_EXEC_TRACE = 9,
    DEBUG_CROSS_CORE_SYNC_CHECK = 10,
    OPT_EXTEND_OPTION = 11,
    DEBUG_EXTEND_OPTION = 12,
    DCCI_AFTER_KERNEL_END = 13,
    AGGRESSIVE_OPT_STRATEGIES = 14,
    UBUF_LOCK_IGNORE_KERNEL = 15,
    EARLY_START = 16,
    DEBUG_PER_OP_MAX_CORE_NUM = 17,
    SK_OPTION_MAX = 18,
} aclskOptionType;

typedef enum aclskValueBreakerBypassFlag {
    ACLSK_VALUE_BREAKER_BYPASS_NONE = 0,
    ACLSK_VALUE_BREAKER_BYPASS_PAIRED_WAIT = 1,
    ACLSK_VALUE_BREAKER_BYPASS_UNPAIRED_WAIT = 2,
} aclskValueBreakerBypassFlag;

typedef struct aclskAggressiveOptStrategies {
    uint32_t eventBreakerBypass;
    uint32_t valueBreakerBypass;
    uint32_t taskBreakerBypass;
} aclskAggressiveOptStrategies;

typedef struct aclskAutoOpParallelOption {
    uint32_t enableAutoOpParallel;
} aclskAutoOpParallelOption;

typedef struct aclskConstantCodegenOption {
    uint32_t enableConstant;
} aclskConstantCodegenOption;

typedef struct aclskDcciOption {
    char **kernelNames;
    size_t kernelCnt;
} aclskDcciOption;

typedef struct aclskDebugCrossCoreSyncCheckOption {
    uint32_t enableCrossCoreSyncCheck;
} aclskDebugCrossCoreSyncCheckOption;

typedef struct aclskDebugOpExecTraceOption {
    uint32_t enableOpExecTrace;
} aclskDebugOpExecTraceOption;

typedef struct aclskDebugPerOpMaxCoreNumOption {
    uint32_t enableDebugPerOpMaxCoreNum;
} aclskDebugPerOpMaxCoreNumOption;

typedef struct aclskDebugSyncAllOption {
    uint32_t debugSyncAll;
} aclskDebugSyncAllOption;

typedef struct aclskEarlyStartOption {
    uint32_t enableEarlyStart;
} aclskEarlyStartOption;

typedef struct aclskExtendOption {
    char *value;
} aclskExtendOption;

typedef struct aclskKernelMap {
    char *globalName;
    char *sknlNames[4];
} aclskKernelMap;

typedef struct aclskKernelMapOption {
    aclskKernelMap *kernelMaps;
    size_t numKernels;
} aclskKernelMapOption;

typedef struct aclskPreloadOption {
    uint32_t preloadMode;
} aclskPreloadOption;

typedef struct aclskSplitModeOption {
    uint32_t splitCnt;
} aclskSplitModeOption;

typedef struct aclskStreamFusionOption {
    uint32_t streamFusion;
} aclskStreamFusionOption;

typedef struct aclskUbufLockIgnoreKernelOption {
    uint32_t ubufLockIgnoreKernelCnt;
    char **ubufLockIgnoreKernel;
} aclskUbufLockIgnoreKernelOption;

/// An option of the fusion.
typedef struct aclskOption {
    aclskOptionType optionType;
    union {
        aclskPreloadOption preload;
        aclskSplitModeOption splitMode;
        aclskStreamFusionOption streamFusion;
        aclskDcciOption disableKernelDcci;
        aclskDebugSyncAllOption debugSync;
        aclskKernelMapOption kernelMap;
        aclskConstantCodegenOption constantCodegen;
        aclskAutoOpParallelOption autoOpParallel;
        aclskDcciOption dcciBeforeKernelStart;
        aclskDebugOpExecTraceOption debugOpExecTrace;
        aclskDebugCrossCoreSyncCheckOption debugCrossCoreSyncCheck;
        aclskExtendOption optExtend;
        aclskExtendOption debugExtend;
        aclskDcciOption dcciAfterKernelEnd;
        aclskAggressiveOptStrategies aggressiveOpts;
        aclskUbufLockIgnoreKernelOption ubufLockIgnoreKernel;
        aclskEarlyStartOption earlyStart;
        aclskDebugPerOpMaxCoreNumOption debugPerOpMaxCoreNum;
    };
} aclskOption;

typedef struct aclskOptions {
    aclskOption *options;
    size_t numOptions;
} aclskOptions;

/// Since CANN 8.5.
aclError aclskOptimize(aclmdlRI model, aclskOptions *options);
/// Since CANN 8.5.
aclError aclskScopeBegin(const char *scopeName, aclrtStream stream);
/// Since CANN 8.5.
aclError aclskScopeEnd(const char *scopeName, aclrtStream stream);

#ifdef __cplusplus
}
#endif
#endif
