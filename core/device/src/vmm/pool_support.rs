// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The half of a device that pools use.

use std::ops::Range;
use std::sync::Arc;

use mf_base::{Error, MemKind, Result};

use super::address_window::DeviceWindow;
use super::driver::{Mapper, Physical};
use super::segment::{ForeignMemory, OwnMemory};
use crate::{AddressWindows, GivenBlock, Memory, Share, Window};

const OP: &str = "device memory";

/// Device memory at chosen addresses, by its mapper.
pub(crate) struct Windows(Arc<dyn Mapper>);

impl Windows {
    pub(crate) fn new(mapper: Arc<dyn Mapper>) -> Self {
        Self(mapper)
    }

    /// Returns itself.
    ///
    /// # Errors
    /// `Failed` with the reason that the device has no such memory.
    pub(crate) fn available(&self) -> Result<&dyn AddressWindows> {
        self.0.physical()?;
        Ok(self)
    }
}

impl AddressWindows for Windows {
    fn granule_bytes(&self, _: MemKind) -> u64 {
        // A device with a driver without `Physical` has no windows.
        self.0.physical().map_or(u64::MAX, Physical::granule_bytes)
    }

    fn address_ranges(&self, kind: MemKind) -> &[Range<u64>] {
        match (kind, self.0.physical()) {
            (MemKind::Device, Ok(physical)) => physical.address_ranges(),
            // Host memory can be registered wherever it lies.
            _ => &[],
        }
    }

    fn fixed_addresses(&self) -> &'static [Range<u64>] {
        self.0.physical().map_or(&[], Physical::fixed_addresses)
    }

    fn reserve(&self, kind: MemKind, base: u64, bytes: u64, stride: u64) -> Result<Box<dyn Window>> {
        only_device_memory(kind)?;
        Ok(Box::new(DeviceWindow::reserve(&self.0, base, bytes, stride)?))
    }

    fn allocate(&self, kind: MemKind, bytes: u64) -> Result<Box<dyn Memory>> {
        only_device_memory(kind)?;
        Ok(Box::new(OwnMemory::new(&self.0, bytes)?))
    }

    fn allocate_around(&self, kind: MemKind, bytes: u64, given: &[GivenBlock]) -> Result<Box<dyn Memory>> {
        only_device_memory(kind)?;
        Ok(Box::new(OwnMemory::around(&self.0, bytes, given)?))
    }

    fn adopt(&self, kind: MemKind, shares: Vec<Share>) -> Result<Box<dyn Memory>> {
        only_device_memory(kind)?;
        Ok(Box::new(ForeignMemory::new(&self.0, shares)?))
    }
}

fn only_device_memory(kind: MemKind) -> Result<()> {
    match kind {
        MemKind::Device => Ok(()),
        MemKind::Host => Err(Error::invalid(OP, "host memory is made by the host device")),
    }
}
