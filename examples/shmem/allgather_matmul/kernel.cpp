// SPDX-License-Identifier: Apache-2.0 OR MIT
// A product of a matrix with rows spread over the PEs: C = (all PEs' A, one below the other) B, on every PE
// with its own B. Vector cores send bundles of rows to all PEs, each with a signal; cube cores multiply the
// own rows first, and the others' as they arrive.
//
//   vector core  -- signal of PE s, bundle i -->  cube core of every PE: these rows are here
//
// Signals get the number of the launch, so nothing has to be cleared.
#include "shmem.h"

#include "mf_matmul.h"

namespace {

constexpr uint32_t RATIO = 2; // vector cores of a block

// Operands, tiling, and the places of all PEs' rows and their signals.
struct Work {
    GM_ADDR c;
    GM_ADDR a;
    GM_ADDR b;
    GM_ADDR all;
    __gm__ int32_t *signals;
    uint32_t m;
    uint32_t k;
    uint32_t n;
    uint32_t pitch;
    int32_t turn;
    uint32_t bytes; // of an element

    // Bundles of rows of a PE: as many as a tile has.
    __aicore__ inline uint32_t bundles() const { return (m + mf::TILE_SIDE - 1) / mf::TILE_SIDE; }
    __aicore__ inline __gm__ int32_t *signal(int pe, uint32_t bundle) const
    {
        return signals + static_cast<uint64_t>(pe) * bundles() + bundle;
    }
    __aicore__ inline GM_ADDR rows(int pe) const { return all + static_cast<uint64_t>(pe) * m * k * bytes; }
};

// Sends of a vector core. A bundle goes first to the PE that needs it first: the one before this PE.
__aicore__ inline void send(const Work &work, uint32_t lane, uint32_t lanes)
{
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    uint32_t number = 0;
    for (uint32_t bundle = 0; bundle < work.bundles(); bundle++) {
        const uint32_t row = bundle * mf::TILE_SIDE, rows = mf::smaller(work.m - row, mf::TILE_SIDE);
        const uint64_t skip = static_cast<uint64_t>(row) * work.k * work.bytes;
        const uint64_t bytes = static_cast<uint64_t>(rows) * work.k * work.bytes;
        for (int step = 1; step <= pes; step++, number++) {
            if (number % lanes == lane) {
                aclshmem_putmem_signal_nbi(work.rows(me) + skip, work.a + skip, bytes, work.signal(me, bundle), work.turn,
                                           ACLSHMEM_SIGNAL_SET, (me + pes - step) % pes);
            }
        }
    }
}

// Products of a cube core: its share of the tiles of all PEs' rows, beginning with this PE's own.
template <typename T> __aicore__ inline void multiply(const Work &work, uint32_t block, uint32_t blocks)
{
    AscendC::TPipe pipe;
    mf::Multiplier<T> multiplier(pipe);
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    uint32_t number = 0;
    for (int step = 0; step < pes; step++) {
        const int source = (me + step) % pes;
        const mf::Matrices matrices{step == 0 ? work.a : work.rows(source), work.b, work.m, work.k, work.n};
        GM_ADDR part = work.c + static_cast<uint64_t>(source) * work.m * work.pitch * work.bytes;
        for (uint32_t bundle = 0; bundle < work.bundles(); bundle++) {
            bool is_here = step == 0;
            for (uint32_t column = 0; column < work.n; column += mf::TILE_SIDE, number++) {
                if (number % blocks != block) {
                    continue;
                }
                if (!is_here) {
                    aclshmem_signal_wait_until(work.signal(source, bundle), ACLSHMEM_CMP_EQ, work.turn);
                    is_here = true;
                }
                const uint32_t row = bundle * mf::TILE_SIDE;
                const mf::Tile tile{row, column, mf::smaller(work.m - row, mf::TILE_SIDE),
                                    mf::smaller(work.n - column, mf::TILE_SIDE)};
                AscendC::LocalTensor<float> sums = multiplier.multiply(matrices, tile);
                const uint64_t to = static_cast<uint64_t>(row) * work.pitch + column;
                multiplier.write(reinterpret_cast<__gm__ T *>(part) + to, work.pitch, sums, tile);
            }
        }
    }
}

} // namespace

// A is m x k, B is k x n, dense; c has m rows for each PE, `pitch` elements from one to the next: a
// multiple of 16 that is no less than n. `all` is symmetric and gets the rows of all PEs; so is `signals`,
// ceil(m / 128) int32_t for each PE, 0 before the first launch. `turn` is the number of the launch, from
// 1. Types: 0 fp16, 1 bf16. When it ends, `all` may be written again by everybody.
extern "C" __global__ __aicore__ void allgather_matmul(GM_ADDR c, GM_ADDR a, GM_ADDR b, GM_ADDR all, GM_ADDR signals,
                                                       uint32_t m, uint32_t k, uint32_t n, uint32_t pitch, int32_t turn,
                                                       uint32_t type)
{
    MF_KERNEL_MIX_1_2();
    const Work work{c, a,     b,    all, reinterpret_cast<__gm__ int32_t *>(signals), m, k,
                    n, pitch, turn, mf::type_bytes(type)};
    mf::check_matrices({a, b, m, k, n}, type);
    const uint32_t core = mf::block_index(), blocks = mf::block_count();
    if ASCEND_IS_AIV {
        send(work, core, blocks * RATIO);
    }
    if ASCEND_IS_AIC {
        if (type == mf::TYPE_F16) {
            multiply<half>(work, core, blocks);
        } else {
            multiply<bfloat16_t>(work, core, blocks);
        }
    }
    aclshmem_barrier_all();
}
MF_KERNEL_MIX(2, allgather_matmul, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t, uint32_t,
              int32_t, uint32_t)
