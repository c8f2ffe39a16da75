// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The device window of a pool: reserved device addresses and the blocks mapped there.
//!
//! Every reservation or mapping is in a table before the next step is tried, so each exit path gives back
//! exactly the completed steps: a failed `map` its own blocks, the drop of the window all others, in the
//! order unmap, free, release.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Result};

use super::block::Block;
use super::driver::Mapper;
use super::pieces;
use super::segment::{Placed, SegmentMemory, downcast};
use crate::{Memory, Window};

const OP: &str = "device window";

/// A window of device memory.
pub(super) struct DeviceWindow {
    base: u64,
    bytes: u64,
    reserved: Reservations,
    /// The mapped blocks by address; a block lives at least as long as its mapping.
    mapped: Mutex<Mapped>,
}

type Mapped = BTreeMap<u64, Arc<Block>>;

/// Ranges of reserved addresses, in order; given back in the end.
struct Reservations {
    driver: Arc<dyn Mapper>,
    ranges: Vec<Range<u64>>,
}

impl DeviceWindow {
    /// Reserves `bytes` at `base` for segments of `stride` bytes.
    pub(super) fn reserve(driver: &Arc<dyn Mapper>, base: u64, bytes: u64, stride: u64) -> Result<Self> {
        let physical = driver.physical()?;
        let granule = physical.granule_bytes();
        let bad = |what: &str| {
            Error::invalid(OP, what)
                .with("base", format!("{base:#x}"))
                .with("bytes", ByteLen(bytes))
                .with("segment_bytes", ByteLen(stride))
        };
        if stride == 0 || bytes == 0 || !bytes.is_multiple_of(stride) || !stride.is_multiple_of(granule) {
            return Err(bad("the sizes of a device window do not fit each other")
                .hint(format!("segments are multiples of {}", ByteLen(granule))));
        }
        let end = base.checked_add(bytes);
        let is_in = |range: &Range<u64>| base >= range.start && end.is_some_and(|end| end <= range.end);
        let is_fixed = |range: &Range<u64>| base == range.start && end == Some(range.end);
        let possible = physical.address_ranges();
        if !possible.iter().any(is_in) && !physical.fixed_addresses().iter().any(is_fixed) {
            let ranges: Vec<String> =
                possible.iter().map(|range| format!("{:#x}-{:#x}", range.start, range.end)).collect();
            return Err(bad("the window lies where the device has no addresses to give")
                .with("possible", ranges.join(" ")));
        }
        let mut reserved = Reservations { driver: Arc::clone(driver), ranges: Vec::new() };
        driver.run(|| {
            for range in physical.cuts(base, bytes, stride) {
                physical.reserve(&range)?;
                reserved.ranges.push(range);
            }
            Ok(())
        })??;
        Ok(Self { base, bytes, reserved, mapped: Mutex::default() })
    }

    fn driver(&self) -> &Arc<dyn Mapper> {
        &self.reserved.driver
    }

    /// The addresses of a part.
    fn part(&self, offset: u64, bytes: u64) -> Result<Range<u64>> {
        match offset.checked_add(bytes) {
            Some(end) if bytes > 0 && end <= self.bytes => Ok(self.base + offset..self.base + end),
            _ => Err(Error::invalid(OP, "the part is not inside the window")
                .with("offset", offset)
                .with("bytes", bytes)
                .with("window_bytes", self.bytes)),
        }
    }

    /// Maps blocks one by one; on an error those before it stay in `done`.
    ///
    /// # Safety
    /// Nobody accesses these addresses, which belong to this window.
    unsafe fn map_blocks(start: u64, placed: &[Placed], done: &mut Vec<u64>) -> Result<()> {
        let mut at = start;
        for Placed { block, fresh, .. } in placed {
            // SAFETY: the caller keeps others away from these addresses, which belong to this window.
            unsafe { block.map(at) }?;
            done.push(at);
            if *fresh {
                // SAFETY: mapped just now.
                unsafe { block.clear(at) }?;
            }
            at += block.bytes();
        }
        Ok(())
    }

    /// Unmaps the blocks at `addresses`. Returns the first error, after trying all. Blocks that stay mapped
    /// stay in the table.
    ///
    /// # Safety
    /// Nobody accesses the blocks any more.
    unsafe fn unmap_all(&self, mapped: &mut Mapped, addresses: &[u64]) -> Result<()> {
        let mut first = Ok(());
        for address in addresses {
            let bytes = mapped.get(address).map_or(0, |block| block.bytes());
            // SAFETY: the caller vouches that nobody accesses the blocks any more.
            match self.driver().run(|| unsafe { self.driver().physical()?.unmap(*address, bytes) }).flatten()
            {
                Ok(()) => drop(mapped.remove(address)),
                Err(error) => first = first.and(Err(error)),
            }
        }
        first
    }
}

impl Window for DeviceWindow {
    fn base(&self) -> u64 {
        self.base
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    unsafe fn map(&self, offset: u64, memory: &dyn Memory, range: Range<u64>) -> Result<()> {
        let known = downcast(memory)?;
        let part = self.part(offset, range.end.saturating_sub(range.start))?;
        if range.end > memory.bytes() {
            return Err(Error::invalid(OP, "the memory is shorter than the part to map")
                .with("memory_bytes", memory.bytes())
                .with("end", range.end));
        }
        let mut mapped = lock(&self.mapped);
        let shift = part.start.wrapping_sub(range.start);
        let placed = match known {
            SegmentMemory::Foreign(foreign) => foreign.blocks(&range)?,
            SegmentMemory::Own(own) => own.blocks(&range, |missing| {
                let addresses = missing.start.wrapping_add(shift)..missing.end.wrapping_add(shift);
                let parts = pieces::intersect(&self.reserved.ranges, &addresses);
                parts.map(|part| part.start.wrapping_sub(shift)..part.end.wrapping_sub(shift)).collect()
            })?,
        };
        let mut done = Vec::with_capacity(placed.len());
        // SAFETY: the part lies in this window, and the caller keeps others out of it.
        let outcome = unsafe { Self::map_blocks(part.start, &placed, &mut done) };
        mapped.extend(done.iter().copied().zip(placed.iter().map(|one| Arc::clone(&one.block))));
        if outcome.is_err() {
            // SAFETY: as for mapping.
            let undone = unsafe { self.unmap_all(&mut mapped, &done) };
            undone.unwrap_or_else(|error| warn("a block of a failed mapping", &error));
            return outcome;
        }
        if let SegmentMemory::Own(own) = known {
            own.keep(&placed);
        }
        Ok(())
    }

    unsafe fn unmap(&self, offset: u64, bytes: u64) -> Result<()> {
        let part = self.part(offset, bytes)?;
        let mut mapped = lock(&self.mapped);
        let before = mapped.range(..part.start).next_back().map(|(address, block)| address + block.bytes());
        let inside: Vec<u64> = mapped.range(part.clone()).map(|(address, _)| *address).collect();
        let last = inside.last().and_then(|address| Some(address + mapped.get(address)?.bytes()));
        if before.is_some_and(|end| end > part.start) || last.is_some_and(|end| end > part.end) {
            return Err(Error::invalid(OP, "a part does not begin and end at mappings")
                .with("offset", offset)
                .with("bytes", bytes));
        }
        // SAFETY: the caller vouches that nobody accesses that part of the window any more.
        unsafe { self.unmap_all(&mut mapped, &inside) }
    }
}

impl Drop for DeviceWindow {
    fn drop(&mut self) {
        // Blocks go with their mappings, and the reservations after both, as the fields drop.
        let mut mapped = std::mem::take(&mut *lock(&self.mapped));
        let addresses: Vec<u64> = mapped.keys().copied().collect();
        // SAFETY: nobody accesses a window that is dropped.
        let unmapped = unsafe { self.unmap_all(&mut mapped, &addresses) };
        unmapped.unwrap_or_else(|error| warn("a mapping of device memory", &error));
    }
}

impl Drop for Reservations {
    fn drop(&mut self) {
        let driver = &self.driver;
        let released = driver.run(|| {
            let physical = driver.physical()?;
            // The first error, after trying all.
            let mut first = Ok(());
            for range in &self.ranges {
                // SAFETY: the window has unmapped everything before its reservations go.
                first = first.and(unsafe { physical.release(range) });
            }
            first
        });
        released.flatten().unwrap_or_else(|error| warn("a range of device addresses", &error));
    }
}

/// Drops cannot fail, and the program goes on without the lost resource.
fn warn(what: &str, error: &Error) {
    tracing::warn!("{what} was not given back: {error}");
}
