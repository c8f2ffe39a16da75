// SPDX-License-Identifier: Apache-2.0 OR MIT
// Queue pairs, batches, pipes and configurations of the engines: core k of each PE uses queue pair k to
// copy its slice, and completes it by the quiet of that pair.
#include "queues.h"

#include "shmem.h"

namespace queue_pairs {

constexpr aclshmemx_udma_op_config_t RELAXED = {1, 0, 0, ACLSHMEMX_UDMA_ODR_RO};
constexpr aclshmemx_udma_op_config_t UNCOUNTED = {0, 0, 0, ACLSHMEMX_UDMA_ODR_SO};
constexpr aclshmemx_udma_op_config_t FENCED = {1, 0, 1, ACLSHMEMX_UDMA_ODR_SO};

static_assert(ACLSHMEM_UDMA_MTE_STAGING_UB_SIZE == 128U && ACLSHMEM_RDMA_MTE_STAGING_UB_SIZE == 128U, "staging");

using Word = int64_t;
using Words = AscendC::GlobalTensor<Word>;

constexpr uint64_t BUFFER_AT = 64 * 1024;
constexpr uint32_t BUFFER_BYTES = 1024;

// One core's part of a copy.
struct Part {
    __gm__ Word *memory;
    uint32_t core;
    int peer;
    int relay;

    __aicore__ __gm__ Word *source() const { return memory + SOURCE_AT + core * SLICE; }
    __aicore__ __gm__ Word *target() const { return memory + TARGET_AT + core * SLICE; }
    __aicore__ __gm__ uint64_t *signal() const { return reinterpret_cast<__gm__ uint64_t *>(memory + SIGNALS_AT + core); }
    __aicore__ uint64_t value() const { return (static_cast<uint64_t>(aclshmem_my_pe()) + 1) << 32 | (core + 1); }
    __aicore__ static Words tensor(__gm__ Word *at)
    {
        Words words;
        words.SetGlobalBuffer(at, SLICE);
        return words;
    }
    __aicore__ static __ubuf__ Word *raw() { return reinterpret_cast<__ubuf__ Word *>(BUFFER_AT); }
    __aicore__ static AscendC::LocalTensor<Word> buffer()
    {
        return smem_shm_ub_tensor(AscendC::TPosition::VECCALC, raw(), BUFFER_BYTES);
    }
};

// Copies the slice in PIECES copies, all but the last deferred, and keeps the count of the state.
template <typename Copy> __aicore__ inline void in_batch(const Part &part, const Copy &copy)
{
    aclshmemx_submit_state_t state;
    constexpr uint32_t PIECE = SLICE / PIECES;
    uint32_t counts[PIECES];
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        __gm__ Word *to = part.target() + piece * PIECE, *from = part.source() + piece * PIECE;
        if (piece + 1 < PIECES) {
            copy(to, from, PIECE, aclshmemx_defer_t(state));
        } else {
            copy(to, from, PIECE, aclshmemx_submit_t(state));
        }
        counts[piece] = state.pending_count;
    }
    aclshmem_quiet();
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        aclshmem_int64_p(part.memory + COUNTS_AT + part.core * PIECES + piece, static_cast<Word>(counts[piece]), aclshmem_my_pe());
    }
}

__aicore__ inline void udma(const Part &part, int32_t form)
{
    const int peer = part.peer;
    const uint32_t qp = part.core;
    __gm__ Word *to = part.target(), *from = part.source();
    switch (form) {
    case UDMA_PUT: aclshmemx_udma_qp_put_nbi<Word, PIPE_MTE3>(to, from, part.raw(), SLICE, peer, qp, 1U); break;
    case UDMA_PUT_TENSOR: aclshmemx_udma_qp_put_nbi(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, qp); break;
    case UDMA_PUT_SIGNAL: aclshmemx_udma_qp_put_signal_nbi<Word>(to, from, SLICE, part.signal(), part.value(), peer, qp); break;
    case UDMA_PUT_SIGNAL_BUFFER:
        aclshmemx_udma_qp_put_signal_nbi<Word, PIPE_MTE3>(to, from, SLICE, part.signal(), part.value(), peer, qp,
                                                          reinterpret_cast<__ubuf__ uint8_t *>(BUFFER_AT), 1U);
        break;
    case UDMA_GET: aclshmemx_udma_qp_get_nbi<Word>(to, from, part.raw(), SLICE, peer, qp); break;
    case UDMA_GET_TENSOR: aclshmemx_udma_qp_get_nbi<Word>(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, qp, 1U); break;
    default: break;
    }
    aclshmemx_udma_qp_quiet(peer, qp);
}

__aicore__ inline void roce(const Part &part, int32_t form)
{
    const int peer = part.peer;
    const uint32_t qp = part.core;
    __gm__ Word *to = part.target(), *from = part.source();
    switch (form) {
    case ROCE_PUT: aclshmemx_roce_qp_put_nbi<Word>(to, from, part.raw(), SLICE, peer, qp, 1U); break;
    case ROCE_PUT_TENSOR: aclshmemx_roce_qp_put_nbi(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, qp, 0U); break;
    case ROCE_GET: aclshmemx_roce_qp_get_nbi(to, from, part.raw(), SLICE, peer, qp, 1U); break;
    case ROCE_GET_TENSOR: aclshmemx_roce_qp_get_nbi<Word>(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, qp, 1U); break;
    default: break;
    }
    if (form == ROCE_PUT) {
        aclshmemx_roce_qp_quiet<Word>(static_cast<uint32_t>(peer), qp, part.raw(), 1U);
    } else {
        aclshmemx_roce_qp_quiet(static_cast<uint32_t>(peer), qp, part.buffer(), 1U);
    }
}

__aicore__ inline void sdma(const Part &part, int32_t form)
{
    const int peer = part.peer;
    const uint32_t qp = 71 - part.core;
    __gm__ Word *to = part.target(), *from = part.source();
    aclshmemx_cmo_qp_nbi(from, SLICE, ACLSHMEMCMOTYPE::ACLSHMEM_CMO_PREFETCH, part.raw(), 64U, qp, 1U);
    aclshmemx_cmo_qp_nbi(part.tensor(from), SLICE, ACLSHMEM_CMO_PREFETCH, part.buffer(), qp, 1U);
    aclshmemx_cmo_nbi(part.tensor(from), SLICE, ACLSHMEM_CMO_PREFETCH, part.buffer(), 1U);
    switch (form) {
    case SDMA_PUT: aclshmemx_sdma_qp_put_nbi<Word>(to, from, part.raw(), 64U, SLICE, peer, qp, 1U); break;
    case SDMA_PUT_TENSOR: aclshmemx_sdma_qp_put_nbi(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, qp, 1U); break;
    case SDMA_GET: aclshmemx_sdma_qp_get_nbi(to, from, part.raw(), 64U, SLICE, peer, qp, 1U); break;
    case SDMA_GET_TENSOR: aclshmemx_sdma_qp_get_nbi(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, qp, 1U); break;
    default: break;
    }
    if (form == SDMA_PUT || form == SDMA_GET) {
        aclshmemx_sdma_qp_quiet(part.raw(), 64U, qp, 1U);
    } else {
        aclshmemx_sdma_qp_quiet(part.buffer(), qp, 1U);
    }
}

__aicore__ inline void batches(const Part &part, int32_t form)
{
    const int peer = part.peer;
    const uint32_t qp = part.core;
#define IN_BATCH(...) in_batch(part, [&](__gm__ Word *to, __gm__ Word *from, uint32_t count, auto action) { __VA_ARGS__; })
    switch (form) {
    case UDMA_BATCH_PUT: IN_BATCH(aclshmemx_udma_put_nbi<Word>(to, from, part.raw(), count, peer, 0U, action)); break;
    case UDMA_BATCH_GET:
        IN_BATCH(aclshmemx_udma_get_nbi(part.tensor(to), part.tensor(from), part.buffer(), count, peer, 1U, action));
        break;
    case UDMA_BATCH_QP_PUT: IN_BATCH(aclshmemx_udma_qp_put_nbi<Word, PIPE_MTE3>(to, from, part.raw(), count, peer, qp, 1U, action)); break;
    case UDMA_BATCH_QP_GET:
        IN_BATCH(aclshmemx_udma_qp_get_nbi(part.tensor(to), part.tensor(from), part.buffer(), count, peer, qp, 1U, action));
        break;
    case ROCE_BATCH_PUT: IN_BATCH(aclshmemx_roce_put_nbi(part.tensor(to), part.tensor(from), part.buffer(), count, peer, 1U, action)); break;
    case ROCE_BATCH_GET: IN_BATCH(aclshmemx_roce_get_nbi<Word>(to, from, part.raw(), count, peer, 1U, action)); break;
    case ROCE_BATCH_QP_PUT: IN_BATCH(aclshmemx_roce_qp_put_nbi<Word>(to, from, part.raw(), count, peer, qp, 1U, action)); break;
    case ROCE_BATCH_QP_GET:
        IN_BATCH(aclshmemx_roce_qp_get_nbi(part.tensor(to), part.tensor(from), part.buffer(), count, peer, qp, 1U, action));
        break;
    default: break;
    }
#undef IN_BATCH
}

// Copies over a third PE, or directly among two.
__aicore__ inline void relays(const Part &part, int32_t form)
{
    const int peer = part.peer, relay = part.relay;
    __gm__ Word *to = part.target(), *from = part.source();
    if (relay < 0) {
        const bool is_put = form == UDMA_RELAY_PUT || form == UDMA_RELAY_BATCH_PUT;
        is_put ? aclshmem_int64_put(to, from, SLICE, peer) : aclshmem_int64_get(to, from, SLICE, peer);
        return;
    }
    switch (form) {
    case UDMA_RELAY_PUT: aclshmemx_udma_relay_put_nbi<Word>(part.tensor(to), part.tensor(from), part.buffer(), SLICE, peer, relay); break;
    case UDMA_RELAY_GET: aclshmemx_udma_relay_get_nbi<Word, PIPE_S>(to, from, part.raw(), SLICE, peer, relay, 1U); break;
    case UDMA_RELAY_BATCH_PUT:
        in_batch(part, [&](__gm__ Word *piece, __gm__ Word *of, uint32_t count, auto action) {
            aclshmemx_udma_relay_put_nbi<Word>(piece, of, part.raw(), count, peer, relay, 0U, action);
        });
        break;
    default:
        in_batch(part, [&](__gm__ Word *piece, __gm__ Word *of, uint32_t count, auto action) {
            aclshmemx_udma_relay_get_nbi<Word>(part.tensor(piece), part.tensor(of), part.buffer(), count, peer, relay, 1U, action);
        });
    }
    aclshmemx_udma_quiet(peer);
}

__aicore__ inline void configured(const Part &part, int32_t form)
{
    const int peer = part.peer;
    const uint32_t qp = part.core;
    __gm__ Word *to = part.target(), *from = part.source();
    constexpr uint32_t HALF = SLICE / 2;
    switch (form) {
    case UDMA_SCALAR_PUT: aclshmemx_udma_put_nbi<Word, PIPE_S>(to, from, nullptr, SLICE, peer, 7U); break;
    case UDMA_SCALAR_GET: aclshmemx_udma_qp_get_nbi<Word, PIPE_S>(to, from, part.raw(), SLICE, peer, qp); break;
    case UDMA_SCALAR_SIGNAL:
        aclshmemx_udma_put_signal_nbi<Word, PIPE_S>(to, from, SLICE, part.signal(), part.value(), peer, nullptr);
        break;
    case UDMA_CONFIGURED_SIGNAL: // two puts set the signal to 1, then it is replaced
        aclshmemx_udma_put_signal_nbi<Word, PIPE_MTE3, RELAXED>(to, from, HALF, part.signal(), 1, peer);
        aclshmemx_udma_qp_put_signal_nbi<Word, PIPE_MTE3, FENCED>(to + HALF, from + HALF, HALF, part.signal(), 1, peer, qp,
                                                                  part.raw(), 1U);
        aclshmemx_udma_quiet(peer);
        if (aclshmemx_udma_atomic_fetch<uint64_t, PIPE_S, RELAXED>(part.signal(), peer) == 1) {
            aclshmemx_udma_atomic_set<uint64_t, PIPE_MTE3, FENCED>(part.signal(), part.value(), peer);
        }
        break;
    case UDMA_CONFIGURED_PUT:
        aclshmemx_udma_put_nbi<Word, PIPE_MTE3, RELAXED>(to, from, part.raw(), HALF, peer, 1U);
        aclshmemx_udma_qp_put_nbi<Word, PIPE_S, FENCED>(part.tensor(to + HALF), part.tensor(from + HALF), part.buffer(), HALF, peer, qp, 1U);
        break;
    default: {
        aclshmemx_submit_state_t state;
        aclshmemx_udma_qp_put_nbi<Word, PIPE_MTE3, UNCOUNTED>(to, from, part.raw(), HALF, peer, qp, 1U, aclshmemx_defer_t(state));
        aclshmemx_udma_qp_put_nbi<Word, PIPE_MTE3, RELAXED>(to + HALF, from + HALF, part.raw(), HALF, peer, qp, 1U,
                                                            aclshmemx_submit_t(state));
    }
    }
    aclshmemx_udma_qp_quiet(peer, qp);
    aclshmemx_udma_quiet(peer);
}

__aicore__ inline bool is_in(int32_t form, int32_t first, int32_t last) { return form >= first && form <= last; }

} // namespace queue_pairs

extern "C" __global__ __aicore__ void queues(GM_ADDR memory, int32_t form)
{
    using namespace queue_pairs;
    MF_KERNEL_VECTOR();
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes(), next = (me + 1) % pes;
    const Part part = {reinterpret_cast<__gm__ Word *>(memory), static_cast<uint32_t>(AscendC::GetBlockIdx()), next,
                       pes > 2 ? (me + 2) % pes : -1};
    // Free part in this kernel.
    aclshmemx_set_udma_config(BUFFER_AT + 4096, ACLSHMEM_UDMA_MTE_STAGING_UB_SIZE, 2);
    if (part.core >= CORES) return;
    if (form == UDMA_RELAY_PUT || form == UDMA_RELAY_BATCH_PUT || form == UDMA_RELAY_GET || form == UDMA_RELAY_BATCH_GET) {
        relays(part, form);
    } else if (is_in(form, UDMA_SCALAR_PUT, UDMA_CONFIGURED_BATCH) || form == UDMA_SCALAR_GET) {
        configured(part, form);
    } else if (is_in(form, UDMA_BATCH_PUT, ROCE_BATCH_QP_PUT) || is_in(form, UDMA_BATCH_GET, ROCE_BATCH_QP_GET)) {
        batches(part, form);
    } else if (form == ROCE_PUT || form == ROCE_PUT_TENSOR || form == ROCE_GET || form == ROCE_GET_TENSOR) {
        roce(part, form);
    } else if (form == SDMA_PUT || form == SDMA_PUT_TENSOR || form == SDMA_GET || form == SDMA_GET_TENSOR) {
        sdma(part, form);
    } else {
        udma(part, form);
    }
}
MF_KERNEL(queues, GM_ADDR, int32_t)

// Copies over PEs that are no relay: nothing is copied, and no batch begins.
extern "C" __global__ __aicore__ void left_out(GM_ADDR memory, int32_t core)
{
    using namespace queue_pairs;
    MF_KERNEL_VECTOR();
    if (AscendC::GetBlockIdx() != core) return;
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes(), next = (me + 1) % pes;
    const Part part = {reinterpret_cast<__gm__ Word *>(memory), static_cast<uint32_t>(core), next, -1};
    aclshmemx_submit_state_t state;
    const int relays[] = {-1, pes, me, next};
    for (const int relay : relays) {
        aclshmemx_udma_relay_put_nbi<Word>(part.target(), part.source(), part.raw(), SLICE, next, relay);
        aclshmemx_udma_relay_get_nbi<Word>(part.tensor(part.target()), part.tensor(part.source()), part.buffer(), SLICE, pes, relay);
        aclshmemx_udma_relay_put_nbi<Word>(part.target(), part.source(), part.raw(), SLICE, me, relay, 0U, aclshmemx_defer_t(state));
    }
    aclshmemx_udma_relay_put_nbi<Word>(part.target(), part.source(), part.raw(), SLICE, next, me, 0U, aclshmemx_submit_t(state));
    aclshmemx_udma_quiet(next);
    aclshmem_int64_p(part.memory + COUNTS_AT, static_cast<Word>(state.pending_count) + 1, me);
}
MF_KERNEL(left_out, GM_ADDR, int32_t)

// All-to-all with transposition: this PE's matrix of pes * CORES columns and CORES rows of words goes, in
// square blocks, to the PEs, each block transposed. Then all vector cores meet, and count wrong words of
// their row.
extern "C" __global__ __aicore__ void transposed(GM_ADDR memory, int32_t how)
{
    using namespace queue_pairs;
    MF_KERNEL_VECTOR();
    __gm__ Word *words = reinterpret_cast<__gm__ Word *>(memory);
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    const Word row = AscendC::GetBlockIdx(), width = static_cast<Word>(pes) * CORES;
    for (int pe = 0; pe < pes; pe++) {
        for (Word column = 0; column < CORES; column++) {
            const Word value = aclshmem_int64_g(words + SOURCE_AT + row * width + pe * CORES + column, me);
            aclshmem_int64_p(words + TARGET_AT + column * width + me * CORES + row, value, pe);
        }
    }
    aclshmem_quiet();
    if (how == 0) {
        aclshmemx_sync_vec_all();
    } else if (how == 1) {
        aclshmemx_sync_vec(ACLSHMEM_TEAM_WORLD);
    } else if (how == 2) {
        aclshmemx_sync_vec_relay(ACLSHMEM_TEAM_WORLD);
    } else {
        aclshmemx_sync_all_vec_relay();
    }
    Word wrong = 0;
    for (int pe = 0; pe < pes; pe++) {
        for (Word column = 0; column < CORES; column++) {
            const Word found = aclshmem_int64_g(words + TARGET_AT + row * width + pe * CORES + column, me);
            wrong += found != pe * 1000 + column * width + me * CORES + row;
        }
    }
    aclshmem_int64_p(words + COUNTS_AT + row, wrong, me);
    aclshmem_quiet();
}
MF_KERNEL(transposed, GM_ADDR, int32_t)
