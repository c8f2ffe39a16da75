/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sizes, offsets and numbers of the seed-era headers (compiled with MF_SMEM_ABI=2025), as C and as C++. */
#include <stddef.h>

#include "smem/host/smem.h"
#include "smem/host/smem_bm.h"
#include "smem/host/smem_shm.h"

#include "check.h"

#define AT(type, field, offset, bytes) \
    MFX_STATIC_ASSERT(offsetof(type, field) == (offset), "offset of " #type "." #field); \
    MFX_STATIC_ASSERT(sizeof(((type *)0)->field) == (bytes), "size of " #type "." #field)
#define IS(name, value) MFX_STATIC_ASSERT((long long)(name) == (long long)(value), #name)

struct align_config { char c; smem_bm_config_t t; };
MFX_STATIC_ASSERT(sizeof(smem_bm_config_t) == 24, "size of smem_bm_config_t");
MFX_STATIC_ASSERT(sizeof(smem_bm_config_v0_t) == 24, "size of smem_bm_config_v0_t");
MFX_STATIC_ASSERT(offsetof(struct align_config, t) == 4, "alignment of smem_bm_config_t");
AT(smem_bm_config_t, initTimeout, 0, 4);
AT(smem_bm_config_t, createTimeout, 4, 4);
AT(smem_bm_config_t, controlOperationTimeout, 8, 4);
AT(smem_bm_config_t, startConfigStore, 12, 1);
AT(smem_bm_config_t, startConfigStoreOnly, 13, 1);
AT(smem_bm_config_t, dynamicWorldSize, 14, 1);
AT(smem_bm_config_t, unifiedAddressSpace, 15, 1);
AT(smem_bm_config_t, autoRanking, 16, 1);
AT(smem_bm_config_t, rankId, 18, 2);
AT(smem_bm_config_t, flags, 20, 4);

MFX_STATIC_ASSERT(sizeof(smem_shm_config_t) == 20, "size of smem_shm_config_t");
AT(smem_shm_config_t, shmInitTimeout, 0, 4);
AT(smem_shm_config_t, shmCreateTimeout, 4, 4);
AT(smem_shm_config_t, controlOperationTimeout, 8, 4);
AT(smem_shm_config_t, startConfigStore, 12, 1);
AT(smem_shm_config_t, flags, 16, 4);
IS(SMEMS_DATA_OP_MTE, 1); IS(SMEMS_DATA_OP_SDMA, 2); IS(SMEMS_DATA_OP_ROCE, 4);

MFX_STATIC_ASSERT(sizeof(smem_bm_data_op_type) == 4, "size of smem_bm_data_op_type");
MFX_STATIC_ASSERT(sizeof(smem_bm_copy_type) == 4, "size of smem_bm_copy_type");
IS(SMEMB_DATA_OP_SDMA, 1); IS(SMEMB_DATA_OP_ROCE, 2);
IS(SMEMB_COPY_L2G, 0); IS(SMEMB_COPY_G2L, 1); IS(SMEMB_COPY_G2H, 2); IS(SMEMB_COPY_H2G, 3); IS(SMEMB_COPY_BUTT, 4);
IS(SMEM_OK, 0); IS(SMEM_INVALID_PARAM, -2000); IS(SMEM_NOT_INIT, -2008);

int main(void)
{
    struct { smem_bm_config_t config; unsigned char behind[64]; } guarded;
    size_t i;
    memset(&guarded, 0xA5, sizeof guarded);
    FAILS(SMEM_INVALID_PARAM, smem_bm_config_init(NULL));
    OK(smem_bm_config_init(&guarded.config));
    CHECK(guarded.config.initTimeout == 120 && guarded.config.createTimeout == 120);
    CHECK(guarded.config.controlOperationTimeout == 120);
    CHECK(guarded.config.startConfigStore && !guarded.config.startConfigStoreOnly && !guarded.config.dynamicWorldSize);
    CHECK(guarded.config.unifiedAddressSpace && !guarded.config.autoRanking);
    CHECK(guarded.config.rankId == 65535 && guarded.config.flags == 0);
    /* The present config is 3680 bytes: writing one here would run over the caller's 24. */
    for (i = 0; i < sizeof guarded.behind; i++) CHECK(guarded.behind[i] == 0xA5);
    return check_result();
}
