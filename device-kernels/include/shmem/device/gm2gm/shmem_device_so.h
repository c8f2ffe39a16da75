/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: signals. A signal is an int32_t in symmetric memory, aligned to 4 bytes, which may
 * share its line with others. A put with signal raises it when the data is visible there. ACLSHMEM_SIGNAL_SET
 * and ACLSHMEM_SIGNAL_ADD are both atomic.
 */
#ifndef MF_SHMEM_DEVICE_SO_H
#define MF_SHMEM_DEVICE_SO_H

#include "shmem_device_rma.h"

namespace mf {
namespace shmem {

/* Returns the place of a signal at `pe`. One of this PE itself may lie in any memory of the device. */
ACLSHMEM_DEVICE GM_ADDR place_of_signal(__gm__ int32_t *sig_addr, int pe MF_SITE_PARAM)
{
    const uint64_t offset = reinterpret_cast<uint64_t>(sig_addr) - field<uint64_t>(RECORD_HEAP_BASE MF_SITE);
    const bool is_in_heap = offset < field<uint64_t>(RECORD_HEAP_BYTES MF_SITE);
    if (!is_in_heap && pe == field<int32_t>(RECORD_MY_PE MF_SITE)) {
        return reinterpret_cast<GM_ADDR>(sig_addr);
    }
    return remote(sig_addr, sizeof(int32_t), pe MF_SITE);
}

/* Starts the change of a signal, after everything that this core has started is visible. */
ACLSHMEM_DEVICE void signal_nbi(__gm__ int32_t *sig_addr, int32_t signal, int sig_op, int pe,
                                const Staging &area MF_SITE_PARAM)
{
    GM_ADDR there = place_of_signal(sig_addr, pe MF_SITE);
    if (reinterpret_cast<uint64_t>(there) % sizeof(int32_t) != 0) {
        MF_TRAP("a signal is aligned to 4 bytes, and %p is not", reinterpret_cast<const void *>(sig_addr));
    }
    if (sig_op == ACLSHMEM_SIGNAL_SET) {
        write_element<int32_t>(there, signal, area MF_SITE);
    } else if (sig_op == ACLSHMEM_SIGNAL_ADD) {
        add_element<int32_t>(there, signal, area MF_SITE);
    } else {
        MF_TRAP("there is no signal operation %d: 0 sets, 1 adds", sig_op);
    }
}

} // namespace shmem
} // namespace mf

/* Changes a signal of a PE, after this core's puts are visible. Complete on return. */
ACLSHMEM_DEVICE void aclshmemx_signal_op(__gm__ int32_t *sig_addr, int32_t signal, int sig_op, int pe MF_SITE_PARAM)
{
    const mf::shmem::Staging area = mf::shmem::staging(MF_SITE_ONLY);
    mf::shmem::signal_nbi(sig_addr, signal, sig_op, pe, area MF_SITE);
    mf::shmem::finish(area.event);
}

/* Bytes to memory of `pe`, and the change of a signal there when they are visible: both have started on
 * return. */
ACLSHMEM_DEVICE void aclshmem_putmem_signal_nbi(__gm__ void *dst, __gm__ void *src, size_t elem_size,
                                                __gm__ int32_t *sig_addr, int32_t signal, int sig_op,
                                                int pe MF_SITE_PARAM)
{
    mf::shmem::transfer<mf::shmem::Way::Put>(dst, src, elem_size, pe MF_SITE);
    mf::shmem::signal_nbi(sig_addr, signal, sig_op, pe, mf::shmem::staging(MF_SITE_ONLY) MF_SITE);
}

/* The same, complete on return. */
ACLSHMEM_DEVICE void aclshmem_putmem_signal(__gm__ void *dst, __gm__ void *src, size_t elem_size,
                                            __gm__ int32_t *sig_addr, int32_t signal, int sig_op, int pe MF_SITE_PARAM)
{
    aclshmem_putmem_signal_nbi(dst, src, elem_size, sig_addr, signal, sig_op, pe MF_SITE);
    aclshmem_quiet();
}

/* Elements, or rows, to memory of `pe`, and the change of a signal there when they are visible. With _nbi
 * both have started on return, else they are complete. */
#define MF_SHMEM_SIGNALLED(NAME, PUT, DST, SRC, LENGTH)                                                          \
    ACLSHMEM_DEVICE void NAME##_nbi(DST dst, SRC src, LENGTH length, __gm__ int32_t *sig_addr, int32_t signal,   \
                                    int sig_op, int pe MF_SITE_PARAM)                                            \
    {                                                                                                            \
        PUT##_nbi(dst, src, length, pe MF_SITE);                                                                 \
        mf::shmem::signal_nbi(sig_addr, signal, sig_op, pe, mf::shmem::staging(MF_SITE_ONLY) MF_SITE);           \
    }                                                                                                            \
    ACLSHMEM_DEVICE void NAME(DST dst, SRC src, LENGTH length, __gm__ int32_t *sig_addr, int32_t signal,         \
                              int sig_op, int pe MF_SITE_PARAM)                                                  \
    {                                                                                                            \
        NAME##_nbi(dst, src, length, sig_addr, signal, sig_op, pe MF_SITE);                                      \
        aclshmem_quiet();                                                                            \
    }
#define MF_SHMEM_TYPED(NAME, TYPE)                                                                                    \
    MF_SHMEM_SIGNALLED(aclshmem_##NAME##_put_signal, aclshmem_##NAME##_put, __gm__ TYPE *, __gm__ TYPE *, size_t)     \
    MF_SHMEM_SIGNALLED(aclshmem_##NAME##_put_signal, aclshmem_##NAME##_put, __gm__ TYPE *, __gm__ TYPE *,             \
                       const non_contiguous_copy_param &)                                                             \
    MF_SHMEM_SIGNALLED(aclshmem_##NAME##_put_signal, aclshmem_##NAME##_put, AscendC::GlobalTensor<TYPE>,              \
                       AscendC::GlobalTensor<TYPE>, size_t)                                                           \
    MF_SHMEM_SIGNALLED(aclshmem_##NAME##_put_signal, aclshmem_##NAME##_put, AscendC::GlobalTensor<TYPE>,              \
                       AscendC::GlobalTensor<TYPE>, const non_contiguous_copy_param &)
MF_SHMEM_TYPES(MF_SHMEM_TYPED)
#define MF_SHMEM_WIDTH(BITS, BYTES) \
    MF_SHMEM_SIGNALLED(aclshmem_put##BITS##_signal, aclshmem_put##BITS, __gm__ void *, __gm__ void *, size_t)
MF_SHMEM_WIDTHS(MF_SHMEM_WIDTH)
#undef MF_SHMEM_WIDTH
#undef MF_SHMEM_TYPED
#undef MF_SHMEM_SIGNALLED

#define shmem_putmem_signal aclshmem_putmem_signal
#define shmem_putmem_signal_nbi aclshmem_putmem_signal_nbi
#define shmemx_signal_op aclshmemx_signal_op

#endif
