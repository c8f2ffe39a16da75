// SPDX-License-Identifier: Apache-2.0 OR MIT
// The data cache of scalar accesses to global memory: lines of 64 bytes, written back whole, coherent with nothing. Who
// writes a flag cleans its line afterwards; who reads it drops the line before.
#pragma once

#include "tensor.h"

namespace AscendC {

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB = 1, CACHELINE_OUT = 2, CACHELINE_ATOMIC = 3 };

// Writes the tensor's first line (or all lines) back where it is dirty, and drops it.
template <typename T, CacheLine lines, DcciDst destination = DcciDst::CACHELINE_ALL>
__aicore__ inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &tensor, mf::emulation::Site at = MF_HERE) {
    if constexpr (destination == DcciDst::CACHELINE_ALL || destination == DcciDst::CACHELINE_OUT) {
        using mf::emulation::Lines;
        mf::emulation::clean_and_invalidate(tensor.address, lines == CacheLine::SINGLE_CACHE_LINE ? Lines::One : Lines::All, at);
    }
}
// Local memory is not cached here.
template <typename T, CacheLine lines, DcciDst destination = DcciDst::CACHELINE_ALL>
__aicore__ inline void DataCacheCleanAndInvalid(const LocalTensor<T> &) {}

// A hint, without effect here.
template <typename T> __aicore__ inline void DataCachePreload(const GlobalTensor<T> &, int64_t) {}

} // namespace AscendC
