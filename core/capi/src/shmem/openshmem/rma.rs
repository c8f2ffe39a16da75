// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get: of elements of a type, of a size, of bytes. On a context, and on the default one.

use mf_base::{Error, Result};

/// The bytes of so many elements.
///
/// # Errors
/// `InvalidParam` there are no so large objects.
pub(super) fn length<T>(op: &'static str, nelems: usize) -> Result<usize> {
    let bytes = nelems.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    bytes.ok_or_else(|| {
        Error::invalid(op, "the number of elements is too large")
            .with("nelems", nelems)
            .with("element_bytes", size_of::<T>())
    })
}

/// Bodies with the arguments of the world's method: `name on context = method(length of T);`.
macro_rules! contiguous {
    ($mutable:ty, $constant:ty: $($name:ident $on_context:ident = $method:ident;)*) => { $(
        pub(crate) unsafe fn $name<T>(
            op: &'static str, dest: $mutable, source: $constant, nelems: usize, pe: c_int,
        ) -> Result<()> {
            let bytes = length::<T>(op, nelems)?;
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { world::get(op)?.$method(dest.cast(), source.cast(), bytes, pe) }
        }

        pub(crate) unsafe fn $on_context<T>(
            op: &'static str, ctx: Ctx, dest: $mutable, source: $constant, nelems: usize, pe: c_int,
        ) -> Result<()> {
            let bytes = length::<T>(op, nelems)?;
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            ctx.with(op, |access| unsafe { access.$method(dest.cast(), source.cast(), bytes, pe) })
        }
    )* };
}

/// The same with strides, of elements or of blocks.
macro_rules! strided {
    ($mutable:ty, $constant:ty: $($name:ident $on_context:ident [$($block:ident)?];)*) => { $(
        #[allow(clippy::too_many_arguments, reason = "those of the row")]
        pub(crate) unsafe fn $name<T>(
            op: &'static str, dest: $mutable, source: $constant, dst: isize, sst: isize, $($block: usize,)?
            nelems: usize, pe: c_int,
        ) -> Result<()> {
            let (world, bytes) = (world::get(op)?, size_of::<T>());
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { world.$name(dest.cast(), source.cast(), dst, sst, $($block,)? nelems, bytes, pe) }
        }

        #[allow(clippy::too_many_arguments, reason = "those of the row")]
        pub(crate) unsafe fn $on_context<T>(
            op: &'static str, ctx: Ctx, dest: $mutable, source: $constant, dst: isize, sst: isize,
            $($block: usize,)? nelems: usize, pe: c_int,
        ) -> Result<()> {
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            ctx.with(op, |access| unsafe {
                access.$name(dest.cast(), source.cast(), dst, sst, $($block,)? nelems, size_of::<T>(), pe)
            })
        }
    )* };
}

/// Of a type.
pub(crate) mod typed {
    use std::ffi::c_int;

    use super::*;
    use crate::shmem::openshmem::types::Ctx;
    use crate::shmem::openshmem::world;

    contiguous! { *mut T, *const T:
        put ctx_put = put;
        put_nbi ctx_put_nbi = put_nbi;
        get ctx_get = get;
        get_nbi ctx_get_nbi = get_nbi;
    }
    strided! { *mut T, *const T:
        iput ctx_iput [];
        iget ctx_iget [];
        ibput ctx_ibput [bsize];
        ibget ctx_ibget [bsize];
    }

    pub(crate) unsafe fn p<T: Copy>(op: &'static str, dest: *mut T, value: T, pe: c_int) -> Result<()> {
        // SAFETY: the value is here until the call returns.
        unsafe { put(op, dest, &raw const value, 1, pe) }
    }

    pub(crate) unsafe fn ctx_p<T: Copy>(
        op: &'static str,
        ctx: Ctx,
        dest: *mut T,
        value: T,
        pe: c_int,
    ) -> Result<()> {
        // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
        unsafe { ctx_put(op, ctx, dest, &raw const value, 1, pe) }
    }

    pub(crate) unsafe fn g<T: Default>(op: &'static str, source: *const T, pe: c_int) -> Result<T> {
        let mut value = T::default();
        // SAFETY: the value is here until the call returns; elements are numbers, of any bits.
        unsafe { get(op, &raw mut value, source, 1, pe) }?;
        Ok(value)
    }

    pub(crate) unsafe fn ctx_g<T: Default>(
        op: &'static str,
        ctx: Ctx,
        source: *const T,
        pe: c_int,
    ) -> Result<T> {
        let mut value = T::default();
        // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
        unsafe { ctx_get(op, ctx, &raw mut value, source, 1, pe) }?;
        Ok(value)
    }
}

/// Of a size.
pub(crate) mod sized {
    use std::ffi::{c_int, c_void};

    use super::*;
    use crate::shmem::openshmem::types::Ctx;
    use crate::shmem::openshmem::world;

    contiguous! { *mut c_void, *const c_void:
        put ctx_put = put;
        put_nbi ctx_put_nbi = put_nbi;
        get ctx_get = get;
        get_nbi ctx_get_nbi = get_nbi;
    }
    strided! { *mut c_void, *const c_void:
        iput ctx_iput [];
        iget ctx_iget [];
        ibput ctx_ibput [bsize];
        ibget ctx_ibget [bsize];
    }
}

/// Of bytes.
pub(crate) mod bytes {
    use std::ffi::{c_int, c_void};

    use super::{Result, sized};
    use crate::shmem::openshmem::types::Ctx;

    macro_rules! bytes {
        ($($name:ident $on_context:ident = $plain:ident $in_context:ident;)*) => { $(
            pub(crate) unsafe fn $name(
                op: &'static str, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int,
            ) -> Result<()> {
                // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
                unsafe { sized::$plain::<u8>(op, dest, source, nelems, pe) }
            }

            pub(crate) unsafe fn $on_context(
                op: &'static str, ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int,
            ) -> Result<()> {
                // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
                unsafe { sized::$in_context::<u8>(op, ctx, dest, source, nelems, pe) }
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
