// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which devices the server has, and facts about them.

use super::{device_number, not_null, translate};
use crate::acl::arguments::give;
use crate::codes::hal;
use crate::device_ids;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::product::Line;

crate::exports! {
    /// Returns the number of devices of the server, ignoring visibility settings.
    fn drvGetDevNum(num_dev: *mut u32) = count;
    /// A fact about a device.
    fn halGetDeviceInfo(devId: u32, moduleType: i32, infoType: i32, value: *mut i64) = device_info;
    /// Reports if a device reaches another one.
    fn halDeviceCanAccessPeer(canAccessPeer: *mut i32, device: u32, peerDevice: u32) = can_access_peer;
}

unsafe fn count(number: *mut u32) -> Outcome {
    not_null(number, "num_dev")?;
    let devices = translate(machine())?.config.devices;
    // SAFETY: not null, and the caller passes a place for a number.
    unsafe { give(number, devices) }
}

unsafe fn device_info(device: u32, module: i32, info: i32, value: *mut i64) -> Outcome {
    not_null(value, "value")?;
    device_number(device)?;
    let answer = fact(device, module, info)?.ok_or_else(|| {
        Fault::new(hal::INVALID_VALUE, format_args!("unknown info {info} of module {module}"))
    })?;
    // SAFETY: not null, and the caller passes a place for a number.
    unsafe { give(value, answer) }
}

/// Returns a property of a device of this server, or `None` for unknown numbers.
///
/// Assumed: what only distinguishes boards (environment, versions, address mode, scale, super pod, kind of
/// machine, chassis, kind of super pod) is 0.
///
/// # Errors
/// The machine's own.
pub fn fact(device: u32, module: i32, info: i32) -> Outcome<Option<i64>> {
    const SYSTEM: i32 = 0;
    const AI_CORE: i32 = 4;
    const VECTOR_CORE: i32 = 7;
    let machine = translate(machine())?;
    let (product, server) = (machine.product, machine.config.server);
    let two_dies = product.line == Line::A3;
    Ok(match (module, info) {
        (SYSTEM, 0 | 1 | 28..=31 | 48 | 49) => Some(0),
        (SYSTEM | AI_CORE, 3) => Some(product.cube_cores.into()),
        (VECTOR_CORE, 3) => Some(product.vector_cores.into()),
        (SYSTEM, 18) => Some(if two_dies { device / 2 } else { device }.into()),
        (SYSTEM, 19) => Some(if two_dies { device % 2 } else { 0 }.into()),
        (SYSTEM, 26) => Some(device_ids::super_node(server, device).into()),
        (SYSTEM, 27) => Some(server.into()),
        (SYSTEM, 39) => Some(product.mainboard),
        (SYSTEM, 40) => Some(match product.line {
            Line::A2 => 0,
            Line::A3 => 1,
            Line::A5 => 2,
        }),
        _ => None,
    })
}

unsafe fn can_access_peer(can: *mut i32, device: u32, peer: u32) -> Outcome {
    not_null(can, "canAccessPeer")?;
    let (one, other) = (device_number(device)?, device_number(peer)?);
    let topology = &translate(machine())?.config.topology;
    let answer = one != other && topology.link(one, other).is_some();
    // SAFETY: not null, and the caller passes a place for a number.
    unsafe { give(can, i32::from(answer)) }
}
