// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The pool of a process: memory, blocks, the table of entries, and the operations.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use mf_base::settings::{Switch, settings};
use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Kind, Result};
use mf_device::host::HostDevice;
use mf_device::kernels::Target;
use mf_device::{Devices, RawStream, choose};

use crate::blocks::Blocks;
use crate::config::{Config, Scene, Sizes};
use crate::launch::Launcher;
use crate::memory::Memory;
use crate::operation::{Operation, Table};
use crate::region::Region;
use crate::shared::Shared;

const TABLE: &str = "offload register entry table";

/// Longest entry of a table.
pub const ENTRY_BYTES_MAX: u32 = 65_536;

/// Provider of the binary of the library's kernels for a target.
pub type KernelImage<'a> = &'a dyn Fn(&Target) -> Result<&'static [u8]>;

/// A pool of host memory, and the operations on the stream of its accelerator. All calls from any thread.
/// Dropping it waits until streams are past its operations.
pub struct Pool {
    /// Dropped before the memory, which its kernels use.
    launcher: Option<Launcher>,
    table: Mutex<Option<Table>>,
    blocks: Mutex<Blocks>,
    own: Range<u64>,
    devices: Devices,
    shared: Option<Shared>,
    _region: Option<Region>,
}

impl Pool {
    /// Makes the pool. [`Scene::Shared`] is **collective** over all ranks and blocks until all have come, at
    /// most for the timeout.
    ///
    /// # Errors
    /// `InvalidParam` sizes or ranks · `NotExist` no such accelerator, or no kernels for it ·
    /// `OutOfMemory`, `NoResources`, `InUse` memory and addresses · in the shared scene also `Timeout`,
    /// `NotConnected`, `Duplicated`, and errors of other ranks.
    pub fn open(config: &Config, image: KernelImage<'_>) -> Result<Self> {
        let sizes = config.sizes()?;
        match config.scene {
            Scene::Local => Self::open_local(config, sizes, image),
            Scene::Shared => Self::open_shared(config, sizes, image),
        }
    }

    fn open_local(config: &Config, sizes: Sizes, image: KernelImage<'_>) -> Result<Self> {
        let settings = settings()?;
        let huge = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
        let (devices, _) = choose(settings.device, config.device, Arc::new(HostDevice::new(huge)))?;
        let launcher = launcher(&devices, image)?;
        let region = Region::map(&devices, sizes.own)?;
        let own = region.base()..region.base() + region.bytes();
        Ok(Self { _region: Some(region), ..Self::with(devices, launcher, own) })
    }

    fn open_shared(config: &Config, sizes: Sizes, image: KernelImage<'_>) -> Result<Self> {
        let (shared, launcher) = Shared::join(config, sizes, |devices| launcher(devices, image))?;
        let devices = shared.devices().clone();
        let base = shared.own()?;
        Ok(Self { shared: Some(shared), ..Self::with(devices, launcher, base..base + sizes.own) })
    }

    fn with(devices: Devices, launcher: Option<Launcher>, own: Range<u64>) -> Self {
        if let Some(accelerator) = devices.accelerator() {
            accelerator.become_current();
        }
        let blocks = Mutex::new(Blocks::new(own.clone()));
        Self { launcher, table: Mutex::default(), blocks, own, devices, shared: None, _region: None }
    }

    /// The devices of the pool.
    pub fn devices(&self) -> &Devices {
        &self.devices
    }

    /// Returns true if it is the part of a job.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Allocates a block at a multiple of 16. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes · `OutOfMemory` no free part of the own slot is large enough.
    pub fn allocate(&self, bytes: u64) -> Result<u64> {
        const OP: &str = "offload malloc";
        if bytes == 0 {
            return Err(Error::invalid(OP, "invalid size 0"));
        }
        let mut blocks = lock(&self.blocks);
        blocks.allocate(bytes).ok_or_else(|| {
            Error::new(Kind::OutOfMemory, OP)
                .what("no free part of the pool is large enough")
                .with("bytes", bytes)
                .with("largest_free", ByteLen(blocks.largest_free()))
                .with("pool", ByteLen(self.own.end - self.own.start))
                .hint("raise alloc_size")
        })
    }

    /// Frees a block. **Local.**
    ///
    /// # Errors
    /// `NotExist` no block begins there.
    pub fn free(&self, address: u64) -> Result<()> {
        if lock(&self.blocks).release(address) {
            return Ok(());
        }
        Err(Error::new(Kind::NotExist, "offload free")
            .what("no block begins at this address")
            .with("address", format!("{address:#x}")))
    }

    /// Returns the address under which the accelerator reaches `address`, the same number. **Local.**
    ///
    /// # Errors
    /// `NotExist` outside the own memory; memory of other ranks is outside, too.
    pub fn device_address(&self, address: u64) -> Result<u64> {
        if self.own.contains(&address) {
            return Ok(address);
        }
        Err(Error::new(Kind::NotExist, "offload get dva")
            .what("the address is outside the memory of this rank")
            .with("address", format!("{address:#x}"))
            .with("memory", format!("{:#x}-{:#x}", self.own.start, self.own.end)))
    }

    /// Registers the layout of the table for [`Operation::EntryGather`], once: entries of `entry_bytes`, 1 to
    /// [`ENTRY_BYTES_MAX`], `rows_per_slot` of them from the beginning of each slot. **Local**; all ranks
    /// register the same.
    ///
    /// # Errors
    /// `InvalidParam` the scene is local, a value is out of range, or the rows exceed the own memory ·
    /// `Duplicated` a table is registered.
    pub fn register_table(&self, entry_bytes: u32, rows_per_slot: u32) -> Result<()> {
        let Some(shared) = &self.shared else {
            return Err(Error::invalid(TABLE, "the pool is of scene LOCAL")
                .hint("tables lie in the slots of all ranks: initialize with scene SHARED"));
        };
        if !(1..=ENTRY_BYTES_MAX).contains(&entry_bytes) {
            return Err(Error::invalid(TABLE, "invalid length of an entry")
                .with("entryBytes", entry_bytes)
                .hint(format!("1 to {ENTRY_BYTES_MAX} bytes")));
        }
        let rows_bytes = u64::from(rows_per_slot) * u64::from(entry_bytes);
        if rows_per_slot == 0 || rows_bytes > self.own.end - self.own.start {
            return Err(Error::invalid(TABLE, "the rows do not fit the memory of this rank")
                .with("rowsPerSlot", rows_per_slot)
                .with("bytes", ByteLen(rows_bytes))
                .with("alloc_size", ByteLen(self.own.end - self.own.start)));
        }
        let made = Table { base: shared.base()?, stride: shared.stride(), entry_bytes, rows_per_slot };
        let mut table = lock(&self.table);
        if table.is_some() {
            return Err(Error::new(Kind::Duplicated, TABLE)
                .what("a table is registered")
                .hint("a pool has one table until uninitialize"));
        }
        *table = Some(made);
        Ok(())
    }

    /// Runs an operation: on `stream` if there is an accelerator, else in this call. `None`: in this call in
    /// any case.
    ///
    /// # Errors
    /// `InvalidParam` null or unmapped arguments, no table, not a stream · errors of the accelerator.
    ///
    /// # Safety
    /// The caller has given all destinations away to be written, and keeps all arrays and pieces until the
    /// operation is done: until the call returns without a stream; else until the stream is past it, and as
    /// long as a graph that was captured meanwhile is replayed. The stream is one of the accelerator's
    /// runtime. Memory that a kernel or the mover reads is reachable for the accelerator.
    pub unsafe fn run(&self, operation: &Operation, stream: Option<RawStream>) -> Result<()> {
        let table = *lock(&self.table);
        if let (Some(launcher), Some(stream)) = (&self.launcher, stream) {
            // SAFETY: the caller vouches for the stream, and for the memory until the stream is past it.
            return unsafe { launcher.enqueue(stream, operation, table.as_ref()) };
        }
        let memory =
            Memory { operation: operation.name(), mover: self.devices.mover(), pool: self.own.clone() };
        // SAFETY: the caller vouches for destinations and for memory of the accelerator.
        unsafe { crate::at_once::run(&memory, operation, table.as_ref()) }
    }
}

fn launcher(devices: &Devices, image: KernelImage<'_>) -> Result<Option<Launcher>> {
    devices.accelerator().map(|device| Launcher::load(&**device, image)).transpose()
}
