// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls that may run Python code: callables, attributes, iterators, modules.
//!
//! Before 3.14 the interpreter ends a daemon thread with `pthread_exit` as soon as the thread asks for the
//! GIL while the interpreter finalizes. The bytecode loop asks again and again, so also below a frame of
//! this extension. `pthread_exit` unwinds the stack; pyo3 catches the unwinding as if it were a panic, and
//! the process aborts ("exception not rethrown"). Therefore each of these calls stands in a frame that
//! keeps the thread when it is unwound: the thread sleeps until the process ends, as threads of 3.14 do.
//! pyo3 does the same where it takes the GIL itself ([`Python::detach`], [`Python::attach`]).
//!
//! Calls of pyo3 that run Python code are refused by clippy.toml. The exceptions are finalizers that the
//! garbage collector runs while pyo3 makes an object, and a `__index__` or a sequence in Python.

use std::ffi::CStr;
use std::thread;
use std::time::Duration;

use pyo3::BoundObject as _;
use pyo3::exceptions::PyAttributeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// The interpreter's functions, declared as functions that unwind.
mod raw {
    use std::ffi::c_char;

    use pyo3::ffi::PyObject;

    unsafe extern "C-unwind" {
        pub(super) fn PyObject_Call(
            callable: *mut PyObject,
            arguments: *mut PyObject,
            keywords: *mut PyObject,
        ) -> *mut PyObject;
        pub(super) fn PyObject_GetAttr(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject;
        pub(super) fn PyObject_GetIter(object: *mut PyObject) -> *mut PyObject;
        pub(super) fn PyIter_Next(iterator: *mut PyObject) -> *mut PyObject;
        pub(super) fn PyImport_ImportModule(name: *const c_char) -> *mut PyObject;
    }
}

/// Keeps the thread when the frame is unwound.
struct Stay;

impl Drop for Stay {
    fn drop(&mut self) {
        loop {
            thread::sleep(Duration::from_secs(3600));
        }
    }
}

/// Makes one call of a function of the interpreter, which is declared as one that unwinds; keeps the thread
/// if the interpreter ends it meanwhile.
pub(crate) fn kept<R>(call: impl FnOnce() -> R) -> R {
    let stay = Stay;
    let result = call();
    // Functions of C do not panic: nothing but `pthread_exit` unwinds them.
    std::mem::forget(stay);
    result
}

/// [`kept`] for a function that returns a new reference, or null and an exception.
fn object<'py>(py: Python<'py>, call: impl FnOnce() -> *mut PyObject) -> PyResult<Bound<'py, PyAny>> {
    let result = kept(call);
    // SAFETY: the caller chose a function of this kind.
    unsafe { Bound::from_owned_ptr_or_err(py, result) }
}

/// Imports a module.
pub(crate) fn module<'py>(py: Python<'py>, name: &CStr) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the GIL is held and the name is a C string.
    object(py, || unsafe { raw::PyImport_ImportModule(name.as_ptr()) })
}

/// Operations of an object that run Python code.
pub(crate) trait Evaluate<'py> {
    /// Calls the object with arguments.
    fn evaluate(&self, arguments: impl IntoPyObject<'py, Target = PyTuple>) -> PyResult<Bound<'py, PyAny>>;

    /// Calls the object with arguments by name.
    fn evaluate_named(&self, arguments: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>>;

    /// An attribute; None if the object has none of this name.
    fn attribute(
        &self,
        name: impl IntoPyObject<'py, Target = PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>>;

    /// An attribute that the object must have.
    fn needed(&self, name: impl IntoPyObject<'py, Target = PyString>) -> PyResult<Bound<'py, PyAny>>;

    /// The items that iteration gives.
    fn items(&self) -> PyResult<Items<'py>>;
}

impl<'py> Evaluate<'py> for Bound<'py, PyAny> {
    fn evaluate(&self, arguments: impl IntoPyObject<'py, Target = PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = arguments.into_pyobject(self.py()).map_err(Into::into)?;
        let (callable, arguments) = (self.as_ptr(), arguments.as_ptr());
        // SAFETY: the GIL is held, both objects live through the call, and the second is a tuple.
        object(self.py(), || unsafe { raw::PyObject_Call(callable, arguments, std::ptr::null_mut()) })
    }

    fn evaluate_named(&self, arguments: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        let none = PyTuple::empty(self.py());
        let (callable, none, arguments) = (self.as_ptr(), none.as_ptr(), arguments.as_ptr());
        // SAFETY: the GIL is held, the objects live through the call, and are a tuple and a dict.
        object(self.py(), || unsafe { raw::PyObject_Call(callable, none, arguments) })
    }

    fn attribute(
        &self,
        name: impl IntoPyObject<'py, Target = PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.needed(name) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_instance_of::<PyAttributeError>(self.py()) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn needed(&self, name: impl IntoPyObject<'py, Target = PyString>) -> PyResult<Bound<'py, PyAny>> {
        let name = name.into_pyobject(self.py()).map_err(Into::into)?;
        let (owner, name) = (self.as_ptr(), name.as_ptr());
        // SAFETY: the GIL is held, both objects live through the call, and the second is a string.
        object(self.py(), || unsafe { raw::PyObject_GetAttr(owner, name) })
    }

    fn items(&self) -> PyResult<Items<'py>> {
        let source = self.as_ptr();
        // SAFETY: the GIL is held, and the object lives through the call.
        let iterator = object(self.py(), || unsafe { raw::PyObject_GetIter(source) })?;
        Ok(Items { iterator })
    }
}

/// Iteration over an object of Python.
pub(crate) struct Items<'py> {
    iterator: Bound<'py, PyAny>,
}

impl<'py> Iterator for Items<'py> {
    type Item = PyResult<Bound<'py, PyAny>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (py, iterator) = (self.iterator.py(), self.iterator.as_ptr());
        // SAFETY: the GIL is held, and the object is an iterator that lives through the call.
        let item = kept(|| unsafe { raw::PyIter_Next(iterator) });
        if item.is_null() {
            // The end, unless there is an exception.
            return PyErr::take(py).map(Err);
        }
        // SAFETY: not null, so a new reference.
        Some(Ok(unsafe { Bound::from_owned_ptr(py, item) }))
    }
}
