// SPDX-License-Identifier: Apache-2.0 OR MIT
// Loads and stores at any address of the unified buffer.
//
// Stores go through a register of 32 bytes: the bytes after the last whole block wait in it for the next
// store, which goes on where this one ends, or for the last call of the row, StoreUnAlignPost.
#pragma once

#include "copies.h"

namespace AscendC::Reg {

// One type under three names.
struct UnalignReg {
    bool is_ready = false; // for loads
    // The bytes of stores that wait, and their address.
    uint32_t begin = 0;
    uint32_t count = 0;
    uint8_t bytes[32] = {};
};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;

} // namespace AscendC::Reg

namespace mf::emulation {

using AscendC::Reg::UnalignRegForLoad;
using AscendC::Reg::UnalignRegForStore;

template <typename T, typename U> inline void load_unaligned(U &dst, const UnalignRegForLoad &ureg, T *address) {
    static_assert(sizeof(T) == sizeof(typename U::ActualT), "LoadUnAlign: the pointer is to elements as the register's are");
    if (!ureg.is_ready) fault_in_registers("K6", "LoadUnAlign: LoadUnAlignPre comes before, with the same register");
    load_register("LoadUnAlign", &dst, dst.values, ub_offset(address), U::BYTES, sizeof(T), sizeof(T));
}

inline void finish_row(const void *reg, UnalignRegForStore &ureg) {
    if (ureg.count != 0) store_register("StoreUnAlignPost", reg, ureg.begin, ureg.bytes, ureg.count);
    ureg.count = 0;
}

inline void store_unaligned(const void *reg, const void *bytes, UnalignRegForStore &ureg, uint32_t to, uint32_t count) {
    constexpr uint32_t BLOCK = 32;
    if (count > 2 * REGISTER_BYTES) fault_in_registers("K6", "StoreUnAlign: %u bytes are more than the register has", count);
    if (ureg.count != 0 && ureg.begin + ureg.count != to)
        fault_in_registers("K6", "StoreUnAlign: goes on at byte %u, and the store before ends at byte %u: StoreUnAlignPost is missing", to,
                           ureg.begin + ureg.count);
    uint8_t all[2 * REGISTER_BYTES + BLOCK];
    const uint32_t waiting = ureg.count, begin = to - waiting, end = to + count;
    std::memcpy(all, ureg.bytes, waiting);
    std::memcpy(all + waiting, bytes, count);
    const uint32_t rest = end % BLOCK < waiting + count ? end % BLOCK : waiting + count, whole = waiting + count - rest;
    if (whole != 0) store_register("StoreUnAlign", reg, begin, all, whole);
    ureg.begin = begin + whole;
    ureg.count = rest;
    std::memcpy(ureg.bytes, all + whole, rest);
}

// Appends the squeezed elements that are not stored yet.
template <typename T, typename U> inline void store_squeezed(T *address, const U &src, UnalignRegForStore &ureg) {
    if (traces != nullptr) traces->need_values();
    SqueezedBytes &squeezed = squeezed_bytes();
    const uint32_t count = squeezed.all - squeezed.stored;
    if (count > U::BYTES) fault_in_registers("K6", "StoreUnAlign: %u bytes are squeezed, and the register has %u", count, U::BYTES);
    store_unaligned(&src, src.values, ureg, ub_offset(address) + squeezed.stored, count);
    squeezed.stored = squeezed.all;
}

} // namespace mf::emulation

namespace AscendC::Reg {

template <typename T> __simd_callee__ inline void LoadUnAlignPre(UnalignRegForLoad &ureg, __ubuf__ T *srcAddr) {
    (void)mf::emulation::ub_offset(srcAddr);
    ureg.is_ready = true;
}
template <SpecialPurposeReg spr> __simd_callee__ inline void ClearSpr() { mf::emulation::squeezed_bytes() = {}; }

// Stores are of `postUpdateStride` elements, or of as many as Squeeze has counted.
#define MF_UNALIGNED(LOAD, LOAD_REGISTER, STORE, STORE_REGISTER)                                                       \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U>              \
    __simd_callee__ inline void LOAD(U &dstReg, LOAD_REGISTER &ureg, __ubuf__ T *&srcAddr, uint32_t postUpdateStride) { \
        mf::emulation::load_unaligned(dstReg, ureg, srcAddr);                                                          \
        mf::emulation::go_on<postMode>(srcAddr, postUpdateStride);                                                     \
    }                                                                                                                  \
    template <typename T = DefaultType, typename U>                                                                    \
    __simd_callee__ inline void LOAD(U &dstReg, LOAD_REGISTER &ureg, __ubuf__ T *srcAddr) {                            \
        mf::emulation::load_unaligned(dstReg, ureg, srcAddr);                                                          \
    }                                                                                                                  \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U>              \
    __simd_callee__ inline void STORE(__ubuf__ T *&dstAddr, U &srcReg, STORE_REGISTER &ureg, uint32_t postUpdateStride) { \
        const uint32_t to = mf::emulation::ub_offset(dstAddr);                                                         \
        mf::emulation::store_unaligned(&srcReg, srcReg.values, ureg, to, postUpdateStride * static_cast<uint32_t>(sizeof(T))); \
        mf::emulation::go_on<postMode>(dstAddr, postUpdateStride);                                                     \
    }                                                                                                                  \
    template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename U>              \
    __simd_callee__ inline void STORE(__ubuf__ T *dstAddr, U &srcReg, STORE_REGISTER &ureg) {                          \
        static_assert(postMode == PostLiteral::POST_MODE_UPDATE, "StoreUnAlign of squeezed elements goes on");         \
        mf::emulation::store_squeezed(dstAddr, srcReg, ureg);                                                          \
    }                                                                                                                  \
    template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE>                                        \
    __simd_callee__ inline void STORE##Post(__ubuf__ T *&dstAddr, STORE_REGISTER &ureg, int32_t postUpdateStride) {    \
        mf::emulation::finish_row(&ureg, ureg);                                                                        \
        mf::emulation::go_on<postMode>(dstAddr, postUpdateStride);                                                     \
    }                                                                                                                  \
    template <typename T> __simd_callee__ inline void STORE##Post(__ubuf__ T *, STORE_REGISTER &ureg) {                \
        mf::emulation::finish_row(&ureg, ureg);                                                                        \
    }
MF_UNALIGNED(LoadUnAlign, UnalignRegForLoad, StoreUnAlign, UnalignRegForStore)
MF_UNALIGNED(DataCopyUnAlign, UnalignReg, DataCopyUnAlign, UnalignReg)
#undef MF_UNALIGNED

// Without a register for the rest: any address at once.
template <typename T = DefaultType, typename U> __simd_callee__ inline void Load(U &dstReg, __ubuf__ T *srcAddr) {
    static_assert(sizeof(T) == sizeof(typename U::ActualT), "Load: the pointer is to elements as the register's are");
    mf::emulation::load_register("Load", &dstReg, dstReg.values, mf::emulation::ub_offset(srcAddr), U::BYTES, sizeof(T), sizeof(T));
}
template <typename T = DefaultType, typename U> __simd_callee__ inline void Store(__ubuf__ T *dstAddr, U &srcReg, uint32_t count) {
    static_assert(sizeof(T) == sizeof(typename U::ActualT), "Store: the pointer is to elements as the register's are");
    if (count > U::COUNT) mf::emulation::fault_in_registers("K6", "Store: %u elements, and the register has %u", count, U::COUNT);
    mf::emulation::store_register("Store", &srcReg, mf::emulation::ub_offset(dstAddr), srcReg.values,
                                  count * static_cast<uint32_t>(sizeof(T)));
}
template <typename T = DefaultType, typename U> __simd_callee__ inline void Store(__ubuf__ T *dstAddr, U &srcReg) {
    Store(dstAddr, srcReg, U::COUNT);
}

} // namespace AscendC::Reg
