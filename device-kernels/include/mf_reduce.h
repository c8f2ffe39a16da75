/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Reductions over the ranks of an object: element i of the result is the sum, or the maximum, of element i of
 * every rank.
 *
 * The ranks are taken in order 0, 1, … n - 1, in float, and the result is rounded once, to the nearest, ties
 * to even. So it is the same bits on every rank, with any number of blocks.
 *
 * UB plan of a Reducer of a type of 2 bytes: 2 x 20 KiB in, 2 x 20 KiB out, 40 KiB sum, 40 KiB of one rank as
 * float; of float: 2 x 40 KiB in, 2 x 40 KiB out, which is the sum.
 */
#ifndef MF_REDUCE_H
#define MF_REDUCE_H

#include "mf_copy.h"
#include "mf_object.h"

namespace mf {

/* Element types and operations, as kernels take them among their arguments. */
constexpr uint32_t TYPE_F16 = 0;
constexpr uint32_t TYPE_BF16 = 1;
constexpr uint32_t TYPE_F32 = 2;
constexpr uint32_t OP_SUM = 0;
constexpr uint32_t OP_MAX = 1;

/* Bytes of an element; 0: there is no such type. */
__aicore__ inline uint32_t type_bytes(uint32_t type)
{
    return type == TYPE_F32 ? 4U : type <= TYPE_BF16 ? 2U : 0U;
}

template <typename T> constexpr bool IS_FLOAT = false;
template <> constexpr bool IS_FLOAT<float> = true;

template <typename T> class Reducer {
  public:
    static constexpr uint32_t BUFFERS = 2;
    static constexpr uint32_t PIECE = 10 * 1024; /* elements */
    static constexpr uint32_t UB_BYTES =
        2 * BUFFERS * PIECE * sizeof(T) + (IS_FLOAT<T> ? 0 : 2 * PIECE * sizeof(float));
    static_assert(UB_BYTES <= UB_BUDGET, "UB plan");

    __aicore__ inline explicit Reducer(AscendC::TPipe &pipe MF_SITE_PARAM)
    {
        pipe.InitBuffer(in_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(T)) MF_SITE);
        pipe.InitBuffer(out_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(T)) MF_SITE);
        if constexpr (!IS_FLOAT<T>) {
            pipe.InitBuffer(sum_, PIECE * static_cast<uint32_t>(sizeof(float)) MF_SITE);
            pipe.InitBuffer(wide_, PIECE * static_cast<uint32_t>(sizeof(float)) MF_SITE);
        }
    }

    /* Reduces `count` elements that lie at src_offset of every rank's part, into dst_offset of the own
     * part, or of all parts. Each piece is read from everybody before it is written: the offsets may be
     * the same. */
    template <uint32_t OP>
    __aicore__ inline void reduce(const Object &object, uint64_t dst_offset, uint64_t src_offset, uint64_t count,
                                  bool is_for_all MF_SITE_PARAM)
    {
        for (uint64_t done = 0; done < count; done += PIECE) {
            const uint32_t now = static_cast<uint32_t>(smaller(count - done, uint64_t{PIECE}));
            const uint64_t offset = done * sizeof(T);
            Tensor result = reduce_piece<OP>(object, src_offset + offset, now MF_SITE);
            const uint32_t receivers = is_for_all ? object.ranks() : 1;
            for (uint32_t step = 0; step < receivers; step++) {
                AscendC::GlobalTensor<T> to;
                to.SetGlobalBuffer(
                    reinterpret_cast<__gm__ T *>(object.part(object.rank_after(step), dst_offset + offset)), now);
                AscendC::DataCopyPad(to, result, describe_rows<Direction::Out>(1, bytes_of(now), 0) MF_SITE);
            }
            out_.FreeTensor(result MF_SITE);
        }
    }

  private:
    using Tensor = AscendC::LocalTensor<T>;
    using Wide = AscendC::LocalTensor<float>;

    __aicore__ static inline uint32_t bytes_of(uint32_t elements)
    {
        return elements * static_cast<uint32_t>(sizeof(T));
    }

    template <uint32_t OP>
    __aicore__ inline Tensor reduce_piece(const Object &object, uint64_t src_offset, uint32_t count MF_SITE_PARAM)
    {
        Tensor out = out_.template AllocTensor<T>(MF_SITE_ONLY);
        Wide sum;
        if constexpr (IS_FLOAT<T>) {
            sum = out;
        } else {
            sum = sum_.template Get<float>(MF_SITE_ONLY);
        }
        for (uint32_t rank = 0; rank < object.ranks(); rank++) {
            Tensor in = read(object.part(rank, src_offset), count MF_SITE);
            if (rank == 0) {
                begin(sum, in, count MF_SITE);
            } else {
                combine<OP>(sum, in, count MF_SITE);
            }
            in_.FreeTensor(in MF_SITE);
        }
        if constexpr (!IS_FLOAT<T>) {
            /* The sum, which was just written, is read. */
            AscendC::PipeBarrier<PIPE_V>();
            AscendC::Cast(out, sum, AscendC::RoundMode::CAST_RINT, count MF_SITE);
        }
        out_.EnQue(out MF_SITE);
        return out_.template DeQue<T>(MF_SITE_ONLY);
    }

    __aicore__ inline Tensor read(GM_ADDR src, uint32_t count MF_SITE_PARAM)
    {
        AscendC::GlobalTensor<T> from;
        from.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(src), count);
        const Tensor in = in_.template AllocTensor<T>(MF_SITE_ONLY);
        const AscendC::DataCopyPadExtParams<T> unpadded{false, 0, 0, T{}};
        AscendC::DataCopyPad(in, from, describe_rows<Direction::In>(1, bytes_of(count), 0), unpadded MF_SITE);
        in_.EnQue(in MF_SITE);
        return in_.template DeQue<T>(MF_SITE_ONLY);
    }

    __aicore__ inline void begin(const Wide &sum, const Tensor &in, uint32_t count MF_SITE_PARAM)
    {
        if constexpr (IS_FLOAT<T>) {
            /* Of these elements alone, unlike a copy of whole blocks; an addition of 0 would not keep the
             * sign of -0. */
            AscendC::Muls(sum, in, 1.0F, static_cast<int32_t>(count) MF_SITE);
        } else {
            AscendC::Cast(sum, in, AscendC::RoundMode::CAST_NONE, count MF_SITE);
        }
    }

    template <uint32_t OP>
    __aicore__ inline void combine(const Wide &sum, const Tensor &in, uint32_t count MF_SITE_PARAM)
    {
        if constexpr (IS_FLOAT<T>) {
            /* The sum, which the rank before wrote, is read. */
            AscendC::PipeBarrier<PIPE_V>();
            apply<OP>(sum, in, count MF_SITE);
        } else {
            Wide wide = wide_.template Get<float>(MF_SITE_ONLY);
            AscendC::Cast(wide, in, AscendC::RoundMode::CAST_NONE, count MF_SITE);
            /* This rank's elements, and the sum up to the rank before, are read. */
            AscendC::PipeBarrier<PIPE_V>();
            apply<OP>(sum, wide, count MF_SITE);
        }
    }

    template <uint32_t OP>
    __aicore__ static inline void apply(const Wide &sum, const Wide &more, uint32_t count MF_SITE_PARAM)
    {
        if constexpr (OP == OP_SUM) {
            AscendC::Add(sum, sum, more, static_cast<int32_t>(count) MF_SITE);
        } else {
            AscendC::Max(sum, sum, more, static_cast<int32_t>(count) MF_SITE);
        }
    }

    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> sum_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> wide_;
};

/* As Reducer::reduce, with type and operation known only now. Ends the kernel where there are none such. */
template <typename T>
__aicore__ inline void reduce_as(const Object &object, uint64_t dst_offset, uint64_t src_offset, uint64_t count,
                                 uint32_t op, bool is_for_all MF_SITE_PARAM)
{
    AscendC::TPipe pipe;
    Reducer<T> reducer(pipe MF_SITE);
    if (op == OP_SUM) {
        reducer.template reduce<OP_SUM>(object, dst_offset, src_offset, count, is_for_all MF_SITE);
    } else {
        reducer.template reduce<OP_MAX>(object, dst_offset, src_offset, count, is_for_all MF_SITE);
    }
}
__aicore__ inline void reduce(const Object &object, uint64_t dst_offset, uint64_t src_offset, uint64_t count,
                              uint32_t type, uint32_t op, bool is_for_all MF_SITE_PARAM)
{
    if (type_bytes(type) == 0 || op > OP_MAX) {
        MF_TRAP("there is no reduction of type %u with operation %u: types are 0 (fp16), 1 (bf16), 2 (fp32), operations 0 "
                "(sum), 1 (max)",
                type, op);
    }
    if (type == TYPE_F16) {
        reduce_as<half>(object, dst_offset, src_offset, count, op, is_for_all MF_SITE);
    } else if (type == TYPE_BF16) {
        reduce_as<bfloat16_t>(object, dst_offset, src_offset, count, op, is_for_all MF_SITE);
    } else {
        reduce_as<float>(object, dst_offset, src_offset, count, op, is_for_all MF_SITE);
    }
}

} // namespace mf

#endif
