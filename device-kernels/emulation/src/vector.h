// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector instructions without their types: what the templates of ascendc/vector.h call.
#pragma once

#include <cstring>

#include "arithmetic.h"
#include "engine.h"

namespace mf::emulation {

struct LocalRange;

// The call that the kernel made.
struct Call {
    const char *name;
    Site at;
};

// The elements of a repeat that count.
struct Mask {
    uint64_t words[2];
    // How the kernel gave it: as a number of elements, which is checked against the type, or as bits.
    bool is_number;

    static Mask first(uint64_t elements) { return {{elements, 0}, true}; }
    static Mask bits(const uint64_t words[]) { return {{words[0], words[1]}, false}; }
};

// In 32-byte blocks, from beginning to beginning.
struct Strides {
    uint32_t block;
    uint32_t repeat;
};

template <typename T> inline uint32_t scalar_bits(const T &scalar) {
    static_assert(sizeof(T) <= sizeof(uint32_t));
    uint32_t bits = 0;
    std::memcpy(&bits, &scalar, sizeof scalar);
    return bits;
}

void vector_binary(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src0,
                   const LocalRange &src1, int64_t count);
void vector_binary(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src0,
                   const LocalRange &src1, Mask mask, uint8_t repeat, Strides dst_strides, Strides src0_strides,
                   Strides src1_strides);
void vector_scalar(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src,
                   uint32_t scalar, int64_t count);
void vector_scalar(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src,
                   uint32_t scalar, Mask mask, uint8_t repeat, Strides dst_strides, Strides src_strides);
void vector_fill(Call call, Type type, const LocalRange &dst, uint32_t value, int64_t count);
void vector_fill(Call call, Type type, const LocalRange &dst, uint32_t value, Mask mask, uint8_t repeat,
                 Strides dst_strides);
// `modes`: a bit for each rounding that the conversion has.
void vector_cast(Call call, Type to, const LocalRange &dst, Type from, const LocalRange &src, Rounding rounding,
                 unsigned modes, int64_t count);
void vector_cast(Call call, Type to, const LocalRange &dst, Type from, const LocalRange &src, Rounding rounding,
                 unsigned modes, Mask mask, uint8_t repeat, Strides dst_strides, Strides src_strides);
void vector_copy(Call call, Type type, const LocalRange &dst, const LocalRange &src, int64_t count);
void vector_copy(Call call, Type type, const LocalRange &dst, const LocalRange &src, Mask mask, uint8_t repeat,
                 Strides dst_strides, Strides src_strides);
void vector_reduce(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src,
                   const LocalRange &work, int64_t count, bool with_index);

} // namespace mf::emulation
