// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory: whole pages, returned to the kernel when freed.

use std::collections::BTreeMap;

use mf_base::Result;
use mf_base::os::per_process::PerProcess;
use mf_device::engine;
use mf_fabric::endpoint::Allocation;

use crate::numbers::Status;
use crate::status_errors::fault;

/// Allocations that programs have not freed, by address.
static ALLOCATED: PerProcess<BTreeMap<usize, Allocation>> = PerProcess::new(BTreeMap::new());

pub(super) fn allocate(op: &'static str, bytes: u64) -> Result<*mut u8> {
    let allocation = Allocation::new(bytes)
        .map_err(|error| fault(op, Status::Error, "no host memory").with("bytes", bytes).source(error))?;
    let base = allocation.base();
    ALLOCATED.lock().insert(base.addr(), allocation);
    Ok(base)
}

pub(super) fn free(op: &'static str, address: *mut u8) -> Result<()> {
    let freed = ALLOCATED.lock().remove(&address.addr());
    match freed {
        Some(_) => Ok(()),
        None => Err(fault(op, Status::Error, "no memory that was allocated begins at this address")
            .with("address", format_args!("{address:p}"))),
    }
}

/// # Safety
/// Both ends have so many bytes, of this process.
#[inline]
pub(super) unsafe fn copy(op: &'static str, dest: *mut u8, source: *const u8, bytes: u64) -> Result<()> {
    let length = usize::try_from(bytes).ok().filter(|bytes| isize::try_from(*bytes).is_ok());
    let length =
        length.ok_or_else(|| fault(op, Status::Error, "the length is impossible").with("bytes", bytes))?;
    // SAFETY: the caller vouches for `bytes` bytes of this process at both ends.
    unsafe { engine::copy(source, dest, length) };
    Ok(())
}
