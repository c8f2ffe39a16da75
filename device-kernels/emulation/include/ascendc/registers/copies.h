// SPDX-License-Identifier: Apache-2.0 OR MIT
// Loads into registers and stores out of them, at aligned addresses of the unified buffer.
//
// A load counts as an access to its first element only: elements after the last active one of the mask may
// be undefined. A store touches the elements of its mask. Addresses are multiples of 32 bytes, of one
// element where one is loaded or stored.
#pragma once

#include "distributions.h"

namespace mf::emulation {

using AscendC::Reg::AddrReg;
using AscendC::Reg::PostLiteral;

template <typename T> inline T *moved(T *address, const AddrReg &offset) {
    return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(address) + offset.bytes);
}
// The address of a call with an update, and the update.
template <PostLiteral mode, typename T> inline T *address_now(T *address, int64_t stride) {
    return mode == PostLiteral::POST_MODE_UPDATE ? address : address + stride;
}
template <PostLiteral mode, typename T> inline void go_on(T *&address, int64_t stride) {
    if (mode == PostLiteral::POST_MODE_UPDATE) address += stride;
}

template <LoadDist dist, typename T, typename U> inline void load_aligned(U &dst, T *address) {
    constexpr LoadForm form = form_of(dist);
    static_assert(form.kind != LoadForm::Kind::None && form.kind != LoadForm::Kind::Split, "LoadAlign: not a distribution of one register");
    static_assert(sizeof(T) == sizeof(typename U::ActualT), "LoadAlign: the pointer is to elements as the register's are");
    const uint32_t from = ub_offset(address);
    if constexpr (form.kind == LoadForm::Kind::Plain) {
        load_register("LoadAlign", &dst, dst.values, from, U::BYTES, sizeof(T), 32);
    } else {
        static_assert(U::REG_NUM == 1, "LoadAlign: this distribution is for one register");
        constexpr bool is_one = form.kind == LoadForm::Kind::Broadcast || form.kind == LoadForm::Kind::Block || form.kind == LoadForm::Kind::ToBlocks;
        uint8_t memory[2 * REGISTER_BYTES];
        load_register("LoadAlign", &dst, memory, from, form.bytes, is_one ? form.bytes : form.element, alignment_of(form));
        distribute(reinterpret_cast<uint8_t *>(dst.values), memory, form);
    }
}

// Even and odd elements of 512 bytes.
template <LoadDist dist, typename T, typename U> inline void load_split(U &dst0, U &dst1, T *address) {
    constexpr LoadForm form = form_of(dist);
    static_assert(form.kind == LoadForm::Kind::Split, "LoadAlign: not a distribution of two registers");
    static_assert(U::REG_NUM == 1 && sizeof(T) == sizeof(typename U::ActualT), "LoadAlign: the pointer is to elements as the register's are");
    uint8_t memory[2 * REGISTER_BYTES];
    load_register("LoadAlign", &dst0, memory, ub_offset(address), form.bytes, form.element, 32);
    const LoadForm split = {LoadForm::Kind::EverySecond, form.element, form.bytes};
    distribute(reinterpret_cast<uint8_t *>(dst0.values), memory, split);
    distribute(reinterpret_cast<uint8_t *>(dst1.values), memory + form.element, split);
}

// Blocks of 32 bytes, `stride` blocks from one beginning to the next. A block without an active element is
// not read, and 0.
template <typename T, typename U> inline void load_blocks(U &dst, T *address, uint32_t stride, const MaskReg &mask) {
    static_assert(U::REG_NUM == 1 && sizeof(T) == sizeof(typename U::ActualT), "LoadAlign: the pointer is to elements as the register's are");
    const uint32_t from = ub_offset(address);
    check_register_address("LoadAlign", from, 32);
    for (uint32_t block = 0; block < REGISTER_BYTES / 32; ++block) {
        uint8_t *to = reinterpret_cast<uint8_t *>(dst.values) + block * 32;
        bool is_read = false;
        for (uint32_t i = 0; i < 32; ++i) is_read |= mask.bytes[block * 32 + i];
        if (is_read)
            load_register("LoadAlign", &dst, to, from + block * stride * 32, 32, sizeof(T), 32);
        else
            std::memset(to, 0, 32);
    }
}

template <StoreDist dist, typename T, typename U> inline void store_aligned(T *address, const U &src, const MaskReg &mask) {
    constexpr StoreForm form = form_of(dist);
    using E = typename U::ActualT;
    static_assert(form.kind != StoreForm::Kind::None && form.kind != StoreForm::Kind::Interleaved, "StoreAlign: not a distribution of one register");
    static_assert(sizeof(T) == sizeof(E), "StoreAlign: the pointer is to elements as the register's are");
    const uint32_t to = ub_offset(address);
    StoredRuns runs("StoreAlign", &src, to);
    const auto *bytes = reinterpret_cast<const uint8_t *>(src.values);
    if constexpr (form.kind == StoreForm::Kind::First) {
        check_register_address("StoreAlign", to, form.element);
        if (mask.bytes[0]) runs.add(0, bytes, form.element);
    } else {
        constexpr uint32_t element = form.element != 0 ? form.element : uint32_t{sizeof(E)};
        constexpr uint32_t stored = form.element != 0 ? form.stored : uint32_t{sizeof(E)};
        check_register_address("StoreAlign", to, 32);
        for (uint32_t i = 0; i < U::BYTES / element; ++i)
            if (mask.bytes[i * element / U::REG_NUM]) runs.add(i * stored, bytes + i * element, stored);
    }
    runs.flush();
}

// The elements of two registers in turns; one mask for both.
template <StoreDist dist, typename T, typename U>
inline void store_interleaved(T *address, const U &src0, const U &src1, const MaskReg &mask) {
    constexpr StoreForm form = form_of(dist);
    static_assert(form.kind == StoreForm::Kind::Interleaved, "StoreAlign: not a distribution of two registers");
    static_assert(U::REG_NUM == 1 && sizeof(T) == sizeof(typename U::ActualT), "StoreAlign: the pointer is to elements as the register's are");
    const uint32_t to = ub_offset(address);
    check_register_address("StoreAlign", to, 32);
    StoredRuns runs("StoreAlign", &src0, to);
    for (uint32_t i = 0; i < 2 * REGISTER_BYTES / form.element; ++i) {
        const uint32_t at = i / 2 * form.element;
        if (mask.bytes[at]) runs.add(i * form.element, reinterpret_cast<const uint8_t *>((i % 2 == 0 ? src0 : src1).values) + at, form.element);
    }
    runs.flush();
}

template <typename T, typename U> inline void store_blocks(T *address, const U &src, uint32_t stride, const MaskReg &mask) {
    using E = typename U::ActualT;
    static_assert(U::REG_NUM == 1 && sizeof(T) == sizeof(E), "StoreAlign: the pointer is to elements as the register's are");
    const uint32_t to = ub_offset(address);
    check_register_address("StoreAlign", to, 32);
    StoredRuns runs("StoreAlign", &src, to);
    for (uint32_t i = 0; i < U::COUNT; ++i) {
        const uint32_t at = i * static_cast<uint32_t>(sizeof(E));
        if (is_active<U>(mask, i)) runs.add(at / 32 * stride * 32 + at % 32, &src.values[i], sizeof(E));
    }
    runs.flush();
}

} // namespace mf::emulation

namespace AscendC::Reg {

// Each call under its two names.
#define MF_LOADS(NAME)                                                                                                 \
    template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U>                               \
    __simd_callee__ inline void NAME(U &dstReg, __ubuf__ T *srcAddr) {                                                 \
        mf::emulation::load_aligned<dist>(dstReg, srcAddr);                                                            \
    }                                                                                                                  \
    template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, typename U>         \
    __simd_callee__ inline void NAME(U &dstReg, __ubuf__ T *&srcAddr, int32_t postUpdateStride) {                      \
        mf::emulation::load_aligned<dist>(dstReg, mf::emulation::address_now<postMode>(srcAddr, postUpdateStride));       \
        mf::emulation::go_on<postMode>(srcAddr, postUpdateStride);                                                     \
    }                                                                                                                  \
    template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U>                               \
    __simd_callee__ inline void NAME(U &dstReg, __ubuf__ T *srcAddr, AddrReg offset) {                                 \
        mf::emulation::load_aligned<dist>(dstReg, mf::emulation::moved(srcAddr, offset));                              \
    }                                                                                                                  \
    template <typename T = DefaultType, LoadDist dist, typename U>                                                     \
    __simd_callee__ inline void NAME(U &dstReg0, U &dstReg1, __ubuf__ T *srcAddr) {                                    \
        mf::emulation::load_split<dist>(dstReg0, dstReg1, srcAddr);                                                    \
    }                                                                                                                  \
    template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename U>                               \
    __simd_callee__ inline void NAME(U &dstReg0, U &dstReg1, __ubuf__ T *&srcAddr, int32_t postUpdateStride) {         \
        mf::emulation::load_split<dist>(dstReg0, dstReg1, mf::emulation::address_now<postMode>(srcAddr, postUpdateStride)); \
        mf::emulation::go_on<postMode>(srcAddr, postUpdateStride);                                                     \
    }                                                                                                                  \
    template <typename T = DefaultType, LoadDist dist, typename U>                                                     \
    __simd_callee__ inline void NAME(U &dstReg0, U &dstReg1, __ubuf__ T *srcAddr, AddrReg offset) {                    \
        mf::emulation::load_split<dist>(dstReg0, dstReg1, mf::emulation::moved(srcAddr, offset));                      \
    }                                                                                                                  \
    template <typename T = DefaultType, DataCopyMode dataMode, typename U>                                             \
    __simd_callee__ inline void NAME(U &dstReg, __ubuf__ T *srcAddr, uint32_t dataBlockStride, MaskReg &mask) {        \
        mf::emulation::load_blocks(dstReg, srcAddr, dataBlockStride, mask);                                            \
    }
MF_LOADS(LoadAlign)
MF_LOADS(DataCopy)
#undef MF_LOADS

#define MF_STORES(NAME)                                                                                                \
    template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U>                             \
    __simd_callee__ inline void NAME(__ubuf__ T *dstAddr, U &srcReg, MaskReg &mask) {                                  \
        mf::emulation::store_aligned<dist>(dstAddr, srcReg, mask);                                                     \
    }                                                                                                                  \
    template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, typename U>       \
    __simd_callee__ inline void NAME(__ubuf__ T *&dstAddr, U &srcReg, int32_t postUpdateStride, MaskReg &mask) {       \
        mf::emulation::store_aligned<dist>(mf::emulation::address_now<postMode>(dstAddr, postUpdateStride), srcReg, mask); \
        mf::emulation::go_on<postMode>(dstAddr, postUpdateStride);                                                     \
    }                                                                                                                  \
    template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U>                             \
    __simd_callee__ inline void NAME(__ubuf__ T *dstAddr, U &srcReg, AddrReg offset, MaskReg &mask) {                  \
        mf::emulation::store_aligned<dist>(mf::emulation::moved(dstAddr, offset), srcReg, mask);                       \
    }                                                                                                                  \
    template <typename T = DefaultType, StoreDist dist, typename U>                                                    \
    __simd_callee__ inline void NAME(__ubuf__ T *dstAddr, U &srcReg0, U &srcReg1, MaskReg &mask) {                     \
        mf::emulation::store_interleaved<dist>(dstAddr, srcReg0, srcReg1, mask);                                       \
    }                                                                                                                  \
    template <typename T = DefaultType, StoreDist dist, typename U>                                                    \
    __simd_callee__ inline void NAME(__ubuf__ T *dstAddr, U &srcReg0, U &srcReg1, AddrReg offset, MaskReg &mask) {     \
        mf::emulation::store_interleaved<dist>(mf::emulation::moved(dstAddr, offset), srcReg0, srcReg1, mask);         \
    }                                                                                                                  \
    template <typename T = DefaultType, DataCopyMode dataMode, typename U>                                             \
    __simd_callee__ inline void NAME(__ubuf__ T *dstAddr, U &srcReg, uint32_t dataBlockStride, MaskReg &mask) {        \
        mf::emulation::store_blocks(dstAddr, srcReg, dataBlockStride, mask);                                           \
    }                                                                                                                  \
    template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U>                       \
    __simd_callee__ inline void NAME(__ubuf__ T *&dstAddr, U &srcReg, uint32_t dataBlockStride, uint32_t repeatStride, \
                                     MaskReg &mask) {                                                                  \
        const int64_t step = int64_t{repeatStride} * 32 / static_cast<int64_t>(sizeof(T));                             \
        mf::emulation::store_blocks(mf::emulation::address_now<postMode>(dstAddr, step), srcReg, dataBlockStride, mask);  \
        mf::emulation::go_on<postMode>(dstAddr, step);                                                                 \
    }
MF_STORES(StoreAlign)
MF_STORES(DataCopy)
#undef MF_STORES

// The offset of an element of a tensor of up to four dimensions.
template <typename T> __simd_callee__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0) {
    return {static_cast<uint32_t>(index0 * stride0 * sizeof(T))};
}
template <typename T> __simd_callee__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1, uint32_t stride1) {
    return {CreateAddrReg<T>(index0, stride0).bytes + CreateAddrReg<T>(index1, stride1).bytes};
}
template <typename T>
__simd_callee__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1, uint32_t stride1, uint16_t index2,
                                             uint32_t stride2) {
    return {CreateAddrReg<T>(index0, stride0, index1, stride1).bytes + CreateAddrReg<T>(index2, stride2).bytes};
}
template <typename T>
__simd_callee__ inline AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1, uint32_t stride1, uint16_t index2,
                                             uint32_t stride2, uint16_t index3, uint32_t stride3) {
    return {CreateAddrReg<T>(index0, stride0, index1, stride1, index2, stride2).bytes + CreateAddrReg<T>(index3, stride3).bytes};
}

// Order between loads and stores of a function. Needed between a store of a register and a load of the same
// bytes into another one; otherwise they are in order here.
template <MemType src, MemType dst> __simd_callee__ inline void LocalMemBar() {
    constexpr bool is_whole = src == MemType::VEC_ALL && dst == MemType::VEC_ALL;
    if constexpr (is_whole || (src == MemType::VEC_STORE && dst == MemType::VEC_LOAD))
        if (mf::emulation::traces != nullptr) mf::emulation::traces->order_stores();
}

} // namespace AscendC::Reg
