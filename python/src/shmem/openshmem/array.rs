// SPDX-License-Identifier: Apache-2.0 OR MIT
//! NumPy's arrays without a call: their fields lie where NumPy's interface for C puts them, the same since
//! 1.0.
//!
//! Reading five fields takes a few nanoseconds; the attributes of the array, or a buffer of it, hundreds. The
//! assumed layout is compared with the attributes once, so that another layout is an error.

use std::ffi::{c_char, c_int};

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::evaluation::{self, Evaluate as _};

/// `PyArrayObject_fields`, to the last field that is read.
#[repr(C)]
struct Fields {
    head: ffi::PyObject,
    data: *mut u8,
    dimensions: c_int,
    shape: *const isize,
    strides: *const isize,
    base: *mut ffi::PyObject,
    element: *const ElementFields,
    flags: c_int,
}

/// `PyArray_Descr`, likewise.
#[repr(C)]
struct ElementFields {
    head: ffi::PyObject,
    scalar_type: *mut ffi::PyObject,
    kind: c_char,
    code: c_char,
    byte_order: c_char,
    unused: c_char,
    number: c_int,
}

const C_CONTIGUOUS: c_int = 0x1;
const WRITEABLE: c_int = 0x400;

/// Properties of an array for copies. The slices belong to the array itself, for use under the GIL only.
#[derive(Clone, Copy)]
pub(super) struct Fieldset<'a> {
    pub(super) address: usize,
    pub(super) shape: &'a [isize],
    /// In bytes.
    pub(super) strides: &'a [isize],
    /// The number of the element type; -1 where the bytes of an element are in another order than this
    /// machine's.
    pub(super) number: i32,
    pub(super) is_c_contiguous: bool,
    pub(super) is_writable: bool,
}

/// The fields of `object`, if it is an array of NumPy.
///
/// # Errors
/// NumPy cannot be imported, or has another layout.
#[inline]
pub(super) fn fields<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Fieldset<'a>>> {
    Ok(if object.is_instance(array_type(object.py())?)? { Some(read(object)) } else { None })
}

#[inline]
fn array_type(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if let Some(known) = TYPE.get(py) {
        return Ok(known.bind(py));
    }
    let numpy = evaluation::module(py, c"numpy")?;
    let found = numpy.needed("ndarray")?.cast_into::<PyType>()?;
    check(&numpy)?;
    Ok(TYPE.get_or_init(py, || found.unbind()).bind(py))
}

#[inline]
fn read<'a>(array: &'a Bound<'_, PyAny>) -> Fieldset<'a> {
    // SAFETY: an array of NumPy begins with these fields; it is alive, and the GIL is held.
    let fields = unsafe { &*array.as_ptr().cast::<Fields>() };
    // SAFETY: each array has an element type that lives as long as it.
    let element = unsafe { &*fields.element };
    // A char of C has a sign on some processors.
    let [byte_order] = element.byte_order.to_ne_bytes();
    let is_native = matches!(byte_order, b'=' | b'|' | NATIVE);
    let count = usize::try_from(fields.dimensions).unwrap_or(0);
    Fieldset {
        address: fields.data.expose_provenance(),
        shape: numbers(fields.shape, count),
        strides: numbers(fields.strides, count),
        number: if is_native { element.number } else { -1 },
        is_c_contiguous: fields.flags & C_CONTIGUOUS != 0,
        is_writable: fields.flags & WRITEABLE != 0,
    }
}

const NATIVE: u8 = if cfg!(target_endian = "little") { b'<' } else { b'>' };

#[inline]
fn numbers<'a>(start: *const isize, count: usize) -> &'a [isize] {
    if count == 0 {
        return &[];
    }
    // SAFETY: one number a dimension, living as long as the array; they do not change under the GIL.
    unsafe { std::slice::from_raw_parts(start, count) }
}

/// Compares the fields read from an array with its attributes.
fn check(numpy: &Bound<'_, PyAny>) -> PyResult<()> {
    let array = numpy.needed("zeros")?.evaluate(((4, 6), "int16"))?;
    let array = array.get_item(1)?.needed("reshape")?.evaluate(((2, 3),))?;
    let is_array = array.is_instance(&numpy.needed("ndarray")?)?;
    let address: usize = array.needed("ctypes")?.needed("data")?.extract()?;
    let shape: Vec<isize> = array.needed("shape")?.extract()?;
    let strides: Vec<isize> = array.needed("strides")?.extract()?;
    let number: i32 = array.needed("dtype")?.needed("num")?.extract()?;
    let found = read(&array);
    let is_same = found.address == address
        && found.shape == shape
        && found.strides == strides
        && found.number == number
        && found.is_c_contiguous
        && found.is_writable;
    if is_array && is_same {
        return Ok(());
    }
    let version = numpy.needed("__version__")?;
    Err(PyImportError::new_err(format!(
        "arrays of NumPy {version} are laid out in another order than this package reads"
    )))
}
