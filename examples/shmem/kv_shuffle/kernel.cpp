// SPDX-License-Identifier: Apache-2.0 OR MIT
// Pages of a cache move between PEs by a table. Every PE puts each of its pages at the table's place, and
// adds one to a counter there when the page is visible; a PE has all pages when its counter reaches the
// expected number.
#include "shmem.h"

// `to`, `counter` are symmetric; `from` has `pages` pages of `page_bytes` bytes; `table` two numbers for
// each: the PE and the page there.
extern "C" __global__ __aicore__ void kv_shuffle(GM_ADDR to, GM_ADDR from, GM_ADDR table, GM_ADDR counter, uint32_t pages,
                                                 uint32_t page_bytes, uint32_t expected)
{
    MF_KERNEL_VECTOR();
    AscendC::GlobalTensor<int32_t> places;
    places.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(table), pages * 2);
    __gm__ int32_t *count = reinterpret_cast<__gm__ int32_t *>(counter);
    const uint32_t blocks = static_cast<uint32_t>(AscendC::GetBlockNum()), first = static_cast<uint32_t>(AscendC::GetBlockIdx());
    for (uint32_t page = first; page < pages; page += blocks) {
        const int32_t pe = places.GetValue(page * 2), place = places.GetValue(page * 2 + 1);
        aclshmem_putmem_signal_nbi(to + static_cast<uint64_t>(place) * page_bytes, from + static_cast<uint64_t>(page) * page_bytes,
                                   page_bytes, count, 1, ACLSHMEM_SIGNAL_ADD, pe);
    }
    aclshmem_quiet();
    if (first == 0) {
        aclshmem_signal_wait_until(count, ACLSHMEM_CMP_GE, static_cast<int32_t>(expected));
    }
}
MF_KERNEL(kv_shuffle, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)
