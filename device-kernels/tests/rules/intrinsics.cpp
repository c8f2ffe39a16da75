// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels that call the compiler's own functions.
#include "mf_kernel.h"

// Each block doubles its 64 numbers, adds them to `sums`, and writes its number beside: by raw pointers.
extern "C" __global__ __aicore__ void doubled(GM_ADDR numbers, GM_ADDR sums, GM_ADDR blocks)
{
    MF_KERNEL_VECTOR();
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    GetTPipePtr()->InitBuffer(buffer, 512);
    const AscendC::LocalTensor<float> tensor = buffer.Get<float>();
    __ubuf__ float *in = reinterpret_cast<__ubuf__ float *>(tensor.GetPhyAddr());
    __gm__ float *own = reinterpret_cast<__gm__ float *>(numbers) + get_block_idx() * 64;
    set_atomic_none();
    set_mask_norm();
    set_vector_mask(0, ~0ull);
    copy_gm_to_ubuf(in, own, 0, 1, 8, 0, 0);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    AscendC::Adds<float, false>(tensor, tensor, 0.0F, AscendC::MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    pipe_barrier(PIPE_V);
    AscendC::Add(tensor[64], tensor, tensor, 64);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    copy_ubuf_to_gm_align_b32(own, in + 64, 0, 1, 252, 0, 0, 0, 0);
    set_atomic_f32();
    set_atomic_add();
    copy_ubuf_to_gm(sums, in + 64, 0, 1, 8, 0, 0);
    set_atomic_none();
    pipe_barrier(PIPE_ALL);
    __gm__ int32_t *line = reinterpret_cast<__gm__ int32_t *>(blocks) + block_idx * 16;
    st_dev(static_cast<int32_t>(block_num), line, 4);
    AscendC::GlobalTensor<int32_t> word;
    word.SetGlobalBuffer(line, 1);
    dcci(line, SINGLE_CACHE_LINE, CACHELINE_OUT);
    word.SetValue(0, ld_dev(line, 4) * 100 + static_cast<int32_t>(get_imm(block_idx)) * 10 + g_coreType);
    dcci(line, cache_line_t::SINGLE_CACHE_LINE, dcci_dst_t::CACHELINE_OUT);
    dsb(DSB_ALL);
}
MF_KERNEL(doubled, GM_ADDR, GM_ADDR, GM_ADDR)

extern "C" __global__ __aicore__ void mistake(GM_ADDR numbers, uint32_t which)
{
    MF_KERNEL_VECTOR();
    __ubuf__ float *in = reinterpret_cast<__ubuf__ float *>(1024);
    switch (which) {
    case 0:
        copy_gm_to_ubuf(in, numbers, 0, 1, 8, 0, 0);
        copy_ubuf_to_gm(numbers, in, 0, 1, 8, 0, 0);
        break;
    case 1:
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID7 + 1);
        break;
    case 2:
        copy_gm_to_ubuf(in + 1, numbers, 0, 1, 8, 0, 0);
        break;
    case 3:
        trap();
    default:
        break;
    }
}
MF_KERNEL(mistake, GM_ADDR, uint32_t)
