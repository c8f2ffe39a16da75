/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Begin and end: by address again and again, by a unique id, on a socket of the caller; instances; both
 * worlds. */
#include <aclshmem.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attributes.h"

#ifdef __cplusplus
extern "C" {
#endif
/* OpenSHMEM's, by their symbols: the headers of both worlds do not fit into one file. */
void shmem15_init(void);
void shmem15_finalize(void);
int shmem15_my_pe(void);
int shmem15_n_pes(void);
void *shmem15_malloc(size_t size);
void shmem15_long_p(long *dest, long value, int pe);
long shmem15_long_g(const long *source, int pe);
void shmem15_barrier_all(void);
#ifdef __cplusplus
}
#endif

static int me, pes;

/* Each PE writes its number to its neighbour, in the current instance. */
static void ring(int salt)
{
    int *word = (int *)aclshmem_malloc(sizeof(int));
    CHECK(word != NULL);
    if (word == NULL) return;
    aclshmem_int32_p(word, me + salt, (me + 1) % pes);
    aclshmem_barrier_all();
    CHECK(*word == (me + pes - 1) % pes + salt);
    aclshmem_free(word);
}

static void again_and_again(void)
{
    for (int i = 0; i < 3; i++) {
        aclshmemx_init_attr_t attr = job_attributes(0);
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
        CHECK(aclshmem_my_pe() == me && aclshmem_n_pes() == pes);
        ring(i);
        CHECK_CODE(aclshmem_finalize(), 0);
    }
}

/* PE 0 makes the id, and gives it to the others by the heap of an instance. */
static void by_id(void)
{
    static aclshmemx_uniqueid_t id;
    aclshmemx_init_attr_t attr = job_attributes(1);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    aclshmemx_uniqueid_t *shared = (aclshmemx_uniqueid_t *)aclshmem_malloc(sizeof id);
    if (me == 0) {
        CHECK_CODE(aclshmemx_get_uniqueid(&id), 0);
        for (int pe = 0; pe < pes; pe++) aclshmem_putmem(shared, &id, sizeof id, pe);
    }
    aclshmem_barrier_all();
    id = *shared;
    /* A second instance, by the id. */
    attr = job_attributes(1);
    CHECK_CODE(aclshmemx_set_attr_uniqueid_args(me, pes, HEAP_BYTES, &id, &attr), 0);
    attr.instance_id = 254;
    memset(&id, 0, sizeof id);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr), 0);
    CHECK(aclshmemx_instance_ctx_get()->id == 254);
    ring(10);
    int team = 5;
    CHECK(aclshmem_team_split_strided(0, 0, 1, pes, &team) == -100 && team == -1);
    /* Addresses of one instance mean nothing to another one. */
    CHECK(aclshmem_ptr(shared, me) == NULL);
    CHECK_CODE(aclshmemx_instance_ctx_set(0), 0);
    CHECK(aclshmem_ptr(shared, me) == shared);
    ring(20);
    CHECK_CODE(aclshmemx_finalize(254), 0);
    CHECK_CODE(aclshmemx_finalize(254), -4);
    CHECK(aclshmemx_instance_ctx_get()->id == 0);
    ring(30);
    CHECK_CODE(aclshmem_finalize(), 0);
}

/* Each instance has a port of a range. */
static void by_ports(void)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    char range[32];
    int first = job_port(2);
    snprintf(range, sizeof range, "%d:%d", first, first + 2);
    setenv("SHMEM_INSTANCE_PORT_RANGE", range, 1);
    snprintf(attr.ip_port, sizeof attr.ip_port, "tcp://%s:0", job_host());
    for (int i = 0; i < 3; i++) {
        attr.instance_id = (uint64_t)i;
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
        ring(i);
    }
    /* Beyond the range, and beyond every instance. */
    const uint64_t beyond[] = {3, 254, 255, 1025, UINT64_MAX};
    for (int i = 0; i < 5; i++) {
        attr.instance_id = beyond[i];
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), -2);
    }
    attr.instance_id = 1;
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), -4);
    CHECK(aclshmemx_instance_ctx_get()->id == 2);
    for (uint64_t i = 0; i < 3; i++) {
        CHECK_CODE(aclshmemx_instance_ctx_set(i), 0);
        ring((int)i);
    }
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(aclshmemx_instance_ctx_get()->id == 0);
    CHECK_CODE(aclshmemx_finalize(1), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(aclshmemx_instance_ctx_get() == NULL && aclshmem_my_pe() == -1);
    /* Ports in an address, and an invalid range. */
    attr.instance_id = 1;
    snprintf(attr.ip_port, sizeof attr.ip_port, "tcp://%s:20000", job_host());
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), -2);
    setenv("SHMEM_INSTANCE_PORT_RANGE", "9:1", 1);
    snprintf(attr.ip_port, sizeof attr.ip_port, "tcp://%s:0", job_host());
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), -2);
    unsetenv("SHMEM_INSTANCE_PORT_RANGE");
}

/* PE 0 has reserved the port. */
static void by_socket(void)
{
    aclshmemx_init_attr_t attr = job_attributes(5);
    int fd = -1;
    if (me == 0) {
        struct sockaddr_in at;
        memset(&at, 0, sizeof at);
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = inet_addr(job_host());
        at.sin_port = htons((uint16_t)job_port(5));
        fd = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(fd > 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0);
        attr.option_attr.sockFd = fd;
    }
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    ring(40);
    CHECK_CODE(aclshmem_finalize(), 0);
    if (fd > 0) close(fd);
}

/* Teams of teams; every second PE. */
static void teams(void)
{
    aclshmemx_init_attr_t attr = job_attributes(6);
    int even = 7, half = 7, x = 7, y = 7;
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    CHECK_CODE(aclshmem_team_split_strided(0, 0, 2, (pes + 1) / 2, &even), 0);
    CHECK(even == (me % 2 == 0 ? 1 : -1));
    CHECK(aclshmem_team_my_pe(even) == (me % 2 == 0 ? me / 2 : -1));
    CHECK(aclshmem_team_translate_pe(even, 0, 0) == (me % 2 == 0 ? 0 : -1));
    CHECK(aclshmem_team_translate_pe(0, 1, even) == -1);
    if (even != -1) {
        CHECK_CODE(aclshmem_team_split_strided(even, 0, 1, 1, &half), 0);
        CHECK(aclshmem_team_n_pes(half) == (me == 0 ? 1 : -1));
        aclshmem_barrier(even);
        aclshmem_sync(even);
    }
    aclshmem_barrier(half);
    CHECK_CODE(aclshmem_team_split_2d(0, 2, &x, &y), 0);
    CHECK(aclshmem_team_my_pe(x) == me % 2 && aclshmem_team_my_pe(y) == me / 2);
    aclshmem_team_destroy(even);
    CHECK(even == -1 || aclshmem_team_n_pes(even) == -1);
    aclshmem_barrier(x);
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(aclshmem_team_n_pes(x) == -1 && aclshmem_team_my_pe(0) == -1);
}

/* Two tenants: heaps of their own. CANN SHMEM by the launcher's place, as OpenSHMEM. */
static void both_worlds(void)
{
    shmem_attr_t attr = SHMEM_ATTR_INITIALIZER;
    attr.mem_size = HEAP_BYTES;
    shmem15_init();
    CHECK(shmem15_my_pe() == me && shmem15_n_pes() == pes);
    CHECK_CODE(shmem_init_with_attr(&attr), 0);
    CHECK(aclshmem_my_pe() == me && aclshmem_n_pes() == pes);
    long *theirs = (long *)shmem15_malloc(sizeof(long)), *ours = (long *)aclshmem_malloc(sizeof(long));
    CHECK(theirs != NULL && ours != NULL && aclshmem_ptr(theirs, me) == NULL);
    *ours = -1;
    shmem15_barrier_all();
    shmem15_long_p(theirs, me, (me + 1) % pes);
    aclshmem_int64_p((int64_t *)ours, 100 + me, (me + 1) % pes);
    /* Of the other world: refused. */
    aclshmem_int64_p((int64_t *)theirs, 7777, (me + 1) % pes);
    aclshmem_barrier_all();
    shmem15_barrier_all();
    CHECK(*theirs == (me + pes - 1) % pes && *ours == 100 + *theirs && shmem15_long_g(theirs, me) == *theirs);
    shmem15_finalize();
    ring(50);
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(shmem15_my_pe() == -1);
    /* All by the environment. */
    CHECK_CODE(shmem_init(), 0);
    ring(60);
    CHECK_CODE(aclshmem_finalize(), 0);
}

int main(void)
{
    me = job_rank();
    pes = job_ranks();
    again_and_again();
    by_id();
    by_ports();
    by_socket();
    teams();
    both_worlds();
    return check_result();
}
