// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory as a device: segments are sealed memory files, with huge pages where the machine has them.

use std::any::Any;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mf_base::os::mapping::Reservation;
use mf_base::os::memfile::{MemFile, Pages};
use mf_base::os::process::{HUGE_PAGE_BYTES, page_bytes};
use mf_base::settings::Switch;
use mf_base::{Error, Kind, MemKind, Result};

use super::{AddressWindows, Device, Identity, Memory, Share, Token, Window};

const OP: &str = "host memory";

/// Regions that are usually free on 64-bit Linux, best first: away from position-independent programs
/// (0x5500…), from the mappings below the stack (0x7f…) and from the shadows of the sanitizers (below
/// 0x1000_8000_0000).
pub const CANDIDATES: [Range<u64>; 4] = [
    0x2800_0000_0000..0x5000_0000_0000,
    0x1100_0000_0000..0x2800_0000_0000,
    0x6200_0000_0000..0x7800_0000_0000,
    // Where the address space has 39 bits only.
    0x20_0000_0000..0x50_0000_0000,
];

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

    fn identity(&self) -> Result<Identity> {
        Ok(Identity { device: "host".to_owned(), process: std::process::id().cast_signed(), unit: 0 })
    }

    fn windows(&self) -> Result<&dyn AddressWindows> {
        Ok(self)
    }
}

impl AddressWindows for HostDevice {
    fn granule_bytes(&self, _: MemKind) -> u64 {
        HUGE_PAGE_BYTES
    }

    fn address_ranges(&self, _: MemKind) -> &[Range<u64>] {
        &CANDIDATES
    }

    fn reserve(&self, _: MemKind, base: u64, bytes: u64, _: u64) -> Result<Box<dyn Window>> {
        Ok(Box::new(Reservation::at(base, bytes)?))
    }

    fn allocate(&self, kind: MemKind, bytes: u64) -> Result<Box<dyn Memory>> {
        let name = match kind {
            MemKind::Device => "mf-device-segment",
            MemKind::Host => "mf-host-segment",
        };
        let file = MemFile::create(name, bytes, self.huge_pages)?;
        Ok(Box::new(HostMemory { file, sealed: true, huge_pages: self.huge_pages }))
    }

    fn adopt(&self, _: MemKind, shares: Vec<Share>) -> Result<Box<dyn Memory>> {
        let [Share { bytes, sealed, token: Token::Descriptor(descriptor) }] =
            <[Share; 1]>::try_from(shares).map_err(|shares| not_one_descriptor(shares.len()))?
        else {
            return Err(not_one_descriptor(1));
        };
        let file = MemFile::from_descriptor(descriptor, bytes, sealed)?;
        Ok(Box::new(HostMemory { file, sealed, huge_pages: self.huge_pages }))
    }
}

#[cold]
fn not_one_descriptor(pieces: usize) -> Error {
    Error::invalid(OP, "a member's host memory is not one descriptor").with("pieces", pieces)
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

    fn grown(&self, bytes: u64) -> Result<Box<dyn Memory>> {
        // The same file through a descriptor of its own; longer than its users know it does no harm.
        let mut file =
            MemFile::from_descriptor(duplicate(self.file.as_fd())?, self.file.bytes(), self.sealed)?;
        file.grow(bytes)?;
        Ok(Box::new(Self { file, sealed: self.sealed, huge_pages: self.huge_pages }))
    }

    fn share(&self, _: &Identity) -> Result<Vec<Share>> {
        let token = Token::Descriptor(duplicate(self.file.as_fd())?);
        Ok(vec![Share { bytes: self.file.bytes(), sealed: self.sealed, token }])
    }
}

fn duplicate(descriptor: BorrowedFd<'_>) -> Result<OwnedFd> {
    descriptor
        .try_clone_to_owned()
        .map_err(|e| Error::new(Kind::NoResources, OP).what("a descriptor could not be duplicated").source(e))
}

impl Window for Reservation {
    fn base(&self) -> u64 {
        self.base()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }

    unsafe fn map(&self, offset: u64, memory: &dyn Memory, range: Range<u64>) -> Result<()> {
        let memory = (memory as &dyn Any)
            .downcast_ref::<HostMemory>()
            .ok_or_else(|| Error::invalid(OP, "memory of another device cannot be mapped here"))?;
        // SAFETY: the caller keeps others out of that part of the window.
        unsafe { self.map(offset, &memory.file, range) }
    }

    unsafe fn unmap(&self, offset: u64, bytes: u64) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.unmap(offset, bytes) }
    }

    fn leave_out_of_dumps(&self, offset: u64, bytes: u64) -> Result<()> {
        self.leave_out_of_dumps(offset, bytes)
    }

    fn bind_to_node(&self, offset: u64, bytes: u64, node: u32) -> Result<()> {
        self.bind_to_node(offset, bytes, node)
    }
}
