// SPDX-License-Identifier: Apache-2.0 OR MIT
// Distributions of loads and stores of registers, at aligned and other addresses: compared with plain C++
// over random bytes.
#include "register_sample.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;
using namespace registers;

namespace {

using Reg::LoadDist;
using Reg::StoreDist;

template <typename T> Reg::MaskReg all() { return Reg::CreateMask<T>(); }

template <typename T, LoadDist DIST> __simd_vf__ inline void loaded(Place to, Place from, uint32_t)
{
    Reg::RegTensor<T> reg;
    Reg::LoadAlign<T, DIST>(reg, reinterpret_cast<__ubuf__ T *>(from));
    Reg::MaskReg mask = all<T>();
    Reg::StoreAlign(reinterpret_cast<__ubuf__ T *>(to), reg, mask);
}

template <typename T, LoadDist DIST> __simd_vf__ inline void loaded_two(Place to, Place from, uint32_t)
{
    Reg::RegTensor<T> even, odd;
    auto source = reinterpret_cast<__ubuf__ T *>(from);
    auto result = reinterpret_cast<__ubuf__ T *>(to);
    Reg::MaskReg mask = all<T>();
    for (uint16_t i = 0; i < 2; i++) {
        Reg::DataCopy<T, Reg::PostLiteral::POST_MODE_UPDATE, DIST>(even, odd, source, static_cast<int32_t>(512 / sizeof(T)));
        Reg::DataCopy<T, Reg::PostLiteral::POST_MODE_UPDATE>(result, even, static_cast<int32_t>(256 / sizeof(T)), mask);
        Reg::DataCopy<T, Reg::PostLiteral::POST_MODE_UPDATE>(result, odd, static_cast<int32_t>(256 / sizeof(T)), mask);
    }
}

// `source(at)`: the byte of memory in a byte of the register; below 0: a 0.
template <typename T, LoadDist DIST, typename Source> bool load_holds(const char *name, void *stream, Source source)
{
    const Bytes in = random_bytes(IN, 1 + static_cast<unsigned>(DIST));
    return holds<loaded<T, DIST>>(name, stream, in, 0, [&](Bytes &out, const Bytes &from) {
        for (int i = 0; i < 256; i++)
            out[static_cast<size_t>(i)] = source(i) < 0 ? uint8_t{0} : from[static_cast<size_t>(source(i))];
    });
}
template <typename T, LoadDist DIST> bool load_two_holds(const char *name, void *stream)
{
    const Bytes in = random_bytes(IN, 50 + static_cast<unsigned>(DIST));
    return holds<loaded_two<T, DIST>>(name, stream, in, 0, [](Bytes &out, const Bytes &from) {
        for (size_t i = 0; i < 512 / sizeof(T); i++)
            put(out, i / (256 / sizeof(T)) * (512 / sizeof(T)) + i % (256 / sizeof(T)), at<T>(from, 2 * i));
        for (size_t i = 0; i < 512 / sizeof(T); i++)
            put(out, i / (256 / sizeof(T)) * (512 / sizeof(T)) + 256 / sizeof(T) + i % (256 / sizeof(T)), at<T>(from, 2 * i + 1));
    });
}

// Elements of the type E of a register, and the part of each that is stored.
template <typename T, StoreDist DIST> __simd_vf__ inline void stored(Place to, Place from, uint32_t count)
{
    Reg::RegTensor<T> reg;
    Reg::LoadAlign(reg, reinterpret_cast<__ubuf__ T *>(from));
    Reg::MaskReg mask = Reg::UpdateMask<T>(count);
    Reg::StoreAlign<T, DIST>(reinterpret_cast<__ubuf__ T *>(to), reg, mask);
}
template <typename T, StoreDist DIST, size_t PART> bool store_holds(const char *name, void *stream)
{
    bool good = true;
    for (const uint32_t count : {0u, 1u, 9u, 31u, 64u, 300u}) {
        const Bytes in = random_bytes(IN, count);
        good &= holds<stored<T, DIST>>(name, stream, in, count, [=](Bytes &out, const Bytes &from) {
            for (size_t i = 0; i < 256 / sizeof(T) && i < count; i++)
                std::memcpy(&out[i * PART], &from[i * sizeof(T)], PART);
        });
    }
    return good;
}

template <typename T, StoreDist DIST> __simd_vf__ inline void stored_first(Place to, Place from, uint32_t)
{
    Reg::RegTensor<T> reg;
    Reg::LoadAlign(reg, reinterpret_cast<__ubuf__ T *>(from));
    Reg::MaskReg mask = all<T>();
    auto result = reinterpret_cast<__ubuf__ T *>(to) + 3;
    Reg::StoreAlign<T, DIST>(result, reg, mask);
}
template <typename T, StoreDist DIST> bool first_holds(const char *name, void *stream)
{
    return holds<stored_first<T, DIST>>(name, stream, random_bytes(IN, 3), 0,
                                        [](Bytes &out, const Bytes &from) { put(out, 3, at<T>(from, 0)); });
}

template <typename T, StoreDist DIST> __simd_vf__ inline void stored_two(Place to, Place from, uint32_t count)
{
    Reg::RegTensor<T> a, b;
    Reg::LoadAlign(a, reinterpret_cast<__ubuf__ T *>(from));
    Reg::LoadAlign(b, reinterpret_cast<__ubuf__ T *>(from + 256));
    Reg::MaskReg mask = Reg::UpdateMask<T>(count);
    Reg::StoreAlign<T, DIST>(reinterpret_cast<__ubuf__ T *>(to), a, b, mask);
}
template <typename T, StoreDist DIST> bool two_holds(const char *name, void *stream)
{
    bool good = true;
    for (const uint32_t count : {0u, 5u, 256u}) {
        good &= holds<stored_two<T, DIST>>(name, stream, random_bytes(IN, 9), count, [=](Bytes &out, const Bytes &from) {
            for (size_t i = 0; i < 256 / sizeof(T) && i < count; i++) {
                put(out, 2 * i, at<T>(from, i));
                put(out, 2 * i + 1, at<T>(from, 256 / sizeof(T) + i));
            }
        });
    }
    return good;
}

// Blocks with gaps in, and with other gaps out; the third of the blocks is left out.
__simd_vf__ inline void blocks(Place to, Place from, uint32_t)
{
    Reg::RegTensor<float> reg;
    Reg::MaskReg all = Reg::CreateMask<float>(), first = Reg::CreateMask<float, Reg::MaskPattern::VL16>(), mask;
    Reg::MaskReg more = Reg::CreateMask<float, Reg::MaskPattern::VL3>();
    Reg::MaskNot(mask, first, all);
    Reg::MaskOr(mask, mask, more, all);
    auto source = reinterpret_cast<__ubuf__ float *>(from);
    auto result = reinterpret_cast<__ubuf__ float *>(to);
    Reg::LoadAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY>(reg, source, 3, all);
    Reg::StoreAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY, Reg::PostLiteral::POST_MODE_UPDATE>(result, reg, 2, 17, mask);
    Reg::LoadAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY>(reg, source, 1, more);
    Reg::StoreAlign(result, reg, all);
}

// Rows of 13 elements, one behind the other, from any address and to any.
__simd_vf__ inline void unaligned(Place to, Place from, uint32_t rows)
{
    Reg::UnalignRegForLoad load;
    Reg::UnalignRegForStore store;
    Reg::RegTensor<int16_t> reg;
    auto source = reinterpret_cast<__ubuf__ int16_t *>(from) + 3;
    auto result = reinterpret_cast<__ubuf__ int16_t *>(to) + 5;
    Reg::LoadUnAlignPre(load, source);
    for (uint16_t row = 0; row < static_cast<uint16_t>(rows); row++) {
        Reg::LoadUnAlign<int16_t, Reg::PostLiteral::POST_MODE_UPDATE>(reg, load, source, 20);
        Reg::StoreUnAlign<int16_t, Reg::PostLiteral::POST_MODE_UPDATE>(result, reg, store, 13);
    }
    Reg::StoreUnAlignPost(result, store, 0);
    Reg::Load(reg, source);
    Reg::Store(result + 1, reg, 7);
}

// The negative elements, one behind the other.
__simd_vf__ inline void squeezed(Place to, Place from, uint32_t registers)
{
    Reg::RegTensor<int16_t> reg;
    Reg::UnalignRegForStore store;
    Reg::MaskReg all = Reg::CreateMask<int16_t>(), negative;
    auto source = reinterpret_cast<__ubuf__ int16_t *>(from);
    auto result = reinterpret_cast<__ubuf__ int16_t *>(to);
    Reg::ClearSpr<SpecialPurposeReg::AR>();
    for (uint16_t i = 0; i < static_cast<uint16_t>(registers); i++) {
        Reg::LoadAlign<int16_t, Reg::PostLiteral::POST_MODE_UPDATE>(reg, source, 128);
        Reg::Compares<int16_t, CMPMODE::LT>(negative, reg, int16_t{0}, all);
        Reg::Squeeze<int16_t, Reg::GatherMaskMode::STORE_REG>(reg, reg, negative);
        Reg::StoreUnAlign<int16_t, Reg::PostLiteral::POST_MODE_UPDATE>(result, reg, store);
    }
    Reg::StoreUnAlignPost(result, store);
}

} // namespace

extern "C" int sample_register_loads(void *stream)
{
    bool good = load_holds<half, LoadDist::DIST_NORM>("NORM", stream, [](int i) { return i; });
    good &= load_holds<uint8_t, LoadDist::DIST_BRC_B8>("BRC_B8", stream, [](int) { return 0; });
    good &= load_holds<half, LoadDist::DIST_BRC_B16>("BRC_B16", stream, [](int i) { return i % 2; });
    good &= load_holds<float, LoadDist::DIST_BRC_B32>("BRC_B32", stream, [](int i) { return i % 4; });
    good &= load_holds<int8_t, LoadDist::DIST_US_B8>("US_B8", stream, [](int i) { return i / 2; });
    good &= load_holds<int16_t, LoadDist::DIST_US_B16>("US_B16", stream, [](int i) { return i / 4 * 2 + i % 2; });
    good &= load_holds<int8_t, LoadDist::DIST_DS_B8>("DS_B8", stream, [](int i) { return i * 2; });
    good &= load_holds<int16_t, LoadDist::DIST_DS_B16>("DS_B16", stream, [](int i) { return i / 2 * 4 + i % 2; });
    good &= load_holds<uint8_t, LoadDist::DIST_UNPACK_B8>("UNPACK_B8", stream, [](int i) { return i % 2 == 0 ? i / 2 : -1; });
    good &= load_holds<half, LoadDist::DIST_UNPACK_B16>("UNPACK_B16", stream, [](int i) { return i % 4 < 2 ? i / 4 * 2 + i % 2 : -1; });
    good &= load_holds<float, LoadDist::DIST_UNPACK_B32>("UNPACK_B32", stream, [](int i) { return i % 8 < 4 ? i / 8 * 4 + i % 4 : -1; });
    good &= load_holds<int8_t, LoadDist::DIST_UNPACK4_B8>("UNPACK4_B8", stream, [](int i) { return i % 4 == 0 ? i / 4 : -1; });
    good &= load_holds<float, LoadDist::DIST_BLK>("BLK", stream, [](int i) { return i % 32; });
    good &= load_holds<half, LoadDist::DIST_E2B_B16>("E2B_B16", stream, [](int i) { return i / 32 * 2 + i % 2; });
    good &= load_holds<float, LoadDist::DIST_E2B_B32>("E2B_B32", stream, [](int i) { return i / 32 * 4 + i % 4; });
    good &= load_two_holds<uint8_t, LoadDist::DIST_DINTLV_B8>("DINTLV_B8", stream);
    good &= load_two_holds<int16_t, LoadDist::DIST_DINTLV_B16>("DINTLV_B16", stream);
    good &= load_two_holds<int32_t, LoadDist::DIST_DINTLV_B32>("DINTLV_B32", stream);
    return good ? 0 : 1;
}

extern "C" int sample_register_stores(void *stream)
{
    bool good = store_holds<half, StoreDist::DIST_NORM, 2>("NORM", stream);
    good &= store_holds<uint8_t, StoreDist::DIST_NORM_B8, 1>("NORM_B8", stream);
    good &= store_holds<half, StoreDist::DIST_NORM_B16, 2>("NORM_B16", stream);
    good &= store_holds<int32_t, StoreDist::DIST_NORM_B32, 4>("NORM_B32", stream);
    good &= store_holds<uint16_t, StoreDist::DIST_PACK_B16, 1>("PACK_B16", stream);
    good &= store_holds<uint32_t, StoreDist::DIST_PACK_B32, 2>("PACK_B32", stream);
    good &= store_holds<int64_t, StoreDist::DIST_PACK_B64, 4>("PACK_B64", stream);
    good &= store_holds<int32_t, StoreDist::DIST_PACK4_B32, 1>("PACK4_B32", stream);
    good &= first_holds<uint8_t, StoreDist::DIST_FIRST_ELEMENT_B8>("FIRST_ELEMENT_B8", stream);
    good &= first_holds<int16_t, StoreDist::DIST_FIRST_ELEMENT_B16>("FIRST_ELEMENT_B16", stream);
    good &= first_holds<int32_t, StoreDist::DIST_FIRST_ELEMENT_B32>("FIRST_ELEMENT_B32", stream);
    good &= two_holds<int8_t, StoreDist::DIST_INTLV_B8>("INTLV_B8", stream);
    good &= two_holds<int16_t, StoreDist::DIST_INTLV_B16>("INTLV_B16", stream);
    good &= two_holds<int32_t, StoreDist::DIST_INTLV_B32>("INTLV_B32", stream);
    return good ? 0 : 1;
}

extern "C" int sample_register_blocks(void *stream)
{
    return holds<blocks>("blocks", stream, random_bytes(IN, 4), 0, [](Bytes &out, const Bytes &from) {
        for (size_t i = 0; i < 64; i++)
            if (i < 3 || i >= 16)
                std::memcpy(&out[i / 8 * 64 + i % 8 * 4], &from[i / 8 * 96 + i % 8 * 4], 4);
        std::fill(out.begin() + 17 * 32, out.begin() + 17 * 32 + 256, uint8_t{0});
        std::copy(from.begin(), from.begin() + 32, out.begin() + 17 * 32);
    }) ? 0 : 1;
}

extern "C" int sample_register_unaligned(void *stream)
{
    bool good = true;
    for (const uint32_t rows : {1u, 2u, 25u}) {
        good &= holds<unaligned>("unaligned", stream, random_bytes(IN, rows), rows, [=](Bytes &out, const Bytes &from) {
            for (size_t i = 0; i < 13 * rows; i++)
                put(out, 5 + i, at<int16_t>(from, 3 + i / 13 * 20 + i % 13));
            for (size_t i = 0; i < 7; i++)
                put(out, 6 + 13 * rows + i, at<int16_t>(from, 3 + rows * 20 + i));
        });
    }
    return good ? 0 : 1;
}

extern "C" int sample_register_squeezed(void *stream)
{
    bool good = true;
    for (const uint32_t registers : {1u, 4u}) {
        good &= holds<squeezed>("squeezed", stream, random_bytes(IN, registers), registers, [=](Bytes &out, const Bytes &from) {
            size_t next = 0;
            for (size_t i = 0; i < 128 * registers; i++)
                if (at<int16_t>(from, i) < 0)
                    put(out, next++, at<int16_t>(from, i));
        });
    }
    return good ? 0 : 1;
}
#endif
