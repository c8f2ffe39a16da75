/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Checks of the C tests. A check that does not hold prints one line and is counted; the program goes on, and
 * check_result() is its exit status.
 */
#ifndef MF_TESTS_CHECK_H
#define MF_TESTS_CHECK_H

#include <stdio.h>
#include <string.h>

#include "smem/host/smem.h"

static int check_failures;

/* Counts, and prints at once: a process that is killed later must not take its findings with it. */
static inline void check_count(void)
{
    check_failures++;
    fflush(stdout);
}

static inline void check_true(int holds, const char *what, const char *file, int line)
{
    if (holds) return;
    printf("%s:%d: does not hold: %s\n", file, line, what);
    printf("  last error: %d \"%s\"\n", smem_get_last_err_code(), smem_get_last_err_msg());
    check_count();
}

static inline void check_code(int64_t got, int64_t want, const char *what, const char *file, int line)
{
    if (got == want) return;
    printf("%s:%d: %s gave %lld, expected %lld\n", file, line, what, (long long)got, (long long)want);
    printf("  last error: %d \"%s\"\n", smem_get_last_err_code(), smem_get_last_err_msg());
    check_count();
}

/* Takes the last error of this thread: its code must be `want`, and it must have a text. */
static inline void check_last_error(int32_t want, const char *what, const char *file, int line)
{
    int32_t code = smem_get_last_err_code();
    size_t length = strlen(smem_get_and_clear_last_err_msg());
    if (code == want && length > 0) return;
    printf("%s:%d: %s left last error code %d and a text of %lu bytes, expected code %d with a text\n", file, line, what,
           (int)code, (unsigned long)length, (int)want);
    check_count();
}

static inline void check_fails(int64_t got, int32_t code, const char *what, const char *file, int line)
{
    check_code(got, code, what, file, line);
    check_last_error(code, what, file, line);
}

static inline void check_fails_with(int64_t got, int64_t value, int32_t code, const char *what, const char *file, int line)
{
    check_code(got, value, what, file, line);
    check_last_error(code, what, file, line);
}

/* The expression is true. */
#define CHECK(expression) check_true((expression) != 0, #expression, __FILE__, __LINE__)
/* The call returns SMEM_OK. */
#define OK(call) check_code((call), SMEM_OK, #call, __FILE__, __LINE__)
/* The call returns `code`, and so does the last error, with a text. */
#define FAILS(code, call) check_fails((call), (code), #call, __FILE__, __LINE__)
/* The call returns `value` (0, NULL cast to a number, UINT32_MAX), and the last error is `code` with a
 * text. */
#define FAILS_WITH(value, code, call) \
    check_fails_with((int64_t)(call), (int64_t)(value), (code), #call, __FILE__, __LINE__)
/* The call returns a null pointer, and the last error is `code` with a text. */
#define FAILS_NULL(code, call) check_fails_with((call) == NULL ? 0 : 1, 0, (code), #call, __FILE__, __LINE__)

/* The call fails with one of two codes, and the last error says the same one, with a text. */
#define FAILS_AS(code, other, call) do { \
        int32_t check_got = (call); \
        check_fails(check_got, check_got == (other) ? (other) : (code), #call, __FILE__, __LINE__); \
    } while (0)

static inline int check_result(void)
{
    return check_failures == 0 ? 0 : 1;
}

#endif
