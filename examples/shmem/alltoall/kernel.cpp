// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every PE sends to every PE: as many bytes to each, or as many rows as it likes, also none. Blocks share
// each message, and a PE begins with itself and goes on with the next, so that no PE is written to by all
// at once.
#include "shmem.h"

#include "mf_copy.h"

namespace {

// This block's part of a message: which part differs from PE to PE, so that messages too short for all blocks
// do not all fall to the same.
__aicore__ inline void send(GM_ADDR to, GM_ADDR from, uint64_t bytes, int pe)
{
    const uint32_t blocks = mf::block_count();
    const mf::Slice mine = mf::slice_of(bytes, (mf::block_index() + static_cast<uint32_t>(pe)) % blocks, blocks);
    // A call takes 32 bits of bytes.
    for (uint64_t done = 0; done < mine.bytes; done += 1U << 30) {
        const uint32_t now = static_cast<uint32_t>(mf::smaller(mine.bytes - done, uint64_t{1} << 30));
        aclshmem_putmem_nbi(to + mine.begin + done, from + mine.begin + done, now, pe);
    }
}

// Number of rows from each PE to each, once all know it.
class Counts {
  public:
    __aicore__ inline Counts(__gm__ int32_t *table, int pes) : pes_(pes)
    {
        rows_.SetGlobalBuffer(table, static_cast<uint64_t>(pes) * static_cast<uint64_t>(pes));
    }
    __aicore__ inline uint64_t rows(int from, int to) const
    {
        return static_cast<uint64_t>(rows_.GetValue(static_cast<uint64_t>(from * pes_ + to)));
    }
    // Rows for PEs before `to` at `from`.
    __aicore__ inline uint64_t sent_before(int from, int to) const
    {
        uint64_t sum = 0;
        for (int pe = 0; pe < to; pe++) sum += rows(from, pe);
        return sum;
    }
    // Rows of PEs before `from` at `to`.
    __aicore__ inline uint64_t received_before(int from, int to) const
    {
        uint64_t sum = 0;
        for (int pe = 0; pe < from; pe++) sum += rows(pe, to);
        return sum;
    }
    // Ends the kernel where a PE gets more than it has room for.
    __aicore__ inline void check(uint64_t room MF_SITE_PARAM) const
    {
        for (int pe = 0; pe < pes_; pe++) {
            if (received_before(pes_, pe) > room) {
                MF_TRAP("PE %d gets %llu rows, and has room for %llu", pe,
                        static_cast<unsigned long long>(received_before(pes_, pe)), static_cast<unsigned long long>(room));
            }
        }
    }

  private:
    int pes_;
    AscendC::GlobalTensor<int32_t> rows_;
};

} // namespace

// Piece j of `from`, `bytes` bytes, comes to PE j's place for this PE. `to` is symmetric.
extern "C" __global__ __aicore__ void alltoall(GM_ADDR to, GM_ADDR from, uint64_t bytes)
{
    MF_KERNEL_VECTOR();
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    for (int turn = 0; turn < pes; turn++) {
        const int pe = (me + turn) % pes;
        send(to + static_cast<uint64_t>(me) * bytes, from + static_cast<uint64_t>(pe) * bytes, bytes, pe);
    }
    aclshmem_barrier_all();
}
MF_KERNEL(alltoall, GM_ADDR, GM_ADDR, uint64_t)

// Rows of `row_bytes` bytes: `from` has counts[0] of them for PE 0, then counts[1] for PE 1, and so on; `to`,
// which has room for `room` of them, gets PE 0's first. `to` and `table` are symmetric. Row s of the table, a
// number for each PE, is then the counts of PE s: from PE s came number `me` of it.
extern "C" __global__ __aicore__ void alltoallv(GM_ADDR to, GM_ADDR from, GM_ADDR table, GM_ADDR counts,
                                                uint32_t row_bytes, uint64_t room)
{
    MF_KERNEL_VECTOR();
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    __gm__ int32_t *all = reinterpret_cast<__gm__ int32_t *>(table), *own = reinterpret_cast<__gm__ int32_t *>(counts);
    for (int pe = static_cast<int>(mf::block_index()); pe < pes; pe += static_cast<int>(mf::block_count())) {
        aclshmem_int32_put_nbi(all + me * pes, own, static_cast<uint32_t>(pes), pe);
    }
    // Everybody's counts are everywhere.
    aclshmem_barrier_all();
    const Counts known(all, pes);
    known.check(room);
    for (int turn = 0; turn < pes; turn++) {
        const int pe = (me + turn) % pes;
        send(to + known.received_before(me, pe) * row_bytes, from + known.sent_before(me, pe) * row_bytes,
             known.rows(me, pe) * row_bytes, pe);
    }
    aclshmem_barrier_all();
}
MF_KERNEL(alltoallv, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint64_t)
