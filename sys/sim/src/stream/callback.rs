// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A function of the program with its argument.

use std::ffi::c_void;

use crate::device::context::calling_back;

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
