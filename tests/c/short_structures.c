/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Programs of earlier releases pass parameters without the last field, stream: what lies behind must not
 * be read. */
#include "ranks.h"

#include <sys/mman.h>

#include "check.h"

#define MIB ((uint64_t)1 << 20)

int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *from[1], *to[1];
    uint64_t bytes[1] = {8};
    smem_copy_params_t one;
    smem_batch_copy_params_t several;
    char *at, *own, url[64], local[8];
    smem_bm_t pool;
    free_url(url, sizeof url);
    fill(local, sizeof local, 9);
    OK(init_rank(url, 1, 0));
    pool = smem_bm_create(0, 1, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0);
    OK(smem_bm_join(pool, 0));
    own = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    if (own == NULL) return 1;
    from[0] = local;
    to[0] = own + 64;
    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    memset(&one, 0, sizeof one);
    one.src = local;
    one.dest = own;
    one.dataSize = 8;
    at = pages + page - offsetof(smem_copy_params_t, stream);
    memcpy(at, &one, offsetof(smem_copy_params_t, stream));
    OK(smem_bm_copy(pool, (smem_copy_params_t *)(void *)at, SMEMB_COPY_H2G, 1u << 31)); /* an unknown flag as well */
    memset(&several, 0, sizeof several);
    several.sources = from;
    several.destinations = to;
    several.dataSizes = bytes;
    several.batchSize = 1;
    at = pages + page - offsetof(smem_batch_copy_params_t, stream);
    memcpy(at, &several, offsetof(smem_batch_copy_params_t, stream));
    OK(smem_bm_copy_batch(pool, (smem_batch_copy_params_t *)(void *)at, SMEMB_COPY_H2G, ASYNC_COPY_FLAG));
    OK(smem_bm_wait(pool));
    CHECK(filled(own, 8, 9) && filled(own + 64, 8, 9));
    /* The whole structure, with the flag that says so; without an accelerator any stream will do. */
    one.dest = own + 128;
    one.stream = pages;
    OK(smem_bm_copy(pool, &one, SMEMB_COPY_H2G, SMEM_BM_FLAG_USE_EXTERNAL_STREAM | ASYNC_COPY_FLAG));
    to[0] = own + 192;
    several.stream = pages;
    OK(smem_bm_copy_batch(pool, &several, SMEMB_COPY_H2G, SMEM_BM_FLAG_USE_EXTERNAL_STREAM));
    CHECK(filled(own + 128, 8, 9) && filled(own + 192, 8, 9));
    munmap(pages, 2 * page);
    smem_bm_uninit(0);
    return check_result();
}
