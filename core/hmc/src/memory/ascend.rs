// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of Ascend NPUs, over the same devices as pools.

use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};

use mf_base::os::per_process::PerProcess;
use mf_base::settings::{Switch, settings};
use mf_base::{Error, Kind, Result};
use mf_device::engine::Piece;
use mf_device::host::HostDevice;
use mf_device::{Buffer, Devices, Locality, RawStream, Transfer, choose};

use super::Direction;
use crate::numbers::Status;
use crate::status_errors::fault;

/// Opened devices, kept for the life of the process.
static OPENED: PerProcess<BTreeMap<u32, Devices>> = PerProcess::new(BTreeMap::new());
/// Allocations that programs have not freed, by address.
static ALLOCATED: PerProcess<BTreeMap<usize, Box<dyn Buffer>>> = PerProcess::new(BTreeMap::new());

/// Opens the device with this number.
///
/// # Errors
/// `NotExist` no such device, with the reason.
pub(super) fn open(number: u32) -> Result<Devices> {
    let mut opened = OPENED.lock();
    if let Some(devices) = opened.get(&number) {
        return Ok(devices.clone());
    }
    let host = Arc::new(HostDevice::new(Switch::Off));
    let (devices, report) = choose(settings()?.device, number, host)?;
    if devices.accelerator().is_none() {
        let tried = report.lines.join("; ");
        return Err(Error::new(Kind::NotExist, "hmc memory").what("there is no NPU").with("tried", tried));
    }
    opened.insert(number, devices.clone());
    Ok(devices)
}

/// Returns the device that owns the memory at an address.
pub(super) fn kind_of(address: u64) -> Option<u32> {
    let is_its =
        |devices: &Devices| devices.mover().is_some_and(|mover| mover.locality(address) == Locality::Device);
    OPENED.lock().iter().find(|(_, devices)| is_its(devices)).map(|(number, _)| *number)
}

pub(super) fn allocate(op: &'static str, devices: &Devices, bytes: u64) -> Result<*mut u8> {
    let memory = accelerated(op, devices.accelerator())?.allocate_buffer(bytes);
    let memory = memory.map_err(|error| refused(op, &error))?;
    let address = usize::try_from(memory.address()).unwrap_or(0);
    ALLOCATED.lock().insert(address, memory);
    Ok(std::ptr::with_exposed_provenance_mut(address))
}

pub(super) fn free(op: &'static str, address: *mut u8) -> Result<()> {
    let freed = ALLOCATED.lock().remove(&address.addr());
    let unknown = || {
        fault(op, Status::Error, "no memory that was allocated begins at this address")
            .with("address", format_args!("{address:p}"))
    };
    freed.map(drop).ok_or_else(unknown)
}

/// # Safety
/// As [`Mover::copy`](mf_device::Mover::copy).
pub(super) unsafe fn copy(
    op: &'static str,
    devices: &Devices,
    (dest, source, bytes): (*mut u8, *const u8, u64),
    direction: Direction,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    let (from, to) = match direction {
        Direction::ToDevice => (Locality::Host, Locality::Device),
        Direction::ToHost => (Locality::Device, Locality::Host),
        Direction::OnDevice => (Locality::Device, Locality::Device),
    };
    let piece = Piece { src: source, dst: dest, bytes };
    // SAFETY: the caller vouches for both ends, in the memories that `from` and `to` name.
    let done = unsafe { accelerated(op, devices.mover())?.copy(&[Transfer { piece, from, to }]) };
    done.map_err(|error| refused(op, &error))
}

/// # Safety
/// The stream is one of the runtime.
pub(super) unsafe fn synchronize(op: &'static str, devices: &Devices, stream: RawStream) -> Result<()> {
    let (done, ends) = mpsc::channel();
    let work = Box::new(move || {
        let _ = done.send(());
    });
    // SAFETY: the caller vouches for the stream.
    let queued = unsafe { accelerated(op, devices.mover())?.run_on(stream, work) };
    queued.map_err(|error| refused(op, &error))?;
    let lost = |error: mpsc::RecvError| fault(op, Status::Error, "the stream has failed").source(error);
    ends.recv().map_err(lost)
}

fn accelerated<T>(op: &'static str, there: Option<T>) -> Result<T> {
    there.ok_or_else(|| fault(op, Status::Unsupported, "there is no NPU"))
}

#[cold]
fn refused(op: &'static str, error: &Error) -> Error {
    fault(op, Status::Error, "the NPU refuses it").source(error.to_string())
}
