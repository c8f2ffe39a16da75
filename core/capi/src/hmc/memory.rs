// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the host and of accelerators.

use std::ffi::{CString, c_char, c_void};

use mf_base::{Error, Kind, Result};
use mf_hmc::memory::{self, Direction, devices};

pub(crate) fn mfx_hmc_memory_supported(_op: &'static str) -> Result<i32> {
    Ok(memory::supported() as i32)
}

pub(crate) unsafe fn mfx_hmc_memory_check(
    op: &'static str,
    device: i32,
    kind: i32,
    resolved: *mut i32,
) -> Result<()> {
    let found = memory::open(op, device, kind)?;
    if !resolved.is_null() {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { resolved.write(found.kind() as i32) };
    }
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_memory_allocate(
    op: &'static str,
    device: i32,
    kind: i32,
    length: u64,
    peerable: u32,
    address: *mut *mut c_void,
) -> Result<()> {
    let allocated = memory::open(op, device, kind)?.allocate(op, length, peerable != 0)?;
    // SAFETY: not null; the caller passes room for an address.
    unsafe { address.write(allocated.cast()) };
    Ok(())
}

pub(crate) fn mfx_hmc_memory_free(
    op: &'static str,
    device: i32,
    kind: i32,
    address: *mut c_void,
) -> Result<()> {
    memory::open(op, device, kind)?.free(op, address.cast())
}

pub(crate) unsafe fn mfx_hmc_memory_copy(
    op: &'static str,
    device: i32,
    kind: i32,
    dest: *mut c_void,
    source: *const c_void,
    length: u64,
    direction: u32,
) -> Result<()> {
    let direction = Direction::from_number(op, direction)?;
    let memory = memory::open(op, device, kind)?;
    // SAFETY: the caller passes so many bytes at both ends.
    unsafe { memory.copy(op, dest.cast(), source.cast(), length, direction) }
}

pub(crate) unsafe fn mfx_hmc_memory_kind(
    _op: &'static str,
    address: *const c_void,
    kind: *mut i32,
    device: *mut i32,
) -> Result<()> {
    let (found, number) = memory::kind_of(address.cast());
    // SAFETY: not null; the caller passes room for a number.
    unsafe { kind.write(found as i32) };
    if !device.is_null() {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { device.write(number) };
    }
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_stream_synchronize(
    op: &'static str,
    device: i32,
    kind: i32,
    stream: *mut c_void,
) -> Result<()> {
    let memory = memory::open(op, device, kind)?;
    // SAFETY: the caller passes a stream of the runtime or null.
    unsafe { memory.synchronize(op, stream) }
}

pub(crate) unsafe fn mfx_hmc_device_count(op: &'static str, kind: i32, number: *mut i32) -> Result<()> {
    let found = devices::count(op, kind);
    let shown = found.as_ref().map_or(0, |found| i32::try_from(*found).unwrap_or(i32::MAX));
    // SAFETY: not null; the caller passes room for a number.
    unsafe { number.write(shown) };
    found.map(drop)
}

pub(crate) unsafe fn mfx_hmc_device_bus(
    op: &'static str,
    device: i32,
    kind: i32,
    text: *mut c_char,
    room: u64,
) -> Result<()> {
    let found = devices::bus(op, device, kind)?;
    if found.len() as u64 >= room {
        return Err(Error::new(Kind::InvalidParam, op)
            .what("the room for the text is too short")
            .with("bytes", room)
            .with("needed", found.len() + 1));
    }
    let shown = CString::new(found).map_err(|error| {
        Error::new(Kind::Failed, op).what("the driver's text has a 0 inside").source(error)
    })?;
    let bytes = shown.as_bytes_with_nul();
    // SAFETY: not null; the caller passes so many bytes, and they fit.
    unsafe { text.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_device_memory(
    op: &'static str,
    device: i32,
    kind: i32,
    free: *mut u64,
    total: *mut u64,
) -> Result<()> {
    let room = devices::room(op, Some(device).filter(|device| *device != -1), kind)?;
    for (place, value) in [(free, room.0), (total, room.1)] {
        if !place.is_null() {
            // SAFETY: not null; the caller passes room for a number.
            unsafe { place.write(value) };
        }
    }
    Ok(())
}

pub(crate) fn mfx_hmc_device_select(op: &'static str, device: i32, kind: i32) -> Result<()> {
    devices::select(op, device, kind)
}
