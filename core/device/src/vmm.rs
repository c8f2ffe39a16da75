// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accelerators with runtimes that map physical memory at chosen addresses and copy on streams: the common
//! part of all of them. The interface to a vendor's runtime is the trait [`Driver`]; CANN is its first
//! implementation. [`Mapper`] is the part of it that windows need; CUDA, with copies in another module, has
//! that alone.
//!
//! **Memory.** A window is reserved device addresses; a segment is physical blocks mapped there; another
//! member's segment is the same blocks, imported. The processor never touches any of it.
//!
//! ```text
//!   owner                                          another process
//!   allocate        nothing yet                    adopt      keep the exported tokens
//!   Window::map     create block, map, clear       Window::map  import, map, allow
//!   share           export once, name the peer ──►
//!   unmap, drop     unmap, free, release           unmap, drop  unmap, free, release
//! ```
//!
//! * `pieces`: cutting of addresses; `windows`, `window`, `segment`, `block`: ownership, so that every exit
//!   path gives all back.
//! * `buffer`: memory of this process alone, outside of windows.
//!
//! **Copies.** `mover`: synchronous, on a `lane` of the pool, or on the caller's stream (`caller_streams`);
//! `streams`: ours. `regions`: registered memory of the program.
//!
//! **Calls.** Every call of a runtime is made inside [`Mapper::enter`], except on the caller's stream, which
//! has the caller's context. No state is kept that depends on the thread. `device_threads`: for threads
//! without a device, if a runtime cannot take it away again.

mod address_window;
mod block;
mod blocking_functions;
mod buffer;
mod caller_streams;
mod constants;
mod device_threads;
mod driver;
mod eventless_copies;
mod lane;
mod mover;
mod page_kind_cache;
mod pieces;
mod pool_support;
mod regions;
mod segment;
mod streams;

use std::sync::Arc;

use mf_base::Result;

use super::kernels::Kernels;
use super::{AddressWindows, Buffer, Capability, Device, Identity, Mover, Unit};
pub(super) use device_threads::DeviceThreads;
pub(super) use driver::{
    Context, Driver, Handle, Mapper, MemoryOwner, Origin, Physical, RawEvent, RawNotify, Unfinished, Work,
    no_fabric_handles, range_in_use,
};
pub(super) use mover::DeviceMover;
pub(super) use pool_support::Windows;
pub(super) use streams::timeout_for;

/// A device by its driver. Thread-safe.
pub(super) struct VmmDevice {
    driver: Arc<dyn Driver>,
    windows: Windows,
    mover: Arc<DeviceMover>,
    kernels: Option<Box<dyn Kernels>>,
}

impl VmmDevice {
    /// Makes the device of `driver`; `kernels` makes its loader of kernels.
    pub(super) fn new(
        driver: Arc<dyn Driver>,
        kernels: impl FnOnce(&Arc<DeviceMover>) -> Option<Box<dyn Kernels>>,
    ) -> Self {
        let mover = Arc::new(DeviceMover::new(&driver));
        let windows = Windows::new(Arc::<dyn Driver>::clone(&driver));
        Self { kernels: kernels(&mover), windows, mover, driver }
    }
}

impl Device for VmmDevice {
    fn name(&self) -> &'static str {
        self.driver.name()
    }

    fn describe(&self) -> String {
        self.driver.describe()
    }

    fn units(&self) -> Vec<Unit> {
        self.driver.units()
    }

    fn number(&self) -> u32 {
        self.driver.number()
    }

    fn become_current(&self) {
        self.driver.become_current();
    }

    fn identity(&self) -> Result<Identity> {
        self.driver.identity()
    }

    fn capabilities(&self) -> Vec<Capability> {
        self.driver.capabilities()
    }

    fn allocate_buffer(&self, bytes: u64) -> Result<Box<dyn Buffer>> {
        Ok(Box::new(buffer::DeviceBuffer::new(&self.driver, bytes)?))
    }

    fn mover(&self) -> Option<&dyn Mover> {
        Some(&*self.mover)
    }

    fn kernels(&self) -> Option<&dyn Kernels> {
        self.kernels.as_deref()
    }

    unsafe fn expose(&self, address: u64, bytes: u64) -> Result<()> {
        self.driver.expose(address, bytes);
        Ok(())
    }

    fn conceal(&self, address: u64, _: u64) {
        self.driver.conceal(address);
    }

    fn windows(&self) -> Result<&dyn AddressWindows> {
        self.windows.available()
    }
}
