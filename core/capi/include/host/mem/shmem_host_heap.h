/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_MEM_SHMEM_HOST_HEAP_H
#define MF_CANN_HOST_MEM_SHMEM_HOST_HEAP_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates on every PE. Collective, with equal arguments; null on all PEs when it cannot. */
void *aclshmem_malloc(size_t size);

/* Allocates zeroed memory on every PE. Collective. */
void *aclshmem_calloc(size_t nmemb, size_t size);

/* Allocates at a multiple of a power of two. Collective. */
void *aclshmem_align(size_t alignment, size_t size);

/* Frees a block on every PE. Collective. */
void aclshmem_free(void *ptr);

/* Allocates in host or device memory. Collective. */
void *aclshmemx_malloc(size_t size, aclshmem_mem_type_t mem_type MF_ACLSHMEM_DEFAULT(DEVICE_SIDE));

/* Allocates zeroed host or device memory. Collective. */
void *aclshmemx_calloc(size_t count, size_t size, aclshmem_mem_type_t mem_type MF_ACLSHMEM_DEFAULT(DEVICE_SIDE));

/* Allocates host or device memory at a multiple of a power of two. Collective. */
void *aclshmemx_align(size_t alignment, size_t size, aclshmem_mem_type_t mem_type MF_ACLSHMEM_DEFAULT(DEVICE_SIDE));

/* Frees a block of that kind. Collective. */
void aclshmemx_free(void *ptr, aclshmem_mem_type_t mem_type MF_ACLSHMEM_DEFAULT(DEVICE_SIDE));

/* Returns the start of the own heap; null before init. */
void *aclshmemx_get_heap_base(aclshmem_mem_type_t mem_type MF_ACLSHMEM_DEFAULT(DEVICE_SIDE));

/* Returns the symmetric address of an address in a buffer of the caller; null if it is in none. */
void *aclshmemx_get_buffer_ptr(void *addr);

/* Returns the address at which this process can load and store `ptr` of `pe`; null if it cannot. */
void *aclshmem_ptr(void *ptr, int pe);

#ifdef __cplusplus
}
#endif

#endif
