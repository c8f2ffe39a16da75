/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Layout of kernel_queues.c and its kernels: words of 8 bytes in one symmetric block. */
#ifndef MF_TESTS_CANN_SHMEM_QUEUES_H
#define MF_TESTS_CANN_SHMEM_QUEUES_H

#ifdef __cplusplus
namespace queue_pairs {
#endif

enum {
    CORES = 4,
    SLICE = 96, /* words of a core in source and destination */
    PIECES = 6, /* copies of a batch */
    ALL = CORES * SLICE,
    SOURCE_AT = 0,
    TARGET_AT = ALL,
    SIGNALS_AT = 2 * ALL, /* a word for each core */
    COUNTS_AT = SIGNALS_AT + CORES, /* deferred copies as the kernel sees them: PIECES words for each core */
    ALL_WORDS = COUNTS_AT + CORES * PIECES
};

/* Forms of copies: of the first row the target gets the source of the PE before, of the second the source
 * of the next PE. */
enum {
    UDMA_PUT, UDMA_PUT_TENSOR, UDMA_PUT_SIGNAL, UDMA_PUT_SIGNAL_BUFFER, ROCE_PUT, ROCE_PUT_TENSOR, SDMA_PUT, SDMA_PUT_TENSOR,
    UDMA_BATCH_PUT, UDMA_BATCH_QP_PUT, ROCE_BATCH_PUT, ROCE_BATCH_QP_PUT, UDMA_SCALAR_PUT, UDMA_SCALAR_SIGNAL, UDMA_CONFIGURED_PUT,
    UDMA_CONFIGURED_SIGNAL, UDMA_CONFIGURED_BATCH, UDMA_RELAY_PUT, UDMA_RELAY_BATCH_PUT,
    UDMA_GET, UDMA_GET_TENSOR, ROCE_GET, ROCE_GET_TENSOR, SDMA_GET, SDMA_GET_TENSOR, UDMA_BATCH_GET, UDMA_BATCH_QP_GET,
    ROCE_BATCH_GET, ROCE_BATCH_QP_GET, UDMA_SCALAR_GET, UDMA_RELAY_GET, UDMA_RELAY_BATCH_GET,
    FORMS, FIRST_GET = UDMA_GET
};

#ifdef __cplusplus
} // namespace queue_pairs
#endif

#endif
