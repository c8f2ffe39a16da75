// SPDX-License-Identifier: Apache-2.0 OR MIT
// Output of kernels, and checks in them: printf, assert, DumpTensor. Lines appear on standard output at
// once, each whole.
#pragma once

#include <cassert>
#include <cstdio>
#include <vector>

#include "shape.h"
#include "tensor.h"
#include "types.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif

namespace mf::emulation {

// At most so many bytes of one call are printed.
constexpr size_t MOST_PRINTED = 30 * 1024;
void print(const char *text, size_t bytes);
[[noreturn]] void assertion_failed(Site at, const char *condition, const char *text);
// Elements as text, eight a line, behind a head with the number that the kernel gave.
void dump(uint32_t number, const char *where, Type type, const uint8_t *values, uint32_t count);

// Converts an argument of a variadic function: 16-bit numbers in the scalar unit's representation.
inline double printable(half value) { return static_cast<double>(static_cast<float>(value)); }
inline double printable(bfloat16_t value) { return static_cast<double>(static_cast<float>(value)); }
template <typename T> inline T printable(T value) { return value; }

template <typename... Values> inline void print_values(const char *format, Values... values) {
    char text[1024];
    const int wanted = std::snprintf(text, sizeof text, format, printable(values)...);
    if (wanted < 0) return;
    const auto bytes = static_cast<size_t>(wanted);
    if (bytes < sizeof text) return print(text, bytes);
    std::vector<char> more((bytes < MOST_PRINTED ? bytes : MOST_PRINTED) + 1);
    std::snprintf(more.data(), more.size(), format, printable(values)...);
    print(more.data(), more.size() - 1);
}
inline void print_values(const char *text) { print(text, std::strlen(text)); }
template <typename Condition> inline void check_assertion(Site at, const char *words, const Condition &holds) {
    if (!holds) assertion_failed(at, words, nullptr);
}
template <typename Condition, typename... Values>
inline void check_assertion(Site at, const char *words, const Condition &holds, const char *format, Values... values) {
    if (holds) return;
    char text[1024];
    std::snprintf(text, sizeof text, format, printable(values)...);
    assertion_failed(at, words, text);
}

} // namespace mf::emulation

namespace AscendC {

template <typename... Args> __aicore__ inline void printf(__gm__ const char *fmt, Args &&...args) {
    mf::emulation::print_values(fmt, args...);
}
template <typename... Args> __aicore__ inline void PRINTF(__gm__ const char *fmt, Args &&...args) {
    mf::emulation::print_values(fmt, args...);
}

// Prints `dumpSize` elements after the number `desc`, once the earlier instructions of the pipes have
// finished.
template <typename T>
__aicore__ inline void DumpTensor(const LocalTensor<T> &input, uint32_t desc, uint32_t dumpSize,
                                  mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    barrier(Pipe::All, at);
    const LocalRange range = input;
    check_local("DumpTensor", "input", range, uint64_t{dumpSize} * sizeof(T), 1, at);
    dump(desc, "local", TypeOf<T>::type, local(range.space, range.offset), dumpSize);
}
template <typename T>
__aicore__ inline void DumpTensor(const GlobalTensor<T> &input, uint32_t desc, uint32_t dumpSize,
                                  mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    barrier(Pipe::All, at);
    std::vector<uint8_t> copy(uint64_t{dumpSize} * sizeof(T));
    for (uint32_t i = 0; i < dumpSize; ++i)
        past_cache("DumpTensor", Mode::Read, reinterpret_cast<uint64_t>(input.GetPhyAddr(i)), sizeof(T), &copy[i * sizeof(T)], at);
    dump(desc, "global", TypeOf<T>::type, copy.data(), dumpSize);
}
template <typename Tensor>
__aicore__ inline void DumpTensor(const Tensor &input, uint32_t desc, uint32_t dumpSize, const ShapeInfo &shapeInfo,
                                  mf::emulation::Site at = MF_HERE) {
    (void)shapeInfo;
    DumpTensor(input, desc, dumpSize, at);
}
// From element `countOff` on.
template <typename Tensor>
__aicore__ inline void DumpAccChkPoint(const Tensor &input, uint32_t index, uint32_t countOff, uint32_t dumpSize,
                                       mf::emulation::Site at = MF_HERE) {
    DumpTensor(input[countOff], index, dumpSize, at);
}
__aicore__ inline void PrintTimeStamp(uint32_t descId) {
    mf::emulation::print_values("time stamp %u: cycle %llu\n", descId,
                                static_cast<unsigned long long>(mf::emulation::cycles()));
}
// Checks of builds with ASCENDC_OOM; nothing in others.
template <typename... Args> __aicore__ inline void OOMCheckAddrRange(const Args &...) {}
__aicore__ inline void MetricsProfStart() {}
__aicore__ inline void MetricsProfStop() {}

} // namespace AscendC

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

// `assert(condition)` or `assert(condition, format, …)`: a fault with the line. NDEBUG switches them off.
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ::mf::emulation::check_assertion(MF_HERE, #__VA_ARGS__, __VA_ARGS__)
#endif
#define ascendc_assert(...) assert(__VA_ARGS__)
// Of CPU builds; nothing on a device.
#ifndef ASSERT
#define ASSERT(...) ((void)0)
#endif
#ifndef KERNEL_LOG
#define KERNEL_LOG(...) ((void)0)
#endif
// Of the CPU build of the toolkit: does `behavior` before it ends the launch.
#define ASCENDC_ASSERT(condition, behavior)                                                                            \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            behavior;                                                                                                  \
            ::mf::emulation::assertion_failed(MF_HERE, #condition, nullptr);                                           \
        }                                                                                                              \
    } while (false)
