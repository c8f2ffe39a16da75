// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which devices reach which.

use std::sync::Arc;

use super::arguments::{answer, known_bits};
use crate::codes::acl;
use crate::context::current;
use crate::device::Device;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::memory::rights::peers;

crate::exports! {
    /// Reports if a device can access a peer.
    fn aclrtDeviceCanAccessPeer(canAccessPeer: *mut i32, deviceId: i32, peerDeviceId: i32)
        -> canAccessPeer: can_access(deviceId, peerDeviceId)?.into();
    /// Lets the current device reach a peer.
    fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) = enable;
    /// Takes that back.
    fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) = disable;
    /// Reports if access from a device to a peer is enabled.
    fn aclrtDevicePeerAccessStatus(deviceId: i32, peerDeviceId: i32, status: *mut i32)
        -> status: is_enabled(deviceId, peerDeviceId)?.into();
}

fn can_access(user: i32, peer: i32) -> Outcome<bool> {
    let devices = &machine()?.devices;
    are_linked(&*devices.get(user)?, &*devices.get(peer)?)
}

/// Returns true if two devices can be peers; a device is never its own peer.
fn are_linked(device: &Device, peer: &Device) -> Outcome<bool> {
    let reaches = machine()?.config.topology.reaches(device.physical, peer.physical);
    Ok(reaches && device.physical != peer.physical)
}

unsafe fn enable(peer: i32, flags: u32) -> Outcome {
    known_bits(flags.into(), 0, "flags")?;
    let context = current()?;
    let peer = peer_of(&context.device, peer)?;
    peers()?.enable(context.device.physical, peer.physical, context.handle);
    Ok(())
}

/// Assumed: disabling access that is not enabled is an error.
unsafe fn disable(peer: i32) -> Outcome {
    let context = current()?;
    let device = &context.device;
    let peer = peer_of(device, peer)?;
    let was = peers()?.disable(device.physical, peer.physical, context.handle);
    ensure(was, acl::RT_PARAM_INVALID, || {
        format!("device {} has no access to device {} enabled in this context", device.user, peer.user)
    })
}

fn peer_of(device: &Device, user: i32) -> Outcome<Arc<Device>> {
    let peer = machine()?.devices.get(user)?;
    ensure(are_linked(device, &peer)?, acl::RT_PARAM_INVALID, || {
        format!("device {} has no link to device {}", device.user, peer.user)
    })?;
    Ok(peer)
}

fn is_enabled(user: i32, peer: i32) -> Outcome<bool> {
    let machine = machine()?;
    let (device, peer) = (machine.devices.get(user)?, machine.devices.get(peer)?);
    Ok(peers()?.reaches(device.physical, peer.physical))
}
