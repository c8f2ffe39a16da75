// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tensors without TPipe: memory that the kernel divides by itself. Not in CANN 8.1.
#pragma once

#include "buffers.h"

namespace AscendC {

constexpr uint32_t BLOCK_CUBE = 16;
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t DEFAULT_C0_SIZE = 32;
constexpr uint64_t HALF_MASK_LEN = 64;
constexpr uint32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr uint32_t TOTAL_UB_SIZE = (mf::emulation::IS_950 ? 248 : 192) * 1024;
constexpr uint32_t TOTAL_L1_SIZE = 512 * 1024;
constexpr uint32_t TOTAL_L0A_SIZE = 64 * 1024;
constexpr uint32_t TOTAL_L0B_SIZE = 64 * 1024;
constexpr uint32_t TOTAL_L0C_SIZE = (mf::emulation::IS_950 ? 256 : 128) * 1024;

} // namespace AscendC

namespace mf::emulation {

constexpr AscendC::TPosition position_of(AscendC::Hardware hardware) {
    using AscendC::Hardware;
    using AscendC::TPosition;
    switch (hardware) {
    case Hardware::L1: return TPosition::A1;
    case Hardware::L0A: return TPosition::A2;
    case Hardware::L0B: return TPosition::B2;
    case Hardware::L0C: return TPosition::CO1;
    case Hardware::BIAS: return TPosition::C2;
    case Hardware::FIXBUF: return TPosition::C2PIPE2GM;
    default: return TPosition::VECCALC;
    }
}

} // namespace mf::emulation

namespace AscendC {

// Hands out memory from the beginning on; nothing is given back.
template <Hardware hard = Hardware::UB> class LocalMemAllocator {
  public:
    LocalMemAllocator() = default;
    // Returns the offset of the next tensor.
    __aicore__ inline uint32_t GetCurAddr() const { return next_; }
    template <TPosition pos, typename DataType, uint32_t tileSize>
    __aicore__ inline LocalTensor<DataType> Alloc(mf::emulation::Site at = MF_HERE) {
        return Alloc<pos, DataType>(tileSize, at);
    }
    template <TPosition pos, typename DataType>
    __aicore__ inline LocalTensor<DataType> Alloc(uint32_t tileSize, mf::emulation::Site at = MF_HERE) {
        using namespace mf::emulation;
        static_assert(has_local_memory(pos) && space_of(pos) == space_of(position_of(hard)),
                      "the position lies in another memory than the allocator's");
        const LocalTensor<DataType> tensor(pos, next_, tileSize, at);
        next_ += static_cast<uint32_t>(round_up_to_block(uint64_t{tileSize} * sizeof(DataType)));
        return tensor;
    }
    template <typename DataType, uint32_t tileSize>
    __aicore__ inline LocalTensor<DataType> Alloc(mf::emulation::Site at = MF_HERE) {
        return Alloc<mf::emulation::position_of(hard), DataType>(tileSize, at);
    }
    template <typename DataType>
    __aicore__ inline LocalTensor<DataType> Alloc(uint32_t tileSize, mf::emulation::Site at = MF_HERE) {
        return Alloc<mf::emulation::position_of(hard), DataType>(tileSize, at);
    }

  private:
    static_assert(hard == Hardware::UB || hard == Hardware::L1 || hard == Hardware::L0A || hard == Hardware::L0B ||
                      hard == Hardware::L0C || hard == Hardware::BIAS || hard == Hardware::FIXBUF,
                  "there is an allocator for UB, L1, L0A, L0B, L0C, BIAS and FIXBUF");
    uint32_t next_ = 0;
};

// A flag between two pipes, by its number.
template <pipe_t src, pipe_t dst> class TQueSync {
  public:
    __aicore__ inline void SetFlag(TEventID id, mf::emulation::Site at = MF_HERE) {
        mf::emulation::check_flag_number("SetFlag", id, at);
        mf::emulation::set_flag(mf::emulation::pipe_of(src), mf::emulation::pipe_of(dst), id, at);
    }
    __aicore__ inline void WaitFlag(TEventID id, mf::emulation::Site at = MF_HERE) {
        mf::emulation::check_flag_number("WaitFlag", id, at);
        mf::emulation::wait_flag(mf::emulation::pipe_of(src), mf::emulation::pipe_of(dst), id, at);
    }
};

} // namespace AscendC
