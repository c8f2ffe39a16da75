// SPDX-License-Identifier: Apache-2.0 OR MIT
// Loads of masks from the unified buffer, and stores of them: a bit for each byte of a register, 32 bytes in
// all.
//
// DIST_US loads 16 bytes, each bit twice; DIST_DS loads 64 bytes, of which every second bit is left out;
// DIST_PACK stores 16 bytes, without every second bit. The first bit of two is the one that stays.
#pragma once

#include "copies.h"
#include "unaligned.h"

namespace mf::emulation {

using AscendC::Reg::MaskDist;

constexpr uint32_t MASK_BYTES = REGISTER_BYTES / 8;

template <MaskDist dist, typename T> inline void load_mask(AscendC::Reg::MaskReg &mask, T *address) {
    static_assert(dist == MaskDist::DIST_NORM || dist == MaskDist::DIST_US || dist == MaskDist::DIST_DS,
                  "LoadAlign of a mask: the distribution is DIST_NORM, DIST_US or DIST_DS");
    constexpr uint32_t count = dist == MaskDist::DIST_US ? MASK_BYTES / 2 : dist == MaskDist::DIST_DS ? 2 * MASK_BYTES : MASK_BYTES;
    uint8_t bits[2 * MASK_BYTES] = {};
    load_register("LoadAlign", &mask, bits, ub_offset(address), count, count, count < MASK_BYTES ? count : MASK_BYTES);
    for (uint32_t i = 0; i < REGISTER_BYTES; ++i) {
        const uint32_t from = dist == MaskDist::DIST_US ? i / 2 : dist == MaskDist::DIST_DS ? 2 * i : i;
        mask.bytes[i] = (bits[from / 8] >> from % 8 & 1) != 0;
    }
}

template <MaskDist dist, typename T> inline void store_mask(T *address, const AscendC::Reg::MaskReg &mask) {
    static_assert(dist == MaskDist::DIST_NORM || dist == MaskDist::DIST_PACK,
                  "StoreAlign of a mask: the distribution is DIST_NORM or DIST_PACK");
    constexpr bool is_packed = dist == MaskDist::DIST_PACK;
    constexpr uint32_t count = is_packed ? MASK_BYTES / 2 : MASK_BYTES;
    const uint32_t to = ub_offset(address);
    check_register_address("StoreAlign", to, count);
    uint8_t bits[MASK_BYTES] = {};
    for (uint32_t i = 0; i < count * 8; ++i)
        bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | (mask.bytes[is_packed ? 2 * i : i] ? 1 : 0) << i % 8);
    store_register("StoreAlign", &mask, to, bits, count);
}

} // namespace mf::emulation

namespace AscendC::Reg {

// Each call under its two names; the update is in elements of T.
#define MF_MASK_COPIES(LOAD, STORE)                                                                                    \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                         \
    __simd_callee__ inline void LOAD(MaskReg &mask, __ubuf__ T *srcAddr) {                                             \
        mf::emulation::load_mask<dist>(mask, srcAddr);                                                                 \
    }                                                                                                                  \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                         \
    __simd_callee__ inline void LOAD(MaskReg &mask, __ubuf__ T *srcAddr, AddrReg offset) {                             \
        mf::emulation::load_mask<dist>(mask, mf::emulation::moved(srcAddr, offset));                                   \
    }                                                                                                                  \
    template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>                                   \
    __simd_callee__ inline void LOAD(MaskReg &mask, __ubuf__ T *&srcAddr, int32_t offset) {                            \
        mf::emulation::load_mask<dist>(mask, mf::emulation::address_now<postMode>(srcAddr, offset));                   \
        mf::emulation::go_on<postMode>(srcAddr, offset);                                                               \
    }                                                                                                                  \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                         \
    __simd_callee__ inline void STORE(__ubuf__ T *dstAddr, MaskReg &mask) {                                            \
        mf::emulation::store_mask<dist>(dstAddr, mask);                                                                \
    }                                                                                                                  \
    template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                                         \
    __simd_callee__ inline void STORE(__ubuf__ T *dstAddr, MaskReg &mask, AddrReg offset) {                            \
        mf::emulation::store_mask<dist>(mf::emulation::moved(dstAddr, offset), mask);                                  \
    }                                                                                                                  \
    template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>                                   \
    __simd_callee__ inline void STORE(__ubuf__ T *&dstAddr, MaskReg &mask, int32_t offset) {                           \
        mf::emulation::store_mask<dist>(mf::emulation::address_now<postMode>(dstAddr, offset), mask);                  \
        mf::emulation::go_on<postMode>(dstAddr, offset);                                                               \
    }
MF_MASK_COPIES(LoadAlign, StoreAlign)
MF_MASK_COPIES(DataCopy, DataCopy)
#undef MF_MASK_COPIES

} // namespace AscendC::Reg
