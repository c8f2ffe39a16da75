// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collectives of teams, and of active sets (the PEs `PE_start + i * 2^logPE_stride`).

use crate::elements::{
    OLD_BITS, OLD_INTEGERS, OLD_NUMBERS, OLD_ORDER, REDUCE_BITS, REDUCE_NUMBERS, REDUCE_ORDER, RMA,
};
use crate::row::rows;

rows! {
"barrier_all, sync_all" {
    /// Completes pending operations, and waits for all PEs.
    "void shmem_barrier_all(void)";
    /// Waits for all PEs.
    "void shmem_sync_all(void)";
}

"team_sync" {
    /// Waits for all PEs of a team. Returns 0, or another value for an invalid team.
    "int shmem_team_sync(shmem_team_t team)";
}

"collectives typed and mem" {
    /// Copies `source` of the root to `dest` of all PEs of a team.
    "int shmem_NAME_broadcast(shmem_team_t team, T *dest, const T *source, size_t nelems, \
        int PE_root)"
        of RMA;
    /// Puts the sources of all PEs one after the other, of different sizes or of one; or block j of PE i
    /// into block i of PE j.
    "int shmem_NAME_{collect,fcollect,alltoall}(shmem_team_t team, T *dest, const T *source, \
        size_t nelems)" of RMA;
    /// As alltoall, with strides in elements, from 1.
    "int shmem_NAME_alltoalls(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
        size_t nelems)" of RMA;
    /// Copies bytes of the root to all PEs of a team.
    "int shmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t nelems, \
        int PE_root)";
    /// As the typed forms, of bytes.
    "int shmem_{collect,fcollect,alltoall}mem(shmem_team_t team, void *dest, const void *source, \
        size_t nelems)";
    /// As the typed form, of bytes.
    "int shmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, \
        ptrdiff_t sst, size_t nelems)";
}

"team reductions" {
    /// Combines the bits of the sources of all PEs of a team.
    "int shmem_NAME_{and,or,xor}_reduce(shmem_team_t team, T *dest, const T *source, \
        size_t nreduce)" of
        REDUCE_BITS;
    /// The largest or the smallest of the sources of all PEs of a team.
    "int shmem_NAME_{max,min}_reduce(shmem_team_t team, T *dest, const T *source, \
        size_t nreduce)" of
        REDUCE_ORDER;
    /// Sum or product of the sources of all PEs of a team; equal on all PEs, and from run to run.
    "int shmem_NAME_{sum,prod}_reduce(shmem_team_t team, T *dest, const T *source, \
        size_t nreduce)" of
        REDUCE_NUMBERS;
}

"scans" {
    /// Sum of the sources of all PEs up to this one, with it or without.
    "int shmem_NAME_sum_{inscan,exscan}(shmem_team_t team, T *dest, const T *source, \
        size_t nelems)" of
        REDUCE_NUMBERS, added;
}

"active-set barrier, sync" {
    /// As for all PEs.
    "void shmem_{barrier,sync}(int PE_start, int logPE_stride, int PE_size, long *pSync)", deprecated;
}

"active-set collectives" {
    /// Copies `source` of the root to `dest` of the others.
    "void shmem_broadcastNAME(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, \
        int logPE_stride, int PE_size, long *pSync)" of OLD_BITS, deprecated;
    /// As for teams.
    "void shmem_{collect,fcollect,alltoall}NAME(void *dest, const void *source, size_t nelems, \
        int PE_start, int logPE_stride, int PE_size, long *pSync)" of OLD_BITS, deprecated;
    /// As for teams.
    "void shmem_alltoallsNAME(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
        int PE_start, int logPE_stride, int PE_size, long *pSync)" of OLD_BITS, deprecated;
}

"active-set reductions" {
    /// As for teams.
    "void shmem_NAME_{and,or,xor}_to_all(T *dest, const T *source, int nreduce, int PE_start, \
        int logPE_stride, int PE_size, T *pWrk, long *pSync)" of OLD_INTEGERS, deprecated;
    /// As for teams.
    "void shmem_NAME_{max,min}_to_all(T *dest, const T *source, int nreduce, int PE_start, \
        int logPE_stride, int PE_size, T *pWrk, long *pSync)" of OLD_ORDER, deprecated;
    /// As for teams.
    "void shmem_NAME_{sum,prod}_to_all(T *dest, const T *source, int nreduce, int PE_start, \
        int logPE_stride, int PE_size, T *pWrk, long *pSync)" of OLD_NUMBERS, deprecated;
}
}
