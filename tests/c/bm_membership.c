/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Three ranks: one of them contributes nothing, one leaves and joins again, one grows its contribution. */
#include "ranks.h"

#include <pthread.h>
#include <time.h>

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define MAX_HOST (8 * MIB)
#define GUEST 1u /* leaves and joins again */
#define PROXY 2u /* contributes nothing */

static smem_bm_t pool;
static uint32_t me;
static char buffer[4096];

/* Events of the guest, as seen by the handler: how often it joined and left. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int events[SMEM_MEMBER_EVENT_BUTT];

static void on_event(smem_bm_t handle, uint32_t rank, smem_bm_group_event_t event, void *context)
{
    pthread_mutex_lock(&lock);
    if (handle == pool && context == &events && rank == GUEST && event < SMEM_MEMBER_EVENT_BUTT) events[event]++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for(smem_bm_group_event_t event, int count)
{
    struct timespec deadline;
    int code = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += MEET_S;
    pthread_mutex_lock(&lock);
    while (events[event] < count && code == 0) code = pthread_cond_timedwait(&changed, &lock, &deadline);
    CHECK(events[event] == count);
    pthread_mutex_unlock(&lock);
}

static void *host(uint32_t rank, uint64_t offset)
{
    return (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)rank) + offset;
}

static int32_t copy(const void *src, void *dest, smem_bm_copy_type_t type)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = src;
    params.dest = dest;
    params.dataSize = sizeof buffer;
    return smem_bm_copy(pool, &params, type, 0);
}

static void works(uint32_t rank, uint64_t offset, unsigned seed)
{
    fill(buffer, sizeof buffer, seed);
    OK(copy(buffer, host(rank, offset), SMEMB_COPY_H2G));
    memset(buffer, 0, sizeof buffer);
    OK(copy(host(rank, offset), buffer, SMEMB_COPY_G2H));
    CHECK(filled(buffer, sizeof buffer, seed));
}

static void refused(uint32_t rank, uint64_t offset, int32_t code)
{
    FAILS(code, copy(buffer, host(rank, offset), SMEMB_COPY_H2G));
    FAILS(code, copy(host(rank, offset), buffer, SMEMB_COPY_G2H));
}

static void members(uint32_t count, uint32_t first, uint32_t second, uint32_t third)
{
    uint32_t got[4] = {99, 99, 99, 99}, number = 0;
    OK(mfx_bm_members(pool, got, 4, &number));
    CHECK(number == count && got[0] == first && got[1] == second && got[2] == third);
}

static void guest_leaves_and_joins_again(void)
{
    if (me == GUEST) {
        memset(host(me, 0), 0x5A, 64);
        OK(smem_bm_leave(pool, 0));
        OK(smem_bm_leave(pool, 0));
        refused(0, 0, SMEM_NOT_STARTED);
        CHECK(*(volatile unsigned char *)host(me, 63) == 0x5A); /* its memory is still its own */
    }
    meet("left");
    if (me != GUEST) {
        wait_for(SMEM_GROUP_EVENT_LEAVE, 1);
        refused(GUEST, 64 * (me + 1), SMEM_NOT_CONNECTED);
        works(0, 65536 * (me + 1), 40 + me); /* the others do not care */
        members(2, 0, PROXY, 99);
    }
    meet("did without it");
    if (me == GUEST) OK(smem_bm_join(pool, 0));
    meet("is back");
    works(GUEST, 65536 * (me + 1), 50 + me);
    works(0, 65536 * (me + 1), 60 + me);
    members(3, 0, GUEST, PROXY);
    if (me != GUEST) wait_for(SMEM_GROUP_EVENT_JOIN, 2);
}

static void rank_0_grows(void)
{
    uint64_t last = 4 * MIB - sizeof buffer;
    if (me != 0) refused(0, last, SMEM_INVALID_PARAM);
    meet("about to grow");
    if (me == 0) {
        OK(smem_bm_extend_local_mem(pool, SMEM_MEM_TYPE_HOST, 2 * MIB));
        CHECK(smem_bm_get_local_mem_size_by_mem_type(pool, SMEM_MEM_TYPE_HOST) == 4 * MIB);
    }
    meet("has grown");
    works(0, last - me * sizeof buffer, 70 + me);
    if (me != 0) refused(0, 4 * MIB, SMEM_INVALID_PARAM);
    refused(PROXY, 0, SMEM_INVALID_PARAM); /* joined, and owns nothing */
}

static int rank_main(void)
{
    smem_bm_create_option_t option;
    void *va = NULL;
    OK(init_rank(getenv("MF_TEST_URL"), 3, (uint16_t)me));
    memset(&option, 0, sizeof option);
    option.maxDramSize = MAX_HOST;
    option.localDRAMSize = me == PROXY ? 0 : 2 * MIB;
    option.dataOpType = SMEMB_DATA_OP_HOST_SHM;
    option.dramShmFd = -1;
    strcpy(option.tag, me == PROXY ? "proxy" : "provider");
    pool = smem_bm_create2(0, &option);
    OK(smem_bm_set_group_event_handler(pool, on_event, &events));
    if (me != GUEST) OK(smem_bm_join(pool, 0));
    meet("listening");
    if (me == GUEST) OK(smem_bm_join(pool, 0));
    meet("joined");
    if (me != GUEST) wait_for(SMEM_GROUP_EVENT_JOIN, 1);
    works(0, 65536 * (me + 1), 10 + me);
    works(GUEST, 65536 * (me + 1), 20 + me);
    if (me != PROXY) OK(smem_bm_gva_to_va(pool, host(me, 100), SMEM_MEM_TYPE_LOCAL_HOST, &va));
    OK(smem_bm_gva_to_va(pool, host(1 - me % 2, 100), SMEM_MEM_TYPE_LOCAL_HOST, &va));
    meet("used");
    guest_leaves_and_joins_again();
    rank_0_grows();
    meet("done");
    OK(smem_bm_set_group_event_handler(pool, NULL, NULL));
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!is_rank()) return run_ranks(3, argv);
    me = env_u32("RANK");
    return rank_main();
}
