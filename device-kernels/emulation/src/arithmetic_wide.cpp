// SPDX-License-Identifier: Apache-2.0 OR MIT
// Floating arithmetic eight elements at a time, on processors that have AVX2 and F16C. Same bits as the
// portable code.
#include "arithmetic.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <cstring>
#include <immintrin.h>

#include "../include/ascendc/types.h"

#define MF_AVX2 __attribute__((target("avx2,f16c")))

namespace mf::emulation {
namespace {

constexpr size_t LANES = 8;

MF_AVX2 inline __m256 quieted(__m256 value) {
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(QUIET_NAN_F32)));
    return _mm256_blendv_ps(value, nan, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
}

template <Type T> MF_AVX2 inline __m256 load(const uint8_t *from) {
    if constexpr (T == Type::F32) {
        return _mm256_loadu_ps(reinterpret_cast<const float *>(from));
    } else {
        const __m128i packed = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from));
        if constexpr (T == Type::F16)
            return _mm256_cvtph_ps(packed);
        else
            return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(packed), 16));
    }
}

// Values without NaN other than the quiet one.
template <Type T> MF_AVX2 inline void store(uint8_t *to, __m256 value) {
    if constexpr (T == Type::F32) {
        _mm256_storeu_ps(reinterpret_cast<float *>(to), value);
    } else if constexpr (T == Type::F16) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to), _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT));
    } else {
        const __m256i bits = _mm256_castps_si256(value);
        const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
        const __m256i up = _mm256_add_epi32(_mm256_set1_epi32(0x7fff), odd);
        const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, up), 16);
        // packus works in each half of the register for itself; the permutation puts the two results side by
        // side.
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(rounded, rounded), 0x08);
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to), _mm256_castsi256_si128(packed));
    }
}

template <Operation O> MF_AVX2 inline __m256 apply(__m256 a, __m256 b) {
    if constexpr (O == Operation::Add)
        return quieted(_mm256_add_ps(a, b));
    else if constexpr (O == Operation::Sub)
        return quieted(_mm256_sub_ps(a, b));
    else if constexpr (O == Operation::Mul)
        return quieted(_mm256_mul_ps(a, b));
    else {
        constexpr bool is_max = O == Operation::Max;
        const __m256 chosen = is_max ? _mm256_max_ps(a, b) : _mm256_min_ps(a, b);
        const __m256 same = is_max ? _mm256_and_ps(a, b) : _mm256_or_ps(a, b);
        const __m256 ordered = _mm256_blendv_ps(chosen, same, _mm256_cmp_ps(a, b, _CMP_EQ_OQ));
        const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(QUIET_NAN_F32)));
        return _mm256_blendv_ps(ordered, nan, _mm256_cmp_ps(a, b, _CMP_UNORD_Q));
    }
}

template <Type T, Operation O> MF_AVX2 void each(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count) {
    constexpr size_t size = T == Type::F32 ? 4 : 2;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        store<T>(dst + i * size, apply<O>(load<T>(a + i * size), load<T>(b + i * size)));
    if (i == count) return;
    uint8_t x[LANES * size] = {}, y[LANES * size] = {}, z[LANES * size];
    std::memcpy(x, a + i * size, (count - i) * size);
    std::memcpy(y, b + i * size, (count - i) * size);
    store<T>(z, apply<O>(load<T>(x), load<T>(y)));
    std::memcpy(dst + i * size, z, (count - i) * size);
}

template <Type T>
void compute_type(Operation operation, uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count) {
    switch (operation) {
    case Operation::Add: return each<T, Operation::Add>(dst, a, b, count);
    case Operation::Sub: return each<T, Operation::Sub>(dst, a, b, count);
    case Operation::Mul: return each<T, Operation::Mul>(dst, a, b, count);
    case Operation::Max: return each<T, Operation::Max>(dst, a, b, count);
    case Operation::Min: return each<T, Operation::Min>(dst, a, b, count);
    case Operation::And:
    case Operation::Or: return;
    }
}

void compute_wide(Operation operation, Type type, void *dst, const void *a, const void *b, size_t count) {
    auto *to = static_cast<uint8_t *>(dst);
    const auto *x = static_cast<const uint8_t *>(a), *y = static_cast<const uint8_t *>(b);
    switch (type) {
    case Type::F16: return compute_type<Type::F16>(operation, to, x, y, count);
    case Type::BF16: return compute_type<Type::BF16>(operation, to, x, y, count);
    case Type::F32: return compute_type<Type::F32>(operation, to, x, y, count);
    default: return portable_routines().compute(operation, type, dst, a, b, count);
    }
}

template <Type TO, Type FROM> MF_AVX2 void convert_types(uint8_t *dst, const uint8_t *src, size_t count) {
    constexpr size_t to = TO == Type::F32 ? 4 : 2, from = FROM == Type::F32 ? 4 : 2;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) store<TO>(dst + i * to, quieted(load<FROM>(src + i * from)));
    if (i == count) return;
    uint8_t x[LANES * from] = {}, z[LANES * to];
    std::memcpy(x, src + i * from, (count - i) * from);
    store<TO>(z, quieted(load<FROM>(x)));
    std::memcpy(dst + i * to, z, (count - i) * to);
}

void convert_wide(Type to, void *dst, Type from, const void *src, Rounding rounding, size_t count) {
    auto *d = static_cast<uint8_t *>(dst);
    const auto *s = static_cast<const uint8_t *>(src);
    const bool is_nearest = rounding == Rounding::Usual || rounding == Rounding::NearestEven;
    if (to == Type::F32 && from == Type::F16) return convert_types<Type::F32, Type::F16>(d, s, count);
    if (to == Type::F32 && from == Type::BF16) return convert_types<Type::F32, Type::BF16>(d, s, count);
    if (is_nearest && to == Type::F16 && from == Type::F32) return convert_types<Type::F16, Type::F32>(d, s, count);
    if (is_nearest && to == Type::BF16 && from == Type::F32) return convert_types<Type::BF16, Type::F32>(d, s, count);
    portable_routines().convert(to, dst, from, src, rounding, count);
}

// Some rows and columns at a time, so that a load of b serves all these rows. Each element is summed in the
// order of k, as the portable code does; the sums stay in registers.
template <size_t ROWS, size_t VECTORS>
MF_AVX2 inline void multiply_part(float *c, const float *a, const float *b, size_t k, size_t n, bool accumulate) {
    __m256 sums[ROWS][VECTORS];
    for (size_t row = 0; row < ROWS; ++row)
        for (size_t v = 0; v < VECTORS; ++v)
            sums[row][v] = accumulate ? _mm256_loadu_ps(c + row * n + v * LANES) : _mm256_setzero_ps();
    for (size_t i = 0; i < k; ++i) {
        __m256 right[VECTORS];
        for (size_t v = 0; v < VECTORS; ++v) right[v] = _mm256_loadu_ps(b + i * n + v * LANES);
        for (size_t row = 0; row < ROWS; ++row) {
            const __m256 left = _mm256_set1_ps(a[row * k + i]);
            for (size_t v = 0; v < VECTORS; ++v)
                sums[row][v] = _mm256_add_ps(sums[row][v], _mm256_mul_ps(left, right[v]));
        }
    }
    for (size_t row = 0; row < ROWS; ++row)
        for (size_t v = 0; v < VECTORS; ++v) _mm256_storeu_ps(c + row * n + v * LANES, quieted(sums[row][v]));
}

template <size_t ROWS>
MF_AVX2 void multiply_rows(float *c, const float *a, const float *b, size_t k, size_t n, bool accumulate) {
    size_t column = 0;
    for (; column + 2 * LANES <= n; column += 2 * LANES)
        multiply_part<ROWS, 2>(c + column, a, b + column, k, n, accumulate);
    for (; column + LANES <= n; column += LANES)
        multiply_part<ROWS, 1>(c + column, a, b + column, k, n, accumulate);
    for (; column < n; ++column)
        for (size_t row = 0; row < ROWS; ++row) {
            float sum = accumulate ? c[row * n + column] : 0.0f;
            for (size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
            c[row * n + column] = sum != sum ? bits_as<float>(QUIET_NAN_F32) : sum;
        }
}

MF_AVX2 void multiply_wide(float *c, const float *a, const float *b, size_t m, size_t k, size_t n, bool accumulate) {
    constexpr size_t ROWS = 4;
    size_t row = 0;
    for (; row + ROWS <= m; row += ROWS) multiply_rows<ROWS>(c + row * n, a + row * k, b, k, n, accumulate);
    for (; row < m; ++row) multiply_rows<1>(c + row * n, a + row * k, b, k, n, accumulate);
}

bool has_f16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & (1u << 29)) != 0;
}

} // namespace

const Routines *wide_routines() {
    static const Routines routines = {compute_wide, convert_wide, multiply_wide};
    // The compiler's answer for AVX2 includes whether the operating system keeps the wide registers.
    static const bool is_there = __builtin_cpu_supports("avx2") != 0 && has_f16c();
    return is_there ? &routines : nullptr;
}

} // namespace mf::emulation
#else
namespace mf::emulation {
const Routines *wide_routines() { return nullptr; }
} // namespace mf::emulation
#endif
