// SPDX-License-Identifier: Apache-2.0 OR MIT
// Masks of the 950 that are loaded and stored, and fills of types of 8 and 64 bits.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

using Words = __ubuf__ uint32_t *;

// 32 bytes a form, two of its own where the address goes on.
__simd_vf__ inline void masks(Words to, Words from)
{
    Reg::MaskReg mask;
    Reg::LoadAlign(mask, from);
    Reg::StoreAlign(to, mask);
    Reg::LoadAlign<uint32_t, Reg::MaskDist::DIST_US>(mask, from);
    Reg::StoreAlign(to + 8, mask);
    Words next = from, behind = to + 16;
    Reg::LoadAlign<uint32_t, Reg::PostLiteral::POST_MODE_UPDATE, Reg::MaskDist::DIST_DS>(mask, next, 8);
    Reg::StoreAlign<uint32_t, Reg::PostLiteral::POST_MODE_UPDATE>(behind, mask, 8);
    Reg::LoadAlign(mask, next);
    Reg::StoreAlign<uint32_t, Reg::MaskDist::DIST_PACK>(behind, mask);
}

constexpr Reg::CastTrait TO_FP8 = {Reg::RegLayout::ZERO, Reg::SatMode::SAT, Reg::MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
constexpr Reg::CastTrait BEYOND = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, RoundMode::CAST_RINT};

// Floats as fp8 and as float again, for each format, saturated and not.
template <typename T, const Reg::CastTrait &trait> __aicore__ inline void small(__ubuf__ float *to, __ubuf__ float *from)
{
    Reg::RegTensor<float> numbers;
    Reg::RegTensor<T> cast;
    Reg::MaskReg all = Reg::CreateMask<float>(), bytes = Reg::CreateMask<uint8_t>();
    Reg::LoadAlign(numbers, from);
    Reg::Cast<T, float, trait>(cast, numbers, all);
    Reg::Cast<float, T, TO_FP8>(numbers, cast, bytes);
    Reg::StoreAlign(to, numbers, all);
}
__simd_vf__ inline void smalls(__ubuf__ float *to, __ubuf__ float *from)
{
    small<fp8_e4m3fn_t, TO_FP8>(to, from);
    small<fp8_e5m2_t, TO_FP8>(to + 64, from);
    small<fp8_e4m3fn_t, BEYOND>(to + 128, from);
    small<fp8_e5m2_t, BEYOND>(to + 192, from);
}

} // namespace

// 64 numbers in, four times as many out.
extern "C" __global__ __aicore__ void cast(GM_ADDR out, GM_ADDR in)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> from, to;
    pipe.InitBuffer(from, 256);
    pipe.InitBuffer(to, 1024);
    GlobalTensor<float> source, result;
    source.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(in), 64);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out), 256);
    DataCopy(from.Get<float>(), source, 64);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    asc_vf_call<smalls>(reinterpret_cast<__ubuf__ float *>(to.Get<float>().GetPhyAddr()),
                        reinterpret_cast<__ubuf__ float *>(from.Get<float>().GetPhyAddr()));
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(result, to.Get<float>(), 256);
}
MF_KERNEL(cast, GM_ADDR, GM_ADDR)

// 64 bytes in, 128 bytes out, the last 16 of them as they were.
extern "C" __global__ __aicore__ void masked(GM_ADDR out, GM_ADDR in)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> from, to;
    pipe.InitBuffer(from, 64);
    pipe.InitBuffer(to, 128);
    GlobalTensor<uint32_t> source, result;
    source.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(in), 16);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(out), 32);
    DataCopy(from.Get<uint32_t>(), source, 16);
    DataCopy(to.Get<uint32_t>(), result, 32);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    asc_vf_call<masks>(reinterpret_cast<Words>(to.Get<uint32_t>().GetPhyAddr()),
                       reinterpret_cast<Words>(from.Get<uint32_t>().GetPhyAddr()));
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(result, to.Get<uint32_t>(), 32);
}
MF_KERNEL(masked, GM_ADDR, GM_ADDR)

// 64 bytes of 7, 32 times a number of 64 bits, and it again 4 times.
extern "C" __global__ __aicore__ void filled(GM_ADDR out)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 352);
    const LocalTensor<uint8_t> bytes = buffer.Get<uint8_t>();
    const LocalTensor<int64_t> wide = bytes[64].ReinterpretCast<int64_t>();
    Duplicate(bytes, uint8_t{7}, 64);
    Duplicate(wide, int64_t{-5}, uint64_t{32}, 1, 1, 8);
    Duplicate(wide[32], wide, 4);
    GlobalTensor<uint8_t> result;
    result.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(out), 352);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(result, bytes, 352);
}
MF_KERNEL(filled, GM_ADDR)
