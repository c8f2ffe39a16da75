// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of share memory: the membership of this process and its objects by handle.

use std::sync::Arc;

use mf_abi::smem::ShmHandle;
use mf_base::{Kind, Result};
use mf_job::process::{Handles, Seat};
use mf_smem::shm::{Context, ShareMemory};

pub(super) static STATE: Seat<Context, ShareMemory, 64> =
    Seat::new("smem_shm_init", Handles::new("share memory", "smem_shm_create"));

/// Returns the object of a handle.
///
/// # Errors
/// `InvalidParam` null, stale or made up · `NotInit` not initialised, or created by the parent process.
pub(super) fn share(op: &'static str, handle: ShmHandle) -> Result<Arc<ShareMemory>> {
    STATE.object(op, handle, Kind::InvalidParam)
}
