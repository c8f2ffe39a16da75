// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

#[repr(C)]
#[derive(Default)]
pub struct __IncompleteArrayField<T>(::core::marker::PhantomData<T>, [T; 0]);
impl<T> __IncompleteArrayField<T> {
    #[inline]
    pub const fn new() -> Self {
        __IncompleteArrayField(::core::marker::PhantomData, [])
    }
    #[inline]
    pub fn as_ptr(&self) -> *const T {
        self as *const _ as *const T
    }
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self as *mut _ as *mut T
    }
    #[inline]
    pub unsafe fn as_slice(&self, len: usize) -> &[T] {
        unsafe { ::core::slice::from_raw_parts(self.as_ptr(), len) }
    }
    #[inline]
    pub unsafe fn as_mut_slice(&mut self, len: usize) -> &mut [T] {
        unsafe { ::core::slice::from_raw_parts_mut(self.as_mut_ptr(), len) }
    }
}
impl<T> ::core::fmt::Debug for __IncompleteArrayField<T> {
    fn fmt(&self, fmt: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        fmt.write_str("__IncompleteArrayField")
    }
}
pub const ACL_DYNAMIC_TENSOR_NAME: &[u8; 25] = b"ascend_mbatch_shape_data\0";
pub const ACL_DYNAMIC_AIPP_NAME: &[u8; 25] = b"ascend_dynamic_aipp_data\0";
pub const ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES: &[u8; 28] = b"_datadump_original_op_names\0";
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
#[doc = " Description of a failed task; read with the aclrtGet…FromExceptionInfo calls."]
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
#[doc = " Scope of the error for aclrtGetLastError."]
pub type aclrtLastErrLevel = u32;
pub const ACL_RT_DEVICE_STATUS_NORMAL: aclrtDeviceStatus = 0;
pub const ACL_RT_DEVICE_STATUS_ABNORMAL: aclrtDeviceStatus = 1;
pub const ACL_RT_DEVICE_STATUS_END: aclrtDeviceStatus = 65535;
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
pub const ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE: aclrtDevAttr = 204;
pub const ACL_DEV_ATTR_MAX_GRID_DIM_X: aclrtDevAttr = 205;
pub const ACL_DEV_ATTR_MAX_GRID_DIM_Y: aclrtDevAttr = 206;
pub const ACL_DEV_ATTR_MAX_GRID_DIM_Z: aclrtDevAttr = 207;
pub const ACL_DEV_ATTR_MAX_BLOCK_PER_GRID: aclrtDevAttr = 208;
pub const ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK: aclrtDevAttr = 209;
pub const ACL_DEV_ATTR_MAX_BLOCK_DIM_X: aclrtDevAttr = 210;
pub const ACL_DEV_ATTR_MAX_BLOCK_DIM_Y: aclrtDevAttr = 211;
pub const ACL_DEV_ATTR_MAX_BLOCK_DIM_Z: aclrtDevAttr = 212;
pub const ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: aclrtDevAttr = 301;
pub const ACL_DEV_ATTR_L2_CACHE_SIZE: aclrtDevAttr = 302;
pub const ACL_DEV_ATTR_SMP_ID: aclrtDevAttr = 401;
pub const ACL_DEV_ATTR_PHY_CHIP_ID: aclrtDevAttr = 402;
pub const ACL_DEV_ATTR_SUPER_POD_DEVICE_ID: aclrtDevAttr = 403;
pub const ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID: aclrtDevAttr = 403;
pub const ACL_DEV_ATTR_SUPER_POD_SERVER_ID: aclrtDevAttr = 404;
pub const ACL_DEV_ATTR_SUPER_POD_ID: aclrtDevAttr = 405;
pub const ACL_DEV_ATTR_CUST_OP_PRIVILEGE: aclrtDevAttr = 406;
pub const ACL_DEV_ATTR_MAINBOARD_ID: aclrtDevAttr = 407;
pub const ACL_DEV_ATTR_HD_CONNECT_TYPE: aclrtDevAttr = 408;
pub const ACL_DEV_ATTR_DEVICE_FORM_FACTOR: aclrtDevAttr = 409;
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
#[doc = " Core types for aclrtSetDeviceResLimit and related calls."]
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
pub const ACL_PKG_NAME_CANN: aclCANNPackageName = 0;
pub const ACL_PKG_NAME_RUNTIME: aclCANNPackageName = 1;
pub const ACL_PKG_NAME_COMPILER: aclCANNPackageName = 2;
pub const ACL_PKG_NAME_HCCL: aclCANNPackageName = 3;
pub const ACL_PKG_NAME_TOOLKIT: aclCANNPackageName = 4;
pub const ACL_PKG_NAME_OPP: aclCANNPackageName = 5;
pub const ACL_PKG_NAME_OPP_KERNEL: aclCANNPackageName = 6;
pub const ACL_PKG_NAME_DRIVER: aclCANNPackageName = 7;
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
pub const ACL_MEM_LOCATION_TYPE_MANAGED: aclrtMemLocationType = 3;
pub const ACL_MEM_LOCATION_TYPE_HOST_NUMA: aclrtMemLocationType = 4;
#[doc = " Location of memory."]
pub type aclrtMemLocationType = u32;
pub const ACL_MEM_ALLOCATION_TYPE_PINNED: aclrtMemAllocationType = 0;
#[doc = " Kind of allocation of physical memory."]
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
#[doc = " Kind of registration of host memory."]
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
#[doc = " Access of an engine to mapped host memory."]
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
#[doc = " Attributes of an address, from aclrtPointerGetAttributes."]
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
#[doc = " Properties of physical memory to allocate."]
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
#[doc = " User of a mapping, and its access rights."]
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
pub const ACL_STREAM_STATUS_RESERVED: aclrtStreamStatus = 65535;
#[doc = " Answer of aclrtStreamQuery."]
pub type aclrtStreamStatus = u32;
pub const ACL_EVENT_RECORDED_STATUS_NOT_READY: aclrtEventRecordedStatus = 0;
pub const ACL_EVENT_RECORDED_STATUS_COMPLETE: aclrtEventRecordedStatus = 1;
#[doc = " Answer of aclrtQueryEventStatus."]
pub type aclrtEventRecordedStatus = u32;
pub const ACL_EVENT_STATUS_COMPLETE: aclrtEventStatus = 0;
pub const ACL_EVENT_STATUS_NOT_READY: aclrtEventStatus = 1;
pub const ACL_EVENT_STATUS_RESERVED: aclrtEventStatus = 2;
#[doc = " Answer of the older aclrtQueryEvent: the numbers are reversed."]
pub type aclrtEventStatus = u32;
pub const ACL_EVENT_WAIT_STATUS_COMPLETE: aclrtEventWaitStatus = 0;
pub const ACL_EVENT_WAIT_STATUS_NOT_READY: aclrtEventWaitStatus = 1;
pub const ACL_EVENT_WAIT_STATUS_RESERVED: aclrtEventWaitStatus = 65535;
#[doc = " Answer of aclrtQueryEventWaitStatus."]
pub type aclrtEventWaitStatus = u32;
pub const ACL_CALLBACK_NO_BLOCK: aclrtCallbackBlockType = 0;
pub const ACL_CALLBACK_BLOCK: aclrtCallbackBlockType = 1;
#[doc = " Blocking behaviour of a stream for its callback."]
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
#[doc = " Effect of a record on a counting notify."]
pub type aclrtCntNotifyRecordMode = u32;
pub const ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE: aclrtCntNotifyWaitMode = 0;
pub const ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE: aclrtCntNotifyWaitMode = 1;
pub const ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE: aclrtCntNotifyWaitMode = 2;
pub const ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE: aclrtCntNotifyWaitMode = 3;
pub const ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE: aclrtCntNotifyWaitMode = 4;
#[doc = " Comparison of a wait on a counting notify."]
pub type aclrtCntNotifyWaitMode = u32;
#[doc = " Record on a counting notify."]
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
#[doc = " Wait on a counting notify; timeout in seconds."]
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
pub const ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC: aclrtBinaryLoadOptionType = 2;
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
pub const ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE: aclrtLaunchKernelAttrId = 2;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE: aclrtLaunchKernelAttrId = 3;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET: aclrtLaunchKernelAttrId = 4;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH: aclrtLaunchKernelAttrId = 5;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP: aclrtLaunchKernelAttrId = 6;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT: aclrtLaunchKernelAttrId = 7;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US: aclrtLaunchKernelAttrId = 8;
pub const ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING: aclrtLaunchKernelAttrId = 9;
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
pub const ACL_STRING: aclDataType = 13;
pub const ACL_COMPLEX64: aclDataType = 16;
pub const ACL_COMPLEX128: aclDataType = 17;
pub const ACL_BF16: aclDataType = 27;
pub const ACL_INT4: aclDataType = 29;
pub const ACL_UINT1: aclDataType = 30;
pub const ACL_COMPLEX32: aclDataType = 33;
pub const ACL_HIFLOAT8: aclDataType = 34;
pub const ACL_FLOAT8_E5M2: aclDataType = 35;
pub const ACL_FLOAT8_E4M3FN: aclDataType = 36;
pub const ACL_FLOAT8_E8M0: aclDataType = 37;
pub const ACL_FLOAT6_E3M2: aclDataType = 38;
pub const ACL_FLOAT6_E2M3: aclDataType = 39;
pub const ACL_FLOAT4_E2M1: aclDataType = 40;
pub const ACL_FLOAT4_E1M2: aclDataType = 41;
#[doc = " Types of elements."]
pub type aclDataType = i32;
pub const ACL_SUCCESS: aclError = 0;
pub const ACL_ERROR_NONE: aclError = 0;
pub const ACL_RT_SUCCESS: aclError = 0;
pub const ACL_ERROR_INVALID_PARAM: aclError = 100000;
pub const ACL_ERROR_UNINITIALIZE: aclError = 100001;
pub const ACL_ERROR_REPEAT_INITIALIZE: aclError = 100002;
pub const ACL_ERROR_INVALID_FILE: aclError = 100003;
pub const ACL_ERROR_WRITE_FILE: aclError = 100004;
pub const ACL_ERROR_INVALID_FILE_SIZE: aclError = 100005;
pub const ACL_ERROR_PARSE_FILE: aclError = 100006;
pub const ACL_ERROR_FILE_MISSING_ATTR: aclError = 100007;
pub const ACL_ERROR_FILE_ATTR_INVALID: aclError = 100008;
pub const ACL_ERROR_INVALID_DUMP_CONFIG: aclError = 100009;
pub const ACL_ERROR_INVALID_PROFILING_CONFIG: aclError = 100010;
pub const ACL_ERROR_INVALID_MODEL_ID: aclError = 100011;
pub const ACL_ERROR_DESERIALIZE_MODEL: aclError = 100012;
pub const ACL_ERROR_PARSE_MODEL: aclError = 100013;
pub const ACL_ERROR_READ_MODEL_FAILURE: aclError = 100014;
pub const ACL_ERROR_MODEL_SIZE_INVALID: aclError = 100015;
pub const ACL_ERROR_MODEL_MISSING_ATTR: aclError = 100016;
pub const ACL_ERROR_MODEL_INPUT_NOT_MATCH: aclError = 100017;
pub const ACL_ERROR_MODEL_OUTPUT_NOT_MATCH: aclError = 100018;
pub const ACL_ERROR_MODEL_NOT_DYNAMIC: aclError = 100019;
pub const ACL_ERROR_OP_TYPE_NOT_MATCH: aclError = 100020;
pub const ACL_ERROR_OP_INPUT_NOT_MATCH: aclError = 100021;
pub const ACL_ERROR_OP_OUTPUT_NOT_MATCH: aclError = 100022;
pub const ACL_ERROR_OP_ATTR_NOT_MATCH: aclError = 100023;
pub const ACL_ERROR_OP_NOT_FOUND: aclError = 100024;
pub const ACL_ERROR_OP_LOAD_FAILED: aclError = 100025;
pub const ACL_ERROR_UNSUPPORTED_DATA_TYPE: aclError = 100026;
pub const ACL_ERROR_FORMAT_NOT_MATCH: aclError = 100027;
pub const ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED: aclError = 100028;
pub const ACL_ERROR_KERNEL_NOT_FOUND: aclError = 100029;
pub const ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED: aclError = 100030;
pub const ACL_ERROR_KERNEL_ALREADY_REGISTERED: aclError = 100031;
pub const ACL_ERROR_INVALID_QUEUE_ID: aclError = 100032;
pub const ACL_ERROR_REPEAT_SUBSCRIBE: aclError = 100033;
pub const ACL_ERROR_STREAM_NOT_SUBSCRIBE: aclError = 100034;
pub const ACL_ERROR_THREAD_NOT_SUBSCRIBE: aclError = 100035;
pub const ACL_ERROR_WAIT_CALLBACK_TIMEOUT: aclError = 100036;
pub const ACL_ERROR_REPEAT_FINALIZE: aclError = 100037;
pub const ACL_ERROR_NOT_STATIC_AIPP: aclError = 100038;
pub const ACL_ERROR_COMPILING_STUB_MODE: aclError = 100039;
pub const ACL_ERROR_GROUP_NOT_SET: aclError = 100040;
pub const ACL_ERROR_GROUP_NOT_CREATE: aclError = 100041;
pub const ACL_ERROR_PROF_ALREADY_RUN: aclError = 100042;
pub const ACL_ERROR_PROF_NOT_RUN: aclError = 100043;
pub const ACL_ERROR_DUMP_ALREADY_RUN: aclError = 100044;
pub const ACL_ERROR_DUMP_NOT_RUN: aclError = 100045;
pub const ACL_ERROR_RT_PARAM_INVALID: aclError = 107000;
pub const ACL_ERROR_RT_INVALID_DEVICEID: aclError = 107001;
pub const ACL_ERROR_RT_CONTEXT_NULL: aclError = 107002;
pub const ACL_ERROR_RT_STREAM_CONTEXT: aclError = 107003;
pub const ACL_ERROR_RT_MODEL_CONTEXT: aclError = 107004;
pub const ACL_ERROR_RT_STREAM_MODEL: aclError = 107005;
pub const ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID: aclError = 107006;
pub const ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL: aclError = 107007;
pub const ACL_ERROR_RT_ADDR_UNALIGNED: aclError = 107008;
pub const ACL_ERROR_RT_FILE_OPEN: aclError = 107009;
pub const ACL_ERROR_RT_FILE_WRITE: aclError = 107010;
pub const ACL_ERROR_RT_STREAM_SUBSCRIBE: aclError = 107011;
pub const ACL_ERROR_RT_THREAD_SUBSCRIBE: aclError = 107012;
pub const ACL_ERROR_RT_GROUP_NOT_SET: aclError = 107013;
pub const ACL_ERROR_RT_GROUP_NOT_CREATE: aclError = 107014;
pub const ACL_ERROR_RT_STREAM_NO_CB_REG: aclError = 107015;
pub const ACL_ERROR_RT_INVALID_MEMORY_TYPE: aclError = 107016;
pub const ACL_ERROR_RT_INVALID_HANDLE: aclError = 107017;
pub const ACL_ERROR_RT_INVALID_MALLOC_TYPE: aclError = 107018;
pub const ACL_ERROR_RT_WAIT_TIMEOUT: aclError = 107019;
pub const ACL_ERROR_RT_TASK_TIMEOUT: aclError = 107020;
pub const ACL_ERROR_RT_SYSPARAMOPT_NOT_SET: aclError = 107021;
pub const ACL_ERROR_RT_DEVICE_TASK_ABORT: aclError = 107022;
pub const ACL_ERROR_RT_STREAM_ABORT: aclError = 107023;
pub const ACL_ERROR_RT_CAPTURE_DEPENDENCY: aclError = 107024;
pub const ACL_ERROR_RT_STREAM_UNJOINED: aclError = 107025;
pub const ACL_ERROR_RT_MODEL_CAPTURED: aclError = 107026;
pub const ACL_ERROR_RT_STREAM_CAPTURED: aclError = 107027;
pub const ACL_ERROR_RT_EVENT_CAPTURED: aclError = 107028;
pub const ACL_ERROR_RT_STREAM_NOT_CAPTURED: aclError = 107029;
pub const ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT: aclError = 107030;
pub const ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT: aclError = 107031;
pub const ACL_ERROR_STREAM_CAPTURE_CONFLICT: aclError = 107032;
pub const ACL_ERROR_STREAM_TASK_GROUP_STATUS: aclError = 107033;
pub const ACL_ERROR_STREAM_TASK_GROUP_INTR: aclError = 107034;
pub const ACL_ERROR_RT_TASK_ABORT_STOP: aclError = 107035;
pub const ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED: aclError = 107036;
pub const ACL_ERROR_RT_MODEL_RUNNING: aclError = 107037;
pub const ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD: aclError = 107038;
pub const ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY: aclError = 107039;
pub const ACL_ERROR_RT_MODEL_UPDATE_FAILED: aclError = 107040;
pub const ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC: aclError = 107041;
pub const ACL_ERROR_RT_SYMBOL_NOT_FOUND: aclError = 107042;
pub const ACL_ERROR_RT_INVALID_SYMBOL: aclError = 107043;
pub const ACL_ERROR_RT_INVALID_DEVICE_FUNCTION: aclError = 107044;
pub const ACL_ERROR_RT_STREAM_NOT_SUPPORT_OPERA: aclError = 107045;
pub const ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING: aclError = 107046;
pub const ACL_ERROR_GE_PARAM_INVALID: aclError = 145000;
pub const ACL_ERROR_GE_EXEC_NOT_INIT: aclError = 145001;
pub const ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID: aclError = 145002;
pub const ACL_ERROR_GE_EXEC_MODEL_ID_INVALID: aclError = 145003;
pub const ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID: aclError = 145006;
pub const ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID: aclError = 145007;
pub const ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID: aclError = 145008;
pub const ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED: aclError = 145009;
pub const ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID: aclError = 145011;
pub const ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID: aclError = 145012;
pub const ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID: aclError = 145013;
pub const ACL_ERROR_GE_AIPP_BATCH_EMPTY: aclError = 145014;
pub const ACL_ERROR_GE_AIPP_NOT_EXIST: aclError = 145015;
pub const ACL_ERROR_GE_AIPP_MODE_INVALID: aclError = 145016;
pub const ACL_ERROR_GE_OP_TASK_TYPE_INVALID: aclError = 145017;
pub const ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID: aclError = 145018;
pub const ACL_ERROR_GE_PLGMGR_PATH_INVALID: aclError = 145019;
pub const ACL_ERROR_GE_FORMAT_INVALID: aclError = 145020;
pub const ACL_ERROR_GE_SHAPE_INVALID: aclError = 145021;
pub const ACL_ERROR_GE_DATATYPE_INVALID: aclError = 145022;
pub const ACL_ERROR_PROF_REPEAT_SUBSCRIBE: aclError = 148046;
pub const ACL_ERROR_PROF_API_CONFLICT: aclError = 148047;
pub const ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG: aclError = 148048;
pub const ACL_ERROR_INVALID_OPP_PATH: aclError = 148049;
pub const ACL_ERROR_OP_UNSUPPORTED_DYNAMIC: aclError = 148050;
pub const ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED: aclError = 148051;
pub const ACL_ERROR_UNSUPPORTED_JPEG: aclError = 148052;
pub const ACL_ERROR_INVALID_BUNDLE_MODEL_ID: aclError = 148053;
pub const ACL_ERROR_BAD_ALLOC: aclError = 200000;
pub const ACL_ERROR_API_NOT_SUPPORT: aclError = 200001;
pub const ACL_ERROR_INVALID_DEVICE: aclError = 200002;
pub const ACL_ERROR_MEMORY_ADDRESS_UNALIGNED: aclError = 200003;
pub const ACL_ERROR_RESOURCE_NOT_MATCH: aclError = 200004;
pub const ACL_ERROR_INVALID_RESOURCE_HANDLE: aclError = 200005;
pub const ACL_ERROR_FEATURE_UNSUPPORTED: aclError = 200006;
pub const ACL_ERROR_PROF_MODULES_UNSUPPORTED: aclError = 200007;
pub const ACL_ERROR_RT_FEATURE_NOT_SUPPORT: aclError = 207000;
pub const ACL_ERROR_RT_MEMORY_ALLOCATION: aclError = 207001;
pub const ACL_ERROR_RT_MEMORY_FREE: aclError = 207002;
pub const ACL_ERROR_RT_AICORE_OVER_FLOW: aclError = 207003;
pub const ACL_ERROR_RT_NO_DEVICE: aclError = 207004;
pub const ACL_ERROR_RT_RESOURCE_ALLOC_FAIL: aclError = 207005;
pub const ACL_ERROR_RT_NO_PERMISSION: aclError = 207006;
pub const ACL_ERROR_RT_NO_EVENT_RESOURCE: aclError = 207007;
pub const ACL_ERROR_RT_NO_STREAM_RESOURCE: aclError = 207008;
pub const ACL_ERROR_RT_NO_NOTIFY_RESOURCE: aclError = 207009;
pub const ACL_ERROR_RT_NO_MODEL_RESOURCE: aclError = 207010;
pub const ACL_ERROR_RT_NO_CDQ_RESOURCE: aclError = 207011;
pub const ACL_ERROR_RT_OVER_LIMIT: aclError = 207012;
pub const ACL_ERROR_RT_QUEUE_EMPTY: aclError = 207013;
pub const ACL_ERROR_RT_QUEUE_FULL: aclError = 207014;
pub const ACL_ERROR_RT_REPEATED_INIT: aclError = 207015;
pub const ACL_ERROR_RT_AIVEC_OVER_FLOW: aclError = 207016;
pub const ACL_ERROR_RT_OVER_FLOW: aclError = 207017;
pub const ACL_ERROR_RT_DEVICE_OOM: aclError = 207018;
pub const ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP: aclError = 207019;
pub const ACL_ERROR_RT_TIMEOUT: aclError = 207020;
pub const ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED: aclError = 207021;
pub const ACL_ERROR_GE_MEMORY_ALLOCATION: aclError = 245000;
pub const ACL_ERROR_GE_MEMORY_OPERATE_FAILED: aclError = 245001;
pub const ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED: aclError = 245002;
pub const ACL_ERROR_STORAGE_OVER_LIMIT: aclError = 300000;
pub const ACL_ERROR_GE_SUBHEALTHY: aclError = 345102;
pub const ACL_ERROR_GE_USER_RAISE_EXCEPTION: aclError = 345103;
pub const ACL_ERROR_GE_DATA_NOT_ALIGNED: aclError = 345104;
pub const ACL_ERROR_INTERNAL_ERROR: aclError = 500000;
pub const ACL_ERROR_FAILURE: aclError = 500001;
pub const ACL_ERROR_GE_FAILURE: aclError = 500002;
pub const ACL_ERROR_RT_FAILURE: aclError = 500003;
pub const ACL_ERROR_DRV_FAILURE: aclError = 500004;
pub const ACL_ERROR_PROFILING_FAILURE: aclError = 500005;
pub const ACL_ERROR_RT_INTERNAL_ERROR: aclError = 507000;
pub const ACL_ERROR_RT_TS_ERROR: aclError = 507001;
pub const ACL_ERROR_RT_STREAM_TASK_FULL: aclError = 507002;
pub const ACL_ERROR_RT_STREAM_TASK_EMPTY: aclError = 507003;
pub const ACL_ERROR_RT_STREAM_NOT_COMPLETE: aclError = 507004;
pub const ACL_ERROR_RT_END_OF_SEQUENCE: aclError = 507005;
pub const ACL_ERROR_RT_EVENT_NOT_COMPLETE: aclError = 507006;
pub const ACL_ERROR_RT_CONTEXT_RELEASE_ERROR: aclError = 507007;
pub const ACL_ERROR_RT_SOC_VERSION: aclError = 507008;
pub const ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT: aclError = 507009;
pub const ACL_ERROR_RT_LOST_HEARTBEAT: aclError = 507010;
pub const ACL_ERROR_RT_MODEL_EXECUTE: aclError = 507011;
pub const ACL_ERROR_RT_REPORT_TIMEOUT: aclError = 507012;
pub const ACL_ERROR_RT_SYS_DMA: aclError = 507013;
pub const ACL_ERROR_RT_AICORE_TIMEOUT: aclError = 507014;
pub const ACL_ERROR_RT_AICORE_EXCEPTION: aclError = 507015;
pub const ACL_ERROR_RT_AICORE_TRAP_EXCEPTION: aclError = 507016;
pub const ACL_ERROR_RT_AICPU_TIMEOUT: aclError = 507017;
pub const ACL_ERROR_RT_AICPU_EXCEPTION: aclError = 507018;
pub const ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR: aclError = 507019;
pub const ACL_ERROR_RT_AICPU_MODEL_RSP_ERR: aclError = 507020;
pub const ACL_ERROR_RT_PROFILING_ERROR: aclError = 507021;
pub const ACL_ERROR_RT_IPC_ERROR: aclError = 507022;
pub const ACL_ERROR_RT_MODEL_ABORT_NORMAL: aclError = 507023;
pub const ACL_ERROR_RT_KERNEL_UNREGISTERING: aclError = 507024;
pub const ACL_ERROR_RT_RINGBUFFER_NOT_INIT: aclError = 507025;
pub const ACL_ERROR_RT_RINGBUFFER_NO_DATA: aclError = 507026;
pub const ACL_ERROR_RT_KERNEL_LOOKUP: aclError = 507027;
pub const ACL_ERROR_RT_KERNEL_DUPLICATE: aclError = 507028;
pub const ACL_ERROR_RT_DEBUG_REGISTER_FAIL: aclError = 507029;
pub const ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL: aclError = 507030;
pub const ACL_ERROR_RT_LABEL_CONTEXT: aclError = 507031;
pub const ACL_ERROR_RT_PROGRAM_USE_OUT: aclError = 507032;
pub const ACL_ERROR_RT_DEV_SETUP_ERROR: aclError = 507033;
pub const ACL_ERROR_RT_VECTOR_CORE_TIMEOUT: aclError = 507034;
pub const ACL_ERROR_RT_VECTOR_CORE_EXCEPTION: aclError = 507035;
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION: aclError = 507036;
pub const ACL_ERROR_RT_CDQ_BATCH_ABNORMAL: aclError = 507037;
pub const ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR: aclError = 507038;
pub const ACL_ERROR_RT_DIE_SET_ERROR: aclError = 507039;
pub const ACL_ERROR_RT_INVALID_DIEID: aclError = 507040;
pub const ACL_ERROR_RT_DIE_MODE_NOT_SET: aclError = 507041;
pub const ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW: aclError = 507042;
pub const ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW: aclError = 507043;
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW: aclError = 507044;
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW: aclError = 507045;
pub const ACL_ERROR_RT_STREAM_SYNC_TIMEOUT: aclError = 507046;
pub const ACL_ERROR_RT_EVENT_SYNC_TIMEOUT: aclError = 507047;
pub const ACL_ERROR_RT_FFTS_PLUS_TIMEOUT: aclError = 507048;
pub const ACL_ERROR_RT_FFTS_PLUS_EXCEPTION: aclError = 507049;
pub const ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION: aclError = 507050;
pub const ACL_ERROR_RT_SEND_MSG: aclError = 507051;
pub const ACL_ERROR_RT_COPY_DATA: aclError = 507052;
pub const ACL_ERROR_RT_DEVICE_MEM_ERROR: aclError = 507053;
pub const ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR: aclError = 507054;
pub const ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR: aclError = 507055;
pub const ACL_ERROR_RT_LINK_ERROR: aclError = 507056;
pub const ACL_ERROR_RT_SUSPECT_REMOTE_ERROR: aclError = 507057;
pub const ACL_ERROR_RT_DRV_INTERNAL_ERROR: aclError = 507899;
pub const ACL_ERROR_RT_AICPU_INTERNAL_ERROR: aclError = 507900;
pub const ACL_ERROR_RT_SOCKET_CLOSE: aclError = 507901;
pub const ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR: aclError = 507902;
pub const ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED: aclError = 507903;
pub const ACL_ERROR_RT_COMM_OP_RETRY_FAIL: aclError = 507904;
pub const ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT: aclError = 507905;
pub const ACL_ERROR_SNAPSHOT_LOCK_FAILED: aclError = 507906;
pub const ACL_ERROR_SNAPSHOT_UNLOCK_FAILED: aclError = 507907;
pub const ACL_ERROR_SNAPSHOT_BACKUP_FAILED: aclError = 507908;
pub const ACL_ERROR_SNAPSHOT_RESTORE_FAILED: aclError = 507909;
pub const ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED: aclError = 507910;
pub const ACL_ERROR_HOST_MEMORY_NOT_REGISTERED: aclError = 507911;
pub const ACL_ERROR_SNAPSHOT_CALLBACK_FAILED: aclError = 507912;
pub const ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED: aclError = 507913;
pub const ACL_ERROR_RT_L3_PORT_ERROR: aclError = 507914;
pub const ACL_ERROR_RT_CCU_TIMEOUT: aclError = 507915;
pub const ACL_ERROR_RT_CCU_EXCEPTION: aclError = 507916;
pub const ACL_ERROR_GE_INTERNAL_ERROR: aclError = 545000;
pub const ACL_ERROR_GE_LOAD_MODEL: aclError = 545001;
pub const ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED: aclError = 545002;
pub const ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED: aclError = 545003;
pub const ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED: aclError = 545004;
pub const ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED: aclError = 545005;
pub const ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA: aclError = 545006;
pub const ACL_ERROR_GE_COMMAND_HANDLE: aclError = 545007;
pub const ACL_ERROR_GE_GET_TENSOR_INFO: aclError = 545008;
pub const ACL_ERROR_GE_UNLOAD_MODEL: aclError = 545009;
pub const ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT: aclError = 545601;
pub const ACL_ERROR_GE_REDEPLOYING: aclError = 545602;
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
#[doc = " Rights of drv_mem_access_desc::type; an unset right reads as MAX."]
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
#[doc = " Properties of physical memory to allocate."]
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
#[doc = " User of a mapping, and its access rights."]
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
#[doc = " Attributes of an address, from drvMemGetAttribute."]
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
#[doc = " Result of every call; an aclError code."]
pub type rtError_t = i32;
#[doc = " Module and facts for rtGetDeviceInfo."]
pub const RT_MODULE_TYPE_SYSTEM: i32 = 0;
pub const RT_INFO_TYPE_PHY_CHIP_ID: i32 = 18;
pub const RT_INFO_TYPE_PHY_DIE_ID: i32 = 19;
pub const RT_INFO_TYPE_SDID: i32 = 26;
pub const RT_INFO_TYPE_SERVER_ID: i32 = 27;
pub const RT_INFO_TYPE_SUPER_POD_ID: i32 = 29;
pub const RT_INFO_TYPE_MAINBOARD_ID: i32 = 39;
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
pub const HCCL_DATA_TYPE_RESERVED: HcclDataType = 255;
#[doc = " Types of elements."]
pub type HcclDataType = u32;
pub const HCCL_REDUCE_SUM: HcclReduceOp = 0;
pub const HCCL_REDUCE_PROD: HcclReduceOp = 1;
pub const HCCL_REDUCE_MAX: HcclReduceOp = 2;
pub const HCCL_REDUCE_MIN: HcclReduceOp = 3;
pub const HCCL_REDUCE_RESERVED: HcclReduceOp = 255;
#[doc = " Operations of reductions."]
pub type HcclReduceOp = u32;
#[doc = " Rendezvous information, made by one rank and needed by every rank to form a communicator."]
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
#[doc = " Value of an unset number."]
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
pub const HCCL_SEND_RECV_RESERVED: HcclSendRecvType = 2;
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
#[doc = " Properties of a queue pair to create."]
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
#[doc = " Register address of a notify."]
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
#[doc = " Location of the network interface."]
pub const RA_NETWORK_PEER: u32 = 0;
pub const RA_NETWORK_OFFLINE: u32 = 1;
pub const RA_NETWORK_ONLINE: u32 = 2;
#[doc = " Notification mode of completions."]
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
#[doc = " Owner of the requested interfaces."]
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
#[doc = " An address and a length; it does not own the memory."]
#[repr(C)]
#[derive(Debug)]
pub struct aclDataBuffer {
    _unused: [u8; 0],
}
#[doc = " A float of 16 bits, by its bits: sign, 5 bits of exponent, 10 of fraction."]
pub type aclFloat16 = u16;
pub const ACL_CANN_ATTR_UNDEFINED: aclCannAttr = -1;
pub const ACL_CANN_ATTR_INF_NAN: aclCannAttr = 0;
pub const ACL_CANN_ATTR_BF16: aclCannAttr = 1;
pub const ACL_CANN_ATTR_JIT_COMPILE: aclCannAttr = 2;
#[doc = " Attributes of the release."]
pub type aclCannAttr = i32;
pub const ACL_DEVICE_INFO_UNDEFINED: aclDeviceInfo = -1;
pub const ACL_DEVICE_INFO_AI_CORE_NUM: aclDeviceInfo = 0;
pub const ACL_DEVICE_INFO_VECTOR_CORE_NUM: aclDeviceInfo = 1;
pub const ACL_DEVICE_INFO_L2_SIZE: aclDeviceInfo = 2;
#[doc = " Capabilities of a device."]
pub type aclDeviceInfo = i32;
pub const ACL_FORMAT_UNDEFINED: aclFormat = -1;
pub const ACL_FORMAT_NCHW: aclFormat = 0;
pub const ACL_FORMAT_NHWC: aclFormat = 1;
pub const ACL_FORMAT_ND: aclFormat = 2;
pub const ACL_FORMAT_NC1HWC0: aclFormat = 3;
pub const ACL_FORMAT_FRACTAL_Z: aclFormat = 4;
pub const ACL_FORMAT_NC1HWC0_C04: aclFormat = 12;
pub const ACL_FORMAT_HWCN: aclFormat = 16;
pub const ACL_FORMAT_NDHWC: aclFormat = 27;
pub const ACL_FORMAT_FRACTAL_NZ: aclFormat = 29;
pub const ACL_FORMAT_NCDHW: aclFormat = 30;
pub const ACL_FORMAT_NDC1HWC0: aclFormat = 32;
pub const ACL_FRACTAL_Z_3D: aclFormat = 33;
pub const ACL_FORMAT_NC: aclFormat = 35;
pub const ACL_FORMAT_NCL: aclFormat = 47;
pub const ACL_FORMAT_FRACTAL_NZ_C0_16: aclFormat = 50;
pub const ACL_FORMAT_FRACTAL_NZ_C0_32: aclFormat = 51;
pub const ACL_FORMAT_FRACTAL_NZ_C0_2: aclFormat = 52;
pub const ACL_FORMAT_FRACTAL_NZ_C0_4: aclFormat = 53;
pub const ACL_FORMAT_FRACTAL_NZ_C0_8: aclFormat = 54;
#[doc = " Order of the dimensions of a tensor in memory."]
pub type aclFormat = i32;
pub const ACL_DEBUG: aclLogLevel = 0;
pub const ACL_INFO: aclLogLevel = 1;
pub const ACL_WARNING: aclLogLevel = 2;
pub const ACL_ERROR: aclLogLevel = 3;
#[doc = " Levels of the log."]
pub type aclLogLevel = u32;
pub const ACL_MEMTYPE_DEVICE: aclMemType = 0;
pub const ACL_MEMTYPE_HOST: aclMemType = 1;
pub const ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT: aclMemType = 2;
#[doc = " Location of a tensor's memory."]
pub type aclMemType = u32;
pub const ACL_OPT_DETERMINISTIC: aclSysParamOpt = 0;
pub const ACL_OPT_ENABLE_DEBUG_KERNEL: aclSysParamOpt = 1;
pub const ACL_OPT_STRONG_CONSISTENCY: aclSysParamOpt = 2;
pub const ACL_OPT_ENABLE_KERNEL_EARLY_START: aclSysParamOpt = 3;
#[doc = " Parameters of the process or a context."]
pub type aclSysParamOpt = u32;
pub const ACL_TENSOR_SHAPE_RANGE_NUM: i32 = 2;
pub const ACL_TENSOR_VALUE_RANGE_NUM: i32 = 2;
pub const ACL_UNKNOWN_RANK: u64 = 18446744073709551614;
#[doc = " The description of a tensor."]
#[repr(C)]
#[derive(Debug)]
pub struct aclTensorDesc {
    _unused: [u8; 0],
}
pub const ACL_MAJOR_VERSION: i32 = 1;
pub const ACL_MINOR_VERSION: i32 = 17;
pub const ACL_PATCH_VERSION: i32 = 0;
pub const ACL_NOTIFY_DEFAULT: u32 = 0;
pub const ACL_NOTIFY_DEVICE_USE_ONLY: u32 = 1;
pub const ACL_DEV_FEATURE_SUPPORT: i32 = 1;
pub const ACL_DEV_FEATURE_NOT_SUPPORT: i32 = 0;
pub const ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY: u64 = 0;
pub const ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE: u64 = 1;
pub const ACL_RT_MAX_RECORD_PA_NUM_PER_DEV: u32 = 20;
pub const ACL_IPC_EVENT_HANDLE_SIZE: u32 = 64;
pub const ACL_RT_MEM_ATTACH_GLOBAL: u32 = 1;
pub const ACL_RT_MEM_LINK_IDX_0: u32 = 0;
pub const ACL_RT_MEM_LINK_IDX_1: u32 = 1;
pub const ACL_HOST_DEVICE_CONNECT_TYPE_PCIE: i32 = 0;
pub const ACL_HOST_DEVICE_CONNECT_TYPE_HCCS: i32 = 1;
pub const ACL_HOST_DEVICE_CONNECT_TYPE_UB: i32 = 2;
pub const ACL_EVENT_RECORD_DEFAULT: u32 = 0;
pub const ACL_EVENT_RECORD_EXTERNAL: u32 = 1;
pub const ACL_EVENT_WAIT_DEFAULT: u32 = 0;
pub const ACL_EVENT_WAIT_EXTERNAL: u32 = 1;
pub const MAX_MEM_UCE_INFO_ARRAY_SIZE: i32 = 128;
pub const UCE_INFO_RESERVED_SIZE: i32 = 14;
pub const ACL_RT_MEM_UCE_INFO_MAX_NUM: i32 = 20;
pub const ACL_RT_CMO_MAX_BARRIER_NUM: u32 = 6;
pub const ACL_RT_MEM_TYPE_DEV: u32 = 2;
pub const ACL_RT_MEM_TYPE_DVPP: u32 = 8;
pub const ACL_RT_MEM_TYPE_RSVD: u32 = 16;
pub const ACL_PKG_VERSION_MAX_SIZE: i32 = 128;
pub const ACL_PKG_VERSION_PARTS_MAX_SIZE: i32 = 64;
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH: i32 = 2;
pub const ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH: i32 = 3;
pub const ACL_DEVICE_FORM_FACTOR_POD: i32 = 0;
pub const ACL_DEVICE_FORM_FACTOR_A_K: i32 = 1;
pub const ACL_DEVICE_FORM_FACTOR_A_X: i32 = 2;
pub const ACL_DEVICE_FORM_FACTOR_PCIE_CARD: i32 = 3;
#[repr(C)]
#[derive(Debug)]
pub struct tagRtGroupInfo {
    _unused: [u8; 0],
}
#[doc = " The groups of cores of a device."]
pub type aclrtGroupInfo = tagRtGroupInfo;
#[doc = " Reserved; always NULL."]
#[repr(C)]
#[derive(Debug)]
pub struct aclrtUtilizationExtendInfo {
    _unused: [u8; 0],
}
#[doc = " Called by aclFinalize."]
pub type aclFinalizeCallbackFunc =
    ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void) -> aclError>;
#[doc = " Called by aclInit with the path of the configuration and its length."]
pub type aclInitCallbackFunc = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: *const ::core::ffi::c_char,
        arg2: usize,
        arg3: *mut ::core::ffi::c_void,
    ) -> aclError,
>;
#[doc = " A graph that can be executed."]
pub type aclmdlRI = *mut ::core::ffi::c_void;
#[doc = " A word by which a task of a graph decides."]
pub type aclmdlRICondHandle = *mut ::core::ffi::c_void;
#[doc = " A task of a graph."]
pub type aclmdlRITask = *mut ::core::ffi::c_void;
pub const ACL_RT_DEVICE_TASK_ABORT_PRE: aclrtDeviceTaskAbortStage = 0;
pub const ACL_RT_DEVICE_TASK_ABORT_POST: aclrtDeviceTaskAbortStage = 1;
pub type aclrtDeviceTaskAbortStage = u32;
#[doc = " Called before and after the tasks of a device are aborted, with the time that is left (ms)."]
pub type aclrtDeviceTaskAbortCallback = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: i32,
        arg2: aclrtDeviceTaskAbortStage,
        arg3: u32,
        arg4: *mut ::core::ffi::c_void,
    ) -> i32,
>;
#[doc = " Labels among which a stream chooses."]
pub type aclrtLabelList = *mut ::core::ffi::c_void;
#[doc = " A buffer of the runtime that travels through queues."]
pub type aclrtMbuf = *mut ::core::ffi::c_void;
#[doc = " Called on a thread of the runtime when a kernel of a binary fails."]
pub type aclrtOpExceptionCallback = ::core::option::Option<
    unsafe extern "C" fn(arg1: *mut aclrtExceptionInfo, arg2: *mut ::core::ffi::c_void),
>;
#[doc = " Called at a stage of a snapshot."]
pub type aclrtSnapShotCallBack =
    ::core::option::Option<unsafe extern "C" fn(arg1: i32, arg2: *mut ::core::ffi::c_void) -> u32>;
pub const ACL_RT_STREAM_STATE_CREATE_POST: aclrtStreamState = 1;
pub const ACL_RT_STREAM_STATE_DESTROY_PRE: aclrtStreamState = 2;
pub type aclrtStreamState = u32;
#[doc = " Called when a stream was created or is about to be destroyed."]
pub type aclrtStreamStateCallback = ::core::option::Option<
    unsafe extern "C" fn(arg1: aclrtStream, arg2: aclrtStreamState, arg3: *mut ::core::ffi::c_void),
>;
#[doc = " Tasks of a graph that are changed together."]
pub type aclrtTaskGrp = *mut ::core::ffi::c_void;
pub const ACL_REG_TYPE_ACL_MODEL: aclRegisterCallbackType = 0;
pub const ACL_REG_TYPE_ACL_OP_EXECUTOR: aclRegisterCallbackType = 1;
pub const ACL_REG_TYPE_ACL_OP_CBLAS: aclRegisterCallbackType = 2;
pub const ACL_REG_TYPE_ACL_OP_COMPILER: aclRegisterCallbackType = 3;
pub const ACL_REG_TYPE_ACL_TDT_CHANNEL: aclRegisterCallbackType = 4;
pub const ACL_REG_TYPE_ACL_TDT_QUEUE: aclRegisterCallbackType = 5;
pub const ACL_REG_TYPE_ACL_DVPP: aclRegisterCallbackType = 6;
pub const ACL_REG_TYPE_ACL_RETR: aclRegisterCallbackType = 7;
pub const ACL_REG_TYPE_OTHER: aclRegisterCallbackType = 65535;
pub type aclRegisterCallbackType = u32;
pub const ACL_MODEL_RI_CAPTURE_MODE_GLOBAL: aclmdlRICaptureMode = 0;
pub const ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL: aclmdlRICaptureMode = 1;
pub const ACL_MODEL_RI_CAPTURE_MODE_RELAXED: aclmdlRICaptureMode = 2;
#[doc = " Which calls that would disturb a capture are refused meanwhile: of every thread, of the capturing\n thread, none."]
pub type aclmdlRICaptureMode = u32;
pub const ACL_MODEL_RI_CAPTURE_STATUS_NONE: aclmdlRICaptureStatus = 0;
pub const ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE: aclmdlRICaptureStatus = 1;
pub const ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED: aclmdlRICaptureStatus = 2;
#[doc = " Capture status of a stream; invalidated: a call ended the capture early."]
pub type aclmdlRICaptureStatus = u32;
pub const ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT: aclmdlRICondHandleFlag = 1;
pub type aclmdlRICondHandleFlag = u32;
pub const ACL_MODEL_RI_COND_TYPE_IF: aclmdlRICondTaskType = 0;
pub const ACL_MODEL_RI_COND_TYPE_WHILE: aclmdlRICondTaskType = 1;
pub const ACL_MODEL_RI_COND_TYPE_SWITCH: aclmdlRICondTaskType = 2;
#[doc = " Choice of a task among graphs."]
pub type aclmdlRICondTaskType = u32;
pub const ACL_MODEL_RI_TASK_DEFAULT: aclmdlRITaskType = 0;
pub const ACL_MODEL_RI_TASK_KERNEL: aclmdlRITaskType = 1;
pub const ACL_MODEL_RI_TASK_EVENT_RECORD: aclmdlRITaskType = 2;
pub const ACL_MODEL_RI_TASK_EVENT_WAIT: aclmdlRITaskType = 3;
pub const ACL_MODEL_RI_TASK_EVENT_RESET: aclmdlRITaskType = 4;
pub const ACL_MODEL_RI_TASK_VALUE_WRITE: aclmdlRITaskType = 5;
pub const ACL_MODEL_RI_TASK_VALUE_WAIT: aclmdlRITaskType = 6;
#[doc = " Kinds of tasks of a graph."]
pub type aclmdlRITaskType = u32;
pub const ACL_RT_AICORE_ERROR_UNKNOWN: aclrtAicoreErrorType = 0;
pub const ACL_RT_AICORE_ERROR_SW: aclrtAicoreErrorType = 1;
pub const ACL_RT_AICORE_ERROR_HW_LOCAL: aclrtAicoreErrorType = 2;
pub type aclrtAicoreErrorType = u32;
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_ADD: aclrtAtomicOperation = 0;
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_MIN: aclrtAtomicOperation = 1;
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_MAX: aclrtAtomicOperation = 2;
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT: aclrtAtomicOperation = 3;
pub const ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT: aclrtAtomicOperation = 4;
pub const ACL_RT_ATOMIC_OPERATION_AND: aclrtAtomicOperation = 5;
pub const ACL_RT_ATOMIC_OPERATION_OR: aclrtAtomicOperation = 6;
pub const ACL_RT_ATOMIC_OPERATION_XOR: aclrtAtomicOperation = 7;
pub const ACL_RT_ATOMIC_OPERATION_EXCHANGE: aclrtAtomicOperation = 8;
pub const ACL_RT_ATOMIC_OPERATION_CAS: aclrtAtomicOperation = 9;
pub const ACL_RT_ATOMIC_OPERATION_FLOAT_ADD: aclrtAtomicOperation = 10;
pub const ACL_RT_ATOMIC_OPERATION_FLOAT_MIN: aclrtAtomicOperation = 11;
pub const ACL_RT_ATOMIC_OPERATION_FLOAT_MAX: aclrtAtomicOperation = 12;
pub const ACL_RT_ATOMIC_OPERATION_DMA_ADD: aclrtAtomicOperation = 30;
pub const ACL_RT_ATOMIC_OPERATION_DMA_MIN: aclrtAtomicOperation = 31;
pub const ACL_RT_ATOMIC_OPERATION_DMA_MAX: aclrtAtomicOperation = 32;
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD: aclrtAtomicOperation = 40;
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN: aclrtAtomicOperation = 41;
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX: aclrtAtomicOperation = 42;
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS: aclrtAtomicOperation = 43;
pub const ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH: aclrtAtomicOperation = 44;
#[doc = " Atomic operations between devices, and between host and device."]
pub type aclrtAtomicOperation = u32;
pub const ACL_RT_ATOMIC_CAPABILITY_SIGNED: aclrtAtomicOperationCapability = 1;
pub const ACL_RT_ATOMIC_CAPABILITY_UNSIGNED: aclrtAtomicOperationCapability = 2;
pub const ACL_RT_ATOMIC_CAPABILITY_REDUCATION: aclrtAtomicOperationCapability = 4;
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR8: aclrtAtomicOperationCapability = 8;
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR16: aclrtAtomicOperationCapability = 16;
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR32: aclrtAtomicOperationCapability = 32;
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR64: aclrtAtomicOperationCapability = 64;
pub const ACL_RT_ATOMIC_CAPABILITY_SCALAR128: aclrtAtomicOperationCapability = 128;
pub const ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4: aclrtAtomicOperationCapability = 256;
pub const ACL_RT_ATOMIC_CAPABILITY_REDUCTION: aclrtAtomicOperationCapability = 4;
#[doc = " Operand types of an atomic operation, as bits."]
pub type aclrtAtomicOperationCapability = u32;
pub const ACL_RT_SWITCH_INT32: aclrtCompareDataType = 0;
pub const ACL_RT_SWITCH_INT64: aclrtCompareDataType = 1;
pub type aclrtCompareDataType = u32;
pub const ACL_RT_EQUAL: aclrtCondition = 0;
pub const ACL_RT_NOT_EQUAL: aclrtCondition = 1;
pub const ACL_RT_GREATER: aclrtCondition = 2;
pub const ACL_RT_GREATER_OR_EQUAL: aclrtCondition = 3;
pub const ACL_RT_LESS: aclrtCondition = 4;
pub const ACL_RT_LESS_OR_EQUAL: aclrtCondition = 5;
#[doc = " Comparison of two values."]
pub type aclrtCondition = u32;
pub const ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE: aclrtDeviceLimit = 0;
pub const ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE: aclrtDeviceLimit = 1;
pub const ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE: aclrtDeviceLimit = 2;
pub const ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE: aclrtDeviceLimit = 3;
pub const ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE: aclrtDeviceLimit = 4;
pub type aclrtDeviceLimit = u32;
pub const ACL_RT_NO_ERROR: aclrtErrorType = 0;
pub const ACL_RT_ERROR_MEMORY: aclrtErrorType = 1;
pub const ACL_RT_ERROR_L2: aclrtErrorType = 2;
pub const ACL_RT_ERROR_AICORE: aclrtErrorType = 3;
pub const ACL_RT_ERROR_LINK: aclrtErrorType = 4;
pub const ACL_RT_ERROR_L3_PORT: aclrtErrorType = 5;
pub const ACL_RT_ERROR_OTHERS: aclrtErrorType = 65535;
#[doc = " Kinds of hardware errors."]
pub type aclrtErrorType = u32;
pub const ACL_RT_OVERFLOW_MODE_SATURATION: aclrtFloatOverflowMode = 0;
pub const ACL_RT_OVERFLOW_MODE_INFNAN: aclrtFloatOverflowMode = 1;
pub const ACL_RT_OVERFLOW_MODE_UNDEF: aclrtFloatOverflowMode = 2;
pub type aclrtFloatOverflowMode = u32;
pub const ACL_GROUP_AICORE_INT: aclrtGroupAttr = 0;
pub const ACL_GROUP_AIV_INT: aclrtGroupAttr = 1;
pub const ACL_GROUP_AIC_INT: aclrtGroupAttr = 2;
pub const ACL_GROUP_SDMANUM_INT: aclrtGroupAttr = 3;
pub const ACL_GROUP_ASQNUM_INT: aclrtGroupAttr = 4;
pub const ACL_GROUP_GROUPID_INT: aclrtGroupAttr = 5;
#[doc = " Attributes of a group of cores."]
pub type aclrtGroupAttr = u32;
pub const ACL_RT_MEM_ACCESS_LINK_SIO: aclrtMemLinkType = 0;
pub const ACL_RT_MEM_ACCESS_LINK_HCCS: aclrtMemLinkType = 1;
pub const ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH: aclrtMemLinkType = 2;
pub const ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH: aclrtMemLinkType = 3;
pub type aclrtMemLinkType = u32;
pub const ACL_MEM_ADVISE_SET_READ_MOSTLY: aclrtMemManagedAdviseType = 0;
pub const ACL_MEM_ADVISE_UNSET_READ_MOSTLY: aclrtMemManagedAdviseType = 1;
pub const ACL_MEM_ADVISE_SET_PREFERRED_LOCATION: aclrtMemManagedAdviseType = 2;
pub const ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION: aclrtMemManagedAdviseType = 3;
pub const ACL_MEM_ADVISE_SET_ACCESSED_BY: aclrtMemManagedAdviseType = 4;
pub const ACL_MEM_ADVISE_UNSET_ACCESSED_BY: aclrtMemManagedAdviseType = 5;
#[doc = " Expected use of managed memory."]
pub type aclrtMemManagedAdviseType = u32;
pub const ACL_MEM_LOCATIONTYPE_INVALID: aclrtMemManagedLocationType = 0;
pub const ACL_MEM_LOCATIONTYPE_DEVICE: aclrtMemManagedLocationType = 1;
pub const ACL_MEM_LOCATIONTYPE_HOST: aclrtMemManagedLocationType = 2;
pub const ACL_MEM_LOCATIONTYPE_HOST_NUMA: aclrtMemManagedLocationType = 3;
pub const ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT: aclrtMemManagedLocationType = 4;
pub type aclrtMemManagedLocationType = u32;
pub const ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: aclrtMemManagedRangeAttribute = 1;
pub const ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: aclrtMemManagedRangeAttribute = 2;
pub const ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: aclrtMemManagedRangeAttribute = 3;
pub const ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: aclrtMemManagedRangeAttribute = 4;
pub const ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: aclrtMemManagedRangeAttribute = 5;
pub const ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: aclrtMemManagedRangeAttribute = 6;
pub const ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: aclrtMemManagedRangeAttribute = 7;
pub const ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: aclrtMemManagedRangeAttribute = 8;
pub type aclrtMemManagedRangeAttribute = u32;
pub const NORMAL_PAGE_TYPE: aclrtMemPgType = 0;
pub const HUGE_PAGE_TYPE: aclrtMemPgType = 1;
pub const HUGE1G_PAGE_TYPE: aclrtMemPgType = 2;
pub type aclrtMemPgType = u32;
pub const HBM_TYPE: aclrtMemType = 0;
pub const DDR_TYPE: aclrtMemType = 1;
pub const P2P_HBM_TYPE: aclrtMemType = 2;
pub const P2P_DDR_TYPE: aclrtMemType = 3;
pub type aclrtMemType = u32;
pub const ACL_RT_PROCESS_STATE_RUNNING: aclrtProcessState = 0;
pub const ACL_RT_PROCESS_STATE_LOCKED: aclrtProcessState = 1;
pub type aclrtProcessState = u32;
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK: aclrtRandomNumFuncType = 0;
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS: aclrtRandomNumFuncType = 1;
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS: aclrtRandomNumFuncType = 2;
pub const ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS: aclrtRandomNumFuncType = 3;
pub type aclrtRandomNumFuncType = u32;
pub const ACL_RT_SNAPSHOT_LOCK_PRE: aclrtSnapShotStage = 0;
pub const ACL_RT_SNAPSHOT_BACKUP_PRE: aclrtSnapShotStage = 1;
pub const ACL_RT_SNAPSHOT_BACKUP_POST: aclrtSnapShotStage = 2;
pub const ACL_RT_SNAPSHOT_RESTORE_PRE: aclrtSnapShotStage = 3;
pub const ACL_RT_SNAPSHOT_RESTORE_POST: aclrtSnapShotStage = 4;
pub const ACL_RT_SNAPSHOT_UNLOCK_POST: aclrtSnapShotStage = 5;
#[doc = " Stages of a snapshot of a process."]
pub type aclrtSnapShotStage = u32;
pub const ACL_TS_ID_AICORE: aclrtTsId = 0;
pub const ACL_TS_ID_AIVECTOR: aclrtTsId = 1;
pub const ACL_TS_ID_RESERVED: aclrtTsId = 2;
#[doc = " Schedulers of a device."]
pub type aclrtTsId = u32;
pub const ACL_RT_UPDATE_RANDOM_TASK: aclrtUpdateTaskAttrId = 1;
pub const ACL_RT_UPDATE_AIC_AIV_TASK: aclrtUpdateTaskAttrId = 2;
pub type aclrtUpdateTaskAttrId = u32;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct MemAttrMapping {
    pub pgType: u32,
    pub memType: u32,
    pub isHostAlloc: bool,
    pub memAttr: aclrtMemAttr,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of MemAttrMapping"][::core::mem::size_of::<MemAttrMapping>() - 16usize];
    ["Alignment of MemAttrMapping"][::core::mem::align_of::<MemAttrMapping>() - 4usize];
    ["Offset of field: MemAttrMapping::pgType"][::core::mem::offset_of!(MemAttrMapping, pgType) - 0usize];
    ["Offset of field: MemAttrMapping::memType"][::core::mem::offset_of!(MemAttrMapping, memType) - 4usize];
    ["Offset of field: MemAttrMapping::isHostAlloc"]
        [::core::mem::offset_of!(MemAttrMapping, isHostAlloc) - 8usize];
    ["Offset of field: MemAttrMapping::memAttr"][::core::mem::offset_of!(MemAttrMapping, memAttr) - 12usize];
};
impl Default for MemAttrMapping {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A task that executes one of some graphs, by a word of memory."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRICondTaskParams {
    pub handle: aclmdlRICondHandle,
    pub type_: aclmdlRICondTaskType,
    pub size: u32,
    pub modelRIArray: *mut aclmdlRI,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRICondTaskParams"][::core::mem::size_of::<aclmdlRICondTaskParams>() - 24usize];
    ["Alignment of aclmdlRICondTaskParams"][::core::mem::align_of::<aclmdlRICondTaskParams>() - 8usize];
    ["Offset of field: aclmdlRICondTaskParams::handle"]
        [::core::mem::offset_of!(aclmdlRICondTaskParams, handle) - 0usize];
    ["Offset of field: aclmdlRICondTaskParams::type_"]
        [::core::mem::offset_of!(aclmdlRICondTaskParams, type_) - 8usize];
    ["Offset of field: aclmdlRICondTaskParams::size"]
        [::core::mem::offset_of!(aclmdlRICondTaskParams, size) - 12usize];
    ["Offset of field: aclmdlRICondTaskParams::modelRIArray"]
        [::core::mem::offset_of!(aclmdlRICondTaskParams, modelRIArray) - 16usize];
};
impl Default for aclmdlRICondTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRIEventRecordTaskParams {
    pub event: aclrtEvent,
    pub eventFlag: u32,
    pub recordFlag: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRIEventRecordTaskParams"]
        [::core::mem::size_of::<aclmdlRIEventRecordTaskParams>() - 16usize];
    ["Alignment of aclmdlRIEventRecordTaskParams"]
        [::core::mem::align_of::<aclmdlRIEventRecordTaskParams>() - 8usize];
    ["Offset of field: aclmdlRIEventRecordTaskParams::event"]
        [::core::mem::offset_of!(aclmdlRIEventRecordTaskParams, event) - 0usize];
    ["Offset of field: aclmdlRIEventRecordTaskParams::eventFlag"]
        [::core::mem::offset_of!(aclmdlRIEventRecordTaskParams, eventFlag) - 8usize];
    ["Offset of field: aclmdlRIEventRecordTaskParams::recordFlag"]
        [::core::mem::offset_of!(aclmdlRIEventRecordTaskParams, recordFlag) - 12usize];
};
impl Default for aclmdlRIEventRecordTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRIEventResetTaskParams {
    pub event: aclrtEvent,
    pub eventFlag: u32,
    pub resetFlag: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRIEventResetTaskParams"]
        [::core::mem::size_of::<aclmdlRIEventResetTaskParams>() - 16usize];
    ["Alignment of aclmdlRIEventResetTaskParams"]
        [::core::mem::align_of::<aclmdlRIEventResetTaskParams>() - 8usize];
    ["Offset of field: aclmdlRIEventResetTaskParams::event"]
        [::core::mem::offset_of!(aclmdlRIEventResetTaskParams, event) - 0usize];
    ["Offset of field: aclmdlRIEventResetTaskParams::eventFlag"]
        [::core::mem::offset_of!(aclmdlRIEventResetTaskParams, eventFlag) - 8usize];
    ["Offset of field: aclmdlRIEventResetTaskParams::resetFlag"]
        [::core::mem::offset_of!(aclmdlRIEventResetTaskParams, resetFlag) - 12usize];
};
impl Default for aclmdlRIEventResetTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRIEventWaitTaskParams {
    pub event: aclrtEvent,
    pub eventFlag: u32,
    pub waitFlag: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRIEventWaitTaskParams"][::core::mem::size_of::<aclmdlRIEventWaitTaskParams>() - 16usize];
    ["Alignment of aclmdlRIEventWaitTaskParams"]
        [::core::mem::align_of::<aclmdlRIEventWaitTaskParams>() - 8usize];
    ["Offset of field: aclmdlRIEventWaitTaskParams::event"]
        [::core::mem::offset_of!(aclmdlRIEventWaitTaskParams, event) - 0usize];
    ["Offset of field: aclmdlRIEventWaitTaskParams::eventFlag"]
        [::core::mem::offset_of!(aclmdlRIEventWaitTaskParams, eventFlag) - 8usize];
    ["Offset of field: aclmdlRIEventWaitTaskParams::waitFlag"]
        [::core::mem::offset_of!(aclmdlRIEventWaitTaskParams, waitFlag) - 12usize];
};
impl Default for aclmdlRIEventWaitTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRIKernelTaskParams {
    pub funcHandle: aclrtFuncHandle,
    pub cfg: *mut aclrtLaunchKernelCfg,
    pub args: *mut ::core::ffi::c_void,
    pub isHostArgs: u32,
    pub argsSize: usize,
    pub numBlocks: u32,
    pub rsv: [u32; 10usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRIKernelTaskParams"][::core::mem::size_of::<aclmdlRIKernelTaskParams>() - 88usize];
    ["Alignment of aclmdlRIKernelTaskParams"][::core::mem::align_of::<aclmdlRIKernelTaskParams>() - 8usize];
    ["Offset of field: aclmdlRIKernelTaskParams::funcHandle"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, funcHandle) - 0usize];
    ["Offset of field: aclmdlRIKernelTaskParams::cfg"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, cfg) - 8usize];
    ["Offset of field: aclmdlRIKernelTaskParams::args"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, args) - 16usize];
    ["Offset of field: aclmdlRIKernelTaskParams::isHostArgs"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, isHostArgs) - 24usize];
    ["Offset of field: aclmdlRIKernelTaskParams::argsSize"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, argsSize) - 32usize];
    ["Offset of field: aclmdlRIKernelTaskParams::numBlocks"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, numBlocks) - 40usize];
    ["Offset of field: aclmdlRIKernelTaskParams::rsv"]
        [::core::mem::offset_of!(aclmdlRIKernelTaskParams, rsv) - 44usize];
};
impl Default for aclmdlRIKernelTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRIValueWriteTaskParams {
    pub devAddr: *mut ::core::ffi::c_void,
    pub value: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRIValueWriteTaskParams"]
        [::core::mem::size_of::<aclmdlRIValueWriteTaskParams>() - 16usize];
    ["Alignment of aclmdlRIValueWriteTaskParams"]
        [::core::mem::align_of::<aclmdlRIValueWriteTaskParams>() - 8usize];
    ["Offset of field: aclmdlRIValueWriteTaskParams::devAddr"]
        [::core::mem::offset_of!(aclmdlRIValueWriteTaskParams, devAddr) - 0usize];
    ["Offset of field: aclmdlRIValueWriteTaskParams::value"]
        [::core::mem::offset_of!(aclmdlRIValueWriteTaskParams, value) - 8usize];
};
impl Default for aclmdlRIValueWriteTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlRIValueWaitTaskParams {
    pub devAddr: *mut ::core::ffi::c_void,
    pub value: u64,
    pub flag: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRIValueWaitTaskParams"][::core::mem::size_of::<aclmdlRIValueWaitTaskParams>() - 24usize];
    ["Alignment of aclmdlRIValueWaitTaskParams"]
        [::core::mem::align_of::<aclmdlRIValueWaitTaskParams>() - 8usize];
    ["Offset of field: aclmdlRIValueWaitTaskParams::devAddr"]
        [::core::mem::offset_of!(aclmdlRIValueWaitTaskParams, devAddr) - 0usize];
    ["Offset of field: aclmdlRIValueWaitTaskParams::value"]
        [::core::mem::offset_of!(aclmdlRIValueWaitTaskParams, value) - 8usize];
    ["Offset of field: aclmdlRIValueWaitTaskParams::flag"]
        [::core::mem::offset_of!(aclmdlRIValueWaitTaskParams, flag) - 16usize];
};
impl Default for aclmdlRIValueWaitTaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Operation of a graph's task."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclmdlRITaskParams {
    pub type_: aclmdlRITaskType,
    pub rsv0: [u32; 3usize],
    pub taskGrp: aclrtTaskGrp,
    pub opInfoPtr: *mut ::core::ffi::c_void,
    pub opInfoSize: usize,
    pub rsv1: [u8; 32usize],
    pub __bindgen_anon_1: aclmdlRITaskParams__bindgen_ty_1,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclmdlRITaskParams__bindgen_ty_1 {
    pub rsv2: [u8; 128usize],
    pub kernelTaskParams: aclmdlRIKernelTaskParams,
    pub eventRecordTaskParams: aclmdlRIEventRecordTaskParams,
    pub eventWaitTaskParams: aclmdlRIEventWaitTaskParams,
    pub eventResetTaskParams: aclmdlRIEventResetTaskParams,
    pub valueWriteTaskParams: aclmdlRIValueWriteTaskParams,
    pub valueWaitTaskParams: aclmdlRIValueWaitTaskParams,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRITaskParams__bindgen_ty_1"]
        [::core::mem::size_of::<aclmdlRITaskParams__bindgen_ty_1>() - 128usize];
    ["Alignment of aclmdlRITaskParams__bindgen_ty_1"]
        [::core::mem::align_of::<aclmdlRITaskParams__bindgen_ty_1>() - 8usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::rsv2"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, rsv2) - 0usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::kernelTaskParams"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, kernelTaskParams) - 0usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::eventRecordTaskParams"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, eventRecordTaskParams) - 0usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::eventWaitTaskParams"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, eventWaitTaskParams) - 0usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::eventResetTaskParams"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, eventResetTaskParams) - 0usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::valueWriteTaskParams"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, valueWriteTaskParams) - 0usize];
    ["Offset of field: aclmdlRITaskParams__bindgen_ty_1::valueWaitTaskParams"]
        [::core::mem::offset_of!(aclmdlRITaskParams__bindgen_ty_1, valueWaitTaskParams) - 0usize];
};
impl Default for aclmdlRITaskParams__bindgen_ty_1 {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclmdlRITaskParams__bindgen_ty_1 {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclmdlRITaskParams__bindgen_ty_1 {{ union }}")
    }
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlRITaskParams"][::core::mem::size_of::<aclmdlRITaskParams>() - 200usize];
    ["Alignment of aclmdlRITaskParams"][::core::mem::align_of::<aclmdlRITaskParams>() - 8usize];
    ["Offset of field: aclmdlRITaskParams::type_"]
        [::core::mem::offset_of!(aclmdlRITaskParams, type_) - 0usize];
    ["Offset of field: aclmdlRITaskParams::rsv0"][::core::mem::offset_of!(aclmdlRITaskParams, rsv0) - 4usize];
    ["Offset of field: aclmdlRITaskParams::taskGrp"]
        [::core::mem::offset_of!(aclmdlRITaskParams, taskGrp) - 16usize];
    ["Offset of field: aclmdlRITaskParams::opInfoPtr"]
        [::core::mem::offset_of!(aclmdlRITaskParams, opInfoPtr) - 24usize];
    ["Offset of field: aclmdlRITaskParams::opInfoSize"]
        [::core::mem::offset_of!(aclmdlRITaskParams, opInfoSize) - 32usize];
    ["Offset of field: aclmdlRITaskParams::rsv1"]
        [::core::mem::offset_of!(aclmdlRITaskParams, rsv1) - 40usize];
};
impl Default for aclmdlRITaskParams {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclmdlRITaskParams {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "aclmdlRITaskParams {{ type: {:?}, rsv0: {:?}, taskGrp: {:?}, opInfoPtr: {:?}, rsv1: {:?}, __bindgen_anon_1: {:?} }}",
            self.type_, self.rsv0, self.taskGrp, self.opInfoPtr, self.rsv1, self.__bindgen_anon_1
        )
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtAicAivTaskUpdateAttr {
    pub binHandle: *mut ::core::ffi::c_void,
    pub funcEntryAddr: *mut ::core::ffi::c_void,
    pub blockDimAddr: *mut ::core::ffi::c_void,
    pub rsv: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtAicAivTaskUpdateAttr"][::core::mem::size_of::<aclrtAicAivTaskUpdateAttr>() - 40usize];
    ["Alignment of aclrtAicAivTaskUpdateAttr"][::core::mem::align_of::<aclrtAicAivTaskUpdateAttr>() - 8usize];
    ["Offset of field: aclrtAicAivTaskUpdateAttr::binHandle"]
        [::core::mem::offset_of!(aclrtAicAivTaskUpdateAttr, binHandle) - 0usize];
    ["Offset of field: aclrtAicAivTaskUpdateAttr::funcEntryAddr"]
        [::core::mem::offset_of!(aclrtAicAivTaskUpdateAttr, funcEntryAddr) - 8usize];
    ["Offset of field: aclrtAicAivTaskUpdateAttr::blockDimAddr"]
        [::core::mem::offset_of!(aclrtAicAivTaskUpdateAttr, blockDimAddr) - 16usize];
    ["Offset of field: aclrtAicAivTaskUpdateAttr::rsv"]
        [::core::mem::offset_of!(aclrtAicAivTaskUpdateAttr, rsv) - 24usize];
};
impl Default for aclrtAicAivTaskUpdateAttr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtBarrierCmoInfo {
    pub cmoType: aclrtCmoType,
    pub barrierId: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtBarrierCmoInfo"][::core::mem::size_of::<aclrtBarrierCmoInfo>() - 8usize];
    ["Alignment of aclrtBarrierCmoInfo"][::core::mem::align_of::<aclrtBarrierCmoInfo>() - 4usize];
    ["Offset of field: aclrtBarrierCmoInfo::cmoType"]
        [::core::mem::offset_of!(aclrtBarrierCmoInfo, cmoType) - 0usize];
    ["Offset of field: aclrtBarrierCmoInfo::barrierId"]
        [::core::mem::offset_of!(aclrtBarrierCmoInfo, barrierId) - 4usize];
};
impl Default for aclrtBarrierCmoInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtBarrierTaskInfo {
    pub barrierNum: usize,
    pub cmoInfo: [aclrtBarrierCmoInfo; 6usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtBarrierTaskInfo"][::core::mem::size_of::<aclrtBarrierTaskInfo>() - 56usize];
    ["Alignment of aclrtBarrierTaskInfo"][::core::mem::align_of::<aclrtBarrierTaskInfo>() - 8usize];
    ["Offset of field: aclrtBarrierTaskInfo::barrierNum"]
        [::core::mem::offset_of!(aclrtBarrierTaskInfo, barrierNum) - 0usize];
    ["Offset of field: aclrtBarrierTaskInfo::cmoInfo"]
        [::core::mem::offset_of!(aclrtBarrierTaskInfo, cmoInfo) - 8usize];
};
impl Default for aclrtBarrierTaskInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A number by value or by address."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtRandomParaInfo {
    pub isAddr: u8,
    pub valueOrAddr: [u8; 8usize],
    pub size: u8,
    pub rsv: [u8; 6usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtRandomParaInfo"][::core::mem::size_of::<aclrtRandomParaInfo>() - 16usize];
    ["Alignment of aclrtRandomParaInfo"][::core::mem::align_of::<aclrtRandomParaInfo>() - 1usize];
    ["Offset of field: aclrtRandomParaInfo::isAddr"]
        [::core::mem::offset_of!(aclrtRandomParaInfo, isAddr) - 0usize];
    ["Offset of field: aclrtRandomParaInfo::valueOrAddr"]
        [::core::mem::offset_of!(aclrtRandomParaInfo, valueOrAddr) - 1usize];
    ["Offset of field: aclrtRandomParaInfo::size"]
        [::core::mem::offset_of!(aclrtRandomParaInfo, size) - 9usize];
    ["Offset of field: aclrtRandomParaInfo::rsv"]
        [::core::mem::offset_of!(aclrtRandomParaInfo, rsv) - 10usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtDropoutBitmaskInfo {
    pub dropoutRation: aclrtRandomParaInfo,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtDropoutBitmaskInfo"][::core::mem::size_of::<aclrtDropoutBitmaskInfo>() - 16usize];
    ["Alignment of aclrtDropoutBitmaskInfo"][::core::mem::align_of::<aclrtDropoutBitmaskInfo>() - 1usize];
    ["Offset of field: aclrtDropoutBitmaskInfo::dropoutRation"]
        [::core::mem::offset_of!(aclrtDropoutBitmaskInfo, dropoutRation) - 0usize];
};
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemUceInfoArray {
    pub arraySize: usize,
    pub memUceInfoArray: [aclrtMemUceInfo; 20usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemUceInfoArray"][::core::mem::size_of::<aclrtMemUceInfoArray>() - 2568usize];
    ["Alignment of aclrtMemUceInfoArray"][::core::mem::align_of::<aclrtMemUceInfoArray>() - 8usize];
    ["Offset of field: aclrtMemUceInfoArray::arraySize"]
        [::core::mem::offset_of!(aclrtMemUceInfoArray, arraySize) - 0usize];
    ["Offset of field: aclrtMemUceInfoArray::memUceInfoArray"]
        [::core::mem::offset_of!(aclrtMemUceInfoArray, memUceInfoArray) - 8usize];
};
impl Default for aclrtMemUceInfoArray {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtErrorInfoDetail {
    pub uceInfo: aclrtMemUceInfoArray,
    pub aicoreErrType: aclrtAicoreErrorType,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtErrorInfoDetail"][::core::mem::size_of::<aclrtErrorInfoDetail>() - 2568usize];
    ["Alignment of aclrtErrorInfoDetail"][::core::mem::align_of::<aclrtErrorInfoDetail>() - 8usize];
    ["Offset of field: aclrtErrorInfoDetail::uceInfo"]
        [::core::mem::offset_of!(aclrtErrorInfoDetail, uceInfo) - 0usize];
    ["Offset of field: aclrtErrorInfoDetail::aicoreErrType"]
        [::core::mem::offset_of!(aclrtErrorInfoDetail, aicoreErrType) - 0usize];
};
impl Default for aclrtErrorInfoDetail {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtErrorInfoDetail {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtErrorInfoDetail {{ union }}")
    }
}
#[doc = " Details of a hardware error."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtErrorInfo {
    pub tryRepair: u8,
    pub hasDetail: u8,
    pub reserved: [u8; 2usize],
    pub errorType: aclrtErrorType,
    pub detail: aclrtErrorInfoDetail,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtErrorInfo"][::core::mem::size_of::<aclrtErrorInfo>() - 2576usize];
    ["Alignment of aclrtErrorInfo"][::core::mem::align_of::<aclrtErrorInfo>() - 8usize];
    ["Offset of field: aclrtErrorInfo::tryRepair"]
        [::core::mem::offset_of!(aclrtErrorInfo, tryRepair) - 0usize];
    ["Offset of field: aclrtErrorInfo::hasDetail"]
        [::core::mem::offset_of!(aclrtErrorInfo, hasDetail) - 1usize];
    ["Offset of field: aclrtErrorInfo::reserved"][::core::mem::offset_of!(aclrtErrorInfo, reserved) - 2usize];
    ["Offset of field: aclrtErrorInfo::errorType"]
        [::core::mem::offset_of!(aclrtErrorInfo, errorType) - 4usize];
    ["Offset of field: aclrtErrorInfo::detail"][::core::mem::offset_of!(aclrtErrorInfo, detail) - 8usize];
};
impl Default for aclrtErrorInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtErrorInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "aclrtErrorInfo {{ reserved: {:?}, errorType: {:?}, detail: {:?} }}",
            self.reserved, self.errorType, self.detail
        )
    }
}
#[doc = " A place of managed memory."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemManagedLocation {
    pub type_: aclrtMemManagedLocationType,
    pub id: i32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemManagedLocation"][::core::mem::size_of::<aclrtMemManagedLocation>() - 8usize];
    ["Alignment of aclrtMemManagedLocation"][::core::mem::align_of::<aclrtMemManagedLocation>() - 4usize];
    ["Offset of field: aclrtMemManagedLocation::type_"]
        [::core::mem::offset_of!(aclrtMemManagedLocation, type_) - 0usize];
    ["Offset of field: aclrtMemManagedLocation::id"]
        [::core::mem::offset_of!(aclrtMemManagedLocation, id) - 4usize];
};
impl Default for aclrtMemManagedLocation {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtNormalDisInfo {
    pub mean: aclrtRandomParaInfo,
    pub stddev: aclrtRandomParaInfo,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtNormalDisInfo"][::core::mem::size_of::<aclrtNormalDisInfo>() - 32usize];
    ["Alignment of aclrtNormalDisInfo"][::core::mem::align_of::<aclrtNormalDisInfo>() - 1usize];
    ["Offset of field: aclrtNormalDisInfo::mean"][::core::mem::offset_of!(aclrtNormalDisInfo, mean) - 0usize];
    ["Offset of field: aclrtNormalDisInfo::stddev"]
        [::core::mem::offset_of!(aclrtNormalDisInfo, stddev) - 16usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclrtUniformDisInfo {
    pub min: aclrtRandomParaInfo,
    pub max: aclrtRandomParaInfo,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtUniformDisInfo"][::core::mem::size_of::<aclrtUniformDisInfo>() - 32usize];
    ["Alignment of aclrtUniformDisInfo"][::core::mem::align_of::<aclrtUniformDisInfo>() - 1usize];
    ["Offset of field: aclrtUniformDisInfo::min"][::core::mem::offset_of!(aclrtUniformDisInfo, min) - 0usize];
    ["Offset of field: aclrtUniformDisInfo::max"]
        [::core::mem::offset_of!(aclrtUniformDisInfo, max) - 16usize];
};
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtRandomNumFuncParaInfo {
    pub funcType: aclrtRandomNumFuncType,
    pub paramInfo: aclrtRandomNumFuncParaInfo__bindgen_ty_1,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtRandomNumFuncParaInfo__bindgen_ty_1 {
    pub dropoutBitmaskInfo: aclrtDropoutBitmaskInfo,
    pub uniformDisInfo: aclrtUniformDisInfo,
    pub normalDisInfo: aclrtNormalDisInfo,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtRandomNumFuncParaInfo__bindgen_ty_1"]
        [::core::mem::size_of::<aclrtRandomNumFuncParaInfo__bindgen_ty_1>() - 32usize];
    ["Alignment of aclrtRandomNumFuncParaInfo__bindgen_ty_1"]
        [::core::mem::align_of::<aclrtRandomNumFuncParaInfo__bindgen_ty_1>() - 1usize];
    ["Offset of field: aclrtRandomNumFuncParaInfo__bindgen_ty_1::dropoutBitmaskInfo"]
        [::core::mem::offset_of!(aclrtRandomNumFuncParaInfo__bindgen_ty_1, dropoutBitmaskInfo) - 0usize];
    ["Offset of field: aclrtRandomNumFuncParaInfo__bindgen_ty_1::uniformDisInfo"]
        [::core::mem::offset_of!(aclrtRandomNumFuncParaInfo__bindgen_ty_1, uniformDisInfo) - 0usize];
    ["Offset of field: aclrtRandomNumFuncParaInfo__bindgen_ty_1::normalDisInfo"]
        [::core::mem::offset_of!(aclrtRandomNumFuncParaInfo__bindgen_ty_1, normalDisInfo) - 0usize];
};
impl Default for aclrtRandomNumFuncParaInfo__bindgen_ty_1 {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtRandomNumFuncParaInfo__bindgen_ty_1 {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtRandomNumFuncParaInfo__bindgen_ty_1 {{ union }}")
    }
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtRandomNumFuncParaInfo"][::core::mem::size_of::<aclrtRandomNumFuncParaInfo>() - 36usize];
    ["Alignment of aclrtRandomNumFuncParaInfo"]
        [::core::mem::align_of::<aclrtRandomNumFuncParaInfo>() - 4usize];
    ["Offset of field: aclrtRandomNumFuncParaInfo::funcType"]
        [::core::mem::offset_of!(aclrtRandomNumFuncParaInfo, funcType) - 0usize];
    ["Offset of field: aclrtRandomNumFuncParaInfo::paramInfo"]
        [::core::mem::offset_of!(aclrtRandomNumFuncParaInfo, paramInfo) - 4usize];
};
impl Default for aclrtRandomNumFuncParaInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtRandomNumFuncParaInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "aclrtRandomNumFuncParaInfo {{ funcType: {:?}, paramInfo: {:?} }}",
            self.funcType, self.paramInfo
        )
    }
}
#[doc = " A task that fills memory with random numbers."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtRandomNumTaskInfo {
    pub dataType: aclDataType,
    pub randomNumFuncParaInfo: aclrtRandomNumFuncParaInfo,
    pub randomParaAddr: *mut ::core::ffi::c_void,
    pub randomResultAddr: *mut ::core::ffi::c_void,
    pub randomCounterAddr: *mut ::core::ffi::c_void,
    pub randomSeed: aclrtRandomParaInfo,
    pub randomNum: aclrtRandomParaInfo,
    pub rsv: [u8; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtRandomNumTaskInfo"][::core::mem::size_of::<aclrtRandomNumTaskInfo>() - 104usize];
    ["Alignment of aclrtRandomNumTaskInfo"][::core::mem::align_of::<aclrtRandomNumTaskInfo>() - 8usize];
    ["Offset of field: aclrtRandomNumTaskInfo::dataType"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, dataType) - 0usize];
    ["Offset of field: aclrtRandomNumTaskInfo::randomNumFuncParaInfo"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, randomNumFuncParaInfo) - 4usize];
    ["Offset of field: aclrtRandomNumTaskInfo::randomParaAddr"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, randomParaAddr) - 40usize];
    ["Offset of field: aclrtRandomNumTaskInfo::randomResultAddr"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, randomResultAddr) - 48usize];
    ["Offset of field: aclrtRandomNumTaskInfo::randomCounterAddr"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, randomCounterAddr) - 56usize];
    ["Offset of field: aclrtRandomNumTaskInfo::randomSeed"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, randomSeed) - 64usize];
    ["Offset of field: aclrtRandomNumTaskInfo::randomNum"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, randomNum) - 80usize];
    ["Offset of field: aclrtRandomNumTaskInfo::rsv"]
        [::core::mem::offset_of!(aclrtRandomNumTaskInfo, rsv) - 96usize];
};
impl Default for aclrtRandomNumTaskInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtRandomNumTaskInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "aclrtRandomNumTaskInfo {{ dataType: {:?}, randomNumFuncParaInfo: {:?}, randomParaAddr: {:?}, randomResultAddr: {:?}, randomCounterAddr: {:?}, randomSeed: {:?}, randomNum: {:?}, rsv: {:?} }}",
            self.dataType,
            self.randomNumFuncParaInfo,
            self.randomParaAddr,
            self.randomResultAddr,
            self.randomCounterAddr,
            self.randomSeed,
            self.randomNum,
            self.rsv
        )
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtRandomTaskUpdateAttr {
    pub srcAddr: *mut ::core::ffi::c_void,
    pub size: usize,
    pub rsv: [u32; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtRandomTaskUpdateAttr"][::core::mem::size_of::<aclrtRandomTaskUpdateAttr>() - 32usize];
    ["Alignment of aclrtRandomTaskUpdateAttr"][::core::mem::align_of::<aclrtRandomTaskUpdateAttr>() - 8usize];
    ["Offset of field: aclrtRandomTaskUpdateAttr::srcAddr"]
        [::core::mem::offset_of!(aclrtRandomTaskUpdateAttr, srcAddr) - 0usize];
    ["Offset of field: aclrtRandomTaskUpdateAttr::size"]
        [::core::mem::offset_of!(aclrtRandomTaskUpdateAttr, size) - 8usize];
    ["Offset of field: aclrtRandomTaskUpdateAttr::rsv"]
        [::core::mem::offset_of!(aclrtRandomTaskUpdateAttr, rsv) - 16usize];
};
impl Default for aclrtRandomTaskUpdateAttr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtSnapShotBackupArgs {
    pub backupFlags: u32,
    pub reserved: [::core::ffi::c_char; 60usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtSnapShotBackupArgs"][::core::mem::size_of::<aclrtSnapShotBackupArgs>() - 64usize];
    ["Alignment of aclrtSnapShotBackupArgs"][::core::mem::align_of::<aclrtSnapShotBackupArgs>() - 4usize];
    ["Offset of field: aclrtSnapShotBackupArgs::backupFlags"]
        [::core::mem::offset_of!(aclrtSnapShotBackupArgs, backupFlags) - 0usize];
    ["Offset of field: aclrtSnapShotBackupArgs::reserved"]
        [::core::mem::offset_of!(aclrtSnapShotBackupArgs, reserved) - 4usize];
};
impl Default for aclrtSnapShotBackupArgs {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtSnapShotRestoreArgs {
    pub restoreFlags: u32,
    pub reserved: [::core::ffi::c_char; 60usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtSnapShotRestoreArgs"][::core::mem::size_of::<aclrtSnapShotRestoreArgs>() - 64usize];
    ["Alignment of aclrtSnapShotRestoreArgs"][::core::mem::align_of::<aclrtSnapShotRestoreArgs>() - 4usize];
    ["Offset of field: aclrtSnapShotRestoreArgs::restoreFlags"]
        [::core::mem::offset_of!(aclrtSnapShotRestoreArgs, restoreFlags) - 0usize];
    ["Offset of field: aclrtSnapShotRestoreArgs::reserved"]
        [::core::mem::offset_of!(aclrtSnapShotRestoreArgs, reserved) - 4usize];
};
impl Default for aclrtSnapShotRestoreArgs {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclrtUpdateTaskAttrVal {
    pub randomTaskAttr: aclrtRandomTaskUpdateAttr,
    pub aicAivTaskAttr: aclrtAicAivTaskUpdateAttr,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtUpdateTaskAttrVal"][::core::mem::size_of::<aclrtUpdateTaskAttrVal>() - 40usize];
    ["Alignment of aclrtUpdateTaskAttrVal"][::core::mem::align_of::<aclrtUpdateTaskAttrVal>() - 8usize];
    ["Offset of field: aclrtUpdateTaskAttrVal::randomTaskAttr"]
        [::core::mem::offset_of!(aclrtUpdateTaskAttrVal, randomTaskAttr) - 0usize];
    ["Offset of field: aclrtUpdateTaskAttrVal::aicAivTaskAttr"]
        [::core::mem::offset_of!(aclrtUpdateTaskAttrVal, aicAivTaskAttr) - 0usize];
};
impl Default for aclrtUpdateTaskAttrVal {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtUpdateTaskAttrVal {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtUpdateTaskAttrVal {{ union }}")
    }
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclrtTaskUpdateInfo {
    pub id: aclrtUpdateTaskAttrId,
    pub val: aclrtUpdateTaskAttrVal,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtTaskUpdateInfo"][::core::mem::size_of::<aclrtTaskUpdateInfo>() - 48usize];
    ["Alignment of aclrtTaskUpdateInfo"][::core::mem::align_of::<aclrtTaskUpdateInfo>() - 8usize];
    ["Offset of field: aclrtTaskUpdateInfo::id"][::core::mem::offset_of!(aclrtTaskUpdateInfo, id) - 0usize];
    ["Offset of field: aclrtTaskUpdateInfo::val"][::core::mem::offset_of!(aclrtTaskUpdateInfo, val) - 8usize];
};
impl Default for aclrtTaskUpdateInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclrtTaskUpdateInfo {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclrtTaskUpdateInfo {{ id: {:?}, val: {:?} }}", self.id, self.val)
    }
}
#[doc = " Utilization of the parts of a device, in percent."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtUtilizationInfo {
    pub cubeUtilization: i32,
    pub vectorUtilization: i32,
    pub aicpuUtilization: i32,
    pub memoryUtilization: i32,
    pub utilizationExtend: *mut aclrtUtilizationExtendInfo,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtUtilizationInfo"][::core::mem::size_of::<aclrtUtilizationInfo>() - 24usize];
    ["Alignment of aclrtUtilizationInfo"][::core::mem::align_of::<aclrtUtilizationInfo>() - 8usize];
    ["Offset of field: aclrtUtilizationInfo::cubeUtilization"]
        [::core::mem::offset_of!(aclrtUtilizationInfo, cubeUtilization) - 0usize];
    ["Offset of field: aclrtUtilizationInfo::vectorUtilization"]
        [::core::mem::offset_of!(aclrtUtilizationInfo, vectorUtilization) - 4usize];
    ["Offset of field: aclrtUtilizationInfo::aicpuUtilization"]
        [::core::mem::offset_of!(aclrtUtilizationInfo, aicpuUtilization) - 8usize];
    ["Offset of field: aclrtUtilizationInfo::memoryUtilization"]
        [::core::mem::offset_of!(aclrtUtilizationInfo, memoryUtilization) - 12usize];
    ["Offset of field: aclrtUtilizationInfo::utilizationExtend"]
        [::core::mem::offset_of!(aclrtUtilizationInfo, utilizationExtend) - 16usize];
};
impl Default for aclrtUtilizationInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of dim3"][::core::mem::size_of::<dim3>() - 12usize];
    ["Alignment of dim3"][::core::mem::align_of::<dim3>() - 4usize];
    ["Offset of field: dim3::x"][::core::mem::offset_of!(dim3, x) - 0usize];
    ["Offset of field: dim3::y"][::core::mem::offset_of!(dim3, y) - 4usize];
    ["Offset of field: dim3::z"][::core::mem::offset_of!(dim3, z) - 8usize];
};
#[doc = " The allocator of the program."]
pub type aclrtAllocator = *mut ::core::ffi::c_void;
#[doc = " An address that the allocator should try."]
pub type aclrtAllocatorAddr = *mut ::core::ffi::c_void;
pub type aclrtAllocatorAllocAdviseFunc = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: aclrtAllocator,
        arg2: usize,
        arg3: aclrtAllocatorAddr,
    ) -> *mut ::core::ffi::c_void,
>;
pub type aclrtAllocatorAllocFunc = ::core::option::Option<
    unsafe extern "C" fn(arg1: aclrtAllocator, arg2: usize) -> *mut ::core::ffi::c_void,
>;
#[doc = " Allocator's handle of a piece of memory."]
pub type aclrtAllocatorBlock = *mut ::core::ffi::c_void;
#[doc = " An allocator as the runtime knows it."]
pub type aclrtAllocatorDesc = *mut ::core::ffi::c_void;
pub type aclrtAllocatorFreeFunc =
    ::core::option::Option<unsafe extern "C" fn(arg1: aclrtAllocator, arg2: aclrtAllocatorBlock)>;
pub type aclrtAllocatorGetAddrFromBlockFunc =
    ::core::option::Option<unsafe extern "C" fn(arg1: aclrtAllocatorBlock) -> *mut ::core::ffi::c_void>;
#[doc = " A pool of device memory."]
pub type aclrtMemPool = *mut ::core::ffi::c_void;
pub const ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES: aclrtMemPoolAttr = 1;
pub const ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC: aclrtMemPoolAttr = 2;
pub const ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES: aclrtMemPoolAttr = 3;
pub const ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD: aclrtMemPoolAttr = 4;
pub const ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT: aclrtMemPoolAttr = 5;
pub const ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH: aclrtMemPoolAttr = 6;
pub const ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT: aclrtMemPoolAttr = 7;
pub const ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH: aclrtMemPoolAttr = 8;
#[doc = " Attributes of a pool. The sizes are in bytes and uint64_t, the others int32_t."]
pub type aclrtMemPoolAttr = u32;
#[doc = " Properties of a pool; a limit of 0 means none."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclrtMemPoolProps {
    pub allocType: aclrtMemAllocationType,
    pub handleType: aclrtMemHandleType,
    pub location: aclrtMemLocation,
    pub maxSize: usize,
    pub reserved: [::core::ffi::c_uchar; 32usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclrtMemPoolProps"][::core::mem::size_of::<aclrtMemPoolProps>() - 56usize];
    ["Alignment of aclrtMemPoolProps"][::core::mem::align_of::<aclrtMemPoolProps>() - 8usize];
    ["Offset of field: aclrtMemPoolProps::allocType"]
        [::core::mem::offset_of!(aclrtMemPoolProps, allocType) - 0usize];
    ["Offset of field: aclrtMemPoolProps::handleType"]
        [::core::mem::offset_of!(aclrtMemPoolProps, handleType) - 4usize];
    ["Offset of field: aclrtMemPoolProps::location"]
        [::core::mem::offset_of!(aclrtMemPoolProps, location) - 8usize];
    ["Offset of field: aclrtMemPoolProps::maxSize"]
        [::core::mem::offset_of!(aclrtMemPoolProps, maxSize) - 16usize];
    ["Offset of field: aclrtMemPoolProps::reserved"]
        [::core::mem::offset_of!(aclrtMemPoolProps, reserved) - 24usize];
};
impl Default for aclrtMemPoolProps {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const ACL_PLATFORM_CORE_TYPE_AI_CORE: aclplatformCoreType = 0;
pub const ACL_PLATFORM_CORE_TYPE_VECTOR_CORE: aclplatformCoreType = 1;
pub type aclplatformCoreType = u32;
pub const ACL_PLATFORM_AICORE_CNT: aclplatformDevInfo = 0;
pub const ACL_PLATFORM_AICORE_UB_SIZE: aclplatformDevInfo = 1;
pub const ACL_PLATFORM_CUBE_CORE_CNT: aclplatformDevInfo = 2;
pub const ACL_PLATFORM_VECTOR_CORE_CNT: aclplatformDevInfo = 3;
pub const ACL_PLATFORM_L2_SIZE: aclplatformDevInfo = 4;
pub const ACL_PLATFORM_MEMORY_SIZE: aclplatformDevInfo = 5;
pub const ACL_PLATFORM_CUBE_FREQ: aclplatformDevInfo = 6;
pub const ACL_PLATFORM_VEC_FREQ: aclplatformDevInfo = 7;
pub const ACL_PLATFORM_BT_SIZE: aclplatformDevInfo = 8;
pub const ACL_PLATFORM_L0_A_SIZE: aclplatformDevInfo = 9;
pub const ACL_PLATFORM_L0_B_SIZE: aclplatformDevInfo = 10;
pub const ACL_PLATFORM_L0_C_SIZE: aclplatformDevInfo = 11;
pub const ACL_PLATFORM_L1_SIZE: aclplatformDevInfo = 12;
pub const ACL_PLATFORM_SOC_VERSION: aclplatformDevInfo = 13;
pub const ACL_PLATFORM_AIC_VERSION: aclplatformDevInfo = 14;
pub const ACL_PLATFORM_NPU_ARCH: aclplatformDevInfo = 15;
pub const ACL_PLATFORM_MEMORY_TYPE: aclplatformDevInfo = 16;
#[doc = " Facts of the chip."]
pub type aclplatformDevInfo = u32;
pub const L0_A: aclplatformLocalMemType = 0;
pub const L0_B: aclplatformLocalMemType = 1;
pub const L0_C: aclplatformLocalMemType = 2;
pub const L1: aclplatformLocalMemType = 3;
pub const L2: aclplatformLocalMemType = 4;
pub const UB: aclplatformLocalMemType = 5;
pub const HBM: aclplatformLocalMemType = 6;
pub type aclplatformLocalMemType = u32;
pub const DAV_1001: aclplatformNpuArch = 1001;
pub const DAV_1002: aclplatformNpuArch = 1002;
pub const DAV_1003: aclplatformNpuArch = 1003;
pub const DAV_1004: aclplatformNpuArch = 1004;
pub const DAV_1999: aclplatformNpuArch = 1999;
pub const DAV_2002: aclplatformNpuArch = 2002;
pub const DAV_2003: aclplatformNpuArch = 2003;
pub const DAV_2004: aclplatformNpuArch = 2004;
pub const DAV_2006: aclplatformNpuArch = 2006;
pub const DAV_2102: aclplatformNpuArch = 2102;
pub const DAV_2103: aclplatformNpuArch = 2103;
pub const DAV_2104: aclplatformNpuArch = 2104;
pub const DAV_2201: aclplatformNpuArch = 2201;
pub const DAV_3002: aclplatformNpuArch = 3002;
pub const DAV_3003: aclplatformNpuArch = 3003;
pub const DAV_3004: aclplatformNpuArch = 3004;
pub const DAV_3102: aclplatformNpuArch = 3102;
pub const DAV_3103: aclplatformNpuArch = 3103;
pub const DAV_3113: aclplatformNpuArch = 3113;
pub const DAV_3502: aclplatformNpuArch = 3502;
pub const DAV_3505: aclplatformNpuArch = 3505;
pub const DAV_3510: aclplatformNpuArch = 3510;
pub const DAV_3801: aclplatformNpuArch = 3801;
pub const DAV_5101: aclplatformNpuArch = 5101;
pub const DAV_5102: aclplatformNpuArch = 5102;
pub const DAV_5161: aclplatformNpuArch = 5161;
pub const DAV_9201: aclplatformNpuArch = 9201;
pub const DAV_9202: aclplatformNpuArch = 9202;
pub const DAV_9301: aclplatformNpuArch = 9301;
pub const DAV_RESV: aclplatformNpuArch = 65535;
pub const DAV_5162: aclplatformNpuArch = 5162;
#[doc = " Architectures of the cores."]
pub type aclplatformNpuArch = u32;
pub const ACL_DIM_ENDPOINTS: i32 = 2;
pub const ACL_MAX_DIM_CNT: i32 = 128;
pub const ACL_MAX_TENSOR_NAME_LEN: i32 = 128;
pub const ACL_MAX_BATCH_NUM: i32 = 128;
pub const ACL_MAX_HW_NUM: i32 = 128;
pub const ACL_MAX_SHAPE_COUNT: i32 = 128;
pub const ACL_INVALID_NODE_INDEX: u32 = 4294967295;
pub const ACL_MDL_LOAD_FROM_FILE: i32 = 1;
pub const ACL_MDL_LOAD_FROM_FILE_WITH_MEM: i32 = 2;
pub const ACL_MDL_LOAD_FROM_MEM: i32 = 3;
pub const ACL_MDL_LOAD_FROM_MEM_WITH_MEM: i32 = 4;
pub const ACL_MDL_LOAD_FROM_FILE_WITH_Q: i32 = 5;
pub const ACL_MDL_LOAD_FROM_MEM_WITH_Q: i32 = 6;
pub const ACL_WORKSPACE_MEM_OPTIMIZE_DEFAULT: i32 = 0;
pub const ACL_WORKSPACE_MEM_OPTIMIZE_INPUTOUTPUT: i32 = 1;
pub const ACL_MODEL_STREAM_FLAG_HEAD: u32 = 0;
pub const ACL_MODEL_STREAM_FLAG_DEFAULT: u32 = 2147483647;
#[doc = " Settings of the preprocessing of an image."]
#[repr(C)]
#[derive(Debug)]
pub struct aclmdlAIPP {
    _unused: [u8; 0],
}
#[doc = " Contents of a file with several models."]
#[repr(C)]
#[derive(Debug)]
pub struct aclmdlBundleQueryInfo {
    _unused: [u8; 0],
}
#[doc = " Options of loading a model."]
#[repr(C)]
#[derive(Debug)]
pub struct aclmdlConfigHandle {
    _unused: [u8; 0],
}
#[doc = " The inputs or the outputs of a model; it does not own the buffers."]
#[repr(C)]
#[derive(Debug)]
pub struct aclmdlDataset {
    _unused: [u8; 0],
}
#[doc = " The description of a loaded model."]
#[repr(C)]
#[derive(Debug)]
pub struct aclmdlDesc {
    _unused: [u8; 0],
}
#[doc = " Options of executing a model."]
#[repr(C)]
#[derive(Debug)]
pub struct aclmdlExecConfigHandle {
    _unused: [u8; 0],
}
#[doc = " Reserved; always NULL."]
#[repr(C)]
#[derive(Debug)]
pub struct aclAippExtendInfo {
    _unused: [u8; 0],
}
pub const ACL_YUV420SP_U8: aclAippInputFormat = 1;
pub const ACL_XRGB8888_U8: aclAippInputFormat = 2;
pub const ACL_RGB888_U8: aclAippInputFormat = 3;
pub const ACL_YUV400_U8: aclAippInputFormat = 4;
pub const ACL_NC1HWC0DI_FP16: aclAippInputFormat = 5;
pub const ACL_NC1HWC0DI_S8: aclAippInputFormat = 6;
pub const ACL_ARGB8888_U8: aclAippInputFormat = 7;
pub const ACL_YUYV_U8: aclAippInputFormat = 8;
pub const ACL_YUV422SP_U8: aclAippInputFormat = 9;
pub const ACL_AYUV444_U8: aclAippInputFormat = 10;
pub const ACL_RAW10: aclAippInputFormat = 11;
pub const ACL_RAW12: aclAippInputFormat = 12;
pub const ACL_RAW16: aclAippInputFormat = 13;
pub const ACL_RAW24: aclAippInputFormat = 14;
pub const ACL_AIPP_RESERVED: aclAippInputFormat = 65535;
pub type aclAippInputFormat = u32;
pub const ACL_MDL_PRIORITY_INT32: aclmdlConfigAttr = 0;
pub const ACL_MDL_LOAD_TYPE_SIZET: aclmdlConfigAttr = 1;
pub const ACL_MDL_PATH_PTR: aclmdlConfigAttr = 2;
pub const ACL_MDL_MEM_ADDR_PTR: aclmdlConfigAttr = 3;
pub const ACL_MDL_MEM_SIZET: aclmdlConfigAttr = 4;
pub const ACL_MDL_WEIGHT_ADDR_PTR: aclmdlConfigAttr = 5;
pub const ACL_MDL_WEIGHT_SIZET: aclmdlConfigAttr = 6;
pub const ACL_MDL_WORKSPACE_ADDR_PTR: aclmdlConfigAttr = 7;
pub const ACL_MDL_WORKSPACE_SIZET: aclmdlConfigAttr = 8;
pub const ACL_MDL_INPUTQ_NUM_SIZET: aclmdlConfigAttr = 9;
pub const ACL_MDL_INPUTQ_ADDR_PTR: aclmdlConfigAttr = 10;
pub const ACL_MDL_OUTPUTQ_NUM_SIZET: aclmdlConfigAttr = 11;
pub const ACL_MDL_OUTPUTQ_ADDR_PTR: aclmdlConfigAttr = 12;
pub const ACL_MDL_WORKSPACE_MEM_OPTIMIZE: aclmdlConfigAttr = 13;
pub const ACL_MDL_WEIGHT_PATH_PTR: aclmdlConfigAttr = 14;
pub const ACL_MDL_MODEL_DESC_PTR: aclmdlConfigAttr = 15;
pub const ACL_MDL_MODEL_DESC_SIZET: aclmdlConfigAttr = 16;
pub const ACL_MDL_KERNEL_PTR: aclmdlConfigAttr = 17;
pub const ACL_MDL_KERNEL_SIZET: aclmdlConfigAttr = 18;
pub const ACL_MDL_KERNEL_ARGS_PTR: aclmdlConfigAttr = 19;
pub const ACL_MDL_KERNEL_ARGS_SIZET: aclmdlConfigAttr = 20;
pub const ACL_MDL_STATIC_TASK_PTR: aclmdlConfigAttr = 21;
pub const ACL_MDL_STATIC_TASK_SIZET: aclmdlConfigAttr = 22;
pub const ACL_MDL_DYNAMIC_TASK_PTR: aclmdlConfigAttr = 23;
pub const ACL_MDL_DYNAMIC_TASK_SIZET: aclmdlConfigAttr = 24;
pub const ACL_MDL_MEM_MALLOC_POLICY_SIZET: aclmdlConfigAttr = 25;
pub const ACL_MDL_FIFO_PTR: aclmdlConfigAttr = 26;
pub const ACL_MDL_FIFO_SIZET: aclmdlConfigAttr = 27;
pub const ACL_MDL_WITHOUT_GRAPH_INT32: aclmdlConfigAttr = 28;
pub type aclmdlConfigAttr = u32;
pub const ACL_MDL_STREAM_SYNC_TIMEOUT: aclmdlExecConfigAttr = 0;
pub const ACL_MDL_EVENT_SYNC_TIMEOUT: aclmdlExecConfigAttr = 1;
pub const ACL_MDL_WORK_ADDR_PTR: aclmdlExecConfigAttr = 2;
pub const ACL_MDL_WORK_SIZET: aclmdlExecConfigAttr = 3;
pub const ACL_MDL_MPAIMID_SIZET: aclmdlExecConfigAttr = 4;
pub const ACL_MDL_AICQOS_SIZET: aclmdlExecConfigAttr = 5;
pub const ACL_MDL_AICOST_SIZET: aclmdlExecConfigAttr = 6;
pub const ACL_MDL_MEC_TIMETHR_SIZET: aclmdlExecConfigAttr = 7;
pub type aclmdlExecConfigAttr = u32;
pub const ACL_DATA_WITHOUT_AIPP: aclmdlInputAippType = 0;
pub const ACL_DATA_WITH_STATIC_AIPP: aclmdlInputAippType = 1;
pub const ACL_DATA_WITH_DYNAMIC_AIPP: aclmdlInputAippType = 2;
pub const ACL_DYNAMIC_AIPP_NODE: aclmdlInputAippType = 3;
pub type aclmdlInputAippType = u32;
#[doc = " Name and dimensions of an input or output."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlIODims {
    pub name: [::core::ffi::c_char; 128usize],
    pub dimCount: usize,
    pub dims: [i64; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlIODims"][::core::mem::size_of::<aclmdlIODims>() - 1160usize];
    ["Alignment of aclmdlIODims"][::core::mem::align_of::<aclmdlIODims>() - 8usize];
    ["Offset of field: aclmdlIODims::name"][::core::mem::offset_of!(aclmdlIODims, name) - 0usize];
    ["Offset of field: aclmdlIODims::dimCount"][::core::mem::offset_of!(aclmdlIODims, dimCount) - 128usize];
    ["Offset of field: aclmdlIODims::dims"][::core::mem::offset_of!(aclmdlIODims, dims) - 136usize];
};
impl Default for aclmdlIODims {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclAippDims {
    pub srcDims: aclmdlIODims,
    pub srcSize: usize,
    pub aippOutdims: aclmdlIODims,
    pub aippOutSize: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclAippDims"][::core::mem::size_of::<aclAippDims>() - 2336usize];
    ["Alignment of aclAippDims"][::core::mem::align_of::<aclAippDims>() - 8usize];
    ["Offset of field: aclAippDims::srcDims"][::core::mem::offset_of!(aclAippDims, srcDims) - 0usize];
    ["Offset of field: aclAippDims::srcSize"][::core::mem::offset_of!(aclAippDims, srcSize) - 1160usize];
    ["Offset of field: aclAippDims::aippOutdims"]
        [::core::mem::offset_of!(aclAippDims, aippOutdims) - 1168usize];
    ["Offset of field: aclAippDims::aippOutSize"]
        [::core::mem::offset_of!(aclAippDims, aippOutSize) - 2328usize];
};
impl Default for aclAippDims {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Settings of the first preprocessing of an input."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclAippInfo {
    pub inputFormat: aclAippInputFormat,
    pub srcImageSizeW: i32,
    pub srcImageSizeH: i32,
    pub cropSwitch: i8,
    pub loadStartPosW: i32,
    pub loadStartPosH: i32,
    pub cropSizeW: i32,
    pub cropSizeH: i32,
    pub resizeSwitch: i8,
    pub resizeOutputW: i32,
    pub resizeOutputH: i32,
    pub paddingSwitch: i8,
    pub leftPaddingSize: i32,
    pub rightPaddingSize: i32,
    pub topPaddingSize: i32,
    pub bottomPaddingSize: i32,
    pub cscSwitch: i8,
    pub rbuvSwapSwitch: i8,
    pub axSwapSwitch: i8,
    pub singleLineMode: i8,
    pub matrixR0C0: i32,
    pub matrixR0C1: i32,
    pub matrixR0C2: i32,
    pub matrixR1C0: i32,
    pub matrixR1C1: i32,
    pub matrixR1C2: i32,
    pub matrixR2C0: i32,
    pub matrixR2C1: i32,
    pub matrixR2C2: i32,
    pub outputBias0: i32,
    pub outputBias1: i32,
    pub outputBias2: i32,
    pub inputBias0: i32,
    pub inputBias1: i32,
    pub inputBias2: i32,
    pub meanChn0: i32,
    pub meanChn1: i32,
    pub meanChn2: i32,
    pub meanChn3: i32,
    pub minChn0: f32,
    pub minChn1: f32,
    pub minChn2: f32,
    pub minChn3: f32,
    pub varReciChn0: f32,
    pub varReciChn1: f32,
    pub varReciChn2: f32,
    pub varReciChn3: f32,
    pub srcFormat: aclFormat,
    pub srcDatatype: aclDataType,
    pub srcDimNum: usize,
    pub shapeCount: usize,
    pub outDims: [aclAippDims; 128usize],
    pub aippExtend: *mut aclAippExtendInfo,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclAippInfo"][::core::mem::size_of::<aclAippInfo>() - 299216usize];
    ["Alignment of aclAippInfo"][::core::mem::align_of::<aclAippInfo>() - 8usize];
    ["Offset of field: aclAippInfo::inputFormat"][::core::mem::offset_of!(aclAippInfo, inputFormat) - 0usize];
    ["Offset of field: aclAippInfo::srcImageSizeW"]
        [::core::mem::offset_of!(aclAippInfo, srcImageSizeW) - 4usize];
    ["Offset of field: aclAippInfo::srcImageSizeH"]
        [::core::mem::offset_of!(aclAippInfo, srcImageSizeH) - 8usize];
    ["Offset of field: aclAippInfo::cropSwitch"][::core::mem::offset_of!(aclAippInfo, cropSwitch) - 12usize];
    ["Offset of field: aclAippInfo::loadStartPosW"]
        [::core::mem::offset_of!(aclAippInfo, loadStartPosW) - 16usize];
    ["Offset of field: aclAippInfo::loadStartPosH"]
        [::core::mem::offset_of!(aclAippInfo, loadStartPosH) - 20usize];
    ["Offset of field: aclAippInfo::cropSizeW"][::core::mem::offset_of!(aclAippInfo, cropSizeW) - 24usize];
    ["Offset of field: aclAippInfo::cropSizeH"][::core::mem::offset_of!(aclAippInfo, cropSizeH) - 28usize];
    ["Offset of field: aclAippInfo::resizeSwitch"]
        [::core::mem::offset_of!(aclAippInfo, resizeSwitch) - 32usize];
    ["Offset of field: aclAippInfo::resizeOutputW"]
        [::core::mem::offset_of!(aclAippInfo, resizeOutputW) - 36usize];
    ["Offset of field: aclAippInfo::resizeOutputH"]
        [::core::mem::offset_of!(aclAippInfo, resizeOutputH) - 40usize];
    ["Offset of field: aclAippInfo::paddingSwitch"]
        [::core::mem::offset_of!(aclAippInfo, paddingSwitch) - 44usize];
    ["Offset of field: aclAippInfo::leftPaddingSize"]
        [::core::mem::offset_of!(aclAippInfo, leftPaddingSize) - 48usize];
    ["Offset of field: aclAippInfo::rightPaddingSize"]
        [::core::mem::offset_of!(aclAippInfo, rightPaddingSize) - 52usize];
    ["Offset of field: aclAippInfo::topPaddingSize"]
        [::core::mem::offset_of!(aclAippInfo, topPaddingSize) - 56usize];
    ["Offset of field: aclAippInfo::bottomPaddingSize"]
        [::core::mem::offset_of!(aclAippInfo, bottomPaddingSize) - 60usize];
    ["Offset of field: aclAippInfo::cscSwitch"][::core::mem::offset_of!(aclAippInfo, cscSwitch) - 64usize];
    ["Offset of field: aclAippInfo::rbuvSwapSwitch"]
        [::core::mem::offset_of!(aclAippInfo, rbuvSwapSwitch) - 65usize];
    ["Offset of field: aclAippInfo::axSwapSwitch"]
        [::core::mem::offset_of!(aclAippInfo, axSwapSwitch) - 66usize];
    ["Offset of field: aclAippInfo::singleLineMode"]
        [::core::mem::offset_of!(aclAippInfo, singleLineMode) - 67usize];
    ["Offset of field: aclAippInfo::matrixR0C0"][::core::mem::offset_of!(aclAippInfo, matrixR0C0) - 68usize];
    ["Offset of field: aclAippInfo::matrixR0C1"][::core::mem::offset_of!(aclAippInfo, matrixR0C1) - 72usize];
    ["Offset of field: aclAippInfo::matrixR0C2"][::core::mem::offset_of!(aclAippInfo, matrixR0C2) - 76usize];
    ["Offset of field: aclAippInfo::matrixR1C0"][::core::mem::offset_of!(aclAippInfo, matrixR1C0) - 80usize];
    ["Offset of field: aclAippInfo::matrixR1C1"][::core::mem::offset_of!(aclAippInfo, matrixR1C1) - 84usize];
    ["Offset of field: aclAippInfo::matrixR1C2"][::core::mem::offset_of!(aclAippInfo, matrixR1C2) - 88usize];
    ["Offset of field: aclAippInfo::matrixR2C0"][::core::mem::offset_of!(aclAippInfo, matrixR2C0) - 92usize];
    ["Offset of field: aclAippInfo::matrixR2C1"][::core::mem::offset_of!(aclAippInfo, matrixR2C1) - 96usize];
    ["Offset of field: aclAippInfo::matrixR2C2"][::core::mem::offset_of!(aclAippInfo, matrixR2C2) - 100usize];
    ["Offset of field: aclAippInfo::outputBias0"]
        [::core::mem::offset_of!(aclAippInfo, outputBias0) - 104usize];
    ["Offset of field: aclAippInfo::outputBias1"]
        [::core::mem::offset_of!(aclAippInfo, outputBias1) - 108usize];
    ["Offset of field: aclAippInfo::outputBias2"]
        [::core::mem::offset_of!(aclAippInfo, outputBias2) - 112usize];
    ["Offset of field: aclAippInfo::inputBias0"][::core::mem::offset_of!(aclAippInfo, inputBias0) - 116usize];
    ["Offset of field: aclAippInfo::inputBias1"][::core::mem::offset_of!(aclAippInfo, inputBias1) - 120usize];
    ["Offset of field: aclAippInfo::inputBias2"][::core::mem::offset_of!(aclAippInfo, inputBias2) - 124usize];
    ["Offset of field: aclAippInfo::meanChn0"][::core::mem::offset_of!(aclAippInfo, meanChn0) - 128usize];
    ["Offset of field: aclAippInfo::meanChn1"][::core::mem::offset_of!(aclAippInfo, meanChn1) - 132usize];
    ["Offset of field: aclAippInfo::meanChn2"][::core::mem::offset_of!(aclAippInfo, meanChn2) - 136usize];
    ["Offset of field: aclAippInfo::meanChn3"][::core::mem::offset_of!(aclAippInfo, meanChn3) - 140usize];
    ["Offset of field: aclAippInfo::minChn0"][::core::mem::offset_of!(aclAippInfo, minChn0) - 144usize];
    ["Offset of field: aclAippInfo::minChn1"][::core::mem::offset_of!(aclAippInfo, minChn1) - 148usize];
    ["Offset of field: aclAippInfo::minChn2"][::core::mem::offset_of!(aclAippInfo, minChn2) - 152usize];
    ["Offset of field: aclAippInfo::minChn3"][::core::mem::offset_of!(aclAippInfo, minChn3) - 156usize];
    ["Offset of field: aclAippInfo::varReciChn0"]
        [::core::mem::offset_of!(aclAippInfo, varReciChn0) - 160usize];
    ["Offset of field: aclAippInfo::varReciChn1"]
        [::core::mem::offset_of!(aclAippInfo, varReciChn1) - 164usize];
    ["Offset of field: aclAippInfo::varReciChn2"]
        [::core::mem::offset_of!(aclAippInfo, varReciChn2) - 168usize];
    ["Offset of field: aclAippInfo::varReciChn3"]
        [::core::mem::offset_of!(aclAippInfo, varReciChn3) - 172usize];
    ["Offset of field: aclAippInfo::srcFormat"][::core::mem::offset_of!(aclAippInfo, srcFormat) - 176usize];
    ["Offset of field: aclAippInfo::srcDatatype"]
        [::core::mem::offset_of!(aclAippInfo, srcDatatype) - 180usize];
    ["Offset of field: aclAippInfo::srcDimNum"][::core::mem::offset_of!(aclAippInfo, srcDimNum) - 184usize];
    ["Offset of field: aclAippInfo::shapeCount"][::core::mem::offset_of!(aclAippInfo, shapeCount) - 192usize];
    ["Offset of field: aclAippInfo::outDims"][::core::mem::offset_of!(aclAippInfo, outDims) - 200usize];
    ["Offset of field: aclAippInfo::aippExtend"]
        [::core::mem::offset_of!(aclAippInfo, aippExtend) - 299208usize];
};
impl Default for aclAippInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Batch sizes that a model takes."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlBatch {
    pub batchCount: usize,
    pub batch: [u64; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlBatch"][::core::mem::size_of::<aclmdlBatch>() - 1032usize];
    ["Alignment of aclmdlBatch"][::core::mem::align_of::<aclmdlBatch>() - 8usize];
    ["Offset of field: aclmdlBatch::batchCount"][::core::mem::offset_of!(aclmdlBatch, batchCount) - 0usize];
    ["Offset of field: aclmdlBatch::batch"][::core::mem::offset_of!(aclmdlBatch, batch) - 8usize];
};
impl Default for aclmdlBatch {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclmdlExeOMDesc {
    pub workSize: usize,
    pub weightSize: usize,
    pub modelDescSize: usize,
    pub kernelSize: usize,
    pub kernelArgsSize: usize,
    pub staticTaskSize: usize,
    pub dynamicTaskSize: usize,
    pub fifoTaskSize: usize,
    pub reserved: [usize; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlExeOMDesc"][::core::mem::size_of::<aclmdlExeOMDesc>() - 128usize];
    ["Alignment of aclmdlExeOMDesc"][::core::mem::align_of::<aclmdlExeOMDesc>() - 8usize];
    ["Offset of field: aclmdlExeOMDesc::workSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, workSize) - 0usize];
    ["Offset of field: aclmdlExeOMDesc::weightSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, weightSize) - 8usize];
    ["Offset of field: aclmdlExeOMDesc::modelDescSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, modelDescSize) - 16usize];
    ["Offset of field: aclmdlExeOMDesc::kernelSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, kernelSize) - 24usize];
    ["Offset of field: aclmdlExeOMDesc::kernelArgsSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, kernelArgsSize) - 32usize];
    ["Offset of field: aclmdlExeOMDesc::staticTaskSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, staticTaskSize) - 40usize];
    ["Offset of field: aclmdlExeOMDesc::dynamicTaskSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, dynamicTaskSize) - 48usize];
    ["Offset of field: aclmdlExeOMDesc::fifoTaskSize"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, fifoTaskSize) - 56usize];
    ["Offset of field: aclmdlExeOMDesc::reserved"]
        [::core::mem::offset_of!(aclmdlExeOMDesc, reserved) - 64usize];
};
#[doc = " Heights and widths that a model takes."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlHW {
    pub hwCount: usize,
    pub hw: [[u64; 2usize]; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlHW"][::core::mem::size_of::<aclmdlHW>() - 2056usize];
    ["Alignment of aclmdlHW"][::core::mem::align_of::<aclmdlHW>() - 8usize];
    ["Offset of field: aclmdlHW::hwCount"][::core::mem::offset_of!(aclmdlHW, hwCount) - 0usize];
    ["Offset of field: aclmdlHW::hw"][::core::mem::offset_of!(aclmdlHW, hw) - 8usize];
};
impl Default for aclmdlHW {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclmdlIODimsRange {
    pub rangeCount: usize,
    pub range: [[i64; 2usize]; 128usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclmdlIODimsRange"][::core::mem::size_of::<aclmdlIODimsRange>() - 2056usize];
    ["Alignment of aclmdlIODimsRange"][::core::mem::align_of::<aclmdlIODimsRange>() - 8usize];
    ["Offset of field: aclmdlIODimsRange::rangeCount"]
        [::core::mem::offset_of!(aclmdlIODimsRange, rangeCount) - 0usize];
    ["Offset of field: aclmdlIODimsRange::range"][::core::mem::offset_of!(aclmdlIODimsRange, range) - 8usize];
};
impl Default for aclmdlIODimsRange {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const ACL_COMPILE_FLAG_BIN_SELECTOR: i32 = 1;
#[doc = " Attributes of an operator."]
#[repr(C)]
#[derive(Debug)]
pub struct aclopAttr {
    _unused: [u8; 0],
}
#[doc = " An operator that was chosen once and is executed often."]
#[repr(C)]
#[derive(Debug)]
pub struct aclopHandle {
    _unused: [u8; 0],
}
#[doc = " The kernel that a compile function chose."]
#[repr(C)]
#[derive(Debug)]
pub struct aclopKernelDesc {
    _unused: [u8; 0],
}
#[doc = " Releases the bytes of a kernel."]
pub type aclDataDeallocator =
    ::core::option::Option<unsafe extern "C" fn(arg1: *mut ::core::ffi::c_void, arg2: usize)>;
#[doc = " Chooses the kernel of an operator."]
pub type aclopCompileFunc = ::core::option::Option<
    unsafe extern "C" fn(
        arg1: ::core::ffi::c_int,
        arg2: *const *const aclTensorDesc,
        arg3: ::core::ffi::c_int,
        arg4: *const *const aclTensorDesc,
        arg5: *const aclopAttr,
        arg6: *mut aclopKernelDesc,
    ) -> aclError,
>;
pub const ACL_ENGINE_SYS: aclopEngineType = 0;
pub const ACL_ENGINE_AICORE: aclopEngineType = 1;
pub const ACL_ENGINE_VECTOR: aclopEngineType = 2;
pub type aclopEngineType = u32;
#[repr(C)]
#[derive(Debug)]
pub struct aclGraphDumpOption {
    _unused: [u8; 0],
}
pub const ACL_PRECISION_MODE: aclCompileOpt = 0;
pub const ACL_AICORE_NUM: aclCompileOpt = 1;
pub const ACL_AUTO_TUNE_MODE: aclCompileOpt = 2;
pub const ACL_OP_SELECT_IMPL_MODE: aclCompileOpt = 3;
pub const ACL_OPTYPELIST_FOR_IMPLMODE: aclCompileOpt = 4;
pub const ACL_OP_DEBUG_LEVEL: aclCompileOpt = 5;
pub const ACL_DEBUG_DIR: aclCompileOpt = 6;
pub const ACL_OP_COMPILER_CACHE_MODE: aclCompileOpt = 7;
pub const ACL_OP_COMPILER_CACHE_DIR: aclCompileOpt = 8;
pub const ACL_OP_PERFORMANCE_MODE: aclCompileOpt = 9;
pub const ACL_OP_JIT_COMPILE: aclCompileOpt = 10;
pub const ACL_OP_DETERMINISTIC: aclCompileOpt = 11;
pub const ACL_CUSTOMIZE_DTYPES: aclCompileOpt = 12;
pub const ACL_OP_PRECISION_MODE: aclCompileOpt = 13;
pub const ACL_ALLOW_HF32: aclCompileOpt = 14;
pub const ACL_PRECISION_MODE_V2: aclCompileOpt = 15;
pub const ACL_OP_DEBUG_OPTION: aclCompileOpt = 16;
pub type aclCompileOpt = u32;
pub const ACL_OP_COMPILE_DEFAULT: aclOpCompileFlag = 0;
pub const ACL_OP_COMPILE_FUZZ: aclOpCompileFlag = 1;
pub type aclOpCompileFlag = u32;
pub const ACL_COMPILE_SYS: aclopCompileType = 0;
pub const ACL_COMPILE_UNREGISTERED: aclopCompileType = 1;
pub type aclopCompileType = u32;
pub const ACL_PROF_ACL_API: u64 = 1;
pub const ACL_PROF_TASK_TIME: u64 = 2;
pub const ACL_PROF_AICORE_METRICS: u64 = 4;
pub const ACL_PROF_AICPU: u64 = 8;
pub const ACL_PROF_L2CACHE: u64 = 16;
pub const ACL_PROF_HCCL_TRACE: u64 = 32;
pub const ACL_PROF_TRAINING_TRACE: u64 = 64;
pub const ACL_PROF_MSPROFTX: u64 = 128;
pub const ACL_PROF_RUNTIME_API: u64 = 256;
pub const ACL_PROF_GE_API_L0: u64 = 512;
pub const ACL_PROF_TASK_TIME_L0: u64 = 2048;
pub const ACL_PROF_TASK_MEMORY: u64 = 4096;
pub const ACL_PROF_GE_API_L1: u64 = 16777216;
pub const ACL_PROF_TASK_TIME_L2: u64 = 8192;
pub const ACL_PROF_OP_ATTR: u64 = 16384;
pub const ACL_PROF_TASK_TIME_L3: u64 = 32768;
pub const ACL_PROF_API_STATS: u64 = 17179869184;
pub const ACL_PROF_MAX_OP_NAME_LEN: i32 = 257;
pub const ACL_PROF_MAX_OP_TYPE_LEN: i32 = 65;
pub const ACL_PROF_TENSOR_DATA_SHAPE_LEN: i32 = 8;
pub const ACL_PROF_EVENT_ATTR_VERSION: i32 = 1;
pub const ACL_PROF_AICORE_SHAPE: u64 = 34359738368;
#[repr(C)]
#[derive(Debug)]
pub struct aclprofAicoreEvents {
    _unused: [u8; 0],
}
#[doc = " Selection of profiled data."]
#[repr(C)]
#[derive(Debug)]
pub struct aclprofConfig {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct aclprofStepInfo {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct aclprofSubscribeConfig {
    _unused: [u8; 0],
}
pub const ACL_AICORE_ARITHMETIC_UTILIZATION: aclprofAicoreMetrics = 0;
pub const ACL_AICORE_PIPE_UTILIZATION: aclprofAicoreMetrics = 1;
pub const ACL_AICORE_MEMORY_BANDWIDTH: aclprofAicoreMetrics = 2;
pub const ACL_AICORE_L0B_AND_WIDTH: aclprofAicoreMetrics = 3;
pub const ACL_AICORE_RESOURCE_CONFLICT_RATIO: aclprofAicoreMetrics = 4;
pub const ACL_AICORE_MEMORY_UB: aclprofAicoreMetrics = 5;
pub const ACL_AICORE_L2_CACHE: aclprofAicoreMetrics = 6;
pub const ACL_AICORE_PIPE_EXECUTE_UTILIZATION: aclprofAicoreMetrics = 7;
pub const ACL_AICORE_MEMORY_ACCESS: aclprofAicoreMetrics = 8;
pub const ACL_AICORE_NONE: aclprofAicoreMetrics = 255;
pub type aclprofAicoreMetrics = u32;
pub const ACL_PROF_ARGS_MIN: aclprofConfigType = 0;
pub const ACL_PROF_STORAGE_LIMIT: aclprofConfigType = 1;
pub const ACL_PROF_SYS_HARDWARE_MEM_FREQ: aclprofConfigType = 3;
pub const ACL_PROF_LLC_MODE: aclprofConfigType = 4;
pub const ACL_PROF_SYS_IO_FREQ: aclprofConfigType = 5;
pub const ACL_PROF_SYS_INTERCONNECTION_FREQ: aclprofConfigType = 6;
pub const ACL_PROF_DVPP_FREQ: aclprofConfigType = 7;
pub const ACL_PROF_HOST_SYS: aclprofConfigType = 8;
pub const ACL_PROF_HOST_SYS_USAGE: aclprofConfigType = 9;
pub const ACL_PROF_HOST_SYS_USAGE_FREQ: aclprofConfigType = 10;
pub const ACL_PROF_LOW_POWER_FREQ: aclprofConfigType = 11;
pub const ACL_PROF_SYS_MEM_SERVICEFLOW: aclprofConfigType = 12;
pub const ACL_PROF_SYS_CPU_FREQ: aclprofConfigType = 13;
pub const ACL_PROF_OPTYPE: aclprofConfigType = 14;
pub const ACL_PROF_NTS_METRICS: aclprofConfigType = 15;
pub const ACL_PROF_PATH: aclprofConfigType = 16;
pub const ACL_PROF_ARGS_MAX: aclprofConfigType = 17;
pub type aclprofConfigType = u32;
pub const ACL_PROF_MESSAGE_TYPE_TENSOR_INFO: aclprofMessageType = 0;
pub type aclprofMessageType = u32;
pub const ACL_STEP_START: aclprofStepTag = 0;
pub const ACL_STEP_END: aclprofStepTag = 1;
pub type aclprofStepTag = u32;
pub const ACL_SUBSCRIBE_ATTRI_THREADID: aclprofSubscribeOpAttri = 0;
pub const ACL_SUBSCRIBE_ATTRI_NONE: aclprofSubscribeOpAttri = 1;
pub type aclprofSubscribeOpAttri = u32;
pub const ACL_SUBSCRIBE_OP: aclprofSubscribeOpFlag = 0;
pub const ACL_SUBSCRIBE_SUBGRAPH: aclprofSubscribeOpFlag = 1;
pub const ACL_SUBSCRIBE_OP_THREAD: aclprofSubscribeOpFlag = 2;
pub const ACL_SUBSCRIBE_NONE: aclprofSubscribeOpFlag = 255;
pub type aclprofSubscribeOpFlag = u32;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclprofTensor {
    pub type_: u32,
    pub format: u32,
    pub dataType: u32,
    pub shapeDim: u32,
    pub shape: [u32; 8usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclprofTensor"][::core::mem::size_of::<aclprofTensor>() - 48usize];
    ["Alignment of aclprofTensor"][::core::mem::align_of::<aclprofTensor>() - 4usize];
    ["Offset of field: aclprofTensor::type_"][::core::mem::offset_of!(aclprofTensor, type_) - 0usize];
    ["Offset of field: aclprofTensor::format"][::core::mem::offset_of!(aclprofTensor, format) - 4usize];
    ["Offset of field: aclprofTensor::dataType"][::core::mem::offset_of!(aclprofTensor, dataType) - 8usize];
    ["Offset of field: aclprofTensor::shapeDim"][::core::mem::offset_of!(aclprofTensor, shapeDim) - 12usize];
    ["Offset of field: aclprofTensor::shape"][::core::mem::offset_of!(aclprofTensor, shape) - 16usize];
};
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclprofTensorInfo {
    pub opNameId: u64,
    pub opTypeId: u64,
    pub resv: u32,
    pub tensorNum: u32,
    pub kernelType: u32,
    pub blockNums: u32,
    pub stream: *mut ::core::ffi::c_void,
    pub tensors: *mut aclprofTensor,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclprofTensorInfo"][::core::mem::size_of::<aclprofTensorInfo>() - 48usize];
    ["Alignment of aclprofTensorInfo"][::core::mem::align_of::<aclprofTensorInfo>() - 8usize];
    ["Offset of field: aclprofTensorInfo::opNameId"]
        [::core::mem::offset_of!(aclprofTensorInfo, opNameId) - 0usize];
    ["Offset of field: aclprofTensorInfo::opTypeId"]
        [::core::mem::offset_of!(aclprofTensorInfo, opTypeId) - 8usize];
    ["Offset of field: aclprofTensorInfo::resv"][::core::mem::offset_of!(aclprofTensorInfo, resv) - 16usize];
    ["Offset of field: aclprofTensorInfo::tensorNum"]
        [::core::mem::offset_of!(aclprofTensorInfo, tensorNum) - 20usize];
    ["Offset of field: aclprofTensorInfo::kernelType"]
        [::core::mem::offset_of!(aclprofTensorInfo, kernelType) - 24usize];
    ["Offset of field: aclprofTensorInfo::blockNums"]
        [::core::mem::offset_of!(aclprofTensorInfo, blockNums) - 28usize];
    ["Offset of field: aclprofTensorInfo::stream"]
        [::core::mem::offset_of!(aclprofTensorInfo, stream) - 32usize];
    ["Offset of field: aclprofTensorInfo::tensors"]
        [::core::mem::offset_of!(aclprofTensorInfo, tensors) - 40usize];
};
impl Default for aclprofTensorInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " The message of an event, by its type; the one type that is defined is a tensor."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclprofMessage {
    pub tensorInfo: *mut aclprofTensorInfo,
    pub value: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclprofMessage"][::core::mem::size_of::<aclprofMessage>() - 8usize];
    ["Alignment of aclprofMessage"][::core::mem::align_of::<aclprofMessage>() - 8usize];
    ["Offset of field: aclprofMessage::tensorInfo"]
        [::core::mem::offset_of!(aclprofMessage, tensorInfo) - 0usize];
    ["Offset of field: aclprofMessage::value"][::core::mem::offset_of!(aclprofMessage, value) - 0usize];
};
impl Default for aclprofMessage {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclprofMessage {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclprofMessage {{ union }}")
    }
}
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclprofEventAttributes {
    pub version: u16,
    pub size: u16,
    pub messageType: u32,
    pub message: aclprofMessage,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclprofEventAttributes"][::core::mem::size_of::<aclprofEventAttributes>() - 16usize];
    ["Alignment of aclprofEventAttributes"][::core::mem::align_of::<aclprofEventAttributes>() - 8usize];
    ["Offset of field: aclprofEventAttributes::version"]
        [::core::mem::offset_of!(aclprofEventAttributes, version) - 0usize];
    ["Offset of field: aclprofEventAttributes::size"]
        [::core::mem::offset_of!(aclprofEventAttributes, size) - 2usize];
    ["Offset of field: aclprofEventAttributes::messageType"]
        [::core::mem::offset_of!(aclprofEventAttributes, messageType) - 4usize];
    ["Offset of field: aclprofEventAttributes::message"]
        [::core::mem::offset_of!(aclprofEventAttributes, message) - 8usize];
};
impl Default for aclprofEventAttributes {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclprofEventAttributes {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclprofEventAttributes {{ message: {:?} }}", self.message)
    }
}
pub const ACL_DUMP_MAX_FILE_PATH_LENGTH: i32 = 4096;
pub const ACL_OP_DUMP_OP_AICORE_ARGS: u32 = 1;
pub const ACL_DUMP_MAX_SHAPE_NUM: i32 = 25;
pub const ACL_DUMP_ADDR_PTR: acldumpTensorAddressType = 0;
pub const ACL_DUMP_ADDR_PTR_PTR: acldumpTensorAddressType = 1;
pub const ACL_DUMP_ADDR_RAW: acldumpTensorAddressType = 2;
pub type acldumpTensorAddressType = u32;
pub const ACL_DUMP_PLACEMENT_DEVICE: acldumpTensorPlacement = 0;
pub const ACL_DUMP_PLACEMENT_HOST: acldumpTensorPlacement = 1;
pub const ACL_DUMP_PLACEMENT_END: acldumpTensorPlacement = 2;
pub type acldumpTensorPlacement = u32;
pub const ACL_DUMP_TENSOR_INPUT: acldumpTensorType = 0;
pub const ACL_DUMP_TENSOR_OUTPUT: acldumpTensorType = 1;
pub const ACL_DUMP_TENSOR_WORKSPACE: acldumpTensorType = 2;
pub type acldumpTensorType = u32;
pub const AIC_ERR_BRIEF_DUMP: acldumpType = 1;
pub const AIC_ERR_NORM_DUMP: acldumpType = 2;
pub const AIC_ERR_DETAIL_DUMP: acldumpType = 3;
pub const DATA_DUMP: acldumpType = 4;
pub const OVERFLOW_DUMP: acldumpType = 5;
pub type acldumpType = u32;
#[doc = " A piece of a file that is dumped."]
#[repr(C)]
#[derive(Debug)]
pub struct acldumpChunk {
    pub fileName: [::core::ffi::c_char; 4096usize],
    pub bufLen: u32,
    pub isLastChunk: u32,
    pub offset: i64,
    pub flag: i32,
    pub dataBuf: __IncompleteArrayField<u8>,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of acldumpChunk"][::core::mem::size_of::<acldumpChunk>() - 4120usize];
    ["Alignment of acldumpChunk"][::core::mem::align_of::<acldumpChunk>() - 8usize];
    ["Offset of field: acldumpChunk::fileName"][::core::mem::offset_of!(acldumpChunk, fileName) - 0usize];
    ["Offset of field: acldumpChunk::bufLen"][::core::mem::offset_of!(acldumpChunk, bufLen) - 4096usize];
    ["Offset of field: acldumpChunk::isLastChunk"]
        [::core::mem::offset_of!(acldumpChunk, isLastChunk) - 4100usize];
    ["Offset of field: acldumpChunk::offset"][::core::mem::offset_of!(acldumpChunk, offset) - 4104usize];
    ["Offset of field: acldumpChunk::flag"][::core::mem::offset_of!(acldumpChunk, flag) - 4112usize];
    ["Offset of field: acldumpChunk::dataBuf"][::core::mem::offset_of!(acldumpChunk, dataBuf) - 4116usize];
};
impl Default for acldumpChunk {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct acldumpTensorInfo {
    pub type_: acldumpTensorType,
    pub tensorSize: usize,
    pub format: i32,
    pub dataType: i32,
    pub tensorAddr: *mut i64,
    pub addrType: acldumpTensorAddressType,
    pub placement: acldumpTensorPlacement,
    pub argsOffset: u32,
    pub shapeNum: u32,
    pub originShapeNum: u32,
    pub shape: [u64; 25usize],
    pub originShape: [u64; 25usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of acldumpTensorInfo"][::core::mem::size_of::<acldumpTensorInfo>() - 456usize];
    ["Alignment of acldumpTensorInfo"][::core::mem::align_of::<acldumpTensorInfo>() - 8usize];
    ["Offset of field: acldumpTensorInfo::type_"][::core::mem::offset_of!(acldumpTensorInfo, type_) - 0usize];
    ["Offset of field: acldumpTensorInfo::tensorSize"]
        [::core::mem::offset_of!(acldumpTensorInfo, tensorSize) - 8usize];
    ["Offset of field: acldumpTensorInfo::format"]
        [::core::mem::offset_of!(acldumpTensorInfo, format) - 16usize];
    ["Offset of field: acldumpTensorInfo::dataType"]
        [::core::mem::offset_of!(acldumpTensorInfo, dataType) - 20usize];
    ["Offset of field: acldumpTensorInfo::tensorAddr"]
        [::core::mem::offset_of!(acldumpTensorInfo, tensorAddr) - 24usize];
    ["Offset of field: acldumpTensorInfo::addrType"]
        [::core::mem::offset_of!(acldumpTensorInfo, addrType) - 32usize];
    ["Offset of field: acldumpTensorInfo::placement"]
        [::core::mem::offset_of!(acldumpTensorInfo, placement) - 36usize];
    ["Offset of field: acldumpTensorInfo::argsOffset"]
        [::core::mem::offset_of!(acldumpTensorInfo, argsOffset) - 40usize];
    ["Offset of field: acldumpTensorInfo::shapeNum"]
        [::core::mem::offset_of!(acldumpTensorInfo, shapeNum) - 44usize];
    ["Offset of field: acldumpTensorInfo::originShapeNum"]
        [::core::mem::offset_of!(acldumpTensorInfo, originShapeNum) - 48usize];
    ["Offset of field: acldumpTensorInfo::shape"]
        [::core::mem::offset_of!(acldumpTensorInfo, shape) - 56usize];
    ["Offset of field: acldumpTensorInfo::originShape"]
        [::core::mem::offset_of!(acldumpTensorInfo, originShape) - 256usize];
};
impl Default for acldumpTensorInfo {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " A channel."]
#[repr(C)]
#[derive(Debug)]
pub struct acltdtChannelHandle {
    _unused: [u8; 0],
}
#[doc = " A tensor that travels."]
#[repr(C)]
#[derive(Debug)]
pub struct acltdtDataItem {
    _unused: [u8; 0],
}
#[doc = " Tensors that travel together."]
#[repr(C)]
#[derive(Debug)]
pub struct acltdtDataset {
    _unused: [u8; 0],
}
pub const ACL_TENSOR_DATA_UNDEFINED: acltdtTensorType = -1;
pub const ACL_TENSOR_DATA_TENSOR: acltdtTensorType = 0;
pub const ACL_TENSOR_DATA_END_OF_SEQUENCE: acltdtTensorType = 1;
pub const ACL_TENSOR_DATA_ABNORMAL: acltdtTensorType = 2;
pub const ACL_TENSOR_DATA_SLICE_TENSOR: acltdtTensorType = 3;
pub const ACL_TENSOR_DATA_END_TENSOR: acltdtTensorType = 4;
pub type acltdtTensorType = i32;
pub const ACL_TDT_QUEUE_PERMISSION_MANAGE: i32 = 1;
pub const ACL_TDT_QUEUE_PERMISSION_DEQUEUE: i32 = 2;
pub const ACL_TDT_QUEUE_PERMISSION_ENQUEUE: i32 = 4;
pub const ACL_TDT_QUEUE_ROUTE_UNBIND: i32 = 0;
pub const ACL_TDT_QUEUE_ROUTE_BIND: i32 = 1;
pub const ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL: i32 = 2;
#[repr(C)]
#[derive(Debug)]
pub struct tagMemQueueAttr {
    _unused: [u8; 0],
}
pub type acltdtQueueAttr = tagMemQueueAttr;
#[doc = " A route from a queue to another."]
#[repr(C)]
#[derive(Debug)]
pub struct acltdtQueueRoute {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct acltdtQueueRouteList {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct acltdtQueueRouteQueryInfo {
    _unused: [u8; 0],
}
#[doc = " A buffer that travels."]
pub type acltdtBuf = *mut ::core::ffi::c_void;
pub const ACL_TDT_NORMAL_MEM: acltdtAllocBufType = 0;
pub const ACL_TDT_DVPP_MEM: acltdtAllocBufType = 1;
pub type acltdtAllocBufType = u32;
pub const ACL_TDT_QUEUE_NAME_PTR: acltdtQueueAttrType = 0;
pub const ACL_TDT_QUEUE_DEPTH_UINT32: acltdtQueueAttrType = 1;
pub type acltdtQueueAttrType = u32;
pub const ACL_TDT_QUEUE_ROUTE_SRC_UINT32: acltdtQueueRouteParamType = 0;
pub const ACL_TDT_QUEUE_ROUTE_DST_UINT32: acltdtQueueRouteParamType = 1;
pub const ACL_TDT_QUEUE_ROUTE_STATUS_INT32: acltdtQueueRouteParamType = 2;
pub type acltdtQueueRouteParamType = u32;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM: acltdtQueueRouteQueryInfoParamType = 0;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32: acltdtQueueRouteQueryInfoParamType = 1;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32: acltdtQueueRouteQueryInfoParamType = 2;
pub type acltdtQueueRouteQueryInfoParamType = u32;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_SRC: acltdtQueueRouteQueryMode = 0;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_DST: acltdtQueueRouteQueryMode = 1;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST: acltdtQueueRouteQueryMode = 2;
pub const ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL: acltdtQueueRouteQueryMode = 100;
pub type acltdtQueueRouteQueryMode = u32;
pub const ACLSK_EARLY_START_DISABLED: aclskEarlyStartValue = 0;
pub const ACLSK_EARLY_START_ENABLED: aclskEarlyStartValue = 1;
pub type aclskEarlyStartValue = u32;
pub const PRELOAD_CODE: aclskOptionType = 0;
pub const SPLIT_MODE: aclskOptionType = 1;
pub const STREAM_FUSION: aclskOptionType = 2;
pub const DCCI_DISABLE_ON_KERNEL: aclskOptionType = 3;
pub const DEBUG_SYNC_ALL: aclskOptionType = 4;
pub const KERNEL_MAP: aclskOptionType = 5;
pub const CONSTANT_CODEGEN: aclskOptionType = 6;
pub const AUTO_OP_PARALLEL: aclskOptionType = 7;
pub const DCCI_BEFORE_KERNEL_START: aclskOptionType = 8;
pub const DEBUG_OP_EXEC_TRACE: aclskOptionType = 9;
pub const DEBUG_CROSS_CORE_SYNC_CHECK: aclskOptionType = 10;
pub const OPT_EXTEND_OPTION: aclskOptionType = 11;
pub const DEBUG_EXTEND_OPTION: aclskOptionType = 12;
pub const DCCI_AFTER_KERNEL_END: aclskOptionType = 13;
pub const AGGRESSIVE_OPT_STRATEGIES: aclskOptionType = 14;
pub const UBUF_LOCK_IGNORE_KERNEL: aclskOptionType = 15;
pub const EARLY_START: aclskOptionType = 16;
pub const DEBUG_PER_OP_MAX_CORE_NUM: aclskOptionType = 17;
pub const SK_OPTION_MAX: aclskOptionType = 18;
pub type aclskOptionType = u32;
pub const ACLSK_VALUE_BREAKER_BYPASS_NONE: aclskValueBreakerBypassFlag = 0;
pub const ACLSK_VALUE_BREAKER_BYPASS_PAIRED_WAIT: aclskValueBreakerBypassFlag = 1;
pub const ACLSK_VALUE_BREAKER_BYPASS_UNPAIRED_WAIT: aclskValueBreakerBypassFlag = 2;
pub type aclskValueBreakerBypassFlag = u32;
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskAggressiveOptStrategies {
    pub eventBreakerBypass: u32,
    pub valueBreakerBypass: u32,
    pub taskBreakerBypass: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskAggressiveOptStrategies"]
        [::core::mem::size_of::<aclskAggressiveOptStrategies>() - 12usize];
    ["Alignment of aclskAggressiveOptStrategies"]
        [::core::mem::align_of::<aclskAggressiveOptStrategies>() - 4usize];
    ["Offset of field: aclskAggressiveOptStrategies::eventBreakerBypass"]
        [::core::mem::offset_of!(aclskAggressiveOptStrategies, eventBreakerBypass) - 0usize];
    ["Offset of field: aclskAggressiveOptStrategies::valueBreakerBypass"]
        [::core::mem::offset_of!(aclskAggressiveOptStrategies, valueBreakerBypass) - 4usize];
    ["Offset of field: aclskAggressiveOptStrategies::taskBreakerBypass"]
        [::core::mem::offset_of!(aclskAggressiveOptStrategies, taskBreakerBypass) - 8usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskAutoOpParallelOption {
    pub enableAutoOpParallel: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskAutoOpParallelOption"][::core::mem::size_of::<aclskAutoOpParallelOption>() - 4usize];
    ["Alignment of aclskAutoOpParallelOption"][::core::mem::align_of::<aclskAutoOpParallelOption>() - 4usize];
    ["Offset of field: aclskAutoOpParallelOption::enableAutoOpParallel"]
        [::core::mem::offset_of!(aclskAutoOpParallelOption, enableAutoOpParallel) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskConstantCodegenOption {
    pub enableConstant: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskConstantCodegenOption"][::core::mem::size_of::<aclskConstantCodegenOption>() - 4usize];
    ["Alignment of aclskConstantCodegenOption"]
        [::core::mem::align_of::<aclskConstantCodegenOption>() - 4usize];
    ["Offset of field: aclskConstantCodegenOption::enableConstant"]
        [::core::mem::offset_of!(aclskConstantCodegenOption, enableConstant) - 0usize];
};
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclskDcciOption {
    pub kernelNames: *mut *mut ::core::ffi::c_char,
    pub kernelCnt: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskDcciOption"][::core::mem::size_of::<aclskDcciOption>() - 16usize];
    ["Alignment of aclskDcciOption"][::core::mem::align_of::<aclskDcciOption>() - 8usize];
    ["Offset of field: aclskDcciOption::kernelNames"]
        [::core::mem::offset_of!(aclskDcciOption, kernelNames) - 0usize];
    ["Offset of field: aclskDcciOption::kernelCnt"]
        [::core::mem::offset_of!(aclskDcciOption, kernelCnt) - 8usize];
};
impl Default for aclskDcciOption {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskDebugCrossCoreSyncCheckOption {
    pub enableCrossCoreSyncCheck: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskDebugCrossCoreSyncCheckOption"]
        [::core::mem::size_of::<aclskDebugCrossCoreSyncCheckOption>() - 4usize];
    ["Alignment of aclskDebugCrossCoreSyncCheckOption"]
        [::core::mem::align_of::<aclskDebugCrossCoreSyncCheckOption>() - 4usize];
    ["Offset of field: aclskDebugCrossCoreSyncCheckOption::enableCrossCoreSyncCheck"]
        [::core::mem::offset_of!(aclskDebugCrossCoreSyncCheckOption, enableCrossCoreSyncCheck) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskDebugOpExecTraceOption {
    pub enableOpExecTrace: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskDebugOpExecTraceOption"][::core::mem::size_of::<aclskDebugOpExecTraceOption>() - 4usize];
    ["Alignment of aclskDebugOpExecTraceOption"]
        [::core::mem::align_of::<aclskDebugOpExecTraceOption>() - 4usize];
    ["Offset of field: aclskDebugOpExecTraceOption::enableOpExecTrace"]
        [::core::mem::offset_of!(aclskDebugOpExecTraceOption, enableOpExecTrace) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskDebugPerOpMaxCoreNumOption {
    pub enableDebugPerOpMaxCoreNum: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskDebugPerOpMaxCoreNumOption"]
        [::core::mem::size_of::<aclskDebugPerOpMaxCoreNumOption>() - 4usize];
    ["Alignment of aclskDebugPerOpMaxCoreNumOption"]
        [::core::mem::align_of::<aclskDebugPerOpMaxCoreNumOption>() - 4usize];
    ["Offset of field: aclskDebugPerOpMaxCoreNumOption::enableDebugPerOpMaxCoreNum"]
        [::core::mem::offset_of!(aclskDebugPerOpMaxCoreNumOption, enableDebugPerOpMaxCoreNum) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskDebugSyncAllOption {
    pub debugSyncAll: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskDebugSyncAllOption"][::core::mem::size_of::<aclskDebugSyncAllOption>() - 4usize];
    ["Alignment of aclskDebugSyncAllOption"][::core::mem::align_of::<aclskDebugSyncAllOption>() - 4usize];
    ["Offset of field: aclskDebugSyncAllOption::debugSyncAll"]
        [::core::mem::offset_of!(aclskDebugSyncAllOption, debugSyncAll) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskEarlyStartOption {
    pub enableEarlyStart: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskEarlyStartOption"][::core::mem::size_of::<aclskEarlyStartOption>() - 4usize];
    ["Alignment of aclskEarlyStartOption"][::core::mem::align_of::<aclskEarlyStartOption>() - 4usize];
    ["Offset of field: aclskEarlyStartOption::enableEarlyStart"]
        [::core::mem::offset_of!(aclskEarlyStartOption, enableEarlyStart) - 0usize];
};
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclskExtendOption {
    pub value: *mut ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskExtendOption"][::core::mem::size_of::<aclskExtendOption>() - 8usize];
    ["Alignment of aclskExtendOption"][::core::mem::align_of::<aclskExtendOption>() - 8usize];
    ["Offset of field: aclskExtendOption::value"][::core::mem::offset_of!(aclskExtendOption, value) - 0usize];
};
impl Default for aclskExtendOption {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclskKernelMap {
    pub globalName: *mut ::core::ffi::c_char,
    pub sknlNames: [*mut ::core::ffi::c_char; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskKernelMap"][::core::mem::size_of::<aclskKernelMap>() - 40usize];
    ["Alignment of aclskKernelMap"][::core::mem::align_of::<aclskKernelMap>() - 8usize];
    ["Offset of field: aclskKernelMap::globalName"]
        [::core::mem::offset_of!(aclskKernelMap, globalName) - 0usize];
    ["Offset of field: aclskKernelMap::sknlNames"]
        [::core::mem::offset_of!(aclskKernelMap, sknlNames) - 8usize];
};
impl Default for aclskKernelMap {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclskKernelMapOption {
    pub kernelMaps: *mut aclskKernelMap,
    pub numKernels: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskKernelMapOption"][::core::mem::size_of::<aclskKernelMapOption>() - 16usize];
    ["Alignment of aclskKernelMapOption"][::core::mem::align_of::<aclskKernelMapOption>() - 8usize];
    ["Offset of field: aclskKernelMapOption::kernelMaps"]
        [::core::mem::offset_of!(aclskKernelMapOption, kernelMaps) - 0usize];
    ["Offset of field: aclskKernelMapOption::numKernels"]
        [::core::mem::offset_of!(aclskKernelMapOption, numKernels) - 8usize];
};
impl Default for aclskKernelMapOption {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskPreloadOption {
    pub preloadMode: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskPreloadOption"][::core::mem::size_of::<aclskPreloadOption>() - 4usize];
    ["Alignment of aclskPreloadOption"][::core::mem::align_of::<aclskPreloadOption>() - 4usize];
    ["Offset of field: aclskPreloadOption::preloadMode"]
        [::core::mem::offset_of!(aclskPreloadOption, preloadMode) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskSplitModeOption {
    pub splitCnt: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskSplitModeOption"][::core::mem::size_of::<aclskSplitModeOption>() - 4usize];
    ["Alignment of aclskSplitModeOption"][::core::mem::align_of::<aclskSplitModeOption>() - 4usize];
    ["Offset of field: aclskSplitModeOption::splitCnt"]
        [::core::mem::offset_of!(aclskSplitModeOption, splitCnt) - 0usize];
};
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct aclskStreamFusionOption {
    pub streamFusion: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskStreamFusionOption"][::core::mem::size_of::<aclskStreamFusionOption>() - 4usize];
    ["Alignment of aclskStreamFusionOption"][::core::mem::align_of::<aclskStreamFusionOption>() - 4usize];
    ["Offset of field: aclskStreamFusionOption::streamFusion"]
        [::core::mem::offset_of!(aclskStreamFusionOption, streamFusion) - 0usize];
};
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclskUbufLockIgnoreKernelOption {
    pub ubufLockIgnoreKernelCnt: u32,
    pub ubufLockIgnoreKernel: *mut *mut ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskUbufLockIgnoreKernelOption"]
        [::core::mem::size_of::<aclskUbufLockIgnoreKernelOption>() - 16usize];
    ["Alignment of aclskUbufLockIgnoreKernelOption"]
        [::core::mem::align_of::<aclskUbufLockIgnoreKernelOption>() - 8usize];
    ["Offset of field: aclskUbufLockIgnoreKernelOption::ubufLockIgnoreKernelCnt"]
        [::core::mem::offset_of!(aclskUbufLockIgnoreKernelOption, ubufLockIgnoreKernelCnt) - 0usize];
    ["Offset of field: aclskUbufLockIgnoreKernelOption::ubufLockIgnoreKernel"]
        [::core::mem::offset_of!(aclskUbufLockIgnoreKernelOption, ubufLockIgnoreKernel) - 8usize];
};
impl Default for aclskUbufLockIgnoreKernelOption {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " An option of the fusion."]
#[repr(C)]
#[derive(Copy, Clone)]
pub struct aclskOption {
    pub optionType: aclskOptionType,
    pub __bindgen_anon_1: aclskOption__bindgen_ty_1,
}
#[repr(C)]
#[derive(Copy, Clone)]
pub union aclskOption__bindgen_ty_1 {
    pub preload: aclskPreloadOption,
    pub splitMode: aclskSplitModeOption,
    pub streamFusion: aclskStreamFusionOption,
    pub disableKernelDcci: aclskDcciOption,
    pub debugSync: aclskDebugSyncAllOption,
    pub kernelMap: aclskKernelMapOption,
    pub constantCodegen: aclskConstantCodegenOption,
    pub autoOpParallel: aclskAutoOpParallelOption,
    pub dcciBeforeKernelStart: aclskDcciOption,
    pub debugOpExecTrace: aclskDebugOpExecTraceOption,
    pub debugCrossCoreSyncCheck: aclskDebugCrossCoreSyncCheckOption,
    pub optExtend: aclskExtendOption,
    pub debugExtend: aclskExtendOption,
    pub dcciAfterKernelEnd: aclskDcciOption,
    pub aggressiveOpts: aclskAggressiveOptStrategies,
    pub ubufLockIgnoreKernel: aclskUbufLockIgnoreKernelOption,
    pub earlyStart: aclskEarlyStartOption,
    pub debugPerOpMaxCoreNum: aclskDebugPerOpMaxCoreNumOption,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskOption__bindgen_ty_1"][::core::mem::size_of::<aclskOption__bindgen_ty_1>() - 16usize];
    ["Alignment of aclskOption__bindgen_ty_1"][::core::mem::align_of::<aclskOption__bindgen_ty_1>() - 8usize];
    ["Offset of field: aclskOption__bindgen_ty_1::preload"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, preload) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::splitMode"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, splitMode) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::streamFusion"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, streamFusion) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::disableKernelDcci"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, disableKernelDcci) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::debugSync"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, debugSync) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::kernelMap"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, kernelMap) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::constantCodegen"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, constantCodegen) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::autoOpParallel"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, autoOpParallel) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::dcciBeforeKernelStart"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, dcciBeforeKernelStart) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::debugOpExecTrace"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, debugOpExecTrace) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::debugCrossCoreSyncCheck"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, debugCrossCoreSyncCheck) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::optExtend"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, optExtend) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::debugExtend"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, debugExtend) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::dcciAfterKernelEnd"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, dcciAfterKernelEnd) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::aggressiveOpts"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, aggressiveOpts) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::ubufLockIgnoreKernel"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, ubufLockIgnoreKernel) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::earlyStart"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, earlyStart) - 0usize];
    ["Offset of field: aclskOption__bindgen_ty_1::debugPerOpMaxCoreNum"]
        [::core::mem::offset_of!(aclskOption__bindgen_ty_1, debugPerOpMaxCoreNum) - 0usize];
};
impl Default for aclskOption__bindgen_ty_1 {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclskOption__bindgen_ty_1 {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "aclskOption__bindgen_ty_1 {{ union }}")
    }
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskOption"][::core::mem::size_of::<aclskOption>() - 24usize];
    ["Alignment of aclskOption"][::core::mem::align_of::<aclskOption>() - 8usize];
    ["Offset of field: aclskOption::optionType"][::core::mem::offset_of!(aclskOption, optionType) - 0usize];
};
impl Default for aclskOption {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for aclskOption {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(
            f,
            "aclskOption {{ optionType: {:?}, __bindgen_anon_1: {:?} }}",
            self.optionType, self.__bindgen_anon_1
        )
    }
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct aclskOptions {
    pub options: *mut aclskOption,
    pub numOptions: usize,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of aclskOptions"][::core::mem::size_of::<aclskOptions>() - 16usize];
    ["Alignment of aclskOptions"][::core::mem::align_of::<aclskOptions>() - 8usize];
    ["Offset of field: aclskOptions::options"][::core::mem::offset_of!(aclskOptions, options) - 0usize];
    ["Offset of field: aclskOptions::numOptions"][::core::mem::offset_of!(aclskOptions, numOptions) - 8usize];
};
impl Default for aclskOptions {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const HCCL_ROOT_INFO_BYTES: i32 = 4108;
pub const BUFFER_NAME_MAX_LENGTH: i32 = 128;
pub const COMM_NAME_MAX_LENGTH: i32 = 128;
pub const UDI_MAX_LENGTH: i32 = 128;
pub const HCCL_COMM_ALGO_MAX_LENGTH: i32 = 1600;
pub const HCCL_COMM_RETRY_ENABLE_MAX_LENGTH: i32 = 50;
pub const HCCL_COMM_RETRY_PARAMS_MAX_LENGTH: i32 = 128;
pub const HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE: u64 = 16;
#[doc = " A window of memory of a communicator."]
pub type HcclCommSymWindow = *mut ::core::ffi::c_void;
pub const HCCL_WIN_DEFAULT: u32 = 0;
pub const HCCL_WIN_COLL_SYMMETRIC: u32 = 1;
pub const HCCL_CMD_INVALID: HcclCMDType = 0;
pub const HCCL_CMD_BROADCAST: HcclCMDType = 1;
pub const HCCL_CMD_ALLREDUCE: HcclCMDType = 2;
pub const HCCL_CMD_REDUCE: HcclCMDType = 3;
pub const HCCL_CMD_SEND: HcclCMDType = 4;
pub const HCCL_CMD_RECEIVE: HcclCMDType = 5;
pub const HCCL_CMD_ALLGATHER: HcclCMDType = 6;
pub const HCCL_CMD_REDUCE_SCATTER: HcclCMDType = 7;
pub const HCCL_CMD_ALLTOALLV: HcclCMDType = 8;
pub const HCCL_CMD_ALLTOALLVC: HcclCMDType = 9;
pub const HCCL_CMD_ALLTOALL: HcclCMDType = 10;
pub const HCCL_CMD_GATHER: HcclCMDType = 11;
pub const HCCL_CMD_SCATTER: HcclCMDType = 12;
pub const HCCL_CMD_BATCH_SEND_RECV: HcclCMDType = 13;
pub const HCCL_CMD_BATCH_PUT: HcclCMDType = 14;
pub const HCCL_CMD_BATCH_GET: HcclCMDType = 15;
pub const HCCL_CMD_ALLGATHER_V: HcclCMDType = 16;
pub const HCCL_CMD_REDUCE_SCATTER_V: HcclCMDType = 17;
pub const HCCL_CMD_BATCH_WRITE: HcclCMDType = 18;
pub const HCCL_CMD_HALF_ALLTOALLV: HcclCMDType = 20;
pub const HCCL_CMD_ALL: HcclCMDType = 21;
pub const HCCL_CMD_FINALIZE: HcclCMDType = 100;
pub const HCCL_CMD_INTER_GROUP_SYNC: HcclCMDType = 101;
pub const HCCL_CMD_INIT: HcclCMDType = 102;
pub const HCCL_CMD_BARRIER: HcclCMDType = 103;
pub const HCCL_CMD_MAX: HcclCMDType = 104;
#[doc = " Kinds of collectives."]
pub type HcclCMDType = u32;
pub const HCCL_COMM_CONFIG_BUFFER_SIZE: HcclCommConfigCapability = 0;
pub const HCCL_COMM_CONFIG_DETERMINISTIC: HcclCommConfigCapability = 1;
pub const HCCL_COMM_CONFIG_COMM_NAME: HcclCommConfigCapability = 2;
pub const HCCL_COMM_CONFIG_OP_EXPANSION_MODE: HcclCommConfigCapability = 3;
pub const HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV: HcclCommConfigCapability = 4;
pub const HCCL_COMM_CONFIG_WORLD_RANKID: HcclCommConfigCapability = 5;
pub const HCCL_COMM_CONFIG_JOBID: HcclCommConfigCapability = 6;
pub const HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE: HcclCommConfigCapability = 7;
pub const HCCL_COMM_CONFIG_EXEC_TIMEOUT: HcclCommConfigCapability = 8;
pub const HCCL_COMM_CONFIG_ALGO: HcclCommConfigCapability = 9;
pub const HCCL_COMM_CONFIG_RETRY: HcclCommConfigCapability = 10;
pub const HCCL_COMM_CONFIG_BUFFER_NAME: HcclCommConfigCapability = 11;
pub const HCCL_COMM_CONFIG_RESERVED: HcclCommConfigCapability = 12;
#[doc = " Members of HcclCommConfig that a release understands: those below what HcclGetCommConfigCapability\n gives."]
pub type HcclCommConfigCapability = u32;
pub const HCCL_DETERMINISTIC: HcclConfig = 0;
pub const HCCL_ACCELERATOR: HcclConfig = 1;
pub const HCCL_CONFIG_RESERVED: HcclConfig = 2;
#[doc = " Settings of the process or a communicator."]
pub type HcclConfig = u32;
#[doc = " The value of a setting."]
#[repr(C)]
#[derive(Copy, Clone)]
pub union HcclConfigValue {
    pub value: i32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcclConfigValue"][::core::mem::size_of::<HcclConfigValue>() - 4usize];
    ["Alignment of HcclConfigValue"][::core::mem::align_of::<HcclConfigValue>() - 4usize];
    ["Offset of field: HcclConfigValue::value"][::core::mem::offset_of!(HcclConfigValue, value) - 0usize];
};
impl Default for HcclConfigValue {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
impl ::core::fmt::Debug for HcclConfigValue {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        write!(f, "HcclConfigValue {{ union }}")
    }
}
#[doc = " Result of every call: a number of HcclResult."]
pub type HcommResult = i32;
pub type EndpointHandle = *mut ::core::ffi::c_void;
pub type HcommMemHandle = *mut ::core::ffi::c_void;
pub type HcommSocket = *mut ::core::ffi::c_void;
pub type ChannelHandle = u64;
pub type ThreadHandle = u64;
pub const COMM_ENGINE_RESERVED: CommEngine = -1;
pub const COMM_ENGINE_CPU: CommEngine = 0;
pub const COMM_ENGINE_CPU_TS: CommEngine = 1;
pub const COMM_ENGINE_AICPU: CommEngine = 2;
pub const COMM_ENGINE_AICPU_TS: CommEngine = 3;
pub const COMM_ENGINE_AIV: CommEngine = 4;
pub const COMM_ENGINE_CCU: CommEngine = 5;
#[doc = " Processor that issues the work of a channel or a thread."]
pub type CommEngine = i32;
pub const COMM_PROTOCOL_RESERVED: CommProtocol = -1;
pub const COMM_PROTOCOL_HCCS: CommProtocol = 0;
pub const COMM_PROTOCOL_ROCE: CommProtocol = 1;
pub const COMM_PROTOCOL_PCIE: CommProtocol = 2;
pub const COMM_PROTOCOL_SIO: CommProtocol = 3;
pub const COMM_PROTOCOL_UBC_CTP: CommProtocol = 4;
pub const COMM_PROTOCOL_UBC_TP: CommProtocol = 5;
pub const COMM_PROTOCOL_UB_MEM: CommProtocol = 6;
#[doc = " Protocol of an endpoint."]
pub type CommProtocol = i32;
pub const COMM_ADDR_TYPE_RESERVED: CommAddrType = -1;
pub const COMM_ADDR_TYPE_IP_V4: CommAddrType = 0;
pub const COMM_ADDR_TYPE_IP_V6: CommAddrType = 1;
pub const COMM_ADDR_TYPE_ID: CommAddrType = 2;
pub const COMM_ADDR_TYPE_EID: CommAddrType = 3;
#[doc = " Kind of an address."]
pub type CommAddrType = i32;
pub const ENDPOINT_LOC_TYPE_RESERVED: EndpointLocType = -1;
pub const ENDPOINT_LOC_TYPE_DEVICE: EndpointLocType = 0;
pub const ENDPOINT_LOC_TYPE_HOST: EndpointLocType = 1;
#[doc = " Side of an endpoint."]
pub type EndpointLocType = i32;
pub const COMM_MEM_TYPE_INVALID: CommMemType = -1;
pub const COMM_MEM_TYPE_DEVICE: CommMemType = 0;
pub const COMM_MEM_TYPE_HOST: CommMemType = 1;
#[doc = " Side of memory."]
pub type CommMemType = i32;
pub const HCOMM_SOCKET_ROLE_CLIENT: HcommSocketRole = 0;
pub const HCOMM_SOCKET_ROLE_SERVER: HcommSocketRole = 1;
#[doc = " Role of an end of a channel."]
pub type HcommSocketRole = u32;
#[doc = " First word behind the version in a channel's header."]
pub const HCOMM_CHANNEL_MAGIC_WORD: u32 = 265228047;
pub const HCOMM_CHANNEL_VERSION: u32 = 4;
#[doc = " An address."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct CommAddr {
    pub type_: CommAddrType,
    #[doc = " IPv4 address, IPv6 address, id or EID, from the first byte."]
    pub value: [u8; 36usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of CommAddr"][::core::mem::size_of::<CommAddr>() - 40usize];
    ["Alignment of CommAddr"][::core::mem::align_of::<CommAddr>() - 4usize];
    ["Offset of field: CommAddr::type_"][::core::mem::offset_of!(CommAddr, type_) - 0usize];
    ["Offset of field: CommAddr::value"][::core::mem::offset_of!(CommAddr, value) - 4usize];
};
impl Default for CommAddr {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Place of an endpoint."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct EndpointLoc {
    pub locType: EndpointLocType,
    #[doc = " Device: physical number, number in the super pod, server, super pod. Host: its id."]
    pub value: [u32; 15usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of EndpointLoc"][::core::mem::size_of::<EndpointLoc>() - 64usize];
    ["Alignment of EndpointLoc"][::core::mem::align_of::<EndpointLoc>() - 4usize];
    ["Offset of field: EndpointLoc::locType"][::core::mem::offset_of!(EndpointLoc, locType) - 0usize];
    ["Offset of field: EndpointLoc::value"][::core::mem::offset_of!(EndpointLoc, value) - 4usize];
};
impl Default for EndpointLoc {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " An endpoint."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct EndpointDesc {
    pub protocol: CommProtocol,
    pub commAddr: CommAddr,
    pub loc: EndpointLoc,
    pub raws: [u8; 52usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of EndpointDesc"][::core::mem::size_of::<EndpointDesc>() - 160usize];
    ["Alignment of EndpointDesc"][::core::mem::align_of::<EndpointDesc>() - 4usize];
    ["Offset of field: EndpointDesc::protocol"][::core::mem::offset_of!(EndpointDesc, protocol) - 0usize];
    ["Offset of field: EndpointDesc::commAddr"][::core::mem::offset_of!(EndpointDesc, commAddr) - 4usize];
    ["Offset of field: EndpointDesc::loc"][::core::mem::offset_of!(EndpointDesc, loc) - 44usize];
    ["Offset of field: EndpointDesc::raws"][::core::mem::offset_of!(EndpointDesc, raws) - 108usize];
};
impl Default for EndpointDesc {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Memory to register, or memory of another process."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct CommMem {
    pub type_: CommMemType,
    pub addr: *mut ::core::ffi::c_void,
    pub size: u64,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of CommMem"][::core::mem::size_of::<CommMem>() - 24usize];
    ["Alignment of CommMem"][::core::mem::align_of::<CommMem>() - 8usize];
    ["Offset of field: CommMem::type_"][::core::mem::offset_of!(CommMem, type_) - 0usize];
    ["Offset of field: CommMem::addr"][::core::mem::offset_of!(CommMem, addr) - 8usize];
    ["Offset of field: CommMem::size"][::core::mem::offset_of!(CommMem, size) - 16usize];
};
impl Default for CommMem {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
#[doc = " Header of a structure that grows."]
#[repr(C)]
#[derive(Debug, Default, Copy, Clone)]
pub struct HcommAbiHeader {
    pub version: u32,
    pub magicWord: u32,
    pub size: u32,
    pub reserved: u32,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcommAbiHeader"][::core::mem::size_of::<HcommAbiHeader>() - 16usize];
    ["Alignment of HcommAbiHeader"][::core::mem::align_of::<HcommAbiHeader>() - 4usize];
    ["Offset of field: HcommAbiHeader::version"][::core::mem::offset_of!(HcommAbiHeader, version) - 0usize];
    ["Offset of field: HcommAbiHeader::magicWord"]
        [::core::mem::offset_of!(HcommAbiHeader, magicWord) - 4usize];
    ["Offset of field: HcommAbiHeader::size"][::core::mem::offset_of!(HcommAbiHeader, size) - 8usize];
    ["Offset of field: HcommAbiHeader::reserved"]
        [::core::mem::offset_of!(HcommAbiHeader, reserved) - 12usize];
};
#[doc = " A channel to create. Version 1 ends in front of qos, with 344 bytes."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct HcommChannelDesc {
    pub header: HcommAbiHeader,
    pub remoteEndpoint: EndpointDesc,
    pub notifyNum: u32,
    pub exchangeAllMems: bool,
    pub memHandles: *mut HcommMemHandle,
    pub memHandleNum: u32,
    pub socket: HcommSocket,
    pub role: HcommSocketRole,
    pub port: u16,
    #[doc = " Options of the protocol."]
    pub options: [u64; 16usize],
    pub qos: u32,
    pub channelName: *const ::core::ffi::c_char,
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcommChannelDesc"][::core::mem::size_of::<HcommChannelDesc>() - 360usize];
    ["Alignment of HcommChannelDesc"][::core::mem::align_of::<HcommChannelDesc>() - 8usize];
    ["Offset of field: HcommChannelDesc::header"][::core::mem::offset_of!(HcommChannelDesc, header) - 0usize];
    ["Offset of field: HcommChannelDesc::remoteEndpoint"]
        [::core::mem::offset_of!(HcommChannelDesc, remoteEndpoint) - 16usize];
    ["Offset of field: HcommChannelDesc::notifyNum"]
        [::core::mem::offset_of!(HcommChannelDesc, notifyNum) - 176usize];
    ["Offset of field: HcommChannelDesc::exchangeAllMems"]
        [::core::mem::offset_of!(HcommChannelDesc, exchangeAllMems) - 180usize];
    ["Offset of field: HcommChannelDesc::memHandles"]
        [::core::mem::offset_of!(HcommChannelDesc, memHandles) - 184usize];
    ["Offset of field: HcommChannelDesc::memHandleNum"]
        [::core::mem::offset_of!(HcommChannelDesc, memHandleNum) - 192usize];
    ["Offset of field: HcommChannelDesc::socket"]
        [::core::mem::offset_of!(HcommChannelDesc, socket) - 200usize];
    ["Offset of field: HcommChannelDesc::role"][::core::mem::offset_of!(HcommChannelDesc, role) - 208usize];
    ["Offset of field: HcommChannelDesc::port"][::core::mem::offset_of!(HcommChannelDesc, port) - 212usize];
    ["Offset of field: HcommChannelDesc::options"]
        [::core::mem::offset_of!(HcommChannelDesc, options) - 216usize];
    ["Offset of field: HcommChannelDesc::qos"][::core::mem::offset_of!(HcommChannelDesc, qos) - 344usize];
    ["Offset of field: HcommChannelDesc::channelName"]
        [::core::mem::offset_of!(HcommChannelDesc, channelName) - 352usize];
};
impl Default for HcommChannelDesc {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
pub const HCOMM_TRANSFER_TYPE_WRITE: HcommTransferType = 0;
pub const HCOMM_TRANSFER_TYPE_READ: HcommTransferType = 4;
#[doc = " Kinds of transfers in a batch."]
pub type HcommTransferType = u32;
#[doc = " One transfer of a batch."]
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct HcommBatchTransferDesc {
    pub transType: HcommTransferType,
    pub reserved: u32,
    pub len: u64,
    pub dst: *mut ::core::ffi::c_void,
    pub src: *const ::core::ffi::c_void,
    pub more: [u64; 4usize],
}
#[allow(clippy::unnecessary_operation, clippy::identity_op)]
const _: () = {
    ["Size of HcommBatchTransferDesc"][::core::mem::size_of::<HcommBatchTransferDesc>() - 64usize];
    ["Alignment of HcommBatchTransferDesc"][::core::mem::align_of::<HcommBatchTransferDesc>() - 8usize];
    ["Offset of field: HcommBatchTransferDesc::transType"]
        [::core::mem::offset_of!(HcommBatchTransferDesc, transType) - 0usize];
    ["Offset of field: HcommBatchTransferDesc::reserved"]
        [::core::mem::offset_of!(HcommBatchTransferDesc, reserved) - 4usize];
    ["Offset of field: HcommBatchTransferDesc::len"]
        [::core::mem::offset_of!(HcommBatchTransferDesc, len) - 8usize];
    ["Offset of field: HcommBatchTransferDesc::dst"]
        [::core::mem::offset_of!(HcommBatchTransferDesc, dst) - 16usize];
    ["Offset of field: HcommBatchTransferDesc::src"]
        [::core::mem::offset_of!(HcommBatchTransferDesc, src) - 24usize];
    ["Offset of field: HcommBatchTransferDesc::more"]
        [::core::mem::offset_of!(HcommBatchTransferDesc, more) - 32usize];
};
impl Default for HcommBatchTransferDesc {
    fn default() -> Self {
        let mut s = ::core::mem::MaybeUninit::<Self>::uninit();
        unsafe {
            ::core::ptr::write_bytes(s.as_mut_ptr(), 0, 1);
            s.assume_init()
        }
    }
}
