/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks of sizes, offsets and numbers while compiling; core/abi/examples/abi_c_tests.rs generates layout.c. */
#ifndef MF_TESTS_CHECK_LAYOUT_H
#define MF_TESTS_CHECK_LAYOUT_H

#include <stddef.h>

#define SIZE(type, bytes, align) \
    struct align_##type { char c; type t; }; \
    BYTES(type, bytes); \
    MFX_STATIC_ASSERT(offsetof(struct align_##type, t) == (align), "alignment of " #type)
#define BYTES(type, bytes) MFX_STATIC_ASSERT(sizeof(type) == (bytes), "size of " #type)
#define AT(type, field, offset, bytes) \
    MFX_STATIC_ASSERT(offsetof(type, field) == (offset), "offset of " #type "." #field); \
    MFX_STATIC_ASSERT(sizeof(((type *)0)->field) == (bytes), "size of " #type "." #field)
#define IS(name, value) MFX_STATIC_ASSERT((long long)(name) == (long long)(value), #name)

#endif
