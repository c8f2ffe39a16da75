/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The record of a symmetric heap, where the host writes it: in the page of object 2 * instance of the meta
 * area. And what kernels make of it: where an own address is at another PE, and where a core stages copies.
 */
#ifndef MF_SHMEM_DEVICE_STATE_H
#define MF_SHMEM_DEVICE_STATE_H

#include "mf_object.h"
#include "shmem_device_def.h"

namespace mf {
namespace shmem {

/* Record of the newest headers: value of its first word, and offsets of its fields. */
constexpr uint32_t RECORD_VERSION = (1 << 16) + 32992;
constexpr uint32_t RECORD_MY_PE = 4;             /* i32 */
constexpr uint32_t RECORD_N_PES = 8;             /* i32 */
constexpr uint32_t RECORD_HEAP_BASE = 16;        /* u64 */
constexpr uint32_t RECORD_HOST_HEAP_BASE = 24;   /* u64; 0: there is no heap in host memory */
constexpr uint32_t RECORD_DEVICE_BASES = 32;     /* u64: an array by PE */
constexpr uint32_t RECORD_RDMA_BASES = 40;       /* the same */
constexpr uint32_t RECORD_HOST_BASES = 56;       /* the same of the heap in host memory */
constexpr uint32_t RECORD_HEAP_BYTES = 16464;    /* u64 */
constexpr uint32_t RECORD_TEAMS = 16472;         /* u64 for each team */
constexpr uint32_t RECORD_SYNC_POOL = 32856;     /* u64: an array of 2,560 bytes for each team */
constexpr uint32_t RECORD_SYNC_COUNTERS = 32864; /* u64: 64 bytes for each team */
constexpr uint32_t RECORD_ENGINES = 32896;       /* MTE, SDMA, RDMA, UDMA: i64 offset, u32 bytes, u32 event */
/* Behind the record, where our hosts say more: a mark, where blocks begin, the list of blocks in use, how
 * many, bytes of the heap in host memory, queue pairs to each PE, whether the program knows the heap's
 * address. */
constexpr uint32_t RECORD_MARK = 33024;
constexpr uint32_t RECORD_FIRST_BLOCK = 33032;
constexpr uint32_t RECORD_BLOCKS = 33040;
constexpr uint32_t RECORD_BLOCK_COUNT = 33048;
constexpr uint32_t RECORD_HOST_HEAP_BYTES = 33056;
constexpr uint32_t RECORD_QUEUE_PAIRS = 33064;
constexpr uint32_t RECORD_BASE_KNOWN = 33072;
constexpr uint64_t MARK = 0x6d667368'6d656d31ULL;

/* The instance on which this core acts, in this launch. */
__BLOCK_LOCAL__ __inline__ uint32_t own_instance;

/* The number of its object in the meta area. */
ACLSHMEM_DEVICE uint32_t object_number() { return 2 * own_instance; }

template <typename T> ACLSHMEM_DEVICE T word_at(uint64_t address MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> word;
    word.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(address), 1);
    return word.GetValue(0 MF_SITE);
}

template <typename T> ACLSHMEM_DEVICE T field(uint32_t offset MF_SITE_PARAM)
{
    const uint64_t pages = uint64_t{object_number()} * SMEM_SHM_DEVICE_USER_CONTEXT_PRE_SIZE;
    return word_at<T>(SMEM_SHM_DEVICE_USER_CONTEXT_ADDR + pages + offset MF_SITE);
}

/* Ends the kernel where there is no heap, or a record that these headers do not know. */
ACLSHMEM_DEVICE void check_record(MF_SITE_PARAM_ONLY)
{
    const uint32_t version = field<uint32_t>(0 MF_SITE);
    if (version == 0) {
        MF_TRAP("kernels find no symmetric heap in device memory");
    }
    if (version != RECORD_VERSION) {
        MF_TRAP("the record of the symmetric heap is of another generation: it has %u bytes, and this kernel expects %u "
                "(MF_SHMEM_GENERATION on the host)",
                version - (1U << 16), RECORD_VERSION - (1U << 16));
    }
}

/* Returns the start of `pe`'s memory in the heap with these bases in the record. Ends the kernel for an
 * unknown PE. */
ACLSHMEM_DEVICE uint64_t base_of(int pe, uint32_t bases MF_SITE_PARAM)
{
    check_record(MF_SITE_ONLY);
    const int pes = field<int32_t>(RECORD_N_PES MF_SITE);
    if (pe < 0 || pe >= pes) {
        MF_TRAP("there is no PE %d: the PEs are 0 to %d", pe, pes - 1);
    }
    const uint64_t base = word_at<uint64_t>(field<uint64_t>(bases MF_SITE) + static_cast<uint64_t>(pe) * 8 MF_SITE);
    if (base == 0) {
        MF_TRAP("the memory of PE %d is not mapped here: it is on another host", pe);
    }
    return base;
}
ACLSHMEM_DEVICE uint64_t base_of(int pe MF_SITE_PARAM) { return base_of(pe, RECORD_DEVICE_BASES MF_SITE); }

/* Returns the offset of an own address in the heap in host memory; UINT64_MAX if `bytes` bytes from it are
 * not in that heap. */
ACLSHMEM_DEVICE uint64_t host_offset(const __gm__ void *own, uint64_t bytes MF_SITE_PARAM)
{
    const uint64_t base = field<uint64_t>(RECORD_HOST_HEAP_BASE MF_SITE);
    if (base == 0 || field<uint64_t>(RECORD_MARK MF_SITE) != MARK) {
        return UINT64_MAX;
    }
    const uint64_t offset = reinterpret_cast<uint64_t>(own) - base;
    const uint64_t all = field<uint64_t>(RECORD_HOST_HEAP_BYTES MF_SITE);
    return offset >= all || bytes > all - offset ? UINT64_MAX : offset;
}

#ifdef MF_EMULATION
/* Ends the kernel where `bytes` bytes, so far behind the beginning of the memory, are not in one block in
 * use. A program that took the address of the heap from the library is warned of memory in no block. */
inline void check_block(uint64_t offset, uint64_t bytes MF_SITE_PARAM)
{
    if (field<uint64_t>(RECORD_MARK MF_SITE) != MARK) return;
    const uint64_t list = field<uint64_t>(RECORD_BLOCKS MF_SITE);
    uint64_t first = 0, count = list == 0 ? 0 : field<uint64_t>(RECORD_BLOCK_COUNT MF_SITE);
    if (list == 0) return;
    /* The last block that begins no later. */
    while (count > 0) {
        const uint64_t middle = first + count / 2;
        if (word_at<uint64_t>(list + middle * 16 MF_SITE) <= offset) {
            first = middle + 1;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    const uint64_t begin = first == 0 ? 0 : word_at<uint64_t>(list + (first - 1) * 16 MF_SITE);
    const uint64_t length = first == 0 ? 0 : word_at<uint64_t>(list + (first - 1) * 16 + 8 MF_SITE);
    const unsigned long long distance = offset - field<uint64_t>(RECORD_FIRST_BLOCK MF_SITE);
    const bool is_block = first != 0 && offset < begin + length;
    if (!is_block && field<uint64_t>(RECORD_BASE_KNOWN MF_SITE) != 0) {
        return ::mf::emulation::warn("", at, "no block of the symmetric heap in use is %llu bytes from its beginning", distance);
    }
    if (!is_block) {
        MF_TRAP("no block of the symmetric heap in use is there: %llu bytes from its beginning (a block that was given "
                "back?)",
                distance);
    }
    if (bytes > begin + length - offset) {
        MF_TRAP("%llu bytes, %llu from the beginning of the symmetric heap, do not end in their block, which ends after %llu",
                static_cast<unsigned long long>(bytes), distance,
                static_cast<unsigned long long>(begin + length - offset));
    }
}
#endif

/* Translates `bytes` bytes at the own address to `pe`. Ends the kernel if they are in no heap. */
ACLSHMEM_DEVICE GM_ADDR remote(const __gm__ void *own, uint64_t bytes, int pe MF_SITE_PARAM)
{
    const uint64_t base = base_of(pe MF_SITE);
    const uint64_t offset = reinterpret_cast<uint64_t>(own) - field<uint64_t>(RECORD_HEAP_BASE MF_SITE);
    const uint64_t all = field<uint64_t>(RECORD_HEAP_BYTES MF_SITE);
    if (offset >= all || bytes > all - offset) {
        const uint64_t in_host = host_offset(own, bytes MF_SITE);
        if (in_host != UINT64_MAX) {
            return reinterpret_cast<GM_ADDR>(base_of(pe, RECORD_HOST_BASES MF_SITE) + in_host);
        }
        MF_TRAP("%llu bytes at %p are not in the symmetric heap of this PE", static_cast<unsigned long long>(bytes),
                reinterpret_cast<const void *>(own));
    }
#ifdef MF_EMULATION
    check_block(offset, bytes MF_SITE);
#endif
    return reinterpret_cast<GM_ADDR>(base + offset);
}

/* The object that the heap is to the headers for ranks: they meet and signal in it. */
ACLSHMEM_DEVICE Object object_of_heap(MF_SITE_PARAM_ONLY)
{
    check_record(MF_SITE_ONLY);
    return Object(object_number() MF_SITE);
}

/* Staging buffer of a core for copies of an engine: a part of its unified buffer, and the event for order. */
struct Staging {
    uint64_t offset;
    uint32_t bytes;
    int32_t event;
};

/* Engines that move data, in the order of the record; RDMA is ROCE to kernels. */
enum class Engine : uint32_t { Mte, Sdma, Rdma, Udma };
constexpr uint32_t ENGINES = 4;

/* Settings of a kernel for its own core, by engine; 0 bytes if unset. */
struct Stagings {
    Staging of[ENGINES];
};
__BLOCK_LOCAL__ __inline__ Stagings own_stagings;

/* Sets the staging buffer of the core. Ends the kernel if it is not within the unified buffer. */
template <Engine engine>
ACLSHMEM_DEVICE void set_staging(uint64_t offset, uint32_t bytes, uint32_t event MF_SITE_PARAM)
{
    if (bytes < UB_BLOCK || offset % UB_BLOCK != 0 || event > 5) {
        MF_TRAP("no staging part of the unified buffer: offset %llu, %u bytes, event %u",
                static_cast<unsigned long long>(offset), bytes, event);
    }
    own_stagings.of[static_cast<uint32_t>(engine)] = {offset, bytes, static_cast<int32_t>(event)};
}

template <Engine engine = Engine::Mte> ACLSHMEM_DEVICE Staging staging(MF_SITE_PARAM_ONLY)
{
    constexpr uint32_t NUMBER = static_cast<uint32_t>(engine), ENTRY = RECORD_ENGINES + NUMBER * 16;
    if (own_stagings.of[NUMBER].bytes != 0) {
        return own_stagings.of[NUMBER];
    }
    return {field<uint64_t>(ENTRY MF_SITE), field<uint32_t>(ENTRY + 8 MF_SITE),
            static_cast<int32_t>(field<uint32_t>(ENTRY + 12 MF_SITE))};
}

} // namespace shmem
} // namespace mf

#endif
