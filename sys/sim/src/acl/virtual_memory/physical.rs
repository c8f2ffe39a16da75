// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory: allocation, release and properties.

use std::ffi::c_void;

use ascend_acl_sys::raw::types::{aclrtMemLocation, aclrtPhysicalMemProp};

use super::{hand_out, needs_device, physical_of, place, unused, user_number};
use crate::acl::arguments::{give, not_null, not_zero, one_of};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::memory::PageSize;
use crate::sharing::physical::acl_handles;
use crate::sharing::{Medium, Physical, Properties, Side};

crate::exports! {
    /// Makes physical memory.
    fn aclrtMallocPhysical(handle: *mut *mut c_void, size: usize, prop: *const aclrtPhysicalMemProp, flags: u64)
        = create;
    /// Gives up a handle of physical memory.
    fn aclrtFreePhysical(handle: *mut c_void) = free;
    /// Returns the allocation granularity.
    fn aclrtMemGetAllocationGranularity(prop: *mut aclrtPhysicalMemProp, option: u32, granularity: *mut usize)
        = find_granularity;
    /// Returns the properties of physical memory.
    fn aclrtMemGetAllocationPropertiesFromHandle(handle: *mut c_void, prop: *mut aclrtPhysicalMemProp) = find_properties;
}

/// Memory kinds, by number, that physical memory can have.
///
/// Assumed: the two that name no pages (0 and 1) only select what memory is reported.
const KINDS: [(u32, Medium, PageSize, bool); 16] = [
    (2, Medium::Ddr, PageSize::Huge, false),
    (3, Medium::Ddr, PageSize::Normal, false),
    (4, Medium::Hbm, PageSize::Huge, false),
    (5, Medium::Hbm, PageSize::Normal, false),
    (6, Medium::Ddr, PageSize::Huge, true),
    (7, Medium::Ddr, PageSize::Normal, true),
    (8, Medium::Hbm, PageSize::Huge, true),
    (9, Medium::Hbm, PageSize::Normal, true),
    (10, Medium::Hbm, PageSize::Giant, false),
    (11, Medium::Hbm, PageSize::Giant, true),
    (12, Medium::Any, PageSize::Normal, false),
    (13, Medium::Any, PageSize::Huge, false),
    (14, Medium::Any, PageSize::Giant, false),
    (15, Medium::Any, PageSize::Normal, true),
    (16, Medium::Any, PageSize::Huge, true),
    (17, Medium::Any, PageSize::Giant, true),
];

fn parse(prop: &aclrtPhysicalMemProp) -> Outcome<Properties> {
    let aclrtPhysicalMemProp { handleType, allocationType, memAttr, location, reserve } = *prop;
    unused(reserve, "prop.reserve")?;
    ensure(allocationType == 0, acl::INVALID_PARAM, || {
        format!("the allocation type {allocationType} is not 0 (pinned)")
    })?;
    match handleType {
        0 => {}
        // A number of the enumeration, but of handles that do not exist here.
        2 => {
            return Err(Fault::new(
                acl::RT_PARAM_INVALID,
                "file descriptors for physical memory are not supported",
            ));
        }
        other => {
            return Err(Fault::new(
                acl::INVALID_PARAM,
                format_args!("the handle type {other} is not 0 (none)"),
            ));
        }
    }
    ensure(memAttr <= 17, acl::INVALID_PARAM, || format!("invalid memory attribute {memAttr}"))?;
    let kind = KINDS.iter().find(|(number, ..)| *number == memAttr);
    let &(_, medium, page, p2p) = kind.ok_or_else(|| {
        Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!("the memory attribute {memAttr} says nothing of pages"),
        )
    })?;
    let (side, id) = place(location)?;
    let properties = Properties { side, id, page, medium, p2p, module: 0 };
    properties.check()?;
    Ok(properties)
}

unsafe fn create(
    handle: *mut *mut c_void,
    size: usize,
    prop: *const aclrtPhysicalMemProp,
    flags: u64,
) -> Outcome {
    not_null(handle, "handle")?;
    not_null(prop, "prop")?;
    not_zero(size, "size")?;
    unused(flags, "flags")?;
    // SAFETY: not null, and the caller passes properties.
    let properties = parse(&unsafe { prop.read_unaligned() })?;
    needs_device()?;
    let fresh = hand_out(Physical::create(size as u64, properties)?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

unsafe fn free(handle: *mut c_void) -> Outcome {
    not_null(handle, "handle")?;
    acl_handles()?.remove(handle, acl::RT_PARAM_INVALID).map(drop)
}

unsafe fn find_granularity(prop: *mut aclrtPhysicalMemProp, option: u32, granularity: *mut usize) -> Outcome {
    not_null(prop, "prop")?;
    not_null(granularity, "granularity")?;
    one_of(option, &[0, 1], "option")?;
    // SAFETY: not null, and the caller passes properties.
    let step = parse(&unsafe { prop.read_unaligned() })?.granularity();
    // SAFETY: not null, and the caller passes a place for a size.
    unsafe { give(granularity, crate::memory::native(step)) }
}

unsafe fn find_properties(handle: *mut c_void, prop: *mut aclrtPhysicalMemProp) -> Outcome {
    not_null(prop, "prop")?;
    let physical = physical_of(handle)?;
    let Properties { side, id, page, medium, p2p, .. } = physical.properties;
    // Giant pages of the host's memory have a number under its general name only.
    let medium = if (medium, page) == (Medium::Ddr, PageSize::Giant) { Medium::Any } else { medium };
    let same = |kind: &&(u32, Medium, PageSize, bool)| (kind.1, kind.2, kind.3) == (medium, page, p2p);
    let memory_attribute = KINDS.iter().find(same).map_or(0, |kind| kind.0);
    let location = match side {
        Side::Host => aclrtMemLocation { id: 0, type_: 0 },
        Side::Device => aclrtMemLocation { id: user_number(id, physical.importer)?, type_: 1 },
        Side::Numa => aclrtMemLocation { id: id % crate::device_ids::DEVICES_OF_A_SERVER, type_: 4 },
    };
    let answer = aclrtPhysicalMemProp {
        handleType: 0,
        allocationType: 0,
        memAttr: memory_attribute,
        location,
        reserve: 0,
    };
    // SAFETY: not null, and the caller passes a place for properties.
    unsafe { give(prop, answer) }
}
