/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM for kernels: names, constants, and the types of typed functions. */
#ifndef MF_SHMEM_DEVICE_DEF_H
#define MF_SHMEM_DEVICE_DEF_H

#include "mf_portable.h"

#ifdef MF_EMULATION
/* Pointers to global memory and to the unified buffer have one type. */
#define MF_ONE_ADDRESS_SPACE
/* The host's compiler would take minutes to inline all of it. */
#define ACLSHMEM_DEVICE __aicore__ inline
/* Of threads. */
#define ACLSHMEM_DEVICE_SIMT inline
#else
#define ACLSHMEM_DEVICE __attribute__((always_inline)) __aicore__ inline
#define ACLSHMEM_DEVICE_SIMT __attribute__((always_inline)) __simt_callee__ inline
#endif
/* The entry of a kernel; of vector cores alone. */
#define ACLSHMEM_GLOBAL __global__ __aicore__
#define ACLSHMEM_GLOBAL_VECTOR __global__ __vector__

/* Constants of both halves, where the interfaces for the host are reached. */
#if defined(__has_include)
#if __has_include("host_device/shmem_common_macros.h")
#include "host_device/shmem_common_macros.h"
#endif
#endif
/* As in the host's header of common types, which says nothing more after this. */
#ifndef MF_CANN_SHMEM_COMMON_TYPES_H
typedef int aclshmem_team_t;
typedef enum { ACLSHMEM_TEAM_INVALID = -1, ACLSHMEM_TEAM_WORLD = 0 } aclshmem_team_index_t;
typedef enum { ACLSHMEM_SIGNAL_SET = 0, ACLSHMEM_SIGNAL_ADD = 1 } aclshmem_signal_op_type_t;
typedef enum {
    ACLSHMEM_CMP_EQ = 0,
    ACLSHMEM_CMP_NE = 1,
    ACLSHMEM_CMP_GT = 2,
    ACLSHMEM_CMP_GE = 3,
    ACLSHMEM_CMP_LT = 4,
    ACLSHMEM_CMP_LE = 5
} aclshmem_cmp_op_type_t;
#define ACLSHMEM_MAX_PES 16384
#define ACLSHMEM_MAX_TEAMS 2048
/* Least bytes in which these engines stage, in the unified buffer. */
#define ACLSHMEM_UDMA_MTE_STAGING_UB_SIZE 128U
#define ACLSHMEM_RDMA_MTE_STAGING_UB_SIZE 128U
typedef struct {
    int32_t version;
    int32_t num_contexts;
    uint64_t uniqueid;
    char padding[48];
} aclshmem_team_config_t;
#endif

/* Team in the record of the heap: its numbers mapped to the world's, and the reverse map after it. As in the
 * host's header of the record. */
#ifndef MF_CANN_SHMEM_STATE_TYPES_H
typedef struct {
    int mype;
    int start;
    int stride;
    int size;
    int team_idx;
    aclshmem_team_config_t config;
    int32_t pe_mapping[2 * ACLSHMEM_MAX_PES];
} aclshmemx_team_t;
#endif
static_assert(sizeof(aclshmemx_team_t) == 131160, "a team of the record");

/* `repeat` rows of `length` elements; `src_ld`, `dst_ld` elements from the beginning of a row to the next. */
struct non_contiguous_copy_param {
    uint32_t repeat;
    uint32_t length;
    uint32_t src_ld;
    uint32_t dst_ld;
};

/* X(name, type): the types of elements. */
#define MF_SHMEM_TYPES(X)                                                                                         \
    X(half, half) X(float, float) X(double, double) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t)           \
    X(int64, int64_t) X(uint8, uint8_t) X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(char, char) \
    X(bfloat16, bfloat16_t)
/* Types of waits. */
#define MF_SHMEM_WAIT_TYPES(X)                                                                                     \
    X(float, float) X(int8, int8_t) X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t)        \
    X(uint16, uint16_t) X(uint32, uint32_t) X(uint64, uint64_t) X(char, char)
/* Types of atomic operations that return the previous value. */
#define MF_SHMEM_ATOMIC_TYPES(X) X(uint32, uint32_t) X(uint64, uint64_t) X(int32, int32_t) X(int64, int64_t)
/* X(bits, bytes): the widths of functions without a type. */
#define MF_SHMEM_WIDTHS(X) X(8, 1) X(16, 2) X(32, 4) X(64, 8) X(128, 16)

#endif
