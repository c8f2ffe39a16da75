// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_bm_*`: members, devices and figures of a pool; the own segment; barriers of the job.

use std::ffi::{c_char, c_void};
use std::time::{Duration, Instant};

use mf_abi::smem::BmHandle;
use mf_base::{Error, Kind, MemKind, Result};
use mf_fabric::pool::{copied_by_pools, segments};
use mf_fabric::space::Presence;
use mf_net::watch::wait_metrics;
use serde_json::json;

use super::pools::{pool, window};
use super::state::STATE;
use crate::boundary::{present, text};
use crate::copies_json::copies_json;
use crate::last_error::c_text;
use crate::returned_text::hand_out;

/// Label of barriers through the config store, in reports of waits.
const BY_STORE: &str = "store";

pub(crate) unsafe fn mfx_bm_map(
    op: &'static str,
    handle: BmHandle,
    mem_type: u32,
    address: *mut *mut c_void,
    bytes: *mut u64,
) -> Result<()> {
    let (base, length) = pool(op, handle, Kind::InvalidParam)?.map_own(window(op, mem_type)?)?.into_raw();
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(base.cast()) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { bytes.write(length as u64) };
    Ok(())
}

pub(crate) fn mfx_bm_world_size(op: &'static str) -> Result<u32> {
    Ok(STATE.context(op)?.world_size())
}

pub(crate) fn mfx_bm_device(op: &'static str) -> Result<*const c_char> {
    let name = STATE.context(op)?.devices().accelerator().map_or("host", |device| device.name());
    Ok(hand_out(c_text(name)))
}

pub(crate) unsafe fn mfx_bm_members(
    op: &'static str,
    handle: BmHandle,
    ranks: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> Result<()> {
    let members = pool(op, handle, Kind::InvalidParam)?.members();
    let needed = u32::try_from(members.len()).unwrap_or(u32::MAX);
    // SAFETY: not null; the caller passes room for a number.
    unsafe { count.write(needed) };
    if capacity > 0 {
        present(op, "the array", ranks)?;
    }
    if needed > capacity {
        return Err(Error::new(Kind::BufferTooSmall, op).with("needed", needed).with("capacity", capacity));
    }
    for (index, rank) in members.into_iter().enumerate() {
        // SAFETY: `index` is below `capacity`, the number of elements that the caller has room for.
        let slot = unsafe { ranks.add(index) };
        // SAFETY: `slot` is one of the elements that the caller has room for.
        unsafe { slot.write(rank.0) };
    }
    Ok(())
}

pub(crate) unsafe fn mfx_bm_barrier(
    op: &'static str,
    name: *const c_char,
    members: u32,
    timeout_s: u32,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "the name", name) }?;
    let context = STATE.context(op)?;
    if timeout_s == 0 {
        return Err(Error::invalid(op, "the timeout is 0"));
    }
    let members = if members == 0 { context.world_size() } else { members };
    let deadline = Instant::now() + Duration::from_secs(u64::from(timeout_s));
    let _waiting = wait_metrics::begin(op, BY_STORE);
    context.store()?.barrier(name, members, deadline).inspect_err(|_| wait_metrics::failed(op, BY_STORE))
}

pub(crate) fn mfx_bm_stats_json(op: &'static str, handle: BmHandle) -> Result<*const c_char> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    let is_own = |number: u32, rank| number == pool.id() && rank == pool.rank();
    let copies = copied_by_pools().into_iter().find(|copies| is_own(copies.pool, copies.rank));
    let mut all = copies_json(copies.into_iter().flat_map(|copies| copies.rows));
    all["pool"] = pool.id().into();
    all["rank"] = pool.rank().0.into();
    let segments = segments().into_iter().find(|segments| is_own(segments.pool, segments.own));
    all["world_size"] = segments.as_ref().map(|segments| segments.world).into();
    let members = segments.iter().flat_map(|segments| &segments.members).map(|(rank, presence, bytes)| {
        let presence = match presence {
            Presence::Joined => "joined",
            Presence::Left => "left",
            Presence::Dead => "dead",
            Presence::Absent => "absent",
        };
        let [host, device] = [MemKind::Host, MemKind::Device].map(|kind| bytes[kind.index()]);
        json!({ "rank": rank.0, "presence": presence, "host_bytes": host, "device_bytes": device })
    });
    all["members"] = members.collect();
    Ok(hand_out(c_text(&all.to_string())))
}
