/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transfers by the interface of February 2026, with declarations of its own: a configuration of 24 bytes, an
 * operation number before the flags, a store that the endpoint starts. Selected by MF_SMEM_ABI=2026.02;
 * without it the first call refuses.
 */
#include "ranks.h"

#include "check.h"

#define GUARD 32
#define BYTES 5000
#define H2G 3
#define GH2H 6

typedef struct {
    int32_t role;
    uint32_t initTimeout, deviceId, flags;
    int32_t dataOpType;
    bool startConfigServer;
} config_t;

MFX_STATIC_ASSERT(sizeof(config_t) == 24, "size of the configuration");

#ifdef __cplusplus
extern "C" {
#endif
int32_t smem_trans_config_init(config_t *config);
int32_t smem_trans_init(const config_t *config);
void *smem_trans_create(const char *storeUrl, const char *uniqueId, const config_t *config);
void smem_trans_destroy(void *handle, uint32_t flags);
void smem_trans_uninit(uint32_t flags);
int32_t smem_trans_register_mem(void *handle, void *address, size_t bytes, uint32_t flags);
int32_t smem_trans_write(void *handle, const void *local, const char *to, void *remote, size_t bytes, int32_t opcode,
                         uint32_t flags);
int32_t smem_trans_batch_read(void *handle, void *locals[], const char *to, const void *remotes[], size_t sizes[], uint32_t count,
                              int32_t opcode, uint32_t flags);
int32_t smem_trans_get_rpc_port(char *text, uint32_t bytes);
#ifdef __cplusplus
}
#endif

int main(int argc, char **argv)
{
    struct {
        config_t config;
        unsigned char guard[GUARD];
    } room;
    static char here[BYTES], there[BYTES], back[BYTES];
    void *locals[1] = {back};
    const void *remotes[1] = {there};
    size_t sizes[1] = {BYTES};
    char url[64], port[16] = "", name[40];
    void *handle, *other;
    int i;
    if (argc < 2) {
        char again[] = "again", *arguments[] = {argv[0], again, NULL};
        FAILS(SMEM_INVALID_PARAM, smem_trans_get_rpc_port(port, sizeof port));
        if (check_result() != 0) return 1;
        setenv("MF_SMEM_ABI", "2026.02", 1);
        run_again(arguments);
        return 2;
    }
    FAILS(SMEM_INVALID_PARAM, smem_trans_get_rpc_port(port, 2));
    OK(smem_trans_get_rpc_port(port, sizeof port));
    CHECK(atoi(port) > 0);
    snprintf(name, sizeof name, "127.0.0.1:%s", port);
    memset(&room, 0x5a, sizeof room);
    OK(smem_trans_config_init(&room.config));
    for (i = 0; i < GUARD; i++) CHECK(room.guard[i] == 0x5a);
    CHECK(room.config.initTimeout > 0 && !room.config.startConfigServer);

    FAILS(SMEM_INVALID_PARAM, smem_trans_init(NULL));
    OK(smem_trans_init(&room.config));
    free_url(url, sizeof url);
    room.config.startConfigServer = true;
    handle = smem_trans_create(url, name, &room.config);
    CHECK(handle != NULL);
    room.config.startConfigServer = false;
    other = smem_trans_create(url, "127.0.0.1:1", &room.config);
    CHECK(other != NULL);
    OK(smem_trans_register_mem(other, there, sizeof there, 0));
    fill(here, sizeof here, 3);
    OK(smem_trans_write(handle, here, "127.0.0.1:1", there, BYTES, H2G, 0));
    OK(smem_trans_batch_read(handle, locals, "127.0.0.1:1", remotes, sizes, 1, GH2H, 0));
    CHECK(memcmp(back, here, BYTES) == 0);
    smem_trans_destroy(handle, 0);
    smem_trans_uninit(0);
    return check_result();
}
