// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locks of the whole job.

use std::ffi::{c_int, c_long};

use mf_base::Result;

use super::world;

pub(crate) fn set_lock(op: &'static str, lock: *mut c_long) -> Result<()> {
    world::get(op)?.set_lock(lock)
}

pub(crate) fn clear_lock(op: &'static str, lock: *mut c_long) -> Result<()> {
    world::get(op)?.clear_lock(lock)
}

/// Returns 0 when it took the lock.
pub(crate) fn test_lock(op: &'static str, lock: *mut c_long) -> Result<c_int> {
    Ok(c_int::from(!world::get(op)?.test_lock(lock)?))
}
