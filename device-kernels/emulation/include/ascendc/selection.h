// SPDX-License-Identifier: Apache-2.0 OR MIT
// Comparison and selection: a bit for each element, the first one lowest.
#pragma once

#include "elements.h"

namespace AscendC {

enum class CMPMODE : uint8_t { LT = 0, GT = 1, EQ = 2, LE = 3, GE = 4, NE = 5 };
enum class SELMODE : uint8_t {
    VSEL_CMPMASK_SPR = 0,         // the first 128 bits of the mask (64 for 4-byte types), for every repeat
    VSEL_TENSOR_SCALAR_MODE = 1,  // bits one after the other, and a number in the place of src1
    VSEL_TENSOR_TENSOR_MODE = 2,  // bits one after the other
};

} // namespace AscendC

namespace mf::emulation {

template <typename V> inline bool compares(AscendC::CMPMODE mode, V a, V b) {
    using AscendC::CMPMODE;
    switch (mode) {
    case CMPMODE::LT: return a < b;
    case CMPMODE::GT: return a > b;
    case CMPMODE::EQ: return a == b;
    case CMPMODE::LE: return a <= b;
    case CMPMODE::GE: return a >= b;
    default: return a != b;
    }
}
inline void set_bit(uint8_t *bits, size_t index, bool value) {
    const auto bit = static_cast<uint8_t>(1u << (index % 8));
    bits[index / 8] = static_cast<uint8_t>(value ? bits[index / 8] | bit : bits[index / 8] & ~bit);
}
inline bool bit_of(const uint8_t *bits, size_t index) { return (bits[index / 8] >> (index % 8) & 1) != 0; }

template <typename T> constexpr bool is_compared = is_real<T> || (IS_950 && is_filled<T>);
// int32_t for equality alone, on A2 and A3.
template <typename T> inline void check_comparison(const Call &call, AscendC::CMPMODE mode) {
    static_assert(is_compared<T> || std::is_same_v<T, int32_t>, "comparisons are for half and float, and int32_t with EQ");
    if (static_cast<unsigned>(mode) > 5) fault("K6", call.at, "%s: no such CMPMODE: %u", call.name, static_cast<unsigned>(mode));
    if (!is_compared<T> && mode != AscendC::CMPMODE::EQ)
        fault("K6", call.at, "%s: int32_t is compared with EQ alone", call.name);
}
template <typename T> constexpr uint32_t in_repeat = 256 / sizeof(T);

// The second source of a comparison or selection: a tensor, or a number.
template <typename T> struct Second {
    bool is_number;
    T number;
    LocalRange range;
    Computed<T> at(uint64_t offset) const {
        return is_number ? static_cast<Computed<T>>(number) : element<T>(local(Space::Ub, range.offset + offset), 0);
    }
};

template <typename T>
inline void compare(const Call &call, const LocalRange &dst, const LocalRange &src0, const Second<T> &src1,
                    AscendC::CMPMODE mode, uint32_t count) {
    check_comparison<T>(call, mode);
    const uint64_t bytes = uint64_t{count} * sizeof(T);
    if (bytes % 256 != 0)
        fault("K6", call.at, "%s: %u elements are %llu bytes, which must be a multiple of 256", call.name, count,
              static_cast<unsigned long long>(bytes));
    Touched touched(call);
    touched.add("src0", Mode::Read, src0, bytes);
    if (!src1.is_number) touched.add("src1", Mode::Read, src1.range, bytes);
    touched.add("dst", Mode::Write, dst, count / 8).run([=] {
        uint8_t *to = local(Space::Ub, dst.offset);
        const uint8_t *from = local(Space::Ub, src0.offset);
        for (uint32_t i = 0; i < count; ++i)
            set_bit(to, i, compares(mode, element<T>(from, i), src1.at(uint64_t{i} * sizeof(T))));
    });
}

// By mask: the bits of a repeat follow the bits of the preceding one; inactive elements give 0. Without `dst`
// the bits of one repeat become the comparison mask of the core.
template <typename T>
inline void compare(const Call &call, const LocalRange *dst, const LocalRange &src0, Strides strides0,
                    const Second<T> &src1, Strides strides1, AscendC::CMPMODE mode, Mask mask, uint8_t repeat) {
    check_comparison<T>(call, mode);
    const ActiveElements active = active_elements(call, mask, sizeof(T));
    Touched touched(call);
    touched.add("src0", Mode::Read, src0, TypeOf<T>::type, mask, repeat, strides0);
    if (!src1.is_number) touched.add("src1", Mode::Read, src1.range, TypeOf<T>::type, mask, repeat, strides1);
    if (dst != nullptr) touched.add("dst", Mode::Write, *dst, uint64_t{repeat} * in_repeat<T> / 8);
    const LocalRange to = dst != nullptr ? *dst : LocalRange{};
    const bool is_stored = dst != nullptr;
    touched.run([=] {
        for (uint32_t r = 0; r < repeat; ++r) {
            uint64_t words[2] = {};
            for (uint32_t i = 0; i < in_repeat<T>; ++i) {
                if (!active[i]) continue;
                const auto a = element<T>(local(Space::Ub, src0.offset + element_offset(i, sizeof(T), r, strides0)), 0);
                const auto b = src1.at(element_offset(i, sizeof(T), r, strides1));
                words[i / 64] |= uint64_t{compares(mode, a, b)} << (i % 64);
            }
            if (is_stored)
                std::memcpy(local(Space::Ub, to.offset + uint64_t{r} * in_repeat<T> / 8), words, in_repeat<T> / 8);
            else
                std::memcpy(vector_mask().comparison, words, sizeof words);
        }
    });
}

// Source of the bits of a selection.
struct Choice {
    bool from_core; // the comparison mask
    bool repeats;   // the first bits, for every repeat
    LocalRange bits;
    bool operator()(uint32_t repeat, uint32_t element, uint32_t elements) const {
        if (from_core) return (vector_mask().comparison[element / 64] >> (element % 64) & 1) != 0;
        return bit_of(local(Space::Ub, bits.offset), repeats ? element : uint64_t{repeat} * elements + element);
    }
};

template <typename T>
inline void select(const Call &call, const LocalRange &dst, const Choice &choice, const LocalRange &src0,
                   const Second<T> &src1, uint32_t count) {
    static_assert(is_real<T> || IS_950, "Select is for half and float");
    const uint64_t bytes = uint64_t{count} * sizeof(T);
    if (count == 0) return;
    Touched touched(call);
    const uint32_t bits = choice.repeats && count > in_repeat<T> ? in_repeat<T> : count;
    if (!choice.from_core) touched.add("selMask", Mode::Read, choice.bits, (bits + 7) / 8);
    touched.add("src0", Mode::Read, src0, bytes);
    if (!src1.is_number) touched.add("src1", Mode::Read, src1.range, bytes);
    touched.add("dst", Mode::Write, dst, bytes).run([=] {
        for (uint32_t i = 0; i < count; ++i) {
            const bool first = choice(i / in_repeat<T>, i % in_repeat<T>, in_repeat<T>);
            const auto a = element<T>(local(Space::Ub, src0.offset), i);
            set_element<T>(local(Space::Ub, dst.offset), i, first ? a : src1.at(uint64_t{i} * sizeof(T)));
        }
    });
}
template <typename T>
inline void select(const Call &call, const LocalRange &dst, const Choice &choice, const LocalRange &src0,
                   const Second<T> &src1, Mask mask, uint8_t repeat, const AscendC::BinaryRepeatParams &p) {
    static_assert(is_real<T> || IS_950, "Select is for half and float");
    const ActiveElements active = active_elements(call, mask, sizeof(T));
    const Strides to = {p.dstBlkStride, p.dstRepStride}, strides0 = {p.src0BlkStride, p.src0RepStride},
                  strides1 = {p.src1BlkStride, p.src1RepStride};
    Touched touched(call);
    const uint32_t repeats_of_bits = choice.repeats ? 1 : repeat;
    if (!choice.from_core) touched.add("selMask", Mode::Read, choice.bits, repeats_of_bits * in_repeat<T> / 8);
    touched.add("src0", Mode::Read, src0, TypeOf<T>::type, mask, repeat, strides0);
    if (!src1.is_number) touched.add("src1", Mode::Read, src1.range, TypeOf<T>::type, mask, repeat, strides1);
    touched.add("dst", Mode::Write, dst, TypeOf<T>::type, mask, repeat, to).run([=] {
        for (uint32_t r = 0; r < repeat; ++r) {
            for (uint32_t i = 0; i < in_repeat<T>; ++i) {
                if (!active[i]) continue;
                const auto a = element<T>(local(Space::Ub, src0.offset + element_offset(i, sizeof(T), r, strides0)), 0);
                const auto b = src1.at(element_offset(i, sizeof(T), r, strides1));
                set_element<T>(local(Space::Ub, dst.offset + element_offset(i, sizeof(T), r, to)), 0,
                               choice(r, i, in_repeat<T>) ? a : b);
            }
        }
    });
}
inline Choice choice_of(AscendC::SELMODE mode, const LocalRange &bits) {
    return {false, mode == AscendC::SELMODE::VSEL_CMPMASK_SPR, bits};
}

} // namespace mf::emulation

namespace AscendC {

#define MF_COMPARED_BITS static_assert(std::is_same_v<U, uint8_t> || std::is_same_v<U, int8_t>, "bits are uint8_t or int8_t")
template <typename T, typename U>
__aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                               CMPMODE cmpMode, uint32_t count, mf::emulation::Site at = MF_HERE) {
    MF_COMPARED_BITS;
    mf::emulation::compare<T>({"Compare", at}, dst, src0, {false, {}, src1}, cmpMode, count);
}
#define MF_COMPARE_BY_MASK(MASK_TYPE)                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,  \
                                   CMPMODE cmpMode, MASK_TYPE, uint8_t repeatTime,                                     \
                                   const BinaryRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {         \
        MF_COMPARED_BITS;                                                                                              \
        const BinaryRepeatParams &p = repeatParams;                                                                    \
        const mf::emulation::LocalRange to = dst;                                                                      \
        mf::emulation::compare<T>({"Compare", at}, &to, src0, {p.src0BlkStride, p.src0RepStride}, {false, {}, src1},   \
                                  {p.src1BlkStride, p.src1RepStride}, cmpMode,                                         \
                                  mf::emulation::mask_of<isSetMask>(mask), repeatTime);                                \
    }                                                                                                                  \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, MASK_TYPE, \
                                   const BinaryRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {         \
        const BinaryRepeatParams &p = repeatParams;                                                                    \
        mf::emulation::compare<T>({"Compare", at}, nullptr, src0, {p.src0BlkStride, p.src0RepStride},                  \
                                  {false, {}, src1}, {p.src1BlkStride, p.src1RepStride}, cmpMode,                      \
                                  mf::emulation::mask_of<isSetMask>(mask), 1);                                         \
    }
MF_COMPARE_BY_MASK(uint64_t mask)
MF_COMPARE_BY_MASK(const uint64_t mask[])
#undef MF_COMPARE_BY_MASK

// With a number. `Compares` is the newer name.
#define MF_COMPARE_SCALAR_BY_MASK(NAME, MASK_TYPE)                                                                     \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void NAME(const LocalTensor<U> &dst, const LocalTensor<T> &src0, T src1Scalar, CMPMODE cmpMode,  \
                                MASK_TYPE, uint8_t repeatTime, const UnaryRepeatParams &repeatParams,                  \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        MF_COMPARED_BITS;                                                                                              \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        const mf::emulation::LocalRange to = dst;                                                                      \
        mf::emulation::compare<T>({#NAME, at}, &to, src0, {p.srcBlkStride, p.srcRepStride}, {true, src1Scalar, {}},    \
                                  {1, 8}, cmpMode, mf::emulation::mask_of<isSetMask>(mask), repeatTime);               \
    }
#define MF_COMPARE_SCALAR(NAME)                                                                                        \
    template <typename T, typename U>                                                                                  \
    __aicore__ inline void NAME(const LocalTensor<U> &dst, const LocalTensor<T> &src0, T src1Scalar, CMPMODE cmpMode,  \
                                uint32_t count, mf::emulation::Site at = MF_HERE) {                                    \
        MF_COMPARED_BITS;                                                                                              \
        mf::emulation::compare<T>({#NAME, at}, dst, src0, {true, src1Scalar, {}}, cmpMode, count);                     \
    }                                                                                                                  \
    MF_COMPARE_SCALAR_BY_MASK(NAME, uint64_t mask)                                                                     \
    MF_COMPARE_SCALAR_BY_MASK(NAME, const uint64_t mask[])
MF_COMPARE_SCALAR(CompareScalar)
MF_COMPARE_SCALAR(Compares)
#undef MF_COMPARE_SCALAR
#undef MF_COMPARE_SCALAR_BY_MASK
#undef MF_COMPARED_BITS

// dst[i] = bit i of selMask ? src0[i] : src1[i].
template <typename T, typename U>
__aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                              const LocalTensor<T> &src1, SELMODE selMode, uint32_t count,
                              mf::emulation::Site at = MF_HERE) {
    mf::emulation::select<T>({"Select", at}, dst, mf::emulation::choice_of(selMode, selMask), src0, {false, {}, src1},
                             count);
}
template <typename T, typename U>
__aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
                              T src1, SELMODE selMode, uint32_t count, mf::emulation::Site at = MF_HERE) {
    mf::emulation::select<T>({"Select", at}, dst, mf::emulation::choice_of(selMode, selMask), src0, {true, src1, {}},
                             count);
}
#define MF_SELECT_BY_MASK(MASK_TYPE)                                                                                   \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                            \
                                  const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE selMode, MASK_TYPE,  \
                                  uint8_t repeatTime, const BinaryRepeatParams &repeatParams,                          \
                                  mf::emulation::Site at = MF_HERE) {                                                  \
        mf::emulation::select<T>({"Select", at}, dst, mf::emulation::choice_of(selMode, selMask), src0,                \
                                 {false, {}, src1}, mf::emulation::mask_of<isSetMask>(mask), repeatTime,               \
                                 repeatParams);                                                                        \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask,                            \
                                  const LocalTensor<T> &src0, T src1, SELMODE selMode, MASK_TYPE, uint8_t repeatTime,  \
                                  const BinaryRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {          \
        mf::emulation::select<T>({"Select", at}, dst, mf::emulation::choice_of(selMode, selMask), src0,                \
                                 {true, src1, {}}, mf::emulation::mask_of<isSetMask>(mask), repeatTime, repeatParams); \
    }
MF_SELECT_BY_MASK(uint64_t mask)
MF_SELECT_BY_MASK(uint64_t mask[])
#undef MF_SELECT_BY_MASK
// By the comparison mask of the core, and the vector mask.
template <typename T, SELMODE selMode>
__aicore__ inline void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                              uint8_t repeatTime, const BinaryRepeatParams &repeatParams,
                              mf::emulation::Site at = MF_HERE) {
    static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR, "without a tensor of bits the mode is VSEL_CMPMASK_SPR");
    mf::emulation::select<T>({"Select", at}, dst, {true, true, {}}, src0, {false, {}, src1},
                             mf::emulation::mask_of<false>(MASK_PLACEHOLDER), repeatTime, repeatParams);
}

// The comparison mask of the core: 128 bits, in 16 bytes.
template <typename T> __aicore__ inline void GetCmpMask(const LocalTensor<T> &dst, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange to = dst;
    Touched({"GetCmpMask", at}).add("dst", Mode::Write, to, 16).run([=] {
        std::memcpy(local(Space::Ub, to.offset), vector_mask().comparison, 16);
    });
}
template <typename T> __aicore__ inline void SetCmpMask(const LocalTensor<T> &src, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange from = src;
    Touched({"SetCmpMask", at}).add("src", Mode::Read, from, 16).run([=] {
        std::memcpy(vector_mask().comparison, local(Space::Ub, from.offset), 16);
    });
}

} // namespace AscendC
