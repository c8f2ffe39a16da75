/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Queue pairs and batches of CANN SHMEM in kernels: slices of each core between neighbours, by every
 * engine, on a queue pair of the core's own. The first argument is the binary of kernels/queues.cpp. Runs
 * on an accelerator only. */
#include <shmem.h>
#include <smem/host/mfx.h>
#include <smem/host/smem.h>

#include "acl.h"
#include "kernels/queues.h"

static mfx_kernel_t binary;
static int64_t *memory, found[ALL_WORDS];
static int me, pes, next, before;

static void launch(const char *kernel, int32_t argument)
{
    const mfx_launch_options_t options = { CORES, 0, NULL };
    const uint64_t words[] = { (uint64_t)(size_t)memory, (uint32_t)argument };
    const int code = mfx_kernel_launch(binary, kernel, NULL, &options, words, sizeof words);
    if (code != 0) printf("%s %d: %s\n", kernel, argument, smem_get_last_err_msg());
    CHECK(code == 0);
}

static int64_t word_of(int pe, int at) { return 1000000 * (pe + 1) + at; }

static void clear(void)
{
    memset(found, 0, sizeof found);
    for (int i = 0; i < ALL; i++) found[SOURCE_AT + i] = word_of(me, i);
    copy(memory, found, sizeof found, TO_DEVICE);
    aclshmem_barrier_all();
}

static void fetch(void)
{
    aclshmem_barrier_all();
    copy(found, memory, sizeof found, TO_HOST);
}

static void copy_forms(void)
{
    for (int form = 0; form < FORMS; form++) {
        clear();
        launch("queues", form);
        fetch();
        const int pe = form < FIRST_GET ? before : next;
        int wrong = 0;
        for (int i = 0; i < ALL; i++) wrong += found[TARGET_AT + i] != word_of(pe, i) || found[SOURCE_AT + i] != word_of(me, i);
        if (wrong != 0) printf("form %d: %d words are wrong\n", form, wrong);
        CHECK(wrong == 0);
        const int is_signalled = form == UDMA_PUT_SIGNAL || form == UDMA_PUT_SIGNAL_BUFFER || form == UDMA_SCALAR_SIGNAL ||
            form == UDMA_CONFIGURED_SIGNAL;
        const int is_relayed = form == UDMA_RELAY_BATCH_PUT || form == UDMA_RELAY_BATCH_GET;
        const int is_batch = (form >= UDMA_BATCH_PUT && form <= ROCE_BATCH_QP_PUT) || (form >= UDMA_BATCH_GET && form <= ROCE_BATCH_QP_GET) ||
            (is_relayed && pes > 2);
        for (int core = 0; core < CORES; core++) {
            CHECK(found[SIGNALS_AT + core] == (is_signalled ? (int64_t)(before + 1) << 32 | (core + 1) : 0));
            for (int piece = 0; piece < PIECES; piece++) {
                const int64_t count = is_batch && piece + 1 < PIECES ? piece + 1 : 0;
                CHECK(found[COUNTS_AT + core * PIECES + piece] == count);
            }
        }
    }
}

static void relays_left_out(void)
{
    clear();
    launch("left_out", CORES - 1);
    fetch();
    for (int i = 0; i < ALL; i++) CHECK(found[TARGET_AT + i] == 0);
    CHECK(found[COUNTS_AT] == 1);
}

static void transposed(void)
{
    const int width = pes * CORES;
    for (int how = 0; how < 4; how++) {
        clear();
        for (int i = 0; i < CORES * width; i++) found[SOURCE_AT + i] = 1000 * me + i;
        copy(memory, found, sizeof found, TO_DEVICE);
        aclshmem_barrier_all();
        launch("transposed", how);
        fetch();
        for (int core = 0; core < CORES; core++) CHECK(found[COUNTS_AT + core] == 0);
        CHECK(found[TARGET_AT + width - 1] == 1000 * (pes - 1) + (CORES - 1) * width + me * CORES);
    }
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
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, CORES), 0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    CHECK_CODE(mfx_kernel_load(arguments[1], &binary), 0);
    memory = (int64_t *)aclshmem_malloc(sizeof found);
    copy_forms();
    relays_left_out();
    transposed();
    aclshmem_free(memory);
    CHECK_CODE(mfx_kernel_unload(binary), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
