/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Reductions over the ranks: element i of the result is the sum, or the maximum, of element i of every rank.
 * And over rows that lie anywhere, each with a weight.
 *
 * The ranks are taken in order 0, 1, … n - 1, in float, and the result is rounded once, to the nearest,
 * ties to even. So it is the same bits on every rank, with any number of blocks.
 *
 * A memory of ranks, here and in mf_matmul_reduce.h, is a class with rank(), ranks(), rank_after(steps), and
 * part(rank, place), which returns the address of a place at a rank: mf::Object, with offsets as places, or
 * mf::Heap (mf_heap.h), with own addresses as places.
 *
 * UB plan of a Reducer of a type of 2 bytes: 2 x 20 KiB in, 2 x 20 KiB out, 40 KiB sum, 40 KiB of one rank as
 * float; of float: 2 x 40 KiB in, 2 x 40 KiB out, which is the sum.
 */
#ifndef MF_REDUCE_H
#define MF_REDUCE_H

#include "mf_copy.h"
#include "mf_object.h"
#include "mf_types.h"

namespace mf {

/* Operations, as kernels take them among their arguments. */
constexpr uint32_t OP_SUM = 0;
constexpr uint32_t OP_MAX = 1;

template <typename T> constexpr bool IS_FLOAT = false;
template <> constexpr bool IS_FLOAT<float> = true;

/* Sources of a reduction: the same place of each rank. */
template <typename Memory> class EachRank {
  public:
    static constexpr bool IS_WEIGHTED = false;

    __aicore__ inline EachRank(const Memory &memory, uint64_t place) : memory_(memory), place_(place) {}

    /* Number of sources, at least 1, and address of one, so many bytes from its beginning. For weighted
     * sources weight(number) is a float. */
    __aicore__ inline uint32_t count() const { return memory_.ranks(); }
    __aicore__ inline GM_ADDR at(uint32_t number, uint64_t skip) const { return memory_.part(number, place_ + skip); }

  private:
    const Memory &memory_;
    uint64_t place_;
};

/* Reduces elements of type In to elements of type T: the same, or float to any. Elements of a piece: MOST. */
template <typename T, typename In = T, uint32_t MOST = 10 * 1024> class Reducer {
  public:
    using Result = AscendC::LocalTensor<T>;

    static constexpr uint32_t BUFFERS = 2;
    static constexpr uint32_t PIECE = MOST;
    static constexpr uint32_t UB_BYTES = PIECE * (BUFFERS * (sizeof(In) + sizeof(T)) +
                                                  ((IS_FLOAT<T> ? 0 : 1) + (IS_FLOAT<In> ? 0 : 1)) * sizeof(float));
    static_assert(UB_BYTES <= UB_BUDGET, "UB plan");

    __aicore__ inline explicit Reducer(AscendC::TPipe &pipe MF_SITE_PARAM)
    {
        pipe.InitBuffer(in_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(In)) MF_SITE);
        pipe.InitBuffer(out_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(T)) MF_SITE);
        if constexpr (!IS_FLOAT<T>) {
            pipe.InitBuffer(sum_, PIECE * static_cast<uint32_t>(sizeof(float)) MF_SITE);
        }
        if constexpr (!IS_FLOAT<In>) {
            pipe.InitBuffer(wide_, PIECE * static_cast<uint32_t>(sizeof(float)) MF_SITE);
        }
    }

    /* Reduces `count` elements that lie at place `src` of every rank, into place `dst` of the own memory, or
     * of everybody's. Each piece is read from everybody before it is written: the places may be the same. */
    template <uint32_t OP, typename Memory>
    __aicore__ inline void reduce(const Memory &memory, uint64_t dst, uint64_t src, uint64_t count,
                                  bool is_for_all MF_SITE_PARAM)
    {
        const EachRank<Memory> sources(memory, src);
        for (uint64_t done = 0; done < count; done += PIECE) {
            const uint32_t now = static_cast<uint32_t>(smaller(count - done, uint64_t{PIECE}));
            Result result = piece<OP>(sources, done * sizeof(In), now MF_SITE);
            const uint32_t receivers = is_for_all ? memory.ranks() : 1;
            for (uint32_t step = 0; step < receivers; step++) {
                write(memory.part(memory.rank_after(step), dst + done * sizeof(T)), result, now MF_SITE);
            }
            end(result MF_SITE);
        }
    }

    /* Reduces `count` elements of sources to `dst`, which may be one of them. */
    template <uint32_t OP, typename Sources>
    __aicore__ inline void reduce_to(GM_ADDR dst, const Sources &sources, uint64_t count MF_SITE_PARAM)
    {
        for (uint64_t done = 0; done < count; done += PIECE) {
            const uint32_t now = static_cast<uint32_t>(smaller(count - done, uint64_t{PIECE}));
            Result result = piece<OP>(sources, done * sizeof(In), now MF_SITE);
            write(dst + done * sizeof(T), result, now MF_SITE);
            end(result MF_SITE);
        }
    }

    /* The steps of it, for kernels that write otherwise: the result of at most PIECE elements, so many bytes
     * into each source, … */
    template <uint32_t OP, typename Sources>
    __aicore__ inline Result piece(const Sources &sources, uint64_t skip, uint32_t count MF_SITE_PARAM)
    {
        Result out = out_.template AllocTensor<T>(MF_SITE_ONLY);
        Wide sum;
        if constexpr (IS_FLOAT<T>) {
            sum = out;
        } else {
            sum = sum_.template Get<float>(MF_SITE_ONLY);
        }
        for (uint32_t number = 0; number < sources.count(); number++) {
            float weight = 1;
            if constexpr (Sources::IS_WEIGHTED) {
                weight = sources.weight(number);
            }
            Tensor in = read(sources.at(number, skip), count MF_SITE);
            if (number == 0) {
                begin<Sources::IS_WEIGHTED>(sum, in, weight, count MF_SITE);
            } else {
                combine<OP, Sources::IS_WEIGHTED>(sum, in, weight, count MF_SITE);
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
    /* … which PIPE_MTE3 writes, once or more, … */
    __aicore__ inline void write(GM_ADDR dst, const Result &result, uint32_t count MF_SITE_PARAM)
    {
        AscendC::GlobalTensor<T> to;
        to.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dst), count);
        const uint32_t bytes = count * static_cast<uint32_t>(sizeof(T));
        AscendC::DataCopyPad(to, result, describe_rows<Direction::Out>(1, bytes, 0) MF_SITE);
    }
    /* … and releases its buffer afterwards. */
    __aicore__ inline void end(Result &result MF_SITE_PARAM) { out_.FreeTensor(result MF_SITE); }

  private:
    using Tensor = AscendC::LocalTensor<In>;
    using Wide = AscendC::LocalTensor<float>;

    __aicore__ inline Tensor read(GM_ADDR src, uint32_t count MF_SITE_PARAM)
    {
        AscendC::GlobalTensor<In> from;
        from.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(src), count);
        const Tensor in = in_.template AllocTensor<In>(MF_SITE_ONLY);
        const AscendC::DataCopyPadExtParams<In> unpadded{false, 0, 0, In{}};
        const uint32_t bytes = count * static_cast<uint32_t>(sizeof(In));
        AscendC::DataCopyPad(in, from, describe_rows<Direction::In>(1, bytes, 0), unpadded MF_SITE);
        in_.EnQue(in MF_SITE);
        return in_.template DeQue<In>(MF_SITE_ONLY);
    }

    template <bool IS_WEIGHTED>
    __aicore__ inline void begin(const Wide &sum, const Tensor &in, float weight, uint32_t count MF_SITE_PARAM)
    {
        if constexpr (IS_FLOAT<In>) {
            /* Of these elements alone, unlike a copy of whole blocks; an addition of 0 would not keep the
             * sign of -0. */
            AscendC::Muls(sum, in, weight, static_cast<int32_t>(count) MF_SITE);
        } else {
            AscendC::Cast(sum, in, AscendC::RoundMode::CAST_NONE, count MF_SITE);
            if constexpr (IS_WEIGHTED) {
                /* The elements, which were just written, are read. */
                AscendC::PipeBarrier<PIPE_V>();
                AscendC::Muls(sum, sum, weight, static_cast<int32_t>(count) MF_SITE);
            }
        }
    }

    template <uint32_t OP, bool IS_WEIGHTED>
    __aicore__ inline void combine(const Wide &sum, const Tensor &in, float weight, uint32_t count MF_SITE_PARAM)
    {
        Wide wide;
        if constexpr (IS_FLOAT<In>) {
            wide = in;
        } else {
            wide = wide_.template Get<float>(MF_SITE_ONLY);
            AscendC::Cast(wide, in, AscendC::RoundMode::CAST_NONE, count MF_SITE);
        }
        if constexpr (IS_WEIGHTED) {
            if constexpr (!IS_FLOAT<In>) {
                /* The same. */
                AscendC::PipeBarrier<PIPE_V>();
            }
            AscendC::Muls(wide, wide, weight, static_cast<int32_t>(count) MF_SITE);
        }
        /* This source's elements, and the sum up to the source before, are read. */
        AscendC::PipeBarrier<PIPE_V>();
        if constexpr (OP == OP_SUM) {
            AscendC::Add(sum, sum, wide, static_cast<int32_t>(count) MF_SITE);
        } else {
            AscendC::Max(sum, sum, wide, static_cast<int32_t>(count) MF_SITE);
        }
    }

    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> sum_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> wide_;
};

/* As Reducer::reduce, with type and operation chosen at run time. Ends the kernel for unknown ones. */
template <typename T, typename Memory>
__aicore__ inline void reduce_as(const Memory &memory, uint64_t dst, uint64_t src, uint64_t count, uint32_t op,
                                 bool is_for_all MF_SITE_PARAM)
{
    AscendC::TPipe pipe;
    Reducer<T> reducer(pipe MF_SITE);
    if (op == OP_SUM) {
        reducer.template reduce<OP_SUM>(memory, dst, src, count, is_for_all MF_SITE);
    } else {
        reducer.template reduce<OP_MAX>(memory, dst, src, count, is_for_all MF_SITE);
    }
}
template <typename Memory>
__aicore__ inline void reduce(const Memory &memory, uint64_t dst, uint64_t src, uint64_t count, uint32_t type,
                              uint32_t op, bool is_for_all MF_SITE_PARAM)
{
    if (type_bytes(type) == 0 || op > OP_MAX) {
        MF_TRAP("there is no reduction of type %u with operation %u: types are 0 (fp16), 1 (bf16), 2 (fp32), operations 0 "
                "(sum), 1 (max)",
                type, op);
    }
    if (type == TYPE_F16) {
        reduce_as<half>(memory, dst, src, count, op, is_for_all MF_SITE);
    } else if (type == TYPE_BF16) {
        reduce_as<bfloat16_t>(memory, dst, src, count, op, is_for_all MF_SITE);
    } else {
        reduce_as<float>(memory, dst, src, count, op, is_for_all MF_SITE);
    }
}

} // namespace mf

#endif
