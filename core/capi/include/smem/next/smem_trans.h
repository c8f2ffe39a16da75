/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Start of transfers as the next release has it, as far as one of its callers shows it: provisional. Compile
 * programs for it with -DMF_SMEM_ABI=next, or with this folder in front of the include path.
 */
#if !defined(MF_SMEM_TRANS_H)
#ifndef MF_SMEM_ABI
#define MF_SMEM_ABI next
#endif
#include "../host/smem_trans.h"
#elif MFX_ABI_NEXT && !defined(MF_SMEM_NEXT_TRANS_H)
#define MF_SMEM_NEXT_TRANS_H

/*
 * Allows endpoints in this process. Local. deviceId: the logical number of an accelerator, 0 to 65535,
 * ignored without one. When already initialised: SMEM_OK, and nothing changes. Errors: SMEM_INVALID_PARAM
 * already initialised by a call of release 1.3 · SMEM_NOT_EXIST no accelerator of that number.
 */
int32_t smem_trans_init(uint32_t deviceId, uint32_t flags);

/*
 * Makes an endpoint that others meet at config->url. Local. At most SMEM_TRANS_RANK_COUNT_MAX in a process.
 * Others may transfer when it returns. Returns NULL on failure; smem_get_last_err_code returns the reason.
 * Errors: SMEM_INVALID_PARAM null pointer, before smem_trans_init, an invalid field of config ·
 * SMEM_RES_IN_USE the port is taken · SMEM_NOT_EXIST as in release 1.3.
 */
smem_trans_t smem_trans_create(const smem_trans_config_t *config, uint32_t flags);

#endif
