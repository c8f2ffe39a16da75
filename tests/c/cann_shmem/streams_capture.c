/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operations on a stream while it is captured into a graph: copies and signals that are set are in the graph,
 * and done each time that it runs; all else is refused, and leaves the capture as it is. Runs on an
 * accelerator only. */
#include <shmem.h>

#include "acl.h"

enum { COUNT = 1000, RUNS = 5 };

static int refusals;

static void logger(int level, const char *text)
{
    refusals += level == 3 && strstr(text, "the stream is being captured") != NULL;
}

static struct {
    int (*create)(void **stream);
    int (*synchronize)(void *stream);
    int (*destroy)(void *stream);
    int (*begin)(void *stream, int mode);
    int (*info)(void *stream, int *status, void **graph);
    int (*end)(void *stream, void **graph);
    int (*run)(void *graph, void *stream);
    int (*drop)(void *graph);
    int (*allocate_host)(void **to, size_t bytes);
} runtime;

static void open_runtime(void)
{
    void *library = dlopen("libascendcl.so", RTLD_NOW);
    find(library, "aclrtCreateStream", &runtime.create);
    find(library, "aclrtSynchronizeStream", &runtime.synchronize);
    find(library, "aclrtDestroyStream", &runtime.destroy);
    find(library, "aclmdlRICaptureBegin", &runtime.begin);
    find(library, "aclmdlRICaptureGetInfo", &runtime.info);
    find(library, "aclmdlRICaptureEnd", &runtime.end);
    find(library, "aclmdlRIExecuteAsync", &runtime.run);
    find(library, "aclmdlRIDestroy", &runtime.drop);
    find(library, "aclrtMallocHost", &runtime.allocate_host);
}

int main(void)
{
    const int me = job_rank(), pes = job_ranks(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    open_acl();
    if (!has_device) {
        printf("skip: there is no libascendcl.so, whose graphs these are\n");
        return 0;
    }
    open_runtime();
    CHECK_CODE(aclshmemx_set_extern_logger(logger), 0);
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    int32_t *data = (int32_t *)aclshmem_calloc(COUNT, sizeof *data), *signals = (int32_t *)aclshmem_calloc(4, sizeof *signals);
    int32_t *own = (int32_t *)allocate(COUNT * sizeof *own), *found = (int32_t *)allocate(COUNT * sizeof *found);
    int32_t *pinned, local[COUNT] = { 0 };
    CHECK_CODE(runtime.allocate_host((void **)&pinned, COUNT * sizeof *pinned), 0);
    void *stream, *graph = NULL;
    CHECK_CODE(runtime.create(&stream), 0);
    const size_t bytes = COUNT * sizeof *data;
    const int is_mapped = getenv("MF_SHM") == NULL;

    for (int mode = 0; mode < 3; mode++) {
        int status = 0;
        CHECK_CODE(runtime.begin(stream, mode), 0);
        refusals = 0;
        if (is_mapped) {
            /* From device memory that is in no heap, and into host memory that the runtime knows. */
            aclshmemx_putmem_on_stream(data, own, bytes, next, stream);
            aclshmemx_quiet_on_stream(stream);
            aclshmemx_signal_op_on_stream(signals, 7 + mode, ACLSHMEM_SIGNAL_SET, next, stream);
            aclshmemx_putmem_signal_on_stream(data + 1, data + 1, 0, signals + 1, 5, ACLSHMEM_SIGNAL_SET, next, stream);
            aclshmemx_getmem_on_stream(found, data, bytes, me, stream);
            aclshmemx_getmem_on_stream(pinned, data, bytes, next, stream);
            CHECK_CODE(refusals, 0);
        }
        /* Operations that a graph cannot repeat. */
        const aclshmem_handle_t all = { ACLSHMEM_TEAM_WORLD };
        aclshmemx_barrier_all_on_stream(stream);
        aclshmemx_barrier_on_stream(ACLSHMEM_TEAM_WORLD, stream);
        aclshmemx_sync_all_on_stream(stream);
        aclshmemx_handle_wait(all, stream);
        aclshmemx_signal_wait_until_on_stream(signals, ACLSHMEM_CMP_EQ, 1, stream);
        aclshmemx_signal_op_on_stream(signals, 1, ACLSHMEM_SIGNAL_ADD, next, stream);
        aclshmemx_putmem_signal_on_stream(data, own, bytes, signals, 1, ACLSHMEM_SIGNAL_ADD, next, stream);
        aclshmemx_putmem_on_stream(data, local, bytes, next, stream);
        aclshmemx_getmem_on_stream(local, data, bytes, next, stream);
        CHECK_CODE(refusals, 9);
        if (!is_mapped && next != me) {
            aclshmemx_putmem_on_stream(data, own, bytes, next, stream);
            aclshmemx_signal_op_on_stream(signals, 1, ACLSHMEM_SIGNAL_SET, next, stream);
            CHECK_CODE(refusals, 11);
        }
        CHECK_CODE(runtime.info(stream, &status, NULL), 0);
        CHECK(status == 1);
        CHECK_CODE(runtime.end(stream, &graph), 0);
        for (int run = 1; is_mapped && run <= RUNS; run++) {
            int32_t values[COUNT], words[4] = { 0 };
            for (int i = 0; i < COUNT; i++) values[i] = 100 * run + me + i;
            copy(own, values, bytes, TO_DEVICE);
            copy(signals, words, sizeof words, TO_DEVICE);
            aclshmem_barrier_all();
            CHECK_CODE(runtime.run(graph, stream), 0);
            /* Behind a graph on its stream are operations as ever. */
            aclshmemx_signal_wait_until_on_stream(signals, ACLSHMEM_CMP_EQ, 7 + mode, stream);
            CHECK_CODE(runtime.synchronize(stream), 0);
            copy(values, data, bytes, TO_HOST);
            CHECK(values[0] == 100 * run + before && values[COUNT - 1] == 100 * run + before + COUNT - 1);
            CHECK(pinned[0] == 100 * run + me && pinned[COUNT - 1] == 100 * run + me + COUNT - 1);
            aclshmem_signal_wait_until(signals + 1, ACLSHMEM_CMP_EQ, 5);
            aclshmem_barrier_all();
        }
        CHECK_CODE(runtime.drop(graph), 0);
    }
    /* A graph that still runs holds the end up. */
    if (is_mapped) {
        CHECK_CODE(runtime.begin(stream, 0), 0);
        for (int i = 0; i < 200; i++) aclshmemx_putmem_on_stream(data, own, bytes, next, stream);
        CHECK_CODE(runtime.end(stream, &graph), 0);
        CHECK_CODE(runtime.run(graph, stream), 0);
    }
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK_CODE(runtime.synchronize(stream), 0);
    CHECK_CODE(runtime.destroy(stream), 0);
    return check_result();
}
