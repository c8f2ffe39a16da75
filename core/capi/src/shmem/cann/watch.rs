// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Observer of the state record of the current instance: one function of the program, called after every
//! change with the record for kernels.

use std::ffi::c_int;
use std::sync::Mutex;

use mf_base::Result;
use mf_base::sync::lock;

use super::instances;
use super::types::Watcher;
use crate::boundary::call_program;

static WATCHER: Mutex<Watcher> = Mutex::new(None);

pub(crate) fn aclshmemx_watch_state(_op: &'static str, changed: Watcher) -> Result<c_int> {
    *lock(&WATCHER) = changed;
    report()?;
    Ok(0)
}

/// The record has changed, or another instance is the current one.
pub(super) fn changed() {
    if let Err(error) = report() {
        tracing::warn!("the program does not receive the state record after a change: {error}");
    }
}

fn report() -> Result<()> {
    // The function may call what changes the record again.
    let watcher = *lock(&WATCHER);
    let Some(watcher) = watcher else { return Ok(()) };
    let record = instances::current().map(|it| it.world.state_record(it.staging())).transpose()?;
    let bytes = record.as_deref().unwrap_or_default();
    let start = if bytes.is_empty() { std::ptr::null() } else { bytes.as_ptr().cast() };
    // SAFETY: a function of the program, which vouches for it; the bytes live through the call.
    call_program("the function of aclshmemx_watch_state", || unsafe { watcher(start, bytes.len()) });
    Ok(())
}
