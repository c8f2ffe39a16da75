/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that replaces a function of the standard by its own, which calls the twin. The library's other
 * functions, including functions of the same C type, are not replaced, and none of them calls the replaced
 * one. */
#define MF_SHMEM_NO_GENERIC
#include <pshmem.h>
#include <shmem.h>

#include "../check.h"

static int replaced, puts_replaced;

#ifdef __cplusplus
extern "C"
#endif
void shmem_long_p(long *dest, long value, int pe)
{
    replaced++;
    pshmem_long_p(dest, value, pe);
}

#ifdef __cplusplus
extern "C"
#endif
void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    puts_replaced++;
    pshmem_long_put(dest, source, nelems, pe);
}

int main(void)
{
    void (*volatile pointer)(long *, long, int) = shmem_long_p;
    void (*volatile twin)(long *, long, int) = pshmem_long_p;

    shmem_init();
    const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
    long *word = (long *)shmem_calloc(1, sizeof(long));

    shmem_long_p(word, 1, right);
    shmem_quiet();
    CHECK(replaced == 1 && shmem_long_g(word, right) == 1);
    pointer(word, 2, right);
    shmem_quiet();
    CHECK(replaced == 2 && shmem_long_g(word, right) == 2);
    twin(word, 3, right);
    shmem_int64_p((int64_t *)word, 4, right);
    shmem_ptrdiff_p((ptrdiff_t *)word, 5, right);
    shmem_ctx_long_p(SHMEM_CTX_DEFAULT, word, 6, right);
    shmem_quiet();
    CHECK(replaced == 2 && shmem_long_g(word, right) == 6);

    const long values[2] = {7, 8};
    void (*volatile put)(long *, const long *, size_t, int) = shmem_long_put;
    long *pair = (long *)shmem_calloc(2, sizeof(long));
    shmem_long_put(pair, values, 2, right);
    put(pair, values, 2, right);
    shmem_long_put_nbi(pair, values, 2, right);
    shmem_int64_put((int64_t *)pair, (const int64_t *)values, 2, right);
    shmem_put64(pair, values, 2, right);
    shmem_quiet();
    CHECK(puts_replaced == 2 && shmem_long_g(&pair[1], right) == 8);
    shmem_barrier_all();
    shmem_free(pair);
    shmem_free(word);
    shmem_finalize();
    return check_result();
}
