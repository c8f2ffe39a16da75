// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reserving addresses, mapping physical memory into them, and rights.

use std::ffi::c_void;

use ascend_acl_sys::raw::types::{aclrtMemAccessDesc, aclrtMemLocation};
use mf_base::sync::lock;

use super::{hand_out, needs_device, physical_of, place, unused};
use crate::acl::arguments::{array, give, known_bits, not_null, not_zero};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::region::regions;
use crate::memory::space::Area;
use crate::memory::{Access, PageSize};
use crate::sharing::addresses::Grant;
use crate::sharing::addresses::addresses;
use crate::sharing::addresses::pointer;
use crate::sharing::physical::check_length;
use crate::sharing::properties::STEP;

crate::exports! {
    /// Reserves addresses.
    fn aclrtReserveMemAddress(virPtr: *mut *mut c_void, size: usize, alignment: usize, expectPtr: *mut c_void,
        flags: u64) = reserve;
    /// Reserves addresses of the upper window, for memory that is not cached.
    fn aclrtReserveMemAddressNoUCMemory(virPtr: *mut *mut c_void, size: usize, alignment: usize,
        expectPtr: *mut c_void, flags: u64) = reserve_no_uc;
    /// Gives reserved addresses back.
    fn aclrtReleaseMemAddress(virPtr: *mut c_void) = release;
    /// Maps physical memory.
    fn aclrtMapMem(virPtr: *mut c_void, size: usize, offset: usize, handle: *mut c_void, flags: u64) = map;
    /// Unmaps the mapping at a start address.
    fn aclrtUnmapMem(virPtr: *mut c_void) = unmap;
    /// Gives devices rights to a mapping.
    fn aclrtMemSetAccess(virPtr: *mut c_void, size: usize, desc: *mut aclrtMemAccessDesc, count: usize) = set_access;
    /// The rights that were given to a device.
    fn aclrtMemGetAccess(virPtr: *mut c_void, location: *mut aclrtMemLocation, flag: *mut u64) = get_access;
    /// Returns a new handle for the memory mapped at an address.
    fn aclrtMemRetainAllocationHandle(virPtr: *mut c_void, handle: *mut *mut c_void) = retain;
    /// Lets another device reach memory of a device.
    fn aclrtMemP2PMap(devPtr: *mut c_void, size: usize, dstDevId: i32, flags: u64) = p2p_map;
}

fn check_alignment(alignment: usize) -> Outcome {
    let fits = alignment == 0 || alignment as u64 == STEP;
    ensure(fits, acl::RT_PARAM_INVALID, || format!("the alignment {alignment} is neither 0 nor {STEP}"))
}

unsafe fn reserve(
    virtual_pointer: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expected: *mut c_void,
    flags: u64,
) -> Outcome {
    not_null(virtual_pointer, "virPtr")?;
    not_zero(size, "size")?;
    check_alignment(alignment)?;
    known_bits(flags, 1, "flags")?;
    check_length(size as u64)?;
    needs_device()?;
    let machine = machine()?;
    ensure(expected.is_null() || machine.product.address_hints, acl::FEATURE_NOT_SUPPORT, || {
        "addresses cannot be asked for on this product; expectPtr must be null".to_owned()
    })?;
    let at = (!expected.is_null()).then_some(expected.addr() as u64);
    let start = addresses()?.reserve(Area::Acl, at, size as u64, false)?;
    // SAFETY: not null, and the caller passes a place for a pointer.
    unsafe { give(virtual_pointer, pointer(start)) }
}

unsafe fn reserve_no_uc(
    virtual_pointer: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expected: *mut c_void,
    flags: u64,
) -> Outcome {
    const GIANT: u64 = PageSize::Giant as u64;
    not_null(virtual_pointer, "virPtr")?;
    not_zero(size, "size")?;
    let machine = machine()?;
    ensure(machine.product.no_uc_reserve, acl::FEATURE_NOT_SUPPORT, || {
        "this product has no such addresses".to_owned()
    })?;
    check_alignment(alignment)?;
    known_bits(flags, 1, "flags")?;
    ensure((size as u64).is_multiple_of(GIANT), acl::RT_PARAM_INVALID, || {
        format!("the size {size} is not a multiple of {GIANT}")
    })?;
    ensure(!expected.is_null(), acl::RT_PARAM_INVALID, || {
        "expectPtr is null; these addresses must be asked for".to_owned()
    })?;
    needs_device()?;
    let at = Some(expected.addr() as u64);
    let start = addresses()?.reserve(Area::NoUc, at, size as u64, false)?;
    // SAFETY: not null, and the caller passes a place for a pointer.
    unsafe { give(virtual_pointer, pointer(start)) }
}

unsafe fn release(start: *mut c_void) -> Outcome {
    not_null(start, "virPtr")?;
    addresses()?.release(start.addr() as u64)
}

unsafe fn map(start: *mut c_void, size: usize, offset: usize, handle: *mut c_void, flags: u64) -> Outcome {
    not_null(start, "virPtr")?;
    not_zero(size, "size")?;
    unused(offset as u64, "offset")?;
    unused(flags, "flags")?;
    let physical = physical_of(handle)?;
    needs_device()?;
    addresses()?.map(start.addr() as u64, size as u64, &physical)
}

unsafe fn unmap(start: *mut c_void) -> Outcome {
    not_null(start, "virPtr")?;
    addresses()?.unmap(start.addr() as u64)
}

/// Largest number of access descriptors in one call; there are fewer devices and nodes.
pub(crate) const MOST_DESCRIPTIONS: usize = 1024;

/// Assumed: the processor's rights can be named too; they come with the memory and change nothing.
unsafe fn set_access(
    start: *mut c_void,
    size: usize,
    descriptions: *mut aclrtMemAccessDesc,
    count: usize,
) -> Outcome {
    not_null(start, "virPtr")?;
    not_zero(size, "size")?;
    not_null(descriptions, "desc")?;
    not_zero(count, "count")?;
    let mut wanted = Vec::new();
    // SAFETY: the caller passes `count` descriptions, in which any bytes are numbers.
    let descriptions = unsafe { array(descriptions, count, MOST_DESCRIPTIONS, "desc") }?;
    for (index, aclrtMemAccessDesc { flags, location, .. }) in descriptions.into_iter().enumerate() {
        let access = match flags {
            0 => Access::None,
            1 => Access::Read,
            3 => Access::ReadWrite,
            other => {
                let text = format_args!("invalid flags {other} of description {index}: must be 0, 1 or 3");
                return Err(Fault::new(acl::INVALID_PARAM, text));
            }
        };
        wanted.push((place(location)?, access));
    }
    needs_device()?;
    match addresses()?.set_access(start.addr() as u64, size as u64, &wanted)? {
        Grant::Given => Ok(()),
        Grant::Differs => Err(Fault::new(
            acl::DRV_INTERNAL_ERROR,
            "other rights were given on this mapping before; unmap it to change them",
        )),
    }
}

unsafe fn get_access(address: *mut c_void, location: *mut aclrtMemLocation, flag: *mut u64) -> Outcome {
    not_null(address, "virPtr")?;
    not_null(location, "location")?;
    not_null(flag, "flag")?;
    // SAFETY: not null, and the caller passes a location.
    let location = unsafe { location.read_unaligned() };
    let access = addresses()?.access(address.addr() as u64, place(location)?)?;
    let number = match access {
        None | Some(Access::None) => 0,
        Some(Access::Read) => 1,
        Some(Access::ReadWrite) => 3,
    };
    // SAFETY: not null, and the caller passes a place for the flag.
    unsafe { give(flag, number) }
}

unsafe fn retain(address: *mut c_void, handle: *mut *mut c_void) -> Outcome {
    not_null(address, "virPtr")?;
    not_null(handle, "handle")?;
    let physical = addresses()?.physical_at(address.addr() as u64)?;
    let fresh = hand_out(physical)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

/// Assumed: the call gives the device what enabled peer access would give it, for this memory alone.
unsafe fn p2p_map(start: *mut c_void, size: usize, device: i32, flags: u64) -> Outcome {
    not_null(start, "devPtr")?;
    not_zero(size, "size")?;
    unused(flags, "flags")?;
    let machine = machine()?;
    let device = machine.devices.get(device)?.physical;
    needs_device()?;
    let address = start.addr() as u64;
    let region = regions()?.find(address);
    let fits = |end: u64| size as u64 <= end - address;
    let region =
        region.filter(|region| region.block.is_some() && fits(region.range.end)).ok_or_else(|| {
            Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("{size} bytes from {address:#x} are not in one allocation"),
            )
        })?;
    lock(&region.grants).push((device, Access::ReadWrite));
    Ok(())
}
