// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of the device's compiler, which older kernels call in place of Ascend C's. Here each is the
// function of Ascend C with the same work. Addresses in the unified buffer are raw pointers.
#pragma once

#include "between_cores.h"
#include "cache.h"
#include "copy.h"
#include "masks.h"
#include "scalar.h"
#include "sync.h"
#include "system.h"

// The block, as its cores are counted: vector cores of one cube core share it. And how many there are.
extern thread_local int64_t block_idx;
extern thread_local int64_t block_num;

__aicore__ inline int64_t get_block_idx() { return block_idx; }
__aicore__ inline int64_t get_block_num() { return block_num; }
__aicore__ inline int64_t get_subblockid() { return AscendC::GetSubBlockIdx(); }
__aicore__ inline int64_t get_subblockdim() { return AscendC::GetTaskRation(); }
__aicore__ inline int64_t get_sys_cnt() { return AscendC::GetSystemCycle(); }
template <typename T> __aicore__ inline constexpr T get_imm(T value) { return value; }
// Brings code into the cache of instructions, which the simulator has not.
__aicore__ inline void icache_preload(int64_t) {}

enum cache_line_t : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum dcci_dst_t : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB = 1, CACHELINE_OUT = 2, CACHELINE_ATOMIC = 3 };
enum mem_dsb_t : uint8_t { DSB_ALL = 0, DSB_DDR = 1, DSB_UB = 2, DSB_SEQ = 3 };

__aicore__ inline void dcci(const volatile void *address, cache_line_t lines, dcci_dst_t to = CACHELINE_ALL,
                            mf::emulation::Site at = MF_HERE) {
    using mf::emulation::Lines;
    if (to == CACHELINE_ALL || to == CACHELINE_OUT)
        mf::emulation::clean_and_invalidate(reinterpret_cast<uint64_t>(address),
                                            lines == SINGLE_CACHE_LINE ? Lines::One : Lines::All, at);
}
__aicore__ inline void dsb(mem_dsb_t) {}

__aicore__ inline void pipe_barrier(pipe_t pipe, mf::emulation::Site at = MF_HERE) {
    mf::emulation::barrier(mf::emulation::pipe_of(pipe), at);
}
__aicore__ inline void set_flag(pipe_t from, pipe_t to, int32_t id, mf::emulation::Site at = MF_HERE) {
    mf::emulation::check_flag_number("set_flag", id, at);
    mf::emulation::set_flag(mf::emulation::pipe_of(from), mf::emulation::pipe_of(to), id, at);
}
__aicore__ inline void wait_flag(pipe_t from, pipe_t to, int32_t id, mf::emulation::Site at = MF_HERE) {
    mf::emulation::check_flag_number("wait_flag", id, at);
    mf::emulation::wait_flag(mf::emulation::pipe_of(from), mf::emulation::pipe_of(to), id, at);
}

// Flags between cores: 1, the mode from bit 4 on, the number from bit 8 on.
__aicore__ inline void set_ffts_base_addr(uint64_t config) { AscendC::SetSyncBaseAddr(config); }
__aicore__ inline void ffts_cross_core_sync(pipe_t pipe, uint64_t config, mf::emulation::Site at = MF_HERE) {
    mf::emulation::cross_core_set(static_cast<int>(config >> 4 & 3), mf::emulation::pipe_of(pipe),
                                  static_cast<unsigned>(config >> 8 & 15), at);
}
__aicore__ inline void wait_flag_dev(int64_t id, mf::emulation::Site at = MF_HERE) {
    mf::emulation::cross_core_wait(mf::emulation::ANY_MODE, mf::emulation::Pipe::Scalar, static_cast<unsigned>(id), at);
}

// Leading zeros; 64 of zero.
__aicore__ constexpr int64_t clz(uint64_t value) { return value == 0 ? 64 : __builtin_clzll(value); }
using float32_t = float;
using float16_t = half;
// Of two numbers. The empty pack puts others' templates of these names first.
#define MF_OF_TWO(NAME, IS_SECOND)                                                                                     \
    template <typename A, typename B, typename... None, typename C = std::common_type_t<A, B>>                         \
    __aicore__ constexpr std::enable_if_t<std::is_arithmetic_v<C> && sizeof...(None) == 0, C> NAME(A a, B b, None...) { \
        return IS_SECOND ? static_cast<C>(b) : static_cast<C>(a);                                                      \
    }
MF_OF_TWO(min, static_cast<C>(b) < static_cast<C>(a))
MF_OF_TWO(max, static_cast<C>(a) < static_cast<C>(b))
#undef MF_OF_TWO

__aicore__ inline void set_mask_norm() { AscendC::SetMaskNorm(); }
__aicore__ inline void set_mask_count() { AscendC::SetMaskCount(); }
__aicore__ inline void set_vector_mask(uint64_t high, uint64_t low) {
    mf::emulation::vector_mask().words[0] = low;
    mf::emulation::vector_mask().words[1] = high;
}

// The type and the operation of atomic copies are set apart.
#define MF_ATOMIC_TYPE(NAME, TYPE)                                                                                     \
    __aicore__ inline void set_atomic_##NAME(mf::emulation::Site at = MF_HERE) {                                       \
        mf::emulation::atomic_state().type = mf::emulation::Type::TYPE;                                                \
        mf::emulation::atomic_state().site = at;                                                                       \
    }
MF_ATOMIC_TYPE(f32, F32)
MF_ATOMIC_TYPE(f16, F16)
MF_ATOMIC_TYPE(bf16, BF16)
MF_ATOMIC_TYPE(s32, I32)
MF_ATOMIC_TYPE(s16, I16)
MF_ATOMIC_TYPE(s8, I8)
#undef MF_ATOMIC_TYPE
#define MF_ATOMIC_WORK(NAME, WORK)                                                                                     \
    __aicore__ inline void set_atomic_##NAME(mf::emulation::Site at = MF_HERE) {                                       \
        mf::emulation::atomic_state().combine = mf::emulation::Combine::WORK;                                          \
        mf::emulation::atomic_state().site = at;                                                                       \
    }
MF_ATOMIC_WORK(add, Add)
MF_ATOMIC_WORK(max, Max)
MF_ATOMIC_WORK(min, Min)
#undef MF_ATOMIC_WORK
__aicore__ inline void set_atomic_none() { AscendC::SetAtomicNone(); }

// Past the data cache; the offset is in bytes.
template <typename T> __aicore__ inline void st_dev(T value, __gm__ T *address, int16_t offset, mf::emulation::Site at = MF_HERE) {
    AscendC::WriteGmByPassDCache(reinterpret_cast<__gm__ T *>(reinterpret_cast<uint64_t>(address) + offset), value, at);
}
template <typename T> __aicore__ inline T ld_dev(__gm__ T *address, int16_t offset, mf::emulation::Site at = MF_HERE) {
    return AscendC::ReadGmByPassDCache(reinterpret_cast<__gm__ T *>(reinterpret_cast<uint64_t>(address) + offset), at);
}

[[noreturn]] __aicore__ inline void trap(mf::emulation::Site at = MF_HERE) { mf::emulation::trap(at); }

namespace mf::emulation {

// The unified buffer from a raw pointer on, and global memory.
inline LocalRange at_pointer(const volatile void *pointer, Site at) {
    return {Space::Ub, ub_offset(const_cast<const void *>(pointer), at), 0, static_cast<uint32_t>(local_bytes(Space::Ub))};
}
inline GlobalRange global_at(const volatile void *pointer) { return {reinterpret_cast<uint64_t>(pointer)}; }

} // namespace mf::emulation

// Blocks of 32 bytes: `nBurst` pieces of `lenBurst`, with gaps.
__aicore__ inline void copy_gm_to_ubuf(__ubuf__ void *dst, __gm__ void *src, uint8_t, uint16_t nBurst, uint16_t lenBurst,
                                       uint16_t srcGap, uint16_t dstGap, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    copy_blocks(at_pointer(dst, at), global_at(src), Blocks{nBurst, lenBurst * 32u, srcGap * 32u, dstGap * 32u}, 1, at);
}
__aicore__ inline void copy_ubuf_to_gm(__gm__ void *dst, __ubuf__ void *src, uint8_t, uint16_t nBurst, uint16_t lenBurst,
                                       uint16_t srcGap, uint16_t dstGap, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    copy_blocks(global_at(dst), at_pointer(src, at), Blocks{nBurst, lenBurst * 32u, srcGap * 32u, dstGap * 32u}, 1, at);
}
// Rows of `lenBurst` bytes; gaps in bytes in global memory, in blocks of 32 bytes in the unified buffer.
// Paddings count elements.
#define MF_ALIGNED_COPIES(BITS)                                                                                        \
    __aicore__ inline void copy_gm_to_ubuf_align_b##BITS(                                                              \
        __ubuf__ void *dst, __gm__ void *src, uint8_t, uint16_t nBurst, uint32_t lenBurst, uint8_t leftPaddingNum,     \
        uint8_t rightPaddingNum, uint32_t srcGap, uint32_t dstGap, mf::emulation::Site at = MF_HERE) {                 \
        using namespace mf::emulation;                                                                                 \
        const Padding padding = {leftPaddingNum * BITS / 8u, rightPaddingNum * BITS / 8u, {}};                         \
        copy_rows(at_pointer(dst, at), global_at(src),                                                                 \
                  Pieces(AscendC::DataCopyExtParams(nBurst, lenBurst, srcGap, dstGap, 0)),                             \
                  with_rest(padding, leftPaddingNum + rightPaddingNum != 0, lenBurst), BITS / 8, at);                  \
    }                                                                                                                  \
    __aicore__ inline void copy_ubuf_to_gm_align_b##BITS(                                                              \
        __gm__ void *dst, __ubuf__ void *src, uint8_t, uint16_t nBurst, uint32_t lenBurst, uint8_t, uint8_t,           \
        uint32_t srcGap, uint32_t dstGap, mf::emulation::Site at = MF_HERE) {                                          \
        using namespace mf::emulation;                                                                                 \
        copy_rows(global_at(dst), at_pointer(src, at),                                                                 \
                  Pieces(AscendC::DataCopyExtParams(nBurst, lenBurst, srcGap, dstGap, 0)), BITS / 8, at);              \
    }
MF_ALIGNED_COPIES(8)
MF_ALIGNED_COPIES(16)
MF_ALIGNED_COPIES(32)
#undef MF_ALIGNED_COPIES
