// SPDX-License-Identifier: Apache-2.0 OR MIT
// Small vectors of threads. Three elements take the room of four.
#pragma once

#include <cstdint>

#define MF_SMALL_VECTORS(NAME, T)                                                                                      \
    struct alignas(2 * sizeof(T)) NAME##2 {                                                                            \
        T x, y;                                                                                                        \
    };                                                                                                                 \
    struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) NAME##3 {                                                  \
        T x, y, z;                                                                                                     \
    };                                                                                                                 \
    struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) NAME##4 {                                                  \
        T x, y, z, w;                                                                                                  \
    };                                                                                                                 \
    static_assert(sizeof(NAME##2) == 2 * sizeof(T) && sizeof(NAME##3) == 4 * sizeof(T) && sizeof(NAME##4) == 4 * sizeof(T)); \
    constexpr NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                                                      \
    constexpr NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                                              \
    constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
MF_SMALL_VECTORS(char, int8_t)
MF_SMALL_VECTORS(uchar, uint8_t)
MF_SMALL_VECTORS(short, int16_t)
MF_SMALL_VECTORS(ushort, uint16_t)
MF_SMALL_VECTORS(int, int32_t)
MF_SMALL_VECTORS(uint, uint32_t)
MF_SMALL_VECTORS(long, int64_t)
MF_SMALL_VECTORS(ulong, uint64_t)
MF_SMALL_VECTORS(longlong, int64_t)
MF_SMALL_VECTORS(ulonglong, uint64_t)
MF_SMALL_VECTORS(float, float)
#undef MF_SMALL_VECTORS
