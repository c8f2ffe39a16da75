// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The rows of OpenSHMEM, read twice: for functions by name, and for [`find`], which gives a function its
//! type.
//!
//! Functions that take or return a `long double` itself are not among them: Rust cannot call them. Arrays
//! of such numbers are copied as others are.

use std::ffi::c_void;
use std::sync::OnceLock;

use pyo3::prelude::*;

use super::kind::{ELEMENTS, Element};
use crate::library;
use crate::shmem::function::{Address, FunctionEntry};

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "../../../../core/capi/src/shmem/openshmem/rows.rs"]
mod written;

/// Types named in rows, with their form in calls.
mod types {
    pub(super) use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

    pub(super) type Ctx = *mut c_void;
    pub(super) type CtxSessionConfig = c_void;
    pub(super) type HeapUsage = c_void;
    pub(super) type LongDouble = [u8; 16];
    pub(super) type Team = *mut c_void;
    pub(super) type TeamConfig = c_void;
}

/// A row, with one element type.
pub(super) trait Row<T> {
    /// The type of its function.
    type Of: Copy;
    /// The parts of its symbol around the element's name.
    const PARTS: [&'static str; 2];

    /// The functions that were found, by [`Element::PLACE`].
    fn found() -> &'static [OnceLock<Address>; ELEMENTS];
}

/// The function of a row for an element type.
///
/// # Errors
/// The library lacks it.
#[inline]
pub(super) fn find<R: Row<T>, T: Element>(_: R) -> PyResult<R::Of> {
    const { assert!(size_of::<R::Of>() == size_of::<*const c_void>()) };
    let place = R::found().get(T::PLACE);
    let address = match place.and_then(OnceLock::get) {
        Some(address) => *address,
        None => lookup(place, R::PARTS, T::NAME)?,
    };
    // SAFETY: the address of the function that the library makes of this row for this element, and its type.
    Ok(unsafe { std::mem::transmute_copy::<*const c_void, R::Of>(&address.0) })
}

#[cold]
fn lookup(place: Option<&OnceLock<Address>>, parts: [&str; 2], element: &str) -> PyResult<Address> {
    let address = Address(library::symbol(&format!("{}{element}{}", parts[0], parts[1]))?);
    Ok(place.map_or(address, |place| *place.get_or_init(|| address)))
}

/// A reader of a table: a type for each row.
macro_rules! finders {
    ({} $header:literal, types $types:tt rows { $($before:literal T $after:literal
        as $first:literal T $last:literal $(| $twin_first:literal T $twin_last:literal)* = {
            $operation:literal fn $body:ident $(<$generic:ident>)? ($($argument:ident: $argument_type:ty),* $(,)?)
                $(-> $result:ty $(, or $or:expr)?)?
        };)* }) => { $(
        #[allow(non_camel_case_types, dead_code, reason = "the names are those of the rows; not all are used here")]
        #[derive(Clone, Copy)]
        pub(in crate::shmem::openshmem) struct $body;

        impl<T> super::Row<T> for $body {
            type Of = unsafe extern "C" fn($($argument_type),*) $(-> $result)?;
            const PARTS: [&'static str; 2] = [$first, $last];

            fn found() -> &'static [super::OnceLock<super::Address>; super::ELEMENTS] {
                static FOUND: [super::OnceLock<super::Address>; super::ELEMENTS] =
                    [const { super::OnceLock::new() }; super::ELEMENTS];
                &FOUND
            }
        }
    )* };
}

macro_rules! tables {
    ($($table:ident as $short:ident;)*) => {
        $(pub(super) mod $short {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::types::*;

            $table!(functions { raises });
            $table!(finders {});
        })*

        pub(super) fn all() -> impl Iterator<Item = &'static FunctionEntry> {
            std::iter::empty()$(.chain($short::ALL.iter().copied().flatten()))*
        }
    };
}

tables! {
    openshmem_0_init as plain;
    openshmem_0_my_pe as frequent;
    openshmem_24_put as typed;
    openshmem_23_p as single;
    openshmem_5_put as sized;
    openshmem_14_atomic_fetch as moved;
    openshmem_12_atomic_compare_swap as words;
    openshmem_7_atomic_fetch_and as bitwise;
    openshmem_5_fetch as old_moved;
    openshmem_3_cswap as old_words;
    openshmem_4_wait as old_integers;
    openshmem_2_wait_until as short;
    openshmem_14_and_reduce as reduced_bits;
    openshmem_26_sum_reduce as reduced;
    openshmem_2_broadcast as of_sets;
    openshmem_7_max_to_all as ordered_sets;
    openshmem_9_sum_to_all as number_sets;
}
