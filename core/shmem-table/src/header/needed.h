/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef MF_SHMEM_NEEDED
#define MF_SHMEM_NEEDED

#include <stddef.h>
#include <stdint.h>

#define MF_SHMEM_TEXT(prefix) #prefix
#define MF_SHMEM_PREFIX(prefix) MF_SHMEM_TEXT(prefix)
/* Binds a declaration to a symbol of another name, for calls and for pointers to the function. */
#define MF_SHMEM_SYMBOL(symbol) __asm__(MF_SHMEM_PREFIX(__USER_LABEL_PREFIX__) symbol)

/* Deprecated functions of the standard; warnings only if requested. */
#ifdef MF_SHMEM_WARN_DEPRECATED
#define MF_SHMEM_DEPRECATED __attribute__((deprecated))
#else
#define MF_SHMEM_DEPRECATED
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define MF_SHMEM_NORETURN [[noreturn]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define MF_SHMEM_NORETURN [[noreturn]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define MF_SHMEM_NORETURN _Noreturn
#else
#define MF_SHMEM_NORETURN __attribute__((noreturn))
#endif

#if !defined(__STDC_NO_COMPLEX__) || __STDC_NO_COMPLEX__ != 1
#define MF_SHMEM_COMPLEX 1
__extension__ typedef double _Complex mf_shmem_complexd;
__extension__ typedef float _Complex mf_shmem_complexf;
#endif

/* Opaque; null is invalid. */
typedef struct mf_shmem_team *shmem_team_t;
typedef struct mf_shmem_ctx *shmem_ctx_t;

typedef struct {
    int num_contexts;
} shmem_team_config_t;

typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;

/* Use of a PE's heap: numbers of bytes, except for the last field. */
typedef struct {
    /* Present length, and largest length that it can grow to. */
    uint64_t heap_bytes;
    uint64_t most_heap_bytes;
    /* Occupied by blocks, and the most ever occupied at a time. */
    uint64_t used;
    uint64_t peak;
    /* Available, and the largest available part. */
    uint64_t free;
    uint64_t largest_free;
    /* Freed, but in quarantine. */
    uint64_t quarantined;
    uint64_t blocks;
} shmemx_heap_usage_t;

/* Teams. */
#define SHMEM_TEAM_WORLD ((shmem_team_t)(uintptr_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)(uintptr_t)2)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
/* Fields of shmem_team_config_t. */
#define SHMEM_TEAM_NUM_CONTEXTS 1L

/* Contexts, and their options. */
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)(uintptr_t)1)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L
/* Sessions: options, and fields of shmem_ctx_session_config_t. */
#define SHMEM_CTX_SESSION_BATCH 1L
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L

/* The version of the standard. */
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_VENDOR_STRING "MF OpenSHMEM @VERSION@"
/* Bytes of the longest name, with its final zero. */
#define SHMEM_MAX_NAME_LEN 256

/* Wrappers of other projects recognise a header with all of 1.5 by these two. */
#define SHMEM_DEF_H
#define SHMEM_FUNCTION_ATTRIBUTES(...)

/* Thread levels, each of which includes those before it. */
#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

/* Hints of shmem_malloc_with_hints. */
#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

/* Updates of signals. */
#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1
/* Arrays of active sets: initial value and number of words, for every kind of call; and the least length of
 * the working array, which is not used. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 192
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 16

/* Comparisons. */
#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_GE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_LE 5

/* Deprecated names. */
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE

#endif
