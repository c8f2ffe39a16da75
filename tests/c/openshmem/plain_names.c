/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that declares the plain names itself, as with the header of another product, and asks for them
 * at run time: liboshmem.so has them. */
#include <dlfcn.h>
#include <stddef.h>

#include "../check.h"

#ifdef __cplusplus
extern "C" {
#endif
void shmem_init(void);
void shmem_finalize(void);
int shmem_my_pe(void);
int shmem_n_pes(void);
void *shmem_malloc(size_t size);
void shmem_free(void *ptr);
void shmem_barrier_all(void);
void shmem_quiet(void);
void shmem_putmem(void *dest, const void *source, size_t nelems, int pe);
void shmem_longdouble_p(long double *dest, long double value, int pe);
long double shmem_longdouble_g(const long double *source, int pe);
void shmem_double_p(double *dest, double value, int pe);
double pshmem_double_g(const double *source, int pe);
#ifdef __cplusplus
}
#endif

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
    long double *number = (long double *)shmem_malloc(2 * sizeof(long double));
    int (*found)(void);
    void *symbol = dlsym(RTLD_DEFAULT, "shmem_my_pe");

    CHECK(number != NULL && symbol != NULL);
    memcpy(&found, &symbol, sizeof(found));
    CHECK(found() == me);
    shmem_longdouble_p(number, 1.0L / 3 + me, right);
    shmem_double_p((double *)(number + 1), 0.5 + me, right);
    shmem_quiet();
    CHECK(shmem_longdouble_g(number, right) == 1.0L / 3 + me);
    CHECK(pshmem_double_g((double *)(number + 1), right) == 0.5 + me);
    shmem_barrier_all();
    shmem_putmem(number, &me, sizeof(me), right);
    shmem_free(number);
    shmem_finalize();
    return check_result();
}
