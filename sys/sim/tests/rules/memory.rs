// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory: S8 to S21, S38 and S39, and what of S5 concerns allocations.

mod allocate;
mod batch;
mod copy;
mod freed;
mod peer;
mod plane;
mod pool;
mod query;
mod register;
mod streams;

use std::ffi::c_void;

use ascend_acl_sys::raw::types as raw;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;

use crate::calls::{Handle, last_error};
use crate::isolated;

pub(super) const H2H: u32 = 0;
pub(super) const H2D: u32 = 1;
pub(super) const D2H: u32 = 2;
pub(super) const D2D: u32 = 3;
pub(super) const AUTO: u32 = 4;

pub(super) const HUGE_ONLY: u32 = 1;
pub(super) const NORMAL_ONLY: u32 = 2;

pub(super) const MIB: usize = 1 << 20;

/// Runs a body once where device addresses are memory to the processor, and once where they are not.
pub(super) fn both(knobs: &[(&str, &str)], body: impl Fn()) {
    isolated::run(&[knobs, &[("ADDR", "same")]].concat(), &body);
    if !isolated::is_member() {
        isolated::run(&[knobs, &[("ADDR", "alias")]].concat(), &body);
    }
}

/// Allocates on the current device.
pub(super) fn device_memory(bytes: usize) -> Handle {
    made!(aclrtMalloc(bytes, NORMAL_ONLY))
}

/// Allocates pinned memory.
pub(super) fn host_memory(bytes: usize) -> Handle {
    made!(aclrtMallocHost(bytes))
}

/// Bytes of which no two neighbours are the same, for any offset below 64 Ki.
pub(super) fn data(bytes: usize, seed: u8) -> Vec<u8> {
    (0..bytes).map(|at| (at * 7 + at / 251).to_le_bytes()[0] ^ seed).collect()
}

pub(super) fn write(dst: Handle, bytes: &[u8]) {
    ok!(aclrtMemcpy(dst, bytes.len(), bytes.as_ptr().cast(), bytes.len(), H2D));
}

pub(super) fn read(src: *const c_void, bytes: usize) -> Vec<u8> {
    let mut out = vec![0; bytes];
    ok!(aclrtMemcpy(out.as_mut_ptr().cast(), bytes, src, bytes, D2H));
    out
}

/// Returns the address `bytes` further on.
pub(super) fn at(pointer: Handle, bytes: usize) -> Handle {
    pointer.wrapping_byte_add(bytes)
}

/// Free and total HBM of the current device.
pub(super) fn budget() -> (usize, usize) {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(1, &raw mut free, &raw mut total));
    (free, total)
}

/// Location type, device and page size at an address.
pub(super) fn place(pointer: *const c_void) -> (u32, u32, u32) {
    let attributes: raw::aclrtPtrAttributes = queried!(aclrtPointerGetAttributes(pointer));
    (attributes.location.type_, attributes.location.id, attributes.pageSize)
}

/// Returns true if the last error text contains this.
pub(super) fn last_error_names(what: &str) -> bool {
    let text = last_error();
    assert!(text.contains(what), "{text:?} does not name {what}");
    true
}

/// A mapping of the program's own, `pages` of 4 KiB.
pub(super) fn own_pages(pages: usize) -> Handle {
    // SAFETY: asks for fresh pages anywhere.
    let mapped = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            pages * 4096,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    assert_ne!(mapped, libc::MAP_FAILED);
    mapped
}

/// Gives pages of [`own_pages`] back.
pub(super) fn unmap(address: Handle, pages: usize) {
    // SAFETY: the pages are the test's own.
    assert_eq!(unsafe { libc::munmap(address, pages * 4096) }, 0);
}
