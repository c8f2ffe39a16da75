// SPDX-License-Identifier: Apache-2.0 OR MIT
// The base of flags between cores, for kernels.
#ifndef MF_HOST_RUNTIME_RT_FFTS_H
#define MF_HOST_RUNTIME_RT_FFTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t rtError_t;
#ifndef RT_ERROR_NONE
#define RT_ERROR_NONE 0
#endif

/* Gives the address that a kernel passes to SetSyncBaseAddr, and the bytes behind it. On the simulator
 * both are 0: its cores meet without memory. */
rtError_t rtGetC2cCtrlAddr(uint64_t *addr, uint32_t *len);

#ifdef __cplusplus
}
#endif

#endif
