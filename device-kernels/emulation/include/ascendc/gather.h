// SPDX-License-Identifier: Apache-2.0 OR MIT
// Elements by their places: gathering, scattering, patterns, transposition, sorting.
//
// Offsets count bytes from the source's beginning. A tensor in which places are chosen by data is taken to
// be read as a whole, as far as its GetSize() says.
#pragma once

#include <algorithm>

#include "elements.h"

namespace mf::emulation {

template <typename T> constexpr bool is_gathered = is_filled<T>;

// Returns the element at a byte offset of a tensor; an offset outside is a fault.
inline uint8_t *at_offset(const char *name, const LocalRange &range, uint64_t bytes, uint64_t offset, uint32_t size, Site at) {
    if (offset % size != 0 || offset + size > bytes)
        fault("K6", at, "%s: the offset %llu is no element of %u bytes in a tensor of %llu bytes", name,
              static_cast<unsigned long long>(offset), size, static_cast<unsigned long long>(bytes));
    return local(Space::Ub, range.offset + offset);
}
inline uint32_t word_at(const LocalRange &range, uint64_t index) {
    uint32_t value;
    std::memcpy(&value, local(Space::Ub, range.offset + index * 4), 4);
    return value;
}

} // namespace mf::emulation

namespace AscendC {

struct BrcbRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstRepStride = 8;
    uint16_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1, src1BlkStride = 1, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;

    BrcbRepeatParams() = default;
    BrcbRepeatParams(uint16_t dstBlkStrideIn, uint16_t dstRepStrideIn)
        : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn) {}
};
struct GatherRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstRepStride = 8;
    uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;

    GatherRepeatParams() = default;
    GatherRepeatParams(uint8_t dstBlkStrideIn, uint16_t dstRepStrideIn)
        : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn) {}
};
struct GatherMaskParams {
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = 8;
    uint8_t src1RepeatStride = 8;

    GatherMaskParams() = default;
    GatherMaskParams(uint8_t src0BlockStrideIn, uint16_t repeatTimesIn, uint16_t src0RepeatStrideIn, uint8_t src1RepeatStrideIn)
        : src0BlockStride(src0BlockStrideIn), repeatTimes(repeatTimesIn), src0RepeatStride(src0RepeatStrideIn),
          src1RepeatStride(src1RepeatStrideIn) {}
};
enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;

// Each of 8 elements a repeat to a block of 32 bytes.
template <typename T>
__aicore__ inline void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t repeatTime,
                            const BrcbRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_filled<T>, "Brcb is for types of 16 and 32 bits");
    const LocalRange to = dst, from = src;
    const BrcbRepeatParams p = repeatParams;
    if (p.dstBlkStride == 0) fault("K6", at, "Brcb: dstBlkStride is 0");
    Touched touched({"Brcb", at});
    touched.add("src", Mode::Read, from, uint64_t{repeatTime} * 8 * sizeof(T));
    for (uint32_t block = 0; block < 8; ++block) {
        LocalRange part = to;
        part.offset += block * p.dstBlkStride * 32u;
        touched.add("dst", Mode::Write, part, 32, 32, repeatTime, uint64_t{p.dstRepStride} * 32);
    }
    touched.run([=] {
        for (uint32_t i = 0; i < 8u * repeatTime; ++i) {
            uint8_t *block = local(Space::Ub, to.offset + (uint64_t{i / 8} * p.dstRepStride + uint64_t{i % 8} * p.dstBlkStride) * 32);
            fill(block, local(Space::Ub, from.offset + i * sizeof(T)), sizeof(T), 32 / sizeof(T));
        }
    });
}

// dst[i] = src at srcBaseOffset + srcOffset[i] bytes.
template <typename T>
__aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
                              uint32_t srcBaseOffset, uint32_t count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_gathered<T>, "Gather is for types of 16 and 32 bits");
    const LocalRange to = dst, from = src, places = srcOffset;
    const uint64_t bytes = src.GetLength();
    Touched({"Gather", at})
        .add("srcOffset", Mode::Read, places, uint64_t{count} * 4)
        .add("src", Mode::Read, from, bytes)
        .add("dst", Mode::Write, to, uint64_t{count} * sizeof(T))
        .run([=] {
            for (uint32_t i = 0; i < count; ++i)
                std::memcpy(local(Space::Ub, to.offset + i * sizeof(T)),
                            at_offset("Gather", from, bytes, uint64_t{srcBaseOffset} + word_at(places, i), sizeof(T), at),
                            sizeof(T));
        });
}
#define MF_GATHER_BY_MASK(MASK_TYPE)                                                                                   \
    template <typename T>                                                                                              \
    __aicore__ inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                \
                                  const LocalTensor<uint32_t> &srcOffset, uint32_t srcBaseOffset, MASK_TYPE,           \
                                  uint8_t repeatTime, uint16_t dstRepStride, mf::emulation::Site at = MF_HERE) {       \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_gathered<T>, "Gather is for types of 16 and 32 bits");                                        \
        const LocalRange to = dst, from = src, places = srcOffset;                                                     \
        const uint64_t bytes = src.GetLength();                                                                        \
        const Call call = {"Gather", at};                                                                              \
        const Mask chosen = mask_of<true>(mask);                                                                       \
        const ActiveElements active = active_elements(call, chosen, sizeof(T));                                        \
        const uint32_t in_repeat = 256 / sizeof(T);                                                                    \
        const Strides strides = {1, dstRepStride};                                                                     \
        Touched(call)                                                                                                  \
            .add("srcOffset", Mode::Read, places, uint64_t{repeatTime} * in_repeat * 4)                                \
            .add("src", Mode::Read, from, bytes)                                                                       \
            .add("dst", Mode::Write, to, TypeOf<T>::type, chosen, repeatTime, strides)                                 \
            .run([=] {                                                                                                 \
                for (uint32_t i = 0; i < repeatTime * in_repeat; ++i) {                                                \
                    if (!active[i % in_repeat]) continue;                                                              \
                    const uint64_t offset = uint64_t{srcBaseOffset} + word_at(places, i);                              \
                    std::memcpy(local(Space::Ub, to.offset + element_offset(i % in_repeat, sizeof(T), i / in_repeat,   \
                                                                            strides)),                                 \
                                at_offset("Gather", from, bytes, offset, sizeof(T), at), sizeof(T));                   \
                }                                                                                                      \
            });                                                                                                        \
    }
MF_GATHER_BY_MASK(uint64_t mask)
MF_GATHER_BY_MASK(const uint64_t mask[])
#undef MF_GATHER_BY_MASK

// Blocks of 32 bytes, 8 a repeat, by their byte offsets.
template <typename T>
__aicore__ inline void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &offset,
                               uint8_t repeatTime, const GatherRepeatParams &repeatParams,
                               mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>, "Gatherb is for uint16_t and uint32_t");
    const LocalRange to = dst, from = src, places = offset;
    const uint64_t bytes = src.GetLength();
    const GatherRepeatParams p = repeatParams;
    Touched touched({"Gatherb", at});
    touched.add("offset", Mode::Read, places, uint64_t{repeatTime} * 8 * 4).add("src", Mode::Read, from, bytes);
    for (uint32_t block = 0; block < 8; ++block) {
        LocalRange part = to;
        part.offset += block * p.dstBlkStride * 32u;
        touched.add("dst", Mode::Write, part, 32, 32, repeatTime, uint64_t{p.dstRepStride} * 32);
    }
    touched.run([=] {
        for (uint32_t i = 0; i < 8u * repeatTime; ++i)
            std::memcpy(local(Space::Ub, to.offset + (uint64_t{i / 8} * p.dstRepStride + uint64_t{i % 8} * p.dstBlkStride) * 32),
                        at_offset("Gatherb", from, bytes, word_at(places, i), 32, at), 32);
    });
}

#if MF_NPU_ARCH == 3510
// dst at dstBaseAddr + dstOffset[i] bytes = src[i]. Not on A2 and A3.
template <typename T>
__aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset,
                               uint32_t dstBaseAddr, uint32_t count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange to = dst, from = src, places = dstOffset;
    const uint64_t bytes = dst.GetLength();
    Touched({"Scatter", at})
        .add("dstOffset", Mode::Read, places, uint64_t{count} * 4)
        .add("src", Mode::Read, from, uint64_t{count} * sizeof(T))
        .add("dst", Mode::Write, to, bytes)
        .run([=] {
            for (uint32_t i = 0; i < count; ++i)
                std::memcpy(at_offset("Scatter", to, bytes, uint64_t{dstBaseAddr} + word_at(places, i), sizeof(T), at),
                            local(Space::Ub, from.offset + i * sizeof(T)), sizeof(T));
        });
}
#endif

// Elements that a pattern chooses, one behind the other. `rsvdCnt`: how many.
// Patterns by number: 1 even places, 2 odd ones, 3 to 6 every fourth from 0 to 3, 7 all.
} // namespace AscendC

namespace mf::emulation {

inline bool bit_at(const uint8_t *bits, uint32_t index) { return (bits[index / 8] >> (index % 8) & 1) != 0; }
inline bool is_in_pattern(uint32_t pattern, uint32_t index) {
    if (pattern <= 2) return index % 2 == pattern - 1;
    return pattern == 7 || index % 4 == pattern - 3;
}
// With `reduceMode` a repeat is `mask` elements, else 256 bytes.
template <typename T>
inline uint64_t gather_mask(const Call &call, const LocalRange &dst, const LocalRange &src, const LocalRange *bits,
                            uint8_t pattern, bool reduce_mode, uint32_t mask, const AscendC::GatherMaskParams &params) {
    static_assert(is_filled<T>, "GatherMask is for types of 16 and 32 bits");
    const uint32_t in_repeat = reduce_mode ? mask : 256 / sizeof(T), repeats = params.repeatTimes;
    if (bits == nullptr && (pattern < 1 || pattern > 7))
        fault("K6", call.at, "GatherMask: there is no pattern %u; there are 1 to 7", pattern);
    const Strides strides = {params.src0BlockStride, params.src0RepeatStride};
    // The number of elements is a result for the scalar unit: the call waits for the pipe; before, too,
    // where data decides.
    if (bits != nullptr) await(Pipe::Scalar, moment(Pipe::Vector));
    Touched touched(call);
    const uint64_t last = element_offset(in_repeat - 1, sizeof(T), 0, strides) + sizeof(T);
    touched.add("src0", Mode::Read, src, last, 32, repeats, uint64_t{strides.repeat} * 32);
    const uint64_t bits_step = uint64_t{params.src1RepeatStride} * 32;
    if (bits != nullptr) touched.add("src1Pattern", Mode::Read, *bits, (in_repeat + 7) / 8, 32, repeats, bits_step);
    const LocalRange words = bits != nullptr ? *bits : LocalRange{};
    const bool by_bits = bits != nullptr;
    const auto is_chosen = [=](uint32_t r, uint32_t i) {
        return by_bits ? bit_at(local(Space::Ub, words.offset + r * bits_step), i) : is_in_pattern(pattern, i);
    };
    uint64_t count = 0;
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t i = 0; i < in_repeat; ++i) count += is_chosen(r, i);
    touched.add("dst", Mode::Write, dst, count * sizeof(T)).run([=] {
        uint64_t to = dst.offset;
        for (uint32_t r = 0; r < repeats; ++r) {
            for (uint32_t i = 0; i < in_repeat; ++i) {
                if (!is_chosen(r, i)) continue;
                std::memcpy(local(Space::Ub, to), local(Space::Ub, src.offset + element_offset(i, sizeof(T), r, strides)), sizeof(T));
                to += sizeof(T);
            }
        }
    });
    await(Pipe::Scalar, moment(Pipe::Vector));
    vector_mask().counts = false;
    return count;
}

} // namespace mf::emulation

namespace AscendC {

template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
__aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, uint8_t src1Pattern, bool reduceMode,
                                  uint32_t mask, const GatherMaskParams &gatherMaskParams, uint64_t &rsvdCnt,
                                  mf::emulation::Site at = MF_HERE) {
    rsvdCnt = mf::emulation::gather_mask<T>({"GatherMask", at}, dst, src0, nullptr, src1Pattern, reduceMode, mask,
                                            gatherMaskParams);
}
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
__aicore__ inline void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1Pattern,
                                  bool reduceMode, uint32_t mask, const GatherMaskParams &gatherMaskParams,
                                  uint64_t &rsvdCnt, mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) == sizeof(U) && std::is_unsigned_v<U>, "a pattern of bits is unsigned, as wide as the elements");
    const mf::emulation::LocalRange bits = src1Pattern;
    rsvdCnt = mf::emulation::gather_mask<T>({"GatherMask", at}, dst, src0, &bits, 0, reduceMode, mask, gatherMaskParams);
}

// One matrix of 16 times 16 elements of 2 bytes; dst may be src.
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(sizeof(T) == 2, "Transpose is for elements of 2 bytes");
    const LocalRange to = dst, from = src;
    Touched({"Transpose", at}).add("src", Mode::Read, from, 512).add("dst", Mode::Write, to, 512).run([=] {
        uint16_t before[256], after[256];
        std::memcpy(before, local(Space::Ub, from.offset), 512);
        for (uint32_t i = 0; i < 256; ++i) after[i % 16 * 16 + i / 16] = before[i];
        std::memcpy(local(Space::Ub, to.offset), after, 512);
    });
}

// dst0, dst1 = the halves of src0[0], src1[0], src0[1], src1[1], … and back. Not in CANN 8.1.
template <typename T>
__aicore__ inline void Interleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0,
                                  const LocalTensor<T> &src1, int32_t count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange to[] = {dst0, dst1}, from[] = {src0, src1};
    const auto n = static_cast<uint32_t>(count < 0 ? 0 : count);
    const LocalRange to0 = to[0], to1 = to[1], from0 = from[0], from1 = from[1];
    const uint64_t bytes = uint64_t{n} * sizeof(T);
    Touched({"Interleave", at}).add("src0", Mode::Read, from0, bytes).add("src1", Mode::Read, from1, bytes)
        .add("dst0", Mode::Write, to0, bytes).add("dst1", Mode::Write, to1, bytes).run([=] {
            for (uint32_t i = 0; i < 2 * n; ++i)
                std::memcpy(local(Space::Ub, (i < n ? to0 : to1).offset + i % n * sizeof(T)),
                            local(Space::Ub, (i % 2 == 0 ? from0 : from1).offset + i / 2 * sizeof(T)), sizeof(T));
        });
}
template <typename T>
__aicore__ inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0,
                                    const LocalTensor<T> &src1, int32_t count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const auto n = static_cast<uint32_t>(count < 0 ? 0 : count);
    const LocalRange to0 = dst0, to1 = dst1, from0 = src0, from1 = src1;
    const uint64_t bytes = uint64_t{n} * sizeof(T);
    Touched({"DeInterleave", at}).add("src0", Mode::Read, from0, bytes).add("src1", Mode::Read, from1, bytes)
        .add("dst0", Mode::Write, to0, bytes).add("dst1", Mode::Write, to1, bytes).run([=] {
            for (uint32_t i = 0; i < 2 * n; ++i)
                std::memcpy(local(Space::Ub, (i % 2 == 0 ? to0 : to1).offset + i / 2 * sizeof(T)),
                            local(Space::Ub, (i < n ? from0 : from1).offset + i % n * sizeof(T)), sizeof(T));
        });
}

// 32 scores a repeat, from the highest down, equal ones in their order: the score, then its index, 8 bytes
// each.
template <typename T>
__aicore__ inline void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src1,
                              int32_t repeatTime, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_real<T>, "Sort32 is for half and float");
    if (repeatTime <= 0) return;
    const LocalRange to = dst, scores = src0, numbers = src1;
    const auto count = static_cast<uint32_t>(repeatTime) * 32;
    Touched({"Sort32", at})
        .add("src0", Mode::Read, scores, uint64_t{count} * sizeof(T))
        .add("src1", Mode::Read, numbers, uint64_t{count} * 4)
        .add("dst", Mode::Write, to, uint64_t{count} * 8)
        .run([=] {
            for (uint32_t first = 0; first < count; first += 32) {
                uint32_t order[32];
                for (uint32_t i = 0; i < 32; ++i) order[i] = first + i;
                const uint8_t *values = local(Space::Ub, scores.offset);
                std::stable_sort(order, order + 32, [&](uint32_t a, uint32_t b) { return element<T>(values, a) > element<T>(values, b); });
                for (uint32_t i = 0; i < 32; ++i) {
                    uint8_t *pair = local(Space::Ub, to.offset + uint64_t{first + i} * 8);
                    const uint32_t number = word_at(numbers, order[i]);
                    std::memset(pair, 0, 8);
                    std::memcpy(pair, values + order[i] * sizeof(T), sizeof(T));
                    std::memcpy(pair + 4, &number, 4);
                }
            }
        });
}

} // namespace AscendC
