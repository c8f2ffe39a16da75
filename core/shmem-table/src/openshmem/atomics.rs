// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomic operations on one element.

use crate::elements::{BITWISE, MOVED, OLD_MOVED, OLD_WORDS, OTHER_WORDS, WORDS};
use crate::row::rows;

rows! {
"AMO" {
    /// Reads an element of `pe`.
    "T shmem_[ctx_]NAME_atomic_fetch(const T *source, int pe)" of MOVED;
    /// Writes an element of `pe`.
    "void shmem_[ctx_]NAME_atomic_set(T *dest, T value, int pe)" of MOVED;
    /// Writes an element of `pe`; returns the old value.
    "T shmem_[ctx_]NAME_atomic_swap(T *dest, T value, int pe)" of MOVED;
    /// Writes an element of `pe` if it is `cond`; returns the old value.
    "T shmem_[ctx_]NAME_atomic_compare_swap(T *dest, T cond, T value, int pe)" of WORDS;
    /// Adds 1; returns the old value.
    "T shmem_[ctx_]NAME_atomic_fetch_inc(T *dest, int pe)" of WORDS;
    /// Adds 1.
    "void shmem_[ctx_]NAME_atomic_inc(T *dest, int pe)" of WORDS;
    /// Adds `value`; returns the old value.
    "T shmem_[ctx_]NAME_atomic_fetch_add(T *dest, T value, int pe)" of WORDS;
    /// Adds `value`.
    "void shmem_[ctx_]NAME_atomic_add(T *dest, T value, int pe)" of WORDS;
    /// Combines bits with `value`; returns the old value.
    "T shmem_[ctx_]NAME_atomic_fetch_{and,or,xor}(T *dest, T value, int pe)" of BITWISE;
    /// Combines bits with `value`.
    "void shmem_[ctx_]NAME_atomic_{and,or,xor}(T *dest, T value, int pe)" of BITWISE;
}

"AMO nbi" {
    /// Reads an element into `fetch`, by the next quiet.
    "void shmem_[ctx_]NAME_atomic_fetch_nbi(T *fetch, const T *source, int pe)" of MOVED;
    /// Writes an element; the old value is in `fetch` by the next quiet.
    "void shmem_[ctx_]NAME_atomic_swap_nbi(T *fetch, T *dest, T value, int pe)" of MOVED;
    /// Writes an element if it is `cond`; the old value is in `fetch` by the next quiet.
    "void shmem_[ctx_]NAME_atomic_compare_swap_nbi(T *fetch, T *dest, T cond, T value, int pe)" of WORDS;
    /// Adds 1; the old value is in `fetch` by the next quiet.
    "void shmem_[ctx_]NAME_atomic_fetch_inc_nbi(T *fetch, T *dest, int pe)" of WORDS;
    /// Adds `value`; the old value is in `fetch` by the next quiet.
    "void shmem_[ctx_]NAME_atomic_fetch_add_nbi(T *fetch, T *dest, T value, int pe)" of WORDS;
    /// Combines bits with `value`; the old value is in `fetch` by the next quiet.
    "void shmem_[ctx_]NAME_atomic_fetch_{and,or,xor}_nbi(T *fetch, T *dest, T value, int pe)" of BITWISE;
}

"AMO deprecated" {
    /// As atomic_fetch.
    "T shmem_NAME_fetch(const T *source, int pe)" of OLD_MOVED, deprecated;
    /// As atomic_set.
    "void shmem_NAME_set(T *dest, T value, int pe)" of OLD_MOVED, deprecated;
    /// As atomic_swap.
    "T shmem_NAME_swap(T *dest, T value, int pe)" of OLD_MOVED, deprecated;
    /// As atomic_compare_swap.
    "T shmem_NAME_cswap(T *dest, T cond, T value, int pe)" of OLD_WORDS, deprecated;
    /// As atomic_fetch_inc.
    "T shmem_NAME_finc(T *dest, int pe)" of OLD_WORDS, deprecated;
    /// As atomic_inc.
    "void shmem_NAME_inc(T *dest, int pe)" of OLD_WORDS, deprecated;
    /// As atomic_fetch_add.
    "T shmem_NAME_fadd(T *dest, T value, int pe)" of OLD_WORDS, deprecated;
    /// As atomic_add.
    "void shmem_NAME_add(T *dest, T value, int pe)" of OLD_WORDS, deprecated;
}

"AMO deprecated, other types" {
    /// As atomic_fetch.
    "T shmem_NAME_fetch(const T *source, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_set.
    "void shmem_NAME_set(T *dest, T value, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_swap.
    "T shmem_NAME_swap(T *dest, T value, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_compare_swap.
    "T shmem_NAME_cswap(T *dest, T cond, T value, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_fetch_inc.
    "T shmem_NAME_finc(T *dest, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_inc.
    "void shmem_NAME_inc(T *dest, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_fetch_add.
    "T shmem_NAME_fadd(T *dest, T value, int pe)" of OTHER_WORDS, outside, deprecated;
    /// As atomic_add.
    "void shmem_NAME_add(T *dest, T value, int pe)" of OTHER_WORDS, outside, deprecated;
}

"swap without a type" {
    /// As shmem_long_atomic_swap, for programs of the time before 1.4.
    "long shmem_swap(long *dest, long value, int pe)", outside, deprecated, or("0");
}
}
