/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Beside each entry of a kernel:
 *
 *     extern "C" __global__ __aicore__ void add(GM_ADDR dst, GM_ADDR src, uint32_t count) {
 *     MF_KERNEL_VECTOR(); ... } MF_KERNEL(add, GM_ADDR, GM_ADDR, uint32_t)
 *
 * Programs launch kernels by the table of these lines. On the host the line defines the entry called by the
 * simulator; for the NPU it expands to nothing. The types must match the function's.
 *
 * A declaration in the kernel selects its cores, and if they may synchronize by hardware (SyncAll() without a
 * workspace, CrossCoreSetFlag, the barriers of mf_barrier.h):
 *
 *     MF_KERNEL_VECTOR()        vector cores
 *     MF_KERNEL_VECTOR_ALONE()  vector cores that do not meet: where they try to, they hang
 *     MF_KERNEL_CUBE_ONLY()     cube cores that do not meet
 *     MF_KERNEL_MIX_1_1()       cube cores with a vector core each
 *     MF_KERNEL_MIX_1_2()       cube cores with two vector cores each
 *
 * A kernel with hardware synchronization that is packed as an operator needs a workspace of more than 0
 * bytes.
 */
#ifndef MF_KERNEL_H
#define MF_KERNEL_H

#include "kernel_operator.h"

#define MF_KERNEL_VECTOR() KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0)
#define MF_KERNEL_VECTOR_ALONE() KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY)
#define MF_KERNEL_CUBE_ONLY() KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY)
#define MF_KERNEL_MIX_1_1() KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1)
#define MF_KERNEL_MIX_1_2() KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2)

#ifdef MF_EMULATION

#include "ascendc/entry.h"

#else

#define MF_KERNEL(name, ...)
#define MF_KERNEL_CUBE(name, ...)
#define MF_KERNEL_MIX(ratio, name, ...)
/* Place of a call, for the emulation's texts: the last parameter of a function, passed on to its callees. */
#define MF_SITE_PARAM
#define MF_SITE

#endif

#endif
