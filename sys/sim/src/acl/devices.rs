// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices: which there are, setting and resetting them, waiting for them.

use std::sync::Arc;
use std::time::Duration;

use ascend_acl_sys::raw::types::aclrtUuid;

use super::arguments::{answer, give, not_null, one_of, sync_timeout};
use super::graph::refuse_during_capture;
use super::streams::LEAST_PRIORITY;
use crate::codes::acl;
use crate::context::current;
use crate::context::with_current;
use crate::device::Device;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::watch;

exports! {
    /// Returns the number of visible devices.
    fn aclrtGetDeviceCount(count: *mut u32) -> count: count_devices()?;
    /// Makes a device the calling thread's.
    fn aclrtSetDevice(deviceId: i32) => machine()?.devices.get(deviceId)?.set();
    /// Drops one reference.
    fn aclrtResetDevice(deviceId: i32) => machine()?.devices.get(deviceId)?.reset(false);
    /// Drops all references.
    fn aclrtResetDeviceForce(deviceId: i32) => machine()?.devices.get(deviceId)?.reset(true);
    /// The device of the calling thread.
    fn aclrtGetDevice(deviceId: *mut i32)
        -> deviceId: with_current(|context| context.device.user)?.cast_signed();
    /// Waits for all streams of the device.
    fn aclrtSynchronizeDevice() => { refuse_during_capture("aclrtSynchronizeDevice")?; current()?.device.synchronize(None) };
    /// The same, for a time.
    fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) = synchronize_for;
}

fn count_devices() -> Outcome<u32> {
    let devices = machine()?.devices.count();
    ensure(devices > 0, acl::NO_DEVICE, || "this process sees no device".to_owned())?;
    Ok(devices)
}

unsafe fn synchronize_for(timeout: i32) -> Outcome {
    refuse_during_capture("aclrtSynchronizeDeviceWithTimeout")?;
    let timeout = sync_timeout(timeout)?;
    current()?.device.synchronize(timeout)
}

exports! {
    /// A fact of a device, by number.
    fn aclrtGetDeviceInfo(deviceId: u32, attr: u32, value: *mut i64)
        -> value: device_of(deviceId)?.attribute(attr, machine()?.product, &machine()?.config)?;
    /// Returns a capability of a device by number.
    fn aclrtGetDeviceCapability(deviceId: i32, devFeatureType: u32, value: *mut i32) = capability;
    /// 16 bytes that no other device has.
    fn aclrtDeviceGetUuid(deviceId: i32, uuid: *mut aclrtUuid)
        -> uuid: aclrtUuid { bytes: machine()?.devices.get(deviceId)?.uuid(&machine()?.config) };
    /// 0 when a device works, 1 after a hardware error.
    fn aclrtQueryDeviceStatus(deviceId: i32, deviceStatus: *mut u32) -> deviceStatus: is_broken(deviceId)?.into();
    /// The lowest and the highest priority of streams.
    fn aclrtDeviceGetStreamPriorityRange(leastPriority: *mut i32, greatestPriority: *mut i32) = priorities;
    /// The number of this process for whitelists.
    fn aclrtDeviceGetBareTgid(pid: *mut i32) -> pid: machine()?.session.own_process();
    /// User to logical number.
    fn aclrtGetLogicDevIdByUserDevId(userDevid: i32, logicDevId: *mut i32) = logical_of_user;
    /// Logical to user number.
    fn aclrtGetUserDevIdByLogicDevId(logicDevId: i32, userDevid: *mut i32)
        -> userDevid: user_of_logical(logicDevId)?;
    /// Physical to logical number.
    fn aclrtGetLogicDevIdByPhyDevId(phyDevId: i32, logicDevId: *mut i32) -> logicDevId: on_server(phyDevId)?;
    /// Logical to physical number.
    fn aclrtGetPhyDevIdByLogicDevId(logicDevId: i32, phyDevId: *mut i32) -> phyDevId: on_server(logicDevId)?;
    /// Links between two devices.
    fn aclrtGetDevicesTopo(deviceId: u32, otherDeviceId: u32, value: *mut u64)
        -> value: links_between(&*device_of(deviceId)?, &*device_of(otherDeviceId)?)?;
    /// Drops queued and running tasks of all streams of a device.
    fn aclrtDeviceTaskAbort(deviceId: i32, timeout: u32)
        => machine()?.devices.get(deviceId)?.abort(Duration::from_millis(timeout.into()));
}

fn device_of(device: u32) -> Outcome<Arc<Device>> {
    machine()?.devices.get(i32::try_from(device).unwrap_or(i32::MAX))
}

/// Features with a number in the interface; the simulator supports none of them.
const FEATURES: [u32; 2] = [1, 21];

unsafe fn capability(device: i32, feature: u32, value: *mut i32) -> Outcome {
    not_null(value, "value")?;
    one_of(feature, &FEATURES, "devFeatureType")?;
    machine()?.devices.get(device)?;
    // SAFETY: checked for null above.
    unsafe { give(value, 0) }
}

fn is_broken(device: i32) -> Outcome<bool> {
    let device = machine()?.devices.get(device)?;
    Ok(device.health.code().is_some() || watch::is_lost(device.physical))
}

unsafe fn priorities(least: *mut i32, greatest: *mut i32) -> Outcome {
    not_null(least, "leastPriority")?;
    not_null(greatest, "greatestPriority")?;
    // SAFETY: checked for null above.
    unsafe { give(least, LEAST_PRIORITY.cast_signed()) }?;
    // SAFETY: checked for null above.
    unsafe { give(greatest, 0) }
}

pub(crate) unsafe fn logical_of_user(user: i32, logical: *mut i32) -> Outcome {
    not_null(logical, "logicDevId")?;
    let device = machine()?.devices.get(user)?;
    // SAFETY: checked for null above.
    unsafe { give(logical, device.logical().cast_signed()) }
}

fn user_of_logical(logical: i32) -> Outcome<i32> {
    let number = on_server(logical)?;
    let devices = machine()?.devices.all();
    let device = devices.iter().find(|device| device.logical().cast_signed() == number).ok_or_else(|| {
        Fault::new(acl::INVALID_DEVICEID, format_args!("device {logical} is not visible to this process"))
    })?;
    Ok(device.user.cast_signed())
}

/// A device of the server, visible or not. Its logical number is also its physical one.
fn on_server(number: i32) -> Outcome<i32> {
    let devices = machine()?.config.devices;
    ensure((0..i64::from(devices)).contains(&number.into()), acl::INVALID_DEVICEID, || {
        format!("the server has no device {number}; it has {devices}")
    })?;
    Ok(number)
}

/// Assumed: a device has no link to itself.
fn links_between(one: &Device, other: &Device) -> Outcome<u64> {
    if one.physical == other.physical {
        return Ok(0);
    }
    let link = machine()?.config.topology.link(one.physical, other.physical);
    Ok(link.map_or(0, |link| link as u64))
}
