// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Virtual memory management: addresses, physical memory and mappings by themselves.
//!
//! * [`addresses`]: reserving, mapping, rights.
//! * [`physical`]: physical memory.
//! * [`share`]: shareable handles.
//!
//! Queries need no current device; creating something does.

pub mod addresses;
pub mod physical;
pub mod share;

pub use addresses::*;
pub use physical::*;
pub use share::*;

use std::ffi::c_void;
use std::sync::Arc;

use ascend_acl_sys::raw::types::aclrtMemLocation;

use super::arguments::not_null;
use crate::codes::acl;
use crate::context::current;
use crate::device_ids;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::sharing::physical::acl_handles;
use crate::sharing::{Physical, Side, properties};

/// Refuses a reserved argument that is used.
fn unused(value: u64, name: &str) -> Outcome {
    ensure(value == 0, acl::INVALID_PARAM, || format!("{name} is {value:#x}; it is reserved and must be 0"))
}

/// Refuses a thread without device.
///
/// Assumed: what reserves, makes, maps and shares memory goes through the runtime's current context, which
/// must be one; what gives up or asks does not.
fn needs_device() -> Outcome {
    current().map(drop)
}

/// The physical memory behind a handle.
fn physical_of(handle: *const c_void) -> Outcome<Arc<Physical>> {
    not_null(handle, "handle")?;
    Ok(Arc::clone(&*acl_handles()?.get(handle, acl::RT_PARAM_INVALID)?))
}

/// Creates a new handle for `physical`.
fn hand_out(physical: Arc<Physical>) -> Outcome<*mut c_void> {
    let (handle, _) = acl_handles()?.insert_with(|_| physical);
    Ok(handle)
}

/// Physical number of the device that a program calls `user`.
fn device_number(user: u32) -> Outcome<u32> {
    let user_number = i32::try_from(user)
        .map_err(|_| Fault::new(acl::INVALID_DEVICEID, format_args!("unknown device {user}")))?;
    Ok(machine()?.devices.get(user_number)?.physical)
}

/// The side and the machine-wide number that a location means.
fn place(location: aclrtMemLocation) -> Outcome<(Side, u32)> {
    let aclrtMemLocation { id, type_ } = location;
    match type_ {
        0 => {
            ensure(id == 0, acl::RT_PARAM_INVALID, || format!("the host has the id 0, not {id}"))?;
            Ok((Side::Host, device_ids::machine_wide(machine()?.config.server, 0)))
        }
        1 => Ok((Side::Device, device_number(id)?)),
        4 => Ok((Side::Numa, properties::node(id)?)),
        2 => Err(Fault::new(acl::RT_PARAM_INVALID, "memory that is not registered is nowhere")),
        other => Err(Fault::new(acl::INVALID_PARAM, format_args!("invalid location type {other}"))),
    }
}

/// Translates the physical device number `physical` into the program's number.
///
/// Assumed: a device that this process does not see has the number of the device that imported its memory.
fn user_number(physical: u32, importer: Option<u32>) -> Outcome<u32> {
    let devices = &machine()?.devices;
    let seen =
        [Some(physical), importer].into_iter().flatten().find_map(|number| devices.with_physical(number));
    seen.map(|device| device.user).ok_or_else(|| {
        Fault::new(acl::INVALID_DEVICEID, format_args!("this process does not see the device {physical}"))
    })
}
