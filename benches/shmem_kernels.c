// SPDX-License-Identifier: Apache-2.0 OR MIT
// CANN SHMEM in kernels, on the simulator: large copies to and from the next PE beside memcpy, and barriers
// of all cores beside mf_barrier.h's. Figures of the emulation, not of an NPU.
//
//     mf kernel build benches/shmem_kernels.cpp -o kernels.so
//     cc -O2 -D_GNU_SOURCE -Icore/capi/include -Itests/c benches/shmem_kernels.c -o shmem_kernels
//         -Ltarget/release -Wl,-rpath,$PWD/target/release -lmf_smem -lpthread
//     MF_TEST_DEVICE=sim mf sim --devices 8 -- mf run -n 2 -- ./shmem_kernels kernels.so copies
//     MF_TEST_DEVICE=sim mf sim --devices 8 -- mf run -n 8 -- ./shmem_kernels kernels.so meetings [BLOCKS
//     TURNS]
//
// With ASCEND_SIM_KERNELS=eager kernels run without checks.
#include <shmem.h>
#include <smem/host/mfx.h>
#include <smem/host/smem.h>

#include <time.h>

#include "cann_shmem/acl.h"

enum { BYTES = 64 << 20, TIMES = 7, ROUNDS = 25, KINDS = 4 };

static mfx_kernel_t binary;
static int me, pes;

/* Seconds, and those in which a core worked for this process. */
typedef struct {
    double wall, busy;
} moment;

static moment now(void)
{
    struct timespec wall, busy;
    clock_gettime(CLOCK_MONOTONIC, &wall);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &busy);
    return (moment){ (double)wall.tv_sec + (double)wall.tv_nsec / 1e9, (double)busy.tv_sec + (double)busy.tv_nsec / 1e9 };
}

static int is_less(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, is_less);
    return values[count / 2];
}

static void launch(const char *kernel, uint32_t blocks, const uint64_t *words, int count)
{
    const mfx_launch_options_t options = { blocks, 0, NULL };
    const int code = mfx_kernel_launch(binary, kernel, NULL, &options, words, 8 * (uint64_t)count);
    if (code != 0) printf("%s: %s\n", kernel, smem_get_last_err_msg());
    CHECK(code == 0);
}

static void copies(void)
{
    static const char *const kernels[] = { "put_large", "get_large" };
    char *far = (char *)aclshmem_malloc(BYTES), *near = (char *)aclshmem_malloc(BYTES);
    char *one = malloc(BYTES), *two = malloc(BYTES);
    double plain[TIMES], taken[2][TIMES], plain_busy[TIMES], busy[2][TIMES];
    memset(one, 1, BYTES), memset(two, 2, BYTES);
    copy(near, one, BYTES, TO_DEVICE), copy(far, two, BYTES, TO_DEVICE);
    for (int turn = 0; turn < TIMES && me == 0; turn++) {
        const moment begin = now();
        memcpy(two, one, BYTES);
        const moment end = now();
        plain[turn] = end.wall - begin.wall, plain_busy[turn] = end.busy - begin.busy;
        for (int kernel = 0; kernel < 2; kernel++) {
            const uint64_t words[] = { (uint64_t)(size_t)(kernel == 0 ? far : near), (uint64_t)(size_t)(kernel == 0 ? near : far), BYTES,
                                       (uint64_t)(pes - 1) };
            const moment from = now();
            launch(kernels[kernel], 1, words, 4);
            const moment to = now();
            taken[kernel][turn] = to.wall - from.wall, busy[kernel][turn] = to.busy - from.busy;
        }
    }
    aclshmem_barrier_all();
    if (me != 0) return;
    const double base = median(plain, TIMES), base_busy = median(plain_busy, TIMES);
    printf("memcpy of 64 MiB: %.2f GB/s\n", BYTES / base / 1e9);
    for (int kernel = 0; kernel < 2; kernel++) {
        const double seconds = median(taken[kernel], TIMES);
        printf("%s: %.2f GB/s, %.3f of memcpy, by time of the processor %.3f\n", kernels[kernel], BYTES / seconds / 1e9, base / seconds,
               base_busy / median(busy[kernel], TIMES));
    }
}

static void meetings(uint32_t blocks, uint32_t turns)
{
    static const char *const names[KINDS] = { "mf::barrier", "aclshmem_barrier_all", "aclshmem_sync_all", "aclshmemx_barrier_all_vec" };
    int64_t *result = (int64_t *)aclshmem_malloc(64), cycles = 0;
    double taken[KINDS][ROUNDS], ratio[KINDS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        /* Each kind is first, second and so on as often as the others. */
        for (int place = 0; place < KINDS; place++) {
            const int kind = (place + round) % KINDS;
            const uint64_t words[] = { (uint64_t)(size_t)result, turns, (uint64_t)kind };
            launch("meetings", blocks, words, 3);
            aclshmem_barrier_all();
            copy(&cycles, result, sizeof cycles, TO_HOST);
            taken[kind][round] = (double)cycles / 50 / turns;
        }
        for (int kind = 0; kind < KINDS; kind++) ratio[kind][round] = taken[kind][round] / taken[0][round];
    }
    if (me != 0) return;
    printf("%d PEs with %u cores each, %u meetings, medians of %d rounds\n", pes, blocks, turns, ROUNDS);
    for (int kind = 0; kind < KINDS; kind++) {
        printf("%s: %.0f us, %.2f of mf::barrier\n", names[kind], median(taken[kind], ROUNDS), median(ratio[kind], ROUNDS));
    }
}

int main(int count, char **arguments)
{
    CHECK(count >= 3);
    me = job_rank(), pes = job_ranks();
    open_acl();
    aclshmemx_init_attr_t attr = job_attributes(0);
    attr.local_mem_size = 256 << 20;
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    CHECK_CODE(mfx_kernel_load(arguments[1], &binary), 0);
    if (strcmp(arguments[2], "copies") == 0) copies();
    else meetings(count > 3 ? (uint32_t)atoi(arguments[3]) : 8, count > 4 ? (uint32_t)atoi(arguments[4]) : 100);
    CHECK_CODE(mfx_kernel_unload(binary), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
