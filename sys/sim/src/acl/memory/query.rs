// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Amounts of memory, and attributes of addresses.

use std::ffi::{c_char, c_void};

use ascend_acl_sys::raw::types as raw;

use super::pointer;
use crate::acl::arguments::{give, not_null, not_zero};
use crate::codes::acl;
use crate::context;
use crate::device_ids::DEVICES_OF_A_SERVER;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::{Machine, machine};
use crate::memory::heap::heap;
use crate::memory::region::regions;
use crate::memory::{PageSize, Region, RegionKind};
use crate::session::Location;

crate::exports! {
    /// Free and total bytes of a kind of memory of the current device.
    fn aclrtGetMemInfo(attr: u32, free: *mut usize, total: *mut usize) = info;
    /// Memory use of a device, by component, the largest first.
    fn aclrtGetMemUsageInfo(
        deviceId: i32, memUsageInfo: *mut raw::aclrtMemUsageInfo, inputNum: usize, outputNum: *mut usize,
    ) = usage;
    /// Returns the location of the memory at an address.
    fn aclrtPointerGetAttributes(ptr: *const c_void, attributes: *mut raw::aclrtPtrAttributes) = point;
    /// Start and length of the allocation or mapping that holds an address.
    fn aclrtMemGetAddressRange(ptr: *mut c_void, pbase: *mut *mut c_void, psize: *mut usize) = bounds;
    /// Writes cached data back: there is no cache.
    fn aclrtMemFlush(devPtr: *mut c_void, size: usize) = cache;
    /// Drops cached data: there is no cache.
    fn aclrtMemInvalidate(devPtr: *mut c_void, size: usize) = cache;
}

unsafe fn info(attribute: u32, free: *mut usize, total: *mut usize) -> Outcome {
    not_null(free, "free")?;
    not_null(total, "total")?;
    let is_ddr = match attribute {
        raw::ACL_DDR_MEM
        | raw::ACL_DDR_MEM_HUGE
        | raw::ACL_DDR_MEM_NORMAL
        | raw::ACL_DDR_MEM_P2P_HUGE
        | raw::ACL_DDR_MEM_P2P_NORMAL => true,
        0..=17 => false,
        _ => {
            return Err(Fault::new(
                acl::INVALID_PARAM,
                format_args!("invalid attr={attribute}: not a kind of memory"),
            ));
        }
    };
    let device = context::current()?.device.physical;
    // Devices of these products have no DDR of their own.
    let budget = if is_ddr { (0, 0) } else { machine()?.session.budget(Location::Device(device))? };
    // SAFETY: checked above.
    unsafe { give(free, crate::memory::native(budget.0)) }?;
    // SAFETY: checked above.
    unsafe { give(total, crate::memory::native(budget.1)) }
}

/// Assumed: the names of the components. There are two: this process, and all the others together.
unsafe fn usage(user: i32, out: *mut raw::aclrtMemUsageInfo, room: usize, count: *mut usize) -> Outcome {
    not_null(out, "memUsageInfo")?;
    not_zero(room, "inputNum")?;
    not_null(count, "outputNum")?;
    let machine = machine()?;
    let device = machine.devices.get(user)?.physical;
    let (free, total) = machine.session.budget(Location::Device(device))?;
    let (own, own_peak) = heap()?.usage(device);
    let others = (total - free).saturating_sub(own);
    let mut components = [("APP", own, own_peak), ("OTHERS", others, others)];
    components.sort_by_key(|(_, bytes, _)| std::cmp::Reverse(*bytes));
    let shown = components.iter().take(room);
    for (index, (name, bytes, peak)) in shown.clone().enumerate() {
        let mut entry =
            raw::aclrtMemUsageInfo { curMemSize: *bytes, memPeakSize: *peak, ..Default::default() };
        for (to, from) in entry.name.iter_mut().zip(name.bytes()) {
            *to = c_char::from_ne_bytes([from]);
        }
        // SAFETY: the array has `room` entries.
        let place = unsafe { out.add(index) };
        // SAFETY: `place` is one of the `room` entries of the program.
        unsafe { give(place, entry) }?;
    }
    // SAFETY: checked above.
    unsafe { give(count, shown.len()) }
}

unsafe fn point(address: *const c_void, out: *mut raw::aclrtPtrAttributes) -> Outcome {
    not_null(address, "ptr")?;
    not_null(out, "attributes")?;
    let machine = machine()?;
    let found = {
        let table = regions()?.table();
        table.find(address.addr() as u64).map(|region| describe(machine, region))
    };
    let (kind, id, page) = found.unwrap_or((raw::ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, PageSize::Normal));
    let attributes = raw::aclrtPtrAttributes {
        location: raw::aclrtMemLocation { id, type_: kind },
        pageSize: u32::try_from(page.bytes()).unwrap_or(u32::MAX),
        rsv: [0; 4],
    };
    // SAFETY: checked above.
    unsafe { give(out, attributes) }
}

fn describe(machine: &Machine, region: &Region) -> (u32, u32, PageSize) {
    let page = region.block.as_ref().map_or(PageSize::Normal, |block| block.page);
    match region.location {
        Location::Device(physical) => {
            (raw::ACL_MEM_LOCATION_TYPE_DEVICE, user_number(machine, physical), page)
        }
        // Assumed: memory of a NUMA node counts as the host's, without its number.
        Location::Host(_) => (raw::ACL_MEM_LOCATION_TYPE_HOST, 0, page),
    }
}

/// The number that the program knows a device by.
///
/// Assumed: memory of a device that the process does not see has that device's number on its own server.
fn user_number(machine: &Machine, physical: u32) -> u32 {
    let own = machine.devices.all().iter().find(|device| device.physical == physical);
    own.map_or(physical % DEVICES_OF_A_SERVER, |device| device.user)
}

unsafe fn bounds(address: *mut c_void, base: *mut *mut c_void, bytes: *mut usize) -> Outcome {
    not_null(address, "ptr")?;
    not_null(base, "pbase")?;
    not_null(bytes, "psize")?;
    let range = {
        let table = regions()?.table();
        let region = table.find(address.addr() as u64).filter(|region| region.kind != RegionKind::Registered);
        region.map(|region| region.range.clone())
    };
    let range = range.ok_or_else(|| {
        Fault::new(acl::RT_PARAM_INVALID, format_args!("{address:p} is in no allocation or mapping"))
    })?;
    // SAFETY: checked above.
    unsafe { give(base, pointer(range.start)) }?;
    // SAFETY: checked above.
    unsafe { give(bytes, crate::memory::native(range.end - range.start)) }
}

unsafe fn cache(address: *mut c_void, bytes: usize) -> Outcome {
    not_null(address, "devPtr")?;
    not_zero(bytes, "size")?;
    ensure(address.addr().checked_add(bytes).is_some(), acl::RT_PARAM_INVALID, || {
        format!("{address:p}+{bytes} runs over the end of all addresses")
    })
}
