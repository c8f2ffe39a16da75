// SPDX-License-Identifier: Apache-2.0 OR MIT
// The device's half of samples that apply one call to two operands: copies in, the call, a copy out.
#pragma once

#include "kernel_operator.h"

namespace operands {

constexpr uint32_t COUNT = 512; // elements
constexpr uint32_t AREA = 4096; // bytes of each operand

template <AscendC::HardEvent EVENT> __aicore__ inline void order()
{
    AscendC::SetFlag<EVENT>(EVENT_ID0);
    AscendC::WaitFlag<EVENT>(EVENT_ID0);
}

// Result of OP on two operands, in a field with the contents of `out`.
template <typename T, typename TO, typename OP> __aicore__ inline void apply(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    using namespace AscendC;
    InitSocState();
    const LocalTensor<T> first(TPosition::VECIN, 0, COUNT), second(TPosition::VECIN, AREA, COUNT);
    LocalTensor<TO> result(TPosition::VECOUT, 2 * AREA, COUNT);
    LocalTensor<uint8_t> space(TPosition::VECCALC, 4 * AREA, 4 * AREA);
    GlobalTensor<T> from0, from1;
    GlobalTensor<TO> to;
    from0.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(a), COUNT);
    from1.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(b), COUNT);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ TO *>(out), COUNT);
    DataCopy(first, from0, COUNT);
    DataCopy(second, from1, COUNT);
    DataCopy(result, to, COUNT);
    order<HardEvent::MTE2_V>();
    OP::run(result, first, second, space);
    order<HardEvent::V_MTE3>();
    DataCopy(to, result, COUNT);
    PipeBarrier<PIPE_ALL>();
}

} // namespace operands
