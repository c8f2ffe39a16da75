// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that no release of CANN SHMEM has: what texts about it name, and what programs miss on the host.

use crate::row::rows;

rows! {
"additions" {
    /// Begins as the environment says: the launcher's place, else a job of this process alone; a heap of 16
    /// GiB, or SHMEM_SYMMETRIC_SIZE. Collective.
    "int shmem_init(void)", outside();
    /// Begins as the attributes say; what is 0 is as in shmem_init. Collective.
    "int shmem_init_with_attr(shmem_attr_t *attr)", outside();
    /// Orders puts to each PE before those that follow.
    "void aclshmem_fence(void)", outside(), frequent;
    /// Completes what is pending.
    "void aclshmem_quiet(void)", outside(), frequent;
    /// Copies bytes to `pe`, then updates a signal there, in the order of a stream.
    "void aclshmemx_putmem_signal_on_stream(void *dst, void *src, size_t elem_size, void *sig_addr, \
        int32_t signal, int sig_op, int pe, aclrtStream stream)", outside();
    /// All PEs of a team meet, in the order of a stream.
    "void aclshmemx_sync_on_stream(aclshmem_team_t team, aclrtStream stream)", outside();
    /// All PEs meet, in the order of a stream.
    "void aclshmemx_sync_all_on_stream(aclrtStream stream)", outside();
    /// Makes a stream for a process without accelerator.
    "int aclshmemx_stream_create(aclrtStream *stream)", outside();
    /// Waits until all that is on such a stream is done, at most for the control timeout; null: the stream
    /// that null names.
    "int aclshmemx_stream_synchronize(aclrtStream stream)", outside();
    /// Ends such a stream. What is on it is done.
    "int aclshmemx_stream_destroy(aclrtStream stream)", outside();
    /// Gives the state record to `changed` now and after every change, as kernels find it; null and 0 bytes
    /// before init and after the end. One function at a time; null: none. It is called by the thread that
    /// changes, must return, and must not throw.
    "int aclshmemx_watch_state(void (*changed)(const void *record, size_t bytes))", outside();
    /// Bytes of the heap, taken and free.
    "int aclshmem_get_memory_stats(uint64_t *total, uint64_t *used, uint64_t *available)", outside();
}
}
