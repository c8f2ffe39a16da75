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

use crate::handles::Table;
use crate::session::Location;

/// Physical memory, reservations and exports of this process.
pub struct Sharing {
    /// Handles of ACL.
    pub acl: Table<Arc<Physical>>,
    /// Handles of the driver.
    pub hal: Table<Arc<Physical>>,
    /// Reserved addresses and their mappings.
    pub addresses: addresses::Addresses,
    /// Which blocks have a [`Physical`].
    pub(crate) known: physical::Known,
    /// Exports of this process.
    pub(crate) exports: export::Exports,
    /// Keys, own and opened.
    pub ipc: ipc::Keys,
    /// Memory that the driver showed to the other side.
    pub(crate) shown: crate::hal::host::Shown,
}

impl Sharing {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            acl: Table::new("physical memory"),
            hal: Table::new("physical memory"),
            addresses: addresses::Addresses::default(),
            known: physical::Known::default(),
            exports: export::Exports::default(),
            ipc: ipc::Keys::default(),
            shown: crate::hal::host::Shown::default(),
        }
    }

    /// Releases all objects of this process on a device that is reset: its physical memory, imports for it,
    /// mappings, keys. Reservations are only addresses, and stay.
    pub fn release_device(&self, device: u32) {
        let goes = |physical: &Arc<Physical>| physical.belongs_to(device);
        self.addresses.unmap_device(device);
        self.ipc.release_device(device);
        drop(self.acl.remove_where(goes));
        drop(self.hal.remove_where(goes));
    }
}

impl Default for Sharing {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns true if memory at `location`, possibly imported for `importer`, is released when `device` is
/// reset.
fn belongs(location: Location, importer: Option<u32>, device: u32) -> bool {
    importer.map_or(location == Location::Device(device), |importer| importer == device)
}
