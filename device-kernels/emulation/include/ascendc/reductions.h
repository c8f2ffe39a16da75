// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reductions within repeats of 256 bytes, within blocks of 32 bytes, of pairs, and of all elements. half
// and float.
//
// What counts is added as a tree of neighbours, every step rounded to the type (arithmetic.h of the
// emulation says which).
#pragma once

#include "elements.h"

namespace AscendC {

enum class ReduceOrder : uint8_t {
    ORDER_VALUE_INDEX = 0,
    ORDER_INDEX_VALUE = 1,
    ORDER_ONLY_VALUE = 2,
    ORDER_ONLY_INDEX = 3,
};
enum class ReduceType : int { NONE = -1, SUM = 0, MAX = 1, MIN = 2 };

} // namespace AscendC

namespace mf::emulation {

constexpr uint32_t BLOCKS_OF_REPEAT = 8;

// The active elements of a part of a repeat, one behind the other, and the numbers that they have in it.
template <typename T> struct Gathered {
    T values[128];
    uint32_t places[128];
    uint32_t count = 0;
};
template <typename T>
inline Gathered<T> gathered(const LocalRange &src, const ActiveElements &active, uint32_t first, uint32_t last,
                            uint32_t repeat, Strides strides) {
    Gathered<T> all;
    for (uint32_t i = first; i < last; ++i) {
        if (!active[i]) continue;
        std::memcpy(&all.values[all.count], local(Space::Ub, src.offset + element_offset(i, sizeof(T), repeat, strides)),
                    sizeof(T));
        all.places[all.count++] = i;
    }
    return all;
}
template <typename T> inline T reduced(Operation operation, const T *values, uint32_t count) {
    T result;
    reduce(operation, TypeOf<T>::type, &result, values, count);
    return result;
}
// Returns the index of the first element equal to the result.
template <typename T> inline uint32_t place_of(const Gathered<T> &all, T result) {
    const float wanted = result;
    for (uint32_t i = 0; i < all.count; ++i) {
        const float value = all.values[i];
        if (value == wanted || (value != value && wanted != wanted)) return all.places[i];
    }
    return 0;
}

struct Repeats {
    Mask mask;
    uint32_t count;
    uint32_t dst_stride; // in results
    Strides strides;
};
inline uint32_t checked_repeats(const Call &call, int32_t repeat) {
    if (repeat < 0 || repeat > 255) fault("K6", call.at, "%s: repeatTime is %d, must be 0 to 255", call.name, repeat);
    return static_cast<uint32_t>(repeat);
}

// One result a repeat, or a value and its place.
template <typename T>
inline void reduce_repeats(const Call &call, Operation operation, const LocalRange &dst, const LocalRange &src,
                           const Repeats &all, AscendC::ReduceOrder order) {
    using AscendC::ReduceOrder;
    static_assert(is_real<T>, "reductions are for half and float");
    const bool both = order == ReduceOrder::ORDER_VALUE_INDEX || order == ReduceOrder::ORDER_INDEX_VALUE;
    const uint32_t size = both ? 2 * sizeof(T) : order == ReduceOrder::ORDER_ONLY_INDEX ? 4 : sizeof(T);
    const ActiveElements active = active_elements(call, all.mask, sizeof(T));
    Touched(call)
        .add("src", Mode::Read, src, TypeOf<T>::type, all.mask, all.count, all.strides)
        .add("dst", Mode::Write, dst, size, size, all.count, uint64_t{all.dst_stride} * size)
        .run([=] {
            for (uint32_t r = 0; r < all.count; ++r) {
                const Gathered<T> part = gathered<T>(src, active, 0, 256 / sizeof(T), r, all.strides);
                const T value = reduced(operation, part.values, part.count);
                const uint32_t place = place_of(part, value);
                uint8_t *to = local(Space::Ub, dst.offset + uint64_t{r} * all.dst_stride * size);
                const bool value_first = order != ReduceOrder::ORDER_INDEX_VALUE;
                if (order == ReduceOrder::ORDER_ONLY_INDEX) {
                    std::memcpy(to, &place, 4);
                    continue;
                }
                std::memcpy(to + (value_first ? 0 : sizeof(T)), &value, sizeof(T));
                if (both) std::memcpy(to + (value_first ? sizeof(T) : 0), &place, sizeof(T));
            }
        });
}
// Reduces each `width` elements to one result; a destination without active elements keeps its value.
template <typename T>
inline void reduce_parts(const Call &call, Operation operation, uint32_t width, const LocalRange &dst,
                         const LocalRange &src, const Repeats &all) {
    static_assert(is_real<T>, "reductions are for half and float");
    const uint32_t in_repeat = 256 / sizeof(T), results = in_repeat / width;
    const uint64_t step = uint64_t{all.dst_stride} * results * sizeof(T);
    const ActiveElements active = active_elements(call, all.mask, sizeof(T));
    Touched touched(call);
    touched.add("src", Mode::Read, src, TypeOf<T>::type, all.mask, all.count, all.strides);
    uint32_t first = results, last = 0;
    for (uint32_t i = 0; i < in_repeat; ++i) {
        if (!active[i]) continue;
        first = first < i / width ? first : i / width;
        last = i / width + 1;
    }
    LocalRange written = dst;
    written.offset += first * static_cast<uint32_t>(sizeof(T));
    touched.add("dst", Mode::Write, written, uint64_t{last - first} * sizeof(T), sizeof(T), all.count, step).run([=] {
        for (uint32_t r = 0; r < all.count; ++r) {
            for (uint32_t result = 0; result < results; ++result) {
                const Gathered<T> part =
                    gathered<T>(src, active, result * width, (result + 1) * width, r, all.strides);
                if (part.count == 0) continue;
                const T value = reduced(operation, part.values, part.count);
                std::memcpy(local(Space::Ub, dst.offset + r * step + result * sizeof(T)), &value, sizeof(T));
            }
        }
    });
}

// Reduces all repeats to one result, with its index. `work` holds the results of the repeats.
template <typename T>
inline void reduce_all(const Call &call, Operation operation, const LocalRange &dst, const LocalRange &src,
                       const LocalRange &work, Mask mask, uint32_t repeat, Strides strides, bool with_index) {
    static_assert(is_real<T>, "reductions are for half and float");
    if (repeat == 0) return;
    const ActiveElements active = active_elements(call, mask, sizeof(T));
    const uint64_t work_bytes = (uint64_t{repeat} * sizeof(T) + 31) / 32 * 32;
    Touched(call)
        .add("src", Mode::Read, src, TypeOf<T>::type, mask, repeat, strides)
        .add("sharedTmpBuffer", Mode::Write, work, work_bytes)
        .add("dst", Mode::Write, dst, with_index ? 2 * sizeof(T) : sizeof(T))
        .run([=] {
            T best = {}, values[256];
            uint32_t place = 0;
            for (uint32_t r = 0; r < repeat; ++r) {
                const Gathered<T> part = gathered<T>(src, active, 0, 256 / sizeof(T), r, strides);
                values[r] = reduced(operation, part.values, part.count);
                const T now = reduced(operation, values, r + 1);
                if (r == 0 || std::memcmp(&now, &best, sizeof now) != 0) place = r * (256 / sizeof(T)) + place_of(part, values[r]);
                best = now;
            }
            std::memset(local(Space::Ub, work.offset), 0xcd, work_bytes);
            uint8_t *to = local(Space::Ub, dst.offset);
            std::memcpy(to, &best, sizeof best);
            if (with_index) std::memcpy(to + sizeof(T), &place, sizeof(T));
        });
}

constexpr Operation operation_of(AscendC::ReduceType type) {
    return type == AscendC::ReduceType::MAX   ? Operation::Max
           : type == AscendC::ReduceType::MIN ? Operation::Min
                                              : Operation::Add;
}

} // namespace mf::emulation

namespace AscendC {

#define MF_REPEATS                                                                                                     \
    mf::emulation::Repeats {                                                                                           \
        mf::emulation::mask_of<isSetMask>(mask), mf::emulation::checked_repeats(call, repeatTime),                     \
            static_cast<uint32_t>(dstRepStride), {                                                                     \
            static_cast<uint32_t>(srcBlkStride), static_cast<uint32_t>(srcRepStride)                                   \
        }                                                                                                              \
    }
// One result for each repeat.
#define MF_WHOLE_SUM(MASK_TYPE)                                                                                        \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, MASK_TYPE,             \
                                          int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,              \
                                          int32_t srcRepStride, mf::emulation::Site at = MF_HERE) {                    \
        const mf::emulation::Call call = {"WholeReduceSum", at};                                                       \
        mf::emulation::reduce_repeats<T>(call, mf::emulation::Operation::Add, dst, src, MF_REPEATS,                    \
                                         ReduceOrder::ORDER_ONLY_VALUE);                                               \
    }
#define MF_WHOLE_EXTREME(NAME, OPERATION, MASK_TYPE)                                                                   \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, MASK_TYPE, int32_t repeatTime,   \
                                int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                      \
                                ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,                                    \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        const mf::emulation::Call call = {#NAME, at};                                                                  \
        mf::emulation::reduce_repeats<T>(call, mf::emulation::Operation::OPERATION, dst, src, MF_REPEATS, order);      \
    }
// One result for each block of 32 bytes, or for each pair of neighbours.
#define MF_PARTS(NAME, OPERATION, WIDTH, MASK_TYPE)                                                                    \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, MASK_TYPE,   \
                                int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                      \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        const mf::emulation::Call call = {#NAME, at};                                                                  \
        mf::emulation::reduce_parts<T>(call, mf::emulation::Operation::OPERATION, WIDTH, dst, src, MF_REPEATS);        \
    }
// The newer names, with the operation as an argument. Not in CANN 8.1.
#define MF_NEWER_REDUCTIONS(MASK_TYPE)                                                                                 \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                    \
    __aicore__ inline void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, MASK_TYPE,               \
                                        int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,                \
                                        int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX,      \
                                        mf::emulation::Site at = MF_HERE) {                                            \
        static_assert(std::is_same_v<T, U>, "ReduceRepeat: dst and src have the same type");                           \
        const mf::emulation::Call call = {"ReduceRepeat", at};                                                         \
        mf::emulation::reduce_repeats<T>(call, mf::emulation::operation_of(reduceType), dst, src, MF_REPEATS,          \
                                         reduceType == ReduceType::SUM ? ReduceOrder::ORDER_ONLY_VALUE : order);       \
    }                                                                                                                  \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                    \
    __aicore__ inline void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, MASK_TYPE,            \
                                           int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,             \
                                           int32_t srcRepStride, mf::emulation::Site at = MF_HERE) {                   \
        static_assert(std::is_same_v<T, U>, "ReduceDataBlock: dst and src have the same type");                        \
        const mf::emulation::Call call = {"ReduceDataBlock", at};                                                      \
        mf::emulation::reduce_parts<T>(call, mf::emulation::operation_of(reduceType), 32 / sizeof(T), dst, src,        \
                                       MF_REPEATS);                                                                    \
    }                                                                                                                  \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                    \
    __aicore__ inline void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, MASK_TYPE,             \
                                          int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,              \
                                          int32_t srcRepStride, mf::emulation::Site at = MF_HERE) {                    \
        static_assert(std::is_same_v<T, U> && reduceType == ReduceType::SUM, "ReducePairElem adds, in one type");      \
        const mf::emulation::Call call = {"ReducePairElem", at};                                                       \
        mf::emulation::reduce_parts<T>(call, mf::emulation::Operation::Add, 2, dst, src, MF_REPEATS);                  \
    }
// All repeats to one result.
#define MF_ALL(MASK_TYPE)                                                                                              \
    template <typename T>                                                                                              \
    __aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,                             \
                                     const LocalTensor<T> &sharedTmpBuffer, MASK_TYPE, int32_t repeatTime,             \
                                     int32_t srcRepStride, mf::emulation::Site at = MF_HERE) {                         \
        const mf::emulation::Call call = {"ReduceSum", at};                                                            \
        mf::emulation::reduce_all<T>(call, mf::emulation::Operation::Add, dst, src, sharedTmpBuffer,                   \
                                     mf::emulation::mask_of<true>(mask),                                               \
                                     mf::emulation::checked_repeats(call, repeatTime),                                 \
                                     {1, static_cast<uint32_t>(srcRepStride)}, false);                                 \
    }
#define MF_ALL_EXTREME(NAME, OPERATION, MASK_TYPE)                                                                     \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                const LocalTensor<T> &sharedTmpBuffer, MASK_TYPE, int32_t repeatTime,                  \
                                int32_t srcRepStride, bool calIndex = 0, mf::emulation::Site at = MF_HERE) {           \
        const mf::emulation::Call call = {#NAME, at};                                                                  \
        mf::emulation::reduce_all<T>(call, mf::emulation::Operation::OPERATION, dst, src, sharedTmpBuffer,             \
                                     mf::emulation::mask_of<true>(mask),                                               \
                                     mf::emulation::checked_repeats(call, repeatTime),                                 \
                                     {1, static_cast<uint32_t>(srcRepStride)}, calIndex);                              \
    }
#define MF_REDUCTIONS(MASK_TYPE)                                                                                       \
    MF_WHOLE_SUM(MASK_TYPE)                                                                                            \
    MF_WHOLE_EXTREME(WholeReduceMax, Max, MASK_TYPE)                                                                   \
    MF_WHOLE_EXTREME(WholeReduceMin, Min, MASK_TYPE)                                                                   \
    MF_PARTS(BlockReduceSum, Add, 32 / sizeof(T), MASK_TYPE)                                                           \
    MF_PARTS(BlockReduceMax, Max, 32 / sizeof(T), MASK_TYPE)                                                           \
    MF_PARTS(BlockReduceMin, Min, 32 / sizeof(T), MASK_TYPE)                                                           \
    MF_PARTS(PairReduceSum, Add, 2, MASK_TYPE)                                                                         \
    MF_ALL(MASK_TYPE)                                                                                                  \
    MF_ALL_EXTREME(ReduceMax, Max, MASK_TYPE)                                                                          \
    MF_ALL_EXTREME(ReduceMin, Min, MASK_TYPE)                                                                          \
    MF_NEWER_REDUCTIONS(MASK_TYPE)

} // namespace AscendC

namespace mf::emulation {
// The first elements, as the reductions give their number.
template <bool SETS> inline Mask mask_of(int32_t elements) { return mask_of<SETS>(static_cast<uint64_t>(elements)); }
} // namespace mf::emulation

namespace AscendC {
MF_REDUCTIONS(int32_t mask)
MF_REDUCTIONS(const uint64_t mask[])
#undef MF_REDUCTIONS
#undef MF_NEWER_REDUCTIONS
#undef MF_PARTS
#undef MF_ALL
#undef MF_ALL_EXTREME
#undef MF_WHOLE_EXTREME
#undef MF_WHOLE_SUM
// The same with the arguments in another order; `dstBlkStride` has no meaning.
template <typename T, bool isSetMask = true>
__aicore__ inline void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, int32_t mask,
                                       int32_t dstBlkStride, int32_t srcBlkStride, int32_t dstRepStride,
                                       int32_t srcRepStride, mf::emulation::Site at = MF_HERE) {
    (void)dstBlkStride;
    WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, at);
}
#undef MF_REPEATS

// dst[0] = the smallest of `count` elements; see ReduceMax.
template <typename T>
__aicore__ inline void ReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                 const LocalTensor<T> &sharedTmpBuffer, int32_t count, bool calIndex = 0,
                                 mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_reduced<T>, "ReduceMin is for half and float");
    mf::emulation::vector_reduce({"ReduceMin", at}, mf::emulation::Operation::Min, mf::emulation::TypeOf<T>::type, dst,
                                 src, sharedTmpBuffer, count, calIndex);
}

} // namespace AscendC
