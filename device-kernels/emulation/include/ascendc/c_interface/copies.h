// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: copies between global memory, the unified buffer and L1.
//
// Plain copies move blocks of 32 bytes, `_align` copies rows of any length. On A2 and A3 gaps count from the
// end of a row to the beginning of the next one; on the 950 strides count from beginning to beginning.
#pragma once

#include "../copy.h"
#include "../copy_forms.h"
#include "core.h"

// Use of the second level cache: no effect here.
enum class asc_load_l2_cache_mode : uint8_t {
    NORMAL_FIRST_VICTIM = 0, NORMAL_LAST_VICTIM = 1, NORMAL_PERSISTENT = 2, NOTALLOC_KEEP = 4, NOTALLOC_CLEAN = 5,
    NOTALLOC_DROP = 6,
};
enum class asc_store_l2_cache_mode : uint8_t {
    NORMAL_FIRST_VICTIM = 0, NORMAL_LAST_VICTIM = 1, NORMAL_PERSISTENT = 2, NOTALLOC_CLEAN = 4,
};

namespace mf::emulation {

// `size` bytes at once.
inline Blocks whole(const char *name, uint32_t size, Site at) {
    if (size % 32 != 0) fault("K4", at, "%s: %u bytes are not a multiple of 32", name, size);
    return {1, size, 0, 0, name};
}
// Lengths and distances in blocks of 32 bytes: gaps, or on the 950 strides.
inline Blocks pieces(const char *name, uint32_t count, uint32_t length, uint32_t source, uint32_t destination) {
    const uint64_t bytes = uint64_t{length} * 32, less = IS_950 ? bytes : 0;
    return {count, bytes, source * uint64_t{32} - less, destination * uint64_t{32} - less, name};
}
// Strides in bytes from row to row, of which the local ones are multiples of 32, as gaps.
inline Pieces rows_by_strides(const char *name, uint32_t count, uint32_t bytes, uint64_t global_step, uint32_t local_step,
                              uint32_t local_bytes_of_row, bool is_in, Site at) {
    if (count <= 1) return {name, count, bytes, 0, 0};
    if (local_step % 32 != 0 || local_step < local_bytes_of_row)
        fault("K6", at, "%s: the stride of %u bytes in local memory must be a multiple of 32, and no less than a row of %u bytes",
              name, local_step, local_bytes_of_row);
    const int64_t gap = static_cast<int64_t>(global_step) - bytes, blocks = (local_step - local_bytes_of_row) / 32;
    return {name, count, bytes, is_in ? gap : blocks, is_in ? blocks : gap};
}
inline uint32_t in_blocks(uint32_t bytes) { return (bytes + 31) / 32 * 32; }
// Paddings of elements, with the value of asc_set_copy_pad_val.
inline Padding padding_of(uint32_t left, uint32_t right, uint32_t element_bytes, uint32_t row_bytes) {
    Padding padding = {left * element_bytes, right * element_bytes, {}};
    std::memcpy(padding.value, registers().padding, sizeof padding.value);
    return with_rest(padding, left + right != 0, row_bytes);
}

} // namespace mf::emulation

#define MF_ALSO_SYNC(NAME, PARAMETERS, ...)                                                                            \
    __aicore__ inline void NAME##_sync PARAMETERS {                                                                    \
        NAME(__VA_ARGS__, at);                                                                                         \
        asc_sync(at);                                                                                                  \
    }
#define MF_AT mf::emulation::Site at = MF_HERE

// Global memory to the unified buffer, and back: of bytes at once, and in pieces.
__aicore__ inline void asc_copy_gm2ub(__ubuf__ void *dst, __gm__ void *src, uint32_t size, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(range_at(Space::Ub, dst, at), global_at(src), whole("asc_copy_gm2ub", size, at), 1, at);
}
MF_ALSO_SYNC(asc_copy_gm2ub, (__ubuf__ void *dst, __gm__ void *src, uint32_t size, MF_AT), dst, src, size)
__aicore__ inline void asc_copy_gm2ub(__ubuf__ void *dst, __gm__ void *src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t src_distance, uint16_t dst_distance, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(range_at(Space::Ub, dst, at), global_at(src),
                pieces("asc_copy_gm2ub", n_burst, len_burst, src_distance, dst_distance), 1, at);
}
MF_ALSO_SYNC(asc_copy_gm2ub, (__ubuf__ void *dst, __gm__ void *src, uint16_t n_burst, uint16_t len_burst, uint16_t src_distance,
                              uint16_t dst_distance, MF_AT), dst, src, n_burst, len_burst, src_distance, dst_distance)

__aicore__ inline void asc_copy_ub2gm(__gm__ void *dst, __ubuf__ void *src, uint32_t size, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(global_at(dst), range_at(Space::Ub, src, at), whole("asc_copy_ub2gm", size, at), 1, at);
}
MF_ALSO_SYNC(asc_copy_ub2gm, (__gm__ void *dst, __ubuf__ void *src, uint32_t size, MF_AT), dst, src, size)
// The last two: on A2 and A3 source and destination, on the 950 destination and source.
__aicore__ inline void asc_copy_ub2gm(__gm__ void *dst, __ubuf__ void *src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t first_distance, uint16_t second_distance, MF_AT) {
    using namespace mf::emulation;
    const uint16_t from = IS_950 ? second_distance : first_distance, to = IS_950 ? first_distance : second_distance;
    copy_blocks(global_at(dst), range_at(Space::Ub, src, at), pieces("asc_copy_ub2gm", n_burst, len_burst, from, to), 1, at);
}
MF_ALSO_SYNC(asc_copy_ub2gm, (__gm__ void *dst, __ubuf__ void *src, uint16_t n_burst, uint16_t len_burst,
                              uint16_t first_distance, uint16_t second_distance, MF_AT),
             dst, src, n_burst, len_burst, first_distance, second_distance)

// Within the unified buffer, by the vector pipe.
__aicore__ inline void asc_copy_ub2ub(__ubuf__ void *dst, __ubuf__ void *src, uint32_t size, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(range_at(Space::Ub, dst, at), range_at(Space::Ub, src, at), whole("asc_copy_ub2ub", size, at), 1, at);
}
MF_ALSO_SYNC(asc_copy_ub2ub, (__ubuf__ void *dst, __ubuf__ void *src, uint32_t size, MF_AT), dst, src, size)
__aicore__ inline void asc_copy_ub2ub(__ubuf__ void *dst, __ubuf__ void *src, uint16_t n_burst, uint16_t len_burst,
                                      uint16_t src_gap, uint16_t dst_gap, MF_AT) {
    using namespace mf::emulation;
    copy_blocks(range_at(Space::Ub, dst, at), range_at(Space::Ub, src, at),
                {n_burst, len_burst * 32u, src_gap * 32u, dst_gap * 32u, "asc_copy_ub2ub"}, 1, at);
}
MF_ALSO_SYNC(asc_copy_ub2ub, (__ubuf__ void *dst, __ubuf__ void *src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                              uint16_t dst_gap, MF_AT), dst, src, n_burst, len_burst, src_gap, dst_gap)

// Rows of `len_burst` bytes.
template <typename T> __aicore__ inline void asc_copy_gm2ub_align(__ubuf__ T *dst, __gm__ T *src, uint32_t size, MF_AT) {
    using namespace mf::emulation;
    copy_rows(range_at(Space::Ub, dst, at), global_at(src), {"asc_copy_gm2ub_align", 1, size, 0, 0},
              padding_of(0, 0, sizeof(T), size), sizeof(T), at);
}
template <typename T> MF_ALSO_SYNC(asc_copy_gm2ub_align, (__ubuf__ T *dst, __gm__ T *src, uint32_t size, MF_AT), dst, src, size)
template <typename T> __aicore__ inline void asc_copy_ub2gm_align(__gm__ T *dst, __ubuf__ T *src, uint32_t size, MF_AT) {
    using namespace mf::emulation;
    copy_rows(global_at(dst), range_at(Space::Ub, src, at), {"asc_copy_ub2gm_align", 1, size, 0, 0}, sizeof(T), at);
}
template <typename T> MF_ALSO_SYNC(asc_copy_ub2gm_align, (__gm__ T *dst, __ubuf__ T *src, uint32_t size, MF_AT), dst, src, size)

#if MF_NPU_ARCH == 2201
// The value of paddings, and of the rest of the last 32 bytes.
template <typename T> __aicore__ inline void asc_set_copy_pad_val(T value) { AscendC::SetPadValue(value); }

// Gaps: bytes in global memory, blocks of 32 bytes in the unified buffer. Paddings count elements.
template <typename T>
__aicore__ inline void asc_copy_gm2ub_align(__ubuf__ T *dst, __gm__ T *src, uint16_t n_burst, uint32_t len_burst,
                                            uint8_t left_padding_num, uint8_t right_padding_num, uint32_t src_gap,
                                            uint32_t dst_gap, MF_AT) {
    using namespace mf::emulation;
    copy_rows(range_at(Space::Ub, dst, at), global_at(src), {"asc_copy_gm2ub_align", n_burst, len_burst, src_gap, dst_gap},
              padding_of(left_padding_num, right_padding_num, sizeof(T), len_burst), sizeof(T), at);
}
template <typename T>
MF_ALSO_SYNC(asc_copy_gm2ub_align, (__ubuf__ T *dst, __gm__ T *src, uint16_t n_burst, uint32_t len_burst, uint8_t left_padding_num,
                                    uint8_t right_padding_num, uint32_t src_gap, uint32_t dst_gap, MF_AT),
             dst, src, n_burst, len_burst, left_padding_num, right_padding_num, src_gap, dst_gap)
// Out of the unified buffer nothing is padded.
template <typename T>
__aicore__ inline void asc_copy_ub2gm_align(__gm__ T *dst, __ubuf__ T *src, uint16_t n_burst, uint32_t len_burst, uint8_t,
                                            uint8_t, uint32_t src_gap, uint32_t dst_gap, MF_AT) {
    using namespace mf::emulation;
    copy_rows(global_at(dst), range_at(Space::Ub, src, at), {"asc_copy_ub2gm_align", n_burst, len_burst, src_gap, dst_gap},
              sizeof(T), at);
}
template <typename T>
MF_ALSO_SYNC(asc_copy_ub2gm_align, (__gm__ T *dst, __ubuf__ T *src, uint16_t n_burst, uint32_t len_burst, uint8_t left_padding_num,
                                    uint8_t right_padding_num, uint32_t src_gap, uint32_t dst_gap, MF_AT),
             dst, src, n_burst, len_burst, left_padding_num, right_padding_num, src_gap, dst_gap)
#else
// Strides in bytes. Paddings count elements; here they are constant ones, of 0.
template <typename T>
__aicore__ inline void asc_copy_gm2ub_align(__ubuf__ T *dst, __gm__ T *src, uint16_t n_burst, uint32_t len_burst,
                                            uint8_t left_padding_num, uint8_t right_padding_num, bool enable_constant_pad,
                                            uint8_t l2_cache_mode, uint64_t src_stride, uint32_t dst_stride, MF_AT) {
    using namespace mf::emulation;
    (void)l2_cache_mode;
    const char *const name = "asc_copy_gm2ub_align";
    const uint32_t padded = left_padding_num + uint32_t{right_padding_num};
    if (!enable_constant_pad && padded != 0) fault("K6", at, "%s: paddings are constant here: enable_constant_pad must be true", name);
    const Padding padding = padding_of(left_padding_num, right_padding_num, sizeof(T), len_burst);
    const uint32_t row = in_blocks(padding.left_bytes + len_burst + padding.right_bytes);
    copy_rows(range_at(Space::Ub, dst, at), global_at(src),
              rows_by_strides(name, n_burst, len_burst, src_stride, dst_stride, row, true, at), padding, sizeof(T), at);
}
template <typename T>
MF_ALSO_SYNC(asc_copy_gm2ub_align, (__ubuf__ T *dst, __gm__ T *src, uint16_t n_burst, uint32_t len_burst, uint8_t left_padding_num,
                                    uint8_t right_padding_num, bool enable_constant_pad, uint8_t l2_cache_mode, uint64_t src_stride,
                                    uint32_t dst_stride, MF_AT),
             dst, src, n_burst, len_burst, left_padding_num, right_padding_num, enable_constant_pad, l2_cache_mode, src_stride,
             dst_stride)
template <typename T>
__aicore__ inline void asc_copy_ub2gm_align(__gm__ T *dst, __ubuf__ T *src, uint16_t n_burst, uint32_t len_burst,
                                            uint8_t l2_cache_mode, uint64_t dst_stride, uint32_t src_stride, MF_AT) {
    using namespace mf::emulation;
    (void)l2_cache_mode;
    copy_rows(global_at(dst), range_at(Space::Ub, src, at),
              rows_by_strides("asc_copy_ub2gm_align", n_burst, len_burst, dst_stride, src_stride, in_blocks(len_burst), false, at),
              sizeof(T), at);
}
template <typename T>
MF_ALSO_SYNC(asc_copy_ub2gm_align, (__gm__ T *dst, __ubuf__ T *src, uint16_t n_burst, uint32_t len_burst, uint8_t l2_cache_mode,
                                    uint64_t dst_stride, uint32_t src_stride, MF_AT),
             dst, src, n_burst, len_burst, l2_cache_mode, dst_stride, src_stride)
#endif
