// SPDX-License-Identifier: Apache-2.0 OR MIT
// Register functions of the 950 that break an order or a rule, or keep it, one a number.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

using Floats = __ubuf__ float *;
using Words = __ubuf__ uint32_t *;

__simd_vf__ inline void doubled(Floats to, Floats from)
{
    Reg::RegTensor<float> reg;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign(reg, from);
    Reg::Add(reg, reg, reg, all);
    Reg::StoreAlign(to, reg, all);
}

__simd_vf__ inline void gathered(Floats to, Floats from, Words places)
{
    Reg::RegTensor<float> reg;
    Reg::RegTensor<uint32_t> index;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign(index, places);
    Reg::Gather(reg, from, index, all);
    Reg::StoreAlign(to, reg, all);
}

__simd_vf__ inline void scattered(Floats to, Floats from, Words places)
{
    Reg::RegTensor<float> reg;
    Reg::RegTensor<uint32_t> index;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign(index, places);
    Reg::LoadAlign(reg, from);
    Reg::Scatter(to, reg, index, all);
}

// Elements that are not 0 stay, the others become 3.
__simd_vf__ inline void compared(Floats to, Floats from)
{
    Reg::RegTensor<float> reg;
    Reg::MaskReg all = Reg::CreateMask<float>(), mask;
    Reg::LoadAlign(reg, from);
    Reg::Compares<float, CMPMODE::NE>(mask, reg, 0.0f, all);
    Reg::StoreAlign(to, reg, mask);
}

template <bool IS_ORDERED> __simd_vf__ inline void stored_and_loaded(Floats to, Floats from)
{
    Reg::RegTensor<float> reg, other;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign(reg, from);
    Reg::StoreAlign(to, reg, all);
    if (IS_ORDERED)
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
    Reg::LoadAlign(other, to);
    Reg::StoreAlign(from, other, all);
}

template <int MISTAKE> __simd_vf__ inline void unaligned(Floats to, Floats from)
{
    Reg::RegTensor<float> reg;
    Reg::UnalignRegForLoad load;
    Reg::UnalignRegForStore store;
    if (MISTAKE != 0)
        Reg::LoadUnAlignPre(load, from);
    Reg::LoadUnAlign(reg, load, from + 1);
    Reg::StoreUnAlign(to, reg, store, 3u);
    if (MISTAKE == 1)
        to += 8;
    Reg::StoreUnAlign(to, reg, store, 3u);
    Reg::StoreUnAlignPost(to, store, 0);
}

template <Reg::LoadDist DIST> __simd_vf__ inline void misplaced(Floats to, Floats from)
{
    Reg::RegTensor<float> reg;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::LoadAlign<float, DIST>(reg, from + 1);
    Reg::StoreAlign(to, reg, all);
}

// 64 elements at 0, their doubles at 1024, other elements at 2048, indexes at 4096.
struct Parts {
    GlobalTensor<float> in, out;
    GlobalTensor<uint32_t> places;
    LocalTensor<float> from, to, other;
    LocalTensor<uint32_t> index;

    explicit Parts(GM_ADDR memory)
        : from(TPosition::VECIN, 0, 64), to(TPosition::VECOUT, 1024, 64), other(TPosition::VECIN, 2048, 64), index(TPosition::VECIN, 4096, 64)
    {
        in.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 64);
        out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory) + 64, 64);
        places.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory) + 128, 64);
    }
    Floats place_of(const LocalTensor<float> &tensor) const { return reinterpret_cast<Floats>(tensor.GetPhyAddr()); }
    Words words() const { return reinterpret_cast<Words>(index.GetPhyAddr()); }
};

void ready(int id)
{
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
}
void done()
{
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
}

} // namespace

extern "C" __global__ __aicore__ void called(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    Parts p(memory);
    DataCopy(p.from, p.in, 64);
    if (which != 0)
        ready(0);
    asc_vf_call<doubled>(p.place_of(p.to), p.place_of(p.from));
    if (which != 1)
        done();
    DataCopy(p.out, p.to, 64);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(called, GM_ADDR, uint32_t)

// The indexes lead to the elements at 0, or to those at 2048, which arrive at the same time.
extern "C" __global__ __aicore__ void indexed(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    Parts p(memory);
    DataCopy(p.from, p.in, 64);
    DataCopy(p.index, p.places, 64);
    if (which == 4) {
        // Set only after the call.
        WaitFlag<HardEvent::MTE2_V>(0);
        asc_vf_call<gathered>(p.place_of(p.to), p.place_of(p.from), p.words());
        SetFlag<HardEvent::MTE2_V>(0);
    } else {
        ready(0);
        DataCopy(p.other, p.in, 64);
        if (which == 3)
            asc_vf_call<scattered>(p.place_of(p.from), p.place_of(p.from), p.words());
        else
            asc_vf_call<gathered>(p.place_of(p.to), p.place_of(p.from), p.words());
    }
    if (which == 3)
        Duplicate(p.to, 1.0f, 64);
    done();
    DataCopy(p.out, p.to, 64);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(indexed, GM_ADDR, uint32_t)

// Only the elements that a comparison chooses are written: the others are fresh memory.
extern "C" __global__ __aicore__ void masked(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    Parts p(memory);
    DataCopy(p.from, p.in, 64);
    ready(0);
    if (which != 0)
        Duplicate(p.to, 3.0f, 64);
    asc_vf_call<compared>(p.place_of(p.to), p.place_of(p.from));
    done();
    DataCopy(p.out, p.to, 64);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(masked, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void within(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    Parts p(memory);
    DataCopy(p.from, p.in, 64);
    DataCopy(p.to, p.in, 64);
    ready(0);
    const Floats to = p.place_of(p.to), from = p.place_of(p.from);
    switch (which) {
    case 0:
        asc_vf_call<stored_and_loaded<false>>(to, from);
        break;
    case 1:
        asc_vf_call<unaligned<0>>(to, from);
        break;
    case 2:
        asc_vf_call<unaligned<1>>(to, from);
        break;
    case 3:
        asc_vf_call<misplaced<Reg::LoadDist::DIST_NORM>>(to, from);
        break;
    case 4:
        asc_vf_call<misplaced<Reg::LoadDist::DIST_BRC_B32>>(to, from);
        break;
    case 5:
        asc_vf_call<unaligned<2>>(to, from);
        break;
    default:
        asc_vf_call<stored_and_loaded<true>>(to, from);
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(within, GM_ADDR, uint32_t)

// A block of register code in the kernel, over local variables.
extern "C" __global__ __aicore__ void blocks(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    Parts p(memory);
    DataCopy(p.from, p.in, 64);
    if (which > 1)
        ready(0);
    if (which == 1)
        WaitFlag<HardEvent::MTE2_V>(0);
    __local_mem__ float *from = p.place_of(p.from), *to = p.place_of(p.to);
    uint32_t left = 64;
    __VEC_SCOPE__
    {
        MicroAPI::RegTensor<float> reg;
        for (uint16_t i = 0; i < 1; i++) {
            MicroAPI::MaskReg mask = MicroAPI::UpdateMask<float>(left);
            MicroAPI::DataCopy<float, MicroAPI::PostLiteral::POST_MODE_UPDATE>(reg, from, 64);
            MicroAPI::Muls(reg, reg, 3.0f, mask);
            MicroAPI::DataCopy<float, MicroAPI::PostLiteral::POST_MODE_UPDATE>(to, reg, 64, mask);
        }
    }
    if (which == 1)
        SetFlag<HardEvent::MTE2_V>(0);
    if (left != 0)
        Trap();
    if (which != 2)
        done();
    DataCopy(p.out, p.to, 64);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(blocks, GM_ADDR, uint32_t)
