/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Contexts: of teams, of threads, their order and completion; invalid handles. */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>

#include "../check.h"

enum { THREADS = 4, WORDS = 512, TURNS = 20 };

static int me, pes;
/* For each PE and thread a row of words. */
static long *rows;

/* The call leaves an error that begins with the name of the function and has `text`. */
#define REFUSED(call, function, text) do { \
        (void)smem_get_and_clear_last_err_msg(); \
        CHECK(call); \
        const char *message = smem_get_last_err_msg(); \
        CHECK(strncmp(message, function ": ", strlen(function) + 2) == 0 && strstr(message, text) != NULL); \
    } while (0)

static long *row(int pe, int thread) { return rows + ((size_t)pe * THREADS + (size_t)thread) * WORDS; }

/* Behaviour of a function with an invalid context. */
static void no_context(shmem_ctx_t ctx)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    long word = 7;
    REFUSED((shmem_ctx_long_p(ctx, rows, 1, me), 1), "shmem_ctx_long_p", "context");
    REFUSED((shmem_ctx_putmem(ctx, rows, &word, 8, me), 1), "shmem_ctx_putmem", "context");
    REFUSED((shmem_ctx_long_iget(ctx, &word, rows, 1, 1, 1, me), 1), "shmem_ctx_long_iget", "context");
    REFUSED(shmem_ctx_long_g(ctx, rows, me) == 0, "shmem_ctx_long_g", "context");
    CHECK(word == 7);
    if (ctx == SHMEM_CTX_INVALID) return;
    REFUSED((shmem_ctx_quiet(ctx), 1), "shmem_ctx_quiet", "context");
    REFUSED((shmem_ctx_fence(ctx), 1), "shmem_ctx_fence", "context");
    REFUSED((shmem_ctx_pe_quiet(ctx, &me, 1), 1), "shmem_ctx_pe_quiet", "context");
    REFUSED((shmem_ctx_session_start(ctx, 0, NULL, 0), 1), "shmem_ctx_session_start", "context");
    REFUSED((shmem_ctx_session_stop(ctx), 1), "shmem_ctx_session_stop", "context");
    REFUSED(shmem_ctx_get_team(ctx, &team) != 0 && team == SHMEM_TEAM_INVALID, "shmem_ctx_get_team", "context");
    REFUSED((shmem_ctx_destroy(ctx), 1), "shmem_ctx_destroy", "context");
}

static void handles(void)
{
    shmem_ctx_t gone, ctx;
    shmem_team_t team;
    CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &gone) == 0);
    shmem_ctx_destroy(gone);
    /* Unknown options are ignored. */
    CHECK(shmem_ctx_create(-1L, &ctx) == 0 && ctx != gone && ctx != SHMEM_CTX_DEFAULT);
    no_context(gone);
    no_context(SHMEM_CTX_INVALID);
    no_context((shmem_ctx_t)((uintptr_t)ctx ^ 0x10000));
    no_context((shmem_ctx_t)((uintptr_t)ctx + 1));
    no_context((shmem_ctx_t)(uintptr_t)0xffff);
    no_context((shmem_ctx_t)(void *)&ctx);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team) == 0);
    no_context((shmem_ctx_t)(void *)team);
    shmem_team_destroy(team);
    REFUSED((shmem_ctx_destroy(SHMEM_CTX_DEFAULT), 1), "shmem_ctx_destroy", "default");
    REFUSED(shmem_ctx_create(0, NULL) != 0, "shmem_ctx_create", "null");
    REFUSED(shmem_ctx_get_team(ctx, NULL) != 0, "shmem_ctx_get_team", "null");
    shmem_ctx_destroy(ctx);
}

/* PE numbers on a context follow its team, and the context ends with the team. */
static void of_a_team(void)
{
    shmem_team_t team, found;
    shmem_ctx_t ctx, own;
    const int start = me % 2, size = (pes - start + 1) / 2;
    long value = me + 1, sum = 0;

    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &found, NULL, 0, &team) == 0);
    shmem_team_destroy(found);
    if (pes == 1) CHECK(shmem_team_n_pes(team) == 1);
    else CHECK(shmem_team_n_pes(team) == size && shmem_team_my_pe(team) == me / 2);
    CHECK(shmem_team_create_ctx(team, SHMEM_CTX_NOSTORE, &ctx) == 0 && shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &own) == 0);
    CHECK(shmem_ctx_get_team(ctx, &found) == 0 && found == team);
    for (int pe = 0; pe < shmem_team_n_pes(team); pe++) {
        shmem_ctx_long_atomic_add(ctx, row(0, 3), value, pe);
        CHECK(shmem_ctx_long_atomic_fetch_inc(own, row(0, 3) + 1, pe) >= 0);
        shmem_ctx_long_put_nbi(ctx, row(me, 0), &value, 1, pe);
        shmem_ctx_long_put_signal(own, row(me, 1), &value, 1, (uint64_t *)row(0, 3) + 2, 1, SHMEM_SIGNAL_ADD, pe);
        shmem_ctx_signal_add(own, (uint64_t *)row(0, 3) + 2, 10, pe);
        shmem_ctx_long_iput(own, row(me, 2), &value, 1, 1, 1, pe);
    }
    for (int pe = -1; pe <= shmem_team_n_pes(team); pe += shmem_team_n_pes(team) + 1) {
        REFUSED((shmem_ctx_long_p(ctx, rows, 9, pe), 1), "shmem_ctx_long_p", "PE");
        REFUSED((shmem_ctx_long_atomic_inc(ctx, rows, pe), 1), "shmem_ctx_long_atomic_inc", "PE");
        REFUSED(shmem_ctx_long_g(ctx, rows, pe) == 0, "shmem_ctx_long_g", "PE");
        REFUSED((shmem_ctx_long_iput(ctx, rows, &value, 1, 1, 1, pe), 1), "shmem_ctx_long_iput", "PE");
        REFUSED((shmem_ctx_pe_quiet(ctx, &pe, 1), 1), "shmem_ctx_pe_quiet", "PE");
    }
    REFUSED((shmem_ctx_pe_quiet(ctx, NULL, 1), 1), "shmem_ctx_pe_quiet", "null");
    shmem_ctx_quiet(own);
    /* The context goes with its team, and is completed; the private one stays its thread's. */
    shmem_team_destroy(team);
    no_context(ctx);
    shmem_ctx_quiet(own);
    shmem_ctx_destroy(own);
    no_context(own);
    shmem_sync_all();
    for (int pe = 0; pe < pes; pe++) {
        const long wanted = pes == 1 || pe % 2 == me % 2 ? pe + 1 : 0;
        for (int i = 0; i < 3; i++) CHECK(*row(pe, i) == wanted);
        sum += wanted;
    }
    CHECK(row(0, 3)[0] == sum && row(0, 3)[1] == (pes == 1 ? 1 : size) && row(0, 3)[2] == 11 * row(0, 3)[1]);
    shmem_sync_all();
    memset(rows, 0, (size_t)pes * THREADS * WORDS * sizeof(long));
    shmem_barrier_all();
}

/* Each thread has a context of its own, fills its row at the next PE again and again, and reads it. */
static void *one_of_many(void *argument)
{
    const int thread = (int)(intptr_t)argument, peer = (me + 1) % pes;
    long values[WORDS], found[WORDS];
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
    for (int turn = 1; turn <= TURNS; turn++) {
        for (int i = 0; i < WORDS; i++) values[i] = turn * 1000L + i;
        shmem_ctx_long_put_nbi(ctx, row(me, thread), values, WORDS / 2, peer);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_put(ctx, row(me, thread) + WORDS / 2, values + WORDS / 2, WORDS / 2, peer);
        shmem_ctx_quiet(ctx);
        shmem_ctx_long_get_nbi(ctx, found, row(me, thread), WORDS, peer);
        shmem_ctx_quiet(ctx);
        CHECK(memcmp(values, found, sizeof values) == 0);
    }
    for (int i = 0; i < WORDS; i++) values[i] = thread + i;
    shmem_ctx_long_put_nbi(ctx, row(me, thread), values, WORDS, peer);
    /* It is complete when the context is gone. */
    shmem_ctx_destroy(ctx);
    return NULL;
}

static void of_threads(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, one_of_many, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    shmem_sync_all();
    for (int thread = 0; thread < THREADS; thread++) {
        for (int i = 0; i < WORDS; i++) CHECK(row((me + pes - 1) % pes, thread)[i] == thread + i);
    }
}

/* There is an end, which is no error that lasts. */
static void as_many_as_there_are(void)
{
    static shmem_ctx_t all[70000];
    int count = 0;
    while (count < 70000 && shmem_ctx_create(0, &all[count]) == 0) count++;
    CHECK(count >= 1024 && count < 70000 && all[count] == SHMEM_CTX_INVALID);
    for (int i = 0; i < count; i += count / 7) {
        shmem_ctx_long_p(all[i], rows, i, me);
        CHECK(shmem_ctx_long_g(all[i], rows, me) == i);
    }
    shmem_ctx_destroy(all[3]);
    CHECK(shmem_ctx_create(0, &all[3]) == 0);
    for (int i = 0; i < count; i++) shmem_ctx_destroy(all[i]);
}

int main(void)
{
    shmem_ctx_t left = SHMEM_CTX_DEFAULT;
    int provided;
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    CHECK(shmem_ctx_create(0, &left) != 0 && left == SHMEM_CTX_INVALID);
    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    me = shmem_my_pe();
    pes = shmem_n_pes();
    rows = (long *)shmem_calloc((size_t)pes * THREADS * WORDS, sizeof(long));
    CHECK(rows != NULL);
    handles();
    of_a_team();
    of_threads();
    as_many_as_there_are();
    CHECK(shmem_ctx_create(0, &left) == 0);
    shmem_barrier_all();
    shmem_free(rows);
    shmem_finalize();
    shmem_init();
    rows = (long *)shmem_malloc(sizeof(long));
    no_context(left);
    shmem_finalize();
    return check_result();
}
