// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arguments from C: nulls, texts, bytes.

use std::ffi::{CStr, c_char, c_void};

use mf_base::{Error, Result};

/// An argument that may be null in C.
pub trait Nullable {
    /// Type of the argument when it is not null.
    type Present;
    /// It, unless it is null.
    fn present(self) -> Option<Self::Present>;
}

impl<T> Nullable for *const T {
    type Present = Self;
    #[inline(always)]
    fn present(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }
}

impl<T> Nullable for *mut T {
    type Present = Self;
    #[inline(always)]
    fn present(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }
}

impl<T> Nullable for Option<T> {
    type Present = T;
    #[inline(always)]
    fn present(self) -> Self {
        self
    }
}

/// Refuses null.
#[inline(always)]
pub fn present<T: Nullable>(operation: &'static str, name: &str, argument: T) -> Result<T::Present> {
    argument.present().ok_or_else(|| null(operation, name))
}

/// The error for a null argument.
#[cold]
pub fn null(operation: &'static str, name: &str) -> Error {
    Error::invalid(operation, format!("{name} is null"))
}

/// A text argument.
///
/// # Safety
/// `text` is null or points to a string that ends with a zero byte and stays unchanged during the call.
pub unsafe fn text<'a>(operation: &'static str, name: &str, text: *const c_char) -> Result<&'a str> {
    let text = present(operation, name, text)?;
    // SAFETY: not null; the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::invalid(operation, format!("{name} is not UTF-8")))
}

/// The bytes of an argument that is not a string.
///
/// # Safety
/// Unless `len` is 0, `bytes` is null or points to `len` readable bytes that do not change during the call.
pub unsafe fn bytes<'a>(
    operation: &'static str,
    name: &str,
    bytes: *const c_void,
    len: u64,
) -> Result<&'a [u8]> {
    if len == 0 {
        return Ok(&[]);
    }
    let bytes = present(operation, name, bytes)?;
    let possible = usize::try_from(len).ok().filter(|len| isize::try_from(*len).is_ok());
    let len =
        possible.ok_or_else(|| Error::invalid(operation, "the length is impossible").with("bytes", len))?;
    // SAFETY: not null, of a possible length, and the caller vouches for the rest.
    Ok(unsafe { std::slice::from_raw_parts(bytes.cast(), len) })
}

/// The text in a fixed array of a struct, which must end inside it.
pub fn array_text<'a>(operation: &'static str, name: &str, array: &'a [c_char]) -> Result<&'a str> {
    // SAFETY: c_char and u8 have the same size and alignment, and every bit pattern is a u8.
    let bytes = unsafe { std::slice::from_raw_parts(array.as_ptr().cast::<u8>(), array.len()) };
    let text = CStr::from_bytes_until_nul(bytes).map_err(|_| {
        Error::invalid(operation, format!("{name} does not end inside its array"))
            .with("array_bytes", bytes.len())
    })?;
    text.to_str().map_err(|_| Error::invalid(operation, format!("{name} is not UTF-8")))
}
