// SPDX-License-Identifier: Apache-2.0 OR MIT
// The data cache of scalar accesses to global memory: lines of 64 bytes, written back whole, coherent with
// nothing. The writer of a flag cleans its line afterwards; the reader drops the line before.
#pragma once

#include <type_traits>

#include "tensor.h"

namespace AscendC {

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB = 1, CACHELINE_OUT = 2, CACHELINE_ATOMIC = 3 };

// Writes the tensor's first line (or all lines) back where it is dirty, and drops it.
template <typename T, CacheLine entireType, DcciDst dcciDst>
__aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::IS_950 || dcciDst != DcciDst::CACHELINE_ATOMIC, "CACHELINE_ATOMIC is not on A2 and A3");
    if constexpr (dcciDst == DcciDst::CACHELINE_ALL || dcciDst == DcciDst::CACHELINE_OUT) {
        using mf::emulation::Lines;
        mf::emulation::clean_and_invalidate(reinterpret_cast<uint64_t>(dst.GetPhyAddr()),
                                            entireType == CacheLine::SINGLE_CACHE_LINE ? Lines::One : Lines::All, at);
    }
}
template <typename T, CacheLine entireType>
__aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &dst, mf::emulation::Site at = MF_HERE) {
    DataCacheCleanAndInvalid<T, entireType, DcciDst::CACHELINE_ALL>(dst, at);
}
// Local memory is not cached here.
template <typename T, CacheLine entireType, DcciDst dcciDst>
__aicore__ inline void DataCacheCleanAndInvalid(const LocalTensor<T> &) {}

// A hint, without effect here: `cacheOffset` in bytes.
template <typename T> __aicore__ inline void DataCachePreload(const GlobalTensor<uint64_t> &, T cacheOffset) {
    static_assert(std::is_same_v<T, int16_t> || std::is_same_v<T, int64_t>, "the offset is an int16_t or an int64_t");
    (void)cacheOffset;
}

} // namespace AscendC
