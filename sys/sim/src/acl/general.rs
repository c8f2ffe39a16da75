// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Beginning and end, and the last error.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use mf_base::os::descriptor;
use mf_base::sync::lock;

use super::arguments::{answer, give, not_null};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::{look, machine};
use crate::{exports, last_error};

/// `ACL_HOST`: programs run beside the devices.
const HOST: u32 = 1;
/// The last-error level of a thread.
const OF_THREAD: u32 = 0;

exports! {
    /// Begins. No call needs it.
    fn aclInit(configPath: *const c_char) = begin;
    /// Ends: resets every device of the process.
    fn aclFinalize() = end;
    /// Ends with the last of several beginnings; returns how many are left.
    fn aclFinalizeReference(refCount: *mut u64) = end_reference;
    /// Returns the run mode: host.
    fn aclrtGetRunMode(runMode: *mut u32) -> runMode: HOST;
}

/// Returns the last error text of the calling thread, once; null if there is none. It stays valid until the
/// thread's next call of this function.
#[unsafe(no_mangle)]
pub extern "C" fn aclGetRecentErrMsg() -> *const c_char {
    last_error::take_last_error()
}

/// The number of the last error, once.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the names are CANN's")]
pub extern "C" fn aclrtGetLastError(level: u32) -> i32 {
    last_error(level, true)
}

/// The number of the last error.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the names are CANN's")]
pub extern "C" fn aclrtPeekAtLastError(level: u32) -> i32 {
    last_error(level, false)
}

/// The SoC name, for ever; null when no device is usable.
#[unsafe(no_mangle)]
pub extern "C" fn aclrtGetSocName() -> *const c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    match look() {
        Ok(machine) if machine.devices.count() > 0 => {
            NAME.get_or_init(|| CString::new(machine.config.soc.as_str()).unwrap_or_default()).as_ptr()
        }
        Ok(_) => std::ptr::null(),
        Err(fault) => {
            last_error::set_last_error(&format!("aclrtGetSocName(): {} [{}]", fault.text, fault.code));
            std::ptr::null()
        }
    }
}

fn last_error(level: u32, forget: bool) -> i32 {
    if level == OF_THREAD {
        return last_error::last_code(forget);
    }
    last_error::set_last_error(&format!("the last-error level {level} is not 0, that of the thread"));
    acl::INVALID_PARAM
}

/// Beginnings that have not ended.
struct Life {
    references: u64,
    has_ended: bool,
}

static LIFE: Mutex<Life> = Mutex::new(Life { references: 0, has_ended: false });

unsafe fn begin(path: *const c_char) -> Outcome {
    if !path.is_null() {
        // SAFETY: not null, so it is a text, as the caller promises.
        let path = unsafe { CStr::from_ptr(path) };
        check_config(Path::new(OsStr::from_bytes(path.to_bytes())))?;
    }
    machine()?;
    let mut life = lock(&LIFE);
    life.references = references_after_begin(life.references);
    life.has_ended = false;
    ensure(life.references == 1, acl::REPEAT_INITIALIZE, || {
        "aclInit was called already in this process, which is harmless".to_owned()
    })
}

/// Assumed: a repeated beginning is refused and counts nevertheless, so that each user of ACL in a process
/// ends for itself.
fn references_after_begin(before: u64) -> u64 {
    before + 1
}

unsafe fn end() -> Outcome {
    let mut life = lock(&LIFE);
    has_begun(&life)?;
    (life.references, life.has_ended) = (0, true);
    drop(life);
    machine()?.devices.reset_all()
}

unsafe fn end_reference(count: *mut u64) -> Outcome {
    not_null(count, "refCount")?;
    let mut life = lock(&LIFE);
    has_begun(&life)?;
    life.references -= 1;
    let left = life.references;
    life.has_ended = left == 0;
    drop(life);
    if left == 0 {
        machine()?.devices.reset_all()?;
    }
    // SAFETY: checked for null above.
    unsafe { give(count, left) }
}

/// Assumed: an end without a beginning is another error than a second end.
fn has_begun(life: &Life) -> Outcome {
    match (life.references, life.has_ended) {
        (0, true) => Err(Fault::new(acl::REPEAT_FINALIZE, "ACL was finalised already")),
        (0, false) => Err(Fault::new(acl::UNINITIALIZE, "aclInit was not called in this process")),
        _ => Ok(()),
    }
}

/// Checks that a settings file is JSON; its contents concern nothing that is simulated.
fn check_config(path: &Path) -> Outcome {
    let shown = path.display();
    let text = descriptor::read(path)
        .map_err(|e| Fault::new(acl::INVALID_FILE, format_args!("configPath={shown} cannot be read: {e}")))?;
    ensure(!text.is_empty(), acl::FILE_SIZE, || format!("configPath={shown} is empty"))?;
    match serde_json::from_slice::<serde_json::Value>(&text) {
        Ok(_) => Ok(()),
        Err(e) => Err(Fault::new(acl::PARSE_FILE, format_args!("configPath={shown} is not JSON: {e}"))),
    }
}
