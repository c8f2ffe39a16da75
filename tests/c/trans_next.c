/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transfers by the next release's interface (MF_SMEM_ABI=next): two processes without a store, each met at an
 * address of its own; batches that are started and polled; a peer that is killed; calls of release 1.3 in
 * the same process. With MF_TEST_DEVICE: batches of the accelerator's memory on a stream.
 */
#include "ranks.h"

#include "check.h"
#include "smem/host/smem_trans.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

#define PIECES 3
#define BYTES 200000
#define MOST_S 60

MFX_STATIC_ASSERT(offsetof(smem_trans_config_t, url) == 84, "offset of url");
MFX_STATIC_ASSERT(offsetof(smem_trans_config_t, hcomTlsConfig) == 148, "offset of hcomTlsConfig");

typedef smem_trans_t create_1_3(const char *, const char *, const void *);
typedef int32_t init_1_3(const void *);

static volatile int gone; /* set by a thread of the library */
static char gone_name[64];

static void note_gone(const char *name, void *context)
{
    CHECK(context == gone_name);
    snprintf(gone_name, sizeof gone_name, "%s", name);
    gone = 1;
}

/* An endpoint that others meet at `url`. The structure begins as whatever lies on the stack. */
static smem_trans_t create(uint32_t device, const char *url)
{
    smem_trans_config_t config;
    memset(&config, 0xa5, sizeof config);
    OK(smem_trans_config_init(&config));
    CHECK(config.url[0] == 0 && !config.hcomTlsConfig.tlsEnable);
    config.role = SMEM_TRANS_BOTH;
    config.deviceId = device;
    snprintf(config.url, sizeof config.url, "%s", url);
    return smem_trans_create(&config, 0);
}

/* Copies pieces of `local` to or from `remote`. All that the call gets is gone when it has returned. */
static int32_t start(smem_trans_t handle, const char *to, smem_trans_opcode_t opcode, char *local, char *remote, uint64_t *id)
{
    smem_trans_batch_params_t *params = (smem_trans_batch_params_t *)calloc(1, sizeof *params);
    void **lists = (void **)calloc(2 * PIECES, sizeof *lists);
    size_t *sizes = (size_t *)calloc(PIECES, sizeof *sizes);
    char *url = strdup(to);
    int32_t code;
    int piece;
    for (piece = 0; piece < PIECES; piece++) {
        lists[piece] = local + piece * (BYTES / PIECES);
        lists[PIECES + piece] = remote + piece * (BYTES / PIECES);
        sizes[piece] = BYTES / PIECES;
    }
    params->destUrl = url;
    params->srcList = lists;
    params->destList = lists + PIECES;
    params->sizeList = sizes;
    params->batchSize = PIECES;
    params->opcode = opcode;
    code = smem_trans_batch_copy(handle, params, id);
    memset(lists, 0xff, 2 * PIECES * sizeof *lists);
    memset(sizes, 0xff, PIECES * sizeof *sizes);
    memset(url, 'x', strlen(url));
    free(lists);
    free(sizes);
    free(url);
    free(params);
    return code;
}

/* The outcome of a batch. */
static int32_t outcome(smem_trans_t handle, uint64_t id)
{
    time_t end = time(NULL) + MOST_S;
    int32_t code;
    while ((code = smem_trans_batch_status_query(handle, id, 0)) == SMEM_TRANS_BATCH_PENDING && time(NULL) < end) sched_yield();
    return code;
}

/* The other process: reports its port and the address of its memory, and waits to be killed. */
static void owner(int out)
{
    static char memory[BYTES];
    char *address = memory;
    uint16_t port = 0;
    smem_trans_t handle;
    OK(smem_trans_init(1, 0));
    handle = create(1, "127.0.0.1:0");
    CHECK(handle != NULL);
    OK(smem_trans_get_rpc_port(handle, &port));
    CHECK(port != 0);
    OK(smem_trans_register_mem(handle, memory, sizeof memory, 0));
    CHECK(write(out, &port, sizeof port) == sizeof port && write(out, &address, sizeof address) == sizeof address);
    if (check_result() != 0) exit(1);
    for (;;) pause();
}

static void copies(smem_trans_t handle, const char *to, char *remote)
{
    static char here[BYTES], back[BYTES];
    uint64_t id = 0, first;
    int again;
    fill(here, sizeof here, 7);
    OK(start(handle, to, SMEM_TRANS_OP_WRITE, here, remote, &id));
    first = id;
    for (again = 0; again < 3; again++) CHECK(outcome(handle, id) == SMEM_TRANS_BATCH_DONE);
    OK(start(handle, to, SMEM_TRANS_OP_READ, back, remote, &id));
    CHECK(id != first && outcome(handle, id) == SMEM_TRANS_BATCH_DONE);
    CHECK(memcmp(back, here, BYTES / PIECES * PIECES) == 0);
    CHECK(outcome(handle, first) == SMEM_TRANS_BATCH_DONE);

    /* Memory that is not registered there. */
    OK(start(handle, to, SMEM_TRANS_OP_WRITE, here, remote + BYTES, &id));
    for (again = 0; again < 2; again++) FAILS(SMEM_INVALID_PARAM, outcome(handle, id));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_status_query(handle, 1u << 30, 0));
    FAILS(SMEM_INVALID_PARAM, start(handle, to, (smem_trans_opcode_t)2, here, remote, &id));
    FAILS(SMEM_INVALID_PARAM, start(handle, to, SMEM_TRANS_OP_WRITE, NULL, remote, &id));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_copy(handle, NULL, &id));
}

/* One process is refused calls of both releases. */
static void mixed(smem_trans_t handle)
{
    create_1_3 *volatile old_create = (create_1_3 *)(void (*)(void))smem_trans_create;
    init_1_3 *volatile old_init = (init_1_3 *)(void (*)(void))smem_trans_init;
    smem_trans_config_t config;
    uint16_t port;
    OK(smem_trans_config_init(&config));
    FAILS_NULL(SMEM_INVALID_PARAM, old_create("tcp://127.0.0.1:9", "127.0.0.1:1", &config));
    FAILS(SMEM_INVALID_PARAM, old_init(&config));
    FAILS(SMEM_INVALID_PARAM, smem_trans_get_rpc_port(handle, NULL));
    smem_trans_uninit(0);
    FAILS(SMEM_INVALID_PARAM, smem_trans_get_rpc_port(handle, &port));
    OK(old_init(&config));
    FAILS(SMEM_INVALID_PARAM, smem_trans_init(2, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create(&config, 3));
    smem_trans_uninit(0);
}

/* A function of the accelerator's runtime. */
typedef int (*acl_t)(void *, size_t, size_t);

static acl_t acl(const char *name)
{
    static void *library;
    acl_t function = NULL;
    if (library == NULL) library = dlopen("libascendcl.so", RTLD_NOW);
    CHECK(library != NULL);
    *(void **)&function = library == NULL ? NULL : dlsym(library, name);
    CHECK(function != NULL);
    if (function == NULL) exit(1);
    return function;
}

/* A batch on a stream is done when the stream is past it. */
static void on_stream(void)
{
    static char here[BYTES], back[BYTES];
    void *stream = NULL, *memory = NULL, *local[2], *remote;
    size_t bytes = BYTES;
    uint16_t port = 0;
    uint64_t id = 0;
    char to[32];
    smem_trans_t from, other;
    int direction;
    CHECK(acl("aclrtSetDevice")(NULL, 0, 0) == 0 && acl("aclrtCreateStream")(&stream, 0, 0) == 0);
    CHECK(acl("aclrtMalloc")(&memory, 2 << 20, 0) == 0);
    FAILS(SMEM_NOT_EXIST, smem_trans_init(9, 0));
    OK(smem_trans_init(0, 0));
    from = create(0, "127.0.0.1:0");
    other = create(0, "127.0.0.1:0");
    CHECK(from != NULL && other != NULL);
    OK(smem_trans_get_rpc_port(other, &port));
    snprintf(to, sizeof to, "127.0.0.1:%u", (unsigned)port);
    OK(smem_trans_register_mem(other, memory, 2 << 20, 0));
    fill(here, sizeof here, 9);
    local[0] = back;
    local[1] = here;
    remote = (char *)memory + 64;
    for (direction = SMEM_TRANS_OP_WRITE; direction >= SMEM_TRANS_OP_READ; direction--) {
        smem_trans_batch_params_t params;
        memset(&params, 0, sizeof params);
        params.destUrl = to;
        params.srcList = &local[direction];
        params.destList = &remote;
        params.sizeList = &bytes;
        params.batchSize = 1;
        params.opcode = (smem_trans_opcode_t)direction;
        params.stream = stream;
        OK(smem_trans_batch_copy(from, &params, &id));
        CHECK(acl("aclrtSynchronizeStream")(stream, 0, 0) == 0);
        CHECK(smem_trans_batch_status_query(from, id, 0) == SMEM_TRANS_BATCH_DONE);
    }
    CHECK(memcmp(back, here, BYTES) == 0);
    smem_trans_uninit(0);
}

int main(void)
{
    int pipes[2];
    pid_t child;
    uint16_t port = 0;
    uint64_t id = 0;
    char *remote = NULL, to[32];
    smem_trans_t handle;
    time_t end;
    if (getenv("MF_TEST_DEVICE") != NULL) {
        on_stream();
        return check_result();
    }
    CHECK(pipe(pipes) == 0);
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        owner(pipes[1]);
    }
    close(pipes[1]);
    CHECK(read(pipes[0], &port, sizeof port) == sizeof port && read(pipes[0], &remote, sizeof remote) == sizeof remote);
    snprintf(to, sizeof to, "127.0.0.1:%u", (unsigned)port);

    OK(smem_trans_init(0, 0));
    OK(smem_trans_init(0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, create(0, "127.0.0.1:70000"));
    FAILS_NULL(SMEM_RES_IN_USE, create(0, to));
    handle = create(0, "127.0.0.1:0");
    CHECK(handle != NULL);
    OK(smem_trans_set_peer_down_callback(handle, note_gone, gone_name));
    copies(handle, to, remote);

    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    OK(start(handle, to, SMEM_TRANS_OP_READ, (char *)calloc(1, BYTES), remote, &id));
    FAILS(SMEM_NOT_CONNECTED, outcome(handle, id));
    for (end = time(NULL) + MOST_S; !gone && time(NULL) < end;) sched_yield();
    CHECK(gone && strcmp(gone_name, to) == 0);
    mixed(handle);
    return check_result();
}
