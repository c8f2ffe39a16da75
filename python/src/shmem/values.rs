// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arguments and results of C's functions as Python has them: numbers as `int` and `float`, addresses as
//! `int`.
//!
//! For an address `None` stands for null, and `bytes` (where C only reads), a `bytearray`, a tensor or an
//! array for the memory that it has.

use std::ffi::c_void;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::evaluation::Evaluate as _;

/// Passing of a type of C: types passed alike share one implementation.
pub(crate) trait Passed {
    type As;
    /// Size of the pointee; `None` if it is not a pointer.
    const POINTEE: Option<usize> = None;
}

impl<T> Passed for *mut T {
    type As = *mut c_void;
    const POINTEE: Option<usize> = Some(size_of::<T>());
}

impl<T> Passed for *const T {
    type As = *const c_void;
    const POINTEE: Option<usize> = Some(size_of::<T>());
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

/// Memory of a tensor or an array.
pub(super) struct Object {
    pub(super) address: usize,
    pub(super) bytes: usize,
}

/// The memory of a tensor of torch, or of an array that says where it is as NumPy's do; none: it is neither.
///
/// # Errors
/// `TypeError` there are gaps between its elements.
pub(super) fn object(value: &Bound<'_, PyAny>) -> PyResult<Option<Object>> {
    let gaps = |kind: &str| {
        PyTypeError::new_err(format!("the {kind} has gaps between its elements; make it contiguous"))
    };
    if let Some(address) = value.attribute("data_ptr")? {
        if !value.needed("is_contiguous")?.evaluate(())?.extract::<bool>()? {
            return Err(gaps("tensor"));
        }
        let elements: usize = value.needed("numel")?.evaluate(())?.extract()?;
        let each: usize = value.needed("element_size")?.evaluate(())?.extract()?;
        return Ok(Some(Object {
            address: address.evaluate(())?.extract()?,
            bytes: elements.saturating_mul(each),
        }));
    }
    let Some(described) = value.attribute("__array_interface__")? else { return Ok(None) };
    if !described.needed("get")?.evaluate(("strides",))?.is_none() {
        return Err(gaps("array"));
    }
    let (address, _is_read_only): (usize, bool) = described.get_item("data")?.extract()?;
    Ok(Some(Object { address, bytes: value.needed("nbytes")?.extract()? }))
}

/// An address that Python gives as a number, or null.
fn number(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    value.extract::<usize>().or_else(|error| other(value, error))
}

/// An address that is no number.
#[cold]
fn other(value: &Bound<'_, PyAny>, error: PyErr) -> PyResult<usize> {
    if value.is_none() {
        return Ok(0);
    }
    if error.is_instance_of::<PyOverflowError>(value.py()) {
        return Err(error);
    }
    if let Some(object) = object(value)? {
        return Ok(object.address);
    }
    let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    Err(PyTypeError::new_err(format!("an address is an int, not {kind}")))
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
