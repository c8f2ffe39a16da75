// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Codes of the C interface as exceptions of the package.

use std::ffi::{CStr, CString, c_char};

use mf_abi::smem::{MFX_RETRY_NEVER, SMEM_ERROR, SMEM_INVALID_PARAM, SMEM_NOT_INIT};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::library;

static FROM_CODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The exception for `code` with `text`: an instance of the subclass of `mf_smem.Error` that fits.
#[cold]
pub(crate) fn exception(py: Python<'_>, code: i32, text: &str) -> PyErr {
    with_retry(py, code, text, MFX_RETRY_NEVER)
}

fn with_retry(py: Python<'_>, code: i32, text: &str, retry: u32) -> PyErr {
    let made = FROM_CODE
        .import(py, "mf_smem._errors", "error_from_code")
        .and_then(|from_code| from_code.call1((code, text, retry)));
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

/// The exception for an object that a forked child has from its parent; `remedy` says what to do in the
/// child.
#[cold]
pub(crate) fn inherited(py: Python<'_>, family: &str, remedy: &str) -> PyErr {
    let text = format!(
        "{family}: this object was made before a fork and is not usable in the child; {remedy} in the child"
    );
    exception(py, SMEM_NOT_INIT, &text)
}

/// A text for C; `named` is what an error calls it, with the operation in front.
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

/// [`last_code`], or that of any failure when the library left none.
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
