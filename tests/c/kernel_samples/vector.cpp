// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector calls: each is applied by count and by mask to the same numbers, and compared with plain C++.
#include "operands.h"
#include "sample.h"

using namespace AscendC;

namespace {

using operands::COUNT;

template <typename T, typename TO, typename OP> __global__ __vector__ void apply(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    operands::apply<T, TO, OP>(a, b, out);
}

template <typename T> std::vector<T> numbers(double scale, double step, double begin)
{
    std::vector<T> all;
    for (uint32_t i = 0; i < COUNT; i++)
        all.push_back(static_cast<T>(begin + scale * std::fmod(i * step, 17.0)));
    return all;
}

// Runs OP, and compares every element with expected(i, a, b, before).
template <typename T, typename TO, typename OP, typename Expected>
bool holds(const char *name, void *stream, Expected expected, double part = 0, double begin = -5)
{
    const std::vector<T> a = numbers<T>(0.75, 1.0, begin), b = numbers<T>(0.5, 3.0, 1);
    const std::vector<TO> before = numbers<TO>(1, 2.0, 3);
    const sample::Array<T> first(a), second(b);
    const sample::Array<TO> out(before);
    apply<T, TO, OP><<<1, nullptr, stream>>>(first.get(), second.get(), out.get());
    const auto wanted = [&](size_t i) { return static_cast<double>(static_cast<TO>(expected(i, a, b, before))); };
    return sample::done(stream) && sample::check(name, out.values(), wanted, part);
}

#define ONE(NAME, T, EXPRESSION, PART, BEGIN)                                                                          \
    struct By##NAME##T {                                                                                               \
        static __aicore__ void run(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &,          \
                                   const LocalTensor<uint8_t> &)                                                       \
        {                                                                                                              \
            constexpr uint32_t half_of = COUNT / 2, lanes = 256 / sizeof(T);                                           \
            NAME(to, a, static_cast<int32_t>(half_of));                                                                \
            PipeBarrier<PIPE_V>();                                                                                     \
            NAME(to[half_of], a[half_of], static_cast<uint64_t>(lanes / 2), static_cast<uint8_t>(half_of / lanes), {1, 1, 8, 8}); \
        }                                                                                                              \
    };                                                                                                                 \
    good &= holds<T, T, By##NAME##T>(#NAME " of " #T, stream, [](size_t i, auto &a, auto &, auto &before) {            \
        const auto x = static_cast<double>(a[i]);                                                                      \
        return i < COUNT / 2 || i % (256 / sizeof(T)) < 128 / sizeof(T) ? (EXPRESSION) : static_cast<double>(before[i]); \
    }, PART, BEGIN)

#define TWO(NAME, T, EXPRESSION, PART)                                                                                 \
    struct By##NAME##T {                                                                                               \
        static __aicore__ void run(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &b,         \
                                   const LocalTensor<uint8_t> &)                                                       \
        {                                                                                                              \
            NAME(to, a, b, static_cast<int32_t>(COUNT / 2));                                                           \
            PipeBarrier<PIPE_V>();                                                                                     \
            uint64_t mask[2] = {0x5555555555555555, sizeof(T) == 2 ? 0x5555555555555555 : 0};                          \
            NAME(to[COUNT / 2], a[COUNT / 2], b[COUNT / 2], mask, COUNT / 2 * sizeof(T) / 256, {1, 1, 1, 8, 8, 8});     \
        }                                                                                                              \
    };                                                                                                                 \
    good &= holds<T, T, By##NAME##T>(#NAME " of " #T, stream, [](size_t i, auto &a, auto &b, auto &before) {           \
        const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]), z = static_cast<double>(before[i]); \
        (void)z;                                                                                                       \
        return i < COUNT / 2 || i % 2 == 0 ? (EXPRESSION) : static_cast<double>(before[i]);                            \
    }, PART)

/* The second half is under a mask that was set before, as a number of elements. */
#define SCALAR(NAME, T, NUMBER, EXPRESSION)                                                                            \
    struct By##NAME##T {                                                                                               \
        static __aicore__ void run(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &,          \
                                   const LocalTensor<uint8_t> &)                                                       \
        {                                                                                                              \
            NAME(to, a, static_cast<T>(NUMBER), static_cast<int32_t>(COUNT / 2));                                      \
            PipeBarrier<PIPE_V>();                                                                                     \
            SetMaskCount();                                                                                            \
            SetVectorMask<T, MaskMode::COUNTER>(0, 200);                                                               \
            NAME<T, false>(to[COUNT / 2], a[COUNT / 2], static_cast<T>(NUMBER), MASK_PLACEHOLDER, 1, {1, 1, 8, 8});    \
            SetMaskNorm();                                                                                             \
            ResetMask();                                                                                               \
        }                                                                                                              \
    };                                                                                                                 \
    good &= holds<T, T, By##NAME##T>(#NAME " of " #T, stream, [](size_t i, auto &a, auto &, auto &before) {            \
        const T x = a[i];                                                                                              \
        [[maybe_unused]] const T s = static_cast<T>(NUMBER);                                                           \
        return i < COUNT / 2 + 200 ? static_cast<double>(static_cast<T>(EXPRESSION)) : static_cast<double>(before[i]); \
    })

} // namespace

extern "C" int sample_arithmetic(void *stream)
{
    bool good = true;
    ONE(Abs, float, std::fabs(x), 0, -5);
    ONE(Abs, half, std::fabs(x), 0, -5);
    ONE(Relu, float, x > 0 ? x : 0, 0, -5);
    ONE(Relu, int32_t, x > 0 ? x : 0, 0, -5);
    ONE(Exp, float, std::exp(x), 1e-6, -5);
    ONE(Exp, half, std::exp(x), 2e-3, -5);
    ONE(Ln, float, std::log(x), 1e-6, 1);
    ONE(Sqrt, float, std::sqrt(x), 1e-6, 1);
    ONE(Rsqrt, half, 1 / std::sqrt(x), 2e-3, 1);
    ONE(Reciprocal, float, 1 / x, 1e-6, 1);
    TWO(Div, float, x / y, 1e-6);
    TWO(Div, half, x / y, 2e-3);
    TWO(AddRelu, float, x + y > 0 ? x + y : 0, 0);
    TWO(SubRelu, half, x - y > 0 ? x - y : 0, 0);
    TWO(FusedMulAdd, float, x *z + y, 1e-6);
    TWO(FusedMulAddRelu, float, x *z + y > 0 ? x * z + y : 0, 1e-6);
    TWO(MulAddDst, float, x *y + z, 1e-6);
    SCALAR(Maxs, float, 1.5, x > s ? x : s);
    SCALAR(Mins, half, 1.5, x < s ? x : s);
    SCALAR(LeakyRelu, float, 0.25, x > 0 ? x : x * s);
    SCALAR(ShiftLeft, int32_t, 3, x * 8);
    SCALAR(ShiftRight, int16_t, 1, x >> 1);
    return good ? 0 : 1;
}

#define MATHEMATICS(NAME, EXPRESSION, BEGIN)                                                                           \
    struct By##NAME {                                                                                                  \
        static __aicore__ void run(const LocalTensor<float> &to, const LocalTensor<float> &a,                          \
                                   const LocalTensor<float> &, const LocalTensor<uint8_t> &space)                      \
        {                                                                                                              \
            NAME(to, a, space, COUNT / 2);                                                                             \
            NAME(to[COUNT / 2], a[COUNT / 2], COUNT / 2);                                                              \
        }                                                                                                              \
    };                                                                                                                 \
    good &= holds<float, float, By##NAME>(#NAME, stream, [](size_t i, auto &a, auto &, auto &) {                       \
        const double x = a[i];                                                                                         \
        return EXPRESSION;                                                                                             \
    }, 1e-6, BEGIN)

extern "C" int sample_mathematics(void *stream)
{
    bool good = true;
    MATHEMATICS(Sigmoid, 1 / (1 + std::exp(-x)), -5);
    MATHEMATICS(Tanh, std::tanh(x), -5);
    MATHEMATICS(Sin, std::sin(x), -5);
    MATHEMATICS(Erf, std::erf(x), -5);
    MATHEMATICS(Floor, std::floor(x), -5);
    MATHEMATICS(Ceil, std::ceil(x), -5);
    MATHEMATICS(Log2, std::log2(x), 1);
    MATHEMATICS(Gelu, 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))), -5);
    return good ? 0 : 1;
}

namespace {

struct ByCompareSelect {
    static __aicore__ void run(const LocalTensor<float> &to, const LocalTensor<float> &a, const LocalTensor<float> &b,
                               const LocalTensor<uint8_t> &space)
    {
        Compare(space, a, b, CMPMODE::LT, COUNT);
        CompareScalar(space[64], a, 2.0f, CMPMODE::GE, static_cast<uint64_t>(64), 2, {1, 1, 8, 8});
        PipeBarrier<PIPE_V>();
        Select(to, space, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, COUNT / 2);
        Select(to[COUNT / 2], space[64], a[COUNT / 2], -1.0f, SELMODE::VSEL_CMPMASK_SPR, static_cast<uint64_t>(64), 2,
               {1, 1, 1, 8, 8, 8});
        Compare(a, b, CMPMODE::NE, static_cast<uint64_t>(64), {1, 1, 1, 8, 8, 8});
        PipeBarrier<PIPE_V>();
        Select<float, SELMODE::VSEL_CMPMASK_SPR>(to[COUNT / 2 + 128], a, b, 1, {1, 1, 1, 8, 8, 8});
        GetCmpMask(space[256]);
    }
};

struct ByReductions {
    static __aicore__ void run(const LocalTensor<float> &to, const LocalTensor<float> &a, const LocalTensor<float> &,
                               const LocalTensor<uint8_t> &space)
    {
        const LocalTensor<float> work = space.ReinterpretCast<float>();
        WholeReduceSum(to, a, 64, 4, 1, 1, 8);
        WholeReduceMax(to[8], a, 64, 2, 1, 1, 8);
        WholeReduceMin(to[16], a, 33, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        BlockReduceSum(to[24], a, 2, 64, 1, 1, 8);
        PairReduceSum(to[64], a, 1, 64, 1, 1, 8);
        ReduceMin(to[96], a, work, static_cast<int32_t>(COUNT), true);
        PipeBarrier<PIPE_V>();
        ReduceSum(to[104], a, work, 64, 8, 8);
        ReduceMax(to[112], a, work[64], 64, 8, 8, true);
    }
};

struct ByPlaces {
    static __aicore__ void run(const LocalTensor<float> &to, const LocalTensor<float> &a, const LocalTensor<float> &b,
                               const LocalTensor<uint8_t> &space)
    {
        const LocalTensor<int32_t> places = space.ReinterpretCast<int32_t>();
        CreateVecIndex(places, 0, COUNT / 2);
        PipeBarrier<PIPE_V>();
        Muls(places, places, 8, static_cast<int32_t>(COUNT / 2)); // every other element of 4 bytes
        PipeBarrier<PIPE_V>();
        Gather(to, a, places.ReinterpretCast<uint32_t>(), 4, COUNT / 4);
        Brcb(to[COUNT / 4], b, 2, {1, 8});
        uint64_t chosen = 0;
        GatherMask(to[COUNT / 2], a, 2, false, 0, {1, 2, 8, 0}, chosen);
        Duplicate(to[COUNT / 2 + 64], static_cast<float>(chosen), 8);
        Arange(to[COUNT / 2 + 72], 1.0f, 0.5f, 8);
        Axpy(to[COUNT / 2 + 80], b, 2.0f, 8);
        Interleave(to[COUNT / 2 + 88], to[COUNT / 2 + 96], a, b, 8);
    }
};

struct BySort {
    static __aicore__ void run(const LocalTensor<float> &to, const LocalTensor<float> &a, const LocalTensor<float> &,
                               const LocalTensor<uint8_t> &space)
    {
        const LocalTensor<int32_t> numbers = space.ReinterpretCast<int32_t>();
        CreateVecIndex(numbers, 0, 64u);
        PipeBarrier<PIPE_V>();
        Sort32(to, a, numbers.ReinterpretCast<uint32_t>(), 2);
    }
};

struct ByTranspose {
    static __aicore__ void run(const LocalTensor<int16_t> &to, const LocalTensor<int16_t> &a, const LocalTensor<int16_t> &,
                               const LocalTensor<uint8_t> &)
    {
        Transpose(to, a);
        Not(to[256], a[256], 256);
    }
};

} // namespace

extern "C" int sample_selection(void *stream)
{
    const auto expected = [](size_t i, auto &a, auto &b, auto &before) -> double {
        if (i < COUNT / 2)
            return a[i] < b[i] ? a[i] : b[i];
        if (i < COUNT / 2 + 128)
            return a[i % 64] >= 2 ? a[i] : -1;
        if (i < COUNT / 2 + 192)
            return a[i % 64] != b[i % 64] ? a[i % 64] : b[i % 64];
        return before[i];
    };
    return holds<float, float, ByCompareSelect>("selection", stream, expected) ? 0 : 1;
}

extern "C" int sample_reductions(void *stream)
{
    const auto expected = [](size_t i, auto &a, auto &, auto &before) -> double {
        const auto over = [&](size_t first, size_t count, auto op) {
            double all = a[first];
            for (size_t k = first + 1; k < first + count; k++)
                all = op(all, a[k]);
            return all;
        };
        const auto sum = [](double x, double y) { return x + y; };
        const auto most = [](double x, double y) { return x > y ? x : y; };
        const auto least = [](double x, double y) { return x < y ? x : y; };
        const auto place = [&](size_t first, size_t count, double value) {
            size_t k = first;
            while (k < first + count && a[k] != value)
                k++;
            float bits;
            const auto number = static_cast<uint32_t>(k - first);
            __builtin_memcpy(&bits, &number, 4);
            return static_cast<double>(bits);
        };
        if (i < 4)
            return over(i * 64, 64, sum);
        if (i >= 8 && i < 12) {
            const double value = over((i - 8) / 2 * 64, 64, most);
            return i % 2 == 0 ? value : place((i - 8) / 2 * 64, 64, value);
        }
        if (i == 16 || i == 17)
            return over((i - 16) * 64, 33, least);
        if (i >= 24 && i < 40)
            return over((i - 24) * 8, 8, sum);
        if (i >= 64 && i < 96)
            return a[(i - 64) * 2] + a[(i - 64) * 2 + 1];
        const double smallest = over(0, COUNT, least), largest = over(0, COUNT, most);
        switch (i) {
        case 96: return smallest;
        case 97: return place(0, COUNT, smallest);
        case 104: return over(0, COUNT, sum);
        case 112: return largest;
        case 113: return place(0, COUNT, largest);
        default: return before[i];
        }
    };
    return holds<float, float, ByReductions>("reductions", stream, expected, 1e-6) ? 0 : 1;
}

extern "C" int sample_places(void *stream)
{
    const auto places = [](size_t i, auto &a, auto &b, auto &before) -> double {
        if (i < COUNT / 4)
            return a[2 * i + 1];
        if (i < COUNT / 4 + 128)
            return b[(i - COUNT / 4) / 8];
        const size_t k = i - COUNT / 2;
        if (k < 64)
            return a[2 * k + 1];
        if (k < 72)
            return 64;
        if (k < 80)
            return 1 + 0.5 * (k - 72);
        if (k < 88)
            return before[i] + 2 * b[k - 80];
        if (k < 104)
            return k % 2 == 0 ? a[(k - 88) / 2] : b[(k - 88) / 2];
        return before[i];
    };
    const auto sorted = [](size_t i, auto &a, auto &, auto &before) -> double {
        if (i >= 128)
            return before[i];
        std::vector<uint32_t> order;
        for (uint32_t k = 0; k < 32; k++) {
            const uint32_t own = static_cast<uint32_t>(i / 64 * 32) + k;
            auto at = order.begin();
            while (at != order.end() && a[*at] >= a[own])
                ++at;
            order.insert(at, own);
        }
        const uint32_t number = order[i % 64 / 2];
        float bits;
        __builtin_memcpy(&bits, &number, 4);
        return i % 2 == 0 ? a[number] : bits;
    };
    const auto transposed = [](size_t i, auto &a, auto &, auto &) -> double {
        return i < 256 ? a[i % 16 * 16 + i / 16] : ~a[i];
    };
    return holds<float, float, ByPlaces>("places", stream, places) &&
                   holds<float, float, BySort>("sort", stream, sorted) &&
                   holds<int16_t, int16_t, ByTranspose>("transposition", stream, transposed)
               ? 0
               : 1;
}
