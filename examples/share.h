/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Common parts of the examples with kernels: an object of all ranks, copies to and from it, launches.
 */
#ifndef MF_EXAMPLES_SHARE_H
#define MF_EXAMPLES_SHARE_H

#include "job.h"

#include "smem/host/smem_shm.h"

/* This process's place in the job, and object 0 with all ranks in it. */
struct share {
    uint32_t rank, ranks;
    smem_shm_t object;
    char *own; /* the own part */
};

/* Value after a name in the place of a process. */
static inline const char *share_field(const char *place, const char *name)
{
    const char *field = strstr(place, name);
    job_require(field != NULL, name);
    return field + strlen(name);
}

/* Joins the job and makes the object, with so many bytes of each rank: a multiple of 2 MiB. */
static inline struct share share_start(uint64_t local_bytes)
{
    struct share share;
    smem_shm_config_t config;
    void *gva = NULL;
    char url[256] = "tcp://127.0.0.1:5570";
    const char *place = job_place();
    share.rank = 0;
    share.ranks = 1;
    if (place != NULL) {
        share.rank = (uint32_t)strtoul(share_field(place, "\"rank\":"), NULL, 10);
        share.ranks = (uint32_t)strtoul(share_field(place, "\"world_size\":"), NULL, 10);
        snprintf(url, sizeof url, "%.*s", (int)strcspn(share_field(place, "\"store_url\":\""), "\""),
                 share_field(place, "\"store_url\":\""));
    }
    job_must(smem_shm_config_init(&config), "smem_shm_config_init");
    job_must(smem_shm_init(url, share.ranks, share.rank, 0, &config), "smem_shm_init");
    share.object = smem_shm_create(0, share.ranks, share.rank, local_bytes, SMEMS_DATA_OP_MTE, 0, &gva);
    job_require(share.object != NULL, "smem_shm_create");
    share.own = (char *)gva + share.rank * smem_shm_get_symmetric_size(share.object);
    return share;
}

static inline void share_meet(const struct share *share)
{
    job_must(smem_shm_control_barrier(share->object), "smem_shm_control_barrier");
}

static inline void share_copy(const struct share *share, void *to, const void *from, uint64_t bytes)
{
    job_must(mfx_shm_copy(share->object, to, from, bytes), "mfx_shm_copy");
}

/* Runs a kernel of `path`, or of the library where that is NULL, on so many blocks, and waits for its end. */
static inline void share_launch(const struct share *share, const char *path, const char *kernel, uint32_t blocks,
                                const void *arguments, uint64_t bytes)
{
    mfx_kernel_t binary = NULL;
    mfx_launch_options_t options;
    memset(&options, 0, sizeof options);
    options.blocks = blocks;
    job_must(mfx_kernel_load(path, &binary), "mfx_kernel_load");
    job_must(mfx_kernel_launch(binary, kernel, share->object, &options, arguments, bytes), kernel);
    job_must(mfx_kernel_unload(binary), "mfx_kernel_unload");
}

static inline void share_end(const struct share *share)
{
    share_meet(share);
    job_must(smem_shm_destroy(share->object, 0), "smem_shm_destroy");
    smem_shm_uninit(0);
}

#endif
