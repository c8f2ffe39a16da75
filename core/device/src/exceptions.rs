// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notification of tasks that failed on an accelerator: one function a process, called by the runtime.

use std::ffi::c_void;

pub use ascend_acl_sys::acl::Exception;
use ascend_acl_sys::raw::types::aclrtExceptionInfo;
use mf_base::Result;

use super::ascend::OrRefused;
use super::choose;

/// Function that the runtime calls for each failed task.
pub type Callback = unsafe extern "C" fn(info: *mut c_void);

/// Sets the function that the installed CANN calls; `None` for no call. Returns false if no CANN is
/// installed. Local.
///
/// # Errors
/// The runtime's refusal.
///
/// # Safety
/// The function stays loaded until another one is set.
pub unsafe fn listen(callback: Option<Callback>) -> Result<bool> {
    let Some(libraries) = choose::libraries() else { return Ok(false) };
    type Theirs = unsafe extern "C" fn(info: *mut aclrtExceptionInfo);
    // SAFETY: function pointers that differ in the target of their argument alone.
    let callback = callback.map(|callback| unsafe { std::mem::transmute::<Callback, Theirs>(callback) });
    // SAFETY: passed on to the caller.
    unsafe { libraries.acl().set_exception_callback(callback) }.or_refused()?;
    Ok(true)
}

/// Describes a failed task. `None` if no CANN is installed.
///
/// # Safety
/// `info` is the runtime's pointer, inside of a call of the function that was set.
pub unsafe fn describe(info: *const c_void) -> Option<Exception> {
    let libraries = choose::libraries()?;
    // SAFETY: passed on to the caller.
    Some(unsafe { libraries.acl().exception(info.cast()) })
}
