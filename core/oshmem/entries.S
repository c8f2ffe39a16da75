/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* liboshmem.so: the plain names of OpenSHMEM's functions, each one jump to the symbol in libmf_smem.so. build_oshmem of
 * scripts/lib/oshmem.sh reads the names from the headers into names.inc, one line "ENTRY name symbol" each. */
/* Not executable: the stack. */
.section .note.GNU-stack, "", %progbits
.text

/* One jump, at an address that an indirect call may go to. */
.macro ENTRY name, symbol
    .globl \name
    .type \name, %function
    .p2align 4
\name:
#if defined(__x86_64__)
    endbr64
    jmp *\symbol@GOTPCREL(%rip)
#elif defined(__aarch64__)
    hint #34
    adrp x16, :got:\symbol
    ldr x16, [x16, :got_lo12:\symbol]
    br x16
#else
#error "the plain names exist for x86-64 and aarch64"
#endif
    .size \name, . - \name
.endm

#include "names.inc"
