// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: axes of length 1 become longer.
#pragma once

#include "library_operands.h"

namespace AscendC {

// Made by GetBroadcastTilingInfo. Strides in elements; 0 along an axis that becomes longer.
struct BroadcastTiling {
    uint32_t oriRank;
    uint32_t rank;
    uint32_t dstSize;
    uint32_t srcSize;
    uint32_t loopNum = 0;
    uint32_t oriSrcShape[9];
    uint32_t oriDstShape[9];
    uint32_t dstShape[9];
    uint32_t dstStride[9];
    uint32_t srcStride[10];
};

} // namespace AscendC

namespace mf::emulation {

template <typename T>
inline void broadcast(const Call &call, const LocalRange &dst, const LocalRange &src, const AscendC::BroadcastTiling &plan) {
    if (plan.dstSize == 0) return;
    Touched(call)
        .add("srcLocal", Mode::Read, src, uint64_t{plan.srcSize} * sizeof(T))
        .add("dstLocal", Mode::Write, dst, uint64_t{plan.dstSize} * sizeof(T))
        .run([=] {
            for (uint32_t i = 0; i < plan.dstSize; ++i) {
                uint64_t from = 0;
                for (uint32_t axis = 0; axis < plan.rank; ++axis)
                    from += uint64_t{i / plan.dstStride[axis] % plan.dstShape[axis]} * plan.srcStride[axis];
                std::memcpy(local(Space::Ub, dst.offset + uint64_t{i} * sizeof(T)),
                            local(Space::Ub, src.offset + from * sizeof(T)), sizeof(T));
            }
        });
}

// `pads`: rows of the source in memory are whole blocks of 32 bytes.
template <typename T>
inline AscendC::BroadcastTiling broadcast_plan(Site at, uint32_t rank, const uint32_t dst[], const uint32_t src[], bool pads) {
    if (rank < 1 || rank > 9) fault("K6", at, "Broadcast: there are %u dimensions; 1 to 9 are possible", rank);
    AscendC::BroadcastTiling plan = {};
    plan.oriRank = plan.rank = rank;
    uint32_t to = 1, from = 1, last = 0;
    for (uint32_t axis = rank; axis-- > 0;) {
        if (src[axis] != dst[axis] && src[axis] != 1)
            fault("K6", at, "Broadcast: along axis %u the source has %u elements, which are neither 1 nor the %u of the result",
                  axis, src[axis], dst[axis]);
        plan.oriSrcShape[axis] = src[axis];
        plan.oriDstShape[axis] = plan.dstShape[axis] = dst[axis];
        plan.dstStride[axis] = to;
        plan.srcStride[axis] = src[axis] == 1 ? 0 : from;
        last += src[axis] == 0 ? 0 : (src[axis] - 1) * from;
        to *= dst[axis];
        from *= pads && axis == rank - 1 ? padded_row<T>(src[axis]) : src[axis];
    }
    plan.dstSize = to;
    plan.srcSize = to == 0 ? 0 : last + 1;
    return plan;
}

} // namespace mf::emulation

namespace AscendC {

// One axis of one or two. Along the first of two, rows are whole blocks of 32 bytes.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void Broadcast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
                                 const uint32_t srcShape[dim], mf::emulation::Site at = MF_HERE) {
    static_assert((dim == 1 || dim == 2) && axis >= 0 && axis < dim, "Broadcast is of one or two dimensions");
    static_assert(sizeof(T) == 1 || mf::emulation::is_real<T> || mf::emulation::IS_950,
                  "Broadcast is for types of a byte, half and float");
    for (int32_t i = 0; i < dim; ++i)
        if (i == axis ? srcShape[i] != 1 : srcShape[i] != dstShape[i])
            mf::emulation::fault("K6", at, "Broadcast: the source has not length 1 along axis %d alone", axis);
    if (dim == 2 && axis == 0 && uint64_t{dstShape[dim - 1]} * sizeof(T) % 32 != 0)
        mf::emulation::fault("K6", at, "Broadcast: rows are %u elements, must be a multiple of 32 bytes", dstShape[dim - 1]);
    mf::emulation::broadcast<T>({"Broadcast", at}, dstLocal, srcLocal,
                                mf::emulation::broadcast_plan<T>(at, dim, dstShape, srcShape, false));
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void Broadcast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
                                 const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer,
                                 mf::emulation::Site at = MF_HERE) {
    (void)sharedTmpBuffer;
    Broadcast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape, at);
}
// Its older name.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void BroadCast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
                                 const uint32_t srcShape[dim], mf::emulation::Site at = MF_HERE) {
    Broadcast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape, at);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
__aicore__ inline void BroadCast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
                                 const uint32_t srcShape[dim], LocalTensor<uint8_t> &, mf::emulation::Site at = MF_HERE) {
    Broadcast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape, at);
}

// Up to nine axes, on the 950: by a plan, which is made of the same shapes before.
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr, uint32_t *constSrcShape = nullptr>
__aicore__ inline void GetBroadcastTilingInfo(uint32_t rank, const uint32_t *dstShape, const uint32_t *srcShape,
                                              bool srcInnerPad, BroadcastTiling &tiling, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_on_950<T>, "Broadcast by a tiling is on the 950 alone: A2 and A3 have none");
    tiling = mf::emulation::broadcast_plan<T>(at, rank, dstShape, srcShape, srcInnerPad);
}
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr, uint32_t *constSrcShape = nullptr,
          bool constSrcInnerPad = false>
__aicore__ inline void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t *, const uint32_t *,
                                 BroadcastTiling *tiling, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_on_950<T>, "Broadcast by a tiling is on the 950 alone: A2 and A3 have none");
    mf::emulation::broadcast<T>({"Broadcast", at}, dst, src, *tiling);
}

} // namespace AscendC
