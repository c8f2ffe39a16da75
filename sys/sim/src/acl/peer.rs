// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which devices reach which.

use std::sync::Arc;

use super::arguments::{give, known_bits, not_null};
use crate::codes::acl;
use crate::device::Device;
use crate::device::context::current;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;

crate::exports! {
    /// Whether a device could reach a peer.
    fn aclrtDeviceCanAccessPeer(canAccessPeer: *mut i32, deviceId: i32, peerDeviceId: i32) = can_access;
    /// Lets the current device reach a peer.
    fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) = enable;
    /// Takes that back.
    fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) = disable;
    /// Whether a device reaches a peer.
    fn aclrtDevicePeerAccessStatus(deviceId: i32, peerDeviceId: i32, status: *mut i32) = is_enabled;
}

unsafe fn can_access(out: *mut i32, user: i32, peer: i32) -> Outcome {
    not_null(out, "canAccessPeer")?;
    let devices = &machine()?.devices;
    let (device, peer) = (devices.get(user)?, devices.get(peer)?);
    // SAFETY: checked above.
    unsafe { give(out, i32::from(are_linked(&device, &peer)?)) }
}

/// Whether a device may become a peer of another; it never is its own.
fn are_linked(device: &Device, peer: &Device) -> Outcome<bool> {
    let reaches = machine()?.config.topology.reaches(device.physical, peer.physical);
    Ok(reaches && device.physical != peer.physical)
}

unsafe fn enable(peer: i32, flags: u32) -> Outcome {
    known_bits(flags.into(), 0, "flags")?;
    let context = current()?;
    let peer = peer_of(&context.device, peer)?;
    machine()?.memory.peers.enable(context.device.physical, peer.physical, context.handle);
    Ok(())
}

/// Assumed: only what is enabled can be disabled.
unsafe fn disable(peer: i32) -> Outcome {
    let context = current()?;
    let device = &context.device;
    let peer = peer_of(device, peer)?;
    let was = machine()?.memory.peers.disable(device.physical, peer.physical, context.handle);
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

unsafe fn is_enabled(user: i32, peer: i32, out: *mut i32) -> Outcome {
    not_null(out, "status")?;
    let machine = machine()?;
    let (device, peer) = (machine.devices.get(user)?, machine.devices.get(peer)?);
    let enabled = machine.memory.peers.reaches(device.physical, peer.physical);
    // SAFETY: checked above.
    unsafe { give(out, i32::from(enabled)) }
}
