// SPDX-License-Identifier: Apache-2.0 OR MIT
// The library's functions that the 950 alone has. Compared with plain C++.
#include "library.h"

using namespace library;

namespace {

template <typename T> constexpr double NEAR = std::is_same_v<T, half> ? 1e-3 : 1e-6;

// Each over 64 elements; the rest stays.
template <typename T> OPERATION(ByReals, T, T, {
    Fma(to, a, b, a[256], 63);
    Rint(to[64], a, space, 64);
    SinCos(to[128], to[192], b, 64);
    Hypot(to[256], a, b, 64);
    Clamp(to[320], a, static_cast<T>(-1), static_cast<T>(0.5), 64);
    Clamp(to[384], a, b, b[64], 64); // also where the least is more than the most
    const LocalTensor<bool> chosen = space[4096].ReinterpretCast<bool>();
    IsNan(chosen, a, 64);
    IsInf(to[448], a, space, 32);
    Where(to[480], static_cast<T>(7), b, chosen, 32);
});
template <typename T> bool reals(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t i = 0; i < 64; i++) {
            if (i < 63)
                out[i] = std::fma(a[i], b[i], a[256 + i]);
            out[64 + i] = std::nearbyint(a[i]);
            out[128 + i] = std::sin(b[i]);
            out[192 + i] = std::cos(b[i]);
            out[256 + i] = std::hypot(a[i], b[i]);
            out[320 + i] = std::isnan(a[i]) ? a[i] : std::min(0.5, std::max(-1.0, a[i]));
            const double inside = std::min(b[64 + i], std::max(b[i], a[i]));
            out[384 + i] = std::isnan(a[i]) ? a[i] : b[i] > b[64 + i] ? b[64 + i] : inside;
            if (i < 32) {
                out[448 + i] = std::isinf(a[i]) ? 1 : 0;
                out[480 + i] = std::isnan(a[i]) ? 7 : b[i];
            }
        }
    };
    return holds<T, T, ByReals<T>>(name, stream, numbers<T>(1, 4, true), numbers<T>(2, 3), model, NEAR<T>);
}

// Truth values as bytes.
template <typename T> OPERATION(ByTruth, T, int8_t, {
    const LocalTensor<bool> truth = to.template ReinterpretCast<bool>();
    LogicalAnd(truth, a, b, 64);
    LogicalOr(truth[64], a, b, 64);
    LogicalXor(truth[128], a, b, 64);
    LogicalNot(truth[192], a, 64);
    LogicalAnds(truth[256], a, static_cast<T>(2), 64);
    static constexpr LogicalOrsConfig FIRST = {false, 0};
    LogicalOrs<FIRST>(truth[320], static_cast<T>(0), b, 64);
    if constexpr (!std::is_integral_v<T>) {
        IsFinite(truth[384], a, 64);
        IsInf(truth[448], a, 64);
    }
});
template <typename T> bool truth(const char *name, void *stream)
{
    std::vector<T> a = numbers<T>(3, 2, !std::is_integral_v<T>), b = numbers<T>(4, 2);
    for (uint32_t i = 0; i < COUNT; i += 3)
        b[i] = static_cast<T>(0), a[i / 2] = static_cast<T>(0);
    const Model model = [](const Values &x, const Values &y, Values &out) {
        for (uint32_t i = 0; i < 64; i++) {
            const bool p = x[i] != 0, q = y[i] != 0;
            const bool all[] = {p && q, p || q, p != q, !p, p, q, std::isfinite(x[i]), std::isinf(x[i])};
            for (uint32_t k = 0; k < (std::is_integral_v<T> ? 6 : 8); k++)
                out[k * 64 + i] = all[k] ? 1 : 0;
        }
    };
    return holds<T, int8_t, ByTruth<T>>(name, stream, a, b, model);
}

template <typename T> OPERATION(ByBits, T, T, {
    BitwiseAnd(to, a, b, 100);
    BitwiseOr(to[128], a, b, 100);
    BitwiseXor(to[256], a, b, 100);
    BitwiseNot(to[384], a, 128);
});
template <typename T> bool bits(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t i = 0; i < 128; i++) {
            const auto p = static_cast<T>(a[i]), q = static_cast<T>(b[i]);
            if (i < 100) {
                out[i] = static_cast<double>(static_cast<T>(p & q));
                out[128 + i] = static_cast<double>(static_cast<T>(p | q));
                out[256 + i] = static_cast<double>(static_cast<T>(p ^ q));
            }
            out[384 + i] = static_cast<double>(static_cast<T>(~p));
        }
    };
    return holds<T, T, ByBits<T>>(name, stream, numbers<T>(5, 100), numbers<T>(6, 100), model);
}

// Stable, in both orders; indices as floats.
OPERATION(BySort, float, float, {
    static constexpr SortConfig DOWN = {SortType::MERGE_SORT, true};
    LocalTensor<float> up = to;
    LocalTensor<float> down = to[128];
    LocalTensor<uint32_t> places = space.ReinterpretCast<uint32_t>();
    LocalTensor<int32_t> own = space[1024].ReinterpretCast<int32_t>();
    LocalTensor<int32_t> moved = space[2048].ReinterpretCast<int32_t>();
    CreateVecIndex(own, 500, 100);
    Sort(up, a, 100);
    Sort<float, false, DOWN>(down, places, a, space[8192], 100);
    PipeBarrier<PIPE_V>();
    Cast(to[256], places.ReinterpretCast<int32_t>(), RoundMode::CAST_RINT, 100);
    Sort<float, int32_t, false, DOWN>(up, moved, a, own, space[8192], 100);
    PipeBarrier<PIPE_V>();
    Cast(to[384], moved, RoundMode::CAST_RINT, 100);
    Sort(up, a, space[8192], 100);
});

// Axes in the middle, and a source whose rows are whole blocks.
OPERATION(ByBroadcast, float, float, {
    const uint32_t whole[] = {2, 3, 8};
    const uint32_t middle[] = {2, 1, 8};
    const uint32_t last[] = {2, 3, 1};
    const uint32_t wide[] = {2, 3, 5};
    const uint32_t padded[] = {2, 1, 5};
    BroadcastTiling tiling;
    GetBroadcastTilingInfo<float>(3, whole, middle, false, tiling);
    Broadcast(to, a, whole, middle, &tiling);
    GetBroadcastTilingInfo<float>(3, whole, last, false, tiling);
    Broadcast(to[64], a, whole, last, &tiling);
    GetBroadcastTilingInfo<float>(3, wide, padded, true, tiling);
    Broadcast<float>(to[128], a, wide, padded, &tiling);
});

// 4 rows of 16 by each policy. With an offset rounding is by the mode.
constexpr QuantizeConfig TENSOR = {QuantizePolicy::PER_TENSOR, true, RoundMode::CAST_FLOOR};
constexpr QuantizeConfig CHANNEL = {QuantizePolicy::PER_CHANNEL, true};
constexpr QuantizeConfig TOKEN = {QuantizePolicy::PER_TOKEN, false};
constexpr QuantizeConfig GROUPS = {QuantizePolicy::PER_GROUP, true, RoundMode::CAST_RINT, 1};
constexpr QuantizeConfig GROUPS_OF_ROWS = {QuantizePolicy::PER_GROUP, true, RoundMode::CAST_TRUNC, 0};
constexpr AscendQuantConfig OLD = {0, 0, 0, 0, true, 1, RoundMode::CAST_RINT};
constexpr AscendQuantPolicy BY_GROUP = AscendQuantPolicy::PER_GROUP, BY_TOKEN = AscendQuantPolicy::PER_TOKEN;
template <typename T> OPERATION(ByQuantize, T, int8_t, {
    const QuantizeParams params = {4, 16, 0};
    const QuantizeParams groups = {4, 16, 6};
    const QuantizeParams rows = {4, 16, 3};
    Quantize<TENSOR>(to, a, 3.5f, 0.25f, params);
    Quantize<CHANNEL>(to[64], a, space, b, b[64], params);
    Quantize<TOKEN>(to[128], a, b, b[64], params);
    Quantize<GROUPS>(to[192], a, b, b[64], groups);
    Quantize<GROUPS_OF_ROWS>(to[256], a, space, b, b[64], rows);
    AscendQuant<int8_t, T, T, false, OLD, BY_GROUP>(to[320], a, b, b[64], AscendQuantParam{4, 16, 64, 6});
    AscendQuant<int8_t, T, T, false, OLD, BY_TOKEN>(to[384], a, space, b, static_cast<T>(2), AscendQuantParam{4, 16, 64});
    AscendQuant<int8_t, T>(to[448], a, 1.5f, 0.5f, 64);
});
template <typename T> bool quantize(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        const auto whole = [&](uint32_t i, double scale, double offset, double (*round)(double)) {
            const float scaled = static_cast<float>(a[i]) * static_cast<float>(scale);
            return std::min(127.0, std::max(-128.0, round(static_cast<double>(scaled + static_cast<float>(offset)))));
        };
        const auto even = [](double x) { return std::nearbyint(x); };
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t row = i / 16, column = i % 16, group = row * 3 + column / 6, high = row / 3 * 16 + column;
            out[i] = whole(i, 3.5, 0.25, [](double x) { return std::floor(x); });
            out[64 + i] = whole(i, b[column], b[64 + column], even);
            out[128 + i] = whole(i, b[row], 0, even);
            out[192 + i] = whole(i, b[group], b[64 + group], even);
            out[256 + i] = whole(i, b[high], b[64 + high], [](double x) { return std::trunc(x); });
            out[320 + i] = whole(i, b[group], b[64 + group], even);
            out[384 + i] = whole(i, b[row], 2, even);
            out[448 + i] = whole(i, 1.5, 0.5, even);
        }
    };
    return holds<T, int8_t, ByQuantize<T>>(name, stream, numbers<T>(9, 40), numbers<T>(10, 4), model);
}

// The reverse, of whole numbers and of reals.
constexpr AscendDeQuantConfig BACK = {true, 1};
constexpr AscendDeQuantConfig BACK_BY_ROWS = {false, 0};
constexpr AscendDeQuantPolicy TOKENS = AscendDeQuantPolicy::PER_TOKEN, IN_GROUPS = AscendDeQuantPolicy::PER_GROUP;
template <typename TO> OPERATION(ByDequantize, int32_t, TO, {
    const LocalTensor<float> scales = space.ReinterpretCast<float>();
    Cast(scales, b, RoundMode::CAST_RINT, 128);
    PipeBarrier<PIPE_V>();
    AscendDequant<TO, int32_t, float, BACK, TOKENS>(to, a, scales, scales[64], AscendDeQuantParam{4, 16, 64});
    const AscendDeQuantParam by_six = {4, 16, 64, 6};
    AscendDequant<TO, int32_t, float, BACK, IN_GROUPS>(to[64], a, scales, scales[64], space[8192], by_six);
    const AscendDeQuantParam by_three = {4, 16, 64, 3};
    AscendDequant<TO, int32_t, float, BACK_BY_ROWS, IN_GROUPS>(to[128], a, scales, scales[64], by_three);
});
template <typename TO> bool dequantize(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t row = i / 16, column = i % 16, group = row * 3 + column / 6, high = row / 3 * 16 + column;
            out[i] = (a[i] + b[64 + row]) * b[row];
            out[64 + i] = (a[i] + b[64 + group]) * b[group];
            out[128 + i] = a[i] * b[high];
        }
    };
    return holds<int32_t, TO, ByDequantize<TO>>(name, stream, numbers<int32_t>(11, 200), numbers<int32_t>(12, 20), model);
}

} // namespace

extern "C" int sample_library_950(void *stream)
{
    bool good = reals<float>("reals", stream) & reals<half>("reals of half", stream);
    good &= truth<float>("truth values", stream) & truth<half>("truth values of half", stream) &
            truth<int32_t>("truth values of int32", stream);
    good &= bits<int32_t>("bits", stream) & bits<int16_t>("bits of int16", stream) & bits<uint8_t>("bits of uint8", stream);
    std::vector<float> a = numbers<float>(7, 20, true);
    for (uint32_t i = 0; i < COUNT; i += 4)
        a[i] = static_cast<float>(i % 3);
    good &= holds<float, float, BySort>("Sort", stream, a, a, [](const Values &x, const Values &, Values &out) {
        for (const bool descends : {false, true}) {
            std::vector<uint32_t> order;
            for (uint32_t i = 0; i < 100; i++)
                order.push_back(i);
            std::stable_sort(order.begin(), order.end(), [&](uint32_t p, uint32_t q) {
                if (std::isnan(x[p]) || std::isnan(x[q]))
                    return std::isnan(x[p]) && !std::isnan(x[q]);
                return descends ? x[p] > x[q] : x[p] < x[q];
            });
            for (uint32_t i = 0; i < 100; i++) {
                out[(descends ? 128 : 0) + i] = x[order[i]];
                out[256 + i] = order[i];
                out[384 + i] = 500 + order[i];
            }
        }
    });
    good &= holds<float, float, ByBroadcast>("Broadcast by a tiling", stream, numbers<float>(8, 9), a,
        [](const Values &x, const Values &, Values &out) {
        for (uint32_t i = 0; i < 48; i++) {
            out[i] = x[i / 24 * 8 + i % 8];
            out[64 + i] = x[i / 8];
            if (i < 30)
                out[128 + i] = x[i / 15 * 8 + i % 5];
        }
    });
    good &= dequantize<float>("AscendDequant", stream) & dequantize<half>("AscendDequant to half", stream);
    good &= quantize<float>("Quantize", stream) & quantize<half>("Quantize of half", stream);
    return good ? 0 : 1;
}
