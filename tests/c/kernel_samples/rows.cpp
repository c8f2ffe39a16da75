// SPDX-License-Identifier: Apache-2.0 OR MIT
// The high-level library on rows of a matrix, and of single elements with a number: compared with plain C++.
#include "operands.h"
#include "sample.h"

#include <functional>

using namespace AscendC;

namespace {

constexpr uint32_t ROWS = 16, COLUMNS = 32, USED = 27; // of the columns
using operands::AREA, operands::COUNT;
static_assert(ROWS * COLUMNS == COUNT);

template <typename T, typename OP> __global__ __vector__ void apply(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    operands::apply<T, T, OP>(a, b, out);
}

// Like a row of the matrix, with its results.
struct Row {
    const double *x, *y;
    double sum() const
    {
        double all = 0;
        for (uint32_t i = 0; i < USED; i++)
            all += x[i];
        return all;
    }
    double most() const
    {
        double all = x[0];
        for (uint32_t i = 1; i < USED; i++)
            all = x[i] > all ? x[i] : all;
        return all;
    }
    double powers() const
    {
        double all = 0;
        for (uint32_t i = 0; i < USED; i++)
            all += std::exp(x[i] - most());
        return all;
    }
    double squares(double mean) const
    {
        double all = 0;
        for (uint32_t i = 0; i < USED; i++)
            all += (x[i] - mean) * (x[i] - mean);
        return all / USED;
    }
};

template <typename T, typename OP>
bool holds(const char *name, void *stream,
           const std::function<double(uint32_t row, uint32_t column, const Row &, double before)> &expected, double part)
{
    std::vector<T> a, b, before;
    for (uint32_t i = 0; i < COUNT; i++) {
        a.push_back(static_cast<T>(0.25 * std::fmod(i * 7.0, 23.0) - 2));
        b.push_back(static_cast<T>(0.5 + 0.125 * (i % 13)));
        before.push_back(static_cast<T>(100 + i % 5));
    }
    const sample::Array<T> first(a), second(b), out(before);
    apply<T, OP><<<1, nullptr, stream>>>(first.get(), second.get(), out.get());
    std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
    const auto wanted = [&](size_t i) {
        const Row row = {&x[i / COLUMNS * COLUMNS], &y[i / COLUMNS * COLUMNS]};
        const auto place = static_cast<uint32_t>(i);
        return static_cast<double>(
            static_cast<T>(expected(place / COLUMNS, place % COLUMNS, row, static_cast<double>(before[i]))));
    };
    return sample::done(stream) && sample::check(name, out.values(), wanted, part);
}

#define OPERATION(NAME, T, ...)                                                                                        \
    struct NAME {                                                                                                      \
        static __aicore__ void run(LocalTensor<T> &to, const LocalTensor<T> &a, [[maybe_unused]] const LocalTensor<T> &b, \
                                   [[maybe_unused]] LocalTensor<uint8_t> &space)                                       \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

OPERATION(BySoftMax, float, {
    SoftMaxTiling tiling;
    const SoftMaxShapeInfo shape = {ROWS, COLUMNS, ROWS, USED};
    SoftMax(to, a, space, tiling, shape);
});
// The sums and maxima in the place of the sources.
OPERATION(BySoftMaxParts, float, {
    SoftMaxTiling tiling;
    tiling.srcM = ROWS;
    tiling.srcK = COLUMNS;
    const LocalTensor<float> sums = space.ReinterpretCast<float>();
    SoftMax(b, sums, sums[ROWS * 8], a, tiling, {ROWS, COLUMNS, ROWS, USED});
    PipeBarrier<PIPE_V>();
    Copy(to, sums, static_cast<uint64_t>(64), 4, {1, 1, 8, 8});
});
OPERATION(ByLayerNorm, half, {
    LayerNormTiling tiling;
    tiling.bLength = 2;
    tiling.sLength = ROWS / 2;
    tiling.hLength = COLUMNS;
    tiling.originalHLength = USED;
    const LocalTensor<half> means = space.ReinterpretCast<half>();
    LayerNorm(to, means, means[64], a, b, b[COLUMNS], static_cast<half>(0.001), tiling);
});
OPERATION(ByLayerNormParts, float, {
    const LocalTensor<float> means = space.ReinterpretCast<float>();
    const LayerNormPara para = {ROWS, USED, COLUMNS};
    const LayerNormSeparateTiling tiling = {};
    const LocalTensor<float> out = space[AREA].ReinterpretCast<float>();
    LayerNorm<float, float>(out, means, means[ROWS], a, b, b[COLUMNS], 0.001f, space[1024], para, tiling);
    PipeBarrier<PIPE_V>();
    Copy(to, means, static_cast<uint64_t>(32), 1, {1, 1, 8, 8});
});
OPERATION(ByRmsNorm, float, {
    RmsNormTiling tiling;
    tiling.bLength = ROWS;
    tiling.sLength = 1;
    tiling.hLength = COLUMNS;
    tiling.originalHLength = USED;
    RmsNorm(to, a, b, 0.5f, tiling);
});
OPERATION(BySums, float, {
    Sum(to, a, SumParams{ROWS, COLUMNS, USED});
    Mean(to[COLUMNS], a, space, MeanParams{ROWS, COLUMNS, USED});
    const uint32_t shape[] = {ROWS, COLUMNS};
    ReduceSum<float, Pattern::Reduce::RA>(to[2 * COLUMNS], a, space, shape, true);
    ReduceMax<float, Pattern::Reduce::AR>(to[3 * COLUMNS], a, shape, true);
    ReduceMin<float, Pattern::Reduce::RA>(to[4 * COLUMNS], a, shape, true);
    ReduceMean<float, Pattern::Reduce::RA>(to[5 * COLUMNS], a, shape, true);
    ReduceProd<float, Pattern::Reduce::RA>(to[6 * COLUMNS], b, shape, true);
    ReduceAny<float, Pattern::Reduce::AR>(to[7 * COLUMNS], a, shape, true);
    ReduceAll<float, Pattern::Reduce::AR>(to[8 * COLUMNS], a, shape, true);
});
OPERATION(ByBroadcast, float, {
    const uint32_t whole[] = {ROWS / 2, COLUMNS}, row[] = {1, COLUMNS}, column[] = {ROWS / 2, 1};
    Broadcast<float, 2, 0>(to, a, whole, row);
    Broadcast<float, 2, 1>(to[COUNT / 2], a, whole, column, space);
});
// Each a row, of the same row of the sources.
OPERATION(ByElements, float, {
    SwiGLU(to, a, b, 1.5f, COLUMNS);
    GeGLU(to[COLUMNS], a[COLUMNS], b[COLUMNS], COLUMNS);
    ReGlu(to[2 * COLUMNS], b[2 * COLUMNS], a[2 * COLUMNS], space, COLUMNS);
    Swish(to[3 * COLUMNS], a[3 * COLUMNS], COLUMNS, 2.0f);
    ClampMax(to[4 * COLUMNS], a[4 * COLUMNS], 0.5f, COLUMNS);
    ClampMin(to[5 * COLUMNS], a[5 * COLUMNS], space, 0.5f, COLUMNS);
    Power(to[6 * COLUMNS], b[6 * COLUMNS], 3.0f, COLUMNS);
    Power(to[7 * COLUMNS], 2.0f, a[7 * COLUMNS], space, COLUMNS);
    Power(to[8 * COLUMNS], b[8 * COLUMNS], a[8 * COLUMNS], space, COLUMNS);
    Fmod(to[9 * COLUMNS], a[9 * COLUMNS], b[9 * COLUMNS], COLUMNS);
});
OPERATION(ByXor, int16_t, {
    Xor(to, a, b);
});

} // namespace

extern "C" int sample_rows(void *stream)
{
    bool good = true;
    good &= holds<float, BySoftMax>("SoftMax", stream, [](uint32_t, uint32_t column, const Row &row, double before) {
        return column < USED ? std::exp(row.x[column] - row.most()) / row.powers() : before;
    }, 1e-6);
    good &= holds<float, BySoftMaxParts>("SoftMax with sums", stream, [](uint32_t r, uint32_t column, const Row &row, double before) {
        const uint32_t place = r * COLUMNS + column;
        if (place >= 2 * ROWS * 8)
            return before;
        const uint32_t number = place / 8 % ROWS;
        const Row of = {row.x - r * COLUMNS + number * COLUMNS, row.y};
        return place < ROWS * 8 ? of.powers() : of.most();
    }, 1e-6);
    const auto normal = [](const Row &row, uint32_t column) {
        const double mean = row.sum() / USED;
        return (row.x[column] - mean) / std::sqrt(row.squares(mean) + 0.001);
    };
    good &= holds<half, ByLayerNorm>("LayerNorm", stream, [&](uint32_t r, uint32_t column, const Row &row, double before) {
        const double *gamma = row.y - r * COLUMNS;
        return column < USED ? normal(row, column) * gamma[column] + gamma[COLUMNS + column] : before;
    }, 4e-3);
    good &= holds<float, ByLayerNormParts>("LayerNorm's parts", stream, [](uint32_t r, uint32_t column, const Row &row, double before) {
        if (r != 0)
            return before;
        const Row of = {row.x + column % ROWS * COLUMNS, row.y};
        const double mean = of.sum() / USED;
        return column < ROWS ? mean : 1 / std::sqrt(of.squares(mean) + 0.001);
    }, 1e-5);
    good &= holds<float, ByRmsNorm>("RmsNorm", stream, [](uint32_t r, uint32_t column, const Row &row, double before) {
        const double *gamma = row.y - r * COLUMNS;
        return column < USED ? row.x[column] / std::sqrt(row.squares(0) + 0.5) * gamma[column] : before;
    }, 1e-6);
    good &= holds<float, BySums>("sums", stream, [](uint32_t r, uint32_t column, const Row &row, double before) -> double {
        const double *x = row.x - r * COLUMNS, *y = row.y - r * COLUMNS;
        const bool is_of_rows = r < 2 || r == 3 || r == 7 || r == 8;
        if (r > 8 || (is_of_rows && column >= ROWS))
            return before;
        const Row of = {x + column * COLUMNS, y};
        const auto down = [&](const double *from, double first, auto fold) {
            for (uint32_t i = 0; i < ROWS; i++)
                first = fold(first, from[i * COLUMNS + column]);
            return first;
        };
        const auto sum = [](double p, double q) { return p + q; };
        const auto least = [](double p, double q) { return p < q ? p : q; };
        bool all = true;
        double most = is_of_rows ? of.x[0] : 0;
        for (uint32_t i = 0; is_of_rows && i < COLUMNS; i++) {
            all = all && of.x[i] != 0;
            most = of.x[i] > most ? of.x[i] : most;
        }
        switch (r) {
        case 0: return of.sum();
        case 1: return of.sum() / USED;
        case 2: return down(x, 0, sum);
        case 3: return most;
        case 4: return down(x, 1e9, least);
        case 5: return down(x, 0, sum) / ROWS;
        case 6: return down(y, 1, [](double p, double q) { return p * q; });
        case 7: return 1;
        default: return all ? 1 : 0;
        }
    }, 1e-5);
    good &= holds<float, ByBroadcast>("Broadcast", stream, [](uint32_t r, uint32_t column, const Row &row, double) {
        const double *x = row.x - r * COLUMNS;
        return r < ROWS / 2 ? x[column] : x[r - ROWS / 2];
    }, 0);
    good &= holds<float, ByElements>("elements", stream, [](uint32_t r, uint32_t column, const Row &row, double before) -> double {
        const double x = row.x[column], y = row.y[column];
        switch (r) {
        case 0: return x * y / (1 + std::exp(-1.5 * y));
        case 1: return x * y * 0.5 * (1 + std::erf(y / std::sqrt(2.0)));
        case 2: return y * (x > 0 ? x : 0);
        case 3: return x / (1 + std::exp(-2 * x));
        case 4: return x < 0.5 ? x : 0.5;
        case 5: return x > 0.5 ? x : 0.5;
        case 6: return y * y * y;
        case 7: return std::pow(2, x);
        case 8: return std::pow(y, x);
        case 9: return std::fmod(x, y);
        default: return before;
        }
    }, 1e-6);
    good &= holds<int16_t, ByXor>("Xor", stream, [](uint32_t, uint32_t column, const Row &row, double) {
        return static_cast<int>(row.x[column]) ^ static_cast<int>(row.y[column]);
    }, 0);
    return good ? 0 : 1;
}
