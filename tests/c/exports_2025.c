/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the tables of core/abi by scripts/regen_abi; do not edit. */
/* Every function has the type of its row, is found in the library, and takes nulls and a made-up handle. */
#include "smem/compat2025/smem_bm.h"

#include "check.h"
#include "check_exports.h"

/* smem/compat2025/smem_bm.h */
static void part_0(void)
{
    HAS(int32_t, smem_bm_config_init_v0, (smem_bm_config_v0_t *));
    REFUSED(smem_bm_config_init_v0(NULL), "bm config init: the configuration is null");
    HAS(int32_t, smem_bm_init_v0, (const char *, uint32_t, uint16_t, const smem_bm_config_v0_t *));
    REFUSED(smem_bm_init_v0(NULL, (uint32_t)0, (uint16_t)0, NULL), "bm init: the store URL is null");
    HAS(int32_t, smem_bm_join_v0, (smem_bm_t, uint32_t, void **));
    REFUSED(smem_bm_join_v0(NULL, (uint32_t)0, NULL), "bm join: the handle is null");
    CALL(smem_bm_join_v0((smem_bm_t)(uintptr_t)1, (uint32_t)0, NULL), "bm");
    HAS(int32_t, smem_bm_copy_v0, (smem_bm_t, const void *, void *, uint64_t, smem_bm_copy_type_t, uint32_t));
    CALL(smem_bm_copy_v0(NULL, NULL, NULL, (uint64_t)0, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
    CALL(smem_bm_copy_v0((smem_bm_t)(uintptr_t)1, NULL, NULL, (uint64_t)0, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
}

int main(void)
{
    part_0();
    return check_result();
}
