// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ascend NPUs: HBM as the device memory of pools, by CANN, on hardware and on its simulator alike.
//!
//! **Memory.** A window is reserved device addresses; a segment is physical blocks mapped there; another member's
//! segment is the same blocks, imported. The processor never touches any of it.
//!
//! ```text
//!   owner                                          another process
//!   allocate        nothing yet                    adopt      the tickets
//!   Window::map     create block, map, clear       Window::map  import, map, allow
//!   share           export once, name the peer ──►
//!   unmap, drop     unmap, free, release           unmap, drop  unmap, free, release
//! ```
//!
//! * `pieces`: where addresses are cut; `window`, `segment`, `physical`: who owns what, so that every way out gives all
//!   back; `token`: what travels.
//! * `acl_memory`, `hal_memory`: the two sets of calls that do it.
//!
//! `private`: memory of this process alone, which no window holds.
//!
//! **Copies.** `mover`: at once, on a `lane` of the pool, or on the caller's stream (`guests`); `streams`: ours.
//! `regions`: which memory of the program is whose. `host_memory`: what the device is told of host memory.
//!
//! **Kernels.** `kernels`: binaries and launches; `image`: what a binary is made for.
//!
//! **Calls.** `runtime`: our reference of the device, and how each call gets the device's context without the program
//! noticing (`lenders`: for threads without a device). `peers`: other devices. `cann`: the calls of ACL themselves.
//!
//! **Rules.** Every call of CANN runs inside `Runtime::run`, except on the caller's stream, whose context is
//! the caller's. Nothing is kept that depends on the thread. ACL is never finalised and the device never reset, so other
//! users of CANN in the process are not disturbed; what they reset under us gives errors, never a fault of ours.

mod acl_memory;
mod cann;
mod guests;
mod hal_memory;
mod host_memory;
mod image;
mod kernels;
mod lane;
mod lenders;
mod mover;
mod open;
mod peers;
mod physical;
mod pieces;
mod private;
mod product;
mod regions;
mod runtime;
mod segment;
mod streams;
mod token;
mod units;
mod window;

use std::ops::Range;
use std::sync::Arc;

use ascend_acl_sys::Libraries;
use mf_base::{Error, MemKind, Result};

use super::kernels::{FIXED_ADDRESSES, Kernels};
use super::{Capability, Device, Identity, Memory, Mover, Private, Share, Unit, Window};
use cann::Cann;
use host_memory::HostMemory;
use kernels::AscendKernels;
use mover::AscendMover;
use private::PrivateMemory;
use runtime::Runtime;
use segment::{ForeignMemory, OwnMemory};
use window::AscendWindow;

const OP: &str = "ascend device";

/// An NPU. Thread-safe.
pub struct AscendDevice {
    runtime: Arc<Runtime>,
    host_memory: Arc<HostMemory>,
    mover: Arc<AscendMover>,
    kernels: AscendKernels,
    addresses: Vec<Range<u64>>,
    capabilities: Vec<Capability>,
    /// Members whose device has another family cannot share memory.
    family: String,
}

impl AscendDevice {
    /// Takes device `index` of the process. Local. Initialises ACL unless somebody else has; no thread's device changes.
    ///
    /// # Errors
    /// `NotExist` there is no such device; the text says how many there are · what CANN refused.
    pub fn open(libraries: &Arc<Libraries>, index: u32) -> Result<Self> {
        let cann = Cann::new(libraries);
        let count = open::count(&cann)?;
        Self::open_one_of(&cann, index, count)
    }

    /// As [`open`](Self::open); none where CANN sees no device at all.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_any(libraries: &Arc<Libraries>, index: u32) -> Result<Option<Self>> {
        let cann = Cann::new(libraries);
        match open::count(&cann)? {
            0 => Ok(None),
            count => Self::open_one_of(&cann, index, count).map(Some),
        }
    }

    fn open_one_of(cann: &Cann, index: u32, count: u32) -> Result<Self> {
        let runtime = open::open(cann, index, count)?;
        let host_memory = Arc::new(HostMemory::probe(&runtime));
        let simulated = if cann.simulator().is_some() { " (simulated)" } else { "" };
        let mover = Arc::new(AscendMover::new(&runtime, &host_memory));
        Ok(Self {
            kernels: AscendKernels::new(&runtime, &mover),
            mover,
            addresses: runtime.physical().map(|physical| vec![physical.address_range()]).unwrap_or_default(),
            capabilities: open::capabilities(&runtime, &host_memory),
            family: format!("ascend {}{simulated}", runtime.product),
            host_memory,
            runtime,
        })
    }

    fn only_device_memory(&self, kind: MemKind) -> Result<()> {
        match kind {
            MemKind::Device => Ok(()),
            MemKind::Host => Err(Error::invalid(OP, "host memory is made by the host device")),
        }
    }
}

impl Device for AscendDevice {
    fn name(&self) -> &'static str {
        "ascend"
    }

    fn describe(&self) -> String {
        let origin = self.runtime.cann.acl().origin();
        let soc = self.runtime.cann.acl().soc_name().unwrap_or_else(|| "a chip without name".to_owned());
        let version = origin.version().map(|version| format!(", ACL {version}")).unwrap_or_default();
        let simulated =
            origin.simulator().map(|version| format!(", simulated by {version}")).unwrap_or_default();
        format!("{soc}{version}{simulated} ({})", origin.file().display())
    }

    fn units(&self) -> Vec<Unit> {
        units::units(self.runtime.cann.acl())
    }

    fn identity(&self) -> Result<Identity> {
        let numbers = self.runtime.numbers;
        Ok(Identity { device: self.family.clone(), process: numbers.process, unit: numbers.super_node })
    }

    fn granule_bytes(&self, _: MemKind) -> u64 {
        self.runtime.granule_bytes()
    }

    fn address_ranges(&self, kind: MemKind) -> &[Range<u64>] {
        match kind {
            MemKind::Device => &self.addresses,
            // Host memory can be registered wherever it lies.
            MemKind::Host => &[],
        }
    }

    fn reserve(&self, kind: MemKind, base: u64, bytes: u64, stride: u64) -> Result<Box<dyn Window>> {
        self.only_device_memory(kind)?;
        Ok(Box::new(AscendWindow::reserve(&self.runtime, base, bytes, stride)?))
    }

    fn allocate(&self, kind: MemKind, bytes: u64) -> Result<Box<dyn Memory>> {
        self.only_device_memory(kind)?;
        Ok(Box::new(OwnMemory::new(&self.runtime, bytes)?))
    }

    fn allocate_private(&self, bytes: u64) -> Result<Box<dyn Private>> {
        Ok(Box::new(PrivateMemory::new(&self.runtime, bytes)?))
    }

    fn adopt(&self, kind: MemKind, shares: Vec<Share>) -> Result<Box<dyn Memory>> {
        self.only_device_memory(kind)?;
        Ok(Box::new(ForeignMemory::new(&self.runtime, shares)?))
    }

    fn mover(&self) -> Option<&dyn Mover> {
        Some(&*self.mover)
    }

    fn kernels(&self) -> Option<&dyn Kernels> {
        Some(&self.kernels)
    }

    fn fixed_addresses(&self) -> &'static [Range<u64>] {
        &FIXED_ADDRESSES
    }

    unsafe fn expose(&self, address: u64, bytes: u64) -> Result<()> {
        self.host_memory.expose(address, bytes);
        Ok(())
    }

    fn conceal(&self, address: u64, _: u64) {
        self.host_memory.conceal(address);
    }

    fn capabilities(&self) -> Vec<Capability> {
        self.capabilities.clone()
    }
}
