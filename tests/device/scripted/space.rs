// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device addresses: which are reserved, and which block lies at each.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, Result};
use mf_device::Locality;

use super::OP;
use super::block::Block;

#[derive(Default)]
pub(super) struct Space {
    /// Start → end of the reserved ranges.
    reserved: Mutex<BTreeMap<u64, u64>>,
    mapped: Mutex<BTreeMap<u64, Arc<Block>>>,
}

impl Space {
    pub(super) fn reserve(&self, range: Range<u64>) -> Result<()> {
        let mut reserved = lock(&self.reserved);
        if let Some((start, end)) =
            reserved.iter().find(|(start, end)| **start < range.end && range.start < **end)
        {
            return Err(Error::new(Kind::InUse, OP)
                .what("a range of device addresses is taken")
                .with("taken_by", format!("{start:#x}-{end:#x}")));
        }
        reserved.insert(range.start, range.end);
        Ok(())
    }

    pub(super) fn release(&self, start: u64) {
        lock(&self.reserved).remove(&start);
    }

    /// Maps all blocks, or none.
    pub(super) fn map(&self, blocks: Vec<(u64, Arc<Block>)>) -> Result<()> {
        let mut mapped = lock(&self.mapped);
        for (address, block) in &blocks {
            let end = address + block.bytes();
            if mapped.iter().any(|(start, there)| *start < end && *address < start + there.bytes()) {
                return Err(Error::invalid(OP, "something is mapped there already")
                    .with("address", format!("{address:#x}")));
            }
        }
        mapped.extend(blocks);
        Ok(())
    }

    /// Unmaps what begins in the range; true when there was anything.
    pub(super) fn unmap(&self, range: Range<u64>) -> bool {
        let mut mapped = lock(&self.mapped);
        let before = mapped.len();
        mapped.retain(|address, _| !range.contains(address));
        mapped.len() < before
    }

    pub(super) fn mapped_bytes(&self) -> u64 {
        lock(&self.mapped).values().map(|block| block.bytes()).sum()
    }

    /// All reserved addresses are the device's, mapped or not.
    pub(super) fn locality(&self, address: u64) -> Locality {
        let reserved = lock(&self.reserved);
        let before = reserved.range(..=address).next_back();
        if before.is_some_and(|(_, end)| address < *end) { Locality::Device } else { Locality::Host }
    }

    /// Copies; each end is host memory, or device memory in as many blocks as it takes.
    pub(super) fn copy(&self, mut src: u64, mut dst: u64, mut bytes: u64) -> Result<()> {
        while bytes > 0 {
            let (from, one) = self.resolve(src, bytes)?;
            let (to, other) = self.resolve(dst, bytes)?;
            let now = one.min(other);
            // SAFETY: both are mapped blocks, or host memory that the caller of the copy vouches for.
            unsafe { std::ptr::copy(from, to, usize::try_from(now).unwrap()) };
            (src, dst, bytes) = (src + now, dst + now, bytes - now);
        }
        Ok(())
    }

    /// Address of `address` for the mover, and the number of contiguous bytes, at most `bytes`.
    fn resolve(&self, address: u64, bytes: u64) -> Result<(*mut u8, u64)> {
        if self.locality(address) == Locality::Host {
            return Ok((Gva(address).as_ptr(), bytes));
        }
        let mapped = lock(&self.mapped);
        let before = mapped.range(..=address).next_back();
        let found = before.filter(|(start, block)| address - **start < block.bytes());
        let (start, block) = found.ok_or_else(|| {
            Error::new(Kind::Failed, OP)
                .what("nothing is mapped at a device address")
                .with("address", format!("{address:#x}"))
        })?;
        let offset = address - start;
        Ok((block.at(offset), (block.bytes() - offset).min(bytes)))
    }
}
