/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Layout shared by the kernels of the tests and the program that launches them: one symmetric block of
 * regions.
 * */
#ifndef MF_TESTS_CANN_SHMEM_REGIONS_H
#define MF_TESTS_CANN_SHMEM_REGIONS_H

enum {
    REGION = 4096,
    REGIONS = 96,
    SOURCE = 0, /* filled by the host on each PE, never written afterwards */
    SIGNALS = 1, /* int32_t numbers */
    RESULTS = 2, /* uint64_t numbers */
    WORDS = 3,
    FIRST = 8, /* destinations from here on */
    COUNT = 128, /* elements of a plain copy */
    ROWS = 4, ROW = 5, SOURCE_LD = 32, ROWS_LD = 6, /* rows, from the source and to destinations */
    LARGE_BYTES = 150001, LARGE_FROM = FIRST * REGION, LARGE_TO = 48 * REGION, LARGE_STAGING = 33 * 1024,
    STRIDED = 10, TO_STRIDE = 2, FROM_STRIDE = 3,
    /* Words of PE 0 that all cores change, in a region; and tickets and places taken in the next two. */
    WORD_TICKET = 0, WORD_PLACES, WORD_SUM, WORD_SWAP, WORD_SWAPPED, WORD_LOCK, WORD_LOCKED, WORD_OR, WORD_FETCH_OR, WORD_XOR,
    WORD_AND, WORD_FETCH_AND, /* the last two begin with all bits */
    WORD_REGIONS = 3
};

#endif
