// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every rank sends to every rank. Both end with a barrier: then everything is there, and may be read by every
// rank.
//
// All ranks launch with the same numbers, but for src_offset, with any number of blocks up to the cores. The
// memory at dst_offset must no longer be in use when the first rank launches. The ranges must not overlap.
#include "mf_barrier.h"
#include "mf_copy.h"

namespace {

// Sends `bytes` bytes at src_offset + j * src_step to rank j, into its place for this rank. Blocks share the
// ranks, and where there are more blocks than ranks, the bytes for each. Each rank begins with itself and
// goes on with the next, so that no rank is written to by all at once.
__aicore__ inline void send_to_all(uint32_t id, uint64_t dst_offset, uint64_t src_offset, uint64_t src_step,
                                   uint64_t bytes)
{
    const mf::Object object(id);
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    const uint32_t blocks = mf::block_count();
    const uint32_t parts = (blocks + object.ranks() - 1) / object.ranks();
    for (uint32_t unit = mf::block_index(); unit < parts * object.ranks(); unit += blocks) {
        const uint32_t to = object.rank_after(unit / parts);
        const mf::Slice mine = mf::slice_of(bytes, unit % parts, parts);
        mover.copy(object.part(to, dst_offset + object.rank() * bytes + mine.begin),
                   object.part(object.rank(), src_offset + to * src_step + mine.begin), mine.bytes);
    }
    mf::barrier_at_end(object);
}

} // namespace

// `bytes` bytes of each rank, at src_offset of its part, come to dst_offset in the part of every rank, in the
// order of ranks.
extern "C" __global__ __aicore__ void mf_allgather(uint32_t id, uint64_t dst_offset, uint64_t src_offset, uint64_t bytes)
{
    MF_KERNEL_VECTOR();
    send_to_all(id, dst_offset, src_offset, 0, bytes);
}
MF_KERNEL(mf_allgather, uint32_t, uint64_t, uint64_t, uint64_t)

// Each rank has at src_offset a piece of `bytes` bytes for each rank. Piece j of rank i comes to rank j's
// place i.
extern "C" __global__ __aicore__ void mf_all_to_all(uint32_t id, uint64_t dst_offset, uint64_t src_offset, uint64_t bytes)
{
    MF_KERNEL_VECTOR();
    send_to_all(id, dst_offset, src_offset, bytes, bytes);
}
MF_KERNEL(mf_all_to_all, uint32_t, uint64_t, uint64_t, uint64_t)
