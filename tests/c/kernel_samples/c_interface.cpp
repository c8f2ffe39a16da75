// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of the C interface on A2 and A3, written for CANN's compiler: compared with plain C++.
#include "c_api/asc_simd.h"
#include "sample.h"

namespace {

constexpr uint32_t BLOCKS = 3, TILE = 256, TILES = 2, COUNT = BLOCKS * TILE * TILES;

// z = (x + y) * 2, by tiles: while one is computed the next one is copied.
__global__ __vector__ void add_by_tiles(__gm__ float *x, __gm__ float *y, __gm__ float *z)
{
    asc_init();
    __ubuf__ float in[2][2][TILE], out[2][TILE];
    const uint32_t first = static_cast<uint32_t>(asc_get_block_idx()) * TILE * TILES;
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const uint32_t own = tile % 2, at = first + tile * TILE;
        const event_t id = own == 0 ? EVENT_ID0 : EVENT_ID1;
        asc_copy_gm2ub(in[own][0], x + at, TILE * sizeof(float));
        asc_copy_gm2ub_align(in[own][1], y + at, 2, TILE / 2 * sizeof(float), 0, 0, 0, 0);
        asc_sync_notify(PIPE_MTE2, PIPE_V, id);
        asc_sync_wait(PIPE_MTE2, PIPE_V, id);
        asc_add(out[own], in[own][0], in[own][1], TILE);
        asc_sync_pipe(PIPE_V);
        // All of the tile again, by repeats of 64 elements.
        asc_add(out[own], out[own], out[own], TILE / 64, 1, 1, 1, 8, 8, 8);
        asc_sync_notify(PIPE_V, PIPE_MTE3, id);
        asc_sync_wait(PIPE_V, PIPE_MTE3, id);
        asc_copy_ub2gm(z + at, out[own], 1, TILE * sizeof(float) / 32, 0, 0);
    }
    asc_sync();
}

// Sums of 2, 4 … 64 neighbours, where the kernel's memory comes from the launch.
__global__ __vector__ void sums(__gm__ float *x, __gm__ float *z)
{
    asc_init();
    extern __ubuf__ char all[];
    __ubuf__ float *part = reinterpret_cast<__ubuf__ float *>(all);
    __ubuf__ float *next = part + TILE;
    asc_copy_gm2ub_sync(part, x, TILE * sizeof(float));
    for (uint32_t count = TILE; count > TILE / 64; count /= 2) {
        asc_pair_reduce_sum(next, part, count);
        asc_sync_vec();
        asc_copy_ub2ub(part, next, TILE * sizeof(float) / 2);
        asc_sync_pipe(PIPE_V);
    }
    asc_sync();
    asc_copy_ub2gm_align(z, part, TILE / 64 * sizeof(float));
    asc_sync();
}

// Numbers as half, and as whole numbers, rounded down and up; and what is above 3 of two sources.
__global__ __vector__ void converted(__gm__ float *x, __gm__ half *halves, __gm__ int32_t *down, __gm__ int16_t *up,
                                     __gm__ float *chosen)
{
    asc_init();
    __ubuf__ float in[TILE], three[TILE], out[TILE];
    __ubuf__ half narrow[TILE];
    __ubuf__ int32_t floors[TILE];
    __ubuf__ int16_t ceilings[TILE];
    asc_copy_gm2ub(in, x, TILE * sizeof(float));
    asc_sync_mte2(0);
    asc_float2half_rn(narrow, in, TILE);
    asc_float2int16_ru(ceilings, in, TILE);
    asc_mul_scalar(three, in, 0.0f, TILE);
    asc_sync_pipe(PIPE_V);
    asc_half2int32_rd(floors, narrow, TILE);
    asc_add_scalar(three, three, 3.0f, TILE);
    asc_sync_pipe(PIPE_V);
    for (uint32_t i = 0; i < TILE; i += 64) {
        asc_gt(in + i, three + i, 1, 1, 1, 1, 8, 8, 8);
        asc_sync_pipe(PIPE_V);
        asc_select(out + i, in + i, three + i, 64);
        asc_sync_pipe(PIPE_V);
    }
    asc_sync();
    asc_copy_ub2gm(halves, narrow, TILE * sizeof(half));
    asc_copy_ub2gm(down, floors, TILE * sizeof(int32_t));
    asc_copy_ub2gm(up, ceilings, TILE * sizeof(int16_t));
    asc_copy_ub2gm(chosen, out, TILE * sizeof(float));
    asc_sync();
}

// One row a function.
constexpr uint32_t FUNCTIONS = 12;

__global__ __vector__ void functions(__gm__ float *x, __gm__ float *y, __gm__ float *z)
{
    asc_init();
    __ubuf__ float a[TILE], b[TILE], out[FUNCTIONS][TILE];
    asc_copy_gm2ub(a, x, TILE * sizeof(float));
    asc_copy_gm2ub(b, y, TILE * sizeof(float));
    asc_sync();
    asc_sub(out[0], a, b, TILE);
    asc_mul(out[1], a, b, TILE);
    asc_div(out[2], a, b, TILE);
    asc_max(out[3], a, b, TILE);
    asc_min(out[4], a, b, TILE);
    asc_add_relu(out[5], a, b, TILE);
    asc_sub_relu(out[6], a, b, TILE);
    asc_abs(out[7], a, TILE);
    asc_relu(out[8], a, TILE);
    asc_max_scalar(out[9], a, 1.5f, TILE);
    asc_min_scalar(out[10], a, 1.5f, TILE / 64, 1, 1, 8, 8);
    asc_float2float_rd(out[11], a, TILE);
    asc_sync();
    asc_copy_ub2gm(z, out, sizeof(out));
    asc_sync();
}

// C[M × N] = A[M × K] · B[K × N], rows of half, in float.
constexpr uint32_t M = 32, K = 48, N = 64;

__global__ __cube__ void product(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    __cbuf__ half a1[M * K], b1[K * N];
    __ca__ half a2[M * K];
    __cb__ half b2[K * N];
    __cc__ float sums[M * N];
    asc_copy_gm2l1_nd2nz(a1, a, 1, M, K, 0, K, M, 1, 0);
    asc_copy_gm2l1_nd2nz(b1, b, 1, K, N, 0, N, K, 1, 0);
    asc_sync_notify(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    asc_sync_wait(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    for (uint32_t row = 0; row < M / 16; row++)
        asc_copy_l12l0a(a2 + row * K * 16, a1, row, K / 16, M / 16, 0);
    for (uint32_t row = 0; row < K / 16; row++)
        asc_copy_l12l0b_trans(b2 + row * N * 16, b1, row, N / 16, K / 16, 0, false, 0);
    asc_sync_notify(PIPE_MTE1, PIPE_M, EVENT_ID0);
    asc_sync_wait(PIPE_MTE1, PIPE_M, EVENT_ID0);
    asc_mmad(sums, a2, b2, M, K, N, 0, false, false, true);
    asc_sync_notify(PIPE_M, PIPE_FIX, EVENT_ID0);
    asc_sync_wait(PIPE_M, PIPE_FIX, EVENT_ID0);
    asc_set_l0c2gm_nz2nd(1, 0, 0);
    asc_copy_l0c2gm(c, sums, N, M, N, M, 0, QuantMode_t::NoQuant, 0, false, true);
    asc_sync();
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

extern "C" int sample_add_by_tiles(void *stream)
{
    const auto x = values(COUNT, 3), y = values(COUNT, 5);
    const sample::Array<float> first(x), second(y), out(std::vector<float>(COUNT, -1));
    add_by_tiles<<<BLOCKS, 0, stream>>>(on_device(first), on_device(second), on_device(out));
    return sample::done(stream) && sample::check("add by tiles", out.values(), [&](size_t i) { return (x[i] + y[i]) * 2; }) ? 0 : 1;
}

extern "C" int sample_sums(void *stream)
{
    const auto x = values(TILE, 7);
    const sample::Array<float> from(x), out(std::vector<float>(8, -1));
    sums<<<1, 2 * TILE * sizeof(float), stream>>>(on_device(from), on_device(out));
    return sample::done(stream) && sample::check("sums", out.values(), [&](size_t i) {
        float sum = 0;
        for (size_t k = 0; k < 64 && i < TILE / 64; k++)
            sum += x[i * 64 + k];
        return i < TILE / 64 ? sum : -1;
    }) ? 0 : 1;
}

extern "C" int sample_converted(void *stream)
{
    const auto x = values(TILE, 3);
    const sample::Array<float> from(x), chosen(std::vector<float>(TILE, -1));
    const sample::Array<half> halves(std::vector<half>(TILE, half(-1)));
    const sample::Array<int32_t> down(std::vector<int32_t>(TILE, -1));
    const sample::Array<int16_t> up(std::vector<int16_t>(TILE, -1));
    converted<<<1, nullptr, stream>>>(on_device(from), on_device(halves), on_device(down), on_device(up), on_device(chosen));
    bool good = sample::done(stream);
    good &= sample::check("as half", halves.values(), [&](size_t i) { return x[i]; });
    good &= sample::check("down", down.values(), [&](size_t i) { return std::floor(x[i]); });
    good &= sample::check("up", up.values(), [&](size_t i) { return std::ceil(x[i]); });
    good &= sample::check("chosen", chosen.values(), [&](size_t i) { return x[i] > 3 ? x[i] : 3.0f; });
    return good ? 0 : 1;
}

extern "C" int sample_functions(void *stream)
{
    const auto x = values(TILE, 3);
    auto y = values(TILE, 5);
    for (float &value : y)
        value = value == 0 ? 1 : value;
    const sample::Array<float> first(x), second(y), out(std::vector<float>(FUNCTIONS * TILE, -1));
    functions<<<1, 0, stream>>>(on_device(first), on_device(second), on_device(out));
    return sample::done(stream) && sample::check("functions", out.values(), [&](size_t i) {
        const float a = x[i % TILE], b = y[i % TILE];
        const float expected[FUNCTIONS] = {a - b, a * b, a / b, a > b ? a : b, a < b ? a : b, a + b > 0 ? a + b : 0,
                                           a - b > 0 ? a - b : 0, std::fabs(a), a > 0 ? a : 0, a > 1.5f ? a : 1.5f,
                                           a < 1.5f ? a : 1.5f, std::floor(a)};
        return expected[i / TILE];
    }) ? 0 : 1;
}

extern "C" int sample_product(void *stream)
{
    const auto a = values(M * K, 3), b = values(K * N, 5);
    const auto halves = [](const std::vector<float> &all) { return std::vector<half>(all.begin(), all.end()); };
    const sample::Array<half> left(halves(a)), right(halves(b));
    const sample::Array<float> out(std::vector<float>(M * N, -1));
    product<<<1, 0, stream>>>(on_device(left), on_device(right), on_device(out));
    return sample::done(stream) && sample::check("product", out.values(), [&](size_t i) {
        float sum = 0;
        for (size_t k = 0; k < K; k++)
            sum += a[i / N * K + k] * b[k * N + i % N];
        return sum;
    }) ? 0 : 1;
}
