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
mod native;
pub mod pool;
pub mod process;
pub mod region;
pub mod registered;
pub mod rights;
pub mod space;
pub mod transfer;

pub use block::{Block, PageSize};
pub(crate) use native::native;
pub use region::{Access, Region, RegionKind, Regions};
pub use rights::Initiator;

use crate::fault::Outcome;
use crate::session::Location;

/// Frees the allocations that this process has on a device, and the peer access enabled for it. Reservations
/// of addresses stay.
///
/// # Errors
/// The machine's own.
pub fn release_device(physical: u32) -> Outcome {
    let here = Location::Device(physical);
    for region in region::regions()?.all() {
        if region.location == here && matches!(region.kind, RegionKind::Malloc | RegionKind::Pooled) {
            // Only fails when another thread was faster, and then there is nothing left to do.
            let _ = heap::free(region.range.start, region.kind);
        }
    }
    rights::peers()?.forget_device(physical);
    heap::heap()?.release(space::space()?, here);
    Ok(())
}
