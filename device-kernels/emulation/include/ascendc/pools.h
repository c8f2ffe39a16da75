// SPDX-License-Identifier: Apache-2.0 OR MIT
// TBufPool: a part of a memory for repeatedly created buffers; and the unallocated rest of a memory.
#pragma once

#include "buffers.h"

namespace mf::emulation {

// Untyped base of TBufPool.
class Pool {
  public:
    // Of memory that TPipe, or another pool, gave.
    void begin(Buffers &pipe, const LocalRange &memory, uint32_t bytes, Site at) {
        pipe_ = &pipe;
        memory_ = memory;
        memory_.buffer_end = memory.buffer_begin + static_cast<uint32_t>(round_up_to_block(bytes));
        reset(at);
    }
    LocalRange shared(uint32_t bytes, Site at) const {
        check_begun(at);
        if (memory_.buffer_begin + round_up_to_block(bytes) > memory_.buffer_end)
            fault("K3", at, "InitBufPool: %u bytes are more than the pool that is shared has", bytes);
        return memory_;
    }
    LocalRange allocate(Space space, uint32_t count, uint64_t bytes, const char *what, Site at) {
        check_begun(at);
        if (space != memory_.space) fault("K3", at, "%s: the pool is in another memory", what);
        const uint64_t all = round_up_to_block(bytes) * count;
        if (count == 0 || bytes == 0) fault("K3", at, "%s has 0 bytes", what);
        if (memory_.buffer_begin + used_ + all > memory_.buffer_end)
            fault("K3", at, "%s takes %llu bytes of a pool of %u, of which %llu are taken", what,
                  static_cast<unsigned long long>(all), memory_.buffer_end - memory_.buffer_begin,
                  static_cast<unsigned long long>(used_));
        LocalRange part = memory_;
        part.offset = part.buffer_begin = memory_.buffer_begin + static_cast<uint32_t>(used_);
        part.buffer_end = part.buffer_begin + static_cast<uint32_t>(all);
        used_ += all;
        return part;
    }
    void add(const Queue &queue, Pipe producer, Pipe consumer) {
        queues_.push_back(queue);
        pipe_->add(queue, producer, consumer);
    }
    void reset(Site at) {
        for (const Queue &queue : queues_) queue.forget(at);
        queues_.clear();
        used_ = 0;
    }
    Buffers &pipe() const { return *pipe_; }

  private:
    void check_begun(Site at) const {
        if (pipe_ == nullptr) fault("K3", at, "the pool has no memory: InitBufPool comes first");
    }
    Buffers *pipe_ = nullptr;
    LocalRange memory_;
    uint64_t used_ = 0;
    std::vector<Queue> queues_;
};

} // namespace mf::emulation

namespace AscendC {

constexpr uint32_t defaultBufIDSize = 4;

template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize> class TBufPool : private mf::emulation::Pool {
  public:
    static constexpr TPosition poolPos = pos;

    template <typename T>
    __aicore__ inline bool InitBuffer(T &que, uint8_t num, uint32_t len, mf::emulation::Site at = MF_HERE) {
        que.take(static_cast<mf::emulation::Pool &>(*this), num, len, at);
        return true;
    }
    template <TPosition bufPos>
    __aicore__ inline bool InitBuffer(TBuf<bufPos> &buf, uint32_t len, mf::emulation::Site at = MF_HERE) {
        using namespace mf::emulation;
        buf.memory_ = allocate(space_of(bufPos), 1, len, "TBuf", at);
        buf.bytes_ = static_cast<uint32_t>(round_up_to_block(len));
        return true;
    }
    // A pool within this one, or in the place of another.
    template <typename T> __aicore__ inline bool InitBufPool(T &bufPool, uint32_t len, mf::emulation::Site at = MF_HERE) {
        bufPool.begin(pipe(), allocate(mf::emulation::space_of(T::poolPos), 1, len, "TBufPool", at), len, at);
        return true;
    }
    template <typename T, typename U>
    __aicore__ inline bool InitBufPool(T &bufPool, uint32_t len, U &shareBuf, mf::emulation::Site at = MF_HERE) {
        bufPool.begin(pipe(), shareBuf.shared(len, at), len, at);
        return true;
    }
    // Takes its buffers back.
    __aicore__ inline void Reset(mf::emulation::Site at = MF_HERE) { reset(at); }

  private:
    friend class TPipe;
    template <TPosition pool, uint32_t size> friend class TBufPool;
};

// All that no buffer has of the memory, until the next one is made.
template <typename T, TPosition pos> __aicore__ inline bool PopStackBuffer(LocalTensor<T> &pop, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange rest = Buffers::rest_of(space_of(pos), at);
    pop = LocalTensorMaker::make<T>(pos, rest, (rest.buffer_end - rest.buffer_begin) / static_cast<uint32_t>(sizeof(T)));
    return true;
}

} // namespace AscendC
