/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The functions of acc_offload.h with codes, and on any stream. They are one state with those:
 * acc_offload.h's library calls them.
 *
 * stream: null: the operation runs in this call, by the processor and the accelerator's copies, and
 * deviceId is ignored; a stream of the accelerator, or MFX_DEFAULT_STREAM (mfx.h): it runs there, and the
 * call returns at once. Without an accelerator every operation runs in the call. deviceId is 0 to 255, and
 * the device of the pool if that has an accelerator.
 *
 * An operation in the call checks its arrays and pieces first: SMEM_INVALID_PARAM names unmapped memory,
 * and nothing is written. On a stream a wrong address is a fault of the device. Memory of the accelerator
 * is the caller's to vouch for in both.
 *
 * Errors of all: SMEM_NOT_INIT without a pool · SMEM_INVALID_PARAM a null address, or another device.
 */
#ifndef MF_MFX_OFFLOAD_H
#define MF_MFX_OFFLOAD_H

#include "../../acc_offload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As offload_init. Errors: SMEM_INVALID_PARAM sizes, ranks, or terms that differ between ranks ·
 * SMEM_NOT_EXIST no such device, or no kernels for it · SMEM_TIMEOUT names the missing ranks ·
 * SMEM_DUPLICATED the rank is taken · SMEM_MALLOC_FAILED, SMEM_NO_RESOURCES. */
int32_t mfx_offload_init(const offload_config_t *config);

/* As offload_uninit. */
void mfx_offload_uninit(void);

/* As offload_malloc. */
uint64_t mfx_offload_malloc(uint64_t size, uint64_t flags);

/* As offload_free. Errors: SMEM_NOT_EXIST no block begins there. */
int32_t mfx_offload_free(uint64_t ptr, uint64_t flags);

/* As offload_get_dva. Errors: SMEM_NOT_EXIST the address is not in this rank's memory. */
int32_t mfx_offload_get_dva(uint64_t hostPtr, uint64_t *dvaPtr);

/* As offload_sparse_copy. */
int32_t mfx_offload_sparse_copy(uint64_t srcPtr, uint64_t dstPtr, uint64_t lenPtr, uint64_t sizePtr, uint32_t deviceId,
                                void *stream);

/* As offload_group_pack_copy. */
int32_t mfx_offload_group_pack_copy(uint64_t srcPtr, uint64_t dstPtr, uint64_t lenPtr, uint64_t numLocalExpertPtr,
                                    uint64_t groupListPtr, uint64_t packedGroupListPtr, uint32_t deviceId,
                                    void *stream);

/* As offload_kv_exchange_copy. headerWords: 8, or 6 for metadata without the words layout and 0. */
int32_t mfx_offload_kv_exchange_copy(uint64_t metaPtr, uint32_t headerWords, uint32_t deviceId, void *stream);

/* As offload_register_entry_table. Errors: SMEM_INVALID_PARAM the pool is LOCAL, a value is out of range ·
 * SMEM_DUPLICATED a table is registered. */
int32_t mfx_offload_register_entry_table(uint32_t entryBytes, uint32_t rowsPerSlot);

/* As offload_entry_gather. Errors: SMEM_INVALID_PARAM also without a table. */
int32_t mfx_offload_entry_gather(uint64_t dstPtr, uint64_t idsPtr, uint64_t countPtr, uint32_t deviceId, void *stream);

#ifdef __cplusplus
}
#endif

#endif
