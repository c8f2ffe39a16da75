/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Extensions of libmf_smem.so: what language bindings, tests and examples need beyond the established interface.
 * The words Local, Collective and Blocks, and the rules on threads and errors, are those of smem.h.
 */
#ifndef MF_MFX_H
#define MF_MFX_H

#include "smem_bm_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tells the version of the library, "major.minor.patch". Local. Valid for ever. */
const char *mfx_version(void);

/* Tells every setting with its value and origin as a JSON text. Local. Secrets are masked. Null
 * when a setting is unusable. Valid until the next call of this function by the same thread. */
const char *mfx_settings_json(void);

/* Tells the world size given to smem_bm_init. Local. 0 when not initialised. */
uint32_t mfx_bm_world_size(void);

/*
 * Writes the ranks that are joined to the pool now, in rising order, the own one included when joined. Local.
 *
 * ranks:    room for capacity numbers; null is no room.
 * *count:   number of joined ranks, also when capacity is too small.
 *
 * Errors: SMEM_INVALID_PARAM null or unknown handle, null count · SMEM_NOT_INIT ·
 * SMEM_BUFFER_TOO_SMALL capacity is below *count; nothing was written to ranks.
 */
int32_t mfx_bm_members(smem_bm_t handle, uint32_t *ranks, uint32_t capacity, uint32_t *count);

/*
 * Waits until as many ranks as members have called with this name. Collective, through the config store; Blocks at
 * most timeout_s seconds. A name may be used again.
 *
 * name:      not empty, at most 512 bytes.
 * members:   number of ranks that meet, the same in all of them; 0 means the world size.
 * timeout_s: seconds, not 0.
 *
 * Errors: SMEM_INVALID_PARAM null or bad name, members above the world size, timeout 0 ·
 * SMEM_NOT_INIT · SMEM_TIMEOUT somebody did not come · SMEM_NOT_CONNECTED the store is gone.
 */
int32_t mfx_bm_barrier(const char *name, uint32_t members, uint32_t timeout_s);

/* Keys and values of the job, shared by all ranks. A key is not empty and at most 512 bytes; keys of programs
 * never meet those of the library. Errors of the three functions below, besides those named:
 * SMEM_INVALID_PARAM null or bad key, null pointer · SMEM_NOT_INIT · SMEM_NOT_CONNECTED the store is gone. */

/* Sets key to the given bytes, at most 8 MiB; value may be null when bytes is 0. Blocks for one exchange with the
 * store. */
int32_t mfx_store_set(const char *key, const void *value, uint64_t bytes);

/*
 * Reads the value of key, waiting for it to appear for at most timeout_ms milliseconds; 0 does not wait. Blocks.
 *
 * value:  room for capacity bytes; null is no room.
 * *bytes: size of the value, also when capacity is too small.
 *
 * Errors: SMEM_NOT_EXIST no such key and timeout_ms is 0 · SMEM_TIMEOUT it did not appear · SMEM_BUFFER_TOO_SMALL
 * capacity is below *bytes; nothing was written to value.
 */
int32_t mfx_store_get(const char *key, uint32_t timeout_ms, void *value, uint64_t capacity, uint64_t *bytes);

/* Adds delta to the number at key, which is 0 when absent, and writes the sum to *value. Atomic among all ranks.
 * Blocks for one exchange with the store. Errors: SMEM_INVALID_PARAM also when the key holds something else than a
 * number. */
int32_t mfx_store_add(const char *key, int64_t delta, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif
