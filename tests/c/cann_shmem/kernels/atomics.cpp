// SPDX-License-Identifier: Apache-2.0 OR MIT
// Atomic operations that every chip has: elements are added to, by all cores of all PEs, and set. By the
// typed functions, and by engine MTE's.
#include "shmem.h"

#include "callers.h"

#define ADD(NAME, TYPE)                                                                                       \
    aclshmem_##NAME##_atomic_add(element<TYPE>(memory, next, 1), static_cast<TYPE>(own), 0);                  \
    aclshmemx_mte_atomic_add<TYPE>(element<TYPE>(memory, next++, 2), static_cast<TYPE>(own), 0);
#define SET(NAME, TYPE)                                                                                       \
    aclshmem_##NAME##_atomic_set(element<TYPE>(memory, next, 2 * own), static_cast<TYPE>(own), 0);            \
    aclshmemx_mte_atomic_set<TYPE>(element<TYPE>(memory, next++, 2 * own + 1), static_cast<TYPE>(own), 0);
extern "C" __global__ __aicore__ void elements(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    const uint32_t own = Caller().number + 1;
    uint32_t next = FIRST;
    ADD(int8, int8_t) ADD(int16, int16_t) ADD(int32, int32_t) ADD(uint32, uint32_t)
    ADD(half, half) ADD(bfloat16, bfloat16_t) ADD(float, float)
    SET(int32, int32_t) SET(uint32, uint32_t) SET(int64, int64_t) SET(uint64, uint64_t) SET(float, float)
    aclshmem_barrier_all();
}
MF_KERNEL(elements, GM_ADDR)
