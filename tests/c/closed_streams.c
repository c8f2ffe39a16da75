/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Standard streams that are closed, at the start or later: no descriptor of the library takes their numbers, not even for
 * a moment. Threads of each rank write to the closed ones all the time, as a program that prints does; no
 * byte goes anywhere. */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx_cache.h"
#include "smem/host/mfx_hmc.h"
#include "smem/host/smem_trans.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

#define MIB ((uint64_t)1 << 20)
#define HERE "127.0.0.1"
/* Instead of the streams that are closed here, all are closed when the pool is there. */
#define LATER 8

/* Descriptor for this rank's report. */
static int said;
/* Ports that were free before the streams were closed: a socket of this program may get their numbers. */
static uint16_t store_port, listener_port;
static volatile int is_over, taken = -1, reason;

/* Writes to one closed stream until the end. The library may hold its number with a descriptor that cannot be written. */
static void *print(void *stream)
{
    int number = (int)(intptr_t)stream;
    while (!is_over) {
        if (write(number, "printed\n", 8) >= 0 || errno != EBADF) {
            reason = errno;
            taken = number;
        }
        sched_yield();
    }
    return NULL;
}

static void close_streams(int streams, pthread_t *threads, int *count)
{
    int number;
    for (number = 0; number < 3; number++) {
        if (!(streams & (1 << number))) continue;
        close(number);
        if (pthread_create(&threads[(*count)++], NULL, print, (void *)(intptr_t)number) != 0) _exit(4);
    }
}

/* The closed streams are closed still; for a moment the library may hold their numbers. */
static int are_closed(int streams)
{
    int number, tries;
    for (number = 0; number < 3; number++)
        for (tries = 0; streams & (1 << number) && fcntl(number, F_GETFD) != -1; tries++) {
            if (tries > 1000000) return 0;
            sched_yield();
        }
    return 1;
}

static void step(const char *name, int streams)
{
    if (check_failures == 0 && taken < 0 && are_closed(streams)) return;
    dprintf(said, "%s, closed streams %#x: %d failures; stream %d took bytes (errno %d); last error: %s\n", name,
            (unsigned)streams, check_failures, taken, reason, smem_get_last_err_msg());
    _exit(1);
}

static void transfers(void)
{
    static char there[4096], here[4096];
    char url[64], owner[32], other[32];
    smem_trans_config_t config;
    smem_trans_t to, from;
    snprintf(url, sizeof url, "tcp://127.0.0.1:%u", (unsigned)store_port);
    snprintf(owner, sizeof owner, "127.0.0.1:%u", 1 + (unsigned)getpid() % 30000 * 2);
    snprintf(other, sizeof other, "127.0.0.1:%u", 2 + (unsigned)getpid() % 30000 * 2);
    OK(smem_create_config_store(url, 0));
    OK(smem_trans_config_init(&config));
    OK(smem_trans_init(&config));
    to = smem_trans_create(url, owner, &config);
    from = smem_trans_create(url, other, &config);
    CHECK(to != NULL && from != NULL);
    OK(smem_trans_register_mem(to, there, sizeof there, 0));
    OK(smem_trans_register_mem(from, here, sizeof here, 0));
    fill(here, sizeof here, 3);
    OK(smem_trans_write(from, here, owner, there, sizeof here, 0));
    CHECK(filled(there, sizeof there, 3));
    smem_trans_destroy(from, 0);
    smem_trans_destroy(to, 0);
    smem_trans_uninit(0);
}

static void communicators(void)
{
    mfx_hmc_buffer_t theirs, own;
    mfx_hmc_comm_t listener, dialer;
    const uint16_t port = listener_port;
    char got[8] = "";
    OK(mfx_hmc_buffer_create(0, MFX_HMC_CPU, MIB, &theirs));
    OK(mfx_hmc_buffer_create(0, MFX_HMC_CPU, MIB, &own));
    OK(mfx_hmc_comm_create(theirs, 1, &listener));
    OK(mfx_hmc_comm_create(own, 4, &dialer));
    OK(mfx_hmc_comm_listen(listener, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_connect(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_buffer_write(own, "abcdefg", 8, 0, 0));
    OK(mfx_hmc_put(dialer, HERE, port, 0, 100, 8, MFX_HMC_UCX));
    OK(mfx_hmc_buffer_read(theirs, got, 8, 100, 0));
    CHECK(memcmp(got, "abcdefg", 8) == 0);
    OK(mfx_hmc_comm_destroy(dialer));
    OK(mfx_hmc_comm_destroy(listener));
    OK(mfx_hmc_buffer_destroy(theirs));
    OK(mfx_hmc_buffer_destroy(own));
}

static int rank_main(void)
{
    uint32_t rank = env_u32("RANK");
    int chosen = (int)env_u32("MF_TEST_CLOSED"), streams = chosen & LATER ? 0 : chosen, count = 0;
    pthread_t threads[6];
    const char *peer = rank == 0 ? "rank 1" : "rank 0", *own = rank == 0 ? "rank 0" : "rank 1";
    char got[64];
    uint64_t bytes = 0;
    bool found = false;
    smem_bm_t pool;
    mfx_cache_t cache;
    said = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    store_port = free_port();
    listener_port = free_port();
    close_streams(streams, threads, &count);
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)rank));
    step("init", streams);
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_SDMA, 8 * MIB, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    step("join", streams);
    if (chosen & LATER) close_streams(streams = 7, threads, &count);
    OK(mfx_bm_barrier("joined", 2, MEET_S));
    cache = mfx_cache_open(pool, NULL);
    CHECK(cache != NULL);
    OK(mfx_bm_barrier("open", 2, MEET_S));
    OK(mfx_cache_put(cache, own, 6, own, 6, NULL, NULL));
    OK(mfx_bm_barrier("put", 2, MEET_S));
    OK(mfx_cache_get(cache, peer, 6, got, sizeof got, &bytes, &found));
    CHECK(found && bytes == 6 && memcmp(got, peer, 6) == 0);
    step("cache", streams);
    transfers();
    step("transfers", streams);
    communicators();
    step("communicators", streams);
    OK(mfx_bm_barrier("end", 2, MEET_S));
    OK(mfx_cache_close(cache));
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    step("end", streams);
    is_over = 1;
    while (count > 0) pthread_join(threads[--count], NULL);
    return 0;
}

int main(int argc, char **argv)
{
    char text[8];
    int streams, failed = 0;
    (void)argc;
    if (is_rank()) return rank_main();
    setenv("MF_METRICS", "127.0.0.1:0", 1);
    for (streams = 1; streams <= LATER && !failed; streams++) {
        snprintf(text, sizeof text, "%d", streams);
        setenv("MF_TEST_CLOSED", text, 1);
        failed = run_ranks(2, argv);
    }
    /* By connections, too. */
    setenv("MF_SHM", "false", 1);
    setenv("MF_TEST_CLOSED", "7", 1);
    failed = failed || run_ranks(2, argv);
    return failed;
}
