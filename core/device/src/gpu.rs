// SPDX-License-Identifier: Apache-2.0 OR MIT
//! GPUs of four vendors beside Ascend, over one table of operations ([`gpu_sys`]). Vendors that run on the
//! simulator alone are called simulated.
//!
//! # Memory and copies
//! [`open`] returns a [`Gpu`] by vendor and number, or the reason of a failure. It lives as long as the
//! process; every call selects its device and restores the thread's former one.
//!
//! ```no_run
//! use mf_device::gpu::{self, Direction, Memory, Vendor};
//!
//! # fn main() -> mf_base::Result<()> {
//! let gpu = gpu::open(Vendor::Nvidia, 0)?;
//! let address = gpu.allocate(1 << 20, Memory::Peerable)?;
//! let bytes = [7_u8; 64];
//! // SAFETY: both ranges are alive; nobody else uses the memory.
//! unsafe { gpu.copy(address, bytes.as_ptr().addr() as u64, 64, Direction::HostToDevice) }?;
//! assert_eq!(gpu::kind_of(address), gpu::AddressKind::Device { vendor: Vendor::Nvidia, device: 0 });
//! // SAFETY: the last use of the memory.
//! unsafe { gpu.free(address) }?;
//! # Ok(())
//! # }
//! ```
//!
//! * [`Gpu::allocate`], [`Gpu::free`]: device memory. [`Memory::Peerable`] is rounded up to 64 KiB, and
//!   network devices reach it. For Moore Threads it is pinned host memory, used by its host address.
//! * [`Gpu::copy`]: done on return. [`Gpu::copy_on`]: done when a stream of the caller gets there.
//!   [`Gpu::synchronize`] waits for such a stream.
//! * [`kind_of`]: kind of memory at an address.
//! * [`Gpu::export`], [`import`](Gpu::import): the same memory in another process of this host.
//! * [`report`]: every vendor, with the result of its search.
//!
//! **A program may reset its GPU**, which frees everything on it. Remaining objects here, a [`Gpu`] among
//! them, refuse every call from then on, and [`open`] returns a new one.
//!
//! As a [`Device`] it has buffers and a mover, and windows for pools if the driver maps memory at chosen
//! addresses, which is NVIDIA's.

mod addresses;
mod copies;
mod drivers;
mod lane;
mod mapper;
mod memory;
mod mover;
mod refusal;
mod sharing;
mod staging;

use std::sync::{Arc, Mutex, Weak};

use mf_base::os::process::OwnFlag;
use mf_base::{Error, Kind, Result};

pub use addresses::{AddressKind, kind_of};
pub use copies::Direction;
pub use drivers::{Found, open, open_at, report};
pub use gpu_sys::{Driver, Memory, Search, Vendor};

use super::vmm::Windows;
use super::{AddressWindows, Buffer, Capability, Device, Identity, Mover, Unit};
use gpu_sys::{Class, Primary, Selected};
use mapper::GpuMapper;
use memory::Hosted;
use mover::Registered;
use refusal::refused;
use sharing::Tables;
use staging::Staging;

const OP: &str = "GPU";

/// A GPU of one vendor. Thread-safe.
pub struct Gpu {
    /// Itself, for objects that outlive a call.
    own: Weak<Self>,
    driver: Arc<Driver>,
    primary: Primary,
    windows: Windows,
    number: u32,
    name: Option<String>,
    bus: Option<String>,
    /// Memory of ours that is pinned host memory.
    hosted: Hosted,
    /// Memory of ours on the device.
    owned: Hosted,
    registered: Registered,
    shared: &'static Tables,
    /// Another one is in its place.
    is_over: OwnFlag,
    staging: Staging,
    words: Mutex<()>,
}

impl Gpu {
    /// Opens the GPU `number` of an opened driver.
    ///
    /// # Errors
    /// `NotExist` there is none of this number, or the driver cannot start it.
    pub fn open(driver: &Arc<Driver>, number: u32) -> Result<Arc<Self>> {
        let device = i32::try_from(number).unwrap_or(i32::MAX);
        let absent = |error| refusal::absent(driver.vendor(), number, &error);
        driver.init().map_err(absent)?;
        let primary = driver.primary(device).map_err(absent)?;
        refusal::watch_for_exit();
        Ok(Arc::new_cyclic(|own| Self {
            own: Weak::clone(own),
            name: driver.device_name(&primary),
            bus: driver.bus(&primary),
            windows: Windows::new(Arc::new(GpuMapper::new(driver, primary))),
            driver: Arc::clone(driver),
            primary,
            number,
            hosted: Hosted::default(),
            owned: Hosted::default(),
            registered: Registered::default(),
            // Few, and they stay as the driver does.
            shared: Box::leak(Box::default()),
            is_over: OwnFlag::default(),
            staging: Staging::default(),
            words: Mutex::new(()),
        }))
    }

    /// Its vendor.
    pub fn vendor(&self) -> Vendor {
        self.driver.vendor()
    }

    /// Its driver.
    pub fn driver(&self) -> &Arc<Driver> {
        &self.driver
    }

    /// Returns the number of GPUs of its driver, itself among them.
    ///
    /// # Errors
    /// `Failed` with the driver's reason.
    pub fn count(&self) -> Result<u32> {
        self.driver.device_count().map(i32::unsigned_abs).map_err(refused)
    }

    /// Free and total bytes.
    ///
    /// # Errors
    /// `Failed` with the driver's reason.
    pub fn memory_info(&self) -> Result<(u64, u64)> {
        let _selected = self.select()?;
        self.driver.memory_info().map_err(refused)
    }

    /// Returns the same of the GPU that is current in this thread; its own if none is.
    ///
    /// # Errors
    /// As [`memory_info`](Self::memory_info).
    pub fn memory_info_of_thread(&self) -> Result<(u64, u64)> {
        self.driver.memory_info().or_else(|_| self.memory_info())
    }

    /// Returns its address on the PCI bus; `None` if the driver does not report it.
    pub fn bus(&self) -> Option<&str> {
        self.bus.as_deref()
    }

    /// Becomes the current GPU of the calling thread, until the thread selects another.
    ///
    /// # Errors
    /// `Failed` with the driver's reason.
    pub fn make_current(&self) -> Result<()> {
        self.driver.make_current(&self.primary).map_err(refused)
    }

    /// Itself, shared.
    fn upgrade(&self) -> Result<Arc<Self>> {
        self.own.upgrade().ok_or_else(|| Error::new(Kind::Failed, OP).what("the GPU is being closed"))
    }

    /// Runs `work` with it selected in this thread; refusals due to the exit of the process count as success.
    fn run_selected(&self, work: impl FnOnce() -> gpu_sys::Result<()>) -> Result<()> {
        refusal::unless_exiting(self.selected().and_then(|_selected| work()))
    }

    /// Selects it in this thread until the guard is dropped.
    fn select(&self) -> Result<Selected<'_>> {
        self.selected().map_err(refused)
    }

    fn selected(&self) -> gpu_sys::Result<Selected<'_>> {
        if self.is_over.is_raised() {
            return Err(self.driver.ended());
        }
        self.driver.select(&self.primary)
    }

    /// Returns true if its objects still exist: the program has not reset it.
    fn is_alive(&self) -> bool {
        !matches!(self.selected(), Err(error) if error.class() == Class::ContextGone)
    }

    /// Refuses everything from now on.
    fn end(&self) {
        self.is_over.raise();
    }
}

impl Device for Gpu {
    fn name(&self) -> &'static str {
        self.vendor().name()
    }

    fn describe(&self) -> String {
        let mut text = format!("{} {}", self.vendor(), self.number);
        for part in [&self.name, &self.bus].into_iter().flatten() {
            text.push_str(&format!(", {part}"));
        }
        text.push_str(&drivers::driver_text(&self.driver));
        text
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn units(&self) -> Vec<Unit> {
        drivers::units(&self.driver)
    }

    fn identity(&self) -> Result<Identity> {
        let (device, process) = (self.vendor().name().to_owned(), std::process::id().cast_signed());
        Ok(Identity { device, process, unit: self.number })
    }

    fn capabilities(&self) -> Vec<Capability> {
        drivers::capabilities(&self.driver)
    }

    fn allocate_buffer(&self, bytes: u64) -> Result<Box<dyn Buffer>> {
        memory::GpuBuffer::boxed(self, bytes)
    }

    fn mover(&self) -> Option<&dyn Mover> {
        Some(self)
    }

    fn windows(&self) -> Result<&dyn AddressWindows> {
        self.windows.available()
    }
}
