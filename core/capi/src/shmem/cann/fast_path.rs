// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get where the memory of the PE is mapped here, in the heap of the current instance: a few
//! comparisons, an addition and the copy; order where all memory is mapped; and the number of this PE.
//!
//! As in OpenSHMEM it counts, logs and guards nothing. Refused calls go to the bodies, which report the
//! reason, as do calls on the second heap and on memory without addresses for the processor.

use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering;

use super::address_table::current_table;

/// Copies by type or by size. Strided copies go to the bodies.
macro_rules! copies {
    ($pointer:ty, $count:ty: $($name:ident = $how:ident;)*) => { $(
        #[inline(always)]
        pub(crate) unsafe fn $name<T>(
            dest: $pointer, source: $pointer, nelems: $count, pe: c_int,
        ) -> Option<()> {
            // SAFETY: the caller vouches for the local memory; the table checks the symmetric end.
            unsafe { current_table().$how::<T>(dest.cast(), source.cast(), nelems as usize, pe) }
        }
    )* };
}

macro_rules! strides {
    ($pointer:ty: $($name:ident)*) => { $(
        #[inline(always)]
        #[allow(clippy::extra_unused_type_parameters, reason = "the arguments are those of the row")]
        pub(crate) unsafe fn $name<T>(
            _: $pointer, _: $pointer, _: isize, _: isize, _: usize, _: c_int,
        ) -> Option<()> {
            None
        }
    )* };
}

/// Of a type.
pub(crate) mod typed {
    use super::*;

    copies! { *mut T, usize:
        aclshmem_put = put;
        aclshmem_put_nbi = put;
        aclshmem_get = get;
        aclshmem_get_nbi = get;
    }
    strides! { *mut T: aclshmem_iput aclshmem_iget }

    #[inline(always)]
    pub(crate) unsafe fn aclshmem_p<T>(dest: *mut T, value: T, pe: c_int) -> Option<()> {
        // SAFETY: elements are numbers.
        unsafe { current_table().store(dest, value, pe) }
    }

    #[inline(always)]
    pub(crate) unsafe fn aclshmem_g<T>(source: *mut T, pe: c_int) -> Option<T> {
        // SAFETY: as in `aclshmem_p`.
        unsafe { current_table().load(source, pe) }
    }

    // By the names of the generations before.
    pub(crate) use crate::shmem::cann::signal::typed::fast_path::{
        aclshmem_put_signal, aclshmem_put_signal as aclshmem_put_mem_signal,
        aclshmem_put_signal as shmem_put_mem_signal, aclshmem_put_signal_nbi,
        aclshmem_put_signal_nbi as aclshmem_put_mem_signal_nbi,
        aclshmem_put_signal_nbi as shmem_put_mem_signal_nbi,
    };
    pub(crate) use {
        aclshmem_g as shmem_g, aclshmem_get as aclshmem_get_mem, aclshmem_get as shmem_get_mem,
        aclshmem_get_nbi as aclshmem_get_mem_nbi, aclshmem_get_nbi as shmem_get_mem_nbi,
        aclshmem_p as shmem_p, aclshmem_put as aclshmem_put_mem, aclshmem_put as shmem_put_mem,
        aclshmem_put_nbi as aclshmem_put_mem_nbi, aclshmem_put_nbi as shmem_put_mem_nbi,
    };
}

/// Of a size.
pub(crate) mod sized {
    use super::*;

    copies! { *mut c_void, u32:
        aclshmem_put = put;
        aclshmem_put_nbi = put;
        aclshmem_get = get;
        aclshmem_get_nbi = get;
    }
    strides! { *mut c_void: aclshmem_iput aclshmem_iget }

    pub(crate) use crate::shmem::cann::signal::sized::fast_path::{
        aclshmem_put_signal, aclshmem_put_signal_nbi,
    };
}

/// Without an element type.
pub(crate) mod untyped {
    use std::sync::atomic::fence as barrier;

    use super::*;
    use crate::shmem::cann::instances;

    #[inline(always)]
    pub(crate) fn aclshmem_my_pe() -> Option<c_int> {
        instances::current().map(|instance| instance.world.my_pe().cast_signed())
    }

    #[inline(always)]
    pub(crate) fn aclshmem_n_pes() -> Option<c_int> {
        instances::current().map(|instance| instance.world.n_pes().cast_signed())
    }

    #[inline(always)]
    pub(crate) fn aclshmem_ptr(ptr: *mut c_void, pe: c_int) -> Option<*mut c_void> {
        current_table().resolve(ptr.cast(), 1, pe).map(<*mut u8>::cast)
    }

    #[inline(always)]
    pub(crate) fn aclshmem_fence() -> Option<()> {
        // Copies are loads and stores, and order themselves.
        instances::current().filter(|instance| instance.is_all_mapped()).map(|_| barrier(Ordering::Release))
    }

    #[inline(always)]
    pub(crate) fn aclshmem_quiet() -> Option<()> {
        // Loads that follow may not come before stores of this PE are visible.
        instances::current().filter(|instance| instance.is_all_mapped()).map(|_| barrier(Ordering::SeqCst))
    }

    macro_rules! bytes {
        ($($name:ident = $how:ident;)*) => { $(
            #[inline(always)]
            pub(crate) unsafe fn $name(
                dest: *mut c_void, source: *mut c_void, bytes: usize, pe: c_int,
            ) -> Option<()> {
                // SAFETY: the caller vouches for the local memory; the table checks the symmetric end.
                unsafe { current_table().$how::<u8>(dest.cast(), source.cast(), bytes, pe) }
            }
        )* };
    }

    bytes! {
        aclshmem_putmem = put;
        aclshmem_putmem_nbi = put;
        aclshmem_getmem = get;
        aclshmem_getmem_nbi = get;
    }

    pub(crate) use crate::shmem::cann::signal::bytes::fast_path::{
        aclshmemx_putmem_signal, aclshmemx_putmem_signal as shmem_putmem_signal, aclshmemx_putmem_signal_nbi,
        aclshmemx_putmem_signal_nbi as shmem_putmem_signal_nbi,
    };
    pub(crate) use crate::shmem::cann::wait::fast_path::aclshmem_signal_wait_until;
    pub(crate) use {
        aclshmem_getmem as shmem_getmem, aclshmem_getmem_nbi as shmem_getmem_nbi,
        aclshmem_my_pe as shmem_my_pe, aclshmem_n_pes as shmem_n_pes, aclshmem_ptr as shmem_ptr,
        aclshmem_putmem as shmem_putmem, aclshmem_putmem_nbi as shmem_putmem_nbi,
    };
}
