// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The driver's memory functions: their numbers, windows and differences from ACL's.

mod addresses;
mod allocations;
mod global;
mod host;
mod share;

use std::ffi::c_void;

use ascend_acl_sys::raw::types::*;
use ascend_sim::hal::addresses::*;
use ascend_sim::hal::physical::*;

use crate::virtual_memory::{GIB, STEP};

/// Numbers of `drvError_t`.
const INVALID_DEVICE: i32 = 2;
const INVALID_VALUE: i32 = 3;
const INVALID_HANDLE: i32 = 4;
const INVALID_MALLOC_TYPE: i32 = 5;
const OUT_OF_MEMORY: i32 = 6;
const NOT_EXIST: i32 = 11;
const BUSY: i32 = 13;
const NOT_PERMITTED: i32 = 46;
const NOT_SUPPORT: i32 = 0xfffe;

/// Reserve for remote memory.
const REMOTE: u64 = 0x200;
const SHARE: u64 = 0x100;
const FABRIC: i32 = 1;

type Handle = *mut drv_mem_handle_t;

/// Returns the code, and the out-pointer, which held 7 before.
fn try_reserve(bytes: usize, at: usize, flag: u64) -> (i32, usize) {
    let mut start = 7 as *mut c_void;
    (code!(halMemAddressReserve(&raw mut start, bytes, 0, at as *mut c_void, flag)), start.addr())
}

fn reserve(bytes: usize, at: usize, flag: u64) -> *mut c_void {
    let (code, start) = try_reserve(bytes, at, flag);
    assert_eq!(code, 0);
    start as *mut c_void
}

fn hbm(device: u32) -> drv_mem_prop {
    drv_mem_prop { side: 1, devid: device, module_id: 0, pg_type: 1, mem_type: 0, reserve: 0 }
}

/// As upstream asks for host memory.
fn dram() -> drv_mem_prop {
    drv_mem_prop { side: 2, devid: u32::MAX, module_id: 0, pg_type: 2, mem_type: 3, reserve: 0 }
}

fn try_create(bytes: usize, prop: drv_mem_prop) -> (i32, Handle) {
    let mut handle = 7 as Handle;
    (code!(halMemCreate(&raw mut handle, bytes, &raw const prop, 0)), handle)
}

fn create(bytes: usize, prop: drv_mem_prop) -> Handle {
    let (code, handle) = try_create(bytes, prop);
    assert_eq!(code, 0);
    handle
}

fn map(start: *mut c_void, bytes: usize, handle: Handle) -> i32 {
    code!(halMemMap(start, bytes, 0, handle, 0))
}

fn mapped(bytes: usize, prop: drv_mem_prop) -> (*mut c_void, Handle) {
    let (start, handle) = (reserve(bytes, 0, 1), create(bytes, prop));
    assert_eq!(map(start, bytes, handle), 0);
    (start, handle)
}

fn unmap(start: *mut c_void) -> i32 {
    code!(halMemUnmap(start))
}

fn release(handle: Handle) -> i32 {
    code!(halMemRelease(handle))
}

fn free_address(start: *mut c_void) -> i32 {
    code!(halMemAddressFree(start))
}
