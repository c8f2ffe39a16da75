/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * dataOpType of endpoints: what is copied in place is, whatever was asked for; what is lacking becomes what
 * is there, with one warning; and MF_STRICT_ENGINE=1 refuses, at the creation what this machine lacks, at the
 * transfer what does not reach the other process.
 */
#include "ranks.h"

#include "check.h"
#include "smem/host/smem_trans.h"

#define STRICT "MF_STRICT_ENGINE"
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
    memcpy(&config.dataOpType, &engines, sizeof engines);
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

/* The other process has memory that this one reaches over the network alone. */
static void owner(int out, int in)
{
    static char memory[BYTES];
    smem_trans_config_t config;
    smem_trans_t endpoint;
    char *address = memory;
    setenv("MF_SHM", "false", 1);
    OK(smem_trans_config_init(&config));
    OK(smem_trans_init(&config));
    endpoint = smem_trans_create(url, OWNER, &config);
    CHECK(endpoint != NULL);
    OK(smem_trans_register_mem(endpoint, memory, sizeof memory, 0));
    CHECK(write(out, &address, sizeof address) == sizeof address);
    CHECK(read(in, &address, 1) == 0);
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
    smem_trans_destroy(endpoint, 0);
    in_place();
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
        CHECK(read(to[0], &go, 1) == 1);
        owner(from[1], to[0]);
    }
    close(to[0]);
    close(from[1]);
    OK(smem_set_extern_logger(logger));
    OK(smem_create_config_store(url, 0));
    CHECK(write(to[1], "g", 1) == 1);
    CHECK(read(from[0], &there, sizeof there) == sizeof there);
    OK(smem_trans_config_init(&config));
    OK(smem_trans_init(&config));
    if (getenv(STRICT) == NULL) lenient(there);
    else strict(there);
    close(to[1]);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    smem_trans_uninit(0);
    smem_destroy_config_store(url);
    if (check_result() != 0 || getenv(STRICT) != NULL) return check_result();
    setenv(STRICT, "1", 1);
    run_again(argv);
    return 2;
}
