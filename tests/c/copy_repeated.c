/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Short copies that a thread repeats, served from the library's cache of the last one: any change between two
 * of them is noticed by the next. */
#include "ranks.h"

#include <pthread.h>
#include <time.h>

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define TIMES 4 /* two are found out, the others are repeated */

static smem_bm_t pool;
static char *segments[2];
static char local[64];

static int32_t copy_by(smem_bm_t handle, const void *src, void *dest, uint64_t bytes, smem_bm_copy_type_t type)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = src;
    params.dest = dest;
    params.dataSize = bytes;
    return smem_bm_copy(handle, &params, type, 0);
}

static int32_t copy(const void *src, void *dest, uint64_t bytes, smem_bm_copy_type_t type)
{
    return copy_by(pool, src, dest, bytes, type);
}

static void put(uint32_t rank)
{
    int turn;
    for (turn = 0; turn < TIMES; turn++) OK(copy(local, segments[rank], 8, SMEMB_COPY_H2G));
}

static void get(uint32_t rank)
{
    int turn;
    for (turn = 0; turn < TIMES; turn++) OK(copy(segments[rank], local, 8, SMEMB_COPY_G2H));
}

/* Each length moves its bytes and no others, at each alignment. */
static void lengths(void)
{
    uint64_t bytes, at;
    int turn;
    for (bytes = 1; bytes <= 20; bytes++)
        for (at = 0; at < 4; at++)
            for (turn = 0; turn < TIMES; turn++) {
                char *there = segments[1] + at, back[32];
                fill(local, sizeof local, (unsigned)(100 * bytes + 10 * at) + (unsigned)turn);
                memset(segments[1], 0x5A, 32);
                OK(copy(local + at, there, bytes, SMEMB_COPY_H2G));
                CHECK(memcmp(there, local + at, bytes) == 0 && there[bytes] == 0x5A && (at == 0 || there[-1] == 0x5A));
                memset(back, 0x33, sizeof back);
                OK(copy(there, back + at, bytes, SMEMB_COPY_AUTO));
                CHECK(memcmp(back + at, local + at, bytes) == 0 && back[at + bytes] == 0x33 && (at == 0 || back[at - 1] == 0x33));
            }
}

static void bad_arguments(void)
{
    char *end = segments[1] + 2 * MIB;
    put(1);
    OK(copy(local, end - 8, 8, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, copy(local, end - 7, 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy(local, end, 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy(NULL, segments[1], 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy(local, segments[1], 0, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy(segments[0] - 4, segments[1], 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy((char *)UINTPTR_MAX - 4, segments[1], 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy(local, segments[1], 8, SMEMB_COPY_G2H));
    FAILS(SMEM_INVALID_PARAM, copy(local, segments[1], 8, (smem_bm_copy_type_t)(SMEMB_COPY_H2G + 16)));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy(local, local + 8, 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, copy_by((char *)pool + 65536, local, segments[1], 8, SMEMB_COPY_H2G));
    put(1);
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy(pool, NULL, SMEMB_COPY_H2G, 0));
    /* Addresses in the pool are local memory, too. */
    OK(copy(segments[0], segments[1], 8, SMEMB_COPY_H2G));
    OK(copy(segments[0], segments[1], 8, SMEMB_COPY_G2G));
}

static void *other_thread(void *unused)
{
    (void)unused;
    put(1);
    get(1);
    return NULL;
}

/* Threads that follow each other have the same stack, and the same place in the library. */
static void threads(void)
{
    pthread_t thread;
    int turn;
    put(1);
    for (turn = 0; turn < TIMES; turn++) {
        CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
        put(1);
    }
}

static void child(void)
{
    pid_t process;
    int status = 0;
    put(1);
    fflush(stdout);
    process = fork();
    if (process == 0) {
        FAILS(SMEM_NOT_INIT, copy(local, segments[1], 8, SMEMB_COPY_H2G));
        FAILS(SMEM_NOT_INIT, copy(segments[1], local, 8, SMEMB_COPY_G2H));
        fflush(stdout);
        _exit(check_result());
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
    put(1);
}

static void other_leaves_and_joins_again(uint32_t me)
{
    time_t end = time(NULL) + MEET_S;
    int32_t code = SMEM_OK;
    if (me == 0) put(1);
    meet("it is about to leave");
    if (me == 1) OK(smem_bm_leave(pool, 0));
    if (me == 0) {
        while (code == SMEM_OK && time(NULL) < end) code = copy(local, segments[1], 8, SMEMB_COPY_H2G);
        CHECK(code == SMEM_NOT_CONNECTED);
        FAILS(SMEM_NOT_CONNECTED, copy(segments[1], local, 8, SMEMB_COPY_G2H));
        put(0);
    }
    meet("it has left");
    if (me == 1) OK(smem_bm_join(pool, 0));
    meet("it is back");
    if (me == 0) put(1);
}

static void leaves_and_joins_again(uint32_t me)
{
    if (me == 0) {
        put(1);
        OK(smem_bm_leave(pool, 0));
        FAILS(SMEM_NOT_STARTED, copy(local, segments[1], 8, SMEMB_COPY_H2G));
        OK(smem_bm_join(pool, 0));
        put(1);
        get(0);
    }
    meet("done");
}

/* Bytes that were put to host memory so far. */
static unsigned long long put_bytes(void)
{
    unsigned long long bytes = 0;
    const char *found = strstr(mfx_copies_json(), "\"host\":{");
    if (found != NULL) found = strstr(found, "\"put\":{\"bytes\":");
    CHECK(found != NULL && sscanf(found, "\"put\":{\"bytes\":%llu", &bytes) == 1);
    return bytes;
}

static void counted(void)
{
    unsigned long long before = put_bytes();
    int turn;
    for (turn = 0; turn < 1000; turn++) OK(copy(local, segments[1], 8, SMEMB_COPY_H2G));
    CHECK(put_bytes() - before == 8000);
}

static smem_bm_t joined(uint32_t id)
{
    smem_bm_t made = smem_bm_create(id, 2, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0);
    uint16_t rank;
    OK(smem_bm_join(made, 0));
    meet("joined");
    for (rank = 0; rank < 2; rank++) segments[rank] = (char *)smem_bm_ptr_by_mem_type(made, SMEM_MEM_TYPE_HOST, rank);
    CHECK(segments[0] != NULL && segments[1] != NULL);
    return made;
}

/* Two pools in turns, then one in the place of the other. */
static void pools(uint32_t me)
{
    smem_bm_t first = pool, second;
    char *there = segments[1];
    second = joined(1);
    if (me == 0) {
        int turn;
        for (turn = 0; turn < TIMES; turn++) {
            OK(copy_by(second, local, segments[1], 8, SMEMB_COPY_H2G));
            OK(copy_by(first, local, there, 8, SMEMB_COPY_H2G));
            FAILS(SMEM_INVALID_PARAM, copy_by(first, local, segments[1], 8, SMEMB_COPY_H2G));
        }
    }
    meet("used both");
    smem_bm_destroy(first);
    if (me == 0) FAILS(SMEM_INVALID_PARAM, copy_by(first, local, there, 8, SMEMB_COPY_H2G));
    pool = joined(2);
    if (me == 0) {
        put(1);
        FAILS(SMEM_INVALID_PARAM, copy_by(first, local, segments[1], 8, SMEMB_COPY_H2G));
        put(1);
    }
    meet("used the last");
    smem_bm_destroy(second);
    smem_bm_destroy(pool);
    if (me == 0) FAILS(SMEM_INVALID_PARAM, copy(local, segments[1], 8, SMEMB_COPY_H2G));
}

static int rank_main(uint32_t me)
{
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)me));
    pool = joined(0);
    if (me == 0) {
        lengths();
        bad_arguments();
        threads();
        counted();
        child();
    }
    other_leaves_and_joins_again(me);
    leaves_and_joins_again(me);
    pools(me);
    meet("ended");
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!is_rank()) return run_ranks(2, argv);
    return rank_main(env_u32("RANK"));
}
