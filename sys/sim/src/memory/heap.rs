// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Heap of the allocation functions.
//!
//! An allocation of 2 MiB or more has its own block, reservation and region. A smaller one is a slot of an
//! arena, so that ten thousand buffers do not need ten thousand files; it still has its own region, so that
//! an access beyond its end is detected. Slots are taken in rising order and reused as late as possible. When
//! `strict`, slots of devices start at odd multiples of 64 bytes: no more alignment is promised.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use mf_base::sync::lock;

use super::block::{self, Block, PageSize};
use super::pool::{ARENA, Grid, Pool};
use super::region::{Access, REGIONS, Region, RegionKind};
use super::space::{Area, Space, space};
use crate::codes::acl;
use crate::config::Config;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::session::Location;

/// Smallest allocation with a separate block.
const OWN_BLOCK: u64 = 2 << 20;
/// The interface rounds sizes up to this, so kernels may touch that much.
const ROUNDING: u64 = 32;

/// Arenas of this process.
pub struct Heap {
    /// Slots of devices get the worst alignment that the interface allows.
    odd: bool,
    pools: Mutex<Pools>,
}

/// The heap of this process.
///
/// # Errors
/// The machine's own.
pub fn heap() -> Outcome<&'static Heap> {
    static HEAP: OnceLock<Heap> = OnceLock::new();
    match HEAP.get() {
        Some(heap) => Ok(heap),
        None => {
            let config = &machine()?.config;
            Ok(HEAP.get_or_init(|| Heap::new(config)))
        }
    }
}

#[derive(Default)]
struct Pools {
    by_location: HashMap<Location, Pool>,
    /// Starts of slots that other processes may still map; they are not used again.
    shared: HashSet<u64>,
    /// Bytes in use and their peak.
    usage: HashMap<Location, (u64, u64)>,
}

/// Allocation request.
#[derive(Debug)]
pub struct Request {
    /// Location of the memory.
    pub location: Location,
    /// Kind of the region; the free must name the same one.
    pub kind: RegionKind,
    /// Bytes used by the program.
    pub bytes: u64,
    /// Bytes charged to the budget; a multiple of the page.
    pub accounted: u64,
    /// Made of these pages.
    pub page: PageSize,
    /// See [`Region::grants`].
    pub grants: Vec<(u32, Access)>,
}

impl Heap {
    /// No arenas yet.
    fn new(config: &Config) -> Self {
        Self { odd: config.strict, pools: Mutex::default() }
    }

    /// Other processes may map this allocation from now on: when it is freed its slot is not used again.
    pub fn keep_slot(&self, start: u64) {
        lock(&self.pools).shared.insert(start);
    }

    /// Gives back the arenas of a location in which nothing lives and nothing is shared.
    pub fn release(&self, space: &Space, location: Location) {
        if let Some(pool) = lock(&self.pools).by_location.get_mut(&location) {
            pool.release(space);
        }
    }

    /// Bytes that this process has allocated on a device, and the most it ever had.
    pub fn usage(&self, device: u32) -> (u64, u64) {
        lock(&self.pools).usage.get(&Location::Device(device)).copied().unwrap_or_default()
    }

    fn grid(&self, location: Location) -> Grid {
        match location {
            Location::Host(_) => Grid { unit: PageSize::Normal.bytes(), first: 0 },
            Location::Device(_) if self.odd => Grid { unit: 128, first: 64 },
            Location::Device(_) => Grid { unit: 512, first: 0 },
        }
    }
}

/// Allocates and gives out the address.
///
/// # Errors
/// 207001 when budget, addresses or host memory are used up.
pub fn allocate(request: Request) -> Outcome<u64> {
    let (location, accounted) = (request.location, request.accounted);
    let address = if request.bytes < OWN_BLOCK && request.page != PageSize::Giant {
        slot(request)
    } else {
        own_block(request)
    }?;
    let mut pools = lock(&heap()?.pools);
    let (now, peak) = pools.usage.entry(location).or_default();
    *now += accounted;
    *peak = (*peak).max(*now);
    Ok(address)
}

fn own_block(request: Request) -> Outcome<u64> {
    let space = space()?;
    let block = Block::create(request.location, request.accounted, request.accounted, request.page)?;
    let (area, align) = match request.location {
        Location::Device(_) => (Area::Heap, request.page.bytes().max(PageSize::Huge.bytes())),
        Location::Host(_) => (Area::Host, PageSize::Normal.bytes()),
    };
    let range = space.reserve(area, None, block.bytes, align)?;
    let view = space.map(range.start, &block, 0..block.bytes).inspect_err(|_| space.release(&range))?;
    Ok(note(request, range.start, view, block, 0))
}

fn slot(request: Request) -> Outcome<u64> {
    let (machine, heap, space) = (machine()?, heap()?, space()?);
    let location = request.location;
    let claim = machine.session.claim(location, request.accounted)?;
    let bytes = with_gap(request.bytes);
    let grid = heap.grid(location);
    let slot =
        lock(&heap.pools).by_location.entry(location).or_default().take(space, location, bytes, grid)?;
    let part = slot.offset..slot.offset + (slot.range.end - slot.range.start);
    block::paint(&slot.file, part, &machine.config)
        .inspect_err(|_| lock(&heap.pools).put(space, location, slot.range.start, bytes, grid))?;
    let block = Block {
        file: slot.file,
        bytes: ARENA,
        location,
        page: request.page,
        imported: false,
        claim: Some(claim),
    };
    Ok(note(request, slot.range.start, slot.view, Arc::new(block), slot.offset))
}

/// A gap behind the end, so that an access beyond it meets no neighbour.
fn with_gap(bytes: u64) -> u64 {
    bytes.next_multiple_of(ROUNDING) + ROUNDING
}

fn note(request: Request, start: u64, view: usize, block: Arc<Block>, offset: u64) -> u64 {
    REGIONS.insert(Region {
        range: start..start + request.bytes.next_multiple_of(ROUNDING),
        kind: request.kind,
        location: request.location,
        block: Some(block),
        block_offset: offset,
        view,
        grants: Mutex::new(request.grants),
        gone: RwLock::new(false),
    });
    start
}

/// Frees what [`allocate`] gave out, as soon as the copy that just runs is through with it.
///
/// # Errors
/// 107000 when no allocation of that kind starts there.
pub fn free(start: u64, kind: RegionKind) -> Outcome {
    let (heap, space) = (heap()?, space()?);
    let region = REGIONS.remove_if(start, |region| region.kind == kind);
    let region = region.ok_or_else(|| not_an_allocation(start))?;
    let mut pools = lock(&heap.pools);
    let claim = region.block.as_ref().and_then(|block| block.claim.as_ref());
    if let (Some(claim), Some((now, _))) = (claim, pools.usage.get_mut(&region.location)) {
        *now = now.saturating_sub(claim.bytes);
    }
    let is_slot = pools.by_location.get(&region.location).is_some_and(|pool| pool.holds(start));
    let shared = pools.shared.remove(&start);
    if is_slot && !shared {
        let grid = heap.grid(region.location);
        pools.put(space, region.location, start, with_gap(region.range.end - start), grid);
    }
    drop(pools);
    if !is_slot && let Some(block) = &region.block {
        space.unmap(start, block.bytes, region.view);
        space.release(&(start..start + block.bytes));
    }
    Ok(())
}

#[cold]
fn not_an_allocation(address: u64) -> Fault {
    let what = match REGIONS.find(address) {
        None => "holds no allocation (any more)".to_owned(),
        Some(region) if region.range.start == address => format!("is of another kind: {:?}", region.kind),
        Some(region) => format!("lies inside the one that starts at {:#x}", region.range.start),
    };
    Fault::new(acl::RT_PARAM_INVALID, format_args!("{address:#x} {what}"))
}

impl Pools {
    fn put(&mut self, space: &Space, location: Location, start: u64, bytes: u64, grid: Grid) {
        // The last arena of a device stays until the device is reset, for programs that allocate and free one
        // buffer again and again.
        let keep = usize::from(matches!(location, Location::Device(_)));
        if let Some(pool) = self.by_location.get_mut(&location) {
            pool.give_back(space, start, bytes, grid, keep);
        }
    }
}
