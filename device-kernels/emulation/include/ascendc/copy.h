// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies between global and local memory, and within local memory.
#pragma once

#include "tensor.h"

namespace AscendC {

// `blockCount` pieces of `blockLen` blocks of 32 bytes; the gaps, from the end of a piece to the next one's beginning, are
// counted in such blocks too. Older names of the gaps are srcStride and dstStride.
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
    DataCopyParams(uint16_t count, uint16_t length, uint16_t source_gap, uint16_t destination_gap)
        : blockCount(count), blockLen(length), srcGap(source_gap), dstGap(destination_gap) {}
};

// `blockCount` rows of `blockLen` bytes. The gap on the side of global memory is in bytes, the one on the local side in blocks
// of 32 bytes; there each row begins at a block.
#if __NPU_ARCH__ == 3510
using DataCopyStride = int64_t;
#else
using DataCopyStride = uint32_t;
#endif
struct DataCopyExtParams {
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    DataCopyStride srcStride = 0;
    DataCopyStride dstStride = 0;
    uint32_t rsv = 0;

    DataCopyExtParams() = default;
    DataCopyExtParams(uint16_t count, uint32_t length, DataCopyStride source, DataCopyStride destination, uint32_t reserved = 0)
        : blockCount(count), blockLen(length), srcStride(source), dstStride(destination), rsv(reserved) {}
};

// What stands before and behind each row in local memory: so many elements of this value.
template <typename T> struct DataCopyPadExtParams {
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue{};

    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool is_pad, uint8_t left, uint8_t right, T value)
        : isPad(is_pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
};

} // namespace AscendC

namespace mf::emulation {

// Pieces of whole blocks, for the three directions.
struct Blocks {
    uint32_t count;
    uint64_t bytes;
    uint64_t source_gap; // bytes
    uint64_t destination_gap;
};
// The bytes that DataCopy with a count moves: a multiple of 32, or a fault where the simulator is strict (K4).
Blocks blocks_of(uint64_t bytes, Site at);
Blocks blocks_of(const AscendC::DataCopyParams &params, Site at);
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

    explicit Pieces(const AscendC::DataCopyExtParams &params)
        : count(params.blockCount), bytes(params.blockLen), source_gap(params.srcStride), destination_gap(params.dstStride),
          reserved(params.rsv) {}
};
// `value` has the bytes of an element.
struct Padding {
    uint32_t left_bytes = 0;
    uint32_t right_bytes = 0;
    uint8_t value[8] = {};
};
void copy_rows(const LocalRange &to, const GlobalRange &from, const Pieces &pieces, const Padding &padding, uint32_t element_bytes,
               Site at);
void copy_rows(const GlobalRange &to, const LocalRange &from, const Pieces &pieces, uint32_t element_bytes, Site at);

} // namespace mf::emulation

namespace AscendC {

// Plain copies: local addresses at 32 bytes, global ones at the element, whole blocks of 32 bytes.
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, uint32_t count,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(uint64_t{count} * sizeof(T), at), sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(uint64_t{count} * sizeof(T), at), sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(uint64_t{count} * sizeof(T), at), sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(params, at), sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(params, at), sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_blocks(dst, src, mf::emulation::blocks_of(params, at), sizeof(T), at);
}

// Copies of any length in bytes, from and to any global address.
template <typename T>
__aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &params,
                                   const DataCopyPadExtParams<T> &padding, mf::emulation::Site at = MF_HERE) {
    mf::emulation::Padding pad;
    if (padding.isPad) {
        pad.left_bytes = padding.leftPadding * static_cast<uint32_t>(sizeof(T));
        pad.right_bytes = padding.rightPadding * static_cast<uint32_t>(sizeof(T));
        std::memcpy(pad.value, &padding.paddingValue, sizeof(T));
    }
    mf::emulation::copy_rows(dst, src, mf::emulation::Pieces(params), pad, sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &params,
                                   mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_rows(dst, src, mf::emulation::Pieces(params), sizeof(T), at);
}

} // namespace AscendC
