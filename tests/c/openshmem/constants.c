/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Constants: their values, and where programs use them: in static initialisers, as sizes of arrays and as
 * cases. */
#include <shmem.h>
#include <stddef.h>

#include "../check.h"

#ifdef __cplusplus
#define ASSERT(condition) static_assert(condition, #condition)
#else
#define ASSERT(condition) _Static_assert(condition, #condition)
#endif

ASSERT(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 5 && SHMEM_MAX_NAME_LEN == 256);
ASSERT(sizeof(SHMEM_VENDOR_STRING) <= SHMEM_MAX_NAME_LEN);
ASSERT(SHMEM_THREAD_SINGLE == 0 && SHMEM_THREAD_FUNNELED == 1 && SHMEM_THREAD_SERIALIZED == 2 && SHMEM_THREAD_MULTIPLE == 3);
ASSERT(SHMEM_TEAM_NUM_CONTEXTS == 1 && sizeof(SHMEM_TEAM_NUM_CONTEXTS) == sizeof(long));
ASSERT(SHMEM_CTX_SERIALIZED == 1 && SHMEM_CTX_PRIVATE == 2 && SHMEM_CTX_NOSTORE == 4 && sizeof(SHMEM_CTX_NOSTORE) == sizeof(long));
ASSERT(SHMEM_SIGNAL_SET == 0 && SHMEM_SIGNAL_ADD == 1);
ASSERT(SHMEM_CMP_EQ == 0 && SHMEM_CMP_NE == 1 && SHMEM_CMP_GT == 2 && SHMEM_CMP_GE == 3 && SHMEM_CMP_LT == 4 && SHMEM_CMP_LE == 5);
ASSERT(SHMEM_MALLOC_ATOMICS_REMOTE == 1 && SHMEM_MALLOC_SIGNAL_REMOTE == 2 && sizeof(SHMEM_MALLOC_SIGNAL_REMOTE) == sizeof(long));
ASSERT(SHMEM_SYNC_VALUE == 0 && SHMEM_REDUCE_MIN_WRKDATA_SIZE >= 16);
ASSERT(SHMEM_SYNC_SIZE == SHMEM_BCAST_SYNC_SIZE && SHMEM_SYNC_SIZE == SHMEM_REDUCE_SYNC_SIZE &&
       SHMEM_SYNC_SIZE == SHMEM_BARRIER_SYNC_SIZE && SHMEM_SYNC_SIZE == SHMEM_COLLECT_SYNC_SIZE &&
       SHMEM_SYNC_SIZE == SHMEM_ALLTOALL_SYNC_SIZE && SHMEM_SYNC_SIZE == SHMEM_ALLTOALLS_SYNC_SIZE);
/* Names of earlier releases. */
ASSERT(_SHMEM_MAJOR_VERSION == 1 && _SHMEM_MINOR_VERSION == 5 && _SHMEM_MAX_NAME_LEN == 256);
ASSERT(_SHMEM_CMP_EQ == 0 && _SHMEM_CMP_NE == 1 && _SHMEM_CMP_GT == 2 && _SHMEM_CMP_GE == 3 && _SHMEM_CMP_LT == 4 && _SHMEM_CMP_LE == 5);
ASSERT(_SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE && _SHMEM_REDUCE_MIN_WRKDATA_SIZE == SHMEM_REDUCE_MIN_WRKDATA_SIZE);
ASSERT(_SHMEM_BCAST_SYNC_SIZE == SHMEM_SYNC_SIZE && _SHMEM_REDUCE_SYNC_SIZE == SHMEM_SYNC_SIZE &&
       _SHMEM_BARRIER_SYNC_SIZE == SHMEM_SYNC_SIZE && _SHMEM_COLLECT_SYNC_SIZE == SHMEM_SYNC_SIZE);
/* Constants that announce all of version 1.5. */
#if !defined(SHMEM_DEF_H) || !defined(SHMEM_FUNCTION_ATTRIBUTES)
#error "the header does not say that it is complete"
#endif
/* The configuration of a team is one int. */
ASSERT(sizeof(shmem_team_config_t) == sizeof(int) && offsetof(shmem_team_config_t, num_contexts) == 0);

static shmem_team_t teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
static shmem_ctx_t contexts[] = {SHMEM_CTX_INVALID, SHMEM_CTX_DEFAULT};
static shmem_team_t no_team;
static shmem_ctx_t no_context;
static long sync_words[SHMEM_BCAST_SYNC_SIZE];
static char name[SHMEM_MAX_NAME_LEN];

static int case_of(int comparison)
{
    switch (comparison) {
    case SHMEM_CMP_EQ: return 1;
    case SHMEM_CMP_NE: return 2;
    case SHMEM_CMP_GT: return 3;
    case SHMEM_CMP_GE: return 4;
    case SHMEM_CMP_LT: return 5;
    case SHMEM_CMP_LE: return 6;
    default: return 0;
    }
}

int main(void)
{
    int major = 0, minor = 0;

    shmem_info_get_version(&major, &minor);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
    shmem_info_get_name(name);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0 && strcmp(name, _SHMEM_VENDOR_STRING) == 0);
    CHECK(case_of(SHMEM_CMP_LE) == 6 && case_of(77) == 0);
    /* Unassigned handles are invalid, and a forgotten pSync is right. */
    CHECK(no_team == SHMEM_TEAM_INVALID && no_context == SHMEM_CTX_INVALID && sync_words[0] == SHMEM_SYNC_VALUE);
    CHECK(teams[0] == SHMEM_TEAM_INVALID && teams[1] != teams[2] && teams[1] != SHMEM_TEAM_INVALID);
    CHECK(contexts[0] != contexts[1] && contexts[1] == SHMEM_CTX_DEFAULT);

    shmem_init();
    CHECK(shmem_team_n_pes(teams[1]) == shmem_n_pes() && shmem_team_n_pes(no_team) == -1);
    /* Predefined handles are unchanged when they are copied. */
    shmem_team_t team = teams[0];
    CHECK(shmem_ctx_get_team(contexts[1], &team) == 0 && team == SHMEM_TEAM_WORLD);
    shmem_finalize();
    return check_result();
}
