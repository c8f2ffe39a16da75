// SPDX-License-Identifier: Apache-2.0 OR MIT
// The library's functions of padding, choice, sorting and quantisation, and of single elements on all
// products. Compared with plain C++.
#include "library.h"

#include <numeric>

using namespace library;

namespace {

template <typename T> constexpr double NEAR = std::is_same_v<T, half> ? 1e-3 : 1e-6;

// The function psi, by its own means: from a large argument down, and by its reflection.
double psi(double x)
{
    if (x == 0)
        return std::copysign(std::numeric_limits<double>::infinity(), -x);
    if (std::isnan(x) || (x < 0 && x == std::floor(x)))
        return std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(x))
        return x;
    if (x < 0)
        return psi(1 - x) - std::acos(-1.0) / std::tan(std::acos(-1.0) * (x - std::floor(x)));
    double value = 0;
    for (; x < 1000; x++)
        value -= 1 / x;
    return value + std::log(x) - 0.5 / x - 1 / (12 * x * x) + 1 / (120 * x * x * x * x);
}
template <typename T> OPERATION(ByDigamma, T, T, {
    Digamma(to, a, 256);
    Digamma(to[256], a[256], space, 201);
});
template <typename T> bool digamma(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &, Values &out) {
        for (uint32_t i = 0; i < 457; i++)
            out[i] = psi(a[i]);
    };
    return holds<T, T, ByDigamma<T>>(name, stream, numbers<T>(1, 6, true), numbers<T>(2, 1), model, NEAR<T>, NEAR<T>);
}

// Sums inside, above and below the range.
OPERATION(ByXorSum, int16_t, int16_t, {
    LocalTensor<int16_t> first = to, second = to[16], third = to[32];
    ReduceXorSum(first, a, b, 5);
    ReduceXorSum(second, a, b, space, 300);
    Duplicate(a, static_cast<int16_t>(-20000), 16);
    Duplicate(b, static_cast<int16_t>(0), 16);
    PipeBarrier<PIPE_V>();
    ReduceXorSum(third, a, b, 16);
});

// 6 rows of 13, and of 16 with 11 true ones; then less again.
template <typename T> constexpr uint32_t WIDE = sizeof(T) == 2 ? 32 : 24; // of rows of 19
template <typename T> OPERATION(ByPad, T, T, {
    PadTiling tiling;
    tiling.srcHeight = 6;
    tiling.srcWidth = tiling.srcOriWidth = 19;
    PadParams both;
    both.leftPad = 2;
    both.rightPad = static_cast<uint16_t>(WIDE<T> - 21);
    both.padValue = -7;
    Pad(to, a, both, tiling);
    tiling.srcWidth = 16;
    tiling.srcOriWidth = 11;
    PadParams right;
    right.rightPad = 3;
    right.padValue = 9;
    Pad(to[256], b, right, space, tiling);
    UnPadTiling less;
    less.srcHeight = 4;
    less.srcWidth = 16;
    UnPadParams by;
    by.rightPad = 5;
    UnPad(to[384], a, by, less);
    UnPad(to[448], b, by, space, less);
});
template <typename T> bool pads(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t row = 0; row < 6; row++) {
            for (uint32_t i = 0; i < WIDE<T>; i++)
                out[row * WIDE<T> + i] = i < 2 || i >= 21 ? -7 : a[row * 19 + i - 2];
            for (uint32_t i = 0; i < 16; i++)
                out[256 + row * 16 + i] = i >= 11 && i < 14 ? 9 : b[row * 16 + i];
        }
        for (uint32_t i = 0; i < 44; i++) {
            out[384 + i] = a[i / 11 * 16 + i % 11];
            out[448 + i] = b[i / 11 * 16 + i % 11];
        }
    };
    return holds<T, T, ByPad<T>>(name, stream, numbers<T>(3, 100), numbers<T>(4, 100), model);
}

// Masks of bytes and bits, in rows and without gaps. The bits are those of the second operand.
template <typename T> OPERATION(ByDropOut, T, T, {
    const LocalTensor<uint8_t> bits = b.template ReinterpretCast<uint8_t>(), bytes = space;
    const LocalTensor<half> whole = space[2048].ReinterpretCast<half>();
    CreateVecIndex(whole, static_cast<half>(0), 128);
    PipeBarrier<PIPE_V>();
    Mins(whole, whole, static_cast<half>(3), 128);
    PipeBarrier<PIPE_V>();
    Adds(whole, whole, static_cast<half>(-2), 128);
    PipeBarrier<PIPE_V>();
    Relu(whole, whole, 128);
    PipeBarrier<PIPE_V>();
    Cast(bytes, whole, RoundMode::CAST_NONE, 128);
    PipeBarrier<PIPE_V>();
    DropOutShapeInfo info;
    info.firstAxis = 4;
    info.srcLastAxis = 16;
    info.maskLastAxis = 32;
    DropOut(to, a, bytes, 0.25f, info); // bytes in rows of 32
    info.maskLastAxis = 16;
    DropOut<T, false, 2>(to[64], a, bytes, space[4096], 0.25f, info);
    info.maskLastAxis = 2;
    DropOut<T, true>(to[128], a, bits, 0.5f, info); // bits without gaps
    info.maskLastAxis = 6;
    DropOut<T, false, 4>(to[192], a, bits, 0.5f, info);
});
template <typename T> bool drops(const char *name, void *stream)
{
    const std::vector<T> mask = numbers<T>(6, 50);
    const Model model = [&](const Values &a, const Values &, Values &out) {
        std::vector<uint8_t> bits(COUNT * sizeof(T));
        std::memcpy(bits.data(), mask.data(), bits.size());
        const auto bit = [&](uint32_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; };
        const auto kept = [](uint32_t i) { return i >= 3; };
        for (uint32_t i = 0; i < 64; i++) {
            out[i] = kept(i / 16 * 32 + i % 16) ? a[i] / 0.25 : 0;
            out[64 + i] = kept(i) ? a[i] / 0.25 : 0;
            out[128 + i] = bit(i) ? a[i] / 0.5 : 0;
            out[192 + i] = bit(i / 16 * 48 + i % 16) ? a[i] / 0.5 : 0;
        }
    };
    return holds<T, T, ByDropOut<T>>(name, stream, numbers<T>(5, 3, true), mask, model, NEAR<T>);
}

// The 5 greatest and least of 3 rows of 32 with 30 true ones; indices as numbers of the type.
template <typename T> OPERATION(ByTopK, T, float, {
    const LocalTensor<T> values = space[4096].ReinterpretCast<T>();
    const LocalTensor<int32_t> indices = space[5120].ReinterpretCast<int32_t>(), given = space[6144].ReinterpretCast<int32_t>();
    const LocalTensor<bool> finish = space[7168].ReinterpretCast<bool>();
    Duplicate(finish.template ReinterpretCast<int16_t>(), static_cast<int16_t>(0x0001), 16);
    CreateVecIndex(given, 1000, 32);
    Duplicate(values, static_cast<T>(0), 128);
    Duplicate(indices, 0, 128);
    PipeBarrier<PIPE_V>();
    const TopKInfo info = {3, 32, 30}, one = {1, 64, 40};
    TopkTiling tiling;
    TopK<T>(values, indices, a, given, finish, 5, tiling, info);
    TopK<T, false, true, false, TopKMode::TOPK_NSMALL>(values[64], indices[64], a, given, finish, space, 5, tiling, info, false);
    PipeBarrier<PIPE_V>();
    if constexpr (std::is_same_v<T, float>)
        Adds(to, values, 0.0f, 128);
    else
        Cast(to, values, RoundMode::CAST_NONE, 128);
    Cast(to[128], indices, RoundMode::CAST_RINT, 128);
    PipeBarrier<PIPE_V>();
    CreateVecIndex(given, 1000, 64);
    PipeBarrier<PIPE_V>();
    TopK<T, true>(values, indices, a, given, finish, 40, tiling, one);
    PipeBarrier<PIPE_V>();
    Cast(to[256], indices, RoundMode::CAST_RINT, 40);
});
template <typename T> bool top(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &, Values &out) {
        const auto order = [&](uint32_t first, uint32_t count, bool descends) {
            std::vector<uint32_t> places(count);
            std::iota(places.begin(), places.end(), 0);
            const auto rank = [&](uint32_t i) { // NaN before everything
                const double x = a[first + i];
                return std::isnan(x) ? -std::numeric_limits<double>::infinity() * 2 : descends ? -x : x;
            };
            std::stable_sort(places.begin(), places.end(), [&](uint32_t p, uint32_t q) {
                const bool is_p = std::isnan(a[first + p]), is_q = std::isnan(a[first + q]);
                return is_p != is_q ? is_p : !is_p && rank(p) < rank(q);
            });
            return places;
        };
        for (uint32_t i = 0; i < 256; i++)
            out[i] = 0;
        const uint32_t pitch = sizeof(T) == 2 ? 16 : 8;
        for (uint32_t row = 0; row < 3; row++) {
            for (uint32_t i = 0; i < 5; i++) {
                const uint32_t great = order(row * 32, 30, true)[i], small = order(row * 32, 30, false)[i];
                out[row * pitch + i] = a[row * 32 + great];
                out[64 + row * pitch + i] = a[row * 32 + small];
                out[128 + row * 8 + i] = great;
                out[192 + row * 8 + i] = row % 2 == 0 ? 30 : small; // finished
            }
        }
        for (uint32_t i = 0; i < 40; i++)
            out[256 + i] = 1000 + order(0, 40, true)[i];
    };
    return holds<T, float, ByTopK<T>>(name, stream, numbers<T>(7, 100, true), numbers<T>(8, 1), model);
}

OPERATION(ByBroadcast, half, half, {
    const uint32_t whole[] = {4, 32};
    const uint32_t row[] = {1, 32};
    const uint32_t column[] = {4, 1};
    BroadCast<half, 2, 0>(to, a, whole, row);
    BroadCast<half, 2, 1>(to[128], a, whole, column, space);
});

} // namespace

extern "C" int sample_library_places(void *stream)
{
    bool good = digamma<float>("Digamma", stream) & digamma<half>("Digamma of half", stream);
    good &= holds<int16_t, int16_t, ByXorSum>("ReduceXorSum", stream, numbers<int16_t>(9, 300), numbers<int16_t>(10, 300),
                                              [](const Values &a, const Values &b, Values &out) {
        const auto sum = [&](uint32_t count) {
            double all = 0;
            for (uint32_t i = 0; i < count; i++)
                all += static_cast<int16_t>(static_cast<int16_t>(a[i]) ^ static_cast<int16_t>(b[i]));
            return std::min(32767.0, std::max(-32768.0, all));
        };
        out[0] = sum(5);
        out[16] = sum(300);
        out[32] = -32768;
    });
    good &= pads<float>("Pad", stream) & pads<half>("Pad of half", stream) & pads<int16_t>("Pad of int16", stream) &
            pads<int32_t>("Pad of int32", stream);
    good &= drops<float>("DropOut", stream) & drops<half>("DropOut of half", stream);
    good &= top<float>("TopK", stream) & top<half>("TopK of half", stream);
    good &= holds<half, half, ByBroadcast>("BroadCast", stream, numbers<half>(11, 9), numbers<half>(12, 1),
                                           [](const Values &a, const Values &, Values &out) {
        for (uint32_t i = 0; i < 128; i++) {
            out[i] = a[i % 32];
            out[128 + i] = a[i / 32];
        }
    });
    return good ? 0 : 1;
}
