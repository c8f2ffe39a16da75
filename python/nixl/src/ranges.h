// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registered ranges of an agent. NIXL registers each descriptor by itself, also the same memory several
// times; the library keeps one registration an address. This book keeps the longest one registered.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "library.h"

namespace mf {

class Ranges {
public:
    Ranges(const Library &library, smem_trans_t endpoint) : library_(library), endpoint_(endpoint) {}

    // Registers a range. Returns a code of the library.
    int add(std::uint64_t address, std::uint64_t bytes);
    // Takes one registration of it back: when this returns, others access nothing of it that no other
    // registration has. Blocks for copies in flight. Returns a code of the library.
    int remove(std::uint64_t address, std::uint64_t bytes);

private:
    int apply(std::uint64_t address, std::uint64_t bytes);

    const Library &library_;
    const smem_trans_t endpoint_;
    std::mutex lock_;
    // By address: the lengths that are registered.
    std::map<std::uint64_t, std::multiset<std::uint64_t>> lengths_;
};

}  // namespace mf
