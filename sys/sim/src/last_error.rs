// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error state of the caller: text and code of the last refused call of a thread, and the last task fault
//! that no call has reported.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::sync::atomic::{AtomicI32, Ordering};

use crate::fault::Fault;

thread_local! {
    static LAST: RefCell<LastError> = const { RefCell::new(LastError { code: 0, fresh: None, given: None }) };
}

/// Last task fault, on any stream, that no call has reported yet.
static ASYNCHRONOUS: AtomicI32 = AtomicI32::new(0);

struct LastError {
    /// `aclError` of the last refused call.
    code: i32,
    fresh: Option<CString>,
    /// Kept alive until the next call, as the caller reads it.
    given: Option<CString>,
}

/// Records a refusal of the calling thread, with the text for `aclGetRecentErrMsg`. With `sets_code`,
/// [`last_code`] returns its code.
pub(crate) fn record(text: &str, fault: &Fault, sets_code: bool) {
    set_last_error(text);
    if sets_code {
        with_last(|last| last.code = fault.code);
        // The fault of a task that this call reports is known to the caller now. Another one stays.
        let _ = ASYNCHRONOUS.compare_exchange(fault.code, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Leaves a text for the calling thread.
pub fn set_last_error(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    with_last(|last| last.fresh = Some(text));
}

/// Returns the last error text of the calling thread, once; null if there is none.
pub fn take_last_error() -> *const c_char {
    with_last(|last| {
        last.given = last.fresh.take();
        last.given.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
    })
    .unwrap_or(std::ptr::null())
}

/// A task failed; its stream may never be queried.
pub fn note_async(code: i32) {
    ASYNCHRONOUS.store(code, Ordering::Relaxed);
}

/// The `aclError` of the last refused call of this thread or, without one, of the last task that failed; 0
/// for none. `forget`: it is not reported again.
///
/// Assumed: an unreported task fault is returned to the first thread that asks.
pub fn last_code(forget: bool) -> i32 {
    let own = with_last(|last| if forget { std::mem::take(&mut last.code) } else { last.code }).unwrap_or(0);
    match (own, forget) {
        (0, true) => ASYNCHRONOUS.swap(0, Ordering::Relaxed),
        (0, false) => ASYNCHRONOUS.load(Ordering::Relaxed),
        (own, _) => own,
    }
}

/// Returns `None` in a thread that is exiting.
fn with_last<T>(change: impl FnOnce(&mut LastError) -> T) -> Option<T> {
    LAST.try_with(|last| change(&mut last.borrow_mut())).ok()
}
