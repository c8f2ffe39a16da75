/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The state record as data of the process, for programs that use the internals of the library. The library
 * passes it after each change. Pointers for kernels are replaced by pointers of the host: arrays and teams
 * are copies.
 *
 * Symbols of C++ are written as its compilers mangle them: no C++ library is needed, and none is mixed in.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host_device/shmem_state_types.h"
#include "shmem.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED aclshmem_device_host_state_t g_state;
/* Null is the library's default stream. */
EXPORTED aclshmem_host_state_t g_state_host = { NULL, 0, 1, { NULL } };
/* shm::g_state and shm::g_state_host */
EXPORTED aclshmem_device_host_state_t _ZN3shm7g_stateE;
EXPORTED aclshmem_host_state_t _ZN3shm12g_state_hostE = { NULL, 0, 1, { NULL } };

static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
/* Start of each PE's memory here: the heap of the device, and of the host. */
static void **device_bases, **host_bases;
static aclshmemx_team_t *teams[ACLSHMEM_MAX_TEAMS];

static void **bases(void **before, void *own, int pes)
{
    if (own == NULL) {
        free(before);
        return NULL;
    }
    void **found = realloc(before, (size_t)pes * sizeof *found);
    for (int pe = 0; found != NULL && pe < pes; pe++) found[pe] = aclshmem_ptr(own, pe);
    return found;
}

static void describe(aclshmemx_team_t *team, int number, int pes)
{
    memset(team, 0, sizeof *team);
    team->mype = aclshmem_team_my_pe(number);
    team->size = aclshmem_team_n_pes(number);
    team->team_idx = number;
    for (int pe = 0; pe < team->size; pe++) team->pe_mapping[pe] = aclshmem_team_translate_pe(number, pe, ACLSHMEM_TEAM_WORLD);
    for (int pe = 0; pe < pes; pe++) {
        team->pe_mapping[ACLSHMEM_MAX_PES + pe] = aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, pe, number);
    }
    team->start = team->pe_mapping[0];
    team->stride = team->size > 1 ? team->pe_mapping[1] - team->start : 1;
}

static void show_teams(int pes)
{
    for (int number = 0; number < ACLSHMEM_MAX_TEAMS; number++) {
        const int is_there = pes > 0 && aclshmem_team_n_pes(number) > 0;
        if (!is_there) {
            free(teams[number]);
            teams[number] = NULL;
        } else if (teams[number] != NULL || (teams[number] = malloc(sizeof *teams[number])) != NULL) {
            describe(teams[number], number, pes);
        }
        g_state.team_pools[number] = teams[number];
    }
}

static void changed(const void *record, size_t bytes)
{
    pthread_mutex_lock(&changing);
    memset(&g_state, 0, sizeof g_state);
    if (record != NULL) memcpy(&g_state, record, bytes < sizeof g_state ? bytes : sizeof g_state);
    const int pes = record != NULL ? g_state.npes : 0;
    uint64_t usable = 0;
    void *device = record != NULL ? aclshmemx_get_heap_base(DEVICE_SIDE) : NULL;
    void *host = record != NULL ? aclshmemx_get_heap_base(HOST_SIDE) : NULL;
    device_bases = bases(device_bases, device, pes);
    host_bases = bases(host_bases, host, pes);
    g_state.heap_base = device;
    g_state.host_heap_base = host;
    g_state.p2p_device_heap_base = g_state.rdma_device_heap_base = g_state.sdma_device_heap_base = device_bases;
    g_state.p2p_host_heap_base = g_state.rdma_host_heap_base = g_state.sdma_host_heap_base = host_bases;
    if (record != NULL && aclshmem_get_memory_stats(&usable, NULL, NULL) == 0) g_state.heap_size = usable + ACLSHMEM_EXTRA_SIZE;
    show_teams(pes);
    memcpy(&_ZN3shm7g_stateE, &g_state, sizeof g_state);
    pthread_mutex_unlock(&changing);
}

__attribute__((constructor)) static void follow(void) { aclshmemx_watch_state(changed); }
__attribute__((destructor)) static void leave(void) { aclshmemx_watch_state(NULL); }

static int meet(void)
{
    if (aclshmemx_init_status() != ACLSHMEM_STATUS_IS_INITIALIZED) return ACLSHMEM_NOT_INITED;
    aclshmem_sync_all();
    return ACLSHMEM_SUCCESS;
}

/* aclshmemi_control_barrier_all() and shmemi_control_barrier_all(), and both in the namespace shm. */
EXPORTED int _Z29aclshmemi_control_barrier_allv(void);
EXPORTED int _Z26shmemi_control_barrier_allv(void);
EXPORTED int _ZN3shm29aclshmemi_control_barrier_allEv(void);
EXPORTED int _ZN3shm26shmemi_control_barrier_allEv(void);
int _Z29aclshmemi_control_barrier_allv(void) { return meet(); }
int _Z26shmemi_control_barrier_allv(void) { return meet(); }
int _ZN3shm29aclshmemi_control_barrier_allEv(void) { return meet(); }
int _ZN3shm26shmemi_control_barrier_allEv(void) { return meet(); }
