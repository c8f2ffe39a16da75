// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lending memory of an allocation to other processes, by key.

use std::ffi::{c_char, c_void};

use ascend_acl_sys::raw::types::aclrtServerPid;

use super::arguments::{array, give, known_bits, not_null, not_zero};

use super::virtual_memory::share::{MOST_PROCESSES, read_processes};
use crate::codes::acl;
use crate::context::importer;
use crate::device_ids::server_of;
use crate::fault::{Fault, Outcome, ensure};
use crate::sharing::addresses::pointer;
use crate::sharing::ipc::keys;
use crate::sharing::ipc::{KEY_BYTES, read_key, write_key};

crate::exports! {
    /// Makes a key of a part of an allocation.
    fn aclrtIpcMemGetExportKey(devPtr: *mut c_void, size: usize, key: *mut c_char, len: usize, flags: u64) = export;
    /// Names processes that may import.
    fn aclrtIpcMemSetImportPid(key: *const c_char, pid: *mut i32, num: usize) = allow;
    /// Names processes of other servers that may import.
    fn aclrtIpcMemImportPidInterServer(key: *const c_char, serverPids: *mut aclrtServerPid, num: usize)
        = allow_elsewhere;
    /// Opens the memory of a key.
    fn aclrtIpcMemImportByKey(devPtr: *mut *mut c_void, key: *const c_char, flags: u64) = import;
    /// Closes a key, opened or own.
    fn aclrtIpcMemClose(key: *const c_char) = close;
    /// Sets an attribute of an own key.
    fn aclrtIpcMemSetAttr(key: *const c_char, r#type: u32, attr: u64) = set_attribute;
}

unsafe fn export(start: *mut c_void, size: usize, key: *mut c_char, len: usize, flags: u64) -> Outcome {
    not_null(start, "devPtr")?;
    not_zero(size, "size")?;
    not_null(key, "key")?;
    ensure(len >= KEY_BYTES, acl::INVALID_PARAM, || format!("a key takes {KEY_BYTES} bytes, len is {len}"))?;
    known_bits(flags, 1, "flags")?;
    let text = keys()?.export(start.addr() as u64, size as u64, flags == 1)?;
    // SAFETY: the caller passes `len` bytes, which are as many as a key takes.
    unsafe { write_key(&text, key) };
    Ok(())
}

unsafe fn allow(key: *const c_char, list: *mut i32, count: usize) -> Outcome {
    not_null(key, "key")?;
    // SAFETY: the program passes `count` process ids.
    let list = unsafe { read_processes(list, count) }?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = unsafe { read_key(key) }?;
    keys()?.allow(&key, &list)
}

unsafe fn allow_elsewhere(key: *const c_char, servers: *mut aclrtServerPid, count: usize) -> Outcome {
    not_null(key, "key")?;
    not_null(servers, "serverPids")?;
    not_zero(count, "num")?;
    let mut lists = Vec::new();
    // SAFETY: the caller passes `count` entries, in which any bytes are numbers and pointers.
    for aclrtServerPid { sdid, pid, num } in unsafe { array(servers, count, MOST_PROCESSES, "serverPids") }? {
        // SAFETY: each entry has `num` process ids at `pid`, by the interface.
        lists.push((server_of(sdid), unsafe { read_processes(pid, num) }?));
    }
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = unsafe { read_key(key) }?;
    let ipc = keys()?;
    lists.iter().try_for_each(|(server, list)| ipc.allow_on_server(&key, *server, list))
}

unsafe fn import(address: *mut *mut c_void, key: *const c_char, flags: u64) -> Outcome {
    not_null(address, "devPtr")?;
    not_null(key, "key")?;
    known_bits(flags, 1, "flags")?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = unsafe { read_key(key) }?;
    let start = keys()?.import(&key, importer, flags == 1)?;
    // SAFETY: not null, and the caller passes a place for a pointer.
    unsafe { give(address, pointer(start)) }
}

unsafe fn close(key: *const c_char) -> Outcome {
    not_null(key, "key")?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = unsafe { read_key(key) }?;
    keys()?.close(&key)
}

/// Assumed: the choice of link has no effect visible to a program.
unsafe fn set_attribute(key: *const c_char, attribute: u32, value: u64) -> Outcome {
    not_null(key, "key")?;
    ensure(attribute == 0, acl::INVALID_PARAM, || format!("the attribute {attribute} is not 0 (link)"))?;
    // SAFETY: the program passes a key that ends with 0 or fills its 65 bytes.
    let key = unsafe { read_key(key) }?;
    keys()?.check_own(&key)?;
    match value {
        0 | 1 => Ok(()),
        other => Err(Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!("the link {other} is neither 0 (SIO) nor 1 (HCCS)"),
        )),
    }
}
