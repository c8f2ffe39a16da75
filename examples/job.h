/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Common parts of the C examples: finding this process's place in the job, and ending with a clear text on
 * any error.
 *
 * Rank, world size and store come from the launcher: mf run, torchrun, mpirun, srun; see
 * docs/launching.md. Without one the process is the only rank.
 */
#ifndef MF_EXAMPLES_JOB_H
#define MF_EXAMPLES_JOB_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smem/host/mfx.h"
#include "smem/host/smem.h"
#include "smem/host/smem_bm.h"

/* Prints one line that begins with the rank, in one piece. */
static inline void job_say(const char *format, ...)
{
    char line[512];
    va_list values;
    uint32_t rank = smem_bm_get_rank_id();
    if (rank == UINT32_MAX) rank = mfx_shm_rank(); /* it has share memory alone */
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    printf("rank %u: %s\n", (unsigned)rank, line);
    fflush(stdout);
}

/* Ends the process unless `good`. */
static inline void job_require(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "%s failed: %s\n", what, smem_get_last_err_msg());
    exit(1);
}

static inline void job_must(int32_t code, const char *what)
{
    job_require(code == SMEM_OK, what);
}

/* The place that a launcher gave, as JSON; NULL: no launcher started this process. */
static inline const char *job_place(void)
{
    const char *place = mfx_launcher_json(NULL);
    job_require(place != NULL, "mfx_launcher_json");
    return strcmp(place, "null") == 0 ? NULL : place;
}

/* Joins the job, with the rank that the launcher gave. Rank 0 starts the store. */
static inline void job_start(void)
{
    smem_bm_config_t config;
    if (job_place() != NULL) {
        job_must(mfx_bm_init_launched(), "mfx_bm_init_launched");
        return;
    }
    job_must(smem_bm_config_init(&config), "smem_bm_config_init");
    config.autoRanking = false;
    config.rankId = 0;
    job_must(smem_bm_init("tcp://127.0.0.1:5570", 1, 0, &config), "smem_bm_init");
}

/* Waits until all ranks are here. */
static inline void job_meet(const char *where)
{
    job_must(mfx_bm_barrier(where, 0, 60), where);
}

#endif
