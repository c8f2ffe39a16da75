// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that no release of CANN SHMEM has: named by texts about it, or missing for programs on the host.

use crate::row::rows;

rows! {
"additions" {
    /// Begins with the settings of the environment: the launcher's rank, else a job of this process alone; a
    /// heap of 16 GiB, or SHMEM_SYMMETRIC_SIZE. Collective.
    "int shmem_init(void)", outside();
    /// Begins with these attributes; 0 means the default of shmem_init. Collective.
    "int shmem_init_with_attr(shmem_attr_t *attr)", outside();
    /// Lets the queue pairs of UDMA share one jetty, without effect on simulated ones. Before init;
    /// programs of today call it after aclshmemx_set_qp_num, and no header declares it.
    "int aclshmemx_set_shared_jetty(data_op_engine_type_t engine, bool is_shared)", outside();
    /// Orders earlier puts to each PE before later ones.
    "void aclshmem_fence(void)", outside(), frequent;
    /// Completes pending operations.
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
    /// Waits until all operations of such a stream are done, at most for the control timeout; null: the
    /// stream that null names.
    "int aclshmemx_stream_synchronize(aclrtStream stream)", outside();
    /// Destroys such a stream. Its operations are performed.
    "int aclshmemx_stream_destroy(aclrtStream stream)", outside();
    /// Passes the state record to `changed` now and after every change, in the layout of kernels; null and 0
    /// bytes before init and after the end. One function at a time; null removes it. It is called by the
    /// thread that makes the change, must return, and must not throw.
    "int aclshmemx_watch_state(void (*changed)(const void *record, size_t bytes))", outside();
    /// Bytes of the heap, taken and free.
    "int aclshmem_get_memory_stats(uint64_t *total, uint64_t *used, uint64_t *available)", outside();
}
}
