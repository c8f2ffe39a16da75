// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accelerators of one type: number, PCI bus ids, free memory, and the current device of a thread.

use mf_base::{Error, Result};

use super::{Backend, Memory, gpu, open};
use crate::numbers::{MemoryType, Status};
use crate::status_errors::fault;

/// Returns the number of accelerators.
///
/// # Errors
/// `InvalidConfig` unknown type · `Unsupported` host memory, or this machine has none, with the reason.
pub fn count(op: &'static str, kind: i32) -> Result<u32> {
    match &accelerator(op, 0, kind)?.backend {
        Backend::Gpu(gpu) => gpu.count().map_err(|error| gpu::refused(op, &error)),
        Backend::Ascend(devices) => {
            let units = devices.accelerator().map_or(0, |device| device.units().len());
            Ok(u32::try_from(units).unwrap_or(u32::MAX))
        }
        Backend::Host => Ok(0),
    }
}

/// Returns the PCI bus id of a device, as the driver writes it.
///
/// # Errors
/// As [`count`] · `Unsupported` also if the driver does not report it.
pub fn bus(op: &'static str, device: i32, kind: i32) -> Result<String> {
    let found = match &accelerator(op, device, kind)?.backend {
        Backend::Gpu(gpu) => gpu.bus().map(str::to_owned),
        Backend::Host | Backend::Ascend(_) => None,
    };
    found.ok_or_else(|| {
        fault(op, Status::Unsupported, "the driver does not say where it is").with("device", device)
    })
}

/// Returns the free and total bytes of a device; `None`: of this thread's current device, or device 0 if it
/// has none.
///
/// # Errors
/// As [`count`] · `Error` the driver refuses.
pub fn room(op: &'static str, device: Option<i32>, kind: i32) -> Result<(u64, u64)> {
    let number = device.unwrap_or(0);
    match &accelerator(op, number, kind)?.backend {
        Backend::Gpu(gpu) => {
            let room = if device.is_some() { gpu.memory_info() } else { gpu.memory_info_of_thread() };
            room.map_err(|error| gpu::refused(op, &error))
        }
        Backend::Ascend(devices) => {
            let units = devices.accelerator().map_or_else(Vec::new, |device| device.units());
            let unit = units.iter().find(|unit| unit.index == number.unsigned_abs());
            let unknown = || {
                fault(op, Status::Error, "the driver does not say what room it has").with("device", number)
            };
            unit.map(|unit| (unit.free_bytes, unit.total_bytes)).ok_or_else(unknown)
        }
        Backend::Host => Ok((0, 0)),
    }
}

/// Selects the current device of the calling thread, for the program's own calls of the driver.
///
/// # Errors
/// As [`count`] · `Unsupported` NPUs: programs select them in their own runtime · `Error` the driver
/// refuses.
pub fn select(op: &'static str, device: i32, kind: i32) -> Result<()> {
    match &accelerator(op, device, kind)?.backend {
        Backend::Gpu(gpu) => gpu.make_current().map_err(|error| gpu::refused(op, &error)),
        Backend::Host | Backend::Ascend(_) => {
            Err(fault(op, Status::Unsupported, "NPUs are selected in their own runtime, by aclrtSetDevice"))
        }
    }
}

fn accelerator(op: &'static str, device: i32, kind: i32) -> Result<Memory> {
    let memory = open(op, device, kind)?;
    if memory.kind() == MemoryType::Cpu {
        return Err(device_missing(op, kind));
    }
    Ok(memory)
}

#[cold]
fn device_missing(op: &'static str, kind: i32) -> Error {
    if kind == MemoryType::Default as i32 {
        fault(op, Status::Unsupported, "this machine has no accelerator that can be used")
    } else {
        fault(op, Status::Unsupported, "host memory has no devices")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OP: &str = "hmc test";

    #[test]
    fn absent_devices_are_rejected() {
        let cpu = MemoryType::Cpu as i32;
        for (kind, status) in [(cpu, Status::Unsupported), (77, Status::InvalidConfig)] {
            let is_it = |error: Error| assert_eq!(Status::from_error(&error), status);
            is_it(count(OP, kind).unwrap_err());
            is_it(bus(OP, 0, kind).unwrap_err());
            is_it(room(OP, None, kind).unwrap_err());
            is_it(room(OP, Some(0), kind).unwrap_err());
            is_it(select(OP, 0, kind).unwrap_err());
        }
    }
}
