/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Operations of functions.c on each function: TRY_ and the name of its operation, called with the function
 * and the type of its elements. Each PE writes to a place of its own at its right neighbour, and reads it
 * again.
 */
#ifndef MF_TESTS_OPENSHMEM_FUNCTIONS_H
#define MF_TESTS_OPENSHMEM_FUNCTIONS_H

#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>

#include <stdlib.h>

#include "../check.h"

enum { COUNT = 5, PLACE_BYTES = 1024 };

typedef struct { unsigned char bytes[1]; } bits8;
typedef struct { unsigned char bytes[2]; } bits16;
typedef struct { unsigned char bytes[4]; } bits32;
typedef struct { unsigned char bytes[8]; } bits64;
typedef struct { unsigned char bytes[16]; } bits128;

static int me, pes, peer;
/* A place for each PE. */
static char *places;
/* This PE's own place, which it uses at the neighbour. */
static char *mine;
/* A context of a team of all PEs in reverse order, and the number of the neighbour there. */
static shmem_ctx_t on_turned;
static shmem_team_t turned;
static int turned_peer;
/* Written values, and read values; aligned for every type. */
static long double source_words[PLACE_BYTES / sizeof(long double)], found_words[PLACE_BYTES / sizeof(long double)];
static char *const source = (char *)source_words, *const found = (char *)found_words;

/* Contributions of PEs to collective calls, and a lock with its protected data. */
static size_t area_bytes;
static char *given, *taken;
static long *sync_words, *lock_words;

/* Bytes that differ from the last call's. */
static void fill(void)
{
    static unsigned state = 1;
    for (int i = 0; i < PLACE_BYTES; i++) {
        state = state * 1103515245U + 12345U;
        source[i] = (char)(state >> 16);
    }
    memset(found, 0, PLACE_BYTES);
}

static void begin(void)
{
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    peer = (me + 1) % pes;
    places = (char *)shmem_calloc((size_t)pes, PLACE_BYTES);
    mine = places + (size_t)me * PLACE_BYTES;
    CHECK(places != NULL);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &turned) == 0);
    CHECK(shmem_team_create_ctx(turned, 0, &on_turned) == 0);
    turned_peer = pes - 1 - peer;
    area_bytes = (size_t)pes * COUNT * 3 * sizeof(long double);
    given = (char *)shmem_malloc(area_bytes);
    taken = (char *)shmem_malloc(area_bytes);
    sync_words = (long *)shmem_calloc(SHMEM_SYNC_SIZE, sizeof(long));
    lock_words = (long *)shmem_calloc(2, sizeof(long));
    CHECK(given != NULL && taken != NULL && sync_words != NULL && lock_words != NULL);
}

static int end(void)
{
    shmem_ctx_destroy(on_turned);
    shmem_team_destroy(turned);
    shmem_barrier_all();
    shmem_free(places);
    shmem_free(given);
    shmem_free(taken);
    shmem_free(sync_words);
    shmem_free(lock_words);
    shmem_finalize();
    return check_result();
}

#define COMMA ,
#define ON_DEFAULT SHMEM_CTX_DEFAULT COMMA
#define ON_TURNED on_turned COMMA
#define NOTHING ((void)0)

/* The neighbour's place has the written values, element i at i * stride. */
#define WRITTEN(T, stride, from_stride) do { \
        shmem_quiet(); \
        shmem_ctx_quiet(on_turned); \
        shmem_getmem(found, mine, PLACE_BYTES, peer); \
        for (size_t i = 0; i < COUNT; i++) { \
            CHECK(memcmp(found + i * (stride) * sizeof(T), source + i * (from_stride) * sizeof(T), sizeof(T)) == 0); \
        } \
    } while (0)
/* The read values equal the neighbour's place. */
#define READ(T, stride, from_stride) do { \
        for (size_t i = 0; i < COUNT; i++) { \
            CHECK(memcmp(found + i * (stride) * sizeof(T), source + i * (from_stride) * sizeof(T), sizeof(T)) == 0); \
        } \
    } while (0)
#define SEND do { fill(); shmem_putmem(mine, source, PLACE_BYTES, peer); shmem_quiet(); } while (0)

#define PUT(f, T, ctx, pe) do { fill(); f(ctx (T *)mine, (const T *)source, COUNT, pe); WRITTEN(T, 1, 1); } while (0)
#define GET(f, T, ctx, pe) do { SEND; f(ctx (T *)found, (const T *)mine, COUNT, pe); shmem_quiet(); shmem_ctx_quiet(on_turned); READ(T, 1, 1); } while (0)
#define IPUT(f, T, ctx, pe) \
    do { fill(); f(ctx (T *)mine, (const T *)source, 2, 3, COUNT, pe); WRITTEN(T, 2, 3); } while (0)
#define IGET(f, T, ctx, pe) do { SEND; f(ctx (T *)found, (const T *)mine, 3, 2, COUNT, pe); READ(T, 3, 2); } while (0)
/* Blocks of two elements; what lies between them stays. */
static const char nothing[PLACE_BYTES] = {0};
#define IBLOCKS(T, stride, from_stride) do { \
        for (size_t i = 0; i < COUNT; i++) { \
            const char *to = found + i * (stride) * sizeof(T); \
            CHECK(memcmp(to, source + i * (from_stride) * sizeof(T), 2 * sizeof(T)) == 0); \
            CHECK(memcmp(to + 2 * sizeof(T), nothing, sizeof(T)) == 0); \
        } \
    } while (0)
#define IBPUT(f, T, ctx, pe) do { \
        fill(); \
        shmem_putmem(mine, nothing, PLACE_BYTES, peer); \
        shmem_quiet(); \
        f(ctx (T *)mine, (const T *)source, 3, 4, 2, COUNT, pe); \
        shmem_ctx_quiet(on_turned); \
        shmem_quiet(); \
        shmem_getmem(found, mine, PLACE_BYTES, peer); \
        IBLOCKS(T, 3, 4); \
    } while (0)
#define IBGET(f, T, ctx, pe) do { \
        SEND; \
        f(ctx (T *)found, (const T *)mine, 3, 4, 2, COUNT, pe); \
        IBLOCKS(T, 3, 4); \
    } while (0)
/* A value that every type has. */
#define P(f, T, ctx, pe) do { \
        const T value = (T)(rand() % 100); \
        f(ctx (T *)mine, value, pe); \
        shmem_quiet(); \
        shmem_ctx_quiet(on_turned); \
        shmem_getmem(found, mine, sizeof(T), peer); \
        CHECK(*(T *)found == value); \
    } while (0)
#define G(f, T, ctx, pe) do { \
        const T value = (T)(rand() % 100); \
        shmem_putmem(mine, &value, sizeof(T), peer); \
        shmem_quiet(); \
        CHECK(f(ctx (const T *)mine, pe) == value); \
    } while (0)

#define TRY_put(f, T) PUT(f, T, , peer)
#define TRY_put_nbi(f, T) PUT(f, T, , peer)
#define TRY_ctx_put(f, T) PUT(f, T, ON_TURNED, turned_peer)
#define TRY_ctx_put_nbi(f, T) PUT(f, T, ON_TURNED, turned_peer)
#define TRY_get(f, T) GET(f, T, , peer)
#define TRY_get_nbi(f, T) GET(f, T, , peer)
#define TRY_ctx_get(f, T) GET(f, T, ON_TURNED, turned_peer)
#define TRY_ctx_get_nbi(f, T) GET(f, T, ON_TURNED, turned_peer)
#define TRY_putmem(f, T) PUT(f, char, , peer)
#define TRY_putmem_nbi(f, T) PUT(f, char, , peer)
#define TRY_ctx_putmem(f, T) PUT(f, char, ON_TURNED, turned_peer)
#define TRY_ctx_putmem_nbi(f, T) PUT(f, char, ON_TURNED, turned_peer)
#define TRY_getmem(f, T) GET(f, char, , peer)
#define TRY_getmem_nbi(f, T) GET(f, char, , peer)
#define TRY_ctx_getmem(f, T) GET(f, char, ON_TURNED, turned_peer)
#define TRY_ctx_getmem_nbi(f, T) GET(f, char, ON_TURNED, turned_peer)
#define TRY_iput(f, T) IPUT(f, T, , peer)
#define TRY_ctx_iput(f, T) IPUT(f, T, ON_TURNED, turned_peer)
#define TRY_iget(f, T) IGET(f, T, , peer)
#define TRY_ctx_iget(f, T) IGET(f, T, ON_TURNED, turned_peer)
#define TRY_ibput(f, T) IBPUT(f, T, , peer)
#define TRY_ctx_ibput(f, T) IBPUT(f, T, ON_TURNED, turned_peer)
#define TRY_ibget(f, T) IBGET(f, T, , peer)
#define TRY_ctx_ibget(f, T) IBGET(f, T, ON_TURNED, turned_peer)
#define TRY_p(f, T) P(f, T, , peer)
#define TRY_ctx_p(f, T) P(f, T, ON_TURNED, turned_peer)
#define TRY_g(f, T) G(f, T, , peer)
#define TRY_ctx_g(f, T) G(f, T, ON_TURNED, turned_peer)

/* The signal is behind the data. No element: the signal alone. */
#define SIGNAL ((uint64_t *)(mine + 512))
#define SIGNALLED(expected) CHECK(shmem_uint64_g(SIGNAL, peer) == (expected))
#define PUT_SIGNAL(f, T, ctx) do { \
        fill(); \
        f(ctx (T *)mine, (const T *)source, COUNT, SIGNAL, 7, SHMEM_SIGNAL_SET, peer); \
        WRITTEN(T, 1, 1); \
        SIGNALLED(7); \
        fill(); \
        f(ctx (T *)mine, (const T *)source, COUNT, SIGNAL, 5, SHMEM_SIGNAL_ADD, peer); \
        WRITTEN(T, 1, 1); \
        SIGNALLED(12); \
        f(ctx NULL, NULL, 0, SIGNAL, UINT64_MAX, SHMEM_SIGNAL_ADD, peer); \
        WRITTEN(T, 1, 1); \
        SIGNALLED(11); \
    } while (0)
#define TRY_put_signal(f, T) PUT_SIGNAL(f, T, )
#define TRY_put_signal_nbi(f, T) PUT_SIGNAL(f, T, )
#define TRY_ctx_put_signal(f, T) PUT_SIGNAL(f, T, ON_DEFAULT)
#define TRY_ctx_put_signal_nbi(f, T) PUT_SIGNAL(f, T, ON_DEFAULT)
#define TRY_putmem_signal(f, T) PUT_SIGNAL(f, char, )
#define TRY_putmem_signal_nbi(f, T) PUT_SIGNAL(f, char, )
#define TRY_ctx_putmem_signal(f, T) PUT_SIGNAL(f, char, ON_DEFAULT)
#define TRY_ctx_putmem_signal_nbi(f, T) PUT_SIGNAL(f, char, ON_DEFAULT)
#define UPDATES(call, before, after) \
    do { shmem_uint64_atomic_set(SIGNAL, before, peer); call; shmem_quiet(); SIGNALLED(after); } while (0)
#define TRY_signal_set(f, T) UPDATES(f(SIGNAL, 9, peer), 5, 9)
#define TRY_ctx_signal_set(f, T) UPDATES(f(SHMEM_CTX_DEFAULT, SIGNAL, 9, peer), 5, 9)
#define TRY_signal_add(f, T) UPDATES(f(SIGNAL, 9, peer), 5, 14)
#define TRY_ctx_signal_add(f, T) UPDATES(f(SHMEM_CTX_DEFAULT, SIGNAL, 9, peer), 5, 14)

/* A word of this PE that its left neighbour has put, or puts soon, when all have seen the last one: all
 * put the same. */
#define ARRIVES(T, value) \
    T value = (T)(++round_of_puts % 100 + 1); \
    shmem_barrier_all(); \
    shmem_putmem(mine + 768, &value, sizeof(T), peer)
#define ARRIVED(T) ((T *)(places + (size_t)((me + pes - 1) % pes) * PLACE_BYTES + 768))
static int round_of_puts;
/* Words of this PE that no other writes: 5, 6, 7, 8, of which the third is not in the set of `but_third`. */
#define WORDS(T) T *const words = (T *)(mine + 640); for (int i = 0; i < 4; i++) words[i] = (T)(5 + i)
static const int but_third[4] = {0, 0, 3, 0}, none_in[4] = {1, -1, 2, 3};
#define ALL_OF(T) const T each[4] = {(T)5, (T)6, (T)0, (T)8}
#define NONE_OF(T) const T none_of[4] = {(T)1, (T)1, (T)7, (T)1}

#define WAIT_UNTIL(f, T) do { \
        WORDS(T); \
        f(words, SHMEM_CMP_EQ, (T)5); \
        f(words, SHMEM_CMP_NE, (T)4); \
        f(words, SHMEM_CMP_GT, (T)4); \
        f(words, SHMEM_CMP_GE, (T)5); \
        f(words, SHMEM_CMP_LT, (T)6); \
        f(words, SHMEM_CMP_LE, (T)5); \
        words[0] = (T)-1; \
        f(words, (T)-1 < (T)1 ? SHMEM_CMP_LT : SHMEM_CMP_GT, (T)1); \
        ARRIVES(T, value); \
        f(ARRIVED(T), SHMEM_CMP_EQ, value); \
        CHECK(*ARRIVED(T) == value); \
    } while (0)
#define TRY_wait_until(f, T) WAIT_UNTIL(f, T)
#define TRY_wait(f, T) do { WORDS(T); f(words, (T)4); f(words + 1, (T)5); } while (0)
#define TRY_test(f, T) do { \
        WORDS(T); \
        CHECK(f(words, SHMEM_CMP_EQ, (T)5) == 1 && f(words, SHMEM_CMP_EQ, (T)6) == 0); \
        CHECK(f(words, SHMEM_CMP_NE, (T)5) == 0 && f(words, SHMEM_CMP_NE, (T)6) == 1); \
        CHECK(f(words, SHMEM_CMP_GT, (T)5) == 0 && f(words, SHMEM_CMP_GE, (T)5) == 1); \
        CHECK(f(words, SHMEM_CMP_LT, (T)5) == 0 && f(words, SHMEM_CMP_LE, (T)5) == 1); \
        ARRIVES(T, value); \
        while (!f(ARRIVED(T), SHMEM_CMP_EQ, value)) {} \
        CHECK(*ARRIVED(T) == value); \
    } while (0)
#define TRY_wait_until_all(f, T) do { \
        WORDS(T); \
        words[2] = (T)0; \
        f(words, 4, but_third, SHMEM_CMP_GE, (T)5); \
        f(words, 2, NULL, SHMEM_CMP_LE, (T)6); \
        f(words, 4, none_in, SHMEM_CMP_EQ, (T)1); \
        f(NULL, 0, NULL, SHMEM_CMP_EQ, (T)1); \
        ARRIVES(T, value); \
        f(ARRIVED(T), 1, NULL, SHMEM_CMP_EQ, value); \
    } while (0)
#define TRY_wait_until_all_vector(f, T) do { \
        WORDS(T); \
        ALL_OF(T); \
        f(words, 4, but_third, SHMEM_CMP_EQ, each); \
        f(words, 4, none_in, SHMEM_CMP_NE, each); \
        f(NULL, 0, NULL, SHMEM_CMP_EQ, NULL); \
        ARRIVES(T, value); \
        f(ARRIVED(T), 1, NULL, SHMEM_CMP_EQ, &value); \
    } while (0)
#define ANY(f, T, values, sixth, seventh) do { \
        WORDS(T); \
        ALL_OF(T); \
        (void)each; \
        CHECK(f(words, 4, but_third, SHMEM_CMP_EQ, sixth) == 1); \
        CHECK(f(words, 4, NULL, SHMEM_CMP_EQ, seventh) == 2); \
        CHECK(f(words, 4, none_in, SHMEM_CMP_EQ, sixth) == SIZE_MAX); \
        CHECK(f(NULL, 0, NULL, SHMEM_CMP_EQ, values) == SIZE_MAX); \
    } while (0)
#define TRY_wait_until_any(f, T) do { \
        ANY(f, T, (T)6, (T)6, (T)7); \
        ARRIVES(T, value); \
        CHECK(f(ARRIVED(T), 1, NULL, SHMEM_CMP_EQ, value) == 0); \
    } while (0)
#define ANY_VECTOR(f, T) do { \
        const T sixth[4] = {(T)0, (T)6, (T)7, (T)0}, seventh[4] = {(T)0, (T)0, (T)7, (T)0}; \
        ANY(f, T, NULL, sixth, seventh); \
    } while (0)
#define TRY_wait_until_any_vector(f, T) do { \
        ANY_VECTOR(f, T); \
        ARRIVES(T, value); \
        CHECK(f(ARRIVED(T), 1, NULL, SHMEM_CMP_EQ, &value) == 0); \
    } while (0)
#define TRY_test_any(f, T) do { \
        ANY(f, T, (T)6, (T)6, (T)7); \
        WORDS(T); \
        CHECK(f(words, 4, but_third, SHMEM_CMP_EQ, (T)7) == SIZE_MAX); \
    } while (0)
#define TRY_test_any_vector(f, T) do { \
        ANY_VECTOR(f, T); \
        WORDS(T); \
        NONE_OF(T); \
        CHECK(f(words, 4, but_third, SHMEM_CMP_EQ, none_of) == SIZE_MAX); \
    } while (0)
/* `many` satisfy all but the first; ignored elements are not among the indices. */
#define SOME(f, T, many) do { \
        WORDS(T); \
        size_t indices[4] = {9, 9, 9, 9}; \
        CHECK(f(words, 4, indices, but_third, SHMEM_CMP_GT, many) == 2); \
        CHECK(indices[0] == 1 && indices[1] == 3); \
        CHECK(f(words, 4, indices, NULL, SHMEM_CMP_GT, many) == 3 && indices[1] == 2); \
        CHECK(f(words, 4, indices, none_in, SHMEM_CMP_GT, many) == 0); \
        CHECK(f(NULL, 0, NULL, NULL, SHMEM_CMP_GT, many) == 0); \
    } while (0)
#define SOME_VECTOR(f, T) do { const T many[4] = {(T)5, (T)5, (T)6, (T)7}; SOME(f, T, many); } while (0)
#define TRY_wait_until_some(f, T) SOME(f, T, (T)5)
#define TRY_wait_until_some_vector(f, T) SOME_VECTOR(f, T)
#define TRY_test_some(f, T) do { \
        SOME(f, T, (T)5); \
        WORDS(T); \
        size_t indices[4]; \
        CHECK(f(words, 4, indices, NULL, SHMEM_CMP_GT, (T)8) == 0); \
    } while (0)
#define TRY_test_some_vector(f, T) do { \
        SOME_VECTOR(f, T); \
        WORDS(T); \
        NONE_OF(T); \
        size_t indices[4]; \
        CHECK(f(words, 4, indices, but_third, SHMEM_CMP_EQ, none_of) == 0); \
    } while (0)
#define TRY_test_all(f, T) do { \
        WORDS(T); \
        CHECK(f(words, 4, NULL, SHMEM_CMP_GE, (T)5) == 1 && f(words, 4, NULL, SHMEM_CMP_GE, (T)6) == 0); \
        CHECK(f(words, 4, but_third, SHMEM_CMP_NE, (T)7) == 1 && f(words, 4, NULL, SHMEM_CMP_NE, (T)7) == 0); \
        CHECK(f(words, 4, none_in, SHMEM_CMP_LT, (T)1) == 1 && f(NULL, 0, NULL, SHMEM_CMP_EQ, (T)1) == 1); \
    } while (0)
#define TRY_test_all_vector(f, T) do { \
        WORDS(T); \
        ALL_OF(T); \
        CHECK(f(words, 4, but_third, SHMEM_CMP_EQ, each) == 1 && f(words, 4, NULL, SHMEM_CMP_EQ, each) == 0); \
        CHECK(f(words, 4, none_in, SHMEM_CMP_NE, each) == 1 && f(NULL, 0, NULL, SHMEM_CMP_EQ, NULL) == 1); \
    } while (0)
#define TRY_signal_fetch(f, T) \
    do { uint64_t *word = (uint64_t *)(mine + 640); *word = UINT64_MAX - 1; CHECK(f(word) == UINT64_MAX - 1); } while (0)
#define TRY_signal_wait_until(f, T) do { \
        uint64_t *word = (uint64_t *)(mine + 640); \
        *word = UINT64_MAX; \
        CHECK(f(word, SHMEM_CMP_GT, 5) == UINT64_MAX && f(word, SHMEM_CMP_NE, 5) == UINT64_MAX); \
        ARRIVES(uint64_t, value); \
        CHECK(f(ARRIVED(uint64_t), SHMEM_CMP_EQ, value) == value); \
    } while (0)

/* A word of the neighbour's place: `before` is there; `call`; `after` is there. */
#define CHANGES(T, before, call, after) do { \
        const T first = (T)(before), last = (T)(after); \
        T then = (T)0; \
        shmem_putmem(mine, &first, sizeof(T), peer); \
        shmem_quiet(); \
        call; \
        shmem_quiet(); \
        shmem_getmem(&then, mine, sizeof(T), peer); \
        CHECK(then == last); \
    } while (0)
/* The old value is the result, or comes with quiet. */
#define FETCHES(T, before, call, after) CHANGES(T, before, CHECK((call) == (T)(before)), after)
#define FETCHES_NBI(T, before, f, ctx, arguments, after) do { \
        T old = (T)0; \
        CHANGES(T, before, f(ctx &old, (T *)mine arguments, peer), after); \
        CHECK(old == (T)(before)); \
    } while (0)
#define WITH(value) COMMA (value)

#define FETCH(f, T, ctx) FETCHES(T, 75, f(ctx (const T *)mine, peer), 75)
#define SET(f, T, ctx) CHANGES(T, 75, f(ctx (T *)mine, (T)12, peer), 12)
#define SWAP(f, T, ctx) FETCHES(T, 75, f(ctx (T *)mine, (T)12, peer), 12)
#define CSWAP(f, T, ctx) do { \
        FETCHES(T, 75, f(ctx (T *)mine, (T)75, (T)12, peer), 12); \
        FETCHES(T, 75, f(ctx (T *)mine, (T)74, (T)12, peer), 75); \
    } while (0)
#define FINC(f, T, ctx) FETCHES(T, -1, f(ctx (T *)mine, peer), 0)
#define INC(f, T, ctx) CHANGES(T, -1, f(ctx (T *)mine, peer), 0)
#define FADD(f, T, ctx) FETCHES(T, 75, f(ctx (T *)mine, (T)-80, peer), -5)
#define ADD(f, T, ctx) CHANGES(T, 75, f(ctx (T *)mine, (T)-80, peer), -5)
#define FAND(f, T, ctx) FETCHES(T, 12, f(ctx (T *)mine, (T)10, peer), 8)
#define AND(f, T, ctx) CHANGES(T, 12, f(ctx (T *)mine, (T)10, peer), 8)
#define FOR(f, T, ctx) FETCHES(T, 12, f(ctx (T *)mine, (T)10, peer), 14)
#define OR(f, T, ctx) CHANGES(T, 12, f(ctx (T *)mine, (T)10, peer), 14)
#define FXOR(f, T, ctx) FETCHES(T, 12, f(ctx (T *)mine, (T)10, peer), 6)
#define XOR(f, T, ctx) CHANGES(T, 12, f(ctx (T *)mine, (T)10, peer), 6)

#define TRY_atomic_fetch(f, T) FETCH(f, T, )
#define TRY_ctx_atomic_fetch(f, T) FETCH(f, T, ON_DEFAULT)
#define TRY_atomic_set(f, T) SET(f, T, )
#define TRY_ctx_atomic_set(f, T) SET(f, T, ON_DEFAULT)
#define TRY_atomic_swap(f, T) SWAP(f, T, )
#define TRY_ctx_atomic_swap(f, T) SWAP(f, T, ON_DEFAULT)
#define TRY_atomic_compare_swap(f, T) CSWAP(f, T, )
#define TRY_ctx_atomic_compare_swap(f, T) CSWAP(f, T, ON_DEFAULT)
#define TRY_atomic_fetch_inc(f, T) FINC(f, T, )
#define TRY_ctx_atomic_fetch_inc(f, T) FINC(f, T, ON_DEFAULT)
#define TRY_atomic_inc(f, T) INC(f, T, )
#define TRY_ctx_atomic_inc(f, T) INC(f, T, ON_DEFAULT)
#define TRY_atomic_fetch_add(f, T) FADD(f, T, )
#define TRY_ctx_atomic_fetch_add(f, T) FADD(f, T, ON_DEFAULT)
#define TRY_atomic_add(f, T) ADD(f, T, )
#define TRY_ctx_atomic_add(f, T) ADD(f, T, ON_DEFAULT)
#define TRY_atomic_fetch_and(f, T) FAND(f, T, )
#define TRY_ctx_atomic_fetch_and(f, T) FAND(f, T, ON_DEFAULT)
#define TRY_atomic_and(f, T) AND(f, T, )
#define TRY_ctx_atomic_and(f, T) AND(f, T, ON_DEFAULT)
#define TRY_atomic_fetch_or(f, T) FOR(f, T, )
#define TRY_ctx_atomic_fetch_or(f, T) FOR(f, T, ON_DEFAULT)
#define TRY_atomic_or(f, T) OR(f, T, )
#define TRY_ctx_atomic_or(f, T) OR(f, T, ON_DEFAULT)
#define TRY_atomic_fetch_xor(f, T) FXOR(f, T, )
#define TRY_ctx_atomic_fetch_xor(f, T) FXOR(f, T, ON_DEFAULT)
#define TRY_atomic_xor(f, T) XOR(f, T, )
#define TRY_ctx_atomic_xor(f, T) XOR(f, T, ON_DEFAULT)
#define TRY_fetch(f, T) FETCH(f, T, )
#define TRY_set(f, T) SET(f, T, )
/* Functions without a type are of long. */
typedef long none;
#define TRY_swap(f, T) SWAP(f, T, )
#define TRY_cswap(f, T) CSWAP(f, T, )
#define TRY_finc(f, T) FINC(f, T, )
#define TRY_inc(f, T) INC(f, T, )
#define TRY_fadd(f, T) FADD(f, T, )
#define TRY_add(f, T) ADD(f, T, )

#define TRY_atomic_fetch_nbi(f, T) FETCHES_NBI(T, 75, f, , , 75)
#define TRY_ctx_atomic_fetch_nbi(f, T) FETCHES_NBI(T, 75, f, ON_DEFAULT, , 75)
#define TRY_atomic_swap_nbi(f, T) FETCHES_NBI(T, 75, f, , WITH((T)12), 12)
#define TRY_ctx_atomic_swap_nbi(f, T) FETCHES_NBI(T, 75, f, ON_DEFAULT, WITH((T)12), 12)
#define TRY_atomic_compare_swap_nbi(f, T) FETCHES_NBI(T, 75, f, , WITH((T)75) WITH((T)12), 12)
#define TRY_ctx_atomic_compare_swap_nbi(f, T) FETCHES_NBI(T, 75, f, ON_DEFAULT, WITH((T)74) WITH((T)12), 75)
#define TRY_atomic_fetch_inc_nbi(f, T) FETCHES_NBI(T, -1, f, , , 0)
#define TRY_ctx_atomic_fetch_inc_nbi(f, T) FETCHES_NBI(T, -1, f, ON_DEFAULT, , 0)
#define TRY_atomic_fetch_add_nbi(f, T) FETCHES_NBI(T, 75, f, , WITH((T)-80), -5)
#define TRY_ctx_atomic_fetch_add_nbi(f, T) FETCHES_NBI(T, 75, f, ON_DEFAULT, WITH((T)-80), -5)
#define TRY_atomic_fetch_and_nbi(f, T) FETCHES_NBI(T, 12, f, , WITH((T)10), 8)
#define TRY_ctx_atomic_fetch_and_nbi(f, T) FETCHES_NBI(T, 12, f, ON_DEFAULT, WITH((T)10), 8)
#define TRY_atomic_fetch_or_nbi(f, T) FETCHES_NBI(T, 12, f, , WITH((T)10), 14)
#define TRY_ctx_atomic_fetch_or_nbi(f, T) FETCHES_NBI(T, 12, f, ON_DEFAULT, WITH((T)10), 14)
#define TRY_atomic_fetch_xor_nbi(f, T) FETCHES_NBI(T, 12, f, , WITH((T)10), 6)
#define TRY_ctx_atomic_fetch_xor_nbi(f, T) FETCHES_NBI(T, 12, f, ON_DEFAULT, WITH((T)10), 6)

/* A block, which is freed again. */
#define BLOCK(call, bytes) do { \
        char *block = (char *)(call); \
        CHECK(block != NULL); \
        if (block != NULL) memset(block, 7, bytes); \
        shmem_free(block); \
    } while (0)
#define TRY_malloc(f, T) do { BLOCK(f(100), 100); CHECK(f(0) == NULL); } while (0)
#define TRY_shmalloc(f, T) TRY_malloc(f, T)
#define TRY_malloc_with_hints(f, T) BLOCK(f(100, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE), 100)
#define TRY_calloc(f, T) do { BLOCK(f(10, 10), 100); CHECK(f(0, 1) == NULL && f(1, 0) == NULL); } while (0)
#define TRY_align(f, T) do { \
        char *block = (char *)f(256, 100); \
        CHECK(block != NULL && (uintptr_t)block % 256 == 0); \
        shmem_free(block); \
    } while (0)
#define TRY_shmemalign(f, T) TRY_align(f, T)
#define TRY_realloc(f, T) do { \
        char *block = (char *)f(NULL, 10); \
        CHECK(block != NULL); \
        block[9] = 'x'; \
        block = (char *)f(block, 5000); \
        CHECK(block != NULL && block[9] == 'x'); \
        CHECK(f(block, 0) == NULL); \
    } while (0)
#define TRY_shrealloc(f, T) TRY_realloc(f, T)
#define TRY_free(f, T) do { f(shmem_malloc(8)); f(NULL); } while (0)
#define TRY_shfree(f, T) TRY_free(f, T)
#define TRY_shmemx_heap_usage(f, T) do { \
        shmemx_heap_usage_t before, after; \
        char *block; \
        shmem_barrier_all(); \
        CHECK(f(peer, &before) == 0 && before.used > 0 && before.peak >= before.used); \
        CHECK(before.heap_bytes == before.used + before.free + before.quarantined && before.most_heap_bytes >= before.heap_bytes); \
        shmem_barrier_all(); \
        block = (char *)shmem_malloc(100); \
        shmem_barrier_all(); \
        CHECK(f(peer, &after) == 0 && after.used == before.used + 128 && after.blocks == before.blocks + 1); \
        CHECK(f(me, &after) == 0 && after.free == before.free - 128 && after.largest_free <= after.free); \
        CHECK(f(-1, &after) == -1 && f(pes, &after) == -1 && f(me, NULL) == -1); \
        shmem_free(block); \
    } while (0)

/* Further arguments are a tool's. */
#define TRY_pcontrol(f, T) do { f(1); f(3, "phase", 2.5, &me); } while (0)
#define TRY_fence(f, T) f()
#define TRY_quiet(f, T) f()
#define TRY_set_cache_inv(f, T) f()
#define TRY_set_cache_line_inv(f, T) f(&peer)
#define TRY_clear_cache_inv(f, T) f()
#define TRY_clear_cache_line_inv(f, T) f(NULL)
#define TRY_udcflush(f, T) f()
#define TRY_udcflush_line(f, T) f(&peer)
#define ON_CONTEXTS(f) do { f(SHMEM_CTX_DEFAULT); f(SHMEM_CTX_INVALID); f(on_turned); } while (0)
#define TRY_ctx_fence(f, T) ON_CONTEXTS(f)
#define TRY_ctx_quiet(f, T) ON_CONTEXTS(f)
#define TRY_pe_quiet(f, T) do { f(&peer, 1); f(NULL, 0); } while (0)
#define TRY_ctx_pe_quiet(f, T) do { \
        f(on_turned, &turned_peer, 1); \
        f(SHMEM_CTX_DEFAULT, &peer, 1); \
        f(SHMEM_CTX_INVALID, NULL, 0); \
    } while (0)

#define TRY_team_my_pe(f, T) CHECK(f(SHMEM_TEAM_WORLD) == me && f(turned) == pes - 1 - me && f(SHMEM_TEAM_INVALID) == -1)
#define TRY_team_n_pes(f, T) CHECK(f(SHMEM_TEAM_WORLD) == pes && f(turned) == pes && f(SHMEM_TEAM_INVALID) == -1)
#define TRY_team_get_config(f, T) do { \
        shmem_team_config_t config = {7}; \
        CHECK(f(turned, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0 && config.num_contexts == 0); \
        CHECK(f(turned, 0, NULL) == 0 && f(SHMEM_TEAM_INVALID, 0, NULL) != 0); \
    } while (0)
#define TRY_team_translate_pe(f, T) CHECK(f(turned, turned_peer, SHMEM_TEAM_WORLD) == peer && f(turned, pes, turned) == -1)
#define TRY_team_split_strided(f, T) do { \
        shmem_team_t own = SHMEM_TEAM_INVALID; \
        CHECK(f(SHMEM_TEAM_WORLD, pes - 1, 0, 1, NULL, 0, &own) == 0 && (own != SHMEM_TEAM_INVALID) == (me == pes - 1)); \
        shmem_team_destroy(own); \
    } while (0)
#define TRY_team_split_2d(f, T) do { \
        shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID; \
        CHECK(f(turned, 2, NULL, 0, &row, NULL, 0, &column) == 0); \
        CHECK(shmem_team_my_pe(row) == (pes - 1 - me) % 2 && shmem_team_my_pe(column) == (pes - 1 - me) / 2); \
        shmem_team_destroy(row); \
        shmem_team_destroy(column); \
    } while (0)
#define TRY_team_destroy(f, T) do { \
        shmem_team_t own = SHMEM_TEAM_INVALID; \
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &own); \
        f(own); \
        f(SHMEM_TEAM_INVALID); \
    } while (0)
#define TRY_team_sync(f, T) CHECK(f(turned) == 0 && f(SHMEM_TEAM_WORLD) == 0 && f(SHMEM_TEAM_SHARED) == 0)
#define TRY_team_ptr(f, T) \
    CHECK(f(turned, mine, pes - 1 - me) == mine && f(turned, mine, pes) == NULL && f(SHMEM_TEAM_INVALID, mine, 0) == NULL)
#define TRY_ctx_create(f, T) do { \
        shmem_ctx_t own = SHMEM_CTX_INVALID; \
        CHECK(f(SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE, &own) == 0 && own != SHMEM_CTX_INVALID); \
        shmem_ctx_destroy(own); \
    } while (0)
#define TRY_team_create_ctx(f, T) do { \
        shmem_ctx_t own = SHMEM_CTX_INVALID; \
        CHECK(f(turned, SHMEM_CTX_SERIALIZED, &own) == 0 && own != SHMEM_CTX_INVALID); \
        shmem_ctx_destroy(own); \
        CHECK(f(SHMEM_TEAM_INVALID, 0, &own) != 0 && own == SHMEM_CTX_INVALID); \
    } while (0)
#define TRY_ctx_destroy(f, T) do { \
        shmem_ctx_t own = SHMEM_CTX_INVALID; \
        CHECK(shmem_ctx_create(0, &own) == 0); \
        f(own); \
        f(SHMEM_CTX_INVALID); \
    } while (0)
#define TRY_ctx_get_team(f, T) do { \
        shmem_team_t team = SHMEM_TEAM_INVALID; \
        CHECK(f(on_turned, &team) == 0 && team == turned); \
        CHECK(f(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD); \
        CHECK(f(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID); \
    } while (0)
#define TRY_ctx_session_start(f, T) do { \
        const shmem_ctx_session_config_t config = {100}; \
        f(on_turned, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS); \
        f(SHMEM_CTX_DEFAULT, 0, NULL, 0); \
        f(SHMEM_CTX_INVALID, 0, NULL, 0); \
    } while (0)
#define TRY_ctx_session_stop(f, T) ON_CONTEXTS(f)
#define TRY_barrier_all(f, T) f()
#define TRY_sync_all(f, T) f()

/* A byte that a PE gives. */
static char pattern(int pe, size_t at)
{
    return (char)(1 + (pe * 37 + (int)(at % 1000) * 5) % 120);
}

/* Before each collective call: all areas are ready. */
static void share(void)
{
    shmem_barrier_all();
    for (size_t at = 0; at < area_bytes; at++) given[at] = pattern(me, at);
    memset(taken, 0, area_bytes);
    shmem_barrier_all();
}

/* Element `from` of a PE's contribution has arrived at place `to`. */
#define CAME(T, to, pe, from) do { \
        for (size_t byte = 0; byte < sizeof(T); byte++) { \
            CHECK(taken[(to) * sizeof(T) + byte] == pattern(pe, (from) * sizeof(T) + byte)); \
        } \
    } while (0)
#define OF_ALL 0, 0, pes, sync_words
#define BROADCAST(T, call, also_root) do { \
        share(); \
        call; \
        for (size_t i = 0; i < COUNT; i++) { \
            if (also_root || me != pes - 1) CAME(T, i, pes - 1, i); \
            else CHECK(taken[i * sizeof(T)] == 0); \
        } \
    } while (0)
#define COLLECT(T, call) do { \
        share(); \
        call; \
        for (int pe = 0; pe < pes; pe++) { \
            for (size_t i = 0; i < COUNT; i++) CAME(T, (size_t)pe * COUNT + i, pe, i); \
        } \
    } while (0)
#define ALLTOALL(T, dst, sst, call) do { \
        share(); \
        call; \
        for (int pe = 0; pe < pes; pe++) { \
            for (size_t i = 0; i < COUNT; i++) { \
                CAME(T, ((size_t)pe * COUNT + i) * dst, pe, ((size_t)me * COUNT + i) * sst); \
            } \
        } \
    } while (0)
/* Element i of PE p is p + 1 + i; `expr` combines `a` and `b`. In place the second time. */
#define REDUCE(T, expr, call) do { \
        T *from = (T *)given; \
        for (int turn = 0; turn < 2; turn++) { \
            T *to = turn == 0 ? (T *)taken : from; \
            share(); \
            for (int i = 0; i < COUNT; i++) from[i] = (T)(me + 1 + i); \
            call; \
            for (int i = 0; i < COUNT; i++) { \
                T a = (T)(1 + i); \
                for (int pe = 1; pe < pes; pe++) { \
                    T b = (T)(pe + 1 + i); \
                    a = (T)(expr); \
                } \
                CHECK(to[i] == a); \
            } \
        } \
    } while (0)
#define REDUCE_OF_SET(f, T, expr) REDUCE(T, expr, f(to COMMA from COMMA COUNT COMMA WITH_WORK))
#define WITH_WORK 0, 0, pes, NULL, sync_words

#define TRY_barrier_of_set(f, T) do { f(OF_ALL); CHECK(sync_words[0] == 0); shmem_barrier_all(); } while (0)
#define TRY_sync_of_set(f, T) TRY_barrier_of_set(f, T)
#define TRY_broadcast_of_set(f, T) BROADCAST(T, f(taken COMMA given COMMA COUNT COMMA pes - 1 COMMA OF_ALL), 0)
#define TRY_collect_of_set(f, T) COLLECT(T, f(taken COMMA given COMMA COUNT COMMA OF_ALL))
#define TRY_fcollect_of_set(f, T) TRY_collect_of_set(f, T)
#define TRY_alltoall_of_set(f, T) ALLTOALL(T, 1, 1, f(taken COMMA given COMMA COUNT COMMA OF_ALL))
#define TRY_alltoalls_of_set(f, T) ALLTOALL(T, 2, 3, f(taken COMMA given COMMA 2 COMMA 3 COMMA COUNT COMMA OF_ALL))
#define TRY_and_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a & b)
#define TRY_or_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a | b)
#define TRY_xor_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a ^ b)
#define TRY_max_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a > b ? a : b)
#define TRY_min_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a < b ? a : b)
#define TRY_sum_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a + b)
#define TRY_prod_to_all_of_set(f, T) REDUCE_OF_SET(f, T, a * b)

#define DONE(call) CHECK((call) == 0)
#define TRY_broadcast(f, T) \
    BROADCAST(T, DONE(f(SHMEM_TEAM_WORLD COMMA (T *)taken COMMA (const T *)given COMMA COUNT COMMA pes - 1)), 1)
#define TRY_collect(f, T) COLLECT(T, DONE(f(SHMEM_TEAM_WORLD COMMA (T *)taken COMMA (const T *)given COMMA COUNT)))
#define TRY_fcollect(f, T) TRY_collect(f, T)
#define TRY_alltoall(f, T) \
    ALLTOALL(T, 1, 1, DONE(f(SHMEM_TEAM_WORLD COMMA (T *)taken COMMA (const T *)given COMMA COUNT)))
#define TRY_alltoalls(f, T) \
    ALLTOALL(T, 2, 3, DONE(f(SHMEM_TEAM_WORLD COMMA (T *)taken COMMA (const T *)given COMMA 2 COMMA 3 COMMA COUNT)))
#define TRY_broadcastmem(f, T) TRY_broadcast(f, char)
#define TRY_collectmem(f, T) TRY_collect(f, char)
#define TRY_fcollectmem(f, T) TRY_collect(f, char)
#define TRY_alltoallmem(f, T) TRY_alltoall(f, char)
#define TRY_alltoallsmem(f, T) TRY_alltoalls(f, char)
#define REDUCE_TEAM(f, T, expr) REDUCE(T, expr, DONE(f(SHMEM_TEAM_WORLD COMMA to COMMA from COMMA COUNT)))
#define TRY_and_reduce(f, T) REDUCE_TEAM(f, T, a & b)
#define TRY_or_reduce(f, T) REDUCE_TEAM(f, T, a | b)
#define TRY_xor_reduce(f, T) REDUCE_TEAM(f, T, a ^ b)
#define TRY_max_reduce(f, T) REDUCE_TEAM(f, T, a > b ? a : b)
#define TRY_min_reduce(f, T) REDUCE_TEAM(f, T, a < b ? a : b)
#define TRY_sum_reduce(f, T) REDUCE_TEAM(f, T, a + b)
#define TRY_prod_reduce(f, T) REDUCE_TEAM(f, T, a * b)
/* PEs before this one, and this one or not. */
#define SCAN(f, T, last) do { \
        T *to = (T *)taken, *from = (T *)given; \
        share(); \
        for (int i = 0; i < COUNT; i++) from[i] = (T)(me + 1 + i); \
        DONE(f(SHMEM_TEAM_WORLD, to, from, COUNT)); \
        for (int i = 0; i < COUNT; i++) { \
            T sum = (T)0; \
            for (int pe = 0; pe < last; pe++) sum = (T)(sum + (T)(pe + 1 + i)); \
            CHECK(to[i] == sum); \
        } \
    } while (0)
#define TRY_sum_inscan(f, T) SCAN(f, T, me + 1)
#define TRY_sum_exscan(f, T) SCAN(f, T, me)

/* The second word counts at PE 0 how often the lock was held. */
#define HOLD(take, give) do { \
        static long before; \
        long count = 0; \
        take; \
        shmem_getmem(&count, lock_words + 1, sizeof count, 0); \
        count++; \
        shmem_putmem(lock_words + 1, &count, sizeof count, 0); \
        give; \
        shmem_barrier_all(); \
        shmem_getmem(&count, lock_words + 1, sizeof count, 0); \
        CHECK(count % pes == 0 && count > before); \
        before = count; \
        shmem_barrier_all(); \
    } while (0)
#define TRY_set_lock(f, T) HOLD(f(lock_words), shmem_clear_lock(lock_words))
#define TRY_clear_lock(f, T) HOLD(shmem_set_lock(lock_words), f(lock_words))
#define TRY_test_lock(f, T) HOLD(while (f(lock_words) != 0) {}, shmem_clear_lock(lock_words))

/* Other programs call these; here the library has begun. */
#define TRY_init(f, T) NOTHING
#define TRY_init_thread(f, T) NOTHING
#define TRY_start_pes(f, T) f(0)
#define TRY_finalize(f, T) NOTHING
#define TRY_global_exit(f, T) NOTHING
#define TRY_query_thread(f, T) do { int level = -1; f(&level); CHECK(level == SHMEM_THREAD_MULTIPLE); } while (0)
#define TRY_query_initialized(f, T) do { int is_there = -1; f(&is_there); CHECK(is_there == 1); } while (0)
#define TRY_my_pe(f, T) CHECK(f() == me)
#define TRY__my_pe(f, T) CHECK(f() == me)
#define TRY_n_pes(f, T) CHECK(f() == pes)
#define TRY__num_pes(f, T) CHECK(f() == pes)
#define TRY_pe_accessible(f, T) CHECK(f(peer) == 1 && f(-1) == 0 && f(pes) == 0)
#define TRY_addr_accessible(f, T) \
    CHECK(f(mine, peer) == 1 && f(&me, peer) == 1 && f("constant", peer) == 0 && f(NULL, peer) == 0 && f((void *)1, me) == 0 && f(mine, pes) == 0)
#define TRY_ptr(f, T) CHECK(f(mine, me) == mine && f(&me, me) == &me && f("constant", me) == NULL && f(mine, pes) == NULL && f(NULL, me) == NULL)
#define TRY_info_get_version(f, T) do { \
        int major = 0, minor = 0; \
        f(&major, &minor); \
        CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION); \
    } while (0)
#define TRY_info_get_name(f, T) do { \
        char name[SHMEM_MAX_NAME_LEN]; \
        f(name); \
        CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0); \
    } while (0)

#endif
