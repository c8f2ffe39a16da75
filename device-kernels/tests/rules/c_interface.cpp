// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of the C interface, for A2 and A3. Lines with `// N a` and `// N b` are the two that mistake N is
// about.
#include "mf_kernel.h"

#include "ascendc/local_arrays.h"
#include "c_api/asc_simd.h"

namespace {

constexpr uint32_t COUNT = 64, BYTES = COUNT * sizeof(float);

} // namespace

// What `mf kernel build` makes of `__ubuf__ T name[count];`.
#define ARRAY_IN(SPACE, T, name, count)                                                                                \
    T(&name)[count] = mf::emulation::LocalArray([] { static char key; return &key; }(), mf::emulation::Space::SPACE, #name)
#define ARRAY(T, name, count) ARRAY_IN(Ub, T, name, count)

// Each case doubles its 64 numbers and orders its pipes by a different method.
extern "C" __global__ __aicore__ void c_right(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    asc_init();
    ARRAY(float, in, COUNT);
    ARRAY(float, out, COUNT);
    __gm__ float *own = reinterpret_cast<__gm__ float *>(memory) + asc_get_block_idx() * COUNT;
    switch (which) {
    case 0:
        asc_copy_gm2ub(in, own, BYTES);
        asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
        asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
        asc_add(out, in, in, COUNT);
        asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_copy_ub2gm(own, out, BYTES);
        break;
    case 1:
        asc_copy_gm2ub_sync(in, own, BYTES);
        asc_add_sync(out, in, in, COUNT);
        asc_copy_ub2gm_sync(own, out, BYTES);
        break;
    case 2:
        asc_copy_gm2ub_align(in, own, 2, BYTES / 2, 0, 0, 0, 0);
        asc_sync_mte2(1);
        asc_copy_ub2gm_align(own, in, 2, BYTES / 2, 0, 0, 0, 0);
        asc_sync_mte3(1);
        asc_mul_scalar(in, in, 2.0F, COUNT);
        asc_sync_pipe(PIPE_V);
        asc_add_scalar(in, in, 0.0F, COUNT);
        asc_sync();
        asc_copy_ub2gm(own, in, 2, 4, 0, 0);
        break;
    case 3:
        // Half of each repeat under the mask, then the other half.
        asc_copy_gm2ub(in, own, BYTES);
        asc_sync();
        asc_set_vector_mask(0, 0xFFFFFFFF);
        asc_add(out, in, in, 1, 1, 1, 1, 8, 8, 8);
        asc_set_vector_mask(0, 0xFFFFFFFF00000000);
        asc_add(out, in, in, 1, 1, 1, 1, 8, 8, 8);
        asc_sync_vec();
        asc_set_vector_mask(~0ull, ~0ull);
        asc_copy_ub2gm(own, out, BYTES);
        break;
    default:
        asc_copy_ub2gm(own, in, 0, 8, 0, 0);
        asc_add(out, in, in, 0);
        break;
    }
    asc_sync();
}
MF_KERNEL(c_right, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void c_wrong(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    asc_init();
    ARRAY(float, in, COUNT);
    ARRAY(float, out, COUNT);
    ARRAY(int32_t, whole, COUNT);
    __gm__ float *own = reinterpret_cast<__gm__ float *>(memory);
    float elsewhere[COUNT] = {};
    if (which != 6)
        asc_copy_gm2ub(in, own, BYTES); // 0 a
    if (which != 0)
        asc_sync();
    switch (which) {
    case 0:
        asc_add(out, in, in, COUNT); // 0 b
        break;
    case 1:
        asc_add(out, in, in, COUNT); // 1 a
        asc_copy_ub2gm(own, out, BYTES); // 1 b
        break;
    case 2:
        asc_add(out, in, in, COUNT); // 2 a
        asc_mul(in, out, out, COUNT); // 2 b
        break;
    case 3:
        asc_copy_ub2gm_align(own, in, BYTES); // 3 a
        asc_copy_gm2ub(in, own + COUNT, BYTES); // 3 b
        break;
    case 4:
        asc_float2int32_rd(whole, in, COUNT); // 4 a
        asc_copy_ub2gm(own, whole, 1, 8, 0, 0); // 4 b
        break;
    case 5:
        asc_eq(in, in, 1, 1, 1, 1, 8, 8, 8);
        asc_abs(out, in, COUNT); // 5 a
        asc_select(in, out, out, COUNT); // 5 b
        break;
    case 6:
        asc_add(out, in, in, COUNT);
        break;
    case 7:
        asc_add(in, in, in, COUNT + 8);
        break;
    case 8:
        asc_add(out, in + 1, in, 8);
        break;
    case 9:
        asc_add(out, elsewhere, in, COUNT);
        break;
    case 10:
        asc_copy_gm2ub(out, own, 100);
        break;
    case 11:
        asc_copy_gm2ub(out + COUNT / 2, own, 2, 4, 0, 0);
        break;
    case 12:
        asc_set_vector_mask(0, 0);
        asc_add(out, in, in, 1, 1, 1, 1, 8, 8, 8);
        break;
    case 13:
        asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
        break;
    case 14: {
        ARRAY(uint8_t, much, 192 * 1024);
        (void)much;
        break;
    }
    default:
        break;
    }
    asc_sync();
}
MF_KERNEL(c_wrong, GM_ADDR, uint32_t)

// A product of 16 × 16 matrices; each mistake leaves one flag out.
extern "C" __global__ __aicore__ void c_wrong_cube(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    ARRAY_IN(L1, half, a1, 256);
    ARRAY_IN(L1, half, b1, 256);
    ARRAY_IN(L0a, half, a2, 256);
    ARRAY_IN(L0b, half, b2, 256);
    ARRAY_IN(L0c, float, c, 256);
    __gm__ half *from = reinterpret_cast<__gm__ half *>(memory);
    asc_copy_gm2l1_nd2nz(b1, from, 1, 16, 16, 0, 16, 16, 1, 0);
    asc_copy_gm2l1_nd2nz(a1, from, 1, 16, 16, 0, 16, 16, 1, 0); // cube 0 a
    if (which != 0)
        asc_sync();
    asc_copy_l12l0a(a2, a1, 0, which == 3 ? 2 : 1, 1, 0); // cube 0 b
    asc_copy_l12l0b_trans(b2, b1, 0, 1, 1, 0, false, 0); // cube 1 a
    if (which != 1)
        asc_sync();
    asc_mmad(c, a2, b2, 16, 16, 16, 0, false, false, true); // cube 1 b
    if (which != 2)
        asc_sync();
    asc_set_l0c2gm_nz2nd(1, 0, 0);
    __gm__ float *to = reinterpret_cast<__gm__ float *>(memory) + 256;
    asc_copy_l0c2gm(to, c, 16, 16, 16, 16, 0, QuantMode_t::NoQuant, 0, false, which != 4); // cube 2 b
    asc_sync();
}
MF_KERNEL_CUBE(c_wrong_cube, GM_ADDR, uint32_t)
