// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of this process alone, where the runtime wants it: operands of kernels, buffers of transfers.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};

use super::driver::Driver;
use crate::Buffer;

const OP: &str = "device memory";

/// An allocation of the runtime.
pub(super) struct DeviceBuffer {
    driver: Arc<dyn Driver>,
    address: u64,
    bytes: u64,
}

impl DeviceBuffer {
    /// Allocates `bytes`.
    ///
    /// # Errors
    /// `InvalidParam` no bytes · `OutOfMemory`.
    pub(super) fn new(driver: &Arc<dyn Driver>, bytes: u64) -> Result<Self> {
        if bytes == 0 {
            return Err(Error::invalid(OP, "invalid size of memory").with("bytes", bytes));
        }
        let address = driver.run(|| driver.allocate(bytes))?.map_err(|error| {
            Error::new(Kind::OutOfMemory, OP)
                .what("the device has no room for a buffer")
                .with("bytes", bytes)
                .source(error)
        })?;
        Ok(Self { driver: Arc::clone(driver), address, bytes })
    }
}

impl Buffer for DeviceBuffer {
    fn address(&self) -> u64 {
        self.address
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // SAFETY: the address came from this driver and is given back once.
        let freed = self.driver.run(|| unsafe { self.driver.free(self.address) });
        if let Err(error) = freed.flatten() {
            tracing::warn!(bytes = self.bytes, "memory of the device is not given back: {error}");
        }
    }
}
