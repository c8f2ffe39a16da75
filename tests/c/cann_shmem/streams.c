/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operations on streams: of ACL if available, else of the library. The host never blocks: all of a round is
 * put on streams first, with waits before their signals. */
#include <shmem.h>

#include "acl.h"

enum { COUNT = 1000, ROUNDS = 20 };

static aclrtStream streams[2];

static struct {
    int (*create)(void **stream);
    int (*synchronize)(void *stream);
    int (*destroy)(void *stream);
} runtime;

static void open_runtime(void)
{
    void *library = has_device ? dlopen("libascendcl.so", RTLD_NOW) : NULL;
    runtime.create = aclshmemx_stream_create;
    runtime.synchronize = aclshmemx_stream_synchronize;
    runtime.destroy = aclshmemx_stream_destroy;
    if (has_device) {
        find(library, "aclrtCreateStream", &runtime.create);
        find(library, "aclrtSynchronizeStream", &runtime.synchronize);
        find(library, "aclrtDestroyStream", &runtime.destroy);
    }
    for (int i = 0; i < 2; i++) CHECK_CODE(runtime.create(&streams[i]), 0);
}

static int32_t first_of(const void *address)
{
    int32_t value = -1;
    copy(&value, address, sizeof value, TO_HOST);
    return value;
}

/* A ring: each PE forwards data from the previous PE to the next one when its signal arrives. PE 0 begins,
 * and is last. */
static void ring(int me, int pes, int next)
{
    int32_t *data = (int32_t *)aclshmem_calloc(COUNT, sizeof *data), *signal = (int32_t *)aclshmem_calloc(4, sizeof *signal);
    int32_t own[COUNT];
    for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++) own[i] = round * 1000 + i;
        if (me == 0) copy(data, own, sizeof own, TO_DEVICE);
        aclshmem_barrier_all();
        /* On the second stream the wait, on the first later what ends it, directly or round the ring. */
        aclshmemx_signal_wait_until_on_stream(signal, ACLSHMEM_CMP_GE, round, streams[1]);
        if (me == 0) {
            aclshmemx_putmem_on_stream(data, data, sizeof own, next, streams[0]);
            aclshmemx_signal_op_on_stream(signal, round, ACLSHMEM_SIGNAL_SET, next, streams[0]);
        } else {
            aclshmemx_putmem_signal_on_stream(data, data, sizeof own, signal, 1, ACLSHMEM_SIGNAL_ADD, next, streams[1]);
        }
        for (int i = 0; i < 2; i++) CHECK_CODE(runtime.synchronize(streams[i]), 0);
        CHECK(first_of(data) == round * 1000 && first_of(data + COUNT - 1) == round * 1000 + COUNT - 1);
        CHECK(first_of(signal) == round);
        (void)pes;
    }
    aclshmem_barrier_all();
    aclshmem_free(data);
    aclshmem_free(signal);
}

/* Gets after a barrier on the stream see earlier puts on the streams of all PEs. */
static void barriers(int me, int pes, int next, int before)
{
    int32_t *data = (int32_t *)aclshmem_calloc(4, sizeof *data), *result = (int32_t *)allocate(64), *own = (int32_t *)allocate(64);
    const aclshmem_handle_t all = { ACLSHMEM_TEAM_WORLD };
    for (int round = 1; round <= ROUNDS; round++) {
        const int32_t value = round * 100 + me;
        copy(own, &value, sizeof value, TO_DEVICE);
        aclshmemx_putmem_on_stream(data, own, sizeof value, next, streams[0]);
        switch (round % 4) {
        case 0: aclshmemx_barrier_all_on_stream(streams[0]); break;
        case 1: aclshmemx_barrier_on_stream(ACLSHMEM_TEAM_WORLD, streams[0]); break;
        case 2: aclshmemx_handle_wait(all, streams[0]); break;
        default: aclshmemx_quiet_on_stream(streams[0]), aclshmemx_sync_all_on_stream(streams[0]);
        }
        aclshmemx_getmem_on_stream(result, data, sizeof value, next, streams[0]);
        aclshmemx_getmem_on_stream(result + 1, data, sizeof value, me, streams[0]);
        aclshmemx_sync_on_stream(ACLSHMEM_TEAM_WORLD, streams[0]);
        CHECK_CODE(runtime.synchronize(streams[0]), 0);
        CHECK(first_of(result) == value && first_of(result + 1) == round * 100 + before);
        (void)pes;
    }
    aclshmem_barrier_all();
    release(result);
    release(own);
    aclshmem_free(data);
}

/* The stream that null names. */
static void default_stream(int me, int next, int before)
{
    int32_t *data = (int32_t *)aclshmem_calloc(4, sizeof *data), *own = (int32_t *)allocate(64);
    const int32_t value = 70 + me;
    copy(own, &value, sizeof value, TO_DEVICE);
    aclshmemx_putmem_on_stream(data, own, sizeof value, next, NULL);
    aclshmemx_barrier_all_on_stream(NULL);
    CHECK_CODE(runtime.synchronize(NULL), 0);
    CHECK(first_of(data) == 70 + before);
    aclshmem_barrier_all();
    release(own);
    aclshmem_free(data);
}

/* Refused at once, and nothing is put on the stream. */
static void refused(int pes)
{
    int32_t *data = (int32_t *)aclshmem_calloc(4, sizeof *data), local = 0;
    aclshmemx_putmem_on_stream(data, &local, 4, pes, streams[0]);
    aclshmemx_putmem_on_stream(data, &local, 4, -1, streams[0]);
    aclshmemx_putmem_on_stream(&local, data, 4, 0, streams[0]);
    aclshmemx_putmem_on_stream(NULL, data, 4, 0, streams[0]);
    aclshmemx_getmem_on_stream(NULL, data, 4, 0, streams[0]);
    aclshmemx_signal_op_on_stream(data, 1, 7, 0, streams[0]);
    aclshmemx_signal_op_on_stream((int32_t *)(void *)((char *)data + 1), 1, ACLSHMEM_SIGNAL_SET, 0, streams[0]);
    aclshmemx_signal_op_on_stream(NULL, 1, ACLSHMEM_SIGNAL_SET, 0, streams[0]);
    local = 3;
    aclshmemx_putmem_signal_on_stream(data, &local, 4, (char *)data + 9, 1, ACLSHMEM_SIGNAL_SET, 0, streams[0]);
    aclshmemx_putmem_signal_on_stream(data, &local, 4, &local, 1, ACLSHMEM_SIGNAL_SET, 0, streams[0]);
    local = 0;
    aclshmemx_signal_wait_until_on_stream(data, 9, 1, streams[0]);
    aclshmemx_signal_wait_until_on_stream(NULL, ACLSHMEM_CMP_EQ, 1, streams[0]);
    aclshmemx_barrier_on_stream(-1, streams[0]);
    aclshmemx_barrier_on_stream(77, streams[0]);
    CHECK_CODE(runtime.synchronize(streams[0]), 0);
    CHECK(first_of(data) == 0 && local == 0);
    if (!has_device) {
        int word;
        aclshmemx_putmem_on_stream(data, &local, 4, 0, &word);
        CHECK(aclshmemx_stream_synchronize(&word) != 0 && aclshmemx_stream_destroy(&word) != 0);
        CHECK(aclshmemx_stream_destroy(NULL) != 0 && aclshmemx_stream_create(NULL) != 0);
    }
    aclshmem_free(data);
}

int main(void)
{
    const int me = job_rank(), pes = job_ranks(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    open_acl();
    CHECK(has_device || getenv("MF_TEST_DEVICE") == NULL);
    aclshmemx_init_attr_t attr = job_attributes(0);
    attr.option_attr.control_operation_timeout = 20;
    aclshmemx_quiet_on_stream(NULL); /* before the begin: refused */
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    open_runtime();
    ring(me, pes, next);
    barriers(me, pes, next, before);
    default_stream(me, next, before);
    refused(pes);
    /* An endless wait is on a stream when the library ends. */
    int32_t *signal = (int32_t *)aclshmem_calloc(1, sizeof *signal);
    aclshmemx_signal_wait_until_on_stream(signal, ACLSHMEM_CMP_EQ, 5, streams[1]);
    CHECK_CODE(aclshmem_finalize(), 0);
    for (int i = 0; i < 2; i++) CHECK_CODE(runtime.synchronize(streams[i]), 0);
    for (int i = 0; i < 2; i++) CHECK_CODE(runtime.destroy(streams[i]), 0);
    return check_result();
}
