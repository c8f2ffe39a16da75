// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bytes of any Python object that has some: pinned, with their address and length.
//!
//! Tried in this order: the buffer protocol (bytes, bytearray, memoryview, array, mmap, NumPy),
//! `__array_interface__` (NumPy types without a buffer format and others), DLPack (torch and others).
//! In each case the bytes must be in one piece, in C order, in host memory or, by DLPack, in memory of
//! the accelerator that the pool uses.

mod array_interface;
pub(crate) mod dlpack;
pub(crate) mod protocol;

use mf_abi::smem::SMEM_INVALID_PARAM;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::failure;

/// Access of the library to the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read them only.
    Read,
    /// Overwrite them.
    Write,
}

/// Owner of the bytes.
#[expect(dead_code, reason = "the fields are held for their destructors")]
enum Keeper {
    /// A buffer of the buffer protocol; its owner may not resize it meanwhile.
    Protocol(protocol::View),
    /// The object itself, or its DLPack capsule.
    Object(Py<PyAny>),
}

/// Bytes of a Python object that stay at their address as long as this value lives.
pub(crate) struct Pin {
    pub(crate) address: usize,
    pub(crate) bytes: usize,
    pub(crate) is_readonly: bool,
    _keeper: Keeper,
}

impl Pin {
    /// Pins the bytes of `object`.
    pub(crate) fn new(object: &Bound<'_, PyAny>, access: Access) -> PyResult<Self> {
        let pin = match protocol::View::new(object, access)? {
            Some(view) => {
                let (address, bytes, is_readonly) = view.bytes();
                Pin { address, bytes, is_readonly, _keeper: Keeper::Protocol(view) }
            }
            None => match array_interface::pin(object, access)? {
                Some(pin) => pin,
                None => dlpack::pin(object)?.ok_or_else(|| unsupported(object))?,
            },
        };
        if access == Access::Write && pin.is_readonly {
            return Err(read_only(object));
        }
        Ok(pin)
    }
}

/// Number of bytes of a C-contiguous array, or none when its strides (in units of `unit` bytes) say that it
/// is another.
fn contiguous_bytes(shape: &[i64], strides: Option<&[i64]>, item_bytes: i64, unit: i64) -> Option<usize> {
    let mut bytes = item_bytes;
    if shape.contains(&0) {
        return Some(0);
    }
    for (index, &extent) in shape.iter().enumerate().rev() {
        if let Some(strides) = strides
            && extent != 1
            && strides.get(index)?.checked_mul(unit)? != bytes
        {
            return None;
        }
        bytes = bytes.checked_mul(extent)?;
    }
    usize::try_from(bytes).ok()
}

pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().fully_qualified_name().map_or_else(|_| String::from("object"), |name| name.to_string())
}

#[cold]
fn unsupported(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "{} has no bytes to copy: expected an object with the buffer protocol (bytes, bytearray, memoryview, NumPy array), \
         __array_interface__ or DLPack (torch CPU tensor)",
        type_name(object)
    ))
}

#[cold]
fn read_only(object: &Bound<'_, PyAny>) -> PyErr {
    refused(object, "is read-only and cannot be a destination; pass a bytearray or a writable array")
}

#[cold]
fn not_contiguous(object: &Bound<'_, PyAny>) -> PyErr {
    refused(
        object,
        "is not contiguous in C order; to read it, pass a copy (numpy.ascontiguousarray, .contiguous()), to fill it, \
         fill a new one and copy that into it",
    )
}

#[cold]
fn objects(object: &Bound<'_, PyAny>) -> PyErr {
    refused(
        object,
        "holds Python objects, whose addresses mean nothing in another process; give it a type of plain numbers, or pickle it",
    )
}

#[cold]
fn refused(object: &Bound<'_, PyAny>, why: &str) -> PyErr {
    failure::exception(object.py(), SMEM_INVALID_PARAM, &format!("buffer: {} {why}", type_name(object)))
}
