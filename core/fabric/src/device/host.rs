// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory as a device: segments are sealed memory files, with huge pages where the machine has them.

use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mf_base::os::mapping::Reservation;
use mf_base::os::memfile::{MemFile, Pages};
use mf_base::os::process::{HUGE_PAGE_BYTES, page_bytes};
use mf_base::settings::Switch;
use mf_base::{MemKind, Result};

use super::{Device, Memory};

/// The host device.
#[derive(Debug)]
pub struct HostDevice {
    huge_pages: Switch,
}

impl HostDevice {
    /// A host device with the given policy on huge pages.
    pub fn new(huge_pages: Switch) -> Self {
        Self { huge_pages }
    }
}

impl Device for HostDevice {
    fn name(&self) -> &'static str {
        "host"
    }

    fn serves(&self, _: MemKind) -> bool {
        true
    }

    fn granule_bytes(&self) -> u64 {
        HUGE_PAGE_BYTES
    }

    fn allocate(&self, kind: MemKind, bytes: u64) -> Result<Box<dyn Memory>> {
        let name = match kind {
            MemKind::Device => "mf-device-segment",
            MemKind::Host => "mf-host-segment",
        };
        let file = MemFile::create(name, bytes, self.huge_pages)?;
        Ok(Box::new(HostMemory { file, sealed: true, huge_pages: self.huge_pages }))
    }

    fn adopt(&self, descriptor: OwnedFd, bytes: u64, sealed: bool) -> Result<Box<dyn Memory>> {
        let file = MemFile::from_descriptor(descriptor, bytes, sealed)?;
        Ok(Box::new(HostMemory { file, sealed, huge_pages: self.huge_pages }))
    }
}

/// A memory file as a segment's memory.
struct HostMemory {
    file: MemFile,
    sealed: bool,
    huge_pages: Switch,
}

impl Memory for HostMemory {
    fn bytes(&self) -> u64 {
        self.file.bytes()
    }

    fn page_bytes(&self) -> u64 {
        match self.file.pages() {
            // Ordinary pages can be joined to transparent huge ones, unless that is not wanted.
            Pages::Normal if self.huge_pages == Switch::Off => page_bytes(),
            Pages::Normal | Pages::Huge => HUGE_PAGE_BYTES,
        }
    }

    fn sealed(&self) -> bool {
        self.sealed
    }

    fn grow(&mut self, bytes: u64) -> Result<()> {
        self.file.grow(bytes)
    }

    fn descriptor(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    unsafe fn map(&self, window: &Reservation, offset: u64, range: Range<u64>) -> Result<()> {
        // SAFETY: the caller keeps others out of that part of the window.
        unsafe { window.map(offset, &self.file, range) }
    }
}
