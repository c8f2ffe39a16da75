// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A function of the program with its argument.

use std::cell::Cell;
use std::ffi::c_void;

use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;

thread_local! {
    /// The thread runs a function of the program for a stream.
    static CALLS_BACK: Cell<bool> = const { Cell::new(false) };
}

/// `aclrtCallback` and `aclrtHostFunc`.
pub type Function = unsafe extern "C" fn(*mut c_void);

/// A function of the program with its argument, to be called once on some thread.
#[derive(Debug)]
pub struct Call {
    function: Function,
    argument: *mut c_void,
}

// SAFETY: programs hand these over in order to have them called on another thread.
unsafe impl Send for Call {}

impl Call {
    /// To call `function` with `argument`.
    ///
    /// # Safety
    /// The function may be called with the argument on any thread, until the stream it is for has ended.
    pub unsafe fn new(function: Function, argument: *mut c_void) -> Self {
        Self { function, argument }
    }

    /// Calls it.
    pub fn run(self) {
        // SAFETY: promised by the creator of the call.
        calling_back(|| unsafe { (self.function)(self.argument) });
    }
}

/// Runs a function of the program for a stream; calls from it that need a device are refused when the
/// settings are strict.
pub(crate) fn calling_back<T>(function: impl FnOnce() -> T) -> T {
    let set = |to| CALLS_BACK.try_with(|calls_back| calls_back.replace(to)).unwrap_or(false);
    let before = set(true);
    let result = function();
    set(before);
    result
}

/// Refuses calls that are not allowed in a stream callback.
///
/// # Errors
/// 207000.
pub(crate) fn refuse_in_callback() -> Outcome {
    if !CALLS_BACK.try_with(Cell::get).unwrap_or(false) {
        return Ok(());
    }
    ensure(!machine()?.config.strict, acl::FEATURE_NOT_SUPPORT, || {
        "callbacks of a stream must not call functions that need a device".to_owned()
    })
}
