// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocations of the driver, and attributes of addresses.

use std::ffi::c_void;

use ascend_acl_sys::raw::types::{
    DVattribute, DVdeviceptr, HAL_MEM_KIND_LOCK_DEV, HAL_MEM_KIND_LOCK_HOST, HAL_MEM_KIND_USER_MALLOC,
    HAL_MEM_KIND_USER_REGISTER,
};

use super::{device_number, expect, not_null, translate};
use crate::acl::arguments::give;
use crate::codes::hal;
use crate::device_ids;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::memory::heap::{self, Request};
use crate::memory::region::regions;
use crate::memory::space::space;
use crate::memory::{PageSize, RegionKind};
use crate::session::Location;
use crate::sharing::addresses::pointer;

crate::exports! {
    /// Allocates.
    fn halMemAlloc(pp: *mut *mut c_void, size: u64, flag: u64) = allocate;
    /// Frees.
    fn halMemFree(pp: *mut c_void) = free;
    /// Returns the attributes of an address.
    fn drvMemGetAttribute(vptr: DVdeviceptr, attr: *mut DVattribute) = attribute;
}

unsafe fn allocate(address: *mut *mut c_void, bytes: u64, flag: u64) -> Outcome {
    not_null(address, "pp")?;
    expect(bytes != 0, || "the size is 0".to_owned())?;
    let request = parse(flag, bytes)?;
    let start = translate(heap::allocate(request))?;
    // SAFETY: not null, and the caller passes a place for a pointer.
    unsafe { give(address, pointer(start)) }
}

/// Assumed: memory that host and device share lies on the device, and so does memory that is not asked for as
/// HBM, as the device has no other. What peers reach is all memory.
fn parse(flag: u64, bytes: u64) -> Outcome<Request> {
    let device = u32::try_from(flag & 0x3ff).unwrap_or(u32::MAX);
    let page = match (flag >> 31 & 1, flag >> 17 & 1) {
        (1, _) => PageSize::Giant,
        (0, 1) => PageSize::Huge,
        _ => PageSize::Normal,
    };
    let (location, kind) = match flag >> 10 & 0xf {
        0 | 1 => (Location::Device(device_number(device)?), RegionKind::Malloc),
        2 => {
            let server = translate(machine())?.config.server;
            (Location::Host(device_ids::machine_wide(server, 0)), RegionKind::HostMalloc)
        }
        other => {
            return Err(Fault::new(
                hal::INVALID_MALLOC_TYPE,
                format_args!("invalid kind {other} in flag {flag:#x}: must be 0, 1 or 2"),
            ));
        }
    };
    let accounted = bytes.checked_next_multiple_of(page.bytes()).ok_or_else(|| {
        Fault::new(hal::OUT_OF_MEMORY, format_args!("{bytes} bytes are more than there are addresses"))
    })?;
    Ok(Request { location, kind, bytes, accounted, page, grants: Vec::new() })
}

unsafe fn free(address: *mut c_void) -> Outcome {
    not_null(address, "pp")?;
    let start = address.addr() as u64;
    let kind = match translate(regions())?.starting_at(start) {
        Some(region) if region.kind == RegionKind::HostMalloc => RegionKind::HostMalloc,
        _ => RegionKind::Malloc,
    };
    translate(heap::free(start, kind))
}

unsafe fn attribute(address: DVdeviceptr, answer: *mut DVattribute) -> Outcome {
    expect(address != 0, || "vptr is 0".to_owned())?;
    not_null(answer, "attr")?;
    let (kind, device, page) = match translate(regions())?.find(address) {
        Some(region) => {
            let page = region.block.as_ref().map_or(PageSize::Normal, |block| block.page);
            match (region.kind, region.location) {
                (RegionKind::Registered, _) => (HAL_MEM_KIND_USER_REGISTER, 0, page),
                (_, Location::Device(device)) => {
                    (HAL_MEM_KIND_LOCK_DEV, device % device_ids::DEVICES_OF_A_SERVER, page)
                }
                (_, Location::Host(_)) => (HAL_MEM_KIND_LOCK_HOST, 0, page),
            }
        }
        None if is_window(address) || translate(space())?.overlaps(&(address..address.saturating_add(1))) => {
            return Err(Fault::new(hal::NOT_EXIST, format_args!("nothing is mapped at {address:#x}")));
        }
        None => (HAL_MEM_KIND_USER_MALLOC, 0, PageSize::Normal),
    };
    let page = u32::try_from(page.bytes()).unwrap_or(u32::MAX);
    let found = DVattribute { memType: kind, devId: device, pageSize: page, ..DVattribute::default() };
    // SAFETY: not null, and the caller passes a place for attributes.
    unsafe { give(answer, found) }
}

/// Returns true if the addresses are in the range reserved for devices: 16–24 TiB.
fn is_window(address: u64) -> bool {
    (16 << 40..24 << 40).contains(&address)
}
