/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * dataOpType of endpoints: copies in place are independent of it; a missing engine is replaced by an
 * available one, with one warning; and MF_STRICT_ENGINE=1 refuses, at the creation an engine that this
 * machine lacks, at the transfer one that does not reach the other process. A default requests nothing;
 * messages are independent of engines.
 */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx.h"
#include "smem/host/smem_trans.h"

#define STRICT "MF_STRICT_ENGINE"
#define DEVICE "MF_DEVICE"
/* Defaults written by smem_trans_config_init. */
#define UNCHANGED (-1)
#define OWNER "127.0.0.1:5000"
#define BYTES 300000

static volatile int warnings; /* the callback may run in any thread, but the transfers of this program in one */
static char warning[512];
static char url[64], here[BYTES], back[BYTES];
static unsigned made;

static void logger(int level, const char *text)
{
    if (level < 2 || strstr(text, "was asked for") == NULL) return;
    warnings++;
    snprintf(warning, sizeof warning, "%s", text);
}

static smem_trans_t create(int engines)
{
    smem_trans_config_t config;
    char name[32];
    OK(smem_trans_config_init(&config));
    if (engines != UNCHANGED) memcpy(&config.dataOpType, &engines, sizeof engines);
    if (getenv(DEVICE) != NULL) config.deviceId = 0;
    snprintf(name, sizeof name, "127.0.0.1:%u", 6000 + made++);
    return smem_trans_create(url, name, &config);
}

/* Writes there and reads it back; how many warnings it took. */
static int moves(int engines, char *there)
{
    smem_trans_t endpoint = create(engines);
    int i;
    CHECK(endpoint != NULL);
    warnings = 0;
    for (i = 0; i < 3; i++) {
        fill(here, sizeof here, made + i);
        memset(back, 0, sizeof back);
        OK(smem_trans_write(endpoint, here, OWNER, there, BYTES, 0));
        OK(smem_trans_read(endpoint, back, OWNER, there, BYTES, 0));
        CHECK(filled(back, sizeof back, made + i));
    }
    smem_trans_destroy(endpoint, 0);
    return warnings;
}

/* Sends a message that the other process counts; no engine is asked, and nothing warns. */
static void notifies(int engines)
{
    smem_trans_t endpoint = create(engines);
    CHECK(endpoint != NULL);
    warnings = 0;
    OK(mfx_trans_notify(endpoint, OWNER, "the data is there", 17));
    CHECK(warnings == 0);
    smem_trans_destroy(endpoint, 0);
}

/* The message behind data that is refused is not sent. */
static void refused_with_its_message(smem_trans_t endpoint, char *there)
{
    void *locals[1], *remotes[1];
    size_t sizes[1] = {BYTES};
    mfx_transfer_t transfer;
    locals[0] = here;
    remotes[0] = there;
    transfer = mfx_trans_start(endpoint, 0, OWNER, locals, remotes, sizes, 1, "the data is there", 17);
    CHECK(transfer != NULL);
    FAILS(SMEM_NOT_EXIST, mfx_trans_wait(transfer, 60000));
    OK(mfx_trans_release(transfer));
}

static bool is_one_more(const char *from, const void *message, uint64_t bytes, void *count)
{
    CHECK(from != NULL && bytes == 17 && memcmp(message, "the data is there", 17) == 0);
    ++*(int *)count;
    return true;
}

/* The other process has memory that this one reaches over the network alone. */
static void owner(int out, int in)
{
    static char memory[BYTES];
    smem_trans_config_t config;
    smem_trans_t endpoint;
    char *address = memory;
    int messages = 0;
    setenv("MF_SHM", "false", 1);
    OK(smem_trans_config_init(&config));
    OK(smem_trans_init(&config));
    endpoint = smem_trans_create(url, OWNER, &config);
    CHECK(endpoint != NULL);
    OK(smem_trans_register_mem(endpoint, memory, sizeof memory, 0));
    CHECK(write(out, &address, sizeof address) == sizeof address);
    CHECK(read(in, &address, 1) == 0);
    OK(mfx_trans_notifications(endpoint, 0, is_one_more, &messages));
    CHECK(messages == 1);
    smem_trans_uninit(0);
    exit(check_result());
}

static void in_place(void)
{
    static char memory[BYTES];
    smem_trans_config_t config;
    smem_trans_t endpoint, other;
    OK(smem_trans_config_init(&config));
    endpoint = smem_trans_create(url, "127.0.0.1:5001", &config);
    other = create(SMEMB_DATA_OP_HOST_SHM);
    CHECK(endpoint != NULL && other != NULL);
    OK(smem_trans_register_mem(endpoint, memory, sizeof memory, 0));
    warnings = 0;
    OK(smem_trans_write(other, here, "127.0.0.1:5001", memory, BYTES, 0));
    CHECK(warnings == 0 && memcmp(memory, here, BYTES) == 0);
    smem_trans_destroy(other, 0);
    smem_trans_destroy(endpoint, 0);
}

static void lenient(char *there)
{
    CHECK(moves(SMEMB_DATA_OP_HOST_TCP, there) == 0);
    CHECK(moves(0, there) == 0);
    CHECK(moves(0xff, there) == 0);
    CHECK(moves(0x100, there) == 0); /* no engine has this bit */
    CHECK(moves(SMEMB_DATA_OP_HOST_URMA | SMEMB_DATA_OP_HOST_TCP, there) == 0);
    CHECK(moves(SMEMB_DATA_OP_HOST_URMA, there) == 1);
    CHECK(strstr(warning, "HOST_URMA") != NULL && strstr(warning, "tcp is used for transfers") != NULL);
    CHECK(moves(SMEMB_DATA_OP_HOST_URMA, there) == 0); /* it was printed once */
    CHECK(moves(SMEMB_DATA_OP_DEVICE_RDMA, there) == 1);
    notifies(SMEMB_DATA_OP_DEVICE_URMA);
    CHECK(moves(SMEMB_DATA_OP_DEVICE_URMA, there) == 1);
    CHECK(moves(UNCHANGED, there) == 0);
    in_place();
}

static void strict(char *there)
{
    smem_trans_t endpoint;
    static const int lacking[] = {SMEMB_DATA_OP_HOST_URMA, SMEMB_DATA_OP_DEVICE_RDMA, SMEMB_DATA_OP_DEVICE_UBOE};
    size_t i;
    for (i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        FAILS_NULL(SMEM_NOT_EXIST, create(lacking[i]));
    }
    CHECK(create(SMEMB_DATA_OP_HOST_URMA) == NULL && strstr(smem_get_last_err_msg(), STRICT) != NULL);
    CHECK(moves(SMEMB_DATA_OP_HOST_TCP, there) == 0);
    CHECK(moves(SMEMB_DATA_OP_HOST_URMA | SMEMB_DATA_OP_HOST_TCP, there) == 0);
    CHECK(moves(0, there) == 0);
    /* This machine has it, but the other process does not. */
    endpoint = create(SMEMB_DATA_OP_HOST_SHM);
    CHECK(endpoint != NULL);
    fill(here, sizeof here, 1);
    FAILS(SMEM_NOT_EXIST, smem_trans_write(endpoint, here, OWNER, there, BYTES, 0));
    FAILS(SMEM_NOT_EXIST, smem_trans_read(endpoint, back, OWNER, there, BYTES, 0));
    CHECK(smem_trans_write(endpoint, here, OWNER, there, 1, 0) == SMEM_NOT_EXIST);
    CHECK(strstr(smem_get_last_err_msg(), "HOST_SHM") != NULL && strstr(smem_get_last_err_msg(), "tcp") != NULL);
    smem_get_and_clear_last_err_msg();
    refused_with_its_message(endpoint, there);
    smem_trans_destroy(endpoint, 0);
    notifies(SMEMB_DATA_OP_HOST_SHM);
    CHECK(moves(UNCHANGED, there) == 0);
    in_place();
}

/* The default names the accelerator, which does not reach the other process; it is not a request. */
static void simulated(char *there)
{
    smem_trans_config_t config;
    OK(smem_trans_config_init(&config));
    CHECK(config.dataOpType == SMEMB_DATA_OP_SDMA);
    CHECK(moves(UNCHANGED, there) == 0);
    notifies(UNCHANGED);
}

int main(int argc, char **argv)
{
    int to[2], from[2], status = 0;
    char *there = NULL;
    smem_trans_config_t config;
    pid_t child;
    (void)argc;
    free_url(url, sizeof url);
    /* Settings are read once a process: this one has MF_SHM, its child has not. */
    CHECK(pipe(to) == 0 && pipe(from) == 0);
    child = fork();
    if (child == 0) {
        char go;
        close(to[1]);
        close(from[0]);
        if (read(to[0], &go, 1) != 1) exit(0);
        owner(from[1], to[0]);
    }
    close(to[0]);
    close(from[1]);
    if (getenv(DEVICE) != NULL && mfx_device_open(0) != SMEM_OK) {
        printf("skip the default with an accelerator: %s\n", smem_get_last_err_msg());
        return 0;
    }
    OK(smem_set_extern_logger(logger));
    OK(smem_create_config_store(url, 0));
    CHECK(write(to[1], "g", 1) == 1);
    CHECK(read(from[0], &there, sizeof there) == sizeof there);
    OK(smem_trans_config_init(&config));
    OK(smem_trans_init(&config));
    if (getenv(DEVICE) != NULL) simulated(there);
    else if (getenv(STRICT) == NULL) lenient(there);
    else strict(there);
    close(to[1]);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    smem_trans_uninit(0);
    smem_destroy_config_store(url);
    if (getenv(DEVICE) != NULL) OK(mfx_device_close());
    if (check_result() != 0 || getenv(DEVICE) != NULL) return check_result();
    if (getenv(STRICT) == NULL) {
        setenv(STRICT, "1", 1);
    } else {
        unsetenv(STRICT);
        setenv(DEVICE, "sim", 1);
    }
    run_again(argv);
    return 2;
}
