/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Device functions without a pool and without an accelerator; copies of pieces of host memory, which need
 * neither. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <stdlib.h>

#include "check.h"
#include "smem/host/mfx.h"

static char from[8192], to[8192];

int main(void)
{
    void *dests[3] = {to, to + 5000, to + 100};
    const void *sources[3] = {from + 1, from, from + 4000};
    size_t bytes[3] = {100, 3000, 4000};
    bool is_memory = true;
    int index;
    setenv("MF_DEVICE", "none", 1);
    for (index = 0; index < (int)sizeof from; index++) from[index] = (char)(index * 7);
    FAILS(SMEM_NOT_EXIST, mfx_device_open(0));
    FAILS(SMEM_NOT_INIT, mfx_device_close());
    FAILS(SMEM_NOT_INIT, mfx_device_map_host(from, 4096));
    FAILS(SMEM_NOT_EXIST, mfx_device_unmap_host(from));
    FAILS(SMEM_NOT_INIT, mfx_device_is_memory(from, &is_memory));

    FAILS(SMEM_INVALID_PARAM, mfx_device_copy_batch(NULL, sources, bytes, 3));
    FAILS(SMEM_INVALID_PARAM, mfx_device_copy_batch(dests, NULL, bytes, 3));
    FAILS(SMEM_INVALID_PARAM, mfx_device_copy_batch(dests, sources, NULL, 3));
    sources[1] = NULL;
    FAILS(SMEM_INVALID_PARAM, mfx_device_copy_batch(dests, sources, bytes, 3));
    CHECK(to[0] == 0 && to[100] == 0);
    bytes[1] = 0;
    OK(mfx_device_copy_batch(dests, sources, bytes, 3));
    CHECK(memcmp(to, from + 1, 100) == 0 && memcmp(to + 100, from + 4000, 4000) == 0 && to[5000] == 0);
    sources[1] = from, bytes[1] = 3000;
    OK(mfx_device_copy_batch(dests + 1, sources + 1, bytes + 1, 1));
    CHECK(memcmp(to + 5000, from, 3000) == 0);
    OK(mfx_device_copy_batch(dests, sources, bytes, 0));
    return check_result();
}
