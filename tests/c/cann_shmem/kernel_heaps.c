/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels find the heaps of two instances, and the one in host memory, by records in the layout of the
 * generation that is chosen. The first argument is the binary of kernels/heaps.cpp. Runs on an accelerator
 * only. */
#include <shmem.h>
#include <smem/host/mfx.h>
#include <smem/host/smem.h>

#include "acl.h"
#include "kernels/heaps.h"

static mfx_kernel_t binary;
static int me, pes, next, before;

static void launch(const char *kernel, uint32_t blocks, const uint64_t *words, int count)
{
    const mfx_launch_options_t options = { blocks, 0, NULL };
    const int code = mfx_kernel_launch(binary, kernel, NULL, &options, words, 8 * (uint64_t)count);
    if (code != 0) printf("%s: %s\n", kernel, smem_get_last_err_msg());
    CHECK(code == 0);
}

static int32_t word_of(int pe, int salt, int at) { return at == 0 ? salt * 1000 + pe : salt + pe + at; }

static uint64_t number(const void *address) { return (uint64_t)(size_t)address; }

static void fill(void *block, int salt)
{
    int32_t words[HEAP_WORDS] = { 0 };
    for (int i = 0; i < HEAP_COUNT; i++) words[HEAP_FROM + i] = word_of(me, salt, i);
    copy(block, words, sizeof words, TO_DEVICE);
}

static void check(const void *block, int salt)
{
    int32_t words[HEAP_WORDS];
    int wrong = 0;
    copy(words, block, sizeof words, TO_HOST);
    for (int i = 0; i < HEAP_COUNT; i++) {
        wrong += words[HEAP_TO + i] != word_of(before, salt, i) || words[HEAP_GOT + i] != word_of(next, salt, i);
    }
    CHECK(wrong == 0 && words[HEAP_SIGNAL] == salt && words[HEAP_SUM] == (me == 0 ? pes * (pes + 1) / 2 : 0));
}

static char *found;
static uint64_t word_at(int at)
{
    uint64_t word;
    memcpy(&word, found + at, sizeof word);
    return word;
}
static uint32_t half_at(int at)
{
    uint32_t half;
    memcpy(&half, found + at, sizeof half);
    return half;
}

static void check_staging(int at, uint64_t offset, uint32_t bytes, uint32_t event)
{
    CHECK(word_at(at) == offset && half_at(at + 8) == bytes && half_at(at + 12) == event);
}

/* The record of the current instance: `block` lies in its heap, `host` in the one in host memory, or
 * is null. */
static void check_record(void *to, uint64_t instance, const void *block, const void *host, uint64_t sdma_offset)
{
    static char room[COPY_BYTES];
    const char *generation = getenv("MF_SHMEM_GENERATION");
    const int engines = generation == NULL ? 4 : strcmp(generation, "v1.5") == 0 ? 3 : 2, end = 32896 + 16 * engines;
    const uint64_t arguments[] = { number(to), instance, (uint64_t)pes };
    launch("record", 1, arguments, 3);
    copy(room, to, sizeof room, TO_HOST);
    found = room;
    CHECK(half_at(0) == (1U << 16) + (engines == 4 ? 32992 : engines == 3 ? 32976 : 32944));
    CHECK(half_at(4) == (uint32_t)me && half_at(8) == (uint32_t)pes && found[32888] == 1 && found[32889] == 1);
    const uint64_t base = word_at(16), bytes = word_at(16464), distance = number(block) - base;
    CHECK(distance < bytes && word_at(24) == number(host == NULL ? NULL : aclshmemx_get_heap_base(HOST_SIDE)));
    for (int array = 0; array < ARRAYS; array++) {
        const void *own = array < 3 ? block : host;
        const uint64_t start = array < 3 ? base : word_at(24);
        CHECK((word_at(32 + 8 * array) != 0) == (own != NULL));
        for (int pe = 0; pe < pes && own != NULL; pe++) {
            CHECK(word_at(ARRAYS_AT + array * ARRAY_BYTES + 8 * pe) + number(own) - start == number(aclshmem_ptr((void *)(size_t)number(own), pe)));
        }
    }
    for (int pe = 0; pe < pes; pe++) CHECK(found[80 + pe] == (ACLSHMEM_TRANSPORT_MTE | ACLSHMEM_TRANSPORT_SDMA));
    CHECK(found[80 + pes] == 0 && word_at(16472) != 0 && word_at(16480) == 0);
    /* The sync pools lie in front of the heap, 2,560 and 64 bytes for each of 2,048 teams. */
    const uint64_t pool = word_at(32856), counters = word_at(32864), cores = word_at(32872);
    CHECK(pool - base < bytes && counters - pool == 2048 * 2560 && cores - counters == 2048 * 64 && word_at(32880) - cores == 18432);
    check_staging(32896, 0, 16 << 10, 0);
    check_staging(32912, sdma_offset, 64, 0);
    if (engines > 2) check_staging(32928, 190 << 10, 128, 0);
    if (engines > 3) check_staging(32944, 189 << 10, 128, 0);
    /* No queues, no workspace; cycles, and no address of signals. */
    CHECK(word_at(end) == 0 && word_at(end + 8) == 0);
    if (engines > 2) CHECK(word_at(end + 16) - base < bytes && word_at(end + 24) == 0);
}

static void begin(uint64_t instance)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    snprintf(attr.ip_port, sizeof attr.ip_port, "tcp://%s:0", job_host());
    attr.instance_id = instance;
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
}

int main(int count, char **arguments)
{
    me = job_rank(), pes = job_ranks(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    open_acl();
    if (!has_device) {
        printf("skip: there is no libascendcl.so, which kernels need\n");
        return 0;
    }
    CHECK(count == 2);
    char range[32];
    snprintf(range, sizeof range, "%d:%d", job_port(2), job_port(2) + HEAP_INSTANCE);
    setenv("SHMEM_INSTANCE_PORT_RANGE", range, 1);
    begin(0);
    CHECK_CODE(mfx_kernel_load(arguments[1], &binary), 0);
    void *first = aclshmem_malloc(4 * HEAP_WORDS), *results = aclshmem_calloc(1, COPY_BYTES);
    check_record(results, 0, first, NULL, 191 << 10);
    void *host = aclshmemx_malloc(4 * HEAP_WORDS, HOST_SIDE);
    check_record(results, 0, first, host, 191 << 10);
    begin(HEAP_INSTANCE);
    void *second = aclshmem_malloc(4 * HEAP_WORDS);
    CHECK_CODE(aclshmemx_set_sdma_config(100 << 10, 64, 0), 0);
    check_record(results, HEAP_INSTANCE, second, NULL, 100 << 10);
    CHECK_CODE(aclshmemx_instance_ctx_set(0), 0);
    check_record(results, 0, first, host, 191 << 10);

    /* The kernels of these headers know the newest record. */
    for (int turn = 0; turn < 3 && getenv("MF_SHMEM_GENERATION") == NULL; turn++) {
        fill(first, HEAP_SALT), fill(host, HEAP_SALT_OF_HOST), fill(second, HEAP_SALT_OF_SECOND);
        uint64_t wrong[2] = { 9, 9 };
        copy(results, wrong, sizeof wrong, TO_DEVICE);
        aclshmem_barrier_all();
        const uint64_t all[] = { number(first), number(second), number(host), number(results) };
        /* This PE comes when the one before has written to it, and waits. */
        if (turn % pes == me && pes > 1) aclshmem_int32_wait_until((int32_t *)first + HEAP_SIGNAL, ACLSHMEM_CMP_NE, 0);
        launch("heaps", 2, all, 4);
        aclshmem_barrier_all();
        copy(wrong, results, sizeof wrong, TO_HOST);
        CHECK(wrong[0] == 0 && wrong[1] == 0);
        check(first, HEAP_SALT), check(host, HEAP_SALT_OF_HOST), check(second, HEAP_SALT_OF_SECOND);
    }
    CHECK_CODE(aclshmemx_finalize(HEAP_INSTANCE), 0);
    CHECK_CODE(mfx_kernel_unload(binary), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
