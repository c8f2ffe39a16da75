// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies and vector calls in their further forms, pools of buffers, sorted lists, and operators between
// tensors: compared with plain C++.
#include "operands.h"
#include "sample.h"

#include <functional>

using namespace AscendC;

namespace {

using operands::COUNT;

template <typename T, typename OP> __global__ __vector__ void apply(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    operands::apply<T, T, OP>(a, b, out);
}

// OP copies by itself.
template <typename T, typename OP> __global__ __vector__ void copies(GM_ADDR a, GM_ADDR out)
{
    TPipe pipe;
    GlobalTensor<T> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(a), COUNT);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(out), COUNT);
    OP::run(pipe, to, from);
    PipeBarrier<PIPE_ALL>();
}

template <typename T> struct Sources {
    std::vector<T> a, b, before;
    Sources()
    {
        for (uint32_t i = 0; i < COUNT; i++) {
            a.push_back(static_cast<T>(static_cast<int>(i * 7 % 31) - 9));
            b.push_back(static_cast<T>(static_cast<int>(i * 5 % 11) + 1));
            before.push_back(static_cast<T>(50 + i % 7));
        }
    }
};
template <typename T> using Expected = std::function<double(size_t, const Sources<T> &)>;

template <typename T, typename OP> bool holds(const char *name, void *stream, const Expected<T> &expected, double part = 0)
{
    const Sources<T> all;
    const sample::Array<T> first(all.a), second(all.b), out(all.before);
    apply<T, OP><<<1, nullptr, stream>>>(first.get(), second.get(), out.get());
    return sample::done(stream) &&
           sample::check(name, out.values(), [&](size_t i) { return static_cast<T>(expected(i, all)); }, part);
}
template <typename T, typename OP> bool moves(const char *name, void *stream, const Expected<T> &expected)
{
    const Sources<T> all;
    const sample::Array<T> first(all.a), out(all.before);
    copies<T, OP><<<1, nullptr, stream>>>(first.get(), out.get());
    return sample::done(stream) &&
           sample::check(name, out.values(), [&](size_t i) { return static_cast<T>(expected(i, all)); });
}

#define OPERATION(NAME, T, ...)                                                                                        \
    struct NAME {                                                                                                      \
        static __aicore__ void run(LocalTensor<T> &to, const LocalTensor<T> &a, [[maybe_unused]] const LocalTensor<T> &b, \
                                   [[maybe_unused]] LocalTensor<uint8_t> &space)                                       \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define COPIES(NAME, T, ...)                                                                                           \
    struct NAME {                                                                                                      \
        static __aicore__ void run([[maybe_unused]] TPipe &pipe, const GlobalTensor<T> &to, const GlobalTensor<T> &from) \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

OPERATION(ByOperators, float, {
    LocalTensor<float> part = to[0];
    part.SetSize(64);
    part = a + b;
    part = to[64];
    part.SetSize(64);
    part = a - b;
    part = to[128];
    part.SetSize(64);
    part = a * b;
    part = to[192];
    part.SetSize(64);
    part = a / b;
    LocalTensor<uint8_t> bits = space;
    bits.SetSize(64);
    bits = a < b;
    PipeBarrier<PIPE_V>();
    Select(to[256], space, a, -1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64u);
});
OPERATION(ByBits, int16_t, {
    LocalTensor<int16_t> part = to[0];
    part.SetSize(128);
    part = a & b;
    part = to[128];
    part.SetSize(128);
    part = a | b;
    Ands(to[256], a, static_cast<int16_t>(6), 128);
    ShiftLeft(to[384], a, b, 128);
});
OPERATION(ByNumbers, float, {
    Subs(to, a, 2.0f, 64);
    Subs(to[64], 2.0f, a, 64);
    Divs(to[128], 6.0f, b, 64);
    SubReluCast(space.ReinterpretCast<half>(), a, b, 64u);
    PipeBarrier<PIPE_V>();
    Cast(to[192], space.ReinterpretCast<half>(), RoundMode::CAST_NONE, 64);
    CreateVecIndex(to, 3.0f, static_cast<uint64_t>(32), 1, 1, 8);
    DeInterleave(to[256], to[288], a, 64);
});
OPERATION(ByScale, int32_t, {
    SetDeqScale(static_cast<half>(0.5));
    const LocalTensor<half> halves = space.ReinterpretCast<half>();
    Cast(halves, a, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_V>();
    Cast(to, halves, RoundMode::CAST_FLOOR, 64);
});
// Four sorted lists of 32 are one of 128; then its parts.
OPERATION(ByMerge, float, {
    const LocalTensor<float> lists = space.ReinterpretCast<float>();
    const LocalTensor<uint32_t> numbers = space[2048].ReinterpretCast<uint32_t>();
    CreateVecIndex(numbers.ReinterpretCast<int32_t>(), 0, 128u);
    PipeBarrier<PIPE_V>();
    Sort32(lists, a, numbers, 4);
    PipeBarrier<PIPE_V>();
    const uint16_t lengths[4] = {32, 32, 32, 32};
    const LocalTensor<float> merged = space[4096].ReinterpretCast<float>();
    MrgSort(merged, MrgSortSrcList<float>(lists, lists[64], lists[128], lists[192]), MrgSort4Info(lengths, false, 15, 1));
    PipeBarrier<PIPE_V>();
    Extract(to, to[128].ReinterpretCast<uint32_t>(), merged, 4);
    LocalTensor<float> concat;
    LocalTensor<float> tmp = space[8192].ReinterpretCast<float>();
    Concat(concat, a, tmp, 4);
    Sort<float, true>(to[256], concat, numbers, tmp, 4);
});
OPERATION(ByBlocks, int16_t, {
    LocalTensor<int16_t> rows[16], columns[16];
    for (uint32_t i = 0; i < 16; i++) {
        rows[i] = a[i * 16];
        columns[i] = to[i * 16];
    }
    TransDataTo5HD<int16_t>(columns, rows, TransDataTo5HDParams(false, false, 1, 0, 0));
    // 4 channels of 2 × 8 to the last place.
    Transpose(to[256], a[256], space, TransposeParamsExt(1, 4, 2, 8, TransposeType::TRANSPOSE_NCHW2NHWC));
});
OPERATION(ByWideBlocks, int32_t, {
    uint64_t rows[16], columns[16];
    for (uint32_t i = 0; i < 16; i++) {
        rows[i] = a[i * 8].GetPhyAddr();
        columns[i] = to[i * 8].GetPhyAddr();
    }
    TransDataTo5HD<int32_t>(columns, rows, TransDataTo5HDParams(false, false, 2, 16, 16));
});
OPERATION(ByExtreme, float, {
    ReduceMax(to, a, space.ReinterpretCast<float>(), 64, true);
    float value = 0, place = 0;
    GetReduceMaxMinCount(value, place);
    Duplicate(to[8], value, 8);
    Duplicate(to[16], place, 8);
});

// Every other row of 8 × 64, its middle 32 elements, behind one another.
COPIES(BySlices, float, {
    const LocalTensor<float> part(TPosition::VECIN, 0, COUNT);
    const SliceInfo taken[] = {{16, 47, 0, 4, 64}, {0, 6, 1, 1, 8}}, put[] = {{0, 31, 0, 4, 32}, {0, 3, 0, 1, 4}};
    DataCopy(part, from, put, taken, 2);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    const SliceInfo there[] = {{32, 63, 0, 4, 64}, {4, 7, 0, 1, 8}};
    DataCopy(to, part, there, put, 2);
});
// 3 rows of 5 elements, each filled up by 9 on both sides and by a number that was set.
COPIES(ByPadding, float, {
    const LocalTensor<float> part(TPosition::VECIN, 0, COUNT);
    float nine = 9;
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &nine, 4);
    DataCopyPad(part, from, DataCopyParams(3, 20, 4, 0), DataCopyPadParams(true, 2, 1, bits));
    SetPadValue<float>(7.0f);
    DataCopyPad(part[24], from, DataCopyParams(3, 20, 0, 0), DataCopyPadParams());
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopyPad(to, part, DataCopyParams(1, 48 * 4, 0, 0));
    DataCopy(to[64], part, DataCopyParams(1, 2, 0, 0), DataCopyEnhancedParams());
});
// Fractals of 16 × 32 to rows.
COPIES(ByFractals, half, {
    const LocalTensor<half> part(TPosition::VECIN, 0, COUNT);
    DataCopy(part, from, COUNT);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, part, Nz2NdParamsFull(1, 16, 32, 1, 16, 32, 1));
});
COPIES(ByFill, int32_t, {
    InitOutput<int32_t>(to, 100, from.GetValue(3));
});

// The same memory twice, by two pools; then queues in place, and one with tensors at increasing addresses.
COPIES(ByPools, float, {
    TBufPool<TPosition::VECCALC> all, early, late;
    pipe.InitBufPool(all, 8 * 1024);
    all.InitBufPool(early, 4 * 1024);
    all.InitBufPool(late, 4 * 1024, early);
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 0> out;
    early.InitBuffer(in, 1, 1024);
    late.InitBuffer(out, 2, 1024);
    LocalTensor<float> got = in.AllocTensor<float>();
    DataCopy(got, from, 256);
    in.EnQue(got);
    got = in.DeQue<float>();
    TBuf<TPosition::VECCALC> between;
    all.InitBuffer(between, 1024);
    LocalTensor<float> kept = between.Get<float>();
    Adds(kept, got, 1.0f, 256);
    PipeBarrier<PIPE_V>();
    in.FreeTensor(got);
    LocalTensor<float> made;
    out.AllocTensor(made);
    Muls(made, kept, 2.0f, 256);
    out.EnQue(made);
    out.DeQue(made);
    DataCopy(to, made, 256);
    out.FreeTensor(made);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    late.InitBuffer(through, 1, 1024);
    LocalTensor<float> passing = through.AllocTensor<float>();
    DataCopy(passing, from[256], 256);
    through.EnQue<TPosition::GM, TPosition::VECIN>(passing);
    passing = through.DeQue<TPosition::GM, TPosition::VECIN, float>();
    Adds(passing, passing, 3.0f, 256);
    through.EnQue<TPosition::VECOUT, TPosition::GM>(passing);
    passing = through.DeQue<TPosition::VECOUT, TPosition::GM, float>();
    DataCopy(to[256], passing, 256);
    through.FreeTensor(passing);
});
// Each pipe in turn has the buffer.
COPIES(ByMutex, float, {
    const LocalTensor<float> part(TPosition::VECIN, 0, COUNT);
    const MutexID id = AllocMutexID();
    for (uint32_t i = 0; i < 2; i++) {
        Mutex::Lock<PIPE_MTE2>(id);
        DataCopy(part, from[i * 256], 256);
        Mutex::Unlock<PIPE_MTE2>(id);
        Mutex::Lock<PIPE_V>(id);
        Muls(part, part, 3.0f, 256);
        Mutex::Unlock<PIPE_V>(id);
        Mutex::Lock<PIPE_MTE3>(id);
        DataCopy(to[i * 256], part, 256);
        Mutex::Unlock<PIPE_MTE3>(id);
    }
    ReleaseMutexID(id);
});

} // namespace

extern "C" int sample_operators(void *stream)
{
    bool good = true;
    good &= holds<float, ByOperators>("operators", stream, [](size_t i, auto &s) -> double {
        const size_t k = i % 64;
        const double x = s.a[k], y = s.b[k];
        switch (i / 64) {
        case 0: return x + y;
        case 1: return x - y;
        case 2: return x * y;
        case 3: return x / y;
        case 4: return x < y ? x : -1;
        default: return s.before[i];
        }
    }, 1e-6);
    good &= holds<int16_t, ByBits>("bits", stream, [](size_t i, auto &s) -> double {
        const int x = s.a[i % 128], y = s.b[i % 128];
        return i < 128 ? x & y : i < 256 ? x | y : i < 384 ? x & 6 : static_cast<int16_t>(x * (1 << y));
    });
    good &= holds<float, ByNumbers>("numbers", stream, [](size_t i, auto &s) -> double {
        const size_t k = i % 64;
        const double x = s.a[k], y = s.b[k];
        switch (i / 64) {
        case 0: return i < 32 ? 3.0 + static_cast<double>(i) : x - 2;
        case 1: return 2 - x;
        case 2: return 6 / y;
        case 3: return x > y ? x - y : 0;
        case 4: return k < 32 ? s.a[2 * k] : s.a[2 * (k - 32) + 1];
        default: return s.before[i];
        }
    }, 1e-6);
    good &= holds<int32_t, ByScale>("scale", stream, [](size_t i, auto &s) -> double {
        return i < 64 ? std::floor(s.a[i] * 0.5) : s.before[i];
    });
    good &= holds<float, ByExtreme>("extreme", stream, [](size_t i, auto &s) -> double {
        size_t best = 0;
        for (size_t k = 1; k < 64; k++)
            best = s.a[k] > s.a[best] ? k : best;
        const auto number = static_cast<uint32_t>(best);
        float bits;
        __builtin_memcpy(&bits, &number, 4);
        return i == 0 || i / 8 == 1 ? s.a[best] : i == 1 || i / 8 == 2 ? bits : s.before[i];
    });
    return good ? 0 : 1;
}

extern "C" int sample_lists(void *stream)
{
    bool good = true;
    good &= holds<float, ByMerge>("merge", stream, [](size_t i, auto &s) -> double {
        std::vector<uint32_t> order;
        for (uint32_t own = 0; own < 128; own++) {
            auto at = order.begin();
            while (at != order.end() && s.a[*at] >= s.a[own])
                ++at;
            order.insert(at, own);
        }
        const bool is_pair = i >= 256;
        const uint32_t number = order[is_pair ? (i - 256) / 2 : i % 128];
        float bits;
        __builtin_memcpy(&bits, &number, 4);
        return (is_pair ? i % 2 == 0 : i < 128) ? s.a[number] : bits;
    });
    good &= holds<int16_t, ByBlocks>("blocks", stream, [](size_t i, auto &s) -> double {
        if (i < 256)
            return s.a[i % 16 * 16 + i / 16];
        const size_t k = i - 256;
        return k < 64 ? s.a[256 + k % 4 * 16 + k / 4] : s.before[i];
    });
    good &= holds<int32_t, ByWideBlocks>("wide blocks", stream, [](size_t i, auto &s) -> double {
        if (i >= 256)
            return s.before[i];
        const size_t part = i / 128 * 128, row = i % 128 / 16, column = i % 16;
        return s.a[part + column * 8 + row];
    });
    return good ? 0 : 1;
}

extern "C" int sample_copies(void *stream)
{
    bool good = true;
    good &= moves<float, BySlices>("slices", stream, [](size_t i, auto &s) -> double {
        const size_t row = i / 64, column = i % 64;
        return row >= 4 && column >= 32 ? s.a[(row - 4) * 2 * 64 + 16 + column - 32] : s.before[i];
    });
    good &= moves<float, ByPadding>("padding", stream, [](size_t i, auto &s) -> double {
        const auto put = [&](size_t k) -> double {
            const size_t row = k % 24 / 8, column = k % 8;
            if (k < 24)
                return column < 2 || column > 6 ? 9 : s.a[row * 6 + column - 2];
            return column < 5 ? s.a[row * 5 + column] : 7;
        };
        return i < 48 ? put(i) : i >= 64 && i < 80 ? put(i - 64) : s.before[i];
    });
    good &= moves<half, ByFractals>("fractals", stream, [](size_t i, auto &s) -> double {
        return s.a[i % 32 / 16 * 256 + i / 32 * 16 + i % 16];
    });
    good &= moves<int32_t, ByFill>("fill", stream, [](size_t i, auto &s) -> double { return i < 100 ? s.a[3] : s.before[i]; });
    good &= moves<float, ByPools>("pools", stream, [](size_t i, auto &s) -> double {
        return i < 256 ? (s.a[i] + 1) * 2 : s.a[i] + 3;
    });
    good &= moves<float, ByMutex>("mutex", stream, [](size_t i, auto &s) -> double { return s.a[i] * 3; });
    return good ? 0 : 1;
}
