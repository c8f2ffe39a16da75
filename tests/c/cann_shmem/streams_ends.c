/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How operations on streams end: streams that are destroyed with waits on them, host memory at the other end,
 * invalid teams. The limits are so long that a call waiting for one would end this program. */
#include <shmem.h>

#include "acl.h"

enum { COUNT = 256, TIMES = 5 };

static int warnings;

/* For an invalid team. */
static void logger(int level, const char *text) { warnings += level == 2 && strstr(text, "there is no team 77") != NULL; }

static struct {
    int (*create)(void **stream);
    int (*synchronize)(void *stream);
    int (*destroy)(void *stream);
    int (*destroy_at_once)(void *stream);
    int (*count)(const char *kind, uint64_t *count);
} runtime;

static void open_runtime(void)
{
    void *library = has_device ? dlopen("libascendcl.so", RTLD_NOW) : NULL;
    runtime.create = aclshmemx_stream_create;
    runtime.synchronize = aclshmemx_stream_synchronize;
    runtime.destroy = runtime.destroy_at_once = aclshmemx_stream_destroy;
    if (!has_device) return;
    find(library, "aclrtCreateStream", &runtime.create);
    find(library, "aclrtSynchronizeStream", &runtime.synchronize);
    find(library, "aclrtDestroyStream", &runtime.destroy);
    find(library, "aclrtDestroyStreamForce", &runtime.destroy_at_once);
    find(library, "ascsim_count", &runtime.count);
}

/* Host memory is read and written in stream order, without blocking the host: a wait is queued before it. */
static void host_memory(int next, int before)
{
    int32_t *data = (int32_t *)aclshmem_calloc(COUNT, sizeof *data), *signal = (int32_t *)aclshmem_calloc(4, sizeof *signal);
    static int32_t source[COUNT], found[COUNT];
    void *stream;
    CHECK_CODE(runtime.create(&stream), 0);
    aclshmemx_signal_wait_until_on_stream(signal, ACLSHMEM_CMP_EQ, 1, stream);
    aclshmemx_putmem_on_stream(data, source, sizeof source, next, stream);
    aclshmemx_barrier_all_on_stream(stream);
    aclshmemx_getmem_on_stream(found, data, sizeof found, job_rank(), stream);
    for (int i = 0; i < COUNT; i++) source[i] = 1000 * job_rank() + i;
    aclshmemx_signal_op_on_stream(signal, 1, ACLSHMEM_SIGNAL_SET, job_rank(), NULL);
    CHECK_CODE(runtime.synchronize(stream), 0);
    CHECK(found[0] == 1000 * before && found[COUNT - 1] == 1000 * before + COUNT - 1);
    CHECK_CODE(runtime.destroy(stream), 0);
    aclshmem_barrier_all();
    aclshmem_free(data);
    aclshmem_free(signal);
}

/* Operations on a destroyed stream are dropped; other streams and the library go on. */
static void destroyed(int next)
{
    int32_t *signal = (int32_t *)aclshmem_calloc(4, sizeof *signal), *data = (int32_t *)aclshmem_calloc(4, sizeof *data);
    void *streams[TIMES], *other;
    uint64_t before = 0, after = 0;
    if (has_device) CHECK_CODE(runtime.count("notify", &before), 0);
    CHECK_CODE(runtime.create(&other), 0);
    for (int i = 0; i < TIMES; i++) {
        CHECK_CODE(runtime.create(&streams[i]), 0);
        aclshmemx_signal_wait_until_on_stream(signal, ACLSHMEM_CMP_EQ, 1, streams[i]);
        aclshmemx_putmem_on_stream(data, data + 1, sizeof *data, next, streams[i]);
        aclshmemx_barrier_all_on_stream(streams[i]);
        CHECK_CODE(runtime.destroy_at_once(streams[i]), 0);
        aclshmemx_quiet_on_stream(other);
        CHECK_CODE(runtime.synchronize(other), 0);
    }
    CHECK_CODE(runtime.destroy(other), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    if (has_device) CHECK_CODE(runtime.count("notify", &after), 0);
    CHECK(after <= before + 1);
}

int main(void)
{
    const int me = job_rank(), pes = job_ranks(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    open_acl();
    CHECK(has_device || getenv("MF_TEST_DEVICE") == NULL);
    open_runtime();
    CHECK_CODE(aclshmemx_set_extern_logger(logger), 0);
    for (int round = 0; round < 2; round++) {
        aclshmemx_init_attr_t attr = job_attributes(round);
        attr.option_attr.control_operation_timeout = 100;
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
        const aclshmem_handle_t none = { 77 };
        warnings = 0;
        aclshmemx_barrier_on_stream(77, NULL);
        aclshmemx_handle_wait(none, NULL);
        aclshmem_barrier(77);
        aclshmemx_barrier_on_stream(ACLSHMEM_TEAM_INVALID, NULL);
        CHECK_CODE(warnings, 3);
        host_memory(next, before);
        destroyed(next);
    }
    return check_result();
}
