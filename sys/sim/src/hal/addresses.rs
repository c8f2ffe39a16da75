// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserving addresses, mapping physical memory into them, and rights.

use std::ffi::c_void;
use std::sync::Arc;

use ascend_acl_sys::raw::types::{
    DVdeviceptr, HAL_MEM_ACCESS_MAX, HAL_RESERVE_DEVICE_SHARE, HAL_RESERVE_REMOTE_MAP, drv_mem_access_desc,
    drv_mem_handle_t, drv_mem_location,
};

use super::{device_number, expect, hand_out, not_null, physical_of, translate, unused};
use crate::acl::arguments::{array, give};
use crate::acl::virtual_memory::addresses::MOST_DESCRIPTIONS;
use crate::codes::{acl, hal};
use crate::device_ids;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::region::regions;
use crate::memory::space::Area;
use crate::memory::{Access, Block, RegionKind, native};
use crate::session::Location;
use crate::sharing::addresses::addresses;
use crate::sharing::addresses::pointer;
use crate::sharing::addresses::{Grant, Party};
use crate::sharing::physical::check_length;
use crate::sharing::properties::{self, STEP};
use crate::sharing::{Medium, Physical, Properties, Side};

crate::exports! {
    /// Reserves addresses.
    fn halMemAddressReserve(ptr: *mut *mut c_void, size: usize, alignment: usize, addr: *mut c_void, flag: u64)
        = reserve;
    /// Gives reserved addresses back.
    fn halMemAddressFree(ptr: *mut c_void) = release;
    /// Maps physical memory.
    fn halMemMap(ptr: *mut c_void, size: usize, offset: usize, handle: *mut drv_mem_handle_t, flag: u64) = map;
    /// Unmaps the mapping at a start address.
    fn halMemUnmap(ptr: *mut c_void) = unmap;
    /// Gives rights to a mapping.
    fn halMemSetAccess(ptr: *mut c_void, size: usize, desc: *mut drv_mem_access_desc, count: usize) = set_access;
    /// The rights that were given.
    fn halMemGetAccess(ptr: *mut c_void, location: *mut drv_mem_location, flags: *mut u64) = get_access;
    /// Returns a new handle for the memory at an address.
    fn halMemRetainAllocationHandle(handle: *mut *mut drv_mem_handle_t, ptr: *mut c_void) = retain;
    /// Start and size of the mapping or allocation at an address.
    fn halMemGetAddressRange(ptr: DVdeviceptr, pbase: *mut DVdeviceptr, psize: *mut usize) = address_range;
}

unsafe fn reserve(
    address: *mut *mut c_void,
    size: usize,
    alignment: usize,
    wanted: *mut c_void,
    flag: u64,
) -> Outcome {
    not_null(address, "ptr")?;
    expect(size as u64 >= STEP, || format!("the size {size} is less than {STEP}"))?;
    unused(alignment as u64, "alignment")?;
    let page = flag & 0xff;
    let bits = flag & !0xff;
    expect(page <= 2, || format!("invalid page type {page}"))?;
    expect(bits & !(HAL_RESERVE_DEVICE_SHARE | HAL_RESERVE_REMOTE_MAP) == 0, || {
        format!("the flag {flag:#x} has unknown bits")
    })?;
    ensure(bits == 0 || !wanted.is_null(), hal::NOT_SUPPORT, || {
        format!("the flag {flag:#x} is for addresses that are asked for, and addr is null")
    })?;
    let machine = translate(machine())?;
    let remote = bits & HAL_RESERVE_REMOTE_MAP != 0;
    if !remote {
        translate(check_length(size as u64))?;
        let is_taken = machine.product.address_hints || wanted.is_null() || is_meta(wanted.addr() as u64);
        ensure(is_taken, hal::NOT_SUPPORT, || {
            "addresses cannot be asked for on this product, except for remote memory and from 24 TiB - 2 GiB to \
             24 TiB"
                .to_owned()
        })?;
    }
    let area = area(remote);
    let at = (!wanted.is_null()).then_some(wanted.addr() as u64);
    let start = translate(translate(addresses())?.reserve(area, at, size as u64, remote))?;
    // SAFETY: not null, and the caller passes a place for a pointer.
    unsafe { give(address, pointer(start)) }
}

/// Assumed: memory that devices of the process share lies in the same window as other memory at given
/// addresses.
fn area(remote: bool) -> Area {
    if remote { Area::Remote } else { Area::Hal }
}

/// Returns true if an address is in the meta area of released programs. Assumed: it may be requested on every
/// product, since these programs do so also on 950.
fn is_meta(address: u64) -> bool {
    (0x17ff_8000_0000..0x1800_0000_0000).contains(&address)
}

unsafe fn release(start: *mut c_void) -> Outcome {
    not_null(start, "ptr")?;
    translate(translate(addresses())?.release(start.addr() as u64))
}

unsafe fn map(
    start: *mut c_void,
    size: usize,
    offset: usize,
    handle: *mut drv_mem_handle_t,
    flag: u64,
) -> Outcome {
    not_null(start, "ptr")?;
    expect(size != 0, || "the size is 0".to_owned())?;
    unused(offset as u64, "offset")?;
    unused(flag, "flag")?;
    let physical = physical_of(handle)?;
    translate(translate(addresses())?.map(start.addr() as u64, size as u64, &physical))
}

unsafe fn unmap(start: *mut c_void) -> Outcome {
    not_null(start, "ptr")?;
    translate(translate(addresses())?.unmap(start.addr() as u64))
}

fn party(location: drv_mem_location) -> Outcome<Party> {
    let drv_mem_location { id, side } = location;
    match side {
        0 => Ok((Side::Host, device_ids::machine_wide(translate(machine())?.config.server, 0))),
        1 => Ok((Side::Device, device_number(id)?)),
        2 => Ok((Side::Numa, translate(properties::node(id))?)),
        other => Err(Fault::new(hal::INVALID_VALUE, format_args!("invalid side {other}: must be 0, 1 or 2"))),
    }
}

unsafe fn set_access(
    start: *mut c_void,
    size: usize,
    descriptions: *mut drv_mem_access_desc,
    count: usize,
) -> Outcome {
    not_null(start, "ptr")?;
    not_null(descriptions, "desc")?;
    expect(size != 0, || "the size is 0".to_owned())?;
    expect(count != 0, || "count is 0".to_owned())?;
    let mut wanted = Vec::new();
    // SAFETY: the caller passes `count` descriptions, in which any bytes are numbers.
    let descriptions = translate(unsafe { array(descriptions, count, MOST_DESCRIPTIONS, "desc") })?;
    for (index, drv_mem_access_desc { type_, location, .. }) in descriptions.into_iter().enumerate() {
        let access = match type_ {
            0 => Access::None,
            1 => Access::Read,
            3 => Access::ReadWrite,
            other => {
                let text = format_args!("invalid type {other} of description {index}: must be 0, 1 or 3");
                return Err(Fault::new(hal::INVALID_VALUE, text));
            }
        };
        wanted.push((party(location)?, access));
    }
    let addresses = translate(addresses())?;
    match translate(addresses.set_access(start.addr() as u64, size as u64, &wanted))? {
        Grant::Given => Ok(()),
        Grant::Differs => Err(Fault::new(
            hal::BUSY,
            "other rights were given on this mapping before; unmap it to change them",
        )),
    }
}

unsafe fn get_access(address: *mut c_void, location: *mut drv_mem_location, flags: *mut u64) -> Outcome {
    not_null(address, "ptr")?;
    not_null(location, "location")?;
    not_null(flags, "flags")?;
    // SAFETY: not null, and the caller passes a location.
    let location = unsafe { location.read_unaligned() };
    let addresses = translate(addresses())?;
    let number = match translate(addresses.access(address.addr() as u64, party(location)?))? {
        None => u64::from(HAL_MEM_ACCESS_MAX),
        Some(Access::None) => 0,
        Some(Access::Read) => 1,
        Some(Access::ReadWrite) => 3,
    };
    // SAFETY: not null, and the caller passes a place for the flags.
    unsafe { give(flags, number) }
}

unsafe fn retain(handle: *mut *mut drv_mem_handle_t, address: *mut c_void) -> Outcome {
    not_null(handle, "handle")?;
    not_null(address, "ptr")?;
    let fresh = hand_out(translate(physical_at(address.addr() as u64))?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

/// The memory of a mapping, or of an allocation as a whole.
///
/// Assumed: an allocation that shares its pages with others cannot be taken by itself.
fn physical_at(address: u64) -> Outcome<Arc<Physical>> {
    let region = regions()?.find(address);
    let Some(region) = region.filter(|region| region.kind == RegionKind::Malloc) else {
        return addresses()?.physical_at(address);
    };
    let Location::Device(device) = region.location else {
        return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("{address:#x} is not on a device")));
    };
    let bytes = region.range.end - region.range.start;
    let is_whole =
        |block: &&Arc<Block>| region.block_offset == 0 && block.bytes - bytes <= block.page.bytes();
    let block = region.block.as_ref().filter(is_whole).ok_or_else(|| {
        let text = format_args!(
            "the allocation at {:#x} shares its pages; allocate 2 MiB or more",
            region.range.start
        );
        Fault::new(acl::RT_PARAM_INVALID, text)
    })?;
    let properties = Properties {
        side: Side::Device,
        id: device,
        page: block.page,
        medium: Medium::Hbm,
        p2p: false,
        module: 0,
    };
    Physical::of_block(block, bytes.next_multiple_of(STEP).min(block.bytes), properties, None)
}

unsafe fn address_range(address: DVdeviceptr, base: *mut DVdeviceptr, size: *mut usize) -> Outcome {
    expect(address != 0, || "ptr is 0".to_owned())?;
    expect(!base.is_null() || !size.is_null(), || "both output pointers are null".to_owned())?;
    let region = translate(regions())?.find(address).ok_or_else(|| {
        Fault::new(hal::INVALID_VALUE, format_args!("no memory that the driver knows is at {address:#x}"))
    })?;
    if !base.is_null() {
        // SAFETY: not null, and the caller passes a place for an address.
        unsafe { give(base, region.range.start) }?;
    }
    if !size.is_null() {
        // SAFETY: not null, and the caller passes a place for a size.
        unsafe { give(size, native(region.range.end - region.range.start)) }?;
    }
    Ok(())
}
