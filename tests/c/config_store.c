/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Config store servers as objects: their handles, callbacks and status; alarms; TLS; wrong arguments of
 * all of them. */
#include "ranks.h"

#include "smem/host/smem_config_store_api.h"

#include "check.h"

static void on_alarm(uint16_t code, const char *text)
{
    CHECK(code != 0 && text != NULL);
}

static void on_resume(uint16_t code)
{
    CHECK(code != 0);
}

static int32_t on_broken(void *context, uint32_t link, uint32_t rank)
{
    (void)link;
    *(volatile uint32_t *)context = rank + 1;
    return 0;
}

static void on_leader(void *context, const smem_config_store_leader_info_t *leader)
{
    (void)context;
    CHECK(leader->bindable_leader_address != NULL);
}

#ifdef __cplusplus
extern "C" {
static int decrypt(const char *, size_t, char *, size_t &) { return 1; }
}
#else
static int decrypt(const char *cipher, size_t cipher_length, char *plain, size_t *plain_length)
{
    (void)cipher, (void)cipher_length, (void)plain, (void)plain_length;
    return 1;
}
#endif

static void alarms_and_tls(void)
{
    smem_tls_options_t options;
    const char *info = "tlsCaPath: /nowhere; tlsCaFile: ca.pem; tlsCert: /nowhere/cert.pem; tlsPk: /nowhere/key.pem;";
    FAILS(SMEM_INVALID_PARAM, smem_set_extern_alarm(NULL, on_resume));
    FAILS(SMEM_INVALID_PARAM, smem_set_extern_alarm(on_alarm, NULL));
    OK(smem_set_extern_alarm(on_alarm, on_resume));

    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, NULL, 0));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, "", 0));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, "rubbish", 7));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, "\xff\xfe: x;", 6));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, "tlsCaPath: /nowhere;", 20));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, info, (uint32_t)strlen(info)));
    OK(smem_set_conf_store_tls(false, NULL, 0));
    OK(smem_set_conf_store_tls(false, "rubbish", 7));

    FAILS(SMEM_INVALID_PARAM, smem_set_config_store_tls_key(NULL, 1, NULL, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, smem_set_config_store_tls_key("key", 3, NULL, 1, NULL));
    OK(smem_set_config_store_tls_key("key", 3, "password", 8, decrypt));
    OK(smem_set_config_store_tls_key(NULL, 0, NULL, 0, NULL));

    memset(&options, 0, sizeof options);
    options.enable_tls = 1;
    FAILS(SMEM_INVALID_PARAM, smem_config_store_set_tls(&options, NULL, NULL));
    options.tls_ca_path = "/nowhere", options.tls_cert = "/nowhere/cert.pem", options.tls_private_key = "/nowhere/key";
    FAILS(SMEM_INVALID_PARAM, smem_config_store_set_tls(&options, NULL, "/nowhere/libdecrypter.so"));
    OK(smem_config_store_set_tls(&options, "/ignored", NULL));
    {
        char url[64];
        free_url(url, sizeof url);
        FAILS(SMEM_INVALID_PARAM, smem_create_config_store(url, 0));
        FAILS_NULL(SMEM_INVALID_PARAM, smem_config_store_create_server(url));
    }
    options.enable_tls = 0;
    OK(smem_config_store_set_tls(&options, NULL, NULL));
    OK(smem_config_store_set_tls(NULL, NULL, NULL));
}

static void handles(void)
{
    char url[64], json[65536];
    uint32_t length = 0, needed = 0;
    volatile uint32_t lost = 0;
    smem_config_store_t store, again;
    mfx_store_options_t options;
    mfx_store_t member;
    pid_t child;
    int status = 0;
    free_url(url, sizeof url);

    FAILS(SMEM_INVALID_PARAM, smem_config_store_get_cluster_status(NULL, 0, NULL));
    FAILS(SMEM_NOT_EXIST, smem_config_store_get_cluster_status(json, sizeof json, &length));
    CHECK(strcmp(json, "[]") == 0 && length == 2);
    FAILS_NULL(SMEM_INVALID_PARAM, smem_config_store_create_server(NULL));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_config_store_create_server("tcp://nowhere"));
    store = smem_config_store_create_server(url);
    CHECK(store != NULL);
    again = smem_config_store_create_server(url);
    CHECK(again != NULL && again != store);
    OK(smem_create_config_store(url, 0));
    FAILS(SMEM_ERROR, smem_config_store_set_leader_handler(NULL, on_leader, NULL));
    FAILS(SMEM_INVALID_PARAM, smem_config_store_set_leader_handler((smem_config_store_t)(uintptr_t)1, on_leader, NULL));
    CHECK(smem_config_store_set_leader_handler(store, on_leader, NULL) == 1);

    /* A member that dies is reported; one that leaves is not. */
    smem_config_store_set_server_broken_handler(store, on_broken, (void *)&lost);
    OK(mfx_store_options_init(&options));
    options.worldSize = 3;
    options.wish = MFX_RANK_EXACTLY;
    options.rank = 2;
    child = fork();
    if (child == 0) {
        member = mfx_store_connect(url, &options);
        if (member != NULL) kill(getpid(), SIGKILL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    while (lost == 0) usleep(1000);
    CHECK(lost == 3);
    smem_config_store_set_server_broken_handler(store, NULL, NULL);
    smem_config_store_set_server_broken_handler(NULL, on_broken, NULL);

    options.rank = 1;
    member = mfx_store_connect(url, &options);
    CHECK(member != NULL);
    OK(smem_config_store_get_cluster_status(NULL, 0, &needed));
    FAILS(SMEM_BUFFER_TOO_SMALL, smem_config_store_get_cluster_status(json, 10, &length));
    CHECK(needed > 10 && length > 10 && length <= sizeof json);
    /* The room that is reported is enough, unless an age in the text has got one more digit since. */
    do {
        needed = length;
        status = smem_config_store_get_cluster_status(json, needed, &length);
    } while (status == SMEM_BUFFER_TOO_SMALL && length > needed && length <= sizeof json);
    OK(status);
    CHECK(length < needed && length == strlen(json) && json[0] == '[' && json[length - 1] == ']');
    CHECK(strstr(json, "\"type\":\"tcp\"") != NULL && strstr(json, "\"state\":\"SS_NORMAL\"") != NULL);
    CHECK(strstr(json, "\"worldSize\":3") != NULL && strstr(json, "RANK_ACTIVE") != NULL && strstr(json, url) != NULL);
    OK(mfx_store_close(member));

    smem_config_store_destroy_server(store, url);
    smem_config_store_destroy_server(store, url);
    smem_config_store_destroy_server(NULL, NULL);
    smem_config_store_destroy_server(again, "rubbish");
    /* The port is free again. */
    OK(smem_create_config_store(url, SMEM_STORE_SKIP_RECOVER));
    smem_destroy_config_store(url);
    FAILS(SMEM_NOT_EXIST, smem_config_store_get_cluster_status(NULL, 0, &length));
}

int main(void)
{
    alarms_and_tls();
    OK(smem_set_conf_store_tls(false, NULL, 0));
    handles();
    return check_result();
}
