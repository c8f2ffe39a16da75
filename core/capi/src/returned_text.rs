// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Texts that functions return: each is valid until the thread's next one.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
}

/// Keeps a text for the caller until the thread's next.
pub(crate) fn hand_out(text: CString) -> *const c_char {
    TEXT.with(|slot| {
        *slot.borrow_mut() = text;
        slot.borrow().as_ptr()
    })
}
