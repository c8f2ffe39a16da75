// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "ranges.h"

namespace mf {

int Ranges::apply(std::uint64_t address, std::uint64_t bytes) {
    return library_.smem_trans_register_mem(endpoint_, reinterpret_cast<void *>(address), bytes, 0);
}

int Ranges::add(std::uint64_t address, std::uint64_t bytes) {
    std::lock_guard<std::mutex> guard(lock_);
    std::multiset<std::uint64_t> &lengths = lengths_[address];
    if (lengths.empty() || bytes > *lengths.rbegin())
        if (const int code = apply(address, bytes); code != SMEM_OK) {
            if (lengths.empty()) lengths_.erase(address);
            return code;
        }
    lengths.insert(bytes);
    return SMEM_OK;
}

int Ranges::remove(std::uint64_t address, std::uint64_t bytes) {
    std::lock_guard<std::mutex> guard(lock_);
    const auto found = lengths_.find(address);
    if (found == lengths_.end()) return SMEM_NOT_EXIST;
    std::multiset<std::uint64_t> &lengths = found->second;
    const auto one = lengths.find(bytes);
    if (one == lengths.end()) return SMEM_NOT_EXIST;
    const std::uint64_t longest = *lengths.rbegin();
    lengths.erase(one);
    if (!lengths.empty() && *lengths.rbegin() == longest) return SMEM_OK;
    const std::uint64_t left = lengths.empty() ? 0 : *lengths.rbegin();
    if (left == 0) lengths_.erase(found);
    const int code = library_.smem_trans_deregister_mem(endpoint_, reinterpret_cast<void *>(address));
    if (left == 0 || (code != SMEM_OK && code != SMEM_NOT_EXIST)) return code;
    // The shorter one stays.
    return apply(address, left);
}

}  // namespace mf
