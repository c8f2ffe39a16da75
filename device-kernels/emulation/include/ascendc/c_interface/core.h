// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: the core itself, the order of its pipes, and the state of later calls.
//
// CANN's compiler inserts no synchronisation for these functions, with any options: each dependence between
// two pipes needs asc_sync_notify and asc_sync_wait, or a barrier. Names with `_sync` at the end do the work
// and then wait for all pipes.
#pragma once

#include "../intrinsics.h"
#include "../mutex.h"

#define ASC_IS_AIV ASCEND_IS_AIV
#define ASC_IS_AIC ASCEND_IS_AIC

// Copies overwrite, and all elements count: the state that a kernel should begin with.
__aicore__ inline void asc_init() {
    if (!mf::emulation::place().is_vector) return;
    AscendC::SetAtomicNone();
    AscendC::SetMaskNorm();
    AscendC::ResetMask();
}

__aicore__ inline int64_t asc_get_block_num() { return get_block_num(); }
__aicore__ inline int64_t asc_get_block_idx() { return get_block_idx(); }
__aicore__ inline int64_t asc_get_sub_block_num() { return get_subblockdim(); }
__aicore__ inline int64_t asc_get_sub_block_id() { return get_subblockid(); }
__aicore__ inline int64_t asc_get_system_cycle() { return get_sys_cnt(); }

// Barriers of all pipes, and of one.
__aicore__ inline void asc_sync(mf::emulation::Site at = MF_HERE) { mf::emulation::barrier(mf::emulation::Pipe::All, at); }
#if MF_NPU_ARCH == 2201
__aicore__ inline void asc_sync_vec(mf::emulation::Site at = MF_HERE) { asc_sync(at); }
#endif
__aicore__ inline void asc_sync_pipe(pipe_t pipe, mf::emulation::Site at = MF_HERE) { pipe_barrier(pipe, at); }

// A flag from one pipe to another, by its number.
__aicore__ inline void asc_sync_notify(pipe_t from, pipe_t to, int32_t id, mf::emulation::Site at = MF_HERE) {
    set_flag(from, to, id, at);
}
__aicore__ inline void asc_sync_wait(pipe_t from, pipe_t to, int32_t id, mf::emulation::Site at = MF_HERE) {
    wait_flag(from, to, id, at);
}
// The two other pipes of a vector core wait for the copies in, or out; later ones of that pipe, too.
__aicore__ inline void asc_sync_mte2(int32_t id, mf::emulation::Site at = MF_HERE) {
    set_flag(PIPE_MTE2, PIPE_MTE3, id, at);
    set_flag(PIPE_MTE2, PIPE_V, id, at);
    wait_flag(PIPE_MTE2, PIPE_MTE3, id, at);
    wait_flag(PIPE_MTE2, PIPE_V, id, at);
    pipe_barrier(PIPE_MTE2, at);
}
__aicore__ inline void asc_sync_mte3(int32_t id, mf::emulation::Site at = MF_HERE) {
    set_flag(PIPE_MTE3, PIPE_MTE2, id, at);
    set_flag(PIPE_MTE3, PIPE_V, id, at);
    wait_flag(PIPE_MTE3, PIPE_MTE2, id, at);
    wait_flag(PIPE_MTE3, PIPE_V, id, at);
    pipe_barrier(PIPE_MTE3, at);
}
__aicore__ inline void asc_sync_data_barrier(mem_dsb_t memory) { dsb(memory); }

// Counting flags between cores: of all cores of a kind (inter), of the vector cores of a block (subblock), of
// a cube core and its vector cores (block).
#define MF_BETWEEN_CORES(NAME, MODE)                                                                                   \
    __aicore__ inline void asc_sync_##NAME##_arrive(pipe_t pipe, int32_t id, mf::emulation::Site at = MF_HERE) {       \
        mf::emulation::cross_core_set(MODE, mf::emulation::pipe_of(pipe), static_cast<unsigned>(id), at);              \
    }                                                                                                                  \
    __aicore__ inline void asc_sync_##NAME##_wait(pipe_t pipe, int32_t id, mf::emulation::Site at = MF_HERE) {         \
        using namespace mf::emulation;                                                                                 \
        cross_core_wait(IS_950 ? MODE : ANY_MODE, IS_950 ? pipe_of(pipe) : Pipe::Scalar, static_cast<unsigned>(id), at); \
    }
MF_BETWEEN_CORES(inter, 0)
MF_BETWEEN_CORES(subblock, 1)
MF_BETWEEN_CORES(block, 2)
#undef MF_BETWEEN_CORES

#if MF_NPU_ARCH == 3510
__aicore__ inline void asc_lock(pipe_t pipe, uint8_t id, mf::emulation::Site at = MF_HERE) {
    mf::emulation::lock(mf::emulation::pipe_of(pipe), id, at);
}
__aicore__ inline void asc_unlock(pipe_t pipe, uint8_t id, mf::emulation::Site at = MF_HERE) {
    mf::emulation::unlock(mf::emulation::pipe_of(pipe), id, at);
}
#endif

// The mask of calls with repeats: a bit for each element of 256 bytes, or a count of elements of all repeats.
__aicore__ inline void asc_set_mask_count() { set_mask_count(); }
__aicore__ inline void asc_set_mask_norm() { set_mask_norm(); }
__aicore__ inline void asc_set_vector_mask(uint64_t high, uint64_t low) { set_vector_mask(high, low); }

// Copies out of local memory combine, until asc_set_atomic_none.
#define MF_ATOMICS(NAME, T)                                                                                            \
    __aicore__ inline void asc_set_atomic_add_##NAME(mf::emulation::Site at = MF_HERE) { AscendC::SetAtomicAdd<T>(at); } \
    __aicore__ inline void asc_set_atomic_max_##NAME(mf::emulation::Site at = MF_HERE) { AscendC::SetAtomicMax<T>(at); } \
    __aicore__ inline void asc_set_atomic_min_##NAME(mf::emulation::Site at = MF_HERE) { AscendC::SetAtomicMin<T>(at); }
MF_ATOMICS(float, float)
MF_ATOMICS(float16, half)
MF_ATOMICS(bfloat, bfloat16_t)
MF_ATOMICS(int, int32_t)
MF_ATOMICS(int16, int16_t)
MF_ATOMICS(int8, int8_t)
#undef MF_ATOMICS
__aicore__ inline void asc_set_atomic_none() { AscendC::SetAtomicNone(); }

namespace mf::emulation {

// The local memory from a raw pointer on: a declared array, or any place of the memory.
inline LocalRange range_at(Space space, const volatile void *pointer, Site at) {
    return {space, local_offset(space, const_cast<const void *>(pointer), at), 0, static_cast<uint32_t>(local_bytes(space))};
}

// The argument's type does not decide which function is meant.
template <typename T> struct SameType {
    using type = T;
};
template <typename T> using Given = typename SameType<T>::type;

} // namespace mf::emulation
