// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arguments and results of C's functions as Python has them: numbers as `int` and `float`, addresses as
//! `int`.
//!
//! For an address `None` stands for null, and `bytes` (where C only reads) or a `bytearray` for the memory
//! that it has.

use std::ffi::c_void;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

/// As what a type of C is passed: types that are passed alike are one there.
pub(crate) trait Passed {
    type As;
}

impl<T> Passed for *mut T {
    type As = *mut c_void;
}

impl<T> Passed for *const T {
    type As = *const c_void;
}

/// An argument of C.
pub(crate) trait Argument: Copy {
    fn of(value: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// A result of C.
pub(crate) trait Answer {
    fn give(self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Passed for $number {
            type As = Self;
        }
        impl Argument for $number {
            #[inline]
            fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                value.extract()
            }
        }
        impl Answer for $number {
            #[inline]
            fn give(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.into_py_any(py)
            }
        }
    )* };
}

numbers! { bool i8 u8 i16 u16 i32 u32 i64 u64 usize isize f32 f64 }

impl Answer for () {
    #[inline]
    fn give(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.None())
    }
}

/// An address that Python gives as a number, or null.
fn number(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    if value.is_none() {
        return Ok(0);
    }
    value.extract::<usize>().map_err(|error| {
        let py = value.py();
        if error.is_instance_of::<PyOverflowError>(py) {
            return error;
        }
        let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("an address is an int, not {kind}"))
    })
}

impl Argument for *mut c_void {
    #[inline]
    fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(array) = value.cast::<PyByteArray>() {
            return Ok(array.data().cast());
        }
        number(value).map(std::ptr::with_exposed_provenance_mut)
    }
}

impl Argument for *const c_void {
    #[inline]
    fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(bytes.as_bytes().as_ptr().cast());
        }
        <*mut c_void>::of(value).map(<*mut c_void>::cast_const)
    }
}

impl Answer for *mut c_void {
    #[inline]
    fn give(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.expose_provenance().into_py_any(py)
    }
}
