// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifications of a program: of failures, and of its devices being set and reset.

use std::ffi::{CStr, c_char, c_void};

use ascend_acl_sys::raw::types::{aclrtErrorInfo, aclrtMemUceInfo};

use super::arguments::{give, not_null, not_zero};
use crate::codes::acl;
use crate::context::state;
use crate::exports;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::stream::failure::{self, ExceptionInfo};

exports! {
    /// Sets the function that is notified of failed tasks.
    fn aclrtSetExceptionInfoCallback(callback: Option<failure::Callback>) = set_callback;
    /// Adds a function that is notified of devices being set and reset.
    fn aclrtRegDeviceStateCallback(
        regName: *const c_char,
        callback: Option<state::Callback>,
        args: *mut c_void,
    ) = on_device_state;
    /// Details of a hardware error.
    fn aclrtGetErrorVerbose(deviceId: i32, errorInfo: *mut aclrtErrorInfo) = error_verbose;
    /// Makes a device work again.
    fn aclrtRepairError(deviceId: i32, errorInfo: *const aclrtErrorInfo) = repair;
    /// Memory of a device that lost bits.
    fn aclrtGetMemUceInfo(
        deviceId: i32,
        memUceInfoArray: *mut aclrtMemUceInfo,
        arraySize: usize,
        retSize: *mut usize,
    ) = broken_memory;
}

unsafe fn set_callback(callback: Option<failure::Callback>) -> Outcome {
    failure::set_callback(callback);
    Ok(())
}

unsafe fn on_device_state(
    name: *const c_char,
    callback: Option<state::Callback>,
    argument: *mut c_void,
) -> Outcome {
    not_null(name, "regName")?;
    // SAFETY: checked for null above; the caller passes a string.
    let name = unsafe { CStr::from_ptr(name) };
    state::register(name.to_owned(), callback, argument)
}

/// Assumed: refused, because the layout of the structure is documented nowhere.
unsafe fn error_verbose(device: i32, info: *mut aclrtErrorInfo) -> Outcome {
    not_null(info, "errorInfo")?;
    let code = machine()?.devices.get(device)?.health.code();
    Err(Fault::new(
        acl::FEATURE_NOT_SUPPORT,
        format_args!("the simulator has no details; the first hardware error of device {device} is {code:?}"),
    ))
}

/// Assumed: repairs every fault of the device.
unsafe fn repair(device: i32, info: *const aclrtErrorInfo) -> Outcome {
    not_null(info, "errorInfo")?;
    machine()?.devices.get(device)?.health.repair();
    Ok(())
}

unsafe fn broken_memory(
    device: i32,
    array: *mut aclrtMemUceInfo,
    array_size: usize,
    found: *mut usize,
) -> Outcome {
    not_null(array, "memUceInfoArray")?;
    not_zero(array_size, "arraySize")?;
    not_null(found, "retSize")?;
    let memory = machine()?.devices.get(device)?.health.broken_memory();
    let fits = memory.len().min(array_size);
    for (index, (address, bytes)) in memory.into_iter().take(fits).enumerate() {
        let address = usize::try_from(address).unwrap_or(usize::MAX);
        let info = aclrtMemUceInfo {
            addr: std::ptr::without_provenance_mut(address),
            len: usize::try_from(bytes).unwrap_or(usize::MAX),
            reserved: [0; 14],
        };
        // SAFETY: the index is inside the array that the caller passed, which was checked for null.
        unsafe { give(array.wrapping_add(index), info) }?;
    }
    // SAFETY: checked for null above.
    unsafe { give(found, fits) }
}

/// Defines the functions that read an [`ExceptionInfo`]. Assumed: of none they give the largest number.
macro_rules! getters {
    ($($(#[$doc:meta])* fn $name:ident = $field:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// `info` is null or the argument of the exception callback, before the callback returns.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names are CANN's")]
        pub unsafe extern "C" fn $name(info: *const ExceptionInfo) -> u32 {
            if info.is_null() {
                return u32::MAX;
            }
            // SAFETY: not null, and promised by the caller.
            unsafe { (*info).$field }
        }
    )* };
}

getters! {
    /// Number of the task in its stream.
    fn aclrtGetTaskIdFromExceptionInfo = task;
    /// Number of the stream.
    fn aclrtGetStreamIdFromExceptionInfo = stream;
    /// The thread that ran the task.
    fn aclrtGetThreadIdFromExceptionInfo = thread;
    /// The device.
    fn aclrtGetDeviceIdFromExceptionInfo = device;
    /// Returns the error code of the failed task.
    fn aclrtGetErrorCodeFromExceptionInfo = code;
}
