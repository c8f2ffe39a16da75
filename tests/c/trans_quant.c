/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Quantised writes of an accelerator's memory, on the simulator: a kernel makes the same bytes as the
 * processor makes of the same numbers of the host, wherever scales, offsets and the destination lie.
 */
#include "ranks.h"

#include "check.h"
#include "smem/host/smem_trans.h"

#define GIB ((uint64_t)1 << 30)
#define COUNT 65536 /* all numbers of 16 bits */
#define UNIT 1000
#define UNITS ((COUNT + UNIT - 1) / UNIT)
#define OWNER "127.0.0.1:5000"

static uint16_t numbers[COUNT];
static float scales[UNITS], offsets[UNITS];
static int8_t expected[COUNT], there[COUNT];
static smem_bm_t pool;
static smem_trans_t endpoint;

/* Between memory of the host and of the accelerator. */
static int32_t copy(const void *from, void *to, size_t bytes, smem_bm_copy_type_t type)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = from;
    params.dest = to;
    params.dataSize = bytes;
    return smem_bm_copy(pool, &params, type, 0);
}

static int32_t quantise(uint16_t *from, int8_t *to, size_t count, float *scale, float *offset, uint32_t type)
{
    /* Two pieces, the second of one unit and a bit. */
    size_t first = count > UNIT + 10 ? count / UNIT / 2 * UNIT : count;
    void *locals[2], *remotes[2];
    size_t sizes[2];
    float *all_scales[2], *all_offsets[2];
    smem_trans_quant_copy_param_t param;
    locals[0] = from;
    locals[1] = from + first;
    remotes[0] = to;
    remotes[1] = to + first;
    sizes[0] = first * 2;
    sizes[1] = (count - first) * 2;
    all_scales[0] = scale;
    all_scales[1] = scale == NULL ? NULL : scale + first / UNIT;
    all_offsets[0] = offset;
    all_offsets[1] = offset == NULL ? NULL : offset + first / UNIT;
    memset(&param, 0, sizeof param);
    param.remoteUniqueId = OWNER;
    param.localAddrs = locals;
    param.remoteAddrs = remotes;
    param.dataSizes = sizes;
    param.scale = all_scales;
    param.offset = all_offsets;
    param.batchSize = sizes[1] == 0 ? 1 : 2;
    param.unitNum = UNIT;
    param.inputType = type;
    return smem_trans_batch_quant_write(endpoint, &param);
}

/* The same from the host and from the accelerator. */
static void is_the_same(char *device, float *host_scales, float *host_offsets, float *their_scales, float *their_offsets)
{
    uint32_t type;
    for (type = 0; type < 2; type++) {
        memset(expected, 0x33, sizeof expected);
        memset(there, 0x44, sizeof there);
        OK(quantise(numbers, expected, COUNT, host_scales, host_offsets, type));
        OK(quantise((uint16_t *)(void *)device, there, COUNT, their_scales, their_offsets, type));
        CHECK(memcmp(there, expected, sizeof there) == 0);
    }
}

int main(void)
{
    char url[64], *device, *factors, *target;
    smem_trans_config_t config;
    smem_trans_t owner;
    size_t i;
    setenv("MF_DEVICE", "sim", 1);
    free_url(url, sizeof url);
    OK(smem_trans_config_init(&config));
    if (init_rank(url, 1, 0) != 0 || (pool = smem_bm_create(0, 1, SMEMB_DATA_OP_SDMA, 0, GIB, 0)) == NULL) {
        printf("skip quantised writes on the simulator: %s\n", smem_get_last_err_msg());
        return 0;
    }
    OK(smem_bm_join(pool, 0));
    device = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_DEVICE, 0);
    factors = device + (4 << 20);
    target = device + (8 << 20);
    for (i = 0; i < COUNT; i++) numbers[i] = (uint16_t)i;
    for (i = 0; i < UNITS; i++) {
        scales[i] = (float)i * 0.37F - 5;
        offsets[i] = 100 - (float)i * 3;
    }
    OK(copy(numbers, device, sizeof numbers, SMEMB_COPY_H2G));
    OK(copy(numbers, device + (1 << 20) + 1, sizeof numbers, SMEMB_COPY_H2G));
    OK(copy(scales, factors, sizeof scales, SMEMB_COPY_H2G));
    OK(copy(offsets, factors + (1 << 20), sizeof offsets, SMEMB_COPY_H2G));

    config.deviceId = 0;
    OK(smem_trans_init(&config));
    owner = smem_trans_create(url, OWNER, &config);
    endpoint = smem_trans_create(url, "127.0.0.1:5001", &config);
    CHECK(owner != NULL && endpoint != NULL);
    if (owner == NULL || endpoint == NULL) return check_result();
    OK(smem_trans_register_mem(owner, expected, sizeof expected, 0));
    OK(smem_trans_register_mem(owner, there, sizeof there, 0));
    OK(smem_trans_register_mem(owner, target, 1 << 20, 0));

    is_the_same(device, NULL, NULL, NULL, NULL);
    is_the_same(device, scales, offsets, scales, offsets);
    is_the_same(device, scales, offsets, (float *)(void *)factors, (float *)(void *)(factors + (1 << 20)));
    is_the_same(device + (1 << 20) + 1, scales, NULL, (float *)(void *)factors, NULL);
    /* Numbers of the host with scales of the accelerator. */
    memset(there, 0x44, sizeof there);
    OK(quantise(numbers, there, COUNT, (float *)(void *)factors, NULL, 1));
    OK(quantise(numbers, expected, COUNT, scales, NULL, 1));
    CHECK(memcmp(there, expected, sizeof there) == 0);
    /* From one accelerator to another. */
    OK(quantise((uint16_t *)(void *)device, (int8_t *)target, COUNT, scales, NULL, 1));
    memset(there, 0, sizeof there);
    OK(copy(target, there, sizeof there, SMEMB_COPY_G2H));
    CHECK(memcmp(there, expected, sizeof there) == 0);
    /* Memory that the other process has not registered stays unchanged. */
    FAILS(SMEM_INVALID_PARAM, quantise((uint16_t *)(void *)device, (int8_t *)target + (1 << 20), COUNT, NULL, NULL, 1));

    smem_trans_uninit(0);
    smem_bm_uninit(0);
    return check_result();
}
