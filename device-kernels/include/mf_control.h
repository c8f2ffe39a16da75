/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The control area of an object of shared memory: 2 MiB of device memory of each rank, beside the symmetric
 * memory, at control_base + rank * control_stride (both in the meta record). Zero when the object is made.
 * Shared by host and kernels.
 */
#ifndef MF_CONTROL_H
#define MF_CONTROL_H

/* The meta record of an object (smem_shm_aicore_base_meta.h), beyond what upstream's headers know: u64
 * each. */
#define MF_META_BASE 48           /* gva of rank 0 */
#define MF_META_CONTROL_BASE 56   /* control area of rank 0; 0: none */
#define MF_META_CONTROL_STRIDE 64 /* from one rank's to the next */

#define MF_CONTROL_BYTES 0x200000
#define MF_CONTROL_RANKS 16384 /* most ranks of an object */
#define MF_CONTROL_LINE 64    /* everything that two sides touch has a line of its own */

/* Written by the first kernel here that gave up waiting, before it traps; read and cleared by the host
 * after a launch. */
#define MF_CONTROL_REPORT 0x0000
#define MF_REPORT_STATE 0   /* u32: 0 none, 1 written */
#define MF_REPORT_REASON 4  /* u32: 1 the time is over, 2 the host says that the rank is lost */
#define MF_REPORT_RANK 8    /* u32: who did not come; all ones: the kernel waited for no rank in particular */
#define MF_REPORT_WHAT 12   /* u32: 1 barrier, 2 signal, 3 a word of the memory */
#define MF_REPORT_BLOCK 16  /* u32: which block waited */
#define MF_REPORT_DETAIL 20 /* u32: round of the barrier, number of the signal, distance of the word */
#define MF_REPORT_WAITED 24 /* u64: microseconds */

/* Written by the host. */
#define MF_CONTROL_LIMIT 0x0040 /* u64: longest wait of a kernel for another rank, in microseconds; 0: none */
#define MF_CONTROL_LOST 0x10000 /* u32 for each rank: 0 there, 1 died, 2 left */

/* Written by kernels of all ranks. */
#define MF_CONTROL_ARRIVALS 0x1000  /* a line for each step of the barrier: the round of who comes in it */
#define MF_CONTROL_ROUNDS 0x8000    /* own counters that outlive a launch */
#define MF_CONTROL_SIGNALS 0x20000  /* a line for each signal: 1024 of them */
#define MF_CONTROL_SIGNAL_COUNT 1024
#define MF_CONTROL_BLOCKS 0x40000   /* lines for the blocks of a launch, to meet among themselves */
#define MF_CONTROL_FREE 0x80000     /* kernels' own, to the end */

#endif
