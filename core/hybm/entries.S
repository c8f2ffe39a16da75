/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * libmf_hybm_core.so where a link to libmf_smem.so cannot be had, as in a wheel: the names of the tracer, for
 * linkers. The file is a filter (ld --filter=libmf_smem.so): loaders take these names from libmf_smem.so, so
 * that there is one tracer. What stands here is used by a loader only that knows no filters: refusals.
 */
/* Not executable: the stack. */
.section .note.GNU-stack, "", %progbits
.text

.macro ENTRY name, result
    .globl \name
    .type \name, %function
    .p2align 4
\name:
#if defined(__x86_64__)
    endbr64
    movq $\result, %rax
    ret
#elif defined(__aarch64__)
    hint #34
    mov x0, #\result
    ret
#else
#error "the tracer's names exist for x86-64 and aarch64"
#endif
    .size \name, . - \name
.endm

ENTRY ptracer_init, -1
ENTRY ptracer_uninit, 0
ENTRY ptracer_get_last_err_msg, 0
ENTRY ptracer_get_all_tp_string, 0

.bss
.globl g_tracer
.type g_tracer, %object
.size g_tracer, 32
.p2align 3
g_tracer:
    .zero 32
