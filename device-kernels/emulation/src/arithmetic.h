// SPDX-License-Identifier: Apache-2.0 OR MIT
// Computation of vector instructions, over plain memory: no tensors, no pipes, no checks of the kernel's
// arguments.
//
// Rules, the same on every host: half and bfloat16_t are computed as if exactly and rounded once to nearest
// even; every NaN that comes out is the quiet NaN of its type; of two zeros the positive one is the greater;
// the maximum and the minimum of anything and NaN are NaN; integers wrap around. (How the hardware treats NaN
// and integers that overflow is not documented; kernels should not depend on it.) `dst` may be the same
// memory as a source, but not overlap it in part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine.h"

namespace mf::emulation {

enum class Operation : uint8_t { Add, Sub, Mul, Max, Min, And, Or };

// Rounding mode; in the order of AscendC::RoundMode. Usual: nearest even.
enum class Rounding : uint8_t { Usual, NearestEven, Floor, Ceil, NearestAway, Truncate, Odd };

// dst[i] = a[i] op b[i]. Mul, Add, Sub, Max, Min of every type; And, Or of integers.
void compute(Operation operation, Type type, void *dst, const void *a, const void *b, size_t count);
// dst[i] = a[i] op *scalar.
void compute_with_scalar(Operation operation, Type type, void *dst, const void *a, const void *scalar, size_t count);
// dst[i] = value, elements of 1, 2, 4 or 8 bytes.
void fill(void *dst, const void *value, uint32_t element_bytes, size_t count);
// dst[i] = (to) src[i]. To integers: rounded, then kept inside the type's range; NaN becomes 0. From float to
// float: rounded to a whole number. `dst` may be the memory of `src` where its elements are no larger.
void convert(Type to, void *dst, Type from, const void *src, Rounding rounding, size_t count);

// Sum or maximum of `count` elements as a tree of neighbours, ((0 1) (2 3)) ((4 5) (6 7))…, over pieces of
// 256 bytes, then over the results of the pieces likewise; every step is rounded to the type. An odd one out
// waits for the next level.
void reduce(Operation operation, Type type, void *dst, const void *src, size_t count);

// c[m×n] (+)= a[m×k] · b[k×n], dense and row by row, summed in the order of k. The factors are values of
// half: then their product is exact in float, and it makes no difference whether a compiler fuses it with the
// sum.
void multiply(float *c, const float *a, const float *b, size_t m, size_t k, size_t n, bool accumulate);

// The two implementations, which give the same bits; for the tests that compare them.
struct Routines {
    void (*compute)(Operation, Type, void *, const void *, const void *, size_t);
    void (*convert)(Type, void *, Type, const void *, Rounding, size_t);
    void (*multiply)(float *, const float *, const float *, size_t, size_t, size_t, bool);
};
const Routines &portable_routines();
// Null where this processor has no AVX2 and F16C.
const Routines *wide_routines();

} // namespace mf::emulation
