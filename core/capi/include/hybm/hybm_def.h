/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The tracer: counts of this process, as a text and in a file. libmf_hybm_core.so has it, the name
 * under which programs of upstream look for it with dlopen; it is a part of libmf_smem.so. The hybm_*
 * functions of upstream's lower layer, which have no callers outside of it, are not offered: pools are
 * in smem/host/smem_bm.h.
 *
 * Counted without the tracer, too: calls of the interface, copies of pools between mapped memory,
 * operations of each transport. Only trace points of the program, which reach the tracer by g_tracer,
 * wait for ptracer_init.
 */
#ifndef MF_HYBM_DEF_H
#define MF_HYBM_DEF_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Flags of memory by their names of the lower layer: bits 0 to 6 a NUMA node, bit 7 performance mode, 127 a
 * node by affinity. The same numbers as SMEM_BM_* of smem/host/smem_bm_def.h.
 */
#define HYBM_BIND_NUMA_FLAG_INDEX         0
#define HYBM_BIND_NUMA_FLAG_LEN           7
#define HYBM_BIND_NUMA_AUTO_AFFINITY_FLAG 127
#define HYBM_PERFORMANCE_MODE_FLAG_INDEX  7

/*
 * Type of the data symbol g_tracer. A program that has trace points of its own reads `enabled` at
 * each, and calls the functions while it is true; they are never null and take calls from any thread.
 */
typedef struct ptracer {
    bool enabled; /* from ptracer_init to ptracer_uninit */
    /* A trace point is entered; the name of its first call is kept. */
    void (*trace_begin)(uint32_t id, const char *name);
    /* It was left, after ns nanoseconds: well (0) or not. */
    void (*trace_end)(uint32_t id, uint64_t ns, int32_t good_or_bad);
    uint64_t (*current_time_ns)(void); /* the clock of ns; it never goes back */
} ptracer;

/* Not to be written to. At most 4096 ids are kept; further ones are counted together. */
extern ptracer g_tracer;

/* Argument of ptracer_init. */
typedef struct ptracer_config {
    int32_t tracerType;       /* 1: to a file */
    const char *dumpFilePath; /* the file, or a folder, in which it is ptracer_PID.txt */
} ptracer_config_t;

/*
 * Starts the tracer: trace points of the program count, and the text of ptracer_get_all_tp_string is
 * written to the file, anew every MF_TRACE_INTERVAL (10 s) and once at ptracer_uninit. Local; any
 * thread; does not block. A repeat with the same file changes nothing. A forked child starts its own.
 *
 * Returns 0; SMEM_INVALID_PARAM: no configuration, another type, no path; SMEM_RES_IN_USE: it writes
 * to another file already; SMEM_ERROR: the file cannot be written.
 */
int32_t ptracer_init(ptracer_config_t *config);

/*
 * Ends it: the file is written for the last time, trace points count no more. Counts stay. Local; any thread;
 * blocks until the file is written. Nothing to end is no error.
 */
void ptracer_uninit(void);

/*
 * The text of the calling thread's last error, of any function of the library; empty: none. Valid
 * until the thread's next error.
 */
const char *ptracer_get_last_err_msg(void);

/*
 * A table as text, with or without ptracer_init: one line for each trace point that was met, sorted by name,
 * with how often it was begun, ended well and ended badly, the bytes that it moved, and its mean, shortest,
 * longest and added-up time in microseconds; `-` where that is not measured. Names: `call NAME` functions of
 * the interface, `copy KIND put|get|between` copies of mapped memory, `TRANSPORT put|get|atomic|signal|copy`
 * operations handed to a transport, `TRANSPORT KIND, timed` the same with times (MF_NET_METRICS), `point
 * NAME` trace points of the program. Local; any thread. Valid until the thread's next text; null: the last
 * error says why.
 */
const char *ptracer_get_all_tp_string(void);

#ifdef __cplusplus
}
#endif

#endif
