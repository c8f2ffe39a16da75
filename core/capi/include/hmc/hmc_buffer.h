// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The buffer that peers read and write: see hmc.h.
#ifndef HMC_BUFFER_H
#define HMC_BUFFER_H

#include "mem.h"

namespace hmc {

// One allocation in host memory or on an accelerator, at the same address as long as it lives, that the peers
// of a Communicator put to and get from. It lives until the last Communicator over it ends.
//
// All calls are local, return when the bytes are there, and may be made from any thread. Bytes that a peer
// writes at the same time may be seen half old and half new: order both by messages of the control channel.
// size and bias are bytes; a range that is not inside the buffer is ERROR, and nothing is copied. Nobody
// changes the fields but the object.
class ConnBuffer {
public:
    void *ptr;             // the first byte; an address of the device where it lies on one
    std::size_t buffer_size;
    Memory *mem_ops;       // the memory that it lies in, the object's own
    MemoryType mem_type;   // as asked for: mem_ops->getMemoryType() is what DEFAULT became
    int device_id;

    // device: its number among devices of its kind; host memory ignores it. Throws Error (a
    // std::runtime_error): UNSUPPORT for a type that this machine lacks, INVALID_CONFIG for a number that is
    // no type, ERROR when there is not enough memory, or size 0.
    ConnBuffer(int device, std::size_t size, MemoryType type = MemoryType::DEFAULT)
        : ptr(nullptr), buffer_size(size), mem_ops(nullptr), mem_type(type), device_id(device), memory_(device, type),
          handle_(created(device, size, type), mfx_hmc_buffer_destroy)
    {
        mfx_hmc_buffer_info_t info = {};
        detail::check(mfx_hmc_buffer_info(handle_.get(), &info), "mfx_hmc_buffer_info");
        ptr = info.ptr;
        mem_ops = &memory_;
    }
    ConnBuffer(const ConnBuffer &) = delete;
    ConnBuffer &operator=(const ConnBuffer &) = delete;

    // From and to memory of the host.
    status_t writeFromCpu(void *src, std::size_t size, std::size_t bias = 0)
    {
        return detail::status_of(mfx_hmc_buffer_write(handle(), src, size, bias, 0));
    }
    status_t readToCpu(void *dest, std::size_t size, std::size_t bias = 0)
    {
        return detail::status_of(mfx_hmc_buffer_read(handle(), dest, size, bias, 0));
    }
    // From and to memory of the accelerator that the buffer is on. ERROR for a buffer in host memory.
    status_t writeFromGpu(void *src, std::size_t size, std::size_t bias = 0)
    {
        return detail::status_of(mfx_hmc_buffer_write(handle(), src, size, bias, 1));
    }
    status_t readToGpu(void *dest, std::size_t size, std::size_t bias = 0)
    {
        return detail::status_of(mfx_hmc_buffer_read(handle(), dest, size, bias, 1));
    }
    // Moves bytes inside the buffer; both ranges may overlap.
    status_t copyWithin(std::size_t dst_bias, std::size_t src_bias, std::size_t size)
    {
        return detail::status_of(mfx_hmc_buffer_copy_within(handle(), dst_bias, src_bias, size));
    }

    // For functions of C.
    mfx_hmc_buffer_t handle() const noexcept { return handle_.get(); }

private:
    static mfx_hmc_buffer_t created(int device, std::size_t size, MemoryType type)
    {
        mfx_hmc_buffer_t handle = nullptr;
        detail::check(mfx_hmc_buffer_create(device, static_cast<std::int32_t>(type), size, &handle), "mfx_hmc_buffer_create");
        return handle;
    }

    Memory memory_;
    std::unique_ptr<void, std::int32_t (*)(mfx_hmc_buffer_t)> handle_;
};

} // namespace hmc

#endif
