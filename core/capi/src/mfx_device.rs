// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_device_*`: memory of the accelerator that belongs to no pool, for the operands of kernels.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use mf_base::{Error, Kind};
use mf_fabric::device::{Buffer, Devices, Locality, Mover, Transfer};
use mf_fabric::engine::Piece;

use crate::boundary::{code, not_null};
use crate::process::devices;

/// Memory, and the devices that it came from.
struct Allocation {
    _memory: Box<dyn Buffer>,
    _devices: Devices,
}

/// Allocations by their address.
static ALLOCATIONS: LazyLock<Mutex<HashMap<usize, Allocation>>> = LazyLock::new(Mutex::default);

fn allocations() -> MutexGuard<'static, HashMap<usize, Allocation>> {
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_device_malloc(bytes: u64, address: *mut *mut c_void) -> i32 {
    const OP: &str = "device malloc";
    code(OP, || {
        not_null(OP, "the address", address)?;
        if bytes == 0 {
            return Err(Error::invalid(OP, "0 bytes are no memory"));
        }
        let devices = devices(OP)?;
        let accelerator = devices.accelerator().ok_or_else(|| no_accelerator(OP))?;
        let memory = accelerator.allocate_buffer(bytes)?;
        let place = usize::try_from(memory.address()).unwrap_or(usize::MAX);
        allocations().insert(place, Allocation { _memory: memory, _devices: devices });
        // SAFETY: not null; the caller passes room for a pointer.
        unsafe { address.write(std::ptr::with_exposed_provenance_mut(place)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn mfx_device_free(address: *mut c_void) -> i32 {
    const OP: &str = "device free";
    code(OP, || {
        not_null(OP, "the address", address)?;
        // Dropped behind the lock: giving it back waits for the device.
        let freed = allocations().remove(&address.addr());
        freed.map(drop).ok_or_else(|| {
            Error::new(Kind::NotExist, OP)
                .what("no allocation begins at this address")
                .with("address", format!("{address:p}"))
        })
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_device_copy(dest: *mut c_void, src: *const c_void, bytes: u64) -> i32 {
    const OP: &str = "device copy";
    code(OP, || {
        not_null(OP, "the destination", dest)?;
        not_null(OP, "the source", src)?;
        let devices = devices(OP)?;
        let mover = devices.mover().ok_or_else(|| no_accelerator(OP))?;
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
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mfx_device_is_memory(address: *const c_void, is_memory: *mut bool) -> i32 {
    const OP: &str = "device memory";
    code(OP, || {
        not_null(OP, "the result", is_memory)?;
        let is = devices(OP)?.mover().is_some_and(|mover| is_device(mover, address));
        // SAFETY: not null; the caller passes room for a truth value.
        unsafe { is_memory.write(is) };
        Ok(())
    })
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
