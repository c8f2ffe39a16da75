// SPDX-License-Identifier: Apache-2.0 OR MIT
// An operator that a Python program loads: it works on the pools that Python made, and vice versa.
#include <cstdint>
#include <cstring>

#include <smem/host/smem.h>
#include <smem/host/smem_bm.h>

extern "C" uint32_t op_rank() { return smem_bm_get_rank_id(); }

// Writes text into a pool that Python passes by its handle.
extern "C" int32_t op_put(smem_bm_t handle, uint64_t address, const char *text)
{
    smem_copy_params_t params{};
    params.src = text;
    params.dest = reinterpret_cast<void *>(address);
    params.dataSize = std::strlen(text);
    return smem_bm_copy(handle, &params, SMEMB_COPY_AUTO, 0);
}

// Makes a pool of its own and returns its handle.
extern "C" smem_bm_t op_create(uint32_t id, uint64_t bytes)
{
    smem_bm_t handle = smem_bm_create(id, 0, SMEMB_DATA_OP_SDMA, bytes, 0, 0);
    if (handle != nullptr && smem_bm_join(handle, 0) != 0) {
        smem_bm_destroy(handle);
        return nullptr;
    }
    return handle;
}

extern "C" void op_destroy(smem_bm_t handle) { smem_bm_destroy(handle); }
