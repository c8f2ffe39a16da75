// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: a product of matrices on a cube core of A2 and A3: copies to L1 and on to L0A and L0B, the
// product in L0C, and rows in global memory. Formats, limits and work as in Ascend C (cube.h).
#pragma once

#include "../cube_loads.h"
#include "copies.h"

// Global memory to L1.
__aicore__ inline void asc_copy_gm2l1(__cbuf__ void *dst, __gm__ void *src, uint32_t size, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(range_at(Space::L1, dst, at), global_at(src), whole("asc_copy_gm2l1", size, at), 1, at);
}
MF_ALSO_SYNC(asc_copy_gm2l1, (__cbuf__ void *dst, __gm__ void *src, uint32_t size, MF_AT), dst, src, size)

#if MF_NPU_ARCH == 2201

__aicore__ inline void asc_copy_gm2l1(__cbuf__ void *dst, __gm__ void *src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t src_gap, uint16_t dst_gap, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(range_at(Space::L1, dst, at), global_at(src), pieces("asc_copy_gm2l1", n_burst, len_burst, src_gap, dst_gap), 1, at);
}
MF_ALSO_SYNC(asc_copy_gm2l1, (__cbuf__ void *dst, __gm__ void *src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                              uint16_t dst_gap, MF_AT), dst, src, n_burst, len_burst, src_gap, dst_gap)

// Fractals of 512 bytes out of global memory: `repeat` of them from number `base_idx` on. Pointers to void
// mean the blocks above.
template <typename T>
constexpr bool mf_c_has_fractals = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_same_v<T, float> ||
                                   std::is_same_v<T, int32_t> || std::is_same_v<T, uint32_t> || std::is_same_v<T, int8_t> ||
                                   std::is_same_v<T, uint8_t>;
template <typename T, std::enable_if_t<mf_c_has_fractals<T>, int> = 0>
__aicore__ inline void asc_copy_gm2l1(__cbuf__ T *dst, __gm__ T *src, uint16_t base_idx, uint8_t repeat, uint16_t src_stride,
                                      uint16_t dst_gap, MF_AT) {
    using namespace mf::emulation;
    constexpr uint64_t FRACTAL = 512;
    GlobalRange from = global_at(src);
    from.address += base_idx * FRACTAL;
    copy_blocks(range_at(Space::L1, dst, at), from,
                {repeat, FRACTAL, src_stride * FRACTAL - FRACTAL, dst_gap * FRACTAL, "asc_copy_gm2l1"}, sizeof(T), at);
}
template <typename T, std::enable_if_t<mf_c_has_fractals<T>, int> = 0>
MF_ALSO_SYNC(asc_copy_gm2l1, (__cbuf__ T *dst, __gm__ T *src, uint16_t base_idx, uint8_t repeat, uint16_t src_stride,
                              uint16_t dst_gap, MF_AT), dst, src, base_idx, repeat, src_stride, dst_gap)

// Rows in global memory to fractals by columns (NZ).
template <typename T>
__aicore__ inline void asc_copy_gm2l1_nd2nz(__cbuf__ T *dst, __gm__ T *src, uint16_t nd_num, uint16_t n_value, uint16_t d_value,
                                            uint16_t src_nd_matrix_stride, uint16_t src_d_value, uint16_t dst_nz_c0_stride,
                                            uint16_t dst_nz_n_stride, uint16_t dst_nz_matrix_stride, MF_AT) {
    using namespace mf::emulation;
    static_assert(sizeof(T) <= 4, "asc_copy_gm2l1_nd2nz is for types of 1, 2 and 4 bytes");
    cube_load(range_at(Space::L1, dst, at), global_at(src), sizeof(T),
              {"asc_copy_gm2l1_nd2nz", nd_num, n_value, d_value, src_nd_matrix_stride, src_d_value, dst_nz_c0_stride,
               dst_nz_n_stride, dst_nz_matrix_stride},
              at);
}
template <typename T>
MF_ALSO_SYNC(asc_copy_gm2l1_nd2nz, (__cbuf__ T *dst, __gm__ T *src, uint16_t nd_num, uint16_t n_value, uint16_t d_value,
                                    uint16_t src_nd_matrix_stride, uint16_t src_d_value, uint16_t dst_nz_c0_stride,
                                    uint16_t dst_nz_n_stride, uint16_t dst_nz_matrix_stride, MF_AT),
             dst, src, nd_num, n_value, d_value, src_nd_matrix_stride, src_d_value, dst_nz_c0_stride, dst_nz_n_stride,
             dst_nz_matrix_stride)

// Fractals of 512 bytes: `repeat` of them from number `start_index` on.
#define MF_C_FRACTALS(NAME, WORD, SPACE)                                                                               \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(WORD T *dst, __cbuf__ T *src, uint16_t start_index, uint8_t repeat, uint16_t src_stride, \
                                uint16_t dst_gap, MF_AT) {                                                             \
        using namespace mf::emulation;                                                                                 \
        static_assert(sizeof(T) <= 4, #NAME " is for types of 1, 2 and 4 bytes");                                      \
        cube_fractals(range_at(Space::SPACE, dst, at), range_at(Space::L1, src, at), sizeof(T),                        \
                      FractalRow{start_index, repeat, src_stride, dst_gap, false}, at);                                    \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    MF_ALSO_SYNC(NAME, (WORD T *dst, __cbuf__ T *src, uint16_t start_index, uint8_t repeat, uint16_t src_stride,       \
                        uint16_t dst_gap, MF_AT), dst, src, start_index, repeat, src_stride, dst_gap)
MF_C_FRACTALS(asc_copy_l12l0a, __ca__, L0a)
MF_C_FRACTALS(asc_copy_l12l0b, __cb__, L0b)
#undef MF_C_FRACTALS

// Squares of 16 × 16 elements (of a byte: 32 × 32), each transposed.
template <typename T>
__aicore__ inline void asc_copy_l12l0b_trans(__cb__ T *dst, __cbuf__ T *src, uint16_t index_id, uint8_t repeat,
                                             uint16_t src_stride, uint16_t dst_gap, bool enable_addr_decrement,
                                             uint16_t dst_frac_gap, MF_AT) {
    using namespace mf::emulation;
    static_assert(sizeof(T) <= 4, "asc_copy_l12l0b_trans is for types of 1, 2 and 4 bytes");
    if (enable_addr_decrement) fault("K6", at, "asc_copy_l12l0b_trans: enable_addr_decrement is always false here");
    cube_squares(range_at(Space::L0b, dst, at), range_at(Space::L1, src, at), sizeof(T),
                 {index_id, repeat, src_stride, dst_gap, dst_frac_gap}, at);
}
template <typename T>
MF_ALSO_SYNC(asc_copy_l12l0b_trans, (__cb__ T *dst, __cbuf__ T *src, uint16_t index_id, uint8_t repeat, uint16_t src_stride,
                                     uint16_t dst_gap, bool enable_addr_decrement, uint16_t dst_frac_gap, MF_AT),
             dst, src, index_id, repeat, src_stride, dst_gap, enable_addr_decrement, dst_frac_gap)

// C[left_height × right_width] = A · B, summed over n_dim. `c_matrix_init_val`: C begins with 0.
template <typename C, typename T>
__aicore__ inline void asc_mmad(__cc__ C *c_matrix, __ca__ T *a_matrix, __cb__ T *b_matrix, uint16_t left_height, uint16_t n_dim,
                                uint16_t right_width, uint8_t unit_flag, bool k_direction_align, bool c_matrix_source,
                                bool c_matrix_init_val, MF_AT) {
    using namespace mf::emulation;
    constexpr bool is_whole = std::is_same_v<T, int8_t>;
    static_assert(std::is_same_v<C, std::conditional_t<is_whole, int32_t, float>> &&
                      (is_whole || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>),
                  "asc_mmad is for half and bfloat16_t in float, and for int8_t in int32_t");
    AscendC::MmadParams params(left_height, right_width, n_dim, unit_flag, c_matrix_source, c_matrix_init_val);
    params.kDirectionAlign = k_direction_align;
    cube_multiply(range_at(Space::L0c, c_matrix, at), range_at(Space::L0a, a_matrix, at), range_at(Space::L0b, b_matrix, at),
                  {}, product_of(params, factor_of<T>(), factor_of<T>(), false, at), at);
}
template <typename C, typename T>
MF_ALSO_SYNC(asc_mmad, (__cc__ C *c_matrix, __ca__ T *a_matrix, __cb__ T *b_matrix, uint16_t left_height, uint16_t n_dim,
                        uint16_t right_width, uint8_t unit_flag, bool k_direction_align, bool c_matrix_source,
                        bool c_matrix_init_val, MF_AT),
             c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag, k_direction_align, c_matrix_source,
             c_matrix_init_val)

// Matrices that the next asc_copy_l0c2gm takes out of L0C: distances in L0C in fractals of 1024 bytes, in
// global memory in elements.
__aicore__ inline void asc_set_l0c2gm_nz2nd(uint64_t nd_num, uint64_t src_nd_stride, uint64_t dst_nd_stride, MF_AT) {
    if (nd_num < 1 || nd_num > 65535 || src_nd_stride > 65535 || dst_nd_stride > UINT32_MAX)
        mf::emulation::fault("K6", at, "asc_set_l0c2gm_nz2nd: nd_num is %llu, src_nd_stride %llu; they are 1 and 0 to 65535",
                             static_cast<unsigned long long>(nd_num), static_cast<unsigned long long>(src_nd_stride));
    mf::emulation::FixpipeSettings &settings = mf::emulation::registers().fixpipe;
    settings.matrices = static_cast<uint32_t>(nd_num);
    settings.source_step = static_cast<uint32_t>(src_nd_stride) * 1024;
    settings.destination_step = static_cast<uint32_t>(dst_nd_stride);
}

// L0C to rows in global memory, as it is, or float in fewer bits.
template <typename T, typename U>
__aicore__ inline void asc_copy_l0c2gm(__gm__ T *dst, __cc__ U *src, uint16_t n_size, uint16_t m_size, uint32_t dst_stride_dst_d,
                                       uint16_t src_stride, uint8_t unit_flag_mode, uint64_t quant_pre, uint8_t relu_pre,
                                       bool channel_split, bool nz2nd_en, MF_AT) {
    using namespace mf::emulation;
    static_assert((std::is_same_v<U, int32_t> && std::is_same_v<T, int32_t>) ||
                      (std::is_same_v<U, float> &&
                       (std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>)),
                  "asc_copy_l0c2gm: here from float to float, half or bfloat16_t, and from int32_t to int32_t");
    if (!nz2nd_en) fault("K6", at, "asc_copy_l0c2gm: here to rows alone: nz2nd_en must be true");
    if (relu_pre > 1) fault("K6", at, "asc_copy_l0c2gm: relu_pre is %u, must be 0 or 1 here", relu_pre);
    const FixpipeSettings &all = registers().fixpipe;
    AscendC::FixpipeParamsV220 params(n_size, m_size, src_stride, dst_stride_dst_d, relu_pre == 1,
                                      static_cast<QuantMode_t>(quant_pre), 0, 1, 0, 0, unit_flag_mode, channel_split);
    Drain drain = drain_of(params, AscendC::CO2Layout::ROW_MAJOR, at);
    drain.matrices = all.matrices;
    drain.source_matrix = all.source_step;
    drain.matrix = all.destination_step;
    cube_drain(global_at(dst), TypeOf<T>::type, range_at(Space::L0c, src, at), TypeOf<U>::type, drain, at);
}
template <typename T, typename U>
MF_ALSO_SYNC(asc_copy_l0c2gm, (__gm__ T *dst, __cc__ U *src, uint16_t n_size, uint16_t m_size, uint32_t dst_stride_dst_d,
                               uint16_t src_stride, uint8_t unit_flag_mode, uint64_t quant_pre, uint8_t relu_pre, bool channel_split,
                               bool nz2nd_en, MF_AT),
             dst, src, n_size, m_size, dst_stride_dst_d, src_stride, unit_flag_mode, quant_pre, relu_pre, channel_split, nz2nd_en)

#endif
