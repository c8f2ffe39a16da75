// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory by its type: that of the host, and that of accelerators.
//!
//! Which there is, is found when it is asked for: no vendor's library need be there.

mod host;

use std::ffi::c_void;

use mf_base::Result;

use crate::fault::fault;
use crate::numbers::{MemoryType, Status};

/// Between which ends a copy is.
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
    /// That of a number of C.
    ///
    /// # Errors
    /// `Error` there is no such direction.
    pub fn from_number(op: &'static str, number: u32) -> Result<Self> {
        match number {
            1 => Ok(Self::ToDevice),
            2 => Ok(Self::ToHost),
            3 => Ok(Self::OnDevice),
            _ => Err(fault(op, Status::Error, "there is no such direction").with("direction", number)),
        }
    }
}

/// Memory of one type, on one device.
#[derive(Clone, Debug)]
pub struct Memory {
    kind: MemoryType,
}

/// In the order in which the default is found.
const ACCELERATORS: [MemoryType; 5] =
    [MemoryType::Nvidia, MemoryType::Amd, MemoryType::Moore, MemoryType::Cambricon, MemoryType::Ascend];

/// What the default is on this machine: the first accelerator that there is, else host memory.
pub fn supported() -> MemoryType {
    let found = ACCELERATORS.into_iter().find(|kind| accelerator("hmc memory", 0, *kind).is_ok());
    found.unwrap_or(MemoryType::Cpu)
}

/// Memory of the type with this number.
///
/// # Errors
/// `InvalidConfig` no such type · `Unsupported` this machine does not have it, and why.
pub fn open(op: &'static str, device: i32, kind: i32) -> Result<Memory> {
    let known = MemoryType::from_number(kind).ok_or_else(|| {
        fault(op, Status::InvalidConfig, "there is no such type of memory").with("type", kind)
    })?;
    let kind = if known == MemoryType::Default { supported() } else { known };
    if kind == MemoryType::Cpu { Ok(Memory { kind }) } else { accelerator(op, device, kind) }
}

/// Memory of an accelerator.
///
/// # Errors
/// `Unsupported` this machine does not have it, and why.
fn accelerator(op: &'static str, device: i32, kind: MemoryType) -> Result<Memory> {
    Err(fault(op, Status::Unsupported, "no accelerator of this type is driven by this library")
        .with("type", format_args!("{kind:?}"))
        .with("device", device))
}

/// Whose memory an address is, and on which device; host memory when no accelerator knows it.
pub fn kind_of(_address: *const u8) -> (MemoryType, i32) {
    (MemoryType::Cpu, 0)
}

impl Memory {
    /// Its type, never the default.
    pub fn kind(&self) -> MemoryType {
        self.kind
    }

    /// Allocates memory. `peerable`: for network cards.
    ///
    /// # Errors
    /// `Error` 0 bytes, or there is none left.
    pub fn allocate(&self, op: &'static str, bytes: u64, _peerable: bool) -> Result<*mut u8> {
        host::allocate(op, bytes)
    }

    /// Frees what was allocated.
    ///
    /// # Errors
    /// `Error` null, freed before, or never allocated.
    pub fn free(&self, op: &'static str, address: *mut u8) -> Result<()> {
        host::free(op, address)
    }

    /// Copies `bytes`; done on return.
    ///
    /// # Errors
    /// `Error` an end is null.
    ///
    /// # Safety
    /// Ends that are not null have so many bytes, of the memory that `direction` says.
    #[inline]
    pub unsafe fn copy(
        &self,
        op: &'static str,
        dest: *mut u8,
        source: *const u8,
        bytes: u64,
        _direction: Direction,
    ) -> Result<()> {
        if dest.is_null() || source.is_null() {
            return Err(fault(op, Status::Error, "an end of the copy is null"));
        }
        // SAFETY: passed on to the caller.
        unsafe { host::copy(op, dest, source, bytes) }
    }

    /// Waits for a stream of the vendor's runtime; none in host memory.
    ///
    /// # Errors
    /// None for host memory.
    pub fn synchronize(&self, _op: &'static str, _stream: *mut c_void) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OP: &str = "hmc test";

    #[test]
    fn unknown_numbers_are_refused_and_absent_memory_says_why() {
        for number in [-1, 7, i32::MAX] {
            assert_eq!(Status::of(&open(OP, 0, number).unwrap_err()), Status::InvalidConfig);
        }
        assert_eq!(open(OP, 5, 1).unwrap().kind(), MemoryType::Cpu);
        assert_eq!(open(OP, 0, 0).unwrap().kind(), supported());
        for kind in ACCELERATORS {
            if let Err(error) = open(OP, 0, kind as i32) {
                assert_eq!(Status::of(&error), Status::Unsupported, "{error}");
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
        // SAFETY: as above.
        unsafe { memory.copy(OP, back.as_mut_ptr(), address, 10_000, Direction::ToHost) }.unwrap();
        assert_eq!(back, source);
        // SAFETY: nothing is copied.
        unsafe { memory.copy(OP, address, source.as_ptr(), 0, Direction::OnDevice) }.unwrap();
        // SAFETY: null is refused.
        let null = unsafe { memory.copy(OP, std::ptr::null_mut(), source.as_ptr(), 0, Direction::ToDevice) };
        assert_eq!(Status::of(&null.unwrap_err()), Status::Error);
        memory.free(OP, address).unwrap();
        for address in [address, std::ptr::null_mut()] {
            assert_eq!(Status::of(&memory.free(OP, address).unwrap_err()), Status::Error);
        }
        assert_eq!(Status::of(&memory.allocate(OP, 0, false).unwrap_err()), Status::Error);
        assert_eq!(Status::of(&memory.allocate(OP, u64::MAX, false).unwrap_err()), Status::Error);
    }
}
