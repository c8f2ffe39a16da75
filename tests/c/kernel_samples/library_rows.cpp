// SPDX-License-Identifier: Apache-2.0 OR MIT
// The library's functions of rows that ordinary kernels use less: soft maxima in pieces, normalisations and
// their gradients, running sums. Compared with plain C++.
#include "library.h"

using namespace library;

namespace {

constexpr uint32_t ROWS = 8, COLUMNS = 16; // of a matrix; both operands hold four
constexpr uint32_t SIZE = ROWS * COLUMNS;
constexpr SoftmaxConfig ONE_EACH = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
const double HALF = 2e-3, FLOAT = 2e-6;

template <typename T> constexpr uint32_t BLOCK = 32 / sizeof(T);

double most_of(const double *x, uint32_t count = COLUMNS)
{
    return *std::max_element(x, x + count);
}
double sum_of(const double *x, const std::function<double(double)> &of = [](double v) { return v; }, uint32_t count = COLUMNS)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += of(x[i]);
    return sum;
}

// Two pieces of columns; behind the result: sums, maxima, factors.
template <typename T> OPERATION(ByFlash, T, T, {
    SoftMaxTiling tiling;
    tiling.srcM = ROWS;
    tiling.srcK = COLUMNS;
    const LocalTensor<T> sums = to[SIZE], maxima = to[SIZE + ROWS * BLOCK<T>], factors = to[SIZE + 2 * ROWS * BLOCK<T>];
    SoftmaxFlash(to, sums, maxima, a, factors, sums, maxima, tiling);
    PipeBarrier<PIPE_V>();
    SoftmaxFlash(to, sums, maxima, b, factors, sums, maxima, space, tiling, true);
});
template <typename T> bool flash(const char *name, void *stream, double part)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const double *x = &a[row * COLUMNS], *y = &b[row * COLUMNS];
            const double before = most_of(x), most = std::max(before, most_of(y));
            const double old = static_cast<double>(static_cast<T>(sum_of(x, [&](double v) { return std::exp(v - before); })));
            const double sum = old * std::exp(before - most) + sum_of(y, [&](double v) { return std::exp(v - most); });
            for (uint32_t i = 0; i < COLUMNS; i++)
                out[row * COLUMNS + i] = std::exp(y[i] - most) / sum;
            for (uint32_t i = 0; i < BLOCK<T>; i++) {
                out[SIZE + row * BLOCK<T> + i] = sum;
                out[SIZE + (ROWS + row) * BLOCK<T> + i] = most;
                out[SIZE + (2 * ROWS + row) * BLOCK<T> + i] = std::exp(before - most);
            }
        }
    };
    return holds<T, T, ByFlash<T>>(name, stream, numbers<T>(1, 5), numbers<T>(2, 6), model, part);
}

// Of one number a row, with the maxima of the second piece alone.
OPERATION(ByMaxima, float, float, {
    SoftMaxTiling tiling;
    const SoftMaxShapeInfo shape = {ROWS, COLUMNS, ROWS, COLUMNS};
    const LocalTensor<float> sums = to[SIZE], maxima = to[SIZE + 8], factors = to[SIZE + 16], own = to[SIZE + 24];
    SoftmaxFlashV2<float, false, false, false, false, ONE_EACH>(to, own, sums, maxima, a, factors, sums, maxima, tiling,
                                                                shape);
    PipeBarrier<PIPE_V>();
    SoftmaxFlashV2<float, true, false, false, false, ONE_EACH>(to, own, sums, maxima, b, factors, sums, maxima, space,
                                                               tiling, shape);
    // With blocks there is no such call: nothing happens.
    SoftmaxFlashV2<float, true>(b, b, b, b, b, b, b, b, space, tiling, shape);
});

// One number a row of the plain soft maximum, planned in the kernel.
OPERATION(BySums, float, float, {
    constexpr SoftMaxShapeInfo shape = {ROWS, COLUMNS, ROWS, COLUMNS};
    constexpr SoftMaxTiling tiling = SoftMaxFlashV2TilingFunc(shape, 4, 4, 1024, false, false, false, true);
    static_assert(tiling.srcM == ROWS && tiling.srcK == COLUMNS);
    SoftMax<float, false, false, false, ONE_EACH>(to, to[SIZE], to[SIZE + 8], a, tiling);
});

template <typename T> OPERATION(ByLogarithm, T, T, {
    LogSoftMaxTiling tiling;
    tiling.srcM = ROWS;
    tiling.srcK = COLUMNS;
    LogSoftMax(to, to[SIZE], to[SIZE + ROWS * BLOCK<T>], a, space, tiling);
});
template <typename T> bool logarithm(const char *name, void *stream, double part)
{
    const Model model = [](const Values &a, const Values &, Values &out) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const double *x = &a[row * COLUMNS], most = most_of(x);
            const double sum = sum_of(x, [&](double v) { return std::exp(v - most); });
            for (uint32_t i = 0; i < COLUMNS; i++)
                out[row * COLUMNS + i] = std::log10(std::exp(x[i] - most) / sum);
            for (uint32_t i = 0; i < BLOCK<T>; i++) {
                out[SIZE + row * BLOCK<T> + i] = sum;
                out[SIZE + (ROWS + row) * BLOCK<T> + i] = most;
            }
        }
    };
    return holds<T, T, ByLogarithm<T>>(name, stream, numbers<T>(3, 8), numbers<T>(4, 1), model, part);
}

// Rows whose maximum is -inf become zeros; afterwards the answers.
OPERATION(ByAdjusted, float, float, {
    const LocalTensor<float> maxima = space.ReinterpretCast<float>();
    Adds(to, a, 0.0f, SIZE);
    Duplicate(maxima, 1.0f, ROWS * 8);
    PipeBarrier<PIPE_V>();
    Duplicate(maxima[2 * 8], -std::numeric_limits<float>::infinity(), 8);
    Duplicate(maxima[5 * 8], -std::numeric_limits<float>::infinity(), 8);
    PipeBarrier<PIPE_V>();
    const SoftMaxShapeInfo shape = {ROWS, COLUMNS, ROWS, COLUMNS};
    const bool some = AdjustSoftMaxRes<float, float>(to, maxima, 0xff800000u, 0.0f, shape);
    const bool none = AdjustSoftMaxRes<float, float>(to, maxima, 0x7f800000u, 7.0f, shape);
    PipeBarrier<PIPE_V>();
    Duplicate(to[SIZE], some ? 1.0f : 0.0f, 8);
    Duplicate(to[SIZE + 8], none ? 1.0f : 0.0f, 8);
});

template <bool LAST> constexpr CumSumConfig SUMS = {LAST, false, true};
template <typename T, bool LAST> OPERATION(ByCumSum, T, T, {
    LocalTensor<T> last = to[2 * SIZE];
    const CumSumInfo info = {2 * ROWS, COLUMNS};
    if (LAST)
        CumSum<T, SUMS<LAST>>(to, last, a, space, info);
    else
        CumSum<T, SUMS<LAST>>(to, last, a, info);
});
template <typename T, bool LAST> bool cumulative(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &, Values &out) {
        const uint32_t sums = LAST ? 2 * ROWS : COLUMNS, each = LAST ? COLUMNS : 2 * ROWS;
        for (uint32_t i = 0; i < sums; i++) {
            float sum = -0.0f; // the first stays as it is
            for (uint32_t k = 0; k < each; k++) {
                const uint32_t place = LAST ? i * COLUMNS + k : k * COLUMNS + i;
                sum += static_cast<float>(a[place]);
                out[place] = static_cast<double>(sum);
            }
            out[2 * SIZE + i] = static_cast<double>(sum);
        }
    };
    return holds<T, T, ByCumSum<T, LAST>>(name, stream, numbers<T>(5, 3, true), numbers<T>(6, 1), model);
}

// Gradients of rows of which the last two columns do not count.
constexpr uint32_t USED = COLUMNS - 2;
template <typename T> OPERATION(ByGradients, T, T, {
    LayerNormGradTiling tiling;
    tiling.bLength = 2;
    tiling.sLength = ROWS / 2;
    tiling.hLength = COLUMNS;
    tiling.originalHLength = USED;
    const LocalTensor<T> variance = a[2 * SIZE], mean = a[2 * SIZE + 16], gamma = a[2 * SIZE + 32];
    Abs(b, variance, ROWS);
    PipeBarrier<PIPE_V>();
    LayerNormGrad(to, to[SIZE], a, a[SIZE], b, mean, gamma, space, static_cast<T>(0.5), tiling);
    PipeBarrier<PIPE_V>();
    LayerNormGradBetaTiling sums;
    sums.bLength = 2;
    sums.sLength = ROWS / 2;
    sums.hLength = COLUMNS;
    sums.originalHLength = USED;
    LayerNormGradBeta(to[2 * SIZE], to[2 * SIZE + COLUMNS], a[SIZE], a, space, sums);
    LayerNormGradBeta(to[2 * SIZE + 2 * COLUMNS], to[2 * SIZE + 3 * COLUMNS], a[SIZE], a, sums);
});
template <typename T> bool gradients(const char *name, void *stream, double part, double most)
{
    const Model model = [](const Values &a, const Values &, Values &out) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const double variance = std::fabs(a[2 * SIZE + row]), mean = a[2 * SIZE + 16 + row];
            const double *gamma = &a[2 * SIZE + 32], *dy = &a[row * COLUMNS], *x = &a[SIZE + row * COLUMNS];
            const double r = std::pow(variance + 0.5, -0.5);
            double by_variance = 0, by_mean = 0, off = 0;
            for (uint32_t i = 0; i < USED; i++) {
                by_variance += -0.5 * dy[i] * gamma[i] * (x[i] - mean) * r * r * r;
                by_mean -= dy[i] * gamma[i] * r;
                off -= 2 * (x[i] - mean);
            }
            by_mean += by_variance * off / USED;
            for (uint32_t i = 0; i < USED; i++) {
                out[row * COLUMNS + i] = dy[i] * gamma[i] * r + by_variance * 2 * (x[i] - mean) / USED + by_mean / USED;
                out[SIZE + row * COLUMNS + i] = (x[i] - mean) * r;
            }
        }
        for (uint32_t i = 0; i < USED; i++) {
            double gamma = 0, beta = 0;
            for (uint32_t row = 0; row < ROWS; row++) {
                gamma += a[row * COLUMNS + i] * a[SIZE + row * COLUMNS + i];
                beta += a[row * COLUMNS + i];
            }
            for (const uint32_t at : {0u, 2u}) {
                out[2 * SIZE + at * COLUMNS + i] = gamma;
                out[2 * SIZE + (at + 1) * COLUMNS + i] = beta;
            }
        }
    };
    return holds<T, T, ByGradients<T>>(name, stream, numbers<T>(7, 2), numbers<T>(8, 1), model, part, most);
}

// DeepNorm, and GroupNorm of 2 matrices with 4 channels in 2 groups.
template <typename T> OPERATION(ByNorms, T, T, {
    DeepNormTiling deep;
    deep.bLength = 1;
    deep.sLength = ROWS;
    deep.hLength = COLUMNS;
    DeepNorm(to, to[3 * SIZE], to[3 * SIZE + 16], a, a[SIZE], b, b[COLUMNS], space, static_cast<T>(0.5),
             static_cast<T>(0.25), deep);
    GroupNormTiling group;
    group.n = 2;
    group.c = 4;
    group.hw = COLUMNS;
    group.g = 2;
    GroupNorm(to[SIZE], to[3 * SIZE + 32], to[3 * SIZE + 48], a, b[SIZE], b[SIZE + 16], static_cast<T>(0.25), group);
});
template <typename T> bool norms(const char *name, void *stream, double part, double most)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        const auto moments = [](const Values &x) {
            const auto count = static_cast<double>(x.size());
            double mean = 0, variance = 0;
            for (const double v : x)
                mean += v / count;
            for (const double v : x)
                variance += (v - mean) * (v - mean) / count;
            return std::pair<double, double>(mean, variance);
        };
        for (uint32_t row = 0; row < ROWS; row++) {
            Values x(COLUMNS);
            for (uint32_t i = 0; i < COLUMNS; i++)
                x[i] = 0.5 * a[row * COLUMNS + i] + a[SIZE + row * COLUMNS + i];
            const auto [mean, variance] = moments(x);
            for (uint32_t i = 0; i < COLUMNS; i++)
                out[row * COLUMNS + i] = (x[i] - mean) / std::sqrt(variance + 0.25) * b[COLUMNS + i] + b[i];
            out[3 * SIZE + row] = mean;
            out[3 * SIZE + 16 + row] = 1 / std::sqrt(variance + 0.25);
        }
        for (uint32_t group = 0; group < 4; group++) {
            const uint32_t first = group * 2 * COLUMNS;
            const auto [mean, variance] = moments(Values(a.begin() + first, a.begin() + first + 2 * COLUMNS));
            for (uint32_t i = 0; i < 2 * COLUMNS; i++) {
                const uint32_t channel = group % 2 * 2 + i / COLUMNS;
                const double normal = (a[first + i] - mean) / std::sqrt(variance + 0.25);
                out[SIZE + first + i] = normal * b[SIZE + channel] + b[SIZE + 16 + channel];
            }
            out[3 * SIZE + 32 + group] = mean;
            out[3 * SIZE + 48 + group] = variance;
        }
    };
    return holds<T, T, ByNorms<T>>(name, stream, numbers<T>(9, 2), numbers<T>(10, 1), model, part, most);
}

// LayerNorm of rows without beta, with the variance, and without gamma and moments.
constexpr LayerNormConfig NO_BETA = {true, false, false, false}, ALONE = {false, true, true, true};
OPERATION(ByConfigured, float, float, {
    const LayerNormPara para = {ROWS, USED, COLUMNS};
    const LayerNormSeparateTiling tiling;
    LayerNorm<float, float, false, NO_BETA>(to, to[SIZE], to[SIZE + 8], a, b, b[COLUMNS], 0.5f, space, para, tiling);
    LayerNorm<float, float, false, ALONE>(to[2 * SIZE], to, to, a, b, b[COLUMNS], 0.5f, para, tiling);
});
bool configured(void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const double *x = &a[row * COLUMNS];
            const auto whole = [](double v) { return v; };
            const double mean = sum_of(x, whole, USED) / USED;
            const double variance = sum_of(x, [&](double v) { return (v - mean) * (v - mean); }, USED) / USED;
            for (uint32_t i = 0; i < USED; i++) {
                const double normal = (x[i] - mean) / std::sqrt(variance + 0.5);
                out[row * COLUMNS + i] = normal * b[i];
                out[2 * SIZE + row * COLUMNS + i] = normal + b[COLUMNS + i];
            }
            out[SIZE + row] = mean;
            out[SIZE + 8 + row] = variance;
        }
    };
    return holds<float, float, ByConfigured>("LayerNorm by configuration", stream, numbers<float>(19, 3), numbers<float>(20, 2),
                                             model, 1e-5, 1e-5);
}

// 32 means of which the last 8 are of fewer values; T: of the values.
template <typename T> OPERATION(ByWelford, T, float, {
    const LocalTensor<float> old = space.ReinterpretCast<float>(), means = to, squares = to[64];
    if constexpr (std::is_same_v<T, float>)
        Adds(old, b, 0.0f, 64);
    else
        Cast(old, b, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_V>();
    Abs(old[32], old[32], 32);
    PipeBarrier<PIPE_V>();
    WelfordUpdate<T, float>(means, squares, old, old[32], a, WelfordUpdateParam{1, 32, 24, 0.25f});
    PipeBarrier<PIPE_V>();
    WelfordFinalizePara even = {}, uneven = {};
    even.rnLength = 4;
    even.abLength = 24;
    even.abRec = 1.0f / 24;
    even.rRec = 1.0f / 96;
    uneven.rnLength = 4;
    uneven.abLength = 24;
    uneven.headCount = 4;
    uneven.headCountLength = 16;
    uneven.tailCount = 3;
    uneven.tailCountLength = 8;
    uneven.abRec = 1.0f / 24;
    uneven.rRec = 1.0f / 88;
    WelfordFinalize(to[128], to[136], means, squares, even);
    WelfordFinalize<false>(to[144], to[152], means, squares, space[4096], uneven);
    const LocalTensor<int32_t> counts = space[1024].ReinterpretCast<int32_t>();
    Duplicate(counts, 4, 24);
    PipeBarrier<PIPE_V>();
    Duplicate(counts[16], 3, 8);
    PipeBarrier<PIPE_V>();
    WelfordFinalize(to[160], to[168], means, squares, counts, even);
});
template <typename T> bool welford(const char *name, void *stream)
{
    const Model model = [](const Values &a, const Values &b, Values &out) {
        for (uint32_t i = 0; i < 24; i++) {
            const double after = b[i] + 0.25 * (a[i] - b[i]);
            out[i] = static_cast<double>(static_cast<float>(after));
            out[64 + i] = static_cast<double>(static_cast<float>(std::fabs(b[32 + i]) + (a[i] - b[i]) * (a[i] - after)));
        }
        const auto finish = [&](uint32_t at, const std::function<double(uint32_t)> &weight, double all) {
            double mean = 0, variance = 0;
            for (uint32_t i = 0; i < 24; i++)
                mean += out[i] * weight(i) / all;
            for (uint32_t i = 0; i < 24; i++)
                variance += out[64 + i] + weight(i) * (out[i] - mean) * (out[i] - mean);
            out[at] = mean;
            out[at + 8] = variance;
        };
        finish(128, [](uint32_t) { return 4; }, 96);
        finish(144, [](uint32_t i) { return i < 16 ? 4 : 3; }, 88);
        finish(160, [](uint32_t i) { return i < 16 ? 4 : 3; }, 96);
        out[136] /= 96, out[152] /= 88, out[168] /= 96;
    };
    return holds<T, float, ByWelford<T>>(name, stream, numbers<T>(11, 2), numbers<T>(12, 2), model, 2e-6);
}

} // namespace

extern "C" int sample_library_rows(void *stream)
{
    bool good = flash<float>("SoftmaxFlash", stream, FLOAT) & flash<half>("SoftmaxFlash of half", stream, HALF);
    good &= holds<float, float, ByMaxima>("SoftmaxFlashV2 with maxima", stream, numbers<float>(13, 5), numbers<float>(14, 5),
                                          [](const Values &a, const Values &b, Values &out) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const double *x = &a[row * COLUMNS], *y = &b[row * COLUMNS], before = most_of(x), own = most_of(y);
            const double most = std::max(before, own);
            for (uint32_t i = 0; i < COLUMNS; i++)
                out[row * COLUMNS + i] = std::exp(y[i] - most);
            const auto power = [&](double v) { return std::exp(v - most); };
            out[SIZE + row] = sum_of(x, power) + sum_of(y, power);
            out[SIZE + 8 + row] = most;
            out[SIZE + 16 + row] = std::exp(before - most);
            out[SIZE + 24 + row] = own;
        }
    }, FLOAT);
    good &= holds<float, float, BySums>("SoftMax with one sum a row", stream, numbers<float>(17, 5), numbers<float>(18, 5),
                                        [](const Values &a, const Values &, Values &out) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const double *x = &a[row * COLUMNS], most = most_of(x);
            const double sum = sum_of(x, [&](double v) { return std::exp(v - most); });
            for (uint32_t i = 0; i < COLUMNS; i++)
                out[row * COLUMNS + i] = std::exp(x[i] - most) / sum;
            out[SIZE + row] = sum;
            out[SIZE + 8 + row] = most;
        }
    }, FLOAT);
    good &= logarithm<float>("LogSoftMax", stream, FLOAT) & logarithm<half>("LogSoftMax of half", stream, HALF);
    good &= holds<float, float, ByAdjusted>("AdjustSoftMaxRes", stream, numbers<float>(15, 5), numbers<float>(16, 5),
                                            [](const Values &a, const Values &, Values &out) {
        for (uint32_t i = 0; i < SIZE; i++)
            out[i] = i / COLUMNS == 2 || i / COLUMNS == 5 ? 0 : a[i];
        for (uint32_t i = 0; i < 16; i++)
            out[SIZE + i] = i < 8 ? 1 : 0;
    });
    good &= cumulative<float, true>("CumSum of rows", stream) & cumulative<float, false>("CumSum of columns", stream);
    good &= cumulative<half, true>("CumSum of rows of half", stream) &
            cumulative<half, false>("CumSum of columns of half", stream);
    good &= gradients<float>("gradients", stream, 1e-5, 1e-5) & gradients<half>("gradients of half", stream, 4e-3, 2e-3);
    good &= norms<float>("norms", stream, 1e-5, 1e-5) & norms<half>("norms of half", stream, 4e-3, 1e-3);
    good &= configured(stream);
    good &= welford<float>("Welford", stream) & welford<half>("Welford of half", stream);
    return good ? 0 : 1;
}
