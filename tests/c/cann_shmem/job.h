/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This process in a job: the launcher's variables RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, without
 * them alone. */
#ifndef MF_TESTS_CANN_SHMEM_JOB_H
#define MF_TESTS_CANN_SHMEM_JOB_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"

enum { HEAP_BYTES = 4 << 20 };

#define CHECK_CODE(call, want) check_code((call), (want), #call, __FILE__, __LINE__)

static inline int job_number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}

static inline int job_rank(void) { return job_number("RANK", 0); }
static inline int job_ranks(void) { return job_number("WORLD_SIZE", 1); }

/* A port of this job, below the kernel's ephemeral ports, which PEs' sockets get; another job has others. */
static inline int job_port(int behind)
{
    return 10000 + job_number("MASTER_PORT", (int)getpid()) % 2500 * 8 + behind;
}

/* The host of PE 0. */
static inline const char *job_host(void)
{
    const char *host = getenv("MASTER_ADDR");
    return host != NULL ? host : "127.0.0.1";
}

/* Meeting address of the PEs. */
static inline void job_address(char text[64], int behind)
{
    snprintf(text, 64, "tcp://%s:%d", job_host(), job_port(behind));
}

#endif
