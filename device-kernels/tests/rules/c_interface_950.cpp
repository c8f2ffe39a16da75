// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions over registers of the C interface, on the 950. Lines as in c_interface.cpp.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

#include "ascendc/local_arrays.h"
#include "c_api/asc_simd.h"

#define ARRAY(T, name, count)                                                                                          \
    T(&name)[count] = mf::emulation::LocalArray([] { static char key; return &key; }(), mf::emulation::Space::Ub, #name)

namespace {

constexpr uint32_t COUNT = 100;

__simd_vf__ inline void doubled(__ubuf__ float *to, __ubuf__ float *from, uint32_t count)
{
    const int64_t lanes = asc_get_vf_len() / sizeof(float);
    for (int64_t at = 0; at < COUNT; at += lanes) {
        vector_bool mask = asc_update_mask_b32(count);
        vector_float value;
        asc_loadalign(value, from, static_cast<int32_t>(at));
        asc_add(value, value, value, mask);
        asc_storealign(to, value, static_cast<int32_t>(at), mask);
    }
}
__simd_vf__ inline void aside(__ubuf__ float *to)
{
    vector_float value;
    asc_duplicate_scalar(value, 1.0F, asc_create_mask_b32(PAT_ALL));
    asc_storealign(to + 4, value, asc_create_mask_b32(PAT_VL8));
}

} // namespace

extern "C" __global__ __aicore__ void c_registers(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    asc_init();
    ARRAY(float, in, 2 * 64);
    ARRAY(float, out, COUNT);
    __gm__ float *own = reinterpret_cast<__gm__ float *>(memory);
    constexpr uint8_t LOADS = static_cast<uint8_t>(asc_load_l2_cache_mode::NORMAL_FIRST_VICTIM);
    constexpr uint8_t STORES = static_cast<uint8_t>(asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM);
    const uint16_t rows = which == 5 ? 2 : 1;
    asc_copy_gm2ub_align(in, own, 1, COUNT * sizeof(float), 0, 0, false, LOADS, 0, 0); // 1 a
    if (which != 1)
        asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
    if (which != 1)
        asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
    mf::emulation::note_place(), asc_vf_call<doubled>(which == 3 ? out + 8 : out, in, COUNT); // 1 b
    if (which == 4)
        asc_vf_call<aside>(out);
    if (which != 2) {
        asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
    }
    asc_copy_ub2gm_align(own, out, rows, COUNT * sizeof(float) / rows, STORES, COUNT * 2, 100); // 2 b
    asc_sync();
}
MF_KERNEL(c_registers, GM_ADDR, uint32_t)
