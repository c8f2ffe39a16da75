// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Integers from Python. A value that the C type cannot hold becomes that type's largest value.
//!
//! The functions that return codes never raise for a bad number, and the C interface refuses the largest
//! value of each type with a code and a text (no such rank, beyond every window, longer than any range). So
//! the library remains the only judge of values. A non-integer is a `TypeError`.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::evaluation::Evaluate as _;

macro_rules! saturating {
    ($($name:ident: $type:ty;)*) => {$(
        #[doc = concat!("A `", stringify!($type), "`, saturating.")]
        #[inline]
        pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
            match value.extract::<$type>() {
                Ok(number) => Ok(number),
                Err(error) => overflow(value.py(), error, <$type>::MAX),
            }
        }
    )*};
}

saturating! {
    small: u16;
    word: u32;
    size: u64;
    address: usize;
}

/// A truth value: `bool`, or a number, of which all but 0 are true, as callers of C functions write it.
pub(crate) fn truth(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract::<bool>().or_else(|_| value.extract::<i64>().map(|number| number != 0))
}

/// A list of addresses.
pub(crate) fn addresses(values: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    list(values, address)
}

/// A list of sizes.
pub(crate) fn sizes(values: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    list(values, size)
}

fn list<T>(values: &Bound<'_, PyAny>, number: fn(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<Vec<T>> {
    let mut numbers = Vec::with_capacity(values.len()?);
    for value in values.items()? {
        numbers.push(number(&value?)?);
    }
    Ok(numbers)
}

#[cold]
fn overflow<T>(py: Python<'_>, error: PyErr, largest: T) -> PyResult<T> {
    if error.is_instance_of::<PyOverflowError>(py) { Ok(largest) } else { Err(error) }
}
