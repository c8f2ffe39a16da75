// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library, on the 950 alone: Sort with a configuration: values and indices in tensors of
// their own. Equal values stay in their order; NaN comes first. Not in CANN 8.1.
#pragma once

#include "top_k.h"

#if MF_NPU_ARCH == 3510

namespace AscendC {

enum class SortType : int { RADIX_SORT = 0, MERGE_SORT = 1 };
struct SortConfig {
    SortType type = SortType::RADIX_SORT;
    bool isDescend = false;
};
inline constexpr SortConfig DEFAULT_SORT_CONFIG = {SortType::RADIX_SORT, false};

} // namespace AscendC

namespace mf::emulation {

// `to_indices` may be null; `indices`: null for 0, 1, 2, …
template <typename T, typename U>
inline void sort_stable(const Call &call, const Elements<T> &dst, const Elements<U> *to_indices, const Elements<T> &src,
                        const Elements<U> *indices, uint32_t count, bool descends) {
    if (count == 0) return;
    const bool gives_indices = to_indices != nullptr, has_indices = indices != nullptr;
    const Elements<U> out = gives_indices ? *to_indices : Elements<U>(), in = has_indices ? *indices : Elements<U>();
    LibraryCall work(call, true);
    work.reads("srcTensor", src, count);
    if (has_indices) work.reads("srcIndexTensor", in, count);
    work.writes("dstTensor", dst, count);
    if (gives_indices) work.writes("dstIndexTensor", out, count);
    work.run([=] {
        const std::vector<uint32_t> order = sorted_places(src, 0, count, descends);
        for (uint32_t i = 0; i < count; ++i) {
            dst.set(i, src.at(order[i]));
            if (gives_indices) out.set(i, has_indices ? in.at(order[i]) : static_cast<Computed<U>>(order[i]));
        }
    });
}

} // namespace mf::emulation

namespace AscendC {

template <typename T, typename U, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG>
__aicore__ inline void Sort(const LocalTensor<T> &dstTensor, const LocalTensor<U> &dstIndexTensor,
                            const LocalTensor<T> &srcTensor, const LocalTensor<U> &srcIndexTensor, const uint32_t calCount,
                            mf::emulation::Site at = MF_HERE) {
    const mf::emulation::Elements<U> out = dstIndexTensor, in = srcIndexTensor;
    mf::emulation::sort_stable<T, U>({"Sort", at}, dstTensor, &out, srcTensor, &in, calCount, config.isDescend);
}
template <typename T, typename U, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG>
__aicore__ inline void Sort(LocalTensor<T> &dstTensor, LocalTensor<U> &dstIndexTensor, const LocalTensor<T> &srcTensor,
                            const LocalTensor<U> &srcIndexTensor, const LocalTensor<uint8_t> &, const uint32_t calCount,
                            mf::emulation::Site at = MF_HERE) {
    Sort<T, U, isReuseSource, config>(dstTensor, dstIndexTensor, srcTensor, srcIndexTensor, calCount, at);
}
#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG>                  \
    __aicore__ inline void Sort(LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor MF_FORM_LIST TMP,           \
                                const uint32_t calCount, mf::emulation::Site at = MF_HERE) {                           \
        mf::emulation::sort_stable<T, uint32_t>({"Sort", at}, dstTensor, nullptr, srcTensor, nullptr, calCount,        \
                                                config.isDescend);                                                     \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false, const SortConfig &config = DEFAULT_SORT_CONFIG>                  \
    __aicore__ inline void Sort(LocalTensor<T> &dstTensor, LocalTensor<uint32_t> &dstIndexTensor,                      \
                                const LocalTensor<T> &srcTensor MF_FORM_LIST TMP, const uint32_t calCount,             \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        const mf::emulation::Elements<uint32_t> out = dstIndexTensor;                                                  \
        mf::emulation::sort_stable<T, uint32_t>({"Sort", at}, dstTensor, &out, srcTensor, nullptr, calCount,           \
                                                config.isDescend);                                                     \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS

} // namespace AscendC

#endif
