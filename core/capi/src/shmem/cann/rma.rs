// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get. Functions without `_nbi` are complete when they return, the others after a barrier.

use mf_base::{Error, Result};

/// Bytes of elements.
///
/// # Errors
/// `InvalidParam` there are more than addresses.
pub(super) fn length<T>(op: &'static str, nelems: usize) -> Result<usize> {
    nelems.checked_mul(size_of::<T>()).ok_or_else(|| {
        Error::invalid(op, "the elements have more bytes than there are addresses")
            .with("nelems", nelems)
            .with("element_bytes", size_of::<T>())
    })
}

/// Copies of contiguous elements, by a method of the world of the symmetric side.
macro_rules! contiguous {
    ($pointer:ty, $count:ty: $($name:ident($dest:ident, $source:ident) = $method:ident by $symmetric:ident;)*) => { $(
        pub(crate) unsafe fn $name<T>(
            op: &'static str, $dest: $pointer, $source: $pointer, nelems: $count, pe: c_int,
        ) -> Result<()> {
            let bytes = length::<T>(op, nelems as usize)?;
            let world = instances::get(op)?.world_of($symmetric.cast());
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { world.$method($dest.cast(), $source.cast::<u8>().cast_const(), bytes, pe) }
        }
    )* };
}

/// The same with strides.
macro_rules! strided {
    ($pointer:ty: $($name:ident($dest:ident, $source:ident) = $method:ident by $symmetric:ident;)*) => { $(
        pub(crate) unsafe fn $name<T>(
            op: &'static str, $dest: $pointer, $source: $pointer, dst: isize, sst: isize, nelems: usize, pe: c_int,
        ) -> Result<()> {
            let world = instances::get(op)?.world_of($symmetric.cast());
            let from = $source.cast::<u8>().cast_const();
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { world.$method($dest.cast(), from, dst, sst, nelems, size_of::<T>(), pe) }?;
            if world.is_all_mapped() { Ok(()) } else { world.quiet() }
        }
    )* };
}

/// Of a type.
pub(crate) mod typed {
    use std::ffi::c_int;

    use super::*;
    use crate::shmem::cann::instances;

    contiguous! { *mut T, usize:
        aclshmem_put(dest, source) = put_done by dest;
        aclshmem_put_nbi(dest, source) = put_nbi by dest;
        aclshmem_get(dest, source) = get by source;
        aclshmem_get_nbi(dest, source) = get_nbi by source;
    }
    strided! { *mut T: aclshmem_iput(dest, source) = iput by dest; aclshmem_iget(dest, source) = iget by source; }

    pub(crate) unsafe fn aclshmem_p<T: Copy>(
        op: &'static str,
        dest: *mut T,
        value: T,
        pe: c_int,
    ) -> Result<()> {
        let world = instances::get(op)?.world_of(dest.cast());
        // SAFETY: the value is here until the call returns.
        unsafe { world.put(dest.cast(), (&raw const value).cast(), size_of::<T>(), pe) }
    }

    pub(crate) unsafe fn aclshmem_g<T: Default>(op: &'static str, source: *mut T, pe: c_int) -> Result<T> {
        let mut value = T::default();
        // SAFETY: the value is here until the call returns; elements are numbers, of any bits.
        unsafe { aclshmem_get(op, &raw mut value, source, 1, pe) }?;
        Ok(value)
    }

    // By the names of the generations before.
    pub(crate) use {
        aclshmem_g as shmem_g, aclshmem_get as aclshmem_get_mem, aclshmem_get as shmem_get_mem,
        aclshmem_get_nbi as aclshmem_get_mem_nbi, aclshmem_get_nbi as shmem_get_mem_nbi,
        aclshmem_p as shmem_p, aclshmem_put as aclshmem_put_mem, aclshmem_put as shmem_put_mem,
        aclshmem_put_nbi as aclshmem_put_mem_nbi, aclshmem_put_nbi as shmem_put_mem_nbi,
    };
}

/// Of a size.
pub(crate) mod sized {
    use std::ffi::{c_int, c_void};

    use super::*;
    use crate::shmem::cann::instances;

    contiguous! { *mut c_void, u32:
        aclshmem_put(dest, source) = put_done by dest;
        aclshmem_put_nbi(dest, source) = put_nbi by dest;
        aclshmem_get(dest, source) = get by source;
        aclshmem_get_nbi(dest, source) = get_nbi by source;
    }
    strided! { *mut c_void: aclshmem_iput(dest, source) = iput by dest; aclshmem_iget(dest, source) = iget by source; }
}

/// Of bytes.
pub(crate) mod bytes {
    use std::ffi::{c_int, c_void};

    use super::{Result, typed};

    macro_rules! bytes {
        ($($name:ident = $plain:ident;)*) => { $(
            pub(crate) unsafe fn $name(
                op: &'static str, dest: *mut c_void, source: *mut c_void, bytes: usize, pe: c_int,
            ) -> Result<()> {
                // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
                unsafe { typed::$plain::<u8>(op, dest.cast(), source.cast(), bytes, pe) }
            }
        )* };
    }

    bytes! {
        aclshmem_putmem = aclshmem_put;
        aclshmem_putmem_nbi = aclshmem_put_nbi;
        aclshmem_getmem = aclshmem_get;
        aclshmem_getmem_nbi = aclshmem_get_nbi;
    }

    pub(crate) use {
        aclshmem_getmem as shmem_getmem, aclshmem_getmem_nbi as shmem_getmem_nbi,
        aclshmem_putmem as shmem_putmem, aclshmem_putmem_nbi as shmem_putmem_nbi,
    };
}
