// SPDX-License-Identifier: Apache-2.0 OR MIT
// Distributions of loads and stores: the places in registers of the elements of memory.
#pragma once

#include "types.h"

namespace mf::emulation {

using AscendC::Reg::LoadDist;
using AscendC::Reg::StoreDist;

// The elements that a load makes registers of.
struct LoadForm {
    enum class Kind : uint8_t { None, Plain, Broadcast, Twice, EverySecond, Widen, Block, ToBlocks, Split };
    Kind kind;
    uint32_t element; // bytes
    uint32_t bytes;   // of memory
    // Times that an element is widened.
    uint32_t times = 2;
};
constexpr LoadForm form_of(LoadDist dist) {
    using Kind = LoadForm::Kind;
    switch (dist) {
    case LoadDist::DIST_NORM: return {Kind::Plain, 1, 256};
    case LoadDist::DIST_BRC_B8: return {Kind::Broadcast, 1, 1};
    case LoadDist::DIST_BRC_B16: return {Kind::Broadcast, 2, 2};
    case LoadDist::DIST_BRC_B32: return {Kind::Broadcast, 4, 4};
    case LoadDist::DIST_US_B8: return {Kind::Twice, 1, 128};
    case LoadDist::DIST_US_B16: return {Kind::Twice, 2, 128};
    case LoadDist::DIST_DS_B8: return {Kind::EverySecond, 1, 512};
    case LoadDist::DIST_DS_B16: return {Kind::EverySecond, 2, 512};
    case LoadDist::DIST_UNPACK_B8: return {Kind::Widen, 1, 128};
    case LoadDist::DIST_UNPACK_B16: return {Kind::Widen, 2, 128};
    case LoadDist::DIST_UNPACK_B32: return {Kind::Widen, 4, 128};
    case LoadDist::DIST_UNPACK4_B8: return {Kind::Widen, 1, 64, 4};
    case LoadDist::DIST_BLK: return {Kind::Block, 1, 32};
    case LoadDist::DIST_E2B_B16: return {Kind::ToBlocks, 2, 16};
    case LoadDist::DIST_E2B_B32: return {Kind::ToBlocks, 4, 32};
    case LoadDist::DIST_DINTLV_B8: return {Kind::Split, 1, 512};
    case LoadDist::DIST_DINTLV_B16: return {Kind::Split, 2, 512};
    case LoadDist::DIST_DINTLV_B32: return {Kind::Split, 4, 512};
    default: return {Kind::None, 1, 0};
    }
}
// Loads of one element or one block need no more than their own alignment.
constexpr uint32_t alignment_of(const LoadForm &form) { return form.bytes < 32 ? form.bytes : 32; }

// Makes one register of memory.
inline void distribute(uint8_t *to, const uint8_t *from, const LoadForm &form) {
    using Kind = LoadForm::Kind;
    const uint32_t size = form.element;
    for (uint32_t at = 0; at < REGISTER_BYTES; ++at) {
        const uint32_t element = at / size, byte = at % size;
        switch (form.kind) {
        case Kind::Broadcast: to[at] = from[byte]; break;
        case Kind::Twice: to[at] = from[element / 2 * size + byte]; break;
        case Kind::EverySecond: to[at] = from[element * 2 * size + byte]; break;
        case Kind::Widen: to[at] = element % form.times == 0 ? from[element / form.times * size + byte] : uint8_t{0}; break;
        case Kind::Block: to[at] = from[at % 32]; break;
        case Kind::ToBlocks: to[at] = from[at / 32 * size + byte]; break;
        default: to[at] = from[at]; break;
        }
    }
}

// The elements of a register that a store takes, and their part that it writes.
struct StoreForm {
    enum class Kind : uint8_t { None, Plain, First, Narrow, Interleaved };
    Kind kind;
    uint32_t element; // bytes of an element of the register; 0: as the register's
    uint32_t stored;  // bytes of it in memory
};
constexpr StoreForm form_of(StoreDist dist) {
    using Kind = StoreForm::Kind;
    switch (dist) {
    case StoreDist::DIST_NORM: return {Kind::Plain, 0, 0};
    case StoreDist::DIST_NORM_B8: return {Kind::Plain, 1, 1};
    case StoreDist::DIST_NORM_B16: return {Kind::Plain, 2, 2};
    case StoreDist::DIST_NORM_B32: return {Kind::Plain, 4, 4};
    case StoreDist::DIST_FIRST_ELEMENT_B8: return {Kind::First, 1, 1};
    case StoreDist::DIST_FIRST_ELEMENT_B16: return {Kind::First, 2, 2};
    case StoreDist::DIST_FIRST_ELEMENT_B32: return {Kind::First, 4, 4};
    case StoreDist::DIST_PACK_B16: return {Kind::Narrow, 2, 1};
    case StoreDist::DIST_PACK_B32: return {Kind::Narrow, 4, 2};
    case StoreDist::DIST_PACK_B64: return {Kind::Narrow, 8, 4};
    case StoreDist::DIST_PACK4_B32: return {Kind::Narrow, 4, 1};
    case StoreDist::DIST_INTLV_B8: return {Kind::Interleaved, 1, 1};
    case StoreDist::DIST_INTLV_B16: return {Kind::Interleaved, 2, 2};
    case StoreDist::DIST_INTLV_B32: return {Kind::Interleaved, 4, 4};
    default: return {Kind::None, 1, 1};
    }
}

// The bytes that a store collects, in runs without gaps.
class StoredRuns {
  public:
    StoredRuns(const char *name, const void *reg, uint32_t to) : name_(name), reg_(reg), to_(to) {}
    ~StoredRuns() = default;
    StoredRuns(const StoredRuns &) = delete;
    StoredRuns &operator=(const StoredRuns &) = delete;

    void add(uint32_t at, const void *bytes, uint32_t count) {
        if (used_ != 0 && at != begin_ + used_) flush();
        if (used_ == 0) begin_ = at;
        std::memcpy(run_ + used_, bytes, count);
        used_ += count;
    }
    void flush() {
        if (used_ != 0) store_register(name_, reg_, to_ + begin_, run_, used_);
        used_ = 0;
    }

  private:
    const char *name_;
    const void *reg_;
    const uint32_t to_;
    uint32_t begin_ = 0, used_ = 0;
    uint8_t run_[2 * REGISTER_BYTES];
};

} // namespace mf::emulation
