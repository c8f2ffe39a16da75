// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where Rust ends: errors become codes and last errors, panics become errors.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mf_abi::Symbol;
use mf_abi::smem::{COUNT, Number, SYMBOLS};
use mf_base::sync::counters::Counters;
use mf_base::{Error, Kind, Result, interrupt};

use crate::last_error;

/// Calls of every function, and how many of them failed.
static CALLS: Counters<COUNT> = Counters::new();
static ERRORS: Counters<COUNT> = Counters::new();

/// Every function that was called: how often, and how often it failed.
pub(crate) fn counts() -> impl Iterator<Item = (&'static Symbol, u64, u64)> {
    let counts =
        SYMBOLS.iter().enumerate().map(|(number, symbol)| (symbol, CALLS.read(number), ERRORS.read(number)));
    counts.filter(|(_, calls, _)| *calls > 0)
}

/// Runs the body of an exported function. `failed` makes its result from the code of an error.
#[inline(always)]
pub(crate) fn call<T: Done<R>, R>(
    number: Number,
    operation: &'static str,
    body: impl FnOnce() -> Result<T>,
    failed: impl FnOnce(i32) -> R,
) -> R {
    CALLS.add(number as usize, 1);
    let called = catch_unwind(AssertUnwindSafe(body));
    interrupt::end_call();
    match called {
        Ok(Ok(value)) => value.done(),
        Ok(Err(error)) => failed(refuse(number, operation, &error)),
        Err(panic) => failed(refuse(number, operation, &panicked(operation, &*panic))),
    }
}

/// A value of a body as the result of its function.
pub(crate) trait Done<R> {
    fn done(self) -> R;
}

impl<T> Done<T> for T {
    fn done(self) -> T {
        self
    }
}

impl Done<i32> for () {
    fn done(self) -> i32 {
        0
    }
}

/// What a result says of a failure, where its row says nothing else.
pub(crate) trait Failed {
    fn with_code(code: i32) -> Self;
}

impl Failed for i32 {
    fn with_code(code: i32) -> Self {
        code
    }
}

/// Functions that return a number of their own return codes all the same: their callers know.
impl Failed for u32 {
    fn with_code(code: i32) -> Self {
        code.cast_unsigned()
    }
}

/// The last error tells.
impl Failed for () {
    fn with_code(_: i32) -> Self {}
}

impl<T> Failed for *mut T {
    fn with_code(_: i32) -> Self {
        std::ptr::null_mut()
    }
}

impl<T> Failed for *const T {
    fn with_code(_: i32) -> Self {
        std::ptr::null()
    }
}

#[cold]
fn refuse(number: Number, operation: &'static str, error: &Error) -> i32 {
    ERRORS.add(number as usize, 1);
    last_error::set(operation, error)
}

#[cold]
fn panicked(operation: &'static str, panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Error::new(Kind::Failed, operation).what("a defect of the library was met").with("panic", text)
}

/// Whether calls are logged.
#[inline(always)]
pub(crate) fn is_traced() -> bool {
    tracing::enabled!(target: "mf_smem::calls", tracing::Level::TRACE)
}

/// Logs a call that has been made.
#[cold]
pub(crate) fn trace(number: Number, arguments: &[&dyn Debug], result: &dyn Debug) {
    thread_local! {
        /// A receiver of log lines may call functions, whose lines it would get in turn.
        static INSIDE: Cell<bool> = const { Cell::new(false) };
    }
    let Some(symbol) = SYMBOLS.get(number as usize).filter(|_| !INSIDE.replace(true)) else { return };
    let named = symbol.arguments.iter().zip(arguments);
    let arguments: Vec<String> = named.map(|(known, value)| format!("{} {value:?}", known.name)).collect();
    tracing::trace!(target: "mf_smem::calls", "{}({}) = {result:?}", symbol.name, arguments.join(", "));
    INSIDE.set(false);
}

/// An argument that may be null in C.
pub(crate) trait Nullable {
    /// What is there when it is not null.
    type Present;
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
pub(crate) fn present<T: Nullable>(operation: &'static str, name: &str, argument: T) -> Result<T::Present> {
    argument.present().ok_or_else(|| null(operation, name))
}

/// The error for a null argument.
#[cold]
pub(crate) fn null(operation: &'static str, name: &str) -> Error {
    Error::invalid(operation, format!("{name} is null"))
}

/// A text argument.
///
/// # Safety
/// `text` is null or points to a string that ends with a zero byte and stays unchanged during the call.
pub(crate) unsafe fn text<'a>(operation: &'static str, name: &str, text: *const c_char) -> Result<&'a str> {
    let text = present(operation, name, text)?;
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
    let bytes = present(operation, name, bytes)?;
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
