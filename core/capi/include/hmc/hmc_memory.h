// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Memory, over the backends of the library: see mem.h.
#ifndef HMC_MEMORY_H
#define HMC_MEMORY_H

#include "mem.h"

namespace hmc {

namespace detail {

inline const char *name_of(MemoryType type)
{
    switch (type) {
        case MemoryType::DEFAULT: return "Default memory";
        case MemoryType::CPU: return "CPU";
        case MemoryType::NVIDIA_GPU: return "NVIDIA GPU";
        case MemoryType::AMD_GPU: return "AMD GPU";
        case MemoryType::CAMBRICON_MLU: return "Cambricon MLU";
        case MemoryType::MOORE_GPU: return "Moore Threads GPU";
        case MemoryType::HUAWEI_ASCEND_NPU: return "Huawei Ascend NPU";
    }
    return "Unknown memory";
}

// Resolves a type on this machine. Throws for one that this machine lacks.
inline status_t resolve(int device, MemoryType type, MemoryType &resolved)
{
    std::int32_t number = 0;
    const status_t status = status_of(mfx_hmc_memory_check(device, static_cast<std::int32_t>(type), &number));
    if (status == status_t::UNSUPPORT)
        throw Error(status, std::string(name_of(type)) + " is not supported: " + last_error());
    resolved = status == status_t::SUCCESS ? static_cast<MemoryType>(number) : type;
    return status;
}

// The backend of the library for a kind of memory that this machine has.
class LibraryMemory final : public MemoryBase {
public:
    using MemoryBase::MemoryBase;

    status_t init() override
    {
        std::int32_t resolved = 0;
        return status_of(mfx_hmc_memory_check(device_id, number(), &resolved));
    }
    // The library's resources of a device belong to the process, and stay.
    status_t free() override { return status_t::SUCCESS; }
    status_t allocateBuffer(void **addr, std::size_t size) override { return allocate(addr, size, 0); }
    status_t allocatePeerableBuffer(void **addr, std::size_t size) override { return allocate(addr, size, 1); }
    status_t freeBuffer(void *addr) override { return status_of(mfx_hmc_memory_free(device_id, number(), addr)); }
    status_t copyHostToDevice(void *dest, const void *src, std::size_t size) override
    {
        return copy(dest, src, size, MFX_HMC_TO_DEVICE);
    }
    status_t copyDeviceToHost(void *dest, const void *src, std::size_t size) override
    {
        return copy(dest, src, size, MFX_HMC_TO_HOST);
    }
    status_t copyDeviceToDevice(void *dest, const void *src, std::size_t size) override
    {
        return copy(dest, src, size, MFX_HMC_ON_DEVICE);
    }

private:
    std::int32_t number() const { return static_cast<std::int32_t>(mem_type); }
    status_t allocate(void **addr, std::size_t size, std::uint32_t peerable) const
    {
        return status_of(mfx_hmc_memory_allocate(device_id, number(), size, peerable, addr));
    }
    status_t copy(void *dest, const void *src, std::size_t size, std::uint32_t direction) const
    {
        return status_of(mfx_hmc_memory_copy(device_id, number(), dest, src, size, direction));
    }
};

} // namespace detail

// One kind of memory of one device. Allocations stay after its end, until freeBuffer. All calls are local,
// return when they are done, and may be made from several threads, except init and setDeviceIdAndMemoryType,
// which no other call may meet. The thread's selected device is the same afterwards.
class Memory {
public:
    // device: number of the device among devices of its kind; host memory ignores it. Throws Error (a
    // std::runtime_error, UNSUPPORT) with the reason for a type or a device that this machine lacks. Other
    // failures are returned by getInitStatus() and by all calls: INVALID_CONFIG for a number that is no type.
    Memory(int device, MemoryType type = MemoryType::DEFAULT) { setDeviceIdAndMemoryType(device, type); }

    // Reads again whether the memory can be used.
    status_t init()
    {
        if (backend_ != nullptr) init_status_ = backend_->init();
        return init_status_;
    }
    // SUCCESS: nothing is held.
    status_t free() { return backend_ != nullptr ? backend_->free() : init_status_; }

    // A backend for this device; null for a number that is no type. Throws as the constructor.
    std::unique_ptr<MemoryBase> createMemoryClass(MemoryType type)
    {
        MemoryType resolved = type;
        if (detail::resolve(device_, type, resolved) != status_t::SUCCESS) return nullptr;
        return std::unique_ptr<MemoryBase>(new detail::LibraryMemory(device_, resolved));
    }

    // size: bytes, which are not set to anything. ERROR: not enough memory, addr null.
    status_t allocateBuffer(void **addr, std::size_t size)
    {
        return usable() ? backend_->allocateBuffer(addr, size) : init_status_;
    }
    // The same, as a ConnBuffer has it: on accelerators rounded up to ACCEL_PAGE_SIZE, and shareable.
    status_t allocatePeerableBuffer(void **addr, std::size_t size)
    {
        return usable() ? backend_->allocatePeerableBuffer(addr, size) : init_status_;
    }
    // An allocation of either. ERROR: another address; null is ERROR for host memory, else SUCCESS.
    status_t freeBuffer(void *addr) { return usable() ? backend_->freeBuffer(addr) : init_status_; }

    // With host memory all three copy within it. ERROR: dest or src null, failure of the device.
    status_t copyHostToDevice(void *dest, const void *src, std::size_t size)
    {
        return usable() ? backend_->copyHostToDevice(dest, src, size) : init_status_;
    }
    status_t copyDeviceToHost(void *dest, const void *src, std::size_t size)
    {
        return usable() ? backend_->copyDeviceToHost(dest, src, size) : init_status_;
    }
    status_t copyDeviceToDevice(void *dest, const void *src, std::size_t size)
    {
        return usable() ? backend_->copyDeviceToDevice(dest, src, size) : init_status_;
    }

    // Changes to another device or type. Throws as the constructor, and is unchanged then.
    status_t setDeviceIdAndMemoryType(int device, MemoryType type = MemoryType::DEFAULT)
    {
        MemoryType resolved = type;
        const status_t status = detail::resolve(device, type, resolved);
        std::unique_ptr<MemoryBase> backend;
        if (status == status_t::SUCCESS) backend.reset(new detail::LibraryMemory(device, resolved));
        backend_ = std::move(backend);
        init_status_ = status;
        type_ = resolved;
        device_ = device;
        return status;
    }

    // The resolved type: DEFAULT's, or the given one.
    MemoryType getMemoryType() { return type_; }
    status_t getInitStatus() { return init_status_; }
    int getDeviceId() { return device_; }

private:
    bool usable() const { return init_status_ == status_t::SUCCESS; }

    std::unique_ptr<MemoryBase> backend_;
    status_t init_status_ = status_t::ERROR;
    MemoryType type_ = MemoryType::DEFAULT;
    int device_ = 0;
};

} // namespace hmc

#endif
