// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of a pool of this process alone: one region of host memory that the accelerator reaches.

use mf_base::{Error, Kind, MemKind, Result};
use mf_device::{Devices, Window};

const OP: &str = "offload init";
/// Distance between the addresses that are tried.
const STEP_BYTES: u64 = 1 << 30;
/// Addresses to try in each range.
const TRIES: u64 = 256;

/// A mapped region. Dropping it unmaps it when the accelerator is done with it.
pub(crate) struct Region {
    devices: Devices,
    window: Option<Box<dyn Window>>,
    base: u64,
    bytes: u64,
}

impl Region {
    /// Maps `bytes` of zeroes, which take pages when they are touched.
    ///
    /// # Errors
    /// `OutOfMemory` · `NoResources` descriptors · `InUse` no address range is free.
    pub(crate) fn map(devices: &Devices, bytes: u64) -> Result<Self> {
        let windows = devices.windows(MemKind::Host)?;
        let memory = windows.allocate(MemKind::Host, bytes)?;
        let window = reserve(devices, bytes)?;
        let base = window.base();
        // SAFETY: the window was just reserved, and no other code knows its addresses.
        unsafe { window.map(0, &*memory, 0..bytes) }?;
        if let Some(accelerator) = devices.accelerator() {
            // SAFETY: the range is mapped until `conceal` in the destructor.
            unsafe { accelerator.expose(base, bytes) }?;
        }
        Ok(Self { devices: devices.clone(), window: Some(window), base, bytes })
    }

    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if let Some(mover) = self.devices.mover()
            && let Err(error) = mover.quiesce()
        {
            tracing::warn!("the pool of offload stays mapped: {error}");
            std::mem::forget(self.window.take());
            return;
        }
        if let Some(accelerator) = self.devices.accelerator() {
            accelerator.conceal(self.base, self.bytes);
        }
    }
}

/// Reserves the first free addresses of the ranges for host memory, so that a process that opens its pool
/// again finds it at the same address.
fn reserve(devices: &Devices, bytes: u64) -> Result<Box<dyn Window>> {
    let windows = devices.windows(MemKind::Host)?;
    let mut refused = None;
    for range in devices.address_ranges(MemKind::Host) {
        let tries = (0..TRIES).map_while(|number| range.start.checked_add(number * STEP_BYTES));
        for base in tries.take_while(|base| base.checked_add(bytes).is_some_and(|end| end <= range.end)) {
            match windows.reserve(MemKind::Host, base, bytes, bytes) {
                Ok(window) => return Ok(window),
                Err(error) if error.kind() == Kind::InUse => refused = Some(error),
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            }
        }
    }
    Err(refused.unwrap_or_else(|| {
        Error::new(Kind::NoResources, OP)
            .what("the accelerator reaches no addresses for host memory")
            .with("bytes", bytes)
    }))
}
