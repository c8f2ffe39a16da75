// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where Rust ends: errors become codes and last errors, panics become errors.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mf_base::{Error, Kind, Result, interrupt};

use crate::last_error;

/// Runs a call that returns a code.
#[inline(always)]
pub(crate) fn code(operation: &'static str, call: impl FnOnce() -> Result<()>) -> i32 {
    let called = catch_unwind(AssertUnwindSafe(call));
    interrupt::end_call();
    match called {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => last_error::set(&error),
        Err(panic) => last_error::set(&panicked(operation, &*panic)),
    }
}

/// Runs a call that returns a value, `otherwise` stands for failure.
pub(crate) fn value<T>(operation: &'static str, otherwise: T, call: impl FnOnce() -> Result<T>) -> T {
    let called = catch_unwind(AssertUnwindSafe(call));
    interrupt::end_call();
    match called {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => {
            last_error::set(&error);
            otherwise
        }
        Err(panic) => {
            last_error::set(&panicked(operation, &*panic));
            otherwise
        }
    }
}

#[cold]
fn panicked(operation: &'static str, panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Error::new(Kind::Failed, operation).what("a defect of the library was met").with("panic", text)
}

/// The error for a null argument.
#[cold]
pub(crate) fn null(operation: &'static str, name: &str) -> Error {
    Error::invalid(operation, format!("{name} is null"))
}

/// Refuses null.
pub(crate) fn not_null<T>(operation: &'static str, name: &str, pointer: *const T) -> Result<()> {
    if pointer.is_null() { Err(null(operation, name)) } else { Ok(()) }
}

/// A text argument.
///
/// # Safety
/// `text` is null or points to a string that ends with a zero byte and stays unchanged during the call.
pub(crate) unsafe fn text<'a>(operation: &'static str, name: &str, text: *const c_char) -> Result<&'a str> {
    not_null(operation, name, text)?;
    // SAFETY: not null; the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::invalid(operation, format!("{name} is not UTF-8")))
}

/// The bytes of an argument that is not a string.
///
/// # Safety
/// Unless `len` is 0, `bytes` is null or points to `len` readable bytes that nobody changes during the call.
pub(crate) unsafe fn bytes<'a>(
    operation: &'static str,
    name: &str,
    bytes: *const c_void,
    len: u64,
) -> Result<&'a [u8]> {
    if len == 0 {
        return Ok(&[]);
    }
    not_null(operation, name, bytes)?;
    let possible = usize::try_from(len).ok().filter(|len| isize::try_from(*len).is_ok());
    let len =
        possible.ok_or_else(|| Error::invalid(operation, "the length is impossible").with("bytes", len))?;
    // SAFETY: not null, of a possible length, and the caller vouches for the rest.
    Ok(unsafe { std::slice::from_raw_parts(bytes.cast(), len) })
}

/// The text in a fixed array of a struct, which must end inside it.
pub(crate) fn array_text<'a>(operation: &'static str, name: &str, array: &'a [c_char]) -> Result<&'a str> {
    // SAFETY: c_char and u8 have the same size and alignment, and every bit pattern is a u8.
    let bytes = unsafe { std::slice::from_raw_parts(array.as_ptr().cast::<u8>(), array.len()) };
    let text = CStr::from_bytes_until_nul(bytes).map_err(|_| {
        Error::invalid(operation, format!("{name} does not end inside its array"))
            .with("array_bytes", bytes.len())
    })?;
    text.to_str().map_err(|_| Error::invalid(operation, format!("{name} is not UTF-8")))
}
