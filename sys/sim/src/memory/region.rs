// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which addresses of this process mean what.
//!
//! A look-up takes the table's lock for reading and nothing else. Small accesses happen under it. Large ones
//! take the region along and hold its `gone` for one piece at a time, so that freeing it waits for the
//! piece that runs and no longer, and nothing else waits at all. Taking a region out first makes it
//! unfindable, then waits for `gone`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard};

use mf_base::sync::{read, write};

use super::block::Block;
use crate::fault::Outcome;
use crate::machine::machine;
use crate::session::Location;

/// Origin of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// `aclrtMalloc` and its like.
    Malloc,
    /// A piece of a pool.
    Pooled,
    /// A mapping of virtual memory management.
    Mapped,
    /// `aclrtMallocHost` and its like.
    HostMalloc,
    /// Memory of the process that was registered.
    Registered,
    /// Memory of another process, opened by key.
    Ipc,
    /// Simulator memory for kernels: arguments, variables of binaries.
    Resident,
}

/// Access right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Nothing.
    None,
    /// Reading.
    Read,
    /// Both.
    ReadWrite,
}

/// In [`Region::grants`]: every device.
pub const ANY_DEVICE: u32 = u32::MAX;

/// A range of addresses with memory behind it.
#[derive(Debug)]
pub struct Region {
    /// The addresses that programs know.
    pub range: Range<u64>,
    /// Origin of the region.
    pub kind: RegionKind,
    /// Location of its memory.
    pub location: Location,
    /// Its memory; `None` for registered memory of the process.
    pub block: Option<Arc<Block>>,
    /// Offset in the block.
    pub block_offset: u64,
    /// Simulator's address of the first byte: the same address, or a different one when addresses are
    /// aliases.
    pub view: usize,
    /// Access rights of other devices, by physical number or [`ANY_DEVICE`].
    pub grants: Mutex<Vec<(u32, Access)>>,
    /// Held for reading while bytes move; unmapping takes it for writing first and sets it.
    pub gone: RwLock<bool>,
}

/// All regions.
#[derive(Default)]
pub struct Regions(RwLock<BTreeMap<u64, Arc<Region>>>);

/// Regions of this process, mapped or registered.
pub(super) static REGIONS: Regions = Regions(RwLock::new(BTreeMap::new()));

/// Regions of this process.
///
/// # Errors
/// The machine's own.
pub fn regions() -> Outcome<&'static Regions> {
    machine()?;
    Ok(&REGIONS)
}

/// Read-locked table. While it is held no region is removed or added: hold it briefly, and take it only once.
pub struct RegionTable<'a>(RwLockReadGuard<'a, BTreeMap<u64, Arc<Region>>>);

impl RegionTable<'_> {
    /// The region that holds `address`.
    #[inline]
    pub fn find(&self, address: u64) -> Option<&Arc<Region>> {
        let (_, region) = self.0.range(..=address).next_back()?;
        (address < region.range.end).then_some(region)
    }

    /// Returns the start of the next region above `address`.
    pub fn next_after(&self, address: u64) -> Option<u64> {
        self.0.range(address..).next().map(|(start, _)| *start)
    }
}

impl Regions {
    /// The table, for a look-up.
    #[inline]
    pub fn table(&self) -> RegionTable<'_> {
        RegionTable(read(&self.0))
    }

    /// Notes a region; it overlaps no other.
    pub fn insert(&self, region: Region) -> Arc<Region> {
        let region = Arc::new(region);
        let start = region.range.start;
        write(&self.0).insert(start, Arc::clone(&region));
        region
    }

    /// The region that holds `address`.
    pub fn find(&self, address: u64) -> Option<Arc<Region>> {
        self.table().find(address).cloned()
    }

    /// The region that starts at `address`.
    pub fn starting_at(&self, address: u64) -> Option<Arc<Region>> {
        self.table().0.get(&address).cloned()
    }

    /// Returns true if a region overlaps `range`.
    pub fn overlaps(&self, range: &Range<u64>) -> bool {
        let table = self.table();
        table.0.range(..range.end).next_back().is_some_and(|(_, region)| region.range.end > range.start)
    }

    /// Takes a region out and waits until no bytes move through it; its memory may be unmapped then.
    pub fn remove(&self, start: u64) -> Option<Arc<Region>> {
        self.remove_if(start, |_| true)
    }

    /// As [`Regions::remove`], if the region satisfies `is`.
    pub fn remove_if(&self, start: u64, is: impl FnOnce(&Region) -> bool) -> Option<Arc<Region>> {
        let region = {
            let mut regions = write(&self.0);
            is(regions.get(&start)?).then(|| regions.remove(&start)).flatten()?
        };
        *write(&region.gone) = true;
        Some(region)
    }

    /// All regions, in order.
    pub fn all(&self) -> Vec<Arc<Region>> {
        self.table().0.values().cloned().collect()
    }
}
