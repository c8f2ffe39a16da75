// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions over registers of the C interface, written for CANN's compiler: compared with plain C++. Compiled
// for the 950 alone.
#include "c_api/asc_simd.h"
#include "sample.h"

#if __NPU_ARCH__ == 3510

namespace {

constexpr uint32_t COUNT = 1000, ROOM = 1024, LANES = 64;
constexpr uint8_t LOADS = static_cast<uint8_t>(asc_load_l2_cache_mode::NORMAL_FIRST_VICTIM),
                  STORES = static_cast<uint8_t>(asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM);

// z = max(x + y, 0), the last register in part.
__simd_vf__ inline void add(__ubuf__ float *z, __ubuf__ float *x, __ubuf__ float *y, uint32_t count)
{
    constexpr uint32_t lanes = asc_get_vf_len() / sizeof(float);
    const uint16_t times = static_cast<uint16_t>((count + lanes - 1) / lanes);
    for (uint16_t i = 0; i < times; i++) {
        vector_bool mask = asc_update_mask_b32(count);
        vector_float a, b;
        asc_loadalign(a, x + i * lanes);
        asc_loadalign_postupdate(b, y, lanes);
        asc_add(a, a, b, mask);
        asc_max_scalar(a, a, 0.0f, mask);
        asc_storealign(z, a, i * lanes, mask);
    }
}

// Per register: the sum of the elements above 1, the greatest, and how many elements are the first value.
__simd_vf__ inline void facts(__ubuf__ float *sums, __ubuf__ float *most, __ubuf__ int32_t *same, __ubuf__ float *x)
{
    vector_bool all = asc_create_mask_b32(PAT_ALL), one = asc_create_mask_b32(PAT_VL1), some;
    for (uint16_t i = 0; i < ROOM / LANES; i++) {
        vector_float value, first, result;
        vector_int32_t ones, none, count;
        asc_loadalign(value, x, i * LANES);
        asc_gt_scalar(some, value, 1.0f, all);
        asc_reduce_sum(result, value, some);
        asc_storealign_postupdate(sums, result, 8, one);
        asc_reduce_max(result, value, all);
        asc_storealign_postupdate(most, result, 8, one);
        asc_loadalign_brc(first, x, i * LANES);
        asc_eq(some, value, first, all);
        asc_duplicate_scalar(ones, 1, all);
        asc_duplicate_scalar(none, 0, all);
        asc_select(count, ones, none, some);
        asc_reduce_sum(count, count, all);
        asc_storealign(same, count, i * 8, one);
    }
}

// Nearest whole numbers of 16 bits, kept in their range: the halves of 32-bit places.
__simd_vf__ inline void rounded(__ubuf__ int32_t *to, __ubuf__ float *x)
{
    vector_bool all = asc_create_mask_b32(PAT_ALL);
    for (uint16_t i = 0; i < ROOM / LANES; i++) {
        vector_float value;
        vector_int16_t narrow;
        vector_int32_t wide;
        asc_loadalign(value, x, i * LANES);
        asc_mul_scalar(value, value, 20000.0f, all);
        asc_float2int16_rna_sat(narrow, value, all);
        asc_int162int32(wide, narrow, asc_create_mask_b16(PAT_ALL));
        asc_storealign(to, wide, i * LANES, all);
    }
}

__global__ __vector__ void add_kernel(__gm__ float *x, __gm__ float *y, __gm__ float *z)
{
    asc_init();
    __ubuf__ float a[ROOM], b[ROOM], c[ROOM];
    asc_copy_gm2ub_align(a, x, 1, COUNT * sizeof(float), 0, 0, false, LOADS, 0, 0);
    asc_copy_gm2ub_align(b, y, 4, COUNT / 4 * sizeof(float), 0, 6, true, LOADS, COUNT / 4 * sizeof(float), 1024);
    asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
    // The rows of y have 6 elements of padding.
    for (uint32_t row = 0; row < 4; row++) {
        if (row != 3)
            asc_vf_call<add>(c + row * 256, a, b + row * 256, COUNT / 4);
        else
            asc_vf_call<add>(c + row * 256, b + row * 256, a, COUNT / 4);
    }
    asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
    asc_copy_ub2gm_align(z, c, 4, COUNT / 4 * sizeof(float), STORES, COUNT / 4 * sizeof(float), 1024);
    asc_sync();
}

__global__ __vector__ void facts_kernel(__gm__ float *x, __gm__ float *sums, __gm__ float *most, __gm__ int32_t *same,
                                        __gm__ int32_t *whole)
{
    asc_init();
    __ubuf__ float in[ROOM], parts[2][ROOM / LANES * 8];
    __ubuf__ int32_t counts[ROOM / LANES * 8], numbers[ROOM];
    asc_copy_gm2ub(in, x, ROOM * sizeof(float));
    asc_sync();
    asc_vf_call<facts>(parts[0], parts[1], counts, in);
    asc_vf_call<rounded>(numbers, in);
    asc_sync();
    asc_copy_ub2gm(whole, numbers, ROOM * sizeof(int32_t));
    // One number of each 32 bytes.
    asc_copy_ub2gm_align(sums, parts[0], ROOM / LANES, sizeof(float), STORES, sizeof(float), 32);
    asc_copy_ub2gm_align(most, parts[1], ROOM / LANES, sizeof(float), STORES, sizeof(float), 32);
    asc_copy_ub2gm_align(same, counts, ROOM / LANES, sizeof(int32_t), STORES, sizeof(int32_t), 32);
    asc_sync();
}

// One row a function, of whole numbers.
constexpr uint32_t ROWS_OF_PLACES = 12;

__simd_vf__ inline void places(__ubuf__ int32_t *to, __ubuf__ int32_t *x)
{
    vector_bool all = asc_create_mask_b32(PAT_ALL), third = asc_create_mask_b32(PAT_M3), some, others;
    vector_int32_t a, b, first, second;
    vector_uint32_t index;
    asc_loadalign(a, x);
    asc_loadalign(b, x, LANES);
    asc_arange(first, 5);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_squeeze(first, a, third);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_intlv(first, second, a, b);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_deintlv(first, second, a, b);
    asc_storealign_postupdate(to, second, LANES, all);
    asc_duplicate_scalar(index, 3u, all);
    asc_gather(first, a, index);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_loadalign_upsample(first, x);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_loadalign_unpack(first, x);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_load(first, x + 3);
    asc_storealign_postupdate(to, first, LANES, all);
    // Negative ones, of every third element the others.
    asc_lt_scalar(some, a, 0, all);
    asc_not(others, some, third);
    asc_copy(first, a, some);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_copy(first, a, others);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_xor(first, a, b, all);
    asc_storealign_postupdate(to, first, LANES, all);
    asc_abs(first, a, all);
    asc_storealign_pack(to, first, all);
}

__global__ __vector__ void places_kernel(__gm__ int32_t *x, __gm__ int32_t *z)
{
    asc_init();
    __ubuf__ int32_t in[2 * LANES], out[ROWS_OF_PLACES * LANES];
    asc_copy_gm2ub_sync(in, x, 2 * LANES * sizeof(int32_t));
    asc_vf_call<places>(out, in);
    asc_sync();
    asc_copy_ub2gm_sync(z, out, (ROWS_OF_PLACES * LANES - LANES / 2) * sizeof(int32_t));
}

std::vector<float> values(uint32_t count, int step)
{
    std::vector<float> all;
    for (uint32_t i = 0; i < count; i++)
        all.push_back(static_cast<float>(static_cast<int>(i) * step % 37 - 11) / 4);
    return all;
}

template <typename T> __gm__ T *on_device(const sample::Array<T> &array) { return reinterpret_cast<T *>(array.get()); }

} // namespace

extern "C" int sample_register_add(void *stream)
{
    const auto x = values(COUNT, 3), y = values(COUNT, 5);
    const sample::Array<float> first(x), second(y), out(std::vector<float>(ROOM, -1));
    add_kernel<<<1, 0, stream>>>(on_device(first), on_device(second), on_device(out));
    return sample::done(stream) && sample::check("register add", out.values(), [&](size_t i) {
        if (i >= COUNT)
            return -1.0f;
        const float sum = x[i % (COUNT / 4)] + y[i];
        return sum > 0 ? sum : 0.0f;
    }) ? 0 : 1;
}

extern "C" int sample_register_facts(void *stream)
{
    const auto x = values(ROOM, 5);
    constexpr uint32_t ROWS = ROOM / LANES;
    const sample::Array<float> from(x), sums(std::vector<float>(ROWS, -1)), most(std::vector<float>(ROWS, -1));
    const sample::Array<int32_t> same(std::vector<int32_t>(ROWS, -1)), whole(std::vector<int32_t>(ROOM, -1));
    facts_kernel<<<1, 0, stream>>>(on_device(from), on_device(sums), on_device(most), on_device(same), on_device(whole));
    bool good = sample::done(stream);
    const auto all_of = [&](size_t row, auto start, auto step) {
        for (size_t k = 0; k < LANES; k++)
            start = step(start, x[row * LANES + k]);
        return start;
    };
    good &= sample::check("sums", sums.values(), [&](size_t i) {
        return all_of(i, 0.0f, [](float sum, float v) { return v > 1 ? sum + v : sum; });
    });
    good &= sample::check("most", most.values(), [&](size_t i) {
        return all_of(i, -100.0f, [](float most_so_far, float v) { return v > most_so_far ? v : most_so_far; });
    });
    good &= sample::check("same", same.values(), [&](size_t i) {
        return all_of(i, 0, [&](int count, float v) { return v == x[i * LANES] ? count + 1 : count; });
    });
    good &= sample::check("whole", whole.values(), [&](size_t i) {
        const float number = std::round(x[i] * 20000);
        return number > 32767 ? 32767.0f : number < -32768 ? -32768.0f : number;
    });
    return good ? 0 : 1;
}

extern "C" int sample_register_places(void *stream)
{
    std::vector<int32_t> x;
    for (int i = 0; i < static_cast<int>(2 * LANES); i++)
        x.push_back(i * 7 % 31 - 9);
    const sample::Array<int32_t> from(x), out(std::vector<int32_t>(ROWS_OF_PLACES * LANES, -1));
    places_kernel<<<1, 0, stream>>>(on_device(from), on_device(out));
    return sample::done(stream) && sample::check("places", out.values(), [&](size_t place) {
        const size_t i = place % LANES;
        const auto low = [&](size_t k) { return std::abs(x[k]) & 0xFFFF; };
        switch (place / LANES) {
        case 0: return 5 + static_cast<int32_t>(i);
        case 1: return 3 * i < LANES ? x[3 * i] : 0;
        case 2: return x[i % 2 * LANES + i / 2];
        case 3: return x[2 * i + 1];
        case 4: return x[3];
        case 5: return x[i / 2];
        case 6: return i % 2 == 0 ? x[i / 2] : 0;
        case 7: return x[3 + i];
        case 8: return x[i] < 0 ? x[i] : 0;
        case 9: return i % 3 == 0 && x[i] >= 0 ? x[i] : 0;
        case 10: return x[i] ^ x[LANES + i];
        default: return i < LANES / 2 ? low(2 * i) | low(2 * i + 1) << 16 : -1;
        }
    }) ? 0 : 1;
}
#endif
