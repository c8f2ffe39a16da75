// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lists of kernel arguments.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex};

use mf_base::sync::lock;

use super::taken;
use crate::acl::arguments::{give, not_null, not_zero};
use crate::codes::acl;
use crate::exports;
use crate::fault::{Outcome, ensure};
use crate::kernel::arguments::{List, OVERHEAD, Parameter, padded};
use crate::kernel::binary::{Function, LISTS, PARAMETERS};

exports! {
    /// An empty list.
    fn aclrtKernelArgsInit(funcHandle: *mut c_void, argsHandle: *mut *mut c_void) = init;
    /// Appends a value.
    fn aclrtKernelArgsAppend(
        argsHandle: *mut c_void, param: *mut c_void, paramSize: usize, paramHandle: *mut *mut c_void,
    ) = append;
    /// Appends a pointer to data that is still to come.
    fn aclrtKernelArgsAppendPlaceHolder(argsHandle: *mut c_void, paramHandle: *mut *mut c_void)
        = append_placeholder;
    /// Memory for those data.
    fn aclrtKernelArgsGetPlaceHolderBuffer(
        argsHandle: *mut c_void, paramHandle: *mut c_void, dataSize: usize, bufferAddr: *mut *mut c_void,
    ) = placeholder_buffer;
    /// Replaces a value.
    fn aclrtKernelArgsParaUpdate(
        argsHandle: *mut c_void, paramHandle: *mut c_void, param: *mut c_void, paramSize: usize,
    ) = update;
    /// Ends editing.
    fn aclrtKernelArgsFinalize(argsHandle: *mut c_void) => list_of(argsHandle)?.0.finalize();
    /// Size of the memory that a program gives for a handle.
    fn aclrtKernelArgsGetHandleMemSize(funcHandle: *mut c_void, memSize: *mut usize) = handle_size;
    /// Size of the memory that a program gives for arguments.
    fn aclrtKernelArgsGetMemSize(funcHandle: *mut c_void, userArgsSize: usize, actualArgsSize: *mut usize)
        = memory_size;
    /// An empty list in memory of the program's.
    fn aclrtKernelArgsInitByUserMem(
        funcHandle: *mut c_void, argsHandle: *mut c_void, userHostMem: *mut c_void, actualArgsSize: usize,
    ) = init_in;
}

/// Bytes of a handle in memory of the program's.
const HANDLE_BYTES: usize = 64;

/// Lists whose handle is an address in the program's memory.
static IN_PROGRAM: LazyLock<Mutex<HashMap<usize, usize>>> = LazyLock::new(Mutex::default);

/// The list behind a handle, and its proper handle.
pub(super) fn list_of(handle: *mut c_void) -> Outcome<(Arc<List>, usize)> {
    not_null(handle, "argsHandle")?;
    let own = lock(&IN_PROGRAM).get(&handle.addr()).copied().unwrap_or(handle.addr());
    Ok((LISTS.get(std::ptr::without_provenance(own), acl::RT_PARAM_INVALID)?, own))
}

unsafe fn init(function: *mut c_void, handle: *mut *mut c_void) -> Outcome {
    not_null(function, "funcHandle")?;
    not_null(handle, "argsHandle")?;
    Function::from_handle(function)?;
    let (made, _) = LISTS.insert_with(|handle| List::new(handle, function.addr(), None));
    // SAFETY: checked for null above.
    unsafe { give(handle, made) }
}

unsafe fn append(
    list: *mut c_void,
    value: *mut c_void,
    bytes: usize,
    parameter: *mut *mut c_void,
) -> Outcome {
    not_null(list, "argsHandle")?;
    not_null(value, "param")?;
    not_zero(bytes, "paramSize")?;
    not_null(parameter, "paramHandle")?;
    let (list, own) = list_of(list)?;
    let index = list.append(taken(value, bytes)?)?;
    // SAFETY: checked for null above.
    unsafe { give(parameter, PARAMETERS.insert_with(|_| Parameter { list: own, index }).0) }
}

unsafe fn append_placeholder(list: *mut c_void, parameter: *mut *mut c_void) -> Outcome {
    not_null(list, "argsHandle")?;
    not_null(parameter, "paramHandle")?;
    let (list, own) = list_of(list)?;
    let index = list.append_placeholder()?;
    // SAFETY: checked for null above.
    unsafe { give(parameter, PARAMETERS.insert_with(|_| Parameter { list: own, index }).0) }
}

unsafe fn placeholder_buffer(
    list: *mut c_void,
    parameter: *mut c_void,
    bytes: usize,
    buffer: *mut *mut c_void,
) -> Outcome {
    not_null(list, "argsHandle")?;
    not_null(parameter, "paramHandle")?;
    not_zero(bytes, "dataSize")?;
    not_null(buffer, "bufferAddr")?;
    let (list, own) = list_of(list)?;
    let at = list.buffer(index_in(own, parameter)?, bytes)?;
    // SAFETY: checked for null above.
    unsafe { give(buffer, at) }
}

unsafe fn update(list: *mut c_void, parameter: *mut c_void, value: *mut c_void, bytes: usize) -> Outcome {
    not_null(list, "argsHandle")?;
    not_null(parameter, "paramHandle")?;
    not_null(value, "param")?;
    not_zero(bytes, "paramSize")?;
    let (list, own) = list_of(list)?;
    list.update(index_in(own, parameter)?, taken(value, bytes)?)
}

/// The number of an argument, which must be of this list.
fn index_in(list: usize, parameter: *mut c_void) -> Outcome<usize> {
    let parameter = PARAMETERS.get(parameter, acl::RT_PARAM_INVALID)?;
    ensure(parameter.list == list, acl::RT_PARAM_INVALID, || {
        format!("argument {} belongs to another list", parameter.index)
    })?;
    Ok(parameter.index)
}

unsafe fn handle_size(function: *mut c_void, size: *mut usize) -> Outcome {
    not_null(function, "funcHandle")?;
    not_null(size, "memSize")?;
    Function::from_handle(function)?;
    // SAFETY: checked for null above.
    unsafe { give(size, HANDLE_BYTES) }
}

unsafe fn memory_size(function: *mut c_void, wanted: usize, size: *mut usize) -> Outcome {
    not_null(function, "funcHandle")?;
    not_null(size, "actualArgsSize")?;
    Function::from_handle(function)?;
    // SAFETY: checked for null above.
    unsafe { give(size, padded(wanted).saturating_add(OVERHEAD)) }
}

/// The program's memory is its measure: the arguments themselves are kept elsewhere, safe from
/// overwriting.
unsafe fn init_in(function: *mut c_void, handle: *mut c_void, memory: *mut c_void, bytes: usize) -> Outcome {
    not_null(function, "funcHandle")?;
    not_null(handle, "argsHandle")?;
    not_null(memory, "userHostMem")?;
    not_zero(bytes, "actualArgsSize")?;
    Function::from_handle(function)?;
    let (made, _) = LISTS.insert_with(|handle| List::new(handle, function.addr(), Some(bytes)));
    if let Some(before) = lock(&IN_PROGRAM).insert(handle.addr(), made.addr()) {
        // The same memory once more: the list that was there is gone.
        LISTS.remove(std::ptr::without_provenance(before), acl::RT_PARAM_INVALID).ok();
    }
    Ok(())
}
