/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transfers by names, without ranks: a prefill process writes the cache of a request into the memory of a
 * decode process, layer by layer, and computes the next layer meanwhile. A message comes behind each layer.
 *
 *     cc 12_transfer.c $(pkg-config --cflags --libs mf_smem) -o 12_transfer && ./12_transfer
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "smem/host/mfx.h"
#include "smem/host/smem.h"
#include "smem/host/smem_trans.h"

#define PREFILL "127.0.0.1:6001" /* names: nothing listens there on the strength of them */
#define DECODE "127.0.0.1:6002"
#define LAYERS 4u
#define NUMBERS 100000u

static char url[64];

static void require(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "%s failed: %s\n", what, smem_get_last_err_msg());
    exit(1);
}

/* A port of the loopback that is free now. */
static int free_port(void)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int probe = socket(AF_INET, SOCK_STREAM, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require(bind(probe, (struct sockaddr *)&address, length) == 0, "bind");
    require(getsockname(probe, (struct sockaddr *)&address, &length) == 0, "getsockname");
    close(probe);
    return ntohs(address.sin_port);
}

static smem_trans_t begun(const char *name, smem_trans_role_t role)
{
    smem_trans_config_t config;
    smem_trans_t endpoint;
    require(smem_trans_config_init(&config) == SMEM_OK, "smem_trans_config_init");
    config.role = role;
    require(smem_trans_init(&config) == SMEM_OK, "smem_trans_init");
    endpoint = smem_trans_create(url, name, &config);
    require(endpoint != NULL, "smem_trans_create");
    return endpoint;
}

static void ended(smem_trans_t endpoint)
{
    smem_trans_destroy(endpoint, 0);
    smem_trans_uninit(0);
    smem_uninit();
}

/* Takes one message: the number of a layer that is there. */
static bool take(const char *from, const void *message, uint64_t bytes, void *layer)
{
    (void)from;
    require(bytes == sizeof(uint32_t), "a message of 4 bytes");
    memcpy(layer, message, sizeof(uint32_t));
    return false;
}

static void decode(int to_prefill, int from_prefill)
{
    smem_trans_t endpoint = begun(DECODE, SMEM_TRANS_RECEIVER);
    float *cache = (float *)smem_trans_malloc(endpoint, LAYERS * NUMBERS * sizeof *cache);
    uint32_t turn, layer = 0;
    char word;
    require(cache != NULL, "smem_trans_malloc");
    require(write(to_prefill, &cache, sizeof cache) == sizeof cache, "write");
    for (turn = 0; turn < LAYERS; turn++) {
        require(mfx_trans_notifications(endpoint, 60000, take, &layer) == SMEM_OK, "mfx_trans_notifications");
        printf("decode: layer %u begins with %.1f\n", (unsigned)layer, (double)cache[layer * NUMBERS]);
        require(cache[(layer + 1) * NUMBERS - 1] == (float)layer + 0.5f, "the end of the layer");
    }
    /* From here on no peer can access the memory. */
    require(smem_trans_free(endpoint, cache) == SMEM_OK, "smem_trans_free");
    require(read(from_prefill, &word, 1) == 1, "read");
    ended(endpoint);
}

static void prefill(int from_decode, int to_decode)
{
    smem_trans_t endpoint = begun(PREFILL, SMEM_TRANS_SENDER);
    float *layers = (float *)malloc(LAYERS * NUMBERS * sizeof *layers), *remote;
    mfx_transfer_t transfers[LAYERS];
    uint32_t layer, i;
    require(layers != NULL && read(from_decode, &remote, sizeof remote) == sizeof remote, "read");
    for (layer = 0; layer < LAYERS; layer++) {
        void *local[1] = {layers + layer * NUMBERS}, *there[1] = {remote + layer * NUMBERS};
        size_t bytes[1] = {NUMBERS * sizeof *layers};
        /* The layer before travels while this one is computed. */
        for (i = 0; i < NUMBERS; i++) layers[layer * NUMBERS + i] = (float)layer + 0.5f;
        transfers[layer] = mfx_trans_start(endpoint, 0, DECODE, local, there, bytes, 1, &layer, sizeof layer);
        require(transfers[layer] != NULL, "mfx_trans_start");
    }
    for (layer = 0; layer < LAYERS; layer++) {
        require(mfx_trans_wait(transfers[layer], 60000) == SMEM_OK, "mfx_trans_wait");
        mfx_trans_release(transfers[layer]);
    }
    printf("prefill: %u layers written to " DECODE "\n", LAYERS);
    require(write(to_decode, "", 1) == 1, "write");
    ended(endpoint);
    free(layers);
}

int main(void)
{
    int up[2], down[2], status = 1;
    pid_t child;
    setvbuf(stdout, NULL, _IOLBF, 0);
    snprintf(url, sizeof url, "tcp://127.0.0.1:%d", free_port());
    require(pipe(up) == 0 && pipe(down) == 0, "pipe");
    child = fork(); /* before the library is used */
    require(child >= 0, "fork");
    require(smem_init(0) == SMEM_OK, "smem_init");
    if (child == 0) {
        decode(up[1], down[0]);
        return 0;
    }
    /* The store where both meet; it stays until both have ended. */
    require(smem_create_config_store(url, 0) == SMEM_OK, "smem_create_config_store");
    prefill(up[0], down[1]);
    require(waitpid(child, &status, 0) == child && status == 0, "decode");
    return 0;
}
