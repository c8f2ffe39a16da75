// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of the library on two operands, beside a model of them in double.
#pragma once

#include "operands.h"
#include "sample.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace library {

using namespace AscendC;
using operands::AREA, operands::COUNT;
using Values = std::vector<double>;
// Updates `out`, the memory before the call, to the expected result.
using Model = std::function<void(const Values &a, const Values &b, Values &out)>;

template <typename T, typename TO, typename OP> __global__ __vector__ void apply(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    operands::apply<T, TO, OP>(a, b, out);
}

// Random numbers up to `most`; `ends`: with NaN, infinities, zeros and the smallest and greatest numbers.
template <typename T> std::vector<T> numbers(uint32_t seed, double most, bool ends = false)
{
    const double all_ends[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), 0.0, -0.0, 6e-8, -65504, 65504, 1, -1, 0.5, 2.5};
    std::vector<T> made;
    uint64_t state = seed * 2654435761u + 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double random = static_cast<double>(state >> 33) / 1073741824.0 - 1;
        made.push_back(static_cast<T>(ends && i % 7 == 3 ? all_ends[(i / 7 * 5 + seed) % 12] : random * most));
    }
    return made;
}

template <typename T, typename TO, typename OP>
bool holds(const char *name, void *stream, const std::vector<T> &a, const std::vector<T> &b, const Model &model,
           double part = 0, double most = 0)
{
    std::vector<TO> before;
    for (uint32_t i = 0; i < COUNT; i++)
        before.push_back(static_cast<TO>(static_cast<float>(100 + i % 5)));
    const sample::Array<T> first(a), second(b);
    const sample::Array<TO> out(before);
    apply<T, TO, OP><<<1, nullptr, stream>>>(first.get(), second.get(), out.get());
    Values x(a.begin(), a.end()), y(b.begin(), b.end()), wanted(before.begin(), before.end());
    model(x, y, wanted);
    const auto rounded = [&](size_t i) { return static_cast<double>(static_cast<TO>(wanted[i])); };
    if (!sample::done(stream))
        return false;
    const std::vector<TO> found = out.values();
    for (size_t i = 0; most != 0 && i < found.size(); i++)
        if (std::fabs(static_cast<double>(found[i]) - rounded(i)) <= most)
            wanted[i] = static_cast<double>(found[i]);
    return sample::check(name, found, rounded, part);
}

} // namespace library

// A struct with the call: `to` is written, `a` and `b` are read, `space` is free memory. TO: result type.
#define OPERATION(NAME, T, TO, ...)                                                                                    \
    struct NAME {                                                                                                      \
        static __aicore__ void run([[maybe_unused]] AscendC::LocalTensor<TO> &to,                                      \
                                   [[maybe_unused]] const AscendC::LocalTensor<T> &a,                                  \
                                   [[maybe_unused]] const AscendC::LocalTensor<T> &b,                                  \
                                   [[maybe_unused]] AscendC::LocalTensor<uint8_t> &space)                              \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
