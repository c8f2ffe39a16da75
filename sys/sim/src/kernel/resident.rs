// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device memory that the simulator itself holds: arguments that a kernel follows pointers into, variables of
//! binaries.
//!
//! Programs see addresses of it and may copy there, but cannot free it.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Mutex, RwLock};

use crate::codes::acl;
use crate::config::Addressing;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::memory::region::regions;
use crate::memory::space::{Area, space};
use crate::memory::{Access, Block, PageSize, Region, RegionKind};
use crate::session::Location;

/// Such memory; it goes when this is dropped.
pub struct Resident {
    address: u64,
    bytes: u64,
    view: usize,
    reserved: Option<Range<u64>>,
    /// A separate block is mapped there.
    is_mapped: bool,
}

impl Resident {
    /// Fresh zeroed memory of a device, taken from no program's budget.
    ///
    /// # Errors
    /// 207001 when the host has none.
    pub fn allocate(device: u32, bytes: u64) -> Outcome<Self> {
        let space = space()?;
        let bytes = bytes.max(1).next_multiple_of(PageSize::Normal as u64);
        let block = Block::create(Location::Device(device), bytes, 0, PageSize::Normal)?;
        let reserved = space.reserve(Area::Heap, None, bytes, PageSize::Normal as u64)?;
        let view = match space.map(reserved.start, &block, 0..bytes) {
            Ok(view) => view,
            Err(fault) => {
                space.release(&reserved);
                return Err(fault);
            }
        };
        let at = std::ptr::with_exposed_provenance_mut::<u8>(view);
        // SAFETY: the block was just mapped there with this size, and nothing else knows the addresses.
        unsafe { at.write_bytes(0, crate::memory::native(bytes)) };
        let address = reserved.start;
        Self { address, bytes, view, reserved: Some(reserved), is_mapped: true }.noted(device, Some(block))
    }

    /// A variable of a binary, as memory of a device.
    ///
    /// # Errors
    /// 107000 when it overlaps another one · 207001 without addresses.
    pub fn variable(device: u32, at: *mut c_void, bytes: u64) -> Outcome<Self> {
        let (config, space) = (&machine()?.config, space()?);
        let view = at.expose_provenance();
        let (address, reserved) = match config.addressing {
            Addressing::Same => (view as u64, None),
            Addressing::Alias => {
                // Same offset within the page, so that alignment is preserved.
                let page = PageSize::Normal as u64;
                let skew = view as u64 % page;
                let reserved = space.reserve(Area::Heap, None, bytes + skew, page)?;
                (reserved.start + skew, Some(reserved))
            }
        };
        ensure(!regions()?.overlaps(&(address..address + bytes)), acl::RT_PARAM_INVALID, || {
            format!("the variable at {address:#x} of {bytes} bytes overlaps another one")
        })?;
        Self { address, bytes, view, reserved, is_mapped: false }.noted(device, None)
    }

    fn noted(self, device: u32, block: Option<std::sync::Arc<Block>>) -> Outcome<Self> {
        regions()?.insert(Region {
            range: self.address..self.address + self.bytes,
            kind: RegionKind::Resident,
            location: Location::Device(device),
            block,
            block_offset: 0,
            view: self.view,
            grants: Mutex::new(vec![(device, Access::ReadWrite)]),
            gone: RwLock::new(false),
        });
        Ok(self)
    }

    /// Its device address.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Returns the address in the simulator.
    pub fn view(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.view)
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        let (Ok(regions), Ok(space)) = (regions(), space()) else { return };
        regions.remove(self.address);
        if self.is_mapped {
            space.unmap(self.address, self.bytes, self.view);
        }
        if let Some(reserved) = &self.reserved {
            space.release(reserved);
        }
    }
}
