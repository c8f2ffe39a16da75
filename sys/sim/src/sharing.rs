// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory apart from addresses, and how processes pass it to each other.
//!
//! The parts, and their lifetimes:
//! ```text
//! handle (ACL's or the driver's) ─► Physical ─► Block ─► memory file + its part of a budget
//!                                      │          ▲
//!                                 export│          │ mapping, in a reservation of addresses
//!                                      ▼          │
//!                                 Published ······► Block of an importer: the same file, the same part of the budget
//! ```
//! * Handles hold a [`Physical`]; several may stand for one. When its last handle in this process goes, its
//!   export ends with it, and it can no longer be imported.
//! * Mappings hold the [`Block`](crate::memory::Block) only. So memory stays in its mappings, here and in
//!   importers, after all its handles are freed, and its bytes return to the budget when the last mapping and
//!   the last handle of all processes are gone.
//! * ACL and the driver hand out numbers of their own for the same kind of object; neither takes the other's.
//!
//! Refusals here carry ACL's numbers; the driver's functions translate them.
//!
//! * [`properties`]: what memory is made of. [`physical`]: handles.
//! * [`addresses`]: reservations, and mappings with their access rights.
//! * [`export`]: shareable handles, 8 bytes within a server, 128 bytes across servers.
//! * [`ipc`]: memory of an allocation, by key.

pub mod addresses;
pub mod export;
pub mod ipc;
pub mod physical;
pub mod properties;

pub use physical::Physical;
pub use properties::{Medium, Properties, Side};

use std::sync::Arc;

/// Releases all objects of this process on a device that is reset: its physical memory, imports for it,
/// mappings, keys. Reservations are only addresses, and stay.
pub fn release_device(device: u32) {
    let goes = |physical: &Arc<Physical>| physical.belongs_to(device);
    addresses::ADDRESSES.unmap_device(device);
    ipc::KEYS.release_device(device);
    drop(physical::ACL_HANDLES.remove_where(goes));
    drop(physical::HAL_HANDLES.remove_where(goes));
}
