// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Remote memory access, with and without signals.

use crate::elements::{BITS, RMA};
use crate::row::rows;

rows! {
"RMA typed" {
    /// Copies `nelems` elements to or from `pe`. With _nbi: is complete after quiet.
    "void shmem_[ctx_]NAME_{put,get}[_nbi](T *dest, const T *source, size_t nelems, int pe)" of RMA;
    /// Writes one element of `pe`.
    "void shmem_[ctx_]NAME_p(T *dest, T value, int pe)" of RMA;
    /// Reads one element of `pe`.
    "T shmem_[ctx_]NAME_g(const T *source, int pe)" of RMA;
    /// Copies `nelems` elements; `dst` and `sst` are the strides of `dest` and `source` in elements, at
    /// least 1.
    "void shmem_[ctx_]NAME_{iput,iget}(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
        size_t nelems, int pe)" of RMA;
}

"RMA typed, blocks" {
    /// Copies `nblocks` blocks of `bsize` elements; strides are between starts of blocks.
    "void shmem_[ctx_]NAME_{ibput,ibget}(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
        size_t bsize, size_t nblocks, int pe)" of RMA, added;
}

"RMA sized" {
    /// Copies `nelems` elements of so many bits.
    "void shmem_[ctx_]{put,get}NAME[_nbi](void *dest, const void *source, size_t nelems, int pe)" of BITS;
    /// Copies elements of so many bits with strides.
    "void shmem_[ctx_]{iput,iget}NAME(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
        size_t nelems, int pe)" of BITS;
}

"RMA sized, blocks" {
    /// Copies blocks of elements of so many bits.
    "void shmem_[ctx_]{ibput,ibget}NAME(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
        size_t bsize, size_t nblocks, int pe)" of BITS, added;
}

"RMA mem" {
    /// Copies `nelems` bytes to or from `pe`.
    "void shmem_[ctx_]{put,get}mem[_nbi](void *dest, const void *source, size_t nelems, int pe)", frequent;
}

"put_signal typed" {
    /// Copies, and then updates the signal by `sig_op` (SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD).
    "void shmem_[ctx_]NAME_put_signal[_nbi](T *dest, const T *source, size_t nelems, uint64_t *sig_addr, \
        uint64_t signal, int sig_op, int pe)" of RMA;
}

"put_signal sized" {
    /// Copies elements of so many bits, and then updates the signal.
    "void shmem_[ctx_]putNAME_signal[_nbi](void *dest, const void *source, size_t nelems, \
        uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)" of BITS;
}

"put_signal mem" {
    /// Copies bytes, and then updates the signal.
    "void shmem_[ctx_]putmem_signal[_nbi](void *dest, const void *source, size_t nelems, \
        uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)", frequent;
}

"signals" {
    /// Reads a signal of this PE.
    "uint64_t shmem_signal_fetch(const uint64_t *sig_addr)", frequent, or("0");
    /// Waits for a signal of this PE; returns the value that satisfied.
    "uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)", frequent, or("0");
}

"signal updates" {
    /// Updates a signal of `pe`.
    "void shmem_[ctx_]signal_{set,add}(uint64_t *sig_addr, uint64_t signal, int pe)", added;
}
}
