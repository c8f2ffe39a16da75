/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Host memory of a pool from a descriptor of the caller: both see the same bytes, and the descriptor stays
 * the caller's. */
#include "ranks.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"

#define MIB ((uint64_t)1 << 20)

int main(void)
{
    char url[64], bytes[4096];
    char *mapped, *own;
    struct stat facts;
    smem_bm_create_option_t option;
    smem_copy_params_t copy;
    smem_bm_t pool;
    int fd = memfd_create("pool", MFD_CLOEXEC);
    CHECK(fd >= 0);
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0));
    memset(&option, 0, sizeof option);
    option.maxDramSize = option.localDRAMSize = 2 * MIB;
    option.dataOpType = SMEMB_DATA_OP_HOST_SHM;
    option.flags = SMEM_BM_FLAG_CREATE_WITH_SHM;
    option.dramShmFd = fd;
    pool = smem_bm_create2(0, &option);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    CHECK(fstat(fd, &facts) == 0 && (uint64_t)facts.st_size == 2 * MIB); /* resized to fit */

    own = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    fill(bytes, sizeof bytes, 3);
    memset(&copy, 0, sizeof copy);
    copy.src = bytes;
    copy.dest = own + 12345;
    copy.dataSize = sizeof bytes;
    OK(smem_bm_copy(pool, &copy, SMEMB_COPY_H2G, 0));
    mapped = (char *)mmap(NULL, 2 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(mapped != MAP_FAILED);
    if (mapped == MAP_FAILED) return check_result();
    CHECK(filled(mapped + 12345, sizeof bytes, 3));
    fill(mapped, sizeof bytes, 4);
    CHECK(own != NULL && filled(own, sizeof bytes, 4));

    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    CHECK(fcntl(fd, F_GETFD) >= 0 && filled(mapped, sizeof bytes, 4));
    munmap(mapped, 2 * MIB);
    close(fd);
    return check_result();
}
