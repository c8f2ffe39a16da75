// SPDX-License-Identifier: Apache-2.0 OR MIT
// The library's quantisation as A2 and A3 have it: exactly the steps of plain C++.
#include "library.h"

using namespace library;

namespace {

constexpr uint32_t GROUP = 32; // scales and offsets in turn

double halved(double x)
{
    return static_cast<double>(static_cast<half>(static_cast<float>(x)));
}
// Rounded to half at each step, halves to even, saturated; NaN is 0.
double quantised(double x, double scale, double offset)
{
    const double value = halved(halved(halved(x) * halved(scale)) + halved(offset));
    return std::isnan(value) ? 0 : std::min(127.0, std::max(-128.0, std::nearbyint(value)));
}

template <typename T> OPERATION(ByQuant, T, int8_t, {
    AscendQuant(to, a, 1.7f, 0.3f, 61);
    AscendQuant(to[64], a[64], space, -33.1f, 5.5f, 64);
    AscendQuant(to[128], a[128], b, static_cast<T>(0.5), GROUP, 64);
    AscendQuant(to[192], a[192], space, b, static_cast<T>(-1.25), GROUP, 64);
    AscendQuant(to[256], a[256], b, b[64], GROUP, GROUP, 128);
    AscendQuant(to[384], a[384], space, b, b[64], GROUP, GROUP, 100);
});
// Sizes of the tensors count.
template <typename T> OPERATION(ByWholeQuant, T, int8_t, {
    LocalTensor<T> part = a[64];
    LocalTensor<T> scales = b[0];
    LocalTensor<T> offsets = b[64];
    part.SetSize(64);
    scales.SetSize(GROUP);
    offsets.SetSize(GROUP);
    AscendQuant(to, part, 2.0f, 1.0f);
    AscendQuant(to[64], part, scales, static_cast<T>(1));
    AscendQuant(to[128], part, space, scales, offsets);
});
template <typename T> bool quant(const char *name, void *stream)
{
    const Model each = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t i = 0; i < 484; i++) {
            if (i >= 61 && i < 64)
                continue;
            const double scale = b[i % GROUP], offset = b[64 + i % GROUP];
            out[i] = i < 64    ? quantised(a[i], static_cast<double>(1.7f), static_cast<double>(0.3f))
                     : i < 128 ? quantised(a[i], static_cast<double>(-33.1f), 5.5)
                     : i < 192 ? quantised(a[i], scale, 0.5)
                     : i < 256 ? quantised(a[i], scale, -1.25)
                               : quantised(a[i], scale, offset);
        }
    };
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t i = 0; i < 64; i++) {
            out[i] = quantised(a[64 + i], 2, 1);
            out[64 + i] = quantised(a[64 + i], b[i % GROUP], 1);
            out[128 + i] = quantised(a[64 + i], b[i % GROUP], b[64 + i % GROUP]);
        }
    };
    const bool good = holds<T, int8_t, ByQuant<T>>(name, stream, numbers<T>(1, 60, true), numbers<T>(2, 4), each);
    return good & holds<T, int8_t, ByWholeQuant<T>>(name, stream, numbers<T>(3, 60), numbers<T>(4, 4), model);
}

// Scales are the second operand over 8, as TO; a u64 has them as floats in its low half.
template <typename TO> OPERATION(ByDequant, int32_t, TO, {
    const LocalTensor<float> scales = space.ReinterpretCast<float>();
    Cast(scales, b, RoundMode::CAST_RINT, 64);
    PipeBarrier<PIPE_V>();
    Muls(scales, scales, 0.125f, 64);
    PipeBarrier<PIPE_V>();
    const LocalTensor<uint64_t> words = space[1024].ReinterpretCast<uint64_t>();
    Duplicate(words.ReinterpretCast<int32_t>(), -1, 32);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < 16; i++) {
        words.ReinterpretCast<float>().SetValue(2 * i, scales.GetValue(i));
    }
    PipeBarrier<PIPE_ALL>();
    AscendDequant<TO, float>(to, a, scales, DequantParams{3, 24, 19});
    AscendDequant<TO, uint64_t>(to[128], a, words, space[8192], DequantParams{1, 64, 16}); // 4 rows of 16
    AscendDequant<TO, float>(to[256], a, 0.75f, DequantParams{2, 32, 32});
    LocalTensor<int32_t> part = a[0];
    part.SetSize(64);
    AscendDequant<TO, float>(to[384], part, scales, 16);
});
template <typename TO> bool dequant(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        const auto of = [&](uint32_t i, double scale) { // in float
            return static_cast<double>(static_cast<float>(a[i]) * static_cast<float>(scale));
        };
        const uint32_t pitch = sizeof(TO) == 2 ? 32 : 24;
        for (uint32_t row = 0; row < 3; row++)
            for (uint32_t i = 0; i < 19; i++)
                out[row * pitch + i] = of(row * 24 + i, b[i] / 8);
        for (uint32_t i = 0; i < 64; i++) {
            out[128 + i] = of(i, b[i % 16] / 8);
            out[256 + i] = of(i, 0.75);
            out[384 + i] = of(i, b[i % 16] / 8);
        }
    };
    return holds<int32_t, TO, ByDequant<TO>>(name, stream, numbers<int32_t>(5, 40000), numbers<int32_t>(6, 20), model);
}

// 16 rows of 16 in 2 groups of rows; the transposed has its groups along the rows.
template <typename TO> OPERATION(ByAntiQuant, int8_t, TO, {
    const LocalTensor<half> halves = space[8192].ReinterpretCast<half>();
    const LocalTensor<float> floats = space[4096].ReinterpretCast<float>();
    const LocalTensor<TO> offsets = space.ReinterpretCast<TO>(), scales = space[64].ReinterpretCast<TO>();
    Cast(halves, b, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_V>();
    Cast(floats, halves, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_V>();
    Cast(space.ReinterpretCast<TO>(), floats, RoundMode::CAST_RINT, 64);
    PipeBarrier<PIPE_V>();
    LocalTensor<int8_t> part = a[0];
    part.SetSize(128);
    LocalTensor<TO> two = scales[0];
    two.SetSize(32);
    AscendAntiQuant<int8_t, TO, false>(to, part, offsets, two, 8);
    AscendAntiQuant<int8_t, TO, true>(to[128], part, offsets, two, space[12288], 8, {16, 2, 16, 2});
    AscendAntiQuant<int8_t, TO, false>(to[256], part, static_cast<TO>(3), static_cast<TO>(0.5), 8);
    AscendAntiQuant<int8_t, TO, false>(to[384], part, two, space[12288], 8);
});
template <typename TO> bool anti_quant(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        const double *offsets = &b[0], *scales = &b[32];
        for (uint32_t i = 0; i < 128; i++) {
            const uint32_t by_row = i / 64 * 16 + i % 16; // 8 rows of 16, in groups of 4
            const uint32_t by_column = i / 8 * 2 + i % 8 / 4; // 16 rows of 8
            out[i] = scales[by_row] * (a[i] + offsets[by_row]);
            out[128 + i] = scales[by_column] * (a[i] + offsets[by_column]);
            out[256 + i] = 0.5 * (a[i] + 3);
            out[384 + i] = scales[by_row] * a[i];
        }
    };
    return holds<int8_t, TO, ByAntiQuant<TO>>(name, stream, numbers<int8_t>(7, 120), numbers<int8_t>(8, 60), model);
}

} // namespace

extern "C" int sample_library_quantisation(void *stream)
{
    bool good = quant<float>("AscendQuant", stream) & quant<half>("AscendQuant of half", stream);
    good &= dequant<float>("AscendDequant to float", stream) & dequant<half>("AscendDequant to half", stream) &
            dequant<bfloat16_t>("AscendDequant to bfloat16", stream);
    good &= anti_quant<half>("AscendAntiQuant to half", stream) &
            anti_quant<bfloat16_t>("AscendAntiQuant to bfloat16", stream);
    return good ? 0 : 1;
}
