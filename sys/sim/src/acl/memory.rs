// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocating and freeing memory. `query`: attributes of memory.

mod config;
pub mod query;

pub use query::*;

use std::ffi::c_void;

use ascend_acl_sys::raw::types as raw;

use super::arguments::{give, not_null, not_zero};
use crate::codes::acl;
use crate::context;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::heap::{self, Request};
use crate::memory::{self, PageSize, RegionKind};
use crate::session::Location;
use crate::stream::callback::refuse_in_callback;
use config::AllocationOptions;

crate::exports! {
    /// Allocates memory of the current device.
    fn aclrtMalloc(devPtr: *mut *mut c_void, size: usize, policy: u32) = malloc;
    /// As [`aclrtMalloc`], accounted for without the extra 32 bytes.
    fn aclrtMallocAlign32(devPtr: *mut *mut c_void, size: usize, policy: u32) = malloc_align32;
    /// As [`aclrtMalloc`], with options.
    fn aclrtMallocWithCfg(
        devPtr: *mut *mut c_void, size: usize, policy: u32, cfg: *mut raw::aclrtMallocConfig,
    ) = malloc_with_config;
    /// Frees memory of a device; streams are not waited for.
    fn aclrtFree(devPtr: *mut c_void) = free;
    /// Waits for the device, then frees.
    fn aclrtFreeWithDevSync(devPtr: *mut c_void) = free_synchronized;
    /// Allocates pinned memory of the host.
    fn aclrtMallocHost(hostPtr: *mut *mut c_void, size: usize)
        // SAFETY: null is refused; else the program passes a place for a pointer. There is no configuration.
        => unsafe { malloc_host_with_config(hostPtr, size as u64, std::ptr::null_mut()) };
    /// As [`aclrtMallocHost`], with options.
    fn aclrtMallocHostWithCfg(
        ptr: *mut *mut c_void, size: u64, cfg: *mut raw::aclrtMallocConfig,
    ) = malloc_host_with_config;
    /// Frees pinned memory of the host.
    fn aclrtFreeHost(hostPtr: *mut c_void) => free_as(hostPtr, RegionKind::HostMalloc);
    /// Waits for the device, then frees.
    fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) = free_host_synchronized;
}

pub(crate) unsafe fn malloc(out: *mut *mut c_void, bytes: usize, policy: u32) -> Outcome {
    check_request(out, bytes as u64)?;
    let address = on_device(None, bytes as u64, policy, Tail::Padded)?;
    // SAFETY: checked; valid by the interface's contract.
    unsafe { give(out, pointer(address)) }
}

unsafe fn malloc_align32(out: *mut *mut c_void, bytes: usize, policy: u32) -> Outcome {
    check_request(out, bytes as u64)?;
    let address = on_device(None, bytes as u64, policy, Tail::Plain)?;
    // SAFETY: checked for null by `check_request`; the program passes a place for a pointer.
    unsafe { give(out, pointer(address)) }
}

unsafe fn malloc_with_config(
    out: *mut *mut c_void,
    bytes: usize,
    policy: u32,
    config: *mut raw::aclrtMallocConfig,
) -> Outcome {
    check_request(out, bytes as u64)?;
    // SAFETY: null, or valid by the interface's contract.
    let options = unsafe { AllocationOptions::read(config) }?;
    let address = on_device(options.device, bytes as u64, policy, Tail::Padded)?;
    // SAFETY: checked; valid by the interface's contract.
    unsafe { give(out, pointer(address)) }
}

unsafe fn malloc_host_with_config(
    out: *mut *mut c_void,
    bytes: u64,
    config: *mut raw::aclrtMallocConfig,
) -> Outcome {
    check_request(out, bytes)?;
    refuse_in_callback()?;
    // SAFETY: null, or valid by the interface's contract.
    let options = unsafe { AllocationOptions::read(config) }?;
    let request = Request {
        location: machine()?.own_host(),
        kind: RegionKind::HostMalloc,
        bytes,
        accounted: accounted(bytes, PageSize::Normal, Tail::Plain)?,
        page: PageSize::Normal,
        grants: options.grants()?,
    };
    let address = heap::allocate(request)?;
    // SAFETY: checked; valid by the interface's contract.
    unsafe { give(out, pointer(address)) }
}

pub(crate) unsafe fn free(address: *mut c_void) -> Outcome {
    free_as(address, RegionKind::Malloc)
}

unsafe fn free_synchronized(address: *mut c_void) -> Outcome {
    not_null(address, "devPtr")?;
    context::current()?.device.synchronize(None)?;
    free_as(address, RegionKind::Malloc)
}

unsafe fn free_host_synchronized(address: *mut c_void) -> Outcome {
    not_null(address, "hostPtr")?;
    context::current()?.device.synchronize(None)?;
    free_as(address, RegionKind::HostMalloc)
}

fn free_as(address: *mut c_void, kind: RegionKind) -> Outcome {
    not_null(address, "the address to free")?;
    refuse_in_callback()?;
    heap::free(address.addr() as u64, kind)
}

fn check_request(out: *mut *mut c_void, bytes: u64) -> Outcome {
    not_null(out, "the pointer for the address")?;
    not_zero(memory::native(bytes), "size")
}

/// Extra 32 bytes in the accounted size, as the interface of the call has it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    Padded,
    Plain,
}

/// The pages that a policy tries, in order.
fn pages(policy: u32) -> Outcome<&'static [PageSize]> {
    const LOW_BAND: u32 = 0x100;
    const HIGH_BAND: u32 = 0x1000;
    const USER_SPACE_READONLY: u32 = 0x10_0000;
    // A policy for memory that peers reach takes from the same memory as its twin.
    match policy & !(LOW_BAND | HIGH_BAND | USER_SPACE_READONLY) {
        raw::ACL_MEM_MALLOC_HUGE_FIRST | raw::ACL_MEM_MALLOC_HUGE_FIRST_P2P => {
            Ok(&[PageSize::Huge, PageSize::Normal])
        }
        raw::ACL_MEM_MALLOC_HUGE_ONLY | raw::ACL_MEM_MALLOC_HUGE_ONLY_P2P => Ok(&[PageSize::Huge]),
        raw::ACL_MEM_MALLOC_NORMAL_ONLY | raw::ACL_MEM_MALLOC_NORMAL_ONLY_P2P => Ok(&[PageSize::Normal]),
        raw::ACL_MEM_MALLOC_HUGE1G_ONLY | raw::ACL_MEM_MALLOC_HUGE1G_ONLY_P2P => Ok(&[PageSize::Giant]),
        _ => Err(Fault::new(
            acl::INVALID_PARAM,
            format_args!("invalid policy={policy:#x}: not an allocation policy"),
        )),
    }
}

/// Allocates on a device, by user number, or on the current one. Only a lack of memory leads from one size of
/// pages to the next.
fn on_device(user: Option<u32>, bytes: u64, policy: u32, tail: Tail) -> Outcome<u64> {
    let pages = pages(policy)?;
    let current = context::current()?;
    let device = match user {
        None => current.device.physical,
        Some(user) => machine()?.devices.get(i32::try_from(user).unwrap_or(i32::MAX))?.physical,
    };
    one_call_at_most(bytes)?;
    let mut outcome = Err(Fault::new(acl::INTERNAL_ERROR, "a policy without pages"));
    for &page in pages {
        outcome = heap::allocate(Request {
            location: Location::Device(device),
            kind: RegionKind::Malloc,
            bytes,
            accounted: accounted(bytes, page, tail)?,
            page,
            grants: Vec::new(),
        });
        if !matches!(&outcome, Err(fault) if fault.code == acl::MEMORY_ALLOCATION) {
            break;
        }
    }
    outcome
}

/// Assumed: one call for more than 128 GiB fails as out of memory, independent of the device.
fn one_call_at_most(bytes: u64) -> Outcome {
    const MOST: u64 = 128 << 30;
    ensure(bytes <= MOST, acl::MEMORY_ALLOCATION, || {
        format!("{bytes} bytes are more than one call may ask for, {MOST}")
    })
}

/// Returns the bytes charged to the budget for `bytes`.
fn accounted(bytes: u64, page: PageSize, tail: Tail) -> Outcome<u64> {
    let extra = if tail == Tail::Padded && page != PageSize::Giant { 32 } else { 0 };
    let rounded = bytes.checked_next_multiple_of(32).and_then(|bytes| bytes.checked_add(extra));
    rounded.and_then(|bytes| bytes.checked_next_multiple_of(page.bytes())).ok_or_else(|| {
        Fault::new(acl::MEMORY_ALLOCATION, format_args!("{bytes} bytes are more than there are addresses"))
    })
}

/// An address as programs pass it.
pub(crate) fn pointer(address: u64) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(memory::native(address))
}
