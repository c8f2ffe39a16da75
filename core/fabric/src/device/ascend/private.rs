// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device memory of this process alone: the operands of kernels that are in no pool.

use std::sync::Arc;

use ascend_acl_sys::raw::types as abi;
use mf_base::{Error, Kind, Result};

use super::cann::OrRefused;
use super::runtime::Runtime;
use crate::device::Private;

const OP: &str = "device memory";

/// An allocation of ACL.
pub(super) struct PrivateMemory {
    runtime: Arc<Runtime>,
    address: usize,
    bytes: u64,
}

impl PrivateMemory {
    /// Allocates `bytes`.
    ///
    /// # Errors
    /// `InvalidParam` no bytes · `OutOfMemory`.
    pub(super) fn new(runtime: &Arc<Runtime>, bytes: u64) -> Result<Self> {
        let wanted = usize::try_from(bytes).ok().filter(|bytes| *bytes > 0);
        let wanted = wanted
            .ok_or_else(|| Error::invalid(OP, "there is no memory of this size").with("bytes", bytes))?;
        let allocated = runtime.run(|| {
            let acl = runtime.cann.acl();
            acl.malloc(wanted, abi::ACL_MEM_MALLOC_HUGE_FIRST)
                .or_refused()
                .map(|place| place.expose_provenance())
        })?;
        let address = allocated.map_err(|error| {
            Error::new(Kind::OutOfMemory, OP)
                .what("the device has no room for the operands of a kernel")
                .with("bytes", bytes)
                .source(error)
        })?;
        Ok(Self { runtime: Arc::clone(runtime), address, bytes })
    }
}

impl Private for PrivateMemory {
    fn address(&self) -> u64 {
        self.address as u64
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for PrivateMemory {
    fn drop(&mut self) {
        let (runtime, address) = (&self.runtime, self.address);
        let freed = runtime.run(|| {
            let place = std::ptr::with_exposed_provenance_mut(address);
            // SAFETY: the address came from this allocator and is given back once; a kernel that a fault left behind is
            // waited for.
            unsafe { runtime.cann.acl().free_synchronized(place) }.or_refused()
        });
        if let Err(error) = freed.and_then(|freed| freed) {
            tracing::warn!("memory of the device is not given back: {error}");
        }
    }
}
