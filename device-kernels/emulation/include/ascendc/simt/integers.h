// SPDX-License-Identifier: Apache-2.0 OR MIT
// Whole numbers of threads: bits, products in parts, averages.
#pragma once

#include "../intrinsics.h"
#include "warps.h"

constexpr uint32_t umin(uint32_t a, uint32_t b) { return b < a ? b : a; }
constexpr uint32_t umax(uint32_t a, uint32_t b) { return a < b ? b : a; }

// The upper half of a product.
inline int32_t __mulhi(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }
inline uint32_t __umulhi(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
inline int64_t __mul64hi(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<__int128_t>(a) * b >> 64); }
inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return static_cast<uint64_t>(static_cast<__uint128_t>(a) * b >> 64); }
// The lower half of the product of the lower 24 bits.
inline int32_t __mul24(int32_t a, int32_t b) {
    const auto low = [](int32_t x) { return int64_t{static_cast<int32_t>(static_cast<uint32_t>(x) << 8) >> 8}; };
    return static_cast<int32_t>(low(a) * low(b));
}
inline uint32_t __umul24(uint32_t a, uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }
// |a - b| + c.
inline uint32_t __sad(int32_t a, int32_t b, uint32_t c) {
    return (a < b ? static_cast<uint32_t>(b) - static_cast<uint32_t>(a) : static_cast<uint32_t>(a) - static_cast<uint32_t>(b)) + c;
}
inline uint32_t __usad(uint32_t a, uint32_t b, uint32_t c) { return (a < b ? b - a : a - b) + c; }
// Half of the sum, rounded down or up.
inline int32_t __hadd(int32_t a, int32_t b) { return static_cast<int32_t>((int64_t{a} + b) >> 1); }
inline int32_t __rhadd(int32_t a, int32_t b) { return static_cast<int32_t>((int64_t{a} + b + 1) >> 1); }
inline uint32_t __uhadd(uint32_t a, uint32_t b) { return static_cast<uint32_t>((uint64_t{a} + b) >> 1); }
inline uint32_t __urhadd(uint32_t a, uint32_t b) { return static_cast<uint32_t>((uint64_t{a} + b + 1) >> 1); }

// The bits reversed; how many zeros lead; the place of the lowest one, from 1, and 0 without.
inline uint32_t __brev(uint32_t value) {
    uint32_t turned = 0;
    for (uint32_t bit = 0; bit < 32; bit++) turned |= (value >> bit & 1) << (31 - bit);
    return turned;
}
inline int32_t __clz(int32_t value) { return value == 0 ? 32 : __builtin_clz(static_cast<uint32_t>(value)); }
inline int32_t __ffs(int32_t value) { return __builtin_ffs(value); }
// Four of the bytes of b and a, numbered from the lowest of a, by the digits of the selector.
inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < 4; i++) chosen |= static_cast<uint32_t>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return chosen;
}

inline float __int_as_float(int32_t bits) { return mf::emulation::bits_as<float>(bits); }
inline float __uint_as_float(uint32_t bits) { return mf::emulation::bits_as<float>(bits); }
inline int32_t __float_as_int(float value) { return mf::emulation::bits_as<int32_t>(value); }
inline uint32_t __float_as_uint(float value) { return mf::emulation::bits_as<uint32_t>(value); }
