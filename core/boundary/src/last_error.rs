// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The last error of each thread: its code, its text, and whether trying again helps.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

use mf_base::{Error, Retry};

#[derive(Clone)]
struct Last {
    code: i32,
    retry: Retry,
    text: CString,
    /// The result of `take` stays valid until the next call of the thread.
    taken: CString,
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::new(Last {
        code: 0,
        retry: Retry::Never,
        text: CString::default(),
        taken: CString::default(),
    });
}

/// A text for C; a zero byte in it, which no C string can hold, becomes a space.
pub fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Stores `error` as this thread's last error and returns its code. Its text begins with the called family,
/// also for an error of another family, or of a floor below.
#[cold]
pub fn set(operation: &'static str, error: &Error) -> i32 {
    set_coded(operation, error, error.kind().macro_name(), error.code())
}

/// Like [`set`], for a family with codes of its own: `name` and `code` of the error there.
#[cold]
pub fn set_coded(operation: &'static str, error: &Error, name: &str, code: i32) -> i32 {
    let text = described(operation, error, name, code);
    tracing::debug!("{text}");
    // A thread that is ending has no last error any more.
    let _ = LAST.try_with(|last| {
        let mut last = last.borrow_mut();
        (last.code, last.retry, last.text) = (code, error.retry_class(), c_text(&text));
    });
    code
}

/// The text of an error, which begins with the family that was called, once.
pub fn described(operation: &'static str, error: &Error, name: &str, code: i32) -> String {
    let family = |operation: &'static str| operation.split(' ').next();
    let mut text = error.coded(name, code).to_string();
    if family(error.operation()) != family(operation) {
        text.insert_str(0, ": ");
        text.insert_str(0, operation);
    }
    text
}

/// Runs a function of the program; its own failed calls do not become the last error of the call that runs
/// it.
pub fn kept<R>(call: impl FnOnce() -> R) -> R {
    let before = LAST.try_with(|last| last.borrow().clone());
    let result = call();
    if let Ok(before) = before {
        let _ = LAST.try_with(|last| last.replace(before));
    }
    result
}

/// The code; 0 when there was no error.
pub fn code() -> i32 {
    LAST.try_with(|last| last.borrow().code).unwrap_or(0)
}

/// Returns the retry class of the last error; never when there was no error.
pub fn retry() -> Retry {
    LAST.try_with(|last| last.borrow().retry).unwrap_or(Retry::Never)
}

/// The text; empty when there was no error.
pub fn text() -> *const c_char {
    LAST.try_with(|last| last.borrow().text.as_ptr()).unwrap_or(c"".as_ptr())
}

/// The text; clears all.
pub fn take() -> *const c_char {
    LAST.try_with(|last| {
        let last = &mut *last.borrow_mut();
        last.taken = std::mem::take(&mut last.text);
        (last.code, last.retry) = (0, Retry::Never);
        last.taken.as_ptr()
    })
    .unwrap_or(c"".as_ptr())
}
