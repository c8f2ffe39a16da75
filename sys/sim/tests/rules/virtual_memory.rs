// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Virtual memory management within a process: addresses, physical memory, mappings, rights.

mod addresses;
mod mapping;
mod physical;

use std::ffi::c_void;

use ascend_acl_sys::raw::types::{aclrtMemAccessDesc, aclrtMemLocation, aclrtPhysicalMemProp};
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::streams::*;
use ascend_sim::acl::virtual_memory::*;
use ascend_sim::machine::machine;
use ascend_sim::session::Location;

use crate::isolated::{self, Board};

pub(crate) const MIB: usize = 1 << 20;
pub(crate) const GIB: usize = 1 << 30;
pub(crate) const TIB: usize = 1 << 40;
pub(crate) const STEP: usize = 2 * MIB;

/// Attribute numbers of memory.
pub(crate) const HBM_HUGE: u32 = 4;
pub(crate) const HBM_NORMAL: u32 = 5;
pub(crate) const HBM_GIANT: u32 = 10;
pub(crate) const ANY_NORMAL: u32 = 12;
pub(crate) const ANY_HUGE: u32 = 13;
pub(crate) const ANY_GIANT: u32 = 14;

/// Location types.
pub(crate) const HOST: u32 = 0;
pub(crate) const DEVICE: u32 = 1;
pub(crate) const NUMA: u32 = 4;

pub(crate) fn set(device: i32) {
    assert_eq!(code!(aclrtSetDevice(device)), 0);
}

pub(crate) fn place(type_: u32, id: u32) -> aclrtMemLocation {
    aclrtMemLocation { id, type_ }
}

pub(crate) fn prop(attribute: u32, location: aclrtMemLocation) -> aclrtPhysicalMemProp {
    aclrtPhysicalMemProp { handleType: 0, allocationType: 0, memAttr: attribute, location, reserve: 0 }
}

pub(crate) fn hbm(device: u32) -> aclrtPhysicalMemProp {
    prop(HBM_HUGE, place(DEVICE, device))
}

/// Returns the code, and the out-pointer, which held 7 before.
pub(crate) fn try_reserve(bytes: usize, align: usize, at: usize, flags: u64) -> (i32, usize) {
    let mut start = 7 as *mut c_void;
    (code!(aclrtReserveMemAddress(&raw mut start, bytes, align, at as *mut c_void, flags)), start.addr())
}

pub(crate) fn reserve(bytes: usize) -> *mut c_void {
    let (code, start) = try_reserve(bytes, 0, 0, 0);
    assert_eq!(code, 0);
    start as *mut c_void
}

pub(crate) fn try_create(bytes: usize, prop: aclrtPhysicalMemProp) -> (i32, *mut c_void) {
    let mut handle = 7 as *mut c_void;
    (code!(aclrtMallocPhysical(&raw mut handle, bytes, &raw const prop, 0)), handle)
}

pub(crate) fn create(bytes: usize, prop: aclrtPhysicalMemProp) -> *mut c_void {
    let (code, handle) = try_create(bytes, prop);
    assert_eq!(code, 0);
    handle
}

pub(crate) fn map(start: *mut c_void, bytes: usize, handle: *mut c_void) -> i32 {
    code!(aclrtMapMem(start, bytes, 0, handle, 0))
}

pub(crate) fn unmap(start: *mut c_void) -> i32 {
    code!(aclrtUnmapMem(start))
}

pub(crate) fn free(handle: *mut c_void) -> i32 {
    code!(aclrtFreePhysical(handle))
}

pub(crate) fn release(start: *mut c_void) -> i32 {
    code!(aclrtReleaseMemAddress(start))
}

/// Memory of a device, mapped at fresh addresses.
pub(crate) fn mapped(bytes: usize, device: u32) -> (*mut c_void, *mut c_void) {
    let (start, handle) = (reserve(bytes), create(bytes, hbm(device)));
    assert_eq!(map(start, bytes, handle), 0);
    (start, handle)
}

pub(crate) fn grant(start: *mut c_void, bytes: usize, device: u32, flags: u32) -> i32 {
    let mut description = aclrtMemAccessDesc { flags, location: place(DEVICE, device), rsv: [0; 12] };
    code!(aclrtMemSetAccess(start, bytes, &raw mut description, 1))
}

pub(crate) fn rights(address: *mut c_void, device: u32) -> (i32, u64) {
    let (mut location, mut flag) = (place(DEVICE, device), 77);
    (code!(aclrtMemGetAccess(address, &raw mut location, &raw mut flag)), flag)
}

/// Copies from this process to an address of a device.
pub(crate) fn write(to: *mut c_void, bytes: &[u8]) -> i32 {
    code!(aclrtMemcpy(to, bytes.len(), bytes.as_ptr().cast(), bytes.len(), 1))
}

/// Copies from an address of a device to this process.
pub(crate) fn read(from: *const c_void, bytes: usize) -> Result<Vec<u8>, i32> {
    let mut out = vec![0; bytes];
    match code!(aclrtMemcpy(out.as_mut_ptr().cast(), bytes, from, bytes, 2)) {
        0 => Ok(out),
        code => Err(code),
    }
}

/// Copies on a new stream of the current device; the first refusal, of the call or of the stream.
pub(crate) fn copy_on_stream(to: *mut c_void, from: *const c_void, bytes: usize) -> i32 {
    let stream = made!(aclrtCreateStream());
    let code = match code!(aclrtMemcpyAsync(to, bytes, from, bytes, 3, stream)) {
        0 => code!(aclrtSynchronizeStream(stream)),
        refused => refused,
    };
    ok!(aclrtDestroyStream(stream));
    code
}

/// A number of the test as another type.
pub(crate) fn num<T: TryFrom<usize, Error: std::fmt::Debug>>(number: usize) -> T {
    number.try_into().unwrap()
}

/// Bytes that encode where they are.
pub(crate) fn pattern(range: std::ops::Range<usize>) -> Vec<u8> {
    range.map(|i| num((i * 31 + i / 251) % 256)).collect()
}

/// Free bytes of a device of server 0.
pub(crate) fn free_bytes(device: u32) -> u64 {
    machine().unwrap().session.budget(Location::Device(device)).unwrap().0
}

/// Runs the body in `size` processes for each set of knobs.
pub(crate) fn each(size: usize, variants: &[&[(&str, &str)]], body: impl Fn(usize, &Board)) {
    if isolated::is_member() {
        return isolated::crew(size, &[], body);
    }
    for knobs in variants {
        isolated::crew(size, knobs, &body);
    }
}

/// Runs the body once for each form of device addresses.
pub(crate) fn both(body: impl Fn()) {
    both_crews(1, |_, _| body());
}

/// Runs the body in `size` processes once for each form of device addresses.
pub(crate) fn both_crews(size: usize, body: impl Fn(usize, &Board)) {
    each(size, &[&[("ADDR", "same")], &[("ADDR", "alias")]], body);
}

pub(crate) const A2: (&str, &str) = ("SOC", "Ascend910B3");
pub(crate) const A3: (&str, &str) = ("SOC", "Ascend910_9382");
pub(crate) const A5: (&str, &str) = ("SOC", "Ascend950PR");
