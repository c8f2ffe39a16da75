// SPDX-License-Identifier: Apache-2.0 OR MIT
// Untyped vector instructions, called by the templates of ascendc/vector.h.
#pragma once

#include <cstring>
#include <vector>

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
    // Given by the kernel as a number of elements, which is checked against the type, or as bits.
    bool is_number;
    // Set before, for any type: bits beyond a repeat are ignored.
    bool was_set = false;

    static Mask first(uint64_t elements) { return {{elements, 0}, true}; }
    static Mask bits(const uint64_t words[]) { return {{words[0], words[1]}, false}; }
};

// The mask of a call, or that which was set before.
template <bool SETS> inline Mask mask_of(uint64_t elements) {
    if constexpr (SETS) return Mask::first(elements);
    return {{vector_mask().words[0], vector_mask().words[1]}, vector_mask().counts, true};
}
template <bool SETS> inline Mask mask_of(const uint64_t words[]) {
    if constexpr (SETS) return Mask::bits(words);
    return mask_of<false>(uint64_t{0});
}

// In 32-byte blocks, from beginning to beginning.
struct Strides {
    uint32_t block;
    uint32_t repeat;
};

// Operation on a run of elements, made by a template of the headers: `at` are the operands' elements.
struct ElementWork {
    void (*run)(uint8_t *const at[], size_t count, const void *parameters);
    uint64_t parameters[2];
};

template <typename T> inline uint32_t scalar_bits(const T &scalar) {
    static_assert(sizeof(T) <= sizeof(uint32_t));
    uint32_t bits = 0;
    std::memcpy(&bits, &scalar, sizeof scalar);
    return bits;
}

template <typename T> inline uint64_t wide_bits(const T &scalar) {
    static_assert(sizeof(T) <= sizeof(uint64_t));
    uint64_t bits = 0;
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
void vector_fill(Call call, Type type, const LocalRange &dst, uint64_t value, int64_t count);
void vector_fill(Call call, Type type, const LocalRange &dst, uint64_t value, Mask mask, uint8_t repeat,
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

// A tensor of an instruction.
struct Operand;
void vector_elements(Call call, std::initializer_list<Operand> operands, int64_t count, const ElementWork &work);
void vector_elements(Call call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat,
                     const ElementWork &work);

// The memory that an instruction of another form touches, checked.
class Touched {
  public:
    explicit Touched(const Call &call);
    // `rows` times `bytes` bytes, `step` bytes from one beginning to the next.
    Touched &add(const char *what, Mode mode, const LocalRange &range, uint64_t bytes, uint32_t alignment = 32,
                 uint32_t rows = 1, uint64_t step = 0);
    // Adds the elements of a mask in each of some repeats.
    Touched &add(const char *what, Mode mode, const LocalRange &range, Type type, Mask mask, uint32_t repeat,
                 Strides strides);
    // Runs the work when the vector pipe gets there. Called once, after the last piece was added.
    void run(std::function<void()> work);

  private:
    Call call_;
    std::vector<Access> all_;
};
// Reports if an element of a repeat is active; for the bodies of instructions.
struct ActiveElements {
    uint64_t words[2];
    bool operator[](uint32_t element) const { return (words[element / 64] >> (element % 64) & 1) != 0; }
};
ActiveElements active_elements(const Call &call, Mask mask, uint32_t element_bytes);
// Returns the offset of an element of a repeat from the operand's beginning.
inline uint64_t element_offset(uint32_t element, uint32_t element_bytes, uint32_t repeat, Strides strides) {
    const uint64_t byte = uint64_t{element} * element_bytes;
    return uint64_t{repeat} * strides.repeat * 32 + byte / 32 * strides.block * 32 + byte % 32;
}

} // namespace mf::emulation
