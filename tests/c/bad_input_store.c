/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Wrong arguments of the store and barrier extensions; one process is the whole world. */
#include "ranks.h"

#include "check.h"

int main(void)
{
    char bytes[8], url[64], long_key[2000];
    uint64_t size = 0;
    int64_t number = 0;
    memset(long_key, 'k', sizeof long_key);
    long_key[sizeof long_key - 1] = '\0';
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0));

    FAILS(SMEM_INVALID_PARAM, mfx_bm_barrier(NULL, 1, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_barrier("", 1, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_barrier("b", 2, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_barrier("b", 1, 0));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_barrier(long_key, 1, 1));
    OK(mfx_bm_barrier("b", 1, 30));
    OK(mfx_bm_barrier("b", 0, 30)); /* a name serves again */

    FAILS(SMEM_INVALID_PARAM, mfx_store_set(NULL, NULL, "v", 1));
    FAILS(SMEM_INVALID_PARAM, mfx_store_set(NULL, "", "v", 1));
    FAILS(SMEM_INVALID_PARAM, mfx_store_set(NULL, long_key, "v", 1));
    FAILS(SMEM_INVALID_PARAM, mfx_store_set(NULL, "k", NULL, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_store_set(NULL, "k", "v", UINT64_MAX));
    FAILS(SMEM_NOT_EXIST, mfx_store_get(NULL, "k", 0, bytes, sizeof bytes, &size));
    FAILS(SMEM_TIMEOUT, mfx_store_get(NULL, "k", 1, bytes, sizeof bytes, &size));
    OK(mfx_store_set(NULL, "k", "0123456789", 10));
    FAILS(SMEM_BUFFER_TOO_SMALL, mfx_store_get(NULL, "k", 0, bytes, sizeof bytes, &size));
    CHECK(size == 10);
    FAILS(SMEM_BUFFER_TOO_SMALL, mfx_store_get(NULL, "k", 0, NULL, 0, &size));
    FAILS(SMEM_INVALID_PARAM, mfx_store_get(NULL, "k", 0, bytes, sizeof bytes, NULL));
    OK(mfx_store_set(NULL, "k", NULL, 0));
    OK(mfx_store_get(NULL, "k", 0, NULL, 0, &size));
    CHECK(size == 0);
    FAILS(SMEM_INVALID_PARAM, mfx_store_add(NULL, "n", 1, NULL));
    OK(mfx_store_add(NULL, "n", 40, &number));
    OK(mfx_store_add(NULL, "n", 2, &number));
    CHECK(number == 42);
    OK(mfx_store_set(NULL, "text", "not a number", 12));
    FAILS(SMEM_INVALID_PARAM, mfx_store_add(NULL, "text", 1, &number));
    smem_bm_uninit(0);
    FAILS(SMEM_NOT_INIT, mfx_store_add(NULL, "n", 1, &number));
    return check_result();
}
