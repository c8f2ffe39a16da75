// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_device_*`: memory of the accelerator that belongs to no pool, for the operands of kernels.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

use mf_base::os::per_process::PerProcess;
use mf_base::settings::{Switch, settings};
use mf_base::{Error, Kind, Result};
use mf_device::engine::{Piece, copy_batch};
use mf_device::host::HostDevice;
use mf_device::{Buffer, Devices, Locality, Mover, Transfer, choose};
use mf_smem::kernel::{Binary, Target};
use serde_json::json;

use crate::last_error::c_text;
use crate::part;
use crate::returned_text::hand_out;
use crate::startup::prepare;

/// Memory, and the devices that it came from.
struct Allocation {
    _memory: Box<dyn Buffer>,
    _devices: Devices,
}

/// The accelerator that the program opened without a pool.
struct Opened {
    devices: Devices,
    index: u32,
    times: u32,
}

/// Host memory that is registered with the accelerator.
struct RegisteredMemory {
    address: u64,
    bytes: u64,
    devices: Devices,
}

impl Drop for RegisteredMemory {
    fn drop(&mut self) {
        if let Some(accelerator) = self.devices.accelerator() {
            accelerator.conceal(self.address, self.bytes);
        }
    }
}

/// Memory of the accelerator by address.
static ALLOCATIONS: PerProcess<BTreeMap<usize, Allocation>> = PerProcess::new(BTreeMap::new());
/// Host memory known to the accelerator, by address.
static KNOWN: PerProcess<BTreeMap<usize, RegisteredMemory>> = PerProcess::new(BTreeMap::new());
/// The accelerator that the program opened without a pool.
static OPENED: PerProcess<Option<Opened>> = PerProcess::new(None);

/// Returns the devices that the program opened without a pool.
pub(super) fn opened() -> Option<Devices> {
    OPENED.lock().as_ref().map(|opened| opened.devices.clone())
}

pub(crate) fn mfx_device_open(op: &'static str, index: u32) -> Result<()> {
    prepare()?;
    let mut opened = OPENED.lock();
    if let Some(present) = opened.as_mut() {
        if present.index != index {
            return Err(Error::new(Kind::InUse, op)
                .what("another accelerator is open")
                .with("device", present.index)
                .with("wanted", index));
        }
        present.times += 1;
        return Ok(());
    }
    let settings = settings()?;
    let huge = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
    let (devices, _) = choose(settings.device, index, Arc::new(HostDevice::new(huge)))?;
    if devices.accelerator().is_none() {
        return Err(no_accelerator(op));
    }
    *opened = Some(Opened { devices, index, times: 1 });
    Ok(())
}

pub(crate) fn mfx_device_close(op: &'static str) -> Result<()> {
    let mut opened = OPENED.lock();
    let Some(present) = opened.as_mut() else {
        return Err(Error::new(Kind::NotInit, op).what("no accelerator was opened").hint("mfx_device_open"));
    };
    present.times -= 1;
    if present.times == 0 {
        let last = opened.take();
        drop(opened);
        // Behind the lock: closing waits for the device.
        drop(last);
    }
    Ok(())
}

pub(crate) fn mfx_device_json(op: &'static str) -> Result<*const c_char> {
    let devices = part::devices(op)?;
    let accelerator = devices.accelerator().ok_or_else(|| no_accelerator(op))?;
    let kernels = Binary::target(&devices).ok().map(|target| match target {
        Target::Simulator => "simulator".to_owned(),
        Target::Npu(soc) => soc,
    });
    let description = json!({
        "name": accelerator.name(),
        "number": accelerator.number(),
        "description": accelerator.describe(),
        "kernels": kernels,
    });
    Ok(hand_out(c_text(&description.to_string())))
}

/// Alignment of registered memory.
const PAGE_BYTES: u64 = 4096;

pub(crate) fn mfx_device_map_host(op: &'static str, address: *mut c_void, bytes: u64) -> Result<()> {
    let devices = part::devices(op)?;
    let accelerator = devices.accelerator().ok_or_else(|| no_accelerator(op))?;
    let start = address.addr() as u64;
    if bytes == 0 || !start.is_multiple_of(PAGE_BYTES) || !bytes.is_multiple_of(PAGE_BYTES) {
        return Err(Error::invalid(op, "the memory is not whole pages")
            .with("address", format!("{address:p}"))
            .with("bytes", bytes)
            .with("page_bytes", PAGE_BYTES));
    }
    let mut known = KNOWN.lock();
    if known.contains_key(&address.addr()) {
        return Err(Error::new(Kind::Duplicated, op)
            .what("the memory is known already")
            .with("address", format!("{address:p}")));
    }
    // SAFETY: the caller keeps the range mapped until it is unmapped here, which conceals it.
    unsafe { accelerator.expose(start, bytes) }?;
    let devices = devices.clone();
    known.insert(address.addr(), RegisteredMemory { address: start, bytes, devices });
    Ok(())
}

pub(crate) fn mfx_device_unmap_host(op: &'static str, address: *mut c_void) -> Result<()> {
    let known = KNOWN.lock().remove(&address.addr());
    known.map(drop).ok_or_else(|| {
        Error::new(Kind::NotExist, op)
            .what("no memory that the accelerator knows begins at this address")
            .with("address", format!("{address:p}"))
    })
}

pub(crate) unsafe fn mfx_device_malloc(
    op: &'static str,
    bytes: u64,
    address: *mut *mut c_void,
) -> Result<()> {
    if bytes == 0 {
        return Err(Error::invalid(op, "invalid size 0"));
    }
    let devices = part::devices(op)?;
    let accelerator = devices.accelerator().ok_or_else(|| no_accelerator(op))?;
    let memory = accelerator.allocate_buffer(bytes)?;
    let place = usize::try_from(memory.address()).unwrap_or(usize::MAX);
    ALLOCATIONS.lock().insert(place, Allocation { _memory: memory, _devices: devices });
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(std::ptr::with_exposed_provenance_mut(place)) };
    Ok(())
}

pub(crate) fn mfx_device_free(op: &'static str, address: *mut c_void) -> Result<()> {
    // Dropped behind the lock: giving it back waits for the device.
    let freed = ALLOCATIONS.lock().remove(&address.addr());
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
    let devices = part::devices(op)?;
    let mover = devices.mover().ok_or_else(|| no_accelerator(op))?;
    let transfer = Transfer {
        piece: Piece { src: src.cast(), dst: dest.cast(), bytes },
        from: mover.locality(src.addr() as u64),
        to: mover.locality(dest.addr() as u64),
    };
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the device classified both ends; the caller vouches for them until the call returns.
    unsafe { mover.copy(&[transfer]) }
}

pub(crate) unsafe fn mfx_device_copy_batch(
    op: &'static str,
    dests: *const *mut c_void,
    sources: *const *const c_void,
    bytes: *const usize,
    count: u64,
) -> Result<()> {
    // Host memory needs no accelerator.
    let devices = part::devices(op).ok();
    let mover = devices.as_ref().and_then(Devices::mover);
    let count = usize::try_from(count).map_err(|_| Error::invalid(op, "there are too many pieces"))?;
    let (mut here, mut moved) = (Vec::new(), Vec::new());
    for index in 0..count {
        // SAFETY: here and below: three lists of `count` elements, on the word of the caller.
        let dst = unsafe { dests.wrapping_add(index).read() };
        // SAFETY: below `count`, the length of the lists of the caller.
        let src = unsafe { sources.wrapping_add(index).read() };
        // SAFETY: below `count`, the length of the lists of the caller.
        let length = unsafe { bytes.wrapping_add(index).read() };
        if length == 0 {
            continue;
        }
        if dst.is_null() || src.is_null() {
            let end = if dst.is_null() { "a destination" } else { "a source" };
            return Err(Error::invalid(op, format!("{end} is null")).with("piece", index));
        }
        let piece = Piece { src: src.cast(), dst: dst.cast(), bytes: length as u64 };
        let locality = |address: u64| mover.map_or(Locality::Host, |mover| mover.locality(address));
        let (from, to) = (locality(src.addr() as u64), locality(dst.addr() as u64));
        if from == Locality::Host && to == Locality::Host {
            here.push(piece);
        } else {
            moved.push(Transfer { piece, from, to });
        }
    }
    // SAFETY: both ends are host memory; the caller vouches for them until the call returns.
    unsafe { copy_batch(&here) };
    match mover {
        // SAFETY: the device classified both ends; the caller vouches for them until the call returns.
        Some(mover) if !moved.is_empty() => unsafe { mover.copy(&moved) },
        _ => Ok(()),
    }
}

pub(crate) unsafe fn mfx_device_is_memory(
    op: &'static str,
    address: *const c_void,
    is_memory: *mut bool,
) -> Result<()> {
    let is = part::devices(op)?.mover().is_some_and(|mover| is_device(mover, address));
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
