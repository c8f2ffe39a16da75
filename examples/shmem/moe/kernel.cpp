// SPDX-License-Identifier: Apache-2.0 OR MIT
// A mixture of experts that are spread over the PEs, as many on each, in order. Every token has chosen `top`
// experts, with a weight each:
//
//   moe_dispatch   sends each token to the PEs of its experts; a PE has then a row for each choice that
//                  others made of its experts, by expert, by PE, in the order of the choices
//   moe_experts    what experts do with their rows; here expert e multiplies by 1 + e / 4
//   moe_combine    fetches a token's rows from where they are, and adds them up, times their weights: in the
//                  order of the choices, in float, rounded once
//
// Places of rows follow from the number of choices of each expert by each PE. Every PE counts its own, and
// the counts go to all: row s of the symmetric `counts` belongs to PE s, an int32_t for each expert.
#include "shmem.h"

#include "mf_heap.h"
#include "mf_reduce.h"

namespace {

constexpr uint32_t MOST_EXPERTS = 1024;
constexpr uint32_t MOST_CHOICES = 16; // of a token
// The unified buffer while rows are sent: numbers of this file, then what copies are staged in.
constexpr uint32_t NUMBERS_BYTES = MOST_EXPERTS * sizeof(int32_t);
constexpr uint32_t STAGING_BYTES = 128 * 1024;
static_assert(NUMBERS_BYTES + STAGING_BYTES <= mf::UB_BUDGET, "UB plan");

// Routing table. `choices` is `top` numbers of experts for each token.
struct Routing {
    GM_ADDR choices;
    GM_ADDR counts;
    uint32_t tokens;
    uint32_t top;
    uint32_t experts;
    uint32_t room; // rows that a PE can take

    __aicore__ inline uint32_t all() const { return tokens * top; }
    __aicore__ inline uint32_t experts_each() const { return experts / static_cast<uint32_t>(aclshmem_n_pes()); }
    __aicore__ inline int pe_of(uint32_t expert) const { return static_cast<int>(expert / experts_each()); }
    // The expert of a choice.
    __aicore__ inline uint32_t expert(uint32_t choice MF_SITE_PARAM) const
    {
        AscendC::GlobalTensor<int32_t> chosen;
        chosen.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(choices), all());
        const int32_t expert = chosen.GetValue(choice MF_SITE);
        if (expert < 0 || static_cast<uint32_t>(expert) >= experts) {
            MF_TRAP("choice %u is expert %d, and there are %u", choice, expert, experts);
        }
        return static_cast<uint32_t>(expert);
    }
    // Number of choices of an expert by a PE; once they have been exchanged.
    __aicore__ inline uint32_t made(int pe, uint32_t expert) const
    {
        AscendC::GlobalTensor<int32_t> table;
        table.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(counts), static_cast<uint64_t>(aclshmem_n_pes()) * experts);
        return static_cast<uint32_t>(table.GetValue(static_cast<uint64_t>(pe) * experts + expert));
    }
    // Ends the kernel if the numbers are invalid.
    __aicore__ inline void check(uint32_t type = mf::TYPE_F32 MF_SITE_PARAM) const
    {
        if (mf::type_bytes(type) == 0) {
            MF_TRAP("there is no type %u: types are 0 (fp16), 1 (bf16), 2 (fp32)", type);
        }
        const uint32_t pes = static_cast<uint32_t>(aclshmem_n_pes());
        if (experts == 0 || experts > MOST_EXPERTS || experts % pes != 0 || top == 0 || top > MOST_CHOICES) {
            MF_TRAP("%u experts on %u PEs, %u choices of a token: experts are at most %u, as many on each PE, choices 1 to %u",
                    experts, pes, top, MOST_EXPERTS, MOST_CHOICES);
        }
    }
};

// Places of the rows of this PE's choices, in the order of the choices: `next` is a number for each expert.
class Places {
  public:
    // Ends the kernel where a PE gets more rows than it has room for.
    __aicore__ inline Places(const Routing &routing, const AscendC::LocalTensor<int32_t> &next MF_SITE_PARAM) : next_(next)
    {
        const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
        uint32_t row = 0;
        for (uint32_t expert = 0; expert < routing.experts; expert++) {
            // Each PE counts its rows from 0.
            row = expert % routing.experts_each() == 0 ? 0 : row;
            for (int pe = 0; pe < pes; pe++) {
                if (pe == me) {
                    next_.SetValue(expert, static_cast<int32_t>(row));
                }
                row += routing.made(pe, expert);
            }
            if (row > routing.room) {
                MF_TRAP("PE %d gets %u rows, and has room for %u", routing.pe_of(expert), row, routing.room);
            }
        }
    }
    // The row of the next choice, at the PE of its expert.
    __aicore__ inline uint32_t take(uint32_t expert)
    {
        const int32_t row = next_.GetValue(expert);
        next_.SetValue(expert, row + 1);
        return static_cast<uint32_t>(row);
    }

  private:
    AscendC::LocalTensor<int32_t> next_;
};

// Counts this PE's choices, and sends the counts to everybody.
__aicore__ inline void exchange_counts(const Routing &routing, const AscendC::LocalTensor<int32_t> &counts)
{
    AscendC::LocalTensor<int32_t> made = counts;
    for (uint32_t expert = 0; expert < routing.experts; expert++) {
        made.SetValue(expert, 0);
    }
    for (uint32_t choice = 0; choice < routing.all(); choice++) {
        const uint32_t expert = routing.expert(choice);
        made.SetValue(expert, made.GetValue(expert) + 1);
    }
    // From the scalar code, which counted, to MTE3, which sends.
    AscendC::SetFlag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    AscendC::GlobalTensor<int32_t> row;
    row.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(routing.counts) + static_cast<uint64_t>(me) * routing.experts,
                        routing.experts);
    for (int pe = 0; pe < pes; pe++) {
        aclshmem_int32_put_nbi(row, made, routing.experts, pe);
    }
}

// A row times a number.
struct Scaled {
    static constexpr bool IS_WEIGHTED = true;
    GM_ADDR row;
    float factor;
    __aicore__ inline uint32_t count() const { return 1; }
    __aicore__ inline GM_ADDR at(uint32_t, uint64_t skip) const { return row + skip; }
    __aicore__ inline float weight(uint32_t) const { return factor; }
};

// The rows of a token's choices, with their weights.
struct Chosen {
    static constexpr bool IS_WEIGHTED = true;
    uint32_t top;
    GM_ADDR rows[MOST_CHOICES];
    float weights[MOST_CHOICES];
    __aicore__ inline uint32_t count() const { return top; }
    __aicore__ inline GM_ADDR at(uint32_t choice, uint64_t skip) const { return rows[choice] + skip; }
    __aicore__ inline float weight(uint32_t choice) const { return weights[choice]; }
};

template <typename T> __aicore__ inline void compute_experts(const Routing &routing, GM_ADDR rows, uint32_t width)
{
    AscendC::TPipe pipe;
    mf::Reducer<T> reducer(pipe);
    const uint32_t first = static_cast<uint32_t>(aclshmem_my_pe()) * routing.experts_each();
    uint32_t row = 0;
    for (uint32_t expert = first; expert < first + routing.experts_each(); expert++) {
        for (int pe = 0; pe < aclshmem_n_pes(); pe++) {
            for (uint32_t end = row + routing.made(pe, expert); row < end; row++) {
                if (row % mf::block_count() == mf::block_index()) {
                    GM_ADDR at = rows + static_cast<uint64_t>(row) * width * sizeof(T);
                    const Scaled scaled{at, 1 + static_cast<float>(expert) / 4};
                    reducer.template reduce_to<mf::OP_SUM>(at, scaled, width);
                }
            }
        }
    }
}

template <typename T>
__aicore__ inline void combine(const Routing &routing, GM_ADDR out, GM_ADDR rows, GM_ADDR weights, uint32_t width)
{
    AscendC::TPipe pipe;
    // Two thirds of the possible size, for the numbers.
    mf::Reducer<T, T, 6 * 1024> reducer(pipe);
    AscendC::TBuf<AscendC::TPosition::VECCALC> numbers;
    static_assert(mf::Reducer<T, T, 6 * 1024>::UB_BYTES + NUMBERS_BYTES <= mf::UB_BUDGET, "UB plan");
    pipe.InitBuffer(numbers, NUMBERS_BYTES);
    Places places(routing, numbers.Get<int32_t>());
    AscendC::GlobalTensor<float> weight;
    weight.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(weights), routing.all());
    const mf::Slice mine = mf::slice_of(routing.tokens, mf::block_index(), mf::block_count(), 1);
    for (uint32_t token = 0; token < mine.begin + mine.bytes; token++) {
        Chosen chosen;
        chosen.top = routing.top;
        for (uint32_t number = 0; number < routing.top; number++) {
            const uint32_t choice = token * routing.top + number, expert = routing.expert(choice);
            const uint64_t row = places.take(expert);
            chosen.rows[number] = mf::shmem::remote(rows + row * width * sizeof(T), width * sizeof(T), routing.pe_of(expert));
            chosen.weights[number] = weight.GetValue(choice);
        }
        if (token >= mine.begin) {
            reducer.template reduce_to<mf::OP_SUM>(out + static_cast<uint64_t>(token) * width * sizeof(T), chosen, width);
        }
    }
}

} // namespace

// `rows` and `counts` are symmetric; `rows` has room for `room` rows of `row_bytes` bytes, as `tokens` has.
extern "C" __global__ __aicore__ void moe_dispatch(GM_ADDR rows, GM_ADDR counts, GM_ADDR from, GM_ADDR choices,
                                                   uint32_t tokens, uint32_t top, uint32_t experts, uint32_t row_bytes,
                                                   uint32_t room)
{
    MF_KERNEL_VECTOR();
    const Routing routing{choices, counts, tokens, top, experts, room};
    routing.check();
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECOUT> buffer;
    pipe.InitBuffer(buffer, NUMBERS_BYTES);
    aclshmemx_set_mte_config(NUMBERS_BYTES, STAGING_BYTES, 0);
    const AscendC::LocalTensor<int32_t> numbers = buffer.Get<int32_t>();
    if (mf::block_index() == 0) {
        exchange_counts(routing, numbers);
    }
    // Everybody's counts are everywhere.
    aclshmem_barrier_all();
    Places places(routing, numbers);
    const mf::Slice mine = mf::slice_of(routing.all(), mf::block_index(), mf::block_count(), 1);
    for (uint32_t choice = 0; choice < mine.begin + mine.bytes; choice++) {
        const uint32_t expert = routing.expert(choice);
        const uint64_t row = places.take(expert);
        if (choice >= mine.begin) {
            aclshmem_putmem_nbi(rows + row * row_bytes, from + static_cast<uint64_t>(choice / top) * row_bytes, row_bytes,
                                routing.pe_of(expert));
        }
    }
    aclshmem_barrier_all();
}
MF_KERNEL(moe_dispatch, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t)

// Rows are `width` elements. Types: 0 fp16, 1 bf16, 2 fp32.
extern "C" __global__ __aicore__ void moe_experts(GM_ADDR rows, GM_ADDR counts, uint32_t experts, uint32_t width,
                                                  uint32_t type)
{
    MF_KERNEL_VECTOR();
    const Routing routing{nullptr, counts, 0, 1, experts, UINT32_MAX};
    routing.check(type);
    if (type == mf::TYPE_F16) {
        compute_experts<half>(routing, rows, width);
    } else if (type == mf::TYPE_BF16) {
        compute_experts<bfloat16_t>(routing, rows, width);
    } else {
        compute_experts<float>(routing, rows, width);
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(moe_experts, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)

// `out` has a row for each token, `weights` a float for each choice; the rest as moe_dispatch left it.
extern "C" __global__ __aicore__ void moe_combine(GM_ADDR out, GM_ADDR rows, GM_ADDR counts, GM_ADDR choices,
                                                  GM_ADDR weights, uint32_t tokens, uint32_t top, uint32_t experts,
                                                  uint32_t width, uint32_t type)
{
    MF_KERNEL_VECTOR();
    const Routing routing{choices, counts, tokens, top, experts, UINT32_MAX};
    routing.check(type);
    // All experts are done.
    aclshmem_barrier_all();
    if (type == mf::TYPE_F16) {
        combine<half>(routing, out, rows, weights, width);
    } else if (type == mf::TYPE_BF16) {
        combine<bfloat16_t>(routing, out, rows, weights, width);
    } else {
        combine<float>(routing, out, rows, weights, width);
    }
    // Rows are no longer read.
    aclshmem_barrier_all();
}
MF_KERNEL(moe_combine, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t)
