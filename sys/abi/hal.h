// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory part of libascend_hal.so, the user library of the driver.
//
// Own declarations, written from the documented binary interface; no vendor text. LP64 only.
#ifndef ASCEND_ABI_HAL_H
#define ASCEND_ABI_HAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Result of every HAL call; 0 is success.
typedef int32_t drvError_t;

static const drvError_t DRV_ERROR_NONE = 0;
static const drvError_t DRV_ERROR_NO_DEVICE = 1;
static const drvError_t DRV_ERROR_INVALID_DEVICE = 2;
static const drvError_t DRV_ERROR_INVALID_VALUE = 3;
static const drvError_t DRV_ERROR_INVALID_HANDLE = 4;
static const drvError_t DRV_ERROR_INVALID_MALLOC_TYPE = 5;
static const drvError_t DRV_ERROR_OUT_OF_MEMORY = 6;
static const drvError_t DRV_ERROR_INNER_ERR = 7;
static const drvError_t DRV_ERROR_PARA_ERROR = 8;
static const drvError_t DRV_ERROR_UNINIT = 9;
static const drvError_t DRV_ERROR_REPEATED_INIT = 10;
static const drvError_t DRV_ERROR_NOT_EXIST = 11;
static const drvError_t DRV_ERROR_BUSY = 13;
static const drvError_t DRV_ERROR_NO_RESOURCES = 14;
static const drvError_t DRV_ERROR_WAIT_TIMEOUT = 16;
static const drvError_t DRV_ERROR_IOCTL_FAIL = 17;
static const drvError_t DRV_ERROR_OVER_LIMIT = 37;
static const drvError_t DRV_ERROR_MALLOC_FAIL = 40;
static const drvError_t DRV_ERROR_OPER_NOT_PERMITTED = 46;
static const drvError_t DRV_ERROR_NO_EVENT_RESOURCES = 47;
static const drvError_t DRV_ERROR_NO_STREAM_RESOURCES = 48;
static const drvError_t DRV_ERROR_NO_NOTIFY_RESOURCES = 49;
static const drvError_t DRV_ERROR_TRY_AGAIN = 51;
static const drvError_t DRV_ERROR_MEMORY_OPT_FAIL = 58;
static const drvError_t DRV_ERROR_SQID_FULL = 60;
static const drvError_t DRV_ERROR_NOT_SUPPORT = 0xfffe;

/// An address of the device.
typedef uint64_t DVdeviceptr;

/// A block of physical memory.
typedef struct drv_mem_handle drv_mem_handle_t;

/// Sides of memory (drv_mem_prop::side, drv_mem_location::side).
static const uint32_t HAL_MEM_SIDE_HOST = 0;
static const uint32_t HAL_MEM_SIDE_DEVICE = 1;
static const uint32_t HAL_MEM_SIDE_HOST_NUMA = 2;

/// Pages of memory (drv_mem_prop::pg_type, low byte of the flag of a reservation).
static const uint32_t HAL_MEM_PAGE_NORMAL = 0;
static const uint32_t HAL_MEM_PAGE_HUGE = 1;
static const uint32_t HAL_MEM_PAGE_GIANT = 2;

/// Kinds of memory (drv_mem_prop::mem_type).
static const uint32_t HAL_MEM_TYPE_HBM = 0;
static const uint32_t HAL_MEM_TYPE_DDR = 1;
static const uint32_t HAL_MEM_TYPE_P2P_HBM = 2;
static const uint32_t HAL_MEM_TYPE_P2P_DDR = 3;
static const uint32_t HAL_MEM_TYPE_TS_DDR = 4;

/// Flags of halMemAddressReserve beside the page type.
static const uint64_t HAL_RESERVE_DEVICE_SHARE = 0x100;
static const uint64_t HAL_RESERVE_REMOTE_MAP = 0x200;

/// Rights of drv_mem_access_desc::type; an unset right reads as MAX.
static const uint32_t HAL_MEM_ACCESS_NONE = 0;
static const uint32_t HAL_MEM_ACCESS_READ = 1;
static const uint32_t HAL_MEM_ACCESS_READWRITE = 3;
static const uint32_t HAL_MEM_ACCESS_MAX = 0x7fffffff;

/// Types of shareable handles.
static const int32_t HAL_MEM_HANDLE_TYPE_NONE = 0;
static const int32_t HAL_MEM_HANDLE_TYPE_FABRIC = 1;

/// Attribute types of halMemShareHandleSetAttribute.
static const int32_t HAL_SHARE_HANDLE_ATTR_NO_WHITELIST = 0;

/// Options of halMemGetAllocationGranularity.
static const int32_t HAL_GRANULARITY_MINIMUM = 0;
static const int32_t HAL_GRANULARITY_RECOMMENDED = 1;

/// Kinds of memory that drvMemGetAttribute reports.
static const uint32_t HAL_MEM_KIND_SVM = 0x1;
static const uint32_t HAL_MEM_KIND_SVM_HOST = 0x2;
static const uint32_t HAL_MEM_KIND_SVM_DEVICE = 0x4;
static const uint32_t HAL_MEM_KIND_LOCK_HOST = 0x8;
static const uint32_t HAL_MEM_KIND_LOCK_DEV = 0x10;
static const uint32_t HAL_MEM_KIND_LOCK_DEV_DVPP = 0x20;
static const uint32_t HAL_MEM_KIND_HOST_AGENT = 0x40;
static const uint32_t HAL_MEM_KIND_USER_MALLOC = 0x80;
static const uint32_t HAL_MEM_KIND_USER_REGISTER = 0x100;
static const uint32_t HAL_MEM_KIND_UVM = 0x200;

/// Parts of the flag of halMemAlloc; the device id is in bits 0 to 9, the module id from bit 56 on.
static const uint64_t HAL_ALLOC_SVM = 0x0;
static const uint64_t HAL_ALLOC_DEVICE = 0x400;
static const uint64_t HAL_ALLOC_HOST = 0x800;
static const uint64_t HAL_ALLOC_HBM = 0x4000;
static const uint64_t HAL_ALLOC_PAGE_HUGE = 0x20000;
static const uint64_t HAL_ALLOC_P2P = 0x2000000;
static const uint64_t HAL_ALLOC_PAGE_GIANT = 0x80000000;

/// Map types of halHostRegister.
static const uint32_t HAL_HOST_MEM_MAP_DEV = 0;
static const uint32_t HAL_SVM_MAP_DEV = 1;
static const uint32_t HAL_HOST_MEM_MAP_DEV_PCIE_THROUGH = 3;
static const uint32_t HAL_DEV_MEM_MAP_HOST = 4;
static const uint32_t HAL_HOST_MEM_MAP_DMA = 5;

/// Modules of halGetDeviceInfo.
static const int32_t HAL_MODULE_SYSTEM = 0;
static const int32_t HAL_MODULE_AICPU = 1;
static const int32_t HAL_MODULE_AICORE = 4;
static const int32_t HAL_MODULE_TSCPU = 5;
static const int32_t HAL_MODULE_PCIE = 6;
static const int32_t HAL_MODULE_VECTOR_CORE = 7;
static const int32_t HAL_MODULE_MEMORY = 10;
static const int32_t HAL_MODULE_UB = 15;

/// Facts of the system module.
static const int32_t HAL_INFO_ENV = 0;
static const int32_t HAL_INFO_VERSION = 1;
static const int32_t HAL_INFO_CORE_NUM = 3;
static const int32_t HAL_INFO_CHIP_ID = 18;
static const int32_t HAL_INFO_DIE_ID = 19;
static const int32_t HAL_INFO_SDID = 26;
static const int32_t HAL_INFO_SERVER_ID = 27;
static const int32_t HAL_INFO_SCALE_TYPE = 28;
static const int32_t HAL_INFO_SUPER_POD_ID = 29;
static const int32_t HAL_INFO_ADDRESS_MODE = 30;
static const int32_t HAL_INFO_RUN_MACHINE = 31;
static const int32_t HAL_INFO_HOST_DEVICE_CONNECT = 40;

/// Values of HAL_INFO_HOST_DEVICE_CONNECT.
static const int64_t HAL_CONNECT_PCIE = 0;
static const int64_t HAL_CONNECT_HCCS = 1;
static const int64_t HAL_CONNECT_UB = 2;

/// Properties of physical memory to allocate.
struct drv_mem_prop {
    uint32_t side;
    uint32_t devid;
    uint32_t module_id;
    uint32_t pg_type;
    uint32_t mem_type;
    uint64_t reserve;
};

/// A place of memory.
struct drv_mem_location {
    uint32_t id;
    uint32_t side;
};

/// User of a mapping, and its access rights.
struct drv_mem_access_desc {
    uint32_t type;
    struct drv_mem_location location;
    uint32_t rsv[2];
};

/// A shareable handle that is valid across the hosts of a super node.
struct MemShareHandle {
    uint8_t share_info[128];
};

/// Attribute of a shareable handle; passed by value.
struct ShareHandleAttr {
    uint32_t enableFlag;
    uint32_t rsv[8];
};

/// Attributes of an address, from drvMemGetAttribute.
struct DVattribute {
    uint32_t memType;
    uint32_t resv1;
    uint32_t resv2;
    uint32_t devId;
    uint32_t pageSize;
    uint32_t resv[8];
};

/// Reserves addresses.
drvError_t halMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr, uint64_t flag);
/// Gives reserved addresses back.
drvError_t halMemAddressFree(void *ptr);
/// Allocates physical memory.
drvError_t halMemCreate(drv_mem_handle_t **handle, size_t size, const struct drv_mem_prop *prop, uint64_t flag);
/// Drops a reference to physical memory.
drvError_t halMemRelease(drv_mem_handle_t *handle);
/// Maps physical memory into a reservation.
drvError_t halMemMap(void *ptr, size_t size, size_t offset, drv_mem_handle_t *handle, uint64_t flag);
/// Unmaps the mapping at a start address.
drvError_t halMemUnmap(void *ptr);
/// Gives locations rights to a mapping.
drvError_t halMemSetAccess(void *ptr, size_t size, struct drv_mem_access_desc *desc, size_t count);
/// The rights of a location to a mapping.
drvError_t halMemGetAccess(void *ptr, struct drv_mem_location *location, uint64_t *flags);
/// Makes a handle of 128 bytes that others import.
drvError_t halMemExportToShareableHandleV2(drv_mem_handle_t *handle, int handle_type, uint64_t flags,
                                           struct MemShareHandle *share_handle);
/// Imports a handle of 128 bytes for a device.
drvError_t halMemImportFromShareableHandleV2(int handle_type, struct MemShareHandle *share_handle, uint32_t devid,
                                             drv_mem_handle_t **handle);
/// Makes an 8-byte handle that processes of this host import.
drvError_t halMemExportToShareableHandle(drv_mem_handle_t *handle, int handle_type, uint64_t flags,
                                         uint64_t *shareable_handle);
/// Imports an 8-byte handle for a device.
drvError_t halMemImportFromShareableHandle(uint64_t shareable_handle, uint32_t devid, drv_mem_handle_t **handle);
/// Server and 8-byte value of a handle of 128 bytes.
drvError_t halMemTransShareableHandle(int handle_type, struct MemShareHandle *share_handle, uint32_t *server_id,
                                      uint64_t *shareable_handle);
/// Sets an attribute of a shareable handle; only by the exporter, before any process is named.
drvError_t halMemShareHandleSetAttribute(uint64_t shareable_handle, int type, struct ShareHandleAttr attr);
/// Names processes that may import.
drvError_t halMemSetPidToShareableHandle(uint64_t shareable_handle, int pid[], uint32_t pid_num);
/// Granularity of physical memory of a kind.
drvError_t halMemGetAllocationGranularity(const struct drv_mem_prop *prop, int option, size_t *granularity);
/// Returns the physical memory behind an address, with a new reference.
drvError_t halMemRetainAllocationHandle(drv_mem_handle_t **handle, void *ptr);
/// Returns the properties requested for physical memory.
drvError_t halMemGetAllocationPropertiesFromHandle(struct drv_mem_prop *prop, drv_mem_handle_t *handle);
/// Start and length of the allocation that holds an address.
drvError_t halMemGetAddressRange(DVdeviceptr ptr, DVdeviceptr *base, size_t *size);
/// Allocates memory of the kind that the flag says.
drvError_t halMemAlloc(void **pp, unsigned long long size, unsigned long long flag);
/// Frees memory.
drvError_t halMemFree(void *pp);
/// Returns the attributes of the memory at an address.
drvError_t drvMemGetAttribute(DVdeviceptr ptr, struct DVattribute *attribute);
/// Makes host memory reachable for a device, or in reverse.
drvError_t halHostRegister(void *src, uint64_t size, uint32_t flag, uint32_t devid, void **dst);
/// Ends a registration.
drvError_t halHostUnregister(void *src, uint32_t devid);
/// Ends a registration of a map type.
drvError_t halHostUnregisterEx(void *src, uint32_t devid, uint32_t flag);
/// Makes a name of device memory for other processes.
drvError_t halShmemCreateHandle(DVdeviceptr ptr, size_t size, char *name, uint32_t name_len);
/// Maps the memory of a name.
drvError_t halShmemOpenHandle(const char *name, DVdeviceptr *ptr);
/// Unmaps it.
drvError_t halShmemCloseHandle(DVdeviceptr ptr);
/// Ends a name.
drvError_t halShmemDestroyHandle(const char *name);
/// Names processes that may open a name.
drvError_t halShmemSetPidHandle(const char *name, int pid[], int num);
/// Number of devices.
drvError_t drvGetDevNum(uint32_t *num_dev);
/// A fact of a device.
drvError_t halGetDeviceInfo(uint32_t devid, int32_t module_type, int32_t info_type, int64_t *value);
/// Reports if a device can access the memory of a peer.
drvError_t halDeviceCanAccessPeer(int *can_access_peer, uint32_t devid, uint32_t peer_devid);

#ifdef __cplusplus
}
#endif
#endif
