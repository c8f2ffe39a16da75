// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory by type: host memory, and memory of accelerators.
//!
//! Accelerators are detected at first use: no vendor's library is required.

mod ascend;
pub mod devices;
pub(crate) mod gpu;
mod host;

use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, OnceLock};

use mf_base::Result;
use mf_base::settings::Switch;
use mf_device::gpu::{self as vendors, Gpu};
use mf_device::host::HostDevice;
use mf_device::{Device, Devices, Lane, RawStream};

use crate::numbers::{MemoryType, Status};
use crate::status_errors::fault;

/// Direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From host memory to memory of the type.
    ToDevice,
    /// From memory of the type to host memory.
    ToHost,
    /// Both ends are memory of the type.
    OnDevice,
}

impl Direction {
    /// Converts a number of the C interface.
    ///
    /// # Errors
    /// `Error` unknown direction.
    pub fn from_number(op: &'static str, number: u32) -> Result<Self> {
        match number {
            1 => Ok(Self::ToDevice),
            2 => Ok(Self::ToHost),
            3 => Ok(Self::OnDevice),
            _ => Err(fault(op, Status::Error, "no such direction").with("direction", number)),
        }
    }
}

/// Memory of one type, on one device.
#[derive(Clone)]
pub struct Memory {
    kind: MemoryType,
    backend: Backend,
}

#[derive(Clone)]
enum Backend {
    Host,
    Gpu(Arc<Gpu>),
    Ascend(Devices),
}

/// A stream for one user's copies within memory of an accelerator, concurrent with other users' copies.
pub(crate) struct Aside(Box<dyn Lane>);

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// In the order in which the default is chosen.
const ACCELERATORS: [MemoryType; 5] =
    [MemoryType::Nvidia, MemoryType::Amd, MemoryType::Moore, MemoryType::Cambricon, MemoryType::Ascend];

/// Returns the default on this machine: the first accelerator found, else host memory. Determined once.
pub fn supported() -> MemoryType {
    static FOUND: OnceLock<MemoryType> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let found = ACCELERATORS.into_iter().find(|kind| accelerator("hmc memory", 0, *kind).is_ok());
        found.unwrap_or(MemoryType::Cpu)
    })
}

/// Opens memory of the type with this number.
///
/// # Errors
/// `InvalidConfig` unknown type · `Unsupported` this machine does not have it, with the reason.
pub fn open(op: &'static str, device: i32, kind: i32) -> Result<Memory> {
    let known = MemoryType::from_number(kind)
        .ok_or_else(|| fault(op, Status::InvalidConfig, "no such type of memory").with("type", kind))?;
    let kind = if known == MemoryType::Default { supported() } else { known };
    match kind {
        MemoryType::Cpu => Ok(Memory { kind, backend: Backend::Host }),
        kind => accelerator(op, device, kind),
    }
}

/// Opens memory of an accelerator.
///
/// # Errors
/// `Unsupported` this machine does not have it, with the reason.
fn accelerator(op: &'static str, device: i32, kind: MemoryType) -> Result<Memory> {
    let absent = |reason: String| {
        fault(op, Status::Unsupported, "this machine has no such accelerator")
            .with("type", format_args!("{kind:?}"))
            .with("device", device)
            .source(reason)
    };
    let number = u32::try_from(device).map_err(|_| absent("numbers of devices begin at 0".to_owned()))?;
    let backend = match gpu::vendor_of(kind) {
        Some(vendor) => vendors::open(vendor, number).map(Backend::Gpu),
        None => ascend::open(number).map(Backend::Ascend),
    };
    Ok(Memory { kind, backend: backend.map_err(|error| absent(error.to_string()))? })
}

/// Returns the memory type and device of an address; host memory if no accelerator knows it.
pub fn kind_of(address: *const u8) -> (MemoryType, i32) {
    let address = address.addr() as u64;
    let of_gpu = gpu::kind_of(address);
    let found = of_gpu.or_else(|| ascend::kind_of(address).map(|number| (MemoryType::Ascend, number)));
    found.map_or((MemoryType::Cpu, 0), |(kind, number)| (kind, i32::try_from(number).unwrap_or(0)))
}

impl Memory {
    /// Returns its type, never the default.
    pub fn kind(&self) -> MemoryType {
        self.kind
    }

    /// Returns the devices that an endpoint over it needs.
    pub(crate) fn devices(&self) -> Devices {
        let host = || Devices::new(Arc::new(HostDevice::new(Switch::Off)));
        match &self.backend {
            Backend::Host => host(),
            Backend::Gpu(gpu) => host().with(Arc::clone(gpu) as Arc<dyn Device>),
            Backend::Ascend(devices) => devices.clone(),
        }
    }

    /// Returns the PCI bus id of its GPU; `None` if it is not of a GPU, or the driver does not report it.
    pub(crate) fn bus(&self) -> Option<&str> {
        match &self.backend {
            Backend::Gpu(gpu) => gpu.bus(),
            Backend::Host | Backend::Ascend(_) => None,
        }
    }

    /// Allocates memory. `peerable`: accessible to network cards.
    ///
    /// # Errors
    /// `Error` 0 bytes, or out of memory.
    pub fn allocate(&self, op: &'static str, bytes: u64, peerable: bool) -> Result<*mut u8> {
        if bytes == 0 {
            return Err(fault(op, Status::Error, "0 bytes of memory were requested"));
        }
        match &self.backend {
            Backend::Host => host::allocate(op, bytes),
            Backend::Gpu(gpu) => gpu::allocate(op, gpu, bytes, peerable),
            Backend::Ascend(devices) => ascend::allocate(op, devices, bytes),
        }
    }

    /// Frees allocated memory. Null: an error for host memory, else ignored.
    ///
    /// # Errors
    /// `Error` freed before, or never allocated.
    pub fn free(&self, op: &'static str, address: *mut u8) -> Result<()> {
        match &self.backend {
            Backend::Host => host::free(op, address),
            _ if address.is_null() => Ok(()),
            Backend::Gpu(gpu) => gpu::free(op, gpu, address),
            Backend::Ascend(_) => ascend::free(op, address),
        }
    }

    /// Copies `bytes`; done on return.
    ///
    /// # Errors
    /// `Error` an end is null, or the accelerator refuses.
    ///
    /// # Safety
    /// Ends that are not null have so many bytes, in the memory that `direction` names.
    #[inline]
    pub unsafe fn copy(
        &self,
        op: &'static str,
        dest: *mut u8,
        source: *const u8,
        bytes: u64,
        direction: Direction,
    ) -> Result<()> {
        if dest.is_null() || source.is_null() {
            return Err(fault(op, Status::Error, "an end of the copy is null"));
        }
        match &self.backend {
            // SAFETY: the caller vouches for `bytes` bytes at both ends, which are the host's.
            Backend::Host => unsafe { host::copy(op, dest, source, bytes) },
            // SAFETY: the caller vouches for `bytes` bytes at both ends, in the memories of the direction.
            Backend::Gpu(gpu) => unsafe { gpu::copy(op, gpu, (dest, source, bytes), direction) },
            // SAFETY: the caller vouches for `bytes` bytes at both ends, in the memories of the direction.
            Backend::Ascend(devices) => unsafe {
                ascend::copy(op, devices, (dest, source, bytes), direction)
            },
        }
    }

    /// Creates a stream for [`copy_aside`](Self::copy_aside); `None` for host memory and NPUs.
    pub(crate) fn aside(&self) -> Option<Aside> {
        match &self.backend {
            Backend::Gpu(gpu) => gpu::lane(gpu).map(Aside),
            Backend::Host | Backend::Ascend(_) => None,
        }
    }

    /// Copies `bytes` within this memory, on its own stream if it has one; done on return.
    ///
    /// # Errors
    /// As [`copy`](Self::copy).
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    pub(crate) unsafe fn copy_aside(
        &self,
        op: &'static str,
        dest: *mut u8,
        source: *const u8,
        bytes: u64,
        aside: Option<&Aside>,
    ) -> Result<()> {
        match aside {
            // SAFETY: the caller vouches for `bytes` bytes of the device at both ends.
            Some(aside) => unsafe { gpu::copy_aside(op, &*aside.0, (dest, source, bytes)) },
            // SAFETY: the caller vouches for `bytes` bytes of the device at both ends.
            None => unsafe { self.copy(op, dest, source, bytes, Direction::OnDevice) },
        }
    }

    /// Waits for a stream of the vendor's runtime (null: its default stream). Does nothing for host memory.
    ///
    /// # Errors
    /// `Error` the runtime refuses, or work on the stream failed.
    ///
    /// # Safety
    /// The stream is one of the runtime in this process, or null.
    pub unsafe fn synchronize(&self, op: &'static str, stream: *mut c_void) -> Result<()> {
        match &self.backend {
            Backend::Host => Ok(()),
            // SAFETY: the caller passes a stream of this runtime, or null.
            Backend::Gpu(gpu) => unsafe { gpu::synchronize(op, gpu, RawStream(stream)) },
            // SAFETY: the caller passes a stream of this runtime, or null.
            Backend::Ascend(devices) => unsafe { ascend::synchronize(op, devices, RawStream(stream)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OP: &str = "hmc test";

    #[test]
    fn unknown_memory_types_are_refused_and_absent_ones_unsupported() {
        for number in [-1, 7, i32::MAX] {
            assert_eq!(Status::from_error(&open(OP, 0, number).unwrap_err()), Status::InvalidConfig);
        }
        assert_eq!(open(OP, 5, 1).unwrap().kind(), MemoryType::Cpu);
        assert_eq!(open(OP, 0, 0).unwrap().kind(), supported());
        for kind in ACCELERATORS {
            if let Err(error) = open(OP, 0, kind as i32) {
                assert_eq!(Status::from_error(&error), Status::Unsupported, "{error}");
            }
        }
    }

    #[test]
    fn host_memory_is_freed_once() {
        let memory = open(OP, 0, 1).unwrap();
        let address = memory.allocate(OP, 10_000, true).unwrap();
        assert_eq!(address.addr() % 4096, 0);
        let source: Vec<u8> = (0..=u8::MAX).cycle().take(10_000).collect();
        let mut back = vec![0; 10_000];
        // SAFETY: all have so many bytes.
        unsafe { memory.copy(OP, address, source.as_ptr(), 10_000, Direction::ToDevice) }.unwrap();
        // SAFETY: `back` and the memory have 10,000 bytes.
        unsafe { memory.copy(OP, back.as_mut_ptr(), address, 10_000, Direction::ToHost) }.unwrap();
        assert_eq!(back, source);
        // SAFETY: nothing is copied.
        unsafe { memory.copy(OP, address, source.as_ptr(), 0, Direction::OnDevice) }.unwrap();
        // SAFETY: null is refused.
        let null = unsafe { memory.copy(OP, std::ptr::null_mut(), source.as_ptr(), 0, Direction::ToDevice) };
        assert_eq!(Status::from_error(&null.unwrap_err()), Status::Error);
        memory.free(OP, address).unwrap();
        for address in [address, std::ptr::null_mut()] {
            assert_eq!(Status::from_error(&memory.free(OP, address).unwrap_err()), Status::Error);
        }
        assert_eq!(Status::from_error(&memory.allocate(OP, 0, false).unwrap_err()), Status::Error);
        assert_eq!(Status::from_error(&memory.allocate(OP, u64::MAX, false).unwrap_err()), Status::Error);
    }
}
