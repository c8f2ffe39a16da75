// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of members: barriers, allgathers, locks, the list of members.

use std::ffi::{c_char, c_void};

use mf_abi::smem::{PartFn, PeerFn, StoreHandle, StorePeer};
use mf_base::{Error, Kind, Result};
use mf_store::Peer;

use super::keys::write_to;
use super::session::{Target, deadline, target_and_text};
use crate::boundary::{bytes, call_program};
use crate::last_error::c_text;

/// Shows a member to C.
pub(super) fn with_peer<T>(peer: &Peer, body: impl FnOnce(&StorePeer) -> T) -> T {
    let host = c_text(&peer.host);
    body(&StorePeer {
        session: peer.session,
        host: host.as_ptr(),
        rank: peer.rank.0,
        pid: peer.pid,
        device_id: u32::from(peer.device),
        reserved: 0,
    })
}

/// 0 stands for the world.
fn members_or_world(operation: &'static str, target: &Target, members: u32) -> Result<u32> {
    match (members, target.store.member().world_size) {
        (0, 0) => Err(Error::invalid(operation, "a guest does not know how many members there are")
            .hint("say how many are to meet")),
        (0, world) => Ok(world),
        (members, _) => Ok(members),
    }
}

pub(crate) unsafe fn mfx_store_barrier(
    op: &'static str,
    handle: StoreHandle,
    name: *const c_char,
    members: u32,
    timeout_ms: u32,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, name) = unsafe { target_and_text(op, handle, "the name", name) }?;
    let members = members_or_world(op, &target, members)?;
    target.store.barrier(name, members, deadline(timeout_ms))
}

pub(crate) unsafe fn mfx_store_allgather(
    op: &'static str,
    handle: StoreHandle,
    name: *const c_char,
    members: u32,
    value: *const c_void,
    len: u64,
    timeout_ms: u32,
    fill: PartFn,
    context: *mut c_void,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, name) = unsafe { target_and_text(op, handle, "the name", name) }?;
    // SAFETY: the caller passes so many readable bytes.
    let value = unsafe { bytes(op, "the value", value, len) }?;
    let members = members_or_world(op, &target, members)?;
    let parts = target.store.allgather(name, members, value, deadline(timeout_ms))?;
    for part in &parts {
        // SAFETY: the part lives through the call; the caller vouches for callback and context.
        let go_on = call_program("mfx_store_part_cb", || unsafe {
            fill(part.rank.0, part.value.as_ptr().cast(), part.value.len() as u64, context)
        });
        if !go_on {
            break;
        }
    }
    Ok(())
}

pub(crate) unsafe fn mfx_store_lock(
    op: &'static str,
    handle: StoreHandle,
    name: *const c_char,
    timeout_ms: u32,
    fencing: *mut u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, name) = unsafe { target_and_text(op, handle, "the name", name) }?;
    let number = if timeout_ms > 0 {
        target.store.lock(name, deadline(timeout_ms))?
    } else {
        target.store.try_lock(name)?.ok_or_else(|| {
            Error::new(Kind::InUse, op).what("another member holds the lock").with("name", name)
        })?
    };
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(fencing, number) };
    Ok(())
}

pub(crate) unsafe fn mfx_store_unlock(
    op: &'static str,
    handle: StoreHandle,
    name: *const c_char,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, name) = unsafe { target_and_text(op, handle, "the name", name) }?;
    target.store.unlock(name)
}

pub(crate) unsafe fn mfx_store_members(
    op: &'static str,
    handle: StoreHandle,
    fill: PeerFn,
    context: *mut c_void,
    epoch: *mut u64,
) -> Result<()> {
    let view = Target::from_handle(op, handle)?.store.view()?;
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(epoch, view.epoch) };
    for peer in &view.members {
        // SAFETY: the member lives through the call; the caller vouches for callback and context.
        if !with_peer(peer, |peer| call_program("mfx_store_peer_cb", || unsafe { fill(peer, context) })) {
            break;
        }
    }
    Ok(())
}
