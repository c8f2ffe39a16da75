// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device memory: allocation, and lookup by address.

use std::sync::Arc;

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::contexts::current;
use crate::lock::lock;
use crate::machine::{Machine, machine};
use crate::settings::settings;
use crate::state::block::{Block, file};

impl Machine {
    /// The allocation around an address.
    pub(crate) fn block(&self, vendor: Vendor, address: u64) -> Outcome<Arc<Block>> {
        let block = self.blocks.range(address..).next().map(|(_, block)| block);
        let block = block.filter(|block| block.address <= address && block.place.0 == vendor);
        block.cloned().ok_or(Code::InvalidValue)
    }

    /// Returns the allocation that contains a range, or the adjacent mappings of one reservation that cover
    /// it.
    pub(crate) fn blocks_of(&self, vendor: Vendor, address: u64, bytes: usize) -> Outcome<Vec<Arc<Block>>> {
        let end = address.checked_add(bytes as u64).ok_or(Code::InvalidValue)?;
        let mut found = vec![self.block(vendor, address)?];
        while let Some(last) = found.last()
            && last.address + last.bytes < end
        {
            let next = self.block(vendor, last.address + last.bytes)?;
            let (Some(one), Some(other)) = (&last.shadow, &next.shadow) else {
                return Err(Code::InvalidValue);
            };
            if !Arc::ptr_eq(one, other) {
                return Err(Code::InvalidValue);
            }
            found.push(next);
        }
        Ok(found)
    }

    /// Returns true if a range contains device memory of any vendor.
    pub(crate) fn is_device(&self, address: u64, bytes: usize) -> bool {
        let end = address.saturating_add(bytes as u64);
        self.blocks.range(address..).next().is_some_and(|(_, block)| block.address < end)
    }

    /// Makes a block known.
    pub(crate) fn keep(&mut self, block: Arc<Block>) -> u64 {
        let address = block.address;
        self.blocks.insert(block.last(), block);
        address
    }

    /// Forgets a block.
    pub(crate) fn forget(&mut self, block: &Block) {
        self.blocks.remove(&block.last());
    }
}

/// New memory of the current device.
pub(crate) fn allocate(vendor: Vendor, bytes: usize) -> Outcome<u64> {
    let place = current(vendor)?;
    if bytes == 0 {
        return Err(Code::InvalidValue);
    }
    let mut machine = lock(machine());
    if machine.used(place) + bytes as u64 > settings().memory_bytes {
        return Err(Code::OutOfMemory);
    }
    let file = file(c"gpusim", bytes as u64)?;
    let block = Block::map(place, file, bytes as u64, None)?;
    Ok(machine.keep(block))
}

/// Gives memory of the current device back. Null is nothing, except at CNDrv.
pub(crate) fn free(vendor: Vendor, address: u64) -> Outcome {
    let place = current(vendor)?;
    if address == 0 && vendor != Vendor::Cambricon {
        return Ok(());
    }
    let mut machine = lock(machine());
    let block = machine.block(vendor, address)?;
    if block.address != address || block.origin.is_some() || block.made.is_some() || block.place != place {
        return Err(Code::InvalidValue);
    }
    machine.forget(&block);
    Ok(())
}

/// Base and length of the allocation around an address.
pub(crate) fn range(vendor: Vendor, address: u64) -> Outcome<(u64, u64)> {
    current(vendor)?;
    let block = lock(machine()).block(vendor, address)?;
    Ok((block.address, block.bytes))
}

/// Free and total bytes of the current device.
pub(crate) fn info(vendor: Vendor) -> Outcome<(u64, u64)> {
    let place = current(vendor)?;
    let total = settings().memory_bytes;
    Ok((total.saturating_sub(lock(machine()).used(place)), total))
}
