// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Codes of the C interface as exceptions of the package.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use mf_abi::smem::{MFX_RETRY_NEVER, SMEM_ERROR, SMEM_INVALID_PARAM, SMEM_NOT_INIT};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::evaluation::Evaluate as _;
use crate::fork::Generation;
use crate::library;

static FROM_CODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

thread_local! {
    /// Last refusal by the package itself on this thread: code and text. Failures of the library are newer.
    static REFUSED: RefCell<(i32, String)> = const { RefCell::new((0, String::new())) };
}

/// Leaves a failure of the package for this thread, as the library leaves its own; returns the code.
#[pyfunction]
#[pyo3(signature = (code, text))]
pub(crate) fn leave_error(code: i32, text: &str) -> i32 {
    forget();
    REFUSED.set((code, text.to_owned()));
    code
}

/// The code of this thread's last failure, of the library or the package; 0 without a failure.
#[pyfunction]
pub(crate) fn last_error_code() -> i32 {
    match last_code() {
        0 => REFUSED.with_borrow(|(code, _)| *code),
        code => code,
    }
}

/// Last refusal by the package on this thread, unless the library has a newer failure.
pub(crate) fn refused_text() -> String {
    REFUSED.with_borrow(|(_, text)| text.clone())
}

/// The same, and forgets it.
pub(crate) fn take_refused_text() -> String {
    REFUSED.take().1
}

/// The exception for `code` with `text`: an instance of the subclass of `mf_smem.Error` that fits.
#[cold]
pub(crate) fn exception(py: Python<'_>, code: i32, text: &str) -> PyErr {
    with_retry(py, code, text, MFX_RETRY_NEVER)
}

fn with_retry(py: Python<'_>, code: i32, text: &str, retry: u32) -> PyErr {
    let made = FROM_CODE
        .import(py, "mf_smem._errors", "error_from_code")
        .and_then(|from_code| from_code.evaluate((code, text, retry)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The exception for `code` with the text that the library left for this thread.
#[cold]
pub(crate) fn last(py: Python<'_>, code: i32) -> PyErr {
    // SAFETY: takes no argument and may be called at any time.
    let retry = library::try_functions().map(|functions| unsafe { (functions.mfx_last_error_retry)() });
    with_retry(py, code, &last_text(), retry.unwrap_or(MFX_RETRY_NEVER))
}

/// The exception for a call that failed without a code of its own.
#[cold]
pub(crate) fn of_last(py: Python<'_>) -> PyErr {
    last(py, last_code_or_error())
}

/// Names of a family's objects in errors, and advice for a forked child.
pub(crate) struct Family {
    /// Name in front of the text.
    pub(crate) name: &'static str,
    /// Advice for the child.
    pub(crate) remedy: &'static str,
}

impl Family {
    /// The exception for a failed call on an object. One that a forked child has from its parent is explained
    /// here, because the library sees only NULL.
    #[cold]
    pub(crate) fn failure(&self, py: Python<'_>, made: Generation, code: i32) -> PyErr {
        if !made.is_inherited() {
            return last(py, code);
        }
        let Self { name, remedy } = self;
        let text = format!(
            "{name}: this object was made before a fork and is not usable in the child; {remedy} in the child"
        );
        exception(py, SMEM_NOT_INIT, &text)
    }

    /// `Ok` for 0, else [`Family::failure`].
    #[inline]
    pub(crate) fn check(&self, py: Python<'_>, made: Generation, code: i32) -> PyResult<()> {
        if code == 0 { Ok(()) } else { Err(self.failure(py, made, code)) }
    }
}

/// A text for C; `named` is its name in errors, preceded by the operation.
pub(crate) fn c_text(py: Python<'_>, named: &str, text: impl Into<Vec<u8>>) -> PyResult<CString> {
    let refused = |_| exception(py, SMEM_INVALID_PARAM, &format!("{named} contains a NUL character"));
    CString::new(text).map_err(refused)
}

/// A copy of a text that the library lent to this thread; NULL is a failure.
pub(crate) fn text(py: Python<'_>, text: *const c_char) -> PyResult<String> {
    if text.is_null() { Err(of_last(py)) } else { Ok(owned(text)) }
}

/// `Ok` for 0, else the exception with the text of the library.
#[inline]
pub(crate) fn check(py: Python<'_>, code: i32) -> PyResult<()> {
    if code == 0 { Ok(()) } else { Err(last(py, code)) }
}

/// The code of a failed call that has no code of its own.
pub(crate) fn last_code() -> i32 {
    // SAFETY: takes no argument and may be called at any time.
    library::try_functions().map_or(0, |functions| unsafe { (functions.smem_get_last_err_code)() })
}

/// Clears the state of earlier calls on this thread.
#[inline]
pub(crate) fn forget() {
    if last_code() != 0
        && let Some(functions) = library::try_functions()
    {
        // SAFETY: takes no argument and may be called at any time.
        unsafe { (functions.smem_get_and_clear_last_err_msg)() };
    }
}

/// [`last_code`], or a generic failure if the library left none.
pub(crate) fn last_code_or_error() -> i32 {
    match last_code() {
        0 => SMEM_ERROR,
        code => code,
    }
}

/// The text that the library left for this thread.
pub(crate) fn last_text() -> String {
    // SAFETY: takes no argument and may be called at any time.
    let text = library::try_functions().map(|functions| unsafe { (functions.smem_get_last_err_msg)() });
    text.map(owned).unwrap_or_default()
}

/// A copy of a C string that the library lent to this thread; empty for NULL.
pub(crate) fn owned(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the library's text functions return C strings that stay valid until the thread's next call into
    // it.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}
