// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get where the memory of the PE is mapped here: a few comparisons, an addition and the copy; order
//! where all memory is mapped; and the number of this PE.
//!
//! It counts, logs and guards nothing: counters of threads, in a library that programs load, would cost more
//! than the copy. Refused calls go to the bodies of [`super::rma`], which report the reason.

use std::ffi::c_int;

use super::world::MAPPED;

/// Copies by type or by size. Strided copies go to the bodies.
macro_rules! copies {
    ($mutable:ty, $constant:ty: $($name:ident $on_context:ident = $how:ident;)*) => { $(
        #[inline(always)]
        pub(crate) unsafe fn $name<T>(
            dest: $mutable, source: $constant, nelems: usize, pe: c_int,
        ) -> Option<()> {
            // SAFETY: the caller vouches for the local memory; the table checks the symmetric end.
            unsafe { MAPPED.$how::<T>(dest.cast(), source.cast(), nelems, pe) }
        }

        #[inline(always)]
        pub(crate) unsafe fn $on_context<T>(
            ctx: Ctx, dest: $mutable, source: $constant, nelems: usize, pe: c_int,
        ) -> Option<()> {
            // SAFETY: the caller vouches for the local memory; the table checks the symmetric end.
            unsafe { $name::<T>(dest, source, nelems, ctx.world_pe(pe)?) }
        }
    )* };
}

macro_rules! strides {
    ($mutable:ty, $constant:ty: $($name:ident $on_context:ident [$($block:ty)?])*) => { $(
        #[inline(always)]
        #[allow(clippy::extra_unused_type_parameters, reason = "the arguments are those of the row")]
        pub(crate) unsafe fn $name<T>(
            _: $mutable, _: $constant, _: isize, _: isize, $(_: $block,)? _: usize, _: c_int,
        ) -> Option<()> {
            None
        }

        #[inline(always)]
        #[allow(
            clippy::extra_unused_type_parameters,
            clippy::too_many_arguments,
            reason = "the arguments are those of the row"
        )]
        pub(crate) unsafe fn $on_context<T>(
            _: Ctx, _: $mutable, _: $constant, _: isize, _: isize, $(_: $block,)? _: usize, _: c_int,
        ) -> Option<()> {
            None
        }
    )* };
}

/// Of a type.
pub(crate) mod typed {
    use super::*;
    use crate::shmem::openshmem::types::Ctx;

    copies! { *mut T, *const T:
        put ctx_put = put;
        put_nbi ctx_put_nbi = put;
        get ctx_get = get;
        get_nbi ctx_get_nbi = get;
    }
    strides! { *mut T, *const T:
        iput ctx_iput [] iget ctx_iget [] ibput ctx_ibput [usize] ibget ctx_ibget [usize]
    }

    #[inline(always)]
    pub(crate) unsafe fn p<T>(dest: *mut T, value: T, pe: c_int) -> Option<()> {
        // SAFETY: elements are numbers.
        unsafe { MAPPED.store(dest, value, pe) }
    }

    #[inline(always)]
    pub(crate) unsafe fn ctx_p<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) -> Option<()> {
        // SAFETY: the caller vouches for the symmetric address, which the table checks.
        unsafe { p(dest, value, ctx.world_pe(pe)?) }
    }

    #[inline(always)]
    pub(crate) unsafe fn g<T>(source: *const T, pe: c_int) -> Option<T> {
        // SAFETY: as in `p`.
        unsafe { MAPPED.load(source, pe) }
    }

    #[inline(always)]
    pub(crate) unsafe fn ctx_g<T>(ctx: Ctx, source: *const T, pe: c_int) -> Option<T> {
        // SAFETY: the caller vouches for the symmetric address, which the table checks.
        unsafe { g(source, ctx.world_pe(pe)?) }
    }
}

/// Of a size.
pub(crate) mod sized {
    use std::ffi::c_void;

    use super::*;
    use crate::shmem::openshmem::types::Ctx;

    copies! { *mut c_void, *const c_void:
        put ctx_put = put;
        put_nbi ctx_put_nbi = put;
        get ctx_get = get;
        get_nbi ctx_get_nbi = get;
    }
    strides! { *mut c_void, *const c_void:
        iput ctx_iput [] iget ctx_iget [] ibput ctx_ibput [usize] ibget ctx_ibget [usize]
    }
}

/// Without an element type.
pub(crate) mod untyped {
    use std::ffi::c_void;
    use std::sync::atomic::{Ordering, fence as barrier};

    use super::{c_int, sized};
    use crate::shmem::openshmem::types::Ctx;
    use crate::shmem::openshmem::{init, world};

    #[inline(always)]
    pub(crate) fn my_pe() -> Option<c_int> {
        world::current().map(|world| init::number(world.my_pe()))
    }

    #[inline(always)]
    pub(crate) fn n_pes() -> Option<c_int> {
        world::current().map(|world| init::number(world.n_pes()))
    }

    pub(crate) use {my_pe as _my_pe, n_pes as _num_pes};

    #[inline(always)]
    pub(crate) fn ptr(dest: *const c_void, pe: c_int) -> Option<*mut c_void> {
        super::MAPPED.resolve(dest.cast(), 1, pe).map(<*mut u8>::cast)
    }

    #[inline(always)]
    pub(crate) fn fence() -> Option<()> {
        // Copies are loads and stores, and order themselves.
        world::current().filter(|world| world.is_all_mapped()).map(|_| barrier(Ordering::Release))
    }

    #[inline(always)]
    pub(crate) fn quiet() -> Option<()> {
        // Loads that follow may not come before stores of this PE are visible.
        world::current().filter(|world| world.is_all_mapped()).map(|_| barrier(Ordering::SeqCst))
    }

    #[inline(always)]
    pub(crate) fn ctx_fence(ctx: Ctx) -> Option<()> {
        if ctx.is_alive() { fence() } else { None }
    }

    #[inline(always)]
    pub(crate) fn ctx_quiet(ctx: Ctx) -> Option<()> {
        if ctx.is_alive() { quiet() } else { None }
    }

    macro_rules! bytes {
        ($($name:ident $on_context:ident = $plain:ident $in_context:ident;)*) => { $(
            #[inline(always)]
            pub(crate) unsafe fn $name(
                dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int,
            ) -> Option<()> {
                // SAFETY: the caller vouches for the local memory; the table checks the symmetric end.
                unsafe { sized::$plain::<u8>(dest, source, nelems, pe) }
            }

            #[inline(always)]
            pub(crate) unsafe fn $on_context(
                ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int,
            ) -> Option<()> {
                // SAFETY: the caller vouches for the local memory; the table checks the symmetric end.
                unsafe { sized::$in_context::<u8>(ctx, dest, source, nelems, pe) }
            }
        )* };
    }

    bytes! {
        putmem ctx_putmem = put ctx_put;
        putmem_nbi ctx_putmem_nbi = put_nbi ctx_put_nbi;
        getmem ctx_getmem = get ctx_get;
        getmem_nbi ctx_getmem_nbi = get_nbi ctx_get_nbi;
    }
}
