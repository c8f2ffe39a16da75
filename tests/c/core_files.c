/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Core files are without contributions, and without memory that was allocated to be registered, unless MF_CORE_FILES is true. */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx_hmc.h"

#define BYTES ((uint64_t)64 << 20)

/* True if the mapping at an address is left out of core files; -1: not mapped. */
static int is_left_out(const void *address)
{
    char line[1024];
    unsigned long start, end, wanted = (unsigned long)(uintptr_t)address;
    int inside = 0, found = -1;
    FILE *file = fopen("/proc/self/smaps", "r");
    if (file == NULL) return -1;
    while (found < 0 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%lx-%lx ", &start, &end) == 2) inside = start <= wanted && wanted < end;
        if (inside && strncmp(line, "VmFlags:", 8) == 0) found = strstr(line, " dd") != NULL;
    }
    (void)fclose(file);
    return found;
}

static int rank_main(void)
{
    const int left_out = getenv("MF_CORE_FILES") == NULL;
    void *allocated = NULL;
    char *own;
    smem_bm_t pool;
    OK(init_rank(getenv("MF_TEST_URL"), 1, 0));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_SDMA, BYTES, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    own = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    CHECK(own != NULL && is_left_out(own) == left_out && is_left_out(own + BYTES - 1) == left_out);
    OK(mfx_hmc_memory_allocate(0, MFX_HMC_CPU, BYTES, 1, &allocated));
    CHECK(is_left_out(allocated) == left_out);
    OK(mfx_hmc_memory_free(0, MFX_HMC_CPU, allocated));
    CHECK(is_left_out(&left_out) == 0);
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    int failed;
    (void)argc;
    if (is_rank()) return rank_main();
    failed = run_ranks(1, argv);
    setenv("MF_CORE_FILES", "true", 1);
    return failed || run_ranks(1, argv);
}
