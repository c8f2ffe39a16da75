/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Layout shared by the kernels of several heaps and the program that launches them. */
#ifndef MF_TESTS_CANN_SHMEM_HEAPS_H
#define MF_TESTS_CANN_SHMEM_HEAPS_H

enum {
    HEAP_INSTANCE = 2,
    /* The first words of a PE are its number and a thousand salts. */
    HEAP_SALT = 3,
    HEAP_SALT_OF_HOST = 5,
    HEAP_SALT_OF_SECOND = 7,
    /* Words of a block; words changed by others have separate lines. */
    HEAP_COUNT = 1000,
    HEAP_FROM = 0,
    HEAP_TO = 1024,
    HEAP_GOT = 2048,
    HEAP_SIGNAL = 3072,
    HEAP_SUM = 3088,
    HEAP_WORDS = 3104,
    /* The record and what lies behind it, then its arrays. */
    RECORD_BYTES = 33088,
    ARRAYS = 6,
    ARRAYS_AT = 34 * 1024,
    ARRAY_BYTES = 1024,
    COPY_BYTES = 40 * 1024
};

#endif
