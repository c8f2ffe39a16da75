// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for, and tests of, words of this PE that others update.

use crate::elements::{OLD_INTEGERS, OLD_SHORT, WORDS};
use crate::row::rows;

rows! {
"wait/test" {
    /// Returns when `*ivar cmp cmp_value` holds (SHMEM_CMP_EQ, NE, GT, GE, LT, LE).
    "void shmem_NAME_wait_until(T *ivar, int cmp, T cmp_value)" of WORDS;
    /// Waits until each element has satisfied once. Elements with a `status` other than 0 are left out;
    /// `status` may be null.
    "void shmem_NAME_wait_until_all(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)"
        of WORDS;
    /// Waits until one element satisfies; returns its index, SIZE_MAX when all are left out.
    "size_t shmem_NAME_wait_until_any(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)"
        of WORDS, or("usize::MAX");
    /// Waits until an element satisfies; gives the indices of all that do, and returns how many.
    "size_t shmem_NAME_wait_until_some(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, T cmp_value)" of WORDS, or("0");
    /// As wait_until_all, with a value for each element.
    "void shmem_NAME_wait_until_all_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of WORDS;
    /// As wait_until_any, with a value for each element.
    "size_t shmem_NAME_wait_until_any_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of WORDS, or("usize::MAX");
    /// As wait_until_some, with a value for each element.
    "size_t shmem_NAME_wait_until_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, const T *cmp_values)" of WORDS, or("0");
    /// 1 when `*ivar cmp cmp_value` holds, else 0.
    "int shmem_NAME_test(T *ivar, int cmp, T cmp_value)" of WORDS, or("0");
    /// 1 when every element satisfies, else 0.
    "int shmem_NAME_test_all(T *ivars, size_t nelems, const int *status, int cmp, T cmp_value)" of WORDS, or("0");
    /// The index of an element that satisfies; SIZE_MAX when none does.
    "size_t shmem_NAME_test_any(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)" of WORDS, or("usize::MAX");
    /// Gives the indices of all elements that satisfy; returns how many.
    "size_t shmem_NAME_test_some(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
        T cmp_value)" of WORDS, or("0");
    /// As test_all, with a value for each element.
    "int shmem_NAME_test_all_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of WORDS, or("0");
    /// As test_any, with a value for each element.
    "size_t shmem_NAME_test_any_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of WORDS, or("usize::MAX");
    /// As test_some, with a value for each element.
    "size_t shmem_NAME_test_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, const T *cmp_values)" of WORDS, or("0");
}

"wait/test deprecated" {
    /// Returns when `*ivar` is not `cmp_value`.
    "void shmem_NAME_wait(T *ivar, T cmp_value)" of OLD_INTEGERS, deprecated;
    /// As shmem_long_wait.
    "void shmem_wait(long *ivar, long cmp_value)", deprecated;
    /// As shmem_long_wait_until.
    "void shmem_wait_until(long *ivar, int cmp, long cmp_value)", deprecated;
    /// As for other types.
    "void shmem_NAME_wait_until(T *ivar, int cmp, T cmp_value)" of OLD_SHORT, deprecated;
    /// As for other types.
    "int shmem_NAME_test(T *ivar, int cmp, T cmp_value)" of OLD_SHORT, deprecated, or("0");
}

"wait/test of short" {
    /// As for other types.
    "void shmem_NAME_wait_until_all(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)"
        of OLD_SHORT, outside, deprecated;
    /// As for other types.
    "size_t shmem_NAME_wait_until_any(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)"
        of OLD_SHORT, outside, deprecated, or("usize::MAX");
    /// As for other types.
    "size_t shmem_NAME_wait_until_some(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, T cmp_value)" of OLD_SHORT, outside, deprecated, or("0");
    /// As for other types.
    "void shmem_NAME_wait_until_all_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of OLD_SHORT, outside, deprecated;
    /// As for other types.
    "size_t shmem_NAME_wait_until_any_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of OLD_SHORT, outside, deprecated, or("usize::MAX");
    /// As for other types.
    "size_t shmem_NAME_wait_until_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, const T *cmp_values)" of OLD_SHORT, outside, deprecated, or("0");
    /// As for other types.
    "int shmem_NAME_test_all(T *ivars, size_t nelems, const int *status, int cmp, T cmp_value)" of OLD_SHORT, outside, deprecated, or("0");
    /// As for other types.
    "size_t shmem_NAME_test_any(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)" of OLD_SHORT, outside, deprecated, or("usize::MAX");
    /// As for other types.
    "size_t shmem_NAME_test_some(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
        T cmp_value)" of OLD_SHORT, outside, deprecated, or("0");
    /// As for other types.
    "int shmem_NAME_test_all_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of OLD_SHORT, outside, deprecated, or("0");
    /// As for other types.
    "size_t shmem_NAME_test_any_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        const T *cmp_values)" of OLD_SHORT, outside, deprecated, or("usize::MAX");
    /// As for other types.
    "size_t shmem_NAME_test_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, const T *cmp_values)" of OLD_SHORT, outside, deprecated, or("0");
}
}
