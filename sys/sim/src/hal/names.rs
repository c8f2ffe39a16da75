// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of an allocation by name, which is what ACL's keys are.
//!
//! Assumed: a name is opened for the thread's current device.

use std::ffi::c_char;

use ascend_acl_sys::raw::types::DVdeviceptr;

use super::{expect, not_null, translate};
use crate::acl::arguments::give;
use crate::acl::virtual_memory::share::read_processes;
use crate::codes::{acl, hal};
use crate::context::importer;
use crate::fault::{Fault, Outcome};
use crate::memory::native;
use crate::sharing::ipc::keys;
use crate::sharing::ipc::{KEY_BYTES, Keys, read_key, write_key};

crate::exports! {
    /// Makes a name of a part of an allocation.
    fn halShmemCreateHandle(vptr: DVdeviceptr, byte_count: usize, name: *mut c_char, name_len: u32) = create;
    /// Opens the memory of a name.
    fn halShmemOpenHandle(name: *const c_char, vptr: *mut DVdeviceptr) = open;
    /// Closes a handle.
    fn halShmemCloseHandle(vptr: DVdeviceptr) => translate_key(own_keys()?.close_address(vptr));
    /// Ends a name of this process.
    fn halShmemDestroyHandle(name: *const c_char) = destroy;
    /// Names processes that may open.
    fn halShmemSetPidHandle(name: *const c_char, pid: *mut i32, num: i32) = allow;
}

fn own_keys() -> Outcome<&'static Keys> {
    translate(keys())
}

/// As [`super::translate`]; an unknown name does not exist, and a thread without device has an invalid one.
fn translate_key<T>(outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(|fault| match fault.code {
        acl::IPC_ERROR => Fault { code: hal::NOT_EXIST, ..fault },
        acl::CONTEXT_NULL => Fault { code: hal::INVALID_DEVICE, ..fault },
        code => Fault { code: crate::codes::hal_of_acl(code), ..fault },
    })
}

unsafe fn create(start: DVdeviceptr, bytes: usize, name: *mut c_char, room: u32) -> Outcome {
    expect(start != 0, || "vptr is 0".to_owned())?;
    expect(bytes != 0, || "the size is 0".to_owned())?;
    not_null(name, "name")?;
    expect(room as usize >= KEY_BYTES, || format!("a name takes {KEY_BYTES} bytes, name_len is {room}"))?;
    let key = translate_key(own_keys()?.export(start, bytes as u64, false))?;
    // SAFETY: the caller passes so many bytes.
    unsafe { write_key(&key, name) };
    Ok(())
}

unsafe fn open(name: *const c_char, address: *mut DVdeviceptr) -> Outcome {
    not_null(name, "name")?;
    not_null(address, "vptr")?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = translate_key(unsafe { read_key(name) })?;
    let start = translate_key(own_keys()?.import(&key, importer, false))?;
    // SAFETY: not null, and the caller passes a place for an address.
    unsafe { give(address, start) }
}

unsafe fn destroy(name: *const c_char) -> Outcome {
    not_null(name, "name")?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = translate_key(unsafe { read_key(name) })?;
    translate_key(own_keys()?.withdraw(&key))
}

unsafe fn allow(name: *const c_char, list: *mut i32, count: i32) -> Outcome {
    not_null(name, "name")?;
    let count = native(u64::try_from(count).unwrap_or(0));
    // SAFETY: the program passes `count` process ids.
    let list = translate(unsafe { read_processes(list, count) })?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = translate_key(unsafe { read_key(name) })?;
    translate_key(own_keys()?.allow(&key, &list))
}
