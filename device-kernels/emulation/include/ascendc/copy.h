// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies between global and local memory, and within local memory.
#pragma once

#include "tensor.h"

namespace mf::emulation {

#if MF_NPU_ARCH == 3510
using Stride = int64_t;
#else
using Stride = uint32_t;
#endif

} // namespace mf::emulation

namespace AscendC {

// `blockCount` pieces of `blockLen` blocks of 32 bytes; the gaps, from the end of a piece to the next one's
// beginning, are counted in such blocks too. CANN 8.1 knows the gaps as srcStride and dstStride alone.
struct DataCopyParams {
    uint16_t blockCount = 1;
    uint16_t blockLen = 0;
    union {
        uint16_t srcGap;
        uint16_t srcStride;
    };
    union {
        uint16_t dstGap;
        uint16_t dstStride;
    };

    DataCopyParams() : srcGap(0), dstGap(0) {}
    DataCopyParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint16_t dstStrideIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn) {}
};

// `blockCount` rows of `blockLen` bytes. The gap on the side of global memory is in bytes, the one on the
// local side in blocks of 32 bytes; there each row begins at a block.
struct DataCopyExtParams {
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    mf::emulation::Stride srcStride = 0;
    mf::emulation::Stride dstStride = 0;
    uint32_t rsv = 0;

    DataCopyExtParams() = default;
    DataCopyExtParams(uint16_t count, uint32_t len, mf::emulation::Stride srcStrideIn, mf::emulation::Stride dstStrideIn, uint32_t rsvIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn) {}
};

// Padding before and behind each row in local memory: so many elements of this value.
template <typename T> struct DataCopyPadExtParams {
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue{};

    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool isPadValue, uint8_t leftPadValue, uint8_t rightPadValue, T padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue) {}
};

#if MF_NPU_ARCH == 3510
// Spacing of rows in the unified buffer. Here always in blocks of 32 bytes.
enum class PaddingMode : uint8_t { Normal = 0, Compact = 1 };
#define MF_PADDING_MODE , PaddingMode mode = PaddingMode::Normal
#define MF_CHECK_PADDING_MODE static_assert(mode == PaddingMode::Normal, "PaddingMode::Compact does not exist here")
#else
#define MF_PADDING_MODE
#define MF_CHECK_PADDING_MODE
#endif

} // namespace AscendC

namespace mf::emulation {

// Pieces of whole blocks, for the three directions.
struct Blocks {
    uint32_t count;
    uint64_t bytes;
    uint64_t source_gap; // bytes
    uint64_t destination_gap;
    const char *name = "DataCopy"; // of the call
};
// The bytes that DataCopy with a count moves: a multiple of 32, or a fault where the simulator is strict
// (K4).
Blocks blocks_of(uint64_t bytes, Site at);
Blocks blocks_of(const AscendC::DataCopyParams &params, Site at);
// Between local memories: the tables of A2 and A3 take larger blocks.
Blocks blocks_of(const LocalRange &to, const AscendC::DataCopyParams &params, Site at);
void copy_blocks(const LocalRange &to, const GlobalRange &from, const Blocks &blocks, uint32_t element_bytes, Site at);
void copy_blocks(const GlobalRange &to, const LocalRange &from, const Blocks &blocks, uint32_t element_bytes, Site at);
void copy_blocks(const LocalRange &to, const LocalRange &from, const Blocks &blocks, uint32_t element_bytes, Site at);

// Rows of any length: DataCopyExtParams, alike on all products.
struct Pieces {
    uint32_t count;
    uint32_t bytes;
    int64_t source_gap;
    int64_t destination_gap;
    uint32_t reserved;
    const char *name = "DataCopyPad"; // of the call

    explicit Pieces(const AscendC::DataCopyExtParams &params)
        : count(params.blockCount), bytes(params.blockLen), source_gap(params.srcStride), destination_gap(params.dstStride),
          reserved(params.rsv) {}
    Pieces(const char *name, uint32_t count, uint32_t bytes, int64_t source_gap, int64_t destination_gap)
        : count(count), bytes(bytes), source_gap(source_gap), destination_gap(destination_gap), reserved(0), name(name) {}
};
// `value` has the bytes of an element.
struct Padding {
    uint32_t left_bytes = 0;
    uint32_t right_bytes = 0;
    uint8_t value[8] = {};
};
// Completes a padding: without one of the call, pads with the value of SetPadValue to the end of the last
// block.
Padding with_rest(Padding padding, bool is_own, uint64_t row_bytes);
void copy_rows(const LocalRange &to, const GlobalRange &from, const Pieces &pieces, const Padding &padding, uint32_t element_bytes,
               Site at);
void copy_rows(const GlobalRange &to, const LocalRange &from, const Pieces &pieces, uint32_t element_bytes, Site at);

} // namespace mf::emulation

namespace AscendC {

// Plain copies: local addresses at 32 bytes, global ones at the element, whole blocks of 32 bytes.
#define MF_PLAIN_COPIES(TO, FROM, BLOCKS)                                                                              \
    template <typename T>                                                                                              \
    __aicore__ inline void DataCopy(const TO<T> &dst, const FROM<T> &src, uint32_t count,                              \
                                    mf::emulation::Site at = MF_HERE) {                                                \
        mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(uint64_t{count} * sizeof(T), at), sizeof(T), at); \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void DataCopy(const TO<T> &dst, const FROM<T> &src, const DataCopyParams &repeatParams,          \
                                    mf::emulation::Site at = MF_HERE) {                                                \
        mf::emulation::copy_blocks(dst, src, mf::emulation::BLOCKS, sizeof(T), at);                                    \
    }
MF_PLAIN_COPIES(LocalTensor, GlobalTensor, blocks_of(repeatParams, at))
MF_PLAIN_COPIES(GlobalTensor, LocalTensor, blocks_of(repeatParams, at))
MF_PLAIN_COPIES(LocalTensor, LocalTensor, blocks_of(dst, repeatParams, at))
#undef MF_PLAIN_COPIES

// Copies of any length in bytes, from and to any global address.
template <typename T MF_PADDING_MODE>
__aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                   const DataCopyExtParams &dataCopyParams, const DataCopyPadExtParams<T> &padParams,
                                   mf::emulation::Site at = MF_HERE) {
    MF_CHECK_PADDING_MODE;
    mf::emulation::Padding pad;
    if (padParams.isPad) {
        pad.left_bytes = padParams.leftPadding * static_cast<uint32_t>(sizeof(T));
        pad.right_bytes = padParams.rightPadding * static_cast<uint32_t>(sizeof(T));
        std::memcpy(pad.value, &padParams.paddingValue, sizeof(T));
    }
    pad = mf::emulation::with_rest(pad, padParams.isPad, dataCopyParams.blockLen);
    mf::emulation::copy_rows(dst, src, mf::emulation::Pieces(dataCopyParams), pad, sizeof(T), at);
}
template <typename T MF_PADDING_MODE>
__aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                   const DataCopyExtParams &dataCopyParams, mf::emulation::Site at = MF_HERE) {
    MF_CHECK_PADDING_MODE;
    mf::emulation::copy_rows(dst, src, mf::emulation::Pieces(dataCopyParams), sizeof(T), at);
}
#undef MF_PADDING_MODE
#undef MF_CHECK_PADDING_MODE

} // namespace AscendC
