/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks that each exported function gets; core/abi/examples/abi_c_tests.rs generates exports.c. */
#ifndef MF_TESTS_CHECK_EXPORTS_H
#define MF_TESTS_CHECK_EXPORTS_H

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

/* Takes the last error of this thread: it begins with `text`; or, unless `must`, there may be no error. */
static inline void check_text(const char *text, int must, const char *what, int line)
{
    int32_t code = smem_get_last_err_code();
    const char *found = smem_get_and_clear_last_err_msg();
    if (code == SMEM_OK ? !must : strncmp(found, text, strlen(text)) == 0) return;
    printf("line %d: %s left code %d \"%s\", expected \"%s...\"\n", line, what, (int)code, found, text);
    check_count();
}

/* Declares a pointer of the given type to a function (another type does not compile), and checks that it
 * is there. */
#define HAS(result, name, parameters) do { \
        result (*pointer) parameters = name; \
        CHECK(pointer != NULL); \
    } while (0)

/* The library has a symbol of this name, which no header declares. */
#define TWIN(symbol) CHECK(dlsym(RTLD_DEFAULT, #symbol) != NULL)

/* The call returns; an error that it leaves begins with `text`. */
#define CALL(call, text) do { \
        (void)smem_get_and_clear_last_err_msg(); \
        (void)(call); \
        check_text(text, 0, #call, __LINE__); \
    } while (0)

/* The call fails with SMEM_INVALID_PARAM, and its error begins with `text`. */
#define REFUSED(call, text) do { \
        CHECK((call) == SMEM_INVALID_PARAM); \
        check_text(text, 1, #call, __LINE__); \
    } while (0)
/* The call fails with MFX_HMC_ERROR, and its error begins with `text`. */
#define REFUSED_BY_HMC(call, text) do { \
        CHECK((call) == 1); \
        check_text(text, 1, #call, __LINE__); \
    } while (0)
#define REFUSED_BY_NULL(call, text) do { \
        CHECK((call) == NULL); \
        CHECK(smem_get_last_err_code() == SMEM_INVALID_PARAM); \
        check_text(text, 1, #call, __LINE__); \
    } while (0)
#define REFUSED_BY_ERROR(call, text) do { \
        (call); \
        CHECK(smem_get_last_err_code() == SMEM_INVALID_PARAM); \
        check_text(text, 1, #call, __LINE__); \
    } while (0)

#endif
