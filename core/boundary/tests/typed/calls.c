/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls functions of a typed family by the names of its header, by pointers, by twins and by the older
 * generation's names. */
#include "typed.h"

#include "check_exports.h"

#ifdef __cplusplus
extern "C"
#endif
int typed_calls(const char *name, bool failed);

static void values(void)
{
    float from[2] = {1.5F, 2.5F}, to[2] = {0, 0};
    long long numbers[2] = {7, -8}, copied[2] = {0, 0};
    void (*put)(long long *, const long long *, size_t, int) = typed_longlong_put;
    typed_float_put(to, from, 2, 3);
    CHECK(to[0] == 1.5F && to[1] == 2.5F);
    put(copied, numbers, 2, typed_my_pe());
    CHECK(copied[0] == 7 && copied[1] == -8);
    CHECK(typed_float_g(&from[1], 3) == 2.5F && typed_longlong_g(&numbers[1], 3) == -8);
    CHECK(typed_float_p(&to[0], 4.25F, 3) == 0 && to[0] == 4.25F);
    typed_put128(from, numbers, 1, 3);
    CHECK(memcmp(from, numbers, sizeof(from)) == 0);
}

/* A value of the type that Rust has not, as argument and result, on contexts and by twins. */
static void long_doubles(void)
{
    const uint64_t ctx = (uint64_t)1 << 40;
    const long double third = 1.0L / 3.0L;
    long double to = 0, (*twin)(const long double *, int);
    void *found = dlsym(RTLD_DEFAULT, "ptyped15_longdouble_g");
    memcpy(&twin, &found, sizeof(found));
    CHECK(typed_longdouble_p(&to, third, 3) == 0 && to == third);
    typed_ctx_longdouble_p(ctx, &to, -third, 3);
    CHECK(to == -third);
    CHECK(typed_longdouble_g(&to, 3) == -third && typed_ctx_longdouble_g(ctx, &to, 3) == -third);
    CHECK(found != NULL && twin(&to, 3) + third == 0);
    CHECK(typed_longdouble_p(&to, third, 4) == -7 && typed_longdouble_p(NULL, third, 3) == -7 && to == -third);
    CHECK(typed_ctx_longdouble_g(ctx + 1, &to, 3) == 0 && typed_longdouble_g(NULL, 3) == 0);
    CHECK(strncmp(smem_get_and_clear_last_err_msg(), "typed g: the source is null", 27) == 0);
    CHECK(typed_calls("typed_longdouble_g", false) == 3 && typed_calls("typed_longdouble_g", true) == 1);
}

/* A function that is declared with arguments that it does not read; numbers of the system's width. */
static void variadic(void)
{
    long numbers[1] = {40}, from[2] = {1L << (sizeof(long) * 8 - 2), -2}, to[2] = {0, 0};
    CHECK(typed_add(2, numbers) == 42 && typed_add(1, numbers, "text", 2.5) == 43 && numbers[0] == 43);
    typed_long_put(to, from, 2, 3);
    CHECK(memcmp(from, to, sizeof(from)) == 0 && typed_long_g(&to[1], 3) == -2);
}

/* A name of the header is another function than the symbol of that name. */
static void generations(void)
{
    int (*older)(float *, float);
    float value = 0;
    void *found = dlsym(RTLD_DEFAULT, "typed_float_put");
    memcpy(&older, &found, sizeof(found));
    CHECK(found != NULL && older(&value, 3.5F) == 0 && value == 3.5F);
}

static void failures(void)
{
    float value = 1.5F;
    CHECK(typed_float_g(&value, 4) == 0);
    CHECK(smem_get_last_err_code() == -7);
    CHECK(strcmp(smem_get_and_clear_last_err_msg(), "typed g: no such PE: pe 4 [TYPED_ERROR -7]") == 0);
    CHECK(typed_size_p(NULL, 1, 3) == -7);
    CHECK(strncmp(smem_get_and_clear_last_err_msg(), "typed p: the destination is null", 32) == 0);
    CHECK(typed_defect() == NULL && strstr(smem_get_last_err_msg(), "panic a defect") != NULL);
    CHECK(typed_calls("typed_float_g", false) == 2 && typed_calls("typed_float_g", true) == 1);
    CHECK(typed_calls("typed_size_g", false) == 0 && typed_calls("typed_defect", true) == 1);
}

int main(void)
{
    values();
    generations();
    long_doubles();
    variadic();
    failures();
    return check_result();
}
