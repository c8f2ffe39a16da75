// SPDX-License-Identifier: Apache-2.0 OR MIT Arithmetic: chooses the implementation for this processor once,
// and builds the remaining operations from it.
#include "arithmetic.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace mf::emulation {
namespace {

const Routines &routines() {
    static const Routines &chosen = wide_routines() != nullptr ? *wide_routines() : portable_routines();
    return chosen;
}

constexpr size_t PIECE_BYTES = 256; // what one repeat of a vector instruction handles

// Halves the number of elements until one is left. The even elements and the odd ones are gathered, so that
// one call computes a whole level.
void reduce_tree(Operation operation, Type type, void *dst, const void *src, size_t count) {
    const size_t size = bytes_of(type);
    std::vector<uint8_t> level(static_cast<const uint8_t *>(src), static_cast<const uint8_t *>(src) + count * size);
    std::vector<uint8_t> even, odd;
    while (count > 1) {
        const size_t pairs = count / 2;
        even.resize(pairs * size);
        odd.resize(pairs * size);
        for (size_t i = 0; i < pairs; ++i) {
            std::memcpy(&even[i * size], &level[2 * i * size], size);
            std::memcpy(&odd[i * size], &level[(2 * i + 1) * size], size);
        }
        if (count % 2 != 0) std::memmove(&level[pairs * size], &level[(count - 1) * size], size);
        routines().compute(operation, type, level.data(), even.data(), odd.data(), pairs);
        count = pairs + count % 2;
    }
    std::memcpy(dst, level.data(), size);
}

} // namespace

uint32_t bytes_of(Type type) {
    switch (type) {
    case Type::I8:
    case Type::U8: return 1;
    case Type::I16:
    case Type::U16:
    case Type::F16:
    case Type::BF16: return 2;
    case Type::I32:
    case Type::U32:
    case Type::F32: return 4;
    case Type::I64:
    case Type::U64: break;
    }
    return 8;
}

void compute(Operation operation, Type type, void *dst, const void *a, const void *b, size_t count) {
    routines().compute(operation, type, dst, a, b, count);
}

void compute_with_scalar(Operation operation, Type type, void *dst, const void *a, const void *scalar, size_t count) {
    constexpr size_t many = 128;
    uint8_t repeated[many * 8];
    const size_t size = bytes_of(type);
    fill(repeated, scalar, static_cast<uint32_t>(size), std::min(count, many));
    for (size_t done = 0; done < count; done += many) {
        const size_t now = std::min(count - done, many);
        compute(operation, type, static_cast<uint8_t *>(dst) + done * size,
                static_cast<const uint8_t *>(a) + done * size, repeated, now);
    }
}

void fill(void *dst, const void *value, uint32_t element_bytes, size_t count) {
    auto *to = static_cast<uint8_t *>(dst);
    const size_t bytes = count * element_bytes;
    if (bytes == 0) return;
    std::memcpy(to, value, element_bytes);
    // Doubles the filled part, so that memcpy does the work.
    for (size_t done = element_bytes; done < bytes;) {
        const size_t now = std::min(done, bytes - done);
        std::memcpy(to + done, to, now);
        done += now;
    }
}

void convert(Type to, void *dst, Type from, const void *src, Rounding rounding, size_t count) {
    routines().convert(to, dst, from, src, rounding, count);
}

void reduce(Operation operation, Type type, void *dst, const void *src, size_t count) {
    const size_t size = bytes_of(type), piece = PIECE_BYTES / size;
    std::vector<uint8_t> results(static_cast<const uint8_t *>(src), static_cast<const uint8_t *>(src) + count * size);
    do {
        const size_t pieces = (count + piece - 1) / piece;
        for (size_t i = 0; i < pieces; ++i) {
            reduce_tree(operation, type, &results[i * size], &results[i * piece * size],
                        std::min(piece, count - i * piece));
        }
        count = pieces;
    } while (count > 1);
    std::memcpy(dst, results.data(), size);
}

void multiply(float *c, const float *a, const float *b, size_t m, size_t k, size_t n, bool accumulate) {
    routines().multiply(c, a, b, m, k, n, accumulate);
}

void combine(Combine combine, Type type, void *dst, const void *a, const void *b, size_t count) {
    switch (combine) {
    case Combine::Set: std::memmove(dst, b, count * bytes_of(type)); return;
    case Combine::Add: return compute(Operation::Add, type, dst, a, b, count);
    case Combine::Max: return compute(Operation::Max, type, dst, a, b, count);
    case Combine::Min: return compute(Operation::Min, type, dst, a, b, count);
    }
}

} // namespace mf::emulation
