// SPDX-License-Identifier: Apache-2.0 OR MIT
// Soft maxima of 4 rows of 16 numbers, in pieces of 8 columns, and their gradients.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t ROWS = 4, PIECE = 8;
constexpr SoftmaxConfig ONE_EACH = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
constexpr uint32_t TENSOR = ROWS * PIECE; // elements

} // namespace

// out: exp of the second piece, sums, maxima, factors; then the second piece over the sum, and two gradients.
extern "C" __global__ __aicore__ void flash(GM_ADDR out, GM_ADDR in, uint32_t one_each)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 12 * TENSOR * sizeof(float));
    LocalTensor<float> part[12];
    for (uint32_t i = 0; i < 12; i++) {
        part[i] = buffer.Get<float>()[i * TENSOR];
    }
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(in), 2 * TENSOR);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out), 7 * TENSOR);
    DataCopy(part[0], from, 2 * TENSOR);
    Duplicate(part[2], -1.0F, 10 * TENSOR);
    PipeBarrier<PIPE_ALL>();
    SoftMaxTiling tiling;
    const SoftMaxShapeInfo shape = {ROWS, PIECE, ROWS, PIECE};
    if (one_each != 0) {
        SoftmaxFlashV2<float, false, false, false, false, ONE_EACH>(part[2], part[3], part[4], part[0], part[5], part[3],
                                                                    part[4], tiling, shape);
        PipeBarrier<PIPE_V>();
        SoftmaxFlashV2<float, true, false, false, false, ONE_EACH>(part[2], part[3], part[4], part[1], part[5], part[3],
                                                                   part[4], tiling, shape);
    } else {
        SoftmaxFlashV2<float>(part[2], part[3], part[4], part[0], part[5], part[3], part[4], tiling, shape);
        PipeBarrier<PIPE_V>();
        SoftmaxFlashV2<float, true>(part[2], part[3], part[4], part[1], part[5], part[3], part[4], part[11].ReinterpretCast<uint8_t>(),
                                    tiling, shape);
        PipeBarrier<PIPE_V>();
        SimpleSoftMax<float>(part[6], part[3], part[4], part[1], tiling, shape);
        SoftmaxGrad<float>(part[7], part[0], part[1], tiling, false, shape);
        SoftmaxGradFront<float>(part[8], part[0], part[1], tiling, shape);
    }
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(to, part[2], 7 * TENSOR);
}
MF_KERNEL(flash, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void mistake(GM_ADDR, uint32_t which)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    const LocalTensor<float> all = buffer.Get<float>();
    Duplicate(all, 0.0F, 128);
    if (which != 0) {
        PipeBarrier<PIPE_V>();
    }
    // Two rows of 8 need 64 bytes of sums.
    SoftmaxFlashV2<float>(all, which == 1 ? all[120] : all[16], all[32], all, all, all, all, SoftMaxTiling(), {2, 8, 2, 8});
}
MF_KERNEL(mistake, GM_ADDR, uint32_t)
