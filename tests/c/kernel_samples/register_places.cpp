// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers whose elements change places: gathered and scattered by loaded indexes, in turns, packed,
// counted; masks, comparisons and reductions of them. Compared with plain C++ over random numbers.
#include <algorithm>

#include "register_sample.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;
using namespace registers;

namespace {

using Reg::CreateMask;
using Reg::HighLowPart;
using Reg::HistogramsBinType;
using Reg::HistogramsType;
using Reg::LoadAlign;
using Reg::MaskReg;
using Reg::RegTensor;
using Reg::StoreAlign;

template <typename T> __ubuf__ T *as(Place place) { return reinterpret_cast<__ubuf__ T *>(place); }

// Indexes below 64 at byte 1024 of the input.
Bytes indexed(unsigned seed)
{
    Bytes in = random_bytes(IN, seed);
    for (size_t i = 0; i < 64; i++)
        put(in, 256 + i, at<uint32_t>(in, 256 + i) % 64);
    return in;
}

__simd_vf__ inline void gathered(Place to, Place from, uint32_t count)
{
    RegTensor<float> values;
    RegTensor<uint32_t> places;
    RegTensor<int16_t> bytes;
    RegTensor<uint16_t> steps;
    MaskReg all = CreateMask<float>(), mask = Reg::UpdateMask<float>(count), all16 = CreateMask<int16_t>();
    LoadAlign(places, as<uint32_t>(from + 1024));
    Reg::Gather(values, as<float>(from), places, mask);
    StoreAlign(as<float>(to), values, all);
    LoadAlign(values, as<float>(from + 256));
    Reg::Gather(values, values, places);
    StoreAlign(as<float>(to + 256), values, all);
    // Bytes from any address, in lanes of 16 bits.
    Reg::Arange(steps, uint16_t{3});
    Reg::Gather(bytes, as<int8_t>(from), steps, all16);
    StoreAlign(as<int16_t>(to + 512), bytes, all16);
}

__simd_vf__ inline void scattered(Place to, Place from, uint32_t count)
{
    RegTensor<float> values;
    RegTensor<uint32_t> places;
    MaskReg mask = Reg::UpdateMask<float>(count);
    LoadAlign(values, as<float>(from));
    LoadAlign(places, as<uint32_t>(from + 1024));
    Reg::Scatter(as<float>(to), values, places, mask);
}

__simd_vf__ inline void turned(Place to, Place from, uint32_t)
{
    RegTensor<int16_t> a, b, c, d;
    MaskReg all = CreateMask<int16_t>();
    LoadAlign(a, as<int16_t>(from));
    LoadAlign(b, as<int16_t>(from + 256));
    Reg::Interleave(c, d, a, b);
    StoreAlign(as<int16_t>(to), c, all);
    StoreAlign(as<int16_t>(to + 256), d, all);
    Reg::DeInterleave(c, d, a, b);
    StoreAlign(as<int16_t>(to + 512), c, all);
    StoreAlign(as<int16_t>(to + 768), d, all);
}

__simd_vf__ inline void packed(Place to, Place from, uint32_t)
{
    RegTensor<uint32_t> wide;
    RegTensor<uint16_t> narrow;
    RegTensor<int16_t> small;
    RegTensor<int32_t> large;
    MaskReg all = CreateMask<uint16_t>(), all32 = CreateMask<uint32_t>();
    LoadAlign(wide, as<uint32_t>(from));
    Reg::Pack(narrow, wide);
    StoreAlign(as<uint16_t>(to), narrow, all);
    Reg::Pack<uint16_t, uint32_t, HighLowPart::HIGHEST>(narrow, wide);
    StoreAlign(as<uint16_t>(to + 256), narrow, all);
    LoadAlign(small, as<int16_t>(from));
    Reg::UnPack(large, small);
    StoreAlign(as<int32_t>(to + 512), large, all32);
    Reg::UnPack<int32_t, int16_t, HighLowPart::HIGHEST>(large, small);
    StoreAlign(as<int32_t>(to + 768), large, all32);
}

template <HistogramsType TYPE> __simd_vf__ inline void counted(Place to, Place from, uint32_t count)
{
    RegTensor<uint8_t> bytes;
    RegTensor<uint16_t> low, high;
    MaskReg mask = Reg::UpdateMask<uint8_t>(count), all = CreateMask<uint16_t>();
    Reg::Duplicate(low, uint16_t{5});
    Reg::Duplicate(high, uint16_t{0});
    LoadAlign(bytes, as<uint8_t>(from));
    Reg::Histograms<uint8_t, uint16_t, HistogramsBinType::BIN0, TYPE>(low, bytes, mask);
    Reg::Histograms<uint8_t, uint16_t, HistogramsBinType::BIN1, TYPE>(high, bytes, mask);
    StoreAlign(as<uint16_t>(to), low, all);
    StoreAlign(as<uint16_t>(to + 256), high, all);
}
template <HistogramsType TYPE> bool count_holds(void *stream)
{
    return holds<counted<TYPE>>("histograms", stream, random_bytes(IN, 5), 200, [](Bytes &out, const Bytes &from) {
        for (size_t value = 0; value < 256; value++) {
            int16_t found = value < 128 ? 5 : 0;
            for (size_t i = 0; i < 200; i++)
                found = static_cast<int16_t>(found + (from[i] == value || (TYPE == HistogramsType::ACCUMULATE && from[i] < value)));
            put(out, value, found);
        }
    });
}

// A mask by comparison, every second bit of it packed, and choices by them.
__simd_vf__ inline void chosen(Place to, Place from, uint32_t)
{
    RegTensor<int32_t> a, b, c;
    MaskReg all = CreateMask<int32_t>(), less, large, mask;
    LoadAlign(a, as<int32_t>(from));
    LoadAlign(b, as<int32_t>(from + 256));
    Reg::Compare<int32_t, CMPMODE::LT>(less, a, b, all);
    Reg::Select(c, a, b, less);
    StoreAlign(as<int32_t>(to), c, all);
    Reg::Compares<int32_t, CMPMODE::GT>(large, a, 1 << 20, all);
    Reg::MaskXor(mask, less, large, all);
    StoreAlign(as<int32_t>(to + 256), a, mask);
    // Bits of 32-bit elements as those of 16 bits.
    RegTensor<int16_t> x;
    Reg::MaskPack(mask, less);
    Reg::MaskUnPack(mask, mask);
    Reg::MaskPack(mask, mask);
    LoadAlign(x, as<int16_t>(from));
    StoreAlign(as<int16_t>(to + 512), x, mask);
    MaskReg even, odd;
    Reg::MaskDeInterleave<int32_t>(even, odd, less, large);
    StoreAlign(as<int32_t>(to + 768), a, odd);
}

__simd_vf__ inline void reduced(Place to, Place from, uint32_t count)
{
    RegTensor<int32_t> a, b;
    MaskReg all = CreateMask<int32_t>(), mask = Reg::UpdateMask<int32_t>(count);
    MaskReg two = CreateMask<int32_t, Reg::MaskPattern::VL8>();
    LoadAlign(a, as<int32_t>(from));
    Reg::Reduce<ReduceType::MAX>(b, a, mask);
    StoreAlign(as<int32_t>(to), b, two);
    Reg::ReduceMin(b, a, mask);
    StoreAlign(as<int32_t>(to + 32), b, two);
    Reg::ReduceSum(b, a, mask);
    StoreAlign(as<int32_t>(to + 64), b, two);
    Reg::ReduceDataBlock<ReduceType::SUM>(b, a, all);
    StoreAlign(as<int32_t>(to + 96), b, two);
    Reg::ReduceMaxWithDataBlock(b, a, all);
    StoreAlign(as<int32_t>(to + 128), b, two);
    RegTensor<int16_t> small;
    LoadAlign(small, as<int16_t>(from));
    MaskReg all16 = CreateMask<int16_t>();
    Reg::ReduceDataBlock<ReduceType::SUM>(b, small, all16);
    StoreAlign(as<int32_t>(to + 160), b, two);
    Reg::PairReduceElem(a, a, all);
    StoreAlign(as<int32_t>(to + 256), a, all);
}

int32_t wrapped_sum(const Bytes &from, size_t begin, size_t end)
{
    uint32_t sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += at<uint32_t>(from, i);
    return static_cast<int32_t>(sum);
}

} // namespace

extern "C" int sample_register_gathered(void *stream)
{
    return holds<gathered>("gathered", stream, indexed(1), 50, [](Bytes &out, const Bytes &from) {
        for (size_t i = 0; i < 64; i++) {
            const uint32_t place = at<uint32_t>(from, 256 + i);
            put(out, i, i < 50 ? at<uint32_t>(from, place) : 0);
            put(out, 64 + i, at<uint32_t>(from, 64 + place));
        }
        for (size_t i = 0; i < 128; i++)
            put(out, 256 + i, static_cast<uint16_t>(from[3 + i]));
    }) ? 0 : 1;
}

extern "C" int sample_register_scattered(void *stream)
{
    return holds<scattered>("scattered", stream, indexed(2), 60, [](Bytes &out, const Bytes &from) {
        for (size_t i = 0; i < 60; i++)
            put(out, at<uint32_t>(from, 256 + i), at<uint32_t>(from, i));
    }) ? 0 : 1;
}

extern "C" int sample_register_turned(void *stream)
{
    return holds<turned>("turned", stream, random_bytes(IN, 3), 0, [](Bytes &out, const Bytes &from) {
        for (size_t i = 0; i < 128; i++) {
            put(out, 2 * i, at<int16_t>(from, i));
            put(out, 2 * i + 1, at<int16_t>(from, 128 + i));
            put(out, 256 + i, at<int16_t>(from, 2 * i));
            put(out, 384 + i, at<int16_t>(from, 2 * i + 1));
        }
    }) ? 0 : 1;
}

extern "C" int sample_register_packed(void *stream)
{
    return holds<packed>("packed", stream, random_bytes(IN, 4), 0, [](Bytes &out, const Bytes &from) {
        std::fill(out.begin(), out.begin() + 512, uint8_t{0});
        for (size_t i = 0; i < 64; i++) {
            put(out, i, at<uint16_t>(from, 2 * i));
            put(out, 192 + i, at<uint16_t>(from, 2 * i));
        }
        for (size_t i = 0; i < 128; i++)
            put(out, 128 + i, static_cast<int32_t>(at<int16_t>(from, i)));
    }) ? 0 : 1;
}

extern "C" int sample_register_counted(void *stream)
{
    return count_holds<HistogramsType::FREQUENCY>(stream) & count_holds<HistogramsType::ACCUMULATE>(stream) ? 0 : 1;
}

extern "C" int sample_register_chosen(void *stream)
{
    return holds<chosen>("chosen", stream, random_bytes(IN, 6), 0, [](Bytes &out, const Bytes &from) {
        bool less[64], large[64];
        for (size_t i = 0; i < 64; i++) {
            const int32_t a = at<int32_t>(from, i), b = at<int32_t>(from, 64 + i);
            less[i] = a < b;
            large[i] = a > 1 << 20;
            put(out, i, a < b ? a : b);
            if (less[i] != large[i])
                put(out, 64 + i, a);
            // In the packed mask the bits lie side by side, as those of 64 elements of 16 bits.
            if (less[i])
                put(out, 256 + i, at<int16_t>(from, i));
        }
        for (size_t i = 0; i < 64; i++)
            if (2 * i + 1 < 64 ? less[2 * i + 1] : large[2 * i + 1 - 64])
                put(out, 192 + i, at<int32_t>(from, i));
    }) ? 0 : 1;
}

extern "C" int sample_register_reduced(void *stream)
{
    bool good = true;
    for (const uint32_t count : {1u, 37u, 64u}) {
        good &= holds<reduced>("reduced", stream, random_bytes(IN, count), count, [=](Bytes &out, const Bytes &from) {
            int32_t most = 0, least = 0;
            for (int32_t i = 0; i < static_cast<int32_t>(count); i++) {
                const auto value = [&](int32_t place) { return at<int32_t>(from, static_cast<size_t>(place)); };
                most = value(i) > value(most) ? i : most;
                least = value(i) < value(least) ? i : least;
            }
            std::fill(out.begin(), out.begin() + 96, uint8_t{0});
            put(out, 0, at<int32_t>(from, static_cast<size_t>(most)));
            put(out, 1, most);
            put(out, 8, at<int32_t>(from, static_cast<size_t>(least)));
            put(out, 9, least);
            put(out, 16, wrapped_sum(from, 0, count));
            for (size_t block = 0; block < 8; block++) {
                int32_t greatest = INT32_MIN, sum = 0;
                for (size_t i = 0; i < 8; i++)
                    greatest = std::max(greatest, at<int32_t>(from, block * 8 + i));
                for (size_t i = 0; i < 16; i++)
                    sum += at<int16_t>(from, block * 16 + i);
                put(out, 24 + block, wrapped_sum(from, block * 8, block * 8 + 8));
                put(out, 32 + block, greatest);
                put(out, 40 + block, sum);
            }
            for (size_t i = 0; i < 64; i++)
                put(out, 64 + i, i < 32 ? wrapped_sum(from, 2 * i, 2 * i + 2) : 0);
        });
    }
    return good ? 0 : 1;
}
#endif
