/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What programs may know of the lower layer: the types of its tracer. They find the tracer with dlopen and
 * dlsym in libmf_hybm_core.so and go on without it where it is not there, as here: its functions and the
 * hybm_* functions, which have no callers outside the upstream library, are not offered. Pools are in
 * smem/host/smem_bm.h.
 */
#ifndef MF_HYBM_DEF_H
#define MF_HYBM_DEF_H

#include <stdbool.h>
#include <stdint.h>

/* Type of the data symbol g_tracer: where trace points go. */
typedef struct ptracer {
    bool enabled;                                                     /* whether the functions below are called */
    void (*trace_begin)(uint32_t id, const char *name);               /* a trace point is entered */
    void (*trace_end)(uint32_t id, uint64_t ns, int32_t good_or_bad); /* it was left, after ns nanoseconds */
    uint64_t (*current_time_ns)(void);                                /* the clock of ns */
} ptracer;

/* Argument of ptracer_init. */
typedef struct ptracer_config {
    int32_t tracerType;       /* 1: to a file */
    const char *dumpFilePath; /* the file */
} ptracer_config_t;


#endif
