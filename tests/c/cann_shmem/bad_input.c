/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Refusals of functions without a result: nothing is done, the last error gives the reason, and the program
 * goes on. */
#include <shmem.h>

#include "attributes.h"

static int me, pes;
static int64_t *block;
enum { WORDS = 64 };

/* One call: its code is the last error's, and no PE's block has changed. */
#define REFUSED(code, call) do { \
        smem_get_and_clear_last_err_msg(); \
        call; \
        check_last_error(code, #call, __FILE__, __LINE__); \
        for (int i = 0; i < WORDS; i++) CHECK(block[i] == i); \
    } while (0)

static void calls(void)
{
    int64_t own[WORDS], value = 7;
    int32_t signal_outside = 0;
    int32_t *signal = (int32_t *)(void *)&block[1];
    memset(own, 0x55, sizeof own);
    for (int pe = -1; pe <= pes; pe += pes + 1) {
        REFUSED(-1, aclshmem_int64_put(block, own, 1, pe));
        REFUSED(-1, aclshmem_int64_put_nbi(block, own, 1, pe));
        REFUSED(-1, aclshmem_int64_get(own, block, 1, pe));
        REFUSED(-1, aclshmem_int64_p(block, value, pe));
        REFUSED(-1, CHECK(aclshmem_int64_g(block, pe) == 0));
        REFUSED(-1, aclshmem_put64(block, own, 1, pe));
        REFUSED(-1, aclshmem_putmem(block, own, 8, pe));
        REFUSED(-1, aclshmem_int64_iput(block, own, 1, 1, 1, pe));
        REFUSED(-1, aclshmem_int64_put_signal(block, own, 1, (uint8_t *)signal, 1, ACLSHMEM_SIGNAL_SET, pe));
    }
    REFUSED(-1, aclshmem_int64_put(own, own, 1, me));
    REFUSED(-1, aclshmem_int64_get(own, own, 1, me));
    REFUSED(-1, aclshmem_int64_put(NULL, own, 1, me));
    REFUSED(-1, aclshmem_int64_put(block, NULL, 1, me));
    REFUSED(-1, aclshmem_int64_get(NULL, block, 1, me));
    REFUSED(-1, aclshmem_int64_put(block, own, SIZE_MAX / 8 + 1, me));
    REFUSED(-1, aclshmem_int64_put(block, own, (size_t)1 << 60, me));
    REFUSED(-1, aclshmem_putmem(block, own, (size_t)1 << 40, me));
    REFUSED(-1, aclshmem_putmem((char *)aclshmemx_get_heap_base(DEVICE_SIDE) + HEAP_BYTES - 4, own, 8, me));
    REFUSED(-1, aclshmem_int64_iput(block, own, 0, 1, 2, me));
    REFUSED(-1, aclshmem_int64_iput(block, own, 1, -1, 2, me));
    REFUSED(-1, aclshmem_int64_iget(own, block, 1, PTRDIFF_MIN, 2, me));
    REFUSED(-1, aclshmem_iput64(block, own, PTRDIFF_MAX, 1, 3, me));
    REFUSED(-1, aclshmem_int64_put_signal(block, own, 1, (uint8_t *)&signal_outside, 1, ACLSHMEM_SIGNAL_SET, me));
    REFUSED(-1, aclshmem_int64_put_signal(block, own, 1, (uint8_t *)signal + 1, 1, ACLSHMEM_SIGNAL_SET, me));
    REFUSED(-1, aclshmem_int64_put_signal(block, own, 1, NULL, 1, ACLSHMEM_SIGNAL_SET, me));
    REFUSED(-1, aclshmemx_putmem_signal(block, own, 8, signal, 1, 7, me));
    /* Words of any memory may be waited for, but not of none. */
    int found = 7;
    REFUSED(-1, aclshmem_int64_wait_until(NULL, ACLSHMEM_CMP_EQ, 0));
    REFUSED(-1, aclshmem_int64_wait_until((int64_t *)64, ACLSHMEM_CMP_EQ, 0));
    REFUSED(-1, aclshmem_int64_test((int64_t *)(void *)((char *)own + 4), ACLSHMEM_CMP_EQ, 0, &found));
    REFUSED(-1, aclshmem_int64_wait_until_all(own, SIZE_MAX / 8, NULL, ACLSHMEM_CMP_EQ, 0));
    REFUSED(-1, aclshmem_int64_wait_until(block, 6, 0));
    REFUSED(-1, aclshmem_signal_wait_until(signal, -1, 0));
    CHECK(found == 7);
    /* Nothing is asked for: no error, nothing is done. */
    aclshmem_int64_put(block, own, 0, me);
    aclshmem_int64_iput(block, own, 1, 1, 0, me);
    for (int i = 0; i < WORDS; i++) CHECK(block[i] == i && own[i] == 0x5555555555555555LL);
}

/* Calls that all PEs make, each of which gives null on all. */
static void heap(void)
{
    CHECK(aclshmem_malloc(SIZE_MAX) == NULL && aclshmem_malloc((size_t)HEAP_BYTES + (4 << 20)) == NULL);
    CHECK(aclshmem_calloc(SIZE_MAX, 2) == NULL && aclshmem_calloc(0, 8) == NULL && aclshmem_calloc(8, 0) == NULL);
    CHECK(aclshmem_align(0, 8) == NULL && aclshmem_align(24, 8) == NULL && aclshmem_align(64, 0) == NULL);
    CHECK(aclshmem_align((size_t)1 << 62, 8) == NULL);
    CHECK(aclshmemx_malloc(8, (aclshmem_mem_type_t)2) == NULL && aclshmemx_get_heap_base((aclshmem_mem_type_t)2) == NULL);
    /* Those below the size of a pointer, which OpenSHMEM refuses, and those above a huge page are alignments. */
    for (size_t alignment = 1; alignment <= (size_t)HEAP_BYTES / 2; alignment *= 2) {
        void *aligned = aclshmem_align(alignment, 8);
        CHECK(aligned != NULL && (uintptr_t)aligned % alignment == 0);
        aclshmem_free(aligned);
    }
    void *small = aclshmem_align(1, 8);
    CHECK(small != NULL);
    aclshmem_free((char *)small + 8);
    aclshmem_free(small);
    aclshmem_free(small);
    aclshmem_free(NULL);
    aclshmemx_free(block, HOST_SIDE);
    if (pes > 1) {
        /* Another size on the last PE: null everywhere, and the heap is as it was. */
        CHECK(aclshmem_malloc(me == pes - 1 ? 128 : 64) == NULL);
        void *after = aclshmem_malloc(64);
        CHECK(after == small);
        aclshmem_free(after);
    }
    /* The other heap is another one. */
    void *other = aclshmemx_malloc(64, HOST_SIDE);
    CHECK(other != NULL && aclshmem_ptr(other, me) == other && aclshmemx_get_heap_base(HOST_SIDE) != NULL);
    aclshmem_free(other);
    *(int64_t *)other = 3;
    aclshmem_barrier_all();
    aclshmem_int64_p((int64_t *)other, 40 + me, (me + 1) % pes);
    aclshmem_barrier_all();
    CHECK(*(int64_t *)other == 40 + (me + pes - 1) % pes);
    aclshmemx_free(other, HOST_SIDE);
}

int main(void)
{
    me = job_rank();
    pes = job_ranks();
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    block = (int64_t *)aclshmem_malloc(WORDS * sizeof *block);
    for (int i = 0; i < WORDS; i++) block[i] = i;
    aclshmem_barrier_all();
    calls();
    aclshmem_barrier_all();
    heap();
    aclshmem_free(block);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
