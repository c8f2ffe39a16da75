// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for words of this PE, and tests of them. Results go to the caller's pointers, unless they are null.
//! [`fast_path`] reads a single word once and returns if it satisfies.

use std::convert::identity;
use std::ffi::c_int;

use mf_base::{Error, Result};
use mf_shmem::{Comparison, Condition, Element, Elements, Values};

use super::device::{Indices, Readable, write_result};
use super::instances;

/// The comparison of numbers of a type that C names.
///
/// # Errors
/// `InvalidParam` unknown comparison.
pub(super) fn condition<T: Element>(op: &'static str, cmp: c_int) -> Result<Condition> {
    let comparison = Comparison::from_number(cmp).ok_or_else(|| {
        Error::invalid(op, "unknown comparison")
            .with("cmp", cmp)
            .hint("ACLSHMEM_CMP_EQ, NE, GT, GE, LT and LE are 0 to 5; nothing was done")
    })?;
    Ok(Condition { number: T::NUMBER, comparison })
}

pub(crate) fn aclshmem_wait_until<T: Element>(
    op: &'static str,
    ivar: *mut T,
    cmp: c_int,
    cmp_value: T,
) -> Result<()> {
    let world = instances::get(op)?.world_of(ivar.cast());
    world.wait_until(ivar.cast(), condition::<T>(op, cmp)?, cmp_value.to_bits()).map(drop)
}

pub(crate) fn aclshmem_wait<T: Element>(op: &'static str, ivar: *mut T, cmp_value: T) -> Result<()> {
    aclshmem_wait_until(op, ivar, Comparison::NotEqual as c_int, cmp_value)
}

pub(crate) unsafe fn aclshmem_test<T: Element>(
    op: &'static str,
    ivars: *mut T,
    cmp: c_int,
    cmp_value: T,
    res_out: *mut c_int,
) -> Result<()> {
    let world = instances::get(op)?.world_of(ivars.cast());
    let holds = world.test(ivars.cast(), condition::<T>(op, cmp)?, cmp_value.to_bits())?;
    // SAFETY: the caller passes status, values, indices and a place for the result, or null.
    unsafe { write_result(world, res_out, c_int::from(holds)) }
}

/// Functions of several words: with the arguments between number and status, the values to compare with, the
/// result and where it goes.
macro_rules! sets {
    ($($name:ident($($indices:ident: $indices_type:ty)?; $values:ident: $values_type:ty = $made:expr;
        $($to:ident: $result:ty)?) = $method:ident, $done:expr;)*) => {
        $(
        #[allow(clippy::too_many_arguments, reason = "those of the interface")]
        pub(crate) unsafe fn $name<T: Element>(
            op: &'static str, ivars: *mut T, nelems: usize, $($indices: $indices_type,)? status: *const c_int,
            cmp: c_int, $values: $values_type $(, $to: *mut $result)?
        ) -> Result<()> {
            let world = instances::get(op)?.world_of(ivars.cast());
            let (condition, values) = (condition::<T>(op, cmp)?, $made);
            let elements = Elements { words: ivars.cast(), count: nelems, status, condition, values };
            // SAFETY: the caller passes status, values, indices and a place for the result, or null.
            let readable = unsafe { Readable::new(world, elements) }?;
            $(let mut $indices = Indices::new(world, $indices, nelems)?;)?
            // SAFETY: the caller passes status, values, indices and a place for the result, or null.
            let found = unsafe { world.$method(&readable.elements() $(, $indices.pointer())?) }?;
            // SAFETY: the caller passes status, values, indices and a place for the result, or null.
            $(unsafe { $indices.write_first(world, found) }?;)?
            let done = $done(found);
            // SAFETY: the caller passes status, values, indices and a place for the result, or null.
            $(unsafe { write_result::<$result>(world, $to, done) }?;
            let done = ();)?
            Ok(done)
        }
        )*

        /// Fast paths: one read of a word.
        pub(crate) mod fast_path {
            use std::sync::atomic::{Ordering, fence};

            use super::{Comparison, Condition, Element, c_int, instances};
            use crate::shmem::cann::address_table::current_table;

            /// Returns true if the own word satisfies.
            #[inline(always)]
            fn test_word<T: Element>(ivar: *const T, cmp: c_int, cmp_value: T) -> Option<bool> {
                let own = instances::current()?.world.my_pe().cast_signed();
                let condition = Condition { number: T::NUMBER, comparison: Comparison::from_number(cmp)? };
                // SAFETY: elements are numbers.
                let found = unsafe { current_table().load(ivar, own) }?;
                // Acquire: data that was put before the word is read after it.
                fence(Ordering::Acquire);
                Some(condition.holds(found.to_bits(), cmp_value.to_bits()))
            }

            #[inline(always)]
            pub(crate) fn aclshmem_wait_until<T: Element>(ivar: *mut T, cmp: c_int, cmp_value: T) -> Option<()> {
                test_word(ivar, cmp, cmp_value).filter(|holds| *holds).map(drop)
            }

            #[inline(always)]
            pub(crate) fn aclshmem_wait<T: Element>(ivar: *mut T, cmp_value: T) -> Option<()> {
                aclshmem_wait_until(ivar, Comparison::NotEqual as c_int, cmp_value)
            }

            #[inline(always)]
            pub(crate) unsafe fn aclshmem_test<T: Element>(
                ivars: *mut T, cmp: c_int, cmp_value: T, res_out: *mut c_int,
            ) -> Option<()> {
                let holds = test_word(ivars, cmp, cmp_value)?;
                if !res_out.is_null() {
                    // SAFETY: not null; passed on to the caller. Where the word is mapped all is host memory.
                    unsafe { res_out.write(c_int::from(holds)) };
                }
                Some(())
            }

            #[inline(always)]
            pub(crate) fn aclshmem_signal_wait_until(
                sig_addr: *mut i32, cmp: c_int, cmp_val: i32,
            ) -> Option<()> {
                aclshmem_wait_until(sig_addr, cmp, cmp_val)
            }

            $(
                #[inline(always)]
                #[allow(clippy::too_many_arguments, reason = "those of the interface")]
                pub(crate) fn $name<T: Element>(
                    _: *mut T, _: usize, $(_: $indices_type,)? _: *const c_int, _: c_int, _: $values_type
                    $(, _: *mut $result)?
                ) -> Option<()> {
                    None
                }
            )*
        }
    };
}

/// The number that stands for no element.
fn index_or_no_element(index: Option<usize>) -> usize {
    index.unwrap_or(usize::MAX)
}

sets! {
    aclshmem_wait_until_all(; cmp_value: T = Values::One(cmp_value.to_bits());) = wait_until_all, identity;
    aclshmem_wait_until_all_vector(; cmp_values: *mut T = Values::Each(cmp_values.cast_const().cast());)
        = wait_until_all, identity;
    aclshmem_wait_until_any(; cmp_value: T = Values::One(cmp_value.to_bits()); res_out: usize)
        = wait_until_any, index_or_no_element;
    aclshmem_wait_until_any_vector(; cmp_values: *mut T = Values::Each(cmp_values.cast_const().cast());
        res_out: usize) = wait_until_any, index_or_no_element;
    aclshmem_wait_until_some(indices: *mut usize; cmp_value: T = Values::One(cmp_value.to_bits());
        res_out: usize) = wait_until_some, usize::from;
    aclshmem_wait_until_some_vector(indices: *mut usize;
        cmp_values: *mut T = Values::Each(cmp_values.cast_const().cast()); res_out: usize)
        = wait_until_some, usize::from;
    aclshmem_test_all_vector(; cmp_values: *mut T = Values::Each(cmp_values.cast_const().cast());
        res_out: c_int) = test_all, c_int::from;
    aclshmem_test_any(; cmp_value: T = Values::One(cmp_value.to_bits()); res_out: usize) = test_any, index_or_no_element;
    aclshmem_test_any_vector(; cmp_values: *mut T = Values::Each(cmp_values.cast_const().cast());
        res_out: usize) = test_any, index_or_no_element;
    aclshmem_test_some(indices: *mut usize; cmp_value: T = Values::One(cmp_value.to_bits()); res_out: usize)
        = test_some, usize::from;
    aclshmem_test_some_vector(indices: *mut usize;
        cmp_values: *mut T = Values::Each(cmp_values.cast_const().cast()); res_out: usize)
        = test_some, usize::from;
}

/// Of a signal.
pub(crate) fn aclshmem_signal_wait_until(
    op: &'static str,
    sig_addr: *mut i32,
    cmp: c_int,
    cmp_val: i32,
) -> Result<()> {
    aclshmem_wait_until(op, sig_addr, cmp, cmp_val)
}
