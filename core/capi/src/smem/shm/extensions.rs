// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_shm_*`: copies by the host, views for the processor, and what Python asks of share memory.

use std::ffi::{c_char, c_void};
use std::time::Duration;

use mf_abi::smem::{ExitContextFn, ShmHandle};
use mf_base::{Error, Kind, Rank, Result};
use mf_smem::bm::{CopyMode, CopyType};
use mf_smem::shm::ShareMemory;

use super::collective::Buffers;
use super::state::{STATE, share};
use crate::boundary::call_program;
use crate::last_error::c_text;
use crate::returned_text::hand_out;
use crate::smem::second_mapping::map_again;

pub(crate) fn mfx_shm_rank(op: &'static str) -> Result<u32> {
    Ok(STATE.context(op)?.rank().0)
}

pub(crate) fn mfx_shm_world_size(op: &'static str) -> Result<u32> {
    Ok(STATE.context(op)?.world_size())
}

pub(crate) fn mfx_shm_device(op: &'static str) -> Result<*const c_char> {
    let context = STATE.context(op)?;
    Ok(hand_out(c_text(context.devices().accelerator().map_or("host", |device| device.name()))))
}

pub(crate) fn mfx_shm_local_bytes(op: &'static str, handle: ShmHandle) -> Result<u64> {
    Ok(share(op, handle)?.local_bytes())
}

pub(crate) fn mfx_shm_barrier(op: &'static str, handle: ShmHandle, timeout_ms: u32) -> Result<()> {
    share(op, handle)?.barrier_within(Duration::from_millis(u64::from(timeout_ms)))
}

pub(crate) unsafe fn mfx_shm_allgather(
    op: &'static str,
    handle: ShmHandle,
    send: *const c_void,
    send_bytes: u64,
    receive: *mut c_void,
    receive_bytes: u64,
    timeout_ms: u32,
) -> Result<()> {
    let share = share(op, handle)?;
    let limit = Duration::from_millis(u64::from(timeout_ms));
    let buffers = Buffers { send: send.cast(), send_bytes, receive: receive.cast(), receive_bytes };
    // SAFETY: the caller passes buffers of these sizes, which nothing else uses meanwhile.
    unsafe { buffers.gather(op, share.rank_size(), |own, all| share.allgather_within(own, all, limit)) }
}

pub(crate) unsafe fn mfx_shm_copy(
    op: &'static str,
    handle: ShmHandle,
    dest: *mut c_void,
    src: *const c_void,
    bytes: u64,
) -> Result<()> {
    let share = share(op, handle)?;
    // SAFETY: the pool checks an end that lies in it; the caller vouches for the other until the call
    // returns.
    unsafe { share.pool().copy_raw(src.cast(), dest.cast(), bytes, CopyType::Auto, CopyMode::Sync) }
}

pub(crate) fn mfx_shm_on_exit(
    op: &'static str,
    handle: ShmHandle,
    callback: ExitContextFn,
    user: *mut c_void,
) -> Result<()> {
    let user = user.expose_provenance();
    share(op, handle)?.on_exit(Box::new(move |status| {
        // SAFETY: the interface asks for a function that any thread may call with its context until the
        // process ends.
        call_program("the exit of mfx_shm_on_exit", || unsafe {
            callback(status, std::ptr::with_exposed_provenance_mut(user));
        });
    }))
}

pub(crate) unsafe fn mfx_shm_map(
    op: &'static str,
    handle: ShmHandle,
    rank: u32,
    address: *mut *mut c_void,
    bytes: *mut u64,
) -> Result<()> {
    let (place, length) = map_part(&*share(op, handle)?, Rank(rank))?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(place) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { bytes.write(length as u64) };
    Ok(())
}

/// Maps the part of `rank` a second time.
fn map_part(share: &ShareMemory, rank: Rank) -> Result<(*mut c_void, usize)> {
    const OP: &str = "shm map";
    let part = share.address(rank)?;
    if !share.pool().is_host_memory(part) {
        return Err(Error::new(Kind::Failed, OP)
            .what("memory of an accelerator has no address for the processor")
            .with("rank", rank)
            .hint("copy it: SharedMemory.read, get and put in Python, mfx_shm_copy in C"));
    }
    let part = share.pool().local_address(part)?;
    map_again(OP, rank, part, share.local_bytes())
}

pub(crate) unsafe fn mfx_shm_unmap(op: &'static str, address: *mut c_void, bytes: u64) -> Result<()> {
    let length = usize::try_from(bytes).unwrap_or(usize::MAX);
    // SAFETY: the caller passes what mfx_shm_map gave, once, and nobody uses it any more.
    match unsafe { libc::munmap(address, length) } {
        0 => Ok(()),
        _ => Err(Error::invalid(op, "not a mapping of mfx_shm_map").source(std::io::Error::last_os_error())),
    }
}
