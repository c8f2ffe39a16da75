/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Certificates, with a key that has a password, which a function decrypts: PEs meet by them; a PE that chose
 * plaintext is not let in. Needs the program mf (MF_TEST_PROGRAM) and openssl, and ends well without.
 */
#include <shmem.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

static char folder[64];
static int decrypted;

/* The "encryption" of this test: every byte is one higher. */
#ifdef __cplusplus
extern "C" {
static int decrypt(const char *cipher, size_t cipher_length, char *plain, size_t &plain_length)
{
    size_t *length = &plain_length;
#else
static int decrypt(const char *cipher, size_t cipher_length, char *plain, size_t *length)
{
#endif
    if (*length < cipher_length) return 1;
    for (size_t i = 0; i < cipher_length; i++) plain[i] = (char)(cipher[i] - 1);
    *length = cipher_length;
    decrypted = 1;
    return 0;
}
#ifdef __cplusplus
}
#endif

static int shell(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd %s && { %s; } >log 2>&1", folder, command);
    return system(line);
}

static int exists(const char *name)
{
    char path[128];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &found) == 0;
}

/* PE 0 makes the certificates, and the others wait for them. */
static void make(void)
{
    snprintf(folder, sizeof folder, "/tmp/mf-cann-tls-%d", job_number("MASTER_PORT", (int)getpid()));
    if (job_rank() == 0) {
        CHECK(mkdir(folder, 0700) == 0);
        CHECK(shell("$MF_TEST_PROGRAM certs init ca && $MF_TEST_PROGRAM certs issue ca one --address 127.0.0.1") == 0);
        CHECK(shell("openssl pkcs8 -topk8 -in ca/one.key -out locked.key -v2 aes-256-cbc -passout pass:secret") == 0);
        CHECK(shell("touch made") == 0);
    }
    for (int i = 0; i < 3000 && !exists("made"); i++) usleep(10000);
    CHECK(exists("made"));
}

static int begin(int me, int pes, int behind, unsigned seconds)
{
    aclshmemx_init_attr_t attr;
    memset((void *)&attr, 0, sizeof attr);
    attr.my_pe = me;
    attr.n_pes = pes;
    attr.local_mem_size = HEAP_BYTES;
    attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_MTE;
    attr.option_attr.shm_init_timeout = attr.option_attr.control_operation_timeout = seconds;
    job_address(attr.ip_port, behind);
    return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr);
}

int main(void)
{
    char info[512], key[8192], path[128];
    size_t length;
    FILE *file;
    if (getenv("MF_TEST_PROGRAM") == NULL || system("openssl version >/dev/null 2>&1") != 0) return 0;
    make();
    snprintf(path, sizeof path, "%s/locked.key", folder);
    file = fopen(path, "r");
    CHECK(file != NULL);
    if (file == NULL) return check_result();
    length = fread(key, 1, sizeof key, file);
    fclose(file);
    snprintf(info, sizeof info, "tlsCaPath: %s/ca; tlsCaFile: ca.pem; tlsCert: %s/ca/one.pem;", folder, folder);
    CHECK_CODE(aclshmemx_set_conf_store_tls(true, info, (uint32_t)strlen(info)), 0);
    /* The password is "secret"; the wrong one is found out by init, which never goes on in clear. */
    CHECK_CODE(aclshmemx_set_config_store_tls_key(key, (uint32_t)length, "wrong", 5, decrypt), 0);
    CHECK_CODE(begin(job_rank(), job_ranks(), 0, 20), -6);
    CHECK_CODE(aclshmemx_set_config_store_tls_key(key, (uint32_t)length, "tfdsfu", 6, decrypt), 0);
    /* The arguments are copied. */
    memset(info, 'x', sizeof info);
    memset(key, 'x', sizeof key);
    if (job_rank() == 0) {
        pid_t outsider = fork();
        int status = -1;
        if (outsider == 0) {
            aclshmemx_set_conf_store_tls(false, NULL, 0);
            _exit(begin(job_ranks(), job_ranks() + 1, 0, 2) == 0);
        }
        CHECK_CODE(begin(0, job_ranks(), 0, 60), 0);
        CHECK(waitpid(outsider, &status, 0) == outsider && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    } else {
        CHECK_CODE(begin(job_rank(), job_ranks(), 0, 60), 0);
    }
    CHECK(decrypted);
    int *word = (int *)aclshmem_malloc(sizeof(int));
    aclshmem_int32_p(word, aclshmem_my_pe(), (aclshmem_my_pe() + 1) % aclshmem_n_pes());
    aclshmem_barrier_all();
    CHECK(*word == (aclshmem_my_pe() + aclshmem_n_pes() - 1) % aclshmem_n_pes());
    /* Too late: nothing changes. */
    CHECK_CODE(aclshmemx_set_conf_store_tls(false, NULL, 0), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    if (job_rank() == 0) {
        char line[128];
        snprintf(line, sizeof line, "rm -rf %s", folder);
        CHECK(system(line) == 0);
    }
    return check_result();
}
