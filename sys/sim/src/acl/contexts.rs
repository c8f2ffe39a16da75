// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contexts: making and destroying them, and which one a thread uses.

use std::ffi::c_void;

use super::arguments::{give, give_handle, not_null};
use crate::context::{self, stream_of, with_current};
use crate::exports;
use crate::fault::Outcome;
use crate::machine::machine;

exports! {
    /// A context beside the primary one; it becomes the calling thread's.
    fn aclrtCreateContext(context: *mut *mut c_void, deviceId: i32) = create_context;
    /// Ends it and its streams.
    fn aclrtDestroyContext(context: *mut c_void) = destroy_context;
    /// Makes a context the calling thread's.
    fn aclrtSetCurrentContext(context: *mut c_void) = set_context;
    /// The calling thread's context.
    fn aclrtGetCurrentContext(context: *mut *mut c_void) = get_context;
    /// The default stream of the calling thread's context.
    fn aclrtCtxGetCurrentDefaultStream(stream: *mut *mut c_void) = default_stream;
    /// Reports if the primary context of a device exists. There are no flags.
    fn aclrtGetPrimaryCtxState(deviceId: i32, flags: *mut u32, active: *mut i32) = primary_state;
}

unsafe fn create_context(out: *mut *mut c_void, device: i32) -> Outcome {
    not_null(out, "context")?;
    let new = machine()?.devices.get(device)?.new_context()?;
    // SAFETY: checked for null above.
    unsafe { give_handle(out, new.handle) }
}

unsafe fn destroy_context(handle: *mut c_void) -> Outcome {
    not_null(handle, "context")?;
    context::destroy(handle)
}

unsafe fn set_context(handle: *mut c_void) -> Outcome {
    not_null(handle, "context")?;
    context::set_current(handle)
}

unsafe fn get_context(out: *mut *mut c_void) -> Outcome {
    not_null(out, "context")?;
    let handle = with_current(|context| context.handle)?;
    // SAFETY: checked for null above.
    unsafe { give_handle(out, handle) }
}

unsafe fn default_stream(stream: *mut *mut c_void) -> Outcome {
    not_null(stream, "stream")?;
    let handle = stream_of(std::ptr::null())?.handle;
    // SAFETY: checked for null above.
    unsafe { give_handle(stream, handle) }
}

unsafe fn primary_state(device: i32, flags: *mut u32, active: *mut i32) -> Outcome {
    not_null(active, "active")?;
    let is_set = machine()?.devices.get(device)?.is_set();
    if !flags.is_null() {
        // SAFETY: checked for null above.
        unsafe { give(flags, 0) }?;
    }
    // SAFETY: checked for null above.
    unsafe { give(active, i32::from(is_set)) }
}
