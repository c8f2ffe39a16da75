/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Names that the other headers of this family use, and programs with them.
 */
#ifndef SMEM_SHM_AICORE_BASE_DEFINE_H
#define SMEM_SHM_AICORE_BASE_DEFINE_H

#include "kernel_operator.h"
#include "mf_portable.h"

#ifndef SMEM_SHM_INLINE_AICORE
#define SMEM_SHM_INLINE_AICORE __attribute__((always_inline)) inline __aicore__
#endif

/* Bytes of a block of the unified buffer. */
#define SMEM_SHM_ALIGN_SIZE 32
#define SMEM_SHM_ALIGN_DOWN(val, al) ((val) & ~((al) - 1))
#define SMEM_SHM_ALIGN_UP(val, al) (((val) + ((al) - 1)) & ~((al) - 1))

/* Buffers of a queue. */
#ifndef BUFFER_NUM
#define BUFFER_NUM 1
#endif

#ifdef MF_EMULATION
using float16_t = half;
#endif

/* f(type) for every type of elements. */
#define SMEM_SHM_TYPE_FUNC(f) \
    f(int);                   \
    f(int8_t);                \
    f(int16_t);               \
    f(int64_t);               \
    f(float);                 \
    f(float16_t);             \
    f(bfloat16_t);            \
    f(half)

#endif
