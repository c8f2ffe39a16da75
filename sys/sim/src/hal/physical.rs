// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory: allocation, release and properties.

use ascend_acl_sys::raw::types::{drv_mem_handle_t, drv_mem_prop};

use super::{device_number, expect, hand_out, not_null, physical_of, translate, unused};
use crate::acl::arguments::give;
use crate::codes::hal;
use crate::device_ids;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::memory::{PageSize, native};
use crate::sharing::physical::hal_handles;
use crate::sharing::{Medium, Physical, Properties, Side, properties};

crate::exports! {
    /// Makes physical memory.
    fn halMemCreate(handle: *mut *mut drv_mem_handle_t, size: usize, prop: *const drv_mem_prop, flag: u64) = create;
    /// Gives up a handle of physical memory.
    fn halMemRelease(handle: *mut drv_mem_handle_t) = release;
    /// Returns the allocation granularity.
    fn halMemGetAllocationGranularity(prop: *const drv_mem_prop, option: i32, granularity: *mut usize)
        = find_granularity;
    /// Returns the properties of physical memory.
    fn halMemGetAllocationPropertiesFromHandle(prop: *mut drv_mem_prop, handle: *mut drv_mem_handle_t)
        = find_properties;
}

/// The node that means any.
const ANY_NODE: u32 = u32::MAX;

fn parse(prop: &drv_mem_prop) -> Outcome<Properties> {
    let drv_mem_prop { side, devid, module_id, pg_type, mem_type, reserve } = *prop;
    unused(reserve, "prop.reserve")?;
    let (side, id) = match side {
        0 => (Side::Host, device_ids::machine_wide(translate(machine())?.config.server, 0)),
        1 => (Side::Device, device_number(devid)?),
        2 => (Side::Numa, translate(properties::node(if devid == ANY_NODE { 0 } else { devid }))?),
        other => {
            return Err(Fault::new(
                hal::INVALID_VALUE,
                format_args!("invalid side {other}: must be 0, 1 or 2"),
            ));
        }
    };
    let page = match pg_type {
        0 => PageSize::Normal,
        1 => PageSize::Huge,
        2 => PageSize::Giant,
        other => return Err(Fault::new(hal::INVALID_VALUE, format_args!("invalid page type {other}"))),
    };
    let (medium, p2p) = match mem_type {
        0 => (Medium::Hbm, false),
        1 => (Medium::Ddr, false),
        2 => (Medium::Hbm, true),
        3 => (Medium::Ddr, true),
        4 => return Err(Fault::new(hal::NOT_SUPPORT, "the memory of the task scheduler is not handed out")),
        other => return Err(Fault::new(hal::INVALID_VALUE, format_args!("invalid memory type {other}"))),
    };
    let properties = Properties { side, id, page, medium, p2p, module: module_id };
    translate(properties.check())?;
    Ok(properties)
}

unsafe fn create(
    handle: *mut *mut drv_mem_handle_t,
    size: usize,
    prop: *const drv_mem_prop,
    flag: u64,
) -> Outcome {
    not_null(handle, "handle")?;
    not_null(prop, "prop")?;
    unused(flag, "flag")?;
    // SAFETY: not null, and the caller passes properties.
    let properties = parse(&unsafe { prop.read_unaligned() })?;
    let fresh = hand_out(translate(Physical::create(size as u64, properties))?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

unsafe fn release(handle: *mut drv_mem_handle_t) -> Outcome {
    not_null(handle, "handle")?;
    translate(hal_handles())?.remove(handle.cast(), hal::INVALID_HANDLE).map(drop)
}

unsafe fn find_granularity(prop: *const drv_mem_prop, option: i32, granularity: *mut usize) -> Outcome {
    not_null(prop, "prop")?;
    not_null(granularity, "granularity")?;
    expect((0..=1).contains(&option), || {
        format!("the option {option} is neither 0 (minimum) nor 1 (recommended)")
    })?;
    // SAFETY: not null, and the caller passes properties.
    let step = parse(&unsafe { prop.read_unaligned() })?.granularity();
    // SAFETY: not null, and the caller passes a place for a size.
    unsafe { give(granularity, native(step)) }
}

unsafe fn find_properties(prop: *mut drv_mem_prop, handle: *mut drv_mem_handle_t) -> Outcome {
    not_null(prop, "prop")?;
    let Properties { side, id, page, medium, p2p, module } = physical_of(handle)?.properties;
    let medium = match (medium, side) {
        (Medium::Any, Side::Device) => Medium::Hbm,
        (Medium::Any, _) => Medium::Ddr,
        (medium, _) => medium,
    };
    let answer = drv_mem_prop {
        side: side as u32,
        devid: id % device_ids::DEVICES_OF_A_SERVER,
        module_id: module,
        pg_type: match page {
            PageSize::Normal => 0,
            PageSize::Huge => 1,
            PageSize::Giant => 2,
        },
        mem_type: medium as u32 + if p2p { 2 } else { 0 },
        reserve: 0,
    };
    // SAFETY: not null, and the caller passes a place for properties.
    unsafe { give(prop, answer) }
}
