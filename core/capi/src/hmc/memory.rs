// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the host and of accelerators.

use std::ffi::c_void;

use mf_base::Result;
use mf_hmc::memory::{self, Direction};

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
