// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sorted lists of pairs (a score, then its index; 8 bytes, as Sort32 makes them), and transposition in its
// other forms.
#pragma once

#include <vector>

#include "gather.h"

namespace AscendC {

constexpr uint32_t MRG_SORT_ELEMENT_LEN = 4;
constexpr uint32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

template <typename T> struct MrgSortSrcList {
    LocalTensor<T> src1, src2, src3, src4;

    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T> &src1In, const LocalTensor<T> &src2In, const LocalTensor<T> &src3In,
                   const LocalTensor<T> &src4In)
        : src1(src1In), src2(src2In), src3(src3In), src4(src4In) {}
};

struct MrgSort4Info {
    uint16_t elementLengths[MRG_SORT_ELEMENT_LEN] = {0}; // pairs of each list, to 4095
    bool ifExhaustedSuspension = false;                  // ends when one list does
    uint16_t validBit = 0;                               // which of the lists there are: 3, 7 or 15
    uint8_t repeatTimes = 1;                             // with more: four lists of one length, one behind the other

    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t elementLengthsIn[MRG_SORT_ELEMENT_LEN], bool ifExhaustedSuspensionIn, uint16_t validBitIn,
                 uint16_t repeatTimesIn)
        : ifExhaustedSuspension(ifExhaustedSuspensionIn), validBit(validBitIn), repeatTimes(static_cast<uint8_t>(repeatTimesIn)) {
        std::memcpy(elementLengths, elementLengthsIn, sizeof elementLengths);
    }
};

struct TransDataTo5HDParams {
    bool dstHighHalf = false; // of bytes: which half of a block
    bool srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0; // in blocks of 32 bytes
    uint16_t srcRepStride = 0;

    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(bool dstHighHalfIn, bool srcHighHalfIn, uint8_t repeatTimesIn, uint16_t dstRepStrideIn,
                         uint16_t srcRepStrideIn)
        : dstHighHalf(dstHighHalfIn), srcHighHalf(srcHighHalfIn), repeatTimes(repeatTimesIn), dstRepStride(dstRepStrideIn),
          srcRepStride(srcRepStrideIn) {}
};

enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE = 0,
    TRANSPOSE_NZ2ND_0213 = 1,
    TRANSPOSE_NZ2NZ_0213 = 2,
    TRANSPOSE_NZ2NZ_012_WITH_N = 3,
    TRANSPOSE_NZ2ND_012_WITH_N = 4,
    TRANSPOSE_NZ2ND_012_WITHOUT_N = 5,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N = 6,
    TRANSPOSE_ND2ND_ONLY = 7,
    TRANSPOSE_ND_UB_GM = 8,
    TRANSPOSE_GRAD_ND_UB_GM = 9,
    TRANSPOSE_ND2ND_B16 = 10,
    TRANSPOSE_NCHW2NHWC = 11,
    TRANSPOSE_NHWC2NCHW = 12,
#if MF_NPU_ARCH == 3510
    TRANSPOSE_ND2ND_021 = 13,
    TRANSPOSE_ND2ND_102 = 14,
    TRANSPOSE_ND2ND_210 = 15,
    TRANSPOSE_ND2NZ_WITH_INTLV = 16,
#endif
};
struct TransposeParamsExt {
    uint16_t nSize = 0, cSize = 0, hSize = 0, wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;

    TransposeParamsExt() = default;
    TransposeParamsExt(uint16_t nSizeIn, uint16_t cSizeIn, uint16_t hSizeIn, uint16_t wSizeIn, TransposeType transposeTypeIn)
        : nSize(nSizeIn), cSize(cSizeIn), hSize(hSizeIn), wSize(wSizeIn), transposeType(transposeTypeIn) {}
};

} // namespace AscendC

namespace mf::emulation {

constexpr uint32_t PAIR = 8; // bytes

// A pair, and the score by which it is sorted.
template <typename T> inline Computed<T> score_at(uint64_t offset) { return element<T>(local(Space::Ub, offset), 0); }

struct SortedLists {
    uint64_t from[4]; // offsets
    uint32_t length[4];
    uint32_t count;
};
// Merges from the highest score down; of equal scores the earlier list's first. Says how many of each went.
template <typename T> inline void merge(uint64_t to, const SortedLists &lists, bool ends_early, uint32_t taken[4]) {
    for (uint32_t i = 0; i < 4; ++i) taken[i] = 0;
    for (;;) {
        uint32_t best = 4;
        for (uint32_t i = 0; i < lists.count; ++i) {
            if (taken[i] == lists.length[i]) {
                if (ends_early) return;
                continue;
            }
            if (best == 4 || score_at<T>(lists.from[i] + taken[i] * PAIR) > score_at<T>(lists.from[best] + taken[best] * PAIR))
                best = i;
        }
        if (best == 4) return;
        std::memcpy(local(Space::Ub, to), local(Space::Ub, lists.from[best] + taken[best] * PAIR), PAIR);
        ++taken[best];
        to += PAIR;
    }
}

inline uint32_t lists_of(const Call &call, uint32_t valid, const uint16_t lengths[4], uint32_t repeat) {
    const uint32_t count = valid == 15 ? 4 : valid == 7 ? 3 : valid == 3 ? 2 : 0;
    if (count == 0) fault("K6", call.at, "%s: validBit is %u, must be 3, 7 or 15", call.name, valid);
    for (uint32_t i = 0; i < count; ++i) {
        if (lengths[i] > 4095) fault("K6", call.at, "%s: list %u has %u elements, at most 4095", call.name, i, lengths[i]);
        if (repeat > 1 && (count != 4 || lengths[i] != lengths[0]))
            fault("K6", call.at, "%s: repeats are of four lists of one length", call.name);
    }
    return count;
}

template <typename T>
inline void merge_lists(const Call &call, const LocalRange &dst, const LocalRange (&src)[4], const uint16_t lengths[4],
                        uint32_t valid, uint32_t repeat, bool ends_early, uint32_t *sorted) {
    static_assert(is_real<T>, "MrgSort is for half and float");
    const uint32_t count = lists_of(call, valid, lengths, repeat);
    Touched touched(call);
    SortedLists lists = {{}, {}, count};
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; ++i) {
        lists.from[i] = src[i].offset;
        lists.length[i] = lengths[i];
        all += lengths[i];
    }
    for (uint32_t i = 0; i < count; ++i)
        touched.add("src", Mode::Read, src[i], lengths[i] * uint64_t{PAIR}, PAIR, repeat, all * PAIR);
    uint32_t *const results = registers().merged;
    touched.add("dst", Mode::Write, dst, all * PAIR, PAIR, repeat, all * PAIR).run([=] {
        for (uint32_t r = 0; r < repeat; ++r) {
            SortedLists part = lists;
            for (uint64_t &from : part.from) from += r * all * PAIR;
            merge<T>(dst.offset + r * all * PAIR, part, ends_early, results);
        }
    });
    if (sorted == nullptr) return;
    // The numbers are a result for the scalar unit: the call waits for the pipe.
    await(Pipe::Scalar, moment(Pipe::Vector));
    for (uint32_t i = 0; i < 4; ++i) sorted[i] = results[i];
}

// 16 blocks of 32 bytes each, transposed. Elements of 4 bytes: a column is two blocks; bytes: one half of
// the blocks.
inline void transpose_blocks(const uint32_t to[16], const uint32_t from[16], uint32_t size, bool dst_high, bool src_high) {
    uint8_t before[16][32];
    for (uint32_t i = 0; i < 16; ++i) std::memcpy(before[i], local(Space::Ub, from[i]), 32);
    const uint32_t columns = size == 4 ? 8 : 16;
    for (uint32_t column = 0; column < columns; ++column) {
        for (uint32_t row = 0; row < 16; ++row) {
            const uint32_t element = size == 1 && src_high ? column + 16 : column;
            const uint32_t block = size == 4 ? 2 * column + row / 8 : column;
            const uint32_t place = size == 4 ? row % 8 : size == 1 && dst_high ? row + 16 : row;
            std::memcpy(local(Space::Ub, to[block] + place * size), before[row] + element * size, size);
        }
    }
}

struct BlockLists {
    uint32_t to[16], from[16];
};
inline LocalRange whole_ub() { return {Space::Ub, 0, 0, static_cast<uint32_t>(local_bytes(Space::Ub))}; }
template <typename T>
inline void transpose_lists(const Call &call, const BlockLists &lists, const AscendC::TransDataTo5HDParams &params) {
    static_assert(sizeof(T) <= 4, "TransDataTo5HD is for elements of 1, 2 and 4 bytes");
    Touched touched(call);
    const uint32_t repeat = params.repeatTimes;
    LocalRange part = whole_ub();
    for (const uint32_t from : lists.from) {
        part.offset = from;
        touched.add("srcList", Mode::Read, part, 32, 32, repeat, params.srcRepStride * 32u);
    }
    for (const uint32_t to : lists.to) {
        part.offset = sizeof(T) == 1 && params.dstHighHalf ? to + 16 : to;
        touched.add("dstList", Mode::Write, part, sizeof(T) == 1 ? 16 : 32, 16, repeat, params.dstRepStride * 32u);
    }
    touched.run([=] {
        for (uint32_t r = 0; r < repeat; ++r) {
            BlockLists now = lists;
            for (uint32_t &to : now.to) to += r * params.dstRepStride * 32u;
            for (uint32_t &from : now.from) from += r * params.srcRepStride * 32u;
            transpose_blocks(now.to, now.from, sizeof(T), params.dstHighHalf, params.srcHighHalf);
        }
    });
}

} // namespace mf::emulation

namespace AscendC {

template <typename T>
__aicore__ inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params,
                               mf::emulation::Site at = MF_HERE) {
    const mf::emulation::LocalRange lists[4] = {src.src1, src.src2, src.src3, src.src4};
    mf::emulation::merge_lists<T>({"MrgSort", at}, dst, lists, params.elementLengths, params.validBit, params.repeatTimes,
                                  params.ifExhaustedSuspension, nullptr);
}
// `sortedNum`: how many went of each list.
template <typename T, bool isExhaustedSuspension = false>
__aicore__ inline void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sortList, const uint16_t elementCountList[4],
                               uint32_t sortedNum[4], uint16_t validBit, int32_t repeatTime,
                               mf::emulation::Site at = MF_HERE) {
    const mf::emulation::LocalRange lists[4] = {sortList.src1, sortList.src2, sortList.src3, sortList.src4};
    mf::emulation::merge_lists<T>({"MrgSort", at}, dst, lists, elementCountList, validBit,
                                  static_cast<uint32_t>(repeatTime < 0 ? 0 : repeatTime), isExhaustedSuspension, sortedNum);
}

// Before Sort: the scores as it takes them, which is as they are.
template <typename T>
__aicore__ inline void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &tmp, int32_t repeatTime) {
    (void)tmp, (void)repeatTime;
    concat = src;
}
// 32 scores a repeat: each 32 by themselves, or with isFullSort all of them.
template <typename T, bool isFullSort>
__aicore__ inline void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat, const LocalTensor<uint32_t> &index,
                            LocalTensor<T> &tmp, int32_t repeatTime, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_real<T>, "Sort is for half and float");
    (void)tmp;
    if (repeatTime <= 0) return;
    const LocalRange to = dst, scores = concat, numbers = index;
    const auto count = static_cast<uint32_t>(repeatTime) * 32;
    Touched({"Sort", at})
        .add("concat", Mode::Read, scores, uint64_t{count} * sizeof(T))
        .add("index", Mode::Read, numbers, uint64_t{count} * 4)
        .add("dst", Mode::Write, to, uint64_t{count} * PAIR)
        .run([=] {
            const uint8_t *values = local(Space::Ub, scores.offset);
            std::vector<uint32_t> order(count);
            for (uint32_t i = 0; i < count; ++i) order[i] = i;
            const uint32_t step = isFullSort ? count : 32;
            for (uint32_t first = 0; first < count; first += step)
                std::stable_sort(order.begin() + first, order.begin() + first + step,
                                 [&](uint32_t a, uint32_t b) { return element<T>(values, a) > element<T>(values, b); });
            for (uint32_t i = 0; i < count; ++i) {
                uint8_t *pair = local(Space::Ub, to.offset + uint64_t{i} * PAIR);
                const uint32_t number = word_at(numbers, order[i]);
                std::memset(pair, 0, PAIR);
                std::memcpy(pair, values + order[i] * sizeof(T), sizeof(T));
                std::memcpy(pair + 4, &number, 4);
            }
        });
}
// The scores and the indices of pairs, apart.
template <typename T>
__aicore__ inline void Extract(const LocalTensor<T> &dstValue, const LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &sorted,
                               int32_t repeatTime, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_real<T>, "Extract is for half and float");
    const LocalRange values = dstValue, numbers = dstIndex, from = sorted;
    const uint32_t count = repeatTime <= 0 ? 0 : static_cast<uint32_t>(repeatTime) * 32;
    Touched({"Extract", at})
        .add("sorted", Mode::Read, from, uint64_t{count} * PAIR)
        .add("dstValue", Mode::Write, values, uint64_t{count} * sizeof(T))
        .add("dstIndex", Mode::Write, numbers, uint64_t{count} * 4)
        .run([=] {
            for (uint32_t i = 0; i < count; ++i) {
                const uint8_t *pair = local(Space::Ub, from.offset + uint64_t{i} * PAIR);
                std::memcpy(local(Space::Ub, values.offset + i * sizeof(T)), pair, sizeof(T));
                std::memcpy(local(Space::Ub, numbers.offset + i * 4), pair + 4, 4);
            }
        });
}
// The elements of T that so many pairs are.
template <typename T> __aicore__ inline uint32_t GetSortLen(uint32_t elemCount) {
    return elemCount * mf::emulation::PAIR / static_cast<uint32_t>(sizeof(T));
}

// Blocks of 32 bytes, 16 of each side, transposed as a matrix. Elements of 4 bytes: 16 rows of 8 become 8
// rows of 16, each in two blocks.
template <typename T>
__aicore__ inline void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                                      const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                                      const TransDataTo5HDParams &nchwconvParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    BlockLists lists = {};
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        const LocalRange to = dstList[i], from = srcList[i];
        check_local("TransDataTo5HD", "dstList", to, 32, 32, at);
        check_local("TransDataTo5HD", "srcList", from, 32, 32, at);
        lists.to[i] = to.offset;
        lists.from[i] = from.offset;
    }
    transpose_lists<T>({"TransDataTo5HD", at}, lists, nchwconvParams);
}
template <typename T>
__aicore__ inline void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                      const TransDataTo5HDParams &nchwconvParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    BlockLists lists = {};
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        lists.to[i] = offset_of(Space::Ub, dstList[i]);
        lists.from[i] = offset_of(Space::Ub, srcList[i]);
    }
    transpose_lists<T>({"TransDataTo5HD", at}, lists, nchwconvParams);
}
// The addresses stand in tensors, where the scalar code wrote them.
template <typename T>
__aicore__ inline void TransDataTo5HD(const LocalTensor<uint64_t> &dst, const LocalTensor<uint64_t> &src,
                                      const TransDataTo5HDParams &nchwconvParams, mf::emulation::Site at = MF_HERE) {
    uint64_t to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        to[i] = dst.GetValue(i, at);
        from[i] = src.GetValue(i, at);
    }
    TransDataTo5HD<T>(to, from, nchwconvParams, at);
}

// Here: one matrix of 16 × 16 elements of 2 bytes (TRANSPOSE_ND2ND_B16), and pictures of n × c × h × w to
// n × h × w × c and back.
template <typename T>
__aicore__ inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,
                                 const TransposeParamsExt &transposeParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    (void)sharedTmpBuffer;
    const TransposeParamsExt p = transposeParams;
    if (p.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
        if constexpr (sizeof(T) == 2) return Transpose(dst, src, at);
        fault("K6", at, "Transpose: TRANSPOSE_ND2ND_B16 is for elements of 2 bytes");
    }
    const bool to_channels_last = p.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
    if (!to_channels_last && p.transposeType != TransposeType::TRANSPOSE_NHWC2NCHW)
        fault("K6", at, "Transpose: type %u does not exist here", static_cast<unsigned>(p.transposeType));
    const LocalRange to = dst, from = src;
    const uint32_t rows = to_channels_last ? p.cSize : uint32_t{p.hSize} * p.wSize;
    const uint32_t columns = to_channels_last ? uint32_t{p.hSize} * p.wSize : p.cSize;
    const uint64_t area = uint64_t{rows} * columns, bytes = area * p.nSize * sizeof(T);
    Touched({"Transpose", at}).add("src", Mode::Read, from, bytes).add("dst", Mode::Write, to, bytes).run([=] {
        std::vector<uint8_t> before(bytes);
        std::memcpy(before.data(), local(Space::Ub, from.offset), bytes);
        for (uint64_t i = 0; i < area * p.nSize; ++i) {
            const uint64_t picture = i / area * area, row = i % area / columns, column = i % columns;
            std::memcpy(local(Space::Ub, to.offset + (picture + column * rows + row) * sizeof(T)), &before[i * sizeof(T)], sizeof(T));
        }
    });
}

} // namespace AscendC
