// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Memory of the host and of accelerators, allocated and copied: see hmc.h.
#ifndef HMC_MEM_H
#define HMC_MEM_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "hmc_error.h"
#include "status.h"

// Bytes that allocatePeerableBuffer rounds allocations on accelerators up to a multiple of.
constexpr std::size_t ACCEL_PAGE_SIZE = 65536;
// An address of an accelerator.
typedef std::uint64_t CNaddr;

namespace hmc {

using ::ACCEL_PAGE_SIZE;
using ::CNaddr;

// Kind of memory.
enum class MemoryType {
    DEFAULT = 0,          // the first accelerator that this machine has, else CPU
    CPU = 1,              // host memory
    NVIDIA_GPU = 2,
    AMD_GPU = 3,          // and others that HIP drives
    CAMBRICON_MLU = 4,
    MOORE_GPU = 5,
    HUAWEI_ASCEND_NPU = 6
};

// The first kind of accelerator that this machine has, by its libraries, opened at run time; else CPU. Local.
inline MemoryType memory_supported() { return static_cast<MemoryType>(mfx_hmc_memory_supported()); }

// Returns whether memory is registered as dma-buf: never. Local.
inline bool memory_dmabuf_supported() { return false; }

// Allocator and copies of one kind of memory of one device. Memory uses the library's backend; a program may
// have backends of its own. Calls return when they are done, and may be made from any thread.
class MemoryBase {
public:
    MemoryBase(int device, MemoryType type) : device_id(device), mem_type(type) {}
    virtual ~MemoryBase() = default;
    MemoryBase(const MemoryBase &) = delete;
    MemoryBase &operator=(const MemoryBase &) = delete;

    virtual status_t init() = 0;
    virtual status_t free() = 0;
    virtual status_t allocateBuffer(void **addr, std::size_t size) = 0;
    virtual status_t allocatePeerableBuffer(void **addr, std::size_t size) = 0;
    virtual status_t freeBuffer(void *addr) = 0;
    virtual status_t copyHostToDevice(void *dest, const void *src, std::size_t size) = 0;
    virtual status_t copyDeviceToHost(void *dest, const void *src, std::size_t size) = 0;
    virtual status_t copyDeviceToDevice(void *dest, const void *src, std::size_t size) = 0;

protected:
    int device_id;
    MemoryType mem_type;
};

} // namespace hmc

#include "hmc_memory.h"

#endif
