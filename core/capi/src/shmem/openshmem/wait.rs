// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for words of this PE, and tests of them. [`fast_path`] reads a single word once and returns if it
//! satisfies.

use std::ffi::c_int;

use mf_base::{Error, Result};
use mf_shmem::{Comparison, Condition, Element, Elements, Values};

use super::world;

/// The comparison of numbers of a type that C names.
///
/// # Errors
/// `InvalidParam` unknown comparison.
fn condition<T: Element>(op: &'static str, cmp: c_int) -> Result<Condition> {
    let comparison = Comparison::from_number(cmp).ok_or_else(|| {
        Error::invalid(op, "unknown comparison")
            .with("cmp", cmp)
            .hint("SHMEM_CMP_EQ, NE, GT, GE, LT and LE are the comparisons; nothing was done")
    })?;
    Ok(Condition { number: T::NUMBER, comparison })
}

fn elements<T: Element>(
    op: &'static str,
    ivars: *const T,
    nelems: usize,
    status: *const c_int,
    cmp: c_int,
    values: Values,
) -> Result<Elements> {
    Ok(Elements { words: ivars.cast(), count: nelems, status, condition: condition::<T>(op, cmp)?, values })
}

pub(crate) fn wait_until<T: Element>(op: &'static str, ivar: *mut T, cmp: c_int, cmp_value: T) -> Result<()> {
    let condition = condition::<T>(op, cmp)?;
    world::get(op)?.wait_until(ivar.cast(), condition, cmp_value.to_bits()).map(drop)
}

pub(crate) fn wait<T: Element>(op: &'static str, ivar: *mut T, cmp_value: T) -> Result<()> {
    wait_until(op, ivar, Comparison::NotEqual as c_int, cmp_value)
}

pub(crate) fn test<T: Element>(op: &'static str, ivar: *mut T, cmp: c_int, cmp_value: T) -> Result<c_int> {
    let condition = condition::<T>(op, cmp)?;
    world::get(op)?.test(ivar.cast(), condition, cmp_value.to_bits()).map(c_int::from)
}

/// Common form of tests and of functions for several words: one with a single value to compare with, one with
/// a value for each word; with the arguments between number and status, the method, and the conversion of the
/// result.
macro_rules! sets {
    ($($one:ident $each:ident($($argument:ident: $type:ty)?) -> $result:ty = $method:ident, $done:expr;)*) => {
        $(
            #[allow(clippy::too_many_arguments, reason = "those of the interface")]
            pub(crate) unsafe fn $one<T: Element>(
                op: &'static str, ivars: *mut T, nelems: usize, $($argument: $type,)? status: *const c_int,
                cmp: c_int, cmp_value: T,
            ) -> Result<$result> {
                let values = Values::One(cmp_value.to_bits());
                let elements = elements(op, ivars, nelems, status, cmp, values)?;
                // SAFETY: the caller passes status, values and indices of `nelems` elements, or null.
                unsafe { world::get(op)?.$method(&elements $(, $argument)?) }.map($done)
            }

            #[allow(clippy::too_many_arguments, reason = "those of the interface")]
            pub(crate) unsafe fn $each<T: Element>(
                op: &'static str, ivars: *mut T, nelems: usize, $($argument: $type,)? status: *const c_int,
                cmp: c_int, cmp_values: *const T,
            ) -> Result<$result> {
                let elements = elements(op, ivars, nelems, status, cmp, Values::Each(cmp_values.cast()))?;
                // SAFETY: the caller passes status, values and indices of `nelems` elements, or null.
                unsafe { world::get(op)?.$method(&elements $(, $argument)?) }.map($done)
            }
        )*

        /// Fast paths: one read of a word.
        pub(crate) mod fast_path {
            use std::sync::atomic::{Ordering, fence};

            use super::{Comparison, Condition, Element, c_int, world};
            use crate::shmem::openshmem::init;
            use crate::shmem::openshmem::world::MAPPED;

            /// The own word, and whether it satisfies.
            #[inline(always)]
            fn test_word<T: Element>(ivar: *const T, cmp: c_int, cmp_value: T) -> Option<(T, bool)> {
                let own = init::number(world::current()?.my_pe());
                let word = MAPPED.resolve(ivar.cast(), size_of::<T>(), own)?.cast::<T>();
                let condition = Condition { number: T::NUMBER, comparison: Comparison::from_number(cmp)? };
                if !word.is_aligned() {
                    return None;
                }
                // Volatile: one load of a word that other PEs update.
                // SAFETY: aligned, and the address table contains mapped memory until the world ends.
                let found = unsafe { word.read_volatile() };
                // Acquire: data that was put before the word is read after it.
                fence(Ordering::Acquire);
                Some((found, condition.holds(found.to_bits(), cmp_value.to_bits())))
            }

            #[inline(always)]
            pub(crate) fn wait_until<T: Element>(ivar: *mut T, cmp: c_int, cmp_value: T) -> Option<()> {
                test_word(ivar, cmp, cmp_value).filter(|(_, holds)| *holds).map(|_| ())
            }

            #[inline(always)]
            pub(crate) fn test<T: Element>(ivar: *mut T, cmp: c_int, cmp_value: T) -> Option<c_int> {
                test_word(ivar, cmp, cmp_value).map(|(_, holds)| c_int::from(holds))
            }

            /// Of signals.
            pub(crate) mod untyped {
                use super::{Comparison, c_int, test_word};

                #[inline(always)]
                pub(crate) fn signal_fetch(sig_addr: *const u64) -> Option<u64> {
                    test_word(sig_addr, Comparison::Equal as c_int, 0).map(|(found, _)| found)
                }

                #[inline(always)]
                pub(crate) fn signal_wait_until(
                    sig_addr: *mut u64,
                    cmp: c_int,
                    cmp_value: u64,
                ) -> Option<u64> {
                    test_word(sig_addr, cmp, cmp_value).filter(|(_, holds)| *holds).map(|(found, _)| found)
                }
            }

            $(
                #[inline(always)]
                #[allow(clippy::too_many_arguments, reason = "those of the interface")]
                pub(crate) fn $one<T: Element>(
                    _: *mut T, _: usize, $(_: $type,)? _: *const c_int, _: c_int, _: T,
                ) -> Option<$result> {
                    None
                }

                #[inline(always)]
                #[allow(clippy::too_many_arguments, reason = "those of the interface")]
                pub(crate) fn $each<T: Element>(
                    _: *mut T, _: usize, $(_: $type,)? _: *const c_int, _: c_int, _: *const T,
                ) -> Option<$result> {
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
    wait_until_all wait_until_all_vector() -> () = wait_until_all, drop;
    wait_until_any wait_until_any_vector() -> usize = wait_until_any, index_or_no_element;
    wait_until_some wait_until_some_vector(indices: *mut usize) -> usize = wait_until_some, usize::from;
    test_all test_all_vector() -> c_int = test_all, c_int::from;
    test_any test_any_vector() -> usize = test_any, index_or_no_element;
    test_some test_some_vector(indices: *mut usize) -> usize = test_some, usize::from;
}

/// Of C's `long` without its name, and of signals.
pub(crate) mod untyped {
    use std::ffi::c_long;

    use mf_shmem::Width;

    use super::{Result, c_int, condition, world};

    pub(crate) fn wait(op: &'static str, ivar: *mut c_long, cmp_value: c_long) -> Result<()> {
        super::wait(op, ivar, cmp_value)
    }

    pub(crate) fn wait_until(
        op: &'static str,
        ivar: *mut c_long,
        cmp: c_int,
        cmp_value: c_long,
    ) -> Result<()> {
        super::wait_until(op, ivar, cmp, cmp_value)
    }

    pub(crate) fn signal_fetch(op: &'static str, sig_addr: *const u64) -> Result<u64> {
        world::get(op)?.signal_fetch(sig_addr.cast(), Width::W64)
    }

    pub(crate) fn signal_wait_until(
        op: &'static str,
        sig_addr: *mut u64,
        cmp: c_int,
        cmp_value: u64,
    ) -> Result<u64> {
        world::get(op)?.wait_until(sig_addr.cast(), condition::<u64>(op, cmp)?, cmp_value)
    }
}
