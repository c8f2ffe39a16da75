/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Invalid arguments: a message that names the function, and nothing is done. */
#include <shmem.h>
#include <stdlib.h>

#include "../check.h"

/* The call leaves an error that begins with the name of the function and has `text`. */
#define REFUSED(call, function, text) do { \
        (void)smem_get_and_clear_last_err_msg(); \
        (call); \
        const char *message = smem_get_last_err_msg(); \
        CHECK(strncmp(message, function ": ", strlen(function) + 2) == 0 && strstr(message, text) != NULL); \
    } while (0)

static long word;

int main(void)
{
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    long *words = (long *)shmem_calloc(8, sizeof(long));
    long local[8] = {1, 2, 3, 4, 5, 6, 7, 8}, other[8] = {0};
    uint64_t *signal = (uint64_t *)&words[7], *odd = (uint64_t *)((char *)words + 4), *foreign = (uint64_t *)other;
    const shmem_ctx_t unknown = (shmem_ctx_t)(uintptr_t)77;

    for (int pe = -1; pe <= pes; pe += pes + 1) {
        REFUSED(shmem_long_p(words, 1, pe), "shmem_long_p", "PE");
        REFUSED(shmem_long_put(words, local, 8, pe), "shmem_long_put", "PE");
        REFUSED(shmem_getmem(other, words, 8, pe), "shmem_getmem", "PE");
        REFUSED(shmem_iput64(words, local, 1, 1, 2, pe), "shmem_iput64", "PE");
        REFUSED(shmem_ibget64(other, words, 2, 2, 2, 2, pe), "shmem_ibget64", "PE");
        REFUSED(CHECK(shmem_long_g(words, pe) == 0), "shmem_long_g", "PE");
        REFUSED(shmem_long_put_signal(words, local, 2, signal, 1, SHMEM_SIGNAL_SET, pe), "shmem_long_put_signal", "PE");
        REFUSED(shmem_signal_add(signal, 1, pe), "shmem_signal_add", "PE");
        REFUSED(CHECK(shmem_longdouble_g((long double *)words, pe) == 0), "shmem_longdouble_g", "PE");
        REFUSED(CHECK(shmem_long_atomic_fetch_add(words, 1, pe) == 0), "shmem_long_atomic_fetch_add", "PE");
        REFUSED(shmem_int_atomic_inc((int *)words, pe), "shmem_int_atomic_inc", "PE");
        REFUSED(shmem_long_atomic_fetch_nbi(other, words, pe), "shmem_long_atomic_fetch_nbi", "PE");
        REFUSED(CHECK(shmem_double_atomic_swap((double *)words, 1, pe) == 0), "shmem_double_atomic_swap", "PE");
        REFUSED(CHECK((shmem_swap)(words, 1, pe) == 0), "shmem_swap", "PE");
    }
    REFUSED(shmem_long_put(other, local, 8, me), "shmem_long_put", "symmetric");
    REFUSED(shmem_putmem(&word, local, (size_t)1 << 40, me), "shmem_putmem", "symmetric");
    REFUSED(shmem_long_put(NULL, local, 8, me), "shmem_long_put", "symmetric");
    REFUSED(shmem_putmem(words, NULL, 8, me), "shmem_putmem", "null");
    REFUSED(shmem_long_get(NULL, words, 8, me), "shmem_long_get", "null");
    REFUSED(shmem_long_put(words, local, SIZE_MAX / 2, me), "shmem_long_put", "too large");
    REFUSED(shmem_putmem(words, local, SIZE_MAX / 4, me), "shmem_putmem", "symmetric");
    REFUSED(shmem_long_iput(words, local, 0, 1, 2, me), "shmem_long_iput", "stride");
    REFUSED(shmem_long_iget(other, words, 1, -1, 2, me), "shmem_long_iget", "stride");
    REFUSED(shmem_long_ibput(words, local, 1, 2, 2, 2, me), "shmem_long_ibput", "block");
    REFUSED(shmem_long_ibput(words, local, 2, 2, 2, SIZE_MAX / 4, me), "shmem_long_ibput", "run over");
    REFUSED(shmem_ctx_long_p(unknown, words, 1, me), "shmem_ctx_long_p", "context");
    REFUSED(shmem_ctx_quiet(unknown), "shmem_ctx_quiet", "context");
    REFUSED(shmem_ctx_put32(SHMEM_CTX_INVALID, words, local, 1, me), "shmem_ctx_put32", "context");
    for (int op = -1; op <= 2; op += 3) {
        REFUSED(shmem_put64_signal(words, local, 2, signal, 1, op, me), "shmem_put64_signal", "signal operator");
        REFUSED(shmem_putmem_signal_nbi(words, local, 0, signal, 1, op, me), "shmem_putmem_signal_nbi", "operator");
    }
    REFUSED(shmem_long_put_signal(words, local, 2, foreign, 1, SHMEM_SIGNAL_SET, me), "shmem_long_put_signal", "symmetric");
    REFUSED(shmem_long_put_signal(words, local, 2, NULL, 1, SHMEM_SIGNAL_SET, me), "shmem_long_put_signal", "symmetric");
    REFUSED(shmem_long_put_signal(words, local, 2, odd, 1, SHMEM_SIGNAL_ADD, me), "shmem_long_put_signal", "not aligned");
    REFUSED(shmem_putmem_signal(words, NULL, 2, signal, 1, SHMEM_SIGNAL_SET, me), "shmem_putmem_signal", "null");
    REFUSED(shmem_long_put_signal(other, local, 2, signal, 1, SHMEM_SIGNAL_SET, me), "shmem_long_put_signal", "symmetric");
    REFUSED(shmem_long_put_signal(words, local, SIZE_MAX / 2, signal, 1, 0, me), "shmem_long_put_signal", "too large");
    REFUSED(shmem_ctx_signal_set(unknown, signal, 1, me), "shmem_ctx_signal_set", "context");
    const int in[8] = {0};
    size_t indices[8];
    for (int cmp = -1; cmp <= 6; cmp += 7) {
        REFUSED(shmem_long_wait_until(words, cmp, 0), "shmem_long_wait_until", "comparison");
        REFUSED(CHECK(shmem_int_test((int *)words, cmp, 0) == 0), "shmem_int_test", "comparison");
        REFUSED(shmem_long_wait_until_all(words, 8, NULL, cmp, 0), "shmem_long_wait_until_all", "comparison");
        REFUSED(CHECK(shmem_long_wait_until_any(words, 8, NULL, cmp, 0) == SIZE_MAX), "shmem_long_wait_until_any", "comparison");
        REFUSED(CHECK(shmem_long_test_some(words, 0, indices, in, cmp, 0) == 0), "shmem_long_test_some", "comparison");
        REFUSED(CHECK(shmem_signal_wait_until(signal, cmp, 0) == 0), "shmem_signal_wait_until", "comparison");
    }
    REFUSED(shmem_long_wait_until(other, SHMEM_CMP_EQ, 0), "shmem_long_wait_until", "symmetric");
    REFUSED((shmem_wait)(NULL, 1), "shmem_wait", "symmetric");
    REFUSED(CHECK(shmem_signal_fetch(foreign) == 0), "shmem_signal_fetch", "symmetric");
    REFUSED(CHECK(shmem_signal_wait_until(odd, SHMEM_CMP_EQ, 0) == 0), "shmem_signal_wait_until", "not aligned");
    REFUSED(CHECK(shmem_long_test((long *)odd, SHMEM_CMP_EQ, 0) == 0), "shmem_long_test", "not aligned");
    REFUSED(CHECK(shmem_long_test_all(words, SIZE_MAX / 8, in, SHMEM_CMP_EQ, 0) == 0), "shmem_long_test_all", "symmetric");
    REFUSED(CHECK(shmem_long_test_any(NULL, 8, in, SHMEM_CMP_EQ, 0) == SIZE_MAX), "shmem_long_test_any", "symmetric");
    REFUSED(CHECK(shmem_long_wait_until_some(words, 8, NULL, in, SHMEM_CMP_EQ, 0) == 0), "shmem_long_wait_until_some", "null");
    REFUSED(CHECK(shmem_long_test_some(words, 8, NULL, in, SHMEM_CMP_EQ, 0) == 0), "shmem_long_test_some", "null");
    REFUSED(CHECK(shmem_long_test_all_vector(words, 8, in, SHMEM_CMP_EQ, NULL) == 0), "shmem_long_test_all_vector", "null");
    REFUSED(shmem_long_wait_until_all_vector(words, 8, in, SHMEM_CMP_EQ, NULL), "shmem_long_wait_until_all_vector", "null");
    REFUSED(CHECK(shmem_long_atomic_swap(other, 1, me) == 0), "shmem_long_atomic_swap", "symmetric");
    REFUSED(shmem_long_atomic_set(NULL, 1, me), "shmem_long_atomic_set", "symmetric");
    REFUSED(shmem_long_atomic_fetch_inc_nbi(NULL, words, me), "shmem_long_atomic_fetch_inc_nbi", "null");
    REFUSED(shmem_long_atomic_add((long *)((char *)words + 4), 1, me), "shmem_long_atomic_add", "not aligned");
    REFUSED(CHECK(shmem_int_finc((int *)((char *)words + 2), me) == 0), "shmem_int_finc", "not aligned");
    REFUSED(shmem_ctx_long_atomic_inc(unknown, words, me), "shmem_ctx_long_atomic_inc", "context");
    for (int i = 0; i < 8; i++) {
        CHECK(words[i] == 0 && other[i] == 0);
    }
    (void)smem_get_and_clear_last_err_msg();
    /* No element is a valid call, wherever the pointers point. */
    shmem_long_put(words, NULL, 0, me);
    shmem_putmem(NULL, NULL, 0, me);
    shmem_long_iput(words, local, 1, 1, 0, me);
    /* Misaligned data is copied. */
    shmem_long_p((long *)((char *)words + 1), 0x0102030405060708L, me);
    CHECK(shmem_long_g((const long *)((const char *)words + 1), me) == 0x0102030405060708L);
    CHECK(smem_get_last_err_code() == 0);
    /* All PEs are refused alike. */
    REFUSED(shmem_free(&local), "shmem_free", "");
    REFUSED(CHECK(shmem_align(3, 8) == NULL), "shmem_align", "");
    shmem_barrier_all();
    shmem_free(words);
    shmem_finalize();
    return check_result();
}
