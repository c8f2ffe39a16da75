// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of the C interface, compiled for both products. As of threads.cpp: what calls return.
#include "c_api/asc_simd.h"

#include <type_traits>

#define SAME(EXPRESSION, TYPE) static_assert(std::is_same_v<decltype(EXPRESSION), TYPE>)
// The call compiles, too.
#define CALL_(NUMBER) call_##NUMBER
#define CALL(NUMBER) CALL_(NUMBER)
#define VOID(...)                                                                                                      \
    SAME((__VA_ARGS__), void);                                                                                         \
    [[maybe_unused]] static void CALL(__COUNTER__)() { __VA_ARGS__; }                                                  \
    static_assert(true)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)
#define G(T) static_cast<__gm__ T *>(nullptr)
#define U(T) static_cast<__ubuf__ T *>(nullptr)
#define U1 uint8_t{1}
#define H uint16_t{1}
#define W 1u

NUMBER(asc_load_l2_cache_mode::NORMAL_FIRST_VICTIM, 0); NUMBER(asc_load_l2_cache_mode::NORMAL_LAST_VICTIM, 1);
NUMBER(asc_load_l2_cache_mode::NORMAL_PERSISTENT, 2); NUMBER(asc_load_l2_cache_mode::NOTALLOC_KEEP, 4);
NUMBER(asc_load_l2_cache_mode::NOTALLOC_CLEAN, 5); NUMBER(asc_load_l2_cache_mode::NOTALLOC_DROP, 6);
NUMBER(asc_store_l2_cache_mode::NORMAL_LAST_VICTIM, 1); NUMBER(asc_store_l2_cache_mode::NOTALLOC_CLEAN, 4);
static_assert(std::is_same_v<std::underlying_type_t<asc_load_l2_cache_mode>, uint8_t>);

// ---- the core
VOID(asc_init()); SAME(asc_get_block_num(), int64_t); SAME(asc_get_block_idx(), int64_t);
SAME(asc_get_sub_block_num(), int64_t);
SAME(asc_get_sub_block_id(), int64_t); SAME(asc_get_system_cycle(), int64_t);
VOID(asc_sync()); VOID(asc_sync_pipe(PIPE_V)); VOID(asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0));
VOID(asc_sync_wait(PIPE_MTE2, PIPE_V, 1));
VOID(asc_sync_mte2(0)); VOID(asc_sync_mte3(EVENT_ID1)); VOID(asc_sync_data_barrier(mem_dsb_t::DSB_ALL));
VOID(asc_sync_inter_arrive(PIPE_MTE3, 1)); VOID(asc_sync_inter_wait(PIPE_V, 1));
VOID(asc_sync_subblock_arrive(PIPE_V, 1));
VOID(asc_sync_subblock_wait(PIPE_V, 1)); VOID(asc_sync_block_arrive(PIPE_FIX, 1));
VOID(asc_sync_block_wait(PIPE_M, 1));
VOID(asc_set_mask_count()); VOID(asc_set_mask_norm()); VOID(asc_set_vector_mask(~0ull, ~0ull));
VOID(asc_set_atomic_add_float()); VOID(asc_set_atomic_max_float16()); VOID(asc_set_atomic_min_bfloat());
VOID(asc_set_atomic_add_int());
VOID(asc_set_atomic_add_int16()); VOID(asc_set_atomic_max_int8()); VOID(asc_set_atomic_none());
inline int kind_of_core()
{
    if ASC_IS_AIV { return 1; }
    if ASC_IS_AIC { return 2; }
    return 0;
}

// ---- copies
VOID(asc_copy_gm2ub(U(half), G(half), W)); VOID(asc_copy_gm2ub(U(void), G(void), H, H, H, H));
VOID(asc_copy_gm2ub_sync(U(float), G(float), W));
VOID(asc_copy_ub2gm(G(half), U(half), W)); VOID(asc_copy_ub2gm(G(void), U(void), H, H, H, H));
VOID(asc_copy_ub2gm_sync(G(int), U(int), W));
VOID(asc_copy_ub2ub(U(half), U(half), W)); VOID(asc_copy_ub2ub(U(half), U(half), H, H, H, H));
VOID(asc_copy_gm2ub_align(U(int8_t), G(int8_t), W)); VOID(asc_copy_ub2gm_align(G(double), U(double), W));
VOID(asc_copy_gm2l1(static_cast<__cbuf__ half *>(nullptr), G(half), W));

// ---- vector calls
#define TWO(NAME, T)                                                                                                   \
    VOID(NAME(U(T), U(T), U(T), W)); VOID(NAME(U(T), U(T), U(T), U1, U1, U1, U1, U1, U1, U1)); VOID(NAME##_sync(U(T), U(T), U(T), W)); \
    VOID(NAME##_sync(U(T), U(T), U(T), U1, U1, U1, U1, U1, U1, U1))
TWO(asc_add, half); TWO(asc_add, float); TWO(asc_add, int16_t); TWO(asc_add, int32_t); TWO(asc_sub, half);
TWO(asc_mul, float);
TWO(asc_div, half); TWO(asc_max, int16_t); TWO(asc_min, int32_t); TWO(asc_and, uint16_t);
TWO(asc_or, int16_t); TWO(asc_add_relu, half);
TWO(asc_sub_relu, float); TWO(asc_select, half);
#define ONE(NAME, TO, FROM)                                                                                            \
    VOID(NAME(U(TO), U(FROM), W)); VOID(NAME(U(TO), U(FROM), U1, H, H, H, H)); VOID(NAME##_sync(U(TO), U(FROM), W));   \
    VOID(NAME##_sync(U(TO), U(FROM), U1, H, H, H, H))
ONE(asc_abs, half, half); ONE(asc_exp, float, float); ONE(asc_sqrt, half, half); ONE(asc_rsqrt, float, float);
ONE(asc_rcp, half, half);
ONE(asc_relu, int32_t, int32_t); ONE(asc_not, uint16_t, uint16_t); ONE(asc_copy, uint32_t, uint32_t);
ONE(asc_half2int32_rd, int32_t, half); ONE(asc_float2half_ro, half, float);
ONE(asc_int642float_rz, float, int64_t);
ONE(asc_float2float_rna, float, float); ONE(asc_float2bfloat16_ru, bfloat16_t, float);
ONE(asc_half2int8, int8_t, half);
ONE(asc_int322int64, int64_t, int32_t); ONE(asc_uint82half, half, uint8_t);
ONE(asc_bfloat162float, float, bfloat16_t);
#define NUMBERED(NAME, T)                                                                                              \
    VOID(NAME(U(T), U(T), T(1), W)); VOID(NAME(U(T), U(T), T(1), U1, H, H, H, H)); VOID(NAME##_sync(U(T), U(T), T(1), W))
NUMBERED(asc_add_scalar, half); NUMBERED(asc_mul_scalar, float); NUMBERED(asc_max_scalar, int16_t);
NUMBERED(asc_min_scalar, int32_t);
#define COMPARED(NAME, T)                                                                                              \
    VOID(NAME(U(T), U(T), U1, U1, U1, U1, U1, U1, U1)); VOID(NAME(U(uint8_t), U(T), U(T), U1, U1, U1, U1, U1, U1, U1)); \
    VOID(NAME##_scalar(U(uint8_t), U(T), T(1), U1, H, H, H, H))
COMPARED(asc_eq, half); COMPARED(asc_ne, float); COMPARED(asc_lt, half); COMPARED(asc_le, float);
COMPARED(asc_gt, half); COMPARED(asc_ge, float);
VOID(asc_pair_reduce_sum(U(half), U(half), W)); VOID(asc_pair_reduce_sum(U(float), U(float), U1, H, H, H));
VOID(asc_gather(U(half), U(half), U(uint32_t), W));

#if MF_NPU_ARCH == 2201
VOID(asc_sync_vec()); VOID(asc_set_copy_pad_val(half(1)));
VOID(asc_copy_gm2ub_align(U(half), G(half), H, W, U1, U1, W, W));
VOID(asc_copy_ub2gm_align(G(float), U(float), H, W, U1, U1, W, W));
#define IN(WORD, T) static_cast<WORD T *>(nullptr)
VOID(asc_copy_gm2l1(IN(__cbuf__, void), G(void), H, H, H, H));
VOID(asc_copy_gm2l1(IN(__cbuf__, half), G(half), H, U1, H, H)); VOID(asc_copy_gm2l1(IN(__cbuf__, half), G(half), 1, 2, 3, 4));
VOID(asc_copy_gm2l1_nd2nz(IN(__cbuf__, half), G(half), H, H, H, H, H, H, H, H));
VOID(asc_copy_l12l0a(IN(__ca__, half), IN(__cbuf__, half), H, U1, H, H));
VOID(asc_copy_l12l0b(IN(__cb__, int8_t), IN(__cbuf__, int8_t), H, U1, H, H));
VOID(asc_copy_l12l0b_trans(IN(__cb__, half), IN(__cbuf__, half), H, U1, H, H, false, H));
VOID(asc_mmad(IN(__cc__, float), IN(__ca__, half), IN(__cb__, half), H, H, H, U1, false, false, true));
VOID(asc_mmad_sync(IN(__cc__, int32_t), IN(__ca__, int8_t), IN(__cb__, int8_t), H, H, H, U1, false, false, true));
VOID(asc_set_l0c2gm_nz2nd(1ull, 0ull, 0ull));
VOID(asc_copy_l0c2gm(G(half), IN(__cc__, float), H, H, W, H, U1, uint64_t{1}, U1, false, true));
#else
VOID(asc_lock(PIPE_V, U1)); VOID(asc_unlock(PIPE_V, U1));
VOID(asc_copy_gm2ub_align(U(half), G(half), H, W, U1, U1, true, U1, 1ull, W));
VOID(asc_copy_ub2gm_align(G(float), U(float), H, W, U1, 1ull, W));

// ---- registers
static_assert(asc_get_vf_len() == 256 && std::is_same_v<decltype(asc_get_vf_len()), int64_t>);
static_assert(sizeof(vector_float::values) == 256 && sizeof(vector_bfloat16_t::values) == 256 && sizeof(vector_uint8_t::values) == 256);
inline vector_bool mask;
inline vector_float f;
inline vector_half h;
inline vector_int16_t i16;
inline vector_int32_t i32;
inline vector_uint32_t u32;
inline vector_uint16_t u16;
inline uint32_t left = 1;
inline __ubuf__ float *place = nullptr;
SAME(asc_update_mask_b8(left), vector_bool); SAME(asc_update_mask_b16(left), vector_bool);
SAME(asc_update_mask_b32(left), vector_bool);
SAME(asc_create_mask_b8(PAT_ALL), vector_bool); SAME(asc_create_mask_b16(PAT_M3), vector_bool);
SAME(asc_create_mask_b32(PAT_VL1), vector_bool);
VOID(asc_loadalign(f, place)); VOID(asc_loadalign(f, place, 8)); VOID(asc_loadalign_postupdate(f, place, 8));
VOID(asc_loadalign_brc(f, place));
VOID(asc_loadalign_brc(h, U(half), 1)); VOID(asc_loadalign_upsample(h, U(half)));
VOID(asc_loadalign_unpack(h, U(half), 16)); VOID(asc_load(f, place));
VOID(asc_storealign(place, f, mask)); VOID(asc_storealign(place, f, 8, mask));
VOID(asc_storealign_postupdate(place, f, 8, mask));
VOID(asc_storealign_pack(U(int32_t), i32, mask)); VOID(asc_store(place, f)); VOID(asc_store(place, f, 3u));
VOID(asc_add(f, f, f, mask)); VOID(asc_add(mask, u32, u32, u32, mask)); VOID(asc_sub(h, h, h, mask));
VOID(asc_mul(i32, i32, i32, mask));
VOID(asc_div(f, f, f, mask)); VOID(asc_max(f, f, f, mask)); VOID(asc_min(h, h, h, mask));
VOID(asc_and(f, f, f, mask));
VOID(asc_or(mask, mask, mask, mask)); VOID(asc_xor(u32, u32, u32, mask)); VOID(asc_not(mask, mask, mask));
VOID(asc_abs(f, f, mask));
VOID(asc_exp(f, f, mask)); VOID(asc_ln(f, f, mask)); VOID(asc_sqrt(h, h, mask));
VOID(asc_neg(i32, i32, mask)); VOID(asc_relu(f, f, mask));
VOID(asc_floor(f, f, mask)); VOID(asc_ceil(h, h, mask)); VOID(asc_trunc(f, f, mask));
VOID(asc_add_scalar(f, f, 1.0f, mask));
VOID(asc_mul_scalar(h, h, half(1), mask)); VOID(asc_max_scalar(f, f, 0.0f, mask));
VOID(asc_min_scalar(i32, i32, 1, mask));
VOID(asc_duplicate_scalar(f, 1.0f, mask)); VOID(asc_eq(mask, f, f, mask));
VOID(asc_ne_scalar(mask, i32, 1, mask)); VOID(asc_lt(mask, h, h, mask));
VOID(asc_le(mask, f, f, mask)); VOID(asc_gt_scalar(mask, f, 1.0f, mask)); VOID(asc_ge(mask, f, f, mask));
VOID(asc_select(f, f, f, mask));
VOID(asc_select(mask, mask, mask, mask)); VOID(asc_copy(f, f, mask)); VOID(asc_copy(mask, mask, mask));
VOID(asc_copy(mask, mask));
VOID(asc_arange(i32, 1)); VOID(asc_squeeze(f, f, mask)); VOID(asc_reduce_sum(i32, i16, mask));
VOID(asc_reduce_max(f, f, mask));
VOID(asc_reduce_min(h, h, mask)); VOID(asc_intlv(f, f, f, f)); VOID(asc_deintlv(f, f, f, f));
VOID(asc_gather(h, h, u16));
VOID(asc_float2int16_rna_sat(i16, f, mask)); VOID(asc_half2int32_rd(i32, h, mask));
VOID(asc_float2half_rn(h, f, mask));
#endif

int main() { return 0; }
