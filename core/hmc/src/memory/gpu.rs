// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of GPUs of four vendors, over the table of driver operations.

use std::sync::Arc;

use mf_base::settings::{DeviceChoice, settings};
use mf_base::{Error, Result};
use mf_device::engine::Piece;
use mf_device::gpu::{self, AddressKind, Gpu, Memory, Vendor};
use mf_device::{Device, Lane, Locality, Mover, RawStream, Transfer};
use mf_fabric::endpoint::OpenAssistant;

use super::Direction;
use crate::numbers::{MemoryType, Status};
use crate::status_errors::fault;

/// Returns the vendor of a memory type; `None` if it is not a GPU's.
pub(super) fn vendor_of(kind: MemoryType) -> Option<Vendor> {
    match kind {
        MemoryType::Nvidia => Some(Vendor::Nvidia),
        MemoryType::Amd => Some(Vendor::Amd),
        MemoryType::Moore => Some(Vendor::Moore),
        MemoryType::Cambricon => Some(Vendor::Cambricon),
        MemoryType::Default | MemoryType::Cpu | MemoryType::Ascend => None,
    }
}

/// Returns the opener of a peer's GPU, for copies between host memory here and its memory; `None` if this
/// process opens no GPUs, or that GPU's memory cannot be imported.
pub(crate) fn assistant(kind: MemoryType, bus: &str) -> Option<(String, OpenAssistant)> {
    // Buffers on Moore Threads' GPUs are host memory.
    let vendor = vendor_of(kind).filter(|vendor| *vendor != Vendor::Moore && !bus.is_empty())?;
    if settings().is_ok_and(|settings| settings.device == DeviceChoice::None) {
        return None;
    }
    let (name, bus) = (format!("{vendor} {bus}"), bus.to_owned());
    let open = move || match gpu::open_at(vendor, &bus) {
        Ok(gpu) => Some(gpu as Arc<dyn Device>),
        Err(error) => {
            tracing::debug!("memory of a peer's GPU is reached by the network: {error}");
            None
        }
    };
    Some((name, Box::new(open)))
}

/// Returns type and device of an address that a GPU knows as its memory.
pub(super) fn kind_of(address: u64) -> Option<(MemoryType, u32)> {
    let AddressKind::Device { vendor, device } = gpu::kind_of(address) else { return None };
    let kind = match vendor {
        Vendor::Nvidia => MemoryType::Nvidia,
        Vendor::Amd => MemoryType::Amd,
        Vendor::Moore => MemoryType::Moore,
        Vendor::Cambricon => MemoryType::Cambricon,
    };
    Some((kind, device))
}

pub(super) fn allocate(op: &'static str, gpu: &Gpu, bytes: u64, peerable: bool) -> Result<*mut u8> {
    let memory = if peerable { Memory::Peerable } else { Memory::Plain };
    let address = gpu.allocate(bytes, memory).map_err(|error| refused(op, &error))?;
    Ok(std::ptr::with_exposed_provenance_mut(usize::try_from(address).unwrap_or(0)))
}

pub(super) fn free(op: &'static str, gpu: &Gpu, address: *mut u8) -> Result<()> {
    // SAFETY: the driver refuses addresses that are not allocations; like any caller of a free, the caller
    // asserts that the bytes are not used any more.
    unsafe { gpu.free(address.addr() as u64) }.map_err(|error| refused(op, &error))
}

/// # Safety
/// As [`Gpu::copy`].
pub(super) unsafe fn copy(
    op: &'static str,
    gpu: &Gpu,
    (dest, source, bytes): (*mut u8, *const u8, u64),
    direction: Direction,
) -> Result<()> {
    let direction = match direction {
        Direction::ToDevice => gpu::Direction::HostToDevice,
        Direction::ToHost => gpu::Direction::DeviceToHost,
        Direction::OnDevice => gpu::Direction::DeviceToDevice,
    };
    // SAFETY: the caller vouches for both ranges, with the kinds of the direction.
    let done = unsafe { gpu.copy(dest.addr() as u64, source.addr() as u64, bytes, direction) };
    done.map_err(|error| refused(op, &error))
}

/// Creates a stream; `None` if the driver fails.
pub(super) fn lane(gpu: &Gpu) -> Option<Box<dyn Lane>> {
    let lane = Mover::lane(gpu);
    lane.inspect_err(|error| tracing::debug!("copies of streams are not beside others: {error}")).ok()
}

/// Copies within device memory on the given stream; done on return.
///
/// # Safety
/// As [`Gpu::copy`].
pub(super) unsafe fn copy_aside(
    op: &'static str,
    lane: &dyn Lane,
    (dest, source, bytes): (*mut u8, *const u8, u64),
) -> Result<()> {
    let piece = Piece { src: source, dst: dest, bytes };
    // SAFETY: the caller vouches for both ranges, and the lane is waited for.
    let queued = unsafe { lane.enqueue(&[Transfer { piece, from: Locality::Device, to: Locality::Device }]) };
    queued.and_then(|()| lane.wait()).map_err(|error| refused(op, &error))
}

/// # Safety
/// As [`Gpu::synchronize`].
pub(super) unsafe fn synchronize(op: &'static str, gpu: &Arc<Gpu>, stream: RawStream) -> Result<()> {
    // SAFETY: the caller passes a stream of this GPU, or null.
    unsafe { gpu.synchronize(stream) }.map_err(|error| refused(op, &error))
}

#[cold]
pub(super) fn refused(op: &'static str, error: &Error) -> Error {
    fault(op, Status::Error, "the GPU refuses it").source(error.to_string())
}
