// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The type of objects that are the bytes of a block, writable, by the buffer protocol.
//!
//! A class of PyO3 exports no buffer within the limited API of 3.10, whose types take the slot all the same.
//! So this one type is made by hand: an object is its head, the owned block, and the address of the bytes.

use std::ffi::{c_int, c_void};
use std::ptr;

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::memory::Block;
use crate::buffer::protocol::{self, Raw};

/// The number of the slot, the same in every version that has it.
const BUFFER_GET: c_int = 1;

/// An object; what follows the head is written once, before anyone else has the object.
#[repr(C)]
struct Object {
    head: ffi::PyObject,
    /// A `Block`, of which this is a reference.
    block: *mut ffi::PyObject,
    address: usize,
    nbytes: ffi::Py_ssize_t,
    /// The bytes are the processor's.
    is_host: bool,
}

/// Makes an object of `(block, is_host)`.
unsafe extern "C" fn new(
    kind: *mut ffi::PyTypeObject,
    arguments: *mut ffi::PyObject,
    _keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls this with the GIL.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: Python passes a tuple, which lives through the call.
    let arguments = unsafe { Bound::from_borrowed_ptr(py, arguments) };
    let found = arguments.cast_into::<PyTuple>().map_err(PyErr::from);
    let (block, is_host) = match found.and_then(|found| found.extract::<(Bound<'_, Block>, bool)>()) {
        Ok(found) => found,
        Err(error) => {
            error.restore(py);
            return ptr::null_mut();
        }
    };
    let (address, nbytes) = block.get().place();
    // SAFETY: the type is the one below or derives from it.
    let made = unsafe { ffi::PyType_GenericAlloc(kind, 0) }.cast::<Object>();
    if !made.is_null() {
        // SAFETY: the object is new, of this layout or a longer one, and of this thread alone.
        let made = unsafe { &mut *made };
        made.block = block.into_ptr();
        made.address = address;
        made.nbytes = ffi::Py_ssize_t::try_from(nbytes).unwrap_or(0);
        made.is_host = is_host;
    }
    made.cast()
}

unsafe extern "C" fn release(object: *mut ffi::PyObject) {
    // SAFETY: Python calls this with the GIL for an unreferenced object of the type below.
    let kind = unsafe { ffi::Py_TYPE(object) };
    // SAFETY: the object is of the type below, so it has this layout.
    let block = unsafe { (*object.cast::<Object>()).block };
    // SAFETY: the object's own reference, which is not used from here on.
    unsafe { ffi::Py_XDECREF(block) };
    // SAFETY: every type has this slot, of this type.
    let free = unsafe { ffi::PyType_GetSlot(kind, ffi::Py_tp_free) };
    // SAFETY: the slot of `tp_free` has this type in every type.
    let free = unsafe { std::mem::transmute::<*mut c_void, Option<ffi::freefunc>>(free) };
    if let Some(free) = free {
        // SAFETY: the object is this type's, and is not touched again.
        unsafe { free(object.cast()) };
    }
    // SAFETY: objects keep types that are made at run time.
    unsafe { ffi::Py_DECREF(kind.cast()) };
}

unsafe extern "C" fn export(object: *mut ffi::PyObject, view: *mut Raw, flags: c_int) -> c_int {
    // SAFETY: Python calls this with the GIL.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: an object of the type below, which is not written any more.
    let Object { address, nbytes, is_host, .. } = unsafe { &*object.cast::<Object>() };
    let fill = if *is_host {
        protocol::fill()
    } else {
        Err(PyBufferError::new_err("these bytes are in the memory of a device; pass the address (ptr)"))
    };
    match fill {
        // SAFETY: the record is the caller's to fill; the object holds the bytes, and the view the object.
        Ok(fill) => unsafe {
            fill(view, object, ptr::with_exposed_provenance_mut(*address), *nbytes, 0, flags)
        },
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

/// The type.
pub(super) fn kind(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let slot = |slot, pfunc| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_new, new as *mut c_void),
        slot(ffi::Py_tp_dealloc, release as *mut c_void),
        slot(BUFFER_GET, export as *mut c_void),
        slot(0, ptr::null_mut()),
    ];
    let size = c_int::try_from(size_of::<Object>());
    let mut spec = ffi::PyType_Spec {
        name: c"mf_smem._mf_smem.hmc.Exporter".as_ptr(),
        basicsize: size.map_err(|_| PyTypeError::new_err("too large"))?,
        itemsize: 0,
        #[expect(clippy::cast_possible_truncation, reason = "flags below bit 32")]
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as u32,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the name lives for ever, and the slots, which Python copies, through the call; the GIL is held.
    let made = unsafe { ffi::PyType_FromSpec(&raw mut spec) };
    // SAFETY: a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }
}
