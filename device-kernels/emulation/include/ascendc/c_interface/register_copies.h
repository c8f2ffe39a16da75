// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: loads of registers from the unified buffer and stores to it. Included by registers.h.
//
// Addresses of asc_loadalign and asc_storealign are multiples of 32. Offsets count elements; `_postupdate`
// takes the pointer as it is, and then adds the offset to it.
#pragma once

namespace mf::emulation {

// An address of a register's load or store.
inline uint32_t register_place(const volatile void *pointer, Site at) {
    return local_offset(Space::Ub, const_cast<const void *>(pointer), at);
}
// Reads `bytes` bytes. Only the first element counts as an access: masked-out elements may be undefined.
// Registers are values here: they do not distinguish loads from stores.
inline void load_to(const char *name, void *to, const volatile void *from, uint32_t bytes, uint32_t element_bytes,
                    uint32_t alignment, Site at) {
    load_register(name, nullptr, to, register_place(from, at), bytes, element_bytes, alignment);
}
// Writes elements of `size` bytes that count: element i of the register to place i of memory.
template <typename Counts>
inline void store_from(const char *name, volatile void *to, const void *from, uint32_t size, uint32_t count, uint32_t alignment,
                       Site at, Counts counts) {
    const uint32_t place = register_place(to, at);
    check_register_address(name, place, alignment);
    for (uint32_t i = 0; i < count; ++i) {
        if (!counts(i)) continue;
        uint32_t end = i + 1;
        while (end < count && counts(end)) ++end;
        store_register(name, nullptr, place + i * size, static_cast<const uint8_t *>(from) + i * size, (end - i) * size);
        i = end;
    }
}
template <typename T> inline auto elements_of(const vector_bool &mask) {
    return [&mask](uint32_t i) { return counts<T>(mask, i); };
}

} // namespace mf::emulation

template <typename T>
__simd_callee__ inline void asc_loadalign(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src, MF_AT) {
    mf::emulation::load_to("asc_loadalign", dst.values, src, asc_get_vf_len(), sizeof(T), 32, at);
}
template <typename T>
__simd_callee__ inline void asc_loadalign(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src, int32_t offset,
                                          MF_AT) {
    asc_loadalign(dst, src + offset, at);
}
template <typename T>
__simd_callee__ inline void asc_loadalign_postupdate(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *&src,
                                                     int32_t offset, MF_AT) {
    asc_loadalign(dst, src, at);
    src += offset;
}
template <typename T>
__simd_callee__ inline void asc_storealign(__ubuf__ mf::emulation::Given<T> *dst_align32b, mf::emulation::Register<T> src,
                                           vector_bool mask, MF_AT) {
    using namespace mf::emulation;
    store_from("asc_storealign", dst_align32b, src.values, sizeof(T), src.COUNT, 32, at, elements_of<T>(mask));
}
template <typename T>
__simd_callee__ inline void asc_storealign(__ubuf__ mf::emulation::Given<T> *dst_align32b, mf::emulation::Register<T> src,
                                           int32_t offset, vector_bool mask, MF_AT) {
    asc_storealign(dst_align32b + offset, src, mask, at);
}
template <typename T>
__simd_callee__ inline void asc_storealign_postupdate(__ubuf__ mf::emulation::Given<T> *&dst_align32b,
                                                      mf::emulation::Register<T> src, int32_t offset, vector_bool mask, MF_AT) {
    asc_storealign(dst_align32b, src, mask, at);
    dst_align32b += offset;
}

// One element to all places, and each element twice.
#define MF_C_SPREAD(NAME, TAKEN, FROM_SIZE, INDEX)                                                                     \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src, MF_AT) {  \
        using namespace mf::emulation;                                                                                 \
        constexpr uint32_t size = FROM_SIZE;                                                                           \
        uint8_t from[256] = {};                                                                                        \
        load_to(#NAME, from, src, (TAKEN) * size, size, TAKEN == 1 ? size : 32, at);                             \
        for (uint32_t i = 0; i < dst.COUNT; ++i) {                                                                     \
            dst.values[i] = T{};                                                                                       \
            std::memcpy(&dst.values[i], from + (INDEX) * size, size);                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src,           \
                                     int32_t offset, MF_AT) {                                                          \
        NAME(dst, src + offset, at);                                                                                   \
    }
MF_C_SPREAD(asc_loadalign_brc, 1, sizeof(T), i * 0)
MF_C_SPREAD(asc_loadalign_upsample, dst.COUNT / 2, sizeof(T), i / 2)
#undef MF_C_SPREAD

// Elements followed by as many bytes of 0: of half a register.
template <typename T>
__simd_callee__ inline void asc_loadalign_unpack(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src, MF_AT) {
    T from[dst.COUNT / 2] = {};
    mf::emulation::load_to("asc_loadalign_unpack", from, src, sizeof from, sizeof(T), 32, at);
    for (uint32_t i = 0; i < dst.COUNT; ++i) dst.values[i] = i % 2 == 0 ? from[i / 2] : T{};
}
template <typename T>
__simd_callee__ inline void asc_loadalign_unpack(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src,
                                                 int32_t offset, MF_AT) {
    asc_loadalign_unpack(dst, src + offset, at);
}

// Without alignment: a whole register, and its first elements.
template <typename T>
__simd_callee__ inline void asc_load(mf::emulation::Register<T> &dst, __ubuf__ mf::emulation::Given<T> *src, MF_AT) {
    mf::emulation::load_to("asc_load", dst.values, src, asc_get_vf_len(), sizeof(T), sizeof(T), at);
}
template <typename T>
__simd_callee__ inline void asc_store(__ubuf__ mf::emulation::Given<T> *dst, mf::emulation::Register<T> src, uint32_t count, MF_AT) {
    using namespace mf::emulation;
    store_from("asc_store", dst, src.values, sizeof(T), src.COUNT, sizeof(T), at, [=](uint32_t i) { return i < count; });
}
template <typename T>
__simd_callee__ inline void asc_store(__ubuf__ mf::emulation::Given<T> *dst, mf::emulation::Register<T> src, MF_AT) {
    asc_store(dst, src, src.COUNT, at);
}

// The low halves of elements, one behind the other: twice as many bits of the mask count as elements.
template <typename T>
__simd_callee__ inline void asc_storealign_pack(__ubuf__ mf::emulation::Given<T> *dst_align32b, mf::emulation::Register<T> src,
                                                vector_bool mask, MF_AT) {
    using namespace mf::emulation;
    static_assert(sizeof(T) >= 2, "asc_storealign_pack is for types of 16 and 32 bits");
    uint8_t low[128];
    for (uint32_t i = 0; i < src.COUNT; ++i) std::memcpy(low + i * sizeof(T) / 2, &src.values[i], sizeof(T) / 2);
    store_from("asc_storealign_pack", dst_align32b, low, sizeof(T) / 2, src.COUNT, 32, at, elements_of<T>(mask));
}
template <typename T>
__simd_callee__ inline void asc_storealign_pack(__ubuf__ mf::emulation::Given<T> *dst_align32b, mf::emulation::Register<T> src,
                                                int32_t offset, vector_bool mask, MF_AT) {
    asc_storealign_pack(dst_align32b + offset, src, mask, at);
}
