// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Beginning and end, versions, and the last error.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use ascend_acl_sys::raw::types::aclCANNPackageVersion;
use mf_base::os::descriptor;
use mf_base::sync::lock;

use super::arguments::{answer, give, not_null};
use crate::codes::acl;
use crate::config;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::release::Release;
use crate::{exports, last_error};

/// Packages of CANN that a program may ask about.
const PACKAGES: [&str; 8] = ["runtime", "compiler", "toolkit", "hccl", "opp", "driver", "ascendcl", "cann"];
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
    /// The version of the interface.
    fn aclrtGetVersion(majorVersion: *mut i32, minorVersion: *mut i32, patchVersion: *mut i32) = version;
    /// The version of a package as text; the room has 128 bytes.
    fn aclsysGetVersionStr(pkgName: *mut c_char, versionStr: *mut c_char) = package_text;
    /// The version of a package as a number that grows with it.
    fn aclsysGetVersionNum(pkgName: *mut c_char, versionNum: *mut i32) = package_number;
    /// The version of CANN and its parts as texts.
    fn aclsysGetCANNVersion(name: u32, version: *mut aclCANNPackageVersion) = package_structure;
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
    match machine() {
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

unsafe fn version(major: *mut i32, minor: *mut i32, patch: *mut i32) -> Outcome {
    let rooms = [(major, "majorVersion"), (minor, "minorVersion"), (patch, "patchVersion")];
    rooms.iter().try_for_each(|(room, name)| not_null(*room, name))?;
    for ((room, _), number) in rooms.into_iter().zip(config::release_of_process().api()) {
        // SAFETY: checked for null above.
        unsafe { give(room, number) }?;
    }
    Ok(())
}

unsafe fn package_text(package: *mut c_char, room: *mut c_char) -> Outcome {
    not_null(room, "versionStr")?;
    // SAFETY: null is refused; else the program passes a C string.
    unsafe { known_package(package) }?;
    let text = config::release_of_process().text().to_bytes_with_nul();
    // SAFETY: the caller's room has 128 bytes, and the text is shorter.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr().cast(), room, text.len()) };
    Ok(())
}

unsafe fn package_number(package: *mut c_char, number: *mut i32) -> Outcome {
    not_null(number, "versionNum")?;
    // SAFETY: null is refused; else the program passes a C string.
    unsafe { known_package(package) }?;
    // SAFETY: checked for null above.
    unsafe { give(number, number_of(config::release_of_process())) }
}

/// Assumed: how a version becomes a number; release candidates count as the release.
fn number_of(release: Release) -> i32 {
    let [major, minor, _] = release.parts().map(|part| part.parse().unwrap_or(0));
    major * 10_000_000 + minor * 100_000
}

unsafe fn package_structure(_name: u32, room: *mut aclCANNPackageVersion) -> Outcome {
    not_null(room, "version")?;
    let release = config::release_of_process();
    let [major, minor, kind] = release.parts();
    let whole = aclCANNPackageVersion {
        version: text(&release.text().to_string_lossy()),
        majorVersion: text(major),
        minorVersion: text(minor),
        releaseVersion: text(kind),
        patchVersion: text(""),
        reserved: [0; 128],
    };
    // SAFETY: checked for null above.
    unsafe { give(room, whole) }
}

/// A text with zero bytes behind it.
fn text<const BYTES: usize>(text: &str) -> [c_char; BYTES] {
    let mut room = [0; BYTES];
    for (to, byte) in room.iter_mut().take(BYTES - 1).zip(text.bytes()) {
        *to = c_char::from_ne_bytes([byte]);
    }
    room
}

/// Assumed: an unknown package is refused as an invalid parameter.
///
/// # Safety
/// Null or a text.
unsafe fn known_package(package: *const c_char) -> Outcome {
    not_null(package, "pkgName")?;
    // SAFETY: not null, so it is a text, as the caller promises.
    let name = unsafe { CStr::from_ptr(package) }.to_string_lossy();
    ensure(PACKAGES.contains(&&*name), acl::INVALID_PARAM, || {
        format!("unknown pkgName={name:?}: must be one of {}", PACKAGES.join(", "))
    })
}
