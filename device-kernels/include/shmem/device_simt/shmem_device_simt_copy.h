/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Copies by threads to and from the memory of PEs. On an NPU each thread reads and writes elements itself, in
 * turn with the others. On the host each passes its part to the copy unit of the core (MTE), which stands in
 * for it, and waits; errors are found there as in all copies. An error on an NPU copies nothing.
 */
#ifndef MF_SHMEM_DEVICE_SIMT_COPY_H
#define MF_SHMEM_DEVICE_SIMT_COPY_H

#include "../device/gm2gm/shmem_device_rma.h"
#include "../device/team/shmem_device_team.h"
#include "shmem_device_simt_threads.h"

/* The types of elements. */
#define MF_SHMEM_SIMT_TYPES(X)                                                                                          \
    X(half, half) X(float, float) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t)           \
    X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(char, char)                   \
    X(schar, signed char) X(uchar, unsigned char) X(bfloat16, bfloat16_t)
/* Widths of functions without a type, as bits. */
#define MF_SHMEM_SIMT_WIDTHS(X) \
    X(8, uint8_t) X(16, uint16_t) X(32, uint32_t) X(64, uint64_t) X(128, mf::shmem::Wide)

namespace mf {
namespace shmem {

#ifdef MF_EMULATION

/* Parts of `count` elements begin at addresses that the unified buffer allows. */
template <bool isPut, Together together, typename T>
inline void thread_copy(T *dst, T *src, uint64_t count, int pe MF_SITE_PARAM)
{
    const Crew who = crew<together>();
    const uint64_t each = round_up((count + who.threads - 1) / who.threads, UB_BLOCK / sizeof(T));
    const uint64_t first = smaller(count, each * who.own), own = smaller(count - first, each);
    transfer<isPut ? Way::Put : Way::Get>(dst + first, src + first, own * sizeof(T), pe MF_SITE);
    aclshmem_quiet();
}

template <typename T> inline void thread_write(T *dst, T value, int pe MF_SITE_PARAM)
{
    const Staging area = staging(MF_SITE_ONLY);
    write_element<T>(remote(dst, sizeof(T), pe MF_SITE), value, area MF_SITE);
    finish(area.event);
}
template <typename T> inline T thread_read(T *src, int pe MF_SITE_PARAM)
{
    return load(reinterpret_cast<T *>(remote(src, sizeof(T), pe MF_SITE)) MF_SITE);
}

#else

/* Threads read memory through pointers. */
template <typename T> ACLSHMEM_DEVICE_SIMT T thread_field(uint32_t offset)
{
    return *reinterpret_cast<__gm__ T *>(SMEM_SHM_DEVICE_USER_CONTEXT_ADDR + offset);
}

/* Translates an own address to `pe`; null if there is no such PE, or if it is not in the heap. */
ACLSHMEM_DEVICE_SIMT __gm__ void *thread_remote(__gm__ void *own, int pe)
{
    const uint64_t offset = reinterpret_cast<uint64_t>(own) - thread_field<uint64_t>(RECORD_HEAP_BASE);
    if (thread_field<uint32_t>(0) != RECORD_VERSION || pe < 0 || pe >= thread_field<int32_t>(RECORD_N_PES) ||
        offset >= thread_field<uint64_t>(RECORD_HEAP_BYTES)) {
        return nullptr;
    }
    const uint64_t bases = thread_field<uint64_t>(RECORD_DEVICE_BASES);
    const uint64_t base = *reinterpret_cast<__gm__ uint64_t *>(bases + static_cast<uint64_t>(pe) * 8);
    return base == 0 ? nullptr : reinterpret_cast<__gm__ void *>(base + offset);
}

template <Together together, typename To, typename From>
ACLSHMEM_DEVICE_SIMT void thread_elements(To to, From from, uint64_t count)
{
    const Crew who = crew<together>();
    for (uint64_t element = who.own; element < count; element += who.threads) {
        to[element] = from[element];
    }
    asc_threadfence();
}

/* `Near` is a pointer to global memory or to the unified buffer. */
template <bool isPut, Together together, typename T, typename Near>
ACLSHMEM_DEVICE_SIMT void thread_copy_far(__gm__ T *far, Near near, uint64_t count, int pe)
{
    __gm__ T *there = reinterpret_cast<__gm__ T *>(thread_remote(far, pe));
    if (there == nullptr) {
        return;
    }
    if constexpr (isPut) {
        thread_elements<together>(there, near, count);
    } else {
        thread_elements<together>(near, there, count);
    }
}
template <bool isPut, Together together, typename T>
ACLSHMEM_DEVICE_SIMT void thread_copy(__gm__ T *dst, __gm__ T *src, uint64_t count, int pe)
{
    thread_copy_far<isPut, together, T>(isPut ? dst : src, isPut ? src : dst, count, pe);
}
#ifndef MF_ONE_ADDRESS_SPACE
template <bool isPut, Together together, typename T>
ACLSHMEM_DEVICE_SIMT void thread_copy(__gm__ T *dst, __ubuf__ T *src, uint64_t count, int pe)
{
    thread_copy_far<true, together, T>(dst, src, count, pe);
}
template <bool isPut, Together together, typename T>
ACLSHMEM_DEVICE_SIMT void thread_copy(__ubuf__ T *dst, __gm__ T *src, uint64_t count, int pe)
{
    thread_copy_far<false, together, T>(src, dst, count, pe);
}
#endif

template <typename T> ACLSHMEM_DEVICE_SIMT void thread_write(__gm__ T *dst, T value, int pe)
{
    __gm__ T *there = reinterpret_cast<__gm__ T *>(thread_remote(dst, pe));
    if (there != nullptr) {
        *there = value;
        asc_threadfence();
    }
}
template <typename T> ACLSHMEM_DEVICE_SIMT T thread_read(__gm__ T *src, int pe)
{
    __gm__ T *there = reinterpret_cast<__gm__ T *>(thread_remote(src, pe));
    return there == nullptr ? T{} : *there;
}

#endif

/* 16 bytes, which have no type. */
struct Wide {
    uint64_t low;
    uint64_t high;
};

} // namespace shmem
} // namespace mf

#endif
