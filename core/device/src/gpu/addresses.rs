// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kind and owner of the memory at an address.

use gpu_sys::Vendor;

use super::{Gpu, drivers};

/// Kind of memory at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressKind {
    /// Unknown to all open GPUs: memory of the program, or unmapped.
    Unknown,
    /// Host memory that is pinned for this vendor's GPUs.
    Pinned(Vendor),
    /// Memory of a GPU.
    Device {
        /// Its vendor.
        vendor: Vendor,
        /// Its number; Cambricon's driver does not report it, so the number of the queried GPU.
        device: u32,
    },
}

/// Returns the kind of memory at an address, from the drivers that this process uses: of GPUs that are
/// [open](super::open), and of drivers opened by other code here, such as torch. **Local.**
pub fn kind_of(address: u64) -> AddressKind {
    let gpus = drivers::gpus();
    let is_asked = |vendor: Vendor| gpus.iter().any(|gpu| gpu.vendor() == vendor);
    let others = Vendor::ALL.into_iter().filter(|vendor| !is_asked(*vendor)).filter_map(drivers::in_use);
    let others = others.map(|driver| from_driver(driver.vendor(), driver.kind_of_any(address)));
    let mut best = AddressKind::Unknown;
    for kind in gpus.iter().map(|gpu| gpu.kind_of(address)).chain(others) {
        match kind {
            AddressKind::Device { .. } => return kind,
            AddressKind::Pinned(_) => best = kind,
            AddressKind::Unknown => {}
        }
    }
    best
}

impl Gpu {
    /// Returns the kind of memory at an address, from this GPU's driver. **Local.**
    pub fn kind_of(&self, address: u64) -> AddressKind {
        let vendor = self.vendor();
        // Known without the driver, which may fail: its memory taken for the program's would be touched.
        if self.owned.has(address) || self.hosted.has(address) {
            return AddressKind::Device { vendor, device: self.number };
        }
        let Ok(_selected) = self.select() else { return AddressKind::Unknown };
        from_driver(vendor, self.driver.kind_of(&self.primary, address))
    }
}

fn from_driver(vendor: Vendor, kind: gpu_sys::AddressKind) -> AddressKind {
    match kind {
        gpu_sys::AddressKind::Unknown => AddressKind::Unknown,
        gpu_sys::AddressKind::Pinned => AddressKind::Pinned(vendor),
        gpu_sys::AddressKind::Device(device) => AddressKind::Device { vendor, device: device.unsigned_abs() },
    }
}
