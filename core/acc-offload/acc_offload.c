/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libmf_acc_offload.so: the functions of acc_offload.h, each one call of libmf_smem.so, which has the
 * state. */
#include <stddef.h>

#include "acc_offload.h"
#include "smem/host/mfx.h"
#include "smem/host/mfx_offload.h"

#define EXPORTED __attribute__((visibility("default")))

/* Codes of this interface are 0 and -1. */
static int32_t plain(int32_t code)
{
    return code == 0 ? 0 : -1;
}

EXPORTED int32_t offload_init(const offload_config_t *config)
{
    return plain(mfx_offload_init(config));
}

EXPORTED void offload_uninit(void)
{
    mfx_offload_uninit();
}

EXPORTED uint64_t offload_malloc(uint64_t size, uint64_t flags)
{
    return mfx_offload_malloc(size, flags);
}

EXPORTED void offload_free(uint64_t ptr, uint64_t flags)
{
    mfx_offload_free(ptr, flags);
}

EXPORTED int32_t offload_get_dva(uint64_t hostPtr, uint64_t *dvaPtr)
{
    return plain(mfx_offload_get_dva(hostPtr, dvaPtr));
}

EXPORTED int32_t offload_sparse_copy(uint64_t srcPtr, uint64_t dstPtr, uint64_t lenPtr, uint64_t sizePtr,
                                     uint16_t deviceId)
{
    return plain(mfx_offload_sparse_copy(srcPtr, dstPtr, lenPtr, sizePtr, deviceId, MFX_DEFAULT_STREAM));
}

EXPORTED int32_t offload_group_pack_copy(uint64_t srcPtr, uint64_t dstPtr, uint64_t lenPtr, uint64_t numLocalExpertPtr,
                                         uint64_t groupListPtr, uint64_t packedGroupListPtr, uint16_t deviceId)
{
    return plain(mfx_offload_group_pack_copy(srcPtr, dstPtr, lenPtr, numLocalExpertPtr, groupListPtr,
                                             packedGroupListPtr, deviceId, MFX_DEFAULT_STREAM));
}

EXPORTED int32_t offload_kv_exchange_copy(uint64_t metaPtr, uint16_t deviceId)
{
    return plain(mfx_offload_kv_exchange_copy(metaPtr, 8, deviceId, MFX_DEFAULT_STREAM));
}

EXPORTED int32_t offload_register_entry_table(uint32_t entryBytes, uint32_t rowsPerSlot)
{
    return plain(mfx_offload_register_entry_table(entryBytes, rowsPerSlot));
}

EXPORTED int32_t offload_entry_gather(uint64_t dstPtr, uint64_t idsPtr, uint64_t countPtr, uint16_t deviceId)
{
    return plain(mfx_offload_entry_gather(dstPtr, idsPtr, countPtr, deviceId, MFX_DEFAULT_STREAM));
}
