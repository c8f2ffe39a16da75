/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_OPENSHMEM_SHMEMX_H
#define MF_OPENSHMEM_SHMEMX_H

#ifdef MF_CANN_SHMEM_H
#error "this file includes shmem.h of OpenSHMEM and shmem.h of CANN SHMEM: they have functions of the same names \
with different arguments. Move the calls of one of them into a file of its own; both may run in one process."
#endif

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
#define SHMEM_VENDOR_STRING "MF OpenSHMEM 0.2.0"
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

#ifdef __cplusplus
extern "C" {
#endif

/* Gives 1 if the library has begun and not ended. At any time, by any thread. */
void shmemx_query_initialized(int *initialized) MF_SHMEM_SYMBOL("shmem15_query_initialized");

/* Gives the use of the heap of `pe` after its last call on it. Returns 0, or -1. */
int shmemx_heap_usage(int pe, shmemx_heap_usage_t *usage) MF_SHMEM_SYMBOL("shmem15_heap_usage");

/* As shmem_ptr, for a PE of a team. */
void *shmemx_team_ptr(shmem_team_t team, const void *dest, int pe) MF_SHMEM_SYMBOL("shmem15_team_ptr");

/* Announces many operations on a context. A hint. */
void shmemx_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask) MF_SHMEM_SYMBOL("shmem15_ctx_session_start");

/* Ends the announced operations. */
void shmemx_ctx_session_stop(shmem_ctx_t ctx) MF_SHMEM_SYMBOL("shmem15_ctx_session_stop");

/* Completes earlier operations on the PEs of a list. */
void shmemx_pe_quiet(const int *target_pes, size_t npes) MF_SHMEM_SYMBOL("shmem15_pe_quiet");
void shmemx_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes) MF_SHMEM_SYMBOL("shmem15_ctx_pe_quiet");

/* Copies `nblocks` blocks of `bsize` elements; strides are between starts of blocks. */
void shmemx_float_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_float_ibput");
void shmemx_double_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_double_ibput");
void shmemx_longdouble_ibput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_longdouble_ibput");
void shmemx_char_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_char_ibput");
void shmemx_schar_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_schar_ibput");
void shmemx_short_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_short_ibput");
void shmemx_int_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int_ibput");
void shmemx_long_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_long_ibput");
void shmemx_longlong_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_longlong_ibput");
void shmemx_ptrdiff_ibput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ptrdiff_ibput");
void shmemx_uchar_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uchar_ibput");
void shmemx_ushort_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ushort_ibput");
void shmemx_uint_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint_ibput");
void shmemx_ulong_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ulong_ibput");
void shmemx_ulonglong_ibput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ulonglong_ibput");
void shmemx_int8_ibput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int8_ibput");
void shmemx_int16_ibput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int16_ibput");
void shmemx_int32_ibput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int32_ibput");
void shmemx_int64_ibput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int64_ibput");
void shmemx_uint8_ibput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint8_ibput");
void shmemx_uint16_ibput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint16_ibput");
void shmemx_uint32_ibput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint32_ibput");
void shmemx_uint64_ibput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint64_ibput");
void shmemx_size_ibput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_size_ibput");
void shmemx_float_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_float_ibget");
void shmemx_double_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_double_ibget");
void shmemx_longdouble_ibget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_longdouble_ibget");
void shmemx_char_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_char_ibget");
void shmemx_schar_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_schar_ibget");
void shmemx_short_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_short_ibget");
void shmemx_int_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int_ibget");
void shmemx_long_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_long_ibget");
void shmemx_longlong_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_longlong_ibget");
void shmemx_ptrdiff_ibget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ptrdiff_ibget");
void shmemx_uchar_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uchar_ibget");
void shmemx_ushort_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ushort_ibget");
void shmemx_uint_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint_ibget");
void shmemx_ulong_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ulong_ibget");
void shmemx_ulonglong_ibget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ulonglong_ibget");
void shmemx_int8_ibget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int8_ibget");
void shmemx_int16_ibget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int16_ibget");
void shmemx_int32_ibget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int32_ibget");
void shmemx_int64_ibget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_int64_ibget");
void shmemx_uint8_ibget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint8_ibget");
void shmemx_uint16_ibget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint16_ibget");
void shmemx_uint32_ibget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint32_ibget");
void shmemx_uint64_ibget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_uint64_ibget");
void shmemx_size_ibget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_size_ibget");
void shmemx_ctx_float_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_float_ibput");
void shmemx_ctx_double_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_double_ibput");
void shmemx_ctx_longdouble_ibput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_longdouble_ibput");
void shmemx_ctx_char_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_char_ibput");
void shmemx_ctx_schar_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_schar_ibput");
void shmemx_ctx_short_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_short_ibput");
void shmemx_ctx_int_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int_ibput");
void shmemx_ctx_long_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_long_ibput");
void shmemx_ctx_longlong_ibput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_longlong_ibput");
void shmemx_ctx_ptrdiff_ibput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ptrdiff_ibput");
void shmemx_ctx_uchar_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uchar_ibput");
void shmemx_ctx_ushort_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ushort_ibput");
void shmemx_ctx_uint_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint_ibput");
void shmemx_ctx_ulong_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ulong_ibput");
void shmemx_ctx_ulonglong_ibput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ulonglong_ibput");
void shmemx_ctx_int8_ibput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int8_ibput");
void shmemx_ctx_int16_ibput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int16_ibput");
void shmemx_ctx_int32_ibput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int32_ibput");
void shmemx_ctx_int64_ibput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int64_ibput");
void shmemx_ctx_uint8_ibput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint8_ibput");
void shmemx_ctx_uint16_ibput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint16_ibput");
void shmemx_ctx_uint32_ibput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint32_ibput");
void shmemx_ctx_uint64_ibput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint64_ibput");
void shmemx_ctx_size_ibput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_size_ibput");
void shmemx_ctx_float_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_float_ibget");
void shmemx_ctx_double_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_double_ibget");
void shmemx_ctx_longdouble_ibget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_longdouble_ibget");
void shmemx_ctx_char_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_char_ibget");
void shmemx_ctx_schar_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_schar_ibget");
void shmemx_ctx_short_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_short_ibget");
void shmemx_ctx_int_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int_ibget");
void shmemx_ctx_long_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_long_ibget");
void shmemx_ctx_longlong_ibget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_longlong_ibget");
void shmemx_ctx_ptrdiff_ibget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ptrdiff_ibget");
void shmemx_ctx_uchar_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uchar_ibget");
void shmemx_ctx_ushort_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ushort_ibget");
void shmemx_ctx_uint_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint_ibget");
void shmemx_ctx_ulong_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ulong_ibget");
void shmemx_ctx_ulonglong_ibget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ulonglong_ibget");
void shmemx_ctx_int8_ibget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int8_ibget");
void shmemx_ctx_int16_ibget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int16_ibget");
void shmemx_ctx_int32_ibget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int32_ibget");
void shmemx_ctx_int64_ibget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_int64_ibget");
void shmemx_ctx_uint8_ibget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint8_ibget");
void shmemx_ctx_uint16_ibget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint16_ibget");
void shmemx_ctx_uint32_ibget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint32_ibget");
void shmemx_ctx_uint64_ibget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_uint64_ibget");
void shmemx_ctx_size_ibget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_size_ibget");

/* Copies blocks of elements of so many bits. */
void shmemx_ibput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibput8");
void shmemx_ibput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibput16");
void shmemx_ibput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibput32");
void shmemx_ibput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibput64");
void shmemx_ibput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibput128");
void shmemx_ibget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibget8");
void shmemx_ibget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibget16");
void shmemx_ibget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibget32");
void shmemx_ibget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibget64");
void shmemx_ibget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ibget128");
void shmemx_ctx_ibput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibput8");
void shmemx_ctx_ibput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibput16");
void shmemx_ctx_ibput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibput32");
void shmemx_ctx_ibput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibput64");
void shmemx_ctx_ibput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibput128");
void shmemx_ctx_ibget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibget8");
void shmemx_ctx_ibget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibget16");
void shmemx_ctx_ibget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibget32");
void shmemx_ctx_ibget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibget64");
void shmemx_ctx_ibget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_ibget128");

/* Updates a signal of `pe`. */
void shmemx_signal_set(uint64_t *sig_addr, uint64_t signal, int pe) MF_SHMEM_SYMBOL("shmem15_signal_set");
void shmemx_signal_add(uint64_t *sig_addr, uint64_t signal, int pe) MF_SHMEM_SYMBOL("shmem15_signal_add");
void shmemx_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_signal_set");
void shmemx_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) MF_SHMEM_SYMBOL("shmem15_ctx_signal_add");

/* Sum of the sources of all PEs up to this one, with it or without. */
int shmemx_float_sum_inscan(shmem_team_t team, float *dest, const float *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_float_sum_inscan");
int shmemx_double_sum_inscan(shmem_team_t team, double *dest, const double *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_double_sum_inscan");
int shmemx_longdouble_sum_inscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_longdouble_sum_inscan");
int shmemx_char_sum_inscan(shmem_team_t team, char *dest, const char *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_char_sum_inscan");
int shmemx_schar_sum_inscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_schar_sum_inscan");
int shmemx_short_sum_inscan(shmem_team_t team, short *dest, const short *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_short_sum_inscan");
int shmemx_int_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int_sum_inscan");
int shmemx_long_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_long_sum_inscan");
int shmemx_longlong_sum_inscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_longlong_sum_inscan");
int shmemx_ptrdiff_sum_inscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ptrdiff_sum_inscan");
int shmemx_uchar_sum_inscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uchar_sum_inscan");
int shmemx_ushort_sum_inscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ushort_sum_inscan");
int shmemx_uint_sum_inscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint_sum_inscan");
int shmemx_ulong_sum_inscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ulong_sum_inscan");
int shmemx_ulonglong_sum_inscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ulonglong_sum_inscan");
int shmemx_int8_sum_inscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int8_sum_inscan");
int shmemx_int16_sum_inscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int16_sum_inscan");
int shmemx_int32_sum_inscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int32_sum_inscan");
int shmemx_int64_sum_inscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int64_sum_inscan");
int shmemx_uint8_sum_inscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint8_sum_inscan");
int shmemx_uint16_sum_inscan(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint16_sum_inscan");
int shmemx_uint32_sum_inscan(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint32_sum_inscan");
int shmemx_uint64_sum_inscan(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint64_sum_inscan");
int shmemx_size_sum_inscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_size_sum_inscan");
int shmemx_float_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_float_sum_exscan");
int shmemx_double_sum_exscan(shmem_team_t team, double *dest, const double *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_double_sum_exscan");
int shmemx_longdouble_sum_exscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_longdouble_sum_exscan");
int shmemx_char_sum_exscan(shmem_team_t team, char *dest, const char *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_char_sum_exscan");
int shmemx_schar_sum_exscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_schar_sum_exscan");
int shmemx_short_sum_exscan(shmem_team_t team, short *dest, const short *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_short_sum_exscan");
int shmemx_int_sum_exscan(shmem_team_t team, int *dest, const int *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int_sum_exscan");
int shmemx_long_sum_exscan(shmem_team_t team, long *dest, const long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_long_sum_exscan");
int shmemx_longlong_sum_exscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_longlong_sum_exscan");
int shmemx_ptrdiff_sum_exscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ptrdiff_sum_exscan");
int shmemx_uchar_sum_exscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uchar_sum_exscan");
int shmemx_ushort_sum_exscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ushort_sum_exscan");
int shmemx_uint_sum_exscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint_sum_exscan");
int shmemx_ulong_sum_exscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ulong_sum_exscan");
int shmemx_ulonglong_sum_exscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_ulonglong_sum_exscan");
int shmemx_int8_sum_exscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int8_sum_exscan");
int shmemx_int16_sum_exscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int16_sum_exscan");
int shmemx_int32_sum_exscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int32_sum_exscan");
int shmemx_int64_sum_exscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_int64_sum_exscan");
int shmemx_uint8_sum_exscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint8_sum_exscan");
int shmemx_uint16_sum_exscan(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint16_sum_exscan");
int shmemx_uint32_sum_exscan(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint32_sum_exscan");
int shmemx_uint64_sum_exscan(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_uint64_sum_exscan");
int shmemx_size_sum_exscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_size_sum_exscan");
#ifdef MF_SHMEM_COMPLEX
int shmemx_complexd_sum_inscan(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_complexd_sum_inscan");
int shmemx_complexf_sum_inscan(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_complexf_sum_inscan");
int shmemx_complexd_sum_exscan(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_complexd_sum_exscan");
int shmemx_complexf_sum_exscan(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) MF_SHMEM_SYMBOL("shmem15_complexf_sum_exscan");
#endif

#ifdef __cplusplus
}
#endif

/* Names without the type of the elements. A tool that defines such a name itself asks for none of them. */
#ifndef MF_SHMEM_NO_GENERIC
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

#ifdef MF_SHMEM_COMPLEX
#define MF_SHMEM_AND_COMPLEX(...) , __VA_ARGS__
#else
#define MF_SHMEM_AND_COMPLEX(...)
#endif
#define MF_SHMEM_AT_4(a1, a2, a3, a4, chosen, ...) chosen
#define MF_SHMEM_AT_8(a1, a2, a3, a4, a5, a6, a7, a8, chosen, ...) chosen

#define MF_SHMEM_SHMEMX_IBPUT(dest, source, dst, sst, bsize, nblocks, pe) _Generic((dest), \
    float *: shmemx_float_ibput, \
    double *: shmemx_double_ibput, \
    long double *: shmemx_longdouble_ibput, \
    char *: shmemx_char_ibput, \
    signed char *: shmemx_schar_ibput, \
    short *: shmemx_short_ibput, \
    int *: shmemx_int_ibput, \
    long *: shmemx_long_ibput, \
    long long *: shmemx_longlong_ibput, \
    unsigned char *: shmemx_uchar_ibput, \
    unsigned short *: shmemx_ushort_ibput, \
    unsigned int *: shmemx_uint_ibput, \
    unsigned long *: shmemx_ulong_ibput, \
    unsigned long long *: shmemx_ulonglong_ibput)(dest, source, dst, sst, bsize, nblocks, pe)

#define MF_SHMEM_CTX_SHMEMX_IBPUT(ctx, dest, source, dst, sst, bsize, nblocks, pe) _Generic((dest), \
    float *: shmemx_ctx_float_ibput, \
    double *: shmemx_ctx_double_ibput, \
    long double *: shmemx_ctx_longdouble_ibput, \
    char *: shmemx_ctx_char_ibput, \
    signed char *: shmemx_ctx_schar_ibput, \
    short *: shmemx_ctx_short_ibput, \
    int *: shmemx_ctx_int_ibput, \
    long *: shmemx_ctx_long_ibput, \
    long long *: shmemx_ctx_longlong_ibput, \
    unsigned char *: shmemx_ctx_uchar_ibput, \
    unsigned short *: shmemx_ctx_ushort_ibput, \
    unsigned int *: shmemx_ctx_uint_ibput, \
    unsigned long *: shmemx_ctx_ulong_ibput, \
    unsigned long long *: shmemx_ctx_ulonglong_ibput)(ctx, dest, source, dst, sst, bsize, nblocks, pe)
#define shmemx_ibput(...) MF_SHMEM_AT_8(__VA_ARGS__, MF_SHMEM_CTX_SHMEMX_IBPUT, MF_SHMEM_SHMEMX_IBPUT, )(__VA_ARGS__)

#define MF_SHMEM_SHMEMX_IBGET(dest, source, dst, sst, bsize, nblocks, pe) _Generic((dest), \
    float *: shmemx_float_ibget, \
    double *: shmemx_double_ibget, \
    long double *: shmemx_longdouble_ibget, \
    char *: shmemx_char_ibget, \
    signed char *: shmemx_schar_ibget, \
    short *: shmemx_short_ibget, \
    int *: shmemx_int_ibget, \
    long *: shmemx_long_ibget, \
    long long *: shmemx_longlong_ibget, \
    unsigned char *: shmemx_uchar_ibget, \
    unsigned short *: shmemx_ushort_ibget, \
    unsigned int *: shmemx_uint_ibget, \
    unsigned long *: shmemx_ulong_ibget, \
    unsigned long long *: shmemx_ulonglong_ibget)(dest, source, dst, sst, bsize, nblocks, pe)

#define MF_SHMEM_CTX_SHMEMX_IBGET(ctx, dest, source, dst, sst, bsize, nblocks, pe) _Generic((dest), \
    float *: shmemx_ctx_float_ibget, \
    double *: shmemx_ctx_double_ibget, \
    long double *: shmemx_ctx_longdouble_ibget, \
    char *: shmemx_ctx_char_ibget, \
    signed char *: shmemx_ctx_schar_ibget, \
    short *: shmemx_ctx_short_ibget, \
    int *: shmemx_ctx_int_ibget, \
    long *: shmemx_ctx_long_ibget, \
    long long *: shmemx_ctx_longlong_ibget, \
    unsigned char *: shmemx_ctx_uchar_ibget, \
    unsigned short *: shmemx_ctx_ushort_ibget, \
    unsigned int *: shmemx_ctx_uint_ibget, \
    unsigned long *: shmemx_ctx_ulong_ibget, \
    unsigned long long *: shmemx_ctx_ulonglong_ibget)(ctx, dest, source, dst, sst, bsize, nblocks, pe)
#define shmemx_ibget(...) MF_SHMEM_AT_8(__VA_ARGS__, MF_SHMEM_CTX_SHMEMX_IBGET, MF_SHMEM_SHMEMX_IBGET, )(__VA_ARGS__)

#define shmemx_sum_inscan(team, dest, source, nelems) _Generic((dest), \
    float *: shmemx_float_sum_inscan, \
    double *: shmemx_double_sum_inscan, \
    long double *: shmemx_longdouble_sum_inscan, \
    char *: shmemx_char_sum_inscan, \
    signed char *: shmemx_schar_sum_inscan, \
    short *: shmemx_short_sum_inscan, \
    int *: shmemx_int_sum_inscan, \
    long *: shmemx_long_sum_inscan, \
    long long *: shmemx_longlong_sum_inscan, \
    unsigned char *: shmemx_uchar_sum_inscan, \
    unsigned short *: shmemx_ushort_sum_inscan, \
    unsigned int *: shmemx_uint_sum_inscan, \
    unsigned long *: shmemx_ulong_sum_inscan, \
    unsigned long long *: shmemx_ulonglong_sum_inscan \
    MF_SHMEM_AND_COMPLEX(mf_shmem_complexd *: shmemx_complexd_sum_inscan, mf_shmem_complexf *: shmemx_complexf_sum_inscan))(team, dest, source, nelems)

#define shmemx_sum_exscan(team, dest, source, nelems) _Generic((dest), \
    float *: shmemx_float_sum_exscan, \
    double *: shmemx_double_sum_exscan, \
    long double *: shmemx_longdouble_sum_exscan, \
    char *: shmemx_char_sum_exscan, \
    signed char *: shmemx_schar_sum_exscan, \
    short *: shmemx_short_sum_exscan, \
    int *: shmemx_int_sum_exscan, \
    long *: shmemx_long_sum_exscan, \
    long long *: shmemx_longlong_sum_exscan, \
    unsigned char *: shmemx_uchar_sum_exscan, \
    unsigned short *: shmemx_ushort_sum_exscan, \
    unsigned int *: shmemx_uint_sum_exscan, \
    unsigned long *: shmemx_ulong_sum_exscan, \
    unsigned long long *: shmemx_ulonglong_sum_exscan \
    MF_SHMEM_AND_COMPLEX(mf_shmem_complexd *: shmemx_complexd_sum_exscan, mf_shmem_complexf *: shmemx_complexf_sum_exscan))(team, dest, source, nelems)

#define shmemx_signal_set(...) MF_SHMEM_AT_4(__VA_ARGS__, shmemx_ctx_signal_set, shmemx_signal_set, )(__VA_ARGS__)
#define shmemx_signal_add(...) MF_SHMEM_AT_4(__VA_ARGS__, shmemx_ctx_signal_add, shmemx_signal_add, )(__VA_ARGS__)

#elif defined(__cplusplus)
extern "C++" {

inline void shmemx_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_float_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_double_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_longdouble_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_char_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_schar_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_short_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_int_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_long_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_longlong_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_uchar_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ushort_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_uint_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ulong_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ulonglong_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_float_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_double_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_longdouble_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_char_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_schar_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_short_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_int_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_long_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_longlong_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_uchar_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_ushort_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_uint_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_ulong_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_ulonglong_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }

inline void shmemx_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_float_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_double_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_longdouble_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_char_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_schar_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_short_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_int_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_long_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_longlong_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_uchar_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ushort_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_uint_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ulong_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ulonglong_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_float_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_double_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_longdouble_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_char_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_schar_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_short_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_int_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_long_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_longlong_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_uchar_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_ushort_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_uint_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_ulong_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmemx_ibget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmemx_ctx_ulonglong_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }

inline int shmemx_sum_inscan(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmemx_float_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmemx_double_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmemx_longdouble_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmemx_char_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmemx_schar_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmemx_short_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmemx_int_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmemx_long_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmemx_longlong_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmemx_uchar_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmemx_ushort_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmemx_uint_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmemx_ulong_sum_inscan(team, dest, source, nelems); }
inline int shmemx_sum_inscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmemx_ulonglong_sum_inscan(team, dest, source, nelems); }
#ifdef MF_SHMEM_COMPLEX
inline int shmemx_sum_inscan(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) { return shmemx_complexd_sum_inscan(team, dest, source, nelems); }
#endif
#ifdef MF_SHMEM_COMPLEX
inline int shmemx_sum_inscan(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) { return shmemx_complexf_sum_inscan(team, dest, source, nelems); }
#endif

inline int shmemx_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmemx_float_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmemx_double_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmemx_longdouble_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmemx_char_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmemx_schar_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmemx_short_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmemx_int_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmemx_long_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmemx_longlong_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmemx_uchar_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmemx_ushort_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmemx_uint_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmemx_ulong_sum_exscan(team, dest, source, nelems); }
inline int shmemx_sum_exscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmemx_ulonglong_sum_exscan(team, dest, source, nelems); }
#ifdef MF_SHMEM_COMPLEX
inline int shmemx_sum_exscan(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) { return shmemx_complexd_sum_exscan(team, dest, source, nelems); }
#endif
#ifdef MF_SHMEM_COMPLEX
inline int shmemx_sum_exscan(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) { return shmemx_complexf_sum_exscan(team, dest, source, nelems); }
#endif

inline void shmemx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) { shmemx_ctx_signal_set(ctx, sig_addr, signal, pe); }
inline void shmemx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) { shmemx_ctx_signal_add(ctx, sig_addr, signal, pe); }
}
#endif
#endif

#endif
