// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_shm_*`: copies by the host, views for the processor, and what Python asks of share memory.

use std::ffi::{c_char, c_void};
use std::time::Duration;

use mf_abi::smem::{ExitContextFn, ShmHandle};
use mf_base::{Error, Gva, Kind, Rank, Result};
use mf_smem::bm::{CopyMode, CopyType};
use mf_smem::shm::ShareMemory;

use crate::boundary::call_program;
use crate::last_error::c_text;
use crate::mfx::mfx_general::hand_out;
use crate::process::PROCESS;
use crate::smem::shm::init::share;

pub(crate) fn mfx_shm_rank(op: &'static str) -> Result<u32> {
    Ok(PROCESS.share_memory.context(op)?.rank().0)
}

pub(crate) fn mfx_shm_world_size(op: &'static str) -> Result<u32> {
    Ok(PROCESS.share_memory.context(op)?.world_size())
}

pub(crate) fn mfx_shm_device(op: &'static str) -> Result<*const c_char> {
    let context = PROCESS.share_memory.context(op)?;
    Ok(hand_out(c_text(context.devices().accelerator().map_or("host", |device| device.name()))))
}

pub(crate) fn mfx_shm_local_bytes(op: &'static str, handle: ShmHandle) -> Result<u64> {
    Ok(share(op, handle)?.local_bytes())
}

pub(crate) fn mfx_shm_barrier(op: &'static str, handle: ShmHandle, timeout_ms: u32) -> Result<()> {
    share(op, handle)?.barrier_within(Duration::from_millis(u64::from(timeout_ms)))
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
    let (place, length) = map_again(&*share(op, handle)?, Rank(rank))?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(place) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { bytes.write(length as u64) };
    Ok(())
}

/// Maps the part of `rank` a second time. The object unmaps its own mapping when that rank leaves, which a
/// processor that loads from it at that moment would not survive; this one stays until its holder gives it
/// up.
fn map_again(share: &ShareMemory, rank: Rank) -> Result<(*mut c_void, usize)> {
    const OP: &str = "shm map";
    let part = share.address(rank)?;
    if !share.pool().is_host_memory(part) {
        return Err(Error::new(Kind::Failed, OP)
            .what("memory of an accelerator has no address for the processor")
            .with("rank", rank)
            .hint("copy it: SharedMemory.read, get and put in Python, mfx_shm_copy in C"));
    }
    let part = share.pool().local_address(part)?;
    mapped_again(OP, rank, part, share.local_bytes())
}

/// A second mapping of memory of `rank` that is mapped at `place`.
pub(crate) fn mapped_again(
    op: &'static str,
    rank: Rank,
    place: Gva,
    bytes: u64,
) -> Result<(*mut c_void, usize)> {
    let length = usize::try_from(bytes).unwrap_or(usize::MAX);
    // SAFETY: an old length of 0 makes a second mapping of the pages and leaves the first alone. Should the
    // part be unmapped meanwhile, what lies there is private or nothing, and the kernel refuses.
    let second = unsafe { libc::mremap(place.as_ptr().cast(), 0, length, libc::MREMAP_MAYMOVE) };
    if second == libc::MAP_FAILED {
        return Err(Error::new(Kind::NotConnected, op)
            .what("the part of the rank is not mapped here any more")
            .with("rank", rank)
            .with("bytes", length)
            .source(std::io::Error::last_os_error()));
    }
    Ok((second, length))
}

pub(crate) unsafe fn mfx_shm_unmap(op: &'static str, address: *mut c_void, bytes: u64) -> Result<()> {
    let length = usize::try_from(bytes).unwrap_or(usize::MAX);
    // SAFETY: the caller passes what mfx_shm_map gave, once, and nobody uses it any more.
    match unsafe { libc::munmap(address, length) } {
        0 => Ok(()),
        _ => {
            Err(Error::invalid(op, "this is no mapping of mfx_shm_map")
                .source(std::io::Error::last_os_error()))
        }
    }
}
