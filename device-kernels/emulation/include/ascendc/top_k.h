// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: the greatest or least k numbers of each row, with their indices.
#pragma once

#include <algorithm>
#include <vector>

#include "library_operands.h"
#include "../../host/kernel_tiling/kernel_tiling.h"

namespace AscendC {

enum class TopKMode : int { TOPK_NORMAL = 0, TOPK_NSMALL = 1 }; // NSMALL: inner is 32
// `outter` rows of `inner` numbers (a multiple of 32; at most 4096), of which the first n count.
struct TopKInfo {
    int32_t outter = 1;
    int32_t inner;
    int32_t n;
};
#if MF_NPU_ARCH == 3510
enum class TopKAlgo : int { RADIX_SELECT = 0, MERGE_SORT = 1 };
enum class TopKOrder : int { UNSET = 0, LARGEST = 1, SMALLEST = 2 };
struct TopKConfig {
    TopKAlgo algo = TopKAlgo::MERGE_SORT;
    TopKOrder order = TopKOrder::UNSET; // in the place of isLargest
    bool sorted = true;                 // the results are sorted here in any case
};
inline constexpr TopKConfig defaultTopKConfig = {};
#endif

} // namespace AscendC

namespace mf::emulation {

// The order of the numbers of a row: NaN first, then by value; equal ones by their place.
template <typename T>
inline std::vector<uint32_t> sorted_places(const Elements<T> &values, uint64_t first, uint32_t count, bool descends) {
    std::vector<uint32_t> order(count);
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const auto x = values.at(first + a), y = values.at(first + b);
        if (x != x || y != y) return x != x && y == y;
        return descends ? x > y : x < y;
    });
    return order;
}

// Rows of results are whole blocks of 32 bytes. `given`: indices of the numbers, or none. `finish`: rows that
// are finished, or none: their indices become n.
template <typename T> struct TopNumbers {
    Elements<T> to_values;
    Elements<int32_t> to_indices;
    Elements<T> values;
    bool has_given;
    Elements<int32_t> given;
    bool has_finish;
    Elements<bool> finish;

    void run(const Call &call, int32_t k, const AscendC::TopKInfo &info, bool is_small, bool descends) const {
        static_assert(is_real<T>, "TopK is for half and float");
        if (info.inner % 32 != 0 || info.inner < 32 || info.inner > 4096 || (is_small && info.inner != 32))
            fault("K6", call.at, "%s: inner is %d, must be %s", call.name, info.inner,
                  is_small ? "32" : "a multiple of 32, at most 4096");
        if (info.n < 1 || info.n > info.inner) fault("K6", call.at, "%s: n is %d of %d", call.name, info.n, info.inner);
        if (k < 1 || k > info.n) fault("K6", call.at, "%s: k is %d, must be 1 to n, %d", call.name, k, info.n);
        if (has_given && info.outter > 1)
            fault("K6", call.at, "%s: here srcIndexLocal is for one row alone, and there are %d", call.name, info.outter);
        if (info.outter <= 0) return;
        const auto rows = static_cast<uint32_t>(info.outter), inner = static_cast<uint32_t>(info.inner);
        const auto n = static_cast<uint32_t>(info.n), most = static_cast<uint32_t>(k);
        const uint64_t pitch = padded_row<T>(most), pitch_of_indices = padded_row<int32_t>(most);
        LibraryCall work(call);
        work.reads("srcLocal", values, uint64_t{rows - 1} * inner + n);
        if (has_given) work.reads("srcIndexLocal", given, n);
        if (has_finish) work.reads("finishLocal", finish, rows);
        work.writes("dstValueLocal", to_values, (rows - 1) * pitch + most);
        work.writes("dstIndexLocal", to_indices, (rows - 1) * pitch_of_indices + most);
        work.run([=, own = *this] {
            for (uint32_t row = 0; row < rows; ++row) {
                const uint64_t first = uint64_t{row} * inner;
                const std::vector<uint32_t> order = sorted_places(own.values, first, n, descends);
                for (uint32_t i = 0; i < most; ++i) {
                    own.to_values.set(row * pitch + i, own.values.at(first + order[i]));
                    const int32_t index = own.has_given ? own.given.at(order[i]) : static_cast<int32_t>(order[i]);
                    const bool is_finished = own.has_finish && own.finish.at(row);
                    own.to_indices.set(row * pitch_of_indices + i, is_finished ? static_cast<int32_t>(n) : index);
                }
            }
        });
    }
};

} // namespace mf::emulation

namespace AscendC {

#if MF_NPU_ARCH == 3510
#define MF_CONFIGURED , const TopKConfig &config = defaultTopKConfig
#define MF_DESCENDS config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST
#else
#define MF_CONFIGURED
#define MF_DESCENDS isLargest
#endif
#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,                 \
              enum TopKMode topkMode = TopKMode::TOPK_NORMAL MF_CONFIGURED>                                            \
    __aicore__ inline void TopK(const LocalTensor<T> &dstValueLocal, const LocalTensor<int32_t> &dstIndexLocal,        \
                                const LocalTensor<T> &srcLocal, const LocalTensor<int32_t> &srcIndexLocal,             \
                                const LocalTensor<bool> &finishLocal MF_FORM_LIST TMP, const int32_t k,                \
                                const TopkTiling &, const TopKInfo &topKInfo, const bool isLargest = true,             \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        TopNumbers<T>{dstValueLocal, dstIndexLocal, srcLocal, isInitIndex,                                             \
                      isInitIndex ? Elements<int32_t>(srcIndexLocal) : Elements<int32_t>(), isHasfinish,               \
                      isHasfinish ? Elements<bool>(finishLocal) : Elements<bool>()}                                    \
            .run({"TopK", at}, k, topKInfo, topkMode == TopKMode::TOPK_NSMALL, MF_DESCENDS);                           \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS
#undef MF_DESCENDS
#undef MF_CONFIGURED

} // namespace AscendC
