// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of this process that devices know: blocks, the regions where they are mapped, and the one function
//! by which bytes move.
//!
//! * [`block`]: physical memory, a sparse memory file accounted for in the session.
//! * [`region`]: which addresses mean what.
//! * [`rights`]: access rights.
//! * [`space`]: ranges of addresses that are reserved.
//! * [`heap`]: what `aclrtMalloc` hands out: blocks of their own, or slots of a [`pool`].
//! * [`registered`]: memory of the program that devices may use.
//! * [`access`]: lookup and permission of an access; words, and views.
//! * [`transfer`]: copies and fills, by addresses, checked; they never fault.
//! * [`process`]: memory of the program that no device knows.

pub mod access;
pub mod block;
pub mod heap;
pub mod pool;
pub mod process;
pub mod region;
pub mod registered;
pub mod rights;
pub mod space;
pub mod transfer;

pub use block::{Block, PageSize};
pub use region::{Access, Region, RegionKind, Regions};
pub use rights::Initiator;

use crate::config::Config;
use crate::fault::Outcome;
use crate::session::Location;

/// The memory of this process.
pub struct Memory {
    /// Mapped regions.
    pub regions: Regions,
    /// Reserved addresses.
    pub space: space::Space,
    /// Heap of the allocation functions.
    pub heap: heap::Heap,
    /// Which devices reach which.
    pub peers: rights::Peers,
    /// Memory registered by the program.
    pub registrations: registered::Registrations,
}

impl Memory {
    /// Nothing is mapped yet.
    pub fn new(config: &Config) -> Self {
        Self {
            regions: Regions::default(),
            space: space::Space::new(config),
            heap: heap::Heap::new(config),
            peers: rights::Peers::default(),
            registrations: registered::Registrations::default(),
        }
    }
}

/// Frees everything that this process has on a device: allocations, physical memory and mappings.
/// Reservations of addresses stay.
///
/// # Errors
/// The machine's own.
pub fn release_device(physical: u32) -> Outcome {
    let machine = crate::machine::machine()?;
    let memory = &machine.memory;
    let here = Location::Device(physical);
    machine.sharing.release_device(physical);
    for region in memory.regions.all() {
        if region.location == here && matches!(region.kind, RegionKind::Malloc | RegionKind::Pooled) {
            // Only fails when another thread was faster, and then there is nothing left to do.
            let _ = heap::free(memory, region.range.start, region.kind);
        }
    }
    memory.peers.forget_device(physical);
    memory.heap.release(memory, here);
    Ok(())
}

/// Memory of the server on which this process runs, wherever there.
///
/// # Errors
/// The machine's own.
pub fn own_host() -> Outcome<Location> {
    let server = crate::machine::machine()?.config.server;
    Ok(Location::Host(crate::device::ids::machine_wide(server, 0)))
}

/// A size or an address as this machine counts them.
#[expect(clippy::cast_possible_truncation, reason = "the simulator is built for 64-bit platforms only")]
pub(crate) const fn native(number: u64) -> usize {
    number as usize
}
