/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Transfers: right and wrong arguments of every function; endpoints of one process. */
#include "ranks.h"

#include "check.h"
#include "smem/host/smem_trans.h"

#include <sched.h>
#include <stdlib.h>

static smem_trans_config_t config;
static char url[64];

static void wrong_configurations(void)
{
    FAILS(SMEM_INVALID_PARAM, smem_trans_config_init(NULL));
    memset(&config, 0xff, sizeof config);
    OK(smem_trans_config_init(&config));
    CHECK(config.role == SMEM_TRANS_SENDER && config.initTimeout == 120 && config.deviceId == UINT32_MAX);
    CHECK(config.flags == 0 && config.nic[0] == '\0' && !config.hcomTlsConfig.tlsEnable);
    CHECK(config.dataOpType == SMEMB_DATA_OP_HOST_TCP);

    /* Before init. */
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create(url, "127.0.0.1:5000", &config));
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem((smem_trans_t)1, &config, 1, 0));
    smem_trans_uninit(0);

    FAILS(SMEM_INVALID_PARAM, smem_trans_init(NULL));
    config.role = SMEM_TRANS_BUTT;
    FAILS(SMEM_INVALID_PARAM, smem_trans_init(&config));
    config.role = SMEM_TRANS_BOTH;
    config.initTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_trans_init(&config));
    config.initTimeout = 30;
    strcpy(config.nic, "tcp://");
    FAILS(SMEM_INVALID_PARAM, smem_trans_init(&config));
    config.nic[0] = '\0';
    OK(smem_trans_init(&config));
    OK(smem_trans_init(&config));
}

static void wrong_names(void)
{
    static const char *const bad[] = {"", "127.0.0.1", "localhost:5000", "::1:5000", "1.2.3.4:99999", "1.2.3.4:5 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create(url, bad[i], &config));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create(NULL, "127.0.0.1:5000", &config));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create(url, NULL, &config));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create(url, "127.0.0.1:5000", NULL));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create("udp://127.0.0.1:5000", "127.0.0.1:5000", &config));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_create("tcp://127.0.0.1", "127.0.0.1:5000", &config));
}

static void memory(smem_trans_t owner, smem_trans_t other)
{
    char *bytes = (char *)calloc(1, 4096), here[64];
    void *list[2] = {bytes, bytes + 1024};
    size_t sizes[2] = {1024, 1024};
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem(NULL, bytes, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem((smem_trans_t)1, bytes, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem(owner, NULL, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem(owner, bytes, 0, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem(owner, bytes, SIZE_MAX, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_register_mem(owner, NULL, sizes, 2, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_register_mem(owner, list, NULL, 2, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_register_mem(owner, list, sizes, 0, 0));
    FAILS(SMEM_NOT_EXIST, smem_trans_deregister_mem(owner, bytes));
    FAILS(SMEM_INVALID_PARAM, smem_trans_deregister_mem(owner, NULL));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, "127.0.0.1:5000", bytes, 8, 0));

    /* Adjoining ranges of one call are merged. */
    OK(smem_trans_batch_register_mem(owner, list, sizes, 2, 0xffffffff));
    memset(here, 'x', sizeof here);
    OK(smem_trans_write(other, here, "127.0.0.1:5000", bytes + 1000, 48, 0));
    CHECK(bytes[999] == 0 && bytes[1000] == 'x' && bytes[1047] == 'x' && bytes[1048] == 0);
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, "127.0.0.1:5000", bytes + 2047, 2, 0));
    OK(smem_trans_deregister_mem(owner, bytes));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, "127.0.0.1:5000", bytes + 1000, 48, 0));
    OK(smem_trans_read(other, here, "127.0.0.1:5000", bytes + 1024, 48, 0));
    CHECK(here[0] == 'x' && here[24] == 0);
    OK(smem_trans_deregister_mem(owner, bytes + 1024));

    char *own = (char *)smem_trans_malloc(owner, 100);
    CHECK(own != NULL && own[99] == 0);
    OK(smem_trans_write(other, "hello", "127.0.0.1:5000", own + 94, 6, 0));
    CHECK(strcmp(own + 94, "hello") == 0);
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_malloc(owner, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_malloc(owner, SIZE_MAX));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_malloc(owner, SIZE_MAX / 2));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_trans_malloc(NULL, 1));
    FAILS(SMEM_NOT_EXIST, smem_trans_free(owner, own + 1));
    FAILS(SMEM_NOT_EXIST, smem_trans_free(other, own));
    OK(smem_trans_free(owner, own));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, "hello", "127.0.0.1:5000", own, 6, 0));
    free(bytes);
}

static void transfers(smem_trans_t owner, smem_trans_t other)
{
    static char there[1 << 16], here[1 << 16];
    const char *name = "127.0.0.1:5000";
    int stream = 0;
    OK(smem_trans_register_mem(owner, there, sizeof there, 0));
    const void *sources[3] = {here, here + 100, here + 1000};
    void *places[3] = {there, there + 100, there + 40000};
    size_t sizes[3] = {100, 200, 20000};
    for (size_t i = 0; i < sizeof here; i++) here[i] = (char)(i * 7 + 1);

    FAILS(SMEM_INVALID_PARAM, smem_trans_write(NULL, here, name, there, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, NULL, name, there, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, NULL, there, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, name, NULL, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, name, there, 0, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_write(other, here, name, there, SIZE_MAX, 0));
    FAILS(SMEM_NOT_CONNECTED, smem_trans_write(other, here, "127.0.0.1:1", there, 1, 0));
    FAILS(SMEM_NOT_CONNECTED, smem_trans_write(other, here, "no name", there, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_read(other, NULL, name, there, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_read(other, here, name, there, 0, 0));

    OK(smem_trans_batch_write(other, sources, name, places, sizes, 3, COPY_EXTEND_FLAG));
    CHECK(memcmp(there, here, 300) == 0 && memcmp(there + 40000, here + 1000, 20000) == 0 && there[300] == 0);
    void *back[3] = {here + 30000, here + 30100, here + 31000};
    OK(smem_trans_batch_read(other, back, name, (const void **)places, sizes, 3, 0xfffffffc));
    CHECK(memcmp(here + 30000, here, 300) == 0 && memcmp(here + 31000, here + 1000, 20000) == 0);
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_write(other, NULL, name, places, sizes, 3, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_write(other, sources, name, NULL, sizes, 3, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_write(other, sources, name, places, NULL, 3, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_write(other, sources, name, places, sizes, 0, 0));
    places[2] = there + sizeof there - 1;
    CHECK(SMEM_INVALID_PARAM == smem_trans_batch_write(other, sources, name, places, sizes, 3, 0));
    CHECK(strstr(smem_get_last_err_msg(), "piece 2") != NULL);
    sizes[1] = 0;
    CHECK(SMEM_INVALID_PARAM == smem_trans_batch_write(other, sources, name, places, sizes, 3, 0));
    CHECK(strstr(smem_get_last_err_msg(), "piece 1") != NULL);
    (void)smem_get_and_clear_last_err_msg();

    /* Without an accelerator a stream is a mark, and all is done on return. */
    FAILS(SMEM_INVALID_PARAM, smem_trans_write_submit(other, here, name, there, 8, NULL, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_read_submit(other, here, name, there, 8, NULL, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_write_submit(other, sources, name, places, sizes, 1, NULL, 0));
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_read_submit(other, back, name, sources, sizes, 1, NULL, 0));
    memset(there, 0, sizeof there);
    OK(smem_trans_write_submit(other, here, name, there, 8, &stream, 0));
    OK(smem_trans_batch_write_submit(other, sources, name, places, sizes, 1, &stream, 0));
    CHECK(memcmp(there, here, 100) == 0);
    OK(smem_trans_read_submit(other, here + 500, name, there, 8, &stream, 0));
    sources[0] = there;
    OK(smem_trans_batch_read_submit(other, back, name, sources, sizes, 1, &stream, 0));
    CHECK(memcmp(here + 500, here, 8) == 0);
    OK(smem_trans_deregister_mem(owner, there));
}

static void quantised(smem_trans_t owner, smem_trans_t other)
{
    /* 0.5, 1.5, 2.5, -0.5, 200, -200 as float16. */
    static uint16_t numbers[6] = {0x3800, 0x3e00, 0x4100, 0xb800, 0x5a40, 0xda40};
    static int8_t there[8];
    static float scales[3] = {1, 2, 1}, offsets[3] = {0, 1, 0};
    static const int8_t expected[6] = {0, 2, 6, 0, 127, -128}, plain[6] = {0, 2, 2, 0, 127, -128};
    void *locals[1] = {numbers}, *remotes[1] = {there};
    size_t sizes[1] = {sizeof numbers};
    float *all_scales[1] = {scales}, *all_offsets[1] = {offsets};
    smem_trans_quant_copy_param_t param;
    memset(&param, 0, sizeof param);
    param.remoteUniqueId = "127.0.0.1:5000";
    param.localAddrs = locals;
    param.remoteAddrs = remotes;
    param.dataSizes = sizes;
    param.scale = all_scales;
    param.offset = all_offsets;
    param.batchSize = 1;
    param.unitNum = 2;
    param.inputType = 1;
    OK(smem_trans_register_mem(owner, there, sizeof there, 0));
    OK(smem_trans_batch_quant_write(other, &param));
    CHECK(memcmp(there, expected, 6) == 0 && there[6] == 0);
    all_scales[0] = NULL;
    param.offset = NULL;
    OK(smem_trans_batch_quant_write(other, &param));
    CHECK(memcmp(there, plain, 6) == 0);
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_quant_write(other, NULL));
    param.inputType = 2;
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_quant_write(other, &param));
    param.inputType = 0;
    sizes[0] = 3;
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_quant_write(other, &param));
    /* Over the last address: refused before a number is read. */
    sizes[0] = SIZE_MAX - 1;
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_quant_write(other, &param));
    sizes[0] = sizeof numbers;
    remotes[0] = NULL;
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_quant_write(other, &param));
    param.batchSize = 0;
    FAILS(SMEM_INVALID_PARAM, smem_trans_batch_quant_write(other, &param));
    OK(smem_trans_deregister_mem(owner, there));
}

static void down(const char *name, void *count)
{
    if (strcmp(name, "127.0.0.1:5000") == 0) __atomic_fetch_add((int *)count, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
    static int downs;
    free_url(url, sizeof url);
    OK(smem_create_config_store(url, 0));
    wrong_configurations();
    wrong_names();
    smem_trans_t owner = smem_trans_create(url, "127.0.0.1:5000", &config);
    smem_trans_t other = smem_trans_create(url, "[::1]:5001", &config);
    CHECK(owner != NULL && other != NULL);
    FAILS_NULL(SMEM_DUPLICATED, smem_trans_create(url, "127.0.0.1:5000", &config));
    memory(owner, other);
    transfers(owner, other);
    quantised(owner, other);

    FAILS(SMEM_INVALID_PARAM, smem_trans_set_peer_down_callback(NULL, down, &downs));
    OK(smem_trans_set_peer_down_callback(other, down, &downs));
    smem_trans_destroy(owner, 0);
    while (__atomic_load_n(&downs, __ATOMIC_SEQ_CST) == 0) sched_yield();
    FAILS(SMEM_NOT_CONNECTED, smem_trans_write(other, url, "127.0.0.1:5000", url, 1, 0));
    OK(smem_trans_set_peer_down_callback(other, NULL, NULL));
    CHECK(__atomic_load_n(&downs, __ATOMIC_SEQ_CST) == 1);
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem(owner, url, 1, 0));
    smem_trans_uninit(0);
    FAILS(SMEM_INVALID_PARAM, smem_trans_register_mem(other, url, 1, 0));
    smem_destroy_config_store(url);
    return check_result();
}
