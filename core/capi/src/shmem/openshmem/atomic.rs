// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics: on a context, and on the default one; under today's names and older ones.
//!
//! One list defines each function. [`fast_path`] serves mapped memory of a PE with one instruction after the
//! address lookup; the functions beside it are the bodies for everything else.

use std::ffi::{c_int, c_long};

use mf_base::Result;
use mf_shmem::{Access, Atomic, AtomicKind, Element};

use super::types::Ctx;
use super::world;

/// A word of a PE, and its change.
struct Change<T> {
    dest: *const T,
    kind: AtomicKind,
    operand: u64,
    compare: u64,
    pe: c_int,
}

impl<T: Element> Change<T> {
    fn atomic(&self) -> Atomic {
        Atomic { kind: self.kind, width: T::WIDTH, operand: self.operand, compare: self.compare }
    }

    /// Gives the old value.
    fn fetching(self, access: Access<'_>) -> Result<T> {
        access.atomic(self.dest.cast(), self.atomic(), self.pe).map(T::from_bits)
    }

    /// Needs no old value.
    fn updating(self, access: Access<'_>) -> Result<()> {
        access.atomic_update(self.dest.cast(), self.atomic(), self.pe)
    }

    /// # Safety
    /// `fetch` is writable until the next quiet.
    unsafe fn started(self, access: Access<'_>, fetch: *mut T) -> Result<()> {
        // SAFETY: the caller passes room for the old value; the world checks the symmetric word.
        unsafe { access.atomic_nbi(fetch.cast(), self.dest.cast(), self.atomic(), self.pe) }
    }
}

/// The functions: arguments between context and PE, result, method, word, change.
macro_rules! atomics {
    ($($name:ident $on_context:ident($($argument:ident: $type:ty),*) -> $result:ty
        = $how:ident($($fetch:ident)?) $dest:ident, $kind:ident $operand:expr, $compare:expr;)*) => {
        $(
            pub(crate) unsafe fn $name<T: Element>(
                op: &'static str, $($argument: $type,)* pe: c_int,
            ) -> Result<$result> {
                let change =
                    Change { dest: $dest, kind: AtomicKind::$kind, operand: $operand, compare: $compare, pe };
                let access = world::get(op)?.access();
                // SAFETY: the caller passes room for the old value; the world checks the symmetric word.
                #[allow(unused_unsafe, reason = "only a place for the old value needs trust")]
                unsafe { change.$how(access $(, $fetch)?) }
            }

            pub(crate) unsafe fn $on_context<T: Element>(
                op: &'static str, ctx: Ctx, $($argument: $type,)* pe: c_int,
            ) -> Result<$result> {
                let change =
                    Change { dest: $dest, kind: AtomicKind::$kind, operand: $operand, compare: $compare, pe };
                // SAFETY: the caller passes room for the old value; the world checks the symmetric word.
                #[allow(unused_unsafe, reason = "only a place for the old value needs trust")]
                ctx.with(op, |access| unsafe { change.$how(access $(, $fetch)?) })
            }
        )*

        /// Fast paths to mapped memory of a PE.
        pub(crate) mod fast_path {
            use std::ffi::c_int;

            use mf_shmem::{AtomicKind, Element, Width};

            use crate::shmem::openshmem::types::Ctx;
            use crate::shmem::openshmem::world::MAPPED;

            /// The old value.
            #[inline(always)]
            fn fetching<T: Element>(
                dest: *const T, kind: AtomicKind, operand: u64, compare: u64, pe: c_int,
            ) -> Option<T> {
                let (there, waits) = MAPPED.resolve_to_change(dest.cast(), size_of::<T>(), pe)?;
                if !there.cast::<T>().is_aligned() {
                    return None;
                }
                // SAFETY: aligned, and the address table contains mapped memory until the world ends; other
                // accesses are atomic, or races that the program accepts.
                #[allow(clippy::cast_possible_truncation, reason = "the low half counts")]
                let old = unsafe {
                    match T::WIDTH {
                        Width::W32 => u64::from(kind.apply_32(there.cast(), operand as u32, compare as u32)),
                        Width::W64 => kind.apply_64(there.cast(), operand, compare),
                    }
                };
                if !matches!(kind, AtomicKind::Fetch) {
                    waits.notify_sleepers();
                }
                Some(T::from_bits(old))
            }

            #[inline(always)]
            fn updating<T: Element>(
                dest: *const T, kind: AtomicKind, operand: u64, compare: u64, pe: c_int,
            ) -> Option<()> {
                fetching(dest, kind, operand, compare, pe).map(|_| ())
            }

            /// # Safety
            /// `fetch` is writable.
            #[inline(always)]
            unsafe fn started<T: Element>(
                fetch: *mut T, dest: *const T, kind: AtomicKind, operand: u64, compare: u64, pe: c_int,
            ) -> Option<()> {
                if fetch.is_null() {
                    return None;
                }
                let old = fetching(dest, kind, operand, compare, pe)?;
                // SAFETY: the caller passes room for the old value.
                unsafe { fetch.write_unaligned(old) };
                Some(())
            }

            $(
                #[inline(always)]
                pub(crate) unsafe fn $name<T: Element>($($argument: $type,)* pe: c_int) -> Option<$result> {
                    // SAFETY: the caller passes room for the old value; the world checks the symmetric word.
                    #[allow(unused_unsafe, reason = "only a place for the old value needs trust")]
                    unsafe { $how($($fetch,)? $dest, AtomicKind::$kind, $operand, $compare, pe) }
                }

                #[inline(always)]
                pub(crate) unsafe fn $on_context<T: Element>(
                    ctx: Ctx, $($argument: $type,)* pe: c_int,
                ) -> Option<$result> {
                    // SAFETY: the caller passes room for the old value; the world checks the symmetric word.
                    unsafe { $name($($argument,)* ctx.world_pe(pe)?) }
                }
            )*

            pub(crate) use {
                atomic_add as add, atomic_compare_swap as cswap, atomic_fetch as fetch, atomic_fetch_add as fadd,
                atomic_fetch_inc as finc, atomic_inc as inc, atomic_set as set, atomic_swap as swap,
            };
        }
    };
}

atomics! {
    atomic_fetch ctx_atomic_fetch(source: *const T) -> T = fetching() source, Fetch 0, 0;
    atomic_set ctx_atomic_set(dest: *mut T, value: T) -> () = updating() dest, Swap value.to_bits(), 0;
    atomic_swap ctx_atomic_swap(dest: *mut T, value: T) -> T = fetching() dest, Swap value.to_bits(), 0;
    atomic_compare_swap ctx_atomic_compare_swap(dest: *mut T, cond: T, value: T) -> T
        = fetching() dest, CompareSwap value.to_bits(), cond.to_bits();
    atomic_fetch_inc ctx_atomic_fetch_inc(dest: *mut T) -> T = fetching() dest, Add 1, 0;
    atomic_inc ctx_atomic_inc(dest: *mut T) -> () = updating() dest, Add 1, 0;
    atomic_fetch_add ctx_atomic_fetch_add(dest: *mut T, value: T) -> T = fetching() dest, Add value.to_bits(), 0;
    atomic_add ctx_atomic_add(dest: *mut T, value: T) -> () = updating() dest, Add value.to_bits(), 0;
    atomic_fetch_and ctx_atomic_fetch_and(dest: *mut T, value: T) -> T = fetching() dest, And value.to_bits(), 0;
    atomic_and ctx_atomic_and(dest: *mut T, value: T) -> () = updating() dest, And value.to_bits(), 0;
    atomic_fetch_or ctx_atomic_fetch_or(dest: *mut T, value: T) -> T = fetching() dest, Or value.to_bits(), 0;
    atomic_or ctx_atomic_or(dest: *mut T, value: T) -> () = updating() dest, Or value.to_bits(), 0;
    atomic_fetch_xor ctx_atomic_fetch_xor(dest: *mut T, value: T) -> T = fetching() dest, Xor value.to_bits(), 0;
    atomic_xor ctx_atomic_xor(dest: *mut T, value: T) -> () = updating() dest, Xor value.to_bits(), 0;

    atomic_fetch_nbi ctx_atomic_fetch_nbi(fetch: *mut T, source: *const T) -> () = started(fetch) source, Fetch 0, 0;
    atomic_swap_nbi ctx_atomic_swap_nbi(fetch: *mut T, dest: *mut T, value: T) -> ()
        = started(fetch) dest, Swap value.to_bits(), 0;
    atomic_compare_swap_nbi ctx_atomic_compare_swap_nbi(fetch: *mut T, dest: *mut T, cond: T, value: T) -> ()
        = started(fetch) dest, CompareSwap value.to_bits(), cond.to_bits();
    atomic_fetch_inc_nbi ctx_atomic_fetch_inc_nbi(fetch: *mut T, dest: *mut T) -> () = started(fetch) dest, Add 1, 0;
    atomic_fetch_add_nbi ctx_atomic_fetch_add_nbi(fetch: *mut T, dest: *mut T, value: T) -> ()
        = started(fetch) dest, Add value.to_bits(), 0;
    atomic_fetch_and_nbi ctx_atomic_fetch_and_nbi(fetch: *mut T, dest: *mut T, value: T) -> ()
        = started(fetch) dest, And value.to_bits(), 0;
    atomic_fetch_or_nbi ctx_atomic_fetch_or_nbi(fetch: *mut T, dest: *mut T, value: T) -> ()
        = started(fetch) dest, Or value.to_bits(), 0;
    atomic_fetch_xor_nbi ctx_atomic_fetch_xor_nbi(fetch: *mut T, dest: *mut T, value: T) -> ()
        = started(fetch) dest, Xor value.to_bits(), 0;
}

/// The names of before.
pub(crate) use {
    atomic_add as add, atomic_compare_swap as cswap, atomic_fetch as fetch, atomic_fetch_add as fadd,
    atomic_fetch_inc as finc, atomic_inc as inc, atomic_set as set, atomic_swap as swap,
};

/// Of C's `long`, without its name.
pub(crate) mod untyped {
    use super::{Result, atomic_swap, c_int, c_long};

    pub(crate) unsafe fn swap(
        op: &'static str,
        dest: *mut c_long,
        value: c_long,
        pe: c_int,
    ) -> Result<c_long> {
        // SAFETY: the caller passes room for the old value; the world checks the symmetric word.
        unsafe { atomic_swap(op, dest, value, pe) }
    }
}
