// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "mf_barrier.h"

// Floats in a piece: it is read while the previous one is computed and written.
constexpr uint32_t PIECE = 4096;
// UB plan: 2 x 16 KiB in, 2 x 16 KiB out.
static_assert(4 * PIECE * sizeof(float) <= mf::UB_BUDGET, "UB plan");

// Every rank sends `count` floats of its part of object `id`, at src_offset, times `factor`, to dst_offset in
// the part of the next rank. All ranks launch it with the same numbers, with any number of blocks up to the
// cores. It ends when all parts are there.
extern "C" __global__ __aicore__ void scaled_shift(uint32_t id, uint64_t dst_offset, uint64_t src_offset, uint32_t count,
                                                   float factor)
{
    MF_KERNEL_VECTOR();
    const mf::Object object(id);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, PIECE * sizeof(float));
    pipe.InitBuffer(out, 2, PIECE * sizeof(float));

    AscendC::GlobalTensor<float> mine, theirs;
    mine.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(object.part(object.rank(), src_offset)), count);
    theirs.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(object.part(object.rank_after(1), dst_offset)), count);

    const uint32_t step = PIECE * static_cast<uint32_t>(AscendC::GetBlockNum());
    for (uint32_t at = PIECE * static_cast<uint32_t>(AscendC::GetBlockIdx()); at < count; at += step) {
        const uint32_t now = mf::smaller(count - at, PIECE);
        const AscendC::DataCopyExtParams row{1, static_cast<uint32_t>(now * sizeof(float)), 0, 0, 0};

        AscendC::LocalTensor<float> x = in.AllocTensor<float>();
        AscendC::DataCopyPad(x, mine[at], row, AscendC::DataCopyPadExtParams<float>{false, 0, 0, 0});
        in.EnQue(x);
        x = in.DeQue<float>();

        AscendC::LocalTensor<float> y = out.AllocTensor<float>();
        AscendC::Muls(y, x, factor, static_cast<int32_t>(now));
        in.FreeTensor(x);
        out.EnQue(y);
        y = out.DeQue<float>();

        AscendC::DataCopyPad(theirs[at], y, row);
        out.FreeTensor(y);
    }
    mf::barrier_at_end(object);
}
MF_KERNEL(scaled_shift, uint32_t, uint64_t, uint64_t, uint32_t, float)
