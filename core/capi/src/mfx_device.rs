// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_device_*`: memory of the accelerator that belongs to no pool, for the operands of kernels.

use std::ffi::c_void;

use mf_base::{Error, Kind, Result};
use mf_fabric::device::{Buffer, Devices, Locality, Mover, Transfer};
use mf_fabric::engine::Piece;

use crate::process::PROCESS;

/// Memory, and the devices that it came from.
pub(crate) struct Allocation {
    _memory: Box<dyn Buffer>,
    _devices: Devices,
}

pub(crate) unsafe fn mfx_device_malloc(
    op: &'static str,
    bytes: u64,
    address: *mut *mut c_void,
) -> Result<()> {
    if bytes == 0 {
        return Err(Error::invalid(op, "0 bytes are no memory"));
    }
    let devices = PROCESS.devices(op)?;
    let accelerator = devices.accelerator().ok_or_else(|| no_accelerator(op))?;
    let memory = accelerator.allocate_buffer(bytes)?;
    let place = usize::try_from(memory.address()).unwrap_or(usize::MAX);
    PROCESS.allocations.lock().insert(place, Allocation { _memory: memory, _devices: devices });
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(std::ptr::with_exposed_provenance_mut(place)) };
    Ok(())
}

pub(crate) fn mfx_device_free(op: &'static str, address: *mut c_void) -> Result<()> {
    // Dropped behind the lock: giving it back waits for the device.
    let freed = PROCESS.allocations.lock().remove(&address.addr());
    freed.map(drop).ok_or_else(|| {
        Error::new(Kind::NotExist, op)
            .what("no allocation begins at this address")
            .with("address", format!("{address:p}"))
    })
}

pub(crate) unsafe fn mfx_device_copy(
    op: &'static str,
    dest: *mut c_void,
    src: *const c_void,
    bytes: u64,
) -> Result<()> {
    let devices = PROCESS.devices(op)?;
    let mover = devices.mover().ok_or_else(|| no_accelerator(op))?;
    let transfer = Transfer {
        piece: Piece { src: src.cast(), dst: dest.cast(), bytes },
        from: mover.locality(src.addr() as u64),
        to: mover.locality(dest.addr() as u64),
    };
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the ends are what the device says they are; the caller vouches for them until the call returns.
    unsafe { mover.copy(&[transfer]) }
}

pub(crate) unsafe fn mfx_device_is_memory(
    op: &'static str,
    address: *const c_void,
    is_memory: *mut bool,
) -> Result<()> {
    let is = PROCESS.devices(op)?.mover().is_some_and(|mover| is_device(mover, address));
    // SAFETY: not null; the caller passes room for a truth value.
    unsafe { is_memory.write(is) };
    Ok(())
}

fn is_device(mover: &dyn Mover, address: *const c_void) -> bool {
    mover.locality(address.addr() as u64) == Locality::Device
}

#[cold]
fn no_accelerator(operation: &'static str) -> Error {
    Error::new(Kind::NotExist, operation)
        .what("this process has no accelerator")
        .hint("set MF_DEVICE=sim to use the simulator")
}
