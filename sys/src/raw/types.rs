// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

#[doc = " Result of every ACL call; 0 is success. The codes stand in acl_errors.h."]
pub type aclError = i32;
#[doc = " A context: the device, default stream and resources that a thread works with."]
pub type aclrtContext = *mut ::core::ffi::c_void;
#[doc = " A stream: a strict first-in first-out queue of device tasks. NULL is the default stream of the current\n context."]
pub type aclrtStream = *mut ::core::ffi::c_void;
#[doc = " An event: a mark in a stream that others wait for."]
pub type aclrtEvent = *mut ::core::ffi::c_void;
#[doc = " A notify: a binary flag between streams, devices and processes."]
pub type aclrtNotify = *mut ::core::ffi::c_void;
#[doc = " A counting notify (950 only)."]
pub type aclrtCntNotify = *mut ::core::ffi::c_void;
#[doc = " A label of a stream."]
pub type aclrtLabel = *mut ::core::ffi::c_void;
#[doc = " A block of physical memory, mapped or not."]
pub type aclrtDrvMemHandle = *mut ::core::ffi::c_void;
#[doc = " A kernel binary in host memory (older interface)."]
pub type aclrtBinary = *mut ::core::ffi::c_void;
#[doc = " A loaded kernel binary."]
pub type aclrtBinHandle = *mut ::core::ffi::c_void;
#[doc = " A kernel of a loaded binary."]
pub type aclrtFuncHandle = *mut ::core::ffi::c_void;
#[doc = " An argument list under construction."]
pub type aclrtArgsHandle = *mut ::core::ffi::c_void;
#[doc = " One argument of an argument list."]
pub type aclrtParamHandle = *mut ::core::ffi::c_void;
#[doc = " A host function that a stream calls through a subscribed thread."]
pub type aclrtCallback = ::core::option::Option<unsafe extern "C" fn(userData: *mut ::core::ffi::c_void)>;
#[doc = " A host function that a stream calls on a thread of the runtime."]
pub type aclrtHostFunc = ::core::option::Option<unsafe extern "C" fn(userData: *mut ::core::ffi::c_void)>;
#[doc = " What a failed task left behind; read with the aclrtGet…FromExceptionInfo calls."]
#[repr(C)]
#[derive(Debug)]
pub struct aclrtExceptionInfo {
    _unused: [u8; 0],
}
#[doc = " Called on a runtime thread when a task fails."]
pub type aclrtExceptionInfoCallback =
    ::core::option::Option<unsafe extern "C" fn(info: *mut aclrtExceptionInfo)>;
pub const ACL_DEVICE: aclrtRunMode = 0;
pub const ACL_HOST: aclrtRunMode = 1;
#[doc = " Which side the caller runs on."]
pub type aclrtRunMode = u32;
pub const ACL_RT_THREAD_LEVEL: aclrtLastErrLevel = 0;
#[doc = " Whose error aclrtGetLastError asks for."]
pub type aclrtLastErrLevel = u32;
pub const ACL_RT_DEVICE_STATUS_NORMAL: aclrtDeviceStatus = 0;
pub const ACL_RT_DEVICE_STATUS_ABNORMAL: aclrtDeviceStatus = 1;
#[doc = " Health of a device."]
pub type aclrtDeviceStatus = u32;
pub const ACL_RT_DEVICE_STATE_SET_PRE: aclrtDeviceState = 0;
pub const ACL_RT_DEVICE_STATE_SET_POST: aclrtDeviceState = 1;
pub const ACL_RT_DEVICE_STATE_RESET_PRE: aclrtDeviceState = 2;
pub const ACL_RT_DEVICE_STATE_RESET_POST: aclrtDeviceState = 3;
#[doc = " Moments at which a device state callback runs."]
pub type aclrtDeviceState = u32;
#[doc = " Called when the process sets or resets a device."]
pub type aclrtDeviceStateCallback = ::core::option::Option<
    unsafe extern "C" fn(deviceId: i32, state: aclrtDeviceState, args: *mut ::core::ffi::c_void),
>;
pub const ACL_DEV_ATTR_AICPU_CORE_NUM: aclrtDevAttr = 1;
pub const ACL_DEV_ATTR_AICORE_CORE_NUM: aclrtDevAttr = 101;
pub const ACL_DEV_ATTR_CUBE_CORE_NUM: aclrtDevAttr = 102;
pub const ACL_DEV_ATTR_VECTOR_CORE_NUM: aclrtDevAttr = 201;
pub const ACL_DEV_ATTR_WARP_SIZE: aclrtDevAttr = 202;
pub const ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE: aclrtDevAttr = 203;
pub const ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE: aclrtDevAttr = 204;
pub const ACL_DEV_ATTR_MAX_GRID_DIM_X: aclrtDevAttr = 205;
pub const ACL_DEV_ATTR_MAX_GRID_DIM_Y: aclrtDevAttr = 206;
pub const ACL_DEV_ATTR_MAX_GRID_DIM_Z: aclrtDevAttr = 207;
pub const ACL_DEV_ATTR_MAX_BLOCK_PER_GRID: aclrtDevAttr = 208;
pub const ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: aclrtDevAttr = 301;
pub const ACL_DEV_ATTR_L2_CACHE_SIZE: aclrtDevAttr = 302;
pub const ACL_DEV_ATTR_SMP_ID: aclrtDevAttr = 401;
pub const ACL_DEV_ATTR_PHY_CHIP_ID: aclrtDevAttr = 402;
pub const ACL_DEV_ATTR_SUPER_POD_DEVICE_ID: aclrtDevAttr = 403;
pub const ACL_DEV_ATTR_SUPER_POD_SERVER_ID: aclrtDevAttr = 404;
pub const ACL_DEV_ATTR_SUPER_POD_ID: aclrtDevAttr = 405;
pub const ACL_DEV_ATTR_CUST_OP_PRIVILEGE: aclrtDevAttr = 406;
pub const ACL_DEV_ATTR_MAINBOARD_ID: aclrtDevAttr = 407;
pub const ACL_DEV_ATTR_HD_CONNECT_TYPE: aclrtDevAttr = 408;
pub const ACL_DEV_ATTR_IS_VIRTUAL: aclrtDevAttr = 501;
pub const ACL_DEV_ATTR_NPU_ARCH: aclrtDevAttr = 601;
#[doc = " Attributes for aclrtGetDeviceInfo."]
pub type aclrtDevAttr = u32;
pub const ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV: aclrtDevFeatureType = 1;
pub const ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV: aclrtDevFeatureType = 21;
#[doc = " Features for aclrtGetDeviceCapability."]
pub type aclrtDevFeatureType = u32;
pub const ACL_RT_DEV_RES_CUBE_CORE: aclrtDevResLimitType = 0;
pub const ACL_RT_DEV_RES_VECTOR_CORE: aclrtDevResLimitType = 1;
#[doc = " Cores whose number aclrtSetDeviceResLimit and its kin limit."]
pub type aclrtDevResLimitType = u32;
#[doc = " Links in the bit mask of aclrtGetDevicesTopo."]
pub const ACL_RT_DEVS_TOPOLOGY_HCCS: u64 = 1;
pub const ACL_RT_DEVS_TOPOLOGY_PIX: u64 = 2;
pub const ACL_RT_DEVS_TOPOLOGY_PIB: u64 = 4;
pub const ACL_RT_DEVS_TOPOLOGY_PHB: u64 = 8;
pub const ACL_RT_DEVS_TOPOLOGY_SYS: u64 = 16;
pub const ACL_RT_DEVS_TOPOLOGY_SIO: u64 = 32;
pub const ACL_RT_DEVS_TOPOLOGY_HCCS_SW: u64 = 64;
#[doc = " Stable identity of a device."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtUuid {
    pub bytes: [u8; 16usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtUuid"][::core::mem::size_of::<aclrtUuid>() - 16usize];
    ["Alignment of aclrtUuid"][::core::mem::align_of::<aclrtUuid>() - 1usize];
    ["Offset of field: aclrtUuid::bytes"][::core::mem::offset_of!(aclrtUuid, bytes) - 0usize];
};
#[doc = " Package selector of the older version call."]
pub type aclCANNPackageName = u32;
#[doc = " Answer of the older version call: texts that end with a zero byte."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclCANNPackageVersion {
    pub version: [::core::ffi::c_char; 128usize],
    pub majorVersion: [::core::ffi::c_char; 64usize],
    pub minorVersion: [::core::ffi::c_char; 64usize],
    pub releaseVersion: [::core::ffi::c_char; 64usize],
    pub patchVersion: [::core::ffi::c_char; 64usize],
    pub reserved: [::core::ffi::c_char; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclCANNPackageVersion"][::core::mem::size_of::<aclCANNPackageVersion>() - 512usize];
    ["Alignment of aclCANNPackageVersion"][::core::mem::align_of::<aclCANNPackageVersion>() - 1usize];
    ["Offset of field: aclCANNPackageVersion::version"]
        [::core::mem::offset_of!(aclCANNPackageVersion, version) - 0usize];
    ["Offset of field: aclCANNPackageVersion::majorVersion"]
        [::core::mem::offset_of!(aclCANNPackageVersion, majorVersion) - 128usize];
    ["Offset of field: aclCANNPackageVersion::minorVersion"]
        [::core::mem::offset_of!(aclCANNPackageVersion, minorVersion) - 192usize];
    ["Offset of field: aclCANNPackageVersion::releaseVersion"]
        [::core::mem::offset_of!(aclCANNPackageVersion, releaseVersion) - 256usize];
    ["Offset of field: aclCANNPackageVersion::patchVersion"]
        [::core::mem::offset_of!(aclCANNPackageVersion, patchVersion) - 320usize];
    ["Offset of field: aclCANNPackageVersion::reserved"]
        [::core::mem::offset_of!(aclCANNPackageVersion, reserved) - 384usize];
};
impl Default for aclCANNPackageVersion {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Details of a hardware error; its layout is not bound."]
#[repr(C)]
#[derive(Debug)]
pub struct aclrtErrorInfo {
    _unused: [u8; 0],
}
pub const ACL_MEMCPY_HOST_TO_HOST: aclrtMemcpyKind = 0;
pub const ACL_MEMCPY_HOST_TO_DEVICE: aclrtMemcpyKind = 1;
pub const ACL_MEMCPY_DEVICE_TO_HOST: aclrtMemcpyKind = 2;
pub const ACL_MEMCPY_DEVICE_TO_DEVICE: aclrtMemcpyKind = 3;
pub const ACL_MEMCPY_DEFAULT: aclrtMemcpyKind = 4;
pub const ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: aclrtMemcpyKind = 5;
pub const ACL_MEMCPY_INNER_DEVICE_TO_DEVICE: aclrtMemcpyKind = 6;
pub const ACL_MEMCPY_INTER_DEVICE_TO_DEVICE: aclrtMemcpyKind = 7;
#[doc = " Direction of a copy. Advice only: the real direction comes from the addresses."]
pub type aclrtMemcpyKind = u32;
pub const ACL_MEM_MALLOC_HUGE_FIRST: aclrtMemMallocPolicy = 0;
pub const ACL_MEM_MALLOC_HUGE_ONLY: aclrtMemMallocPolicy = 1;
pub const ACL_MEM_MALLOC_NORMAL_ONLY: aclrtMemMallocPolicy = 2;
pub const ACL_MEM_MALLOC_HUGE_FIRST_P2P: aclrtMemMallocPolicy = 3;
pub const ACL_MEM_MALLOC_HUGE_ONLY_P2P: aclrtMemMallocPolicy = 4;
pub const ACL_MEM_MALLOC_NORMAL_ONLY_P2P: aclrtMemMallocPolicy = 5;
pub const ACL_MEM_MALLOC_HUGE1G_ONLY: aclrtMemMallocPolicy = 6;
pub const ACL_MEM_MALLOC_HUGE1G_ONLY_P2P: aclrtMemMallocPolicy = 7;
pub const ACL_MEM_TYPE_LOW_BAND_WIDTH: aclrtMemMallocPolicy = 256;
pub const ACL_MEM_TYPE_HIGH_BAND_WIDTH: aclrtMemMallocPolicy = 4096;
pub const ACL_MEM_ACCESS_USER_SPACE_READONLY: aclrtMemMallocPolicy = 1048576;
#[doc = " Which pages an allocation uses. The three bits at the end may be added."]
pub type aclrtMemMallocPolicy = u32;
pub const ACL_DDR_MEM: aclrtMemAttr = 0;
pub const ACL_HBM_MEM: aclrtMemAttr = 1;
pub const ACL_DDR_MEM_HUGE: aclrtMemAttr = 2;
pub const ACL_DDR_MEM_NORMAL: aclrtMemAttr = 3;
pub const ACL_HBM_MEM_HUGE: aclrtMemAttr = 4;
pub const ACL_HBM_MEM_NORMAL: aclrtMemAttr = 5;
pub const ACL_DDR_MEM_P2P_HUGE: aclrtMemAttr = 6;
pub const ACL_DDR_MEM_P2P_NORMAL: aclrtMemAttr = 7;
pub const ACL_HBM_MEM_P2P_HUGE: aclrtMemAttr = 8;
pub const ACL_HBM_MEM_P2P_NORMAL: aclrtMemAttr = 9;
pub const ACL_HBM_MEM_HUGE1G: aclrtMemAttr = 10;
pub const ACL_HBM_MEM_P2P_HUGE1G: aclrtMemAttr = 11;
pub const ACL_MEM_NORMAL: aclrtMemAttr = 12;
pub const ACL_MEM_HUGE: aclrtMemAttr = 13;
pub const ACL_MEM_HUGE1G: aclrtMemAttr = 14;
pub const ACL_MEM_P2P_NORMAL: aclrtMemAttr = 15;
pub const ACL_MEM_P2P_HUGE: aclrtMemAttr = 16;
pub const ACL_MEM_P2P_HUGE1G: aclrtMemAttr = 17;
#[doc = " Kind of memory: asked of aclrtGetMemInfo, and part of aclrtPhysicalMemProp."]
pub type aclrtMemAttr = u32;
pub const ACL_MEM_LOCATION_TYPE_HOST: aclrtMemLocationType = 0;
pub const ACL_MEM_LOCATION_TYPE_DEVICE: aclrtMemLocationType = 1;
pub const ACL_MEM_LOCATION_TYPE_UNREGISTERED: aclrtMemLocationType = 2;
pub const ACL_MEM_LOCATION_TYPE_HOST_NUMA: aclrtMemLocationType = 4;
#[doc = " Where memory is."]
pub type aclrtMemLocationType = u32;
pub const ACL_MEM_ALLOCATION_TYPE_PINNED: aclrtMemAllocationType = 0;
#[doc = " How physical memory is held."]
pub type aclrtMemAllocationType = u32;
pub const ACL_MEM_HANDLE_TYPE_NONE: aclrtMemHandleType = 0;
pub const ACL_MEM_HANDLE_TYPE_POSIX: aclrtMemHandleType = 2;
#[doc = " Kind of handle that physical memory is made for, and of the first shareable handles."]
pub type aclrtMemHandleType = u32;
pub const ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT: aclrtMemSharedHandleType = 1;
pub const ACL_MEM_SHARE_HANDLE_TYPE_FABRIC: aclrtMemSharedHandleType = 2;
#[doc = " Kind of the second shareable handles: 8 bytes for one host, or 128 bytes for a super node."]
pub type aclrtMemSharedHandleType = u32;
pub const ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM: aclrtMemGranularityOptions = 0;
pub const ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED: aclrtMemGranularityOptions = 1;
pub const ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF: aclrtMemGranularityOptions = 65535;
#[doc = " Which granularity is asked for."]
pub type aclrtMemGranularityOptions = u32;
pub const ACL_RT_MEM_ACCESS_FLAGS_NONE: aclrtMemAccessFlags = 0;
pub const ACL_RT_MEM_ACCESS_FLAGS_READ: aclrtMemAccessFlags = 1;
pub const ACL_RT_MEM_ACCESS_FLAGS_READWRITE: aclrtMemAccessFlags = 3;
#[doc = " Rights of a location to a mapping."]
pub type aclrtMemAccessFlags = u32;
pub const ACL_HOST_REGISTER_MAPPED: aclrtHostRegisterType = 0;
pub const ACL_HOST_REGISTER_IOMEMORY: aclrtHostRegisterType = 4;
pub const ACL_HOST_REGISTER_READONLY: aclrtHostRegisterType = 8;
#[doc = " How host memory is registered."]
pub type aclrtHostRegisterType = u32;
#[doc = " Flags of aclrtHostRegisterV2."]
pub const ACL_HOST_REG_MAPPED: u32 = 2;
pub const ACL_HOST_REG_IOMEMORY: u32 = 4;
pub const ACL_HOST_REG_READONLY: u32 = 8;
pub const ACL_HOST_REG_PINNED: u32 = 268435456;
pub const ACL_RT_MEM_ATTR_RSV: aclrtMallocAttrType = 0;
pub const ACL_RT_MEM_ATTR_MODULE_ID: aclrtMallocAttrType = 1;
pub const ACL_RT_MEM_ATTR_DEVICE_ID: aclrtMallocAttrType = 2;
pub const ACL_RT_MEM_ATTR_VA_FLAG: aclrtMallocAttrType = 3;
#[doc = " Attributes of an aclrtMallocConfig."]
pub type aclrtMallocAttrType = u32;
pub const ACL_RT_CMO_TYPE_PREFETCH: aclrtCmoType = 0;
pub const ACL_RT_CMO_TYPE_WRITEBACK: aclrtCmoType = 1;
pub const ACL_RT_CMO_TYPE_INVALID: aclrtCmoType = 2;
pub const ACL_RT_CMO_TYPE_FLUSH: aclrtCmoType = 3;
#[doc = " Cache operation of aclrtCmoAsync."]
pub type aclrtCmoType = u32;
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM: aclrtReduceKind = 10;
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX: aclrtReduceKind = 11;
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN: aclrtReduceKind = 12;
pub const ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL: aclrtReduceKind = 13;
#[doc = " Operation of aclrtReduceAsync."]
pub type aclrtReduceKind = u32;
pub const ACL_RT_HAC_TYPE_STARS: aclrtHacType = 0;
pub const ACL_RT_HAC_TYPE_AICPU: aclrtHacType = 1;
pub const ACL_RT_HAC_TYPE_AIC: aclrtHacType = 2;
pub const ACL_RT_HAC_TYPE_AIV: aclrtHacType = 3;
pub const ACL_RT_HAC_TYPE_PCIEDMA: aclrtHacType = 4;
pub const ACL_RT_HAC_TYPE_RDMA: aclrtHacType = 5;
pub const ACL_RT_HAC_TYPE_SDMA: aclrtHacType = 6;
pub const ACL_RT_HAC_TYPE_DVPP: aclrtHacType = 7;
pub const ACL_RT_HAC_TYPE_UDMA: aclrtHacType = 8;
pub const ACL_RT_HAC_TYPE_CCU: aclrtHacType = 9;
#[doc = " Engines that may be able to reach mapped host memory."]
pub type aclrtHacType = u32;
pub const ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED: aclrtHostMemMapCapability = 0;
pub const ACL_RT_HOST_MEM_MAP_SUPPORTED: aclrtHostMemMapCapability = 1;
#[doc = " Whether an engine can reach mapped host memory."]
pub type aclrtHostMemMapCapability = u32;
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK: aclrtIpcMemAttrType = 0;
#[doc = " Attributes of an IPC key."]
pub type aclrtIpcMemAttrType = u32;
#[doc = " Values of the link attribute of an IPC key."]
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO: u64 = 0;
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS: u64 = 1;
#[doc = " Flags of export and import: physical memory, IPC keys of memory, notifies."]
pub const ACL_RT_VMM_EXPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 1;
pub const ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 1;
pub const ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 1;
pub const ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 2;
pub const ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT: u64 = 0;
pub const ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 2;
#[doc = " A place of memory: a device, the host, or a NUMA node of the host."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemLocation {
    pub id: u32,
    pub type_: aclrtMemLocationType,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemLocation"][::core::mem::size_of::<aclrtMemLocation>() - 8usize];
    ["Alignment of aclrtMemLocation"][::core::mem::align_of::<aclrtMemLocation>() - 4usize];
    ["Offset of field: aclrtMemLocation::id"][::core::mem::offset_of!(aclrtMemLocation, id) - 0usize];
    ["Offset of field: aclrtMemLocation::type_"][::core::mem::offset_of!(aclrtMemLocation, type_) - 4usize];
};
impl Default for aclrtMemLocation {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " What aclrtPointerGetAttributes says of an address."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtPtrAttributes {
    pub location: aclrtMemLocation,
    pub pageSize: u32,
    pub rsv: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtPtrAttributes"][::core::mem::size_of::<aclrtPtrAttributes>() - 28usize];
    ["Alignment of aclrtPtrAttributes"][::core::mem::align_of::<aclrtPtrAttributes>() - 4usize];
    ["Offset of field: aclrtPtrAttributes::location"]
        [::core::mem::offset_of!(aclrtPtrAttributes, location) - 0usize];
    ["Offset of field: aclrtPtrAttributes::pageSize"]
        [::core::mem::offset_of!(aclrtPtrAttributes, pageSize) - 8usize];
    ["Offset of field: aclrtPtrAttributes::rsv"][::core::mem::offset_of!(aclrtPtrAttributes, rsv) - 12usize];
};
impl Default for aclrtPtrAttributes {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " What physical memory is wanted."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtPhysicalMemProp {
    pub handleType: aclrtMemHandleType,
    pub allocationType: aclrtMemAllocationType,
    pub memAttr: aclrtMemAttr,
    pub location: aclrtMemLocation,
    pub reserve: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtPhysicalMemProp"][::core::mem::size_of::<aclrtPhysicalMemProp>() - 32usize];
    ["Alignment of aclrtPhysicalMemProp"][::core::mem::align_of::<aclrtPhysicalMemProp>() - 8usize];
    ["Offset of field: aclrtPhysicalMemProp::handleType"]
        [::core::mem::offset_of!(aclrtPhysicalMemProp, handleType) - 0usize];
    ["Offset of field: aclrtPhysicalMemProp::allocationType"]
        [::core::mem::offset_of!(aclrtPhysicalMemProp, allocationType) - 4usize];
    ["Offset of field: aclrtPhysicalMemProp::memAttr"]
        [::core::mem::offset_of!(aclrtPhysicalMemProp, memAttr) - 8usize];
    ["Offset of field: aclrtPhysicalMemProp::location"]
        [::core::mem::offset_of!(aclrtPhysicalMemProp, location) - 12usize];
    ["Offset of field: aclrtPhysicalMemProp::reserve"]
        [::core::mem::offset_of!(aclrtPhysicalMemProp, reserve) - 24usize];
};
impl Default for aclrtPhysicalMemProp {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Who may access a mapping, and how."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemAccessDesc {
    pub flags: aclrtMemAccessFlags,
    pub location: aclrtMemLocation,
    pub rsv: [u8; 12usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemAccessDesc"][::core::mem::size_of::<aclrtMemAccessDesc>() - 24usize];
    ["Alignment of aclrtMemAccessDesc"][::core::mem::align_of::<aclrtMemAccessDesc>() - 4usize];
    ["Offset of field: aclrtMemAccessDesc::flags"]
        [::core::mem::offset_of!(aclrtMemAccessDesc, flags) - 0usize];
    ["Offset of field: aclrtMemAccessDesc::location"]
        [::core::mem::offset_of!(aclrtMemAccessDesc, location) - 4usize];
    ["Offset of field: aclrtMemAccessDesc::rsv"][::core::mem::offset_of!(aclrtMemAccessDesc, rsv) - 12usize];
};
impl Default for aclrtMemAccessDesc {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A shareable handle that is valid across the hosts of a super node."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemFabricHandle {
    pub data: [u8; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemFabricHandle"][::core::mem::size_of::<aclrtMemFabricHandle>() - 128usize];
    ["Alignment of aclrtMemFabricHandle"][::core::mem::align_of::<aclrtMemFabricHandle>() - 1usize];
    ["Offset of field: aclrtMemFabricHandle::data"]
        [::core::mem::offset_of!(aclrtMemFabricHandle, data) - 0usize];
};
impl Default for aclrtMemFabricHandle {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Locations of a run of entries of a batch copy."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemcpyBatchAttr {
    pub dstLoc: aclrtMemLocation,
    pub srcLoc: aclrtMemLocation,
    pub rsv: [u8; 16usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemcpyBatchAttr"][::core::mem::size_of::<aclrtMemcpyBatchAttr>() - 32usize];
    ["Alignment of aclrtMemcpyBatchAttr"][::core::mem::align_of::<aclrtMemcpyBatchAttr>() - 4usize];
    ["Offset of field: aclrtMemcpyBatchAttr::dstLoc"]
        [::core::mem::offset_of!(aclrtMemcpyBatchAttr, dstLoc) - 0usize];
    ["Offset of field: aclrtMemcpyBatchAttr::srcLoc"]
        [::core::mem::offset_of!(aclrtMemcpyBatchAttr, srcLoc) - 8usize];
    ["Offset of field: aclrtMemcpyBatchAttr::rsv"]
        [::core::mem::offset_of!(aclrtMemcpyBatchAttr, rsv) - 16usize];
};
impl Default for aclrtMemcpyBatchAttr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Value of an aclrtMallocAttribute; which member counts follows from its attr."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtMallocAttrValue {
    pub moduleId: u16,
    pub deviceId: u32,
    pub vaFlag: u32,
    pub rsv: [u8; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMallocAttrValue"][::core::mem::size_of::<aclrtMallocAttrValue>() - 8usize];
    ["Alignment of aclrtMallocAttrValue"][::core::mem::align_of::<aclrtMallocAttrValue>() - 4usize];
    ["Offset of field: aclrtMallocAttrValue::moduleId"]
        [::core::mem::offset_of!(aclrtMallocAttrValue, moduleId) - 0usize];
    ["Offset of field: aclrtMallocAttrValue::deviceId"]
        [::core::mem::offset_of!(aclrtMallocAttrValue, deviceId) - 0usize];
    ["Offset of field: aclrtMallocAttrValue::vaFlag"]
        [::core::mem::offset_of!(aclrtMallocAttrValue, vaFlag) - 0usize];
    ["Offset of field: aclrtMallocAttrValue::rsv"]
        [::core::mem::offset_of!(aclrtMallocAttrValue, rsv) - 0usize];
};
impl Default for aclrtMallocAttrValue {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtMallocAttrValue {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtMallocAttrValue {{ union }}")
    }
}
#[doc = " One wish of an aclrtMallocConfig."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtMallocAttribute {
    pub attr: aclrtMallocAttrType,
    pub value: aclrtMallocAttrValue,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMallocAttribute"][::core::mem::size_of::<aclrtMallocAttribute>() - 12usize];
    ["Alignment of aclrtMallocAttribute"][::core::mem::align_of::<aclrtMallocAttribute>() - 4usize];
    ["Offset of field: aclrtMallocAttribute::attr"]
        [::core::mem::offset_of!(aclrtMallocAttribute, attr) - 0usize];
    ["Offset of field: aclrtMallocAttribute::value"]
        [::core::mem::offset_of!(aclrtMallocAttribute, value) - 4usize];
};
impl Default for aclrtMallocAttribute {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtMallocAttribute {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtMallocAttribute {{ attr: {:?}, value: {:?} }}", self.attr, self.value)
    }
}
#[doc = " Wishes for an allocation."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMallocConfig {
    pub attrs: *mut aclrtMallocAttribute,
    pub numAttrs: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMallocConfig"][::core::mem::size_of::<aclrtMallocConfig>() - 16usize];
    ["Alignment of aclrtMallocConfig"][::core::mem::align_of::<aclrtMallocConfig>() - 8usize];
    ["Offset of field: aclrtMallocConfig::attrs"][::core::mem::offset_of!(aclrtMallocConfig, attrs) - 0usize];
    ["Offset of field: aclrtMallocConfig::numAttrs"]
        [::core::mem::offset_of!(aclrtMallocConfig, numAttrs) - 8usize];
};
impl Default for aclrtMallocConfig {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Processes of another server that may import an IPC key."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtServerPid {
    pub sdid: u32,
    pub pid: *mut i32,
    pub num: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtServerPid"][::core::mem::size_of::<aclrtServerPid>() - 24usize];
    ["Alignment of aclrtServerPid"][::core::mem::align_of::<aclrtServerPid>() - 8usize];
    ["Offset of field: aclrtServerPid::sdid"][::core::mem::offset_of!(aclrtServerPid, sdid) - 0usize];
    ["Offset of field: aclrtServerPid::pid"][::core::mem::offset_of!(aclrtServerPid, pid) - 8usize];
    ["Offset of field: aclrtServerPid::num"][::core::mem::offset_of!(aclrtServerPid, num) - 16usize];
};
impl Default for aclrtServerPid {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Memory use of one component."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtMemUsageInfo {
    pub name: [::core::ffi::c_char; 32usize],
    pub curMemSize: u64,
    pub memPeakSize: u64,
    pub reserved: [usize; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemUsageInfo"][::core::mem::size_of::<aclrtMemUsageInfo>() - 112usize];
    ["Alignment of aclrtMemUsageInfo"][::core::mem::align_of::<aclrtMemUsageInfo>() - 8usize];
    ["Offset of field: aclrtMemUsageInfo::name"][::core::mem::offset_of!(aclrtMemUsageInfo, name) - 0usize];
    ["Offset of field: aclrtMemUsageInfo::curMemSize"]
        [::core::mem::offset_of!(aclrtMemUsageInfo, curMemSize) - 32usize];
    ["Offset of field: aclrtMemUsageInfo::memPeakSize"]
        [::core::mem::offset_of!(aclrtMemUsageInfo, memPeakSize) - 40usize];
    ["Offset of field: aclrtMemUsageInfo::reserved"]
        [::core::mem::offset_of!(aclrtMemUsageInfo, reserved) - 48usize];
};
#[doc = " A range of memory with uncorrectable errors."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemUceInfo {
    pub addr: *mut ::core::ffi::c_void,
    pub len: usize,
    pub reserved: [usize; 14usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemUceInfo"][::core::mem::size_of::<aclrtMemUceInfo>() - 128usize];
    ["Alignment of aclrtMemUceInfo"][::core::mem::align_of::<aclrtMemUceInfo>() - 8usize];
    ["Offset of field: aclrtMemUceInfo::addr"][::core::mem::offset_of!(aclrtMemUceInfo, addr) - 0usize];
    ["Offset of field: aclrtMemUceInfo::len"][::core::mem::offset_of!(aclrtMemUceInfo, len) - 8usize];
    ["Offset of field: aclrtMemUceInfo::reserved"]
        [::core::mem::offset_of!(aclrtMemUceInfo, reserved) - 16usize];
};
impl Default for aclrtMemUceInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const ACL_STREAM_STATUS_COMPLETE: aclrtStreamStatus = 0;
pub const ACL_STREAM_STATUS_NOT_READY: aclrtStreamStatus = 1;
#[doc = " Answer of aclrtStreamQuery."]
pub type aclrtStreamStatus = u32;
pub const ACL_EVENT_RECORDED_STATUS_NOT_READY: aclrtEventRecordedStatus = 0;
pub const ACL_EVENT_RECORDED_STATUS_COMPLETE: aclrtEventRecordedStatus = 1;
#[doc = " Answer of aclrtQueryEventStatus."]
pub type aclrtEventRecordedStatus = u32;
pub const ACL_EVENT_STATUS_COMPLETE: aclrtEventStatus = 0;
pub const ACL_EVENT_STATUS_NOT_READY: aclrtEventStatus = 1;
#[doc = " Answer of the older aclrtQueryEvent: the numbers are reversed."]
pub type aclrtEventStatus = u32;
pub const ACL_EVENT_WAIT_STATUS_COMPLETE: aclrtEventWaitStatus = 0;
pub const ACL_EVENT_WAIT_STATUS_NOT_READY: aclrtEventWaitStatus = 1;
pub const ACL_EVENT_WAIT_STATUS_RESERVED: aclrtEventWaitStatus = 65535;
#[doc = " Answer of aclrtQueryEventWaitStatus."]
pub type aclrtEventWaitStatus = u32;
pub const ACL_CALLBACK_NO_BLOCK: aclrtCallbackBlockType = 0;
pub const ACL_CALLBACK_BLOCK: aclrtCallbackBlockType = 1;
#[doc = " Whether a stream waits for its callback."]
pub type aclrtCallbackBlockType = u32;
pub const ACL_STREAM_ATTR_FAILURE_MODE: aclrtStreamAttr = 1;
pub const ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK: aclrtStreamAttr = 2;
pub const ACL_STREAM_ATTR_USER_CUSTOM_TAG: aclrtStreamAttr = 3;
pub const ACL_STREAM_ATTR_CACHE_OP_INFO: aclrtStreamAttr = 4;
pub const ACL_STREAM_ATTR_PRIORITY: aclrtStreamAttr = 5;
#[doc = " Attributes of a stream."]
pub type aclrtStreamAttr = u32;
#[doc = " Value of a stream attribute."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtStreamAttrValue {
    pub failureMode: u64,
    pub overflowSwitch: u32,
    pub userCustomTag: u32,
    pub cacheOpInfoSwitch: u32,
    pub streamPriority: u32,
    pub reserve: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtStreamAttrValue"][::core::mem::size_of::<aclrtStreamAttrValue>() - 16usize];
    ["Alignment of aclrtStreamAttrValue"][::core::mem::align_of::<aclrtStreamAttrValue>() - 8usize];
    ["Offset of field: aclrtStreamAttrValue::failureMode"]
        [::core::mem::offset_of!(aclrtStreamAttrValue, failureMode) - 0usize];
    ["Offset of field: aclrtStreamAttrValue::overflowSwitch"]
        [::core::mem::offset_of!(aclrtStreamAttrValue, overflowSwitch) - 0usize];
    ["Offset of field: aclrtStreamAttrValue::userCustomTag"]
        [::core::mem::offset_of!(aclrtStreamAttrValue, userCustomTag) - 0usize];
    ["Offset of field: aclrtStreamAttrValue::cacheOpInfoSwitch"]
        [::core::mem::offset_of!(aclrtStreamAttrValue, cacheOpInfoSwitch) - 0usize];
    ["Offset of field: aclrtStreamAttrValue::streamPriority"]
        [::core::mem::offset_of!(aclrtStreamAttrValue, streamPriority) - 0usize];
    ["Offset of field: aclrtStreamAttrValue::reserve"]
        [::core::mem::offset_of!(aclrtStreamAttrValue, reserve) - 0usize];
};
impl Default for aclrtStreamAttrValue {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtStreamAttrValue {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtStreamAttrValue {{ union }}")
    }
}
#[doc = " Failure modes of a stream."]
pub const ACL_CONTINUE_ON_FAILURE: u64 = 0;
pub const ACL_STOP_ON_FAILURE: u64 = 1;
pub const ACL_RT_STREAM_WORK_ADDR_PTR: aclrtStreamConfigAttr = 0;
pub const ACL_RT_STREAM_WORK_SIZE: aclrtStreamConfigAttr = 1;
pub const ACL_RT_STREAM_FLAG: aclrtStreamConfigAttr = 2;
pub const ACL_RT_STREAM_PRIORITY: aclrtStreamConfigAttr = 3;
#[doc = " Options of an aclrtStreamConfigHandle."]
pub type aclrtStreamConfigAttr = u32;
#[doc = " Wishes for a new stream."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtStreamConfigHandle {
    pub workptr: *mut ::core::ffi::c_void,
    pub workSize: usize,
    pub flag: usize,
    pub priority: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtStreamConfigHandle"][::core::mem::size_of::<aclrtStreamConfigHandle>() - 32usize];
    ["Alignment of aclrtStreamConfigHandle"][::core::mem::align_of::<aclrtStreamConfigHandle>() - 8usize];
    ["Offset of field: aclrtStreamConfigHandle::workptr"]
        [::core::mem::offset_of!(aclrtStreamConfigHandle, workptr) - 0usize];
    ["Offset of field: aclrtStreamConfigHandle::workSize"]
        [::core::mem::offset_of!(aclrtStreamConfigHandle, workSize) - 8usize];
    ["Offset of field: aclrtStreamConfigHandle::flag"]
        [::core::mem::offset_of!(aclrtStreamConfigHandle, flag) - 16usize];
    ["Offset of field: aclrtStreamConfigHandle::priority"]
        [::core::mem::offset_of!(aclrtStreamConfigHandle, priority) - 24usize];
};
impl Default for aclrtStreamConfigHandle {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Flags of a stream."]
pub const ACL_STREAM_FAST_LAUNCH: u32 = 1;
pub const ACL_STREAM_FAST_SYNC: u32 = 2;
pub const ACL_STREAM_PERSISTENT: u32 = 4;
pub const ACL_STREAM_HUGE: u32 = 8;
pub const ACL_STREAM_CPU_SCHEDULE: u32 = 16;
pub const ACL_STREAM_DEVICE_USE_ONLY: u32 = 32;
#[doc = " Flags of an event."]
pub const ACL_EVENT_SYNC: u32 = 1;
pub const ACL_EVENT_CAPTURE_STREAM_PROGRESS: u32 = 2;
pub const ACL_EVENT_TIME_LINE: u32 = 8;
pub const ACL_EVENT_DEVICE_USE_ONLY: u32 = 16;
pub const ACL_EVENT_EXTERNAL: u32 = 32;
pub const ACL_EVENT_IPC: u32 = 64;
#[doc = " Conditions of aclrtValueWait on the 8-byte word `mem` and the value `v`:\n (int64)(mem - v) >= 0, mem == v, (mem & v) != 0, ~(mem | v) != 0."]
pub const ACL_STREAM_WAIT_VALUE_GEQ: u32 = 0;
pub const ACL_STREAM_WAIT_VALUE_EQ: u32 = 1;
pub const ACL_STREAM_WAIT_VALUE_AND: u32 = 2;
pub const ACL_STREAM_WAIT_VALUE_NOR: u32 = 3;
#[doc = " A handle of an event for another process; passed by value."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtIpcEventHandle {
    pub reserved: [::core::ffi::c_char; 64usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtIpcEventHandle"][::core::mem::size_of::<aclrtIpcEventHandle>() - 64usize];
    ["Alignment of aclrtIpcEventHandle"][::core::mem::align_of::<aclrtIpcEventHandle>() - 1usize];
    ["Offset of field: aclrtIpcEventHandle::reserved"]
        [::core::mem::offset_of!(aclrtIpcEventHandle, reserved) - 0usize];
};
impl Default for aclrtIpcEventHandle {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE: aclrtCntNotifyRecordMode = 0;
pub const ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE: aclrtCntNotifyRecordMode = 1;
pub const ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE: aclrtCntNotifyRecordMode = 2;
pub const ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE: aclrtCntNotifyRecordMode = 4;
#[doc = " What recording does to a counting notify."]
pub type aclrtCntNotifyRecordMode = u32;
pub const ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE: aclrtCntNotifyWaitMode = 0;
pub const ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE: aclrtCntNotifyWaitMode = 1;
pub const ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE: aclrtCntNotifyWaitMode = 2;
pub const ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE: aclrtCntNotifyWaitMode = 3;
pub const ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE: aclrtCntNotifyWaitMode = 4;
#[doc = " What a wait on a counting notify compares."]
pub type aclrtCntNotifyWaitMode = u32;
#[doc = " What to record in a counting notify."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtCntNotifyRecordInfo {
    pub mode: aclrtCntNotifyRecordMode,
    pub value: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtCntNotifyRecordInfo"][::core::mem::size_of::<aclrtCntNotifyRecordInfo>() - 8usize];
    ["Alignment of aclrtCntNotifyRecordInfo"][::core::mem::align_of::<aclrtCntNotifyRecordInfo>() - 4usize];
    ["Offset of field: aclrtCntNotifyRecordInfo::mode"]
        [::core::mem::offset_of!(aclrtCntNotifyRecordInfo, mode) - 0usize];
    ["Offset of field: aclrtCntNotifyRecordInfo::value"]
        [::core::mem::offset_of!(aclrtCntNotifyRecordInfo, value) - 4usize];
};
impl Default for aclrtCntNotifyRecordInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " What to wait for in a counting notify; timeout in seconds."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtCntNotifyWaitInfo {
    pub mode: aclrtCntNotifyWaitMode,
    pub value: u32,
    pub timeout: u32,
    pub isClear: u8,
    pub rsv: [u8; 3usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtCntNotifyWaitInfo"][::core::mem::size_of::<aclrtCntNotifyWaitInfo>() - 16usize];
    ["Alignment of aclrtCntNotifyWaitInfo"][::core::mem::align_of::<aclrtCntNotifyWaitInfo>() - 4usize];
    ["Offset of field: aclrtCntNotifyWaitInfo::mode"]
        [::core::mem::offset_of!(aclrtCntNotifyWaitInfo, mode) - 0usize];
    ["Offset of field: aclrtCntNotifyWaitInfo::value"]
        [::core::mem::offset_of!(aclrtCntNotifyWaitInfo, value) - 4usize];
    ["Offset of field: aclrtCntNotifyWaitInfo::timeout"]
        [::core::mem::offset_of!(aclrtCntNotifyWaitInfo, timeout) - 8usize];
    ["Offset of field: aclrtCntNotifyWaitInfo::isClear"]
        [::core::mem::offset_of!(aclrtCntNotifyWaitInfo, isClear) - 12usize];
    ["Offset of field: aclrtCntNotifyWaitInfo::rsv"]
        [::core::mem::offset_of!(aclrtCntNotifyWaitInfo, rsv) - 13usize];
};
impl Default for aclrtCntNotifyWaitInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD: aclrtBinaryLoadOptionType = 1;
pub const ACL_RT_BINARY_LOAD_OPT_MAGIC: aclrtBinaryLoadOptionType = 2;
pub const ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE: aclrtBinaryLoadOptionType = 3;
#[doc = " Options of loading a binary."]
pub type aclrtBinaryLoadOptionType = u32;
#[doc = " Magic numbers of kernel binaries: mixed or AI core, vector, cube."]
pub const ACL_RT_BINARY_MAGIC_ELF_AICORE: u32 = 1129660997;
pub const ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE: u32 = 1094799942;
pub const ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE: u32 = 1095320387;
#[doc = " Value of a load option."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtBinaryLoadOptionValue {
    pub isLazyLoad: u32,
    pub magic: u32,
    pub cpuKernelMode: i32,
    pub rsv: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtBinaryLoadOptionValue"][::core::mem::size_of::<aclrtBinaryLoadOptionValue>() - 16usize];
    ["Alignment of aclrtBinaryLoadOptionValue"]
        [::core::mem::align_of::<aclrtBinaryLoadOptionValue>() - 4usize];
    ["Offset of field: aclrtBinaryLoadOptionValue::isLazyLoad"]
        [::core::mem::offset_of!(aclrtBinaryLoadOptionValue, isLazyLoad) - 0usize];
    ["Offset of field: aclrtBinaryLoadOptionValue::magic"]
        [::core::mem::offset_of!(aclrtBinaryLoadOptionValue, magic) - 0usize];
    ["Offset of field: aclrtBinaryLoadOptionValue::cpuKernelMode"]
        [::core::mem::offset_of!(aclrtBinaryLoadOptionValue, cpuKernelMode) - 0usize];
    ["Offset of field: aclrtBinaryLoadOptionValue::rsv"]
        [::core::mem::offset_of!(aclrtBinaryLoadOptionValue, rsv) - 0usize];
};
impl Default for aclrtBinaryLoadOptionValue {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtBinaryLoadOptionValue {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtBinaryLoadOptionValue {{ union }}")
    }
}
#[doc = " One option of loading a binary."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtBinaryLoadOption {
    pub type_: aclrtBinaryLoadOptionType,
    pub value: aclrtBinaryLoadOptionValue,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtBinaryLoadOption"][::core::mem::size_of::<aclrtBinaryLoadOption>() - 20usize];
    ["Alignment of aclrtBinaryLoadOption"][::core::mem::align_of::<aclrtBinaryLoadOption>() - 4usize];
    ["Offset of field: aclrtBinaryLoadOption::type_"]
        [::core::mem::offset_of!(aclrtBinaryLoadOption, type_) - 0usize];
    ["Offset of field: aclrtBinaryLoadOption::value"]
        [::core::mem::offset_of!(aclrtBinaryLoadOption, value) - 4usize];
};
impl Default for aclrtBinaryLoadOption {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtBinaryLoadOption {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtBinaryLoadOption {{ type: {:?}, value: {:?} }}", self.type_, self.value)
    }
}
#[doc = " The options of loading a binary."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtBinaryLoadOptions {
    pub options: *mut aclrtBinaryLoadOption,
    pub numOpt: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtBinaryLoadOptions"][::core::mem::size_of::<aclrtBinaryLoadOptions>() - 16usize];
    ["Alignment of aclrtBinaryLoadOptions"][::core::mem::align_of::<aclrtBinaryLoadOptions>() - 8usize];
    ["Offset of field: aclrtBinaryLoadOptions::options"]
        [::core::mem::offset_of!(aclrtBinaryLoadOptions, options) - 0usize];
    ["Offset of field: aclrtBinaryLoadOptions::numOpt"]
        [::core::mem::offset_of!(aclrtBinaryLoadOptions, numOpt) - 8usize];
};
impl Default for aclrtBinaryLoadOptions {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE: aclrtLaunchKernelAttrId = 1;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE: aclrtLaunchKernelAttrId = 2;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE: aclrtLaunchKernelAttrId = 3;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET: aclrtLaunchKernelAttrId = 4;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH: aclrtLaunchKernelAttrId = 5;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP: aclrtLaunchKernelAttrId = 6;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT: aclrtLaunchKernelAttrId = 7;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US: aclrtLaunchKernelAttrId = 8;
#[doc = " Attributes of a launch."]
pub type aclrtLaunchKernelAttrId = u32;
pub const ACL_RT_ENGINE_TYPE_AIC: aclrtEngineType = 0;
pub const ACL_RT_ENGINE_TYPE_AIV: aclrtEngineType = 1;
#[doc = " Engines of a launch: cube cores or vector cores."]
pub type aclrtEngineType = u32;
#[doc = " A number of microseconds in two halves."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtTimeoutUs {
    pub timeoutLow: u32,
    pub timeoutHigh: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtTimeoutUs"][::core::mem::size_of::<aclrtTimeoutUs>() - 8usize];
    ["Alignment of aclrtTimeoutUs"][::core::mem::align_of::<aclrtTimeoutUs>() - 4usize];
    ["Offset of field: aclrtTimeoutUs::timeoutLow"]
        [::core::mem::offset_of!(aclrtTimeoutUs, timeoutLow) - 0usize];
    ["Offset of field: aclrtTimeoutUs::timeoutHigh"]
        [::core::mem::offset_of!(aclrtTimeoutUs, timeoutHigh) - 4usize];
};
#[doc = " Value of a launch attribute."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtLaunchKernelAttrValue {
    pub schemMode: u8,
    pub localMemorySize: u32,
    pub dynUBufSize: u32,
    pub engineType: aclrtEngineType,
    pub blockDimOffset: u32,
    pub isBlockTaskPrefetch: u8,
    pub isDataDump: u8,
    pub timeout: u16,
    pub timeoutUs: aclrtTimeoutUs,
    pub rsv: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtLaunchKernelAttrValue"][::core::mem::size_of::<aclrtLaunchKernelAttrValue>() - 16usize];
    ["Alignment of aclrtLaunchKernelAttrValue"]
        [::core::mem::align_of::<aclrtLaunchKernelAttrValue>() - 4usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::schemMode"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, schemMode) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::localMemorySize"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, localMemorySize) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::dynUBufSize"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, dynUBufSize) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::engineType"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, engineType) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::blockDimOffset"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, blockDimOffset) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::isBlockTaskPrefetch"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, isBlockTaskPrefetch) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::isDataDump"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, isDataDump) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::timeout"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, timeout) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::timeoutUs"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, timeoutUs) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttrValue::rsv"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttrValue, rsv) - 0usize];
};
impl Default for aclrtLaunchKernelAttrValue {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtLaunchKernelAttrValue {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtLaunchKernelAttrValue {{ union }}")
    }
}
#[doc = " One attribute of a launch."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtLaunchKernelAttr {
    pub id: aclrtLaunchKernelAttrId,
    pub value: aclrtLaunchKernelAttrValue,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtLaunchKernelAttr"][::core::mem::size_of::<aclrtLaunchKernelAttr>() - 20usize];
    ["Alignment of aclrtLaunchKernelAttr"][::core::mem::align_of::<aclrtLaunchKernelAttr>() - 4usize];
    ["Offset of field: aclrtLaunchKernelAttr::id"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttr, id) - 0usize];
    ["Offset of field: aclrtLaunchKernelAttr::value"]
        [::core::mem::offset_of!(aclrtLaunchKernelAttr, value) - 4usize];
};
impl Default for aclrtLaunchKernelAttr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtLaunchKernelAttr {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtLaunchKernelAttr {{ id: {:?}, value: {:?} }}", self.id, self.value)
    }
}
#[doc = " The attributes of a launch."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtLaunchKernelCfg {
    pub attrs: *mut aclrtLaunchKernelAttr,
    pub numAttrs: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtLaunchKernelCfg"][::core::mem::size_of::<aclrtLaunchKernelCfg>() - 16usize];
    ["Alignment of aclrtLaunchKernelCfg"][::core::mem::align_of::<aclrtLaunchKernelCfg>() - 8usize];
    ["Offset of field: aclrtLaunchKernelCfg::attrs"]
        [::core::mem::offset_of!(aclrtLaunchKernelCfg, attrs) - 0usize];
    ["Offset of field: aclrtLaunchKernelCfg::numAttrs"]
        [::core::mem::offset_of!(aclrtLaunchKernelCfg, numAttrs) - 8usize];
};
impl Default for aclrtLaunchKernelCfg {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " The 8 bytes at addrOffset of the arguments receive the device address of the data at dataOffset."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtPlaceHolderInfo {
    pub addrOffset: u32,
    pub dataOffset: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtPlaceHolderInfo"][::core::mem::size_of::<aclrtPlaceHolderInfo>() - 8usize];
    ["Alignment of aclrtPlaceHolderInfo"][::core::mem::align_of::<aclrtPlaceHolderInfo>() - 4usize];
    ["Offset of field: aclrtPlaceHolderInfo::addrOffset"]
        [::core::mem::offset_of!(aclrtPlaceHolderInfo, addrOffset) - 0usize];
    ["Offset of field: aclrtPlaceHolderInfo::dataOffset"]
        [::core::mem::offset_of!(aclrtPlaceHolderInfo, dataOffset) - 4usize];
};
pub const ACL_FUNC_ATTR_KERNEL_TYPE: aclrtFuncAttribute = 1;
pub const ACL_FUNC_ATTR_KERNEL_RATIO: aclrtFuncAttribute = 2;
pub const ACL_FUNC_ATTR_KERNEL_SCHED_MODE: aclrtFuncAttribute = 3;
#[doc = " Attributes of a kernel."]
pub type aclrtFuncAttribute = u32;
#[doc = " Kinds of kernels."]
pub const ACL_KERNEL_TYPE_AICORE: i64 = 0;
pub const ACL_KERNEL_TYPE_CUBE: i64 = 1;
pub const ACL_KERNEL_TYPE_VECTOR: i64 = 2;
pub const ACL_KERNEL_TYPE_MIX: i64 = 3;
pub const ACL_KERNEL_TYPE_AICPU: i64 = 100;
pub const ACL_DT_UNDEFINED: aclDataType = -1;
pub const ACL_FLOAT: aclDataType = 0;
pub const ACL_FLOAT16: aclDataType = 1;
pub const ACL_INT8: aclDataType = 2;
pub const ACL_INT32: aclDataType = 3;
pub const ACL_UINT8: aclDataType = 4;
pub const ACL_INT16: aclDataType = 6;
pub const ACL_UINT16: aclDataType = 7;
pub const ACL_UINT32: aclDataType = 8;
pub const ACL_INT64: aclDataType = 9;
pub const ACL_UINT64: aclDataType = 10;
pub const ACL_DOUBLE: aclDataType = 11;
pub const ACL_BOOL: aclDataType = 12;
pub const ACL_BF16: aclDataType = 27;
pub const ACL_INT4: aclDataType = 29;
pub const ACL_UINT1: aclDataType = 30;
pub const ACL_FLOAT8_E5M2: aclDataType = 35;
pub const ACL_FLOAT8_E4M3FN: aclDataType = 36;
pub const ACL_FLOAT8_E8M0: aclDataType = 37;
#[doc = " Types of elements."]
pub type aclDataType = i32;
pub const ACL_SUCCESS: aclError = 0;
pub const ACL_ERROR_NONE: aclError = 0;
pub const ACL_ERROR_INVALID_PARAM: aclError = 100000;
pub const ACL_ERROR_UNINITIALIZE: aclError = 100001;
pub const ACL_ERROR_REPEAT_INITIALIZE: aclError = 100002;
pub const ACL_ERROR_INVALID_FILE: aclError = 100003;
pub const ACL_ERROR_INVALID_FILE_SIZE: aclError = 100005;
pub const ACL_ERROR_PARSE_FILE: aclError = 100006;
pub const ACL_ERROR_KERNEL_NOT_FOUND: aclError = 100029;
pub const ACL_ERROR_STREAM_NOT_SUBSCRIBE: aclError = 100034;
pub const ACL_ERROR_THREAD_NOT_SUBSCRIBE: aclError = 100035;
pub const ACL_ERROR_WAIT_CALLBACK_TIMEOUT: aclError = 100036;
pub const ACL_ERROR_REPEAT_FINALIZE: aclError = 100037;
pub const ACL_ERROR_RT_PARAM_INVALID: aclError = 107000;
pub const ACL_ERROR_RT_INVALID_DEVICEID: aclError = 107001;
pub const ACL_ERROR_RT_CONTEXT_NULL: aclError = 107002;
pub const ACL_ERROR_RT_STREAM_CONTEXT: aclError = 107003;
pub const ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID: aclError = 107006;
pub const ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL: aclError = 107007;
pub const ACL_ERROR_RT_ADDR_UNALIGNED: aclError = 107008;
pub const ACL_ERROR_RT_FILE_OPEN: aclError = 107009;
pub const ACL_ERROR_RT_STREAM_SUBSCRIBE: aclError = 107011;
pub const ACL_ERROR_RT_THREAD_SUBSCRIBE: aclError = 107012;
pub const ACL_ERROR_RT_STREAM_NO_CB_REG: aclError = 107015;
pub const ACL_ERROR_RT_INVALID_HANDLE: aclError = 107017;
pub const ACL_ERROR_RT_INVALID_MALLOC_TYPE: aclError = 107018;
pub const ACL_ERROR_RT_WAIT_TIMEOUT: aclError = 107019;
pub const ACL_ERROR_RT_TASK_TIMEOUT: aclError = 107020;
pub const ACL_ERROR_RT_DEVICE_TASK_ABORT: aclError = 107022;
pub const ACL_ERROR_RT_STREAM_ABORT: aclError = 107023;
pub const ACL_ERROR_RT_SYMBOL_NOT_FOUND: aclError = 107042;
pub const ACL_ERROR_RT_INVALID_DEVICE_FUNCTION: aclError = 107044;
pub const ACL_ERROR_RT_FEATURE_NOT_SUPPORT: aclError = 207000;
pub const ACL_ERROR_RT_MEMORY_ALLOCATION: aclError = 207001;
pub const ACL_ERROR_RT_NO_DEVICE: aclError = 207004;
pub const ACL_ERROR_RT_RESOURCE_ALLOC_FAIL: aclError = 207005;
pub const ACL_ERROR_RT_NO_PERMISSION: aclError = 207006;
pub const ACL_ERROR_RT_NO_EVENT_RESOURCE: aclError = 207007;
pub const ACL_ERROR_RT_NO_STREAM_RESOURCE: aclError = 207008;
pub const ACL_ERROR_RT_NO_NOTIFY_RESOURCE: aclError = 207009;
pub const ACL_ERROR_RT_OVER_LIMIT: aclError = 207012;
pub const ACL_ERROR_RT_DEVICE_OOM: aclError = 207018;
pub const ACL_ERROR_INTERNAL_ERROR: aclError = 500000;
pub const ACL_ERROR_FAILURE: aclError = 500001;
pub const ACL_ERROR_GE_FAILURE: aclError = 500002;
pub const ACL_ERROR_RT_FAILURE: aclError = 500003;
pub const ACL_ERROR_DRV_FAILURE: aclError = 500004;
pub const ACL_ERROR_PROFILING_FAILURE: aclError = 500005;
pub const ACL_ERROR_RT_INTERNAL_ERROR: aclError = 507000;
pub const ACL_ERROR_RT_MODEL_EXECUTE: aclError = 507011;
pub const ACL_ERROR_RT_REPORT_TIMEOUT: aclError = 507012;
pub const ACL_ERROR_RT_AICORE_TIMEOUT: aclError = 507014;
pub const ACL_ERROR_RT_AICORE_EXCEPTION: aclError = 507015;
pub const ACL_ERROR_RT_IPC_ERROR: aclError = 507022;
pub const ACL_ERROR_RT_VECTOR_CORE_TIMEOUT: aclError = 507034;
pub const ACL_ERROR_RT_VECTOR_CORE_EXCEPTION: aclError = 507035;
pub const ACL_ERROR_RT_STREAM_SYNC_TIMEOUT: aclError = 507046;
pub const ACL_ERROR_RT_EVENT_SYNC_TIMEOUT: aclError = 507047;
pub const ACL_ERROR_RT_DEVICE_MEM_ERROR: aclError = 507053;
pub const ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR: aclError = 507054;
pub const ACL_ERROR_RT_LINK_ERROR: aclError = 507056;
pub const ACL_ERROR_RT_SUSPECT_REMOTE_ERROR: aclError = 507057;
pub const ACL_ERROR_RT_DRV_INTERNAL_ERROR: aclError = 507899;
pub const ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED: aclError = 507910;
pub const ACL_ERROR_HOST_MEMORY_NOT_REGISTERED: aclError = 507911;
#[doc = " Result of every HAL call; 0 is success."]
pub type drvError_t = i32;
pub const DRV_ERROR_NONE: drvError_t = 0;
pub const DRV_ERROR_NO_DEVICE: drvError_t = 1;
pub const DRV_ERROR_INVALID_DEVICE: drvError_t = 2;
pub const DRV_ERROR_INVALID_VALUE: drvError_t = 3;
pub const DRV_ERROR_INVALID_HANDLE: drvError_t = 4;
pub const DRV_ERROR_INVALID_MALLOC_TYPE: drvError_t = 5;
pub const DRV_ERROR_OUT_OF_MEMORY: drvError_t = 6;
pub const DRV_ERROR_INNER_ERR: drvError_t = 7;
pub const DRV_ERROR_PARA_ERROR: drvError_t = 8;
pub const DRV_ERROR_UNINIT: drvError_t = 9;
pub const DRV_ERROR_REPEATED_INIT: drvError_t = 10;
pub const DRV_ERROR_NOT_EXIST: drvError_t = 11;
pub const DRV_ERROR_BUSY: drvError_t = 13;
pub const DRV_ERROR_NO_RESOURCES: drvError_t = 14;
pub const DRV_ERROR_WAIT_TIMEOUT: drvError_t = 16;
pub const DRV_ERROR_IOCTL_FAIL: drvError_t = 17;
pub const DRV_ERROR_OVER_LIMIT: drvError_t = 37;
pub const DRV_ERROR_MALLOC_FAIL: drvError_t = 40;
pub const DRV_ERROR_OPER_NOT_PERMITTED: drvError_t = 46;
pub const DRV_ERROR_NO_EVENT_RESOURCES: drvError_t = 47;
pub const DRV_ERROR_NO_STREAM_RESOURCES: drvError_t = 48;
pub const DRV_ERROR_NO_NOTIFY_RESOURCES: drvError_t = 49;
pub const DRV_ERROR_TRY_AGAIN: drvError_t = 51;
pub const DRV_ERROR_MEMORY_OPT_FAIL: drvError_t = 58;
pub const DRV_ERROR_SQID_FULL: drvError_t = 60;
pub const DRV_ERROR_NOT_SUPPORT: drvError_t = 65534;
#[doc = " An address of the device."]
pub type DVdeviceptr = u64;
#[repr(C)]
#[derive(Debug)]
pub struct drv_mem_handle {
    _unused: [u8; 0],
}
#[doc = " A block of physical memory."]
pub type drv_mem_handle_t = drv_mem_handle;
#[doc = " Sides of memory (drv_mem_prop::side, drv_mem_location::side)."]
pub const HAL_MEM_SIDE_HOST: u32 = 0;
pub const HAL_MEM_SIDE_DEVICE: u32 = 1;
pub const HAL_MEM_SIDE_HOST_NUMA: u32 = 2;
#[doc = " Pages of memory (drv_mem_prop::pg_type, low byte of the flag of a reservation)."]
pub const HAL_MEM_PAGE_NORMAL: u32 = 0;
pub const HAL_MEM_PAGE_HUGE: u32 = 1;
pub const HAL_MEM_PAGE_GIANT: u32 = 2;
#[doc = " Kinds of memory (drv_mem_prop::mem_type)."]
pub const HAL_MEM_TYPE_HBM: u32 = 0;
pub const HAL_MEM_TYPE_DDR: u32 = 1;
pub const HAL_MEM_TYPE_P2P_HBM: u32 = 2;
pub const HAL_MEM_TYPE_P2P_DDR: u32 = 3;
pub const HAL_MEM_TYPE_TS_DDR: u32 = 4;
#[doc = " Flags of halMemAddressReserve beside the page type."]
pub const HAL_RESERVE_DEVICE_SHARE: u64 = 256;
pub const HAL_RESERVE_REMOTE_MAP: u64 = 512;
#[doc = " Rights of drv_mem_access_desc::type; MAX is what an unset right reads as."]
pub const HAL_MEM_ACCESS_NONE: u32 = 0;
pub const HAL_MEM_ACCESS_READ: u32 = 1;
pub const HAL_MEM_ACCESS_READWRITE: u32 = 3;
pub const HAL_MEM_ACCESS_MAX: u32 = 2147483647;
#[doc = " Types of shareable handles."]
pub const HAL_MEM_HANDLE_TYPE_NONE: i32 = 0;
pub const HAL_MEM_HANDLE_TYPE_FABRIC: i32 = 1;
#[doc = " Attribute types of halMemShareHandleSetAttribute."]
pub const HAL_SHARE_HANDLE_ATTR_NO_WHITELIST: i32 = 0;
#[doc = " Options of halMemGetAllocationGranularity."]
pub const HAL_GRANULARITY_MINIMUM: i32 = 0;
pub const HAL_GRANULARITY_RECOMMENDED: i32 = 1;
#[doc = " Kinds of memory that drvMemGetAttribute reports."]
pub const HAL_MEM_KIND_SVM: u32 = 1;
pub const HAL_MEM_KIND_SVM_HOST: u32 = 2;
pub const HAL_MEM_KIND_SVM_DEVICE: u32 = 4;
pub const HAL_MEM_KIND_LOCK_HOST: u32 = 8;
pub const HAL_MEM_KIND_LOCK_DEV: u32 = 16;
pub const HAL_MEM_KIND_LOCK_DEV_DVPP: u32 = 32;
pub const HAL_MEM_KIND_HOST_AGENT: u32 = 64;
pub const HAL_MEM_KIND_USER_MALLOC: u32 = 128;
pub const HAL_MEM_KIND_USER_REGISTER: u32 = 256;
pub const HAL_MEM_KIND_UVM: u32 = 512;
#[doc = " Parts of the flag of halMemAlloc; the device id is in bits 0 to 9, the module id from bit 56 on."]
pub const HAL_ALLOC_SVM: u64 = 0;
pub const HAL_ALLOC_DEVICE: u64 = 1024;
pub const HAL_ALLOC_HOST: u64 = 2048;
pub const HAL_ALLOC_HBM: u64 = 16384;
pub const HAL_ALLOC_PAGE_HUGE: u64 = 131072;
pub const HAL_ALLOC_P2P: u64 = 33554432;
pub const HAL_ALLOC_PAGE_GIANT: u64 = 2147483648;
#[doc = " Map types of halHostRegister."]
pub const HAL_HOST_MEM_MAP_DEV: u32 = 0;
pub const HAL_SVM_MAP_DEV: u32 = 1;
pub const HAL_HOST_MEM_MAP_DEV_PCIE_THROUGH: u32 = 3;
pub const HAL_DEV_MEM_MAP_HOST: u32 = 4;
pub const HAL_HOST_MEM_MAP_DMA: u32 = 5;
#[doc = " Modules of halGetDeviceInfo."]
pub const HAL_MODULE_SYSTEM: i32 = 0;
pub const HAL_MODULE_AICPU: i32 = 1;
pub const HAL_MODULE_AICORE: i32 = 4;
pub const HAL_MODULE_TSCPU: i32 = 5;
pub const HAL_MODULE_PCIE: i32 = 6;
pub const HAL_MODULE_VECTOR_CORE: i32 = 7;
pub const HAL_MODULE_MEMORY: i32 = 10;
pub const HAL_MODULE_UB: i32 = 15;
#[doc = " Facts of the system module."]
pub const HAL_INFO_ENV: i32 = 0;
pub const HAL_INFO_VERSION: i32 = 1;
pub const HAL_INFO_CORE_NUM: i32 = 3;
pub const HAL_INFO_CHIP_ID: i32 = 18;
pub const HAL_INFO_DIE_ID: i32 = 19;
pub const HAL_INFO_SDID: i32 = 26;
pub const HAL_INFO_SERVER_ID: i32 = 27;
pub const HAL_INFO_SCALE_TYPE: i32 = 28;
pub const HAL_INFO_SUPER_POD_ID: i32 = 29;
pub const HAL_INFO_ADDRESS_MODE: i32 = 30;
pub const HAL_INFO_RUN_MACHINE: i32 = 31;
pub const HAL_INFO_HOST_DEVICE_CONNECT: i32 = 40;
#[doc = " Values of HAL_INFO_HOST_DEVICE_CONNECT."]
pub const HAL_CONNECT_PCIE: i64 = 0;
pub const HAL_CONNECT_HCCS: i64 = 1;
pub const HAL_CONNECT_UB: i64 = 2;
#[doc = " What physical memory is wanted."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct drv_mem_prop {
    pub side: u32,
    pub devid: u32,
    pub module_id: u32,
    pub pg_type: u32,
    pub mem_type: u32,
    pub reserve: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of drv_mem_prop"][::core::mem::size_of::<drv_mem_prop>() - 32usize];
    ["Alignment of drv_mem_prop"][::core::mem::align_of::<drv_mem_prop>() - 8usize];
    ["Offset of field: drv_mem_prop::side"][::core::mem::offset_of!(drv_mem_prop, side) - 0usize];
    ["Offset of field: drv_mem_prop::devid"][::core::mem::offset_of!(drv_mem_prop, devid) - 4usize];
    ["Offset of field: drv_mem_prop::module_id"][::core::mem::offset_of!(drv_mem_prop, module_id) - 8usize];
    ["Offset of field: drv_mem_prop::pg_type"][::core::mem::offset_of!(drv_mem_prop, pg_type) - 12usize];
    ["Offset of field: drv_mem_prop::mem_type"][::core::mem::offset_of!(drv_mem_prop, mem_type) - 16usize];
    ["Offset of field: drv_mem_prop::reserve"][::core::mem::offset_of!(drv_mem_prop, reserve) - 24usize];
};
#[doc = " A place of memory."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct drv_mem_location {
    pub id: u32,
    pub side: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of drv_mem_location"][::core::mem::size_of::<drv_mem_location>() - 8usize];
    ["Alignment of drv_mem_location"][::core::mem::align_of::<drv_mem_location>() - 4usize];
    ["Offset of field: drv_mem_location::id"][::core::mem::offset_of!(drv_mem_location, id) - 0usize];
    ["Offset of field: drv_mem_location::side"][::core::mem::offset_of!(drv_mem_location, side) - 4usize];
};
#[doc = " Who may access a mapping, and how."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct drv_mem_access_desc {
    pub type_: u32,
    pub location: drv_mem_location,
    pub rsv: [u32; 2usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of drv_mem_access_desc"][::core::mem::size_of::<drv_mem_access_desc>() - 20usize];
    ["Alignment of drv_mem_access_desc"][::core::mem::align_of::<drv_mem_access_desc>() - 4usize];
    ["Offset of field: drv_mem_access_desc::type_"]
        [::core::mem::offset_of!(drv_mem_access_desc, type_) - 0usize];
    ["Offset of field: drv_mem_access_desc::location"]
        [::core::mem::offset_of!(drv_mem_access_desc, location) - 4usize];
    ["Offset of field: drv_mem_access_desc::rsv"]
        [::core::mem::offset_of!(drv_mem_access_desc, rsv) - 12usize];
};
#[doc = " A shareable handle that is valid across the hosts of a super node."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct MemShareHandle {
    pub share_info: [u8; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of MemShareHandle"][::core::mem::size_of::<MemShareHandle>() - 128usize];
    ["Alignment of MemShareHandle"][::core::mem::align_of::<MemShareHandle>() - 1usize];
    ["Offset of field: MemShareHandle::share_info"]
        [::core::mem::offset_of!(MemShareHandle, share_info) - 0usize];
};
impl Default for MemShareHandle {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Attribute of a shareable handle; passed by value."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct ShareHandleAttr {
    pub enableFlag: u32,
    pub rsv: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of ShareHandleAttr"][::core::mem::size_of::<ShareHandleAttr>() - 36usize];
    ["Alignment of ShareHandleAttr"][::core::mem::align_of::<ShareHandleAttr>() - 4usize];
    ["Offset of field: ShareHandleAttr::enableFlag"]
        [::core::mem::offset_of!(ShareHandleAttr, enableFlag) - 0usize];
    ["Offset of field: ShareHandleAttr::rsv"][::core::mem::offset_of!(ShareHandleAttr, rsv) - 4usize];
};
#[doc = " What drvMemGetAttribute says of an address."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct DVattribute {
    pub memType: u32,
    pub resv1: u32,
    pub resv2: u32,
    pub devId: u32,
    pub pageSize: u32,
    pub resv: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of DVattribute"][::core::mem::size_of::<DVattribute>() - 52usize];
    ["Alignment of DVattribute"][::core::mem::align_of::<DVattribute>() - 4usize];
    ["Offset of field: DVattribute::memType"][::core::mem::offset_of!(DVattribute, memType) - 0usize];
    ["Offset of field: DVattribute::resv1"][::core::mem::offset_of!(DVattribute, resv1) - 4usize];
    ["Offset of field: DVattribute::resv2"][::core::mem::offset_of!(DVattribute, resv2) - 8usize];
    ["Offset of field: DVattribute::devId"][::core::mem::offset_of!(DVattribute, devId) - 12usize];
    ["Offset of field: DVattribute::pageSize"][::core::mem::offset_of!(DVattribute, pageSize) - 16usize];
    ["Offset of field: DVattribute::resv"][::core::mem::offset_of!(DVattribute, resv) - 20usize];
};
#[doc = " Result of every call; the numbers are those of aclError."]
pub type rtError_t = i32;
#[doc = " Module and facts for rtGetDeviceInfo."]
pub const RT_MODULE_TYPE_SYSTEM: i32 = 0;
pub const RT_INFO_TYPE_PHY_CHIP_ID: i32 = 18;
pub const RT_INFO_TYPE_PHY_DIE_ID: i32 = 19;
pub const RT_INFO_TYPE_SDID: i32 = 26;
pub const RT_INFO_TYPE_SERVER_ID: i32 = 27;
pub const RT_INFO_TYPE_SUPER_POD_ID: i32 = 29;
#[doc = " Value of rtGetP2PStatus when the peer is reachable."]
pub const RT_P2P_STATUS_CONNECTED: u32 = 1;
#[doc = " Result of every HCCL call; 0 is success."]
pub type HcclResult = i32;
pub const HCCL_SUCCESS: HcclResult = 0;
pub const HCCL_E_PARA: HcclResult = 1;
pub const HCCL_E_PTR: HcclResult = 2;
pub const HCCL_E_MEMORY: HcclResult = 3;
pub const HCCL_E_INTERNAL: HcclResult = 4;
pub const HCCL_E_NOT_SUPPORT: HcclResult = 5;
pub const HCCL_E_NOT_FOUND: HcclResult = 6;
pub const HCCL_E_UNAVAIL: HcclResult = 7;
pub const HCCL_E_SYSCALL: HcclResult = 8;
pub const HCCL_E_TIMEOUT: HcclResult = 9;
pub const HCCL_E_OPEN_FILE_FAILURE: HcclResult = 10;
pub const HCCL_E_TCP_CONNECT: HcclResult = 11;
pub const HCCL_E_ROCE_CONNECT: HcclResult = 12;
pub const HCCL_E_TCP_TRANSFER: HcclResult = 13;
pub const HCCL_E_ROCE_TRANSFER: HcclResult = 14;
pub const HCCL_E_RUNTIME: HcclResult = 15;
pub const HCCL_E_DRV: HcclResult = 16;
pub const HCCL_E_PROFILING: HcclResult = 17;
pub const HCCL_E_CCE: HcclResult = 18;
pub const HCCL_E_NETWORK: HcclResult = 19;
pub const HCCL_E_AGAIN: HcclResult = 20;
pub const HCCL_E_REMOTE: HcclResult = 21;
pub const HCCL_E_SUSPENDING: HcclResult = 22;
pub const HCCL_E_OPRETRY_FAIL: HcclResult = 23;
pub const HCCL_E_OOM: HcclResult = 24;
#[doc = " A communicator."]
pub type HcclComm = *mut ::core::ffi::c_void;
pub const HCCL_DATA_TYPE_INT8: HcclDataType = 0;
pub const HCCL_DATA_TYPE_INT16: HcclDataType = 1;
pub const HCCL_DATA_TYPE_INT32: HcclDataType = 2;
pub const HCCL_DATA_TYPE_FP16: HcclDataType = 3;
pub const HCCL_DATA_TYPE_FP32: HcclDataType = 4;
pub const HCCL_DATA_TYPE_INT64: HcclDataType = 5;
pub const HCCL_DATA_TYPE_UINT64: HcclDataType = 6;
pub const HCCL_DATA_TYPE_UINT8: HcclDataType = 7;
pub const HCCL_DATA_TYPE_UINT16: HcclDataType = 8;
pub const HCCL_DATA_TYPE_UINT32: HcclDataType = 9;
pub const HCCL_DATA_TYPE_FP64: HcclDataType = 10;
pub const HCCL_DATA_TYPE_BFP16: HcclDataType = 11;
pub const HCCL_DATA_TYPE_INT128: HcclDataType = 12;
pub const HCCL_DATA_TYPE_HIF8: HcclDataType = 14;
pub const HCCL_DATA_TYPE_FP8E4M3: HcclDataType = 15;
pub const HCCL_DATA_TYPE_FP8E5M2: HcclDataType = 16;
pub const HCCL_DATA_TYPE_FP8E8M0: HcclDataType = 17;
#[doc = " Types of elements."]
pub type HcclDataType = u32;
pub const HCCL_REDUCE_SUM: HcclReduceOp = 0;
pub const HCCL_REDUCE_PROD: HcclReduceOp = 1;
pub const HCCL_REDUCE_MAX: HcclReduceOp = 2;
pub const HCCL_REDUCE_MIN: HcclReduceOp = 3;
#[doc = " Operations of reductions."]
pub type HcclReduceOp = u32;
#[doc = " What one rank makes and every rank needs to form a communicator."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct HcclRootInfo {
    pub internal: [::core::ffi::c_char; 4108usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcclRootInfo"][::core::mem::size_of::<HcclRootInfo>() - 4108usize];
    ["Alignment of HcclRootInfo"][::core::mem::align_of::<HcclRootInfo>() - 1usize];
    ["Offset of field: HcclRootInfo::internal"][::core::mem::offset_of!(HcclRootInfo, internal) - 0usize];
};
impl Default for HcclRootInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Bytes in front of a configuration: the size that its writer knows (size_t), magic and version (uint32_t),\n and 8 that are reserved."]
pub const HCCL_COMM_CONFIG_INFO_BYTES: u32 = 24;
pub const HCCL_COMM_CONFIG_MAGIC_WORD: u32 = 4042322160;
pub const HCCL_COMM_CONFIG_VERSION: u32 = 10;
#[doc = " What a number reads as that is not set."]
pub const HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET: u32 = 4294967295;
pub const HCCL_COMM_QOS_CONFIG_NOT_SET: u32 = 4294967295;
#[doc = " Defaults: MiB of a buffer, and off."]
pub const HCCL_COMM_DEFAULT_BUFFSIZE: u32 = 200;
pub const HCCL_COMM_DEFAULT_DETERMINISTIC: u32 = 0;
pub const HCCL_COMM_DEFAULT_OP_EXPANSION_MODE: u32 = 0;
#[doc = " Configuration of a communicator; readers use as many bytes as the head says. CANN 8.1 has the first 300."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct HcclCommConfig {
    pub reserved: [::core::ffi::c_char; 24usize],
    pub hcclBufferSize: u32,
    pub hcclDeterministic: u32,
    pub hcclCommName: [::core::ffi::c_char; 128usize],
    pub hcclUdi: [::core::ffi::c_char; 128usize],
    pub hcclOpExpansionMode: u32,
    pub hcclRdmaTrafficClass: u32,
    pub hcclRdmaServiceLevel: u32,
    pub hcclWorldRankID: u32,
    pub hcclJobID: u64,
    pub aclGraphZeroCopyEnable: u8,
    pub hcclExecTimeOut: i32,
    pub hcclAlgo: [::core::ffi::c_char; 1600usize],
    pub hcclRetryEnable: [::core::ffi::c_char; 50usize],
    pub hcclRetryParams: [::core::ffi::c_char; 128usize],
    pub hcclBufferName: [::core::ffi::c_char; 128usize],
    pub hcclQos: u32,
    pub hcclSymWinMaxMemSizePerRank: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcclCommConfig"][::core::mem::size_of::<HcclCommConfig>() - 2240usize];
    ["Alignment of HcclCommConfig"][::core::mem::align_of::<HcclCommConfig>() - 8usize];
    ["Offset of field: HcclCommConfig::reserved"][::core::mem::offset_of!(HcclCommConfig, reserved) - 0usize];
    ["Offset of field: HcclCommConfig::hcclBufferSize"]
        [::core::mem::offset_of!(HcclCommConfig, hcclBufferSize) - 24usize];
    ["Offset of field: HcclCommConfig::hcclDeterministic"]
        [::core::mem::offset_of!(HcclCommConfig, hcclDeterministic) - 28usize];
    ["Offset of field: HcclCommConfig::hcclCommName"]
        [::core::mem::offset_of!(HcclCommConfig, hcclCommName) - 32usize];
    ["Offset of field: HcclCommConfig::hcclUdi"][::core::mem::offset_of!(HcclCommConfig, hcclUdi) - 160usize];
    ["Offset of field: HcclCommConfig::hcclOpExpansionMode"]
        [::core::mem::offset_of!(HcclCommConfig, hcclOpExpansionMode) - 288usize];
    ["Offset of field: HcclCommConfig::hcclRdmaTrafficClass"]
        [::core::mem::offset_of!(HcclCommConfig, hcclRdmaTrafficClass) - 292usize];
    ["Offset of field: HcclCommConfig::hcclRdmaServiceLevel"]
        [::core::mem::offset_of!(HcclCommConfig, hcclRdmaServiceLevel) - 296usize];
    ["Offset of field: HcclCommConfig::hcclWorldRankID"]
        [::core::mem::offset_of!(HcclCommConfig, hcclWorldRankID) - 300usize];
    ["Offset of field: HcclCommConfig::hcclJobID"]
        [::core::mem::offset_of!(HcclCommConfig, hcclJobID) - 304usize];
    ["Offset of field: HcclCommConfig::aclGraphZeroCopyEnable"]
        [::core::mem::offset_of!(HcclCommConfig, aclGraphZeroCopyEnable) - 312usize];
    ["Offset of field: HcclCommConfig::hcclExecTimeOut"]
        [::core::mem::offset_of!(HcclCommConfig, hcclExecTimeOut) - 316usize];
    ["Offset of field: HcclCommConfig::hcclAlgo"]
        [::core::mem::offset_of!(HcclCommConfig, hcclAlgo) - 320usize];
    ["Offset of field: HcclCommConfig::hcclRetryEnable"]
        [::core::mem::offset_of!(HcclCommConfig, hcclRetryEnable) - 1920usize];
    ["Offset of field: HcclCommConfig::hcclRetryParams"]
        [::core::mem::offset_of!(HcclCommConfig, hcclRetryParams) - 1970usize];
    ["Offset of field: HcclCommConfig::hcclBufferName"]
        [::core::mem::offset_of!(HcclCommConfig, hcclBufferName) - 2098usize];
    ["Offset of field: HcclCommConfig::hcclQos"]
        [::core::mem::offset_of!(HcclCommConfig, hcclQos) - 2228usize];
    ["Offset of field: HcclCommConfig::hcclSymWinMaxMemSizePerRank"]
        [::core::mem::offset_of!(HcclCommConfig, hcclSymWinMaxMemSizePerRank) - 2232usize];
};
impl Default for HcclCommConfig {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const HCCL_SEND: HcclSendRecvType = 0;
pub const HCCL_RECV: HcclSendRecvType = 1;
#[doc = " Direction of an item of a batch."]
pub type HcclSendRecvType = u32;
#[doc = " One item of a batch of sends and receives."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct HcclSendRecvItem {
    pub sendRecvType: HcclSendRecvType,
    pub buf: *mut ::core::ffi::c_void,
    pub count: u64,
    pub dataType: HcclDataType,
    pub remoteRank: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcclSendRecvItem"][::core::mem::size_of::<HcclSendRecvItem>() - 32usize];
    ["Alignment of HcclSendRecvItem"][::core::mem::align_of::<HcclSendRecvItem>() - 8usize];
    ["Offset of field: HcclSendRecvItem::sendRecvType"]
        [::core::mem::offset_of!(HcclSendRecvItem, sendRecvType) - 0usize];
    ["Offset of field: HcclSendRecvItem::buf"][::core::mem::offset_of!(HcclSendRecvItem, buf) - 8usize];
    ["Offset of field: HcclSendRecvItem::count"][::core::mem::offset_of!(HcclSendRecvItem, count) - 16usize];
    ["Offset of field: HcclSendRecvItem::dataType"]
        [::core::mem::offset_of!(HcclSendRecvItem, dataType) - 24usize];
    ["Offset of field: HcclSendRecvItem::remoteRank"]
        [::core::mem::offset_of!(HcclSendRecvItem, remoteRank) - 28usize];
};
impl Default for HcclSendRecvItem {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Types of queue pairs: normal, and logical completion queue."]
pub const HAL_QUEUE_NORMAL: u32 = 0;
pub const HAL_QUEUE_LOGICAL_CQ: u32 = 2;
#[doc = " Types of resource ids."]
pub const HAL_RESOURCE_STREAM: u32 = 0;
pub const HAL_RESOURCE_EVENT: u32 = 1;
pub const HAL_RESOURCE_MODEL: u32 = 2;
pub const HAL_RESOURCE_NOTIFY: u32 = 3;
#[doc = " Properties of halResourceConfig."]
pub const HAL_CONFIG_BIND_LOGICAL_CQ: u32 = 0;
pub const HAL_CONFIG_UNBIND_LOGICAL_CQ: u32 = 1;
pub const HAL_CONFIG_RECORD_ID: u32 = 2;
pub const HAL_CONFIG_ENABLE_EVENT: u32 = 3;
pub const HAL_CONFIG_RESET_ID: u32 = 4;
#[doc = " Properties of halSqCqQuery."]
pub const HAL_QUERY_SQ_STATUS: u32 = 0;
pub const HAL_QUERY_SQ_HEAD: u32 = 1;
pub const HAL_QUERY_SQ_TAIL: u32 = 2;
pub const HAL_QUERY_SQ_REENABLE: u32 = 3;
pub const HAL_QUERY_CQE_STATUS: u32 = 4;
pub const HAL_QUERY_SQ_REG_BASE: u32 = 5;
pub const HAL_QUERY_SQ_BASE: u32 = 6;
pub const HAL_QUERY_SQ_DEPTH: u32 = 7;
pub const HAL_QUERY_SQ_PAUSE: u32 = 8;
#[doc = " Sizes of queue entries in bytes and depths in entries."]
pub const HAL_SQE_BYTES: u32 = 64;
pub const HAL_SQ_DEPTH: u32 = 2048;
pub const HAL_CQE_BYTES: u32 = 32;
pub const HAL_CQ_DEPTH: u32 = 4096;
#[doc = " Types of tasks."]
pub const HAL_TASK_NOTIFY_RECORD: u8 = 6;
pub const HAL_TASK_NOTIFY_WAIT: u8 = 7;
pub const HAL_TASK_WRITE_VALUE: u8 = 8;
pub const HAL_TASK_SDMA: u8 = 11;
#[doc = " Byte 0 of a task: the type, and the two lock bits."]
pub const HAL_TASK_TYPE_MASK: u8 = 63;
pub const HAL_TASK_LOCK: u8 = 64;
pub const HAL_TASK_UNLOCK: u8 = 128;
#[doc = " Credit of a task (its timeout): the default, and no timeout."]
pub const HAL_TASK_CREDIT_DEFAULT: u8 = 254;
pub const HAL_TASK_CREDIT_FOREVER: u8 = 255;
#[doc = " First word of the body of a plain SDMA copy as seen in use."]
pub const HAL_SDMA_PLAIN_COPY: u32 = 56832;
#[doc = " What a queue pair is made of."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halSqCqInputInfo {
    pub type_: u32,
    pub tsId: u32,
    pub sqeSize: u32,
    pub cqeSize: u32,
    pub sqeDepth: u32,
    pub cqeDepth: u32,
    pub grpId: u32,
    pub flag: u32,
    pub cqId: u32,
    pub sqId: u32,
    pub info: [u32; 5usize],
    pub res: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halSqCqInputInfo"][::core::mem::size_of::<halSqCqInputInfo>() - 92usize];
    ["Alignment of halSqCqInputInfo"][::core::mem::align_of::<halSqCqInputInfo>() - 4usize];
    ["Offset of field: halSqCqInputInfo::type_"][::core::mem::offset_of!(halSqCqInputInfo, type_) - 0usize];
    ["Offset of field: halSqCqInputInfo::tsId"][::core::mem::offset_of!(halSqCqInputInfo, tsId) - 4usize];
    ["Offset of field: halSqCqInputInfo::sqeSize"]
        [::core::mem::offset_of!(halSqCqInputInfo, sqeSize) - 8usize];
    ["Offset of field: halSqCqInputInfo::cqeSize"]
        [::core::mem::offset_of!(halSqCqInputInfo, cqeSize) - 12usize];
    ["Offset of field: halSqCqInputInfo::sqeDepth"]
        [::core::mem::offset_of!(halSqCqInputInfo, sqeDepth) - 16usize];
    ["Offset of field: halSqCqInputInfo::cqeDepth"]
        [::core::mem::offset_of!(halSqCqInputInfo, cqeDepth) - 20usize];
    ["Offset of field: halSqCqInputInfo::grpId"][::core::mem::offset_of!(halSqCqInputInfo, grpId) - 24usize];
    ["Offset of field: halSqCqInputInfo::flag"][::core::mem::offset_of!(halSqCqInputInfo, flag) - 28usize];
    ["Offset of field: halSqCqInputInfo::cqId"][::core::mem::offset_of!(halSqCqInputInfo, cqId) - 32usize];
    ["Offset of field: halSqCqInputInfo::sqId"][::core::mem::offset_of!(halSqCqInputInfo, sqId) - 36usize];
    ["Offset of field: halSqCqInputInfo::info"][::core::mem::offset_of!(halSqCqInputInfo, info) - 40usize];
    ["Offset of field: halSqCqInputInfo::res"][::core::mem::offset_of!(halSqCqInputInfo, res) - 60usize];
};
#[doc = " A made queue pair."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halSqCqOutputInfo {
    pub sqId: u32,
    pub cqId: u32,
    pub queueVAddr: u64,
    pub flag: u32,
    pub res: [u32; 5usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halSqCqOutputInfo"][::core::mem::size_of::<halSqCqOutputInfo>() - 40usize];
    ["Alignment of halSqCqOutputInfo"][::core::mem::align_of::<halSqCqOutputInfo>() - 8usize];
    ["Offset of field: halSqCqOutputInfo::sqId"][::core::mem::offset_of!(halSqCqOutputInfo, sqId) - 0usize];
    ["Offset of field: halSqCqOutputInfo::cqId"][::core::mem::offset_of!(halSqCqOutputInfo, cqId) - 4usize];
    ["Offset of field: halSqCqOutputInfo::queueVAddr"]
        [::core::mem::offset_of!(halSqCqOutputInfo, queueVAddr) - 8usize];
    ["Offset of field: halSqCqOutputInfo::flag"][::core::mem::offset_of!(halSqCqOutputInfo, flag) - 16usize];
    ["Offset of field: halSqCqOutputInfo::res"][::core::mem::offset_of!(halSqCqOutputInfo, res) - 20usize];
};
#[doc = " A queue pair to free."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halSqCqFreeInfo {
    pub type_: u32,
    pub tsId: u32,
    pub sqId: u32,
    pub cqId: u32,
    pub flag: u32,
    pub res: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halSqCqFreeInfo"][::core::mem::size_of::<halSqCqFreeInfo>() - 52usize];
    ["Alignment of halSqCqFreeInfo"][::core::mem::align_of::<halSqCqFreeInfo>() - 4usize];
    ["Offset of field: halSqCqFreeInfo::type_"][::core::mem::offset_of!(halSqCqFreeInfo, type_) - 0usize];
    ["Offset of field: halSqCqFreeInfo::tsId"][::core::mem::offset_of!(halSqCqFreeInfo, tsId) - 4usize];
    ["Offset of field: halSqCqFreeInfo::sqId"][::core::mem::offset_of!(halSqCqFreeInfo, sqId) - 8usize];
    ["Offset of field: halSqCqFreeInfo::cqId"][::core::mem::offset_of!(halSqCqFreeInfo, cqId) - 12usize];
    ["Offset of field: halSqCqFreeInfo::flag"][::core::mem::offset_of!(halSqCqFreeInfo, flag) - 16usize];
    ["Offset of field: halSqCqFreeInfo::res"][::core::mem::offset_of!(halSqCqFreeInfo, res) - 20usize];
};
#[doc = " A question about a queue pair, and its answer."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halSqCqQueryInfo {
    pub type_: u32,
    pub tsId: u32,
    pub sqId: u32,
    pub cqId: u32,
    pub prop: u32,
    pub value: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halSqCqQueryInfo"][::core::mem::size_of::<halSqCqQueryInfo>() - 52usize];
    ["Alignment of halSqCqQueryInfo"][::core::mem::align_of::<halSqCqQueryInfo>() - 4usize];
    ["Offset of field: halSqCqQueryInfo::type_"][::core::mem::offset_of!(halSqCqQueryInfo, type_) - 0usize];
    ["Offset of field: halSqCqQueryInfo::tsId"][::core::mem::offset_of!(halSqCqQueryInfo, tsId) - 4usize];
    ["Offset of field: halSqCqQueryInfo::sqId"][::core::mem::offset_of!(halSqCqQueryInfo, sqId) - 8usize];
    ["Offset of field: halSqCqQueryInfo::cqId"][::core::mem::offset_of!(halSqCqQueryInfo, cqId) - 12usize];
    ["Offset of field: halSqCqQueryInfo::prop"][::core::mem::offset_of!(halSqCqQueryInfo, prop) - 16usize];
    ["Offset of field: halSqCqQueryInfo::value"][::core::mem::offset_of!(halSqCqQueryInfo, value) - 20usize];
};
#[doc = " Tasks to send; pos becomes the index of the first."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct halTaskSendInfo {
    pub type_: u32,
    pub tsId: u32,
    pub sqId: u32,
    pub timeout: i32,
    pub sqe_addr: *mut u8,
    pub sqe_num: u32,
    pub pos: u32,
    pub res: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halTaskSendInfo"][::core::mem::size_of::<halTaskSendInfo>() - 64usize];
    ["Alignment of halTaskSendInfo"][::core::mem::align_of::<halTaskSendInfo>() - 8usize];
    ["Offset of field: halTaskSendInfo::type_"][::core::mem::offset_of!(halTaskSendInfo, type_) - 0usize];
    ["Offset of field: halTaskSendInfo::tsId"][::core::mem::offset_of!(halTaskSendInfo, tsId) - 4usize];
    ["Offset of field: halTaskSendInfo::sqId"][::core::mem::offset_of!(halTaskSendInfo, sqId) - 8usize];
    ["Offset of field: halTaskSendInfo::timeout"]
        [::core::mem::offset_of!(halTaskSendInfo, timeout) - 12usize];
    ["Offset of field: halTaskSendInfo::sqe_addr"]
        [::core::mem::offset_of!(halTaskSendInfo, sqe_addr) - 16usize];
    ["Offset of field: halTaskSendInfo::sqe_num"]
        [::core::mem::offset_of!(halTaskSendInfo, sqe_num) - 24usize];
    ["Offset of field: halTaskSendInfo::pos"][::core::mem::offset_of!(halTaskSendInfo, pos) - 28usize];
    ["Offset of field: halTaskSendInfo::res"][::core::mem::offset_of!(halTaskSendInfo, res) - 32usize];
};
impl Default for halTaskSendInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Room for reports, and how many came."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct halReportRecvInfo {
    pub type_: u32,
    pub tsId: u32,
    pub cqId: u32,
    pub timeout: i32,
    pub cqe_addr: *mut u8,
    pub cqe_num: u32,
    pub report_cqe_num: u32,
    pub stream_id: u32,
    pub task_id: u32,
    pub res: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halReportRecvInfo"][::core::mem::size_of::<halReportRecvInfo>() - 72usize];
    ["Alignment of halReportRecvInfo"][::core::mem::align_of::<halReportRecvInfo>() - 8usize];
    ["Offset of field: halReportRecvInfo::type_"][::core::mem::offset_of!(halReportRecvInfo, type_) - 0usize];
    ["Offset of field: halReportRecvInfo::tsId"][::core::mem::offset_of!(halReportRecvInfo, tsId) - 4usize];
    ["Offset of field: halReportRecvInfo::cqId"][::core::mem::offset_of!(halReportRecvInfo, cqId) - 8usize];
    ["Offset of field: halReportRecvInfo::timeout"]
        [::core::mem::offset_of!(halReportRecvInfo, timeout) - 12usize];
    ["Offset of field: halReportRecvInfo::cqe_addr"]
        [::core::mem::offset_of!(halReportRecvInfo, cqe_addr) - 16usize];
    ["Offset of field: halReportRecvInfo::cqe_num"]
        [::core::mem::offset_of!(halReportRecvInfo, cqe_num) - 24usize];
    ["Offset of field: halReportRecvInfo::report_cqe_num"]
        [::core::mem::offset_of!(halReportRecvInfo, report_cqe_num) - 28usize];
    ["Offset of field: halReportRecvInfo::stream_id"]
        [::core::mem::offset_of!(halReportRecvInfo, stream_id) - 32usize];
    ["Offset of field: halReportRecvInfo::task_id"]
        [::core::mem::offset_of!(halReportRecvInfo, task_id) - 36usize];
    ["Offset of field: halReportRecvInfo::res"][::core::mem::offset_of!(halReportRecvInfo, res) - 40usize];
};
impl Default for halReportRecvInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Which resource id is wanted."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halResourceIdInputInfo {
    pub type_: u32,
    pub tsId: u32,
    pub resourceId: u32,
    pub res: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halResourceIdInputInfo"][::core::mem::size_of::<halResourceIdInputInfo>() - 44usize];
    ["Alignment of halResourceIdInputInfo"][::core::mem::align_of::<halResourceIdInputInfo>() - 4usize];
    ["Offset of field: halResourceIdInputInfo::type_"]
        [::core::mem::offset_of!(halResourceIdInputInfo, type_) - 0usize];
    ["Offset of field: halResourceIdInputInfo::tsId"]
        [::core::mem::offset_of!(halResourceIdInputInfo, tsId) - 4usize];
    ["Offset of field: halResourceIdInputInfo::resourceId"]
        [::core::mem::offset_of!(halResourceIdInputInfo, resourceId) - 8usize];
    ["Offset of field: halResourceIdInputInfo::res"]
        [::core::mem::offset_of!(halResourceIdInputInfo, res) - 12usize];
};
#[doc = " A resource id."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halResourceIdOutputInfo {
    pub resourceId: u32,
    pub res: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halResourceIdOutputInfo"][::core::mem::size_of::<halResourceIdOutputInfo>() - 36usize];
    ["Alignment of halResourceIdOutputInfo"][::core::mem::align_of::<halResourceIdOutputInfo>() - 4usize];
    ["Offset of field: halResourceIdOutputInfo::resourceId"]
        [::core::mem::offset_of!(halResourceIdOutputInfo, resourceId) - 0usize];
    ["Offset of field: halResourceIdOutputInfo::res"]
        [::core::mem::offset_of!(halResourceIdOutputInfo, res) - 4usize];
};
#[doc = " A change of a resource."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halResourceConfigInfo {
    pub prop: u32,
    pub value: [u32; 7usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halResourceConfigInfo"][::core::mem::size_of::<halResourceConfigInfo>() - 32usize];
    ["Alignment of halResourceConfigInfo"][::core::mem::align_of::<halResourceConfigInfo>() - 4usize];
    ["Offset of field: halResourceConfigInfo::prop"]
        [::core::mem::offset_of!(halResourceConfigInfo, prop) - 0usize];
    ["Offset of field: halResourceConfigInfo::value"]
        [::core::mem::offset_of!(halResourceConfigInfo, value) - 4usize];
};
#[doc = " Where the register of a notify is."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct drvNotifyInfo {
    pub tsId: u32,
    pub notifyId: u32,
    pub offset: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of drvNotifyInfo"][::core::mem::size_of::<drvNotifyInfo>() - 16usize];
    ["Alignment of drvNotifyInfo"][::core::mem::align_of::<drvNotifyInfo>() - 8usize];
    ["Offset of field: drvNotifyInfo::tsId"][::core::mem::offset_of!(drvNotifyInfo, tsId) - 0usize];
    ["Offset of field: drvNotifyInfo::notifyId"][::core::mem::offset_of!(drvNotifyInfo, notifyId) - 4usize];
    ["Offset of field: drvNotifyInfo::offset"][::core::mem::offset_of!(drvNotifyInfo, offset) - 8usize];
};
#[doc = " Bits of halLogicCqReport::bits."]
pub const HAL_REPORT_MATCH: u16 = 1;
pub const HAL_REPORT_DROP: u16 = 2;
pub const HAL_REPORT_ERROR: u16 = 4;
pub const HAL_REPORT_ACC_ERROR: u16 = 8;
#[doc = " A report of a logical completion queue."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halLogicCqReport {
    pub streamId: u16,
    pub taskId: u16,
    pub errorCode: u32,
    pub errorType: u8,
    pub sqeType: u8,
    pub sqId: u16,
    pub sqHead: u16,
    pub bits: u16,
    pub timestamp: u64,
    pub extra: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halLogicCqReport"][::core::mem::size_of::<halLogicCqReport>() - 32usize];
    ["Alignment of halLogicCqReport"][::core::mem::align_of::<halLogicCqReport>() - 8usize];
    ["Offset of field: halLogicCqReport::streamId"]
        [::core::mem::offset_of!(halLogicCqReport, streamId) - 0usize];
    ["Offset of field: halLogicCqReport::taskId"][::core::mem::offset_of!(halLogicCqReport, taskId) - 2usize];
    ["Offset of field: halLogicCqReport::errorCode"]
        [::core::mem::offset_of!(halLogicCqReport, errorCode) - 4usize];
    ["Offset of field: halLogicCqReport::errorType"]
        [::core::mem::offset_of!(halLogicCqReport, errorType) - 8usize];
    ["Offset of field: halLogicCqReport::sqeType"]
        [::core::mem::offset_of!(halLogicCqReport, sqeType) - 9usize];
    ["Offset of field: halLogicCqReport::sqId"][::core::mem::offset_of!(halLogicCqReport, sqId) - 10usize];
    ["Offset of field: halLogicCqReport::sqHead"]
        [::core::mem::offset_of!(halLogicCqReport, sqHead) - 12usize];
    ["Offset of field: halLogicCqReport::bits"][::core::mem::offset_of!(halLogicCqReport, bits) - 14usize];
    ["Offset of field: halLogicCqReport::timestamp"]
        [::core::mem::offset_of!(halLogicCqReport, timestamp) - 16usize];
    ["Offset of field: halLogicCqReport::extra"][::core::mem::offset_of!(halLogicCqReport, extra) - 24usize];
};
#[doc = " A 64-byte task: the head that all types share, and the body that depends on the type."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halTask {
    pub type_: u8,
    pub flags: u8,
    pub blocks: u16,
    pub streamId: u16,
    pub taskId: u16,
    pub reserved0: u32,
    pub reserved1: u16,
    pub credit: u8,
    pub pointerMode: u8,
    pub body: [u32; 12usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halTask"][::core::mem::size_of::<halTask>() - 64usize];
    ["Alignment of halTask"][::core::mem::align_of::<halTask>() - 4usize];
    ["Offset of field: halTask::type_"][::core::mem::offset_of!(halTask, type_) - 0usize];
    ["Offset of field: halTask::flags"][::core::mem::offset_of!(halTask, flags) - 1usize];
    ["Offset of field: halTask::blocks"][::core::mem::offset_of!(halTask, blocks) - 2usize];
    ["Offset of field: halTask::streamId"][::core::mem::offset_of!(halTask, streamId) - 4usize];
    ["Offset of field: halTask::taskId"][::core::mem::offset_of!(halTask, taskId) - 6usize];
    ["Offset of field: halTask::reserved0"][::core::mem::offset_of!(halTask, reserved0) - 8usize];
    ["Offset of field: halTask::reserved1"][::core::mem::offset_of!(halTask, reserved1) - 12usize];
    ["Offset of field: halTask::credit"][::core::mem::offset_of!(halTask, credit) - 14usize];
    ["Offset of field: halTask::pointerMode"][::core::mem::offset_of!(halTask, pointerMode) - 15usize];
    ["Offset of field: halTask::body"][::core::mem::offset_of!(halTask, body) - 16usize];
};
#[doc = " A 64-byte task of type SDMA."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct halSdmaTask {
    pub type_: u8,
    pub flags: u8,
    pub blocks: u16,
    pub streamId: u16,
    pub taskId: u16,
    pub reserved0: u32,
    pub reserved1: u16,
    pub credit: u8,
    pub pointerMode: u8,
    pub opcode: u32,
    pub streams: [u16; 4usize],
    pub length: u32,
    pub srcLow: u32,
    pub srcHigh: u32,
    pub dstLow: u32,
    pub dstHigh: u32,
    pub offsets: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of halSdmaTask"][::core::mem::size_of::<halSdmaTask>() - 64usize];
    ["Alignment of halSdmaTask"][::core::mem::align_of::<halSdmaTask>() - 4usize];
    ["Offset of field: halSdmaTask::type_"][::core::mem::offset_of!(halSdmaTask, type_) - 0usize];
    ["Offset of field: halSdmaTask::flags"][::core::mem::offset_of!(halSdmaTask, flags) - 1usize];
    ["Offset of field: halSdmaTask::blocks"][::core::mem::offset_of!(halSdmaTask, blocks) - 2usize];
    ["Offset of field: halSdmaTask::streamId"][::core::mem::offset_of!(halSdmaTask, streamId) - 4usize];
    ["Offset of field: halSdmaTask::taskId"][::core::mem::offset_of!(halSdmaTask, taskId) - 6usize];
    ["Offset of field: halSdmaTask::reserved0"][::core::mem::offset_of!(halSdmaTask, reserved0) - 8usize];
    ["Offset of field: halSdmaTask::reserved1"][::core::mem::offset_of!(halSdmaTask, reserved1) - 12usize];
    ["Offset of field: halSdmaTask::credit"][::core::mem::offset_of!(halSdmaTask, credit) - 14usize];
    ["Offset of field: halSdmaTask::pointerMode"]
        [::core::mem::offset_of!(halSdmaTask, pointerMode) - 15usize];
    ["Offset of field: halSdmaTask::opcode"][::core::mem::offset_of!(halSdmaTask, opcode) - 16usize];
    ["Offset of field: halSdmaTask::streams"][::core::mem::offset_of!(halSdmaTask, streams) - 20usize];
    ["Offset of field: halSdmaTask::length"][::core::mem::offset_of!(halSdmaTask, length) - 28usize];
    ["Offset of field: halSdmaTask::srcLow"][::core::mem::offset_of!(halSdmaTask, srcLow) - 32usize];
    ["Offset of field: halSdmaTask::srcHigh"][::core::mem::offset_of!(halSdmaTask, srcHigh) - 36usize];
    ["Offset of field: halSdmaTask::dstLow"][::core::mem::offset_of!(halSdmaTask, dstLow) - 40usize];
    ["Offset of field: halSdmaTask::dstHigh"][::core::mem::offset_of!(halSdmaTask, dstHigh) - 44usize];
    ["Offset of field: halSdmaTask::offsets"][::core::mem::offset_of!(halSdmaTask, offsets) - 48usize];
};
#[doc = " Where the network interface is."]
pub const RA_NETWORK_PEER: u32 = 0;
pub const RA_NETWORK_OFFLINE: u32 = 1;
pub const RA_NETWORK_ONLINE: u32 = 2;
#[doc = " How completions are reported."]
pub const RA_NOTIFY_NONE: u32 = 0;
pub const RA_NOTIFY_NOTIFY: u32 = 1;
pub const RA_NOTIFY_EVENT: u32 = 2;
#[doc = " States and roles of a socket."]
pub const RA_SOCKET_NOT_CONNECTED: i32 = 0;
pub const RA_SOCKET_CONNECTED: i32 = 1;
pub const RA_SOCKET_TIMEOUT: i32 = 2;
pub const RA_SOCKET_CONNECTING: i32 = 3;
pub const RA_SOCKET_SERVER: u32 = 0;
pub const RA_SOCKET_CLIENT: u32 = 1;
#[doc = " Rights of a memory region."]
pub const RA_ACCESS_LOCAL_WRITE: i32 = 1;
pub const RA_ACCESS_REMOTE_WRITE: i32 = 2;
pub const RA_ACCESS_REMOTE_READ: i32 = 4;
pub const RA_ACCESS_REDUCE: i32 = 256;
#[doc = " Operation of a work request: write."]
pub const RA_WR_RDMA_WRITE: u32 = 0;
#[doc = " Start of the client."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct RaInitConfig {
    pub phyId: u32,
    pub nicPosition: u32,
    pub hdcType: ::core::ffi::c_int,
    pub enableHdcAsync: bool,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of RaInitConfig"][::core::mem::size_of::<RaInitConfig>() - 16usize];
    ["Alignment of RaInitConfig"][::core::mem::align_of::<RaInitConfig>() - 4usize];
    ["Offset of field: RaInitConfig::phyId"][::core::mem::offset_of!(RaInitConfig, phyId) - 0usize];
    ["Offset of field: RaInitConfig::nicPosition"]
        [::core::mem::offset_of!(RaInitConfig, nicPosition) - 4usize];
    ["Offset of field: RaInitConfig::hdcType"][::core::mem::offset_of!(RaInitConfig, hdcType) - 8usize];
    ["Offset of field: RaInitConfig::enableHdcAsync"]
        [::core::mem::offset_of!(RaInitConfig, enableHdcAsync) - 12usize];
};
#[doc = " An address of 4 or 16 bytes in network order."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union IpAddr {
    pub v4: u32,
    pub v6: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of IpAddr"][::core::mem::size_of::<IpAddr>() - 16usize];
    ["Alignment of IpAddr"][::core::mem::align_of::<IpAddr>() - 4usize];
    ["Offset of field: IpAddr::v4"][::core::mem::offset_of!(IpAddr, v4) - 0usize];
    ["Offset of field: IpAddr::v6"][::core::mem::offset_of!(IpAddr, v6) - 0usize];
};
impl Default for IpAddr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for IpAddr {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "IpAddr {{ union }}")
    }
}
#[doc = " An RDMA device."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct Rdev {
    pub phyId: u32,
    pub family: ::core::ffi::c_int,
    pub localIp: IpAddr,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of Rdev"][::core::mem::size_of::<Rdev>() - 24usize];
    ["Alignment of Rdev"][::core::mem::align_of::<Rdev>() - 4usize];
    ["Offset of field: Rdev::phyId"][::core::mem::offset_of!(Rdev, phyId) - 0usize];
    ["Offset of field: Rdev::family"][::core::mem::offset_of!(Rdev, family) - 4usize];
    ["Offset of field: Rdev::localIp"][::core::mem::offset_of!(Rdev, localIp) - 8usize];
};
impl Default for Rdev {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for Rdev {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "Rdev {{ family: {:?}, localIp: {:?} }}", self.family, self.localIp)
    }
}
#[doc = " Start of an RDMA device; passed by value."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct RdevInitInfo {
    pub mode: ::core::ffi::c_int,
    pub notifyType: u32,
    pub options: [bool; 3usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of RdevInitInfo"][::core::mem::size_of::<RdevInitInfo>() - 12usize];
    ["Alignment of RdevInitInfo"][::core::mem::align_of::<RdevInitInfo>() - 4usize];
    ["Offset of field: RdevInitInfo::mode"][::core::mem::offset_of!(RdevInitInfo, mode) - 0usize];
    ["Offset of field: RdevInitInfo::notifyType"][::core::mem::offset_of!(RdevInitInfo, notifyType) - 4usize];
    ["Offset of field: RdevInitInfo::options"][::core::mem::offset_of!(RdevInitInfo, options) - 8usize];
};
#[doc = " Whose interfaces are asked for."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct RaGetIfAttr {
    pub phyId: u32,
    pub nicPosition: u32,
    pub isAll: bool,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of RaGetIfAttr"][::core::mem::size_of::<RaGetIfAttr>() - 12usize];
    ["Alignment of RaGetIfAttr"][::core::mem::align_of::<RaGetIfAttr>() - 4usize];
    ["Offset of field: RaGetIfAttr::phyId"][::core::mem::offset_of!(RaGetIfAttr, phyId) - 0usize];
    ["Offset of field: RaGetIfAttr::nicPosition"][::core::mem::offset_of!(RaGetIfAttr, nicPosition) - 4usize];
    ["Offset of field: RaGetIfAttr::isAll"][::core::mem::offset_of!(RaGetIfAttr, isAll) - 8usize];
};
#[doc = " Address and mask of an interface."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct InterfaceAddr {
    pub ip: IpAddr,
    pub mask: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of InterfaceAddr"][::core::mem::size_of::<InterfaceAddr>() - 20usize];
    ["Alignment of InterfaceAddr"][::core::mem::align_of::<InterfaceAddr>() - 4usize];
    ["Offset of field: InterfaceAddr::ip"][::core::mem::offset_of!(InterfaceAddr, ip) - 0usize];
    ["Offset of field: InterfaceAddr::mask"][::core::mem::offset_of!(InterfaceAddr, mask) - 16usize];
};
impl Default for InterfaceAddr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for InterfaceAddr {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "InterfaceAddr {{ ip: {:?} }}", self.ip)
    }
}
#[doc = " An interface."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct InterfaceInfo {
    pub family: ::core::ffi::c_int,
    pub scopeId: ::core::ffi::c_int,
    pub ifaddr: InterfaceAddr,
    pub ifname: [::core::ffi::c_char; 256usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of InterfaceInfo"][::core::mem::size_of::<InterfaceInfo>() - 284usize];
    ["Alignment of InterfaceInfo"][::core::mem::align_of::<InterfaceInfo>() - 4usize];
    ["Offset of field: InterfaceInfo::family"][::core::mem::offset_of!(InterfaceInfo, family) - 0usize];
    ["Offset of field: InterfaceInfo::scopeId"][::core::mem::offset_of!(InterfaceInfo, scopeId) - 4usize];
    ["Offset of field: InterfaceInfo::ifaddr"][::core::mem::offset_of!(InterfaceInfo, ifaddr) - 8usize];
    ["Offset of field: InterfaceInfo::ifname"][::core::mem::offset_of!(InterfaceInfo, ifname) - 28usize];
};
impl Default for InterfaceInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for InterfaceInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "InterfaceInfo {{ family: {:?}, scopeId: {:?}, ifaddr: {:?}, ifname: {:?} }}",
            self.family, self.scopeId, self.ifaddr, self.ifname
        )
    }
}
#[doc = " A connection to make."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SocketConnectInfo {
    pub socketHandle: *mut ::core::ffi::c_void,
    pub remoteIp: IpAddr,
    pub port: u16,
    pub tag: [::core::ffi::c_char; 192usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of SocketConnectInfo"][::core::mem::size_of::<SocketConnectInfo>() - 224usize];
    ["Alignment of SocketConnectInfo"][::core::mem::align_of::<SocketConnectInfo>() - 8usize];
    ["Offset of field: SocketConnectInfo::socketHandle"]
        [::core::mem::offset_of!(SocketConnectInfo, socketHandle) - 0usize];
    ["Offset of field: SocketConnectInfo::remoteIp"]
        [::core::mem::offset_of!(SocketConnectInfo, remoteIp) - 8usize];
    ["Offset of field: SocketConnectInfo::port"][::core::mem::offset_of!(SocketConnectInfo, port) - 24usize];
    ["Offset of field: SocketConnectInfo::tag"][::core::mem::offset_of!(SocketConnectInfo, tag) - 26usize];
};
impl Default for SocketConnectInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for SocketConnectInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "SocketConnectInfo {{ socketHandle: {:?}, remoteIp: {:?}, tag: {:?} }}",
            self.socketHandle, self.remoteIp, self.tag
        )
    }
}
#[doc = " A connection to close."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct SocketCloseInfo {
    pub socketHandle: *mut ::core::ffi::c_void,
    pub fdHandle: *mut ::core::ffi::c_void,
    pub disuseLinger: ::core::ffi::c_int,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of SocketCloseInfo"][::core::mem::size_of::<SocketCloseInfo>() - 24usize];
    ["Alignment of SocketCloseInfo"][::core::mem::align_of::<SocketCloseInfo>() - 8usize];
    ["Offset of field: SocketCloseInfo::socketHandle"]
        [::core::mem::offset_of!(SocketCloseInfo, socketHandle) - 0usize];
    ["Offset of field: SocketCloseInfo::fdHandle"]
        [::core::mem::offset_of!(SocketCloseInfo, fdHandle) - 8usize];
    ["Offset of field: SocketCloseInfo::disuseLinger"]
        [::core::mem::offset_of!(SocketCloseInfo, disuseLinger) - 16usize];
};
impl Default for SocketCloseInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A socket that listens."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct SocketListenInfo {
    pub socketHandle: *mut ::core::ffi::c_void,
    pub port: u32,
    pub phase: u32,
    pub err: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of SocketListenInfo"][::core::mem::size_of::<SocketListenInfo>() - 24usize];
    ["Alignment of SocketListenInfo"][::core::mem::align_of::<SocketListenInfo>() - 8usize];
    ["Offset of field: SocketListenInfo::socketHandle"]
        [::core::mem::offset_of!(SocketListenInfo, socketHandle) - 0usize];
    ["Offset of field: SocketListenInfo::port"][::core::mem::offset_of!(SocketListenInfo, port) - 8usize];
    ["Offset of field: SocketListenInfo::phase"][::core::mem::offset_of!(SocketListenInfo, phase) - 12usize];
    ["Offset of field: SocketListenInfo::err"][::core::mem::offset_of!(SocketListenInfo, err) - 16usize];
};
impl Default for SocketListenInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A connection."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct SocketInfo {
    pub socketHandle: *mut ::core::ffi::c_void,
    pub fdHandle: *mut ::core::ffi::c_void,
    pub remoteIp: IpAddr,
    pub status: ::core::ffi::c_int,
    pub tag: [::core::ffi::c_char; 192usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of SocketInfo"][::core::mem::size_of::<SocketInfo>() - 232usize];
    ["Alignment of SocketInfo"][::core::mem::align_of::<SocketInfo>() - 8usize];
    ["Offset of field: SocketInfo::socketHandle"][::core::mem::offset_of!(SocketInfo, socketHandle) - 0usize];
    ["Offset of field: SocketInfo::fdHandle"][::core::mem::offset_of!(SocketInfo, fdHandle) - 8usize];
    ["Offset of field: SocketInfo::remoteIp"][::core::mem::offset_of!(SocketInfo, remoteIp) - 16usize];
    ["Offset of field: SocketInfo::status"][::core::mem::offset_of!(SocketInfo, status) - 32usize];
    ["Offset of field: SocketInfo::tag"][::core::mem::offset_of!(SocketInfo, tag) - 36usize];
};
impl Default for SocketInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for SocketInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "SocketInfo {{ socketHandle: {:?}, fdHandle: {:?}, remoteIp: {:?}, status: {:?}, tag: {:?} }}",
            self.socketHandle, self.fdHandle, self.remoteIp, self.status, self.tag
        )
    }
}
#[doc = " A peer that may connect."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct WhiteListInfo {
    pub remoteIp: IpAddr,
    pub connLimit: u32,
    pub tag: [::core::ffi::c_char; 192usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of WhiteListInfo"][::core::mem::size_of::<WhiteListInfo>() - 212usize];
    ["Alignment of WhiteListInfo"][::core::mem::align_of::<WhiteListInfo>() - 4usize];
    ["Offset of field: WhiteListInfo::remoteIp"][::core::mem::offset_of!(WhiteListInfo, remoteIp) - 0usize];
    ["Offset of field: WhiteListInfo::connLimit"]
        [::core::mem::offset_of!(WhiteListInfo, connLimit) - 16usize];
    ["Offset of field: WhiteListInfo::tag"][::core::mem::offset_of!(WhiteListInfo, tag) - 20usize];
};
impl Default for WhiteListInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for WhiteListInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "WhiteListInfo {{ remoteIp: {:?}, tag: {:?} }}", self.remoteIp, self.tag)
    }
}
#[doc = " A memory region."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct MrInfo {
    pub addr: *mut ::core::ffi::c_void,
    pub size: u64,
    pub access: ::core::ffi::c_int,
    pub lkey: u32,
    pub rkey: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of MrInfo"][::core::mem::size_of::<MrInfo>() - 32usize];
    ["Alignment of MrInfo"][::core::mem::align_of::<MrInfo>() - 8usize];
    ["Offset of field: MrInfo::addr"][::core::mem::offset_of!(MrInfo, addr) - 0usize];
    ["Offset of field: MrInfo::size"][::core::mem::offset_of!(MrInfo, size) - 8usize];
    ["Offset of field: MrInfo::access"][::core::mem::offset_of!(MrInfo, access) - 16usize];
    ["Offset of field: MrInfo::lkey"][::core::mem::offset_of!(MrInfo, lkey) - 20usize];
    ["Offset of field: MrInfo::rkey"][::core::mem::offset_of!(MrInfo, rkey) - 24usize];
};
impl Default for MrInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Attributes of a queue pair; the inside is not documented."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct QpExtAttrs {
    pub opaque: [u64; 28usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of QpExtAttrs"][::core::mem::size_of::<QpExtAttrs>() - 224usize];
    ["Alignment of QpExtAttrs"][::core::mem::align_of::<QpExtAttrs>() - 8usize];
    ["Offset of field: QpExtAttrs::opaque"][::core::mem::offset_of!(QpExtAttrs, opaque) - 0usize];
};
#[doc = " A queue pair for kernels; the inside is not documented."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct AiQpInfo {
    pub opaque: [u64; 46usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of AiQpInfo"][::core::mem::size_of::<AiQpInfo>() - 368usize];
    ["Alignment of AiQpInfo"][::core::mem::align_of::<AiQpInfo>() - 8usize];
    ["Offset of field: AiQpInfo::opaque"][::core::mem::offset_of!(AiQpInfo, opaque) - 0usize];
};
impl Default for AiQpInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A piece of local memory."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct sg_list {
    pub addr: u64,
    pub len: u32,
    pub lkey: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of sg_list"][::core::mem::size_of::<sg_list>() - 16usize];
    ["Alignment of sg_list"][::core::mem::align_of::<sg_list>() - 8usize];
    ["Offset of field: sg_list::addr"][::core::mem::offset_of!(sg_list, addr) - 0usize];
    ["Offset of field: sg_list::len"][::core::mem::offset_of!(sg_list, len) - 8usize];
    ["Offset of field: sg_list::lkey"][::core::mem::offset_of!(sg_list, lkey) - 12usize];
};
#[doc = " A work request."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct send_wr {
    pub buf_list: *mut sg_list,
    pub buf_num: u16,
    pub dst_addr: u64,
    pub rkey: u32,
    pub op: u32,
    pub send_flag: ::core::ffi::c_int,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of send_wr"][::core::mem::size_of::<send_wr>() - 40usize];
    ["Alignment of send_wr"][::core::mem::align_of::<send_wr>() - 8usize];
    ["Offset of field: send_wr::buf_list"][::core::mem::offset_of!(send_wr, buf_list) - 0usize];
    ["Offset of field: send_wr::buf_num"][::core::mem::offset_of!(send_wr, buf_num) - 8usize];
    ["Offset of field: send_wr::dst_addr"][::core::mem::offset_of!(send_wr, dst_addr) - 16usize];
    ["Offset of field: send_wr::rkey"][::core::mem::offset_of!(send_wr, rkey) - 24usize];
    ["Offset of field: send_wr::op"][::core::mem::offset_of!(send_wr, op) - 28usize];
    ["Offset of field: send_wr::send_flag"][::core::mem::offset_of!(send_wr, send_flag) - 32usize];
};
impl Default for send_wr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A work request of the second form; the inside is not documented."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct send_wr_v2 {
    pub opaque: [u64; 7usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of send_wr_v2"][::core::mem::size_of::<send_wr_v2>() - 56usize];
    ["Alignment of send_wr_v2"][::core::mem::align_of::<send_wr_v2>() - 8usize];
    ["Offset of field: send_wr_v2::opaque"][::core::mem::offset_of!(send_wr_v2, opaque) - 0usize];
};
#[doc = " Answer to a work request; the inside is not documented."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct send_wr_rsp {
    pub opaque: [u64; 2usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of send_wr_rsp"][::core::mem::size_of::<send_wr_rsp>() - 16usize];
    ["Alignment of send_wr_rsp"][::core::mem::align_of::<send_wr_rsp>() - 8usize];
    ["Offset of field: send_wr_rsp::opaque"][::core::mem::offset_of!(send_wr_rsp, opaque) - 0usize];
};
