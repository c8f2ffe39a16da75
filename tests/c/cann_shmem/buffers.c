/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Buffers of the caller as the first part of the heap: in host memory, or physical memory of the device. */
#include <shmem.h>

#include <sys/mman.h>

#include "acl.h"

enum { PAGE = 2 << 20, MOST = 4 };

/* As acl/acl_rt.h has it. */
struct physical_property { int handle_type, allocation_type, attribute; struct { uint32_t id; int type; } location; uint64_t reserve; };

static struct {
    int (*reserve)(void **address, size_t bytes, size_t alignment, void *wish, uint64_t flags);
    int (*release)(void *address);
    int (*allocate)(void **handle, size_t bytes, const struct physical_property *property, uint64_t flags);
    int (*free)(void *handle);
    int (*map)(void *address, size_t bytes, size_t offset, void *handle, uint64_t flags);
    int (*unmap)(void *address);
    int (*share)(void *handle, uint64_t flags, int type, void *shareable);
    const char *(*soc_name)(void);
} memory;

static int me, pes, next, before;

static void open_memory(void)
{
    open_acl();
    if (!has_device) return;
    void *library = dlopen("libascendcl.so", RTLD_NOW);
    find(library, "aclrtReserveMemAddress", &memory.reserve);
    find(library, "aclrtReleaseMemAddress", &memory.release);
    find(library, "aclrtMallocPhysical", &memory.allocate);
    find(library, "aclrtFreePhysical", &memory.free);
    find(library, "aclrtMapMem", &memory.map);
    find(library, "aclrtUnmapMem", &memory.unmap);
    find(library, "aclrtMemExportToShareableHandleV2", &memory.share);
    find(library, "aclrtGetSocName", &memory.soc_name);
}

struct buffer { char *address; size_t bytes; void *handle; };

/* A buffer with its own kind of pages, each filled with a value. */
static struct buffer make(size_t bytes, int value)
{
    struct buffer made = { NULL, bytes, NULL };
    void *address = NULL;
    if (has_device) {
        const struct physical_property property = { 0, 0, 4, { (uint32_t)(me % 2), 1 }, 0 };
        CHECK_CODE(memory.allocate(&made.handle, bytes, &property, 0), 0);
        CHECK_CODE(memory.reserve(&address, bytes, 0, NULL, 1), 0);
        CHECK_CODE(memory.map(address, bytes, 0, made.handle, 0), 0);
    } else {
        address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(address != MAP_FAILED);
    }
    made.address = (char *)address;
    for (size_t at = 0; at < bytes; at += PAGE / 2) {
        const int64_t word = value + (int64_t)at;
        copy(made.address + at, &word, sizeof word, TO_DEVICE);
    }
    return made;
}

static void give_back(const struct buffer *buffer)
{
    if (has_device) {
        CHECK_CODE(memory.unmap(buffer->address), 0);
        CHECK_CODE(memory.release(buffer->address), 0);
        CHECK_CODE(memory.free(buffer->handle), 0);
    } else {
        CHECK(munmap(buffer->address, buffer->bytes) == 0);
    }
}

static int64_t word_at(const void *address)
{
    int64_t word = -1;
    copy(&word, address, sizeof word, TO_HOST);
    return word;
}

static void describe(aclshmemx_buffer_desc_t *to, const struct buffer *from)
{
    memset((void *)to, 0, sizeof *to);
    to->addr = from->address;
    to->size = from->bytes;
}

static int begin(aclshmemx_buffer_desc_t *buffers, size_t count, uint64_t local)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    attr.local_mem_size = local;
    return aclshmemx_init_attr_with_buffers(ACLSHMEMX_INIT_WITH_DEFAULT, &attr, buffers, count);
}

/* Several buffers, then a part for malloc. The caller gives its mappings back after init. */
static void several(void)
{
    struct buffer own[2] = { make(PAGE, 100 * me), make(2 * PAGE, 100 * me + 50) };
    aclshmemx_buffer_desc_t buffers[2];
    aclshmemx_buffer_optional_attr_t optional;
    memset((void *)&optional, 0, sizeof optional);
    for (int i = 0; i < 2; i++) describe(&buffers[i], &own[i]);
    buffers[0].optional_attr = &optional;
    CHECK(aclshmemx_get_buffer_ptr(own[0].address) == NULL);
    CHECK_CODE(begin(buffers, 2, PAGE), 0);
    char *first = (char *)aclshmemx_get_buffer_ptr(own[0].address), *second = (char *)aclshmemx_get_buffer_ptr(own[1].address);
    CHECK(first == aclshmemx_get_heap_base(DEVICE_SIDE) && second == first + PAGE);
    CHECK(aclshmemx_get_buffer_ptr(own[1].address + 77) == second + 77);
    CHECK(aclshmemx_get_buffer_ptr(own[1].address + 2 * PAGE - 1) == second + 2 * PAGE - 1);
    /* The end is outside, unless the other buffer begins there. */
    CHECK(aclshmemx_get_buffer_ptr(own[1].address + 2 * PAGE) == (own[1].address + 2 * PAGE == own[0].address ? first : NULL));
    CHECK(aclshmemx_get_buffer_ptr(&me) == NULL);
    CHECK(aclshmemx_get_buffer_ptr(first) == NULL);
    /* The contents are still there, by both addresses. */
    CHECK(word_at(first) == 100 * me && word_at(second + PAGE) == 100 * me + 50 + PAGE);
    int64_t word = 7000 + me;
    aclshmem_barrier_all();
    aclshmem_putmem(second + 512, &word, sizeof word, next);
    aclshmem_int64_p((int64_t *)(void *)(first + PAGE - 8), 9000 + me, next);
    aclshmem_barrier_all();
    CHECK(word_at(second + 512) == 7000 + before && word_at(own[1].address + 512) == 7000 + before);
    CHECK(word_at(own[0].address + PAGE - 8) == 9000 + before);
    word = 5000 + me;
    copy(own[0].address + 64, &word, sizeof word, TO_DEVICE);
    aclshmem_barrier_all();
    CHECK(aclshmem_int64_g((int64_t *)(void *)(first + 64), next) == 5000 + next);
    aclshmem_barrier_all();
    for (int i = 0; i < 2; i++) give_back(&own[i]);
    aclshmem_int64_p((int64_t *)(void *)(second + 2 * PAGE - 8), 300 + me, next);
    aclshmem_barrier_all();
    CHECK(word_at(second + 2 * PAGE - 8) == 300 + before);
    /* The buffers are no blocks; malloc serves what follows. */
    aclshmem_free(first);
    char *block = (char *)aclshmem_malloc(PAGE);
    CHECK(block == second + 2 * PAGE && aclshmem_malloc(64) == NULL);
    aclshmem_free(block);
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(aclshmemx_get_buffer_ptr(own[0].address) == NULL);
}

/* A buffer alone; with a handle the caller keeps it. */
static void alone(void)
{
    struct buffer own = make(PAGE, me);
    aclshmemx_buffer_desc_t buffer;
    aclshmemx_buffer_optional_attr_t optional;
    memset((void *)&optional, 0, sizeof optional);
    optional.mem_handle = own.handle;
    describe(&buffer, &own);
    buffer.optional_attr = &optional;
    CHECK_CODE(begin(&buffer, 1, 0), 0);
    CHECK(aclshmem_malloc(64) == NULL);
    int64_t *symmetric = (int64_t *)aclshmemx_get_buffer_ptr(own.address);
    aclshmem_int64_p(symmetric + 1, 40 + me, next);
    aclshmem_barrier_all();
    CHECK(word_at(own.address + 8) == 40 + before);
    CHECK_CODE(aclshmem_finalize(), 0);
    /* It is still the caller's. */
    CHECK(word_at(own.address + 8) == 40 + before);
    give_back(&own);
}

/* A buffer that the caller has exported itself, for named processes and for all. Only A3 has such handles. */
static void exported(void)
{
    const int type_fabric = 2, has_fabric = has_device && strncmp(memory.soc_name(), "Ascend910_93", 12) == 0;
    for (uint64_t flags = 0; flags < 2; flags++) {
        struct buffer own = make(PAGE, me);
        uint64_t handle[16] = { 0 };
        aclshmemx_buffer_desc_t buffer;
        aclshmemx_buffer_optional_attr_t optional;
        memset((void *)&optional, 0, sizeof optional);
        if (has_fabric) CHECK_CODE(memory.share(own.handle, flags, type_fabric, handle), 0);
        optional.mem_handle = own.handle;
        optional.fabric_handle = handle;
        describe(&buffer, &own);
        buffer.optional_attr = &optional;
        CHECK_CODE(begin(&buffer, 1, 0), has_fabric ? 0 : -100);
        if (has_fabric) {
            int64_t *symmetric = (int64_t *)aclshmemx_get_buffer_ptr(own.address);
            aclshmem_int64_p(symmetric + 1, 60 + me, next);
            aclshmem_barrier_all();
            CHECK(word_at(own.address + 8) == 60 + before);
            const int is_mapped = pes > 1 && aclshmem_ptr(symmetric, next) != NULL;
            CHECK_CODE(aclshmem_finalize(), 0);
            /* PEs cannot import the first one's by a handle of nothing: all are refused. */
            if (me == 0) memset(handle, 0x5a, sizeof handle);
            CHECK_CODE(begin(&buffer, 1, 0), is_mapped ? -4 : 0);
            if (!is_mapped) CHECK_CODE(aclshmem_finalize(), 0);
        }
        give_back(&own);
    }
}

static void refusals(void)
{
    struct buffer own = make(2 * PAGE, 0), other = make(PAGE, 0);
    aclshmemx_buffer_desc_t good[2], bad[2];
    aclshmemx_buffer_optional_attr_t optional[2];
    describe(&good[0], &own);
    describe(&good[1], &other);
    CHECK_CODE(aclshmemx_init_attr_with_buffers(ACLSHMEMX_INIT_WITH_DEFAULT, NULL, good, 1), -1);
    CHECK_CODE(begin(NULL, 1, PAGE), -1);
    CHECK_CODE(begin(good, 0, PAGE), -1);
    CHECK_CODE(begin(good, 1025, PAGE), -2);
    CHECK_CODE(begin(good, 1, PAGE - 1), -1);
    CHECK_CODE(begin(good, 1, 41ULL << 30), -2);
#define BAD(change, want) do { \
        memcpy((void *)bad, (void *)good, sizeof bad); \
        memset((void *)optional, 0, sizeof optional); \
        change; \
        CHECK_CODE(begin(bad, 2, PAGE), want); \
    } while (0)
    BAD(bad[1].addr = NULL, -1);
    BAD(bad[1].size = 0, -1);
    BAD(bad[1].size = PAGE - 1, -1);
    BAD(bad[1].addr = other.address + 1, -1);
    BAD(bad[0].reserved[4] = 1, -1);
    BAD(bad[0].optional_attr = optional; optional[0].reserved[5] = 1, -1);
    BAD(bad[0].optional_attr = (aclshmemx_buffer_optional_attr_t *)8, -1);
    BAD(bad[0].optional_attr = optional; optional[0].fabric_handle = (const void *)8, -1);
    const char handles[2][128] = { "handle", "handle" };
    BAD(optional[0].fabric_handle = handles[0]; optional[1].fabric_handle = handles[1]; bad[0].optional_attr = &optional[0];
        bad[1].optional_attr = &optional[1], -1);
    BAD(bad[1] = bad[0], -1);
    BAD(bad[1].addr = own.address + PAGE, -1);
    BAD(bad[0].size = UINT64_MAX - 4095, -1);
    BAD(optional[0].mem_handle = optional[1].mem_handle = &me; bad[0].optional_attr = &optional[0]; bad[1].optional_attr = &optional[1], -1);
    /* Another engine, unknown flags, an instance that is there. */
    aclshmemx_init_attr_t attr = job_attributes(0);
    attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_ROCE;
    CHECK_CODE(aclshmemx_init_attr_with_buffers(ACLSHMEMX_INIT_WITH_DEFAULT, &attr, good, 1), -100);
    attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr_with_buffers((aclshmemx_bootstrap_t)4, &attr, good, 1), -1);
    /* PEs with other sizes; then a PE without such memory: all get its status. */
    if (pes > 1) {
        CHECK_CODE(begin(good, me == pes - 1 ? 2 : 1, PAGE), -1);
        memcpy((void *)bad, (void *)good, sizeof bad);
        void *nothing = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        const size_t aligned = ((size_t)nothing + PAGE - 1) / PAGE * PAGE;
        if (me == 1) bad[1].addr = (void *)aligned;
        CHECK_CODE(begin(bad, 2, PAGE), has_device ? -100 : -1);
        munmap(nothing, 2 * PAGE);
    }
    /* A part of an allocation of the device; and memory of aclrtMalloc. */
    if (has_device) {
        BAD(bad[0].size = PAGE, -1);
        BAD(bad[0].addr = own.address + PAGE; bad[0].size = PAGE, -1);
        /* The 950 knows it as an allocation, of which this is a part. */
        void *block = allocate(2 * PAGE);
        memcpy((void *)bad, (void *)good, sizeof bad);
        bad[1].addr = (void *)(((size_t)block + PAGE - 1) / PAGE * PAGE);
        const int code = begin(bad, 2, PAGE);
        CHECK(code == -100 || code == -1);
        release(block);
    }
    CHECK(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
    CHECK_CODE(begin(good, 2, PAGE), 0);
    CHECK_CODE(begin(good, 2, PAGE), -4);
    CHECK_CODE(aclshmem_finalize(), 0);
    give_back(&own);
    give_back(&other);
}

int main(void)
{
    me = job_rank();
    pes = job_ranks();
    next = (me + 1) % pes;
    before = (me + pes - 1) % pes;
    open_memory();
    several();
    alone();
    exported();
    refusals();
    return check_result();
}
