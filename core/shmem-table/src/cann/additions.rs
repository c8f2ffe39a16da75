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
    /// Bytes of the heap, taken and free.
    "int aclshmem_get_memory_stats(uint64_t *total, uint64_t *used, uint64_t *available)", outside();
}
}
