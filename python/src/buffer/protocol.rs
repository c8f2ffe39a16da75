// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The buffer protocol, for CPython 3.10 too.
//!
//! `PyObject_GetBuffer` and the layout of `Py_buffer` joined the limited API in 3.11. Both are the same in
//! 3.10, whose library exports the functions. So they are resolved at run time, and the extension's symbol
//! table stays within 3.10's limited API.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use pyo3::exceptions::PySystemError;
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;

use super::{Access, not_contiguous, objects, read_only};
use crate::evaluation::{self, Evaluate as _};

const PYBUF_SIMPLE: c_int = 0;
const PYBUF_WRITABLE: c_int = 1;
/// With the format of the elements, in one piece in C order.
const PYBUF_ND_FORMAT: c_int = 0x000c;
const PYBUF_FULL_RO: c_int = 0x011c;

/// `Py_buffer`; never moved once filled, because an exporter may let its fields point into it.
#[repr(C)]
pub(crate) struct Raw {
    buf: *mut c_void,
    obj: *mut PyObject,
    len: Py_ssize_t,
    itemsize: Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut Py_ssize_t,
    strides: *mut Py_ssize_t,
    suboffsets: *mut Py_ssize_t,
    internal: *mut c_void,
}

impl Raw {
    const EMPTY: Raw = Raw {
        buf: std::ptr::null_mut(),
        obj: std::ptr::null_mut(),
        len: 0,
        itemsize: 0,
        readonly: 0,
        ndim: 0,
        format: std::ptr::null_mut(),
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        suboffsets: std::ptr::null_mut(),
        internal: std::ptr::null_mut(),
    };
}

struct Functions {
    get: unsafe extern "C-unwind" fn(*mut PyObject, *mut Raw, c_int) -> c_int,
    release: unsafe extern "C-unwind" fn(*mut Raw),
    fill: Fill,
}

pub(crate) type Fill =
    unsafe extern "C" fn(*mut Raw, *mut PyObject, *mut c_void, Py_ssize_t, c_int, c_int) -> c_int;

fn functions() -> PyResult<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    let found = FUNCTIONS.get_or_init(|| {
        let get = symbol(c"PyObject_GetBuffer")?;
        let release = symbol(c"PyBuffer_Release")?;
        // SAFETY: these are CPython's functions of these names; `Raw` is the layout of their argument since
        // 3.0.
        let get =
            unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C-unwind" fn(_, _, _) -> _>(get) };
        // SAFETY: `PyBuffer_Release` is CPython's function of this type.
        let release = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C-unwind" fn(_)>(release) };
        let fill = symbol(c"PyBuffer_FillInfo")?;
        // SAFETY: `PyBuffer_FillInfo` is CPython's function of this type.
        let fill = unsafe { std::mem::transmute::<*mut c_void, Fill>(fill) };
        Some(Functions { get, release, fill })
    });
    found.as_ref().ok_or_else(|| PySystemError::new_err("this Python does not export PyObject_GetBuffer"))
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the default handle searches loaded libraries; the name is a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

/// Function that fills a record with writable bytes, for a type that exports them.
pub(crate) fn fill() -> PyResult<Fill> {
    functions().map(|functions| functions.fill)
}

/// A filled `Py_buffer`, released when dropped.
pub(super) struct View(Box<Raw>);

// SAFETY: the pointers in it are only used with the GIL held: by `bytes` as numbers, and by `drop`, which
// attaches.
unsafe impl Send for View {}
// SAFETY: a shared view only gives out plain numbers, which do not change after `request`.
unsafe impl Sync for View {}

impl View {
    /// The bytes of `object` in one piece; none when it has no buffer at all.
    pub(super) fn new(object: &Bound<'_, PyAny>, access: Access) -> PyResult<Option<Self>> {
        let wanted = if access == Access::Write { PYBUF_WRITABLE } else { PYBUF_SIMPLE };
        if let Some(view) = Self::request(object, wanted | PYBUF_ND_FORMAT)? {
            return if view.holds_objects() { Err(objects(object)) } else { Ok(Some(view)) };
        }
        // Some elements have no format in this protocol, such as NumPy's dates, and its texts of any length.
        if let Some(view) = Self::request(object, wanted)? {
            return if keeps_objects(object)? { Err(objects(object)) } else { Ok(Some(view)) };
        }
        // Refused. Requesting a buffer of any form shows the reason.
        match Self::request(object, PYBUF_FULL_RO)? {
            Some(view) if access == Access::Write && view.0.readonly != 0 => Err(read_only(object)),
            Some(_) => Err(not_contiguous(object)),
            None => Ok(None),
        }
    }

    fn request(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Option<Self>> {
        let functions = functions()?;
        let mut raw = Box::new(Raw::EMPTY);
        // SAFETY: the GIL is held, `object` is alive, and `raw` is a writable record that does not move.
        let code = evaluation::kept(|| unsafe { (functions.get)(object.as_ptr(), &raw mut *raw, flags) });
        if code == 0 {
            return Ok(Some(Self(raw)));
        }
        drop(PyErr::take(object.py()));
        Ok(None)
    }

    /// True if elements are references to Python objects, which are meaningless elsewhere.
    fn holds_objects(&self) -> bool {
        if self.0.format.is_null() {
            return false;
        }
        // SAFETY: the exporter gives a C string that lives as long as the view.
        let format = unsafe { CStr::from_ptr(self.0.format) };
        // Between colons stand names of fields.
        format.to_bytes().split(|byte| *byte == b':').step_by(2).any(|codes| codes.contains(&b'O'))
    }

    /// Address, length and whether the bytes may not be written.
    pub(super) fn bytes(&self) -> (usize, usize, bool) {
        (self.0.buf.expose_provenance(), self.0.len.unsigned_abs(), self.0.readonly != 0)
    }
}

/// True if a NumPy-like array's elements refer to other memory.
fn keeps_objects(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(dtype) = array.attribute("dtype")? else { return Ok(false) };
    dtype.attribute("hasobject")?.map_or(Ok(false), |answer| answer.is_truthy())
}

impl Drop for View {
    fn drop(&mut self) {
        let raw: *mut Raw = &raw mut *self.0;
        // When the interpreter is gone there is no exporter left to release it to.
        let _ = Python::try_attach(|_| {
            if let Ok(functions) = functions() {
                // SAFETY: the GIL is held; the record was filled by `get` and is released once.
                evaluation::kept(|| unsafe { (functions.release)(raw) });
            }
        });
    }
}
