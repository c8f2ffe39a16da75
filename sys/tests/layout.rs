// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sizes, offsets and numbers of the binary interface, written down a second time: the bindings are generated
//! from our headers, so only numbers that do not come from there can find a mistake in them.

use std::mem::{offset_of, size_of};

use ascend_acl_sys::raw::types::*;

/// `layout!(Struct, size, { field: offset, … })`
macro_rules! layout {
    ($name:ident, $size:literal $(, { $($field:ident: $offset:literal),* $(,)? })?) => {
        assert_eq!(size_of::<$name>(), $size, concat!("size of ", stringify!($name)));
        $($(assert_eq!(
            offset_of!($name, $field),
            $offset,
            concat!("offset of ", stringify!($name), "::", stringify!($field))
        );)*)?
    };
}

/// `numbers!(NAME = value, …)`
macro_rules! numbers {
    ($($name:ident = $value:literal),* $(,)?) => {
        $(assert_eq!($name, $value, stringify!($name));)*
    };
}

#[path = "layout/optional.rs"]
mod optional;

#[test]
fn s14_1_handles_are_pointers_and_enumerations_have_4_bytes() {
    macro_rules! sizes {
        ($bytes:literal: $($name:ty),*) => { $(assert_eq!(size_of::<$name>(), $bytes, stringify!($name));)* };
    }
    sizes!(8: aclrtContext, aclrtStream, aclrtEvent, aclrtNotify, aclrtCntNotify, aclrtLabel, aclrtDrvMemHandle,
        aclrtBinary, aclrtBinHandle, aclrtFuncHandle, aclrtArgsHandle, aclrtParamHandle, HcclComm, aclrtCallback,
        aclrtHostFunc, DVdeviceptr);
    sizes!(4: aclError, drvError_t, HcclResult, rtError_t, aclrtRunMode, aclrtDevAttr, aclrtMemcpyKind,
        aclrtMemMallocPolicy, aclrtMemAttr, aclrtMemLocationType, aclrtMemAllocationType, aclrtMemHandleType,
        aclrtMemSharedHandleType, aclrtMemGranularityOptions, aclrtMemAccessFlags, aclrtHostRegisterType,
        aclrtMallocAttrType, aclrtCmoType, aclrtReduceKind, aclrtHacType, aclrtStreamStatus,
        aclrtEventRecordedStatus, aclrtEventStatus, aclrtEventWaitStatus, aclrtCallbackBlockType, aclrtStreamAttr,
        aclrtStreamConfigAttr, aclrtCntNotifyRecordMode, aclrtCntNotifyWaitMode, aclrtFuncAttribute,
        aclrtLaunchKernelAttrId, aclrtBinaryLoadOptionType, aclDataType, HcclDataType, HcclReduceOp);
}

#[test]
fn s14_2_memory_numbers() {
    numbers!(
        ACL_MEMCPY_HOST_TO_HOST = 0,
        ACL_MEMCPY_HOST_TO_DEVICE = 1,
        ACL_MEMCPY_DEVICE_TO_HOST = 2,
        ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
        ACL_MEMCPY_DEFAULT = 4,
        ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
        ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,
        ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7
    );
    numbers!(
        ACL_MEM_MALLOC_HUGE_FIRST = 0,
        ACL_MEM_MALLOC_HUGE_ONLY = 1,
        ACL_MEM_MALLOC_NORMAL_ONLY = 2,
        ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
        ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
        ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
        ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
        ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
        ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,
        ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
        ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
    );
    numbers!(
        ACL_DDR_MEM = 0,
        ACL_HBM_MEM = 1,
        ACL_DDR_MEM_HUGE = 2,
        ACL_DDR_MEM_NORMAL = 3,
        ACL_HBM_MEM_HUGE = 4,
        ACL_HBM_MEM_NORMAL = 5,
        ACL_DDR_MEM_P2P_HUGE = 6,
        ACL_DDR_MEM_P2P_NORMAL = 7,
        ACL_HBM_MEM_P2P_HUGE = 8,
        ACL_HBM_MEM_P2P_NORMAL = 9,
        ACL_HBM_MEM_HUGE1G = 10,
        ACL_HBM_MEM_P2P_HUGE1G = 11,
        ACL_MEM_NORMAL = 12,
        ACL_MEM_HUGE = 13,
        ACL_MEM_HUGE1G = 14,
        ACL_MEM_P2P_NORMAL = 15,
        ACL_MEM_P2P_HUGE = 16,
        ACL_MEM_P2P_HUGE1G = 17
    );
    numbers!(
        ACL_MEM_LOCATION_TYPE_HOST = 0,
        ACL_MEM_LOCATION_TYPE_DEVICE = 1,
        ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,
        ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4,
        ACL_MEM_ALLOCATION_TYPE_PINNED = 0,
        ACL_MEM_HANDLE_TYPE_NONE = 0,
        ACL_MEM_HANDLE_TYPE_POSIX = 2,
        ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
        ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2,
        ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
        ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
        ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 0xFFFF,
        ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
        ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
        ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3
    );
    numbers!(
        ACL_HOST_REGISTER_MAPPED = 0,
        ACL_HOST_REGISTER_IOMEMORY = 4,
        ACL_HOST_REGISTER_READONLY = 8,
        ACL_HOST_REG_MAPPED = 0x2,
        ACL_HOST_REG_IOMEMORY = 0x4,
        ACL_HOST_REG_READONLY = 0x8,
        ACL_HOST_REG_PINNED = 0x10000000,
        ACL_RT_MEM_ATTR_RSV = 0,
        ACL_RT_MEM_ATTR_MODULE_ID = 1,
        ACL_RT_MEM_ATTR_DEVICE_ID = 2,
        ACL_RT_MEM_ATTR_VA_FLAG = 3
    );
    numbers!(
        ACL_RT_VMM_EXPORT_FLAG_DEFAULT = 0,
        ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION = 1,
        ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT = 0,
        ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION = 1,
        ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT = 0,
        ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS = 1,
        ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT = 0,
        ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION = 2,
        ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT = 0,
        ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS = 2
    );
    numbers!(
        ACL_RT_CMO_TYPE_PREFETCH = 0,
        ACL_RT_CMO_TYPE_WRITEBACK = 1,
        ACL_RT_CMO_TYPE_INVALID = 2,
        ACL_RT_CMO_TYPE_FLUSH = 3,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
    );
    numbers!(
        ACL_RT_HAC_TYPE_STARS = 0,
        ACL_RT_HAC_TYPE_AICPU = 1,
        ACL_RT_HAC_TYPE_AIC = 2,
        ACL_RT_HAC_TYPE_AIV = 3,
        ACL_RT_HAC_TYPE_PCIEDMA = 4,
        ACL_RT_HAC_TYPE_RDMA = 5,
        ACL_RT_HAC_TYPE_SDMA = 6,
        ACL_RT_HAC_TYPE_DVPP = 7,
        ACL_RT_HAC_TYPE_UDMA = 8,
        ACL_RT_HAC_TYPE_CCU = 9
    );
}

#[test]
fn s14_3_memory_structs() {
    layout!(aclrtMemLocation, 8, { id: 0, type_: 4 });
    layout!(aclrtPtrAttributes, 28, { location: 0, pageSize: 8, rsv: 12 });
    layout!(aclrtPhysicalMemProp, 32, {
        handleType: 0, allocationType: 4, memAttr: 8, location: 12, reserve: 24,
    });
    layout!(aclrtMemAccessDesc, 24, { flags: 0, location: 4, rsv: 12 });
    layout!(aclrtMemFabricHandle, 128);
    layout!(aclrtMemcpyBatchAttr, 32, { dstLoc: 0, srcLoc: 8, rsv: 16 });
    layout!(aclrtMallocAttribute, 12, { attr: 0, value: 4 });
    layout!(aclrtMallocAttrValue, 8);
    layout!(aclrtMallocConfig, 16, { attrs: 0, numAttrs: 8 });
    layout!(aclrtServerPid, 24, { sdid: 0, pid: 8, num: 16 });
    layout!(aclrtMemUsageInfo, 112, { name: 0, curMemSize: 32, memPeakSize: 40, reserved: 48 });
    layout!(aclrtMemUceInfo, 128, { addr: 0, len: 8, reserved: 16 });
}

#[test]
fn s14_4_stream_event_and_callback() {
    numbers!(
        ACL_STREAM_STATUS_COMPLETE = 0,
        ACL_STREAM_STATUS_NOT_READY = 1,
        ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
        ACL_EVENT_RECORDED_STATUS_COMPLETE = 1,
        ACL_EVENT_STATUS_COMPLETE = 0,
        ACL_EVENT_STATUS_NOT_READY = 1,
        ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
        ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
        ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF,
        ACL_CALLBACK_NO_BLOCK = 0,
        ACL_CALLBACK_BLOCK = 1
    );
    numbers!(
        ACL_STREAM_ATTR_FAILURE_MODE = 1,
        ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
        ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
        ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
        ACL_STREAM_ATTR_PRIORITY = 5,
        ACL_RT_STREAM_WORK_ADDR_PTR = 0,
        ACL_RT_STREAM_WORK_SIZE = 1,
        ACL_RT_STREAM_FLAG = 2,
        ACL_RT_STREAM_PRIORITY = 3
    );
    numbers!(
        ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
        ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4,
        ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
        ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
        ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
    );
    // Rules 43, 48 and 53: flags of streams and events, conditions of value waits.
    numbers!(
        ACL_STREAM_FAST_LAUNCH = 1,
        ACL_STREAM_FAST_SYNC = 2,
        ACL_STREAM_PERSISTENT = 4,
        ACL_STREAM_HUGE = 8,
        ACL_STREAM_CPU_SCHEDULE = 0x10,
        ACL_STREAM_DEVICE_USE_ONLY = 0x20,
        ACL_EVENT_SYNC = 1,
        ACL_EVENT_CAPTURE_STREAM_PROGRESS = 2,
        ACL_EVENT_TIME_LINE = 8,
        ACL_EVENT_DEVICE_USE_ONLY = 0x10,
        ACL_EVENT_EXTERNAL = 0x20,
        ACL_EVENT_IPC = 0x40,
        ACL_STREAM_WAIT_VALUE_GEQ = 0,
        ACL_STREAM_WAIT_VALUE_EQ = 1,
        ACL_STREAM_WAIT_VALUE_AND = 2,
        ACL_STREAM_WAIT_VALUE_NOR = 3
    );

    layout!(aclrtStreamAttrValue, 16);
    assert_eq!(align_of::<aclrtStreamAttrValue>(), 8);
    layout!(aclrtStreamConfigHandle, 32, { workptr: 0, workSize: 8, flag: 16, priority: 24 });
    layout!(aclrtIpcEventHandle, 64);
    layout!(aclrtUuid, 16);
    layout!(aclrtCntNotifyWaitInfo, 16, { mode: 0, value: 4, timeout: 8, isClear: 12, rsv: 13 });
}

#[test]
fn s14_5_kernel() {
    layout!(aclrtBinaryLoadOption, 20, { type_: 0, value: 4 });
    layout!(aclrtBinaryLoadOptionValue, 16);
    layout!(aclrtBinaryLoadOptions, 16, { options: 0, numOpt: 8 });
    layout!(aclrtLaunchKernelAttr, 20, { id: 0, value: 4 });
    layout!(aclrtLaunchKernelAttrValue, 16);
    layout!(aclrtLaunchKernelCfg, 16, { attrs: 0, numAttrs: 8 });
    layout!(aclrtPlaceHolderInfo, 8, { addrOffset: 0, dataOffset: 4 });
    numbers!(
        ACL_FUNC_ATTR_KERNEL_TYPE = 1,
        ACL_FUNC_ATTR_KERNEL_RATIO = 2,
        ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3,
        ACL_KERNEL_TYPE_AICORE = 0,
        ACL_KERNEL_TYPE_CUBE = 1,
        ACL_KERNEL_TYPE_VECTOR = 2,
        ACL_KERNEL_TYPE_MIX = 3,
        ACL_KERNEL_TYPE_AICPU = 100
    );
    // Rules 55 and 60: options of loading, attributes of launches.
    numbers!(
        ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
        ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
        ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3,
        ACL_RT_BINARY_MAGIC_ELF_AICORE = 0x43554245,
        ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE = 0x41415246,
        ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE = 0x41494343,
        ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
        ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
        ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
        ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
        ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
        ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
        ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
        ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
        ACL_RT_ENGINE_TYPE_AIC = 0,
        ACL_RT_ENGINE_TYPE_AIV = 1
    );
}

#[test]
fn s14_6_hal() {
    layout!(drv_mem_prop, 32, { side: 0, devid: 4, module_id: 8, pg_type: 12, mem_type: 16, reserve: 24 });
    layout!(drv_mem_location, 8, { id: 0, side: 4 });
    layout!(drv_mem_access_desc, 20, { type_: 0, location: 4, rsv: 12 });
    layout!(MemShareHandle, 128);
    layout!(ShareHandleAttr, 36, { enableFlag: 0, rsv: 4 });
    layout!(DVattribute, 52, { memType: 0, resv1: 4, resv2: 8, devId: 12, pageSize: 16, resv: 20 });
    numbers!(
        HAL_MEM_SIDE_HOST = 0,
        HAL_MEM_SIDE_DEVICE = 1,
        HAL_MEM_SIDE_HOST_NUMA = 2,
        HAL_MEM_PAGE_NORMAL = 0,
        HAL_MEM_PAGE_HUGE = 1,
        HAL_MEM_PAGE_GIANT = 2,
        HAL_MEM_TYPE_HBM = 0,
        HAL_MEM_TYPE_DDR = 1,
        HAL_MEM_TYPE_P2P_HBM = 2,
        HAL_MEM_TYPE_P2P_DDR = 3,
        HAL_MEM_TYPE_TS_DDR = 4,
        HAL_RESERVE_DEVICE_SHARE = 0x100,
        HAL_RESERVE_REMOTE_MAP = 0x200,
        HAL_MEM_ACCESS_NONE = 0,
        HAL_MEM_ACCESS_READ = 1,
        HAL_MEM_ACCESS_READWRITE = 3,
        HAL_MEM_ACCESS_MAX = 0x7fffffff,
        HAL_MEM_HANDLE_TYPE_NONE = 0,
        HAL_MEM_HANDLE_TYPE_FABRIC = 1,
        HAL_SHARE_HANDLE_ATTR_NO_WHITELIST = 0
    );
    numbers!(
        HAL_MEM_KIND_SVM = 0x1,
        HAL_MEM_KIND_SVM_HOST = 0x2,
        HAL_MEM_KIND_SVM_DEVICE = 0x4,
        HAL_MEM_KIND_LOCK_HOST = 0x8,
        HAL_MEM_KIND_LOCK_DEV = 0x10,
        HAL_MEM_KIND_LOCK_DEV_DVPP = 0x20,
        HAL_MEM_KIND_HOST_AGENT = 0x40,
        HAL_MEM_KIND_USER_MALLOC = 0x80,
        HAL_MEM_KIND_USER_REGISTER = 0x100,
        HAL_MEM_KIND_UVM = 0x200
    );
    numbers!(
        HAL_INFO_ENV = 0,
        HAL_INFO_VERSION = 1,
        HAL_INFO_CORE_NUM = 3,
        HAL_INFO_CHIP_ID = 18,
        HAL_INFO_DIE_ID = 19,
        HAL_INFO_SDID = 26,
        HAL_INFO_SERVER_ID = 27,
        HAL_INFO_SCALE_TYPE = 28,
        HAL_INFO_SUPER_POD_ID = 29,
        HAL_INFO_ADDRESS_MODE = 30,
        HAL_INFO_RUN_MACHINE = 31,
        HAL_INFO_HOST_DEVICE_CONNECT = 40,
        HAL_CONNECT_PCIE = 0,
        HAL_CONNECT_HCCS = 1,
        HAL_CONNECT_UB = 2,
        HAL_MODULE_SYSTEM = 0,
        HAL_MODULE_AICPU = 1,
        HAL_MODULE_AICORE = 4,
        HAL_MODULE_TSCPU = 5,
        HAL_MODULE_PCIE = 6,
        HAL_MODULE_VECTOR_CORE = 7,
        HAL_MODULE_MEMORY = 10,
        HAL_MODULE_UB = 15
    );
    // Rule 69: bits of the flag of halMemAlloc.
    numbers!(
        HAL_ALLOC_SVM = 0,
        HAL_ALLOC_DEVICE = 0x400,
        HAL_ALLOC_HOST = 0x800,
        HAL_ALLOC_HBM = 0x4000,
        HAL_ALLOC_PAGE_HUGE = 0x20000,
        HAL_ALLOC_P2P = 0x2000000,
        HAL_ALLOC_PAGE_GIANT = 0x80000000
    );
}

#[test]
fn s14_7_hal_queues() {
    layout!(halSqCqInputInfo, 92, {
        type_: 0, tsId: 4, sqeSize: 8, cqeSize: 12, sqeDepth: 16, cqeDepth: 20, grpId: 24, flag: 28, cqId: 32,
        sqId: 36, info: 40, res: 60,
    });
    layout!(halSqCqOutputInfo, 40, { sqId: 0, cqId: 4, queueVAddr: 8, flag: 16, res: 20 });
    layout!(halSqCqFreeInfo, 52, { type_: 0, tsId: 4, sqId: 8, cqId: 12, flag: 16, res: 20 });
    layout!(halSqCqQueryInfo, 52, { type_: 0, tsId: 4, sqId: 8, cqId: 12, prop: 16, value: 20 });
    layout!(halTaskSendInfo, 64, {
        type_: 0, tsId: 4, sqId: 8, timeout: 12, sqe_addr: 16, sqe_num: 24, pos: 28, res: 32,
    });
    layout!(halReportRecvInfo, 72, {
        type_: 0, tsId: 4, cqId: 8, timeout: 12, cqe_addr: 16, cqe_num: 24, report_cqe_num: 28, stream_id: 32,
        task_id: 36, res: 40,
    });
    layout!(halResourceIdInputInfo, 44, { type_: 0, tsId: 4, resourceId: 8, res: 12 });
    layout!(halResourceIdOutputInfo, 36, { resourceId: 0, res: 4 });
    layout!(halResourceConfigInfo, 32, { prop: 0, value: 4 });
    layout!(drvNotifyInfo, 16, { tsId: 0, notifyId: 4, offset: 8 });
    layout!(halLogicCqReport, 32, {
        streamId: 0, taskId: 2, errorCode: 4, errorType: 8, sqeType: 9, sqId: 10, sqHead: 12, bits: 14, timestamp: 16,
        extra: 24,
    });
}

#[test]
fn s72_tasks() {
    layout!(halTask, 64, {
        type_: 0, flags: 1, blocks: 2, streamId: 4, taskId: 6, reserved0: 8, reserved1: 12, credit: 14,
        pointerMode: 15, body: 16,
    });
    layout!(halSdmaTask, 64, {
        credit: 14, pointerMode: 15, opcode: 16, streams: 20, length: 28, srcLow: 32, srcHigh: 36, dstLow: 40,
        dstHigh: 44, offsets: 48,
    });
    numbers!(
        HAL_TASK_NOTIFY_RECORD = 6,
        HAL_TASK_NOTIFY_WAIT = 7,
        HAL_TASK_WRITE_VALUE = 8,
        HAL_TASK_SDMA = 11,
        HAL_TASK_CREDIT_DEFAULT = 254,
        HAL_TASK_CREDIT_FOREVER = 255,
        HAL_TASK_TYPE_MASK = 0x3f,
        HAL_TASK_LOCK = 0x40,
        HAL_TASK_UNLOCK = 0x80
    );
}

#[test]
fn s14_8_rdma() {
    layout!(RaInitConfig, 16, { phyId: 0, nicPosition: 4, hdcType: 8, enableHdcAsync: 12 });
    layout!(IpAddr, 16);
    layout!(Rdev, 24, { phyId: 0, family: 4, localIp: 8 });
    layout!(RdevInitInfo, 12, { mode: 0, notifyType: 4, options: 8 });
    layout!(RaGetIfAttr, 12, { phyId: 0, nicPosition: 4, isAll: 8 });
    layout!(InterfaceAddr, 20, { ip: 0, mask: 16 });
    layout!(InterfaceInfo, 284, { family: 0, scopeId: 4, ifaddr: 8, ifname: 28 });
    layout!(SocketConnectInfo, 224, { socketHandle: 0, remoteIp: 8, port: 24, tag: 26 });
    layout!(SocketCloseInfo, 24, { socketHandle: 0, fdHandle: 8, disuseLinger: 16 });
    layout!(SocketListenInfo, 24, { socketHandle: 0, port: 8, phase: 12, err: 16 });
    layout!(SocketInfo, 232, { socketHandle: 0, fdHandle: 8, remoteIp: 16, status: 32, tag: 36 });
    layout!(WhiteListInfo, 212, { remoteIp: 0, connLimit: 16, tag: 20 });
    layout!(MrInfo, 32, { addr: 0, size: 8, access: 16, lkey: 20, rkey: 24 });
    layout!(QpExtAttrs, 224);
    layout!(AiQpInfo, 368);
    layout!(sg_list, 16, { addr: 0, len: 8, lkey: 12 });
    layout!(send_wr, 40, { buf_list: 0, buf_num: 8, dst_addr: 16, rkey: 24, op: 28, send_flag: 32 });
    layout!(send_wr_v2, 56);
    layout!(send_wr_rsp, 16);
}

#[test]
fn s14_9_device_attributes() {
    numbers!(
        ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
        ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
        ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
        ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
        ACL_DEV_ATTR_WARP_SIZE = 202,
        ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
        ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
        ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
        ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
        ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
        ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
        ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
        ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
        ACL_DEV_ATTR_SMP_ID = 401,
        ACL_DEV_ATTR_PHY_CHIP_ID = 402,
        ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
        ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
        ACL_DEV_ATTR_SUPER_POD_ID = 405,
        ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
        ACL_DEV_ATTR_MAINBOARD_ID = 407,
        ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
        ACL_DEV_ATTR_IS_VIRTUAL = 501,
        ACL_DEV_ATTR_NPU_ARCH = 601,
        ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
        ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21
    );
}

#[test]
fn s14_10_data_types() {
    numbers!(
        ACL_DT_UNDEFINED = -1,
        ACL_FLOAT = 0,
        ACL_FLOAT16 = 1,
        ACL_INT8 = 2,
        ACL_INT32 = 3,
        ACL_UINT8 = 4,
        ACL_INT16 = 6,
        ACL_UINT16 = 7,
        ACL_UINT32 = 8,
        ACL_INT64 = 9,
        ACL_UINT64 = 10,
        ACL_DOUBLE = 11,
        ACL_BOOL = 12,
        ACL_BF16 = 27,
        ACL_INT4 = 29,
        ACL_UINT1 = 30,
        ACL_FLOAT8_E5M2 = 35,
        ACL_FLOAT8_E4M3FN = 36,
        ACL_FLOAT8_E8M0 = 37
    );
    numbers!(
        HCCL_DATA_TYPE_INT8 = 0,
        HCCL_DATA_TYPE_INT16 = 1,
        HCCL_DATA_TYPE_INT32 = 2,
        HCCL_DATA_TYPE_FP16 = 3,
        HCCL_DATA_TYPE_FP32 = 4,
        HCCL_DATA_TYPE_INT64 = 5,
        HCCL_DATA_TYPE_UINT64 = 6,
        HCCL_DATA_TYPE_UINT8 = 7,
        HCCL_DATA_TYPE_UINT16 = 8,
        HCCL_DATA_TYPE_UINT32 = 9,
        HCCL_DATA_TYPE_FP64 = 10,
        HCCL_DATA_TYPE_BFP16 = 11,
        HCCL_DATA_TYPE_INT128 = 12,
        HCCL_DATA_TYPE_HIF8 = 14,
        HCCL_DATA_TYPE_FP8E4M3 = 15,
        HCCL_DATA_TYPE_FP8E5M2 = 16,
        HCCL_DATA_TYPE_FP8E8M0 = 17,
        HCCL_REDUCE_SUM = 0,
        HCCL_REDUCE_PROD = 1,
        HCCL_REDUCE_MAX = 2,
        HCCL_REDUCE_MIN = 3
    );
}

#[test]
fn s14_11_hccl_results_and_configuration() {
    numbers!(
        HCCL_SUCCESS = 0,
        HCCL_E_PARA = 1,
        HCCL_E_PTR = 2,
        HCCL_E_MEMORY = 3,
        HCCL_E_INTERNAL = 4,
        HCCL_E_NOT_SUPPORT = 5,
        HCCL_E_NOT_FOUND = 6,
        HCCL_E_UNAVAIL = 7,
        HCCL_E_SYSCALL = 8,
        HCCL_E_TIMEOUT = 9,
        HCCL_E_OPEN_FILE_FAILURE = 10,
        HCCL_E_TCP_CONNECT = 11,
        HCCL_E_ROCE_CONNECT = 12,
        HCCL_E_TCP_TRANSFER = 13,
        HCCL_E_ROCE_TRANSFER = 14,
        HCCL_E_RUNTIME = 15,
        HCCL_E_DRV = 16,
        HCCL_E_PROFILING = 17,
        HCCL_E_CCE = 18,
        HCCL_E_NETWORK = 19,
        HCCL_E_AGAIN = 20,
        HCCL_E_REMOTE = 21,
        HCCL_E_SUSPENDING = 22,
        HCCL_E_OPRETRY_FAIL = 23,
        HCCL_E_OOM = 24
    );
    layout!(HcclRootInfo, 4108);
    layout!(HcclCommConfig, 2240, {
        reserved: 0, hcclBufferSize: 24, hcclDeterministic: 28, hcclCommName: 32, hcclUdi: 160,
        hcclOpExpansionMode: 288, hcclRdmaTrafficClass: 292, hcclRdmaServiceLevel: 296, hcclWorldRankID: 300,
        hcclJobID: 304, aclGraphZeroCopyEnable: 312, hcclExecTimeOut: 316, hcclAlgo: 320, hcclRetryEnable: 1920,
        hcclRetryParams: 1970, hcclBufferName: 2098, hcclQos: 2228, hcclSymWinMaxMemSizePerRank: 2232,
    });
    layout!(HcclSendRecvItem, 32, { sendRecvType: 0, buf: 8, count: 16, dataType: 24, remoteRank: 28 });
    numbers!(
        HCCL_SEND = 0,
        HCCL_RECV = 1,
        HCCL_COMM_CONFIG_INFO_BYTES = 24,
        HCCL_COMM_CONFIG_MAGIC_WORD = 0xf0f0f0f0,
        HCCL_COMM_CONFIG_VERSION = 10,
        HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET = 0xffffffff,
        HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET = 0xffffffff,
        HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET = 0xffffffff,
        HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET = 0xffffffff,
        HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET = 0xffffffff,
        HCCL_COMM_QOS_CONFIG_NOT_SET = 0xffffffff,
        HCCL_COMM_DEFAULT_BUFFSIZE = 200,
        HCCL_COMM_DEFAULT_DETERMINISTIC = 0,
        HCCL_COMM_DEFAULT_OP_EXPANSION_MODE = 0
    );
}

#[test]
fn s2_codes_of_acl_and_of_the_driver() {
    numbers!(
        ACL_SUCCESS = 0,
        ACL_ERROR_NONE = 0,
        ACL_ERROR_INVALID_PARAM = 100000,
        ACL_ERROR_UNINITIALIZE = 100001,
        ACL_ERROR_REPEAT_INITIALIZE = 100002,
        ACL_ERROR_INVALID_FILE = 100003,
        ACL_ERROR_INVALID_FILE_SIZE = 100005,
        ACL_ERROR_PARSE_FILE = 100006,
        ACL_ERROR_KERNEL_NOT_FOUND = 100029,
        ACL_ERROR_STREAM_NOT_SUBSCRIBE = 100034,
        ACL_ERROR_THREAD_NOT_SUBSCRIBE = 100035,
        ACL_ERROR_WAIT_CALLBACK_TIMEOUT = 100036,
        ACL_ERROR_REPEAT_FINALIZE = 100037,
        ACL_ERROR_RT_PARAM_INVALID = 107000,
        ACL_ERROR_RT_INVALID_DEVICEID = 107001,
        ACL_ERROR_RT_CONTEXT_NULL = 107002,
        ACL_ERROR_RT_STREAM_CONTEXT = 107003,
        ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID = 107006,
        ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL = 107007,
        ACL_ERROR_RT_ADDR_UNALIGNED = 107008,
        ACL_ERROR_RT_FILE_OPEN = 107009,
        ACL_ERROR_RT_STREAM_SUBSCRIBE = 107011,
        ACL_ERROR_RT_THREAD_SUBSCRIBE = 107012,
        ACL_ERROR_RT_STREAM_NO_CB_REG = 107015,
        ACL_ERROR_RT_INVALID_HANDLE = 107017,
        ACL_ERROR_RT_INVALID_MALLOC_TYPE = 107018,
        ACL_ERROR_RT_WAIT_TIMEOUT = 107019,
        ACL_ERROR_RT_TASK_TIMEOUT = 107020,
        ACL_ERROR_RT_DEVICE_TASK_ABORT = 107022,
        ACL_ERROR_RT_STREAM_ABORT = 107023,
        ACL_ERROR_RT_SYMBOL_NOT_FOUND = 107042,
        ACL_ERROR_RT_INVALID_DEVICE_FUNCTION = 107044
    );
    numbers!(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT = 207000,
        ACL_ERROR_RT_MEMORY_ALLOCATION = 207001,
        ACL_ERROR_RT_NO_DEVICE = 207004,
        ACL_ERROR_RT_RESOURCE_ALLOC_FAIL = 207005,
        ACL_ERROR_RT_NO_PERMISSION = 207006,
        ACL_ERROR_RT_NO_EVENT_RESOURCE = 207007,
        ACL_ERROR_RT_NO_STREAM_RESOURCE = 207008,
        ACL_ERROR_RT_NO_NOTIFY_RESOURCE = 207009,
        ACL_ERROR_RT_OVER_LIMIT = 207012,
        ACL_ERROR_RT_DEVICE_OOM = 207018
    );
    numbers!(
        ACL_ERROR_INTERNAL_ERROR = 500000,
        ACL_ERROR_FAILURE = 500001,
        ACL_ERROR_GE_FAILURE = 500002,
        ACL_ERROR_RT_FAILURE = 500003,
        ACL_ERROR_DRV_FAILURE = 500004,
        ACL_ERROR_PROFILING_FAILURE = 500005,
        ACL_ERROR_RT_INTERNAL_ERROR = 507000,
        ACL_ERROR_RT_MODEL_EXECUTE = 507011,
        ACL_ERROR_RT_REPORT_TIMEOUT = 507012,
        ACL_ERROR_RT_AICORE_TIMEOUT = 507014,
        ACL_ERROR_RT_AICORE_EXCEPTION = 507015,
        ACL_ERROR_RT_IPC_ERROR = 507022,
        ACL_ERROR_RT_VECTOR_CORE_TIMEOUT = 507034,
        ACL_ERROR_RT_VECTOR_CORE_EXCEPTION = 507035,
        ACL_ERROR_RT_STREAM_SYNC_TIMEOUT = 507046,
        ACL_ERROR_RT_EVENT_SYNC_TIMEOUT = 507047,
        ACL_ERROR_RT_DEVICE_MEM_ERROR = 507053,
        ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR = 507054,
        ACL_ERROR_RT_LINK_ERROR = 507056,
        ACL_ERROR_RT_SUSPECT_REMOTE_ERROR = 507057,
        ACL_ERROR_RT_DRV_INTERNAL_ERROR = 507899,
        ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 507910,
        ACL_ERROR_HOST_MEMORY_NOT_REGISTERED = 507911
    );
    numbers!(
        DRV_ERROR_NONE = 0,
        DRV_ERROR_NO_DEVICE = 1,
        DRV_ERROR_INVALID_DEVICE = 2,
        DRV_ERROR_INVALID_VALUE = 3,
        DRV_ERROR_INVALID_HANDLE = 4,
        DRV_ERROR_INVALID_MALLOC_TYPE = 5,
        DRV_ERROR_OUT_OF_MEMORY = 6,
        DRV_ERROR_INNER_ERR = 7,
        DRV_ERROR_PARA_ERROR = 8,
        DRV_ERROR_UNINIT = 9,
        DRV_ERROR_REPEATED_INIT = 10,
        DRV_ERROR_NOT_EXIST = 11,
        DRV_ERROR_BUSY = 13,
        DRV_ERROR_NO_RESOURCES = 14,
        DRV_ERROR_WAIT_TIMEOUT = 16,
        DRV_ERROR_IOCTL_FAIL = 17,
        DRV_ERROR_OVER_LIMIT = 37,
        DRV_ERROR_MALLOC_FAIL = 40,
        DRV_ERROR_OPER_NOT_PERMITTED = 46,
        DRV_ERROR_NO_EVENT_RESOURCES = 47,
        DRV_ERROR_NO_STREAM_RESOURCES = 48,
        DRV_ERROR_NO_NOTIFY_RESOURCES = 49,
        DRV_ERROR_TRY_AGAIN = 51,
        DRV_ERROR_MEMORY_OPT_FAIL = 58,
        DRV_ERROR_SQID_FULL = 60,
        DRV_ERROR_NOT_SUPPORT = 0xfffe
    );
}
