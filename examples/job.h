/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the C examples share: finding this process's place in the job, and ending with a clear text on any error.
 *
 * Rank and world size come from RANK and WORLD_SIZE, as torchrun and `mf run` set them; without them the process is
 * the only rank. The store URL comes from MF_CONFIG_STORE_URL, else from MASTER_ADDR and MASTER_PORT.
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

static inline uint32_t job_number(const char *name, uint32_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : (uint32_t)strtoul(text, NULL, 10);
}

/* Prints one line that begins with the rank, in one piece. */
static inline void job_say(const char *format, ...)
{
    char line[512];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    printf("rank %u: %s\n", (unsigned)job_number("RANK", 0), line);
    fflush(stdout);
}

/* Ends the process unless `good`. */
static inline void job_require(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "rank %u: %s failed: %s\n", (unsigned)job_number("RANK", 0), what, smem_get_last_err_msg());
    exit(1);
}

static inline void job_must(int32_t code, const char *what)
{
    job_require(code == SMEM_OK, what);
}

/* The store's URL, as a text that stays. */
static inline const char *job_url(void)
{
    static char url[128];
    const char *given = getenv("MF_CONFIG_STORE_URL"), *address = getenv("MASTER_ADDR");
    if (given != NULL && given[0] != '\0')
        snprintf(url, sizeof url, "%s", given);
    else
        snprintf(url, sizeof url, "tcp://%s:%u", address == NULL ? "127.0.0.1" : address,
                 (unsigned)job_number("MASTER_PORT", 5570));
    return url;
}

/* Joins the job, with the rank that the launcher gave. Rank 0 starts the store. */
static inline void job_start(void)
{
    smem_bm_config_t config;
    job_must(smem_bm_config_init(&config), "smem_bm_config_init");
    config.autoRanking = false;
    config.rankId = job_number("RANK", 0);
    job_must(smem_bm_init(job_url(), job_number("WORLD_SIZE", 1), 0, &config), "smem_bm_init");
}

/* Waits until all ranks are here. */
static inline void job_meet(const char *where)
{
    job_must(mfx_bm_barrier(where, 0, 60), where);
}

#endif
