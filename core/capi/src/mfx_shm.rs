// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_shm_*`: copies by the host, views for the processor, and what Python asks of share memory.

use std::ffi::{c_char, c_int, c_void};

use mf_base::{Error, Kind, Rank, Result};
use mf_smem::bm::{CopyMode, CopyType};
use mf_smem::shm::ShareMemory;

use crate::abi::ShmHandle;
use crate::boundary::{code, not_null, null, value};
use crate::extensions::hand_out;
use crate::last_error::c_text;
use crate::shm_init::{context, share};

#[unsafe(no_mangle)]
extern "C" fn mfx_shm_rank() -> u32 {
    value("shm rank", u32::MAX, || Ok(context("shm rank")?.rank().0))
}

#[unsafe(no_mangle)]
extern "C" fn mfx_shm_world_size() -> u32 {
    value("shm world size", 0, || Ok(context("shm world size")?.world_size()))
}

#[unsafe(no_mangle)]
extern "C" fn mfx_shm_device() -> *const c_char {
    value("shm device", c"".as_ptr(), || {
        let context = context("shm device")?;
        Ok(hand_out(c_text(context.devices().accelerator().map_or("host", |device| device.name()))))
    })
}

#[unsafe(no_mangle)]
extern "C" fn mfx_shm_local_bytes(handle: ShmHandle) -> u64 {
    const OP: &str = "shm local size";
    value(OP, 0, || Ok(share(OP, handle)?.local_bytes()))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_shm_copy(
    handle: ShmHandle,
    dest: *mut c_void,
    src: *const c_void,
    bytes: u64,
) -> i32 {
    const OP: &str = "shm copy";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        not_null(OP, "the destination", dest)?;
        not_null(OP, "the source", src)?;
        let share = share(OP, handle)?;
        // SAFETY: the pool checks an end that lies in it; the caller vouches for the other until the call returns.
        unsafe { share.pool().copy_raw(src.cast(), dest.cast(), bytes, CopyType::Auto, CopyMode::Sync) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn mfx_shm_on_exit(
    handle: ShmHandle,
    callback: Option<extern "C" fn(status: c_int, context: *mut c_void)>,
    user: *mut c_void,
) -> i32 {
    const OP: &str = "shm on exit";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        let callback = callback.ok_or_else(|| null(OP, "the function"))?;
        let user = user.expose_provenance();
        share(OP, handle)?
            .on_exit(Box::new(move |status| callback(status, std::ptr::with_exposed_provenance_mut(user))))
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_shm_map(
    handle: ShmHandle,
    rank: u32,
    address: *mut *mut c_void,
    bytes: *mut u64,
) -> i32 {
    const OP: &str = "shm map";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        not_null(OP, "the address", address)?;
        not_null(OP, "the length", bytes)?;
        let (place, length) = map_again(&*share(OP, handle)?, Rank(rank))?;
        // SAFETY: not null; the caller passes room for a pointer.
        unsafe { address.write(place) };
        // SAFETY: not null; the caller passes room for a number.
        unsafe { bytes.write(length as u64) };
        Ok(())
    })
}

/// Maps the part of `rank` a second time. The object unmaps its own mapping when that rank leaves, which a processor that
/// loads from it at that moment would not survive; this one stays until its holder gives it up.
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
    let length = usize::try_from(share.local_bytes()).unwrap_or(usize::MAX);
    // SAFETY: an old length of 0 makes a second mapping of the pages and leaves the first alone. Should the part be
    // unmapped meanwhile, what lies there is private or nothing, and the kernel refuses.
    let second = unsafe { libc::mremap(part.as_ptr().cast(), 0, length, libc::MREMAP_MAYMOVE) };
    if second == libc::MAP_FAILED {
        return Err(Error::new(Kind::NotConnected, OP)
            .what("the part of the rank is not mapped here any more")
            .with("rank", rank)
            .with("bytes", length)
            .source(std::io::Error::last_os_error()));
    }
    Ok((second, length))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_shm_unmap(address: *mut c_void, bytes: u64) -> i32 {
    const OP: &str = "shm unmap";
    code(OP, || {
        not_null(OP, "the address", address)?;
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        // SAFETY: the caller passes what mfx_shm_map gave, once, and nobody uses it any more.
        match unsafe { libc::munmap(address, length) } {
            0 => Ok(()),
            _ => Err(Error::invalid(OP, "this is no mapping of mfx_shm_map")
                .source(std::io::Error::last_os_error())),
        }
    })
}
