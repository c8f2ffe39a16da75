// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory as a device: segments are sealed memory files, with huge pages where the machine has them.

use std::any::Any;
use std::ops::Range;
use std::os::fd::AsFd;

use mf_base::os::mapping::Reservation;
use mf_base::os::memfile::{MemFile, Pages};
use mf_base::os::process::{HUGE_PAGE_BYTES, page_bytes};
use mf_base::settings::Switch;
use mf_base::{Error, MemKind, Result};

use super::{AddressWindows, Device, Identity, Memory, Share, Token, Window, duplicate};

const OP: &str = "host memory";

/// Regions that are usually free on 64-bit Linux, best first: away from position-independent programs
/// (0x5500…), from the mappings below the stack (0x7f…) and from the shadows of the sanitizers (below
/// 0x1000_8000_0000).
pub const CANDIDATES: [Range<u64>; 4] = [
    0x2800_0000_0000..0x5000_0000_0000,
    0x1100_0000_0000..0x2800_0000_0000,
    0x6200_0000_0000..0x7800_0000_0000,
    // For address spaces of 39 bits only.
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
        Ok(Box::new(HostMemory { pieces: vec![Piece { file, sealed: true }], huge_pages: self.huge_pages }))
    }

    fn adopt(&self, _: MemKind, shares: Vec<Share>) -> Result<Box<dyn Memory>> {
        let pieces = shares.into_iter().map(Piece::from_share).collect::<Result<Vec<_>>>()?;
        Ok(Box::new(HostMemory { pieces, huge_pages: self.huge_pages }))
    }
}

/// A memory file.
struct Piece {
    file: MemFile,
    sealed: bool,
}

impl Piece {
    fn from_share(share: Share) -> Result<Self> {
        let Share { bytes, sealed, token: Token::Descriptor(descriptor) } = share else {
            return Err(Error::invalid(OP, "a member's host memory is not given by descriptors"));
        };
        Ok(Self { file: MemFile::from_descriptor(descriptor, bytes, sealed)?, sealed })
    }

    /// Returns the same file through a new descriptor.
    fn duplicate(&self) -> Result<Self> {
        let file = MemFile::from_descriptor(duplicate(self.file.as_fd())?, self.file.bytes(), self.sealed)?;
        Ok(Self { file, sealed: self.sealed })
    }
}

/// Memory files, one behind the other, as a segment's memory.
struct HostMemory {
    pieces: Vec<Piece>,
    huge_pages: Switch,
}

impl Memory for HostMemory {
    fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.file.bytes()).sum()
    }

    fn page_bytes(&self) -> u64 {
        // Ordinary pages can be joined to transparent huge ones, unless that is not wanted.
        let is_huge = |piece: &Piece| piece.file.pages() == Pages::Huge || self.huge_pages != Switch::Off;
        if self.pieces.iter().all(is_huge) { HUGE_PAGE_BYTES } else { page_bytes() }
    }

    fn grown(&self, bytes: u64) -> Result<Box<dyn Memory>> {
        let more = bytes.checked_sub(self.bytes()).ok_or_else(|| {
            Error::invalid(OP, "memory cannot shrink").with("from", self.bytes()).with("to", bytes)
        })?;
        let mut pieces = self.pieces.iter().map(Piece::duplicate).collect::<Result<Vec<_>>>()?;
        if let Some(last) = pieces.last_mut() {
            // A file longer than its known size does no harm.
            last.file.grow(last.file.bytes() + more)?;
        }
        Ok(Box::new(Self { pieces, huge_pages: self.huge_pages }))
    }

    fn share_count(&self) -> usize {
        self.pieces.len()
    }

    fn share(&self, _: &Identity) -> Result<Vec<Share>> {
        let share = |piece: &Piece| {
            let token = Token::Descriptor(duplicate(piece.file.as_fd())?);
            Ok(Share { bytes: piece.file.bytes(), sealed: piece.sealed, token })
        };
        self.pieces.iter().map(share).collect()
    }
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
        if range.end > memory.bytes() {
            return Err(Error::invalid(OP, "the memory is shorter than the range to map")
                .with("bytes", memory.bytes())
                .with("end", range.end));
        }
        // Before anything is mapped: a refusal changes nothing.
        let length = range.end.saturating_sub(range.start);
        self.part(offset, length)?;
        let mut start = 0;
        for Piece { file, .. } in &memory.pieces {
            let end = start + file.bytes();
            let (from, to) = (range.start.max(start), range.end.min(end));
            if from < to {
                let (at, part) = (offset + (from - range.start), from - start..to - start);
                // SAFETY: the caller keeps others out of that part of the window.
                if let Err(error) = unsafe { self.map(at, file, part) } {
                    // SAFETY: the caller keeps others out of that part of the window, so the earlier pieces
                    // have no users.
                    return unsafe { self.unmap(offset, length) }.and(Err(error));
                }
            }
            start = end;
        }
        Ok(())
    }

    unsafe fn unmap(&self, offset: u64, bytes: u64) -> Result<()> {
        // SAFETY: the caller vouches that nobody accesses that part of the window any more.
        unsafe { self.unmap(offset, bytes) }
    }

    fn include_in_dumps(&self, offset: u64, bytes: u64) -> Result<()> {
        self.include_in_dumps(offset, bytes)
    }

    fn bind_to_node(&self, offset: u64, bytes: u64, node: u32) -> Result<()> {
        self.bind_to_node(offset, bytes, node)
    }
}
